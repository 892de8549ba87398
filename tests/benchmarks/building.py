"""Time and memory of a build, of the same again, and of one with 300 more cards, beside a bare bulk load.

    python tests/benchmarks/building.py                  the embedded corpus; a table
    python tests/benchmarks/building.py --cards F --json

The first build has all cards but 300 that are drawn by lot. The reference is what pyoxigraph takes to load
the files of the last build into a new store, by one call of `bulk_load`. Each is a process of its own; its
CPU seconds and its largest process are those of all that it started.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from cardlaw.graph.sources import corpus

MORE = 300
MOST = {"seconds": 60.0, "ratio": 2.0, "quads a card": 150.0, "MB": 1500.0}
"""What a first build may take (the issue of speed): the ratio is to the bulk load."""

_BUILD = """
from pathlib import Path
from cardlaw.graph.build import build
summary = build(cards=[Path(sys.argv[1])], store=Path(sys.argv[2]))
told = {"quads": summary.counts["quads"], "cards": summary.counts["cards"], "kept": summary.kept,
        "stages": summary.seconds}
"""
_LOAD = """
import gzip
from pathlib import Path
import pyoxigraph
class Files:
    def __init__(self, files):
        self.files = [gzip.open(file) for file in files]
    def read(self, size):
        while self.files:
            if block := self.files[0].read(size):
                return block
            self.files.pop(0)
        return b""
store = pyoxigraph.Store(sys.argv[2])
store.bulk_load(input=Files(sorted(Path(sys.argv[1]).glob("*.nq.gz"))), format=pyoxigraph.RdfFormat.N_QUADS)
store.flush()
told = {}
"""
_MEASURED = """
import json, resource, sys, time
begun = time.perf_counter()
{}
told["seconds"] = round(time.perf_counter() - begun, 2)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
told["cpu"] = round(sum(each.ru_utime + each.ru_stime for each in used), 1)
told["MB"] = round(max(each.ru_maxrss for each in used) / 1024)
print(json.dumps(told))
"""


def measured(code: str, *given: Path) -> dict[str, Any]:
    """What a piece of code tells, and what it took."""
    script = _MEASURED.replace("{}", code.strip())
    run = subprocess.run(
        [sys.executable, "-c", script, *map(str, given)], check=True, capture_output=True, encoding="utf-8"
    )
    told: dict[str, Any] = json.loads(run.stdout)
    return told | {"load": round(os.getloadavg()[0], 1)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=Path, help="a file with a JSON array of cards; default: the corpus")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    source = given.cards or corpus.embedded()
    records = json.loads(source.read_bytes())
    fronts = [number for number, record in enumerate(records) if not record.get("face")]
    without = set(random.Random(11).sample(fronts, MORE))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cards, store = folder / "cards.json", folder / "store"
        fewer = [record for number, record in enumerate(records) if number not in without]
        cards.write_text(json.dumps(fewer), encoding="utf-8")
        rows = {"first": measured(_BUILD, cards, store), "the same again": measured(_BUILD, cards, store)}
        cards.write_text(json.dumps(records), encoding="utf-8")
        rows[f"{MORE} more cards"] = measured(_BUILD, cards, store)
        build = folder / "store" / "builds" / (store / "current").read_text().strip()
        rows["bulk load alone"] = measured(_LOAD, build, folder / "loaded")
    first = rows["first"]
    figures = {
        "seconds": first["seconds"],
        "ratio": round(first["seconds"] / rows["bulk load alone"]["seconds"], 2),
        "quads a card": round(first["quads"] / first["cards"], 1),
        "MB": first["MB"],
        "again": round(rows["the same again"]["seconds"] / first["seconds"], 3),
        "more": round(rows[f"{MORE} more cards"]["seconds"] / first["seconds"], 3),
    }
    if given.json:
        print(json.dumps({"runs": rows, "figures": figures, "most": MOST}, indent=1))
        return
    print(f"{'':18} {'seconds':>8} {'CPU s':>7} {'MB':>6} {'kept':>7} {'load':>5}")
    for row, told in rows.items():
        kept = f"{told['kept']:,}" if "kept" in told else ""
        print(
            f"{row:18} {told['seconds']:8.1f} {told['cpu']:7.1f} {told['MB']:6} {kept:>7} {told['load']:5}"
            f"  {'  '.join(f'{stage} {seconds:.1f}' for stage, seconds in told.get('stages', {}).items())}"
        )
    for figure, value in figures.items():
        most = f"  (at most {MOST[figure]:g})" if figure in MOST else ""
        print(f"{figure:18} {value:8}{most}")


if __name__ == "__main__":
    main()
