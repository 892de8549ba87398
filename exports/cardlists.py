"""Lists of cards that have to do with a rule, a keyword or a type, each with the words that say so; filtered.

What ties cards to a rule is read from `layer:abilities` and remembered for the rules asked for last; names,
types and quotes are looked up for the cards of one page only. So the 19,034 cards of CR 302 take 0.3 s at
first and then 0.03 s. What a filter needs of all cards (color identities, type lines, texts) is read when the
first such filter comes, about 0.5 s each at 35,000 cards.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from msgspec import Struct
from pyoxigraph import Literal as RdfLiteral
from pyoxigraph import NamedNode, QueryResultsFormat, QuerySolutions

from cardlaw.graph.facts import Facts, Reader, local, node
from cardlaw.graph.model import Relation
from cardlaw.graph.naming import slug
from cardlaw.graph.sources.wording import normalize
from cardlaw.graph.store import Store, layer
from cardlaw.graph.triples import RELATION_PROPERTIES, citation_name
from cardlaw.ontology.namespaces import MTG, PREFIXES

__all__ = [
    "COLORS",
    "MODES",
    "PER_PAGE",
    "CardLists",
    "Listed",
    "Quote",
    "Tie",
    "Ties",
    "Wanted",
    "card_of",
    "relations",
]

PER_PAGE = 50
COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
"""Colors as a color identity has them (CR 105.1), in their order."""

Mode: TypeAlias = Literal["within", "with", "exactly"]
MODES: Mapping[Mode, str] = {"within": "at most these", "with": "at least these", "exactly": "exactly these"}

_KEPT = 64  # lists that are remembered
_QUOTES = 5  # of a card that are shown
_CONTEXT = 44  # characters on either side of a quote
_LONGEST = 100  # characters of a filter
_CITED = re.compile(r"(.+)\.c([0-9.]+[a-z]?)-([a-z-]+)")
_PLACE = re.compile(r"(?:\.\d+)+\Z")
_TOKEN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_KEYWORD_RELATIONS: Sequence[Relation] = (
    "has_keyword",
    "grants_keyword",
    "loses_keyword",
    "mentions_keyword",
)


class Tie(NamedTuple):
    """That a face or ability has to do with a rule."""

    holder: str  # local name of the face or ability
    rule: str  # number; empty where there is nothing to quote
    relation: str


Ties: TypeAlias = Mapping[str, Sequence[Tie]]
"""Slug of a card → its ties, in the order of the slugs."""


class Wanted(Struct, frozen=True, kw_only=True):
    """What is asked of a list."""

    relation: str = ""
    colors: tuple[str, ...] = ()  # of the color identity; "C" alone: none
    mode: Mode = "within"
    type: str = ""  # beginnings of words of the type line
    text: str = ""  # parts of the name or the oracle text
    subrules: bool | None = None  # None: yes, where there are any
    page: int = 1

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Wanted:
        """As the parameters of an address say; what has no meaning is left out."""
        given: dict[str, list[str]] = {}
        for name, value in pairs:
            given.setdefault(name, []).append(value.strip()[:_LONGEST])

        def last(name: str) -> str:
            return given.get(name, [""])[-1]

        number = last("page")
        subrules = last("subrules")
        return cls(
            relation=last("relation"),
            colors=tuple(color for color in (*COLORS, "C") if color in given.get("color", ())),
            mode=cast(Mode, last("mode")) if last("mode") in get_args(Mode) else "within",
            type=last("type"),
            text=last("text"),
            subrules={"yes": True, "no": False}.get(subrules),
            page=int(number) if re.fullmatch(r"[0-9]{1,6}", number) and int(number) else 1,
        )

    def pairs(self, page: int = 1) -> list[tuple[str, str]]:
        """The parameters that say it, for another page."""
        subrules = [] if self.subrules is None else [("subrules", "yes" if self.subrules else "no")]
        found = [
            ("relation", self.relation),
            *(("color", color) for color in self.colors),
            ("mode", self.mode if self.colors and self.mode != "within" else ""),
            ("type", self.type),
            ("text", self.text),
            *subrules,
            ("page", str(page) if page > 1 else ""),
        ]
        return [(name, value) for name, value in found if value]

    @property
    def is_filter(self) -> bool:
        return bool(self.relation or self.colors or self.type or self.text)


class Quote(NamedTuple):
    """The words that prove a tie."""

    before: str  # what stands before them, shortened
    words: str
    after: str
    rule: str
    relation: str


class Listed(NamedTuple):
    """A card in a list."""

    name: str
    iri: str
    type_line: str
    quotes: Sequence[Quote]
    more: int  # quotes that are left out


class CardLists:
    """The lists of a graph; may be asked from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reader = Reader(store)
        self._lock = threading.Lock()
        self._known: dict[tuple[str, bool], Ties] = {}

    def of_rule(self, number: str, *, subrules: bool) -> Ties:
        """The cards that invoke a rule or, if wanted, one under it; as `mtg:citesRule`, without reminders."""
        return self._remembered((number, subrules), lambda: self._rule(number, subrules))

    def of_keyword(self, iri: str, rule: str, *, action: bool) -> Ties:
        """The cards that have to do with a keyword that `rule` defines."""
        if action:
            node, properties = PREFIXES["rule"] + rule, _properties(["keyword_action"])
        else:
            node, properties = iri, {_camel(relation): relation for relation in _KEYWORD_RELATIONS}
        return self._remembered((iri, False), lambda: _sorted(self.ties(node, rule, properties)))

    def of_type(self, iri: str) -> Ties:
        """The cards with a word in their type line."""
        return self._remembered((iri, False), lambda: _sorted(self.ties(iri, "", {"hasType": ""}, "cards")))

    def of_tag(self, iri: str) -> Ties:
        """The cards with a tag or one under it, each with the citations that prove it; of a theme, those
        that it was inferred of."""
        return self._remembered((iri, False), lambda: _sorted(self._tagged(iri)))

    def _tagged(self, iri: str) -> Iterator[tuple[str, Tie]]:
        waiting = [iri]
        while waiting:
            tag = waiting.pop()
            waiting += self._reader.subjects("skos:broader", tag)
            for citation in self._reader.subjects("provesTag", tag):
                if match := _CITED.fullmatch(local(citation)):
                    holder, rule, relation = match.groups()
                    yield card_of(holder), Tie(holder, rule, relation.replace("-", "_"))
            for card in map(local, self._reader.subjects("hasTag", tag)):
                yield card, Tie(card, "", "")
            for inference in self._reader.subjects("concludes", tag):
                card = local(self._reader.facts(inference).need("about"))
                yield card, Tie(card, "", "")

    def _remembered(self, key: tuple[str, bool], read: Callable[[], Ties]) -> Ties:
        with self._lock:
            found = self._known.pop(key, None)
        if found is None:
            found = read()
        with self._lock:
            self._known[key] = found
            while len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        return found

    def _rule(self, number: str, subrules: bool) -> Ties:
        properties = _properties(RELATION_PROPERTIES)

        def found() -> Iterator[tuple[str, Tie]]:
            waiting = [PREFIXES["rule"] + number]
            while waiting:
                iri = waiting.pop()
                if subrules:
                    waiting += self._reader.subjects("skos:broader", iri)
                if "cardCount" in self._reader.facts(iri):  # which one rule in ten has
                    yield from self.ties(iri, local(iri), properties)

        return _sorted(found())

    def ties(
        self, iri: str, rule: str, properties: Mapping[str, str], name: str = "abilities"
    ) -> Iterator[tuple[str, Tie]]:
        """Cards whose faces or abilities have a property with a value, each with how.

        Half as slow as look-ups by pattern: nothing but text comes out of the store.

        Args:
            iri: the value.
            rule: what is cited, to find the citation by; empty: nothing.
            properties: local name of a property → relation.
            name: of the layer.
        """
        wanted = " ".join(f"mtg:{property_}" for property_ in properties)
        pattern = f"VALUES ?how {{ {wanted} }} GRAPH layer:{name} {{ ?holder ?how <{iri}> }}"
        rows = cast(QuerySolutions, self._store.query(f"SELECT ?holder ?how {{ {pattern} }}"))
        table = rows.serialize(format=QueryResultsFormat.TSV) or b""
        for line in table.decode().splitlines()[1:]:
            subject, _, how = line.partition("\t")
            holder = subject[1:-1].rpartition("/")[2]
            card = card_of(holder)
            if card != holder:  # else it is a card, which says again what its abilities say
                yield card, Tie(holder, rule, properties[how[1:-1].removeprefix(MTG)])

    def chosen(self, ties: Ties, wanted: Wanted) -> list[str]:
        """The cards of a list that a filter lets through."""
        cards: Iterable[str] = ties
        if relation := wanted.relation:
            cards = [card for card in cards if any(tie.relation == relation for tie in ties[card])]
        if wanted.colors:
            colors = frozenset(wanted.colors) - {"C"}
            cards = [card for card in cards if _fits(self._identities.get(card), colors, wanted.mode)]
        if words := _folded(wanted.type).split():
            cards = [card for card in cards if _has_words(self._type_lines.get(card, ""), words)]
        if words := _folded(wanted.text).split():
            cards = [card for card in cards if self._says(card, words)]
        return list(cards)

    def _says(self, card: str, words: Sequence[str]) -> bool:
        text = self._texts.get(card, "")
        return all(word in text or (slug(word) or "?") in card for word in words)

    def listed(self, ties: Ties, cards: Iterable[str], relation: str = "") -> list[Listed]:
        """Cards of a list as they are shown.

        Args:
            ties: the list.
            cards: some of it.
            relation: only quotes of this one, if it is given.
        """
        return [self._listed(card, ties[card], relation) for card in cards]

    def _listed(self, card: str, ties: Sequence[Tie], relation: str) -> Listed:
        iri = PREFIXES["card"] + card
        quotes: dict[tuple[str, str, str], Quote] = {}
        for tie in ties:
            if tie.rule and relation in ("", tie.relation):
                quote = self._quote(tie)
                if quote is not None:
                    quotes.setdefault((quote.words.casefold(), quote.rule, quote.relation), quote)
        faces = sorted(self._reader.facts(iri)["hasFace"])
        lines = [self._reader.facts(face).text("typeLine") for face in faces]
        shown = list(islice(quotes.values(), _QUOTES))
        return Listed(
            name=self._reader.label(iri),
            iri=iri,
            type_line=" // ".join(filter(None, lines)),
            quotes=shown,
            more=len(quotes) - len(shown),
        )

    def _quote(self, tie: Tie) -> Quote | None:
        citation = PREFIXES["citation"] + citation_name(tie.holder, tie.rule, cast(Relation, tie.relation))
        facts = self._reader.facts(citation)
        words = facts.text("quote")
        if words is None:
            return None
        text, shift = self._around(facts)
        start, end = int(facts.need("start")) - shift, int(facts.need("end")) - shift
        before = (
            text[:start] if start <= _CONTEXT else f"… {text[start - _CONTEXT : start].partition(' ')[2]}"
        )
        rest = text[end:]
        after = rest if len(rest) <= _CONTEXT else f"{rest[:_CONTEXT].rpartition(' ')[0]} …"
        return Quote(before, words, after, tie.rule, tie.relation)

    def _around(self, citation: Facts) -> tuple[str, int]:
        """The text that a citation stands in, and where that begins in its field."""
        if ability := citation.text("ability"):
            facts = self._reader.facts(ability)
            if (citation.text("field") or "oracle_text") == "oracle_text":
                return facts.need("rdfs:label"), int(facts.need("start"))
        face = self._reader.facts(citation.text("face") or "")
        return face.text(_camel(citation.text("field") or "oracle_text")) or "", 0

    @cached_property
    def _identities(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {card: set() for card, _ in self._said("colorlessIdentity")}
        for card, color in self._said("colorIdentity"):
            found.setdefault(card, set()).add(color)
        return {card: frozenset(colors) for card, colors in found.items()}

    @cached_property
    def _type_lines(self) -> dict[str, str]:
        return self._joined("typeLine")

    @cached_property
    def _texts(self) -> dict[str, str]:
        return self._joined("oracleText")

    def _joined(self, name: str) -> dict[str, str]:
        """What the faces of each card say under a property, made ready to be compared."""
        found: dict[str, str] = {}
        for face, text in self._said(name):
            card = card_of(face)
            found[card] = f"{found[card]} {_folded(text)}" if card in found else _folded(text)
        return found

    def _said(self, name: str) -> Iterator[tuple[str, str]]:
        quads = self._store.quads.quads_for_pattern(None, node(name), None, layer("cards"))
        for quad in quads:
            yield local(cast(NamedNode, quad.subject).value), cast(RdfLiteral, quad.object).value


def relations(ties: Ties) -> list[tuple[str, int]]:
    """How many cards each relation has in a list, in the order of the relations."""
    counts = Counter(relation for some in ties.values() for relation in {tie.relation for tie in some})
    return [(relation, counts[relation]) for relation in RELATION_PROPERTIES if counts[relation]]


def _sorted(found: Iterable[tuple[str, Tie]]) -> Ties:
    """By slug, tokens left out, which count nowhere."""
    ties: dict[str, list[Tie]] = {}
    for card, tie in found:
        ties.setdefault(card, []).append(tie)
    return {card: sorted(ties[card]) for card in sorted(ties) if not _is_token(card)}


def _is_token(card: str) -> bool:
    return len(card) == 36 and _TOKEN.fullmatch(card) is not None


def card_of(holder: str) -> str:
    """The slug of the card that a face or ability is of, by their local names."""
    return _PLACE.sub("", holder)


def _properties(relations: Iterable[Relation]) -> dict[str, str]:
    """By local name of the property of a rule that is invoked so, the relation."""
    return {RELATION_PROPERTIES[relation]: relation for relation in relations}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _folded(text: str) -> str:
    return normalize(text).casefold()


def _has_words(line: str, beginnings: Sequence[str]) -> bool:
    words = re.split(r"[\s—–/-]+", line)
    return all(any(word.startswith(begin) for word in words) for begin in beginnings if begin.strip("—–/-"))


def _fits(identity: frozenset[str] | None, colors: frozenset[str], mode: Mode) -> bool:
    """Whether a color identity is as wanted; one that the source does not tell is not."""
    if identity is None:
        return False
    match mode:
        case "within":
            return identity <= colors
        case "with":
            return identity >= colors if colors else not identity
        case "exactly":
            return identity == colors
