"""One line of a deck list as text: how many copies, the name, and what stands around the name.

    4 Lightning Bolt                      count and name; 4x, x4 after the name, or no count for one
    4 Lightning Bolt (2X2) 117 *F* #Burn  Arena, Moxfield: set, collector number, finish, tags
    1x Sol Ring (c21) 263 [Ramp] ^Have,#37d67a^   Archidekt: categories, label
    1 [C21#263] Sol Ring # !Commander     Deckstats, XMage (`[C21:263]`), Magic Workstation (`[C21]`)
    1 Sol Ring|C21|1                      Forge, `Sol Ring+|C21` in foil
    1 Sol Ring <showcase> [C21] (F)       MTGGoldfish

A name may hold brackets itself (“Hazmat Suit (Used)”), so a set code is only what is all capitals or all
small, and has a letter. Every pattern is anchored and bounded, as lines are, which are cut at `LONGEST`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .listing import DeckFormat, Section

__all__ = ["Card", "card_of", "section_of"]

_COUNT = re.compile(r"(?P<count>\d{1,3})(?:\s*[xX×]\s+(?![(\[<*#])|[xX×](?=\S)|\s*[,;]\s*|\s+)(?=\S)")
_COUNT_AFTER = re.compile(r"(?P<name>\S.*?)(?:\s+[xX×]\s?|\s*[,;\t]\s*)(?P<count>\d{1,3})")
_CODE = r"(?=[^\])]*[A-Za-z])(?:[A-Z0-9_]{2,8}|[a-z0-9_]{2,8})"
_BEFORE = re.compile(rf"\[(?P<set>{_CODE})(?P<mark>[:#])?(?P<number>(?<=[:#])[^\]\s]{{1,12}})?\]\s*(?=\S)")
_AFTER = re.compile(rf"(?P<name>.*\S)\s+\((?P<set>{_CODE})\)(?:\s+(?P<number>[^\s()\[\]]{{1,12}}))?")
_LABEL = re.compile(r"\s*\^[^^]*\^?\Z")
_CATEGORIES = re.compile(r"\s+\[(?P<inside>[^\[\]]*)\]\Z")
_FINISH = re.compile(
    r"\s+(?:\*(?P<mark>[A-Za-z]{1,10})\*|\((?:F|[Ff]oil|FOIL|[Ee]tched)\)|<[^<>]*>|\(\d{1,4}\))\Z"
)
_BY_MARK: dict[str, DeckFormat] = {"#": "deckstats", ":": "xmage"}
_ENDS = ("]", "*", ")", ">")
_CODE_ALONE = re.compile(r"[A-Z0-9]{3,6}")
_NUMBER = re.compile(r"\[([^\]\s]{1,12})\]")
_PIPED = re.compile(r"(?:[A-Z0-9_]{2,8}|\d{1,3})?")

_HEADINGS: tuple[tuple[Section, str], ...] = (
    ("main", "main, maindeck, mainboard, deck, main deck, the deck, cube"),
    ("sideboard", "sideboard, side, sb, side board"),
    ("commander", "commander, commanders, commander zone, command zone, general, generals, partner"),
    ("commander", "oathbreaker, signature spell"),
    ("companion", "companion, companions"),
    ("maybeboard", "maybeboard, maybe, maybeboards, considering, acquireboard, wishlist"),
    ("tokens", "tokens, token, tokens & extras, extras, emblems, planes, planar deck, schemes, stickers"),
    ("tokens", "scheme deck, conspiracies, attractions, contraptions, dungeons, avatar"),
)
_SECTIONS = {name: section for section, names in _HEADINGS for name in names.split(", ")}
"""Heading, in small letters → what stands under it."""


class Card(Struct, frozen=True, kw_only=True):
    """What a line says of a card."""

    count: int | None  # None: not said
    name: str
    section: Section | None = None  # None: that in which the line stands
    set_code: str | None = None
    number: str | None = None
    format: DeckFormat | None = None  # whose manner of writing it is, if it is one's only


def section_of(heading: str) -> Section | None:
    """The section that a heading means: “Sideboard”, “SIDEBOARD:”, “Sideboard (15)”, “Commander{top}”."""
    words = re.sub(r"[\s:=*_-]*(?:[(\[]\d{0,4}[)\]]|\{[^{}]*\}|:\s*\d{1,4})?[\s:=*_-]*\Z", "", heading)
    return _SECTIONS.get(words.lstrip(" =*_-").casefold())


def card_of(line: str) -> Card:
    """What a line, stripped and no longer than `LONGEST`, says of a card; the name may be empty."""
    section: Section | None = None
    format_: DeckFormat | None = None
    set_code = number = None
    before, colon, after = line.partition(":")
    if colon and before.strip().casefold() in ("sb", "sideboard", "commander", "companion", "maybeboard"):
        section, line = section_of(before), after.strip()
    count, rest = _counted(line)
    if found := _BEFORE.match(rest):
        set_code, number, rest = found["set"], found["number"], rest[found.end() :]
        format_ = _BY_MARK.get(found["mark"] or "")
    name, comment, tags = _untagged(rest)
    if comment:
        section = "commander" if "!commander" in tags else "companion" if "!companion" in tags else section
        format_ = "deckstats" if "!commander" in tags or format_ == "deckstats" else "moxfield"
    if "|" in name:
        name, set_code, number, format_ = _forge(name)
    if label := _LABEL.search(name):
        name, format_ = name[: label.start()], "archidekt"
    while name.endswith(_ENDS) and (found := _CATEGORIES.search(name) or _FINISH.search(name)):
        name = name[: found.start()]
        if found.re is _FINISH:
            mark = (found["mark"] or "").upper()
            section = "commander" if mark in ("CMDR", "CMD", "COMMANDER") else section
            format_ = format_ or ("moxfield" if mark in ("F", "E") else None)
        elif _CODE_ALONE.fullmatch(found["inside"]):
            set_code = set_code or found["inside"]
        else:
            section, format_ = _category(found["inside"]) or section, "archidekt"
    if "(" in name and (found := _AFTER.fullmatch(name)):
        name, set_code, number = found["name"], found["set"], found["number"] or number
    return Card(
        count=count,
        name=" ".join(name.split()),
        section=section,
        set_code=set_code.lower() if set_code else None,
        number=number,
        format=format_,
    )


def _counted(line: str) -> tuple[int | None, str]:
    if found := _COUNT.match(line):
        return int(found["count"]), line[found.end() :]
    if found := _COUNT_AFTER.fullmatch(line):
        return int(found["count"]), found["name"]
    return None, line


def _untagged(text: str) -> tuple[str, bool, str]:
    """What stands before the tags or the comment, whether there are any, and they without spaces."""
    at = re.search(r"\s#", text)
    if at is None:
        return text, False, ""
    return text[: at.start()], True, "".join(text[at.start() :].split()).casefold()


def _forge(text: str) -> tuple[str, str | None, str | None, DeckFormat | None]:
    """Name, set, number and format of `Name+|SET|1|[123]`, or of halves with a bar between them."""
    name, *more = (part.strip() for part in text.split("|"))
    if not all(_PIPED.fullmatch(part) or _NUMBER.fullmatch(part) for part in more):
        return text.replace("|", " // "), None, None, None
    number = next((found[1] for part in more if (found := _NUMBER.fullmatch(part))), None)
    code = more[0] if more and _CODE_ALONE.fullmatch(more[0]) else None
    return name.removesuffix("+"), code, number, "forge"


def _category(inside: str) -> Section | None:
    """The section that categories of Archidekt mean; one that is `{noDeck}` is not in the deck."""
    for category in inside.split(","):
        if (section := section_of(category.strip())) not in (None, "main"):
            return section
        if "{nodeck}" in category.casefold():
            return "maybeboard"
    return None
