"""Disks that are full and folders that may not be written: one line says so, and nothing else changes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from harm import (
    RULES,
    SOURCES,
    Told,
    answers,
    builds,
    cardlaw,
    command,
    copied,
    environment,
    forget,
    is_one_line,
    remains,
    size_of,
    small_disk,
    temporary,
)

from cardlaw.exports.formats import FOLDERS

# -- full ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 200_000, 1_000_000])
def test_a_build_on_a_disk_with_little_room(whole: Path, tmp_path: Path, room: int) -> None:
    with small_disk(tmp_path / "disk", size_of(whole) + 8192 + room) as disk:
        root = forget(copied(whole, disk / "store"))
        before, old = answers(root), builds(root)
        told = cardlaw(tmp_path, "build", *SOURCES, "--store", root)
        assert is_one_line(
            told._replace(stderr=told.stderr.rpartition("…\n")[2]), do="disk is full.*choose another --store"
        ), told
        assert answers(root) == before
        assert (builds(root), remains(root), temporary(tmp_path)) == (old, [], [])
        subprocess.run(["mount", "-o", "remount,size=100000000", str(disk)], check=True)
        assert cardlaw(tmp_path, "build", *SOURCES, "--store", root, "--quiet").code == 0
        assert answers(root) == before


@pytest.mark.parametrize("files", [3, 14])
def test_a_build_on_a_disk_that_takes_no_more_files(whole: Path, tmp_path: Path, files: int) -> None:
    inodes = 1 + sum(1 for _ in whole.rglob("*"))
    with small_disk(tmp_path / "disk", 100_000_000, inodes + 1 + files) as disk:
        root = forget(copied(whole, disk / "store"))
        before, old = answers(root), builds(root)
        told = cardlaw(tmp_path, "build", *SOURCES, "--store", root, "--quiet")
        assert is_one_line(told, do="disk is full.*choose another --store"), told
        assert answers(root) == before
        assert (builds(root), remains(root)) == (old, [])


@pytest.mark.parametrize("form", ["nquads", "jsonl", "graphml", "neo4j", "site"])
def test_an_export_on_a_full_disk(whole: Path, tmp_path: Path, form: str) -> None:
    with small_disk(tmp_path / "disk", 40_000) as disk:
        if form not in FOLDERS:
            (disk / "out").write_text("mine")
        told = cardlaw(tmp_path, "export", form, "--store", whole, "-o", disk / "out", "--quiet")
        assert is_one_line(told, do="cannot write .*No space left on device"), told
        assert [path.name for path in disk.iterdir()] in ([], ["out"])
        if (disk / "out").exists():
            assert (disk / "out").read_text() == "mine"
        assert temporary(tmp_path) == []


def test_a_fetch_into_a_full_cache(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 20_480) as disk:
        (disk / "cache").mkdir()
        env = environment(tmp_path, XDG_CACHE_HOME=str(disk / "cache"))
        done = subprocess.run(
            command("fetch", "rules", "--from", RULES, "--quiet"), env=env, capture_output=True, text=True
        )
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "give it room and rights" in done.stderr
        assert not list(disk.rglob("*.txt"))


# -- not permitted ------------------------------------------------------------------------------------


class Bound:
    """A copy of the store, and the program as a user whom permissions bind, as they do not bind root."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = folder / "store"
        self.before = () if os.getuid() else ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")

    def __call__(self, *args: object) -> Told:
        done = subprocess.run(
            [*self.before, *command(*args)], capture_output=True, encoding="utf-8", env=environment(self.home)
        )
        return Told(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def bound(whole: Path, tmp_path: Path) -> Iterator[Bound]:
    made = Bound(tmp_path)
    copied(whole, made.root)
    if made.before and not shutil.which(made.before[0]):
        pytest.skip("permissions do not bind root, and there is no setpriv that lets them")
    yield made
    for path in (tmp_path, *tmp_path.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)


def harmed(bound: Bound, which: str, mode: int) -> None:
    for path in [*bound.root.glob(which)] if which else [bound.root]:
        path.chmod(mode)


@pytest.mark.parametrize(("which", "mode"), [("", 0o555), ("builds", 0o555), ("lock", 0o444)])
def test_a_store_that_may_not_be_written(bound: Bound, which: str, mode: int) -> None:
    before, old = answers(bound.root), builds(bound.root)
    harmed(bound, which, mode)
    told = bound("build", *SOURCES, "--store", bound.root, "--quiet")
    assert is_one_line(told, do="--store|cardlaw build"), told
    harmed(bound, which, 0o755)
    assert answers(bound.root) == before
    assert (builds(bound.root), temporary(bound.home)) == (old, [])


@pytest.mark.parametrize(
    "which", ["current", "builds", "builds/*", "builds/*/build.json", "builds/*/store/*.sst"]
)
def test_a_store_that_may_not_be_read(bound: Bound, which: str) -> None:
    before = answers(bound.root)
    harmed(bound, which, 0o000)
    told = bound("show", "702", "--store", bound.root)
    assert is_one_line(
        told, do="cannot read .*current.*|is damaged .*Permission denied.*run `cardlaw build`"
    ), told
    harmed(bound, which, 0o755)
    assert answers(bound.root) == before


def test_a_store_that_may_only_be_read_answers(bound: Bound) -> None:
    for args in (["show", "702.9"], ["query", "glossary", "--format", "json"], ["path", "Hush", "702.9"]):
        told = bound(*args, "--quiet", "--store", bound.root)
        mine = cardlaw(bound.home, *args, "--quiet", "--store", bound.root)
        assert (told.code, told.stderr) == (mine.code, mine.stderr) == (0, "")
        assert told.stdout == mine.stdout != ""


def test_outputs_and_caches_that_may_not_be_written(bound: Bound) -> None:
    locked = bound.home / "locked"
    locked.mkdir(mode=0o555, parents=True)
    for args in (
        ["export", "nquads", "--store", bound.root, "-o", locked / "a.nq"],
        ["export", "site", "Hush", "--store", bound.root, "-o", locked / "site"],
        ["view", "Hush", "--store", bound.root, "-o", locked / "view.html"],
        ["show", "Hush", "--format", "html", "--store", bound.root, "-o", locked / "view.html"],
    ):
        told = bound(*args, "--quiet")
        assert is_one_line(told, do=r"cannot write .*: Permission denied"), told
    cache = bound.home / "cache"
    cache.mkdir(mode=0o555, parents=True)
    told = bound("fetch", "rules", "--from", RULES, "--quiet")
    assert is_one_line(told, do="give it room and rights"), told
    assert not any(locked.iterdir())
    assert not any(cache.iterdir())
