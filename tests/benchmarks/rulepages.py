"""How long the pages of hubs take: with all their cards read for the first time, again, and filtered.

    python tests/benchmarks/rulepages.py STORE

Prints for each page the seconds of processor time, and how many cards are in its list.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from cardlaw.exports.cardlists import Wanted
from cardlaw.exports.links import SERVED
from cardlaw.exports.passages import Book
from cardlaw.exports.recordpage import page_of, shown_html
from cardlaw.exports.rulepage import RulePage
from cardlaw.graph.store import open_store
from cardlaw.ontology.namespaces import expand

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


def main(root: Path) -> None:
    with open_store(root) as store:
        book = Book(store)

        def made(node: str, wanted: Wanted | None = None) -> float:
            began = time.process_time()
            page = page_of(store, expand(node), SERVED, book, wanted)
            assert page is not None
            shown_html(store, [page], SERVED)
            return time.process_time() - began

        made("rule:100.1")  # reads the templates
        for node in NODES:
            first, again = made(node), made(node)
            print(f"{node:16} first {first:5.2f} s  again {again:5.2f} s")
        for wanted in FILTERS:
            first, again = made("rule:302", wanted), made("rule:302", wanted)
            found = len(RulePage(store, "302", SERVED, book, wanted).cards.chosen)
            print(f"rule:302 {wanted.pairs()}  first {first:5.2f} s  again {again:5.2f} s  {found:,} cards")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
