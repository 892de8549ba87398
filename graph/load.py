"""N-Quads files into a new Oxigraph store, strictly, in a process apart; or what changed, into a store.

A bulk load defers Ctrl-C until it has ended and takes memory that is wanted back, so it runs in a child,
which is killed when the load is given up and ends by itself when its parent is gone. Strict: it is the check
of every IRI. All goes in by one bulk load: by two, one after the other, the store gets 1.6 times as large,
since the engine begins to merge what they wrote, into levels that it does not compress.

It is told of the members of the files as they are written, and loads while the cards are still linked.
Oxigraph sorts a million quads at a time, each million in a thread of its own, and reads the next meanwhile.
Where the system tells how many threads there are, the last of a million are held back until the million
before is sorted: two that are sorted at once take 0.4 GB more.

An earlier store is taken over by hard links. RocksDB never writes to a file of sorted keys again, so that the
earlier store stays as it is whatever becomes of the new one; its few other files are copied. To take a quad
out costs 35 µs, to load it 10 µs.
"""

from __future__ import annotations

import errno
import os
import pickle
import shutil
import signal
import sys
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import IO, Any, TypeVar, cast

from .errors import StoreError
from .kept import Member, read_member

__all__ = [
    "BulkLoad",
    "amend",
    "follow_parent",
    "hand_over",
    "handed",
    "main_apart",
    "store_files",
    "submit",
    "take_over",
]

T = TypeVar("T")

_THREADS = Path("/proc/self/task")
_SORTED = 1_000_000  # quads that Oxigraph sorts at a time
_LONGEST = 300.0  # seconds that this is waited for; it takes ten to twenty
_OPENING = 6.0  # seconds at the start of a sort in which it takes the most memory
_FEW = _SORTED // 4  # quads at the end that need not wait longer
_TOLD = 50_000  # quads between two words of how far the load is
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class BulkLoad:
    """The bulk load of a new store, under way from the start on; closing it before its end gives it up.

    Args:
        folder: that of the build; the store comes into it.

    Raises:
        OSError: no process can be started.
    """

    def __init__(self, folder: Path) -> None:
        self._loader = _Apart(_load, folder)
        self._given = self._done = 0  # quads

    def add(self, layer: str, member: Member) -> None:
        """Have a member loaded, which is in the file of its layer.

        Raises:
            StoreError: a line before is no N-Quad, or the process ended without a word.
            OSError: as the process met it; with `errno.ENOSPC` if the disk is full.
        """
        self._done = max(self._done, *self._loader.heard(), 0)
        self._loader.tell((layer, member))
        self._given += member.quads

    def end(self) -> Iterator[float]:
        """Load what is left; yields the fraction that is read, of all members.

        Raises:
            StoreError, OSError: as `add` does.
        """
        self._loader.tell(None)
        yield self._done / self._given if self._given else 0.0
        for done in self._loader.told():
            yield done / self._given
        yield 1.0

    def close(self) -> None:
        """Give the load up, if it has not ended."""
        self._loader.close()


def amend(folder: Path, gone: bytes, new: bytes, graphs: Collection[str]) -> Iterator[float]:
    """Take quads out of the store of a build and put others in.

    Args:
        folder: that of the build, with a store of its own.
        gone, new: N-Quads.
        graphs: IRIs of the named graphs that there are afterwards.

    Raises:
        StoreError, OSError: as `BulkLoad.add` does.
    """
    with closing(_Apart(_amend, folder, graphs)) as work:
        work.tell((gone, new))
        yield 0.0
        yield from work.told()
        yield 1.0


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


class _Apart:
    """`work` in a process of its own, which is told and tells by a pipe; what is `given` is small."""

    def __init__(self, work: Callable[..., None], *given: Any) -> None:
        context = get_context("spawn")
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=_run, args=(work, given, there), daemon=True)
        with main_apart():
            self.process.start()
        there.close()

    def tell(self, what: Any) -> None:
        try:
            self.pipe.send(what)
        except ConnectionError:
            for _ in self.told():  # which says why
                pass

    def heard(self) -> Iterator[Any]:
        """What it told until now."""
        while self.pipe.poll():
            yield self._next()

    def told(self) -> Iterator[Any]:
        """What it tells until it has done its work."""
        while (message := self._next()) is not None:
            yield message

    def _next(self) -> Any:
        try:
            message = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            raise StoreError(
                f"loading ended abruptly (exit code {self.process.exitcode}): is there memory enough (2 GB)?"
            ) from None
        if isinstance(message, Exception):
            raise message
        return message

    def close(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _run(work: Callable[..., None], given: Sequence[Any], pipe: Connection) -> None:
    """Runs in its own process: tells how far it is, then None, or the exception that it met."""
    follow_parent()
    try:
        work(*given, pipe)
        pipe.send(None)
    except SyntaxError as error:
        pipe.send(StoreError(f"the quads of this build are no N-Quads (please report this): {error}"))
    except (ValueError, zlib.error) as error:
        pipe.send(StoreError(f"the files of this build changed while they were loaded: {error}"))
    except OSError as error:
        pipe.send(OSError(error.errno or (errno.ENOSPC if "No space" in str(error) else 0), str(error)))


def _load(folder: Path, pipe: Connection) -> None:
    import pyoxigraph  # not needed by the parent

    members = SimpleQueue[tuple[str, Member] | None]()

    def listen() -> None:  # at once, that the parent never waits; to the end, that threads can be counted
        with suppress(EOFError, OSError):
            while True:
                members.put(pipe.recv())

    threading.Thread(target=listen, daemon=True).start()
    store = pyoxigraph.Store(str(folder / "store"))
    text = _Members(folder, iter(members.get, None), pipe.send)
    store.bulk_load(input=cast(IO[bytes], text), format=pyoxigraph.RdfFormat.N_QUADS)
    store.flush()


def _amend(folder: Path, graphs: Collection[str], pipe: Connection) -> None:
    import pyoxigraph

    gone, new = pipe.recv()
    store = pyoxigraph.Store(str(folder / "store"))
    for quad in pyoxigraph.parse(input=gone, format=pyoxigraph.RdfFormat.N_QUADS):
        store.remove(cast(pyoxigraph.Quad, quad))
    pipe.send(0.5)
    if new:
        store.bulk_load(input=new, format=pyoxigraph.RdfFormat.N_QUADS)
    for graph in list(store.named_graphs()):
        if graph.value not in graphs:
            store.remove_graph(graph)
    store.flush()


class _Members:
    """Gzip members as if they were one file, unpacked; tells how many quads are read."""

    def __init__(
        self, folder: Path, members: Iterator[tuple[str, Member]], tell: Callable[[int], None]
    ) -> None:
        self.folder, self.members, self.tell = folder, members, tell
        self.done = self.told = 0
        self.text, self.at = b"", 0
        self.idle = _threads()
        self.begun = 0.0  # when the last million was given to be sorted

    def read(self, size: int) -> bytes:
        while self.at >= len(self.text):
            layer, member = next(self.members, (None, None))
            if layer is None or member is None:
                few = self.done % _SORTED <= _FEW
                self.wait(self.begun + _OPENING - time.monotonic() if few else _LONGEST)
                return b""
            done = self.done + member.quads
            if self.done // _SORTED != done // _SORTED:
                self.wait(_LONGEST)
                self.begun = time.monotonic()
            self.done = done
            self.text, self.at = zlib.decompress(read_member(self.folder, layer, member), wbits=31), 0
            if done >= self.told + _TOLD:
                self.told = done
                self.tell(done)
        block = self.text[self.at : self.at + size]
        self.at += size
        return block

    def wait(self, longest: float) -> None:
        """Until nothing is sorted, or for so many seconds."""
        until = time.monotonic() + longest
        while (there := _threads()) > self.idle:
            if time.monotonic() >= until:
                if longest == _LONGEST:
                    self.idle = there  # these have other work
                return
            time.sleep(0.02)


def _threads() -> int:
    """How many threads this process has, on Linux; elsewhere 0."""
    return sum(1 for _ in _THREADS.iterdir()) if _THREADS.is_dir() else 0


@contextmanager
def main_apart() -> Iterator[None]:
    """Processes that are spawned meanwhile do not import the main module, and leave Ctrl-C to their parent.

    They need nothing of it, and a script that calls `build` without `if __name__ == "__main__":` would
    otherwise start itself again. What is spawned inherits that Ctrl-C is blocked. It and other signals that
    are handled wait until they are told what to do; none is lost.
    """
    main = sys.modules["__main__"]
    heard: dict[int, Any] = {}  # what handles a signal
    came: list[int] = []
    before: set[Any] | None = None  # signals that were blocked
    try:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, *_ENDING):
                if callable(signal.getsignal(number)):
                    heard[number] = signal.signal(number, lambda number, frame: came.append(number))
        if hasattr(signal, "pthread_sigmask"):
            resource_tracker.ensure_running()  # when it starts, it lets Ctrl-C through
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        sys.modules["__main__"] = ModuleType("__main__")
        yield
    finally:
        sys.modules["__main__"] = main
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, handler in heard.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def submit(pool: ProcessPoolExecutor, task: Callable[..., T], *given: Any) -> Future[T]:
    """Have a task done by a pool, which starts processes as it needs them, as `main_apart` says.

    Raises:
        BrokenProcessPool: one of them ended abruptly.
        OSError: none can be started.
    """
    try:
        with main_apart():
            return pool.submit(task, *given)
    except (OSError, ValueError) as error:  # a pool that breaks closes the pipes of what it is starting
        if getattr(error, "errno", None) not in (None, errno.EBADF):
            raise
        raise BrokenProcessPool(str(error)) from error


def hand_over(value: object, path: Path) -> None:
    """Write what processes are to have into a file, where `handed` finds it; for what may be large.

    What a process is started with goes through a pipe that holds 64 KB. Of a process that is killed before it
    has read the rest, whoever starts it would wait for that forever.

    Raises:
        OSError: it cannot be written.
    """
    path.write_bytes(pickle.dumps(value))


def handed(path: Path) -> Any:
    """What `hand_over` wrote; if it is gone, whoever wrote it has given up, and this process ends."""
    try:
        return pickle.loads(path.read_bytes())
    except FileNotFoundError:
        os._exit(1)


def follow_parent() -> None:
    """End this process when its parent does, even killed; Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
