"""Encodings, lines and columns of what is cited."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlaw.graph.citing.files import LARGEST, Found, Skipped
from cardlaw.graph.citing.records import Mention
from cardlaw.graph.citing.texts import Cited, Text, decode, encode, located, read, scan


def places(text: str) -> list[tuple[int, int, int, str]]:
    """(line, column, column in UTF-16, what is written) of each CR 1xx.x in a text."""
    found = scan("a", text.encode("utf-8", "surrogatepass"))
    assert isinstance(found, Text)
    return [(each.line, each.column, each.column16, each.written) for each in found.cited]


@pytest.mark.parametrize(
    ("text", "line", "column", "column16"),
    [
        ("CR 101.1", 1, 4, 4),
        ("a\nCR 101.1", 2, 4, 4),
        ("a\r\nCR 101.1\r\n", 2, 4, 4),
        ("a\rCR 101.1\r", 2, 4, 4),
        ("a\r\r\n\n\rCR 101.1", 5, 4, 4),
        ("\tCR 101.1", 1, 5, 5),
        ("é — CR 101.1", 1, 8, 8),
        ("😀😀\nx 😀 CR 101.1", 2, 8, 9),
        ("a\u2028b\u0085c\x0bd\x0ce CR 101.1", 1, 14, 14),  # no line ends for an editor
    ],
)
def test_lines_and_columns(text: str, line: int, column: int, column16: int) -> None:
    assert places(text) == [(line, column, column16, "101.1")]


def test_several_on_a_line() -> None:
    assert places("😀 CR 101.1 😀 CR 101.2\r\nCR 601.2b–d") == [
        (1, 6, 7, "101.1"),
        (1, 17, 19, "101.2"),
        (2, 4, 4, "601.2b"),
        (2, 11, 11, "d"),
    ]


@given(st.text(st.sampled_from("ab 😀\r\n\té\u2028"), max_size=30), st.data())
def test_places_are_those_of_the_lines_before(text: str, data: st.DataObject) -> None:
    starts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=5)))
    mentions = [Mention(number="100.1", start=at, end=min(at + 1, len(text)), form="CR") for at in starts]
    for cited in located(text, mentions):
        before = text[: cited.mention.start]
        # A CR whose LF comes after the place ends its line all the same.
        lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        split = before.endswith("\r") and text[cited.mention.start : cited.mention.start + 1] == "\n"
        if split:
            continue
        assert (cited.line, cited.column) == (len(lines), len(lines[-1]) + 1)
        assert cited.column16 == len(lines[-1].encode("utf-16-le")) // 2 + 1
        assert cited.end_column16 - cited.column16 == len(cited.written.encode("utf-16-le")) // 2


TEXT = "§ 101.1 “é” – CR 101.2\r\nb"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8 with BOM"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (TEXT.encode("cp1252"), "windows-1252"),
    ],
)
def test_encodings(data: bytes, encoding: str) -> None:
    decoded = decode(data)
    assert decoded is not None
    assert decoded == (TEXT, encoding)
    assert encode(decoded.text, decoded.encoding) == data
    found = scan("a", data)
    assert isinstance(found, Text)
    assert [each.column for each in found.cited] == [3, 18]


@given(
    st.binary(max_size=60)
    | st.builds(lambda a, b: a + b, st.sampled_from([codecs.BOM_UTF8, b"\xff\xfe"]), st.binary())
)
def test_what_is_read_can_be_written_byte_for_byte(data: bytes) -> None:
    decoded = decode(data)
    if decoded is not None:
        assert encode(decoded.text, decoded.encoding) == data
        assert "\0" not in decoded.text


@pytest.mark.parametrize(
    "data",
    [
        b"CR 101.1\0",
        b"\x89PNG\r\n\x1a\n\xff",
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF8 + b"\xff",
        b"\xff\xfe\0\0a\0\0\0",
    ],
)
def test_binary_files_are_skipped(data: bytes) -> None:
    assert scan("a", data) == Skipped("a", "binary")


def test_every_byte_is_a_character_of_windows_1252() -> None:
    text = bytes(each for each in range(256) if each >= 32 and each != 127)
    decoded = decode(text)
    assert decoded is not None
    assert decoded.encoding == "windows-1252"
    assert decoded.text[0x80 - 33 : 0x82 - 33] == "€\x81"  # as the WHATWG Encoding Standard maps it


def test_a_file_that_has_grown_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    assert read(Found(str(path), 5)) == Skipped(str(path), "too large")
    nope = str(tmp_path / "nope")
    assert read(Found(nope, 5)) == Skipped(nope, "unreadable")


def test_the_words_around_are_of_the_line() -> None:
    cited = scan("a", b"x" * 200 + b"\n  see  CR 101.1,\tnot more\r" + b"y" * 200)
    assert isinstance(cited, Text)
    (one,) = cited.cited
    assert isinstance(one, Cited)
    assert one.around == "see CR 101.1, not more"
