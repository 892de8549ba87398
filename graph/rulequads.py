"""The rulebook and the vocabulary to N-Quads, once for a graph.

What comes in is one release of the Comprehensive Rules and the citation catalogue that was resolved
against it, or `ontology/cardlaw.ttl`; what goes out are sorted lines that end in a line feed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeAlias

from msgspec import Struct

from cardlaw.ontology import data

from .model import Rulebook
from .naming import slug, source_slug
from .nquads import TRUE, P, end, iri, literal, typed
from .words import SUPERTYPES, Words, subtype_owners

__all__ = ["Entry", "Origin", "ontology_quads", "release_statements", "rulebook_quads", "sort_key"]

_RIGHTS = (
    "Copyright Wizards of the Coast, used under the Fan Content Policy "
    "(https://company.wizards.com/en/legal/fancontentpolicy)."
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Statement: TypeAlias = tuple[str, str, str]
"""Subject, prefixed name of the predicate, object."""


class Entry(Protocol):
    """What is said of an entry of the citation catalogue."""

    @property
    def id(self) -> str: ...
    @property
    def relation(self) -> str: ...
    @property
    def anchor(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def rule(self) -> str | None: ...


class Origin(Struct, frozen=True, kw_only=True):
    """Where an entry comes from that did not ship with the project."""

    source: str  # its name, as `origins.source_lines` has it
    replaces: bool = False  # a shipped entry had this id
    disabled: bool = False
    addition: bool = False  # of a single citation, by a file of corrections


def rulebook_quads(
    rulebook: Rulebook,
    entries: Iterable[Entry] = (),
    own: Mapping[str, Origin] | None = None,
    *,
    source: str | None = None,
    versions: bool = True,
) -> Iterator[str]:
    """The lines of `layer:rules`, sorted: the rules, the glossary, keywords, types and the catalogue.

    The words of rules and senses are in it when the rulebook has them (`has_text`).

    Args:
        rulebook: the release.
        entries: what can be cited by it.
        own: by id, those entries that did not ship with the project.
        source: name of the file of the release, as `origins.source_lines` has it.
        versions: describe the release and its versions of the rules; not where `layer:releases` does.
    """
    words = Words.of(rulebook)
    layer = end("rules")
    statements = {
        f"{subject}{P[predicate]}{value}{layer}"
        for part in (
            release_statements(rulebook, source) if versions else (),
            _versions(rulebook) if versions else (),
            _rules(rulebook),
            _terms(rulebook),
            _keywords(rulebook, words),
            _types(rulebook, words),
            _entries(entries, own or {}),
        )
        for subject, predicate, value in part
    }
    yield from sorted(statements)


def release_statements(rulebook: Rulebook, source: str | None) -> Iterator[Statement]:
    """What is said of a release itself; `source` is the name of its file, as `source_lines` has it."""
    scheme = iri(f"cr:{rulebook.release}")
    yield scheme, "rdf:type", iri("RulebookRelease")
    yield scheme, "rdfs:label", literal(f"Comprehensive Rules, {rulebook.release}")
    yield scheme, "dcterms:title", literal("Magic: The Gathering Comprehensive Rules")
    yield scheme, "dcterms:issued", typed(rulebook.release, "date")
    yield scheme, "dcterms:rights", literal(_RIGHTS)
    if source is not None:
        yield scheme, "dcterms:source", iri(f"source:{source_slug(source)}")


def _versions(rulebook: Rulebook) -> Iterator[Statement]:
    scheme = iri(f"cr:{rulebook.release}")
    for number in rulebook.rules:
        version = iri(f"cr:{rulebook.release}.{number}")
        yield version, "rdf:type", iri("RuleVersion")
        yield version, "rdfs:label", literal(f"{number} ({rulebook.release})")
        yield version, "skos:notation", literal(number)
        yield version, "skos:inScheme", scheme


def _rules(rulebook: Rulebook) -> Iterator[Statement]:
    scheme = iri(f"cr:{rulebook.release}")
    for rule in rulebook.rules.values():
        subject = iri(f"rule:{rule.number}")
        yield subject, "rdf:type", iri("Rule")
        yield subject, "rdfs:label", literal(f"{rule.number} {rule.title}" if rule.title else rule.number)
        yield subject, "skos:notation", literal(rule.number)
        yield subject, "sortKey", literal(sort_key(rule.number))
        yield subject, "level", literal(_level(rule.number))
        yield subject, "skos:inScheme", scheme
        yield subject, "prov:specializationOf", iri(f"cr:{rulebook.release}.{rule.number}")
        if rule.title is not None:
            yield subject, "skos:prefLabel", literal(rule.title)
        if rule.text is not None:
            yield subject, "skos:definition", literal(rule.text)
        if rule.parent is not None:
            yield subject, "skos:broader", iri(f"rule:{rule.parent}")
        for example in rule.examples:
            yield subject, "example", literal(example)
        for reference in rule.references:
            yield subject, "refersTo", iri(f"rule:{reference}")


def sort_key(number: str) -> str:
    """Text that puts rule numbers in the order of the book: 702.9 is `702.009`, before `702.010`.

    After z comes aa in the book, so that it is written `zaa`.
    """
    section, dot, rest = number.partition(".")
    digits = rest.rstrip(_LETTERS)
    letters = rest[len(digits) :]
    return f"{section}{dot}{digits:0>3}{'z' * (len(letters) - 1)}{letters}" if dot else section


def _level(number: str) -> str:
    if "." not in number:
        return "chapter" if len(number) == 1 else "section"
    return "subrule" if number[-1].isalpha() else "rule"


def _terms(rulebook: Rulebook) -> Iterator[Statement]:
    by_name = {
        slug(name): iri(f"term:{slug(term.names[0])}") for term in rulebook.terms for name in term.names
    }
    for term in rulebook.terms:
        subject = by_name[slug(term.names[0])]
        yield subject, "rdf:type", iri("Term")
        yield subject, "rdfs:label", literal(term.names[0])
        yield subject, "skos:prefLabel", literal(term.names[0])
        for name in term.names[1:]:
            yield subject, "skos:altLabel", literal(name)
        for number, sense in enumerate(term.senses, 1):
            numbered = f"{number}. {sense}" if len(term.senses) > 1 else sense  # as the glossary prints them
            yield subject, "skos:definition", literal(numbered)
        for reference in term.references:
            yield subject, "refersTo", iri(f"rule:{reference}")
        for name in term.see:
            if slug(name) in by_name:
                yield subject, "rdfs:seeAlso", by_name[slug(name)]
        if term.obsolete:
            yield subject, "obsolete", TRUE


def _keywords(rulebook: Rulebook, words: Words) -> Iterator[Statement]:
    by_name = {(k.name, k.action): words.keywords[k.name, k.action] for k in rulebook.vocabulary.keywords}
    for keyword in rulebook.vocabulary.keywords:
        subject = words.keywords[keyword.name, keyword.action]
        yield subject, "rdf:type", iri("KeywordAction" if keyword.action else "KeywordAbility")
        yield subject, "rdfs:label", literal(keyword.name)
        yield subject, "skos:prefLabel", literal(keyword.name)
        yield subject, "definedBy", iri(f"rule:{keyword.rule}")
        for nature in keyword.nature:
            yield subject, "nature", literal(nature)
        if keyword.variant_of is not None and (broader := by_name.get((keyword.variant_of, keyword.action))):
            yield subject, "skos:broader", broader


def _types(rulebook: Rulebook, words: Words) -> Iterator[Statement]:
    for name, rule in words.card_types.items():
        yield from _type(name, "CardType")
        yield iri(f"type:{slug(name)}"), "definedBy", iri(f"rule:{rule}")
    for name in SUPERTYPES:
        yield from _type(name, "Supertype")
        if "205.4" in rulebook.rules:
            yield iri(f"type:{slug(name)}"), "definedBy", iri("rule:205.4")
    for group, names in rulebook.vocabulary.subtypes.items():
        for name in names:
            yield from _type(name, "Subtype")
            for card_type in subtype_owners(group) & words.card_types.keys():
                yield iri(f"type:{slug(name)}"), "subtypeOf", iri(f"type:{slug(card_type)}")


def _type(name: str, class_: str) -> Iterator[Statement]:
    subject = iri(f"type:{slug(name)}")
    yield subject, "rdf:type", iri(class_)
    yield subject, "rdfs:label", literal(name)
    yield subject, "skos:prefLabel", literal(name)


def _entries(entries: Iterable[Entry], own: Mapping[str, Origin]) -> Iterator[Statement]:
    for entry in entries:
        subject = iri(f"entry:{entry.id}")
        origin = own.get(entry.id)
        yield subject, "rdf:type", iri("Addition" if origin and origin.addition else "CatalogueEntry")
        yield subject, "rdfs:label", literal(entry.id)
        yield subject, "relation", literal(entry.relation)
        yield subject, "anchor", literal(entry.anchor)
        if entry.note:
            yield subject, "rdfs:comment", literal(entry.note)
        if entry.rule is not None:
            yield subject, "resolvesTo", iri(f"rule:{entry.rule}")
        if origin is not None:
            yield subject, "prov:wasDerivedFrom", iri(f"source:{source_slug(origin.source)}")
            if origin.replaces:
                yield subject, "replacesShipped", TRUE
            if origin.disabled:
                yield subject, "disabled", TRUE


def ontology_quads() -> Iterator[str]:
    """The lines of `layer:ontology`, sorted: all of `ontology/cardlaw.ttl`, the layers' rights among it."""
    import pyoxigraph

    layer = end("ontology")
    triples = list(pyoxigraph.parse(data("cardlaw.ttl").read_bytes(), pyoxigraph.RdfFormat.TURTLE))
    blank: dict[pyoxigraph.BlankNode, str] = {}
    for triple in triples:
        for term in (triple.subject, triple.object):
            if isinstance(term, pyoxigraph.BlankNode):
                blank.setdefault(term, f"_:b{len(blank)}")  # in the order of the file, the same each time
    yield from sorted(
        f"{blank.get(t.subject, str(t.subject))} {t.predicate} {blank.get(t.object, str(t.object))}{layer}"
        for t in triples
    )
