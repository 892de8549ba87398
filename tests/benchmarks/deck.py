"""How long `cardlaw deck` takes for a cube: 540 cards drawn by lot from the graph, as text, JSON and pages.

    python tests/benchmarks/deck.py STORE [CARDS]

Prints the seconds of each whole command, as a program of its own, and of the parts of one in a process
that goes on, as a server does: the first time, and again.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from pyoxigraph import QuerySolutions

from cardlaw.exports.deckpage import deck_html
from cardlaw.exports.decks import deck_json, view_page
from cardlaw.exports.links import SERVED
from cardlaw.graph.decks import analyze, read_deck
from cardlaw.graph.store import Store, open_store

PROGRAM = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()", "deck"]


def cube(store: Store, cards: int, seed: int = 540) -> str:
    rows = store.query("SELECT ?name { GRAPH layer:cards { ?card a mtg:Card ; rdfs:label ?name } }")
    names = sorted(row[0].value for row in cast(QuerySolutions, rows))
    return "\n".join(random.Random(seed).sample(names, cards))


def timed(what: str, task: Callable[[], object]) -> None:
    began = time.perf_counter()
    task()
    print(f"{what:34} {time.perf_counter() - began:6.2f} s", flush=True)


def main(root: Path, cards: int) -> None:
    with open_store(root) as store:
        listed = cube(store, cards)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cube.txt")
        file.write_text(listed, encoding="utf-8")
        for format_ in ("text", "json", "html", "view"):
            command = [*PROGRAM, str(file), "--format", format_, "--store", str(root), "-o", f"{folder}/out"]
            timed(f"cardlaw deck --format {format_}", lambda: subprocess.run(command, check=True))  # noqa: B023
    with open_store(root) as store:
        for time_ in ("first", "again"):
            timed(f"a report, {time_}", lambda: analyze(store, listed))
        report = analyze(store, read_deck(listed))
        timed("its page", lambda: deck_html(store, report, SERVED))
        timed("its JSON", lambda: deck_json(report))
        timed("its view", lambda: view_page(store, report))
        print(f"{len(report.cards)} cards, {len(report.rules)} headings, {len(report.keywords)} keywords")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 540)
