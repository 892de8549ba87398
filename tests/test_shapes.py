"""The shapes are the contract: each class and property of a graph is in them, and all is understood."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardlaw.graph import shapes
from cardlaw.graph.build import build
from cardlaw.graph.errors import ShapesError
from cardlaw.graph.shapes import Constraint, Step, read_shapes, shipped_shapes, subclasses
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import PREFIXES, compact, expand

FIXTURES = Path(__file__).parent / "fixtures"
SHAPES = shipped_shapes()
HEAD = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix mtg: <https://w3id.org/cardlaw/ontology#> .
@prefix shape: <https://w3id.org/cardlaw/shapes#> .
"""
CORRECTIONS = """
release = "2026-01-16"
[[remove]]
card = "Brindle Falconer"
rule = "508"
reason = "it triggers by itself"

[[add]]
card = "Brindle Falconer"
ability = "1.3"
rule = "603.2"
relation = "ability_kind"
quote = "Whenever"
reason = "it triggers by itself"
"""


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph with all that a build can put into one."""
    folder = tmp_path_factory.mktemp("rich")
    (folder / "corrections.toml").write_text(CORRECTIONS, encoding="utf-8")
    (folder / "catalogue").mkdir()
    (folder / "catalogue" / "my.toml").write_text(
        '[[entry]]\nid = "term.draw"\ndisabled = true\n', encoding="utf-8"
    )
    build(
        cards=[FIXTURES / "cards.json", Path(shutil.copy(FIXTURES / "scryfall.json", folder))],
        rulings=FIXTURES / "scryfall-rulings.json",
        catalogue=folder / "catalogue",
        corrections=folder / "corrections.toml",
        store=folder / "store",
        workers=1,
    )
    with open_store(folder / "store") as store:
        yield store


def asked(store: Store, query: str) -> set[str]:
    return {compact(row[0].value) for row in store.query(query)}  # type: ignore[union-attr]


def test_each_class_of_a_graph_has_a_shape(rich: Store) -> None:
    layers = " ".join(f"layer:{name}" for name in rich.info.quads if name != "ontology")
    found = asked(rich, f"SELECT DISTINCT ?c {{ VALUES ?g {{ {layers} }} GRAPH ?g {{ ?s a ?c }} }}")
    assert {"mtg:Card", "mtg:Token", "mtg:Citation", "mtg:Removal", "mtg:Addition", "mtg:Ruling"} <= found
    assert found <= set(map(compact, shaped()))


def test_each_property_of_a_graph_is_in_a_shape(rich: Store) -> None:
    layers = " ".join(f"layer:{name}" for name in rich.info.quads if name != "ontology")
    found = asked(rich, f"SELECT DISTINCT ?p {{ VALUES ?g {{ {layers} }} GRAPH ?g {{ ?s ?p ?o }} }}")
    assert len(found) > 60
    assert found - {"rdf:type"} <= {
        compact(step.iri) for shape in SHAPES for each in shape.properties for step in each.path.steps
    }


def shaped() -> set[str]:
    """The classes of which there is a shape, and all below them."""
    targets = {shape.of for shape in SHAPES if shape.target == "class"}
    return targets.union(*(subclasses().get(target, ()) for target in targets))


def test_each_demand_says_what_is_right() -> None:
    for shape in SHAPES:
        for each in shape.properties:
            assert each.constraints, (shape.iri, str(each.path))
            assert each.message.endswith("."), (shape.iri, str(each.path))
        assert bool(shape.message) == bool(shape.constraints), shape.iri


def test_what_a_shape_says_is_read() -> None:
    (shape,) = read_shapes(
        HEAD
        + """shape:X a sh:NodeShape ;
        sh:targetSubjectsOf mtg:a ; sh:pattern "^x" ; sh:message "Begins with x." ;
        sh:property [ sh:path [ sh:alternativePath ( mtg:b [ sh:inversePath mtg:c ] ) ] ; sh:in ( "d" 1 ) ;
        sh:severity sh:Warning ; sh:message "Is d or 1." ] ."""
    )
    assert (shape.target, compact(shape.of), shape.constraints) == (
        "subjects",
        "mtg:a",
        (Constraint("pattern", '"^x"'),),
    )
    (each,) = shape.properties
    assert each.path == shapes.Path((Step(expand("mtg:b")), Step(expand("mtg:c"), inverse=True)))
    assert str(each.path) == "mtg:b|^mtg:c"
    assert each.constraints == (Constraint("in", ('"d"', f'"1"^^<{PREFIXES["xsd"]}integer>')),)
    assert (each.message, each.severity) == ("Is d or 1.", "Warning")
    assert each.constraints[0].component == "InConstraintComponent"


A, X = "[ sh:path mtg:a ; sh:message 'x' ; ", "a sh:NodeShape ; sh:targetClass mtg:X ; "


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f"{X} sh:closed true", "closed.* is not understood"),
        (f"{X} sh:property {A} sh:equals mtg:b ]", "equals.* is not understood"),
        (f"{X} sh:property {A} sh:or ( [ sh:class mtg:Y ] ) ]", "class.* is not understood"),
        (f"{X} sh:property {A} sh:datatype mtg:a, mtg:b ]", "sh:datatype stands once"),
        (f"{X} sh:property [ sh:path mtg:a ; sh:maxCount 1 ]", "sh:message stands once"),
        (f"{X} sh:property [ sh:minCount 1 ; sh:message 'x' ]", "sh:path stands once"),
        (f"{X} sh:property [ sh:path ( mtg:a mtg:b ) ; sh:message 'x' ]", "a path is"),
        (f"{X} sh:property shape:Y", "stands in brackets"),
        (f"{X} sh:pattern 'x' ; sh:message 'x' ; sh:severity mtg:Bad", "a severity is"),
        ("a sh:NodeShape ; sh:targetNode mtg:X", "needs one target"),
        ("a sh:PropertyShape ; sh:targetClass mtg:X", "is no sh:NodeShape"),
        ("a sh:NodeShape ; sh:targetClass", "are no Turtle"),
    ],
)
def test_what_is_not_understood_is_an_error(said: str, told: str) -> None:
    with pytest.raises(ShapesError, match=told):
        read_shapes(f"{HEAD} shape:X {said} .")
