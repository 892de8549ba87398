"""What `cardlaw check` tells: each kind of fault with how many there are, the first few, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from rich.text import Text

from cardlaw.graph.check import Outcome
from cardlaw.graph.shacl import Violation
from cardlaw.ontology.namespaces import compact

from .show import Line

__all__ = ["check_lines"]

_EXAMPLES = 5
_PARTS = {
    "shapes": "{shapes} SHACL shapes as SPARQL on {quads:,} quads",
    "sample": "pyshacl on {sampled:,} connected nodes, and whether both agree",
    "integrity": "links, quoted words, proofs, terms, names and counts",
}


def check_lines(outcome: Outcome, quads: int, *, quiet: bool = False) -> Iterator[Line]:
    """What was checked and what is wrong; if `quiet`, only what is wrong."""
    if not quiet:
        for part, words in _PARTS.items():
            said = words.format(shapes=outcome.shapes, quads=quads, sampled=outcome.sampled)
            yield Line(0, Text(f"{outcome.seconds[part]:5.1f} s  {said}"), 9)
    for _, group in groupby(outcome.violations, key=lambda each: each.check):
        yield from _violated(list(group))
    if outcome.disputed:
        yield from _kind("SPARQL and pyshacl disagree in the sample", outcome.disputed, "report it")
    for finding in outcome.findings:
        yield from _kind(finding.what, finding.where, finding.advice)
    if not quiet:
        yield Line(0, Text("all is well" if outcome.passed else "something is wrong, see above", "bold"))


def _violated(group: Sequence[Violation]) -> Iterator[Line]:
    check = group[0].check
    nodes = dict.fromkeys(each.focus for each in group)
    where = (
        f"shape {check.shape.iri.rpartition('#')[2]}, {check.path or 'the IRI'}, sh:{check.constraint.name}"
    )
    severity = "" if check.severity == "Violation" else f"{check.severity.lower()}: "
    examples = (
        _term(each.focus) + ("" if each.value in (None, each.focus) else f"  {_term(each.value)}")
        for each in group
    )
    head = f"{severity}{len(nodes):,} node{'s' * (len(nodes) != 1)} against {where}"
    yield from _examples(head, len(group), examples)
    yield Line(4, Text(f"→ {check.message}"), 2)


def _kind(what: str, where: Sequence[str], advice: str) -> Iterator[Line]:
    yield from _examples(f"{len(where):,}: {what}", len(where), where)
    yield Line(4, Text(f"→ {advice}"), 2)


def _examples(head: str, count: int, examples: Iterable[str]) -> Iterator[Line]:
    yield Line(0, Text(head, "bold"), 2)
    for example in islice(examples, _EXAMPLES):
        yield Line(4, Text(example), 2)
    if count > _EXAMPLES:
        yield Line(4, Text(f"and {count - _EXAMPLES:,} more", "dim"))


def _term(term: str | None) -> str:
    return compact(term[1:-1]) if term and term.startswith("<") else term or ""
