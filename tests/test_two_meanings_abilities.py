"""The words of section 702 on cards: as a keyword ability, and as anything else that they can mean.

Every heading of the shipped outline is printed alone on an invented card and must be had by it, and stands in
places where it is no keyword and must not be cited. Words with a real second meaning have cards of their own,
on which the evidence, or the word that is none, stands between ⟦ and ⟧.
"""

from __future__ import annotations

import re

import pytest

from cardlaw.graph.abilities.lexicon import surfaces
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Citation, Face, Keyword
from cardlaw.graph.sources import outline

BOOK = outline.load()
HEADINGS = {k.name: k for k in BOOK.vocabulary.keywords if not k.action and k.variant_of is None}

CREATURE = "Creature — Golem"
SORCERY = "Sorcery"
INSTANT = "Instant"
ARTIFACT = "Artifact"
ENCHANTMENT = "Enchantment"
AURA = "Enchantment — Aura"
EQUIPMENT = "Artifact — Equipment"
VEHICLE = "Artifact — Vehicle"
SAGA = "Enchantment — Saga"
CASE = "Enchantment — Case"
ATTRACTION = "Artifact — Attraction"
SPACECRAFT = "Artifact — Spacecraft"

HAS, GRANTS, LOSES, MENTIONS = "has_keyword", "grants_keyword", "loses_keyword", "mentions_keyword"

# What each heading looks like printed: alone, with parameters, or on a card of its own type.
ALONE = """
Deathtouch|Defender|Double Strike|First Strike|Flash|Flying|Haste|Hexproof|Indestructible|
Intimidate|Lifelink|Reach|Shroud|Trample|Vigilance|Banding|Flanking|Phasing|Shadow|
Horsemanship|Fear|Provoke|Storm|Sunburst|Epic|Convoke|Haunt|Split Second|Delve|Gravestorm|
Changeling|Conspire|Persist|Wither|Retrace|Exalted|Cascade|Rebound|Umbra Armor|Infect|
Battle Cry|Living Weapon|Undying|Soulbond|Unleash|Cipher|Evolve|Extort|Fuse|Dethrone|
Hidden Agenda|Prowess|Exploit|Menace|Devoid|Ingest|Myriad|Skulk|Melee|Partner|Undaunted|
Improvise|Aftermath|Ascend|Assist|Jump-Start|Mentor|Riot|Demonstrate|Decayed|Training|
Compleated|Enlist|Read Ahead|Ravenous|Space Sculptor|Living Metal|For Mirrodin!|Bargain|Spree|
Start Your Engines!|Job Select|Tiered|Station
"""
PRINTED = {name: name.capitalize() for name in re.split(r"\|\s*", ALONE.strip())} | {
    "Enchant": "Enchant creature",
    "Equip": "Equip {2}",
    "Landwalk": "Forestwalk",
    "Protection": "Protection from red",
    "Ward": "Ward {2}",
    "Rampage": "Rampage 2",
    "Cumulative Upkeep": "Cumulative upkeep—Put a -1/-1 counter on this creature.",
    "Buyback": "Buyback {3}",
    "Cycling": "Cycling {2}",
    "Echo": "Echo {2}{R}",
    "Fading": "Fading 3",
    "Kicker": "Kicker {2}",
    "Flashback": "Flashback {4}{R}",
    "Madness": "Madness {1}{B}",
    "Morph": "Morph—Discard a card.",
    "Amplify": "Amplify 1",
    "Affinity": "Affinity for artifacts",
    "Entwine": "Entwine {2}",
    "Modular": "Modular 1",
    "Bushido": "Bushido 1",
    "Soulshift": "Soulshift 3",
    "Splice": "Splice onto Arcane {1}{R}",
    "Offering": "Otter offering",
    "Ninjutsu": "Ninjutsu {1}{U}",
    "Dredge": "Dredge 2",
    "Transmute": "Transmute {1}{U}{U}",
    "Bloodthirst": "Bloodthirst 2",
    "Replicate": "Replicate {1}{U}",
    "Forecast": "Forecast — {1}{W}, Reveal this card from your hand: You gain 1 life.",
    "Graft": "Graft 2",
    "Recover": "Recover {2}{B}",
    "Ripple": "Ripple 4",
    "Suspend": "Suspend 3—{R}",
    "Vanishing": "Vanishing 3",
    "Absorb": "Absorb 1",
    "Aura Swap": "Aura swap {2}{U}",
    "Fortify": "Fortify {3}",
    "Frenzy": "Frenzy 1",
    "Poisonous": "Poisonous 1",
    "Transfigure": "Transfigure {1}{B}{B}",
    "Champion": "Champion an Otter",
    "Evoke": "Evoke {2}{U}",
    "Hideaway": "Hideaway 4",
    "Prowl": "Prowl {1}{B}",
    "Reinforce": "Reinforce 2—{1}{G}",
    "Devour": "Devour 1",
    "Unearth": "Unearth {2}{B}",
    "Annihilator": "Annihilator 2",
    "Level Up": "Level up {2}",
    "Miracle": "Miracle {1}{W}",
    "Overload": "Overload {3}{R}",
    "Scavenge": "Scavenge {4}{G}",
    "Bestow": "Bestow {3}{U}",
    "Tribute": "Tribute 2",
    "Outlast": "Outlast {1}{W}",
    "Dash": "Dash {1}{R}",
    "Renown": "Renown 1",
    "Awaken": "Awaken 3—{4}{U}",
    "Surge": "Surge {1}{U}",
    "Emerge": "Emerge {5}{G}",
    "Escalate": "Escalate—Tap an untapped creature you control.",
    "Crew": "Crew 2",
    "Fabricate": "Fabricate 1",
    "Embalm": "Embalm {3}{W}",
    "Eternalize": "Eternalize—{3}{U}, Discard a card.",
    "Afflict": "Afflict 2",
    "Afterlife": "Afterlife 1",
    "Spectacle": "Spectacle {B}",
    "Escape": "Escape—{3}{B}, Exile four other cards from your graveyard.",
    "Companion": "Companion — Your starting deck contains only Otters.",
    "Mutate": "Mutate {2}{G}",
    "Encore": "Encore {3}{R}",
    "Boast": "Boast — {1}: Draw a card.",
    "Foretell": "Foretell {1}{U}",
    "Daybound and Nightbound": "Daybound",
    "Disturb": "Disturb {2}{U}",
    "Cleave": "Cleave {3}{R}",
    "Reconfigure": "Reconfigure {2}",
    "Blitz": "Blitz {1}{R}",
    "Casualty": "Casualty 2",
    "Squad": "Squad {2}",
    "Visit": "Visit — Draw a card.",
    "Prototype": "Prototype {1}{G} — 2/2",
    "More Than Meets the Eye": "More Than Meets the Eye {3}",
    "Toxic": "Toxic 2",
    "Backup": "Backup 1",
    "Craft": "Craft with artifact {3}",
    "Disguise": "Disguise {2}{W}",
    "Solved": "Solved — Whenever you attack, draw a card.",
    "Plot": "Plot {1}{R}",
    "Saddle": "Saddle 2",
    "Freerunning": "Freerunning {1}{B}",
    "Gift": "Gift a Food",
    "Offspring": "Offspring {2}",
    "Impending": "Impending 4—{2}{G}",
    "Exhaust": "Exhaust — {3}: Put a +1/+1 counter on this creature.",
    "Max Speed": "Max speed — This creature has haste.",
    "Harmonize": "Harmonize {3}{G}",
    "Mobilize": "Mobilize 1",
    "Warp": "Warp {1}{R}",
    "∞ (Infinity)": "∞ — At the beginning of your upkeep, draw a card.",
    "Mayhem": "Mayhem {1}{R}",
    "Web-slinging": "Web-slinging {1}{W}",
    "Firebending": "Firebending 1",
}
FRAMES = {
    "Enchant": AURA, "Equip": EQUIPMENT, "Crew": VEHICLE, "Read Ahead": SAGA, "Visit": ATTRACTION,
    "Station": SPACECRAFT, "Solved": CASE, "Spree": SORCERY, "Tiered": SORCERY, "Storm": INSTANT,
    "Cipher": SORCERY, "Overload": SORCERY, "Flashback": SORCERY, "Fuse": INSTANT, "Gift": SORCERY,
}  # fmt: skip


def words_of(keyword: Keyword) -> tuple[str, ...]:
    """The words of a heading that can mean something else: none for the sign ∞."""
    return tuple(words for words in surfaces(keyword) if words.isascii())


HEADED = [pytest.param(keyword, id=name) for name, keyword in HEADINGS.items()]
WORDED = [pytest.param(k, words, id=words) for k in HEADINGS.values() for words in words_of(k)]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(BOOK)


def cited(linker: Linker, text: str, type_line: str = CREATURE, name: str = "Zyx Warden") -> list[Citation]:
    face = linker.link(Face(name=name, type_line=type_line, oracle_text=text))
    return [citation for ability in face.abilities for citation in ability.citations]


def of(keyword: Keyword, citations: list[Citation]) -> list[Citation]:
    """Those of the keyword's own rule and the subrules below it, without the trigger events they define."""
    rules = re.compile(rf"{re.escape(keyword.rule)}[a-z]*")
    return [c for c in citations if rules.fullmatch(c.rule) and c.relation != "trigger_event"]


def test_every_heading_of_the_rulebook_is_here() -> None:
    assert len(HEADINGS) > 180
    assert set(PRINTED) == set(HEADINGS)
    assert set(FRAMES) <= set(HEADINGS)
    assert {case[0] for case in (*KEYWORDS, *OTHERS)} <= set(HEADINGS)


@pytest.mark.parametrize("keyword", HEADED)
def test_the_heading_alone_is_had(linker: Linker, keyword: Keyword) -> None:
    printed = PRINTED[keyword.name]
    found = of(keyword, cited(linker, printed, FRAMES.get(keyword.name, CREATURE)))
    assert [(c.relation, c.conditional, c.start) for c in found] == [(HAS, False, 0)]
    assert len(found[0].quote) <= len(keyword.name) + len("Otter ")


@pytest.mark.parametrize("keyword", HEADED)
def test_the_heading_with_reminder_text_is_had_once(linker: Linker, keyword: Keyword) -> None:
    """The reminder text says the word again, as a verb, a cost or an attribute."""
    again = words_of(keyword)[0] if words_of(keyword) else "∞"
    text = f"{PRINTED[keyword.name]} (You may do so for its {again} cost.)"
    found = of(keyword, cited(linker, text, FRAMES.get(keyword.name, CREATURE)))
    assert [c.relation for c in found if not c.in_reminder] == [HAS]


@pytest.mark.parametrize(("keyword", "words"), WORDED)
def test_the_word_in_a_sentence_is_the_keyword(linker: Linker, keyword: Keyword, words: str) -> None:
    """Given, taken away and referred to; what some words need with them is added.

    Cards that lose "enchant creature" quote it.
    """
    words += {"enchant": " creature", "protection": " from red"}.get(words, "")
    for text, relation in (
        (f"Target creature gains {words} until end of turn.", GRANTS),
        (f"Otters you control have flying and {words}.", GRANTS),
        *([] if "enchant" in words else [(f"Target creature loses {words} until end of turn.", LOSES)]),
        (f"Destroy target creature with {words}.", MENTIONS),
        (f"Otters with {words} can't block.", MENTIONS),
    ):
        assert [c.relation for c in of(keyword, cited(linker, text, INSTANT))] == [relation], text


@pytest.mark.parametrize(("keyword", "words"), WORDED)
def test_the_word_of_an_ability_or_a_cost_is_only_referred_to(
    linker: Linker, keyword: Keyword, words: str
) -> None:
    text = f"Whenever you activate a {words} ability, draw a card."
    assert [c.relation for c in of(keyword, cited(linker, text))] == [MENTIONS]


@pytest.mark.parametrize(("keyword", "words"), WORDED)
def test_the_word_in_a_name_is_no_keyword(linker: Linker, keyword: Keyword, words: str) -> None:
    title = words.rstrip("!").title()
    for text, name in (
        (
            f"When {title} of Soup enters, draw a card.\nSacrifice {title} of Soup: Draw a card.",
            f"{title} of Soup",
        ),
        (f"Whenever Great {title} attacks, draw a card.", f"Great {title}"),
        (f"When {title} enters, draw a card.", title),
        (f"Create a 1/1 green Otter creature token named {title}.", "Zyx Warden"),
        (f"Search your library for a card named Young {title}, reveal it, then shuffle.", "Zyx Warden"),
        (f"{title} Dance — Whenever this creature attacks, draw a card.", "Zyx Warden"),
    ):
        assert of(keyword, cited(linker, text, name=name)) == [], text


@pytest.mark.parametrize(("keyword", "words"), WORDED)
def test_the_word_as_a_kind_of_counter(linker: Linker, keyword: Keyword, words: str) -> None:
    """A counter of that name is no keyword, unless it is a keyword counter (CR 122.1b)."""
    text = f"When this creature enters, put a {words} counter on target creature."
    relations = {c.relation for c in of(keyword, cited(linker, text))}
    assert relations == ({GRANTS} if BOOK.vocabulary.counters.get(words) == "122.1b" else set())


@pytest.mark.parametrize(("keyword", "words"), WORDED)
def test_the_word_in_a_longer_word_is_no_keyword(linker: Linker, keyword: Keyword, words: str) -> None:
    bare = words.rstrip("!")
    for text in (
        f"Destroy target anti-{bare} creature.",
        f"Destroy target {bare}-proof creature.",
        f"Creatures you control have {bare}some.",
        f"Draw a card for each un{bare} creature.",
    ):
        if keyword.name == "Landwalk" or (keyword.name in {"Cycling", "Landwalk"} and f"un{bare}" in text):
            continue  # any word before "walk" or "cycling" makes a variant
        assert of(keyword, cited(linker, text)) == [], text


# Heading, text with the evidence between ⟦ and ⟧, relation, type line.
KEYWORDS = [
    ("Enchant", "⟦Enchant⟧ Forest you control", HAS, AURA),
    ("Enchant", "Search your library for an Aura card with ⟦enchant⟧ creature.", MENTIONS, CREATURE),
    ("Enchant", "Attach target Aura to another permanent it can ⟦enchant⟧.", MENTIONS, INSTANT),
    (
        "Enchant",
        'When this Aura enters, it gains "⟦enchant⟧ creature put onto the battlefield with this Aura."',
        GRANTS,
        AURA,
    ),
    ("Equip", "⟦Equip⟧ legendary Otter {3}", HAS, EQUIPMENT),
    ("Equip", "⟦Equip⟧ abilities you activate cost {1} less to activate.", MENTIONS, CREATURE),
    ("Flash", "You may cast this spell as though it had ⟦flash⟧.", MENTIONS, CREATURE),
    ("Flash", "Otter spells you cast have ⟦flash⟧.", GRANTS, CREATURE),
    ("Landwalk", "⟦Snow islandwalk⟧", HAS, CREATURE),
    ("Landwalk", "Target creature gains ⟦nonbasic landwalk⟧ until end of turn.", GRANTS, INSTANT),
    ("Landwalk", "Creatures with ⟦plainswalk⟧ can be blocked.", MENTIONS, ENCHANTMENT),
    ("Protection", "You have ⟦protection⟧ from everything until your next turn.", GRANTS, INSTANT),
    (
        "Protection",
        "Target creature gains ⟦protection⟧ from the color of your choice until end of turn.",
        GRANTS,
        INSTANT,
    ),
    ("Reach", "Create a 1/2 green Spider creature token with ⟦reach⟧.", GRANTS, INSTANT),
    (
        "Reach",
        "Create a 1/2 green Spider creature token with ⟦reach⟧ for each Otter you control.",
        GRANTS,
        INSTANT,
    ),
    (
        "Reach",
        "Destroy target creature with flying or ⟦reach⟧.",
        MENTIONS,
        CREATURE,
    ),
    ("Ward", "Creatures you control have ⟦ward⟧ {1}.", GRANTS, CREATURE),
    ("Banding", "All Otters have ⟦banding⟧.", GRANTS, CREATURE),
    (
        "Banding",
        'Blue legendary creatures you control have "⟦bands with other⟧ legendary creatures."',
        GRANTS,
        "Land",
    ),
    ("Rampage", "Target creature gains ⟦rampage⟧ 2 until end of turn.", GRANTS, INSTANT),
    ("Cumulative Upkeep", 'Enchanted creature has "⟦Cumulative upkeep⟧ {1}."', GRANTS, AURA),
    ("Flanking", "Attacking creatures with ⟦flanking⟧ get +1/+1 until end of turn.", MENTIONS, INSTANT),
    ("Phasing", "Target creature ⟦phases out⟧.", MENTIONS, INSTANT),
    ("Phasing", "Enchanted permanent has ⟦phasing⟧.", GRANTS, AURA),
    ("Buyback", "⟦Buyback⟧ costs cost {2} less.", MENTIONS, ARTIFACT),
    ("Shadow", "Destroy target creature with ⟦shadow⟧.", MENTIONS, INSTANT),
    ("Shadow", "Target creature gains ⟦shadow⟧ until end of turn.", GRANTS, INSTANT),
    ("Cycling", "Whenever you ⟦cycle⟧ or discard a card, draw a card.", MENTIONS, CREATURE),
    ("Cycling", "⟦Wizardcycling⟧ {3}", HAS, CREATURE),
    (
        "Echo",
        "You may pay {0} rather than pay the ⟦echo⟧ cost for permanents you control.",
        MENTIONS,
        CREATURE,
    ),
    ("Fading", "Put a fade counter on each permanent with ⟦fading⟧ you control.", MENTIONS, ARTIFACT),
    ("Kicker", "When this creature enters, if it was ⟦kicked⟧, draw a card.", MENTIONS, CREATURE),
    (
        "Flashback",
        "Target instant card in your graveyard gains ⟦flashback⟧ until end of turn.",
        GRANTS,
        INSTANT,
    ),
    ("Madness", "If this spell's ⟦madness⟧ cost was paid, draw two cards.", MENTIONS, SORCERY),
    ("Fear", "Enchanted creature has ⟦fear⟧.", GRANTS, AURA),
    ("Morph", "All ⟦morph⟧ costs cost {2} more.", MENTIONS, CREATURE),
    ("Storm", "Instant spells you cast have ⟦storm⟧.", GRANTS, CREATURE),
    (
        "Modular",
        "If a ⟦modular⟧ triggered ability would put a counter on a creature, you gain 1 life.",
        MENTIONS,
        CREATURE,
    ),
    ("Sunburst", "When you cast an artifact spell, it gains ⟦sunburst⟧.", GRANTS, ARTIFACT),
    ("Offering", "⟦Rat offering⟧", HAS, CREATURE),
    ("Dredge", "Land cards in your graveyard have ⟦dredge⟧ 2.", GRANTS, CREATURE),
    ("Haunt", "When the creature it ⟦haunts⟧ dies, draw a card.", MENTIONS, CREATURE),
    ("Replicate", "Each Otter spell you cast has ⟦replicate⟧ {1}.", GRANTS, CREATURE),
    ("Suspend", "If it doesn't have suspend, it gains ⟦suspend⟧.", GRANTS, CREATURE),
    ("Suspend", "Remove a time counter from target ⟦suspended⟧ card.", MENTIONS, INSTANT),
    ("Champion", "When an Otter is ⟦championed⟧ with this creature, draw a card.", MENTIONS, CREATURE),
    ("Champion", "⟦Champion⟧ a creature", HAS, "Creature — Human Champion"),
    ("Changeling", "Create a 1/1 Shapeshifter creature token with ⟦changeling⟧.", GRANTS, INSTANT),
    ("Evoke", "When this creature enters, if it was ⟦evoked⟧, draw a card.", MENTIONS, CREATURE),
    ("Prowl", "When this creature enters, if its ⟦prowl⟧ cost was paid, draw a card.", MENTIONS, CREATURE),
    ("Persist", "Target creature gains ⟦persist⟧ until end of turn.", GRANTS, INSTANT),
    ("Wither", "Damage is dealt as though its source had ⟦wither⟧.", MENTIONS, ENCHANTMENT),
    (
        "Devour",
        "This creature enters with a +1/+1 counter on it for each creature it ⟦devoured⟧.",
        MENTIONS,
        CREATURE,
    ),
    ("Exalted", "Other creatures you control have ⟦exalted⟧.", GRANTS, CREATURE),
    ("Unearth", "Creature cards in your graveyard have ⟦unearth⟧ {2}{B}.", GRANTS, CREATURE),
    ("Cascade", 'Otter spells you cast have "⟦Cascade⟧, cascade."', GRANTS, CREATURE),
    ("Level Up", "Put two level counters on each creature you control with ⟦level up⟧.", MENTIONS, CREATURE),
    ("Rebound", "That spell gains ⟦rebound⟧.", GRANTS, CREATURE),
    ("Umbra Armor", "⟦Totem armor⟧", HAS, AURA),
    ("Infect", "Destroy target creature with ⟦infect⟧.", MENTIONS, INSTANT),
    ("Miracle", "Enchantment cards in your hand have ⟦miracle⟧ {1}.", GRANTS, CREATURE),
    (
        "Soulbond",
        "As long as this creature ⟦is paired⟧ with another creature, it has flying.",
        MENTIONS,
        CREATURE,
    ),
    (
        "Cipher",
        "Whenever a creature with a card ⟦encoded⟧ on it attacks, draw a card.",
        MENTIONS,
        ENCHANTMENT,
    ),
    ("Evolve", "Whenever this creature ⟦evolves⟧, draw a card.", MENTIONS, CREATURE),
    ("Tribute", "When this creature enters, if ⟦tribute⟧ wasn't paid, draw a card.", MENTIONS, CREATURE),
    ("Dash", "⟦Dash⟧ costs you pay cost {2} less.", MENTIONS, CREATURE),
    ("Exploit", "When this creature ⟦exploits⟧ a creature, draw a card.", MENTIONS, CREATURE),
    ("Renown", "Whenever a ⟦renowned⟧ creature you control attacks, draw a card.", MENTIONS, CREATURE),
    ("Surge", "When this creature enters, if its ⟦surge⟧ cost was paid, draw a card.", MENTIONS, CREATURE),
    ("Melee", "Another target creature you control gains ⟦melee⟧ until end of turn.", GRANTS, CREATURE),
    ("Crew", "This creature ⟦crews⟧ Vehicles as though its power were 2 greater.", MENTIONS, CREATURE),
    ("Crew", "Enchanted creature can't attack, block, or ⟦crew⟧ Vehicles.", MENTIONS, AURA),
    ("Partner", "Each commander you control with ⟦partner⟧ gets +1/+1.", MENTIONS, CREATURE),
    ("Partner", "⟦Partner⟧ with Odo, Master Baker", HAS, "Legendary Creature — Otter"),
    ("Ascend", "As long as you have the ⟦city's blessing⟧, this creature has flying.", MENTIONS, CREATURE),
    ("Mentor", "Enchanted creature has ⟦mentor⟧.", GRANTS, AURA),
    ("Riot", "Nontoken creatures you control have ⟦riot⟧.", GRANTS, ENCHANTMENT),
    ("Spectacle", "Whenever you cast a spell for its ⟦spectacle⟧ cost, draw a card.", MENTIONS, CREATURE),
    ("Escape", "This creature ⟦escapes⟧ with two +1/+1 counters on it.", MENTIONS, CREATURE),
    ("Companion", "If this card is your chosen ⟦companion⟧, draw a card.", MENTIONS, CREATURE),
    ("Mutate", "Whenever this creature ⟦mutates⟧, draw a card.", MENTIONS, CREATURE),
    ("Boast", "⟦Boast⟧ abilities you activate cost {1} less to activate.", MENTIONS, CREATURE),
    ("Foretell", "Whenever you ⟦foretell⟧ a card, draw a card.", MENTIONS, CREATURE),
    ("Disturb", "Spend this mana only to pay a ⟦disturb⟧ cost.", MENTIONS, CREATURE),
    ("Decayed", "Create a 2/2 black Zombie creature token with ⟦decayed⟧.", GRANTS, INSTANT),
    ("Training", "Whenever this creature ⟦trains⟧, draw a card.", MENTIONS, CREATURE),
    ("Blitz", "Creature spells you cast have ⟦blitz⟧ {3}.", GRANTS, CREATURE),
    ("Casualty", "The first artifact spell you cast each turn has ⟦casualty⟧ 2.", GRANTS, CREATURE),
    ("Enlist", "Whenever this creature ⟦enlists⟧ a creature, draw a card.", MENTIONS, CREATURE),
    ("Read Ahead", "Sagas you control have ⟦read ahead⟧.", GRANTS, CREATURE),
    ("Visit", "Whenever you ⟦visit⟧ an Attraction, draw a card.", MENTIONS, CREATURE),
    ("Toxic", "Target creature you control with ⟦toxic⟧ gets +1/+1 until end of turn.", MENTIONS, INSTANT),
    ("Backup", "Whenever you activate a ⟦backup⟧ ability, draw a card.", MENTIONS, CREATURE),
    ("Bargain", "If this spell was ⟦bargained⟧, draw a card.", MENTIONS, SORCERY),
    (
        "Craft",
        "This artifact's power is the number of colors among the exiled cards used to ⟦craft⟧ it.",
        MENTIONS,
        ARTIFACT,
    ),
    ("Plot", "When this card becomes ⟦plotted⟧, draw a card.", MENTIONS, CREATURE),
    ("Plot", "You may ⟦plot⟧ nonland cards from the top of your library.", MENTIONS, CREATURE),
    ("Saddle", "Whenever this creature attacks while ⟦saddled⟧, draw a card.", MENTIONS, CREATURE),
    ("Gift", "If the ⟦gift⟧ was promised, draw a card.", MENTIONS, SORCERY),
    ("Offspring", "Creature spells you cast gain ⟦offspring⟧ {2} as you cast them.", GRANTS, CREATURE),
    ("Exhaust", "Whenever you activate an ⟦exhaust⟧ ability, draw a card.", MENTIONS, CREATURE),
    ("Max Speed", "This creature can't attack unless you have ⟦max speed⟧.", MENTIONS, CREATURE),
    ("Start Your Engines!", "All players ⟦start their engines!⟧", MENTIONS, SORCERY),
    (
        "Harmonize",
        "Target sorcery card in your graveyard gains ⟦harmonize⟧ until end of turn.",
        GRANTS,
        INSTANT,
    ),
    ("Station", "Whenever a creature ⟦stations⟧ this Spacecraft, draw a card.", MENTIONS, SPACECRAFT),
    ("Warp", "Exile target card with ⟦warp⟧ from your graveyard.", MENTIONS, INSTANT),
    ("Warp", "If a spell was ⟦warped⟧ this turn, draw a card.", MENTIONS, INSTANT),
    ("Mayhem", "If this spell's ⟦mayhem⟧ cost was paid, draw a card.", MENTIONS, SORCERY),
    ("Firebending", "Target creature you control gains ⟦firebending⟧ 4 until end of turn.", GRANTS, INSTANT),
]

# Heading, text in which the word between ⟦ and ⟧ is no keyword, type line.
OTHERS = [
    ("Enchant", "Destroy target ⟦enchant⟧ment.", INSTANT),
    ("Enchant", "⟦Enchant⟧ed creature gets +1/+1.", AURA),
    ("Equip", "Attach target ⟦Equip⟧ment to target creature.", INSTANT),
    ("Equip", "Whenever an ⟦equip⟧ped creature attacks, draw a card.", CREATURE),
    ("Flash", "⟦Flash⟧back {2}", SORCERY),
    ("Flash", "You may cast it for its ⟦flash⟧forward cost.", SORCERY),
    ("Flying", "You may put a flying-fish counter or a ⟦Flying⟧ Fish on it.", CREATURE),
    ("Fear", "⟦Fear⟧ Ray — Creatures you control get +1/+0 until end of turn.", CREATURE),
    ("Fear", "Create a token that's a copy of target ⟦fear⟧less creature.", INSTANT),
    ("Landwalk", "Whenever you ⟦planeswalk⟧ to this plane, draw a card.", "Plane — Zyx"),
    ("Landwalk", "Destroy target ⟦planeswalk⟧er.", INSTANT),
    ("Protection", "Pray for ⟦Protection⟧ — Creatures you control get +0/+2 until end of turn.", CREATURE),
    ("Protection", "Remove a ⟦protection⟧ counter from this artifact: Draw a card.", ARTIFACT),
    ("Reach", "If you would ⟦reach⟧ 0 life, draw a card instead.", CREATURE),
    ("Reach", "When you ⟦reach⟧ the end of the row, draw a card.", CREATURE),
    ("Ward", "Put a ⟦ward⟧ counter on this enchantment.", ENCHANTMENT),
    ("Ward", "Create a 0/4 white ⟦Ward⟧en creature token.", INSTANT),
    ("Shadow", "Create a 1/1 black ⟦Shadow⟧ creature token.", INSTANT),
    (
        "Echo",
        "At the beginning of your upkeep, sacrifice this enchantment if there are no ⟦echo⟧ counters on it.",
        ENCHANTMENT,
    ),
    ("Echo", "⟦Echo⟧ of the Otter — During your turn, creatures you control have haste.", CREATURE),
    ("Cycling", "Whenever you ⟦motorcycle⟧ home, draw a card.", CREATURE),
    ("Madness", "Crown of ⟦Madness⟧ — {1}{R}: Goad target creature.", CREATURE),
    ("Storm", "Put a ⟦storm⟧ counter on this enchantment.", ENCHANTMENT),
    ("Storm", "Create a 1/2 blue Bird creature token with flying named ⟦Storm⟧ Otter.", INSTANT),
    ("Haunt", "Create a 1/1 ⟦Haunt⟧ed Otter token.", INSTANT),
    ("Frenzy", "Death ⟦Frenzy⟧ — Whenever this creature attacks, draw a card.", CREATURE),
    ("Fuse", "When this enchantment has five or more ⟦fuse⟧ counters on it, sacrifice it.", ENCHANTMENT),
    ("Recover", "Natural ⟦Recover⟧y — When this creature dies, draw a card.", CREATURE),
    ("Recover", "Each player has time to ⟦recover⟧ before the next turn.", CREATURE),
    ("Suspend", "⟦Suspend⟧ed Animation — Whenever a creature dies, exile it.", ENCHANTMENT),
    ("Offering", "⟦Tempting offer⟧ — Draw a card. Each opponent may draw a card.", SORCERY),
    ("Champion", "When this creature enters, draw a card for each other ⟦Champion⟧ you control.", CREATURE),
    ("Champion", "Create a 3/3 white Human ⟦Champion⟧ creature token.", INSTANT),
    ("Prowl", "Whenever another Otter ⟦Prowl⟧er you control attacks, draw a card.", CREATURE),
    ("Infect", "Put an ⟦infect⟧ion counter on enchanted creature.", AURA),
    ("Absorb", "Create a token that's a copy of the ⟦Absorb⟧ing Otter.", INSTANT),
    (
        "Devour",
        "⟦Devour⟧ing Monster — {T}, Remove a +1/+1 counter from this creature: Draw a card.",
        CREATURE,
    ),
    ("Dash", "⟦Dash⟧ Attack — Put two +1/+1 counters on target creature.", INSTANT),
    ("Undying", "⟦Undying⟧ Vengeance — Whenever you play a land, draw a card.", ENCHANTMENT),
    ("Rampage", "Frenzied ⟦Rampage⟧ — Whenever this creature attacks, draw a card.", CREATURE),
    ("Awaken", "Remove an ⟦awaken⟧ing counter from this land: Draw a card.", "Land"),
    ("Crew", "Whenever you attack with the ⟦Crew⟧ of the Otter, draw a card.", CREATURE),
    ("Plot", "When there are five or more ⟦plot⟧ counters on this enchantment, sacrifice it.", ENCHANTMENT),
    ("Training", "Put a ⟦training⟧ counter on target creature.", CREATURE),
    ("Training", "Search your library for a card named ⟦Training⟧ Meadow.", CREATURE),
    ("Visit", "Roll to ⟦visit⟧ your Attractions.", CREATURE),
    ("Warp", "⟦Warp⟧ Blast — When this creature enters, draw a card.", CREATURE),
    ("Warp", "Choose one at random—Otter Storm, ⟦Warp⟧ Meadow.", CREATURE),
    ("Toxic", "⟦Toxic⟧ Spores — At the beginning of your upkeep, draw a card.", CREATURE),
    ("Gift", "⟦Gift⟧ of Otters — When this creature dies, draw a card.", CREATURE),
    ("Intimidate", "• ⟦Intimidate⟧ Them — Tap target creature.", INSTANT),
    ("Living Weapon", "Create a token that's a copy of the ⟦Living Weapon⟧ry.", INSTANT),
    ("Double Strike", "Double target creature's power. It can ⟦strike first⟧.", INSTANT),
    ("Station", "Create a ⟦Station⟧ary Otter token.", INSTANT),
    ("Companion", "Whenever an Otter with ⟦companion⟧able ways attacks, draw a card.", CREATURE),
    ("Soulbond", "Choose a card at random from each ⟦pair⟧ of piles.", SORCERY),
    ("Phasing", "At the beginning of each combat ⟦phase⟧, draw a card.", ENCHANTMENT),
    ("∞ (Infinity)", "{T}: Add {⟦∞⟧}.", ARTIFACT),
]


def marked(text: str) -> tuple[str, int, int]:
    """A text without its marks, and where its evidence stands."""
    before, _, rest = text.partition("⟦")
    evidence, _, after = rest.partition("⟧")
    return before + evidence + after, len(before), len(before) + len(evidence)


@pytest.mark.parametrize(("heading", "text", "relation", "type_line"), KEYWORDS)
def test_the_word_as_the_keyword(
    linker: Linker, heading: str, text: str, relation: str, type_line: str
) -> None:
    text, start, end = marked(text)
    there = [c for c in of(HEADINGS[heading], cited(linker, text, type_line)) if start <= c.start < end]
    assert [(c.relation, c.conditional) for c in there] == [(relation, False)]


@pytest.mark.parametrize(("heading", "text", "type_line"), OTHERS)
def test_the_word_as_something_else(linker: Linker, heading: str, text: str, type_line: str) -> None:
    text, start, end = marked(text)
    there = [
        c for c in of(HEADINGS[heading], cited(linker, text, type_line)) if c.start < end and start < c.end
    ]
    assert there == []
