"""What stands beside a citation in its sentence, line or comment: a name of the rule, words of the rule.

`702.29 (Cycling)`, `702.29, Cycling.`, `rule 903, “Commander,”`, `Cycling (CR 702.29)`; and, in quotation
marks or after the number, a passage that may be the rule's. Whether it is one is for a reader with a rulebook
to say: here it is only cut out, lines of a comment joined, entities and escapes resolved.
"""

from __future__ import annotations

import html
import re

from .forms import NEWLINE

__all__ = ["name_after", "name_before", "quoted_after", "quoted_before", "running_after", "words_around"]

_LONGEST_NAME = 60
_LONGEST_PASSAGE = 1200
_LONGEST_SENTENCE = 400
_AROUND = 60  # code points of a line on either side
_FEWEST_WORDS = 5  # of a passage; fewer may be anybody's

_OPEN = r"[*_`]{0,3}"
_NAME = r"[^()\[\]{}<>|\"“”`*\n\r.;:=0-9]"
_JOIN = rf"(?:[ \t]|{NEWLINE}){{0,3}}"
_AFTER = re.compile(
    rf"{_OPEN}{_JOIN}(?:"
    rf"[(\[]{_OPEN}[\"“]?(?P<brackets>{_NAME}{{1,{_LONGEST_NAME}}}?)[,.]?[\"”]?{_OPEN}[)\]]"
    rf"|,?{_JOIN}\\?[\"“`](?P<quoted>{_NAME}{{1,{_LONGEST_NAME}}}?)[,.]?\\?[\"”`]"
    rf"|[\"']?(?:,(?=[ \t][A-Z])|:| ?[-–—]{{1,2}})[ \t]*{_OPEN}"
    rf"(?P<plain>{_NAME}{{1,{_LONGEST_NAME}}}?){_OPEN}"
    rf"(?=[.;:()\[\]\"“\n\r|<]| [-–—]{{1,2}} |\Z|\*/)"
    rf"|(?P<bare>[ \t][A-Z∞]{_NAME}{{1,{_LONGEST_NAME}}}?)(?=[.;:()\[\]\"“,\n\r|<]| [-–—]{{1,2}} |\Z)"
    r")"
)
_BEFORE = re.compile(
    r"(?:^|[\n\r.;:|>(\[{\"“”,/=!?*#]|(?:\A|\s)(?:and|or|&|-|–|—|//|see)(?=\s))[ \t*_`]*"
    r"(?P<name>[^\W\d_][^()\[\]{}<>|\"“”`*\n\r.;:=,/]{1,59}?)"
    r"[*_`\"”’,]{0,3}(?:[ \t]|\n[ \t]*(?://[/!]?|\*|\#|--)?[ \t]*){0,2}"
    r"(?:[(\[]|[-–—:]{1,2}[ \t])[*_`]{0,2}(?:see |per |cf\. |in |from )?\Z"
)
_QUOTED_AFTER = re.compile(r"[^\"“”.;]{0,64}?(?P<open>\\?\"|“)")
_QUOTED_BEFORE = re.compile(
    rf"(?P<close>\\?\"|”)[*_`.,]{{0,3}}(?:{_JOIN})[-–—]{{0,2}}[ \t]?[(\[]?[*_`]{{0,2}}"
    r"(?:see |per |from |cf\. |in )?\Z"
)
_RUNNING = re.compile(
    rf"[.:]?[*_`)\]]{{0,4}}:?(?:[ \t]|{NEWLINE}){{0,3}}[-–—:]{{0,2}}[ \t]*"
    rf"(?P<text>[A-Z“\"‘'][^.?!]{{24,{_LONGEST_SENTENCE}}})"
)
_PARAGRAPH_END = re.compile(r"\n[ \t/*#;>|-]*\r?(?:\n|\Z)|\r[ \t/*#;>|-]*\r|\*/|\"\"\"|<br|</")
_LINE_BEGINS = re.compile(r"(?:\A|[\n\r])[\s/*#;>|!_`•–—-]{0,32}(?:[0-9]{1,2}[.)]\s)?[\"'\[]?\Z")
_LINE = re.compile(NEWLINE)
_ENDS = re.compile(r"[\n\r]")


def name_after(text: str, end: int) -> str | None:
    """What may name the rule whose number ends at `end`."""
    found = _AFTER.match(text, end)
    if found is None:
        return None
    name = found["brackets"] or found["quoted"] or found["plain"] or found["bare"]
    return _clean(name).strip(" ,'’‘") or None


def name_before(text: str, start: int) -> str | None:
    """What may name the rule whose citation, with the word for it, begins at `start`."""
    found = _BEFORE.search(text[max(0, start - 90) : start])
    return _clean(found["name"]).strip(" ,'’‘-") or None if found else None


def quoted_after(text: str, end: int) -> str | None:
    """Words in quotation marks after `end` in the same sentence."""
    found = _QUOTED_AFTER.match(text, end)
    if found is None or _PARAGRAPH_END.search(found[0]):
        return None
    close = "”" if found["open"] == "“" else found["open"]
    stop = text.find(close, found.end(), found.end() + _LONGEST_PASSAGE)
    return _passage(text[found.end() : stop]) if stop > 0 else None


def running_after(text: str, begin: int, end: int) -> str | None:
    """The sentence after a citation that begins a line, a comment or a point of a list."""
    if not _LINE_BEGINS.search(text, max(0, begin - 40), begin):
        return None
    found = _RUNNING.match(text, end)
    if found is None:
        return None
    stop = _PARAGRAPH_END.search(found["text"])
    words = _clean(found["text"][: stop.start()] if stop else found["text"])
    return words if len(words.split()) > _FEWEST_WORDS + 2 else None


def quoted_before(text: str, start: int) -> str | None:
    """Words in quotation marks that end right before `start`."""
    before = text[max(0, start - _LONGEST_PASSAGE) : start]
    found = _QUOTED_BEFORE.search(before[-80:])
    if found is None:
        return None
    stop = len(before) - len(before[-80:]) + found.start()
    opening = "“" if found["close"] == "”" else found["close"]
    begin = before.rfind(opening, 0, stop)
    return _passage(before[begin + len(opening) : stop]) if begin >= 0 else None


def words_around(text: str, start: int, end: int) -> str:
    """What stands before `start` and after `end` in the same line, at most 60 code points of each."""
    before = _ENDS.split(text[max(0, start - _AROUND) : start])[-1]
    after = _ENDS.split(text[end : end + _AROUND], maxsplit=1)[0]
    return f"{before} {after}"


def _passage(raw: str) -> str | None:
    words = _clean(raw)
    return words if len(words.split()) >= _FEWEST_WORDS else None


def _clean(raw: str) -> str:
    """Lines joined, entities and escapes resolved."""
    plain = _LINE.sub(" ", raw)
    if "&" in plain:
        plain = html.unescape(plain)
    return " ".join(plain.replace('\\"', '"').replace("\\'", "'").split())
