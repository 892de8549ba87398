"""SPARQL in processes of their own: a bounded pool of workers, each with the store opened read-only.

Oxigraph has neither a time limit nor a memory limit, so each query is evaluated and written out in a spawned
process that is killed at its deadline and replaced, that has an address space limit (RLIMIT_AS, where the
system knows it) and that counts what it writes. An answer is complete before any of it is sent, so that a
limit is an honest 503 and not half a result.

All workers but one take whatever comes; the last one keeps the way free for quick queries: what takes longer
than `QUICK` seconds there is stopped and waits for another worker. So slow queries do not hold up `ASK {}`.

Measured on 5 million quads: a worker is ready in 0.3 s and maps 370 to 430 MB, of which 36 MB are resident;
it writes 100,000 rows a second.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, cast

import pyoxigraph
from pyoxigraph import NamedNode, QueryResultsFormat, QueryTriples, RdfFormat, Triple

from cardlaw.graph.errors import CardlawError, QueryError
from cardlaw.graph.load import follow_parent, main_apart
from cardlaw.graph.store import evaluate
from cardlaw.ontology.namespaces import PREFIXES

try:
    import resource
except ImportError:  # Windows: no limit of memory there
    resource = None  # type: ignore[assignment]

__all__ = ["QUICK", "Answer", "Dataset", "Job", "Limits", "Pool"]

QUICK = 1.0
"""Seconds that a query may take in the lane that is kept for quick ones."""

_TRIES = 3  # workers that may end, one after the other, before they take a query
_START = 60.0  # seconds until a worker has to be ready, on a busy machine too
_PROCESSES = threading.Lock()  # `main_apart` and waiting for processes are not for several threads at once
_UNNAMED = re.compile(r"[^\W\d][\w.-]*\Z")  # what the last part of a property's IRI is in RDF/XML


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a query may take, and how many there may be."""

    seconds: float = 30.0
    memory: int = 1024  # MB beyond what an idle worker has mapped
    rows: int = 1_000_000
    size: int = 64  # MB of an answer
    workers: int = 4
    queue: int = 256  # queries that wait for a worker


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """What the workers answer from."""

    folder: Path  # of an Oxigraph store
    default_graphs: tuple[str, ...]  # IRIs of the graphs that together are the default graph
    named_graphs: Mapping[str, int] = field(default_factory=dict)  # IRI → triples, as far as they are known
    held: object = None  # what has to live as long as the folder is read


@dataclass(frozen=True, kw_only=True)
class Job:
    """A query as a request states it."""

    query: str
    default_graphs: tuple[str, ...] | None = None
    named_graphs: tuple[str, ...] | None = None
    base: str | None = None
    table: str | None = "JSON"  # name of a `QueryResultsFormat` for SELECT and ASK; None: not acceptable
    graph: str | None = "TURTLE"  # name of an `RdfFormat` for CONSTRUCT and DESCRIBE; None: not acceptable


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What became of a job: a result, or a message of one line."""

    status: int = 200  # of HTTP
    body: bytes = b""
    is_graph: bool = False
    message: str = ""
    again: bool = False  # the same query may well be answered if it is asked again


# The process of a worker


def _work(folder: Path, default_graphs: tuple[str, ...], limits: Limits, pipe: Connection) -> None:
    """Runs in its own process: says that it is ready, then answers jobs until nobody asks any more."""
    follow_parent()
    try:
        store = pyoxigraph.Store.read_only(str(folder))
    except (OSError, RuntimeError) as error:
        pipe.send(Answer(status=503, message=f"the store cannot be read: {error}"))
        return
    facts = [*map(NamedNode, default_graphs)]
    _limit_memory(limits.memory)
    with open(os.devnull, "wb") as nowhere:  # what Rust says as it dies is told by `_Worker._ended`
        os.dup2(nowhere.fileno(), 2)
    pipe.send(Answer())
    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            pipe.send(None)  # it is taken
            try:
                answer = _answer(store, facts, job, limits)
            except MemoryError:
                pipe.send(Answer(status=503, message=_memory_message(limits)))
                return
            pipe.send(answer)


def _limit_memory(megabytes: int) -> None:
    if resource is None:
        return
    mapped = 512 << 20
    with suppress(OSError):  # Linux tells exactly
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    with suppress(OSError, ValueError):  # a lower limit is set already, or the system knows none
        resource.setrlimit(resource.RLIMIT_AS, (mapped + (megabytes << 20),) * 2)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # running out of memory aborts the process


def _answer(store: pyoxigraph.Store, facts: Iterable[NamedNode], job: Job, limits: Limits) -> Answer:
    try:
        results = evaluate(
            store,
            job.query,
            facts,
            default_graphs=job.default_graphs,
            named_graphs=job.named_graphs,
            base=job.base,
        )
        is_graph = isinstance(results, QueryTriples)
        name = job.graph if is_graph else job.table
        if name is None:
            return Answer(status=406, is_graph=is_graph)
        sink = _Sink(limits, name)
        if isinstance(results, QueryTriples):
            pyoxigraph.serialize(
                _counted(results, limits, name),
                cast(IO[bytes], sink),
                format=getattr(RdfFormat, name),
                prefixes=dict(PREFIXES),
            )
        else:
            results.serialize(cast(IO[bytes], sink), format=getattr(QueryResultsFormat, name))
    except QueryError as error:
        return Answer(status=400, message=str(error))
    except _RefusedError as refused:
        return refused.answer
    except (OSError, RuntimeError, ValueError) as error:
        return Answer(status=503, message=f"the query cannot be evaluated: {error}")
    return Answer(body=b"".join(sink.blocks), is_graph=is_graph)


class _RefusedError(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.answer = Answer(status=status, message=message)


_ROW_MARKS = {"JSON": (b'}},{"', 1), "XML": (b"<result>", 0), "CSV": (b"\n", -1), "TSV": (b"\n", -1)}
"""What is written once a row and never within a value, and how many rows there are beyond such marks. (A
newline is within a value of CSV only between quotes; rows of JSON without any value are not seen.)"""


class _Sink:
    """A file that keeps what is written and stops the writer at a limit."""

    def __init__(self, limits: Limits, format_: str) -> None:
        self.blocks: list[bytes] = []
        self._limits = limits
        self._mark, self._rows = _ROW_MARKS.get(format_, (b"", 0))
        self._quotes = format_ == "CSV"
        self._quoted = False
        self._tail = b""
        self._size = 0

    def write(self, block: bytes) -> int:
        block = bytes(block)
        self.blocks.append(block)
        self._size += len(block)
        if self._size > self._limits.size << 20:
            raise _RefusedError(503, f"the answer is longer than {self._limits.size:,} MB: {_LESS}")
        if self._mark:
            self._rows += self._count(block)
            if self._rows > self._limits.rows:
                raise _RefusedError(503, _rows_message(self._limits))
        return len(block)

    def _count(self, block: bytes) -> int:
        if self._quotes:
            parts = block.split(b'"')
            outside = parts[self._quoted :: 2]
            self._quoted ^= len(parts) % 2 == 0
            return sum(part.count(self._mark) for part in outside)
        text = self._tail + block
        self._tail = text[max(0, len(text) - len(self._mark) + 1) :]
        return text.count(self._mark)

    def flush(self) -> None:
        """Nothing is held back."""


_LESS = "ask for less, with LIMIT for example"


def _rows_message(limits: Limits) -> str:
    return f"the answer has more than {limits.rows:,} rows: {_LESS}"


def _memory_message(limits: Limits) -> str:
    return f"the query needs more than {limits.memory:,} MB of memory: ask for less at a time"


def _counted(triples: Iterable[Triple], limits: Limits, format_: str) -> Iterator[Triple]:
    for number, triple in enumerate(triples):
        if number >= limits.rows:
            raise _RefusedError(503, _rows_message(limits))
        if format_ == "RDF_XML" and not _UNNAMED.search(triple.predicate.value):
            raise _RefusedError(406, f"RDF/XML has no way to write the property <{triple.predicate.value}>")
        yield triple


# The side that asks


class _TimeUpError(Exception):
    pass


class _NotTakenError(Exception):
    pass


class _Worker:
    """One process, from the side that asks; `ask` from one thread at a time, `kill` from any."""

    def __init__(self, dataset: Dataset, limits: Limits) -> None:
        context = get_context("spawn")
        self.dataset = dataset
        self._limits = limits
        self._pipe, there = context.Pipe()
        self._process = context.Process(
            target=_work, args=(dataset.folder, dataset.default_graphs, limits, there), daemon=True
        )
        with _PROCESSES, main_apart():
            self._process.start()
        there.close()
        try:
            ready = self._receive(_START)
        except _TimeUpError:
            self.end()
            raise CardlawError(f"no worker is ready after {_START:g} s") from None
        if ready.status != 200:
            self.end()
            raise CardlawError(ready.message)

    def is_alive(self) -> bool:
        with _PROCESSES:
            return self._process.is_alive()

    def ask(self, job: Job, seconds: float) -> Answer:
        """The answer; 503 if the process ends over it.

        Raises:
            _TimeUpError: there is none after so many seconds.
            _NotTakenError: the process had ended before it was asked.
        """
        deadline = time.monotonic() + seconds
        try:
            self._pipe.send(job)
            if not self._pipe.poll(seconds):
                raise _TimeUpError
            self._pipe.recv()
        except (EOFError, OSError):
            raise _NotTakenError from None
        return self._receive(max(0.0, deadline - time.monotonic()))

    def _receive(self, seconds: float) -> Answer:
        try:
            if not self._pipe.poll(seconds):
                raise _TimeUpError
            answer: Answer = self._pipe.recv()
        except (EOFError, OSError):
            return self._ended()
        return answer

    def _ended(self) -> Answer:
        with _PROCESSES:
            self._process.join(1.0)
            code = self._process.exitcode
        if code == -signal.SIGABRT:  # how Rust ends where memory does
            return Answer(status=503, message=_memory_message(self._limits))
        if code == -signal.SIGSEGV:  # how a stack ends that is too small for a query
            return Answer(status=503, message="the query is too long or nested too deeply to be evaluated")
        told = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return Answer(
            status=503, message=f"the process that evaluated the query ended ({told}): ask again", again=True
        )

    def kill(self) -> None:
        with _PROCESSES:
            self._process.kill()

    def end(self) -> None:
        """Kill it and leave nothing of it behind."""
        with _PROCESSES:
            self._process.kill()
            self._process.join()
        self._pipe.close()


@dataclass(eq=False)
class _Ticket:
    """A job and who waits for its answer."""

    job: Job
    answer: asyncio.Future[Answer]
    lane: _Lane | None = None  # where it is evaluated


class _Lane:
    """A place for one worker, which is started anew when it has ended or the data have changed."""

    def __init__(self, source: Callable[[], Dataset], limits: Limits, *, is_quick: bool) -> None:
        self.is_quick = is_quick
        self.is_busy = False
        self.is_closed = False
        self._source = source
        self._limits = limits
        self._worker: _Worker | None = None
        self._in_use = threading.Lock()

    @property
    def seconds(self) -> float:
        return min(QUICK, self._limits.seconds) if self.is_quick else self._limits.seconds

    def serve(self, ticket: _Ticket) -> Answer | None:
        """Evaluate; None if the time was up."""
        with self._in_use:
            for _ in range(_TRIES):
                try:
                    worker = self._ready()
                except CardlawError as error:
                    return Answer(status=503, message=str(error), again=True)
                if ticket.answer.done():  # given up meanwhile
                    return None
                try:
                    return worker.ask(ticket.job, self.seconds)
                except _TimeUpError:
                    self._end()
                    return None
                except _NotTakenError:  # killed while idle, and perhaps not gone yet: another one takes it
                    self._end()
            return Answer(status=503, message="no process stays to evaluate the query: ask again", again=True)

    def renew(self) -> None:
        """Have a worker ready for the next job."""
        with self._in_use, suppress(CardlawError):  # the next job will tell
            self._ready()

    def _ready(self) -> _Worker:
        if self.is_closed:
            raise CardlawError("the server is stopping")
        dataset = self._source()
        worker = self._worker
        if worker is not None and worker.dataset.folder == dataset.folder and worker.is_alive():
            return worker
        self._end()
        self._worker = _Worker(dataset, self._limits)
        if self.is_closed:  # meanwhile
            self._end()
            raise CardlawError("the server is stopping")
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def kill(self) -> None:
        """Stop what is evaluated, from another thread."""
        if (worker := self._worker) is not None:
            worker.kill()

    def close(self) -> None:
        """End it for good; waits for what is being evaluated, so `kill` it first."""
        with self._in_use:
            self._end()


class Pool:
    """Workers and the queue for them. Jobs come from one event loop at a time.

    Args:
        source: gives what to answer from; asked before each job, from any thread, so that a new build
            takes over.
        limits: of each query and of the queue.
    """

    def __init__(self, source: Callable[[], Dataset], limits: Limits | None = None) -> None:
        self.source = source
        self.limits = limits or Limits()
        several = self.limits.workers > 1
        self._lanes = [
            _Lane(source, self.limits, is_quick=False) for _ in range(self.limits.workers - several)
        ]
        self._lanes += [_Lane(source, self.limits, is_quick=True)] * several
        self._fresh: deque[_Ticket] = deque()
        self._slow: deque[_Ticket] = deque()  # known to be too slow for the quick lane
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(len(self._lanes) * 2, "sparql")
        self._is_stopped = False

    def start(self) -> None:
        """Have the workers ready before the first job comes, without waiting for them."""
        for lane in self._lanes:
            self._threads.submit(lane.renew)

    def stop(self) -> None:
        """Kill all workers; jobs that are not answered get a 503."""
        if self._is_stopped:
            return
        self._is_stopped = True
        for lane in self._lanes:
            lane.is_closed = True
            lane.kill()
        for ticket in (*self._slow, *self._fresh):
            self._give(ticket, _STOPPING)
        self._slow.clear()
        self._fresh.clear()
        for lane in self._lanes:
            self._threads.submit(lane.close)
        self._threads.shutdown(wait=False)

    async def run(self, job: Job) -> Answer:
        """The answer to a job: a result, a refusal, 429 if too many wait, or 503 if it cannot be had.

        When the caller is cancelled, the evaluation is stopped.
        """
        if self._is_stopped:
            return _STOPPING
        loop = asyncio.get_running_loop()
        ticket = _Ticket(job, loop.create_future())
        self._fresh.append(ticket)
        self._dispatch()
        if ticket.lane is None and len(self._fresh) + len(self._slow) > self.limits.queue:
            self._fresh.remove(ticket)
            return Answer(status=429, message="too many queries wait already: ask again later", again=True)
        patience = loop.call_later(self.limits.seconds + QUICK, self._wait_no_longer, ticket)
        try:
            return await ticket.answer
        finally:
            patience.cancel()
            self._withdraw(ticket)
            if ticket.lane is not None:  # the caller was cancelled
                ticket.lane.kill()

    def _dispatch(self) -> None:
        for lane in self._lanes:  # the quick one stands last
            line = self._slow if self._slow and not lane.is_quick else self._fresh
            if lane.is_busy or not line:
                continue
            ticket = line.popleft()
            ticket.lane = lane
            lane.is_busy = True
            task = asyncio.get_running_loop().create_task(self._serve(lane, ticket))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, lane: _Lane, ticket: _Ticket) -> None:
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(self._threads, lane.serve, ticket)
            ticket.lane = None
            if self._is_stopped:
                self._give(ticket, _STOPPING)
            elif answer is not None:
                self._give(ticket, answer)
            elif lane.seconds < self.limits.seconds and not ticket.answer.done():
                self._slow.append(ticket)
            else:
                self._give(ticket, Answer(status=503, message=_time_message(self.limits)))
            if not self._is_stopped:
                self._dispatch()  # to the other lanes, while this one gets a new worker
                await loop.run_in_executor(self._threads, lane.renew)
        finally:
            lane.is_busy = False
            ticket.lane = None
        if not self._is_stopped:
            self._dispatch()

    def _withdraw(self, ticket: _Ticket) -> bool:
        for line in (self._fresh, self._slow):
            with suppress(ValueError):
                line.remove(ticket)
                return True
        return False

    def _wait_no_longer(self, ticket: _Ticket) -> None:
        if self._withdraw(ticket):
            self._give(ticket, Answer(status=503, message=_BUSY, again=True))

    @staticmethod
    def _give(ticket: _Ticket, answer: Answer) -> None:
        if not ticket.answer.done():
            ticket.answer.set_result(answer)


_BUSY = "all workers have been busy with other queries: ask again later"
_STOPPING = Answer(status=503, message="the server is stopping")


def _time_message(limits: Limits) -> str:
    return f"the query takes longer than {limits.seconds:g} s: ask for less, or for one thing at a time"
