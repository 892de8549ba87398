"""Search in a real browser, served and from the disk, with scripts and without; no page has barriers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pagecheck import LOOKS, libraries, opened, sound
from serving import listening
from starlette.applications import Starlette
from viewing import started

from cardlaw.exports import explore, linked
from cardlaw.exports.site import Site
from cardlaw.exports.sitefiles import plan, write_site
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.store import open_store
from cardlaw.ontology.namespaces import expand

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with the words of the invented rulebook."""
    made = tmp_path_factory.mktemp("whole") / "store"
    cards = [FIXTURES / "cards.json", FIXTURES / "scryfall.json"]
    build(cards=cards, rules=FIXTURES / "rulebook.txt", store=made, workers=1)
    return made


@pytest.fixture(scope="module")
def files(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of all its cards, in a folder whose name needs care in an address."""
    target = tmp_path_factory.mktemp("disk") / "a site #1 & more"
    with open_store(folder) as store:
        chosen = [expand(f"card:{card.slug}") for card in read.cards(store)]
        chosen.append(expand("rule:100.1"))
        write_site(store, plan(store, chosen), target, lambda *told: None, workers=1)
    return target


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    def application(base: str) -> Starlette:
        site = Site(folder, base)
        return Starlette(routes=[*explore.routes(site), *linked.routes(site)])

    with listening(application) as base:
        yield base


def titles(page: Any) -> list[str]:
    return list(page.locator("#hits h2 a").all_inner_texts())


def ask(page: Any, text: str) -> None:
    page.locator("#q").fill(text)
    page.locator("#q").press("Enter")


# Served


def test_the_served_search_needs_no_script(browser: Any, address: str) -> None:
    with opened(browser, address) as page:
        page.locator("#find").fill("cards*")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=cards*")
        marked = {text.lower() for text in page.locator(".passages mark").all_inner_texts()}
        assert marked == {"card", "cards"}
        page.locator("nav[aria-label='Kinds'] a", has_text="Cards").click()
        assert set(page.locator(".passages .kind").all_inner_texts()) == {"card"}
        page.locator(".passages a", has_text="Twin Ledger").first.click()
        assert page.url == f"{address}card/twin-ledger"
        page.wait_for_load_state("networkidle")  # without scripts no frame is lazy


# From the disk


def test_the_search_box_of_any_page_leads_to_the_search(browser: Any, files: Path) -> None:
    asked: list[str] = []
    with opened(browser, (files / "card" / "twin-ledger.html").as_uri(), java_script_enabled=True) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.locator("header input").fill("three people")
        page.keyboard.press("Enter")
        page.wait_for_selector("#hits a")
        assert titles(page) == ["100.1a General"]
        assert page.locator("#hits mark").all_inner_texts() == ["Three", "people"]
        page.locator("#hits a").click()
        page.wait_for_url("**/rule/100.1a.html")
    assert all(url.startswith("file:") for url in asked)


def test_words_are_found_as_the_server_finds_them(browser: Any, files: Path) -> None:
    with opened(browser, (files / "search.html").as_uri(), java_script_enabled=True) as page:
        for asked, expected in (
            ("falconer", "Brindle Falconer"),
            ("AETHERJOTUN", "Ætherjötun, the Élan’s Own"),
            ("Ætherjötun elan", "Ætherjötun, the Élan’s Own"),
            ("brind falcon", "Brindle Falconer"),
            ("100.1a", "100.1a General"),
            ("menaces treasures", "Vane Turner // Vane, Unturned"),
        ):
            ask(page, asked)
            assert titles(page)[0] == expected, asked
        ask(page, "flying")
        assert page.locator("#hits .kind").first.inner_text() in ("keyword", "term")
        ask(page, '"draw a card"')
        together = page.locator("#hits mark").all_inner_texts()
        assert {text.lower() for text in together} <= {"draw a card", "draw a cards", "draws a card"}
        ask(page, "brindle zzyzx")
        assert "some of them" in page.locator("#told").inner_text()
        ask(page, "zzyzx")
        assert page.locator("#told").inner_text() == "Nothing has these words."
        assert titles(page) == []


def test_kinds_narrow_and_more_goes_on(browser: Any, files: Path) -> None:
    with opened(browser, f"{(files / 'search.html').as_uri()}?q=a", java_script_enabled=True) as page:
        assert len(titles(page)) == 20
        page.locator("#more").click()
        assert len(titles(page)) > 20
        page.locator("#kinds button", has_text="Rules").click()
        assert set(page.locator("#hits .kind").all_inner_texts()) == {"rule"}
        pressed = page.locator("#kinds [aria-pressed=true]")
        assert pressed.inner_text().startswith("Rules")
        assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"


def test_it_answers_while_one_types(browser: Any, files: Path) -> None:
    with opened(browser, (files / "search.html").as_uri(), java_script_enabled=True) as page:
        assert page.evaluate("document.activeElement.id") == "q"
        page.keyboard.type("falcon")
        page.wait_for_function("document.querySelector('#hits a')?.textContent.includes('Falcon')")


@pytest.mark.parametrize(
    "asked",
    [
        *("<img src=x onerror=alert(1)>", '"', "*", '""" * -', "\\", "((("),
        "constructor __proto__ toString",
        "a" * 400,
    ],
)
def test_no_question_breaks_it(browser: Any, files: Path, asked: str) -> None:
    with opened(browser, (files / "search.html").as_uri(), java_script_enabled=True) as page:
        ask(page, asked)
        assert page.locator("#hits").count() == 1
        assert page.evaluate("document.querySelectorAll('main img, main iframe').length") == 0
        if "onerror" in asked:
            assert "<img src=x onerror=alert(1)>" in titles(page)


def test_without_scripts_it_says_what_to_do(browser: Any, files: Path) -> None:
    with opened(browser, (files / "search.html").as_uri()) as page:
        assert "Turn them on" in page.locator("noscript").inner_text()
        assert page.locator("#ask").is_hidden()
        page.locator("noscript a", has_text="keywords").click()
        page.locator("main a", has_text="Flying").first.click()
        assert page.locator("h1").inner_text() == "Flying"


def test_without_its_index_it_says_so(browser: Any, files: Path, tmp_path: Path) -> None:
    site = shutil.copytree(files, tmp_path / "site", ignore=shutil.ignore_patterns("search-index.js"))
    page = browser.new_context().new_page()
    page.goto((site / "search.html").as_uri())
    assert "search-index.js" in page.locator("#told").inner_text()
    page.context.close()


# All kinds of pages


PLACES = (
    *("card/brindle-falconer", "token/00001019-0000-4000-8000-000000001019", "rule/702", "rule/100.1a"),
    *("keyword/flying", "term/ability", "search?q=draws+cards", "search?q=zzyzx", ""),
)


def test_served_pages_have_no_barriers(browser: Any, address: str, pytestconfig: pytest.Config) -> None:
    modules = libraries(pytestconfig)
    found = [f"{address}{place}" for place in PLACES]
    assert sound(browser, found, modules, LOOKS) == {}


def test_pages_of_files_have_no_barriers(browser: Any, files: Path, pytestconfig: pytest.Config) -> None:
    modules = libraries(pytestconfig)
    names = (
        "index.html",
        "rules.html",
        "terms.html",
        "search.html",
        "rule/702.9.html",
        "keyword/flying.html",
    )
    found = [(files / name).as_uri() for name in names]
    found.append(f"{(files / 'search.html').as_uri()}?q=card")
    assert sound(browser, found, modules, LOOKS) == {}
