"""Citations of the rules in any text: the forms that people write, and what only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardlaw.graph.citing.mentions import mentions, respell
from cardlaw.graph.citing.records import Mention

# What a text says; the numbers that it cites, each with what is written for it where that is not the number.
FORMS = {
    "CR 603.6a": ["603.6a"],
    "CR603.6a": ["603.6a"],
    "rule 702.29e": ["702.29e"],
    "rules 613.1d-f": ["613.1d", "613.1f=f"],
    "C.R. 704.5": ["704.5"],
    "[CR 601.2b]": ["601.2b"],
    "§ 601.2": ["601.2"],
    "§702.37 morph / §702.166 disguise": ["702.37", "702.166"],
    "(CR §702.40)": ["702.40"],
    "(CR §304.4/§307.1)": ["304.4", "307.1"],
    "cr 702.19b + 510.1c": ["702.19b", "510.1c"],
    "CR 310.8b / 310.9": ["310.8b", "310.9"],
    "CR 601.2a, 601.2b and 601.2f–h": ["601.2a", "601.2b", "601.2f", "601.2h=h"],
    "CR 613.1d/613.1f: types": ["613.1d", "613.1f"],
    "CRs 702.9b and 509.1b": ["702.9b", "509.1b"],
    "rules 119.7–8": ["119.7", "119.8=8"],
    "rules 119.7 - 8 too": ["119.7", "119.8=8"],
    "rules 903.6–903.11": ["903.6", "903.11"],
    "rules 903.6 to 903.11": ["903.6", "903.11"],
    "rules 903.6 through 903.11": ["903.6", "903.11"],
    "CR 601.2a to d": ["601.2a", "601.2d=d"],
    "rules 601.2c - e": ["601.2c", "601.2e=e"],
    "CR 613.4a&ndash;d": ["613.4a", "613.4d=d"],
    "CR 702.2—702.189": ["702.2", "702.189"],
    "rules 701.27a–f, 712.9–10, and 712.18": ["701.27a", "701.27f=f", "712.9", "712.10=10", "712.18"],
    "CR 704.5f/g/h/i/v and destroys": ["704.5f", "704.5g=g", "704.5h=h", "704.5i=i", "704.5v=v"],
    "RULE 704.5m/n": ["704.5m", "704.5n=n"],
    "CR 704.5f and g": ["704.5f", "704.5g=g"],
    "Comprehensive Rules 702.2": ["702.2"],
    "MTG comp rules 603.4": ["603.4"],
    "Comprehensive Rules section 702.2": ["702.2"],
    "Rule #603.6a": ["603.6a"],
    "rule no. 603.6a": ["603.6a"],
    "MTG Rule 727.1": ["727.1"],
    "MTG CR 602.2a": ["602.2a"],
    "MTG 702.36": ["702.36"],
    "subrule 702.19b": ["702.19b"],
    "section 702.19b": ["702.19b"],
    "Regel 702.29a und règle 702.9b": ["702.29a", "702.9b"],
    "CR 603.6A": ["603.6a=603.6A"],
    "CR 603.6(a)": ["603.6a=603.6(a)"],
    "CR 704.5aa": ["704.5aa"],
    "rule 603.6a.": ["603.6a"],
    "See rule 603.6.": ["603.6"],
    "**CR 603.6a:** text": ["603.6a"],
    "_CR 603.6a_": ["603.6a"],
    "`CR 603.6a`": ["603.6a"],
    "CR&nbsp;603.6a and &sect;603.6b": ["603.6a", "603.6b"],
    "CR\u00a0603.6a\u2009": ["603.6a"],
    "CR 601.2f\u2011h": ["601.2f", "601.2h=h"],
    "CR <b>603.6a</b>": ["603.6a"],
    'rule <a href="x.html">603.6a</a>': ["603.6a"],
    "as in rule\n// 702.2 says": ["702.2"],
    " * Dealing (CR\n * 510.2) then": ["510.2"],
    "-- the CR\r\n-- 510.2": ["510.2"],
    "# rules 702.9b,\n# 509.1b and\n# 509.1c": ["702.9b", "509.1b", "509.1c"],
    "[702.29e](cycling.html)": ["702.29e"],
    "CR 702.19b (trample), 702.2c (deathtouch)": ["702.19b", "702.2c"],
    "rule 703, “Turns,” and rule 704, “State”": ["703", "704"],
    "https://yawgatog.com/resources/magic-rules/#R70219b": ["702.19b=70219b"],
    "<https://yawgatog.com/resources/magic-rules/#R5024>": ["502.4=5024"],
    "[704](https://yawgatog.com/resources/magic-rules/#R704)": ["704"],
    "https://api.academyruins.com/cr/702.2": ["702.2"],
    "https://magic.wizards.com/en/rules#702.9": ["702.9"],
    "https://mtg.example.org/?rule=702.9b&x=1": ["702.9b"],
    "https://www.vensersjournal.com/702.15b": ["702.15b"],
    "{{CR|702.15b}} and [[Rule 702.15b|lifelink]]": ["702.15b", "702.15b"],
    "CR-601.2f": ["601.2f"],
    "CR 704.5a, b, c": ["704.5a", "704.5b=b", "704.5c=c"],
    "CR 704.5a, b.": ["704.5a", "704.5b=b"],
    "CR\u200b601.2a": ["601.2a"],
    "rule № 601.2b": ["601.2b"],
    '{"rule": "603.3b", "rules": ["601.2a", "601.2b"]}': ["603.3b", "601.2a", "601.2b"],
    "rules:\n  - 601.2a\n  - 601.2b\n": ["601.2a", "601.2b"],  # no range
    "<rule>601.2a</rule> <cr>601.2b</cr> <rule id='601.2c'/>": ["601.2a", "601.2b", "601.2c"],
    '[CompRule("601.2b")] @comp_rule("601.2c")': ["601.2b", "601.2c"],
    "les règles 603.2a et 603.2b": ["603.2a", "603.2b"],
    "reglas 603.2a y 603.2b, regole 603.2c e 603.2d": ["603.2a", "603.2b", "603.2c", "603.2d"],
    "Regeln 601.2a bis 601.2d": ["601.2a", "601.2d"],
    "ルール704.5jを参照": ["704.5j"],
    "完整规则 601.2a": ["601.2a"],
    "См. правило 704.5j": ["704.5j"],
    # where the text is about the game
    "fn cr_702_16c_plate() { mana }": ["702.16c=702_16c"],
    "cr_702_2_fight, mana": ["702.2=702_2"],
    "def test_rule_704_5a(self): creature": ["704.5a=704_5a"],
    "TestCR704_5d_Token: a creature": ["704.5d=704_5d"],
    "CR_702_19B, mana": ["702.19b=702_19B"],
    "- id: cr-702-19 # mana": ["702.19=702-19"],
    "cr_refs: [702.29a, 702.29b, 107.3]\ntags: [mana]": ["702.29a", "702.29b", "107.3"],
    '"rule": "702.74a", mana': ["702.74a"],
    '@pytest.mark.cr("604.3") # CR 604.3': ["604.3", "604.3"],
    "CR 605/106.1b (any-color mana)": ["605", "106.1b"],
    "CR 707, 712 of the graveyard": ["707", "712"],
    "rules 601 and 602 on mana": ["601", "602"],
    "CR 601–608 on mana": ["601", "608"],
    "mana, as described in 601.2a–h of rule 601": ["601.2a", "601.2h=h", "601"],
    "mana (see 601.2b and 601.2f–h)": ["601.2b", "601.2f", "601.2h=h"],
    "creatures: section 3, “Card Types.”": ["3"],
    "CR 702.2 - 3 creatures": ["702.2"],
    "CR 601.2f - a spell": ["601.2f"],
    "CR 509.1b, a creature": ["509.1b"],
    "CR 704.5f, a creature": ["704.5f"],
}

NOT_CITATIONS = [
    "v1.2.3, 603.6.1, python 3.11, release 702.2.1",
    "$601.20 and 702.29 USD and 702.29",
    "CR 702.29 USD",
    "192.168.101.1 and 10.702.2.1",
    "on 2024-10-12, 12.10.2024, CR 6/18/2020",
    "a CR 2.5 monster, CR 13, CR 1/4, challenge rating 20",
    "CR 0.5 mm",
    "Rs. 601.20 cr; Cr 702.29 (crore), cr 702.29",
    "NEC § 702.4 and ASTM rule 110.2",
    "§ 119.1 BGB, § 312.1 of the GDPR",
    "CR/LF, CR 13, \\r is CR 015",
    "0x702e9a, #603603, deadbeef702",
    "rule 34 and Rule 110 and rule 30",
    "Rule 110 is a cellular automaton",
    "rules 1-10 of the house",
    "// Rule 70:  FunctionType ::= TypeParameters",
    "31 CFR § 601.2",
    "7 CFR\n§ 46.15 and 55 PA. Code § 601.22 and 11-C DCMR § 601.2",
    "Cal. Code Regs. § 702.1",
    "Reg. § 601.601 and IRC § 780.5",
    "RSA 601:2, 42 U.S.C. § 702.2",
    "[1999] 1 S.C.R. 688.5 and 13 S.C.R. 604",
    "Fed. R. Evid. 702, Supreme Court Rule 604.3",
    "FINRA Rule 511.1",
    "call +1 603-555-0102 or 603.555.0102",
    "702.2 MB, 603.6 ms, rule 603.6 ms",
    "hash.cr:702 and foo.cr:702.5",
    "CR 12345, per CR 656162, CR 637538",
    "D_CR602_ServiceFromDate, Cr603_chklst_departments, mana",
    "SCR-702 and MCR-701.2",
    "RFC 793 section 3.2, section 301.2",
    "MTR 2.3, IPG 2.1, MTR 10.4",
    "WebAuthn L3 CR § 10.1.4",
    "Riftbound rule 702.2.b and § 601.2.d",
    "\\section{702.2}, 1.2e702, 702.2e5",
    "702.29,603.61,704.55\n101.11,102.22",
    "(702.2c) and 704.5a: bare",
    "1 702.9b, mana",
    "https://example.org/rule/702.2 and https://en.wikipedia.org/wiki/Rule_110",
    "https://github.com/x/y/issues/702#rule-702.2",
    "MagicCompRules%2020250207.txt",
    "CR 702.29%",
    "[101.2](https://example.org/changes)",
    "no-unused-vars rule 2, rule-of-3",
    "scorecr 702.2, overrule 702.2",
]


def written(text: str, mention: Mention) -> str:
    there = text[mention.start : mention.end]
    return mention.number if there == mention.number else f"{mention.number}={there}"


@pytest.mark.parametrize("text", FORMS)
def test_forms_that_people_use(text: str) -> None:
    assert [written(text, each) for each in mentions(text)] == FORMS[text]


@pytest.mark.parametrize("text", FORMS)
def test_forms_inside_a_longer_text(text: str) -> None:
    longer = f"Größe 3.14\n\n{text}\n\nEnde der Kreatur 12"
    found = [written(longer, each) for each in mentions(longer)]
    assert found == FORMS[text]


@pytest.mark.parametrize("text", NOT_CITATIONS)
def test_what_only_looks_like_a_citation(text: str) -> None:
    assert [each.number for each in mentions(text)] == []


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("CR 603.6a", "CR"),
        ("Comprehensive Rules 603.6a", "CR"),
        ("rule 603.6a", "rule"),
        ("§ 603.6a", "section sign"),
        ("https://api.academyruins.com/cr/603.6a", "URL"),
    ],
)
def test_the_form_is_what_shows_it(text: str, form: str) -> None:
    assert [each.form for each in mentions(text)] == [form]


def test_a_section_counts_only_where_the_text_is_about_the_game() -> None:
    assert list(mentions("See rule 702.")) == []
    assert [each.number for each in mentions("Keywords of creatures: see rule 702.")] == ["702"]


def test_a_law_does_not_count_even_where_the_game_is_named() -> None:
    assert list(mentions("Planeswalkers are taxed under 31 CFR § 601.2.")) == []


def test_bare_numbers_on_request() -> None:
    text = (
        "(702.2c) and 704.5a: death, 603.6; not v603.6a, $601.20, 702.29 USD, 603.6.1, 192.168.10.1, 1.702.2"
    )
    assert [each.number for each in mentions(text, bare=True)] == ["702.2c", "704.5a", "603.6"]
    assert {each.form for each in mentions(text, bare=True)} == {"bare"}


def test_a_range_knows_its_beginning_and_what_is_written_along() -> None:
    one, two = mentions("rules 613.1d–f")
    assert (one.first, one.along) == (None, ("613.1f",))
    assert (two.first, two.along) == ("613.1d", ("613.1d",))
    _, g, h = mentions("CR 704.5f/g/h")
    assert (g.first, g.along, h.along) == (None, ("704.5f", "704.5h"), ("704.5f", "704.5g"))
    assert [each.along for each in mentions("CR 601.2a, 601.2b")] == [(), ()]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("702.29, Cycling", None),  # no citation without a word
        ("rule 702.29, Cycling", "Cycling"),
        ("CR 702.29 (Cycling)", "Cycling"),
        ("CR 702.29 [Cycling]", "Cycling"),
        ("CR 702.29: cycling", "cycling"),
        ("CR 702.29 — Cycling. Discard it", "Cycling"),
        ("CR 702.29 Cycling", "Cycling"),
        ('rule 903, "Commander,"', "Commander"),
        ("rule 903.1, “Commander”", "Commander"),
        ("Cycling (CR 702.29)", "Cycling"),
        ("// - Cycling (see rule 702.29)", "Cycling"),
        ("flanking (§702.25) and bushido (§702.45)", "flanking"),
        ("CR 702.9\n//! (flying), CR 1", "flying"),
        ("the creature deals damage to it (CR 702.29)", "the creature deals damage to it"),
        ("CR 702.29b, and the rest", None),
        ("CR 702.29b, 702.30", None),
    ],
)
def test_names_beside_a_number(text: str, name: str | None) -> None:
    found = next(mentions(text), None)
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ('CR 704.5j: "If two or more beads share a name"', "If two or more beads share a name"),
        ("rule 704.5j says “a bead of no color rolls”", "a bead of no color rolls"),
        ('// CR 704.5j: "If two or\n// more beads share a name"', "If two or more beads share a name"),
        ('"a bead of no color rolls" (CR 704.5j)', "a bead of no color rolls"),
        ('**CR 704.5j** (verbatim): *"a bead of no color rolls"*', "a bead of no color rolls"),
        (
            "// CR 704.5j If two or more beads share a name, one goes. Then",
            "If two or more beads share a name, one goes",
        ),
        ("Some words (CR 704.5j). If two or more beads share a name one goes", None),
        ("“A bead of no color rolls” means so. See rule 704.5j.", None),
        ('CR 704.5j: "two words"', None),
        ('CR 704.5j.\n\n"a bead of no color rolls"', None),
    ],
)
def test_passages_beside_a_number(text: str, quote: str | None) -> None:
    assert next(mentions(text)).quote == quote


@pytest.mark.parametrize(
    ("there", "number", "then"),
    [
        ("603.6a", "603.7b", "603.7b"),
        ("603.6A", "603.7b", "603.7B"),
        ("702_16c", "702.17d", "702_17d"),
        ("702-19", "702.20", "702-20"),
        ("70219b", "702.20c", "70220c"),
        ("603.6(a)", "603.7b", "603.7(b)"),
        ("f", "613.2g", "g"),
        ("8", "119.9", "9"),
        ("702", "703", "703"),
        ("603.6a", "604", "604"),
        ("5024", "503.1", "5031"),
    ],
)
def test_numbers_are_respelled_as_they_were_written(there: str, number: str, then: str) -> None:
    assert respell(there, number) == then


PIECES = st.sampled_from(
    [
        *(
            "CR ",
            "cr_",
            "rule ",
            "rules ",
            "§",
            "C.R. ",
            "see ",
            "[",
            "](",
            "(",
            ")",
            '"',
            "“",
            "”",
            "`",
            "*",
        ),
        *(
            "702.29e",
            "603.6",
            "702",
            "a",
            "f",
            "-",
            "–",
            " to ",
            "/",
            ",",
            ".",
            " and ",
            "\n",
            "\r\n// ",
            " * ",
        ),
        *(
            "&nbsp;",
            "<b>",
            "</b>",
            "https://yawgatog.com/#R",
            "7022",
            "é",
            "𝕏",
            "\u00a0",
            "Cycling",
            "mana ",
            "é",
        ),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)), st.booleans())
@example("CR 702.29e-", True)
@example("𝕏 CR 702.29e–f", False)
def test_spans_are_in_order_apart_and_what_is_written(text: str, bare: bool) -> None:
    end = 0
    for each in mentions(text, bare=bare):
        assert end <= each.start < each.end <= len(text)
        end = each.end
        there = text[each.start : each.end].lower()
        digits = "".join(char for char in each.number if char.isalnum())
        assert digits.endswith("".join(char for char in there if char.isalnum()))
        assert there[-1].isalnum() or there.endswith(")")
        assert respell(text[each.start : each.end], each.number).lower() in (there, each.number)


HOSTILE = [
    *(
        "CR ",
        "1",
        ".",
        "702",
        "702.",
        "CR 702.",
        "CR702",
        "CR 702.9a, ",
        "702.9a/b",
        "rule\n// ",
        "(CR 702.9 (",
    ),
    *(
        'CR 702.9a "',
        "<",
        "CR <b>702.9</b>",
        "https://yawgatog.com/",
        "http://mtg.mtg.mtg.",
        "CR 702.9***",
        "CR   ",
    ),
    *(
        "CR 702.9\n// ",
        "“a b c d e f ",
        " 702",
        "see see ",
        "§§§",
        "CR 704.5a/b/c/d/e",
        "rule rule 702.9 to ",
    ),
    *("&nbsp;", "CR&nbsp;", "\n", "\r", "section 7, “A", "CR 702.9 (a b c "),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    size = 16_000

    def taken(length: int) -> float:
        text = unit * (length // len(unit))
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            for _ in mentions(text):
                pass
            best = min(best, time.process_time() - start)
        return best

    assert taken(4 * size) < 10 * taken(size) + 0.05
