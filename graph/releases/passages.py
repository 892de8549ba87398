"""A release as passages that can be laid beside those of another: words with rule numbers masked, and place.

Rule numbers are masked ("see rule #") because they change when nothing else does. Quotes, italics, dashes,
capitals and the punctuation around words do not count either, so that two passages of the same words are the
same. A heading stands for its rule where that has no words of its own (all of CR 701 and 702).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..model import Rule, Rulebook
from ..sources.wording import normalize

__all__ = ["MASK", "Book", "Passage", "Word", "keys", "level", "words"]

MASK = "#"
"""What stands for a rule number."""

_NUMBER = r"\d{3}\.\d{1,3}[a-z]{0,2}"
_WORD = re.compile(
    rf"(?P<number>\b{_NUMBER}\b(?:\s?[-–]\s?(?:{_NUMBER}|\d{{1,3}}|[a-z]{{1,2}})\b)?"
    r"|(?:(?<=rule )|(?<=rules )|(?<=see ))\d{3}\b|(?<=section )\d\b)"
    r"|\((?:TM|R)\)|[^\s—–…(\[“\"]+|[—–…(\[“\"]+",
    re.IGNORECASE,
)
_EDGES = ".,;:!?\"'()[]_"


class Word(NamedTuple):
    """A word in a text: what it is compared by ("" for mere punctuation) and where it stands."""

    key: str
    start: int
    end: int


def words(text: str) -> Iterator[Word]:
    """All of `text` but the space between, in order."""
    for found in _WORD.finditer(text):
        yield Word(MASK if found["number"] else _key(found[0]), found.start(), found.end())


def keys(text: str) -> tuple[str, ...]:
    """What of `text` is compared, word by word.

    >>> keys("See rule 702.29a, “Cycling.”") == keys("see Rule 702.31a: Cycling")
    True
    """
    return tuple(word.key for word in words(text) if word.key)


@lru_cache(maxsize=50_000)
def _key(word: str) -> str:
    key = normalize(word).casefold().strip(_EDGES)
    return key if key.strip("-") else ""


def level(number: str) -> int:
    """0 for a chapter, 1 for a section, 2 for a rule, 3 for a subrule."""
    if "." not in number:
        return 0 if len(number) == 1 else 1
    return 3 if number[-1].isalpha() else 2


class Passage:
    """A rule with what it is compared by, and its place in the book."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.number = rule.number
        self.level = level(rule.number)
        self.parent = rule.parent
        self.children: list[str] = []
        self.preceding: str | None = None  # the sibling before it
        self.following: str | None = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What it is compared by."""
        return keys(self.printed)

    @property
    def printed(self) -> str:
        """Its words as they are printed, or its heading."""
        return self.rule.title or self.rule.text or ""

    @property
    def is_heading(self) -> bool:
        """Whether all that it has is a heading."""
        return self.rule.title is not None


class Book:
    """The passages of a release by number, in the order of the book."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.passages: Mapping[str, Passage] = {
            number: Passage(rule) for number, rule in rulebook.rules.items()
        }
        self.place = {number: place for place, number in enumerate(self.passages)}
        last: dict[str | None, Passage] = {}
        for passage in self.passages.values():
            if passage.parent in self.passages:
                self.passages[passage.parent].children.append(passage.number)
            before = last.get(passage.parent)
            if before is not None:
                passage.preceding, before.following = before.number, passage.number
            last[passage.parent] = passage

    def parent_of(self, passage: Passage) -> Passage | None:
        """The passage that one stands under."""
        return None if passage.parent is None else self.passages.get(passage.parent)

    @cached_property
    def heading(self) -> dict[str, str | None]:
        """For each number the heading of the rule, or of its nearest parent that has one."""
        found: dict[str, str | None] = {}
        for number, passage in self.passages.items():
            title = passage.rule.title
            found[number] = title or (None if passage.parent is None else found.get(passage.parent))
        return found
