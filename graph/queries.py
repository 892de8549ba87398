"""SPARQL query texts: their headers, parameters and what no query may do; nothing here opens a store.

A named query is a file `ontology/queries/NAME.rq` that begins with comment lines

    # title: Cards that invoke a rule
    # description: One or more sentences; a line that begins with “#   ” goes on with the one above.
    # parameter: rule rule – a rule number such as 702.29
    # parameter: limit integer = 100 – how many rows
    # start: 2 rule=702.29

A parameter is `NAME TYPE [= DEFAULT] – MEANING`; in the query it is the variable `$NAME`, and no other
variable is called so. A default `$other` means the value of that parameter. Values replace the variable token
by token, each as one serialized RDF term, so nothing that a value holds can become part of the query
(SPARQL 1.1, 19.8). A `start` line gives a query its place among those to start from, with values for it.

pyoxigraph has no switch for SERVICE and would fetch from any host, so `refuse_service` reads the text
first. SPARQL cannot be cut into tokens without its grammar (`<` opens an IRI or compares), so every
reading is followed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal as Choice
from typing import TypeAlias, cast, get_args

from msgspec import Struct
from pyoxigraph import Literal, NamedNode

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES

from .errors import QueryError

__all__ = [
    "NamedQuery",
    "Parameter",
    "ParameterType",
    "Term",
    "bind",
    "declared",
    "has_dataset",
    "is_update",
    "load_query",
    "named_queries",
    "parse_query",
    "prefixed_names",
    "refuse_depth",
    "refuse_service",
    "spell_out",
    "with_prefixes",
]

_DEEPEST = 1000
_QUOTED = re.compile(r"<[^<>\s]*>|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*")
_BRACKETS = re.compile(r"[(){}\[\]]")
_OPERATORS = re.compile(r"!|\|\||&&|[+*/-](?=\s*[\d(?$])|\bUNION\b", re.I)

Term: TypeAlias = NamedNode | Literal
"""What a parameter is replaced by."""

ParameterType: TypeAlias = Choice[
    "card", "keyword", "rule", "release", "text", "integer", "boolean", "choice"
]
"""The first four are names that resolve to IRIs; see `cardlaw.graph.names.ask`."""


_TYPES = [name for name in get_args(ParameterType) if name != "choice"]


class Parameter(Struct, frozen=True, kw_only=True):
    """One parameter of a query."""

    name: str
    type: ParameterType
    choices: tuple[str, ...] = ()  # of a "choice", written `has|grants`
    default: str | None = None  # as a user would write it; "$other" is the value of another; None: required
    about: str = ""


class NamedQuery(Struct, frozen=True, kw_only=True):
    """A query with what its header says."""

    name: str  # "cards-by-rule"
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    text: str  # the whole file
    start: int | None = None  # its place among the queries to start from
    example: tuple[tuple[str, str], ...] = ()  # values for parameters, if it is one of these

    @property
    def body(self) -> str:
        """The text without its header."""
        return re.sub(r"\A(?:#[^\n]*\n)*\s*", "", self.text)


_IRI = r'<[^<>"{}|^`\x00-\x20]*+>'
_LONG = r"'''(?:'{0,2}(?:[^'\\]|\\.))*+'''|" + r'"""(?:"{0,2}(?:[^"\\]|\\.))*+"""'
_SHORT = r"'(?:[^'\\\r\n]|\\.)*+'|" + r'"(?:[^"\\\r\n]|\\.)*+"'
_NAME_PART = r"(?:\\.|[^\s<{}#\\:]){0,2000}+"
_REST = r"(?:\\.|[^\s<{}#\\]){0,2000}+"
_ENDLESS = r"(?:\\.|[^\s<{}#\\:]){2000}+"
_GAP = r"(?:\s|#[^\r\n]*+(?:[\r\n]|\Z))*+"

_TOKEN = re.compile(
    rf"{_IRI}|{_LONG}|{_SHORT}|#[^\r\n]*|[?$](?P<variable>\w+)|@[\w-]+|(?:[^\W\d]|:)(?:[\w:.%-]|\\.)*|\\.",
    re.DOTALL,
)
_CALL = re.compile(  # wider than the grammar: any word with a colon is a prefixed name, any endless one too
    rf"service{_GAP}(?:silent{_GAP})?"
    rf"(?:(?:{_IRI}|[?$]\w++){_GAP}\{{|{_NAME_PART}:{_REST}(?:{_GAP}\{{|[^\s<{{}}#])|{_ENDLESS})",
    re.IGNORECASE | re.DOTALL,
)
_OPAQUE = {
    "#": (re.compile(r"#[^\r\n]*"),),
    "<": (re.compile(_IRI),),
    "'": (re.compile(_LONG, re.DOTALL), re.compile(_SHORT, re.DOTALL)),
    '"': (re.compile(_LONG, re.DOTALL), re.compile(_SHORT, re.DOTALL)),
}

_DOTTED = re.compile(r":[\w-]*+\.[\w:-]*+\.[\w:-]")
_PLAIN = re.compile(r"[\w.:-]+")
_UPDATES = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD"})

_INTEGER = NamedNode(PREFIXES["xsd"] + "integer")

_HEADER = re.compile(r"#\s?(?P<key>title|description|parameter|start):\s*(?P<value>.*)")
_MORE = re.compile(r"#\s{2,}(?P<value>\S.*)")
_PARAMETER = re.compile(
    r"(?P<name>\w+)\s+(?P<type>[\w|]+)(?:\s*=\s*(?P<default>.*?))?(?:\s+[–-]\s+(?P<about>.*))?"
)


def refuse_depth(sparql: str) -> None:
    """Refuse a query nested so deeply that Oxigraph's parser would run out of stack, which ends the process.

    Raises:
        QueryError: more than `_DEEPEST` brackets inside one another, or as many operators in all.
    """
    if len(sparql) <= _DEEPEST:
        return
    text = _QUOTED.sub(" ", sparql)
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        depth = depth + 1 if bracket in "({[" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    if deepest > _DEEPEST or sum(1 for _ in _OPERATORS.finditer(text)) > _DEEPEST:
        raise QueryError(f"the query is nested too deeply: at most {_DEEPEST:,} brackets or operators")


def refuse_service(text: str) -> None:
    """Raise `QueryError` if the query may call another endpoint (SPARQL 1.1 Federated Query).

    The word in strings, IRIs and comments is harmless and passes. Where the text can be read in two ways
    (`?a <?b …`), both are followed, and one with a call is enough to refuse.
    """
    if "service" not in text.lower():
        return
    reached = bytearray(len(text) + 2)  # offsets at which a token may begin
    reached[0] = 1
    for at, character in enumerate(text):
        if not reached[at]:
            continue
        if character in "sS" and _CALL.match(text, at):
            line = text.count("\n", 0, at) + 1
            raise QueryError(f"SERVICE is not allowed (line {line}): ask the other endpoint itself")
        if character == "\\":  # an escaped character of a prefixed name opens no comment and no string
            reached[at + 2] = 1
            continue
        forms = _OPAQUE.get(character, ())
        match = next((match for form in forms if (match := form.match(text, at))), None)
        if match is not None:
            reached[match.end()] = 1
        if match is None or character == "<":
            reached[at + 1] = 1


def has_dataset(text: str) -> bool:
    """Whether the query says itself, by FROM, which graphs it reads (SPARQL 1.1, 13.2)."""
    return "from" in text.lower() and "FROM" in _words(text)


def is_update(text: str) -> bool:
    """Whether the text is a SPARQL 1.1 Update request rather than a query."""
    return not _UPDATES.isdisjoint(_words(text))


def _words(text: str) -> set[str]:
    return {match.group().upper() for match in _TOKEN.finditer(text)}


def bind(text: str, terms: Mapping[str, Term]) -> str:
    """The query with each variable that `terms` names replaced by its term, outside strings and comments.

    Raises:
        QueryError: if a variable of `terms` does not occur in the query.
    """
    used: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        name = match["variable"]
        if name is None or name not in terms:
            return match.group()
        used.add(name)
        return _token(terms[name])

    bound = _TOKEN.sub(replace, text)
    if missing := sorted(terms.keys() - used):
        raise QueryError(f"the query has no variable ${missing[0]}")
    return bound


def prefixed_names(text: str) -> Iterator[tuple[str, str]]:
    """Prefix and local name of each prefixed name in a query, each once."""
    seen = dict.fromkeys(match.group() for match in _TOKEN.finditer(text) if match["variable"] is None)
    for token in seen:
        if re.match(r"[^\W\d]|:", token) and ":" in token:
            prefix, _, local = token.partition(":")
            yield prefix, local.rstrip(".")


def with_prefixes(text: str) -> str:
    """The query with our prefixes that it uses declared, on its first line; its own declarations win."""
    used = dict.fromkeys(prefix for prefix, _ in prefixed_names(text) if prefix in PREFIXES)
    return "".join(f"PREFIX {prefix}: <{PREFIXES[prefix]}> " for prefix in used) + text


def declared(text: str) -> set[str]:
    """The prefixes that a query declares."""
    return {match[1] for match in re.finditer(r"\bprefix\s+([\w.-]*):", text, re.IGNORECASE)}


def spell_out(text: str) -> str:
    """The query with each prefixed name of our own that has more than one dot written as an IRI.

    `ability:fire-ice.1.2` is a name by the grammar (SPARQL 1.1, PN_LOCAL) that pyoxigraph 0.5.13 does not
    parse. A prefix that the query declares itself is left alone.
    """
    if _DOTTED.search(text) is None:
        return text
    own = declared(text)

    def replace(match: re.Match[str]) -> str:
        prefix, _, local = match.group().partition(":")
        name = local.rstrip(".")
        if name.count(".") < 2 or prefix in own or prefix not in PREFIXES or not _PLAIN.fullmatch(name):
            return match.group()
        return f"<{PREFIXES[prefix]}{name}>{local[len(name) :]}"

    return _TOKEN.sub(replace, text)


def _token(term: Term) -> str:
    """The term as SPARQL; an integer bare, as LIMIT wants it."""
    if isinstance(term, Literal) and re.fullmatch(r"[0-9]+", term.value) and term.datatype == _INTEGER:
        return f" {term.value} "
    return str(term)


def parse_query(text: str, name: str) -> NamedQuery:
    """Read the header of a query; one without a header has its name as title and no parameters.

    Raises:
        QueryError: if a parameter line is not `NAME TYPE [= DEFAULT] – MEANING` with a known type.
    """
    fields: list[list[str]] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if match := _HEADER.fullmatch(line.rstrip()):
            fields.append([match["key"], match["value"]])
        elif fields and (more := _MORE.fullmatch(line.rstrip())):
            fields[-1][1] += " " + more["value"]
    known = {key: value for key, value in fields if key != "parameter"}
    start, *example = shlex.split(known.get("start", "")) or [""]
    return NamedQuery(
        name=name,
        title=known.get("title", name),
        description=known.get("description", ""),
        parameters=tuple(_parameter(value, name) for key, value in fields if key == "parameter"),
        text=text,
        start=int(start) if start.isdecimal() else None,
        example=tuple((name, value) for name, _, value in (each.partition("=") for each in example)),
    )


def _parameter(line: str, query: str) -> Parameter:
    match = _PARAMETER.fullmatch(line)
    if match is None or not ("|" in match["type"] or match["type"] in _TYPES):
        raise QueryError(
            f"{query}: the parameter line “{line}” is not NAME TYPE [= DEFAULT] – MEANING "
            f"with a type of {', '.join(_TYPES)} or ONE|OTHER"
        )
    choices = tuple(match["type"].split("|")) if "|" in match["type"] else ()
    return Parameter(
        name=match["name"],
        type="choice" if choices else cast(ParameterType, match["type"]),
        choices=choices,
        default=match["default"],
        about=match["about"] or "",
    )


def named_queries() -> dict[str, NamedQuery]:
    """The queries that ship with the project, by name in alphabetical order."""
    files = (file for file in data("queries").iterdir() if file.name.endswith(".rq"))
    return {
        (name := file.name.removesuffix(".rq")): _read(file, name)
        for file in sorted(files, key=lambda file: file.name)
    }


def load_query(name: str) -> NamedQuery:
    """A named query, or the query in the file at the path `name` (`.rq`, or any path with a dot or slash).

    Raises:
        QueryError: if there is neither, or the file is no UTF-8 text.
    """
    if re.fullmatch(r"[\w-]+", name) and (shipped := _shipped(name)):
        return shipped
    path = Path(name)
    if path.is_file():
        return _read(path, path.stem)
    if path.is_dir():
        raise QueryError(f"{name} is a folder: give a file with a query, or the name of a query")
    near = " or ".join(get_close_matches(name, named_queries(), 3))
    hint = f"did you mean {near}? " if near else ""
    raise QueryError(f"no query and no file is called {name}: {hint}`cardlaw query` lists the queries")


@cache
def _shipped(name: str) -> NamedQuery | None:
    file = data("queries", f"{name}.rq")
    return _read(file, name) if file.is_file() else None


def _read(file: Traversable | Path, name: str) -> NamedQuery:
    try:
        return parse_query(file.read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read the query {name!r}: {error}") from error
