"""What the graph says of a node, by pattern: some microseconds each, where a query takes milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import cast

from pyoxigraph import Literal, NamedNode

from cardlaw.ontology.namespaces import MTG, PREFIXES, compact, expand

from .model import Span
from .store import Store, layer

__all__ = ["Facts", "Reader", "local", "node", "span_of"]

_INTEGER = PREFIXES["xsd"] + "integer"


class Facts(dict[str, list[str]]):
    """Prefixed name of a property (of `mtg:` without a prefix) → IRIs, or texts of literals."""

    def __missing__(self, name: str) -> list[str]:
        return []

    def text(self, name: str) -> str | None:
        return self[name][0] if name in self else None

    def need(self, name: str) -> str:
        return self[name][0]

    def span(self, name: str) -> Span | None:
        return span_of(self[name][0]) if name in self else None


class Reader:
    """Looks up facts, and remembers labels and headings."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.quads = store.quads
        self._labels: dict[str, str] = {}
        self._headings: dict[str, str | None] = {}
        self._predicates: dict[str, str] = {}

    def facts(self, iri: str, typed: set[str] | None = None) -> Facts:
        """All that any layer says of a node; `typed` takes the names of properties with an integer."""
        facts = Facts()
        for quad in self.quads.quads_for_pattern(NamedNode(iri), None, None, None):
            predicate = quad.predicate.value
            name = self._predicates.get(predicate)
            if name is None:
                name = self._predicates[predicate] = compact(predicate).removeprefix("mtg:")
            value = cast(NamedNode | Literal, quad.object)
            if typed is not None and isinstance(value, Literal) and value.datatype.value == _INTEGER:
                typed.add(name)
            facts.setdefault(name, []).append(value.value)
        return facts

    @cached_property
    def primary_source(self) -> str | None:
        """IRI of the source of the cards that name none."""
        return self.facts(layer("cards").value).text("prov:hadPrimarySource")

    def subjects(self, name: str, iri: str) -> list[str]:
        found = self.quads.quads_for_pattern(None, node(name), NamedNode(iri), None)
        return list({cast(NamedNode, quad.subject).value for quad in found})

    def label(self, iri: str) -> str:
        if iri not in self._labels:
            found = self.quads.quads_for_pattern(NamedNode(iri), node("rdfs:label"), None, None)
            self._labels[iri] = next((cast(Literal, quad.object).value for quad in found), local(iri))
        return self._labels[iri]

    def labels(self, iris: Iterable[str]) -> list[str]:
        return [self.label(iri) for iri in iris]

    def heading(self, iri: str) -> str | None:
        """The heading of a rule, or of the nearest rule above it that has one."""
        if iri not in self._headings:
            facts = self.facts(iri)
            above = facts.text("skos:broader")
            title = facts.text("skos:prefLabel")
            self._headings[iri] = self.heading(above) if title is None and above else title
        return self._headings[iri]


def node(name: str) -> NamedNode:
    """The property or class of a prefixed name, of `mtg:` without a prefix."""
    return NamedNode(expand(name) if ":" in name else MTG + name)


def local(iri: str) -> str:
    """The local name of an IRI of the data."""
    return iri.rpartition("/")[2]


def span_of(text: str) -> Span:
    """`char=17,64` (RFC 5147)."""
    start, end = text.removeprefix("char=").split(",")
    return int(start), int(end)
