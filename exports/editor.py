"""`/query`: a page to ask the graph in SPARQL, with the named queries as examples.

    GET /query?query=…                     the page with that query
    GET /query?name=cards-by-rule&rule=…   … with a named query and the values of its parameters
    GET /query?…&format=html|csv|tsv|json  … and its answer, or the answer as a file; takes no script
    GET /queries, /queries/NAME?rule=…     the named queries, a page or JSON; one with its values put in
    GET /complete?kind=cards&q=light       how a name may go on
    GET /assets/…                          scripts and styles

The page's scripts ask `/sparql`, as any client does, and this server only; the editor with colors and
completion is that of @zazuko/yasgui, if it came in when the package was built (`setup.py`), else a text area.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import httpx
import msgspec
from msgspec import Struct
from pyoxigraph import NamedNode
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.completions import KINDS, completions
from cardlaw.graph.errors import QueryError
from cardlaw.graph.names import find, resolve
from cardlaw.graph.queries import NamedQuery, Term, bind, named_queries
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import BASE, PREFIXES, compact, expand

from .accept import preferred
from .pages import page
from .site import Site

__all__ = ["Build", "asset_routes", "bound", "routes"]

_POLICY = (
    "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Styles may stand in the page because CodeMirror sizes what it draws by them."""

_OURS = ("editor.js", "complete.js", "results.js", "dom.js", "editor.css")
_LIBRARY = ("yasgui.min.js", "yasgui.min.css", "LICENSES.txt")
_MEDIA = {"js": "text/javascript", "css": "text/css", "txt": "text/plain"}

_FILES = {
    "csv": ("text/csv", "text/turtle"),
    "tsv": ("text/tab-separated-values", "text/turtle"),
    "json": ("application/sparql-results+json", "application/ld+json"),
}
"""Format of a download → the media types that it has for a table and for a graph."""

_SUFFIXES = {"text/turtle": "ttl", "application/ld+json": "jsonld"}
_BOOLEAN = NamedNode(expand("xsd:boolean"))
_ROWS = 500  # shown by the page without scripts
_LONGEST = 200  # characters of a name that is typed

_START = """# Cards that invoke a rule, here the one about cycling
SELECT ?card ?name WHERE {
  ?card mtg:citesRule rule:702.29 ; rdfs:label ?name
}
ORDER BY ?name
LIMIT 100
"""

_COMPLETED = {"card": "cards", "keyword": "keywords", "rule": "rules"}
"""Types of parameters whose values are completed → kind of completion."""

_TOPICS = {"card": "About a card", "rule": "About a rule", "keyword": "About a keyword", None: "Overviews"}
"""Type of a parameter → under which heading a query that has one is listed, the first that fits."""

_SAMPLES = {
    "card": ("Unpredictable Cyclone", "Astral Drift"),
    "rule": ("702.29", "121"),
    "keyword": ("Cycling", "Flying"),
}
"""Values for parameters without a default, so that each query runs at once."""


class _Example(Struct, frozen=True, kw_only=True):
    """A named query as it is listed."""

    name: str
    title: str
    description: str
    parameters: list[Mapping[str, Any]]
    topic: str
    url: str  # of the page with values for all parameters
    text: str  # with these values put in


class _Shown(Struct, kw_only=True):
    """What the page shows besides what it always does."""

    query: str
    is_query: bool = False  # one that the request means, to be run
    named: NamedQuery | None = None
    values: dict[str, str] = {}  # of its parameters, as far as they are given
    error: str = ""
    code: int = 200  # of HTTP
    said: str = ""  # a line about the answer
    words: str = ""  # an answer that is a graph
    names: list[str] = []  # of the columns of one that is a table
    rows: list[list[dict[str, Any]]] = []


class Build:
    """What the page needs of one build of the graph."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.completions = completions(store)
        self.queries = named_queries()
        self._examples: list[_Example] | None = None

    def examples(self) -> list[_Example]:
        """The named queries, those of a topic together."""
        if self._examples is None:
            order = list(_TOPICS.values())
            found = [self._example(query) for query in self.queries.values()]
            self._examples = sorted(found, key=lambda example: order.index(example.topic))
        return self._examples

    def _example(self, query: NamedQuery) -> _Example:
        values = self.samples(query)
        try:
            text = bound(self.store, query, values)
        except QueryError:  # a graph that has no such card
            text = query.text
        types = {parameter.type for parameter in query.parameters}
        return _Example(
            name=query.name,
            title=query.title,
            description=query.description,
            parameters=[msgspec.to_builtins(parameter) for parameter in query.parameters],
            topic=next(topic for kind, topic in _TOPICS.items() if kind in types or kind is None),
            url=_address(query, values),
            text=text,
        )

    def samples(self, query: NamedQuery) -> dict[str, str]:
        """Values for the parameters without a default, of names that the graph has."""
        samples = {kind: iter(self._samples(kind)) for kind in _SAMPLES}
        return {
            parameter.name: next(samples[parameter.type], "")
            for parameter in query.parameters
            if parameter.default is None and parameter.type in samples
        }

    def _samples(self, kind: str) -> Iterator[str]:
        """Names that the graph has, the well-known ones first."""
        for name in _SAMPLES[kind]:
            if any(match.kind == kind for match in find(self.store, name).matches):
                yield name
        for found in self.completions.find(_COMPLETED[kind], "", 2):
            yield found.note if kind == "rule" else found.label


def bound(store: Store, query: NamedQuery, values: Mapping[str, str]) -> str:
    """The text of a named query with its values put in; instead of the header, the title and the values.

    Raises:
        QueryError: a value is missing, unknown or of the wrong type.
    """
    lines = query.text.splitlines(keepends=True)
    header = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    body = "".join(lines[header:]).strip()
    terms = resolve(store, query, values)
    short = {name: shortened for name, term in terms.items() if (shortened := _short(term))}
    body = bind(body, {name: terms[name] for name in short})
    for name, shortened in short.items():  # nothing of a text that was given stands there yet
        body = body.replace(str(terms[name]), shortened)
    body = bind(body, {name: term for name, term in terms.items() if name not in short})
    said = [query.title, *(f"{name} = {' '.join(value.split())}" for name, value in values.items())]
    return "".join(f"# {line}\n" for line in said) + f"{body}\n"


def _address(query: NamedQuery, values: Mapping[str, str]) -> str:
    """Where the page opens a named query."""
    return f"/query?{httpx.QueryParams({'name': query.name, **values})}"


def _short(term: Term) -> str:
    """How a person would write an IRI, true or false; empty for other terms."""
    if isinstance(term, NamedNode):
        return compact(term.value)
    return term.value if term.datatype == _BOOLEAN else ""


def routes(site: Site) -> list[BaseRoute]:
    """The page, what it is made of, and what its scripts ask besides `/sparql`."""
    editor = _Editor(site)
    return [
        Route("/query", editor.page),
        Route("/queries", editor.queries),
        Route("/queries.json", editor.queries),
        Route("/queries/{name}", editor.query),
        Route("/complete", editor.complete),
        *asset_routes(*_OURS, *_LIBRARY),
    ]


def asset_routes(*names: str) -> list[BaseRoute]:
    """Routes of files of `web/` and of the libraries."""
    packed = [Middleware(GZipMiddleware, minimum_size=1000)]
    return [Route(f"/assets/{name}", _asset, middleware=packed) for name in names]


class _Editor:
    def __init__(self, site: Site) -> None:
        self.site = site
        self._build = Build(site.store)

    @property
    def build(self) -> Build:
        store = self.site.store
        if store is not self._build.store:
            self._build = Build(store)
        return self._build

    async def page(self, request: Request) -> Response:
        """The page or, where a format is asked for, the answer."""
        given = dict(request.query_params)
        form = given.pop("format", "")
        shown = await run_in_threadpool(self._shown, given)
        if form and shown.is_query:
            answer = await _ask(request, shown.query, form)
            if answer.is_success and form in _FILES:
                return _file(answer, shown.named.name if shown.named else "query", form)
            _show(answer, shown)
        return await run_in_threadpool(self._page, shown)

    def _shown(self, given: dict[str, str]) -> _Shown:
        """What the page shows of a request's parameters."""
        query, name = given.pop("query", None), given.pop("name", None)
        if query is not None:
            return _Shown(query=query, is_query=True)
        if name is None:
            return _Shown(query=_START)
        named = self.build.queries.get(name)
        if named is None:
            return _Shown(query=_START, error=f"there is no query named {name}", code=404)
        values = {key: value for key, value in given.items() if value.strip()}
        shown = _Shown(query=named.text, named=named, values=values)
        try:
            shown.query = bound(self.build.store, named, values)
            shown.is_query = True
        except QueryError as error:
            shown.error, shown.code = str(error), 400
        return shown

    def _page(self, shown: _Shown) -> Response:
        build, named = self.build, shown.named
        topics: dict[str, list[_Example]] = {}
        for example in build.examples():
            topics.setdefault(example.topic, []).append(example)
        response = page(
            build.store,
            "editor.html",
            status=shown.code,
            headers={"content-security-policy": _POLICY},
            title=named.title if named else "Query the graph",
            shown=shown,
            topics=topics,
            kinds=_COMPLETED,
            formats=list(_FILES),
            library=_there("yasgui.min.js"),
            lines=min(max(shown.query.count("\n") + 2, 10), 18),
            about={
                "base": BASE,
                "prefixes": dict(PREFIXES),
                "asked": shown.is_query,
                "named": _address(named, shown.values) if named and shown.is_query else None,
            },
        )
        response.background = BackgroundTask(build.completions.find, "cards", "")  # reads all names once
        return response

    def queries(self, request: Request) -> Response:
        """The named queries, each with values that run; a browser gets a page of them."""
        media = ("application/json", "text/html")
        accept = ", ".join(request.headers.getlist("accept"))
        if request.url.path == "/queries" and preferred(accept, media) == "text/html":
            build = self.build
            topics: dict[str, list[tuple[NamedQuery, dict[str, str]]]] = {}
            for example in build.examples():
                query = build.queries[example.name]
                topics.setdefault(example.topic, []).append((query, build.samples(query)))
            return page(
                build.store,
                "queries.html",
                headers={"vary": "Accept"},
                title="Queries",
                topics=topics,
                styles=("pages.css", "rules.css"),
            )
        return _json([msgspec.to_builtins(example) for example in self.build.examples()])

    def query(self, request: Request) -> Response:
        """The text of a named query with the values that the request gives."""
        build, name = self.build, request.path_params["name"]
        query = build.queries.get(name)
        if query is None:
            return PlainTextResponse(f"there is no query named {name}\n", 404)
        try:
            text = bound(build.store, query, dict(request.query_params))
        except QueryError as error:
            return PlainTextResponse(f"{error}\n", 400)
        return Response(text, media_type="application/sparql-query")

    def complete(self, request: Request) -> Response:
        """Names of a kind that begin with what is typed, or have such a word."""
        kind, typed = (request.query_params.get(name, "") for name in ("kind", "q"))
        if kind not in KINDS:
            return PlainTextResponse(f"kind is one of {', '.join(KINDS)}\n", 400)
        found = self.build.completions.find(kind, typed[:_LONGEST])
        return _json([msgspec.to_builtins(suggestion) for suggestion in found], "max-age=60")


def _json(what: object, caching: str = "no-cache") -> Response:
    body = msgspec.json.encode(what)
    return Response(body, media_type="application/json", headers={"cache-control": caching})


# The answer, for those without scripts


async def _ask(request: Request, query: str, form: str) -> httpx.Response:
    """What this server's own endpoint answers, within its limits."""
    table, graph = _FILES.get(form, ("application/sparql-results+json", "text/turtle"))
    transport = httpx.ASGITransport(app=request.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=None) as client:
        accept = {"accept": f"{table}, {graph};q=0.9"}
        return await client.post("/sparql", data={"query": query}, headers=accept)


def _media(answer: httpx.Response) -> str:
    return str(answer.headers.get("content-type", "")).partition(";")[0]


def _file(answer: httpx.Response, name: str, form: str) -> Response:
    """The answer as a file to keep."""
    media = _media(answer)
    named = f"{name}.{_SUFFIXES.get(media, form)}"
    headers = {"content-disposition": f'attachment; filename="{named}"', "cache-control": "no-cache"}
    return Response(answer.content, media_type=answer.headers["content-type"], headers=headers)


def _show(answer: httpx.Response, shown: _Shown) -> None:
    """Put the answer on the page."""
    if not answer.is_success:
        shown.error, shown.code, shown.is_query = answer.text.strip(), answer.status_code, False
    elif _media(answer) != "application/sparql-results+json":
        shown.said, shown.words = "A graph, as Turtle", answer.text
    elif "boolean" in (result := msgspec.json.decode(answer.content)):
        shown.said = "Yes" if result["boolean"] else "No"
    else:
        shown.names, rows = result["head"]["vars"], result["results"]["bindings"]
        shown.rows = [_cells(shown.names, row) for row in rows[:_ROWS]]
        more = f"; the first {_ROWS} are shown" if len(rows) > _ROWS else ""
        shown.said = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}{more}"


def _cells(names: Sequence[str], row: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """A row as text, links and numbers."""
    cells: list[dict[str, Any]] = []
    for name in names:
        term = row.get(name, {"type": "", "value": ""})
        value = term["value"]
        if term["type"] == "uri":
            ours = value.startswith(BASE)
            cells.append(
                {"text": compact(value), "href": Site.address(value) if ours else "", "number": False}
            )
        else:
            cells.append({"text": value, "href": "", "number": "datatype" in term and _is_number(value)})
    return cells


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


# Scripts and styles


def _asset(request: Request) -> Response:
    """A file of `web/`; a client that has it already is told so (RFC 9110, 13.1.2)."""
    name = request.url.path.rpartition("/")[2]
    if not _there(name):
        return PlainTextResponse("it was not there when cardlaw was installed\n", 404)
    content, tag = _content(name)
    headers = {"etag": tag, "cache-control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=_MEDIA[name.rpartition(".")[2]], headers=headers)


@cache
def _content(name: str) -> tuple[bytes, str]:
    content = _web(name).read_bytes()
    return content, f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'


def _there(name: str) -> bool:
    return _web(name).is_file()


def _web(name: str) -> Traversable:
    folder = files("cardlaw.exports").joinpath("web")
    library = folder.joinpath("vendor", name)
    return library if library.is_file() else folder.joinpath(name)
