"""Card text as a tree of spans: which words cite which rules, what is reminder text, what is quoted.

A field of a face comes in with its citations, whose spans may be the same, nested or crossing; out come
pieces that a template writes one within the other. A span that crosses another is cut where that one ends,
and its rest follows as a piece of the same mark. All offsets are code points of the field; one within a
symbol such as `{2/W}` moves to the end of the symbol that is the farther one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from cardlaw.graph.model import Citation, Span

from .mana import SYMBOL, Pip, pip

__all__ = ["Mark", "Marked", "Part", "mark", "plain"]


class Mark(NamedTuple):
    """A span of the field and what it is."""

    kind: str  # "cite", "reminder", "quoted"
    start: int
    end: int
    citations: tuple[Citation, ...] = ()  # of "cite": those of exactly this span
    id: str = ""  # of the popup of "cite", or of the ability that is "quoted"
    around: tuple[Citation, ...] = ()  # of "cite": those of the spans that it lies in


class Marked(NamedTuple):
    """A mark with what it holds."""

    mark: Mark
    parts: tuple[Part, ...]
    is_first: bool  # False for what follows a cut


Part: TypeAlias = str | Pip | Marked


def plain(text: str) -> list[Part]:
    """Text with its symbols, nothing of it marked."""
    return list(_atoms(text, 0, len(text)))


def mark(
    text: str,
    within: Span,
    citations: Iterable[Citation] = (),
    *,
    reminders: Iterable[Span] = (),
    quoted: Iterable[tuple[Span, str]] = (),
    id: str = "",
) -> list[Part]:
    """The pieces of `text[start:end]`.

    Args:
        text: the whole field.
        within: start and end.
        citations: those of this field; what lies outside is left out.
        reminders: spans of reminder text (CR 207.2a).
        quoted: spans of granted abilities, each with what it is called.
        id: what the ids of the marks begin with.
    """
    by_span: dict[Span, list[Citation]] = {}
    for citation in citations:
        span = _clip(_whole(text, (citation.start, citation.end)), within)
        if span[0] < span[1]:
            by_span.setdefault(span, []).append(citation)
    marks = [
        Mark("cite", *span, tuple(found), f"{id}-c{number}")
        for number, (span, found) in enumerate(sorted(by_span.items()), 1)
    ]
    marks = [each._replace(around=_around(each, marks)) for each in marks]
    marks += [Mark("reminder", *_clip(span, within)) for span in reminders]
    marks += [Mark("quoted", *_clip(span, within), id=name) for span, name in quoted]
    return _tree(text, within, [(each, True) for each in marks if each.start < each.end])


def _around(inner: Mark, marks: Iterable[Mark]) -> tuple[Citation, ...]:
    """Citations of the marks that hold another one, the narrowest first."""
    holders = [m for m in marks if m is not inner and m.start <= inner.start and inner.end <= m.end]
    return tuple(c for holder in sorted(holders, key=lambda m: m.end - m.start) for c in holder.citations)


def _tree(text: str, within: Span, marks: Sequence[tuple[Mark, bool]]) -> list[Part]:
    """The pieces of a span; each mark comes with whether it begins there, and lies within it."""
    parts: list[Part] = []
    at, end = within
    waiting = sorted(marks, key=_order)
    while waiting:
        outer, is_first = waiting.pop(0)
        inner: list[tuple[Mark, bool]] = []
        after: list[tuple[Mark, bool]] = []
        for each, begins in waiting:
            if each.start >= outer.end:
                after.append((each, begins))
            elif each.end <= outer.end:
                inner.append((each, begins))
            else:
                inner.append((each._replace(end=outer.end), begins))
                after.append((each._replace(start=outer.end), False))
        parts += _atoms(text, at, outer.start)
        parts.append(Marked(outer, tuple(_tree(text, (outer.start, outer.end), inner)), is_first))
        at = outer.end
        waiting = sorted(after, key=_order)
    parts += _atoms(text, at, end)
    return parts


def _order(marked: tuple[Mark, bool]) -> tuple[int, int, bool]:
    """From the left, the longest first; of the same span, what is no citation holds what is one."""
    each, _ = marked
    return each.start, -each.end, each.kind == "cite"


def _atoms(text: str, start: int, end: int) -> Iterable[Part]:
    at = start
    for symbol in SYMBOL.finditer(text, start, end):
        if symbol.start() > at:
            yield text[at : symbol.start()]
        yield pip(symbol[0])
        at = symbol.end()
    if at < end:
        yield text[at:end]


def _whole(text: str, span: Span) -> Span:
    """A span that cuts no symbol."""
    start, end = span
    for symbol in SYMBOL.finditer(text):
        if symbol.start() < start < symbol.end():
            start = symbol.start()
        if symbol.start() < end < symbol.end():
            end = symbol.end()
    return start, end


def _clip(span: Span, within: Span) -> Span:
    return max(span[0], within[0]), min(span[1], within[1])
