"""What shapes cannot say: one pass over the N-Quads of a build that checks what hangs together.

Nothing dangles, what is quoted stands where it is said to stand (in code points), each rule that is invoked
has a citation that proves it, terms are declared, names are not given twice, and what is counted is as many
as there are. A layer's lines of one subject stand together, so that a node is read at once.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from msgspec import Struct

from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES, compact

from .nquads import P, end, iri
from .store import Store, layer

__all__ = ["Finding", "findings"]

Node: TypeAlias = list[tuple[str, str]]
"""What is said of a subject: predicates and objects, as the file has them."""

_ORDER = ("ontology", "rules", "releases", "cards", "rulings", "abilities", "evidence", "tags", "themes")
_OURS = f"<{BASE}"
_BUILT_IN = tuple(f"<{PREFIXES[prefix]}" for prefix in ("rdf", "rdfs", "owl"))
_FIELDS = {"oracle_text": "oracleText", "type_line": "typeLine", "mana_cost": "manaCost"}
_SPANS = frozenset(P[f"{part}Span"].strip() for part in ("cost", "event", "condition", "effect", "mode"))
_SPAN = re.compile(r'"char=(\d+),(\d+)"')
_COUNTED = {
    "cards": "Card",
    "tokens": "Token",
    "faces": "Face",
    "citations": "Citation",
    "rules": "Rule",
    "terms": "Term",
    "releases": "RulebookRelease",
    "rule versions": "RuleVersion",
}
"""Count in `build.json` → class."""
_NAMED = (
    "Card",
    "KeywordAbility",
    "KeywordAction",
    "Term",
    "CardType",
    "Supertype",
    "Subtype",
    "Set",
    "Format",
    "Source",
)
"""Classes of which no two have one name."""


def _p(name: str) -> str:
    return P[name].strip()


_TYPE, _LABEL, _BROADER = map(_p, ("rdf:type", "rdfs:label", "skos:broader"))
_AWAY = {
    _p("prov:invalidated"),
    *(f"<{PREFIXES['owl']}{name}>" for name in ("versionIRI", "priorVersion")),
}
"""What points at things that the graph need not have: removed citations, versions of the vocabulary."""
_CITATION, _IS_RULE, _IS_ACTION = map(iri, ("Citation", "Rule", "KeywordAction"))
_START, _END, _QUOTE, _FIELD = map(_p, ("start", "end", "quote", "field"))
_HAS_FACE, _HAS_ABILITY, _ABILITY, _FACE, _RULE = map(
    _p, ("hasFace", "hasAbility", "ability", "face", "rule")
)
_INVOKES, _IN_REMINDER = map(_p, ("invokes", "inReminder"))
_CITES, _HAS, _DOES, _DEFINED = map(_p, ("citesRule", "hasKeyword", "invokesAsKeywordAction", "definedBy"))
_COUNT, _COUNT_BELOW = map(_p, ("cardCount", "cardCountWithSubrules"))


_NEEDED = {_START, _END, _QUOTE, _RULE}


class Finding(Struct, frozen=True):
    """One kind of fault: what is wrong, where (prefixed names, with a word on each), and what to do."""

    what: str
    where: tuple[str, ...]
    advice: str


def findings(store: Store) -> list[Finding]:
    """All faults of a build.

    Raises:
        StoreError: a file of it is damaged.
    """
    reader = _Reader(store)
    with ThreadPoolExecutor(1) as pool:  # Oxigraph counts outside of Python's lock
        held = pool.submit(lambda: {name: _held(store, name) for name in store.info.quads})
        reader.read()
        reader.held = held.result()
    checked = (*reader.links(), *reader.spans(), *reader.proofs(), *reader.names(), *reader.counts())
    return [finding for finding in checked if finding.where]


class _Reader:
    """What has to be remembered of a build."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lines: Counter[str] = Counter()  # by layer
        self.held: dict[str, int] = {}  # quads of the store by layer
        self.subjects: set[str] = set()
        self.classes: Counter[str] = Counter()
        self.untyped: dict[str, None] = {}
        self.mixed: list[str] = []
        self.declared: set[str] = set()
        self.predicates: dict[str, str] = {}  # and the layer in which it was first seen
        self.pointed: dict[str, tuple[str, str]] = {}  # object -> the first that points at it, and how
        self.named: dict[tuple[str, str], list[str]] = defaultdict(list)  # class, name -> nodes
        self.texts: dict[tuple[str, str], str] = {}  # face, field -> text
        self.face_of: dict[str, str] = {}  # ability -> face
        self.card_of: dict[str, str] = {}  # face -> card
        self.abilities: dict[str, tuple[int, int, str, tuple[str, ...]]] = {}  # start, end, text, spans
        self.misquoted: list[str] = []
        self.invoked: dict[str, bool] = {}  # "invoker rule" -> whether a citation proves it
        self.unsaid: list[str] = []
        self.above: dict[str, str] = {}  # rule -> the rule that it stands under
        self.actions: dict[str, str] = {}  # rule -> the keyword action that it defines
        self.cited: dict[str, set[str]] = {}  # card -> rules
        self.having: dict[str, set[str]] = defaultdict(set)  # card -> keywords
        self.doing: list[tuple[str, str]] = []  # ability or face, rule
        self.stored: dict[tuple[str, str], int] = {}  # property, node -> what is stored as its count

    def read(self) -> None:
        readers = {
            "rules": self.rule,
            "cards": self.card,
            "abilities": self.ability,
            "evidence": self.evidence,
        }
        for name in _ORDER:
            if name in self.store.info.quads:
                read = readers.get(name)
                for subject, node in self.nodes(name):
                    self.any(name, subject, node)
                    if read is not None:
                        read(subject, dict(node), node)

    def nodes(self, name: str) -> Iterator[tuple[str, Node]]:
        """The subjects of a layer; one whose lines do not stand together comes again."""
        tail, count = -len(end(name)), 0
        last, node = "", Node()
        for count, line in enumerate(self.store.lines(name, counted=False), 1):  # noqa: B007
            subject, predicate, value = line[:tail].split(" ", 2)
            if subject != last:
                if node:
                    yield last, node
                last, node = subject, []
            node.append((predicate, value))
        if node:
            yield last, node
        self.lines[name] = count

    def any(self, name: str, subject: str, node: Node) -> None:
        """What is asked of each node, whatever it is."""
        first = subject not in self.subjects
        self.subjects.add(subject)
        if name == "ontology":
            self.declared.add(subject)
        typed = 0
        for predicate, value in node:
            if predicate not in self.predicates:
                self.predicates[predicate] = name
            if predicate == _TYPE:
                typed += 1
                if name != "ontology":
                    self.classes[value] += 1
            elif value.startswith(_OURS) and value not in self.pointed and predicate not in _AWAY:
                self.pointed[value] = (subject, predicate)
        if typed > 1 and name != "ontology":
            self.mixed.append(subject)
        if typed:
            self.untyped.pop(subject, None)
        elif first and name not in ("ontology", "themes"):  # mtg:concludes says what a theme is
            self.untyped[subject] = None

    def rule(self, subject: str, said: Mapping[str, str], node: Node) -> None:
        self.name(subject, said)
        kind = said.get(_TYPE)
        if kind == _IS_RULE and _BROADER in said:
            self.above[subject] = said[_BROADER]
        if kind == _IS_ACTION and _DEFINED in said:
            self.actions[said[_DEFINED]] = subject

    def card(self, subject: str, said: Mapping[str, str], node: Node) -> None:
        self.name(subject, said)
        for field, name in _FIELDS.items():
            if _p(name) in said:
                self.texts[subject, field] = _text(said[_p(name)])
        for predicate, value in node:
            if predicate == _HAS_FACE:
                self.card_of[value] = subject

    def ability(self, subject: str, said: Mapping[str, str], node: Node) -> None:
        if _START in said and _LABEL in said:
            spans = tuple(value for predicate, value in node if predicate in _SPANS)
            start, label = _int(said[_START]), _text(said[_LABEL])
            self.abilities[subject] = (start, start + len(label), label, spans)
        for count in (_COUNT, _COUNT_BELOW):
            if count in said:
                self.stored[count, subject] = _int(said[count])
        for predicate, value in node:
            if predicate == _INVOKES:
                self.invoked[f"{subject} {value}"] = False
            elif predicate == _HAS_ABILITY:
                self.face_of[value] = subject
            elif predicate == _DOES:
                self.doing.append((subject, value))
            elif predicate == _CITES:
                self.cited.setdefault(subject, set()).add(value)
            elif predicate == _HAS:
                self.having[subject].add(value)

    def evidence(self, subject: str, said: Mapping[str, str], node: Node) -> None:
        if said.get(_TYPE) != _CITATION or not said.keys() >= _NEEDED:
            return  # no citation, or one that the shapes find wanting
        holder = said.get(_ABILITY) or said.get(_FACE, "")
        field = _text(said[_FIELD]) if _FIELD in said else "oracle_text"
        text = self.texts.get((self.face_of.get(holder, holder), field), "")
        start, stop = _int(said[_START]), _int(said[_END])
        if text[start:stop] != _text(said[_QUOTE]):
            self.misquoted.append(subject)
        elif field == "oracle_text" and holder in self.abilities:
            first, last, _, _ = self.abilities[holder]
            if not first <= start < stop <= last:
                self.misquoted.append(subject)
        pair = f"{holder} {said[_RULE]}"
        if pair in self.invoked:
            self.invoked[pair] |= _IN_REMINDER not in said
        elif _IN_REMINDER not in said:
            self.unsaid.append(subject)

    def name(self, subject: str, said: Mapping[str, str]) -> None:
        kind = said.get(_TYPE, "").removeprefix(f"<{MTG}").removesuffix(">")
        if kind in _NAMED and _LABEL in said:
            self.named[kind, _text(said[_LABEL])].append(subject)

    def links(self) -> Iterator[Finding]:
        yield Finding(
            "statements point at what is not described",
            _sorted(
                f"{_short(s)} {_short(p)} {_short(o)}"
                for o, (s, p) in self.pointed.items()
                if o not in self.subjects or o in self.untyped
            ),
            "build again; of rules, the release may lack the number",
        )
        yield Finding(
            "nodes have no class",
            _sorted(map(_short, self.untyped.keys())),
            "what describes them has to say what they are",
        )
        yield Finding(
            "nodes have more than one class",
            _sorted(map(_short, self.mixed)),
            "two things share a slug: tell them apart in ontology/slugs.json",
        )
        yield Finding(
            "terms are used that the vocabulary does not declare",
            _sorted(
                f"{_short(term)} in layer:{where}"
                for term, where in (*self.predicates.items(), *dict.fromkeys(self.classes, "any").items())
                if term not in self.declared and not term.startswith(_BUILT_IN)
            ),
            "declare them in ontology/cardlaw.ttl",
        )

    def spans(self) -> Iterator[Finding]:
        yield Finding(
            "citations quote other words than stand there, or words outside of their ability",
            _sorted(map(_short, self.misquoted)),
            "build again from the same cards and corrections",
        )
        wrong, outside = [], []
        for ability, (start, stop, label, spans) in self.abilities.items():
            text = self.texts.get((self.face_of.get(ability, ""), "oracle_text"), "")
            if text[start:stop] != label:
                wrong.append(_short(ability))
            for span in spans:
                found = _SPAN.fullmatch(span)
                if found is None or not start <= int(found[1]) <= int(found[2]) <= stop:
                    outside.append(f"{_short(ability)} {span}")
        yield Finding(
            "abilities have other words than stand there", _sorted(wrong), "build again from the same cards"
        )
        yield Finding(
            "parts of abilities stand outside of them", _sorted(outside), "report it with the card's text"
        )

    def proofs(self) -> Iterator[Finding]:
        yield Finding(
            "rules are invoked without a citation that proves it",
            _sorted(
                " ".join(map(_short, pair.split())) for pair, proved in self.invoked.items() if not proved
            ),
            "build again",
        )
        yield Finding(
            "citations are not stated as mtg:invokes",
            _sorted(map(_short, self.unsaid)),
            "build again",
        )
        by_card: dict[str, set[str]] = defaultdict(set)
        for pair in self.invoked:
            holder, rule = pair.split()
            by_card[self.card_of.get(self.face_of.get(holder, holder), "")].add(rule)
        yield Finding(
            "cards cite other rules than their abilities and faces invoke",
            _sorted(
                _short(card)
                for card in {*by_card, *self.cited}
                if card.startswith(_CARD) and by_card.get(card, set()) != self.cited.get(card, set())
            ),
            "build again",
        )

    def names(self) -> Iterator[Finding]:
        """Cards of one name are variants, whose slugs have one stem (`sly-spy.b`)."""
        twice = (
            (name, nodes)
            for (kind, name), nodes in self.named.items()
            if len(nodes) > 1
            and (kind != "Card" or len({node.rstrip(">").partition(".")[0] for node in nodes}) > 1)
        )
        yield Finding(
            "names are given to more than one node",
            _sorted(f"“{name}”: {', '.join(map(_short, sorted(nodes)))}" for name, nodes in twice),
            "give them one slug, or tell them apart in ontology/slugs.json",
        )

    def counts(self) -> Iterator[Finding]:
        info = self.store.info
        yield Finding(
            "layers hold other numbers of quads than the build made",
            tuple(
                f"layer:{name}: {self.lines[name]:,} in its file, {self.held[name]:,} in the store, "
                f"{made:,} in build.json"
                for name, made in sorted(info.quads.items())
                if not made == self.held[name] == (self.lines[name] if name in _ORDER else made)
            ),
            "the store is damaged: run `cardlaw build`",
        )
        made = {name: self.classes[iri(kind)] for name, kind in _COUNTED.items()}
        made["abilities"] = len(self.abilities)
        yield Finding(
            "build.json counts other numbers than there are",
            tuple(
                f"{name}: {info.counts[name]:,} in build.json, {number:,} in the graph"
                for name, number in made.items()
                if name in info.counts and info.counts[name] != number
            ),
            "build again",
        )
        counted = self.recount()
        yield Finding(
            "stored numbers of cards are not those that can be counted",
            _sorted(
                f"{_short(node)} {_short(name)} {self.stored.get((name, node), 0):,}, "
                f"counted {counted[name, node]:,}"
                for name, node in {*self.stored, *counted}
                if self.stored.get((name, node), 0) != counted[name, node]
            ),
            "build again",
        )

    def recount(self) -> Counter[tuple[str, str]]:
        """As `usage.Usage` counts, from what the graph says."""
        counted: Counter[tuple[str, str]] = Counter()
        has = {card: set(keywords) for card, keywords in self.having.items() if card.startswith(_CARD)}
        for holder, rule in self.doing:
            card = self.card_of.get(self.face_of.get(holder, holder), "")
            if rule in self.actions and card.startswith(_CARD):
                has.setdefault(card, set()).add(self.actions[rule])
        for keywords in has.values():
            counted.update((_COUNT, keyword) for keyword in keywords)
        for card, rules in self.cited.items():
            if card.startswith(_CARD):
                counted.update((_COUNT, rule) for rule in rules)
                counted.update((_COUNT_BELOW, rule) for rule in self.upward(rules))
        return counted

    def upward(self, rules: Iterable[str]) -> set[str]:
        """The rules and all that they stand under."""
        found: set[str] = set()
        for rule in rules:
            while rule and rule not in found:
                found.add(rule)
                rule = self.above.get(rule, "")
        return found


_CARD = f"<{PREFIXES['card']}"


def _held(store: Store, name: str) -> int:
    """The quads of a layer in the store."""
    found = store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", default_graphs=[layer(name).value])
    return int(next(iter(found))[0].value)  # type: ignore[arg-type]


def _text(literal: str) -> str:
    """What a plain literal says; its escapes are those of JSON."""
    return str(json.loads(literal)) if "\\" in literal else literal[1:-1]


def _int(literal: str) -> int:
    return int(literal[1 : literal.index('"', 1)])


def _short(term: str) -> str:
    return compact(term[1:-1]) if term.startswith("<") else term


def _sorted(where: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(where))
