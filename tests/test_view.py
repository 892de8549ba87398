"""The page that shows a graph: that names stay text, and that a real browser draws it with no network."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
import pytest
from viewing import add_edge, add_node, invented, opened, shown_at_first, started, world

from cardlaw.exports.layout import layout
from cardlaw.exports.viewpage import (
    ASSETS,
    MAX_NODES,
    MAX_SHOWN,
    NODE_TYPES,
    asset,
    served_html,
    view_html,
    write_view,
)

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    'a href="javascript:alert(3)"',
    "{{ 7 * 7 }} {% include 'x' %}",
    "quotes ' \" ` and \\ and &amp; and \u2028\u2029 and <!-- <script>",
)


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
    assert carried(html, "about")["shown"][0] == "card:tortoise"
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


def test_a_file_opens_with_the_nearest_and_keeps_the_rest_in_reserve() -> None:
    graph = world()
    about = carried(view_html(graph, focus=["card:tortoise"], title="x", release="y"), "about")
    assert set(about["shown"]) == set(graph), "all of them, where there is room"
    for number in range(200):
        add_node(graph, f"card:far-{number}", f"Far Card {number}")
        add_edge(graph, f"card:far-{number}", "rule:614", "effect", "far")
    html = view_html(graph, focus=["card:tortoise"], title="x", release="y")
    about = carried(html, "about")
    assert len(about["shown"]) == MAX_SHOWN
    assert about["shown"][0] == "card:tortoise"
    assert set(shown_at_first(graph)) < set(about["shown"])
    nodes = carried(html, "nodes")
    assert len(nodes) == len(graph)
    assert {node["id"] for node in nodes if node.get("x") is not None} == set(about["shown"])


def test_parts_and_defining_rules_are_no_step_away() -> None:
    shown = ["card:tortoise", *(f"ability:tortoise.1.{number}" for number in (1, 2, 3))]
    about = carried(view_html(world(), focus=["card:tortoise"], title="x", release="y", shown=shown), "about")
    assert about["depth"] == 0
    near = [*shown, "keyword:glimmer", *(f"rule:614.{number}" for number in (1, 2, 3, 9))]
    assert sorted(shown_at_first(world())) == sorted(near)


def test_relations_come_with_what_the_ontology_says_of_them() -> None:
    relations = carried(view_html(invented(), title="x", release="y"), "about")["relations"]
    assert relations["effect"]["label"] == "works by"
    assert len(relations["zone"]["definition"]) > 20
    assert len(relations["has_keyword"]["definition"]) > 20


def test_the_served_page_holds_no_nodes_and_no_script_of_its_own() -> None:
    html = served_html("2031-02-03")
    assert carried(html, "nodes") == carried(html, "edges") == []
    assert carried(html, "about")["source"] == {"base": "/explore/"}
    assert "<style" not in html
    scripts = re.findall(r"<script(.*?)>", html)
    assert [script for script in scripts if "src=" not in script and "application/json" not in script] == []
    asked = set(re.findall(r'(?:src|href)="/assets/([^"]+)"', html))
    for name in list(asked):
        asked |= (
            set(re.findall(r'from "\./([^"]+)"', asset(name).decode()))
            if name != "vis-network.min.js"
            else set()
        )
    assert asked <= set(ASSETS)


def test_modules_import_only_what_is_served_and_stands_before_them() -> None:
    ours = [name for name in ASSETS if name.endswith(".js") and name != "vis-network.min.js"]
    for number, name in enumerate(ours):
        imported = re.findall(r'from "\./([^"]+)"', asset(name).decode())
        assert set(imported) <= set(ours[:number]), name


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
        env=os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    )
    assert ">Lórien</h1>" in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_every_type_has_a_shape_and_a_color() -> None:
    html = view_html(invented(), title="x", release="y")
    for name, (_, _, shape, _) in NODE_TYPES.items():
        assert re.search(rf"--{name}: (?:light-dark\(#\w{{6}}, )?#\w{{6}}", html)
        assert f"  {shape}: " in html


# In a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


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
        page.keyboard.press("Escape")
        page.keyboard.press("t")
        page.click("#save")
        page.keyboard.press("Escape")
        assert page.evaluate("document.querySelectorAll('img, a, iframe').length") == 0
