"""A folder of catalogue entries of one's own: what it adds, replaces and switches off, and its faults."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from cardlaw.graph import chunks, link
from cardlaw.graph.build import build
from cardlaw.graph.errors import CatalogueError
from cardlaw.graph.linking import Linker, load_catalogue, own_catalogue
from cardlaw.graph.model import Face
from cardlaw.graph.read import notes
from cardlaw.graph.sources import outline
from cardlaw.graph.store import Store, open_store

CARDS = Path(__file__).parent / "fixtures" / "cards.json"

ADDED = """
[[entry]]
id = "term.attic"
relation = "defined_term"
anchor = "Library"
literal = "attic"
pattern = '\\battics?\\b'
note = "an attic is a library here"
"""
REPLACED = """
[[entry]]
id = "term.draw"
relation = "effect"
anchor = "Drawing a Card"
literal = "pluck"
pattern = '\\bplucks?\\b'
"""
DISABLED = """
[[entry]]
id = "term.draw"
disabled = true
note = "everybody knows"
"""

Make = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Make:
    """A folder of files with these texts: a.toml, b.toml …"""

    def made(*texts: str) -> Path:
        for name, text in zip("abc", texts, strict=False):
            (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        return tmp_path

    return made


def cited(text: str, catalogue: Path | None) -> set[tuple[str, str, str, str]]:
    """(rule, relation, words, entry) of each citation of an invented instant."""
    face = link(Face(name="Harrow Wren", type_line="Instant", oracle_text=text), catalogue=catalogue)
    return {(c.rule, c.relation, c.quote, c.entry) for a in face.abilities for c in a.citations}


def test_an_entry_is_added_and_all_others_stay(folder: Make) -> None:
    text = "Draw a card, then exile target creature. Search the attic."
    assert cited(text, folder(ADDED)) == cited(text, None) | {
        ("401", "defined_term", "attic", "term.attic"),
    }


def test_an_entry_takes_the_place_of_the_shipped_one_as_a_whole(folder: Make) -> None:
    assert ("121", "defined_term", "Draw", "term.draw") in cited("Draw a card.", None)
    own = folder(REPLACED)
    assert not [c for c in cited("Draw a card.", own) if c[0] == "121"]
    assert ("121", "effect", "plucks", "term.draw") in cited("Target player plucks a card.", own)


def test_an_entry_is_switched_off(folder: Make) -> None:
    own = own_catalogue(folder(DISABLED))
    assert len(own.entries) == len(load_catalogue())
    text = "Draw a card, then exile target creature."
    left = {c for c in cited(text, None) if c[3] != "term.draw"}
    assert cited(text, folder(DISABLED)) == left != cited(text, None)
    (entry,) = [e for e in Linker(outline.load(), own.entries).entries if e.id == "term.draw"]
    assert (entry.rule, entry.relation, entry.note) == ("121", "defined_term", "everybody knows")


def test_words_for_a_keyword_action_are_added_to_those_that_it_has(folder: Make) -> None:
    own = ADDED.replace("term.attic", "action.peer").replace("defined_term", "keyword_action")
    own = own.replace('"Library"', '"Keyword Actions/Scry"').replace("attic", "peer")
    found = cited("Scry 2. Peer 2.", folder(own))
    assert ("701.22", "keyword_action", "Scry", "action.scry") in found
    found = cited("Peer 2.", folder(own))
    assert ("701.22", "keyword_action", "Peer", "action.peer") in found


@pytest.mark.parametrize(
    ("ident", "text"),
    [("action.scry", "Scry 2."), ("counter.stun", "Put a stun counter on target creature.")],
)
def test_an_entry_made_from_the_rulebook_can_be_replaced_too(folder: Make, ident: str, text: str) -> None:
    assert ident in {c[3] for c in cited(text, None)}
    own = folder(ADDED.replace("term.attic", ident))
    assert ident not in {c[3] for c in cited(text, own)}
    assert ("401", "defined_term", "attic", ident) in cited(f"{text} Search your attic.", own)


def test_a_written_form_of_a_keyword(folder: Make) -> None:
    own = """
[[entry]]
id = "keyword.flying.aloft"
relation = "keyword"
keyword = "Flying"
anchor = "Keyword Abilities/Flying"
literal = "aloft"
pattern = '\\baloft\\b'
"""
    found = cited("Destroy target creature that is aloft.", folder(own))
    assert ("702.9", "mentions_keyword", "aloft", "keyword.flying.aloft") in found


def test_a_missing_anchor_is_told_with_its_entry(folder: Make) -> None:
    lost = ADDED.replace('"Library"', '["Attics", "Library/401.1: own, deck"]')
    own = own_catalogue(folder(lost))
    linker = Linker(outline.load(), own.entries)
    assert [fallback.anchor for fallback in linker.fallbacks] == ["Attics", "Library/401.1: own, deck"]
    assert {own.of_anchor(fallback.anchor) for fallback in linker.fallbacks} == {"a.toml, entry term.attic"}
    assert own.of_anchor("Drawing a Card") is None  # one of the shipped


def test_the_entries_survive_the_way_to_another_process(folder: Make) -> None:
    own = own_catalogue(folder(ADDED, DISABLED))
    assert pickle.loads(pickle.dumps(own.entries)) == own.entries


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[[entry]]", "[[entry", "is not TOML"),
        ("[[entry]]", "entry = 1\n[[other]]", "is not TOML|only"),
        ("literal", "litteral", "entry term.attic: unknown field litteral"),
        ('anchor = "Library"', "", "entry term.attic: anchor is missing"),
        ('"Library"', "[]", "entry term.attic: anchor is missing"),
        ("battics?", "b(attic", "entry term.attic: the pattern does not compile"),
        ("battics?", "b[[a]ttic", "entry term.attic: the pattern does not compile"),
        ('"defined_term"', '"term"', "unknown relation 'term', it can be has_keyword"),
        ('"defined_term"', '"ability_kind"', "kind is missing"),
        ('"defined_term"', '"keyword"\nkeyword = "Flying"', "begins with “keyword.”"),
        ("term.attic", "keyword.attic", "begins with “keyword.”"),
        ("term.attic", "Term Attic", "an id is of small letters"),
        ("term.attic", "correction.attic", "those of corrections"),
        ('note = "', 'disabled = true\nnote = "', "entry term.attic: an entry is switched off by id"),
    ],
)
def test_a_fault_is_told_in_one_line_with_file_and_entry(folder: Make, old: str, new: str, said: str) -> None:
    assert old in ADDED
    with pytest.raises(CatalogueError, match=rf"^a\.toml.*(?:{said})") as error:
        own_catalogue(folder(ADDED.replace(old, new)))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DISABLED.replace("true", "false"), "disabled = true"),
        (DISABLED.replace("term.draw", "term.drow"), r"did you mean term\.draw\?"),
        (DISABLED.replace('"everybody knows"', "3"), "note must be text"),
        (DISABLED.replace('id = "term.draw"', ""), "no entry that ships"),
        (ADDED + ADDED, "a.toml has it already"),
    ],
)
def test_what_cannot_be_done_to_an_entry_is_told(folder: Make, text: str, said: str) -> None:
    with pytest.raises(CatalogueError, match=said):
        own_catalogue(folder(text))


def test_the_same_id_in_two_files_is_told(folder: Make) -> None:
    with pytest.raises(CatalogueError, match=r"^b\.toml, entry term\.attic: a\.toml has it already"):
        own_catalogue(folder(ADDED, ADDED))


def test_a_folder_without_entries_is_told(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="does not exist: give a folder"):
        own_catalogue(tmp_path / "none")
    file = tmp_path / "notes.txt"
    file.write_text(ADDED)
    with pytest.raises(CatalogueError, match="is not a folder: give a folder"):
        own_catalogue(file)
    with pytest.raises(CatalogueError, match=r"holds no \*\.toml file"):
        own_catalogue(tmp_path)
    (tmp_path / "a.toml").write_text("")
    with pytest.raises(CatalogueError, match=r"holds no \[\[entry\]\]"):
        own_catalogue(tmp_path)
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CatalogueError, match=r"a\.toml is no UTF-8 text"):
        own_catalogue(tmp_path)


# -- in the graph ------------------------------------------------------------------------------------


def asked(store: Store, names: str, pattern: str) -> list[tuple[str, ...]]:
    """The values of some variables, nodes by their local names."""
    rows = store.query(f"SELECT {names} WHERE {{ {pattern} }}")
    return sorted(tuple(value.value.rpartition("/")[2] for value in row) for row in rows)  # type: ignore[union-attr]


def test_the_graph_says_where_an_entry_comes_from(
    folder: Make, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    scry = (
        ADDED.replace("attic", "scry")
        .replace("an scry", "a scry")
        .replace('"Library"', '["Library", "Attics"]')
    )
    own = folder(scry, REPLACED, DISABLED.replace("term.draw", "zone.library"))
    stores = [tmp_path_factory.mktemp("own") for _ in range(2)]
    monkeypatch.setattr(chunks, "CHUNK", 3)
    for workers, store in enumerate(stores, 1):
        summary = build(cards=[CARDS], catalogue=own, store=store, workers=workers)
    assert [(s.role, s.name) for s in summary.sources][:4] == [
        ("cards", "cards.json"),
        ("catalogue", "a.toml"),
        ("catalogue", "b.toml"),
        ("catalogue", "c.toml"),
    ]
    assert summary.counts["own entries"] == 3
    assert summary.unresolved == ("Attics: no section is headed “Attics” (a.toml, entry term.scry)",)
    with open_store(stores[0]) as one, open_store(stores[1]) as two:
        assert b"".join(one.dump()) == b"".join(two.dump())
        derived = "?entry a mtg:CatalogueEntry ; prov:wasDerivedFrom/rdfs:label ?file"
        assert asked(two, "?entry ?file", derived) == [
            ("term.draw", "b.toml"),
            ("term.scry", "a.toml"),
            ("zone.library", "c.toml"),
        ]
        assert asked(two, "?e", "?e mtg:replacesShipped true") == [("term.draw",), ("zone.library",)]
        assert asked(two, "?e", "?e mtg:disabled true ; mtg:resolvesTo rule:401") == [("zone.library",)]
        assert asked(two, "?citation", "?citation mtg:entry entry:term.scry")
        assert not asked(two, "?citation", "?citation mtg:entry entry:zone.library")
        assert notes(two)["term.scry"] == "a scry is a library here"
