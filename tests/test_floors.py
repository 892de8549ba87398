"""Imports run downward only: exports > graph > ontology, and within `graph/` as the data flows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
FLOORS = ("ontology", "graph", "exports")  # from the ground up

# What stands in `graph/`, in the order in which data flows; each may import what stands before it.
FLOW = (
    *("errors", "model", "naming", "sources", "abilities", "linking", "tagging"),
    *("releases", "citing"),  # rulebooks side by side, and texts that cite them
    *("nquads", "words", "rulequads", "printquads", "origins", "triples", "tagquads"),  # model to quads
    "review",
    *("queries", "sums", "store", "kept", "load", "rulehistory", "releasequads", "usage"),  # quads to store
    *("chunks", "amending"),  # cards to quads, or what changed of them
    *("layers", "lookup", "network", "adjacency"),  # its files to ties
    *("atlastopics", "atlasmap", "atlas", "build"),  # and what is made beside it
    *("names", "completions", "diagnose"),  # what is typed to what is in the store
    *("facts", "reference", "besides", "read", "tagged"),  # store to records
    *("search", "ranking"),  # and to what is found in it
    *("meetingkinds", "meetings", "similar"),  # to how cards meet, and are alike
    *("neighborhood", "paths", "presets"),  # and to NetworkX
    *("reminding", "decks"),  # lists of cards to what they need
    *("frames", "opened"),  # all of these in the hands of a Python user
    *("shapes", "shacl", "integrity", "check"),  # store to what is wrong with it
)

# The command that makes the outline resolves the catalogue's anchors; nothing else looks ahead.
AHEAD = {("graph/sources/outline.py", "cardlaw.graph.linking.resolve_anchors")}


def modules(floor: str) -> list[Path]:
    return sorted((PROJECT / floor).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, absolute dotted name) of all that a module of ours imports from our floors.

    `from X import a` gives `X.a`, so that `from . import model` is seen as the module that it is.
    """
    package = path.relative_to(PROJECT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "cardlaw":
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                prefix = ".".join(("cardlaw", *base, *filter(None, [node.module])))
            else:
                prefix = node.module or ""
            if prefix.split(".")[0] == "cardlaw":
                for alias in node.names:
                    yield node.lineno, f"{prefix}.{alias.name}"


@pytest.mark.parametrize("floor", FLOORS)
def test_floors_import_downward_only(floor: str) -> None:
    below = FLOORS[: FLOORS.index(floor) + 1]
    upward = [
        f"{path.relative_to(PROJECT)}:{line} imports {name}"
        for path in modules(floor)
        for line, name in imports(path)
        if name.split(".")[1] not in below
    ]
    assert not upward


@pytest.mark.parametrize("floor", FLOORS)
def test_absolute_across_floors_and_relative_within(floor: str) -> None:
    wrong = []
    for path in modules(floor):
        depth = len(path.relative_to(PROJECT).parts) - 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(PROJECT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.ImportFrom):
                if node.level > depth:
                    wrong.append(f"{where} leaves its floor by a relative import")
                if not node.level and (node.module or "").startswith(f"cardlaw.{floor}"):
                    wrong.append(f"{where} imports {node.module} absolutely within its floor")
            elif isinstance(node, ast.Import):
                wrong += [
                    f"{where} imports {alias.name} absolutely within its floor"
                    for alias in node.names
                    if alias.name.startswith(f"cardlaw.{floor}")
                ]
    assert not wrong


def test_within_graph_imports_run_as_the_data_flows() -> None:
    wrong = []
    for path in modules("graph"):
        own = path.relative_to(PROJECT / "graph").parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        assert own in FLOW, f"graph/{own} has no place in FLOW: say where data flows through it"
        for line, name in imports(path):
            parts = name.split(".")
            where = path.relative_to(PROJECT).as_posix()
            if parts[1] != "graph" or parts[2] == own or (where, name) in AHEAD:
                continue
            if parts[2] not in FLOW or FLOW.index(parts[2]) > FLOW.index(own):
                wrong.append(f"{where}:{line} imports {name}")
    assert not wrong
