"""Pages of rules and queries in a real browser: with scripts and without, on a phone, on paper, for all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pagecheck import barriers, faults_of, libraries
from serving import listening
from test_release_graph import CARDS, TEXTS
from viewing import started

from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.exports.workers import Limits
from cardlaw.graph.build import build

pytestmark = [pytest.mark.browser, pytest.mark.programs]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATHS = (
    *("rule/702.2", "rule/701", "rule/7", "rule/701.3a", "keyword/flying", "term/mill", "type/creature"),
    *("rules", "keywords", "terms", "queries", "query/cards-by-rule?rule=702.2", "rule/702.2?text=none"),
)
"""A page of each kind, some with little on them."""
NAMES = ".hits .name"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("releases")
    for name, content in TEXTS.items():
        (folder / name).write_text(content, encoding="utf-8")
    build(cards=[CARDS], rules=folder, store=folder / "store", workers=1)
    with listening(lambda base: create_app(Site(folder / "store", base), Limits(workers=1))) as base:
        yield base


@contextmanager
def opened(chromium: Any, url: str, **context: Any) -> Iterator[Any]:
    """The page in a browser; what goes wrong in it is an error."""
    page = chromium.new_context(**context).new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(f"{message.text} {message.location}"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(url)
    try:
        yield page
    finally:
        page.context.close()
    assert faults == []


def test_the_filter_is_a_form_without_scripts(chromium: Any, address: str) -> None:
    with opened(chromium, f"{address}rule/702.2", java_script_enabled=False) as page:
        assert page.locator(NAMES).count() == 3
        page.get_by_label("Name or text").fill("brindle")
        page.get_by_role("button", name="Filter").click()
        assert page.locator(NAMES).all_inner_texts() == ["Brindle Falconer"]
        assert page.get_by_label("Name or text").input_value() == "brindle"
        page.get_by_role("link", name="All", exact=True).click()
        assert page.locator(NAMES).count() == 3


def test_with_scripts_the_list_follows_what_is_typed(chromium: Any, address: str) -> None:
    with opened(chromium, f"{address}rule/702.2") as page:
        page.evaluate("window.stayed = true")
        page.get_by_label("Name or text").press_sequentially("brindle")
        page.locator(NAMES).nth(1).wait_for(state="detached")
        assert page.url == f"{address}rule/702.2?text=brindle&subrules=yes"
        assert page.get_by_role("status").inner_text() == "1 card of 3"
        page.get_by_label("How", exact=True).select_option("grants_keyword")
        page.get_by_label("Name or text").fill("")
        page.locator(NAMES, has_text="The Drowned Shelf").wait_for()
        assert page.locator(NAMES).all_inner_texts() == ["The Drowned Shelf"]
        assert page.evaluate("window.stayed"), "the page is the same one"
        page.reload()
        assert page.locator(NAMES).all_inner_texts() == ["The Drowned Shelf"]
        assert page.get_by_label("How", exact=True).input_value() == "grants_keyword"


def test_hostile_names_stay_text_where_a_script_puts_them(chromium: Any, address: str) -> None:
    with opened(chromium, f"{address}rule/702.4") as page:
        page.get_by_label("Name or text").fill("onerror")
        page.locator(NAMES).nth(1).wait_for(state="detached")
        assert page.locator(NAMES).all_inner_texts() == ["<img src=x onerror=alert(1)>"]
        assert page.locator("main img").count() == 0


@pytest.mark.parametrize("path", PATHS)
def test_pages_have_no_barriers_and_fit_a_phone(
    chromium: Any, address: str, path: str, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    modules = libraries(pytestconfig)
    for scheme in ("light", "dark"):
        with opened(chromium, address + path, color_scheme=scheme, bypass_csp=True, **PHONE) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert barriers(page, modules) == []
            html = page.evaluate("fetch(location.href, {headers: {accept: 'text/html'}}).then(r => r.text())")
    assert faults_of(html, modules, tmp_path) == []


def test_on_paper_there_are_no_forms(chromium: Any, address: str) -> None:
    with opened(chromium, f"{address}rule/702.2") as page:
        page.emulate_media(media="print")
        assert not page.locator("form").first.is_visible()
        assert not page.locator(".filter").is_visible()
        assert page.locator(NAMES).first.is_visible()


def test_a_query_is_asked_by_its_form(chromium: Any, address: str) -> None:
    with opened(chromium, f"{address}query/cards-by-rule", java_script_enabled=False) as page:
        page.get_by_label("rule", exact=True).fill("Flying")
        page.get_by_role("button", name="Ask").click()
        page.get_by_role("link", name="Brindle Falconer").click()
        assert page.url == f"{address}card/brindle-falconer"
