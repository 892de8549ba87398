"""Indexes: the rulebook by chapters, its keywords and its glossary by letters, as pages and as JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from cardlaw.graph.reference import RuleRow
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .jsonform import Json
from .links import Links
from .nodepage import Item
from .pages import render
from .passages import Book

__all__ = ["INDEXES", "index_html", "index_json"]

INDEXES: Mapping[str, str] = {
    "rules": "The rules, by chapter",
    "keywords": "The keywords",
    "terms": "The glossary",
}
"""Places of the site → their titles."""

_Named = TypeVar("_Named")
_STYLES = ("pages.css", "cards.css", "rules.css")


class Headed(NamedTuple):
    """A rule with a heading, and those under it that have one too."""

    number: str
    heading: str
    href: str
    cards: int  # that invoke it or a rule under it
    below: Sequence[Headed]


class KeywordLine(NamedTuple):
    """A keyword in the index."""

    name: str
    href: str
    kind: str
    rule: Item
    nature: str
    cards: int


def index_html(store: Store, name: str, links: Links, book: Book) -> str:
    """The page of one of `INDEXES`."""
    values: dict[str, object]
    match name:
        case "rules":
            values = {"chapters": _headed(book.rules, links)}
        case "keywords":
            values = {"letters": _by_letter((line.name, line) for line in _keywords(book, links))}
        case _:
            terms = ((term, Item(term, links.node(iri))) for term, iri in book.terms)
            values = {"letters": _by_letter(terms)}
    return render(
        store.info, links, f"{name}.html", title=INDEXES[name], drawings=(), styles=_STYLES, **values
    )


def index_json(store: Store, name: str, book: Book) -> Json:
    """The same as JSON, rules with all that have a heading."""
    found: list[Json]
    match name:
        case "rules":
            found = [
                {
                    "rule": rule.number,
                    "iri": rule.iri,
                    "level": rule.level,
                    "title": rule.title,
                    "parent": rule.parent,
                    "card_count": rule.card_count,
                    "card_count_with_subrules": rule.card_count_with_subrules,
                }
                for rule in book.rules
                if rule.title is not None
            ]
        case "keywords":
            found = [
                {
                    "keyword": row.name,
                    "iri": row.iri,
                    "action": row.action,
                    "rule": row.rule,
                    "nature": list(row.nature),
                    "variant_of": row.variant_of,
                    "card_count": row.card_count,
                }
                for rows in book.keywords.values()
                for row in rows
            ]
        case _:
            found = [{"term": term, "iri": iri} for term, iri in book.terms]
    return {name: found, "rulebook": store.info.release}


def _headed(rules: Iterable[RuleRow], links: Links) -> Sequence[Headed]:
    """Chapters with their sections with their rules, as far as they have headings."""
    below: dict[str | None, list[Headed]] = {}
    for rule in reversed(list(rules)):  # what stands under a rule comes after it
        if rule.title is not None:
            under = below.pop(rule.number, [])[::-1]
            headed = Headed(
                rule.number, rule.title, links.node(rule.iri), rule.card_count_with_subrules, under
            )
            below.setdefault(rule.parent, []).append(headed)
    return below.get(None, [])[::-1]


def _keywords(book: Book, links: Links) -> list[KeywordLine]:
    found = [
        KeywordLine(
            name=row.name,
            href=links.node(row.iri),
            kind=f"{'variant' if row.variant_of else 'keyword'} {'action' if row.action else 'ability'}",
            rule=Item(row.rule, links.node(PREFIXES["rule"] + row.rule)),
            nature=", ".join(row.nature),
            cards=row.card_count,
        )
        for rows in book.keywords.values()
        for row in rows
    ]
    return sorted(found, key=lambda line: (line.name.casefold(), line.href))


def _by_letter(named: Iterable[tuple[str, _Named]]) -> list[tuple[str, list[_Named]]]:
    """By the first letter of the name without its accent; "#" where it begins with none."""
    found: dict[str, list[_Named]] = {}
    for name, what in named:
        first = unicodedata.normalize("NFD", name.lstrip("“”\"'([ ")[:1]).upper()[:1]
        found.setdefault(first if first.isalpha() else "#", []).append(what)
    return sorted(found.items())
