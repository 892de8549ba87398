"""What the pages of a keyword, glossary term, word of type lines and tag show, as plain values for templates.

A keyword stands with the rule that defines it and the reminder text (CR 207.2a) that most cards print with
it; both keywords and types have the list of their cards. What the same word is elsewhere (keyword, term,
type) is linked from each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from cardlaw.graph import read
from cardlaw.graph.facts import Reader, local
from cardlaw.graph.naming import slug
from cardlaw.graph.reminding import printed_reminders
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import MTG, PREFIXES, compact

from .cardlists import Ties, Wanted
from .cardtable import CardTable
from .links import Links
from .mana import drawings
from .nodepage import Item
from .passages import Book
from .rulepage import Rules, Told

__all__ = ["KeywordPage", "TagPage", "TermPage", "TypePage"]

_WORDINGS = 2  # of reminder text that are shown
_RARE = 3  # times that a wording has to stand there
_KINDS = {
    "CardType": "Card type",
    "Supertype": "Supertype",
    "Subtype": "Subtype",
    "Type": "Word of type lines",
}


class _Page:
    """What these pages have in common."""

    template: str

    def __init__(
        self, store: Store, iri: str, links: Links, book: Book, wanted: Wanted | None = None
    ) -> None:
        self.iri = iri
        self.rules = Rules(store, links)
        self._store = store
        self._links = links
        self._book = book
        self._wanted = wanted or Wanted()
        self._reader = Reader(store)
        self._facts = self._reader.facts(iri)

    @property
    def title(self) -> str:
        return self._facts.need("rdfs:label")

    @property
    def facts(self) -> list[tuple[str, list[Item]]]:
        """Names of ties with what they lead to."""
        raise NotImplementedError

    @cached_property
    def namesakes(self) -> list[Item]:
        """What has the same name and is something else."""
        names = [self._facts.need("rdfs:label"), *self._facts["skos:altLabel"]]
        found = []
        for prefix, words in (("keyword", "keyword"), ("term", "glossary term"), ("type", "type")):
            for iri in dict.fromkeys(PREFIXES[prefix] + slug(name) for name in names):
                if iri != self.iri and self._reader.facts(iri):
                    found.append(Item(f"{self._reader.label(iri)} ({words})", self._links.node(iri)))
        return found

    def _named(self, iris: Iterable[str]) -> list[Item]:
        found = [Item(self._reader.label(iri), self._links.node(iri)) for iri in iris]
        return sorted(found, key=lambda item: item.text.casefold())


class KeywordPage(_Page):
    """The page of a keyword ability or action."""

    template = "keyword.html"

    @property
    def is_action(self) -> bool:
        return MTG + "KeywordAction" in self._facts["rdf:type"]

    @property
    def kind(self) -> str:
        return "Keyword action" if self.is_action else "Keyword ability"

    @property
    def rule(self) -> str:
        return local(self._facts.need("definedBy"))

    @cached_property
    def told(self) -> Told:
        """The rule that defines it, with what stands under it."""
        return self.rules.told(self.rule, 1)

    @property
    def facts(self) -> list[tuple[str, list[Item]]]:
        return [
            ("Rule", [self.rules.item(self.rule)]),
            ("Nature", [Item(nature) for nature in sorted(self._facts["nature"])]),
            ("Variant of", self._named(self._facts["skos:broader"])),
            ("Variants", self._named(self._reader.subjects("skos:broader", self.iri))),
            ("Also", self.namesakes),
        ]

    @cached_property
    def reminders(self) -> list[tuple[str, int, int]]:
        """The usual reminder texts: words, on how many of how many abilities that were read."""
        if self.is_action:
            return []
        found = printed_reminders(self._store, self.iri)
        read = sum(found.values())
        return [(words, count, read) for words, count in found.most_common(_WORDINGS) if count >= _RARE]

    @property
    def drawings(self) -> Collection[str]:
        printed = drawings(words for words, _, _ in self.reminders)
        return {*self.cards.drawings, *self.told.drawings, *printed}

    @cached_property
    def cards(self) -> CardTable:
        lists = self._book.lists
        return CardTable(
            lists,
            lists.of_keyword(self.iri, self.rule, action=self.is_action),
            self._links,
            self.iri,
            self._wanted,
            command=f"cardlaw show --format json {compact(self.iri)}",
        )


class TermPage(_Page):
    """The page of a glossary entry."""

    template = "term.html"
    kind = "Glossary term"

    @cached_property
    def record(self) -> read.TermRecord:
        return read.term(self._store, self.iri)

    @property
    def title(self) -> str:
        return ", ".join(self.record.names)

    @property
    def drawings(self) -> Collection[str]:
        return drawings(self.record.senses)

    @property
    def senses(self) -> list[list[list[Item]]]:
        """The paragraphs of each."""
        return [self.rules.crossed(sense, self.record.references) for sense in self.record.senses]

    @property
    def facts(self) -> list[tuple[str, list[Item]]]:
        return [
            ("Refers to", self.rules.items(self.record.references)),
            ("See", self._named(self._facts["rdfs:seeAlso"])),
            ("Seen from", self._named(self._reader.subjects("rdfs:seeAlso", self.iri))),
            ("Also", self.namesakes),
        ]

    @cached_property
    def counts(self) -> Sequence[tuple[Item, int]]:
        """The rules that it refers to, each with how many cards invoke it or a rule under it."""
        found = [(number, self.rules.facts(number)) for number in self.record.references]
        return [
            (self.rules.item(number), int(facts.text("cardCountWithSubrules") or 0))
            for number, facts in found
        ]


class _ListPage(_Page):
    """The page of something that has one list of cards."""

    def _found(self) -> Ties:
        raise NotImplementedError

    @property
    def drawings(self) -> Collection[str]:
        return self.cards.drawings

    @cached_property
    def cards(self) -> CardTable:
        return CardTable(self._book.lists, self._found(), self._links, self.iri, self._wanted, command=None)


class TypePage(_ListPage):
    """The page of a type, supertype or subtype."""

    template = "type.html"

    @property
    def kind(self) -> str:
        classes = [iri.removeprefix(MTG) for iri in self._facts["rdf:type"]]
        return next(_KINDS[name] for name in _KINDS if name in classes)

    @property
    def facts(self) -> list[tuple[str, list[Item]]]:
        return [
            ("Rule", self.rules.items(map(local, self._facts["definedBy"]))),
            ("Subtype of", self._named(self._facts["subtypeOf"])),
            ("Also", self.namesakes),
        ]

    @cached_property
    def subtypes(self) -> list[Item]:
        return self._named(self._reader.subjects("subtypeOf", self.iri))

    def _found(self) -> Ties:
        return self._book.lists.of_type(self.iri)


class TagPage(_ListPage):
    """The page of a tag, a theme or a facet of them."""

    template = "tag.html"

    @property
    def is_theme(self) -> bool:
        return local(self.iri).partition(".")[0] == "theme"

    @property
    def kind(self) -> str:
        if MTG + "Facet" in self._facts["rdf:type"]:
            return "Facet of tags"
        return "Theme, inferred from tags, keywords and types" if self.is_theme else "Tag"

    @property
    def about(self) -> list[str]:
        """What it means, and what is to be known about that."""
        return [*self._facts["skos:definition"], *self._facts["skos:scopeNote"]]

    @property
    def facts(self) -> list[tuple[str, list[Item]]]:
        below = (
            *self._reader.subjects("skos:broader", self.iri),
            *self._reader.subjects("skos:topConceptOf", self.iri),
        )
        return [
            ("Facet", self._named(self._facts["skos:inScheme"])),
            ("Under", self._named(self._facts["skos:broader"])),
            ("Holds", self._named(below)),
        ]

    def _found(self) -> Ties:
        return self._book.lists.of_tag(self.iri)
