"""How long the atlas of a store takes to be made, and its page to be ready in headless Chromium.

    python tests/benchmarks/atlas.py [STORE]

Ready is when the first picture is drawn and the search answers, from the beginning of the navigation.
Measured on two cores with software rendering: 38,850 nodes and 30,000 edges, 2.8 s to make, 2.2 MB, ready in
1.2 to 1.9 s while three other processes were at work.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from cardlaw.exports.atlas import atlas_html
from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.atlas import make
from cardlaw.graph.store import open_store

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
TIMES = 5


def main() -> None:
    """Measure the store that is named, or the usual one."""
    with open_store(sys.argv[1] if len(sys.argv) > 1 else None) as store:
        ties = adjacency(store)
        begun = time.perf_counter()
        made = make(store.folder, store.info.quads, ties)
        print(f"made in {time.perf_counter() - begun:.1f} s: {len(made.places):,} + {len(made.ties):,} bytes")
        html = atlas_html(made, store)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "atlas.html"
        file.write_text(html, encoding="utf-8")
        print(f"page: {file.stat().st_size:,} bytes")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        times = []
        for _ in range(TIMES):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(file.as_uri())
            page.wait_for_function("() => globalThis.cardlaw?.ready", timeout=60_000)
            times.append(page.evaluate("cardlaw.ready"))
            page.close()
        browser.close()
    print(f"ready in {statistics.median(times):.0f} ms, {min(times):.0f} to {max(times):.0f}")


if __name__ == "__main__":
    main()
