"""Cards of any source: what a file holds is told by its content, never by its name.

The sources are the corpus (`corpus`), Scryfall's bulk data (`scryfall`) and MTGJSON (`mtgjson`), plain or
gzip. The same card has the same slug from each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from ..errors import SourceError
from ..model import Card
from . import corpus, mtgjson, scryfall
from .jsonarray import opened
from .records import Sink, objects

__all__ = ["Format", "Source", "data_date", "format_of", "read_cards"]

Source: TypeAlias = Path | Literal["corpus"]
"""A file, or the corpus that is installed."""

Format: TypeAlias = Literal["corpus", "scryfall", "mtgjson"]

_LOOKED_AT = 100  # records; the first ones of a file can be bad
_HINT = "give Scryfall's oracle cards or default cards, a file of MTGJSON, or corpus"


def read_cards(
    source: Source,
    *,
    skipped: list[tuple[str, str]] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[Card]:
    """The cards of a source, without abilities and citations.

    Args:
        source: a file, or "corpus".
        skipped: takes (name or position, reason) of each record that gives no card.
        counts: takes numbers of records, cards and what was joined or skipped.

    Raises:
        SourceError: if there is no such source, it cannot be read, or it holds no good record.
    """
    if source == "corpus":
        return corpus.read(None, skipped=skipped, counts=counts)
    readers = {"corpus": corpus.read, "scryfall": scryfall.read, "mtgjson": mtgjson.read}
    return readers[format_of(source)](source, skipped=skipped, counts=counts)


def data_date(source: Source) -> str | None:
    """The day that the data are of, ISO 8601, where MTGJSON or the name of a file of Scryfall tells."""
    if source == "corpus":
        return None
    return mtgjson.meta_date(source) if format_of(source) == "mtgjson" else scryfall.prices_date(source)


def format_of(path: Path) -> Format:
    """Which format a file is in.

    Raises:
        SourceError: if it is in none, or cannot be read.
    """
    if _is_mtgjson(path):
        return "mtgjson"
    sink = Sink(None, None)
    for (_, value), _ in zip(objects(path, sink), range(_LOOKED_AT), strict=False):
        if not isinstance(value, dict):
            continue
        if value.get("object") == "ruling":
            raise SourceError(f"{path}: holds rulings, not cards: {_HINT}")
        if {"oracle_id", "type_line", "card_faces"} & value.keys() or value.get("object") == "card":
            return "scryfall"
        if value.get("object") == "list":
            raise SourceError(f"{path}: is a list of Scryfall's API, not its bulk data: {_HINT}")
        if {"type", "layout"} <= value.keys():
            return "corpus"
    raise SourceError(f"{path}: holds no cards in a format that is known: {_HINT}")


def _is_mtgjson(path: Path) -> bool:
    """Whether the file is one object that begins with `meta` or `data`."""
    with opened(path) as file:
        start = "".join(file.read(200).split())
    return start.startswith(('{"meta":', '{"data":'))
