"""Rules as a page quotes them: number, heading, words with the rules that they refer to as links.

A rule that is a heading only ("702.29 Cycling") is quoted by the first rule under it that has words. What the
pages of many cards need of the rulebook is read once, into a `Book`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import NamedTuple, cast

from pyoxigraph import Literal, NamedNode

from cardlaw.graph import read, reference
from cardlaw.graph.facts import Reader, local, node
from cardlaw.graph.rulequads import sort_key
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .cardlists import CardLists
from .links import Links
from .nodepage import Item

__all__ = ["Book", "Passage", "crossed", "passage"]

_NUMBER = re.compile(r"(?<![\w.$])(?:\d{3}(?:\.\d{1,3}[a-z]{0,2})?|(?<=section )\d)(?![\w]|\.\d)")


class Words(NamedTuple):
    """What a rule says, or the first rule under it that says anything."""

    heading: str | None
    quoted: str  # the number of the rule whose words they are
    text: str  # empty in a graph without the words
    references: frozenset[str]  # numbers in the text
    below: int  # how many rules stand right under it


class Passage(NamedTuple):
    """A rule, to be quoted."""

    number: str
    href: str
    heading: str | None  # its own, or that of the nearest rule above that has one
    quoted: str  # the number of the rule whose words they are
    paragraphs: list[list[Item]]  # empty in a graph without the words
    below: int  # how many rules stand right under it


class Book:
    """What pages need of the rules of a graph, remembered; it may be asked from several threads.

    Attributes:
        cards: local names of the cards that have pages; None: all.
    """

    def __init__(self, store: Store) -> None:
        self.cards: frozenset[str] | None = None
        self._store = store
        self._reader = Reader(store)
        self._found: dict[str, Words] = {}

    @cached_property
    def notes(self) -> dict[str, str]:
        """By id of a catalogue entry, why it cites what it cites."""
        return read.notes(self._store)

    @cached_property
    def lists(self) -> CardLists:
        """The cards of rules, keywords and types."""
        return CardLists(self._store)

    @cached_property
    def rules(self) -> list[reference.RuleRow]:
        """All rules in the order of the book."""
        return reference.rules(self._store)

    @property
    def chapters(self) -> list[str]:
        """Their numbers."""
        found = self._store.quads.quads_for_pattern(None, node("level"), Literal("chapter"), None)
        return sorted(local(cast(NamedNode, quad.subject).value) for quad in found)

    @cached_property
    def terms(self) -> list[tuple[str, str]]:
        """Each name of the glossary with the IRI of its entry, in alphabetical order."""
        found = self._store.quads.quads_for_pattern(None, node("rdf:type"), node("Term"), None)
        names: list[tuple[str, str]] = []
        for quad in found:
            iri = cast(NamedNode, quad.subject).value
            facts = self._reader.facts(iri)
            names += [(name, iri) for name in (facts.need("rdfs:label"), *facts["skos:altLabel"])]
        return sorted(names, key=lambda named: (named[0].casefold(), named[1]))

    @cached_property
    def keywords(self) -> dict[str, list[reference.KeywordRow]]:
        """By number of a rule, the keywords that it defines, variants last."""
        found: dict[str, list[reference.KeywordRow]] = {}
        for row in sorted(reference.keywords(self._store), key=lambda row: row.variant_of is not None):
            found.setdefault(row.rule, []).append(row)
        return found

    def words(self, number: str) -> Words:
        """What the rule of a number says."""
        if number not in self._found:
            self._found[number] = self._words(number)
        return self._found[number]

    def _words(self, number: str) -> Words:
        iri = PREFIXES["rule"] + number
        below = sorted(self._reader.subjects("skos:broader", iri), key=lambda each: sort_key(local(each)))
        heading = self._reader.heading(iri)
        for each in (iri, *below):
            facts = self._reader.facts(each)
            if text := facts.text("skos:definition"):
                references = frozenset(map(local, facts["refersTo"]))
                return Words(heading, local(each), text, references, len(below))
        return Words(heading, number, "", frozenset(), len(below))


def passage(book: Book, number: str, links: Links) -> Passage:
    """The rule of a number, its links going where `links` says."""
    words = book.words(number)
    paragraphs = [list(crossed(line, words.references, links)) for line in words.text.splitlines()]
    href = links.node(PREFIXES["rule"] + number)
    return Passage(number, href, words.heading, words.quoted, paragraphs, words.below)


def crossed(text: str, references: Collection[str], links: Links) -> Iterator[Item]:
    """The words of a rule or glossary entry, the numbers of rules in them as links.

    Args:
        text: the words.
        references: the numbers that the text cites; other numbers are none of rules.
        links: where a link to a rule goes.
    """
    at = 0
    for number in _NUMBER.finditer(text):
        if number[0] in references:
            if number.start() > at:
                yield Item(text[at : number.start()])
            yield Item(number[0], links.node(PREFIXES["rule"] + number[0]))
            at = number.end()
    if at < len(text):
        yield Item(text[at:])
