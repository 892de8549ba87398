"""The explorer and the atlas by axe-core (WCAG 2, and what it holds for good practice): no finding."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from viewing import settled, started

from cardlaw.exports import view
from cardlaw.exports.atlas import atlas_html
from cardlaw.graph import open_store
from cardlaw.graph.atlas import atlas

pytestmark = pytest.mark.browser

pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
SCRIPT = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
PHONE = {"width": 390, "height": 844}
PROVED = """() => cardlaw.explorer.chooseEdge(
  [...cardlaw.explorer.edges].find((id) => cardlaw.model.edges.get(id).evidence.length))"""
READY = "() => globalThis.cardlaw?.explorer?.ids.size || globalThis.cardlaw?.ready"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(small_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    with open_store(small_store) as graph:
        (folder / "atlas.html").write_text(atlas_html(atlas(graph), graph), encoding="utf-8")
        view(graph, "card:brindle-falconer", "keyword:cycling").save(folder / "view.html")
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("page", "hash_", "done", "size"),
    [
        ("view", "", "", None),
        ("view", "", "", PHONE),
        ("view", "", PROVED, None),
        ("view", "table=ties", "", None),
        ("view", "", "() => cardlaw.explorer.expand('keyword:cycling')", None),
        ("atlas", "", "", None),
        ("atlas", "", "", PHONE),
        ("atlas", "focus=card%3Abrindle-falconer", "", None),
        ("atlas", "", "() => document.querySelector('#as-table').click()", None),
    ],
)
def test_nothing_is_found(
    chromium: Any, pages: Path, page: str, hash_: str, done: str, size: Any, scheme: str
) -> None:
    context = chromium.new_context(
        viewport=size or {"width": 1400, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    opened = context.new_page()
    opened.goto(f"{(pages / page).with_suffix('.html').as_uri()}#{hash_}")
    settled(opened, READY, seconds=30)
    if done:
        opened.evaluate(done)
    opened.wait_for_timeout(500)
    opened.evaluate(SCRIPT)
    found = opened.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    context.close()
    assert [(each["id"], each["nodes"][0]["target"]) for each in found] == []
