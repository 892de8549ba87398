"""What the tests of faults share: the program as a child, what a graph answers, and what is left behind."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from cardlaw.exports.cli import _run
from cardlaw.exports.terminal import guard
from cardlaw.graph.store import Store, open_store

FIXTURES = Path(__file__).parent.parent / "fixtures"
CARDS = FIXTURES / "cards.json"
RULES = FIXTURES / "rulebook.txt"
SOURCES = ("--cards", str(CARDS), "--rules", str(RULES))
CODE = "from cardlaw.graph import chunks; chunks.CHUNK = 4; from cardlaw.exports.cli import main; main()"
"""The program, with several processes that link a few cards too."""
ASKED = (
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "SELECT ?card ?rule { ?card mtg:citesRule ?rule }",
    "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p",
)


class Told(NamedTuple):
    """How a program ended."""

    code: int
    stdout: str
    stderr: str


def command(*args: object) -> list[str]:
    return [sys.executable, "-c", CODE, *map(str, args)]


def environment(home: Path, **more: str) -> dict[str, str]:
    """That of a child which keeps what it writes below `home`."""
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    own = {
        "TMPDIR": home / "tmp",
        "HOME": home,
        "XDG_DATA_HOME": home / "data",
        "XDG_CACHE_HOME": home / "cache",
    }
    known = {name: value for name, value in os.environ.items() if name != "CARDLAW_STORE"}
    return known | {name: str(path) for name, path in own.items()} | more


def cardlaw(home: Path, *args: object, seconds: float = 120, **more: Any) -> Told:
    done = subprocess.run(
        command(*args), capture_output=True, encoding="utf-8", env=environment(home), timeout=seconds, **more
    )
    return Told(done.returncode, done.stdout, done.stderr)


def called(*args: object) -> Told:
    """As `cardlaw`, in this process: at once, but for what may never end."""
    streams = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["cardlaw", *map(str, args)]
    try:
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            code = guard(_run)
    finally:
        sys.argv = before
    return Told(code, streams[0].getvalue(), streams[1].getvalue())


def is_one_line(told: Told, *, do: str) -> bool:
    """Whether a failure is told in one line that says what to do, and by the exit code."""
    line = told.stderr.removesuffix("\n")
    clear = line.startswith("cardlaw: ") and "\n" not in line and re.search(do, line) is not None
    return told.code == 1 and clear and "Traceback" not in line


def answered(store: Store) -> str:
    """What a graph says, whatever it is called and wherever it lies."""
    digest = hashlib.sha256()
    for query in ASKED:
        rows = sorted(str([str(value) for value in row]) for row in store.query(query))  # type: ignore[union-attr]
        digest.update(json.dumps(rows).encode())
    for name in sorted(store.info.quads):
        if name != "evidence":  # it names the build
            digest.update(gzip.decompress((store.folder / f"{name}.nq.gz").read_bytes()))
    return digest.hexdigest()


def answers(root: Path) -> str:
    with open_store(root) as store:
        return answered(store)


def builds(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "builds").iterdir())


def remains(root: Path) -> list[str]:
    """What lies in a store that no finished build put there."""
    unknown = [path.name for path in root.iterdir() if path.name not in ("builds", "current", "lock")]
    half = [name for name in builds(root) if not (root / "builds" / name / "build.json").exists()]
    return [*unknown, *half, *(str(path) for path in root.rglob("*.partial"))]


def temporary(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "tmp").iterdir())


def is_running(group: int) -> bool:
    """Whether any process of a group runs; what has ended and waits for its parent does not."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, of = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of) == group and state != "Z":
            return True
    return False


def ended(group: int, seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while is_running(group):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def send(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """As it comes in life: Ctrl-C to all processes of the terminal, the others to the one that is named."""
    if number is signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)


def damage(path: Path, how: str, random: Random) -> None:
    """Harm a file: "cut" it anywhere, "empty" it, "flip" sixteen bytes, or "lose" it."""
    data = bytearray(path.read_bytes())
    if how == "lose":
        path.unlink()
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(data[: random.randrange(len(data))])
    else:
        at = random.randrange(max(1, len(data) - 16))
        for place in range(at, min(at + 16, len(data))):
            data[place] ^= random.randrange(1, 256)
        path.write_bytes(data)


@contextmanager
def small_disk(folder: Path, size: int, files: int = 0) -> Iterator[Path]:
    """A file system of so many bytes (and files, if any); skips the test where none can be had."""
    folder.mkdir()
    options = f"size={size}" + (f",nr_inodes={files}" if files else "")
    mount = shutil.which("mount")
    done = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True
    )
    if not done or done.returncode:
        pytest.skip("no small disk to fill: mounting a tmpfs needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def forget(root: Path) -> Path:
    """A store whose next build makes all anew, as nothing tells it what it may keep."""
    for file in root.rglob("linked-*"):
        file.unlink()
    return root


def copied(source: Path, target: Path) -> Path:
    return Path(shutil.copytree(source, target))


def size_of(folder: Path) -> int:
    """Bytes that its files take on a disk of pages."""
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in folder.rglob("*") if path.is_file())


def one_of(items: Sequence[Any], random: Random) -> Any:
    return items[random.randrange(len(items))]
