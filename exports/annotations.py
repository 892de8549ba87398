"""Citations as full annotations of the W3C Web Annotation Data Model (Recommendation of 2017).

In the graph a citation is a handful of statements. Here each is an oa:Annotation whose body is the rule and
whose target is the words: a specific resource with the ability or face as its scope, the text of a field of
the face as its source, and two selectors, the quote with up to 32 characters on either side and the position
in code points. The source carries its words (rdf:value), so that selectors can be resolved with nothing
else at hand. Relation and flags stay as they are; the catalogue entry is what it was derived from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cardlaw.graph.layers import Statement, by_card, part_of, value
from cardlaw.graph.nquads import IS, P, iri, literal, typed
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

__all__ = ["annotated"]

_CONTEXT = 32
"""Characters of the text on either side of a quote."""
_TEXT = "<http://purl.org/dc/dcmitype/Text>"
_FIELDS = {"oracle_text": "oracleText", "type_line": "typeLine", "mana_cost": "manaCost"}
_PROPERTIES = {P[name].strip(): name for name in _FIELDS.values()}
_KEPT = {P[name].strip() for name in ("rdf:type", "relation", "inReminder", "isGranted", "isConditional")}
_CITATION = tuple(IS["Citation"].split())


def annotated(store: Store) -> Iterator[Statement]:
    """The statements of `layer:evidence`, each citation as an annotation, subject by subject.

    Raises:
        StoreError: if a file is damaged.
    """
    texts = _texts(store)
    for owner, found in by_card(store, "evidence"):
        words = next((words for slug, words in texts if slug == owner), None)
        if words is None:
            raise store.damaged("its layers do not tell of the same cards")
        told: set[str] = set()
        for subject, group in groupby(found, key=lambda statement: statement[0]):
            listed = [(predicate, term) for _, predicate, term in group]
            if _CITATION in listed:
                yield from _annotation(subject, dict(listed), words, told)
            else:
                yield from ((subject, predicate, term) for predicate, term in listed)


def _texts(store: Store) -> Iterator[tuple[str, dict[tuple[str, str], str]]]:
    """By slug of a card, the texts of its faces by face and property, as N-Quads has them."""
    for slug, found in by_card(store, "cards"):
        yield (
            slug,
            {
                (subject, _PROPERTIES[predicate]): term
                for subject, predicate, term in found
                if predicate in _PROPERTIES
            },
        )


def _annotation(
    subject: str, facts: dict[str, str], words: dict[tuple[str, str], str], told: set[str]
) -> Iterator[Statement]:
    """The statements of one citation, and before them those of its source, if it is not `told` yet."""

    def fact(name: str) -> str | None:
        return facts.get(P[name].strip())

    name = _FIELDS[value(fact("field") or '"oracle_text"')]
    slug, number = part_of(subject) or ("", 0)
    face = f"<{PREFIXES['face']}{slug}.{number}>"
    text = value(words[face, name])
    source = _fragment(face, name)
    if source not in told:
        told.add(source)
        yield from _said(
            source,
            ("rdf:type", _TEXT),
            ("rdf:value", words[face, name]),
            ("dcterms:format", literal("text/plain")),
            ("dcterms:isPartOf", face),
        )
    start, end = int(value(facts[P["start"].strip()])), int(value(facts[P["end"].strip()]))
    target, quote, position = (_fragment(subject, part) for part in ("target", "quote", "position"))
    yield from _said(subject, ("rdf:type", iri("oa:Annotation")))
    yield from ((subject, predicate, term) for predicate, term in facts.items() if predicate in _KEPT)
    yield from _said(
        subject,
        ("oa:hasBody", fact("rule")),
        ("oa:hasTarget", target),
        ("oa:motivatedBy", iri("oa:linking")),
        ("prov:wasDerivedFrom", fact("entry")),
    )
    yield from _said(
        target,
        ("rdf:type", iri("oa:SpecificResource")),
        ("oa:hasSource", source),
        ("oa:hasScope", fact("ability") or fact("face")),
        ("oa:hasSelector", quote),
        ("oa:hasSelector", position),
    )
    before, after = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
    yield from _said(
        quote,
        ("rdf:type", iri("oa:TextQuoteSelector")),
        ("oa:exact", fact("quote")),
        ("oa:prefix", literal(before) if before else None),
        ("oa:suffix", literal(after) if after else None),
    )
    yield from _said(
        position,
        ("rdf:type", iri("oa:TextPositionSelector")),
        ("oa:start", typed(str(start), "nonNegativeInteger")),
        ("oa:end", typed(str(end), "nonNegativeInteger")),
    )


def _said(subject: str, *pairs: tuple[str, str | None]) -> Iterator[Statement]:
    for name, term in pairs:
        if term is not None:
            yield subject, P[name].strip(), term


def _fragment(subject: str, name: str) -> str:
    return f"{subject[:-1]}#{name}>"
