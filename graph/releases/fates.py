"""What became of a rule number from one release to another, asked number by number."""

from __future__ import annotations

from ..model import Rulebook
from .matching import likeness, match
from .passages import Book, Passage
from .records import Candidate, Fate, FateKind, Match, Matching

__all__ = ["SURE", "Fates", "fates"]

SURE = 0.9
"""From this confidence on a match is sure."""


def fates(older: Rulebook, newer: Rulebook, matching: Matching | None = None) -> Fates:
    """What became of the numbers of `older` in `newer`; matched anew unless `matching` is given."""
    return Fates(Book(older), Book(newer), matching or match(older, newer))


class Fates:
    """Answers what became of a number."""

    def __init__(self, older: Book, newer: Book, matching: Matching) -> None:
        self.older = older
        self.newer = newer
        self.matching = matching
        self._by_old = {each.old: each for each in matching.matches}
        self._known: dict[str, Fate] = {}

    def of(self, number: str) -> Fate:
        """What became of `number`; a number that the older release lacks is "unknown"."""
        if number not in self._known:
            self._known[number] = self._fate(number)
        return self._known[number]

    def _fate(self, number: str) -> Fate:
        old = self.older.passages.get(number)
        if old is None:
            return self._told(number, "unknown", None, 1.0, f"no rule of {self.matching.older}")
        found = self._by_old.get(number)
        if found is None:
            candidates = self._candidates(old)
            best = candidates[0].confidence if candidates else 0.0
            return self._told(number, "removed", None, 1 - best, "nothing like it is left", candidates)
        candidates = () if found.confidence >= SURE else self._candidates(old)
        return self._told(number, self._kind(found), found.new, found.confidence, found.reason, candidates)

    def _kind(self, found: Match) -> FateKind:
        same = self.older.passages[found.old].words == self.newer.passages[found.new].words
        if found.old == found.new:
            return "kept" if same else "reworded"
        return "moved" if same else "moved and reworded"

    def _candidates(self, old: Passage) -> tuple[Candidate, ...]:
        scored = [
            (round(likeness(old.words, new.words), 3), new.number) for new in self.newer.passages.values()
        ]
        best = sorted((each for each in scored if each[0] >= 0.4), key=lambda each: -each[0])[:3]
        return tuple(
            Candidate(
                number=number,
                title=self.newer.heading[number],
                confidence=round(alike * 0.8, 3),
                reason=f"words {alike:.2f} alike",
            )
            for alike, number in best
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
