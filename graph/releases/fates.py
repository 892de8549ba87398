"""What became of a rule number from one release to another, asked number by number."""

from __future__ import annotations

from functools import cached_property
from itertools import islice

from ..model import Rulebook
from ..sources.references import ordinal
from .alike import Alike
from .matching import match_books
from .passages import Book, level
from .records import Candidate, Fate, FateKind, Match, Matching

__all__ = ["SURE", "Fates", "fates", "near"]

SURE = 0.9
"""From this confidence on a match is sure: see `matching` for what was measured."""

_CANDIDATES = 3
_LIKE = 0.35  # score of words from which on a rule is a candidate
_KEPT = 0.7  # part of a rule's words in another from which on it is said to be part of that


def fates(older: Rulebook, newer: Rulebook, matching: Matching | None = None) -> Fates:
    """What became of the numbers of `older` in `newer`; matched anew unless `matching` is given."""
    books = Book(older), Book(newer)
    return Fates(*books, matching or match_books(*books))


class Fates:
    """Answers what became of a number."""

    def __init__(self, older: Book, newer: Book, matching: Matching) -> None:
        self.older = older
        self.newer = newer
        self.matching = matching
        self._by_old = {each.old: each for each in matching.matches}
        self._by_new = {each.new: each for each in matching.matches}
        self._known: dict[str, Fate] = {}

    def of(self, number: str) -> Fate:
        """What became of `number`.

        Of a number that the older release lacks, "unknown", the candidates are near numbers of that release;
        else they are rules of the newer one.
        """
        if number not in self._known:
            self._known[number] = self._fate(number)
        return self._known[number]

    def before(self, number: str) -> Match | None:
        """The match that `number` of the newer release came by; None if it is new."""
        return self._by_new.get(number)

    def _fate(self, number: str) -> Fate:
        if number not in self.older.passages:
            reason = f"the release of {self.matching.older} has no such number"
            return self._told(number, "unknown", None, 1.0, reason, near(number, self.older))
        found = self._by_old.get(number)
        if found is None:
            candidates = self._candidates(number)
            best = candidates[0].confidence if candidates else 0.0
            reason = "no rule is enough like it" if candidates else "nothing like it is there"
            confidence = 1 - best / 2 if self._has_words else 0.5
            return self._told(number, "removed", None, confidence, reason, candidates)
        candidates = () if found.confidence >= SURE else (self._itself(found), *self._candidates(number))
        return self._told(number, self._kind(found), found.new, found.confidence, found.reason, candidates)

    def _itself(self, found: Match) -> Candidate:
        title = self.newer.heading[found.new]
        return Candidate(number=found.new, title=title, confidence=found.confidence, reason=found.reason)

    def _kind(self, found: Match) -> FateKind:
        old, new = self.older.passages[found.old].words, self.newer.passages[found.new].words
        same = old == new or not self._has_words
        if found.old == found.new:
            return "kept" if same else "reworded"
        return "moved" if same else "moved and reworded"

    @property
    def _has_words(self) -> bool:
        return self.older.rulebook.has_text and self.newer.rulebook.has_text

    @cached_property
    def _alike(self) -> Alike:
        return Alike.of_books(self.older, self.newer)

    def _candidates(self, number: str) -> tuple[Candidate, ...]:
        """Rules of the newer book with words like those of `number`, what it was split or merged into too."""
        length = len(self.older.passages[number].words)
        scored = []
        found = self._by_old.get(number)
        for new, passage in self.newer.passages.items():
            if found is not None and found.new == new:
                continue
            words = self._alike.of(number, new)
            if words.score >= _LIKE:
                taken = self._by_new.get(new)
                elsewhere = taken is not None and taken.old != number
                reason = f"words {words.order:.2f} alike"
                if words.kept >= _KEPT and words.size < 0.8:
                    merged = length < len(passage.words)
                    reason = f"{'most of it is part of this' if merged else 'this is part of it'}; {reason}"
                if elsewhere and taken is not None:
                    reason += f"; {taken.old} became it"
                scored.append((words.score * (0.7 if elsewhere else 0.8), new, reason))
        scored.sort(key=lambda each: -each[0])
        return tuple(
            Candidate(
                number=new, title=self.newer.heading[new], confidence=round(confidence, 3), reason=reason
            )
            for confidence, new, reason in scored[:_CANDIDATES]
        )

    def _told(
        self,
        number: str,
        kind: FateKind,
        target: str | None,
        confidence: float,
        reason: str,
        candidates: tuple[Candidate, ...] = (),
    ) -> Fate:
        return Fate(
            number=number,
            older=self.matching.older,
            newer=self.matching.newer,
            kind=kind,
            target=target,
            confidence=round(confidence, 3),
            reason=reason,
            reused=kind != "unknown" and number != target and number in self.newer.passages,
            candidates=candidates,
        )


def near(number: str, book: Book) -> tuple[Candidate, ...]:
    """The nearest numbers that a book has in the same section, where it lacks `number`."""
    wanted = _order(number)
    section = [each for each in book.passages if each[:3] == number[:3] and level(each) >= 1]
    section.sort(
        key=lambda each: (level(each) != level(number), _distance(wanted, _order(each)), book.place[each])
    )
    return tuple(
        Candidate(number=each, title=book.heading[each], confidence=0.0, reason="a number near it")
        for each in islice(section, _CANDIDATES)
    )


def _order(number: str) -> tuple[int, int]:
    """Rule and letter of a number, 0 where it has none."""
    _, _, rest = number.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits) if digits.isdigit() else 0, ordinal(rest[len(digits) :])


def _distance(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    return abs(one[0] - two[0]), abs(one[1] - two[1])
