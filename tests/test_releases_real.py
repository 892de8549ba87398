"""The real releases side by side, with the figures of what moved between them, and with parts broken."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from cardlaw.graph.model import Rulebook
from cardlaw.graph.releases.changes import changes
from cardlaw.graph.releases.fates import Fates, fates
from cardlaw.graph.releases.found import releases
from cardlaw.graph.releases.history import history
from cardlaw.graph.releases.lint import lint
from cardlaw.graph.sources.rulebook import parse, read
from cardlaw.graph.sources.wording import decode

pytestmark = pytest.mark.real


@cache
def _read(path: Path) -> Rulebook:
    return read(path)


@cache
def _fates(older: Path, newer: Path) -> Fates:
    return fates(_read(older), _read(newer))


@pytest.fixture
def folder(real_data: Path) -> Path:
    return real_data / "rules"


@pytest.fixture
def last_year(folder: Path) -> Fates:
    return _fates(folder / "2025-02-07.txt", folder / "2026-01-16.txt")


def test_figures_of_the_last_year(folder: Path, last_year: Fates) -> None:
    """362 rules moved, 347 of them word for word, and 254 numbers changed their meaning, 196 in 701."""
    found = changes(_read(folder / "2025-02-07.txt"), _read(folder / "2026-01-16.txt"), last_year.matching)
    counts = found.counts["rules"]
    assert counts["moved"] == pytest.approx(362, rel=0.02)
    assert counts["moved word for word"] == pytest.approx(347, rel=0.02)
    assert counts["changed meaning"] == pytest.approx(254, rel=0.02)
    in_701 = [each for each in found.rules if each.reused and (each.old or "").startswith("701.")]
    assert len(in_701) == pytest.approx(196, rel=0.02)


def test_figures_of_ten_years(folder: Path) -> None:
    """1,063 moved and 818 changed meaning where only like words count; places find a few more."""
    older, newer = folder / "2016-07-22.txt", folder / "2026-01-16.txt"
    counts = changes(_read(older), _read(newer), _fates(older, newer).matching).counts["rules"]
    assert counts["moved"] == pytest.approx(1063, rel=0.04)
    assert counts["changed meaning"] == pytest.approx(818, rel=0.04)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("701.13", "701.17"),  # Mill
        ("701.13a", "701.17a"),
        ("701.22", "701.29"),  # Fateseal
        ("701.36", "701.16"),  # Investigate
        ("603.2h", "603.2g"),
        ("702.124i", "702.124j"),  # two that swapped
        ("702.124j", "702.124i"),
        ("726.3b", None),  # never was
        ("728.1", "730.1"),
    ],
)
def test_moves_that_are_known(last_year: Fates, old: str, new: str | None) -> None:
    assert last_year.of(old).target == new


@pytest.mark.parametrize(
    ("older", "newer", "old", "new"),
    [
        ("2009-09-04", "2013-02-01", "706.8", "706.9a"),
        ("2009-09-04", "2013-02-01", "806.4a", "810.4"),  # shared life
        ("2013-02-01", "2016-07-22", "401.5", "120.8"),
        ("2016-07-22", "2026-01-16", "701.33a", "701.16a"),  # Investigate, not the Clue token
        ("2016-07-22", "2026-01-16", "702.102b", "702.103b"),  # Bestow
        ("2016-07-22", "2026-01-16", "704.5t", "704.6a"),
        ("2016-07-22", "2026-01-16", "903.4a", "903.4a"),  # grew by a sentence
        ("2022-11-18", "2025-02-07", "713.2b", "712.5b"),
        ("2022-11-18", "2025-02-07", "310.7", "311.7"),
    ],
)
def test_matches_that_were_read(folder: Path, older: str, newer: str, old: str, new: str) -> None:
    assert _fates(folder / f"{older}.txt", folder / f"{newer}.txt").of(old).target == new


@pytest.mark.parametrize(
    ("older", "newer", "old", "wrong"),
    [
        ("2013-02-01", "2016-07-22", "702.71b", "702.12c"),  # of changeling and of indestructible
        ("2009-09-04", "2013-02-01", "901.2", "903.2"),  # of two variants, all words but one
        ("2016-07-22", "2026-01-16", "712", "714"),  # Meld Cards, Saga Cards
    ],
)
def test_what_only_looks_alike(folder: Path, older: str, newer: str, old: str, wrong: str) -> None:
    assert _fates(folder / f"{older}.txt", folder / f"{newer}.txt").of(old).target != wrong


def test_lint_of_the_newest(folder: Path) -> None:
    found = lint(_read(folder / "2026-01-16.txt"))
    assert found.titles == 936
    meant = {each.where: [one.number for one in each.candidates] for each in found.faults}
    assert meant["glossary “Map”"] == ["111.10s"]
    assert meant["glossary “Endure”"] == ["701.63"]


def test_every_release_has_a_lint_and_a_history(folder: Path) -> None:
    books = [_read(each.path) for each in releases([folder], cache=folder / "none")]
    assert len(books) == 8
    for each in books:
        assert lint(each).references > 500
    mill = history("701.17", "2026-01-16", books)
    assert [(each.release, each.number) for each in mill.events] == [
        ("2021-11-19", "701.13"),
        ("2026-01-16", "701.17"),
    ]


# Broken on purpose


@pytest.fixture
def newest(folder: Path) -> tuple[str, str]:
    """The newest text, until where the body begins and from there."""
    text = re.sub(r"\r\n?", "\n", decode((folder / "2026-01-16.txt").read_bytes()))
    start = text.rindex("\n1. Game Concepts")
    return text[:start], text[start:]


def _moved_against(base: Rulebook, text: str) -> tuple[dict[str, str], Fates]:
    found = fates(base, parse(text.encode()))
    return {each.old: each.new for each in found.matching.matches if each.old != each.new}, found


def test_keyword_actions_in_any_order_are_found_again(folder: Path, newest: tuple[str, str]) -> None:
    head, body = newest
    start, end = body.index("\n701.2. "), body.index("\n702. Keyword Abilities")
    blocks = [each for each in re.split(r"(?=\n701\.\d+\. )", body[start:end]) if each]
    order = list(range(2, len(blocks) + 2))
    random.Random(7).shuffle(order)
    places = {old: new for new, old in enumerate(order, 2)}
    mixed = "".join(
        re.sub(rf"(?m)^701\.{old}(?=[a-z.])", f"701.{places[old]}", blocks[old - 2]) for old in order
    )
    _, found = _moved_against(_read(folder / "2026-01-16.txt"), head + body[:start] + mixed + body[end:])
    for number in found.older.passages:
        match = re.fullmatch(r"701\.(\d+)([a-z]*)", number)
        if match and int(match[1]) > 1:
            assert found.of(number).target == f"701.{places[int(match[1])]}{match[2]}"


def test_what_is_dropped_is_removed_and_nothing_else_moves(folder: Path, newest: tuple[str, str]) -> None:
    head, body = newest
    start, end = body.index("\n712. "), body.index("\n713. ")
    moved, found = _moved_against(_read(folder / "2026-01-16.txt"), head + body[:start] + body[end:])
    assert moved == {}
    assert found.matching.removed
    assert {number[:3] for number in found.matching.removed} == {"712"}


def test_a_text_cut_off_anywhere_is_still_compared(folder: Path, newest: tuple[str, str]) -> None:
    head, body = newest
    moved, found = _moved_against(_read(folder / "2026-01-16.txt"), head + body[: body.index("\n801.2a")])
    assert moved == {}
    assert set(found.matching.removed) == {
        number for number in found.older.passages if number not in found.newer.passages
    }


def test_another_word_everywhere_moves_nothing(folder: Path, newest: tuple[str, str]) -> None:
    head, body = newest
    moved, found = _moved_against(
        _read(folder / "2026-01-16.txt"), head + body.replace("creature", "critter")
    )
    assert moved == {}
    assert found.matching.removed == ()
