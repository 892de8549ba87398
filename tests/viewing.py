"""An invented graph, a page that shows it as a file or from a server, and a browser to look at it with."""

from __future__ import annotations

import itertools
import json
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import networkx as nx  # type: ignore[import-untyped]
import pytest

from cardlaw.exports.layout import layout
from cardlaw.exports.viewpage import ASSETS, asset, edge_record, node_record, served_html

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data: blob: 'self'; "
    "connect-src 'self'"
)
FOCUS = "card:tortoise"
RELEASE = "2031-02-03"
PHRASES = {
    "defined_by": ("is defined by", "defines"),
    "has_ability": ("has the ability", "is an ability of"),
    "effect": ("works by", "is at work in"),
    "cost": ("is paid by", "is a cost in"),
    "zone": ("names the zone", "is a zone named by"),
    "has_keyword": ("has", "is had by"),
    "parent": ("stands under", "holds"),
    "variant_of": ("is a variant of", "has the variant"),
}


def add_node(graph: nx.MultiDiGraph, node: str, label: str, **more: Any) -> None:
    iri = f"https://w3id.org/cardlaw/{node.replace(':', '/', 1)}"
    plain = {"title": label.replace("\n", " "), "text": f"Words of {label}", "iri": iri, "hidden": 0}
    graph.add_node(node, **{"type": node.partition(":")[0], "label": label, **plain, **more})


def add_edge(graph: nx.MultiDiGraph, source: str, target: str, relation: str, quote: str = "") -> None:
    evidence = {
        "quote": quote,
        "field": "oracle_text",
        "start": 6,
        "end": 6 + len(quote),
        "entry": "effect.x",
        "before": "Words ",
        "after": " and more.",
        "rule": "614.1 Replacing",
        "flags": [],
    }
    if source.startswith("ability:"):
        evidence["ability"] = source
    label, inverse = PHRASES[relation]
    graph.add_edge(
        source,
        target,
        key=relation,
        relation=relation,
        label=label,
        inverse=inverse,
        evidence=(evidence,) if quote else (),
    )


def invented(cards: int = 40) -> nx.MultiDiGraph:
    """A card with abilities, rules and keywords, other cards around them."""
    graph = nx.MultiDiGraph()
    add_node(graph, FOCUS, "Ember Tortoise", text="Glimmer\nIf a lantern would dim, point.")
    for number in range(1, 13):
        add_node(graph, f"rule:614.{number}", f"614.{number}\nReplacing", hidden=number * 100)
    add_node(graph, "keyword:glimmer", "Glimmer")
    add_edge(graph, "keyword:glimmer", "rule:614.2", "defined_by")
    for number in (1, 2, 3):
        ability = f"ability:tortoise.1.{number}"
        add_node(graph, ability, f"Ability {number}")
        add_edge(graph, FOCUS, ability, "has_ability")
        add_edge(graph, ability, f"rule:614.{number}", "effect", "instead")
        add_edge(graph, ability, f"rule:614.{number}", "cost", "lantern")
        add_edge(graph, ability, "rule:614.9", "zone", "shell")
    add_edge(graph, "ability:tortoise.1.1", "keyword:glimmer", "has_keyword", "Glimmer")
    for number in range(cards):
        add_node(graph, f"card:other-{number}", f"Other Card {number}")
        add_edge(graph, f"card:other-{number}", f"rule:614.{number % 12 + 1}", "effect", "instead")
    return graph


def world() -> nx.MultiDiGraph:
    """`invented`, with all that is farther away: where the rules stand, a variant, hard names."""
    graph = invented(60)
    for node in graph:
        graph.nodes[node]["hidden"] = 0
    add_node(graph, "rule:614", "614\nReplacement Effects")
    for number in range(1, 13):
        add_edge(graph, f"rule:614.{number}", "rule:614", "parent")
    for letter in "abc":
        add_node(graph, f"rule:614.2{letter}", f"614.2{letter}\nReplacing")
        add_edge(graph, f"rule:614.2{letter}", "rule:614.2", "parent")
    add_node(graph, "keyword:deep-glimmer", "Deep Glimmer")
    add_edge(graph, "keyword:deep-glimmer", "keyword:glimmer", "variant_of")
    add_node(graph, "card:aelfric", "Ælfric, Théoden’s +1 Heir")
    add_node(graph, "card:sum", "=SUM(A1:A9)")
    add_node(graph, "card:lantern", "Lantern Keeper")
    for card in ("aelfric", "sum", "lantern"):
        add_edge(graph, f"card:{card}", "keyword:glimmer", "has_keyword", "Glimmer")
    for number in range(20):  # of the keyword and of the busiest rule
        add_node(graph, f"card:late-{number}", f"Late Card {number}")
        add_edge(graph, f"card:late-{number}", "keyword:glimmer", "has_keyword", "Glimmer")
        add_edge(graph, f"card:late-{number}", "rule:614.1", "effect", "instead")
    return graph


def around(graph: nx.MultiDiGraph, focus: list[str], depth: int) -> list[str]:
    """The nodes within some steps of `focus`, as the page counts them."""
    from cardlaw.exports.viewpage import _distances

    away = _distances(graph, focus)
    return sorted((node for node in graph if away.get(node, 99) <= depth), key=lambda node: away[node])


def shown_at_first(graph: nx.MultiDiGraph) -> list[str]:
    return around(graph, [FOCUS], 1)


# In a browser


@contextmanager
def started() -> Iterator[Any]:
    """Chromium, or the test is skipped."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Any, where: Path | str, hash_: str = "", faults: bool = False, **context: Any
) -> Iterator[Any]:
    """A page that shows a file or address; fails on any console error, dialog or request for anything else.

    Args:
        faults: whether messages on the console are to be expected.
    """
    wrong: list[str] = []
    address = where.as_uri() if isinstance(where, Path) else where
    ours = address if isinstance(where, Path) else address.rpartition("/")[0] + "/"
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context}).new_page()
    page.on("console", lambda message: wrong.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: is_ours(request.url, ours) or wrong.append(request.url))
    page.goto(address + (f"#{hash_}" if hash_ else ""))
    settled(
        page,
        "() => globalThis.cardlaw?.picture.drawn.length > 0 || !document.querySelector('#table').hidden",
        seconds=20,
    )
    try:
        yield page
    finally:
        page.context.close()
    assert faults or wrong == []


def is_ours(address: str, ours: str) -> bool:
    return address.partition("#")[0].startswith(ours) or address.startswith(("data:", "blob:"))


def place(page: Any, node: str) -> tuple[float, float]:
    """Where a node stands on the screen."""
    x, y = page.evaluate("id => { const at = cardlaw.picture.onScreen(id); return [at.x, at.y]; }", node)
    return x, y


def shown(page: Any) -> set[str]:
    """Ids of the nodes in the picture."""
    return set(page.evaluate("[...cardlaw.explorer.visible]"))


def settled(page: Any, function: str, argument: Any = None, seconds: float = 30) -> None:
    """Wait until a function says yes; asked from outside, for the page may evaluate nothing."""
    end = time.monotonic() + seconds
    while not page.evaluate(function, argument):
        assert time.monotonic() < end, f"{function} of {argument} does not come true"
        page.wait_for_timeout(25)


# A server


class Stub(BaseHTTPRequestHandler):
    """Answers as `/explore` does, from `world`."""

    world: nx.MultiDiGraph

    def log_message(self, *arguments: Any) -> None:
        """Nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.answer(body)

    def do_GET(self) -> None:
        self.answer({})

    def answer(self, body: dict[str, Any]) -> None:
        parts = urlsplit(self.path)
        asked: dict[str, Any] = parse_qs(parts.query) | body
        name = parts.path.rpartition("/")[2]
        if name in ASSETS:
            return self.send(200, ASSETS[name], asset(name))
        if parts.path == "/explore":
            return self.send(
                200, "text/html; charset=utf-8", served_html(RELEASE, assets="/assets/").encode()
            )
        if name == "favicon.ico":
            return self.send(204, "image/x-icon", b"")
        try:
            found, code = getattr(self, name)(asked), 200
        except KeyError as error:
            found, code = {"error": f"{error.args[0]} is not in the graph"}, 404
        return self.send(code, "application/json", json.dumps(found).encode())

    def send(self, code: int, media: str, content: bytes) -> None:
        self.send_response(code)
        self.send_header("content-type", media)
        self.send_header("content-security-policy", POLICY)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def records(self, nodes: list[str]) -> dict[str, Any]:
        part = self.world.subgraph(nodes)
        places = layout(part)
        made = []
        for node in nodes:
            more = Counter(phrase for phrase, other in self.neighbors(node) if other not in part)
            x, y = places[node]
            data = {
                **self.world.nodes[node],
                "more": more,
                "x": x,
                "y": y,
                "url": f"/{node.replace(':', '/')}",
            }
            made.append(node_record(node, data))
        ties = enumerate(part.edges(data=True))
        return {"nodes": made, "edges": [edge_record(number, a, b, data) for number, (a, b, data) in ties]}

    def neighbors(self, node: str) -> list[tuple[str, str]]:
        """(phrase, neighbor) of all edges of a node."""
        out = [(data["label"], other) for _, other, data in self.world.out_edges(node, data=True)]
        return out + [(data["inverse"], other) for other, _, data in self.world.in_edges(node, data=True)]

    def graph(self, asked: dict[str, Any]) -> dict[str, Any]:
        for node in asked["focus"]:
            self.world.nodes[node]
        nodes = around(self.world, asked["focus"], int(asked["depth"][0]))[: int(asked["limit"][0])]
        return self.records(nodes) | {"about": {"shown": nodes}}

    def expand(self, asked: dict[str, Any]) -> dict[str, Any]:
        [node], [phrase], [limit] = asked["node"], asked["relation"], asked["limit"]
        have = asked["have"] if len(asked["have"]) > 1 else asked["have"][0].split(",")
        new = [other for each, other in self.neighbors(node) if each == phrase and other not in have]
        new = list(dict.fromkeys(new))[: int(limit)]
        found = self.records([node, *new, *(each for each in have if each != node and each in self.world)])
        more = Counter(each for each, other in self.neighbors(node) if other not in {*have, *new})
        found["nodes"] = [record for record in found["nodes"] if record["id"] in new]
        return found | {"more": more}

    def search(self, asked: dict[str, Any]) -> list[dict[str, str]]:
        wanted = asked["q"][0].lower()
        return [
            {"id": node, "label": data["title"], "kind": data["type"], "hint": "from the server"}
            for node, data in self.world.nodes(data=True)
            if wanted in data["title"].lower()
        ][: int(asked["limit"][0])]

    def paths(self, asked: dict[str, Any]) -> dict[str, Any]:
        for [end] in (asked["from"], asked["to"]):
            self.world.nodes[end]
        plain = nx.Graph(self.world)
        ways = list(nx.all_shortest_paths(plain, asked["from"][0], asked["to"][0]))[:3]
        found = self.records(sorted({node for way in ways for node in way}))
        ids = {frozenset((edge["from"], edge["to"])): edge["id"] for edge in found["edges"]}
        steps = [[ids[frozenset(pair)] for pair in itertools.pairwise(way)] for way in ways]
        said = [f"The server says {way[0]} to {way[-1]}." for way in ways]
        return found | {
            "paths": [
                {"nodes": way, "edges": edges, "sentence": words}
                for way, edges, words in zip(ways, steps, said, strict=True)
            ]
        }


@contextmanager
def serving(graph: nx.MultiDiGraph) -> Iterator[str]:
    """The address of a page that explores `graph`."""
    handler = type("Handler", (Stub,), {"world": graph})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/explore"
    finally:
        server.shutdown()
        server.server_close()
