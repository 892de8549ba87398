"""Deck lists as tables (CSV) and as XML: one record a card, whatever the order of the columns.

CSV (RFC 4180, or with semicolons or tabs) needs a head with a column for the name; those of Moxfield,
Archidekt, Deckstats, Deckbox, MTGO, Cube Cobra and plain `count,name,section` are known. XML is MTGO's `.dek`
(`<Cards Quantity="4" Sideboard="false" Name="…"/>`) and Cockatrice's `.cod` (`<zone name="side"><card
number="4" name="…"/>`). A document type is refused: no list has one, and entities in it can be endless.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from xml.parsers import expat

from .lines import section_of
from .listing import LONGEST, MOST, DeckEntry, DeckList, Section, Skipped

__all__ = ["read_table", "read_xml", "table_head"]

_COLUMNS = {
    "name": ("name", "card name", "card", "cardname", "card_name"),
    "count": ("count", "quantity", "qty", "amount", "copies", "total qty", "quantityx", "reg qty"),
    "section": ("section", "board", "zone", "categories", "category", "primary category"),
    "set": ("set code", "set_code", "edition code", "setcode", "edition", "set"),
    "number": ("collector number", "collector_number", "collector #", "card number", "number", "cn"),
}
"""What is read → the names of its column, the best first."""
_FLAGS: dict[str, Section] = {
    "sideboarded": "sideboard",
    "sideboard": "sideboard",
    "maybeboard": "maybeboard",
    "commander": "commander",
    "companion": "companion",
}
_YES = frozenset({"true", "yes", "1", "y", "x"})
_DELIMITERS = ",;\t"
_FORMULA = re.compile(r"'(?=[=+\-@])")
_CODE = re.compile(r"[A-Za-z0-9_]{2,8}")
_SHOWN = 80


def table_head(line: str) -> str | None:
    """The delimiter of a table whose head is this line; None if it is none."""
    for delimiter in _DELIMITERS:
        cells = _cells(line, delimiter)
        if len(cells) > 1 and any(cell in _COLUMNS["name"] for cell in cells):
            others = {name for names in _COLUMNS.values() for name in names} | {*_FLAGS}
            if sum(cell in others for cell in cells) > 1:
                return delimiter
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip().casefold() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def read_table(text: str, delimiter: str, before: int = 0) -> DeckList:
    """The list in a table whose first line is its head; so many lines stand before it."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    entries: list[DeckEntry] = []
    skipped: list[Skipped] = []
    head = [cell.strip().casefold() for cell in next(rows)]
    places = {
        what: next((head.index(name) for name in names if name in head), None)
        for what, names in _COLUMNS.items()
    }
    flags = {head.index(name): section for name, section in _FLAGS.items() if name in head}
    for line, row in _rows(rows, skipped, before):
        said = {
            what: _FORMULA.sub("", row[at].strip(), count=1) if at is not None and at < len(row) else ""
            for what, at in places.items()
        }
        if not any(cell.strip() for cell in row):
            continue
        count = re.fullmatch(r"(\d{1,4})(?:\.0+)?\s*[x×]?", said["count"] or "1")
        reason = (
            "has no name"
            if not said["name"]
            else "is longer than a name"
            if len(said["name"]) > LONGEST
            else f"“{said['count'][:20]}” is no count from 1 to {MOST}"
            if count is None or not 1 <= int(count[1]) <= MOST
            else None
        )
        if reason or count is None:
            skipped.append(Skipped(line, delimiter.join(row)[:_SHOWN], reason or ""))
            continue
        entries.append(
            DeckEntry(
                count=int(count[1]),
                name=" ".join(said["name"].split()),
                section=_section(said["section"], row, flags),
                set_code=said["set"].lower() if _CODE.fullmatch(said["set"]) else None,
                number=said["number"][:20] or None,
                line=line,
            )
        )
    return DeckList(format="csv", entries=tuple(entries), skipped=tuple(skipped))


def _rows(rows: Iterator[list[str]], skipped: list[Skipped], before: int) -> Iterator[tuple[int, list[str]]]:
    """The rows that can be read, each with the number of its line."""
    while True:
        line = before + getattr(rows, "line_num", 0) + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            skipped.append(Skipped(line, "", f"is no row of a table ({error})"))
            continue
        yield line, row


def _section(written: str, row: Sequence[str], flags: dict[int, Section]) -> Section:
    for at, section in flags.items():
        if at < len(row) and row[at].strip().casefold() in _YES:
            return section
    found = (section_of(category.strip()) for category in re.split("[,;]", written[:LONGEST]))
    return next((section for section in found if section is not None), "main")


def read_xml(text: str, before: int = 0) -> DeckList:
    """The list in a `.dek` or `.cod` file; what is no XML is told, and what stands before that is kept."""
    entries: list[DeckEntry] = []
    skipped: list[Skipped] = []
    zones: list[Section] = []
    cockatrice = False
    parser = expat.ParserCreate()

    def begin(tag: str, given: dict[str, str]) -> None:
        nonlocal cockatrice
        attributes = {name.casefold(): value for name, value in given.items()}
        kind = tag.casefold()
        if kind == "zone":
            cockatrice = True
            zones.append(section_of(attributes.get("name", "")) or "main")
        if kind not in ("cards", "card"):
            return
        line = before + parser.CurrentLineNumber
        count = attributes.get("quantity", attributes.get("number", "1")).strip()
        name = " ".join(attributes.get("name", "").split())
        if not name or len(name) > LONGEST:
            skipped.append(Skipped(line, name[:_SHOWN], "is longer than a name" if name else "has no name"))
        elif not re.fullmatch(r"[0-9]{1,4}", count) or not 1 <= int(count) <= MOST:
            skipped.append(Skipped(line, name[:_SHOWN], f"“{count[:20]}” is no count from 1 to {MOST}"))
        else:
            aside = attributes.get("sideboard", "").casefold() in _YES
            section: Section = "sideboard" if aside else zones[-1] if zones else "main"
            entries.append(DeckEntry(count=int(count), name=name, section=section, line=line))

    def end(tag: str) -> None:
        if tag.casefold() == "zone" and zones:
            zones.pop()

    def refuse(*_: object) -> None:
        raise ValueError("has a document type, which no deck list needs")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        skipped.append(Skipped(before + error.lineno, "", f"is no XML ({expat.ErrorString(error.code)})"))
    except (ValueError, UnicodeEncodeError) as error:
        skipped.append(Skipped(before + parser.CurrentLineNumber, "", str(error)))
    return DeckList(
        format="cockatrice" if cockatrice else "dek", entries=tuple(entries), skipped=tuple(skipped)
    )
