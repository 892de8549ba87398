"""A server under mixed load: people who read, programs that ask, and clients that mean ill, all at once.

    python tests/faults/soak.py [--seconds 600] [--store DIR]

Each address is asked once before; while the load lasts, every answer has to be that one. Memory, descriptors,
threads and processes are read from /proc each second; after the load, when all is still, none may have grown.
Prints the figures as JSON; exit code 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from serving import Server, serving

GOOD = (
    *("/", "/rules", "/cards", "/keywords", "/search?q=flying&page=1", "/search.json?q=creature", "/explore"),
    *("/card/brindle-falconer", "/card/brindle-falconer.json", "/rule/702.9", "/rule/702.9.ttl", "/ontology"),
    *("/keyword/flying", "/queries", "/queries.json", "/complete?q=fly", "/cheatsheet", "/card/nobody"),
    *("/explore/graph?focus=card:brindle-falconer&depth=2&limit=50", "/explore/search?q=ember&limit=5"),
    "/query/cards-by-rule?rule=702.9",
    "/sparql?query=SELECT%20(COUNT(*)%20AS%20%3Fn)%20%7B%3Fs%20%3Fp%20%3Fo%7D",
    "/sparql?query=ASK%20%7B%7D",
    "/sparql?query=SELECT%20%7B",
)
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(STR(?c) < STR(?l)) }"
LONG = "x" * 70_000
EVIL_PATHS = (
    *(
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/card/%00",
        "/card/" + "a" * 5000,
        "/rule/" + "9" * 400,
    ),
    *("/card/%ff%fe", "/search?q=" + "%22" * 3000, "/search?q=" + "(" * 5000, "/search?page=-1&q=a"),
    *("/explore/graph?focus=card:x&depth=99999999999&limit=-1", "/explore/graph?focus=" + "card:a," * 900),
    *("/explore/paths?from=card:a&to=rule:%3Cscript%3E", "/complete?q=" + "%F0%9F%98%80" * 900),
    *(
        "/query/cards-by-rule?rule=%22%3E%3Cscript%3E",
        "/query/%2e%2e%2fx",
        "/assets/../cli.py",
        "/.git/config",
    ),
    *(
        "/rules?text=" + "(a%2B)%2B" * 500,
        "/rule/702.9?text=" + "%5C" * 2000,
        "/sparql?query=" + "%7B" * 6000,
    ),
    *(
        "/sparql?query=DROP%20ALL",
        "/sparql?default-graph-uri=%00&query=ASK%7B%7D",
        "//example.org/",
        "/%0d%0aX: y",
    ),
    "/sparql?query=ASK%7BSERVICE%3Chttp%3A%2F%2F127.0.0.1%3A9%2F%3E%7B%3Fs%20%3Fp%20%3Fo%7D%7D",
)
EVIL_BYTES = (
    b"\x00\xff\x16\x03\x01\n\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 90_000 + b"\r\n\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 99999999\r\n\r\n",
    b"GET /sparql HTTP/1.1\r\nHost: x\r\n",  # and no more
    b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /search?q=a HTTP/1.1\r\nHost: x\r\n\r\n" * 50,
)


class Load:
    """The clients, what they were answered that was wrong, and how much they asked."""

    def __init__(self, server: Server, seconds: float) -> None:
        self.server = server
        self.until = time.monotonic() + seconds
        self.asked: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        with httpx.Client(base_url=server.address, timeout=60) as client:
            self.expected = {path: answer(client, path) for path in GOOD}

    def readers(self, seed: int) -> None:
        chance = random.Random(seed)
        with httpx.Client(base_url=self.server.address, timeout=60) as client:
            while time.monotonic() < self.until:
                path = chance.choice(GOOD)
                try:
                    found = answer(client, path)
                except httpx.TransportError:  # too busy to keep a connection that was idle
                    self.asked["good, cut off"] += 1
                    continue
                self.asked["good"] += 1
                if found != self.expected[path] and found[0] != 503:  # too busy is honest
                    self.wrong[f"{path}: {found[0]}"] += 1
                self.asked["too busy"] += found[0] == 503

    def hostile(self, seed: int) -> None:
        chance = random.Random(seed)
        while time.monotonic() < self.until:
            try:
                with httpx.Client(base_url=self.server.address, timeout=20) as client:
                    for path in chance.sample(EVIL_PATHS, 5):
                        said = client.get(path)
                        self.asked["evil"] += 1
                        if said.status_code >= 500 and said.status_code != 503:
                            self.wrong[f"{path[:80]}: {said.status_code}"] += 1
                        if "Traceback" in said.text or "root:" in said.text:
                            self.wrong[f"{path[:80]}: tells what it should not"] += 1
                    client.post("/sparql", data={"query": LONG})
            except (httpx.HTTPError, httpx.InvalidURL):
                self.asked["evil, cut off"] += 1

    def raw(self, seed: int) -> None:
        chance = random.Random(seed)
        port = int(self.server.address.rstrip("/").rpartition(":")[2])
        while time.monotonic() < self.until:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                    connection.sendall(chance.choice(EVIL_BYTES))
                    connection.settimeout(chance.random())
                    connection.recv(1 << chance.randrange(16))
            except OSError:
                pass
            self.asked["raw"] += 1

    def endless(self, seed: int) -> None:
        """Queries that never end, some of which nobody waits for."""
        while time.monotonic() < self.until:
            try:
                httpx.get(self.server.sparql, params={"query": ENDLESS}, timeout=0.3 if seed % 2 else 30)
            except httpx.HTTPError:
                self.asked["left"] += 1
            self.asked["endless"] += 1


def answer(client: httpx.Client, path: str) -> tuple[int, str]:
    found = client.get(path)
    return found.status_code, found.text


def figures(server: Server) -> dict[str, int]:
    """What the server takes now (Linux): MB, descriptors, threads of its own, processes."""
    own = server.process.pid
    pids = [own, *server.workers()]
    resident = 0
    for pid in pids:
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except OSError:
            continue
        resident += pages * 4096
    status = Path(f"/proc/{own}/status").read_text()
    return {
        "mb": resident >> 20,
        "own mb": int(Path(f"/proc/{own}/statm").read_text().split()[1]) * 4096 >> 20,
        "descriptors": len(list(Path(f"/proc/{own}/fd").iterdir())),
        "threads": int(status.partition("Threads:")[2].split()[0]),
        "processes": len(pids),
    }


def still(server: Server, seconds: float = 45) -> dict[str, int]:
    """The figures when nothing has been asked for a while, the least of them; the processes at its end.

    At its start there may be fewer: one that was killed over a query has not been replaced yet.
    """
    until, least = time.monotonic() + seconds, figures(server)
    while time.monotonic() < until:
        time.sleep(1)
        now = figures(server)
        least = {name: min(value, least[name]) for name, value in now.items()}
        least["processes"] = now["processes"]
        if (
            now["processes"] == 5
            and now["descriptors"] <= least["descriptors"]
            and time.monotonic() > until - seconds + 8
        ):
            break
    return least


def soak(store: Path, seconds: float) -> dict[str, Any]:
    """Serve a store under load for so long; what was asked, what it took, and what was wrong."""
    with serving(store, "--timeout", "2") as server:
        warm = Load(server, min(seconds / 4, 30))
        run(warm)
        before = still(server)
        load = Load(server, seconds)
        seen: list[dict[str, int]] = []
        watcher = threading.Thread(target=lambda: watch(server, load, seen))
        watcher.start()
        run(load)
        watcher.join()
        after = still(server)
        wrong = dict(load.wrong + warm.wrong)
        if after["own mb"] > before["own mb"] * 1.15 + 15:
            wrong["memory grows"] = after["own mb"] - before["own mb"]
        for name, more in (("descriptors", 4), ("threads", 40)):  # so many threads may wait for work
            if after[name] > before[name] + more:
                wrong[f"{name} grow"] = after[name] - before[name]
        if after["processes"] > before["processes"]:
            wrong["processes are left"] = after["processes"]
        for said in errors(server.lines):
            wrong[f"in the log: {said}"] = wrong.get(f"in the log: {said}", 0) + 1
        peak = {name: max(each[name] for each in seen) for name in before} if seen else {}
        middle = int(statistics.median(each["own mb"] for each in seen)) if seen else 0
        return {
            "seconds": seconds,
            "asked": dict(load.asked),
            "before": before,
            "after": after,
            "peak": peak,
            "median own mb": middle,
            "wrong": wrong,
        }


def errors(lines: list[str]) -> list[str]:
    """The last line of each traceback."""
    found, within = [], False
    for line in lines:
        if line.startswith("Traceback"):
            within = True
        elif within and line and not line.startswith((" ", "|", "+")):
            found.append(line)
            within = False
    return found


def run(load: Load) -> None:
    work = [load.readers] * 3 + [load.hostile] * 2 + [load.raw] * 2 + [load.endless] * 2
    threads = [threading.Thread(target=each, args=(seed,)) for seed, each in enumerate(work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def watch(server: Server, load: Load, seen: list[dict[str, int]]) -> None:
    while time.monotonic() < load.until:
        seen.append(figures(server))
        time.sleep(1)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--store", type=Path, help="default: one of the invented cards, made now")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = given.store
        if store is None:
            from cardlaw.graph.build import build

            store = Path(folder) / "store"
            fixtures = Path(__file__).resolve().parent.parent / "fixtures"
            build(cards=[fixtures / "cards.json"], rules=fixtures / "rulebook.txt", store=store, workers=1)
        told = soak(store, given.seconds)
    print(json.dumps(told, indent=2))
    return int(bool(told["wrong"]))


if __name__ == "__main__":
    sys.exit(main())
