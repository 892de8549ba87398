"""Why a query found nothing: told where it is certain, and nothing where it is not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from handmade import opened

from cardlaw.graph.diagnose import why_empty
from cardlaw.graph.store import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("store")) as store:
        yield store


def why(store: Store, query: str) -> list[str]:
    assert list(store.query(query)) == []  # type: ignore[arg-type]
    return why_empty(query, lambda ask: bool(store.query(ask)))


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            "SELECT * { ?c mtg:hasKeywrod keyword:flying }",
            "mtg:hasKeywrod is not in the vocabulary; did you mean mtg:hasKeyword?",
        ),
        (
            "SELECT * { ?c a mtg:Crad OPTIONAL { ?c mtg:layout ?l } }",
            "mtg:Crad is not in the vocabulary; did you mean mtg:Card?",
        ),
        ("SELECT * { ?c mtg:xyzzy ?x }", "mtg:xyzzy is not in the vocabulary."),
        (
            "SELECT * { ?c a mtg:Card ; mtg:hasKeyword keyword:flyin }",
            "Nothing matches “?c mtg:hasKeyword keyword:flyin”: there is no keyword:flyin.",
        ),
        (
            "SELECT ?c { ?c mtg:hasKeyword keyword:lifelink } ORDER BY ?c LIMIT 3",
            "Nothing matches “?c mtg:hasKeyword keyword:lifelink”.",
        ),
        (
            "SELECT DISTINCT ?c { GRAPH layer:cards { ?c mtg:citesRule rule:605.1a } }",
            "Nothing in layer:cards matches “?c mtg:citesRule rule:605.1a”.",
        ),
        ("SELECT * { GRAPH layer:crads { ?c a mtg:Card } }", "There is no graph layer:crads."),
        (
            "SELECT * { ?c mtg:hasFace/mtg:toughness 9 }",
            'Nothing matches “?c mtg:hasFace/mtg:toughness "9"^^xsd:integer”.',
        ),
        (
            "SELECT * { ?c mtg:hasKeyword keyword:flying ; mtg:citesRule rule:603 }",
            "Each pattern matches, but nothing fits both “?c mtg:citesRule rule:603” and "
            "“?c mtg:hasKeyword keyword:flying”.",
        ),
    ],
)
def test_the_reason_is_told(store: Store, query: str, told: str) -> None:
    (reason,) = why(store, query)
    if reason != told:  # the two patterns of a pair may come in either order
        first, second = told.partition("both ")[2].removesuffix(".").split(" and ")
        assert reason == f"{told.partition('both ')[0]}both {second} and {first}."


def test_of_patterns_that_fit_by_twos_all_are_told(store: Store) -> None:
    """Glass Môth cites 302 and 605.1a, Lamp Ward 605.1a and 701.13, Marsh Courier 302 and 701.13."""
    (reason,) = why(store, "SELECT * { ?c mtg:citesRule rule:302, rule:605.1a, rule:701.13 }")
    assert reason.startswith("Each pattern matches, but nothing fits all of “?c mtg:citesRule rule:")
    assert reason.count("“") == 3


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?c a mtg:Card FILTER(false) }",
        "SELECT * { ?c a mtg:Card ; mtg:layout 7 OPTIONAL { ?c mtg:hasFace ?f } }",
        "SELECT * { { ?c mtg:layout 7 } UNION { ?c mtg:layout 8 } }",
        "SELECT * { ?c a mtg:Card } LIMIT 0",
        "SELECT * { ?c a mtg:Card } OFFSET 999",
        "SELECT * { ?c a ?class VALUES ?class { mtg:Printing } }",
        "SELECT * FROM layer:cards { ?c mtg:citesRule ?r }",
        "SELECT * {}  LIMIT 0",
        "PREFIX mtg: <http://example.org/> SELECT * { ?c mtg:hasKeywrod ?k FILTER(true) }",
        "SELECT * { ?c rdfs:label 'mtg:hasKeywrod' FILTER(true) } # mtg:hasKeywrod",
        "SELECT ?n { { SELECT (COUNT(?c) AS ?n) { ?c mtg:layout 7 } } FILTER(?n > 0) }",
    ],
)
def test_what_is_not_certain_is_not_told(store: Store, query: str) -> None:
    assert why(store, query) == []
