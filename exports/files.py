"""The whole graph as files, streamed: N-Quads as the build wrote them, or one card's JSON a line.

Both have the same bytes for the same build inputs: N-Quads layer by layer and within a layer card by
card in the order of IRIs, sorted within a card; JSON Lines in the order of the cards' IRIs. What is written
is there as a whole or not at all.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cardlaw.graph.errors import CardlawError
from cardlaw.graph.read import cards
from cardlaw.graph.store import Store
from cardlaw.graph.tagged import card_tags

from .jsonform import encode, form

__all__ = ["jsonl", "nquads", "write_file", "write_folder"]


def nquads(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """RDF 1.1 N-Quads of all layers, in blocks; `told` hears how many bytes have gone out."""
    done = 0
    for block in store.dump():
        yield block
        done += len(block)
        told(done)


def jsonl(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """JSON Lines, each card as `cardlaw show` has it; `told` hears how many are out."""
    release = store.info.release
    for done, card in enumerate(cards(store), 1):
        yield encode(form(card, release=release, tags=card_tags(store, card))) + b"\n"
        told(done)


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


def write_folder(
    fill: Callable[[Path], None], path: Path, *, may_replace: Callable[[Path], bool] = lambda _: False
) -> None:
    """Let `fill` write files into a new folder `path`, which appears only when all of them are written.

    Args:
        fill: gets the folder to write into.
        path: where it will be.
        may_replace: whether what is in the folder at `path` may go; what it raises is raised.

    Raises:
        CardlawError: if there is something else at `path` than an empty folder or one that may go, or it
            cannot be written; nothing is left behind then, and what was there stays.
    """
    target = path.resolve()
    there = target.exists() and (not target.is_dir() or any(target.iterdir()))
    if there and not (target.is_dir() and may_replace(target)):
        raise CardlawError(f"{path} exists and is no empty folder: give the name of a new one")
    name = f".{target.name[:100]}.{secrets.token_hex(4)}"
    part, old = target.with_name(f"{name}.part"), target.with_name(f"{name}.old")
    try:
        part.mkdir()
        fill(part)
        if there:
            os.replace(target, old)
        elif target.exists():
            target.rmdir()
        try:
            os.replace(part, target)
        except OSError:
            if there:
                os.replace(old, target)
            raise
    except OSError as error:
        raise CardlawError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
