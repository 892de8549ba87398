"""The atlas: how long it takes to be made, and its page to be ready in headless Chromium.

Ready is when the first picture is drawn and the search answers, from the beginning of the navigation. The
reference of making it is reading the ties that it is made of.
"""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

from cardlaw.exports.atlas import atlas_html
from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.atlas import make
from cardlaw.graph.store import open_store

from .figures import Figure, LeftOutError, Setup

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        begun = time.perf_counter()
        ties = adjacency(store)
        read = time.perf_counter() - begun
        begun = time.perf_counter()
        made = make(store.folder, store.info.quads, ties)
        spent = time.perf_counter() - begun
        yield Figure(name="atlas made", value=spent, unit="s", reference=read, beside="reading the ties")
        file = setup.folder / "atlas.html"
        file.write_text(atlas_html(made, store), encoding="utf-8")
    yield Figure(name="atlas page", value=file.stat().st_size / 1e6, unit="MB")
    if (chromium := shutil.which("chromium")) is None:
        raise LeftOutError("no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        times = []
        for _ in range(setup.repeat(5)):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(file.as_uri())
            page.wait_for_function("() => globalThis.cardlaw?.ready", timeout=60_000)
            times.append(page.evaluate("cardlaw.ready"))
            page.close()
        browser.close()
    yield Figure(name="atlas ready in the browser", value=statistics.median(times), unit="ms")
