"""A card from the store: its record, its JSON and its page, in processor time, beside its plain quads.

The cards are drawn at random, the same each time; the reference reads all quads that speak of a card, its
faces and abilities, by pyoxigraph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import cast

from pyoxigraph import NamedNode

from cardlaw.exports.jsonform import encode, form
from cardlaw.exports.links import SERVED
from cardlaw.exports.passages import Book
from cardlaw.exports.recordpage import records_html
from cardlaw.graph import read
from cardlaw.graph.store import Store, open_store
from cardlaw.graph.tagged import card_tags
from cardlaw.ontology.namespaces import PREFIXES, expand

from .figures import Figure, Setup, best

CARDS = 200


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        type_ = NamedNode(expand("rdf:type"))
        found = sorted(
            cast(NamedNode, quad.subject).value
            for quad in store.quads.quads_for_pattern(None, type_, NamedNode(expand("mtg:Card")), None)
        )
        random.seed(2026)
        cards = random.sample(found, min(CARDS, len(found)))
        book = Book(store)

        def spent(task: Callable[[str], object]) -> float:
            task(cards[0])
            seconds, _ = best(lambda: [task(iri) for iri in cards], setup.repeat(3))
            return seconds / len(cards) * 1000

        def page(iri: str) -> str:
            return records_html(store, [read.card(store, iri)], SERVED, book)

        def json(iri: str) -> bytes:
            card = read.card(store, iri)
            return encode(form(card, release=store.info.release, tags=card_tags(store, card)))

        plain = spent(lambda iri: about(store, iri))
        for name, task in (
            ("card read", lambda iri: read.card(store, iri)),
            ("card as JSON", json),
            ("page of a card", page),
        ):
            yield Figure(name=name, value=spent(task), unit="ms", reference=plain, beside="its plain quads")


def about(store: Store, iri: str) -> int:
    """How many quads speak of a card and of what hangs below it."""
    number = 0
    waiting = [NamedNode(iri)]
    while waiting:
        for quad in store.quads.quads_for_pattern(waiting.pop(), None, None, None):
            number += 1
            if isinstance(quad.object, NamedNode) and quad.object.value.startswith(
                (PREFIXES["face"], PREFIXES["ability"], PREFIXES["citation"])
            ):
                waiting.append(quad.object)
    return number
