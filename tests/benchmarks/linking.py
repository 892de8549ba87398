"""Rulebook, abilities and citations: processor time of one core, and whether memory stays flat.

Cards are read one at a time and nothing of them is kept. The reference of segmenting and linking is the
reading of the same cards from their file; that of the rulebook is cutting its text into lines.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from cardlaw.graph.abilities import segment
from cardlaw.graph.linking import Linker
from cardlaw.graph.sources import outline, rulebook
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.tagging import Tagger

from .figures import Figure, LeftOutError, Setup, best


def figures(setup: Setup) -> Iterator[Figure]:
    with suppress(LeftOutError):
        newest = max(setup.rules.glob("*.txt"))
        text = newest.read_text(encoding="utf-8-sig")
        parsed, _ = best(lambda: rulebook.read(newest), setup.repeat(5))
        split, _ = best(lambda: text.replace("\r\n", "\n").split("\n"), setup.repeat(5))
        yield _each("rulebook parse", parsed, 1, "ms", split, "cutting it into lines")
    loaded, book = best(outline.load, setup.repeat(5))
    yield _each("outline load", loaded, 1, "ms")
    made, linker = best(lambda: Linker(book), setup.repeat(3))
    yield _each(f"linker of {len(linker.entries)} entries", made, 1, "ms")
    tagger = Tagger(linker.lexicon.terms)
    spent = dict.fromkeys(("read", "segment", "link", "tag"), 0.0)
    cards = 0
    first = peak()
    clock = time.process_time
    source = iter(read_cards(setup.cards, skipped=[], counts=Counter()))
    while True:
        begun = clock()
        if (card := next(source, None)) is None:
            break
        got = clock()
        for face in card.faces:
            segment(face, linker.lexicon)
        cut = clock()
        linked = linker.link_card(card)
        known = clock()
        tagger(linked)
        for what, seconds in zip(spent, (got - begun, cut - got, known - cut, clock() - known), strict=True):
            spent[what] += seconds
        cards += 1
        if cards == 5000:
            first = peak()
    for what in ("segment", "link", "tag"):
        yield _each(f"{what} a card", spent[what], cards, "ms", spent["read"], "reading it")
    yield Figure(
        name="memory after all cards", value=peak(), unit="MB", reference=first, beside="after 5,000 cards"
    )


def _each(
    name: str, seconds: float, number: int, unit: str, reference: float | None = None, beside: str = ""
) -> Figure:
    return Figure(
        name=name,
        value=seconds / number * 1000,
        unit=unit,
        reference=None if reference is None else reference / number * 1000,
        beside=beside,
    )


def peak() -> float:
    """MB of memory that this process had at most."""
    return (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    )
