"""`cardlaw query --endpoint`: what is sent, what comes back in each format, and what goes wrong."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs

import pyoxigraph
import pytest
from handmade import write_store
from test_cli import cardlaw, one_line

from cardlaw.exports.remote import Endpoint
from cardlaw.graph.errors import QueryError
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import expand

pytestmark = pytest.mark.programs

WRONG = {  # path → status, media type, body
    "/refuses": (503, "text/plain", b"too\nbusy"),
    "/cut": (200, "application/sparql-results+json", b'{"head":{"vars":["x"]},"results":{"bindings":[{"x"'),
    "/page": (200, "text/html; charset=utf-8", b"<p>hello"),
    "/moved": (307, "text/plain", b""),
}


class Answers(BaseHTTPRequestHandler):
    """Answers any SPARQL query on the hand-made store, without prefixes of its own."""

    store: Store
    seen: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/slow":
            time.sleep(2)
        if self.path in WRONG:
            self.give(*WRONG[self.path])
            return
        (query,) = parse_qs(body)["query"]
        self.seen.append(query)
        try:
            found = self.store.quads.query(query, use_default_graph_as_union=True)
        except SyntaxError as error:
            self.give(400, "text/plain", str(error).encode())
            return
        if isinstance(found, pyoxigraph.QueryTriples):
            turtle = pyoxigraph.serialize(found, format=pyoxigraph.RdfFormat.N_TRIPLES)
            self.give(200, "application/n-triples", turtle or b"")
        else:
            results = found.serialize(format=pyoxigraph.QueryResultsFormat.XML)
            self.give(200, "application/sparql-results+xml; charset=utf-8", results or b"")

    def give(self, status: int, media: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_store(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def server(built: Path) -> Iterator[str]:
    with open_store(built) as store:
        Answers.store = store
        with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as httpd:
            threading.Thread(target=httpd.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{httpd.server_port}"
            httpd.shutdown()


@pytest.fixture
def url(server: str) -> str:
    Answers.seen.clear()
    return f"{server}/sparql"


SELECT = "# a\nSELECT ?name { ?c mtg:hasKeyword keyword:flying ; a mtg:Card ; rdfs:label ?name } ORDER BY ?c"


def test_the_same_answers_as_at_home_in_each_format(url: str, built: Path) -> None:
    for query, formats in (
        (SELECT, ("table", "json", "csv", "tsv", "xml")),
        ("ASK { card:plain-ox a mtg:Card }", ("table", "json", "xml")),
        (
            "CONSTRUCT { ?s mtg:hasFace ?l } WHERE { ?s mtg:hasFace ?l ; rdfs:label 'Plain Ox' }",
            ("table", "turtle"),
        ),
    ):
        for format_ in formats:
            args = ["query", "-", "-q", "--format", format_]
            away = cardlaw(*args, "--endpoint", url, stdin=query)
            assert away.returncode == 0, away.stderr
            assert away.stdout == cardlaw(*args, store=built, stdin=query).stdout


def test_prefixes_are_declared_on_the_first_line(url: str) -> None:
    Endpoint(url).query("PREFIX x: <http://example.org/> ASK { x:a a mtg:Card }")
    (sent,) = Answers.seen
    assert sent.startswith(f"PREFIX mtg: <{expand('mtg:')}> PREFIX x:")
    with pytest.raises(QueryError, match=r"400 .*2:"):
        Endpoint(url).query("SELECT * {\n ?card mtg:layout }")


def test_names_are_looked_up_in_the_graph_at_home(url: str, built: Path, tmp_path: Path) -> None:
    args = ["query", "cards-by-keyword", "--endpoint", url, "--set"]
    done = cardlaw(*args, "keyword=Flying", store=built)
    assert "Lantern Heron" in done.stdout
    assert "effective" not in done.stderr
    alone = cardlaw(*args, "keyword=Flying", store=tmp_path)
    assert one_line(alone.stderr)
    assert (
        "no graph is built here to look “Flying” up in; give a prefixed name such as keyword:" in alone.stderr
    )
    assert cardlaw(*args, "keyword=keyword:flying", store=tmp_path).stdout == done.stdout
    assert "give a prefixed name" in cardlaw(*args, "keyword=rule:702.9", store=tmp_path).stderr


def test_defaults_are_names_too(url: str, built: Path, tmp_path: Path) -> None:
    args = ["query", "keyword-variants", "--endpoint", url, "-q"]
    assert "Marshcycling" in cardlaw(*args, store=built).stdout
    assert "look “Cycling” up in" in cardlaw(*args, store=tmp_path).stderr


@pytest.mark.parametrize(
    "value", ["keyword:a> } } SELECT * { ?s ?p <x", "keyword:a b", 'keyword:"', "keyword:\n"]
)
def test_a_value_is_never_part_of_what_is_sent(url: str, tmp_path: Path, value: str) -> None:
    args = ["query", "cards-by-keyword", "--endpoint", url, "--set", f"keyword={value}"]
    done = cardlaw(*args, store=tmp_path)
    assert (done.returncode, done.stdout, Answers.seen) == (1, "", [])


def test_a_text_is_sent_as_one_literal(url: str, tmp_path: Path) -> None:
    query = tmp_path / "own.rq"
    query.write_text("# parameter: name text – any\nSELECT ?x { ?x rdfs:label $name }")
    evil = '" } SELECT * { ?s ?p ?o } #\\'
    done = cardlaw("query", str(query), "--endpoint", url, "--set", f"name={evil}", "-q")
    assert (done.returncode, done.stdout) == (0, "x\n")
    assert json.dumps(evil) in Answers.seen[0]


def test_an_empty_answer_is_explained(url: str) -> None:
    done = cardlaw("query", "-", "--endpoint", url, stdin="SELECT * { ?c a mtg:Card ; mtg:layout 'odd' }")
    assert (done.returncode, done.stdout) == (0, "c\n")
    assert done.stderr == 'Nothing was found. Nothing matches “?c mtg:layout "odd"”.\n'


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("DELETE WHERE { ?s ?p ?o }", "no updates"),
    ],
)
def test_what_is_not_sent(url: str, query: str, told: str) -> None:
    done = cardlaw("query", "-", "--endpoint", url, stdin=query)
    assert one_line(done.stderr)
    assert told in done.stderr
    assert Answers.seen == []


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/refuses", "refused: 503 Service Unavailable: too busy"),
        ("/cut", "gave no whole answer"),
        ("/page", "answered with text/html, not with results"),
        ("/moved", "has moved to /elsewhere"),
        ("/slow", "did not answer within 0.5 s"),
    ],
)
def test_an_endpoint_that_fails(server: str, path: str, told: str) -> None:
    done = cardlaw(
        "query", "-", "--endpoint", server + path, "--timeout", "0.5", stdin="SELECT * { ?s ?p ?o }"
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert one_line(done.stderr)
    assert told in done.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://[bad/", "http://no-such-host.invalid/"])
def test_an_endpoint_that_is_not_there(url: str) -> None:
    with pytest.raises(QueryError, match="cannot be asked"):
        Endpoint(url, timeout=20).query("ASK {}")


def test_no_other_kind_of_address() -> None:
    with pytest.raises(QueryError, match="http://"):
        Endpoint("file:///etc/passwd")
