"""The citation catalogue: which words invoke which rule.

Entries are data, `ontology/catalogue/*.toml`. A pattern reads a lowered scan of the oracle text (names
blanked, sentence starts lowered, plain quotes and minus signs) or, with `field`, the type line or the mana
cost. In patterns `<self>` stands for the object's own name or "this creature" and the like. The evidence is
the last named group that took part in the match, else the whole match. `literal` is a prefilter: the
pattern is tried only where one of these lowercase strings occurs. `layout` is what no word on a card tells:
the layouts of the cards that the entry holds for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources.abc import Traversable
from typing import Any, get_args

from msgspec import Struct

from cardlaw.ontology import data

from ..abilities.masking import NAME
from ..errors import CatalogueError
from ..model import Field, Kind, Relation

__all__ = ["Entry", "load_catalogue", "read_catalogue"]

_MACROS = {
    "<self>": rf"(?:{NAME}+|this (?:card|creature|artifact|enchantment|land|permanent|spell|planeswalker|"
    r"battle|token|aura|equipment|vehicle|saga|class|case|siege|room|role|spacecraft|attraction|fortification|"
    r"background))",
}


class Entry(Struct, frozen=True, kw_only=True):
    """One catalogue entry; `anchors` name the rules that it cites (see `anchors.resolve`)."""

    id: str
    relation: str  # a Relation, or "keyword" for a written form of a keyword ability
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    literals: tuple[str, ...]  # empty: always tried
    field: Field = "oracle_text"
    parts: tuple[str, ...] = ()  # the match must lie in one of these parts of an ability
    kinds: tuple[str, ...] = ()  # only on abilities of these kinds
    frame: str | None = None  # "spell" or "permanent": only on such faces
    layouts: tuple[str, ...] = ()  # only on the faces of cards of these layouts, which the text does not tell
    not_after: re.Pattern[str] | None = None  # the ability's text before the match must not end with this
    keyword: str | None = None  # of a written form: the keyword's name
    note: str = ""
    example: str = ""  # the evidence between ⟦ and ⟧

    def allowed(self, before: str) -> bool:
        """Whether the entry may match after this text of the ability."""
        return self.not_after is None or self.not_after.search(before) is None


_LISTS = {"anchor", "literal", "part", "kind", "layout"}
_FIELDS = _LISTS | {"id", "relation", "pattern", "field", "frame", "not_after", "keyword", "note", "example"}
_VALUES: dict[str, tuple[str, ...]] = {
    "relation": (*get_args(Relation), "keyword"),
    "field": get_args(Field),
    "part": ("cost", "event", "condition", "effect"),
    "kind": get_args(Kind),
    "frame": ("spell", "permanent"),
}


def read_catalogue(text: str, *, name: str) -> tuple[Entry, ...]:
    """The entries of one TOML file.

    Raises:
        CatalogueError: not TOML, a field missing or unknown, a pattern that does not compile.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{name} is not TOML: {error}") from None
    entries = table.get("entry", [])
    if set(table) - {"entry"} or not isinstance(entries, list):
        raise CatalogueError(f"{name}: only [[entry]] tables may stand in it")
    return tuple(_entry(raw, name) for raw in entries)


def _strings(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _check(raw: dict[str, Any], where: str) -> None:
    """Raise for a field that is missing, unknown, of the wrong type or of a value that means nothing."""
    if unknown := set(raw) - _FIELDS:
        raise CatalogueError(f"{where}: unknown field {', '.join(sorted(unknown))}")
    if missing := {"id", "relation", "anchor", "pattern"} - set(raw):
        raise CatalogueError(f"{where}: {', '.join(sorted(missing))} is missing")
    for field, value in raw.items():
        listed = field in _LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not (isinstance(value, str) or listed):
            raise CatalogueError(f"{where}: {field} must be text{' or a list of texts' * (field in _LISTS)}")
    for field, allowed in _VALUES.items():
        for value in _strings(raw.get(field, ())):
            if value not in allowed:
                raise CatalogueError(f"{where}: unknown {field} {value!r}")
    if raw["relation"] == "keyword" and "keyword" not in raw:
        raise CatalogueError(f"{where}: keyword is missing")


def _compiled(pattern: str, where: str) -> re.Pattern[str]:
    for macro, meaning in _MACROS.items():
        pattern = pattern.replace(macro, meaning)
    try:
        return re.compile(pattern, re.M)
    except re.error as error:
        raise CatalogueError(f"{where}: the pattern does not compile: {error}") from None


def _entry(raw: dict[str, Any], name: str) -> Entry:
    ident = raw.get("id", "?")
    where = f"{name}, entry {ident}"
    _check(raw, where)
    return Entry(
        id=ident,
        relation=raw["relation"],
        anchors=_strings(raw["anchor"]),
        pattern=_compiled(raw["pattern"], where),
        literals=tuple(s.lower() for s in _strings(raw.get("literal", ()))),
        field=raw.get("field", "oracle_text"),
        parts=_strings(raw.get("part", ())),
        kinds=_strings(raw.get("kind", ())),
        frame=raw.get("frame"),
        layouts=_strings(raw.get("layout", ())),
        not_after=_compiled(raw["not_after"], where) if "not_after" in raw else None,
        keyword=raw.get("keyword"),
        note=raw.get("note", ""),
        example=raw.get("example", ""),
    )


def load_catalogue(folder: Traversable | None = None) -> tuple[Entry, ...]:
    """Every entry of a folder of TOML files, by file name then in file order; default: the shipped ones.

    Raises:
        CatalogueError: see `read_catalogue`; or two entries with the same id.
    """
    folder = data("catalogue") if folder is None else folder
    entries: list[Entry] = []
    files: Iterable[Traversable] = sorted(folder.iterdir(), key=lambda file: file.name)
    for file in files:
        if file.name.endswith(".toml"):
            entries.extend(read_catalogue(file.read_text(encoding="utf-8"), name=file.name))
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            raise CatalogueError(f"two catalogue entries are called {entry.id}")
        seen.add(entry.id)
    return tuple(entries)
