"""Words with their marks: nothing is lost, each citation covers its words, and marks never cross."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlaw.exports.mana import Pip, pip
from cardlaw.exports.marked import Marked, Part, mark, plain
from cardlaw.graph.model import Citation


def cite(start: int, end: int, rule: str = "1") -> Citation:
    return Citation(
        rule=rule,
        title=None,
        relation="effect",
        field="oracle_text",
        start=start,
        end=end,
        quote="",
    )


def written(parts: list[Part] | tuple[Part, ...]) -> str:
    """The tree with brackets around each mark, named by its rules or its kind."""
    found = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Pip):
            found.append(part.code)
        else:
            name = ",".join(c.rule for c in part.mark.citations) or part.mark.kind
            found.append(f"[{name}{'' if part.is_first else '…'}:{written(part.parts)}]")
    return "".join(found)


def test_nothing_marked_is_the_text_and_its_symbols() -> None:
    assert plain("{2}{W/U}: x {no end") == [pip("{2}"), pip("{W/U}"), ": x {no end"]


@pytest.mark.parametrize(
    ("text", "spans", "tree"),
    [
        ("a bee sees", [(2, 5)], "a [0:bee] sees"),
        ("a bee sees", [(2, 5), (2, 5)], "a [0,1:bee] sees"),
        ("a bee sees", [(0, 10), (2, 5)], "[0:a [1:bee] sees]"),
        ("a bee sees", [(2, 5), (2, 10)], "a [1:[0:bee] sees]"),
        ("a bee sees", [(0, 5), (2, 10)], "[0:a [1:bee]][1…: sees]"),
        ("ab", [(0, 1), (1, 2)], "[0:a][1:b]"),
        ("abcdef", [(0, 3), (1, 5), (2, 6)], "[0:a[1:b[2:c]]][2…:[1…:de]f]"),
        ("pay {2/W} now", [(6, 13)], "pay [0:{2/W} now]"),
        ("pay {2/W} now", [(0, 6)], "[0:pay {2/W}] now"),
    ],
    ids=["one", "same", "nested", "same start", "crossing", "touching", "chain", "into", "out of a symbol"],
)
def test_spans_lie_one_within_the_other(text: str, spans: list[tuple[int, int]], tree: str) -> None:
    citations = [cite(*span, rule=str(number)) for number, span in enumerate(spans)]
    assert written(mark(text, (0, len(text)), citations)) == tree


def test_reminder_text_and_quoted_abilities_hold_what_is_cited_in_them() -> None:
    text = 'It has "Wave." (Wave is a wave.)'
    parts = mark(
        text,
        (0, len(text)),
        [cite(8, 12, "a"), cite(16, 20, "b")],
        reminders=[(15, 32)],
        quoted=[((8, 13), "ability-1-1-1")],
    )
    assert written(parts) == 'It has "[quoted:[a:Wave].]" [reminder:([b:Wave] is a wave.)]'


def test_a_part_of_a_text_takes_only_what_lies_in_it() -> None:
    assert written(mark("one\ntwo", (4, 7), [cite(0, 3), cite(2, 5, "2"), cite(5, 6, "3")])) == "[2:t][3:w]o"


def test_wider_words_are_told_the_narrowest_first() -> None:
    parts = mark("abcdef", (0, 6), [cite(0, 6, "wide"), cite(1, 5, "middle"), cite(2, 3, "inner")])
    (inner,) = [m for m in marks(parts) if m.mark.citations[0].rule == "inner"]
    assert [c.rule for c in inner.mark.around] == ["middle", "wide"]


def marks(parts: list[Part] | tuple[Part, ...]) -> Iterator[Marked]:
    for part in parts:
        if isinstance(part, Marked):
            yield part
            yield from marks(part.parts)


def covered(parts: list[Part] | tuple[Part, ...], by: frozenset[str] = frozenset()) -> list[frozenset[str]]:
    """By which rules each code point is cited."""
    found: list[frozenset[str]] = []
    for part in parts:
        if isinstance(part, Marked):
            found += covered(part.parts, by | {c.rule for c in part.mark.citations})
        else:
            found += [by] * len(part.code if isinstance(part, Pip) else part)
    return found


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[Citation], list[tuple[int, int]]]:
    text = "".join(draw(st.lists(st.sampled_from(["a", " ", "é", "\n", "{R}", "{", "}"]), max_size=24)))
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(lambda s: s[0] < s[1])
    some = draw(st.lists(spans, max_size=7)) if text else []
    asides = draw(st.lists(spans, max_size=2)) if text else []
    return text, [cite(*span, rule=str(number)) for number, span in enumerate(some)], asides


@given(texts())
def test_each_character_is_marked_by_just_what_cites_it(
    made: tuple[str, list[Citation], list[tuple[int, int]]],
) -> None:
    text, citations, asides = made
    parts = mark(text, (0, len(text)), citations, reminders=asides, id="x")
    assert "".join(flat(parts)) == text
    whole = covered(plain(text))
    assert len(whole) == len(text)
    starts = [0]
    for part in plain(text):
        starts.append(starts[-1] + len(part.code if isinstance(part, Pip) else str(part)))
    symbols = {
        (start, end)
        for start, end, part in zip(starts, starts[1:], plain(text), strict=False)
        if isinstance(part, Pip)
    }
    for at, rules in enumerate(covered(parts)):
        near = next(((a, b) for a, b in symbols if a <= at < b), (at, at + 1))
        assert rules == {c.rule for c in citations if c.start < near[1] and c.end > near[0]}
    firsts = [m.mark.id for m in marks(parts) if m.mark.kind == "cite" and m.is_first]
    assert len(firsts) == len(set(firsts)) == len({m.mark.id for m in marks(parts) if m.mark.kind == "cite"})


def flat(parts: list[Part] | tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Marked):
            yield from flat(part.parts)
        else:
            yield part.code if isinstance(part, Pip) else part
