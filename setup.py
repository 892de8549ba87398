"""Brings browser libraries into the package while it is built; all else stands in pyproject.toml.

`exports/web/package.json` says which (npm packages, pinned by their hashes in the lock) and, as "vendor",
which of their files become `exports/web/vendor/*`, with the licenses of all of them. Where npm is
missing or fails, the build goes on without: the pages that want a library have a plain form.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PROJECT = Path(__file__).resolve().parent
WEB = PROJECT / "exports" / "web"
VENDOR = WEB / "vendor"
LICENSES = VENDOR / "LICENSES.txt"
PINS = ("package.json", "package-lock.json")
NPM = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
ONCE = ("--fetch-retries=1", "--fetch-timeout=30000")  # ms
LONGEST = 120  # seconds


class BuildWithLibraries(build_py):
    def run(self) -> None:
        try:
            bring_libraries()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self.warn(f"without the browser libraries, pages show their plain form ({reason(error)})")
        super().run()


def reason(error: Exception) -> str:
    """What went wrong, in a line."""
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else None
    return (said or str(error)).strip().partition("\n")[0]


def bring_libraries() -> None:
    """Fill `exports/web/vendor`, unless it already holds what the lock says.

    Raises:
        OSError: npm is missing, or the folder cannot be written.
        SubprocessError: npm failed or took too long.
    """
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["vendor"]
    pins = hashlib.sha256(b"".join((WEB / name).read_bytes() for name in PINS)).hexdigest()
    heading = f"Licenses of the libraries beside this file, and of what they contain.\nPins: {pins}\n"
    if LICENSES.is_file() and LICENSES.read_text(encoding="utf-8").startswith(heading):
        return
    shutil.rmtree(VENDOR, ignore_errors=True)  # an earlier version is none
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is not installed")
    with tempfile.TemporaryDirectory() as folder:
        for name in PINS:
            shutil.copy(WEB / name, folder)
        subprocess.run(
            [npm, *NPM, *ONCE],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=True,
            timeout=LONGEST,
        )
        modules = Path(folder, "node_modules")
        VENDOR.mkdir()
        for name, source in wanted.items():
            shutil.copyfile(modules / source, VENDOR / name)
        LICENSES.write_text("\n".join((heading, *licenses(modules))), encoding="utf-8")


def licenses(modules: Path) -> Iterator[str]:
    """The license of each installed package, as it came, or else what its package.json says."""
    for manifest in sorted((*modules.glob("*/package.json"), *modules.glob("@*/*/package.json"))):
        package = json.loads(manifest.read_text(encoding="utf-8"))
        files = [file for file in sorted(manifest.parent.iterdir()) if is_license(file)]
        texts = [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]
        if not texts and package.get("license") == "MIT":
            author = package.get("author", package["name"])
            owner = author["name"] if isinstance(author, dict) else author
            permission = (PROJECT / "LICENSE").read_text(encoding="utf-8").partition("Permission is ")
            texts = [f"MIT License\n\nCopyright (c) {owner}\n\n{''.join(permission[1:]).strip()}"]
        title = f"{package['name']} {package['version']} ({package.get('license', 'see below')})"
        yield "\n\n".join((f"{'=' * len(title)}\n{title}\n{'=' * len(title)}", *texts, ""))


def is_license(file: Path) -> bool:
    return file.is_file() and re.match(r"(licen[cs]e|copying|notice)\b", file.name, re.IGNORECASE) is not None


setup(cmdclass={"build_py": BuildWithLibraries})
