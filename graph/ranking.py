"""Which neighbors say most: the order in which the nodes of a neighborhood are chosen.

From the nodes in focus, weight spreads along the ties: a tie hands on the weight of its relation times the
rarity of the rule, keyword or type at its end, log(cards / cards that are tied to it), so that what ten cards
share says more than what half of them do. For a card, what it gets is divided by the length of the vector of
its own ties, as the cosine does (Salton and Buckley 1988): first come cards that are about little else.
Neighbors then take turns by relation, so that neither the cards of a hub nor the subrules of a chapter
drown the rest; and cards that are alike, by their rarest other tie, step back behind those that are not.

A hub, to which more than 1,500 cards are tied, leads to no card unless it is in focus, or nothing else leads
to any. Cards that were rebalanced for digital play ("A-…") come after all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from .adjacency import NAMES, Adjacency, Numbers, adjacency
from .layers import part_of
from .lookup import Lookup, iri, type_of
from .naming import card_node
from .network import RELATIONS

if TYPE_CHECKING:
    from .store import Store

__all__ = ["Walk", "ready"]

_HUB = 1500
_UNCITED = 200
"""A rule that no card cites is as rare as one that so many cite."""
_REBALANCED = 0.01
_CHAPTERS = frozenset(f"rule:{number}" for number in range(1, 10))
"""These say little about anything but their sections."""
_PASSED_DOWN = 0.05
"""What lies under a rule or type outside the focus counts so much less than what lies under one in it."""

_WEIGHTS: Mapping[str, tuple[float, float]] = {
    "has_keyword": (1.0, 1.0),
    "grants_keyword": (1.0, 0.8),
    "loses_keyword": (1.0, 0.8),
    "mentions_keyword": (0.7, 0.6),
    "keyword_action": (0.9, 0.9),
    "ability_kind": (0.4, 0.4),
    "trigger_event": (0.9, 0.9),
    "effect": (1.0, 1.0),
    "zone": (0.5, 0.5),
    "turn_part": (0.7, 0.7),
    "cost": (0.8, 0.8),
    "defined_term": (0.7, 0.7),
    "card_type": (0.4, 0.4),
    "has_type": (0.6, 0.6),
    "parent": (0.8, 0.9),
    "refers_to": (0.9, 0.7),
    "defined_by": (1.5, 1.5),
    "variant_of": (1.2, 0.9),
    "see": (0.8, 0.8),
}
"""Relation → how much a tie says, from its source and from its target."""
_PHRASES = tuple(phrase for name in NAMES for phrase in RELATIONS[name])
"""How a tie reads, by relation × 2 + direction."""
_DOWNWARD = frozenset(NAMES.index(relation) * 2 + 1 for relation in ("parent", "variant_of"))
_BY_NUMBER = np.array([_WEIGHTS.get(name, (0.0, 0.0)) for name in NAMES])


class _Ranks:
    """What of a build's ties does not depend on the focus."""

    def __init__(self, ties: Adjacency) -> None:
        self.ties = ties
        self.cards = ties.cards_around
        total = max(1, int(ties.is_card.sum()))
        self.rarity = np.log((2 + total) / (1 + np.where(self.cards == 0, min(_UNCITED, total), self.cards)))
        self.rarity[ties.is_card] = 1.0
        said = _BY_NUMBER[ties.relation, 0] * self.rarity[ties.target]
        norm = np.sqrt(np.bincount(ties.source, said**2, minlength=len(ties.nodes)))
        self.length = np.where(ties.is_card & (norm > 0), norm, 1.0)
        self.hub = self.cards > _HUB
        self.chapter = np.array([node in _CHAPTERS for node in ties.nodes])


_RANKS: WeakKeyDictionary[Store, _Ranks] = WeakKeyDictionary()


def _ranks(store: Store) -> _Ranks:
    found = _RANKS.get(store)
    if found is None:
        found = _RANKS[store] = _Ranks(adjacency(store))
    return found


def ready(store: Store) -> None:
    """Read a build's ties, which the first walk would do otherwise.

    Raises:
        StoreError: a file of the build is damaged.
    """
    _ranks(store)


class Walk:
    """The nodes chosen so far, in the order in which they were chosen.

    Attributes:
        ties: all ties of the build, by the numbers of their nodes.
        chosen: prefixed names, those in focus first.
        in_focus: by number, whether a node leads to cards and is drawn with them, though it be a hub.
    """

    def __init__(self, store: Store, focus: Sequence[str]) -> None:
        self.reader = Lookup(store)
        self.ranks = _ranks(store)
        self.ties = self.ranks.ties
        self.focus = tuple(focus)
        self.own: dict[int, None] = {}  # what faces and abilities in focus invoke
        self.chosen: dict[str, None] = dict.fromkeys(focus)
        self.weight: dict[int, float] = {}  # of what was reached
        self.frontier: dict[int, float] = {}
        self.centre: set[int] = set()  # what is in focus itself, or by another name
        self.in_focus = np.zeros(len(self.ties.nodes), dtype=bool)

    def take_apart(self, room: int) -> None:
        """Add what belongs to the nodes in focus, and begin there."""
        for node in self.focus:
            self.choose(self.parts(node), room)
            for each in (node, *self._companions(node, room)):
                if (number := self.ties.number.get(each)) is not None:
                    self.centre.add(number)
                    self.in_focus[number] = True
                    self.frontier[number] = 1.0
            if type_of(node) in ("face", "ability"):  # the ends of its own ties stand in for it
                for tie in self.reader.ties(node):
                    self.own.setdefault(self.ties.number[tie.target])

    def parts(self, node: str) -> list[str]:
        """The faces and abilities of a card or face, or the card of a face or ability."""
        objects, subjects = self.reader.objects, self.reader.subjects
        match type_of(node):
            case "card":
                faces = objects(node, "hasFace")
                parts = [[face, *objects(face, "hasAbility")] for face in faces]
                return [part for found in parts for part in (found if len(faces) > 1 else found[1:])]
            case "face":
                return [*subjects("hasFace", node), *objects(node, "hasAbility")]
            case "ability":
                return [card for face in subjects("hasAbility", node) for card in subjects("hasFace", face)]
        return []

    def owner(self, part: str) -> str:
        """The card or token of a face or ability."""
        found = part_of(f"<{iri(part)}>")
        assert found is not None
        return card_node(found[0])

    def _companions(self, node: str, room: int) -> list[str]:
        """The rule of a keyword, or the keywords of a rule: the same thing by another name."""
        match type_of(node):
            case "keyword":
                return self.choose(self.reader.objects(node, "definedBy"), room)
            case "rule":
                return self.choose(self.reader.keywords.get(node, ()), room)
        return []

    def choose(self, nodes: Iterable[str], room: int) -> list[str]:
        """Add as many of `nodes` as there is room for up to a total of `room`; those that are new."""
        new = []
        for node in nodes:
            if node not in self.chosen and len(self.chosen) < room:
                self.chosen[node] = None
                new.append(node)
        return new

    def step(self, room: int) -> None:
        """Add the neighbors of the frontier, which they then are."""
        self._open_a_hub()
        found = self._ranked(self.frontier, room)
        if self.own:
            rarity = self.ranks.rarity
            found = [*sorted(self.own, key=lambda each: (-rarity[each], each)), *found]
            self.weight |= {each: float(rarity[each]) for each in self.own}
            self.own = {}
        self.frontier = {self.ties.number[node]: 0.0 for node in self._add(found, room)}
        most = max((self.weight.get(each, 0.0) for each in self.frontier), default=0.0) or 1.0
        for each in self.frontier:
            self.frontier[each] = 0.5 * self.weight.get(each, 0.0) / most

    def _open_a_hub(self) -> None:
        """Where only hubs lead to cards, let the rarest of them do so, and be drawn with them."""
        ranks = self.ranks
        leading = [node for node in self.frontier if ranks.cards[node] and not self.ties.is_card[node]]
        if leading and all(ranks.hub[node] and not self.in_focus[node] for node in leading):
            self.in_focus[max(leading, key=lambda node: (ranks.rarity[node], -node))] = True

    def widen(self, room: int) -> None:
        """Add neighbors of all that was chosen."""
        numbers = [self.ties.number[node] for node in self.chosen if node in self.ties.number]
        most = max((self.weight.get(each, 0.0) for each in numbers), default=0.0) or 1.0
        around = {
            each: 1.0 if self.in_focus[each] else 0.5 * self.weight.get(each, 0.0) / most for each in numbers
        }
        self._add(self._ranked(around, room), room)

    def _add(self, numbers: Iterable[int], room: int) -> list[str]:
        new: list[str] = []
        for number in numbers:
            here = self.choose([self.ties.nodes[number]], room)
            if here and type_of(here[0]) == "keyword":
                here += self.choose(self.reader.objects(here[0], "definedBy"), room)
            new += here
        return new

    def around(self, node: str, room: int, phrase: str | None = None) -> list[str]:
        """The neighbors of a node that are not chosen, the best first; all, or those of a phrase."""
        number = self.ties.number[node]
        self.centre.add(number)
        self.in_focus[number] = True
        only = [at for at, said in enumerate(_PHRASES) if said == phrase] if phrase else None
        return [self.ties.nodes[each] for each in self._ranked({number: 1.0}, room, only)]

    def _ranked(
        self, around: Mapping[int, float], room: int, only: Collection[int] | None = None
    ) -> list[int]:
        """The neighbors of some weighted nodes that are not chosen, the best first; enough for the room.

        Only those of some relations (each × 2 + direction), if they are given.
        """
        ties, ranks = self.ties, self.ranks
        neighbors, said, groups = self._ties(around)
        if only is not None:
            wanted = np.isin(groups, list(only))
            neighbors, said, groups = neighbors[wanted], said[wanted], groups[wanted]
        if not len(neighbors):
            return []
        score = np.bincount(neighbors, said, minlength=len(ties.nodes)) / ranks.length
        score[ties.rebalanced] *= _REBALANCED
        strongest = np.lexsort((groups, -said, neighbors))
        first = np.ones(len(strongest), dtype=bool)
        first[1:] = neighbors[strongest][1:] != neighbors[strongest][:-1]
        best = strongest[first]
        places = []
        for group in np.unique(groups[best]):
            members = neighbors[best[groups[best] == group]]
            order = members[np.lexsort((members, -score[members]))][: 3 * room]
            weight = _BY_NUMBER[group // 2, group % 2]
            if group in _DOWNWARD and self.centre.isdisjoint(around):
                weight *= _PASSED_DOWN
            for turn, member in enumerate(self._varied(order, score, around)):
                places.append(((turn + 1) / weight, -float(score[member]), int(member)))
        for number in neighbors[best]:
            self.weight[int(number)] = float(score[number])
        return [member for _, _, member in sorted(places)]

    def _ties(self, around: Mapping[int, float]) -> tuple[Numbers, Numbers, Numbers]:
        """Of each tie to a neighbor: the neighbor, what is handed to it, and relation × 2 + direction.

        A hub outside the focus hands weight to the cards that something else leads to, and to no others.
        """
        ties, ranks = self.ties, self.ranks
        taken, leading = np.zeros((2, len(ties.nodes)), dtype=bool)
        taken[[ties.number[node] for node in self.chosen if node in ties.number]] = True
        neighbors, said, groups = [], [], []
        for node, weight in around.items():
            for direction, found in enumerate((ties.ties_of(node), ties.ties_to(node))):
                ends = (ties.target if direction == 0 else ties.source)[found]
                free = ~taken[ends]
                found, ends = found[free], ends[free]
                relations = ties.relation[found]
                telling = np.where(ties.is_card[ends], ranks.rarity[node], ranks.rarity[ends])
                neighbors.append(ends)
                said.append(weight * _BY_NUMBER[relations, direction] * telling)
                groups.append(relations.astype(np.int64) * 2 + direction)
                leads = np.ones(len(ends), dtype=bool)
                if node not in self.centre:
                    closed = ranks.hub[node] and not self.in_focus[node]
                    leads = ~(ties.is_card[ends] & closed | ranks.chapter[ends])
                leading[ends[leads]] = True
        if not neighbors:
            return np.array([], dtype=int), np.array([]), np.array([], dtype=int)
        all_neighbors = np.concatenate(neighbors)
        kept = leading[all_neighbors]
        return all_neighbors[kept], np.concatenate(said)[kept], np.concatenate(groups)[kept]

    def _varied(self, order: Numbers, score: Numbers, around: Mapping[int, float]) -> list[int]:
        """The same nodes; a card that is alike another by its rarest other tie steps back behind it."""
        if not len(order) or not self.ties.is_card[order[0]]:
            return [int(each) for each in order]
        times: Counter[int] = Counter()
        keys = []
        for place, card in enumerate(order):
            alike = self._signature(card, around)
            times[alike] += 1
            keys.append((-float(score[card]) / times[alike], place))
        return [int(order[place]) for _, place in sorted(keys)]

    def _signature(self, card: int, around: Mapping[int, float]) -> int:
        """What a card is about besides what is around."""
        found = self.ties.ties_of(card)
        targets = self.ties.target[found]
        said = _BY_NUMBER[self.ties.relation[found], 0] * self.ranks.rarity[targets]
        for at in np.argsort(-said, kind="stable"):
            if int(targets[at]) not in around:
                return int(targets[at])
        return -1
