"""A part of the graph as a still picture: what `web/parts.html` needs to draw it in SVG.

It is drawn from the same places as the view that can be moved about in (`layout`), needs no script, and
each node is a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]

from cardlaw.graph.model import Card, Citation
from cardlaw.graph.naming import card_node
from cardlaw.graph.network import RELATIONS
from cardlaw.graph.reference import KeywordRow
from cardlaw.ontology.namespaces import expand

from .layout import layout
from .links import Links
from .passages import Book
from .viewpage import NODE_TYPES

__all__ = ["Edge", "Node", "Picture", "card_graph", "picture"]

_ROOM = (66, 26, 66, 44)  # for shapes and labels beyond the outermost nodes: left, top, right, bottom
_LINE = 22  # letters of a line of a label


class Node(NamedTuple):
    """A node with its place."""

    type: str
    x: int
    y: int
    lines: list[str]  # of its label
    title: str
    href: str
    is_focus: bool


class Edge(NamedTuple):
    """An edge from place to place."""

    x1: int
    y1: int
    x2: int
    y2: int
    title: str
    relation: str


class Picture(NamedTuple):
    """Nodes and edges in a box."""

    box: tuple[int, int, int, int]  # left, top, width, height
    nodes: list[Node]
    edges: list[Edge]
    types: list[tuple[str, str, int]]  # those that are there: type, its name, how many


def card_graph(card: Card, book: Book) -> nx.MultiDiGraph:
    """A card with its faces, abilities, keywords and rules, without what only reminder text cites.

    It is what `cardlaw.graph.neighborhood` finds one step around a card, made of its record: a
    tenth of the time.
    """
    graph = nx.MultiDiGraph()
    whole = _add(graph, card_node(card.slug), "card", card.name)
    for face in card.faces:
        holder = whole
        if len(card.faces) > 1:
            holder = _add(graph, f"face:{card.slug}.{face.number}", "face", face.name)
            _tie(graph, whole, holder, "has_face")
        _cite(graph, holder, face.citations, book)
        for ability in face.abilities:
            node = _add(graph, f"ability:{card.slug}.{ability.id}", "ability", " ".join(ability.text.split()))
            if ability.parent is None:
                _tie(graph, holder, node, "has_ability")
            else:
                _tie(graph, node, f"ability:{card.slug}.{ability.parent}", "part_of")
            _cite(graph, node, ability.citations, book)
    return graph


def _cite(graph: nx.MultiDiGraph, holder: str, citations: Iterable[Citation], book: Book) -> None:
    for citation in citations:
        if citation.in_reminder:
            continue
        heading = book.words(citation.rule).heading
        rule = _add(graph, f"rule:{citation.rule}", "rule", f"{citation.rule}\n{heading or ''}".rstrip())
        keyword = _keyword(citation, book) if citation.relation.endswith("_keyword") else None
        if keyword is None:
            _tie(graph, holder, rule, citation.relation)
        else:
            node = _add(graph, f"keyword:{keyword.slug}", "keyword", keyword.name)
            _tie(graph, holder, node, citation.relation)
            _tie(graph, node, rule, "defined_by")


def _keyword(citation: Citation, book: Book) -> KeywordRow | None:
    """The keyword that is cited: of those that its rule defines the one that is named, else the first."""
    defined = book.keywords.get(citation.rule, [])
    quote = citation.quote.casefold()
    return next((row for row in defined if quote.startswith(row.name.casefold())), next(iter(defined), None))


def _add(graph: nx.MultiDiGraph, node: str, type_: str, label: str) -> str:
    graph.add_node(node, type=type_, label=label, title=label.replace("\n", " "), iri=expand(node))
    return node


def _tie(graph: nx.MultiDiGraph, source: str, target: str, relation: str) -> None:
    graph.add_edge(source, target, key=relation, relation=relation, label=RELATIONS[relation][0])


def picture(graph: nx.MultiDiGraph, focus: Sequence[str], links: Links) -> Picture:
    """A still picture of a graph of `card_graph` or `cardlaw.graph.neighborhood`.

    Args:
        graph: one node at least.
        focus: what it is a picture of.
        links: where the links of the nodes go.
    """
    places = layout(graph)
    nodes = [
        Node(
            type=data["type"],
            x=places[node][0],
            y=places[node][1],
            lines=[_short(line) for line in data["label"].split("\n")[:2]],
            title=data["title"],
            href=links.node(data["iri"]),
            is_focus=node in focus,
        )
        for node, data in sorted(graph.nodes(data=True))
    ]
    between: dict[tuple[str, str], list[dict[str, str]]] = {}
    for source, target, data in graph.edges(data=True):
        between.setdefault((source, target), []).append(data)
    edges = [
        Edge(
            *places[source],
            *places[target],
            "; ".join(
                f"{graph.nodes[source]['title']} {data['label']} {graph.nodes[target]['title']}"
                for data in many
            ),
            many[0]["relation"],
        )
        for (source, target), many in sorted(between.items())
    ]
    left, top, right, bottom = _ROOM
    xs, ys = [node.x for node in nodes], [node.y for node in nodes]
    box = (min(xs) - left, min(ys) - top, max(xs) - min(xs) + left + right, max(ys) - min(ys) + top + bottom)
    there = [node.type for node in nodes]
    types = [
        (name, one if there.count(name) == 1 else many, there.count(name))
        for name, (one, many, _, _) in NODE_TYPES.items()
        if name in there
    ]
    return Picture(box, nodes, edges, types)


def _short(line: str) -> str:
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"
