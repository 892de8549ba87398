"""What belongs to a card beside its text, as a few lines: formats, prices, printings, related cards, rulings.

Nothing is said where the sources say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from rich.text import Text

from cardlaw.graph.model import Card, Printing, Ruling

__all__ = ["beside_lines"]

_PRINTINGS = 3  # that are named
_RELATED = {
    "token": "makes",
    "meld_part": "melds with",
    "meld_result": "melds into",
    "combo_piece": "goes with",
}
_CURRENCIES = {"usd": "{} USD", "eur": "{} EUR", "tix": "{} tix"}

Piece = tuple[int, Text, int]
"""Indent, words, and how far what wraps is indented from there."""


def beside_lines(card: Card) -> Iterator[Piece]:
    """The lines, each group of them after a blank one."""
    facts = [
        *_legalities(card.legalities),
        *_prices(card),
        *_printings(card.printings),
        *_related(card),
        *_origins(card.origins),
    ]
    if facts:
        yield 0, Text(), 0
    for name, words in facts:
        yield 0, Text().append(f"{name}: ", "dim").append(words), 4
    if card.rulings:
        yield 0, Text(), 0
        yield 0, Text("Rulings", "bold"), 0
        for ruling in card.rulings:
            yield from _ruling(ruling)


def _legalities(legalities: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for status in ("legal", "restricted", "banned"):
        formats = sorted(name for name, found in legalities.items() if found == status)
        if formats:
            yield f"{status} in", ", ".join(formats)


def _prices(card: Card) -> Iterator[tuple[str, str]]:
    if card.prices:
        day = f" on {card.prices_date}" if card.prices_date else ", day unknown"
        yield f"prices{day}", ", ".join(_price(kind, amount) for kind, amount in card.prices.items())


def _price(kind: str, amount: str) -> str:
    currency, _, finish = kind.partition("_")
    return f"{_CURRENCIES.get(currency, '{} ' + currency).format(amount)} {finish}".rstrip()


def _printings(printings: tuple[Printing, ...]) -> Iterator[tuple[str, str]]:
    if printings:
        more = len(printings) - _PRINTINGS
        named = "; ".join(map(_printing, printings[:_PRINTINGS]))
        yield (
            f"{len(printings):,} printing{'' if len(printings) == 1 else 's'}",
            named + (f"; and {more:,} more" if more > 0 else ""),
        )


def _printing(printing: Printing) -> str:
    name = f"{printing.set_name or printing.set_code.upper()} {printing.number}"
    language = "" if printing.language == "en" else printing.language
    return ", ".join(filter(None, (name, printing.rarity, printing.released, language)))


def _related(card: Card) -> Iterator[tuple[str, str]]:
    for component, words in _RELATED.items():
        names = dict.fromkeys(part.name for part in card.related if part.component == component)
        if names:
            yield words, "; ".join(names)


def _origins(origins: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The source of the card, and what other ones filled."""
    if not origins:
        return
    filled = sorted((source, field) for field, source in origins.items() if field != "name")
    words = [origins["name"]]
    for source, fields in groupby(filled, key=lambda each: each[0]):
        words.append(f"{', '.join(_field(field) for _, field in fields)} from {source}")
    yield "source", "; ".join(words)


def _field(place: str) -> str:
    number, _, field = place.rpartition(".")
    return field.replace("_", " ") + (f" of face {number}" if number else "")


def _ruling(ruling: Ruling) -> Iterator[Piece]:
    first, *others = ruling.text.splitlines()
    yield 2, Text().append(f"{ruling.published} ({ruling.source})  ", "dim").append(first), 2
    for paragraph in others:
        yield 4, Text(paragraph), 2
    for stated in ruling.rules:
        line = Text("states ", "dim").append(stated.rule, "bold green").append(f" {stated.title or ''}")
        if stated.release is not None:
            line.append(f" (release of {stated.release})", "dim")
        line.rstrip()
        yield 4, line, 2
