"""From names to the local names of IRIs: pure functions of the name, and of one committed table.

A slug is the English name in lower case ASCII: accents folded, apostrophes dropped, all else between
letters and digits one hyphen ("Urza's Saga" → `urzas-saga`, "Fire // Ice" → `fire-ice`), so that it is
legal in a prefixed name everywhere. Of the names of the corpus and of Scryfall's files, twelve share a
slug with another and two have no letter at all: these, and 32 variants of eight names with oracle
ids of their own, stand in `ontology/slugs.json`; the one that the corpus has goes by the name alone. What is
not there is never settled by load order: `card_slug` and `check_unique` raise, and say what to add.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

import msgspec

from cardlaw.ontology import data

from .errors import SourceError
from .model import Card, Keyword

__all__ = [
    "FACE_SEPARATOR",
    "REBALANCED",
    "TOKEN_LAYOUTS",
    "card_name",
    "card_node",
    "card_slug",
    "check_unique",
    "keyword_slugs",
    "slug",
    "source_slug",
]

FACE_SEPARATOR = " // "
"""Between the names of faces, as Scryfall and the corpus write them."""

REBALANCED = "A-"
"""Before the names of cards that were rebalanced for digital play."""

TOKEN_LAYOUTS = frozenset({"token", "double_faced_token", "emblem", "art_series"})
"""Layouts of what is no card (CR 111, 114): many share a name, so their IRI is `token:` and the oracle id."""

_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"}
    | dict.fromkeys("'’‘ʼ`´", "")
)
_WORD = re.compile(r"[a-z0-9]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class _Table(msgspec.Struct, frozen=True):
    """`ontology/slugs.json`."""

    names: dict[str, str]  # name of a card -> its slug
    variants: dict[str, str]  # oracle id -> what follows the slug of its name


@cache
def _table() -> _Table:
    return msgspec.json.decode(data("slugs.json").read_bytes(), type=_Table)


def slug(text: str) -> str:
    """`text` as a local name; empty when it has neither an (accented) Latin letter nor a digit.

    >>> slug("Jötun Grunt"), slug("Æther Vial"), slug("Fire // Ice")
    ('jotun-grunt', 'aether-vial', 'fire-ice')
    """
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return "-".join(_WORD.findall(text.lower().translate(_LETTERS)))


def card_name(name: str, layout: str) -> str:
    """The canonical name of the card, as Scryfall has it, of the name that a source gives.

    A card that melds is called by its front alone (CR 712.4), and a `reversible_card`, which
    shows the same card on both sides, by that card's name.
    """
    parts = name.split(FACE_SEPARATOR)
    if layout == "meld":
        return parts[0]
    if layout == "reversible_card" and parts[: len(parts) // 2] == parts[len(parts) // 2 :]:
        return FACE_SEPARATOR.join(parts[: len(parts) // 2])
    return name


def card_slug(name: str, layout: str = "normal", oracle_id: str | None = None) -> str:
    """The local name of the card's IRI; of a token or the like it is the oracle id (`TOKEN_LAYOUTS`).

    Args:
        name: as the source gives it; see `card_name`.
        layout: as Scryfall names it.
        oracle_id: tells variants of one name apart: `sly-spy`, `sly-spy.b`.

    Raises:
        SourceError: if the name has no letters and is not in the table, or a token has no oracle id.
    """
    if layout in TOKEN_LAYOUTS:
        if not oracle_id:
            raise SourceError("is a token or the like without an oracle id, by which it would be known")
        return oracle_id
    canonical = card_name(name, layout)
    table = _table()
    local = table.names.get(canonical) or slug(canonical)
    if not local:
        raise SourceError(f"the name {canonical!r} has no letters: give it a slug in ontology/slugs.json")
    variant = table.variants.get(oracle_id) if oracle_id else None
    return f"{local}.{variant}" if variant else local


def card_node(slug: str) -> str:
    """The prefixed name of the card or, if the slug is an oracle id, of the token that has it.

    >>> card_node("fire-ice")
    'card:fire-ice'
    """
    return f"{'token' if _UUID.fullmatch(slug) else 'card'}:{slug}"


def source_slug(name: str) -> str:
    """The local name of a source's IRI, which is that of the file as far as it may stand there."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip(".-") or "source"


def check_unique(seen: dict[str, str], card: Card) -> None:
    """Notes the card's slug in `seen` (slug → name of the card that has it).

    Raises:
        SourceError: if another card has it already; `seen` is then unchanged.
    """
    other = seen.get(card.slug)
    if other is None:
        seen[card.slug] = card.name
        return
    if other == card.name:
        raise SourceError("a card of this name was read before")
    raise SourceError(f"shares card:{card.slug} with {other!r}: give one a slug in ontology/slugs.json")


def keyword_slugs(keywords: Iterable[Keyword]) -> dict[tuple[str, bool], str]:
    """(name, action) → local name. An action that is called like an ability gets `.action` after it.

    No release so far has such a pair (255 headings on 2026-01-16).
    """
    keywords = tuple(keywords)
    abilities = {slug(keyword.name) for keyword in keywords if not keyword.action}
    return {
        (keyword.name, keyword.action): f"{local}.action" if keyword.action and local in abilities else local
        for keyword in keywords
        for local in (slug(keyword.name),)
    }
