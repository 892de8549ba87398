"""N-Quads files into a new Oxigraph store, strictly, in a process apart; or what changed, into a store.

A bulk load defers Ctrl-C until it has ended and takes memory that is wanted back, so it runs in a child,
which is killed when the load is given up and ends by itself when its parent is gone. Strict: it is the check
of every IRI. All goes in by one bulk load: by two, one after the other, the store gets 1.6 times as large,
since the engine does not merge what they wrote.

An earlier store is taken over by hard links. RocksDB never writes to a file of sorted keys again, so that the
earlier store stays as it is whatever becomes of the new one; its few other files are copied. To take a quad
out costs 35 µs, to load it 10 µs.

Oxigraph sorts a million quads at a time, each million in a thread of its own, and reads the next meanwhile.
Where the system tells how many threads there are, reading waits while two are at work: three millions at
once take more memory and, on two cores, more time.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import IO, Any, cast

from .errors import StoreError
from .kept import Member, read_member

__all__ = ["amend", "bulk_load", "follow_parent", "main_apart", "store_files", "take_over"]

_THREADS = Path("/proc/self/task")
_SORTING = 2  # millions of quads that are sorted at once
_LONGEST = 60.0  # seconds that this is waited for; it takes ten
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def bulk_load(folder: Path, members: Mapping[str, Sequence[Member]]) -> Iterator[float]:
    """Load the layers of a build into a new store in its folder; yields the fraction that is read.

    Args:
        folder: that of the build.
        members: of the file of each layer, in any order.

    Raises:
        StoreError: if a line is no N-Quad, or the process ended without a word.
        OSError: as the process met it; with `errno.ENOSPC` if the disk is full.
    """
    yield from _apart(_load, folder, members)


def amend(folder: Path, gone: bytes, new: bytes, graphs: Collection[str]) -> Iterator[float]:
    """Take quads out of the store of a build and put others in.

    Args:
        folder: that of the build, with a store of its own.
        gone, new: N-Quads.
        graphs: IRIs of the named graphs that there are afterwards.

    Raises:
        StoreError, OSError: as `bulk_load` does.
    """
    yield from _apart(_amend, folder, gone, new, graphs)


def take_over(earlier: Path, names: Iterable[str], folder: Path) -> None:
    """Give a build the files of an earlier build's store, which goes on unharmed.

    Args:
        earlier: folder of the earlier build.
        names: of its files, and of those that lie beside it, with their paths there.
        folder: that of the new build.

    Raises:
        OSError: the file system has no hard links, or a file is gone.
    """
    (folder / "store").mkdir()
    for name in names:
        if name.endswith(".sst"):
            os.link(earlier / name, folder / name)
        else:
            shutil.copyfile(earlier / name, folder / name)


def store_files(folder: Path) -> list[str]:
    """The files of a build's store that matter, with their paths in the folder of the build."""
    files = (path for path in (folder / "store").iterdir() if not path.name.startswith("LO"))  # LOCK, LOG
    return sorted(f"store/{path.name}" for path in files)


def _apart(work: Callable[..., None], *given: Any) -> Iterator[float]:
    """Run `work` in a process of its own; yields the fractions that it tells."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    loader = context.Process(target=_run, args=(work, given, there), daemon=True)
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


def _run(work: Callable[..., None], given: Sequence[Any], told: Connection) -> None:
    """Runs in its own process: sends fractions, then None, or the exception that it met."""
    follow_parent()
    try:
        told.send(0.0)
        work(*given, told)
        told.send(None)
    except SyntaxError as error:
        told.send(StoreError(f"the quads of this build are no N-Quads (please report this): {error}"))
    except (ValueError, zlib.error) as error:
        told.send(StoreError(f"the files of this build changed while they were loaded: {error}"))
    except OSError as error:
        told.send(OSError(error.errno or (errno.ENOSPC if "No space" in str(error) else 0), str(error)))


def _load(folder: Path, members: Mapping[str, Sequence[Member]], told: Connection) -> None:
    import pyoxigraph  # not needed by the parent

    store = pyoxigraph.Store(str(folder / "store"))
    store.bulk_load(
        input=cast(IO[bytes], _Members(folder, members, told)), format=pyoxigraph.RdfFormat.N_QUADS
    )
    store.flush()


def _amend(folder: Path, gone: bytes, new: bytes, graphs: Collection[str], told: Connection) -> None:
    import pyoxigraph

    store = pyoxigraph.Store(str(folder / "store"))
    for quad in pyoxigraph.parse(input=gone, format=pyoxigraph.RdfFormat.N_QUADS):
        store.remove(cast(pyoxigraph.Quad, quad))
    told.send(0.5)
    if new:
        store.bulk_load(input=new, format=pyoxigraph.RdfFormat.N_QUADS)
    for graph in list(store.named_graphs()):
        if graph.value not in graphs:
            store.remove_graph(graph)
    store.flush()


class _Members:
    """Gzip members as if they were one file, unpacked; tells the fraction that is read."""

    def __init__(self, folder: Path, members: Mapping[str, Sequence[Member]], told: Connection) -> None:
        self.folder, self.told = folder, told
        self.members = iter([(layer, member) for layer, found in sorted(members.items()) for member in found])
        self.total = sum(member.quads for found in members.values() for member in found)
        self.done, self.fraction = 0, 0.0
        self.text, self.at = b"", 0
        self.idle = _threads()

    def read(self, size: int) -> bytes:
        while self.at >= len(self.text):
            layer, member = next(self.members, (None, None))
            if layer is None or member is None:
                return b""
            begun = time.monotonic()
            while (there := _threads()) - self.idle >= _SORTING:
                if time.monotonic() - begun > _LONGEST:  # these have other work
                    self.idle = there
                time.sleep(0.02)
            self.text, self.at = zlib.decompress(read_member(self.folder, layer, member), wbits=31), 0
            self.done += member.quads
            if (fraction := self.done / self.total) >= self.fraction + 0.01:
                self.fraction = fraction
                self.told.send(fraction)
        block = self.text[self.at : self.at + size]
        self.at += size
        return block


def _threads() -> int:
    """How many threads this process has, on Linux; elsewhere 0."""
    return sum(1 for _ in _THREADS.iterdir()) if _THREADS.is_dir() else 0


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
