"""The whole graph as files, streamed: N-Quads as the build wrote them, or one card's JSON a line.

Both have the same bytes for the same build inputs: N-Quads layer by layer and within a layer card by
card in the order of IRIs, sorted within a card; JSON Lines in the order of the cards' IRIs. Reading a card
back takes 3 to 5 ms, most of it in the store, so that all of them are read by one process for each core.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import pyoxigraph

from cardlaw.graph.errors import CardlawError, StoreError
from cardlaw.graph.load import follow_parent, main_apart
from cardlaw.graph.read import cards
from cardlaw.graph.store import BuildSummary, Store

from .jsonform import encode, form

__all__ = ["jsonl", "nquads", "write_file"]

_CHUNK = 64
_AHEAD = 16  # chunks that are read or wait to be written
_CARDS = "SELECT ?card { GRAPH layer:cards { ?card a mtg:Card } }"


def nquads(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """RDF 1.1 N-Quads of all layers, in blocks; `told` hears how many bytes have gone out."""
    done = 0
    for block in store.dump():
        yield block
        done += len(block)
        told(done)


def jsonl(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """JSON Lines, some hundred at a time, each card as `cardlaw show` has it; `told` hears how many are out.

    Call it under `if __name__ == "__main__":` in a script: its processes are spawned, not forked.

    Raises:
        StoreError: if one of the processes was killed.
    """
    iris = sorted(solution["card"].value for solution in store.query(_CARDS))  # type: ignore[union-attr]
    chunks = deque(iris[start : start + _CHUNK] for start in range(0, len(iris), _CHUNK))
    if len(chunks) < 2:
        yield _lines(store, iris)
        return
    done = 0
    pool = ProcessPoolExecutor(None, get_context("spawn"), _start_reader, (store.folder, store.info))
    waiting: deque[Future[bytes]] = deque()
    try:
        while chunks or waiting:
            while chunks and len(waiting) < _AHEAD:
                with main_apart():
                    waiting.append(pool.submit(_read, chunks.popleft()))
            yield waiting.popleft().result()
            done = min(done + _CHUNK, len(iris))
            told(done)
    except BrokenProcessPool:
        raise StoreError("a process that reads cards ended abruptly: is there memory enough?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def write_file(blocks: Iterable[bytes], path: Path | None) -> None:
    """Write `blocks` to `path`, which is replaced only when all is written, or to stdout if it is None.

    Raises:
        CardlawError: if the file cannot be written; nothing is left behind.
    """
    if path is None:
        for block in blocks:
            sys.stdout.buffer.write(block)
        return
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        with path.open("wb") as file:
            file.writelines(blocks)
        return
    target = path.resolve()  # a link goes on pointing to what is written
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.writelines(blocks)
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        os.replace(part, target)
    except OSError as error:
        raise CardlawError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def _lines(store: Store, iris: Iterable[str]) -> bytes:
    release = store.info.release
    return b"".join(encode(form(card, release=release)) + b"\n" for card in cards(store, iris))


_store: Store | None = None  # of this process


def _start_reader(folder: Path, info: BuildSummary) -> None:
    """Open the build that the parent process reads, and holds, also if another has taken its place."""
    global _store
    follow_parent()
    quads = pyoxigraph.Store.read_only(str(folder / "store"))
    _store = Store(folder, info, quads, (folder / "build.json").open("rb"))


def _read(iris: list[str]) -> bytes:
    assert _store is not None
    return _lines(_store, iris)
