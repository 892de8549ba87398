"""Deck lists of the usual programs and sites, as they are exported, mailed and typed.

Bytes or text come in; what goes out is a `DeckList`, with each line that says nothing and why. What a list is
is told by what stands in it, not by the name of its file. `lines` has the manners of writing a card,
`tabular` the tables and XML; headings and what divides a list are here:

- `Deck`, `Sideboard`, `Commander`, `Companion`, `Maybeboard`, `Tokens`, alone on a line, with a colon, a
  number, after `//` or `#`, or in brackets; any other line after `//` or `#` is a comment;
- `Creatures (24)`, `Lands:` and the like, which only group cards: they end a commander's section;
- an empty line: it ends a commander's or companion's section and, where a list has no headings and one such
  line with at most fifteen cards after it (CR 100.4a), the sideboard follows (MTGO, Arena);
- `[metadata]` of Forge, `About` of Arena, `NAME:` and `LAYOUT` of XMage: a title, no cards.

Time is linear in the length of the text: a line of more than 400 characters is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from .decoding import decoded
from .lines import Card, card_of, section_of
from .listing import LONGEST, DeckEntry, DeckFormat, DeckList, Section, Skipped
from .tabular import read_table, read_xml, table_head

__all__ = ["read_deck"]

_GROUP = re.compile(
    r"(?:other |basic |nonbasic |non-creature |noncreature )?(?:creatures?|lands?|instants?|sorcer(?:y|ies)|"
    r"artifacts?|enchantments?|planeswalkers?|battles?|spells?|other spells)"
    r"(?:\s*[(\[]\d{1,4}[)\]])?\s*:?",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"[^\d].{0,60}[(\[]\d{1,4}[)\]]:?")
_BRACKETS = re.compile(r"\[([^\[\]]{1,40})\]")
_XMAGE = re.compile(r"(?P<key>NAME|AUTHOR|LAYOUT MAIN|LAYOUT SIDEBOARD)\s*:\s*(?P<value>.*)")
_TITLE = re.compile(r"(?://|#)?\s*(?:Deck )?Name\s*[:=]?\s*(?P<value>.*)", re.IGNORECASE)
_RULER = re.compile(r"[-–—=*~.·#/\\|+\s]*")
"""What divides a list for the eye, or nothing."""
_FIFTEEN = 15
_SHOWN = 80
_ALONE: dict[str, DeckFormat] = {"deck": "arena", "about": "arena", "[main]": "forge", "[metadata]": "forge"}


def read_deck(text: str | bytes, *, name: str = "") -> DeckList:
    """The deck list in a text or in the bytes of a file.

    Args:
        text: of any of the formats; bytes may be UTF-8, UTF-16 or Windows-1252.
        name: of the file; the title of a list that does not tell its own.

    Example:
        >>> from cardlaw.graph.decks import read_deck
        >>> deck = read_deck("4x Lightning Bolt (2X2) 117 *F*\\n\\nSideboard\\n2 Fire/Ice\\n")
        >>> [(entry.count, entry.name, entry.section) for entry in deck.entries]
        [(4, 'Lightning Bolt', 'main'), (2, 'Fire/Ice', 'sideboard')]
    """
    whole = (decoded(text) if isinstance(text, bytes) else text).lstrip("\ufeff")
    whole = whole.replace("\r\n", "\n").replace("\r", "\n")
    begin = re.sub(r"\A\s*(?:sep=.\n\s*)?", "", whole)  # of spreadsheets
    before = whole.count("\n", 0, len(whole) - len(begin))
    first = begin[: LONGEST + 1].partition("\n")[0]
    if begin.startswith("<"):
        deck = read_xml(begin, before)
    elif (delimiter := table_head(first)) is not None:
        deck = read_table(begin, delimiter, before)
    else:
        deck = _Text().read(whole.splitlines())
    return deck if deck.title or not name else msgspec.structs.replace(deck, title=name)


class _Text:
    """Reads a list line by line."""

    def __init__(self) -> None:
        self.entries: list[DeckEntry] = []
        self.skipped: list[Skipped] = []
        self.section: Section = "main"
        self.is_metadata = False
        self.title: str | None = None
        self.formats: dict[DeckFormat, int] = {}
        self.breaks: list[int] = []  # how many entries stand before each empty line
        self.is_divided = False  # by headings, sections or groups

    def read(self, lines: Iterable[str]) -> DeckList:
        for number, line in enumerate(lines, 1):
            self._line(number, line.replace("\0", " ").strip())
        return DeckList(
            format=self._format(),
            entries=tuple(self._divided()),
            skipped=tuple(self.skipped),
            title=self.title,
        )

    def _line(self, number: int, line: str) -> None:
        if len(line) > LONGEST:
            self.skipped.append(Skipped(number, line[:_SHOWN], f"is longer than {LONGEST:,} characters"))
        elif not line:
            self._empty()
        elif not self._heading(line) and not self._comment(line) and not self._metadata(line):
            self._entry(number, line)

    def _empty(self) -> None:
        if self.entries and self.breaks[-1:] != [len(self.entries)]:
            self.breaks.append(len(self.entries))
        leads = self.section in ("commander", "companion")
        if leads and self.entries and self.entries[-1].section == self.section:
            self.section = "main"
        self.is_metadata = False

    def _heading(self, line: str) -> bool:
        bare = line.lstrip("/#").strip()
        inside = _BRACKETS.fullmatch(bare)
        words = inside[1] if inside else bare
        if (section := section_of(words)) is not None:
            self.section, self.is_metadata, self.is_divided = section, False, True
            self._of(_ALONE.get(line.casefold()) or ("deckstats" if line.startswith("//") else None))
            return True
        if inside or line.casefold() == "about":
            self.is_metadata = True
            self._of(_ALONE.get(line.casefold()))
            return True
        if _GROUP.fullmatch(bare) or (_COUNTED.fullmatch(bare) and not line[0].isdecimal()):
            self.is_divided = True
            if self.section in ("commander", "companion"):
                self.section = "main"
            return True
        return False

    def _comment(self, line: str) -> bool:
        if not line.startswith(("//", "#", ";")):
            return False
        if (found := _TITLE.fullmatch(line)) and found["value"]:
            self.title = self.title or found["value"][:200]
        elif self.entries:
            self.is_divided = True
        return True

    def _metadata(self, line: str) -> bool:
        if found := _XMAGE.fullmatch(line):
            self._of("xmage")
            if found["key"] == "NAME":
                self.title = self.title or found["value"][:200]
            return True
        if self.is_metadata and (found := _TITLE.fullmatch(line)) and found["value"]:
            self.title = self.title or found["value"][:200]
        return self.is_metadata

    def _entry(self, number: int, line: str) -> None:
        card = card_of(line)
        if card.count == 0 or _RULER.fullmatch(card.name):
            reason = "has no name" if card.count != 0 else "counts no copy"
            self.skipped.append(Skipped(number, line[:_SHOWN], reason))
            return
        if line[-1] == ":" and card.count is None:  # a group of one's own
            self.is_divided = True
            return
        if card.section is not None:
            self.is_divided = True
        self._of(card.format or self._manner(card, line))
        self.entries.append(
            DeckEntry(
                count=card.count or 1,
                name=card.name,
                section=card.section or self.section,
                set_code=card.set_code,
                number=card.number,
                line=number,
            )
        )

    def _manner(self, card: Card, line: str) -> DeckFormat | None:
        if line[:3].casefold() == "sb:":
            return "mtgo"
        return "arena" if card.set_code and f"({card.set_code.upper()})" in line else None

    def _of(self, format_: DeckFormat | None) -> None:
        if format_ is not None:
            self.formats[format_] = self.formats.get(format_, 0) + 1

    def _format(self) -> DeckFormat:
        """Whose list it is: what one alone writes says more than what several do."""
        for format_ in ("archidekt", "xmage", "forge", "deckstats", "moxfield", "arena", "mtgo"):
            if format_ in self.formats:
                return format_
        return "plain"

    def _divided(self) -> list[DeckEntry]:
        """The entries, a sideboard after the one empty line of a list without headings."""
        breaks = [at for at in self.breaks if at < len(self.entries)]
        if self.is_divided or len(breaks) != 1:
            return self.entries
        main, side = self.entries[: breaks[0]], self.entries[breaks[0] :]
        if sum(entry.count for entry in side) > _FIFTEEN:
            return self.entries
        return main + [msgspec.structs.replace(entry, section="sideboard") for entry in side]
