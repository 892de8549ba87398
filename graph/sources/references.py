"""Find the rules that a passage of the rulebook cites, and where its words and its numbers disagree.

The forms that were measured: `See rule 903, “Commander,”`; `rule 113.10`; `rules 601.2b and 601.2f–h`
(also `-` and ` - `); `rules 119.7–8`; `rules 903.6–903.11`; `rules 701.27a–f, 712.9–10, and 712.18`;
`steps 601.2a–h of rule 601`; `section 8, “…”`; and, without the word, `as specified in 101.4a` and
`See 718, “…”`.
A range skips the letters l and o. A number that is no rule of the release is never a reference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from .wording import normalize

__all__ = ["Citing", "citing", "expand_range", "next_letter", "ordinal", "wrong_titles"]

_QUOTED = r"[“\"](?P<title>[^”\"]*)[”\"]"
_ITEM = re.compile(
    r"(?<![\w.,$+-])"
    r"(?P<section>\d{1,3})(?:\.(?P<rule>\d{1,3})(?P<letter>[a-z]{1,2})?)?(?![A-Za-z0-9]|[.,]\d)"
    r"(?:\s?[-–]\s?(?:(?P<to>\d{3}\.\d{1,3}(?:[a-z]{1,2})?)|(?P<to_rule>\d{1,3})|(?P<to_letter>[a-z]{1,2}))"
    r"(?![A-Za-z0-9]|[.,]\d))?"
    rf"(?:,? {_QUOTED})?"
)
_WORD = re.compile(r"\b(?P<word>rules?|steps?|sections?|see(?: also)?)\s+$", re.IGNORECASE)
_CHAIN = re.compile(r",? *(?:and|or|through)? *")  # never over a line end: the next sense begins “2.”
_LETTERS = "abcdefghijkmnpqrstuvwxyz"  # CR introduction: subrules skip l and o
_NUMBER = re.compile(r"(\d{3})(?:\.(\d{1,3})([a-z]{1,2})?)?")


class Citing(NamedTuple):
    """What a passage cites: rule numbers in order, numbers that are no rules, titles quoted beside them."""

    numbers: tuple[str, ...]
    dangling: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]  # (number, title quoted)


def ordinal(letter: str) -> int:
    """Place of a subrule letter: 1 for a, 11 for k, 12 for m, 25 for aa; 0 for none."""
    value = 0
    for char in letter:
        value = value * len(_LETTERS) + _LETTERS.find(char) + 1
    return value


def _letter(place: int) -> str:
    """The subrule letter at `place`, the inverse of `ordinal`."""
    prefix, last = divmod(place - 1, len(_LETTERS))
    return (_letter(prefix) if prefix else "") + _LETTERS[last]


def next_letter(letter: str) -> str:
    """The letter after `letter`: m after k, aa after z."""
    return _letter(ordinal(letter) + 1)


def expand_range(first: str, last: str) -> tuple[str, ...]:
    """Rule numbers from `first` to `last`, both whole numbers of one rule or of one section.

    >>> expand_range("601.2k", "601.2p")
    ('601.2k', '601.2m', '601.2n', '601.2p')
    >>> expand_range("903.6", "903.8")
    ('903.6', '903.7', '903.8')

    A range that runs backward, or whose ends have no common parent, gives its two ends.
    """
    one, two = _NUMBER.fullmatch(first), _NUMBER.fullmatch(last)
    ends = (first,) if first == last else (first, last)
    if one is None or two is None or one[1] != two[1] or one[2] is None or two[2] is None:
        return ends
    if one[3] and two[3] and one[2] == two[2]:
        low, high = ordinal(one[3]), ordinal(two[3])
        if low < high:
            return tuple(f"{one[1]}.{one[2]}{_letter(place)}" for place in range(low, high + 1))
    elif not one[3] and not two[3] and int(one[2]) < int(two[2]):
        return tuple(f"{one[1]}.{n}" for n in range(int(one[2]), int(two[2]) + 1))
    return ends


def citing(text: str, known: Collection[str], *, own: str = "") -> Citing:
    """The rules that `text` cites, in order and distinct, without `own`, the number of the rule it stands in.

    Args:
        known: every number of the release, chapters and sections included.
    """
    found: dict[str, None] = {}
    dangling: dict[str, None] = {}
    titles: list[tuple[str, str]] = []
    chain_end, chained = -1, ""
    for item in _ITEM.finditer(text):
        word = _WORD.search(text, max(0, item.start() - 12), item.start())
        if word:
            chained = word["word"].lower()
        elif not (chain_end >= 0 and _CHAIN.fullmatch(text[chain_end : item.start()])):
            chained = ""
        if not _is_reference(item, chained):
            chain_end = -1
            continue
        chain_end = item.end()
        numbers = _numbers(item)
        for number in numbers:
            if number in known:
                found[number] = None
            else:
                dangling[number] = None
        if item["title"] and len(numbers) == 1:
            titles.append((numbers[0], item["title"]))
    found.pop(own, None)
    return Citing(tuple(found), tuple(dangling), tuple(titles))


def _is_reference(item: re.Match[str], word: str) -> bool:
    if len(item["section"]) == 3:
        return bool(item["rule"] or word)
    return len(item["section"]) == 1 and not item["rule"] and word.startswith("section")


def _numbers(item: re.Match[str]) -> tuple[str, ...]:
    section, rule, letter = item["section"], item["rule"], item["letter"]
    first = section + (f".{rule}" if rule else "") + (letter or "")
    if item["to"]:
        return expand_range(first, item["to"])
    if item["to_letter"] and letter:
        return expand_range(first, f"{section}.{rule}{item['to_letter']}")
    if item["to_rule"] and rule and not letter:
        return expand_range(first, f"{section}.{item['to_rule']}")
    return (first,)


def wrong_titles(cited: Citing, titles: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each title in `cited` that is not the heading of its number."""
    for number, quoted in cited.titles:
        title = titles.get(number)
        if title is not None and _bare(quoted) != _bare(title):
            yield f"cites rule {number}, which is “{title}”, by the name “{quoted.strip(' ,.')}”"


def _bare(title: str) -> str:
    return normalize(title).strip(" ,.;").casefold()
