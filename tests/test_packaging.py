"""Wheel, sdist and editable install hold all that the program reads at run time."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
FLOORS = ("ontology", "graph", "exports")
NEEDED = 77  # setuptools that reads an SPDX license (PEP 639)
VENDOR = "exports/web/vendor"
LIBRARIES = {"LICENSES.txt", "graphology.umd.min.js", "sigma.min.js", "yasgui.min.css", "yasgui.min.js"}

NPM = """#!PYTHON
import json, os, pathlib, sys
assert sys.argv[1] == "ci" and "--ignore-scripts" in sys.argv, sys.argv
assert {*os.listdir()} == {"package.json", "package-lock.json"}, os.listdir()
for name, license in (("yasgui", None), ("yasqe", "It is free, in a ‘way’.")):
    package = pathlib.Path("node_modules/@zazuko", name)
    (package / "build").mkdir(parents=True)
    known = {"name": f"@zazuko/{name}", "version": "4.6.2", "license": "MIT", "author": {"name": "A. Fox"}}
    (package / "package.json").write_text(json.dumps(known))
    if license:
        (package / "LICENSE").write_text(license, encoding="utf-8")
    (package / "build" / "yasgui.min.js").write_text("let yasgui;")
    (package / "build" / "yasgui.min.css").write_text("b {}")
for name in ("graphology/dist/graphology.umd.min.js", "sigma/dist/sigma.min.js"):
    package = pathlib.Path("node_modules", name)
    package.parent.mkdir(parents=True)
    package.write_text("let graph;")
    known = {"name": package.parts[1], "version": "1.0.0", "license": "MIT"}
    (package.parents[1] / "package.json").write_text(json.dumps(known))
""".replace("PYTHON", sys.executable)
"""An npm that answers without a network."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of what is packaged."""
    try:
        have = int(version("setuptools").split(".")[0])
    except PackageNotFoundError:
        have = 0
    if have < NEEDED:
        pytest.skip(f"needs setuptools {NEEDED} or newer to build: pip install -U setuptools")
    copy = tmp_path_factory.mktemp("source")
    for floor in FLOORS:
        shutil.copytree(PROJECT / floor, copy / floor, ignore=shutil.ignore_patterns("__pycache__", "vendor"))
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, copy)
    return copy


@pytest.fixture(autouse=True, scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The only program that a build finds in PATH."""
    program = tmp_path_factory.mktemp("bin") / "npm"
    program.write_text(NPM, encoding="utf-8")
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(program.parent))
        yield program


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return build(source, "wheel")


def build(source: Path, what: str) -> Path:
    """Build `what` (wheel, sdist or editable) of the project in `source`, as pip would."""
    return built(source, what)[0]


def built(source: Path, what: str) -> tuple[Path, str]:
    """`build`, with what was said meanwhile."""
    out = source.parent / f"{source.name}-{what}"
    out.mkdir()
    code = f"import sys; from setuptools import build_meta; build_meta.build_{what}(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, out], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(out.iterdir()), done.stderr


def packaged(source: Path) -> set[str]:
    """The names that a wheel of `source` must hold: all that lies in the three folders."""
    return {
        f"cardlaw/{path.relative_to(source).as_posix()}"
        for floor in FLOORS
        for path in (source / floor).rglob("*")
        if path.is_file()
    }


def held(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("cardlaw/")}


def run_in_new_environment(wheel: Path, where: Path, code: str) -> str:
    """Unpack `wheel` into a fresh environment without anything else, and run `code` there."""
    venv.create(where)
    python = where / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    zipfile.ZipFile(wheel).extractall(site)
    done = subprocess.run([python, "-c", code], cwd=where, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


READ = "from cardlaw.ontology import data; print(len(data('cardlaw.ttl').read_text(encoding='utf-8')) > 0)"


def test_wheel_holds_every_file_of_the_three_folders(source: Path, wheel: Path) -> None:
    assert held(wheel) == packaged(source)


def test_wheel_is_found_as_cardlaw_and_reads_its_data(wheel: Path, tmp_path: Path) -> None:
    assert run_in_new_environment(wheel, tmp_path / "env", READ) == "True\n"


def test_wheel_of_the_sdist_is_the_same(source: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build(source, "sdist")) as sdist:
        sdist.extractall(tmp_path, filter="data")
    unpacked = next(tmp_path.iterdir())
    assert held(build(unpacked, "wheel")) == held(wheel)


def test_editable_install_reads_the_checkout(source: Path, tmp_path: Path) -> None:
    code = READ + "; import cardlaw.ontology; print(cardlaw.ontology.__file__)"
    answer = run_in_new_environment(build(source, "editable"), tmp_path / "env", code)
    assert answer.splitlines() == ["True", str(source / "ontology" / "__init__.py")]


def copy_of(source: Path, where: Path) -> Path:
    return Path(shutil.copytree(source, where / "copy", ignore=shutil.ignore_patterns("vendor", "build")))


def test_libraries_come_with_their_licenses(source: Path, wheel: Path) -> None:
    names = {name.rpartition("/")[2] for name in held(wheel) if f"{VENDOR}/" in name}
    assert names == LIBRARIES
    said = (source / VENDOR / "LICENSES.txt").read_text(encoding="utf-8")
    assert "@zazuko/yasqe 4.6.2 (MIT)" in said
    assert "It is free, in a ‘way’." in said
    assert "Copyright (c) A. Fox\n\nPermission is hereby granted" in said, "where none was delivered"


def test_libraries_are_brought_once_and_anew_with_other_pins(
    source: Path, wheel: Path, npm: Path, tmp_path: Path
) -> None:
    copy = copy_of(source, tmp_path)
    build(copy, "wheel")
    script = copy / VENDOR / "yasgui.min.js"
    script.write_text("let mine;")
    build(copy, "editable")
    assert script.read_text() == "let mine;"
    pins = copy / "exports/web/package.json"
    pins.write_text(pins.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    shutil.rmtree(copy.parent / "copy-wheel")
    made = zipfile.ZipFile(build(copy, "wheel"))
    assert made.read(f"cardlaw/{VENDOR}/yasgui.min.js") == b"let yasgui;"


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (None, "npm is not installed"),
        ("#!/bin/sh\necho 'npm error network is away' >&2\nexit 1", "npm error network is away"),
        ("#!/bin/sh\nexit 0", "No such file"),
    ],
)
def test_it_is_built_without_libraries_too(
    source: Path, npm: Path, tmp_path: Path, program: str | None, why: str
) -> None:
    copy = copy_of(source, tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path / "bin"))
        (tmp_path / "bin").mkdir()
        if program is not None:
            other = tmp_path / "bin" / "npm"
            other.write_text(program)
            other.chmod(0o755)
        made, said = built(copy, "wheel")
    (note,) = (line for line in said.splitlines() if "browser libraries" in line)
    assert why in note
    assert "exports/web/view.html" in " ".join(held(made))
    assert not any(f"{VENDOR}/" in name for name in held(made))


def test_the_lock_pins_by_hash_and_names_no_registry() -> None:
    text = (PROJECT / "exports/web/package-lock.json").read_text(encoding="utf-8")
    packages = {name: what for name, what in json.loads(text)["packages"].items() if name}
    assert packages["node_modules/@zazuko/yasgui"]["version"] == "4.6.2"
    assert packages["node_modules/sigma"]["version"] == "3.0.3"
    assert packages["node_modules/graphology"]["version"] == "0.26.0"
    assert all(what["integrity"].startswith("sha512-") for what in packages.values())
    assert "://" not in text
