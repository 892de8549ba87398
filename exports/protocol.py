"""The SPARQL 1.1 Protocol, query side, as Starlette routes over a `Pool` of workers.

A request becomes a `Job`: GET, POST with a form, or POST of the query itself; parameters that the protocol
does not know are ignored, since clients send many (`format`, `output`). `urn:x-rdflib:default`, by which
rdflib asks for its default graph, means ours. Without a query, the endpoint describes itself (SPARQL 1.1
Service Description), or sends a browser to the editor. What cannot be answered is told in one line of text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from urllib.parse import parse_qsl

import pyoxigraph
from pyoxigraph import BlankNode, Literal, NamedNode, QueryResultsFormat, RdfFormat, Triple
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.ontology.namespaces import PREFIXES

from .accept import preferred
from .workers import Answer, Dataset, Job, Pool

__all__ = ["GRAPHS", "TABLES", "routes", "while_connected"]

TABLES = {
    "application/sparql-results+json": "JSON",
    "application/sparql-results+xml": "XML",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "application/json": "JSON",
    "application/xml": "XML",
    "text/xml": "XML",
}
"""Media types of SELECT and ASK, by preference, and the names of their `QueryResultsFormat`."""

GRAPHS = {
    "text/turtle": "TURTLE",
    "application/n-triples": "N_TRIPLES",
    "application/rdf+xml": "RDF_XML",
    "application/ld+json": "JSON_LD",
    "application/turtle": "TURTLE",
    "application/x-turtle": "TURTLE",
    "text/plain": "N_TRIPLES",
    "application/xml": "RDF_XML",
    "text/xml": "RDF_XML",
    "application/json": "JSON_LD",
}
"""Media types of CONSTRUCT and DESCRIBE, by preference, and the names of their `RdfFormat`."""

_LONGEST = 1 << 20  # bytes of a request's body
_LONGEST_LINE = 500  # of a message
_PATIENCE = 30.0  # seconds for the body to arrive

_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
_METHODS = "GET, HEAD, OPTIONS, POST"
_READ_ONLY = "the graph is read-only: there is no update here"
_RDFLIB_DEFAULT = "urn:x-rdflib:default"

_CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": _METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}
_ALWAYS = {"Access-Control-Allow-Origin": "*", "Vary": "Accept"}


class _RefusedError(Exception):
    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def routes(pool: Pool, endpoint: str) -> list[BaseRoute]:
    """`/sparql`, answered by `pool`; `endpoint` is its own full address."""

    async def sparql(request: Request) -> Response:
        try:
            response = await _respond(pool, endpoint, request)
        except _RefusedError as refused:
            response = _told(refused.status, str(refused), refused.headers)
        except ClientDisconnect:
            response = _told(400, "the request broke off")
        response.headers.update(_CORS if request.method == "OPTIONS" else _ALWAYS)
        return response

    methods = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]
    return [Route(path, sparql, methods=methods) for path in ("/sparql", "/sparql/")]


async def _respond(pool: Pool, endpoint: str, request: Request) -> Response:
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": _METHODS})
    if request.method not in ("GET", "HEAD", "POST"):
        raise _RefusedError(
            405, f"{request.method} is not answered here: use GET or POST", {"Allow": _METHODS}
        )
    accept = ", ".join(request.headers.getlist("accept"))
    query, parameters = await _query(request)
    if query is None:
        return _description(accept, endpoint, pool.source())
    default_graphs, named_graphs = _dataset(parameters, pool)
    table, graph = preferred(accept, tuple(TABLES)), preferred(accept, tuple(GRAPHS))
    job = Job(
        query=query,
        default_graphs=default_graphs,
        named_graphs=named_graphs,
        base=endpoint,
        table=table and TABLES[table],
        graph=graph and GRAPHS[graph],
    )
    answer = await while_connected(request, pool, job)
    if answer.status == 406 and not answer.message:
        raise _unacceptable(GRAPHS if answer.is_graph else TABLES)
    if answer.status != 200:
        return _told(answer.status, answer.message, {"Retry-After": "1"} if answer.again else {})
    media = graph if answer.is_graph else table
    assert media is not None  # the worker would have said 406
    return Response(answer.body, media_type=_with_charset(media))


async def while_connected(request: Request, pool: Pool, job: Job) -> Answer:
    """The answer to a job, which is given up when nobody waits for it any more."""

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    answer = asyncio.ensure_future(pool.run(job))
    leave = asyncio.ensure_future(gone())
    try:
        await asyncio.wait((answer, leave), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ClientDisconnect
        return answer.result()
    finally:
        for task in (answer, leave):
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


# The request


async def _query(request: Request) -> tuple[str | None, list[tuple[str, str]]]:
    """The query (SPARQL 1.1 Protocol, 2.1), None if there is none, and all parameters."""
    parameters = _parameters(request.url.query.encode("utf-8", "surrogateescape"))
    in_url = len(parameters)
    media, charset = "", None
    if request.method == "POST":
        media, charset = _content_type(request.headers.get("content-type", ""))
        if media == _UPDATE:
            raise _RefusedError(403, _READ_ONLY)
        if media not in (_FORM, _QUERY):
            raise _RefusedError(
                415, f"POST takes {_FORM} or {_QUERY}, not {media or 'a body without a type'}"
            )
        if charset not in (None, "utf-8", "utf8", "us-ascii"):
            raise _RefusedError(415, f"the body has to be UTF-8, not {charset}")
        body = await _body(request)
        if media == _QUERY:
            parameters.append(("query", _text(body)))
        else:
            parameters += _parameters(body)
    if any(name == "update" for name, _ in parameters):
        raise _RefusedError(403, _READ_ONLY)
    queries = [value for name, value in parameters if name == "query"]
    if len(queries) > 1:
        raise _RefusedError(400, "there is more than one query: ask one at a time")
    if not queries and media == _FORM:
        raise _RefusedError(400, "the form has no field “query”")
    if any(name == "query" for name, _ in parameters[:in_url]) and media:
        raise _RefusedError(400, "the query of a POST stands in its body")
    return next(iter(queries), None), parameters


async def _body(request: Request) -> bytes:
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise _RefusedError(415, "the body must not be compressed")
    too_long = _RefusedError(413, f"the request is longer than {_LONGEST:,} bytes", {"Connection": "close"})
    if int(request.headers.get("content-length", "0")) > _LONGEST:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(_PATIENCE):
            async for block in request.stream():
                body += block
                if len(body) > _LONGEST:
                    raise too_long
    except TimeoutError:
        late = f"the request did not arrive within {_PATIENCE:g} s"
        raise _RefusedError(408, late, {"Connection": "close"}) from None
    return bytes(body)


def _parameters(encoded: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(encoded.decode("utf-8"), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise _RefusedError(400, "the parameters are no UTF-8 text") from None


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _RefusedError(400, "the query is no UTF-8 text") from None


def _content_type(header: str) -> tuple[str, str | None]:
    media, *parameters = (part.strip().lower() for part in header.split(";"))
    values = dict(part.partition("=")[::2] for part in parameters)
    return media, values["charset"].strip('"') if "charset" in values else None


def _dataset(
    parameters: Sequence[tuple[str, str]], pool: Pool
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The graphs that a request names (SPARQL 1.1 Protocol, 2.1.4), None and None if none."""
    default = [value for name, value in parameters if name == "default-graph-uri"]
    named = [value for name, value in parameters if name == "named-graph-uri"]
    for iri in (*default, *named):
        try:
            NamedNode(iri)
        except ValueError:
            raise _RefusedError(400, f"the graph {iri!r} is no absolute IRI") from None
    if _RDFLIB_DEFAULT in default:
        default.remove(_RDFLIB_DEFAULT)
        if not default and not named:
            return None, None
        default += pool.source().default_graphs
    return (tuple(default), tuple(named)) if default or named else (None, None)


# The response


def _told(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    line = " ".join(message.split())
    shown = line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} …"
    return PlainTextResponse(shown + "\n", status, dict(headers or {}))


def _unacceptable(offered: Mapping[str, object]) -> _RefusedError:
    return _RefusedError(406, f"the answer can be had as {', '.join(offered)}")


def _with_charset(media: str) -> str:
    return f"{media}; charset=utf-8" if media.startswith("text/") else media


_SD = "http://www.w3.org/ns/sparql-service-description#"
_VOID = "http://rdfs.org/ns/void#"
_TYPE = NamedNode(PREFIXES["rdf"] + "type")


def _description(accept: str, endpoint: str, dataset: Dataset) -> Response:
    """What the endpoint is, as RDF; browsers are sent to the editor."""
    media = preferred(accept, (*GRAPHS, "text/html", "application/xhtml+xml"))
    if media is None:
        raise _unacceptable(GRAPHS)
    if media not in GRAPHS:
        return RedirectResponse("/query", 303)
    body = pyoxigraph.serialize(
        _description_triples(endpoint, dataset),
        format=getattr(RdfFormat, GRAPHS[media]),
        prefixes={"sd": _SD, "void": _VOID, "layer": PREFIXES["layer"]},
    )
    return Response(body, media_type=_with_charset(media))


def _description_triples(endpoint: str, dataset: Dataset) -> list[Triple]:
    triples: list[Triple] = []

    def say(subject: NamedNode | BlankNode, name: str, value: NamedNode | BlankNode | Literal) -> None:
        predicate = _TYPE if name == "a" else NamedNode(name)
        triples.append(Triple(subject, predicate, value))

    def graph(triple_count: int | None) -> BlankNode:
        node = BlankNode()
        say(node, "a", NamedNode(_SD + "Graph"))
        if triple_count is not None:
            say(node, _VOID + "triples", Literal(triple_count))
        return node

    service, data, default = NamedNode(endpoint), BlankNode(), graph(None)
    say(service, "a", NamedNode(_SD + "Service"))
    say(service, _SD + "endpoint", service)
    say(service, _SD + "supportedLanguage", NamedNode(_SD + "SPARQL11Query"))
    tables = [getattr(QueryResultsFormat, name) for name in dict.fromkeys(TABLES.values())]
    graphs = [getattr(RdfFormat, name) for name in dict.fromkeys(GRAPHS.values())]
    for format_ in (*tables, *graphs):
        say(service, _SD + "resultFormat", NamedNode(format_.iri))
    say(service, _SD + "defaultDataset", data)
    say(data, "a", NamedNode(_SD + "Dataset"))
    say(data, _SD + "defaultGraph", default)
    for iri in dataset.default_graphs:
        say(default, PREFIXES["dcterms"] + "hasPart", NamedNode(iri))
    for iri, triple_count in dataset.named_graphs.items():
        named = BlankNode()
        say(data, _SD + "namedGraph", named)
        say(named, "a", NamedNode(_SD + "NamedGraph"))
        say(named, _SD + "name", NamedNode(iri))
        say(named, _SD + "graph", graph(triple_count))
    return triples
