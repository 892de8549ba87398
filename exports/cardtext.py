"""Card text as a person has it, to a face: plain oracle text, or a card as printed on a page.

A page is a name with its mana cost behind it or on the next line, a type line, the text, and power and
toughness, loyalty or defense on the last line. It is taken for one only if one of its first three
lines consists of card types and supertypes (CR 205.2a, 205.4a) before the dash, which no ability does.
"""

from __future__ import annotations

import re

from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Face

__all__ = ["face_of"]

_SUPERTYPE = "basic|legendary|ongoing|snow|world|host|token"
_CARD_TYPE = (
    "artifact|battle|conspiracy|creature|dungeon|enchantment|instant|kindred|land"
    "|phenomenon|plane|planeswalker|scheme|sorcery|tribal|vanguard"
)
_TYPE_LINE = re.compile(
    rf"(?:(?:{_SUPERTYPE})\s+)*(?:{_CARD_TYPE})(?:\s+(?:{_CARD_TYPE}))*(?:\s+[—–-]+\s.*)?", re.IGNORECASE
)
_COST = r"(?:\{[^{}\s]+\})+"
_COST_LINE = re.compile(_COST)
_NAME_LINE = re.compile(rf"(.+?)(?:\s+({_COST}))?")
_SIZE = re.compile(r"([\d*+.½-]+)/([\d*+.½-]+)")
_NUMBER = re.compile(r"(Loyalty|Defense):? ([\dX*]+)", re.IGNORECASE)


def face_of(text: str, *, name: str | None = None, type_line: str | None = None) -> Face:
    """The face that `text` describes.

    Args:
        text: oracle text, one paragraph a line, or a whole card as described above.
        name: the card's name, so that it is not read as words of its text; wins over that of a page.
        type_line: the type line, which tells spells from permanents; wins likewise.

    Raises:
        SourceError: if there is no text.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise SourceError("there is no text to annotate: give a file with card text, or pipe it in")
    at = next((i for i, line in enumerate(lines[:3]) if _TYPE_LINE.fullmatch(line)), None)
    if at is None or (at == 2 and not _COST_LINE.fullmatch(lines[1])):
        return Face(name=name or "", type_line=type_line, oracle_text="\n".join(lines))
    page_name, cost = None, None
    if at > 0 and (match := _NAME_LINE.fullmatch(lines[0])):
        page_name, cost = match.groups()
    if at == 2:
        cost = lines[1]
    body = lines[at + 1 :]
    numbers = _numbers(body[-1]) if body else {}
    return Face(
        name=name or page_name or "",
        type_line=type_line or lines[at],
        mana_cost=cost,
        power=numbers.get("power"),
        toughness=numbers.get("toughness"),
        loyalty=numbers.get("loyalty"),
        defense=numbers.get("defense"),
        oracle_text="\n".join(body[:-1] if numbers else body),
    )


def _numbers(line: str) -> dict[str, str]:
    if match := _SIZE.fullmatch(line):
        return {"power": match[1], "toughness": match[2]}
    if match := _NUMBER.fullmatch(line):
        return {match[1].lower(): match[2]}
    return {}
