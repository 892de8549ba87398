"""The releases of the rulebook that are at hand: files and folders given, and what `fetch rules` got.

A release goes by its effective date, which the text names; file names say nothing (they differ from it in 17
of 110 releases). Of two files of one date the one that was given counts, and the earlier given of two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from filecmp import cmp
from pathlib import Path

from msgspec import Struct

from ..errors import RulebookError
from ..model import Rulebook
from ..sources import outline
from ..sources.cache import cached_rules
from ..sources.rulebook import effective, read

__all__ = ["Release", "releases", "resolve"]

NEWEST = "newest"
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


class Release(Struct, frozen=True, kw_only=True):
    """A text of the rules that is at hand."""

    date: str  # effective, ISO 8601
    path: Path
    source: str  # the folder or file given, or the address that `fetch` had it from


def releases(
    places: Sequence[Path] = (), *, cache: Path | None = None, fault: Callable[[str], None] | None = None
) -> list[Release]:
    """All releases in the files and folders given, then those in the cache; by effective date.

    Args:
        places: text files of the rules, or folders that hold some (`*.txt`).
        cache: folder of `fetch`; None is the user's.
        fault: is told of each file that is no text of the rules, or another of the same date, in one line.

    Raises:
        RulebookError: a place does not exist.
    """
    found: dict[str, Release] = {}
    for path, source in _files(places, cache):
        try:
            date = effective(path)
        except RulebookError as error:
            if fault is not None:
                fault(str(error))
            continue
        taken = found.setdefault(date, Release(date=date, path=path, source=source)).path
        if fault is not None and not (taken == path or cmp(taken, path, shallow=False)):
            fault(f"{path} is of {date} too, like {taken}, and is not used")
    return [found[date] for date in sorted(found)]


def resolve(
    spec: str | None = None,
    places: Sequence[Path] = (),
    *,
    cache: Path | None = None,
    fault: Callable[[str], None] | None = None,
) -> Rulebook:
    """The release that `spec` means, read.

    Args:
        spec: a text file; an effective date or an unambiguous beginning of one ("2025-02"); None or "newest"
            for the newest at hand or, if there is none, the outline that ships (which has no words).
        places: as for `releases`.
        cache: as for `releases`.
        fault: as for `releases`.

    Raises:
        RulebookError: it means none or several, or the file cannot be read.
    """
    wanted = NEWEST if spec is None else spec
    if wanted != NEWEST and not _DATE.fullmatch(wanted):
        return read(Path(wanted))
    at_hand = releases(places, cache=cache, fault=fault)
    if wanted == NEWEST:
        return read(at_hand[-1].path) if at_hand else outline.load()
    meant = [each for each in at_hand if each.date.startswith(wanted)]
    if len(meant) == 1:
        return read(meant[0].path)
    if meant:
        raise RulebookError(f"{wanted} is several releases: say {_listed(meant)}")
    shipped = outline.load()
    if shipped.release.startswith(wanted):
        return shipped
    there = f"there are {_listed(at_hand)}" if at_hand else "there is none"
    raise RulebookError(
        f"no text of the release of {wanted} is at hand: give its file or folder (--releases PATH) or get it "
        f"with `cardlaw fetch rules --from FILE`; {there}"
    )


def _files(places: Sequence[Path], cache: Path | None) -> Iterator[tuple[Path, str]]:
    """Each file that may be a release, with its source."""
    for place in places:
        if place.is_dir():
            inside = sorted(each for each in place.iterdir() if each.suffix.lower() == ".txt")
            yield from ((each, str(place)) for each in inside if each.is_file())
        elif place.exists():
            yield place, str(place)
        else:
            raise RulebookError(f"there is no {place}: give text files of the rules, or folders of them")
    for each in cached_rules(cache):
        yield each.path, each.source


def _listed(some: Sequence[Release]) -> str:
    return ", ".join(each.date for each in some)
