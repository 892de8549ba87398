"""Extracted tags: linked abilities in, ability tags, timing tags and keyword tags out, each with its proof.

A tag is told once for each ability, or face, that proves it, by the first of its definitions that holds. An
ability that grants others is read without their words: those are abilities of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ..abilities.masking import blank, scan
from ..model import Ability, Card, Citation, Face, Span
from ..naming import slug
from .definitions import Definition, load_definitions
from .tags import Reason, Tag

__all__ = ["Extractor"]

_KEYWORD_FACETS = {"has_keyword": "keyword.has", "grants_keyword": "keyword.grants"}


class Extractor:
    """Reads cards by the definitions.

    definitions: default: those that ship.
    terms: lowercase rules words, those of the linker's lexicon: see `abilities.masking.scan`.
    """

    def __init__(self, terms: frozenset[str], definitions: Iterable[Definition] | None = None) -> None:
        self.terms = terms
        self.definitions = tuple(load_definitions() if definitions is None else definitions)
        self._by_entry: dict[str, list[int]] = defaultdict(list)
        for number, definition in enumerate(self.definitions):
            for entry in definition.cites:
                self._by_entry[entry].append(number)

    def __call__(self, card: Card) -> tuple[Tag, ...]:
        """The tags of a linked card, by facet and id."""
        reasons: dict[tuple[str, str], list[Reason]] = defaultdict(list)
        for face in card.faces:
            for tag, reason in self.of_face(face):
                reasons["ability" if tag.startswith("ability") else tag.split(".")[0], tag].append(reason)
            for facet, keyword, reason in _keywords(face):
                reasons[facet, keyword].append(reason)
        return tuple(
            Tag(id=tag, layer="extracted", facet=facet, reasons=tuple(found))
            for (facet, tag), found in sorted(reasons.items())
        )

    def of_face(self, face: Face) -> Iterator[tuple[str, Reason]]:
        """Each tag with a reason, in the order of the abilities; those of the type line first."""
        types = frozenset((face.type_line or "").replace("—", " ").split())
        yield from self._of_type_line(face, types)
        if not face.abilities:
            return
        text = scan(face, self.terms).spoken
        inside: dict[str, list[Span]] = defaultdict(list)
        for ability in face.abilities:
            if ability.parent is not None:
                inside[ability.parent].append((ability.start, ability.end))
        for ability in face.abilities:
            within = inside.get(ability.id)
            own = blank(text, tuple(sorted(within))) if within else text
            yield from self._of_ability(face, ability, types, own)

    def _of_type_line(self, face: Face, types: frozenset[str]) -> Iterator[tuple[str, Reason]]:
        proven: set[str] = set()
        for citation in face.citations:
            for number in self._by_entry.get(citation.entry, ()):
                definition = self.definitions[number]
                if definition.tag not in proven and _typed(definition, types):
                    proven.add(definition.tag)
                    yield definition.tag, _reason(str(face.number), citation, (citation.start, citation.end), citation.quote)

    def _of_ability(
        self, face: Face, ability: Ability, types: frozenset[str], text: str
    ) -> Iterator[tuple[str, Reason]]:
        cited: dict[int, list[Citation]] = {}
        entries: set[str] = set()
        for citation in ability.citations:
            if citation.in_reminder:
                continue
            entries.add(citation.entry)
            for number in self._by_entry.get(citation.entry, ()):
                cited.setdefault(number, []).append(citation)
        proven: set[str] = set()
        for number in sorted(cited):
            definition = self.definitions[number]
            if definition.tag in proven or not _holds(definition, ability, types, entries):
                continue
            if found := _evidence(definition, ability, cited[number], text):
                citation, span = found
                proven.add(definition.tag)
                words = (face.oracle_text or "")[span[0] : span[1]]
                yield definition.tag, _reason(ability.id, citation, span, words)


def _typed(definition: Definition, types: frozenset[str]) -> bool:
    return not (
        (definition.types and definition.types.isdisjoint(types))
        or not definition.not_types.isdisjoint(types)
    )


def _holds(definition: Definition, ability: Ability, types: frozenset[str], entries: set[str]) -> bool:
    """Whether all that a definition asks for besides its words is so."""
    return not (
        (definition.kinds and ability.kind not in definition.kinds)
        or (definition.also and definition.also.isdisjoint(entries))
        or not definition.without.isdisjoint(entries)
        or (not ability.granted and not _typed(definition, types))
    )


def _evidence(
    definition: Definition, ability: Ability, citations: list[Citation], text: str
) -> tuple[Citation, Span] | None:
    """The citation and the words that prove a tag."""
    spans: list[Span] = [(ability.start, ability.end)]
    if definition.part:
        parts = (getattr(ability.parts, name) for name in definition.part)
        spans = [part for part in parts if part is not None]
    for citation in citations:
        if citation.relation not in definition.relations:
            continue
        for low, high in spans:
            if definition.pattern is not None:
                if found := definition.find(text, low, high):
                    return citation, found
            elif low <= citation.start < high:
                return citation, (citation.start, citation.end)
    return None


def _reason(holder: str, citation: Citation, span: Span, words: str) -> Reason:
    return Reason(holder=holder, field=citation.field, words=words, span=span, citation=citation)


def _keywords(face: Face) -> Iterator[tuple[str, str, Reason]]:
    """Facet, keyword and reason of each keyword ability that the face has or grants."""
    for ability in face.abilities:
        for citation in ability.citations:
            facet = _KEYWORD_FACETS.get(citation.relation)
            if facet is None or citation.in_reminder:
                continue
            name = ability.keyword if facet == "keyword.has" and ability.keyword else citation.title
            if name:
                span = (citation.start, citation.end)
                yield facet, f"keyword:{slug(name)}", _reason(ability.id, citation, span, citation.quote)
