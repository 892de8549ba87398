"""`ontology/shapes.ttl` as records: what a SHACL shape demands of which nodes (SHACL, W3C 2017).

Only the part of SHACL Core that the file uses is understood; anything else in it is an error, so that no
demand goes unchecked without a word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

import pyoxigraph
from msgspec import Struct
from pyoxigraph import BlankNode, NamedNode, RdfFormat, Triple

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES, compact

from .errors import ShapesError

__all__ = [
    "Constraint",
    "NodeShape",
    "Path",
    "PropertyShape",
    "Severity",
    "Step",
    "read_shapes",
    "shipped_shapes",
    "subclasses",
]

Severity: TypeAlias = Literal["Violation", "Warning", "Info"]
_Node: TypeAlias = NamedNode | BlankNode
_Term: TypeAlias = NamedNode | BlankNode | pyoxigraph.Literal | Triple
_Properties: TypeAlias = Mapping[str, list[_Term]]

_SH = "http://www.w3.org/ns/shacl#"
_NIL = NamedNode(PREFIXES["rdf"] + "nil")
_VALUES = (
    "class",
    "datatype",
    "in",
    "maxInclusive",
    "minInclusive",
    "minLength",
    "nodeKind",
    "or",
    "pattern",
)
_COMPONENTS = {
    "node": ("nodeKind", "pattern"),
    "property": ("minCount", "maxCount", *_VALUES),
    "or": ("datatype",),
}
"""Where a shape stands → the constraints that are understood there, by their parameters."""
_TARGETS: Mapping[str, Literal["class", "subjects", "objects"]] = {
    "targetClass": "class",
    "targetSubjectsOf": "subjects",
    "targetObjectsOf": "objects",
}


class Step(Struct, frozen=True):
    """A property in one direction or the other."""

    iri: str
    inverse: bool = False

    def __str__(self) -> str:
        return "^" * self.inverse + compact(self.iri)


class Path(Struct, frozen=True):
    """A property path: one step, or several of which each is a way (`sh:alternativePath`)."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "|".join(map(str, self.steps))


class Constraint(Struct, frozen=True):
    """One demand: the local name of its parameter, and the value as SPARQL writes it.

    The value is a tuple for `in` (the terms) and `or` (of each alternative, its datatype).
    """

    name: str
    value: str | tuple[str, ...]

    @property
    def component(self) -> str:
        """Local name of its constraint component, as validation reports name it."""
        return f"{self.name[0].upper()}{self.name[1:]}ConstraintComponent"


class PropertyShape(Struct, frozen=True):
    """What holds of the values of a path."""

    path: Path
    constraints: tuple[Constraint, ...]
    message: str  # what is right
    severity: Severity = "Violation"


class NodeShape(Struct, frozen=True):
    """What holds of the nodes that are its targets."""

    iri: str
    target: Literal["class", "subjects", "objects"]
    of: str  # IRI of the class, or of the property whose subjects or objects are meant
    constraints: tuple[Constraint, ...] = ()
    properties: tuple[PropertyShape, ...] = ()
    message: str = ""
    severity: Severity = "Violation"


def shipped_shapes() -> tuple[NodeShape, ...]:
    """The shapes of `ontology/shapes.ttl`."""
    return read_shapes(data("shapes.ttl").read_text(encoding="utf-8"))


def subclasses() -> Mapping[str, frozenset[str]]:
    """Class → it and all that `ontology/cardlaw.ttl` puts below it."""
    triples = pyoxigraph.parse(data("cardlaw.ttl").read_bytes(), RdfFormat.TURTLE)
    below: dict[str, set[str]] = defaultdict(set)
    for triple in triples:
        if triple.predicate.value == PREFIXES["rdfs"] + "subClassOf":
            assert isinstance(triple.subject, NamedNode)
            assert isinstance(triple.object, NamedNode)
            below[triple.object.value].add(triple.subject.value)

    def closure(name: str) -> frozenset[str]:
        return frozenset({name}).union(*(closure(each) for each in below.get(name, ())))

    return {name: closure(name) for name in [*below]}


def read_shapes(text: str) -> tuple[NodeShape, ...]:
    """The node shapes of a Turtle file, in its order.

    Raises:
        ShapesError: it is no Turtle, or says what is not understood.
    """
    try:
        triples = list(pyoxigraph.parse(text, RdfFormat.TURTLE))
    except SyntaxError as error:
        raise ShapesError(f"the shapes are no Turtle: {error}") from None
    return tuple(_Reader(triples).shapes())


class _Reader:
    """The statements of a file by subject, and which of them have been read."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self.said: dict[_Node, dict[str, list[_Term]]] = defaultdict(lambda: defaultdict(list))
        self.named: dict[_Node, None] = {}
        for triple in triples:
            assert isinstance(triple.subject, NamedNode | BlankNode)
            self.said[triple.subject][triple.predicate.value].append(triple.object)
            if isinstance(triple.subject, NamedNode):
                self.named[triple.subject] = None

    def shapes(self) -> Iterator[NodeShape]:
        for node in self.named:
            said = self.said[node]
            if [str(kind) for kind in said.pop(PREFIXES["rdf"] + "type", [])] != [f"<{_SH}NodeShape>"]:
                raise ShapesError(f"{_name(node)} is no sh:NodeShape")
            targets = [(name, said.pop(_SH + name)) for name in _TARGETS if _SH + name in said]
            if len(targets) != 1 or len(targets[0][1]) != 1:
                raise ShapesError(f"{_name(node)} needs one target: one of {', '.join(_TARGETS)}")
            properties = [self.property(each, node) for each in said.pop(_SH + "property", [])]
            yield NodeShape(
                iri=str(node.value),
                target=_TARGETS[targets[0][0]],
                of=self.iri(targets[0][1][0], node),
                message=self.message(said, node, needed=any(_SH + c in said for c in _COMPONENTS["node"])),
                severity=self.severity(said, node),
                constraints=self.constraints(said, "node", node),
                properties=tuple(properties),
            )

    def property(self, term: _Term, shape: _Node) -> PropertyShape:
        if not isinstance(term, BlankNode):
            raise ShapesError(f"{_name(shape)}: a property shape stands in brackets")
        said = self.said[term]
        path = self.path(self.one(said, "path", shape), shape)
        return PropertyShape(
            path=path,
            message=self.message(said, shape, needed=True),
            severity=self.severity(said, shape),
            constraints=self.constraints(said, "property", shape),
        )

    def path(self, term: _Term, shape: _Node) -> Path:
        if isinstance(term, NamedNode):
            return Path((Step(term.value),))
        said = self.said[term] if isinstance(term, BlankNode) else {}
        match [*said]:
            case [only] if only == _SH + "inversePath":
                return Path((Step(self.iri(self.one(said, "inversePath", shape), shape), inverse=True),))
            case [only] if only == _SH + "alternativePath":
                ways = self.items(self.one(said, "alternativePath", shape))
                return Path(tuple(step for way in ways for step in self.path(way, shape).steps))
        raise ShapesError(f"{_name(shape)}: a path is a property, an inverse or alternatives")

    def constraints(self, said: dict[str, list[_Term]], place: str, shape: _Node) -> tuple[Constraint, ...]:
        """All that is left of a shape, which must be constraints."""
        found: list[Constraint] = []
        for predicate in [*said]:
            name = predicate.removeprefix(_SH)
            if name not in _COMPONENTS[place]:
                raise ShapesError(f"{_name(shape)}: {compact(predicate)} is not understood there")
            value = self.one(said, name, shape)
            match name:
                case "in":
                    terms = tuple(str(item) for item in self.items(value))
                    found.append(Constraint(name, terms))
                case "or":
                    ways = [self.said[item] for item in self.items(value) if isinstance(item, BlankNode)]
                    inner = [self.constraints(way, "or", shape) for way in ways]
                    found.append(Constraint(name, tuple(str(each.value) for (each,) in inner)))
                case _:
                    found.append(Constraint(name, str(value)))
        return tuple(found)

    def items(self, head: _Term) -> Iterator[_Term]:
        """The members of an RDF list."""
        while head != _NIL:
            assert isinstance(head, BlankNode)
            (first,) = self.said[head][PREFIXES["rdf"] + "first"]
            (head,) = self.said[head][PREFIXES["rdf"] + "rest"]
            yield first

    def one(self, said: dict[str, list[_Term]], name: str, shape: _Node) -> _Term:
        """The one value of a parameter, which is then read."""
        values = said.pop(_SH + name, [])
        if len(values) != 1:
            raise ShapesError(f"{_name(shape)}: sh:{name} stands once in a shape, not {len(values)} times")
        return values[0]

    def message(self, said: dict[str, list[_Term]], shape: _Node, *, needed: bool) -> str:
        if not needed and _SH + "message" not in said:
            return ""
        value = self.one(said, "message", shape)
        assert isinstance(value, pyoxigraph.Literal)
        return value.value

    def severity(self, said: dict[str, list[_Term]], shape: _Node) -> Severity:
        if _SH + "severity" not in said:
            return "Violation"
        match str(self.one(said, "severity", shape)).removeprefix(f"<{_SH}").removesuffix(">"):
            case "Violation" | "Warning" | "Info" as severity:
                return severity
        raise ShapesError(f"{_name(shape)}: a severity is sh:Violation, sh:Warning or sh:Info")

    def iri(self, term: _Term, shape: _Node) -> str:
        if not isinstance(term, NamedNode):
            raise ShapesError(f"{_name(shape)}: {term} is no IRI")
        return term.value


def _name(node: _Node) -> str:
    return compact(node.value) if isinstance(node, NamedNode) else "a shape"
