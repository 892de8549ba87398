"""The page of the atlas in a real browser, on invented cards some of which have hostile names."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import serving

from cardlaw.exports import atlas as exports
from cardlaw.exports.atlas import atlas_html
from cardlaw.graph.atlas import atlas
from cardlaw.graph.store import open_store

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000  # ms: a busy machine draws slowly
FIND = "name => cardlaw.atlas.find(name)"


@pytest.fixture(scope="module")
def file(small_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("atlas") / "atlas.html"
    with open_store(small_store) as store:
        path.write_text(atlas_html(atlas(store), store), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    if not exports._there():
        pytest.skip("no sigma: the package was built without npm")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, address: str, *, script: str = "", **context: Any) -> Iterator[Any]:
    """A page of the atlas, drawn; fails on any console error, dialog or request that leaves."""
    faults: list[str] = []
    home = address.partition("#")[0].rpartition("/")[0]
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context}).new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: request.url.startswith(home) or faults.append(request.url))
    if script:
        page.add_init_script(script)
    page.goto(address)
    page.wait_for_function("() => globalThis.cardlaw?.ready")
    try:
        yield page
    finally:
        page.context.close()
    assert faults == []


def choose(page: Any, name: str) -> None:
    page.evaluate(f"cardlaw.go.node(({FIND})({name!r}))")
    page.wait_for_function(f"() => cardlaw.map?.chosen === ({FIND})({name!r})")


def search(page: Any, typed: str) -> list[str]:
    page.fill("#search", typed)
    found: list[str] = page.locator("#matches li span").all_inner_texts()
    return found


def pixels(page: Any) -> dict[str, int]:
    """Colors of the drawn nodes, as the map has them, with how many have each."""
    code = """() => {
      const found = {};
      for (let node = 0; node < cardlaw.atlas.size; node += 1) {
        const data = cardlaw.map.sigma.getNodeDisplayData(node);
        if (!data.hidden) found[data.color] = (found[data.color] ?? 0) + 1;
      }
      return found;
    }"""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    counted: dict[str, int] = page.evaluate(code)
    return counted


def test_page_carries_no_address_and_asks_for_none(file: Path) -> None:
    html = file.read_text(encoding="utf-8")
    assert "Content-Security-Policy\" content=\"default-src 'none'" in html
    assert not re.search(r'(?:src|href)="(?!data:,)', html)
    assert not re.search(r"^(?:import|export)\b", html.partition('<script type="module">')[2], re.MULTILINE)
    assert "unofficial Fan Content" in html
    assert "onerror=alert" not in html, "names are in the packed files alone"


@pytest.mark.browser
def test_it_draws_while_the_network_hangs(chromium: Any, file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        port = silent.getsockname()[1]
        proxy = {"server": f"http://127.0.0.1:{port}"}
        with opened(chromium, file.as_uri(), proxy=proxy) as page:
            size = page.evaluate("cardlaw.map.graph.order")
            assert size == page.evaluate("cardlaw.atlas.size")
            page.wait_for_function("() => cardlaw.map.graph.size === cardlaw.atlas.backbone.length / 2")
            image = page.evaluate("""() => {
              const { land } = cardlaw.map;
              const { data } = land.getImageData(0, 0, land.canvas.width, land.canvas.height);
              return new Set(new Uint32Array(data.buffer)).size;
            }""")
            assert image > 3, "land, shore and water are there"


@pytest.mark.browser
def test_search_forgives_and_a_find_opens(chromium: Any, file: Path) -> None:
    with opened(chromium, file.as_uri()) as page:
        assert search(page, "702.29")[0] == "702.29 Cycling"
        assert search(page, "aetherjotun the elans own") == ["Ætherjötun, the Élan’s Own"]
        assert search(page, "brindel falconer")[0] == "Brindle Falconer"
        assert search(page, "flying")[0] == "Flying"
        assert (
            search(page, "no such thing at all") == ["Nothing is called so"]
            or not page.locator("#matches [role=option]").count()
        )
        search(page, "brindle")
        page.press("#search", "Enter")
        page.wait_for_selector("#panel h2:has-text('Brindle Falconer')")
        ties = page.locator("#panel h3:has-text('has') + ul").first.inner_text().split()
        assert {"Flying", "Vigilance"} <= set(ties)
        assert "cardlaw view card:brindle-falconer" in page.inner_text("#panel")


@pytest.mark.browser
def test_choosing_shows_its_ties_and_dims_the_rest(chromium: Any, file: Path) -> None:
    with opened(chromium, file.as_uri()) as page:
        before = set(pixels(page))
        choose(page, "keyword:flying")
        tied = page.evaluate(f"cardlaw.map.tied.has(({FIND})('card:brindle-falconer'))")
        assert tied
        assert not page.evaluate(f"cardlaw.map.tied.has(({FIND})('card:salt-road'))")
        page.wait_for_function("""() => {
          const { ties } = cardlaw.map;
          cardlaw.map.drawTies();
          return ties.getImageData(0, 0, ties.canvas.width, ties.canvas.height).data.some(Boolean);
        }""")
        after = pixels(page)
        faded = {color: count for color, count in after.items() if color not in before}
        assert sum(faded.values()) > 3000, "most nodes are not tied to it"
        assert faded.keys() != after.keys(), "and some are"
        assert page.evaluate("location.hash") == "#focus=keyword%3Aflying"
        page.keyboard.press("Escape")
        assert page.evaluate("cardlaw.map.chosen") == -1
        assert not page.is_visible("#side")


@pytest.mark.browser
def test_a_click_on_the_map_chooses(chromium: Any, file: Path) -> None:
    with opened(chromium, file.as_uri(), reduced_motion="reduce") as page:
        page.evaluate(f"cardlaw.map.visit(({FIND})('keyword:scry'))")
        head = page.locator("#panel h2:has-text('Scry')")
        for wait in (200, 400, 800, 1600, 3200, 6400):  # until the map has drawn what is under the mouse
            at = page.evaluate(f"""() => {{
              const node = ({FIND})('keyword:scry');
              const {{ atlas, map }} = cardlaw;
              map.sigma.refresh(); // places are as drawn last, and the panel makes the map narrower
              const at = map.sigma.graphToViewport({{ x: atlas.x[node], y: atlas.y[node] }});
              const box = map.place.getBoundingClientRect();
              return [box.left + at.x, box.top + at.y];
            }}""")
            page.mouse.move(at[0] + 40, at[1] + 40)
            page.mouse.move(*at)
            page.wait_for_timeout(wait)
            page.mouse.click(*at)
            page.wait_for_timeout(wait)
            if head.count():
                break
        assert head.is_visible()


@pytest.mark.browser
def test_colors_and_filters(chromium: Any, file: Path) -> None:
    with opened(chromium, file.as_uri()) as page:
        by_chapter = pixels(page)
        falconer, scry = (
            page.evaluate(f"cardlaw.map.sigma.getNodeDisplayData(({FIND})({name!r})).color")
            for name in ("card:brindle-falconer", "keyword:scry")
        )
        assert falconer == "#009e73", "a keyword ability's, as the style sheet has it"
        assert scry not in (falconer, "#808080")
        assert len(by_chapter) > 12, "of cards and, darker, of rules"
        assert "serif" in page.evaluate("cardlaw.map.fonts.serif")
        page.check("input[value=identity]")
        by_color = pixels(page)
        assert by_color != by_chapter
        assert "Several colors" in page.inner_text("#categories")
        page.check("input[value=type]")
        assert "Creature" in page.inner_text("#categories")
        assert page.evaluate("location.hash") == "#color=type"
        everything = sum(pixels(page).values())
        page.click("#kinds button:has-text('Rules')")
        assert everything - sum(pixels(page).values()) == 3269
        page.click("#kinds button:has-text('Rules')")
        page.click("#categories button:has-text('Creature')")
        assert 0 < everything - sum(pixels(page).values()) < 30
    with opened(chromium, file.as_uri() + "#color=identity&focus=card%3Abrindle-falconer") as page:
        page.wait_for_selector("#panel h2:has-text('Brindle Falconer')")
        assert page.is_checked("input[value=identity]")


@pytest.mark.browser
def test_hostile_names_stay_text(chromium: Any, file: Path) -> None:
    with opened(chromium, file.as_uri()) as page:
        for typed, name in (
            ("img src", "<img src=x onerror=alert(1)>"),
            ("script script", "</script><script>alert(1)</script>"),
        ):
            assert name in search(page, typed)
            page.press("#search", "Enter")
            page.wait_for_function(
                "name => document.querySelector('#panel h2').textContent === name", arg=name
            )
        page.click("#as-table")
        page.fill("#table input", "onerror")
        page.wait_for_selector("#table .row button:has-text('<img src=x')")
        assert page.locator("img").count() == 0


@pytest.mark.browser
def test_without_webgl_there_is_the_table(chromium: Any, file: Path) -> None:
    without = "HTMLCanvasElement.prototype.getContext = () => null"
    with opened(chromium, file.as_uri(), script=without) as page:
        assert "no WebGL" in page.inner_text("#no-map")
        page.wait_for_selector("#table .row[data-at]")
        rows = page.locator("#table .row[data-at]").count()
        assert 10 < rows < 80, "only what is seen is there"
        page.fill("#table input", "falconer")
        assert page.inner_text("#table .is-name >> nth=1").strip() == "Brindle Falconer"
        page.fill("#table input", "")
        page.click("#table .heads .is-ties button")
        first = page.inner_text("#table .row[data-at='0'] .is-ties")
        assert int(first.replace(",", "")) > 5
        page.click("#table .row[data-at='0'] button")
        page.wait_for_selector("#panel h2")
        page.focus("#table .scroller")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('.row')?.dataset.at") is not None


@pytest.mark.browser
def test_keyboard_alone(chromium: Any, file: Path) -> None:
    with opened(chromium, file.as_uri(), reduced_motion="reduce") as page:
        page.keyboard.press("/")
        page.keyboard.type("702.9")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_selector("#panel h2:has-text('702.9 Flying')")
        assert "702.9 Flying" in page.inner_text("#said")
        page.keyboard.press("Escape")
        page.focus("#map")
        page.wait_for_function("() => !cardlaw.map.sigma.getCamera().isAnimated()")
        before = page.evaluate("cardlaw.map.sigma.getCamera().getState()")
        page.keyboard.press("+")
        page.wait_for_function(f"() => cardlaw.map.sigma.getCamera().ratio < {before['ratio']}")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(f"() => cardlaw.map.sigma.getCamera().x < {before['x']}")
        page.keyboard.press("Enter")
        page.wait_for_function("() => cardlaw.map.chosen >= 0")


@pytest.mark.browser
def test_phone_and_dark(chromium: Any, file: Path) -> None:
    phone = {"viewport": {"width": 390, "height": 800}, "device_scale_factor": 2, "color_scheme": "dark"}
    with opened(chromium, file.as_uri(), **phone) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert max(map(int, re.findall(r"\d+", dark))) < 60
        choose(page, "keyword:flying")
        box = page.locator("#side").bounding_box()
        assert box["width"] == 390
        assert box["height"] < 420
        page.click("#close")
        page.emulate_media(color_scheme="light")
        page.wait_for_function("() => cardlaw.map.style.land === 'rgb(253, 251, 245)'")


@pytest.mark.browser
@pytest.mark.programs
def test_served_it_fetches_and_leads_to_the_explorer(chromium: Any, small_store: Path) -> None:
    with serving(small_store) as server:
        asked: list[str] = []
        with opened(chromium, server.address + "atlas") as page:
            page.on("request", lambda request: asked.append(request.url))
            choose(page, "rule:702.9")
            assert asked == [server.address + "atlas/ties.gz"], "only when they are wanted"
            link = page.get_attribute("#panel a:has-text('Explore')", "href")
            assert link == "/explore#focus=rule%3A702.9"
            page.click("#panel a:has-text('Its page')")
            page.wait_for_url("**/rule/702.9")
        answer = httpx.get(server.address + "atlas")
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        places = httpx.get(server.address + "atlas/places.gz")
        tag = {"if-none-match": places.headers["etag"]}
        assert httpx.get(server.address + "atlas/places.gz", headers=tag).status_code == 304


def test_without_libraries_the_page_says_so(small_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "_LIBRARY", ("none.js",))
    with open_store(small_store) as store:
        html = atlas_html(atlas(store), store)
    assert "it takes <code>npm</code>" in html
    assert "sigma" not in html.partition('<script type="text/plain"')[0]
