"""The formats of `cardlaw export`: which function writes each, to a file or into a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cardlaw.graph.store import FACTS, Store

from .files import jsonl, nquads, write_file, write_folder
from .jsonld import jsonld
from .neo4j import neo4j
from .networkfiles import gexf, graphml
from .rdf import annotated_nquads, trig, turtle
from .sitefiles import plan, write_site
from .tables import parquet
from .terminal import Report

__all__ = ["FOLDERS", "RDF", "write_export"]

RDF = ("nquads", "trig", "turtle", "jsonld")
"""Formats that hold all of the graph, and citations as Web Annotations too."""

FOLDERS = ("neo4j", "parquet", "site")
"""Formats that are several files."""


def write_export(store: Store, format_: str, path: Path | None, report: Report, *, oa: bool = False) -> None:
    """Write the graph in one of the formats.

    Args:
        store: the build.
        format_: as `cardlaw export` takes it.
        path: a file, None for stdout; for one of `FOLDERS` a folder, new or empty.
        report: told how far it is.
        oa: citations as Web Annotations, for one of `RDF`.

    Raises:
        CardlawError: if it cannot be written; nothing is left behind.
    """
    total = store.info.counts["cards"]

    def cards(done: int) -> None:
        report("cards", done, total)

    def size(done: int) -> None:
        report("bytes", done, None)

    layers = FACTS if format_ == "turtle" else store.info.quads
    statements = _sum(report, None if oa else sum(store.info.quads.get(layer, 0) for layer in layers))
    match format_:
        case "nquads":
            write_file(annotated_nquads(store, statements) if oa else nquads(store, size), path)
        case "trig":
            write_file(trig(store, statements, oa=oa), path)
        case "turtle":
            write_file(turtle(store, statements, oa=oa), path)
        case "jsonld":
            write_file(jsonld(store, statements, oa=oa), path)
        case "jsonl":
            write_file(jsonl(store, cards), path)
        case "graphml":
            write_file(graphml(store, cards), path)
        case "gexf":
            write_file(gexf(store, cards), path)
        case "neo4j" | "parquet" if path is not None:
            fill = neo4j if format_ == "neo4j" else parquet
            write_folder(lambda folder: fill(store, folder, cards), path)
        case "site" if path is not None:
            write_site(store, plan(store), path, report)
        case _:
            raise ValueError(f"no such format, or no folder for it: {format_}")


def _sum(report: Report, total: int | None) -> Callable[[int], None]:
    """Tells how many statements there were so far, where one hears how many more there are."""
    done = 0

    def told(more: int) -> None:
        nonlocal done
        done += more
        report("statements", done, total)

    return told
