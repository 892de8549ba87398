"""A store at an address: the SPARQL 1.1 Graph Store HTTP Protocol, and SPARQL to count what is there.

Graphs are named indirectly (`?graph=IRI`, 4.2 of the protocol). Each call can be made again without harm, so
what may pass is asked for again, later and later: 408, 425, 429, 5xx, time-outs, connections that break off.
Other answers of 4xx, and whatever fails before the host has answered once, are told at once, in one line.

A password goes as the server asks for it, by digest (RFC 7616) or basic (RFC 7617), and to no other host.
Virtuoso 7.2 answers 401 to the first call of a connection and wants digest; Oxigraph wants nothing.
"""

from __future__ import annotations

import random
import re
import ssl
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.metadata import version

import httpx
import msgspec

from cardlaw.graph.errors import PublishError
from cardlaw.graph.sources.addresses import shown, without_password
from cardlaw.graph.sources.download import retry_after

__all__ = ["Bearer", "GraphStore", "Password", "Patience", "query_address"]

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # may be gone when asked again
_NOT_HERE = frozenset({404, 405, 501})
_SAID = 200  # characters of what the server says that are told
_QUERY_PLACES = (
    (r"/store", "/query"),  # Oxigraph
    (r"/sparql-graph-crud(-auth)?", "/sparql"),  # Virtuoso
    (r"/data", "/query"),  # Fuseki
    (r"/rdf-graphs/service", ""),  # RDF4J, GraphDB
)
"""How the address of a graph store ends, and how that of queries ends there."""


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """How long a server is waited for."""

    timeout: float = 300.0  # seconds without an answer; a server may load for long before it gives one
    connect: float = 15.0  # seconds
    retries: int = 6
    backoff: float = 1.0  # seconds before the first retry; doubled for each further one, and varied by half
    longest_wait: float = 120.0  # seconds that Retry-After may ask for


class Password(httpx.Auth):
    """User and password by digest or, where the server does not offer that, basic."""

    def __init__(self, user: str, password: str) -> None:
        self._user = user
        self._password = password
        self._chosen: httpx.Auth | None = None

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self._chosen is None:
            response = yield request
            if response.status_code != 401:
                return
            offered = " ".join(response.headers.get_list("WWW-Authenticate")).lower()
            if re.search(r"\bdigest\b", offered):
                self._chosen = httpx.DigestAuth(self._user, self._password)
            else:
                self._chosen = httpx.BasicAuth(self._user, self._password)
        yield from self._chosen.auth_flow(request)


class Bearer(httpx.Auth):
    """A token (RFC 6750).

    Raises:
        PublishError: if it has characters that no token has.
    """

    def __init__(self, token: str) -> None:
        if not re.fullmatch(r"[\w.~+/-]+=*", token, re.ASCII):
            raise PublishError("the token is none: it has letters, digits and -._~+/ only, on one line")
        self._header = f"Bearer {token}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._header
        yield request


class _PassingError(Exception):
    """A failure that may be gone after `wait` seconds (None: the usual time)."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class GraphStore:
    """A store, spoken to over one connection; a context manager.

    Args:
        endpoint: address of its Graph Store Protocol, without a password in it.
        query_endpoint: address where it answers SPARQL queries; None: told by the endpoint.
        auth: `Password`, `Bearer` or nothing.
        patience: limits.

    Raises:
        PublishError: from here as from every call, if it cannot be done; the message says what to do.
    """

    def __init__(
        self,
        endpoint: str,
        query_endpoint: str | None = None,
        auth: httpx.Auth | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.endpoint = _address(endpoint)
        self.queries = _address(query_endpoint or query_address(endpoint))
        self.patience = patience or Patience()
        self._auth = auth
        self._answered = False
        try:
            self._client = httpx.Client(
                headers={"User-Agent": f"cardlaw/{version('cardlaw')} (+https://w3id.org/cardlaw)"},
                timeout=httpx.Timeout(self.patience.timeout, connect=self.patience.connect),
            )
        except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
            raise PublishError(
                f"no connection can be set up ({error}): check the proxy and certificates of the environment"
            ) from None

    @property
    def name(self) -> str:
        """The address for messages and records."""
        return without_password(self.endpoint)

    @property
    def is_open(self) -> bool:
        """Whether others may read what is sent: neither encrypted nor on this machine."""
        host = self.endpoint.host
        return self.endpoint.scheme == "http" and host != "localhost" and not host.startswith(("127.", "::1"))

    def put(self, graph: str, triples: bytes) -> None:
        """Make N-Triples all that a named graph holds (5.3 of the protocol)."""
        self._write("PUT", graph, triples)

    def post(self, graph: str, triples: bytes) -> None:
        """Add N-Triples to a named graph (5.5)."""
        self._write("POST", graph, triples)

    def delete(self, graph: str) -> None:
        """Remove a named graph, if it is there (5.4)."""
        self._write("DELETE", graph, None)

    def count(self, graph: str) -> int:
        """How many triples a named graph holds."""
        query = f"SELECT (COUNT(*) AS ?count) WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}"
        response = self._call(
            "GET",
            self.queries.copy_merge_params({"query": query}),
            headers={"Accept": "application/sparql-results+json"},
        )
        try:
            return int(response.json()["results"]["bindings"][0]["count"]["value"])
        except (ValueError, LookupError, TypeError):
            page = "a web page" if _is_page(response) else "something else"
            raise PublishError(
                f"{shown(self.queries)} answers a query with {page}, not with SPARQL results: "
                "give the address of the SPARQL endpoint by --query-endpoint"
            ) from None

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def __enter__(self) -> GraphStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, method: str, graph: str, triples: bytes | None) -> None:
        self._call(
            method,
            self.endpoint.copy_merge_params({"graph": graph}),
            content=triples,
            headers=None if triples is None else {"Content-Type": "application/n-triples"},
        )

    def _call(
        self, method: str, url: httpx.URL, *, headers: dict[str, str] | None, content: bytes | None = None
    ) -> httpx.Response:
        """The answer, one of 2xx; to DELETE also that there is nothing."""
        for number in range(self.patience.retries + 1):
            try:
                return self._attempt(method, url, headers, content)
            except _PassingError as error:
                reason, wait = str(error), error.wait
            if number < self.patience.retries:
                usual = self.patience.backoff * 2**number * random.uniform(0.5, 1.5)
                time.sleep(usual if wait is None else wait)
        raise PublishError(
            f"{shown(url)} {reason}, {self.patience.retries + 1} times: "
            "run it again later, and it goes on where it broke off"
        )

    def _attempt(
        self, method: str, url: httpx.URL, headers: dict[str, str] | None, content: bytes | None
    ) -> httpx.Response:
        auth = self._auth if _origin(url) == _origin(self.endpoint) else None
        with self._connection(url):
            response = self._client.request(method, url, headers=headers, content=content, auth=auth)
        self._answered = True
        if not response.is_success and not (method == "DELETE" and response.status_code == 404):
            self._refused(response)
        return response

    @contextmanager
    def _connection(self, url: httpx.URL) -> Iterator[None]:
        """Tell what may be wrong with a connection; it passes if the host has answered before."""
        try:
            yield
        except httpx.TransportError as error:
            if reason := _untrusted(error):
                raise PublishError(
                    f"the certificate of {url.host} is not trusted ({reason}): "
                    "name the one that signed it in SSL_CERT_FILE"
                ) from None
            match error:
                case httpx.TimeoutException():
                    reason = "does not answer in time"
                case httpx.ConnectError() | httpx.ProxyError():
                    reason = f"cannot be reached ({error})"
                case httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
                    raise PublishError(f"{shown(url)} cannot be asked ({error}): check the address") from None
                case _:
                    reason = f"broke off ({error or type(error).__name__})"
            if not self._answered and isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
                raise PublishError(
                    f"{shown(url)} {reason}: check the address, and that the server runs"
                ) from None
            raise _PassingError(reason) from None

    def _refused(self, response: httpx.Response) -> None:
        """Raise what an answer other than 2xx means."""
        where, code = shown(response.url), response.status_code
        said = f"answers {code} {response.reason_phrase}".rstrip() + _words(response)
        if code in _PASSING:
            wait = retry_after(response)
            if wait is not None and wait > self.patience.longest_wait:
                raise PublishError(
                    f"{where} {said} and asks to wait {wait:,.0f} seconds: run it again after that"
                )
            raise _PassingError(said, wait)
        querying = response.request.url.path == self.queries.path and response.request.method == "GET"
        if code == 401:
            advice = "check user and password" if self._auth else "give --user or --token-file"
        elif code == 403:
            advice = "this user may not do that there; give another by --user"
        elif code in _NOT_HERE and querying:
            advice = "give the address of the SPARQL endpoint by --query-endpoint"
        elif code in _NOT_HERE:
            advice = (
                "this is no Graph Store Protocol that can be written to; that of Oxigraph ends in /store, "
                "that of Virtuoso in /sparql-graph-crud-auth"
            )
        elif code == 413:
            advice = f"let it take {len(response.request.content):,} bytes at once"
        elif code == 507:
            advice = "make room there and run it again, and it goes on"
        elif location := response.headers.get("Location"):
            advice = f"it leads to {location}; give that address if you trust it"
        else:
            advice = "check the address"
        raise PublishError(f"{where} {said}: {advice}")


def query_address(endpoint: str) -> str:
    """Where the store of a Graph Store Protocol address answers queries, as far as that can be told.

    Raises:
        PublishError: if it cannot be told.
    """
    url = _address(endpoint)
    path = url.path.rstrip("/")
    for ending, other in _QUERY_PLACES:
        if match := re.search(ending + "$", path):
            return str(url.copy_with(path=path[: match.start()] + other, query=None))
    raise PublishError(
        f"{shown(url)} does not tell where the store answers queries, by which what was sent is counted: "
        "give --query-endpoint"
    )


def _address(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise PublishError(f"{text!r} is no address of the web ({error})") from None
    if url.scheme not in {"http", "https"} or not url.host:
        raise PublishError(f"{shown(url)!r} is no address of the web: it begins with http:// or https://")
    if url.userinfo:
        raise PublishError(
            "a password in the address can be read in the list of processes: use --user and --password-file"
        )
    return url


def _origin(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}[url.scheme]


def _untrusted(error: BaseException | None) -> str:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error.verify_message
        error = error.__cause__ or error.__context__
    return ""


def _is_page(response: httpx.Response) -> bool:
    return "html" in response.headers.get("Content-Type", "").lower()


def _words(response: httpx.Response) -> str:
    """What the server says itself, if that is no page."""
    words = "" if _is_page(response) else " ".join(response.text.split())
    return f" ({words if len(words) <= _SAID else words[:_SAID] + ' …'})" if words else ""
