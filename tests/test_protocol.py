"""The endpoint as requests meet it: what is asked, in which form it is answered, what is refused and how."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pyoxigraph
import pytest
from pyoxigraph import NamedNode, RdfFormat
from starlette.testclient import TestClient

from cardlaw.exports.accept import preferred
from cardlaw.exports.protocol import GRAPHS, TABLES
from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.exports.workers import Limits

SELECT = 'SELECT ?name { ?card a mtg:Card ; rdfs:label ?name FILTER(?name = "Salt Road") }'
ASK = "ASK { card:salt-road a mtg:Card }"
CONSTRUCT = "CONSTRUCT { card:salt-road rdfs:label ?name } WHERE { card:salt-road rdfs:label ?name }"
FORM = "application/x-www-form-urlencoded"
LAYER = "https://w3id.org/cardlaw/layer/"
SD = "http://www.w3.org/ns/sparql-service-description#"


@pytest.fixture(scope="module")
def client(small_store: Path) -> Iterator[TestClient]:
    site = Site(small_store, "http://127.0.0.1:8000/")
    with TestClient(create_app(site, Limits(workers=2)), follow_redirects=False) as client:
        yield client


def is_told(text: str) -> bool:
    return text.count("\n") == 1 and text.endswith("\n") and "Traceback" not in text


# -- how it is asked ---------------------------------------------------------------------------------


def test_three_ways_to_ask(client: TestClient) -> None:
    answers = [
        client.get("/sparql", params={"query": ASK}),
        client.get("/sparql/", params={"query": ASK}),
        client.post("/sparql", data={"query": ASK}),
        client.post("/sparql", content=ASK, headers={"Content-Type": "application/sparql-query"}),
        client.post(
            "/sparql", content=ASK, headers={"Content-Type": 'application/sparql-query; charset="UTF-8"'}
        ),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/sparql-results+json"
        assert answer.json()["boolean"] is True


def test_parameters_that_nobody_knows_are_ignored(client: TestClient) -> None:
    params = {"query": SELECT, "format": "xml", "output": "xml", "results": "xml", "using-graph-uri": "x"}
    answer = client.get("/sparql", params=params)
    assert [row["name"]["value"] for row in answer.json()["results"]["bindings"]] == ["Salt Road"]


def test_head_is_get_without_the_answer(client: TestClient) -> None:
    get, head = (client.request(method, "/sparql", params={"query": ASK}) for method in ("GET", "HEAD"))
    assert head.status_code == 200
    assert head.headers["content-length"] == get.headers["content-length"]


def test_any_page_may_ask(client: TestClient) -> None:
    preflight = client.options(
        "/sparql",
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    )
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert preflight.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    for answer in (client.get("/sparql", params={"query": ASK}), client.get("/sparql?query=x")):
        assert answer.headers["access-control-allow-origin"] == "*"


# -- which graphs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset", "query", "expected"),
    [
        ({}, "ASK { card:salt-road a ?type . rule:702 skos:notation ?n }", True),
        ({}, "ASK { GRAPH layer:cards { card:salt-road a ?type } }", True),
        ({"default-graph-uri": LAYER + "cards"}, "ASK { card:salt-road a ?type }", True),
        ({"default-graph-uri": LAYER + "rules"}, "ASK { card:salt-road a ?type }", False),
        ({"default-graph-uri": LAYER + "cards"}, "ASK { GRAPH ?g { ?s ?p ?o } }", False),
        (
            {"default-graph-uri": [LAYER + "rules", LAYER + "cards"]},
            "ASK { card:salt-road a ?type . rule:702 skos:notation ?n }",
            True,
        ),
        ({"named-graph-uri": LAYER + "cards"}, "ASK { card:salt-road a ?type }", False),
        ({"named-graph-uri": LAYER + "cards"}, "ASK { GRAPH ?g { card:salt-road a ?type } }", True),
        ({"named-graph-uri": LAYER + "cards"}, "ASK { GRAPH layer:rules { ?s ?p ?o } }", False),
        (
            {"default-graph-uri": LAYER + "rules"},
            "ASK FROM layer:cards { card:salt-road a ?type }",
            False,  # the request has the last word
        ),
        ({"default-graph-uri": "urn:x-rdflib:default"}, "ASK { card:salt-road a ?type }", True),
        ({"default-graph-uri": "urn:x-rdflib:default"}, "ASK { GRAPH layer:cards { ?s ?p ?o } }", True),
        (
            {"default-graph-uri": "urn:x-rdflib:default", "named-graph-uri": LAYER + "cards"},
            "ASK { rule:702 skos:notation ?n . GRAPH ?g { card:salt-road a ?type } }",
            True,
        ),
        ({}, "ASK FROM layer:rules { card:salt-road a ?type }", False),
    ],
)
@pytest.mark.parametrize("way", ["GET", "form", "direct"])
def test_graphs_are_chosen_by_the_request(
    client: TestClient, way: str, dataset: dict[str, str | list[str]], query: str, expected: bool
) -> None:
    if way == "GET":
        answer = client.get("/sparql", params={"query": query, **dataset})
    elif way == "form":
        answer = client.post("/sparql", data={"query": query, **dataset})
    else:
        headers = {"Content-Type": "application/sparql-query"}
        answer = client.post("/sparql", params=dataset, content=query, headers=headers)
    assert answer.json()["boolean"] is expected


# -- how it is answered ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv;header=present, */*;q=0.1", "text/csv; charset=utf-8"),
        ("text/tab-separated-values;q=0.9,text/csv;q=0.8", "text/tab-separated-values; charset=utf-8"),
        ("application/json", "application/json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/xml"),
        ("text/*", "text/csv; charset=utf-8"),
        ("*/*, application/sparql-results+json;q=0", "application/sparql-results+xml"),
        ("APPLICATION/SPARQL-RESULTS+XML; Q=1", "application/sparql-results+xml"),
        ("text/csv;q=nonsense", "text/csv; charset=utf-8"),
        (
            "application/sparql-results+json;q=0.5,application/sparql-results+xml;q=0.7,*/*;q=0.1",
            "application/sparql-results+xml",
        ),
    ],
)
def test_tables_are_negotiated(client: TestClient, accept: str, media: str) -> None:
    answer = client.get("/sparql", params={"query": SELECT}, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert answer.headers["vary"] == "Accept"
    assert "Salt Road" in answer.text
    if "json" in media:
        assert json.loads(answer.text)["head"]["vars"] == ["name"]
    elif "xml" in media:
        assert ElementTree.fromstring(answer.text)[1][0][0][0].text == "Salt Road"


@pytest.mark.parametrize("media", GRAPHS)
def test_graphs_are_negotiated(client: TestClient, media: str) -> None:
    answer = client.get("/sparql", params={"query": CONSTRUCT}, headers={"Accept": media})
    assert answer.headers["content-type"].partition(";")[0] == media
    (quad,) = pyoxigraph.parse(answer.content, format=getattr(RdfFormat, GRAPHS[media]))
    assert quad.object == pyoxigraph.Literal("Salt Road")
    plain = client.get("/sparql", params={"query": CONSTRUCT})
    assert plain.headers["content-type"] == "text/turtle; charset=utf-8"
    assert 'card:salt-road rdfs:label "Salt Road"' in plain.text


def test_all_that_is_offered_exists() -> None:
    assert all(hasattr(pyoxigraph.QueryResultsFormat, name) for name in TABLES.values())
    assert all(hasattr(RdfFormat, name) for name in GRAPHS.values())


@pytest.mark.parametrize("query", [SELECT, ASK, CONSTRUCT])
def test_what_is_not_offered_is_told(client: TestClient, query: str) -> None:
    answer = client.get("/sparql", params={"query": query}, headers={"Accept": "image/png"})
    assert answer.status_code == 406
    assert is_told(answer.text)
    assert ("text/turtle" if query is CONSTRUCT else "text/csv") in answer.text


def test_the_more_exact_range_counts() -> None:
    offered = ["text/a", "text/b", "image/c"]
    assert preferred("text/*;q=0.5, text/b;q=0.1, */*;q=0.4", offered) == "text/a"
    assert preferred("text/a;q=0, text/b;q=0, image/*;q=0", offered) is None
    assert preferred("text/*;q=0.2, image/c;q=0.3", offered) == "image/c"
    assert preferred(", ,;q=1", offered) == "text/a"


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "status", "told"),
    [
        (("GET", "?query=", None, ""), 400, "ends too early"),
        (("GET", "?query=SELECT%20*%20%7B%20%3Fs%20%7D", None, ""), 400, "line 1"),
        (("GET", "?query=ASK%7B%7D&query=ASK%7B%7D", None, ""), 400, "more than one"),
        (("GET", "?query=%FF%FE", None, ""), 400, "UTF-8"),
        (("GET", "?query=ASK%7B%7D&default-graph-uri=x", None, ""), 400, "IRI"),
        (("GET", "?query=ASK%7B%7D&named-graph-uri=http%3A//a%20b", None, ""), 400, "IRI"),
        (("GET", "?update=CLEAR%20ALL", None, ""), 403, "read-only"),
        (("GET", "?query=CLEAR%20ALL", None, ""), 400, "read-only"),
        (("POST", "", FORM, "update=CLEAR+ALL"), 403, "read-only"),
        (("POST", "", "application/sparql-update", "CLEAR ALL"), 403, "read-only"),
        (("POST", "", FORM, "quary=ASK"), 400, "“query”"),
        (("POST", "", FORM, b"query=\xff"), 400, "UTF-8"),
        (("POST", "?query=ASK%7B%7D", FORM, ""), 400, "body"),
        (("POST", "?query=ASK%7B%7D", "application/sparql-query", "ASK {}"), 400, "more than one"),
        (("POST", "", "application/sparql-query", b"\xff\xfeASK {}"), 400, "UTF-8"),
        (("POST", "", "application/sparql-query; charset=utf-16", "ASK {}"), 415, "UTF-8"),
        (("POST", "", "text/plain", "ASK {}"), 415, "text/plain"),
        (("POST", "", "multipart/form-data; boundary=x", "--x--"), 415, "multipart"),
        (("POST", "", None, "ASK {}"), 415, "type"),
        (("PUT", "", FORM, "query=ASK"), 405, "PUT"),
        (("DELETE", "", None, ""), 405, "DELETE"),
        (("POST", "", "application/sparql-query", "#" * (1 << 20) + "\n"), 413, "1,048,576"),
        (("POST", "", FORM, "query=" + "x" * (1 << 20)), 413, "1,048,576"),
        (("GET", "?query=ASK%7BSERVICE%3Chttp%3A//127.0.0.1%3A1/%3E%7B%7D%7D", None, ""), 400, "SERVICE"),
    ],
)
def test_what_cannot_be_answered_is_told(
    client: TestClient,
    request_: tuple[str, str, str | None, str | bytes],
    status: int,
    told: str,
) -> None:
    method, query, media, body = request_
    headers = {"Content-Type": media} if media else {}
    answer = client.request(method, f"/sparql{query}", content=body, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert is_told(answer.text)
    assert told in answer.text
    assert ("allow" in answer.headers) is (status == 405)


def test_a_body_of_unknown_length_is_limited(client: TestClient) -> None:
    def blocks() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * 100_000

    answer = client.post("/sparql", content=blocks(), headers={"Content-Type": "application/sparql-query"})
    assert answer.status_code == 413


def test_a_compressed_body_is_refused(client: TestClient) -> None:
    headers = {"Content-Type": "application/sparql-query", "Content-Encoding": "gzip"}
    assert client.post("/sparql", content=b"\x1f\x8b", headers=headers).status_code == 415


def test_a_file_cannot_be_read(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "secret.nt"
    file.write_text("<urn:a> <urn:b> <urn:c> .\n")
    for clause in ("FROM", "FROM NAMED"):
        query = f"ASK {clause} <{file.as_uri()}> {{ {{ ?s ?p ?o }} UNION {{ GRAPH ?g {{ ?s ?p ?o }} }} }}"
        assert client.get("/sparql", params={"query": query}).json()["boolean"] is False


# -- what it says of itself --------------------------------------------------------------------------


@pytest.mark.parametrize("media", ["text/turtle", "application/ld+json", "application/n-triples"])
def test_it_describes_itself(client: TestClient, media: str) -> None:
    answer = client.get("/sparql", headers={"Accept": media})
    assert answer.headers["content-type"].partition(";")[0] == media
    store = pyoxigraph.Store()
    store.load(answer.content, format=getattr(RdfFormat, GRAPHS[media]))
    endpoint = NamedNode("http://127.0.0.1:8000/sparql")
    assert [
        str(quad.object.value) for quad in store.quads_for_pattern(endpoint, NamedNode(SD + "endpoint"), None)
    ] == [endpoint.value]
    rows = store.query(
        f"PREFIX sd: <{SD}> SELECT ?name ?triples {{ ?service sd:defaultDataset/sd:namedGraph ?named . "
        "?named sd:name ?name ; sd:graph/<http://rdfs.org/ns/void#triples> ?triples }"
    )
    described = {row["name"].value: int(row["triples"].value) for row in rows}  # type: ignore[union-attr]
    assert LAYER + "cards" in described
    for layer, triples in described.items():
        count = client.get(
            "/sparql", params={"query": f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{layer}> {{ ?s ?p ?o }} }}"}
        ).json()
        assert count["results"]["bindings"][0]["n"]["value"] == str(triples)


def test_browsers_are_sent_to_the_editor(client: TestClient) -> None:
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    answer = client.get("/sparql", headers={"Accept": accept})
    assert (answer.status_code, answer.headers["location"]) == (303, "/query")
    assert client.get("/sparql", headers={"Accept": "image/png"}).status_code == 406
