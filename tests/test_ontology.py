"""The vocabulary is whole, is OWL 2 RL, and says of each term what it is; namespaces round-trip."""

from __future__ import annotations

import re
import tomllib
from typing import get_args

import pytest
from conftest import PROJECT
from rdflib import OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection

from cardlaw.graph.model import Kind, Relation
from cardlaw.graph.triples import KIND_CLASSES, RELATION_PROPERTIES
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import BASE, DATA_PREFIXES, MTG, PREFIXES, compact, expand

mtg = Namespace(MTG)
xsd = Namespace(PREFIXES["xsd"])
dqv = Namespace(PREFIXES["dqv"])
PROPERTY_KINDS = {OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}


@pytest.fixture(scope="module")
def vocabulary() -> Graph:
    return Graph().parse(data=data("cardlaw.ttl").read_text(encoding="utf-8"), format="turtle")


def ours(graph: Graph) -> set[URIRef]:
    return {s for s in graph.subjects() if isinstance(s, URIRef) and s.startswith(MTG)}


def test_every_term_has_one_kind_a_label_and_a_comment(vocabulary: Graph) -> None:
    for term in ours(vocabulary):
        kinds = set(vocabulary.objects(term, RDF.type))
        assert len(kinds) == 1, term
        assert kinds <= {OWL.Class, dqv.Metric, *PROPERTY_KINDS}, term
        assert len(list(vocabulary.objects(term, RDFS.label))) == 1, term
        assert len(list(vocabulary.objects(term, RDFS.comment))) == 1, term


def test_every_property_has_a_range_or_a_parent_that_has_one(vocabulary: Graph) -> None:
    for term in ours(vocabulary):
        if vocabulary.value(term, RDF.type) in (OWL.ObjectProperty, OWL.DatatypeProperty):
            parents = vocabulary.transitive_objects(term, RDFS.subPropertyOf)
            assert any((parent, RDFS.range, None) in vocabulary for parent in parents), term


def test_all_that_is_referred_to_is_declared(vocabulary: Graph) -> None:
    builtin = (str(OWL), str(RDF), str(RDFS), str(xsd))
    for predicate in (RDFS.subClassOf, RDFS.subPropertyOf, RDFS.domain, RDFS.range, OWL.disjointWith):
        for term in vocabulary.objects(None, predicate):
            assert str(term).startswith(builtin) or (term, RDF.type, None) in vocabulary, term
    for used in set(vocabulary.predicates()):
        assert str(used).startswith(builtin) or (used, RDF.type, None) in vocabulary, used


def test_it_keeps_to_owl_2_rl(vocabulary: Graph) -> None:
    """No class expression stands where RL allows none, and datatypes are those of RL."""
    used = set(vocabulary.predicates()) | set(vocabulary.objects(None, RDF.type))
    assert {term for term in used if str(term).startswith(str(OWL))} <= {
        OWL.Ontology,
        OWL.versionInfo,
        OWL.versionIRI,
        OWL.Class,
        *PROPERTY_KINDS,
        OWL.propertyChainAxiom,
        OWL.AllDisjointClasses,
        OWL.members,
        OWL.disjointWith,
    }
    ranges = {r for r in vocabulary.objects(None, RDFS.range) if not str(r).startswith(MTG)}
    assert ranges <= {xsd.string, xsd.integer, xsd.decimal, xsd.boolean, RDFS.Literal}
    for predicate in (RDFS.subClassOf, RDFS.domain, RDFS.range):
        assert not any(isinstance(term, BNode) for term in vocabulary.objects(None, predicate))


def test_one_subproperty_of_invokes_for_each_relation(vocabulary: Graph) -> None:
    assert set(RELATION_PROPERTIES) == set(get_args(Relation))
    assert set(vocabulary.subjects(RDFS.subPropertyOf, mtg.invokes)) == {
        mtg[name] for name in RELATION_PROPERTIES.values()
    }


def test_one_class_for_each_kind_of_ability(vocabulary: Graph) -> None:
    assert set(KIND_CLASSES) == set(get_args(Kind))
    for name in KIND_CLASSES.values():
        assert mtg.Ability in set(vocabulary.transitive_objects(mtg[name], RDFS.subClassOf))


def test_cites_rule_is_a_chain(vocabulary: Graph) -> None:
    chains = [
        list(Collection(vocabulary, c)) for c in vocabulary.objects(mtg.citesRule, OWL.propertyChainAxiom)
    ]
    assert [mtg.hasFace, mtg.hasAbility, mtg.invokes] in chains


def test_ties_to_other_vocabularies(vocabulary: Graph) -> None:
    oa = Namespace(PREFIXES["oa"])
    assert (mtg.Citation, RDFS.subClassOf, oa.Annotation) in vocabulary
    assert (mtg.rule, RDFS.subPropertyOf, oa.hasBody) in vocabulary
    assert (mtg.quote, RDFS.subPropertyOf, RDFS.label) in vocabulary
    assert SKOS.Concept in set(vocabulary.transitive_objects(mtg.Rule, RDFS.subClassOf))


def test_every_layer_says_whose_words_it_holds(vocabulary: Graph) -> None:
    rights = URIRef(PREFIXES["dcterms"] + "rights")
    layers = set(vocabulary.subjects(RDF.type, mtg.Layer))
    named = {str(layer).removeprefix(PREFIXES["layer"]) for layer in layers}
    assert named >= {"rules", "cards", "abilities", "evidence", "rulings", "themes", "predictions"}
    for layer in layers:
        assert isinstance(vocabulary.value(layer, rights), Literal)
    for name in ("rules", "cards", "rulings"):
        assert "Wizards of the Coast" in str(vocabulary.value(URIRef(expand(f"layer:{name}")), rights))


def test_it_has_a_version(vocabulary: Graph) -> None:
    """That of the program, as text and as an IRI under which the server gives the same."""
    whole = URIRef(BASE + "ontology")
    version = vocabulary.value(whole, OWL.versionInfo)
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str(version) == project["version"]
    assert vocabulary.value(whole, OWL.versionIRI) == URIRef(f"{whole}/{version}")
    for earlier in vocabulary.objects(whole, OWL.priorVersion):
        assert re.fullmatch(rf"{re.escape(whole)}/\d+\.\d+\.\d+", str(earlier))


@pytest.mark.parametrize(
    ("curie", "iri"),
    [
        ("mtg:invokes", "https://w3id.org/cardlaw/ontology#invokes"),
        ("rule:702.29e", "https://w3id.org/cardlaw/rule/702.29e"),
        ("cr:2025-04-04.702.29e", "https://w3id.org/cardlaw/cr/2025-04-04.702.29e"),
        ("citation:fire-ice.1.2.c3", "https://w3id.org/cardlaw/citation/fire-ice.1.2.c3"),
        ("skos:broader", "http://www.w3.org/2004/02/skos/core#broader"),
    ],
)
def test_prefixed_names(curie: str, iri: str) -> None:
    assert expand(curie) == iri
    assert compact(iri) == curie


def test_what_has_no_prefixed_name_stays_an_iri() -> None:
    assert compact("https://example.org/x") == "<https://example.org/x>"
    assert compact("https://w3id.org/cardlaw/card/a/b") == "<https://w3id.org/cardlaw/card/a/b>"
    assert compact("https://w3id.org/cardlaw/rule/702.") == "<https://w3id.org/cardlaw/rule/702.>"
    with pytest.raises(ValueError, match="no known prefix"):
        expand("foo:bar")


def test_data_prefixes_are_folders_below_the_base() -> None:
    assert all(PREFIXES[prefix] == f"{BASE}{prefix}/" for prefix in DATA_PREFIXES)
