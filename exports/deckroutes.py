"""`/deck`: a deck list told by the rules that its cards need, as a page, as JSON and as a view.

    GET  /deck         a form for a list or a file
    POST /deck         the page of a deck
    POST /deck.json    the same as JSON
    POST /deck/view    the same as a page with its graph

The list is the field `list` or the file `file` of a form (RFC 7578), or the body as it is. A body has at most
1 MB. Nothing of it is kept. Answers are made in a thread, two at a time; what cannot be answered gets 400,
408, 413, 415 or 503, on a page or as `{"error": "one line"}`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message

from cardlaw.graph.decks import DeckReport, analyze, read_deck
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.store import Store

from .deckpage import STYLES, deck_html
from .decks import deck_json, view_page
from .jsonform import encode
from .links import SERVED
from .pages import asset, page, shown_page
from .site import Site

__all__ = ["routes"]

_LONGEST = 1 << 20  # bytes of a body
_PATIENCE = 30.0  # seconds for it to arrive
_AT_ONCE = 2
_WAITING = 20
_FIELDS = "application/x-www-form-urlencoded"
_PARTS = "multipart/form-data"
_TEXTS = ("text/plain", "text/csv", "text/xml", "application/xml", "application/octet-stream", "")
_VIEW = {
    "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""Of a view, which holds its scripts and asks nobody."""
_TITLE = "A deck by its rules"


class _RefusedError(Exception):
    """What cannot be answered; one line."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


class _Given(NamedTuple):
    """A list as it was sent."""

    listed: str | bytes
    name: str  # of the file


def routes(site: Site) -> list[BaseRoute]:
    """The form, and what answers it."""
    decks = _Decks(site)
    packed = [Middleware(GZipMiddleware, minimum_size=1000)]
    return [
        Route("/deck", decks.form, methods=["GET"]),
        Route("/deck", decks.answering(_html, _told), methods=["POST"], middleware=packed),
        Route("/deck.json", decks.answering(_json, _error), methods=["POST"], middleware=packed),
        Route("/deck/view", decks.answering(_view, _told), methods=["POST"], middleware=packed),
        Route("/assets/deck.css", asset),
    ]


Answer = Callable[[Store, DeckReport, "_Given"], Response]
Refusal = Callable[[Store, "_RefusedError"], Response]


class _Decks:
    """The answers, from the build that is current when they are asked for."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0

    def form(self, request: Request) -> Response:
        return _form(self._site.store)

    def answering(self, answer: Answer, refusal: Refusal) -> Callable[[Request], Any]:
        """An endpoint that gives what `answer` makes of a report, or what `refusal` makes of an error."""

        async def endpoint(request: Request) -> Response:
            store = self._site.store
            try:
                given = await _given(request)
                if self._waiting >= _WAITING:
                    raise _RefusedError(503, "too many wait already: ask again later", {"retry-after": "1"})
                self._waiting += 1
                try:
                    async with self._places:
                        return await run_in_threadpool(_answered, store, given, answer)
                finally:
                    self._waiting -= 1
            except _RefusedError as error:
                return await run_in_threadpool(refusal, store, error)

        return endpoint


def _answered(store: Store, given: _Given, answer: Answer) -> Response:
    try:
        report = analyze(store, read_deck(given.listed, name=given.name))
    except CardlawError as error:
        raise _RefusedError(400, str(error)) from error
    if not report.deck.entries:
        raise _RefusedError(400, "the list names no card: a card a line, as in 4 Lightning Bolt")
    response = answer(store, report, given)
    response.headers["cache-control"] = "no-store"
    return response


def _html(store: Store, report: DeckReport, given: _Given) -> Response:
    again = given.listed if isinstance(given.listed, str) else _as_text(report)
    return shown_page(deck_html(store, report, SERVED, again))


def _json(store: Store, report: DeckReport, given: _Given) -> Response:
    return Response(encode(deck_json(report), indent=2), media_type="application/json")


def _view(store: Store, report: DeckReport, given: _Given) -> Response:
    if not report.cards:
        raise _RefusedError(400, "no card of the list is in this graph: there is nothing to draw")
    return HTMLResponse(view_page(store, report), headers=_VIEW)


def _as_text(report: DeckReport) -> str:
    """The list of a file as plain text, to be changed in the form."""
    lines = []
    section = ""
    for entry in sorted(report.deck.entries, key=lambda entry: entry.section):
        if entry.section != section:
            section = entry.section
            lines += ["", "Deck" if section == "main" else section.capitalize()]
        lines.append(f"{entry.count} {entry.name}")
    return "\n".join(lines).strip()


def _form(
    store: Store, error: str = "", status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    return page(
        store,
        "deck.html",
        status=status,
        headers=headers,
        title=_TITLE,
        page=None,
        listed="",
        error=error,
        drawings=(),
        styles=STYLES,
    )


def _told(store: Store, error: _RefusedError) -> Response:
    return _form(store, " ".join(str(error).split()), error.status, error.headers)


def _error(store: Store, error: _RefusedError) -> Response:
    body = encode({"error": " ".join(str(error).split())})
    return Response(
        body, error.status, {"cache-control": "no-store", **error.headers}, media_type="application/json"
    )


async def _given(request: Request) -> _Given:
    """The list in a request: a field or file of a form, or the body itself."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise _RefusedError(415, "the body must not be compressed")
    if media not in (_FIELDS, _PARTS, *_TEXTS):
        raise _RefusedError(415, f"a list comes as text/plain or in a form, not as {media[:100]}")
    bounded = Request(request.scope, _bounded(request))
    try:
        async with asyncio.timeout(_PATIENCE):
            if media == _PARTS:
                return await _of_form(bounded)
            body = await bounded.body()
            return _of_fields(body) if media == _FIELDS else _Given(body, "")
    except TimeoutError:
        raise _RefusedError(
            408, f"the list did not arrive within {_PATIENCE:g} s", {"connection": "close"}
        ) from None
    except (HTTPException, MultiPartException, ClientDisconnect, ValueError):
        raise _RefusedError(400, "the form cannot be read: send the fields “list” or “file”") from None


async def _of_form(request: Request) -> _Given:
    async with request.form(max_files=1, max_fields=10, max_part_size=_LONGEST) as form:
        file, listed = form.get("file"), form.get("list")
        if isinstance(file, UploadFile) and (data := await file.read()):
            return _Given(data, (file.filename or "").rpartition(".")[0][:100])
        if isinstance(listed, str) and listed.strip():
            return _Given(listed, "")
    raise _RefusedError(400, "the list is empty: paste one, or choose a file")


def _of_fields(body: bytes) -> _Given:
    """The field `list`; without one, the body is the list itself, as curl sends it by default."""
    fields = dict(parse_qsl(body.decode("utf-8", "replace")))
    return _Given(fields.get("list", body), "")


def _bounded(request: Request) -> Callable[[], Any]:
    """What receives the body of a request, up to its longest."""
    length = request.headers.get("content-length", "0")
    too_long = _RefusedError(413, f"a list has at most {_LONGEST:,} bytes", {"connection": "close"})
    if not length.isdecimal() or int(length) > _LONGEST:
        raise too_long
    received = 0

    async def receive() -> Message:
        nonlocal received
        message = await request.receive()
        received += len(message.get("body", b""))
        if received > _LONGEST:
            raise too_long
        return message

    return receive
