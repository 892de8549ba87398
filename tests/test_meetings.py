"""How cards meet: kinds of meetings as data, the words of both sides, and pairs that every judge knows."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PROJECT

from cardlaw.graph.build import build
from cardlaw.graph.errors import UnknownNodeError
from cardlaw.graph.linking.anchors import resolve
from cardlaw.graph.meetingkinds import About, SideKind, Types, fits, kinds, words_of
from cardlaw.graph.meetings import meetings, meetings_of
from cardlaw.graph.naming import slug
from cardlaw.graph.sources import rulebook
from cardlaw.graph.store import Store, open_store

CARDS = (  # name, types, text
    ("Marsh Tyrant", "Creature — Goblin", "All creatures have base power and toughness 0/2."),
    ("Loam Waker", "Enchantment", "Enchanted land is a 4/4 creature. It's still a land."),
    ("Twig Shaper", "Sorcery", "Target creature has base power and toughness 5/5 until end of turn."),
    ("Mossback", "Land", "{2}: Mossback becomes a 3/3 Elemental creature until end of turn."),
    ("Brookland", "Land", "{1}: This land becomes a 2/2 Beast creature until end of turn."),
    ("Quill Thief", "Artifact", "If an opponent would draw a card, instead you draw a card."),
    ("Quill Giver", "Artifact", "If you would draw a card, draw two cards instead."),
    ("Ash Widow", "Creature — Spider", "When this creature dies, draw a card."),
    ("Ember Choir", "Enchantment", "Whenever another Goblin you control dies, you gain 1 life."),
    ("Red Kiln", "Artifact", "{1}, Sacrifice a creature: Draw a card."),
    ("Pit Boss", "Creature — Human", "Sacrifice a Goblin: Scry 1."),
    ("Tin Press", "Artifact", "{T}, Sacrifice an artifact: Draw a card."),
    ("Self Burner", "Creature — Elemental", "Sacrifice this creature: Draw a card."),
    ("Pale Gate", "Enchantment", "If a creature would die, exile it instead."),
    ("Owl Bell", "Artifact", "Noncreature spells cost {1} more to cast."),
    ("Moth Bell", "Artifact", "Creature spells you cast cost {1} less to cast."),
    ("Wasp Bell", "Artifact", "Instant and sorcery spells you cast cost {1} less to cast."),
)
KNOWN = Types(
    {
        "creature": frozenset(),
        "artifact": frozenset(),
        "land": frozenset(),
        "goblin": frozenset({"creature"}),
        "elf": frozenset({"creature"}),
    }
)


def _write(folder: Path, records: list[dict[str, object]]) -> Path:
    path = folder / "cards.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph of the cards above, by the rulebook's outline."""
    folder = tmp_path_factory.mktemp("meetings")
    records: list[dict[str, object]] = [
        {"name": name, "type": types, "text": text, "layout": "normal", "colorIdentity": []}
        for name, types, text in CARDS
    ]
    build(cards=[_write(folder, records)], store=folder / "store", workers=1)
    with open_store(folder / "store") as opened:
        yield opened


def met(store: Store, *names: str) -> set[str]:
    """The kinds of meetings between cards."""
    return {each.kind for each in meetings(store, [slug(name) for name in names])}


# -- the data ------------------------------------------------------------------------------------------


def test_kinds_are_told_apart_and_defined() -> None:
    assert len(kinds()) > 40
    assert len({kind.id for kind in kinds()}) == len(kinds())
    for kind in kinds():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.id)
        assert kind.definition.endswith(".")
        assert all(side.cites or side.any for side in kind.sides)
        assert all(side.words or not side.part for side in kind.sides), "a part is where words are looked for"


def test_patterns_compile_and_tell_what_they_are_about_by_one_name() -> None:
    for kind in kinds():
        for side in kind.sides:
            for pattern in filter(None, (side.words, side.unless)):
                groups = re.compile(pattern.replace("<self>", "(?:~)")).groupindex
                assert all(name.startswith("what") for name in groups), kind.id


def test_both_sides_have_cards_in_a_graph_with_all_of_them(store: Store) -> None:
    """Every entry that a side cites is one of the catalogue, or a keyword of the rulebook."""
    from cardlaw.graph.facts import Reader
    from cardlaw.graph.names import find
    from cardlaw.ontology.namespaces import PREFIXES

    for kind in kinds():
        for side in kind.sides:
            for item in (*side.cites, *side.any):
                relation, _, keyword = item.partition(" ")
                if keyword:
                    assert relation in ("has_keyword", "grants_keyword", "mentions_keyword"), item
                    assert find(store, f"keyword:{keyword}").matches, item
                else:
                    assert Reader(store).facts(f"{PREFIXES['entry']}{item}"), item


@pytest.mark.real
@pytest.mark.parametrize("release", ["2026-01-16", "2025-02-07"])
def test_the_rules_that_govern_are_found_by_their_words(real_data: Path, release: str) -> None:
    book = rulebook.read(real_data / "rules" / f"{release}.txt")
    found = resolve(book, [kind.rule for kind in kinds()])
    assert not [each for each in found.fallbacks if "found by its words" not in each.reason]


# -- words ---------------------------------------------------------------------------------------------


def about(words: str, text: str, types: frozenset[str] = frozenset({"creature", "elf"})) -> About | None:
    found = words_of(SideKind(words=words), text, None, ("Fen Walker", "Creature — Elf"), types, KNOWN)
    return found and found.about


def test_words_are_found_where_they_stand() -> None:
    side = SideKind(words="sacrifice two (?P<what>[A-Z]?[a-z]+)", part="cost")
    text = "{1}, Sacrifice two Goblins: Sacrifice two lands."
    found = words_of(side, text, (0, 26), ("X", "Artifact"), frozenset(), KNOWN)
    assert found is not None
    assert (text[slice(*found.span)], found.about) == (
        "Sacrifice two Goblins",
        About(False, frozenset({"goblin"})),
    )
    assert words_of(side, text, None, ("X", "Artifact"), frozenset(), KNOWN) is None, "it has no cost"


def test_reminder_text_and_quoted_abilities_have_no_words() -> None:
    side = SideKind(words="draw")
    for text in ("Flying (You draw.)", 'It has "Draw a card."'):
        assert words_of(side, text, None, ("X", "Artifact"), frozenset(), KNOWN) is None
    assert words_of(SideKind(words="it", unless="has"), "It has", None, ("X", ""), frozenset(), KNOWN) is None


def test_the_object_itself_goes_by_its_name_and_by_its_kind() -> None:
    own = About(True, frozenset({"creature", "elf"}))
    assert about("(?P<what><self>) dies", "When Fen Walker dies, draw a card.") == own
    assert about("(?P<what><self>) dies", "When this creature dies, draw a card.") == own
    assert about("(?P<what><self>) dies", "When that creature dies, draw a card.") is None


def test_what_words_are_about_is_of_types_and_not_of_others() -> None:
    types = "(?P<what>.*) (?:dies|cost)"
    assert about(types, "artifacts or Elves dies") == About(False, frozenset({"artifact", "elf"}))
    assert about(types, "noncreature artifact dies") == About(
        False, frozenset({"artifact"}), frozenset({"creature"})
    )
    assert about(types, "nonland permanent dies") == About(
        False, frozenset({"permanent"}), frozenset({"land"})
    )


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ((False, "creature"), (False, "goblin"), True),
        ((False, "goblin"), (False, "elf"), False),
        ((False, "artifact"), (False, "creature"), False),
        ((False, "permanent"), (False, "land"), True),
        ((True, "creature goblin"), (False, "goblin"), True),
        ((True, "creature elf"), (False, "goblin"), False),
        ((True, "creature elf"), (False, "permanent"), True),
        ((True, "creature elf"), (True, "creature elf"), False),
    ],
)
def test_what_two_sides_are_about_fits(one: tuple[bool, str], other: tuple[bool, str], meet: bool) -> None:
    first, second = (About(is_object, frozenset(types.split())) for is_object, types in (one, other))
    assert fits(first, second, KNOWN) == fits(second, first, KNOWN) == meet
    assert fits(None, first, KNOWN)


def test_what_becomes_a_creature_is_met_by_what_is_about_creatures() -> None:
    creatures = About(False, frozenset({"creature"}))
    land = About(False, frozenset({"land"}), becomes=frozenset({"creature"}))
    itself = About(True, frozenset({"land"}), becomes=frozenset({"creature"}))
    elf = About(True, frozenset({"creature", "elf"}), becomes=frozenset({"creature"}))
    artifact = About(False, frozenset({"artifact"}), becomes=frozenset({"creature"}))
    assert all(fits(each, creatures, KNOWN) and fits(creatures, each, KNOWN) for each in (land, itself, elf))
    assert fits(land, itself, KNOWN)
    assert not any(
        fits(*pair, KNOWN) for pair in ((land, artifact), (land, elf), (elf, land), (itself, artifact))
    )


def test_what_is_without_a_type_is_not_of_it() -> None:
    noncreature = About(False, frozenset({"spell"}), frozenset({"creature"}))
    assert not fits(noncreature, About(False, frozenset({"creature"})), KNOWN)
    assert not fits(About(True, frozenset({"creature", "elf"})), noncreature, KNOWN)
    assert fits(noncreature, About(False, frozenset({"artifact"})), KNOWN)


# -- invented cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Marsh Tyrant", "Twig Shaper", "layer-base-power-toughness"),
        ("Marsh Tyrant", "Mossback", "layer-base-power-toughness"),
        ("Loam Waker", "Mossback", "layer-base-power-toughness"),
        ("Quill Thief", "Quill Giver", "replace-draw"),
        ("Ash Widow", "Red Kiln", "dies-and-sacrifice"),
        ("Ember Choir", "Red Kiln", "dies-and-sacrifice"),
        ("Ember Choir", "Pit Boss", "dies-and-sacrifice"),
        ("Pale Gate", "Ash Widow", "death-replaced"),
        ("Pale Gate", "Ember Choir", "death-replaced"),
        ("Owl Bell", "Wasp Bell", "cost-up-and-down"),
    ],
)
def test_cards_meet(store: Store, one: str, other: str, kind: str) -> None:
    assert met(store, one, other) == {kind}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mossback", "Brookland"),  # each sets its own
        ("Ash Widow", "Pit Boss"),  # a Spider is no Goblin
        ("Ash Widow", "Tin Press"),
        ("Ash Widow", "Self Burner"),
        ("Owl Bell", "Moth Bell"),  # no spell is a noncreature creature
        ("Quill Giver", "Red Kiln"),
        ("Red Kiln", "Pit Boss"),
    ],
)
def test_cards_do_not_meet(store: Store, one: str, other: str) -> None:
    assert met(store, one, other) == set()


def test_a_meeting_is_a_path_with_the_words_of_both(store: Store) -> None:
    (found,) = meetings(store, ["ash-widow", "red-kiln"])
    assert found.rule == "603.6c"
    assert (found.first.slug, found.first.ability, found.first.rule) == ("ash-widow", "1.1", "603.6c")
    assert (found.second.slug, found.second.ability, found.second.rule) == ("red-kiln", "1.1", "701.21")
    for side in (found.first, found.second):
        text = next(text for name, _, text in CARDS if name == side.name)
        assert text[side.start : side.end] == side.quote
    assert found.first.quote == "When this creature dies"


def test_the_rarest_come_first_and_each_pair_once_of_a_kind(store: Store) -> None:
    found = meetings(store, [slug(name) for name, _, _ in CARDS])
    assert [each.weight for each in found] == sorted((each.weight for each in found), reverse=True)
    pairs = Counter((each.kind, *sorted((each.first.slug, each.second.slug))) for each in found)
    assert set(pairs.values()) == {1}
    assert meetings(store, [slug(name) for name, _, _ in reversed(CARDS)]) == found
    assert meetings(store, [slug(name) for name, _, _ in CARDS], limit=3) == found[:3]


def test_what_a_card_meets_begins_with_the_card(store: Store) -> None:
    found = meetings_of(store, "red-kiln")
    assert {each.first.slug for each in found} == {"red-kiln"}
    assert {each.second.slug for each in found} == {"ash-widow", "ember-choir"}
    assert len(meetings_of(store, "red-kiln", limit=1)) == 1


def test_an_unknown_card_is_told(store: Store) -> None:
    with pytest.raises(UnknownNodeError, match="card:nope is not in the graph"):
        meetings(store, ["red-kiln", "nope"])
    with pytest.raises(UnknownNodeError):
        meetings_of(store, "nope")


# -- pairs that every judge knows ----------------------------------------------------------------------

JUDGED = [
    ("Humility", "Opalescence", {"layer-base-power-toughness"}),
    ("Humility", "Mutavault", {"layer-base-power-toughness"}),
    ("Humility", "Levitation", {"layer-abilities"}),
    ("Blood Moon", "Urborg, Tomb of Yawgmoth", {"layer-land-types", "layer-types"}),
    ("Control Magic", "Act of Treason", {"layer-control"}),
    ("Clone", "Evil Twin", {"copy-of-copy"}),
    ("Clone", "Kokusho, the Evening Star", {"legend-rule"}),
    ("Abundance", "Notion Thief", {"replace-draw"}),
    ("Doubling Season", "Parallel Lives", {"replace-tokens"}),
    ("Doubling Season", "Hardened Scales", {"replace-counters"}),
    ("Rest in Peace", "Leyline of the Void", {"replace-death"}),
    ("Rest in Peace", "Kokusho, the Evening Star", {"death-replaced"}),
    ("Rhox Faithmender", "Tainted Remedy", {"replace-life-gain"}),
    ("Furnace of Rath", "Gratuitous Violence", {"replace-damage"}),
    ("Skullcrack", "Fog", {"unpreventable"}),
    ("Kokusho, the Evening Star", "Viscera Seer", {"dies-and-sacrifice"}),
    ("Blood Artist", "Ashnod's Altar", {"dies-and-sacrifice"}),
    ("Panharmonicon", "Mulldrifter", {"enters-twice"}),
    ("Teysa Karlov", "Blood Artist", {"dies-twice"}),
    ("Isshin, Two Heavens as One", "Goblin Guide", {"attacks-twice"}),
    ("Torpor Orb", "Mulldrifter", {"enters-silenced"}),
    ("Ephemerate", "Mulldrifter", {"blink"}),
    ("Basilisk Collar", "Prodigal Sorcerer", {"deathtouch-and-pinger"}),
    ("Faithless Looting", "Basking Rootwalla", {"madness"}),
    ("Leonin Arbiter", "Rampant Growth", {"search-denied"}),
    ("Platinum Angel", "Door to Nothingness", {"loss-denied"}),
    ("Supreme Verdict", "Counterspell", {"cant-be-countered"}),
    ("Drannith Magistrate", "Faithless Looting", {"casting-denied"}),
    ("Sigarda, Host of Herons", "Diabolic Edict", {"sacrifice-denied"}),
    ("Thalia, Guardian of Thraben", "Goblin Electromancer", {"cost-up-and-down"}),
    ("Stranglehold", "Time Walk", {"extra-turn-denied"}),
    ("Exploration", "Azusa, Lost but Seeking", {"additional-lands"}),
    ("Unpredictable Cyclone", "Astral Drift", {"cycling-trigger"}),
    ("Krark's Thumb", "Mana Clash", {"coin-flips"}),
    # and some that do not meet
    ("Lightning Bolt", "Grizzly Bears", set()),
    ("Mutavault", "Faceless Haven", set()),
    ("Panharmonicon", "Blood Artist", set()),
    ("Panharmonicon", "Courser of Kruphix", set()),
    ("Skirk Prospector", "Kokusho, the Evening Star", set()),
    ("Blood Artist", "Krark-Clan Ironworks", set()),
    ("Thalia, Guardian of Thraben", "Goblin Warchief", set()),
    ("Evil Twin", "Counterspell", set()),
    ("Humility", "Notion Thief", set()),
]


@pytest.fixture(scope="module")
def judged(corpus_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph of the real cards that are named above."""
    names = {name for pair in JUDGED for name in pair[:2]}
    records = [each for each in json.loads(corpus_path.read_bytes()) if each["name"] in names]
    assert {each["name"] for each in records} == names
    folder = tmp_path_factory.mktemp("judged")
    build(cards=[_write(folder, records)], store=folder / "store", workers=1)
    with open_store(folder / "store") as opened:
        yield opened


@pytest.mark.real
@pytest.mark.parametrize(("one", "other", "expected"), JUDGED)
def test_pairs_that_every_judge_knows(judged: Store, one: str, other: str, expected: set[str]) -> None:
    assert met(judged, one, other) == expected


# -- the sheet -----------------------------------------------------------------------------------------


def test_nine_of_ten_pairs_of_each_kind_that_were_read_are_true() -> None:
    with (PROJECT / "tests" / "review" / "meetings" / "pairs.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {row["kind"] for row in rows} <= {kind.id for kind in kinds()}
    read = Counter(row["kind"] for row in rows)
    wrong = Counter(row["kind"] for row in rows if row["verdict"] == "wrong")
    assert all(
        row["verdict"] in ("right", "wrong") and bool(row["note"]) == (row["verdict"] == "wrong")
        for row in rows
    )
    assert all(wrong[kind] <= read[kind] / 10 for kind in read)
    assert sum(count == 10 for count in read.values()) > 40
