"""A JSON array of any size, one element at a time, in memory that does not depend on the file.

The standard library's decoder reads one element from a sliding window of the text: half the time of
ijson on the corpus (15.7 MB in one line: 0.3 s against 0.6 s). ijson 3.6 was tried and left out: a number
of 5,000 digits crashes the interpreter, and nesting costs memory by the square of its depth.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NoReturn

from ..errors import SourceError

__all__ = ["elements"]

_WINDOW = 1 << 18  # characters read at a time
_LONGEST = 1 << 22  # characters of one element; the longest card of the corpus has 2,500
_BLANK = " \t\n\r"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(
    parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits),
    parse_constant=_no_constant,
)


def elements(path: Path) -> Iterator[object]:
    """The elements of the array in the file at `path` (UTF-8, with or without a byte order mark).

    Raises:
        SourceError: if the file cannot be read, is empty, is no UTF-8, is no JSON array, or ends
            early; the elements before the fault have been yielded by then.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _elements(file, path)
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: is not UTF-8 ({error.reason}): save it as UTF-8") from None
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}): check the path") from None


def _elements(file: IO[str], path: Path) -> Iterator[object]:
    window = _Window(file)
    first = window.peek()
    if not first:
        raise SourceError(f"{path}: is empty: give a file that holds a JSON array of cards")
    if first != "[":
        raise SourceError(f"{path}: begins with {first!r}: give a file that holds a JSON array of cards")
    window.skip()
    number = 0
    separator = window.peek()
    if separator == "]":
        window.skip()
    else:
        separator = ","
    while separator == ",":
        number += 1
        try:
            element = window.decode()
        except json.JSONDecodeError as error:
            what = "ends early" if window.ended and _cut_off(error) else f"is no JSON ({error.msg})"
            raise SourceError(f"{path}: {what} at element {number}: get the file again") from None
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{path}: cannot be read at element {number} ({error})") from None
        yield element
        separator = window.peek()
        window.skip()
    if separator != "]":
        what = f"has {separator!r}" if separator else "ends early"
        raise SourceError(f"{path}: {what} after element {number}: get the file again")
    if window.peek():
        raise SourceError(f"{path}: goes on after the end of the array: get the file again")


def _cut_off(error: json.JSONDecodeError) -> bool:
    """Whether the text ran out, rather than being wrong where the decoder stopped."""
    return error.pos >= len(error.doc.rstrip(_BLANK)) or error.msg.startswith("Unterminated string")


class _Window:
    """The part of the text that is in memory, from `at` on not yet read."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.text = ""
        self.at = 0
        self.ended = False

    def more(self) -> bool:
        """Drops what was read and takes in more; False at the end of the file."""
        chunk = self.file.read(_WINDOW)
        self.text = self.text[self.at :] + chunk
        self.at = 0
        self.ended = not chunk
        return bool(chunk)

    def peek(self) -> str:
        """The next character that is not blank, or "" at the end of the file."""
        while True:
            while self.at < len(self.text):
                if self.text[self.at] not in _BLANK:
                    return self.text[self.at]
                self.at += 1
            if not self.more():
                return ""

    def skip(self) -> None:
        self.at += 1

    def decode(self) -> object:
        """The next element. One that may go on beyond the window is decoded again with more of it."""
        self.peek()
        while True:
            try:
                element, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError:
                if len(self.text) - self.at > _LONGEST or not self.more():
                    raise
            else:
                if end < len(self.text) or not self.more():
                    self.at = end
                    return element
