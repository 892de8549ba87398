"""Wheel, sdist and editable install hold all that the program reads at run time."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
FLOORS = ("ontology", "graph", "exports")
NEEDED = 77  # setuptools that reads an SPDX license (PEP 639)


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
        shutil.copytree(PROJECT / floor, copy / floor, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return build(source, "wheel")


def build(source: Path, what: str) -> Path:
    """Build `what` (wheel, sdist or editable) of the project in `source`, as pip would."""
    out = source.parent / f"{source.name}-{what}"
    out.mkdir()
    code = f"import sys; from setuptools import build_meta; build_meta.build_{what}(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, out], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(out.iterdir())


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
