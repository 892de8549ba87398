"""Rulings: reading them, by card, and the rules whose numbers they state."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Rule, Rulebook, Ruling, Vocabulary
from cardlaw.graph.sources import rulings

FIXTURE = Path(__file__).parent / "fixtures" / "scryfall-rulings.json"
FALCONER = "00001001-0000-4000-8000-000000001001"


def book(release: str, **titles: str) -> Rulebook:
    """A rulebook with the rules `r702_9="Flying"`, and their sections and chapters."""
    rules: dict[str, Rule] = {}
    for key, title in titles.items():
        number = key[1:].replace("_", ".")
        section = number.split(".")[0]
        rules[section[0]] = Rule(number=section[0], title="Chapter")
        rules[section] = Rule(number=section, title="Section", parent=section[0])
        rules[number] = Rule(number=number, title=title, parent=section)
        rules[number + "a"] = Rule(number=number + "a", parent=number)
    return Rulebook(release=release, rules=rules, terms=(), vocabulary=Vocabulary())


def ruling(text: str, published: str = "2031-04-01") -> Ruling:
    return Ruling(oracle_id=FALCONER, source="wotc", published=published, text=text)


def test_rulings_of_a_card_each_once_and_the_oldest_first() -> None:
    counts: Counter[str] = Counter()
    skipped: list[tuple[str, str]] = []
    found = rulings.by_card(rulings.read(FIXTURE, counts=counts, skipped=skipped))
    assert counts == {"records": 4, "rulings": 4}
    assert not skipped
    assert [(r.published, r.source) for r in found[FALCONER]] == [
        ("2030-04-01", "scryfall"),
        ("2031-04-01", "wotc"),
    ]
    assert len(found) == 2


NOW = book("2031-03-01", r702_9="Flying", r701_18="Scry")
NEXT = book("2031-05-01", r702_9="Flying", r701_18="Search")
LONG_AGO = book("2020-01-01", r702_9="Flying")


def test_the_rules_that_a_ruling_states() -> None:
    first = next(rulings.read(FIXTURE))
    found = rulings.stated(first, [NEXT, NOW, LONG_AGO])
    assert [(each.rule, each.title, each.release) for each in found] == [
        ("702.9", "Flying", "2031-03-01"),
        ("701.18", "Scry", None),  # another rule in the next release: which one was meant is not known
        ("701.18a", "Scry", None),
    ]
    assert rulings.stated(first, []) == ()
    assert rulings.stated(ruling("It turns once for 5.5 or 999.9."), [NOW]) == ()


@pytest.mark.parametrize(
    ("published", "books", "release"),
    [
        ("2031-04-01", [NOW, NEXT], "2031-03-01"),
        ("2031-04-01", [NOW], None),  # it may have moved since, and before the day
        ("2031-03-01", [NOW], "2031-03-01"),
        ("2031-02-01", [NOW, NEXT], None),  # the release of that day is not known
        ("2031-06-01", [NOW, NEXT], None),
        ("2031-04-01", [book("2031-03-01", r702_8="Flash"), NEXT], None),
        ("2031-04-01", [NOW, book("2031-05-01", r702_9="Haste")], None),
    ],
)
def test_the_release_is_told_where_the_releases_around_the_day_agree(
    published: str, books: list[Rulebook], release: str | None
) -> None:
    for text in ("See rule 702.9.", "See rule 702.9a."):
        found = rulings.stated(ruling(text, published), books)
        assert [stated.release for stated in found] == [release]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (5, "Expected `object`"),
        ({"object": "card", "name": "Nix"}, "missing required field `oracle_id`"),
        ({"oracle_id": FALCONER, "source": "wotc", "published_at": "x", "comment": "y"}, "Invalid RFC3339"),
        (
            {
                "object": "x",
                "oracle_id": FALCONER,
                "source": "w",
                "published_at": "2031-01-01",
                "comment": "y",
            },
            "'x'",
        ),
    ],
)
def test_bad_records_are_skipped(tmp_path: Path, bad: object, reason: str) -> None:
    path = tmp_path / "rulings.json"
    path.write_text(json.dumps([bad, *json.loads(FIXTURE.read_bytes())]), encoding="utf-8")
    skipped: list[tuple[str, str]] = []
    assert len(list(rulings.read(path, skipped=skipped))) == 4
    assert skipped[0][0] == "record 1"
    assert reason in skipped[0][1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("[]", "holds no rulings"),
        ("<html>", "web page"),
        ('[{"object": "card"}]', "record 1"),
    ],
)
def test_a_file_that_holds_no_rulings_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "rulings.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        list(rulings.read(path))


@pytest.mark.real
def test_the_sample(real_data: Path) -> None:
    skipped: list[tuple[str, str]] = []
    found = rulings.by_card(rulings.read(real_data / "scryfall" / "rulings-sample.json.gz", skipped=skipped))
    assert not skipped
    assert len(found) == 5
    assert len(found["594f6881-c059-46f8-aa4e-7151d502de73"]) > 4
