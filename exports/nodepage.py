"""What the page of a node shows, as plain values for `web/node.html`: title, words, properties by layer.

Cards come with their faces, abilities and citations as `cardlaw.graph.read` gives them; rules with their
words and subrules; a citation with its words in the midst of those around them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from textwrap import shorten
from typing import NamedTuple
from urllib.parse import urlencode

from pyoxigraph import Literal, NamedNode

from cardlaw.graph import read
from cardlaw.graph.facts import Facts, Reader, local
from cardlaw.graph.lookup import natural, type_of
from cardlaw.graph.model import Ability, Card
from cardlaw.graph.network import NODE_TYPES
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES, compact

from . import vocabulary
from .dataset import layer_facts
from .describe import Description, Incoming
from .site import Site

__all__ = ["Item", "NodePage", "Row"]

_LONG = 90  # characters of a label that stands in a list
_NO_WORDS = "This graph was built with the outline of the rules, without their words."
_RULES = frozenset({"rule", "cr"})
_FIELDS = {"oracle_text": "oracleText", "type_line": "typeLine", "mana_cost": "manaCost"}


class Item(NamedTuple):
    """A value, or a node that something is said of."""

    text: str
    href: str | None = None


class Row(NamedTuple):
    """A property with what it has."""

    label: str
    href: str
    comment: str
    items: list[Item]
    total: int  # of all, also those that are not among the items
    more: str | None = None  # address of a query for all


class NodePage:
    """The page of one node."""

    def __init__(self, store: Store, description: Description) -> None:
        self.iri = description.iri
        self._store = store
        self._description = description
        self._reader = Reader(store)

    @property
    def name(self) -> str:
        return compact(self.iri)

    @cached_property
    def facts(self) -> Facts:
        return self._reader.facts(self.iri)

    @property
    def prefix(self) -> str:
        return self.iri.removeprefix(BASE).partition("/")[0]

    @property
    def can_be_drawn(self) -> bool:
        return type_of(self.name) in NODE_TYPES

    @cached_property
    def title(self) -> str:
        if self.prefix == "ability" and "rdf:type" in self.facts:
            return f"{self.kinds[0].text.capitalize()} of {self._owner}"
        if self.prefix in ("citation", "removal") and "quote" in self.facts:
            return shorten(f"“{self.facts.need('quote')}”", _LONG, placeholder=" …”")
        return shorten(self._words(self.iri), 120, placeholder=" …")

    @cached_property
    def kinds(self) -> list[Item]:
        """The classes of the node, as the vocabulary calls them."""
        return [self._term(iri) for iri in self.facts["rdf:type"]]

    @property
    def paragraphs(self) -> list[str]:
        """What a rule, term, ability or ruling says."""
        if self.prefix == "ability":
            return self.facts["rdfs:label"]
        senses = sorted(self.facts["skos:definition"], key=natural)
        return [*senses, *self.facts["rulingText"], *self.facts["rdfs:comment"]]

    @property
    def examples(self) -> list[str]:
        return sorted(self.facts["example"])

    @property
    def note(self) -> str | None:
        """What is missing, and why."""
        bare = self.prefix in ("rule", "term") and not self.facts["skos:definition"]
        return _NO_WORDS if bare and not self._store.info.has_text and "." in local(self.iri) else None

    @cached_property
    def card(self) -> Card | None:
        return next(read.cards(self._store, [self.iri])) if "hasFace" in self.facts else None

    @cached_property
    def up(self) -> list[Item]:
        """What the node is part of: the rules above a rule; card, face and ability of a citation."""
        if self.prefix in _RULES:
            above = self.facts.text("skos:broader")
            found: list[Item] = []
            while above:
                found.insert(0, self.item(above))
                above = self._reader.facts(above).text("skos:broader")
            return found
        found = []
        node = self.facts.text("ability") or self.facts.text("face") if self.prefix == "citation" else None
        if node is not None:
            found.append(self.item(node))
        node = node or self.iri
        for name in ("hasAbility", "hasFace"):
            for holder in self._reader.subjects(name, node)[:1]:
                node = holder
                found.insert(0, self.item(node))
        return found

    @cached_property
    def subrules(self) -> list[tuple[Item, str]]:
        """Number and words of each rule right under this one."""
        below = self._reader.subjects("skos:broader", self.iri) if self.prefix in _RULES else []
        return [self._rule(iri) for iri in sorted(below, key=natural)]

    def _rule(self, iri: str) -> tuple[Item, str]:
        """The number of a rule; its heading or, where it has none, its words."""
        facts = self._reader.facts(iri)
        words = facts.text("skos:prefLabel") or facts.text("skos:definition") or ""
        return Item(facts.text("skos:notation") or local(iri), Site.address(iri)), words

    @cached_property
    def context(self) -> tuple[str, str, str] | None:
        """The words before those that a citation quotes, these, and the words after them."""
        holder = self.facts.text("ability") or self.facts.text("face")
        if self.prefix != "citation" or holder is None:
            return None
        face = self.facts.text("face") or next(iter(self._reader.subjects("hasAbility", holder)), "")
        field = _FIELDS[self.facts.text("field") or "oracle_text"]
        text = self._reader.facts(face).text(field) or "" if face else ""
        start, end = int(self.facts.need("start")), int(self.facts.need("end"))
        return text[:start], text[start:end], text[end:]

    @property
    def relation(self) -> str:
        return (self.facts.text("relation") or "").replace("_", " ")

    @property
    def cited(self) -> Item | None:
        """The rule of a citation."""
        rule = self.facts.text("rule")
        return self.item(rule) if rule and self.prefix == "citation" else None

    def ability(self, ability: Ability) -> Item:
        card = local(self.iri)
        return Item(ability.id, Site.address(f"{PREFIXES['ability']}{card}.{ability.id}"))

    def rule(self, number: str) -> str:
        return Site.address(PREFIXES["rule"] + number)

    @property
    def layers(self) -> Iterator[tuple[Item, str, list[Row]]]:
        """Each layer with what it says of the node."""
        for name, said in groupby(self._description.statements, key=lambda s: s.layer):
            rows = []
            for predicate, statements in groupby(said, key=lambda s: s.predicate.value):
                values = [self._value(statement.value) for statement in statements]
                rows.append(self._row(predicate, values, len(values)))
            yield (*self._layer(name), rows)

    @property
    def pointing(self) -> Iterator[tuple[Item, str, list[Row]]]:
        """Each layer with what it says of others and this node."""
        for name, found in groupby(self._description.incoming, key=lambda i: i.layer):
            yield (*self._layer(name), [self._incoming(each) for each in found])

    def _incoming(self, incoming: Incoming) -> Row:
        query = urlencode({"query": self._description.select(incoming)})
        more = f"/query?{query}" if incoming.is_cut else None
        items = [self.item(subject.value) for subject in incoming.subjects]
        return self._row(incoming.predicate.value, items, incoming.total, more)

    def _layer(self, name: str) -> tuple[Item, str]:
        return Item(name, Site.address(PREFIXES["layer"] + name)), layer_facts(self._store, name).get(
            "comment", ""
        )

    def _row(self, predicate: str, items: list[Item], total: int, more: str | None = None) -> Row:
        label, href = self._term(predicate)
        term = vocabulary.terms().get(predicate.removeprefix(MTG))
        return Row(label, href or predicate, term.comment if term else compact(predicate), items, total, more)

    @staticmethod
    def _term(iri: str) -> Item:
        term = vocabulary.terms().get(iri.removeprefix(MTG))
        return Item(
            term.label if term else vocabulary.words(compact(iri).partition(":")[2]), Site.address(iri)
        )

    def _value(self, value: NamedNode | Literal) -> Item:
        return Item(value.value) if isinstance(value, Literal) else self.item(value.value)

    def item(self, iri: str) -> Item:
        """A node as a link."""
        if iri.startswith(MTG):
            return self._term(iri)
        return Item(shorten(self._words(iri), _LONG, placeholder=" …"), Site.address(iri))

    def _words(self, iri: str) -> str:
        prefix, _, name = iri.removeprefix(BASE).partition("/")
        if prefix == "rule":
            return f"{name} {self._reader.heading(iri) or ''}".rstrip()
        label = self._description.labels.get(iri)
        words = label.value if label else self._reader.facts(iri).text("rdfs:label")
        if prefix in ("citation", "removal") and words:
            number, _, relation = name.rpartition(".c")[2].partition("-")
            return f"“{shorten(words, 50, placeholder=' …')}” {number}, {relation.replace('-', ' ')}"
        return words or compact(iri)

    @property
    def _owner(self) -> str:
        return self.up[0].text if self.up else local(self.iri)
