"""SPARQL and pyshacl find the same nodes, whatever is wrong; and each kind of fault of a build is found."""

from __future__ import annotations

import gzip
import io
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import msgspec
import pyoxigraph
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple

from cardlaw.graph.build import build
from cardlaw.graph.check import Result, check, pyshacl_results, result, sample
from cardlaw.graph.integrity import findings
from cardlaw.graph.shacl import checks, violations
from cardlaw.graph.shapes import NodeShape, shipped_shapes, subclasses
from cardlaw.graph.store import FACTS, layer, open_store
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES, compact, expand

SHAPES = shipped_shapes()
XSD = PREFIXES["xsd"]
TYPE = NamedNode(PREFIXES["rdf"] + "type")
VOCABULARY = list(pyoxigraph.parse(data("cardlaw.ttl").read_bytes(), RdfFormat.TURTLE))
GARBAGE = (
    Literal(""),
    Literal("no such word"),
    Literal("7", datatype=NamedNode(XSD + "integer")),
    Literal("-1", datatype=NamedNode(XSD + "decimal")),
    Literal("99.5", datatype=NamedNode(XSD + "decimal")),
    Literal("x", datatype=NamedNode(XSD + "integer")),
    Literal("x", language="en"),
    NamedNode("urn:x:none"),
    BlankNode("b"),
)
"""Values of which some break each constraint."""


@cache
def _vocabulary() -> str:
    return "".join(f"{triple} .\n" for triple in VOCABULARY)


def by_pyshacl(triples: Iterable[Triple]) -> set[Result]:
    return pyshacl_results(_vocabulary() + "".join(f"{triple} .\n" for triple in triples))


def by_sparql(
    triples: Iterable[Triple], chance: random.Random | None = None, *, screened: bool = True
) -> set[Result]:
    """With `chance`, each triple stands in any layers, in one at least."""
    quads = pyoxigraph.Store()
    quads.extend(Quad(t.subject, t.predicate, t.object, layer("ontology")) for t in VOCABULARY)
    for t in triples:
        homes = (
            chance.sample(["rules", "cards", "abilities"], chance.choice((1, 1, 2))) if chance else ["cards"]
        )
        quads.extend(Quad(t.subject, t.predicate, t.object, layer(home)) for home in homes)
    return set(map(result, violations(quads, FACTS, SHAPES, screened=screened)))


def said(shape: NodeShape, node: NamedNode) -> list[Triple]:
    """What makes a node a target of a shape."""
    of = NamedNode(shape.of)
    match shape.target:
        case "class":
            return [Triple(node, TYPE, of)]
        case "subjects":
            return [Triple(node, of, Literal("x"))]
    return [Triple(NamedNode("urn:x:some"), of, node)]


def garbage(shape: NodeShape) -> list[Triple]:
    """A node without anything, and one with everything wrong."""
    bare, full = NamedNode("urn:x:bare"), NamedNode("urn:x:full")
    triples = [*said(shape, bare), *said(shape, full)]
    for each in shape.properties:
        for step in each.path.steps:
            for value in GARBAGE:
                if not step.inverse:
                    triples.append(Triple(full, NamedNode(step.iri), value))
                elif not isinstance(value, Literal):
                    triples.append(Triple(value, NamedNode(step.iri), full))
    return triples


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.iri.rpartition("#")[2])
def test_both_find_what_breaks_each_demand(shape: NodeShape) -> None:
    triples = garbage(shape)
    found = by_sparql(triples)
    assert found == by_pyshacl(triples)
    demands = {(each.path, each.constraint.component) for each in checks([shape])}
    assert demands <= {(path, component) for _, path, component in found}


@pytest.mark.parametrize("seed", range(6))
def test_both_agree_on_any_graph_in_any_layers(seed: int) -> None:
    """And the screens clear nothing that the exact queries find."""
    chance = random.Random(seed)
    classes = sorted({shape.of for shape in SHAPES if shape.target == "class"})
    steps = sorted({step.iri for shape in SHAPES for each in shape.properties for step in each.path.steps})
    nodes = [NamedNode(f"urn:x:{number}") for number in range(12)]
    nodes += [NamedNode(expand(name)) for name in ("card:ox", "face:ox.1", "ability:ox.1.1", "rule:702.9")]
    triples = [
        Triple(node, TYPE, NamedNode(chance.choice(classes)))
        for node in nodes
        for _ in range(chance.choice((1, 1, 1, 2)))
    ]
    for _ in range(400):
        value = chance.choice(
            [*nodes, *nodes, *GARBAGE, Literal("static"), Literal("effect"), Literal("char=1,2")]
        )
        triples.append(Triple(chance.choice(nodes), NamedNode(chance.choice(steps)), value))
    found = by_pyshacl(triples)
    assert len(found) > 50
    assert by_sparql(triples, random.Random(seed)) == found
    assert by_sparql(triples, random.Random(seed), screened=False) == found


def test_a_subclass_is_meant_too() -> None:
    assert {compact(name) for name in subclasses()[expand("mtg:ManaAbility")]} == {
        "mtg:ManaAbility",
        "mtg:ActivatedManaAbility",
        "mtg:TriggeredManaAbility",
    }


# -- whole builds ------------------------------------------------------------------------------------


def test_a_build_is_well(small_store: Path) -> None:
    with open_store(small_store) as store:
        outcome = check(store)
        taken = sample(store.quads, [*store.info.quads], SHAPES)
    assert outcome.passed
    assert (outcome.violations, outcome.disputed, outcome.findings) == ((), (), ())
    names = {compact(node).partition(":")[0] for node in taken.nodes}
    assert names >= {
        "card",
        "face",
        "ability",
        "citation",
        "rule",
        "cr",
        "keyword",
        "term",
        "type",
        "entry",
        "source",
    }
    assert len(taken.nodes) == outcome.sampled


Edit = Callable[[str, list[str]], list[str]]
"""Layer and its lines → the lines instead."""


def edited(root: Path, small_store: Path, edit: Edit, *, count: bool = True) -> Path:
    """The small store after an edit; with `count`, build.json is true to it."""
    shutil.copytree(small_store, root)
    name = (root / "current").read_text().strip()
    folder = root / "builds" / name
    shutil.rmtree(folder / "store")
    store = pyoxigraph.Store(str(folder / "store"))
    summary = msgspec.json.decode((folder / "build.json").read_bytes())
    del summary["files"]  # its files are not those of a build any more
    for path in sorted(folder.glob("*.nq.gz")):
        before = io.StringIO(gzip.decompress(path.read_bytes()).decode(), newline="\n")
        lines = edit(path.name.partition(".")[0], list(before))
        text = "".join(lines).encode()
        path.write_bytes(gzip.compress(text, mtime=0))
        store.bulk_load(input=text, format=RdfFormat.N_QUADS)
        if count:
            summary["quads"][path.name.partition(".")[0]] = len(lines)
    store.flush()
    del store
    (folder / "build.json").write_bytes(msgspec.json.encode(summary))
    return root


def without(where: str, pattern: str, *, first: bool = True) -> Edit:
    """Leave out the first line that matches, or all."""

    def edit(name: str, lines: list[str]) -> list[str]:
        matching = [line for line in lines if name == where and re.search(pattern, line)]
        gone = set(matching[:1] if first else matching)
        assert gone or name != where
        return [line for line in lines if line not in gone]

    return edit


def instead(where: str, pattern: str, words: str, *, add: bool = False) -> Edit:
    """Change the first line that matches, or add a changed copy of it."""

    def edit(name: str, lines: list[str]) -> list[str]:
        for number, line in enumerate(lines):
            if name == where and re.search(pattern, line):
                return [*lines[: number + add], re.sub(pattern, words, line), *lines[number + 1 :]]
        assert name != where
        return lines

    return edit


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (instead("evidence", r'#quote> "[^"]*', r'#quote> "other'), "quote other words"),
        (instead("evidence", r'#end> "\d+', r'#end> "9999'), "quote other words"),
        (
            instead("abilities", r'(<[^ ]*ability/[^ ]*> <[^ ]*label>) "', r'\1 "x'),
            "abilities have other words",
        ),
        (instead("abilities", r'(#effectSpan> "char=\d+),\d+', r"\1,9999"), "parts of abilities"),
        (without("evidence", r"#invokes|#rule> <[^>]*rule/"), "without a citation"),
        (without("abilities", r"#invokes> "), "are not stated as"),
        (without("abilities", r"#citesRule> "), "cite other rules"),
        (instead("abilities", r'#cardCount> "\d+', r'#cardCount> "777'), "stored numbers of cards"),
        (without("rules", r"rule/702\.9> ", first=False), "point at what is not described"),
        (without("cards", r"<[^ ]*face/[^ ]*> <[^ ]*#type> "), "nodes have no class"),
        (
            instead("cards", r"(<[^ ]*face/[^ ]*> <[^ ]*#type> <[^>]*)#Face>", r"\1#Card>", add=True),
            "nodes have more than one class",
        ),
        (instead("cards", r"#typeLine>", "#typeLin>"), "terms are used that"),
        (instead("cards", r"ontology#Card>", "ontology#Cord>"), "terms are used that"),
        (
            instead("rules", r'(term/[^ ]*> <[^ ]*label>) "[^"]*', r'\1 "Ability', add=False),
            "names are given to more",
        ),
        (without("cards", r"<[^ ]*face/[^ ]*> <[^ ]*#type> "), "build.json counts other numbers"),
    ],
)
def test_faults_of_a_build(tmp_path: Path, small_store: Path, edit: Edit, told: str) -> None:
    with open_store(edited(tmp_path / "store", small_store, edit)) as store:
        found = findings(store)
    assert told in " ".join(finding.what for finding in found)


def test_a_layer_that_lost_quads(tmp_path: Path, small_store: Path) -> None:
    with open_store(
        edited(tmp_path / "store", small_store, without("rules", "sortKey"), count=False)
    ) as store:
        (finding,) = findings(store)
    assert finding.what.startswith("layers hold other numbers")
    assert re.fullmatch(
        r"layer:rules: [\d,]+ in its file, [\d,]+ in the store, [\d,]+ in build.json", finding.where[0]
    )


def test_two_spellings_of_a_type_are_one(tmp_path: Path) -> None:
    """A type that the rulebook lacks has the label of whichever card comes first in the alphabet."""
    cards = [
        {"name": f"{name} Ox", "type": f"Creature — {word}", "text": "", "layout": "normal"}
        for name, word in (("Old", "quagga"), ("Young", "Quagga"))
    ]
    (tmp_path / "cards.json").write_bytes(msgspec.json.encode(cards))
    build(cards=[tmp_path / "cards.json"], store=tmp_path / "store", workers=1)
    with open_store(tmp_path / "store") as store:
        rows = store.query("SELECT ?label { type:quagga rdfs:label ?label }")
        assert [row[0].value for row in rows] == ["Quagga"]  # type: ignore[union-attr]


# -- the command -------------------------------------------------------------------------------------


def cardlaw(*args: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()"]
    return subprocess.run([*program, *args], capture_output=True, encoding="utf-8")


def test_the_command_says_that_all_is_well(small_store: Path) -> None:
    done = cardlaw("check", "--store", str(small_store))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(SHAPES)} SHACL shapes" in done.stdout
    assert done.stdout.endswith("all is well\n")
    assert cardlaw("check", "--quiet", "--store", str(small_store)).stdout == ""


def test_the_command_says_what_is_wrong(tmp_path: Path, small_store: Path) -> None:
    edited(tmp_path / "store", small_store, without("rules", "#level>"))
    done = cardlaw("check", "--quiet", "--store", str(tmp_path / "store"))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "1 node against shape Rule, mtg:level, sh:minCount",
        "    rule:100.1",
        "    → A rule is a chapter, section, rule or subrule.",
    ]


def test_a_damaged_store_is_told_in_one_line(tmp_path: Path, small_store: Path) -> None:
    shutil.copytree(small_store, tmp_path / "store")
    (file,) = (tmp_path / "store" / "builds").glob("*/evidence.nq.gz")
    file.write_bytes(file.read_bytes()[:-99])
    done = cardlaw("check", "--store", str(tmp_path / "store"))
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"cardlaw: the store at .* is damaged .*: run `cardlaw build` again\n", done.stderr)
    done = cardlaw("check", "--store", str(tmp_path / "none"))
    assert (done.returncode, "nothing is built" in done.stderr) == (1, True)
