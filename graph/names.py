"""What a person types to what stands in the graph: names, rule numbers, keywords, terms, prefixed names.

Exact names and slugs are looked up first, in microseconds. Only what is not found so is compared with all
names (some 38,000; a third of a second), by the letters that they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import SequenceMatcher
from heapq import nlargest
from typing import Literal as Choice
from typing import TypeAlias, cast, get_args
from weakref import WeakKeyDictionary

from msgspec import Struct
from pyoxigraph import Literal, NamedNode, QuerySolutions

from cardlaw.ontology.namespaces import BASE, PREFIXES, expand

from .errors import QueryError, SourceError
from .naming import card_node, card_slug, slug
from .queries import NamedQuery, Parameter, Term
from .store import Results, Store, layer

__all__ = ["Found", "Match", "NodeKind", "ask", "find", "one", "release", "resolve"]

NodeKind: TypeAlias = Choice[
    "card", "face", "keyword", "rule", "term", "token", "type", "ability", "citation", "entry"
]

_KINDS = get_args(NodeKind)
_NUMBER = re.compile(r"(?:cr|rule)?\s*(\d(?:\d\d(?:\.\d+[a-z]*)?)?)\.?", re.IGNORECASE)
_LABEL, _PREFERRED, _OTHER = (
    NamedNode(expand(name)) for name in ("rdfs:label", "skos:prefLabel", "skos:altLabel")
)
_ORACLE_ID = NamedNode(expand("mtg:oracleId"))
_HAS = {"printing": NamedNode(expand("mtg:hasPrinting")), "ruling": NamedNode(expand("mtg:hasRuling"))}
_OWNED = re.compile(  # a printing, a ruling or an oracle id
    rf"(?:(?:{re.escape(BASE)})?(?:(printing|ruling)[:/]))?([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}[.0-9a-f-]*)"
)
_EXAMPLES = {
    "card": "card:lightning-bolt",
    "keyword": "keyword:cycling",
    "rule": "rule:702.29",
    "release": "cr:2026-01-16",
}
_NAMES: WeakKeyDictionary[Store, list[str]] = WeakKeyDictionary()
_SLUGS: WeakKeyDictionary[Store, dict[str, list[str]]] = WeakKeyDictionary()
_LONGEST = 200  # what is typed is compared up to here
_YES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Match(Struct, frozen=True):
    """A node of the graph that a name may mean."""

    kind: NodeKind
    iri: str
    label: str  # of a face: its own name

    @property
    def card(self) -> str | None:
        """The IRI of the card or token, for one, or for a face of one."""
        if self.kind in ("card", "token"):
            return self.iri
        if self.kind == "face":
            return expand(card_node(_local(self.iri).rpartition(".")[0]))
        return None

    @property
    def is_token(self) -> bool:
        """Whether it is a token or the like, or a face of one."""
        return self.card is not None and self.card.startswith(PREFIXES["token"])


class Found(Struct, frozen=True):
    """All that a name means, cards first; if there is nothing, what looks like it, the most alike first."""

    matches: tuple[Match, ...]
    near: tuple[Match, ...] = ()


def find(store: Store, text: str, *, near: bool = True) -> Found:
    """What a name means: a card's or a face's (case, accents and punctuation do not matter), a rule number, a
    keyword, a glossary term, a type, a heading of the rulebook, a prefixed name (`rule:702.29`) or an IRI.

    Names that several cards have mean all of them; cards come first, then faces, keywords, rules, terms and
    tokens. A face of a token, such as the front of an art card, is meant only where nothing else is. A
    printing or a ruling means its card, and so does an oracle id. What looks like a name that means nothing
    takes 60 ms to be found; without `near` it is not looked for.
    """
    text = _unicode(text).strip()
    matches = _sorted(_exact(store, text))
    folded = slug(text)
    if matches or not folded or _prefixed(text) or _NUMBER.fullmatch(text):
        return Found(matches)
    alike = _by_slug(store).get(folded, ())
    if matches := _sorted(match for name in alike for match in _labeled(store, name)):
        return Found(matches)
    if not near:
        return Found(())
    likely = [name for name in _likely(folded, _names(store)) if any(_labeled(store, name))]
    looking = [match for name in _near(folded, likely) for match in _sorted(_labeled(store, name))]
    return Found((), tuple(looking))


def one(store: Store, text: str, kind: NodeKind) -> str:
    """The IRI of the node of one kind that a name means; a face's name means its card.

    Raises:
        QueryError: if there is none; the message has near misses.
    """
    found = find(store, text)
    for match in found.matches:
        if match.kind == kind:
            return match.iri
        if kind == "card" and match.card:
            return match.card
    near = (match.label for match in found.near if match.kind == kind or (kind == "card" and match.card))
    alike = [f"“{label}”" for label in dict.fromkeys(near)]
    hint = f"; did you mean {' or '.join(alike[:3])}?" if alike else ""
    where = f" in the rules of {store.info.release}" if kind == "rule" else ""
    raise QueryError(f"no {kind} “{text}”{where}{hint}")


def release(store: Store, text: str) -> str:
    """The IRI of the release of the rules that an effective date means, or an unambiguous beginning of one.

    "newest" is the one that the cards were linked by, "previous" the one before it.

    Raises:
        QueryError: the graph has no such release, or several.
    """
    every = (*store.info.history, store.info.release)
    advice = "; build it from several: cardlaw build --rules FOLDER" if len(every) < 2 else ""
    there = f"this graph has {', '.join(every)}{advice}"
    if text in ("newest", "previous"):
        meant = every[-1:] if text == "newest" else every[-2:-1]
    else:
        wanted = text.removeprefix("<").removesuffix(">").removeprefix(PREFIXES["cr"]).removeprefix("cr:")
        meant = tuple(date for date in every if wanted and date.startswith(wanted))
    if len(meant) == 1:
        return PREFIXES["cr"] + meant[0]
    if text == "previous":
        raise QueryError(f"there is no previous release of the rules: {there}")
    raise QueryError(f"“{text}” is {'several releases' if meant else 'no release'} of the rules: {there}")


def ask(store: Store, query: NamedQuery, values: Mapping[str, str] | None = None) -> Results:
    """Evaluate a query with the values of its parameters, as a person writes them.

    Raises:
        QueryError: a parameter is missing, unknown or of the wrong type, or the query does not parse.
    """
    return store.query(query.text, resolve(store, query, values or {}))


def resolve(store: Store | None, query: NamedQuery, values: Mapping[str, str]) -> dict[str, Term]:
    """The term of each parameter: names become IRIs, numbers and texts literals.

    Without a store, only prefixed names and IRIs are names.

    Raises:
        QueryError: a parameter is missing, unknown or of the wrong type.
    """
    known = {parameter.name: parameter for parameter in query.parameters}
    for name in values:
        if name not in known:
            has = f"its parameters are {', '.join(known)}" if known else "it has none"
            raise QueryError(f"{query.name} has no parameter {name!r}: {has}")
    return {name: _term(store, query, parameter, values, known) for name, parameter in known.items()}


def _term(
    store: Store | None,
    query: NamedQuery,
    parameter: Parameter,
    values: Mapping[str, str],
    known: Mapping[str, Parameter],
) -> Term:
    value = values.get(parameter.name, parameter.default)
    if value is None:
        raise QueryError(f"{query.name} needs {parameter.name}=…: {parameter.about}")
    if parameter.name not in values and value.startswith("$") and value[1:] in known:
        others = {name: other for name, other in known.items() if name != parameter.name}
        if value[1:] not in others:
            raise QueryError(f"{query.name}: the default of {parameter.name} refers to itself")
        return _term(store, query, known[value[1:]], values, others)
    match parameter.type:
        case "card" | "keyword" | "rule":
            if store is not None:
                return NamedNode(one(store, value, parameter.type))
            if (known_as := _prefixed(value)) and known_as[0] == parameter.type:
                with suppress(ValueError):
                    return NamedNode(known_as[1])
            raise QueryError(
                f"{parameter.name} of {query.name}: no graph is built here to look “{value}” up in; give a "
                f"prefixed name such as {_EXAMPLES[parameter.type]}"
            )
        case "release" if store is not None:
            return NamedNode(release(store, value))
        case "release" if re.fullmatch(r"cr:\d{4}-\d\d-\d\d", value):
            return NamedNode(PREFIXES["cr"] + value[3:])
        case "integer" if re.fullmatch(r"[0-9]{1,9}", value):
            return Literal(int(value))
        case "boolean" if value.lower() in _YES:
            return Literal(_YES[value.lower()])
        case "choice" if value in parameter.choices:
            return Literal(value)
        case "text":
            return Literal(_unicode(value))
    wanted = {
        "integer": "a whole number",
        "boolean": "true or false",
        "release": f"a release such as {_EXAMPLES['release']} where no graph is built here",
    }.get(parameter.type, f"one of {', '.join(parameter.choices)}")
    raise QueryError(f"{parameter.name} of {query.name} is {wanted}, not {value!r}")


def _prefixed(text: str) -> tuple[NodeKind, str] | None:
    """Kind and IRI, if the text is a prefixed name or an IRI of the data."""
    prefix, colon, local = text.partition(":")
    iri = text.removeprefix("<").removesuffix(">")
    if not iri.startswith(BASE):
        iri = PREFIXES[prefix] + local if colon and prefix in _KINDS else ""
    kind = _kind(iri)
    return (kind, iri) if kind else None


def _exact(store: Store, text: str) -> Iterator[Match]:
    if known := _prefixed(text):
        yield from _there(store, *known)
        return
    if owned := _OWNED.fullmatch(text):
        yield from _owners(store, *owned.groups())
        return
    folded = slug(text)
    with suppress(SourceError):  # a name without letters
        yield from _there(store, "card", PREFIXES["card"] + card_slug(text))
    for name in dict.fromkeys((text, text.title())):
        yield from _labeled(store, name)
    if number := _NUMBER.fullmatch(text):
        yield from _there(store, "rule", PREFIXES["rule"] + number[1].lower())
    if folded:
        for local in (folded, f"{folded}.action"):
            yield from _there(store, "keyword", PREFIXES["keyword"] + local)
        yield from _there(store, "term", PREFIXES["term"] + folded)
        yield from _there(store, "type", PREFIXES["type"] + folded)


def _owners(store: Store, kind: str | None, local: str) -> Iterator[Match]:
    """The card of a printing, a ruling or an oracle id."""
    if kind is None:
        yield from _there(store, "token", PREFIXES["token"] + local)
        found = store.quads.quads_for_pattern(None, _ORACLE_ID, Literal(local), layer("cards"))
    else:
        owned = NamedNode(PREFIXES[kind] + local)
        found = store.quads.quads_for_pattern(None, _HAS[kind], owned, None)
    for quad in found:
        iri = cast(NamedNode, quad.subject).value
        if owner := _kind(iri):
            yield from _there(store, owner, iri)


def _labeled(store: Store, name: str) -> Iterator[Match]:
    """Cards and faces of that very name; keywords, terms and rules of that heading."""
    for predicate, graph in ((_LABEL, "cards"), (_PREFERRED, "rules"), (_OTHER, "rules")):
        for quad in store.quads.quads_for_pattern(None, predicate, Literal(name), layer(graph)):
            iri = cast(NamedNode, quad.subject).value
            if kind := _kind(iri):
                yield Match(kind, iri, name)


def _there(store: Store, kind: NodeKind, iri: str) -> Iterator[Match]:
    """The node, if the graph has it."""
    try:
        node = NamedNode(iri)
    except ValueError:
        return
    for quad in store.quads.quads_for_pattern(node, _LABEL, None, None):
        yield Match(kind, iri, cast(Literal, quad.object).value)
        return


def _sorted(matches: Iterable[Match]) -> tuple[Match, ...]:
    """By kind and IRI, each node once; a face is left out where its card is there."""
    nodes = {
        match.iri: match for match in sorted(matches, key=lambda match: (_KINDS.index(match.kind), match.iri))
    }
    found = [match for match in nodes.values() if match.kind != "face" or match.card not in nodes]
    others = [match for match in found if not (match.kind == "face" and match.is_token)]
    return tuple(others or found)


def _kind(iri: str) -> NodeKind | None:
    kind = iri.removeprefix(BASE).partition("/")[0] if iri.startswith(BASE) else ""
    return next((known for known in _KINDS if known == kind), None)


def _names(store: Store) -> list[str]:
    """All names of cards, faces, keywords and terms, and all headings, those of sets and formats among them.

    A query decodes only these strings; to leave the others out would take it five times longer. They are
    kept as long as the store is.
    """
    names = _NAMES.get(store)
    if names is None:
        rows = store.query(
            "SELECT DISTINCT ?name WHERE { { GRAPH layer:cards { ?node rdfs:label ?name } } UNION "
            "{ GRAPH layer:rules { ?node skos:prefLabel|skos:altLabel ?name } } }"
        )
        names = _NAMES[store] = [row[0].value for row in cast(QuerySolutions, rows)]
    return names


def _by_slug(store: Store) -> dict[str, list[str]]:
    """The same names by their slugs: what case, accents and punctuation do not tell apart."""
    slugs = _SLUGS.get(store)
    if slugs is None:
        slugs = _SLUGS[store] = {}
        for name in _names(store):
            slugs.setdefault(slug(name), []).append(name)
    return slugs


def _likely(folded: str, names: list[str]) -> list[str]:
    """The sixty names that share most pairs of letters with a slug, for their length."""
    words = folded[:_LONGEST].replace("-", " ")
    pairs = {words[at : at + 2] for at in range(len(words) - 1)}

    def shared(name: str) -> float:
        lower = name.lower()
        return sum(pair in lower for pair in pairs) / (len(pairs) + len(lower))

    return nlargest(60, names, key=shared)


def _near(folded: str, names: list[str]) -> list[str]:
    """At most five of the names, the most alike first."""
    matcher = SequenceMatcher(None, "", folded[:_LONGEST], autojunk=False)

    def alike(name: str) -> float:
        other = slug(name)
        matcher.set_seq1(other)
        inside = 0.3 if folded in other else 0.0  # “Cyclon” for “Unpredictable Cyclone”
        return matcher.ratio() + inside

    scores = ((alike(name), name) for name in names)
    return [name for score, name in nlargest(5, scores) if score >= 0.65]


def _unicode(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise QueryError(f"{text!r} is no valid text (UTF-8)") from None
    return text


def _local(iri: str) -> str:
    return iri.rpartition("/")[2]
