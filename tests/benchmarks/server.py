"""`cardlaw serve` with eight clients, while one more runs runaway queries; beside the same without it.

Each client asks again as soon as it has its answer, over a connection that stays open: SPARQL, JSON and
pages. The runaway query has no end; the server stops it after two seconds, and the client sends it again. A
refused answer (503) of the eight counts as failed, and fails the benchmark.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlsplit

from serving import serving

from cardlaw.graph.names import resolve
from cardlaw.graph.queries import bind, load_query, with_prefixes
from cardlaw.graph.store import open_store

from .figures import Figure, Setup

CLIENTS = 8
SECONDS = 15.0
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(STR(?c) < STR(?l)) }"
JSON = {"Accept": "application/sparql-results+json"}


def figures(setup: Setup) -> Iterator[Figure]:
    with serving(setup.store, "--timeout", "2") as server:
        where = urlsplit(server.address).netloc
        paths = asked(setup.store)
        seconds = 0.5 if setup.is_quick else SECONDS
        ask(where, paths, time.perf_counter() + seconds / 3)  # the server reads what it keeps
        quiet = together(where, paths, seconds)
        over = threading.Event()
        runaway = threading.Thread(target=run_away, args=(where, over), daemon=True)
        runaway.start()
        time.sleep(0.2)
        busy = together(where, paths, seconds)
        over.set()
    for name, at in (("median", 0.5), ("p99", 0.99)):
        yield Figure(
            name=f"{name} of {CLIENTS} clients beside a runaway",
            value=_quantile(busy, at),
            unit="ms",
            reference=_quantile(quiet, at),
            beside="without it",
        )
    yield Figure(
        name="answers a second beside a runaway",
        value=len(busy) / seconds,
        unit="",
        reference=len(quiet) / seconds,
        beside="without it",
    )


def asked(place: Path) -> list[str]:
    with open_store(place) as store:
        query = load_query("cards-by-rule")
        text = with_prefixes(bind(query.text, resolve(store, query, {"rule": "614.1a"})))
        rows = store.query("SELECT ?card { GRAPH layer:cards { ?card a mtg:Card } } ORDER BY ?card LIMIT 1")
        card = next(iter(rows))[0].value.rpartition("/")[2]
    return [
        f"/sparql?query={quote('ASK {}')}",
        f"/sparql?query={quote(text)}",
        f"/card/{card}.json",
        f"/card/{card}",
        "/rule/614.1a",
    ]


def together(where: str, paths: list[str], seconds: float) -> list[float]:
    """Milliseconds of each answer that the clients had in that time."""
    until = time.perf_counter() + seconds
    starts = [number % len(paths) for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as clients:
        taken = clients.map(lambda at: ask(where, paths[at:] + paths[:at], until), starts)
        return [each for times in taken for each in times]


def ask(where: str, paths: list[str], until: float) -> list[float]:
    taken = []
    connection = http.client.HTTPConnection(where, timeout=60)
    for number in count():
        if time.perf_counter() > until and number:
            break
        path = paths[number % len(paths)]
        begun = time.perf_counter()
        connection.request("GET", path, headers=JSON if path.startswith("/sparql") else {})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        taken.append((time.perf_counter() - begun) * 1000)
    connection.close()
    return taken


def run_away(where: str, over: threading.Event) -> None:
    while not over.is_set():
        connection = http.client.HTTPConnection(where, timeout=60)
        try:
            connection.request("GET", f"/sparql?query={quote(ENDLESS)}", headers=JSON)
            connection.getresponse().read()
        except OSError:  # the server has ended
            return
        finally:
            connection.close()


def _quantile(times: list[float], at: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * at))]
