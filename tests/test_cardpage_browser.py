"""A card's page in a real browser, with scripts off: what opens by pointing, by the keyboard and by a tap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pagecheck import barriers, libraries
from serving import listening
from starlette.applications import Starlette
from viewing import started

from cardlaw.exports import explore, linked
from cardlaw.exports.links import Alone
from cardlaw.exports.recordpage import records_html
from cardlaw.exports.site import Site
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.store import open_store

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parent / "fixtures"
FALCONER = "card/brindle-falconer"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("whole") / "store"
    build(
        cards=[FIXTURES / "cards.json", FIXTURES / "scryfall.json"],
        rulings=FIXTURES / "scryfall-rulings.json",
        store=made,
        workers=1,
    )
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    def application(base: str) -> Starlette:
        site = Site(folder, base)
        return Starlette(routes=[*explore.routes(site), *linked.routes(site)])

    with listening(application) as base:
        yield base


@contextmanager
def opened(chromium: Any, url: str, **context: Any) -> Iterator[Any]:
    """The page, in a browser without scripts; what goes wrong in it is an error."""
    usual = {"java_script_enabled": False, "reduced_motion": "reduce"}
    page = chromium.new_context(**{**usual, **context}).new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.goto(url)
    try:
        yield page
    finally:
        page.context.close()
    assert faults == []


def shown(page: Any) -> list[str]:
    """The numbers of the rules that popups show now."""
    return [re.split(r"\s", text)[0] for text in page.locator(".pop:visible .rule").all_inner_texts()]


def test_pointing_at_a_cited_word_shows_its_rule(chromium: Any, address: str) -> None:
    with opened(chromium, address + FALCONER) as page:
        assert shown(page) == []
        page.locator(".f-keyword > label", has_text="Flying").hover()
        page.locator(".pop:visible .rule").first.wait_for()
        assert shown(page) == ["702.9"]
        popup = page.locator(".pop:visible")
        assert "Flying" in popup.inner_text()
        assert "Why" in popup.inner_text()
        popup.locator("a.rule").hover()
        page.wait_for_timeout(300)
        assert shown(page) == ["702.9"], "it stays while the pointer is on it"
        popup.locator("a.rule").click()
        assert page.url == f"{address}rule/702.9"


def test_a_press_opens_it_above_all_and_escape_closes_it(chromium: Any, address: str) -> None:
    with opened(chromium, address + FALCONER) as page:
        page.locator(".f-keyword > label", has_text="vigilance").click()
        page.mouse.move(2, 2)
        assert shown(page) == ["702.20"]
        assert page.locator(".pop:popover-open").count() == 1
        page.keyboard.press("Escape")
        page.mouse.move(4, 4)
        assert page.locator(".pop:popover-open").count() == 0


def test_the_keyboard_opens_each_cited_word_in_turn(chromium: Any, address: str) -> None:
    with opened(chromium, address + FALCONER, java_script_enabled=True) as page:
        count = page.locator(".opener").count()
        assert count > 5
        reached: list[str] = []
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.classList.contains('opener')"):
                reached.append(page.evaluate("document.activeElement.id"))
                assert shown(page), reached[-1]
                assert page.locator(".pop:visible").count() == 1
        assert len(reached) == len(set(reached)) == count, "each is a stop, and each is one"
        page.evaluate(f"document.getElementById('{reached[0]}').focus()")
        page.keyboard.press("Enter")
        assert page.locator(".pop:popover-open").count() == 1
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.pop').matches(':popover-open')"), (
            "into what opened"
        )
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.id") == reached[0], "and back"


def test_a_tap_opens_it_at_the_foot_of_a_phone(chromium: Any, address: str) -> None:
    with opened(chromium, address + FALCONER, **PHONE) as page:
        page.locator(".f-keyword > label", has_text="Flying").tap()
        page.locator(".pop:visible .rule").first.wait_for()
        assert shown(page) == ["702.9"]
        box = page.locator(".pop:popover-open").bounding_box()
        assert box["x"] == 0
        assert box["width"] == 390
        assert abs(box["y"] + box["height"] - 844) < 2
        page.touchscreen.tap(200, 60)
        page.locator(".pop:visible .rule").wait_for(state="hidden")
        assert shown(page) == []


@pytest.mark.parametrize(
    "name", ["brindle-falconer", "vane-turner-vane-unturned", "ossa-of-the-two-doors", "lamplighter"]
)
@pytest.mark.parametrize("context", [{}, {"color_scheme": "dark"}, PHONE], ids=["desktop", "dark", "phone"])
def test_nothing_sticks_out_and_popups_stay_in_the_window(
    chromium: Any, address: str, name: str, context: dict[str, Any]
) -> None:
    with opened(chromium, f"{address}card/{name}", **context, java_script_enabled=True) as page:
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 22, 26)"
        assert dark == (context.get("color_scheme") == "dark")
        size = page.viewport_size
        for button in page.locator(".opener").all():
            button.evaluate("button => { button.scrollIntoView({ block: 'center' }); button.click() }")
            box = page.locator(".pop:popover-open").bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size["width"] + 1
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size["height"] + 1
            page.keyboard.press("Escape")


def test_the_legend_leaves_one_kind_of_mark(chromium: Any, address: str) -> None:
    drawn = "label => getComputedStyle(label).textDecorationColor"
    with opened(chromium, address + FALCONER, java_script_enabled=True) as page:
        flying = page.locator(".r-has_keyword > label").first
        attacks = page.locator(".r-trigger_event > label").first
        assert "rgba(0, 0, 0, 0)" not in (flying.evaluate(drawn), attacks.evaluate(drawn))
        page.locator(".legend label", has_text="trigger event").click()
        assert flying.evaluate(drawn) == "rgba(0, 0, 0, 0)"
        assert attacks.evaluate("label => getComputedStyle(label).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_kinds_of_marks_are_told_apart_without_color(chromium: Any, address: str) -> None:
    lines = """labels => labels.map((label) => {
      const { textDecorationStyle, textDecorationThickness } = getComputedStyle(label);
      return textDecorationStyle + textDecorationThickness;
    })"""
    with opened(chromium, address + FALCONER, java_script_enabled=True) as page:
        found = {
            family: set(page.locator(f".cite.f-{family} > label").evaluate_all(lines))
            for family in ("keyword", "action", "working", "term")
        }
        assert all(len(each) == 1 for each in found.values())
        assert len(set.union(*found.values())) == len(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barriers(chromium: Any, address: str, pytestconfig: pytest.Config, scheme: str) -> None:
    modules = libraries(pytestconfig)
    for name in ("brindle-falconer", "vane-turner-vane-unturned", "ossa-of-the-two-doors"):
        with opened(
            chromium, f"{address}card/{name}", color_scheme=scheme, java_script_enabled=True, bypass_csp=True
        ) as page:
            assert barriers(page, modules) == [], name
            page.locator(".opener").first.evaluate("button => button.click()")
            assert barriers(page, modules) == [], f"{name}, opened"


def test_hostile_cards_do_nothing(chromium: Any, address: str, folder: Path, tmp_path: Path) -> None:
    with open_store(folder) as store:
        hostile = [c for c in read.cards(store) if "<" in c.name]
        assert len(hostile) == 2
        (tmp_path / "hostile.html").write_text(records_html(store, hostile, Alone()), encoding="utf-8")
    urls = [(tmp_path / "hostile.html").as_uri(), *(f"{address}card/{card.slug}" for card in hostile)]
    for url in urls:
        with opened(chromium, url, java_script_enabled=True) as page:
            page.on("dialog", lambda dialog: pytest.fail("a script of a card ran"))
            assert page.locator("h1").first.inner_text() in {card.name for card in hostile}
            assert (
                page.locator("img, script:not([src='/assets/adding.js']), iframe:not(.live iframe)").count()
                == 0
            )


def test_the_explorer_opens_within_the_page(chromium: Any, address: str) -> None:
    with opened(chromium, address + FALCONER, java_script_enabled=True) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.wait_for_timeout(300)
        assert asked == []  # not before it is wanted
        page.locator(".live summary").click()
        frame = page.frame_locator(".live iframe")
        frame.get_by_role("heading", name="Brindle Falconer").first.wait_for()
        assert any("/explore/graph?focus=card:brindle-falconer" in each.replace("%3A", ":") for each in asked)


def test_a_file_works_without_a_network(chromium: Any, folder: Path, tmp_path: Path) -> None:
    with open_store(folder) as store:
        records = [read.card(store, "Brindle Falconer"), read.card(store, "Vane Turner")]
        (tmp_path / "cards.html").write_text(records_html(store, records, Alone()), encoding="utf-8")
    asked: list[str] = []
    with opened(chromium, (tmp_path / "cards.html").as_uri(), offline=True) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.locator(".f-keyword > label", has_text="Flying").first.click()
        page.mouse.move(2, 2)
        assert shown(page) == ["702.9"]
        assert page.locator(".picture").count() == 2
    assert asked == []


def test_on_paper_stands_the_text_without_what_opens(chromium: Any, address: str) -> None:
    with opened(chromium, address + FALCONER) as page:
        page.emulate_media(media="print")
        assert page.locator("header form").is_hidden()
        assert page.locator(".pop:visible").count() == 0
        assert page.locator(".card .words").first.is_visible()
        assert page.locator(".picture").is_visible()
