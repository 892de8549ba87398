"""The command that measures: every benchmark works on invented cards, and its table and JSON say the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import growth, growthpage
from benchmarks.figures import Figure, rows, run
from conftest import PROJECT


def measured(tmp_path: Path, *names: str, store: Path | None = None) -> tuple[dict[str, Any], str]:
    """What the command writes for some benchmarks: its JSON, and its table."""
    command = [sys.executable, str(PROJECT / "tests" / "benchmarks"), "--quick", "--only", *names]
    command += ["--json", str(tmp_path / "figures.json")] + (["--store", str(store)] if store else [])
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads((tmp_path / "figures.json").read_text(encoding="utf-8")), done.stdout


def checked(told: dict[str, Any], table: str, *names: str) -> None:
    assert told["quick"] is True
    assert {figure["benchmark"] for figure in told["figures"]} == set(names)
    for figure in told["figures"]:
        assert figure["name"] in table
        assert figure["value"] >= 0
        assert figure["load"] >= 0
        assert (figure["met"] is None) == (figure["goal"] == "")
        if figure["reference"]:
            assert figure["times"] == pytest.approx(figure["value"] / figure["reference"])
            assert figure["beside"]


def test_what_a_build_and_a_start_may_take(tmp_path: Path) -> None:
    told, table = measured(tmp_path, "bulk", "building", "linking", "starting")
    checked(told, table, "bulk", "building", "linking", "starting")
    goals = {figure["name"]: figure["goal"] for figure in told["figures"] if figure["goal"]}
    assert goals == {
        "build of 30 cards": "≤ 60 s, ≤ 2 ×",
        "… largest process": "≤ 1,500 MB",
        "quads a card": "≤ 150",
        "graph on disk": "≤ 800 MB",
        "build of the same again": "≤ 0.33 ×",
        "cardlaw --help": "≤ 300 ms",
    }


def test_queries_beside_the_engine_alone_and_another(tmp_path: Path, small_store: Path) -> None:
    names = ("queries", "rdflib_engine", "cardpages", "rulepages", "neighborhoods", "similar")
    told, table = measured(tmp_path, *names, store=small_store)
    checked(told, table, *names)
    goals = {figure["name"]: figure["goal"] for figure in told["figures"] if figure["goal"]}
    assert {goal for name, goal in goals.items() if name.endswith("named queries")} == {"≤ 1.2 ×"}
    assert {goal for name, goal in goals.items() if name.startswith("a named query on")} == {"≤ 0.1 ×"}
    counts = {figure["name"]: figure["value"] for figure in told["figures"]}
    assert counts["… queries compared"] >= 3
    assert counts["… left out: other rows, or none, in rdflib"] == 0


@pytest.mark.programs
def test_pages_decks_and_a_server(tmp_path: Path, small_store: Path) -> None:
    told, table = measured(tmp_path, "sitepages", "deck", "server", store=small_store)
    checked(told, table, "sitepages", "deck", "server")


def test_what_cannot_run_is_told_and_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLAW_TEST_DATA", str(tmp_path))
    told, table = measured(tmp_path, "releases", "growth")
    assert told["figures"] == []
    assert len(table.splitlines()) == 2  # the head, and the load


def test_a_goal_is_of_the_value_or_of_how_many_times_the_reference() -> None:
    figure = Figure(name="x", value=3.0, unit="s", reference=2.0, beside="y", most=4, most_times=1.2)
    assert figure.times == 1.5
    assert figure.is_met is False
    assert Figure(name="x", value=3.0, unit="s", most=4).is_met is True
    assert Figure(name="x", value=3.0, unit="s").is_met is None
    *_, line = rows([("some", figure)])
    assert re.split("  +", line) == ["some", "x", "3 s", "2", "1.50", "≤ 4 s, ≤ 1.2 × ✗", "y"]


def test_a_process_is_measured_with_all_that_it_starts() -> None:
    inner = "x = bytearray(150_000_000); import time\nwhile time.process_time() < 0.3: pass"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    spent = run([sys.executable, "-c", outer])
    assert spent.cpu > 0.3
    assert 150 < spent.peak < 250
    assert run([sys.executable, "-c", "pass"]).peak < 100
    with pytest.raises(RuntimeError, match="ended with 3"):
        run([sys.executable, "-c", "raise SystemExit(3)"])


def test_cards_are_multiplied_with_new_names() -> None:
    lamp = {
        "id": "1b0b3b3e-0000-4000-8000-000000000001",
        "oracle_id": "1b0b3b3e-0000-4000-8000-00000000000a",
        "name": "Lamp // Lamplight",
        "layout": "split",
        "card_faces": [
            {"name": "Lamp", "oracle_text": "Lamp's owner exiles Lamp. Lamps are no Lamplight."},
            {"name": "Lamplight"},
        ],
    }
    fox = {"id": lamp["id"][:-1] + "2", "oracle_id": lamp["id"][:-1] + "b", "name": "Fox", "layout": "normal"}
    token = {**fox, "oracle_id": lamp["id"][:-1] + "c", "name": "Ox", "layout": "token"}
    cards = growth.grouped([lamp, {**lamp, "id": lamp["id"][:-1] + "3"}, fox, token])
    assert sorted(map(len, cards)) == [1, 2]
    many = list(growth.multiplied(cards, 5))
    assert len({each["oracle_id"] for each in many}) == len({each["name"] for each in many}) == 5
    assert len({each["id"] for each in many}) == len(many)
    (again, *_) = (each for each in many if each["name"] == "Lamp Anew // Lamplight Anew")
    assert [face["name"] for face in again["card_faces"]] == ["Lamp Anew", "Lamplight Anew"]
    assert again["card_faces"][0]["oracle_text"] == (
        "Lamp Anew's owner exiles Lamp Anew. Lamps are no Lamplight Anew."
    )


def test_the_docs_show_what_was_measured() -> None:
    figures = json.loads(growthpage.MEASURED.read_text(encoding="utf-8"))["figures"]
    assert growthpage.PICTURE.read_text(encoding="utf-8") == growthpage.svg(figures)
    page = growthpage.PAGE.read_text(encoding="utf-8")
    assert growthpage.page(page, figures) == page
    assert "| built |" in page
