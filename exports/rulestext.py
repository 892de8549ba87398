"""What `cardlaw rules` says, as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.text import Text

from cardlaw.graph.model import Rulebook
from cardlaw.graph.releases.changes import Change, Changes, Piece, TermChange
from cardlaw.graph.releases.fates import SURE, Fates
from cardlaw.graph.releases.history import Event, History
from cardlaw.graph.releases.lint import Lint
from cardlaw.graph.releases.records import Candidate, Fate
from cardlaw.graph.releases.shown import Shown

from .show import Line, table

__all__ = [
    "Folded",
    "count_words",
    "diff_lines",
    "fate_lines",
    "folded",
    "history_lines",
    "lint_lines",
    "listed",
    "plain",
    "rule_lines",
]

_SHORT = 60  # words of a diff that are all shown
_AROUND = 8  # words kept on each side of a change in longer ones
_STYLES = {"same": "", "gone": "red strike", "new": "green bold"}
_MARKS = {"same": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}")}
_COUNTED = {
    "moved word for word": "{:,} of these in the same words",
    "renumbered references": "references renumbered in {:,}",
    "other references": "other rules cited in {:,}",
    "other examples": "examples changed in {:,}",
    "changed meaning": "{:,} numbers mean another rule now",
}
"""How counts are said, where it is not just the word."""
_NAMES = {"sections": "sections", "rules": "rules", "terms": "glossary"}


class Folded(NamedTuple):
    """A change, and how many rules below it only moved along."""

    change: Change
    below: int

    @property
    def has_words(self) -> bool:
        """Whether its words say more than its heading."""
        words = self.change.words
        return bool(words) and (len(words) > 1 or words[0].text != self.change.title)


def listed(books: Iterable[tuple[Rulebook, str]]) -> Iterator[Line]:
    """Releases with their sources, as a table."""
    yield from table(
        ("release", "rules", "terms", "warnings", "source"),
        (
            (
                book.release,
                f"{len(book.rules):,}",
                f"{len(book.terms):,}",
                f"{len(book.warnings)}" if book.has_text else "",
                source,
            )
            for book, source in books
        ),
    )


def rule_lines(found: Sequence[Shown], book: Rulebook) -> Iterator[Line]:
    """Rules, each with what is around it."""
    for rule in found:
        yield Line(0, Text(f"{rule.rule} {rule.title or ''}".rstrip(), "bold"))
        above = " > ".join(" ".join(filter(None, each)) for each in rule.parents)
        if above:
            yield Line(2, Text(above, "dim"))
        for paragraph in (rule.text or "").splitlines():
            yield Line(2, Text(paragraph))
        for example in rule.examples:
            yield Line(2, Text(f"Example: {' '.join(example.split())}", "italic"), 2)
        for number in rule.children:
            child = book.rules[number]
            yield Line(4, Text(f"{number} {child.title or child.text or ''}".rstrip()), len(number) + 1)
        for name, values in (
            ("refers to", rule.references),
            ("referred to by", rule.referenced_by),
            ("in the glossary", rule.terms),
        ):
            if values:
                yield Line(2, Text().append(f"{name}: ", "dim").append(", ".join(values)), 2)
        yield Line(0, Text())
    words = "" if book.has_text else " (outline, without its words)"
    yield Line(0, Text(f"Comprehensive Rules effective {book.release}{words}.", "dim"))


def diff_lines(found: Changes, *, marked: bool) -> Iterator[Line]:
    """All changes, by section; `marked` has words that went and came in brackets, not only in color."""
    yield Line(0, Text(f"Comprehensive Rules, {found.older} to {found.newer}", "bold"))
    for what, counts in found.counts.items():
        yield Line(2, Text(f"{_NAMES[what]:9} {count_words(counts)}"), 10)
    section = ""
    for each in folded(found.rules):
        here = (each.change.new or each.change.old or "")[:3]
        if here != section and len(here) == 3:
            section = here
            yield Line(0, Text())
        yield from _change_lines(each, marked)
    if found.terms:
        yield Line(0, Text())
        yield Line(0, Text("Glossary", "bold"))
    for term in found.terms:
        yield from _term_lines(term, marked)


def count_words(counts: Mapping[str, int]) -> str:
    """Counts in words, without those that are 0."""
    said = [_COUNTED.get(kind, "{:,} " + kind).format(count) for kind, count in counts.items() if count]
    return ", ".join(said) or "nothing changed"


def folded(rules: Sequence[Change]) -> Iterator[Folded]:
    """Changes without those that only moved along with what they stand under, which counts them."""
    moves = {each.old: each for each in rules if each.kind == "moved" and not _has_notes(each)}
    along: dict[str, str] = {}  # number -> number of what it moved along with
    below: dict[str, int] = {}
    for old, each in moves.items():
        above = _above(old or "")
        parent = moves.get(above)
        if parent is not None and old and each.new == (parent.new or "") + old.removeprefix(above):
            top = along.get(above, above)
            along[old] = top
            below[top] = below.get(top, 0) + 1
    for each in rules:
        if each.kind != "moved" or each.old not in along:
            yield Folded(each, below.get(each.old or "", 0))


def _has_notes(change: Change) -> bool:
    return bool(change.redirected or change.examples) or change.confidence < SURE


def _above(number: str) -> str:
    """The number that one stands under."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz") if number[-1:].isalpha() else number.partition(".")[0]


def _change_lines(folded: Folded, marked: bool) -> Iterator[Line]:
    change, below = folded
    line = Text()
    if change.old is not None and change.new is not None and change.old != change.new:
        line.append(f"{change.old} → {change.new}", "bold")
    else:
        line.append(change.new or change.old or "", "bold")
    line.append(f"  {change.title or ''}".rstrip())
    line.append(f"  {'same words' if change.kind == 'kept' else change.kind}", "cyan")
    if below:
        line.append(f", with {below:,} rule{'s' * (below > 1)} below it")
    if change.confidence < SURE:
        line.append(f"  unsure ({change.confidence:.2f}: {change.reason})", "yellow")
    yield Line(0, line, 4)
    for what, pairs in (
        ("references renumbered", change.renumbered),
        ("refers to other rules", change.redirected),
    ):
        if pairs:
            yield Line(4, Text(f"{what}: " + ", ".join(f"{a} → {b}" for a, b in pairs), "dim"), 4)
    if change.examples:
        yield Line(4, Text("its examples changed", "dim"))
    if folded.has_words:
        yield Line(4, _diff_text(change.words, marked and "reworded" in change.kind))


def _term_lines(term: TermChange, marked: bool) -> Iterator[Line]:
    line = Text().append(term.name, "bold").append(f"  {term.kind}", "cyan")
    if term.older_name:
        line.append(f" (was {term.older_name})")
    yield Line(0, line, 4)
    if term.words:
        yield Line(4, _diff_text(term.words, marked and term.kind in ("reworded", "redirected")))


def _diff_text(pieces: Sequence[Piece], marked: bool) -> Text:
    """The words of a diff; of long ones that stayed only what is next to a change."""
    long = sum(len(piece.text.split()) for piece in pieces) > _SHORT
    text = Text()
    for place, piece in enumerate(pieces):
        said = piece.text
        if long and piece.op == "same":
            said = _shortened(said, first=place == 0, last=place == len(pieces) - 1)
        before, after = _MARKS[piece.op] if marked else ("", "")
        text.append(" " if place else "").append(
            before + " ".join(said.split()) + after, _STYLES[piece.op] if len(pieces) > 1 else ""
        )
    return text


def _shortened(text: str, *, first: bool, last: bool) -> str:
    words = text.split()
    head, tail = (0 if first else _AROUND), (0 if last else _AROUND)
    if len(words) <= head + tail + 2:
        return text
    return " ".join([*words[:head], "…", *(words[-tail:] if tail else ())])


def fate_lines(asked: Fates, fates: Sequence[Fate]) -> Iterator[Line]:
    """Where numbers went, as `asked` tells, each with what may be meant where that is not sure."""
    older, newer = asked.older, asked.newer
    width = max((len(each.number) for each in fates), default=0)
    for fate in fates:
        line = Text(f"{fate.number:{width}}  ", "bold")
        line.append(f"{fate.target or '–':8}", "bold green" if fate.confidence >= SURE else "bold yellow")
        if fate.kind == "unknown":
            line.append(f" {fate.reason}", "red")
        else:
            line.append(f" {older.heading[fate.number] or ''}".rstrip())
            line.append(f"  {fate.kind}", "cyan")
            unsure = "" if fate.confidence >= SURE else "unsure, "
            line.append(f"  {unsure}{fate.confidence:.2f}: {fate.reason}", "dim" if not unsure else "yellow")
        yield Line(0, line, width + 4)
        if fate.reused:
            before, title = asked.before(fate.number), newer.heading[fate.number]
            came = f"what was {before.old}" if before else "a new rule"
            under = f", under “{title}”" if title and title != older.heading[fate.number] else ""
            yield Line(width + 2, Text(f"now {fate.number} is {came}{under}", "yellow"))
        for each in fate.candidates:
            if each.number != fate.target:
                yield Line(width + 2, _candidate(each, "near it" if fate.kind == "unknown" else "perhaps"), 4)
    yield Line(0, Text())
    yield Line(
        0,
        Text(
            f"Comprehensive Rules effective {asked.matching.older}, to those of {asked.matching.newer}.",
            "dim",
        ),
    )


def _candidate(each: Candidate, word: str) -> Text:
    text = Text(f"{word}: {each.number}", "yellow").append(f" {each.title or ''}".rstrip())
    if each.confidence:
        text.append(f"  {each.confidence:.2f}: {each.reason}", "dim")
    return text


def history_lines(found: History, *, marked: bool) -> Iterator[Line]:
    """A rule through the releases, oldest event first."""
    line = Text(f"{found.number} {found.title or ''}".rstrip(), "bold")
    yield Line(0, line.append(f"  in the release of {found.release}", "not bold"))
    for event in found.events:
        yield from _event_lines(event, marked)
    yield Line(0, Text())
    present = "removed" if found.present is None else f"now {found.present}"
    came = f"since {found.came}" if found.came else f"in {found.releases[0]}, the oldest at hand, already"
    unsure = "" if found.confidence >= SURE else f"; unsure ({found.confidence:.2f})"
    wording = "its last wording" if found.present is None else "its present wording"
    yield Line(0, Text(f"{present}; there {came}; {wording} since {found.since}{unsure}"))
    yield Line(
        0,
        Text(f"{len(found.releases)} releases, {found.releases[0]} to {found.releases[-1]}", "dim"),
    )


def _event_lines(event: Event, marked: bool) -> Iterator[Line]:
    line = Text(f"{event.release}  ").append(event.kind, "cyan")
    if event.before:
        line.append(f"  {event.before} → {event.number}", "bold")
    elif event.kind != "removed":
        line.append(f"  {event.number}", "bold")
    if event.confidence < SURE:
        line.append(f"  unsure ({event.confidence:.2f}: {event.reason})", "yellow")
    yield Line(0, line, 12)
    if event.words:
        yield Line(12, _diff_text(event.words, marked))


def lint_lines(found: Lint) -> Iterator[Line]:
    """What is wrong, one fault a line, and what was looked at."""
    for fault in found.faults:
        line = Text(f"{fault.kind:9}", "cyan").append(f" {fault.message}")
        if fault.candidates:
            meant = " or ".join(f"{each.number} “{each.title}”" for each in fault.candidates)
            line.append(f"; perhaps {meant} is meant", "yellow")
        yield Line(0, line, 10)
    if found.faults:
        yield Line(0, Text())
    count = len(found.faults)
    yield Line(
        0,
        Text(
            f"Comprehensive Rules effective {found.release}: {count or 'no'} fault{'s' * (count != 1)}; "
            f"{found.references:,} references, {found.titles:,} of them with a title, and "
            f"{found.redirects:,} redirect{'s' * (found.redirects != 1)} of the glossary were looked at.",
            "dim",
        ),
        2,
    )


def plain(lines: Iterable[Line]) -> str:
    """Lines as text without color."""
    return "".join(f"{' ' * line.indent}{line.text.plain}\n" for line in lines)
