"""RDF in its usual forms: Turtle and RDF/XML with the prefixes that are used, N-Triples, readable JSON-LD.

Same triples, same bytes. JSON-LD (1.1) has the names of the vocabulary as they are, its own context, and
IRIs relative to the data's; what other nodes say stands where they are named, what points at the
node under "@reverse".
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES

__all__ = ["FORMATS", "HTML", "JSON", "Form", "write"]


class Form(NamedTuple):
    """A form that a description can have."""

    suffix: str  # of its address
    media: str
    name: str


HTML = Form("html", "text/html", "HTML")
JSON = Form("json", "application/json", "JSON")
"""What is no RDF: the page, and the records as `cardlaw show --format json` has them."""

FORMATS = (
    Form("ttl", "text/turtle", "Turtle"),
    Form("jsonld", "application/ld+json", "JSON-LD"),
    Form("nt", "application/n-triples", "N-Triples"),
    Form("rdf", "application/rdf+xml", "RDF/XML"),
)
"""Those of RDF."""

_OTHERS = {"void": "http://rdfs.org/ns/void#", "dcat": "http://www.w3.org/ns/dcat#"}
_PREFIXES = {**PREFIXES, **_OTHERS, "foaf": "http://xmlns.com/foaf/0.1/"}
_KNOWN = tuple(_PREFIXES.values())
_XSD = PREFIXES["xsd"]
_TYPE = PREFIXES["rdf"] + "type"
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""

_Nodes: TypeAlias = dict[str, dict[str, list[NamedNode | Literal]]]
"""Subject → predicate → values."""


def write(triples: Iterable[Triple], suffix: str, root: str | None = None) -> bytes:
    """The triples, which have no blank nodes, in the form that a suffix of `FORMATS` names.

    Args:
        triples: in any order; doubles are left out.
        suffix: "ttl", "jsonld", "nt" or "rdf".
        root: the node that they are about; in JSON-LD the others are put under it.
    """
    ordered = sorted(set(triples), key=lambda t: _order(t, root))
    match suffix:
        case "nt":
            return _serialized(ordered, RdfFormat.N_TRIPLES)
        case "ttl":
            return _sorted_head(_serialized(ordered, RdfFormat.TURTLE))
        case "rdf":
            whole = _serialized([_for_xml(triple) for triple in ordered], RdfFormat.RDF_XML)
            return _sorted_namespaces(whole.replace(b"\r", b"&#13;"))
    return json.dumps(_jsonld(ordered, root), ensure_ascii=False, indent=1).encode()


def _order(triple: Triple, root: str | None) -> tuple[bool, str, bool, str, str]:
    """The root first, then by name; of each node its types first."""
    subject, predicate, value = map(str, triple)
    return subject != f"<{root}>", subject, predicate != f"<{_TYPE}>", predicate, value


def _serialized(triples: Sequence[Triple], form: RdfFormat) -> bytes:
    return cast(bytes, serialize(triples, format=form, prefixes=_used(triples)))


def _used(triples: Iterable[Triple]) -> dict[str, str]:
    """The prefixes of the IRIs of some triples."""
    iris = set()
    for triple in triples:
        for term in triple:
            if isinstance(term, Literal):
                iris.add(term.datatype.value)
            else:
                iris.add(term.value)
    return {p: namespace for p, namespace in _PREFIXES.items() if any(i.startswith(namespace) for i in iris)}


def _sorted_head(turtle: bytes) -> bytes:
    """With the prefixes in the order of the alphabet and a blank line after each node."""
    lines = turtle.decode().split("\n")
    head = sorted(line for line in lines if line.startswith("@prefix "))
    body = "\n".join(lines[len(head) :]).replace(" .\n", " .\n\n").rstrip("\n")
    return "\n".join([*head, "", body, ""]).encode()


def _sorted_namespaces(xml: bytes) -> bytes:
    head, _, body = xml.partition(b">\n\t") if b">\n\t" in xml else (xml, b"", b"")
    start = head.index(b"<rdf:RDF ") + len(b"<rdf:RDF ")
    names = sorted(head[start:].split(b" "))
    return head[:start] + b" ".join(names) + b">\n\t" + body if body else xml


def _for_xml(triple: Triple) -> Triple:
    value = triple.object
    if isinstance(value, Literal) and _NO_XML.search(value.value):
        value = Literal(_NO_XML.sub("�", value.value), datatype=value.datatype)
        return Triple(triple.subject, triple.predicate, value)
    return triple


def _jsonld(triples: Iterable[Triple], root: str | None) -> dict[str, Any]:
    nodes: _Nodes = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in triples:
        nodes[subject.value][predicate.value].append(value)
    names = _names({predicate for said in nodes.values() for predicate in said})
    context = {"@base": BASE, "@vocab": MTG, "xsd": _XSD}
    needless = {"@type", *(iri for iri in names if not iri.startswith(_KNOWN) or iri.startswith(MTG))}
    context |= {name: iri for iri, name in sorted(names.items()) if needless.isdisjoint((iri, name))}
    if root is None:
        said = [_node(iri, about, names) for iri, about in nodes.items()]
        return {"@context": context, "@graph": said}
    own = _node(root, nodes[root], names, others=nodes)
    reverse: dict[str, list[Any]] = defaultdict(list)
    for iri, about in nodes.items():
        for predicate, values in about.items():
            if iri != root and NamedNode(root) in values:
                reverse[names[predicate]].append(_node(iri, _labels(about), names))
    return {"@context": context, **own} | ({"@reverse": reverse} if reverse else {})


def _names(predicates: Iterable[str]) -> dict[str, str]:
    """Predicate → its local name, of the vocabulary first; one that is taken has its prefix before it.

    One of a namespace that is not known is called by its IRI.
    """
    names: dict[str, str] = {}
    for iri in sorted(predicates, key=lambda iri: (not iri.startswith(MTG), iri)):
        prefix, namespace = next(((p, n) for p, n in _PREFIXES.items() if iri.startswith(n)), ("", ""))
        local = iri[len(namespace) :]
        free = local if local not in names.values() else f"{prefix}_{local}"
        names[iri] = "@type" if iri == _TYPE else free
    return names


def _labels(about: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """What stands with a node where it is only named: its literals."""
    only = {predicate: [v for v in values if isinstance(v, Literal)] for predicate, values in about.items()}
    return {predicate: values for predicate, values in only.items() if values}


def _node(
    iri: str, about: dict[str, list[Any]], names: dict[str, str], others: _Nodes | None = None
) -> dict[str, Any]:
    node: dict[str, Any] = {"@id": _short(iri)}
    for predicate, values in about.items():
        name = names[predicate]
        if name == "@type":
            found: list[Any] = [value.value.removeprefix(MTG) for value in values]
        else:
            found = [_value(value, names, others) for value in values]
        node[name] = found if len(found) > 1 else found[0]
    return node


def _value(value: NamedNode | Literal, names: dict[str, str], others: _Nodes | None) -> Any:
    if isinstance(value, NamedNode):
        about = others.get(value.value) if others else None
        return _node(value.value, _labels(about) if about else {}, names)
    kind = value.datatype.value
    if value.language:
        return {"@value": value.value, "@language": value.language}
    if kind == _XSD + "string":
        return value.value
    if kind == _XSD + "integer" and re.fullmatch(r"0|-?[1-9]\d{0,14}", value.value):
        return int(value.value)
    if kind == _XSD + "boolean" and value.value in ("true", "false"):
        return value.value == "true"
    return {"@value": value.value, "@type": kind.replace(_XSD, "xsd:")}


def _short(iri: str) -> str:
    """Relative to the data's IRIs, where that leaves more than a path that means something else."""
    return iri[len(BASE) :] if re.match(re.escape(BASE) + r"[\w-]+[/#]", iri) else iri
