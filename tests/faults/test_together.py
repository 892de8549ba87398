"""Two builders and five readers at once: each gets a whole graph or one line, and no build is left over."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harm import (
    SOURCES,
    Told,
    answers,
    builds,
    cardlaw,
    command,
    copied,
    environment,
    is_one_line,
    remains,
    temporary,
)

READER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from harm import answers
root, seen = Path(sys.argv[2]), set()
while not root.with_name("stop").exists():
    seen.add(answers(root))
print(*seen)
"""


def test_two_builders_and_five_readers(whole: Path, tmp_path: Path) -> None:
    root = copied(whole, tmp_path / "store")
    before = answers(root)
    env = environment(tmp_path)
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(Path(__file__).parent), str(root)],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(5)
    ]
    try:
        finished = 0
        for _ in range(3):
            pair = [
                subprocess.Popen(
                    command("build", *SOURCES, "--store", root, "--quiet"),
                    env=env,
                    stderr=subprocess.PIPE,
                    encoding="utf-8",
                )
                for _ in range(2)
            ]
            told = [Told(each.wait(120), "", each.stderr.read() if each.stderr else "") for each in pair]
            for each in told:
                assert each.code == 0 or is_one_line(each, do="another build is at work.*wait"), each
            finished += sum(each.code == 0 for each in told)
        assert finished >= 3
    finally:
        (tmp_path / "stop").touch()
        ends = [each.communicate(timeout=120) for each in readers]
    assert ends == [(f"{before}\n", "")] * 5
    assert cardlaw(tmp_path, "build", *SOURCES, "--store", root, "--quiet").code == 0
    assert (answers(root), remains(root), temporary(tmp_path)) == (before, [], [])
    assert len(builds(root)) == 2, "the one that answered, and the new one"
