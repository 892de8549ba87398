"""`cardlaw deck` for a cube, cards drawn by lot from the graph: as a program, and in one that goes on."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import cast

from pyoxigraph import QuerySolutions

from cardlaw.exports.deckpage import deck_html
from cardlaw.exports.decks import deck_json, view_page
from cardlaw.exports.links import SERVED
from cardlaw.graph.decks import analyze, read_deck
from cardlaw.graph.store import Store, open_store

from .figures import CARDLAW, Figure, Setup, run

CUBE = 540


def figures(setup: Setup) -> Iterator[Figure]:
    file = setup.folder / "cube.txt"
    with open_store(setup.store) as store:
        listed = cube(store)
        file.write_text(listed, encoding="utf-8")
        number = listed.count("\n") + 1
        first = timed(lambda: analyze(store, listed))
        again = timed(lambda: analyze(store, listed))
        yield Figure(
            name=f"report on {number} cards, again",
            value=again,
            unit="s",
            reference=first,
            beside="the first time",
        )
        report = analyze(store, read_deck(listed))
        yield Figure(name="… its page", value=timed(lambda: deck_html(store, report, SERVED)), unit="s")
        yield Figure(name="… its JSON", value=timed(lambda: deck_json(report)), unit="s")
        yield Figure(name="… its view", value=timed(lambda: view_page(store, report)), unit="s")
    for format_ in ("text", "json", "html", "view"):
        output = ["--store", str(setup.store), "-o", str(setup.folder / "out")]
        spent = run([*CARDLAW, "deck", str(file), "--format", format_, *output])
        yield Figure(name=f"cardlaw deck --format {format_}", value=spent.wall, unit="s")


def cube(store: Store) -> str:
    rows = store.query("SELECT ?name { GRAPH layer:cards { ?card a mtg:Card ; rdfs:label ?name } }")
    names = sorted({row[0].value for row in cast(QuerySolutions, rows)})
    return "\n".join(random.Random(540).sample(names, min(CUBE, len(names))))


def timed(task: Callable[[], object]) -> float:
    """Seconds of processor time that it takes."""
    begun = time.process_time()
    task()
    return time.process_time() - begun
