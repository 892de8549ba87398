"""Builds after a build: the same inputs again, and some more cards, beside the first one.

The first build has all cards but some that are drawn by lot. Each is a process of its own; what it took of
the processor is that of all that it started.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardlaw.graph.sources import corpus
from cardlaw.graph.store import open_store

from .figures import CARDLAW, Figure, Setup, Spent, run

MORE = 300
AGAIN = 1 / 3
"""What a second build of the same inputs may take, of what the first took."""


def figures(setup: Setup) -> Iterator[Figure]:
    source = corpus.embedded() if setup.cards == "corpus" else setup.cards
    records = json.loads(source.read_bytes())
    fronts = [number for number, record in enumerate(records) if not record.get("face")]
    without = set(random.Random(11).sample(fronts, min(MORE, len(fronts) // 10)))
    place = setup.folder / "rebuilt"
    fewer = [record for number, record in enumerate(records) if number not in without]
    first, _ = built(setup, fewer, place)
    for told, given, most in (
        ("the same again", fewer, AGAIN),
        (f"{len(without)} cards more", records, None),
    ):
        spent, kept = built(setup, given, place)
        beside = "the first build"
        yield Figure(
            name=f"build of {told}",
            value=spent.wall,
            unit="s",
            reference=first.wall,
            beside=beside,
            most_times=most and round(most, 2),
        )
        yield Figure(name="… processor", value=spent.cpu, unit="s", reference=first.cpu, beside=beside)
        yield Figure(name="… cards that were kept", value=kept, unit="")


def built(setup: Setup, records: list[dict[str, Any]], place: Path) -> tuple[Spent, int]:
    """What a build took, and how many cards it had from the one before."""
    cards = setup.folder / "rebuilt.json"
    cards.write_text(json.dumps(records), encoding="utf-8")
    spent = run([*CARDLAW, "build", "--quiet", "--cards", str(cards), "--store", str(place)])
    with open_store(place) as store:
        return spent, store.info.kept
