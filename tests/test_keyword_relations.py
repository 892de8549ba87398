"""Whether an ability has, grants, loses or only mentions a keyword, on invented cards.

In a case's text each keyword that is cited stands as ⟦relation:keyword⟧, `has?` for one that is had under a
condition; a keyword that is not marked is not cited for its place.
"""

from __future__ import annotations

import re

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Face
from cardlaw.graph.sources import outline

CREATURE = "Creature — Golem"
AURA = "Enchantment — Aura"
EQUIPMENT = "Artifact — Equipment"
INSTANT = "Instant"
STICKERS = "Stickers"

_MARK = re.compile(r"⟦(has\??|grants|loses|mentions):([^⟧]+)⟧")


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def check(linker: Linker, marked: str, type_line: str) -> None:
    expected = set()
    text = ""
    done = 0
    for match in _MARK.finditer(marked):
        text += marked[done : match.start()]
        relation = match[1].rstrip("?") + "_keyword"
        expected.add((len(text), match[2], relation, match[1].endswith("?")))
        text += match[2]
        done = match.end()
    text += marked[done:]
    face = linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text))
    found = {
        (c.start, c.quote, c.relation, c.conditional)
        for ability in face.abilities
        for c in ability.citations
        if c.relation.endswith("_keyword") and not c.in_reminder
    }
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("This creature has ⟦has:protection⟧ from the chosen color.", id="of-itself-always"),
        pytest.param("Zyx Warden has ⟦has:annihilator⟧ X, where X is your life total.", id="x-no-condition"),
        pytest.param("This creature has ⟦has?:reach⟧ as long as you control an Otter.", id="as-long-as"),
        pytest.param("During your turn, Zyx Warden has ⟦has?:first strike⟧.", id="during"),
        pytest.param("Zyx Warden has ⟦has?:hexproof⟧ unless it's attacking.", id="unless"),
        pytest.param(
            "As long as Zyx Warden has two counters on him, he's a 3/3 Golem creature with "
            "⟦has?:flying⟧ and ⟦has?:haste⟧.",
            id="he-is-a-creature-with",
        ),
        pytest.param(
            "As long as Zyx Warden is tapped, he's a 3/3 Golem creature and has ⟦has?:hexproof⟧.",
            id="he-is-and-has",
        ),
        pytest.param(
            "As long as you control an Otter, this creature has base power and toughness 5/5, "
            "⟦has?:vigilance⟧, and ⟦has?:trample⟧.",
            id="list-begins-with-power",
        ),
        pytest.param(
            "As long as you control an Otter, Zyx Warden is a Dragon with base power and toughness 5/5, "
            '⟦has?:flying⟧, and "{R}: This creature gets +1/+0 until end of turn."',
            id="is-with-power",
        ),
        pytest.param(
            "This creature has ⟦has?:trample⟧ as long as you control an Otter, ⟦has?:haste⟧ as long as you "
            "control a Bear, and ⟦has?:reach⟧ as long as you control a Cat.",
            id="condition-after-each",
        ),
        pytest.param("This creature attacks each combat if able and has ⟦has?:haste⟧.", id="if-able-and-has"),
        pytest.param(
            "This creature has ⟦has?:trample⟧ as long as it has a counter on it. Otherwise, it has "
            "⟦has?:hexproof⟧.",
            id="otherwise",
        ),
        pytest.param(
            "This creature has ⟦has?:flying⟧ as long as a card exiled with it has "
            "⟦mentions:flying⟧. The same is "
            "true for ⟦has?:haste⟧, ⟦has?:protection⟧, and ⟦has?:trample⟧.",
            id="the-same-is-true",
        ),
    ],
)
def test_had_by_the_object_itself(linker: Linker, text: str) -> None:
    check(linker, text, CREATURE)


@pytest.mark.parametrize(
    ("text", "type_line"),
    [
        pytest.param(
            "Golems you control have ⟦grants:ward⟧ {2}, ⟦grants:equip⟧ Otter {3}, and ⟦grants:haste⟧.",
            CREATURE,
            id="costs-in-a-list",
        ),
        pytest.param(
            "Golems you control have ⟦grants:ward⟧—Pay 2 life and ⟦grants:haste⟧.", CREATURE, id="dash-cost"
        ),
        pytest.param(
            "Artifacts you control have ⟦grants:affinity⟧ for Otters and ⟦grants:trample⟧.",
            CREATURE,
            id="affinity-in-a-list",
        ),
        pytest.param(
            "{2}: This creature gains your choice of ⟦grants:landwalk⟧ of your choice, "
            "⟦grants:protection⟧ from "
            "a color of your choice, or ⟦grants:shadow⟧ until end of turn.",
            CREATURE,
            id="of-your-choice",
        ),
        pytest.param(
            "Equipped creature has ⟦grants:lifelink⟧ if you control an Otter, ⟦grants:haste⟧ if "
            "you control a "
            "Bear, and ⟦grants:flying⟧ if you control a Cat.",
            EQUIPMENT,
            id="condition-after-each",
        ),
        pytest.param(
            "Equipped creature gets +1/+1. As long as it's red, it has ⟦grants:trample⟧.",
            EQUIPMENT,
            id="it-is-the-equipped-creature",
        ),
        pytest.param(
            "Enchanted creature is an Otter. It has ⟦grants:defender⟧ and loses all other abilities.",
            AURA,
            id="it-is-the-enchanted-creature",
        ),
        pytest.param(
            "You may have this creature enter as a copy of any creature on the battlefield, "
            "except it's an Otter "
            "in addition to its other types and it has ⟦grants:flying⟧.",
            CREATURE,
            id="copy-except-it-has",
        ),
        pytest.param(
            "Create a 1/1 blue Otter creature token with ⟦grants:flying⟧, then put a +1/+1 counter on it.",
            INSTANT,
            id="token-then-counter",
        ),
        pytest.param(
            "Create a 1/1 blue Otter creature token with ⟦grants:menace⟧ and put a lore counter "
            "on this artifact.",
            INSTANT,
            id="token-and-counter",
        ),
        pytest.param(
            "Create a 1/1 blue Otter creature token with ⟦grants:flying⟧ for each creature with "
            "⟦mentions:defender⟧ you control.",
            INSTANT,
            id="token-for-each-with",
        ),
        pytest.param(
            'Create a white Equipment artifact token with "Equipped creature gets +2/+0," "Equipped creature '
            "can't block,\" and ⟦grants:equip⟧ {2}.",
            INSTANT,
            id="after-two-quotations",
        ),
        pytest.param(
            'Create an Equipment artifact token. It has ⟦grants:indestructible⟧, "Equipped creature has '
            '⟦grants:double strike⟧," and ⟦grants:equip⟧ {0}.',
            INSTANT,
            id="quotation-with-a-keyword-between",
        ),
        pytest.param(
            "Create a white Aura enchantment token attached to target creature. That token has "
            "⟦grants:enchant⟧ creature and ⟦grants:umbra armor⟧.",
            INSTANT,
            id="that-token-has-enchant",
        ),
        pytest.param(
            "Return target creature card from your graveyard to the battlefield with a "
            "⟦grants:hexproof⟧ counter "
            "and an ⟦grants:indestructible⟧ counter on it.",
            INSTANT,
            id="put-with-a-counter",
        ),
        pytest.param(
            "This creature enters with your choice of two different counters on it from among "
            "⟦grants:menace⟧, ⟦grants:deathtouch⟧, and ⟦grants:lifelink⟧.",
            CREATURE,
            id="counters-from-among",
        ),
        pytest.param(
            "Whenever a Golem enters, it gains two abilities chosen at random from among ⟦grants:flying⟧ and "
            "⟦grants:haste⟧.",
            CREATURE,
            id="gains-from-among",
        ),
        pytest.param(
            "At the beginning of combat on your turn, choose ⟦grants:flying⟧ or ⟦grants:haste⟧. Golems you "
            "control gain that ability until end of turn.",
            CREATURE,
            id="chosen-then-gained",
        ),
        pytest.param(
            "At the beginning of combat on your turn, Golems you control gain ⟦grants:flying⟧ "
            "until end of turn "
            "if you control a creature with ⟦mentions:flying⟧. The same is true for ⟦grants:haste⟧ and "
            "⟦grants:skulk⟧.",
            CREATURE,
            id="the-same-is-true",
        ),
        pytest.param(
            "When this creature enters, put a ⟦grants:flying⟧ counter on it if a card in your graveyard has "
            "⟦mentions:flying⟧. Repeat this process for ⟦grants:reach⟧ and ⟦grants:trample⟧.",
            CREATURE,
            id="repeat-this-process",
        ),
        pytest.param(
            'Green creatures you control have "⟦grants:bands with other⟧ Otters."',
            CREATURE,
            id="bands-quoted",
        ),
        pytest.param(
            'Spells you cast have "⟦grants:Cascade⟧, ⟦grants:cascade⟧."', CREATURE, id="quoted-list"
        ),
        pytest.param(
            "{TK}{TK} — ⟦grants:Skulk⟧\n{TK}{TK}{TK} — ⟦grants:Deathtouch⟧, ⟦grants:lifelink⟧",
            STICKERS,
            id="ability-stickers",
        ),
        pytest.param(
            "Whenever this creature attacks, it gains ⟦grants:haste⟧ until end of turn.",
            CREATURE,
            id="itself",
        ),
    ],
)
def test_granted(linker: Linker, text: str, type_line: str) -> None:
    check(linker, text, type_line)


@pytest.mark.parametrize(
    ("text", "type_line"),
    [
        pytest.param(
            "{3}: This creature loses ⟦loses:defender⟧ and gains ⟦grants:flying⟧ and "
            "⟦grants:haste⟧ until end of "
            "turn.",
            CREATURE,
            id="loses-and-gains",
        ),
        pytest.param(
            "{3}: This creature gains ⟦grants:flying⟧ and loses ⟦loses:trample⟧.",
            CREATURE,
            id="gains-and-loses",
        ),
        pytest.param(
            "Enchanted creature has ⟦grants:defender⟧ and loses ⟦loses:flying⟧.", AURA, id="has-loses"
        ),
        pytest.param(
            "Golems your opponents control lose ⟦loses:hexproof⟧ and ⟦loses:ward⟧ and can't have "
            "hexproof or ward.",
            CREATURE,
            id="and-can't-have",
        ),
        pytest.param(
            "Target creature loses your choice of ⟦loses:flying⟧ or ⟦loses:trample⟧ until end of turn.",
            INSTANT,
            id="your-choice-of",
        ),
        pytest.param(
            "Target creature loses all ⟦loses:landwalk⟧ abilities until end of turn.",
            INSTANT,
            id="all-abilities",
        ),
        pytest.param(
            'Target creature loses ⟦loses:banding⟧ and all "⟦loses:bands with other⟧" abilities.',
            INSTANT,
            id="quoted-name",
        ),
        pytest.param(
            'When this Aura enters, it loses "⟦loses:enchant⟧ creature card in a graveyard" and gains '
            '"⟦grants:enchant⟧ creature put onto the battlefield with this Aura."',
            AURA,
            id="enchant-changed",
        ),
    ],
)
def test_taken_away(linker: Linker, text: str, type_line: str) -> None:
    check(linker, text, type_line)


@pytest.mark.parametrize(
    ("text", "type_line"),
    [
        pytest.param(
            "This creature can't be blocked except by creatures with ⟦mentions:flying⟧ or ⟦mentions:reach⟧.",
            CREATURE,
            id="except-by",
        ),
        pytest.param(
            "It deals 1 damage to each creature except for creatures you control with ⟦mentions:flying⟧.",
            CREATURE,
            id="except-for",
        ),
        pytest.param(
            "When this creature becomes monstrous, destroy target creature with ⟦mentions:flying⟧.",
            CREATURE,
            id="becomes-monstrous-then-with",
        ),
        pytest.param(
            "Whenever you cast a spell with ⟦mentions:cascade⟧, put a +1/+1 counter on target creature.",
            CREATURE,
            id="with-then-counter",
        ),
        pytest.param(
            "Target creature gets +1/+1 until end of turn. If it has ⟦mentions:toxic⟧, draw a card.",
            INSTANT,
            id="if-it-has",
        ),
        pytest.param(
            "Creatures without ⟦mentions:flying⟧ can't attack. Golems can attack as though they didn't have "
            "⟦mentions:defender⟧.",
            CREATURE,
            id="without-and-as-though",
        ),
        pytest.param(
            "Remove an ⟦mentions:indestructible⟧ counter from this creature: Draw a card.",
            CREATURE,
            id="counter-removed",
        ),
        pytest.param(
            "Each creature gets +1/+1 if it has ⟦mentions:flying⟧, +1/+1 if it has "
            "⟦mentions:reach⟧, and so on "
            "for ⟦mentions:skulk⟧ and ⟦mentions:trample⟧.",
            CREATURE,
            id="and-so-on-for",
        ),
        pytest.param(
            "Target creature card in your graveyard gains ⟦grants:escape⟧ until end of turn. Its "
            "⟦mentions:escape⟧ cost is equal to its mana cost.",
            INSTANT,
            id="its-cost",
        ),
        pytest.param("{T}: Add {∞}.", CREATURE, id="symbol"),
    ],
)
def test_mentioned(linker: Linker, text: str, type_line: str) -> None:
    check(linker, text, type_line)
