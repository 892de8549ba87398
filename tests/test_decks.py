"""Deck lists of ten programs and sites, as they write them, and whatever else somebody may send."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlaw.graph.decks import DeckList, read_deck
from cardlaw.graph.decks.lines import section_of
from cardlaw.graph.decks.listing import LONGEST

Entry = tuple[int, str, str]


def entries(deck: DeckList) -> list[Entry]:
    return [(entry.count, entry.name, entry.section) for entry in deck.entries]


LISTS: dict[str, tuple[str, str, list[Entry]]] = {
    "counts, or none": (
        "4 Lantern Fox\n2x Ash Clerk\n3 × Wren\n1\tOx\nHeron x2\nLone Moth\n4 X\n"
        "+2 Mace\n1996 World Champion\n",
        "plain",
        [
            (4, "Lantern Fox", "main"),
            (2, "Ash Clerk", "main"),
            (3, "Wren", "main"),
            (1, "Ox", "main"),
            (2, "Heron", "main"),
            (1, "Lone Moth", "main"),
            (4, "X", "main"),
            (1, "+2 Mace", "main"),
            (1, "1996 World Champion", "main"),
        ],
    ),
    "an empty line before the sideboard": (
        "4 Lantern Fox\n20 Meadow\n\n2 Ash Clerk\n",
        "plain",
        [(4, "Lantern Fox", "main"), (20, "Meadow", "main"), (2, "Ash Clerk", "sideboard")],
    ),
    "empty lines between groups": (
        "4 Lantern Fox\n\n4 Ash Clerk\n\n20 Meadow\n",
        "plain",
        [(4, "Lantern Fox", "main"), (4, "Ash Clerk", "main"), (20, "Meadow", "main")],
    ),
    "more after the empty line than a sideboard holds": (
        "4 Lantern Fox\n\n16 Meadow\n",
        "plain",
        [(4, "Lantern Fox", "main"), (16, "Meadow", "main")],
    ),
    "groups with their numbers": (
        "Creatures (4)\n4 Lantern Fox\n\nLands (20)\n20 Meadow\nSideboard (2)\n2 Ash Clerk\n",
        "plain",
        [(4, "Lantern Fox", "main"), (20, "Meadow", "main"), (2, "Ash Clerk", "sideboard")],
    ),
    "Arena": (
        "About\nName Foxes\n\nCompanion\n1 Wren (ABC) 1\n\n"
        "Deck\n4 Lantern Fox (ABC) 12\n\nSideboard\n1 Wren (ABC) 1\n",
        "arena",
        [(1, "Wren", "companion"), (4, "Lantern Fox", "main"), (1, "Wren", "sideboard")],
    ),
    "MTGO": (
        "4 Lantern Fox\n2 Hush/Clamor\nSB: 1 Ash Clerk\n",
        "mtgo",
        [(4, "Lantern Fox", "main"), (2, "Hush/Clamor", "main"), (1, "Ash Clerk", "sideboard")],
    ),
    ".dek": (
        '<?xml version="1.0" encoding="utf-8"?>\r\n<Deck>\r\n<NetDeckID>0</NetDeckID>\r\n'
        '<Cards CatID="1" Quantity="4" Sideboard="false" Name="Lantern Fox" Annotation="0" />\r\n'
        '<Cards CatID="2" Quantity="2" Sideboard="true" Name="Hush &amp; Clamor" />\r\n</Deck>',
        "dek",
        [(4, "Lantern Fox", "main"), (2, "Hush & Clamor", "sideboard")],
    ),
    "Moxfield": (
        "1 Wren, the Loud (ABC) 190 *F* #Leader\n1 Lantern Fox (ABC) 12a *E*\n\n"
        "SIDEBOARD:\n2 Ash Clerk (XYZ) 5\n",
        "moxfield",
        [(1, "Wren, the Loud", "main"), (1, "Lantern Fox", "main"), (2, "Ash Clerk", "sideboard")],
    ),
    "Archidekt": (
        "1x Lantern Fox (abc) 12 [Foxes,Ramp] ^Have,#37d67a^\n1x Wren (abc) 1 *F* [Commander{top}]\n"
        "1x Ash Clerk (xyz) 5 [Maybeboard{noDeck}{noPrice},Clerks] ^Don't Have,#f47373^\n"
        "2x Ox (xyz) 6 [Cut{noDeck}]\n3x Heron (xyz) 7 [Sideboard]\n",
        "archidekt",
        [
            (1, "Lantern Fox", "main"),
            (1, "Wren", "commander"),
            (1, "Ash Clerk", "maybeboard"),
            (2, "Ox", "maybeboard"),
            (3, "Heron", "sideboard"),
        ],
    ),
    "Deckstats": (
        "//Main\n4 [ABC#12] Lantern Fox\n1 [XYZ] Ash Clerk # a remark\n1 Wren #!Commander\n\n"
        "//Sideboard\nSB: 2 [ABC#7] Heron\n\n//Maybeboard\n1 Ox\n",
        "deckstats",
        [
            (4, "Lantern Fox", "main"),
            (1, "Ash Clerk", "main"),
            (1, "Wren", "commander"),
            (2, "Heron", "sideboard"),
            (1, "Ox", "maybeboard"),
        ],
    ),
    "Forge": (
        "[metadata]\nName=Foxes\nFormat=Modern\n[Commander]\n1 Wren+|ABC|1\n"
        "[Main]\n4 Lantern Fox|ABC|1|[12]\n"
        "4 Hush // Clamor|XYZ\n[Sideboard]\n2 Ash Clerk\n",
        "forge",
        [
            (1, "Wren", "commander"),
            (4, "Lantern Fox", "main"),
            (4, "Hush // Clamor", "main"),
            (2, "Ash Clerk", "sideboard"),
        ],
    ),
    "XMage": (
        "NAME:Foxes\n4 [ABC:12] Lantern Fox\nSB: 2 [XYZ:5] Ash Clerk\n"
        "LAYOUT MAIN:(1,1)(NONE,false,50)|([ABC:12])\n",
        "xmage",
        [(4, "Lantern Fox", "main"), (2, "Ash Clerk", "sideboard")],
    ),
    "Cockatrice": (
        '<?xml version="1.0"?><cockatrice_deck version="1"><deckname>Foxes</deckname><zone name="main">'
        '<card number="4" name="Lantern Fox"/></zone><zone name="side"><card number="1" name="Wren"/></zone>'
        "</cockatrice_deck>",
        "cockatrice",
        [(4, "Lantern Fox", "main"), (1, "Wren", "sideboard")],
    ),
    "a table of Moxfield": (
        '"Count","Tradelist Count","Name","Edition","Foil","Collector Number"\r\n'
        '"4","0","Wren, the Loud","abc","foil","12"\r\n"1","0","Ox","xyz","","5"\r\n',
        "csv",
        [(4, "Wren, the Loud", "main"), (1, "Ox", "main")],
    ),
    "a table in another order": (
        "section;name;count\nsideboard;'+2 Mace;2\n;Ox;4x\nCommander;Wren;1\n",
        "csv",
        [(2, "+2 Mace", "sideboard"), (4, "Ox", "main"), (1, "Wren", "commander")],
    ),
    "a table of MTGO": (
        "Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium,Sideboarded,\r\n"
        '"Lantern Fox",4,1,Common,ABC,60/269,No,No,\r\n"Wren",2,2,Common,ABC,1,No,Yes,\r\n',
        "csv",
        [(4, "Lantern Fox", "main"), (2, "Wren", "sideboard")],
    ),
    "a commander alone above the deck": (
        "Commander (1)\n1 Wren\n\n4 Lantern Fox\nCompanion: Ox\n",
        "plain",
        [(1, "Wren", "commander"), (4, "Lantern Fox", "main"), (1, "Ox", "companion")],
    ),
    "remarks and rulers": (
        "# mine\n// yours\n; theirs\n----\n4 Lantern Fox // Dark Fox\n",
        "plain",
        [(4, "Lantern Fox // Dark Fox", "main")],
    ),
    "brackets that are of the name": (
        "1 Worn Coat (Used)\n2 Moth (Not the Glass One) (ABC) 7\n1 Ox <showcase> [XYZ] (F)\n3 Meadow (2)\n",
        "arena",
        [
            (1, "Worn Coat (Used)", "main"),
            (2, "Moth (Not the Glass One)", "main"),
            (1, "Ox", "main"),
            (3, "Meadow", "main"),
        ],
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_says_the_same_in_any_encoding(name: str) -> None:
    text, format_, expected = LISTS[name]
    deck = read_deck(text)
    assert entries(deck) == expected
    assert deck.format == format_
    for data in (
        text.encode(),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.encode("utf-16-be"),
        text.replace("\r\n", "\n").replace("\n", "\r\n"),
        text.replace("\r\n", "\n").replace("\n", "\r"),
    ):
        assert entries(read_deck(data)) == expected


def test_sets_and_numbers_are_kept() -> None:
    written = (
        "1 Fox (ABC) 12a",
        "1x Fox (abc) 12a [Foxes]",
        "1 [ABC#12a] Fox",
        "1 [ABC:12a] Fox",
        "1 Fox|ABC|1|[12a]",
    )
    for line in written:
        [entry] = read_deck(line).entries
        assert (entry.name, entry.set_code, entry.number) == ("Fox", "abc", "12a"), line
    assert read_deck("4 Fox [ABC]").entries[0].set_code == "abc"


def test_a_deck_has_a_title_from_its_list_or_its_file() -> None:
    for text in (
        "[metadata]\nName=Foxes\n[Main]\n1 Fox",
        "NAME:Foxes\n1 Fox",
        "About\nName Foxes\n\nDeck\n1 Fox",
    ):
        assert read_deck(text, name="file").title == "Foxes"
    assert read_deck("1 Fox", name="file").title == "file"
    assert read_deck("1 Fox").title is None


def test_lines_are_counted_from_the_first() -> None:
    for text in ("\n\n4 Fox\n", "\r\nname,count\r\nFox,4\r\n", "sep=;\nname;count\nFox;4\n"):
        assert read_deck(text).entries[0].line == 3
    assert read_deck('\n<Deck>\n<Cards Quantity="4" Name="Fox"/>\n</Deck>').entries[0].line == 3


def test_windows_1252_is_read() -> None:
    assert entries(read_deck("4 Jötun Fox\n".encode("cp1252"))) == [(4, "Jötun Fox", "main")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 Fox\n", "counts no copy"),
        ("4 " + "a" * LONGEST, "is longer than"),
        ("name,count\nFox,many\n", "no count"),
        ("name,count\nFox,0\n", "no count"),
        ("count,name\n4,\n", "has no name"),
        ('<Deck><Cards Quantity="-1" Name="Fox"/></Deck>', "no count"),
        ('<Deck><Cards Quantity="4"/></Deck>', "has no name"),
        ("<Deck><Cards", "is no XML"),
        ('<!DOCTYPE d [<!ENTITY a "aa">]><Deck/>', "document type"),
    ],
)
def test_what_is_not_read_is_told(text: str, reason: str) -> None:
    deck = read_deck(text)
    assert not deck.entries
    assert reason in deck.skipped[0].reason


def test_what_stands_before_a_break_in_xml_is_kept() -> None:
    deck = read_deck('<Deck><Cards Quantity="4" Name="Fox"/><Cards Quan')
    assert entries(deck) == [(4, "Fox", "main")]
    assert deck.skipped


def test_headings() -> None:
    for words in (
        "Sideboard",
        "SIDEBOARD:",
        "Sideboard (15)",
        "== Side ==",
        "sideboard: 15",
        "**Sideboard**",
    ):
        assert section_of(words) == "sideboard", words
    for words in ("Library", "Sideboards of old", "", "15"):
        assert section_of(words) is None, words


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=400), st.binary(max_size=400)))
def test_no_input_is_too_strange(text: str | bytes) -> None:
    deck = read_deck(text)
    assert all(entry.name and 1 <= entry.count <= 999 for entry in deck.entries)
    assert deck.count() == sum(entry.count for entry in deck.entries)


WORDS = st.text("abcdefghijklmnopqrstuvwyzäö'", min_size=2, max_size=12).filter(lambda word: word.strip("'"))
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join).map(lambda name: f"Q{name}")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 99), NAMES), min_size=1, max_size=20),
    st.lists(st.tuples(st.integers(1, 99), NAMES), max_size=8),
    st.sampled_from(
        ["{} {}", "{}x {}", "{} {} (ABC) 12", "{} [ABC:7] {}", "{}x {} (abc) 1 [Any] ^Have,#fff^"]
    ),
)
def test_counts_add_up(main: list[tuple[int, str]], side: list[tuple[int, str]], manner: str) -> None:
    lines = [manner.format(*entry) for entry in main]
    lines += ["", "Sideboard", *(manner.format(*entry) for entry in side)]
    deck = read_deck("\n".join(lines))
    assert [(entry.count, entry.name) for entry in deck.entries] == main + side
    assert deck.count("main") == sum(count for count, _ in main)
    assert deck.count("sideboard") == sum(count for count, _ in side)


@pytest.mark.parametrize(
    "piece", ["(", " (", "[a] ", "^ ", '"', "x4 ", "|", "#", "* ", "<a>", "{", "1 ", "a:", ",", " x", "\t("]
)
def test_time_is_linear(piece: str) -> None:
    """Four times as much takes about four times as long, whether on one line or on many."""

    def seconds(times: int) -> float:
        line = "4 " + piece * (380 // len(piece))
        texts = ["name,x" + piece * (times * 4000), piece * (times * 4000), f"{line}\n" * (times * 30)]
        began = time.process_time()
        for text in texts:
            read_deck(text)
        return time.process_time() - began

    seconds(1)
    once = min(seconds(1) for _ in range(3))
    assert min(seconds(4) for _ in range(2)) < 12 * once + 0.02
