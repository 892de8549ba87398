"""One page that shows a part of the graph: a NetworkX graph comes in, one HTML file goes out.

pyvis 0.3.2 exports nodes, edges and options; the page around them is ours (`web/`), with the
scripts of vis-network taken from the pyvis package, so that the file needs no network at all. Its
own template is not used: it asks two content delivery networks and writes names as markup.
Names and texts reach the page as JSON only, and the scripts put them there as text nodes.

A file shows at most 150 nodes when it is opened; the others that it holds are a reserve that is drawn from
when a node is expanded. The same page and scripts, served, have no nodes and fetch them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardlaw.graph.network import RELATIONS
from cardlaw.ontology.namespaces import MTG, PREFIXES

from .layout import layout

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

__all__ = [
    "ASSETS",
    "MAX_NODES",
    "MAX_SHOWN",
    "NODE_TYPES",
    "OPTIONS",
    "asset",
    "edge_record",
    "node_record",
    "served_html",
    "view_html",
    "words_for_the_page",
    "write_view",
]

MAX_NODES = 1000
"""A page with more nodes than this is refused: no browser draws it readably."""
MAX_SHOWN = 150
"""So many nodes are drawn at the opening."""

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

_SCRIPTS = (
    *("dom", "files", "lists", "listkeep", "listfiles", "listadd"),
    *("model", "ways", "source", "state", "place", "labels", "canvas", "menu", "legend", "panel"),
    *("table", "turtle", "save", "search", "explorer", "keys", "main"),
)
"""The modules of `web/`, each after those that it imports."""
_ALONG = frozenset({"has_face", "has_ability", "defined_by"})
"""A card brings its parts along, a keyword its rule: these are no step away."""
_LIBRARY = "vis-network.min.js"

ASSETS: Mapping[str, str] = {
    **{f"{name}.js": "text/javascript" for name in (*_SCRIPTS, _LIBRARY.removesuffix(".js"))},
    **dict.fromkeys(("view.css", "listadd.css"), "text/css"),
}
"""What a served page asks for → its media type."""

OPTIONS: Mapping[str, Any] = {
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
    graph: nx.MultiDiGraph,
    path: str | Path,
    *,
    focus: Sequence[str] = (),
    title: str,
    release: str,
    shown: Sequence[str] | None = None,
    depth: int | None = None,
) -> None:
    """Write `view_html(graph, …)` to `path` as UTF-8, whatever the locale says.

    Raises:
        ValueError: as `view_html` does.
        CardlawError: if the file cannot be written; an earlier one stays as it was.
    """
    from .files import write_file

    html = view_html(graph, focus=focus, title=title, release=release, shown=shown, depth=depth)
    write_file([html.encode()], Path(path))


def view_html(
    graph: nx.MultiDiGraph,
    *,
    focus: Sequence[str] = (),
    title: str,
    release: str,
    shown: Sequence[str] | None = None,
    depth: int | None = None,
) -> str:
    """A self-contained page that draws `graph`.

    Args:
        graph: nodes with `type`, `label`, `title`, `text`, `iri` and `hidden` or `more`, edges with
            `relation`, `label`, `inverse` and `evidence`, as `cardlaw.graph.network` makes them. The
            order of the nodes says which are the most telling.
        focus: the nodes that the view is about; the first one is open in the panel.
        title: what is shown, as a heading.
        release: effective date of the rulebook, "2026-01-16".
        shown: the nodes that are drawn at the opening; None: the nearest to `focus`, at most `MAX_SHOWN`.
        depth: how many steps these are from `focus`; None: as far as the farthest of them.

    Raises:
        ValueError: if the graph is empty or has more than `MAX_NODES` nodes.
    """
    if not graph:
        raise ValueError("nothing to show: the graph has no nodes")
    if len(graph) > MAX_NODES:
        raise ValueError(f"{len(graph)} nodes are more than a page can show ({MAX_NODES}): lower the limit")
    focus = [node for node in focus if node in graph]
    away = _distances(graph, focus)
    if shown is None:
        shown = sorted(graph, key=lambda node: away.get(node, len(graph)))[:MAX_SHOWN]
    if depth is None:
        depth = max((away.get(node, 0) for node in shown), default=0) if focus else 0
    network = _network(graph, layout(graph.subgraph(shown)))
    about = words_for_the_page(release) | {
        "title": title,
        "focus": focus,
        "shown": list(shown),
        "depth": depth,
    }
    network.templateEnv.globals.update(page_title=title, about=about, served="")
    html: str = network.generate_html()
    return html


def served_html(
    release: str, *, title: str = "Explore", assets: str = "/assets/", base: str = "/explore/"
) -> str:
    """The same page, for a server: it fetches what it shows.

    Args:
        release: effective date of the rulebook.
        title: heading while nothing is shown.
        assets: address below which `ASSETS` are served.
        base: address below which graph, expand, search and paths answer.
    """
    import json

    about = words_for_the_page(release) | {"title": title, "focus": [], "shown": [], "depth": 1}
    template = _environment().from_string(_web("view.html"))
    html: str = template.render(
        page_title=title,
        about=about | {"source": {"base": base}},
        served=assets,
        nodes=[],
        edges=[],
        options=json.dumps(OPTIONS),
    )
    return html


def asset(name: str) -> bytes:
    """One of `ASSETS`."""
    return (_library() if name == _LIBRARY else _web(name)).encode()


def words_for_the_page(release: str) -> dict[str, Any]:
    """What the page knows of types, relations and prefixes, whatever it shows."""
    return {
        "release": release,
        "source": None,
        "prefixes": dict(PREFIXES),
        "types": {
            name: {"one": one, "many": many, "shape": shape, "size": size}
            for name, (one, many, shape, size) in NODE_TYPES.items()
        },
        "relations": {
            name: {"label": label, "inverse": inverse, "definition": _definitions().get(name, "")}
            for name, (label, inverse) in RELATIONS.items()
        },
    }


def node_record(node: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """A node as the page takes it, from the data of a NetworkX graph."""
    more = data.get("more")
    if more is None:
        more = {"is tied to": data["hidden"]} if data.get("hidden") else {}
    record = {
        "id": node,
        "kind": data["type"],
        "label": data["label"],
        "heading": data.get("title") or "",
        "words": data.get("text") or "",
        "iri": data.get("iri") or "",
        "more": dict(more),
    }
    return record | {name: data[name] for name in ("x", "y", "url") if data.get(name) is not None}


def edge_record(number: int, source: str, target: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """An edge as the page takes it; `number` tells it from others of the same answer."""
    return {
        "id": f"e{number}",
        "from": source,
        "to": target,
        "relation": data["relation"],
        "forward": data["label"],
        "backward": data.get("inverse") or "",
        "evidence": list(data.get("evidence") or ()),
    }


def _distances(graph: nx.MultiDiGraph, focus: Sequence[str]) -> dict[str, int]:
    """Steps from `focus`; what comes along with a node is no step away."""
    away = dict.fromkeys(focus, 0)
    waiting = deque(focus)
    while waiting:
        node = waiting.popleft()
        found = [(other, data["relation"], True) for _, other, data in graph.out_edges(node, data=True)]
        found += [(other, data["relation"], False) for other, _, data in graph.in_edges(node, data=True)]
        for other, relation, out in found:
            along = relation in _ALONG if out else relation == "part_of"
            steps = away[node] + (not along)
            if steps < away.get(other, len(graph)):
                away[other] = steps
                (waiting.appendleft if along else waiting.append)(other)
    return away


def _network(graph: nx.MultiDiGraph, places: Mapping[str, tuple[int, int]]) -> Any:
    """A pyvis network with our template, filled from `graph`.

    No node gets a pyvis `title`, which is written as markup, or `hidden`, which vis-network obeys.
    """
    from markupsafe import Markup
    from pyvis.network import Network  # type: ignore[import-untyped]

    network = Network(directed=True, cdn_resources="in_line")
    network.templateEnv = _environment()
    network.path = "view.html"
    network.templateEnv.globals.update(
        vis_script=Markup(_library()),
        our_script=Markup(_bundle()),
        our_style=Markup(_web("view.css") + _web("listadd.css")),
    )
    network.options = dict(OPTIONS)
    for node, data in graph.nodes(data=True):
        x, y = places.get(node, (None, None))
        record = node_record(node, {**data, "x": x, "y": y})
        network.add_node(record.pop("id"), shape=NODE_TYPES[data["type"]][2], **record)
    edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3])
    for number, (source, target, _, data) in enumerate(edges):
        record = edge_record(number, source, target, data)
        network.add_edge(record.pop("from"), record.pop("to"), **record)
    return network


def _environment() -> Any:
    from jinja2 import DictLoader, Environment  # slow, and only for views

    made = Environment(
        loader=DictLoader({"view.html": _web("view.html")}),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return made


@cache
def _definitions() -> Mapping[str, str]:
    """Relation → what the ontology says of its property."""
    from pyoxigraph import Literal, RdfFormat, parse

    ontology = files("cardlaw.ontology").joinpath("cardlaw.ttl").read_bytes()
    comments = {
        quad.subject.value.removeprefix(MTG): quad.object.value
        for quad in parse(ontology, RdfFormat.TURTLE)
        if quad.predicate.value == PREFIXES["rdfs"] + "comment" and isinstance(quad.object, Literal)
    }
    found = {}
    for relation in RELATIONS:
        camel = "".join(map(str.capitalize, relation.split("_")))
        found[relation] = (
            comments.get(f"invokesAs{camel}") or comments.get(camel[0].lower() + camel[1:]) or ""
        )
    return found


@cache
def _web(name: str) -> str:
    return files("cardlaw.exports").joinpath("web", name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    """vis-network 9.1.2, as it comes with pyvis."""
    path = files("pyvis").joinpath("templates", "lib", "vis-9.1.2", _LIBRARY)
    return path.read_text(encoding="utf-8")


@cache
def _bundle() -> str:
    """Our modules as one, since a page without a server cannot import: names are unique over all of them."""
    whole = "\n".join(_web(f"{name}.js") for name in _SCRIPTS)
    return re.sub(
        r"^import .*?;\n|^export (?=(?:async )?function |const |class )", "", whole, flags=re.M | re.S
    )
