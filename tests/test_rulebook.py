"""The rulebook parser: an invented rulebook with every fault that was seen, and the eight real releases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlaw.graph.errors import RulebookError
from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources.references import citing, expand_range, next_letter, ordinal
from cardlaw.graph.sources.rulebook import normalize, parse, read
from cardlaw.graph.sources.wording import decode

FIXTURE = Path(__file__).parent / "fixtures" / "rulebook.txt"
TEXT = FIXTURE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return read(FIXTURE)


def text_of(book: Rulebook, number: str) -> str:
    return book.rules[number].text or ""


# --- layout, numbers, paragraphs


def test_release_is_the_date_in_the_text(book: Rulebook) -> None:
    assert book.release == "2030-02-03"
    assert parse(TEXT.replace("3, 2030.", "3, 2030").encode()).release == "2030-02-03"


def test_body_begins_after_the_contents(book: Rulebook) -> None:
    numbers = list(book.rules)
    assert numbers[:4] == ["1", "100", "100.1", "100.1a"]
    assert numbers[-1] == "903.12a"
    assert [n for n in numbers if len(n) == 1] == list("123456789")
    assert book.rules["600"].title == "General"
    assert book.rules["601"].parent == "6"


def test_parents(book: Rulebook) -> None:
    chain = ["702.29e"]
    while parent := book.rules[chain[-1]].parent:
        chain.append(parent)
    assert chain == ["702.29e", "702.29", "702", "7"]


@pytest.mark.parametrize("number", ["1", "205", "205.2", "702.29", "702.163", "702.186", "903.12"])
def test_heading_alone_has_no_text(book: Rulebook, number: str) -> None:
    assert book.rules[number].title
    assert book.rules[number].text is None


def test_headings_keep_exclamation_marks_and_symbols(book: Rulebook) -> None:
    assert book.rules["702.163"].title == "For Mirrodin!"
    assert book.rules["702.186"].title == "∞ (Infinity)"


@pytest.mark.parametrize("number", ["100.1", "701.1", "702.1", "903.4"])
def test_sentence_is_no_heading(book: Rulebook, number: str) -> None:
    assert book.rules[number].title is None
    assert book.rules[number].text


@pytest.mark.parametrize(
    ("number", "begins"),
    [
        ("119.1d", "In a short"),  # a dot after the letter
        ("606.2", "Friends"),  # no dot after the number
        ("903.4", "All others"),  # no space after the dot
        ("702.37a", "Morph"),  # a space inside
        ("505.4", "A Saga"),  # 505.54 in the text
        ("702.9c", "What flies twice"),  # a second 702.9b in the text
        ("602.1", "An activated"),
    ],
)
def test_odd_numbers_are_read(book: Rulebook, number: str, begins: str) -> None:
    assert text_of(book, number).startswith(begins)


def test_faults_are_warnings(book: Rulebook) -> None:
    for warning in (
        "505.54 is read as 505.4, since 505.4a comes next",
        "702.9b stands twice: the second is read as 702.9c",
        "702.37a stands without 702.37",
        "701.8 stands after a gap, after 701.2a",
        "glossary “Kettle” cites 110.10, which is no rule of this release",
        "glossary “Scry” cites rule 701.21, which is “Sacrifice”, by the name “Scry”",
        "glossary “Upkeep” points to “Chore”, which is no entry",
    ):
        assert warning in book.warnings
    assert "505.54" not in book.rules
    assert book.rules["505.4a"].parent == "505.4"


def test_letters_out_of_order_keep_their_place() -> None:
    swapped = TEXT.replace("601.2b The", "601.2? The").replace("601.2c The", "601.2b The")
    book = parse(swapped.replace("601.2? The", "601.2c The").encode())
    assert list(book.rules).index("601.2c") < list(book.rules).index("601.2b")
    assert "601.2b stands out of order, after 601.2c" in book.warnings


def test_number_twice_with_no_letter_free_is_one_rule() -> None:
    book = parse(TEXT.replace("601.2c The", "601.2b The").replace("601.2d The", "601.2c The").encode())
    assert len(text_of(book, "601.2b").split("\n")) == 2
    assert "601.2b stands twice: the second is kept as a further paragraph" in book.warnings


def test_continuation_lines_belong_to_the_rule(book: Rulebook) -> None:
    first, second = text_of(book, "509.1b").split("\n")
    assert first.endswith("may.")
    assert second.startswith("A restriction")
    assert book.rules["509.1b"].references == ("702.9b",)


def test_examples_follow_their_rule(book: Rulebook) -> None:
    one, two = book.rules["101.1"].examples
    assert one.startswith("A paper says “hop.”")
    assert two.startswith("A paper says “sit.”")
    assert book.rules["101.1"].references == ("120",)


def test_blank_lines_may_be_missing_or_stray() -> None:
    tight = parse(re.sub(r"\n\n(?=601\.2[a-z])", "\n", TEXT).encode())
    loose = parse(TEXT.replace("\nExample:", "\n\n\nExample:").encode())
    assert tight.rules == loose.rules == read(FIXTURE).rules


def test_stray_line_is_kept_and_named() -> None:
    book = parse(TEXT.replace("\n\n119.8.", "\nf\n\n119.8.").encode())
    assert text_of(book, "119.7").endswith("\nf")
    assert "119.7 is followed by a line without a number: “f”" in book.warnings


def test_numbered_line_in_a_paragraph_is_no_chapter() -> None:
    book = parse(TEXT.replace("\n\n119.8.", "\n     7. Seven\n\n119.8.").encode())
    assert text_of(book, "119.7").endswith("\n7. Seven")
    assert list(book.rules) == list(read(FIXTURE).rules)


# --- encodings and line ends


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_make_no_difference(encoding: str, end: str) -> None:
    book = parse(TEXT.replace("\n", end).encode(encoding))
    assert book == read(FIXTURE)


def test_mixed_line_ends_and_nothing_else_splits() -> None:
    mixed = re.sub(r"\n\n(?=[1-9]\. |Glossary|Credits)", "\r\r\n", TEXT.replace("a.\n", "a.\r"))
    assert parse(mixed.encode()).rules == read(FIXTURE).rules
    odd = parse(TEXT.replace("box of tokens", "box\x85of\u2028tokens").encode())
    assert text_of(odd, "100.1") == "Any two people and a box\x85of\u2028tokens make a game."


def test_big_endian_utf_16() -> None:
    assert parse(b"\xfe\xff" + TEXT.encode("utf-16-be")) == read(FIXTURE)


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("ascii", "Dandan"),
        ("cp1252", "“Dandân” – æther™"),
        ("cp437", '"Dandân" - aether'),
        ("mac_roman", "“Dandân” – æther™"),
        ("utf-8", "“Dandân” – ∞"),
    ],
)
def test_encoding_is_detected(encoding: str, words: str) -> None:
    assert decode(words.encode(encoding)) == words


# --- what is no rulebook


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b" \r\n\r\n", "is empty"),
        (b"\xff\xfeabc", "unknown encoding"),
        (b"\x00\x01\x02\x80", "unknown encoding"),
        (bytes(range(128, 256)) * 9, "unknown encoding"),
        (b'{"name": "a card"}', "is no text of the Comprehensive Rules"),
        (b"These rules are effective as of July 11, 2029.\n", "has no rule 100.1"),
        (TEXT.replace("February 3, 2030", "February 30, 2030").encode(), "is no date"),
        (TEXT.replace("2030", "2005").encode(), "2009-07-11 or later"),
    ],
)
def test_no_rulebook_is_a_clear_error(data: bytes, says: str) -> None:
    with pytest.raises(RulebookError, match=says) as caught:
        parse(data, name="file.txt")
    assert str(caught.value).startswith("file.txt ")
    assert "\n" not in str(caught.value)


def test_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="cannot read"):
        read(tmp_path / "none.txt")


def test_cut_text_is_used_and_warned_of() -> None:
    cut = TEXT[: TEXT.rindex("Kicker, Kicked")]
    book = parse(cut.encode())
    assert book.rules == read(FIXTURE).rules
    assert book.terms[-1].names == ("Kettle",)
    assert any("breaks off in the glossary" in w and "no credits" in w for w in book.warnings)
    book = parse(TEXT[: TEXT.rindex("Glossary")].encode())
    assert book.terms == ()
    assert any("breaks off in the rules" in w and "no glossary and no credits" in w for w in book.warnings)


def test_missing_chapter_heading_does_not_swallow_its_rules() -> None:
    head, _, body = TEXT.rpartition("\n4. Zones\n")
    book = parse((head + body).encode())
    assert book.rules.keys() == read(FIXTURE).rules.keys() - {"4"}
    assert "400 stands without 4" in book.warnings


@given(st.binary(max_size=300))
def test_no_bytes_crash(data: bytes) -> None:
    with pytest.raises(RulebookError):
        parse(data)


@given(st.lists(st.sampled_from(TEXT.split("\n")), max_size=60))
def test_no_shuffled_rulebook_crashes(lines: list[str]) -> None:
    start = (
        "effective as of May 4, 2031.\n\n1. Game Concepts\n\n100. General\n\n100.1. Hop.\n\n"
        "701. Keyword Actions\n\n701.1. Some.\n\n701.2. Hop\n\n"
        "702. Keyword Abilities\n\n702.1. Some.\n\n702.2. Hopping\n\n"
    )
    try:
        book = parse((start + "\n".join(lines)).encode())
    except RulebookError:  # a later line begins the book anew, so that its keywords are gone
        return
    assert all(rule.parent in book.rules for rule in book.rules.values() if rule.parent)
    assert all(n in book.rules for rule in book.rules.values() for n in rule.references)


@given(st.text(max_size=200))
def test_no_text_in_a_rule_crashes(words: str) -> None:
    book = parse(TEXT.replace("Damage spills beans.", words.replace("\0", "")).encode("utf-8", "replace"))
    assert "122.1" in book.rules


# --- cross-references


@pytest.mark.parametrize(
    ("number", "references"),
    [
        ("100.1a", ["8"]),
        ("100.1b", []),
        ("100.2", ["601.2a", "601.2b", "601.2c", "601.2d", "601"]),
        ("101.2", ["101.1"]),
        ("115.1a", ["111"]),
        ("119.9", ["119.7", "119.8"]),
        ("205.3i", ["301.5"]),
        ("301.5f", ["702.6a"]),
        ("601.2", ["601.2b", "601.2d", "601.2e", "601.2f"]),
        ("601.2b", ["601.2c", "601.2d", "601.2e"]),
        ("601.2n", ["601.2j", "601.2k", "601.2m"]),
        ("613.1b", ["613.1a", "119.7", "119.8", "119.9", "702.29"]),
        ("702.33a", ["601.2b", "601.2f", "601.2g", "601.2h"]),
        ("903.4", ["714"]),
        ("903.8", ["903.6", "903.7"]),
        ("903.12a", ["903", "119.1d"]),
    ],
)
def test_references(book: Rulebook, number: str, references: list[str]) -> None:
    assert list(book.rules[number].references) == references


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("See rules 701.27a–b, 712.9–10, and 712.18.", ["701.27a", "701.27b", "712.9", "712.10", "712.18"]),
        ("See rule 703, “Turns,” and rule 704, “State.”", ["703", "704"]),
        ("See rules 702.109, “Dash,” 702.152, “Blitz,” and 729, “Merging.”", ["702.109", "702.152", "729"]),
        ("See rules 613 and 614.", ["613", "614"]),
        ("See Section 901, “Planes,” and sections 2 and 3.", ["901", "2", "3"]),
        ("See section 5.\n2. Another sense.", ["5"]),
        ("Roll 613 dice, pay $903.60, call +32.70.233 or 1-800-324; exactly 100 cards, 613 of them.", []),
        ("rules 613.4c and  613.4d", ["613.4c", "613.4d"]),
    ],
)
def test_forms_of_references(text: str, numbers: list[str]) -> None:
    assert list(citing(text, _Everything()).numbers) == numbers


class _Everything(frozenset[str]):
    """A release that has any number that is asked for."""

    def __contains__(self, number: object) -> bool:
        return True


def test_number_that_is_no_rule_is_dangling() -> None:
    cited = citing("See rule 110.10 and rule 111.", {"111"})
    assert (cited.numbers, cited.dangling) == (("111",), ("110.10",))


def test_letters_skip_l_and_o() -> None:
    letters = ["a"]
    while letters[-1] != "ab":
        letters.append(next_letter(letters[-1]))
    assert "".join(letters) == "abcdefghijkmnpqrstuvwxyzaaab"


@given(st.integers(1, 60), st.integers(1, 60))
def test_ranges_expand_to_every_letter_between(first: int, last: int) -> None:
    letters = ["a"]
    while len(letters) < 60:
        letters.append(next_letter(letters[-1]))
    low, high = letters[first - 1], letters[last - 1]
    assert (ordinal(low), ordinal(high)) == (first, last)
    expanded = expand_range(f"601.2{low}", f"601.2{high}")
    if first <= last:
        assert [number[5:] for number in expanded] == letters[first - 1 : last]
    else:
        assert expanded == (f"601.2{low}", f"601.2{high}")


@given(st.integers(1, 200), st.integers(0, 30))
def test_ranges_expand_to_every_rule_between(first: int, more: int) -> None:
    expected = tuple(f"119.{n}" for n in range(first, first + more + 1))
    assert expand_range(f"119.{first}", f"119.{first + more}") == expected
    assert citing(f"rules 119.{first}–{first + more}", _Everything()).numbers == expected


@given(st.text(st.characters(exclude_characters="_()™®")))
def test_normalize_is_stable(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


def test_normalize_folds_what_releases_differ_in() -> None:
    new, old = "Magic™ — “don’t” −1/−1", '_Magic_(TM) - "don\'t"  -1/-1'
    assert normalize(new) == normalize(old)


def test_a_text_without_keywords_is_no_usable_rulebook() -> None:
    text = "These rules are effective as of January 16, 2026.\n1. T\n100. U\n100.1. x\nGlossary\nCredits\n"
    with pytest.raises(RulebookError, match="give the whole official text"):
        parse(text.encode())
