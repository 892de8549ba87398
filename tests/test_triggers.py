"""What triggered abilities wait for, and kinds that hang on a close reading, on invented cards.

Expected values are those of the linking guide and of the rules named beside them.
"""

from __future__ import annotations

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Ability, Face
from cardlaw.graph.sources import outline

CREATURE = "Creature — Golem"
INSTANT = "Instant"
SAGA = "Enchantment — Saga"


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def link(linker: Linker, text: str, type_line: str = CREATURE) -> tuple[Ability, ...]:
    return linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text)).abilities


def events(linker: Linker, text: str, type_line: str = CREATURE) -> dict[str, str]:
    """Rule to evidence of the trigger events that the first ability cites."""
    first = link(linker, text, type_line)[0]
    return {c.rule: c.quote for c in first.citations if c.relation == "trigger_event" and not c.in_reminder}


def kinds(linker: Linker, text: str, type_line: str = CREATURE) -> list[str]:
    return [ability.kind for ability in link(linker, text, type_line)]


@pytest.mark.parametrize(
    ("event", "rule", "quote"),
    [
        ("Whenever you gain life", "119.9", "gain life"),
        ("Whenever an opponent gains life", "119.9", "gains life"),
        ("When the fifth soup counter is put on this creature", "122.7", "the fifth soup counter is put"),
        ("Whenever you tap a Swamp for mana", "106.12a", "tap a Swamp for mana"),
        ("Whenever a land is tapped for mana", "106.12a", "tapped for mana"),
        ("Whenever damage that would be dealt to you is prevented", "615.13", "is prevented"),
        ("Whenever you expend 4", "700.14", "expend 4"),
        ("When you cycle this card", "702.29c", "you cycle this card"),
        ("Whenever a player cycles or discards a card", "702.29d", "cycles or discards"),
        ("Whenever a player loses the game", "603.9", "loses the game"),
        ("Whenever one or more cards leave your graveyard", "603.10a", "leave your graveyard"),
        (
            "When this card is put into your graveyard from your library",
            "603.6",
            "put into your graveyard from",
        ),
        ("When this creature transforms into Zyx Warden", "701.27e", "transforms into"),
        ("When you unlock this door", "709.5h", "unlock"),
        ("Whenever you fully unlock a Room", "709.5i", "fully unlock"),
        ("Whenever Chaos ensues", "311.7", "Chaos ensues"),
        ("Whenever you roll {CHAOS}", "311.7", "roll {CHAOS}"),
        ("When you planeswalk away from Zyx Warden", "901.11", "planeswalk away from"),
    ],
)
def test_an_event_that_a_rule_of_its_own_speaks_of(linker: Linker, event: str, rule: str, quote: str) -> None:
    assert events(linker, f"{event}, scry 1.") == {rule: quote}


@pytest.mark.parametrize(
    "effect", ["you gain 2 life", "scry 1", "the Ring tempts you", "unlock a locked door"]
)
def test_an_effect_is_no_event(linker: Linker, effect: str) -> None:
    assert set(events(linker, f"When this creature enters, {effect}.")) == {"603.6a"}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Whenever a Golem is dealt excess damage, scry 1.", {"120", "120.10"}),
        ("Whenever a permanent you control is put into a graveyard, scry 1.", {"603.6c"}),
        ("Whenever a Golem is exiled from the battlefield, scry 1.", {"603.6c"}),
        ("Whenever a permanent is returned to a player's hand, scry 1.", {"603.6c"}),
        # CR 603.6c: "from anywhere" is never a leaves-the-battlefield ability.
        ("When this creature is put into a graveyard from anywhere, scry 1.", {"603.6"}),
        ("Whenever a player puts a Golem onto the battlefield, scry 1.", {"603.6a"}),
        ("When no Golems are on the battlefield, sacrifice this creature.", {"603.8"}),
        ("Whenever there are four or more soup counters on this creature, remove them.", {"603.8"}),
        # What a relative clause tells of is not waited for.
        ("Whenever a Golem dealt damage this turn by a Newt you control dies, scry 1.", {"603.6c"}),
        ("Whenever this creature blocks a creature that has been dealt damage this turn, scry 1.", {"509"}),
        ("When this creature deals damage to a player who cast a spell, scry 1.", {"120"}),
    ],
)
def test_what_an_event_is(linker: Linker, text: str, rules: set[str]) -> None:
    assert set(events(linker, text)) == rules


@pytest.mark.parametrize(
    ("text", "type_line", "rules"),
    [
        ("Whenever a Golem attacks this turn, draw a card.", INSTANT, {"603.7", "508"}),
        ("Target Golem gains haste. When it dies this turn, draw a card.", INSTANT, {"603.7", "603.6c"}),
        ("{T}: When you next cast a Golem spell this turn, copy it.", CREATURE, {"603.7", "601"}),
        ("I — Whenever a Golem you control enters this turn, scry 1.", SAGA, {"603.7", "603.6a"}),
        (
            "When this creature enters, exile a card. Return it when this creature leaves the battlefield.",
            CREATURE,
            {"603.6a", "603.7", "603.6c"},
        ),
        ("When this creature enters and when this creature leaves the battlefield, scry 1.", CREATURE,
         {"603.6a", "603.6c"}),
        ("You may reveal this card from your opening hand. If you do, when you cast your first spell of the "
         "game, scry 1.", CREATURE, {"603.7"}),
    ],
)  # fmt: skip
def test_a_delayed_trigger_waits_for_an_event_too(
    linker: Linker, text: str, type_line: str, rules: set[str]
) -> None:
    assert set(events(linker, text, type_line)) == rules


def test_a_mana_ability_can_have_a_reflexive_trigger(linker: Linker) -> None:
    text = "{T}: Add {R}. When you do, this creature deals 1 damage to each opponent."
    assert kinds(linker, text) == ["activated/mana"]
    assert events(linker, text) == {"603.12": "When you do"}


def test_a_trigger_within_a_static_paragraph_is_linked_to_it(linker: Linker) -> None:
    text = "As this creature enters, choose a permanent. When the chosen permanent becomes tapped, scry 1."
    assert events(linker, text) == {"603.11": "When"}
    assert events(linker, "Golems you control have modular 1. (When they die, move their counters.)") == {}


def test_what_follows_the_comma_is_no_part_of_the_event(linker: Linker) -> None:
    text = "When this creature enters, search your library, graveyard, and hand for a Golem card."
    (ability,) = link(linker, text)
    assert ability.parts.event == (0, len("When this creature enters"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # CR 115.1c: new targets are those of the copy.
        ("{T}: Add {R}. When you spend this mana to cast a spell, copy it. You may choose new targets for "
         "the copy.", "activated/mana"),
        ("{T}: Add {R}. Target opponent draws a card.", "activated"),
        ('Say "Zap the newt": Scry 1.', "activated"),
        ("Whisper the chosen word: Tap enchanted creature.", "activated"),
        ('This creature escapes with "Whenever this creature attacks, scry 1."', "static"),
    ],
)  # fmt: skip
def test_the_kind_on_a_permanent(linker: Linker, text: str, kind: str) -> None:
    first = link(linker, text)[0]
    assert first.kind == kind
    assert any(c.relation == "ability_kind" for c in first.citations)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You may cast spells from among those cards by paying life rather than pay its mana cost.", "spell"),
        ("You may pay {U} rather than pay this spell's mana cost.", "static"),
        ("Whenever a Golem enters, you may return Zyx Warden from your graveyard to your hand.", "triggered"),
        ("Each opponent faces a villainous choice — They draw a card, or you scry 2.", "spell"),
    ],
)
def test_the_kind_on_a_spell(linker: Linker, text: str, kind: str) -> None:
    (ability,) = link(linker, text, INSTANT)
    assert ability.kind == kind
    assert ability.ability_word is None


def test_only_a_token_is_given_a_characteristic_defining_ability(linker: Linker) -> None:
    """CR 604.3a: printed, or granted to a token by the effect that created it."""
    defining = '"This creature\'s power and toughness are each equal to the number of Newts you control."'
    token = kinds(linker, f"When this creature enters, create a green Golem creature token with {defining}")
    land = kinds(linker, f"{{1}}: Target land becomes a Golem creature with {defining} until end of turn.")
    assert token == ["triggered", "static/characteristic-defining"]
    assert land == ["activated", "static"]


def test_an_ability_word_stands_within_a_quotation_too(linker: Linker) -> None:
    outer, inner = link(
        linker, 'Golems you control have "Landfall — Whenever a land you control enters, scry 1."'
    )
    assert (outer.kind, inner.kind, inner.ability_word) == ("static", "triggered", "Landfall")
    assert "603.6a" in {c.rule for c in inner.citations}


def test_a_quotation_within_a_quotation_may_end_without_a_stop(linker: Linker) -> None:
    text = "Create a Rock token with \"Equipped creature has '{1}, Sacrifice Rock: Scry 1' and equip {1}.\""
    assert kinds(linker, text, INSTANT) == ["spell", "static", "activated"]


def test_a_row_for_two_results_belongs_to_the_roll(linker: Linker) -> None:
    text = "[0]: Roll a six-sided die.\n1 or 2 — Scry 1.\n3 — Draw a card.\n4 or 5 — Scry 2.\n6 — You win."
    (ability,) = link(linker, text, "Legendary Planeswalker — Zyx")
    assert (ability.kind, ability.text) == ("activated/loyalty", text)
