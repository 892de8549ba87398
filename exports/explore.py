"""`/explore`: the view of the graph that fetches what it shows, and the JSON that it asks for.

    GET /explore                                              the page; what it shows stands after its “#”
    GET /explore/graph?focus=ID&focus=ID&depth=1&limit=150    what lies around nodes, or `preset=…` of them
    GET /explore/expand?node=ID&relation=PHRASE&have=ID,ID&limit=25    more neighbors; POST {"have": […]}
    GET /explore/search?q=…&limit=10                          what can be drawn and is called so
    GET /explore/paths?from=ID&to=ID                          how two nodes are tied

IDs are prefixed names. Each answer is bounded in size, and made in a thread, a few at a time, so that no hub
holds up others; all of them carry an ETag of the build (RFC 9110, 8.8.3). What cannot be answered gets 400,
404 with what may have been meant, 413 or 503, and `{"error": "one line"}`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import metadata
from typing import Any

import msgspec
import networkx as nx  # type: ignore[import-untyped]
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.completions import completions
from cardlaw.graph.errors import QueryError, StoreError, UnknownNodeError
from cardlaw.graph.lookup import Lookup, iri, local, type_of
from cardlaw.graph.neighborhood import OPENING, STEP, Neighborhood, between, expand, neighborhood
from cardlaw.graph.paths import paths, sentence
from cardlaw.graph.presets import PRESETS
from cardlaw.graph.ranking import ready
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import compact

from .accept import is_fresh
from .layout import layout
from .linked import near_misses
from .site import Site
from .viewpage import ASSETS, asset, edge_record, node_record, served_html, words_for_the_page

__all__ = ["prepare", "routes"]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data: blob: 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Styles may stand in the page because vis-network places what it draws by them."""
_HEADERS = {"content-security-policy": _POLICY, "x-frame-options": "SAMEORIGIN"}  # cards' pages hold it

_AT_ONCE = 2
"""So many answers are made at a time, beside those of all other routes."""
_WAITING = 40
"""So many more may wait."""
_MOST_FOCUS = 100
_MOST_NODES = 300
_MOST_DEPTH = 5
_MOST_HAVE = 1000
_MOST_FOUND = 50
_MOST_NEW = 100
_LONGEST = 200
"""Characters of an ID or of what is searched for."""
_BODY = 256 * 1024
"""Bytes of a body."""

Answer = dict[str, Any]


class _BadRequestError(Exception):
    """A parameter that says nothing that can be done; one line."""


class _TooLongError(Exception):
    """A body that is too long."""


def routes(site: Site) -> list[BaseRoute]:
    """The page, what it is made of, and what its scripts ask."""
    explorer = _Explorer(site)
    packed = [Middleware(GZipMiddleware, minimum_size=1000)]
    answers = {
        "graph": explorer.graph,
        "expand": explorer.expand,
        "search": explorer.search,
        "paths": explorer.paths,
    }
    return [
        Route("/explore", explorer.page, middleware=packed),
        *(
            Route(
                f"/explore/{name}",
                explorer.answering(answer),
                methods=["GET", "POST"] if name == "expand" else ["GET"],
                middleware=packed,
            )
            for name, answer in answers.items()
        ),
        Route("/assets/explore/{name}", _asset, middleware=packed),
    ]


class _Explorer:
    """The answers, from the build that is current when they are asked for."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.version = metadata.version("cardlaw")
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0

    def page(self, request: Request) -> Response:
        store = self.site.store
        headers = {**_HEADERS, **self._caching(store)}
        if is_fresh(request.headers.get("if-none-match"), headers["etag"]):
            return Response(status_code=304, headers=headers)
        html = served_html(store.info.release, assets="/assets/explore/", base="/explore/")
        return HTMLResponse(html, headers=headers, background=BackgroundTask(prepare, store))

    def answering(self, answer: Callable[[Store, QueryParams, bytes], Answer]) -> Callable[[Request], Any]:
        """An endpoint that gives what `answer` makes of the build, the parameters and the body."""

        async def endpoint(request: Request) -> Response:
            store = self.site.store
            headers = self._caching(store)
            if request.method in ("GET", "HEAD") and is_fresh(
                request.headers.get("if-none-match"), headers["etag"]
            ):
                return Response(status_code=304, headers=headers)
            if self._waiting >= _WAITING:
                return _error(503, "too many wait already: ask again later", {"retry-after": "1"})
            self._waiting += 1
            try:
                async with self._places:
                    body = await _body(request)
                    made = await run_in_threadpool(answer, store, request.query_params, body)
                    encoded = await run_in_threadpool(msgspec.json.encode, made)
            except _BadRequestError as error:
                return _error(400, str(error))
            except _TooLongError as error:
                return _error(413, str(error))
            except UnknownNodeError as error:
                return await run_in_threadpool(_unknown, store, error.node)
            except QueryError as error:
                return _error(400, error.message)
            finally:
                self._waiting -= 1
            return Response(encoded, media_type="application/json", headers=headers)

        return endpoint

    def _caching(self, store: Store) -> dict[str, str]:
        # May be kept, but asked for again: another build may answer.
        return {"etag": f'"{store.info.id}.{self.version}"', "cache-control": "no-cache"}

    def graph(self, store: Store, given: QueryParams, body: bytes) -> Answer:
        """What lies around nodes, or what a preset says of them."""
        focus = [_id(name, "focus") for name in given.getlist("focus")]
        if not 1 <= len(focus) <= _MOST_FOCUS:
            raise _BadRequestError(f"focus is given from 1 to {_MOST_FOCUS} times, as in focus=rule:702.29")
        depth = _number(given, "depth", 1, 0, _MOST_DEPTH)
        limit = _number(given, "limit", OPENING, 1, _MOST_NODES)
        preset = given.get("preset", "")
        if preset and preset not in PRESETS:
            raise _BadRequestError(f"preset is one of {', '.join(PRESETS)}")
        found = PRESETS[preset](store, focus) if preset else neighborhood(store, focus, depth, limit)
        title = ", ".join(" ".join(found.graph.nodes[node]["label"].split()) for node in found.focus)
        about = words_for_the_page(store.info.release) | {
            "title": title,
            "focus": found.focus,
            "shown": found.shown,
            "depth": depth,
            "source": {"base": "/explore/"},
        }
        return _records(found, layout(found.graph)) | {"about": about}

    def expand(self, store: Store, given: QueryParams, body: bytes) -> Answer:
        """More neighbors of a node."""
        node = _id(given.get("node", ""), "node")
        limit = _number(given, "limit", STEP, 1, _MOST_NEW)
        have = [each for each in given.get("have", "").split(",") if each]
        if body:
            try:
                have += msgspec.json.decode(body, type=_Body).have
            except msgspec.DecodeError as error:
                raise _BadRequestError(
                    f'the body is JSON, as in {{"have": ["rule:702.29"]}} ({error})'
                ) from None
        if len(have) > _MOST_HAVE:
            raise _BadRequestError(f"have names at most {_MOST_HAVE:,} nodes")
        grown = expand(store, node, given.get("relation") or None, have, limit)
        new = set(grown.new)
        return {
            "nodes": [
                _node(each, grown.graph.nodes[each] | {"more": grown.more[each]}) for each in grown.new
            ],
            "edges": [
                edge_record(number, source, target, data)
                for number, (source, target, data) in enumerate(_edges(grown.graph))
                if source in new or target in new
            ],
            "more": grown.more[node],
        }

    def search(self, store: Store, given: QueryParams, body: bytes) -> Any:
        """What is called so, as a list."""
        typed = given.get("q", "")
        if len(typed) > _LONGEST:
            raise _BadRequestError(f"q has at most {_LONGEST} characters")
        limit = _number(given, "limit", 10, 1, _MOST_FOUND)
        if not typed.strip():
            return []
        reader = Lookup(store)
        return [
            {
                "id": found.name,
                "label": f"{found.note} {found.label}" if found.name.startswith("rule:") else found.label,
                "kind": type_of(found.name),
                "hint": _hint(reader, found.name, found.note),
            }
            for found in completions(store).search(typed, limit)
        ]

    def paths(self, store: Store, given: QueryParams, body: bytes) -> Answer:
        """How two nodes are tied."""
        source, target = (_id(given.get(name, ""), name) for name in ("from", "to"))
        ways = paths(store, source, target)
        found = between(store, [source, target, *(node for way in ways for node in way.nodes)])
        answer = _records(found, {})
        title = Lookup(store).title
        numbers = {(edge["from"], edge["to"], edge["relation"]): edge["id"] for edge in answer["edges"]}
        told = []
        for way in ways:
            ends = [
                (step.source, step.target) if step.forward else (step.target, step.source)
                for step in way.steps
            ]
            steps = zip(ends, way.steps, strict=True)
            told.append(
                {
                    "nodes": way.nodes,
                    "edges": [
                        numbers[key] for end, step in steps if (key := (*end, step.relation)) in numbers
                    ],
                    "sentence": sentence(way, title),
                }
            )
        return {"paths": told, **answer}


class _Body(msgspec.Struct):
    have: list[str]


def _records(found: Neighborhood, places: Mapping[str, tuple[int, int]]) -> Answer:
    """Nodes and edges as the page takes them."""
    nodes = []
    for node, data in found.graph.nodes(data=True):
        x, y = places.get(node, (None, None))
        nodes.append(_node(node, {**data, "x": x, "y": y}))
    edges = [
        edge_record(number, source, target, data)
        for number, (source, target, data) in enumerate(_edges(found.graph))
    ]
    return {"nodes": nodes, "edges": edges}


def _node(node: str, data: Mapping[str, Any]) -> Answer:
    return node_record(node, {**data, "url": Site.address(iri(node))})


def _edges(graph: nx.MultiDiGraph) -> list[tuple[str, str, Mapping[str, Any]]]:
    """In a fixed order."""
    edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3])
    return [(source, target, data) for source, target, _, data in edges]


def _hint(reader: Lookup, node: str, note: str) -> str:
    """What tells a node from others of the same name: the type line of a card, else what it is."""
    match type_of(node):
        case "card":
            lines = [reader.value(face, "typeLine") for face in reader.objects(node, "hasFace")]
            return " // ".join(filter(None, lines))
        case "rule":
            return "rule"
    return note


def _id(name: str, parameter: str) -> str:
    """A node by its prefixed name or IRI."""
    if not name or len(name) > _LONGEST:
        raise _BadRequestError(f"{parameter} is a prefixed name, as in {parameter}=rule:702.29")
    return compact(name) if "://" in name else name


def _number(given: QueryParams, name: str, default: int, least: int, most: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 7 and least <= int(text) <= most):
        raise _BadRequestError(f"{name} is a whole number from {least} to {most}")
    return int(text)


async def _body(request: Request) -> bytes:
    body = b""
    async for block in request.stream():
        body += block
        if len(body) > _BODY:
            raise _TooLongError(f"a body has at most {_BODY // 1024} kB")
    return body


def _unknown(store: Store, node: str) -> Response:
    """404 with what may have been meant."""
    near = near_misses(store, type_of(node), local(node))
    meant = [{"id": compact(match.iri), "label": match.label, "kind": match.kind} for match in near]
    also = f": did you mean {' or '.join(each['id'] for each in meant[:3])}?" if meant else ""
    line = f"there is no {node} in the graph, which has the rules of {store.info.release}{also}"
    return _error(404, line, near=meant)


def _error(status: int, line: str, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    body = msgspec.json.encode({"error": " ".join(line.split()), **more})
    return Response(body, status, {"cache-control": "no-store", **(headers or {})}, "application/json")


def prepare(store: Store) -> None:
    """Read once for a build what the answers need, so that the first one is as prompt as the others."""
    with suppress(StoreError):  # told to who asks
        ready(store)
        completions(store).search("a slip of the fingers")


def _asset(request: Request) -> Response:
    """A file of the page; a client that has it already is told so."""
    name = request.path_params["name"]
    if name not in ASSETS:
        return PlainTextResponse(f"there is no {name[:_LONGEST]}\n", 404)
    content, tag = _content(name)
    headers = {"etag": tag, "cache-control": "no-cache"}
    if is_fresh(request.headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=ASSETS[name], headers=headers)


@cache
def _content(name: str) -> tuple[bytes, str]:
    content = asset(name)
    return content, f'"{hashlib.sha256(content).hexdigest()[:20]}"'
