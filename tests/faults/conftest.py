"""All of this folder is marked `faults`; a finished build, to be copied and harmed."""

from __future__ import annotations

from pathlib import Path

import pytest
from harm import CARDS, RULES

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("faults")


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one build of the invented cards and rulebook."""
    from cardlaw.graph.build import build

    root = tmp_path_factory.mktemp("whole") / "store"
    build(cards=[CARDS], rules=RULES, store=root, workers=1)
    return root
