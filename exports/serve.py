"""`cardlaw serve`: pages, linked data and a SPARQL endpoint over one store.

Everything is read-only, and any host name is answered alike. Each part of the site gives its own routes; what
cuts across them, security headers and limits on clients that are slow or too many, is here.
"""

from __future__ import annotations

import ipaddress
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardlaw.graph.errors import CardlawError
from cardlaw.graph.store import FACTS, layer

from . import alikepages, atlas, cheatsheet, deckroutes, editor, explore, linked, protocol, querypage
from .site import Site
from .workers import Dataset, Limits, Pool

__all__ = ["create_app", "serve"]

_CONNECTIONS = 500  # at once; systems often allow 1,024 open files
_HEAD = 64 * 1024  # bytes of a request's head, and so of a query in a URL
_HEAD_SECONDS = 15.0  # to send it
_EXCHANGE_SECONDS = 300.0  # from there to the last byte of the answer, beyond what the query may take

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""For every response that does not have its own."""


def create_app(site: Site, limits: Limits | None = None) -> Starlette:
    """The application: each part of it gives its own routes, the linked data's catch all the rest.

    Args:
        site: what is served.
        limits: of the queries.
    """
    pool = Pool(lambda: _dataset(site), limits)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool.start()
        threading.Thread(target=lambda: explore.prepare(site.store), daemon=True).start()
        yield
        pool.stop()

    app = Starlette(
        routes=[
            *protocol.routes(pool, site.base + "sparql"),
            *editor.routes(site),
            *querypage.routes(site, pool),
            *atlas.routes(site),
            *cheatsheet.routes(site),
            *deckroutes.routes(site),
            *explore.routes(site),
            *alikepages.routes(site),
            *linked.routes(site),
        ],
        middleware=[Middleware(_SecurityHeaders)],
        lifespan=lifespan,
    )
    app.state.pool = pool
    return app


def _dataset(site: Site) -> Dataset:
    store = site.store
    return Dataset(
        folder=store.folder / "store",
        default_graphs=tuple(layer(name).value for name in FACTS),
        named_graphs={layer(name).value: quads for name, quads in sorted(store.info.quads.items())},
        held=store,
    )


class _SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] != 304:
                # what 304 says takes the place of what the client has kept (RFC 9111, 3.2)
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def serve(
    root: Path, host: str, port: int, limits: Limits, *, tell: Callable[[str], None], log_access: bool = True
) -> None:
    """Serve the store at `root` until SIGTERM or Ctrl-C.

    Args:
        root: the folder of the store.
        host: name or address to listen at.
        port: 0 for any that is free.
        limits: of the queries.
        tell: what takes a line for the user.
        log_access: write a line to stderr for each request.

    Raises:
        CardlawError: the address cannot be had, or the store not be read.
        SystemExit: by SIGTERM, after a clean stop.
        KeyboardInterrupt: by Ctrl-C, after a clean stop.
    """
    with _listen(host, port) as listener:
        address = _address(host, listener)
        site = Site(root, address)
        app = create_app(site, limits)
        _log_to_stderr(log_access)
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=log_access,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_CONNECTIONS,
            h11_max_incomplete_event_size=_HEAD,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
        )
        if not _is_loopback(listener):
            tell(f"note: {host} can be reached by other machines; everything there is public and read-only")
        server = _Server(config, app.state.pool, lambda: tell(f"Serving {root} at {address} (Ctrl-C stops)"))
        before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())  # uvicorn raises it again
        try:
            server.run([listener])
        finally:
            signal.signal(signal.SIGTERM, before)


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return socket.create_server(found[0][4][:2], family=found[0][0], backlog=2048)
    except (OSError, UnicodeError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise CardlawError(
            f"cannot listen at {host} port {port} ({why}): choose another --port or --host"
        ) from None


def _address(host: str, listener: socket.socket) -> str:
    bound, port = listener.getsockname()[:2]
    name = socket.gethostname() if bound in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _is_loopback(listener: socket.socket) -> bool:
    bound = listener.getsockname()[0]
    return ipaddress.ip_address(bound.partition("%")[0]).is_loopback


def _log_to_stderr(access: bool) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    handler.addFilter(_is_ours)
    logging.raiseExceptions = False  # a stderr that is gone stops nothing
    for name, level in (("uvicorn.error", logging.WARNING), ("uvicorn.access", logging.INFO)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a record tells of us, not of a request that was no HTTP, whose answer uvicorn cannot end."""
    return not record.exc_info or type(record.exc_info[1]).__name__ != "LocalProtocolError"


class _Server(uvicorn.Server):
    """Uvicorn that gives up queries when it stops, and clients that are too slow.

    Uvicorn itself limits only the pause between two requests.
    """

    def __init__(self, config: uvicorn.Config, pool: Pool, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._pool = pool
        self._ready = ready
        self._since: dict[
            Any, tuple[object, float]
        ] = {}  # by connection: its state, and since when it has it

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            self._close_slow(time.monotonic())
        return await super().on_tick(counter)

    def _close_slow(self, now: float) -> None:
        patience = self._pool.limits.seconds * 2 + _EXCHANGE_SECONDS
        before, self._since = self._since, {}
        connections: set[Any] = {*self.server_state.connections}
        for connection in connections:
            cycle = connection.cycle
            is_idle = cycle is None or cycle.response_complete  # no head of a request is complete
            state, since = before.get(connection, (None, now))
            if state != (cycle, is_idle):
                since = now
            self._since[connection] = (cycle, is_idle), since
            if now - since > (_HEAD_SECONDS if is_idle else patience):
                connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pool.stop()
        await super().shutdown(sockets)
