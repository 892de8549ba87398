"""The graph on disk: finds the current build, opens it read-only and answers SPARQL.

    DIR/current               the id of the build that answers, replaced in one step
    DIR/builds/ID/build.json  a `BuildSummary`: sources, release, counts, what was skipped, times
    DIR/builds/ID/store/      an Oxigraph store, never written again
    DIR/builds/ID/*.nq.gz     the same quads as N-Quads, one file per layer, in the order of the cards
    DIR/builds/ID/linked-*    what the next build need not make again, see `kept`
    DIR/builds/ID/atlas-*.gz  where `atlas` put everything on the map of the whole graph

A reader holds a shared lock on its `build.json`, so that a later build does not remove the folder while
it reads: RocksDB opens its files when they are needed, not at once. Opening takes about 10 ms.

Without FROM, the default graph of a query is the union of the layers of facts; what was inferred or
suggested (`layer:themes`, `layer:predictions`) answers only where a query names it.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, TypeAlias, cast

import msgspec
import pyoxigraph
from msgspec import Struct
from pyoxigraph import NamedNode, QueryBoolean, QuerySolutions, QueryTriples

from cardlaw.ontology.namespaces import PREFIXES

from .errors import QueryError, StoreError
from .queries import (
    Term,
    bind,
    declared,
    has_dataset,
    is_update,
    prefixed_names,
    refuse_depth,
    refuse_service,
    spell_out,
)
from .sums import Sum, resized

if TYPE_CHECKING:
    from rdflib import Dataset

try:
    import fcntl
except ImportError:  # Windows does not remove open files anyway
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "FACTS",
    "SCHEMA",
    "BuildSummary",
    "Source",
    "Store",
    "current_build",
    "default_path",
    "evaluate",
    "layer",
    "lock",
    "only_builder",
    "open_build",
    "open_store",
    "remove_leftovers",
    "switch",
    "write_whole",
]

SCHEMA = 4
"""Version of the shape of the graph; a store of another version has to be built again."""

FACTS = ("ontology", "rules", "releases", "cards", "abilities", "evidence", "rulings", "tags")
"""The layers that together are the default graph of a query."""

_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")  # of a build

_REASONS = {  # what else pyoxigraph says there helps nobody
    "The SELECT contains a variable that is unbound": "the SELECT has a variable that is not grouped",
}

Results: TypeAlias = QuerySolutions | QueryBoolean | QueryTriples


class Source(Struct, frozen=True, kw_only=True):
    """A file that a build was made from."""

    role: str  # "cards", "rules", "releases", "rulings", "catalogue" or "corrections"
    name: str  # file name, as `Card.origins` has it
    sha256: str
    size: int  # bytes
    date: str | None = None  # the day that the data are of, ISO 8601; None: the source does not tell
    newest: str | None = None  # without a date: the latest day of a printing or ruling in it


class BuildSummary(Struct, frozen=True, kw_only=True):
    """What a build read, made and left out; `build.json` is this record."""

    schema: int
    id: str
    version: str  # of cardlaw
    release: str  # of the rulebook, ISO 8601
    has_text: bool  # False: the rules are an outline, without their words
    history: tuple[str, ...] = ()  # older releases, ISO 8601, the oldest first
    sources: tuple[Source, ...]
    counts: Mapping[str, int]  # "cards", "faces", "abilities", "citations", "rules", …
    quads: Mapping[str, int]  # by layer
    skipped: tuple[tuple[str, str], ...] = ()  # (what, reason)
    warnings: tuple[str, ...] = ()  # of the rulebook
    uncited: tuple[tuple[str, str], ...] = ()  # (ability that cites nothing beyond its kind, reason)
    kept: int = 0  # cards and tokens that are as the build before has them
    idle: tuple[str, ...] = ()  # catalogue entries that cited nothing
    unresolved: tuple[
        str, ...
    ] = ()  # catalogue anchors that fell back to a parent, or that resolve to no rule
    started: str  # ISO 8601, UTC
    seconds: Mapping[str, float]  # by stage, and "total"
    files: Mapping[str, Sum] = {}  # by path in the folder of the build


class Store:
    """One finished build, open for reading. Also a context manager.

    Attributes:
        folder: the folder of the build, `DIR/builds/ID`.
        info: what `build.json` says.
        quads: the pyoxigraph store, for look-ups by pattern, which take microseconds.
        held: the open file whose lock keeps the folder.
    """

    def __init__(self, folder: Path, info: BuildSummary, quads: pyoxigraph.Store, held: IO[bytes]) -> None:
        self.folder = folder
        self.info = info
        self.quads = quads
        self.held = held
        self._facts = [*map(layer, FACTS)]

    def query(
        self,
        sparql: str,
        terms: Mapping[str, Term] | None = None,
        *,
        default_graphs: Iterable[str] | None = None,
        named_graphs: Iterable[str] | None = None,
    ) -> Results:
        """Evaluate a SPARQL 1.1 query; the prefixes of `cardlaw.ontology.namespaces` are declared.

        Args:
            sparql: SELECT, ASK, CONSTRUCT or DESCRIBE.
            terms: values of variables, put in before the query is parsed.
            default_graphs: IRIs of the graphs that make the default graph, instead of the query's own FROM
                and of the union of the facts (SPARQL 1.1 Protocol, 2.1.4).
            named_graphs: IRIs of the graphs that GRAPH may see; all of them by default.

        Raises:
            QueryError: the query does not parse (with line and column), is an update or uses SERVICE.
            StoreError: the store is damaged.
        """
        try:
            return evaluate(
                self.quads,
                bind(sparql, terms) if terms else sparql,
                self._facts,
                default_graphs=default_graphs,
                named_graphs=named_graphs,
            )
        except (OSError, RuntimeError) as error:
            raise _damaged(self.folder, error) from error

    def dataset(self) -> Dataset:
        """The graph as an rdflib `Dataset`, read through oxrdflib; its queries run in Oxigraph."""
        from oxrdflib import OxigraphStore
        from rdflib import Dataset

        return Dataset(store=OxigraphStore(store=self.quads), default_union=True)

    def dump(self) -> Iterator[bytes]:
        """All layers as N-Quads, in blocks of bytes: the files of the build, unpacked.

        Same inputs, same bytes.

        Raises:
            StoreError: if a file is damaged.
        """
        for name in sorted(self.info.quads):
            lines = 0
            with self._file(name) as file:
                while block := file.read(1 << 20):
                    lines += block.count(b"\n")
                    yield block
                self._count(name, lines)

    def lines(self, name: str, *, counted: bool = True) -> Iterator[str]:
        """The N-Quads of one layer, line by line, as `dump` has them.

        Raises:
            StoreError: if its file is damaged or, if `counted`, holds another number than it was built with.
        """
        lines = 0
        with self._file(name) as file:
            # No other line end than a line feed ends a line: texts may hold U+2028 and its like.
            for line in io.TextIOWrapper(cast(IO[bytes], file), encoding="utf-8", newline="\n"):
                lines += 1
                yield line
            if counted:
                self._count(name, lines)

    @contextmanager
    def _file(self, name: str) -> Iterator[gzip.GzipFile]:
        """The file of a layer, unpacked."""
        try:
            with gzip.open(self.folder / f"{name}.nq.gz") as file:
                yield file
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise _damaged(self.folder, error) from error

    def _count(self, name: str, lines: int) -> None:
        if lines != (quads := self.info.quads[name]):
            raise OSError(f"{name}.nq.gz has {lines:,} of {quads:,} quads")

    def damaged(self, why: str) -> StoreError:
        """The error to raise when the files of the build contradict themselves."""
        return _damaged(self.folder, ValueError(why))

    def close(self) -> None:
        """Let a later build remove this one."""
        self.held.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def evaluate(
    quads: pyoxigraph.Store,
    text: str,
    facts: Iterable[NamedNode],
    *,
    default_graphs: Iterable[str] | None = None,
    named_graphs: Iterable[str] | None = None,
    base: str | None = None,
) -> Results:
    """Evaluate a query on any Oxigraph store as `Store.query` does on a build.

    Args:
        quads: the store.
        text: the query.
        facts: the graphs that are the default graph where neither the query nor an argument names any.
        default_graphs: as `Store.query` has it.
        named_graphs: as `Store.query` has it.
        base: what relative IRIs are resolved against.

    Raises:
        QueryError: as `Store.query` does.
        OSError, RuntimeError: the store is damaged.
    """
    refuse_depth(text)
    refuse_service(text)
    spelled = spell_out(text)
    default: list[NamedNode | pyoxigraph.BlankNode | pyoxigraph.DefaultGraph] | None
    if default_graphs is not None or named_graphs is not None:
        default = [NamedNode(iri) for iri in default_graphs or ()]
    else:
        default = None if has_dataset(text) else [*facts]
    try:
        return quads.query(
            spelled,
            base_iri=base,
            prefixes=dict(PREFIXES),
            default_graph=default,
            named_graphs=None if named_graphs is None else [NamedNode(iri) for iri in named_graphs],
        )
    except SyntaxError as error:
        raise _explain(str(error), spelled) from None
    except UnicodeEncodeError:
        raise QueryError("half of a surrogate pair stands in the query: it is no text") from None


def layer(name: str) -> NamedNode:
    """The named graph of a layer: `layer("rules")` is `layer:rules`."""
    return NamedNode(PREFIXES["layer"] + name)


def default_path() -> Path:
    """Where the store lies unless told: `$CARDLAW_STORE`, else the user's data folder.

    Raises:
        StoreError: there is neither, as in a container whose user has no home.
    """
    if named := os.environ.get("CARDLAW_STORE"):
        return Path(named)
    import platformdirs  # only needed here

    with suppress(RuntimeError):
        folder = Path(platformdirs.user_data_dir("cardlaw", appauthor=False))
        if folder.is_absolute():  # else its "~" stands for nothing
            return folder
    raise StoreError("you have no home folder for the graph: choose one with --store or $CARDLAW_STORE")


def current_build(store: Path) -> str | None:
    """The id of the build that answers, or None if nothing is built.

    Raises:
        StoreError: if the pointer cannot be read or is no id.
    """
    try:
        name = (store / "current").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise StoreError(f"{store} is a file: choose a folder with --store or $CARDLAW_STORE") from None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {store / 'current'}: {error}; run `cardlaw build`") from error
    if not re.fullmatch(r"[\w-]+", name):
        raise StoreError(f"the store at {store} is damaged (current names no build); run `cardlaw build`")
    return name


def open_store(path: Path | str | None = None) -> Store:
    """Open the current build at `path` (default: `default_path()`) for reading.

    Raises:
        StoreError: nothing is built there, the build has another schema version, or it is damaged.

    Example:
        >>> with open_store() as store:  # doctest: +SKIP
        ...     bool(store.query("ASK { card:fire-ice mtg:hasFace ?face }"))
        True
    """
    root = default_path() if path is None else Path(path)
    name = current_build(root)
    while True:
        if name is None:
            raise StoreError(f"nothing is built at {root}: run `cardlaw build` or `cardlaw demo`")
        try:
            return open_build(root / "builds" / name)
        except StoreError:
            before, name = name, current_build(root)
            if name == before:
                raise  # not because a new build took its place meanwhile


def open_build(folder: Path) -> Store:
    """Open the build of a folder for reading, whether or not it is the current one.

    Raises:
        StoreError: it has another schema version, or is damaged.
    """
    try:
        held = (folder / "build.json").open("rb")
    except OSError as error:
        raise _damaged(folder, error) from error
    try:
        lock(held, shared=True)
        info = msgspec.json.decode(held.read(), type=_Version)
        if info.schema != SCHEMA:
            raise StoreError(
                f"the store at {folder.parent.parent} has schema {info.schema}, this cardlaw needs {SCHEMA}: "
                "run `cardlaw build` to rebuild it"
            )
        held.seek(0)
        summary = msgspec.json.decode(held.read(), type=BuildSummary)
        if (wrong := resized(folder, summary.files)) is not None:
            raise _damaged(folder, OSError(wrong))
        return Store(folder, summary, pyoxigraph.Store.read_only(str(folder / "store")), held)
    except (
        OSError,
        RuntimeError,
        msgspec.DecodeError,
    ) as error:  # pyoxigraph says corruption by RuntimeError
        held.close()
        raise _damaged(folder, error) from error
    except StoreError:
        held.close()
        raise


class _Version(Struct):
    schema: int


# The builder's side


@contextmanager
def only_builder(root: Path) -> Iterator[None]:
    """Hold `DIR/lock`, which ends with the process that holds it, however it ends.

    A folder that was not there before and in which nothing was built is removed again.
    """
    if root.exists() and not root.is_dir():
        raise StoreError(f"{root} is no folder: choose another --store")
    is_new = not root.exists()
    root.mkdir(parents=True, exist_ok=True)
    with (root / "lock").open("ab") as held:
        try:
            lock(held)
        except BlockingIOError:
            raise StoreError(
                f"another build is at work in {root}: wait until it has ended, or choose another --store"
            ) from None
        try:
            yield
        except BaseException:
            if is_new:
                with suppress(OSError):  # a folder that is not empty stays
                    (root / "builds").rmdir()
                    (root / "lock").unlink()
                    root.rmdir()
            raise


def remove_leftovers(root: Path) -> None:
    """Remove old and half builds, but not the current one, nor any that somebody reads."""
    try:
        current = current_build(root)
    except StoreError:  # a damaged pointer: what answers is not known, and this build will replace it
        current = None
    for folder in (root / "builds").glob("*"):
        if _ID.fullmatch(folder.name) and folder.name != current and not _is_read(folder):
            shutil.rmtree(folder, ignore_errors=True)
    for file in root.glob("*.partial"):
        file.unlink(missing_ok=True)


def _is_read(folder: Path) -> bool:
    try:
        with (folder / "build.json").open("rb") as file:
            lock(file)
    except BlockingIOError:
        return True
    except OSError:  # a half build
        return False
    return False


def switch(root: Path, name: str) -> None:
    """From here on the new build answers."""
    write_whole(root / "current", name.encode() + b"\n")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there with all of its content or not at all."""
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def lock(file: IO[bytes], *, shared: bool = False) -> None:
    """Take an advisory lock on an open file without waiting; it ends with the file or the process.

    Raises:
        BlockingIOError: if another process holds it.
    """
    if fcntl is not None:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def _damaged(folder: Path, error: Exception) -> StoreError:
    said = " ".join(str(error).split())
    return StoreError(f"the store at {folder.parent.parent} is damaged ({said}): run `cardlaw build` again")


def _explain(message: str, text: str) -> QueryError:
    """From pyoxigraph's “error at 2:10: expected one of …” one line, and the place in the query."""
    if is_update(text):
        return QueryError("the graph is read-only: only SELECT, ASK, CONSTRUCT and DESCRIBE are answered")
    match = re.match(r"error at (\d+):(\d+): (.*)", message, re.DOTALL)
    if match is None:
        return QueryError(f"the query cannot be evaluated: {' '.join(message.split())}")
    line, column = int(match[1]), int(match[2])
    told = next((f" ({why})" for heard, why in _REASONS.items() if heard in match[3]), "")
    if "Prefix not found" in match[3]:
        told = f" ({_no_prefix(text)})"
    wrong = f"syntax error at line {line}, column {column}{told}"
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    return (
        QueryError(wrong, (shown, column))
        if shown.strip()
        else QueryError(f"{wrong}: the query ends too early")
    )


def _no_prefix(text: str) -> str:
    unknown = [
        prefix
        for prefix, _ in prefixed_names(text)
        if prefix not in PREFIXES and prefix not in declared(text)
    ]
    near = get_close_matches(unknown[0], PREFIXES, 1) if unknown else []
    meant = f"; did you mean {near[0]}:?" if near else ""
    return f"no such prefix: {unknown[0]}:{meant}" if unknown else "no such prefix"
