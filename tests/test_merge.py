"""Several sources to one card each; and the same card has the same slug from every real source."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardlaw.graph.model import Card, Face, Printing, Related
from cardlaw.graph.naming import TOKEN_LAYOUTS
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.sources.merge import merged

FIXTURES = Path(__file__).parent / "fixtures"


def card(name: str = "Hush // Clamor", **fields: Any) -> Card:
    faces = tuple(Face(name=part, number=n) for n, part in enumerate(name.split(" // "), 1))
    return Card(**{"name": name, "slug": "hush-clamor", "layout": "split", "faces": faces, **fields})


def printing(number: str, **fields: Any) -> Printing:
    return Printing(id=f"id-{number}", set_code="inv", number=number, **fields)


def test_later_sources_fill_what_earlier_ones_lack() -> None:
    first = card(
        faces=(
            Face(name="Hush", oracle_text="Newest words.", type_line="Instant", mana_value=2),
            Face(name="Clamor", number=2),
        ),
        legalities={"modern": "banned"},
        prices={"usd": "1.00"},
        prices_date="2031-01-01",
    )
    second = card(
        layout="aftermath",
        oracle_id="oid",
        faces=(
            Face(name="Hush", oracle_text="Old words.", type_line="Instant", power="7", colors=()),
            Face(name="CLAMOR", number=2, oracle_text="Draw a card.", mana_value=5),
        ),
        keywords=("Scry",),
        color_identity=(),
        legalities={"modern": "legal", "vintage": "legal"},
        prices={"usd": "2.00"},
        prices_date="2031-02-02",
        related=(Related(name="Falcon", component="token", id="x"),),
    )
    (found,) = merged([("one", [first]), ("two", [second])])
    front, back = found.faces
    assert (front.oracle_text, front.power, front.colors) == ("Newest words.", "7", ())
    assert (back.name, back.oracle_text, back.mana_value) == ("Clamor", "Draw a card.", 5)
    assert (found.layout, found.oracle_id, found.keywords, found.color_identity) == (
        "split",
        "oid",
        ("Scry",),
        (),
    )
    assert found.legalities == {"modern": "banned", "vintage": "legal"}
    assert (found.prices, found.prices_date) == ({"usd": "1.00"}, "2031-01-01")
    assert found.origins == {
        "name": "one",
        "oracle_id": "two",
        "keywords": "two",
        "color_identity": "two",
        "legalities": "two",
        "related": "two",
        "1.power": "two",
        "1.colors": "two",
        "2.oracle_text": "two",
        "2.mana_value": "two",
    }


def test_prices_come_with_their_date_and_from_the_first_that_has_some() -> None:
    priced = [card(prices={"usd": n}, prices_date=f"2031-01-0{n}") for n in "12"]
    (found,) = merged([("none", [card()]), ("one", priced[:1]), ("two", priced[1:])])
    assert (found.prices, found.prices_date) == ({"usd": "1"}, "2031-01-01")
    assert found.origins == {"name": "none", "prices": "one"}


def test_printings_are_put_together() -> None:
    one = card(printings=(printing("1", rarity="rare"), printing("2")))
    two = card(printings=(printing("2", set_name="Invention", prices={"usd": "3"}), printing("3")))
    (found,) = merged([("one", [one]), ("two", [two])])
    assert [(p.number, p.rarity, p.set_name, dict(p.prices)) for p in found.printings] == [
        ("1", "rare", None, {}),
        ("2", None, "Invention", {"usd": "3"}),
        ("3", None, None, {}),
    ]


def test_a_face_of_another_name_fills_nothing() -> None:
    other = card(faces=(Face(name="Clamor", oracle_text="x"), Face(name="Hush", number=2, oracle_text="y")))
    (found,) = merged([("one", [card()]), ("two", [other])])
    assert [face.oracle_text for face in found.faces] == [None, None]
    (found,) = merged([("one", [card()]), ("two", [card(faces=())])])
    assert len(found.faces) == 2


def test_a_card_that_was_renamed_is_known_by_its_oracle_id() -> None:
    old = card("Din", slug="din", oracle_id="oid", keywords=("Scry",))
    (found,) = merged([("new", [card(oracle_id="oid")]), ("old", [old])])
    assert (found.name, found.keywords) == ("Hush // Clamor", ("Scry",))


def test_a_slug_of_another_name_is_no_match() -> None:
    skipped: list[tuple[str, str]] = []
    (found,) = merged(
        [("one", [card()]), ("two", [card("Hush, Clamor", keywords=("Scry",))])], skipped=skipped
    )
    assert (found.name, found.keywords) == ("Hush // Clamor", ())
    assert skipped == [
        (
            "Hush, Clamor",
            "shares card:hush-clamor with 'Hush // Clamor': give one a slug in ontology/slugs.json",
        )
    ]


def test_cards_of_one_source_alone_are_kept() -> None:
    found = merged([("one", [card()]), ("two", [card("Din", slug="din")])])
    assert [(c.name, c.origins["name"]) for c in found] == [("Hush // Clamor", "one"), ("Din", "two")]


def test_missing_faces_of_the_corpus_come_from_scryfall() -> None:
    sources = [("corpus", FIXTURES / "cards.json"), ("scryfall", FIXTURES / "scryfall.json")]
    found = {c.slug: c for c in merged((name, read_cards(path)) for name, path in sources)}
    clamor = found["hush-clamor"].faces[1]
    assert (clamor.type_line, clamor.mana_cost, clamor.mana_value) == ("Sorcery", "{4}{R}", 5)
    assert found["hush-clamor"].origins["2.type_line"] == "scryfall"
    assert found["brindle-falconer"].oracle_id == "00001001-0000-4000-8000-000000001001"


ONLY_SCRYFALL = {  # an advertisement, four cards of the starter decks of Arena, variants of one name
    *("2002-world-championships-ad", "blinding-radiance", "goblin-bruiser", "ogre-painbringer"),
    *("titanic-pelagosaur", "b-f-m-big-furry-monster.b", "unquenchable-fury.b"),
    *(f"{name}.{x}" for name in ("everythingamajig", "garbage-elemental", "sly-spy") for x in "bcdef"),
    *(f"{name}.{x}" for name in ("knight-of-the-kitchen-sink", "very-cryptic-command") for x in "bcdef"),
    *(f"ineffable-blessing.{x}" for x in "abdef"),
}


@pytest.mark.real
def test_the_same_card_has_the_same_slug_from_every_source(real_data: Path, corpus_path: Path) -> None:
    """Every card that Scryfall or MTGJSON share with the corpus, and all that differs, with the reason."""
    known = {c.slug: c for c in read_cards(corpus_path)}
    by_name = {c.name.casefold(): c.slug for c in known.values()}
    ids: dict[str, str] = {}  # oracle id -> slug
    only: set[str] = set()
    differ: Counter[str] = Counter()
    named: dict[str, set[str]] = {}
    shared = 0
    for name in (
        "scryfall/oracle-cards-2019-10.json.gz",
        "scryfall/cards-2025-sample.json.gz",
        "mtgjson/atomic-cards-sample.json",
    ):
        skipped: list[tuple[str, str]] = []
        for theirs in read_cards(real_data / name, skipped=skipped):
            if theirs.oracle_id and not name.startswith("mtgjson"):
                assert ids.setdefault(theirs.oracle_id, theirs.slug) == theirs.slug
            if theirs.layout in TOKEN_LAYOUTS:
                continue
            mine = known.get(theirs.slug)
            if mine is None:
                assert by_name.get(theirs.name.casefold(), "").split(".")[0] in (
                    theirs.slug.split(".")[0],
                    "",
                )
                only.add(theirs.slug)
                continue
            shared += 1
            assert mine.name.casefold() == theirs.name.casefold()
            assert [f.name.casefold() for f in mine.faces] == [f.name.casefold() for f in theirs.faces]
            front, their_front = mine.faces[0], theirs.faces[0]
            for what, one, other in (
                ("name", mine.name, theirs.name),
                ("layout", mine.layout, theirs.layout),
                ("type", front.type_line, their_front.type_line),
                ("cost", front.mana_cost, their_front.mana_cost),
                ("value", front.mana_value, their_front.mana_value),
                ("power", front.power, their_front.power),
                ("identity", set(mine.color_identity or ()), set(theirs.color_identity or ())),
            ):
                if one != other:
                    differ[what] += 1
                    named.setdefault(what, set()).add(mine.name)
        assert not skipped
    assert only == ONLY_SCRYFALL
    assert shared == 19_851 + 297 + 85
    assert named.pop("name") == {"Drench the Soil in Their Blood"}  # small words were written large
    assert all("//" in name for name in named.pop("layout"))  # Scryfall calls aftermath cards split
    assert differ["layout"] == 25
    assert 500 < differ["type"] < 600  # creature types and spelling have changed since 2019
    assert named.pop("power") == {"1996 World Champion", "Shichifukujin Dragon"}  # were left out in 2019
    assert named.pop("cost") == {
        "B.F.M. (Big Furry Monster)",
        "Shrine Keeper",
    }  # a half of a card; an error of 2019
    assert named.pop("value") == {"B.F.M. (Big Furry Monster)"}
    assert set(named) == {"type"}


@pytest.mark.real
def test_the_corpus_filled_from_the_other_sources(real_data: Path, corpus_path: Path) -> None:
    skipped: list[tuple[str, str]] = []
    sources = [
        ("corpus", corpus_path),
        ("scryfall-2025", real_data / "scryfall" / "cards-2025-sample.json.gz"),
        ("mtgjson", real_data / "mtgjson" / "atomic-cards-sample.json"),
        ("scryfall-2019", real_data / "scryfall" / "oracle-cards-2019-10.json.gz"),
    ]
    cards = {c.slug: c for c in merged(((n, read_cards(p)) for n, p in sources), skipped=skipped)}
    assert not skipped
    assert len(cards) == 34_562 + len(ONLY_SCRYFALL) + 142  # tokens and the like
    fire, ice = cards["fire-ice"].faces
    assert (ice.mana_cost, ice.mana_value, ice.type_line) == ("{1}{U}", 2, "Instant")
    assert cards["fire-ice"].origins["2.oracle_text"] == "scryfall-2019"
    assert fire.oracle_text
    assert cards["fire-ice"].origins["name"] == "corpus"
    assert cards["giant-killer-chop-down"].origins["2.colors"] == "mtgjson"
    filled = Counter(name for c in cards.values() for name in c.origins if c.origins["name"] == "corpus")
    assert {name for name in filled if name.startswith("1.")} == {"1.colors", "1.mana_cost"}  # no chimeras
    assert filled["2.oracle_text"] > 130
