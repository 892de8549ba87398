"""Sure moves into a text: what is cited there and what was found of it in, replacements out.

Citations that hang together go together or stay: the ends of a range (`613.1d-f`) and the short forms that
take their beginning from what stands before them (the `c` of `702.19b, c`). One of them that is neither right
nor surely moved holds all of them. A range is moved only if what lies between its ends now lies between the
new ones. The short form is kept where it still says the same; else the number is written whole. How a number
is written (spaces, brackets, the case of its letter) stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ..sources.references import expand_range, ordinal
from .mentions import mentions, respell
from .records import Mention, Verdict
from .texts import Cited

__all__ = ["Edit", "Fix", "fixes", "reads_back", "rewrite"]

Found = tuple[Cited, Verdict]

_NUMBER = re.compile(r"(\d{1,3})(?:\.(\d{1,3})([a-z]{1,2})?)?")
_NO_DIGIT = re.compile(r"\D+")
_SHORT = re.compile(r"(?P<rule>\d{1,3})?(?P<letter>[a-zA-Z]{1,2})?(?=[^\da-zA-Z]*$)(?<=[\da-zA-Z])")


class Edit(NamedTuple):
    """What is written for a citation becomes `new`."""

    cited: Cited
    new: str


class Fix(NamedTuple):
    """The replacements for citations that hang together; one that reads the same afterwards has none."""

    indices: range  # of the citations, in all of the text
    edits: tuple[Edit, ...]


def fixes(found: Sequence[Found], judge: Callable[[Mention], Verdict]) -> list[Fix]:
    """The replacements for all sure moves in a text.

    Args:
        found: all its citations, in order.
        judge: is asked of the rules between the ends of a range.
    """
    made = []
    begin = 0
    for end in range(1, len(found) + 1):
        if end < len(found) and found[end - 1][0].mention.number in found[end][0].mention.along:
            continue
        if together := tuple(_group(found[begin:end], judge)):
            made.append(Fix(range(begin, end), together))
        begin = end
    return made


def rewrite(text: str, made: Iterable[Fix]) -> str:
    """The text with the replacements of fixes that are in order."""
    parts, done = [], 0
    for fix in made:
        for edit in fix.edits:
            parts += [text[done : edit.cited.mention.start], edit.new]
            done = edit.cited.mention.end
    return "".join([*parts, text[done:]])


def reads_back(text: str, found: Sequence[Found], made: Iterable[Fix], *, bare: bool = False) -> bool:
    """Whether the rewritten text cites what it should: the targets where it was mended, else as before."""
    mended = {index for fix in made for index in fix.indices}
    meant = [
        (_sure_target(cited.mention.number, verdict) if index in mended else None) or cited.mention.number
        for index, (cited, verdict) in enumerate(found)
    ]
    return [mention.number for mention in mentions(text, bare=bare)] == meant


def _is_short(cited: Cited) -> bool:
    """Whether only the end of the number is written."""
    return _NO_DIGIT.sub("", cited.written) != _NO_DIGIT.sub("", cited.mention.number)


def _group(group: Sequence[Found], judge: Callable[[Mention], Verdict]) -> Iterator[Edit]:
    targets = [_sure_target(cited.mention.number, verdict) for cited, verdict in group]
    new = [target for target in targets if target is not None]
    old = [cited.mention.number for cited, _ in group]
    if len(new) < len(group) or new == old:
        return
    for index, (cited, _) in enumerate(group):
        if index and cited.mention.first is not None:
            ends = new[index - 1], new[index]
            if not _range_holds(old[index - 1], cited.mention, *ends, judge):
                return
    for index, (cited, _) in enumerate(group):
        if index and _is_short(cited):
            written = _shortly(cited.written, new[index - 1], new[index])
        else:
            written = respell(cited.written, new[index])
        if written != cited.written:
            yield Edit(cited, written)


def _sure_target(number: str, verdict: Verdict) -> str | None:
    """Where the rule surely is now, which may be where it was; None if that is not sure."""
    if verdict.status == "right":
        return number
    return verdict.target if verdict.status == "moved" and verdict.sure else None


def _range_holds(
    first: str, last: Mention, new_first: str, new_last: str, judge: Callable[[Mention], Verdict]
) -> bool:
    """Whether the range is one still, with all between its ends that was there."""
    low, high = _order(new_first), _order(new_last)
    if not low < high:
        return False
    for number in expand_range(first, last.number)[1:-1]:
        between = replace(last, number=number, first=None, along=(), name=None, quote=None)
        target = _sure_target(number, judge(between))
        if target is None or not low < _order(target) < high:
            return False
    return True


def _parts(number: str) -> tuple[str, str | None, str | None]:
    """Section, rule and letter; a number that is none is all section."""
    found = _NUMBER.fullmatch(number)
    return (number, None, None) if found is None else (found[1], found[2], found[3])


def _order(number: str) -> tuple[int, int, int]:
    section, rule, letter = _parts(number)
    return int(section) if section.isdecimal() else -1, int(rule or 0), ordinal(letter or "")


def _shortly(written: str, before: str, target: str) -> str:
    """The end of the target as `written` is, if the beginning is that of `before`; else all of it."""
    shape = _SHORT.search(written)
    (section, rule, first), (to_section, to_rule, letter) = _parts(before), _parts(target)
    if shape is None or section != to_section or (shape["letter"] is None) != (letter is None):
        return target
    end = _cased(letter, shape["letter"]) if letter is not None else ""
    if shape["rule"] is not None:
        end = f"{to_rule}{end}"
    elif rule != to_rule or first is None:
        return target
    return written[: shape.start()] + end + written[shape.end() :]


def _cased(letter: str, written: str) -> str:
    return letter.upper() if written.isupper() else letter
