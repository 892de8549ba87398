"""How two nodes of the graph are tied: the paths that say most.

Half of all cards lie two steps apart, through “creature” or “target”, which says nothing. So a step costs 1
and a node on the way log2(2 + nodes that it leads to): a rule that ten cards share ties them closer than a
hub does, even by a longer way. From both ends at once, the cheapest node first, so that a hub is opened only
where there is no better way (Dijkstra 1959; Pohl 1971).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from itertools import pairwise, starmap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .adjacency import NAMES, Adjacency, Numbers, adjacency
from .errors import QueryError, UnknownNodeError
from .lookup import Evidence, Lookup, type_of
from .network import RELATIONS

if TYPE_CHECKING:
    from .store import Store

__all__ = ["Step", "Way", "paths", "sentence"]

_ENDS = frozenset({"card", "rule", "keyword", "term", "type"})
_REBALANCED = 2.0
"""A card that was rebalanced for digital play costs so much more."""
_MOST = 150_000
"""Edges that are looked at before the search ends with what it has."""
_MET = 200
"""So many of the nodes where both ends meet at a time are looked at, the cheapest first."""
_QUOTES = 2
"""So many quotes of a step a sentence has."""


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

    Of those that differ in the cards on the way only, the cheapest is told. What costs more than twice the
    first is no answer.

    Args:
        source, target: prefixed names of cards, tokens, rules, keywords, terms or types.
        count: how many at most.

    Returns:
        Nothing if no path ties them.

    Raises:
        QueryError: they are the same node, not in the graph, or of another type.
    """
    reader = Lookup(store)
    ties = adjacency(store)
    for node in (source, target):
        if type_of(node) not in _ENDS:
            raise QueryError(f"{node} has no paths: give card:…, rule:…, keyword:…, term:… or type:…")
        if node not in ties.number:
            raise UnknownNodeError(node)
    if source == target:
        raise QueryError(f"{source} is one node: give two that differ")
    found = _Search(ties, ties.number[source], ties.number[target], count).run()
    return [Way(cost, *_told(reader, ties, numbers)) for cost, numbers in found]


def sentence(way: Way, title: Callable[[str], str]) -> str:
    """A path in words, with what proves each step; `title` names a node."""
    said = title(way.nodes[0])
    for number, step in enumerate(way.steps):
        quotes = list(dict.fromkeys(f"“{' '.join(proof['quote'].split())}”" for proof in step.evidence))
        proof = f" ({', '.join(quotes[:_QUOTES])})" if quotes else ""
        said += f"{', which' if number else ''} {step.verb} {title(step.target)}{proof}"
    return f"{said}."


class _Search:
    """Dijkstra's algorithm from both ends, on the numbers of the nodes."""

    def __init__(self, ties: Adjacency, source: int, target: int, count: int) -> None:
        self.ties = ties
        self.count = count
        self.costs = _costs(ties)
        self.costs[[source, target]] = 0.0
        # For each end: what a node costs from there, where it was reached from, and what waits to be opened.
        self.distance = np.full((2, len(ties.nodes)), np.inf)
        self.before = np.full((2, len(ties.nodes)), -1)
        self.distance[0, source] = self.distance[1, target] = 0.0
        self.waiting = ([(0.0, source)], [(0.0, target)])
        self.found: dict[tuple[int, ...], tuple[float, tuple[int, ...]]] = {}  # by what is no card on the way

    def run(self) -> list[tuple[float, tuple[int, ...]]]:
        """Cost and nodes of each path."""
        looked_at = 0
        while all(self.waiting) and looked_at < _MOST:
            nearest = [side[0][0] for side in self.waiting]
            if sum(nearest) >= self.bound:
                break
            side = 0 if nearest[0] <= nearest[1] else 1
            cost, node = heapq.heappop(self.waiting[side])
            if cost > self.distance[side, node] + self.costs[node]:
                continue
            neighbors = self._neighbors(node)
            looked_at += len(neighbors)
            nearer = neighbors[cost + 1 < np.minimum(self.distance[side, neighbors], self.bound)]
            self.distance[side, nearer] = cost + 1
            self.before[side, nearer] = node
            onward = cost + 1 + self.costs[nearer]
            for entry in zip(onward.tolist(), nearer.tolist(), strict=True):
                heapq.heappush(self.waiting[side], entry)
            self._meet(nearer, onward + self.distance[1 - side, nearer])
        bound = self.bound
        return sorted(way for way in self.found.values() if way[0] <= bound)[: self.count]

    @property
    def bound(self) -> float:
        """No path is told that costs more than the last of `count`, or twice the first."""
        costs = sorted(cost for cost, _ in self.found.values())
        last = costs[self.count - 1] if len(costs) >= self.count else math.inf
        return min(2 * costs[0], last) if costs else math.inf

    def _meet(self, nodes: Numbers, totals: Numbers) -> None:
        """Note the paths through nodes that both ends have reached."""
        for at in np.lexsort((nodes, totals))[:_MET]:
            if not totals[at] <= self.bound:
                break
            way = self._through(int(nodes[at]))
            kept = tuple(node for node in way if not self.ties.is_card[node])
            if len(set(way)) == len(way) and (float(totals[at]), way) < self.found.get(kept, (math.inf, ())):
                self.found[kept] = float(totals[at]), way

    def _through(self, middle: int) -> tuple[int, ...]:
        halves: list[list[int]] = []
        for before in self.before:
            half = [middle]
            while (node := int(before[half[-1]])) >= 0:
                half.append(node)
            halves.append(half)
        return (*reversed(halves[0]), *halves[1][1:])

    def _neighbors(self, node: int) -> Numbers:
        ties = self.ties
        ends = np.concatenate((ties.target[ties.ties_of(node)], ties.source[ties.ties_to(node)]))
        return np.unique(ends)


def _costs(ties: Adjacency) -> Numbers:
    """What it costs to pass through each node."""
    leads = sum(np.bincount(ends, minlength=len(ties.nodes)) for ends in (ties.source, ties.target))
    return np.log2(2 + leads) + np.where(ties.rebalanced, _REBALANCED, 0.0)


def _told(
    reader: Lookup, ties: Adjacency, numbers: tuple[int, ...]
) -> tuple[tuple[str, ...], tuple[Step, ...]]:
    """The nodes of a path by name, and its steps."""

    def step(one: int, other: int) -> Step:
        for forward, source, target in ((True, one, other), (False, other, one)):
            for tie in ties.ties_of(source):
                if ties.target[tie] == target:
                    proofs = tuple(
                        reader.evidence(cited.citation, cited.holder) for cited in ties.proofs(int(tie))
                    )
                    relation = NAMES[ties.relation[tie]]
                    return Step(ties.nodes[one], ties.nodes[other], relation, forward, proofs)
        raise AssertionError(f"nothing ties {ties.nodes[one]} to {ties.nodes[other]}")

    return tuple(ties.nodes[number] for number in numbers), tuple(starmap(step, pairwise(numbers)))
