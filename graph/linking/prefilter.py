"""Which patterns can match a text at all, told from its words.

A text has some thirty words and the catalogue some hundreds of entries. Each entry has literals one of
which stands in every match; the longest word of a literal stands inside a word of the text. The answer for
a word is kept, so a text costs one look-up a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Generic, Protocol, TypeVar

__all__ = ["Prefilter", "words_of"]

_SHORT = 3  # letters of a word that tells little: "{e}" and "if you" are looked for as they are
_WORDS = re.compile(r"[a-z0-9∞']+")


class _Literal(Protocol):
    @property
    def literals(self) -> tuple[str, ...]: ...


T = TypeVar("T", bound=_Literal)


def words_of(text: str) -> frozenset[str]:
    """The words of a lowercase text, as a `Prefilter` tells them apart."""
    return frozenset(_WORDS.findall(text))


class Prefilter(Generic[T]):
    """Picks, in their order, the items that have no literals or one that stands in a lowercase text."""

    def __init__(self, items: Sequence[T]) -> None:
        self._items = tuple(items)
        self._always = 0
        self._words: list[tuple[str, int]] = []
        symbols: dict[str, int] = {}
        for index, item in enumerate(self._items):
            bit = 1 << index
            if not item.literals:
                self._always |= bit
            for literal in item.literals:
                longest = max(_WORDS.findall(literal), key=len, default="")
                if len(longest) > _SHORT or longest == literal:
                    self._words.append((longest, bit))
                else:
                    symbols[literal] = symbols.get(literal, 0) | bit
        self._symbols = tuple(symbols.items())
        self._known: dict[str, int] = {}
        # An item all of whose literals are single words needs no second look.
        self._phrases = tuple(
            () if all(_WORDS.fullmatch(literal) for literal in item.literals) else item.literals
            for item in self._items
        )

    def __call__(self, text: str, words: Set[str] | None = None) -> list[T]:
        """The items for a text; its words (`words_of`) can be given."""
        words = words_of(text) if words is None else words
        bits = self._always
        known = self._known
        for word in words:
            found = known.get(word)
            if found is None:
                found = 0
                for literal, bit in self._words:
                    if literal in word:
                        found |= bit
                known[word] = found
            bits |= found
        for literal, bit in self._symbols:
            if literal in text:
                bits |= bit
        picked: list[T] = []
        while bits:
            low = bits & -bits
            bits ^= low
            index = low.bit_length() - 1
            phrases = self._phrases[index]
            if not phrases:
                picked.append(self._items[index])
                continue
            for literal in phrases:
                if literal in text:
                    picked.append(self._items[index])
                    break
        return picked
