"""The linker's keywords against the published lists, and the rules that explain where they differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.keywords import Comparison, cards_of, compare

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Face
from cardlaw.graph.sources import outline


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


@pytest.mark.real
def test_the_lists_of_the_corpus(linker: Linker, corpus_path: Path) -> None:
    result = compare(cards_of(corpus_path), linker)
    assert result.cards > 33_000
    assert result.listed > 19_000
    assert result.recall >= 0.997
    assert result.precision >= 0.99
    assert result.conditional > 10 * result.conditional_listed
    assert result.unexplained == []


@pytest.mark.real
def test_the_lists_of_cards_with_the_text_of_both_faces(linker: Linker, real_data: Path) -> None:
    result = compare(cards_of(real_data / "scryfall" / "cards-2025-sample.json.gz"), linker)
    assert result.listed > 250
    assert result.recall >= 0.98
    assert result.precision >= 0.99
    assert result.unexplained == []


def compared(linker: Linker, text: str, *keywords: str, name: str = "Zyx Warden") -> Comparison:
    face = Face(name=name, type_line="Creature — Golem", oracle_text=text)
    return compare([Card(name=name, slug="zyx", layout="normal", faces=(face,), keywords=keywords)], linker)


def test_what_a_comparison_counts(linker: Linker) -> None:
    text = "Flying, swampwalk\nThis creature has haste as long as it's day.\nSacrifice a Food: Scry 1."
    result = compared(linker, text, "Flying", "Landwalk", "Swampwalk", "Scry", "Food", "Raid")
    assert (result.listed, result.found) == (4, 4)
    assert (result.had, result.confirmed) == (2, 2)
    assert (result.conditional, result.conditional_listed) == (1, 0)
    assert {what: list(names) for what, names in result.foreign.items()} == {
        "predefined tokens": ["Food"],
        "ability words": ["Raid"],
    }
    assert [dict(result.missed), dict(result.added), dict(result.apart)] == [{}, {}, {}]


def test_what_is_listed_and_not_had_is_apart(linker: Linker) -> None:
    result = compared(linker, "Creatures you control have reach, trample, and haste.", "Trample")
    assert (result.found, result.had) == (1, 0)
    assert list(result.apart.values()) == [["Trample of Zyx Warden"]]


@pytest.mark.parametrize(
    ("text", "keyword", "name", "explained"),
    [
        ("When this creature dies, manifest dread.", "Manifest", "Zyx Warden", True),
        ("Draw cards equal to its converted mana cost.", "Convert", "Zyx Warden", True),
        ("Whenever Storm attacks, Storm deals 1 damage to you.", "Storm", "Storm, Queen of Soup", True),
        ("Fear Gas — This creature can't be blocked.", "Fear", "Zyx Warden", True),
        ("{4}: Reassemble target Contraption you control.", "Assemble", "Zyx Warden", True),
        # Near misses of the rules above, and words that are not there.
        ("When this creature dies, draw a card.", "Manifest", "Zyx Warden", False),
        ("When this creature dies, draw a card.", "Storm", "Storm, Queen of Soup", False),
        (
            "{4}: Reassemble target Contraption. Two Assemblers of Soup dance.",
            "Assemble",
            "Zyx Warden",
            False,
        ),
        ("Fear Gas — This creature can't be blocked except by Fearless Otters.", "Fear", "Zyx Warden", False),
    ],
)
def test_only_a_rule_that_fits_explains_a_miss(
    linker: Linker, text: str, keyword: str, name: str, explained: bool
) -> None:
    result = compared(linker, text, keyword, name=name)
    assert (result.listed, result.found) == (1, 0)
    assert bool(result.unexplained) != explained


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("Visit — Draw a card.", True),
        ("Equip Otter {1}", True),
        ("Annihilator X, where X is the number of Otters you control.", True),
        ("Snow islandwalk", True),
        ("Denimwalk", True),
        ("Flying", False),
        ("Equip Otter {1}\nEquip {3}", False),
        ("Annihilator 2", False),
        ("Snow landwalk", False),
        ("Desertwalk", False),
        ("Cycling {2}", False),
    ],
)
def test_only_a_rule_that_fits_explains_what_is_not_listed(
    linker: Linker, text: str, explained: bool
) -> None:
    result = compared(linker, text)
    assert (result.had, result.confirmed) == (1, 0)
    assert bool(result.unexplained) != explained
