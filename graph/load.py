"""N-Quads files into a new Oxigraph store, strictly, by a process of its own.

A bulk load defers Ctrl-C until it has ended and takes up to 2 GB that are wanted back, so it runs in a
child, which is killed when the load is given up and ends by itself when its parent is gone. One bulk load
of all layers gave a store one fifth smaller than one for each layer. Strict: it is the check of every IRI.
"""

from __future__ import annotations

import errno
import gzip
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import IO, Any, cast

from .errors import StoreError

__all__ = ["bulk_load", "follow_parent", "main_apart"]

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def bulk_load(files: list[Path], store: Path) -> Iterator[float]:
    """Load gzipped N-Quads files into a store in a new folder; yields the fraction that is read.

    Raises:
        StoreError: if a line is no N-Quad, or the process ended without a word.
        OSError: as the process met it; with `errno.ENOSPC` if the disk is full.
    """
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    loader = context.Process(target=_load, args=(files, store, there), daemon=True)
    with main_apart():
        loader.start()
    there.close()
    try:
        while (message := here.recv()) is not None:
            if isinstance(message, Exception):
                raise message
            yield message
        yield 1.0
    except EOFError:
        loader.join()
        raise StoreError(
            f"loading ended abruptly (exit code {loader.exitcode}): is there memory enough (2 GB)?"
        ) from None
    finally:
        loader.kill()
        loader.join()
        here.close()


def _load(files: list[Path], path: Path, told: Connection) -> None:
    """Runs in its own process: sends fractions, then None, or the exception that it met."""
    import pyoxigraph  # not needed by the parent

    follow_parent()
    try:
        store = pyoxigraph.Store(str(path))
        store.bulk_load(input=cast(IO[bytes], _Files(files, told)), format=pyoxigraph.RdfFormat.N_QUADS)
        store.flush()
        del store
        told.send(None)
    except SyntaxError as error:
        told.send(StoreError(f"the quads of this build are no N-Quads (please report this): {error}"))
    except OSError as error:
        told.send(OSError(error.errno or (errno.ENOSPC if "No space" in str(error) else 0), str(error)))


class _Files:
    """Gzip files read one after another as if they were one, telling the fraction that is read."""

    def __init__(self, paths: list[Path], told: Connection) -> None:
        self.packed = [path.open("rb") for path in paths]
        self.plain = deque(gzip.GzipFile(fileobj=file) for file in self.packed)
        self.size = sum(path.stat().st_size for path in paths)
        self.told = told
        self.fraction = 0.0

    def read(self, size: int = -1) -> bytes:
        while self.plain:
            if block := self.plain[0].read(size):
                fraction = sum(file.tell() for file in self.packed) / self.size
                if fraction >= self.fraction + 0.01:
                    self.fraction = fraction
                    self.told.send(fraction)
                return block
            self.plain.popleft()
        return b""


@contextmanager
def main_apart() -> Iterator[None]:
    """Processes that are spawned meanwhile do not import the main module, and leave Ctrl-C to their parent.

    They need nothing of it, and a script that calls `build` without `if __name__ == "__main__":` would
    otherwise start itself again. Other signals that are handled wait until they are told what to do.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    heard: dict[int, Any] = {}  # what handles a signal
    came: list[int] = []
    if threading.current_thread() is threading.main_thread():
        heard[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is spawned inherits it
        for number in _ENDING:
            if callable(signal.getsignal(number)):
                heard[number] = signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        for number, handler in heard.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def follow_parent() -> None:
    """End this process when its parent does, even killed; Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
