"""What a name may go on as while it is typed: prefixes, classes, properties, keywords, rules, card names.
Or, all over what can be drawn, what is meant by it, with a slip of the fingers too.

The names of a kind are read once for each build, into a sorted list of all their beginnings, that of
the whole name and those of its words. A look-up bisects it: 0.1 ms among 34,562 cards, with no query.
"""

from __future__ import annotations

import threading
import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cached_property
from heapq import nlargest
from itertools import islice
from typing import cast
from weakref import WeakKeyDictionary

from msgspec import Struct
from pyoxigraph import Literal, NamedNode, Quad

from cardlaw.ontology.namespaces import MTG, PREFIXES, compact, expand

from .layers import picked, value
from .naming import FACE_SEPARATOR, REBALANCED, slug
from .store import Store, layer

__all__ = ["KINDS", "Completions", "Suggestion", "completions"]

_DRAWN = ("keywords", "types", "rules", "terms", "cards")
"""Kinds of what a view can show; of names that fit equally well, those of the first kinds go first."""
_ALIKE = 0.6
_LONGEST = 100  # what is typed is compared with names up to here
_LOOKED_AT = 2000  # beginnings of names; so many share one or two letters that all cannot be ranked
_TYPE, _LABEL, _COMMENT, _HEADING, _BROADER, _SORT_KEY = (
    NamedNode(expand(name))
    for name in ("rdf:type", "rdfs:label", "rdfs:comment", "skos:prefLabel", "skos:broader", "mtg:sortKey")
)
_STANDARD = {  # terms of W3C vocabularies that the graph uses in its data
    "rdf:type": "the class of a thing; in SPARQL also written a",
    "rdfs:label": "the name of a card, face, keyword or term, the text of an ability",
    "rdfs:comment": "the text of a rule or of a glossary entry, where the graph has the words",
    "skos:prefLabel": "the name of a keyword or term, the heading of a rule",
    "skos:altLabel": "another name of the same",
    "skos:notation": "the number of a rule",
    "skos:broader": "the rule or keyword above",
}


class Suggestion(Struct, frozen=True):
    """One way to go on."""

    name: str  # as SPARQL writes it, "card:fire-ice"
    iri: str
    label: str  # "Fire // Ice"
    note: str = ""  # heading, comment or class


class Completions:
    """The names of one build; from any thread.

    Example:
        >>> [found.name for found in Completions(store).find("rules", "702.29")]  # doctest: +SKIP
        ['rule:702.29', 'rule:702.29a', 'rule:702.29b', 'rule:702.29c', 'rule:702.29d', 'rule:702.29e', …]
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._indexes: dict[str, _Index] = {}
        self._lock = threading.Lock()

    def find(self, kind: str, text: str, limit: int = 20) -> list[Suggestion]:
        """At most `limit` names of a kind that begin with `text`, then those with such a word in them.

        Args:
            kind: one of `KINDS`.
            text: as much as is typed, of the name, of the local name or, of a rule, of number or heading;
                case, accents and punctuation do not matter.
            limit: how many.

        Raises:
            KeyError: there is no such kind.
        """
        return self._index(kind).find(text, limit)

    def search(self, text: str, limit: int = 10) -> list[Suggestion]:
        """What can be drawn and has such a name or number, whole names first, then what begins so.

        Where nothing does, names that look like it. Takes about 2 ms, and 10 ms for what is mistyped.
        """
        found = [
            (how, place, number, suggestion)
            for place, kind in enumerate(_DRAWN)
            for number, (how, suggestion) in enumerate(self._ranked(kind, text, limit))
        ]
        if not found and slug(text):
            found = [
                (round(-1000 * score), place, number, suggestion)
                for place, kind in enumerate(_DRAWN)
                for number, (score, suggestion) in enumerate(self._index(kind).alike(text[:_LONGEST], limit))
                if kind != "rules"  # each is a keyword or a term too
            ]
        found.sort(key=lambda each: each[:3])
        return list({each[3].iri: each[3] for each in found}.values())[:limit]

    def _ranked(self, kind: str, text: str, limit: int) -> list[tuple[int, Suggestion]]:
        """As `_Index.ranked`; of the rules under one heading, the first, unless the text is a number."""
        found = self._index(kind).ranked(text, 4 * limit)
        if kind != "rules" or text.strip().lower().removeprefix("rule:")[:1].isdecimal():
            return found
        return list({each[1].label: each for each in reversed(found)}.values())[::-1]

    def _index(self, kind: str) -> _Index:
        with self._lock:
            index = self._indexes.get(kind)
            if index is None:
                index = self._indexes[kind] = _Index(KINDS[kind](self.store))
        return index


_MADE: WeakKeyDictionary[Store, Completions] = WeakKeyDictionary()
_MAKING = threading.Lock()


def completions(store: Store) -> Completions:
    """Those of a build, the same for all who ask."""
    with _MAKING:
        return _MADE.setdefault(store, Completions(store))


class _Index:
    """Suggestions in the order in which equally good ones are shown, and where each of their words begins."""

    def __init__(self, suggestions: Iterable[Suggestion]) -> None:
        self.all = list(suggestions)
        self.beginnings = sorted(
            (beginning, inside, number)
            for number, suggestion in enumerate(self.all)
            for beginning, inside in _beginnings(suggestion)
        )

    def find(self, text: str, limit: int) -> list[Suggestion]:
        return [found for _, found in self.ranked(text, limit)]

    def ranked(self, text: str, limit: int) -> list[tuple[int, Suggestion]]:
        """The best, each with how it has the text: 0 as its whole name, 1 as its beginning, 2 inside."""
        ranked: dict[int, int] = {}
        for typed in {text.strip().lower(), slug(text)}:
            for beginning, inside, number in islice(self._beginning_with(typed), _LOOKED_AT):
                how = 2 if inside else int(beginning != typed)
                ranked[number] = min(how, ranked.get(number, 2))
        best = sorted(ranked, key=lambda number: (ranked[number], number))
        return [(ranked[number], self.all[number]) for number in best[:limit]]

    def alike(self, text: str, limit: int) -> list[tuple[float, Suggestion]]:
        """Those whose names share most letters with the text, each with its likeness, at most 1.

        Names that share many pairs of letters are compared as `difflib` does.
        """
        typed = slug(text)
        shared: Counter[int] = Counter()
        for pair in _pairs(typed):
            shared.update(self._by_pair.get(pair, ()))
        lengths = self._lengths
        likely = nlargest(40, shared, key=lambda at: (shared[at] / (len(typed) + lengths[at]), -at))
        matcher = SequenceMatcher(None, "", typed, autojunk=False)
        found = []
        for number in likely:
            matcher.set_seq1(slug(self.all[number].label))
            if (score := matcher.ratio()) >= _ALIKE:
                found.append((score, number))
        found.sort(key=lambda each: (-each[0], each[1]))
        return [(score, self.all[number]) for score, number in found[:limit]]

    @cached_property
    def _lengths(self) -> list[int]:
        return [len(suggestion.label) for suggestion in self.all]

    @cached_property
    def _by_pair(self) -> dict[str, list[int]]:
        """Pair of letters → the suggestions in whose labels it is."""
        found: dict[str, list[int]] = {}
        for number, suggestion in enumerate(self.all):
            for pair in _pairs(slug(suggestion.label)):
                found.setdefault(pair, []).append(number)
        return found

    def _beginning_with(self, typed: str) -> Iterator[tuple[str, bool, int]]:
        for at in range(bisect_left(self.beginnings, (typed,)), len(self.beginnings)):
            beginning, inside, number = self.beginnings[at]
            if not beginning.startswith(typed):
                return
            yield beginning, inside, number


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _beginnings(suggestion: Suggestion) -> Iterator[tuple[str, bool]]:
    """What is typed for a suggestion: its name, its local name, its label from each word on."""
    name = suggestion.name.lower()
    yield name, False
    yield name.partition(":")[2], False
    for face in suggestion.label.split(FACE_SEPARATOR):
        yield slug(face), False
    words = slug(suggestion.label).split("-")
    for at in range(len(words)):
        yield "-".join(words[at:]), at > 0


def _prefixes(store: Store) -> Iterator[Suggestion]:
    for prefix, namespace in PREFIXES.items():
        yield Suggestion(f"{prefix}:", namespace, prefix, namespace)


def _classes(store: Store) -> Iterator[Suggestion]:
    yield from _declared(store, "owl:Class")


def _properties(store: Store) -> Iterator[Suggestion]:
    for found in _declared(store, "owl:ObjectProperty", "owl:DatatypeProperty", "owl:AnnotationProperty"):
        if found.name not in _STANDARD:
            yield found
    for name, note in _STANDARD.items():
        yield Suggestion(name, expand(name), name.partition(":")[2], note)


def _declared(store: Store, *classes: str) -> Iterator[Suggestion]:
    """Terms of the vocabulary by name, our own first."""
    graph = layer("ontology")
    found = {
        quad.subject.value
        for name in classes
        for quad in store.quads.quads_for_pattern(None, _TYPE, NamedNode(expand(name)), graph)
        if isinstance(quad.subject, NamedNode)
    }
    for iri in sorted(found, key=lambda iri: (not iri.startswith(MTG), iri.lower())):
        name = compact(iri)
        label, comment = (_literal(store, iri, predicate, "ontology") for predicate in (_LABEL, _COMMENT))
        yield Suggestion(name, iri, label or name.partition(":")[2], comment)


def _keywords(store: Store) -> Iterator[Suggestion]:
    for name, note in (("mtg:KeywordAbility", "keyword ability"), ("mtg:KeywordAction", "keyword action")):
        yield from _instances(store, name, note)


def _terms(store: Store) -> Iterator[Suggestion]:
    yield from _instances(store, "mtg:Term", "glossary term")


def _types(store: Store) -> Iterator[Suggestion]:
    for name, note in (
        ("mtg:CardType", "card type"),
        ("mtg:Supertype", "supertype"),
        ("mtg:Subtype", "subtype"),
    ):
        yield from _instances(store, name, note)


def _instances(store: Store, of: str, note: str) -> Iterator[Suggestion]:
    graph = layer("rules")
    found = store.quads.quads_for_pattern(None, _TYPE, NamedNode(expand(of)), graph)
    for iri in sorted(_subject(quad) for quad in found):
        yield Suggestion(compact(iri), iri, _literal(store, iri, _LABEL, "rules"), note)


def _rules(store: Store) -> Iterator[Suggestion]:
    """The rules in the order of the book, each with the heading that it stands under."""
    keys = store.quads.quads_for_pattern(None, _SORT_KEY, None, layer("rules"))
    ordered = sorted((cast(Literal, quad.object).value, _subject(quad)) for quad in keys)
    headings: dict[str, str] = {}
    for _, iri in ordered:
        if not iri.startswith(PREFIXES["rule"]):
            continue
        number = iri.rpartition("/")[2]
        above = _above(store, iri)
        headings[iri] = _literal(store, iri, _HEADING, "rules") or headings.get(above, "")
        yield Suggestion(f"rule:{number}", iri, headings[iri] or number, number)


def _above(store: Store, iri: str) -> str:
    for quad in store.quads.quads_for_pattern(NamedNode(iri), _BROADER, None, layer("rules")):
        return cast(NamedNode, quad.object).value
    return ""


def _cards(store: Store) -> Iterator[Suggestion]:
    """The cards, tokens left out, shorter names first; last those that were rebalanced for digital play."""
    sought = {f"<{_LABEL.value}>": None}  # in the file, for the store takes three times as long to give all
    try:
        cards = [
            (value(label), card[1:-1])
            for card, _, label in picked(store.folder, "cards", store.info.quads.get("cards", 0), sought)
            if card.startswith(f"<{PREFIXES['card']}")
        ]
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise store.damaged(str(error)) from error
    for label, iri in sorted(cards, key=lambda card: (card[0].startswith(REBALANCED), len(card[0]), card)):
        yield Suggestion(compact(iri), iri, label, "card")


def _subject(quad: Quad) -> str:
    return cast(NamedNode, quad.subject).value


def _literal(store: Store, iri: str, predicate: NamedNode, graph: str) -> str:
    for quad in store.quads.quads_for_pattern(NamedNode(iri), predicate, None, layer(graph)):
        return cast(Literal, quad.object).value
    return ""


KINDS: Mapping[str, Callable[[Store], Iterator[Suggestion]]] = {
    "prefixes": _prefixes,
    "classes": _classes,
    "properties": _properties,
    "keywords": _keywords,
    "rules": _rules,
    "cards": _cards,
    "types": _types,
    "terms": _terms,
}
"""Kind → what reads its names from a store, in the order in which equally good ones are shown."""
