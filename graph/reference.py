"""All rules, keywords and types of the graph as flat rows, without the cards that cite them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec import Struct
from pyoxigraph import NamedNode

from cardlaw.ontology.namespaces import MTG

from .facts import Facts, Reader, local, node
from .rulequads import sort_key
from .store import Store

__all__ = ["KeywordRow", "RuleRow", "TypeRow", "keywords", "rules", "types"]


class RuleRow(Struct, frozen=True, kw_only=True):
    """A rule; other rules are given by their numbers, in the order of the book."""

    number: str
    iri: str
    level: str  # "chapter", "section", "rule" or "subrule"
    title: str | None  # its own heading
    heading: str | None  # its own, or that of the nearest rule above that has one
    text: str | None  # None in an outline
    parent: str | None
    references: tuple[str, ...]
    examples: tuple[str, ...]
    card_count: int  # cards that invoke this very rule
    card_count_with_subrules: int


class KeywordRow(Struct, frozen=True, kw_only=True):
    """A keyword ability or action."""

    slug: str  # local name of its IRI
    iri: str
    name: str
    action: bool
    rule: str
    nature: tuple[str, ...]
    variant_of: str | None  # slug
    card_count: int


class TypeRow(Struct, frozen=True, kw_only=True):
    """A word of a type line."""

    slug: str  # local name of its IRI
    iri: str
    name: str
    kind: str  # "CardType", "Supertype", "Subtype", or "Type" where the rulebook does not know it
    rule: str | None
    subtype_of: tuple[str, ...]  # slugs


def rules(store: Store) -> list[RuleRow]:
    """All rules in the order of the book."""
    reader = Reader(store)
    found = (
        RuleRow(
            number=local(iri),
            iri=iri,
            level=facts.need("level"),
            title=facts.text("skos:prefLabel"),
            heading=reader.heading(iri),
            text=facts.text("skos:definition"),
            parent=_local(facts.text("skos:broader")),
            references=tuple(sorted(map(local, facts["refersTo"]), key=sort_key)),
            examples=tuple(sorted(facts["example"])),
            card_count=int(facts.text("cardCount") or 0),
            card_count_with_subrules=int(facts.text("cardCountWithSubrules") or 0),
        )
        for iri, facts in _instances(reader, "Rule")
    )
    return sorted(found, key=lambda rule: sort_key(rule.number))


def keywords(store: Store) -> list[KeywordRow]:
    """All keywords, abilities and actions, by slug."""
    reader = Reader(store)
    found = (
        KeywordRow(
            slug=local(iri),
            iri=iri,
            name=facts.need("rdfs:label"),
            action=action,
            rule=local(facts.need("definedBy")),
            nature=tuple(sorted(facts["nature"])),
            variant_of=_local(facts.text("skos:broader")),
            card_count=int(facts.text("cardCount") or 0),
        )
        for action, kind in ((False, "KeywordAbility"), (True, "KeywordAction"))
        for iri, facts in _instances(reader, kind)
    )
    return sorted(found, key=lambda keyword: keyword.slug)


def types(store: Store) -> list[TypeRow]:
    """All types, also those that the rulebook does not know, by slug."""
    reader = Reader(store)
    kinds: dict[str, str] = {}
    for kind in ("Type", "Subtype", "Supertype", "CardType"):
        kinds |= {iri: kind for iri, _ in _instances(reader, kind)}
    found = []
    for iri, kind in sorted(kinds.items()):
        facts = reader.facts(iri)
        found.append(
            TypeRow(
                slug=local(iri),
                iri=iri,
                name=facts.need("rdfs:label"),
                kind=kind,
                rule=_local(facts.text("definedBy")),
                subtype_of=tuple(sorted(map(local, facts["subtypeOf"]))),
            )
        )
    return found


def _instances(reader: Reader, class_: str) -> Iterator[tuple[str, Facts]]:
    found = reader.quads.quads_for_pattern(None, node("rdf:type"), NamedNode(MTG + class_), None)
    for iri in sorted({cast(NamedNode, quad.subject).value for quad in found}):
        yield iri, reader.facts(iri)


def _local(iri: str | None) -> str | None:
    return local(iri) if iri else None
