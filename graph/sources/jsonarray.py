"""A JSON array of any size, plain or gzip, one element at a time, in memory that does not grow with the file.

The standard library's decoder reads one element from a sliding window of the text: half the time of
ijson on the corpus (15.7 MB in one line: 0.3 s against 0.6 s). ijson 3.6 was tried and left out: a number
of 5,000 digits crashes the interpreter, and nesting costs memory by the square of its depth.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NoReturn, cast

from ..errors import SourceError

__all__ = ["BLANK", "LONGEST", "Window", "elements", "opened"]

_WINDOW = 1 << 18  # characters read at a time
LONGEST = 1 << 22  # characters of one element; the longest card of the corpus has 2,500
BLANK = " \t\n\r"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(
    parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits),
    parse_constant=_no_constant,
)


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """The text of a file in UTF-8, with or without a byte order mark; gzip is told by its first bytes.

    Raises:
        SourceError: if the file cannot be read, is no UTF-8, or is a gzip file that ends early or is damaged.
    """
    try:
        with path.open("rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            data = cast(IO[bytes], gzip.GzipFile(fileobj=file)) if packed else file
            with io.TextIOWrapper(data, encoding="utf-8-sig", newline="") as text:
                yield text
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: is not UTF-8 ({error.reason}): save it as UTF-8") from None
    except EOFError:
        raise SourceError(f"{path}: the gzip file ends early: get the file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(f"{path}: the gzip file is damaged ({error}): get the file again") from None
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}): check the path") from None


def elements(path: Path) -> Iterator[object]:
    """The elements of the array in the file at `path`; see `opened`.

    Raises:
        SourceError: if the file cannot be read, is empty, is no UTF-8, is no JSON array, or ends
            early; the elements before the fault have been yielded by then.
    """
    with opened(path) as file:
        yield from _elements(Window(file, path))


def _elements(window: Window) -> Iterator[object]:
    path = window.path
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
        yield window.value(f"element {number}")
        separator = window.peek()
        window.skip()
    if separator != "]":
        what = f"has {separator!r}" if separator else "ends early"
        raise SourceError(f"{path}: {what} after element {number}: get the file again")
    if window.peek():
        raise SourceError(f"{path}: goes on after the end of the array: get the file again")


def _cut_off(error: json.JSONDecodeError) -> bool:
    """Whether the text ran out, rather than being wrong where the decoder stopped."""
    return error.pos >= len(error.doc.rstrip(BLANK)) or error.msg.startswith("Unterminated string")


class Window:
    """The part of the text that is in memory, from `at` on not yet read."""

    def __init__(self, file: IO[str], path: Path) -> None:
        self.file = file
        self.path = path
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
                if self.text[self.at] not in BLANK:
                    return self.text[self.at]
                self.at += 1
            if not self.more():
                return ""

    def skip(self) -> None:
        self.at += 1

    def value(self, where: str) -> object:
        """The next value of the text.

        Args:
            where: what stands there, for the message: "element 5".

        Raises:
            SourceError: if it is no JSON or the text ends within it.
        """
        try:
            return self._decode()
        except UnicodeDecodeError:
            raise
        except json.JSONDecodeError as error:
            what = "ends early" if self.ended and _cut_off(error) else f"is no JSON ({error.msg})"
            raise SourceError(f"{self.path}: {what} at {where}: get the file again") from None
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{self.path}: cannot be read at {where} ({error})") from None

    def _decode(self) -> object:
        """The next value. One that may go on beyond the window is decoded again with more of it."""
        self.peek()
        while True:
            try:
                element, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError:
                if len(self.text) - self.at > LONGEST or not self.more():
                    raise
            else:
                if end < len(self.text) or not self.more():
                    self.at = end
                    return element
