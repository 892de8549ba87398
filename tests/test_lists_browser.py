"""Lists in a real browser: cards are added from pages, explorer and atlas, and the page of lists has them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from pagecheck import LOOKS, barriers, faults_of, libraries, opened, parses
from serving import listening
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from viewing import settled, started

from cardlaw.exports import atlas, editor, explore, linked, view
from cardlaw.exports.atlas import atlas_html
from cardlaw.exports.site import Site
from cardlaw.exports.sitefiles import plan, write_site
from cardlaw.graph import open_store, read
from cardlaw.graph.atlas import atlas as atlas_of
from cardlaw.graph.build import build
from cardlaw.ontology.namespaces import expand

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parent / "fixtures"
KEY = "cardlaw.lists"
FALCONER = "card/brindle-falconer"
NO_STORAGE = """Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('no', 'SecurityError'); } });"""
NO_ROOM = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"

posted: list[str] = []


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("whole") / "store"
    build(cards=[FIXTURES / "cards.json", FIXTURES / "scryfall.json"], store=made, workers=1)
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """A server that takes a deck and keeps it in `posted`."""

    async def deck(request: Request) -> Response:
        form = await request.form()
        posted.append(str(form["list"]))
        return HTMLResponse("<!doctype html><title>Deck</title><link rel='icon' href='data:,'><h1>Deck</h1>")

    def application(base: str) -> Starlette:
        site = Site(folder, base)
        shown = [*editor.routes(site), *atlas.routes(site), *explore.routes(site), *linked.routes(site)]
        return Starlette(routes=[Route("/deck", deck, methods=["POST"]), *shown])

    with listening(application) as base:
        yield base


@pytest.fixture(scope="module")
def files(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("disk") / "a site #1 & more"
    with open_store(folder) as store:
        chosen = [expand(f"card:{card.slug}") for card in read.cards(store)]
        write_site(store, plan(store, chosen), target, lambda *told: None, workers=1)
    return target


@contextmanager
def scripted(browser: Any, url: str, lists: Any = None, init: str = "", **context: Any) -> Iterator[Any]:
    """A page with scripts, in a browser that has kept some lists; what it asks of others is an error."""
    usual = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 900}}
    own = browser.new_context(**{**usual, **context})
    if lists is not None:
        text = lists if isinstance(lists, str) else json.dumps({"version": 1, "lists": lists})
        once = f"localStorage.getItem({KEY!r}) ?? localStorage.setItem({KEY!r}, {json.dumps(text)})"
        own.add_init_script(f"try {{ {once}; }} catch {{ /* there is none */ }}")
    if init:
        own.add_init_script(init)
    wrong: list[str] = []
    page = own.new_page()

    def watch(page: Any) -> None:
        page.on("console", lambda message: "GPU stall" in message.text or wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        begins = (url.split("://")[0] + "://" + url.split("://")[1].partition("/")[0], "data:", "blob:")
        page.on("request", lambda request: request.url.startswith(begins) or wrong.append(request.url))

    watch(page)
    own.on("page", watch)
    page.goto(url)
    try:
        yield page
    finally:
        own.close()
    assert not wrong, wrong


def kept(page: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        page.evaluate(f"localStorage.getItem({KEY!r})") or '{"lists":[]}'
    )["lists"]
    return found


def names(page: Any, at: int = 0) -> list[tuple[str, int, str]]:
    return [(card["name"], card["count"], card["section"]) for card in kept(page)[at]["cards"]]


def card(name: str, count: int = 1, section: str = "main", **more: str) -> dict[str, Any]:
    slug = name.lower().replace(" // ", "-").replace(" ", "-").replace(",", "")
    return {
        "card": f"card:{slug}",
        "name": name,
        "layout": "normal",
        "count": count,
        "section": section,
        **more,
    }


RIVER = {
    "id": "river",
    "name": "River",
    "cards": [
        card("Brindle Falconer", 4),
        card("Hush // Clamor", 2, layout="split"),
        card("Plain Badger", 3),
        card("Nessa, Tide Reader", 1, "sideboard"),
    ],
}
HILL = {"id": "hill", "name": "Hill", "cards": [card("Plain Badger")]}


def said(page: Any) -> str:
    return str(page.locator("#told").inner_text())


# From a card's page


def test_the_keyboard_adds_a_card_and_the_page_of_lists_has_it(browser: Any, address: str) -> None:
    with scripted(browser, address + FALCONER) as page:
        page.get_by_role("button", name="Add to list").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.labels[0].textContent") == "Name"
        page.keyboard.press("Control+a")
        page.keyboard.type("Sky")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+a")
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        assert page.get_by_role("status").inner_text() == "Added 4 to “Sky”, main deck. Open the list"
        assert page.evaluate("document.activeElement.textContent") == "Add to list"
        assert names(page) == [("Brindle Falconer", 4, "main")]
        page.keyboard.press("Enter")
        page.get_by_label("Where").select_option("Main deck")
        page.get_by_role("button", name="Add", exact=True).click()
        assert "now 5" in page.get_by_role("status").inner_text()
        page.get_by_role("link", name="Open the list").click()
        page.wait_for_url("**/lists#*")
        assert page.get_by_role("button", name="Sky", exact=True).get_attribute("aria-expanded") == "true"
        assert page.get_by_label("How many Brindle Falconer").input_value() == "5"
        page.get_by_role("link", name="Brindle Falconer").click()
        assert page.url == address + FALCONER


def test_a_deck_starts_with_a_card(browser: Any, address: str) -> None:
    with scripted(browser, address + FALCONER, [HILL]) as page:
        page.get_by_role("button", name="Start a deck").click()
        assert page.get_by_label("Name").input_value() == "Deck with Brindle Falconer"
        page.get_by_label("Where").select_option("Commander")
        page.get_by_role("button", name="Add", exact=True).click()
        assert [each["name"] for each in kept(page)] == ["Hill", "Deck with Brindle Falconer"]
        assert names(page, 1) == [("Brindle Falconer", 1, "commander")]


def test_escape_closes_the_form_and_bad_numbers_are_asked_for_again(browser: Any, address: str) -> None:
    with scripted(browser, address + FALCONER, [HILL]) as page:
        page.get_by_role("button", name="Add to list").click()
        page.get_by_label("How many").fill("")
        page.get_by_role("button", name="Add", exact=True).click()
        assert "A number from 1" in page.get_by_role("status").inner_text()
        assert page.evaluate("document.activeElement.labels[0].textContent") == "How many"
        page.keyboard.press("Escape")
        assert page.get_by_role("group", name="Add Brindle Falconer to a list").count() == 0
        assert page.evaluate("document.activeElement.textContent") == "Add to list"
        assert len(names(page)) == 1


def test_without_scripts_there_is_no_button(browser: Any, address: str) -> None:
    with opened(browser, address + FALCONER) as page:
        assert page.locator(".add-here").inner_html() == ""
        assert not page.get_by_text("Add to list").is_visible()
        page.wait_for_load_state("networkidle")
    with opened(browser, address + "lists") as page:
        assert "Turn them on" in page.locator("noscript").inner_text()
        assert page.locator("#app").is_hidden()


def test_tokens_are_no_cards_of_a_deck(browser: Any, address: str, folder: Path) -> None:
    with scripted(browser, f"{address}token/00001019-0000-4000-8000-000000001019") as page:
        assert page.locator(".addlist, script").count() == 0


# How lists are kept


def test_two_tabs_see_what_the_other_does(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER]) as page:
        other = page.context.new_page()
        other.goto(address + "card/plain-badger")
        other.get_by_role("button", name="Add to list").click()
        other.get_by_role("button", name="Add", exact=True).click()
        count = page.get_by_label("How many Plain Badger")
        settled(page, "() => document.querySelector('[aria-label=\"How many Plain Badger\"]').value === '4'")
        count.fill("7")
        count.press("Enter")
        assert names(other)[2] == ("Plain Badger", 7, "main")
        other.get_by_role("button", name="Add to list").click()
        page.get_by_role("button", name="Delete the list").click()
        other.get_by_role("button", name="Add", exact=True).click()
        assert "no longer there" in other.get_by_role("status").inner_text()
        assert kept(page) == []


def test_what_is_typed_stays_while_another_tab_changes_lists(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER]) as page:
        page.get_by_role("button", name="Rename").click()
        page.keyboard.type("Sea")
        other = page.context.new_page()
        other.goto(address + "lists")
        other.get_by_role("button", name="Take Plain Badger out").click()
        settled(page, "() => document.querySelectorAll('.card-row').length === 3")
        assert page.get_by_label("Name of the list").input_value() == "Sea"
        page.get_by_role("button", name="Keep this name").click()
        assert [(each["name"], len(each["cards"])) for each in kept(other)] == [("Sea", 3)]


def test_the_way_back_leads_to_the_lists_as_they_are(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER]) as page:
        page.evaluate("localStorage.clear()")
        assert page.locator(".list").count() == 1
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        assert page.locator(".list").count() == 0


def test_without_storage_a_list_lasts_as_long_as_the_page(browser: Any, address: str) -> None:
    with scripted(browser, address + FALCONER, init=NO_STORAGE) as page:
        page.get_by_role("button", name="Add to list").click()
        assert "gone when the page is closed" in page.get_by_role("status").inner_text()
        page.get_by_role("button", name="Add", exact=True).click()
        assert "Added 1 to “My list”" in page.get_by_role("status").inner_text()
    with scripted(browser, address + "lists", init=NO_STORAGE) as page:
        assert "gone when the page is closed" in page.locator("#warning").inner_text()
        page.get_by_label("A new list").fill("Brief")
        page.get_by_role("button", name="Make it").click()
        assert page.locator(".list h2").all_inner_texts() == ["Brief"]


def test_without_room_nothing_is_changed(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER], init=NO_ROOM) as page:
        count = page.get_by_label("How many Plain Badger")
        count.fill("9")
        count.press("Enter")
        assert "no room left" in said(page)
        assert page.get_by_label("How many Plain Badger").input_value() == "3"


def test_what_cannot_be_read_can_be_saved(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", "{not json") as page:
        assert "could not be read" in page.locator("#warning").inner_text()
        page.get_by_label("A new list").fill("New")
        page.get_by_role("button", name="Make it").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save what could not be read").click()
        assert Path(download.value.path()).read_text(encoding="utf-8") == "{not json"
        page.get_by_role("button", name="Forget it").click()
        assert page.locator("#warning").inner_text() == ""
        page.reload()
        assert page.locator("#aside").is_hidden()
        assert [each["name"] for each in kept(page)] == ["New"]


HOSTILE = {
    "id": "<img src=x onerror=alert(1)>",
    "name": "</script><img src=x onerror=alert(2)>",
    "cards": [
        {**card("<img src=x onerror=alert(3)>", 5000), "card": "javascript:alert(4)", "layout": "normal"},
        {**card('=HYPERLINK("javascript:alert(5)")'), "card": "card:../../x?<b>"},
        {**card("__proto__"), "section": "__proto__"},
        {"name": {"toString": 1}, "count": "many"},
        None,
    ],
}


def test_hostile_lists_do_nothing(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [HOSTILE, [], 7, {"id": "x", "cards": {}}]) as page:
        assert page.locator(".list h2").all_inner_texts() == [HOSTILE["name"]]
        assert page.locator(".card-row a").all_inner_texts() == [
            each["name"]
            for each in HOSTILE["cards"][:2]  # type: ignore[index]
        ]
        for link in page.locator(".card-row a").all():
            assert link.get_attribute("href").startswith("/search?q=")
        assert page.get_by_label("How many <img").input_value() == "999"
        assert page.locator("main img").count() == 0
        assert page.get_by_role("link", name="Open in the explorer").count() == 0


def test_hostile_cards_are_kept_as_they_are_called(browser: Any, address: str, folder: Path) -> None:
    with open_store(folder) as store:
        hostile = [each for each in read.cards(store) if "<" in each.name]
    assert len(hostile) == 2
    with scripted(browser, address) as page:
        for each in hostile:
            page.goto(f"{address}card/{each.slug}")
            page.get_by_role("button", name="Add to list").click()
            page.get_by_role("button", name="Add", exact=True).click()
        page.goto(address + "lists")
        shown = [each.name for each in hostile]
        assert page.locator(".card-row a").all_inner_texts() == shown
        deck = ElementTree.fromstring(saved(page, "MTGO .dek"))
        assert [row.get("Name") for row in deck.iter("Cards")] == [name.split(" // ")[0] for name in shown]


# The page of lists


def saved(page: Any, form: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=form, exact=True).click()
    assert said(page) == f"Saved as {download.value.suggested_filename}."
    with Path(download.value.path()).open(encoding="utf-8", newline="") as file:
        return file.read()


def test_lists_are_saved_in_the_forms_of_decks(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER]) as page:
        text = "4 Brindle Falconer\n2 Hush // Clamor\n3 Plain Badger\n\nSideboard\n1 Nessa, Tide Reader\n"
        assert saved(page, "Text") == text
        assert saved(page, "Arena") == f"Deck\n{text}"
        rows = [
            (row.get("Quantity"), row.get("Name"), row.get("Sideboard"))
            for row in ElementTree.fromstring(saved(page, "MTGO .dek").encode()).iter("Cards")
        ]
        assert rows == [
            *(("4", "Brindle Falconer", "false"), ("2", "Hush/Clamor", "false")),
            *(("3", "Plain Badger", "false"), ("1", "Nessa, Tide Reader", "true")),
        ]
        table = list(csv.reader(io.StringIO(saved(page, "CSV"), newline="")))
        assert table[0] == ["count", "name", "section"]
        assert table[-1] == ["1", "Nessa, Tide Reader", "sideboard"]


def test_a_list_is_copied_and_opened_as_a_deck(browser: Any, address: str) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    with scripted(browser, address + "lists", [RIVER], **allowed) as page:
        page.get_by_role("button", name="Copy").click()
        settled(page, "() => document.querySelector('#told').textContent === 'The list is copied.'")
        text = page.evaluate("navigator.clipboard.readText()").replace("\r\n", "\n")
        assert text.startswith("4 Brindle Falconer\n")
        page.get_by_role("button", name="Open in the deck view").click()
        page.wait_for_url("**/deck")
        assert posted[-1].replace("\r\n", "\n") == text


def test_a_list_opens_in_the_explorer(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER]) as page:
        page.get_by_role("link", name="Open in the explorer").click()
        settled(page, "() => globalThis.cardlaw?.explorer?.ids.size > 0", seconds=20)
        ids = set(page.evaluate("[...cardlaw.explorer.visible]"))
        assert {each["card"] for each in RIVER["cards"]} <= ids  # type: ignore[index]


def test_lists_are_made_named_ordered_and_deleted(browser: Any, address: str) -> None:
    def shown() -> list[str]:
        return list(page.locator(".list h2").all_inner_texts())

    def focus() -> str:
        return str(page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent"))

    with scripted(browser, address + "lists", [RIVER, HILL]) as page:
        page.get_by_label("A new list").fill("Hill")
        page.keyboard.press("Enter")
        assert shown() == ["River", "Hill", "Hill 2"]
        assert said(page) == "The list “Hill 2” is there."
        page.get_by_role("button", name="Rename").click()
        page.keyboard.type("Sea")
        page.keyboard.press("Enter")
        assert shown() == ["River", "Hill", "Sea"]
        assert focus() == "Rename"
        page.get_by_role("button", name="Rename").click()
        page.keyboard.type("Never")
        page.keyboard.press("Escape")
        assert focus() == "Rename"
        up = page.get_by_role("button", name="Move the list Sea up")
        up.press("Enter")
        assert focus() == "Move the list Sea up"
        page.keyboard.press("Enter")
        assert shown() == ["Sea", "River", "Hill"]
        assert focus() == "Move the list Sea down"
        page.get_by_role("button", name="Delete the list").click()
        assert shown() == ["River", "Hill"]
        assert focus() == "Bring back “Sea”"
        page.reload()
        page.get_by_role("button", name="Bring back “Sea”").click()
        assert shown() == ["Sea", "River", "Hill"]
        assert [each["name"] for each in kept(page)] == shown()


def test_cards_are_counted_ordered_put_aside_and_taken_out(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists", [RIVER]) as page:
        count = page.get_by_label("How many Hush // Clamor")
        count.fill("3")
        count.press("Enter")
        assert page.locator(".list-head .note").inner_text() == "10 cards, 1 in the sideboard"
        page.get_by_role("button", name="Move Plain Badger up").click()
        page.get_by_role("button", name="Move Brindle Falconer down").click()
        assert [name for name, *_ in names(page)][:3] == [
            "Plain Badger",
            "Brindle Falconer",
            "Hush // Clamor",
        ]
        assert said(page) == "Brindle Falconer: 2 of 3"
        where = page.get_by_label("Section of Brindle Falconer")
        where.select_option("Commander")
        assert page.evaluate("document.activeElement.ariaLabel") == "Section of Brindle Falconer"
        assert page.locator("h3").all_inner_texts() == ["Commander 4", "Main deck 6", "Sideboard 1"]
        page.get_by_role("button", name="Take Hush // Clamor out").click()
        assert page.evaluate("document.activeElement.ariaLabel") == "Take Plain Badger out"
        assert ("Hush // Clamor", 3, "main") not in names(page)
        page.get_by_role("button", name="Bring back “Hush // Clamor”").click()
        assert ("Hush // Clamor", 3, "main") in names(page)


def drag(page: Any, what: Any, to: Any, share: float) -> None:
    """From the handle of a row to a place of another row, so far down it."""
    start, end = what.locator(".handle").first.bounding_box(), to.bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + end["height"] * share - 3)
    page.mouse.move(end["x"] + 20, end["y"] + end["height"] * share)
    page.mouse.up()


def test_dragging_orders_cards_and_lists(browser: Any, address: str) -> None:
    with scripted(browser, address + "lists#river", [RIVER, HILL]) as page:
        rows = page.locator(".card-row")
        drag(page, rows.nth(2), rows.nth(0), 0.2)
        order = ["Plain Badger", "Brindle Falconer", "Hush // Clamor", "Nessa, Tide Reader"]
        assert [name for name, *_ in names(page)] == order
        drag(page, rows.nth(0), rows.nth(3), 0.8)
        assert names(page)[-1] == ("Plain Badger", 3, "sideboard")
        drag(page, rows.nth(1), rows.nth(2), 0.2)
        assert ("Hush // Clamor", 2, "sideboard") in names(page)
        before = names(page)
        drag(page, rows.nth(1), rows.nth(1), 0.5)
        assert names(page) == before
        lists = page.locator(".list")
        drag(page, lists.nth(1), lists.nth(0), 0.1)
        assert [each["name"] for each in kept(page)] == ["Hill", "River"]


# In the explorer and the atlas


def test_the_explorer_adds_a_card_and_its_keys_rest_meanwhile(browser: Any, address: str) -> None:
    with scripted(browser, f"{address}explore#focus=card:plain-badger") as page:
        page.get_by_role("button", name="Add to list").click()
        shown = page.evaluate("[...cardlaw.explorer.visible].length")
        page.get_by_label("List", exact=True).press("k")
        page.get_by_label("Name").fill("")
        page.get_by_label("Name").press_sequentially("tpk/")
        page.get_by_label("Where").press("s")
        page.get_by_role("button", name="Add", exact=True).press("Enter")
        assert names(page) == [("Plain Badger", 1, "sideboard")]
        assert kept(page)[0]["name"] == "tpk/"
        assert page.evaluate("[...cardlaw.explorer.visible].length") == shown
        assert page.locator("#table").is_hidden()
        assert page.get_by_role("link", name="Open the list").get_attribute("href").startswith("/lists#")


def test_rules_are_put_into_no_list(browser: Any, address: str) -> None:
    with scripted(browser, f"{address}explore#focus=rule:302") as page:
        page.locator("#details h2").wait_for()
        assert page.locator(".addlist").count() == 0


def test_the_atlas_adds_a_card(browser: Any, address: str) -> None:
    with scripted(browser, f"{address}atlas#focus=card:plain-badger") as page:
        page.get_by_role("button", name="Add to list").click(timeout=30_000)
        page.get_by_role("button", name="Add", exact=True).click()
        assert names(page) == [("Plain Badger", 1, "main")]


@pytest.mark.parametrize("which", ["view", "atlas"])
def test_a_page_of_one_file_gives_the_list_along(
    browser: Any, folder: Path, tmp_path: Path, which: str
) -> None:
    page_file = tmp_path / f"{which}.html"
    with open_store(folder) as store:
        if which == "view":
            view(store, "card:plain-badger").save(page_file)
        else:
            page_file.write_text(atlas_html(atlas_of(store), store), encoding="utf-8")
    with scripted(browser, f"{page_file.as_uri()}#focus=card:plain-badger") as page:
        page.get_by_role("button", name="Add to list").click(timeout=30_000)
        page.get_by_label("How many").fill("2")
        page.get_by_role("button", name="Add", exact=True).click()
        assert page.get_by_role("link", name="Open the list").count() == 0
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the list").click()
        assert Path(download.value.path()).read_text(encoding="utf-8") == "2 Plain Badger\n"


# A site of files


def test_a_site_of_files_has_lists_too(browser: Any, files: Path) -> None:
    with scripted(browser, (files / f"{FALCONER}.html").as_uri()) as page:
        page.get_by_role("button", name="Add to list").click()
        page.get_by_role("button", name="Add", exact=True).click()
        assert page.get_by_role("button", name="Save the list").is_visible()
        page.get_by_role("link", name="Open the list").click()
        assert page.locator("#on-disk").is_visible()
        assert unquote(page.url).startswith(f"file://{files / 'lists.html'}#")
        assert page.locator(".card-row a").all_inner_texts() == ["Brindle Falconer"]
        assert "cardlaw deck FILE" in page.locator(".outward").inner_text()
        assert page.get_by_role("button", name="Open in the deck view").count() == 0
        assert saved(page, "Text") == "1 Brindle Falconer\n"
        page.locator(".card-row a").click()
        page.wait_for_selector("#hits a")
        assert page.locator("#hits h2 a").first.inner_text() == "Brindle Falconer"


# Barriers


def test_the_page_is_valid(browser: Any, address: str, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    with scripted(browser, address + FALCONER) as page:
        found = {name: page.request.get(address + name).text() for name in ("lists", FALCONER)}
    for html in found.values():
        parses(html)
    assert faults_of(found, libraries(pytestconfig), tmp_path) == []


STATES = {
    "none": ("lists", [], ()),
    "lists": ("lists#river", [RIVER, HILL], ()),
    "renaming": ("lists#river", [RIVER, HILL], ("Rename",)),
    "deleted": ("lists#river", [RIVER, HILL], ("Delete the list",)),
    "card": (FALCONER, [RIVER], ("Add to list",)),
    "added": (FALCONER, [RIVER], ("Add to list", "Add")),
    "explorer": ("explore#focus=card:plain-badger", [], ("Add to list",)),
}


@pytest.mark.parametrize("look", LOOKS)
def test_no_barriers(browser: Any, address: str, pytestconfig: pytest.Config, look: str) -> None:
    modules = libraries(pytestconfig)
    found = {}
    for state, (where, lists, pressed) in STATES.items():
        with scripted(browser, address + where, lists, bypass_csp=True, **LOOKS[look]) as page:
            for name in pressed:
                page.get_by_role("button", name=name, exact=True).click()
            found[state] = barriers(page, modules)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            found[state] += [f"wider than the window by {wide} px"] if wide > 0 else []
    assert found == {state: [] for state in STATES}
