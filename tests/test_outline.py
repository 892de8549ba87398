"""The outline: nothing of the words, everything else, the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs

from cardlaw.graph.errors import RulebookError
from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.rulebook import read

FIXTURE = Path(__file__).parent / "fixtures" / "rulebook.txt"


def without_words(book: Rulebook) -> Rulebook:
    return structs.replace(
        book,
        rules={n: structs.replace(rule, text=None, examples=()) for n, rule in book.rules.items()},
        terms=tuple(structs.replace(term, senses=()) for term in book.terms),
        warnings=(),
        has_text=False,
    )


def words_of(book: Rulebook) -> list[str]:
    """Every sentence of eight words or more."""
    passages = [p for rule in book.rules.values() for p in (rule.text or "", *rule.examples)]
    passages += [sense for term in book.terms for sense in term.senses]
    return [s for p in passages for s in p.split(".") if len(s.split()) >= 8]


def test_round_trip_keeps_all_but_the_words(tmp_path: Path) -> None:
    book = structs.replace(read(FIXTURE), anchors={"Scry": "701.22", "Ante": None})
    path = tmp_path / "outline.json"
    path.write_bytes(outline.dump(book))
    assert outline.load(path) == without_words(book)
    assert outline.dump(outline.load(path)) == path.read_bytes()


def test_bytes_are_deterministic_and_one_rule_stands_on_a_line() -> None:
    book = read(FIXTURE)
    dumped = outline.dump(book)
    assert dumped == outline.dump(read(FIXTURE))
    lines = dumped.decode().splitlines()
    assert '["702.29","Cycling","702",[]],' in lines
    assert '["101.1",null,"101",["120"]],' in lines
    assert json.loads(dumped)["release"] == "2030-02-03"


def test_no_words_are_in_it() -> None:
    book = read(FIXTURE)
    dumped = outline.dump(book).decode()
    assert len(words_of(book)) > 50
    assert not [sentence for sentence in words_of(book) if sentence in dumped]


def test_shipped_outline_is_the_default() -> None:
    book = outline.load()
    assert not book.has_text
    assert book.release == "2026-01-16"
    assert len(book.rules) == 3269
    assert book.rules["702.29"].title == "Cycling"
    assert book.rules["702.29e"].title is None
    assert all(rule.text is None and not rule.examples for rule in book.rules.values())
    assert not any(term.senses for term in book.terms)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"", b"", "is damaged"),
        (b'"release"', b'"relaese"', "is damaged"),
        (b'"702.29","Cycling"', b'"702.29",7', "is damaged"),
        (b'["101.1",null,"101",["120"]]', b'["101.1",null,"101",["999"]]', "rule 101.1 leads to a rule"),
        (b'["101.1",null,"101"', b'["101.1",null,"10"', "rule 101.1 leads to a rule"),
        (b'"format":1', b'"format":2', "is of format 2"),
        (b"Cycling", b"Cycl\xffng", "is damaged"),
    ],
)
def test_damage_is_a_clear_error(tmp_path: Path, old: bytes, new: bytes, says: str) -> None:
    good = outline.dump(read(FIXTURE))
    assert old in good
    path = tmp_path / "outline.json"
    path.write_bytes(good.replace(old, new) if old else good[: len(good) // 2])
    with pytest.raises(RulebookError, match=says) as caught:
        outline.load(path)
    assert "python -m cardlaw.graph.sources.outline" in str(caught.value)


def test_missing_outline_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="cannot read"):
        outline.load(tmp_path / "outline.json")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "outline.json"
    assert outline.main([str(FIXTURE), "-o", str(path)]) == 0
    book = outline.load(path)
    assert book.rules == without_words(read(FIXTURE)).rules
    captured = capsys.readouterr()
    assert "warning: 505.54 is read as 505.4" in captured.err
    assert captured.out == ""


def test_command_with_no_rulebook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert outline.main([str(Path(__file__)), "-o", str(tmp_path / "outline.json")]) == 1
    assert "is no text of the Comprehensive Rules" in capsys.readouterr().err
    assert not (tmp_path / "outline.json").exists()


@pytest.mark.real
def test_shipped_outline_is_that_of_the_text(real_data: Path) -> None:
    book = read(real_data / "rules" / "2026-01-16.txt")
    shipped = outline.load()
    assert shipped == structs.replace(without_words(book), anchors=shipped.anchors)


@pytest.mark.real
def test_shipped_outline_has_no_words(real_data: Path) -> None:
    shipped = outline.dump(outline.load()).decode()
    sentences = words_of(read(real_data / "rules" / "2026-01-16.txt"))
    assert len(sentences) > 3000
    assert not [sentence for sentence in sentences if sentence in shipped]
