"""From files to a graph: sources, abilities, linking, triples, store, networks.

Two short ways in: `link(face)` gives abilities and citations of any card text, without a store;
`open_store()` gives the graph, and of it data frames, networks and an rdflib Dataset.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from .linking import Linker
    from .model import Face, Rulebook
    from .opened import Graph

__all__ = ["link", "open_store"]


def link(face: Face, *, rulebook: Rulebook | None = None, catalogue: Path | None = None) -> Face:
    """The face with its abilities and their citations.

    Args:
        face: needs only `name` and `oracle_text`; the type line tells instants and sorceries from permanents.
        rulebook: the release to cite; default: the outline that ships with the project.
        catalogue: a folder of catalogue entries of one's own, which is read at each call: for many faces,
            make one `linking.Linker`.

    Example:
        >>> from cardlaw.graph import link
        >>> from cardlaw.graph.model import Face
        >>> face = link(Face(name="Harrow Wren", type_line="Creature — Bird", oracle_text="Flying"))
        >>> [citation.rule for citation in face.abilities[0].citations]
        ['702.9']
    """
    from .linking import Linker, own_catalogue
    from .sources import outline

    if rulebook is None and catalogue is None:
        return _default_linker().link(face)
    entries = None if catalogue is None else own_catalogue(catalogue).entries
    return Linker(outline.load() if rulebook is None else rulebook, entries).link(face)


def open_store(path: Path | str | None = None) -> Graph:
    """Open the current build at `path` (default: `store.default_path()`) for reading; a context manager.

    Raises:
        StoreError: nothing is built there, the build has another schema version, or it is damaged.

    Example:
        >>> from cardlaw.graph import open_store
        >>> with open_store() as graph:  # doctest: +SKIP
        ...     graph.frame("rules-by-card", card="Unpredictable Cyclone")
    """
    from .opened import Graph
    from .store import open_store as opened

    store = opened(path)
    return Graph(store.folder, store.info, store.quads, store.held)


@cache
def _default_linker() -> Linker:
    from .linking import Linker
    from .sources import outline

    return Linker(outline.load())
