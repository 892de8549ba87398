"""The symbols of CR 107 as they are drawn and said: `{R}`, `{2/W}`, `{G/U/P}`, `{T}`, `{E}`, `{CHAOS}`, …

A code comes in as card text has it; out comes what it is filled with, the drawing or the letters that stand
on it, and its words for whoever does not see it. The drawings are ours (`web/parts.html`). All codes that
stand on cards up to mid-2026 are known; another one is shown by its letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

__all__ = ["SYMBOL", "Pip", "drawings", "pip"]

SYMBOL = re.compile(r"\{([^{}\s]{1,12})\}")

_COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
_MANA = {**_COLORS, "C": "colorless", "S": "snow", "L": "legendary"}
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)
_OTHERS = {
    "T": "tap this permanent",
    "Q": "untap this permanent",
    "E": "an energy counter",
    "TK": "a ticket counter",
    "P": "a pawprint",
    "A": "an acorn counter",
    "D": "a land drop",
    "CHAOS": "chaos",
    "PW": "planeswalk",
    "H": "one mana of a color or two life",
    "∞": "infinite generic mana",
    "½": "one-half generic mana",
    "HW": "one-half white mana",
    "HR": "one-half red mana",
}


class Pip(NamedTuple):
    """A symbol. Names of fills and drawings are lower-case codes: "w", "t", "phyrexian"."""

    code: str  # with its braces, as card text has it
    said: str  # in words
    fills: tuple[str, ...]  # one, or two halves
    drawings: tuple[str, ...]  # one, or one on each half
    letters: tuple[str, ...]  # instead of drawings, where they are empty strings
    is_half: bool = False  # only its left half is there: {HW}


@cache
def pip(code: str) -> Pip:
    """The symbol of a code with its braces."""
    name = code.strip("{}")
    parts = name.split("/")
    words = _said(name)
    if len(parts) > 1 and parts[-1] == "P":
        fills = tuple(map(_fill, parts[:-1]))
        return Pip(code, words, fills, ("phyrexian",), ("",))
    if len(parts) == 2:
        fills = tuple(map(_fill, parts))
        return Pip(code, words, fills, tuple(map(_drawing, parts)), tuple(map(_letters, parts)))
    if name in ("HW", "HR"):
        color = name[1].lower()
        return Pip(code, words, (color,), (color,), ("",), is_half=True)
    return Pip(code, words, (_fill(name),), (_drawing(name),), (_letters(name),))


def drawings(texts: Iterable[str]) -> list[str]:
    """The drawings of the symbols in some texts, each once."""
    codes = {symbol[0] for text in texts for symbol in SYMBOL.finditer(text)}
    return sorted({drawing for code in codes for drawing in pip(code).drawings if drawing})


def _said(name: str) -> str:
    if name in _OTHERS:
        return _OTHERS[name]
    if name in _MANA:
        return f"one {_MANA[name]} mana"
    if name.isdecimal() and name.isascii():
        number = _NUMBERS[int(name)] if len(name) < 3 and int(name) < len(_NUMBERS) else f"{int(name):,}"
        return f"{number} generic mana"
    if name in ("X", "Y", "Z"):
        return f"{name} generic mana"
    parts = name.split("/")
    if len(parts) > 1 and all(part == "P" or _said(part) != part for part in parts):
        return " or ".join("two life" if part == "P" else _said(part) for part in parts)
    return name


def _fill(name: str) -> str:
    if name in _COLORS:
        return name.lower()
    return {"Q": "dark", "S": "snow"}.get(name, "plain")


def _drawing(name: str) -> str:
    if name in _COLORS or name in ("C", "S", "T", "Q", "E", "A", "D", "L", "CHAOS", "PW"):
        return name.lower()
    return {"TK": "ticket", "P": "paw", "H": "phyrexian"}.get(name, "")


def _letters(name: str) -> str:
    return "" if _drawing(name) else name
