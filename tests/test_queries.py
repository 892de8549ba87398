"""The headers of queries, their parameters, and right answers of all that ship."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from handmade import opened
from pyoxigraph import NamedNode

from cardlaw.graph.errors import QueryError
from cardlaw.graph.names import ask
from cardlaw.graph.queries import NamedQuery, load_query, named_queries, parse_query, spell_out
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import compact

NAMES = (
    "cards-by-keyword",
    "cards-by-rule",
    "keyword-differences",
    "keywords-by-cards",
    "mana-abilities-of-nonlands",
    "most-cited-rules",
    "replacement-effects",
    "rules-by-card",
    "rules-near-keyword",
    "triggers-by-event",
    "typecyclers",
    "vanilla-cards",
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("store")) as store:
        yield store


def rows(store: Store, query: str, *columns: str, **values: str) -> list[tuple[Any, ...]]:
    """The rows of a named query; IRIs as prefixed names, the rest as texts."""
    found = ask(store, load_query(query), values)
    return [
        tuple(
            None if term is None else compact(term.value) if isinstance(term, NamedNode) else term.value
            for term in (row[column] for column in columns)  # type: ignore[index]
        )
        for row in found  # type: ignore[union-attr]
    ]


def test_the_queries_that_ship_say_what_they_do() -> None:
    queries = named_queries()
    assert len(queries) >= 26
    assert set(NAMES) <= set(queries)
    for query in queries.values():
        assert query.title != query.name
        assert query.description.endswith(".")
        assert all(parameter.about for parameter in query.parameters)


@pytest.mark.parametrize("name", named_queries())
def test_every_pattern_stands_in_a_named_graph(name: str) -> None:
    text = re.sub(r"#[^\n]*", "", load_query(name).text)
    assert "GRAPH layer:" in text
    assert not re.search(r"GRAPH \?", text)
    for _ in range(9):  # graphs first, then whatever only holds what is left
        text = re.sub(r"GRAPH layer:\w+ \{[^{}]*\}", "", text)
        text = re.sub(r"\{[^{}]*\}", "", text) if not re.search(r"GRAPH layer:\w+ \{[^{}]*\}", text) else text
    assert "mtg:" not in text


@pytest.mark.parametrize("query", named_queries().values(), ids=lambda query: query.name)
def test_no_other_variable_is_called_like_a_parameter(query: NamedQuery) -> None:
    """`$name` and `?name` are one variable, and the value takes the place of both."""
    for parameter in query.parameters:
        assert f"${parameter.name}" in query.body
        assert not re.search(rf"\?{parameter.name}\b", query.body)


def test_names_with_several_dots_are_legal_everywhere(store: Store) -> None:
    assert store.query("ASK { ability:marsh-courier.1.1 a ?kind }")
    assert not store.query("ASK { ability:marsh-courier.1.1.9 a ?kind. }")
    named = store.query("SELECT ?x { VALUES ?x { cr:2026-01-16.702.29e } }")
    assert [row["x"].value for row in named] == ["https://w3id.org/cardlaw/cr/2026-01-16.702.29e"]  # type: ignore[index,union-attr]


@pytest.mark.parametrize(
    "text",
    [
        'SELECT * { ?a ?b "ability:a.1.2" }',
        "SELECT * { ?a ?b <ability:a.1.2> } # ability:a.1.2",
        "PREFIX ability: <http://example.org/> SELECT * { ability:a.1.2 ?b ?c }",
        "SELECT * { other:a.1.2 ?b ?c }",
        "SELECT * { rule:702.29e ?b ?c. }",
    ],
)
def test_nothing_else_is_spelled_out(text: str) -> None:
    assert spell_out(text) == text


def test_cards_by_rule(store: Store) -> None:
    columns = ("card", "name", "rules")
    assert rows(store, "cards-by-rule", *columns, rule="702.29") == [
        ("card:marsh-courier", "Marsh Courier", "1")
    ]
    assert rows(store, "cards-by-rule", *columns, rule="702.29", subrules="false") == []
    assert rows(store, "cards-by-rule", "name", "rules", rule="7") == [
        ("Glass Môth", "1"),
        ("Lamp Ward // Sky Ward", "3"),
        ("Lantern Heron", "1"),
        ("Marsh Courier", "2"),
    ]


def test_cards_by_keyword(store: Store) -> None:
    columns = ("name", "relation", "variant")
    assert rows(store, "cards-by-keyword", *columns, keyword="Flying") == [
        ("Glass Môth", "has", "Flying"),
        ("Lamp Ward // Sky Ward", "grants", "Flying"),
        ("Lantern Heron", "has", "Flying"),
    ]
    assert rows(store, "cards-by-keyword", *columns, keyword="flying", wanted="grants") == [
        ("Lamp Ward // Sky Ward", "grants", "Flying")
    ]
    assert rows(store, "cards-by-keyword", *columns, keyword="lifelink") == [
        ("Lamp Ward // Sky Ward", "loses", "Lifelink")
    ]
    assert rows(store, "cards-by-keyword", *columns, keyword="cycling") == [
        ("Marsh Courier", "has", "Marshcycling")
    ]
    assert rows(store, "cards-by-keyword", *columns, keyword="cycling", variants="no") == []
    assert rows(store, "cards-by-keyword", *columns, keyword="exile") == [
        ("Lamp Ward // Sky Ward", "does", "Exile"),
        ("Marsh Courier", "does", "Exile"),
    ]


def test_rules_by_card_and_shared_ones(store: Store) -> None:
    columns = ("rule", "number", "heading")
    assert rows(store, "rules-by-card", *columns, card="marsh courier") == [
        ("rule:302", "302", "Creatures"),
        ("rule:603", "603", "Triggers"),
        ("rule:603.6a", "603.6a", "Triggers"),
        ("rule:701.13", "701.13", "Exile"),
        ("rule:702.29e", "702.29e", "Cycling"),
    ]
    assert rows(store, "rules-by-card", "number", card="Marsh Courier", other="Sky Ward") == [("701.13",)]


def test_keywords_by_cards(store: Store) -> None:
    columns = ("keyword", "name", "kind", "cards")
    assert rows(store, "keywords-by-cards", *columns) == [
        ("keyword:exile", "Exile", "action", "2"),
        ("keyword:flying", "Flying", "ability", "2"),
        ("keyword:marshcycling", "Marshcycling", "ability", "1"),
        ("keyword:cycling", "Cycling", "ability", "0"),
        ("keyword:lifelink", "Lifelink", "ability", "0"),
        ("keyword:typecycling", "Typecycling", "ability", "0"),
    ]
    assert rows(store, "keywords-by-cards", "name", wanted="action") == [("Exile",)]


def test_most_cited_rules(store: Store) -> None:
    assert rows(store, "most-cited-rules", "number", "heading", "cards", limit="3") == [
        ("302", "Creatures", "4"),
        ("605.1a", "Mana Abilities", "3"),
        ("702.9", "Flying", "3"),
    ]


def test_rules_two_references_from_a_keyword(store: Store) -> None:
    """702.29a refers to 602, which refers on to 115.1 and back to 702.29."""
    assert rows(store, "rules-near-keyword", "number", "heading", "ways", "via", keyword="Cycling") == [
        ("115.1", "Targets", "1", "602")
    ]


def test_triggers_by_event(store: Store) -> None:
    assert rows(store, "triggers-by-event", "number", "heading", "abilities") == [("603.6a", "Triggers", "1")]


def test_replacement_effects(store: Store) -> None:
    assert rows(store, "replacement-effects", "name", "number", "quote", "text") == [
        ("Lamp Ward // Sky Ward", "614.1a", "instead", "If a lantern would dim, exile it instead.")
    ]


def test_mana_abilities_of_nonlands(store: Store) -> None:
    assert rows(store, "mana-abilities-of-nonlands", "name") == [("Glass Môth",)]
    assert rows(store, "mana-abilities-of-nonlands", "name", granted="true") == [
        ("Glass Môth",),
        ("Lamp Ward // Sky Ward",),
    ]


def test_typecyclers(store: Store) -> None:
    assert rows(store, "typecyclers", "type", "card") == [("marsh", "card:marsh-courier")]


def test_vanilla_cards(store: Store) -> None:
    columns = ("name", "mana_cost", "power", "toughness")
    assert rows(store, "vanilla-cards", *columns) == [("Plain Ox", "{W}", "2", "4")]


def test_keyword_differences(store: Store) -> None:
    """Cycling is listed and Marshcycling found, which agree; Lifelink is only listed, Flying only found."""
    assert rows(store, "keyword-differences", "name", "side", "keyword") == [
        ("Glass Môth", "text", "Flying"),
        ("Marsh Courier", "source", "Lifelink"),
    ]


@pytest.mark.parametrize(
    ("query", "values", "said"),
    [
        ("cards-by-rule", {}, "needs rule=…: a rule number"),
        ("cards-by-rule", {"rule": "999"}, "no rule “999”"),
        (
            "cards-by-rule",
            {"rule": "7", "nope": "1"},
            "no parameter 'nope': its parameters are rule",
        ),
        ("cards-by-rule", {"rule": "7", "subrules": "perhaps"}, "true or false"),
        ("cards-by-keyword", {"keyword": "flyin"}, "did you mean “Flying”"),
        ("cards-by-keyword", {"keyword": "flying", "wanted": "eats"}, "one of has, grants"),
        ("rules-by-card", {"card": "7> } #"}, "no card"),
        ("most-cited-rules", {"limit": "1 OFFSET 1"}, "a whole number"),
        ("most-cited-rules", {"limit": "-1"}, "a whole number"),
        ("vanilla-cards", {"card": "x"}, "it has none"),
    ],
)
def test_wrong_values_are_told(store: Store, query: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(QueryError, match=re.escape(said)):
        ask(store, load_query(query), values)


def test_a_value_is_never_part_of_the_query(store: Store) -> None:
    query = parse_query("# parameter: name text – any\nSELECT ?x { ?x rdfs:label $name }", "own")
    for evil in (
        '"',
        "\\",
        '" } INSERT { ',
        "'''",
        "\n\r\t\x00",
        "$name",
        "# ",
        "\u2028",
        "𝔐",
        "a" * 100_000,
    ):
        assert list(ask(store, query, {"name": evil})) == []  # type: ignore[arg-type]


def test_a_query_of_ones_own(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "mine.rq"
    path.write_text(
        "# title: Mine\n# description: First\n#   and more.\n# parameter: n integer = 1 – rows\n\n"
        "SELECT ?x { ?x a mtg:Card } ORDER BY ?x LIMIT $n",
        encoding="utf-8",
    )
    query = load_query(str(path))
    assert (query.name, query.title, query.description) == ("mine", "Mine", "First and more.")
    assert (query.parameters[0].name, query.parameters[0].default, query.parameters[0].about) == (
        "n",
        "1",
        "rows",
    )
    assert len(list(ask(store, query, {"n": "2"}))) == 2  # type: ignore[arg-type]
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(QueryError, match="cannot read"):
        load_query(str(path))
    with pytest.raises(
        QueryError, match=r"is called cards-by-ruel: did you mean cards-by-rule or .*`cardlaw query`"
    ):
        load_query("cards-by-ruel")
    with pytest.raises(QueryError, match="is called zyx: `cardlaw query` lists"):
        load_query("zyx")
    with pytest.raises(QueryError, match="is a folder"):
        load_query(str(path.parent))
    with pytest.raises(QueryError, match="NAME TYPE"):
        parse_query("# parameter: what ever = 3 – is this\nASK {}", "bad")
    assert parse_query("ASK {}", "plain").title == "plain"
