"""Symbols in words, and what they are drawn of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardlaw.exports.mana import SYMBOL, pip
from cardlaw.exports.pages import templates


@pytest.mark.parametrize(
    ("code", "said", "fills"),
    [
        ("{R}", "one red mana", ("r",)),
        ("{0}", "zero generic mana", ("plain",)),
        ("{16}", "sixteen generic mana", ("plain",)),
        ("{1000000}", "1,000,000 generic mana", ("plain",)),
        ("{X}", "X generic mana", ("plain",)),
        ("{C}", "one colorless mana", ("plain",)),
        ("{S}", "one snow mana", ("snow",)),
        ("{W/U}", "one white mana or one blue mana", ("w", "u")),
        ("{2/B}", "two generic mana or one black mana", ("plain", "b")),
        ("{C/G}", "one colorless mana or one green mana", ("plain", "g")),
        ("{U/P}", "one blue mana or two life", ("u",)),
        ("{R/W/P}", "one red mana or one white mana or two life", ("r", "w")),
        ("{T}", "tap this permanent", ("plain",)),
        ("{Q}", "untap this permanent", ("dark",)),
        ("{E}", "an energy counter", ("plain",)),
        ("{HW}", "one-half white mana", ("w",)),
        ("{CHAOS}", "chaos", ("plain",)),
        ("{ZZ}", "ZZ", ("plain",)),
    ],
)
def test_a_symbol_is_said_and_filled(code: str, said: str, fills: tuple[str, ...]) -> None:
    assert (pip(code).said, pip(code).fills) == (said, fills)


def test_halves_have_drawings_or_letters_of_their_own() -> None:
    assert (pip("{2/W}").drawings, pip("{2/W}").letters) == (("", "w"), ("2", ""))
    assert (pip("{G/W/P}").drawings, pip("{HW}").is_half) == (("phyrexian",), True)


def test_all_drawings_are_there() -> None:
    drawn = templates().get_template("parts.html").module.drawn  # type: ignore[attr-defined]
    codes = [*"WUBRGCSTQEADLPH", "CHAOS", "PW", "TK", "HW", "HR", "W/P", "2/W"]
    for code in codes:
        assert all(name in drawn for name in pip(f"{{{code}}}").drawings if name), code


@pytest.mark.real
def test_all_symbols_of_all_cards_have_words(corpus_path: Path) -> None:
    cards = json.loads(corpus_path.read_text(encoding="utf-8"))
    codes = {m[0] for c in cards for m in SYMBOL.finditer(f"{c.get('manaCost')} {c.get('text')}")}
    assert len(codes) > 70
    assert [code for code in codes if pip(code).said == code.strip("{}")] == []
