"""A part of the graph as a still picture: what `web/parts.html` needs to draw it in SVG.

It is drawn from the same places as the view that can be moved about in (`view.layout`), needs no script, and
each node is a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .links import Links
from .view import NODE_TYPES, layout

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

__all__ = ["Edge", "Node", "Picture", "picture"]

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


def picture(graph: nx.MultiDiGraph, focus: Sequence[str], links: Links) -> Picture:
    """A still picture of a graph of `cardlaw.graph.network`.

    Args:
        graph: at most `view.MAX_NODES` nodes, one at least.
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
