"""What a benchmark is: a function of a `Setup` that yields figures, each beside a reference and its goal.

Times of a process are what the system counts for it and for all that it started and waited for (wait4);
memory is that of the largest single process among them. Each process is started by a small one of its own:
what a large process starts has, as Linux counts, been as large as that one.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from cardlaw.graph.sources.corpus import embedded

PROJECT = Path(__file__).resolve().parents[2]
INVENTED = PROJECT / "tests" / "fixtures" / "cards.json"
CARDLAW = (sys.executable, "-c", "from cardlaw.exports.cli import main; main()")
PART = 1000
"""Cards of the part that an engine in memory can hold too."""

T = TypeVar("T")


class LeftOutError(Exception):
    """A benchmark cannot run here; the message says why."""


class Figure(Struct, frozen=True, kw_only=True):
    """One thing that was measured; less is better wherever there is a goal."""

    name: str
    value: float
    unit: str
    reference: float | None = None  # in the same unit, of the same run
    beside: str = ""  # what the reference is
    most: float | None = None  # goal: what the value may be
    most_times: float | None = None  # goal: how many times the reference it may be

    @property
    def times(self) -> float | None:
        return self.value / self.reference if self.reference else None

    @property
    def goal(self) -> str:
        limits = [f"≤ {self.most:,g} {self.unit}".rstrip()] if self.most is not None else []
        limits += [f"≤ {self.most_times:,g} ×"] if self.most_times is not None else []
        return ", ".join(limits)

    @property
    def is_met(self) -> bool | None:
        """None: there is no goal."""
        if not self.goal:
            return None
        within = self.most is None or self.value <= self.most
        return within and (
            self.most_times is None or self.times is None or round(self.times, 2) <= self.most_times
        )


class Setup:
    """What is measured: cards, the graph of them, and a folder to work in."""

    def __init__(self, folder: Path, *, cards: Path | None, store: Path | None, is_quick: bool) -> None:
        self.folder = folder
        self.is_quick = is_quick
        self.given = INVENTED if is_quick and cards is None else cards
        self.built = store

    @property
    def cards(self) -> Path | Literal["corpus"]:
        return self.given or "corpus"

    @property
    def store(self) -> Path:
        """The folder of a graph of the cards: the one that was named, or else built, once."""
        if self.built is None:
            self.built = self.build(self.cards, self.folder / "store")
        return self.built

    @functools.cached_property
    def part(self) -> Path:
        """A graph of `PART` of the cards, evenly drawn, and of what those name as their front."""
        if self.is_quick:
            return self.store
        records = json.loads((self.given or embedded()).read_text(encoding="utf-8"))
        step = max(1, len(records) // PART)
        cards = self.folder / "part.json"
        cards.write_text(json.dumps([each for each in records[::step] if not each.get("front")]))
        return self.build(cards, self.folder / "part")

    @functools.cached_property
    def rules(self) -> Path:
        """The folder of the official texts of the rules."""
        beside = os.environ.get("CARDLAW_TEST_DATA", PROJECT.parent / "shared" / "data")
        if not (folder := Path(beside) / "rules").is_dir():
            raise LeftOutError("no rulebooks: set CARDLAW_TEST_DATA to the folder that holds rules/")
        return folder

    @staticmethod
    def build(cards: Path | Literal["corpus"], store: Path) -> Path:
        run([*CARDLAW, "build", "--quiet", "--cards", str(cards), "--store", str(store)])
        return store

    def some(self, all_: Iterable[T]) -> list[T]:
        """All, or every twentieth when it is quick."""
        return [*all_][:: 20 if self.is_quick else 1]

    def repeat(self, often: int) -> int:
        """How often to do something: once when it is quick."""
        return 1 if self.is_quick else often


Benchmark: TypeAlias = Callable[[Setup], Iterator[Figure]]


class Spent(Struct, frozen=True):
    """What a process and all that it started took, from its start to its end."""

    wall: float  # seconds
    cpu: float  # seconds of processor time, user and system, of all of them
    peak: float  # MB of memory of the largest of them
    told: str  # what it wrote to stderr


_LAUNCHER = """
import json, os, sys, time
told = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
begun = time.perf_counter()
child = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
wall = time.perf_counter() - begun
code = os.waitstatus_to_exitcode(status)
print(json.dumps([code, wall, used.ru_utime + used.ru_stime, used.ru_maxrss]), file=told)
"""


def run(command: Sequence[str], *, codes: tuple[int, ...] = (0,)) -> Spent:
    """Run a program to its end.

    Raises:
        RuntimeError: it ended with another exit code; the message has what it wrote to stderr.
    """
    done = subprocess.run(
        [sys.executable, "-S", "-c", _LAUNCHER, *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    code, wall, cpu, peak = json.loads(done.stdout)
    if code not in codes:
        raise RuntimeError(f"{' '.join(command)} ended with {code}:\n{done.stderr}")
    unit = 1 if sys.platform == "darwin" else 1024  # bytes
    return Spent(wall, cpu, peak * unit / 1e6, done.stderr)


def best(
    task: Callable[[], T], often: int, clock: Callable[[], float] = time.process_time
) -> tuple[float, T]:
    """The shortest time of several, in seconds of processor time unless told, and what the last one gave."""
    times = []
    for _ in range(often):
        begun = clock()
        found = task()
        times.append(clock() - begun)
    return min(times), found


def rows(figures: Sequence[tuple[str, Figure]]) -> Iterator[str]:
    """A table: benchmark, name, value, reference, how many times that, and the goal with ✓ or ✗."""
    cells = [("benchmark", "figure", "value", "reference", "times", "goal", "beside")]
    for benchmark, each in figures:
        met = {None: "", True: " ✓", False: " ✗"}[each.is_met]
        cells.append(
            (
                benchmark,
                each.name,
                f"{_short(each.value)} {each.unit}".rstrip(),
                "" if each.reference is None else _short(each.reference),
                "" if each.times is None else f"{each.times:.2f}",
                each.goal + met,
                each.beside,
            )
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numbers = (2, 3, 4)
    for row in cells:
        told = (
            cell.rjust(width) if at in numbers else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(told).rstrip()


def _short(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
