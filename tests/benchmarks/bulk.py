"""The build of all cards, from the call to its end, beside pyoxigraph's bulk load of its own N-Quads.

The bulk load reads one plain file and writes a store, in a process of its own; the build reads cards, links,
writes packed N-Quads and loads them. They take turns, and of each the quickest counts: others who use the
machine only add to it. The memory is the most that any took.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

from cardlaw.graph.store import open_store

from .figures import CARDLAW, Figure, Setup, run

ROUNDS = 3

LOAD = """
import sys
from pyoxigraph import RdfFormat, Store
Store(sys.argv[2]).bulk_load(path=sys.argv[1], format=RdfFormat.N_QUADS)
"""


def figures(setup: Setup) -> Iterator[Figure]:
    place, plain, loaded = (setup.folder / name for name in ("bulk", "all.nq", "loaded"))
    builds, loads = [], []
    for _ in range(setup.repeat(ROUNDS)):
        shutil.rmtree(place, ignore_errors=True)
        builds.append(run([*CARDLAW, "build", "--quiet", "--cards", str(setup.cards), "--store", str(place)]))
        with open_store(place) as store:
            counts, quads = store.info.counts, store.info.quads
            size = sum(file.stat().st_size for file in store.folder.rglob("*") if file.is_file())
            with plain.open("wb") as file:
                file.writelines(store.dump())
        loads.append(run([sys.executable, "-c", LOAD, str(plain), str(loaded)]))
        plain.unlink()
        shutil.rmtree(loaded)
    build, load = (min(each, key=lambda spent: spent.wall) for each in (builds, loads))
    peak, beside_peak = (max(spent.peak for spent in each) for each in (builds, loads))
    setup.built = setup.built or place
    beside = "bulk load of its N-Quads"
    yield Figure(
        name=f"build of {counts['cards']:,} cards",
        value=build.wall,
        unit="s",
        reference=load.wall,
        beside=beside,
        most=60,
        most_times=2.0,
    )
    yield Figure(name="… processor", value=build.cpu, unit="s", reference=load.cpu, beside=beside)
    yield Figure(
        name="… largest process", value=peak, unit="MB", reference=beside_peak, beside=beside, most=1500
    )
    yield Figure(name="quads a card", value=counts["quads"] / counts["cards"], unit="", most=150)
    facts = quads["cards"] / counts["cards"]
    yield Figure(name="… of layer:cards", value=facts, unit="")
    yield Figure(name="graph on disk", value=size / 1e6, unit="MB", most=800)
