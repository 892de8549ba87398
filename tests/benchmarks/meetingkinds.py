"""How many meetings a graph has of each kind: its weight, its rule, and cards on its sides.

python tests/benchmarks/meetingkinds.py [DIR]
"""

from __future__ import annotations

import sys
from pathlib import Path

from cardlaw.graph.meetingkinds import kinds
from cardlaw.graph.meetings import _finder
from cardlaw.graph.store import open_store


def main(folder: Path | None) -> None:
    with open_store(folder) as store:
        finder = _finder(store)
        for weight, kind in finder.by_weight:
            first, second = (len({key >> 16 for key in finder.holders(side).tolist()}) for side in kind.sides)
            print(f"{weight:7.3f}  {finder.numbers[kind.rule]:8} {first:6,} {second:6,}  {kind.id}")
        print(f"{len(finder.by_weight)} of {len(kinds())} kinds")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
