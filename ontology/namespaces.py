"""The namespaces of the graph, and prefixed names to and from IRIs.

Data IRIs are `https://w3id.org/cardlaw/<prefix>/<local name>`, the vocabulary is `mtg:`. A local
name never holds a slash and needs no escape (SPARQL 1.1, PN_LOCAL), so that each IRI of the data has
exactly one prefixed name.
"""

from __future__ import annotations

import re
from types import MappingProxyType

__all__ = ["BASE", "DATA_PREFIXES", "MTG", "PREFIXES", "compact", "expand"]

BASE = "https://w3id.org/cardlaw/"
MTG = BASE + "ontology#"

DATA_PREFIXES = (
    "card",
    "face",
    "ability",
    "citation",
    "removal",
    "rule",
    "cr",
    "revision",
    "keyword",
    "term",
    "tag",
    "inference",
    "type",
    "token",
    "printing",
    "set",
    "ruling",
    "format",
    "entry",
    "source",
    "layer",
    "measurement",
)

PREFIXES = MappingProxyType(
    {
        "mtg": MTG,
        **{prefix: f"{BASE}{prefix}/" for prefix in DATA_PREFIXES},
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "owl": "http://www.w3.org/2002/07/owl#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "prov": "http://www.w3.org/ns/prov#",
        "dcterms": "http://purl.org/dc/terms/",
        "schema": "https://schema.org/",
        "oa": "http://www.w3.org/ns/oa#",
        "dqv": "http://www.w3.org/ns/dqv#",
    }
)

_LONGEST_FIRST = sorted(PREFIXES.items(), key=lambda item: -len(item[1]))
_LOCAL = re.compile(r"[\w:](?:[\w.:-]*[\w:-])?", re.ASCII)


def expand(curie: str) -> str:
    """The IRI of a prefixed name: `rule:702.29` → `https://w3id.org/cardlaw/rule/702.29`.

    Raises:
        ValueError: if the prefix is not one of `PREFIXES`.
    """
    prefix, colon, local = curie.partition(":")
    if not colon or prefix not in PREFIXES:
        raise ValueError(f"{curie!r} has no known prefix; known are {', '.join(PREFIXES)}")
    return PREFIXES[prefix] + local


def compact(iri: str) -> str:
    """The prefixed name of an IRI, or `<iri>` where it has none that SPARQL would read."""
    for prefix, namespace in _LONGEST_FIRST:
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"
