"""Effects of the game's concepts, cards and turn (CR 101–601) and costs, on invented cards.

In a text the evidence stands between ⟦ and ⟧; without marks, the rule must not be cited by that relation.
"""

from __future__ import annotations

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Citation, Face
from cardlaw.graph.sources import outline

CREATURE, AURA, INSTANT, LAND = "Creature — Golem", "Enchantment — Aura", "Instant", "Land"


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def cited(linker: Linker, text: str, type_line: str, rule: str, relation: str) -> list[Citation]:
    face = linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text))
    return [c for a in face.abilities for c in a.citations if (c.rule, c.relation) == (rule, relation)]


def check(linker: Linker, text: str, type_line: str, rule: str, relation: str) -> None:
    plain = text.replace("⟦", "").replace("⟧", "")
    found = cited(linker, plain, type_line, rule, relation)
    if plain == text:
        assert not found
        return
    start = text.index("⟦")
    assert [(c.start, c.quote) for c in found] == [(start, text[start + 1 : text.index("⟧")])]


@pytest.mark.parametrize(
    ("rule", "type_line", "text"),
    [
        # 101.2 is a prohibition; “if you can't” asks whether something was done, “can … only” allows.
        ("101.2", CREATURE, "This creature ⟦can't⟧ be the target of Otter spells."),
        ("101.2", CREATURE, "When this creature enters, sacrifice a Golem. If you can't, scry 1."),
        ("101.2", INSTANT, "Target player discards an Otter card. If that player can't, you draw a card."),
        ("101.2", CREATURE, "This creature can block only creatures with flying."),
        ("509.1b", CREATURE, "This creature ⟦can block only⟧ creatures with flying."),
        # 115.7 and 119.5
        ("115.7", INSTANT, "If target spell has a single target, ⟦change that target⟧ to this creature."),
        ("119.5", CREATURE, "{4}: ⟦Exchange your life total⟧ with this creature's power."),
        ("119.5", INSTANT, "⟦Exchange target opponent's life total⟧ with yours."),
        ("119.5", INSTANT, "If your ⟦life total is less than 5, it becomes⟧ 5."),
        ("119.5", CREATURE, "This creature gets +1/+1 as long as your life total is 30 or more."),
        # 118.7
        ("118.7", INSTANT, "You may cast it as though it had flash if you pay {2} ⟦more to cast⟧ it."),
        # 205.1b
        ("205.1b", AURA, "Enchanted creature is a black Otter ⟦in addition to its other colors and types⟧."),
        # 305.1 is an effect where it lets someone play a land or forbids it.
        ("305.1", CREATURE, "You may ⟦play lands⟧ from your graveyard."),
        ("305.1", CREATURE, "If you control an Otter, you may ⟦play lands⟧ from your graveyard."),
        ("305.1", CREATURE, "Whenever an opponent plays a land, you gain 1 life."),
        ("305.1", CREATURE, "Whenever this creature attacks, if you didn't play a land this turn, scry 1."),
        # 305.7 also says what a land does that gains a land type.
        ("305.7", CREATURE, "Lands you control are ⟦Swamps⟧ in addition to their other types."),
        ("305.7", CREATURE, "Lands you control are ⟦every basic land type⟧."),
        ("305.7", AURA, "Enchanted land is ⟦the chosen type⟧."),
        ("305.7", CREATURE, "Golems you control are the chosen type."),
        ("305.7", CREATURE, "Whenever a land you control enters, if it's a Swamp, you gain 1 life."),
        # 502.3
        ("502.3", CREATURE, "All Otters ⟦untap during each player's untap step⟧."),
        ("502.3", CREATURE, "If it would ⟦untap during your untap step⟧, tap an Otter instead."),
        ("502.3", CREATURE, "That player ⟦can untap only⟧ one Otter this step."),
        ("502.3", CREATURE, "Phasing (It phases in before you untap during each of your untap steps.)"),
        # 506.4
        ("506.4", INSTANT, "⟦Remove target Otter or Golem that defending player controls from combat⟧."),
        # 508.1c, 508.1d, 509.1c
        ("508.1c", INSTANT, "⟦Only Otters can attack⟧ during that combat phase."),
        (
            "508.1d",
            CREATURE,
            "It ⟦attacks the player with the most life among your opponents this turn if able⟧.",
        ),
        ("508.1d", CREATURE, "Whenever this creature attacks, target creature blocks it this turn if able."),
        ("509.1c", CREATURE, "Whenever it attacks, target creature ⟦blocks it this turn if able⟧."),
        ("509.1b", INSTANT, "⟦Only Otters can block⟧ this turn."),
        # 601.2d is a choice among targets.
        ("601.2d", INSTANT, "Zyx Warden deals 5 damage ⟦divided as you choose⟧ among any number of targets."),
        ("601.2d", INSTANT, "Zyx Warden deals X damage divided evenly among any number of targets."),
        # 601.3 lets a player cast a spell or forbids it; a land is never cast.
        ("601.3", CREATURE, "Your opponents ⟦can't cast⟧ spells during your turn."),
        ("601.3", CREATURE, "Players can't play lands."),
        ("601.3", CREATURE, "Players ⟦can't play⟧ lands or cast spells from graveyards."),
        ("601.3", CREATURE, "{2}: You may choose an Otter card in your graveyard and ⟦cast⟧ it."),
        ("601.3", INSTANT, "Exile a card from your hand. ⟦Cast⟧ that card without paying its mana cost."),
        ("601.3", CREATURE, "Whenever you cast a spell without paying its mana cost, scry 1."),
    ],
)
def test_an_effect_of_the_game(linker: Linker, rule: str, type_line: str, text: str) -> None:
    check(linker, text, type_line, rule, "effect")


@pytest.mark.parametrize(
    ("rule", "type_line", "text"),
    [
        # 107
        ("107.14", CREATURE, "You may cast Otters by paying ⟦{E}{E}⟧ rather than their mana costs."),
        ("107.14", "Artifact — Equipment", "Reconfigure—Pay {2} or ⟦{E}{E}⟧."),
        ("107.14", CREATURE, "When this creature enters, you get {E}{E}."),
        ("107.17", "Stickers", "⟦{TK}{TK}⟧ — Flying"),
        ("107.17", CREATURE, "When this creature enters, you get {TK}."),
        # 118.8 and 119.4
        ("118.8", CREATURE, "You may cast Otters by paying 1 life ⟦in addition to their other costs⟧."),
        ("118.8", CREATURE, "Spells that target this creature ⟦cost an additional⟧ 2 life to cast."),
        ("119.4", CREATURE, "Spells that target this creature ⟦cost an additional 2 life⟧ to cast."),
        ("119.4", CREATURE, "This creature's power is equal to the ⟦life paid⟧ as it entered."),
        ("119.4", CREATURE, "Whenever you gain life, you may pay {1}."),
        # 118.12, paid or not
        ("118.12", CREATURE, "When this creature dies, you may ⟦discard⟧ a card. If you do, draw a card."),
        (
            "118.12",
            CREATURE,
            "You may look. If it has an eye, you may ⟦discard⟧ it. If you do, draw a card.",
        ),
        ("118.12", CREATURE, "When this has no clocks on it, sacrifice it. ⟦If you do⟧, draw a card."),
        ("118.12", INSTANT, "Sacrifice an Otter. ⟦If you do⟧, draw two cards."),
        ("118.12", CREATURE, "At the beginning of your upkeep, pay {2}. ⟦If you don't⟧, tap this creature."),
        ("118.12", CREATURE, "{T}: Target player discards an Otter. ⟦If the player can't⟧, draw a card."),
        ("118.12", CREATURE, "If it would enter, sacrifice an Otter instead. If you do, put it there."),
        ("118.12", CREATURE, "Draw a card. If you control an Otter, scry 1."),
        # 118.12a: someone does something, whatever it is.
        ("118.12a", CREATURE, "When this creature enters, sacrifice it ⟦unless you forage⟧."),
        ("118.12a", INSTANT, "Destroy it ⟦unless its controller has Zyx Warden deal⟧ 3 damage to them."),
        ("118.12a", INSTANT, "Draw two cards ⟦unless target opponent has you draw⟧ a card."),
        ("118.12a", INSTANT, "Destroy it ⟦unless that player or that creature's controller pays⟧ {3}."),
        ("118.12a", CREATURE, "This creature can't attack unless an opponent has been dealt damage."),
        (
            "118.12a",
            CREATURE,
            "It can't attack a player unless that player cast a spell or put a card into exile.",
        ),
        (
            "118.12a",
            CREATURE,
            "It can't be blocked unless it's attacking its owner or an Otter its owner has.",
        ),
        ("118.12a", LAND, "This land enters tapped unless you have two or more opponents."),
        ("118.12a", CREATURE, "When this creature enters, sacrifice it unless you attacked this turn."),
    ],
)
def test_a_cost(linker: Linker, rule: str, type_line: str, text: str) -> None:
    check(linker, text, type_line, rule, "cost")


@pytest.mark.parametrize(
    ("rule", "type_line", "text"),
    [
        ("107.17", CREATURE, "When this creature enters, you get ⟦{TK}⟧."),
        ("107.18", "Sorcery", "Choose up to five ⟦{P}⟧ worth of modes.\n{P} — Draw a card."),
        ("107.12", "Plane — Otterworld", "Whenever you roll ⟦{CHAOS}⟧, draw a card."),
        ("311.7", "Plane — Otterworld", "Whenever ⟦chaos ensues⟧, draw a card."),
        ("107.12", "Plane — Otterworld", "Whenever chaos ensues, draw a card."),
    ],
)
def test_a_symbol_that_nobody_pays_is_a_term(linker: Linker, rule: str, type_line: str, text: str) -> None:
    check(linker, text, type_line, rule, "defined_term")
    assert not cited(linker, text.replace("⟦", "").replace("⟧", ""), type_line, rule, "cost")
