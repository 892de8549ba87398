"""What is told of a deck: rules, keywords, curve and checks, on cards and rules that were made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from handmade import BOOK, card, face, write_store

from cardlaw.graph.decks import DeckReport, analyze, read_deck
from cardlaw.graph.decks.building import checks
from cardlaw.graph.errors import QueryError
from cardlaw.graph.model import Rule
from cardlaw.graph.store import Store, open_store

LIST = """\
4 Glass Moth
2 glass môth
3 Lantern Heron
2 Sky Ward
1 Plain Ox
17 Far Meadow

Sideboard
2 Marsh Courier
1 Lamp Ward / Sky Ward
3 Lantern Herron
1 Nothing at all
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(write_store(tmp_path_factory.mktemp("hand"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def report(store: Store) -> DeckReport:
    return analyze(store, LIST)


def test_each_card_stands_there_once_with_its_copies(report: DeckReport) -> None:
    assert {card.name: dict(card.copies) for card in report.cards} == {
        "Glass Môth": {"main": 6},
        "Lantern Heron": {"main": 3},
        "Lamp Ward // Sky Ward": {"main": 2, "sideboard": 1},
        "Plain Ox": {"main": 1},
        "Far Meadow": {"main": 17},
        "Marsh Courier": {"sideboard": 2},
    }


def test_names_that_are_unknown_are_told_with_near_misses(report: DeckReport) -> None:
    assert [(each.name, each.count, each.lines, each.near) for each in report.unknown] == [
        ("Lantern Herron", 3, (11,), ("Lantern Heron",)),
        ("Nothing at all", 1, (12,), ()),
    ]
    found = sum(sum(card.copies.values()) for card in report.cards)
    assert found + sum(each.count for each in report.unknown) == report.deck.count()


def test_rules_stand_under_headings_with_the_cards_that_need_them(report: DeckReport) -> None:
    by_number = {heading.number: heading for heading in report.rules}
    assert by_number["702.9"].title == "Flying"
    assert by_number["702.9"].cards == ("Glass Môth", "Lamp Ward // Sky Ward", "Lantern Heron")
    assert [rule.number for rule in by_number["603"].rules] == ["603", "603.6a"]
    assert [rule.number for rule in by_number["702.29"].rules] == ["702.29e"]
    [user] = by_number["614"].rules[0].cards
    assert (user.name, user.relations, user.quote) == ("Lamp Ward // Sky Ward", ("effect",), "instead")


def test_what_few_cards_need_comes_first(report: DeckReport) -> None:
    numbers = [heading.number for heading in report.rules]
    assert numbers.index("614") < numbers.index("302")  # one of six cards needs it; four of six are creatures
    weights = [heading.weight for heading in report.rules]
    assert weights == sorted(weights, reverse=True)


def test_keywords_by_color(report: DeckReport) -> None:
    flying = next(keyword for keyword in report.keywords if keyword.name == "Flying")
    assert (flying.rule, flying.is_action) == ("702.9", False)
    # the moth costs {1}{G}; nothing tells the colors of the heron and the wards, which have no cost here
    assert flying.by_color == {"G": 1, "?": 2}
    assert flying.granting == ("Lamp Ward // Sky Ward",)
    exile = next(keyword for keyword in report.keywords if keyword.name == "Exile")
    assert exile.is_action
    assert exile.cards == ("Lamp Ward // Sky Ward", "Marsh Courier")  # not for its reminder text alone
    assert [keyword.name for keyword in report.keywords][:2] == ["Flying", "Exile"]
    assert "Lifelink" not in {keyword.name for keyword in report.keywords}  # which the wards take away


def test_the_curve_has_lands_apart(report: DeckReport) -> None:
    assert report.curve.lands == 17
    # six moths of 2; an ox whose mana value the source does not tell; herons and wards without any cost
    assert dict(report.curve.by_value) == {0.0: 5, 1.0: 0, 2.0: 6}
    assert report.curve.unknown == 1
    assert report.curve.average == 1.09
    assert report.curve.pips == {"G": 6, "W": 1}


def test_nothing_is_said_of_rules_and_formats_that_are_not_known(report: DeckReport) -> None:
    assert report.checks == ()  # this rulebook has no rule of deck construction
    assert report.formats is None
    assert report.themes is None


def test_many_names_are_refused(store: Store) -> None:
    with pytest.raises(QueryError, match="5,001 different names"):
        analyze(store, "\n".join(f"Fox {number}" for number in range(5001)))


def test_a_report_is_the_same_each_time(store: Store, report: DeckReport) -> None:
    assert msgspec.json.encode(analyze(store, LIST)) == msgspec.json.encode(report)


CONSTRUCTION = (
    Rule(number="100", title="General", parent="1"),
    Rule(number="100.2", text="To play, a deck.", parent="100"),
    Rule(
        number="100.2c",
        text="In constructed play a minimum deck size of 60; a constructed deck has "
        "no more than four of any card.",
        parent="100.2",
    ),
    Rule(number="100.7", text="In constructed play no more than fifteen cards.", parent="100"),
    Rule(number="9", title="Casual Variants"),
    Rule(number="903", title="Commander", parent="9"),
    Rule(number="903.1", parent="903"),
    Rule(number="903.1a", text="There are exactly 100 cards, including its commander.", parent="903.1"),
    Rule(number="903.1b", text="Other than basic lands, each has a different English name.", parent="903.1"),
    Rule(number="903.1c", text="So is every color in its color identity.", parent="903.1"),
)
BUILT = (
    card("Field", face("Field", "Basic Land — Plains", "({T}: Add {W}.)"), color_identity=("W",)),
    card(
        "Swarm Rat",
        face("Swarm Rat", "Creature — Rat", "A deck can have any number of cards named Swarm Rat."),
        color_identity=("B",),
        legalities={"modern": "legal", "legacy": "legal"},
    ),
    card(
        "Seven Oxen",
        face("Seven Oxen", "Creature — Ox", "A deck can have up to seven cards named Seven Oxen."),
        color_identity=(),
        legalities={"modern": "banned", "legacy": "legal"},
    ),
    card(
        "Rare Moth",
        face("Rare Moth", "Legendary Creature — Moth", "Flying", mana_cost="{W}{U}", mana_value=2.0),
        color_identity=("U", "W"),
        legalities={"legacy": "restricted"},
    ),
)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    rules = {**BOOK.rules, **{rule.number: rule for rule in CONSTRUCTION}}
    book = msgspec.structs.replace(BOOK, rules=rules)
    with open_store(write_store(tmp_path_factory.mktemp("built"), BUILT, book)) as opened:
        yield opened


def kept(report: DeckReport) -> dict[str, tuple[bool, tuple[str, ...]]]:
    return {check.rule: (check.kept, check.cards) for check in report.checks}


def test_a_constructed_deck_is_held_to_the_rules_that_say_so(builder: Store) -> None:
    good = analyze(builder, "30 Field\n30 Swarm Rat\nSideboard\n7 Seven Oxen\n4 Rare Moth\n")
    assert [(check.rule, check.kept) for check in good.checks] == [
        ("100.2c", True),
        ("100.7", True),
        ("100.2c", True),
    ]
    bad = analyze(builder, "20 Field\n3 Rare Moth\nSideboard\n8 Seven Oxen\n2 Rare Moth\n6 Swarm Rat\n")
    assert [(check.rule, check.kept, check.cards) for check in bad.checks] == [
        ("100.2c", False, ()),
        ("100.7", False, ()),
        ("100.2c", False, ("Rare Moth", "Seven Oxen")),
    ]


def test_a_commander_deck_is_held_to_its_own(builder: Store) -> None:
    good = analyze(builder, "Commander\n1 Rare Moth\nDeck\n92 Field\n7 Seven Oxen\n")
    assert kept(good) == {"903.1a": (True, ()), "903.1b": (True, ()), "903.1c": (True, ())}
    bad = analyze(builder, "Commander\n1 Rare Moth\nDeck\n2 Rare Moth\n1 Swarm Rat\n")
    assert kept(bad) == {
        "903.1a": (False, ()),
        "903.1b": (False, ("Rare Moth",)),
        "903.1c": (False, ("Swarm Rat",)),
    }


def test_formats_tell_which_cards_break_them(builder: Store) -> None:
    report = analyze(builder, "4 Swarm Rat\n1 Seven Oxen\n2 Rare Moth\n")
    assert report.formats is not None
    legacy, modern = report.formats
    assert (legacy.name, legacy.legal, legacy.restricted) == ("legacy", False, ("Rare Moth",))
    assert (modern.banned, modern.not_legal) == (("Seven Oxen",), ("Rare Moth",))
    alone = analyze(builder, "4 Swarm Rat\nMaybeboard\n9 Rare Moth\n")
    assert alone.formats is not None
    assert [(each.name, each.legal) for each in alone.formats] == [("legacy", True), ("modern", True)]


def test_numbers_are_told_only_for_the_release_that_they_are_of(small_store: Path) -> None:
    """The outline has no words: its numbers were read in the text of its release."""
    with open_store(small_store) as opened:
        deck = read_deck("60 Salt Road\n")
        assert [check.rule for check in checks(opened, deck, analyze(opened, deck).cards)] == [
            "100.2a",
            "100.2a",
        ]
        opened.info = msgspec.structs.replace(opened.info, release="2031-02-03")
        assert checks(opened, deck, ()) == ()


@pytest.mark.real
def test_the_numbers_are_those_of_the_official_text(real_data: Path) -> None:
    from cardlaw.graph.decks.building import _table
    from cardlaw.graph.sources import rulebook

    table = _table()
    book = rulebook.read(real_data / "rules" / f"{table['release']}.txt")
    for name, said in table.items():
        if isinstance(said, dict):
            assert book.rules[said["section"]].title == said["heading"], name
            found = [
                number
                for number, rule in book.rules.items()
                if number.startswith(f"{said['section']}.")
                and all(word in (rule.text or "") for word in said["words"])
            ]
            assert found == [said["number"]], name


def test_cards_of_a_deck_are_colored_as_they_are(small_store: Path) -> None:
    listed = "Brindle Falconer\nHush/Clamor\nVane Turner\nSalt Road\nGorge Path\nThe Warden of Hours\n"
    with open_store(small_store) as opened:
        report = analyze(opened, listed)
    found = {card.name: (card.mana_value, card.colors, card.is_land) for card in report.cards}
    assert found == {
        "Brindle Falconer": (3.0, ("W", "U", "G"), False),
        "Hush // Clamor": (None, None, False),  # the source has one half
        "Vane Turner // Vane, Unturned": (3.0, ("R",), False),
        "Salt Road": (0.0, (), True),
        "Gorge Path // Ridge Path": (0.0, (), True),
        "The Warden of Hours": (3.0, ("W",), False),
    }
    assert report.curve.pips == {"W": 2, "U": 2, "R": 1, "G": 1, "S": 1}
