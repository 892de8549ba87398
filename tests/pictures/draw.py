"""Draws the README's pictures, from invented cards, with headless Chromium.

    python tests/pictures/draw.py

It writes PNG files to `tests/pictures/`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from atlas import draw_atlas
from playwright.sync_api import sync_playwright

from cardlaw.exports import view
from cardlaw.exports.links import Alone
from cardlaw.exports.recordpage import records_html
from cardlaw.graph import open_store, read
from cardlaw.graph.build import build

PROJECT = Path(__file__).resolve().parents[2]
PICTURES = Path(__file__).resolve().parent
sys.path.insert(0, str(PROJECT / "tests"))
CARDS = PROJECT / "tests" / "fixtures" / "pictured.json"
RULES = PROJECT / "tests" / "fixtures" / "rulebook.txt"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


SIZE = {"width": 1280, "height": 800}

EDGE = """() => {
  const proved = [...cardlaw.explorer.edges].map((id) => cardlaw.model.edges.get(id));
  const { id } = proved.find(({ relation, evidence }) => relation === "trigger_event" && evidence.length);
  return cardlaw.explorer.chooseEdge(id);
}"""
EXPAND = "() => cardlaw.explorer.expand('keyword:cycling')"

ARCHIVIST, COURIER, GATE = "card:tidewell-archivist", "card:emberline-courier", "card:gate-of-quiet-hours"
TAKEN = (
    ("card", ARCHIVIST, "", "light", EDGE),
    ("cards", "", f"focus={ARCHIVIST},{COURIER}", "dark", EXPAND),
    ("path", COURIER, f"path={COURIER};{GATE};0", "light", ""),
)
"""Name, what the view is about (empty: a server's explorer), what stands behind the “#” of its address, light
or dark, and what is done in it."""


def kept(name: str, count: int = 1, section: str = "main") -> dict[str, Any]:
    """A card of a list, as the page of lists keeps it."""
    slug = name.lower().replace("'", "").replace(" ", "-")
    return {"card": f"card:{slug}", "name": name, "layout": "normal", "count": count, "section": section}


LISTS = {
    "version": 1,
    "lists": [
        {
            "id": "door",
            "name": "Deck with Ossa of the Ninth Door",
            "cards": [
                kept("Ossa of the Ninth Door", 2),
                kept("Tidewell Archivist", 4),
                kept("Emberline Courier", 4),
                kept("Gate of Quiet Hours", 3),
                kept("Warden's Bargain", 2, "sideboard"),
            ],
        },
        {"id": "look", "name": "To look up before Friday", "cards": [kept("Warden's Bargain")]},
    ],
}
"""What a reader has kept."""


def main() -> None:
    """Build a graph of the invented cards and take the pictures."""
    from serving import serving

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build(cards=[CARDS], store=Path(folder) / "store", workers=1)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        with open_store(Path(folder) / "store") as graph, serving(Path(folder) / "store") as server:
            for name, node, address, scheme, done in TAKEN:
                page_of = view(graph, node).save(Path(folder) / f"{name}.html").as_uri() if node else ""
                context = browser.new_context(viewport=SIZE, color_scheme=scheme)
                page = context.new_page()
                page.goto(f"{page_of or server.address + 'explore'}#{address}")
                page.wait_for_timeout(1500)
                if done:
                    page.evaluate(done)
                    page.wait_for_timeout(700)
                page.screenshot(path=PICTURES / f"{name}.png")
                context.close()
            draw_lists(browser, server.address, PICTURES / "lists.png")
            page_file = Path(folder) / "page.html"
            html = records_html(graph, [read.card(graph, "Ossa of the Ninth Door")], Alone())
            page_file.write_text(html, encoding="utf-8")
            page = browser.new_page(viewport={"width": 1100, "height": 860})
            page.goto(page_file.as_uri())
            page.locator("label", has_text="emblem").hover()
            page.wait_for_timeout(600)
            page.screenshot(path=PICTURES / "page.png")
            page.close()
        build(cards=[CARDS], rules=RULES, store=Path(folder) / "worded", workers=1)
        with open_store(Path(folder) / "worded") as graph:
            page_file.write_text(records_html(graph, [read.rule(graph, "702.29")], Alone()), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1100, "height": 1000})
            page.goto(page_file.as_uri())
            page.wait_for_timeout(300)
            page.screenshot(path=PICTURES / "rule.png")
        browser.close()
        draw_atlas(playwright, Path(folder), PICTURES / "atlas.jpg")


def draw_lists(browser: Any, address: str, path: Path) -> None:
    """The page of lists of a reader who has kept some cards."""
    context = browser.new_context(viewport={"width": 1100, "height": 1010})
    page = context.new_page()
    page.goto(f"{address}lists")
    page.evaluate("text => localStorage.setItem('cardlaw.lists', text)", json.dumps(LISTS))
    page.goto(f"{address}lists#door")
    page.reload()
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(300)
    page.screenshot(path=path)
    context.close()


if __name__ == "__main__":
    main()
