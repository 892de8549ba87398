"""Stores of which files are cut, emptied, changed or lost: what is answered is right, or one line says so."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from harm import (
    CARDS,
    RULES,
    Told,
    answers,
    builds,
    called,
    cardlaw,
    copied,
    damage,
    is_one_line,
    remains,
)

from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.atlas import atlas
from cardlaw.graph.build import build
from cardlaw.graph.search import index
from cardlaw.graph.store import open_store

WORK_AGAIN = "run `cardlaw build`"
LAYERS = ("abilities", "cards", "evidence", "ontology", "rules")
KINDS = (
    "build.json",
    *(f"{name}.nq.gz" for name in LAYERS),
    "store/CURRENT",
    "store/MANIFEST-*",
    "store/*.sst",
)


@pytest.mark.parametrize("how", ["cut", "empty", "flip", "lose"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_told(whole: Path, tmp_path: Path, kind: str, how: str) -> None:
    root = copied(whole, tmp_path / "store")
    random = Random(f"{kind} {how}")
    for path in random.sample(found := sorted(root.glob(f"builds/*/{kind}")), min(2, len(found))):
        damage(path, how, random)
    told = called("check", "--quiet", "--store", root)
    if kind == "build.json" and how == "flip" and told.code == 0:
        return  # what it says of times and warnings is no part of the graph
    assert is_one_line(told, do=WORK_AGAIN), told
    shown = ("show", "702.9", "Hush", "--store")
    told = cardlaw(tmp_path, *shown, root) if ".sst" in kind else called(*shown, root)
    assert is_one_line(told, do=WORK_AGAIN) or told == called(*shown, whole), told


@pytest.mark.parametrize("how", ["cut", "flip"])
def test_a_build_mends_what_is_damaged(whole: Path, tmp_path: Path, how: str) -> None:
    root = copied(whole, tmp_path / "store")
    random = Random(how)
    for path in sorted(root.glob("builds/*/*")):
        if path.is_file():
            damage(path, how, random)
    for _ in range(2):  # the one that answered stays until the next
        build(cards=[CARDS], rules=RULES, store=root, workers=1)
        assert answers(root) == answers(whole)
    assert (len(builds(root)), remains(root)) == (2, [])


@pytest.mark.parametrize("how", ["cut", "empty", "flip", "lose"])
def test_a_damaged_pointer_is_told_and_a_build_mends_it(whole: Path, tmp_path: Path, how: str) -> None:
    root = copied(whole, tmp_path / "store")
    damage(root / "current", how, Random(how))
    told = called("show", "702.9", "--store", root)
    assert is_one_line(told, do=WORK_AGAIN) or how == "cut", told
    build(cards=[CARDS], rules=RULES, store=root, workers=1)
    assert answers(root) == answers(whole)
    assert remains(root) == []


@pytest.mark.parametrize("how", ["cut", "empty", "flip", "lose"])
def test_what_is_made_from_a_build_is_made_again(whole: Path, tmp_path: Path, how: str) -> None:
    root = copied(whole, tmp_path / "store")
    said = beside(root)
    for pattern in ("adjacency-*.npz", "atlas-*-places.gz", "atlas-*-ties.gz", "search-*.sqlite"):
        for seed in range(4):
            (file,) = root.glob(f"builds/*/{pattern}")
            damage(file, how, Random(seed))
            assert beside(root) == said, (pattern, seed)
    assert remains(root) == []


def beside(root: Path) -> tuple[object, ...]:
    """What lies beside a build, as it is answered."""
    with open_store(root) as store:
        ties, drawn, words = adjacency(store), atlas(store), index(store)
        packed = gzip.decompress(drawn.places), gzip.decompress(drawn.ties)
        found = words.search("creature")
        return ties.nodes, ties.source.tolist(), ties.target.tolist(), packed, found.counts, found.hits


def test_a_query_over_damaged_blocks_ends(whole: Path, tmp_path: Path) -> None:
    """Oxigraph may meet the damage again and again: then the files are looked at, and that ends it."""
    root = copied(whole, tmp_path / "store")
    for number, path in enumerate(sorted(root.glob("builds/*/store/*.sst"))):
        data = bytearray(path.read_bytes())
        if len(data) > 100_000:  # blocks in the middle, not what finds them
            data[50_000 + number] ^= 0x55
            path.write_bytes(data)
    (tmp_path / "count.rq").write_text("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    code = (
        "from cardlaw.exports import answers; answers._LONG = 0.5\n"
        "from cardlaw.exports.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "query", str(tmp_path / "count.rq"), "--store", str(root)],
        capture_output=True,
        encoding="utf-8",
        timeout=100,
    )
    assert is_one_line(Told(done.returncode, done.stdout, done.stderr), do=WORK_AGAIN), done
    assert "damaged" in done.stderr
