"""A small invented rulebook and its cards, linked by hand, and a store made of any such records.

Linked by hand so that the tests of store, reading and queries do not depend on what the linker finds.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pyoxigraph

from cardlaw.graph.model import (
    Ability,
    Card,
    Citation,
    Face,
    Keyword,
    Kind,
    Parts,
    Relation,
    Rule,
    Rulebook,
    Term,
    Vocabulary,
)
from cardlaw.graph.naming import slug
from cardlaw.graph.printquads import shared_quads
from cardlaw.graph.rulequads import Entry, ontology_quads
from cardlaw.graph.store import SCHEMA, BuildSummary, Store, open_store
from cardlaw.graph.triples import card_quads, rulebook_quads
from cardlaw.graph.usage import Usage

RULES = (
    Rule(number="1", title="Game Concepts"),
    Rule(number="115", title="Targets", parent="1"),
    Rule(number="115.1", parent="115", references=("601",)),
    Rule(number="3", title="Card Types"),
    Rule(number="302", title="Creatures", parent="3"),
    Rule(number="305", title="Lands", parent="3"),
    Rule(number="6", title="Spells and Such"),
    Rule(number="601", title="Casting", parent="6"),
    Rule(number="602", title="Activating", parent="6", references=("115.1", "702.29")),
    Rule(number="603", title="Triggers", parent="6"),
    Rule(number="603.6", parent="603"),
    Rule(number="603.6a", parent="603.6"),
    Rule(number="605", title="Mana Abilities", parent="6"),
    Rule(number="605.1a", text="Mana comes.", parent="605", examples=("A lamp.",)),
    Rule(number="614", title="Replacement Effects", parent="6"),
    Rule(number="614.1", parent="614"),
    Rule(number="614.1a", text="Instead.", parent="614.1"),
    Rule(number="7", title="Additional Rules"),
    Rule(number="701", title="Keyword Actions", parent="7"),
    Rule(number="701.13", title="Exile", parent="701"),
    Rule(number="702", title="Keyword Abilities", parent="7"),
    Rule(number="702.9", title="Flying", parent="702"),
    Rule(number="702.15", title="Lifelink", parent="702"),
    Rule(number="702.29", title="Cycling", parent="702"),
    Rule(number="702.29a", parent="702.29", references=("602",)),
    Rule(number="702.29e", parent="702.29"),
)
MORE_RULES = (
    Rule(number="107", title="Symbols", parent="1"),
    Rule(number="107.5", parent="107"),
    Rule(number="111", title="Tokens", parent="1"),
    Rule(number="111.10", parent="111"),
    Rule(number="111.10a", parent="111.10"),
    Rule(number="118", title="Costs", parent="1"),
    Rule(number="118.8", parent="118"),
    Rule(number="118.9", parent="118"),
    Rule(number="121", title="Drawing a Card", parent="1"),
    Rule(number="122", title="Counters", parent="1"),
    Rule(number="122.1", parent="122"),
    Rule(number="122.1d", parent="122.1"),
    Rule(number="4", title="Zones"),
    Rule(number="404", title="Graveyard", parent="4"),
    Rule(number="603.4", parent="603"),
    Rule(number="603.7", parent="603"),
    Rule(number="603.12", parent="603"),
    Rule(number="604", title="Static Abilities", parent="6"),
    Rule(number="606", title="Loyalty Abilities", parent="6"),
    Rule(number="611", title="Continuous Effects", parent="6"),
    Rule(number="611.2", parent="611"),
    Rule(number="613", title="Interaction of Continuous Effects", parent="6"),
    Rule(number="613.1", parent="613"),
    Rule(number="613.1f", parent="613.1"),
    Rule(number="613.4", parent="613"),
    Rule(number="613.4c", parent="613.4"),
    Rule(number="614.1c", parent="614.1"),
    Rule(number="701.21", title="Sacrifice", parent="701"),
    Rule(number="724", title="The Monarch", parent="7"),
)
"""Of which only the cards of `handmade_effects` speak."""

BOOK = Rulebook(
    release="2031-02-03",
    rules={rule.number: rule for rule in RULES},
    terms=(
        Term(names=("Cycling",), references=("702.29",)),
        Term(names=("Kindle", "Kindled"), see=("Cycling",), senses=("To light.", "A lamp."), obsolete=True),
    ),
    vocabulary=Vocabulary(
        keywords=(
            Keyword(name="Exile", rule="701.13", action=True),
            Keyword(name="Flying", rule="702.9", nature=("static",)),
            Keyword(name="Lifelink", rule="702.15", nature=("static",)),
            Keyword(name="Cycling", rule="702.29", nature=("activated",)),
            Keyword(name="Typecycling", rule="702.29e", variant_of="Cycling"),
            Keyword(name="Marshcycling", rule="702.29e", variant_of="Typecycling"),
        ),
        subtypes={"creature": ("Heron", "Ox")},
    ),
    warnings=("an invented warning",),
)

Cited = tuple[str, Relation, str]
"""Rule, relation and the words."""


def cite(text: str, cited: Cited, **flags: Any) -> Citation:
    rule, relation, words = cited
    start = text.index(words)
    return Citation(
        rule=rule,
        title=_heading(rule),
        relation=relation,
        field=flags.pop("field", "oracle_text"),
        start=start,
        end=start + len(words),
        quote=words,
        entry=f"{relation}.{rule}",
        **flags,
    )


_KNOWN = {rule.number: rule for rule in (*RULES, *MORE_RULES)}


def _heading(number: str | None) -> str | None:
    while number is not None:
        rule = _KNOWN[number]
        if rule.title is not None:
            return rule.title
        number = rule.parent
    return None


def ability(text: str, words: str, kind: Kind, *cited: Cited, id: str = "1.1", **more: Any) -> Ability:
    """An ability with `words` of the face's `text`."""
    start = text.index(words)
    if kind != "keyword":
        more.setdefault("parts", Parts(effect=(start, start + len(words))))
    reminder = more.pop("reminder", ())
    return Ability(
        id=id,
        parent=more.pop("parent", None),
        kind=kind,
        text=words,
        start=start,
        end=start + len(words),
        citations=(
            *(cite(text, each, granted=more.get("granted", False)) for each in cited),
            *(cite(text, each, in_reminder=True) for each in reminder),
        ),
        **more,
    )


def face(name: str, type_line: str, text: str | None, *abilities: Ability, **more: Any) -> Face:
    rules = [("302", "Creature"), ("305", "Land")]
    return Face(
        name=name,
        type_line=type_line,
        oracle_text=text,
        abilities=abilities,
        citations=tuple(
            cite(type_line, (rule, "card_type", word), field="type_line")
            for rule, word in rules
            if word in type_line
        ),
        **more,
    )


def card(name: str, *faces: Face, layout: str = "normal", **more: Any) -> Card:
    return Card(name=name, slug=slug(name), layout=layout, faces=faces, **more)


_COURIER = "Marshcycling {2} (Exile this card.)\nWhen this creature enters, exile it."
_WARD = "Lanterns have “{T}: Add {G}.”\nIf a lantern would dim, exile it instead."
_SKY = "Oxen have flying. Other things lose lifelink."

CARDS = (
    card(
        "Far Meadow",
        face(
            "Far Meadow",
            "Land",
            "{T}: Add {G}.",
            ability("{T}: Add {G}.", "{T}: Add {G}.", "activated/mana", ("605.1a", "ability_kind", "Add")),
        ),
    ),
    card(
        "Glass Môth",
        face(
            "Glass Môth",
            "Creature — Heron",
            "Flying\n{T}: Add {G}.",
            ability("Flying\n", "Flying", "keyword", ("702.9", "has_keyword", "Flying"), keyword="Flying"),
            ability(
                "Flying\n{T}: Add {G}.",
                "{T}: Add {G}.",
                "activated/mana",
                ("605.1a", "ability_kind", "Add"),
                id="1.2",
                parts=Parts(cost=(7, 10), effect=(12, 20)),
            ),
            power="1+*",
            toughness="3",
            mana_cost="{1}{G}",
            mana_value=2.0,
        ),
        color_identity=("G",),
        oracle_id="6a3b",
    ),
    card(
        "Lamp Ward // Sky Ward",
        face(
            "Lamp Ward",
            "Enchantment",
            _WARD,
            ability(_WARD, "Lanterns have “{T}: Add {G}.”", "static"),
            ability(
                _WARD,
                "{T}: Add {G}.",
                "activated/mana",
                ("605.1a", "ability_kind", "Add"),
                id="1.1.1",
                parent="1.1",
                granted=True,
            ),
            ability(
                _WARD,
                "If a lantern would dim, exile it instead.",
                "static",
                ("701.13", "keyword_action", "exile"),
                ("614.1a", "effect", "instead"),
                id="1.2",
            ),
        ),
        face(
            "Sky Ward",
            "Enchantment",
            _SKY,
            ability(
                _SKY,
                _SKY,
                "static",
                ("702.9", "grants_keyword", "flying"),
                ("702.15", "loses_keyword", "lifelink"),
                id="2.1",
            ),
            number=2,
        ),
        layout="split",
    ),
    card(
        "Lantern Heron",
        face(
            "Lantern Heron",
            "Creature — Heron",
            "Flying",
            ability("Flying", "Flying", "keyword", ("702.9", "has_keyword", "Flying"), keyword="Flying"),
            power="1",
            toughness="1",
        ),
        keywords=("Flying",),
    ),
    card(
        "Marsh Courier",
        face(
            "Marsh Courier",
            "Creature",
            _COURIER,
            ability(
                _COURIER,
                "Marshcycling {2} (Exile this card.)",
                "keyword",
                ("702.29e", "has_keyword", "Marshcycling"),
                reminder=(("701.13", "keyword_action", "Exile"),),
                keyword="Marshcycling",
                parameters={"cost": "{2}", "number": 3},
            ),
            ability(
                _COURIER,
                "When this creature enters, exile it.",
                "triggered",
                ("603", "ability_kind", "When"),
                ("603.6a", "trigger_event", "enters"),
                ("701.13", "keyword_action", "exile"),
                id="1.2",
                ability_word="Dusk",
                parts=Parts(event=(36, 61), effect=(63, 71), modes=((1, 2), (10, 12))),
            ),
            power="2",
            toughness="2",
        ),
        keywords=("Cycling", "Lifelink"),
    ),
    card("Plain Ox", face("Plain Ox", "Creature — Ox", None, power="2", toughness="4", mana_cost="{W}")),
)


def write_store(
    root: Path,
    cards: Iterable[Card] = CARDS,
    book: Rulebook = BOOK,
    name: str = "one",
    entries: Iterable[Entry] = (),
) -> Path:
    """A finished build in `root` that answers."""
    folder = root / "builds" / name
    folder.mkdir(parents=True)
    cards = tuple(cards)
    layers = {
        "ontology": list(ontology_quads()),
        "rules": list(rulebook_quads(book, entries)),
        "cards": list(shared_quads(cards)),
    }
    usage = Usage(book)
    for each in cards:
        quads = card_quads(each, book)
        usage.count(usage.cited({"tags": [], "themes": [], **quads}))
        for layer, lines in quads.items():
            layers.setdefault(layer, []).extend(lines)
    layers["abilities"] += usage.quads()
    store = pyoxigraph.Store(str(folder / "store"))
    for layer, lines in layers.items():
        text = "".join(lines).encode()
        (folder / f"{layer}.nq.gz").write_bytes(gzip.compress(text, mtime=0))
        store.bulk_load(input=text, format=pyoxigraph.RdfFormat.N_QUADS)
    store.flush()
    del store
    summary = BuildSummary(
        schema=SCHEMA,
        id=name,
        version="0",
        release=book.release,
        has_text=True,
        sources=(),
        counts={"cards": len(CARDS)},
        quads={layer: len(lines) for layer, lines in layers.items()},
        started="2031-02-03T00:00:00+00:00",
        seconds={},
    )
    (folder / "build.json").write_bytes(msgspec.json.encode(summary))
    (root / "current").write_text(name + "\n")
    return root


def opened(root: Path) -> Store:
    return open_store(write_store(root))
