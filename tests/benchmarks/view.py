"""A view: how long it takes to be laid out and written, and in headless Chromium until nodes are drawn.

For each number of nodes, all of them shown, of invented cards; in the browser the medians of five openings:
from the navigation to the first frame with nodes, for another node to light up and the rest to dim, and for
25 more nodes to come.
"""

from __future__ import annotations

import random
import shutil
import statistics
import time
from collections.abc import Iterator

import networkx as nx  # type: ignore[import-untyped]
from viewing import FOCUS, RELEASE, add_edge, add_node, invented, opened, started

from cardlaw.exports.viewpage import write_view

from .figures import Figure, LeftOutError, Setup

SIZES = (150, 300, 975)
LIGHT = """async () => {
  const ids = [...cardlaw.explorer.visible];
  const start = performance.now();
  await cardlaw.explorer.choose(ids[7]);
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
GROW = """async () => {
  const start = performance.now();
  await cardlaw.explorer.grow("rule:614.1", "is at work in");
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def grown(nodes: int) -> nx.MultiDiGraph:
    """A graph of that many nodes with about two edges each, and 25 more that are tied to one rule."""
    graph = invented(20)
    chance = random.Random(2026)
    while len(graph) < nodes:
        card = f"card:more-{len(graph)}"
        add_node(graph, card, f"Another Card of Number {len(graph)}")
        for rule in chance.sample(range(1, 13), 2):
            add_edge(graph, card, f"rule:614.{rule}", "effect", "instead")
    for number in range(25):
        add_node(graph, f"card:late-{number}", f"Late Card {number}")
        add_edge(graph, f"card:late-{number}", "rule:614.1", "effect", "instead")
    return graph


def figures(setup: Setup) -> Iterator[Figure]:
    for size in SIZES[: 1 if setup.is_quick else None]:
        graph = grown(size)
        shown = [node for node in graph if not node.startswith("card:late")]
        path = setup.folder / f"{size}.html"
        start = time.perf_counter()
        write_view(graph, path, focus=[FOCUS], title="x", release=RELEASE, shown=shown, depth=1)
        yield Figure(
            name=f"view of {size} nodes written", value=(time.perf_counter() - start) * 1000, unit="ms"
        )
    if shutil.which("chromium") is None:
        raise LeftOutError("no Chromium")
    with started() as browser:
        for size in SIZES[: 1 if setup.is_quick else None]:
            drawn, light, more = [], [], []
            for _ in range(setup.repeat(5)):
                with opened(browser, setup.folder / f"{size}.html") as page:
                    drawn.append(page.evaluate("cardlaw.picture.drawnAt"))
                    light.append(page.evaluate(LIGHT))
                    more.append(page.evaluate(GROW))
            for told, times in (("drawn", drawn), ("another lit", light), ("25 more", more)):
                yield Figure(name=f"{size} nodes, {told}", value=statistics.median(times), unit="ms")
