"""The pages of `docs/` are what the program says; the changelog and the site are whole."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import typer
from conftest import PROJECT
from docpages import DOCS, TUTORIALS, Reader, blocks, reference, with_measures

from cardlaw.exports.cli import app

PAGES = sorted(DOCS.glob("*.md"))
README = PROJECT / "README.md"
ANEW = "run `python tests/docpages.py`, and look at the difference"


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Someone who has followed the first page."""
    reader = Reader(tmp_path_factory.mktemp("reader"))
    assert reader.follows(text("index.md")) == text("index.md"), ANEW
    return reader


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_samples_are_what_the_program_says(reader: Reader, name: str) -> None:
    assert reader.follows(text(name)) == text(name), ANEW


def test_the_python_answers_as_it_says(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.setenv("CARDLAW_STORE", str(reader.folder / "tutorial"))
    test = doctest.DocTestParser().get_doctest("".join(blocks(text("notebook.md"), "pycon")), {}, "", "", 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)
    assert len(test.examples) > 10


def test_the_reference_is_current() -> None:
    assert text("commands.md") == reference(), ANEW


def test_the_data_card_has_the_figures_of_the_review() -> None:
    assert text("data-card.md") == with_measures(text("data-card.md")), ANEW
    assert text("data-card.md").count("\n| effect | ") == 1


def typed() -> Iterator[tuple[str, str]]:
    """Page and call; of a line with a call inside another, both."""
    for page in (README, *PAGES):
        for line in "".join(blocks(page.read_text(encoding="utf-8"), "sh")).splitlines():
            for inner in re.findall(r"\$\((cardlaw [^)]*)\)", line):
                yield page.name, inner
            words = shlex.shlex(re.sub(r"\$\([^)]*\)", "FILE", line), posix=True, punctuation_chars=True)
            words.whitespace_split = True
            for is_call, group in groupby(words, lambda word: word not in ("|", "&&", ";", ">", "<")):
                call = list(group)
                if is_call and call[0].rpartition("/")[2] == "cardlaw":
                    yield page.name, shlex.join(call)


@pytest.mark.parametrize(("page", "line"), sorted(set(typed())))
def test_what_is_to_be_typed_is_a_call(page: str, line: str) -> None:
    """Each line of the pages and of the examples in the help parses: command, options and arguments."""
    command: Any = typer.main.get_command(app)
    _, *words = shlex.split(line)
    path = "cardlaw"
    while hasattr(command, "commands") and words and words[0] in command.commands:
        path, command = f"{path} {words[0]}", command.commands[words.pop(0)]
    command.make_context(path, words)


def test_the_changelog_is_of_this_version() -> None:
    said = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    releases = re.findall(r"^## \[(.+?)\](?: - \d{4}-\d\d-\d\d)?$", said, re.MULTILINE)
    assert releases[0] == "Unreleased"
    assert releases[1] == project["version"]
    kinds = set(re.findall(r"^### (.+)$", said, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_pages_are_in_the_menu_and_link_to_what_is_there() -> None:
    menu = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in PAGES:
        assert f": {page.name}" in menu
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (DOCS / target).is_file(), f"{page.name} links to {target}"


def test_the_site_is_built_without_a_warning_and_asks_no_other_server(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site"]
    done = subprocess.run(build, cwd=PROJECT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").glob("*.html"))
    assert {page.stem for page in pages} >= {page.stem for page in PAGES} | {"changes"}
    for page in pages:
        html = page.read_text(encoding="utf-8")
        asked = re.findall(
            r"<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=\"?((?:https?:)?//[^\s\">]+)", html
        )
        assert asked == []
    for sheet in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text(encoding="utf-8"))
