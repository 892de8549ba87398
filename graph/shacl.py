"""SHACL shapes as SPARQL on a whole store: which nodes break which demand.

SHACL says what each constraint means in SPARQL terms (SHACL, 4). Asked node by node, five million quads take
a minute; so it is asked in two steps. *Screens* clear many constraints with one scan of a property: is it
single-valued everywhere, is any of its distinct values wrong, has each node of a class all that it needs?
What no screen clears is asked by an exact query, which also names the nodes; where few values or nodes can
be wrong, these are found first and only they are asked about. A screen may fail where nothing is wrong; it
never clears what is.

Each query is asked of the layers in which its properties stand, which changes no answer: scans of one layer
are twice as fast as of their union. Oxigraph evaluates outside of Python's lock, so threads use all cores.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import islice
from typing import Any, TypeAlias

import pyoxigraph
from msgspec import Struct
from pyoxigraph import NamedNode, QuerySolutions

from cardlaw.ontology.namespaces import PREFIXES

from .errors import StoreError
from .shapes import Constraint, NodeShape, Path, PropertyShape, Severity, subclasses
from .store import layer

__all__ = ["Check", "Violation", "checks", "query", "violations"]

_TYPE = NamedNode(PREFIXES["rdf"] + "type")
_STRING = f"<{PREFIXES['xsd']}string>"
_COUNTS = ("minCount", "maxCount")
_FEW, _MANY = 1_000, 50_000
_AT_ONCE = 5_000
"""So many nodes or values are named in one query."""


Typed: TypeAlias = Callable[[str, Constraint], str]
"""Gives the pattern that says that a variable is of a class."""


class Check(Struct, frozen=True):
    """One constraint of one shape."""

    shape: NodeShape
    about: PropertyShape | None  # None: it is of the node itself
    constraint: Constraint

    @property
    def message(self) -> str:
        return self.about.message if self.about else self.shape.message

    @property
    def severity(self) -> Severity:
        return self.about.severity if self.about else self.shape.severity

    @property
    def path(self) -> str:
        """As `Path` is written; empty where the constraint is of the node itself."""
        return str(self.about.path) if self.about else ""


class Violation(Struct, frozen=True):
    """A node that breaks a constraint, and by which value, if by one; terms as N-Triples writes them."""

    check: Check
    focus: str
    value: str | None = None


def checks(shapes: Iterable[NodeShape]) -> Iterator[Check]:
    """All constraints of the shapes, one by one."""
    for shape in shapes:
        for constraint in shape.constraints:
            yield Check(shape, None, constraint)
        for each in shape.properties:
            for constraint in each.constraints:
                yield Check(shape, each, constraint)


def violations(
    quads: pyoxigraph.Store, layers: Sequence[str], shapes: Iterable[NodeShape], *, screened: bool = True
) -> list[Violation]:
    """All that breaks the shapes, in their order.

    Args:
        quads: the store.
        layers: the layers that together are the graph that is checked.
        shapes: what it is checked against.
        screened: False: ask every exact query; the answer is the same.

    Raises:
        StoreError: the store is damaged.
    """
    return _Checker(quads, layers, shapes).run(screened=screened)


class _Checker:
    """One store and what its screens have cleared."""

    def __init__(self, quads: pyoxigraph.Store, layers: Sequence[str], shapes: Iterable[NodeShape]) -> None:
        self.quads = quads
        self.layers = [layer(name) for name in layers]
        self.below = subclasses()
        self.shapes = [shape for shape in shapes if self.homes(shape)]
        self.single: dict[Path, int] = {}  # no node has more than one value; so many nodes have one
        self.cleared: set[tuple[Path, Constraint]] = set()
        self.complete: set[tuple[str, Path]] = set()  # shape, and what each of its nodes has
        self.within: set[Check] = set()  # of lists of values
        self.suspected: dict[tuple[Path, Constraint], list[Any]] = {}  # terms that may be wrong

    def run(self, *, screened: bool) -> list[Violation]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            if screened:
                _all(pool, self.screens())
                _all(pool, self.second_screens())
            left = [check for check in checks(self.shapes) if not self.is_cleared(check)]
            if screened:
                pairs = {
                    (check.about.path, check.constraint)
                    for check in left
                    if check.about is not None and check.constraint.name != "minCount"
                }
                _all(pool, [partial(self.suspect, pair) for pair in pairs])
            return [found for each in pool.map(self.exact, left) for found in each]

    def screens(self) -> list[Callable[[], None]]:
        """One for each path and what can be asked of it with one scan."""
        paths: set[Path] = set()
        values: dict[Path, set[Constraint]] = defaultdict(set)
        classes: set[tuple[Path, Constraint]] = set()
        for check in checks(self.shapes):
            if check.about is None:
                continue
            path, constraint = check.about.path, check.constraint
            if constraint.name in _COUNTS:
                paths.add(path)
            elif constraint.name == "class":
                classes.add((path, constraint))
            else:
                values[path].add(constraint)
        return [
            *(partial(self.screen_single, path) for path in paths),
            *(partial(self.screen_values, path, [*constraints]) for path, constraints in values.items()),
            *(partial(self.screen_class, path, constraint) for path, constraint in classes),
        ]

    def screen_single(self, path: Path) -> None:
        """Has no node more than one value, whatever its class?"""
        rows = self.ask(
            f"SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT ?this) AS ?nodes) {{ {_values(path)} }}",
            self.places(path),
        )
        counts = [(_int(row[0]), _int(row[1])) for row in rows] or [(0, 0)]
        if counts[0][0] == counts[0][1]:
            self.single[path] = counts[0][0]

    def screen_values(self, path: Path, constraints: list[Constraint]) -> None:
        """Which constraints does no value break, whatever it is of?"""
        wrong = " ".join(
            f"(SUM(IF({_wrong(constraint, '?v')}, 1, 0)) AS ?c{number})"
            for number, constraint in enumerate(constraints)
        )
        places = self.places(path)
        if not places:
            self.cleared.update((path, constraint) for constraint in constraints)
        rows = self.ask(f"SELECT {wrong} {{ {{ SELECT DISTINCT ?v {{ {_values(path)} }} }} }}", places)
        for row in rows:
            for number, constraint in enumerate(constraints):
                if row[number] is None or _int(row[number]) == 0:
                    self.cleared.add((path, constraint))

    def screen_class(self, path: Path, constraint: Constraint) -> None:
        """Is each value of the class that it has to be of?"""
        wrong = f"{suspicion(path, constraint, self.typed)} LIMIT 1"
        if not any(self.ask(wrong, self.places(path, constraint))):
            self.cleared.add((path, constraint))

    def screen_needed(self, shape: NodeShape, paths: Sequence[Path]) -> None:
        """Has each node of a class a value of each of these single-valued paths?

        Equally many nodes have each of them. If all these and those of the class together are no more, they
        are the same for each path, and those of the class are among them.
        """
        parts = (self.targets(shape), *map(_values, paths))
        union = " UNION ".join(
            f"{{ SELECT ?this {{ {part} }} }}" for part in parts
        )  # one variable: twice as fast
        layers = self.homes(shape) + [place for path in paths for place in self.places(path)]
        rows = self.ask(f"SELECT (COUNT(DISTINCT ?this) AS ?nodes) {{ {union} }}", dict.fromkeys(layers))
        if all(_int(row[0]) == self.single[paths[0]] for row in rows):
            self.complete.update((shape.iri, path) for path in paths)
        elif len(paths) > 1:
            for path in paths:
                self.screen_needed(shape, [path])

    def screen_in(self, check: Check, path: Path) -> None:
        """Has each node of a class a value of the list, and so no other of this single-valued path?"""
        assert isinstance(check.constraint.value, tuple)
        good = f"VALUES ?v {{ {' '.join(check.constraint.value)} }} {_values(path)}"
        text = f"SELECT ?this {{ {{ {self.targets(check.shape)} }} MINUS {{ {good} }} }} LIMIT 1"
        if not any(self.ask(text, self.homes(check.shape))):
            self.within.add(check)

    def second_screens(self) -> Iterator[Callable[[], None]]:
        """Those that build on what is single-valued; classes of few nodes need none."""
        for shape in self.shapes:
            if shape.target != "class" or self.is_small(shape):
                continue
            needed = [
                each.path
                for each in shape.properties
                if Constraint("minCount", _number(1)) in each.constraints and each.path in self.single
            ]
            by_count: dict[int, list[Path]] = defaultdict(list)
            for path in needed:
                by_count[self.single[path]].append(path)
            yield from (partial(self.screen_needed, shape, paths) for paths in by_count.values())
        for check in checks(self.shapes):
            if check.constraint.name == "in" and check.about and not self.is_cleared(check):
                path = check.about.path
                if path in self.single and self.is_small(check.shape, _MANY):
                    yield partial(self.screen_in, check, path)

    def is_cleared(self, check: Check) -> bool:
        if check.about is None:
            return False
        path = check.about.path
        match check.constraint.name:
            case "minCount":
                return check.constraint.value == _number(1) and (check.shape.iri, path) in self.complete
            case "maxCount":
                return check.constraint.value == _number(1) and path in self.single
        return (path, check.constraint) in self.cleared or check in self.within

    def exact(self, check: Check) -> list[Violation]:
        """The nodes that break a constraint.

        Where values (or, of maxCount, nodes) that may be wrong are known, only they are asked about.
        """
        places = self.homes(check.shape)
        if check.about is not None:
            places += self.places(check.about.path, check.constraint)
        small = self.is_small(check.shape)
        rows: list[tuple[str, str | None]] = []
        for narrowed in self.narrowed(check):
            for row in self.ask(query(check, self.typed, narrowed, small=small), dict.fromkeys(places)):
                rows.append((str(row[0]), None if row[1] is None else str(row[1])))
        return [
            Violation(check, focus, value)
            for focus, value in sorted(rows, key=lambda row: (row[0], row[1] or ""))
        ]

    def suspect(self, pair: tuple[Path, Constraint]) -> None:
        """Find the values or nodes that may break a constraint, whatever it is of."""
        self.suspected[pair] = [row[0] for row in self.ask(suspicion(*pair, self.typed), self.places(*pair))]

    def narrowed(self, check: Check) -> Iterator[str]:
        """VALUES clauses of what may be wrong; an empty one for all where that was not found first."""
        pair = check.about and (check.about.path, check.constraint)
        found = self.suspected.get(pair) if pair else None
        if found is None or any(
            isinstance(term, pyoxigraph.BlankNode) for term in found
        ):  # which has no name
            yield ""
            return
        variable = "this" if check.constraint.name == "maxCount" else "v"
        for start in range(0, len(found), _AT_ONCE):
            yield f"VALUES ?{variable} {{ {' '.join(map(str, found[start : start + _AT_ONCE]))} }}"

    def ask(self, text: str, places: Iterable[NamedNode]) -> QuerySolutions | Sequence[Sequence[None]]:
        """The solutions of a query on these layers; none where there are no layers."""
        graphs = [*places]
        if not graphs:
            return ()
        try:
            found = self.quads.query(text, default_graph=graphs)  # type: ignore[arg-type]
        except (OSError, RuntimeError) as error:
            raise StoreError(f"the store is damaged ({error}): run `cardlaw build` again") from error
        assert isinstance(found, QuerySolutions)
        return found

    def targets(self, shape: NodeShape) -> str:
        return _targets(shape, self.typed)

    def typed(self, variable: str, constraint: Constraint) -> str:
        """The pattern that says that a variable is of a class or of one below it; binds ?class."""
        classes = " ".join(f"<{each}>" for each in self.classes(constraint))
        return f"VALUES ?class {{ {classes} }} {variable} a ?class"

    def classes(self, constraint: Constraint) -> list[str]:
        name = str(constraint.value)[1:-1]
        return sorted(self.below.get(name, {name}))

    @cache  # noqa: B019 - as long as the checker
    def is_small(self, shape: NodeShape, limit: int = _FEW) -> bool:
        """Are the nodes of its class few, so that looking at them is faster than scanning a property?"""
        if shape.target != "class":
            return False
        found = (
            quad
            for name in self.classes(_class(shape))
            for quad in self.quads.quads_for_pattern(None, _TYPE, NamedNode(name), None)
        )
        return sum(1 for _ in islice(found, limit)) < limit

    def homes(self, shape: NodeShape) -> list[NamedNode]:
        """The layers in which the targets of a shape are said to be such."""
        if shape.target == "class":
            found = [self.where(_TYPE, each) for each in self.classes(_class(shape))]
        else:
            found = [self.where(NamedNode(shape.of))]
        return [each for each in self.layers if any(each in places for places in found)]

    def places(self, path: Path, constraint: Constraint | None = None) -> list[NamedNode]:
        """The layers in which a path has values, with those that a constraint looks at."""
        found = [self.where(NamedNode(step.iri)) for step in path.steps]
        if constraint is not None and constraint.name == "class":
            found += [self.where(_TYPE, each) for each in self.classes(constraint)]
        return [each for each in self.layers if any(each in places for places in found)]

    @cache  # noqa: B019 - as long as the checker
    def where(self, predicate: NamedNode, value: str | None = None) -> frozenset[NamedNode]:
        """The layers that have a statement with that predicate, and with that object."""
        other = None if value is None else NamedNode(value)
        return frozenset(
            each
            for each in self.layers
            if next(self.quads.quads_for_pattern(None, predicate, other, each), None) is not None
        )


def suspicion(path: Path, constraint: Constraint, typed: Typed) -> str:
    """The query for what may break a constraint, whatever it is of: values or, of maxCount, nodes."""
    if constraint.name == "maxCount":
        return f"SELECT ?this {{ {_values(path)} }} GROUP BY ?this HAVING (COUNT(*) > {constraint.value})"
    distinct = f"{{ SELECT DISTINCT ?v {{ {_values(path)} }} }}"
    if constraint.name == "class":
        return f"SELECT ?v {{ {distinct} MINUS {{ {typed('?v', constraint)} }} }}"
    return f"SELECT ?v {{ {distinct} FILTER({_wrong(constraint, '?v')}) }}"


def query(check: Check, typed: Typed, narrowed: str = "", *, small: bool = False) -> str:
    """The exact SPARQL query of a constraint: the nodes that break it, and the values, if it is by one.

    Args:
        check: the constraint.
        typed: gives the pattern of what is of a class.
        narrowed: a VALUES clause of the only nodes (?this) or values (?v) that may be wrong.
        small: the shape has few targets, so that it is faster to look at each.
    """
    constraint, targets = check.constraint, _targets(check.shape, typed)
    if check.about is None:
        wrong = f"BIND(?this AS ?v) FILTER({_wrong(constraint, '?this')})"
        return f"SELECT DISTINCT ?this ?v {{ {targets} {wrong} }}"
    distinct = f"{{ SELECT DISTINCT ?this {{ {targets} }} }}"
    values = f"{{ {_values(check.about.path)} }}"
    match constraint.name:
        case "minCount" if constraint.value == _number(1):
            return f"SELECT ?this ?none {{ {distinct} {'FILTER NOT EXISTS' if small else 'MINUS'} {values} }}"
        case "minCount":
            return (
                f"SELECT ?this (MIN(?none) AS ?w) {{ {distinct} OPTIONAL {values} }} "
                f"GROUP BY ?this HAVING (COUNT(DISTINCT ?v) < {constraint.value})"
            )
        case "maxCount":
            return (
                f"SELECT ?this (MIN(?none) AS ?w) {{ {narrowed} {targets} {values} }} "
                f"GROUP BY ?this HAVING (COUNT(DISTINCT ?v) > {constraint.value})"
            )
        case "class":
            wrong = f"MINUS {{ {typed('?v', constraint)} }}"
        case _:
            wrong = f"FILTER({_wrong(constraint, '?v')})"
    pairs = f"{{ SELECT DISTINCT ?this ?v {{ {narrowed} {values} {targets} }} }}"
    return f"SELECT DISTINCT ?this ?v {{ {pairs} {wrong} }}"


def _targets(shape: NodeShape, typed: Typed) -> str:
    match shape.target:
        case "class":
            return typed("?this", _class(shape))
        case "subjects":
            return f"?this <{shape.of}> ?object"
    return f"?subject <{shape.of}> ?this"


def _class(shape: NodeShape) -> Constraint:
    return Constraint("class", f"<{shape.of}>")


def _values(path: Path) -> str:
    """The pattern of the values ?v of a path from ?this."""
    ways = [f"?v <{step.iri}> ?this" if step.inverse else f"?this <{step.iri}> ?v" for step in path.steps]
    return ways[0] if len(ways) == 1 else " UNION ".join(f"{{ {way} }}" for way in ways)


def _wrong(constraint: Constraint, term: str) -> str:
    """The expression that is true of a term that breaks a constraint.

    Each use of a term looks its text up, so there are few. An error, as with a blank node's text, is wrong.
    """
    value = constraint.value
    match constraint.name, value:
        case "in", tuple():
            return f"!({' || '.join(f'sameTerm({term}, {each})' for each in value)})"
        case "or", tuple():
            ways = [_wrong(Constraint("datatype", each), term) for each in value]
            return f"({' && '.join(ways)})"
        case "datatype", str():
            other = f"COALESCE(DATATYPE({term}) != {value}, true)"
            if value == _STRING:
                return other
            return (
                f"({other} || !COALESCE(isLiteral({value}(STR({term}))), false))"  # "x"^^xsd:integer is none
            )
        case "nodeKind", str():
            return f"!{_KINDS[value]}({term})"
        case "pattern", str():
            return f"COALESCE(!REGEX(STR({term}), {value}), true)"
        case "minLength", str():
            return f"COALESCE(STRLEN(STR({term})) < {value}, true)"
        case "minInclusive", str():
            return f"COALESCE({term} < {value}, true)"
        case "maxInclusive", str():
            return f"COALESCE({term} > {value}, true)"
    raise AssertionError(constraint.name)


_KINDS: Mapping[str, str] = {
    f"<http://www.w3.org/ns/shacl#{kind}>": f"is{kind.removesuffix('Node')}"
    for kind in ("IRI", "Literal", "BlankNode")
}


def _int(term: Any) -> int:
    """The value of an xsd:integer that a query counted."""
    return int(term.value)


def _number(value: int) -> str:
    return f'"{value}"^^<{PREFIXES["xsd"]}integer>'


def _all(pool: ThreadPoolExecutor, tasks: Iterable[Callable[[], None]]) -> None:
    """Do the tasks, and raise what they raise."""
    for future in [pool.submit(task) for task in tasks]:
        future.result()
