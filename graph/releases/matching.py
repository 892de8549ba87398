"""Two releases of the rulebook in, which rule became which out: one-to-one over the whole book.

First go rules of the same words (rule numbers masked): those that stand once in both books, then those that
stand several times, by place. Then the rest in rounds, surest first: pairs are scored by how alike their
words are and by how far they stand in the same place, which is what of their surroundings (parents,
neighbors, children) is matched already, so that each round sees more of it than the one before. Every step
is in the order of the books, so that equal releases give equal answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..model import Rulebook
from .alike import Alike, Words
from .passages import Book, Passage
from .records import Match, Matching

__all__ = ["match"]

_PLACE = 0.45
"""What standing in the same place counts for, where the same words count 1."""
_LENGTH = 0.12
"""What it adds that the texts are long (48 words or more), where likeness is less likely by chance."""
_ROUNDS = (1.15, 1.0, 0.9, 0.8, 0.75, 0.72, 0.72)
"""Score that a pair must have to be matched in each round."""
_LEAST = 0.28  # likeness of words below which no place makes two rules one
_MANY = 8  # rules under one parent, from which on having the same parent says less


def match(older: Rulebook, newer: Rulebook) -> Matching:
    """Which rule of `older` is which of `newer`, each with a confidence and its reason."""
    return _Work(Book(older), Book(newer)).done()


class _Pair(NamedTuple):
    """Two passages, and what speaks for their being one rule."""

    old: Passage
    new: Passage
    words: float  # how alike they are, 0 to 1
    place: float  # how far they stand in the same place, -1 to 1

    @property
    def score(self) -> float:
        shorter = min(len(self.old.words), len(self.new.words))
        much = _LENGTH * min(1.0, max(0.0, (shorter - 8) / 40))
        return round(self.words + _PLACE * self.place + much, 6)


class _Work:
    """The matching of two books while it goes on."""

    def __init__(self, old: Book, new: Book) -> None:
        self.old = old
        self.new = new
        self.forth: dict[str, str] = {}  # number in the older -> in the newer
        self.back: dict[str, str] = {}
        self.alike = Alike(
            {number: each.words for number, each in old.passages.items()},
            {number: each.words for number, each in new.passages.items()},
        )

    def done(self) -> Matching:
        """All rounds, and what they found."""
        self.same_words()
        near = list(
            self.alike.nearest(
                [number for number in self.old.passages if number not in self.forth],
                [number for number in self.new.passages if number not in self.back],
            )
        )
        headings = [pair for pair in self.open_pairs(near) if self.are_headings(*pair)]
        self.take_best((self.pair(*each) for each in headings), 0.9)
        for asked in _ROUNDS:
            self.take_best((self.pair(*each) for each in self.open_pairs(near)), asked)
        rivals = self.rivals(near)
        return Matching(
            older=self.old.rulebook.release,
            newer=self.new.rulebook.release,
            matches=tuple(
                self.told(number, self.forth[number], rivals)
                for number in self.old.passages
                if number in self.forth
            ),
            removed=tuple(number for number in self.old.passages if number not in self.forth),
            added=tuple(number for number in self.new.passages if number not in self.back),
        )

    def same_words(self) -> None:
        """Match what has the same words: alone in both books, then what several have, by place."""
        olds, news = _grouped(self.old), _grouped(self.new)
        several = []
        for key, group in olds.items():
            others = news.get(key, [])
            if len(group) == len(others) == 1:
                self.take(group[0], others[0])
            elif others:
                several.append((group, others))
        for asked in (1.3, 1.15, 1.3, 1.15, 0.0):  # twice, with the places that were found
            for group, others in several:
                self.take_best((self.pair(old, new) for old in group for new in others), asked)

    def are_headings(self, old: str, new: str) -> bool:
        return self.old.passages[old].is_heading and self.new.passages[new].is_heading

    def take_best(self, pairs: Iterable[_Pair], asked: float) -> None:
        """Match the pairs that score `asked`, best first."""
        good = [pair for pair in pairs if pair.score >= asked and pair.words >= _LEAST]
        good.sort(key=lambda p: (-p.score, self.old.place[p.old.number], self.new.place[p.new.number]))
        for pair in good:
            if pair.old.number not in self.forth and pair.new.number not in self.back:
                self.take(pair.old.number, pair.new.number)

    def take(self, old: str, new: str) -> None:
        self.forth[old] = new
        self.back[new] = old

    def open_pairs(self, near: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Pairs of numbers that are both still open: near by words, or with matched surroundings."""
        pairs = dict.fromkeys(near)
        for number, old in self.old.passages.items():
            if number not in self.forth:
                pairs.update(dict.fromkeys((number, new) for new in self.around(old)))
        for old_number, new_number in pairs:
            if old_number not in self.forth and new_number not in self.back:
                yield old_number, new_number

    def around(self, old: Passage) -> Iterator[str]:
        """Rules of the newer book that stand where `old` would."""
        if old.parent in self.forth:
            yield from self.new.passages[self.forth[old.parent]].children
        for child in old.children:
            parent = self.new.passages[self.forth[child]].parent if child in self.forth else None
            if parent is not None:
                yield parent

    def pair(self, old_number: str, new_number: str) -> _Pair:
        """Two rules with their scores as of now."""
        old, new = self.old.passages[old_number], self.new.passages[new_number]
        words = self.alike.of(old_number, new_number).score
        share = self.children_in_common(old, new)
        if old.is_heading and new.is_heading and len(old.children) > 1:
            words = max(words, 0.8 * share)
        return _Pair(old, new, words, self.place(old, new, share))

    def place(self, old: Passage, new: Passage, share: float) -> float:
        """How far two rules stand in the same place; below 0 where their parents became others."""
        found = 0.15 * self.tied(old.preceding, new.preceding) + 0.15 * self.tied(
            old.following, new.following
        )
        found += 0.5 * share
        found += 0.05 * (bool(old.children) == bool(new.children))
        if abs(old.level - new.level) > 1:
            return found - 0.5
        if old.parent is None or new.parent is None:
            return found + (0.5 if old.number == new.number else -0.5)
        same_number = 0.1 * (old.number == new.number)
        if self.forth.get(old.parent) == new.parent:
            siblings = len(self.new.passages[new.parent].children)
            found += 0.4 * max(0.2, min(1.0, _MANY / siblings)) + same_number
        elif self.went_apart(old, new):
            found -= 0.1 if self.kin(old, new) else 0.4
        else:
            found += same_number
        return max(-1.0, min(found, 1.0))

    def tied(self, old: str | None, new: str | None) -> bool:
        """Whether two neighbors are one rule, or there is none on either side."""
        if old is None or new is None:
            return old is new
        return self.forth.get(old) == new

    def children_in_common(self, old: Passage, new: Passage) -> float:
        """The share of the rules under two that are one, 0 to 1."""
        if not old.children or not new.children:
            return 0.0
        common = sum(self.back.get(child) in old.children for child in new.children)
        return 2 * common / (len(old.children) + len(new.children))

    def went_apart(self, old: Passage, new: Passage) -> bool:
        """Whether the parent of one of two rules is another rule than that of the other."""
        return (old.parent in self.forth or new.parent in self.back) and not (
            self.forth.get(self.old.passages[old.parent or ""].parent or "") == new.parent
            or self.back.get(self.new.passages[new.parent or ""].parent or "") == old.parent
        )

    def kin(self, old: Passage, new: Passage) -> bool:
        """Whether two rules stand in the same section, and under no heading in it."""
        return self.forth.get(old.number[:3]) == new.number[:3] and not any(
            book.passages[each.parent or ""].is_heading and each.level == 3
            for book, each in ((self.old, old), (self.new, new))
        )

    def rivals(self, near: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], float]:
        """For each side of each match the score of the best other pair that it could have been in."""
        best: dict[tuple[str, str], float] = defaultdict(float)
        for old, new in near:
            if self.forth.get(old) != new:
                score = self.pair(old, new).score
                best["old", old] = max(best["old", old], score)
                best["new", new] = max(best["new", new], score)
        return best

    def told(self, old: str, new: str, rivals: Mapping[tuple[str, str], float]) -> Match:
        """A match with its confidence and reason."""
        pair, words = self.pair(old, new), self.alike.of(old, new)
        rival = max(rivals.get(("old", old), 0.0), rivals.get(("new", new), 0.0))
        confidence, reason = _judged(pair, words, rival)
        return Match(
            old=old, new=new, similarity=round(words.order, 3), confidence=round(confidence, 3), reason=reason
        )


def _judged(pair: _Pair, words: Words, rival: float) -> tuple[float, str]:
    """How sure a match is, and why."""
    place = "same place" if pair.place >= 0.6 else "near place" if pair.place >= 0.3 else "another place"
    if words.order == 1.0:
        what = "same heading" if pair.old.is_heading else "same words"
        return (1.0 if pair.place >= 0.4 else 0.99 if len(pair.old.words) >= 8 else 0.95), f"{what}, {place}"
    margin = min(0.3, max(-0.3, pair.score - rival))
    return max(
        0.05, min(0.99, 0.3 + 0.55 * pair.score + margin)
    ), f"words {words.order:.2f} alike, {place} m {margin:.2f} s {pair.score:.2f}"


def _grouped(book: Book) -> dict[tuple[tuple[str, ...], int | None], list[str]]:
    """Numbers by words; headings by their level too."""
    groups: dict[tuple[tuple[str, ...], int | None], list[str]] = defaultdict(list)
    for number, passage in book.passages.items():
        groups[passage.words, passage.level if passage.is_heading else None].append(number)
    return groups
