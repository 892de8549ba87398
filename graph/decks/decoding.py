"""The text of a file of any usual encoding: UTF-8 or UTF-16 by its mark, or by its bytes, else Windows-1252.

Files of MTGO and of spreadsheets are UTF-16 or Windows-1252 now and then. Nothing fails: a byte that has no
meaning becomes the replacement character.
"""

from __future__ import annotations

import codecs

__all__ = ["decoded"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decoded(data: bytes) -> str:
    """The text of `data`, without a byte order mark."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:400]
    if len(head) > 3 and head.count(0) * 3 > len(head):  # every other byte of Latin text
        return data.decode("utf-16-be" if head[0] == 0 else "utf-16-le", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
