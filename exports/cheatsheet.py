"""The cheat sheet: ten queries to start from, the prefixes, the classes and the main properties on one page.

All of it is generated: the queries are the named ones with a `start` line in their header, bound to the
values of that line; the words come from `ontology/cardlaw.ttl`. The page has no script.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import cast
from urllib.parse import quote

import pyoxigraph
from pyoxigraph import Literal, NamedNode, QuerySolutions, RdfFormat
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.errors import QueryError
from cardlaw.graph.names import resolve
from cardlaw.graph.queries import NamedQuery, bind, named_queries
from cardlaw.graph.store import Store
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import MTG, PREFIXES, compact, expand

from .site import Site

__all__ = ["command", "example", "routes", "starters"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
pre { overflow-x: auto; padding: .7rem; border: 1px solid #8886; border-radius: .3rem; font-size: .85rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884 }
h3 { margin-bottom: .2rem }
@media print { pre { white-space: pre-wrap } }
"""
_TYPE = NamedNode(expand("rdf:type"))
_ANY_CARD = "SELECT ?card { GRAPH layer:abilities { ?card mtg:citesRule ?rule } } LIMIT 1"


def routes(site: Site) -> list[BaseRoute]:
    """The page `/cheatsheet`."""

    def sheet(_: Request) -> Response:
        page = "".join(_page(site.store))
        return HTMLResponse(page, headers={"Content-Security-Policy": _POLICY})

    return [Route("/cheatsheet", sheet)]


def starters() -> list[NamedQuery]:
    """The queries to start from, in their order."""
    marked = [query for query in named_queries().values() if query.start is not None]
    return sorted(marked, key=lambda query: query.start or 0)


def command(query: NamedQuery) -> str:
    """What asks the example of a query on the command line."""
    settings = (f" --set {shlex.quote(f'{name}={value}')}" for name, value in query.example)
    return f"cardlaw query {query.name}{''.join(settings)}"


def example(store: Store, query: NamedQuery) -> str:
    """The text of a query with the values of its example, or any card where the graph lacks that."""
    values = dict(query.example)
    cards = [parameter.name for parameter in query.parameters if parameter.type == "card"]
    try:
        terms = resolve(store, query, values)
    except QueryError:
        rows = cast(QuerySolutions, store.query(_ANY_CARD))
        card = next((cast(NamedNode, row["card"]).value for row in rows), None)
        if card is None:
            raise
        terms = resolve(store, query, values | {name: compact(card) for name in cards if name in values})
    return bind(query.body, terms)


def _page(store: Store) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Cheat sheet – cardlaw</title><style>{_STYLE}</style></head><body><main>"
    yield "<h1>Cheat sheet</h1><p>Cards and the rules that they invoke, in SPARQL. The prefixes below are "
    yield "declared; the default graph holds all facts. Rule numbers of the Comprehensive Rules effective "
    yield f'{escape(store.info.release)}. <a href="/query">Ask your own</a>.</p>'
    yield "<h2>Ten queries to start from</h2>"
    for query in starters():
        text = example(store, query)
        yield f'<section id="{escape(query.name)}"><h3>{escape(query.title)}</h3>'
        yield f"<p>{escape(query.description)} "
        yield f'<a href="/query?query={quote(text, safe="")}">Open in the editor</a></p>'
        yield f"<p><code>{escape(command(query))}</code></p><pre>{escape(text)}</pre></section>"
    yield "<h2>Prefixes</h2><table>"
    for prefix, iri in PREFIXES.items():
        yield f"<tr><th scope=row><code>{escape(prefix)}:</code></th><td>{escape(iri)}</td></tr>"
    yield "</table>"
    for title, kinds in _WORDS.items():
        yield f"<h2>{title}</h2><table>"
        for name, about in _terms(kinds):
            yield f"<tr><th scope=row><code>{escape(name)}</code></th><td>{escape(about)}</td></tr>"
        yield "</table>"
    yield "</main></body></html>"


_WORDS = {
    "Classes": ("owl:Class",),
    "Properties": ("owl:ObjectProperty", "owl:DatatypeProperty", "owl:AnnotationProperty"),
}


@cache
def _terms(kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """Name and comment of our own words of these kinds, but for those that only refine another of ours."""
    vocabulary = pyoxigraph.Store()
    vocabulary.load(data("cardlaw.ttl").read_bytes(), format=RdfFormat.TURTLE)

    def values(node: NamedNode, name: str) -> list[str]:
        found = vocabulary.quads_for_pattern(node, NamedNode(expand(name)), None, None)
        return [cast(Literal, quad.object).value for quad in found]

    words = {
        quad.subject
        for kind in kinds
        for quad in vocabulary.quads_for_pattern(None, _TYPE, NamedNode(expand(kind)), None)
        if isinstance(quad.subject, NamedNode) and quad.subject.value.startswith(MTG)
    }
    return sorted(
        (compact(word.value), values(word, "rdfs:comment")[0])
        for word in words
        if not any(wider.startswith(MTG) for wider in values(word, "rdfs:subPropertyOf"))
    )
