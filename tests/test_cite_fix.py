"""Sure moves rewritten: which, how, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlaw.exports.citefix import diff
from cardlaw.graph.citing.mentions import mentions
from cardlaw.graph.citing.records import Mention, Verdict
from cardlaw.graph.citing.rewriting import fixes, reads_back, rewrite
from cardlaw.graph.citing.texts import located


def judged(moves: dict[str, str | None], unsure: Sequence[str] = ()) -> Callable[[Mention], Verdict]:
    """A judge to whom all is right but what moved; what moved to None is gone."""

    def judge(mention: Mention) -> Verdict:
        number = mention.number
        if number not in moves:
            return Verdict(mention=mention, status="right", message="")
        target = moves[number]
        status = "unknown" if target is None else "moved"
        return Verdict(
            mention=mention,
            status=status,
            message="",
            target=target,
            sure=bool(target) and number not in unsure,
        )

    return judge


def fixed(text: str, moves: dict[str, str | None], unsure: Sequence[str] = ()) -> str:
    judge = judged(moves, unsure)
    found = [(cited, judge(cited.mention)) for cited in located(text, mentions(text))]
    made = fixes(found, judge)
    new = rewrite(text, made)
    assert reads_back(new, found, made)
    return new


SHIFTED = {f"613.1{one}": f"613.1{two}" for one, two in zip("abcdef", "bcdefg", strict=True)}
"""A subrule was put before the others."""

AWAY = {f"613.1{one}": f"700.2{one}" for one in "abcdef"}
"""The rule went to another section."""


@pytest.mark.parametrize(
    ("text", "moves", "new"),
    [
        ("CR 613.1d.", SHIFTED, "CR 613.1e."),
        ("CR 613.1D", SHIFTED, "CR 613.1E"),
        ("CR 613.1(d)", SHIFTED, "CR 613.1(e)"),
        ("CR613.1d [CR 613.1a]", SHIFTED, "CR613.1e [CR 613.1b]"),
        ("§ 701.13, rule 701.13a", {"701.13": "701.17", "701.13a": "701.17a"}, "§ 701.17, rule 701.17a"),
        ("CR 305.9, CR 613.1d", {"305.9": "305.9a"} | SHIFTED, "CR 305.9a, CR 613.1e"),
        ("CR 613.1d", {"613.1d": "613.2"}, "CR 613.2"),
        ("https://example.com/613.1d", SHIFTED, "https://example.com/613.1d"),
        (
            "https://yawgatog.com/resources/magic-rules/#R6131d",
            SHIFTED,
            "https://yawgatog.com/resources/magic-rules/#R6131e",
        ),
    ],
)
def test_a_number_is_rewritten_as_it_is_written(text: str, moves: dict[str, str | None], new: str) -> None:
    assert fixed(text, moves) == new


@pytest.mark.parametrize(
    ("text", "moves", "new"),
    [
        ("rules 613.1b-d", SHIFTED, "rules 613.1c-e"),
        ("rules 613.1b–613.1d", SHIFTED, "rules 613.1c–613.1e"),
        ("rules 613.1B-D", SHIFTED, "rules 613.1C-E"),
        ("rules 613.1b-d", AWAY, "rules 700.2b-d"),
        ("rules 613.1e-f", AWAY | {"613.1f": "700.2g"}, "rules 700.2e-g"),
        ("rules 119.7–8", {"119.7": "120.1", "119.8": "120.2"}, "rules 120.1–2"),
        ("rules 119.7–9", {"119.7": "119.8", "119.8": "119.9", "119.9": "119.10"}, "rules 119.8–10"),
        ("CR 704.5f/g", {"704.5f": "704.6f", "704.5g": "704.6g"}, "CR 704.6f/g"),
        ("CR 704.5f/g", {"704.5g": "704.5h"}, "CR 704.5f/h"),
    ],
)
def test_what_is_written_in_one_goes_together(text: str, moves: dict[str, str | None], new: str) -> None:
    assert fixed(text, moves) == new


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("rules 613.1b-d", {"613.1b": "613.1c"}),  # d stays, c stays: is c where c was?
        ("rules 613.1b-d", SHIFTED | {"613.1d": None}),  # an end is gone
        ("rules 613.1b-d", SHIFTED | {"613.1c": None}),  # what is between is gone
        ("rules 613.1b-d", SHIFTED | {"613.1c": "100.1"}),  # or is elsewhere
        ("rules 613.1b-d", {"613.1b": "613.1d", "613.1d": "613.1b"}),  # would run backward
        ("CR 704.5f/g", {"704.5f": "704.6f", "704.5g": None}),
    ],
)
def test_what_does_not_go_together_stays(text: str, moves: dict[str, str | None]) -> None:
    assert fixed(text, moves) == text


def test_only_sure_moves_are_rewritten() -> None:
    text = "CR 613.1a, CR 613.1b, CR 613.1c"
    assert fixed(text, SHIFTED | {"613.1c": None}, unsure=["613.1b"]) == "CR 613.1b, CR 613.1b, CR 613.1c"
    assert fixed("rules 613.1a-b", SHIFTED, unsure=["613.1b"]) == "rules 613.1a-b"


def test_a_short_form_that_would_say_something_else_is_written_whole() -> None:
    moves = {"119.7": "119.7", "119.8": "120.1"}
    assert fixed("CR 119.7–8", moves) == "CR 119.7–120.1"
    assert fixed("CR 613.1e–f", {"613.1f": "613.2"}) == "CR 613.1e–613.2"


def test_a_fix_that_does_not_read_back_is_found_out() -> None:
    judge = judged({"101.1": "101.2"})
    text = "CR 101.1"
    found = [(cited, judge(cited.mention)) for cited in located(text, mentions(text))]
    made = fixes(found, judge)
    assert not reads_back("CR 101.3", found, made)
    assert not reads_back("CR 101.2, CR 101.2", found, made)


NUMBERS = [f"613.{n}{letter}" for n in (1, 2) for letter in "abc"] + ["701.13", "119.7"]


@given(
    st.lists(
        st.builds(
            lambda form, number, after: form.format(number) + after,
            st.sampled_from(["CR {}", "rule {}", "[CR {}]", "§ {}", "(C.R. {})"]),
            st.sampled_from(NUMBERS),
            st.sampled_from([".\n", ".\r\n", "; ", " 😀 and so on.\r", "\t— é.\n"]),
        ),
        max_size=6,
    ),
    st.dictionaries(
        st.sampled_from(NUMBERS), st.sampled_from([*NUMBERS, "800.1", "800.1z", None]), max_size=6
    ),
)
def test_after_a_fix_the_targets_are_cited_and_all_else_is_the_same(
    parts: list[str], moves: dict[str, str | None]
) -> None:
    text = "".join(parts)
    before = list(mentions(text))
    new = fixed(text, moves)
    after = list(mentions(new))
    assert [each.number for each in after] == [moves.get(each.number) or each.number for each in before]
    assert outside(new, after) == outside(text, before)


def outside(text: str, found: Sequence[Mention]) -> list[str]:
    """What of a text is no number."""
    ends = [0, *(each.end for each in found)]
    return [
        text[end:start] for end, start in zip(ends, [*(each.start for each in found), len(text)], strict=True)
    ]


def test_a_diff_is_one_that_patch_takes() -> None:
    lines = [f"line {n}\n" for n in range(1, 31)]
    old = "".join(lines) + "end"
    new = old.replace("line 3\n", "LINE 3\n").replace("line 9\n", "LINE 9\n").replace("end", "END")
    told = list(diff("a.py", old, new))
    assert told[:4] == ["--- a/a.py", "+++ b/a.py", "@@ -1,12 +1,12 @@", " line 1"]
    assert told[-5:] == [
        " line 30",
        "-end",
        "\\ No newline at end of file",
        "+END",
        "\\ No newline at end of file",
    ]
    assert "@@ -28,4 +28,4 @@" in told
    assert not list(diff("a.py", old, old))
    assert list(diff("a", "x\r\n", "y\r\n")) == ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-x\r", "+y\r"]
