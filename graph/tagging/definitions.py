"""What proves a tag, as data: `ontology/tags/*.toml`, in the manner of the citation catalogue.

A definition names the catalogue entries one of which an ability has to cite and, where that is not enough, a
pattern that has to be found in the ability's own words: names and reminder text blanked, sentence starts
lowered (`abilities.masking`), and without the abilities that it grants. The evidence is the last named group
that took part in the match, else the whole match; without a pattern it is the words of the citation. What
a tag means to a reader stands in `ontology/facets.ttl`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from typing import Any, get_args

from msgspec import Struct

from cardlaw.ontology import data

from ..errors import CatalogueError
from ..linking.catalogue import compiled
from ..model import Kind, Relation, Span

__all__ = [
    "CreatureTypes",
    "Definition",
    "creature_types",
    "load_definitions",
    "read_definitions",
    "type_names",
]

_REACH = 300  # characters before a match that `not_after` reads
_BEFORE_SENTENCE = '.\n•:"'
_SENTENCE_END = re.compile(r"[.\n\"]")
_TYPE_NAME = "<creature type>"
_CAPITAL = re.compile(r"[A-Z][a-z]+")
_LISTS = {"cites", "literal", "with", "without", "relation", "kind", "part", "types", "not_types"}
_TEXTS = {"tag", "id", "pattern", "not", "not_after", "note", "example", "type_line"}
_VALUES: dict[str, tuple[str, ...]] = {
    "relation": get_args(Relation),
    "kind": get_args(Kind),
    "part": ("cost", "event", "condition", "effect"),
}
_NO_PROOF: tuple[Relation, ...] = ("loses_keyword", "mentions_keyword")
_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirteen|twenty|[xX]|\d+|that many|"
    r"any number of|up to \w+|one or more|another|the|that|those|as many|a number of|twice that many)"
)


class Definition(Struct, frozen=True, kw_only=True):
    """One way to prove a tag; a tag may have several."""

    tag: str  # "ability.draw"
    facet: str  # "ability"
    id: str  # "ability.draw", or with a further name: "ability.draw.keyword"
    cites: frozenset[str]  # ids of catalogue entries, one of which is cited outside reminder text
    also: frozenset[str] = frozenset()  # and one of these
    without: frozenset[str] = frozenset()  # and none of these
    relations: frozenset[str] = frozenset()  # of the citation
    kinds: frozenset[str] = frozenset()  # of the ability
    part: tuple[str, ...] = ()  # of the ability, in which the words stand
    types: frozenset[str] = frozenset()  # one of these stands on the type line
    not_types: frozenset[str] = frozenset()
    literals: tuple[str, ...] = ()  # one of them stands in every match: the pattern is tried only with it
    names_type: bool = False  # or the name of a creature type does
    pattern: re.Pattern[str] | None = None
    exclude: re.Pattern[str] | None = None  # must not be found in the sentence of the match
    not_after: re.Pattern[str] | None = None  # the words before the match must not end with this
    note: str = ""
    example: str = ""  # the evidence between ⟦ and ⟧
    type_line: str = ""  # that the example stands under

    def may_hold(self, text: str) -> bool:
        """Whether the text has words without which the pattern cannot be found in it."""
        for literal in self.literals:
            if literal in text:
                return True
        return not self.literals or (self.names_type and _names_type(text))

    def find(self, text: str, low: int, high: int) -> Span | None:
        """Where the evidence stands in `text[low:high]`."""
        assert self.pattern is not None
        for match in self.pattern.finditer(text, low, high):
            start, end = match.span(match.lastgroup or 0)
            if self.not_after is not None and self.not_after.search(text[max(low, start - _REACH) : start]):
                continue
            if self.exclude is not None:
                begin = max(low, *(text.rfind(mark, low, start) + 1 for mark in _BEFORE_SENTENCE))
                closed = _SENTENCE_END.search(text, end, high)
                if self.exclude.search(text, begin, closed.start() if closed else high):
                    continue
            return start, end
        return None


class CreatureTypes(Struct, frozen=True):
    """Which creature types say what a creature is, and which what it does."""

    kinds: frozenset[str]
    classes: frozenset[str]

    def facet(self, name: str) -> str:
        """ "kind", "class", or "type" of a subtype that is no creature type."""
        return "class" if name in self.classes else "kind" if name in self.kinds else "type"


@cache
def creature_types() -> CreatureTypes:
    """The division of `ontology/creaturetypes.toml`."""
    table = tomllib.loads(data("creaturetypes.toml").read_text(encoding="utf-8"))
    return CreatureTypes(frozenset(table["kinds"]), frozenset(table["classes"]))


def read_definitions(text: str, *, name: str) -> tuple[Definition, ...]:
    """The definitions of one TOML file.

    Raises:
        CatalogueError: not TOML, a field missing or unknown, a pattern that does not compile.
    """
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise CatalogueError(f"{name} is not TOML: {error}") from None
    listed = table.get("tag", [])
    if set(table) - {"tag"} or not isinstance(listed, list) or not all(isinstance(t, dict) for t in listed):
        raise CatalogueError(f"{name}: only [[tag]] tables may stand in it")
    return tuple(_definition(raw, name) for raw in listed)


def load_definitions(folder: Traversable | None = None) -> tuple[Definition, ...]:
    """Every definition of a folder of TOML files, by file name, then in file order; default: `ontology/tags`.

    Raises:
        CatalogueError: see `read_definitions`; or two definitions with the same id.
    """
    folder = data("tags") if folder is None else folder
    found: list[Definition] = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            found += read_definitions(file.read_text(encoding="utf-8"), name=file.name)
    seen: set[str] = set()
    for definition in found:
        if definition.id in seen:
            raise CatalogueError(f"two definitions of tags are called {definition.id}")
        seen.add(definition.id)
    return tuple(found)


def _definition(raw: dict[str, Any], name: str) -> Definition:
    ident = raw.get("id", "?")
    where = f"{name}, tag {ident}"
    _check(raw, where)
    named = ".".join(ident.split(".")[:2])
    return Definition(
        tag=named,
        facet=named.partition(".")[0],
        id=ident,
        cites=_set(raw, "cites"),
        also=_set(raw, "with"),
        without=_set(raw, "without"),
        relations=_set(raw, "relation") or frozenset(get_args(Relation)).difference(_NO_PROOF),
        kinds=_set(raw, "kind"),
        part=_strings(raw.get("part", ())),
        types=_set(raw, "types"),
        not_types=_set(raw, "not_types"),
        literals=tuple(word for word in _strings(raw.get("literal", ())) if word != _TYPE_NAME),
        names_type=_TYPE_NAME in _strings(raw.get("literal", ())),
        pattern=_pattern(raw, "pattern", where),
        exclude=_pattern(raw, "not", where),
        not_after=_pattern(raw, "not_after", where),
        note=raw.get("note", ""),
        example=raw.get("example", ""),
        type_line=raw.get("type_line", ""),
    )


def _check(raw: dict[str, Any], where: str) -> None:
    if unknown := set(raw) - _LISTS - _TEXTS:
        raise CatalogueError(f"{where}: unknown field {', '.join(sorted(unknown))}")
    if missing := {field for field in ("id", "cites", "example") if not raw.get(field)}:
        raise CatalogueError(f"{where}: {', '.join(sorted(missing))} is missing")
    for field, value in raw.items():
        many = field in _LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not (isinstance(value, str) or many):
            raise CatalogueError(f"{where}: {field} must be text{' or a list of texts' * (field in _LISTS)}")
    for field, allowed in _VALUES.items():
        for value in _strings(raw.get(field, ())):
            if value not in allowed:
                raise CatalogueError(f"{where}: unknown {field} {value!r}, it can be {', '.join(allowed)}")
    if not re.fullmatch(r"[a-z]+(?:\.[a-z0-9-]+){1,2}", raw["id"]):
        raise CatalogueError(f"{where}: an id is facet.name or facet.name.way, of small letters")


def _strings(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _set(raw: dict[str, Any], field: str) -> frozenset[str]:
    return frozenset(_strings(raw.get(field, ())))


def _pattern(raw: dict[str, Any], field: str, where: str) -> re.Pattern[str] | None:
    return compiled(raw[field], where, _macros()) if field in raw else None


@cache
def _macros() -> dict[str, str]:
    types = creature_types()
    names = sorted(types.kinds | types.classes, key=lambda name: (-len(name), name))
    return {
        "<n>": _COUNT,
        _TYPE_NAME: f"(?=[A-Z])(?:{'|'.join(_inflected(names))})",
    }


@lru_cache(64)  # the definitions of an ability ask for the same text
def _names_type(text: str) -> bool:
    return not _type_words().isdisjoint(_CAPITAL.findall(text))


@cache
def type_names() -> Mapping[str, str]:
    """Written forms of the creature types, singular and plural, by which a text names them → names."""
    types = creature_types()
    found = {"Mice": "Mouse", "Oxen": "Ox", "Fungi": "Fungus"}
    for name in sorted(types.kinds | types.classes):
        endings = {"y": ("ies", "ys"), "f": ("ves",)}.get(name[-1], ())
        plurals = (f"{name}s", f"{name}es", *(name[:-1] + ending for ending in endings))
        found |= dict.fromkeys((name, *plurals), name)
    return found


@cache
def _type_words() -> frozenset[str]:
    return frozenset(match[0] for form in type_names() if (match := _CAPITAL.match(form)))


def _inflected(names: Iterable[str]) -> Iterable[str]:
    """A pattern for the singular and the plural of each creature type."""
    irregular = {"Mouse": "M(?:ouse|ice)", "Ox": "Ox(?:en)?", "Fungus": "Fung(?:us|i)"}
    for name in names:
        if name in irregular:
            yield irregular[name]
        elif name.endswith("y"):
            yield f"{name[:-1]}(?:y|ies|ys)"
        elif name.endswith("lf") or name in ("Dwarf",):
            yield f"{name[:-1]}(?:f|ves)"
        else:
            yield f"{name.replace('’', chr(39))}(?:e?s)?"
