"""A site of pages as files, for some cards drawn at random and the rules that they need."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from cardlaw.graph.store import open_store
from cardlaw.ontology.namespaces import PREFIXES

from .figures import CARDLAW, Figure, Setup, run

CARDS = 100


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        rows = store.query("SELECT ?card { GRAPH layer:cards { ?card a mtg:Card } } ORDER BY ?card")
        found = ["card:" + row[0].value.removeprefix(PREFIXES["card"]) for row in rows]
    random.seed(2026)
    cards = random.sample(found, min(10 if setup.is_quick else CARDS, len(found)))
    place = setup.folder / "site"
    spent = run(
        [*CARDLAW, "export", "site", "--quiet", "-o", str(place), "--store", str(setup.store), *cards]
    )
    pages = sum(1 for _ in Path(place).rglob("*.html"))
    yield Figure(name=f"site of {len(cards)} cards", value=spent.wall, unit="s")
    yield Figure(
        name=f"… of its {pages:,} pages, each", value=spent.cpu / pages * 1000, unit="ms of processor"
    )
