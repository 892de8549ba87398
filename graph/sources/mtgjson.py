"""MTGJSON's card files: AtomicCards, the file of one set, and AllPrintings, to cards.

All are one object with `meta` and `data`: AtomicCards has arrays of faces by card name in `data`, a set
file one set with its `cards` and `tokens`, AllPrintings sets by code. They are walked: only one face is in
memory at a time. Every face is an object of its own, with its letter in `side`; faces belong together by
the oracle id, not by the name, which variants share. No cost is written "" or left out. Only set files
tell printings that have an id, a number and a rarity, with the set's name and date after the cards.

Texts stay as they are; statuses in formats are put in Scryfall's lower case. Fields that a record lacks stay
None; mana values follow from the costs (CR 202.3). Format: mtgjson.com/data-models.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from ..errors import SourceError
from ..model import Card, Face, Printing, Ruling
from ..naming import card_name, card_slug
from .jsonarray import Window, opened
from .mana import mana_value
from .records import Amount, Id, Name, SetCode, Sink, Word, by_age, called, converted, day, pooled, unique
from .scryfall import SHARED_COST

__all__ = ["meta_date", "read"]

Keys: TypeAlias = tuple[str | int, ...]

_LISTS = ("cards", "tokens")
_SET = ("code", "name", "releaseDate")
_NO_CARDS = frozenset({"booster", "decks", "languages", "sealedProduct", "translations"})
_LANGUAGES = {
    "English": "en",
    "Spanish": "es",
    "French": "fr",
    "German": "de",
    "Italian": "it",
    "Portuguese (Brazil)": "pt",
    "Japanese": "ja",
    "Korean": "ko",
    "Russian": "ru",
    "Chinese Simplified": "zhs",
    "Chinese Traditional": "zht",
    "Hebrew": "he",
    "Latin": "la",
    "Ancient Greek": "grc",
    "Arabic": "ar",
    "Sanskrit": "sa",
    "Phyrexian": "ph",
    "Quenya": "qya",
}
"""MTGJSON's names of languages → Scryfall's codes."""


class _Identifiers(msgspec.Struct, frozen=True, rename="camel"):
    scryfall_oracle_id: Id | None = None
    scryfall_id: Id | None = None


class _Ruling(msgspec.Struct, frozen=True):
    date: datetime.date
    text: Name


class _Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One face; what is not used here is passed over."""

    name: Name
    type: Name
    layout: Name
    face_name: Name | None = None
    side: str | None = None
    text: str | None = None
    mana_cost: str | None = None
    mana_value: Amount | None = None
    face_mana_value: Amount | None = None
    colors: tuple[str, ...] | None = None
    color_identity: tuple[str, ...] | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    keywords: tuple[str, ...] = ()
    legalities: dict[Word, Word] = {}
    rulings: tuple[_Ruling, ...] = ()
    identifiers: _Identifiers = _Identifiers()
    set_code: SetCode | None = None
    number: Name | None = None
    rarity: str | None = None
    language: str = "English"
    finishes: tuple[Word, ...] = ()


class _Gathered(msgspec.Struct):
    """A card as it grows."""

    faces: dict[str, _Record]  # by side
    printings: dict[str, Printing]  # by id


def read(
    path: Path,
    *,
    skipped: list[tuple[str, str]] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[Card]:
    """The cards of the file, in the order of their slugs, without abilities and citations.

    Args:
        path: AtomicCards or one like it, the file of a set, or AllPrintings; plain or gzip.
        skipped: takes (name or position, reason) of each record that gives no card.
        counts: takes the numbers of `records` (faces), `cards` and `skipped`.

    Raises:
        SourceError: if the file is missing, is no such file, ends early, or holds no good record.
    """
    sink = Sink(skipped, counts)
    gathered: dict[str, _Gathered] = {}
    sets: dict[str, dict[str, str]] = {}  # key of the set, if the file has several -> what is told of it
    for keys, value in _walk(path, _into):
        match keys:
            case ("data", str(name), int()) if name not in _NO_CARDS:
                _take(gathered, value, _place(keys), sink)
            case ("data", _, str(name), int()) if name in _LISTS:
                _take(gathered, value, _place(keys), sink)
            case ("data", str(key)) if key in _SET and isinstance(value, str):
                sets.setdefault("", {})[key] = value
            case ("data", scope, str(key)) if key in _SET and isinstance(value, str):
                sets.setdefault(str(scope), {})[key] = value
    known = {found["code"].lower(): found for found in sets.values() if "code" in found}
    cards: list[Card] = []
    for found in gathered.values():
        try:
            cards.append(_card(found, known))
        except SourceError as error:
            sink.skip(next(iter(found.faces.values())).name, str(error))
    if not cards:
        sink.nothing(path, "cards")
    yield from unique(cards, sink)


def meta_date(path: Path) -> str | None:
    """The day on which MTGJSON made the file; it stands at the beginning.

    Raises:
        SourceError: if the file cannot be read or is none of MTGJSON's.
    """
    for keys, value in _walk(path, lambda keys: len(keys) < 2):
        if keys == ("meta", "date"):
            return day(str(value))
        if keys[:1] != ("meta",):
            break
    return None


def _into(keys: Keys) -> bool:
    """What is walked, rather than taken whole: `data`, what is in it, and the lists of cards of a set."""
    return keys in ((), ("data",)) or (
        keys[0] == "data" and (len(keys) == 2 or (len(keys) == 3 and keys[2] in _LISTS))
    )


def _walk(path: Path, into: Callable[[Keys], bool]) -> Iterator[tuple[Keys, object]]:
    """(keys from the top, value) of what stands in the objects and arrays whose keys `into` accepts."""
    with opened(path) as file:
        window = Window(file, path)
        if window.peek() != "{":
            raise SourceError(f"{path}: is no JSON object: give a file of MTGJSON")
        yield from _within(window, (), into)
        if window.peek():
            raise SourceError(f"{path}: goes on after the end of the object: get the file again")


def _within(window: Window, keys: Keys, into: Callable[[Keys], bool]) -> Iterator[tuple[Keys, object]]:
    opening = window.peek()
    where = _place(keys)
    if opening not in ("[", "{") or not into(keys):
        yield keys, window.value(where)
        return
    closing = "]" if opening == "[" else "}"
    window.skip()
    if window.peek() == closing:
        window.skip()
        return
    for number in count():
        key: str | int = number
        if opening == "{":
            key = str(window.value(where))
            if window.peek() != ":":
                raise SourceError(f"{window.path}: is no JSON in {where}: get the file again")
            window.skip()
        yield from _within(window, (*keys, key), into)
        separator = window.peek()
        window.skip()
        if separator == closing:
            return
        if separator != ",":
            what = f"has {separator!r}" if separator else "ends early"
            raise SourceError(f"{window.path}: {what} in {where}: get the file again")


def _place(keys: Keys) -> str:
    """Where something stands, for a message of one line."""
    return ", ".join(str(key) if str(key).isprintable() else repr(key) for key in keys) or "the top"


def _take(gathered: dict[str, _Gathered], element: object, where: str, sink: Sink) -> None:
    sink.counts["records"] += 1
    try:
        record = converted(element, _Record)
        if record.layout == "meld":  # each part and the result are cards of their own
            record = replace(record, name=record.face_name or record.name, side=None)
        name = card_name(record.name, record.layout)
        card_slug(record.name, record.layout, record.identifiers.scryfall_oracle_id)
    except SourceError as error:
        sink.skip(called(element, where), str(error))
        return
    found = gathered.setdefault(record.identifiers.scryfall_oracle_id or name, _Gathered({}, {}))
    known = found.faces.get(record.side or "a")
    if known is None or (known.layout == "reversible_card" != record.layout):
        found.faces[record.side or "a"] = record
    printing = _printing(record)
    if printing is not None:
        found.printings.setdefault(printing.id, printing)


def _card(found: _Gathered, sets: dict[str, dict[str, str]]) -> Card:
    front = found.faces.get("a")
    if front is None:
        raise SourceError("its front is not in the file")
    oracle_id = front.identifiers.scryfall_oracle_id
    records = [found.faces[side] for side in sorted(found.faces) if found.faces[side].layout == front.layout]
    if front.layout == "reversible_card":
        records = records[: (len(records) + 1) // 2]
    return Card(
        name=card_name(front.name, front.layout),
        slug=card_slug(front.name, front.layout, oracle_id),
        layout=front.layout,
        faces=_faces(records),
        color_identity=front.color_identity,
        keywords=pooled(tuple(dict.fromkeys(word for record in records for word in record.keywords))),
        oracle_id=oracle_id,
        legalities={name: status.lower() for name, status in sorted(front.legalities.items())},
        printings=tuple(sorted((_dated(p, sets) for p in found.printings.values()), key=by_age)),
        rulings=_rulings(front, oracle_id),
    )


def _rulings(record: _Record, oracle_id: str | None) -> tuple[Ruling, ...]:
    if oracle_id is None:
        return ()
    return tuple(
        Ruling(oracle_id=oracle_id, source="mtgjson", published=ruling.date.isoformat(), text=ruling.text)
        for ruling in record.rulings
    )


def _faces(records: list[_Record]) -> tuple[Face, ...]:
    made: list[Face] = []
    for number, record in enumerate(records, 1):
        value = mana_value(record.mana_cost)
        if not record.mana_cost and number > 1 and record.layout in SHARED_COST:
            value = made[0].mana_value
        elif not record.mana_cost or value is None:
            whole = record.mana_value if len(records) == 1 else None
            given = whole if record.face_mana_value is None else record.face_mana_value
            value = given if given is not None or record.layout == "meld" else value  # CR 202.3c
        made.append(
            Face(
                name=record.face_name or card_name(record.name, record.layout),
                number=number,
                oracle_text=record.text or None,
                type_line=record.type,
                mana_cost=record.mana_cost or None,
                mana_value=value,
                colors=record.colors,
                power=record.power,
                toughness=record.toughness,
                loyalty=record.loyalty,
                defense=record.defense,
            )
        )
    return tuple(made)


def _printing(record: _Record) -> Printing | None:
    if record.identifiers.scryfall_id is None or record.set_code is None or record.number is None:
        return None
    return Printing(
        id=record.identifiers.scryfall_id,
        set_code=record.set_code.lower(),
        number=record.number,
        rarity=record.rarity,
        language=_LANGUAGES.get(record.language, record.language),
        finishes=record.finishes,
    )


def _dated(printing: Printing, sets: dict[str, dict[str, str]]) -> Printing:
    known = sets.get(printing.set_code, {})
    return replace(printing, set_name=known.get("name"), released=day(known.get("releaseDate", "")))
