"""Attribute tags: what the source says of a card, sorted into facets; each tag names the field that says it.

Mana cost, mana value and types are of a face. Creature types (CR 205.3m) are divided into what a creature is
and what it does by `ontology/creaturetypes.toml`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ..model import Card, Face
from ..naming import slug
from .definitions import creature_types
from .tags import Reason, Tag

__all__ = ["COLORS", "attributes", "cost_shapes"]

COLORS: Mapping[str, str] = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}

_SYMBOL = re.compile(r"\{([^}]+)\}")
_HAVE_CREATURE_TYPES = frozenset({"Creature", "Kindred", "Tribal"})


def attributes(card: Card) -> tuple[Tag, ...]:
    """The attribute tags of a card, by facet and then as they stand on its faces."""
    found: dict[tuple[str, str], list[Reason]] = defaultdict(list)
    for face in card.faces:
        holder = str(face.number)
        for facet, tag, field, words in _of_face(face):
            found[facet, tag].append(Reason(holder=holder, field=field, words=words))
    if card.color_identity is not None:
        names = [COLORS[c] for c in card.color_identity if c in COLORS] or ["colorless"]
        reason = Reason(field="color_identity", words="".join(card.color_identity))
        for name in names:
            found["color-identity", f"color-identity.{name}"].append(reason)
    return tuple(
        Tag(id=tag, layer="attribute", facet=facet, reasons=tuple(reasons))
        for (facet, tag), reasons in found.items()
    )


def cost_shapes(cost: str) -> Iterator[str]:
    """What kinds of symbols a mana cost is made of (CR 107.4): names of tags of the facet `mana-cost`.

    >>> list(cost_shapes("{X}{R}{R}"))
    ['one-color', 'variable']
    """
    symbols = _SYMBOL.findall(cost)
    colors = {part for symbol in symbols for part in symbol.split("/") if part in COLORS}
    if colors:
        yield "one-color" if len(colors) == 1 else "several-colors"
    else:
        yield "no-color"
    shapes = {
        "variable": any(symbol in ("X", "Y", "Z") for symbol in symbols),
        "hybrid": any(len([part for part in symbol.split("/") if part != "P"]) > 1 for symbol in symbols),
        "phyrexian": any(symbol.endswith("/P") for symbol in symbols),
        "colorless-mana": "C" in symbols,
        "snow": "S" in symbols,
    }
    yield from (name for name, holds in shapes.items() if holds)


def _of_face(face: Face) -> Iterator[tuple[str, str, str, str]]:
    """Facet, tag, field and words."""
    line = face.type_line or ""
    types, facets = _types(line)
    if face.mana_cost:
        for shape in cost_shapes(face.mana_cost):
            yield "mana-cost", f"mana-cost.{shape}", "mana_cost", face.mana_cost
    elif face.number == 1 and face.mana_value is not None and "Land" not in types:
        yield "mana-cost", "mana-cost.none", "mana_cost", ""
    if face.mana_value is not None and (face.mana_cost or face.number == 1):
        value = f"{face.mana_value:g}"
        yield "mana-value", f"mana-value.{value}", "mana_value", value
    for facet, tag in facets:
        yield facet, tag, "type_line", line


@lru_cache(4096)  # faces share their type lines
def _types(line: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The types before the dash of a type line; facet and tag of each of its words."""
    before, _, subtypes = line.partition(" — ")
    types = before.split()
    creature = not _HAVE_CREATURE_TYPES.isdisjoint(types)
    return types, [
        *(("type", f"type:{slug(word)}") for word in types if slug(word)),
        *(
            (creature_types().facet(word) if creature else "type", f"type:{slug(word)}")
            for word in _subtypes(subtypes)
        ),
    ]


def _subtypes(text: str) -> Iterator[str]:
    """The words of a row of subtypes; Time Lord is the only creature type of two (CR 205.3m)."""
    names = text.replace("Time Lord", "Time-Lord").split()
    return (name.replace("Time-Lord", "Time Lord") for name in names if slug(name))
