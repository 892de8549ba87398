"""What is told about a build, the named queries and their answers."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import RawIOBase
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

import pyoxigraph
from pyoxigraph import Literal, NamedNode, QueryBoolean, QueryResultsFormat, QuerySolutions, QueryTriples
from rich.text import Text

from cardlaw.graph.errors import QueryError
from cardlaw.graph.paths import Way
from cardlaw.graph.queries import NamedQuery
from cardlaw.graph.store import BuildSummary, Results, Source, Store
from cardlaw.ontology.namespaces import PREFIXES, compact

from .show import Line, table

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

__all__ = [
    "STAGES",
    "answer_lines",
    "info_lines",
    "path_lines",
    "published_lines",
    "query_lines",
    "summary_lines",
    "write_answer",
]

_FORMATS = {
    "json": QueryResultsFormat.JSON,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
    "xml": QueryResultsFormat.XML,
}
STAGES = {
    "rules": "reading the rules",
    "releases": "comparing releases of the rules",
    "cards": "reading the cards",
    "links": "linking the cards",
    "load": "loading the store",
}
"""What a build does in each stage."""

_EXAMPLES = 20


def summary_lines(summary: BuildSummary) -> Iterator[Line]:
    """What a build made, how long each stage took, and all that was skipped, by reason."""
    yield from _pairs((name, f"{count:,}") for name, count in summary.counts.items())
    yield from _kept(summary)
    for stage, seconds in summary.seconds.items():
        yield Line(0, Text(f"{STAGES.get(stage, stage)}: {seconds:.1f} s"))
    yield Line(0, Text(_rulebook(summary)))
    yield from _skipped(summary.skipped)
    yield from _uncited(summary)
    yield from _listed("catalogue anchors that the rulebook does not have as such", summary.unresolved)


def info_lines(root: Path, store: Store) -> Iterator[Line]:
    """Where a graph lies, what it was built from and when, and how big it is."""
    info = store.info
    built = datetime.fromisoformat(info.started)
    size = sum(path.stat().st_size for path in store.folder.rglob("*") if path.is_file())
    yield from _pairs(
        [
            ("folder", str(root)),
            (
                "built",
                f"{built:%Y-%m-%d %H:%M} UTC, {_age(datetime.now(UTC) - built)} ago, cardlaw {info.version}",
            ),
            ("rulebook", _rulebook(info)),
            *([("history", f"releases of {', '.join(info.history)}")] if info.history else []),
            *(
                (
                    source.role,
                    ", ".join([source.name, _size(source.size), *_data(source), f"sha256 {source.sha256}"]),
                )
                for source in info.sources
            ),
            ("size on disk", _size(size)),
            *((name, f"{count:,}") for name, count in info.counts.items()),
            *((f"layer:{name}", f"{count:,} quads") for name, count in info.quads.items()),
        ]
    )


def query_lines(queries: Iterable[NamedQuery]) -> Iterator[Line]:
    """The named queries, each with its parameters."""
    for query in queries:
        yield Line(0, Text().append(query.name, "bold").append(f"  {query.title}"), 4)
        for parameter in query.parameters:
            default = "" if parameter.default is None else f" [default: {parameter.default}]"
            yield Line(4, Text(f"--set {parameter.name}=…  {parameter.about}{default}"), 4)


def answer_lines(results: Results) -> tuple[Iterator[Line], bool]:
    """A table of solutions, “yes” or “no”, or a line for each triple; IRIs as prefixed names.

    Beside it, whether anything was found; ASK always finds.
    """
    if isinstance(results, QueryBoolean):
        return iter([Line(0, Text("yes" if results else "no"))]), True
    if isinstance(results, QuerySolutions):
        names = [variable.value for variable in results.variables]
        cells = ([_cell(value) for value in solution] for solution in results)
    else:
        names = ["subject", "predicate", "object"]
        cells = ([_cell(triple.subject), _cell(triple.predicate), _cell(triple.object)] for triple in results)
    first = next(cells, None)
    return table(names, chain([] if first is None else [first], cells)), first is not None


def path_lines(found: Sequence[Way], title: Callable[[str], str]) -> Iterator[Line]:
    """Each path in words, a step a line, with the words that prove it; `title` names a node."""
    for number, path in enumerate(found, 1):
        steps = len(path.steps)
        yield Line(0, Text(f"{number}. in {steps} step{'s' * (steps > 1)}", "bold"))
        for step in path.steps:
            said = Text(f"{title(step.source)} ").append(step.verb, "cyan").append(f" {title(step.target)}")
            if step.evidence:
                quotes = dict.fromkeys(f"“{proof['quote']}”" for proof in step.evidence)
                said.append(f"  {', '.join(islice(quotes, 3))}", "dim")
            yield Line(3, said, 2)


def published_lines(server: str, counts: Mapping[str, int]) -> Iterator[Line]:
    """What a server counts in each layer, all as it was sent."""
    yield Line(0, Text(f"{server} holds {sum(counts.values()):,} triples, as counted there:", "bold"))
    yield from _pairs([(f"layer:{name}", f"{count:,}") for name, count in counts.items()])


def write_answer(results: Results, format_: str) -> bool:
    """Write results to stdout in a W3C format: json, csv, tsv, xml (SPARQL 1.1 results) or turtle.

    Returns:
        Whether a SELECT found anything; anything else does.

    Raises:
        QueryError: if that format cannot hold such results.
    """
    watched = _Watched(sys.stdout.buffer)
    out = cast(IO[bytes], watched)
    if isinstance(results, QueryTriples):
        if format_ != "turtle":
            raise QueryError(f"this query gives triples, which {format_} cannot hold: use --format turtle")
        pyoxigraph.serialize(results, out, format=pyoxigraph.RdfFormat.TURTLE, prefixes=dict(PREFIXES))
        return True
    if format_ == "turtle":
        raise QueryError("turtle holds triples: use it with CONSTRUCT or DESCRIBE, or another --format")
    results.serialize(out, format=_FORMATS[format_])
    if format_ in ("json", "xml"):
        out.write(b"\n")
    return watched.has_rows(_FORMATS[format_]) if isinstance(results, QuerySolutions) else True


class _Watched(RawIOBase):
    """A stream that keeps the beginning of what goes through, which of an empty answer is all."""

    _MOST = 1 << 16

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._head = bytearray()

    def write(self, data: Buffer, /) -> int:
        if len(self._head) <= self._MOST:
            self._head += memoryview(data)[: self._MOST + 1]
        return self._out.write(data)

    def has_rows(self, format_: QueryResultsFormat) -> bool:
        """Whether what went through, results of a SELECT, has a row."""
        if len(self._head) > self._MOST:
            return True
        if format_ == QueryResultsFormat.CSV:  # cannot be parsed: it does not tell IRIs from texts
            return self._head.count(b"\n") > 1
        rows = pyoxigraph.parse_query_results(bytes(self._head), format=format_)
        return next(iter(cast(QuerySolutions, rows)), None) is not None


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case NamedNode():
            return compact(value.value)
        case Literal():
            return value.value
        case _:
            return str(value)


def _rulebook(info: BuildSummary) -> str:
    words = "with its words" if info.has_text else "as an outline, without its words"
    return f"Comprehensive Rules effective {info.release}, {words}"


def _skipped(skipped: Iterable[tuple[str, str]]) -> Iterator[Line]:
    """What was skipped by reason; reasons that differ only in the name that they quote are one."""
    reasons: dict[str, list[str]] = {}
    for what, reason in skipped:
        reasons.setdefault(re.sub(r"(['\"]).*\1", "…", reason), []).append(what)
    for reason, names in reasons.items():
        yield from _listed(f"skipped: {reason}", names)


def _kept(summary: BuildSummary) -> Iterator[Line]:
    """How many cards were linked, if the build before had others."""
    linked = summary.counts["cards"] + summary.counts.get("tokens", 0) - summary.kept
    if summary.kept and linked:
        yield Line(0, Text(f"linked anew: {linked:,}; kept from the build before: {summary.kept:,}"))
    elif summary.kept:
        yield Line(0, Text(f"kept from the build before: all {summary.kept:,}, nothing was linked anew"))


def _uncited(summary: BuildSummary) -> Iterator[Line]:
    """How many abilities cite nothing beyond their kind, by reason; entries that cited nothing."""
    abilities = summary.counts.get("abilities", 0)
    if summary.uncited:
        share = len(summary.uncited) / abilities
        yield Line(
            0, Text(f"{len(summary.uncited):,} of {abilities:,} abilities ({share:.2%}) cite no rule:")
        )
        for reason, count in Counter(reason for _, reason in summary.uncited).most_common():
            examples = [what for what, why in summary.uncited if why == reason][:2]
            yield Line(4, Text(f"{count:,} {reason}, as {'; '.join(examples)}"), 2)
    if summary.idle:
        yield Line(
            0, Text(f"{len(summary.idle):,} catalogue entries cited nothing on these cards, see build.json")
        )


def _listed(what: str, names: Collection[str]) -> Iterator[Line]:
    if names:
        yield Line(0, Text(f"{len(names):,} {what}"))
        for name in islice(names, _EXAMPLES):
            yield Line(4, Text(name), 2)
        if len(names) > _EXAMPLES:
            yield Line(4, Text(f"and {len(names) - _EXAMPLES:,} more, all in build.json", "dim"))


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[Line]:
    every = list(pairs)
    width = max(len(name) for name, _ in every)
    for name, value in every:
        yield Line(0, Text().append(f"{name:{width}}  ", "dim").append(value), width + 2)


def _age(age: timedelta) -> str:
    days, minutes = age.days, age.seconds // 60
    for number, unit in ((days, "day"), (minutes // 60, "hour"), (minutes, "minute")):
        if number:
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return "less than a minute"


def _data(source: Source) -> Iterator[str]:
    """The day of the data of a source and their age, as far as it is known; a user's own have none."""
    day = source.date or source.newest
    if day is not None:
        yield f"of {day}" if source.date else f"newest entry of {day}"
        age = datetime.now(UTC) - datetime.fromisoformat(f"{day}T00:00+00:00")
        if age.days > 0:
            yield f"{_age(age)} old"
    elif source.role not in ("catalogue", "corrections"):
        yield "of an unknown day"


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size:,} bytes"
