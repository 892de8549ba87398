"""Two releases of the rulebook in, which rule became which out: one-to-one over the whole book.

First go rules of the same words (rule numbers masked), where these stand once in both; then headings; then
the rest in rounds, surest first. In each round the pairs that share telling words are scored by their words
and by their place: parents, neighbors and children that are matched already, and the heading that they stand
under. Later rounds ask for less likeness, but for more of a place. Every step is in the order of the books,
so that equal releases give equal answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Indel

from ..model import Rulebook
from .passages import Book, Passage
from .records import Match, Matching

__all__ = ["likeness", "match"]

_ROUNDS = ((0.85, 0.0), (0.7, 0.0), (0.55, 0.0), (0.45, 0.3), (0.3, 0.5), (0.45, 0.3), (0.3, 0.5))
"""Likeness of words and of place that a pair must have to be matched in each round."""
_NEAREST = 8  # pairs that are scored for each rule that is not matched yet


def match(older: Rulebook, newer: Rulebook) -> Matching:
    """Which rule of `older` is which of `newer`, each with a confidence and its reason."""
    return _Work(Book(older), Book(newer)).done()


def likeness(old: Sequence[str], new: Sequence[str]) -> float:
    """How far two passages have the same words in the same order: 2 × common / all, 0 to 1."""
    return Indel.normalized_similarity(old, new)


@dataclass(frozen=True)
class _Pair:
    """Two passages, and what speaks for their being one rule."""

    old: Passage
    new: Passage
    words: float  # likeness
    place: float  # of their places, 0 to 1

    @property
    def score(self) -> float:
        return round(self.words + 0.4 * self.place, 6)


class _Work:
    """The matching of two books while it goes on."""

    def __init__(self, old: Book, new: Book) -> None:
        self.old = old
        self.new = new
        self.forth: dict[str, str] = {}  # number in the older -> in the newer
        self.back: dict[str, str] = {}
        self.found: dict[str, _Pair] = {}

    def done(self) -> Matching:
        self.same_words()
        for words, place in _ROUNDS:
            self.round(words, place)
        return Matching(
            older=self.old.rulebook.release,
            newer=self.new.rulebook.release,
            matches=tuple(
                self.told(self.found[number]) for number in self.old.passages if number in self.forth
            ),
            removed=tuple(number for number in self.old.passages if number not in self.forth),
            added=tuple(number for number in self.new.passages if number not in self.back),
        )

    def take(self, pair: _Pair) -> bool:
        """Match two passages, unless one of them is matched."""
        if pair.old.number in self.forth or pair.new.number in self.back:
            return False
        self.forth[pair.old.number] = pair.new.number
        self.back[pair.new.number] = pair.old.number
        self.found[pair.old.number] = pair
        return True

    def pair(self, old: Passage, new: Passage) -> _Pair:
        return _Pair(old, new, likeness(old.words, new.words), self.place(old, new))

    def same_words(self) -> None:
        """Match what has the same words: alone in both books, then those that several have, by place."""
        olds, news = _grouped(self.old.passages.values()), _grouped(self.new.passages.values())
        several = []
        for key, group in olds.items():
            others = news.get(key, [])
            if len(group) == len(others) == 1:
                self.take(self.pair(group[0], others[0]))
            elif others:
                several.append((group, others))
        for _ in range(2):  # once more with the places that were found
            for asked in (0.5, 0.0):
                for group, others in several:
                    self.best(
                        [self.pair(old, new) for old in group for new in others],
                        lambda p, a=asked: p.place >= a,
                    )

    def round(self, words: float, place: float) -> None:
        pairs = [self.pair(old, new) for old, new in self.candidates()]
        self.best(pairs, lambda pair: pair.words >= words and pair.place >= place)

    def best(self, pairs: list[_Pair], good) -> None:
        pairs = [pair for pair in pairs if good(pair)]
        pairs.sort(key=lambda p: (-p.score, self.old.place[p.old.number], self.new.place[p.new.number]))
        for pair in pairs:
            self.take(pair)

    def candidates(self) -> Iterator[tuple[Passage, Passage]]:
        """Pairs of passages that are not matched: of the same place, or with the same telling words."""
        olds = [p for p in self.old.passages.values() if p.number not in self.forth]
        news = [p for p in self.new.passages.values() if p.number not in self.back]
        seen: dict[tuple[int, int], None] = {}
        where = {p.number: i for i, p in enumerate(news)}
        for i, old in enumerate(olds):
            parent = self.forth.get(old.parent) if old.parent else None
            if parent:
                for child in self.new.passages[parent].children:
                    if child in where:
                        seen[i, where[child]] = None
            if old.number in where:
                seen[i, where[old.number]] = None
        for pair in _nearest([p.words for p in olds], [p.words for p in news]):
            seen[pair] = None
        for i, j in seen:
            if abs(olds[i].level - news[j].level) <= 1:
                yield olds[i], news[j]

    def place(self, old: Passage, new: Passage) -> float:
        """How far two passages stand in the same place, as far as their surroundings are matched."""
        found = 0.0
        if old.parent is None or new.parent is None:
            found += 0.4 * (old.parent == new.parent and old.number == new.number)
        elif self.forth.get(old.parent) == new.parent:
            found += 0.4
        elif old.level == new.level == 2 and old.parent == new.parent:
            found += 0.1
        found += 0.2 * self.tied(old.preceding, new.preceding) + 0.2 * self.tied(old.following, new.following)
        if old.children and new.children:
            common = sum(self.forth.get(child) in new.children for child in old.children)
            found += 0.4 * 2 * common / (len(old.children) + len(new.children))
        elif not old.children and not new.children:
            found += 0.1
        found += 0.1 * (self.old.heading[old.number] == self.new.heading[new.number])
        found += 0.1 * (old.number == new.number)
        return min(found, 1.0)

    def tied(self, old: str | None, new: str | None) -> bool:
        if old is None or new is None:
            return old is new
        return self.forth.get(old) == new

    def told(self, pair: _Pair) -> Match:
        place = self.place(pair.old, pair.new)
        confidence, reason = _judged(pair.old, pair.new, pair.words, place)
        return Match(
            old=pair.old.number,
            new=pair.new.number,
            similarity=round(pair.words, 3),
            confidence=round(confidence, 3),
            reason=reason,
        )


def _judged(old: Passage, new: Passage, words: float, place: float) -> tuple[float, str]:
    """How sure a match is, and why."""
    stands = "same place" if place >= 0.6 else "near place" if place >= 0.3 else "another place"
    if words == 1.0:
        what = "same heading" if old.is_heading else "same words"
        return (1.0 if place >= 0.4 else 0.99 if len(old.words) >= 8 else 0.95), f"{what}, {stands}"
    return min(0.99, words + 0.35 * place), f"words {words:.2f} alike, {stands}"


def _grouped(passages: Iterable[Passage]) -> dict[Hashable, list[Passage]]:
    """Passages by their words; headings by their level too."""
    groups: dict[Hashable, list[Passage]] = defaultdict(list)
    for passage in passages:
        groups[passage.words, passage.level if passage.is_heading else None].append(passage)
    return groups


def _nearest(olds: Sequence[Sequence[str]], news: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """For each text the few of the other side with which it shares most of its rarer words (cosine, idf)."""
    if not olds or not news:
        return
    frequency: dict[str, int] = defaultdict(int)
    for words in (*olds, *news):
        for word in set(words):
            frequency[word] += 1
    index = {word: place for place, word in enumerate(w for w, n in frequency.items() if n > 1)}
    weight = np.array([np.log((len(olds) + len(news)) / frequency[word]) for word in index], dtype=np.float32)
    one, two = (_vectors(side, index, weight) for side in (olds, news))
    near = np.round(one @ two.T, 4)
    for i in range(len(olds)):
        for j in np.argsort(-near[i], kind="stable")[:_NEAREST]:
            if near[i, j] > 0.1:
                yield i, int(j)
    for j in range(len(news)):
        for i in np.argsort(-near[:, j], kind="stable")[:_NEAREST]:
            if near[i, j] > 0.1:
                yield int(i), j


def _vectors(texts: Sequence[Sequence[str]], index: dict[str, int], weight):
    table = np.zeros((len(texts), len(index)), dtype=np.float32)
    for row, words in enumerate(texts):
        for word in words:
            place = index.get(word)
            if place is not None:
                table[row, place] += weight[place]
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    return table / np.where(norms == 0, 1, norms)
