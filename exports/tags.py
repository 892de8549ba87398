"""The tags of a card by where they come from: what it is, what was read from its text, what is thought of it.

A tag always has its reason. Facts and opinions stand apart, and a group that has nothing says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardlaw.graph.facts import Reader
from cardlaw.graph.model import Card, Citation, Face
from cardlaw.graph.store import Store
from cardlaw.graph.tagged import card_tags
from cardlaw.graph.tagging import Tag as Graph
from cardlaw.ontology.namespaces import PREFIXES

from .links import Links
from .mana import SYMBOL, pip
from .tagtext import label, theme_label, why
from .wording import KINDS

__all__ = ["Facet", "Tag", "TagGroup", "tag_groups"]

_COLORS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}
_KEYWORDS = {
    "has_keyword": "Keywords",
    "grants_keyword": "Keywords that it grants",
    "loses_keyword": "Keywords that it takes away",
    "mentions_keyword": "Keywords that it only mentions",
    "keyword_action": "Keyword actions",
    "zone": "Zones",
    "turn_part": "Parts of the turn",
}


class Tag(NamedTuple):
    """One tag."""

    text: str
    reason: str
    href: str | None = None


class Facet(NamedTuple):
    """Tags of one kind."""

    name: str
    tags: list[Tag]


class TagGroup(NamedTuple):
    """Facets that come from the same place."""

    id: str  # "attributes", "extracted", "inferred", "suggested"
    title: str
    about: str
    facets: list[Facet]
    empty: str  # what is said where there are none


def tag_groups(store: Store, card: Card, links: Links) -> list[TagGroup]:
    """Attributes, extracted facts, inferred themes and suggestions, in this order."""
    found = card_tags(store, card)
    return [
        TagGroup(
            "attributes",
            "Attributes",
            "As the source of the cards gives them.",
            [facet for facet in _attributes(store, card, links) if facet.tags],
            "The source of the cards gives none.",
        ),
        TagGroup(
            "extracted",
            "Extracted facts",
            "Read from the text by rules that are written down; each has the words that prove it.",
            [facet for facet in (*_extracted(card, links), *_tagged(found, links)) if facet.tags],
            "Nothing was found in the text.",
        ),
        TagGroup(
            "inferred",
            "Inferred themes",
            "Concluded from the facts; not rules text.",
            [facet for facet in _themes(found, links) if facet.tags],
            "No theme follows from what is known of it.",
        ),
        TagGroup(
            "suggested",
            "Suggestions",
            "Predicted, and perhaps wrong; not rules text.",
            [],
            "No tags have been suggested in this graph.",
        ),
    ]


def _attributes(store: Store, card: Card, links: Links) -> Iterator[Facet]:
    faces = [face for face in card.faces if face.type_line is not None]
    yield Facet("Mana cost", _distinct(tag for face in faces for tag in _shape(face)))
    yield Facet("Mana value", _values(card, faces))
    identity = card.color_identity
    if identity is not None:
        why = "its color identity, as the source gives it"
        yield Facet(
            "Color identity", [Tag(_COLORS.get(c, c), why) for c in identity] or [Tag("Colorless", why)]
        )
    yield Facet("Types", _types(store, card, links))
    yield Facet("Layout", [Tag(card.layout.replace("_", " "), "as the source gives it")])


def _shape(face: Face) -> Iterator[Tag]:
    """What kinds of symbols a cost is made of."""
    cost = face.mana_cost
    if not cost:
        if face.number == 1 and "Land" not in (face.type_line or "").split():
            yield Tag("no mana cost", f"{face.name} has none")
        return
    why = f"the mana cost of {face.name} is {cost}"
    names = SYMBOL.findall(cost)
    colored = [name for name in names if set(name.split("/")) & set(_COLORS)]
    if colored:
        yield Tag(f"{len(colored)} colored symbol{'' if len(colored) == 1 else 's'}", why)
    if len({pip(f"{{{name}}}").fills for name in colored}) > 1:
        yield Tag("several colors", why)
    for name in names:
        if name.isdecimal():
            yield Tag(f"{name} generic", why)
    yield from (
        Tag(text, why)
        for text, is_so in (
            ("variable", any(name in "XYZ" for name in names)),
            ("hybrid", any(len([p for p in name.split("/") if p != "P"]) > 1 for name in names)),
            ("Phyrexian", any(name.endswith("/P") for name in names)),
            ("colorless", "C" in names),
            ("snow", "S" in names),
        )
        if is_so
    )


def _values(card: Card, faces: list[Face]) -> list[Tag]:
    """Of each face with a cost; of a split card, whose halves are one outside the stack, of both together."""
    halves = [face.mana_value for face in card.faces]
    if card.layout == "split" and None not in halves:
        whole = sum(value for value in halves if value is not None)
        return [Tag(f"{whole:g}", "the mana costs of its halves together")]
    return _distinct(tag for face in faces for tag in _value(face))


def _value(face: Face) -> Iterator[Tag]:
    if face.mana_value is not None and (face.mana_cost or face.number == 1):
        why = f"the mana cost of {face.name} is {face.mana_cost}" if face.mana_cost else "it has no mana cost"
        yield Tag(f"{face.mana_value:g}", why)


def _types(store: Store, card: Card, links: Links) -> list[Tag]:
    """Words of the type lines, each a link, in the order of the line."""
    reader = Reader(store)
    found: list[Tag] = []
    for face in card.faces:
        iris = reader.facts(f"{PREFIXES['face']}{card.slug}.{face.number}")["hasType"]
        line = face.type_line or ""
        labels = sorted((line.find(reader.label(iri)), reader.label(iri), iri) for iri in iris)
        found += [Tag(label, f"its type line is “{line}”", links.node(iri)) for _, label, iri in labels]
    return _distinct(found)


def _extracted(card: Card, links: Links) -> Iterator[Facet]:
    abilities = [ability for face in card.faces for ability in face.abilities]
    yield Facet("Abilities", _distinct(Tag(KINDS[a.kind], f"ability {a.id}") for a in abilities))
    spoken = [(a.id, c) for a in abilities for c in a.citations if not c.in_reminder]
    for relation, name in _KEYWORDS.items():
        found = [(id, citation) for id, citation in spoken if citation.relation == relation]
        yield Facet(name, _distinct(_cited(id, citation, links) for id, citation in found))


def _cited(id: str, citation: Citation, links: Links) -> Tag:
    why = f"“{citation.quote}” in ability {id} cites {citation.rule}"
    return Tag(citation.title or citation.quote, why, links.node(PREFIXES["rule"] + citation.rule))


def _tagged(found: Iterable[Graph], links: Links) -> Iterator[Facet]:
    """What its abilities do and when; what keywords it has stands among the citations."""
    tags = [tag for tag in found if tag.layer == "extracted"]
    for facet, name in (("ability", "What it does"), ("timing", "When")):
        yield Facet(name, [_told(tag, links) for tag in tags if tag.facet == facet])


def _themes(found: Iterable[Graph], links: Links) -> Iterator[Facet]:
    themes = [tag for tag in found if tag.layer == "inferred"]
    for role, name in (("enabler", "Enables"), ("payoff", "Pays off")):
        suited = [tag for tag in themes if tag.id.endswith(f".{role}")]
        yield Facet(name, [_told(tag, links)._replace(text=theme_label(tag.id)) for tag in suited])


def _told(tag: Graph, links: Links) -> Tag:
    return Tag(label(tag.id), "; ".join(map(why, tag.reasons)), links.node(PREFIXES["tag"] + tag.id))


def _distinct(tags: Iterable[Tag]) -> list[Tag]:
    """Each tag once, with its first reason."""
    found: dict[str, Tag] = {}
    for tag in tags:
        found.setdefault(tag.text, tag)
    return list(found.values())
