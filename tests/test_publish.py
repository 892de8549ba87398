"""Publishing: to a real Oxigraph on this machine that is killed on the way, and to a host that refuses."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pyoxigraph
import pytest
from rdflib import Graph
from rdflib.compare import isomorphic

from cardlaw.exports import graphstore
from cardlaw.exports.graphstore import Bearer, GraphStore, Password, Patience, query_address
from cardlaw.exports.publish import chunks, publish
from cardlaw.graph.errors import PublishError, StoreError
from cardlaw.graph.store import FACTS, Store, layer, lock, open_store

pytestmark = pytest.mark.programs

QUICK = Patience(timeout=10, connect=5, retries=3, backoff=0.01)
SMALL = 500_000  # bytes of a chunk


def quiet(stage: str, done: int, total: int) -> None:
    pass


class Told:
    """What was told last of each stage: done and total."""

    def __init__(self) -> None:
        self.last: dict[str, tuple[int, int]] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        self.last[stage] = (done, total)


@pytest.fixture
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


# -- a real server -----------------------------------------------------------------------------------


class Oxigraph:
    """`oxigraph serve` on a folder, which outlives the process."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which(
            "oxigraph", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        )
        if program is None:
            pytest.skip("no oxigraph server: pip install oxigraph")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/store"
        self.command = [program, "serve", "-l", str(folder), "-b", f"127.0.0.1:{self.port}"]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("oxigraph serve does not answer")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def graph(self, name: str) -> bytes:
        asked = {"graph": layer(name).value}
        answer = httpx.get(self.address, params=asked, headers={"Accept": "application/n-triples"})
        return answer.raise_for_status().content


@pytest.fixture
def oxigraph(tmp_path: Path) -> Iterator[Oxigraph]:
    server = Oxigraph(tmp_path / "served")
    yield server
    server.kill()


def triples(store: Store, name: str) -> bytes:
    return b"".join(data for data, _ in chunks(store, name, SMALL))


def read(data: bytes) -> set[pyoxigraph.Quad]:
    """N-Triples as Oxigraph has them, which writes numbers in one way: 0.0 as 0."""
    quads = pyoxigraph.Store()
    quads.load(data, pyoxigraph.RdfFormat.N_TRIPLES)
    return set(quads)


def the_same(store: Store, oxigraph: Oxigraph) -> None:
    """Every layer on the server holds what the store's does."""
    for name in store.info.quads.keys() - {"ontology"}:
        assert read(oxigraph.graph(name)) == read(triples(store, name))
    ours, theirs = Graph(), Graph()
    ours.parse(data=triples(store, "ontology"), format="nt")
    theirs.parse(data=oxigraph.graph("ontology"), format="nt")
    assert isomorphic(ours, theirs)


def test_all_layers_arrive_and_once_more_changes_nothing(
    store: Store, oxigraph: Oxigraph, tmp_path: Path
) -> None:
    stale = b"<http://example.org/stale> <http://example.org/is> <http://example.org/here> .\n"
    lacking = next(name for name in FACTS if not store.info.quads.get(name))
    with GraphStore(oxigraph.address, patience=QUICK) as server:
        for name in ("cards", lacking):
            server.put(layer(name).value, stale)
        for _ in range(2):
            told = Told()
            counts = publish(store, server, told, cache=tmp_path, chunk=SMALL)
            assert counts == {name: count for name, count in store.info.quads.items() if count}
            assert told.last == {f"layer:{name}": (count, count) for name, count in counts.items()}
            the_same(store, oxigraph)
        assert server.count(layer(lacking).value) == 0
    assert not list(tmp_path.glob("publish/*.json"))


def test_it_goes_on_after_the_server_was_killed(store: Store, oxigraph: Oxigraph, tmp_path: Path) -> None:
    arrived: list[tuple[str, int]] = []

    def told(stage: str, done: int, total: int) -> None:
        arrived.append((stage, done))
        if stage == "layer:rules" and total / 3 < done < total:
            oxigraph.kill()

    with GraphStore(oxigraph.address, patience=QUICK) as server:
        with pytest.raises(PublishError, match="4 times: run it again later, and it goes on"):
            publish(store, server, told, cache=tmp_path, chunk=SMALL)
        stopped = arrived[-1][1]
        arrived.clear()
        oxigraph.start()
        counts = publish(
            store, server, lambda stage, done, _: arrived.append((stage, done)), cache=tmp_path, chunk=SMALL
        )
    assert counts["rules"] == store.info.quads["rules"]
    assert [done for stage, done in arrived if stage == "layer:ontology"] == [counts["ontology"]], "not again"
    assert min(done for stage, done in arrived if stage == "layer:rules") > stopped
    the_same(store, oxigraph)


def test_it_waits_for_a_server_that_starts_again(store: Store, oxigraph: Oxigraph, tmp_path: Path) -> None:
    kills = [1]

    def told(stage: str, done: int, total: int) -> None:
        if stage == "layer:rules" and kills:
            kills.pop()
            oxigraph.kill()
            oxigraph.start()

    with GraphStore(oxigraph.address, patience=QUICK) as server:
        publish(store, server, told, cache=tmp_path, chunk=SMALL)
    assert not kills
    the_same(store, oxigraph)


@pytest.mark.parametrize("lost", ["all", "more"])
def test_what_somebody_else_changed_is_sent_anew(
    store: Store, oxigraph: Oxigraph, tmp_path: Path, lost: str
) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        if stage == "layer:rules" and done > total / 3:
            raise KeyboardInterrupt

    with GraphStore(oxigraph.address, patience=QUICK) as server:
        with pytest.raises(KeyboardInterrupt):
            publish(store, server, stop, cache=tmp_path, chunk=SMALL)
        if lost == "all":
            server.delete(layer("rules").value)
        else:
            server.post(
                layer("rules").value, b"<http://a.example/> <http://a.example/> <http://a.example/> .\n"
            )
            with pytest.raises(PublishError, match=r"has not the triples .* in layer:rules\. .*sent anew"):
                publish(store, server, quiet, cache=tmp_path, chunk=SMALL)
        publish(store, server, quiet, cache=tmp_path, chunk=SMALL)
    the_same(store, oxigraph)


def test_the_program_publishes(small_store: Path, oxigraph: Oxigraph, tmp_path: Path) -> None:
    done = cardlaw("publish", oxigraph.address, store=small_store, cache=tmp_path)
    with open_store(small_store) as store:
        total = sum(store.info.quads.values())
        assert done.stdout.splitlines()[0] == f"{oxigraph.address} holds {total:,} triples, as counted there:"
        assert re.search(rf"layer:rules +{store.info.quads['rules']:,}\n", done.stdout)
        the_same(store, oxigraph)
    assert (done.returncode, done.stderr) == (0, "")


# -- chunks and what is remembered ---------------------------------------------------------------------


def test_chunks_end_where_subjects_do(store: Store) -> None:
    for name in store.info.quads:
        pieces = list(chunks(store, name, 3000))
        whole = b"".join(data for data, _ in pieces)
        assert whole == gzip.decompress((store.folder / f"{name}.nq.gz").read_bytes()).replace(
            f" {layer(name)} .\n".encode(), b" .\n"
        )
        assert [count for _, count in pieces] == [data.count(b"\n") for data, _ in pieces]
        for (before, _), (after, _) in pairwise(pieces):
            assert before.splitlines()[-1].split()[0] != after.split(maxsplit=1)[0]
            assert len(before) < 9000
        if name != "ontology":
            read_back = pyoxigraph.parse(whole, pyoxigraph.RdfFormat.N_TRIPLES)
            terms = {type(term) for triple in read_back for term in triple}
            assert pyoxigraph.BlankNode not in terms, "sending a chunk again would double them"


def test_a_damaged_layer_is_told(store: Store, tmp_path: Path) -> None:
    for file in store.folder.glob("*.nq.gz"):
        shutil.copy(file, tmp_path)
    damaged = Store(tmp_path, store.info, store.quads, (store.folder / "build.json").open("rb"))
    cards = tmp_path / "cards.nq.gz"
    whole = gzip.decompress(cards.read_bytes())
    for content in (
        gzip.compress(whole)[:-100],
        gzip.compress(whole[: whole.rindex(b"\n", 0, -1) + 1]),
        gzip.compress(b"/layer/rules>".join(whole.rsplit(b"/layer/cards>", 1))),
    ):
        cards.write_bytes(content)
        with pytest.raises(StoreError, match=r"is damaged .*: run `cardlaw build` again"):
            list(chunks(damaged, "cards", SMALL))
    damaged.close()


# -- a host that refuses ---------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    """A Graph Store in memory that counts lines; first come the faults, each once."""

    protocol_version = "HTTP/1.1"
    server: Host

    def do(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.calls.append((self.command, self.path, dict(self.headers)))
        if self.server.faults:
            self.server.faults.popleft()(self)
        elif not self.server.allows(self):
            pass
        elif self.path.startswith("/query"):
            (graph,) = re.findall(r"GRAPH <(.*?)>", parse_qs(urlsplit(self.path).query)["query"][0])
            count = {"count": {"type": "literal", "value": str(len(self.server.graphs.get(graph, ())))}}
            self.answer(200, json.dumps({"results": {"bindings": [count]}}).encode())
        else:
            graph = parse_qs(urlsplit(self.path).query)["graph"][0]
            before = self.server.graphs.get(graph, set()) if self.command == "POST" else set()
            self.server.graphs[graph] = before | set(body.splitlines())
            self.answer(204)

    do_GET = do_PUT = do_POST = do_DELETE = do  # noqa: N815

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Host(ThreadingHTTPServer):
    """A host on this machine, with what it holds, what it does wrong next, and what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}/store"
        self.graphs: dict[str, set[bytes]] = {}
        self.faults: deque[Callable[[Handler], object]] = deque()
        self.calls: list[tuple[str, str, dict[str, str]]] = []
        self.wants = ""  # "Basic", "Digest" or "Bearer"
        self.nonces = 0

    def allows(self, handler: Handler) -> bool:
        """Whether the call brings what is wanted: lamp's password “wick”, or the token “t0k.en”."""
        brought = handler.headers.get("Authorization", "")
        said = dict(re.findall(r'(\w+)="?([^",]+)"?', brought.partition(" ")[2]))
        if self.wants == "Digest" and brought.startswith("Digest") and said["nonce"] == f"n{self.nonces}":
            secret = _md5("lamp:graphs:wick")
            path = _md5(f"{handler.command}:{said['uri']}")
            proof = _md5(f"{secret}:{said['nonce']}:{said['nc']}:{said['cnonce']}:auth:{path}")
            if said["response"] == proof and said["uri"] == handler.path:
                return True
        right = {"": "", "Basic": "Basic bGFtcDp3aWNr", "Bearer": "Bearer t0k.en"}
        if brought == right.get(self.wants):
            return True
        if self.wants == "Digest":
            self.nonces += 1
        asked = f'{self.wants} realm="graphs"' + f', nonce="n{self.nonces}", qop="auth", algorithm=MD5' * (
            self.wants == "Digest"
        )
        handler.answer(401, b"", WWW_Authenticate=asked)
        return False


def _md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


@pytest.fixture
def host() -> Iterator[Host]:
    served = Host()
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()


GRAPH = "http://example.org/graph"
LINES = b"<http://a.example/> <http://b.example/> <http://c.example/> .\n"


@pytest.mark.parametrize(
    ("wants", "auth"),
    [
        ("Basic", Password("lamp", "wick")),
        ("Digest", Password("lamp", "wick")),
        ("Bearer", Bearer("t0k.en")),
        ("", None),
    ],
)
def test_who_one_is_is_told_as_the_server_asks(host: Host, wants: str, auth: httpx.Auth | None) -> None:
    host.wants = wants
    with GraphStore(host.address, auth=auth, patience=QUICK) as server:
        server.put(GRAPH, LINES)
        server.post(GRAPH, LINES + LINES.replace(b"c.ex", b"d.ex"))
        before = len(host.calls)
        assert server.count(GRAPH) == 2
        assert len(host.calls) == before + 1, "asked for once"
        if wants == "Digest":
            host.nonces += 1  # the old one has gone stale
            server.post(GRAPH, LINES)
    assert wants != "Basic" or "Authorization" not in host.calls[0][2], "not before it is asked for"


@pytest.mark.parametrize("auth", [None, Password("lamp", "oil"), Bearer("other")])
@pytest.mark.parametrize("wants", ["Basic", "Digest", "Bearer"])
def test_who_is_not_known_is_told_at_once(host: Host, wants: str, auth: httpx.Auth | None) -> None:
    host.wants = wants
    advice = "check user and password" if auth else "give --user or --token-file"
    with (
        GraphStore(host.address, auth=auth, patience=QUICK) as server,
        pytest.raises(PublishError, match=f"answers 401 Unauthorized: {advice}"),
    ):
        server.put(GRAPH, LINES)
    assert len(host.calls) <= 3
    assert not host.graphs


def test_no_other_host_hears_the_password(host: Host) -> None:
    other = Host()
    threading.Thread(target=other.serve_forever, daemon=True).start()
    with GraphStore(host.address, f"{other.address[:-6]}/query", Bearer("t0k.en"), QUICK) as server:
        host.wants = "Bearer"
        server.put(GRAPH, LINES)
        server.count(GRAPH)
    assert ["Authorization" in headers for _, _, headers in host.calls + other.calls] == [True, False]
    other.shutdown()
    other.server_close()


def breaks(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    "fault",
    [
        breaks,
        lambda handler: handler.answer(500, b"lock held"),
        lambda handler: handler.answer(503, b"<h1>busy</h1>", Content_Type="text/html"),
        lambda handler: handler.answer(429, Retry_After="0"),
    ],
)
def test_what_may_pass_is_asked_for_again(host: Host, fault: Callable[[Handler], object]) -> None:
    with GraphStore(host.address, patience=QUICK) as server:
        for call in (lambda: server.put(GRAPH, LINES), lambda: server.post(GRAPH, LINES)):
            host.faults.extend([fault] * 3)
            call()
        host.faults.extend([fault] * 3)
        assert server.count(GRAPH) == 1
        assert len(host.calls) == 12
        host.faults.extend([fault] * 4)
        with pytest.raises(PublishError, match="4 times: run it again later, and it goes on") as told:
            server.count(GRAPH)
    assert "<h1>" not in str(told.value)


def test_waits_grow_and_are_as_the_server_asks(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(graphstore.time, "sleep", waits.append)  # type: ignore[attr-defined]
    with GraphStore(host.address, patience=Patience()) as server:
        host.faults.extend([lambda handler: handler.answer(503)] * 6)
        server.put(GRAPH, LINES)
        for number, wait in enumerate(waits):
            assert 2**number / 2 <= wait <= 2**number * 1.5
        waits.clear()
        host.faults.append(lambda handler: handler.answer(429, Retry_After="7"))
        server.put(GRAPH, LINES)
        assert waits == [7]
        host.faults.append(lambda handler: handler.answer(429, Retry_After="3600"))
        with pytest.raises(PublishError, match="429 Too Many Requests and asks to wait 3,600 seconds: run"):
            server.put(GRAPH, LINES)


@pytest.mark.parametrize(
    ("status", "headers", "body", "message"),
    [
        (400, {}, b"line 1: no IRI", r"answers 400 Bad Request \(line 1: no IRI\): check the address"),
        (403, {}, b"", "answers 403 Forbidden: this user may not do that"),
        (404, {}, b"", "404 Not Found: this is no Graph Store Protocol .* ends in /store"),
        (405, {}, b"", "405 Method Not Allowed: this is no Graph Store Protocol"),
        (413, {}, b"", f"413 Request Entity Too Large: let it take {len(LINES)} bytes"),
        (415, {}, b"", "415 Unsupported Media Type: check the address"),
        (507, {}, b"disk full", r"507 Insufficient Storage \(disk full\): make room there"),
        (301, {"Location": "https://example.org/"}, b"", "leads to https://example.org/; give that address"),
    ],
)
def test_what_will_not_pass_is_told_at_once(
    host: Host, status: int, headers: dict[str, str], body: bytes, message: str
) -> None:
    host.faults.append(lambda handler: handler.answer(status, body, **headers))
    with GraphStore(host.address, patience=QUICK) as server, pytest.raises(PublishError, match=message):
        server.post(GRAPH, LINES)
    assert len(host.calls) == 1


@pytest.mark.parametrize(
    ("status", "kind", "body", "message"),
    [
        (
            200,
            "text/html",
            b"<html>",
            "answers a query with a web page, not with .* --query-end",
        ),
        (200, "application/json", b'{"results": {"bindin', "answers a query with something else"),
        (200, "application/json", b"[]", "answers a query with something else"),
        (
            404,
            "text/plain",
            b"",
            "404 Not Found: give the address of the SPARQL endpoint by",
        ),
    ],
)
def test_nothing_is_sent_where_nothing_can_be_counted(
    store: Store, host: Host, tmp_path: Path, status: int, kind: str, body: bytes, message: str
) -> None:
    host.faults.append(lambda handler: handler.answer(status, body, Content_Type=kind))
    with GraphStore(host.address, patience=QUICK) as server, pytest.raises(PublishError, match=message):
        publish(store, server, quiet, cache=tmp_path)
    assert [method for method, _, _ in host.calls] == ["GET"]


def test_two_at_once_are_refused(store: Store, host: Host, tmp_path: Path) -> None:
    with GraphStore(host.address, patience=QUICK) as server:
        (tmp_path / "publish").mkdir()
        name = hashlib.sha256(server.name.encode()).hexdigest()[:16]
        with (tmp_path / "publish" / f"{name}.lock").open("ab") as held:
            lock(held)
            with pytest.raises(PublishError, match="another process publishes to http://127"):
                publish(store, server, quiet, cache=tmp_path)


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    patience = Patience(retries=9, backoff=100)
    for address in ("http://127.0.0.1:1/store", "http://nowhere.invalid/store"):
        with (
            GraphStore(address, patience=patience) as server,
            pytest.raises(PublishError, match=r"cannot be reached .*: check the address, and that"),
        ):
            server.count(GRAPH)


def test_a_certificate_that_nobody_knows_is_told(host: Host, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate")
    import ssl

    made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    files = ["-keyout", tmp_path / "key", "-out", tmp_path / "certificate"]
    subprocess.run(["openssl", "req", *made, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    host.socket = context.wrap_socket(host.socket, server_side=True)
    with (
        GraphStore(host.address.replace("http:", "https:"), patience=QUICK) as server,
        pytest.raises(PublishError, match=r"certificate of 127\.0\.0\.1 is not trusted .*SSL_CERT_FILE"),
    ):
        server.count(GRAPH)


@pytest.mark.parametrize(
    ("endpoint", "queries"),
    [
        ("http://localhost:7878/store", "http://localhost:7878/query"),
        ("https://a.example/sparql-graph-crud-auth", "https://a.example/sparql"),
        ("https://a.example:8443/fuseki/cards/data", "https://a.example:8443/fuseki/cards/query"),
        ("http://a.example/repositories/r/rdf-graphs/service", "http://a.example/repositories/r"),
    ],
)
def test_where_queries_are_answered_is_known_of_some_stores(endpoint: str, queries: str) -> None:
    assert query_address(endpoint) == queries


@pytest.mark.parametrize(
    ("endpoint", "message"),
    [
        ("https://a.example/graphs", "does not tell where .* give --query-endpoint"),
        ("localhost:7878/store", "begins with http:// or https://"),
        ("ftp://a.example/store", "begins with http:// or https://"),
        ("http://a.example:x/store", "is no address of the web"),
        ("http://lamp:wick@a.example/store", "password in the address .* use --user and --password-file"),
    ],
)
def test_addresses_that_cannot_be(endpoint: str, message: str) -> None:
    with pytest.raises(PublishError, match=message) as told:
        GraphStore(endpoint)
    assert "wick" not in str(told.value)


# -- the program -----------------------------------------------------------------------------------------


def cardlaw(
    *args: str, store: Path, cache: Path, stdin: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()"]
    settings = os.environ | {"CARDLAW_STORE": str(store), "XDG_CACHE_HOME": str(cache)} | env
    return subprocess.run([*program, *args], input=stdin, capture_output=True, encoding="utf-8", env=settings)


@pytest.mark.parametrize(
    ("wants", "args", "stdin", "env"),
    [
        ("Basic", ["--user", "lamp", "--password-file", "-"], "wick\n", {}),
        ("Digest", ["--user", "lamp"], "", {"CARDLAW_PASSWORD": "wick"}),
        ("Bearer", ["--token-file", "-"], "t0k.en\r\n", {}),
        ("Bearer", [], "", {"CARDLAW_TOKEN": "t0k.en"}),
    ],
)
def test_the_program_takes_secrets(
    small_store: Path,
    host: Host,
    tmp_path: Path,
    wants: str,
    args: list[str],
    stdin: str,
    env: dict[str, str],
) -> None:
    host.wants = wants
    done = cardlaw(
        "publish", *args, host.address, "-q", store=small_store, cache=tmp_path, stdin=stdin, **env
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with open_store(small_store) as store:
        for name, count in store.info.quads.items():
            assert len(host.graphs.get(layer(name).value, ())) == count


def test_ctrl_c_says_that_it_goes_on(small_store: Path, host: Host, tmp_path: Path) -> None:
    host.faults.append(lambda handler: time.sleep(5))
    program = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()", "publish", host.address]
    settings = os.environ | {"CARDLAW_STORE": str(small_store), "XDG_CACHE_HOME": str(tmp_path)}
    running = subprocess.Popen(program, stderr=subprocess.PIPE, encoding="utf-8", env=settings)
    while not host.calls:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=4)[1]
    assert (running.returncode, said) == (
        130,
        "cardlaw: stopped: run it again, and it goes on where it was\n",
    )


@pytest.mark.parametrize(
    ("args", "stdin", "message", "code"),
    [
        (["--password-file", "-"], "wick", "goes with --user", 2),
        (["--user", "lamp", "--token-file", "-"], "x", "not both", 2),
        (["--token-file", "-"], "two words", "the token is none", 1),
        (["--token-file", "-"], "\n", "begins with an empty line", 1),
        (["--token-file", "/nonexistent/token"], "", "there is no file /nonexistent/token", 1),
        ([], "", "answers 401 Unauthorized: give --user or --token-file", 1),
    ],
)
def test_the_program_refuses_in_one_line(
    small_store: Path, host: Host, tmp_path: Path, args: list[str], stdin: str, message: str, code: int
) -> None:
    host.wants = "Digest"
    done = cardlaw("publish", *args, host.address, store=small_store, cache=tmp_path, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
