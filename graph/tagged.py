"""Tags back from the graph: those of a card by layer, each with its reasons, as `tagging.Tagger` gives them.

What comes in is a store and the card as `read.card` gives it. Attributes follow from the card itself. Of an
extracted tag a reason is the citation that proves it, with its words: which other words of the ability were
looked for besides is not kept. Themes are read from their layer, which no query sees unless it names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pyoxigraph import NamedNode

from cardlaw.ontology.namespaces import DATA_PREFIXES, PREFIXES

from .facts import Reader, local, node
from .model import Card, Citation
from .naming import card_node
from .store import Store, layer
from .tagging import Reason, Tag, attributes
from .tagging.extracting import KEYWORD_FACETS, keyword_of
from .triples import citation_name

__all__ = ["card_tags"]


def card_tags(store: Store, card: Card) -> tuple[Tag, ...]:
    """All tags that the graph has of a card: attributes, then extracted ones, then inferred themes."""
    reader = Reader(store)
    extracted = sorted(_extracted(reader, card), key=lambda tag: (tag.facet, tag.id))
    return (*attributes(card), *extracted, *sorted(_inferred(reader, card), key=lambda tag: tag.id))


def _citations(card: Card) -> Iterator[tuple[str, Citation]]:
    """Each citation with the face or ability that cites."""
    for face in card.faces:
        yield from ((str(face.number), citation) for citation in face.citations)
        for ability in face.abilities:
            yield from ((ability.id, citation) for citation in ability.citations)


def _extracted(reader: Reader, card: Card) -> Iterator[Tag]:
    reasons: dict[tuple[str, str], list[Reason]] = {}
    for holder, citation in _citations(card):
        name = citation_name(f"{card.slug}.{holder}", citation.rule, citation.relation)
        for quad in reader.quads.quads_for_pattern(
            NamedNode(PREFIXES["citation"] + name), node("provesTag"), None, layer("tags")
        ):
            told = local(cast(NamedNode, quad.object).value)
            reasons.setdefault((told.partition(".")[0], told), []).append(_reason(holder, citation))
    for face in card.faces:
        for ability in face.abilities:
            for citation in ability.citations:
                facet = KEYWORD_FACETS.get(citation.relation)
                if facet and not citation.in_reminder and (keyword := keyword_of(ability, citation)):
                    reasons.setdefault((facet, keyword), []).append(_reason(ability.id, citation))
    for (facet, tag), found in reasons.items():
        yield Tag(id=tag, layer="extracted", facet=facet, reasons=tuple(found))


def _reason(holder: str, citation: Citation) -> Reason:
    return Reason(
        holder=holder,
        field=citation.field,
        words=citation.quote,
        span=(citation.start, citation.end),
        citation=citation,
    )


def _inferred(reader: Reader, card: Card) -> Iterator[Tag]:
    prefix, _, name = card_node(card.slug).partition(":")
    about = NamedNode(PREFIXES[prefix] + name)
    for quad in reader.quads.quads_for_pattern(None, node("about"), about, layer("themes")):
        facts = reader.facts(cast(NamedNode, quad.subject).value)
        premises = tuple(sorted(map(_id, facts["prov:wasDerivedFrom"])))
        yield Tag(
            id=_id(facts.need("concludes")),
            layer="inferred",
            facet="theme",
            reasons=(Reason(premises=premises),),
        )


def _id(iri: str) -> str:
    """What `Tag.id` calls a node: a tag by its local name, another by its prefixed name."""
    prefix = next(prefix for prefix in DATA_PREFIXES if iri.startswith(PREFIXES[prefix]))
    return local(iri) if prefix == "tag" else f"{prefix}:{local(iri)}"
