"""How long the releases of a folder take to read, to match with the next and to lay side by side in full.

    python tests/benchmarks/releases.py FOLDER

Prints for each pair of neighbors, and for the oldest with the newest, the seconds of processor time, how many
rules moved, how many numbers changed their meaning and how many matches are unsure.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path

from cardlaw.graph.releases.changes import changes
from cardlaw.graph.releases.fates import SURE
from cardlaw.graph.releases.found import releases
from cardlaw.graph.releases.matching import match
from cardlaw.graph.sources.rulebook import read


def main(folder: Path) -> None:
    books = []
    for each in releases([folder], cache=folder / "no cache"):
        began = time.process_time()
        books.append(read(each.path))
        print(f"{each.date}  read {time.process_time() - began:5.2f} s  {len(books[-1].rules):,} rules")
    pairs = [*pairwise(books), (books[0], books[-1])]
    for older, newer in pairs:
        began = time.process_time()
        matching = match(older, newer)
        matched = time.process_time()
        counts = changes(older, newer, matching).counts["rules"]
        print(
            f"{older.release} to {newer.release}  match {matched - began:5.2f} s  "
            f"changes {time.process_time() - matched:5.2f} s  {counts['moved']:,} moved, "
            f"{counts['changed meaning']:,} changed meaning, "
            f"{sum(each.confidence < SURE for each in matching.matches)} unsure"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
