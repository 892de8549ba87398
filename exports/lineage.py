"""One rule through the releases that a graph holds, as `layer:releases` ties them.

A version of a rule points at the one that it came from (`prov:wasRevisionOf`), and says what changed and how
sure that is (`prov:qualifiedRevision`). Followed back from today's, that is the history of the rule; the
same number in an older release may well have been another rule's, which is told too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardlaw.graph.facts import Facts, Reader, local
from cardlaw.graph.releases.changes import Piece, word_diff
from cardlaw.graph.releases.fates import SURE
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

__all__ = ["Lineage", "Other", "Version", "lineage"]

_SAME = "kept"
_STAYED = 120  # characters on either side of what changed


class Version(NamedTuple):
    """What a release made of the rule."""

    release: str  # ISO 8601
    number: str  # there
    iri: str
    kind: str  # of change against the release before it; "first found", "added"
    reason: str  # why it is taken for the same rule, where that is not sure
    pieces: Sequence[Piece]  # what was reworded


class Other(NamedTuple):
    """Another rule that once had the number."""

    first: str  # release
    last: str
    words: str  # its heading or the beginning of its text
    now: str | None  # its number today


class Lineage(NamedTuple):
    """The history of a rule."""

    releases: Sequence[str]  # all that the graph holds, the oldest first
    versions: Sequence[Version]  # where something changed, the newest first; the oldest ends it
    others: Sequence[Other]  # the newest first


def lineage(store: Store, number: str) -> Lineage | None:
    """The history of the rule of a number today; None if the graph holds one release only."""
    info = store.info
    if not info.history:
        return None
    reader = Reader(store)
    releases = (*info.history, info.release)
    iri = f"{PREFIXES['cr']}{info.release}.{number}"
    own: set[str] = set()
    versions: list[Version] = []
    for release in reversed(releases):
        own.add(iri)
        facts = reader.facts(iri)
        older = facts.text("prov:wasRevisionOf")
        revision = facts.text("prov:qualifiedRevision")
        if older is None or revision is None:
            kind = "first found" if release == releases[0] else "added"
            versions.append(Version(release, _number(facts, iri), iri, kind, "", ()))
            break
        change = reader.facts(revision)
        if (kind := change.need("changeKind")) != _SAME:
            pieces: Sequence[Piece] = ()
            if "reworded" in kind:
                pieces = [*map(_short, word_diff(_printed(reader.facts(older)), _printed(facts)))]
            sure = float(change.need("confidence")) >= SURE
            reason = "" if sure else change.need("reason")
            versions.append(Version(release, _number(facts, iri), iri, kind, reason, pieces))
        iri = older
    return Lineage(releases, versions, list(_others(reader, releases, number, own)))


def _others(reader: Reader, releases: Sequence[str], number: str, own: set[str]) -> Iterator[Other]:
    """Runs of releases in which the number was another rule's."""
    run: Other | None = None
    for release in reversed(releases[:-1]):
        iri = f"{PREFIXES['cr']}{release}.{number}"
        facts = reader.facts(iri) if iri not in own else Facts()
        if not facts:
            continue
        words = _printed(facts)
        now = _now(reader, iri, releases)
        if run is not None and run.now == now and (now is not None or run.words == words):
            run = run._replace(first=release)
            continue
        if run is not None:
            yield run
        run = Other(release, release, words, now)
    if run is not None:
        yield run


def _now(reader: Reader, iri: str, releases: Sequence[str]) -> str | None:
    """The number today of a version of a rule, if it is there still."""
    start = PREFIXES["cr"] + releases[-1] + "."
    for _ in releases:
        if iri.startswith(start):
            return iri.removeprefix(start)
        newer = reader.subjects("prov:wasRevisionOf", iri)
        if not newer:
            return None
        iri = newer[0]
    return None


def _short(piece: Piece) -> Piece:
    """The beginning and the end of words that stayed, where they are many."""
    if piece.op != "same" or len(piece.text) < 3 * _STAYED:
        return piece
    first, last = piece.text[:_STAYED].rpartition(" ")[0], piece.text[-_STAYED:].partition(" ")[2]
    return Piece("same", f"{first} … {last}")


def _number(facts: Facts, iri: str) -> str:
    return facts.text("skos:notation") or local(iri).partition(".")[2]


def _printed(facts: Facts) -> str:
    return facts.text("skos:prefLabel") or facts.text("skos:definition") or ""
