"""What was fetched, in the user's cache folder: where each file lies, whence it came, of which day it is.

    CACHE/fetched.json     a record for each file, replaced in one step
    CACHE/cards/           the newest of each of Scryfall's files of cards, as it came; so is CACHE/rulings/
    CACHE/rules/DATE.txt   every release that was fetched, by its effective date
    CACHE/parts/           what has come in part, and can be gone on with
    CACHE/lock             held by the one who fetches

A file goes to its place when it is whole and found good, under a name that no other content has (but for
rules that are corrected on the same day), and only then is the record written: readers need no lock.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from ..errors import SourceError

try:
    import fcntl
except ImportError:  # Windows does without the lock
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "Fetched",
    "Record",
    "cached_rules",
    "confirm",
    "default_cache",
    "earlier",
    "fetched",
    "latest_cards",
    "latest_rules",
    "latest_rulings",
    "only_one",
    "put",
    "write",
]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What `fetched.json` says of a file."""

    name: str  # "oracle_cards", "default_cards", "rulings", "rules"
    file: str  # relative to the cache
    size: int  # bytes
    sha256: str
    date: str | None  # ISO 8601: effective date of rules, day of other data; None: the source does not say
    source: str  # address, or name of the file that it was copied from
    fetched: str = ""  # ISO 8601, UTC: when it was last found to be the newest
    etag: str | None = None
    last_modified: str | None = None


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A file in the cache; fields as `Record` has them."""

    name: str
    path: Path
    fresh: bool  # False: it was there already
    size: int
    sha256: str
    date: str | None
    source: str
    fetched: str
    warnings: tuple[str, ...] = ()


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`fetched.json`."""

    version: Literal[1] = 1
    files: tuple[Record, ...] = ()


def default_cache() -> Path:
    """The user's cache folder.

    Raises:
        SourceError: the user has none, as in a container without a home.
    """
    import platformdirs  # only needed here

    with suppress(RuntimeError):
        folder = Path(platformdirs.user_cache_dir("cardlaw", appauthor=False))
        if folder.is_absolute():  # else its "~" stands for nothing
            return folder
    raise SourceError("you have no home folder for the cache: set HOME or XDG_CACHE_HOME")


def latest_cards(cache: Path | None = None) -> Fetched | None:
    """The file of cards that was fetched last, or None. `cache` is `default_cache()` unless told."""
    return max(_there(cache, "oracle_cards", "default_cards"), key=lambda each: each.fetched, default=None)


def latest_rulings(cache: Path | None = None) -> Fetched | None:
    """The file of rulings that was fetched last, or None."""
    return max(_there(cache, "rulings"), key=lambda each: each.fetched, default=None)


def latest_rules(cache: Path | None = None) -> Fetched | None:
    """The release of the rules with the latest effective date of all that were fetched, or None."""
    return max(_there(cache, "rules"), key=lambda each: each.date or "", default=None)


def cached_rules(cache: Path | None = None) -> list[Fetched]:
    """Every release of the rules that was fetched, by its effective date."""
    return sorted(_there(cache, "rules"), key=lambda each: each.date or "")


def fetched(cache: Path, record: Record, *, fresh: bool) -> Fetched:
    """The file that a record tells of."""
    return Fetched(
        name=record.name,
        path=cache / record.file,
        fresh=fresh,
        size=record.size,
        sha256=record.sha256,
        date=record.date,
        source=record.source,
        fetched=record.fetched,
    )


def _there(cache: Path | None, *names: str) -> list[Fetched]:
    """The files of these names that have the size with which they came."""
    try:
        root = default_cache() if cache is None else cache
    except SourceError:  # no cache holds nothing
        return []
    files = [fetched(root, record, fresh=False) for record in _records(root) if record.name in names]
    return [each for each in files if each.path.is_file() and each.path.stat().st_size == each.size]


def _records(cache: Path) -> tuple[Record, ...]:
    """What `fetched.json` says; nothing if it is not there or damaged."""
    try:
        return msgspec.json.decode((cache / "fetched.json").read_bytes(), type=_Manifest).files
    except (FileNotFoundError, NotADirectoryError, msgspec.DecodeError, UnicodeDecodeError):
        return ()


# The side of the one who fetches


@contextmanager
def only_one(cache: Path) -> Iterator[None]:
    """Hold `CACHE/lock`, which ends with the process that holds it, however it ends.

    Raises:
        SourceError: if another process holds it.
    """
    (cache / "parts").mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("ab") as held:
        if fcntl is not None:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SourceError(f"another fetch is at work in {cache}: wait until it has ended") from None
        yield


def earlier(cache: Path, name: str, source: str) -> Record | None:
    """The record of the file that came from `source`, if the file is still as it came."""
    for record in reversed(_records(cache)):
        if record.name == name and record.source == source:
            return record if _is_intact(cache, record) else None
    return None


def put(cache: Path, record: Record, path: Path) -> Fetched:
    """Move a file that is written to the disk to its place, in which it may replace an earlier one.

    Releases of the rules stay; of the other files only the newest of each name does.
    """
    fresh = not _is_intact(cache, record)
    target = cache / record.file
    target.parent.mkdir(exist_ok=True)
    path.replace(target)
    _sync(target.parent)
    replaced = [each for each in _records(cache) if each.name == record.name and record.name != "rules"]
    record = confirm(cache, record, without=replaced)
    for each in replaced:
        if each.file != record.file:
            with suppress(OSError):  # somebody may have it open
                (cache / each.file).unlink()
    return fetched(cache, record, fresh=fresh)


def confirm(cache: Path, record: Record, *, without: list[Record] | None = None) -> Record:
    """Write the record of a file that is now the newest, in place of those that are to go."""
    record = replace(record, fetched=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}")
    kept = [each for each in _records(cache) if each.file != record.file and each not in (without or ())]
    partial = cache / "fetched.json.partial"
    write(partial, msgspec.json.format(msgspec.json.encode(_Manifest(files=(*kept, record)))) + b"\n")
    partial.replace(cache / "fetched.json")
    _sync(cache)
    return record


def write(path: Path, data: bytes) -> None:
    """Write a file through to the disk; what cannot be written whole is removed."""
    try:
        with path.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _is_intact(cache: Path, record: Record) -> bool:
    """Whether the file is there and is the one that the record tells of."""
    try:
        with (cache / record.file).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == record.sha256
    except FileNotFoundError:
        return False


def _sync(folder: Path) -> None:
    """Have the disk know the names in a folder, where that can be asked for."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
