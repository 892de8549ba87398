"""Cards and rules as text: what stands where, on wide and narrow terminals and in pipes."""

from __future__ import annotations

import io
import re

from rich.console import Console

from cardlaw.exports.show import Line, lines, print_lines, table
from cardlaw.graph.model import Ability, Card, Citation, Face
from cardlaw.graph.read import KeywordRecord, RuleRecord

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def cites(rule: str, quote: str, **more: object) -> Citation:
    fields = {"title": None, "relation": "effect", "field": "oracle_text", "start": 0, "end": len(quote)}
    return Citation(rule=rule, quote=quote, **{**fields, **more})  # type: ignore[arg-type]


WALKER = Card(
    name="Mirla, Lamp Bearer",
    slug="mirla-lamp-bearer",
    layout="normal",
    faces=(
        Face(
            name="Mirla, Lamp Bearer",
            type_line="Legendary Planeswalker — Mirla",
            mana_cost="{2}{W}",
            loyalty="4",
            oracle_text="ignored here",
            citations=(cites("306", "Planeswalker", relation="card_type", title="Planeswalkers"),),
            abilities=(
                Ability(
                    id="1.1",
                    parent=None,
                    kind="activated/loyalty",
                    text="[+1]: [bold]Lamps[/bold] glow.",
                    start=0,
                    end=10,
                    citations=(
                        cites(
                            "606", "[+1]", relation="ability_kind", title="Loyalty Abilities", entry="kind.x"
                        ),
                        cites("702.9", "glow", relation="has_keyword", conditional=True),
                        cites("406", "exile", relation="zone", title="Exile", in_reminder=True),
                    ),
                ),
                Ability(
                    id="1.1.1",
                    parent="1.1",
                    kind="keyword",
                    text="Ward {2}",
                    start=2,
                    end=10,
                    keyword="Ward",
                    parameters={"cost": "{2}"},
                    granted=True,
                ),
            ),
        ),
    ),
)


def printed(card: Card = WALKER, *, width: int | None = None, color: bool = False) -> str:
    """What goes to a pipe or, with `width`, to a terminal of so many columns."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=width is not None,
        color_system="standard" if color else None,
        markup=False,
        highlight=False,
    )
    wide = width is None or width > 100
    print_lines(
        lines(card, release="2030-02-03", has_text=False, notes={"kind.x": "a note"}, wide=wide), console
    )
    return out.getvalue()


def test_a_card_reads_from_its_name_to_the_release() -> None:
    assert printed().splitlines() == [
        "Mirla, Lamp Bearer  {2}{W}",
        "Legendary Planeswalker — Mirla  loyalty 4",
        "  306    Planeswalkers      card type                 “Planeswalker”  a type or frame of the card",
        "",
        "1.1  loyalty ability",
        "  [+1]: [bold]Lamps[/bold] glow.",
        "    606    Loyalty Abilities  ability kind              “[+1]”          a note",
        "    702.9                     has keyword, conditional  “glow”          printed on the card",
        "    only in reminder text:",
        "      406    Exile              zone                      “exile”         names a zone",
        "",
        "    1.1.1  keyword ability, granted by 1.1 · Ward · cost {2}",
        "      Ward {2}",
        "",
        "Rule numbers of the Comprehensive Rules effective 2030-02-03.",
    ]


def test_card_text_is_no_markup_on_a_terminal_either() -> None:
    shown = printed(width=120, color=True)
    assert "\x1b[" in shown
    assert "[+1]: [bold]Lamps[/bold] glow." in ESCAPE.sub("", shown)


def test_a_narrow_terminal_gets_short_lines_and_all_the_words() -> None:
    shown = printed(width=40)
    assert max(map(len, shown.splitlines())) <= 40
    assert not [line for line in shown.splitlines() if line != line.rstrip()]
    assert sorted(printed().split()) == sorted(shown.split())


def test_control_characters_do_not_reach_the_terminal() -> None:
    face = Face(name="Bad\x1b]0;title\x07", oracle_text=None, type_line="Instant")
    card = Card(name="Bad", slug="bad", layout="normal", faces=(face,))
    for width in (None, 80):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", printed(card, width=width))


def test_a_long_quote_keeps_its_first_and_last_words() -> None:
    quote = "If a lamp would go out, instead it burns\nuntil the end of the longest night"
    ability = Ability(
        id="1.1", parent=None, kind="static", text="x", start=0, end=1, citations=(cites("1", quote),)
    )
    card = Card(
        name="L", slug="l", layout="normal", faces=(Face(name="L", type_line="Land", abilities=(ability,)),)
    )
    assert "“If a lamp would go out, instead … night”" in printed(card)


def test_a_face_without_a_record_says_so() -> None:
    faces = (Face(name="Hush", type_line="Instant", oracle_text=""), Face(name="Clamor", number=2))
    shown = printed(Card(name="Hush // Clamor", slug="hush-clamor", layout="split", faces=faces)).splitlines()
    assert shown[0] == "Hush // Clamor (split)"
    assert shown[shown.index("Clamor") + 1] == "The source of the cards has only the name of this face."


def rule(**more: object) -> RuleRecord:
    fields: dict[str, object] = {
        "number": "702.9",
        "iri": "",
        "title": "Flying",
        "heading": "Flying",
        "text": None,
        "parent": "702",
        "children": ("702.9a", "702.9b"),
        "words": (None, None),
        "references": (),
        "referenced_by": ("509.1b",),
        "examples": (),
        "keywords": ("Flying",),
        "card_count": 1,
        "card_count_with_subrules": 2000,
        "cards": ("Ash, the Bird",),
    }
    return RuleRecord(**{**fields, **more})  # type: ignore[arg-type]


def shown(record: RuleRecord | KeywordRecord, *, has_text: bool = True) -> list[str]:
    return [
        line.text.plain
        for line in lines(record, release="2030-02-03", has_text=has_text, notes={}, wide=True)
    ]


def test_a_rule_has_its_place_in_the_book_and_its_cards() -> None:
    assert shown(rule(text="Some words.", examples=("A bird.",)))[:-2] == [
        "702.9 Flying",
        "Some words.",
        "Example: A bird.",
        "parent: 702",
        "subrules: 702.9a, 702.9b",
        "referred to by: 509.1b",
        "defines: Flying",
        "1 card invoking it (2,000 with its subrules): Ash, the Bird",
    ]


def test_a_rule_of_an_outline_says_how_to_get_its_words() -> None:
    assert any("cardlaw build --rules FILE" in line for line in shown(rule(), has_text=False))


def test_a_keyword_has_its_cards_by_relation() -> None:
    keyword = KeywordRecord(
        name="Cycling",
        iri="",
        action=False,
        rule="702.29",
        nature=("activated",),
        variant_of=None,
        variants=("Typecycling",),
        card_count=13,
        cards={"has_keyword": tuple(f"Card {n:02}" for n in range(13)), "grants_keyword": ()},
    )
    assert shown(keyword)[:-2] == [
        "Cycling  keyword ability, 702.29",
        "nature: activated",
        "variants: Typecycling",
        "13 cards having it: " + "; ".join(f"Card {n:02}" for n in range(12)) + "; and 1 more",
    ]


def test_a_table_has_columns_as_wide_as_their_cells() -> None:
    rows = [["card:a", "one\ntwo"], ["card:longer", ""]]
    assert [line.text.plain for line in table(["card", "words"], rows)] == [
        "card         words",
        "card:a       one two",
        "card:longer",
    ]
    assert [line.text.plain for line in table(["card"], [])] == ["card"]
    assert all(isinstance(line, Line) for line in table([], []))
