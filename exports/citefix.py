"""Sure moves into a file: the unified diff of two texts, and the file replaced in one step or not at all.

Encoding, byte order mark, line ends and mode of the file stay; a link goes on pointing to it. It is written
only if it still is what was read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from cardlaw.graph.citing.texts import Encoding, digest, encode
from cardlaw.graph.errors import CardlawError

__all__ = ["diff", "replace_text"]

_CONTEXT = 3  # lines around a change


def diff(name: str, before: str, after: str) -> Iterator[str]:
    """The unified diff of two texts with the same number of lines, line by line without the ends.

    No line comes or goes by a fix, so that lines are compared one by one, however long the file. They
    end with `\\n`, as programs that apply a diff see it: a CR is part of its line.
    """
    old, new = before.split("\n"), after.split("\n")
    changed = [index for index, (one, two) in enumerate(zip(old, new, strict=True)) if one != two]
    if not changed:
        return
    yield f"--- a/{name}"
    yield f"+++ b/{name}"
    count = len(old) - (old[-1] == "")  # the last one is empty where the text ends with a line end
    for hunk in _hunks(changed, count):
        place = f"{hunk.start + 1}" if len(hunk) == 1 else f"{hunk.start + 1},{len(hunk)}"
        yield f"@@ -{place} +{place} @@"
        index = hunk.start
        while index < hunk.stop:
            run = index
            while run < hunk.stop and old[run] != new[run]:
                run += 1
            if run == index:
                yield from _marked(" ", old, index, index + 1)
            yield from _marked("-", old, index, run)
            yield from _marked("+", new, index, run)
            index = max(run, index + 1)


def _hunks(changed: Sequence[int], count: int) -> Iterator[range]:
    """The changed lines with those around them, as one where they touch."""
    first = last = changed[0]
    for index in changed[1:]:
        if index - last > 2 * _CONTEXT:
            yield range(max(0, first - _CONTEXT), last + _CONTEXT + 1)
            first = index
        last = index
    yield range(max(0, first - _CONTEXT), min(count, last + _CONTEXT + 1))


def _marked(mark: str, lines: Sequence[str], start: int, end: int) -> Iterator[str]:
    for index in range(start, end):
        yield mark + lines[index]
        if index == len(lines) - 1:
            yield "\\ No newline at end of file"


def replace_text(path: str, text: str, encoding: Encoding, read: bytes) -> str | None:
    """Write `text` in place of the file that had the digest `read`; why not, if it cannot be.

    Args:
        path: the file.
        text: what it is to hold.
        encoding: its own, from `decode`.
        read: from `digest`.
    """
    from .files import write_file  # with what reads a graph

    file = Path(path)
    try:
        if digest(file.read_bytes()) != read:
            return "it has changed meanwhile: run it again"
        if not (file.stat().st_mode & 0o222 and os.access(path, os.W_OK)):  # root may write what is read-only
            return "it is read-only"
        write_file([encode(text, encoding)], file)
    except UnicodeEncodeError:
        return f"{encoding} lacks a character"
    except CardlawError as error:
        return str(error)
    except OSError as error:
        return error.strerror or str(error)
    return None
