"""Draws the README's pictures, from invented cards, with headless Chromium.

    python tests/pictures/draw.py

It writes PNG files to `tests/pictures/`.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from cardlaw.exports.links import Alone
from cardlaw.exports.recordpage import records_html
from cardlaw.exports.view import write_view
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.network import neighborhood
from cardlaw.graph.store import open_store

PROJECT = Path(__file__).resolve().parents[2]
PICTURES = Path(__file__).resolve().parent
CARDS = PROJECT / "tests" / "fixtures" / "pictured.json"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def main() -> None:
    """Build a graph of the invented cards and take the pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build(cards=[CARDS], store=Path(folder) / "store", workers=1)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        with open_store(Path(folder) / "store") as store:
            for name, nodes, depth, scheme in (
                ("card", ["card:tidewell-archivist"], 1, "light"),
                ("cards", ["card:tidewell-archivist", "card:emberline-courier"], 1, "dark"),
            ):
                graph = neighborhood(store, nodes, depth=depth)
                title = " · ".join(graph.nodes[node]["title"] for node in nodes)
                page_file = Path(folder) / f"{name}.html"
                write_view(graph, page_file, focus=nodes, title=title, release=store.info.release)
                size = {"width": 1280, "height": 800}
                context = browser.new_context(viewport=size, color_scheme=scheme)
                page = context.new_page()
                page.goto(page_file.as_uri())
                page.wait_for_timeout(1500)
                page.screenshot(path=PICTURES / f"{name}.png")
                context.close()
            page_file = Path(folder) / "page.html"
            html = records_html(store, [read.card(store, "Ossa of the Ninth Door")], Alone())
            page_file.write_text(html, encoding="utf-8")
            page = browser.new_page(viewport={"width": 1100, "height": 860})
            page.goto(page_file.as_uri())
            page.locator("label", has_text="emblem").hover()
            page.wait_for_timeout(600)
            page.screenshot(path=PICTURES / "page.png")
        browser.close()


if __name__ == "__main__":
    main()
