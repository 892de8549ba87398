"""Card data, rulings and the rules, from where they are published to the user's cache.

`fetch` asks where the newest file is, receives it unless the one at hand is the same, looks whether it is
what it should be, and only then puts it in its place: whatever fails, the cache answers as before. Cards and
rulings stay as they come, packed or not, and are read in chunks; the rules are parsed once, for their
effective date, and stand as plain text.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

from msgspec.structs import replace

from ..errors import RulebookError, SourceError
from .cache import (
    Fetched,
    Record,
    confirm,
    default_cache,
    earlier,
    fetched,
    latest_cards,
    latest_rules,
    latest_rulings,
    only_one,
    put,
    write,
)
from .packing import MEGABYTE, PACKED, unpacked

if TYPE_CHECKING:  # httpx takes 0.1 s to import, and who only looks into the cache needs none
    import httpx

    from .download import Options, Progress, Session, Validators
    from .published import Promise

__all__ = [
    "Bulk",
    "Fetched",
    "Kind",
    "default_cache",
    "fetch",
    "latest_cards",
    "latest_rules",
    "latest_rulings",
]

Kind: TypeAlias = Literal["cards", "rules", "rulings"]
Bulk: TypeAlias = Literal["oracle_cards", "default_cards"]  # one record a card, or one a printing

INDEX = "https://api.scryfall.com/bulk-data"
RULES_PAGE = "https://magic.wizards.com/en/rules"

_WHAT = {"cards": "a file of cards", "rules": "a text of the rules", "rulings": "a file of rulings"}
_OBJECTS = {"cards": b"card", "rulings": b"ruling"}  # what Scryfall says of each record
_FIRST_OBJECT = re.compile(rb'\[?\s*\{\s*"object"\s*:\s*"(\w+)"')
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_EDGE = 512  # bytes at either end of a file that tell what it is


def fetch(
    kind: Kind,
    *,
    cache: Path | None = None,
    source: str | None = None,
    bulk: Bulk = "oracle_cards",
    index: str = INDEX,
    rules_page: str = RULES_PAGE,
    progress: Progress | None = None,
    options: Options | None = None,
) -> Fetched:
    """Bring the newest cards, rulings or rules into the cache, if they are not there yet.

    Args:
        kind: what to get.
        cache: its folder; None is `default_cache()`.
        source: a file, or the http(s) address of one, to get instead of what is published.
        bulk: which of Scryfall's files of cards.
        index: address of Scryfall's index.
        rules_page: address of the page that links the rules.
        progress: is told (stage, bytes done, their total if known); the stages are "download" and "check".
        options: limits; None is what `download.Options` has.

    Returns:
        The file, `fresh` if its content was not there before.

    Raises:
        SourceError: it cannot be had or is not what it should be. The cache answers as before; what has come
            in part is kept, and the next call goes on with it.
    """
    from .download import Options, Session

    root = default_cache() if cache is None else cache
    name = bulk if kind == "cards" else kind
    task = _Task(kind, name, root, options or Options(), progress or _silent)
    try:
        with only_one(root):
            if source is not None and not _SCHEME.match(source):
                return task.copied(Path(source))
            with Session(task.options, task.progress) as session:
                return task.received(session, *task.found(session, source, index, rules_page))
    except OSError as error:
        reason = error.strerror or error
        raise SourceError(
            f"cannot use the cache {root} ({reason}): give it room and rights, or set XDG_CACHE_HOME"
        ) from error


class _Task:
    """One call of `fetch`: `name` is that of the file in the records, the rest as there."""

    def __init__(self, kind: Kind, name: str, cache: Path, options: Options, progress: Progress) -> None:
        self.kind = kind
        self.name = name
        self.cache = cache
        self.options = options
        self.progress = progress
        rules = kind == "rules"
        self.most = options.max_document if rules else options.max_file  # bytes as they come
        self.most_unpacked = options.max_document if rules else options.max_unpacked

    def found(
        self, session: Session, source: str | None, index: str, rules_page: str
    ) -> tuple[httpx.URL, Promise]:
        """The address of the file to get, and what is told of it."""
        from .addresses import parsed
        from .published import Promise, linked, listed

        if source is not None:
            return parsed(source), Promise()
        if self.kind == "rules":
            return linked(*session.document(parsed(rules_page))), Promise()
        body, url = session.document(parsed(index))
        return listed(body, self.name, url)

    def received(self, session: Session, url: httpx.URL, promise: Promise) -> Fetched:
        """The file at an address, or the one in the cache if it is the same."""
        from .addresses import shown, without_password
        from .download import Validators, forget
        from .published import stamp

        path = self.cache / "parts" / self.name
        source = without_password(url)
        at_hand = earlier(self.cache, self.name, source)
        known = Validators(etag=at_hand.etag, last_modified=at_hand.last_modified) if at_hand else None
        validators = session.file(url, path, limit=self.most, known=known)
        if at_hand and validators is None:
            return fetched(self.cache, confirm(self.cache, at_hand), fresh=False)
        validators = validators or Validators()
        day = promise.date or stamp(url.path) or _day(validators.last_modified)
        try:
            result = self.checked(path, replace(promise, date=day), shown(url), source, validators)
        except SourceError:  # it is whole, and wrong; whatever else stops this leaves it for the next call
            forget(path)
            raise
        forget(path)
        return result

    def copied(self, source: Path) -> Fetched:
        """A file of the user's, copied."""
        from .download import Validators
        from .published import Promise, stamp

        path = self.cache / "parts" / f"{self.name}.copy"
        try:
            with _opened(source) as given, path.open("wb") as copy:
                while chunk := _read(given, source):
                    if copy.tell() + len(chunk) > self.most:
                        raise SourceError(f"{source} is over {self.most:,} bytes: check the path")
                    copy.write(chunk)
                copy.flush()
                os.fsync(copy.fileno())
            return self.checked(
                path, Promise(date=stamp(source.name)), str(source), source.name, Validators()
            )
        finally:
            path.unlink(missing_ok=True)

    def checked(
        self, path: Path, promise: Promise, label: str, source: str, validators: Validators
    ) -> Fetched:
        """The file at `path`, found good and put in its place.

        Args:
            path: where it has come.
            promise: what was told of it.
            label: what messages call it.
            source: what the record says of where it comes from.
            validators: of its version.
        """
        size = self.examined(path, label)
        with path.open("rb") as file:
            packed = file.read(len(PACKED)) == PACKED
            file.seek(0)
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        _compare(label, promise.packed_size, path.stat().st_size)
        _compare(label, promise.size, size)
        if promise.sha256 and promise.sha256.lower() != sha256:
            raise SourceError(f"{label} has not the SHA-256 that was promised: run it again later")
        day = promise.date
        warnings: tuple[str, ...] = ()
        if self.kind == "rules":
            data = b"".join(self.chunks(path, label))
            day, warnings = _release(data, label)
            file_name, sha256 = f"{day}.txt", hashlib.sha256(data).hexdigest()
            path = path.with_suffix(".txt")
            write(path, data)
        else:
            stem = "-".join(filter(None, (self.name.replace("_", "-"), day, sha256[:8])))
            file_name = stem + (".jsonl" if ".jsonl" in source else ".json") + (".gz" if packed else "")
        record = Record(
            name=self.name,
            file=f"{self.kind}/{file_name}",
            size=path.stat().st_size,
            sha256=sha256,
            date=day,
            source=source,
            etag=validators.etag,
            last_modified=validators.last_modified,
        )
        return replace(put(self.cache, record, path), warnings=warnings)

    def examined(self, path: Path, label: str) -> int:
        """Look at both ends of what a file holds, and return its size when unpacked.

        Raises:
            SourceError: if it is damaged, empty, too big, a web page, or no JSON of this kind.
        """
        start, end, size = b"", b"", 0
        for chunk in self.chunks(path, label):
            if len(start) < _EDGE:
                start = (start + chunk)[:_EDGE]
            end = (end + chunk[-_EDGE:])[-_EDGE:]
            size += len(chunk)
        begins = start.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not begins:
            raise SourceError(f"{label} is empty: try again later, or use --from FILE")
        if begins.startswith(b"<"):
            raise SourceError(
                f"{label} is a web page, not {_WHAT[self.kind]}: open it in a browser to see why"
            )
        if self.kind == "rules":
            return size
        if not begins.startswith((b"[", b"{")):
            raise SourceError(f"{label} is no JSON, and so not {_WHAT[self.kind]}: check the address")
        if not end.rstrip().endswith((b"]", b"}")):
            raise SourceError(f"{label} ends early: get it again")
        match = _FIRST_OBJECT.match(begins)
        if match and match[1] != _OBJECTS[self.kind]:
            said = match[1].decode("ascii", "replace")
            raise SourceError(f"{label} holds a “{said}”, not {_WHAT[self.kind]}: check the address")
        return size

    def chunks(self, path: Path, label: str) -> Iterator[bytes]:
        """What a file holds, unpacked."""

        def read() -> Iterator[bytes]:
            total = path.stat().st_size
            with path.open("rb") as file:
                while chunk := file.read(MEGABYTE):
                    yield chunk
                    self.progress("check", file.tell(), total)

        return unpacked(read(), limit=self.most_unpacked, name=label)


def _compare(label: str, promised: int | None, size: int) -> None:
    if promised is not None and promised != size:
        raise SourceError(f"{label} has {size:,} bytes, not {promised:,} as promised: run it again later")


def _release(data: bytes, label: str) -> tuple[str, tuple[str, ...]]:
    """The effective date of a rulebook, and what to warn of: one official text breaks off in the glossary."""
    from .rulebook import parse

    try:
        rulebook = parse(data, name=label)
    except RulebookError as error:
        raise SourceError(str(error)) from error
    return rulebook.release, tuple(each for each in rulebook.warnings if "incomplete" in each)


def _day(header: str | None) -> str | None:
    try:
        return parsedate_to_datetime(header).date().isoformat() if header else None
    except ValueError:
        return None


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}): check the path") from None


def _read(file: IO[bytes], path: Path) -> bytes:
    try:
        return file.read(MEGABYTE)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}): check the path") from None


def _silent(stage: str, done: int, total: int | None) -> None:
    pass
