"""The glossary and what is derived from the words of an invented rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardlaw.graph.model import Keyword, Rulebook, Term
from cardlaw.graph.sources.rulebook import read


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return read(Path(__file__).parent / "fixtures" / "rulebook.txt")


def term(book: Rulebook, name: str) -> Term:
    return next(t for t in book.terms if name in t.names)


def keyword(book: Rulebook, name: str) -> Keyword:
    return next(k for k in book.vocabulary.keywords if k.name == name)


def test_glossary_senses(book: Rulebook) -> None:
    ability = term(book, "Ability")
    assert len(ability.senses) == 2
    assert ability.senses[1].startswith("A promise")
    assert ability.references == ("6", "602", "603")


@pytest.mark.parametrize(
    "names",
    [
        ("Active Player, Nonactive Player Order",),
        ("Banding", "Bands with Other"),
        ("Kicker", "Kicked"),
        ("Partner", "Partner—[text]", "Partner with [name]"),
    ],
)
def test_glossary_names(book: Rulebook, names: tuple[str, ...]) -> None:
    assert names in [t.names for t in book.terms]


@pytest.mark.parametrize(
    ("name", "see"),
    [
        ("APNAP Order", ("Active Player, Nonactive Player Order",)),
        ("Landwalk", ("Forestwalk", "Cycling")),
        ("Vanish", ("Kettle",)),
        ("Upkeep", ()),
        ("Bury", ("Destroy",)),
    ],
)
def test_glossary_points(book: Rulebook, name: str, see: tuple[str, ...]) -> None:
    assert term(book, name).see == see


def test_obsolete_is_a_mark_and_no_part_of_the_name(book: Rulebook) -> None:
    assert [t.names for t in book.terms if t.obsolete] == [("Bury",)]


def test_keywords_are_the_headings(book: Rulebook) -> None:
    actions = [k.name for k in book.vocabulary.keywords if k.action and not k.variant_of]
    assert actions == [
        "Activate",
        "Destroy",
        "Exile",
        "Sacrifice",
        "Scry",
        "Tap and Untap",
        "Venture into the Dungeon",
    ]
    assert keyword(book, "Cycling").rule == "702.29"
    assert {"For Mirrodin!", "∞ (Infinity)"} <= {k.name for k in book.vocabulary.keywords}


@pytest.mark.parametrize(
    ("name", "rule", "of"),
    [
        ("Tap", "701.26a", "Tap and Untap"),
        ("Untap", "701.26b", "Tap and Untap"),
        ("Venture into", "701.49b", "Venture into the Dungeon"),
        ("Equip kettle", "702.6b", "Equip"),
        ("Hexproof from", "702.11d", "Hexproof"),
        ("Forestwalk", "702.14", "Landwalk"),
        ("Protection from everything", "702.16j", "Protection"),
        ("Protection from [a player]", "702.16k", "Protection"),
        ("Typecycling", "702.29e", "Cycling"),
        ("Forestcycling", "702.29e", "Typecycling"),
        ("Multikicker", "702.33c", "Kicker"),
        ("Sticker kicker", "702.33h", "Kicker"),
        ("Partner—Salt & pepper", "702.124i", "Partner"),
        ("Partner—Twins", "702.124i", "Partner"),
        ("Partner with", "702.124j", "Partner"),
        ("Baker’s companion", "702.124m", "Partner"),
        ("Daybound", "702.145b", "Daybound and Nightbound"),
        ("Nightbound", "702.145e", "Daybound and Nightbound"),
    ],
)
def test_variants(book: Rulebook, name: str, rule: str, of: str) -> None:
    found = keyword(book, name)
    assert (found.rule, found.variant_of) == (rule, of)


def test_nothing_else_is_a_variant(book: Rulebook) -> None:
    assert sum(1 for k in book.vocabulary.keywords if k.variant_of) == 18


def test_variants_stand_after_their_keyword(book: Rulebook) -> None:
    names = [k.name for k in book.vocabulary.keywords]
    assert len(names) == len(set(names))
    assert names[names.index("Cycling") :][:3] == ["Cycling", "Typecycling", "Forestcycling"]


@pytest.mark.parametrize(
    ("name", "nature"),
    [
        ("Deathtouch", ("static",)),
        ("Flying", ("static",)),  # an evasion ability
        ("Equip", ("activated",)),
        ("Cycling", ("activated",)),
        ("Typecycling", ("activated",)),
        ("Forestcycling", ("activated",)),
        ("Modular", ("static", "triggered")),
        ("Epic", ("spell",)),  # the delayed triggered ability is none of its own
        ("Vanishing", ("static", "triggered")),  # not stated, but shown
        ("Partner", ("static",)),
        ("Partner with", ("static", "triggered")),
        ("Daybound", ("static",)),
        ("For Mirrodin!", ("triggered",)),
        ("∞ (Infinity)", ("static",)),
        ("Plot", ()),
        ("Exile", ()),
    ],
)
def test_natures(book: Rulebook, name: str, nature: tuple[str, ...]) -> None:
    assert keyword(book, name).nature == nature


def test_lists(book: Rulebook) -> None:
    words = book.vocabulary
    assert words.ability_words == ("landfall", "magecraft", "will of the council")
    assert words.subtypes == {
        "artifact": ("Clockwork", "Kettle", "Vehicle"),
        "land": ("Fen", "Forest", "Tarn’s"),
        "creature": ("Night Owl", "Beaver", "Gob-Goblin", "Newt"),
        "battle": ("Skirmish",),
    }
    assert words.tokens == {"Pebble": "111.10a", "Tall Hat": "111.10b"}


def test_counters(book: Rulebook) -> None:
    assert book.vocabulary.counters == {
        "+1/+1": "122.1a",
        "-1/-1": "122.1a",
        "first strike": "122.1b",
        "flying": "122.1b",
        "reach": "122.1b",
        "shield": "122.1c",
        "loyalty": "122.1d",
        "energy": "107.14",
        "lore": "714.2b",
        "time": "702.63a",
    }
