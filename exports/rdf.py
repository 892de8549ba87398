"""RDF 1.1 TriG and Turtle, and with annotations N-Quads, streamed from the sorted files of the build.

Statements of one subject stand together there, so that one subject at a time is written, its predicates and
objects grouped. What reads TriG gets the same quads as from N-Quads. Turtle has no graphs: it is the
union of the facts, layer after layer; what is said of one subject in two layers stands in two places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby

from cardlaw.graph.layers import datatype, statements
from cardlaw.graph.nquads import end, iri
from cardlaw.graph.store import FACTS, Store
from cardlaw.ontology.namespaces import PREFIXES, compact

from .annotations import annotated

__all__ = ["Pairs", "annotated_nquads", "subjects", "trig", "turtle"]

Pairs = list[tuple[str, str]]
"""Predicates and objects of one subject, as N-Quads has them."""

_XSD = PREFIXES["xsd"]
_SHORT = {  # datatypes whose literals need no quotes, where they are written so (Turtle, 2.5.2 and 2.5.3)
    f"{_XSD}integer": re.compile(r"[+-]?[0-9]+"),
    f"{_XSD}decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    f"{_XSD}boolean": re.compile(r"true|false"),
}
_TYPE = iri("rdf:type")
_NEXT = " ;\n    "
_STEP = 50_000  # statements between two reports


def subjects(
    store: Store, layer: str, told: Callable[[int], None], *, oa: bool
) -> Iterator[tuple[str, Pairs]]:
    """The subjects of a layer, each with what is said of it, in the order of the file.

    Args:
        store: the build.
        layer: name of the layer.
        told: hears how many statements were read since it heard last.
        oa: give citations as Web Annotations.
    """
    found = annotated(store) if oa and layer == "evidence" else statements(store, layer)
    count = 0
    for subject, group in groupby(found, key=lambda statement: statement[0]):
        pairs = [(predicate, term) for _, predicate, term in group]
        yield subject, pairs
        count += len(pairs)
        if count >= _STEP:
            told(count)
            count = 0
    told(count)


def annotated_nquads(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """N-Quads of all layers, citations as Web Annotations."""
    for layer in sorted(store.info.quads):
        tail = end(layer)
        for subject, pairs in subjects(store, layer, told, oa=True):
            yield "".join(f"{subject} {predicate} {term}{tail}" for predicate, term in pairs).encode()


def trig(store: Store, told: Callable[[int], None], *, oa: bool = False) -> Iterator[bytes]:
    """RDF 1.1 TriG: a graph for each layer."""
    yield _prefixes()
    for layer in sorted(store.info.quads):
        yield f"\nlayer:{layer} {{\n".encode()
        for subject, pairs in subjects(store, layer, told, oa=oa):
            yield _block(subject, pairs)
        yield b"}\n"


def turtle(store: Store, told: Callable[[int], None], *, oa: bool = False) -> Iterator[bytes]:
    """RDF 1.1 Turtle: the layers of facts in one graph."""
    yield _prefixes() + b"\n"
    for layer in FACTS:
        if layer in store.info.quads:
            for subject, pairs in subjects(store, layer, told, oa=oa):
                yield _block(subject, pairs)


def _prefixes() -> bytes:
    return "".join(f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in PREFIXES.items()).encode()


def _block(subject: str, pairs: Pairs) -> bytes:
    lines = []
    for predicate, group in groupby(pairs, key=lambda pair: pair[0]):
        verb = "a" if predicate == _TYPE else _term(predicate)
        lines.append(f"{verb} {', '.join(_object(term) for _, term in group)}")
    return f"{_name(subject)} {_NEXT.join(lines)} .\n".encode()


def _object(term: str) -> str:
    """A term of N-Quads as Turtle has it; what stands between quotes is written the same in both."""
    if term[0] != '"':
        return _term(term)
    if term[-1] == '"':
        return term
    kind = datatype(term)
    if kind.startswith("@"):
        return term
    text = term[1 : term.rindex('"')]
    short = _SHORT.get(kind)
    return text if short and short.fullmatch(text) else f'"{text}"^^{_term(f"<{kind}>")}'


def _name(term: str) -> str:
    """An IRI or blank node of N-Quads as Turtle has it."""
    return compact(term[1:-1]) if term[0] == "<" else term


_term = lru_cache(maxsize=50_000)(_name)
"""The same, for what is said of many subjects."""
