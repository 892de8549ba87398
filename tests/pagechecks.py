"""What every page has to be: valid HTML, and without serious faults for those who hear or tap it.

axe-core (MPL) and html-validate come by npm when a test wants them, into the cache folder of pytest; where
they cannot be had, their tests are skipped.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import html5lib
import pytest

PACKAGES = {"axe-core": "4.14.1", "html-validate": "10.17.0"}
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {"no-trailing-whitespace": "off", "void-style": "off", "long-title": "off"},
}


def parses(html: str) -> None:
    """Whether a parser of the standard's finds nothing wrong.

    Raises:
        html5lib.html5parser.ParseError: it does.
    """
    html5lib.HTMLParser(strict=True).parse(html)


def libraries(config: pytest.Config) -> Path:
    """The `node_modules` with the packages; skips the test without."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = config.cache.mkdir("npm") if config.cache else pytest.skip("pytest has no cache folder")
    modules = folder / "node_modules"
    wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
    if not (folder / "complete").exists() or (folder / "complete").read_text() != " ".join(wanted):
        command = [npm, "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund"]
        try:
            subprocess.run([*command, *wanted], check=True, capture_output=True, timeout=180)
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"npm brings no {' '.join(wanted)}: {error}")
        (folder / "complete").write_text(" ".join(wanted))
    return modules


def faults_of(html: str, modules: Path, folder: Path) -> list[str]:
    """What html-validate says against a page."""
    (folder / "rules.json").write_text(json.dumps(RULES))
    (folder / "page.html").write_text(html, encoding="utf-8")
    command = [modules / ".bin" / "html-validate", "-f", "json", "-c", "rules.json", "page.html"]
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=60)
    found = json.loads(done.stdout)
    return [f"{m['line']}: {m['message']} ({m['ruleId']})" for file in found for m in file["messages"]]


def barriers(page: Any, modules: Path) -> list[str]:
    """What axe-core finds on an open page that is serious, worse, or of moderate weight."""
    page.add_script_tag(path=modules / "axe-core" / "axe.min.js")
    found = page.evaluate(
        """async () => (await axe.run(document)).violations.map(
          ({ id, impact, nodes }) => [id, impact, nodes[0].html.slice(0, 200)])"""
    )
    return [f"{id}: {html}" for id, impact, html in found if impact != "minor"]
