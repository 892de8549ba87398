"""Exploring, in a real browser: each thing that people do, from a file and from a server."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx  # type: ignore[import-untyped]
import pytest
from pyoxigraph import Literal, NamedNode, RdfFormat, parse
from serving import serving as server_of
from viewing import (
    FOCUS,
    RELEASE,
    opened,
    place,
    serving,
    settled,
    shown,
    shown_at_first,
    started,
    world,
)

from cardlaw.exports.viewpage import write_view

pytestmark = pytest.mark.browser

Opener = Callable[..., AbstractContextManager[Any]]
START = set(shown_at_first(world()))
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("view") / "view.html"
    graph = world()
    write_view(
        graph,
        path,
        focus=[FOCUS],
        title="Ember Tortoise",
        release=RELEASE,
        shown=shown_at_first(graph),
        depth=1,
    )
    return path


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(world()) as where:
        yield where


@pytest.fixture(params=["file", pytest.param("served", marks=pytest.mark.programs)])
def explorer(request: pytest.FixtureRequest, chromium: Any) -> Opener:
    """Opens the page, with what stands behind the # and how the browser is."""
    if request.param == "file":
        path = request.getfixturevalue("file")
        return lambda hash_="", **context: opened(chromium, path, hash_, **context)
    where = request.getfixturevalue("address")
    return lambda hash_="", **context: opened(
        chromium, where, hash_ if "focus=" in hash_ else f"focus={FOCUS}&{hash_}".rstrip("&"), **context
    )


@pytest.fixture
def from_file(chromium: Any, file: Path) -> Opener:
    return lambda hash_="", **context: opened(chromium, file, hash_, **context)


def heading(page: Any) -> str:
    text: str = page.inner_text("#details h2")
    return text


def search(page: Any, typed: str) -> list[str]:
    """Type into the search box; the ids of the matches."""
    page.keyboard.press("/")
    page.fill("#search", "")
    page.keyboard.type(typed)
    settled(page, "() => !document.querySelector('#matches').hidden")
    rows = "[...document.querySelectorAll('#matches li')].map((row) => row.dataset.id)"
    ids: list[str] = []
    same = 0
    while same < 3:  # a server answers what was typed so far, too
        page.wait_for_timeout(60)
        now = page.evaluate(rows)
        same = same + 1 if now and now == ids else 0
        ids = now
    return ids


def choose(page: Any, node: str) -> None:
    page.evaluate("id => cardlaw.explorer.choose(id)", node)
    settled(page, "id => cardlaw.explorer.open === id", node)


def item(page: Any, name: str, **how: Any) -> None:
    """Press an item of the menu that is open."""
    page.click(f'.menu button[data-item="{name}"]', **how)


def grown(page: Any, number: int) -> None:
    settled(page, "number => cardlaw.explorer.visible.size === number", number)


# What is shown, and what is found


def test_opens_with_what_is_near(explorer: Opener) -> None:
    with explorer() as page:
        assert shown(page) == START
        assert page.evaluate("cardlaw.picture.nodeSet.length") == len(START)
        assert RELEASE in page.inner_text("#summary")
        ties = nx.MultiDiGraph(world().subgraph(START)).number_of_edges()
        assert f"{ties} ties" in page.inner_text("#summary")


def test_search_and_press(explorer: Opener) -> None:
    with explorer() as page:
        assert search(page, "glimm")[0] == "keyword:glimmer"
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.open === 'keyword:glimmer'")
        assert heading(page) == "Glimmer"
        page.mouse.click(*place(page, "rule:614.9"))
        settled(page, "() => cardlaw.explorer.open === 'rule:614.9'")
        assert heading(page) == "614.9 Replacing"
        assert "Words of 614.9" in page.inner_text("#details .words")
        assert page.inner_text("#details .iri") == "https://w3id.org/cardlaw/rule/614.9"
        page.click('#details button[data-node="ability:tortoise.1.2"]')
        settled(page, "() => cardlaw.explorer.open === 'ability:tortoise.1.2'")
        assert page.inner_text("#details .words") == "Words of Ability 2"
        page.keyboard.press("Escape")
        settled(page, "() => cardlaw.explorer.open === ''")
        assert page.inner_text("#details .eyebrow").lower() == "this view"


@pytest.mark.programs
def test_an_answer_that_comes_late_is_not_picked(chromium: Any, address: str) -> None:
    held: list[Any] = []
    with opened(chromium, address, f"focus={FOCUS}") as page:
        page.route(re.compile(r"/search\?q=o&"), lambda route: held.append(route))
        page.fill("#search", "o")
        page.fill("#search", "glimmer")
        page.wait_for_selector("#matches li[data-id='keyword:glimmer']")
        with page.expect_response(re.compile(r"/search\?q=o&")) as late:
            held[0].continue_()
        assert late.value.json()[0]["id"] != "keyword:glimmer"
        page.wait_for_timeout(50)
        page.press("#search", "Enter")
        settled(page, "() => cardlaw.explorer.open === 'keyword:glimmer'")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("OTHER card 1", "card:other-1"),
        ("aelfric", None),
        ("ælfric theodens", "card:aelfric"),
        ("Æ", "card:aelfric"),
        ("614.2a", "rule:614.2a"),
        ("614.2", "rule:614.2"),
        ("lantren keper", "card:lantern"),
        ("glimer", "keyword:glimmer"),
        ("+1 heir", "card:aelfric"),
        ("no such thing at all", None),
    ],
)
def test_search_forgives(from_file: Opener, typed: str, first: str | None) -> None:
    with from_file() as page:
        found = search(page, typed)
        if first is None:
            assert found in ([None], ["card:aelfric"])
        else:
            assert found[0] == first


def test_what_is_found_beyond_the_view_comes_in_with_what_ties_it(from_file: Opener) -> None:
    with from_file() as page:
        assert search(page, "other card 10")[0] == "card:other-10"
        assert "not shown yet" in page.inner_text("#matches")
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.open === 'card:other-10'")
        assert shown(page) == START | {"card:other-10", "rule:614.11", "rule:614"}, "the shortest way to it"


@pytest.mark.programs
def test_what_a_server_finds_is_started_from(chromium: Any, address: str) -> None:
    with opened(chromium, address, f"focus={FOCUS}") as page:
        assert search(page, "Lantern Keeper") == ["card:lantern"]
        assert "from the server" in page.inner_text("#matches")
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.state.focus[0] === 'card:lantern'")
        assert shown(page) == {"card:lantern", "keyword:glimmer", "rule:614.2"}
        assert page.inner_text("h1") == "Lantern Keeper"
        search(page, "Ember")
        page.keyboard.press("Shift+Enter")
        settled(page, "() => cardlaw.explorer.state.focus.length === 2")
        assert shown(page) == START | {"card:lantern"}


@pytest.mark.programs
def test_a_server_is_asked_for_nothing_before_there_is_something_to_show(chromium: Any, address: str) -> None:
    page = chromium.new_page()
    page.goto(address)
    settled(page, "() => globalThis.cardlaw?.explorer.title")
    assert "Where to begin?" in page.inner_text("#details")
    search(page, "tortoise")
    page.keyboard.press("Enter")
    settled(page, "() => cardlaw.explorer.visible.size > 3")
    assert shown(page) == START
    page.close()


@pytest.mark.programs
def test_a_server_that_says_no_is_told(chromium: Any, address: str) -> None:
    with opened(chromium, address, f"focus={FOCUS}", faults=True) as page:
        page.evaluate("cardlaw.explorer.begin(['card:nobody'])")
        settled(page, "() => document.querySelector('#said').classList.contains('loud')")
        assert page.inner_text("#said") == "card:nobody is not in the graph"
        assert shown(page) == START, "what was there is still there"
        assert page.evaluate("location.hash") == f"#focus={FOCUS}"


@pytest.mark.programs
def test_a_node_of_a_server_leads_to_its_page(chromium: Any, address: str) -> None:
    with opened(chromium, address, f"focus={FOCUS}") as page:
        choose(page, "rule:614.9")
        assert page.get_attribute("#details a", "href") == "/rule/614.9"


def test_enter_waits_for_the_answer_to_what_is_typed(explorer: Opener) -> None:
    slow = """() => {
      const search = cardlaw.source.search.bind(cardlaw.source);
      cardlaw.source.search = async (typed) => {
        await new Promise((done) => setTimeout(done, 300));
        return search(typed);
      };
    }"""
    with explorer() as page:
        assert search(page, "tortoise") == [FOCUS]
        page.evaluate(slow)
        page.fill("#search", "Lantern Keeper")
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.open || cardlaw.explorer.state.focus[0] !== 'card:tortoise'")
        assert "card:lantern" in page.evaluate("[cardlaw.explorer.open, ...cardlaw.explorer.state.focus]")


def test_subrules_stand_in_the_order_of_the_book(from_file: Opener) -> None:
    with from_file() as page:
        page.evaluate("cardlaw.explorer.begin(['rule:614'])")
        settled(page, "() => cardlaw.explorer.state.focus[0] === 'rule:614'")
        choose(page, "rule:614")
        held = page.locator("#details section:has(h3:has-text('holds')) button.node")
        found = [row.get_attribute("data-node") for row in held.all()]
        assert found == [f"rule:614.{number}" for number in range(1, 13)]


# Evidence


def test_press_on_an_edge_shows_the_evidence(explorer: Opener) -> None:
    with explorer() as page:
        page.evaluate("cardlaw.picture.network.moveTo({ scale: 1.2 })")
        (ax, ay), (bx, by) = place(page, "ability:tortoise.1.2"), place(page, "rule:614.9")
        page.mouse.click((ax + bx) / 2, (ay + by) / 2)
        settled(page, "() => cardlaw.explorer.state.edge")
        assert page.inner_text("#details .eyebrow").lower() == "evidence"
        assert page.inner_text("#details blockquote") == "Words shell and more."
        assert page.inner_text("#details mark") == "shell"
        facts = page.inner_text("#details dl")
        for fact in ("614.1 Replacing", "zone", "characters 6–11", "effect.x"):
            assert fact in facts
        assert "names the zone" in page.inner_text("#details .sentence")
        assert len(page.inner_text("#details .definition")) > 30, "what the relation means"
        assert "Words of 614.9" in page.inner_text("#details .rule"), "and what the rule says"


def test_edges_between_the_same_nodes_bend_apart(explorer: Opener) -> None:
    with explorer() as page:
        bends = page.evaluate(
            """[...cardlaw.model.edges.values()]
            .filter(({ from, to }) => from === "ability:tortoise.1.1" && to === "rule:614.1")
            .map(({ smooth }) => smooth ? smooth.roundness : 0)"""
        )
        assert sorted(bends) == [0, 0.14]


def test_words_on_edges_on_demand(explorer: Opener) -> None:
    words = "cardlaw.picture.drawn.filter(({ edge }) => edge).length"
    with explorer() as page:
        page.evaluate("cardlaw.picture.network.moveTo({ scale: 1 })")
        page.wait_for_timeout(50)
        assert page.evaluate(words) == 0
        page.click("#words")
        settled(page, f"() => {words} > 5")
        assert page.get_attribute("#words", "aria-pressed") == "true"
        assert "words=1" in page.evaluate("location.hash")
        page.keyboard.press("w")
        settled(page, f"() => {words} === 0")


# Expansion


def test_press_twice_expands_by_relation(explorer: Opener) -> None:
    with explorer() as page:
        x, y = place(page, "keyword:glimmer")
        page.mouse.dblclick(x, y)
        page.wait_for_selector(".menu")
        menu = page.inner_text(".menu")
        assert re.search(r"is had by\s+23\b", menu)
        assert re.search(r"has the variant\s+1\b", menu)
        item(page, "has the variant")
        grown(page, len(START) + 1)
        assert "keyword:deep-glimmer" in shown(page)
        page.mouse.dblclick(*place(page, "keyword:glimmer"))
        grown(page, len(START) + 1 + 23)
        assert not page.is_visible(".menu"), "one relation is left, so there is nothing to ask"


def test_more_is_said_and_shown_in_portions(explorer: Opener) -> None:
    with explorer() as page:
        choose(page, "rule:614.1")
        text = page.inner_text("#details")
        assert "1 of 26" in text, "24 cards of 25 and one of 26: the ability"
        page.click('#details button[data-expand="is at work in"]')
        grown(page, len(START) + 25)
        assert page.is_hidden('#details button[data-expand="is at work in"]')
        page.keyboard.press("Control+z")
        grown(page, len(START))


def test_n_more_is_a_node(explorer: Opener) -> None:
    with explorer() as page:
        page.evaluate("cardlaw.explorer.begin(['rule:614'])")
        settled(page, "() => cardlaw.explorer.state.focus[0] === 'rule:614'")
        page.evaluate("cardlaw.explorer.change({ depth: 0 })")
        grown(page, 1)
        assert page.evaluate("[...cardlaw.picture.view.rest]") == [["rule:614", 12]]
        drawn = "cardlaw.picture.drawn.some(({ node }) => node === 'more rule:614')"
        settled(page, f"() => {drawn}")
        page.mouse.click(*place(page, "more rule:614"))
        grown(page, 13)
        assert page.evaluate("cardlaw.picture.view.rest.size") == 0


def test_nodes_stay_where_they_are_when_others_come(explorer: Opener) -> None:
    places = (
        "Object.fromEntries([...cardlaw.explorer.visible].map((id) => [id, cardlaw.picture.places.get(id)]))"
    )
    with explorer() as page:
        before = page.evaluate(places)
        for phrase in ("is had by", "has the variant"):
            page.evaluate("phrase => cardlaw.explorer.grow('keyword:glimmer', phrase)", phrase)
        grown(page, len(START) + 24)
        after = page.evaluate(places)
        assert {node: after[node] for node in before} == before
        boxes = [(at["x"], at["y"]) for node, at in after.items() if node not in before]
        close = [
            (one, other)
            for number, one in enumerate(boxes)
            for other in boxes[:number]
            if abs(one[0] - other[0]) < 100 and abs(one[1] - other[1]) < 40
        ]
        assert close == [], "new ones stand in free space"


def test_relax_keeps_what_is_pinned_and_ends(explorer: Opener) -> None:
    with explorer() as page:
        choose(page, "rule:614.9")
        page.click('[data-act="pin"]')
        settled(page, "() => 'rule:614.9' in cardlaw.explorer.state.pins")
        pinned = page.evaluate("cardlaw.picture.places.get('rule:614.9')")
        other = page.evaluate("cardlaw.picture.places.get('rule:614.3')")
        page.click("#relax")
        settled(page, "at => cardlaw.picture.places.get('rule:614.3').x !== at.x", other)
        page.wait_for_timeout(900)
        assert page.evaluate("cardlaw.picture.places.get('rule:614.9')") == pinned
        still = page.evaluate("JSON.stringify([...cardlaw.picture.places])")
        page.wait_for_timeout(300)
        assert page.evaluate("JSON.stringify([...cardlaw.picture.places])") == still


def test_no_more_than_the_hard_limit(explorer: Opener) -> None:
    with explorer() as page:
        page.evaluate(
            "cardlaw.explorer.change({ steps: [['expand', 'keyword:glimmer', 'is had by', 5000]] })"
        )
        grown(page, len(START) + 23)
        assert page.evaluate("cardlaw.explorer.ids.size") <= 1000


# Filters


def test_legend_hides_and_shows(explorer: Opener) -> None:
    with explorer() as page:
        assert page.inner_text('#legend button[data-type="rule"] .count') == "4"
        page.click('#legend button[data-type="rule"]')
        grown(page, len(START) - 4)
        assert page.get_attribute('#legend button[data-type="rule"]', "aria-pressed") == "false"
        page.click('#legend button[data-type="rule"]')
        grown(page, len(START))
        page.click('#legend button[data-type="ability"]', modifiers=["Shift"])
        grown(page, 3)
        page.click('#legend button[data-type="ability"]', modifiers=["Shift"])
        grown(page, len(START))


def test_relations_are_hidden_with_what_only_they_tie(explorer: Opener) -> None:
    with explorer() as page:
        page.click("#relations")
        menu = page.inner_text(".menu")
        assert re.search(r"zone\s+3\b", menu)
        assert re.search(r"effect\s+3\b", menu)
        item(page, "zone")
        grown(page, len(START) - 1)
        assert "rule:614.9" not in shown(page)
        item(page, "zone")
        grown(page, len(START))
        item(page, "has_ability", modifiers=["Shift"])
        grown(page, 4)
        assert page.get_attribute('.menu [data-item="zone"]', "aria-checked") == "false"
        item(page, "has_ability", modifiers=["Shift"])
        grown(page, len(START))
        page.keyboard.press("Escape")
        assert not page.is_visible(".menu")


def test_pointing_dims_the_rest(explorer: Opener) -> None:
    pale = "cardlaw.picture.nodeSet.get().filter((node) => node.opacity < 1).map((node) => node.id)"
    with explorer() as page:
        assert page.evaluate(pale) == []
        page.mouse.move(*place(page, "rule:614.3"))
        settled(page, f"() => {pale}.length > 0")
        assert set(page.evaluate(pale)) >= START - {"rule:614.3", "ability:tortoise.1.3"}
        page.mouse.move(5, 5)
        settled(page, f"() => {pale}.length === 0")
        choose(page, "rule:614.3")
        assert set(page.evaluate(pale)) >= START - {"rule:614.3", "ability:tortoise.1.3"}


def test_depth(explorer: Opener) -> None:
    with explorer() as page:
        assert page.input_value("#depth") == "1"
        page.focus("#depth")
        page.keyboard.press("ArrowLeft")
        grown(page, 4)
        assert "depth=0" in page.evaluate("location.hash")
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(200)
        page.keyboard.press("ArrowRight")
        settled(page, "() => cardlaw.explorer.state.depth === 2")
        settled(page, "() => cardlaw.explorer.visible.has('rule:614')")
        assert shown(page) == {
            node for node in world() if node in START or set(nx.Graph(world())[node]) & START
        }


# Paths and presets


def test_path_as_picture_and_sentence(from_file: Opener) -> None:
    with from_file() as page:
        choose(page, "ability:tortoise.1.3")
        page.click('[data-act="path"]')
        assert page.is_visible("#aim")
        search(page, "other card 10")
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.state.path")
        assert not page.is_visible("#aim")
        found = page.evaluate("cardlaw.explorer.ways.map(({ nodes }) => nodes)")
        assert found[0] == ["ability:tortoise.1.3", "rule:614.3", "rule:614", "rule:614.11", "card:other-10"]
        assert len(found) > 1, "several"
        assert len({tuple(way) for way in found}) == len(found)
        assert page.inner_text(".way >> nth=0") == (
            "“Ability 3” is paid by 614.3 Replacing, which stands under 614 Replacement Effects, "
            "which holds 614.11 Replacing, which is at work in Other Card 10."
        )
        assert set(page.evaluate("[...cardlaw.picture.view.lit.nodes]")) == set(found[0])
        page.click(".way >> nth=1")
        settled(page, "() => cardlaw.explorer.state.path[2] === 1")
        assert set(page.evaluate("[...cardlaw.picture.view.lit.nodes]")) == set(found[1])
        page.keyboard.press("Escape")
        settled(page, "() => !cardlaw.explorer.state.path")
        assert shown(page) == START


@pytest.mark.programs
def test_path_from_a_server(chromium: Any, address: str) -> None:
    with opened(chromium, address, f"focus={FOCUS}") as page:
        choose(page, "keyword:glimmer")
        page.mouse.click(*place(page, FOCUS), button="right")
        item(page, "Path to …")
        search(page, "Lantern Keeper")
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.state.path")
        assert page.inner_text(".way >> nth=0") == f"The server says {FOCUS} to card:lantern."
        way = [FOCUS, "ability:tortoise.1.1", "keyword:glimmer", "card:lantern"]
        assert page.evaluate("[...cardlaw.picture.view.lit.nodes]") == way
        lit = page.evaluate("[...cardlaw.picture.view.lit.edges].every((id) => cardlaw.model.edges.has(id))")
        assert lit, "its names of edges are ours"


def test_a_hub_is_a_long_way_round(from_file: Opener) -> None:
    """Two cards that share a busy rule and a rare one are tied by the rare one."""
    with from_file() as page:
        found = page.evaluate(
            """() => {
              const { model, source } = cardlaw;
              const card = (id) => ({ id, kind: "card", label: id });
              const rule = (id, more) => ({ id, kind: "rule", label: id, more: { x: more } });
              const edge = (from, to) => ({ id: from + to, from, to, relation: "effect", forward: "is" });
              model.add([card("a"), card("b"), rule("hub", 5000), rule("rare", 2)],
                [edge("a", "hub"), edge("b", "hub"), edge("a", "rare"), edge("b", "rare")]);
              return source.paths("a", "b");
            }"""
        )
        assert next(way["nodes"] for way in found) == ["a", "rare", "b"]


def test_presets(from_file: Opener) -> None:
    with from_file("focus=card:other-0,card:other-12,card:other-1&depth=1") as page:
        page.click("#presets")
        item(page, "shared")
        settled(page, "() => cardlaw.explorer.state.preset === 'shared'")
        assert shown(page) == {"card:other-0", "card:other-12", "card:other-1", "rule:614.1"}
        page.click("#presets")
        item(page, "tied")
        settled(page, "() => cardlaw.explorer.state.preset === 'tied'")
        assert {"rule:614.1", "rule:614", "rule:614.2"} < shown(page)
        page.evaluate("cardlaw.explorer.begin(['keyword:glimmer'])")
        settled(page, "() => cardlaw.explorer.state.focus[0] === 'keyword:glimmer'")
        page.click("#presets")
        item(page, "keyword")
        settled(page, "() => cardlaw.explorer.state.preset === 'keyword'")
        near = {
            "keyword:deep-glimmer",
            "rule:614.2",
            "rule:614.2a",
            "rule:614.2b",
            "card:lantern",
            "card:late-3",
        }
        assert near < shown(page)


# History, address


def test_undo_back_and_forward(explorer: Opener) -> None:
    with explorer() as page:
        assert page.is_disabled("#back")
        choose(page, "keyword:glimmer")
        page.keyboard.press("Delete")
        settled(page, "() => !cardlaw.explorer.visible.has('keyword:glimmer')")
        choose(page, "rule:614.9")
        page.click("#undo")
        settled(page, "() => cardlaw.explorer.visible.has('keyword:glimmer')")
        assert shown(page) == START
        page.click("#forward")
        settled(page, "() => !cardlaw.explorer.visible.has('keyword:glimmer')")
        page.go_back()
        settled(page, "() => cardlaw.explorer.visible.has('keyword:glimmer')")
        page.keyboard.press("Control+y")
        settled(page, "() => !cardlaw.explorer.visible.has('keyword:glimmer')")
        for _ in range(4):
            page.keyboard.press("Control+z")
            page.wait_for_timeout(80)
        settled(page, "() => cardlaw.explorer.visible.has('keyword:glimmer')")
        assert shown(page) == START, "at the first state there is nothing to undo"


def test_the_address_restores_the_view(explorer: Opener) -> None:
    with explorer() as page:
        page.evaluate("cardlaw.explorer.grow('keyword:glimmer', 'is had by')")
        grown(page, len(START) + 23)
        page.evaluate("cardlaw.explorer.act('dismiss', 'card:late-3')")
        grown(page, len(START) + 22)
        page.click('#legend button[data-type="ability"]')
        grown(page, len(START) + 19)
        choose(page, "rule:614.2")
        page.evaluate(
            """cardlaw.picture.places.set('rule:614.2', { x: 321, y: -123 }),
            cardlaw.explorer.act('pin', 'rule:614.2')"""
        )
        settled(page, "() => 'rule:614.2' in cardlaw.explorer.state.pins")
        page.click("#relations")
        item(page, "has_keyword")
        settled(page, "() => cardlaw.explorer.state.without.length")
        page.keyboard.press("Escape")
        whole, hash_ = shown(page), page.evaluate("location.hash")
    assert "hide=ability" in hash_
    assert "without=has_keyword" in hash_
    with explorer(hash_.removeprefix("#")) as page:
        assert shown(page) == whole
        assert page.evaluate("cardlaw.explorer.open") == "rule:614.2"
        assert page.evaluate("cardlaw.picture.places.get('rule:614.2')") == {"x": 321, "y": -123}
        assert page.get_attribute('#legend button[data-type="ability"]', "aria-pressed") == "false"


@pytest.mark.parametrize(
    "hash_",
    [
        "depth=99&hide=,,&pin=x;y;z&steps=explode;a,expand;b&path=&edge=%E0%A4%A",
        "%%%&=&&node=<script>",
        "steps=expand",
    ],
)
def test_an_address_that_makes_no_sense_does_no_harm(from_file: Opener, hash_: str) -> None:
    with from_file(hash_) as page:
        assert shown(page) == START


@pytest.mark.programs
def test_of_an_address_whose_path_is_gone_the_start_is_shown(chromium: Any, address: str) -> None:
    hash_ = f"focus={FOCUS}&hide=ability&path=card:nobody;{FOCUS};0"
    with opened(chromium, address, hash_, faults=True) as page:
        assert shown(page) == START
        assert page.inner_text("#said") == "card:nobody is not in the graph"
        assert page.evaluate("location.hash") == f"#focus={FOCUS}"


def test_an_address_that_asks_for_too_late_a_path_gets_the_first(from_file: Opener) -> None:
    with from_file("path=ability:tortoise.1.3;card:other-10;99") as page:
        assert page.locator(".way[aria-pressed=true]").count() == 1
        assert page.get_attribute(".way >> nth=0", "aria-pressed") == "true"
        assert "rule:614.11" in page.evaluate("[...cardlaw.picture.view.lit.nodes]")


def test_a_file_tells_what_it_does_not_hold(from_file: Opener) -> None:
    with from_file("focus=card:nobody") as page:
        assert page.inner_text("#said") == "card:nobody is not here."
        assert shown(page) == START


# Choosing what stays


def test_pin_by_dragging(explorer: Opener) -> None:
    with explorer() as page:
        x, y = place(page, "rule:614.3")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y + 30, steps=4)
        page.mouse.up()
        settled(page, "() => 'rule:614.3' in cardlaw.explorer.state.pins")
        moved = place(page, "rule:614.3")
        assert moved == pytest.approx((x + 40, y + 30), abs=8)
        page.keyboard.press("Control+z")
        settled(page, "() => !('rule:614.3' in cardlaw.explorer.state.pins)")
        assert place(page, "rule:614.3") == pytest.approx((x, y), abs=2), "and back"


def test_keep_only_and_dismiss(explorer: Opener) -> None:
    with explorer() as page:
        choose(page, "rule:614.3")
        page.click('[data-act="keep"]')
        grown(page, 2)
        assert shown(page) == {"rule:614.3", "ability:tortoise.1.3"}
        page.keyboard.press("Control+z")
        grown(page, len(START))
        page.mouse.click(*place(page, "rule:614.3"))
        page.keyboard.down("Control")
        page.mouse.click(*place(page, "rule:614.2"))
        page.keyboard.up("Control")
        settled(page, "() => cardlaw.explorer.state.chosen.length === 2")
        page.click('[data-act="dismiss"]')
        grown(page, len(START) - 2)
        assert {"rule:614.2", "rule:614.3"}.isdisjoint(shown(page))


# Table, keyboard, readers


def test_table_sorts_and_filters(explorer: Opener) -> None:
    names = "[...document.querySelectorAll('#table tbody tr')].map((row) => row.dataset.row)"
    with explorer() as page:
        page.keyboard.press("t")
        page.wait_for_selector("#table tbody tr")
        assert set(page.evaluate(names)) == START
        page.click('th button[data-column="Name"]')
        assert page.get_attribute("th[aria-sort]", "aria-sort") == "ascending"
        order = page.evaluate(names)
        assert order.index("rule:614.2") < order.index("rule:614.9")
        page.click('th button[data-column="Name"]')
        assert page.evaluate(names) == order[::-1]
        page.fill("#table input", "614.")
        assert set(page.evaluate(names)) == {node for node in START if node.startswith("rule:")}
        page.click("tr[data-row='rule:614.9'] button")
        settled(page, "() => cardlaw.explorer.open === 'rule:614.9'")
        page.fill("#table input", "")
        page.click('[data-which="ties"]')
        settled(page, f"() => {names}.length > 12")
        assert page.evaluate(names + ".length") == nx.MultiDiGraph(world().subgraph(START)).number_of_edges()
        page.click("#as-table")
        settled(page, "() => document.querySelector('#table').hidden")


def test_keyboard_alone(explorer: Opener) -> None:
    with explorer() as page:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "picture":
                break
        assert page.evaluate("document.activeElement.id") == "picture"
        page.keyboard.press("ArrowRight")
        settled(page, f"() => cardlaw.explorer.open === '{FOCUS}'")
        seen = {FOCUS}
        for key in [key for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp") for _ in range(4)]:
            page.keyboard.press(key)
            page.wait_for_timeout(30)
            seen.add(page.evaluate("cardlaw.explorer.open"))
        assert len(seen) > 3, "arrows walk from neighbor to neighbor"
        active = page.get_attribute("#picture", "aria-activedescendant")
        assert page.get_attribute(f"#{active}", "aria-selected") == "true"
        choose(page, "keyword:glimmer")
        page.focus("#picture")
        page.keyboard.press("Enter")
        page.wait_for_selector(".menu")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        grown(page, len(START) + 23)
        page.keyboard.press("Delete")
        settled(page, "() => !cardlaw.explorer.visible.has('keyword:glimmer')")
        page.keyboard.press("?")
        assert page.is_visible("#help")
        page.keyboard.press("Escape")
        assert not page.is_visible("#help")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "search"


def test_what_readers_hear(explorer: Opener) -> None:
    with explorer() as page:
        lines = page.evaluate("[...document.querySelectorAll('#seen li')].map((row) => row.textContent)")
        assert len(lines) == len(START)
        assert "Rule 614.9 Replacing, 3 ties" in lines
        assert page.get_attribute("#said", "aria-live") == "polite"
        page.evaluate("cardlaw.explorer.grow('keyword:glimmer', 'is had by')")
        grown(page, len(START) + 23)
        assert page.text_content("#said") == f"23 added; {len(START) + 23} nodes shown."
        choose(page, "rule:614.9")
        assert page.text_content("#said") == "Rule 614.9 Replacing"
        nameless = page.evaluate(
            """[...document.querySelectorAll("button, input")].filter((each) => each.checkVisibility()
            && !(each.ariaLabel || each.textContent.trim() || each.labels?.length)).length"""
        )
        assert nameless == 0


# Files


def saved(page: Any, name: str) -> bytes:
    page.click("#save")
    with page.expect_download() as download:
        item(page, name)
    content: bytes = Path(download.value.path()).read_bytes()
    return content


def test_png_and_svg(explorer: Opener) -> None:
    with explorer() as page:
        png = saved(page, "PNG")
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(png[16:20], "big") > 800
        svg = saved(page, "SVG").decode()
        root = ElementTree.fromstring(svg)
        texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {"Ember Tortoise", "614.9", "Glimmer"} <= texts
        assert any(RELEASE in (text or "") for text in texts)


def test_csv_cells_do_no_harm(from_file: Opener) -> None:
    with from_file("steps=add;card:sum,add;card:aelfric&table=nodes") as page:
        content = saved(page, "CSV").decode("utf-8-sig")
        assert content.count("\r\n") >= len(START) + 3
        rows = {row["ID"]: row for row in csv.DictReader(io.StringIO(content, newline=""))}
        assert set(rows) == START | {"card:sum", "card:aelfric"}
        assert rows["card:sum"]["Name"] == "'=SUM(A1:A9)"
        assert rows["card:aelfric"]["Name"] == "Ælfric, Théoden’s +1 Heir"
        assert rows[FOCUS]["Words"] == "Glimmer\nIf a lantern would dim, point."


def test_turtle_says_what_is_shown(explorer: Opener) -> None:
    with explorer() as page:
        content = saved(page, "Turtle")
        triples = [(quad.subject, quad.predicate, quad.object) for quad in parse(content, RdfFormat.TURTLE)]
        base, mtg = "https://w3id.org/cardlaw/", "https://w3id.org/cardlaw/ontology#"

        def node(name: str) -> NamedNode:
            return NamedNode(base + name)

        def objects(subject: Any, name: str) -> list[Any]:
            return [
                object_
                for each, predicate, object_ in triples
                if each == subject and predicate.value == mtg + name
            ]

        assert objects(node("card/tortoise"), "hasFace")[0] == node("face/tortoise.1")
        assert node("ability/tortoise.1.2") in objects(node("face/tortoise.1"), "hasAbility")
        assert objects(node("ability/tortoise.1.2"), "invokesAsEffect") == [node("rule/614.2")]
        assert objects(node("keyword/glimmer"), "definedBy") == [node("rule/614.2")]
        citations = [
            each for each, predicate, object_ in triples if getattr(object_, "value", "") == mtg + "Citation"
        ]
        assert len(citations) == 10, "one for each piece of evidence"
        [shell] = [
            each
            for each in citations
            if objects(each, "quote") == [Literal("shell")]
            and objects(each, "ability") == [node("ability/tortoise.1.3")]
        ]
        assert objects(shell, "rule") == [node("rule/614.9")]
        assert objects(shell, "relation") == [Literal("zone")]
        assert [int(object_.value) for object_ in objects(shell, "end")] == [11]
        assert objects(shell, "entry") == [node("entry/effect.x")]
        labels = {each.value for each, predicate, _ in triples if predicate.value.endswith("#label")}
        assert len(labels) == len(START)


# Names that would do harm


HOSTILE = """<img src=x onerror=alert(1)> </script><script>alert(2)</script> " ' & {{ 7 * 7 }}"""


@pytest.mark.programs
def test_names_stay_text_wherever_they_come_from(chromium: Any) -> None:
    graph = world()
    for node in graph:
        graph.nodes[node].update(label=f"{HOSTILE} {node}", title=f"{HOSTILE} {node}", text=HOSTILE)
    for _, _, data in graph.edges(data=True):
        data["label"] = data["inverse"] = f"<b>{data['relation']}</b>"
        for piece in data["evidence"]:
            piece.update(quote=HOSTILE, before=HOSTILE, rule=HOSTILE, entry=HOSTILE, field=HOSTILE)
    with serving(graph) as where, opened(chromium, where, f"focus={FOCUS}") as page:
        assert page.text_content("h1") == f"{HOSTILE} {FOCUS}"
        page.evaluate("cardlaw.explorer.expand('keyword:glimmer')")
        assert "<b>has_keyword</b>" in page.inner_text(".menu")
        page.keyboard.press("Escape")
        assert search(page, "onerror")
        assert HOSTILE in page.text_content("#matches")
        page.keyboard.press("Escape")
        page.evaluate(f"cardlaw.explorer.path('{FOCUS}', 'card:lantern')")
        settled(page, "() => cardlaw.explorer.state.path")
        page.evaluate(
            """cardlaw.explorer.chooseEdge([...cardlaw.explorer.edges]
            .find((id) => cardlaw.model.edges.get(id).evidence.length))"""
        )
        settled(page, "() => cardlaw.explorer.state.edge")
        assert page.text_content("#details mark") == HOSTILE
        page.evaluate("cardlaw.explorer.change({ table: 'ties' })")
        page.wait_for_selector("#table tbody tr")
        assert page.evaluate("document.querySelectorAll('img, b, iframe, main script').length") == 0
        svg = saved(page, "SVG").decode()
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert tags == {"svg", "title", "rect", "path", "text"}
        list(parse(saved(page, "Turtle"), RdfFormat.TURTLE))
        rows = list(csv.reader(io.StringIO(saved(page, "CSV").decode("utf-8-sig"), newline="")))
        assert {len(row) for row in rows} == {8}


# Phones, light and dark, no motion


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_switch_turns_light_into_dark(explorer: Opener, scheme: str) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    with explorer(color_scheme=scheme) as page:
        before, drawn = page.evaluate(paper), page.evaluate("cardlaw.picture.colors.paper")
        assert before == drawn
        page.click("#theme")
        assert page.evaluate(paper) != before
        settled(page, f"() => cardlaw.picture.colors.paper === {paper}")
        page.click("#theme")
        assert page.evaluate(paper) == before


def test_contrast_in_light_and_dark(explorer: Opener) -> None:
    with explorer() as page:
        for _ in range(2):
            rgb = {
                name: [
                    int(number)
                    for number in re.findall(r"\d+", page.evaluate(f"cardlaw.picture.colors.{name}"))
                ]
                for name in ("ink", "muted", "paper", "card", "rule", "ability", "keyword", "term")
            }
            assert contrast(rgb["ink"], rgb["paper"]) > 7
            assert contrast(rgb["muted"], rgb["paper"]) > 4.5
            for kind in ("card", "rule", "keyword"):
                assert contrast(rgb[kind], rgb["paper"]) > 3, kind
            page.click("#theme")
            page.wait_for_timeout(50)


def contrast(one: list[int], other: list[int]) -> float:
    """Contrast ratio of WCAG 2.2."""

    def luminance(color: list[int]) -> float:
        parts = [part / 255 for part in color[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_phone(explorer: Opener) -> None:
    with explorer(**PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        clipped = """[...document.querySelectorAll(
          "header *, #legend *, #panel, #details *, .zoom *, #tools *"
        )].filter((each) => {
          if (!each.checkVisibility() || each.closest("svg, .unseen")) return false;
          const box = each.getBoundingClientRect();
          return box.width && (box.left < -1 || box.right > innerWidth + 1);
        }).map((each) => each.outerHTML.slice(0, 80))"""
        assert page.evaluate(clipped) == []
        page.tap("#tools-button")
        assert page.is_visible("#save")
        assert page.evaluate(clipped) == []
        page.tap("#tools-button")
        x, y = place(page, "rule:614.9")
        page.touchscreen.tap(x, y)
        settled(page, "() => cardlaw.explorer.open === 'rule:614.9'")
        assert page.evaluate(
            "document.querySelector('#panel').getBoundingClientRect().bottom <= innerHeight + 1"
        )
        height = "document.querySelector('#panel').getBoundingClientRect().height"
        low = page.evaluate(height)
        page.tap("#handle")
        settled(page, f"low => {height} > low + 200", low)
        page.tap("#handle")
        settled(page, f"() => {height} < 120")


def test_long_press_opens_the_menu_of_a_node(explorer: Opener) -> None:
    with explorer(**PHONE) as page:
        x, y = place(page, "keyword:glimmer")
        session = page.context.new_cdp_session(page)
        point = {"x": x, "y": y}
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.wait_for_selector(".menu", timeout=4000)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(400)
        assert page.is_visible(".menu"), "lifting the finger is no press"
        page.tap('.menu button[data-item="Expand: is had by"]')
        grown(page, len(START) + 23)


def test_nothing_moves_for_those_who_want_it_still(explorer: Opener) -> None:
    with explorer(reduced_motion="reduce") as page:
        page.evaluate("cardlaw.picture.network.moveTo({ scale: 0.4 })")
        page.evaluate("cardlaw.picture.fit()")
        assert page.evaluate("cardlaw.picture.network.getScale()") > 0.5, "at once"


@pytest.mark.programs
def test_the_server_that_comes_with_it(chromium: Any, small_store: Path) -> None:
    with (
        server_of(small_store) as server,
        opened(chromium, f"{server.address}explore", "focus=keyword:cycling") as page,
    ):
        before = shown(page)
        assert {"keyword:cycling", "rule:702.29"} < before
        assert "2026-01-16" in page.inner_text("#summary")
        found = search(page, "702.29")
        assert found[0] == "rule:702.29"
        page.keyboard.press("Enter")
        settled(page, "() => cardlaw.explorer.open === 'rule:702.29'")
        href = page.get_attribute("#details a", "href")
        assert page.request.get(server.address.rstrip("/") + href).ok
        page.evaluate(
            "cardlaw.explorer.begin(['rule:702']).then(() => cardlaw.explorer.change({ depth: 0 }))"
        )
        settled(page, "() => cardlaw.explorer.visible.size === 1")
        page.evaluate("cardlaw.explorer.grow('rule:702', 'holds')")
        settled(page, "() => cardlaw.explorer.visible.size === 26")
        assert all(node.startswith("rule:702") for node in shown(page))
        page.evaluate("cardlaw.explorer.path('keyword:cycling', 'rule:702')")
        settled(page, "() => cardlaw.explorer.ways.length > 0")
        assert "Cycling" in page.inner_text(".way >> nth=0")
        page.keyboard.press("Escape")
        page.evaluate("cardlaw.explorer.begin(['keyword:cycling'], 'keyword')")
        settled(page, "() => cardlaw.explorer.state.preset === 'keyword'")
        assert "rule:702.29a" in shown(page)
        turtle = saved(page, "Turtle")
        assert len(list(parse(turtle, RdfFormat.TURTLE))) > 20
