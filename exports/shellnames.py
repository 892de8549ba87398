"""What a shell offers when Tab is pressed: names of the graph, named queries and their parameters.

In comes what was typed, out go pairs of a word and what it means. Names are offered as slugs
(`lantern-fox`), which need no quotes in any shell and which every command takes; as they are written only
where a blank was typed, which is between quotes then. The names of a build are read from the store once and
kept beside it as lines of slug and name, so that the next Tab need not open the store: 0.3 s instead of 1.3 s
for 37,000 names. A Tab never prints an error: where nothing can be read, nothing is offered.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

if TYPE_CHECKING:
    from pyoxigraph import QuerySolutions

__all__ = ["names", "parameters", "queries"]

_FILE = "names-1.txt"
_NUMBER = re.compile(r"\d+(?:\.\d+[a-z]?)?")
_MOST = 200
"""More are not offered: no shell shows them on a page."""


def names(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Cards, faces, keywords, terms and rule numbers that begin with what was typed."""
    from cardlaw.graph.errors import CardlawError
    from cardlaw.graph.naming import slug

    begun = slug(incomplete) if " " in incomplete else incomplete
    found: list[tuple[str, str]] = []
    with suppress(CardlawError, OSError, RuntimeError):
        for line in _lines(context.params.get("store")):
            if line.startswith(begun):
                name, _, meaning = line.partition("\t")
                found.append((meaning, meaning) if " " in incomplete else (name, meaning))
    return found[:_MOST]


def queries(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Named queries that begin with what was typed."""
    from cardlaw.graph.queries import named_queries

    return [(name, query.title) for name, query in named_queries().items() if name.startswith(incomplete)]


def parameters(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Parameters of the named query on the command line, each with the equals sign."""
    from cardlaw.graph.queries import named_queries

    # An option that still lacks its value ends the parsing, so that the name may be among what is left.
    typed = (context.params.get("name"), *context.args)
    query = next((query for name, query in named_queries().items() if name in typed), None)
    if query is None:
        return []
    return [(f"{each.name}=", each.about) for each in query.parameters if each.name.startswith(incomplete)]


def _lines(store: Path | None) -> list[str]:
    from cardlaw.graph.store import current_build, default_path, open_store, write_whole

    root = store or default_path()
    build = current_build(root)
    if build is None:
        return []
    kept = root / "builds" / build / _FILE
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8").splitlines()
    with open_store(root) as graph:
        rows = cast("QuerySolutions", graph.query(_NAMED))
        lines = sorted({line for row in rows if not (line := _written(row[0].value)).startswith("\t")})
    with suppress(OSError):  # a store that may only be read
        write_whole(kept, "\n".join(lines).encode())
    return lines


_NAMED = """SELECT DISTINCT ?name {
  { GRAPH layer:cards { ?node rdfs:label ?name } } UNION
  { GRAPH layer:rules { ?node skos:prefLabel|skos:altLabel|skos:notation ?name } }
}"""


def _written(name: str) -> str:
    """The line of a name: a rule goes by its number, all else by a slug."""
    from cardlaw.graph.naming import slug

    return f"{name}\trule" if _NUMBER.fullmatch(name) else f"{slug(name)}\t{name}"
