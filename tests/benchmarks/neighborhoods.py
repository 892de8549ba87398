"""How long views and their answers take on a store: neighborhoods, growth, paths, presets and the search.

    python tests/benchmarks/neighborhoods.py [DIR]

Prints a line for each: milliseconds, milliseconds of processor time, nodes or results, and what was asked.
Each is asked once before, so that the store's blocks are in memory; what is first is what opening costs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sized
from pathlib import Path

from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.completions import completions
from cardlaw.graph.lookup import Lookup
from cardlaw.graph.neighborhood import HARD_LIMIT, expand, neighborhood
from cardlaw.graph.paths import paths
from cardlaw.graph.presets import keyword, shared, tied
from cardlaw.graph.store import open_store

CARDS = ("card:unpredictable-cyclone", "card:astral-drift")
AROUND = (  # nodes, depth
    (CARDS[:1], 1),
    (CARDS[:1], 2),
    (CARDS, 2),
    (("card:lightning-bolt",), 2),
    (("rule:115.1",), 1),  # hubs
    (("rule:302",), 1),
    (("rule:302",), 2),
    (("keyword:flying",), 2),
    (("type:creature",), 2),
)
TIED = (CARDS, ("card:lightning-bolt", "card:grizzly-bears"), ("rule:115.1", "rule:302"))
TYPED = ("lig", "702.29", "lightnig bolt", "a")


def timed(what: str, task: Callable[[], Sized]) -> None:
    """Do it once, then print how long it takes."""
    task()
    wall, cpu = time.perf_counter(), time.process_time()
    found = len(task())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{wall * 1000:7.0f} {cpu * 1000:7.0f} {found:7,}  {what}", flush=True)


def main(folder: Path | None) -> None:
    """Print the table."""
    with open_store(folder) as store:
        begun = time.perf_counter()
        nodes = len(adjacency(store).nodes)
        print(f"{(time.perf_counter() - begun) * 1000:7.0f}         {nodes:7,}  the ties, once for a process")
        for names, depth in AROUND:
            timed(
                f"around {', '.join(names)}, depth {depth}",
                lambda names=names, depth=depth: neighborhood(store, names, depth).graph,  # type: ignore[misc]
            )
        timed(
            f"around {CARDS[0]}, depth 2, with a reserve",
            lambda: neighborhood(store, CARDS[:1], 2, hold=HARD_LIMIT).graph,
        )
        timed("25 more of rule:302", lambda: expand(store, "rule:302", None, CARDS).new)
        for source, target in TIED:
            timed(
                f"paths {source} to {target}",
                lambda source=source, target=target: paths(store, source, target),  # type: ignore[misc]
            )
        timed("what two cards share", lambda: shared(store, CARDS).graph)
        timed("why two cards are tied", lambda: tied(store, CARDS).graph)
        timed("all about cycling", lambda: keyword(store, ["keyword:cycling"]).graph)
        for typed in TYPED:
            timed(
                f"search {typed}",
                lambda typed=typed: completions(store).search(typed),  # type: ignore[misc]
            )
        begun = time.perf_counter()
        ties = sum(1 for _ in Lookup(store).all_ties())
        print(f"{(time.perf_counter() - begun) * 1000:7.0f}         {ties:7,}  all citations from their file")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
