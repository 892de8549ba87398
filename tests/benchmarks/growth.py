"""Growth: graphs of 1,000 to 100,000 cards with all their printings, each built by a process of its own.

The source is Scryfall's `default-cards` of 2019-10 (20,030 cards, 45,851 printings), in an order that is
drawn once; after the last card they come again under new names and ids, which stand in their texts too. The
flatness is about processor time, user and system, of all processes of a build, less what a build of 100 cards
takes: the rulebook, and the start of every process. The speed of a machine that others use too varies by half
at times, and for minutes, so all sizes are built in rounds, mixed, and what is quick to build more often:
each size meets fast and slow minutes alike, and its median counts. The time on the clock is told beside it.

`growthpage.py` draws the curve.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, cast
from uuid import NAMESPACE_URL, uuid5

from pyoxigraph import QuerySolutions

from cardlaw.graph.store import BuildSummary, open_store

from .figures import CARDLAW, Figure, LeftOutError, Setup, Spent, run

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
"""Cards of the graphs."""

FIRST = 100
"""Cards of the graph that the others are compared with: enough for all processes to be started."""

ROUNDS = 3

OFTEN = {FIRST: 8, 1_000: 8, 3_000: 5, 10_000: 2}
"""How often each graph is built in a round, if more than once."""

FLAT = 1.15
"""What the dearest card may cost, by the size of its graph, times the cheapest."""


def figures(setup: Setup) -> Iterator[Figure]:
    source = setup.rules.parent / "scryfall" / "default-cards-2019-10.json.gz"
    if not source.is_file():
        raise LeftOutError(f"no {source.name}")
    with gzip.open(source, "rt", encoding="utf-8") as file:
        cards = grouped(json.load(file))
    sizes = (200, 300) if setup.is_quick else SIZES
    files = {size: Grown(setup, cards, size) for size in (FIRST, *sizes)}
    for number in range(setup.repeat(ROUNDS)):
        builds = [size for size in files for _ in range(setup.repeat(OFTEN.get(size, 1)))]
        random.Random(number).shuffle(builds)
        for size in builds:
            files[size].build()
    fixed = files.pop(FIRST)
    yield Figure(name=f"build of {FIRST} cards, processor", value=fixed.cpu, unit="s")
    plain = Grown(setup, [printings[:1] for printings in cards], sizes[0])
    plain.build()
    yield from rulings(setup, source.parent)
    costs = []
    for size, grown in files.items():
        info, printings, disk = grown.info, grown.printings, grown.disk
        number = info.counts["cards"]
        if size == sizes[0]:
            each = (info.quads["cards"] - plain.info.quads["cards"]) / (printings - plain.printings)
            yield Figure(name="quads of a printing", value=each, unit="")
            facts = plain.info.quads["cards"] / number - each
            yield Figure(name="quads of a card's facts, without printings", value=facts, unit="")
        costs.append((grown.cpu - fixed.cpu) / (number - FIRST) * 1000)
        clock = (grown.wall - fixed.wall) / (number - FIRST) * 1000
        told = f"{number:,} cards"
        yield Figure(
            name=f"{told}: processor, each",
            value=costs[-1],
            unit="ms",
            reference=clock,
            beside="on the clock",
        )
        for stage in ("cards", "links", "load"):
            yield Figure(name=f"{told}: {stage}, all", value=info.seconds[stage], unit="s")
        yield Figure(name=f"{told}: largest process", value=grown.peak, unit="MB")
        yield Figure(name=f"{told}: printings", value=printings, unit="")
        yield Figure(name=f"{told}: quads, each", value=info.counts["quads"] / number, unit="")
        yield Figure(name=f"{told}: on disk", value=disk / 1e6, unit="MB")
    yield Figure(
        name="processor of the dearest card",
        value=max(costs),
        unit="ms",
        reference=min(costs),
        beside="of the cheapest",
        most_times=FLAT,
    )


def rulings(setup: Setup, folder: Path) -> Iterator[Figure]:
    """Quads of a ruling, by a build of a few cards with theirs."""
    cards, given = (folder / f"{name}.json.gz" for name in ("cards-2025-sample", "rulings-sample"))
    if cards.is_file() and given.is_file():
        place = setup.folder / "ruled"
        command = [*CARDLAW, "build", "--quiet", "--cards", str(cards), "--store", str(place)]
        run([*command, "--rulings", str(given)])
        with open_store(place) as store:
            rows = store.query("SELECT ?n { GRAPH ?g { ?card mtg:hasRuling ?n } }")
            number = sum(1 for _ in cast(QuerySolutions, rows))
            yield Figure(name="quads of a ruling", value=store.info.quads["rulings"] / number, unit="")
        shutil.rmtree(place)


class Grown:
    """The file of that many cards, and the builds of it.

    Attributes:
        printings: how many the file has.
        info: what the last build says of itself.
        disk: bytes of its folder.
    """

    info: BuildSummary
    disk: int

    def __init__(self, setup: Setup, cards: list[list[dict[str, Any]]], size: int) -> None:
        self.path, self.place = setup.folder / f"grown-{size}.json", setup.folder / "grown"
        self.spent: list[Spent] = []
        self.printings = 0
        with self.path.open("w", encoding="utf-8") as file:
            for self.printings, record in enumerate(multiplied(cards, size), 1):
                file.write(("[\n" if self.printings == 1 else ",\n") + json.dumps(record))
            file.write("]\n")

    def build(self) -> None:
        command = [*CARDLAW, "build", "--quiet", "--cards", str(self.path), "--store", str(self.place)]
        self.spent.append(run(command))
        with open_store(self.place) as store:
            self.info = store.info
            self.disk = sum(file.stat().st_size for file in store.folder.rglob("*") if file.is_file())
        shutil.rmtree(self.place)

    @property
    def cpu(self) -> float:
        return median(spent.cpu for spent in self.spent)

    @property
    def wall(self) -> float:
        return median(spent.wall for spent in self.spent)

    @property
    def peak(self) -> float:
        return max(spent.peak for spent in self.spent)


def grouped(records: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The printings of each card, in an order that is drawn."""
    cards: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        if "token" not in record["layout"] and record["layout"] not in ("emblem", "art_series"):
            cards[record["oracle_id"]].append(record)
    drawn = [cards[key] for key in sorted(cards)]
    random.Random(2026).shuffle(drawn)
    return drawn


def multiplied(cards: list[list[dict[str, Any]]], size: int) -> Iterator[dict[str, Any]]:
    """The printings of that many cards; each round after the first gives new names."""
    left = size
    for number in count(1):
        for printings in cards[:left]:
            yield from printings if number == 1 else (renamed(each, number) for each in printings)
        left -= len(cards)
        if left <= 0:
            return


def renamed(record: dict[str, Any], number: int) -> dict[str, Any]:
    """A printing as of another card: its own names have a word more, and so have its texts."""
    added = f" Anew{'w' * (number - 2)}"
    names = "|".join(map(re.escape, record["name"].split(" // ")))
    named = re.compile(rf"(?<!\w)(?:{names})(?!\w)")

    def said(text: str) -> str:
        return named.sub(lambda match: match[0] + added, text)

    def again(values: dict[str, Any]) -> dict[str, Any]:
        return {
            key: said(value) if key in ("name", "oracle_text") else value for key, value in values.items()
        }

    made = again(record)
    for key in ("id", "oracle_id"):
        made[key] = str(uuid5(NAMESPACE_URL, f"{record[key]} {number}"))
    if "card_faces" in record:
        made["card_faces"] = [again(face) for face in record["card_faces"]]
    return made
