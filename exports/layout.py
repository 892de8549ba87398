"""Places for the nodes of a view, so that the browser need not search for them.

Stress majorization (Gansner, Koren and North 2004) on distances and first places from rustworkx, then boxes
pushed apart. The physics of vis-network would take 17 s for 300 nodes; this takes half a second.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

__all__ = ["layout"]

_SEED = 2026
_EDGE = 105.0
"""Wanted length of an edge, in pixels at a zoom of 1."""
_BOX = (118.0, 46.0)
"""The room that a node and its label take, in the same pixels; `place.js` has the same."""


def layout(graph: nx.MultiDiGraph) -> dict[str, tuple[int, int]]:
    """A place for each node, in pixels at a zoom of 1; the same graph has the same places."""
    import rustworkx as rx

    nodes = sorted(graph)
    if len(nodes) == 1:
        return {nodes[0]: (0, 0)}
    index = {node: number for number, node in enumerate(nodes)}
    plain: rx.PyGraph[int, float] = rx.PyGraph(multigraph=False)
    plain.add_nodes_from(range(len(nodes)))
    plain.add_edges_from(sorted({(index[a], index[b], _EDGE) for a, b in graph.edges() if a != b}))
    start = rx.spring_layout(plain, seed=_SEED, num_iter=60)
    places = np.array([start[number] for number in range(len(nodes))])
    # A busy node needs longer edges, or its neighbors would have to stand on each other.
    reach = [max(1.0, math.sqrt(plain.degree(number) / 8.0)) for number in range(len(nodes))]
    for one, other, _ in plain.weighted_edge_list():
        plain.update_edge(one, other, _EDGE * (0.4 + 0.6 * max(reach[one], reach[other])))
    lengths = rx.floyd_warshall_numpy(plain, weight_fn=float)
    farthest = float(lengths[np.isfinite(lengths)].max())
    lengths = np.where(np.isfinite(lengths), lengths, farthest + _EDGE)
    places = _stress(places * _EDGE, lengths)
    places *= (1.25, 1.0)
    # Enough room for all boxes, and half as much again between them, before they are pushed apart.
    width, height = np.maximum(np.ptp(places, axis=0), _BOX)
    places *= max(1.0, np.sqrt(1.5 * len(nodes) * _BOX[0] * _BOX[1] / (width * height)))
    places = _spread(places)
    places -= (places.max(axis=0) + places.min(axis=0)) / 2
    return {node: (round(float(x)), round(float(y))) for node, (x, y) in zip(nodes, places, strict=True)}


def _stress(places: NDArray[Any], lengths: NDArray[Any]) -> NDArray[Any]:
    """Move `places` (n × 2) so that distances come near `lengths` (n × n), near ones counting most."""
    wanted = lengths.copy()
    np.fill_diagonal(wanted, 1.0)
    weight = wanted**-2.0
    np.fill_diagonal(weight, 0.0)
    # What is multiplied by it has columns that sum to 0, so this inverse does as the pseudoinverse would.
    inverse = np.linalg.inv(np.diag(weight.sum(axis=1)) - weight + 1 / len(places))
    pull = weight * wanted
    for _ in range(60 if len(places) <= 300 else 20):
        x, y = places.T
        distances = np.sqrt(np.subtract.outer(x, x) ** 2 + np.subtract.outer(y, y) ** 2)  # faster than hypot
        ratio = pull / np.maximum(distances, 1e-6)
        places = inverse @ (ratio.sum(axis=1)[:, None] * places - ratio @ places)
    return places


def _spread(places: NDArray[Any]) -> NDArray[Any]:
    """Push nodes apart until their boxes, which hold the labels, overlap no more (or nearly so)."""
    box = np.array(_BOX)
    for _ in range(120):
        order = np.argsort(places[:, 0], kind="stable")
        sorted_ = places[order]
        move = np.zeros_like(sorted_)
        for step in range(1, len(sorted_)):
            away = sorted_[step:] - sorted_[:-step]
            overlap = box - np.abs(away)
            if not (overlap[:, 0] > 0).any():
                break  # sorted by x: nodes further along the row are further away
            overlap[(overlap <= 0).any(axis=1)] = 0
            along_x = overlap[:, 0] / box[0] <= overlap[:, 1] / box[1]
            push = overlap * np.where(away < 0, -1.0, 1.0) * np.stack([along_x, ~along_x], axis=1) * 0.35
            move[step:] += push
            move[:-step] -= push
        if np.abs(move).max() < 1:
            break
        places[order] += move
    return places
