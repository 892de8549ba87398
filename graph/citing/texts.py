"""The text of a file and the citations in it, with their places.

Encodings: UTF-8 with and without BOM, UTF-16 with BOM, else windows-1252 as the WHATWG Encoding Standard has
it, in which each byte is a character: whatever is read is written back byte for byte. What has a NUL, or is
no UTF-8 and has other control characters than text has, is binary. Lines end with `\\r\\n`, `\\r` or `\\n`,
as editors see them, and with nothing else. Lines and columns count from 1; columns are in characters (code
points), and for the formats that want them so in UTF-16 code units.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from .files import LARGEST, Found, Skipped
from .mentions import mentions
from .records import Mention

__all__ = ["LINE_END", "Cited", "Encoding", "Text", "decode", "digest", "encode", "located", "read", "scan"]

Encoding: TypeAlias = Literal["utf-8", "utf-8 with BOM", "utf-16-le", "utf-16-be", "windows-1252"]

LINE_END = re.compile(r"\r\n|\r|\n")

_MARKS: tuple[tuple[bytes, Encoding, str], ...] = (
    (codecs.BOM_UTF8, "utf-8 with BOM", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
_WINDOWS_1252 = "".join(
    bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256)
)  # Python leaves five bytes undefined
_TO_WINDOWS_1252 = codecs.charmap_build(_WINDOWS_1252)
_IN_NO_TEXT = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_AROUND = 60  # characters of the line on each side of a citation


class Cited(Struct, frozen=True, array_like=True):
    """A mention and its place."""

    mention: Mention
    written: str  # what stands there for the number
    line: int
    column: int  # of its first character
    end_column: int  # after its last one
    column16: int  # the same in UTF-16 code units
    end_column16: int
    around: str  # the line, or what of it is near


class Text(Struct, frozen=True, array_like=True):
    """What was found in a file."""

    path: str
    size: int  # bytes
    digest: bytes  # of the bytes
    cited: tuple[Cited, ...]


class Decoded(NamedTuple):
    text: str  # without BOM, line ends as they are
    encoding: Encoding


def decode(data: bytes) -> Decoded | None:
    """The text that `encode` turns into `data` again; None if it is none."""
    for mark, encoding, codec in _MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(codec)
            except UnicodeDecodeError:
                return None
            return None if "\0" in text else Decoded(text, encoding)
    if b"\0" in data:
        return None
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError:
        if _IN_NO_TEXT.search(data):
            return None
        return Decoded(codecs.charmap_decode(data, "strict", _WINDOWS_1252)[0], "windows-1252")


def encode(text: str, encoding: Encoding) -> bytes:
    """The bytes of a text in the encoding that `decode` found.

    Raises:
        UnicodeEncodeError: if it lacks a character.
    """
    for mark, name, codec in _MARKS:
        if name == encoding:
            return mark + text.encode(codec)
    if encoding == "windows-1252":
        return codecs.charmap_encode(text, "strict", _TO_WINDOWS_1252)[0]
    return text.encode()


def digest(data: bytes) -> bytes:
    """By which it is known whether a file has changed."""
    return blake2b(data, digest_size=16).digest()


def read(found: Found) -> bytes | Skipped:
    """The bytes of a file."""
    try:
        with open(found.path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return Skipped(found.path, "unreadable")
    return data if len(data) <= LARGEST else Skipped(found.path, "too large")


def scan(path: str, data: bytes, *, bare: bool = False) -> Text | Skipped:
    """The citations in the bytes of a file, in order. Args as `mentions` has them."""
    decoded = decode(data)
    if decoded is None:
        return Skipped(path, "binary")
    cited = located(decoded.text, mentions(decoded.text, bare=bare))
    return Text(path, len(data), digest(data), cited)


def located(text: str, found: Iterable[Mention]) -> tuple[Cited, ...]:
    """The mentions, in order of start, with their places in `text`."""
    starts: list[int] = []
    cited = []
    line = counted = astral = 0  # of the line so far, up to `counted`: characters of two UTF-16 code units
    for mention in found:
        starts = starts or [0, *(end.end() for end in LINE_END.finditer(text)), len(text) + 1]
        if mention.start >= starts[line]:
            line = bisect_right(starts, mention.start)
            counted, astral = starts[line - 1], 0
        first, after = starts[line - 1], starts[line]
        astral += _astral(text[counted : mention.start])
        counted = mention.start
        written = text[mention.start : mention.end]
        start, end = mention.start - first + 1, mention.end - first + 1
        cited.append(
            Cited(
                mention=mention,
                written=written,
                line=line,
                column=start,
                end_column=end,
                column16=start + astral,
                end_column16=end + astral + _astral(written),
                around=" ".join(
                    text[max(first, mention.start - _AROUND) : min(after, mention.end + _AROUND)].split()
                ),
            )
        )
    return tuple(cited)


def _astral(text: str) -> int:
    """Characters that take two UTF-16 code units."""
    return 0 if text.isascii() else sum(char > "\uffff" for char in text)
