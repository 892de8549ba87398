"""Whether a deck is built as the rules ask, and in which formats all of its cards are legal.

Each check names its rule: `ontology/deckrules.toml` says which, and how it is found in the rulebook of the
graph. Where that fails, or what a check needs is not known, the check is left out: right or absent.
What formats allow is no matter of these rules, but of the source of the cards.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from cardlaw.ontology import data

from ..lookup import Lookup, local
from ..store import Store
from .cards import COLORS, PLAYED, DeckCard
from .listing import DeckList, Section

__all__ = ["Check", "FormatLegality", "checks", "formats"]

_COPIES = 4
_MAIN: tuple[Section, ...] = ("commander", "main")


class Check(Struct, frozen=True, kw_only=True):
    """A rule of deck construction, and whether the deck keeps it."""

    rule: str
    kept: bool
    says: str  # in a sentence of our own
    cards: tuple[str, ...] = ()  # names of those that break it


class FormatLegality(Struct, frozen=True, kw_only=True):
    """A format, and the cards of the deck that keep the deck out of it."""

    name: str
    legal: bool
    not_legal: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    restricted: tuple[str, ...] = ()  # more than one copy of what is restricted to one


def checks(store: Store, deck: DeckList, cards: Sequence[DeckCard]) -> tuple[Check, ...]:
    """The rules of deck construction that can be checked: of Commander if there is one, else constructed."""
    rules = _rules(store)
    found = _commander(deck, cards) if deck.count("commander") else _constructed(deck, cards)
    return tuple(
        Check(rule=rules[name], kept=kept, says=says, cards=tuple(sorted(wrong)))
        for name, kept, says, wrong in found
        if name in rules
    )


_Found = tuple[str, bool, str, Iterable[str]]


def _constructed(deck: DeckList, cards: Sequence[DeckCard]) -> Iterator[_Found]:
    main, side = deck.count("main"), deck.count("sideboard")
    if main:
        yield (
            "constructed-size",
            main >= 60,
            f"a constructed deck has at least 60 cards, this one has {main:,}",
            (),
        )
    if 40 <= main < 60:
        yield "limited-size", True, f"a limited deck has at least 40 cards, this one has {main:,}", ()
    if side:
        says = f"a sideboard in constructed play has at most 15 cards, this one has {side:,}"
        yield "constructed-sideboard", side <= 15, says, ()
    many = [card.name for card in cards if _allowed(card, _COPIES) < card.count("main", "sideboard")]
    says = "of each card but basic lands there are at most four in deck and sideboard"
    if main and cards:
        yield "constructed-copies", not many, says, many


def _commander(deck: DeckList, cards: Sequence[DeckCard]) -> Iterator[_Found]:
    size = deck.count(*_MAIN)
    says = f"a Commander deck has exactly 100 cards with its commander, this one has {size:,}"
    yield "commander-size", size == 100, says, ()
    many = [card.name for card in cards if _allowed(card, 1) < card.count(*_MAIN)]
    yield "commander-copies", not many, "of each card but basic lands there is one", many
    leading = [card for card in cards if card.count("commander")]
    known = all(card.color_identity is not None for card in cards if card.count(*_MAIN))
    if leading and known:
        colors = {color for card in leading for color in card.color_identity or ()}
        outside = [
            card.name for card in cards if card.count(*_MAIN) and not colors >= {*(card.color_identity or ())}
        ]
        named = "".join(color for color in COLORS if color in colors) or "no color"
        says = f"each card is within the color identity of the commander, {named}"
        yield "commander-identity", not outside, says, outside


def _allowed(card: DeckCard, most: int) -> float:
    """How many copies of a card there may be."""
    if card.is_basic or card.most == 0:
        return float("inf")
    return most if card.most is None else card.most


def _rules(store: Store) -> dict[str, str]:
    """Name of a check → number of its rule in the rulebook of the graph, of those that are found."""
    table = _table()
    reader = Lookup(store)
    found = {}
    for name, said in table.items():
        if (
            not isinstance(said, Mapping)
            or reader.value(f"rule:{said['section']}", "heading") != said["heading"]
        ):
            continue
        if store.info.has_text:
            number = next(_saying(reader, said["section"], said["words"]), None)
        else:
            there = store.info.release == table["release"] and reader.value(f"rule:{said['number']}", "label")
            number = said["number"] if there else None
        if number is not None:
            found[name] = number
    return found


def _saying(reader: Lookup, section: str, words: Sequence[str]) -> Iterator[str]:
    """Numbers of the rules of a section that have these words."""
    for rule in reader.subjects("broader", f"rule:{section}"):
        for each in (rule, *reader.subjects("broader", rule)):
            text = reader.value(each, "definition") or ""
            if all(word in text for word in words):
                yield local(each)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(data("deckrules.toml").read_text(encoding="utf-8"))


def formats(store: Store, cards: Sequence[DeckCard]) -> tuple[FormatLegality, ...] | None:
    """Every format, those in which all cards are legal first; None where the source of the cards has none."""
    reader = Lookup(store)
    named = [local(format_) for format_ in reader.subjects("class", "mtg:Format")]
    played = [card for card in cards if any(card.count(section) for section in PLAYED)]
    if not named or not played:
        return None
    made = []
    for name in named:
        found: dict[str | None, list[DeckCard]] = {}
        for card in played:
            found.setdefault(card.legalities.get(name), []).append(card)
        banned, outside = (
            tuple(sorted(card.name for card in found.get(status, ()))) for status in ("banned", None)
        )
        restricted = (card for card in found.get("restricted", ()) if card.count(*PLAYED) > 1)
        over = tuple(sorted(card.name for card in restricted))
        legal = not (banned or outside or over)
        made.append(FormatLegality(name=name, legal=legal, not_legal=outside, banned=banned, restricted=over))
    return tuple(sorted(made, key=lambda each: (not each.legal, each.name)))
