"""Why a query found nothing: words that the vocabulary lacks, and patterns that match nothing.

Only what is certain is told. A query whose WHERE is one basic graph pattern, at most inside one GRAPH, is
taken apart: it is empty because a pattern matches nothing by itself, or because patterns do not match
together. Others may be empty for other reasons, so of them only unknown words are told. rdflib's parser of
SPARQL gives the algebra (SPARQL 1.1, 18.2); what is asked of the store is made from that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import BASE, PREFIXES, compact

from .queries import declared, prefixed_names

__all__ = ["Asker", "unknown_words", "why_empty"]

Asker = Callable[[str], bool]
"""Answers an ASK query."""

_WRAPPERS = ("Project", "Distinct", "Reduced", "OrderBy", "Slice")
_MOST_PATTERNS = 12
_LAYER = re.compile(r"\bGRAPH\s+layer:(\w+)", re.IGNORECASE)
_MAKING = {"releases": "--rules and a folder of releases", "rulings": "--rulings"}
_DATA = re.compile(rf"{re.escape(BASE)}[a-z]+/")


def why_empty(sparql: str, ask: Asker) -> list[str]:
    """What can be told of a SELECT that found nothing, one reason a line; nothing if nothing is certain.

    Args:
        sparql: the query as it was asked, with its parameters put in.
        ask: asks the store that gave no answer.
    """
    if unknown := list(unknown_words(sparql)):
        return unknown
    plain = _plain(sparql)
    if plain is None:
        return list(_layers_missing(sparql, ask))
    graph, triples = plain
    if graph is not None and not ask(f"ASK {{ GRAPH {graph.n3()} {{ ?s ?p ?o }} }}"):
        return [f"There is no graph {_term(graph)}."]
    shown = [_show(triple) for triple in triples]
    empty = [number for number, triple in enumerate(triples) if not ask(_asking(graph, [triple]))]
    where = f" in {_term(graph)}" if graph is not None else ""
    if empty:
        return [
            f"Nothing{where} matches {shown[number]}{_missing(triples[number], ask)}." for number in empty
        ]
    for size in range(2, len(triples) + 1):
        if ask(_asking(graph, triples[:size])):
            continue
        last = size - 1
        for first in range(last):
            if not ask(_asking(graph, [triples[first], triples[last]])):
                return [
                    f"Each pattern matches{where}, but nothing fits both {shown[first]} and {shown[last]}."
                ]
        return [f"Each pattern matches{where}, but nothing fits all of {' and '.join(shown[:size])}."]
    return []


def _layers_missing(sparql: str, ask: Asker) -> Iterator[str]:
    """The layers that a query names and that have no statement, each with what makes them."""
    for name in dict.fromkeys(_LAYER.findall(sparql)):
        if not ask(f"ASK {{ GRAPH layer:{name} {{ ?s ?p ?o }} }}"):
            made = f": build it with {_MAKING[name]}" if name in _MAKING else ""
            yield f"There is no graph layer:{name}{made}."


def unknown_words(sparql: str) -> Iterator[str]:
    """Words of `mtg:` in a query that the vocabulary does not have, with what may be meant."""
    known = _vocabulary()
    if "mtg" in declared(sparql):
        return
    for prefix, local in prefixed_names(sparql):
        if prefix == "mtg" and local and local not in known:
            near = get_close_matches(local, known, 1, 0.6)
            meant = f"; did you mean mtg:{near[0]}?" if near else "."
            yield f"mtg:{local} is not in the vocabulary{meant}"


@cache
def _vocabulary() -> tuple[str, ...]:
    return tuple(re.findall(r"^mtg:(\w+) a ", data("cardlaw.ttl").read_text(encoding="utf-8"), re.MULTILINE))


def _plain(sparql: str) -> tuple[Any, list[tuple[Any, Any, Any]]] | None:
    """Graph, or None, and triples of a SELECT with one basic graph pattern; None if it is no such query."""
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    prologue = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in PREFIXES.items())
    try:
        algebra: Any = translateQuery(parseQuery(prologue + sparql)).algebra
    except Exception:  # rdflib does not read all that SPARQL allows, and says so by many exceptions
        return None
    if algebra.name != "SelectQuery" or algebra.datasetClause:
        return None
    part = algebra.p
    limit = 1
    while part.name in _WRAPPERS:
        if part.name == "Slice":
            limit = 0 if part.start or part.length == 0 else limit
        part = part.p
    graph = None
    if part.name == "Graph":
        graph, part = part.term, part.p
    if not limit or part.name != "BGP" or not 0 < len(part.triples) <= _MOST_PATTERNS:
        return None
    return graph, part.triples


def _asking(graph: Any, triples: list[tuple[Any, Any, Any]]) -> str:
    patterns = " ".join(f"{' '.join(term.n3() for term in triple)} ." for triple in triples)
    return f"ASK {{ {patterns} }}" if graph is None else f"ASK {{ GRAPH {graph.n3()} {{ {patterns} }} }}"


def _show(triple: tuple[Any, Any, Any]) -> str:
    return f"“{' '.join(map(_term, triple))}”"


def _term(term: Any) -> str:
    return re.sub(r"<([^<>\s]*)>", lambda match: compact(match[1]), term.n3())


def _missing(triple: tuple[Any, Any, Any], ask: Asker) -> str:
    """The first of the pattern's own nodes that the graph does not have at all, as the end of a sentence."""
    for term in (triple[0], triple[2]):
        node = term.n3()
        anywhere = f"{{ {node} ?p ?o }} UNION {{ ?s ?p {node} }}"
        if _DATA.match(node, 1) and not ask(f"ASK {{ {anywhere} UNION {{ GRAPH ?g {{ {anywhere} }} }} }}"):
            return f": there is no {compact(term)}"
    return ""
