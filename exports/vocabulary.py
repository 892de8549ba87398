"""The vocabulary, `ontology/cardlaw.ttl`, as files of RDF and as records to document it by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple, cast

from pyoxigraph import BlankNode, NamedNode, RdfFormat, Triple, parse, serialize

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES, compact

__all__ = ["ONTOLOGY", "VocabularyTerm", "about", "ontology", "terms", "words"]

ONTOLOGY = f"{BASE}ontology"
"""The IRI of the vocabulary as a whole."""

_TIES = {
    "rdfs:subClassOf": "is a",
    "rdfs:subPropertyOf": "implies",
    "rdfs:domain": "of",
    "rdfs:range": "value",
    "skos:closeMatch": "close to",
    "owl:disjointWith": "never a",
}
"""What is told of a class or property, in the order in which it stands there."""


class VocabularyTerm(NamedTuple):
    """A class or a property of `mtg:`; ties are to IRIs."""

    name: str  # local
    kind: str  # "class", "object property", "datatype property" or "annotation property"
    label: str
    comment: str
    ties: Mapping[str, tuple[str, ...]]  # of `_TIES` as words, "below" and "with properties"
    chains: tuple[tuple[str, ...], ...]  # properties that together imply it

    @property
    def is_class(self) -> bool:
        return self.kind == "class"


@cache
def ontology(suffix: str) -> bytes:
    """The vocabulary in the form of a suffix of `rdfforms.FORMATS`; Turtle is the file itself."""
    source = data("cardlaw.ttl").read_bytes()
    if suffix == "ttl":
        return source
    if suffix == "jsonld":
        from rdflib import Graph

        graph = Graph().parse(source, format="turtle")
        context = {prefix: str(namespace) for prefix, namespace in graph.namespaces()}
        return graph.serialize(format="json-ld", context=context, indent=1, encoding="utf-8")
    form = RdfFormat.N_TRIPLES if suffix == "nt" else RdfFormat.RDF_XML
    return cast(bytes, serialize(_triples(), format=form, prefixes={**PREFIXES}))


@cache
def _triples() -> tuple[Triple, ...]:
    return tuple(parse(data("cardlaw.ttl").read_bytes(), format=RdfFormat.TURTLE))


@cache
def _said() -> Mapping[object, Mapping[str, list[object]]]:
    """Subject → prefixed name of a property → values."""
    said: dict[object, dict[str, list[object]]] = defaultdict(lambda: defaultdict(list))
    for triple in _triples():
        said[triple.subject][compact(triple.predicate.value)].append(triple.object)
    return said


def about() -> dict[str, str]:
    """What the vocabulary says of itself, by prefixed name of the property."""
    return {name: _text(values[0]) for name, values in _said()[NamedNode(ONTOLOGY)].items()}


@cache
def terms() -> Mapping[str, VocabularyTerm]:
    """By local name, in the order of the alphabet, classes first."""
    found = list(_terms())
    below: dict[str, list[str]] = defaultdict(list)
    having: dict[str, list[str]] = defaultdict(list)
    for term in found:
        for above in (*term.ties.get("is a", ()), *term.ties.get("implies", ())):
            below[above].append(MTG + term.name)
        for owner in term.ties.get("of", ()):
            having[owner].append(MTG + term.name)
    whole = {}
    for term in sorted(found, key=lambda term: (not term.is_class, term.name.lower())):
        more = {"more special": below[MTG + term.name], "with properties": having[MTG + term.name]}
        ties = {**term.ties, **{name: tuple(sorted(iris)) for name, iris in more.items() if iris}}
        whole[term.name] = term._replace(ties=ties)
    return whole


def _terms() -> Iterator[VocabularyTerm]:
    for subject, said in _said().items():
        kinds = [compact(_text(kind)).partition(":")[2] for kind in said.get("rdf:type", ())]
        if not isinstance(subject, NamedNode) or not subject.value.startswith(MTG) or not kinds:
            continue
        chains = said.get("owl:propertyChainAxiom", ())
        yield VocabularyTerm(
            name=subject.value[len(MTG) :],
            kind=words(kinds[0]).lower(),
            label=_text(said["rdfs:label"][0]),
            comment=_text(said["rdfs:comment"][0]),
            ties={words_: tuple(map(_text, said[name])) for name, words_ in _TIES.items() if name in said},
            chains=tuple(tuple(_members(chain)) for chain in chains),
        )


def _members(node: object) -> Iterator[str]:
    """Of an RDF list."""
    while isinstance(node, BlankNode):
        cell = _said()[node]
        yield _text(cell["rdf:first"][0])
        node = cell["rdf:rest"][0]


def words(name: str) -> str:
    """A local name as words: `subClassOf` → `sub class of`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def _text(term: object) -> str:
    return str(getattr(term, "value", term))
