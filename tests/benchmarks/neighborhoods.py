"""Views and their answers on a store: neighborhoods, growth, paths, presets and the search, in processor
time.

Each is asked once before, so that the store's blocks are in memory; "the ties" is what a process does once.
What a graph lacks (it has other cards) is passed over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sized

from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.completions import completions
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.lookup import Lookup
from cardlaw.graph.neighborhood import HARD_LIMIT, expand, neighborhood
from cardlaw.graph.paths import paths
from cardlaw.graph.presets import keyword, shared, tied
from cardlaw.graph.store import Store, open_store

from .figures import Figure, Setup, best

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


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        begun = time.process_time()
        nodes = len(adjacency(store).nodes)
        yield _figure(f"the ties of {nodes:,} nodes, once", time.process_time() - begun)
        for name, task in tasks(store):
            try:
                found = len(task())
                spent, _ = best(task, setup.repeat(3))
            except (CardlawError, LookupError):
                continue
            yield _figure(f"{name} ({found:,})", spent)
        begun = time.process_time()
        ties = sum(1 for _ in Lookup(store).all_ties())
        yield _figure(f"all {ties:,} citations from their file", time.process_time() - begun)


def _figure(name: str, seconds: float) -> Figure:
    return Figure(name=name, value=seconds * 1000, unit="ms")


def tasks(store: Store) -> Iterator[tuple[str, Callable[[], Sized]]]:
    """What to do, each with a name."""
    for names, depth in AROUND:
        yield (
            f"around {', '.join(names)}, depth {depth}",
            lambda names=names, depth=depth: neighborhood(store, names, depth).graph,  # type: ignore[misc]
        )
    yield (
        f"around {CARDS[0]}, depth 2, with a reserve",
        lambda: neighborhood(store, CARDS[:1], 2, hold=HARD_LIMIT).graph,
    )
    yield "25 more of rule:302", lambda: expand(store, "rule:302", None, CARDS).new
    for source, target in TIED:
        yield (
            f"paths {source} to {target}",
            lambda source=source, target=target: paths(store, source, target),  # type: ignore[misc]
        )
    yield "what two cards share", lambda: shared(store, CARDS).graph
    yield "why two cards are tied", lambda: tied(store, CARDS).graph
    yield "all about cycling", lambda: keyword(store, ["keyword:cycling"]).graph
    for typed in TYPED:
        yield f"search {typed}", lambda typed=typed: completions(store).search(typed)  # type: ignore[misc]
