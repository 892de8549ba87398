"""How long cards alike and meetings take on a store, and how many a graph has of each kind.

    python tests/benchmarks/similar.py [DIR]          times
    python tests/benchmarks/similar.py kinds [DIR]    its weight, rule, and cards on its sides

Prints milliseconds, milliseconds of processor time, results, and what was asked. The first of each is cold.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sized
from pathlib import Path

from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.meetingkinds import kinds
from cardlaw.graph.meetings import meetings, meetings_of
from cardlaw.graph.similar import similar
from cardlaw.graph.store import Store, open_store

CARDS = (
    "lightning-bolt",
    "llanowar-elves",
    "panharmonicon",
    "viscera-seer",
    "humility",
    "kokusho-the-evening-star",
)
CUBE = 540
PAGE = 40
"""So many of the nearest cards are compared on a card's page."""


def timed(what: str, task: Callable[[], Sized]) -> None:
    """Print how long a task takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = len(task())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{wall * 1000:7.0f} {cpu * 1000:7.0f} {found:6,}  {what}", flush=True)


def times(store: Store) -> None:
    timed("the ties, once for a process", lambda: adjacency(store).nodes)
    for slug in CARDS:
        timed(f"like {slug}", lambda slug=slug: similar(store, slug))  # type: ignore[misc]
    slugs = [node.removeprefix("card:") for node in adjacency(store).nodes if node.startswith("card:")]
    random.Random(540).shuffle(slugs)
    cube = slugs[:CUBE]
    site = frozenset(cube)
    timed(
        f"like each of {CUBE} cards, as on the pages of a site of them",
        lambda: [similar(store, x, limit=8, nearest=PAGE, among=site) for x in cube],
    )
    timed("how two cards meet", lambda: meetings(store, ["humility", "opalescence"]))
    timed(f"how {CUBE} cards meet, the first 100", lambda: meetings(store, cube))
    timed(f"how {CUBE} cards meet, all", lambda: meetings(store, cube, limit=1_000_000))
    for slug in CARDS:
        timed(f"what {slug} meets", lambda slug=slug: meetings_of(store, slug))  # type: ignore[misc]


def told(store: Store) -> None:
    from cardlaw.graph.meetings import _finder

    finder = _finder(store)
    for weight, kind in finder.by_weight:
        first, second = (len({key >> 16 for key in finder.holders(side).tolist()}) for side in kind.sides)
        print(f"{weight:7.3f}  {finder.numbers[kind.rule]:8} {first:6,} {second:6,}  {kind.id}")
    print(f"{len(finder.by_weight)} of {len(kinds())} kinds")


def main(*args: str) -> None:
    of_kinds = args[:1] == ("kinds",)
    rest = args[of_kinds:]
    with open_store(Path(rest[0]) if rest else None) as store:
        (told if of_kinds else times)(store)


if __name__ == "__main__":
    main(*sys.argv[1:])
