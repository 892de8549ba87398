"""Anchors: the same rule found again in releases that number it otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardlaw.graph.linking import Fallback, Linker, resolve_anchors
from cardlaw.graph.linking.anchors import resolve
from cardlaw.graph.model import Citation, Face, Rule, Rulebook, Vocabulary
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.rulebook import parse

TEXT = (Path(__file__).parent / "fixtures" / "rulebook.txt").read_text(encoding="utf-8")


def book(*rules: tuple[str, str | None, str | None], has_text: bool = True, **fields: object) -> Rulebook:
    """A small invented rulebook of (number, heading, text)."""

    def parent(number: str) -> str | None:
        shorter = re.sub(r"[a-z]+$", "", number) if number[-1].isalpha() else number.partition(".")[0]
        return shorter if shorter != number else (number[0] if len(number) > 1 else None)

    return Rulebook(
        release="2030-02-03",
        rules={n: Rule(number=n, title=title, text=text, parent=parent(n)) for n, title, text in rules},
        terms=(),
        vocabulary=Vocabulary(),
        has_text=has_text,
        **fields,  # type: ignore[arg-type]
    )


BOOK = book(
    ("1", "Game Concepts", None),
    ("100", "General", None),
    ("110", "Attics", None),
    ("110.1", None, "An attic is under the roof."),
    ("110.1a", None, "An attic’s ladder is short."),
    ("110.1b", None, "An attic's window is round."),
    ("110.2", None, "A cellar is below."),
    ("110.2a", None, "A cellar's door is heavy."),
    ("6", "Kitchens", None),
    ("600", "General", None),
    ("600.1", None, "Kitchens are warm."),
    ("603", "Pots/Pans", None),
    ("7", "Verbs", None),
    ("701", "Keyword Actions", None),
    ("701.1", None, "Verbs come here."),
    ("701.4", "Juggle", None),
    ("701.4a", None, "To juggle is to keep three up."),
    ("702", "Keyword Abilities", None),
    ("702.2", "Juggle", None),
)


@pytest.mark.parametrize(
    ("anchor", "number"),
    [
        ("Attics", "110"),
        ("attics", "110"),
        ("Game Concepts > General", "100"),
        ("Kitchens > General", "600"),
        ("Pots/Pans", "603"),
        ("Keyword Actions/Juggle", "701.4"),
        ("Keyword Abilities/Juggle", "702.2"),
        ("Attics/110.1: roof", "110.1"),
        ("Attics/110.1a: ladder, short", "110.1a"),
        ("Attics/110.1a: attic's ladder", "110.1a"),
        ("Kitchens > General/600.1: warm", "600.1"),
    ],
)
def test_forms_of_anchors(anchor: str, number: str) -> None:
    resolution = resolve(BOOK, [anchor])
    assert resolution.numbers == {anchor: number}
    assert resolution.fallbacks == ()


@pytest.mark.parametrize(
    ("anchor", "number"),
    [
        ("Attics/110.1a: window, round", "110.1b"),  # among its siblings
        ("Attics/110.1c: ladder", "110.1a"),  # its number is gone
        ("Attics/110.1b: heavy", "110.2a"),  # under another rule of the section
        ("Attics/110.1b: roof", "110.1"),  # its parent says it
        ("Attics/110.9z: no such word", "110"),  # the section is all that is left
        ("Attics/115.1a: ladder", "110.1a"),  # the section had another number
    ],
)
def test_a_moved_rule_is_found_by_its_words(anchor: str, number: str) -> None:
    assert resolve(BOOK, [anchor]).numbers[anchor] == number


@pytest.mark.parametrize(
    "anchor",
    [
        "Attics/110.1a: window, round",
        "Attics/110.1b: roof",
        "Attics/110.9z: no such word",
        "Cupboards",
        "Cupboards/120.1: shelf",
        "Keyword Actions/Yodel",
    ],
)
def test_what_does_not_resolve_as_written_is_reported_by_name(anchor: str) -> None:
    (fallback,) = resolve(BOOK, [anchor, anchor]).fallbacks
    assert fallback.anchor == anchor
    assert fallback.reason


def test_a_heading_that_is_missing_is_not_replaced_by_another() -> None:
    resolution = resolve(BOOK, ["Keyword Actions/Yodel", "Cupboards"])
    assert resolution.numbers == {"Keyword Actions/Yodel": None, "Cupboards": None}


def test_an_outline_answers_from_what_it_carries() -> None:
    anchors = ["Attics/110.1a: window, round", "Keyword Actions/Juggle"]
    with_numbers = structs_without_text(BOOK, resolve(BOOK, anchors).numbers)
    resolution = resolve(with_numbers, anchors)
    assert resolution.numbers == resolve(BOOK, anchors).numbers
    assert resolution.fallbacks == ()


def test_an_outline_says_which_anchor_it_does_not_carry() -> None:
    bare = structs_without_text(BOOK, {})
    resolution = resolve(bare, ["Attics/110.1a: ladder", "Keyword Actions/Juggle"])
    assert resolution.numbers == {"Attics/110.1a: ladder": "110.1a", "Keyword Actions/Juggle": "701.4"}
    assert [fallback.anchor for fallback in resolution.fallbacks] == ["Attics/110.1a: ladder"]


def structs_without_text(rulebook: Rulebook, anchors: dict[str, str | None]) -> Rulebook:
    return book(
        *((rule.number, rule.title, None) for rule in rulebook.rules.values()),
        has_text=False,
        anchors=anchors,
    )


# -- an older release ---------------------------------------------------------------------------------


def link(linker: Linker, text: str, type_line: str = "Creature — Golem") -> list[Citation]:
    face = linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text))
    return [c for ability in face.abilities for c in ability.citations]


@pytest.fixture(scope="module")
def small() -> Linker:
    return Linker(parse(TEXT.encode()))


def test_a_keyword_that_a_release_lacks_is_not_cited(small: Linker) -> None:
    for text in (
        "Ward {2}",
        "Golems you control have menace.",
        "Foretell {2}",
        "Whenever you foretold it, draw.",
    ):
        assert {c.relation for c in link(small, text)} & {
            "has_keyword",
            "grants_keyword",
            "mentions_keyword",
        } == set()
    assert ("702.29", "has_keyword") in {(c.rule, c.relation) for c in link(small, "Cycling {2}")}


def test_a_keyword_that_a_release_lacks_is_reported(small: Linker) -> None:
    missing = {fallback.anchor: fallback.number for fallback in small.fallbacks}
    assert missing["Keyword Abilities/Foretell"] is None
    assert missing["Keyword Actions/Convert"] is None
    assert "Keyword Abilities/Cycling" not in missing
    assert all(isinstance(f, Fallback) and f.reason for f in small.fallbacks)


def test_every_citation_of_a_small_release_is_a_rule_of_it(small: Linker) -> None:
    text = (
        'Flying, cycling {2}\n{T}, Sacrifice this creature: Exile target creature.\nElks have "{T}: Scry 1."'
    )
    found = link(small, text)
    assert {"702.9", "702.29", "701.21", "701.13", "701.22", "602"} <= {c.rule for c in found}
    assert {c.rule for c in found} <= set(small.rulebook.rules)


# -- a newer release ----------------------------------------------------------------------------------

NEW = """
701.69. Juggle

701.69a To juggle is to keep three beads up.

701.70. Copycat

701.70a To copycat is to do as others do.
"""
NEW_ABILITIES = """
702.190. Bounceback

702.190a Bounceback is a static ability.

702.191. Yodeling

702.191a Yodeling is an activated ability. “Yodeling [cost]” means “[Cost]: Yodel.”
"""


def newer() -> str:
    """The invented rulebook a year later: two headings more in each list, 701 shifted, 614 now 616."""
    text = re.sub(r"\b701\.(\d+)", lambda m: f"701.{int(m[1]) + 3}" if m[1] != "1" else m[0], TEXT)
    text = text.replace("614. Replacement", "616. Replacement")
    text = text.replace("614.1. A replacement effect", "616.1. A replacement effect")
    body, marker, rest = text.rpartition("\n702. Keyword Abilities\n")
    text = body + NEW + marker + rest
    body, marker, rest = text.rpartition("\n714. Saga Cards\n")
    text = body + NEW_ABILITIES + marker + rest
    replaced = "616.1. A replacement effect swaps one event for another.\n"
    assert replaced in text
    return text.replace(
        replaced,
        replaced
        + "\n616.1a Some begin with a yodel.\n"
        + "\n616.1b Some say “instead.”\n"
        + "\n616.1c Some say “skip.”\n",
    )


@pytest.fixture(scope="module")
def later() -> Linker:
    return Linker(parse(newer().encode()))


@pytest.mark.parametrize(
    ("text", "rule", "relation"),
    [
        ("Exile target creature.", "701.16", "keyword_action"),
        ("Target player sacrifices a creature.", "701.24", "keyword_action"),
        ("Scry 2.", "701.25", "keyword_action"),
        ("Tap target creature.", "701.29", "keyword_action"),
        ("Juggle a card.", "701.69", "keyword_action"),
        ("Target player juggles a card.", "701.69", "keyword_action"),
        ("Draw a card for each card juggled this way.", "701.69", "keyword_action"),
        ("Whenever a player is juggling, draw a card.", "701.69", "keyword_action"),
        ("Whenever a player copycats, draw a card.", "701.70", "keyword_action"),
        ("Bounceback", "702.190", "has_keyword"),
        ("Flying, bounceback", "702.190", "has_keyword"),
        ("Golems you control have bounceback.", "702.190", "grants_keyword"),
        ("Target creature loses bounceback until end of turn.", "702.190", "loses_keyword"),
        ("Destroy target creature with bounceback.", "702.190", "mentions_keyword"),
        ("Yodeling {2}{U}", "702.191", "has_keyword"),
        ("If you would draw a card, scry 1 instead.", "616.1b", "effect"),
        ("Skip your upkeep.", "616.1c", "effect"),
    ],
)
def test_a_later_release_links_with_no_change_to_the_code(
    later: Linker, text: str, rule: str, relation: str
) -> None:
    found = {(c.rule, c.relation) for c in link(later, text, "Instant")}
    assert (rule, relation) in found
    assert {r for r, _ in found} <= set(later.rulebook.rules)


def test_a_new_keyword_is_segmented_with_its_parameters(later: Linker) -> None:
    face = later.link(Face(name="Zyx Warden", oracle_text="Bounceback, yodeling {2}{U} (Loud.)"))
    assert [(a.kind, a.keyword, dict(a.parameters)) for a in face.abilities] == [
        ("keyword", "Bounceback", {}),
        ("keyword", "Yodeling", {"cost": "{2}{U}"}),
    ]


def test_the_moves_are_reported(later: Linker) -> None:
    moved = {f.anchor: f.number for f in later.fallbacks}
    assert moved["Replacement Effects/614.1a: instead"] == "616.1b"
    assert moved["Replacement Effects/614.1b: skip"] == "616.1c"


def test_the_outline_of_a_release_links_as_its_text(later: Linker, tmp_path: Path) -> None:
    path = tmp_path / "outline.json"
    path.write_bytes(outline.dump(resolve_anchors(parse(newer().encode()))))
    short = Linker(outline.load(path))
    for text in (
        "Flying, bounceback\nYodeling {2}",
        "Exile target creature. Juggle it.\nIf you would scry, draw a card instead.",
        "When this creature dies, target player juggles a +1/+1 counter.",
    ):
        assert link(short, text) == link(later, text)
