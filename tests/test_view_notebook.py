"""A view in a notebook: the notebook is run, and what it shows is looked at in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from viewing import settled, started

from cardlaw.exports import view
from cardlaw.graph import open_store
from cardlaw.graph.errors import QueryError


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as browser:
        yield browser


def shown_by(store: Path) -> dict[str, Any]:
    """What a notebook's last cell shows, by media type."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cells = [
        "from cardlaw.exports import view\nfrom cardlaw.graph import open_store",
        f"view(open_store({str(store)!r}), 'cycling', height=500)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    [output] = notebook.cells[-1].outputs
    data: dict[str, Any] = output.data
    return data


def test_a_view_is_saved_and_told(small_store: Path, tmp_path: Path) -> None:
    with open_store(small_store) as graph:
        made = view(graph, "cycling", "702.29")
        assert made.title == "Cycling, 702.29 Cycling"
        assert made.save(tmp_path / "x.html").read_text(encoding="utf-8") == made.html
        assert repr(made).startswith("<View of Cycling, 702.29 Cycling: ")
        with pytest.raises(QueryError, match="nothing is called"):
            view(graph, "no such thing at all")


def test_the_frame_holds_the_page_and_nothing_of_it_gets_out(small_store: Path) -> None:
    with open_store(small_store) as graph:
        made = view(graph, "cycling")
    framed = made._repr_html_()
    assert framed.count("<") == 2
    assert unescape(framed.partition('srcdoc="')[2].partition('"')[0]) == made.html
    assert 'sandbox="allow-scripts allow-downloads"' in framed


@pytest.mark.browser
@pytest.mark.programs
def test_a_notebook_shows_a_view(chromium: Any, small_store: Path, tmp_path: Path) -> None:
    data = shown_by(small_store)
    assert data["text/plain"].startswith("<View of Cycling")
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{data['text/html']}</body>", encoding="utf-8")
    faults: list[str] = []
    context = chromium.new_context()
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.on(
        "request",
        lambda request: request.url.startswith(("file:", "data:", "about:")) or faults.append(request.url),
    )
    page.goto(path.as_uri())
    [frame] = page.frames[1:]
    settled(frame, "() => globalThis.cardlaw?.picture.drawn.length > 0", seconds=20)
    assert frame.evaluate("[...cardlaw.explorer.visible]")[0] == "keyword:cycling"
    assert frame.evaluate("self.origin") == "null", "it has nothing of the notebook's"
    before = frame.evaluate("cardlaw.explorer.visible.size")
    frame.click('#legend button[data-type="rule"]')
    settled(frame, "before => cardlaw.explorer.visible.size < before", before)
    frame.click("#undo")
    settled(frame, "before => cardlaw.explorer.visible.size === before", before)
    frame.click("#save")
    with page.expect_download() as download:
        frame.click('.menu [data-item="Turtle"]')
    assert download.value.suggested_filename == "cycling.ttl"
    context.close()
    assert faults == []
