"""A build after a build: what did not change is kept, and nothing tells the two ways apart."""

from __future__ import annotations

import errno
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardlaw.graph import amending, chunks
from cardlaw.graph import build as builds
from cardlaw.graph.build import build
from cardlaw.graph.kept import Kept, key_of
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card
from cardlaw.graph.sources import corpus
from cardlaw.graph.store import BuildSummary, Store, open_store

FIXTURES = Path(__file__).parent / "fixtures"
RULES = FIXTURES / "rulebook.txt"
Records = list[dict[str, Any]]
CORRECTIONS = """release = "2030-02-03"

[[remove]]
card = "Brindle Falconer"
rule = "701.22"
reason = "we do so"

[[remove]]
card = "Brindle Falconer"
rule = "702.2"
reason = "there is none"
"""


@pytest.fixture(autouse=True, scope="module")
def small() -> Iterator[None]:
    """Chunks of three cards, and stores that are amended although much of them changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK", 3)
        patch.setattr(amending, "SHARE", 0.5)
        yield


def read() -> Records:
    """The invented cards of the fixtures."""
    found: Records = json.loads((FIXTURES / "cards.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def records() -> Records:
    return read()


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory, small: None) -> Path:
    """A build of them, to be copied."""
    store = tmp_path_factory.mktemp("once") / "store"
    made(store, read())
    return store


@pytest.fixture
def store(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "store"))


class Calls:
    """How often what a build can be spared was done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.loads = self.amends = self.links = 0
        for name in ("BulkLoad", "amend"):
            monkeypatch.setattr(builds, name, self.counted(name, getattr(builds, name)))
        link = Linker.link_card

        def link_card(linker: Linker, card: Card) -> Card:
            self.links += 1
            return link(linker, card)

        monkeypatch.setattr(Linker, "link_card", link_card)

    def counted(self, name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            self.loads += name == "BulkLoad"
            self.amends += name == "amend"
            return does(*given)

        return call

    def done(self) -> tuple[int, int, int]:
        """Loads, amendments and cards linked since the last call."""
        counts = self.loads, self.amends, self.links
        self.loads = self.amends = self.links = 0
        return counts


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return Calls(monkeypatch)


def made(
    store: Path, records: Records, *, workers: int = 1, rules: Path = RULES, **more: Path
) -> BuildSummary:
    """A build of these cards, always from a file of the same name."""
    file = store.parent / "cards.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return build(cards=[file], rules=rules, store=store, workers=workers, **more)


def contents(store: Path) -> dict[str, Any]:
    """All that a build made and that anyone can see, but for its name and its clock."""
    with open_store(store) as opened:
        found: dict[str, Any] = {
            path.name: path.read_bytes()
            for path in opened.folder.iterdir()
            if path.is_file() and not path.name.startswith(("build.json", "linked"))
        }
        found["store"] = quads_of(opened)
        found["graphs"] = sorted(graph.value for graph in opened.quads.named_graphs())
        found["info"] = msgspec.to_builtins(
            msgspec.structs.replace(opened.info, id="", started="", seconds={}, kept=0, files={})
        )
        assert len(found["store"]) == opened.info.counts["quads"]
    return found


def quads_of(opened: Store) -> list[str]:
    """What the store answers by; a blank node has another name in each store."""
    return sorted(re.sub(r"_:\w+", "_:b", str(quad)) for quad in opened.quads)


def linked_by(store: Path) -> Kept:
    with open_store(store) as opened:
        data = (opened.folder / "linked-1.msgpack").read_bytes()[16:]
    return msgspec.msgpack.decode(data, type=Kept)


_FRESH: dict[str, dict[str, Any]] = {}


def fresh(folder: Path, records: Records, **more: Path) -> dict[str, Any]:
    """The same from nothing, in one process; made once for the same cards alone."""
    key = json.dumps(records) if not more else ""
    if not key or key not in _FRESH:
        (folder / "fresh").mkdir()
        made(folder / "fresh" / "store", records, **more)
        _FRESH[key] = contents(folder / "fresh" / "store")
        shutil.rmtree(folder / "fresh")
    return _FRESH[key]


def test_a_build_of_what_is_unchanged_makes_nothing_anew(
    tmp_path: Path, records: Records, calls: Calls
) -> None:
    first = made(tmp_path / "store", records)
    assert (first.kept, calls.done()) == (0, (1, 0, 30))
    before = contents(tmp_path / "store")
    told: list[tuple[str, int, int | None]] = []
    second = build(
        cards=[tmp_path / "cards.json"],
        rules=RULES,
        store=tmp_path / "store",
        progress=lambda stage, done, total: told.append((stage, done, total)),
    )
    assert (second.kept, calls.done()) == (30, (0, 0, 0))
    assert second.id != first.id
    assert contents(tmp_path / "store") == before
    assert ("links", 30, 30) in told
    assert told[-1] == ("load", second.counts["quads"], second.counts["quads"])


def added(records: Records) -> Records:
    new = {**records[0], "name": "Dapple Falconer", "text": "Flying\n{T}: Draw a card. Scry 2."}
    return [*records, new, {**new, "name": "Aaa"}, {**new, "name": "Zzz", "text": ""}]


def removed(records: Records) -> Records:
    return [record for record in records if record["name"] not in ("Brindle Falconer", "Quarrel")]


def changed(records: Records) -> Records:
    return [{**records[0], "text": "Vigilance\nScry 3."}, *records[1:]]


def renamed(records: Records) -> Records:
    return [{**records[0], "name": "Brindled Falconer"}, *records[1:]]


def shuffled(records: Records) -> Records:
    return sorted(records, key=lambda record: record["name"])  # those of one name stay in their order


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("change", "links"), [(added, 3), (removed, 0), (changed, 1), (renamed, 1), (shuffled, 0)]
)
def test_a_changed_card_is_all_that_is_linked(
    store: Path,
    tmp_path: Path,
    records: Records,
    calls: Calls,
    change: Callable[[Records], Records],
    links: int,
    workers: int,
) -> None:
    then = change(records)
    summary = made(tmp_path / "store", then, workers=workers)
    assert len(linked_by(tmp_path / "store").chunks) > 5
    loads, amends, linked = calls.done()
    assert (loads, amends) == (0, 1)
    assert linked == (links if workers == 1 else 0)  # else in other processes
    assert summary.kept == summary.counts["cards"] - links
    assert contents(tmp_path / "store") == fresh(tmp_path, then)


def test_many_builds_in_turn(store: Path, tmp_path: Path, records: Records, calls: Calls) -> None:
    chance = random.Random(7)
    then = records
    for number in range(6):
        fronts = [each for each in then if "face" not in each]
        pick = chance.sample(range(len(fronts)), 3)
        gone, changes, copied = (fronts[each] for each in pick)
        then = [each for each in then if each not in (gone, changes) and each.get("front") != gone["name"]]
        then.append({**changes, "text": f"Flying\nDraw {number + 2} cards."})
        then.append({**copied, "name": f"Copy {number}"})
        made(tmp_path / "store", then)
    loads, amends, _ = calls.done()
    assert (loads, amends) == (0, 6)
    assert contents(tmp_path / "store") == fresh(tmp_path, then)


def test_other_words_of_the_rules_link_all_anew(
    store: Path, tmp_path: Path, records: Records, calls: Calls
) -> None:
    other = tmp_path / "rulebook.txt"
    other.write_text(RULES.read_text(encoding="utf-8").replace("graveyard", "boneyard"), encoding="utf-8")
    assert made(tmp_path / "store", records, rules=other).kept == 0
    assert calls.done() == (1, 0, 30)
    assert contents(tmp_path / "store") == fresh(tmp_path, records, rules=other)


def test_another_catalogue_links_all_anew(
    store: Path, tmp_path: Path, records: Records, calls: Calls
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    file = own / "a.toml"
    file.write_text(
        '[[entry]]\nid = "term.draw"\ndisabled = true\nnote = "everybody knows"\n', encoding="utf-8"
    )
    assert made(tmp_path / "store", records, catalogue=own).kept == 0
    assert calls.done() == (1, 0, 30)
    assert contents(tmp_path / "store") == fresh(tmp_path, records, catalogue=own)


def test_a_correction_links_the_card_that_it_is_for(
    store: Path, tmp_path: Path, records: Records, calls: Calls
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(CORRECTIONS, encoding="utf-8")
    plain = made(tmp_path / "store", records)
    for text in (CORRECTIONS, CORRECTIONS.replace("we do so", "because"), None):
        calls.done()
        if text is None:
            summary = made(tmp_path / "store", records)
            assert summary.counts["citations"] == plain.counts["citations"]
        else:
            file.write_text(text, encoding="utf-8")
            summary = made(tmp_path / "store", records, corrections=file)
            assert len(summary.warnings) >= 1
            assert made(tmp_path / "store", records, corrections=file).kept == 30
        assert (summary.kept, calls.done()) == (29, (0, 1, 1))
        more = {} if text is None else {"corrections": file}
        assert contents(tmp_path / "store") == fresh(tmp_path, records, **more)


def test_code_that_changed_links_all_anew(
    store: Path, tmp_path: Path, records: Records, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardlaw.graph.kept.SCHEMA", 99)
    assert made(tmp_path / "store", records).kept == 0
    assert calls.done() == (1, 0, 30)


def test_rulings_come_and_go_with_their_layer(tmp_path: Path, calls: Calls) -> None:
    file = tmp_path / "cards.json"
    shutil.copyfile(FIXTURES / "scryfall.json", file)
    rulings = FIXTURES / "scryfall-rulings.json"
    for given in (None, rulings, None):
        build(cards=[file], rules=RULES, rulings=given, store=tmp_path / "store", workers=1)
        build(cards=[file], rules=RULES, rulings=given, store=tmp_path / "fresh", workers=1)
        assert contents(tmp_path / "store") == contents(tmp_path / "fresh")
        shutil.rmtree(tmp_path / "fresh")


def test_what_two_cards_say_stays_when_one_goes(tmp_path: Path) -> None:
    cards = json.loads((FIXTURES / "scryfall.json").read_text(encoding="utf-8"))
    one = next(card for card in cards if card.get("layout") == "normal" and card.get("oracle_text"))
    rest = [card for card in cards if card is not one]
    twin = {**one, "name": "Twin of It", "oracle_id": "ffffffff-0000-4000-8000-00000000ffff"}
    file = tmp_path / "cards.json"
    for listed in ([*rest, one, twin], [*rest, one], [*rest, one, twin]):
        file.write_text(json.dumps(listed), encoding="utf-8")
        for name in ("store", "fresh"):
            build(cards=[file], rules=RULES, store=tmp_path / name, workers=1)
        with open_store(tmp_path / "store") as opened, open_store(tmp_path / "fresh") as other:
            assert quads_of(opened) == quads_of(other)
            assert b"".join(opened.dump()) == b"".join(other.dump())
        shutil.rmtree(tmp_path / "fresh")


DAMAGES = [
    *(("linked-1.msgpack", "flipped"), ("linked-1.msgpack", "cut"), ("linked-1.msgpack", "gone")),
    *(("evidence.nq.gz", "flipped"), ("evidence.nq.gz", "gone"), ("cards.nq.gz", "cut")),
    *(("build.json", "cut"), ("adjacency-1.npz", "flipped"), ("atlas-1-ties.gz", "gone")),
    *(("*.sst", "flipped"), ("*.sst", "gone"), ("MANIFEST-*", "cut")),
]


@pytest.mark.parametrize(("pattern", "how"), DAMAGES)
def test_a_damaged_build_is_mended_by_the_next(
    store: Path, tmp_path: Path, records: Records, pattern: str, how: str
) -> None:
    before = fresh(tmp_path, records)
    (folder,) = (store / "builds").iterdir()
    for path in list(folder.rglob(pattern)):
        data = path.read_bytes()
        if how == "gone":
            path.unlink()
        elif how == "cut":
            path.write_bytes(data[: len(data) // 2])
        else:
            at = len(data) // 2
            path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
    made(store, records)
    assert contents(store) == before
    then = changed(records)
    made(store, then)
    assert contents(store) == fresh(tmp_path, then)


def test_without_hard_links_the_store_is_loaded(
    store: Path, tmp_path: Path, records: Records, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(store)

    def link(*paths: Path) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", link)
    calls.done()
    made(tmp_path / "store", records)
    assert calls.done() == (1, 0, 0)
    assert contents(tmp_path / "store") == before


def test_much_that_changes_is_loaded(
    store: Path, tmp_path: Path, records: Records, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(amending, "SHARE", 0.01)
    made(tmp_path / "store", added(records))
    assert calls.done() == (1, 0, 3)
    assert contents(tmp_path / "store") == fresh(tmp_path, added(records))


def sums(folder: Path) -> dict[str, bytes]:
    """What a build is made of, to the byte; its locks and logs are not."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("LO")
    }


def test_readers_of_the_build_before_go_on(store: Path, tmp_path: Path, records: Records) -> None:
    with open_store(store) as reader:
        before, files = quads_of(reader), sums(reader.folder)
        for then in (changed(records), added(records), removed(records)):
            made(store, then)
            assert quads_of(reader) == before
            assert sums(reader.folder) == files
        assert reader.folder.exists()
    made(store, removed(records))
    assert contents(store) == fresh(tmp_path, removed(records))


SCRIPT = """import sys; from pathlib import Path; from cardlaw.graph import amending, chunks
from cardlaw.graph.build import build
chunks.CHUNK, amending.SHARE = 3, 0.5
build(cards=[Path(sys.argv[1])], rules=Path(sys.argv[2]), store=Path(sys.argv[3]), workers=1)
"""


@pytest.mark.parametrize("after", [0.02, 0.1, 0.2, 0.4])
def test_a_rebuild_that_is_killed_harms_nothing(
    store: Path, tmp_path: Path, records: Records, after: float
) -> None:
    before = contents(store)
    (folder,) = (store / "builds").iterdir()
    files = sums(folder)
    file = tmp_path / "cards.json"
    file.write_text(json.dumps(changed(records)), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(file), str(RULES), str(store)], start_new_session=True
    )
    for _ in until(lambda: len(list((store / "builds").iterdir())) > 1 or process.poll() is not None):
        pass
    time.sleep(after)  # into the build
    process.kill()
    process.wait()
    for _ in until(lambda: not _alive(process.pid)):
        pass
    assert sums(folder) == files
    if (store / "current").read_text().strip() == folder.name:
        assert contents(store) == before
    made(store, changed(records))
    assert contents(store) == fresh(tmp_path, changed(records))


def until(done: Callable[[], bool], seconds: float = 20) -> Iterator[None]:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.005)
        yield


def _alive(group: int) -> bool:
    try:
        os.killpg(group, signal.SIG_DFL)
    except ProcessLookupError:
        return False
    return True


def test_chunks_depend_on_the_cards_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 4)
    cards = [
        msgspec.structs.replace(next(iter(corpus.read(FIXTURES / "cards.json"))), slug=f"c{n:03}")
        for n in range(200)
    ]
    found = list(chunks.chunked(cards))
    assert [card for chunk in found for card in chunk] == cards
    assert 25 < len(found) < 100
    for at in range(0, 200, 17):
        fewer = list(chunks.chunked(cards[:at] + cards[at + 1 :]))
        same = sum(chunk in found for chunk in fewer)
        assert same >= len(fewer) - 1


def test_the_key_tells_records_and_corrections_apart() -> None:
    card = next(iter(corpus.read(FIXTURES / "cards.json")))
    assert key_of(card, (), "") == key_of(card, (), "mine.toml")
    others = [
        msgspec.structs.replace(card, layout="token"),
        msgspec.structs.replace(card, origins={"name": "x"}),
        msgspec.structs.replace(card, legalities={"modern": "legal"}),
    ]
    assert len({key_of(each, (), "") for each in (card, *others)}) == 4


@pytest.mark.real
def test_real_cards_come_and_go(real_data: Path, tmp_path: Path, calls: Calls) -> None:
    with gzip.open(real_data / "scryfall" / "cards-2025-sample.json.gz") as packed:
        cards = json.loads(packed.read())
    rulings = real_data / "scryfall" / "rulings-sample.json.gz"
    file = tmp_path / "cards.json"
    for listed in (cards[:-20], cards, cards[15:]):
        file.write_text(json.dumps(listed), encoding="utf-8")
        build(cards=[file], rulings=rulings, store=tmp_path / "store", workers=2)
    assert calls.done()[:2] == (1, 2)
    build(cards=[file], rulings=rulings, store=tmp_path / "fresh", workers=1)
    assert contents(tmp_path / "store") == contents(tmp_path / "fresh")
