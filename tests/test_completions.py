"""What is typed goes on as names of the store, and fast."""

from __future__ import annotations

import timeit
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from cardlaw.graph.completions import KINDS, Completions
from cardlaw.graph.store import Store, open_store


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def completions(store: Store) -> Completions:
    return Completions(store)


def names(completions: Completions, kind: str, text: str, limit: int = 20) -> list[str]:
    return [found.name for found in completions.find(kind, text, limit)]


@pytest.mark.parametrize(
    ("kind", "text", "first"),
    [
        ("prefixes", "ru", "rule:"),
        ("classes", "trig", "mtg:TriggeredAbility"),
        ("classes", "mana", "mtg:ManaAbility"),
        ("classes", "mtg:KeywordI", "mtg:KeywordInstance"),
        ("properties", "citesr", "mtg:citesRule"),
        ("properties", "skos:bro", "skos:broader"),
        ("keywords", "CYC", "keyword:cycling"),
        ("keywords", "keyword:fl", "keyword:flanking"),
        ("rules", "702.29", "rule:702.29"),
        ("rules", "rule:614.1a", "rule:614.1a"),
        ("rules", "cycling", "rule:702.29"),
        ("cards", "salt r", "card:salt-road"),
        ("cards", "card:salt-r", "card:salt-road"),
        ("cards", "Röad", "card:salt-road"),
        ("types", "gobl", "type:goblin"),
        ("terms", "active p", "term:active-player"),
    ],
)
def test_goes_on(completions: Completions, kind: str, text: str, first: str) -> None:
    assert names(completions, kind, text)[0] == first


def test_a_rule_has_the_heading_above_it(completions: Completions) -> None:
    found = completions.find("rules", "702.29e")[0]
    assert (found.label, found.note) == ("Cycling", "702.29e")
    assert found.iri == "https://w3id.org/cardlaw/rule/702.29e"


def test_rules_come_in_the_order_of_the_book(completions: Completions) -> None:
    found = names(completions, "rules", "702.", 400)
    assert found.index("rule:702.9") < found.index("rule:702.9a") < found.index("rule:702.10")


def test_whole_names_before_words_inside(completions: Completions) -> None:
    found = completions.find("cards", "s", 100)
    begins = [suggestion.label.lower().startswith("s") for suggestion in found]
    assert begins == sorted(begins, reverse=True)
    assert set(begins) == {True, False}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_capped_and_says_what_it_means(completions: Completions, kind: str) -> None:
    found = completions.find(kind, "", 5)
    assert len(found) == 5
    assert all(suggestion.name and suggestion.iri and suggestion.label for suggestion in found)
    assert completions.find(kind, 'no such name 〜 " } UNION {') == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_name_is_of_a_thing_that_is_there(store: Store, completions: Completions, kind: str) -> None:
    known = {row[0].value for row in store.query("SELECT DISTINCT ?x { { ?x ?p ?o } UNION { ?s ?x ?o } }")}  # type: ignore[union-attr]
    found = {suggestion.iri for suggestion in completions.find(kind, "", 100_000)}
    assert len(found) == len(completions.find(kind, "", 100_000)), "each once"
    if kind == "prefixes":
        assert "https://w3id.org/cardlaw/rule/" in found
    else:
        assert found - known <= {"http://www.w3.org/2004/02/skos/core#altLabel"}


def test_no_tokens_among_the_cards(store: Store, completions: Completions) -> None:
    rows = store.query("SELECT ?card { ?card a mtg:Card }")
    assert {suggestion.iri for suggestion in completions.find("cards", "", 1000)} == {
        row[0].value
        for row in rows  # type: ignore[union-attr]
    }


def test_among_all_cards_it_is_fast() -> None:
    from cardlaw.graph.completions import Suggestion, _Index

    words = [f"{letter}{vowel}{end}" for letter in "bcdfghst" for vowel in "aeiou" for end in ("x", "rl")]
    names = [f"{first} {second} {third}" for first in words for second in words for third in "abcdef"]
    index = _Index(Suggestion(f"card:{number}", "x", name) for number, name in enumerate(names))
    assert len(names) > 34_562

    def fastest(call: Callable[[], object]) -> float:
        return min(timeit.repeat(call, number=1, repeat=5))

    scan = fastest(lambda: [name for name in names if "barl" in name])
    for typed in ("", "b", "barl", "barl cex", "a", "cex"):
        assert index.find(typed, 20)
        assert fastest(partial(index.find, typed, 20)) < 10 * scan
