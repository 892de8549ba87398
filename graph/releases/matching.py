"""Two releases of the rulebook in, which rule became which out: one-to-one over the whole book.

First go rules of the same words (rule numbers masked): those that stand once in both books, then those that
stand several times, by place. Then the rest in rounds, surest first: pairs are scored by how alike their
words are and by how far they stand in the same place, which is what of their surroundings (parents,
neighbors, children) is matched already, so that each round sees more of it than the one before. Every step
is in the order of the books, so that equal releases give equal answers.

A confidence is a score together with its distance from the best rival's. Of some 120 reworded rules that
were matched with 0.9 and more and read, over eleven pairs of releases from 2009 to 2026, none was wrong; what
was doubtful lay below: rules that were split, or of which the release has several alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..model import Rulebook
from .alike import Alike, Words
from .passages import Book, Passage
from .records import Match, Matching

__all__ = ["match", "match_books"]

_PLACE = 0.45
"""What standing in the same place counts for, where the same words count 1."""
_LENGTH = 0.12
"""What it counts that both texts are long (48 words or more): they are hardly alike by chance."""
_ROUNDS = (1.15, 1.0, 0.9, 0.8, 0.75, 0.72, 0.72)
"""Score that a pair must have to be matched in each round."""
_AGAIN = (1.3, 1.15, 1.3, 1.15, 0.0)
"""The same for what has the same words as others in its own book."""
_HEADINGS = 0.9  # score from which on a heading is the same under another name
_LEAST = 0.28  # likeness of words below which no place makes two rules one
_MANY = 8  # rules under one parent, from which on having the same parent says less
_SPLIT = 0.85  # confidence at most, where a rule was split
_MOST = 0.99  # confidence in anything but the same words in the same place

_Numbers: TypeAlias = tuple[str, str]


def match(older: Rulebook, newer: Rulebook) -> Matching:
    """Which rule of `older` is which of `newer`, each with a confidence and its reason.

    Of an outline, which has no words, headings are matched, and what stands in the same place below them.
    """
    return match_books(Book(older), Book(newer))


def match_books(older: Book, newer: Book) -> Matching:
    """The same for books that are at hand."""
    return _Work(older, newer).done()


class _Pair(NamedTuple):
    """Two passages, and what speaks for their being one rule."""

    old: Passage
    new: Passage
    words: float  # how alike they are, 0 to 1
    place: float  # how far they stand in the same place, -1 to 1

    @property
    def score(self) -> float:
        shorter = min(len(self.old.words), len(self.new.words))
        much = min(1.0, max(0.0, (shorter - 8) / 40))
        return round(self.words + _PLACE * self.place + _LENGTH * much, 6)


class _Work:
    """The matching of two books while it goes on."""

    def __init__(self, old: Book, new: Book) -> None:
        self.old = old
        self.new = new
        self.forth: dict[str, str] = {}  # number in the older -> in the newer
        self.back: dict[str, str] = {}
        self.alike = Alike.of_books(old, new)
        self.wordless = not (old.rulebook.has_text and new.rulebook.has_text)

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
        self.take_best((self.pair(*each) for each in headings), _HEADINGS)
        for asked in _ROUNDS:
            self.take_best((self.pair(*each) for each in self.open_pairs(near)), asked)
        if self.wordless:
            self.same_places()
        rivals, parts = self.rivals(near), self.parts(near)
        return Matching(
            older=self.old.rulebook.release,
            newer=self.new.rulebook.release,
            matches=tuple(
                self.told(old, self.forth[old], rivals, parts.get(old, []))
                for old in self.old.passages
                if old in self.forth
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
        for asked in _AGAIN:  # more than once, with the places that were found
            for group, others in several:
                self.take_best((self.pair(old, new) for old in group for new in others), asked)

    def same_places(self) -> None:
        """Match rules without words by their numbers below parents that are matched."""
        for number, old in self.old.passages.items():
            if number in self.forth or old.parent not in self.forth:
                continue
            new = self.forth[old.parent] + number.removeprefix(old.parent)
            if new in self.new.passages and new not in self.back and not self.are_headings(number, new):
                self.take(number, new)

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

    def are_headings(self, old: str, new: str) -> bool:
        return self.old.passages[old].is_heading and self.new.passages[new].is_heading

    def open_pairs(self, near: Iterable[_Numbers]) -> Iterator[_Numbers]:
        """Pairs that are both still open: near by words, or with matched surroundings."""
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
        """How far two rules stand in the same place; `share` is that of their children in common."""
        found = 0.15 * self.tied(old.preceding, new.preceding) + 0.15 * self.tied(
            old.following, new.following
        )
        found += 0.5 * share + 0.05 * (bool(old.children) == bool(new.children))
        if abs(old.level - new.level) > 1:
            return found - 0.5
        if old.parent is None or new.parent is None:
            return min(1.0, found + (0.5 if old.number == new.number else -0.5))
        if self.forth.get(old.parent) == new.parent:
            siblings = len(self.new.passages[new.parent].children)
            found += 0.4 * max(0.2, min(1.0, _MANY / siblings)) + 0.1 * (old.number == new.number)
        elif self.went_apart(old, new):
            found -= 0.1 if self.are_kin(old, new) else 0.4
        else:
            found += 0.1 * (old.number == new.number)
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
        """Whether the parents of two rules became other rules; not if one only went a level up or down."""
        above_old, above_new = self.old.parent_of(old), self.new.parent_of(new)
        if above_old is None or above_new is None:
            return False
        return (above_old.number in self.forth or above_new.number in self.back) and not (
            self.forth.get(above_old.parent or "") == above_new.number
            or self.back.get(above_new.parent or "") == above_old.number
        )

    def are_kin(self, old: Passage, new: Passage) -> bool:
        """Whether two rules stand in the same section, and under no keyword or other heading of it."""
        if self.forth.get(old.number[:3]) != new.number[:3]:
            return False
        above = (self.old.parent_of(old), self.new.parent_of(new))
        return not any(each is not None and each.is_heading and each.level == 2 for each in above)

    def rivals(self, near: Iterable[_Numbers]) -> Mapping[tuple[bool, str], float]:
        """For each rule (newer or not, number) that is matched, the score of the best other pair with it."""
        best: dict[tuple[bool, str], float] = defaultdict(float)
        for old, new in near:
            if self.forth.get(old) != new:
                score = self.pair(old, new).score
                for side in ((False, old), (True, new)):
                    best[side] = max(best[side], score)
        return best

    def parts(self, near: Iterable[_Numbers]) -> Mapping[str, list[str]]:
        """For each rule that was split what came from it besides the rule that it is matched with."""
        found: dict[str, list[str]] = defaultdict(list)
        for old, new in near:
            if old in self.forth and new not in self.back and self.alike.is_part(old, new, self.forth[old]):
                found[old].append(new)
        return found

    def told(
        self, old: str, new: str, rivals: Mapping[tuple[bool, str], float], parts: Sequence[str]
    ) -> Match:
        """A match with its confidence and reason."""
        pair, words = self.pair(old, new), self.alike.of(old, new)
        rival = max(rivals.get((False, old), 0.0), rivals.get((True, new), 0.0))
        confidence, reason = _judged(pair, words, rival)
        if parts:
            confidence = min(confidence, _SPLIT)
            reason += f"; part of it is {' and '.join(parts)} now"
        if self.wordless and not (pair.old.words and pair.new.words):
            confidence, reason = 0.6, "same place; there are no words to compare"
        return Match(
            old=old,
            new=new,
            similarity=round(words.order, 3),
            confidence=round(confidence, 3),
            reason=reason,
        )


def _judged(pair: _Pair, words: Words, rival: float) -> tuple[float, str]:
    """How sure a match is, and why."""
    place = "same place" if pair.place >= 0.6 else "near place" if pair.place >= 0.3 else "another place"
    if pair.old.words == pair.new.words:
        what = "same heading" if pair.old.is_heading else "same words"
        alone = _MOST if len(pair.old.words) >= 8 or pair.old.is_heading else 0.95
        return (1.0 if pair.place >= 0.4 else alone), f"{what}, {place}"
    margin = min(0.3, max(-0.3, pair.score - rival))
    confidence = max(0.05, min(_MOST, 0.2 + 0.5 * pair.score + margin))
    what = "heading" if pair.old.is_heading and pair.new.is_heading else "words"
    doubt = "; another rule fits nearly as well" if margin < 0.05 else ""
    return confidence, f"{what} {words.order:.2f} alike, {place}{doubt}"


def _grouped(book: Book) -> dict[tuple[tuple[str, ...], int | None], list[str]]:
    """Numbers by words; headings by their level too."""
    groups: dict[tuple[tuple[str, ...], int | None], list[str]] = defaultdict(list)
    for number, passage in book.passages.items():
        if passage.words:
            groups[passage.words, passage.level if passage.is_heading else None].append(number)
    return groups
