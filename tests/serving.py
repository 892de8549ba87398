"""A server of one's own, as a process, for the tests that need more than an application in memory."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

PROGRAM = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()", "serve", "--port", "0"]


@contextmanager
def listening(application: Callable[[str], Starlette]) -> Iterator[str]:
    """The address of an application that a thread serves; it is made for that address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        server = uvicorn.Server(uvicorn.Config(application(base), log_level="error"))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        yield base
        server.should_exit = True
        thread.join(10)


class Server:
    """A running `cardlaw serve`: its process, its address and what it has written to stderr so far."""

    def __init__(self, store: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "--store", str(store), *options],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.lines: list[str] = []
        self.address = ""
        ready = threading.Event()

        def read() -> None:
            assert self.process.stderr is not None
            for line in self.process.stderr:
                self.lines.append(line.rstrip("\n"))
                if found := re.search(r" at (http://\S+)", line):
                    self.address = found[1]
                    ready.set()
            ready.set()

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()
        ready.wait(60)
        if not self.address:
            self.end()
            raise RuntimeError(f"no server: {self.lines}")

    @property
    def sparql(self) -> str:
        return self.address + "sparql"

    def workers(self) -> list[int]:
        """The ids of its worker processes (Linux)."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes()
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == self.process.pid and b"spawn_main" in command:
                found.append(int(folder.name))
        return sorted(found)

    def end(self) -> int:
        """Kill it, if it still runs; its exit code."""
        self.process.kill()
        code = self.process.wait(10)
        self._reader.join(10)
        return code


@contextmanager
def serving(store: Path, *options: str) -> Iterator[Server]:
    server = Server(store, *options)
    try:
        yield server
    finally:
        server.end()
