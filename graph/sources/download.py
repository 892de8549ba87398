"""Documents and files over HTTP: asked for with patience, received whole, and only from where they belong.

An address goes in, bytes come out. What a host can do wrong is told in one line: answers that break off
(taken up again with Range and If-Range, RFC 9110, 13.1.5 and 14.2), errors and “too many requests” (asked
again, as Retry-After says), answers without end, and redirects (RFC 9110, 15.4) to other schemes or from
the public network into a private one. Files are kept as they come, packed or not, so that they can be taken
up again.
"""

from __future__ import annotations

import os
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import TypeAlias, TypeVar

import httpx
import msgspec

from ..errors import SourceError
from .addresses import is_public, lies_public, parsed, proxied, shown, without_password
from .packing import MEGABYTE, unpacked

__all__ = ["Options", "Progress", "Session", "Validators", "forget", "retry_after"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 10
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # may be gone when asked again
_HEADERS = {
    "User-Agent": f"cardlaw/{version('cardlaw')} (+https://w3id.org/cardlaw)",
    "Accept": "application/json;q=0.9,*/*;q=0.8",  # as Scryfall asks for
    "Accept-Encoding": "gzip",
}

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Takes the stage, the bytes that are done, and their total if it is known."""

T = TypeVar("T")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How patient a `Session` is, and how much it takes."""

    pause: float = 0.1  # seconds between calls; Scryfall asks for 50 to 100 ms
    timeout: float = 30.0  # seconds without a byte
    time_limit: float = 3600.0  # seconds for all of it
    retries: int = 4
    backoff: float = 1.0  # seconds before the first retry; doubled for each further one
    longest_wait: float = 120.0  # seconds that Retry-After may ask for
    max_document: int = 32 * MEGABYTE  # bytes of an index, a page or a rulebook, unpacked
    max_file: int = 1024 * MEGABYTE  # bytes of a file as it comes; the cards of 2026 have 77 MB
    max_unpacked: int = 8192 * MEGABYTE  # bytes of a file, unpacked


class Validators(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one version of a file at an address from the next (RFC 9110, 8.8)."""

    etag: str | None = None
    last_modified: str | None = None

    def unchanged(self) -> dict[str, str]:
        """Headers that ask for the file only if it is another version."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}

    def same(self) -> str | None:
        """The value of If-Range, which has to be strong, or None."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.last_modified


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a file that has come in part; lies beside it as JSON."""

    url: str
    encoding: str
    validators: Validators


class _PassingError(Exception):
    """A failure that may be gone after `wait` seconds (None: the usual time)."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class Session:
    """Calls that belong together, one after another; a context manager.

    If the first address lies in the public network, no redirect and no further call leaves it.

    Args:
        options: limits.
        progress: is told of the bytes of each file.
    """

    def __init__(self, options: Options, progress: Progress) -> None:
        self.options = options
        self.progress = progress
        self.ends = time.monotonic() + options.time_limit
        self.next_call = 0.0
        self.public: bool | None = None  # where the first address lies
        try:
            self.client = httpx.Client(headers=_HEADERS, timeout=options.timeout, verify=_trust())
        except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
            raise SourceError(
                f"no connection can be set up ({error}): check the proxy and certificates of the environment"
            ) from None

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()

    def document(self, url: httpx.URL) -> tuple[bytes, httpx.URL]:
        """A small document, unpacked, and the address where it was found after redirects.

        Raises:
            SourceError: it cannot be had, or is over `max_document`.
        """

        def attempt() -> tuple[bytes, httpx.URL]:
            with self._answer(url, {}) as response:
                self._expect(response, 200)
                _encoding(response)
                chunks = self._in_time(response)
                body = b"".join(unpacked(chunks, limit=self.options.max_document, name=shown(url)))
                return body, response.url

        return self._persistently(url, attempt)

    def file(
        self, url: httpx.URL, path: Path, *, limit: int, known: Validators | None = None
    ) -> Validators | None:
        """Receive a file at `path` as it comes, going on with what is there of an earlier attempt.

        Args:
            url: its address.
            path: where it goes. What is known of a part lies beside it, until `forget`.
            limit: the most bytes that may come.
            known: of the version that is at hand.

        Returns:
            Of its version; None if the one that is at hand is still the one at the address.

        Raises:
            SourceError: it cannot be had, or is over `limit`. What can be gone on with is kept.
        """
        return self._persistently(url, lambda: self._receive(url, path, limit, known), path)

    def _receive(self, url: httpx.URL, path: Path, limit: int, known: Validators | None) -> Validators | None:
        part = _part(path)
        if part is None or part.url != without_password(url):
            forget(path)
            part = None
        start = path.stat().st_size if part else 0
        headers = {"Accept-Encoding": "identity" if url.path.endswith(".gz") else "gzip"}
        if part and start:
            headers |= {"Range": f"bytes={start}-", "If-Range": part.validators.same() or ""}
        elif known:
            headers |= known.unchanged()
        with self._answer(url, headers) as response:
            if response.status_code == 304 and known and not start:
                return None
            if response.status_code == 416 and part and start:
                if response.headers.get("Content-Range") == f"bytes */{start}":  # all of it has come
                    return part.validators
                forget(path)
                raise _PassingError("cannot go on with the file", 0)
            self._expect(response, 206 if response.status_code == 206 and start else 200)
            coming = _Part(
                url=without_password(url), encoding=_encoding(response), validators=_validators(response)
            )
            if response.status_code == 206 and part:
                begins, total = _range(response)
                if begins != start or not _continues(part, coming):
                    forget(path)
                    raise _PassingError("goes on with another file", 0)
            else:
                forget(path)
                start, total = 0, _length(response)
                _state(path).write_bytes(msgspec.json.encode(coming))
            size = start if total and total > limit else self._write(response, path, start, total, limit)
        if max(size, total or 0) > limit:
            forget(path)
            raise SourceError(f"{shown(url)} is over {limit:,} bytes: check the address")
        if total is not None and size != total:
            forget(path)
            raise _PassingError(f"sends {size:,} bytes where it says {total:,}")
        return coming.validators

    def _write(self, response: httpx.Response, path: Path, size: int, total: int | None, limit: int) -> int:
        """Add the body to the file, which has `size` bytes, until it is over `limit`; return its new size."""
        with path.open("ab") as file:
            try:
                for chunk in self._in_time(response):
                    size += len(chunk)
                    if size > limit:
                        break
                    file.write(chunk)
                    self.progress("download", size, total)
            finally:  # also at Ctrl-C
                file.flush()
                os.fsync(file.fileno())
        return size

    def _persistently(self, url: httpx.URL, attempt: Callable[[], T], path: Path | None = None) -> T:
        """Attempt, and again after failures that may pass."""
        for number in range(self.options.retries + 1):
            try:
                return attempt()
            except httpx.InvalidURL as error:
                raise SourceError(
                    f"{shown(url)} leads to what is no address of the web ({error}): use --from FILE"
                ) from None
            except (_PassingError, httpx.TransportError) as error:
                wait = getattr(error, "wait", None)
                reason = _reason(error)
            if number < self.options.retries:
                self._sleep(self.options.backoff * 2**number if wait is None else wait)
        advice = "try again later"
        if path and _part(path) and path.exists() and path.stat().st_size:
            advice = "run it again, and it goes on where it broke off"
        elif path:
            forget(path)
        raise SourceError(f"{shown(url)} {reason}, {self.options.retries + 1} times: {advice}")

    @contextmanager
    def _answer(self, url: httpx.URL, headers: dict[str, str]) -> Iterator[httpx.Response]:
        """The answer to a GET after all redirects, its body not yet read."""
        target = url
        for _ in range(_MOST_REDIRECTS + 1):
            self._permit(target, lies_public(target))
            self._sleep(max(0.0, self.next_call - time.monotonic()))
            self.next_call = time.monotonic() + self.options.pause
            with self.client.stream("GET", target, headers=headers) as response:
                peer = response.extensions["network_stream"].get_extra_info("server_addr")
                if peer and not proxied(target):  # the name may lead elsewhere than a moment ago
                    self._permit(target, is_public(peer[0]))
                if response.status_code not in _REDIRECTS:
                    yield response
                    return
                target = _redirected(response)
        raise SourceError(f"{shown(url)} redirects over {_MOST_REDIRECTS} times: check the address")

    def _permit(self, url: httpx.URL, public: bool) -> None:
        if self.public is None:
            self.public = public
        if self.public and not public:
            raise SourceError(
                f"{shown(url)} lies in a private network, and a public address points to it: not followed; "
                "if you trust it, name it with --from"
            )

    def _expect(self, response: httpx.Response, status: int) -> None:
        """Raise unless the answer has this status."""
        if response.status_code == status:
            return
        said = f"answers {response.status_code} {response.reason_phrase}".rstrip()
        where = shown(response.url)
        if response.status_code not in _PASSING:
            raise SourceError(f"{where} {said}: check the address, or use --from FILE")
        wait = retry_after(response)
        if wait is not None and wait > self.options.longest_wait:
            raise SourceError(f"{where} {said} and asks to wait {wait:,.0f} seconds: run it again after that")
        raise _PassingError(said, wait)

    def _in_time(self, response: httpx.Response) -> Iterator[bytes]:
        """The body as it comes, until the time is up."""
        for chunk in response.iter_raw():
            self._remaining()
            yield chunk

    def _sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, self._remaining()))

    def _remaining(self) -> float:
        left = self.ends - time.monotonic()
        if left <= 0:
            raise SourceError(
                f"the download takes over {self.options.time_limit:,.0f} seconds: "
                "run it again, and it goes on if the host lets it"
            )
        return left


@cache
def _trust() -> ssl.SSLContext:
    """The certificates that are trusted, which take 60 ms to load."""
    return httpx.create_ssl_context()


def forget(path: Path) -> None:
    """Remove a file that has come in part, and what is known of it."""
    path.unlink(missing_ok=True)
    _state(path).unlink(missing_ok=True)


# Headers


def _encoding(response: httpx.Response) -> str:
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        raise SourceError(f"{shown(response.url)} sends {encoding!r}, which was not asked for")
    return "gzip" if "gzip" in encoding else "identity"


def _validators(response: httpx.Response) -> Validators:
    headers = response.headers
    return Validators(etag=headers.get("ETag"), last_modified=headers.get("Last-Modified"))


def _length(response: httpx.Response) -> int | None:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdigit() else None


def _range(response: httpx.Response) -> tuple[int, int | None]:
    """(first byte, length of the whole) as Content-Range tells; -1 if it does not."""
    told = response.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d{1,15})-\d{1,15}/(?:(\d{1,15})|\*)", told)
    if match is None:
        return -1, None
    return int(match[1]), int(match[2]) if match[2] else None


def retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait, as Retry-After says, or None; it is a number of them or a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _redirected(response: httpx.Response) -> httpx.URL:
    where = shown(response.url)
    target = response.url.join(parsed(response.headers.get("Location", "")))
    if response.url.scheme == "https" and target.scheme == "http":
        raise SourceError(f"{where} redirects from https to http, which is not followed: use --from FILE")
    return target


def _reason(error: Exception) -> str:
    if isinstance(error, _PassingError):
        return str(error)
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise SourceError(f"the certificate of the host is not trusted: {cause.verify_message}") from None
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.TimeoutException):
        return "does not answer in time"
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return f"cannot be reached ({error})"
    return f"broke off ({error or type(error).__name__})"


# What is known of a part


def _continues(part: _Part, coming: _Part) -> bool:
    """Whether what comes is of the version that has come in part, as far as the host tells."""
    etag = coming.validators.etag
    return coming.encoding == part.encoding and (etag is None or etag == part.validators.etag)


def _state(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _part(path: Path) -> _Part | None:
    """What is known of the part at `path`, if it can be gone on with."""
    try:
        part = msgspec.json.decode(_state(path).read_bytes(), type=_Part)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    return part if path.exists() and part.validators.same() else None
