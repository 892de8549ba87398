"""The citation catalogue: which words invoke which rule.

Entries are data, `ontology/catalogue/*.toml`. A pattern reads a lowered scan of the oracle text (names
blanked, sentence starts lowered, plain quotes and minus signs) or, with `field`, the type line or the mana
cost. In patterns `<self>` stands for the object's own name or "this creature" and the like. The evidence is
the last named group that took part in the match, else the whole match. `literal` is a prefilter: the
pattern is tried only where one of these lowercase strings occurs, which bounds what a slow pattern costs.
`layout` is what no word on a card tells: the layouts of the cards that the entry holds for. The id of a
written form of a keyword begins with `keyword.`; one with a second dot only mentions the keyword.

`own_catalogue` adds a folder of one's own to the entries that ship. An entry with the id of one that is
there already takes its place as a whole; with `disabled = true` it has no other field than a note, and
that entry finds nothing from then on.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from cardlaw.ontology import data

from ..abilities.masking import NAME
from ..errors import CatalogueError
from ..model import Field, Kind, Relation

__all__ = ["Change", "Entry", "OwnCatalogue", "compiled", "load_catalogue", "own_catalogue", "read_catalogue"]

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
    added: bool = False  # by a user, beside what ships
    disabled: bool = False  # finds nothing

    def allowed(self, before: str) -> bool:
        """Whether the entry may match after this text of the ability."""
        return self.not_after is None or self.not_after.search(before) is None


class Change(Struct, frozen=True):
    """What a folder of one's own says of an entry."""

    file: str  # name of the file
    replaces: bool  # a shipped entry had this id
    disabled: bool


class OwnCatalogue(Struct, frozen=True):
    """The shipped entries as a folder of one's own changes them."""

    entries: tuple[Entry, ...]
    changes: Mapping[str, Change]  # by id of an entry of the folder
    files: tuple[Path, ...]

    def of_anchor(self, anchor: str) -> str | None:
        """The entries of the folder that an anchor is of, as one says it; None: of shipped ones alone."""
        found = [
            f"{self.changes[entry.id].file}, entry {entry.id}"
            for entry in self.entries
            if entry.id in self.changes and not entry.disabled and anchor in entry.anchors
        ]
        return "; ".join(found) or None


_ID = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_NEVER = re.compile(r"(?!)")
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
    return tuple(_entry(raw, name) for raw in _tables(text, name))


def _tables(text: str, name: str) -> tuple[dict[str, Any], ...]:
    """The [[entry]] tables of a file as they stand there."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number that Python does not read
        raise CatalogueError(f"{name} is not TOML: {error}") from None
    entries = table.get("entry", [])
    listed = isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)
    if set(table) - {"entry"} or not listed:
        raise CatalogueError(f"{name}: only [[entry]] tables may stand in it")
    return tuple(entries)


def _strings(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _check(raw: dict[str, Any], where: str) -> None:
    """Raise for a field that is missing, unknown, of the wrong type or of a value that means nothing."""
    if unknown := set(raw) - _FIELDS:
        raise CatalogueError(f"{where}: unknown field {', '.join(sorted(unknown))}")
    if missing := {name for name in ("id", "relation", "anchor", "pattern") if not raw.get(name)}:
        raise CatalogueError(f"{where}: {', '.join(sorted(missing))} is missing")
    for field, value in raw.items():
        listed = field in _LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not (isinstance(value, str) or listed):
            raise CatalogueError(f"{where}: {field} must be text{' or a list of texts' * (field in _LISTS)}")
    for field, allowed in _VALUES.items():
        for value in _strings(raw.get(field, ())):
            if value not in allowed:
                raise CatalogueError(
                    f"{where}: unknown {field} {value!r}, it can be {', '.join(filter(None, allowed))}"
                )
    if not _ID.fullmatch(raw["id"]):
        raise CatalogueError(f"{where}: an id is of small letters, digits, dots and hyphens, as zone.attic")
    form = raw["relation"] == "keyword"
    if form and "keyword" not in raw:
        raise CatalogueError(f"{where}: keyword is missing")
    if form != raw["id"].startswith("keyword."):
        raise CatalogueError(
            f"{where}: an id begins with “keyword.” if the relation is keyword, and only then"
        )
    if raw["relation"] == "ability_kind" and not raw.get("kind"):
        raise CatalogueError(f"{where}: kind is missing, without which relation ability_kind finds nothing")


def compiled(pattern: str, where: str, macros: Mapping[str, str] = {}) -> re.Pattern[str]:
    """The pattern with `<self>`, and what else `macros` names, spelled out.

    Raises:
        CatalogueError: it does not compile; `where` says which it is.
    """
    for macro, meaning in (*_MACROS.items(), *macros.items()):
        pattern = pattern.replace(macro, meaning)
    try:
        return re.compile(pattern, re.M)
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        raise CatalogueError(f"{where}: the pattern does not compile: {error}") from None


def _entry(raw: dict[str, Any], name: str) -> Entry:
    ident = raw.get("id", "?")
    where = f"{name}, entry {ident}"
    _check(raw, where)
    return Entry(
        id=ident,
        relation=raw["relation"],
        anchors=_strings(raw["anchor"]),
        pattern=compiled(raw["pattern"], where),
        literals=tuple(s.lower() for s in _strings(raw.get("literal", ()))),
        field=raw.get("field", "oracle_text"),
        parts=_strings(raw.get("part", ())),
        kinds=_strings(raw.get("kind", ())),
        frame=raw.get("frame"),
        layouts=_strings(raw.get("layout", ())),
        not_after=compiled(raw["not_after"], where) if "not_after" in raw else None,
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


def own_catalogue(folder: Path) -> OwnCatalogue:
    """The shipped entries, with those of every `*.toml` of a folder in their places or after them.

    Raises:
        CatalogueError: there is no such folder or no such file in it, an entry is faulty or stands there
            twice, or it switches off what is not shipped. The message names file and entry.
    """
    if not folder.is_dir():
        fault = "is not a folder" if folder.exists() else "does not exist"
        raise CatalogueError(f"{folder} {fault}: give a folder with *.toml files of catalogue entries")
    files = tuple(sorted(path for path in folder.iterdir() if path.suffix == ".toml" and path.is_file()))
    if not files:
        raise CatalogueError(f"{folder} holds no *.toml file: give a folder with files of catalogue entries")
    entries = {entry.id: entry for entry in load_catalogue()}
    changes: dict[str, Change] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)  # that of a pattern which will mean something else
        for file in files:
            for raw in _tables(_text(file), file.name):
                entry = _disabled(raw, file.name, entries) if "disabled" in raw else _entry(raw, file.name)
                if entry.id in changes:
                    raise CatalogueError(
                        f"{file.name}, entry {entry.id}: {changes[entry.id].file} has it already"
                    )
                if entry.id.startswith("correction."):
                    raise CatalogueError(f"{file.name}, entry {entry.id}: such ids are those of corrections")
                shipped = entry.id in entries
                changes[entry.id] = Change(file.name, shipped, entry.disabled)
                entries[entry.id] = replace(entry, added=not shipped)
    if not changes:
        raise CatalogueError(f"{folder} holds no [[entry]]: write one, or leave --catalogue out")
    return OwnCatalogue(tuple(entries.values()), changes, files)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CatalogueError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CatalogueError(f"{file.name} is no UTF-8 text: save it as UTF-8") from None


def _disabled(raw: dict[str, Any], name: str, entries: Mapping[str, Entry]) -> Entry:
    """The entry of this id so that it finds nothing; its rule and relation stay told."""
    ident = raw.get("id", "?")
    where = f"{name}, entry {ident}"
    if raw["disabled"] is not True or set(raw) - {"id", "disabled", "note"}:
        raise CatalogueError(
            f"{where}: an entry is switched off by id, disabled = true and, if you like, note"
        )
    note = raw.get("note", "")
    if not isinstance(note, str):
        raise CatalogueError(f"{where}: note must be text")
    entry = entries.get(ident) if isinstance(ident, str) else None
    if entry is None:
        near = get_close_matches(str(ident), entries, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise CatalogueError(f"{where}: no entry that ships is called so, to be switched off{hint}")
    return replace(entry, pattern=_NEVER, literals=("\0",), note=note or entry.note, disabled=True)
