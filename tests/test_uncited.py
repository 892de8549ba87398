"""Why an ability cites no rule beyond its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardlaw.exports.report import summary_lines
from cardlaw.graph import link
from cardlaw.graph.linking import uncited
from cardlaw.graph.model import Face
from cardlaw.graph.store import open_store


@pytest.mark.parametrize(
    ("type_line", "text", "reason"),
    [
        ("Creature — Bird", "Flying", None),
        ("Creature — Bird", "Grumble {2}", "newer than the rulebook"),
        ("Creature — Elf", "Specialize {3}", "digital-only"),
        ("Sorcery", "Seek a Dragon card.", "digital-only"),
        ("Sorcery", "Seek a Dragon card, then draw a card.", None),
        ("Artifact", "Pledge", "playtest"),
        ("Artifact", "All Hounds are dogs and good ones at that.", "plain"),
        ("Enchantment — Class", "{1}{G}: Level 2", None),
        ("Creature — Knight", "LEVEL 1-3\n2/3", None),
    ],
)
def test_reason(type_line: str, text: str, reason: str | None) -> None:
    ability, *_ = link(Face(name="Pale Harrow", type_line=type_line, oracle_text=text)).abilities
    assert uncited(ability) == reason


def test_a_build_counts_them_and_the_entries_that_cite_nothing(small_store: Path) -> None:
    with open_store(small_store) as store:
        info = store.info
        told = "\n".join(line.text.plain for line in summary_lines(info))
    assert "keyword.overload.overloaded" in info.idle
    assert "term.target" not in info.idle
    assert f"{len(info.idle):,} catalogue entries cited nothing" in told
    for what, reason in info.uncited:
        assert reason in told
        assert ", ability 1." in what
