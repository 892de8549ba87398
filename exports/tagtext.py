"""The tags of a card as text and as JSON, layer by layer, each with its reasons.

What comes in are tags as `graph.tagged.card_tags` or `graph.tagging.Tagger` gives them. Three layers are kept
apart: what the source says, what was extracted, and what was inferred. In JSON the first two, the facts, are
`tags`, the reasons of the second `tag_reasons`, and the third `themes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from rich.text import Text

from cardlaw.graph.tagging import LAYERS, Layer, Reason, Tag, concepts
from cardlaw.ontology.namespaces import PREFIXES, expand

__all__ = [
    "facet_label",
    "label",
    "reason_form",
    "tag_form",
    "tag_pieces",
    "theme_form",
    "theme_label",
    "why",
]

_TITLES: dict[Layer, str] = {
    "attribute": "Attributes, as the source gives them",
    "extracted": "Extracted from the text",
    "inferred": "Inferred themes: an opinion, not rules text",
}
_FACETS = {"keyword.has": "Has keywords", "keyword.grants": "Grants keywords"}

Piece = tuple[int, Text, int]
"""Indent, words, and how far what wraps is indented from there."""


def label(tag: str) -> str:
    """How a tag is called: "card draw"; a keyword or type by its name."""
    if concept := concepts().get(tag):
        return concept.label
    prefix, colon, name = tag.partition(":")
    if colon:
        return " ".join(word.capitalize() if prefix == "type" else word for word in name.split("-"))
    return tag.partition(".")[2]


def theme_label(tag: str) -> str:
    """The theme of its enabler or payoff: "cycling" of theme.cycling.payoff."""
    return label(tag.rpartition(".")[0])


def facet_label(facet: str) -> str:
    return _FACETS.get(facet) or concepts()[facet].label


def why(reason: Reason) -> str:
    """One reason in words: `1.2 “draw a card” 121.1`."""
    if reason.premises:
        return "from " + ", ".join(map(label, reason.premises))
    parts = [reason.holder] if reason.citation is not None and reason.holder else []
    if reason.words:
        parts.append(f"“{' '.join(reason.words.split())}”")
    if reason.citation is not None:
        parts.append(reason.citation.rule)
    return " ".join(parts)


def tag_pieces(tags: Sequence[Tag]) -> Iterator[Piece]:
    """A heading for each layer that has tags, a line for each facet of attributes, else for each tag."""
    for layer in LAYERS:
        found = [tag for tag in tags if tag.layer == layer]
        if not found:
            continue
        yield 0, Text(), 0
        yield 0, Text(_TITLES[layer], "bold"), 0
        for facet, group in _by_facet(found):
            head = Text().append(f"{facet_label(facet)}:", "dim")
            if layer == "attribute":
                yield 2, head.append(f" {', '.join(dict.fromkeys(label(tag.id) for tag in group))}", ""), 2
                continue
            yield 2, head, 2
            for tag in group:
                reasons = "; ".join(dict.fromkeys(map(why, tag.reasons)))
                yield 4, Text().append(label(tag.id), "magenta").append(f"  {reasons}", "dim"), 2


def tag_form(tags: Iterable[Tag]) -> dict[str, list[str]]:
    """The facts: facet → names of tags, as `{"timing": ["flash"], "ability": ["draw"]}`."""
    facts = [tag for tag in tags if tag.layer != "inferred"]
    return {facet: [_name(tag) for tag in group] for facet, group in _by_facet(facts)}


def reason_form(tags: Iterable[Tag]) -> list[dict[str, Any]]:
    """Each extracted tag with its layer, facet, IRI, label and reasons; attributes are their own reason."""
    return [_form(tag) for tag in tags if tag.layer == "extracted"]


def theme_form(tags: Iterable[Tag]) -> list[dict[str, Any]]:
    """The inferred themes, each with the premises that it was inferred from."""
    return [_form(tag) for tag in tags if tag.layer == "inferred"]


def _name(tag: Tag) -> str:
    """`draw` of ability.draw, `goblin` of type:goblin."""
    return tag.id.partition(":" if ":" in tag.id else ".")[2]


def _by_facet(tags: Iterable[Tag]) -> Iterator[tuple[str, list[Tag]]]:
    for facet, group in groupby(sorted(tags, key=lambda tag: tag.facet), key=lambda tag: tag.facet):
        yield facet, list(group)


def _form(tag: Tag) -> dict[str, Any]:
    iri = expand(tag.id) if ":" in tag.id else PREFIXES["tag"] + tag.id
    return {
        "tag": tag.id,
        "facet": tag.facet,
        "iri": iri,
        "label": label(tag.id),
        "reasons": [_reason(r) for r in tag.reasons],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    if reason.premises:
        return {"premises": list(reason.premises)}
    cited = reason.citation
    return {
        "holder": reason.holder,
        "field": reason.field,
        "words": reason.words,
        **({"rule": cited.rule, "relation": cited.relation, "entry": cited.entry} if cited else {}),
    }
