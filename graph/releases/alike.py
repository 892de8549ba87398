"""How alike the words of two rules are, and which rules of two books are worth comparing.

Three measures, each 0 to 1: the longest common subsequence of words, which minds their order; the cosine of
their word counts weighted by rarity (idf over both books), in which a keyword's name weighs more than "that
player"; and how much of the shorter lies in the longer, since rules grow by sentences that are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from .passages import Book

__all__ = ["Alike", "Words"]

_NEAREST = 8  # of the other book, for each rule
_FAINT = 0.1  # cosine below which two rules are not compared
_KEPT = 0.85  # part of the shorter that must lie in the longer to count
_SHORT = 6  # words below which that says nothing

_Texts: TypeAlias = Mapping[str, Sequence[str]]


class Words(NamedTuple):
    """How alike two texts are."""

    order: float  # 2 × longest common subsequence / all words
    rare: float  # cosine, weighted by rarity
    kept: float  # of the shorter one, what lies in the longer in this order
    size: float = 1.0  # of the shorter one, as part of the longer

    @property
    def score(self) -> float:
        """All of it in one number."""
        both = (self.order + self.rare) / 2
        return max(both, (0.55 + 0.3 * self.size) * self.kept) if self.kept >= _KEPT else both


class Alike:
    """Compares texts of an older and a newer book, each by its number."""

    def __init__(self, olds: _Texts, news: _Texts) -> None:
        self._olds = olds
        self._news = news
        texts = [*olds.values(), *news.values()]
        counts = Counter(word for words in texts for word in dict.fromkeys(words))
        self._weights = {word: log(1 + len(texts) / count) for word, count in counts.items()}
        self._vectors: dict[tuple[bool, str], dict[str, float]] = {}
        self._known: dict[tuple[str, str], Words] = {}

    @classmethod
    def of_books(cls, older: Book, newer: Book) -> Alike:
        """Of all rules of two books."""
        return cls(
            *({number: each.words for number, each in book.passages.items()} for book in (older, newer))
        )

    def of(self, old: str, new: str) -> Words:
        """How alike two texts are."""
        found = self._known.get((old, new))
        if found is None:
            found = self._known[old, new] = self._compared(old, new)
        return found

    def _compared(self, old: str, new: str) -> Words:
        one, two = self._olds[old], self._news[new]
        if one == two:
            return Words(1.0, 1.0, 1.0)
        if not one or not two:
            return Words(0.0, 0.0, 0.0)
        common = LCSseq.similarity(one, two)
        shorter = min(len(one), len(two))
        kept = common / shorter if shorter >= _SHORT else 0.0
        size = shorter / max(len(one), len(two))
        return Words(2 * common / (len(one) + len(two)), self._cosine(old, new), kept, size)

    def _cosine(self, old: str, new: str) -> float:
        one, two = self._vector(False, old), self._vector(True, new)
        return round(sum(weight * two.get(word, 0.0) for word, weight in one.items()), 6)

    def _vector(self, newer: bool, number: str) -> dict[str, float]:
        found = self._vectors.get((newer, number))
        if found is None:
            words = (self._news if newer else self._olds)[number]
            raw = {word: count * self._weights[word] for word, count in Counter(words).items()}
            norm = sum(weight * weight for weight in raw.values()) ** 0.5 or 1.0
            found = self._vectors[newer, number] = {word: weight / norm for word, weight in raw.items()}
        return found

    def is_part(self, whole: str, part: str, left: str) -> bool:
        """Whether the new text `part` is taken from the old `whole` and is not in the new `left` too."""
        words = self._news[part]
        if not _SHORT <= len(words) < len(self._olds[whole]) or self.of(whole, part).kept < _KEPT:
            return False
        return LCSseq.similarity(words, self._news[left]) < 0.6 * len(words)

    def nearest(self, olds: Sequence[str], news: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Pairs of numbers: for each of either side the few of the other with the nearest words."""
        if not olds or not news:
            return
        near = np.round(self._table(False, olds) @ self._table(True, news).T, 4)
        for one, two in {**_best(near), **{(i, j): None for j, i in _best(near.T)}}:
            yield olds[one], news[two]

    def _table(self, newer: bool, numbers: Sequence[str]) -> NDArray[np.float32]:
        column = {word: place for place, word in enumerate(self._weights)}
        table = np.zeros((len(numbers), len(column)), dtype=np.float32)
        for row, number in enumerate(numbers):
            for word, weight in self._vector(newer, number).items():
                table[row, column[word]] = weight
        return table


def _best(near: NDArray[np.float32]) -> dict[tuple[int, int], None]:
    order = np.argsort(-near, axis=1, kind="stable")[:, :_NEAREST]
    return {
        (row, int(place)): None
        for row, places in enumerate(order)
        for place in places
        if near[row, place] > _FAINT
    }
