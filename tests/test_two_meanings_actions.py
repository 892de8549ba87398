"""Words of the keyword actions (CR 701) that mean several things on a card, on invented cards.

For every heading of the section: its words in every inflection and in every place of a text are the action;
as a name, inside another word, as a kind of counter or as a flavor word they are not. Then, word by word,
what else each can mean. In a case's text the word in question stands between ⟦ and ⟧.
"""

from __future__ import annotations

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Citation, Face
from cardlaw.graph.sources import outline

KEYWORDS = [k for k in outline.load().vocabulary.keywords if k.action and k.variant_of is None]
RULES = {k.name: k.rule for k in KEYWORDS}

# Of each heading: its forms (plain; third person; past; -ing), and what follows them in a sentence. The
# second part may be empty; forms that nobody writes are left out by a dash.
FORMS: dict[str, tuple[str, str]] = {
    "Activate": ("activate activates activated activating", "abilities of Golems"),
    "Attach": ("attach attaches attached attaching", "it to a Golem"),
    "Behold": ("behold beholds beheld beholding", "a Golem"),
    "Cast": ("cast casts cast casting", "a Golem spell"),
    "Counter": ("counter counters countered countering", "that spell"),
    "Create": ("create creates created creating", "a Food token"),
    "Destroy": ("destroy destroys destroyed destroying", "a Golem"),
    "Discard": ("discard discards discarded discarding", "two cards"),
    "Double": ("double doubles doubled doubling", "its power"),
    "Triple": ("triple triples tripled tripling", "its power"),
    "Exchange": ("exchange exchanges exchanged exchanging", "control of two Golems"),
    "Exile": ("exile exiles exiled exiling", "two Golems"),
    "Fight": ("fight fights fought fighting", "another Golem"),
    "Goad": ("goad goads goaded goading", "a Golem"),
    "Investigate": ("investigate investigates investigated investigating", "twice"),
    "Mill": ("mill mills milled milling", "three cards"),
    "Play": ("play plays played playing", "a land"),
    "Regenerate": ("regenerate regenerates regenerated regenerating", "a Golem"),
    "Reveal": ("reveal reveals revealed revealing", "that card"),
    "Sacrifice": ("sacrifice sacrifices sacrificed sacrificing", "a Golem"),
    "Scry": ("scry scries scried scrying", "2"),
    "Search": ("search searches searched searching", "a library"),
    "Shuffle": ("shuffle shuffles shuffled shuffling", "a library"),
    "Surveil": ("surveil surveils surveiled surveiling", "1"),
    "Tap and Untap": ("untap untaps untapped untapping", "a Golem"),
    "Transform": ("transform transforms transformed transforming", "it"),
    "Convert": ("convert converts converted converting", "it"),
    "Fateseal": ("fateseal fateseals fatesealed fatesealing", "2"),
    "Clash": ("clash clashes clashed clashing", "with an opponent"),
    "Planeswalk": ("planeswalk planeswalks planeswalked planeswalking", "here"),
    "Set in Motion": ("set sets set -", "this scheme in motion"),
    "Abandon": ("abandon abandons abandoned abandoning", "this scheme"),
    "Proliferate": ("proliferate proliferates proliferated proliferating", "twice"),
    "Detain": ("detain detains detained detaining", "a Golem"),
    "Populate": ("populate populates populated populating", "twice"),
    "Monstrosity": ("monstrosity - - -", "3"),
    "Vote": ("vote votes voted voting", "for soup"),
    "Bolster": ("bolster bolsters bolstered bolstering", "2"),
    "Manifest": ("manifest manifests manifested manifesting", "a card"),
    "Support": ("support supports supported supporting", "2"),
    "Meld": ("meld melds melded melding", "them"),
    "Exert": ("exert exerts exerted exerting", "it"),
    "Explore": ("explore explores explored exploring", "twice"),
    "Assemble": ("assemble assembles assembled assembling", "a Contraption"),
    "Adapt": ("adapt adapts adapted adapting", "2"),
    "Amass": ("amass amasses amassed amassing", "Orcs 2"),
    "Learn": ("learn learns learned learning", "twice"),
    "Venture into the Dungeon": ("venture ventures ventured venturing", "into the dungeon"),
    "Connive": ("connive connives connived conniving", "twice"),
    "Open an Attraction": ("open opens opened opening", "an Attraction"),
    "Roll to Visit Your Attractions": ("roll rolls rolled rolling", "to visit your Attractions"),
    "Incubate": ("incubate incubates incubated incubating", "2"),
    "The Ring Tempts You": ("the - - -", "Ring tempts you"),
    "Face a Villainous Choice": ("face faces faced facing", "a villainous choice"),
    "Time Travel": ("time - - -", "travel"),
    "Discover": ("discover discovers discovered discovering", "3"),
    "Cloak": ("cloak cloaks cloaked cloaking", "a card"),
    "Collect Evidence": ("collect collects collected collecting", "evidence 4"),
    "Suspect": ("suspect suspects suspected suspecting", "a Golem"),
    "Forage": ("forage forages foraged foraging", ""),
    "Manifest Dread": ("manifest manifests manifested manifesting", "dread"),
    "Endure": ("endure endures endured enduring", "2"),
    "Harness": ("harness harnesses harnessed harnessing", "it"),
    "Airbend": ("airbend airbends airbended airbending", "a Golem"),
    "Earthbend": ("earthbend earthbends earthbended earthbending", "3"),
    "Waterbend": ("waterbend waterbends waterbended waterbending", "{3}"),
    "Blight": ("blight blights blighted blighting", "1"),
}
HEADINGS = list(FORMS)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def actions(
    linker: Linker, text: str, name: str = "Zyx Warden", line: str = "Creature — Golem"
) -> list[Citation]:
    """The keyword actions that an invented face cites."""
    face = linker.link(Face(name=name, type_line=line, oracle_text=text))
    return [c for a in face.abilities for c in a.citations if c.relation == "keyword_action"]


def sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def phrase(heading: str, form: int) -> str:
    """A heading's words with what follows them, or nothing if it has no such form."""
    forms, rest = FORMS[heading]
    verb = forms.split()[form]
    return "" if verb == "-" else f"{verb} {rest}".strip()


def test_every_heading_of_701_is_covered() -> None:
    assert set(FORMS) == set(RULES)


# -- the action ------------------------------------------------------------------------------------

PLACES = [
    (0, "{Words}."),
    (0, "Draw a card, then {words}."),
    (0, "You may {words}. If you do, draw a card."),
    (0, "When this creature enters, {words}."),
    (0, "{{2}}, {{T}}: {Words}."),
    (0, "{{2}}, {{T}}, {Words}: Draw a card."),
    (0, "Choose one —\n• Draw a card.\n• {Words}."),
    (0, 'Golems you control have "{{T}}: {Words}."'),
    (0, "Song of Soup — Whenever this creature attacks, {words}."),
    (0, "[+1]: {Words}."),
    (0, "Draw a card. ({Words}.)"),
    (1, "Target opponent {words}."),
    (1, "Whenever a player {words}, draw a card."),
    (2, "If you {words} this turn, draw a card."),
    (3, "You may cycle this card by {words}."),
]


@pytest.mark.parametrize("heading", HEADINGS)
def test_the_words_of_a_heading_are_the_action_in_every_form_and_place(linker: Linker, heading: str) -> None:
    rule = RULES[heading]
    for form, frame in PLACES:
        words = phrase(heading, form)
        if not words or (heading in {"Monstrosity", "The Ring Tempts You"} and "opponent" in frame):
            continue
        text = frame.format(words=words, Words=sentence(words))
        if "{{T}}, {Words}" in frame and heading in NO_COST:
            continue
        at = text.lower().index(words.lower())
        found = [c for c in actions(linker, text) if c.rule == rule]
        assert len(found) == 1, text
        assert at <= found[0].start < at + len(words), (text, found[0].quote)


# Actions after a comma in a cost: those that are costs on cards; elsewhere a capital there begins a name.
NO_COST = {"The Ring Tempts You", "Time Travel"}


# -- not the action --------------------------------------------------------------------------------


def name_of(heading: str) -> str:
    return "Untap" if heading == "Tap and Untap" else heading


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_name_or_another_word_is_no_action(linker: Linker, heading: str) -> None:
    rule, name = RULES[heading], name_of(heading)
    word = name.lower().replace(" ", "")
    own = [f"{name} deals 3 damage to any target.", f"When {name} enters, you gain 2 life."]
    longer = [f"Reckless {name} deals 4 damage to any target.", f"{name} of Soup can't be blocked."]
    faces = [
        *((text, name) for text in own),
        (longer[0], f"Reckless {name}"),
        (longer[1], f"{name} of Soup"),
        (f"Golems named {name} get +1/+1.", "Zyx Warden"),
        (f"You gain 1 life for each card named {name} and the same number of Otters.", "Zyx Warden"),
        (f"Choose Soup of Otters or {name} at random.", "Zyx Warden"),
        (f"{name} the Otter — This creature gets +1/+1 for each Golem you control.", "Zyx Warden"),
        (f"Target pre{word}ton gets +1/+1 until end of turn.", "Zyx Warden"),
        (f"Target soup-{word} gets +1/+1 until end of turn.", "Zyx Warden"),
        (f"Put two {word} counters on target Golem.", "Zyx Warden"),
        (f"Remove a {word} counter from this creature: Draw a card.", "Zyx Warden"),
    ]
    for text, own_name in faces:
        assert rule not in {c.rule for c in actions(linker, text, own_name, "Sorcery")}, text
        if own_name == "Zyx Warden":
            assert rule not in {c.rule for c in actions(linker, text)}, text


# -- word by word ----------------------------------------------------------------------------------

# The words in ⟦ ⟧ are the action; none of the rules of section 701 but those of the marked words is cited.
ACTION = {
    "activate": [
        ("Players can't ⟦activate⟧ abilities of artifacts.", "701.2"),
        ("Golems cost {1} less to ⟦activate⟧.", "701.2"),
        ("Activated abilities of Golems can't be ⟦activated⟧.", "701.2"),
        ("Any player may ⟦activate⟧ this ability.", "701.2"),
        ("If you ⟦activated⟧ a loyalty ability this turn, draw a card.", "701.2"),
    ],
    "attach": [
        ("When this Equipment becomes ⟦unattached⟧ from a Golem, draw a card.", "701.3"),
        ("⟦Unattach⟧ this Equipment: Draw a card.", "701.3"),
    ],
    "cast": [
        ("You may ⟦cast⟧ it for its flashback cost.", "701.5"),
        ("If this spell was ⟦cast⟧ from a graveyard, draw a card.", "701.5"),
        ("You may cycle this card any time you could ⟦cast⟧ a sorcery.", "701.5"),
    ],
    "counter": [
        ("⟦Counter⟧ target spell.", "701.6"),
        ("You may ⟦counter⟧ that spell.", "701.6"),
        ("This spell can't be ⟦countered⟧.", "701.6"),
        ("Whenever a Golem spell ⟦counters⟧ a spell, draw a card.", "701.6"),
        ("Put a soup counter on it, then ⟦counter⟧ target spell.", "701.6"),
        ("If a spell is ⟦countered⟧ this way, draw a card.", "701.6"),
    ],
    "create": [
        ("If one or more tokens would be ⟦created⟧ under your control, draw a card.", "701.7"),
        (
            "When this creature enters, ⟦create⟧ Ser Otter, a legendary 2/2 white Otter creature token.",
            "701.7",
        ),
    ],
    "destroy": [
        ("Draw a card for each Golem ⟦destroyed⟧ this way.", "701.8"),
        ("If this creature would be ⟦destroyed⟧, draw a card.", "701.8"),
    ],
    "double": [
        ("If a source would deal damage to you, it deals ⟦double⟧ that damage instead.", "701.10"),
        ("Golems have double strike and lose defender; ⟦double⟧ their power.", "701.10"),
    ],
    "triple": [("If a Golem would deal damage, it deals ⟦triple⟧ that damage instead.", "701.11")],
    "exchange": [("Two target players ⟦exchange⟧ life totals.", "701.12")],
    "exile": [
        ("⟦Exile⟧ target Golem.", "701.13"),
        ("You may pay {2} and ⟦exile⟧ four cards from your graveyard.", "701.13"),
        ("Tap two untapped Golems you control to ⟦exile⟧ target Otter.", "701.13"),
        ("Golems can't destroy, ⟦exile⟧, or target Otters.", "701.13"),
        ("Return a Golem card from your graveyard or ⟦exile⟧ target Otter.", "701.13"),
        ("Golems ⟦exiled⟧ this way have flying.", "701.13"),
        ("If it would die, ⟦exile⟧ it instead.", "701.13"),
    ],
    "fight": [("Those Golems ⟦fight⟧ each other.", "701.14")],
    "play": [
        ("You may ⟦play⟧ that card this turn.", "701.18"),
        ("You may ⟦play⟧ any number of lands on each of your turns.", "701.18"),
        ("You may ⟦play⟧ cards from the top of your library.", "701.18"),
        ("If you didn't ⟦play⟧ a land this turn, draw a card.", "701.18"),
        ("You may ⟦play⟧ the exiled card if it's a land.", "701.18"),
    ],
    "regenerate": [("It can't be ⟦regenerated⟧.", "701.19")],
    "reveal": [
        ("Play with the top card of your library ⟦revealed⟧.", "701.20"),
        ("This land enters tapped unless you ⟦revealed⟧ a Golem card this way.", "701.20"),
    ],
    "sacrifice": [
        ("{1}, {T}, ⟦Sacrifice⟧ Pebble: Draw a card.", "701.21"),
        ("Whenever you cycle a card, ⟦sacrifice⟧ it unless you pay {2}.", "701.21"),
    ],
    "search": [("Players can't ⟦search⟧ libraries.", "701.23")],
    "shuffle": [("Then that player ⟦shuffles⟧.", "701.24")],
    "tap": [
        ("⟦Tap⟧ up to two target Golems.", "701.26"),
        ("⟦Tap⟧ an untapped Golem you control: Draw a card.", "701.26"),
        ("Whenever this creature becomes ⟦tapped⟧, draw a card.", "701.26"),
        ("Draw a card for each Golem ⟦tapped⟧ this way.", "701.26"),
        ("This creature doesn't ⟦untap⟧ during your untap step.", "701.26"),
    ],
    "transform": [("Return it to the battlefield ⟦transformed⟧.", "701.27")],
    "planeswalk": [("Whenever you ⟦planeswalk⟧ away from a plane, draw a card.", "701.31")],
    "set in motion": [("When you ⟦set this scheme in motion⟧, draw a card.", "701.32")],
    "monstrosity": [("As long as this creature is ⟦monstrous⟧, it gets +2/+2.", "701.37")],
    "vote": [("If soup gets more ⟦votes⟧ than stew, draw a card.", "701.38")],
    "the ring tempts you": [
        ("Whenever ⟦the Ring tempts you⟧, draw a card.", "701.54"),
        ("As long as this creature is your ⟦Ring-bearer⟧, it gets +1/+1.", "701.54"),
    ],
    "roll to visit": [("Whenever you ⟦roll to visit your Attractions⟧, draw a card.", "701.52")],
    "open an attraction": [("Whenever you ⟦open an Attraction⟧, draw a card.", "701.51")],
    "villainous choice": [
        (
            "Target opponent ⟦faces a villainous choice⟧ — They lose 2 life, or you draw a card.",
            "701.55",
        ),
        ("Each opponent ⟦faces a villainous choice⟧ — You gain 1 life, or you draw a card.", "701.55"),
    ],
    "collect evidence": [
        ("If ⟦evidence was collected⟧, draw a card.", "701.59"),
        ("When you ⟦collect Zyx Warden as evidence⟧, draw a card.", "701.59"),
    ],
    "suspect": [("⟦Suspected⟧ Golems can't attack.", "701.60")],
    "forage": [("{T}, ⟦Forage⟧: Draw a card.", "701.61")],
    "amass": [("The Army you ⟦amassed⟧ gains haste until end of turn.", "701.47")],
    "behold": [("If a Golem was ⟦beheld⟧, draw a card.", "701.4")],
    "waterbend": [("Ward—⟦Waterbend⟧ {4}.", "701.67")],
    "blight": [("Ward—⟦Blight⟧ 2.", "701.68")],
    "explore": [("If a Golem would ⟦explore⟧, draw a card instead.", "701.44")],
    "look at": [("⟦Look at⟧ the top two cards.", "701.20e")],
}


@pytest.mark.parametrize(("text", "rule"), [case for cases in ACTION.values() for case in cases], ids=str)
def test_the_marked_word_is_the_action(linker: Linker, text: str, rule: str) -> None:
    before, _, rest = text.partition("⟦")
    evidence, _, after = rest.partition("⟧")
    found = actions(linker, before + evidence + after)
    assert (rule, len(before), evidence) in {(c.rule, c.start, c.quote) for c in found}


# Words that are something else; the text cites the rules on the right, and no keyword action at the mark.
ELSE: dict[str, list[tuple[str, set[str]]]] = {
    "activate": [
        ("Draw a card. ⟦Activate⟧ only during your upkeep.", {"602.5b"}),
        ("⟦Activate⟧ no more than twice each turn.", set()),
        ("This creature has all ⟦activated⟧ abilities of each Golem.", {"613.1f"}),
        ("This creature has all ⟦activated⟧ and triggered abilities of the exiled card.", set()),
        ("Counter target ⟦activated⟧ or triggered ability.", set()),
        ("If an ability has {T} in its ⟦activation⟧ cost, draw a card.", set()),
    ],
    "cast": [("Target ⟦castaway⟧ gets +1/+1.", set())],
    "counter": [
        ("Put a +1/+1 ⟦counter⟧ on target creature.", {"122.1", "122.1a"}),
        ("Remove all ⟦counters⟧ from it.", {"122.1"}),
        ("Move a ⟦counter⟧ from this creature onto target Golem.", {"122.1"}),
        ("X is the number of ⟦counters⟧ it had on it.", {"122.1"}),
        ("Draw a card for each ⟦counter⟧ that was on it.", {"122.1"}),
        ("You get two soup ⟦counters⟧.", {"122.1"}),
        ("This creature enters with a ⟦counter⟧ of your choice on it.", {"122.1"}),
    ],
    "create": [("Target ⟦creature⟧ gets +1/+1.", set()), ("As you ⟦create⟧ your deck, choose Golem.", set())],
    "double": [
        ("⟦Double⟧ strike", {"702.4"}),
        ("Target Golem gains ⟦double⟧ strike until end of turn.", {"702.4"}),
        ("Reveal a ⟦double-faced⟧ card.", {"712"}),
        ("⟦Double⟧ agenda", {"702.106f"}),
    ],
    "triple": [("This creature gains ⟦triple⟧ strike.", set())],
    "exile": [
        ("Put a card from ⟦exile⟧ into your graveyard.", {"406", "404"}),
        ("Cards in ⟦exile⟧ have no names.", {"406"}),
        ("When this creature is put into ⟦exile⟧ from the battlefield, draw a card.", {"406", "403"}),
        ("If a card was put into ⟦exile⟧ this turn, draw a card.", {"406"}),
        ("You may cast a spell from ⟦exile⟧ this turn.", {"406"}),
        ("Draw a card for each card in ⟦exile⟧ that has cycling.", {"406"}),
        ("Spells you cast from graveyards or ⟦exile⟧.", {"404", "406"}),
        ("If a card would be put into your graveyard or ⟦exile⟧ from anywhere, draw a card.", {"404", "406"}),
        ("When you cast this spell from anywhere other than ⟦exile⟧, draw a card.", {"406"}),
    ],
    "fight": [("⟦Fighting⟧ Spoon — When this creature enters, draw a card.", {"603.6a"})],
    "play": [
        ("⟦Play⟧ with your hand revealed.", {"701.20", "402"}),
        ("Your opponents ⟦play⟧ with their hands revealed.", {"701.20"}),
        ("Target ⟦player⟧ gains 2 life.", {"119"}),
        ("Remove it from your deck before ⟦playing⟧ if you're not playing for ante.", {"407"}),
        ("When this creature comes into ⟦play⟧, draw a card.", {"121"}),
        ("Players ⟦play⟧ a Magic subgame.", set()),
        ("Drop it onto the ⟦playing⟧ area.", set()),
    ],
    "search": [("Use a card ⟦search⟧ engine.", set())],
    "tap": [
        ("{⟦T⟧}: Draw a card.", {"107.5"}),
        ("⟦Tapped⟧ Golems you control have flying.", {"110.5"}),
        ("This land enters ⟦tapped⟧.", {"110.5", "614.1d"}),
        ("Golems can block as though they were ⟦untapped⟧.", {"110.5", "609.4"}),
        ("If it was ⟦tapped⟧, draw a card.", {"110.5"}),
        ("Whenever you ⟦tap⟧ a land for mana, draw a card.", {"106.12"}),
        ("Whenever a land is ⟦tapped⟧ for mana, draw a card.", {"106.12"}),
        ("Skip your ⟦untap⟧ step.", {"502", "614.1b"}),
    ],
    "transform": [
        ("Turn target creature ⟦face up⟧.", {"708"}),
        ("Whenever a permanent is turned ⟦face down⟧, draw a card.", {"708"}),
    ],
    "convert": [("Draw cards equal to its ⟦converted⟧ mana cost.", {"202.3"})],
    "planeswalk": [("Target ⟦planeswalker⟧ deals 2 damage to you.", {"120"})],
    "set in motion": [("Target creature's power is ⟦set⟧ to 2.", set())],
    "assemble": [("Target ⟦Assembly-Worker⟧ gets +2/+2 until end of turn.", {"613.4c"})],
    "incubate": [("You control two ⟦Incubator⟧ tokens.", {"111.10i"})],
    "manifest": [("Put a ⟦manifestation⟧ counter on it.", {"122.1"})],
    "monstrosity": [("Choose Otter, ⟦Monstrous⟧ Baker.", set())],
    "support": [("Soup ⟦Support⟧ — {2}: Draw a card.", {"602"})],
    "learn": [("• ⟦Learn⟧ Their Recipes — Draw two cards.", {"121"})],
    "the ring tempts you": [
        ("Create a token that's a copy of Soup ⟦Ring⟧.", {"707"}),
        ("Sacrifice a Golem named The Old ⟦Ring⟧: Draw a card.", {"701.21"}),
    ],
    "collect evidence": [("Each player votes for ⟦evidence⟧ or bribery.", {"701.38"})],
    "discover": [("Put a ⟦discovery⟧ counter on it.", {"122.1"})],
    "seek": [("⟦Seek⟧ a Golem card.", set())],
    "conjure": [("⟦Conjure⟧ a card named Soup into your hand.", {"402"})],
    "heal": [("⟦Heal⟧ all damage on it.", {"120"})],
    "face": [("You may play either ⟦face⟧ of it.", {"701.18"})],
    "open": [("If it's in your ⟦opening⟧ hand, draw a card.", {"402"})],
    "roll": [("⟦Roll⟧ a d20.", {"706"}), ("⟦Visit⟧ — Draw a card.", {"702.159"})],
    "investigate": [("⟦Investigative⟧ Cookery — When this creature enters, draw a card.", {"603.6a"})],
    "venture": [("Exile ⟦Venture⟧ Home.", {"701.13"})],
}


@pytest.mark.parametrize(("text", "rules"), [case for cases in ELSE.values() for case in cases])
def test_the_marked_word_is_something_else(linker: Linker, text: str, rules: set[str]) -> None:
    before, _, rest = text.partition("⟦")
    word, _, after = rest.partition("⟧")
    start, end = len(before), len(before) + len(word)
    text = before + word + after
    face = linker.link(Face(name="Zyx Warden", type_line="Creature — Golem", oracle_text=text))
    cited = [c for a in face.abilities for c in a.citations]
    assert not [c for c in cited if c.relation == "keyword_action" and c.start < end and start < c.end]
    assert rules <= {c.rule for c in cited}


# -- zones and parts of the turn -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "must", "never"),
    [
        ("Greasy ⟦Hands⟧ — Draw a card.", set(), {"402"}),
        ("Put it into its owner's ⟦hand⟧.", {"402"}, set()),
        ("As this creature attacks, ⟦stack⟧ two dice on it.", set(), {"405"}),
        ("When the ⟦stack⟧ falls, draw a card.", set(), {"405"}),
        ("Exile all spells from the ⟦stack⟧.", {"405", "701.13"}, {"406"}),
        ("When this creature enters, draw a card.", set(), {"403"}),
        ("When this creature dies, draw a card.", set(), {"404"}),
        ("Exile the top card of your library ⟦face down⟧.", {"406.3"}, {"708"}),
        ("Put it onto the battlefield ⟦face down⟧.", {"708", "403"}, {"406.3"}),
        ("You may put your ⟦commander⟧ into your hand.", {"402"}, {"408"}),
        ("Put it into the ⟦command zone⟧.", {"408"}, set()),
        ("Create a 2/3 ⟦Antelope⟧ creature token.", set(), {"407"}),
        ("⟦Cumulative upkeep⟧ {1}", {"702.24"}, {"503"}),
        ("Skip your ⟦upkeep⟧ step.", {"503"}, {"702.24"}),
        ("At the beginning of ⟦combat⟧ on your turn, draw a card.", {"507"}, {"506"}),
        ("At end of ⟦combat⟧, draw a card.", {"511"}, {"506"}),
        ("This creature attacks each ⟦combat⟧ if able.", {"506"}, {"507", "511"}),
        ("Prevent all ⟦combat⟧ damage this turn.", {"510"}, {"506"}),
        ("Remove it from ⟦combat⟧.", {"506.4"}, {"506"}),
        ("There is an additional ⟦beginning phase⟧ after this phase.", {"501"}, {"502"}),
        ("At the beginning of your postcombat ⟦main phase⟧, draw a card.", {"505"}, {"506"}),
        ("It gains flying until ⟦end of turn⟧.", set(), {"512", "513"}),
        ("At the beginning of the next ⟦end step⟧, draw a card.", {"513"}, {"512"}),
        ("Draw a card at the start of your ⟦turn⟧.", set(), {"500", "501"}),
        ("Tap it during its controller's next ⟦untap step⟧.", {"502", "701.26"}, set()),
        ("⟦Combat Cookery⟧ — When this creature enters, draw a card.", set(), {"506"}),
    ],
)
def test_zones_and_parts_of_the_turn(linker: Linker, text: str, must: set[str], never: set[str]) -> None:
    text = text.replace("⟦", "").replace("⟧", "")
    face = linker.link(Face(name="Zyx Warden", type_line="Creature — Golem", oracle_text=text))
    cited = {c.rule for a in face.abilities for c in a.citations}
    assert must <= cited
    assert not never & cited
