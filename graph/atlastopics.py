"""What the map of the graph is about: ties come in, topics and regions go out.

A topic is a rule that is much invoked, or defines a keyword, with its subrules, keyword and glossary terms. A
card belongs to the topic that tells most of it: a rule that few cards invoke rather than one that half of
them do (creatures, 302, are 19,034; target, 115.1, 11,942), and what it has or does rather than what
kind of thing it is. Topics that are invoked together more often than by chance are one region (Louvain:
Blondel, Guillaume, Lambiotte and Lefebvre 2008); ties by chance, of rules that everything invokes, tie none.
Of the whole corpus come 604 topics in 49 regions, in 1 s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["CITATIONS", "RELATIONS", "Floats", "Ints", "Nodes", "Topics", "topics"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

RELATIONS: Mapping[str, float] = {
    "has_keyword": 1.0,
    "grants_keyword": 0.8,
    "loses_keyword": 0.8,
    "mentions_keyword": 0.9,
    "keyword_action": 0.85,
    "trigger_event": 0.75,
    "effect": 0.75,
    "cost": 0.65,
    "defined_term": 0.55,
    "turn_part": 0.55,
    "zone": 0.5,
    "card_type": 0.4,
    "ability_kind": 0.2,
    "defined_by": 0.0,
    "parent": 0.25,
    "refers_to": 0.12,
    "variant_of": 0.25,
    "see": 0.1,
}
"""Relations from the lowest bit, citations of cards first; how much a tie tells, rarity not counted."""

CITATIONS = (*RELATIONS,)[: [*RELATIONS].index("defined_by")]
"""Those of them that cards have."""

_SEED = 2026
_LEAST = 12  # cards that make a rule without a keyword a topic of its own
_FEW = 10  # cards: what so few have in common is half as telling as its rarity has it
_NEAREST = 8  # topics that a topic is tied to, besides those that are tied to it
_RESOLUTION = 3.0  # of Louvain: more makes more regions
_NAMELESS = 0.5  # of a rule without a heading: how little it is liked for the name of a region


class Nodes(Struct, frozen=True):
    """The graph as numbers: keywords, rules in the order of the book and terms, then the cards."""

    kinds: Sequence[str]  # of all but the cards: "keyword", "rule" or "term"
    names: Sequence[str]  # of the same; of a rule its heading, "" if it has none
    cards: int  # how many
    ends: Ints  # of the ties: n × 2
    bits: Ints  # of the ties: the relations, as bits in the order of `RELATIONS`

    def of(self, relation: str) -> list[tuple[int, int]]:
        """Ties of a relation, source and target."""
        bit = 1 << [*RELATIONS].index(relation)
        return [(source, target) for source, target in self.ends[self.bits & bit != 0].tolist()]


class Topics(Struct, frozen=True):
    """Topics and regions, the biggest regions first; −1 is none."""

    of: Ints  # node → topic
    next: Ints  # node → the topic that tells most after that; −1 but for cards
    telling: Floats  # node → how much its topic tells of it; 0 but for cards
    head: Ints  # topic → the node in the middle: the keyword or the rule
    cards: Ints  # topic → how many cards invoke it
    near: Floats  # topic × topic: how near they are to each other; of most pairs 0
    region: Ints  # topic → region
    named: Sequence[Sequence[int]]  # region → the topics that tell it from others, first the most telling


def topics(nodes: Nodes) -> Topics:
    """Find the topics, the cards of each, and the regions."""
    of, head = _heads(nodes)
    first, total = len(nodes.kinds), len(head)
    card, topic, weight = _invoked(nodes, of, total)
    cards = np.bincount(topic, minlength=total)
    rarity = np.log(np.maximum(nodes.cards, 1) / np.maximum(cards, 1)) * cards / (cards + _FEW)
    telling = weight * rarity[topic]
    order = np.lexsort((-telling, card))
    starts = np.flatnonzero(np.diff(card[order], prepend=-1))
    best = order[starts]
    after = order[np.minimum(starts + 1, max(len(order) - 1, 0))]
    after = after[card[after] == card[best]]
    whole = np.concatenate([of, np.full(nodes.cards, -1)])
    next_, told = np.full_like(whole, -1), np.zeros(len(whole))
    whole[first + card[best]] = topic[best]
    told[first + card[best]] = telling[best]
    next_[first + card[after]] = topic[after]
    next_[next_ == whole] = -1  # a card with one topic
    near = _near(nodes, of, card, topic, weight, cards)
    region = _regions(near, np.bincount(whole[whole >= 0], minlength=total))
    named = _named(nodes, head, region, cards, whole[first:], card, topic)
    return Topics(
        of=whole, next=next_, telling=told, head=head, cards=cards, near=near, region=region, named=named
    )


def _heads(nodes: Nodes) -> tuple[Ints, Ints]:
    """The topic of each node but cards, and the head of each topic."""
    first = len(nodes.kinds)
    cards = np.bincount(nodes.ends[nodes.ends[:, 0] >= first, 1], minlength=first)
    parent = dict(nodes.of("parent"))
    defined = dict(reversed(nodes.of("defined_by")))
    keyword = {rule: name for name, rule in sorted(defined.items(), reverse=True)}
    of = np.full(first, -1)
    head: list[int] = []

    def found(node: int, at: int) -> None:
        of[node] = len(head)
        head.append(at)

    for node in range(first):
        if nodes.kinds[node] == "rule" and (above := parent.get(node)) is not None:
            if node in keyword or above not in parent or cards[node] >= _LEAST:
                found(node, keyword.get(node, node))
            else:
                of[node] = of[above]
    for section, chapter in reversed(nodes.of("parent")):
        if nodes.kinds[chapter] == "rule" and chapter not in parent:
            of[chapter] = of[section]  # a chapter stands with its first section
    elsewhere: dict[int, list[int]] = defaultdict(list)
    for relation in ("variant_of", "refers_to", "see"):
        for source, target in nodes.of(relation):
            elsewhere[source].append(target)
    for node in range(first):
        if nodes.kinds[node] == "keyword" and node in defined:
            of[node] = of[defined[node]]
    named = {name: of[node] for node, name in reversed([*enumerate(nodes.names)]) if name and of[node] >= 0}
    for _ in range(3):  # a term that only points to terms
        for node in range(first):
            if of[node] < 0 and nodes.kinds[node] != "rule":
                pointed = [of[target] for target in elsewhere[node] if of[target] >= 0]
                of[node] = pointed[0] if pointed else named.get(nodes.names[node], -1)
    for node in range(first):
        if of[node] < 0 and nodes.kinds[node] != "term":  # a chapter that holds nothing, or the like
            found(node, node)
    lost = np.flatnonzero(of < 0)  # terms that point nowhere, most of them obsolete
    if len(lost):
        of[lost] = len(head)
        head.append(int(lost[0]))
    return of, np.array(head, dtype=np.int64)


def _invoked(nodes: Nodes, of: Ints, total: int) -> tuple[Ints, Ints, Floats]:
    """Each pair of a card and a topic that it invokes, with the weight of its most telling relation."""
    first = len(nodes.kinds)
    cited = (nodes.ends[:, 0] >= first) & (nodes.bits < 1 << len(CITATIONS))
    ends, bits = nodes.ends[cited], nodes.bits[cited]
    weight = np.zeros(len(ends))
    for number, each in enumerate(RELATIONS.values()):
        weight = np.maximum(weight, np.where(bits >> number & 1, each, 0.0))
    pair = (ends[:, 0] - first) * total + of[ends[:, 1]]
    order = np.lexsort((-weight, pair))
    pair, weight = pair[order], weight[order]
    once = np.flatnonzero(np.diff(pair, prepend=-1))
    return pair[once] // total, pair[once] % total, weight[once]


def _near(nodes: Nodes, of: Ints, card: Ints, topic: Ints, weight: Floats, cards: Ints) -> Floats:
    """How near topics are: how much more cards invoke both than by chance, and what the rulebook says."""
    total = len(cards)
    both = np.zeros(total * total)
    starts = np.flatnonzero(np.diff(card, prepend=-1))
    lengths = np.diff(np.append(starts, len(card)))
    for length in np.unique(lengths).tolist():
        rows = starts[lengths == length][:, None] + np.arange(length)
        one, other = np.triu_indices(length, 1)
        pairs = topic[rows[:, one]] * total + topic[rows[:, other]]
        shared = np.minimum(weight[rows[:, one]], weight[rows[:, other]])
        both += np.bincount(pairs.ravel(), weights=shared.ravel(), minlength=total * total)
    together: Floats = both.reshape(total, total)
    together = together + together.T
    product = np.maximum(np.outer(cards, cards), 1.0)
    lift = np.log(np.maximum(together * max(nodes.cards, 1) / product, 1.0))
    near: Floats = lift * together / (together + 8) * np.sqrt(together / np.sqrt(product))
    said = np.zeros_like(near)
    section = dict(nodes.of("parent"))
    for relation in ("parent", "refers_to", "variant_of", "see"):
        for source, target in nodes.of(relation):
            one, other = of[source], of[target]
            # Keywords are no nearer to each other for standing under one section (CR 701, 702).
            if relation != "parent" or nodes.names[source] == "" or target not in section:
                said[one, other] += RELATIONS[relation]
                said[other, one] += RELATIONS[relation]
    near += np.minimum(said, 0.6) / 2
    np.fill_diagonal(near, 0.0)
    alone = near.sum(axis=1) == 0
    for source, target in section.items():  # but one that nothing else is near to stands there
        one, other = of[source], of[target]
        if alone[one] and target in section and one != other:
            near[one, other] = near[other, one] = RELATIONS["parent"] / 2
    nearest = np.argsort(-near, axis=1, kind="stable")[:, :_NEAREST]
    kept = np.zeros(near.shape, dtype=bool)
    kept[np.arange(total)[:, None], nearest] = True
    return np.where(kept | kept.T, near, 0.0)


def _regions(near: Floats, size: Ints) -> Ints:
    """Region of each topic; regions are numbered from the one with the most nodes."""
    import networkx as nx  # type: ignore[import-untyped]  # slow, and only needed here

    graph = nx.Graph()
    graph.add_nodes_from(range(len(near)))
    one, other = np.nonzero(np.triu(near))
    graph.add_weighted_edges_from(zip(one.tolist(), other.tolist(), near[one, other].tolist(), strict=True))
    found = nx.community.louvain_communities(graph, seed=_SEED, resolution=_RESOLUTION)
    region = np.zeros(len(near), dtype=np.int64)
    for number, members in enumerate(sorted(found, key=lambda each: (-size[sorted(each)].sum(), min(each)))):
        region[list(members)] = number
    return region


def _named(
    nodes: Nodes, head: Ints, region: Ints, cards: Ints, of: Ints, card: Ints, topic: Ints
) -> list[list[int]]:
    """The topics that tell most of each region: common on its cards, rare on others (tf-idf)."""
    share = cards / max(nodes.cards, 1)
    has_name = np.array([nodes.names[node] != "" for node in head.tolist()])
    home = np.where(of >= 0, region[of], -1)
    named = []
    for number in range(int(region.max(initial=-1)) + 1):
        size = int(np.count_nonzero(home == number))
        inside = np.bincount(topic[home[card] == number], minlength=len(head)) / max(size, 1)
        score = inside * np.log(np.maximum(inside / np.maximum(share, 1e-9), 1.0))
        score = np.where(has_name, score, score * _NAMELESS)
        members = np.flatnonzero(region == number)
        named.append(members[np.argsort(-score[members], kind="stable")][:3].tolist())
    return named
