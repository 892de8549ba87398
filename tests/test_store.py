"""Opening a store, asking it, and what no query may do."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from handmade import BOOK, opened, write_store
from pyoxigraph import Literal, NamedNode

from cardlaw.graph import store as stores
from cardlaw.graph.errors import QueryError, StoreError
from cardlaw.graph.queries import refuse_service
from cardlaw.graph.store import Store, open_store

FLYERS = "SELECT ?card WHERE { ?card mtg:hasKeyword keyword:flying ; a mtg:Card }"
THEMES = "https://w3id.org/cardlaw/layer/themes"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("store")) as store:
        yield store


def values(store: Store, sparql: str, **more: object) -> list[str]:
    return sorted(row[0].value for row in store.query(sparql, **more))  # type: ignore[arg-type, union-attr]


def test_prefixes_are_declared_and_the_default_graph_is_the_union_of_the_facts(store: Store) -> None:
    assert values(store, FLYERS) == [
        "https://w3id.org/cardlaw/card/glass-moth",
        "https://w3id.org/cardlaw/card/lantern-heron",
    ]


def test_a_query_may_bring_its_own_dataset(store: Store) -> None:
    labels = (
        "SELECT ?x FROM layer:rules WHERE { ?x rdfs:label ?label . FILTER(?x IN (rule:702, card:plain-ox)) }"
    )
    assert values(store, labels) == ["https://w3id.org/cardlaw/rule/702"]
    assert not values(store, "SELECT ?x FROM NAMED layer:rules WHERE { ?x a mtg:Rule }")
    assert len(values(store, 'SELECT ?x WHERE { ?x a mtg:Rule FILTER("FROM" != "here") }')) == len(BOOK.rules)
    assert len(values(store, "SELECT ?x WHERE { ?x a mtg:Rule } # FROM layer:cards")) == len(BOOK.rules)


def test_the_protocols_dataset_comes_before_the_querys(store: Store) -> None:
    rules = "https://w3id.org/cardlaw/layer/rules"
    asked = "SELECT ?x FROM layer:cards WHERE { ?x a mtg:RulebookRelease }"
    assert not values(store, asked)
    assert values(store, asked, default_graphs=[rules]) == ["https://w3id.org/cardlaw/cr/2031-02-03"]
    in_any = "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?x a ?class } }"
    assert values(store, in_any, named_graphs=[rules]) == [rules]


def test_opinions_answer_only_when_named(tmp_path: Path) -> None:
    root = write_store(tmp_path)
    path = tmp_path / "builds" / "one" / "store"
    import pyoxigraph

    written = pyoxigraph.Store(str(path))
    written.update(f"INSERT DATA {{ GRAPH <{THEMES}> {{ <urn:a> <urn:b> <urn:c> }} }}")
    written.flush()
    del written
    with open_store(root) as store:
        assert not store.query("ASK { <urn:a> ?p ?o }")
        assert store.query("ASK { GRAPH layer:themes { <urn:a> ?p ?o } }")


def test_values_take_the_place_of_variables_as_whole_terms(store: Store) -> None:
    sparql = 'SELECT ?x WHERE { ?x rdfs:label $name . FILTER(?x != "$name") } # $name'
    assert values(store, sparql, terms={"name": Literal("Plain Ox")}) == [
        "https://w3id.org/cardlaw/card/plain-ox",
        "https://w3id.org/cardlaw/face/plain-ox.1",
    ]
    evil = '" } SERVICE <http://localhost/> { ?x ?y "'
    assert values(store, sparql, terms={"name": Literal(evil)}) == []
    with pytest.raises(QueryError, match=r"no variable \$other"):
        store.query(sparql, {"other": NamedNode("urn:x")})


@pytest.mark.parametrize(
    ("sparql", "said"),
    [
        ("SELECT ?x WHERE {\n  ?x mtg:layout ?y .\n  ?x ?y\n}", "line 4, column 2: }"),
        ("SELECT ?x WHERE { ?x nope:nope ?y }", "line 1, column 31 (no such prefix: nope:)"),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "read-only"),
        ("DROP ALL", "read-only"),
        ("", "the query ends too early"),
        ("SELECT ?x WHERE { SERVICE <http://localhost/> { ?x ?y ?z } }", "SERVICE is not allowed"),
    ],
)
def test_errors_are_one_line_and_say_where(store: Store, sparql: str, said: str) -> None:
    with pytest.raises(QueryError) as raised:
        store.query(sparql)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }",
        "SELECT * { service silent ?where { ?s ?p ?o } }",
        "PREFIX : <http://localhost/> SELECT * { SERVICE:x{ ?s ?p ?o } }",
        "SELECT * { ?s ?p true.SERVICE # why\n <http://localhost/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE <http://localhost/> { ?s ?p ?o } } }",
        "SELECT * { ?a ?b ?c FILTER(?a<?b#>'''\n) SERVICE <http://localhost/> { ?s ?p ?o } #'''\n}",
        "PREFIX e: <urn:> SELECT * { ?a e:b\\#c ?d SERVICE <http://localhost/> { ?s ?p ?o } }",
        "SELECT * { # service\nSERVICE <http://localhost/> { ?s ?p ?o } }",
    ],
)
def test_service_is_refused_wherever_it_hides(sparql: str) -> None:
    with pytest.raises(QueryError, match="SERVICE"):
        refuse_service(sparql)


@pytest.mark.parametrize(
    "sparql",
    [
        'SELECT * { ?s ?p "SERVICE <http://localhost/> { ?s ?p ?o }" }',
        "SELECT * { ?s ?p '''it's SERVICE <http://localhost/> {''' }",
        "SELECT * { ?s <http://localhost/service> ?o } # SERVICE <http://localhost/> { ?s ?p ?o }",
        "SELECT ?service { ?service a mtg:Service OPTIONAL { ?service ?p ?o } }",
        "SELECT ?x { GRAPH ?service { ?x ?y ?z } }",
        'SELECT ?x { ?x rdfs:label "Room service" }',
    ],
)
def test_the_word_service_alone_is_harmless(sparql: str, store: Store) -> None:
    refuse_service(sparql)
    store.query(sparql)


@pytest.mark.parametrize(
    "piece",
    ["service ", "service <", '"', "'''", "# service\n", "service#", "service:a ", "service:", "<", "\\#"],
)
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    def seconds(times: int) -> float:
        begun = time.process_time()
        with suppress(QueryError):
            refuse_service(piece * times + "SERVICE <http://localhost/> {}")
        return time.process_time() - begun

    assert seconds(40_000) < 8 * seconds(10_000) + 0.1


def test_the_files_of_the_build_are_all_its_quads(store: Store) -> None:
    lines = b"".join(store.dump()).splitlines()
    assert len(lines) == len(set(lines)) == len(store.quads) == sum(store.info.quads.values())


def test_nothing_is_built(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cardlaw build.*cardlaw demo"):
        open_store(tmp_path / "none")


def test_another_schema_version_says_rebuild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_store(tmp_path)
    monkeypatch.setattr(stores, "SCHEMA", stores.SCHEMA + 1)
    with pytest.raises(StoreError, match="rebuild"):
        open_store(root)


@pytest.mark.parametrize("harm", ["pointer", "no build", "no json", "json", "store", "manifest"])
def test_a_damaged_store_says_so(tmp_path: Path, harm: str) -> None:
    root = write_store(tmp_path)
    folder = root / "builds" / "one"
    match harm:
        case "pointer":
            (root / "current").write_bytes(b"../../etc\xff")
        case "no build":
            (root / "current").write_text("two\n")
        case "no json":
            (folder / "build.json").unlink()
        case "json":
            (folder / "build.json").write_text('{"schema": "?"')
        case "store":
            (folder / "store").rename(folder / "elsewhere")
        case "manifest":
            (folder / "store" / "CURRENT").write_text("MANIFEST-999999\n")
    with pytest.raises(StoreError, match="cardlaw build") as raised:
        open_store(root)
    assert "\n" not in str(raised.value)


def test_a_damaged_dump_says_so(tmp_path: Path) -> None:
    root = write_store(tmp_path)
    path = root / "builds" / "one" / "cards.nq.gz"
    path.write_bytes(path.read_bytes()[:-40])
    with open_store(root) as store, pytest.raises(StoreError, match="damaged"):
        list(store.dump())


def test_the_store_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARDLAW_STORE", str(tmp_path))
    assert stores.default_path() == tmp_path
    monkeypatch.delenv("CARDLAW_STORE")
    assert stores.default_path().name == "cardlaw"


def test_the_summary_is_what_build_json_says(store: Store) -> None:
    written = json.loads((store.folder / "build.json").read_text(encoding="utf-8"))
    assert written["release"] == store.info.release == "2031-02-03"
