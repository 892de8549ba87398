"""From the bytes of a rulebook to its words, and from words to a form that can be compared.

Seven encodings were measured: ASCII, cp1252, cp437, MacRoman, UTF-16 of both byte orders with a mark, UTF-8
with a mark. None is declared, so the encoding is detected.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from ..errors import RulebookError

__all__ = ["decode", "normalize", "strip_marks"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SUSPECT = re.compile(r"[ƒ£ªÐ]|(?<=\w)‰(?=\w)")  # cp1252 letters that no rulebook has
_FAMILIAR = frozenset("“”‘’–—−•…™®©½¼¾∞¡¿ àáâäãåçèéêëíîïñóôöõøúûüœæÀÁÂÄÅÇÈÉÊËÍÎÑÓÔÖØÚÛÜŒÆ")

_ITALICS = re.compile(r"(?<![A-Za-z0-9])_([^_\n]+)_(?![A-Za-z0-9])")
_TRADEMARK = re.compile(r"\((?:TM|R|r)\)|[™®]")
_PLAIN = str.maketrans(
    {**dict.fromkeys("“”„", '"'), **dict.fromkeys("‘’‚", "'"), **dict.fromkeys("–—−‐‑", "-")}
)


def decode(data: bytes, *, name: str = "rulebook") -> str:
    """Text of `data`: by its mark, else strict UTF-8, else cp1252 unless that gives letters no rulebook has.

    Raises:
        RulebookError: `data` is empty or in no encoding that a rulebook was ever published in.
    """
    if not data.strip():
        raise RulebookError(f"{name} is empty: give a text file of the Comprehensive Rules")
    text = _decode(data)
    if text is None or "\0" in text:
        raise RulebookError(
            f"{name} is in an unknown encoding: save it as UTF-8 or give the official text file of the rules"
        )
    return text


def _decode(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    text = _strictly(data, "utf-8")
    if text is not None:
        return text
    text = _strictly(data, "cp1252")
    if text is not None and not _SUSPECT.search(text):
        return text
    candidates = [t for t in (text, _strictly(data, "cp437"), _strictly(data, "mac_roman")) if t is not None]
    best = min(candidates, key=_strangers)
    return best if _strangers(best) <= len(best) // 1000 else None


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _strangers(text: str) -> int:
    """Number of characters that no rulebook has."""
    return sum(1 for char in text if char > "\x7f" and char not in _FAMILIAR)


def strip_marks(text: str) -> str:
    """`text` without the `_italics_` of 2008 to 2014 and without trademark signs."""
    return _TRADEMARK.sub("", _ITALICS.sub(r"\1", text))


def normalize(text: str) -> str:
    """`text` for comparison: straight quotes, one dash, no italics or trademark signs, single spaces."""
    plain = unicodedata.normalize("NFC", strip_marks(text)).translate(_PLAIN)
    return " ".join(plain.split())
