"""What the readers of card files share: objects out of a file, checked records, and what was left out.

A file is a JSON array in one line or in many, or JSON Lines (one object a line); plain or gzip (RFC 1952).
A bad record is named with its reason and passed over; a file without a good one is an error. Checks keep out
what could not stand in an IRI or be a number, and half surrogate pairs, which are no text.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, NoReturn, TypeVar, cast

import msgspec

from ..errors import SourceError
from ..model import Card, Printing
from ..naming import check_unique
from .jsonarray import BLANK, LONGEST, elements, opened

__all__ = [
    "Amount",
    "Id",
    "Name",
    "SetCode",
    "Sink",
    "Word",
    "by_age",
    "called",
    "converted",
    "day",
    "objects",
    "pooled",
    "unique",
]

Name = Annotated[str, msgspec.Meta(pattern=r"\S")]
Id = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
Word = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9]+(_[A-Za-z0-9]+)*\Z")]  # "usd_foil", "not_legal"
SetCode = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_]+\Z")]
Amount = Annotated[float, msgspec.Meta(ge=0, le=1e9)]

R = TypeVar("R")
H = TypeVar("H", bound=Hashable)


class Sink:
    """Takes what is left out, as (name or position, reason), and counts of what was met."""

    def __init__(self, skipped: list[tuple[str, str]] | None, counts: Counter[str] | None) -> None:
        self.skipped = skipped if skipped is not None else []
        self.counts = counts if counts is not None else Counter()
        self._before = len(self.skipped)

    def skip(self, what: str, reason: str) -> None:
        self.counts["skipped"] += 1
        self.skipped.append((what if what.isprintable() else repr(what), reason))

    def nothing(self, path: Path, things: str) -> NoReturn:
        """Says that a file has given none of `things` ("cards", "rulings"), with the first reason."""
        for what, reason in self.skipped[self._before :]:
            raise SourceError(f"{path}: no {things} in it could be read; {what}: {reason}")
        raise SourceError(f"{path}: holds no {things}: give another file")


def objects(path: Path, sink: Sink) -> Iterator[tuple[str, object]]:
    """(position, value) of each element of the array, or of each line, in the file at `path`.

    A line that is no JSON goes to `sink`; an array ends where it is no JSON.

    Raises:
        SourceError: if the file cannot be read, holds neither, or ends early.
    """
    with opened(path) as file:
        first = " "
        while first and first in BLANK:
            first = file.read(1)
    if first == "{":
        yield from _lines(path, sink)
        return
    if first == "<":
        raise SourceError(f"{path}: is a web page, not JSON: get the file itself from where the page leads")
    for number, element in enumerate(elements(path), 1):
        sink.counts["records"] += 1
        yield f"record {number}", element


def _lines(path: Path, sink: Sink) -> Iterator[tuple[str, object]]:
    with opened(path) as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            if not line.strip(BLANK):
                continue
            sink.counts["records"] += 1
            try:
                value = msgspec.json.decode(line)
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                if not line.endswith("\n"):
                    what = "is too long to be one record" if len(line) == LONGEST else "ends early"
                    raise SourceError(f"{path}: line {number} {what}: get the file again") from None
                sink.skip(f"line {number}", f"is no JSON ({error})")
                continue
            yield f"line {number}", value


def converted(element: object, record: type[R]) -> R:
    """The element as a record of that type.

    Raises:
        SourceError: if a field is missing or of the wrong shape, or a text in it is none.
    """
    try:
        made = msgspec.convert(element, record)
        msgspec.json.encode(made)
    except msgspec.ValidationError as error:
        raise SourceError(str(error)) from None
    except UnicodeEncodeError:
        raise SourceError("half of a surrogate pair stands in it: it is no text") from None
    return made


def day(text: str) -> str | None:
    """A day in ISO 8601; None of any other text."""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def called(element: object, where: str) -> str:
    """The name of a record for a message, or where it stands if it has none."""
    name = element.get("name") if isinstance(element, dict) else None
    return name if isinstance(name, str) and name.isprintable() and name.strip() else where


_POOL: dict[object, object] = {}


def pooled(value: H) -> H:
    """The first value that was equal to this one, so that equal ones are held once."""
    return cast(H, _POOL.setdefault((type(value), value), value))


def by_age(printing: Printing) -> tuple[str, str, int, str, str, str]:
    """Sorts printings: the oldest first, those of one day by set, number and language."""
    number = printing.number
    return (
        printing.released or "",
        printing.set_code,
        len(number),
        number,
        printing.language,
        printing.id,
    )


def unique(cards: Iterable[Card], sink: Sink) -> Iterator[Card]:
    """The cards in the order of their slugs. Of several with one slug the first oracle id stays.

    The others are skipped, with what to add to the table of slugs, so that nothing depends on the order
    in which a file has them.
    """
    seen: dict[str, str] = {}
    for card in sorted(cards, key=lambda card: (card.slug, card.oracle_id or "")):
        try:
            check_unique(seen, card)
        except SourceError as error:
            sink.skip(card.name, f"{error} (oracle id {card.oracle_id})" if card.oracle_id else str(error))
        else:
            sink.counts["cards"] += 1
            yield card
