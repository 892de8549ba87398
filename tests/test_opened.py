"""The graph in Python: data frames with the right dtypes, networks by names, what goes wrong in a line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, QuerySolutions

from cardlaw.graph import open_store
from cardlaw.graph.errors import CardlawError, QueryError, StoreError
from cardlaw.graph.opened import Graph
from cardlaw.ontology.namespaces import expand

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def graph(small_store: Path) -> Iterator[Graph]:
    with open_store(small_store) as opened:
        yield opened


def test_importing_the_package_is_light() -> None:
    code = "import sys, cardlaw.graph; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"pyoxigraph", "rdflib", "networkx", "pandas", "numpy"} & set(done.stdout.split())


def test_nothing_is_built(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nothing is built"):
        open_store(tmp_path)


@pytest.mark.parametrize(
    ("values", "dtype", "read"),
    [
        ("1 -20", "int64", [1, -20]),
        ("1 UNDEF", "Int64", [1, None]),
        ("1 2.5 3e1", "float64", [1.0, 2.5, 30.0]),
        ("'1'^^xsd:nonNegativeInteger '2'^^xsd:byte", "int64", [1, 2]),
        ("99999999999999999999 1", "object", [99999999999999999999, 1]),
        ("true false", "bool", [True, False]),
        ("true UNDEF", "boolean", [True, None]),
        ("1 true", "object", [1, True]),
        ("'many'^^xsd:integer 1", "object", ["many", 1]),
        ("rule:702.29 <http://a.example/>", "str", ["rule:702.29", "<http://a.example/>"]),
        ("rule:702.29 UNDEF", "str", ["rule:702.29", None]),
        ("'one' 'zwei'@de", "str", ["one", "zwei"]),
        ("'1'", "str", ["1"]),
        ("UNDEF", "object", [None]),
    ],
)
def test_a_column_is_what_its_values_are(graph: Graph, values: str, dtype: str, read: list[object]) -> None:
    column = graph.frame(f"SELECT ?x {{ VALUES ?x {{ {values} }} }}")["x"]
    text = pd.Series(["a"]).dtype.name  # "object" before pandas 3
    assert column.dtype.name == (text if dtype == "str" else dtype)
    assert [None if pd.isna(value) else value for value in column.tolist()] == read


def test_days_and_times_are_such(graph: Graph) -> None:
    frame = graph.frame(
        "SELECT ?day ?time ?mixed { VALUES (?day ?time ?mixed) {"
        " ('2026-01-16'^^xsd:date '2026-01-16T12:30:00Z'^^xsd:dateTime '2026-01-16'^^xsd:date)"
        " (UNDEF '2026-01-16T12:30:00+02:00'^^xsd:dateTime 'soon') } }"
    )
    assert [dtype.kind for dtype in frame.dtypes] == ["M", "M", "O"]
    assert frame["day"][0] == datetime(2026, 1, 16)
    assert pd.isna(frame["day"][1])
    assert frame["time"].dt.hour.tolist() == [12, 10], "UTC"
    assert frame["mixed"].tolist() == [datetime(2026, 1, 16), "soon"]


def test_columns_stand_as_selected_also_when_nothing_is_found(graph: Graph) -> None:
    frame = graph.frame("SELECT ?b ?a { ?a rdfs:label 'nobody' ; mtg:start ?b }")
    assert (list(frame), len(frame)) == (["b", "a"], 0)


def test_triples_and_truths_have_frames_too(graph: Graph) -> None:
    frame = graph.frame("CONSTRUCT { rule:702.29 mtg:level ?level } { rule:702.29 mtg:level ?level }")
    assert frame.to_dict("list") == {
        "subject": ["rule:702.29"],
        "predicate": ["mtg:level"],
        "object": ["rule"],
    }
    assert graph.frame("ASK { rule:702.29 a mtg:Card }")["answer"].tolist() == [False]


def test_a_named_query_takes_names(graph: Graph) -> None:
    frame = graph.frame("rules-by-card", card="salt road")
    asked = graph.query(f"SELECT ?rule {{ {_salt_road(graph)} mtg:citesRule ?rule }}")
    assert isinstance(asked, QuerySolutions)
    assert set(frame["rule"]) == {f"rule:{row['rule'].value.rpartition('/')[2]}" for row in asked}
    assert len(frame)
    assert len(graph.frame("keywords-by-cards", limit=2)) == 2


def _salt_road(graph: Graph) -> str:
    (iri,) = {node for node, data in graph.network("Salt Road").nodes(data=True) if data["type"] == "card"}
    return str(iri)


def test_values_of_a_query_of_ones_own(graph: Graph, tmp_path: Path) -> None:
    by_name = "SELECT ?card { ?card a mtg:Card ; rdfs:label $name }"
    assert graph.frame(by_name, name="Salt Road")["card"].tolist() == [_salt_road(graph)]
    assert graph.frame(by_name, name=Literal("salt road")).empty
    rule = NamedNode(expand("rule:702.29"))
    assert graph.frame("SELECT ?number { $rule skos:notation ?number }", rule=rule)["number"].tolist() == [
        "702.29"
    ]
    assert graph.frame("SELECT ($x + 1 AS ?y) {}", x=1)["y"].tolist() == [2]
    assert graph.frame("SELECT (!$x AS ?y) {}", x=True)["y"].tolist() == [False]
    file = tmp_path / "mine.rq"
    file.write_text(
        "# parameter: rule rule – a number\nSELECT ?n { $rule skos:notation ?n }", encoding="utf-8"
    )
    assert graph.frame(str(file), rule="702.29")["n"].tolist() == ["702.29"]
    assert graph.frame(file.read_text(encoding="utf-8"), rule="702.29")["n"].tolist() == ["702.29"]


@pytest.mark.parametrize(
    ("query", "values", "said"),
    [
        ("no-such-query", {}, "no query and no file is called no-such-query"),
        ("rules-by-card", {}, "needs card="),
        ("rules-by-card", {"card": "Salt Roda"}, "did you mean “Salt Road”"),
        ("rules-by-card", {"cart": "Salt Road"}, "has no parameter 'cart'"),
        ("SELECT * { ?s ?p }", {}, "syntax error at line 1"),
        ("SELECT * { ?s ?p ?o }", {"x": 1}, "the query has no variable"),
    ],
)
def test_what_cannot_be_asked_is_told(graph: Graph, query: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(QueryError, match=said):
        graph.frame(query, **values)


def test_networks_are_of_names(graph: Graph) -> None:
    card = _salt_road(graph)
    network = graph.network("salt road", "702.29", depth=0)
    assert network.nodes[card]["label"] == "Salt Road"
    assert {card, "rule:702.29"} <= set(network)
    assert len(graph.network("702.29")) < len(graph.network("702.29", depth=2, limit=40)) <= 40
    with pytest.raises(QueryError, match="nothing is called “Salt Roda”; did you mean “Salt Road”"):
        graph.network("Salt Roda")


def test_without_pandas_one_line_says_what_to_install(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(CardlawError, match=r"need pandas: pip install 'cardlaw\[pandas\]'"):
        graph.frame("SELECT * {}")
