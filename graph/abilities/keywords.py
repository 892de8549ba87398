"""Paragraphs that are keyword abilities, and their parameters (CR 702.1).

"First strike, haste" is two abilities, "protection from black and from red" and "kicker {R} and/or {G}" are
two each (CR 702.16g, 702.33b). A keyword's parameters are a cost, a number and a quality: "Equip legendary
creature {3}" has the cost {3} and the quality "legendary creature".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, structs

from ..model import Parts, Span
from .lexicon import Form, Lexicon
from .masking import GAP, Scan

__all__ = ["KeywordLine", "parameters", "read_keywords"]

_SYMBOLS = r"(?:\{[^{}]+\})+(?: or (?:\{[^{}]+\})+)*"
_CONDITIONS = {"Companion", "Modular"}  # what follows their dash is no cost (CR 702.139a, 702.44d)
_SENTENCE = re.compile(r"[.!?](?:\s|$)")
_DASH = re.compile(r"[^.:]*—")
_ONTO = re.compile(r"\s(?:onto|with|from) [^.:—]{1,30}—")
_SENTENCE_VERB = re.compile(r"^[^—]*\b(?:choose|has|have|gets?|gains?)\b[^—]*—")
_LISTED = re.compile(r"(?:, \w+)+\.")  # "Cascade, cascade." in a quotation
_SENTENCE_START = re.compile(r"\s*:|\s+(?:is|are|can't|counters?|abilities|costs?|has|have)\b")
_SYMBOL_OR_NUMBER = re.compile(r"\s*(?:\{|\d|[xX]\b)")
_NUMBER = re.compile(r"\s*(?:[a-z]+ )?(\d+|[xX])(?![\w/+])")
_PREPOSITION = re.compile(r"\A(?:from|for|onto|with) ")
_STOP = re.compile(r"\.(?: |$)|, where |, (?=\w)")
_NAMING = {"Partner with", "Enchant", "Bands with other"}  # what they name may hold or end in a stop
_CUT = re.compile(
    rf"""[{GAP}]*\ ?[,;]\ ?(?:and\ |or\ )?
      | [{GAP}]*\ (?:and|and/or)\ (?=from\b)
      | \ and/or\ (?=\{{)
      | {GAP}+\ (?=\w)""",
    re.X,
)


class KeywordLine(Struct, frozen=True):
    """One keyword ability of a paragraph; offsets are those of the oracle text."""

    form: Form
    start: int
    end: int  # with its reminder text
    name_end: int  # where its name ends
    parameters: Mapping[str, str | int]
    parts: Parts


def read_keywords(scanned: Scan, original: str, span: Span, lexicon: Lexicon) -> tuple[KeywordLine, ...]:
    """The keyword abilities that a paragraph consists of; empty if it is anything else.

    scanned: the scan of the face; original: its oracle text; span: the paragraph without its ability word.
    """
    start, end = span
    text = scanned.spoken[start:end].partition("\n")[0]
    first = lexicon.keyword_at(text)
    if first is None:
        return ()
    rest = text[first.end :]
    if not _plausible(first.form.keyword, rest):
        return ()
    lines: list[KeywordLine] = []
    for a, b in _elements(text, lexicon):
        piece = text[a:b]
        match = lexicon.keyword_at(piece)
        if match is None:
            previous = lines[-1] if lines else None
            if previous is None or not re.match(r"from |\{|and/or ", piece):
                return ()
            form, name_end = previous.form, a
        else:
            form, name_end = match.form, a + match.end
        found, parts = parameters(
            form.keyword, original[start + name_end : start + b], text[name_end:b], start + name_end
        )
        lines.append(KeywordLine(form, start + a, start + b, start + name_end, found, parts))
    # The last one keeps the reminder text and the final stop that follow it.
    if lines:
        lines[-1] = structs.replace(lines[-1], end=end)
    return tuple(lines)


def _plausible(keyword: str, rest: str) -> bool:
    """Whether what follows a keyword's name makes the paragraph a keyword line and not a sentence."""
    bare = rest.rstrip(GAP + " \n")
    if _ONTO.match(bare) or (_DASH.match(bare) and not _SENTENCE_VERB.search(bare)):
        return True
    stop = _SENTENCE.search(bare)
    if stop is not None and not bare[: stop.start()].rstrip().endswith("}"):
        closes = _SYMBOL_OR_NUMBER.match(bare) or not re.search(r"\w", bare[: stop.start()])
        return bool(closes) or keyword in _NAMING or _LISTED.fullmatch(bare) is not None
    return not _SENTENCE_START.match(bare)


def _elements(text: str, lexicon: Lexicon) -> list[Span]:
    """Spans of the comma- or semicolon-separated members of a keyword list."""
    spans: list[Span] = []
    start = 0
    end = len(text.rstrip(GAP + " \n"))
    cuts = [m.span() for m in _CUT.finditer(text, 0, end)]
    for a, b in cuts:
        if a < start:
            continue
        piece = text[start:a]
        if "—" in piece:
            break
        tail = text[b:end]
        if re.match(r"from |\{", tail):
            if not re.match(r"(?:protection|hexproof|kicker|from|\{)", piece):
                continue
        elif lexicon.keyword_at(tail) is None:
            continue
        if piece.startswith("partner with") or not piece.strip():
            continue
        spans.append((start, a))
        start = b
    spans.append((start, end))
    return spans


def parameters(keyword: str, original: str, text: str, offset: int) -> tuple[dict[str, str | int], Parts]:
    """What follows a keyword's name, as data.

    keyword: that name; original: those words as printed; text: the same lowered, reminder text blanked;
    offset: where they stand in the oracle text. Keys are "cost" (symbols or words), "number" (an integer or
    "X") and "quality".
    """
    body, start = text.partition("\n")[0].rstrip(GAP + " ").replace(GAP, " "), 0
    end = len(body)
    found: dict[str, str | int] = {}
    cost: Span | None = None
    effect: Span | None = None
    if dash := re.search(r"\s?—\s?", body):
        start, tail = dash.end(), body[dash.end() :]
        if re.fullmatch(r"\d+/\d+", tail):
            found["quality"] = tail
        elif colon := re.match(r"[^:.]+(?=:)", tail):
            cost = (start, start + colon.end())
            effect = (start + colon.end() + 2, end)
        elif keyword in _CONDITIONS:
            found["quality"] = original[start:end].rstrip(".")
        elif keyword == "Visit" or re.match(r"(?:when|whenever|at|as long)\b", tail):
            effect = (start, end)
        else:
            stop = _SENTENCE.search(tail)
            cost = (start, start + (stop.start() if stop else len(tail)))
        body = body[: dash.start()]
    if symbols := re.search(_SYMBOLS, body):
        cost = cost or symbols.span()
        body = body[: symbols.start()] + " " * (symbols.end() - symbols.start()) + body[symbols.end() :]
    body = body if keyword in _NAMING else _STOP.split(body)[0]
    if number := _NUMBER.match(body):
        found["number"] = int(number[1]) if number[1].isdigit() else "X"
        body = " " * number.end() + body[number.end() :]
    if cost is not None:
        found["cost"] = original[cost[0] : cost[1]]
    quality = re.search(r"\S.*\S|\S", body)
    if quality and quality[0] not in {"and", ".", "!"}:
        found["quality"] = _PREPOSITION.sub("", original[quality.start() : quality.end()]).rstrip(".")

    def shift(span: Span | None) -> Span | None:
        return None if span is None else (offset + span[0], offset + span[1])

    return found, Parts(cost=shift(cost), effect=shift(effect))
