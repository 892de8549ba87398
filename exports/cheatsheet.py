"""The cheat sheet: ten queries to start from, the prefixes, the classes and the main properties on one page.

All of it is generated: the queries are the named ones with a `start` line in their header, bound to the
values of that line; the words come from `ontology/cardlaw.ttl`.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from typing import cast
from urllib.parse import quote

from pyoxigraph import NamedNode, QuerySolutions
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.errors import QueryError
from cardlaw.graph.queries import NamedQuery, named_queries
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import MTG, PREFIXES, compact

from .editor import bound
from .pages import page
from .site import Site
from .vocabulary import VocabularyTerm, terms

__all__ = ["command", "example", "routes", "starters"]

_ANY_CARD = "SELECT ?card { GRAPH layer:abilities { ?card mtg:citesRule ?rule } } LIMIT 1"


def routes(site: Site) -> list[BaseRoute]:
    """The page `/cheatsheet`."""

    def sheet(_: Request) -> Response:
        store = site.store
        queries = [
            {
                "name": query.name,
                "title": query.title,
                "description": query.description,
                "command": command(query),
                "text": (text := example(store, query)),
                "quoted": quote(text, safe=""),
            }
            for query in starters()
        ]
        words = terms().values()
        return page(
            store,
            "cheatsheet.html",
            title="Cheat sheet",
            queries=queries,
            prefixes=PREFIXES,
            classes=[term for term in words if term.is_class],
            properties=[term for term in words if not term.is_class and not _refines(term)],
        )

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
    """The text of a query with the values of its example, or any card where the graph lacks that.

    Where it lacks a rule or keyword of the example too, the query as it stands, with its variables.
    """
    values = dict(query.example)
    cards = [parameter.name for parameter in query.parameters if parameter.type == "card"]
    try:
        return bound(store, query, values)
    except QueryError:
        rows = cast(QuerySolutions, store.query(_ANY_CARD))
        card = next((cast(NamedNode, row["card"]).value for row in rows), None)
        if card is not None:
            with suppress(QueryError):
                return bound(store, query, values | {name: compact(card) for name in cards if name in values})
        return query.body


def _refines(term: VocabularyTerm) -> bool:
    """Whether it only says more closely what another word of ours says."""
    return any(wider.startswith(MTG) for wider in term.ties.get("implies", ()))
