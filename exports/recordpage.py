"""Records of the graph as HTML: one page with an article for each, wherever its links go.

A record of `cardlaw.graph.read` comes in; what is shown has a template, which is filled with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from cardlaw.graph.model import Card
from cardlaw.graph.naming import slug
from cardlaw.graph.read import KeywordRecord, RuleRecord, TermRecord
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .cardpage import CardPage
from .jsonform import Record
from .links import Links
from .nodepage import Item
from .pages import render
from .passages import Book, crossed

__all__ = ["STYLES", "RecordPage", "Shown", "records_html"]

STYLES = ("pages.css", "cards.css")
_NAMES = 200  # of cards that are named


class Shown(Protocol):
    """What an article of a page is made of."""

    template: str  # of `web/`; it finds what is shown as `item`

    @property
    def title(self) -> str: ...

    @property
    def iri(self) -> str: ...

    @property
    def drawings(self) -> Collection[str]:
        """Those of the symbols that it shows, as `mana.Pip` names them."""
        ...


def records_html(store: Store, records: Sequence[Record], links: Links, book: Book | None = None) -> str:
    """A page of some records.

    Args:
        store: the graph that they are of.
        records: one at least.
        links: where links go.
        book: the rules of the graph, where many pages share it.
    """
    book = book or Book(store)
    many = len(records) > 1
    items: list[Shown] = []
    for number, record in enumerate(records, 1):
        if isinstance(record, Card):
            items.append(CardPage(store, record, links, book, f"n{number}-" if many else ""))
        else:
            items.append(RecordPage(record, links))
    return render(
        store.info,
        links,
        "records.html",
        title=", ".join(item.title for item in items),
        items=items,
        drawings=sorted({drawing for item in items for drawing in item.drawings}),
        styles=STYLES,
    )


class RecordPage:
    """A rule, a keyword or a glossary term."""

    template = "record.html"
    drawings = ()

    def __init__(self, record: RuleRecord | KeywordRecord | TermRecord, links: Links) -> None:
        self.record = record
        self.iri = record.iri
        self._links = links
        self.examples: Sequence[str] = ()
        self.below: Sequence[tuple[Item, str | None]] = ()
        match record:
            case RuleRecord():
                self.title = f"{record.number} {record.heading or ''}".rstrip()
                self.kind = "Rule"
                self.paragraphs = self._crossed([record.text or ""], record.references)
                self.examples = record.examples
                numbers = self._rules(record.children)
                self.below = list(zip(numbers, record.words, strict=True))
                self.facts = [
                    ("Stands under", self._rules([record.parent] if record.parent else [])),
                    ("Refers to", self._rules(record.references)),
                    ("Referred to by", self._rules(record.referenced_by)),
                    ("Defines", self._named("keyword", record.keywords)),
                    (f"Invoked by {_count(record.card_count)}", _some(record.cards)),
                ]
            case KeywordRecord():
                self.title = record.name
                self.kind = "Keyword action" if record.action else "Keyword ability"
                self.paragraphs = []
                self.facts = [
                    ("Defined by", self._rules([record.rule])),
                    ("Nature", list(map(Item, record.nature))),
                    ("Variants", self._named("keyword", record.variants)),
                    *(
                        (f"{way.replace('_', ' ')}: {_count(len(cards))}", _some(cards))
                        for way, cards in record.cards.items()
                    ),
                ]
            case TermRecord():
                self.title = ", ".join(record.names)
                self.kind = "Glossary term"
                self.paragraphs = self._crossed(record.senses, record.references)
                self.facts = [
                    ("Refers to", self._rules(record.references)),
                    ("See also", self._named("term", record.see)),
                ]

    def _crossed(self, texts: Iterable[str], references: Sequence[str]) -> list[list[Item]]:
        lines = [line for text in texts for line in text.splitlines()]
        return [list(crossed(line, references, self._links)) for line in lines]

    def _rules(self, numbers: Iterable[str]) -> list[Item]:
        return [Item(number, self._links.node(PREFIXES["rule"] + number)) for number in numbers]

    def _named(self, prefix: str, names: Iterable[str]) -> list[Item]:
        return [Item(name, self._links.node(PREFIXES[prefix] + slug(name))) for name in names]


def _count(number: int) -> str:
    return f"{number:,} card{'' if number == 1 else 's'}"


def _some(names: Sequence[str]) -> list[Item]:
    more = len(names) - _NAMES
    return [*map(Item, names[:_NAMES]), *([Item(f"and {more:,} more")] if more > 0 else [])]
