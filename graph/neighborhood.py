"""What lies around some nodes of the graph, as a NetworkX graph within a budget, and what else there is.

The most telling neighbors come first, as `ranking` has it; nodes and edges are as in `network`. A tie between
a card and a hub, to which more than 1,500 cards are tied, is drawn only where one of them is in focus.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx  # type: ignore[import-untyped]
import numpy as np

from cardlaw.ontology.namespaces import compact

from .adjacency import NAMES
from .errors import QueryError, UnknownNodeError
from .lookup import Evidence, Lookup, type_of
from .network import LINKS, NODE_TYPES, RELATIONS, add_edge, add_nodes
from .ranking import Walk

if TYPE_CHECKING:
    from .store import Store

__all__ = [
    "HARD_LIMIT",
    "OPENING",
    "STEP",
    "Expansion",
    "Neighborhood",
    "between",
    "expand",
    "focus_of",
    "neighborhood",
]

OPENING = 150
"""So many nodes a view opens with at most."""
HARD_LIMIT = 1000
"""So many it has at most; what is not shown at the opening is a reserve."""
STEP = 25
"""So many come when a node is expanded."""

_UNPROVED = frozenset({"has_type", *(relation for relation, _, _ in LINKS)})
"""Relations that follow from no words of a card."""
_OF_PARTS = (RELATIONS["has_face"][0], RELATIONS["has_ability"][0])
_PHRASES = frozenset(phrase for phrases in RELATIONS.values() for phrase in phrases)


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
    walk = Walk(store, focus_of(store, nodes))
    walk.take_apart(max(limit, len(walk.focus)))
    for step in range(depth):
        walk.step(limit * (2 + step) // (1 + depth))
    shown = tuple(walk.chosen)
    if depth and hold > len(shown):
        walk.widen(hold)
    return _drawn(walk, shown)


def between(store: Store, nodes: Iterable[str], focus: Sequence[str] = ()) -> Neighborhood:
    """These nodes and all edges between them.

    Raises:
        QueryError: one of `focus` is not in the graph, or cannot be drawn.
    """
    walk = Walk(store, focus_of(store, focus))
    walk.choose(nodes, HARD_LIMIT)
    for node in walk.chosen:
        if (number := walk.ties.number.get(node)) is not None:
            walk.in_focus[number] = True
    return _drawn(walk, tuple(walk.chosen))


class Expansion(NamedTuple):
    """What a graph that somebody looks at grows by."""

    graph: nx.MultiDiGraph  # the new nodes with their data, the others bare; the ties of the new ones
    new: tuple[str, ...]
    more: Mapping[str, Mapping[str, int]]  # of the new nodes and the one that was expanded


def expand(
    store: Store, node: str, phrase: str | None = None, have: Iterable[str] = (), limit: int = STEP
) -> Expansion:
    """More neighbors of a node, the most telling first.

    Args:
        node: prefixed name.
        phrase: how the ties read from the node, as `Neighborhood.more` has it; None for all.
        have: what is there already; what is no node is left out.
        limit: how many to add.

    Raises:
        QueryError: the node is not in the graph, or nothing is tied by such a phrase.
    """
    (node,) = focus_of(store, [node])
    if phrase is not None and phrase not in _PHRASES:
        raise QueryError(f"no ties read “{phrase}”: give one of the phrases that a node has in “more”")
    walk = Walk(store, ())
    known = (each for each in have if each in walk.ties.number or _is_part(walk, each))
    walk.choose([node, *known], sys.maxsize)
    before = len(walk.chosen)
    if node in walk.ties.number:
        found = walk.around(node, limit, phrase)
        if type_of(node) == "card" and phrase in (None, *_OF_PARTS):
            found = [*walk.parts(node), *found] if phrase else [*found, *walk.parts(node)]
    else:
        found = _of_part(walk, node, phrase)
    new = tuple(walk.choose(found, before + limit))
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(walk.chosen)
    add_nodes(graph, walk.reader, new)
    _tie_up(graph, walk, new, {node})
    return Expansion(graph, new, more_of(walk, graph, [node, *new]))


def _of_part(walk: Walk, node: str, phrase: str | None) -> list[str]:
    """What a face or ability leads to, its own before what it is part of."""
    found = [other for said, other in _ties_of_part(walk, node) if phrase in (None, said)]
    rarity = walk.ranks.rarity
    return sorted(
        found, key=lambda each: -rarity[walk.ties.number[each]] if each in walk.ties.number else 0.0
    )


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
        if not _is_there(reader, node):
            raise UnknownNodeError(node)
    return focus


def _is_there(reader: Lookup, node: str) -> bool:
    try:
        return reader.value(node, "label") is not None
    except ValueError:  # no IRI
        return False


def _is_part(walk: Walk, node: str) -> bool:
    return type_of(node) in ("face", "ability") and _is_there(walk.reader, node)


def _drawn(walk: Walk, shown: tuple[str, ...]) -> Neighborhood:
    """What was chosen, as a graph."""
    graph = nx.MultiDiGraph()
    add_nodes(graph, walk.reader, walk.chosen, walk.focus)
    exempt = {walk.ties.nodes[number] for number in np.flatnonzero(walk.in_focus)}
    _tie_up(graph, walk, graph, exempt)
    more = more_of(walk, graph)
    for node, hidden in more.items():
        graph.nodes[node]["more"] = hidden
        graph.nodes[node]["hidden"] = sum(hidden.values())
    return Neighborhood(graph, shown, more, walk.focus)


def _tie_up(graph: nx.MultiDiGraph, walk: Walk, new: Iterable[str], exempt: Collection[str]) -> None:
    """Draw the ties of `new` nodes, in a graph that holds them, with all others of the graph.

    Between a card and a hub there is an edge only if one of them is exempt.
    """
    ties = walk.ties
    cards: dict[str, str] = {}  # part -> its card, drawn or not
    parts: dict[str, list[str]] = {}  # card -> those of its parts that are drawn
    numbers: set[int] = set()
    for node in graph:
        if type_of(node) in ("face", "ability"):
            cards[node] = walk.owner(node)
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
            _tie_part(graph, walk, node, cards[node])
        elif (number := ties.number.get(node)) is not None:
            found = ties.ties_of(number)
            touched.update(found[here[ties.target[found]]].tolist())
            found = ties.ties_to(number)
            touched.update(found[here[ties.source[found]]].tolist())
            for part in parts.get(node, ()):
                _tie_part(graph, walk, part, node)
    for tie in sorted(touched):
        source, target = (ties.nodes[end[tie]] for end in (ties.source, ties.target))
        relation = NAMES[ties.relation[tie]]
        is_hub = ties.is_card[ties.source[tie]] and walk.ranks.hub[ties.target[tie]]
        proofs: dict[str, list[Evidence]] = {}
        for holder, citation in ties.proofs(tie):
            by = holder if holder in graph else source
            if by in graph and (by != source or not is_hub or source in exempt or target in exempt):
                proofs.setdefault(by, []).append(walk.reader.evidence(citation, holder))
        for by, evidence in proofs.items():
            add_edge(graph, by, target, relation, evidence)
        if relation in _UNPROVED and source in graph and not (is_hub and not {source, target} & set(exempt)):
            add_edge(graph, source, target, relation)


def _tie_part(graph: nx.MultiDiGraph, walk: Walk, part: str, card: str) -> None:
    """Tie a face or ability to what it is a part of, as far as that is drawn."""
    if type_of(part) == "face":
        wholes = [(card, part, "has_face")]
    elif above := walk.reader.value(part, "partOf"):
        wholes = [(part, above, "part_of")]
    else:
        face = next(iter(walk.reader.subjects("hasAbility", part)))
        wholes = [(face if face in graph else card, part, "has_ability")]
    for source, target, relation in wholes:
        if source in graph and target in graph:
            add_edge(graph, source, target, relation)


def more_of(
    walk: Walk, graph: nx.MultiDiGraph, nodes: Iterable[str] | None = None
) -> dict[str, dict[str, int]]:
    """For nodes of a graph, how many neighbors are not in it, by how the tie reads from the node."""
    ties = walk.ties
    here = np.zeros(len(ties.nodes), dtype=bool)
    here[[ties.number[node] for node in graph if node in ties.number]] = True
    parts = Counter(
        (walk.owner(node), type_of(node)) for node in graph if type_of(node) in ("face", "ability")
    )
    more = {}
    for node in graph if nodes is None else nodes:
        counts: Counter[str] = Counter()
        if (number := ties.number.get(node)) is None:
            counts.update(said for said, other in set(_ties_of_part(walk, node)) if other not in graph)
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


def _ties_of_part(walk: Walk, node: str) -> Iterator[tuple[str, str]]:
    """How a face or ability is tied to others, and to which."""
    reader, is_face = walk.reader, type_of(node) == "face"
    yield RELATIONS["has_face" if is_face else "has_ability"][1], walk.owner(node)
    for holder, target, relation, _ in reader.ties(node):
        if holder == node:
            yield RELATIONS[relation][0], target
    if is_face:
        for ability in reader.objects(node, "hasAbility"):
            yield RELATIONS["has_ability"][0], ability
    else:
        for above in reader.objects(node, "partOf"):
            yield RELATIONS["part_of"][0], above
        for part in reader.subjects("partOf", node):
            yield RELATIONS["part_of"][1], part
