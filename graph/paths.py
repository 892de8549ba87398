"""How two nodes of the graph are tied: the paths that say most.

Half of all cards lie two steps apart, through “creature” or “target”, which says nothing. So a step costs 1
and a node on the way log2(1 + cards that it leads to): a rule that ten cards share ties them closer than a
hub does, even by a longer way. From both ends at once, the cheapest node first, so that a hub is opened only
where there is no better way.
"""

from __future__ import annotations

import heapq
import math
from functools import cached_property
from itertools import pairwise, starmap
from typing import TYPE_CHECKING, NamedTuple, cast

from pyoxigraph import NamedNode

from cardlaw.ontology.namespaces import PREFIXES, compact, expand

from .errors import QueryError
from .lookup import Evidence, Lookup, iri, node_of, type_of
from .network import KEYWORD_TIES, LINKS, RELATIONS

if TYPE_CHECKING:
    from .store import Store

__all__ = ["Step", "Way", "paths"]

_ENDS = frozenset({"card", "rule", "keyword", "term", "type"})
_CARD, _TOKEN, _TYPE = (PREFIXES[prefix] for prefix in ("card", "token", "type"))
_TYPED = node_of("hasType")
_CARD_COST = math.log2(12)  # a card cites about ten rules
_MOST = 300_000
"""Edges that are looked at before the search ends with what it has."""


class Step(NamedTuple):
    """One edge as a path walks it; `relation` is a key of `network.RELATIONS`."""

    source: str
    target: str
    relation: str
    forward: bool  # False: the edge runs from target to source
    evidence: tuple[Evidence, ...]

    @property
    def verb(self) -> str:
        """How the step reads: "has", "is had by"."""
        return RELATIONS[self.relation][not self.forward]


class Way(NamedTuple):
    """From one node to the other."""

    cost: float
    nodes: tuple[str, ...]
    steps: tuple[Step, ...]


def paths(store: Store, source: str, target: str, count: int = 5) -> list[Way]:
    """The cheapest simple paths between two nodes, each by another way, the cheapest first.

    What costs more than twice the first is no answer.

    Args:
        source, target: prefixed names of cards, tokens, rules, keywords, terms or types.
        count: how many at most.

    Returns:
        Nothing if no path ties them.

    Raises:
        QueryError: they are the same node, not in the graph, or of another type.
    """
    return _Search(store, source, target).run(count)


class _Search:
    """Dijkstra's algorithm from both ends; nodes are IRIs here, to spare the naming of all that is passed."""

    def __init__(self, store: Store, source: str, target: str) -> None:
        self.reader = reader = Lookup(store)
        for node in (source, target):
            if type_of(node) not in _ENDS:
                raise QueryError(f"{node} has no paths: give cards, rules, keywords, terms or types")
            if reader.value(node, "label") is None:
                raise QueryError(f"{node} is not in the graph")
        if source == target:
            raise QueryError(f"{source} is one node: give two that differ")
        self._quads = store.quads
        ends = (iri(source), iri(target))
        self.costs = dict.fromkeys(ends, 0.0)
        # For each end: what a node costs from there, where it was reached from, and what waits to be opened.
        self.distance = ({ends[0]: 0.0}, {ends[1]: 0.0})
        self.before: tuple[dict[str, str], dict[str, str]] = ({}, {})
        self.waiting = ([(0.0, ends[0])], [(0.0, ends[1])])

    def run(self, count: int) -> list[Way]:
        found: dict[tuple[str, ...], float] = {}
        bound = math.inf  # no path is told that costs more than the last of `count`, or twice the first
        looked_at = 0
        while all(self.waiting) and looked_at < _MOST:
            nearest = [side[0][0] for side in self.waiting]
            if sum(nearest) >= bound:
                break
            side = 0 if nearest[0] <= nearest[1] else 1
            cost, node = heapq.heappop(self.waiting[side])
            if cost > self.distance[side][node] + self._cost(node):
                continue
            for neighbor in sorted(self._neighbors(node)):
                looked_at += 1
                if cost + 1 >= self.distance[side].get(neighbor, bound):
                    continue
                self.distance[side][neighbor] = cost + 1
                self.before[side][neighbor] = node
                onward = cost + 1 + self._cost(neighbor)
                heapq.heappush(self.waiting[side], (onward, neighbor))
                if neighbor in self.distance[1 - side]:
                    nodes = self._through(neighbor)
                    if len(set(nodes)) == len(nodes):
                        found[nodes] = onward + self.distance[1 - side][neighbor]
                        costs = sorted(found.values())
                        bound = min(2 * costs[0], costs[count - 1] if len(costs) >= count else math.inf)
        ranked = sorted((cost, tuple(map(compact, nodes))) for nodes, cost in found.items() if cost <= bound)
        return [
            Way(cost, nodes, tuple(starmap(self._step, pairwise(nodes)))) for cost, nodes in ranked[:count]
        ]

    def _through(self, middle: str) -> tuple[str, ...]:
        """The path that runs through a node that both ends have reached."""
        halves: list[list[str]] = []
        for before in self.before:
            half = [middle]
            while (node := before.get(half[-1])) is not None:
                half.append(node)
            halves.append(half)
        return (*reversed(halves[0]), *halves[1][1:])

    def _cost(self, node: str) -> float:
        """What it costs to pass through a node."""
        if node not in self.costs:
            if node.startswith((_CARD, _TOKEN)):
                return _CARD_COST
            if node.startswith(_TYPE):
                cards = sum(1 for _ in self._quads.quads_for_pattern(None, _TYPED, NamedNode(node), None))
            else:
                counts = self._objects(node, "cardCountWithSubrules") or self._objects(node, "cardCount")
                cards = int(next(iter(counts), 0))
            self.costs[node] = math.log2(2 + cards)
        return self.costs[node]

    def _objects(self, node: str, property_: str) -> set[str]:
        quads = self._quads.quads_for_pattern(NamedNode(node), node_of(property_), None, None)
        return {cast(NamedNode, quad.object).value for quad in quads}

    def _subjects(self, property_: str, node: str) -> set[str]:
        quads = self._quads.quads_for_pattern(None, node_of(property_), NamedNode(node), None)
        return {cast(NamedNode, quad.subject).value for quad in quads}

    def _neighbors(self, node: str) -> set[str]:
        if node.startswith((_CARD, _TOKEN)):
            # What defines a keyword ability is reached by the keyword.
            found = self._objects(node, "citesRule") - self._defining
            for way in KEYWORD_TIES:
                found |= self._objects(node, way)
            for face in self._objects(node, "hasFace"):
                found |= self._objects(face, "hasType")
            return found
        kind = type_of(compact(node))
        found = set()
        for _, property_, types in LINKS:
            if kind in types.split():
                found |= self._objects(node, property_) | self._subjects(property_, node)
        if kind == "rule":
            found |= self._subjects("definedBy", node) | self._subjects("refersTo", node)
            if node not in self._defining:
                found |= self._subjects("citesRule", node)
        elif kind == "keyword":
            for way in KEYWORD_TIES:
                found |= {each for each in self._subjects(way, node) if each.startswith((_CARD, _TOKEN))}
        elif kind == "type":
            for face in self._subjects("hasType", node):
                found |= self._subjects("hasFace", face)
        return found

    @cached_property
    def _defining(self) -> frozenset[str]:
        """The rules that define keyword abilities."""
        return frozenset(
            rule
            for keyword in self._subjects("class", expand("mtg:KeywordAbility"))
            for rule in self._objects(keyword, "definedBy")
        )

    def _step(self, source: str, target: str) -> Step:
        for forward, one, other in ((True, source, target), (False, target, source)):
            if type_of(one) == "card":
                ties = [tie for tie in self.reader.ties(one) if tie.target == other]
                if ties:
                    relation = ties[0].relation
                    evidence = tuple(tie.evidence for tie in ties if tie.relation == relation)
                    return Step(source, target, relation, forward, evidence)
                if type_of(other) == "type":
                    return Step(source, target, "has_type", forward, ())
            for relation, property_, types in LINKS:
                if type_of(one) in types.split() and other in self.reader.objects(one, property_):
                    return Step(source, target, relation, forward, ())
        raise AssertionError(f"nothing ties {source} to {target}")
