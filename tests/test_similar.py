"""Cards alike: by rare rules, words, types and costs; as a command, as JSON and on pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from test_cli import cardlaw

from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.graph import open_store
from cardlaw.graph.build import build
from cardlaw.graph.errors import QueryError, UnknownNodeError
from cardlaw.graph.opened import Graph
from cardlaw.graph.similar import similar

CARDS = (  # name, mana cost, types, text, power and toughness
    ("Spark Lash", "{R}", "Instant", "Spark Lash deals 3 damage to any target.", None),
    ("Ember Lash", "{R}", "Instant", "Ember Lash deals 3 damage to any target.", None),
    ("Slow Lash", "{3}{R}", "Instant", "Slow Lash deals 3 damage to any target.", None),
    ("Weak Lash", "{R}", "Instant", "Weak Lash deals 1 damage to any target.", None),
    ("A-Spark Lash", "{R}", "Instant", "Spark Lash deals 4 damage to any target.", None),
    ("Reed Elf", "{G}", "Creature — Elf Druid", "{T}: Add {G}. (This is mana.)", "1/1"),
    ("Fern Elf", "{G}", "Creature — Elf Druid", "{T}: Add {G}.", "1/1"),
    ("Tall Elf", "{2}{G}", "Creature — Elf Druid", "{T}: Add {G}.", "1/4"),
    ("Mute Ox", "{1}{W}", "Creature — Ox", "", "2/2"),
    ("Calm Ox", "{1}{W}", "Creature — Ox", "", "2/2"),
    ("Big Ox", "{3}{W}", "Creature — Ox", "", "4/4"),
    ("Sky Ox", "{3}{W}", "Creature — Ox", "Flying, cycling {2}", "2/2"),
    ("Marsh Run", "{B}", "Sorcery", "Cycling {2}\nDraw two cards.", None),
    ("Red Kiln", "{2}", "Artifact", "{1}, Sacrifice a creature: Draw a card.", None),
    ("Ash Widow", "{B}", "Creature — Spider", "When this creature dies, draw a card.", "1/1"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of the cards above, by the rulebook's outline."""
    made = tmp_path_factory.mktemp("similar")
    records = [
        {
            **{"name": name, "manaCost": cost, "type": types, "text": text, "layout": "normal"},
            **dict(zip(("power", "toughness"), (size or "/").split("/"), strict=True)),
            "colorIdentity": [],
        }
        for name, cost, types, text, size in CARDS
    ]
    (made / "cards.json").write_text(json.dumps(records), encoding="utf-8")
    build(cards=[made / "cards.json"], store=made / "store", workers=1)
    return made / "store"


@pytest.fixture(scope="module")
def graph(folder: Path) -> Iterator[Graph]:
    with open_store(folder) as opened:
        yield opened


def alike(graph: Graph, name: str, limit: int = 20) -> list[str]:
    return [each.name for each in graph.similar(name, limit)]


def test_functional_reprints_come_first_and_are_alike_by_one(graph: Graph) -> None:
    first, second, *_ = graph.similar("Spark Lash")
    assert (first.name, first.score, first.same_words) == ("Ember Lash", 1.0, True)
    assert second.score < 1
    assert [each.name for each in graph.similar("Reed Elf") if each.score == 1] == ["Fern Elf"]
    assert [each.name for each in graph.similar("Mute Ox") if each.score == 1] == ["Calm Ox"]


def test_cost_and_words_tell_apart_what_the_rules_do_not(graph: Graph) -> None:
    assert set(alike(graph, "Spark Lash", 3)) == {"Ember Lash", "Slow Lash", "Weak Lash"}
    slow, weak = (
        next(a for a in graph.similar("Spark Lash") if a.name == f"{x} Lash") for x in ("Slow", "Weak")
    )
    assert (slow.same_words, weak.same_words) == (True, False)
    assert alike(graph, "Reed Elf", 2) == ["Fern Elf", "Tall Elf"]
    assert alike(graph, "Mute Ox", 2) == ["Calm Ox", "Big Ox"]


def test_rebalanced_cards_are_left_out_but_have_their_own_answer(graph: Graph) -> None:
    assert "A-Spark Lash" not in alike(graph, "Spark Lash")
    assert alike(graph, "A-Spark Lash", 2)[0] in ("Spark Lash", "Ember Lash")


def test_a_rarer_rule_ties_closer(graph: Graph) -> None:
    """Cycling (two cards) is more than being a creature."""
    found = next(each for each in graph.similar("Sky Ox") if each.name == "Marsh Run")
    assert (found.reasons[0].node, found.reasons[0].relation) == ("keyword:cycling", "has_keyword")
    assert (found.reasons[0].quote, found.reasons[0].other) == ("cycling", "Cycling")
    assert 0 < sum(reason.weight for reason in found.reasons) <= 1.001


def test_reasons_are_rules_with_the_words_of_both(graph: Graph) -> None:
    reasons = {reason.label: reason for reason in graph.similar("Spark Lash", 1)[0].reasons}
    assert reasons["115.4 Targets"].quote == reasons["115.4 Targets"].other == "any target"
    assert reasons["115.4 Targets"].verb == "uses the term"


def test_the_answer_is_the_same_each_time_and_fewer_are_its_beginning(folder: Path) -> None:
    answers = []
    for limit in (20, 20, 3):
        with open_store(folder) as opened:
            answers.append(similar(opened, "reed-elf", limit=limit))
    assert answers[0] == answers[1]
    assert answers[2] == answers[0][:3]


def test_unknown_cards_are_told(graph: Graph) -> None:
    with pytest.raises(UnknownNodeError, match="card:nope is not in the graph"):
        similar(graph, "nope")
    with pytest.raises(QueryError, match="Spark Lash"):
        graph.similar("Sparc Lash")


def test_meetings_by_names(graph: Graph) -> None:
    (found,) = graph.meetings("Ash Widow", "Red Kiln")
    assert (found.kind, found.rule) == ("dies-and-sacrifice", "603.6c")
    (of_one,) = graph.meetings("Red Kiln")
    assert (of_one.first.name, of_one.second.name) == ("Red Kiln", "Ash Widow")


# -- the command ---------------------------------------------------------------------------------------


def test_the_command_tells_and_says_which_release(folder: Path) -> None:
    done = cardlaw("similar", "Spark Lash", "--limit", "2", store=folder)
    assert done.returncode == 0
    assert done.stdout.splitlines()[:2] == ["Cards like Spark Lash", "  1. Ember Lash  1.00, the same words"]
    assert "both: uses the term 115.4 Targets  “any target”" in done.stdout
    assert done.stderr == "Rule numbers of the Comprehensive Rules effective 2026-01-16.\n"


def test_the_command_answers_in_json(folder: Path) -> None:
    done = cardlaw("similar", "Spark Lash", "--limit", "1", "--format", "json", store=folder)
    found = json.loads(done.stdout)
    assert (found["card"], found["rulebook"]) == ("Spark Lash", "2026-01-16")
    assert found["iri"] == "https://w3id.org/cardlaw/card/spark-lash"
    assert [each["name"] for each in found["similar"]] == ["Ember Lash"]
    assert {"iri", "label", "relation", "weight", "quote", "other"} == set(found["similar"][0]["reasons"][0])


def test_a_name_that_means_nothing_is_told(folder: Path) -> None:
    done = cardlaw("similar", "Sparc Lash", store=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "cardlaw: nothing is called “Sparc Lash”; did you mean “Spark Lash”?\n" or (
        done.stderr.startswith("cardlaw: nothing is called “Sparc Lash”; did you mean “")
        and done.stderr.count("\n") == 1
    )


def test_paths_tell_meetings_first(folder: Path) -> None:
    done = cardlaw("path", "Ash Widow", "Red Kiln", store=folder)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("They meet in 603.6c")
    assert lines[0].endswith(": one is sacrificed, the other waits for a death")
    assert lines[1:3] == [
        "   Ash Widow “When this creature dies”  603.6c",
        "   Red Kiln “Sacrifice a creature”  701.21",
    ]
    assert "They meet" not in cardlaw("path", "Ash Widow", "Mute Ox", store=folder).stdout


# -- the server ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    site = Site(folder, "http://testserver/")
    with TestClient(create_app(site)) as made:
        yield made


@pytest.mark.programs
def test_json_beside_the_card(client: TestClient) -> None:
    answer = client.get("/card/spark-lash/similar.json?limit=2")
    assert answer.headers["content-type"].startswith("application/json")
    assert [each["name"] for each in answer.json()["similar"]] == ["Ember Lash", "Slow Lash"]
    (met,) = client.get("/card/red-kiln/meetings.json").json()["meetings"]
    assert (met["kind"], met["rule"], met["second"]["name"]) == ("dies-and-sacrifice", "603.6c", "Ash Widow")
    assert (met["first"]["quote"], met["first"]["rule"]) == ("Sacrifice a creature", "701.21")
    assert met["definition"].endswith(".")


@pytest.mark.programs
@pytest.mark.parametrize("path", ["nope/similar.json", "nope/meetings", "nope/meetings.json"])
def test_no_card_is_404_in_one_line(client: TestClient, path: str) -> None:
    answer = client.get(f"/card/{path}")
    assert (answer.status_code, answer.json()) == (404, {"error": "card:nope is not in the graph"})


@pytest.mark.programs
@pytest.mark.parametrize("limit", ["0", "201", "x", "99999999999999999999999", "-1", "", "²"])
def test_a_limit_that_is_none_is_400(client: TestClient, limit: str) -> None:
    answer = client.get("/card/spark-lash/similar.json", params={"limit": limit})
    assert (answer.status_code, answer.json()) == (400, {"error": "limit is a number from 1 to 200"})


@pytest.mark.programs
def test_pages_tell_cards_alike_and_where_the_rest_is(client: TestClient) -> None:
    page = client.get("/card/spark-lash", headers={"accept": "text/html"}).text
    assert (
        page.index("Similar cards")
        < page.index('href="/card/ember-lash"')
        < page.index('href="/card/slow-lash"')
    )
    assert 'href="/card/spark-lash/similar"' in page
    assert 'href="/card/spark-lash/meetings"' in page
    assert "Ember Lash" in client.get("/card/spark-lash/similar").text
    meets = client.get("/card/red-kiln/meetings").text
    assert "One is sacrificed, the other waits for a death" in meets
    assert 'href="/card/ash-widow"' in meets
    assert "No kind of meeting" in client.get("/card/mute-ox/meetings").text
