"""How many cards a second one core segments and links, and whether memory stays flat.

    python tests/benchmarks/linking.py [--cards FILE]

Cards are read one at a time and nothing of them is kept; the time is that of the processor, of linking alone.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from pathlib import Path

from cardlaw.graph.linking import Linker
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards

PORTION = 8000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cards", default="corpus", help="corpus, or a file of Scryfall or MTGJSON")
    options = parser.parse_args()
    started = time.process_time()
    linker = Linker(outline.load())
    print(f"linker ready after {time.process_time() - started:.2f} s with {len(linker.entries)} entries")
    source = "corpus" if options.cards == "corpus" else Path(options.cards)
    cards = citations = 0
    spent = 0.0
    print(f"{'cards':>8} {'citations':>10} {'cards/s':>8} {'peak MB':>8}")
    for card in read_cards(source, skipped=[], counts=Counter()):
        begun = time.process_time()
        linked = linker.link_card(card)
        spent += time.process_time() - begun
        cards += 1
        for face in linked.faces:
            citations += len(face.citations) + sum(len(ability.citations) for ability in face.abilities)
        if cards % PORTION == 0:
            report(cards, citations, spent)
    report(cards, citations, spent)


def report(cards: int, citations: int, spent: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{cards:8,} {citations:10,} {cards / spent:8,.0f} {peak:8,.0f}")


if __name__ == "__main__":
    main()
