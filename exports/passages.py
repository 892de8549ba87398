"""Rules as a page quotes them: number, heading, words with the rules that they refer to as links.

A rule that is a heading only ("702.29 Cycling") is quoted by the first rule under it that has words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from cardlaw.graph.facts import Facts, Reader, local
from cardlaw.graph.rulequads import sort_key
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .links import Links
from .nodepage import Item

__all__ = ["Passage", "Passages", "crossed"]

_NUMBER = re.compile(r"(?<![\w.$])(?:\d{3}(?:\.\d{1,3}[a-z]{0,2})?|(?<=section )\d)(?![\w]|\.\d)")


class Passage(NamedTuple):
    """A rule, to be quoted."""

    number: str
    href: str
    heading: str | None  # its own, or that of the nearest rule above that has one
    quoted: str  # the number of the rule whose words they are
    paragraphs: list[list[Item]]  # empty in a graph without the words
    below: int  # how many rules stand right under it


class Passages:
    """Quotes rules, each once from the store."""

    def __init__(self, store: Store, links: Links) -> None:
        self._links = links
        self._reader = Reader(store)
        self._found: dict[str, Passage] = {}

    def of(self, number: str) -> Passage:
        """The passage of the rule of a number."""
        if number not in self._found:
            self._found[number] = self._passage(number)
        return self._found[number]

    def _passage(self, number: str) -> Passage:
        iri = PREFIXES["rule"] + number
        facts = self._reader.facts(iri)
        below = sorted(self._reader.subjects("skos:broader", iri), key=lambda each: sort_key(local(each)))
        quoted, words = next(_worded(iri, facts, below, self._reader), (iri, Facts()))
        references = {local(each) for each in words["refersTo"]}
        return Passage(
            number=number,
            href=self._links.node(iri),
            heading=self._reader.heading(iri),
            quoted=local(quoted),
            paragraphs=[
                list(crossed(line, references, self._links))
                for line in (words.text("skos:definition") or "").splitlines()
            ],
            below=len(below),
        )


def _worded(iri: str, facts: Facts, below: list[str], reader: Reader) -> Iterator[tuple[str, Facts]]:
    if "skos:definition" in facts:
        yield iri, facts
    for each in below:
        under = reader.facts(each)
        if "skos:definition" in under:
            yield each, under


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
