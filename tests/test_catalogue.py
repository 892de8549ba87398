"""The catalogue as data: every entry proves itself by its example, every anchor is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardlaw.graph.errors import CatalogueError
from cardlaw.graph.linking import Entry, Linker, load_catalogue
from cardlaw.graph.linking.anchors import resolve
from cardlaw.graph.linking.catalogue import read_catalogue
from cardlaw.graph.linking.linker import anchors_of
from cardlaw.graph.model import Citation, Face, Rulebook
from cardlaw.graph.sources import outline

ENTRIES = load_catalogue()

# What an example stands on, where its words do not tell.
TYPE_LINES = {
    "kind.chapter": "Enchantment — Saga",
    "event.delayed-chapter": "Enchantment — Saga",
    "kind.class-level": "Enchantment — Class",
    "kind.case": "Enchantment — Case",
    "kind.station": "Artifact — Spacecraft",
    "kind.loyalty": "Legendary Planeswalker — Baker",
    "cost.loyalty": "Legendary Planeswalker — Baker",
}


# Entries whose pattern and example do not agree yet.
@pytest.fixture(scope="module")
def rulebook() -> Rulebook:
    return outline.load()


@pytest.fixture(scope="module")
def linker(rulebook: Rulebook) -> Linker:
    return Linker(rulebook)


def face_of(entry: Entry, text: str) -> Face:
    """An invented face that carries an entry's example in the field that the entry reads."""
    if entry.field == "type_line":
        return Face(name="Zyx Warden", type_line=text)
    if entry.field == "mana_cost":
        return Face(name="Zyx Warden", type_line="Creature — Golem", mana_cost=text)
    spell = "spell" in entry.kinds and "static" not in entry.kinds and "this creature" not in text.lower()
    type_line = "Instant" if entry.frame == "spell" or spell else "Creature — Golem"
    return Face(name="Zyx Warden", type_line=TYPE_LINES.get(entry.id, type_line), oracle_text=text)


def citations(face: Face) -> list[Citation]:
    return [*face.citations, *(c for ability in face.abilities for c in ability.citations)]


@pytest.mark.parametrize(
    "entry",
    [pytest.param(entry, id=entry.id) for entry in ENTRIES],
)
def test_the_example_of_an_entry_is_cited_by_it(linker: Linker, entry: Entry) -> None:
    before, opening, rest = entry.example.partition("⟦")
    evidence, closing, after = rest.partition("⟧")
    assert all((opening, closing, evidence)), f"{entry.id} has no example with its evidence between ⟦ and ⟧"
    assert not re.search("[⟦⟧]", after)
    face = linker.link(face_of(entry, before + evidence + after), *entry.layouts[:1])
    own = {(c.field, c.start, c.quote) for c in citations(face) if c.entry == entry.id}
    assert own == {(entry.field, len(before), evidence)}


def test_ids_are_unique_and_say_their_family() -> None:
    ids = [entry.id for entry in ENTRIES]
    assert len(ids) == len(set(ids))
    assert [i for i in ids if not re.fullmatch(r"[a-z]+(?:\.[a-z0-9-]+)+", i)] == []


def test_every_keyword_form_names_its_keyword() -> None:
    assert [e.id for e in ENTRIES if (e.relation == "keyword") != (e.keyword is not None)] == []


def test_literals_stand_in_their_own_example() -> None:
    wrong = [
        e.id
        for e in ENTRIES
        if e.literals and not any(s in re.sub("[⟦⟧]", "", e.example).lower() for s in e.literals)
    ]
    assert wrong == []


def test_every_anchor_resolves_in_the_shipped_outline(rulebook: Rulebook) -> None:
    anchors = anchors_of(ENTRIES)
    resolution = resolve(rulebook, anchors)
    assert resolution.fallbacks == ()
    assert [anchor for anchor in anchors if resolution.numbers[anchor] not in rulebook.rules] == []


def test_the_shipped_outline_carries_the_anchors_of_the_catalogue_and_no_others(rulebook: Rulebook) -> None:
    assert set(rulebook.anchors) == set(anchors_of(ENTRIES))


def test_an_anchor_with_a_number_resolves_to_that_number(rulebook: Rulebook) -> None:
    wrong = {}
    for anchor in anchors_of(ENTRIES):
        number = re.search(r"/(\d{3}\.\d+[a-z]*):", anchor)
        if number and rulebook.anchors.get(anchor) != number[1]:
            wrong[anchor] = rulebook.anchors.get(anchor)
    assert wrong == {}


def test_what_can_be_cited_is_listed_once_with_its_rule(linker: Linker, rulebook: Rulebook) -> None:
    ids = [entry.id for entry in linker.entries]
    assert len(ids) == len(set(ids))
    assert {entry.id for entry in ENTRIES} <= set(ids)
    assert [entry.id for entry in linker.entries if entry.rule not in rulebook.rules] == []


# -- faults ----------------------------------------------------------------------------------------

GOOD = """
[[entry]]
id = "zone.attic"
relation = "zone"
anchor = "Library"
literal = "attic"
pattern = '\\battic\\b'
"""


def test_a_good_entry_is_read() -> None:
    (entry,) = read_catalogue(GOOD, name="attic.toml")
    assert entry.id == "zone.attic"
    assert entry.anchors == ("Library",)
    assert entry.literals == ("attic",)
    assert entry.field == "oracle_text"
    assert entry.pattern.search("the attic")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('literal = "attic"', 'color = "red"', "unknown field color"),
        ("\\battic\\b", "attic(", "does not compile"),
        ('anchor = "Library"\n', "", "anchor is missing"),
        ('relation = "zone"\n', "", "relation is missing"),
        ("pattern = '\\battic\\b'\n", "", "pattern is missing"),
        ('id = "zone.attic"\n', "", "id is missing"),
        ('"zone"', '"zones"', "unknown relation 'zones'"),
        ("[[entry]]", "[[entry", "is not TOML"),
    ],
)
def test_a_fault_is_told_with_the_file(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(CatalogueError, match=r"attic\.toml") as error:
        read_catalogue(GOOD.replace(old, new), name="attic.toml")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pattern = '\\battic\\b'", "pattern = 3"),
        ('anchor = "Library"', "anchor = 401"),
        ('literal = "attic"', 'field = "flavor_text"'),
        ('literal = "attic"', 'kind = "activeted"'),
        ('literal = "attic"', 'part = "costs"'),
        ('literal = "attic"', 'frame = "instant"'),
        ('relation = "zone"', 'relation = "keyword"'),
        ("[[entry]]", "[entry]"),
        ("[[entry]]", "[[entries]]"),
    ],
)
def test_a_value_that_means_nothing_is_told(old: str, new: str) -> None:
    assert old in GOOD
    with pytest.raises(CatalogueError, match=r"attic\.toml"):
        read_catalogue(GOOD.replace(old, new), name="attic.toml")


def test_two_entries_with_one_id_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"zone\.attic"):
        load_catalogue(tmp_path)


def test_entries_come_by_file_name_and_only_from_toml(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.toml").write_text(GOOD.replace("zone.attic", f"zone.{name}"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("[[entry", encoding="utf-8")
    assert [entry.id for entry in load_catalogue(tmp_path)] == ["zone.a", "zone.b"]
