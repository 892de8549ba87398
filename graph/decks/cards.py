"""The cards that a list names, each once, with what deck building asks of them; and the names that mean none.

Mana value and colors are those of the card in a deck: of split cards both halves together (CR 202.3d,
709.4b), of all others the front alone (CR 712.8a, 715.4). Where the source of the cards tells no colors they
follow from the mana cost (CR 202.2) and devoid (CR 702.114a); what follows from neither, or from a half that
the source lacks, is None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ..errors import QueryError
from ..facts import Facts, Reader, local
from ..names import Match, find
from ..naming import FACE_SEPARATOR
from ..printquads import STATUSES
from ..store import Store
from .listing import DeckList, Section

__all__ = ["COLORS", "PLAYED", "DeckCard", "Unknown", "cards_of", "symbols"]

COLORS = "WUBRG"
"""In their order (CR 105.1)."""

PLAYED: tuple[Section, ...] = ("commander", "companion", "main", "sideboard")
"""The sections whose cards can come into a game."""

_MOST_NAMES = 5000
_GUESSED = 20
"""So many unknown names are compared with all names, at 60 ms each."""
_NEAR = 3
_SYMBOL = re.compile(r"\{([^{}\s]{1,12})\}")
_HALVES = re.compile(r"\s*/{1,2}\s*")
_ASIDE = re.compile(r"\s*\([^()]*\)\Z")
_ANY_NUMBER = re.compile(r"a deck can have (?:any number of|up to (\w+)) cards named", re.IGNORECASE)
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DEVOID = "devoid"
_HALVED = frozenset({"split", "aftermath"})
"""Layouts of split cards (CR 709)."""


class DeckCard(Struct, frozen=True, kw_only=True):
    """A card of the graph with its copies in a list."""

    name: str
    iri: str
    copies: Mapping[Section, int]
    type_line: str | None  # of all faces, with “ // ” between them
    mana_cost: str | None
    mana_value: float | None  # None: not known
    colors: tuple[str, ...] | None  # in their order; None: not known
    colors_from: str | None  # "source", "mana cost" or None
    color_identity: tuple[str, ...] | None
    legalities: Mapping[str, str]
    is_land: bool  # its front
    is_basic: bool  # a basic land
    most: int | None  # copies that its own words allow; 0: any number; None: they say nothing of it

    def count(self, *sections: Section) -> int:
        """How many copies there are in these sections, or in all."""
        return sum(self.copies.get(section, 0) for section in sections or self.copies)


class Unknown(Struct, frozen=True, kw_only=True):
    """A name that no card of the graph has."""

    name: str
    count: int
    lines: tuple[int, ...]
    near: tuple[str, ...] = ()  # names that look like it, the most alike first


def cards_of(store: Store, deck: DeckList) -> tuple[tuple[DeckCard, ...], tuple[Unknown, ...]]:
    """The cards of a list in the order in which it names them first, and the names that are unknown.

    Raises:
        QueryError: the list has more than 5,000 different names.
    """
    names = dict.fromkeys(entry.name for entry in deck.entries)
    if len(names) > _MOST_NAMES:
        raise QueryError(f"the list has {len(names):,} different names: give at most {_MOST_NAMES:,}")
    tokens = {entry.name for entry in deck.entries if entry.section == "tokens"}
    found: dict[str, str] = {}
    near: dict[str, tuple[str, ...]] = {}
    for name in names:
        card = _meant(store, name, token=name in tokens)
        if card is not None:
            found[name] = card
        else:
            near[name] = _near(store, name) if len(near) < _GUESSED else ()
    copies: dict[str, Counter[Section]] = {}
    for entry in deck.entries:
        if entry.name in found:
            copies.setdefault(found[entry.name], Counter())[entry.section] += entry.count
    reader = Reader(store)
    cards = tuple(_card(reader, iri, dict(counts)) for iri, counts in copies.items())
    unknown = tuple(
        Unknown(
            name=name,
            count=sum(entry.count for entry in deck.entries if entry.name == name),
            lines=tuple(entry.line for entry in deck.entries if entry.name == name),
            near=alike,
        )
        for name, alike in near.items()
    )
    return cards, unknown


def _meant(store: Store, name: str, *, token: bool) -> str | None:
    """The IRI of the card that a name of a list means; the front of one rather than the back of another.

    Of halves that are written in another way, or twice (`Forest // Forest`), the first tells the card.
    """
    front = _HALVES.split(name, maxsplit=1)[0]
    for written in dict.fromkeys((name, front, _ASIDE.sub("", name))):
        if not written:
            continue
        try:
            matches = [match for match in find(store, written, near=False).matches if match.card]
        except QueryError:  # no text
            return None
        if matches:
            return min(matches, key=lambda match: (match.is_token is not token, _rank(match))).card
    return None


def _rank(match: Match) -> tuple[int, str]:
    if match.kind in ("card", "token"):
        return 0, match.iri
    return (1 if match.iri.endswith(".1") else 2), match.iri


def _near(store: Store, name: str) -> tuple[str, ...]:
    try:
        found = find(store, name).near
    except QueryError:
        return ()
    return tuple(dict.fromkeys(match.label for match in found if match.card))[:_NEAR]


def _card(reader: Reader, iri: str, copies: Mapping[Section, int]) -> DeckCard:
    facts = reader.facts(iri)
    faces = sorted(
        (reader.facts(face) for face in facts["hasFace"]), key=lambda face: int(face.text("faceNumber") or 1)
    )
    whole = faces if facts.text("layout") in _HALVED else faces[:1]
    lines = [face.text("typeLine") for face in faces]
    costs = [face.text("manaCost") for face in faces]
    front = (faces[0].text("typeLine") or "") if faces else ""
    is_land = "Land" in front.split()
    colors, colors_from = _colors(facts, whole, is_land=is_land)
    words = " ".join(face.text("oracleText") or "" for face in faces)
    stated = _ANY_NUMBER.search(words)
    return DeckCard(
        name=facts.text("rdfs:label") or local(iri),
        iri=iri,
        copies=copies,
        type_line=FACE_SEPARATOR.join(filter(None, lines)) or None,
        mana_cost=FACE_SEPARATOR.join(filter(None, costs)) or None,
        mana_value=_mana_value(whole),
        colors=colors,
        colors_from=colors_from,
        color_identity=_in_order(facts["colorIdentity"])
        if facts["colorIdentity"] or facts["colorlessIdentity"]
        else None,
        legalities={local(each): status for status, name in STATUSES.items() for each in facts[name]},
        is_land=is_land,
        is_basic=is_land and "Basic" in front.split(),
        most=None if stated is None else _stated(stated[1]),
    )


def _stated(word: str | None) -> int:
    """How many copies a word allows: “seven”, or any number."""
    return _NUMBERS.index(word.lower()) + 2 if word and word.lower() in _NUMBERS else 0


def _mana_value(whole: Sequence[Facts]) -> float | None:
    values = []
    for face in whole:
        value = face.text("manaValue")
        if value is None and (face.text("typeLine") is None or "manaCost" in face):
            return None  # the source lacks this face, or has a cost that nobody can count
        values.append(float(value or 0))  # CR 202.3a
    return sum(values) if values else None


def _colors(
    card: Facts, whole: Sequence[Facts], *, is_land: bool
) -> tuple[tuple[str, ...] | None, str | None]:
    if whole and all(face["color"] or face["colorless"] for face in whole):
        return _in_order(color for face in whole for color in face["color"]), "source"
    if any(local(keyword) == _DEVOID for keyword in card["hasKeyword"]):
        return (), "mana cost"
    costs = [face.text("manaCost") for face in whole]
    if None in costs or not costs:
        return ((), "mana cost") if is_land and costs == [None] else (None, None)
    return _in_order(part for cost in costs for symbol in symbols(cost or "") for part in symbol), "mana cost"


def symbols(cost: str) -> list[tuple[str, ...]]:
    """The parts of each symbol of a mana cost: `{2/W}{R}` is ("2", "W") and ("R",)."""
    return [tuple(found[1].split("/")) for found in _SYMBOL.finditer(cost)]


def _in_order(colors: object) -> tuple[str, ...]:
    have = set(colors)  # type: ignore[call-overload]
    return tuple(color for color in COLORS if color in have)
