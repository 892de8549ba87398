"""A deck told by the rules: what it needs, keywords, curve, themes, interactions, whether it is legal.

A list (`reading`) and a store come in; what goes out is a `DeckReport`, all of plain values in a fixed order.
What is counted: rules, keywords, themes and interactions over the cards that can come into a game (deck,
commander, companion, sideboard), the curve over deck and commander. 540 cards took 2.4 s of
processor time on a busy machine, `tests/benchmarks/deck.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct
from pyoxigraph import NamedNode

from cardlaw.ontology.namespaces import PREFIXES

from ..facts import Reader, local, node
from ..meetings import Meeting, meetings
from ..store import Store, layer
from .building import Check, FormatLegality, checks, formats
from .cards import COLORS, PLAYED, DeckCard, Unknown, cards_of, symbols
from .listing import DeckList, Section
from .needs import Heading, Keyword, needs
from .reading import read_deck

__all__ = ["Curve", "DeckReport", "Theme", "analyze"]

_DECK: tuple[Section, ...] = ("commander", "main")
_MEETINGS = 500
_PIPS = (*COLORS, "C", "S")
"""Symbols that are counted: colors, colorless (CR 107.4c) and snow (CR 107.4h)."""


class Curve(Struct, frozen=True, kw_only=True):
    """Copies of the deck by mana value (CR 202.3), lands apart."""

    by_value: tuple[tuple[float, int], ...]  # mana value, copies; all whole values from 0 on, up to 15
    average: float | None  # of what is no land
    lands: int
    unknown: int  # copies whose mana value the source of the cards does not tell
    pips: Mapping[str, int]  # symbol → how often it stands in the costs of all copies


class Theme(Struct, frozen=True, kw_only=True):
    """What cards of the deck are about together, as it was inferred."""

    name: str
    label: str
    enablers: tuple[str, ...]  # names of cards
    payoffs: tuple[str, ...]


class DeckReport(Struct, frozen=True, kw_only=True):
    """All that is told of a deck."""

    release: str  # of the rules that the numbers are of
    deck: DeckList
    cards: tuple[DeckCard, ...]  # in the order of the list
    unknown: tuple[Unknown, ...]
    rules: tuple[Heading, ...]  # the most telling first
    keywords: tuple[Keyword, ...]  # the most usual first
    curve: Curve
    themes: tuple[Theme, ...] | None  # None: the graph has none of any card
    meetings: tuple[Meeting, ...]  # of two of its cards, the rarest first
    checks: tuple[Check, ...]
    formats: tuple[FormatLegality, ...] | None  # None: the source of the cards tells of none

    @property
    def title(self) -> str:
        return self.deck.title or "Deck"


def analyze(store: Store, deck: DeckList | str | bytes) -> DeckReport:
    """What a deck needs of the rules.

    Args:
        store: the graph.
        deck: a list, or its text as `read_deck` takes it.

    Raises:
        QueryError: the list has more than 5,000 different names.
        StoreError: a file of the build is damaged.
    """
    listed = deck if isinstance(deck, DeckList) else read_deck(deck)
    cards, unknown = cards_of(store, listed)
    played = [card for card in cards if any(card.count(section) for section in PLAYED)]
    slugs = [local(card.iri) for card in played if card.iri.startswith(PREFIXES["card"])]
    rules, keywords = needs(store, played)
    return DeckReport(
        release=store.info.release,
        deck=listed,
        cards=cards,
        unknown=unknown,
        rules=rules,
        keywords=keywords,
        curve=curve(cards),
        themes=themes(store, played),
        meetings=meetings(store, slugs, limit=_MEETINGS),
        checks=checks(store, listed, cards),
        formats=formats(store, cards),
    )


def curve(cards: Sequence[DeckCard]) -> Curve:
    """The curve of some cards."""
    values: Counter[float] = Counter()
    pips: Counter[str] = Counter()
    lands = unknown = 0
    for card in cards:
        copies = card.count(*_DECK)
        if not copies:
            continue
        for symbol in symbols(card.mana_cost or ""):
            pips.update({part: copies for part in symbol if part in _PIPS})
        if card.is_land:
            lands += copies
        elif card.mana_value is None:
            unknown += copies
        else:
            values[card.mana_value] += copies
    highest = min(int(max(values, default=0)), 15)
    for value in range(highest + 1 if values else 0):
        values.setdefault(float(value), 0)
    total = sum(values.values())
    return Curve(
        by_value=tuple(sorted(values.items())),
        average=round(sum(value * count for value, count in values.items()) / total, 2) if total else None,
        lands=lands,
        unknown=unknown,
        pips={name: pips[name] for name in _PIPS if pips[name]},
    )


def themes(store: Store, cards: Sequence[DeckCard]) -> tuple[Theme, ...] | None:
    """The themes that cards share, those with enablers and payoffs first; None if the graph has no themes."""
    if not store.info.quads.get("themes"):
        return None
    reader = Reader(store)
    found: dict[str, dict[str, set[str]]] = {}
    for card in cards:
        for name, role in _themes_of(store, reader, card.iri):
            found.setdefault(name, {"enabler": set(), "payoff": set()}).setdefault(role, set()).add(card.name)
    made = [
        Theme(
            name=name,
            label=_label(reader, name),
            enablers=tuple(sorted(roles["enabler"])),
            payoffs=tuple(sorted(roles["payoff"])),
        )
        for name, roles in found.items()
    ]
    return tuple(sorted(made, key=lambda theme: (-_pairs(theme), -len(theme.enablers), theme.name)))


def _pairs(theme: Theme) -> int:
    """How many enablers meet how many payoffs."""
    return len(theme.enablers) * len(theme.payoffs)


def _themes_of(store: Store, reader: Reader, card: str) -> Iterator[tuple[str, str]]:
    """Name and role of the themes that a card was inferred to have: `tag:theme.NAME.enabler`."""
    graph = layer("themes")
    for about in store.quads.quads_for_pattern(None, node("about"), NamedNode(card), graph):
        for concluded in store.quads.quads_for_pattern(about.subject, node("concludes"), None, graph):
            theme, _, role = local(cast(NamedNode, concluded.object).value).rpartition(".")
            yield theme.removeprefix("theme."), role


def _label(reader: Reader, name: str) -> str:
    """What a theme is called."""
    facts = reader.facts(f"{PREFIXES['tag']}theme.{name}")
    return facts.text("skos:prefLabel") or facts.text("rdfs:label") or name.replace("-", " ")
