"""Plain oracle text and whole cards as people paste them."""

from __future__ import annotations

import pytest

from cardlaw.exports.cardtext import face_of
from cardlaw.graph.errors import SourceError

LEGEND = "Ossa, Door Keeper {1}{W}\nLegendary Creature — Human Monk\nFlying\nWhen Ossa enters, scry 1.\n2/*\n"


def test_plain_text_is_oracle_text() -> None:
    face = face_of("Flying\r\n\n  Draw a card. \n")
    assert (face.name, face.type_line, face.oracle_text) == ("", None, "Flying\nDraw a card.")


def test_options_name_what_plain_text_does_not() -> None:
    face = face_of("Draw a card.", name="Lamp", type_line="Instant")
    assert (face.name, face.type_line, face.oracle_text) == ("Lamp", "Instant", "Draw a card.")


@pytest.mark.parametrize("page", [LEGEND, LEGEND.replace(" {1}{W}", "\n{1}{W}")])
def test_a_page_has_name_cost_type_line_text_and_size(page: str) -> None:
    face = face_of(page)
    assert (face.name, face.mana_cost) == ("Ossa, Door Keeper", "{1}{W}")
    assert face.type_line == "Legendary Creature — Human Monk"
    assert face.oracle_text == "Flying\nWhen Ossa enters, scry 1."
    assert (face.power, face.toughness) == ("2", "*")


def test_a_page_may_begin_with_its_type_line() -> None:
    face = face_of("Artifact Creature - Golem\nHaste", name="Clay")
    assert (face.name, face.type_line, face.oracle_text) == ("Clay", "Artifact Creature - Golem", "Haste")


def test_a_planeswalker_has_its_loyalty_last() -> None:
    face = face_of("Ossa {3}\nLegendary Planeswalker — Ossa\n[+1]: Scry 1.\nLoyalty: 4")
    assert (face.loyalty, face.oracle_text) == ("4", "[+1]: Scry 1.")


def test_a_land_may_have_no_text() -> None:
    face = face_of("Grey Field\nLand")
    assert (face.name, face.type_line, face.oracle_text) == ("Grey Field", "Land", "")


@pytest.mark.parametrize(
    "text",
    [
        "Creatures you control have haste.\nDraw a card.",
        "Enchant creature\nEnchanted creature gets +1/+1.",
        "Flying\nHaste\nReach\nCreature — Bird",
        "Draw a card.\nScry 1.\nInstant",
    ],
)
def test_abilities_are_not_taken_for_a_page(text: str) -> None:
    assert face_of(text).oracle_text == text


@pytest.mark.parametrize("text", ["", " \n\t\n"])
def test_nothing_to_annotate_is_an_error(text: str) -> None:
    with pytest.raises(SourceError, match="no text"):
        face_of(text)
