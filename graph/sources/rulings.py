"""Scryfall's bulk data of rulings, and the rules that a ruling states.

An object has the oracle id of its card, a source ("wotc" or "scryfall"), a day and a text. A ruling that
states the number of a rule speaks of the rulebook of its day, and numbers change: a link to a release is made
only where the releases around that day agree. None of the 67 rulings of the sample states a number.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from ..errors import SourceError
from ..model import Rulebook, Ruling, Stated
from .records import Id, Name, Sink, converted, objects
from .references import citing

__all__ = ["by_card", "read", "stated"]

_NUMBER = re.compile(r"\d{3}|section", re.IGNORECASE)  # without which no text states a rule


class _Object(msgspec.Struct, frozen=True, kw_only=True):
    object: str = "ruling"
    oracle_id: Id
    source: Name
    published_at: datetime.date
    comment: Name


def read(
    path: Path,
    *,
    skipped: list[tuple[str, str]] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[Ruling]:
    """The rulings of the file in its order, one by one.

    Args:
        path: a JSON array or JSON Lines, plain or gzip.
        skipped: takes (position, reason) of each record that gives no ruling.
        counts: takes the numbers of `records`, `rulings` and `skipped`.

    Raises:
        SourceError: if the file is missing, is no such file, ends early, or holds no good record.
    """
    sink = Sink(skipped, counts)
    found = False
    for where, element in objects(path, sink):
        try:
            record = converted(element, _Object)
            if record.object != "ruling":
                raise SourceError(f"is a {record.object!r}, not a ruling")
        except SourceError as error:
            sink.skip(where, str(error))
            continue
        found = True
        sink.counts["rulings"] += 1
        yield Ruling(
            oracle_id=record.oracle_id,
            source=record.source,
            published=record.published_at.isoformat(),
            text=record.comment,
        )
    if not found:
        sink.nothing(path, "rulings")


def by_card(rulings: Iterable[Ruling]) -> dict[str, tuple[Ruling, ...]]:
    """Oracle id → the rulings of the card, each once, from the oldest to the newest."""
    found: dict[str, dict[tuple[str, str], Ruling]] = {}
    for ruling in rulings:
        found.setdefault(ruling.oracle_id, {}).setdefault((ruling.published, ruling.text), ruling)
    return {
        oracle_id: tuple(ruling for _, ruling in sorted(of_card.items()))
        for oracle_id, of_card in found.items()
    }


def stated(ruling: Ruling, rulebooks: Sequence[Rulebook]) -> tuple[Stated, ...]:
    """The rules whose numbers the text states, in its order; a number that no rulebook has is left out.

    Args:
        rulebooks: the releases that are known, in any order. A number is told to hold in the one that was in
            effect on the day of the ruling if the next one has it under the same heading, or is that day's.
    """
    if not _NUMBER.search(ruling.text):
        return ()
    known = {number for book in rulebooks for number in book.rules}
    numbers = citing(ruling.text, known).numbers
    if not numbers:
        return ()
    books = sorted(rulebooks, key=lambda book: book.release)
    before = [book for book in books if book.release <= ruling.published]
    after = [book for book in books if book.release > ruling.published]
    nearest = [*before[::-1], *after]
    return tuple(
        Stated(
            rule=number,
            title=next(_heading(number, book) for book in nearest if number in book.rules),
            release=_release(number, ruling, before[-1:], after[:1]),
        )
        for number in numbers
    )


def _release(
    number: str, ruling: Ruling, before: Sequence[Rulebook], after: Sequence[Rulebook]
) -> str | None:
    """The release of the rulebook in `before`, if the number surely had its meaning on the ruling's day."""
    if not before or number not in before[0].rules:
        return None
    if before[0].release == ruling.published:
        return before[0].release
    agreed = bool(after) and number in after[0].rules
    agreed = agreed and _heading(number, after[0]) == _heading(number, before[0])
    return before[0].release if agreed else None


def _heading(number: str, book: Rulebook) -> str | None:
    """The nearest heading at or above a rule."""
    above: str | None = number
    while above is not None:
        rule = book.rules[above]
        if rule.title is not None:
            return rule.title
        above = rule.parent
    return None
