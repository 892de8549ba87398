"""Cards alike, and how the cards of a cube meet, on a graph whose ties are read; in processor time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sized

from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.meetings import meetings, meetings_of
from cardlaw.graph.similar import similar
from cardlaw.graph.store import open_store

from .figures import Figure, Setup

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


MEETINGS = 2.0  # seconds that the meetings of a cube may take


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        slugs = sorted(
            node.removeprefix("card:") for node in adjacency(store).nodes if node.startswith("card:")
        )
        cube = random.Random(540).sample(slugs, min(CUBE, len(slugs)))
        site = frozenset(cube)
        wanted = [slug for slug in CARDS if slug in set(slugs)] or cube[:1]
        first = timed(lambda: similar(store, wanted[0]))
        yield Figure(name=f"like {wanted[0]}, the first time", value=first, unit="s")
        for slug in wanted:
            yield Figure(name=f"like {slug}", value=timed(lambda slug=slug: similar(store, slug)), unit="s")  # type: ignore[misc]
        yield Figure(
            name=f"like each of {len(cube)} cards, on the pages of a site of them",
            value=timed(lambda: [similar(store, slug, limit=8, nearest=PAGE, among=site) for slug in cube]),
            unit="s",
        )
        yield Figure(
            name=f"how {len(cube)} cards meet, the first 100",
            value=timed(lambda: meetings(store, cube)),
            unit="s",
            most=MEETINGS,
        )
        everything = timed(lambda: meetings(store, cube, limit=1_000_000))
        yield Figure(name=f"how {len(cube)} cards meet, all", value=everything, unit="s")
        for slug in wanted:
            met = timed(lambda slug=slug: meetings_of(store, slug))  # type: ignore[misc]
            yield Figure(name=f"what {slug} meets", value=met, unit="s")


def timed(task: Callable[[], Sized]) -> float:
    """Seconds of processor time that it takes."""
    begun = time.process_time()
    task()
    return time.process_time() - begun
