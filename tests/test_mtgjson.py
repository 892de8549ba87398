"""MTGJSON: faces by side, forms of the file, and what is none."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Card, Printing, Ruling
from cardlaw.graph.sources import mtgjson, scryfall
from cardlaw.graph.sources.cards import data_date, format_of, read_cards

FIXTURES = Path(__file__).parent / "fixtures"
ATOMIC = FIXTURES / "mtgjson-atomic.json"
SET = FIXTURES / "mtgjson-set.json"
FALCONER = "00001001-0000-4000-8000-000000001001"
EASY = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def cards() -> dict[str, Card]:
    return {card.slug: card for card in mtgjson.read(ATOMIC)}


def write(path: Path, data: object) -> Path:
    path.write_text(json.dumps({"meta": {"date": "2031-06-01"}, "data": data}), encoding="utf-8")
    return path


def face(**fields: Any) -> dict[str, Any]:
    """A face with other fields; None leaves one out."""
    record = json.loads(ATOMIC.read_bytes())["data"]["Brindle Falconer"][0] | fields
    return {key: value for key, value in record.items() if value is not None}


def test_counts() -> None:
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    assert len(list(mtgjson.read(ATOMIC, skipped=skipped, counts=counts))) == 7
    assert counts == {"records": 11, "cards": 7}
    assert not skipped


def test_faces_go_by_side(cards: dict[str, Card]) -> None:
    front, back = cards["vane-turner-vane-unturned"].faces
    assert (front.name, front.number, front.mana_value) == ("Vane Turner", 1, 3)
    assert (back.name, back.number, back.mana_value, back.mana_cost) == ("Vane, Unturned", 2, 3, None)
    assert cards["vane-turner-vane-unturned"].keywords == ("Transform", "Trample")
    adventure = cards["lantern-warden-light-the-way"].faces  # its sides are the other way round in the file
    assert [(f.name, f.mana_value, f.power) for f in adventure] == [
        ("Lantern Warden", 3, "2"),
        ("Light the Way", 1, None),
    ]


def test_parts_and_result_of_a_meld_are_cards_of_their_own(cards: dict[str, Card]) -> None:
    assert [f.mana_value for f in cards["left-half-of-orm"].faces] == [5]
    assert [(f.name, f.mana_value) for f in cards["orm-made-whole"].faces] == [("Orm, Made Whole", 7)]


def test_a_reversible_card_has_one_face(cards: dict[str, Card]) -> None:
    assert (cards["salt-road"].name, len(cards["salt-road"].faces)) == ("Salt Road", 1)


def test_fields_are_there_only_as_the_source_has_them(cards: dict[str, Card]) -> None:
    falconer = cards["brindle-falconer"]
    assert falconer.oracle_id == FALCONER
    assert falconer.legalities == {"modern": "legal", "vintage": "restricted"}
    assert falconer.rulings == (
        Ruling(oracle_id=FALCONER, source="mtgjson", published="2031-04-01", text="It sees far."),
    )
    assert (falconer.printings, falconer.prices, falconer.faces[0].loyalty) == ((), {}, None)
    assert cards["siege-of-nowhere-nowheres-keeper"].faces[0].defense == "5"


def test_the_file_of_a_set_tells_printings() -> None:
    cards = {card.slug: card for card in mtgjson.read(SET)}
    assert list(cards) == [
        "00001019-0000-4000-8000-000000001019",
        "brindle-falconer",
        "vane-turner-vane-unturned",
    ]
    assert cards["brindle-falconer"].printings[0] == Printing(
        id="00000001-0000-4000-8000-000000000001",
        set_code="inv",
        number="1",
        set_name="Invention",
        rarity="common",
        released="2031-05-02",
        finishes=("nonfoil", "foil"),
    )
    assert [p.language for p in cards["brindle-falconer"].printings] == ["en", "ja"]
    assert [
        len(cards["vane-turner-vane-unturned"].faces),
        len(cards["vane-turner-vane-unturned"].printings),
    ] == [
        2,
        1,
    ]
    assert (cards["00001019-0000-4000-8000-000000001019"].printings[0].set_name) is None  # of a set "tinv"


def test_all_printings_are_sets_by_code(tmp_path: Path) -> None:
    one = json.loads(SET.read_bytes())["data"]
    assert list(mtgjson.read(write(tmp_path / "all.json", {"INV": one}))) == list(mtgjson.read(SET))


def test_cards_are_the_same_as_from_scryfall(cards: dict[str, Card]) -> None:
    theirs = {card.slug: card for card in scryfall.read(FIXTURES / "scryfall.json")}
    for slug, card in cards.items():
        assert theirs[slug].name == card.name
        assert theirs[slug].oracle_id == card.oracle_id
        for mine, other in zip(card.faces, theirs[slug].faces, strict=True):
            assert (mine.name, mine.number, mine.type_line) == (other.name, other.number, other.type_line)
            assert (mine.mana_cost, mine.mana_value) == (other.mana_cost, other.mana_value)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("path", [ATOMIC, SET])
def test_the_form_of_the_file_is_told_by_its_content(tmp_path: Path, path: Path, packed: bool) -> None:
    other = tmp_path / "a name that tells nothing"
    small = json.dumps(json.loads(path.read_bytes())).encode()
    other.write_bytes(gzip.compress(small) if packed else small)
    assert format_of(other) == "mtgjson"
    assert list(read_cards(other)) == list(mtgjson.read(path))
    assert data_date(other) == "2031-06-01"


def test_variants_of_one_name_are_cards_of_their_own(tmp_path: Path) -> None:
    spies = [face(name="Sly Spy"), face(name="Sly Spy")]
    spies[1]["identifiers"] = {"scryfallOracleId": "25aa7281-faf7-44a0-8969-112f40419796"}
    slugs = [card.slug for card in mtgjson.read(write(tmp_path / "c.json", {"Sly Spy": spies}))]
    assert slugs == ["sly-spy", "sly-spy.b"]


@pytest.mark.parametrize(
    ("bad", "what", "reason"),
    [
        (5, "data, Nix, 0", "Expected `object`"),
        (face(name="Nix", layout=None), "Nix", "missing required field `layout`"),
        (face(name="Nix", identifiers={"scryfallOracleId": "x"}), "Nix", "matching regex"),
        (face(name="?!"), "?!", "has no letters"),
        (face(name="Nix", side="b", identifiers={}), "Nix", "its front is not in the file"),
        (face(name="Nix", text="\udc00"), "Nix", "surrogate"),
        (face(name="Nix", rulings=[{"date": "today", "text": "x"}]), "Nix", "Invalid RFC3339"),
    ],
)
def test_bad_records_are_skipped_and_named(tmp_path: Path, bad: object, what: str, reason: str) -> None:
    skipped: list[tuple[str, str]] = []
    path = write(tmp_path / "cards.json", {"Nix": [bad], "Brindle Falconer": [face()]})
    (card,) = mtgjson.read(path, skipped=skipped)
    assert card.name == "Brindle Falconer"
    assert [name for name, _ in skipped] == [what]
    assert reason in skipped[0][1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"meta": {}, "data": {}}', "holds no cards"),
        (b'{"data": {"booster": [5], "code": ["x"]', "ends early"),
        (b'{"data": []}', "holds no cards"),
        (b'{"data": {"Nix": [{}]}}', "no cards in it could be read; data, Nix, 0: Object missing"),
        (b'{"data": {"Nix": [', "ends early at data, Nix, 0"),
        (b'{"data": {"Nix": [5}', "has '}' in data, Nix"),
        (b'{"data": {"Nix" [5]}}', "is no JSON in data"),
        (b'{"data": {}} {}', "goes on after the end"),
        (b'{"data": {"N\\nx": [', "ends early at data, 'N\\nx', 0"),
        (gzip.compress(ATOMIC.read_bytes(), mtime=0)[:-300], "gzip file ends early"),
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


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cards", "tokens", "code", "name", "booster"]) | st.text(max_size=3), inner
        )
    ),
    max_leaves=8,
)


@EASY
@given(JSON)
def test_any_data_is_read_or_an_error(tmp_path: Path, data: object) -> None:
    skipped: list[tuple[str, str]] = []
    with pytest.raises(SourceError):
        list(mtgjson.read(write(tmp_path / "cards.json", data), skipped=skipped))


@EASY
@given(st.dictionaries(st.sampled_from(sorted(face())), JSON, max_size=3))
def test_any_change_of_a_face_gives_a_card_or_a_reason(tmp_path: Path, change: dict[str, object]) -> None:
    skipped: list[tuple[str, str]] = []
    path = write(
        tmp_path / "c.json", {"Nix": [face(name="Nix", identifiers={})], "X": [{**face(), **change}]}
    )
    assert len(list(mtgjson.read(path, skipped=skipped))) + len(skipped) in (1, 2)


@EASY
@given(st.integers(2, len(ATOMIC.read_bytes()) - 3))
def test_a_file_that_was_cut_off_is_an_error(tmp_path: Path, length: int) -> None:
    path = tmp_path / "cards"
    path.write_bytes(ATOMIC.read_bytes()[:length])
    with pytest.raises(SourceError):
        list(mtgjson.read(path))


@pytest.mark.real
def test_the_sample(real_data: Path) -> None:
    path = real_data / "mtgjson" / "atomic-cards-sample.json"
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    cards = {card.slug: card for card in read_cards(path, skipped=skipped, counts=counts)}
    assert counts == {"records": 88, "cards": 85}
    assert not skipped
    assert data_date(path) == "2026-03-01"
    front, back = cards["lovestruck-beast-hearts-desire"].faces
    assert (front.name, front.mana_cost, front.mana_value, front.power) == (
        "Lovestruck Beast",
        "{2}{G}",
        3,
        "5",
    )
    assert (back.name, back.mana_cost, back.mana_value, back.colors) == ("Heart's Desire", "{G}", 1, ("G",))
    assert back.type_line == "Sorcery — Adventure"
    delver = cards["delver-of-secrets-insectile-aberration"]
    assert [(f.mana_value, f.power) for f in delver.faces] == [(1, "1"), (1, "3")]
    assert delver.keywords == ("Transform", "Flying")
    assert (cards["jace-the-mind-sculptor"].faces[0].oracle_text or "").startswith("+2:")
    assert sum(len(card.rulings) for card in cards.values()) > 0
