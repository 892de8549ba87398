"""The named queries in Oxigraph beside rdflib's own engine, on a part of the cards that rdflib can hold.

Both have the same quads, of at most 1,000 cards and the whole rulebook, and are asked the same texts; a
query counts if both give the same number of rows. rdflib is stopped after `LIMIT` seconds, which then count
as what it takes: the figure is the least that it can be. Reading the quads is measured too: rdflib keeps
them in memory.
"""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Iterator
from typing import cast

from pyoxigraph import QuerySolutions
from rdflib import Dataset

from cardlaw.graph.names import ask, resolve
from cardlaw.graph.queries import bind, load_query, with_prefixes
from cardlaw.graph.store import open_store

from .figures import Figure, Setup
from .queries import asked

LIMIT = 10.0  # seconds of processor time


class _TooLongError(BaseException):
    """No `Exception`, for rdflib catches those, and tells of them as others or not at all."""


def figures(setup: Setup) -> Iterator[Figure]:
    limit = 0.1 if setup.is_quick else LIMIT
    with open_store(setup.part) as store:
        cards = store.info.counts["cards"]
        begun = time.process_time()
        memory = Dataset(default_union=True)
        memory.parse(data=b"".join(store.dump()), format="nquads")
        read = time.process_time() - begun
        spent: list[tuple[float, float]] = []
        stopped = other = 0
        for _, name, values in setup.some(asked(store)):
            text = with_prefixes(bind(load_query(name).text, resolve(store, load_query(name), values)))
            cast(QuerySolutions, ask(store, load_query(name), values))
            begun = time.process_time()
            rows = sum(1 for _ in cast(QuerySolutions, ask(store, load_query(name), values)))
            ours = time.process_time() - begun
            signal.signal(signal.SIGPROF, _stop)
            signal.setitimer(signal.ITIMER_PROF, limit)
            begun = time.process_time()
            there = None
            try:
                there = sum(1 for _ in memory.query(text))
            except (_TooLongError, Exception):  # what rdflib cannot evaluate it says in many ways
                pass
            finally:
                left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
            theirs = time.process_time() - begun
            is_stopped = not left  # whatever rdflib made of it
            stopped += is_stopped
            if is_stopped or there == rows:
                spent.append((ours, theirs))
            else:
                other += 1
    ratio = statistics.median(ours / theirs for ours, theirs in spent)
    ours, theirs = (statistics.median(times) for times in zip(*spent, strict=True))
    yield Figure(
        name=f"a named query on {cards:,} cards, median",
        value=ours * 1000,
        unit="ms",
        reference=theirs * 1000,
        beside="rdflib's engine",
        most_times=0.1,
    )
    yield Figure(name="… the median of the ratios", value=ratio, unit="×", most=0.1)
    yield Figure(name="… queries compared", value=len(spent), unit="")
    yield Figure(name=f"… stopped after {limit:g} s in rdflib", value=stopped, unit="")
    yield Figure(name="… left out: other rows, or none, in rdflib", value=other, unit="")
    yield Figure(name="… reading the quads into rdflib", value=read, unit="s")


def _stop(number: int, frame: object) -> None:
    raise _TooLongError
