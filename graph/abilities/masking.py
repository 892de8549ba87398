"""What in a text is not rules language: names, reminder text, quoted abilities.

A face's oracle text comes in; out comes a `Scan`, a copy of the same length in which names are blanked
and the capitals that only mark the start of a sentence are lowered. Every offset in a scan is an
offset in the oracle text. Reminder text is CR 207.2a; a card's short name is CR 201.5.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from functools import lru_cache

from msgspec import Struct

from ..model import Face, Span

__all__ = ["NAME", "Scan", "blank", "quotes", "reminders", "scan", "within"]

NAME = "\ue000"  # stands for each character of the object's own name
OTHER = "\ue001"  # stands for each character of any other proper name
GAP = "\ue002"  # stands for reminder text and quotations where a reader should skip them

_STARTS = re.compile(
    r"""(?:^|\n|[.:!?|]['")\]]*\ +|[.!?,:]?["(\[]|\ —\ |—|•\ |\}\ |[{}]\ ?\|\ |→\ |(?<=[\s("])')([A-Z])""",
    re.X,
)
_PLAIN = str.maketrans("’‘“”−–\u00a0", "''\"\"-- ")
_WORD = r"[A-Z0-9][\w'’.\-]*[\w'’]|[A-Z]"
_NAMED = re.compile(
    rf"\bnamed ((?:{_WORD})(?:,? (?:(?:of|the|and|in|to|for|from|with|a|on|at|by) )*(?:{_WORD}))*)"
)
_LABEL = re.compile(
    r"(?:^(?:• |\+ )?(?:[IVX]+(?:, [IVX]+)* — )?|(?<=\")(?=[A-Z]))"
    r"((?![{\d+])[^—:.\"(\n]{1,60}?|[^—:\"({\n]{1,40}) — (?=\S)",
    re.M,
)
_SENTENCE = re.compile(r"(?:when|whenever|at|choose|if|as|until|target|each|that player)\b", re.I)
_COST_STEP = re.compile(
    rf", ([A-Z])(?=[a-z]+ (?:{NAME}|\{{|(?:an?|this|that|[XY]|\d+|one|two|three|four|five|six|seven|eight|"
    r"ten|eleven|twelve|fifteen|fifty|life|"
    r"another|your|the|target|"
    r"untapped|tapped|enchanted|equipped|from|any|half|all|it|other|up|cards?|evidence)\b))"
)
_COST_WORD = re.compile(r', ([A-Z][a-z]+)(?=[^.:"\n]*:)')
_AS_NAME = re.compile(r" (?:deals|is|enters|has|can't|gets|costs|dies|attacks|and)\b|'s\b")
_SELF = re.compile(
    r"\b[Tt]his (?:card|creature|artifact|enchantment|land|permanent|spell|planeswalker|battle|token|Aura|"
    r"Equipment|Vehicle|Saga|Class|Case|Siege|Room|Role|Spacecraft|Attraction|Fortification|Background|"
    r"conspiracy|scheme|plane|phenomenon|dungeon|emblem|Contraption|Food|Treasure|Clue|Shrine|Door|Planet)\b"
)


class Scan(Struct, frozen=True):
    """A face's oracle text, ready to be read by patterns; all fields speak of the same offsets."""

    text: str  # plain punctuation, sentence starts lowered, names blanked
    spoken: str  # the same with reminder text blanked
    reminders: tuple[Span, ...]
    quotes: tuple[Span, ...]  # outermost quotations outside reminder text, marks included
    labels: tuple[Span, ...]  # ability words, flavor words and the like before " — "


def reminders(text: str) -> tuple[Span, ...]:
    """Outermost parenthesised spans; an unclosed parenthesis runs to the end of its paragraph."""
    spans: list[Span] = []
    if "(" not in text:
        return ()
    depth = start = 0
    for match in re.finditer(r"[()\n]", text):
        char, i = match[0], match.start()
        if char == "(":
            if not depth:
                start = i
            depth += 1
        elif depth:
            depth = depth - 1 if char == ")" else 0
            if not depth:
                spans.append((start, i + (char == ")")))
    if depth:
        spans.append((start, len(text)))
    return tuple(spans)


def quotes(text: str, skip: tuple[Span, ...] = ()) -> tuple[Span, ...]:
    """Quoted spans, marks included, that begin outside `skip`; an unclosed quotation is none."""
    spans = []
    start = None
    for match in re.finditer(r"[\"“”\n]", text):
        i, mark = match.start(), match[0]
        if within(skip, i):
            continue
        if mark == "\n":
            start = None
        elif start is None:
            if mark != "”":
                start = i
        elif mark != "“":
            spans.append((start, i + 1))
            start = None
    return tuple(spans)


def blank(text: str, spans: tuple[Span, ...], char: str = GAP) -> str:
    """The text with each of some sorted, disjoint spans replaced by as many `char`; line breaks stay."""
    pieces: list[str] = []
    at = 0
    for a, b in spans:
        pieces += (text[at:a], "\n".join(char * len(line) for line in text[a:b].split("\n")))
        at = b
    return "".join((*pieces, text[at:]))


def within(spans: tuple[Span, ...], at: int) -> bool:
    """Whether an offset lies in one of some sorted, disjoint spans."""
    index = bisect_right(spans, (at, sys.maxsize)) - 1
    return index >= 0 and at < spans[index][1]


def _short_names(name: str, type_line: str | None) -> list[str]:
    """A face's name and the short forms that cards use for it, longest first (CR 201.5)."""
    name = name.removeprefix("A-")
    names = {name, name.replace("’", "'")}
    for mark in (",", " of ", " the ", " from ", " and the "):
        if mark in name:
            names.add(name.split(mark)[0])
    if "egendary" in (type_line or ""):
        first = name.split(" ")[0].strip(",")
        if len(first) > 3 and first not in {"Lady", "Lord", "King", "Queen", "Champion", "Captain"}:
            names.add(first)
    return sorted((n for n in names if len(n) > 2), key=lambda n: (-len(n), n))


def _blank_name(text: str, name: str, ambiguous: bool) -> str:
    """The text with each whole-word `name` blanked; an ambiguous one only where it stands as a name."""
    pieces: list[str] = []
    done = 0
    at = text.find(name)
    while at != -1:
        end = at + len(name)
        whole = not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
        if whole and (not ambiguous or _AS_NAME.match(text, end)):
            pieces += (text[done:at], NAME * len(name))
            done = end
        at = text.find(name, end)
    return "".join((*pieces, text[done:]))


def scan(face: Face, terms: frozenset[str] = frozenset()) -> Scan:
    """Read a face's oracle text.

    terms: lowercase rules words; a one-word card name among them is blanked only where it stands as a name.
    """
    return _scan(face.oracle_text or "", face.name, face.type_line, terms)


@lru_cache(8)  # what links a face and what tags it read the same words
def _scan(original: str, own_name: str, type_line: str | None, terms: frozenset[str]) -> Scan:
    text = original.translate(_PLAIN)
    labels = []
    for match in _LABEL.finditer(text) if " — " in text else ():
        label = match[1]
        if re.fullmatch(r"[IVX]+(?:, [IVX]+)*", label):
            continue
        if not _SENTENCE.match(label) or label.istitle():
            labels.append(match.span(1))
    for name in _short_names(own_name, type_line):
        text = _blank_name(text, name.translate(_PLAIN), name.lower() in terms)
    if "his " in text:
        text = _SELF.sub(lambda m: m[0].lower(), text)
    if "named " in text:
        text = _NAMED.sub(lambda m: m[0][: m.start(1) - m.start()] + OTHER * len(m[1]), text)
    text = _STARTS.sub(lambda m: m[0][:-1] + m[1].lower(), text)
    text = _COST_STEP.sub(lambda m: ", " + m[1].lower(), text)
    if ":" in text:
        text = _COST_WORD.sub(lambda m: m[0].lower() if m[1].lower() in terms else m[0], text)
    marked = reminders(text)
    return Scan(text, blank(text, marked), marked, quotes(text, marked), tuple(labels))
