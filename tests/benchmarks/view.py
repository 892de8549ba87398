"""How long a view takes: to be laid out and written, and in headless Chromium until nodes are drawn.

    python tests/benchmarks/view.py [NODES …]

For each number of nodes (150, 300 and 975, all of them shown), from invented cards: seconds to write the
file, and the medians of five openings: milliseconds from the navigation to the first frame with nodes, for
another node to light up and the rest to dim, and for 25 more nodes to come.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from viewing import FOCUS, RELEASE, add_edge, add_node, invented, opened, started

from cardlaw.exports.viewpage import write_view

TIMES = 5
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


def main() -> None:
    """Print a line for each size."""
    with tempfile.TemporaryDirectory() as folder, started() as browser:
        for size in map(int, sys.argv[1:] or ("150", "300", "975")):
            graph = grown(size)
            shown = [node for node in graph if not node.startswith("card:late")]
            path = Path(folder) / f"{size}.html"
            start = time.perf_counter()
            write_view(graph, path, focus=[FOCUS], title="x", release=RELEASE, shown=shown, depth=1)
            written = time.perf_counter() - start
            drawn, light, more = [], [], []
            for _ in range(TIMES):
                with opened(browser, path) as page:
                    drawn.append(page.evaluate("cardlaw.picture.drawnAt"))
                    light.append(page.evaluate(LIGHT))
                    more.append(page.evaluate(GROW))
            medians = (statistics.median(each) for each in (drawn, light, more))
            told = zip(("drawn", "lit", "25 more"), medians, strict=True)
            print(
                f"{len(shown)} nodes, {graph.number_of_edges()} edges: written in {written:.2f} s;",
                *(f"{name} {value:.0f} ms;" for name, value in told),
            )


if __name__ == "__main__":
    main()
