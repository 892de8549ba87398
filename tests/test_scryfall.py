"""Scryfall's bulk data: each layout, printings that are one card, forms of the file, and what is no card."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Card, Printing, Related
from cardlaw.graph.naming import TOKEN_LAYOUTS
from cardlaw.graph.sources import scryfall
from cardlaw.graph.sources.cards import data_date, format_of, read_cards

FIXTURE = Path(__file__).parent / "fixtures" / "scryfall.json"
OBJECTS: list[dict[str, Any]] = json.loads(FIXTURE.read_bytes())


@pytest.fixture(scope="module")
def cards() -> dict[str, Card]:
    return {card.slug: card for card in scryfall.read(FIXTURE)}


def write(path: Path, *objects: object) -> Path:
    path.write_text(json.dumps(objects), encoding="utf-8")
    return path


def changed(**fields: Any) -> dict[str, Any]:
    """A good object with other fields; None leaves one out."""
    return {key: value for key, value in {**OBJECTS[-1], **fields}.items() if value is not None}


def test_counts() -> None:
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    read = list(scryfall.read(FIXTURE, skipped=skipped, counts=counts))
    assert counts == {"records": 34, "printings": 34, "cards": 32}
    assert not skipped
    assert [card.slug for card in read] == sorted({card.slug for card in read})


# slug: layout, and of each face its name, mana value, colors and power
LAYOUTS: dict[str, tuple[str, list[tuple[str, float | None, str | None, str | None]]]] = {
    "hush-clamor": ("split", [("Hush", 2, None, None), ("Clamor", 5, None, None)]),
    "plant-reap": ("aftermath", [("Plant", 1, None, None), ("Reap", 2, None, None)]),
    "meek-apprentice-tomasz-the-bold": (
        "flip",
        [("Meek Apprentice", 2, "R", "1"), ("Tomasz the Bold", 2, "R", "3")],  # CR 710.1c
    ),
    "vane-turner-vane-unturned": (
        "transform",
        [("Vane Turner", 3, "R", "2"), ("Vane, Unturned", 3, "R", "4")],  # CR 202.3b
    ),
    "gorge-path-ridge-path": ("modal_dfc", [("Gorge Path", 2, "G", "2"), ("Ridge Path", 0, "", None)]),
    "lantern-warden-light-the-way": (
        "adventure",
        [("Lantern Warden", 3, None, "2"), ("Light the Way", 1, None, None)],
    ),
    "ember-drake-cinder-sign": ("omen", [("Ember Drake", 5, None, "4"), ("Cinder Sign", 1, None, None)]),
    "quiet-scholar-loud-answer": (
        "prepare",
        [("Quiet Scholar", 2, None, "1"), ("Loud Answer", 3, None, None)],
    ),
    "left-half-of-orm": ("meld", [("Left Half of Orm", 5, "B", "4")]),
    "orm-made-whole": ("meld", [("Orm, Made Whole", 7, "B", "9")]),  # CR 202.3c, as the source has it
    "the-brass-chronicle": ("saga", [("The Brass Chronicle", 3, "W", None)]),
    "cooks-calling": ("class", [("Cook's Calling", 1, "R", None)]),
    "the-missing-spoon": ("case", [("The Missing Spoon", 2, "U", None)]),
    "hill-climber": ("leveler", [("Hill Climber", 1, "G", "1")]),
    "folded-engine": ("prototype", [("Folded Engine", 7, "", "7")]),
    "shifting-otter": ("mutate", [("Shifting Otter", 4, "U", "3")]),
    "siege-of-nowhere-nowheres-keeper": (
        "battle",
        [("Siege of Nowhere", 4, "B", None), ("Nowhere's Keeper", 4, "B", "5")],
    ),
    "salt-road": ("normal", [("Salt Road", 0, "", None)]),  # a reversible card
    "shallow-sky": ("planar", [("Shallow Sky", 0, "", None)]),
    "sudden-thaw": ("phenomenon", [("Sudden Thaw", 0, "", None)]),
    "a-plan-with-flaws": ("scheme", [("A Plan With Flaws", 0, "", None)]),
    "tomasz-avatar": ("vanguard", [("Tomasz Avatar", 0, "", None)]),
    "polite-badger": ("host", [("Polite Badger", 2, "B", "2")]),
    "half-badger-half": ("augment", [("Half-Badger, Half-", 0, "B", "+1")]),
    "00001019-0000-4000-8000-000000001019": ("token", [("Falcon", 0, "W", "1")]),
    "0000101b-0000-4000-8000-00000000101b": ("token", [("Falcon", 0, "U", "2")]),
    "0000101c-0000-4000-8000-00000000101c": ("emblem", [("Tomasz Emblem", 0, "", None)]),
    "0000101d-0000-4000-8000-00000000101d": (
        "double_faced_token",
        [("Falcon", 0, "W", "1"), ("Badger", 0, "B", "2")],
    ),
    "0000101e-0000-4000-8000-00000000101e": (
        "art_series",
        [("Salt Road", 0, "", None), ("Salt Road", 0, "", None)],
    ),
}


@pytest.mark.parametrize("slug", LAYOUTS)
def test_each_layout_has_all_its_faces(cards: dict[str, Card], slug: str) -> None:
    card = cards[slug]
    assert (card.layout, [(f.name, f.mana_value, colors(f.colors), f.power) for f in card.faces]) == LAYOUTS[
        slug
    ]
    assert [face.number for face in card.faces] == list(range(1, len(card.faces) + 1))
    assert all(face.type_line for face in card.faces)
    assert (card.slug == card.oracle_id) == (card.layout in TOKEN_LAYOUTS)


def colors(found: tuple[str, ...] | None) -> str | None:
    return None if found is None else "".join(found)


def test_fields_are_there_only_as_the_source_has_them(cards: dict[str, Card]) -> None:
    assert cards["siege-of-nowhere-nowheres-keeper"].faces[0].defense == "5"
    assert cards["nessa-tide-reader"].faces[0].loyalty == "3"
    assert (cards["nessa-tide-reader"].faces[0].oracle_text or "").startswith("+1:")
    assert cards["vane-turner-vane-unturned"].faces[1].toughness == "*"
    assert cards["vane-turner-vane-unturned"].faces[1].mana_cost is None
    vanilla = cards["plain-badger"]
    assert (vanilla.faces[0].oracle_text, vanilla.faces[0].loyalty, vanilla.legalities) == (None, None, {})
    assert (vanilla.prices, vanilla.prices_date, vanilla.origins) == ({}, None, {})


def test_printings_of_one_oracle_id_are_one_card(cards: dict[str, Card]) -> None:
    card = cards["brindle-falconer"]
    assert card.printings[0] == Printing(
        id="00000065-0000-4000-8000-000000000065",
        set_code="old",
        number="7★",
        set_name="Older Invention",
        rarity="rare",
        released="2029-01-31",
        finishes=("nonfoil",),
    )
    assert [(p.set_code, p.language, dict(p.prices)) for p in card.printings[1:]] == [
        ("inv", "en", {"usd": "0.21", "eur": "0.10"}),
        ("inv", "de", {"usd": "99.00"}),
    ]


def test_the_newest_english_printing_gives_the_facts(cards: dict[str, Card]) -> None:
    card = cards["brindle-falconer"]
    assert card.keywords == ("Flying", "Scry", "Vigilance")
    assert (card.faces[0].oracle_text or "").endswith("scry 1.")
    assert card.prices == {"usd": "0.21", "eur": "0.10"}


def test_one_printing_that_may_be_played_is_enough(tmp_path: Path) -> None:
    new = changed(legalities={"modern": "not_legal", "vintage": "banned"})
    old = changed(
        id="00000077-0000-4000-8000-000000000077",
        released_at="2020-01-01",
        legalities={"modern": "legal", "vintage": "legal", "gone": "legal"},
    )
    for objects in ((new, old), (old, new)):
        (card,) = scryfall.read(write(tmp_path / "cards.json", *objects))
        assert card.legalities == {"modern": "legal", "vintage": "banned"}


def test_related_cards_are_others(cards: dict[str, Card]) -> None:
    falcon = Related(name="Falcon", component="token", id="00000019-0000-4000-8000-000000000019")
    assert cards["brindle-falconer"].related == (falcon,)
    assert [part.component for part in cards["left-half-of-orm"].related] == ["meld_result"]


def test_before_2021_finishes_are_told_by_two_fields(tmp_path: Path) -> None:
    (card,) = scryfall.read(write(tmp_path / "c.json", changed(finishes=None, foil=True, nonfoil=False)))
    assert card.printings[0].finishes == ("foil",)


def test_a_reversible_card_is_one_with_its_other_printings(tmp_path: Path) -> None:
    sides = next(r for r in OBJECTS if r["layout"] == "reversible_card")
    plain = changed(name="Salt Road", type_line="Land", oracle_id=sides["card_faces"][0]["oracle_id"])
    plain |= {"released_at": "1999-01-01", "mana_cost": "", "power": "7"}
    (card,) = scryfall.read(write(tmp_path / "c.json", sides, plain))
    assert (card.name, card.slug, len(card.faces), len(card.printings)) == ("Salt Road", "salt-road", 1, 2)
    assert card.faces[0].power == "7"  # the plain printing, though it is older


FORMS = {
    "one line": json.dumps(OBJECTS).encode(),
    "one object a line": FIXTURE.read_bytes(),
    "JSON Lines": "\n".join(json.dumps(r) for r in OBJECTS).encode(),
    "JSON Lines of Windows": b"\xef\xbb\xbf"
    + "\r\n".join(json.dumps(r) for r in [*OBJECTS, {}]).encode()[:-2],
    "indented": json.dumps(OBJECTS, indent=4).encode("utf-8"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packed", [False, True])
def test_the_form_of_the_file_is_told_by_its_content(tmp_path: Path, form: str, packed: bool) -> None:
    path = tmp_path / "a name that tells nothing.txt"
    path.write_bytes(gzip.compress(FORMS[form]) if packed else FORMS[form])
    assert format_of(path) == "scryfall"
    assert list(read_cards(path)) == list(scryfall.read(FIXTURE))


def test_the_date_of_the_prices_is_that_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "default-cards-20310613210911.json", *OBJECTS)
    dates = {card.name: card.prices_date for card in scryfall.read(path)}
    assert (dates["Nessa, Tide Reader"], dates["Plain Badger"]) == ("2031-06-13", None)
    assert data_date(path) == "2031-06-13"
    assert data_date(FIXTURE) is None
    assert scryfall.prices_date(Path("cards-20319913210911.json")) is None
    assert (
        scryfall.prices_date(Path("oracle-cards-2031-06-13-0123abcd.jsonl.gz")) == "2031-06-13"
    )  # the cache
    assert scryfall.prices_date(Path("oracle-cards-2019-10.json.gz")) is None


@pytest.mark.parametrize(
    ("bad", "what", "reason"),
    [
        (5, "record 1", "Expected `object`"),
        ({"object": "ruling"}, "record 1", "missing required field `name`"),
        (changed(object="set"), "Plain Badger", "is a 'set', not a card"),
        (changed(name=" "), "record 1", "matching regex"),
        (changed(oracle_id=None), "Plain Badger", "has no oracle id"),
        (changed(oracle_id="../x"), "Plain Badger", "matching regex"),
        (changed(id="00000020-0000-4000-8000-000000000020\n"), "Plain Badger", "matching regex"),
        (changed(set="a/b"), "Plain Badger", "matching regex"),
        (changed(released_at="2031-02-30"), "Plain Badger", "Invalid RFC3339"),
        (changed(cmc=-1, mana_cost=None), "Plain Badger", ">= 0.0"),
        (changed(type_line=""), "Plain Badger", "has no type line"),
        (changed(oracle_text="\ud800"), "Plain Badger", "surrogate"),
        (changed(prices={"us d": "1"}), "Plain Badger", "matching regex"),
        (changed(name="?!"), "?!", "has no letters"),
        (
            changed(oracle_id=None, card_faces=[{"name": "A", "type_line": "Land"}]),
            "Plain Badger",
            "has no oracle id",
        ),
        (
            changed(
                oracle_id=None, card_faces=[{"name": "A", "oracle_id": o["oracle_id"]} for o in OBJECTS[2:4]]
            ),
            "Plain Badger",
            "two different cards",
        ),
    ],
)
def test_bad_records_are_skipped_and_named(tmp_path: Path, bad: object, what: str, reason: str) -> None:
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    path = write(tmp_path / "cards.json", bad, OBJECTS[0])
    (card,) = scryfall.read(path, skipped=skipped, counts=counts)
    assert card.name == "Brindle Falconer"
    assert [name for name, _ in skipped] == [what]
    assert reason in skipped[0][1]
    assert (counts["records"], counts["skipped"], counts["cards"]) == (2, 1, 1)


def test_a_bad_line_of_json_lines_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "cards.jsonl"
    good = json.dumps(OBJECTS[0])
    path.write_text(f'{good}\n{{"object": \n\n{good.replace("inv", "abc")}\n', encoding="utf-8")
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    assert len(list(read_cards(path, skipped=skipped, counts=counts))) == 1
    assert [what for what, _ in skipped] == ["line 2"]
    assert counts["duplicates merged"] == 1  # one id twice


def test_which_of_two_cards_keeps_a_slug_does_not_depend_on_the_order(tmp_path: Path) -> None:
    one = changed()
    other = changed(
        id="00000001-0000-4000-8000-000000000077", oracle_id="00000000-0000-4000-8000-000000000001", power="9"
    )
    for objects in ((one, other), (other, one)):
        skipped: list[tuple[str, str]] = []
        (card,) = scryfall.read(write(tmp_path / "cards.json", *objects), skipped=skipped)
        assert card.faces[0].power == "9"
        assert skipped[0][0] == "Plain Badger"
        assert one["oracle_id"] in skipped[0][1]


GOOD = json.dumps(OBJECTS[0]).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"[]", "holds no cards"),
        (b"[5]", "holds no cards"),
        (b"<!DOCTYPE html><html>", "is a web page, not JSON"),
        (b"cards", "begins with 'c'"),
        (b"[" + GOOD + b",", "ends early at element 2"),
        (b"[" + GOOD[:80], "ends early at element 1"),
        (GOOD[:80], "line 1 ends early"),
        (b"[" + GOOD + b"]]", "goes on after the end"),
        (gzip.compress(b"[" + GOOD + b"]", mtime=0)[:-30], "gzip file ends early"),
        (gzip.compress(b"[" + GOOD + b"]", mtime=0)[:-8] + b"12345678", "gzip file is damaged"),
        (b"\x1f\x8b\x08\x00rubbish and more", "gzip file"),
        (json.dumps([OBJECTS[0]]).encode("utf-16"), "is not UTF-8"),
        (b'[{"name": "\xe9"}]', "is not UTF-8"),
        (b'[{"object": "ruling"}]', "holds rulings, not cards"),
        (b'{"object": "list", "data": []}', "is a list of Scryfall's API"),
        (b'[{"object": "card", "name": "Nix"}]', "no cards in it could be read; Nix: Object missing"),
        (b"[" + b"[" * 100_000, "recursion"),
    ],
)
def test_a_file_that_holds_no_cards_is_an_error_in_one_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "cards"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        list(read_cards(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="check the path"):
        read_cards(tmp_path / "none")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = sorted({key for record in OBJECTS for key in record})
EASY = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@EASY
@given(st.sampled_from(OBJECTS), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3))
def test_any_change_of_a_record_gives_a_card_or_a_reason(
    tmp_path: Path, record: dict[str, Any], change: dict[str, object]
) -> None:
    skipped: list[tuple[str, str]] = []
    path = write(tmp_path / "cards.json", {**record, **change}, OBJECTS[-1])
    read = list(scryfall.read(path, skipped=skipped))
    assert len(read) + len(skipped) in (1, 2)
    for card in read:
        assert card.name.strip()
        assert all(face.mana_value is None or face.mana_value < 1e10 for face in card.faces)


@EASY
@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_no_cards(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cards"
    path.write_bytes(content)
    with pytest.raises(SourceError):
        list(read_cards(path))


@EASY
@given(st.integers(1, len(FORMS["one line"]) - 1), st.booleans())
def test_a_file_that_was_cut_off_is_an_error(tmp_path: Path, length: int, packed: bool) -> None:
    path = tmp_path / "cards"
    whole = gzip.compress(FORMS["one line"]) if packed else FORMS["one line"]
    path.write_bytes(whole[: length % len(whole)])
    with pytest.raises(SourceError):
        list(read_cards(path))


@EASY
@given(st.permutations(OBJECTS))
def test_the_order_of_the_file_changes_nothing(tmp_path: Path, objects: list[dict[str, Any]]) -> None:
    assert list(scryfall.read(write(tmp_path / "cards.json", *objects))) == list(scryfall.read(FIXTURE))


# Read by eye, from 2019: layout, and of each face its name, cost, mana value, colors, power/toughness.
BY_EYE: dict[str, tuple[str, list[tuple[str, str | None, float, str | None, str | None]]]] = {
    "ach-hans-run": ("normal", [('"Ach! Hans, Run!"', "{2}{R}{R}{G}{G}", 6, "GR", None)]),
    "aberrant-researcher-perfected-form": (
        "transform",
        [("Aberrant Researcher", "{3}{U}", 4, "U", "3/2"), ("Perfected Form", None, 4, "U", "5/4")],
    ),
    "adorable-kitten": ("host", [("Adorable Kitten", "{W}", 1, "W", "1/1")]),
    "akki-lavarunner-tok-tok-volcano-born": (
        "flip",
        [("Akki Lavarunner", "{3}{R}", 4, "R", "1/1"), ("Tok-Tok, Volcano Born", None, 4, "R", "2/2")],
    ),
    "akroma-angel-of-wrath-avatar": ("vanguard", [("Akroma, Angel of Wrath Avatar", None, 0, "", None)]),
    "alive-well": ("split", [("Alive", "{3}{G}", 4, None, None), ("Well", "{W}", 1, None, None)]),
    "01fbdd79-5c23-43d5-8e95-492f8e994956": (
        "double_faced_token",
        [("Angel", None, 0, "W", "4/4"), ("Demon", None, 0, "B", "5/5")],
    ),
    "animating-faerie-bring-to-life": (
        "adventure",
        [("Animating Faerie", "{2}{U}", 3, None, "2/2"), ("Bring to Life", "{2}{U}", 3, None, None)],
    ),
    "beastbreaker-of-bala-ged": ("leveler", [("Beastbreaker of Bala Ged", "{1}{G}", 2, "G", "2/2")]),
    "brisela-voice-of-nightmares": ("meld", [("Brisela, Voice of Nightmares", None, 11, "", "9/10")]),
    "celestine-reef": ("planar", [("Celestine Reef", None, 0, "", None)]),
    "chainers-torment": ("saga", [("Chainer's Torment", "{3}{B}", 4, "B", None)]),
    "drench-the-soil-in-their-blood": ("scheme", [("Drench The Soil In Their Blood", None, 0, "", None)]),
    "half-kitten-half": ("augment", [("Half-Kitten, Half-", None, 0, "W", "+1/+2")]),
    "ec502426-efc4-406d-a080-0debea880f55": ("emblem", [("Ob Nixilis Reignited Emblem", None, 0, "", None)]),
    "ca3cc7c1-ca4f-4d49-9b1b-2942f289862d": ("token", [("1997 World Championships Ad", None, 0, "", None)]),
}


@pytest.mark.real
def test_oracle_cards_of_2019(real_data: Path) -> None:
    skipped: list[tuple[str, str]] = []
    cards = {
        c.slug: c for c in read_cards(real_data / "scryfall/oracle-cards-2019-10.json.gz", skipped=skipped)
    }
    assert (len(cards), skipped) == (20_030, [])
    for slug, expected in BY_EYE.items():
        card = cards[slug]
        faces = [
            (
                f.name,
                f.mana_cost,
                f.mana_value,
                colors(f.colors),
                f"{f.power}/{f.toughness}" if f.power else None,
            )
            for f in card.faces
        ]
        assert (card.layout, faces) == expected
    assert Counter(card.layout for card in cards.values())["token"] == 134
    brisela = cards["brisela-voice-of-nightmares"]
    assert {part.name for part in brisela.related} == {"Bruna, the Fading Light", "Gisela, the Broken Blade"}
    assert [(p.name, p.component) for p in cards["alive-well"].related] == [("Centaur", "token")]
    assert cards["animating-faerie-bring-to-life"].prices == {"usd": "0.22", "eur": "0.07"}
    assert len(cards["who-what-when-where-why"].faces) == 5


@pytest.mark.real
def test_default_cards_are_read_in_little_memory(real_data: Path) -> None:
    path = real_data / "scryfall" / "default-cards-2019-10.json.gz"
    script = (
        "import resource, sys; from pathlib import Path; from cardlaw.graph.sources.cards import read_cards\n"
        "cards = list(read_cards(Path(sys.argv[1])))\n"
        "print(len(cards), sum(len(card.printings) for card in cards))\n"
        "status = Path('/proc/self/status')\n"  # ru_maxrss counts the process that started this one too
        "peak = [line.split()[1] for line in status.open() if 'VmHWM' in line] if status.exists() else []\n"
        "print(*peak or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    *numbers, peak = map(int, done.stdout.split())
    assert numbers == [20_030, 45_851]
    assert peak / (1024 if sys.platform != "darwin" else 1024**2) < 300  # MB; 80 were measured


@pytest.mark.real
def test_two_cards_of_2025_with_both_faces(real_data: Path) -> None:
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    path = real_data / "scryfall" / "cards-2025-sample.json.gz"
    cards = {card.slug: card for card in read_cards(path, skipped=skipped, counts=counts)}
    assert counts == {"records": 461, "printings": 461, "cards": 297}
    assert not skipped
    jace = cards["jace-vryns-prodigy-jace-telepath-unbound"]
    front, back = jace.faces
    assert (jace.layout, jace.oracle_id) == ("transform", "594f6881-c059-46f8-aa4e-7151d502de73")
    assert (front.mana_cost, front.mana_value, front.power, front.toughness) == ("{1}{U}", 2, "0", "2")
    assert (back.mana_cost, back.mana_value, back.loyalty, back.colors) == (None, 2, "5", ("U",))
    assert (back.oracle_text or "").startswith("+1:")
    assert jace.keywords == ("Transform", "Mill")
    printing = next(p for p in jace.printings if p.id == "02d6d693-f1f3-4317-bcc0-c21fa8490d38")
    assert (printing.set_code, printing.number, printing.rarity) == ("ori", "60", "mythic")
    assert (printing.released, printing.finishes) == ("2015-07-17", ("nonfoil", "foil"))
    assert (printing.prices["usd"], printing.prices["tix"]) == ("4.80", "0.41")
    alrund = cards["a-alrund-god-of-the-cosmos-a-hakka-whispering-raven"]
    front, back = alrund.faces
    assert (front.mana_cost, front.mana_value, front.power) == ("{3}{U}{U}", 5, "1")
    assert (back.mana_cost, back.mana_value, back.power) == ("{1}{U}", 2, "3")
    assert back.type_line == "Legendary Creature — Bird"
    zndrsplt = cards["zndrsplt-eye-of-wisdom"]
    assert (zndrsplt.name, zndrsplt.layout, len(zndrsplt.faces)) == ("Zndrsplt, Eye of Wisdom", "normal", 1)
    assert ("sld", "379") in {(p.set_code, p.number) for p in zndrsplt.printings}
