"""What the page of a deck shows, as plain values for `web/deck.html`; and the page with the form for one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from cardlaw.graph.decks import DeckReport
from cardlaw.graph.decks.cards import PLAYED, DeckCard
from cardlaw.graph.decks.needs import COLUMNS, Heading, Keyword
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .decktext import SECTIONS, Met, bundled, summary
from .links import Links
from .mana import drawings
from .nodepage import Item
from .pages import render

__all__ = ["STYLES", "DeckPage", "deck_html"]

STYLES = ("pages.css", "cards.css", "deck.css")

_HEADINGS = 60
_NAMES = 40
_FIRST = 24
_MEETINGS = 60
_COLUMN, _HIGHEST = 44, 130
"""Of the mana curve, in the units of its drawing."""
_SYMBOLS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless", "S": "snow"}


class Bar(NamedTuple):
    """A column of the mana curve."""

    value: str
    copies: int
    x: int
    height: float


class DeckPage:
    """The page of one deck.

    Args:
        report: what is told.
        links: where links go.
    """

    columns = COLUMNS
    sections = SECTIONS
    most_names = _NAMES

    def __init__(self, report: DeckReport, links: Links) -> None:
        self.report = report
        self._links = links

    @property
    def title(self) -> str:
        return self.report.title

    @property
    def summary(self) -> str:
        return summary(self.report)

    @property
    def headings(self) -> Sequence[Heading]:
        """Those that the page has: the first are open to the eye, the others are unfolded."""
        return self.report.rules[:_HEADINGS]

    @property
    def first(self) -> int:
        """How many headings stand there unfolded."""
        return _FIRST

    @property
    def more_headings(self) -> int:
        return max(len(self.report.rules) - _HEADINGS, 0)

    @property
    def meetings(self) -> Sequence[Met]:
        return bundled(self.report.meetings)[:_MEETINGS]

    @cached_property
    def keywords(self) -> list[tuple[str, list[Keyword], list[str], bool]]:
        """Keyword abilities, then actions, each with the columns that are not empty; whether any is told."""
        made = []
        for is_action, name in ((False, "Keyword abilities"), (True, "Keyword actions")):
            found = [keyword for keyword in self.report.keywords if keyword.is_action is is_action]
            columns = [each for each in COLUMNS if any(keyword.by_color.get(each) for keyword in found)]
            if found:
                told = any(keyword.text or keyword.reminder for keyword in found)
                made.append((name, found, columns, told))
        return made

    @cached_property
    def bars(self) -> list[Bar]:
        values = self.report.curve.by_value
        most = max((count for _, count in values), default=0) or 1
        return [
            Bar(f"{value:g}", count, at * _COLUMN, round(_HIGHEST * count / most, 1))
            for at, (value, count) in enumerate(values)
        ]

    @property
    def pips(self) -> list[tuple[str, str, int]]:
        """Symbol with its braces, its name, how often it stands in costs."""
        return [(f"{{{name}}}", _SYMBOLS[name], count) for name, count in self.report.curve.pips.items()]

    @cached_property
    def listed(self) -> list[tuple[str, int, list[tuple[int, DeckCard]]]]:
        """The list: name of a section, how many cards, and the cards by name, lands last."""
        made = []
        for section, name in SECTIONS.items():
            cards = [(card.copies[section], card) for card in self.report.cards if section in card.copies]  # type: ignore[index]
            cards.sort(key=lambda entry: (entry[1].is_land, entry[1].mana_value or 0, entry[1].name))
            if cards:
                made.append((name, sum(count for count, _ in cards), cards))
        return made

    @property
    def legal(self) -> list[str]:
        return [each.name for each in self.report.formats or () if each.legal]

    @property
    def is_guessed(self) -> bool:
        """Whether colors of cards follow from their costs only."""
        played = (card for card in self.report.cards if any(card.count(section) for section in PLAYED))
        return any(card.colors_from == "mana cost" and not card.is_land for card in played)

    def cards(self, names: Iterable[str]) -> list[Item]:
        """Cards of the deck by their names, with their pages."""
        return [Item(name, self._links.node(self._iris[name])) for name in names]

    def rule(self, number: str) -> str:
        """The page of a rule."""
        return self._links.node(PREFIXES["rule"] + number)

    def node(self, iri: str) -> str:
        return self._links.node(iri)

    def card(self, slug: str) -> str:
        return self._links.node(PREFIXES["card"] + slug)

    @cached_property
    def _iris(self) -> dict[str, str]:
        return {card.name: card.iri for card in self.report.cards}

    @cached_property
    def drawings(self) -> Collection[str]:
        """The drawings of symbols that the page shows."""
        texts = [card.mana_cost or "" for card in self.report.cards]
        texts += [keyword.reminder or "" for keyword in self.report.keywords]
        texts += [user.quote for heading in self.headings for rule in heading.rules for user in rule.cards]
        texts += [side.quote for each in self.report.meetings for side in (each.first, each.second)]
        return drawings([*texts, *(symbol for symbol, _, _ in self.pips)])


def deck_html(store: Store, report: DeckReport, links: Links, listed: str | None = None) -> str:
    """The page of a deck.

    Args:
        store: the graph whose release its foot tells.
        report: what is told.
        links: where links go.
        listed: the list as it was given, where it can be changed and sent again.
    """
    page = DeckPage(report, links)
    return render(
        store.info,
        links,
        "deck.html",
        title=report.title,
        page=page,
        listed=listed,
        error="",
        drawings=page.drawings,
        styles=STYLES,
    )
