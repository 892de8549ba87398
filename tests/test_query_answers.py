"""Right answers of the named queries about costs, triggers, effects and the like, on cards linked by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from handmade_effects import write_more
from pyoxigraph import NamedNode

from cardlaw.graph.names import ask
from cardlaw.graph.queries import load_query, named_queries
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import compact

ANSWERS: list[tuple[str, dict[str, str], str, list[Any]]] = [
    # name, parameters, columns, rows; of one column, its values
    ("cards-by-two-rules", {"rule": "Sacrifice", "other": "121"}, "name", ["Ash Clerk"]),
    ("cards-by-two-rules", {"rule": "603", "other": "Sacrifice"}, "name", ["Ash Clerk"]),
    (
        "cards-by-two-rules",
        {"rule": "Flying", "other": "Lifelink"},
        "name",
        ["Ivory Lark", "Lamp Ward // Sky Ward"],
    ),
    (
        "abilities-by-two-rules",
        {"rule": "701", "other": "121"},
        "name text",
        [
            ("Ash Clerk", "{T}, Sacrifice a lamp: Draw a card."),
            ("Bright Reader", "If you would draw a card, instead exile a lamp."),
        ],
    ),
    ("abilities-by-two-rules", {"rule": "603", "other": "121"}, "name", []),
    ("competing-replacements", {}, "name quote", [("Bright Reader", "instead")]),
    (
        "interactions-of",
        {"card": "Bright Reader"},
        "rule quote name otherQuote",
        [("rule:614.1a", "instead", "Lamp Ward // Sky Ward", "instead")],
    ),
    ("interactions-of", {"card": "Ash Clerk"}, "name", []),
    ("competing-replacements", {"event": "Exile"}, "name", ["Bright Reader", "Lamp Ward // Sky Ward"]),
    (
        "triggers-on-event",
        {"event": "603.6a"},
        "name quote",
        [("Ash Clerk", "enters"), ("Marsh Courier", "enters")],
    ),
    ("keywords-until-end-of-turn", {}, "name", ["Cold Oath"]),
    ("keywords-until-end-of-turn", {"keyword": "Lifelink"}, "name", []),
    ("intervening-ifs", {}, "name condition", [("Ash Clerk", "if it is dusk")]),
    (
        "stack-by-card",
        {"card": "Ash Clerk"},
        "kind stack",
        [("activated", "yes"), ("triggered", "yes")],
    ),
    (
        "stack-by-card",
        {"card": "Marsh Courier"},
        "kind stack",
        [("keyword", "keyword: activated"), ("triggered", "yes")],
    ),
    ("stack-by-card", {"card": "Far Meadow"}, "kind stack", [("activated/mana", "no")]),
    (
        "stack-by-card",
        {"card": "Cold Oath"},
        "kind stack",
        [("static", "no"), ("spell", "as part of its spell")],
    ),
    (
        "delayed-triggers",
        {},
        "name which quote",
        [("Fog Heron", "delayed", "At the beginning of the next dusk")],
    ),
    ("delayed-triggers", {"wanted": "reflexive"}, "name", []),
    ("loyalty-abilities", {}, "name cost", [("Dim Walker", "+1"), ("Dim Walker", "-7")]),
    ("loyalty-abilities", {"least": "7"}, "cost", ["-7"]),
    ("loyalty-abilities", {"least": "8"}, "cost", []),
    ("activated-by-cost", {}, "name cost", [("Ash Clerk", "{T}, Sacrifice a lamp")]),
    ("activated-by-cost", {"paid": "107.5"}, "name cost", [("Ash Clerk", "{T}, Sacrifice a lamp")]),
    ("activated-by-cost", {"paid": "121"}, "name", []),  # in the effect
    (
        "additional-and-alternative-costs",
        {},
        "name which quote",
        [("Cold Oath", "additional", "additional cost")],
    ),
    ("additional-and-alternative-costs", {"wanted": "alternative"}, "name", []),
    ("cards-by-zone", {}, "name quote", [("Fog Heron", "graveyard")]),
    ("cards-that-miss-a-keyword", {}, "name text", [("Fog Heron", "Creatures without flying get +1/+1.")]),
    ("predefined-tokens", {}, "name quote number", [("Fog Heron", "Treasure", "111.10a")]),
    ("predefined-tokens", {"token": "food"}, "name", []),
    ("cards-by-counter", {}, "name quote", [("Fog Heron", "stun counter")]),
    ("cards-by-counter", {"kind": "un"}, "name", []),
    ("rules-without-cards", {"under": "702"}, "number", ["702.29a"]),
    ("rules-without-cards", {"under": "118"}, "number heading", [("118.9", "Costs")]),
    ("rules-without-cards", {"under": "6"}, "number", ["601", "602", "603.12", "606"]),
    (
        "rules-of-section",
        {},
        "number heading cards with_subrules",
        [
            ("614", "Replacement Effects", "0", "2"),
            ("614.1", None, "0", "2"),
            ("614.1a", None, "2", "2"),
            ("614.1c", None, "1", "1"),
        ],
    ),
    (
        "glossary",
        {},
        "name number heading obsolete",
        [("Cycling", "702.29", "Cycling", "false")],
    ),
    ("glossary", {"begins": "kindled"}, "name number obsolete", [("Kindle", None, "true")]),
    (
        "keywords-by-nature",
        {"wanted": "static"},
        "name nature number cards",
        [("Flying", "static", "702.9", "4"), ("Lifelink", "static", "702.15", "1")],
    ),
    (
        "keyword-variants",
        {},
        "name variant_of number cards",
        [
            ("Marshcycling", "Typecycling", "702.29e", "2"),
            ("Cycling", None, "702.29", "0"),
            ("Typecycling", "Cycling", "702.29e", "0"),
        ],
    ),
    ("layers-by-card", {"card": "Cold Oath"}, "number quote", [("613.1f", "gains")]),
    ("layers-by-card", {"card": "Fog Heron"}, "number quote", [("613.4c", "+1/+1")]),
    ("commander-cards", {}, "name which", [("Dim Walker", "monarch")]),
    ("commander-cards", {"wanted": "commander"}, "name", []),
    ("rules-on-both-faces", {}, "name faces", [("Echo Pond // Echo Sky", "2")]),
    ("rules-on-both-faces", {"rule": "Creatures"}, "name faces", [("Echo Pond // Echo Sky", "2")]),
    (
        "evidence-by-card",
        {"card": "Hill Rider"},
        "number relation quote reminder entry",
        [
            ("302", "card_type", "Creature", "false", "entry:card_type.302"),
            ("702.29e", "has_keyword", "Marshcycling", "false", "entry:has_keyword.702.29e"),
            ("701.13", "keyword_action", "Exile", "true", "entry:keyword_action.701.13"),
        ],
    ),
    ("evidence-by-card", {"card": "Ash Clerk", "about": "603"}, "number", ["603", "603.6a", "603.4"]),
    ("evidence-by-card", {"card": "Hill Rider", "about": "702.2"}, "number", []),
    ("evidence-by-card", {"card": "Hill Rider", "about": "7"}, "number", ["702.29e", "701.13"]),
    ("keyword-pairs", {}, "first second cards", [("Flying", "Lifelink", "1")]),
    ("similar-cards", {"card": "Hill Rider", "limit": "1"}, "other shared", [("card:marsh-courier", "2")]),
    ("reminder-only", {}, "name", ["Hill Rider"]),  # Marsh Courier exiles by its words too
    (
        "granted-abilities",
        {},
        "name kind text granted_by",
        [("Lamp Ward // Sky Ward", "activated/mana", "{T}: Add {G}.", "Lanterns have “{T}: Add {G}.”")],
    ),
    ("granted-abilities", {"wanted": "triggered"}, "name", []),
    ("granted-abilities", {"wanted": "activated"}, "name", ["Lamp Ward // Sky Ward"]),
    (
        "rulings-by-rule",
        {"rule": "Counters"},
        "name number date text",
        [("Fog Heron", "122.1d", "2031-01-02", "See rule 122.1d.")],
    ),
    ("rulings-by-rule", {"rule": "702"}, "name", []),
    ("keyword-in-colors", {"keyword": "Flying"}, "name", ["Echo Pond // Echo Sky", "Glass Môth"]),
    ("keyword-in-colors", {"keyword": "Flying", "colors": "gu"}, "name", ["Glass Môth"]),
    ("keyword-in-colors", {"keyword": "Flying", "colors": "C"}, "name", []),
    (
        "plainest-cards-by-rule",
        {"rule": "Flying", "limit": "3"},
        "name rules",
        [("Echo Pond // Echo Sky", "2"), ("Lantern Heron", "2"), ("Glass Môth", "3")],
    ),
    (
        "uncited-abilities",
        {},
        "name text",
        [
            ("Far Meadow", "{T}: Add {G}."),
            ("Glass Môth", "{T}: Add {G}."),
            ("Gray Bell", "Bells ring."),
            ("Lamp Ward // Sky Ward", "Lanterns have “{T}: Add {G}.”"),
            ("Lamp Ward // Sky Ward", "{T}: Add {G}."),
        ],
    ),
    (
        "idle-entries",
        {},
        "entry number",
        [
            ("entry:cost.additional", "118.8"),
            ("entry:cost.alternative", "118.9"),
            ("entry:term.counter", "122.1"),
            ("entry:token.treasure", "111.10a"),
            ("entry:effect.duration", "611.2"),
            ("entry:effect.instead", "614.1a"),
            ("entry:event.delayed", "603.7"),
            ("entry:event.intervening-if", "603.4"),
            ("entry:event.reflexive", "603.12"),
        ],
    ),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(write_more(tmp_path_factory.mktemp("more"))) as store:
        yield store


def answer(store: Store, name: str, values: dict[str, str], columns: str) -> list[Any]:
    """The rows of a named query; IRIs as prefixed names, the rest as texts; of one column, its values."""
    found = [
        tuple(
            None if term is None else compact(term.value) if isinstance(term, NamedNode) else term.value
            for term in (row[column] for column in columns.split())  # type: ignore[index]
        )
        for row in ask(store, load_query(name), values)  # type: ignore[union-attr]
    ]
    return found if " " in columns else [row[0] for row in found]


@pytest.mark.parametrize(("name", "values", "columns", "expected"), ANSWERS)
def test_the_answer_is_right(
    store: Store, name: str, values: dict[str, str], columns: str, expected: list[Any]
) -> None:
    assert answer(store, name, values, columns) == expected


def test_where_the_fields_of_a_card_come_from(small_store: Path) -> None:
    with open_store(small_store) as store:
        (row,) = answer(store, "sources-by-card", {"card": "Salt Road"}, "part field source")
    assert row == ("card:salt-road", "all others", "cards.json")


def test_all_named_queries_are_answered_here_or_with_the_first_ones() -> None:
    from test_deck_pages import NAMES as ON_DECKS
    from test_queries import NAMES
    from test_release_graph import NAMES as ON_RELEASES
    from test_tagged import NAMES as ON_TAGS

    answered = {name for name, *_ in ANSWERS} | {"sources-by-card", *NAMES, *ON_DECKS, *ON_RELEASES, *ON_TAGS}
    assert answered == set(named_queries())
