"""Kinds of meetings: what two abilities must cite and say to meet in a rule (`ontology/meetings.toml`).

What comes in is the text of an ability; what goes out is the place of the words that put it on a side of a
meeting, and what these words are about: types, or the object itself (CR 201.5). Two sides fit where one thing
may be what both are about: a Goblin is a creature, a creature a permanent (CR 110.4, 205.3), and an object is
of the types on its card. What an ability cites is not asked here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from cardlaw.ontology import data

from .abilities.masking import GAP, NAME, blank, scan
from .model import Face, Kind, Span

__all__ = ["About", "MeetingKind", "SideKind", "Types", "Words", "fits", "kinds", "words_of"]

Part: TypeAlias = Literal["cost", "event", "condition", "effect"]

_SELF = (
    "(?:~+|this (?:creature|card|artifact|enchantment|land|permanent|spell|planeswalker|token|"
    "[aA]ura|[eE]quipment|[vV]ehicle))"
)
_SPLIT = re.compile(r",|/|\b(?:and|or)\b")
_NOT = re.compile(r"\bnon-?(\w+)")
_ANYTHING = frozenset({"permanent", "card", "spell", "token", "commander", "nontoken", "source"})
"""Words that say nothing of a type."""


class SideKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a kind of meeting, as the file has it."""

    cites: tuple[str, ...] = ()  # all of these catalogue entries, or relations and keywords
    any: tuple[str, ...] = ()  # and one of these
    kinds: tuple[Kind, ...] = ()
    part: Part | None = None  # of the ability, that has the words
    words: str | None = None  # a regular expression
    unless: str | None = None
    becomes: tuple[str, ...] = ()  # types that what the words are about gets by them
    field: Literal["oracle_text", "type_line"] = "oracle_text"


class MeetingKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of meeting, as the file has it."""

    id: str
    label: str
    definition: str
    rule: str  # anchor of the rule that governs it
    first: SideKind
    second: SideKind | None = None  # None: two that are on the first

    @property
    def sides(self) -> tuple[SideKind, ...]:
        return (self.first, self.second or self.first)


class About(NamedTuple):
    """What words are about: an object that has types, or whatever is of one of some types."""

    is_object: bool
    types: frozenset[str]
    without: frozenset[str] = frozenset()  # the types that it is not of: "noncreature"
    becomes: frozenset[str] = frozenset()  # the types that it gets


class Words(NamedTuple):
    """Where the words of a side stand in the text of an ability, and what they are about, if they tell."""

    span: Span
    about: About | None


class Types(NamedTuple):
    """The types that the rulebook knows, in small letters."""

    above: Mapping[str, frozenset[str]]  # subtype → the card types that it belongs to

    def named(self, words: str) -> str | None:
        """The type, in the singular, that the last word which is one names; "permanent" and its like too."""
        found = [known for word in re.findall(r"[\w-]+", words.lower()) if (known := self._singular(word))]
        telling = [known for known in found if known not in _ANYTHING]
        return next(reversed(telling or found), None)

    def _singular(self, word: str) -> str | None:
        forms = (word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ves$", "f", word))
        return next((each for each in forms if each in self.above or each in _ANYTHING), None)

    def is_a(self, one: str, other: str) -> bool:
        """Whether what is of the first type may be of the second because of it."""
        return one == other or other in _ANYTHING or other in self.above.get(one, ())


@cache
def kinds() -> tuple[MeetingKind, ...]:
    """All kinds of meetings, in the order of the file."""
    found = tomllib.loads(data("meetings.toml").read_text(encoding="utf-8"))
    return msgspec.convert(found["meeting"], tuple[MeetingKind, ...])


def words_of(
    side: SideKind, text: str, part: Span | None, names: tuple[str, str], types: frozenset[str], known: Types
) -> Words | None:
    """The words of an ability or type line that put it on a side; None: it is not on it.

    Args:
        side: of a kind of meeting.
        text: of the ability, as on the card, or the type line.
        part: where in the text the part stands that has the words; None: it is not there, or none is asked.
        names: of the face, and its type line, which tells how short a name may be.
        types: of the card, in small letters.
        known: the types of the rulebook.
    """
    if side.part is not None and part is None:
        return None
    spoken = _spoken(text, *names)
    if side.unless is not None and _pattern(side.unless).search(spoken):
        return None
    start, end = part if part is not None and side.part else (0, len(text))
    if side.words is None:
        return Words((start, end), None)
    found = _pattern(side.words).search(spoken, start, end)
    if found is None:
        return None
    said = next((words for name, words in found.groupdict().items() if name and words is not None), None)
    about = None if said is None else _about(said, types, known)
    return Words(found.span(), about and about._replace(becomes=frozenset(side.becomes)))


def fits(one: About | None, other: About | None, known: Types) -> bool:
    """Whether one thing may be what the words of both sides are about; two objects are two things."""
    if one is None or other is None:
        return True
    if one.is_object and other.is_object:
        return False
    if other.is_object:
        one, other = other, one
    for each, without in ((one, other.without), (other, one.without)):
        if any(known.is_a(name, never) for name in each.types - _ANYTHING for never in without):
            return False
    if one.becomes & other.types or (not one.is_object and other.becomes & one.types):
        return True
    if one.is_object:
        return any(each in one.types or each in _ANYTHING for each in other.types)
    return any(known.is_a(a, b) or known.is_a(b, a) for a in one.types for b in other.types)


def _about(said: str, types: frozenset[str], known: Types) -> About | None:
    if said == "it" or re.fullmatch(_SELF, said):
        return About(True, types)
    without = frozenset(name for word in _NOT.findall(said) if (name := known.named(word)))
    found = {name for piece in _SPLIT.split(_NOT.sub("", said)) if (name := known.named(piece))}
    return About(False, frozenset(found or {"permanent"}), without) if found or without else None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words.replace("<self>", _SELF))


def _spoken(text: str, name: str, type_line: str) -> str:
    """The text without reminder text and quoted abilities, the object's own name as “~”; as long."""
    read = scan(Face(name=name, type_line=type_line, oracle_text=text))
    return blank(read.spoken, read.quotes).replace(NAME, "~").replace(GAP, "|")
