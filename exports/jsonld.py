"""The graph as one JSON-LD 1.1 document, streamed: a named graph for each layer, a node on each line.

What reads it gets the same quads as from N-Quads. The context is made of the vocabulary: names of `mtg:`
stand without a prefix (five that are prefixes too, such as `mtg:rule`, with it), links are prefixed names,
dates and prices are typed by their property, whole numbers and truth values are JSON's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, TypeAlias

import msgspec
import pyoxigraph

from cardlaw.graph.layers import datatype, property_name, value
from cardlaw.graph.printquads import PRICES
from cardlaw.graph.store import Store
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import MTG, PREFIXES, compact

from .rdf import Pairs, subjects

__all__ = ["context", "jsonld"]

Json: TypeAlias = dict[str, Any]

_ALIASES = {
    "label": "rdfs:label",
    "comment": "rdfs:comment",
    "seeAlso": "rdfs:seeAlso",
    "prefLabel": "skos:prefLabel",
    "altLabel": "skos:altLabel",
    "notation": "skos:notation",
    "definition": "skos:definition",
    "broader": "skos:broader",
    "inScheme": "skos:inScheme",
}
"""Names without a prefix that are not of `mtg:`."""
_LINKS = (
    *("rdfs:seeAlso", "rdfs:subClassOf", "rdfs:subPropertyOf", "rdfs:domain", "rdfs:range", "skos:broader"),
    *("skos:closeMatch", "skos:inScheme", "prov:specializationOf", "prov:wasDerivedFrom", "prov:used"),
    *("prov:hadPrimarySource", "prov:invalidated", "dcterms:isPartOf", "dcterms:replaces"),
    *("prov:wasRevisionOf", "prov:qualifiedRevision", "prov:entity", "skos:hasTopConcept"),
    *("oa:hasBody", "oa:hasTarget", "oa:hasSource", "oa:hasScope", "oa:hasSelector", "oa:motivatedBy"),
)
"""Properties of other vocabularies whose values are nodes."""
_XSD = PREFIXES["xsd"]
_INTEGER, _BOOLEAN, _DATE, _DECIMAL = (f"{_XSD}{name}" for name in ("integer", "boolean", "date", "decimal"))
_COUNT = f"{_XSD}nonNegativeInteger"
_TYPED = {
    **dict.fromkeys(("dcterms:issued", "released", "pricesOf"), _DATE),
    **dict.fromkeys(("ruleSince", "ruleUntil", "numberSince", "wordingSince"), _DATE),
    **dict.fromkeys(PRICES.values(), _DECIMAL),
    **dict.fromkeys(("oa:start", "oa:end"), _COUNT),
}
"""Properties whose values all have one datatype that JSON has not."""
_SAFE = 2**53
_KEYS = {curie: name for name, curie in _ALIASES.items()}


def jsonld(store: Store, told: Callable[[int], None], *, oa: bool = False) -> Iterator[bytes]:
    """The whole document, some bytes at a time; arguments as `rdf.subjects` has them."""
    yield b'{"@context": ' + msgspec.json.format(msgspec.json.encode(context()), indent=2) + b',\n"@graph": ['
    for number, layer in enumerate(sorted(store.info.quads)):
        yield b"," * (number > 0) + f'\n{{"@id": "layer:{layer}", "@graph": ['.encode()
        for place, (subject, pairs) in enumerate(subjects(store, layer, told, oa=oa)):
            yield b"," * (place > 0) + b"\n" + msgspec.json.encode(_node(subject, pairs))
        yield b"\n]}"
    yield b"\n]}\n"


@cache
def context() -> Json:
    """The @context: prefixes, and how the values of each property are to be read."""
    terms: Json = {"@version": 1.1, "@vocab": MTG}
    terms |= {prefix: {"@id": namespace, "@prefix": True} for prefix, namespace in PREFIXES.items()}
    terms |= _ALIASES
    for name, kind in sorted(_coercions().items()):
        terms[_key(name)] = {
            "@id": name if ":" in name else f"mtg:{name}",
            "@type": kind if kind == "@id" else compact(kind),
        }
    return terms


@cache
def _coercions() -> dict[str, str]:
    """Property → "@id" or the datatype that its values have unless it is said with them."""
    class_ = pyoxigraph.NamedNode(f"{PREFIXES['owl']}ObjectProperty")
    links = (
        property_name(str(triple.subject))
        for triple in pyoxigraph.parse(data("cardlaw.ttl").read_bytes(), pyoxigraph.RdfFormat.TURTLE)
        if triple.object == class_
    )
    return dict.fromkeys((*_LINKS, *(name for name in links if ":" not in name)), "@id") | _TYPED


def _key(name: str) -> str:
    """The key of a property; a name that is also a prefix keeps its own prefix."""
    return f"mtg:{name}" if name in PREFIXES else _KEYS.get(name, name)


def _node(subject: str, pairs: Pairs) -> Json:
    node: Json = {"@id": _reference(subject)}
    for predicate, group in groupby(pairs, key=lambda pair: pair[0]):
        name = property_name(predicate)
        if name == "rdf:type":
            node["@type"] = [_reference(term).removeprefix("mtg:") for _, term in group]
            continue
        kind = _coercions().get(name)
        values = [_value(term, kind) for _, term in group]
        node[_key(name)] = values if len(values) > 1 else values[0]
    return node


def _value(term: str, kind: str | None) -> Any:
    """A term of N-Quads as the value of a property of that coercion."""
    if term[0] != '"':
        return _reference(term) if kind == "@id" else {"@id": _reference(term)}
    text, own = value(term), datatype(term)
    if not own:
        return {"@value": text} if kind else text
    if own.startswith("@"):
        return {"@value": text, "@language": own[1:]}
    if own == (kind or own):
        if own in (_INTEGER, _COUNT) and str(number := int(text)) == text and abs(number) < _SAFE:
            return number
        if own == _BOOLEAN and text in ("true", "false"):
            return text == "true"
    return text if own == kind else {"@value": text, "@type": compact(own)}


@lru_cache(maxsize=50_000)
def _reference(term: str) -> str:
    """A prefixed name, an IRI or a blank node."""
    return compact(term[1:-1]).strip("<>") if term[0] == "<" else term
