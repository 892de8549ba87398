"""Extracted tags: linked abilities in, ability tags, timing tags and keyword tags out, each with its proof.

A tag is told once for each ability, or face, that proves it, by the first of its definitions that holds. An
ability that grants others is read without their words: those are abilities of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import get_args

from ..abilities.masking import blank, scan
from ..model import Ability, Card, Citation, Face, Kind, Span
from ..naming import slug
from .definitions import Definition, load_definitions
from .tags import Reason, Tag

__all__ = ["KEYWORD_FACETS", "Extractor", "keyword_of"]

KEYWORD_FACETS = {"has_keyword": "keyword.has", "grants_keyword": "keyword.grants"}


class Extractor:
    """Reads cards by the definitions.

    terms: lowercase rules words, those of the linker's lexicon: see `abilities.masking.scan`.
    definitions: default: those that ship.
    """

    def __init__(self, terms: frozenset[str], definitions: Iterable[Definition] | None = None) -> None:
        self.terms = terms
        self.definitions = tuple(load_definitions() if definitions is None else definitions)
        by_entry: dict[tuple[str, str], list[Definition]] = defaultdict(list)
        by_kind: dict[tuple[str, str, str], list[Definition]] = defaultdict(list)
        for definition in self.definitions:
            for key in product(definition.cites, definition.relations):
                by_entry[key].append(definition)
                for kind in definition.kinds or get_args(Kind):
                    by_kind[*key, kind].append(definition)
        self._by_entry = {key: tuple(found) for key, found in by_entry.items()}
        self._by_kind = {key: tuple(found) for key, found in by_kind.items()}

    def __call__(self, card: Card) -> tuple[Tag, ...]:
        """The tags of a linked card, by facet and id."""
        reasons: dict[tuple[str, str], list[Reason]] = {}
        for face in card.faces:
            for facet, tag, reason in self.of_face(face):
                reasons.setdefault((facet, tag), []).append(reason)
        return tuple(
            Tag(id=tag, layer="extracted", facet=facet, reasons=tuple(found))
            for (facet, tag), found in sorted(reasons.items())
        )

    def of_face(self, face: Face) -> Iterator[tuple[str, str, Reason]]:
        """Facet, tag and reason, in the order of the abilities; those of the type line first."""
        types = frozenset((face.type_line or "").split())
        for citation in face.citations:
            for definition in self._by_entry.get((citation.entry, citation.relation), ()):
                span = (citation.start, citation.end)
                yield (
                    definition.facet,
                    definition.tag,
                    _reason(str(face.number), citation, span, citation.quote),
                )
        if not face.abilities:
            return
        text = scan(face, self.terms).spoken
        inside: dict[str, list[Span]] = {}
        for ability in face.abilities:
            if ability.parent is not None:
                inside.setdefault(ability.parent, []).append((ability.start, ability.end))
        for ability in face.abilities:
            own = text
            if inside and (within := inside.get(ability.id)):
                own = blank(text, tuple(sorted(within)))
            yield from self._of_ability(face, ability, types, own)

    def _of_ability(
        self, face: Face, ability: Ability, types: frozenset[str], text: str
    ) -> Iterator[tuple[str, str, Reason]]:
        proven: set[str] = set()
        tried: set[str] = set()
        of_kind, kind = self._by_kind.get, ability.kind
        for citation in ability.citations:
            if citation.in_reminder:
                continue
            relation = citation.relation
            if relation in KEYWORD_FACETS and (keyword := keyword_of(ability, citation)):
                span = (citation.start, citation.end)
                yield KEYWORD_FACETS[relation], keyword, _reason(ability.id, citation, span, citation.quote)
            for definition in of_kind((citation.entry, relation, kind), ()):
                if definition.tag in proven or definition.id in tried:
                    continue
                if definition.pattern is not None:
                    tried.add(definition.id)
                    if not definition.may_hold(text):
                        continue
                if not _holds(definition, ability, types):
                    continue
                if found := _evidence(definition, ability, citation, text):
                    proven.add(definition.tag)
                    words = (face.oracle_text or "")[found[0] : found[1]]
                    yield definition.facet, definition.tag, _reason(ability.id, citation, found, words)


def _holds(definition: Definition, ability: Ability, types: frozenset[str]) -> bool:
    """Whether all that a definition asks for besides its words and the kind of the ability is so."""
    if not ability.granted:
        if definition.types and definition.types.isdisjoint(types):
            return False
        if definition.not_types and not definition.not_types.isdisjoint(types):
            return False
    if definition.also or definition.without:
        entries = {citation.entry for citation in ability.citations if not citation.in_reminder}
        if definition.also and definition.also.isdisjoint(entries):
            return False
        return definition.without.isdisjoint(entries)
    return True


def _evidence(definition: Definition, ability: Ability, citation: Citation, text: str) -> Span | None:
    """The words that prove a tag."""
    if not definition.part:
        if definition.pattern is None:
            return citation.start, citation.end
        return definition.find(text, ability.start, ability.end)
    for part in _parts(definition, ability):
        if definition.pattern is None:
            if part[0] <= citation.start < part[1]:
                return citation.start, citation.end
        elif found := definition.find(text, *part):
            return found
    return None


def _parts(definition: Definition, ability: Ability) -> Iterator[Span]:
    """Where the words have to stand; what stands in rows below a keyword such as Spree is its effect."""
    for name in definition.part:
        part: Span | None = getattr(ability.parts, name)
        if part is not None:
            yield part
        elif name == "effect" and ability.kind == "keyword" and "\n" in ability.text:
            yield ability.start, ability.end


def _reason(holder: str, citation: Citation, span: Span, words: str) -> Reason:
    return Reason(holder=holder, field=citation.field, words=words, span=span, citation=citation)


def keyword_of(ability: Ability, citation: Citation) -> str | None:
    """The node of the keyword that an ability has or grants by this citation."""
    named = ability.keyword if citation.relation == "has_keyword" else None
    name = named or citation.title
    return _node(name) if name else None


@lru_cache(1024)
def _node(name: str) -> str:
    return f"keyword:{slug(name)}"
