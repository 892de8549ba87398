"""Tags to N-Quads: what was extracted to `layer:tags`, what was inferred to `layer:themes`.

`mtg:hasTag` says that a card has a tag, and `mtg:provesTag` goes to it from each citation that proves it,
through which the ability, the words and the rule are found. What is said of a card anyway (mana value,
colors, types, keywords) is not said again; of its mana cost only what is unusual is. A theme is a
`mtg:Inference`, as mtg:concludes says: a node of its own with its premises, never mistaken for a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES

from .model import Card, Rulebook
from .naming import slug
from .nquads import P, end, iri
from .printquads import card_iri
from .tagging import Tag, creature_types
from .triples import citation_name
from .words import Words

__all__ = ["USUAL", "facet_quads", "tag_lines"]

USUAL = frozenset({"mana-cost.one-color", "mana-cost.several-colors", "mana-cost.no-color"})
"""Attribute tags that nearly every card has one of: they follow from its mana cost and are not stored."""

_TAGS, _THEMES = end("tags"), end("themes")
_CITATION, _KEYWORD, _TAG = (f"<{PREFIXES[prefix]}" for prefix in ("citation", "keyword", "tag"))


def tag_lines(card: Card, tags: Iterable[Tag], rulebook: Rulebook) -> dict[str, list[str]]:
    """The card's lines by layer, each list sorted: of a linked card and all its tags.

    A keyword that the rulebook does not have is no node, so it is no premise either.
    """
    subject = card_iri(card)
    keywords = Words.of(rulebook).nodes
    extracted: set[str] = set()
    inferred: list[str] = []
    for tag in tags:
        if ":" in tag.id or tag.facet in ("mana-value", "color-identity") or tag.id in USUAL:
            continue
        concept = f"{_TAG}{tag.id}>"
        if tag.layer == "inferred":
            premises = {
                iri(premise) if ":" in premise else f"{_TAG}{premise}>"
                for reason in tag.reasons
                for premise in reason.premises
            }
            premises = {each for each in premises if not each.startswith(_KEYWORD) or each in keywords}
            if premises:
                node = iri(f"inference:{card.slug}.{tag.id}")
                inferred.append(f"{node}{P['about']}{subject}{_THEMES}")
                inferred.append(f"{node}{P['concludes']}{concept}{_THEMES}")
                inferred += (f"{node}{P['prov:wasDerivedFrom']}{each}{_THEMES}" for each in premises)
            continue
        extracted.add(f"{subject}{P['hasTag']}{concept}{_TAGS}")
        for reason in tag.reasons:
            if reason.citation is not None and reason.holder is not None:
                rule, relation = reason.citation.rule, reason.citation.relation
                name = citation_name(f"{card.slug}.{reason.holder}", rule, relation)
                extracted.add(f"{_CITATION}{name}>{P['provesTag']}{concept}{_TAGS}")
    return {"tags": sorted(extracted), "themes": sorted(inferred)}


def facet_quads(rulebook: Rulebook) -> Iterator[str]:
    """The lines of `layer:tags` of no card, sorted: the facets, and which creature types are of which."""
    import pyoxigraph

    lines = {
        f"{triple.subject} {triple.predicate} {triple.object}{_TAGS}"
        for triple in pyoxigraph.parse(data("facets.ttl").read_bytes(), pyoxigraph.RdfFormat.TURTLE)
    }
    for name in rulebook.vocabulary.subtypes.get("creature", ()):
        facet = "class" if name in creature_types().classes else "kind"
        lines.add(f"{iri('type:' + slug(name))}{P['skos:inScheme']}{iri('tag:' + facet)}{_TAGS}")
    yield from sorted(lines)
