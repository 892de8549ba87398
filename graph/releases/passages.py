"""A release as passages that can be laid beside those of another: words with rule numbers masked, and place.

Rule numbers are masked ("see rule #") because they change when nothing else does. Quotes, italics, dashes,
capitals and the punctuation around words do not count either, so that two passages of the same words are the
same. A heading stands for its rule where that has no words of its own (all of CR 701 and 702).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from ..model import Rule, Rulebook
from ..sources.wording import normalize

__all__ = ["Book", "Passage", "keys", "level"]

_REFERENCE = re.compile(
    r"\b\d{3}\.\d{1,3}[a-z]{0,2}\b(?:\s?[-–]\s?(?:\d{3}\.\d{1,3}[a-z]{0,2}|\d{1,3}|[a-z]{1,2})\b)?"
    r"|(?<=rule )\d{3}\b|(?<=rules )\d{3}\b|(?<=see )\d{3}\b|(?<=section )\d\b",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"[—–…]|(?<=\s)-+(?=\s)")
_EDGES = ".,;:!?\"'()[]"
MASK = "#"


def keys(text: str) -> tuple[str, ...]:
    """What of `text` is compared, word by word.

    >>> keys("See rule 702.29a, “Cycling.”") == keys("see Rule 702.31a: Cycling")
    True
    """
    plain = normalize(_PAUSE.sub(" ", _REFERENCE.sub(MASK, text))).casefold()
    return tuple(word for each in plain.split() if (word := each.strip(_EDGES)))


def level(number: str) -> int:
    """0 for a chapter, 1 for a section, 2 for a rule, 3 for a subrule."""
    if "." not in number:
        return 0 if len(number) == 1 else 1
    return 3 if number[-1].isalpha() else 2


class Passage:
    """A rule with what it is compared by, and its place in the book."""

    __slots__ = ("children", "following", "level", "number", "parent", "preceding", "rule", "words")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.number = rule.number
        self.level = level(rule.number)
        self.parent = rule.parent
        self.words = keys(rule.title or rule.text or "")
        self.children: list[str] = []
        self.preceding: str | None = None  # the sibling before it
        self.following: str | None = None

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

    @cached_property
    def heading(self) -> dict[str, str | None]:
        """For each number the heading of the rule, or of its nearest parent that has one."""
        found: dict[str, str | None] = {}
        for number, passage in self.passages.items():
            title = passage.rule.title
            found[number] = title or (None if passage.parent is None else found.get(passage.parent))
        return found
