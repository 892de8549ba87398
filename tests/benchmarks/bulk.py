"""The build of all cards, from the call to its end, beside pyoxigraph's bulk load of its own N-Quads.

The bulk load reads one plain file and writes a store, in a process of its own; the build reads cards, links,
writes packed N-Quads and loads them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

from cardlaw.graph.store import open_store

from .figures import CARDLAW, Figure, Setup, run

LOAD = """
import sys
from pyoxigraph import RdfFormat, Store
Store(sys.argv[2]).bulk_load(path=sys.argv[1], format=RdfFormat.N_QUADS)
"""


def figures(setup: Setup) -> Iterator[Figure]:
    place = setup.folder / "bulk"
    build = run([*CARDLAW, "build", "--quiet", "--cards", str(setup.cards), "--store", str(place)])
    with open_store(place) as store:
        counts, quads = store.info.counts, store.info.quads
        size = sum(file.stat().st_size for file in store.folder.rglob("*") if file.is_file())
        with (setup.folder / "all.nq").open("wb") as file:
            file.writelines(store.dump())
    load = run([sys.executable, "-c", LOAD, str(setup.folder / "all.nq"), str(setup.folder / "loaded")])
    (setup.folder / "all.nq").unlink()
    shutil.rmtree(setup.folder / "loaded")
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
        name="… largest process", value=build.peak, unit="MB", reference=load.peak, beside=beside, most=1500
    )
    yield Figure(name="quads a card", value=counts["quads"] / counts["cards"], unit="", most=150)
    facts = quads["cards"] / counts["cards"]
    yield Figure(name="… of layer:cards", value=facts, unit="")
    yield Figure(name="graph on disk", value=size / 1e6, unit="MB", most=800)
