"""Cards whose names, types and texts mean ill, on each kind of page: no script runs, no request leaves."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from harm import RULES
from serving import serving
from viewing import started

from cardlaw.exports.links import Alone
from cardlaw.exports.recordpage import records_html
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.store import open_store

RUN = "globalThis.harmed=1;fetch('//evil.invalid/')"
EVIL = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</style></title></textarea><svg onload={RUN}>",
    f"<img src=//evil.invalid/a.png onerror={RUN}>",
    f'" autofocus onfocus="{RUN}" x="',
    f"' onmouseover='{RUN}' x='",
    f"javascript:{RUN}",
    f"]]>--><script>{RUN}</script><!--",
    f"{{{{ 7 * 7 }}}} {{% include 'x' %}} ${{{RUN}}}",
    "\u202egnp.exe\u2066 \u2028 \ufeff",
    "a\u0000b\u0007\u001b[31m",
    '=HYPERLINK("http://evil.invalid/","x")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "Long " * 20_000,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evil")
    cards = [
        {
            "name": f"{words} {number}",
            "type": f"Creature — {words}",
            "layout": "normal",
            "text": f"Flying\nWhen {words} enters, scry 1.\n{words}: Draw a card.",
            "manaCost": "{1}{W}",
            "power": words[:99],
            "toughness": "1",
            "keywords": ["Flying"],
        }
        for number, words in enumerate(EVIL)
    ]
    (folder / "cards.json").write_text(json.dumps(cards), encoding="utf-8")
    build(cards=[folder / "cards.json"], rules=RULES, store=folder / "store", workers=1)
    return folder / "store"


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    with serving(store) as server:
        yield server.address


@pytest.fixture(scope="module")
def cards(store: Path) -> list[tuple[str, str]]:
    """Slug and name of each, but for the long one, whose page takes its time."""
    with open_store(store) as opened:
        return [(card.slug, card.name) for card in read.cards(opened) if len(card.name) < 1000]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


def harmless(browser: Any, urls: list[str], ours: str, *, wait: int = 300) -> None:
    """Look at pages with scripts on; nothing of theirs may run, ask or open a dialog."""
    wrong: list[str] = []
    page = browser.new_page()
    page.on("dialog", lambda dialog: (wrong.append(f"{page.url[:200]}: a dialog"), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            request.url.startswith((ours, "data:", "blob:"))
            or wrong.append(f"{page.url[:200]}: {request.url[:200]}")
        ),
    )
    for url in urls:
        page.goto(url, timeout=60_000)
        page.wait_for_timeout(wait)
        page.keyboard.press("Tab")
        if page.evaluate("() => globalThis.harmed"):
            wrong.append(f"{url[:200]}: a script ran")
        if page.evaluate("() => document.querySelector('[onload], [onerror], [onfocus], [onmouseover]')"):
            wrong.append(f"{url[:200]}: an attribute that runs")
        links = "() => [...document.querySelectorAll('a')].map((each) => each.protocol)"
        if set(page.evaluate(links)) & {"javascript:", "data:"}:
            wrong.append(f"{url[:200]}: a link that runs")
    page.close()
    assert wrong == []


@pytest.mark.browser
@pytest.mark.programs
def test_served_pages(chromium: Any, address: str, cards: list[tuple[str, str]]) -> None:
    assert len(cards) == len(EVIL) - 1
    urls = [
        "",
        "rules",
        "keywords",
        "rule/702.9",
        "keyword/flying",
        "cheatsheet",
        "queries",
        "query",
        "atlas",
    ]
    urls += [f"card/{slug}" for slug, _ in cards]
    urls += [f"search?q={quote(name)}&page=1" for _, name in cards]
    urls += ["query/cards-by-rule?rule=702.9", f"query/rules-by-card?card={quote(cards[0][1])}"]
    harmless(chromium, [address + url for url in urls], address)


@pytest.mark.browser
@pytest.mark.programs
def test_explorer(chromium: Any, address: str, cards: list[tuple[str, str]]) -> None:
    urls = [f"{address}explore?focus=card:{slug}#focus=card:{slug}&table=nodes" for slug, _ in cards[:8]]
    harmless(chromium, urls, address, wait=1200)


@pytest.mark.browser
def test_pages_that_are_files(chromium: Any, store: Path, tmp_path: Path) -> None:
    from cardlaw.exports.answers import DRAWN, draw, look_up

    with open_store(store) as opened:
        hostile = [card for card in read.cards(opened) if len(card.name) < 1000]
        (tmp_path / "cards.html").write_text(records_html(opened, hostile, Alone()), "utf-8", "replace")
        names = [card.name for card in hostile[:6]]
        found, _ = look_up(opened, names, DRAWN, quiet=True)
        draw(opened, found, tmp_path / "view.html", depth=1, limit=100)
    urls = [path.as_uri() for path in sorted(tmp_path.glob("*.html"))]
    assert len(urls) == 2
    harmless(chromium, urls, "file://", wait=1500)


@pytest.mark.programs
@pytest.mark.parametrize("form", ["csv", "tab-separated-values"])
def test_tables_say_what_the_cards_say(address: str, store: Path, form: str) -> None:
    """As SPARQL's CSV and TSV have it: cells are whole, none runs over into another."""
    query = "SELECT ?name { ?card a mtg:Card ; rdfs:label ?name }"
    found = httpx.get(
        f"{address}sparql", params={"query": query}, headers={"accept": f"text/{form}"}, timeout=60
    )
    assert found.status_code == 200
    assert found.headers["x-content-type-options"] == "nosniff"
    with open_store(store) as opened:
        names = {card.name for card in read.cards(opened)}
    if form == "csv":
        csv.field_size_limit(1_000_000)
        rows = list(csv.reader(io.StringIO(found.text, newline="")))
        assert {row[0] for row in rows[1:]} == names
    else:
        assert found.text.count("\n") == len(names) + 1
