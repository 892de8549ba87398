"""Builds that end, and builds that do not: whatever happens, the earlier graph goes on answering."""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections import deque
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import repeat
from multiprocessing import Pipe, get_context
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import raised
from msgspec.structs import replace

from cardlaw.graph import build as builds
from cardlaw.graph import chunks, load, read
from cardlaw.graph.build import build
from cardlaw.graph.errors import CardlawError, SourceError, StoreError
from cardlaw.graph.kept import Member
from cardlaw.graph.linking import Linker
from cardlaw.graph.load import BulkLoad
from cardlaw.graph.sources import corpus
from cardlaw.graph.sources import rulebook as rulebooks
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.store import BuildSummary, open_store

CARDS = Path(__file__).parent / "fixtures" / "cards.json"
RULES = Path(__file__).parent / "fixtures" / "rulebook.txt"
COUNT = "SELECT (COUNT(?card) AS ?cards) WHERE { ?card a mtg:Card }"
SCRIPT = (
    "import sys; from pathlib import Path; from cardlaw.graph.build import build;"
    f"build(cards=[Path({str(CARDS)!r})], rules=Path({str(RULES)!r}), store=Path(sys.argv[1]))"
)


def made(store: Path, *, workers: int = 1) -> BuildSummary:
    return build(cards=[CARDS], rules=RULES, store=store, workers=workers)


def folders(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "builds").iterdir())


def answers(store: Path) -> bool:
    with open_store(store) as opened:
        (row,) = opened.query(COUNT)  # type: ignore[misc]
        return int(row[0].value) == opened.info.counts["cards"] > 0


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build, to be copied."""
    store = tmp_path_factory.mktemp("once") / "store"
    made(store)
    return store


@pytest.fixture
def store(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "store"))


def test_the_summary_says_what_was_read_made_and_left_out(once: Path) -> None:
    with open_store(once) as opened:
        info = opened.info
        assert len(opened.quads) == info.counts["quads"] == sum(info.quads.values())
        assert answers(once)
    assert (info.release, info.has_text) == ("2030-02-03", True)
    assert [(source.role, source.name) for source in info.sources] == [
        ("cards", "cards.json"),
        ("rules", "rulebook.txt"),
    ]
    assert all(len(source.sha256) == 64 and source.size > 0 for source in info.sources)
    assert info.counts["cards"] == info.counts["records"] - 4 == 30
    assert info.counts["faces"] >= info.counts["cards"]
    assert min(info.counts[name] for name in ("abilities", "citations", "rules", "keywords", "terms")) > 0
    assert [what for what, _ in info.skipped] == ["?!", "Cart: Wheel"]
    assert set(info.quads) == {"ontology", "rules", "cards", "abilities", "evidence", "tags", "themes"}
    assert set(info.seconds) == {"rules", "cards", "links", "load", "total"}
    assert folders(once) == [info.id]


def test_the_graph_gives_back_every_card_as_it_was_linked(once: Path) -> None:
    linker = Linker(rulebooks.read(RULES))
    read_cards = (replace(card, origins={"name": "cards.json"}) for card in corpus.read(CARDS))
    linked = sorted(map(linker.link_card, read_cards), key=lambda card: card.slug)
    with open_store(once) as opened:
        assert list(read.cards(opened)) == linked


def test_counts_agree_with_what_the_graph_says(once: Path) -> None:
    counted = """SELECT ?rule ?stored (COUNT(DISTINCT ?card) AS ?cards) WHERE {
        ?rule a mtg:Rule ; mtg:cardCount ?stored . ?card a mtg:Card ; mtg:citesRule ?rule
    } GROUP BY ?rule ?stored"""
    below = """SELECT ?rule ?stored (COUNT(DISTINCT ?card) AS ?cards) WHERE {
        ?rule mtg:cardCountWithSubrules ?stored . ?under skos:broader* ?rule . ?card mtg:citesRule ?under
    } GROUP BY ?rule ?stored"""
    with open_store(once) as opened:
        for query in (counted, below):
            rows = list(opened.query(query))  # type: ignore[arg-type]
            assert rows
            assert all(row["stored"] == row["cards"] for row in rows)


def test_the_bytes_are_the_same_whatever_the_number_of_processes(
    once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 3)
    told: list[tuple[str, int, int | None]] = []
    build(
        cards=[CARDS],
        rules=RULES,
        store=tmp_path,
        workers=2,
        progress=lambda stage, done, total: told.append((stage, done, total)),
    )
    with open_store(tmp_path) as many, open_store(once) as one:
        assert b"".join(many.dump()) == b"".join(one.dump())
        assert many.info.counts == one.info.counts
        quads = many.info.counts["quads"]
    assert list(dict.fromkeys(stage for stage, _, _ in told)) == ["rules", "cards", "links", "load"]
    assert ("links", 30, 30) in told
    assert told[-1] == ("load", quads, quads)


def test_files_are_in_the_order_of_the_cards(once: Path) -> None:
    with open_store(once) as opened, gzip.open(opened.folder / "cards.nq.gz", "rt") as file:
        text = file.read()
        slugs = [card.slug for card in read.cards(opened)]
    assert slugs == sorted(slugs)
    starts = [text.index(f"<https://w3id.org/cardlaw/card/{slug}> ") for slug in slugs]
    assert starts == sorted(starts)


@pytest.mark.parametrize("where", ["rulebook_quads", "linked", "keep", "write_whole", "switch"])
def test_a_failed_build_leaves_the_earlier_one(
    store: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folders(store)

    def fail(*args: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(builds, where, fail)
    with pytest.raises(StoreError, match=r"disk is full.*--store") as raised:
        made(store)
    assert "\n" not in str(raised.value)
    assert answers(store)
    assert folders(store) == before


def test_a_bad_source_builds_nothing(store: Path, tmp_path: Path) -> None:
    before = folders(store)
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    with pytest.raises(SourceError):
        build(cards=[bad], rules=RULES, store=store)
    with pytest.raises(CardlawError):
        build(cards=[CARDS], rules=bad, store=store)
    with pytest.raises(CardlawError):
        build(cards=[tmp_path / "none.json"], rules=RULES, store=store)
    assert answers(store)
    assert folders(store) == before


def test_a_first_build_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        build(cards=[tmp_path / "none.json"], rules=RULES, store=tmp_path / "new")
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "mine").mkdir()
    with pytest.raises(SourceError):
        build(cards=[tmp_path / "none.json"], rules=RULES, store=tmp_path / "mine")
    assert (tmp_path / "mine").is_dir(), "it was there before"


BAD = gzip.compress(b"<https://w3id.org/cardlaw/card/a b> <urn:p> <urn:o> .\n")
BAD_MEMBER = Member(0, len(BAD), 1, zlib.crc32(BAD))


def test_a_quad_that_is_none_stops_the_load(tmp_path: Path) -> None:
    (tmp_path / "bad.nq.gz").write_bytes(BAD)
    with closing(BulkLoad(tmp_path)) as loading:
        loading.add("bad", BAD_MEMBER)
        with pytest.raises(StoreError, match="no N-Quads"):
            list(loading.end())


def test_who_adds_to_a_load_that_failed_is_told_why(tmp_path: Path) -> None:
    def go_on(loading: BulkLoad) -> None:
        for _ in range(600):
            loading.add("bad", BAD_MEMBER)
            time.sleep(0.1)

    (tmp_path / "bad.nq.gz").write_bytes(BAD)
    with closing(BulkLoad(tmp_path)) as loading, pytest.raises(StoreError, match="no N-Quads"):
        go_on(loading)
    with closing(BulkLoad(tmp_path)) as loading:
        loading._loader.process.kill()
        loading._loader.process.join()
        with pytest.raises(StoreError, match="ended abruptly"):
            loading.add("bad", BAD_MEMBER)


@pytest.mark.usefixtures("stillborn")
def test_processes_killed_as_they_start_end_a_build(tmp_path: Path) -> None:
    many = b"x" * 1_000_000  # far more than a pipe holds
    inputs = chunks.Inputs(rulebooks.parse(RULES.read_bytes()), None, many.decode())
    workers = chunks.Workers(inputs, 2, tmp_path)

    def link() -> None:
        with closing(workers):
            workers.start()
            for _ in chunks.linked(read_cards(CARDS), repeat(b""), {}, workers):
                pass

    assert "ended abruptly" in str(raised(link))
    assert "ended abruptly" in str(raised(lambda: deque(load.amend(tmp_path, b"", many, []))))
    assert not [*tmp_path.iterdir()]


def test_a_process_that_starts_when_its_build_was_given_up_ends_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    load.hand_over("inputs", tmp_path / "inputs")
    for path, code in ((tmp_path / "inputs", 0), (tmp_path / "gone", 1)):
        process = get_context("spawn").Process(target=load.handed, args=(path,))
        process.start()
        process.join(60)
        assert process.exitcode == code
    assert capfd.readouterr() == ("", "")


def test_a_pool_that_breaks_while_it_starts_a_process_says_so() -> None:
    class Pool:
        def __init__(self, error: Exception) -> None:
            self.error = error

        def submit(self, task: Any) -> None:
            raise self.error

    for error in (OSError("handle is closed"), OSError(errno.EBADF, "Bad file"), ValueError("fds_to_keep")):
        with pytest.raises(BrokenProcessPool):
            load.submit(cast(ProcessPoolExecutor, Pool(error)), len)
    with pytest.raises(OSError, match="temporarily"):
        load.submit(cast(ProcessPoolExecutor, Pool(OSError(errno.EAGAIN, "temporarily"))), len)


def test_who_changes_a_store_is_told_what_before_anything_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(load._Apart, "tell", lambda apart, what: told.append(what))
    with closing(cast(Generator[float, None, None], load.amend(tmp_path, b"a", b"b", []))) as steps:
        assert next(steps) == 0.0
        assert told == [(b"a", b"b")], "what lies beside the store is made meanwhile"


def test_a_load_that_fails_while_cards_are_linked_ends_the_build(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = builds._Build.append

    def append(made: Any, name: str, packed: chunks.Packed) -> Member:
        return write(made, name, chunks.Packed(BAD, 1) if name == "evidence" else packed)

    before = folders(store)
    monkeypatch.setattr(builds._Build, "append", append)
    (store / "builds" / before[0] / "linked-1.msgpack").unlink()  # that nothing is taken over
    with pytest.raises(StoreError, match="no N-Quads"):
        made(store)
    assert folders(store) == before
    assert answers(store)


def test_reading_waits_until_the_million_before_is_sorted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = b"<urn:s> <urn:p> <urn:o> .\n"
    packed = gzip.compress(line)
    (tmp_path / "a.nq.gz").write_bytes(packed)
    told: list[int] = []

    def members(*quads: int) -> load._Members:
        found = [("a", Member(0, len(packed), number, zlib.crc32(packed))) for number in quads]
        return load._Members(tmp_path, iter(found), told.append)

    looks = iter([5, *[6] * 3, 5, 6, 6, 5, 9])  # threads at the start, and each time that the reader looks
    monkeypatch.setattr(load, "_threads", lambda: next(looks))
    many = members(600_000, 600_000, 600_000)
    assert many.read(100) == line
    assert many.read(100) == line, "at 1,200,000"
    assert many.read(100) == line, "at 1,800,000 nothing is held back"
    assert next(looks) == 6, "it had gone on at 5"
    assert many.read(100) == b""
    assert next(looks) == 9, "800,000 at the end wait too"
    assert told == [600_000, 1_200_000, 1_800_000]
    monkeypatch.setattr(load, "_threads", lambda: 5)
    few = members(900_000, 200_000)
    monkeypatch.setattr(load, "_threads", lambda: 10)
    monkeypatch.setattr(load, "_LONGEST", 0.1)
    monkeypatch.setattr(load, "_OPENING", 0.2)
    begun = time.monotonic()
    assert few.read(100) + few.read(100) == line * 2
    assert 0.1 <= time.monotonic() - begun < 5
    assert few.idle == 10, "threads that stay are of another kind"
    few.idle = 5
    assert few.read(100) == b""
    assert 0.3 <= time.monotonic() - begun < 5, "100,000 wait only for the opening of the sort before"
    assert few.idle == 5


def test_no_thread_ends_while_threads_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b"<urn:s> <urn:p> <urn:o> .\n")
    (tmp_path / "a.nq.gz").write_bytes(packed)
    here, there = Pipe()
    seen: list[bool] = []

    class Members(load._Members):
        def read(self, size: int) -> bytes:
            if not seen:
                here.send(None)  # the last word, while reading goes on
                time.sleep(0.3)
            seen.append(any("listen" in thread.name for thread in threading.enumerate()))
            return super().read(size)

    monkeypatch.setattr(load, "_Members", Members)
    here.send(("a", Member(0, len(packed), 1, zlib.crc32(packed))))
    load._load(tmp_path, there)
    here.close()
    assert len(seen) > 1
    assert all(seen)


def test_a_second_builder_gets_a_clear_error(store: Path) -> None:
    with builds.only_builder(store), pytest.raises(StoreError, match="another build is at work"):
        made(store)
    made(store)
    assert answers(store)


def test_old_and_half_builds_go_but_not_what_somebody_reads(store: Path) -> None:
    (first,) = folders(store)
    half = store / "builds" / "20300101T000000Z-0123abcd"
    (half / "store").mkdir(parents=True)
    stranger = store / "builds" / "mine"
    stranger.mkdir()
    (store / "current.partial").write_text("half")
    with open_store(store) as reader:
        second = made(store).id
        assert folders(store) == sorted([first, second, "mine"])
        third = made(store).id
        assert folders(store) == sorted([first, second, third, "mine"])
        (row,) = reader.query(COUNT)  # type: ignore[misc]
        assert int(row[0].value) == reader.info.counts["cards"]
    fourth = made(store).id
    assert folders(store) == sorted([third, fourth, "mine"])
    assert not (store / "current.partial").exists()


def test_a_script_may_call_it_as_it_stands(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"from cardlaw.graph import chunks\nchunks.CHUNK = 3\n{SCRIPT}", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "store")], capture_output=True, encoding="utf-8"
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert answers(tmp_path / "store")


@pytest.mark.parametrize("seconds", [0.6, 1.1, 1.6])
def test_a_killed_build_leaves_the_earlier_one_and_no_process(store: Path, seconds: float) -> None:
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(store)], start_new_session=True)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert answers(store)
    until = time.monotonic() + 5
    while time.monotonic() < until and _alive(process.pid):
        time.sleep(0.05)
    assert not _alive(process.pid)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_a_killed_build_left_is_removed(store: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(store)])
    before = folders(store)
    until = time.monotonic() + 20
    while len(folders(store)) == len(before) and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    process.wait()
    made(store)
    assert answers(store)
    assert len(folders(store)) == 2


@pytest.mark.parametrize("others", [0, 1])
def test_ctrl_c_while_processes_start_comes_afterwards(others: int) -> None:
    """Sent to a process that does nothing else, and to one with another thread, which takes the signal."""
    code = (
        "import os, signal, threading, time\n"
        "from cardlaw.graph.load import main_apart\n"
        f"for _ in range({others}): threading.Thread(target=time.sleep, args=(1,)).start()\n"
        "try:\n"
        "    with main_apart():\n"
        "        os.kill(os.getpid(), signal.SIGINT); time.sleep(0.2); print('inside', flush=True)\n"
        "    print('lost')\n"
        "except KeyboardInterrupt:\n"
        "    print('heard')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["inside", "heard"], "")


def test_ctrl_c_stops_a_build_and_leaves_nothing(store: Path) -> None:
    before = folders(store)
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(store)], start_new_session=True, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 20
    while len(folders(store)) == len(before) and time.monotonic() < until:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=10)
    assert folders(store) == before
    assert answers(store)


def test_a_full_disk_leaves_the_earlier_build(once: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    size = sum(path.stat().st_size for path in once.rglob("*")) + 300_000
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no small disk to fill: mounting a tmpfs needs root")
    try:
        store = Path(shutil.copytree(once, disk / "store"))
        before = folders(store)
        with pytest.raises(StoreError, match="disk is full"):
            made(store)
        assert answers(store)
        assert folders(store) == before
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="is no folder"):
        made(tmp_path / "file")
    with pytest.raises(StoreError, match="cannot build in"):
        made(tmp_path / "file" / "below")
