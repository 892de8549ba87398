"""The query side of the W3C's test suite of the SPARQL 1.1 Protocol, which lies with the real data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyoxigraph
import pytest
from rdflib import Graph, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.namespace import RDF, RDFS
from starlette.applications import Starlette
from starlette.testclient import TestClient

from cardlaw.exports import protocol
from cardlaw.exports.workers import Dataset, Limits, Pool

pytestmark = pytest.mark.real

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
UT = Namespace("http://www.w3.org/2009/sparql/tests/test-update#")
HT = Namespace("http://www.w3.org/2011/http#")
CNT = Namespace("http://www.w3.org/2011/content#")

CASES = (
    *("query_post_form", "query_dataset_default_graphs_get", "query_dataset_default_graphs_post"),
    *("query_dataset_named_graphs_post", "query_dataset_named_graphs_get", "query_dataset_full"),
    *("query_multiple_dataset", "query_get", "query_content_type_select", "query_content_type_ask"),
    *("query_content_type_describe", "query_content_type_construct", "query_post_direct"),
    *("bad_query_method", "bad_multiple_queries", "bad_query_wrong_media_type"),
    *(
        "bad_query_missing_form_type",
        "bad_query_missing_direct_type",
        "bad_query_non_utf8",
        "bad_query_syntax",
    ),
)
FORMATS = {
    "boolean": {"application/sparql-results+json", "application/sparql-results+xml"},
    "tabular": {
        *("application/sparql-results+json", "application/sparql-results+xml"),
        *("text/csv", "text/tab-separated-values"),
    },
    "RDF": {"text/turtle", "application/rdf+xml", "application/n-triples"},
}


@pytest.fixture(scope="module")
def manifest(real_data: Path) -> Graph:
    file = real_data / "w3c" / "protocol" / "manifest.ttl"
    if not file.is_file():
        pytest.skip(f"no W3C test suite at {file}")
    return Graph().parse(file, format="turtle")


@pytest.fixture(scope="module")
def client(manifest: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """An endpoint over the suite's data, each file under the name that the cases give it."""
    folder = tmp_path_factory.mktemp("w3c") / "store"
    store = pyoxigraph.Store(str(folder))
    loaded = set()
    for data in set(manifest.objects(None, UT.graphData)):
        name = str(manifest.value(data, RDFS.label))
        file = Path(str(manifest.value(data, UT.graph)).removeprefix("file://"))
        if name not in loaded:
            store.load(
                path=str(file), format=pyoxigraph.RdfFormat.N_TRIPLES, to_graph=pyoxigraph.NamedNode(name)
            )
            loaded.add(name)
    store.flush()
    assert len(loaded) == 3
    pool = Pool(lambda: Dataset(folder=folder, default_graphs=()), Limits(workers=1))
    with TestClient(Starlette(routes=protocol.routes(pool, "http://www.example/sparql/"))) as client:
        yield client
    pool.stop()


def test_every_case_of_the_query_side_is_run(manifest: Graph) -> None:
    names = (str(case).partition("#")[2] for case in manifest.subjects(RDF.type, MF.ProtocolTest))
    queries = {name for name in names if "query" in name or "queries" in name}
    assert queries == set(CASES)
    assert len(CASES) == 20


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("accept", ["*/*", "application/sparql-results+xml, application/rdf+xml"])
def test_case(client: TestClient, manifest: Graph, case: str, accept: str) -> None:
    test = next(s for s in manifest.subjects(RDF.type, MF.ProtocolTest) if str(s).endswith(f"#{case}"))
    action = manifest.value(test, MF.action)
    requests = list(Collection(manifest, manifest.value(action, HT.requests)))  # type: ignore[arg-type]
    assert requests
    for request in requests:
        _check(client, manifest, request, accept)


def _check(client: TestClient, manifest: Graph, request: Any, accept: str) -> None:
    def value(subject: Any, predicate: URIRef) -> str:
        return str(manifest.value(subject, predicate))

    fields = manifest.value(request, HT.headers)
    headers = [
        (value(field, HT.fieldName), value(field, HT.fieldValue))
        for field in (Collection(manifest, fields) if fields is not None else ())
    ]
    body = manifest.value(request, HT.body)
    content = b"" if body is None else value(body, CNT.chars).encode(value(body, CNT.characterEncoding))
    answer = client.request(
        value(request, HT.methodName),
        value(request, HT.absolutePath),
        headers=[*headers, ("accept", accept)],
        content=content,
    )
    expected = manifest.value(request, HT.resp)
    statuses = {str(status)[-3] for status in manifest.objects(expected, MF.expectedStatus)}
    assert str(answer.status_code)[0] in statuses, answer.text
    media = answer.headers["content-type"].partition(";")[0]
    if (format_ := manifest.value(expected, MF.expectedFormat)) is not None:
        assert media in FORMATS[str(format_)]
    if (boolean := manifest.value(expected, MF.expectedBoolean)) is not None:
        said = (
            json.loads(answer.text)["boolean"]
            if media.endswith("json")
            else ElementTree.fromstring(answer.text)[1].text == "true"
        )
        assert said is boolean.toPython()  # type: ignore[attr-defined]
