"""One page that shows a part of the graph: a NetworkX graph comes in, one HTML file goes out.

pyvis 0.3.2 exports nodes, edges and options; the page around them is ours (`web/`), with the
scripts of vis-network taken from the pyvis package, so that the file needs no network at all. Its
own template is not used: it asks two content delivery networks and writes names as markup.
Names and texts reach the page as JSON only, and the scripts put them there as text nodes.

Places are computed here (stress majorization, Gansner, Koren and North 2004, on distances and
first places from rustworkx) with the physics of the browser off: 300 nodes would take it 17 s.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

__all__ = ["MAX_NODES", "NODE_TYPES", "view_html", "write_view"]

MAX_NODES = 1000
"""A page with more nodes than this is refused: no browser draws it readably."""

NODE_TYPES: Mapping[str, tuple[str, str, str, int]] = {
    "card": ("Card", "Cards", "square", 9),
    "face": ("Face", "Faces", "triangleDown", 11),
    "ability": ("Ability", "Abilities", "dot", 9),
    "keyword": ("Keyword", "Keywords", "diamond", 13),
    "rule": ("Rule", "Rules", "hexagon", 11),
    "term": ("Term", "Terms", "triangle", 11),
    "type": ("Type", "Types", "star", 12),
}
"""Type of node → its name, its plural, its shape and its size; the colors stand in `web/view.css`."""

_SCRIPTS = ("dom", "model", "labels", "canvas", "panel", "legend", "search", "main")
"""The modules of `web/`, each after those that it imports."""

_STRUCTURE = frozenset({"has_face", "has_ability", "part_of", "parent", "defined_by", "variant_of"})
"""Relations by which a thing is made up; drawn stronger than those that only point somewhere."""

_SEED = 2026
_EDGE = 105.0
"""Wanted length of an edge, in pixels at a zoom of 1."""
_BOX = (118.0, 46.0)
"""The room that a node and its label take, in the same pixels."""

_OPTIONS: Mapping[str, Any] = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {
        "hover": True,
        "hoverConnectedEdges": False,
        "selectConnectedEdges": False,
        "multiselect": False,
        "tooltipDelay": 0,
        "dragNodes": True,
        "zoomSpeed": 0.6,
    },
    "nodes": {"borderWidth": 1.5, "borderWidthSelected": 1.5},
    "edges": {"arrows": {"to": {"enabled": True, "scaleFactor": 0.4}}, "selectionWidth": 0, "hoverWidth": 0},
}


def write_view(
    graph: nx.MultiDiGraph, path: str | Path, *, focus: Sequence[str] = (), title: str, release: str
) -> None:
    """Write `view_html(graph, …)` to `path` as UTF-8, whatever the locale says.

    Raises:
        ValueError: as `view_html` does.
        CardlawError: if the file cannot be written; an earlier one stays as it was.
    """
    from .files import write_file

    html = view_html(graph, focus=focus, title=title, release=release)
    write_file([html.encode()], Path(path))


def view_html(graph: nx.MultiDiGraph, *, focus: Sequence[str] = (), title: str, release: str) -> str:
    """A self-contained page that draws `graph`.

    Args:
        graph: nodes with `type`, `label`, `title`, `text`, `iri` and `hidden`, edges with
            `relation`, `label`, `inverse` and `evidence`, as `cardlaw.graph.network` makes them.
        focus: the nodes that the view is about; the first one is open in the panel.
        title: what is shown, as a heading.
        release: effective date of the rulebook, "2026-01-16".

    Raises:
        ValueError: if the graph is empty or has more than `MAX_NODES` nodes.
    """
    if not graph:
        raise ValueError("nothing to show: the graph has no nodes")
    if len(graph) > MAX_NODES:
        raise ValueError(f"{len(graph)} nodes are more than a page can show ({MAX_NODES}): lower the limit")
    network = _network(graph, focus, layout(graph))
    network.templateEnv.globals.update(
        page_title=title,
        about={
            "title": title,
            "release": release,
            "focus": [node for node in focus if node in graph],
            "types": {
                name: {"one": one, "many": many, "shape": shape}
                for name, (one, many, shape, _) in NODE_TYPES.items()
            },
        },
    )
    html: str = network.generate_html()
    return html


def _network(graph: nx.MultiDiGraph, focus: Sequence[str], places: Mapping[str, tuple[int, int]]) -> Any:
    """A pyvis network with our template, filled from `graph`.

    No node gets a pyvis `title`, which is written as markup, or `hidden`, which vis-network obeys.
    """
    from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader  # slow, and only for views
    from markupsafe import Markup
    from pyvis.network import Network  # type: ignore[import-untyped]

    network = Network(directed=True, cdn_resources="in_line")
    library = FileSystemLoader(network.template_dir)
    network.templateEnv = Environment(
        loader=ChoiceLoader([DictLoader({"view.html": _web("view.html")}), library]), autoescape=True
    )
    network.templateEnv.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    network.path = "view.html"
    network.templateEnv.globals.update(
        vis_script=Markup(library.get_source(network.templateEnv, "lib/vis-9.1.2/vis-network.min.js")[0]),
        our_script=Markup(_bundle()),
        our_style=Markup(_web("view.css")),
    )
    network.options = dict(_OPTIONS)
    for node in sorted(graph):
        data = graph.nodes[node]
        kind = data["type"]
        _, _, shape, size = NODE_TYPES[kind]
        x, y = places[node]
        network.add_node(
            node,
            label=data["label"],
            shape=shape,
            size=size + 6 if node in focus else size,
            x=x,
            y=y,
            kind=kind,
            heading=data.get("title") or "",
            words=data.get("text") or "",
            iri=data.get("iri") or "",
            more=data.get("hidden") or 0,
        )
    for number, (source, target, data, bend) in enumerate(_bent(graph)):
        network.add_edge(
            source,
            target,
            id=f"e{number}",
            relation=data["relation"],
            forward=data["label"],
            backward=data.get("inverse") or "",
            evidence=list(data.get("evidence") or ()),
            structure=data["relation"] in _STRUCTURE,
            smooth={"type": "curvedCW", "roundness": bend} if bend else False,
        )
    return network


def _bent(graph: nx.MultiDiGraph) -> Iterable[tuple[str, str, Mapping[str, Any], float]]:
    """The edges in a fixed order; those between the same two nodes bend so that each can be seen."""
    between: dict[tuple[str, str], int] = defaultdict(int)
    for source, target, _, data in sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3]):
        pair = (min(source, target), max(source, target))
        turn = between[pair]
        between[pair] += 1
        bend = round(0.14 * ((turn + 1) // 2) * (1 if turn % 2 else -1), 2)
        yield source, target, data, bend if source == pair[0] else -bend


def layout(graph: nx.MultiDiGraph) -> dict[str, tuple[int, int]]:
    """A place for each node, in pixels at a zoom of 1; the same graph has the same places."""
    import rustworkx as rx

    nodes = sorted(graph)
    if len(nodes) == 1:
        return {nodes[0]: (0, 0)}
    index = {node: number for number, node in enumerate(nodes)}
    plain: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
    plain.add_nodes_from(range(len(nodes)))
    plain.add_edges_from_no_data(sorted({(index[a], index[b]) for a, b in graph.edges() if a != b}))
    start = rx.spring_layout(plain, seed=_SEED, num_iter=60)
    places = np.array([start[number] for number in range(len(nodes))])
    apart = rx.distance_matrix(plain, null_value=np.inf)
    farthest = float(apart[np.isfinite(apart)].max())
    apart = np.where(np.isfinite(apart), apart, farthest + 1)
    # A busy node needs longer edges, or its neighbors would have to stand on each other.
    degree = np.array([plain.degree(number) for number in range(len(nodes))], dtype=float)
    reach = np.maximum(1.0, np.sqrt(degree / 8.0))
    lengths = apart * _EDGE + np.where(apart == 1, (np.maximum.outer(reach, reach) - 1) * _EDGE * 0.6, 0.0)
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
        ratio = pull / np.maximum(_distances(places), 1e-6)
        places = inverse @ (ratio.sum(axis=1)[:, None] * places - ratio @ places)
    return places


def _distances(places: NDArray[Any]) -> NDArray[Any]:
    x, y = places[:, 0], places[:, 1]
    distances: NDArray[Any] = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y))
    return distances


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


@cache
def _web(name: str) -> str:
    return files("cardlaw.exports").joinpath("web", name).read_text(encoding="utf-8")


@cache
def _bundle() -> str:
    """Our modules as one, since a page without a server cannot import: names are unique over all of them."""
    whole = "\n".join(_web(f"{name}.js") for name in _SCRIPTS)
    return re.sub(
        r"^import .*?;\n|^export (?=(?:async )?function |const |class )", "", whole, flags=re.M | re.S
    )
