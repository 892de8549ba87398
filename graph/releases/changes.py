"""All that changed from one release to another: rules, and entries of the glossary.

What is only punctuation, quotes, italics, capitals or renumbered references is no rewording (see
`passages`); that the numbers cited are others is a note of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from msgspec import Struct

from ..model import Rule, Rulebook, Term
from ..sources.wording import normalize
from .matching import match_books
from .passages import Book, keys, level, words
from .records import Match, Matching

__all__ = ["Change", "Changes", "Kind", "Piece", "TermChange", "changes", "word_diff"]

Kind: TypeAlias = Literal["kept", "added", "removed", "moved", "reworded", "moved and reworded"]
"""kept: only the references or the examples are others."""
TermKind: TypeAlias = Literal["added", "removed", "renamed", "reworded", "redirected"]
Op: TypeAlias = Literal["same", "gone", "new"]

_BRIDGE = 2  # words in common between two changes that are shown as part of them
_MOVED = ("moved", "moved and reworded")
_INCOMPLETE = "the text is incomplete"


class Piece(Struct, frozen=True):
    """Words of a text that stayed, went or came; as they are printed, with a space between pieces."""

    op: Op
    text: str


class Change(Struct, frozen=True, kw_only=True):
    """What happened to a rule; `old` is None where it is added, `new` where it is removed."""

    kind: Kind
    old: str | None
    new: str | None
    title: (
        str | None
    )  # heading of the rule, or of its nearest parent that has one; of the newer if it is there
    confidence: float = 1.0  # in the match
    reason: str = ""
    words: tuple[Piece, ...] = ()  # where it is reworded; all of it where it is added or removed
    renumbered: tuple[tuple[str, str], ...] = ()  # numbers that it cites, where the rules cited moved
    redirected: tuple[tuple[str, str], ...] = ()  # where it cites other rules, though in the same words
    examples: bool = False  # whether its examples are others
    reused: bool = False  # the newer release has the old number for another rule


class TermChange(Struct, frozen=True, kw_only=True):
    """What happened to an entry of the glossary; redirected: what it points to ("See …") is another."""

    kind: TermKind
    name: str  # in the newer release if it is there
    older_name: str | None = None  # where it was another
    words: tuple[Piece, ...] = ()


class Changes(Struct, frozen=True, kw_only=True):
    """All changes; rules in the order of the newer book, those removed where they stood."""

    older: str
    newer: str
    counts: Mapping[str, Mapping[str, int]]  # of "sections" (chapters too), "rules" (subrules too), "terms"
    rules: tuple[Change, ...]
    terms: tuple[TermChange, ...]
    notes: tuple[str, ...] = ()  # what could not be compared, and why


def changes(older: Rulebook, newer: Rulebook, matching: Matching | None = None) -> Changes:
    """What changed from `older` to `newer`; matched anew unless `matching` is given."""
    old, new = Book(older), Book(newer)
    matching = matching or match_books(old, new)
    all_rules = list(_rule_changes(old, new, matching))
    notes = [
        f"the text of {book.release} breaks off; what it lacks counts as added or removed"
        for book in (older, newer)
        if any(warning.startswith(_INCOMPLETE) for warning in book.warnings)
    ]
    complete = not notes
    if not (older.has_text and newer.has_text):
        notes.append("an outline has no words: rewordings cannot be told")
    if not complete:
        notes.append("the glossary is compared only where both have the entry")
    terms = tuple(_term_changes(older.terms, newer.terms, complete=complete))
    return Changes(
        older=older.release,
        newer=newer.release,
        counts=_counts(all_rules, terms),
        rules=tuple(each for each in all_rules if _is_told(each)),
        terms=terms,
        notes=tuple(notes),
    )


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """The words of two texts as pieces that stayed, went and came; those that stayed as `new` prints them.

    >>> [(piece.op, piece.text) for piece in word_diff("Draw a card.", "Draw two cards.")]
    [('same', 'Draw'), ('gone', 'a card.'), ('new', 'two cards.')]
    """
    one, two = _printed(old), _printed(new)
    blocks: list[tuple[int, int, int, int]] = []  # what differs
    matcher = SequenceMatcher(None, [key for key, _ in one], [key for key, _ in two], autojunk=False)
    for op, i, i_end, j, j_end in matcher.get_opcodes():
        if op == "equal":
            continue
        if blocks and j - blocks[-1][3] <= _BRIDGE and (blocks[-1][0] < blocks[-1][1] and i < i_end):
            blocks[-1] = (blocks[-1][0], i_end, blocks[-1][2], j_end)
        else:
            blocks.append((i, i_end, j, j_end))
    pieces: list[Piece] = []
    done = 0
    for i, i_end, j, j_end in blocks:
        _add(pieces, "same", two[done:j])
        _add(pieces, "gone", one[i:i_end])
        _add(pieces, "new", two[j:j_end])
        done = j_end
    _add(pieces, "same", two[done:])
    return tuple(pieces)


def _add(pieces: list[Piece], op: Op, printed: Sequence[tuple[str, str]]) -> None:
    if printed:
        pieces.append(Piece(op, " ".join(text for _, text in printed)))


def _printed(text: str) -> list[tuple[str, str]]:
    """Words of a text between spaces, each with the keys that it is compared by."""
    found: list[tuple[str, str]] = []
    previous = -1
    for word in words(text):
        joined = previous == word.start and found
        if joined:
            found[-1] = (f"{found[-1][0]} {word.key}".strip(), found[-1][1] + text[word.start : word.end])
        elif not word.key and found and not text[word.start : word.end].startswith(("(", "[", "“", '"')):
            found[-1] = (found[-1][0], f"{found[-1][1]} {text[word.start : word.end]}")
        else:
            found.append((word.key, text[word.start : word.end]))
        previous = word.end
    return found


def _is_told(change: Change) -> bool:
    return change.kind != "kept" or bool(change.renumbered or change.redirected) or change.examples


def _rule_changes(old: Book, new: Book, matching: Matching) -> Iterator[Change]:
    """What became of every rule, kept ones too."""
    back = {each.new: each for each in matching.matches}
    forth = {each.old: each.new for each in matching.matches}
    removed = _placed(old, new, matching.removed, forth)
    yield from (_removed(old, new, number) for number in removed.get("", ()))
    for number, passage in new.passages.items():
        found = back.get(number)
        if found is None:
            yield Change(
                kind="added",
                old=None,
                new=number,
                title=new.heading[number],
                words=_whole("new", passage.printed),
            )
        else:
            yield _matched(old, new, found, forth)
        yield from (_removed(old, new, each) for each in removed.get(number, ()))


def _placed(old: Book, new: Book, removed: Sequence[str], forth: Mapping[str, str]) -> dict[str, list[str]]:
    """Numbers that are removed, by the number in the newer book after which they would stand."""
    gone = set(removed)
    after, places = "", dict[str, list[str]]()
    for number in old.passages:
        if number in gone:
            places.setdefault(after, []).append(number)
        elif number in forth:
            after = forth[number]
    return places


def _removed(old: Book, new: Book, number: str) -> Change:
    return Change(
        kind="removed",
        old=number,
        new=None,
        title=old.heading[number],
        words=_whole("gone", old.passages[number].printed),
        reused=number in new.passages,
    )


def _matched(old: Book, new: Book, found: Match, forth: Mapping[str, str]) -> Change:
    one, two = old.passages[found.old], new.passages[found.new]
    reworded = one.words != two.words and old.rulebook.has_text and new.rulebook.has_text
    moved = found.old != found.new
    kind: Kind = "moved" if moved else "kept"
    if reworded:
        kind = "moved and reworded" if moved else "reworded"
    cited = () if reworded else _references(one.rule, two.rule)
    same_examples = [keys(each) for each in one.rule.examples] == [keys(each) for each in two.rule.examples]
    return Change(
        kind=kind,
        old=found.old,
        new=found.new,
        title=new.heading[found.new],
        confidence=found.confidence,
        reason=found.reason,
        words=word_diff(one.printed, two.printed) if reworded else (),
        renumbered=tuple((a, b) for a, b in cited if forth.get(a) == b),
        redirected=tuple((a, b) for a, b in cited if forth.get(a) != b),
        examples=old.rulebook.has_text and new.rulebook.has_text and not same_examples,
        reused=moved and found.old in new.passages,
    )


def _references(old: Rule, new: Rule) -> tuple[tuple[str, str], ...]:
    """The numbers that differ, where two texts of the same words cite equally many rules."""
    if len(old.references) != len(new.references):
        return ()
    return tuple((a, b) for a, b in zip(old.references, new.references, strict=True) if a != b)


def _whole(op: Op, printed: str) -> tuple[Piece, ...]:
    text = " ".join(printed.split())
    return (Piece(op, text),) if text else ()


def _term_changes(olds: Sequence[Term], news: Sequence[Term], *, complete: bool) -> Iterator[TermChange]:
    """What became of the entries, in the order of the newer glossary, then those removed.

    Entries go by their names; what is left by the same words under another name.
    """
    by_name = {_plain(name): each for each in reversed(olds) for name in each.names}
    pairs: dict[int, Term] = {}
    taken: set[int] = set()
    for place, term in enumerate(news):
        for name in term.names:
            found = by_name.get(_plain(name))
            if found is not None and id(found) not in taken:
                pairs[place] = found
                taken.add(id(found))
                break
    left = {keys(" ".join(each.senses)): each for each in reversed(olds) if id(each) not in taken}
    for place, term in enumerate(news):
        body = keys(" ".join(term.senses))
        if place not in pairs and len(body) > 5 and body in left:
            pairs[place] = left.pop(body)
            taken.add(id(pairs[place]))
    for place, term in enumerate(news):
        older = pairs.get(place)
        if older is not None:
            yield from _term_change(older, term)
        elif complete:
            yield TermChange(kind="added", name=_name(term), words=_whole("new", " ".join(term.senses)))
    if complete:
        for term in olds:
            if id(term) not in taken:
                yield TermChange(
                    kind="removed", name=_name(term), words=_whole("gone", " ".join(term.senses))
                )


def _term_change(old: Term, new: Term) -> Iterator[TermChange]:
    before, after = "\n".join(old.senses), "\n".join(new.senses)
    renamed = [_plain(name) for name in old.names] != [_plain(name) for name in new.names]
    named = _name(old) if renamed else None
    told = word_diff(before, after) if keys(before) != keys(after) else ()
    if [_plain(name) for name in old.see] != [_plain(name) for name in new.see]:
        yield TermChange(kind="redirected", name=_name(new), older_name=named, words=told)
    elif told:
        yield TermChange(kind="reworded", name=_name(new), older_name=named, words=told)
    elif renamed:
        yield TermChange(kind="renamed", name=_name(new), older_name=named)


def _name(term: Term) -> str:
    return ", ".join(term.names)


def _plain(name: str) -> str:
    return normalize(name).casefold()


def _counts(rules: Sequence[Change], terms: Sequence[TermChange]) -> dict[str, dict[str, int]]:
    """Numbers of changes by kind.

    "moved" has all that moved, "word for word" those of them with the same words; "reworded" has all that are
    reworded, moved or not; "changed meaning" are numbers that both releases have, for different rules.
    """
    counts = {}
    for what, levels in (("sections", (0, 1)), ("rules", (2, 3))):
        some = [each for each in rules if level(each.new or each.old or "") in levels]
        counts[what] = {
            "added": sum(each.kind == "added" for each in some),
            "removed": sum(each.kind == "removed" for each in some),
            "moved": sum(each.kind in _MOVED for each in some),
            "moved word for word": sum(each.kind == "moved" for each in some),
            "reworded": sum("reworded" in each.kind for each in some),
            "renumbered references": sum(bool(each.renumbered) for each in some),
            "other references": sum(bool(each.redirected) for each in some),
            "other examples": sum(each.examples for each in some),
            "changed meaning": sum(each.reused for each in some),
        }
    counts["terms"] = {
        kind: sum(each.kind == kind for each in terms)
        for kind in ("added", "removed", "renamed", "reworded", "redirected")
    }
    return counts
