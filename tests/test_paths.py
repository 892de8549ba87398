"""How two nodes are tied, in a small store of invented cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardlaw.exports.cli import app
from cardlaw.graph.errors import QueryError
from cardlaw.graph.neighborhood import between
from cardlaw.graph.paths import paths
from cardlaw.graph.store import Store, open_store


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


def test_cards_with_a_keyword_in_common_are_tied_by_it(store: Store) -> None:
    first, *_ = paths(store, "card:brindle-falconer", "card:glass-half")
    assert first.nodes == ("card:brindle-falconer", "keyword:flying", "card:glass-half")
    one, other = first.steps
    assert (one.verb, [proof["quote"] for proof in one.evidence]) == ("has", ["Flying"])
    assert (other.verb, other.forward) == ("is had by", False)


def test_what_few_cards_share_ties_closer_than_a_hub(store: Store) -> None:
    ways = paths(store, "card:cart-wheel", "card:img-src-x-onerror-alert-1")
    assert [way.cost for way in ways] == sorted(way.cost for way in ways)
    artifact = next(way for way in ways if "rule:301" in way.nodes)
    for way in ways:
        assert len(set(way.nodes)) == len(way.nodes)
        assert (way.nodes[0], way.nodes[-1]) == ("card:cart-wheel", "card:img-src-x-onerror-alert-1")
        assert way.cost <= 2 * ways[0].cost
    assert artifact.nodes[1] == "rule:301"


def test_rules_are_tied_by_what_they_stand_under_and_refer_to(store: Store) -> None:
    first, *_ = paths(store, "rule:702.29e", "rule:702.29")
    assert [(step.relation, step.forward) for step in first.steps] == [("parent", True)]
    keyword, *_ = paths(store, "keyword:flying", "rule:702.9")
    assert [step.verb for step in keyword.steps] == ["is defined by"]


def test_the_view_of_ways_holds_their_nodes_and_steps(store: Store) -> None:
    ways = paths(store, "card:brindle-falconer", "card:glass-half")
    graph = between(store, (node for way in ways for node in way.nodes)).graph
    assert set(graph) == {node for way in ways for node in way.nodes}
    for way in ways:
        for step in way.steps:
            ends = (step.source, step.target) if step.forward else (step.target, step.source)
            assert graph.has_edge(*ends, key=step.relation), step


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("card:hush-clamor", "card:hush-clamor", "one node"),
        ("card:hush-clamor", "card:nobody", "not in the graph"),
        ("card:hush-clamor", "ability:hush-clamor.1.1", "has no paths"),
    ],
)
def test_what_has_no_paths_is_refused(store: Store, source: str, target: str, said: str) -> None:
    with pytest.raises(QueryError, match=said):
        paths(store, source, target)


def test_the_command_tells_the_ways_and_draws_them(small_store: Path, tmp_path: Path) -> None:
    page = tmp_path / "tied.html"
    names = ["Brindle Falconer", "Glass Half"]
    done = CliRunner().invoke(app, ["path", *names, "--store", str(small_store), "-o", str(page)])
    assert done.exit_code == 0
    assert "Brindle Falconer has Flying  “Flying”" in done.stdout
    assert "Flying is had by Glass Half  “Flying”" in done.stdout
    assert "card:glass-half" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("other", "said"), [("Glass Half", "are the same"), ("Nobody", "nothing is called")])
def test_one_line_for_what_cannot_be_tied(small_store: Path, other: str, said: str) -> None:
    done = CliRunner().invoke(app, ["path", "Glass Half", other, "--store", str(small_store)])
    assert done.exit_code == 1
    assert said in done.stderr
