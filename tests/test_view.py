"""The page that shows a graph: that names stay text, and that a real browser draws it with no network."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
import pytest

from cardlaw.exports.viewpage import MAX_NODES, NODE_TYPES, layout, view_html, write_view

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    'a href="javascript:alert(3)"',
    "{{ 7 * 7 }} {% include 'x' %}",
    "quotes ' \" ` and \\ and &amp; and \u2028\u2029 and <!-- <script>",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def add_node(graph: nx.MultiDiGraph, node: str, label: str, **more: Any) -> None:
    plain = {"title": label, "text": f"Words of {label}", "iri": f"https://w3id.org/x/{node}", "hidden": 0}
    graph.add_node(node, **{"type": node.partition(":")[0], "label": label, **plain, **more})


def add_edge(graph: nx.MultiDiGraph, source: str, target: str, relation: str, quote: str = "") -> None:
    evidence = {
        "quote": quote,
        "field": "oracle_text",
        "start": 6,
        "end": 6 + len(quote),
        "entry": "effect.x",
    }
    context = {"before": "Words ", "after": " and more.", "rule": "614.1 Replacing", "flags": []}
    graph.add_edge(
        source,
        target,
        key=relation,
        relation=relation,
        label=f"forward {relation}",
        inverse=f"backward {relation}",
        evidence=({**evidence, **context},) if quote else (),
    )


def invented(cards: int = 40) -> nx.MultiDiGraph:
    """A card with abilities, rules and keywords, other cards around them."""
    graph = nx.MultiDiGraph()
    add_node(graph, "card:tortoise", "Ember Tortoise", text="Glimmer\nIf a lantern would dim, point.")
    for number in range(1, 13):
        add_node(graph, f"rule:614.{number}", f"614.{number}\nReplacing", hidden=number * 100)
    add_node(graph, "keyword:glimmer", "Glimmer")
    add_edge(graph, "keyword:glimmer", "rule:614.2", "defined_by")
    for number in (1, 2, 3):
        ability = f"ability:tortoise.1.{number}"
        add_node(graph, ability, f"Ability {number}")
        add_edge(graph, "card:tortoise", ability, "has_ability")
        add_edge(graph, ability, f"rule:614.{number}", "effect", "instead")
        add_edge(graph, ability, f"rule:614.{number}", "cost", "lantern")
        add_edge(graph, ability, "rule:614.9", "zone", "shell")
    add_edge(graph, "ability:tortoise.1.1", "keyword:glimmer", "has_keyword", "Glimmer")
    for number in range(cards):
        add_node(graph, f"card:other-{number}", f"Other Card {number}")
        add_edge(graph, f"card:other-{number}", f"rule:614.{number % 12 + 1}", "effect", "instead")
    return graph


def carried(html: str, name: str) -> Any:
    """The JSON that the page carries under `name`, as a browser would cut it out."""
    match = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.DOTALL)
    assert match
    return json.loads(match[1])


def test_page_carries_the_graph_and_no_address() -> None:
    graph = invented()
    html = view_html(graph, focus=["card:tortoise"], title="Ember Tortoise", release="2031-02-03")
    assert {node["id"] for node in carried(html, "nodes")} == set(graph)
    assert len(carried(html, "edges")) == graph.number_of_edges(), "parallel edges are kept"
    assert carried(html, "about")["focus"] == ["card:tortoise"]
    assert carried(html, "options")["physics"] == {"enabled": False}
    assert "Content-Security-Policy\" content=\"default-src 'none'" in html
    assert not re.search(r'(?:src|href)="(?!data:,)', html)
    assert not re.search(r"^(?:import|export)\b", html.partition('type="module">')[2], re.MULTILINE)
    assert "unofficial Fan Content" in html


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_text(name: str) -> None:
    graph = nx.MultiDiGraph()
    add_node(graph, "card:x", name, title=name, text=name)
    add_node(graph, "rule:1", name)
    add_edge(graph, "card:x", "rule:1", "effect", name)
    html = view_html(graph, focus=["card:x"], title=name, release=name)
    node = next(node for node in carried(html, "nodes") if node["id"] == "card:x")
    assert (node["label"], node["heading"], node["words"]) == (name, name, name)
    assert carried(html, "edges")[0]["evidence"][0]["quote"] == name
    assert {"title", "hidden"}.isdisjoint(node), "vis-network would act on these"
    plain = view_html(graph, focus=["card:x"], title="x", release="x")
    assert markup(html) == markup(plain)


def markup(html: str) -> list[tuple[str, list[str]]]:
    """Every tag of a page with the names of its attributes."""
    found: list[tuple[str, list[str]]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append((tag, [name for name, _ in attrs]))  # type: ignore
    parser.feed(html)
    return found


def test_same_graph_same_page() -> None:
    first, second = (view_html(invented(), title="x", release="y") for _ in range(2))
    assert first == second


def test_edges_between_the_same_nodes_bend_apart() -> None:
    edges = carried(view_html(invented(), title="x", release="y"), "edges")
    bends = [
        edge["smooth"]
        for edge in edges
        if (edge["from"], edge["to"]) == ("ability:tortoise.1.1", "rule:614.1")
    ]
    assert len(bends) == 2
    assert bends[0] != bends[1]


def test_layout_keeps_labels_apart() -> None:
    places = layout(invented())
    assert places == layout(invented())
    close = [
        (a, b)
        for a, (ax, ay) in places.items()
        for b, (bx, by) in places.items()
        if a < b and abs(ax - bx) < 90 and abs(ay - by) < 30
    ]
    assert len(close) <= 2, close


def test_layout_of_parts_that_are_not_tied() -> None:
    graph = nx.MultiDiGraph()
    assert layout(nx.MultiDiGraph([("a", "a")])) == {"a": (0, 0)}
    graph.add_edges_from([("a", "b"), ("c", "d")])
    graph.add_node("e")
    assert len(set(layout(graph).values())) == 5


def test_too_much_and_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing to show"):
        view_html(nx.MultiDiGraph(), title="x", release="y")
    graph = nx.MultiDiGraph()
    for number in range(MAX_NODES + 1):
        add_node(graph, f"card:{number}", str(number))
    with pytest.raises(ValueError, match="lower the limit"):
        view_html(graph, title="x", release="y")


def test_file_is_utf_8_under_any_locale(tmp_path: Path) -> None:
    code = (
        "import networkx as nx; from cardlaw.exports.viewpage import write_view; g = nx.MultiDiGraph();"
        "g.add_node('card:x', type='card', label='L\\xf3rien', title='', text='', iri='', hidden=0);"
        f"write_view(g, {str(tmp_path / 'x.html')!r}, title='L\\xf3rien', release='y')"
    )
    subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code],
        check=True,
        env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    )
    assert "<h1>Lórien</h1>" in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_every_type_has_a_shape_and_a_color() -> None:
    html = view_html(invented(), title="x", release="y")
    for name, (_, _, shape, _) in NODE_TYPES.items():
        assert f"--{name}: #" in html
        assert f"  {shape}: " in html


# In a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, path: Path, **context: Any) -> Iterator[Any]:
    """A page that shows the file; fails on any console error, dialog or request for anything else."""
    faults: list[str] = []
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context}).new_page()
    page.on("console", lambda message: faults.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: request.url == path.as_uri() or faults.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_function("globalThis.cardlaw?.picture.drawn.length > 0", timeout=20_000)
    try:
        yield page
    finally:
        page.context.close()
    assert faults == []


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("view") / "view.html"
    write_view(invented(), path, focus=["card:tortoise"], title="Ember Tortoise", release="2031-02-03")
    return path


def colors_drawn(page: Any) -> int:
    """How many different colors the canvas shows."""
    count: int = page.evaluate(
        """() => {
          const canvas = document.querySelector("#picture canvas");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        }"""
    )
    return count


def place(page: Any, node: str) -> tuple[float, float]:
    """Where a node stands on the screen."""
    x, y = page.evaluate(
        """id => {
          const { network, container } = cardlaw.picture;
          const at = network.canvasToDOM(network.getPosition(id));
          const box = container.getBoundingClientRect();
          return [box.left + at.x, box.top + at.y];
        }""",
        node,
    )
    return x, y


@pytest.mark.browser
@pytest.mark.parametrize(
    "context",
    [
        {},
        {"color_scheme": "dark"},
        {"viewport": {"width": 390, "height": 844}, "has_touch": True},
        {"offline": True},
        {"reduced_motion": "reduce"},
    ],
    ids=["desktop", "dark", "phone", "offline", "still"],
)
def test_graph_is_drawn(chromium: Any, view: Path, context: dict[str, Any]) -> None:
    graph = invented()
    with opened(chromium, view, **context) as page:
        assert page.evaluate("cardlaw.picture.network.body.data.nodes.length") == len(graph)
        assert page.evaluate("cardlaw.picture.network.body.data.edges.length") == graph.number_of_edges()
        assert colors_drawn(page) > 50
        assert page.inner_text("h1") == "Ember Tortoise"
        assert "2031-02-03" in page.inner_text("#summary")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "nothing sticks out at the side"


@pytest.mark.browser
def test_graph_is_drawn_while_the_network_hangs(chromium: Any, view: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # takes calls and never answers
        proxy = f"http://127.0.0.1:{server.getsockname()[1]}"
        calls: list[object] = []
        threading.Thread(target=lambda: accept_all(server, calls), daemon=True).start()
        with opened(chromium, view, proxy={"server": proxy, "bypass": ""}) as page:
            assert colors_drawn(page) > 50
        assert calls == []


def accept_all(server: socket.socket, calls: list[object]) -> None:
    try:
        while True:
            calls.append(server.accept())
    except OSError:  # the test is over
        return


@pytest.mark.browser
def test_press_on_a_node_opens_it(chromium: Any, view: Path) -> None:
    with opened(chromium, view) as page:
        page.mouse.click(*place(page, "rule:614.9"))
        assert page.inner_text("#panel h2") == "614.9 Replacing"
        assert "Words of 614.9" in page.inner_text("#panel .words")
        assert "900 more neighbors" in page.inner_text("#panel")
        assert page.inner_text("#panel .iri") == "https://w3id.org/x/rule:614.9"
        page.click('#panel button[data-node="ability:tortoise.1.2"]')
        assert page.inner_text("#panel .words") == "Words of Ability 2"
        page.keyboard.press("Escape")
        assert page.inner_text("#panel .eyebrow").lower() == "this view"


@pytest.mark.browser
def test_press_on_an_edge_shows_the_evidence(chromium: Any, view: Path) -> None:
    with opened(chromium, view) as page:
        page.evaluate("cardlaw.picture.network.moveTo({ scale: 1.2 })")
        (ax, ay), (bx, by) = place(page, "card:other-8"), place(page, "rule:614.9")
        page.mouse.click((ax + bx) / 2, (ay + by) / 2)
        assert page.inner_text("#panel .eyebrow").lower() == "evidence"
        assert page.inner_text("#panel blockquote") == "Words instead and more."
        assert page.inner_text("#panel mark") == "instead"
        facts = page.inner_text("#panel dl")
        for fact in ("614.1 Replacing", "effect", "characters 6–13", "effect.x"):
            assert fact in facts
        assert "forward effect" in page.inner_text("#panel .sentence")


@pytest.mark.browser
def test_legend_hides_and_shows(chromium: Any, view: Path) -> None:
    hidden = "cardlaw.picture.nodeSet.get({ filter: (node) => node.hidden }).length"
    with opened(chromium, view) as page:
        assert page.inner_text('#legend button[data-type="card"] .count') == "41"
        page.click('#legend button[data-type="card"]')
        assert page.get_attribute('#legend button[data-type="card"]', "aria-pressed") == "false"
        assert page.evaluate(hidden) == 41
        page.click('#legend button[data-type="card"]')
        assert page.evaluate(hidden) == 0
        page.click('#legend button[data-type="rule"]', modifiers=["Shift"])
        assert page.evaluate(hidden) == len(invented()) - 12
        page.click('#legend button[data-type="rule"]', modifiers=["Shift"])
        assert page.evaluate(hidden) == 0


@pytest.mark.browser
def test_search_by_keyboard(chromium: Any, view: Path) -> None:
    with opened(chromium, view) as page:
        page.keyboard.press("/")
        page.keyboard.type("ÓTHER card 1")
        assert page.inner_text("#matches li >> nth=0") == "Other Card 1"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.inner_text("#panel h2").startswith("Other Card 1")
        page.keyboard.press("/")
        page.keyboard.type("no such thing")
        assert "Nothing of that name" in page.inner_text("#matches")
        page.keyboard.press("Escape")
        assert not page.is_visible("#matches")


@pytest.mark.browser
def test_labels_do_not_lie_on_each_other(chromium: Any, view: Path) -> None:
    with opened(chromium, view) as page:
        boxes = page.evaluate("cardlaw.picture.drawn.map(({ box }) => box)")
        assert len(boxes) >= 40
        for number, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[:number]:
                assert right <= other[0] or left >= other[2] or bottom <= other[1] or top >= other[3]


@pytest.mark.browser
@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_text_in_the_browser(chromium: Any, tmp_path: Path, name: str) -> None:
    graph = nx.MultiDiGraph()
    add_node(graph, "card:x", name, title=name, text=name)
    add_node(graph, "rule:1", name)
    add_edge(graph, "card:x", "rule:1", "effect", name)
    path = tmp_path / "view.html"
    write_view(graph, path, focus=["card:x"], title=name, release=name)
    with opened(chromium, path) as page:
        text = "id => document.querySelector(id).textContent"
        assert page.evaluate(text, "h1") == name
        assert page.evaluate(text, "#panel h2") == name
        assert page.evaluate(text, "#panel .words") == name
        page.click("#panel button.proof")
        assert page.evaluate(text, "#panel mark") == name
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        page.keyboard.type("a")
        assert page.evaluate("document.querySelectorAll('img, a, iframe').length") == 0
