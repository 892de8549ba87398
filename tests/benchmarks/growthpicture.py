"""The curve of `growth`, from its JSON, as an SVG: processor time of a card and memory by the number of
cards.

    python tests/benchmarks/growthpicture.py growth.json docs/growth.svg

Both axes of cards are logarithmic, those of values begin at nothing. It is a picture for dark and light
pages.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

WIDTH, HEIGHT = 340, 210  # of one of the two
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 34, 34
PANELS = (
    ("processor, each", "ms of processor time a card", "#2a6fb0", 1.15),
    ("largest process", "MB, the largest process", "#b0532a", None),
)
STYLE = (
    "text{font:12px sans-serif;fill:#555}.head{font-size:13px}path,polyline{fill:none}.axis{stroke:#999}"
    "@media(prefers-color-scheme:dark){text{fill:#bbb}}"
)


def curves(told: list[dict[str, object]]) -> dict[str, list[tuple[int, float]]]:
    """Name of a figure → (cards, value)."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for figure in told:
        if match := re.fullmatch(r"([\d,]+) cards: (.*)", str(figure["name"])):
            found[match[2]].append((int(match[1].replace(",", "")), float(str(figure["value"]))))
    return found


def svg(told: list[dict[str, object]]) -> str:
    found = curves(told)
    panels = (
        panel(found[name], title, color, band, WIDTH * at)
        for at, (name, title, color, band) in enumerate(PANELS)
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(PANELS)} {HEIGHT}" role="img">',
        "<title>Processor time of a card and memory by the number of cards</title>",
        f"<style>{STYLE}</style>",
        *(line for each in panels for line in each),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def panel(
    points: list[tuple[int, float]], title: str, color: str, band: float | None, x: int
) -> Iterator[str]:
    """One curve; `band` times the least value is what all should stay under."""
    low, high = math.log10(points[0][0]), math.log10(points[-1][0])
    top = _rounded(max(value for _, value in points) * 1.1)

    def across(cards: float) -> float:
        return x + LEFT + (math.log10(cards) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def down(value: float) -> float:
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)

    yield f'<text class="head" x="{x + LEFT}" y="18">{title}</text>'
    for part in range(5):
        value = top * part / 4
        y = down(value)
        yield f'<path class="axis" d="M{x + LEFT} {y:.1f}H{x + WIDTH - RIGHT}" stroke-opacity=".4"/>'
        yield f'<text x="{x + LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{value:,g}</text>'
    for cards, _ in points:
        told = f"{cards / 1000:,.0f}k"
        yield f'<text x="{across(cards):.1f}" y="{HEIGHT - 14}" text-anchor="middle">{told}</text>'
    if band:
        y = down(min(value for _, value in points) * band)
        yield f'<path d="M{x + LEFT} {y:.1f}H{x + WIDTH - RIGHT}" stroke="{color}" stroke-dasharray="4 4"/>'
    places = " ".join(f"{across(cards):.1f},{down(value):.1f}" for cards, value in points)
    yield f'<polyline points="{places}" stroke="{color}" stroke-width="2"/>'
    for cards, value in points:
        yield f'<circle cx="{across(cards):.1f}" cy="{down(value):.1f}" r="3" fill="{color}"/>'
        told = f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
        y = down(value) + (16 if band else -8)
        yield f'<text x="{across(cards):.1f}" y="{y:.1f}" text-anchor="middle">{told}</text>'


def _rounded(value: float) -> float:
    """The next of 4, 8, 12, 20, 40, … that is not less."""
    power = 10 ** math.floor(math.log10(value))
    return next(power * step for step in (1.2, 2, 4, 8, 12) if power * step >= value)


if __name__ == "__main__":
    figures = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["figures"]
    Path(sys.argv[2]).write_text(svg(figures), encoding="utf-8")
