"""Which rules a deck needs, and which keywords it has: from the ties of its cards, the telling ones first.

A rule weighs as much as it is rare, log(cards / cards that invoke it), squared, as its weight in the cards
and in what is asked of them (Salton and Buckley 1988), for each card of the deck that needs it: what five
cards share and few others do comes before what every creature invokes. Rules stand together under the nearest
heading above them (613.4c under 613, 702.29e under 702.29), for each card with the weight of its rarest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from cardlaw.ontology.namespaces import compact, expand

from ..adjacency import NAMES, Adjacency, adjacency
from ..lookup import Lookup, local, natural, type_of
from ..reminding import printed_reminders
from ..store import Store
from .cards import DeckCard

__all__ = ["COLUMNS", "Heading", "Keyword", "NeededRule", "User", "column", "needs"]

COLUMNS = {
    "W": "white",
    "U": "blue",
    "B": "black",
    "R": "red",
    "G": "green",
    "M": "multicolored",
    "C": "colorless",
    "?": "not known",
}
"""By what the cards with a keyword are counted: CR 105.1, 105.2b, 105.2c."""

_KEYWORD_RELATIONS = frozenset({"has_keyword", "grants_keyword", "loses_keyword", "mentions_keyword"})
_HELD = ("has_keyword", "grants_keyword", "keyword_action")
"""Relations for which a card stands in the table of keywords."""
_SAMPLE = 150
_QUOTE = 120


class User(Struct, frozen=True, kw_only=True):
    """A card that needs a rule, and the words for it."""

    name: str
    iri: str
    relations: tuple[str, ...]
    quote: str  # of the first of them


class NeededRule(Struct, frozen=True, kw_only=True):
    """A rule that cards of the deck invoke."""

    number: str
    iri: str
    cards_in_graph: int  # that invoke it
    cards: tuple[User, ...]


class Heading(Struct, frozen=True, kw_only=True):
    """Rules under one heading of the rulebook."""

    number: str
    iri: str
    title: str
    weight: float
    cards: tuple[str, ...]  # names of all cards that need any of them
    rules: tuple[NeededRule, ...]  # in the order of the book


class Keyword(Struct, frozen=True, kw_only=True):
    """A keyword ability or action of the deck."""

    name: str
    iri: str
    is_action: bool
    rule: str
    rule_iri: str
    text: str | None  # the first words of its rule, where the graph has them
    reminder: str | None  # what most cards print to remind of it
    by_color: Mapping[str, int]  # key of `COLUMNS` → cards that have, grant or do it
    cards: tuple[str, ...]  # their names
    granting: tuple[str, ...]  # of these, those that only grant it


def needs(store: Store, cards: Sequence[DeckCard]) -> tuple[tuple[Heading, ...], tuple[Keyword, ...]]:
    """The rules that some cards need, by heading, the telling ones first; keywords, the usual ones first."""
    ties = adjacency(store)
    reader = Lookup(store)
    found: dict[str, dict[str, dict[str, str]]] = {}  # rule → card → relation → quote
    held: dict[str, dict[str, set[str]]] = {}  # keyword → card → relations
    for card in cards:
        node = compact(card.iri)
        for target, relation, quote in _ties(ties, reader, node):
            rule = target
            if relation in _KEYWORD_RELATIONS and type_of(target) == "keyword":
                rule = reader.value(target, "definedBy") or ""
            if relation in _HELD:
                for keyword in (target,) if rule != target else reader.keywords.get(rule, ()):
                    held.setdefault(keyword, {}).setdefault(node, set()).add(relation)
            if type_of(rule) == "rule":
                found.setdefault(rule, {}).setdefault(node, {}).setdefault(relation, quote)
    by_node = {compact(card.iri): card for card in cards}
    return _headings(store, reader, found, by_node), _keywords(store, reader, held, by_node)


def _ties(ties: Adjacency, reader: Lookup, node: str) -> Iterable[tuple[str, str, str]]:
    """What a card is tied to, by which relation and words."""
    number = ties.number.get(node)
    for tie in () if number is None else ties.ties_of(number):
        relation = NAMES[ties.relation[tie]]
        proof = next(ties.proofs(tie), None)
        if proof is not None:
            quote = reader.value(proof.citation, "quote") or ""
            yield ties.nodes[ties.target[tie]], relation, quote


def _headings(
    store: Store,
    reader: Lookup,
    found: Mapping[str, Mapping[str, Mapping[str, str]]],
    cards: Mapping[str, DeckCard],
) -> tuple[Heading, ...]:
    total = max(store.info.counts.get("cards", 0), 1)
    weights: dict[str, dict[str, float]] = {}  # heading → card → weight
    rules: dict[str, list[NeededRule]] = {}
    for rule, users in found.items():
        above = _headed(reader, rule)
        count = max(reader.count(rule), 1)
        rarity = math.log((total + 1) / count) if count < total else 0.0
        for node in users:
            weight = weights.setdefault(above, {})
            weight[node] = max(weight.get(node, 0.0), rarity**2)
        rules.setdefault(above, []).append(
            NeededRule(
                number=local(rule),
                iri=expand(rule),
                cards_in_graph=count,
                cards=tuple(
                    User(
                        name=cards[node].name,
                        iri=cards[node].iri,
                        relations=tuple(said),
                        quote=_short(next(iter(said.values()))),
                    )
                    for node, said in sorted(users.items(), key=lambda user: cards[user[0]].name)
                ),
            )
        )
    headings = [
        Heading(
            number=local(above),
            iri=expand(above),
            title=reader.heading(above),
            weight=round(sum(sorted(weight.values())), 2),
            cards=tuple(sorted(cards[node].name for node in weight)),
            rules=tuple(sorted(rules[above], key=lambda rule: natural(rule.number))),
        )
        for above, weight in weights.items()
    ]
    return tuple(sorted(headings, key=lambda heading: (-heading.weight, natural(heading.number))))


def _headed(reader: Lookup, rule: str) -> str:
    """The rule, or the nearest above it that has a heading."""
    while reader.value(rule, "heading") is None and (above := reader.value(rule, "broader")):
        rule = above
    return rule


def _keywords(
    store: Store,
    reader: Lookup,
    held: Mapping[str, Mapping[str, set[str]]],
    cards: Mapping[str, DeckCard],
) -> tuple[Keyword, ...]:
    made = []
    for keyword, holders in held.items():
        rule = reader.value(keyword, "definedBy") or ""
        colors = [column(cards[node]) for node in holders]
        reminders = printed_reminders(store, expand(keyword), _SAMPLE)
        made.append(
            Keyword(
                name=reader.label(keyword),
                iri=expand(keyword),
                is_action="mtg:KeywordAction" in reader.objects(keyword, "class"),
                rule=local(rule),
                rule_iri=expand(rule),
                text=_first_words(reader, rule),
                reminder=min(reminders, key=lambda text: (-reminders[text], len(text), text), default=None),
                by_color={name: count for name in COLUMNS if (count := colors.count(name))},
                cards=tuple(sorted(cards[node].name for node in holders)),
                granting=tuple(
                    sorted(cards[node].name for node, said in holders.items() if said == {"grants_keyword"})
                ),
            )
        )
    return tuple(sorted(made, key=lambda keyword: (-len(keyword.cards), keyword.name)))


def column(card: DeckCard) -> str:
    """Under which of `COLUMNS` a card is counted."""
    if card.colors is None:
        return "?"
    return "C" if not card.colors else card.colors[0] if len(card.colors) == 1 else "M"


def _first_words(reader: Lookup, rule: str) -> str | None:
    """The first sentence of a rule or, if it is a mere heading, of the first rule under it."""
    text = reader.value(rule, "definition")
    if text is None:
        below = next(iter(reader.subjects("broader", rule)), None)
        text = reader.value(below, "definition") if below else None
    return text.partition(". ")[0].rstrip(".") + "." if text else None


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _QUOTE else f"{words[: _QUOTE - 1]}…"
