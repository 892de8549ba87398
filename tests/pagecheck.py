"""What every page has to be: valid HTML, and without serious faults for those who hear, enlarge or tap it.

axe-core and html-validate come by npm when a test wants them, into the cache folder of pytest; where they
cannot be had, their tests are skipped. Markup that no parser takes is found without them, by html5lib.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import html5lib
import pytest

__all__ = ["LOOKS", "barriers", "faults_of", "libraries", "opened", "parses", "sound"]

PACKAGES = {"axe-core": "4.14.1", "html-validate": "10.17.0"}
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {"no-trailing-whitespace": "off", "void-style": "off", "long-title": "off"},
}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": PHONE,
}
"""How a page is looked at, as a context of Playwright."""


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


def faults_of(pages: Mapping[str, str] | str, modules: Path, folder: Path) -> list[str]:
    """What html-validate says against a page, or against pages by their names, in one run.

    Args:
        pages: HTML.
        modules: of `libraries`.
        folder: of the test's own, where files may lie.
    """
    named = {"page": pages} if isinstance(pages, str) else pages
    (folder / "rules.json").write_text(json.dumps(RULES))
    files = {f"checked-{number}.html": name for number, name in enumerate(named)}
    for file, name in files.items():
        (folder / file).write_text(named[name], encoding="utf-8")
    command = [modules / ".bin" / "html-validate", "-f", "json", "-c", "rules.json", *files]
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=120)
    return [
        f"{files[Path(found['filePath']).name]}, line {m['line']}: {m['message']} ({m['ruleId']})"
        for found in json.loads(done.stdout)
        for m in found["messages"]
    ]


def barriers(page: Any, modules: Path) -> list[str]:
    """What axe-core finds on an open page that is serious, worse, or of moderate weight.

    The page needs a context with `java_script_enabled` and `bypass_csp`.
    """
    page.add_script_tag(path=modules / "axe-core" / "axe.min.js")
    found = page.evaluate(
        """async () => (await axe.run(document, { preload: false })).violations.map(
          ({ id, impact, nodes }) => [id, impact, nodes[0].html.slice(0, 200)])"""
    )
    return [f"{id}: {html}" for id, impact, html in found if impact != "minor"]


@contextmanager
def opened(browser: Any, url: str, **context: Any) -> Iterator[Any]:
    """The page of an address in a context of its own; what goes wrong in it is an error.

    Args:
        browser: of `viewing.started`.
        url: of the page.
        context: as Playwright has it, over `java_script_enabled=False`.
    """
    usual = {"java_script_enabled": False, "reduced_motion": "reduce"}
    page = browser.new_context(**{**usual, **context}).new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.on("dialog", lambda dialog: faults.append(f"a dialog: {dialog.message}"))
    page.goto(url)
    try:
        yield page
    finally:
        page.context.close()
    assert not faults, f"{url}: {faults}"


def sound(
    browser: Any, urls: Iterable[str], modules: Path, looks: Iterable[str] = LOOKS
) -> dict[tuple[str, str], list[str]]:
    """What is wrong with pages, by address and look: barriers, and what sticks out of the window.

    Args:
        browser: of `viewing.started`.
        urls: of the pages.
        modules: of `libraries`.
        looks: of `LOOKS`.
    """
    wrong: dict[tuple[str, str], list[str]] = {}
    for look in looks:
        for url in urls:
            with opened(browser, url, java_script_enabled=True, bypass_csp=True, **LOOKS[look]) as page:
                found = barriers(page, modules)
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                found += [f"wider than the window by {wide} px"] if wide > 0 else []
            if found:
                wrong[url, look] = found
    return wrong
