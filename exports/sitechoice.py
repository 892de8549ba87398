"""Which cards a site of files is of: those of a deck list, of a set, or of the answer to a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from pyoxigraph import Literal, NamedNode, QueryBoolean, QuerySolutions

from cardlaw.graph.decks import read_deck
from cardlaw.graph.errors import QueryError
from cardlaw.graph.facts import node
from cardlaw.graph.names import resolve
from cardlaw.graph.naming import card_node
from cardlaw.graph.queries import load_query
from cardlaw.graph.store import Store, layer
from cardlaw.ontology.namespaces import BASE, expand

__all__ = ["cards_of_query", "cards_of_set", "deck_names"]


def deck_names(text: str | bytes) -> list[str]:
    """The names in a deck list of any format, each once."""
    return list(dict.fromkeys(entry.name for entry in read_deck(text).entries))


def cards_of_set(store: Store, code: str) -> list[str]:
    """The IRIs of the cards and tokens that are printed in the set of a code.

    Raises:
        QueryError: there are none.
    """
    quads = store.quads
    found = set[str]()
    for set_ in quads.quads_for_pattern(None, node("setCode"), Literal(code.lower()), layer("cards")):
        for printing in quads.quads_for_pattern(None, node("inSet"), set_.subject, layer("cards")):
            for card in quads.quads_for_pattern(None, node("hasPrinting"), printing.subject, layer("cards")):
                found.add(cast(NamedNode, card.subject).value)
    if not found:
        raise QueryError(
            f"no card of this graph is printed in the set “{code}”: give a set code such as khm; printings "
            "come with Scryfall's or MTGJSON's cards, not with the corpus"
        )
    return sorted(found)


def cards_of_query(store: Store, name: str, values: Mapping[str, str]) -> list[str]:
    """The IRIs of the cards and tokens in the answer to a query, or of those whose parts are in it.

    Args:
        store: the graph that is asked.
        name: of a named query, or of a file.
        values: of its parameters, as a person writes them.

    Raises:
        QueryError: the query is wrong, or its answer has no cards.
    """
    query = load_query(name)
    results = store.query(query.text, resolve(store, query, values))
    if isinstance(results, QueryBoolean):
        raise QueryError(f"{name} answers yes or no: give a query whose answer has cards")
    terms = (
        (value for row in results for value in row)
        if isinstance(results, QuerySolutions)
        else (value for triple in results for value in (triple.subject, triple.object))
    )
    found = sorted(set(_cards(value.value for value in terms if isinstance(value, NamedNode))))
    if not found:
        raise QueryError(f"the answer to {name} has no cards: it has to bind their IRIs")
    return found


def _cards(iris: Iterable[str]) -> Iterator[str]:
    for iri in iris:
        kind, _, local = iri.removeprefix(BASE).partition("/") if iri.startswith(BASE) else ("", "", "")
        if kind in ("card", "token"):
            yield iri
        elif kind in ("face", "ability") and (part := re.fullmatch(r"(.+?)(?:\.[0-9]+)+", local)):
            yield expand(card_node(part[1]))
