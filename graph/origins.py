"""Where a card comes from, as N-Quads after PROV-O: its sources, and the source of each field filled.

A card has one prov:hadPrimarySource, from which every field is that says nothing else; a card that names none
is from that of its layer. Of a field that another source filled, one statement tells it,
`face:fire-ice.2 mtg:oracleTextFrom source:…`, on the card or the face that has the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from .model import Card
from .naming import source_slug
from .nquads import IS, P, end, iri, literal, typed
from .printquads import card_iri

__all__ = ["ORIGINS", "origin_lines", "primary_line", "source_lines"]

ORIGINS = {
    field: f"{field.split('_')[0]}{''.join(map(str.capitalize, field.split('_')[1:]))}From"
    for field in (
        *("oracle_id", "color_identity", "keywords", "legalities", "related", "rulings", "prices"),
        *("printings", "oracle_text", "type_line", "mana_cost", "mana_value", "colors"),
        *("power", "toughness", "loyalty", "defense"),
    )
}
"""Field of a card or face → local name of the property that tells its source."""

_CARDS = end("cards")


def origin_lines(card: Card) -> Iterator[str]:
    """The lines of `layer:cards` that tell what `Card.origins` tells."""
    subject = card_iri(card)
    for name in dict.fromkeys(card.origins.values()):
        if name == card.origins.get("name"):
            continue  # prov:hadPrimarySource says it
        yield f"{subject}{P['prov:wasDerivedFrom']}{_source(name)}{_CARDS}"
    for place, name in card.origins.items():
        number, _, field = place.rpartition(".")
        holder = iri(f"face:{card.slug}.{number}") if number else subject
        predicate = "prov:hadPrimarySource" if place == "name" else ORIGINS[field]
        yield f"{holder}{P[predicate]}{_source(name)}{_CARDS}"


def source_lines(name: str, sha256: str, date: str | None, layer: str) -> Iterator[str]:
    """The lines that describe a source in the layer that it went into.

    Args:
        name: as in `Card.origins`.
        sha256: of the file.
        date: the day that its data are of, where it is known.
    """
    subject = _source(name)
    yield f"{subject}{IS['Source']}{end(layer)}"
    yield f"{subject}{P['rdfs:label']}{literal(name)}{end(layer)}"
    yield f"{subject}{P['sha256']}{literal(sha256)}{end(layer)}"
    if date is not None:
        yield f"{subject}{P['dcterms:issued']}{typed(date, 'date')}{end(layer)}"
    yield f"{iri('layer:' + layer)}{P['prov:wasDerivedFrom']}{subject}{end(layer)}"


def primary_line(name: str, layer: str) -> str:
    """Which source what says nothing else in a layer is from."""
    return f"{iri('layer:' + layer)}{P['prov:hadPrimarySource']}{_source(name)}{end(layer)}"


def _source(name: str) -> str:
    return iri(f"source:{source_slug(name)}")
