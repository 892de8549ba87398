"""The releases that a build is given, and what became of each rule from one to the next.

What comes in are official texts of the Comprehensive Rules, files or folders of them; what goes out are the
rulebooks by effective date, and between each and the next the ties of their rules. Only neighbors are laid
side by side: what was long ago follows from step to step. A pair takes some seconds, so that each is a
piece of work for a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.resources.abc import Traversable
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from .errors import RulebookError, StoreError
from .load import follow_parent, submit
from .model import Rulebook
from .releases.fates import fates
from .releases.matching import match
from .releases.records import FateKind
from .sources import rulebook as rulebooks

__all__ = ["Release", "Tie", "read_releases", "side_by_side"]


class Release(Struct, frozen=True):
    """A release that was read, and its file."""

    book: Rulebook
    file: Traversable | Path


class Tie(Struct, frozen=True, kw_only=True):
    """A rule of one release and the one of the next that it became."""

    old: str  # number there
    new: str
    kind: FateKind
    similarity: float
    confidence: float
    reason: str

    @property
    def is_moved(self) -> bool:
        return self.old != self.new

    @property
    def is_reworded(self) -> bool:
        return self.kind.endswith("reworded")


def read_releases(places: Sequence[Path], *, skipped: list[tuple[str, str]]) -> list[Release]:
    """The releases in these files and in the text files (`*.txt`) of these folders, by effective date.

    Args:
        places: files and folders; of two files of one date the earlier given counts.
        skipped: gets each file that is left out, with the reason: a file of a folder that is no text of the
            rules, or one of a release that was read before.

    Raises:
        RulebookError: a file that was given cannot be read, or a folder holds no release.
    """
    found: dict[str, Release] = {}
    for place in places:
        before = len(found)
        for path in _files(place):
            try:
                book = rulebooks.read(path)
            except RulebookError as error:
                if path is place:
                    raise
                skipped.append((path.name, str(error)))
                continue
            known = found.setdefault(book.release, Release(book, path))
            if known.file is not path:
                skipped.append((path.name, f"has the release of {book.release}, as {known.file.name} has"))
        if place.is_dir() and len(found) == before:
            raise RulebookError(f"{place} holds no text of a release: give the official text files (*.txt)")
    return [found[date] for date in sorted(found)]


def _files(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    return sorted(path for path in place.iterdir() if path.suffix.lower() == ".txt" and path.is_file())


def side_by_side(
    books: Sequence[Rulebook], workers: int, progress: Callable[[int, int], None] = lambda *_: None
) -> list[tuple[Tie, ...]]:
    """The ties from each release to the next, in the order of the newer book.

    Args:
        books: by effective date.
        workers: processes that may be at work.
        progress: told how many pairs are done, and of how many.

    Raises:
        StoreError: a process ended abruptly.
    """
    pairs = list(pairwise(books))
    done: list[tuple[Tie, ...]] = []
    workers = min(workers, len(pairs))
    if workers < 2:
        for pair in pairs:
            done.append(ties(*pair))
            progress(len(done), len(pairs))
        return done
    pool = ProcessPoolExecutor(workers, get_context("spawn"), follow_parent)
    try:
        waiting = [submit(pool, ties, *pair) for pair in pairs]
        for future in waiting:
            done.append(future.result())
            progress(len(done), len(pairs))
    except BrokenProcessPool:
        raise StoreError("a process that compares releases ended abruptly: is there memory enough?") from None
    finally:
        pool.shutdown(cancel_futures=True)
    return done


def ties(older: Rulebook, newer: Rulebook) -> tuple[Tie, ...]:
    """Which rule of the older release became which of the newer, in the order of the newer book."""
    matching = match(older, newer)
    became = fates(older, newer, matching)
    by_new = {each.new: each for each in matching.matches}
    return tuple(
        Tie(
            old=found.old,
            new=number,
            kind=became.of(found.old).kind,
            similarity=found.similarity,
            confidence=found.confidence,
            reason=found.reason,
        )
        for number in newer.rules
        if (found := by_new.get(number)) is not None
    )
