"""Invented releases of an invented rulebook, in the layout of the real one, for tests of what changed.

Names of sections and keywords are real, the wording is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources.rulebook import parse

OLD = {
    "1": "Game Concepts",
    "100": "General",
    "100.1": "Any two people and a box of beads make a game of this kind.",
    "100.1a": "Three people make a longer game, in which the eldest holds the box.",
    "100.2": "To begin, every player takes seven beads from the box without looking. See rule 103.1.",
    "103": "Starting the Game",
    "103.1": "The player who last saw a fox in the wild begins, as specified in rule 100.2.",
    "103.2": "Shoes are taken off before the first bead is laid upon the table.",
    "7": "Additional Rules",
    "701": "Keyword Actions",
    "701.1": "What a paper tells a player to do is done as it is told below.",
    "701.2": "Activate",
    "701.2a": "To activate a kettle is to fill it with water, set it upon the stove and wait.",
    "701.3": "Mill",
    "701.3a": "To mill is to grind as many beads as the paper says into a fine gray powder.",
    "701.3b": "A player who has no beads left to mill grinds nothing and passes the mill on.",
    "701.4": "Scry",
    "701.4a": "To scry is to look into the bowl of tea and tell what swims there before drinking it.",
    "702": "Keyword Abilities",
    "702.1": "What a bead is able to do is told below.",
    "702.2": "Flying",
    "702.2a": "Flying is a static ability. A bead with flying is thrown, and never rolled, over the table.",
    "702.3": "Cycling",
    "702.3a": "Cycling is an activated ability. A bead with cycling goes around the table once.",
    "702.3b": "If a bead has several instances of cycling, it goes around once for each of them.",
}
"""The older release, by number; headings are those without the end of a sentence."""

GLOSSARY = {
    "Cycling": "Going around the table. See rule 702.3, “Cycling.”",
    "Grind": "See Mill.",
    "Mill": "To turn beads into powder. See rule 701.3, “Mill.”",
}


def text(
    rules: Mapping[str, str] = OLD, date: str = "February 3, 2030", glossary: Mapping[str, str] = GLOSSARY
) -> str:
    """A release with these rules, in their order."""
    headings = [line(number, words) for number, words in rules.items() if "." not in number]
    body = [line(number, words) for number, words in rules.items()]
    entries = [f"{name}\n{words}" for name, words in glossary.items()]
    return "\n\n".join(
        [
            "Magic: The Gathering Comprehensive Rules",
            f"These rules are effective as of {date}.",
            "Contents",
            *headings,
            "Glossary",
            "Credits",
            *body,
            "Glossary",
            *entries,
            "Credits",
            "Nobody.\n",
        ]
    )


def line(number: str, words: str) -> str:
    return f"{number} {words}" if number[-1].isalpha() else f"{number}. {words}"


def book(
    rules: Mapping[str, str] = OLD, date: str = "February 3, 2030", glossary: Mapping[str, str] = GLOSSARY
) -> Rulebook:
    return parse(text(rules, date, glossary).encode())


def renumbered(rules: Mapping[str, str], numbers: Mapping[str, str]) -> dict[str, str]:
    """Rules under other numbers, each with all below it, in the order of the numbers."""
    moved = {}
    for number, words in rules.items():
        head = next((old for old in numbers if is_below(number, old)), "")
        moved[numbers.get(head, "") + number.removeprefix(head)] = words
    return ordered(moved)


def is_below(number: str, head: str) -> bool:
    """Whether a number is `head` or stands under it."""
    rest = number.removeprefix(head)
    return number.startswith(head) and not rest[:1].isdigit()


def ordered(rules: Mapping[str, str] | Iterable[tuple[str, str]]) -> dict[str, str]:
    """Rules in the order of their numbers."""

    def key(number: str) -> tuple[str, str, int, str]:
        section, _, rest = number.partition(".")
        digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
        return section[:1], section, int(digits or 0), rest[len(digits) :]

    return {number: dict(rules)[number] for number in sorted(dict(rules), key=key)}
