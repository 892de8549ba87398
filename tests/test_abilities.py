"""From oracle text to abilities: paragraphs, kinds, parts and parameters, on invented cards.

Expected values are those of the linking guide and of the rules named beside them.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cardlaw.graph.abilities import Lexicon, segment
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Ability, Face, Span
from cardlaw.graph.sources import outline

CREATURE = "Creature — Golem"
INSTANT = "Instant"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Linker(outline.load()).lexicon


def read(lexicon: Lexicon, text: str, type_line: str = CREATURE, name: str = "Zyx Warden") -> list[Ability]:
    """The abilities of an invented face, with what holds for all of them checked."""
    abilities = segment(Face(name=name, type_line=type_line, oracle_text=text), lexicon).abilities
    seen: set[str] = set()
    for ability in abilities:
        assert ability.text == text[ability.start : ability.end] != ""
        assert ability.id not in seen
        assert ability.parent is None or ability.parent in seen, "a parent comes before what it holds"
        assert (ability.keyword is not None) == (ability.kind == "keyword")
        seen.add(ability.id)
    return list(abilities)


def top(abilities: Sequence[Ability]) -> list[tuple[str, str]]:
    return [(a.kind, a.text) for a in abilities if a.parent is None]


def under(abilities: Sequence[Ability], parent: Ability) -> list[tuple[str, str]]:
    return [(a.kind, a.text) for a in abilities if a.parent == parent.id]


def words(text: str, span: Span | None) -> str | None:
    return None if span is None else text[slice(*span)]


# -- paragraphs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n\n", "   "])
def test_a_face_without_words_has_no_abilities(lexicon: Lexicon, text: str) -> None:
    assert read(lexicon, text) == []
    assert segment(Face(name="Zyx Warden"), lexicon).abilities == ()


def test_a_line_break_ends_an_ability(lexicon: Lexicon) -> None:
    text = "When this creature enters, scry 1. Then draw a card.\nOther Golems you control get +1/+0."
    first, second = text.split("\n")
    assert top(read(lexicon, text)) == [("triggered", first), ("static", second)]


def test_ids_count_abilities_within_the_face_and_under_their_parent(lexicon: Lexicon) -> None:
    text = 'Flying, haste\nGolems you control have "{T}: Add {G}." and "{1}: Scry 1."'
    ids = [(a.id, a.parent) for a in read(lexicon, text)]
    assert ids == [("1.1", None), ("1.2", None), ("1.3", None), ("1.3.1", "1.3"), ("1.3.2", "1.3")]
    back = segment(Face(name="Zyx Warden", number=2, oracle_text="Flying"), lexicon)
    assert [a.id for a in back.abilities] == ["2.1"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("First strike, haste", ["First strike", "haste"]),
        ("Flying; islandwalk; ward {2}", ["Flying", "islandwalk", "ward {2}"]),
        ("Double strike, trample, lifelink", ["Double strike", "trample", "lifelink"]),
        ("Protection from black and from red", ["Protection from black", "from red"]),
        (
            "Protection from black, from red, and from Otters",
            ["Protection from black", "from red", "from Otters"],
        ),
        ("Hexproof from black and from red", ["Hexproof from black", "from red"]),
        ("Kicker {R} and/or {2}{G}", ["Kicker {R}", "{2}{G}"]),
        ("Trample, protection from blue", ["Trample", "protection from blue"]),
        ("Partner with Odo, Master Baker", ["Partner with Odo, Master Baker"]),
        ("Ward—Pay 2 life, discard a card.", ["Ward—Pay 2 life, discard a card."]),
        (
            "Escape—{3}{B}, Exile four other cards from your graveyard.",
            ["Escape—{3}{B}, Exile four other cards from your graveyard."],
        ),
        ("Enchant creature or Vehicle", ["Enchant creature or Vehicle"]),
        ("Start your engines!", ["Start your engines!"]),
        ("For Mirrodin!", ["For Mirrodin!"]),
        (
            "Firebending X, where X is this creature's power.",
            ["Firebending X, where X is this creature's power."],
        ),
    ],
)
def test_a_list_of_keywords_is_one_ability_each(lexicon: Lexicon, text: str, parts: list[str]) -> None:
    assert top(read(lexicon, text)) == [("keyword", part) for part in parts]


def test_the_members_of_a_shared_list_are_the_same_keyword(lexicon: Lexicon) -> None:
    """CR 702.16g, 702.11f, 702.33b."""
    for text, name in [
        ("Protection from black and from red", "Protection"),
        ("Hexproof from black and from red", "Hexproof from"),
        ("Kicker {R} and/or {2}{G}", "Kicker"),
    ]:
        assert [a.keyword for a in read(lexicon, text)] == [name, name]


def test_a_sentence_that_begins_with_a_keyword_is_no_keyword_ability(lexicon: Lexicon) -> None:
    text = "Cycling abilities you activate cost {1} less to activate."
    assert top(read(lexicon, text)) == [("static", text)]
    text = "Flash and flying creatures can't block."
    assert [kind for kind, _ in top(read(lexicon, text))] == ["static"]


def test_reminder_text_goes_with_its_ability_and_never_classifies(lexicon: Lexicon) -> None:
    """CR 207.2a."""
    text = "Hideaway 2 (When it enters, look.)\nHaste (It hurries. {T}: Hurry.)\nTap target Golem. (At once.)"
    lines = text.split("\n")
    kinds = ["keyword", "keyword", "static"]
    assert top(read(lexicon, text)) == list(zip(kinds, lines, strict=True))
    assert read(lexicon, text, INSTANT)[-1].kind == "spell"


def test_a_paragraph_of_reminder_text_is_no_ability(lexicon: Lexicon) -> None:
    assert read(lexicon, "({T}: Add {G}.)") == []
    assert top(read(lexicon, "(This card is odd.)\nFlying")) == [("keyword", "Flying")]


@pytest.mark.parametrize(
    "type_line", ["Basic Land — Forest", "Land — Forest Plains", "Land Creature — Forest Otter"]
)
def test_a_basic_land_type_gives_a_mana_ability(lexicon: Lexicon, type_line: str) -> None:
    """CR 305.6."""
    text = "({T}: Add {G}.)\nVigilance"
    assert top(read(lexicon, text, type_line))[0] == ("activated/mana", "({T}: Add {G}.)")


def test_bullets_belong_to_the_ability_above_and_are_its_modes(lexicon: Lexicon) -> None:
    text = "Choose one or both —\n• Draw a card.\n• You gain 2 life. Scry 1.\nCycling {2}"
    spell, cycling = read(lexicon, text, INSTANT)
    assert (spell.kind, spell.text) == ("spell", text.removesuffix("\nCycling {2}"))
    assert [words(text, mode) for mode in spell.parts.modes] == [
        "• Draw a card.",
        "• You gain 2 life. Scry 1.",
    ]
    assert cycling.kind == "keyword"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("triggered", "When this creature enters, choose one —\n• Scry 1.\n• Surveil 1."),
        ("activated", "{2}: Choose one —\n• Scry 1.\n• Surveil 1."),
        ("keyword", "Spree (Choose one or more additional costs.)\n+ {2} — Scry 1.\n+ {1}{R} — Surveil 1."),
        ("keyword", "Tiered (Choose one additional cost.)\n• Crumb — {0} — Scry 1.\n• Loaf — {2} — Scry 3."),
        ("static", "Choose up to five {P} worth of modes.\n{P} — Scry 1.\n{P}{P} — Surveil 1."),
        ("triggered", "When this creature enters, roll a d20.\n1—9 | Scry 1.\n10—19 | Scry 2.\n20 | Scry 3."),
        (
            "triggered",
            "When this creature enters, roll a d20.\n9 or less | Scry 1.\n10—19 | Scry 2.\n20+ | Scry 3.",
        ),
        ("activated", "{1}, {T}: Roll a six-sided die.\n1 | Scry 1.\n2–5 | Scry 2.\n6+ | Scry 3."),
    ],
)
def test_rows_belong_to_the_ability_above(lexicon: Lexicon, kind: str, text: str) -> None:
    """CR 700.2, 702.172, 702.183, 706.3b."""
    assert top(read(lexicon, text)) == [(kind, text)]


def test_die_rows_are_the_modes_of_their_ability(lexicon: Lexicon) -> None:
    text = "Roll a d20.\n1—9 | Scry 1.\n10—20 | Scry 2."
    (ability,) = read(lexicon, text, "Sorcery")
    assert [words(text, mode) for mode in ability.parts.modes] == ["1—9 | Scry 1.", "10—20 | Scry 2."]


def test_bullets_of_a_permanent_that_chooses_as_it_enters(lexicon: Lexicon) -> None:
    text = (
        "As this enchantment enters, choose Loaf or Crumb.\n"
        "• Loaf — Golems you control have vigilance.\n• Crumb — Golems you control have haste."
    )
    assert top(read(lexicon, text, "Enchantment")) == [("static", text)]


# -- frames ----------------------------------------------------------------------------------------


def test_a_leveler(lexicon: Lexicon) -> None:
    """CR 711."""
    text = (
        "Level up {1}{W} ({1}{W}: Put a level counter on this.)\n"
        "LEVEL 1-3\n3/3\nFirst strike\n"
        "LEVEL 4+\n5/5\nFlying, lifelink\nWhenever this creature attacks, scry 1."
    )
    abilities = read(lexicon, text)
    assert [kind for kind, _ in top(abilities)] == ["keyword", "static", "static"]
    up, low, high = (a for a in abilities if a.parent is None)
    assert (up.keyword, up.parameters) == ("Level Up", {"cost": "{1}{W}"})
    assert low.text.startswith("LEVEL 1-3")
    assert high.text.startswith("LEVEL 4+")
    assert under(abilities, low) == [("keyword", "First strike")]
    assert under(abilities, high) == [
        ("keyword", "Flying"),
        ("keyword", "lifelink"),
        ("triggered", "Whenever this creature attacks, scry 1."),
    ]


@pytest.mark.parametrize(
    "rows", ["3+ | Flying\n8+ | {T}: Scry 1.", "STATION 3+\nFlying\nSTATION 8+\n{T}: Scry 1."]
)
def test_a_spacecraft(lexicon: Lexicon, rows: str) -> None:
    """CR 721."""
    text = "Station (Tap another creature you control: Charge up.)\n" + rows
    abilities = read(lexicon, text, "Artifact — Spacecraft")
    station, low, high = (a for a in abilities if a.parent is None)
    assert (station.kind, station.keyword) == ("keyword", "Station")
    assert (low.kind, high.kind) == ("static", "static")
    assert under(abilities, low) == [("keyword", "Flying")]
    assert under(abilities, high) == [("activated", "{T}: Scry 1.")]


def test_a_class(lexicon: Lexicon) -> None:
    """CR 716."""
    text = (
        "(Gain the next level as a sorcery to add its ability.)\n"
        "Golems you control get +1/+0.\n"
        "{1}{R}: Level 2\nWhenever you attack, scry 1.\n"
        "{3}{R}: Level 3\nGolems you control have haste."
    )
    abilities = read(lexicon, text, "Enchantment — Class")
    first, second, third = (a for a in abilities if a.parent is None)
    assert first.kind == "static"
    assert (second.kind, second.text) == ("keyword", "{1}{R}: Level 2")
    assert (second.parameters, words(text, second.parts.cost)) == ({"cost": "{1}{R}", "number": 2}, "{1}{R}")
    assert (third.kind, third.text) == ("keyword", "{3}{R}: Level 3")
    assert under(abilities, second) == [("triggered", "Whenever you attack, scry 1.")]
    assert under(abilities, third) == [("static", "Golems you control have haste.")]


def test_a_case(lexicon: Lexicon) -> None:
    """CR 719."""
    text = (
        "When this Case enters, scry 1.\n"
        "To solve — You control three artifacts. (If unsolved, solve at the beginning of your end step.)\n"
        "Solved — {2}, {T}: Draw a card."
    )
    abilities = read(lexicon, text, "Enchantment — Case")
    enters, solve, solved = (a for a in abilities if a.parent is None)
    assert (enters.kind, solve.kind, solved.kind) == ("triggered", "keyword", "keyword")
    assert solve.text == text.split("\n")[1]
    assert solved.keyword == "Solved"
    assert under(abilities, solved) == [("activated", "{2}, {T}: Draw a card.")]


def test_a_saga(lexicon: Lexicon) -> None:
    """CR 714.2."""
    text = (
        "(As this Saga enters and after your draw step, add a lore counter.)\n"
        "I, II — Scry 1.\n"
        "III — Rising Dough — Draw a card.\n"
        "IV — Choose one —\n• Scry 1.\n• Surveil 1."
    )
    lines = text.split("\n", 3)
    abilities = read(lexicon, text, "Enchantment — Saga")
    assert top(abilities) == [("triggered/chapter", line) for line in lines[1:]]
    assert [a.ability_word for a in abilities] == [None, "Rising Dough", None]
    assert words(text, abilities[0].parts.effect) == "Scry 1."
    assert words(text, abilities[1].parts.effect) == "Draw a card."
    assert len(abilities[2].parts.modes) == 2


def test_a_chapter_that_grants(lexicon: Lexicon) -> None:
    text = 'I — Target Golem gains "{T}: Add {G}."\nII — Flying creatures get +1/+1 until end of turn.'
    abilities = read(lexicon, text, "Enchantment — Saga")
    assert [kind for kind, _ in top(abilities)] == ["triggered/chapter"] * 2
    assert under(abilities, abilities[0]) == [("activated/mana", "{T}: Add {G}.")]


# -- words before a dash ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ("Landfall — Whenever a land you control enters, scry 1.", "triggered", "Landfall"),
        ("Threshold — This creature gets +1/+1 as long as you have seven cards.", "static", "Threshold"),
        ("Channel — {1}{R}, Discard this card: It deals 2 damage to any target.", "activated", "Channel"),
        (
            "Council’s dilemma — When this creature enters, each player votes.",
            "triggered",
            "Council’s dilemma",
        ),
        ("Song of Soup — {2}: Scry 1.", "activated", "Song of Soup"),
        ("Who Goes There? — Whenever a creature enters, scry 1.", "triggered", "Who Goes There?"),
        ("Mana Bloom — {T}: Add {G}.", "activated/mana", "Mana Bloom"),
        ("Bread and Butter — Flying", "keyword", "Bread and Butter"),
        ("Descend 4 — This creature has flying as long as you're deep.", "static", "Descend 4"),
    ],
)
def test_ability_and_flavor_words(lexicon: Lexicon, text: str, kind: str, label: str) -> None:
    """CR 207.2c, 207.2d."""
    (ability,) = read(lexicon, text)
    assert (ability.kind, ability.ability_word, ability.text) == (kind, label, text)


def test_an_ability_word_on_a_spell(lexicon: Lexicon) -> None:
    text = "Delirium — Draw a card if you have four card types."
    (ability,) = read(lexicon, text, INSTANT)
    assert (ability.kind, ability.ability_word) == ("spell", "Delirium")


@pytest.mark.parametrize(
    ("text", "keyword", "cost"),
    [
        ("Boast — {1}{R}: Draw a card.", "Boast", "{1}{R}"),
        ("Exhaust — {2}, {T}: Draw a card.", "Exhaust", "{2}, {T}"),
        (
            "Forecast — {1}{W}, Reveal this card from your hand: Scry 1.",
            "Forecast",
            "{1}{W}, Reveal this card from your hand",
        ),
    ],
)
def test_a_keyword_before_a_dash_keeps_its_cost(lexicon: Lexicon, text: str, keyword: str, cost: str) -> None:
    (ability, *_) = read(lexicon, text)
    assert (ability.kind, ability.keyword, ability.ability_word) == ("keyword", keyword, None)
    assert words(text, ability.parts.cost) == cost
    assert (words(text, ability.parts.effect) or "").rstrip(".") == text.partition(": ")[2].rstrip(".")


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ("Max speed — This creature has flying.", "Max Speed"),
        ("Max speed — {T}: Draw a card.", "Max Speed"),
        ("Visit — Draw a card.", "Visit"),
        ("Solved — Golems you control have haste.", "Solved"),
        ("Companion — Each card in your starting deck is an Otter.", "Companion"),
    ],
)
def test_other_keywords_before_a_dash(lexicon: Lexicon, text: str, keyword: str) -> None:
    abilities = read(lexicon, text)
    assert [(a.kind, a.keyword) for a in abilities if a.parent is None] == [("keyword", keyword)]


# -- quotations ------------------------------------------------------------------------------------


def test_a_quotation_is_a_granted_ability(lexicon: Lexicon) -> None:
    text = (
        'Enchanted creature gets +1/+1 and has "Whenever this creature attacks, scry 1" and "{T}: Add {C}."'
    )
    outer, first, second = read(lexicon, text, "Enchantment — Aura")
    assert (outer.kind, outer.granted, outer.text) == ("static", False, text)
    assert (first.kind, first.text, first.parent, first.granted) == (
        "triggered",
        "Whenever this creature attacks, scry 1",
        outer.id,
        True,
    )
    assert (second.kind, second.text, second.parent, second.granted) == (
        "activated/mana",
        "{T}: Add {C}.",
        outer.id,
        True,
    )


@pytest.mark.parametrize("marks", ['""', "“”"])
def test_quotation_marks_of_both_sorts(lexicon: Lexicon, marks: str) -> None:
    opening, closing = marks
    text = f"Golems you control have {opening}{{1}}: Scry 1.{closing}"
    assert [(a.kind, a.text) for a in read(lexicon, text)] == [
        ("static", text),
        ("activated", "{1}: Scry 1."),
    ]


def test_a_quotation_within_a_quotation(lexicon: Lexicon) -> None:
    text = "Golems have \"When this creature dies, create a Golem token with '{T}: Scry 1.'\""
    outer, middle, inner = read(lexicon, text)
    assert (middle.kind, middle.parent) == ("triggered", outer.id)
    assert (inner.kind, inner.text, inner.parent) == ("activated", "{T}: Scry 1.", middle.id)


def test_a_quoted_ability_on_a_spell_is_of_a_permanent(lexicon: Lexicon) -> None:
    text = 'Create a Golem token with "This creature can\'t block." Scry 1.'
    spell, granted = read(lexicon, text, INSTANT)
    assert (spell.kind, granted.kind) == ("spell", "static")


def test_a_quoted_keyword_line_is_one_ability_each(lexicon: Lexicon) -> None:
    text = 'Golems you control have "Cycling {2}."'
    outer, inner = read(lexicon, text)
    assert (outer.kind, inner.kind, inner.keyword, inner.granted) == ("static", "keyword", "Cycling", True)


def test_quoted_words_are_no_abilities(lexicon: Lexicon) -> None:
    text = 'Whenever a player says "pass" or "your turn," scry 1.'
    assert [(a.kind, a.granted) for a in read(lexicon, text)] == [("triggered", False)]


def test_a_quotation_in_reminder_text_grants_nothing(lexicon: Lexicon) -> None:
    text = 'Investigate. (Create a Clue token with "{2}, Sacrifice this token: Draw a card.")'
    assert [a.kind for a in read(lexicon, text, INSTANT)] == ["spell"]


# -- kinds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cost",
    [
        "[+1]",
        "+1",
        "[−2]",
        "−2",
        "-2",
        "[-2]",
        "[−X]",
        ("−X"),
        "[0]",
        "0",
    ],
)
def test_loyalty_costs_in_both_notations(lexicon: Lexicon, cost: str) -> None:
    """CR 606; the minus sign is U+2212 or a hyphen."""
    text = f"{cost}: Draw a card."
    (ability,) = read(lexicon, text, "Legendary Planeswalker — Baker")
    assert (ability.kind, words(text, ability.parts.cost)) == ("activated/loyalty", cost)
    assert words(text, ability.parts.effect) == "Draw a card."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{T}: Add {G}.", "activated/mana"),
        ("{T}: Add {G} or {W}.", "activated/mana"),
        ("{1}, {T}: Add one mana of any color.", "activated/mana"),
        ("{T}, Sacrifice this creature: Add {B}{B}. Activate only as an instant.", "activated/mana"),
        ("Sacrifice a creature: Add an amount of {C} equal to its power.", "activated/mana"),
        ("{T}: Draw a card. Add {G}.", "activated/mana"),
        ("{T}: Add X mana of any one color, where X is your devotion.", "activated/mana"),
        ("{T}: Untap target land. Add {G}.", "activated"),
        ("{T}: Target player adds {G}.", "activated"),
        ("{T}: Put a charge counter on this creature.", "activated"),
        ("[+1]: Add {R}{R}.", "activated/loyalty"),
        ("Discard a card: Scry 1.", "activated"),
        ("Pay 2 life, Tap an untapped Otter you control: Scry 1.", "activated"),
    ],
)
def test_activated_abilities(lexicon: Lexicon, text: str, kind: str) -> None:
    """CR 602.1, 605.1a, 606: could add mana, no target, no loyalty ability."""
    (ability,) = read(lexicon, text)
    assert (ability.kind, words(text, ability.parts.cost)) == (kind, text.partition(":")[0])


@pytest.mark.parametrize(
    "text",
    [
        'Golems you control have "{T}: Add {G}."',
        "This creature can't block. (Look: it can't.)",
        "As this creature enters, choose one: Loaf or Crumb.",
    ],
)
def test_a_colon_elsewhere_makes_no_activated_ability(lexicon: Lexicon, text: str) -> None:
    assert read(lexicon, text)[0].kind == "static"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When this creature enters, scry 1.", "triggered"),
        ("Whenever you draw a card, scry 1.", "triggered"),
        ("At the beginning of your upkeep, scry 1.", "triggered"),
        ("When this creature enters, add {R}.", "triggered"),
        ("At the beginning of your first main phase, add {G}.", "triggered"),
        (
            "Whenever enchanted land is tapped for mana, its controller adds an additional {G}.",
            "triggered/mana",
        ),
        ("Whenever you tap a land for mana, add one mana of any type that land produced.", "triggered/mana"),
        ("Whenever you tap a land for mana, target player adds {G}.", "triggered"),
        ("Whenever a player taps a land for mana, this creature deals 1 damage to them.", "triggered"),
        ("Raid — When this creature enters, if you attacked this turn, scry 1.", "triggered"),
        ("At random, choose a Golem.", "static"),
    ],
)
def test_triggered_abilities(lexicon: Lexicon, text: str, kind: str) -> None:
    """CR 603.1, 605.1b."""
    assert [a.kind for a in read(lexicon, text)] == [kind]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("This creature's power is equal to the number of Otters you control.", "cda"),
        ("This creature's power and toughness are each equal to your life total.", "cda"),
        ("Zyx Warden's toughness is equal to the number of lands you control.", "cda"),
        ("This creature is all colors.", "cda"),
        ("This creature is every creature type.", "cda"),
        ("Enchanted creature's power is equal to the number of Otters you control.", ""),
        ("As long as it's day, this creature's power is equal to the number of Otters.", ""),
        ("Other Golems you control are all colors.", ""),
        ("This creature gets +X/+X, where X is its power.", ""),
        ("This creature enters tapped.", ""),
    ],
)
def test_characteristic_defining_abilities(lexicon: Lexicon, text: str, kind: str) -> None:
    """CR 604.3: the object's own colors, subtypes, power or toughness, under no condition."""
    right = "static/characteristic-defining" if kind else "static"
    assert [a.kind for a in read(lexicon, text)] == [right]


def test_a_token_can_have_a_characteristic_defining_ability(lexicon: Lexicon) -> None:
    text = 'Create a Golem token with "This creature\'s power is equal to the number of Otters you control."'
    assert [a.kind for a in read(lexicon, text, INSTANT)] == ["spell", "static/characteristic-defining"]


@pytest.mark.parametrize("type_line", [INSTANT, "Sorcery", "Kindred Instant — Otter", "Sorcery — Adventure"])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("As an additional cost to cast this spell, sacrifice a creature.", "static"),
        ("You may pay {2}{U} rather than pay this spell's mana cost.", "static"),
        ("You may discard two cards rather than pay this spell's mana cost.", "static"),
        ("If you control a Swamp, you may cast this spell without paying its mana cost.", "static"),
        ("This spell costs {1} less to cast for each Otter you control.", "static"),
        ("This spell can't be countered.", "static"),
        ("This spell can't be copied.", "static"),
        ("Zyx Warden can't be countered.", "static"),
        ("Cast this spell only during combat.", "static"),
        ("You may cast this spell as though it had flash if you pay {2} more to cast it.", "static"),
        ("You may cast this card from your graveyard.", "static"),
        ("This spell has flash as long as you control an Otter.", "static"),
        ("When you cast this spell, copy it for each Otter you control.", "triggered"),
        ("When you cycle this card, scry 1.", "triggered"),
        ("When you discard this card, scry 1.", "triggered"),
        ("Whenever an Otter enters, you may return this card from your graveyard to your hand.", "triggered"),
        ("{2}{U}, Exile this card from your graveyard: Scry 1.", "activated"),
        ("When target creature dies this turn, scry 1.", "spell"),
        ("Whenever a creature you control attacks this turn, scry 1.", "spell"),
        ("At the beginning of your next upkeep, draw a card.", "spell"),
        ("When you next cast a creature spell this turn, scry 1.", "spell"),
        ("Counter target spell unless its controller pays {3}.", "spell"),
        ("Until end of turn, creatures you control gain haste.", "spell"),
        ("Creatures can't be blocked this turn.", "spell"),
        ("If this spell was kicked, draw a card.", "spell"),
        ("Flashback {2}{R}", "keyword"),
    ],
)
def test_kinds_on_instants_and_sorceries(lexicon: Lexicon, type_line: str, text: str, kind: str) -> None:
    """CR 113.3a, 113.6d, 113.6g, 113.6k, 604.5, 604.6, 603.7."""
    assert [a.kind for a in read(lexicon, text, type_line)] == [kind]


def test_the_same_words_on_a_permanent_are_static(lexicon: Lexicon) -> None:
    for text in ("Draw two cards.", "Creatures you control gain haste."):
        assert [a.kind for a in read(lexicon, text)] == ["static"]


# -- parts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "event", "condition", "effect"),
    [
        ("When this creature enters, scry 1.", "When this creature enters", None, "scry 1."),
        (
            "When this creature enters, if you control an Otter, scry 1.",
            "When this creature enters",
            "if you control an Otter",
            "scry 1.",
        ),
        (
            "Whenever this creature attacks, blocks, or dies, scry 1. Draw a card.",
            "Whenever this creature attacks, blocks, or dies",
            None,
            "scry 1. Draw a card.",
        ),
        (
            "Whenever a nontoken, non-Heron creature dies, scry 1.",
            "Whenever a nontoken, non-Heron creature dies",
            None,
            "scry 1.",
        ),
        ("At the beginning of your upkeep, scry 1.", "At the beginning of your upkeep", None, "scry 1."),
        (
            "Landfall — Whenever a land you control enters, scry 1.",
            "Whenever a land you control enters",
            None,
            "scry 1.",
        ),
    ],
)
def test_parts_of_a_triggered_ability(
    lexicon: Lexicon, text: str, event: str, condition: str | None, effect: str
) -> None:
    """CR 603.1, 603.4."""
    (ability,) = read(lexicon, text)
    parts = ability.parts
    assert (words(text, parts.event), words(text, parts.condition), words(text, parts.effect)) == (
        event,
        condition,
        effect,
    )
    assert parts.cost is None


def test_parts_of_an_activated_ability(lexicon: Lexicon) -> None:
    """CR 602.1a."""
    text = "Flying\nSong of Soup — {2}{U}, {T}: Draw a card. (It's good.)\nHaste"
    ability = read(lexicon, text)[1]
    assert words(text, ability.parts.cost) == "{2}{U}, {T}"
    assert words(text, ability.parts.effect) == "Draw a card."
    assert ability.parts.event is None


def test_parts_of_a_granted_ability(lexicon: Lexicon) -> None:
    text = 'Golems have "{2}, Sacrifice this creature: Draw a card."'
    granted = read(lexicon, text)[1]
    assert words(text, granted.parts.cost) == "{2}, Sacrifice this creature"
    assert words(text, granted.parts.effect) == "Draw a card."


def test_the_condition_of_a_static_ability(lexicon: Lexicon) -> None:
    text = "As long as it's your turn, this creature has first strike."
    (ability,) = read(lexicon, text)
    assert words(text, ability.parts.condition) == "As long as it's your turn"
    assert words(text, ability.parts.effect) == "this creature has first strike."


# -- parameters of keywords ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "keyword", "parameters"),
    [
        ("Flying", "Flying", {}),
        ("Cycling {2}", "Cycling", {"cost": "{2}"}),
        ("Cycling {2} (Look.)", "Cycling", {"cost": "{2}"}),
        ("Cycling—Pay 2 life.", "Cycling", {"cost": "Pay 2 life"}),
        ("Basic landcycling {1}{G}", "Basic Landcycling", {"cost": "{1}{G}"}),
        ("Islandcycling {2}", "Islandcycling", {"cost": "{2}"}),
        ("Ottercycling {2}", "Typecycling", {"cost": "{2}"}),
        ("Equip {2}", "Equip", {"cost": "{2}"}),
        ("Equip legendary creature {3}", "Equip", {"cost": "{3}", "quality": "legendary creature"}),
        ("Equip—Discard a card.", "Equip", {"cost": "Discard a card"}),
        ("Ward {2}", "Ward", {"cost": "{2}"}),
        ("Ward—Discard a card.", "Ward", {"cost": "Discard a card"}),
        ("Kicker {1}{R}", "Kicker", {"cost": "{1}{R}"}),
        ("Kicker—Sacrifice an artifact.", "Kicker", {"cost": "Sacrifice an artifact"}),
        ("Multikicker {1}", "Multikicker", {"cost": "{1}"}),
        ("Flashback—{1}{B}, Pay 3 life.", "Flashback", {"cost": "{1}{B}, Pay 3 life"}),
        ("Suspend 3—{1}{U}", "Suspend", {"number": 3, "cost": "{1}{U}"}),
        ("Suspend X—{X}{U}. X can't be 0.", "Suspend", {"number": "X", "cost": "{X}{U}"}),
        ("Impending 4—{2}{G}{G}", "Impending", {"number": 4, "cost": "{2}{G}{G}"}),
        ("Reinforce 2—{1}{G}", "Reinforce", {"number": 2, "cost": "{1}{G}"}),
        ("Awaken 3—{4}{U}", "Awaken", {"number": 3, "cost": "{4}{U}"}),
        ("Modular 2", "Modular", {"number": 2}),
        ("Annihilator 2", "Annihilator", {"number": 2}),
        ("Crew 3", "Crew", {"number": 3}),
        ("Toxic 1 (Ouch.)", "Toxic", {"number": 1}),
        ("Cumulative upkeep {1}", "Cumulative Upkeep", {"cost": "{1}"}),
        ("Cumulative upkeep—Pay 1 life.", "Cumulative Upkeep", {"cost": "Pay 1 life"}),
        ("Level up {4}", "Level Up", {"cost": "{4}"}),
        ("More Than Meets the Eye {2}{W}", "More Than Meets the Eye", {"cost": "{2}{W}"}),
        ("Emerge from artifact {5}{G}", "Emerge from", {"cost": "{5}{G}", "quality": "artifact"}),
        ("Enchant creature", "Enchant", {"quality": "creature"}),
        ("Enchant creature with three eyes", "Enchant", {"quality": "creature with three eyes"}),
        ("Protection from frogs with hats", "Protection", {"quality": "frogs with hats"}),
        (
            "Enchant creature or Vehicle you control",
            "Enchant",
            {"quality": "creature or Vehicle you control"},
        ),
        ("Protection from red", "Protection", {"quality": "red"}),
        ("Hexproof from artifacts", "Hexproof from", {"quality": "artifacts"}),
        ("Affinity for artifacts", "Affinity", {"quality": "artifacts"}),
        ("Splice onto Arcane {1}{U}", "Splice", {"cost": "{1}{U}", "quality": "Arcane"}),
        ("Craft with artifact {3}{R}", "Craft", {"cost": "{3}{R}", "quality": "artifact"}),
        ("Partner with Odo, Master Baker", "Partner with", {"quality": "Odo, Master Baker"}),
        ("Bands with other Otters", "Bands with other", {"quality": "Otters"}),
        ("Protection from everything", "Protection from everything", {}),
        ("Partner", "Partner", {}),
        ("Doctor's companion", "Doctor’s companion", {}),
        ("Daybound", "Daybound", {}),
        ("Start your engines!", "Start Your Engines!", {}),
        ("Trample over planeswalkers", "Trample over planeswalkers", {}),
    ],
)
def test_parameters(lexicon: Lexicon, text: str, keyword: str, parameters: dict[str, str | int]) -> None:
    (ability,) = read(lexicon, text)
    assert (ability.kind, ability.keyword) == ("keyword", keyword)
    assert dict(ability.parameters) == parameters
    if "cost" in parameters:
        assert words(text, ability.parts.cost) == parameters["cost"]


def test_a_prototype_has_a_cost_and_a_size(lexicon: Lexicon) -> None:
    """CR 702.160a."""
    text = "Prototype {1}{W} — 2/2 (Cast it small.)"
    (ability,) = read(lexicon, text, "Artifact Creature — Golem")
    assert (ability.keyword, ability.parameters["cost"]) == ("Prototype", "{1}{W}")
    assert "2/2" in ability.parameters.values()


def test_each_of_two_kickers_has_its_cost(lexicon: Lexicon) -> None:
    text = "Flying\nKicker {R} and/or {2}{G}"
    abilities = read(lexicon, text)[1:]
    assert [a.parameters.get("cost") for a in abilities] == ["{R}", "{2}{G}"]
    assert [words(text, a.parts.cost) for a in abilities] == ["{R}", "{2}{G}"]
