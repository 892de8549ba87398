"""Fetching from a host on this machine that answers like Scryfall and Wizards do, and then does all it can
to go wrong: whatever it answers, the cache holds what it held, and one line says what to do.
"""

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
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from cardlaw.graph.errors import SourceError
from cardlaw.graph.sources import addresses, download, published
from cardlaw.graph.sources.download import Options
from cardlaw.graph.sources.fetch import Fetched, fetch, latest_cards, latest_rules, latest_rulings
from cardlaw.graph.sources.packing import unpacked

PATH = Path(__file__).parent / "fixtures" / "rulebook.txt"
RULES = PATH.read_bytes()  # effective 2030-02-03
QUICK = Options(pause=0, backoff=0.01, timeout=5, retries=2)
DAY = "Fri, 02 Jan 2026 09:01:30 GMT"


def cards(count: int = 300, *, object_: str = "card") -> bytes:
    """Records as Scryfall gives them, one a line; hashes make them hard to pack."""
    records = (
        {"object": object_, "name": f"Invented {n}", "id": hashlib.sha256(b"%d" % n).hexdigest()}
        for n in range(count)
    )
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


PACKED = gzip.compress(cards(), mtime=0)


@dataclass
class Resource:
    """A file of the host; the validators of None are not sent."""

    data: bytes
    etag: str | None = '"v1"'
    last_modified: str | None = DAY
    headers: dict[str, str] = field(default_factory=dict)


class Handler(BaseHTTPRequestHandler):
    """Answers like a file host: conditions, ranges, lengths; but first come the faults, each once."""

    protocol_version = "HTTP/1.1"
    server: Host

    def do_GET(self) -> None:
        path = self.path
        self.server.calls.append((path, dict(self.headers), time.monotonic()))
        self.close_connection = True
        if self.server.faults[path]:
            self.server.faults[path].popleft()(self)
        elif path in self.server.files:
            self.send(self.server.files[path])
        else:
            self.answer(404, b"nothing here")

    def send(self, resource: Resource, *, cut: int | None = None) -> None:
        """The resource as the request asks for it; `cut` breaks the body off."""
        headers = dict(resource.headers)
        headers |= {"ETag": resource.etag} if resource.etag else {}
        headers |= {"Last-Modified": resource.last_modified} if resource.last_modified else {}
        if resource.etag and self.headers.get("If-None-Match") == resource.etag:
            return self.answer(304, b"", headers)
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        size = len(resource.data)
        if asked and self.headers.get("If-Range") in (resource.etag, resource.last_modified):
            start = int(asked[1])
            if start >= size:
                return self.answer(416, b"", {"Content-Range": f"bytes */{size}"})
            headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
            return self.answer(206, resource.data[start:], headers, cut=cut)
        self.answer(200, resource.data, headers, cut=cut)

    def answer(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, *, cut: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:cut])

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Host(ThreadingHTTPServer):
    """A host on this machine, with what it has, what it does wrong next, and what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, Resource] = {}
        self.faults: defaultdict[str, deque[Callable[[Handler], None]]] = defaultdict(deque)
        self.calls: list[tuple[str, dict[str, str], float]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def publish(self, name: str, path: str, resource: Resource, **promises: Any) -> None:
        """List a file in the index, which has Scryfall's shape of 2026."""
        listed: list[dict[str, Any]] = []
        if "/bulk-data" in self.files:
            listed = json.loads(self.files["/bulk-data"].data)["data"]
        entry = {
            "object": "bulk_data",
            "type": name,
            "updated_at": "2026-01-02T09:01:30.123+00:00",
            "jsonl_download_uri": self.url + path,
            "compressed_size": len(resource.data),
        } | promises
        kept = [each for each in listed if each["type"] != name]
        index = {"object": "list", "has_more": False, "data": [*kept, entry]}
        self.files["/bulk-data"] = Resource(json.dumps(index).encode(), etag=None, last_modified=None)
        self.files[path] = resource

    def link(self, target: str, resource: Resource | None = None) -> None:
        """Have the rules page link a text."""
        page = f'<html><a href="/other.txt">x</a><p><a class="b" href="{target}">TXT</a></html>'
        self.files["/en/rules"] = Resource(page.encode())
        if resource:
            self.files[target.replace(" ", "%20")] = resource

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # clients go away; that is what is tested


FILE = "/oracle-cards/oracle-cards-20260102090130.jsonl.gz"
TEXT = "/2030/downloads/MagicCompRules 20300203.txt"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def host() -> Iterator[Host]:
    with Host() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.publish("oracle_cards", FILE, Resource(PACKED))
        server.publish("rulings", "/r.jsonl.gz", Resource(gzip.compress(cards(3, object_="ruling"))))
        server.link(TEXT, Resource(RULES))
        yield server
        server.shutdown()
        thread.join()


class Getter:
    """`fetch` from the host into a cache."""

    def __init__(self, host: Host, cache: Path) -> None:
        self.host = host
        self.cache = cache

    def __call__(self, kind: Any = "cards", source: str | None = None, **other: Any) -> Fetched:
        given = {
            "cache": self.cache,
            "index": self.host.url + "/bulk-data",
            "rules_page": self.host.url + "/en/rules",
            "options": QUICK,
        }
        return fetch(kind, source=source, **(given | other))

    def refused(self, match: str, *args: Any, **other: Any) -> None:
        """The call fails with one line that tells what to do, and the cache is as it was."""
        before = contents(self.cache)
        with pytest.raises(SourceError, match=match) as caught:
            self(*args, **other)
        assert "\n" not in str(caught.value)
        assert re.search("again|check|open it|--from|give ", str(caught.value))
        assert contents(self.cache) == before


@pytest.fixture
def get(host: Host, tmp_path: Path) -> Getter:
    """Fetches from the host into an empty cache."""
    return Getter(host, tmp_path / "cache")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds rules and rulings."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "rulings.json").write_bytes(cards(3, object_="ruling"))
    fetch("rules", source=str(PATH), cache=folder / "cache")
    fetch("rulings", source=str(folder / "rulings.json"), cache=folder / "cache")
    return folder / "cache"


@pytest.fixture
def filled(get: Getter, prepared: Path) -> Getter:
    """Fetches into a copy of the prepared cache."""
    shutil.copytree(prepared, get.cache)
    return get


def contents(folder: Path) -> dict[str, bytes]:
    """All files that answer, by their path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


# -- what is right -----------------------------------------------------------------------------------


def test_cards_come_as_the_index_lists_them(host: Host, get: Getter) -> None:
    told: list[tuple[str, int, int | None]] = []
    found = get(progress=lambda *what: told.append(what))
    assert found.fresh
    assert found.path.read_bytes() == PACKED
    assert found.path.parent.name == "cards"
    assert re.fullmatch(r"oracle-cards-2026-01-02-[0-9a-f]{8}\.jsonl\.gz", found.path.name)
    assert (found.size, found.sha256) == (len(PACKED), hashlib.sha256(PACKED).hexdigest())
    assert (found.name, found.date, found.source) == ("oracle_cards", "2026-01-02", host.url + FILE)
    assert told[-1] == ("check", len(PACKED), len(PACKED))
    assert ("download", len(PACKED), len(PACKED)) in told
    assert list(contents(found.path.parents[1])) == [f"cards/{found.path.name}", "fetched.json"]


def test_calls_say_who_calls_and_what_they_take(
    host: Host, get: Getter, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(download, "time", SimpleNamespace(monotonic=time.monotonic, sleep=waits.append))
    get(options=Options(pause=60))
    assert [path for path, *_ in host.calls] == ["/bulk-data", FILE]
    for _, headers, _ in host.calls:
        assert re.fullmatch(r"cardlaw/\d[\w.]* \(\+https://w3id\.org/cardlaw\)", headers["User-Agent"])
        assert headers["Accept"] == "application/json;q=0.9,*/*;q=0.8"
    assert [wait for wait in waits if wait > 30], "a pause between the two calls"


def test_the_same_version_is_not_fetched_again(host: Host, get: Getter) -> None:
    first = get()
    second = get()
    assert (second.fresh, second.path) == (False, first.path)
    assert second.fetched > first.fetched
    assert host.calls[-1][1]["If-None-Match"] == '"v1"'
    assert host.calls[-1][1]["If-Modified-Since"] == DAY


def test_a_file_that_was_damaged_in_the_cache_is_fetched_again(get: Getter) -> None:
    first = get()
    first.path.write_bytes(PACKED[:-1] + b"x")
    assert get().fresh
    assert first.path.read_bytes() == PACKED


def test_a_newer_file_takes_the_place_of_the_older(host: Host, get: Getter) -> None:
    first = get()
    newer = Resource(gzip.compress(cards(7)), etag='"v2"')
    host.publish("oracle_cards", "/new.jsonl.gz", newer, updated_at="2026-01-03T09:00:00+00:00")
    second = get()
    assert second.fresh
    assert second.path.name.startswith("oracle-cards-2026-01-03-")
    assert not first.path.exists()
    assert latest_cards(second.path.parents[1]) == Fetched(
        **{name: getattr(second, name) for name in Fetched.__struct_fields__} | {"fresh": False}
    )


def test_the_older_index_and_answers_in_gzip(host: Host, get: Getter) -> None:
    plain = b"[" + b",\n".join(cards().splitlines()) + b"]"
    old = {"jsonl_download_uri": None, "download_uri": f"{host.url}/d.json", "compressed_size": 1}
    coded = Resource(gzip.compress(plain), headers={"Content-Encoding": "gzip"})
    host.publish("default_cards", "/d.json", coded, size=len(plain), **old)
    found = get(bulk="default_cards")
    assert found.path.name.endswith(".json.gz")
    assert gzip.decompress(found.path.read_bytes()) == plain
    assert host.calls[-1][1]["Accept-Encoding"] == "gzip"
    host.publish("default_cards", "/d.json", Resource(plain, etag='"v2"'), size=len(plain), **old)
    assert get(bulk="default_cards").path.suffix == ".json"


def test_rules_stand_under_their_effective_date_and_stay(host: Host, get: Getter) -> None:
    first = get("rules")
    cache = first.path.parents[1]
    assert (first.path.name, first.date, first.fresh) == ("2030-02-03.txt", "2030-02-03", True)
    assert first.path.read_bytes() == RULES
    assert host.calls[-1][0] == "/2030/downloads/MagicCompRules%2020300203.txt"
    assert not get("rules").fresh
    older = RULES.replace(b"February 3, 2030", b"January 5, 2029")
    host.link(
        "/MagicCompRules 20290105.txt", Resource(gzip.compress(older), headers={"Content-Encoding": "gzip"})
    )
    second = get("rules")
    assert (second.path.name, second.path.read_bytes()) == ("2029-01-05.txt", older)
    assert first.path.exists()
    newest = latest_rules(cache)
    assert newest is not None
    assert newest.path == first.path


def test_rules_that_are_corrected_on_the_same_day(host: Host, get: Getter) -> None:
    get("rules")
    host.link(TEXT, Resource(RULES + b"\r\n", etag='"v2"'))
    found = get("rules")
    assert found.fresh
    assert found.path.read_bytes() == RULES + b"\r\n"
    assert len(list(found.path.parent.iterdir())) == 1


def test_rules_that_break_off_are_told(get: Getter, tmp_path: Path) -> None:
    text = tmp_path / "rules.txt"
    text.write_bytes(RULES[: RULES.rindex(b"Credits")])
    assert "incomplete" in get("rules", str(text)).warnings[0]


def test_rulings_and_nothing(get: Getter, tmp_path: Path) -> None:
    nothing = tmp_path / "none"
    assert (latest_cards(nothing), latest_rules(nothing), latest_rulings(nothing)) == (None, None, None)
    found = get("rulings")
    latest = latest_rulings(found.path.parents[1])
    assert latest is not None
    assert latest.path == found.path
    found.path.write_bytes(b"")
    assert latest_rulings(found.path.parents[1]) is None


def test_a_file_of_the_user(filled: Getter, tmp_path: Path) -> None:
    mine = tmp_path / "my cards 20251231.json"
    mine.write_bytes(b'[{"name": "Invented"}]')
    found = filled("cards", str(mine))
    assert (found.source, found.date, found.fresh) == (mine.name, "2025-12-31", True)
    assert not filled("cards", str(mine)).fresh
    filled.refused("No such file", "cards", str(tmp_path / "none.json"))
    filled.refused("Is a directory", "cards", str(tmp_path))
    if Path("/dev/zero").exists():
        filled.refused("is over 1,000 bytes", "cards", "/dev/zero", options=Options(max_file=1000))


def test_an_address_of_the_user(host: Host, get: Getter) -> None:
    host.files["/mine.json?key=k"] = Resource(b'[{"name": "Invented"}]', etag=None)
    address = host.url.replace("://", "://user:secret@") + "/mine.json?key=k"
    found = get("cards", address)
    assert (found.date, found.source) == ("2026-01-02", host.url + "/mine.json?key=k")
    assert b"secret" not in (found.path.parents[1] / "fetched.json").read_bytes()
    host.faults["/mine.json?key=k"].append(lambda call: call.answer(403, b""))
    with pytest.raises(SourceError, match=r"mine\.json answers 403 Forbidden: check") as caught:
        get("cards", address)
    assert "secret" not in str(caught.value)


def test_redirects_are_followed(host: Host, get: Getter) -> None:
    for path, target in (("/bulk-data", "/moved"), (FILE, f"{host.url}/elsewhere.gz")):
        host.faults[path].append(lambda call, to=target: call.answer(302, b"", {"Location": to}))
        host.files[target.removeprefix(host.url)] = host.files[path]
    assert get().fresh


def test_a_proxy_is_used(host: Host, filled: Getter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", host.url)
    host.files["http://cards.example/c.json"] = Resource(b"[]")
    assert filled("cards", "http://cards.example/c.json").fresh
    monkeypatch.setenv("http_proxy", "gopher://x")
    filled.refused("proxy", "cards", "http://cards.example/c.json")


# -- what breaks off ---------------------------------------------------------------------------------


def test_a_download_that_breaks_off_goes_on(host: Host, get: Getter) -> None:
    host.faults[FILE].append(lambda call: call.send(host.files[FILE], cut=1000))
    found = get()
    assert found.path.read_bytes() == PACKED
    assert host.calls[-1][1]["Range"] == "bytes=1000-"
    assert host.calls[-1][1]["If-Range"] == '"v1"'


def test_the_next_call_goes_on_where_the_last_broke_off(host: Host, get: Getter) -> None:
    for _ in range(3):
        host.faults[FILE].append(lambda call: call.send(host.files[FILE], cut=100))
    with pytest.raises(SourceError, match=r"broke off .* 3 times: run it again, and it goes on"):
        get()
    get()
    assert host.calls[-1][1]["Range"] == "bytes=300-"


@pytest.mark.parametrize("fault", ["changed", "other range", "other etag", "ignored", "unsatisfiable"])
def test_another_version_is_never_mixed_in(host: Host, get: Getter, fault: str) -> None:
    other = gzip.compress(cards(301))
    resource = Resource(other, etag='"v2"')
    answers: dict[str, Callable[[Handler], None]] = {
        "changed": lambda call: call.send(resource),
        "other range": lambda call: call.answer(206, other[9:], {"Content-Range": "bytes 9-99/100"}),
        "other etag": lambda call: call.answer(
            206, other[1000:], {"ETag": '"v2"', "Content-Range": f"bytes 1000-{len(other) - 1}/{len(other)}"}
        ),
        "ignored": lambda call: call.answer(200, other),
        "unsatisfiable": lambda call: call.answer(416, b"", {"Content-Range": "bytes */77"}),
    }
    host.faults[FILE] += (lambda call: call.send(host.files[FILE], cut=1000), answers[fault])
    host.publish("oracle_cards", FILE, Resource(PACKED), compressed_size=None)

    def then_other(call: Handler) -> None:
        host.files[FILE] = resource
        call.send(resource)

    host.faults[FILE].append(then_other)
    assert get(options=Options(pause=0, backoff=0.01, timeout=5, retries=4)).path.read_bytes() == other


def test_all_of_it_had_come(host: Host, get: Getter, tmp_path: Path) -> None:
    host.faults[FILE].append(
        lambda call: call.answer(200, PACKED, {"ETag": '"v1"', "Content-Length": "999999"})
    )
    found = get()
    assert host.calls[-1][1]["Range"] == f"bytes={len(PACKED)}-"
    assert found.path.read_bytes() == PACKED


def test_without_validators_it_starts_over(host: Host, get: Getter) -> None:
    host.files[FILE] = Resource(PACKED, etag='W/"v1"', last_modified=None)
    host.faults[FILE].append(lambda call: call.send(host.files[FILE], cut=1000))
    assert get().fresh
    assert "Range" not in host.calls[-1][1]


def test_control_c_leaves_a_part(host: Host, tmp_path: Path) -> None:
    def stall(call: Handler) -> None:
        call.send(host.files[FILE], cut=2000)
        call.wfile.flush()
        time.sleep(3)

    host.faults[FILE].append(stall)
    code = (
        "import sys; from pathlib import Path; from cardlaw.graph.sources.fetch import fetch\n"
        "fetch('cards', cache=Path(sys.argv[1]), index=sys.argv[2])"
    )
    part = tmp_path / "parts" / "oracle_cards"
    program = [sys.executable, "-c", code, str(tmp_path), host.url + "/bulk-data"]
    with subprocess.Popen(program, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 5
        while not (part.exists() and part.with_name("oracle_cards.json").exists()):
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=5)
    assert b"KeyboardInterrupt" in told
    assert part.read_bytes() == PACKED[:2000]
    found = fetch("cards", cache=tmp_path, index=host.url + "/bulk-data", options=QUICK)
    assert found.path.read_bytes() == PACKED
    assert host.calls[-1][1]["Range"] == "bytes=2000-"


# -- what a host does wrong --------------------------------------------------------------------------


def test_too_many_requests(host: Host, filled: Getter) -> None:
    host.faults["/bulk-data"].append(lambda call: call.answer(429, b"", {"Retry-After": "1"}))
    host.faults[FILE].append(
        lambda call: call.answer(429, b"", {"Retry-After": formatdate(time.time() - 9, usegmt=True)})
    )
    filled()
    assert host.calls[1][2] - host.calls[0][2] > 0.9
    host.faults[FILE].append(lambda call: call.answer(429, b"", {"Retry-After": "3600"}))
    filled.refused("asks to wait 3,600 seconds: run it again after that")


def test_errors_that_pass_and_errors_that_stay(host: Host, filled: Getter) -> None:
    host.faults["/bulk-data"].append(lambda call: call.answer(500, b""))
    host.faults[FILE] += (lambda call: call.answer(503, b"", {"Retry-After": "soon"}), lambda call: None)
    assert filled().fresh
    for _ in range(3):
        host.faults[FILE].append(lambda call: call.answer(502, b""))
    filled.refused("answers 502 Bad Gateway, 3 times: try again later")
    del host.files[FILE]
    filled.refused("answers 404 Not Found: check the address")


def test_a_slow_host(host: Host, filled: Getter) -> None:
    def stall(call: Handler) -> None:
        time.sleep(0.5)

    def drip(call: Handler) -> None:
        call.send_response(200)
        call.end_headers()
        for _ in range(50):
            call.wfile.write(b"[")
            time.sleep(0.03)

    host.faults["/bulk-data"] += (stall, stall)
    hasty = Options(pause=0, backoff=0.01, timeout=0.2, retries=1)
    filled.refused("does not answer in time, 2 times: try again later", options=hasty)
    host.faults["/bulk-data"].append(drip)
    filled.refused("takes over 0 seconds: run it again", options=Options(time_limit=0.3))


def test_wrong_lengths(host: Host, filled: Getter) -> None:
    host.publish("oracle_cards", FILE, Resource(PACKED), compressed_size=len(PACKED) + 1)
    filled.refused(r"has [\d,]+ bytes, not [\d,]+ as promised: run it again")
    host.publish("oracle_cards", FILE, Resource(PACKED), compressed_size=None, size=5)
    assert filled().fresh  # a size goes with the older kind of address
    old = {"jsonl_download_uri": None, "download_uri": host.url + "/x.json"}
    host.publish("oracle_cards", "/x.json", Resource(cards()), size=5, **old)
    filled.refused("bytes, not 5 as promised")
    host.publish("oracle_cards", "/x.json", Resource(cards()), size=None, sha256="0" * 64, **old)
    filled.refused("has not the SHA-256 that was promised")
    right = hashlib.sha256(cards()).hexdigest().upper()
    host.publish("oracle_cards", "/x.json", Resource(cards()), size=None, sha256=right, **old)
    assert filled().fresh


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"<!DOCTYPE html><title>Sign in</title>",
            "is a web page, not a file of cards: open it in a browser",
        ),
        (gzip.compress(b" \n<html>", mtime=0), "is a web page"),
        (b"", "is empty"),
        (b" \n", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"Too many requests", "is no JSON"),
        (b'{"object":"error","status":404}', "holds a “error”, not a file of cards"),
        (b'[{"object": "ruling"}]', "holds a “ruling”, not a file of cards"),
        (b'[{"object":"card"},{"na', "ends early: get it again"),
        (PACKED[:-400], "ends early: get it again"),
        (PACKED[:1000] + b"\0" + PACKED[1001:], "is damaged"),
        (PACKED + b"more", "is damaged"),
    ],
)
def test_what_is_no_file_of_cards(
    host: Host, filled: Getter, tmp_path: Path, data: bytes, message: str
) -> None:
    host.publish("oracle_cards", FILE, Resource(data))
    filled.refused(message)
    filled.refused(message, "cards", host.url + FILE)
    mine = tmp_path / "mine.json"
    mine.write_bytes(data)
    filled.refused(message, "cards", str(mine))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html>", "web page instead of the index"),
        (b"{", "not the index that it was"),
        (b"[" * 100_000, "not the index that it was"),
        (b'{"data": [7]}', "not the index that it was"),
        (b'{"data": []}', "lists no oracle_cards"),
        (b'{"data": [{"type": "oracle_cards"}]}', "not the index that it was"),
        (b'{"data": [{"type": "oracle_cards", "updated_at": "today"}]}', "not the index that it was"),
        (b'{"data": [{"type": "oracle_cards", "updated_at": "2026-01-02T03:04:05Z"}]}', "gives no address"),
        (
            b'{"data": [{"type": "oracle_cards", "updated_at": "2026-01-02T03:04:05Z",'
            b' "download_uri": "file:///etc/passwd"}]}',
            "no address of the web",
        ),
        (
            b'{"data": [{"type": "oracle_cards", "updated_at": "2026-01-02T03:04:05Z",'
            b' "download_uri": "http://a:b:c/"}]}',
            "is no address of the web",
        ),
    ],
)
def test_a_bad_index(host: Host, filled: Getter, body: bytes, message: str) -> None:
    host.files["/bulk-data"].data = body
    filled.refused(message)


def test_a_page_without_rules_and_rules_that_are_none(host: Host, filled: Getter) -> None:
    host.files["/en/rules"].data = b'<a href="/MagicCompRules.pdf">PDF</a><a href="/x.txt">x</a>'
    filled.refused("links no text file of the rules: open it in a browser", "rules")
    host.link("/MagicCompRules 20300203.txt", Resource(b"Rules, but not those"))
    with pytest.raises(SourceError, match="give the official text file"):
        filled("rules")
    host.link("/MagicCompRules 20300203.txt", Resource(b"<html>"))
    filled.refused("is a web page, not a text of the rules", "rules")


def test_endless_bodies(host: Host, filled: Getter) -> None:
    def endless(call: Handler) -> None:
        call.send_response(200)
        call.end_headers()
        while True:
            call.wfile.write(b"[" * 65536)

    small = Options(pause=0, max_document=100_000, max_file=300_000)
    for path, message in (("/bulk-data", "over 100,000 bytes"), (FILE, "over 300,000 bytes: check")):
        host.faults[path].append(endless)
        filled.refused(message, options=small)
    host.faults[FILE].append(lambda call: call.answer(200, b"", {"Content-Length": "9" * 12}))
    filled.refused("over 300,000 bytes", options=small)
    host.faults["/2030/downloads/MagicCompRules%2020300203.txt"].append(endless)
    filled.refused("over 100,000 bytes", "rules", options=small)


def test_gzip_bombs(host: Host, filled: Getter, tmp_path: Path) -> None:
    bomb = gzip.compress(b"[" + b" " * 50_000_000 + b"]")
    small = Options(pause=0, max_document=1_000_000, max_unpacked=10_000_000)
    coded = Resource(bomb, headers={"Content-Encoding": "gzip"})
    host.publish("oracle_cards", FILE, Resource(bomb))
    filled.refused("over 10,000,000 bytes when unpacked", options=small)
    host.files["/bulk-data"] = coded
    filled.refused("over 1,000,000 bytes when unpacked", options=small)
    host.link("/MagicCompRules.txt", coded)
    filled.refused("over 1,000,000 bytes when unpacked", "rules", options=small)


def test_gzip_files_of_several_members() -> None:
    members = gzip.compress(b"one") + gzip.compress(b"", mtime=0) + gzip.compress(b"two") + b"\0" * 9
    for step in (1, 2, 7, 1000):
        chunks = [members[at : at + step] for at in range(0, len(members), step)]
        assert b"".join(unpacked(chunks, limit=6, name="x")) == b"onetwo"


def test_codings_that_were_not_asked_for(host: Host, get: Getter) -> None:
    host.files[FILE].headers["Content-Encoding"] = "br"
    with pytest.raises(SourceError, match="sends 'br', which was not asked for"):
        get()


# -- where addresses lead ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("file:///etc/passwd", "no address of the web"),
        ("ftp://127.0.0.1/x", "no address of the web"),
        ("data:,x", "leads to what is no address of the web"),
        ("http://a:b:c/", "Invalid URL in location"),
        (FILE, "redirects over 10 times"),
    ],
)
def test_redirects_that_are_not_followed(host: Host, filled: Getter, target: str, message: str) -> None:
    for _ in range(20):
        host.faults[FILE].append(lambda call: call.answer(302, b"", {"Location": target}))
    filled.refused(message)


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1/", "http://2130706433/", "http://[::1]/", "http://localhost/", "http://10.1/x"],
)
def test_a_public_address_does_not_lead_into_a_private_network(
    host: Host, filled: Getter, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setenv("http_proxy", host.url)  # so that public addresses can be called
    public = "http://cards.example/c.json"
    host.faults[public].append(lambda call: call.answer(302, b"", {"Location": target}))
    filled.refused("lies in a private network, and a public address", "cards", public)
    index = {"data": [{"type": "rulings", "updated_at": "2026-01-02T03:04:05Z", "download_uri": target}]}
    host.files[public] = Resource(json.dumps(index).encode())
    filled.refused("lies in a private network", "rulings", index=public)
    assert [path for path, *_ in host.calls] == [public, public]


def test_a_name_that_leads_elsewhere_a_moment_later(
    host: Host, filled: Getter, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = deque(["203.0.113.9", "127.0.0.1"])
    answers[0] = "93.184.215.14"

    def resolve(name: Any, port: Any, *args: Any, **other: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.popleft(), port))]

    calls = len(host.calls)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    address = f"http://cards.example:{host.server_port}/r.jsonl.gz"
    filled.refused("lies in a private network", "rulings", address)
    assert len(host.calls) <= calls + 1


def test_a_name_that_nobody_knows(filled: Getter, monkeypatch: pytest.MonkeyPatch) -> None:

    def unknown(*args: Any, **other: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    filled.refused("cards.example is not known to the network", "cards", "https://cards.example/")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f::1", True),
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::5db8:d70e", True),
        ("10.0.0.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert addresses.is_public(address) is public


def test_https_does_not_lead_to_http() -> None:
    page = b'<a href="http://m.example/MagicCompRules 04102024.txt"><a href="MagicCompRules%2020240206.txt">'
    where = httpx.URL("https://w.example/en/rules")
    assert str(published.linked(page, where)) == "https://w.example/en/MagicCompRules%2020240206.txt"
    found = published.linked(page.partition(b"><")[0] + b">", where)
    assert str(found) == "https://m.example/MagicCompRules%2004102024.txt"
    request = httpx.Request("GET", "https://w.example/")
    from cardlaw.graph.sources.download import _redirected

    with pytest.raises(SourceError, match="from https to http"):
        _redirected(httpx.Response(302, headers={"Location": "http://w.example/"}, request=request))


# -- the cache ---------------------------------------------------------------------------------------


def test_a_second_fetch_at_once(host: Host, get: Getter) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(call: Handler) -> None:
        begun.set()
        go_on.wait(5)
        call.send(host.files[FILE])

    host.faults[FILE].append(wait)
    found: list[Fetched] = []
    other = threading.Thread(target=lambda: found.append(get(options=Options(pause=0))))
    other.start()
    assert begun.wait(5)
    with pytest.raises(SourceError, match="another fetch is at work"):
        get()
    go_on.set()
    other.join()
    assert found[0].fresh


def test_a_damaged_list_and_a_cache_that_is_none(host: Host, get: Getter, tmp_path: Path) -> None:
    cache = get().path.parents[1]
    (cache / "fetched.json").write_bytes(b"{")
    assert latest_cards(cache) is None
    get()
    assert latest_cards(cache) is not None
    (tmp_path / "file").write_bytes(b"")
    assert latest_cards(tmp_path / "file") is None
    with pytest.raises(SourceError, match=r"cannot use the cache .*: give it room and rights"):
        get(cache=tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk(get: Getter, tmp_path: Path) -> None:
    cache = get().path.parents[1]
    before = contents(cache)
    (cache / "parts" / "rulings").symlink_to("/dev/full")
    (cache / "parts" / "rulings.json").write_bytes(b"")
    os.symlink("/dev/full", cache / "fetched.json.partial")
    with pytest.raises(SourceError, match="No space left on device"):
        get("rulings")
    assert {name: data for name, data in contents(cache).items() if name in before} == before


def test_looking_into_the_cache_needs_no_httpx() -> None:
    code = "import sys, cardlaw.graph.sources.fetch as f; f.latest_cards; print('httpx' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
