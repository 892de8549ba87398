"""`cardlaw serve` as a process: starting, stopping, bad clients, and a store that changes under it."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from serving import PROGRAM, Server, serving
from starlette.testclient import TestClient
from test_workers import until

from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.exports.workers import Limits
from cardlaw.graph.build import build

pytestmark = pytest.mark.programs

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?a) < STR(?i)) }"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture(scope="module")
def server(small_store: Path) -> Iterator[Server]:
    with serving(small_store, "--timeout", "3") as server:
        yield server


# One client for all: to make one takes longer than most requests. No connection is used twice.
CLIENT = httpx.Client(
    timeout=60, trust_env=False, limits=httpx.Limits(max_connections=None, max_keepalive_connections=0)
)


def ask(server: Server, query: str = "ASK {}") -> httpx.Response:
    return CLIENT.get(server.sparql, params={"query": query})


def raw(server: Server, data: bytes, *, seconds: float = 20) -> bytes:
    """What comes back for these bytes until the server closes."""
    port = int(server.address.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.sendall(data)
        received = b""
        try:
            while block := connection.recv(65536):
                received += block
        except ConnectionResetError:
            pass
    return received


# -- starting and stopping ---------------------------------------------------------------------------


def test_it_serves_at_a_free_port_of_this_machine_only(server: Server) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", server.address)
    assert ask(server).json() == {"head": {}, "boolean": True}
    assert not any("other machines" in line for line in server.lines)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_stops_cleanly_with_queries_at_work(small_store: Path, number: signal.Signals, code: int) -> None:
    with serving(small_store) as server, ThreadPoolExecutor(8) as threads:
        assert ask(server).status_code == 200
        asked = [threads.submit(ask, server, ENDLESS) for _ in range(8)]
        time.sleep(1)
        workers = server.workers()
        server.process.send_signal(number)
        assert server.process.wait(15) == code
        for each in asked:
            answer = each.result()
            assert (answer.status_code, answer.text) == (503, "the server is stopping\n")
        assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
        assert not any("Traceback" in line for line in server.lines)


@linux
def test_its_workers_end_with_it_however_it_ends(small_store: Path) -> None:
    with serving(small_store) as server:
        assert ask(server).status_code == 200
        assert until(lambda: len(server.workers()) == 4)
        with ThreadPoolExecutor(1) as threads:
            asked = threads.submit(ask, server, ENDLESS)
            time.sleep(0.5)
            workers = server.workers()
            server.process.kill()
            with pytest.raises(httpx.HTTPError):
                asked.result()
        assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def run(*options: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, options)], capture_output=True, text=True, timeout=60)


def test_what_it_cannot_do_is_told_in_one_line(server: Server, small_store: Path, tmp_path: Path) -> None:
    port = server.address.rstrip("/").rpartition(":")[2]
    for options, told in (
        (("--store", small_store, "--port", port), f"127.0.0.1 port {port}"),
        (("--store", small_store, "--host", "no such host"), "no such host"),
        (("--store", small_store, "--host", "203.0.113.1"), "203.0.113.1"),
        (("--store", tmp_path), "cardlaw build"),
    ):
        done = run(*options)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith("cardlaw: ")
        assert told in done.stderr
    assert run("--port", "70000").returncode == 2
    assert run("--workers", "0").returncode == 2


def test_it_tells_when_others_can_reach_it(small_store: Path) -> None:
    with serving(small_store, "--host", "0.0.0.0") as server:
        assert "other machines" in server.lines[0]


def test_requests_are_logged_to_stderr_unless_quiet(small_store: Path) -> None:
    with serving(small_store) as server:
        CLIENT.get(server.address + "no%0Asuch%1B[31mpage?x=%0A")
        assert until(lambda: len(server.lines) > 1)
        assert server.lines[1].endswith('"GET /no%0Asuch%1B%5B31mpage?x=%0A HTTP/1.1" 404')


# -- what it answers ---------------------------------------------------------------------------------


def test_every_response_has_the_headers_that_browsers_heed(small_store: Path) -> None:
    with TestClient(create_app(Site(small_store, "http://x/"), Limits(workers=1))) as client:
        for path in ("/sparql", "/sparql?query=x", "/no/such/page"):
            headers = client.get(path).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "DENY"
        assert client.get("/no/such/page").status_code == 404


def test_any_host_name_is_answered_alike(server: Server) -> None:
    own, other = (
        CLIENT.get(server.sparql, headers={"Host": host} if host else {}).text
        for host in ("", "evil.example")
    )
    assert f"<{server.sparql}> a sd:Service" in re.sub(r"_:\w+", "_:b", own)
    assert re.sub(r"_:\w+", "", own) == re.sub(r"_:\w+", "", other)


def test_options_are_limits(small_store: Path) -> None:
    with serving(small_store, "--rows", "3", "--workers", "1", "--memory", "500") as server:
        answer = ask(server, "SELECT * { ?s ?p ?o }")
        assert answer.status_code == 503
        assert "more than 3 rows" in answer.text
        assert ask(server, "SELECT * { ?s ?p ?o } LIMIT 3").status_code == 200


# -- under load --------------------------------------------------------------------------------------


def test_two_hundred_at_once(server: Server) -> None:
    with ThreadPoolExecutor(200) as threads:
        answers = list(threads.map(lambda _: ask(server).status_code, range(200)))
    assert answers == [200] * 200


def test_slow_queries_hold_up_nothing(server: Server) -> None:
    with ThreadPoolExecutor(6) as threads:
        slow = [threads.submit(ask, server, ENDLESS) for _ in range(4)]
        time.sleep(0.5)
        assert ask(server).status_code == 200
        assert not all(each.done() for each in slow)
        assert {each.result().status_code for each in slow} == {503}
    assert ask(server).status_code == 200


def test_clients_that_leave_free_their_workers(server: Server) -> None:
    for _ in range(12):
        with pytest.raises(httpx.TimeoutException):
            CLIENT.get(server.sparql, params={"query": ENDLESS}, timeout=0.2)
    begun = time.monotonic()
    assert ask(server).status_code == 200
    assert time.monotonic() - begun < 10


@linux
def test_killed_workers_come_back(server: Server) -> None:
    assert until(lambda: len(server.workers()) == 4)
    for pid in (before := server.workers()):
        subprocess.run(["kill", "-9", str(pid)], check=True)
    assert ask(server).status_code == 200
    assert not set(before) & set(server.workers())


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\n\n",
        b"GET /sparql?query=" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Length: nan\r\n\r\n",
        b"GET /sparql?query=\xe2\x82 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused(server: Server, data: bytes) -> None:
    assert raw(server, data).startswith(b"HTTP/1.1 400 ")
    assert ask(server).status_code == 200


def test_a_body_too_long_is_refused_before_it_is_read(server: Server) -> None:
    head = b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\n"
    assert raw(server, head + b"Content-Length: 99999999999\r\n\r\n").startswith(b"HTTP/1.1 413 ")


def test_who_sends_no_request_is_cut_off(server: Server) -> None:
    begun = time.monotonic()
    port = int(server.address.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"GET /sparql HTTP/1.1\r\nHost: x\r\n")

        def drip() -> bool:
            try:
                connection.sendall(b"X-Drip: 1\r\n")  # a line now and then keeps no connection open
            except OSError:
                return True
            return False

        assert until(drip, 60)
    assert 10 < time.monotonic() - begun < 40


# -- the store ---------------------------------------------------------------------------------------


def test_a_new_build_takes_over_while_two_servers_answer(small_store: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(small_store, store)
    count = "SELECT (COUNT(?card) AS ?n) { ?card a mtg:Card }"

    def cards(server: Server) -> int:
        answer = ask(server, count)
        assert answer.status_code == 200, answer.text
        return int(json.loads(answer.text)["results"]["bindings"][0]["n"]["value"])

    fixture = Path(__file__).parent / "fixtures" / "cards.json"
    fewer = tmp_path / "cards.json"
    fewer.write_text(json.dumps(json.loads(fixture.read_text(encoding="utf-8"))[:3]))
    with serving(store) as one, serving(store) as other:
        before = cards(one)
        assert cards(other) == before
        done = threading.Event()
        seen: set[int] = set()

        def watch() -> None:
            while not done.is_set():
                seen.add(cards(one))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            after = build(cards=[fewer], store=store, workers=1).counts["cards"]
            assert until(lambda: cards(one) == cards(other) == after)
        finally:
            done.set()
            watcher.join()
        assert after < before
        assert seen == {before, after}
        (store / "current").write_text("no build!")  # what is spoiled meanwhile stops nobody
        time.sleep(1.2)
        assert cards(one) == after
