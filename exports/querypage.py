"""`/query/NAME`: the page of a named query. What it asks, its parameters as a form, its text and its answer.

    GET /query/cards-by-rule                       the form, filled in with an example
    GET /query/cards-by-rule?rule=702.29&page=2    … and the answer, a page of it at a time
    GET /query/cards-by-rule.json|.csv?rule=702.29 the whole answer as a file

It is answered by the workers of the endpoint, within their limits. Links of the answer go to pages; of a node
whose name the query gives too, both are one column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.errors import QueryError
from cardlaw.graph.facts import Reader, local
from cardlaw.graph.queries import NamedQuery
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import BASE, compact

from .editor import Build, bound
from .pages import page
from .protocol import while_connected
from .site import Site
from .workers import Answer, Job, Pool

__all__ = ["routes"]

_ROWS = 100  # of one page of an answer
_TWINS = {"json": ("JSON", "application/sparql-results+json"), "csv": ("CSV", "text/csv; charset=utf-8")}
"""Suffix → name of a `QueryResultsFormat`, media type."""

_STYLES = ("pages.css", "cards.css", "rules.css")
_NAMED = ("card", "token", "rule", "keyword", "term", "type", "cr")
"""Prefixes of nodes that are called by their labels; others by their prefixed names."""


class Cell(NamedTuple):
    """A value in the answer."""

    text: str
    href: str = ""
    is_number: bool = False


class Table(NamedTuple):
    """A page of an answer."""

    names: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    total: int
    first: int  # number of the first row, from 1
    pages: int
    page: int


def routes(site: Site, pool: Pool) -> list[BaseRoute]:
    """The pages, and the answers as files."""
    return [Route("/query/{name}", _Queries(site, pool).query)]


class _Queries:
    def __init__(self, site: Site, pool: Pool) -> None:
        self._site = site
        self._pool = pool
        self._build = Build(site.store)

    @property
    def build(self) -> Build:
        store = self._site.store
        if store is not self._build.store:
            self._build = Build(store)
        return self._build

    async def query(self, request: Request) -> Response:
        """The page or, under a suffix, the answer alone."""
        build = self.build
        name, _, suffix = request.path_params["name"].partition(".")
        query = build.queries.get(name)
        if query is None or (suffix and suffix not in _TWINS):
            return await run_in_threadpool(self._unknown, build.store, request.path_params["name"])
        given = {key: value for key, value in request.query_params.items() if value.strip()}
        number = given.pop("page", "1")
        try:
            text = await run_in_threadpool(bound, build.store, query, given)
        except QueryError as error:
            if suffix:
                return PlainTextResponse(f"{error}\n", 400)
            return await run_in_threadpool(self._page, build, query, given, None, str(error) if given else "")
        if suffix:
            return await self._file(request, query, text, suffix)
        answer = await self._ask(request, text, "JSON")
        at = int(number) if number.isascii() and number.isdecimal() and len(number) < 7 else 1
        return await run_in_threadpool(self._page, build, query, given, text, "", answer, max(at, 1))

    async def _ask(self, request: Request, text: str, table: str) -> Answer:
        try:
            return await while_connected(
                request, self._pool, Job(query=text, base=f"{self._site.base}sparql", table=table)
            )
        except ClientDisconnect:
            return Answer(status=400, message="the request broke off")

    async def _file(self, request: Request, query: NamedQuery, text: str, suffix: str) -> Response:
        table, media = _TWINS[suffix]
        answer = await self._ask(request, text, table)
        if answer.status != 200:
            return PlainTextResponse(f"{answer.message}\n", answer.status)
        headers = {
            "content-disposition": f'inline; filename="{query.name}.{suffix}"',
            "access-control-allow-origin": "*",
            "cache-control": "no-cache",
        }
        return Response(answer.body, headers={**headers, "content-type": media})

    def _page(
        self,
        build: Build,
        query: NamedQuery,
        given: Mapping[str, str],
        text: str | None,
        error: str,
        answer: Answer | None = None,
        number: int = 1,
    ) -> Response:
        values = given or build.samples(query)
        table = None
        if answer is not None and answer.status == 200:
            table = _table(build.store, answer.body, number)
        elif answer is not None:
            error = answer.message

        def address(suffix: str = "", **more: object) -> str:
            asked = urlencode({**given, **more})
            return f"/query/{query.name}{suffix}{'?' if asked else ''}{asked}"

        return page(
            build.store,
            "query.html",
            status=answer.status if answer else 400 if error else 200,
            title=query.title,
            styles=_STYLES,
            drawings=(),
            query=query,
            values=values,
            text=text or query.body,
            error=error,
            table=table,
            address=address,
            editor=f"/query?{urlencode({'name': query.name, **given})}",
        )

    def _unknown(self, store: Store, name: str) -> Response:
        return page(
            store,
            "missing.html",
            status=404,
            title=f"There is no query {name}",
            reason="The queries that there are stand at /queries.",
            near=[],
        )


def _table(store: Store, body: bytes, number: int) -> Table:
    """A page of what a worker answered to a SELECT or an ASK."""
    result = msgspec.json.decode(body)
    if "boolean" in result:
        return Table(["answer"], [[Cell("yes" if result["boolean"] else "no")]], 1, 1, 1, 1)
    names, rows = result["head"]["vars"], result["results"]["bindings"]
    pages = max(1, -(-len(rows) // _ROWS))
    number = min(number, pages)
    first = (number - 1) * _ROWS
    reader = Reader(store)
    cells = [[_cell(reader, row.get(name)) for name in names] for row in rows[first : first + _ROWS]]
    doubled = [at for at in range(1, len(names)) if cells and all(_doubles(row, at) for row in cells)]
    return Table(
        names=[name for at, name in enumerate(names) if at not in doubled],
        rows=[[cell for at, cell in enumerate(row) if at not in doubled] for row in cells],
        total=len(rows),
        first=first + 1,
        pages=pages,
        page=number,
    )


def _doubles(row: Sequence[Cell], at: int) -> bool:
    """Whether a cell only names the node in the cell before it."""
    return bool(row[at - 1].href) and not row[at].href and row[at - 1].text == row[at].text


def _cell(reader: Reader, term: Mapping[str, Any] | None) -> Cell:
    if term is None:
        return Cell("")
    value = term["value"]
    if term["type"] != "uri":
        return Cell(value, is_number="datatype" in term and _is_number(value))
    if not value.startswith(BASE):
        return Cell(compact(value), value if value.startswith(("https://", "http://")) else "")
    prefix = value.removeprefix(BASE).partition("/")[0]
    if prefix == "rule":
        return Cell(f"{local(value)} {reader.heading(value) or ''}".rstrip(), Site.address(value))
    name = reader.label(value) if prefix in _NAMED else compact(value)
    return Cell(name, Site.address(value))


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
