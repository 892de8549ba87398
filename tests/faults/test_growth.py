"""Time grows with length and no faster, whatever a hostile text repeats: a card, a rulebook, a query, a deck.

Twice as much takes about twice as long; the best of three, compared side by side. (Of cards in bigger pieces,
see `tests/test_linking_properties.py`.)
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from harm import RULES
from pyoxigraph import Literal

from cardlaw.exports.accept import preferred
from cardlaw.graph import naming, queries, search
from cardlaw.graph.citing.mentions import mentions
from cardlaw.graph.decks.reading import read_deck
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Face
from cardlaw.graph.sources import mana, outline, rulebook, wording
from cardlaw.graph.sources.cards import read_cards

LINKER = Linker(outline.load())
BOOK = RULES.read_text(encoding="utf-8")
PLACE = BOOK.index("\n700.")
BARE = Face(name="Zyx Warden", oracle_text="Flying")


def linked(field: str, text: str) -> None:
    LINKER.link(Face(**{"name": "Zyx Warden", "oracle_text": "Flying", field: text}))


def booked(text: str) -> None:
    rulebook.parse(f"{BOOK[:PLACE]}\n{text}{BOOK[PLACE:]}".encode())


def glossed(text: str) -> None:
    rulebook.parse(f"{BOOK}\n{text}\n".encode())


READERS: dict[str, tuple[Callable[[str], object], int]] = {
    "a card's text": (partial(linked, "oracle_text"), 2_000),
    "a type line": (partial(linked, "type_line"), 2_000),
    "a name": (partial(linked, "name"), 2_000),
    "a mana cost": (partial(linked, "mana_cost"), 2_000),
    "a mana value": (mana.mana_value, 100_000),
    "a slug": (naming.slug, 100_000),
    "citations": (lambda text: list(mentions(text)), 30_000),
    "citations without a word before": (lambda text: list(mentions(text, bare=True)), 30_000),
    "rules": (booked, 30_000),
    "a glossary": (glossed, 30_000),
    "words to compare": (wording.normalize, 100_000),
    "the depth of a query": (queries.refuse_depth, 100_000),
    "calls in a query": (lambda text: queries.refuse_service(f"service {text}"), 30_000),
    "names in a query": (queries.spell_out, 30_000),
    "prefixes of a query": (queries.with_prefixes, 30_000),
    "variables of a query": (lambda text: queries.bind(f"$x {text}", {"x": Literal("y")}), 30_000),
    "the header of a query": (
        lambda text: queries.parse_query(f"# title: {text}\n# parameter: {text}\n", "a"),
        30_000,
    ),
    "a question": (search.wanted, 100_000),
    "a deck": (read_deck, 30_000),
    "a card in a deck": (lambda text: read_deck(f"4 Zyx {text}"), 30_000),
    "cards in a deck": (lambda text: read_deck(f"4 Zyx\n4 {text}".replace(", ", "\n4 ")), 30_000),
    "a deck as a table": (lambda text: read_deck(f"Count,Name\n4,{text}"), 30_000),
    "a deck as XML": (lambda text: read_deck(f"<deck>{text}"), 30_000),
    "what is acceptable": (lambda text: preferred(text, ["text/html", "text/turtle"]), 30_000),
}
PIECES = (
    *"(){}[]\"“'<>#:;,._-—/\\\n\r x1é$?{=*",
    *(
        "flying, ",
        "Flying",
        "Kicker {",
        "{T}: ",
        "• ",
        "I, II — ",
        "Level up ",
        "a:",
        "service ",
        "prefix ",
        "$x ",
    ),
    *(
        "702.",
        "702.1a, ",
        "rules 702.1 and ",
        "CR ",
        "100.1a-",
        "see rule 702, ",
        '"""',
        "'''",
        '\\"',
        '"""x "\\',
        ":a.a",
        "a.",
        ";q=1,",
        "[X] ",
        " ^x^",
        " (X) 1",
        "|X|",
        "4x ",
        "SB: ",
        " // ",
    ),
)
SHORTEST = 0.05  # seconds: what takes less is not looked at


def once(read: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    with suppress(CardlawError):
        read(text)
    return time.process_time() - begun


def grows(read: Callable[[str], object], text: str, times: int) -> str:
    """What is wrong with the time that a text takes against its first part, one of so many."""
    whole = once(read, text)
    if whole < SHORTEST:
        return ""
    short = text[: len(text) // times]
    parts: list[float] = []
    for _ in range(3):
        gc.collect()
        parts.append(once(read, short))
        if whole < 1.6 * times * min(parts) + 0.02:
            return ""
        whole = min(whole, once(read, text))
    return f"{text[:20]!r}: {min(parts):.3f} s, and {whole:.3f} s for {times} times as much"


@pytest.mark.parametrize("what", READERS)
def test_twice_the_text_takes_twice_the_time(what: str) -> None:
    read, size = READERS[what]
    with suppress(CardlawError):
        read("once")  # what is made once is made
    wrong = [grows(read, piece * (2 * size // len(piece)), 2) for piece in PIECES]
    assert not any(wrong), [*filter(None, wrong)]


@pytest.mark.parametrize("piece", ["(", "{", '"', "x ", "\n"])
@pytest.mark.parametrize("field", ["oracle_text", "name", "type_line"])
def test_a_line_of_a_megabyte(piece: str, field: str) -> None:
    if (field, piece) == ("oracle_text", "\n"):
        piece = "flying "
    assert not grows(partial(linked, field), piece * (1_000_000 // len(piece)), 10)


RECORD = {"name": "Zyx", "type": "Creature", "layout": "normal", "text": "Flying"}


@pytest.mark.parametrize("deep", [1_000, 100_000, 1_000_000])
@pytest.mark.parametrize("where", ["element", "field", "whole", "data"])
def test_deep_json_is_refused_in_a_line(tmp_path: Path, deep: int, where: str) -> None:
    nested = "[" * deep + "]" * deep
    objects = '{"a":' * deep + "1" + "}" * deep
    texts = {
        "element": f"[{nested}, {json.dumps(RECORD)}]",
        "field": json.dumps([RECORD])[:-2] + f', "extra": {objects}}}]',
        "whole": "[" * deep,
        "data": f'{{"meta": {objects}, "data": {nested}}}',
    }
    path = tmp_path / "cards.json"
    path.write_text(texts[where])
    told: list[str] = []
    found: list[str] = []
    try:
        found += [card.name for card in read_cards(path)]
    except CardlawError as error:
        told.append(str(error))
    assert found == ["Zyx"] or (told and "\n" not in told[0] and len(told[0]) < 500)
