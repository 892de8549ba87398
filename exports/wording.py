"""How the kinds of ability and the relations of citations are called and explained, in text and on pages."""

from __future__ import annotations

from collections.abc import Mapping

from cardlaw.graph.model import Kind, Relation

__all__ = ["KINDS", "NO_WORDS", "WHY"]

KINDS: Mapping[Kind, str] = {
    "keyword": "keyword ability",
    "activated": "activated ability",
    "activated/mana": "activated mana ability",
    "activated/loyalty": "loyalty ability",
    "triggered": "triggered ability",
    "triggered/mana": "triggered mana ability",
    "triggered/chapter": "chapter ability",
    "static": "static ability",
    "static/characteristic-defining": "characteristic-defining ability",
    "spell": "spell ability",
}
WHY: Mapping[Relation, str] = {
    "has_keyword": "printed on the card",
    "grants_keyword": "gives the keyword to something, or to itself for a while",
    "loses_keyword": "takes the keyword away",
    "mentions_keyword": "only refers to the keyword",
    "keyword_action": "a player or an effect does this",
    "ability_kind": "what kind of ability this is",
    "trigger_event": "an event that something waits for",
    "effect": "how the effect works",
    "zone": "names a zone",
    "turn_part": "names a phase or step",
    "cost": "what is paid",
    "defined_term": "a game term with a rule of its own",
    "card_type": "a type or frame of the card",
}
"""Why a citation stands there, where its catalogue entry says no more."""

NO_WORDS = (
    "Built without the words of the rules: `cardlaw build --rules FILE` adds them from the official text."
)
