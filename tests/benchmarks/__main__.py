"""Measure how fast and how large cardlaw is, each figure beside a reference of the same run and its goal.

    python tests/benchmarks [--only NAME ...] [--quick] [--store DIR] [--cards FILE] [--json FILE]

Prints a table, and with --json writes the same figures with the load of the machine while each was measured.
Without --store, a graph of the cards is built first, in a temporary folder. --quick takes the invented cards
of the tests, does everything once and measures nothing that matters: it shows that all of it works. What
cannot run here (no browser, no rulebooks) is left out and told. `growth`, `citing` and `virtuoso` run
only when they are named.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import Benchmark, Figure, LeftOutError, Setup, rows

USUAL = (
    *("bulk", "building", "linking", "starting", "queries", "rdflib_engine", "neighborhoods"),
    *("rulepages", "cardpages", "sitepages", "deck", "similar", "server", "atlas", "view", "releases"),
)
ASKED = ("growth", "citing", "virtuoso")
"""Those that take long or install something."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/benchmarks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=(*USUAL, *ASKED), default=USUAL)
    parser.add_argument("--quick", action="store_true", help="invented cards, everything once")
    parser.add_argument("--store", type=Path, metavar="DIR", help="a graph that is built already")
    parser.add_argument("--cards", type=Path, metavar="FILE", help="a file of cards; default: the corpus")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the figures go")
    options = parser.parse_args()
    found: list[tuple[str, Figure]] = []
    told = []
    failed = False
    with tempfile.TemporaryDirectory(prefix="cardlaw-benchmarks-") as folder:
        setup = Setup(Path(folder), cards=options.cards, store=options.store, is_quick=options.quick)
        for name in options.only:
            print(f"{datetime.now():%H:%M:%S} {name}, load {load():.1f}", file=sys.stderr, flush=True)
            try:
                benchmark: Benchmark = importlib.import_module(f"benchmarks.{name}").figures
                for each in benchmark(setup):
                    found.append((name, each))
                    told.append(record(name, each))
                    print(f"  {each.name}: {each.value:,.4g} {each.unit}", file=sys.stderr, flush=True)
            except (LeftOutError, ImportError) as error:
                print(f"  left out: {error}", file=sys.stderr)
            except KeyboardInterrupt:  # what was found so far is told
                print("  stopped", file=sys.stderr)
                failed = True
                break
            except Exception:  # what the others have found is not lost
                traceback.print_exc()
                failed = True
    print(*rows(found), sep="\n")
    loads = [each["load"] for each in told] or [0.0]
    print(f"load of {os.cpu_count()} cores: {min(loads)} to {max(loads)}")
    if options.json:
        about = {
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
            "quick": options.quick,
            "cards": str(setup.cards),
        }
        options.json.write_text(json.dumps({**about, "figures": told}, indent=1), encoding="utf-8")
    return int(failed)


def load() -> float:
    """Processes that ran or waited for a core, on average over the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def record(benchmark: str, each: Figure) -> dict[str, object]:
    return {
        "benchmark": benchmark,
        "name": each.name,
        "value": each.value,
        "unit": each.unit,
        "reference": each.reference,
        "beside": each.beside,
        "times": each.times,
        "goal": each.goal,
        "met": each.is_met,
        "load": round(load(), 1),
    }


if __name__ == "__main__":
    sys.exit(main())
