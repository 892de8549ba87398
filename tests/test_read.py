"""Records that come back from the graph as they went in, and names that find them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from handmade import BOOK, CARDS, opened, write_store
from msgspec.structs import replace

from cardlaw.graph import read
from cardlaw.graph.errors import QueryError
from cardlaw.graph.model import Card, Relation
from cardlaw.graph.names import find, one
from cardlaw.graph.store import Store, open_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("store")) as store:
        yield store


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.slug)
def test_a_card_comes_back_as_it_went_in(store: Store, card: Card) -> None:
    assert read.card(store, card.name) == card


def test_all_cards_come_in_the_order_of_their_iris(store: Store) -> None:
    assert list(read.cards(store)) == list(CARDS)


def test_colors_that_no_card_states_are_unknown(tmp_path: Path) -> None:
    with open_store(write_store(tmp_path, CARDS[-1:])) as store:
        assert read.card(store, "Plain Ox") == CARDS[-1]
        assert read.card(store, "Plain Ox").color_identity is None


def test_many_citations_keep_their_order(tmp_path: Path) -> None:
    (face,) = CARDS[0].faces
    (ability,) = face.abilities
    (first, *_) = ability.citations
    relations = get_args(Relation)
    many = tuple(replace(first, start=at, end=at + 1, relation=relations[at]) for at in range(12))
    abilities = tuple(replace(ability, id=f"1.{at}", citations=many) for at in range(1, 12))
    card = replace(CARDS[0], faces=(replace(face, abilities=abilities),))
    with open_store(write_store(tmp_path, [card])) as store:
        assert read.card(store, "Far Meadow") == card


def test_a_rule_with_all_that_is_tied_to_it(store: Store) -> None:
    rule = read.rule(store, "702.29")
    assert (rule.number, rule.title, rule.parent) == ("702.29", "Cycling", "702")
    assert rule.children == ("702.29a", "702.29e")
    assert (rule.references, rule.referenced_by) == ((), ("602",))
    assert rule.keywords == ("Cycling",)
    assert (rule.card_count, rule.card_count_with_subrules, rule.cards) == (0, 1, ())
    under = read.rule(store, "rule:702.29e")
    assert (under.title, under.heading, under.cards, under.card_count) == (
        None,
        "Cycling",
        ("Marsh Courier",),
        1,
    )
    assert under.keywords == ("Marshcycling", "Typecycling")
    assert read.rule(store, "605.1a").examples == ("A lamp.",)
    assert read.rule(store, "605.1a").text == "Mana comes."
    assert read.rule(store, "702").children == ("702.9", "702.15", "702.29")
    assert read.rule(store, "7").parent is None


def test_counts_are_of_cards_and_leave_reminder_text_out(store: Store) -> None:
    assert read.rule(store, "701.13").cards == ("Lamp Ward // Sky Ward", "Marsh Courier")
    assert read.rule(store, "605.1a").card_count == 3
    assert read.rule(store, "6").card_count_with_subrules == 4


def test_a_keyword_with_the_cards_that_have_to_do_with_it(store: Store) -> None:
    flying = read.keyword(store, "flying")
    assert (flying.name, flying.rule, flying.nature, flying.action) == ("Flying", "702.9", ("static",), False)
    assert flying.cards == {
        "has_keyword": ("Glass Môth", "Lantern Heron"),
        "grants_keyword": ("Lamp Ward // Sky Ward",),
        "loses_keyword": (),
        "mentions_keyword": (),
    }
    assert flying.card_count == 2
    variant = read.keyword(store, "Typecycling")
    assert (variant.variant_of, variant.variants) == ("Cycling", ("Marshcycling",))
    exile = read.keyword(store, "exile")
    assert (exile.action, exile.card_count) == (True, 2)
    assert exile.cards == {"keyword_action": ("Lamp Ward // Sky Ward", "Marsh Courier")}


def test_a_glossary_term(store: Store) -> None:
    term = read.term(store, "kindled")
    assert (term.names, term.senses, term.see, term.obsolete) == (
        ("Kindle", "Kindled"),
        ("To light.", "A lamp."),
        ("Cycling",),
        True,
    )
    assert read.term(store, "term:cycling").references == ("702.29",)


@pytest.mark.parametrize(
    ("typed", "curies"),
    [
        ("Glass Môth", ["card/glass-moth"]),
        ("glass moth", ["card/glass-moth"]),
        ("GLASS-MOTH!", ["card/glass-moth"]),
        ("Lamp Ward // Sky Ward", ["card/lamp-ward-sky-ward"]),
        ("lamp ward sky ward", ["card/lamp-ward-sky-ward"]),
        ("Sky Ward", ["face/lamp-ward-sky-ward.2"]),
        ("sKY-wARD", ["face/lamp-ward-sky-ward.2"]),
        ("702.29E", ["rule/702.29e"]),
        (" rule 702.29. ", ["rule/702.29"]),
        ("CR 614", ["rule/614"]),
        ("Cycling", ["keyword/cycling", "rule/702.29", "term/cycling"]),
        ("Replacement Effects", ["rule/614"]),
        ("replacement effects", ["rule/614"]),
        ("Kindled", ["term/kindle"]),
        ("heron", ["type/heron"]),
        ("keyword:cycling", ["keyword/cycling"]),
        ("<https://w3id.org/cardlaw/rule/614>", ["rule/614"]),
        ("ability:marsh-courier.1.2", ["ability/marsh-courier.1.2"]),
        ("rule:999", []),
        ("card:<>", []),
        ("999.9", []),
        ("", []),
        ("//", []),
        ("mtg:Card", []),
    ],
)
def test_what_a_name_means(store: Store, typed: str, curies: list[str]) -> None:
    found = find(store, typed)
    assert [match.iri for match in found.matches] == [f"https://w3id.org/cardlaw/{curie}" for curie in curies]


def test_near_misses_are_told(store: Store) -> None:
    assert [match.label for match in find(store, "Lantern Hero").near] == ["Lantern Heron"]
    assert not find(store, "qqq").near
    with pytest.raises(QueryError, match="no card “Plain Oxx”; did you mean “Plain Ox”"):
        read.card(store, "Plain Oxx")
    with pytest.raises(QueryError, match=r"no rule “702\.30” in the rules of 2031-02-03"):
        read.rule(store, "702.30")
    with pytest.raises(QueryError, match="no keyword “Plain Ox”"):
        read.keyword(store, "Plain Ox")
    with pytest.raises(QueryError, match="no valid text"):
        find(store, "\ud800")


def test_a_faces_name_means_its_card(store: Store) -> None:
    assert one(store, "Sky Ward", "card") == "https://w3id.org/cardlaw/card/lamp-ward-sky-ward"
    assert read.card(store, "face:lamp-ward-sky-ward.2").name == "Lamp Ward // Sky Ward"


def test_cards_of_one_name_are_all_found(tmp_path: Path) -> None:
    twin = replace(CARDS[-1], slug="plain-ox.b")
    with open_store(write_store(tmp_path, [CARDS[-1], twin])) as store:
        assert [match.iri.rpartition("/")[2] for match in find(store, "Plain Ox").matches] == [
            "plain-ox",
            "plain-ox.b",
        ]


def test_notes_are_those_of_the_catalogue(store: Store) -> None:
    assert read.notes(store) == {}
    assert BOOK.warnings
