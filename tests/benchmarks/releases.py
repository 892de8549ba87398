"""Releases of the rules: read, matched with the next, and laid side by side in full; in processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise

from cardlaw.graph.releases.changes import changes
from cardlaw.graph.releases.found import releases
from cardlaw.graph.releases.matching import match
from cardlaw.graph.sources.rulebook import read

from .figures import Figure, Setup


def figures(setup: Setup) -> Iterator[Figure]:
    books = []
    for each in [*releases([setup.rules], cache=setup.folder / "no cache")][-2 if setup.is_quick else 0 :]:
        began = time.process_time()
        books.append(read(each.path))
        yield _figure(f"read {each.date}, {len(books[-1].rules):,} rules", began)
    for older, newer in [*pairwise(books), *([(books[0], books[-1])] if len(books) > 2 else [])]:
        began = time.process_time()
        matching = match(older, newer)
        yield _figure(f"match {older.release} with {newer.release}", began)
        began = time.process_time()
        changes(older, newer, matching)
        yield _figure(f"changes from {older.release} to {newer.release}", began)


def _figure(name: str, began: float) -> Figure:
    return Figure(name=name, value=(time.process_time() - began) * 1000, unit="ms")
