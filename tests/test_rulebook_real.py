"""The eight real releases.

Every count of `RELEASES` was read off the files by searches that share no code with the parser.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources.references import citing
from cardlaw.graph.sources.rulebook import read

pytestmark = pytest.mark.real

# file: effective date, sections, rules, subrules, examples, glossary entries, keyword abilities, keyword
# actions, ability words, edges from rule to rule, rule to chapter, glossary to rule, glossary to chapter
RELEASES = {
    "2009-09-04": ("2009-09-04", 108, 684, 864, 189, 419, 81, 18, 10, 594, 10, 448, 9),
    "2013-02-01": ("2013-02-01", 124, 840, 1082, 220, 30, 98, 26, 17, 755, 9, 37, 1),
    "2016-07-22": ("2016-07-22", 128, 897, 1220, 238, 516, 118, 33, 33, 843, 9, 554, 9),
    "2019-01-25": ("2019-01-25", 130, 941, 1387, 243, 554, 135, 41, 39, 912, 8, 591, 9),
    "2021-11-15": ("2021-11-19", 137, 1024, 1593, 265, 612, 148, 45, 42, 1036, 7, 656, 9),
    "2022-11-18": ("2022-11-18", 141, 1080, 1711, 271, 647, 161, 49, 44, 1163, 7, 696, 9),
    "2025-02-07": ("2025-02-07", 144, 1127, 1895, 274, 703, 178, 59, 53, 1272, 7, 767, 9),
    "2026-01-16": ("2026-01-16", 146, 1157, 1957, 276, 725, 188, 67, 57, 1307, 7, 791, 9),
}


@cache
def _read(path: Path) -> Rulebook:
    return read(path)


@pytest.fixture
def latest(real_data: Path) -> Rulebook:
    return _read(real_data / "rules" / "2026-01-16.txt")


def edges(references: list[str]) -> tuple[int, int]:
    """How many go to a section, rule or subrule, and how many to a chapter."""
    chapters = sum(len(number) == 1 for number in references)
    return len(references) - chapters, chapters


@pytest.mark.parametrize("name", RELEASES)
def test_counts(real_data: Path, name: str) -> None:
    book = _read(real_data / "rules" / f"{name}.txt")
    numbers = list(book.rules)
    headings = [k for k in book.vocabulary.keywords if not k.variant_of]
    assert sum(len(n) == 1 for n in numbers) == 9
    assert (
        book.release,
        sum(len(n) == 3 for n in numbers),
        sum("." in n and n[-1].isdigit() for n in numbers),
        sum(n[-1].isalpha() for n in numbers),
        sum(len(rule.examples) for rule in book.rules.values()),
        len(book.terms),
        sum(not k.action for k in headings),
        sum(k.action for k in headings),
        len(book.vocabulary.ability_words),
        *edges([n for rule in book.rules.values() for n in rule.references]),
        *edges([n for term in book.terms for n in term.references]),
    ) == RELEASES[name]


@pytest.mark.parametrize("name", RELEASES)
def test_every_node_hangs_together(real_data: Path, name: str) -> None:
    book = _read(real_data / "rules" / f"{name}.txt")
    for number, rule in book.rules.items():
        assert (rule.text is None) == (rule.title is not None)
        assert rule.parent is None or number.startswith(rule.parent)
        assert number not in rule.references
        assert len(set(rule.references)) == len(rule.references)
        assert book.rules.keys() >= set(rule.references)
    assert all(term.senses for term in book.terms)


def test_levels_examples_and_senses(latest: Rulebook) -> None:
    assert len(latest.rules) == 3269
    on_subrules = sum(len(r.examples) for n, r in latest.rules.items() if n[-1].isalpha())
    on_rules = sum(len(r.examples) for n, r in latest.rules.items() if n[-1].isdigit())
    assert (on_rules, on_subrules) == (91, 185)
    senses = [len(term.senses) for term in latest.terms]
    assert sum(n > 1 for n in senses) == 28
    assert sum(n for n in senses if n > 1) == 60
    assert sum(senses) == 757
    assert sum(term.obsolete for term in latest.terms) == 33


def test_edges_from_bodies_and_from_examples(latest: Rulebook) -> None:
    bodies = {
        (n, m) for n, r in latest.rules.items() for m in citing(r.text or "", latest.rules, own=n).numbers
    }
    assert sum(len(m) > 1 for _, m in bodies) == 1303
    everything = {(n, m) for n, r in latest.rules.items() for m in r.references}
    assert sum(len(m) > 1 for _, m in everything - bodies) == 4


def test_references_that_give_a_title(latest: Rulebook) -> None:
    passages = [p for r in latest.rules.values() for p in (r.text or "", *r.examples)]
    passages += [sense for term in latest.terms for sense in term.senses]
    titled = [number for p in passages for number, _ in citing(p, latest.rules).titles]
    assert sum(latest.rules[number].title is not None for number in titled) == 936
    assert [number for number in titled if latest.rules[number].title is None] == ["609.7"]


def test_headings_alone(latest: Rulebook) -> None:
    alone = [n for n, r in latest.rules.items() if r.title and "." in n and n[:3] not in ("701", "702")]
    assert alone == ["205.2", "205.3", "205.4", "901.15", "903.12", "903.13", "904.12", "904.13"]
    assert latest.rules["702.163"].title == "For Mirrodin!"
    assert latest.rules["702.186"].title == "∞ (Infinity)"
    assert latest.rules["702.1"].title is None


def test_continuation_lines(latest: Rulebook) -> None:
    assert [n for n, r in latest.rules.items() if "\n" in (r.text or "")] == ["205.4c", "509.1b"]


def test_faults_of_the_text_are_reported(latest: Rulebook) -> None:
    assert latest.warnings == (
        "724.5 cites rule 613, which is “Interaction of Continuous Effects”, "
        "by the name “Continuous Effects”",
        "glossary “Endure” cites rule 702.62, which is “Suspend”, by the name “Endure”",
        "glossary “Map” cites 110.10, which is no rule of this release",
        "glossary “Supervillain Rumble” cites rule 806, which is “Free-for-All Variant”, "
        "by the name “Free-for-All”",
    )


def test_glossary_names_and_pointers(latest: Rulebook) -> None:
    by_name = {name: term for term in latest.terms for name in term.names}
    assert by_name["Kicker"].names == ("Kicker", "Kicked")
    assert by_name["Partner"].names == ("Partner", "Partner—[text]", "Partner with [name]")
    assert "Active Player, Nonactive Player Order" in by_name
    assert by_name["Layer"].see == ("Dependency", "Timestamp Order")  # a list
    assert by_name["One-Shot Effect"].see == ("Continuous Effect",)  # a plural
    assert by_name["Forestcycling"].see == ("Typecycling",)
    # 48 entries point to entries; 2 more (Casualty, Earthbend) to a rule, without the word
    assert sum(bool(term.see) for term in latest.terms) == 48
    assert by_name["Casualty"].references[-1] == "702.153"
    assert by_name["Earthbend"].references[-1] == "701.66"
    assert all(name in by_name for term in latest.terms for name in term.see)


def test_vocabulary(latest: Rulebook) -> None:
    words = latest.vocabulary
    assert {kind: len(names) for kind, names in words.subtypes.items()} == {
        "artifact": 19,
        "enchantment": 12,
        "land": 17,
        "planeswalker": 79,
        "spell": 5,
        "creature": 315,
        "planar": 82,
        "dungeon": 1,
        "battle": 1,
    }
    assert words.subtypes["creature"][0] == "Time Lord"
    assert len(words.tokens) == 19
    assert (words.tokens["Treasure"], words.tokens["Lander"]) == ("111.10a", "111.10u")
    assert {kind for kind, rule in words.counters.items() if rule == "122.1a"} == {"+1/+1", "-1/-1"}
    assert sum(rule == "122.1b" for rule in words.counters.values()) == 15
    lettered = ("shield", "stun", "loyalty", "poison", "defense", "finality", "rad")
    assert [words.counters[kind] for kind in lettered] == [f"122.1{letter}" for letter in "cdefghi"]
    assert words.counters["energy"] == "107.14"


@pytest.mark.parametrize(
    ("name", "rule", "of"),
    [
        ("Typecycling", "702.29e", "Cycling"),
        ("Basic Landcycling", "702.29e", "Typecycling"),
        ("Islandwalk", "702.14", "Landwalk"),
        ("Hexproof from", "702.11d", "Hexproof"),
        ("Protection from everything", "702.16j", "Protection"),
        ("Trample over planeswalkers", "702.19c", "Trample"),
        ("Bands with other", "702.22b", "Banding"),
        ("Multikicker", "702.33c", "Kicker"),
        ("Sticker kicker", "702.33h", "Kicker"),
        ("Megamorph", "702.37b", "Morph"),
        ("Commander ninjutsu", "702.49d", "Ninjutsu"),
        ("Double agenda", "702.106f", "Hidden Agenda"),
        ("Emerge from", "702.119b", "Emerge"),
        ("Partner—Survivors", "702.124i", "Partner"),
        ("Partner with", "702.124j", "Partner"),
        ("Choose a Background", "702.124k", "Partner"),
        ("Doctor’s companion", "702.124m", "Partner"),
        ("Nightbound", "702.145e", "Daybound and Nightbound"),
        ("Venture into", "701.49d", "Venture into the Dungeon"),
        ("Untap", "701.26b", "Tap and Untap"),
    ],
)
def test_variants(latest: Rulebook, name: str, rule: str, of: str) -> None:
    found = next(k for k in latest.vocabulary.keywords if k.name == name)
    assert (found.rule, found.variant_of) == (rule, of)


@pytest.mark.parametrize(
    ("nature", "names"),
    [
        ("static", ["Flying", "Landwalk", "Changeling", "Devoid", "Partner", "Living Metal", "Max Speed"]),
        ("triggered", ["Ward", "Storm", "Cascade", "For Mirrodin!", "Champion", "Visit"]),
        ("activated", ["Equip", "Cycling", "Boast", "Forecast", "Craft", "Exhaust", "Crew", "Typecycling"]),
        ("static triggered", ["Suspend", "Fading", "Vanishing", "Evoke", "Ravenous", "Offspring", "Gift"]),
        ("static spell", ["Cipher", "Awaken", "Ascend"]),
        ("spell", ["Epic"]),
        ("static triggered activated", ["Solved"]),
        ("", ["Companion", "Foretell", "Space Sculptor"]),
    ],
)
def test_natures(latest: Rulebook, nature: str, names: list[str]) -> None:
    natures = {k.name: k.nature for k in latest.vocabulary.keywords}
    assert {name: " ".join(natures[name]) for name in names} == dict.fromkeys(names, nature)


def test_natures_are_known_but_for_three(latest: Rulebook) -> None:
    abilities = [k for k in latest.vocabulary.keywords if not k.action]
    assert sum(not k.nature for k in abilities) == 3


def test_cut_release_says_what_is_missing(real_data: Path) -> None:
    book = _read(real_data / "rules" / "2013-02-01.txt")
    (warning,) = book.warnings
    assert "breaks off in the glossary" in warning
    assert "no credits" in warning


def test_encodings(real_data: Path) -> None:
    expected = {"2016-07-22": "Dandân", "2019-01-25": "Dandân", "2022-11-18": "Dandân"}
    for name, word in expected.items():
        book = _read(real_data / "rules" / f"{name}.txt")
        assert any(word in (rule.text or "") for rule in book.rules.values()), name


def test_number_that_stands_twice(real_data: Path) -> None:
    book = _read(real_data / "rules" / "2009-09-04.txt")
    assert [n for n in book.rules if n.startswith("702.30")][-2:] == ["702.30d", "702.30e"]
    assert "702.30d stands twice: the second is read as 702.30e" in book.warnings
