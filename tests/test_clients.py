"""The endpoint as the clients that people have ask it, which are run themselves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rdflib import Dataset, Graph, URIRef
from rdflib.namespace import RDFS
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from serving import Server, serving
from SPARQLWrapper import CSV, JSON, JSONLD, N3, POST, POSTDIRECTLY, RDFXML, TSV, TURTLE, URLENCODED, XML
from SPARQLWrapper import SPARQLWrapper as Wrapper
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed

pytestmark = pytest.mark.programs

CARD = URIRef("https://w3id.org/cardlaw/card/salt-road")
CARDS = URIRef("https://w3id.org/cardlaw/layer/cards")
SELECT = "SELECT ?name { card:salt-road rdfs:label ?name }"
ASK = "ASK { card:salt-road a mtg:Card }"
CONSTRUCT = "CONSTRUCT { card:salt-road rdfs:label ?name } WHERE { card:salt-road rdfs:label ?name }"


@pytest.fixture(scope="module")
def server(small_store: Path) -> Iterator[Server]:
    with serving(small_store, "--workers", "2") as server:
        yield server


# -- SPARQLWrapper -----------------------------------------------------------------------------------


def wrapper(server: Server, query: str, format_: str, method: str = "GET", how: str = URLENCODED) -> Any:
    client = Wrapper(server.sparql)
    client.setQuery(query)
    client.setReturnFormat(format_)
    client.setMethod(method)
    client.setRequestMethod(how)
    return client.query()


@pytest.mark.parametrize(("method", "how"), [("GET", URLENCODED), (POST, URLENCODED), (POST, POSTDIRECTLY)])
def test_sparqlwrapper_asks_each_way(server: Server, method: str, how: str) -> None:
    answer = wrapper(server, SELECT, JSON, method, how).convert()
    assert answer["results"]["bindings"][0]["name"]["value"] == "Salt Road"
    assert wrapper(server, ASK, JSON, method, how).convert()["boolean"] is True


def test_sparqlwrapper_reads_each_format(server: Server) -> None:
    document = wrapper(server, SELECT, XML).convert()
    assert document.getElementsByTagName("literal")[0].firstChild.data == "Salt Road"
    assert wrapper(server, SELECT, CSV).convert() == b"name\r\nSalt Road\r\n"
    assert wrapper(server, SELECT, TSV).convert() == b'?name\n"Salt Road"\n'
    for format_ in (RDFXML, JSONLD):
        graph = wrapper(server, CONSTRUCT, format_).convert()
        assert str(graph.value(CARD, RDFS.label)) == "Salt Road"
    for format_ in (TURTLE, N3):
        text = wrapper(server, CONSTRUCT, format_).convert()
        assert str(Graph().parse(data=text, format="turtle").value(CARD, RDFS.label)) == "Salt Road"


def test_sparqlwrapper_is_told_what_is_wrong(server: Server) -> None:
    with pytest.raises(QueryBadFormed, match="syntax error at line 1"):
        wrapper(server, "SELECT * {", JSON)


# -- rdflib ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib_as_a_graph(server: Server, method: str) -> None:
    graph = Graph(SPARQLStore(server.sparql, method=method))  # type: ignore[arg-type]
    assert [str(row[0]) for row in graph.query(SELECT)] == ["Salt Road"]  # type: ignore[index]
    assert graph.query(ASK).askAnswer is True
    assert str(graph.value(CARD, RDFS.label)) == "Salt Road"
    assert (CARD, RDFS.label, None) in graph
    built = graph.query(CONSTRUCT).graph
    assert built is not None
    assert str(built.value(CARD, RDFS.label)) == "Salt Road"


def test_rdflib_as_a_dataset(server: Server) -> None:
    dataset = Dataset(SPARQLStore(server.sparql), default_union=True)
    assert [str(row[0]) for row in dataset.query(SELECT)] == ["Salt Road"]  # type: ignore[index]
    named = "SELECT ?name { GRAPH layer:cards { card:salt-road rdfs:label ?name } }"
    assert [str(row[0]) for row in dataset.query(named)] == ["Salt Road"]  # type: ignore[index]
    assert str(Graph(dataset.store, CARDS).value(CARD, RDFS.label)) == "Salt Road"
    other = URIRef("https://w3id.org/cardlaw/layer/rules")
    assert Graph(dataset.store, other).value(CARD, RDFS.label) is None
    assert {str(context) for context in dataset.store.contexts()} >= {str(CARDS), str(other)}  # type: ignore[union-attr]


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
def test_rdflib_as_a_conjunctive_graph(server: Server) -> None:
    from rdflib import ConjunctiveGraph

    graph = ConjunctiveGraph(SPARQLStore(server.sparql))
    assert [str(row[0]) for row in graph.query(SELECT)] == ["Salt Road"]  # type: ignore[index]
    assert str(graph.value(CARD, RDFS.label)) == "Salt Road"


# -- curl --------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_curl(server: Server, tmp_path: Path) -> None:
    def curl(*args: str) -> str:
        return subprocess.run(
            ["curl", "-sS", "--max-time", "60", *args], capture_output=True, text=True, check=True
        ).stdout

    csv = ["-H", "Accept: text/csv"]
    assert curl(*csv, "-G", server.sparql, "--data-urlencode", f"query={SELECT}") == "name\nSalt Road\n"
    assert curl(*csv, server.sparql, "--data-urlencode", f"query={SELECT}") == "name\nSalt Road\n"
    file = tmp_path / "ask.rq"
    file.write_text(SELECT)
    direct = ["-H", "Content-Type: application/sparql-query", "--data-binary", f"@{file}"]
    assert curl(*csv, *direct, server.sparql) == "name\nSalt Road\n"
    assert curl("-o", os.devnull, "-w", "%{http_code}", "-d", "update=CLEAR ALL", server.sparql) == "403"
    assert curl("-I", server.sparql).startswith("HTTP/1.1 200")


# -- Comunica ----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def comunica() -> Path:
    """The program of `@comunica/query-sparql@4`, installed once into the user's cache."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("no npm here, which installs Comunica")
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("cardlaw", appauthor=False)) / "tests" / "comunica-4"
    program = folder / "node_modules" / ".bin" / "comunica-sparql"
    if not program.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        half = Path(tempfile.mkdtemp(prefix="comunica-", dir=folder.parent))
        install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        try:
            subprocess.run(
                [npm, *install, "--prefix", str(half), "@comunica/query-sparql@4"],
                capture_output=True,
                timeout=120,
                check=True,
            )
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            shutil.rmtree(half, ignore_errors=True)
            pytest.skip("npm cannot install @comunica/query-sparql@4 here")
        half.rename(folder)
    return program


def test_comunica(server: Server, comunica: Path) -> None:
    query = (
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
        f"SELECT ?name {{ <{CARD}> rdfs:label ?name . ?other rdfs:label ?name }}"
    )
    for source in (server.sparql, f"sparql@{server.sparql}"):
        done = subprocess.run(
            [str(comunica), source, "-q", query, "-t", "application/sparql-results+json"],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        rows = json.loads(done.stdout)["results"]["bindings"]
        assert {row["name"]["value"] for row in rows} == {"Salt Road"}
