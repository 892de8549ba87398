"""Names to local names: what a slug is, and that no two cards of the real sources share one."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Card, Keyword
from cardlaw.graph.naming import card_name, card_slug, check_unique, keyword_slugs, slug
from cardlaw.ontology import data


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("Unpredictable Cyclone", "unpredictable-cyclone"),
        ("Fire // Ice", "fire-ice"),
        ("Jötun Grunt", "jotun-grunt"),
        ("Æther Vial", "aether-vial"),
        ("Urza's Saga", "urzas-saga"),
        ("Urza’s Saga", "urzas-saga"),
        ("Lim-Dûl's Vault", "lim-duls-vault"),
        ("+2 Mace", "2-mace"),
        ("1996 World Champion", "1996-world-champion"),
        ("Lothlórien ß Øre Þing Łódź", "lothlorien-ss-ore-thing-lodz"),
        ("<img src=x onerror=alert(1)>", "img-src-x-onerror-alert-1"),
        ("?!", ""),
    ],
)
def test_slug(name: str, local: str) -> None:
    assert slug(name) == local


@given(st.text())
def test_any_text_gives_a_legal_local_name(text: str) -> None:
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", slug(text))
    assert slug(slug(text)) == slug(text)


@pytest.mark.parametrize(
    ("name", "layout", "canonical"),
    [
        ("Left Half of Orm // Orm, Made Whole", "meld", "Left Half of Orm"),
        ("Salt Road // Salt Road", "reversible_card", "Salt Road"),
        ("Ash // Oak // Ash // Oak", "reversible_card", "Ash // Oak"),
        ("Hush // Clamor", "split", "Hush // Clamor"),
        ("Brindle//Falcon", "normal", "Brindle//Falcon"),
    ],
)
def test_canonical_name(name: str, layout: str, canonical: str) -> None:
    assert card_name(name, layout) == canonical


def test_the_table_settles_what_a_slug_cannot() -> None:
    assert card_slug("_____") == "blank-5"
    assert card_slug("Rampant Growth") == "rampant-growth"
    assert card_slug("Rampant, Growth") == "rampant-comma-growth"


def test_variants_of_one_name_hang_below_it() -> None:
    assert card_slug("Sly Spy") == "sly-spy"
    assert card_slug("Sly Spy", "normal", "25aa7281-faf7-44a0-8969-112f40419796") == "sly-spy.b"


def test_a_name_without_letters_must_be_in_the_table() -> None:
    with pytest.raises(SourceError, match=r"'\?!' has no letters: give it a slug in ontology/slugs.json"):
        card_slug("?!")


def test_a_collision_that_is_not_in_the_table_is_an_error() -> None:
    seen: dict[str, str] = {}
    check_unique(seen, Card(name="Cart, Wheel", slug="cart-wheel", layout="normal", faces=()))
    with pytest.raises(SourceError, match="shares card:cart-wheel with 'Cart, Wheel'"):
        check_unique(seen, Card(name="Cart: Wheel", slug="cart-wheel", layout="normal", faces=()))
    with pytest.raises(SourceError, match="read before"):
        check_unique(seen, Card(name="Cart, Wheel", slug="cart-wheel", layout="normal", faces=()))
    assert seen == {"cart-wheel": "Cart, Wheel"}


def test_an_action_called_like_an_ability_has_its_own_name() -> None:
    keywords = (
        Keyword(name="Glimmer", rule="701.90", action=True),
        Keyword(name="Glimmer", rule="702.90"),
        Keyword(name="Proliferate", rule="701.34", action=True),
    )
    assert keyword_slugs(keywords) == {
        ("Glimmer", True): "glimmer.action",
        ("Glimmer", False): "glimmer",
        ("Proliferate", True): "proliferate",
    }


def test_the_table_holds_legal_names_that_differ() -> None:
    table = json.loads(data("slugs.json").read_bytes())
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", local) for local in table["names"].values())
    assert len(set(table["names"].values())) == len(table["names"])
    assert all(re.fullmatch(r"[a-z]", variant) for variant in table["variants"].values())


TOKENS = {"token", "double_faced_token", "emblem", "art_series"}  # named by their oracle id


@pytest.mark.real
def test_no_two_cards_of_the_real_sources_share_a_slug(real_data: Path, corpus_path: Path) -> None:
    cards: dict[str, set[tuple[str, str]]] = defaultdict(set)  # slug -> (name, oracle id)
    for record in json.loads(corpus_path.read_bytes()):
        if not record.get("face"):
            name = card_name(record["name"], record["layout"])
            cards[card_slug(name)].add((name.lower(), ""))
    assert len(cards) == 34_562
    for path in sorted((real_data / "scryfall").glob("*cards*.json.gz")):
        for record in json.loads(gzip.decompress(path.read_bytes())):
            if record["layout"] in TOKENS:
                continue
            oracle_id = record.get("oracle_id") or record["card_faces"][0]["oracle_id"]
            name = card_name(record["name"], record["layout"])
            cards[card_slug(name, record["layout"], oracle_id)].add((name.lower(), oracle_id))
    shared = {
        local: found
        for local, found in cards.items()
        if len({name for name, _ in found}) > 1 or len({oracle_id for _, oracle_id in found if oracle_id}) > 1
    }
    assert not shared
