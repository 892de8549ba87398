"""The pool of workers: limits, queue, lanes and what ends when."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

import pyoxigraph
import pytest
from pyoxigraph import Literal, NamedNode, Quad

from cardlaw.exports import workers
from cardlaw.exports.workers import QUICK, Answer, Dataset, Job, Limits, Pool, _Sink

pytestmark = pytest.mark.programs

GRAPH = NamedNode("http://example.org/g")
COUNT = 200  # triples in it

# A hundred times a hundred million rows: nobody waits for that.
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(STR(?c) < STR(?l)) }"
GREEDY = (
    "SELECT ?x { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . "
    'BIND(CONCAT(STR(?c), STR(?f), STR(?i), STR(?a), "' + "x" * 500 + '") AS ?x) } ORDER BY ?x LIMIT 1'
)
T = TypeVar("T")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured on Linux")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("numbers") / "store"
    store = pyoxigraph.Store(str(folder))
    store.extend(
        Quad(NamedNode(f"http://example.org/{n}"), NamedNode("http://example.org/is"), Literal(n), GRAPH)
        for n in range(COUNT)
    )
    store.flush()
    return Dataset(folder=folder, default_graphs=(GRAPH.value,))


@contextmanager
def pool_of(dataset: Dataset | Callable[[], Dataset], **limits: float) -> Iterator[Pool]:
    source = dataset if callable(dataset) else lambda: dataset
    pool = Pool(source, Limits(**{"seconds": 20, **limits}))  # type: ignore[arg-type]
    try:
        yield pool
    finally:
        pool.stop()


def ask(pool: Pool, query: str, **more: object) -> Answer:
    return asyncio.run(pool.run(Job(query=query, **more)))  # type: ignore[arg-type]


def processes(pool: Pool) -> list[int]:
    workers = (lane._worker for lane in pool._lanes)
    return [worker._process.pid for worker in workers if worker is not None and worker._process.pid]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


# -- answers -----------------------------------------------------------------------------------------


def test_a_worker_answers_in_each_format(dataset: Dataset) -> None:
    select = "SELECT ?n { <http://example.org/7> ?p ?n }"
    with pool_of(dataset, workers=1) as pool:
        answers = {name: ask(pool, select, table=name).body for name in ("JSON", "XML", "CSV", "TSV")}
        assert json.loads(answers["JSON"])["results"]["bindings"][0]["n"]["value"] == "7"
        assert ElementTree.fromstring(answers["XML"])[1][0][0][0].text == "7"
        assert answers["CSV"] == b"n\r\n7\r\n"
        assert answers["TSV"] == b"?n\n7\n"
        describe = "DESCRIBE <http://example.org/7>"
        for name in ("TURTLE", "N_TRIPLES", "RDF_XML", "JSON_LD"):
            answer = ask(pool, describe, graph=name)
            assert answer.is_graph
            (quad,) = pyoxigraph.parse(answer.body, format=getattr(pyoxigraph.RdfFormat, name))
            assert quad.object == Literal(7)
        assert (ask(pool, select, table=None).status, ask(pool, describe, graph=None).status) == (406, 406)
        assert processes(pool) == processes(pool)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * {", "syntax error at line 1"),
        ("CLEAR ALL", "read-only"),
        ("ASK { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE"),
        ("ASK " + "{" * 5000 + "}" * 5000, "nested too deeply"),
    ],
)
def test_what_is_wrong_with_a_query_is_told(dataset: Dataset, query: str, told: str) -> None:
    with pool_of(dataset, workers=1) as pool:
        answer = ask(pool, query)
        assert (answer.status, answer.body) == (400, b"")
        assert told in answer.message
        assert ask(pool, "ASK {}").status == 200


def test_graphs_are_chosen(dataset: Dataset) -> None:
    everything, nothing = "ASK { ?s ?p ?o }", "http://example.org/none"
    with pool_of(dataset, workers=1) as pool:

        def holds(query: str, **graphs: tuple[str, ...]) -> bool:
            return bool(json.loads(ask(pool, query, **graphs).body)["boolean"])

        assert holds(everything)
        assert not holds(everything, default_graphs=(nothing,))
        assert not holds(everything, named_graphs=(GRAPH.value,))
        assert holds("ASK { GRAPH ?g { ?s ?p ?o } }", named_graphs=(GRAPH.value,))
        assert not holds("ASK { GRAPH ?g { ?s ?p ?o } }", default_graphs=(GRAPH.value,), named_graphs=())
        assert not holds(f"ASK FROM <{nothing}> {everything[4:]}")


def test_relative_iris_are_resolved(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1) as pool:
        answer = ask(
            pool, "CONSTRUCT { <s> <#p> 1 } WHERE {}", base="http://example.org/x", graph="N_TRIPLES"
        )
    assert answer.body.startswith(b"<http://example.org/s> <http://example.org/x#p> ")


def test_rdf_xml_is_refused_where_it_cannot_be_written(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1) as pool:
        answer = ask(pool, "CONSTRUCT { <urn:a:s> <http://example.org/1> 1 } WHERE {}", graph="RDF_XML")
    assert answer.status == 406
    assert "<http://example.org/1>" in answer.message


# -- limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["JSON", "XML", "CSV", "TSV"])
def test_rows_are_limited_exactly(dataset: Dataset, format_: str) -> None:
    awkward = 'VALUES ?more { "}},{\\"<result>\\n,\\"\\"\\r\\n" UNDEF }'  # what rows begin and end with
    query = f"SELECT * {{ ?s ?p ?n {awkward} }}"
    with pool_of(dataset, workers=1, rows=2 * COUNT) as pool:
        body = ask(pool, query, table=format_).body
        if format_ == "CSV":
            assert len(list(csv.reader(io.StringIO(body.decode(), newline="")))) == 2 * COUNT + 1
    with pool_of(dataset, workers=1, rows=2 * COUNT - 1) as pool:
        answer = ask(pool, query, table=format_)
        assert (answer.status, answer.body, answer.again) == (503, b"", False)
        assert f"more than {2 * COUNT - 1} rows" in answer.message
        assert ask(pool, "ASK {}", table=format_).status == 200


def test_rows_are_found_across_blocks() -> None:
    text = b'a,b\r\n"x\n""y",1\r\n' + b"2,3\r\n" * 5
    for size in range(1, len(text)):
        sink = _Sink(Limits(), "CSV")
        for at in range(0, len(text), size):
            sink.write(text[at : at + size])
        assert sink._rows == 6
    row = b'{"a":{"type":"literal","value":"}},{\\""}}'
    text = b'{"results":{"bindings":[' + b",".join([row] * 4) + b"]}}"
    for size in range(1, len(text)):
        sink = _Sink(Limits(), "JSON")
        for at in range(0, len(text), size):
            sink.write(text[at : at + size])
        assert sink._rows == 4


def test_triples_are_limited(dataset: Dataset) -> None:
    construct = "CONSTRUCT WHERE { ?s ?p ?o }"
    with pool_of(dataset, workers=1, rows=COUNT) as pool:
        assert ask(pool, construct).status == 200
    with pool_of(dataset, workers=1, rows=COUNT - 1) as pool:
        assert "rows" in ask(pool, construct).message


def test_bytes_are_limited(dataset: Dataset) -> None:
    long = "SELECT ?a ?d ?g { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    with pool_of(dataset, workers=1, size=1) as pool:
        answer = ask(pool, long)
    assert answer.status == 503
    assert "longer than 1 MB" in answer.message


def test_time_is_limited_and_the_worker_replaced(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1, seconds=0.5) as pool:
        assert ask(pool, "ASK {}").status == 200
        (before,) = processes(pool)
        begun = time.monotonic()
        answer = ask(pool, ENDLESS)
        assert time.monotonic() - begun < 10
        assert answer.status == 503
        assert "longer than 0.5 s" in answer.message
        assert not is_running(before)
        assert ask(pool, "ASK {}").status == 200
        assert processes(pool) != [before]


@linux
def test_memory_is_limited(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1, memory=64, seconds=60) as pool:
        answer = ask(pool, GREEDY)
        assert answer.status == 503
        assert "64 MB of memory" in answer.message
        assert ask(pool, "ASK {}").status == 200


# -- queue and lanes ---------------------------------------------------------------------------------


def together(pool: Pool, work: Callable[[], Coroutine[object, object, T]]) -> T:
    async def run() -> T:
        try:
            return await work()
        finally:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:  # type: ignore[arg-type]
                task.cancel()

    return asyncio.run(run())


def test_slow_queries_do_not_hold_up_quick_ones(dataset: Dataset) -> None:
    with pool_of(dataset, workers=3) as pool:

        async def work() -> list[float]:
            # Two of them find a worker, the others try the quick lane, one after another.
            slow = [asyncio.ensure_future(pool.run(Job(query=ENDLESS))) for _ in range(5)]
            await asyncio.sleep(1)
            waits = []
            for _ in range(5):
                begun = time.monotonic()
                assert (await pool.run(Job(query="ASK {}"))).status == 200
                waits.append(time.monotonic() - begun)
            assert not any(task.done() for task in slow)
            return waits

        waits = together(pool, work)
    assert min(waits) < QUICK / 2
    assert max(waits) < 15  # behind those that try their luck, not behind those that have failed to be quick


def test_what_fails_to_be_quick_is_answered_by_another_worker(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "QUICK", 0.1)
    seconds = (
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?f < 50 && STR(?c) <= STR(?i)) }"
    )
    with pool_of(dataset, workers=2, seconds=120) as pool:

        async def work() -> list[Answer]:
            await asyncio.gather(*(pool.run(Job(query="ASK {}")) for _ in range(2)))
            before = processes(pool)
            asked = asyncio.gather(*(pool.run(Job(query=seconds, table="CSV")) for _ in range(2)))
            answers = await asked
            assert processes(pool)[0] == before[0]
            assert processes(pool)[1] != before[1]
            return answers

        answers = together(pool, work)
    assert [answer.body for answer in answers] == [b"n\r\n%d\r\n" % (50 * COUNT * (COUNT + 1) // 2)] * 2


def test_too_many_are_told_to_come_back(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1, queue=2, seconds=1) as pool:

        async def work() -> list[Answer]:
            return await asyncio.gather(*(pool.run(Job(query=ENDLESS)) for _ in range(5)))

        answers = together(pool, work)
    assert [answer.status for answer in answers] == [503, 503, 503, 429, 429]
    assert all(answer.again for answer in answers[3:])
    assert "longer than 1 s" in answers[0].message
    assert all(answer.message for answer in answers)


def test_many_at_once_are_all_answered(dataset: Dataset) -> None:
    with pool_of(dataset, workers=2) as pool:
        answers = together(
            pool, lambda: asyncio.gather(*(pool.run(Job(query=f"ASK {{ ?s ?p {n} }}")) for n in range(200)))
        )
    assert all(b"true" in answer.body for answer in answers)


def test_a_query_that_nobody_waits_for_is_stopped(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1, seconds=60) as pool:

        async def work() -> float:
            assert (await pool.run(Job(query="ASK {}"))).status == 200
            running = asyncio.ensure_future(pool.run(Job(query=ENDLESS)))
            waiting = asyncio.ensure_future(pool.run(Job(query=ENDLESS)))
            await asyncio.sleep(0.3)
            waiting.cancel()
            running.cancel()
            begun = time.monotonic()
            assert (await pool.run(Job(query="ASK {}"))).status == 200
            return time.monotonic() - begun

        assert together(pool, work) < 20


# -- processes ---------------------------------------------------------------------------------------


def test_a_killed_worker_is_told_and_replaced(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1) as pool:

        async def work() -> Answer:
            assert (await pool.run(Job(query="ASK {}"))).status == 200
            asked = asyncio.ensure_future(pool.run(Job(query=ENDLESS)))
            await asyncio.sleep(0.3)
            os.kill(processes(pool)[0], signal.SIGKILL)
            return await asked

        answer = together(pool, work)
        assert (answer.status, answer.again) == (503, True)
        assert "signal 9" in answer.message
        assert ask(pool, "ASK {}").status == 200
        for pause in (0.1, 0.0, 0.0, 0.0):  # an idle one, gone or still going: nobody notices
            os.kill(processes(pool)[0], signal.SIGKILL)
            time.sleep(pause)
            assert ask(pool, "ASK {}").status == 200


@linux
def test_a_query_that_no_stack_holds_is_told(dataset: Dataset) -> None:
    with pool_of(dataset, workers=1) as pool:
        answer = ask(pool, f"ASK {{ ?a {'/'.join(['<urn:p>'] * 50_000)} ?b }}")
        assert (answer.status, answer.again) == (503, False)
        assert "too deeply" in answer.message
        assert ask(pool, "ASK {}").status == 200


def test_stopping_leaves_no_process_and_no_one_waiting(dataset: Dataset) -> None:
    with pool_of(dataset, workers=2, seconds=60) as pool:

        async def work() -> tuple[list[int], list[Answer]]:
            asked = [asyncio.ensure_future(pool.run(Job(query=ENDLESS))) for _ in range(4)]
            while len(processes(pool)) < 2:
                await asyncio.sleep(0.05)
            known = processes(pool)
            pool.stop()
            return known, await asyncio.gather(*asked)

        known, answers = together(pool, work)
        assert {(answer.status, answer.message) for answer in answers} == {(503, "the server is stopping")}
        assert until(lambda: not any(map(is_running, known)))
        assert ask(pool, "ASK {}").status == 503


def test_a_store_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pool_of(Dataset(folder=tmp_path / "none", default_graphs=()), workers=1) as pool:
        answer = ask(pool, "ASK {}")
    assert answer.status == 503
    assert re.search(r"store cannot be read", answer.message)


def test_new_data_take_over(dataset: Dataset, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    pyoxigraph.Store(str(folder)).flush()
    current = [dataset]
    with pool_of(lambda: current[0], workers=2) as pool:
        assert b"true" in ask(pool, "ASK { ?s ?p ?o }").body
        current[0] = Dataset(folder=folder, default_graphs=(GRAPH.value,))
        assert b"false" in ask(pool, "ASK { ?s ?p ?o }").body
