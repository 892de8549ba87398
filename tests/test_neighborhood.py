"""What is beyond a view, counted as SPARQL counts it; growing a view; questions asked again and again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
import pytest

from cardlaw.graph.errors import QueryError, UnknownNodeError
from cardlaw.graph.neighborhood import between, expand, neighborhood
from cardlaw.graph.network import KEYWORD_TIES, RELATIONS
from cardlaw.graph.presets import keyword, shared, tied
from cardlaw.graph.store import Store, open_store
from cardlaw.graph.triples import RELATION_PROPERTIES

FALCON, GLASS = "card:brindle-falconer", "card:glass-half"


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


def pairs(store: Store, pattern: str) -> set[tuple[str, str]]:
    rows = store.query(f"SELECT DISTINCT ?a ?b {{ {pattern} }}")
    base = "https://w3id.org/cardlaw/"
    return {
        (
            row[0].value.removeprefix(base).replace("/", ":", 1),
            row[1].value.removeprefix(base).replace("/", ":", 1),
        )
        for row in rows  # type: ignore[union-attr]
    }


@pytest.fixture(scope="module")
def ties(store: Store) -> dict[str, set[tuple[str, str]]]:
    """Relation → cards and rules, keywords or types, and what ties these, as SPARQL finds them."""
    found = {
        relation: pairs(
            store,
            f"?a mtg:hasFace ?f {{ ?f mtg:{name} ?b }} UNION {{ ?f mtg:hasAbility/mtg:{name} ?b }}",
        )
        for relation, name in RELATION_PROPERTIES.items()
        if not relation.endswith("_keyword")
    }
    found |= {
        relation: pairs(store, f"?a a mtg:Card ; mtg:{name} ?b") for name, relation in KEYWORD_TIES.items()
    }
    found["has_type"] = pairs(store, "?a mtg:hasFace/mtg:hasType ?b")
    found["refers_to"] = pairs(store, "?a mtg:refersTo ?b FILTER(!CONTAINS(STR(?a), '/cr/'))")
    found["defined_by"] = pairs(store, "?a mtg:definedBy ?b")
    found["parent"] = pairs(store, "?a skos:broader ?b FILTER(CONTAINS(STR(?a), '/rule/'))")
    return found


@pytest.mark.parametrize(
    "focus", ["rule:115.1", "keyword:flying", "rule:302", "type:creature", "rule:702.29"]
)
@pytest.mark.parametrize("limit", [5, 12, 150])
def test_what_is_beyond_is_counted_as_sparql_does(
    store: Store, ties: dict[str, set[tuple[str, str]]], focus: str, limit: int
) -> None:
    graph = neighborhood(store, [focus], limit=limit).graph
    expected: dict[str, int] = {}
    for relation, found in ties.items():
        for place, ends in enumerate(
            ({b for a, b in found if a == focus}, {a for a, b in found if b == focus})
        ):
            if beyond := len(ends - set(graph)):
                phrase = RELATIONS[relation][place]
                expected[phrase] = expected.get(phrase, 0) + beyond
    more = graph.nodes[focus]["more"]
    assert {phrase: number for phrase, number in more.items() if phrase in expected} == expected
    assert set(more) - set(expected) <= {"is pointed to by", "has the variant", "is a variant of"}


def test_a_card_that_is_drawn_alone_has_its_abilities_beyond(store: Store) -> None:
    graph = neighborhood(store, ["keyword:flying"]).graph
    abilities = store.query(f"SELECT ?a {{ {FALCON} mtg:hasFace/mtg:hasAbility ?a }}")
    assert graph.nodes[FALCON]["more"]["has the ability"] == len(list(abilities))  # type: ignore[arg-type]
    assert "has the ability" not in neighborhood(store, [FALCON]).graph.nodes[FALCON]["more"]


def test_a_node_can_be_expanded_until_nothing_is_beyond(store: Store) -> None:
    have = list(neighborhood(store, ["rule:302"], limit=4).graph)
    for _ in range(100):
        grown = expand(store, "rule:302", None, have, limit=3)
        assert len(grown.new) <= 3
        assert not set(grown.new) & set(have)
        have += grown.new
        if not grown.new:
            break
    assert grown.more["rule:302"] == {}


def test_expansion_follows_the_phrase_and_brings_the_ties_to_what_is_there(store: Store) -> None:
    grown = expand(store, "keyword:flying", "is had by", [GLASS, "rule:302"], limit=50)
    assert FALCON in grown.new
    assert GLASS not in grown.new
    assert all(node.startswith("card:") for node in grown.new)
    assert grown.graph.has_edge(FALCON, "keyword:flying", key="has_keyword")
    (proof,) = grown.graph.edges[FALCON, "keyword:flying", "has_keyword"]["evidence"]
    assert proof["quote"] == "Flying"
    assert not grown.graph.has_edge(GLASS, "keyword:flying"), "both were there"
    assert "is had by" not in grown.more["keyword:flying"]


def test_a_card_is_taken_apart_by_expansion(store: Store) -> None:
    grown = expand(store, FALCON, "has the ability", ["keyword:flying"])
    first = next(node for node in grown.new if grown.graph.nodes[node]["label"] == "Flying")
    assert grown.graph.has_edge(FALCON, first, key="has_ability")
    assert grown.graph.has_edge(first, "keyword:flying", key="has_keyword")
    beyond = expand(store, first, None, [FALCON])
    assert beyond.new[0] == "keyword:flying"


def test_what_is_nowhere_is_left_out_of_what_is_there(store: Store) -> None:
    strange = ["zzz", "card:nobody", "ability:nobody.1.1", "face:x", "a b:<c>", "", "rule:"]
    assert set(expand(store, "keyword:flying", None, strange).graph) & set(strange) == set()


@pytest.mark.parametrize("node", ["card:nobody", "card:a b", "ability:nobody.1.1", 'rule:"><script>'])
def test_unknown_nodes_are_told(store: Store, node: str) -> None:
    with pytest.raises(UnknownNodeError) as told:
        expand(store, node)
    assert told.value.node == node


def test_unknown_phrases_are_told(store: Store) -> None:
    with pytest.raises(QueryError, match="no ties read “likes”"):
        expand(store, "keyword:flying", "likes")


def test_an_answer_is_the_same_from_another_opening(store: Store, small_store: Path) -> None:
    with open_store(small_store) as again:
        one, other = (neighborhood(each, [FALCON, "rule:302"], 2, 40, hold=60) for each in (store, again))
    assert (one.shown, one.more, one.focus) == (other.shown, other.more, other.focus)
    assert nx.utils.graphs_equal(one.graph, other.graph)


def test_all_edges_between_some_nodes(store: Store) -> None:
    graph = between(store, [FALCON, "keyword:flying", GLASS]).graph
    assert set(graph) == {FALCON, "keyword:flying", GLASS}
    assert graph.has_edge(FALCON, "keyword:flying")
    assert graph.has_edge(GLASS, "keyword:flying")


def test_rules_that_cards_share(store: Store) -> None:
    found = shared(store, [FALCON, GLASS])
    cited = [
        set(pairs(store, f"{card} mtg:citesRule|mtg:hasKeyword ?b BIND({card} AS ?a)"))
        for card in found.focus
    ]
    common = {b for _, b in cited[0]} & {b for _, b in cited[1]} - {"rule:702.9"}
    ends = [node for node in found.shown if node.partition(":")[0] in ("rule", "keyword", "type")]
    assert ends[0] == "keyword:flying", "the rarest first"
    assert common <= set(ends)
    parts = [node for node in found.shown if node.startswith("ability:")]
    assert parts
    assert all(any(end in ends for end in found.graph.successors(part)) for part in parts)


def test_why_nodes_are_tied(store: Store) -> None:
    found = tied(store, [FALCON, "rule:702.9"])
    assert nx.has_path(found.graph.to_undirected(), FALCON, "rule:702.9")
    assert "keyword:flying" in found.shown


def test_everything_about_a_keyword(store: Store) -> None:
    found = keyword(store, ["keyword:cycling"])
    below = pairs(store, "?a skos:broader ?b FILTER(?b = rule:702.29)")
    assert {"rule:702.29", "keyword:typecycling", *(a for a, _ in below)} <= set(found.shown)
    holders = pairs(store, "?a a mtg:Card ; mtg:hasKeyword ?b FILTER(?b = keyword:cycling)")
    assert {a for a, _ in holders} <= set(found.shown)
    assert nx.is_weakly_connected(found.graph), "what goes with it comes with a card that has both"


@pytest.mark.parametrize(
    ("preset", "nodes", "said"),
    [
        (shared, [FALCON], "two cards"),
        (shared, [FALCON, "rule:302"], "two cards"),
        (tied, [FALCON], "two nodes"),
        (keyword, ["rule:302"], "one keyword"),
        (keyword, ["keyword:flying", "keyword:cycling"], "one keyword"),
        (shared, [FALCON, "card:nobody"], "card:nobody is not in the graph"),
    ],
)
def test_a_question_that_does_not_fit_is_told(
    store: Store, preset: object, nodes: list[str], said: str
) -> None:
    with pytest.raises(QueryError, match=said):
        preset(store, nodes)  # type: ignore[operator]
