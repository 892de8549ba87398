"""What is said of a citation of the Comprehensive Rules in any text: where it stands, whether it is right."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ..releases.records import Candidate

__all__ = ["Form", "Mention", "Status", "Verdict"]

Form: TypeAlias = Literal["CR", "rule", "section sign", "URL", "bare"]
"""How a citation shows that it is one: `CR 603.6a`, `rule 702.29e`, `§ 601.2`, an address, nothing."""

Status: TypeAlias = Literal["right", "unknown", "moved", "changed", "mismatch"]
"""right: it exists, and nothing speaks against it.
unknown: the release has no such number (and it is not known where it went).
moved: the rule that was meant has another number now.
changed: the number exists in both releases and means something else now, or the words changed much.
mismatch: the words or the name beside it are those of another rule, or a range does not run upward.
"""


class Mention(Struct, frozen=True, kw_only=True):
    """A rule number as it stands in a text; the ends of a range are two mentions."""

    number: str  # whole, "613.1f" for the "f" of "613.1d-f"; lower case, without spaces or brackets
    start: int  # of what is written for it, in code points: [start, end)
    end: int
    form: Form
    first: str | None = None  # of the end of a range: the number that begins it
    along: tuple[str, ...] = ()  # numbers written in one with it ("704.5f/g", "613.1d-f"): they move together
    name: str | None = None  # words beside it that may be a name of the rule: "Cycling"
    quote: str | None = None  # words beside it that may be the rule's, without marks and prefixes of lines
    line: str | None = None  # of a number of chapter 7, the words around it in its line


class Verdict(Struct, frozen=True, kw_only=True):
    """What is found of a mention."""

    mention: Mention
    status: Status
    message: str  # one sentence that says what is wrong and what to do; empty where it is right
    title: str | None = None  # heading of the rule in the release that it is checked against
    target: str | None = None  # the number that it should be
    sure: bool = False  # sure enough to be rewritten without being asked
    candidates: tuple[Candidate, ...] = ()
