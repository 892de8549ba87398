"""Unpack gzip (RFC 1952) as it comes, within a limit: a few packed bytes can stand for any number."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from ..errors import SourceError

__all__ = ["MEGABYTE", "PACKED", "unpacked"]

MEGABYTE = 1 << 20
PACKED = b"\x1f\x8b"  # how gzip begins (RFC 1952, 2.3.1)


def unpacked(chunks: Iterable[bytes], *, limit: int, name: str) -> Iterator[bytes]:
    """The bytes of a gzip file of any number of members, or of one that is not packed, as they are.

    Raises:
        SourceError: it is over `limit` when unpacked, damaged, or ends early.
    """
    size = 0
    for piece in _unpacked(chunks, name):
        size += len(piece)
        if size > limit:
            raise SourceError(f"{name} is over {limit:,} bytes when unpacked: check the address")
        yield piece


def _unpacked(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    source = iter(chunks)
    head = b""
    for chunk in source:
        head += chunk
        if len(head) >= len(PACKED):
            break
    if not head.startswith(PACKED):
        yield head
        yield from source
        return
    decoder = zlib.decompressobj(wbits=31)
    waiting = head
    try:
        while True:
            piece = decoder.decompress(waiting, MEGABYTE)
            if piece:
                yield piece
            waiting = decoder.unconsumed_tail
            if decoder.eof:
                waiting = decoder.unused_data.lstrip(b"\0") or next(source, b"").lstrip(b"\0")
                if not waiting:
                    return
                decoder = zlib.decompressobj(wbits=31)
            elif not waiting and not piece:
                waiting = next(source, b"")
                if not waiting:
                    raise SourceError(f"{name} ends early: get it again")
    except zlib.error as error:
        raise SourceError(f"{name} is damaged ({error}): get it again") from None
