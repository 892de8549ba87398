"""What is said of two releases of the Comprehensive Rules side by side: which rule became which.

Equal numbers say nothing: numbers move with nearly every set. What ties a rule to its later version is its
words, its heading and its place, with a confidence that is told.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = ["Candidate", "Fate", "FateKind", "Match", "Matching"]

FateKind: TypeAlias = Literal["kept", "reworded", "moved", "moved and reworded", "removed", "unknown"]
"""What became of a number; unknown: the older release has no such number."""


class Match(Struct, frozen=True, kw_only=True):
    """A rule of the older release and the one of the newer that it became."""

    old: str  # number there
    new: str
    similarity: float  # of their words, rule numbers masked, 0 to 1
    confidence: float  # that they are one rule, 0 to 1
    reason: str  # "same words", "same heading and place, words 0.81 alike"


class Matching(Struct, frozen=True, kw_only=True):
    """One-to-one over the whole of two releases; numbers in the order of their books."""

    older: str  # effective date, ISO 8601
    newer: str
    matches: tuple[Match, ...]  # in the order of the older
    removed: tuple[str, ...]  # of the older, matched by none
    added: tuple[str, ...]  # of the newer, matched by none


class Candidate(Struct, frozen=True, kw_only=True):
    """A rule that may be meant."""

    number: str
    title: str | None  # heading of the rule, or of its nearest parent that has one
    confidence: float
    reason: str


class Fate(Struct, frozen=True, kw_only=True):
    """What became of a number from one release to another."""

    number: str  # in the older release
    older: str
    newer: str
    kind: FateKind
    target: str | None  # number in the newer release; None when removed or unknown
    confidence: float
    reason: str
    reused: bool = False  # the newer release has this number too, for another rule
    candidates: tuple[Candidate, ...] = ()  # the best, where the target is None or unsure
