"""From files to a graph: sources, abilities, linking, triples, store, networks.

`link(face)` is the short way in: abilities and citations of any card text, without a store.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from .linking import Linker
    from .model import Face, Rulebook

__all__ = ["link"]


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


@cache
def _default_linker() -> Linker:
    from .linking import Linker
    from .sources import outline

    return Linker(outline.load())
