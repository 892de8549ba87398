"""How cards meet: pairs of abilities that work in one rule, as `ontology/meetings.toml` tells.

What comes in are cards of a store; what goes out are meetings with the words of both cards: a path card →
ability → rule ← ability ← card. The rarest come first: the weight of a meeting is log₂ of how many cards
there are for each that cites what its first side asks for, and for each that does so for its second.

Which abilities cite what is read from the arrays of the build (`adjacency`), so that only those that may be
on a side are read, once each, and no pair of cards is looked at but those on the two sides of a meeting.
Measured on 34,562 cards, in processor time: two cards 0.2 s after the start, 540 cards 0.5 s, all others of a
card 0.1 to 0.6 s.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from pyoxigraph import Literal, NamedNode

from cardlaw.ontology.namespaces import PREFIXES, expand

from .adjacency import NAMES, Numbers, adjacency
from .errors import UnknownNodeError
from .facts import Reader, local, node
from .linking.anchors import resolve
from .lookup import local as local_name
from .lookup import natural
from .meetingkinds import About, MeetingKind, SideKind, Types, fits, kinds, words_of
from .model import Rule, Rulebook, Span, Vocabulary
from .read import effect_of, kind_of
from .store import Store, layer

__all__ = ["Meeting", "Side", "meetings", "meetings_of"]

_PARTS = ("cost", "event", "condition", "effect")
_KEPT = 20_000
"""So many abilities are kept as they were read."""
_MOST = 2000
"""So many abilities at most are read for the other side of a meeting, those of the plainest cards first."""


class Side(Struct, frozen=True):
    """One of the two cards, and its words."""

    slug: str
    name: str
    ability: str  # number of the ability; of a face for words of the type line
    quote: str
    start: int  # of the quote, in the oracle text or the type line of the face
    end: int
    rule: str  # what the ability cites, by which it is on its side


class Meeting(Struct, frozen=True):
    """Two cards whose abilities meet."""

    kind: str
    label: str
    rule: str  # that governs it
    weight: float  # the rarer, the more
    first: Side
    second: Side


class _Hit(NamedTuple):
    """An ability that is on a side."""

    side: Side
    card: int
    about: About | None


def meetings(store: Store, slugs: Sequence[str], *, limit: int = 100) -> tuple[Meeting, ...]:
    """How some cards meet among each other, the rarest meetings first, those of a kind by the cards' names.

    Args:
        store: the graph.
        slugs: local names of the cards.
        limit: how many meetings at most.

    Raises:
        UnknownNodeError: the graph has no such card.

    Example:
        >>> meetings(store, ["humility", "opalescence"])[0].rule  # doctest: +SKIP
        '613.4b'
    """
    finder = _finder(store)
    chosen = np.unique(np.array([finder.card(slug) for slug in slugs], dtype=np.int64))
    found: list[Meeting] = []
    for weight, kind in finder.by_weight:
        first, second = (
            sorted(finder.hits(side, finder.holders(side, chosen)), key=_by_name) for side in kind.sides
        )
        found += islice(finder.pairs(weight, kind, first, second), limit - len(found))
        if len(found) >= limit:
            break
    return tuple(found)


def meetings_of(store: Store, slug: str, *, limit: int = 100) -> tuple[Meeting, ...]:
    """How a card meets all others, the rarest meetings first; of a kind, with the plainest cards.

    Kinds share the limit, so that none hides the others. Cards rebalanced for digital play are left out.

    Args:
        store: the graph.
        slug: local name of the card, which is always the first side.
        limit: how many meetings at most.

    Raises:
        UnknownNodeError: the graph has no such card.
    """
    finder = _finder(store)
    card = finder.card(slug)
    around = (finder.around(weight, kind, card) for weight, kind in finder.by_weight)
    return tuple(sorted(islice(_in_turn(around), limit), key=lambda meeting: (-meeting.weight, meeting.kind)))


class _Holder(NamedTuple):
    """An ability, or a face with its type line."""

    card: int
    number: str  # of the ability or face
    field: str
    text: str
    kind: str
    start: int  # of the text, in its field
    parts: dict[str, Span]  # by name, in the text
    names: tuple[str, str]  # of the face, and its type line
    types: frozenset[str]


class _Finder:
    """What is read of a store to find meetings in it; an ability goes by the numbers of card and part."""

    def __init__(self, store: Store) -> None:
        self.ties = ties = adjacency(store)
        self.reader = Reader(store)
        self.store = store
        proofs = ties.arrays["tie"]
        self._relation, self._target = ties.relation[proofs], ties.target[proofs]
        self._rule = ties.arrays["rule"]
        self._holder = ties.source[proofs].astype(np.int64) << 16 | ties.arrays["part"]
        self._holder[ties.kind[ties.source[proofs]] != 0] = -1  # of a token
        self._of_item: dict[str, Numbers] = {}
        self._of_side: dict[SideKind, Numbers] = {}
        self._read: dict[int, _Holder] = {}

    def card(self, slug: str) -> int:
        """The number of a card."""
        if (number := self.ties.number.get(f"card:{slug}")) is None:
            raise UnknownNodeError(f"card:{slug}")
        return number

    @cached_property
    def types(self) -> Types:
        """Those of the rulebook, each with the types that it belongs to."""
        ties = self.ties
        return Types(
            {
                local_name(name): frozenset(
                    local_name(ties.nodes[ties.target[tie]])
                    for tie in ties.ties_of(at)
                    if NAMES[ties.relation[tie]] == "variant_of"
                )
                for at, name in enumerate(ties.nodes)
                if name.startswith("type:")
            }
        )

    @cached_property
    def numbers(self) -> dict[str, str | None]:
        """Anchor of the rule of each kind of meeting → its number in the rulebook of the store."""
        anchors = [kind.rule for kind in kinds()]
        titled = self.reader.quads.quads_for_pattern(None, node("skos:prefLabel"), None, layer("rules"))
        named = ((cast(NamedNode, quad.subject).value, cast(Literal, quad.object).value) for quad in titled)
        titles = {local(iri): title for iri, title in named if iri.startswith(PREFIXES["rule"])}
        headings = {anchor.partition("/")[0].rpartition(" > ")[2].lower() for anchor in anchors}
        sections = {number for number, title in titles.items() if title.lower() in headings}
        found = {
            number: Rule(number=number, title=title, parent=_above(number))
            for number, title in titles.items()
        }
        for name in self.ties.nodes:
            number = local_name(name)
            if name.startswith("rule:") and number.partition(".")[0] in sections and number not in found:
                text = self.store.info.has_text and self.reader.facts(PREFIXES["rule"] + number).text(
                    "skos:definition"
                )
                found[number] = Rule(number=number, text=text or None, parent=_above(number))
        book = Rulebook(
            release=self.store.info.release,
            rules=found,
            terms=(),
            vocabulary=Vocabulary(),
            has_text=self.store.info.has_text,
        )
        return resolve(book, anchors).numbers

    @cached_property
    def by_weight(self) -> list[tuple[float, MeetingKind]]:
        """The kinds of meetings that this store may have, the rarest first."""
        cards = int((self.ties.kind == 0).sum())
        found = []
        for kind in kinds():
            counts = [len(np.unique(self.holders(side) >> 16)) for side in kind.sides]
            if all(counts) and self.numbers[kind.rule] is not None:
                found.append((round(sum(math.log2(cards / count) for count in counts), 3), kind))
        return sorted(found, key=lambda each: (-each[0], each[1].id))

    def holders(self, side: SideKind, cards: Numbers | None = None) -> Numbers:
        """The abilities, of some cards or all, that cite what a side asks for, in their order."""
        if side not in self._of_side:
            every = [self._citing(item) for item in side.cites]
            if side.any:
                every.append(np.unique(np.concatenate([self._citing(item) for item in side.any])))
            found = every[0]
            for others in every[1:]:
                found = np.intersect1d(found, others, assume_unique=True)
            self._of_side[side] = found
        found = self._of_side[side]
        return found if cards is None else found[np.isin(found >> 16, cards)]

    def _citing(self, item: str) -> Numbers:
        """The abilities that cite by a catalogue entry, or have a relation to a keyword."""
        if item not in self._of_item:
            relation, _, keyword = item.partition(" ")
            rule: str | None = None
            if not keyword:
                facts = self.reader.facts(f"{PREFIXES['entry']}{item}")
                rule, relation = facts.text("resolvesTo"), facts.text("relation") or ""
            target = self.ties.number.get(f"keyword:{keyword}" if keyword else f"rule:{local(rule or '')}")
            if target is None or relation not in NAMES:
                found = self._holder[:0]
            else:
                cited = self._target if keyword else self._rule
                found = self._holder[(self._relation == NAMES.index(relation)) & (cited == target)]
            self._of_item[item] = np.unique(found[found >= 0])
        return self._of_item[item]

    def hits(self, side: SideKind, holders: Numbers) -> Iterator[_Hit]:
        """Those of some abilities that are on a side, with their words."""
        for key in holders.tolist():
            holder = self._holder_of(key)
            if holder.field != side.field or (side.kinds and holder.kind not in side.kinds):
                continue
            part = holder.parts.get(side.part or "")
            words = words_of(side, holder.text, part, holder.names, holder.types, self.types)
            if words is not None:
                start, end = words.span
                said = Side(
                    slug=local_name(self.ties.nodes[holder.card]),
                    name=self.reader.label(expand(self.ties.nodes[holder.card])),
                    ability=holder.number,
                    quote=holder.text[start:end],
                    start=holder.start + start,
                    end=holder.start + end,
                    rule=self._cited(side, key),
                )
                yield _Hit(said, holder.card, words.about)

    def _cited(self, side: SideKind, key: int) -> str:
        """The number of the rule by whose citation an ability is on a side."""
        item = next(each for each in (*side.cites, *side.any) if self._is_citing(each, key))
        _, _, keyword = item.partition(" ")
        if keyword:
            of_holder = (self._holder == key) & (self._target == self.ties.number[f"keyword:{keyword}"])
            return local_name(self.ties.nodes[self._rule[np.argmax(of_holder)]])
        return local(self.reader.facts(f"{PREFIXES['entry']}{item}").need("resolvesTo"))

    def _is_citing(self, item: str, key: int) -> bool:
        found = self._citing(item)
        at = int(np.searchsorted(found, key))
        return at < len(found) and int(found[at]) == key

    def _holder_of(self, key: int) -> _Holder:
        if key not in self._read:
            card, part = key >> 16, self.ties.part_name(key & 0xFFFF)
            slug = local_name(self.ties.nodes[card])
            face = self.reader.facts(f"{PREFIXES['face']}{slug}.{part.partition('.')[0]}")
            line = face.text("typeLine") or ""
            types = frozenset(local(iri) for iri in face["hasType"])
            names = (face.need("rdfs:label"), line)
            if "." not in part:
                made = _Holder(card, part, "type_line", line, "", 0, {}, names, types)
            else:
                facts = self.reader.facts(f"{PREFIXES['ability']}{slug}.{part}")
                start = int(facts.need("start"))
                spans = {name: facts.span(f"{name}Span") for name in _PARTS}
                spans["effect"] = effect_of(facts)
                parts = {
                    name: (a - start, b - start) for name, span in spans.items() if span for a, b in [span]
                }
                text, kind = facts.need("rdfs:label"), kind_of(facts)
                made = _Holder(card, part, "oracle_text", text, kind, start, parts, names, types)
            if len(self._read) >= _KEPT:
                self._read.clear()
            self._read[key] = made
        return self._read[key]

    def pairs(
        self, weight: float, kind: MeetingKind, first: Iterable[_Hit], second: Sequence[_Hit]
    ) -> Iterator[Meeting]:
        """The meetings of a kind between what is on its sides, each pair of cards once."""
        seen: set[tuple[int, int]] = set()
        for one in first:
            for other in second:
                pair = (min(one.card, other.card), max(one.card, other.card))
                if one.card != other.card and pair not in seen and fits(one.about, other.about, self.types):
                    seen.add(pair)
                    yield self._meeting(weight, kind, one, other)

    def around(self, weight: float, kind: MeetingKind, card: int) -> Iterator[Meeting]:
        """The meetings of a kind of one card, the plainest others first."""
        one, other = kind.sides
        seen: set[int] = {card}
        for own, theirs in ((one, other), (other, one))[: 1 if one is other else 2]:
            mine = list(self.hits(own, self.holders(own, np.array([card]))))
            if not mine:
                continue
            found = self.holders(theirs)
            found = found[~self.ties.rebalanced[found >> 16]]
            plainest = np.lexsort((found, self.ties.abilities[found >> 16]))[:_MOST]
            for hit in self.hits(theirs, found[plainest]):
                if hit.card not in seen:
                    for held in mine:
                        if fits(held.about, hit.about, self.types):
                            seen.add(hit.card)
                            yield self._meeting(weight, kind, held, hit)
                            break

    def _meeting(self, weight: float, kind: MeetingKind, one: _Hit, other: _Hit) -> Meeting:
        rule = self.numbers[kind.rule]
        assert rule is not None
        return Meeting(kind.id, kind.label, rule, weight, one.side, other.side)


_FOUND: WeakKeyDictionary[Store, _Finder] = WeakKeyDictionary()


def _finder(store: Store) -> _Finder:
    if (found := _FOUND.get(store)) is None:
        found = _FOUND[store] = _Finder(store)
    return found


def _above(number: str) -> str | None:
    """The number of the rule that a rule stands under: 613.4b, 613.4, 613, 6."""
    above = re.sub(r"(?<=\d)[a-z]+$|\.\d+$", "", number)
    return above if above != number else number[0] if len(number) == 3 else None


def _by_name(hit: _Hit) -> tuple[str, list[tuple[int, str]]]:
    return hit.side.slug, natural(hit.side.ability)


def _in_turn(each: Iterable[Iterator[Meeting]]) -> Iterator[Meeting]:
    """One of each, then the next of each, while there are any."""
    waiting = list(each)
    while waiting:
        for source in list(waiting):
            if (found := next(source, None)) is None:
                waiting.remove(source)
            else:
                yield found
