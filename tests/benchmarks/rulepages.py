"""The pages of hubs: with all their cards read for the first time, again, and filtered; in processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator

from cardlaw.exports.cardlists import Wanted
from cardlaw.exports.links import SERVED
from cardlaw.exports.passages import Book
from cardlaw.exports.recordpage import page_of, shown_html
from cardlaw.graph.store import open_store
from cardlaw.ontology.namespaces import expand

from .figures import Figure, Setup

NODES = (
    "rule:702.2",
    "rule:115.1",
    "rule:302",
    "rule:603",
    "rule:702",
    "rule:7",
    "keyword:flying",
    "type:creature",
)
FILTERS = (Wanted(colors=("R",)), Wanted(type="goblin"), Wanted(text="haste"))


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        book = Book(store)

        def made(node: str, wanted: Wanted | None = None) -> float | None:
            """Milliseconds, or None if the graph has no such node."""
            began = time.process_time()
            page = page_of(store, expand(node), SERVED, book, wanted)
            if page is None:
                return None
            shown_html(store, [page], SERVED)
            return (time.process_time() - began) * 1000

        made("rule:100.1")  # reads the templates
        asked = [(node, None) for node in NODES] + [("rule:302", wanted) for wanted in FILTERS]
        for node, wanted in asked:
            first, again = made(node, wanted), made(node, wanted)
            if first is not None and again is not None:
                pairs = "".join(f" {key}={value}" for key, value in wanted.pairs()) if wanted else ""
                yield Figure(
                    name=f"page of {node}{pairs}, again",
                    value=again,
                    unit="ms",
                    reference=first,
                    beside="the first time",
                )
