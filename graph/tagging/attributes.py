"""Attribute tags: what the source says of a card, sorted into facets; each tag names the field that says it.

Mana cost, mana value and types are of a face. Creature types (CR 205.3m) are divided into what a creature is
and what it does by `ontology/creaturetypes.toml`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ..model import Card
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
        for key, reason in _of_face(face.number, face.mana_cost, face.mana_value, face.type_line or ""):
            found[key].append(reason)
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


def _of_face(
    number: int, cost: str | None, value: float | None, line: str
) -> Iterator[tuple[tuple[str, str], Reason]]:
    """Facet and tag, with the reason."""
    yield from _of_cost(number, cost, value, "Land" in line.partition(" — ")[0].split())
    yield from _of_line(number, line)


@lru_cache(4096)  # faces share their mana costs
def _of_cost(
    number: int, cost: str | None, value: float | None, is_land: bool
) -> list[tuple[tuple[str, str], Reason]]:
    found = [("mana-cost", shape, cost) for shape in cost_shapes(cost)] if cost else []
    if not cost and number == 1 and value is not None and not is_land:
        found.append(("mana-cost", "none", ""))
    if value is not None and (cost or number == 1):
        found.append(("mana-value", f"{value:g}", f"{value:g}"))
    return [
        (
            (facet, f"{facet}.{name}"),
            Reason(holder=str(number), field=facet.replace("-", "_"), words=words),
        )
        for facet, name, words in found
    ]


@lru_cache(4096)  # and their type lines
def _of_line(number: int, line: str) -> list[tuple[tuple[str, str], Reason]]:
    reason = Reason(holder=str(number), field="type_line", words=line)
    return [(key, reason) for key in _types(line)]


def _types(line: str) -> list[tuple[str, str]]:
    """Facet and tag of each word of a type line."""
    before, _, subtypes = line.partition(" — ")
    types = before.split()
    creature = not _HAVE_CREATURE_TYPES.isdisjoint(types)
    return [
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
