"""The graph described as a data set: VoID, DCAT 3 and PROV-O, from what the build says of itself.

Each layer, which is a named graph, is a subset of it under its own IRI, with its number of triples, its
rights and its sources. The description's own IRIs are `…/.well-known/void#…` of the server that gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pyoxigraph import Literal, NamedNode, QuerySolutions, Triple

from cardlaw.graph.naming import source_slug
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES, expand

from .rdfforms import FORMATS

__all__ = ["LICENSE", "POLICY", "RIGHTS", "WELL_KNOWN", "dataset_triples", "examples", "layer_facts"]

WELL_KNOWN = ".well-known/void"
"""Path of the description (RFC 8615, VoID 7.2)."""

POLICY = "https://company.wizards.com/en/legal/fancontentpolicy"
LICENSE = "https://spdx.org/licenses/MIT"
RIGHTS = (
    "cardlaw is unofficial Fan Content permitted under the Fan Content Policy. Not approved/endorsed by "
    "Wizards. Portions of the materials used are property of Wizards of the Coast. ©Wizards of the Coast LLC."
)

_VOID = "http://rdfs.org/ns/void#"
_DCAT = "http://www.w3.org/ns/dcat#"
_MEDIA = "https://www.iana.org/assignments/media-types/"
_TITLE = "cardlaw: Magic cards and the rules that they invoke"
_USED = ("mtg", "rdf", "rdfs", "skos", "prov", "dcterms", "schema", "oa")
_EXAMPLES = (  # of each kind the first that is there, else any
    ("Card", ("card:unpredictable-cyclone", "card:lightning-bolt")),
    ("Rule", ("rule:702.29", "rule:614.1a")),
    ("KeywordAbility", ("keyword:cycling", "keyword:flying")),
    ("KeywordAction", ("keyword:exile",)),
    ("Term", ("term:spell",)),
    ("CardType", ("type:creature",)),
    ("Citation", ("citation:lightning-bolt.1.1.c115.4-defined-term",)),
    ("Printing", ()),
    ("Ruling", ()),
    ("RulebookRelease", ()),
)


def examples(store: Store) -> list[str]:
    """IRIs of nodes to start from, one of each kind that is there."""
    found: list[str] = []
    is_a = NamedNode(expand("rdf:type"))
    for kind, preferred in _EXAMPLES:
        for node in (*map(NamedNode, map(expand, preferred)), None):
            some = store.quads.quads_for_pattern(node, is_a, NamedNode(MTG + kind), None)
            if (quad := next(some, None)) is not None:
                found.append(cast(NamedNode, quad.subject).value)
                break
    return found


def layer_facts(store: Store, name: str) -> dict[str, str]:
    """What the vocabulary says of a layer: its label, comment and rights."""
    node = NamedNode(PREFIXES["layer"] + name)
    found = store.quads.quads_for_pattern(node, None, None, None)
    texts = ((quad.predicate.value, quad.object) for quad in found)
    return {
        predicate.rpartition("/")[2].rpartition("#")[2]: value.value
        for predicate, value in texts
        if isinstance(value, Literal)
    }


def dataset_triples(store: Store, base: str) -> Iterator[Triple]:
    """The description, without blank nodes. Takes a second, for its counts of classes.

    Args:
        store: the build.
        base: what the addresses of the server begin with.
    """
    document = base + WELL_KNOWN
    dataset = f"{document}#dataset"
    info = store.info

    def tell(subject: str, **said: object) -> Iterator[Triple]:
        for name, values in said.items():
            for value in values if isinstance(values, list) else [values]:
                predicate = _iri(name.replace("_", ":", 1))
                yield Triple(NamedNode(subject), NamedNode(predicate), _term(value))

    built = Literal(info.started, datatype=NamedNode(PREFIXES["xsd"] + "dateTime"))
    counts = _classes(store)
    yield from tell(
        document,
        rdf_type=NamedNode(_VOID + "DatasetDescription"),
        dcterms_title=f"Description of {_TITLE}",
        foaf_primaryTopic=NamedNode(dataset),
    )
    yield from tell(
        dataset,
        rdf_type=[NamedNode(_VOID + "Dataset"), NamedNode(_DCAT + "Dataset")],
        dcterms_title=_TITLE,
        dcterms_description="Cards of Magic: The Gathering, their abilities and the rules of the game that "
        "each of them invokes, with the words that prove it. Rule numbers are those effective "
        f"{info.release}.",
        dcterms_identifier=info.id,
        dcterms_issued=built,
        dcterms_modified=built,
        dcterms_license=NamedNode(POLICY),
        dcterms_rights=f"{RIGHTS} What cardlaw itself adds is under the MIT license; see the subsets.",
        dcterms_language="en",
        dcat_version=info.version,
        dcat_keyword=["Magic: The Gathering", "Comprehensive Rules", "knowledge graph"],
        dcat_landingPage=NamedNode(base),
        dcat_distribution=[
            NamedNode(f"{document}#{name}") for name in ("sparql", *(f.suffix for f in FORMATS))
        ],
        prov_wasDerivedFrom=[NamedNode(_source(source.name)) for source in info.sources],
        void_sparqlEndpoint=NamedNode(f"{base}sparql"),
        void_uriLookupEndpoint=NamedNode(f"{base}search?q="),
        void_uriSpace=BASE,
        void_feature=[NamedNode(f"http://www.w3.org/ns/formats/{name}") for name in _FEATURES],
        void_triples=sum(info.quads.values()),
        void_entities=sum(counts.values()),
        void_classes=len(counts),
        void_vocabulary=[NamedNode(PREFIXES[name]) for name in _USED],
        void_exampleResource=[NamedNode(iri) for iri in examples(store)],
        void_subset=[NamedNode(PREFIXES["layer"] + name) for name in info.quads],
        void_classPartition=[NamedNode(f"{document}#class-{name}") for name in counts],
    )
    for name, count in counts.items():
        yield from tell(f"{document}#class-{name}", void_class=NamedNode(MTG + name), void_entities=count)
    for name, count in info.quads.items():
        about = layer_facts(store, name)
        yield from tell(
            PREFIXES["layer"] + name,
            rdf_type=NamedNode(_VOID + "Dataset"),
            dcterms_title=about["label"],
            dcterms_description=about["comment"],
            dcterms_rights=about["rights"],
            dcterms_isPartOf=NamedNode(dataset),
            dcterms_license=NamedNode(LICENSE if name == "ontology" else POLICY),
            void_triples=count,
        )
    yield from tell(
        f"{document}#sparql",
        rdf_type=NamedNode(_DCAT + "Distribution"),
        dcterms_title="SPARQL endpoint",
        dcat_accessURL=NamedNode(f"{base}sparql"),
        dcat_accessService=NamedNode(f"{document}#service"),
        dcterms_license=NamedNode(POLICY),
    )
    yield from tell(
        f"{document}#service",
        rdf_type=NamedNode(_DCAT + "DataService"),
        dcterms_title="SPARQL 1.1 endpoint",
        dcterms_conformsTo=NamedNode("https://www.w3.org/TR/sparql11-protocol/"),
        dcat_endpointURL=NamedNode(f"{base}sparql"),
        dcat_endpointDescription=NamedNode(f"{base}sparql"),
        dcat_servesDataset=NamedNode(dataset),
    )
    for form in FORMATS:
        yield from tell(
            f"{document}#{form.suffix}",
            rdf_type=NamedNode(_DCAT + "Distribution"),
            dcterms_title=f"Linked data in {form.name}",
            dcterms_description="Every IRI of the data answers with what the graph says of it.",
            dcat_accessURL=NamedNode(base),
            dcat_mediaType=NamedNode(_MEDIA + form.media),
            dcterms_license=NamedNode(POLICY),
        )
    for source in info.sources:
        day = NamedNode(PREFIXES["xsd"] + "date")
        yield from tell(
            _source(source.name),
            rdf_type=[NamedNode(MTG + "Source"), NamedNode(PREFIXES["prov"] + "Entity")],
            rdfs_label=source.name,
            rdfs_comment=f"Newest day in it: {source.newest}" if source.newest else [],
            mtg_sha256=source.sha256,
            dcat_byteSize=Literal(
                str(source.size), datatype=NamedNode(PREFIXES["xsd"] + "nonNegativeInteger")
            ),
            dcterms_issued=Literal(source.date, datatype=day) if source.date else [],
        )


_FEATURES = ("Turtle", "JSON-LD", "N-Triples", "RDF_XML")


def _iri(name: str) -> str:
    prefix, _, local = name.partition(":")
    others = {"void": _VOID, "dcat": _DCAT, "foaf": "http://xmlns.com/foaf/0.1/"}
    return others[prefix] + local if prefix in others else expand(name)


def _term(value: object) -> NamedNode | Literal:
    return value if isinstance(value, NamedNode | Literal) else Literal(cast(str | int, value))


def _source(name: str) -> str:
    return f"{PREFIXES['source']}{source_slug(name)}"


def _classes(store: Store) -> dict[str, int]:
    """Local name of each class of `mtg:` → how many nodes have it, in the order of the alphabet."""
    rows = store.query("SELECT ?class (COUNT(DISTINCT ?node) AS ?count) { ?node a ?class } GROUP BY ?class")
    found = {row[0].value: int(row[1].value) for row in cast(QuerySolutions, rows)}
    return {iri[len(MTG) :]: count for iri, count in sorted(found.items()) if iri.startswith(MTG)}
