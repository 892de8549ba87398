"""What a deck list says: its entries in their order, and the lines that say nothing.

Sections are those of deck building: the deck itself, the sideboard (CR 100.4), the commander (CR 903.3), the
companion (CR 702.139), what may come in (maybeboard), and what is no card of a deck (tokens, supplementary
decks, CR 100.2d).
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

__all__ = ["LONGEST", "MOST", "DeckEntry", "DeckFormat", "DeckList", "Section", "Skipped"]

Section: TypeAlias = Literal["main", "sideboard", "commander", "companion", "maybeboard", "tokens"]

DeckFormat: TypeAlias = Literal[
    "plain",
    "arena",
    "mtgo",
    "dek",
    "moxfield",
    "archidekt",
    "deckstats",
    "forge",
    "xmage",
    "cockatrice",
    "csv",
]
"""Whose list it is, as far as that can be told; "plain" where nothing tells."""

LONGEST = 400
"""Characters of a line or cell; the longest name of a card has 141."""
MOST = 999
"""Copies on one line."""


class Skipped(NamedTuple):
    """A line that says nothing that is understood."""

    line: int  # from 1
    text: str  # shortened
    reason: str


class DeckEntry(Struct, frozen=True, kw_only=True):
    """A line of a list: so many copies of a card."""

    count: int  # from 1 to `MOST`
    name: str  # as it is written, without set, number and marks
    section: Section = "main"
    set_code: str | None = None  # in lower case
    number: str | None = None  # collector number
    line: int = 0  # from 1


class DeckList(Struct, frozen=True, kw_only=True):
    """A list that was read."""

    format: DeckFormat
    entries: tuple[DeckEntry, ...]
    skipped: tuple[Skipped, ...] = ()
    title: str | None = None  # of the deck, where the list tells

    def count(self, *sections: Section) -> int:
        """How many copies are in these sections, or in all."""
        return sum(entry.count for entry in self.entries if not sections or entry.section in sections)
