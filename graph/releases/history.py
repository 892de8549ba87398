"""One rule through all releases at hand: when it came, when its number or its wording changed, when it went.

Releases are matched one by one, each with the next, so that a rule is followed through every number that it
had. What happened between two releases is dated by the later of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from ..errors import RulebookError
from ..model import Rulebook
from .changes import Piece, word_diff
from .matching import match_books
from .passages import Book
from .records import Match

__all__ = ["Event", "History", "Step", "history"]

EventKind: TypeAlias = Literal["first found", "added", "moved", "reworded", "moved and reworded", "removed"]
"""first found: the oldest release at hand has it, so that it may be older."""

Step: TypeAlias = Callable[[int, int], None]
"""Is told how many releases of how many are compared."""


class Event(Struct, frozen=True, kw_only=True):
    """What happened to the rule in a release."""

    release: str  # effective date: the first at hand in which it is so
    kind: EventKind
    number: str  # its number from then on; where it is removed, the last that it had
    before: str | None = None  # the number that it had, where it moved
    confidence: float = 1.0  # that it is the same rule as before
    reason: str = ""
    words: tuple[Piece, ...] = ()  # what changed


class History(Struct, frozen=True, kw_only=True):
    """A rule through the releases."""

    number: str  # as it was asked for
    release: str  # the release that it was asked for in
    title: str | None
    present: str | None  # its number in the newest release at hand; None where it is removed
    since: str  # the release that it has its present, or last, wording from
    came: str | None  # the release that it came in; None where the oldest at hand has it
    releases: tuple[str, ...]  # all that were compared
    confidence: float  # the least of all steps
    events: tuple[Event, ...]  # oldest first


def history(number: str, release: str, books: Sequence[Rulebook], step: Step | None = None) -> History:
    """The rule that has `number` in `release`, through `books`.

    Args:
        books: distinct releases, oldest first, that of `release` among them; outlines are of no use.

    Raises:
        RulebookError: `release` is not among them or has no such number.
    """
    dates = [each.release for each in books]
    if release not in dates:
        raise RulebookError(f"the release of {release} is not among those at hand: {', '.join(dates)}")
    start = dates.index(release)
    if number not in books[start].rules:
        raise RulebookError(f"the release of {release} has no rule {number}")
    tell = step or (lambda done, total: None)
    track = _Track(books, start, number)
    for done in range(1, len(books)):
        track.go_on()
        tell(done, len(books) - 1)
    events = tuple(track.events())
    gone = events[-1].kind == "removed"
    return History(
        number=number,
        release=release,
        title=track.books[start].heading[number],
        present=None if gone else events[-1].number,
        since=[each for each in events if each.kind not in ("moved", "removed")][-1].release,
        came=events[0].release if events[0].kind == "added" else None,
        releases=tuple(dates),
        confidence=min(each.confidence for each in events),
        events=events,
    )


class _Track:
    """A rule followed from one release back to where it came, and on to where it goes."""

    def __init__(self, books: Sequence[Rulebook], start: int, number: str) -> None:
        self.books = [Book(each) for each in books]
        self.numbers = {start: number}  # by the place of the release
        self.matches: dict[int, Match] = {}  # that led from the release before to this place
        self.todo = [*((place, True) for place in range(start, 0, -1))]
        self.todo += [(place, False) for place in range(start + 1, len(books))]

    def go_on(self) -> None:
        """Compare one release with the next, if the rule is to be followed there."""
        place, backward = self.todo.pop(0)
        known = place if backward else place - 1
        if known not in self.numbers:
            return
        matching = match_books(self.books[place - 1], self.books[place])
        number = self.numbers[known]
        found = next((m for m in matching.matches if (m.new if backward else m.old) == number), None)
        if found is not None:
            self.matches[place] = found
            self.numbers[place - 1 if backward else place] = found.old if backward else found.new

    def events(self) -> Iterator[Event]:
        first, last = min(self.numbers), max(self.numbers)
        release = self.books[first].rulebook.release
        yield Event(release=release, kind="added" if first else "first found", number=self.numbers[first])
        for place in range(first + 1, last + 1):
            yield from self.event(place, self.matches[place])
        if last + 1 < len(self.books):
            release = self.books[last + 1].rulebook.release
            yield Event(release=release, kind="removed", number=self.numbers[last])

    def event(self, place: int, found: Match) -> Iterator[Event]:
        """What happened between a release and the one before; nothing if nothing did."""
        old, new = self.books[place - 1].passages[found.old], self.books[place].passages[found.new]
        reworded, moved = old.words != new.words, found.old != found.new
        if not (reworded or moved):
            return
        yield Event(
            release=self.books[place].rulebook.release,
            kind="moved and reworded" if reworded and moved else "reworded" if reworded else "moved",
            number=found.new,
            before=found.old if moved else None,
            confidence=found.confidence,
            reason=found.reason,
            words=word_diff(old.printed, new.printed) if reworded else (),
        )
