"""NetworkX projections of a small store of invented rules and cards."""

from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from io import BytesIO
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
import numpy as np
import pyoxigraph
import pytest
from msgspec.structs import replace

from cardlaw.graph import ranking
from cardlaw.graph.adjacency import adjacency, make
from cardlaw.graph.errors import QueryError, StoreError
from cardlaw.graph.layers import picked
from cardlaw.graph.model import (
    Ability,
    Card,
    Citation,
    Face,
    Keyword,
    Relation,
    Rule,
    Rulebook,
    Term,
    Vocabulary,
)
from cardlaw.graph.neighborhood import neighborhood
from cardlaw.graph.network import RELATIONS, card_rule_graph, rule_graph
from cardlaw.graph.nquads import end
from cardlaw.graph.store import SCHEMA, BuildSummary, Store, open_store
from cardlaw.graph.triples import card_quads, rulebook_quads
from cardlaw.ontology.namespaces import expand

RULES = (
    Rule(number="1", title="Things"),
    Rule(number="115", title="Pointing", parent="1"),
    Rule(number="115.1", text="Many things point.", parent="115", references=("702.2",)),
    Rule(number="3", title="Kinds"),
    Rule(number="302", title="Creatures", parent="3"),
    Rule(number="6", title="Workings"),
    Rule(number="614", title="Replacing", parent="6"),
    Rule(number="614.1", text="Some things replace.", parent="614"),
    Rule(
        number="614.1a", text="With a word.", parent="614.1", examples=("A tortoise.",), references=("115.1",)
    ),
    Rule(number="7", title="More"),
    Rule(number="702", title="Knacks", parent="7"),
    Rule(number="702.2", title="Glimmer", parent="702"),
    Rule(number="702.2a", text="Glimmer glims.", parent="702.2", references=("115.1",)),
    Rule(number="702.10", title="Burrow", parent="702"),
)
BOOK = Rulebook(
    release="2031-02-03",
    rules={rule.number: rule for rule in RULES},
    terms=(Term(names=("Glimmer",), senses=("A knack.",), references=("702.2",)),),
    vocabulary=Vocabulary(
        keywords=(
            Keyword(name="Glimmer", rule="702.2", nature=("static",)),
            Keyword(name="Burrow", rule="702.10", nature=("activated",)),
        )
    ),
)
TEXT = "Glimmer (It glims.)\nIf a lantern would dim, point at it instead."


def cite(text: str, words: str, rule: str, relation: Relation, *, reminder: bool = False) -> Citation:
    start = text.index(words)
    return Citation(
        rule=rule,
        title=None,
        relation=relation,
        field="oracle_text",
        start=start,
        end=start + len(words),
        quote=words,
        in_reminder=reminder,
        entry=f"{relation}.invented",
    )


TORTOISE = Card(
    name="Ember Tortoise",
    slug="ember-tortoise",
    layout="normal",
    faces=(
        Face(
            name="Ember Tortoise",
            type_line="Creature — Tortoise",
            oracle_text=TEXT,
            power="1",
            toughness="*",
            citations=(
                Citation(
                    rule="302",
                    title="Creatures",
                    relation="card_type",
                    field="type_line",
                    start=0,
                    end=8,
                    quote="Creature",
                    entry="type.creature",
                ),
            ),
            abilities=(
                Ability(
                    id="1.1",
                    parent=None,
                    kind="keyword",
                    text=TEXT[:19],
                    start=0,
                    end=19,
                    keyword="Glimmer",
                    citations=(
                        cite(TEXT, "Glimmer", "702.2", "has_keyword"),
                        cite(TEXT, "glims", "614.1", "effect", reminder=True),
                    ),
                ),
                Ability(
                    id="1.2",
                    parent=None,
                    kind="static",
                    text=TEXT[20:],
                    start=20,
                    end=len(TEXT),
                    citations=(
                        cite(TEXT, "instead", "614.1a", "effect"),
                        cite(TEXT, "point", "115.1", "defined_term"),
                    ),
                ),
            ),
        ),
    ),
)


def pointer(number: int, *rules: str) -> Card:
    """A card that points (115.1) and cites some other rules."""
    text = "Point. Replace."
    ability = Ability(
        id="1.1",
        parent=None,
        kind="spell",
        text=text,
        start=0,
        end=len(text),
        citations=tuple(cite(text, "Point", rule, "effect") for rule in ("115.1", *rules)),
    )
    name = f"Pointer {number}"
    face = Face(name=name, oracle_text=text, abilities=(ability,))
    return Card(name=name, slug=f"pointer-{number}", layout="normal", faces=(face,))


TWINS = Card(
    name="Salt // Pepper",
    slug="salt-pepper",
    layout="split",
    faces=tuple(
        Face(
            name=name,
            number=number,
            oracle_text="Glimmer",
            abilities=(
                Ability(
                    id=f"{number}.1",
                    parent=None,
                    kind="keyword",
                    text="Glimmer",
                    start=0,
                    end=7,
                    keyword="Glimmer",
                    citations=(cite("Glimmer", "Glimmer", "702.2", "has_keyword"),),
                ),
            ),
        )
        for number, name in ((1, "Salt"), (2, "Pepper"))
    ),
)

REBALANCED = replace(pointer(1, "614.1a"), name="A-Pointer 1", slug="a-pointer-1")
CARDS = [TORTOISE, TWINS, REBALANCED, pointer(1, "614.1a"), *(pointer(number) for number in range(2, 40))]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder: Path = tmp_path_factory.mktemp("build")
    layers: dict[str, list[str]] = {"cards": [], "abilities": [], "evidence": [], "rulings": []}
    layers["rules"] = list(rulebook_quads(BOOK))
    counts: Counter[str] = Counter()
    for card in sorted(CARDS, key=lambda card: card.slug):
        for name, lines in card_quads(card, BOOK).items():
            layers[name] += lines
        cited = {c.rule for f in card.faces for a in f.abilities for c in a.citations if not c.in_reminder}
        counts.update(f"rule:{rule}" for rule in cited)
    counts["keyword:glimmer"] = 2
    for node, count in counts.items():
        layers["abilities"].append(
            f"<{expand(node)}> <{expand('mtg:cardCount')}> "
            f'"{count}"^^<{expand("xsd:integer")}> <{expand("layer:abilities")}> .\n'
        )
    quads = pyoxigraph.Store()
    for name, lines in layers.items():
        (folder / f"{name}.nq.gz").write_bytes(gzip.compress("".join(lines).encode()))
        quads.load("".join(lines).encode(), pyoxigraph.RdfFormat.N_QUADS)
    info = BuildSummary(
        schema=SCHEMA,
        id="x",
        version="0",
        release=BOOK.release,
        has_text=True,
        sources=(),
        counts={},
        quads={name: len(lines) for name, lines in layers.items()},
        started="",
        seconds={},
    )
    return Store(folder, info, quads, BytesIO())


def relations(graph: nx.MultiDiGraph) -> set[tuple[str, str, str]]:
    return {(source, key, target) for source, target, key in graph.edges(keys=True)}


def test_rule_graph_has_parents_and_references(store: Store) -> None:
    graph = rule_graph(store)
    assert set(graph) == {f"rule:{rule.number}" for rule in RULES}
    assert ("rule:614.1a", "parent", "rule:614.1") in relations(graph)
    assert ("rule:614.1a", "refers_to", "rule:115.1") in relations(graph)
    assert graph.nodes["rule:702.2"]["label"] == "702.2\nGlimmer"
    assert graph.nodes["rule:702.2a"]["title"] == "702.2a Glimmer", "the nearest heading above"
    assert graph.nodes["rule:614.1a"]["text"] == "With a word.\n\nExample: A tortoise."


def test_card_is_drawn_with_its_abilities_and_what_they_invoke(store: Store) -> None:
    graph = neighborhood(store, ["card:ember-tortoise"]).graph
    first, second = "ability:ember-tortoise.1.1", "ability:ember-tortoise.1.2"
    assert relations(graph) == {
        ("card:ember-tortoise", "has_ability", first),
        ("card:ember-tortoise", "has_ability", second),
        ("card:ember-tortoise", "card_type", "rule:302"),
        ("card:ember-tortoise", "has_type", "type:creature"),
        ("card:ember-tortoise", "has_type", "type:tortoise"),
        ("type:creature", "defined_by", "rule:302"),
        (first, "has_keyword", "keyword:glimmer"),
        ("keyword:glimmer", "defined_by", "rule:702.2"),
        (second, "effect", "rule:614.1a"),
        (second, "defined_term", "rule:115.1"),
        ("rule:614.1a", "refers_to", "rule:115.1"),
        ("rule:115.1", "refers_to", "rule:702.2"),
    }, "the face of a card with one is not drawn, nor what only reminder text cites"
    assert graph.nodes[first] == {
        "type": "ability",
        "label": "Glimmer",
        "title": "Keyword ability",
        "text": "Glimmer (It glims.)",
        "iri": expand(first),
        "hidden": 0,
        "more": {},
    }
    assert graph.nodes[second]["label"] == "If a lantern would dim…"
    assert graph.nodes["card:ember-tortoise"]["text"] == f"Creature — Tortoise\n{TEXT}\n1/*"
    more = {"is at work in": 40, "is referred to by": 1, "stands under": 1}
    assert graph.nodes["rule:115.1"]["more"] == more, "the other cards, 702.2a and its parent"
    assert graph.nodes["rule:115.1"]["hidden"] == 42


def test_edges_carry_their_evidence(store: Store) -> None:
    graph = neighborhood(store, ["card:ember-tortoise"]).graph
    edge = graph.edges["ability:ember-tortoise.1.2", "rule:614.1a", "effect"]
    assert (edge["relation"], edge["label"], edge["inverse"]) == ("effect", *RELATIONS["effect"])
    (evidence,) = edge["evidence"]
    start = TEXT.index("instead")
    assert evidence == {
        "quote": "instead",
        "field": "oracle_text",
        "start": start,
        "end": start + 7,
        "entry": "effect.invented",
        "ability": "ability:ember-tortoise.1.2",
        "rule": "614.1a Replacing",
        "before": "If a lantern would dim, point at it ",
        "after": ".",
        "flags": [],
    }
    (typed,) = graph.edges["card:ember-tortoise", "rule:302", "card_type"]["evidence"]
    assert (typed["field"], typed["quote"], typed["after"]) == ("type_line", "Creature", " — Tortoise")


def test_faces_are_drawn_where_there_are_more_than_one(store: Store) -> None:
    graph = neighborhood(store, ["card:salt-pepper"]).graph
    assert ("card:salt-pepper", "has_face", "face:salt-pepper.2") in relations(graph)
    assert ("face:salt-pepper.2", "has_ability", "ability:salt-pepper.2.1") in relations(graph)


def test_card_outside_the_focus_is_tied_to_rules_itself(store: Store) -> None:
    graph = neighborhood(store, ["rule:614.1a"]).graph
    assert ("card:pointer-1", "effect", "rule:614.1a") in relations(graph)
    assert not [node for node in graph if node.startswith("ability:")]
    assert {"rule:614.1", "rule:115.1", "card:ember-tortoise"} <= set(graph)


def test_telling_cards_come_first(store: Store) -> None:
    graph = neighborhood(store, ["card:ember-tortoise"], depth=2, limit=24).graph
    assert len(graph) <= 24
    assert "card:pointer-1" in graph, "it shares the rarer rule"
    few = neighborhood(store, ["rule:115.1"], limit=20).graph
    assert len(few) == 20
    cards = sum(node.startswith("card:") for node in few)
    assert cards == 20 - len({"115.1", "115", "614.1a", "702.2", "702.2a"}), "they fill the room"
    assert few.nodes["rule:115.1"]["hidden"] == 41 - cards


def test_relations_take_turns(store: Store) -> None:
    graph = neighborhood(store, ["rule:115.1"], limit=6).graph
    assert {"rule:115", "rule:614.1a", "rule:702.2", "card:ember-tortoise"} <= set(graph), "one of each"


def test_rebalanced_cards_come_last(store: Store) -> None:
    around = [node for node in neighborhood(store, ["rule:614.1a"]).graph if node.startswith("card:")]
    assert around == ["card:pointer-1", "card:ember-tortoise", "card:a-pointer-1"]


def test_a_hub_leads_to_cards_in_focus_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "_HUB", 30)
    monkeypatch.setattr(ranking, "_RANKS", {})
    graph = neighborhood(store, ["card:ember-tortoise"], depth=2).graph
    assert graph.has_edge("ability:ember-tortoise.1.2", "rule:115.1")
    assert "card:pointer-1" in graph, "a rarer rule leads there"
    assert not graph.has_edge("card:pointer-1", "rule:115.1")
    assert "card:pointer-2" not in graph
    assert "card:pointer-2" in neighborhood(store, ["rule:115.1"]).graph, "the hub is in focus"
    alone = neighborhood(store, ["card:pointer-2"], depth=2).graph
    assert alone.has_edge("card:pointer-3", "rule:115.1"), "nothing else leads from there to cards"


def test_the_reserve_is_beyond_what_is_shown(store: Store) -> None:
    found = neighborhood(store, ["card:ember-tortoise"], depth=1, limit=8, hold=30)
    assert len(found.shown) == 8
    assert found.shown[0] == found.focus[0] == "card:ember-tortoise"
    assert len(found.graph) == 30
    assert list(found.graph)[:8] == list(found.shown)
    plain = neighborhood(store, ["card:ember-tortoise"], depth=1, limit=8)
    assert (plain.shown, len(plain.graph)) == (found.shown, 8)
    all_shown = neighborhood(store, ["card:ember-tortoise"], depth=0, hold=30)
    assert list(all_shown.graph) == list(all_shown.shown), "nothing is around it at depth 0"


def test_ties_are_kept_beside_the_files_and_made_again_where_they_are_spoiled(store: Store) -> None:
    fresh = adjacency(store)
    (kept,) = store.folder.glob("adjacency-*.npz")
    other = Store(store.folder, store.info, store.quads, BytesIO())
    before = kept.stat().st_mtime_ns
    assert adjacency(other).nodes == fresh.nodes
    assert all((adjacency(other).arrays[name] == fresh.arrays[name]).all() for name in fresh.arrays)
    assert kept.stat().st_mtime_ns == before
    kept.write_bytes(kept.read_bytes()[:1000])
    again = Store(store.folder, store.info, store.quads, BytesIO())
    assert all((adjacency(again).arrays[name] == fresh.arrays[name]).all() for name in fresh.arrays)
    assert kept.stat().st_size > 1000


def test_a_build_comes_with_its_ties(small_store: Path) -> None:
    (kept,) = small_store.glob("builds/*/adjacency-*.npz")
    quads = json.loads((kept.parent / "build.json").read_text(encoding="utf-8"))["quads"]
    with np.load(kept) as arrays:
        made = make(kept.parent, quads)
        assert set(arrays) == set(made.arrays)
        assert all((arrays[name] == made.arrays[name]).all() for name in arrays)
    assert "card:brindle-falconer" in made.nodes


def test_ties_of_a_damaged_build_are_not_made(small_store: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(small_store, tmp_path / "store")
    (kept,) = copy.glob("builds/*/adjacency-*.npz")
    kept.unlink()
    layer = kept.with_name("abilities.nq.gz")
    whole = layer.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    for spoiled in (whole[:-100], gzip.compress(b"".join(lines[:-1])), gzip.compress(b"\xff\n" * len(lines))):
        layer.write_bytes(spoiled)
        with open_store(copy) as store, pytest.raises(StoreError):
            adjacency(store)
    assert not kept.exists()


def test_statements_are_picked_however_long_they_are(tmp_path: Path) -> None:
    long, other = '"' + "é\u2028 <x> ." * 400_000 + '"', "<https://example.org/a>"
    said = [("<s>", "<p>", long), ("<s>", "<q>", other), ("<t>", "<p>", '"1"'), ("<t>", "<p>", "<https://é>")]
    text = "".join(" ".join(each) + end("cards") for each in said)
    (tmp_path / "cards.nq.gz").write_bytes(gzip.compress(text.encode()))
    found = [*picked(tmp_path, "cards", 4, {"<p>": "that"})]
    assert found == [(subject, "that", term) for subject, property_, term in said if property_ == "<p>"]
    assert [*picked(tmp_path, "rulings", 0, {"<p>": "that"})] == []


def test_keyword_has_its_rule_and_cards(store: Store) -> None:
    graph = neighborhood(store, [expand("keyword:glimmer")]).graph
    assert ("card:salt-pepper", "has_keyword", "keyword:glimmer") in relations(graph)
    assert ("keyword:glimmer", "defined_by", "rule:702.2") in relations(graph)
    assert len(graph.edges["card:salt-pepper", "keyword:glimmer", "has_keyword"]["evidence"]) == 2


@pytest.mark.parametrize(
    "node", ["term:glimmer", "type:creature", "face:salt-pepper.1", "ability:salt-pepper.2.1"]
)
def test_every_type_of_node_can_be_in_focus(store: Store, node: str) -> None:
    graph = neighborhood(store, [node], depth=2).graph
    assert node in graph
    assert len(graph) > 2
    assert nx.is_weakly_connected(graph)


def test_the_same_question_has_the_same_answer(store: Store) -> None:
    first, second = (
        neighborhood(store, ["rule:115.1", "card:ember-tortoise"], 2, 30).graph for _ in range(2)
    )
    assert list(first.nodes(data=True)) == list(second.nodes(data=True))
    assert list(first.edges(keys=True, data=True)) == list(second.edges(keys=True, data=True))


def test_nodes_that_are_not_there_are_refused(store: Store) -> None:
    with pytest.raises(QueryError, match="is not in the graph"):
        neighborhood(store, ["card:nobody"])
    with pytest.raises(QueryError, match="cannot be drawn"):
        neighborhood(store, ["entry:effect.invented"])


def test_card_rule_graph_is_bipartite(store: Store) -> None:
    graph = card_rule_graph(store)
    assert {
        graph.nodes[source]["type"] + graph.nodes[target]["type"] for source, target in graph.edges()
    } == {"cardrule"}
    assert sum(data["type"] == "card" for _, data in graph.nodes(data=True)) == len(CARDS)
    evidence = graph.edges["card:salt-pepper", "rule:702.2", "has_keyword"]["evidence"]
    assert [piece["ability"] for piece in evidence] == ["ability:salt-pepper.1.1", "ability:salt-pepper.2.1"]
    assert not graph.has_edge("card:ember-tortoise", "rule:614.1")
