"""What the page of a rule shows, as plain values for `web/rule.html`; chapters and sections are rules too.

Its words with the rules that they refer to as links, what stands under it as an outline to be read, what it
refers to and what refers to it, its history over the releases in the graph, and the cards that invoke it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cardlaw.graph.facts import Facts, Reader, local
from cardlaw.graph.rulequads import sort_key
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .cardlists import Wanted
from .cardtable import CardTable
from .lineage import Lineage, lineage
from .links import Links
from .mana import drawings
from .nodepage import Item
from .passages import Book, crossed

__all__ = ["RulePage", "Rules", "Told"]

_FULL = 150  # rules of a section of which all is told that stands under them
_ENOUGH = 40  # of what refers to a rule, before the rest is folded

_LEVELS = {"chapter": "Chapter", "section": "Section", "rule": "Rule", "subrule": "Subrule"}


class Told(NamedTuple):
    """A rule in an outline."""

    number: str
    href: str
    heading: str | None  # its own
    paragraphs: Sequence[Sequence[Item]]
    examples: Sequence[Sequence[Item]]
    cards: int  # that invoke it or a rule under it
    since: str | None  # the release that has these words first, where an older one has others
    below: Sequence[Told]

    @property
    def drawings(self) -> set[str]:
        """Those of the symbols in its words."""
        texts = (item.text for line in (*self.paragraphs, *self.examples) for item in line)
        return {*drawings(texts), *(drawing for each in self.below for drawing in each.drawings)}


class Rules:
    """Rules by number, as pages tell them."""

    def __init__(self, store: Store, links: Links) -> None:
        self._links = links
        self._reader = Reader(store)
        self._oldest = store.info.history[0] if store.info.history else None

    def facts(self, number: str) -> Facts:
        return self._reader.facts(PREFIXES["rule"] + number)

    def below(self, number: str) -> list[str]:
        """The rules right under one, in the order of the book."""
        found = self._reader.subjects("skos:broader", PREFIXES["rule"] + number)
        return sorted(map(local, found), key=sort_key)

    def heading(self, number: str) -> str | None:
        """Its own heading, or that of the nearest rule above that has one."""
        return self._reader.heading(PREFIXES["rule"] + number)

    def item(self, number: str) -> Item:
        """Number and heading, as a link."""
        return Item(f"{number} {self.heading(number) or ''}".rstrip(), self.href(number))

    def items(self, numbers: Iterable[str]) -> list[Item]:
        return [self.item(number) for number in sorted(set(numbers), key=sort_key)]

    def href(self, number: str) -> str:
        return self._links.node(PREFIXES["rule"] + number)

    def crossed(self, text: str, references: Iterable[str]) -> list[list[Item]]:
        """Paragraphs with the rules that they refer to as links."""
        known = frozenset(references)
        return [list(crossed(line, known, self._links)) for line in text.splitlines() if line.strip()]

    def told(self, number: str, depth: int = 0) -> Told:
        """A rule, with so many levels of what stands under it."""
        facts = self.facts(number)
        references = list(map(local, facts["refersTo"]))
        since = facts.text("wordingSince")
        return Told(
            number=number,
            href=self.href(number),
            heading=facts.text("skos:prefLabel"),
            paragraphs=self.crossed(facts.text("skos:definition") or "", references),
            examples=[line for text in sorted(facts["example"]) for line in self.crossed(text, references)],
            cards=int(facts.text("cardCountWithSubrules") or 0),
            since=since if since != self._oldest else None,
            below=[self.told(each, depth - 1) for each in self.below(number)] if depth else (),
        )


class RulePage:
    """The page of one rule.

    Args:
        store: the graph.
        number: of the rule.
        links: where links go.
        book: the rules of the graph.
        wanted: which of its cards are shown.
    """

    template = "rule.html"

    def __init__(
        self, store: Store, number: str, links: Links, book: Book, wanted: Wanted | None = None
    ) -> None:
        self.number = number
        self.iri = PREFIXES["rule"] + number
        self.rules = Rules(store, links)
        self._store = store
        self._links = links
        self._book = book
        self._reader = Reader(store)
        self._facts = self._reader.facts(self.iri)
        self._wanted = wanted or Wanted()

    @property
    def title(self) -> str:
        return f"{self.number} {self.told.heading or ''}".rstrip()

    @property
    def level(self) -> str:
        return self._facts.need("level")

    @property
    def kind(self) -> str:
        return _LEVELS[self.level]

    @property
    def drawings(self) -> Collection[str]:
        return {*self.cards.drawings, *self.told.drawings}

    @cached_property
    def told(self) -> Told:
        """The rule with what stands under it: all of it, or of long sections and chapters the headings."""
        match self.level:
            case "chapter":
                return self.rules.told(self.number, 1)
            case "section":
                return self.rules.told(self.number, 1 if self._count > _FULL else 2)
        return self.rules.told(self.number, 1)

    @property
    def _count(self) -> int:
        return len(self.rules.below(self.number))

    @property
    def is_index(self) -> bool:
        """Whether what stands under it is a list rather than a text: headings only, or no words are there."""
        return not any(each.paragraphs or _has_words(each.below) for each in self.told.below)

    @cached_property
    def up(self) -> list[Item]:
        """What it stands under, the chapter first."""
        found: list[Item] = []
        above = self._facts.text("skos:broader")
        while above:
            found.insert(0, self._whole(local(above)))
            above = self._reader.facts(above).text("skos:broader")
        return found

    def _whole(self, number: str) -> Item:
        """Number and own heading, as a link."""
        heading = self.rules.facts(number).text("skos:prefLabel")
        return Item(f"{number} {heading or ''}".rstrip(), self.rules.href(number))

    @cached_property
    def beside(self) -> tuple[Item | None, Item | None]:
        """The rules before and after it under the same one."""
        above = self._facts.text("skos:broader")
        same = self.rules.below(local(above)) if above else self._book.chapters
        at = same.index(self.number)
        before = self._whole(same[at - 1]) if at else None
        return before, self._whole(same[at + 1]) if at + 1 < len(same) else None

    @cached_property
    def heading_above(self) -> Item | None:
        """The heading that it stands under, where it has none of its own."""
        return None if self.told.heading else self.up[-1] if self.up else None

    @cached_property
    def facts(self) -> list[tuple[str, list[Item], list[Item]]]:
        """What it is tied to within the rulebook: name of the tie, what is shown, and what is folded."""
        pointing = self._pointing
        found = [
            ("Refers to", self.rules.items(map(local, self._facts["refersTo"]))),
            ("Referred to by", self.rules.items(pointing["rule"])),
            ("In the glossary", self._named("term", pointing["term"])),
            ("Defines", [*self._named("keyword", self._defined["keyword"]), *self._types]),
        ]
        return [(name, items[:_ENOUGH], items[_ENOUGH:]) for name, items in found if items]

    @cached_property
    def _pointing(self) -> Mapping[str, list[str]]:
        return _by_prefix(self._reader.subjects("refersTo", self.iri))

    @cached_property
    def _defined(self) -> Mapping[str, list[str]]:
        """What it or a rule right under it defines."""
        rules = (self.iri, *(PREFIXES["rule"] + each.number for each in self.told.below))
        if self.level in ("chapter", "section"):
            rules = (self.iri,)
        return _by_prefix(iri for rule in rules for iri in self._reader.subjects("definedBy", rule))

    @property
    def _types(self) -> list[Item]:
        return self._named("type", self._defined["type"])

    def _named(self, prefix: str, names: Iterable[str]) -> list[Item]:
        iris = [PREFIXES[prefix] + name for name in sorted(names)]
        return [Item(self._reader.label(iri), self._links.node(iri)) for iri in iris]

    @cached_property
    def history(self) -> Lineage | None:
        return lineage(self._store, self.number)

    def version(self, iri: str) -> str:
        """Where a version of the rule is."""
        return self._links.node(iri)

    @cached_property
    def cards(self) -> CardTable:
        """The cards that invoke it, or a rule under it if nothing else is asked for."""
        subrules = self._wanted.subrules is not False
        has_below = bool(self.told.below)
        return CardTable(
            self._book.lists,
            self._book.lists.of_rule(self.number, subrules=subrules and has_below),
            self._links,
            self.iri,
            self._wanted,
            subrules=subrules if has_below else None,
            counts=(
                int(self._facts.text("cardCount") or 0),
                int(self._facts.text("cardCountWithSubrules") or 0),
            ),
            command=f"cardlaw query cards-by-rule --set rule={self.number}",
        )


def _has_words(rules: Iterable[Told]) -> bool:
    return any(rule.paragraphs for rule in rules)


def _by_prefix(iris: Iterable[str]) -> Mapping[str, list[str]]:
    """Local names by prefix."""
    found: dict[str, list[str]] = {"rule": [], "term": [], "keyword": [], "type": []}
    for iri in iris:
        found.setdefault(iri.rpartition("/")[0].rpartition("/")[2], []).append(local(iri))
    return found
