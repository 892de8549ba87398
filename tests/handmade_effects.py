"""More hand-made cards: costs, triggers, effects and the like, and catalogue entries for their rules."""

from __future__ import annotations

from pathlib import Path

import msgspec
from handmade import BOOK, CARDS, MORE_RULES, RULES, ability, card, face, write_store
from msgspec import Struct

from cardlaw.graph.model import Parts, Relation, Ruling, Stated


class Entry(Struct, frozen=True, kw_only=True):
    """What a catalogue entry tells of itself."""

    id: str
    relation: Relation
    rule: str | None
    anchor: str = ""
    note: str = ""


ENTRIES = (
    Entry(id="cost.additional", relation="cost", rule="118.8"),
    Entry(id="cost.alternative", relation="cost", rule="118.9"),
    Entry(id="effect.duration", relation="effect", rule="611.2"),
    Entry(id="effect.instead", relation="effect", rule="614.1a"),
    Entry(id="event.delayed", relation="trigger_event", rule="603.7"),
    Entry(id="event.intervening-if", relation="trigger_event", rule="603.4"),
    Entry(id="event.reflexive", relation="trigger_event", rule="603.12"),
    Entry(id="term.counter", relation="defined_term", rule="122.1"),
    Entry(id="token.treasure", relation="defined_term", rule="111.10a"),
    Entry(id="zone.404", relation="zone", rule="404"),
)
MORE_BOOK = msgspec.structs.replace(
    BOOK,
    rules={rule.number: rule for rule in sorted((*RULES, *MORE_RULES), key=lambda rule: rule.number)},
)

_CLERK = "{T}, Sacrifice a lamp: Draw a card.\nWhen this creature enters, if it is dusk, sacrifice a lamp."
_READER = "If you would draw a card, instead exile a lamp.\nAs this enchantment enters, draw a card."
_OATH = (
    "As an additional cost to cast this spell, sacrifice a lamp.\nTarget ox gains flying until end of turn."
)
_WALKER = "[+1]: Draw a card.\n[−7]: You become the monarch."
_FOG = (
    "Creatures without flying get +1/+1.\n"
    "Create a Treasure. Put a stun counter on it. At the beginning of the next dusk, bury it in a graveyard."
)
_BELL = "Bells ring."
_RIDER = "Marshcycling {1} (Exile this card.)"
_SPLIT = "Flying"
_LARK = "Flying, lifelink"


def _words(text: str, words: str) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


MORE_CARDS = (
    card(
        "Ash Clerk",
        face(
            "Ash Clerk",
            "Creature",
            _CLERK,
            ability(
                _CLERK,
                "{T}, Sacrifice a lamp: Draw a card.",
                "activated",
                ("107.5", "cost", "{T}"),
                ("701.21", "keyword_action", "Sacrifice"),
                ("121", "defined_term", "Draw"),
                parts=Parts(cost=(0, 21), effect=(23, 35)),
            ),
            ability(
                _CLERK,
                "When this creature enters, if it is dusk, sacrifice a lamp.",
                "triggered",
                ("603", "ability_kind", "When"),
                ("603.6a", "trigger_event", "enters"),
                ("603.4", "trigger_event", "if it is dusk"),
                ("701.21", "keyword_action", "sacrifice a lamp"),
                id="1.2",
                parts=Parts(condition=_words(_CLERK, "if it is dusk")),
            ),
        ),
        color_identity=("B",),
    ),
    card(
        "Bright Reader",
        face(
            "Bright Reader",
            "Enchantment",
            _READER,
            ability(
                _READER,
                "If you would draw a card, instead exile a lamp.",
                "static",
                ("614.1a", "effect", "instead"),
                ("121", "defined_term", "draw"),
                ("701.13", "keyword_action", "exile"),
            ),
            ability(
                _READER,
                "As this enchantment enters, draw a card.",
                "static",
                ("614.1c", "effect", "As this enchantment enters"),
                ("121", "defined_term", "draw a card."),
                id="1.2",
            ),
        ),
    ),
    card(
        "Cold Oath",
        face(
            "Cold Oath",
            "Instant",
            _OATH,
            ability(
                _OATH,
                "As an additional cost to cast this spell, sacrifice a lamp.",
                "static",
                ("118.8", "cost", "additional cost"),
                ("701.21", "keyword_action", "sacrifice"),
            ),
            ability(
                _OATH,
                "Target ox gains flying until end of turn.",
                "spell",
                ("115.1", "defined_term", "Target"),
                ("702.9", "grants_keyword", "flying"),
                ("613.1f", "effect", "gains"),
                ("611.2", "effect", "until end of turn"),
                id="1.2",
            ),
        ),
    ),
    card(
        "Dim Walker",
        face(
            "Dim Walker",
            "Planeswalker",
            _WALKER,
            ability(_WALKER, "[+1]: Draw a card.", "activated/loyalty", ("121", "defined_term", "Draw")),
            ability(
                _WALKER,
                "[−7]: You become the monarch.",
                "activated/loyalty",
                ("724", "defined_term", "monarch"),
                id="1.2",
            ),
        ),
    ),
    card(
        "Echo Pond // Echo Sky",
        *(
            face(
                name,
                "Creature",
                _SPLIT,
                ability(
                    _SPLIT,
                    "Flying",
                    "keyword",
                    ("702.9", "has_keyword", "Flying"),
                    keyword="Flying",
                    id=f"{number}.1",
                ),
                number=number,
            )
            for number, name in enumerate(("Echo Pond", "Echo Sky"), 1)
        ),
        layout="transform",
        color_identity=("W",),
    ),
    card(
        "Fog Heron",
        face(
            "Fog Heron",
            "Sorcery",
            _FOG,
            ability(
                _FOG,
                "Creatures without flying get +1/+1.",
                "spell",
                ("702.9", "mentions_keyword", "flying"),
                ("613.4c", "effect", "+1/+1"),
            ),
            ability(
                _FOG,
                _FOG.partition("\n")[2],
                "spell",
                ("111.10a", "defined_term", "Treasure"),
                ("122.1d", "defined_term", "stun counter"),
                ("603.7", "trigger_event", "At the beginning of the next dusk"),
                ("404", "zone", "graveyard"),
                id="1.2",
            ),
        ),
        rulings=(
            Ruling(
                oracle_id="x",
                source="wotc",
                published="2031-01-02",
                text="See rule 122.1d.",
                rules=(Stated(rule="122.1d"),),
            ),
        ),
        oracle_id="x",
    ),
    card(
        "Gray Bell",
        face(
            "Gray Bell",
            "Enchantment",
            _BELL,
            ability(_BELL, _BELL, "static", ("604", "ability_kind", "ring")),
        ),
    ),
    card(
        "Hill Rider",
        face(
            "Hill Rider",
            "Creature",
            _RIDER,
            ability(
                _RIDER,
                _RIDER,
                "keyword",
                ("702.29e", "has_keyword", "Marshcycling"),
                reminder=(("701.13", "keyword_action", "Exile"),),
                keyword="Marshcycling",
            ),
        ),
    ),
    card(
        "Ivory Lark",
        face(
            "Ivory Lark",
            "Creature",
            _LARK,
            ability(_LARK, "Flying", "keyword", ("702.9", "has_keyword", "Flying"), keyword="Flying"),
            ability(
                _LARK,
                "lifelink",
                "keyword",
                ("702.15", "has_keyword", "lifelink"),
                keyword="Lifelink",
                id="1.2",
            ),
        ),
    ),
)


def write_more(root: Path) -> Path:
    """A store of all hand-made cards, with the entries."""
    return write_store(root, (*CARDS, *MORE_CARDS), MORE_BOOK, entries=ENTRIES)
