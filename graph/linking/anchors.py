"""Anchors: naming a rule so that it is found again in a release that numbers it otherwise.

Three forms:

- `Graveyard`: the section with that heading, `Additional Rules > General` where chapters share it;
- `Keyword Actions/Exile`: the rule under that section with that heading;
- `Costs/118.12a: unless, any time`: a rule without a heading, by its section's heading, its number when the
  anchor was written and a fingerprint, words that its text must contain.

A headless rule whose number no longer fits is looked for by fingerprint among its siblings, then in its whole
section; the last resort is the section itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, structs

from ..model import Rule, Rulebook

__all__ = ["Fallback", "Resolution", "resolve"]

_PLAIN = str.maketrans("’‘“”–—−", "''\"\"---")


class Fallback(Struct, frozen=True):
    """An anchor that did not resolve to the rule that it names."""

    anchor: str
    number: str | None  # what is cited instead; None: nothing is
    reason: str


class Resolution(Struct, frozen=True):
    """What each anchor means in one release."""

    numbers: dict[str, str | None]
    fallbacks: tuple[Fallback, ...]


def _folded(text: str) -> str:
    return re.sub(r"[^a-z0-9+\-/'> ]", "", text.translate(_PLAIN).lower()).strip()


def _natural(number: str) -> tuple[int, int, str]:
    section, _, rest = number.partition(".")
    digits = re.match(r"\d*", rest)
    assert digits is not None
    tail = rest[digits.end() :]
    return int(section), int(digits[0] or 0), f"{len(tail)}{tail}"


class _Index:
    """Headings and children of one rulebook."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rules = rulebook.rules
        self.sections: dict[str, str] = {}
        self.headed: dict[tuple[str, str], str] = {}
        self.headless: dict[str, list[Rule]] = {}
        for rule in rulebook.rules.values():
            section = rule.number.partition(".")[0]
            if len(rule.number) == 3 and rule.title:
                self.sections.setdefault(_folded(rule.title), rule.number)
                chapter = self.rules.get(rule.parent or "")
                if chapter is not None and chapter.title:
                    self.sections[_folded(f"{chapter.title} > {rule.title}")] = rule.number
            elif "." in rule.number:
                if rule.title:
                    self.headed.setdefault((section, _folded(rule.title)), rule.number)
                self.headless.setdefault(section, []).append(rule)


def resolve(rulebook: Rulebook, anchors: Iterable[str]) -> Resolution:
    """The number of each anchor in a rulebook.

    A rulebook without words (an outline) answers from the numbers that it carries; an anchor that it does
    not carry resolves by headings or falls back. Equal inputs give equal results.
    """
    index = _Index(rulebook)
    numbers: dict[str, str | None] = {}
    fallbacks: list[Fallback] = []
    for anchor in anchors:
        if anchor in numbers:
            continue
        if not rulebook.has_text and anchor in rulebook.anchors:
            numbers[anchor] = rulebook.anchors[anchor]
            continue
        number, reason = _find(anchor, index, rulebook.has_text)
        numbers[anchor] = number
        if reason:
            fallbacks.append(Fallback(anchor, number, reason))
    return Resolution(numbers, tuple(fallbacks))


def resolved(rulebook: Rulebook, anchors: Iterable[str]) -> Rulebook:
    """The rulebook with its `anchors` filled, as an outline carries them."""
    return structs.replace(rulebook, anchors=resolve(rulebook, anchors).numbers)


def _find(anchor: str, index: _Index, has_text: bool) -> tuple[str | None, str]:
    whole = index.sections.get(_folded(anchor))
    heading, slash, rest = (anchor, "", "") if whole else anchor.partition("/")
    section = index.sections.get(_folded(heading))
    if not slash:
        return section, "" if section else f"no section is headed “{heading}”"
    number, colon, words = rest.partition(":")
    if not colon:
        if section is None:
            return None, f"no section is headed “{heading}”"
        found = index.headed.get((section, _folded(rest)))
        return found, "" if found else f"no rule of {section} is headed “{rest}”"
    if section is None:
        return None, f"no section is headed “{heading}”"
    moved = section + "." + number.partition(".")[2]
    prints = [_folded(word) for word in words.split(",")]
    if not has_text:
        known = moved in index.rules
        return (
            moved if known else section
        ), "the outline does not carry this anchor: its number is not checked"
    candidate = index.rules.get(moved)
    if candidate is not None and _fits(candidate, prints):
        return moved, ""
    parent = re.sub(r"(?<=\d)[a-z]+$", "", moved)
    siblings = [
        rule for rule in index.headless.get(section, ()) if rule.number != parent and _fits(rule, prints)
    ]
    for pool in ([rule for rule in siblings if rule.parent == parent], siblings):
        if pool:
            best = min(pool, key=lambda rule: _natural(rule.number))
            return best.number, f"found by its words at {best.number}, was {number}"
    parent_rule = index.rules.get(parent)
    if parent != moved and parent_rule is not None and _fits(parent_rule, prints):
        return parent, f"no subrule fits: its parent {parent} is cited"
    return section, f"no rule of {section} has its words: the section is cited"


def _fits(rule: Rule, prints: list[str]) -> bool:
    text = _folded(f"{rule.title or ''} {rule.text or ''}")
    return all(word in text for word in prints)
