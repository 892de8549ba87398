"""Records of the graph as HTML: one page with an article for each, wherever its links go.

A record of `cardlaw.graph.read` comes in; what is shown has a template, which is filled with it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from cardlaw.graph.model import Card
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import BASE, PREFIXES

from .cardlists import Wanted
from .cardpage import CardPage
from .jsonform import Record
from .keywordpage import KeywordPage, TagPage, TermPage, TypePage
from .links import Links
from .listspage import ADDING
from .pages import render
from .passages import Book
from .rulepage import RulePage

__all__ = ["STYLES", "Shown", "page_of", "records_html", "shown_html"]

STYLES = ("pages.css", "cards.css")
_RULES = "rules.css"  # of what is no card
_ADD = "listadd.css"


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
            items += filter(None, [page_of(store, record.iri, links, book)])
    return shown_html(store, items, links)


def page_of(store: Store, iri: str, links: Links, book: Book, wanted: Wanted | None = None) -> Shown | None:
    """The page of a rule, keyword, glossary term, type or tag; None of other nodes.

    Args:
        store: the graph.
        iri: of a node that is there.
        links: where links go.
        book: the rules of the graph.
        wanted: which of its cards are shown.
    """
    match iri.removeprefix(BASE).partition("/")[0]:
        case "rule":
            return RulePage(store, iri.removeprefix(PREFIXES["rule"]), links, book, wanted)
        case "keyword":
            return KeywordPage(store, iri, links, book, wanted)
        case "term":
            return TermPage(store, iri, links, book)
        case "type":
            return TypePage(store, iri, links, book, wanted)
        case "tag":
            return TagPage(store, iri, links, book, wanted)
    return None


def shown_html(store: Store, items: Sequence[Shown], links: Links) -> str:
    """A page with an article for each of some things; cards come with a script that puts them into lists."""
    cards = any(isinstance(item, CardPage) and item.listed for item in items)
    adding = links.asset(ADDING) if cards else None
    return render(
        store.info,
        links,
        "records.html",
        title=", ".join(item.title for item in items),
        items=items,
        drawings=sorted({drawing for item in items for drawing in item.drawings}),
        styles=(
            *STYLES,
            *((_RULES,) if any(not isinstance(item, CardPage) for item in items) else ()),
            *((_ADD,) if adding else ()),
        ),
        adding=adding,
    )
