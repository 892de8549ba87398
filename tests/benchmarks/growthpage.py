"""What `growth` measured, in the docs: the curve as an SVG, and the sizes of graphs that follow from it.

    python tests/benchmarks --only bulk growth --json tests/benchmarks/measured.json
    python tests/benchmarks/growthpage.py

writes `docs/growth.svg` and the table of `docs/scale.md` from `measured.json`. In the picture the axes of
cards are logarithmic, those of values begin at nothing. A row of the table that was not built is computed:
facts of cards and their printings as `growth` counts them, all else as the corpus has it.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 340, 210  # of one of the two
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 34, 34
PROJECT = Path(__file__).resolve().parents[2]
MEASURED = PROJECT / "tests" / "benchmarks" / "measured.json"
PICTURE = PROJECT / "docs" / "growth.svg"
PAGE = PROJECT / "docs" / "scale.md"
ASSUMED = (
    ("all printings", 110_000, 0),
    ("… in all languages", 520_000, 0),
    ("… and all rulings", 520_000, 75_000),
)
"""Graphs of the cards of the corpus with so many printings and rulings: round numbers of Scryfall's files."""

PANELS = (
    ("processor, each", "ms of processor time a card", "#2a6fb0", 1.15),
    ("largest process", "MB, the largest process", "#b0532a", None),
)
STYLE = (
    "text{font:12px sans-serif;fill:#555}.head{font-size:13px}path,polyline{fill:none}.axis{stroke:#999}"
    "@media(prefers-color-scheme:dark){text{fill:#bbb}}"
)


def curves(told: list[dict[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """Name of a figure → (cards, value)."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for figure in told:
        if match := re.fullmatch(r"([\d,]+) cards: (.*)", figure["name"]):
            found[match[2]].append((int(match[1].replace(",", "")), figure["value"]))
    return found


def svg(told: list[dict[str, Any]]) -> str:
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


def table(told: list[dict[str, Any]]) -> str:
    """Quads and gigabytes of what was built, and of what would be."""
    values = {figure["name"]: figure["value"] for figure in told}
    cards = next(
        int(n[1].replace(",", "")) for name in values if (n := re.match(r"build of ([\d,]+) cards", name))
    )
    quads = cards * values["quads a card"]
    rows = [("oracle cards (the corpus)", cards, 0, 0, quads, values["graph on disk"] * 1e6, "built")]
    (size, each), disk = curves(told)["quads, each"][-1], curves(told)["on disk"][-1][1] * 1e6
    printings = round(curves(told)["printings"][-1][1])
    rows.append(
        (
            "cards of 2019 with all printings, again and again under new names",
            size,
            printings,
            0,
            size * each,
            disk,
            "built",
        )
    )
    _, bytes_each = max((total, stored / total) for *_, total, stored, _ in rows)
    others = quads - cards * values["… of layer:cards"]
    for name, printed, ruled in ASSUMED:
        more = cards * values["quads of a card's facts, without printings"]
        more += printed * values["quads of a printing"] + ruled * values["quads of a ruling"]
        total = others + more
        rows.append((name, cards, printed, ruled, total, total * bytes_each, "computed"))
    lines = [
        "| graph | cards | printings | rulings | million quads | GB on disk | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for name, number, printed, ruled, total, stored, how in rows:
        told = f"{number:,} | {printed:,} | {ruled:,} | {total / 1e6:.1f} | {stored / 1e9:.1f}"
        lines.append(f"| {name} | {told} | {how} |")
    return "\n".join(lines)


def page(text: str, told: list[dict[str, Any]]) -> str:
    """The page with the table between its marks."""
    return re.sub(
        r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", f"\n{table(told)}\n\n", text, flags=re.DOTALL
    )


def main() -> None:
    figures = json.loads(MEASURED.read_text(encoding="utf-8"))["figures"]
    PICTURE.write_text(svg(figures), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
