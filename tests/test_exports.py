"""Every format of `cardlaw export`, read back by other programs: the same graph, the right types."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
import pyoxigraph
import pytest
from handmade import BOOK, CARDS, ability, card, face, opened, write_store
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Literal, NamedNode, RdfFormat
from test_cli import PROGRAM, cardlaw, environment, one_line

from cardlaw.exports import files, tables
from cardlaw.exports.formats import FOLDERS, RDF, write_export
from cardlaw.exports.jsonld import _ALIASES, context
from cardlaw.graph import layers, read, reference
from cardlaw.graph.build import build
from cardlaw.graph.errors import CardlawError, StoreError
from cardlaw.graph.model import Face
from cardlaw.graph.network import card_rule_graph
from cardlaw.graph.store import FACTS, Store, open_store
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES, expand

RDF_TYPE = NamedNode(expand("rdf:type"))
HOSTILE = "</script><script>alert(1)</script>"
READERS = {
    "nquads": RdfFormat.N_QUADS,
    "trig": RdfFormat.TRIG,
    "turtle": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
}
TEXTS = (*RDF, "jsonl", "graphml", "gexf")


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph with tokens, printings, prices, formats and rulings."""
    root = tmp_path_factory.mktemp("rich")
    fixtures = Path(__file__).parent / "fixtures"
    build(
        cards=[fixtures / "cards.json", fixtures / "scryfall.json"],
        rulings=fixtures / "scryfall-rulings.json",
        store=root,
        workers=1,
    )
    with open_store(root) as opened:
        yield opened


def silent(stage: str, done: int, total: int | None) -> None:
    pass


def exported(store: Store, format_: str, folder: Path, *, oa: bool = False) -> Path:
    path = folder / f"{format_}-{oa}"
    write_export(store, format_, path, silent, oa=oa)
    return path


def quads(path: Path, format_: str) -> Dataset:
    """What a file says, with blank nodes that can be compared."""
    found = Dataset(pyoxigraph.parse(path.read_bytes(), READERS[format_]))
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return found


def held(store: Store, *, names: bool = True) -> Dataset:
    """What the build wrote, or its facts without the names of the graphs."""
    facts = {PREFIXES["layer"] + name for name in FACTS}
    found = Dataset(
        quad if names else pyoxigraph.Quad(quad.subject, quad.predicate, quad.object)
        for quad in pyoxigraph.parse(b"".join(store.dump()), RdfFormat.N_QUADS)
        if names or (isinstance(quad.graph_name, NamedNode) and quad.graph_name.value in facts)
    )
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return found


# -- RDF ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", RDF)
@pytest.mark.parametrize("name", ["store", "rich"])
def test_rdf_reads_back_to_the_same_graph(
    name: str, format_: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    store: Store = request.getfixturevalue(name)
    found = quads(exported(store, format_, tmp_path), format_)
    assert found == held(store, names=format_ != "turtle")
    assert len(found) > 50_000


@pytest.mark.parametrize("format_", RDF)
def test_annotations_are_the_same_in_all_formats(store: Store, format_: str, tmp_path: Path) -> None:
    found = quads(exported(store, format_, tmp_path, oa=True), format_)
    whole = Dataset(
        quad if format_ != "turtle" else pyoxigraph.Quad(quad.subject, quad.predicate, quad.object)
        for quad in quads(exported(store, "nquads", tmp_path / "..", oa=True), "nquads")
        if format_ != "turtle" or quad.graph_name != NamedNode(PREFIXES["layer"] + "themes")
    )
    whole.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    assert found == whole


def test_rdflib_reads_trig_and_jsonld_alike(store: Store, tmp_path: Path) -> None:
    import rdflib

    sizes = set()
    for format_, name in (("trig", "trig"), ("jsonld", "json-ld")):
        found = rdflib.Dataset()
        found.parse(exported(store, format_, tmp_path), format=name)
        card = rdflib.URIRef(expand("card:brindle-falconer"))
        label = list(found.quads((card, rdflib.RDFS.label, None, None)))
        assert [(str(text), str(graph)) for _, _, text, graph in label] == [
            ("Brindle Falconer", PREFIXES["layer"] + "cards")
        ]
        sizes.add(len(found))
    assert sizes == {len(store.quads)}


def test_the_json_ld_is_readable(store: Store, tmp_path: Path) -> None:
    document = json.loads(exported(store, "jsonld", tmp_path).read_text(encoding="utf-8"))
    (cards,) = (graph["@graph"] for graph in document["@graph"] if graph["@id"] == "layer:cards")
    by_id = {node["@id"]: node for node in cards}
    found = by_id["face:brindle-falconer.1"]
    assert (found["@type"], found["label"], found["manaValue"]) == (["Face"], "Brindle Falconer", 3)
    assert found["hasType"] == ["type:creature", "type:human", "type:scout"]
    assert by_id["card:href"]["hasFace"] == "face:href.1"
    (evidence,) = (graph["@graph"] for graph in document["@graph"] if graph["@id"] == "layer:evidence")
    citation = next(node for node in evidence if node["@id"].startswith("citation:href.1.1.c"))
    assert citation["mtg:ability"] == "ability:href.1.1"
    assert isinstance(citation["start"], int)


def test_names_of_the_context_mean_one_thing_each() -> None:
    vocabulary = data("cardlaw.ttl").read_text(encoding="utf-8")
    assert not [name for name in _ALIASES if f"\nmtg:{name} a " in vocabulary]
    terms = context()
    assert all(isinstance(terms[prefix], dict) and terms[prefix]["@prefix"] for prefix in PREFIXES)
    assert terms["priceUsd"]["@type"] == "xsd:decimal"
    assert terms["released"]["@type"] == terms["dcterms:issued"]["@type"] == "xsd:date"
    assert terms["mtg:rule"] == {"@id": "mtg:rule", "@type": "@id"}


def test_trig_is_written_for_people(store: Store, tmp_path: Path) -> None:
    text = exported(store, "trig", tmp_path).read_text(encoding="utf-8")
    assert "\nlayer:cards {\n" in text
    block = text[text.index("\nface:brindle-falconer.1 a mtg:Face ;") :].partition(" .\n")[0]
    assert "\n    mtg:manaValue 3 ;\n" in block
    assert "\n    mtg:hasType type:creature, type:human, type:scout ;\n" in block


# -- Web annotations ---------------------------------------------------------------------------------

_SHAPE = """
SELECT ?annotation (COUNT(DISTINCT ?target) AS ?targets) (COUNT(DISTINCT ?source) AS ?sources)
  (COUNT(DISTINCT ?exact) AS ?exacts) (COUNT(DISTINCT ?start) AS ?starts) (COUNT(DISTINCT ?end) AS ?ends)
  (COUNT(DISTINCT ?body) AS ?bodies) (COUNT(DISTINCT ?why) AS ?motivations)
WHERE {
  ?annotation a oa:Annotation ; oa:hasTarget ?target ; oa:hasBody ?body ; oa:motivatedBy ?why .
  ?target a oa:SpecificResource ; oa:hasSource ?source ; oa:hasSelector ?quote, ?position .
  ?quote a oa:TextQuoteSelector ; oa:exact ?exact .
  ?position a oa:TextPositionSelector ; oa:start ?start ; oa:end ?end .
} GROUP BY ?annotation
"""
_WORDS = """
SELECT ?text ?exact ?prefix ?suffix ?start ?end WHERE {
  ?target oa:hasSource/rdf:value ?text ; oa:hasSelector ?quote, ?position .
  ?quote oa:exact ?exact .
  OPTIONAL { ?quote oa:prefix ?prefix }
  OPTIONAL { ?quote oa:suffix ?suffix }
  ?position oa:start ?start ; oa:end ?end .
}
"""


def solutions(graph: pyoxigraph.Store, query: str) -> list[Any]:
    return list(graph.query(query, prefixes=dict(PREFIXES), use_default_graph_as_union=True))


@pytest.fixture(scope="module")
def annotated(store: Store, tmp_path_factory: pytest.TempPathFactory) -> pyoxigraph.Store:
    graph = pyoxigraph.Store()
    path = exported(store, "nquads", tmp_path_factory.mktemp("oa"), oa=True)
    graph.bulk_load(path=str(path), format=RdfFormat.N_QUADS)
    return graph


def test_every_citation_is_an_annotation_of_the_web_annotation_model(
    store: Store, annotated: pyoxigraph.Store
) -> None:
    found = solutions(annotated, _SHAPE)
    citations = {
        quad.subject.value
        for quad in store.quads.quads_for_pattern(None, RDF_TYPE, NamedNode(expand("mtg:Citation")), None)
        if isinstance(quad.subject, NamedNode)
    }
    assert {row["annotation"].value for row in found} == citations
    for row in found:
        assert [int(row[n].value) for n in range(1, 8)] == [1] * 7
    assert not solutions(annotated, "SELECT * { ?citation mtg:quote|mtg:rule|mtg:ability|mtg:face ?x }")


def test_selectors_find_their_words(annotated: pyoxigraph.Store) -> None:
    found = solutions(annotated, _WORDS)
    for row in found:
        text, exact, start, end = (row[name].value for name in ("text", "exact", "start", "end"))
        assert text[int(start) : int(end)] == exact
        before, after = (row[name].value if row[name] else "" for name in ("prefix", "suffix"))
        assert before == text[max(0, int(start) - 32) : int(start)]
        assert after == text[int(end) : int(end) + 32]
    assert len(found) > 100
    assert any(row["prefix"] for row in found)
    assert any(not row["prefix"] for row in found)


def test_positions_are_counts(store: Store, tmp_path: Path) -> None:
    found = quads(exported(store, "trig", tmp_path, oa=True), "trig")
    for name in ("oa:start", "oa:end"):
        kinds = {
            quad.object.datatype.value
            for quad in found.quads_for_predicate(NamedNode(expand(name)))
            if isinstance(quad.object, Literal)
        }
        assert kinds == {expand("xsd:nonNegativeInteger")}


def test_an_annotation_says_what_its_citation_said(store: Store, annotated: pyoxigraph.Store) -> None:
    flat = store.query(
        "SELECT ?c ?rule ?holder ?relation ?entry ?reminder { ?c mtg:rule ?rule ; mtg:relation ?relation ; "
        "mtg:ability|mtg:face ?holder ; mtg:entry ?entry OPTIONAL { ?c mtg:inReminder ?reminder } }"
    )
    full = solutions(
        annotated,
        "SELECT ?c ?rule ?holder ?relation ?entry ?reminder { ?c oa:hasBody ?rule ; mtg:relation ?relation ; "
        "oa:hasTarget/oa:hasScope ?holder ; prov:wasDerivedFrom ?entry "
        "OPTIONAL { ?c mtg:inReminder ?reminder } }",
    )
    assert sorted(map(str, flat)) == sorted(map(str, full))  # type: ignore[arg-type]
    assert len(full) > 100


# -- networks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["graphml", "gexf"])
def test_a_network_opens_in_networkx_with_its_types(store: Store, format_: str, tmp_path: Path) -> None:
    reader = nx.read_graphml if format_ == "graphml" else nx.read_gexf
    graph = reader(exported(store, format_, tmp_path))
    falconer = graph.nodes["card:brindle-falconer"]
    assert (falconer["type"], falconer["label"], falconer["color_identity"]) == (
        "card",
        "Brindle Falconer",
        "WUG",
    )
    assert (falconer["mana_value"], type(falconer["mana_value"])) == (3.0, float)
    assert (falconer["faces"], type(falconer["faces"])) == (1, int)
    assert graph.nodes["keyword:scry"]["action"] is True
    assert graph.nodes["keyword:flying"]["action"] is False
    rule = graph.nodes["rule:702.9"]
    assert (rule["label"], rule["level"], rule["card_count"]) == ("702.9 Flying", "rule", 3)
    edges = graph.get_edge_data("card:brindle-falconer", "rule:508").values()
    assert [(edge["relation"], edge["evidence"], edge["words"]) for edge in edges] == [
        ("trigger_event", 1, "attacks")
    ]
    counts = Counter(nx.get_node_attributes(graph, "type").values())
    assert counts == {"card": 30, "rule": 3269, "keyword": 294}


def test_a_network_has_the_citations_of_the_graph(store: Store, tmp_path: Path) -> None:
    graph = nx.read_graphml(exported(store, "graphml", tmp_path))
    expected = {
        (source, target, relation, len(held["evidence"]))
        for source, target, relation, held in card_rule_graph(store).edges(keys=True, data=True)
    }
    assert expected == {
        (source, target, held["relation"], held["evidence"])
        for source, target, held in graph.edges(data=True)
        if source.startswith("card:") and target.startswith("rule:")
    }
    keywords = {
        (source, target, held["relation"])
        for source, target, held in graph.edges(data=True)
        if target.startswith("keyword:") and source.startswith("card:")
    }
    assert ("card:brindle-falconer", "keyword:flying", "has_keyword") in keywords
    assert ("card:lamplighter", "keyword:reach", "grants_keyword") in keywords
    assert ("keyword:typecycling", "keyword:cycling", "variant_of") in {
        (source, target, held["relation"]) for source, target, held in graph.edges(data=True)
    }


@pytest.mark.parametrize("format_", ["graphml", "gexf"])
def test_no_character_spoils_the_xml(format_: str, tmp_path: Path) -> None:
    name = '<a href="x">&\x07\ufffe "]]>'
    words = "Fly\x0bing"
    odd = card(
        name, face(name, "Creature", words, ability(words, words, "keyword", ("702.9", "effect", "Fly")))
    )
    with open_store(write_store(tmp_path / "s", [odd])) as store:
        reader = nx.read_graphml if format_ == "graphml" else nx.read_gexf
        graph = reader(exported(store, format_, tmp_path))
    assert [held["label"] for _, held in graph.nodes(data=True) if held["type"] == "card"] == [
        '<a href="x">& "]]>'
    ]


# -- tables ------------------------------------------------------------------------------------------


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_neo4j_files_fit_together(store: Store, tmp_path: Path) -> None:
    folder = exported(store, "neo4j", tmp_path)
    ids: dict[str, set[str]] = {}
    for path in folder.glob("nodes-*.csv"):
        (column,) = (name for name in rows(path)[0] if ":ID(" in name)
        listed = [row[column] for row in rows(path)]
        assert len(set(listed)) == len(listed)
        ids[column.partition(":ID")[2]] = set(listed)
    assert set(ids) == {"(Card)", "(Face)", "(Ability)", "(Rule)", "(Keyword)", "(Type)"}
    for path in folder.glob("relationships-*.csv"):
        for row in rows(path):
            ends = [name for name in row if name.startswith((":START_ID", ":END_ID"))]
            assert [row[name] in ids[name.partition("_ID")[2]] for name in ends] == [True, True], (path, row)
            assert row[":TYPE"].isupper()


def test_neo4j_files_say_what_the_graph_says(store: Store, tmp_path: Path) -> None:
    folder = exported(store, "neo4j", tmp_path)
    cards = {row["name"]: row for row in rows(folder / "nodes-cards.csv")}
    assert cards["Brindle Falconer"]["colorIdentity:string[]"] == "G;U;W"
    assert cards["Brindle Falconer"][":LABEL"] == "Card"
    assert HOSTILE in cards
    faces = {row["name"]: row["oracleText"] for row in rows(folder / "nodes-faces.csv")}
    hostile = read.card(store, HOSTILE).faces[0].oracle_text
    assert hostile is not None
    assert '"' in hostile
    assert "\n" in hostile
    assert faces[HOSTILE] == hostile
    invoked = [
        (row[":END_ID(Rule)"], row["relation"], row["quote"])
        for row in rows(folder / "relationships-ability-invokes.csv")
        if row[":START_ID(Ability)"] == "ability:brindle-falconer.1.1"
    ]
    assert invoked == [("rule:702.9", "has_keyword", "Flying")]
    keywords = {row["name"]: row for row in rows(folder / "nodes-keywords.csv")}
    assert keywords["Scry"][":LABEL"] == "Keyword;KeywordAction"


def test_neo4j_is_told_how_to_import(small_store: Path, tmp_path: Path) -> None:
    done = cardlaw("export", "neo4j", "-o", tmp_path / "a b", store=small_store)
    assert (done.returncode, done.stdout) == (0, "")
    assert (
        f"cd '{tmp_path / 'a b'}' && neo4j-admin database import full --nodes=nodes-cards.csv" in done.stderr
    )
    named = {word.partition("=")[2] for word in done.stderr.split() if word.startswith(("--nodes", "--rel"))}
    assert named == {path.name for path in (tmp_path / "a b").iterdir()}
    quiet = cardlaw("export", "neo4j", "-o", tmp_path / "c", "-q", store=small_store)
    assert (quiet.returncode, quiet.stderr) == (0, "")


def test_parquet_opens_in_pandas(store: Store, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    folder = exported(store, "parquet", tmp_path)
    frames = {path.stem: pandas.read_parquet(path) for path in folder.iterdir()}
    assert set(frames) == {"cards", "faces", "abilities", "citations", "rules", "keywords"}
    linked = list(read.cards(store))
    faces = [face for card in linked for face in card.faces]
    assert len(frames["cards"]) == len(linked)
    assert list(frames["faces"]["name"]) == [face.name for face in faces]
    assert list(frames["abilities"]["text"]) == [each.text for face in faces for each in face.abilities]
    citations = frames["citations"]
    assert len(citations) == sum(
        len(holder.citations) for face in faces for holder in (face, *face.abilities)
    )
    assert str(citations["start"].dtype) == "int32"
    assert str(citations["in_reminder"].dtype) == "bool"
    assert str(frames["faces"]["mana_value"].dtype) == "float64"
    falconer = frames["cards"].set_index("card").loc["brindle-falconer"]
    assert list(falconer["color_identity"]) == ["G", "U", "W"]
    assert list(falconer["has_keyword"]) == ["flying", "typecycling", "vigilance"]
    assert {"702.9", "508"} <= set(falconer["rules"])
    joined = citations.merge(frames["rules"], left_on="rule", right_on="number")
    assert len(joined) == len(citations)
    text = frames["faces"].set_index(["card", "face"])["oracle_text"]
    for row in citations[citations["field"] == "oracle_text"].itertuples():
        assert text[row.card, row.face][row.start : row.end] == row.quote


def test_parquet_tells_what_is_missing(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.schemas.cache_clear()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CardlawError, match=r"pip install 'cardlaw\[parquet\]'"):
        exported(store, "parquet", tmp_path)
    assert not list(tmp_path.iterdir())


def test_row_groups_are_written_as_they_fill(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(tables, "_ROWS", 10)
    folder = exported(store, "parquet", tmp_path)
    assert parquet.ParquetFile(folder / "cards.parquet").metadata.num_row_groups in (3, 4)
    assert parquet.read_table(folder / "cards.parquet").num_rows == 30


# -- what the files of a build are read by -----------------------------------------------------------


@pytest.mark.parametrize("name", ["store", "rich"])
def test_cards_are_the_same_from_files_and_store(name: str, request: pytest.FixtureRequest) -> None:
    store: Store = request.getfixturevalue(name)
    found = list(read.cards(store))
    assert found == list(read.cards(store, [expand(f"card:{card.slug}") for card in found]))
    assert len(found) == store.info.counts["cards"]
    if name == "rich":
        assert store.info.counts["tokens"]
        for field in ("printings", "prices", "legalities", "related", "rulings", "origins"):
            assert any(getattr(card, field) for card in found), field


def test_cards_of_a_store_by_hand(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert list(read.cards(store)) == list(CARDS)
        assert [rule.number for rule in reference.rules(store)] == list(BOOK.rules)
        heights = {type_.name: (type_.kind, type_.rule) for type_ in reference.types(store)}
        assert heights["Creature"] == ("CardType", "302")
        assert heights["Heron"][0] == "Subtype"
        found = {keyword.slug: keyword.variant_of for keyword in reference.keywords(store)}
        assert (found["marshcycling"], found["typecycling"]) == ("typecycling", "cycling")


@pytest.mark.parametrize("text", ["\u2028\x85\x0c", '\\"\n\t\r\\n', "\x00\x07\x7f", "𝔣\ud7ff\ufffd", "é"])
def test_texts_come_back_from_lines(text: str, tmp_path: Path) -> None:
    odd = card(f"Odd {text}", Face(name=f"Odd {text}", oracle_text=text))
    with open_store(write_store(tmp_path, [odd])) as store:
        (found,) = read.cards(store)
        assert (found.name, found.faces[0].oracle_text) == (f"Odd {text}", text)


@pytest.mark.parametrize(
    ("term", "value", "datatype"),
    [
        ('"a\\u00e9\\U0001D523\\"\\\\n"'.replace("e9", "E9"), 'aé𝔣"\\n', ""),
        ('"1"^^<http://www.w3.org/2001/XMLSchema#integer>', "1", expand("xsd:integer")),
        ('"a"@en', "a", "@en"),
    ],
)
def test_terms(term: str, value: str, datatype: str) -> None:
    assert (layers.value(term), layers.datatype(term)) == (value, datatype)


def test_variants_of_a_name_are_cards_of_their_own() -> None:
    base = "https://w3id.org/cardlaw/"
    assert layers.part_of(f"<{base}citation/sly-spy.b.1.2.1.c702.9-has-keyword>") == ("sly-spy.b", 1)
    assert layers.part_of(f"<{base}ability/sly-spy.2.10>") == ("sly-spy", 2)
    assert layers.part_of(f"<{base}face/sly-spy.b.2>") == ("sly-spy.b", 2)
    assert layers.part_of(f"<{base}card/sly-spy>") is None


def test_layers_that_tell_of_other_cards_are_an_error(tmp_path: Path) -> None:
    root, other = write_store(tmp_path / "a"), write_store(tmp_path / "b", reversed(CARDS))
    for name in ("abilities", "evidence"):
        file = Path("builds", "one", f"{name}.nq.gz")
        (root / file).write_bytes((other / file).read_bytes())
    with open_store(root) as store:
        with pytest.raises(StoreError, match="run `cardlaw build`"):
            list(read.cards(store))
        with pytest.raises(StoreError, match="run `cardlaw build`"):
            exported(store, "trig", tmp_path, oa=True)
    assert not list(tmp_path.glob("*trig*"))


# -- files, folders, pipes ---------------------------------------------------------------------------


@pytest.mark.parametrize("format_", TEXTS)
def test_stdout_has_the_bytes_of_the_file(small_store: Path, format_: str, tmp_path: Path) -> None:
    assert cardlaw("export", format_, "-o", tmp_path / "x", store=small_store).stderr == ""
    piped = subprocess.run(
        [*PROGRAM, "export", format_], env=environment(small_store), capture_output=True, check=True
    )
    assert piped.stdout == (tmp_path / "x").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("format_", TEXTS)
def test_a_reader_that_leaves_early_is_no_error(small_store: Path, format_: str) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "export", format_],
        env=environment(small_store),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


@pytest.mark.parametrize("format_", FOLDERS)
def test_a_folder_that_is_in_use_is_refused(small_store: Path, format_: str, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "mine").write_text("precious")
    for name in ("used", "used/mine", "no/such"):
        done = cardlaw("export", format_, "-o", tmp_path / name, store=small_store)
        assert done.returncode == 1
        assert one_line(done.stderr)
    assert (tmp_path / "used" / "mine").read_text() == "precious"
    assert os.listdir(tmp_path) == ["used"]
    (tmp_path / "empty").mkdir()
    assert cardlaw("export", format_, "-o", tmp_path / "empty", "-q", store=small_store).returncode == 0
    assert len(os.listdir(tmp_path / "empty")) > 5
    assert set(os.listdir(tmp_path)) == {"used", "empty"}


@pytest.mark.parametrize(
    "args",
    [
        ["export", "neo4j"],
        ["export", "parquet", "-o", "-"],
        ["export", "jsonl", "--oa"],
        ["export", "parquet", "--oa", "-o", "x"],
    ],
)
def test_what_cannot_be_is_a_wrong_call(small_store: Path, args: list[str]) -> None:
    done = cardlaw(*args, store=small_store)
    assert (done.returncode, done.stdout) == (2, "")
    assert one_line(done.stderr)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_is_left_of_a_folder_that_could_not_be_written(error: BaseException, tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        (folder / "half").write_text("half")
        raise error

    expected = CardlawError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        files.write_folder(fill, tmp_path / "new")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("format_", [*TEXTS, *FOLDERS])
def test_progress_is_told(store: Store, format_: str, tmp_path: Path) -> None:
    heard: list[tuple[str, int, int | None]] = []
    write_export(store, format_, tmp_path / format_, lambda *told: heard.append(told))
    stage, done, total = heard[-1]
    last = {"nquads": "bytes", "site": "search", **dict.fromkeys(set(RDF) - {"nquads"}, "statements")}
    assert stage == last.get(format_, "cards")
    assert done > 0
    assert total in (None, done)
