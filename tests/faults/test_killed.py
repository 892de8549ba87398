"""A build that is killed at fifty random moments of all its stages, by each signal that ends programs."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from harm import (
    SOURCES,
    answers,
    builds,
    cardlaw,
    command,
    copied,
    ended,
    environment,
    forget,
    one_of,
    remains,
    send,
    temporary,
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
STAGES = {
    "begun": "",  # whatever the program does first
    "rules": "ontology.nq.gz",
    "links": "cards.nq.gz",
    "load": "store",
    "map": "adjacency-*.npz",
}
"""Where a build is, by what lies in its folder; it is killed up to so long after that is there:"""
WITHIN = {"begun": 0.8, "rules": 0.3, "links": 0.8, "load": 0.8, "map": 0.5}


@pytest.mark.parametrize("seed", range(10))
def test_killed_at_any_moment(whole: Path, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    root = copied(whole, tmp_path / "store")
    if seed % 2:  # the others take over what the build before has
        forget(root)
    before = answers(root)
    for stage, pattern in STAGES.items():
        number, known = one_of(SIGNALS, random), set(builds(root))
        process = subprocess.Popen(
            command("build", *SOURCES, "--store", root, "--quiet"),
            env=environment(tmp_path),
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        until = time.monotonic() + 60
        while pattern and process.poll() is None and time.monotonic() < until:
            if any([*(root / "builds" / name).glob(pattern)] for name in {*builds(root)} - known):
                break
            time.sleep(0.005)
        time.sleep(random.uniform(0, WITHIN[stage]))
        where = f"{number.name} at {stage}, seed {seed}"
        send(process, number)
        _, told = process.communicate(timeout=60)
        assert ended(process.pid), f"{where}: its processes run on"
        assert answers(root) == before, where
        new = {*builds(root)} - known
        if any(_answers(root, name) for name in new):  # the signal came too late
            assert len(new) == 1, where
        elif number is not signal.SIGKILL and stage != "begun":
            assert process.returncode in (130, 143), (where, told)
            assert (new, told) == (set(), ""), where
        assert temporary(tmp_path) == [], where
    done = cardlaw(tmp_path, "build", *SOURCES, "--store", root, "--quiet")
    assert (done.code, "Traceback" in done.stderr) == (0, False)
    assert answers(root) == before
    assert remains(root) == []
    assert len(builds(root)) == 2, "the one that answered, and the new one"
    assert temporary(tmp_path) == []


def _answers(root: Path, name: str) -> bool:
    return (root / "current").read_text().strip() == name


@pytest.mark.parametrize("before", [True, False])
def test_killed_at_the_switch(whole: Path, tmp_path: Path, before: bool) -> None:
    """Right before and right after `current` is replaced: one of the two builds answers, whole."""
    root = copied(whole, tmp_path / "store")
    said, (old,) = answers(root), builds(root)
    code = (
        "import os, sys, signal; from pathlib import Path; from cardlaw.graph import build as b, store as s\n"
        "replace = Path.replace\n"
        "def killed(self, target):\n"
        "    if target.name == 'current':\n"
        f"        {'' if before else 'replace(self, target);'} os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return replace(self, target)\n"
        "Path.replace = killed\n"
        "from cardlaw.exports.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "build", *SOURCES, "--store", str(root)],
        env=environment(tmp_path),
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL
    assert answers(root) == said
    assert _answers(root, old) is before
    assert cardlaw(tmp_path, "build", *SOURCES, "--store", root, "--quiet").code == 0
    assert answers(root) == said
    assert remains(root) == []
