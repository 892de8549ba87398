"""What the graph says of one node: its own statements, those that point at it, and labels to read them by.

A hub is pointed at by some ten thousand statements, so that of each property only the first `MOST` are
taken, in the order of the store, which is that of a hash: a sample, the same each time. How many there are
is counted by a query, which takes 25 ms for 50,000 of them; all else are look-ups by pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, cast
from urllib.parse import urlencode

from pyoxigraph import BlankNode, Literal, NamedNode, QuerySolutions, Triple

from cardlaw.graph.lookup import natural
from cardlaw.graph.store import FACTS, Store
from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES, compact, expand

__all__ = ["MOST", "Description", "Incoming", "Statement", "describe", "known"]

MOST = 100
"""As many statements of one property that point at a node are shown."""

_TYPE, _LABEL, _QUOTE, _SEE = (
    NamedNode(expand(name)) for name in ("rdf:type", "rdfs:label", "mtg:quote", "rdfs:seeAlso")
)

Value: TypeAlias = NamedNode | Literal


class Statement(NamedTuple):
    """What a layer says of the node."""

    layer: str
    predicate: NamedNode
    value: Value


class Incoming(NamedTuple):
    """Those whose property in a layer has the node as its value."""

    layer: str
    predicate: NamedNode
    subjects: tuple[NamedNode, ...]  # at most `MOST`
    total: int  # of all

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.subjects)


class Description(NamedTuple):
    """A node as the layers of facts have it, in their order."""

    iri: str
    statements: tuple[Statement, ...] = ()
    incoming: tuple[Incoming, ...] = ()
    labels: Mapping[str, Literal] = MappingProxyType({})  # of the other nodes, where they have one

    def triples(self, base: str) -> Iterator[Triple]:
        """All of it as RDF, without blank nodes; where it was cut, rdfs:seeAlso to the query for the rest.

        Args:
            base: what the addresses of the server begin with.
        """
        node = NamedNode(self.iri)
        for statement in self.statements:
            yield Triple(node, statement.predicate, statement.value)
        for incoming in self.incoming:
            for subject in incoming.subjects:
                yield Triple(subject, incoming.predicate, node)
            if incoming.is_cut:
                rest = NamedNode(f"{base}sparql?{urlencode({'query': self.construct(incoming)})}")
                yield Triple(node, _SEE, rest)
                title = f"All {incoming.total:,} statements {compact(incoming.predicate.value)} of this"
                yield Triple(rest, _LABEL, Literal(title))
        for iri, label in self.labels.items():
            yield Triple(NamedNode(iri), _QUOTE if _is_quoted(iri) else _LABEL, label)

    def construct(self, incoming: Incoming) -> str:
        """The query that gives all statements of a property that was cut."""
        return f"CONSTRUCT WHERE {{ ?subject {compact(incoming.predicate.value)} {compact(self.iri)} }}"

    def select(self, incoming: Incoming) -> str:
        """The same as a list, for people."""
        pattern = f"?subject {compact(incoming.predicate.value)} {compact(self.iri)}"
        return (
            f"SELECT ?subject ?label WHERE {{\n  {pattern} .\n  OPTIONAL {{ ?subject rdfs:label ?label }}\n}}"
        )


def known(store: Store, iri: str) -> bool:
    """Whether a layer of facts says anything of the node, or by it of another."""
    try:
        node = NamedNode(iri)
    except ValueError:
        return False
    layers = {PREFIXES["layer"] + name for name in _layers(iri)}
    for pattern in ((node, None), (None, node)):
        found = store.quads.quads_for_pattern(pattern[0], None, pattern[1], None)
        if any(cast(NamedNode, quad.graph_name).value in layers for quad in found):
            return True
    return False


def _layers(iri: str) -> tuple[str, ...]:
    """Those that tell of a node: of a theme that is inferred also the layer of themes, else facts alone."""
    return (*FACTS, "themes") if iri.startswith(PREFIXES["inference"]) else FACTS


def describe(store: Store, iri: str, *, sampled: bool = True) -> Description:
    """All that the layers of facts say of a node of the data, which has no blank nodes; of a theme its own.

    Args:
        store: the graph.
        iri: of the node.
        sampled: of a property that points at the node more than `MOST` times, whether the first are told;
            else nothing of it, for where the rest cannot be asked.
    """
    node, layers = NamedNode(iri), _layers(iri)
    statements = []
    for quad in store.quads.quads_for_pattern(node, None, None, None):
        layer = _layer(quad.graph_name)
        if layer in layers and not isinstance(quad.object, BlankNode):
            statements.append(Statement(layer, quad.predicate, cast(Value, quad.object)))
    statements.sort(key=lambda s: (layers.index(s.layer), *_rank(s.predicate), _order(s.value)))
    incoming = list(_incoming(store, node, sampled=sampled))
    incoming.sort(key=lambda each: (FACTS.index(each.layer), *_rank(each.predicate)))
    others = {s.value.value for s in statements if isinstance(s.value, NamedNode)}
    others.update(subject.value for each in incoming for subject in each.subjects)
    return Description(iri, tuple(statements), tuple(incoming), dict(_labels(store, others - {iri})))


def _incoming(store: Store, node: NamedNode, *, sampled: bool) -> Iterator[Incoming]:
    counts = store.query(
        f"SELECT ?layer ?property (COUNT(*) AS ?count) "
        f"{{ GRAPH ?layer {{ ?subject ?property {node} }} }} GROUP BY ?layer ?property"
    )
    for graph, predicate, count in cast(QuerySolutions, counts):
        if (layer := _layer(graph)) in FACTS and (sampled or int(count.value) <= MOST):
            found = store.quads.quads_for_pattern(None, predicate, node, graph)
            nodes = (quad.subject for quad in found if isinstance(quad.subject, NamedNode))
            subjects = sorted(islice(nodes, MOST), key=_order)
            if subjects:
                yield Incoming(layer, predicate, tuple(subjects), int(count.value))


def _labels(store: Store, iris: Iterable[str]) -> Iterator[tuple[str, Literal]]:
    """The labels of nodes of the data, not of the vocabulary; what a citation quotes is its label."""
    for iri in sorted(iris):
        if iri.startswith(BASE) and not iri.startswith(MTG):
            predicate = _QUOTE if _is_quoted(iri) else _LABEL
            for quad in store.quads.quads_for_pattern(NamedNode(iri), predicate, None, None):
                yield iri, cast(Literal, quad.object)
                break


def _is_quoted(iri: str) -> bool:
    return iri.startswith((PREFIXES["citation"], PREFIXES["removal"]))


def _layer(graph: object) -> str:
    return graph.value.removeprefix(PREFIXES["layer"]) if isinstance(graph, NamedNode) else ""


def _rank(predicate: NamedNode) -> tuple[bool, str]:
    """Type and label first, then by name."""
    return predicate not in (_TYPE, _LABEL), compact(predicate.value)


def _order(value: Value) -> list[tuple[int, str]]:
    return natural(value.value)
