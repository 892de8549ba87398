"""What is said of a citation, on an invented rulebook in two releases and on real ones."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cardlaw.graph.citing.judge import Judge
from cardlaw.graph.citing.mentions import mentions
from cardlaw.graph.citing.records import Verdict
from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.references import citing, expand_range
from cardlaw.graph.sources.rulebook import parse, read

FIXTURE = Path(__file__).resolve().parent / "fixtures" / "rulebook.txt"


def moved(text: str) -> str:
    """A later release: Scry goes to the end of 701, Landwalk comes after Trample, a step of casting goes."""
    text = text.replace("February 3, 2030", "May 5, 2031")
    text = text.replace("701.22. Scry", "701.60. Scry").replace("701.22a To “scry N”", "701.60a To “scry N”")
    text = text.replace(scry := cut(text, "701.60. Scry", "701.26. Tap"), "")
    text = text.replace("702. Keyword Abilities\n\n702.1.", f"{scry}702. Keyword Abilities\n\n702.1.")
    text = text.replace("701.21. Sacrifice", "701.22. Sacrifice").replace("701.21a To sac", "701.22a To sac")
    text = text.replace("601.2g The purse is opened.\n\n", "")
    for number, letter in (("h", "g"), ("i", "h"), ("j", "i"), ("k", "j"), ("m", "k"), ("n", "m")):
        text = text.replace(f"\n601.2{number} The", f"\n601.2{letter} The")
    return text


@cache
def release(path: Path) -> Rulebook:
    return read(path)


def cut(text: str, begin: str, end: str) -> str:
    return text[text.index(begin) : text.index(end)]


@pytest.fixture(scope="module")
def old() -> Rulebook:
    return parse(FIXTURE.read_bytes())


@pytest.fixture(scope="module")
def new() -> Rulebook:
    return parse(moved(FIXTURE.read_text("utf-8")).encode())


def of(judge: Judge, text: str) -> Verdict:
    """The verdict of the last citation in `text`."""
    *_, last = (judge.judge(each) for each in mentions(text))
    return last


@pytest.mark.parametrize(
    "text",
    [
        "CR 702.29e",
        "CR 702 of the game of creatures",
        "CR 702.29 (Cycling)",
        "CR 702.29a (cycling)",
        "CR 702.29 (Typecycling)",
        "CR 702.29 (Forestcycling)",  # the glossary sends it there
        "Cycling (CR 702.29)",
        "CR 702.9b (reach)",  # another name, but no rule's
        "CR 601.2c (Targets)",  # a rule without a name of its own
        "CR 509.1b (Flying)",
        "CR 702.14 (Forestwalk)",
        "CR 601 (targets) of creatures",  # a section in which they are spoken of
        "rule 903.12, “Commander”",
        "CR 601.2a–n",
        "CR 601.2k–m",  # l is skipped
        "CR 702.29 — Something that is no name",
        'CR 702.29a: "Cycling is an activated ability that works in the hand"',
        'CR 702.29: "Typecycling is a variant of the cycling ability that I like"',
        'CR 107.4: "words that stand nowhere in the book of the game of beads"',
    ],
)
def test_right(old: Rulebook, text: str) -> None:
    verdict = of(Judge(old), text)
    assert (verdict.status, verdict.message, verdict.target, verdict.sure) == ("right", "", None, False)


@pytest.mark.parametrize(
    ("text", "candidate"),
    [
        ("CR 702.29z", "702.29f"),
        ("CR 702.200", "702.189"),
        ("CR 720.9", "702.9"),
        ("CR 601.2o", "601.2n"),
    ],
)
def test_unknown_numbers_and_what_is_near(old: Rulebook, text: str, candidate: str) -> None:
    verdict = of(Judge(old), text)
    assert (verdict.status, verdict.target, verdict.sure) == ("unknown", None, False)
    assert candidate in [each.number for each in verdict.candidates]
    assert "2030-02-03 has no" in verdict.message


def test_an_unknown_number_with_a_name_beside_it(old: Rulebook) -> None:
    verdict = of(Judge(old), "CR 702.230 (Cycling)")
    assert (verdict.status, verdict.candidates[0].number) == ("unknown", "702.29")
    assert not verdict.sure


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("CR 702.19 (flying)", "702.9"),
        ("CR 702.3, Cycling.", "702.29"),
        ("Trample (CR 702.29)", "702.19"),
        ("CR 701.13 (Scry)", "701.22"),
        ("CR 601 (Targets) of creatures", "115"),
        ("CR 702.3 (Typecycling)", "702.29e"),
        ("rule 714, “Commander,”", "903"),
        ("CR 701.21: Scry", "701.22"),  # the heading counts, not the glossary with its wrong number
    ],
)
def test_a_name_of_another_rule(old: Rulebook, text: str, target: str) -> None:
    verdict = of(Judge(old), text)
    assert (verdict.status, verdict.target, verdict.sure) == ("mismatch", target, False)
    assert f"is the name of {target}" in verdict.message


def test_words_of_another_rule(old: Rulebook) -> None:
    words = "Cycling is an activated ability that works in the hand"
    verdict = of(Judge(old), f'CR 702.33a: "{words}"')
    assert (verdict.status, verdict.target, verdict.sure) == ("mismatch", "702.29a", True)
    partial = of(Judge(old), 'CR 702.33a: "[c]ycling is an activated ability ... that works in the hand"')
    assert (partial.status, partial.target) == ("mismatch", "702.29a")
    sibling = of(
        Judge(old), 'CR 702.33a: "Multikicker is a variant of the kicker ability. “Multikicker [cost]”"'
    )
    assert (sibling.status, sibling.target) == ("mismatch", "702.33c")
    running = of(Judge(old), f"// CR 702.33a {words}.")
    assert (running.status, running.target) == ("mismatch", "702.29a")


def test_a_range_runs_upward(old: Rulebook) -> None:
    verdict = of(Judge(old), "rules 601.2f–b")
    assert (verdict.status, verdict.sure) == ("mismatch", False)
    assert "does not run upward" in verdict.message
    assert of(Judge(old), "rules 601.2f–z").status == "unknown"


def test_an_outline_knows_numbers_and_names(old: Rulebook) -> None:
    judge = Judge(outline_of(old))
    assert of(judge, "CR 702.29e").status == "right"
    assert of(judge, "CR 702.29q").status == "unknown"
    assert of(judge, "CR 702.19 (flying)").target == "702.9"
    assert of(judge, "CR 702.2c (trample)").status in ("right", "unknown")
    assert of(judge, 'CR 702.33a: "Cycling is an activated ability that works in the hand"').status == "right"


def outline_of(book: Rulebook) -> Rulebook:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "outline.json"
        path.write_bytes(outline.dump(book))
        return outline.load(path)


def test_moved_numbers(old: Rulebook, new: Rulebook) -> None:
    judge = Judge(new, old)
    scry = of(judge, "CR 701.22a")
    assert (scry.status, scry.target, scry.sure) == ("moved", "701.60a", True)
    assert scry.message == (
        "701.22a of 2030-02-03, Scry, is 701.60a in 2031-05-05, where 701.22a is a rule of “Sacrifice”"
    )
    assert of(judge, "CR 701.22 (Scry)").target == "701.60"
    assert of(judge, "CR 702.29e").status == "right"
    assert of(judge, "CR 601.2n").target == "601.2m"


def test_a_text_that_names_the_new_rule_is_written_anew_already(old: Rulebook, new: Rulebook) -> None:
    assert of(Judge(new, old), "CR 701.22 (Sacrifice)").status == "right"
    assert of(Judge(new, old), 'CR 601.2g: "The price is paid by them all in the end"').status != "mismatch"


def test_what_contradicts_is_not_sure(old: Rulebook, new: Rulebook) -> None:
    verdict = of(Judge(new, old), "CR 701.22 (Destroy)")
    assert (verdict.status, verdict.sure) == ("mismatch", False)


def test_what_is_written_in_one_moves_together(old: Rulebook, new: Rulebook) -> None:
    judge = Judge(new, old)
    first, last = (judge.judge(each) for each in mentions("rules 601.2j–n"))
    assert [(each.status, each.target, each.sure) for each in (first, last)] == [
        ("moved", "601.2i", True),
        ("moved", "601.2m", True),
    ]
    first, last = (judge.judge(each) for each in mentions("rules 601.2f–h"))  # 601.2g is gone
    assert (first.status, last.status, last.target, last.sure) == ("right", "moved", "601.2g", False)


def test_a_number_that_only_the_newer_release_has(old: Rulebook, new: Rulebook) -> None:
    assert of(Judge(new, old), "CR 701.60").status == "right"


def test_the_same_release_twice_is_no_history(old: Rulebook) -> None:
    assert of(Judge(old, old), "CR 701.22a").status == "right"


def test_verdicts_keep_their_own_mention(old: Rulebook) -> None:
    judge = Judge(old)
    one, two = (judge.judge(each) for each in mentions("CR 702.29z and CR 702.29z"))
    assert one.mention.start < two.mention.start
    assert one.message == two.message


@pytest.mark.real
class TestRealReleases:
    @pytest.fixture
    def books(self, real_data: Path) -> dict[str, Rulebook]:
        dates = ("2016-07-22", "2025-02-07", "2026-01-16")
        return {date: release(real_data / "rules" / f"{date}.txt") for date in dates}

    def test_a_release_cites_itself_rightly(self, books: dict[str, Rulebook]) -> None:
        """Every reference by word that `references` finds is found, and right but for two known slips."""
        book = books["2026-01-16"]
        judge = Judge(book)
        senses = [(term.names[0], sense) for term in book.terms for sense in term.senses]
        passages = [
            (number, part)
            for number, rule in book.rules.items()
            for part in (rule.text or "", *rule.examples)
        ] + senses
        missed, wrong = {}, {}
        for where, passage in passages:
            cited = citing(passage, book.rules)
            found = set()
            game = f"{passage}\n\nMTG"
            for each in mentions(game):
                found.update(expand_range(each.first, each.number) if each.first else (each.number,))
                if (verdict := judge.judge(each)).status != "right":
                    wrong[where] = verdict.target or verdict.candidates[0].number
            lost = {*cited.numbers, *cited.dangling} - found
            if lost:
                missed[where] = lost
        assert set(wrong) == {"Endure", "Map"}
        assert wrong["Endure"] == "701.63"
        without_word = {"616.1d", "616.1g", "700.5a", "701.49d", "701.54d", "702.160a", "725.5", "901.9d"}
        assert set(missed) <= without_word

    @pytest.mark.parametrize(
        ("text", "target"),
        [
            ("CR 701.13a (Mill)", "701.17a"),
            ("CR 701.13", "701.17"),
            ("CR 701.22", "701.29"),
            ("CR 701.36, Investigate.", "701.16"),
        ],
    )
    def test_known_moves_of_2025(self, books: dict[str, Rulebook], text: str, target: str) -> None:
        verdict = of(Judge(books["2026-01-16"], books["2025-02-07"]), text)
        assert (verdict.status, verdict.target, verdict.sure) == ("moved", target, True)

    def test_what_the_release_of_2016_cites_has_moved(self, books: dict[str, Rulebook]) -> None:
        old, new = books["2016-07-22"], books["2026-01-16"]
        judge = Judge(new, old)
        often = Counter(rule.text for rule in new.rules.values())
        words = {
            rule.text: number for number, rule in new.rules.items() if rule.text and often[rule.text] == 1
        }
        text = "\n\n".join(rule.text for rule in old.rules.values() if rule.text)
        verdicts = [judge.judge(each) for each in mentions(text)]
        assert len(verdicts) > 700
        sure = [each for each in verdicts if each.sure]
        assert len(sure) > 150
        for each in verdicts:
            there = old.rules.get(each.mention.number)
            same = words.get(there.text) if there and there.text else None
            if same and same != each.mention.number and each.sure:
                assert each.target == same


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("CR 701.22 scry two", True),
        ("scry two as CR 701.22 has it", True),
        ("CR 701.22 in the game of creatures", True),
        ("CR 701.22 sacrifice a creature", False),  # what the line speaks of has another number in both
        ("'Sacrifice a creature' (CR 701.22)", False),
        ("a creature is sacrificed: CR 701.22", False),
        ("when its owner scries, not when it is sacrificed (CR 701.22)", True),
    ],
)
def test_the_line_names_another_keyword(old: Rulebook, new: Rulebook, text: str, sure: bool) -> None:
    verdict = of(Judge(new, old), text)
    assert (verdict.status, verdict.target, verdict.sure) == ("moved", "701.60", sure)


def test_a_name_with_more_words_counts_by_its_keyword(old: Rulebook, new: Rulebook) -> None:
    assert of(Judge(new, old), "CR 701.22: scry two").target == "701.60"
    assert of(Judge(new, old), "CR 701.60: scry two").status == "right"
    assert of(Judge(new, old), "CR 701.22: sacrifice two").status == "right"  # its number now


def test_the_rule_of_a_heading_with_two_names(old: Rulebook) -> None:
    assert of(Judge(old), "untap (CR 701.21)").target == "701.26"
    assert of(Judge(old), "untap (CR 701.21a)").target == "701.26b"
