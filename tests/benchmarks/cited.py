"""What the cards of the corpus cite, and what they do not: sections, keyword rules, entries, abilities.

    python tests/benchmarks/cited.py

Prints the sections and the rules of 701 and 702 that no card cites, each with the reason; the catalogue
entries that cite nothing; and the abilities that cite nothing beyond their kind, by reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from cardlaw.graph.linking import CitedEntry, Linker, uncited
from cardlaw.graph.model import Card, Rulebook
from cardlaw.graph.naming import TOKEN_LAYOUTS
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards

REASONS = {
    "says what the game consists of, which no words of a card point at": (
        *("100 General", "108 Cards", "109 Objects", "112 Spells", "200 General", "300 General"),
        *("400 General", "600 General", "800 General", "900 General", "713 Substitute Cards"),
    ),
    "is printed outside the rules text": (
        *("203 Illustration", "204 Color Indicator", "206 Expansion Symbol", "210 Defense"),
        *("211 Hand Modifier", "212 Life Modifier", "213 Information Below the Text Box", "902 Vanguard"),
    ),
    "works behind what abilities say": (
        *("116 Special Actions", "117 Timing and Priority", "612 Text-Changing Effects"),
        *("616 Interaction of Replacement and/or Prevention Effects", "703 Turn-Based Actions"),
        *("729 Merging with Permanents", "731 Taking Shortcuts", "732 Handling Illegal Actions"),
    ),
    "is a way of playing that no card names": (
        *("801 Limited Range of Influence Option", "802 Attack Multiple Players Option"),
        *("803 Attack Left and Attack Right Options", "804 Deploy Creatures Option"),
        *("805 Shared Team Turns Option", "806 Free-for-All Variant", "807 Grand Melee Variant"),
        *("808 Team vs. Team Variant", "809 Emperor Variant", "810 Two-Headed Giant Variant"),
        "811 Alternating Teams Variant",
    ),
    "stands on faces that the corpus lacks": (
        "715 Adventurer Cards",
        "720 Omen Cards",
        "702.127 Aftermath",
    ),
}
"""Why no card cites a section or keyword rule of the release of 2026-01-16, by number and heading."""


class Cited(NamedTuple):
    """What some cards cite."""

    never: tuple[str, ...]  # sections and keyword rules, "715 Adventurer Cards"
    idle: tuple[CitedEntry, ...]
    abilities: int
    uncited: Counter[str]  # by reason


def measure(cards: Iterable[Card], linker: Linker) -> Cited:
    rules: set[str] = set()
    entries: set[str] = set()
    bare: Counter[str] = Counter()
    abilities = 0
    for card in cards:
        if card.layout in TOKEN_LAYOUTS:
            continue
        for face in linker.link_card(card).faces:
            for citations in (face.citations, *(ability.citations for ability in face.abilities)):
                rules.update(citation.rule for citation in citations)
                entries.update(citation.entry for citation in citations)
            abilities += len(face.abilities)
            bare.update(reason for ability in face.abilities if (reason := uncited(ability)))
    idle = tuple(entry for entry in linker.entries if entry.id not in entries)
    return Cited(tuple(_never(rules, linker.rulebook)), idle, abilities, bare)


def _never(cited: set[str], rulebook: Rulebook) -> Iterable[str]:
    above = {re.sub(r"(?<=\d)[a-z]+$", "", rule) for rule in cited}
    sections = {rule.partition(".")[0] for rule in cited}
    for rule in rulebook.rules.values():
        section, dot, _ = rule.number.partition(".")
        if (len(rule.number) == 3 and section not in sections) or (
            section in ("701", "702")
            and dot
            and rule.title
            and rule.title != "General"
            and rule.number not in above
        ):
            yield f"{rule.number} {rule.title}"


def main() -> None:
    linker = Linker(outline.load())
    found = measure(read_cards("corpus", skipped=[], counts=Counter()), linker)
    reasons = {name: why for why, names in REASONS.items() for name in names}
    print("Sections and keyword rules that no card cites:")
    for name in found.never:
        print(f"  {name}: {reasons.get(name, 'UNEXPLAINED')}")
    print(f"\n{len(found.idle)} of {len(linker.entries)} entries cite nothing:")
    for entry in found.idle:
        print(f"  {entry.id} ({entry.anchor})")
    bare = sum(found.uncited.values())
    print(f"\n{bare} of {found.abilities:,} abilities ({bare / found.abilities:.2%}) cite nothing:")
    for reason, count in found.uncited.most_common():
        print(f"  {count:5} {reason}")


if __name__ == "__main__":
    main()
