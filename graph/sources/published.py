"""What is published where: the address of the newest file in Scryfall's index and on the rules page.

Scryfall's index (https://scryfall.com/docs/api/bulk-data) lists for each kind of file its address, time and
size. Since July 2026 the files are JSON Lines in gzip (`jsonl_download_uri`, `compressed_size`); before, they
were JSON arrays (`download_uri`, `size`); both are read. It gives no hashes; a `sha256` would be heeded.
The rules page links the text of the newest release, whose name changes and has a space in it.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import httpx
import msgspec

from ..errors import SourceError
from .addresses import parsed, shown

__all__ = ["Promise", "linked", "listed", "stamp"]

_STAMP = re.compile(r"(?<!\d)(20\d{6})(?:\d{6})?(?!\d)")
_RULES = re.compile(r"comp.*rules.*\.txt$", re.IGNORECASE)
_ADVICE = "try again later, or get the file by hand and use --from FILE"


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a file before it comes; None is not told."""

    date: str | None = None  # ISO 8601
    packed_size: int | None = None  # bytes of the file as it comes
    size: int | None = None  # bytes of the file, unpacked
    sha256: str | None = None  # of the file as it comes


class _Index(msgspec.Struct, frozen=True):
    """The index: an object of type “list”. Entries that are not asked for may be of any shape."""

    data: list[dict[str, Any]]


class _Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What the index says of a file, in the newer or the older way."""

    updated_at: datetime
    jsonl_download_uri: str | None = None
    compressed_size: int | None = None
    download_uri: str | None = None
    size: int | None = None
    sha256: str | None = None


def listed(body: bytes, name: str, url: httpx.URL) -> tuple[httpx.URL, Promise]:
    """The file that the index lists under the type `name`: its address, and what is told of it.

    Args:
        body: the index.
        name: "oracle_cards", "default_cards" or "rulings".
        url: where the index was found.

    Raises:
        SourceError: if it is no such index, or does not list the file.
    """
    where = shown(url)
    if body.lstrip().startswith(b"<"):
        raise SourceError(f"{where} answers with a web page instead of the index: {_ADVICE}")
    try:
        entries = msgspec.json.decode(body, type=_Index).data
        found = next((entry for entry in entries if entry.get("type") == name), None)
        if found is None:
            raise SourceError(f"{where} lists no {name}: {_ADVICE}")
        entry = msgspec.convert(found, _Entry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(f"{where} is not the index that it was ({error}): {_ADVICE}") from None
    day = entry.updated_at.date().isoformat()
    if entry.jsonl_download_uri:
        promise = Promise(date=day, packed_size=entry.compressed_size, sha256=entry.sha256)
        return url.join(parsed(entry.jsonl_download_uri)), promise
    if entry.download_uri:
        promise = Promise(date=day, size=entry.size, sha256=entry.sha256)
        return url.join(parsed(entry.download_uri)), promise
    raise SourceError(f"{where} gives no address for {name}: {_ADVICE}")


class _Links(HTMLParser):
    """Takes in the targets of the links of a page, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get("href")
        if tag == "a" and target:
            self.targets.append(target.strip())


def linked(body: bytes, url: httpx.URL) -> httpx.URL:
    """Address of the text that the rules page links; of several, the first with the latest date in its name.

    Args:
        body: the page.
        url: where the page was found; links are relative to it.

    Raises:
        SourceError: if it links no such file.
    """
    links = _Links()
    links.feed(body.decode("utf-8", "replace"))
    links.close()
    texts = [link for link in links.targets if _RULES.search(_file_name(link))]
    if not texts:
        raise SourceError(
            f"{shown(url)} links no text file of the rules: open it in a browser and use --from FILE"
        )
    target = url.join(parsed(max(texts, key=lambda link: stamp(link) or "")))
    if url.scheme == "https" and target.scheme == "http":  # the page has had such links
        target = target.copy_with(scheme="https")
    return target


def stamp(address: str) -> str | None:
    """The day that names like `cards-20260102090130.json` and `Rules 20260116.txt` tell, ISO 8601."""
    match = _STAMP.search(_file_name(address))
    try:
        return date.fromisoformat(match[1]).isoformat() if match else None
    except ValueError:
        return None


def _file_name(address: str) -> str:
    return unquote(re.split("[?#]", address, maxsplit=1)[0]).replace("\\", "/").rpartition("/")[2]
