"""Cards of several sources to one card each: later sources fill what earlier ones lack.

Cards are the same if they have one slug, or one oracle id if a name has changed meanwhile. What an earlier
source says stays, even where a later one says otherwise; a face is filled only by the face of the same number
and name, so that no card is made of two.
`Card.origins` tells where all comes from (PROV-O: prov:hadPrimarySource): "name" is the source of the card,
and with it of every field that is not listed; "colors" of a second face is "2.colors".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ..model import Card, Face, Printing

__all__ = ["merged"]

_CARD = ("oracle_id", "color_identity", "keywords", "legalities", "related", "rulings")
_FACE = (
    "oracle_text",
    "type_line",
    "mana_cost",
    "mana_value",
    "colors",
    "power",
    "toughness",
    "loyalty",
    "defense",
)
_PRINTING = ("set_name", "rarity", "released", "finishes", "prices")
_EMPTY: tuple[object, ...] = (None, (), {})


def merged(
    sources: Iterable[tuple[str, Iterable[Card]]], *, skipped: list[tuple[str, str]] | None = None
) -> list[Card]:
    """The cards of all sources, in the order in which they are first met.

    Args:
        sources: (name for `origins`, cards) from the most to the least trusted.
        skipped: takes (name, reason) of cards that have the slug of a card of another name.
    """
    cards: dict[str, Card] = {}
    slugs: dict[str, str] = {}  # oracle id -> slug
    for source, more in sources:
        for card in more:
            slug = card.slug
            if slug not in cards and card.oracle_id is not None:
                slug = slugs.get(card.oracle_id, slug)
            known = cards.get(slug)
            if known is None:
                cards[slug] = replace(card, origins={"name": source})
            elif slug == card.slug and known.name.casefold() != card.name.casefold():
                if skipped is not None:
                    reason = f"shares card:{slug} with {known.name!r}: give one a slug in ontology/slugs.json"
                    skipped.append((card.name, reason))
                continue
            else:
                cards[slug] = _filled(known, card, source)
            if card.oracle_id is not None:
                slugs.setdefault(card.oracle_id, slug)
    return list(cards.values())


def _filled(card: Card, other: Card, source: str) -> Card:
    """The card with what it lacks from `other`."""
    changes, origins = _lacking(card, other, _CARD), dict(card.origins)
    if not card.prices and other.prices:
        changes["prices"] = other.prices
    legalities = {**other.legalities, **card.legalities}
    if card.legalities and len(legalities) > len(card.legalities):
        changes["legalities"] = legalities
    printings = _printings(card.printings, other.printings)
    if printings != card.printings:
        changes["printings"] = printings
    for name in changes:
        origins.setdefault(name, source)
    if "prices" in changes:
        changes["prices_date"] = other.prices_date
    faces: list[Face] = []
    for face, more in zip(card.faces, [*other.faces, *card.faces[len(other.faces) :]], strict=False):
        lacking = _lacking(face, more, _FACE) if face.name.casefold() == more.name.casefold() else {}
        faces.append(replace(face, **lacking) if lacking else face)
        for name in lacking:
            origins[f"{face.number}.{name}"] = source
    return replace(card, faces=tuple(faces), origins=origins, **changes)


def _lacking(known: object, other: object, fields: Iterable[str]) -> dict[str, Any]:
    """The fields that are empty in `known` and not in `other`, with the values there."""
    found: dict[str, Any] = {}
    for name in fields:
        if getattr(known, name) in _EMPTY:
            value = getattr(other, name)
            if value not in _EMPTY or (value == () and getattr(known, name) is None):
                found[name] = value
    return found


def _printings(known: tuple[Printing, ...], other: tuple[Printing, ...]) -> tuple[Printing, ...]:
    """All printings, each once, filled."""
    if not known or not other:
        return known or other
    found = {printing.id: printing for printing in known}
    for printing in other:
        mine = found.get(printing.id)
        lacking = _lacking(mine, printing, _PRINTING) if mine else {}
        found[printing.id] = replace(mine, **lacking) if mine else printing
    return tuple(found.values())
