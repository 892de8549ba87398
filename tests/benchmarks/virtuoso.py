"""Publish to Virtuoso, an engine that has nothing in common with ours, with digest authentication.

Installs Debian's virtuoso-opensource-7-bin if there is no virtuoso-t (which takes root and a network), starts
it on this machine in a folder of its own, is refused with a wrong password, publishes the graph, publishes
once more over what is there, and stops it again. The triples are counted there.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardlaw.exports.graphstore import GraphStore, Password
from cardlaw.exports.publish import publish
from cardlaw.graph.errors import PublishError
from cardlaw.graph.store import layer, open_store

from .figures import Figure, LeftOutError, Setup

PACKAGE = "virtuoso-opensource-7-bin"
SETTINGS = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
[TempDatabase]
DatabaseFile = temporary.db
TransactionFile = temporary.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
NumberOfBuffers = 170000
MaxDirtyBuffers = 130000
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 10
"""


def figures(setup: Setup) -> Iterator[Figure]:
    install()
    with open_store(setup.store) as store, running(setup.folder) as address:
        refused(address)
        for told in ("published", "published over it"):
            begun = time.perf_counter()
            with GraphStore(address, auth=Password("dba", "dba")) as server:
                counts = publish(store, server, lambda *_: None, cache=setup.folder / "cache")
            spent = time.perf_counter() - begun
            total = sum(counts.values())
            yield Figure(name=f"{total:,} triples {told}", value=spent, unit="s")
            yield Figure(name="… a second", value=total / spent, unit="")


def install() -> None:
    if shutil.which("virtuoso-t"):
        return
    if os.geteuid() != 0:
        raise LeftOutError(f"no virtuoso-t: run it as root, or install {PACKAGE}")
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], **quiet)
    subprocess.run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", PACKAGE], env=environment, **quiet
    )


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The address of the Graph Store Protocol of a server that keeps its data in a folder."""
    sql, http = free_port(), free_port()
    (folder / "virtuoso.ini").write_text(SETTINGS.format(sql=sql, http=http))
    command = ["virtuoso-t", "+foreground", "+configfile", "virtuoso.ini"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", http)) == 0:
                    break
            if server.poll() is not None:
                raise RuntimeError(f"virtuoso-t ended: {(folder / 'virtuoso.log').read_text()[-500:]}")
            time.sleep(0.1)
        yield f"http://127.0.0.1:{http}/sparql-graph-crud-auth"
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(120)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def refused(address: str) -> None:
    for auth in (None, Password("dba", "no")):
        try:
            with GraphStore(address, auth=auth) as server:
                server.put(layer("ontology").value, b"")
        except PublishError:
            pass
        else:
            raise RuntimeError("a wrong password was taken")
