"""Scryfall's bulk data of cards: its objects, one for each printing, to cards.

Printings of one oracle id become one card, which has the facts of the newest English one; so do oracle cards,
of which each has one printing. What was measured: of 20,030 cards with 45,851 printings in 2019, the facts
of one oracle id differ only in legalities (938 cards, since some formats ask for old printings) and in
wording (2). Faces of split and adventure cards have no colors of their own. A `reversible_card` has its
oracle id and all else in two equal faces. Tokens, emblems and art cards share names, but no oracle id.

What is held is one record per card and per printing, whatever else stands in the objects. Fields that a
record lacks stay None; mana values follow from the costs (CR 202.3). Format: scryfall.com/docs/api/cards.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from sys import intern

import msgspec
from msgspec.structs import replace

from ..errors import SourceError
from ..model import Card, Face, Printing, Related
from ..naming import card_name, card_slug
from .mana import mana_value
from .records import (
    Amount,
    Id,
    Name,
    SetCode,
    Sink,
    Word,
    by_age,
    called,
    converted,
    day,
    objects,
    pooled,
    unique,
)

__all__ = ["SHARED_COST", "prices_date", "read"]

SHARED_COST = frozenset({"transform", "flip", "battle", "double_faced_token"})
"""Layouts whose back counts with the mana cost of the front (CR 202.3b, 710.1c)."""

_NOT_LEGAL = "not_legal"
_DATED = re.compile(r"-(\d{4})-?(\d\d)-?(\d\d)(?:\d{6}|-[0-9a-f]{8})?\.")

Rank = tuple[bool, bool, str, str]


class _Face(msgspec.Struct, frozen=True, kw_only=True):
    """What an object and each of its faces can have; what is not used here is passed over."""

    name: Name
    oracle_id: Id | None = None
    layout: Name | None = None  # of a face: of a reversible card
    type_line: str | None = None
    mana_cost: str | None = None
    cmc: Amount | None = None
    oracle_text: str | None = None
    colors: tuple[str, ...] | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None


class _Part(msgspec.Struct, frozen=True):
    """An element of `all_parts`."""

    id: Id
    component: Word
    name: Name


class _Object(_Face, frozen=True, kw_only=True):
    """One printing."""

    object: str = "card"
    id: Id
    layout: Name
    set: SetCode
    collector_number: Name
    set_name: str | None = None
    rarity: str | None = None
    released_at: datetime.date | None = None
    lang: Name = "en"
    finishes: tuple[Word, ...] | None = None
    foil: bool = False  # before 2021 in place of `finishes`
    nonfoil: bool = False
    prices: dict[Word, str | None] | None = None
    legalities: dict[Word, Word] | None = None
    color_identity: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    all_parts: tuple[_Part, ...] | None = None
    card_faces: tuple[_Face, ...] | None = None


class _Gathered(msgspec.Struct):
    """A card as it grows: the facts of the best printing so far, and all printings."""

    rank: Rank
    card: Card  # without printings
    printings: list[Printing]
    legalities: dict[frozenset[tuple[str, str]], Rank]  # each set of them, with its best printing


def read(
    path: Path,
    *,
    skipped: list[tuple[str, str]] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[Card]:
    """The cards of the file, in the order of their slugs, without abilities and citations.

    Args:
        path: oracle cards, default cards or all cards.
        skipped: takes (name or position, reason) of each record that gives no card.
        counts: takes the numbers of `records`, `printings`, `duplicates merged`, `cards` and `skipped`.

    Raises:
        SourceError: if the file is missing, is no such file, ends early, or holds no good record.
    """
    sink = Sink(skipped, counts)
    gathered: dict[str, _Gathered] = {}
    seen: set[str] = set()  # ids of printings
    for where, element in objects(path, sink):
        try:
            record = converted(element, _Object)
            if record.id in seen:
                sink.counts["duplicates merged"] += 1
                continue
            _add(gathered, record)
        except SourceError as error:
            sink.skip(called(element, where), str(error))
        else:
            seen.add(record.id)
            sink.counts["printings"] += 1
    if not gathered:
        sink.nothing(path, "cards")
    date = prices_date(path)
    yield from unique((_card(found, date) for found in gathered.values()), sink)


def prices_date(path: Path) -> str | None:
    """The day of the prices: only the name that Scryfall, or the cache, gives the file has it."""
    found = _DATED.search(path.name)
    return day("-".join(found.groups())) if found else None


def _add(gathered: dict[str, _Gathered], record: _Object) -> None:
    oracle_id = _oracle_id(record)
    rank = _rank(record)
    found = gathered.get(oracle_id)
    if found is None:
        found = gathered[oracle_id] = _Gathered(rank, _facts(record, oracle_id), [], {})
    elif rank > found.rank:
        found.card, found.rank = _facts(record, oracle_id), rank
    found.printings.append(_printing(record))
    if record.legalities:
        key = pooled(frozenset(record.legalities.items()))
        found.legalities[key] = max(rank, found.legalities.get(key, rank))


def _oracle_id(record: _Object) -> str:
    if record.object != "card":
        raise SourceError(f"is a {record.object!r}, not a card")
    ids = {record.oracle_id} if record.oracle_id else {face.oracle_id for face in record.card_faces or ()}
    if len(ids) != 1:
        raise SourceError("has two different cards on its sides" if ids else "has no oracle id")
    (oracle_id,) = ids
    if oracle_id is None:
        raise SourceError("has no oracle id")
    return oracle_id


def _rank(record: _Object) -> Rank:
    """Printings in the order in which they are to be believed: English, of its own frame, newest."""
    released = record.released_at.isoformat() if record.released_at else ""
    return (record.lang == "en", record.layout != "reversible_card", intern(released), record.id)


def _card(found: _Gathered, prices_date: str | None) -> Card:
    printings = sorted(found.printings, key=by_age)
    priced = [printing for printing in printings if printing.prices]
    english = [printing for printing in priced if printing.language == "en"]
    prices = (english or priced)[-1].prices if priced else {}
    return replace(
        found.card,
        printings=tuple(printings),
        legalities=_legalities(found.legalities),
        prices=prices,
        prices_date=prices_date if prices else None,
    )


def _legalities(found: Mapping[frozenset[tuple[str, str]], Rank]) -> dict[str, str]:
    """Those of the best printing; a printing that may not be played does not keep the others from it."""
    best, *others = sorted(found, key=lambda key: found[key], reverse=True) if found else [frozenset()]
    statuses = dict(sorted(best))
    for other in others:
        for name, status in other:
            if statuses.get(name) == _NOT_LEGAL:
                statuses[name] = status
    return statuses


def _facts(record: _Object, oracle_id: str) -> Card:
    """The card that an object shows, without what belongs to its printing."""
    faces, layout = record.card_faces or (record,), record.layout
    name = card_name(record.name, layout)
    if layout == "reversible_card":
        faces = faces[: (len(faces) + 1) // 2]
        layout = faces[0].layout or "normal"
    if not any(face.type_line for face in faces):
        raise SourceError("has no type line")
    return Card(
        name=name,
        slug=card_slug(record.name, record.layout, oracle_id),
        layout=intern(layout),
        faces=_faces(record, faces, layout),
        color_identity=_pooled(record.color_identity),
        keywords=pooled(record.keywords or ()),
        oracle_id=oracle_id,
        related=_related(record),
    )


def _faces(record: _Object, faces: tuple[_Face, ...], layout: str) -> tuple[Face, ...]:
    made: list[Face] = []
    for number, face in enumerate(faces, 1):
        value = mana_value(face.mana_cost)
        if not face.mana_cost and number > 1 and layout in SHARED_COST:
            value = made[0].mana_value
        elif not face.mana_cost or value is None:
            given = face.cmc if face.cmc is not None or len(faces) > 1 else record.cmc
            value = given if given is not None or layout == "meld" else value  # CR 202.3c
        colors = face.colors
        if colors is None and layout == "flip":
            colors = record.colors  # CR 710.1c
        made.append(
            Face(
                name=face.name,
                number=number,
                oracle_text=face.oracle_text or None,
                type_line=intern(face.type_line) if face.type_line else None,
                mana_cost=intern(face.mana_cost) if face.mana_cost else None,
                mana_value=value,
                colors=_pooled(colors),
                power=face.power,
                toughness=face.toughness,
                loyalty=face.loyalty,
                defense=face.defense,
            )
        )
    return tuple(made)


def _printing(record: _Object) -> Printing:
    finishes = record.finishes
    if finishes is None:
        finishes = ("nonfoil",) * record.nonfoil + ("foil",) * record.foil
    prices = {intern(name): price for name, price in (record.prices or {}).items() if price}
    return Printing(
        id=record.id,
        set_code=intern(record.set),
        number=intern(record.collector_number),
        set_name=intern(record.set_name) if record.set_name else None,
        rarity=intern(record.rarity) if record.rarity else None,
        released=intern(record.released_at.isoformat()) if record.released_at else None,
        language=intern(record.lang),
        finishes=pooled(finishes),
        prices=prices or {},
    )


def _related(record: _Object) -> tuple[Related, ...]:
    """What `all_parts` tells beside the card itself, of which it lists other printings too."""
    found = {
        part.id: Related(name=part.name, component=intern(part.component), id=part.id)
        for part in record.all_parts or ()
        if part.id != record.id and (part.name != record.name or part.component == "token")
    }
    return tuple(found.values())


def _pooled(values: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if values is None else pooled(values)
