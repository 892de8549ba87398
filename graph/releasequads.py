"""The releases of the rulebook and their ties to N-Quads: `layer:releases`, once for a graph with a history.

Each release is a skos:ConceptScheme (mtg:RulebookRelease) with all its rules as versions under their numbers
of then. A version points at the one of the release before that it came from by prov:wasRevisionOf and, after
PROV-O's qualification pattern, by prov:qualifiedRevision at a mtg:RuleRevision that says what changed, how
sure that is and why. Days say since when a rule has its number and its words, as far as the releases tell.
Eight releases of 2009 to 2026 are 373,000 quads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from .model import Rule, Rulebook
from .nquads import IS, P, end, iri, literal, number, typed
from .rulehistory import Tie
from .rulequads import release_statements, sort_key

__all__ = ["release_quads"]

_LAYER = end("releases")


class _Since(Struct, frozen=True):
    """The first release that has a rule, and the first where it has the number and words of a later one."""

    rule: str
    number: str
    wording: str


def release_quads(
    books: Sequence[Rulebook], sources: Sequence[str], ties: Sequence[Sequence[Tie]]
) -> Iterator[str]:
    """The lines of `layer:releases`, sorted in each release; then what these tell of `rule:` nodes.

    Args:
        books: by effective date; the last is the one that `rule:` speaks of.
        sources: name of the file of each, as `origins.source_lines` has it.
        ties: of each but the first with the one before it, as `rulehistory.side_by_side` gives them.
    """
    until = _until(books, ties)
    since: dict[str, _Since] = {}
    before: Rulebook | None = None
    for book, source, tied in zip(books, sources, ((), *ties), strict=True):
        by_new = {tie.new: tie for tie in tied}
        since = {rule: _since(by_new.get(rule), since, book.release) for rule in book.rules}
        lines = {*_release(book, source, before)}
        for rule in book.rules.values():
            lines.update(_version(book, rule, since[rule.number]))
            if last := until.get((book.release, rule.number)):
                lines.add(f"{_name(book, rule.number)}{P['ruleUntil']}{typed(last, 'date')}{_LAYER}")
        if before is not None:
            for tie in tied:
                lines.update(_revision(before.release, book.release, tie))
        yield from sorted(lines)
        before = book
    yield from sorted(line for rule, day in since.items() for line in _days(iri(f"rule:{rule}"), day))


def _since(tie: Tie | None, earlier: dict[str, _Since], release: str) -> _Since:
    if tie is None:
        return _Since(release, release, release)
    known = earlier[tie.old]
    return _Since(
        known.rule,
        release if tie.is_moved else known.number,
        release if tie.is_reworded else known.wording,
    )


def _until(books: Sequence[Rulebook], ties: Sequence[Sequence[Tie]]) -> dict[tuple[str, str], str]:
    """By release and number, the last release that has the rule, of those that the newest has no more."""
    until: dict[tuple[str, str], str] = {}
    for (older, newer), tied in zip(reversed([*pairwise(books)]), reversed(ties), strict=True):
        became = {tie.old: tie.new for tie in tied}
        for rule in older.rules:
            if rule not in became:
                until[older.release, rule] = older.release
            elif last := until.get((newer.release, became[rule])):
                until[older.release, rule] = last
    return until


def _release(book: Rulebook, source: str, before: Rulebook | None) -> Iterator[str]:
    scheme = iri(f"cr:{book.release}")
    for subject, predicate, value in release_statements(book, source):
        yield f"{subject}{P[predicate]}{value}{_LAYER}"
    for rule in book.rules.values():
        if rule.parent is None:
            yield f"{scheme}{P['skos:hasTopConcept']}{_name(book, rule.number)}{_LAYER}"
    if before is not None:
        yield f"{scheme}{P['dcterms:replaces']}{iri(f'cr:{before.release}')}{_LAYER}"


def _version(book: Rulebook, rule: Rule, since: _Since) -> Iterator[str]:
    subject = _name(book, rule.number)
    yield f"{subject}{IS['RuleVersion']}{_LAYER}"
    yield f"{subject}{P['rdfs:label']}{literal(f'{rule.number} ({book.release})')}{_LAYER}"
    yield f"{subject}{P['skos:notation']}{literal(rule.number)}{_LAYER}"
    yield f"{subject}{P['skos:inScheme']}{iri(f'cr:{book.release}')}{_LAYER}"
    yield f"{subject}{P['sortKey']}{literal(f'{book.release} {sort_key(rule.number)}')}{_LAYER}"
    if rule.title is not None:
        yield f"{subject}{P['skos:prefLabel']}{literal(rule.title)}{_LAYER}"
    if rule.text is not None:
        yield f"{subject}{P['skos:definition']}{literal(rule.text)}{_LAYER}"
    if rule.parent is not None:
        yield f"{subject}{P['skos:broader']}{_name(book, rule.parent)}{_LAYER}"
    for example in rule.examples:
        yield f"{subject}{P['example']}{literal(example)}{_LAYER}"
    yield from _days(subject, since)


def _days(subject: str, since: _Since) -> Iterator[str]:
    yield f"{subject}{P['ruleSince']}{typed(since.rule, 'date')}{_LAYER}"
    yield f"{subject}{P['numberSince']}{typed(since.number, 'date')}{_LAYER}"
    yield f"{subject}{P['wordingSince']}{typed(since.wording, 'date')}{_LAYER}"


def _revision(older: str, newer: str, tie: Tie) -> Iterator[str]:
    version, old = iri(f"cr:{newer}.{tie.new}"), iri(f"cr:{older}.{tie.old}")
    subject = iri(f"revision:{newer}.{tie.new}")
    where = f"{tie.old} → {tie.new}" if tie.is_moved else tie.new
    yield f"{version}{P['prov:wasRevisionOf']}{old}{_LAYER}"
    yield f"{version}{P['prov:qualifiedRevision']}{subject}{_LAYER}"
    yield f"{subject}{IS['RuleRevision']}{_LAYER}"
    yield f"{subject}{P['rdfs:label']}{literal(f'{where}: {tie.kind} ({older} to {newer})')}{_LAYER}"
    yield f"{subject}{P['prov:entity']}{old}{_LAYER}"
    yield f"{subject}{P['changeKind']}{literal(tie.kind)}{_LAYER}"
    yield f"{subject}{P['similarity']}{number(round(tie.similarity, 3))}{_LAYER}"
    yield f"{subject}{P['confidence']}{number(round(tie.confidence, 3))}{_LAYER}"
    yield f"{subject}{P['reason']}{literal(tie.reason)}{_LAYER}"


def _name(book: Rulebook, rule: str) -> str:
    return iri(f"cr:{book.release}.{rule}")
