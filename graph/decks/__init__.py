"""Deck lists: read from the formats of the usual programs, and told by the rules that their cards need."""

from .analysis import DeckReport, analyze
from .listing import DeckEntry, DeckFormat, DeckList, Section, Skipped
from .reading import read_deck

__all__ = [
    "DeckEntry",
    "DeckFormat",
    "DeckList",
    "DeckReport",
    "Section",
    "Skipped",
    "analyze",
    "read_deck",
]
