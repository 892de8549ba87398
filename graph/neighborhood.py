"""What lies around some nodes, the rarest and most telling neighbors first, within a budget.

From the nodes in focus, weight spreads along the ties: a tie hands on the weight of its relation times the
rarity of the rule, keyword or type at its end, log(cards / cards that are tied to it), so that what ten cards
share says more than what half of them do. For a card, what it gets is divided by the length of the vector of
its own ties, as the cosine does (Salton and Buckley 1988): first come cards that are about little else.
Neighbors then take turns by relation, so that neither the cards of a hub nor the subrules of a chapter
drown the rest; and cards that are alike, by their rarest other tie, step back behind those that are not.

A hub, to which more than 1,500 cards are tied, is drawn with cards in focus only, or where it is in focus.
Cards that were rebalanced for digital play ("A-…") come after all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import networkx as nx  # type: ignore[import-untyped]
import numpy as np

from cardlaw.ontology.namespaces import compact

from .adjacency import NAMES, Adjacency, Numbers, adjacency
from .errors import QueryError
from .layers import part_of
from .lookup import Evidence, Lookup, iri, type_of
from .naming import card_node
from .network import LINKS, NODE_TYPES, RELATIONS, add_edge, add_nodes

if TYPE_CHECKING:
    from .store import Store

__all__ = ["HARD_LIMIT", "OPENING", "Neighborhood", "between", "neighborhood"]

OPENING = 150
"""So many nodes a view opens with at most."""
HARD_LIMIT = 1000
"""So many it has at most; what is not shown at the opening is a reserve."""

_HUB = 1500
_UNCITED = 200
"""A rule that no card cites is as rare as one that so many cite."""
_REBALANCED = 0.01
_CHAPTERS = frozenset(f"rule:{number}" for number in range(1, 10))
"""These say little about anything but their sections."""
_PASSED_DOWN = 0.05
"""What lies under a rule or type outside the focus counts so much less than what lies under one in it."""
UNPROVED = frozenset({"has_type", *(relation for relation, _, _ in LINKS)})

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
_DOWNWARD = frozenset(NAMES.index(relation) * 2 + 1 for relation in ("parent", "variant_of"))
_BY_NUMBER = np.array([_WEIGHTS.get(name, (0.0, 0.0)) for name in NAMES])


class Neighborhood(NamedTuple):
    """What lies around some nodes.

    Nodes of `graph` have `more` too: how each of them goes on to what is not in the graph.
    """

    graph: nx.MultiDiGraph
    shown: tuple[str, ...]  # what a view opens with, focus first; all others are a reserve
    more: Mapping[str, Mapping[str, int]]  # node -> phrase of a relation -> neighbors not in the graph
    focus: tuple[str, ...]


def neighborhood(
    store: Store, nodes: Sequence[str], depth: int = 1, limit: int = OPENING, *, hold: int = 0
) -> Neighborhood:
    """What lies around `nodes`, the most telling neighbors first.

    A card in `nodes` is drawn with its abilities (and its faces, where it has more than one); those
    are parts and no step away. Any other card is drawn alone, its edges going to the rules themselves.
    A keyword brings its rule along. Edges run between all nodes of the graph, except from a card outside
    `nodes` to a hub outside `nodes`.

    Args:
        nodes: prefixed names or IRIs of cards, tokens, faces, abilities, rules, keywords, terms or types.
        depth: how many steps to go.
        limit: how many nodes to show at most; those in focus are shown in any case.
        hold: how many the graph has at most; those beyond `limit` are the next best.

    Raises:
        QueryError: one of `nodes` is not in the graph, or cannot be drawn.
    """
    view = _View(store, focus_of(store, nodes))
    view.take_apart(max(limit, len(view.focus)))
    for step in range(depth):
        view.step(limit * (2 + step) // (1 + depth))
    shown = tuple(view.chosen)
    if depth and hold > len(shown):
        view.widen(hold)
    return _drawn(view, shown)


def between(store: Store, nodes: Iterable[str], focus: Sequence[str] = ()) -> Neighborhood:
    """These nodes and all edges between them; cards in `focus` are taken apart.

    Raises:
        QueryError: one of `focus` is not in the graph, or cannot be drawn.
    """
    view = _View(store, focus_of(store, focus))
    view.take_apart(HARD_LIMIT)
    view.choose(nodes, HARD_LIMIT)
    return _drawn(view, tuple(view.chosen))


def focus_of(store: Store, nodes: Iterable[str]) -> tuple[str, ...]:
    """The prefixed names of nodes, each once.

    Raises:
        QueryError: one of them is not in the graph, or cannot be drawn.
    """
    reader = Lookup(store)
    focus = tuple(dict.fromkeys(compact(node) if "://" in node else node for node in nodes))
    for node in focus:
        if type_of(node) not in NODE_TYPES:
            raise QueryError(f"{node} cannot be drawn: give a card, a rule, a keyword, a term or a type")
        if reader.value(node, "label") is None:
            raise QueryError(f"{node} is not in the graph")
    return focus


class _Ranks:
    """What of a build's ties does not depend on the focus."""

    def __init__(self, ties: Adjacency) -> None:
        self.ties = ties
        self.cards = _counted(ties)
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


def _counted(ties: Adjacency) -> Numbers:
    """How many cards have to do with each node: those of a rule also by its keyword or its subrules."""
    cards = ties.cards.copy()
    for relation in ("defined_by", "parent"):
        of = np.flatnonzero(ties.relation == NAMES.index(relation))
        one, other = ties.source[of], ties.target[of]
        for _ in range(3 if relation == "parent" else 1):
            np.maximum.at(cards, other, cards[one])
        if relation == "defined_by":  # of a keyword action, the cards are tied to the rule
            actions = ties.cards[one] == 0
            cards[one[actions]] = cards[other[actions]]
    return cards


class _View:
    """The nodes chosen so far, in the order in which they were chosen."""

    def __init__(self, store: Store, focus: Sequence[str]) -> None:
        self.reader = Lookup(store)
        self.ranks = _ranks(store)
        self.ties = self.ranks.ties
        self.focus = tuple(focus)
        self.own: dict[int, None] = {}  # what faces and abilities in focus invoke
        self.chosen: dict[str, None] = dict.fromkeys(focus)
        self.weight: dict[int, float] = {}  # of what was reached
        self.frontier: dict[int, float] = {}
        self.in_focus = np.zeros(len(self.ties.nodes), dtype=bool)

    def take_apart(self, room: int) -> None:
        """Add what belongs to the nodes in focus, and begin there."""
        for node in self.focus:
            self.choose(self.parts(node), room)
            for each in (node, *self._companions(node, room)):
                if (number := self.ties.number.get(each)) is not None:
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

    def _ranked(self, around: Mapping[int, float], room: int) -> list[int]:
        """The neighbors of some weighted nodes that are not chosen, the best first; enough for the room."""
        ties, ranks = self.ties, self.ranks
        neighbors, said, groups = self._ties(around)
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
            if group in _DOWNWARD and not any(self.in_focus[node] for node in around):
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
                if not self.in_focus[node]:
                    leads = ~(ties.is_card[ends] & ranks.hub[node] | ranks.chapter[ends])
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


def _drawn(view: _View, shown: tuple[str, ...]) -> Neighborhood:
    """What was chosen, as a graph."""
    graph = nx.MultiDiGraph()
    add_nodes(graph, view.reader, view.chosen, view.focus)
    exempt = {view.ties.nodes[number] for number in np.flatnonzero(view.in_focus)}
    _tie_up(graph, view, graph, exempt)
    more = more_of(view, graph)
    for node, hidden in more.items():
        graph.nodes[node]["more"] = hidden
        graph.nodes[node]["hidden"] = sum(hidden.values())
    return Neighborhood(graph, shown, more, view.focus)


def _tie_up(graph: nx.MultiDiGraph, view: _View, new: Iterable[str], exempt: Collection[str]) -> None:
    """Draw the ties of `new` nodes, in a graph that holds them, with all others of the graph.

    Between a card and a hub there is an edge only if one of them is exempt.
    """
    ties = view.ties
    cards: dict[str, str] = {}  # part -> its card, drawn or not
    parts: dict[str, list[str]] = {}  # card -> those of its parts that are drawn
    numbers: set[int] = set()
    for node in graph:
        if type_of(node) in ("face", "ability"):
            cards[node] = view.owner(node)
            parts.setdefault(cards[node], []).append(node)
            numbers.add(ties.number[cards[node]])
        elif node in ties.number:
            numbers.add(ties.number[node])
    here = np.zeros(len(ties.nodes), dtype=bool)
    here[list(numbers)] = True
    touched: set[int] = set()
    for node in new:
        if node in cards:
            found = ties.ties_of(ties.number[cards[node]])
            touched.update(found[here[ties.target[found]]].tolist())
            _tie_part(graph, view, node, cards[node])
        elif (number := ties.number.get(node)) is not None:
            found = ties.ties_of(number)
            touched.update(found[here[ties.target[found]]].tolist())
            found = ties.ties_to(number)
            touched.update(found[here[ties.source[found]]].tolist())
            for part in parts.get(node, ()):
                _tie_part(graph, view, part, node)
    for tie in sorted(touched):
        source, target = (ties.nodes[end[tie]] for end in (ties.source, ties.target))
        relation = NAMES[ties.relation[tie]]
        is_hub = ties.is_card[ties.source[tie]] and view.ranks.hub[ties.target[tie]]
        proofs: dict[str, list[Evidence]] = {}
        for holder, citation in ties.proofs(tie):
            by = holder if holder in graph else source
            if by in graph and (by != source or not is_hub or source in exempt or target in exempt):
                proofs.setdefault(by, []).append(view.reader.evidence(citation, holder))
        for by, evidence in proofs.items():
            add_edge(graph, by, target, relation, evidence)
        if relation in UNPROVED and source in graph and not (is_hub and not {source, target} & set(exempt)):
            add_edge(graph, source, target, relation)


def _tie_part(graph: nx.MultiDiGraph, view: _View, part: str, card: str) -> None:
    """Tie a face or ability to what it is a part of, as far as that is drawn."""
    if type_of(part) == "face":
        wholes = [(card, part, "has_face")]
    elif above := view.reader.value(part, "partOf"):
        wholes = [(part, above, "part_of")]
    else:
        face = next(iter(view.reader.subjects("hasAbility", part)))
        wholes = [(face if face in graph else card, part, "has_ability")]
    for source, target, relation in wholes:
        if source in graph and target in graph:
            add_edge(graph, source, target, relation)


def more_of(
    view: _View, graph: nx.MultiDiGraph, nodes: Iterable[str] | None = None
) -> dict[str, dict[str, int]]:
    """For nodes of a graph, how many neighbors are not in it, by how the tie reads from the node."""
    ties = view.ties
    here = np.zeros(len(ties.nodes), dtype=bool)
    here[[ties.number[node] for node in graph if node in ties.number]] = True
    parts = Counter(
        (view.owner(node), type_of(node)) for node in graph if type_of(node) in ("face", "ability")
    )
    more = {}
    for node in graph if nodes is None else nodes:
        counts: Counter[str] = Counter()
        if (number := ties.number.get(node)) is None:
            counts.update(_more_of_part(view, graph, node))
        else:
            for direction, found in enumerate((ties.ties_of(number), ties.ties_to(number))):
                ends = (ties.target if direction == 0 else ties.source)[found]
                hidden = np.bincount(ties.relation[found[~here[ends]]], minlength=len(NAMES))
                for relation in np.flatnonzero(hidden):
                    counts[RELATIONS[NAMES[relation]][direction]] += int(hidden[relation])
            faces = int(ties.faces[number])
            if faces > 1:
                counts[RELATIONS["has_face"][0]] += faces - parts[node, "face"]
            elif faces:
                counts[RELATIONS["has_ability"][0]] += int(ties.abilities[number]) - parts[node, "ability"]
        more[node] = {phrase: count for phrase, count in sorted(counts.items()) if count}
    return more


def _more_of_part(view: _View, graph: nx.MultiDiGraph, node: str) -> Iterator[str]:
    """How a face or ability is tied to each neighbor that is not in the graph."""
    reader = view.reader
    if view.owner(node) not in graph:
        yield RELATIONS["has_face" if type_of(node) == "face" else "has_ability"][1]
    for holder, target, relation, _ in reader.ties(node):
        if holder == node and target not in graph:
            yield RELATIONS[relation][0]
    relation, property_ = ("has_ability", "hasAbility") if type_of(node) == "face" else ("part_of", "partOf")
    found = reader.objects(node, property_) if type_of(node) == "face" else reader.subjects(property_, node)
    for part in found:
        if part not in graph:
            yield RELATIONS[relation][type_of(node) == "ability"]
