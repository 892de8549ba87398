"""Is a built graph what it should be? Its shapes on the whole store, pyshacl on a sample, and its integrity.

The shapes of `ontology/shapes.ttl` are asked of the whole store as SPARQL (`shacl`). That the SPARQL means
what SHACL means is tested each time: pyshacl, an independent validator, checks some cards with all that hangs
from them, and has to find the same. What shapes cannot say is checked in one pass over the files
(`integrity`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import pyoxigraph
from msgspec import Struct
from pyoxigraph import NamedNode, Quad

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import BASE, PREFIXES, compact, expand

from .errors import CardlawError
from .integrity import Finding, findings
from .shacl import Violation, violations
from .shapes import NodeShape, shipped_shapes
from .store import FACTS, Store, layer
from .sums import changed

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = ["Outcome", "Result", "Sample", "check", "pyshacl_results", "result", "sample"]

CARDS = 20
"""Cards in the sample; others come in so that each class has one."""

Result: TypeAlias = tuple[str, str, str]
"""Node that breaks a shape, path as `shapes.Path` is written, local name of the constraint component."""

_TYPE = NamedNode(PREFIXES["rdf"] + "type")
_DOWN = tuple(NamedNode(expand(name)) for name in ("mtg:hasFace", "mtg:hasAbility"))
_UP = tuple(NamedNode(expand(name)) for name in ("mtg:ability", "mtg:face", "mtg:removedFrom"))
_SH = "http://www.w3.org/ns/shacl#"


class Sample(Struct, frozen=True):
    """A connected piece of the graph."""

    nodes: frozenset[str]  # IRIs of those that are described as a whole
    ntriples: str  # these, the classes of what they point at, and the vocabulary


class Outcome(Struct, frozen=True):
    """What a check found, and how long each part took."""

    shapes: int  # node shapes
    violations: tuple[Violation, ...]
    sampled: int  # nodes that pyshacl checked
    disputed: tuple[str, ...]  # what only one of SPARQL and pyshacl found in the sample
    findings: tuple[Finding, ...]
    seconds: dict[str, float]  # "shapes", "sample", "integrity"

    @property
    def passed(self) -> bool:
        """Nothing is wrong; warnings are no faults."""
        faults = (each for each in self.violations if each.check.severity == "Violation")
        return not any(faults) and not self.disputed and not self.findings


def check(store: Store, progress: Callable[[str, int, int | None], None] = lambda *_: None) -> Outcome:
    """Check a store.

    Args:
        store: the build.
        progress: told when each part begins.

    Raises:
        StoreError: the store is damaged.
        CardlawError: pyshacl is not installed.
    """
    seconds: dict[str, float] = {}
    shapes = shipped_shapes()
    validate = _validator()
    layers = [name for name in (*FACTS, "themes") if name in store.info.quads]

    for wrong in changed(store.folder, store.info.files):  # a query over it might never end
        raise store.damaged(wrong)
    progress("shapes", 0, None)
    begun = time.perf_counter()
    broken = violations(store.quads, layers, shapes)
    seconds["shapes"] = time.perf_counter() - begun

    progress("sample", 0, None)
    begun = time.perf_counter()
    taken = sample(store.quads, layers, shapes)
    by_pyshacl = pyshacl_results(taken.ntriples, taken.nodes, validate)
    by_sparql = {result(each) for each in broken if each.focus[1:-1] in taken.nodes}
    disputed = (
        *(f"only pyshacl: {_words(each)}" for each in sorted(by_pyshacl - by_sparql)),
        *(f"only SPARQL: {_words(each)}" for each in sorted(by_sparql - by_pyshacl)),
    )
    seconds["sample"] = time.perf_counter() - begun

    progress("integrity", 0, None)
    begun = time.perf_counter()
    found = findings(store)
    seconds["integrity"] = time.perf_counter() - begun
    return Outcome(
        shapes=len(shapes),
        violations=tuple(broken),
        sampled=len(taken.nodes),
        disputed=disputed,
        findings=tuple(found),
        seconds=seconds,
    )


def result(violation: Violation) -> Result:
    """What a validation report would say of it."""
    return violation.focus, violation.check.path, violation.check.constraint.component


# The sample


def sample(quads: pyoxigraph.Store, layers: Sequence[str], shapes: Iterable[NodeShape]) -> Sample:
    """Cards evenly from the list of all, some with what each shape is for, and all that hangs from them."""
    graphs = [layer(name) for name in layers]
    shapes = tuple(shapes)
    inverse = {
        NamedNode(step.iri) for s in shapes for p in s.properties for step in p.path.steps if step.inverse
    } | {*_UP}
    cards = sorted(_of_class(quads, graphs, expand("mtg:Card")))
    begin = cards[:: max(1, len(cards) // CARDS)][:CARDS]
    for shape in shapes:
        if shape.target == "class" and (first := next(_of_class(quads, graphs, shape.of), None)):
            begin.append(_root(quads, first))
    nodes = dict.fromkeys(begin)
    for node in [*nodes]:
        nodes |= dict.fromkeys(_parts(quads, node))
    lines: dict[str, None] = {}
    for node in [*nodes]:
        for quad in _about(quads, graphs, node, inverse):
            if isinstance(quad.object, NamedNode) and quad.object.value.startswith(BASE):
                nodes.setdefault(quad.object.value)
    ends: dict[str, None] = {}
    for node in nodes:
        for quad in _about(quads, graphs, node, inverse):
            lines.setdefault(_line(quad))
            for term in (quad.subject, quad.object):
                if isinstance(term, NamedNode) and term.value not in nodes:
                    ends.setdefault(term.value)
    for node in ends:
        for graph in graphs:
            for quad in quads.quads_for_pattern(NamedNode(node), _TYPE, None, graph):
                lines.setdefault(_line(quad))
    lines |= dict.fromkeys(map(_line, quads.quads_for_pattern(None, None, None, layer("ontology"))))
    return Sample(frozenset(nodes), "".join(sorted(lines)))


def _of_class(quads: pyoxigraph.Store, graphs: Iterable[NamedNode], name: str) -> Iterator[str]:
    for graph in graphs:
        for quad in quads.quads_for_pattern(None, _TYPE, NamedNode(name), graph):
            if isinstance(quad.subject, NamedNode):
                yield quad.subject.value


def _root(quads: pyoxigraph.Store, node: str) -> str:
    """The card that a part of a card is of; another node itself."""
    up = [q.object for p in _UP for q in quads.quads_for_pattern(NamedNode(node), p, None)]
    up += [q.subject for p in _DOWN for q in quads.quads_for_pattern(None, p, NamedNode(node))]
    return _root(quads, up[0].value) if up and isinstance(up[0], NamedNode) else node


def _parts(quads: pyoxigraph.Store, node: str) -> Iterator[str]:
    """Faces, abilities, citations and removals below a node."""
    below = [q.object for p in _DOWN for q in quads.quads_for_pattern(NamedNode(node), p, None)]
    below += [q.subject for p in _UP for q in quads.quads_for_pattern(None, p, NamedNode(node))]
    for part in below:
        if isinstance(part, NamedNode):
            yield part.value
            yield from _parts(quads, part.value)


def _about(
    quads: pyoxigraph.Store, graphs: Iterable[NamedNode], node: str, inverse: Iterable[NamedNode]
) -> Iterator[Quad]:
    """What is said of a node, and of it by those properties that shapes follow backward."""
    term = NamedNode(node)
    for graph in graphs:
        yield from quads.quads_for_pattern(term, None, None, graph)
        for predicate in inverse:
            yield from quads.quads_for_pattern(None, predicate, term, graph)


def _line(quad: Quad) -> str:
    return f"{quad.subject} {quad.predicate} {quad.object} .\n"


# pyshacl


def pyshacl_results(
    ntriples: str, nodes: Iterable[str] | None = None, validate: Callable[..., Any] | None = None
) -> set[Result]:
    """What pyshacl finds in a graph that holds the vocabulary.

    Args:
        ntriples: the graph.
        nodes: the IRIs that are checked; default: all targets of the shapes.
        validate: `pyshacl.validate`, if it is at hand.
    """
    from rdflib import RDF, Graph, Namespace, URIRef

    sh = Namespace(_SH)
    graph = Graph().parse(data=ntriples, format="nt")
    shapes = Graph().parse(data=data("shapes.ttl").read_text(encoding="utf-8"), format="turtle")
    _, report, _ = (validate or _validator())(
        graph,
        shacl_graph=shapes,
        inference="none",
        advanced=False,
        focus_nodes=None if nodes is None else [URIRef(node) for node in nodes],
    )
    return {
        (
            str(report.value(each, sh.focusNode).n3()),
            _path(report, report.value(each, sh.resultPath)),
            str(report.value(each, sh.sourceConstraintComponent)).removeprefix(_SH),
        )
        for each in report.subjects(RDF.type, sh.ValidationResult)
    }


def _path(graph: Graph, path: Any) -> str:
    """A property path of a validation report as `shapes.Path` is written."""
    from rdflib import Namespace, URIRef
    from rdflib.collection import Collection

    sh = Namespace(_SH)
    if path is None:
        return ""
    if isinstance(path, URIRef):
        return compact(str(path))
    if (inverse := graph.value(path, sh.inversePath)) is not None:
        return f"^{_path(graph, inverse)}"
    ways = Collection(graph, graph.value(path, sh.alternativePath))
    return "|".join(_path(graph, way) for way in ways)


def _validator() -> Callable[..., Any]:
    try:
        from pyshacl import validate
    except ImportError:
        raise CardlawError("pyshacl is not installed: pip install pyshacl") from None
    return validate


def _words(found: Result) -> str:
    focus, path, component = found
    name = compact(focus[1:-1]) if focus.startswith("<") else focus
    return f"{name} {path} {component.removesuffix('ConstraintComponent')}"
