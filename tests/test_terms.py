"""Defined terms and card types on invented cards, by the linking guide.

In a case's text the evidence stands between ⟦ and ⟧. Rule numbers are those of the shipped outline.
"""

from __future__ import annotations

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Face
from cardlaw.graph.sources import outline


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def cited(linker: Linker, text: str, relation: str = "defined_term") -> dict[str, str]:
    """The rules cited in a text by one relation, with their words."""
    face = linker.link(Face(name="Zyx Warden", type_line="Creature — Golem", oracle_text=text))
    return {c.rule: c.quote for a in face.abilities for c in a.citations if c.relation == relation}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Whenever you tap a Forest for mana, ⟦add⟧ an additional {G}.", "106.4"),
        (
            "Whenever you tap a Forest for mana, ⟦add⟧ an additional amount of {G} equal to its power.",
            "106.4",
        ),
        ("{T}: Add {C}{C}. You ⟦can't spend this mana⟧ to cast creature spells.", "106.6"),
        ("{T}: Add {C}. ⟦If you spend this mana⟧ to cast a Golem spell, draw a card.", "106.6"),
        ("Whenever a player ⟦taps a Mountain, Forest, or Plains for mana⟧, draw a card.", "106.12"),
        ("{2}: ⟦Tap up to two lands your opponents control for mana⟧.", "106.12"),
        ("As this creature enters, ⟦choose up to two colors⟧.", "105.4"),
        ("Activate only if you've lost two or more ⟦{E}⟧ this turn.", "107.14"),
        ("Tap a creature ⟦of defending player's choice⟧.", "608.2d"),
        ("Exile target ⟦multicolored⟧ permanent card from a graveyard.", "105.2b"),
        ("Whenever this creature attacks, ⟦flip it⟧.", "710"),
        ("Create a 1/1 ⟦colorless⟧ Golem artifact creature token.", "105.2c"),
        ("Choose a ⟦creature type⟧.", "205.3"),
        ("Unlock a ⟦door⟧ of target Room you control.", "709.5"),
        ("Counter target spell. Cast a card you own from ⟦outside the game⟧.", "400.11"),
        ("Each opponent faces a villainous choice — They lose 3 ⟦life⟧, or you draw a card.", "119"),
    ],
)
def test_a_term_is_cited_with_its_words(linker: Linker, text: str, rule: str) -> None:
    before, _, rest = text.partition("⟦")
    evidence, _, after = rest.partition("⟧")
    assert cited(linker, before + evidence + after).get(rule) == evidence


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Put a coin counter on this creature.", "705"),
        (
            "As this artifact enters, choose Up or Down.\n• Up — {T}: Draw a card.\n• Down — {T}: Scry 1.",
            "700.2",
        ),
        ('The "legend rule" doesn\'t apply to you.', "205.4"),
        ("When this creature dies, turn the exiled card face up.", "708"),
        ("Turn all cards exiled with this creature face up.", "708"),
        ("Flip this creature from a height of two feet.", "710"),
        ("You may spend colorless mana as though it were mana of any color.", "105.2c"),
        ("Ask a person outside the game to choose a number.", "400.11"),
        ("Search your library for a card with a basic land type.", "205.3"),
    ],
)
def test_a_word_in_another_sense_is_not_cited(linker: Linker, text: str, rule: str) -> None:
    assert rule not in cited(linker, text)


def test_an_instruction_before_a_dash_is_no_ability_word(linker: Linker) -> None:
    text = "Target opponent faces a villainous choice — They discard a card, or you draw a card."
    assert cited(linker, text)["115.1"] == "Target"
    assert cited(linker, text, "keyword_action")["701.55"] == "faces a villainous choice"


def test_a_basic_land_type_at_the_start_of_a_sentence_is_one(linker: Linker) -> None:
    assert cited(linker, "Islands don't untap.", "card_type") == {"305.6": "Islands"}
    assert cited(linker, "Creatures with islandwalk can't block.", "card_type") == {}


@pytest.mark.parametrize(
    ("layout", "rule"),
    [
        ("split", "709"), ("aftermath", "709"), ("flip", "710"), ("transform", "712"), ("modal_dfc", "712"),
        ("meld", "712"), ("normal", None), ("adventure", None),
    ],
)  # fmt: skip
def test_the_layout_of_a_card_is_cited_on_its_faces(linker: Linker, layout: str, rule: str | None) -> None:
    faces = (Face(name="Zyx", type_line="Instant"), Face(name="Warden", number=2, type_line="Sorcery"))
    card = linker.link_card(Card(name="Zyx // Warden", slug="zyx", layout=layout, faces=faces))
    for face, own in zip(card.faces, ("304", "307"), strict=True):
        assert {c.rule for c in face.citations if c.relation == "card_type"} == {own} | (
            {rule} if rule else set()
        )
        assert all(c.quote == face.type_line for c in face.citations)


def test_a_face_without_a_type_line_has_no_frame(linker: Linker) -> None:
    card = Card(name="Zyx // Warden", slug="zyx", layout="split", faces=(Face(name="Zyx"),))
    assert linker.link_card(card).faces[0].citations == ()


def test_only_an_artifact_is_a_station_card(linker: Linker) -> None:
    rules = {c.rule for c in linker.link(Face(name="Zyx", type_line="Plane — Spacecraft")).citations}
    assert rules == {"311"}
    rules = {c.rule for c in linker.link(Face(name="Zyx", type_line="Artifact — Spacecraft")).citations}
    assert rules == {"301", "721"}
