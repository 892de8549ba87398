"""Replacement effects, durations, layers, copying and linked abilities (CR 602–722), on invented cards.

In a case's text the evidence stands between ⟦ and ⟧. Rule numbers are those of the shipped outline.
"""

from __future__ import annotations

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Citation, Face
from cardlaw.graph.sources import outline

CREATURE = "Creature — Golem"
ENCHANTMENT = "Enchantment"
AURA = "Enchantment — Aura"
SORCERY = "Sorcery"


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def effects(linker: Linker, text: str, type_line: str) -> list[Citation]:
    face = linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text))
    return [c for ability in face.abilities for c in ability.citations if c.relation == "effect"]


CITED = [
    # replaced by the same spell, also where “instead of” tells what
    (
        "614.15",
        SORCERY,
        "Search your library for a card. ⟦If you control a Bat, take two cards instead⟧ of one.",
    ),
    ("614.1e", CREATURE, "⟦As this creature enters or is turned face up⟧, put a bell counter on it."),
    ("614.16", ENCHANTMENT, "If you ⟦would get one or more counters⟧, you get that many plus one instead."),
    (
        "614.9",
        SORCERY,
        "If damage would be dealt to you this turn, instead ⟦that damage is dealt to⟧ target Bat.",
    ),
    # durations
    ("611.2", SORCERY, "You choose which creatures attack ⟦this turn⟧."),
    ("611.2", SORCERY, "Permanents enter tapped ⟦this turn⟧."),
    ("611.2", SORCERY, "Take an extra turn after this one. Spells can't be countered ⟦that turn⟧."),
    ("611.2", CREATURE, "{T}: Target land becomes a Swamp ⟦until this creature leaves the battlefield⟧."),
    ("611.2", CREATURE, "{T}: Target creature loses all abilities ⟦until a player casts⟧ a Bat spell."),
    ("611.2", CREATURE, "{T}: Target creature assigns damage equal to its toughness ⟦this turn⟧."),
    ("611.2", CREATURE, "{T}: The next Bat spell you cast ⟦this turn⟧ costs {1} less to cast."),
    (
        "611.2",
        ENCHANTMENT,
        "If you would draw a card, exile it. You may play it ⟦for as long as⟧ it's exiled.",
    ),
    # layers
    ("613.1b", AURA, "⟦The monarch controls enchanted⟧ creature."),
    ("613.1c", SORCERY, "⟦Exchange the text boxes⟧ of two target creatures."),
    (
        "613.1d",
        CREATURE,
        "{T}: Return target card. It's a green Bat ⟦in addition to its other colors and types⟧.",
    ),
    ("205.1b", AURA, "Enchanted creature is a green Bat ⟦in addition to its other colors and types⟧."),
    ("613.1d", CREATURE, "When this creature dies, return it to the battlefield. ⟦It's an enchantment⟧."),
    ("613.1d", SORCERY, "Lands you control ⟦gain all basic land types⟧ until end of turn."),
    ("613.1d", SORCERY, "Lands of the first chosen type ⟦become the second chosen type⟧."),
    ("613.1e", AURA, "Enchanted creature gets +1/+1 and is ⟦black⟧."),
    ("613.1e", AURA, "Enchanted creature is a ⟦blue⟧ Fish with base power and toughness 0/1."),
    ("613.1e", ENCHANTMENT, "All Bats are ⟦black⟧ and have haste."),
    ("613.1f", SORCERY, "Create a 1/1 black Bat creature token. It ⟦gains⟧ haste until end of turn."),
    (
        "613.1f",
        CREATURE,
        "When a Bat dies, if this is an enchantment, it ⟦becomes a 3/3 Bat creature with reach⟧.",
    ),
    ("613.4b", AURA, "Enchanted creature is a green Bat creature with ⟦base power⟧ and toughness 1/1."),
    (
        "613.4b",
        SORCERY,
        "All artifacts become creatures ⟦with power and toughness each equal⟧ to their mana value.",
    ),
    ("613.4c", SORCERY, "Each creature gets twice ⟦-X/-X⟧ until end of turn."),
    # as though
    ("609.4b", ENCHANTMENT, "You may spend white mana ⟦as though it were red mana⟧."),
    ("609.4b", ENCHANTMENT, "You may ⟦spend mana of any type⟧ to cast Bat spells."),
    # activated abilities
    ("602.5b", CREATURE, "{1}: Scry 1. Activate only as a sorcery ⟦and only once⟧ each turn."),
    ("602.5b", CREATURE, "{1}: Scry 1. Any player may activate this ability ⟦but only during⟧ their turn."),
    # linked abilities
    ("607.2", ENCHANTMENT, "{1}: Choose a card ⟦exiled with this enchantment⟧. You may play it this turn."),
    (
        "607.2",
        ENCHANTMENT,
        "Whenever a Bat dies, exile it, then return all cards ⟦exiled with this enchantment⟧.",
    ),
    ("607.2", ENCHANTMENT, "When this enchantment dies, sacrifice the ⟦tokens created with it⟧."),
    ("607.2", ENCHANTMENT, "Creatures with mana value of the ⟦chosen quality⟧ have haste."),
    ("607.2", ENCHANTMENT, "Creatures of ⟦the last noted type⟧ have haste."),
    ("607.2", CREATURE, "This creature gets +X/+0, where X is the number ⟦noted for it⟧."),
    ("607.2", CREATURE, "This creature gets +X/+0, where X is ⟦the exiled creature card's⟧ power."),
    (
        "610.3",
        CREATURE,
        "When this creature enters, exile target Bat ⟦until this creature leaves the battlefield⟧.",
    ),
    ("722", SORCERY, "The first player ⟦controls the second player⟧ during that player's next turn."),
]


@pytest.mark.parametrize(("rule", "type_line", "text"), CITED)
def test_the_words_prove_the_rule(linker: Linker, rule: str, type_line: str, text: str) -> None:
    before, _, rest = text.partition("⟦")
    evidence, _, after = rest.partition("⟧")
    found = {c.rule: c.quote for c in effects(linker, before + evidence + after, type_line)}
    assert found.get(rule, "").startswith(evidence)


NOT_CITED = [
    ("614.1a", ENCHANTMENT, "The stack is first in, first out instead of last in, first out."),
    ("614.15", ENCHANTMENT, "If you discard this card, exile it instead of putting it into a graveyard."),
    ("614.1c", ENCHANTMENT, "Whenever a creature enters with a counter on it, you gain 1 life."),
    # “this turn” only tells which, or how much
    ("611.2", CREATURE, "When you cast it, if it's the second spell you cast this turn, draw a card."),
    ("611.2", SORCERY, "You gain life equal to the damage dealt to you this turn."),
    ("611.2", SORCERY, "Each opponent loses 1 life for each card put into a graveyard this turn."),
    ("611.2", CREATURE, "{1}: Whenever you gain life this turn, each opponent loses 1 life."),
    ("611.2", CREATURE, "At the beginning of your end step, if you didn't lose life this turn, draw a card."),
    ("611.2", SORCERY, "Flip a coin until you lose a flip."),
    ("611.2", CREATURE, "When a Bat becomes blocked, exile it until this creature leaves the battlefield."),
    # a token is created so, which changes nothing
    ("613.1a", SORCERY, "Create two tokens that are copies of target creature."),
    ("613.1d", SORCERY, "Create a land token named Here that is every basic land type."),
    ("613.1e", SORCERY, "Create three 1/1 Bat creature tokens that are red and white."),
    ("613.1f", SORCERY, 'Create a 0/1 Spawn creature token. It has "Sacrifice this token: Add {C}."'),
    # of a player, not of a permanent; an event, not an effect
    ("613.1b", SORCERY, "You gain control of target opponent during their next turn."),
    ("613.1b", CREATURE, "Whenever an opponent gains control of a permanent from you, draw a card."),
    ("613.1b", CREATURE, "Whenever a creature you control enchanted by a Role attacks, draw a card."),
    ("613.1f", CREATURE, "When this creature becomes monstrous, destroy target creature with flying."),
    ("613.1f", SORCERY, "Create a token that's a copy of target creature, except it has haste."),
    ("613.4b", CREATURE, "{T}: Untap each other creature you control with base power 1."),
    ("613.4b", CREATURE, "{T}: Exile all creatures each with base power or toughness 1 or less."),
    ("609.4", ENCHANTMENT, "You may spend white mana as though it were red mana."),
    ("602.5b", CREATURE, "{1}: Scry 1. Any player may activate this ability."),
    ("607.2", SORCERY, "Search your library for five cards. Put the chosen cards on top."),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "type_line", "text"), NOT_CITED)
def test_other_senses_prove_nothing(linker: Linker, rule: str, type_line: str, text: str) -> None:
    assert rule not in {c.rule for c in effects(linker, text, type_line)}
