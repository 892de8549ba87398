"""`cardlaw fetch` as a program: stopped midway by each signal, and answered by a host that means ill.

What a host can answer in detail is in `tests/test_fetch.py`; here the program ends with a line and a code.
"""

from __future__ import annotations

import gzip
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from harm import RULES, cardlaw, command, ended, environment, is_one_line, send, temporary
from test_fetch import FILE, PACKED, Handler, Host, Resource, contents, host

__all__ = ["host"]  # the fixture


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """One with rules in its cache."""
    assert cardlaw(tmp_path, "fetch", "rules", "--from", RULES, "--quiet").code == 0
    return tmp_path


@pytest.fixture
def whole_answers(home: Path) -> Iterator[None]:
    """What was in the cache is there afterwards, and nothing else than what can be gone on with."""
    before = contents(home / "cache")
    yield
    after = contents(home / "cache")
    assert {name: after.get(name) for name in before} == before
    assert all("/parts/" in name for name in after.keys() - before.keys()), after.keys()
    assert temporary(home) == []


@pytest.mark.usefixtures("whole_answers")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_stopped_midway(host: Host, home: Path, number: signal.Signals) -> None:
    random = Random(number)
    cut = random.randrange(1, len(PACKED) - 1)

    def stall(call: Handler) -> None:
        call.send(host.files[FILE], cut=cut)
        call.wfile.flush()
        time.sleep(5)

    host.faults[FILE].append(stall)
    process = subprocess.Popen(
        command("fetch", "cards", "--from", host.url + FILE),
        env=environment(home),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    until = time.monotonic() + 30
    while not [*home.glob("cache/**/parts/*")] and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(random.random() / 2)
    send(process, number)
    _, told = process.communicate(timeout=30)
    assert process.returncode in (-signal.SIGKILL, 130, 143), told
    assert told == ""
    assert ended(process.pid)


ANSWERS: dict[str, tuple[Callable[[Host], object], str]] = {
    "not there": (lambda host: host.files.pop(FILE), "answers 404.*check the address"),
    "a page": (lambda host: host.files.update({FILE: Resource(b"<html>no")}), "is a web page"),
    "no cards": (lambda host: host.files.update({FILE: Resource(b'{"object": "error"}')}), "--from|check"),
    "nothing": (lambda host: host.files.update({FILE: Resource(b"")}), "is empty"),
    "cut gzip": (lambda host: host.files.update({FILE: Resource(PACKED[:-99])}), "again"),
    "flipped gzip": (lambda host: host.files.update({FILE: Resource(flipped(PACKED))}), "again"),
    "a bomb of pages": (lambda host: host.files.update({FILE: Resource(bomb())}), "is |get |again|check"),
    **{
        f"to {target}": (
            lambda host, target=target: host.faults[FILE].append(  # type: ignore[misc]
                lambda call: call.answer(302, b"", {"Location": target})
            ),
            "--from|check",
        )
        for target in ("file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:70/x", "http://[")
    },
    "in circles": (
        lambda host: host.faults[FILE].extend([lambda call: call.answer(302, b"", {"Location": FILE})] * 20),
        "redirects over 10 times",
    ),
}


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def bomb() -> bytes:
    return gzip.compress(b"<" * 30_000_000)


@pytest.mark.usefixtures("whole_answers")
@pytest.mark.parametrize("what", ANSWERS)
def test_a_host_that_means_ill(host: Host, home: Path, what: str) -> None:
    spoil, said = ANSWERS[what]
    spoil(host)
    told = cardlaw(home, "fetch", "cards", "--from", host.url + FILE)
    assert is_one_line(told, do=said), told
    assert not re.search(r"root:|passwd:", told.stderr)
