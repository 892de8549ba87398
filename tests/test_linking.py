"""From abilities to citations, on invented cards: what the linking guide says a text invokes.

In a case's text the evidence stands between ⟦ and ⟧. Rule numbers are those of the shipped outline.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from cardlaw.graph import link as link_face
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Citation, Face
from cardlaw.graph.sources import outline

CREATURE = "Creature — Golem"
AURA = "Enchantment — Aura"
INSTANT = "Instant"
WALKER = "Legendary Planeswalker — Baker"

HAS, GRANTS, LOSES, MENTIONS = "has_keyword", "grants_keyword", "loses_keyword", "mentions_keyword"
KEYWORD_RELATIONS = {HAS, GRANTS, LOSES, MENTIONS}


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def link(linker: Linker, text: str, type_line: str = CREATURE, name: str = "Zyx Warden") -> Face:
    """An invented face linked, with what holds for every citation checked."""
    face = linker.link(Face(name=name, type_line=type_line, oracle_text=text))
    for ability in face.abilities:
        keys = [(c.rule, c.relation) for c in ability.citations]
        assert len(keys) == len(set(keys)), "once per ability, rule and relation"
        for c in ability.citations:
            assert c.quote == text[c.start : c.end] != ""
            assert ability.start <= c.start < c.end <= ability.end
            assert c.rule in linker.rulebook.rules
            assert c.entry
    return face


def cited(face: Face) -> list[Citation]:
    return [*face.citations, *(c for ability in face.abilities for c in ability.citations)]


def rules(face: Face, relations: Iterable[str] | None = None) -> set[str]:
    return {c.rule for c in cited(face) if relations is None or c.relation in relations}


def marked(text: str) -> tuple[str, int, int]:
    """A text without its marks, and where its evidence stands."""
    before, _, rest = text.partition("⟦")
    evidence, _, after = rest.partition("⟧")
    return before + evidence + after, len(before), len(before) + len(evidence)


def within(citations: Iterable[Citation], start: int, end: int) -> list[Citation]:
    return [c for c in citations if c.start < end and start < c.end]


# -- the four keyword relations --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "type_line", "rule", "relation"),
    [
        ("⟦Flying⟧", CREATURE, "702.9", HAS),
        ("Flying, ⟦vigilance⟧", CREATURE, "702.20", HAS),
        ("⟦Cycling⟧ {2}", INSTANT, "702.29", HAS),
        ("⟦Protection⟧ from red", CREATURE, "702.16", HAS),
        ("⟦Enchant⟧ creature", AURA, "702.5", HAS),
        ("⟦Boast⟧ — {1}: Scry 1.", CREATURE, "702.142", HAS),
        ("Song of Soup — ⟦Flying⟧", CREATURE, "702.9", HAS),
        # Given to something else.
        ("Other Golems you control have ⟦trample⟧.", CREATURE, "702.19", GRANTS),
        ("Creatures you control get +1/+1 and have ⟦menace⟧.", CREATURE, "702.111", GRANTS),
        ("Golems you control have ⟦protection⟧ from red.", CREATURE, "702.16", GRANTS),
        ("Artifact spells you cast have ⟦affinity⟧ for Otters.", CREATURE, "702.41", GRANTS),
        ("Each creature card in your graveyard has ⟦unearth⟧ {2}.", CREATURE, "702.84", GRANTS),
        ("Enchanted creature has ⟦flying⟧ and vigilance.", AURA, "702.9", GRANTS),
        ("Enchanted creature has flying and ⟦vigilance⟧.", AURA, "702.20", GRANTS),
        ("Enchanted creature gets +2/+2 and has ⟦lifelink⟧.", AURA, "702.15", GRANTS),
        ("Equipped creature gets +1/+1 and has ⟦first strike⟧.", "Artifact — Equipment", "702.7", GRANTS),
        ("As long as you control an Otter, Golems you control have ⟦reach⟧.", CREATURE, "702.17", GRANTS),
        # For a while, to itself too.
        ("Target creature gains ⟦haste⟧ until end of turn.", INSTANT, "702.10", GRANTS),
        ("{G}: This creature gains ⟦trample⟧ until end of turn.", CREATURE, "702.19", GRANTS),
        ("{G}: Zyx Warden gains ⟦trample⟧ until end of turn.", CREATURE, "702.19", GRANTS),
        ("Whenever this creature attacks, it gains ⟦menace⟧ until end of turn.", CREATURE, "702.111", GRANTS),
        ("Target Golem gets +2/+2 and gains ⟦indestructible⟧ until end of turn.", INSTANT, "702.12", GRANTS),
        ("Creatures you control gain flying, ⟦haste⟧, and lifelink.", INSTANT, "702.10", GRANTS),
        ("Creatures you control gain flying, haste, and ⟦lifelink⟧.", INSTANT, "702.15", GRANTS),
        ("Target Golem gains your choice of ⟦flying⟧, trample, or haste.", INSTANT, "702.9", GRANTS),
        ("Target Golem gains your choice of flying, ⟦trample⟧, or haste.", INSTANT, "702.19", GRANTS),
        ("Target Golem gains your choice of flying, trample, or ⟦haste⟧.", INSTANT, "702.10", GRANTS),
        ("Target Golem becomes a 4/4 Otter with ⟦flying⟧ until end of turn.", INSTANT, "702.9", GRANTS),
        # To a token, by a counter, by a copy, in a quotation.
        ("Create a 1/1 blue Bird creature token with ⟦flying⟧.", INSTANT, "702.9", GRANTS),
        ("Create two 2/2 Golem tokens with vigilance and ⟦trample⟧.", INSTANT, "702.19", GRANTS),
        ("Create a token that's a copy of it, except it has ⟦haste⟧.", INSTANT, "702.10", GRANTS),
        ("Put a ⟦flying⟧ counter on target creature.", INSTANT, "702.9", GRANTS),
        ("Put a first strike counter or a ⟦lifelink⟧ counter on it.", INSTANT, "702.15", GRANTS),
        ("This creature enters with a ⟦menace⟧ counter on it.", CREATURE, "702.111", GRANTS),
        ('Golems have "⟦Cycling⟧ {2}."', CREATURE, "702.29", GRANTS),
        (
            'Golems have "{T}: Target creature gains ⟦haste⟧ until end of turn."',
            CREATURE,
            "702.10",
            GRANTS,
        ),
        ('You get an emblem with "Golems you control have ⟦flying⟧."', INSTANT, "702.9", GRANTS),
        # Taken away.
        ("Target creature loses ⟦flying⟧ until end of turn.", INSTANT, "702.9", LOSES),
        ("Creatures your opponents control lose ⟦hexproof⟧.", CREATURE, "702.11", LOSES),
        ("Enchanted creature can't have ⟦shroud⟧.", AURA, "702.18", LOSES),
        ("Creatures can't have or gain ⟦flying⟧.", AURA, "702.9", LOSES),
        ("This creature loses ⟦defender⟧ until end of turn.", CREATURE, "702.3", LOSES),
        # Only referred to.
        ("Destroy target creature with ⟦flying⟧.", INSTANT, "702.9", MENTIONS),
        ("Creatures without ⟦flying⟧ can't attack.", CREATURE, "702.9", MENTIONS),
        ("Creatures you control with ⟦flying⟧ get +1/+1.", CREATURE, "702.9", MENTIONS),
        ("⟦Cycling⟧ abilities you activate cost {1} less.", CREATURE, "702.29", MENTIONS),
        ("Whenever you activate a ⟦cycling⟧ ability, scry 1.", CREATURE, "702.29", MENTIONS),
        ("You may cast creature spells as though they had ⟦flash⟧.", CREATURE, "702.8", MENTIONS),
        ("This creature can block as though it had ⟦reach⟧.", CREATURE, "702.17", MENTIONS),
        ("As long as enchanted creature has ⟦flying⟧, it gets +1/+1.", AURA, "702.9", MENTIONS),
        ("If target creature has ⟦flying⟧, destroy it.", INSTANT, "702.9", MENTIONS),
        ("Whenever you cast a spell with ⟦cascade⟧, scry 1.", CREATURE, "702.85", MENTIONS),
        ("Search your library for a card with ⟦suspend⟧.", INSTANT, "702.62", MENTIONS),
    ],
)
def test_a_keyword_is_had_given_taken_or_mentioned(
    linker: Linker, text: str, type_line: str, rule: str, relation: str
) -> None:
    text, start, end = marked(text)
    found = [
        c for c in within(cited(link(linker, text, type_line)), start, end) if c.relation in KEYWORD_RELATIONS
    ]
    assert [(c.rule, c.relation, c.conditional) for c in found] == [(rule, relation, False)]


@pytest.mark.parametrize(
    ("text", "type_line", "rule"),
    [
        ("As long as you control a Swamp, this creature has ⟦deathtouch⟧.", CREATURE, "702.2"),
        ("This creature has ⟦flying⟧ as long as it's your turn.", CREATURE, "702.9"),
        ("Zyx Warden has ⟦hexproof⟧ as long as it's untapped.", CREATURE, "702.11"),
        ("During your turn, this creature has ⟦first strike⟧.", CREATURE, "702.7"),
        ("As long as it's day, this creature gets +1/+0 and has ⟦haste⟧.", CREATURE, "702.10"),
        ("Threshold — As long as you have seven cards, this creature has ⟦flying⟧.", CREATURE, "702.9"),
        ("Level up {1}\nLEVEL 1-3\n3/3\n⟦First strike⟧\nLEVEL 4+\n5/5\nHaste", CREATURE, "702.7"),
        ("Station\n8+ | ⟦Flying⟧", "Artifact — Spacecraft", "702.9"),
        ("Scry 1.\n{1}{R}: Level 2\n⟦Hexproof⟧", "Enchantment — Class", "702.11"),
    ],
)
def test_a_keyword_under_a_condition_is_had_conditionally(
    linker: Linker, text: str, type_line: str, rule: str
) -> None:
    text, start, end = marked(text)
    found = [
        c for c in within(cited(link(linker, text, type_line)), start, end) if c.relation in KEYWORD_RELATIONS
    ]
    assert [(c.rule, c.relation, c.conditional) for c in found] == [(rule, HAS, True)]


def test_what_a_class_level_gives_to_others_is_granted(linker: Linker) -> None:
    face = link(linker, "{1}{R}: Level 2\nGolems you control have haste.", "Enchantment — Class")
    assert {c.relation for c in cited(face) if c.rule == "702.10"} == {GRANTS}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("⟦Hexproof from⟧ artifacts", "702.11d"),
        ("⟦Protection from everything⟧", "702.16j"),
        ("⟦Protection from⟧ the chosen player", "702.16k"),
        ("⟦Protection⟧ from red", "702.16"),
        ("⟦Devour Heron⟧ 2", "702.82c"),
        ("⟦Devour⟧ X", "702.82"),
        ("⟦Partner—Rival bakers⟧", "702.124i"),
        ("⟦Islandcycling⟧ {2}", "702.29e"),
        ("⟦Basic landcycling⟧ {2}", "702.29e"),
        ("⟦Ottercycling⟧ {2}", "702.29e"),
        ("⟦Multikicker⟧ {2}", "702.33c"),
        ("⟦Megamorph⟧ {2}", "702.37b"),
        ("⟦Trample over planeswalkers⟧", "702.19c"),
        ("⟦Doctor's companion⟧", "702.124m"),
        ("⟦Partner with⟧ Odo, Master Baker", "702.124j"),
        ("⟦Emerge from⟧ artifact {5}", "702.119b"),
        ("⟦Commander ninjutsu⟧ {2}", "702.49d"),
        ("⟦Islandwalk⟧", "702.14"),
        ("⟦Otterwalk⟧", "702.14"),
        ("⟦Double strike⟧", "702.4"),
        ("⟦Daybound⟧", "702.145b"),
        ("⟦Nightbound⟧", "702.145e"),
    ],
)
def test_a_variant_goes_to_the_subrule_that_defines_it(linker: Linker, text: str, rule: str) -> None:
    text, start, end = marked(text)
    found = [c for c in within(cited(link(linker, text)), start, end) if c.relation in KEYWORD_RELATIONS]
    assert [(c.rule, c.relation) for c in found] == [(rule, HAS)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("If this spell was ⟦kicked⟧, scry 1.", "702.33"),
        ("Whenever you ⟦cycle⟧ or discard a card, scry 1.", "702.29"),
        ("When you ⟦cycled⟧ this card this turn, scry 1.", "702.29"),
        ("Scry 1 for each ⟦foretold⟧ card you own.", "702.143"),
        ("Whenever a creature ⟦crews⟧ this Vehicle, scry 1.", "702.122"),
        ("Scry 1 if this Vehicle was ⟦crewed⟧ this turn.", "702.122"),
        ("Whenever this creature attacks while ⟦saddled⟧, scry 1.", "702.171"),
        ("When this creature ⟦exploits⟧ a creature, scry 1.", "702.110"),
        ("Whenever this creature ⟦mutates⟧, scry 1.", "702.140"),
        ("If this spell was ⟦bargained⟧, scry 1.", "702.166"),
        ("Target creature ⟦phases out⟧.", "702.26"),
        ("Each ⟦phased-out⟧ Golem stays away.", "702.26"),
    ],
)
def test_verbs_and_participles_only_refer(linker: Linker, text: str, rule: str) -> None:
    text, start, end = marked(text)
    face = link(linker, text)
    assert {c.relation for c in cited(face) if c.rule == rule} == {MENTIONS}
    assert rule in {c.rule for c in within(cited(face), start, end)}


def test_printed_and_mentioned_are_both_cited(linker: Linker) -> None:
    face = link(linker, "Kicker {2}\nWhen this creature enters, if it was kicked, scry 1.")
    assert {(c.relation, c.quote) for c in cited(face) if c.rule == "702.33"} == {
        (HAS, "Kicker"),
        (MENTIONS, "kicked"),
    }


def test_losing_all_abilities_is_no_keyword(linker: Linker) -> None:
    face = link(linker, "Enchanted creature loses all abilities.", AURA)
    assert rules(face, KEYWORD_RELATIONS) == set()
    assert "613.1f" in rules(face, {"effect"})


def test_an_effect_that_gives_a_keyword_is_613_1f_but_a_token_is_not(linker: Linker) -> None:
    assert "613.1f" in rules(link(linker, "Golems you control have trample."), {"effect"})
    assert "613.1f" in rules(
        link(linker, "It becomes a 4/4 Golem creature with flying.", INSTANT), {"effect"}
    )
    assert "613.1f" not in rules(link(linker, "Create a 1/1 Bird creature token with flying.", INSTANT))
    assert "613.1f" not in rules(link(linker, "Flying"))


def test_what_a_quotation_invokes_is_marked_granted(linker: Linker) -> None:
    face = link(linker, 'Golems have "{T}: Scry 1." Draw a card.')
    assert {c.quote for c in cited(face) if c.granted} >= {"{T}", "Scry"}
    assert "Draw" not in {c.quote for c in cited(face) if c.granted}


# -- keyword actions -------------------------------------------------------------------------------

# For each heading of section 701 a base form, a third person and a past form or participle.
ACTIONS: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "fixtures" / "actions.toml").read_text(encoding="utf-8")
)


def test_every_heading_of_701_has_its_cases() -> None:
    keywords = outline.load().vocabulary.keywords
    assert set(ACTIONS) == {k.name for k in keywords if k.action and k.variant_of is None}


@pytest.mark.parametrize(
    ("heading", "text"),
    [(heading, text) for heading, texts in ACTIONS.items() for text in texts],
)
def test_a_keyword_action_is_cited_in_every_inflection(linker: Linker, heading: str, text: str) -> None:
    rule = next(k.rule for k in linker.rulebook.vocabulary.keywords if k.action and k.name == heading)
    text, start, end = marked(text)
    found = within(cited(link(linker, text, INSTANT)), start, end)
    hits = [c for c in found if c.relation == "keyword_action"]
    assert [(c.rule, c.start, c.end) for c in hits] == [(rule, start, end)]


@pytest.mark.parametrize(
    ("cost", "rule"),
    [
        ("Sacrifice a creature", "701.21"),
        ("{2}, Discard a card", "701.9"),
        ("Tap an untapped Otter you control", "701.26"),
        ("{1}, Exile this card from your graveyard", "701.13"),
        ("Reveal a card from your hand", "701.20"),
        ("Mill two cards", "701.17"),
    ],
)
def test_a_keyword_action_is_cited_in_costs(linker: Linker, cost: str, rule: str) -> None:
    assert rule in rules(link(linker, f"{cost}: Scry 1."), {"keyword_action"})


@pytest.mark.parametrize(
    "words", ["⟦Look at⟧ the top card.", "Target player ⟦looks at⟧ it.", "After ⟦looking at⟧ it, draw."]
)
def test_look_at_goes_to_its_subrule(linker: Linker, words: str) -> None:
    text, start, end = marked(words)
    hits = [
        (c.rule, c.start, c.end) for c in cited(link(linker, text, INSTANT)) if c.relation == "keyword_action"
    ]
    assert ("701.20e", start, end) in hits


# -- words with several meanings -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "must", "never"),
    [
        # counter
        ("Counter target spell.", {"701.6"}, {"122.1"}),
        ("Put a charge counter on this creature.", {"122.1"}, {"701.6"}),
        ("Remove all counters from target creature.", {"122.1"}, {"701.6"}),
        ("This spell can't be countered.", {"701.6"}, {"122.1"}),
        ("Move a +1/+1 counter, then counter target spell.", {"122.1", "122.1a", "701.6"}, set()),
        # exile
        ("Exile target creature.", {"701.13"}, {"406"}),
        ("Return a card you own from exile to your hand.", {"406", "402"}, {"701.13"}),
        ("Put a card from exile into your graveyard.", {"406", "404"}, {"701.13"}),
        ("Put it into exile.", {"406"}, {"701.13"}),
        ("Cards in exile have no names.", {"406"}, {"701.13"}),
        ("Exile it, then return it from exile.", {"406", "701.13"}, set()),
        ("Exile the top card of your library face down.", {"701.13", "406.3"}, {"708"}),
        # play, cast
        ("You may play that card.", {"701.18"}, set()),
        ("Play with the top card of your library revealed.", {"701.20"}, {"701.18"}),
        ("Whenever you cast a spell, scry 1.", {"601", "701.5"}, set()),
        # tap
        ("Tap target creature.", {"701.26"}, {"110.5", "106.12"}),
        ("Destroy target tapped creature.", {"110.5"}, {"701.26"}),
        ("Whenever you tap a land for mana, scry 1.", {"106.12"}, {"701.26"}),
        ("Whenever this creature becomes tapped, scry 1.", {"603.2e", "701.26"}, set()),
        # flash, storm, double, flip and others
        ("Flashback {2}", {"702.34"}, {"702.8"}),
        ("Put a storm counter on this creature.", {"122.1"}, {"702.40"}),
        ("Double strike", {"702.4"}, {"701.10"}),
        ("Exile target double-faced card.", {"712"}, {"701.10"}),
        ("Double the number of counters on it.", {"701.10"}, {"702.4"}),
        ("When this creature is turned face up, scry 1.", {"708"}, {"702.37"}),
        ("Destroy target Champion creature.", {"701.8"}, {"702.72"}),
        ("Manifest dread.", {"701.62"}, {"701.40"}),
        ("This creature can't be blocked by Walls with shadow.", {"702.28"}, set()),
        ("Level up {2}", {"702.87"}, set()),
        ("Roll a six-sided die.", {"706"}, {"700.4"}),
        ("When this creature dies, scry 1.", {"700.4", "603.6c"}, {"706", "404"}),
        ("If a creature would die this turn, exile it instead.", {"700.4", "614.1a", "701.13"}, {"706"}),
        ("Activate only once each turn.", {"602.5b"}, {"701.2"}),
        (
            "Search your library for a card, reveal it, then shuffle.",
            {"701.23", "701.20", "701.24", "401"},
            set(),
        ),
        # implied is not named
        ("When this creature enters, scry 1.", {"603.6a"}, {"403"}),
        ("Return it to the battlefield.", {"403"}, set()),
        ("Put it on the bottom of your library in any order.", {"401", "401.4"}, set()),
        ("Put it into the command zone.", {"408"}, set()),
        ("Counter target spell on the stack.", {"405"}, set()),
        # counters and P/T
        ("Put a +1/+1 counter on it.", {"122.1", "122.1a"}, {"613.4c"}),
        ("Target creature gets +1/+1 until end of turn.", {"613.4c"}, {"122.1", "122.1a"}),
        # targets
        ("It deals 2 damage to any target.", {"115.4", "120"}, {"115.1"}),
        ("Destroy target creature.", {"115.1"}, {"115.4"}),
        ("Tap another target Heron.", {"115.1"}, {"115.4"}),
        ("It deals 2 damage to any target and 1 damage to another target.", {"115.4"}, set()),
        ("You may change any targets of target spell.", {"115.1"}, {"115.4"}),
        ("It deals 1 damage to any target of an opponent's choice.", {"115.4"}, {"608.2d"}),
        ("An opponent sacrifices a creature of their choice.", {"608.2d"}, set()),
        # counters and countering
        ("Whenever an opponent casts a spell, counter it unless they pay {1}.", {"701.6"}, {"122.1"}),
        ("Whenever a spell you control counters a spell, scry 1.", {"701.6"}, {"122.1"}),
        ("If that creature had counters on it, scry 1.", {"122.1"}, {"701.6"}),
        ("Remove all devotion counters from it.", {"122.1"}, {"700.5"}),
        # names, numbers and colors
        ("Exile each creature with the same name as that card.", {"201.2a"}, {"201.2b", "201.2c"}),
        ("Draw a card if you control four lands with different names.", {"201.2b"}, {"201.2a", "201.2c"}),
        ("Exile a card with a different name than that spell.", {"201.2c"}, {"201.2a", "201.2b"}),
        ("A deck can have any number of cards named Harrow Wren.", set(), {"107.1c"}),
        # face down
        ("Turn this conspiracy face up.", set(), {"708"}),
        ("Destroy target face-up creature.", {"708"}, set()),
        ("Put a face-up card you own in exile into your hand.", {"406"}, {"708"}),
        # durations of what is no continuous effect
        ("{T}: Until end of turn, whenever a creature dies, scry 1.", {"603.7"}, {"611.2"}),
        ("{T}: Until your next turn, at the beginning of each end step, scry 1.", {"603.7"}, {"611.2"}),
        ("Until end of turn, creatures you control gain haste.", {"611.2"}, {"603.7"}),
        # players have what they have in no layer
        ("You gain hexproof until end of turn.", {"613.10", "702.11"}, {"613.1f"}),
        ("Creatures you control gain hexproof until end of turn.", {"613.1f", "702.11"}, {"613.10"}),
        # a land is played, never cast
        ("You may play a land from your graveyard each turn.", {"305.1"}, {"601.3"}),
        ("You may play lands and cast spells from your graveyard.", {"601.3"}, set()),
        ("You may cast it as though it had flash if you pay {2} more.", {"601.3b", "601.3c"}, set()),
        ("You may cast creature spells as though they had flash.", {"601.3b"}, {"601.3c"}),
        # what can't and what couldn't
        ("Each player discards two cards. Each player who can't loses 1 life.", {"701.9"}, {"101.2"}),
        ("Each player can't gain life.", {"101.2"}, set()),
        # costs to attack and block
        ("Creatures can't attack you unless their controller pays {2}.", {"508.1c", "508.1h"}, {"509.1d"}),
        ("Creatures can't attack unless you control a land.", {"508.1c"}, {"508.1h"}),
        ("Creatures can't block unless their controller pays {2}.", {"509.1b", "509.1d"}, {"508.1h"}),
        # divided among targets or not
        ("Distribute three +1/+1 counters among creatures you control.", {"122.1a"}, {"601.2d"}),
        ("Distribute three +1/+1 counters among up to three target creatures.", {"601.2d"}, set()),
        # what enters or is cast transformed
        ("Return it to the battlefield transformed.", {"712.14a"}, {"712.11a"}),
        ("Cast this card from your graveyard transformed.", {"712.11a"}, {"712.14a"}),
        # triggers of reminder text are printed ones, and those of a resolving ability are reflexive
        ("Miracle {R} (You may cast it when you draw it.)", {"702.94"}, {"603.7"}),
        ("{T}: Exile it. When that creature dies this turn, scry 1.", {"603.7"}, set()),
        ("{T}: Investigate. When it connives this way, scry 1.", {"603.12"}, {"603.7"}),
        ("{T}: Regenerate this creature. When it regenerates this way, scry 1.", {"603.7"}, {"603.12"}),
        ("{T}: Exile it. At the beginning of the next end step, if it's exiled, scry 1.", {"603.4"}, set()),
        ("{5}: At the beginning of your next upkeep, scry 1.", {"603.7"}, set()),
        # what is paid as a spell is cast
        ("{T}: You may pay {2}. If you do, scry 1.", {"118.12"}, set()),
        ("Evoke {2} (You may cast this spell for its evoke cost. If you do, scry 1.)", set(), {"118.12"}),
        ("You may exert it as it attacks.", {"701.43", "508.1g"}, {"508.1h"}),
        ("Creatures with power 1 can't be blocked unless defending player pays {1}.", {"509.1d"}, set()),
        # triggers that look back
        ("When you lose control of this creature, scry 1.", {"603.10d"}, {"603.6c"}),
        ("Whenever this creature phases out, scry 1.", {"603.10b"}, {"603.10c"}),
        ("Whenever a spell you control is countered, scry 1.", {"603.10e", "701.6"}, set()),
        # what is face down, or a token that reminder text tells of, has what it has in no layer
        ("Turn target creature face down. It's a 3/3 Heron creature.", {"708"}, {"613.1d", "613.4b"}),
        ("Target creature becomes a 3/3 Heron creature.", {"613.1d", "613.4b"}, set()),
        ('Create a Clue token. (It\'s an artifact with "Draw a card.")', {"111.10f"}, {"613.1f"}),
        ('Target land is an artifact with "Draw a card."', {"613.1f"}, set()),
        ("This creature enters as a 5/2 creature with haste.", {"702.10"}, {"613.1f"}),
        ("Creatures you control get +1/+1.", set(), {"115.1", "115.4"}),
    ],
)
def test_what_a_word_means_here(linker: Linker, text: str, must: set[str], never: set[str]) -> None:
    for type_line in (CREATURE,) if text.startswith("When") else (CREATURE, INSTANT):
        found = rules(link(linker, text, type_line))
        assert must - found == set()
        assert never & found == set()


# -- families --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("+1/+1", "122.1a"),
        ("-1/-1", "122.1a"),
        ("−1/−1", "122.1a"),
        ("+2/+0", "122.1a"),
        ("flying", "122.1b"),
        ("first strike", "122.1b"),
        ("shield", "122.1c"),
        ("stun", "122.1d"),
        ("loyalty", "122.1e"),
        ("poison", "122.1f"),
        ("defense", "122.1g"),
        ("finality", "122.1h"),
        ("rad", "122.1i"),
    ],
)
@pytest.mark.parametrize("text", ["Put a {} counter on it.", "It gets two {} counters."])
def test_counters_of_a_kind_with_a_letter(linker: Linker, kind: str, rule: str, text: str) -> None:
    found = rules(link(linker, text.format(kind), INSTANT), {"defined_term"})
    assert {"122.1", rule} <= found


@pytest.mark.parametrize("kind", ["charge", "time", "lore", "crumb", "oil"])
def test_a_counter_of_another_kind_is_only_a_counter(linker: Linker, kind: str) -> None:
    found = rules(link(linker, f"Put a {kind} counter on it.", INSTANT), {"defined_term"})
    assert {rule for rule in found if rule.startswith("122")} == {"122.1"}


def test_a_counter_is_cited_at_the_first_of_any_kind(linker: Linker) -> None:
    face = link(linker, "Put a shield counter and a stun counter on it.", INSTANT)
    assert [c.quote for c in cited(face) if c.rule == "122.1"] == ["shield counter"]


@pytest.mark.parametrize(
    ("token", "rule"), [("Treasure", "111.10a"), ("Food", "111.10b"), ("Clue", "111.10f"), ("Map", "111.10s")]
)
def test_a_predefined_token_has_its_letter(linker: Linker, token: str, rule: str) -> None:
    assert {"111", rule} <= rules(link(linker, f"Create two {token} tokens.", INSTANT), {"defined_term"})
    assert rule not in rules(link(linker, f"Sacrifice a {token}x.", INSTANT))


@pytest.mark.parametrize(
    ("text", "rule", "quote"),
    [
        ("{T}: Scry 1.", "107.5", "{T}"),
        ("{1}, {Q}: Scry 1.", "107.6", "{Q}"),
        ("{X}: Scry 1.", "107.3", "{X}"),
        ("{R/G}: Scry 1.", "107.4e", "{R/G}"),
        ("{2/W}: Scry 1.", "107.4e", "{2/W}"),
        ("{W/P}: Scry 1.", "107.4f", "{W/P}"),
        ("{S}: Scry 1.", "107.4h", "{S}"),
        ("Pay {E}{E}: Scry 1.", "107.14", "{E}{E}"),
        ("Pay 2 life: Scry 1.", "119.4", "Pay 2 life"),
        ("As an additional cost to cast this spell, scry 1.", "118.8", "additional cost"),
        ("You may pay {1} rather than pay this spell's mana cost.", "118.9", "rather than pay"),
        ("You may cast it without paying its mana cost.", "118.9", "without paying its mana cost"),
    ],
)
def test_costs(linker: Linker, text: str, rule: str, quote: str) -> None:
    assert (rule, quote) in {(c.rule, c.quote) for c in cited(link(linker, text)) if c.relation == "cost"}


def test_bare_mana_cites_no_cost(linker: Linker) -> None:
    assert rules(link(linker, "{2}{R}: Scry 1."), {"cost"}) == set()


def test_unless_a_player_does_something_is_a_cost_and_unless_you_control_is_none(linker: Linker) -> None:
    assert "118.12a" in rules(link(linker, "Counter target spell unless its controller pays {3}.", INSTANT))
    assert "118.12a" not in rules(
        link(linker, "This land enters tapped unless you control an Otter.", "Land")
    )


def test_you_may_pay_and_if_you_do(linker: Linker) -> None:
    text = "When this creature dies, you may pay {2}. If you do, draw a card."
    assert "118.12" in rules(link(linker, text), {"cost"})
    assert "118.12" not in rules(link(linker, "When this creature dies, you may draw a card."), {"cost"})


@pytest.mark.parametrize("cost", ["[+1]", "+1", "−2", "[−X]", "0"])
def test_loyalty_costs(linker: Linker, cost: str) -> None:
    face = link(linker, f"{cost}: Draw a card.", WALKER)
    assert {"606", "606.4"} <= rules(face)


@pytest.mark.parametrize(
    ("type_line", "rules_of_it"),
    [
        ("Legendary Artifact Creature — Golem", {"205.4", "301", "302"}),
        ("Instant", {"304"}),
        ("Basic Land — Island", {"205.4", "305", "305.6"}),
        ("Enchantment — Aura Role", {"303", "303.4", "303.7"}),
        ("Artifact — Equipment", {"301", "301.5"}),
        ("Artifact — Vehicle", {"301", "301.7"}),
        ("Enchantment — Saga", {"303", "714"}),
        ("Enchantment — Class", {"303", "716"}),
        ("Enchantment — Case", {"303", "719"}),
        ("Enchantment — Room", {"303", "709.5"}),
        ("Artifact — Attraction", {"301", "717"}),
        ("Artifact — Spacecraft", {"301", "721"}),
        ("Battle — Siege", {"310", "310.11"}),
        ("Kindred Sorcery — Otter", {"307", "308"}),
        ("Legendary Planeswalker — Baker", {"205.4", "306"}),
    ],
)
def test_the_type_line_is_cited_from_the_face(linker: Linker, type_line: str, rules_of_it: set[str]) -> None:
    face = linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text="Scry 1."))
    assert {c.rule for c in face.citations if c.relation == "card_type"} == rules_of_it
    assert all(c.field == "type_line" and type_line[c.start : c.end] == c.quote for c in face.citations)


def test_the_mana_cost_is_cited_from_the_face(linker: Linker) -> None:
    face = linker.link(Face(name="Zyx Warden", mana_cost="{X}{R/G}{W/P}{S}{2}"))
    assert {(c.rule, c.quote, c.field) for c in face.citations} == {
        ("107.3", "{X}", "mana_cost"),
        ("107.4e", "{R/G}", "mana_cost"),
        ("107.4f", "{W/P}", "mana_cost"),
        ("107.4h", "{S}", "mana_cost"),
    }
    assert linker.link(Face(name="Zyx Warden", mana_cost="{2}{R}")).citations == ()


def test_a_creature_type_in_a_text_cites_nothing(linker: Linker) -> None:
    assert rules(link(linker, "Destroy target Otter.", INSTANT)) == {"113.3a", "115.1", "304", "701.8"}


@pytest.mark.parametrize(
    ("text", "type_line", "rule"),
    [
        ("Scry 1.", INSTANT, "113.3a"),
        ("{1}: Scry 1.", CREATURE, "602"),
        ("{T}: Add {G}.", CREATURE, "605.1a"),
        ("{1}: Double the amount of unspent mana that you have.", CREATURE, "605.1a"),
        ("Whenever you tap a Mountain, Forest, or Plains for mana, add {G}.", CREATURE, "605.1b"),
        ("Whenever a land's ability causes you to add mana, add {G}.", CREATURE, "605.1b"),
        ("This creature is also a Cleric, Rogue, and Wizard.", CREATURE, "604.3"),
        ("This creature is also a Cleric as long as you control a Plains.", CREATURE, "604"),
        ("[+1]: Scry 1.", WALKER, "606"),
        ("When this creature dies, scry 1.", CREATURE, "603"),
        ("Whenever enchanted land is tapped for mana, its controller adds {G}.", AURA, "605.1b"),
        ("I — Scry 1.", "Enchantment — Saga", "714.2"),
        ("Golems you control get +1/+0.", CREATURE, "604"),
        ("This creature's power is equal to your life total.", CREATURE, "604.3"),
        ("{1}{R}: Level 2", "Enchantment — Class", "716.2"),
        ("To solve — You control three Otters.", "Enchantment — Case", "719.3"),
        ("Solved — Golems you control have haste.", "Enchantment — Case", "719.3"),
        ("LEVEL 1-3\n3/3\nFlying", CREATURE, "711"),
        ("8+ | Flying", "Artifact — Spacecraft", "721"),
        ("As an additional cost to cast this spell, discard a card.", INSTANT, "604.5"),
        ("You may pay {1} rather than pay this spell's mana cost.", INSTANT, "604.5"),
        ("This spell costs {1} less to cast.", INSTANT, "113.6d"),
        ("This spell can't be countered.", INSTANT, "604.5"),
        ("This spell can't be countered.", INSTANT, "113.6g"),
        ("This spell can't be copied.", INSTANT, "604.5"),
        ("Cast this spell only during combat.", INSTANT, "604.6"),
        ("Remove this card from your deck before playing.", INSTANT, "604"),
        ("X can't be 0.", INSTANT, "604"),
        ("If this spell was kicked, it has split second.", INSTANT, "604"),
        ("You may cast this card from your graveyard.", INSTANT, "604.6"),
        ("When you cycle this card, scry 1.", INSTANT, "603"),
        ("Whenever a creature attacks this turn, scry 1.", INSTANT, "113.3a"),
    ],
)
def test_the_kind_of_an_ability_is_cited(linker: Linker, text: str, type_line: str, rule: str) -> None:
    assert rule in rules(link(linker, text, type_line), {"ability_kind"})


def test_a_delayed_trigger_of_a_spell_is_603_7_and_no_triggered_ability(linker: Linker) -> None:
    face = link(linker, "Whenever a creature you control attacks this turn, scry 1.", INSTANT)
    assert rules(face, {"ability_kind"}) == {"113.3a"}
    assert "603.7" in rules(face, {"trigger_event"})


def test_a_keyword_ability_cites_no_kind(linker: Linker) -> None:
    assert rules(link(linker, "Flying\nWard {2}\nCycling {1}"), {"ability_kind"}) == set()


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("Exile", "Exile deals 2 damage to any target.", {"701.13", "406"}),
        ("Trample the Fallen", "Trample the Fallen can't be countered.", {"702.19"}),
        ("Scry, the Mill Keeper", "Whenever Scry attacks, draw a card.", {"701.22", "701.17"}),
        ("Counter of Crumbs", "When Counter of Crumbs enters, draw a card.", {"701.6", "122.1"}),
        ("Haste Golem", "Haste Golem enters tapped.", {"702.10"}),
        ("Zyx Warden", "Create a 1/1 Otter creature token named Flying Trample.", {"702.9", "702.19"}),
        ("Zyx Warden", "Search your library for a card named Scry the Depths.", {"701.22"}),
        ("Zyx Warden", "Partner with Sacrifice, Storm of Dawn", {"701.21", "702.40"}),
    ],
)
def test_names_are_not_terms(linker: Linker, name: str, text: str, never: set[str]) -> None:
    assert rules(link(linker, text, "Legendary Creature — Golem", name)) & never == set()


def test_a_word_of_the_name_is_still_a_term_elsewhere(linker: Linker) -> None:
    face = link(linker, "Exile target creature.", INSTANT, "Exile")
    assert "701.13" in rules(face, {"keyword_action"})
    face = link(
        linker, "Trample the Fallen has trample as long as it's your turn.", CREATURE, "Trample the Fallen"
    )
    assert [c.start for c in cited(face) if c.rule == "702.19"] == [len("Trample the Fallen has ")]


def test_offsets_are_code_points(linker: Linker) -> None:
    face = link(linker, "🦦 “Ünïcode” — Flying creatures… get +1/+1 and have trample.")
    assert [c.quote for c in cited(face) if c.rule == "702.19"] == ["trample"]


# -- once, and the longer name ---------------------------------------------------------------------


def test_a_rule_is_cited_once_per_ability_at_its_first_place(linker: Linker) -> None:
    face = link(linker, "Scry 1, then scry 2.\nWhenever you scry, scry 1.")
    places = [(a.id, c.start) for a in face.abilities for c in a.citations if c.rule == "701.22"]
    text = face.oracle_text or ""
    assert places == [("1.1", 0), ("1.2", text.index("scry,"))]


def test_outside_reminder_text_comes_first(linker: Linker) -> None:
    text = "Draw a card (after you scry 1), then scry 2."
    (found,) = [c for c in cited(link(linker, text, INSTANT)) if c.rule == "701.22"]
    assert (found.start, found.in_reminder) == (text.index("scry 2"), False)


def test_a_rule_named_only_in_reminder_text_is_marked(linker: Linker) -> None:
    face = link(linker, "Investigate. (Create a Clue token.)", INSTANT)
    marks = {c.rule: c.in_reminder for c in cited(face) if c.relation in {"keyword_action", "defined_term"}}
    assert marks["701.16"] is False
    assert marks["701.7"] is True
    assert marks["111"] is True


def test_one_place_can_prove_two_rules(linker: Linker) -> None:
    face = link(linker, "Whenever this creature deals combat damage to a player, scry 1.")
    assert {"120", "510"} <= rules(face, {"trigger_event"})


@pytest.mark.parametrize(
    ("text", "must", "never"),
    [
        ("Golems have double strike.", "702.4", {"701.10"}),
        ("Golems have hexproof from artifacts.", "702.11d", {"702.11"}),
        ("Golems have trample over planeswalkers.", "702.19c", {"702.19"}),
        ("Golems have commander ninjutsu {2}.", "702.49d", {"702.49", "903.3"}),
        ("Golems have split second.", "702.61", set()),
        ("Council's dilemma — Scry 1.", "207.2c", set()),
        ("Will of the council — Scry 1.", "207.2c", set()),
        ("Collect evidence 4.", "701.59", set()),
        ("Manifest dread.", "701.62", {"701.40"}),
        ("Flash creatures have flashback {2}.", "702.34", set()),
        ("Golems have level up {1}.", "702.87", set()),
    ],
)
def test_a_longer_name_beats_a_shorter_one(linker: Linker, text: str, must: str, never: set[str]) -> None:
    found = rules(link(linker, text))
    assert must in found
    assert never & found == set()


def test_a_phrase_does_not_suppress_a_term_inside_it(linker: Linker) -> None:
    found = {(c.rule, c.relation) for c in cited(link(linker, "Golems you control have trample."))}
    assert {("613.1f", "effect"), ("702.19", GRANTS), ("604", "ability_kind")} <= found


def test_an_ability_word_is_cited_and_a_flavor_word_is_not(linker: Linker) -> None:
    assert "207.2c" in rules(link(linker, "Landfall — Whenever a land you control enters, scry 1."))
    assert "207.2c" not in rules(link(linker, "Crumbfall — Whenever a land you control enters, scry 1."))


def test_a_flavor_word_is_no_term(linker: Linker) -> None:
    found = rules(link(linker, "Exile and Trample — When this creature dies, draw a card."))
    assert {"701.13", "702.19"} & found == set()


# -- the ways in -----------------------------------------------------------------------------------


def test_linking_is_a_pure_function(linker: Linker) -> None:
    face = Face(name="Zyx Warden", type_line=CREATURE, oracle_text="Flying\n{T}: Scry 1.")
    assert linker.link(face) == linker.link(face)
    assert face.abilities == ()


def test_a_card_is_linked_face_by_face(linker: Linker) -> None:
    faces = (Face(name="Zyx", oracle_text="Flying"), Face(name="Warden", number=2, oracle_text="Haste"))
    card = linker.link_card(Card(name="Zyx // Warden", slug="zyx-warden", layout="split", faces=faces))
    assert [[a.id for a in face.abilities] for face in card.faces] == [["1.1"], ["2.1"]]
    assert [rules(face) for face in card.faces] == [{"702.9"}, {"702.10"}]


def test_link_needs_no_rulebook() -> None:
    face = link_face(Face(name="Zyx Warden", oracle_text="Flying"))
    assert rules(face) == {"702.9"}
    assert link_face(Face(name="Zyx Warden")).abilities == ()


def test_titles_are_those_of_the_rule_or_its_nearest_parent(linker: Linker) -> None:
    titles = {c.rule: c.title for c in cited(link(linker, "Islandcycling {2}\nScry 1."))}
    assert titles["702.29e"] == "Cycling"
    assert titles["701.22"] == "Scry"


@pytest.mark.parametrize("text", ["Grumble {2}{R} (It grumbles.)", "Slow burn 3", "Snack time (Twice.)"])
def test_a_keyword_that_the_release_lacks_is_a_keyword_and_cites_nothing(linker: Linker, text: str) -> None:
    (ability,) = linker.link(Face(name="Zyx Warden", type_line=CREATURE, oracle_text=text)).abilities
    assert ability.kind == "keyword"
    assert ability.keyword in {"Grumble", "Slow burn", "Snack time"}
    assert not [c for c in ability.citations if not c.in_reminder]
