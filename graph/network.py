"""The store as NetworkX graphs: the rules, what lies around any nodes, and cards with their rules.

Nodes are prefixed names ("card:fire-ice", "rule:702.29") with `type`, `label` (short, two lines at
most), `title`, `text`, `iri` and `hidden` (how many neighbors are not in the graph). The key of an
edge is its relation; it has `relation`, `label` and `inverse` (how it reads from either end) and
`evidence`, a tuple of dicts with the quoted words, where they stand, the rule and the catalogue entry.

Some rules are invoked by half of all cards (creatures 302, target 115.1). Where there is not room for
all neighbors, rare ones go first: a rule weighs log(cards / cards that cite it), a card the sum of the
weights of the rules by which it was reached over the square root of the number that it cites. What
comes only from reminder text (CR 207.2a) is left out, as it is of `mtg:citesRule`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import networkx as nx  # type: ignore[import-untyped]

from cardlaw.ontology.namespaces import compact

from .errors import QueryError
from .lookup import Evidence, Lookup, iri, local, natural, type_of

if TYPE_CHECKING:
    from .store import Store

__all__ = ["KEYWORD_TIES", "LINKS", "RELATIONS", "among", "card_rule_graph", "neighborhood", "rule_graph"]

RELATIONS: Mapping[str, tuple[str, str]] = {
    "has_keyword": ("has", "is had by"),
    "grants_keyword": ("grants", "is granted by"),
    "loses_keyword": ("takes away", "is taken away by"),
    "mentions_keyword": ("mentions", "is mentioned by"),
    "keyword_action": ("does", "is done by"),
    "ability_kind": ("has the kind of", "is the kind of"),
    "trigger_event": ("waits for", "is waited for by"),
    "effect": ("works by", "is at work in"),
    "zone": ("names the zone", "is a zone named by"),
    "turn_part": ("names the part of the turn", "is a part of the turn named by"),
    "cost": ("is paid by", "is a cost in"),
    "defined_term": ("uses the term", "is a term used by"),
    "card_type": ("is of the type", "is the type of"),
    "has_face": ("has the face", "is a face of"),
    "has_ability": ("has the ability", "is an ability of"),
    "part_of": ("is held by", "holds"),
    "has_type": ("is", "is the type of"),
    "parent": ("stands under", "holds"),
    "refers_to": ("refers to", "is referred to by"),
    "defined_by": ("is defined by", "defines"),
    "variant_of": ("is a variant of", "has the variant"),
    "see": ("see also", "is pointed to by"),
}
"""Relation → how an edge reads from its source and from its target."""

_TYPES = frozenset({"card", "face", "ability", "rule", "keyword", "term", "type"})
LINKS = (
    ("parent", "broader", "rule"),
    ("variant_of", "broader", "keyword"),
    ("variant_of", "subtypeOf", "type"),
    ("refers_to", "refersTo", "rule term"),
    ("defined_by", "definedBy", "keyword type"),
    ("see", "see", "term"),
)
"""Relation, property in the store (as `Lookup` names it), and the types of nodes that have it."""

KEYWORD_TIES = {
    "hasKeyword": "has_keyword",
    "grantsKeyword": "grants_keyword",
    "losesKeyword": "loses_keyword",
    "mentionsKeyword": "mentions_keyword",
}
"""Properties from an ability or card to a keyword → relation."""

_HUB = 1500
"""A rule that more cards cite is drawn with the cards in focus only."""
_ENOUGH = 6000
"""So many cards are looked at to find the telling ones; the rarest rules go first."""


def rule_graph(store: Store) -> nx.MultiDiGraph:
    """All rules, with their parents and the rules that they refer to.

    Example:
        >>> rules = rule_graph(store)  # doctest: +SKIP
        >>> sorted(rules.successors("rule:702.29e"))  # doctest: +SKIP
        ['rule:702.29', …]
    """
    reader = Lookup(store)
    graph = nx.MultiDiGraph()
    _add_nodes(graph, reader, (rule for rule, _ in reader.pairs("level")))
    for relation, property_ in (("parent", "broader"), ("refers_to", "refersTo")):
        for source, target in reader.pairs(property_):
            if source in graph and target in graph:
                _add_edge(graph, source, target, relation)
    return graph


def card_rule_graph(store: Store) -> nx.MultiDiGraph:
    """All cards and the rules that they cite, an edge for each relation: bipartite.

    The evidence is the quotes with their places and catalogue entries, without the words around them;
    texts and `hidden` are left out too.
    """
    reader = Lookup(store)
    graph = nx.MultiDiGraph()
    faces = {face: card for card, face in reader.pairs("hasFace")}
    cards = {ability: faces[face] for face, ability in reader.pairs("hasAbility")} | faces
    found: dict[tuple[str, str, str], list[Evidence]] = defaultdict(list)
    for holder, rule, relation, evidence in reader.all_ties():
        if not cards[holder].startswith("token:"):
            found[cards[holder], rule, relation].append(evidence)
    for name in sorted({card for card in faces.values() if not card.startswith("token:")}):
        label = reader.label(name)
        graph.add_node(name, type="card", label=label, title=label, iri=iri(name), bipartite=0)
    for rule in sorted({rule for _, rule, _ in found}, key=natural):
        label, title = reader.label(rule), reader.title(rule)
        graph.add_node(rule, type="rule", label=label, title=title, iri=iri(rule), bipartite=1)
    for card, rule, relation in sorted(found):
        _add_edge(graph, card, rule, relation, found[card, rule, relation])
    return graph


def neighborhood(store: Store, nodes: Sequence[str], depth: int = 1, limit: int = 150) -> nx.MultiDiGraph:
    """What lies around `nodes`, the most telling neighbors first.

    A card in `nodes` is drawn with its abilities (and its faces, where it has more than one); those
    are parts and no step away. Any other card is drawn alone, its edges going to the rules themselves.
    A keyword brings its rule along. Edges run between all nodes that are drawn, except from a card outside
    `nodes` to a rule outside `nodes` that more than 1,500 cards cite.

    Args:
        nodes: prefixed names or IRIs of cards, tokens, faces, abilities, rules, keywords, terms or types.
        depth: how many steps to go.
        limit: how many nodes to draw at most.

    Raises:
        QueryError: one of `nodes` is not in the graph, or cannot be drawn.
    """
    reader = Lookup(store)
    focus = list(dict.fromkeys(compact(node) if "://" in node else node for node in nodes))
    for node in focus:
        if type_of(node) not in _TYPES:
            raise QueryError(f"{node} cannot be drawn: give a card, a rule, a keyword, a term or a type")
        if reader.value(node, "label") is None:
            raise QueryError(f"{node} is not in the graph")
    walk = _Walk(reader, focus, limit)
    for _ in range(depth):
        walk.step()
    return walk.graph()


def among(store: Store, nodes: Iterable[str]) -> nx.MultiDiGraph:
    """Some nodes, as prefixed names, and all edges between them; cards are not taken apart."""
    walk = _Walk(Lookup(store), [], 0)
    walk.focus = list(nodes)
    walk.chosen = dict.fromkeys(walk.focus)
    return walk.graph()


class _Walk:
    """The nodes chosen so far, by the steps that they are away from `focus`."""

    def __init__(self, reader: Lookup, focus: list[str], limit: int) -> None:
        self.reader = reader
        self.focus = focus
        self.limit = max(limit, len(focus))
        self.share = max(8, limit // 5)
        self.structure: list[tuple[str, str, str]] = []
        self.chosen: dict[str, None] = dict.fromkeys(focus)
        for node in focus:
            self._take_apart(node)
        self.frontier = list(self.chosen)

    def _take_apart(self, node: str) -> None:
        """Add the faces and abilities of a card or face in focus, or the card of a face or ability."""
        reader = self.reader
        kind = type_of(node)
        if kind in ("face", "ability"):
            self._choose_card(node)
        faces = reader.objects(node, "hasFace") if kind == "card" else [node] if kind == "face" else []
        for face in faces:
            holder = node
            if len(faces) > 1:
                self._choose([face], self.limit)
                self.structure.append((node, face, "has_face"))
                holder = face
            for ability in reader.objects(face, "hasAbility"):
                self._choose([ability], self.limit)
                above = reader.value(ability, "partOf")
                self.structure.append(
                    (ability, above, "part_of") if above else (holder, ability, "has_ability")
                )

    def _choose_card(self, part: str) -> None:
        is_face = type_of(part) == "face"
        for face in [part] if is_face else self.reader.subjects("hasAbility", part):
            for card in self._choose(self.reader.subjects("hasFace", face), self.limit):
                self.structure.append((card, part, "has_face" if is_face else "has_ability"))

    def _choose(self, nodes: Iterable[str], room: int) -> list[str]:
        """Add as many of `nodes` as there is room for up to a total of `room`; those that are new."""
        new = []
        for node in nodes:
            if node not in self.chosen and len(self.chosen) < room:
                self.chosen[node] = None
                new.append(node)
        return new

    def step(self) -> None:
        """Add the neighbors of the frontier, fairly: the first of each, then the second of each."""
        rules = [node for node in self.frontier if type_of(node) in ("rule", "keyword", "type")]
        room = self.limit - (self.share if rules else 0)
        lists = [list(self._around(node)) for node in self.frontier]
        new = []
        for turn in range(max(map(len, lists), default=0)):
            new += self._choose((each[turn] for each in lists if turn < len(each)), room)
        for keyword in [node for node in new if type_of(node) == "keyword"]:
            new += self._choose(self.reader.objects(keyword, "definedBy"), self.limit)
        most = min(self.limit, len(self.chosen) + self.share)
        new += self._choose(self._telling_cards(rules), most)
        most = min(self.limit, len(self.chosen) + self.share)
        new += self._choose(
            self._shared_rules([node for node in self.frontier if type_of(node) == "card"]), most
        )
        self.frontier = new

    def _around(self, node: str) -> Iterator[str]:
        """Neighbors of a node but cards, the most telling first; all of a node in focus, else a few."""
        reader = self.reader
        some = self.share if node in self.focus else 3

        def rarest(nodes: Iterable[str]) -> list[str]:
            return sorted(nodes, key=lambda each: (reader.count(each), natural(each)))[:some]

        match type_of(node):
            case "card" | "face" | "ability":
                if type_of(node) == "ability" or node in self.focus:
                    targets = {tie.target for tie in reader.ties(node)}
                    yield from sorted(targets, key=lambda each: (reader.count(each), natural(each)))
            case "rule":
                above = reader.objects(node, "broader")
                # A chapter ("7") says little about anything but its sections.
                yield from above if node in self.focus or "." in node else []
                yield from reader.keywords.get(node, ())[:some]
                if node in self.focus:
                    yield from reader.subjects("broader", node)[:some]
                yield from rarest(reader.objects(node, "refersTo"))
                if node in self.focus:
                    referring = reader.subjects("refersTo", node)
                    yield from rarest(each for each in referring if type_of(each) == "rule")
                    yield from [each for each in referring if type_of(each) == "term"][:some]
            case "keyword":
                yield from reader.objects(node, "definedBy")
                yield from reader.objects(node, "broader")
                yield from reader.subjects("broader", node)[:some]
            case "term":
                yield from rarest(reader.objects(node, "refersTo"))
                yield from reader.objects(node, "see")
            case "type":
                yield from reader.objects(node, "definedBy")
                yield from reader.objects(node, "subtypeOf")

    def _telling_cards(self, sources: list[str]) -> list[str]:
        """Cards of some rules, keywords and types: first those that share rare ones and cite little else.

        Cards that have, grant, take away or mention a keyword in focus take turns.
        """
        if not sources:
            return []
        reader = self.reader
        rules = {
            rule
            for source in sources
            for rule in (reader.objects(source, "definedBy") if type_of(source) == "keyword" else [source])
        }
        wanted: list[str] = []
        looked_at = 0
        for rule in sorted(rules, key=lambda each: (each not in self.focus, reader.count(each), each)):
            looked_at += reader.count(rule)
            if not wanted or looked_at <= _ENOUGH:
                wanted.append(rule)
        score: dict[str, float] = defaultdict(float)
        for rule, cards in sorted(reader.cards(wanted).items()):
            weight = self._weight(rule)
            for card in cards:
                score[card] += weight
        cited = reader.rules_cited(wanted)
        ranked = sorted(score, key=lambda card: (-score[card] / math.sqrt(1 + cited.get(card, 0)), card))
        ways: dict[str, str] = {}
        for keyword in self.focus:
            if type_of(keyword) == "keyword":
                for way in KEYWORD_TIES:
                    ways |= dict.fromkeys(reader.subjects(way, keyword), way) | ways
        turns: Counter[str] = Counter()
        order = {}
        for place, card in enumerate(ranked):
            turns[ways.get(card, "")] += 1
            order[card] = (turns[ways.get(card, "")], place)
        return sorted(ranked, key=order.__getitem__)

    def _shared_rules(self, cards: list[str]) -> list[str]:
        """Rules that at least two of `cards` cite, not counting those in focus, the most telling first."""
        times: dict[str, int] = defaultdict(int)
        for card in cards:
            if card not in self.focus:
                for target in {tie.target for tie in self.reader.ties(card)}:
                    times[target] += 1
        shared = [
            target for target, number in times.items() if number > 1 and self.reader.count(target) <= _HUB
        ]
        return sorted(shared, key=lambda each: (-times[each] * self._weight(each), each))

    def _weight(self, node: str) -> float:
        return math.log(40_000 / (1 + self.reader.count(node)))

    def graph(self) -> nx.MultiDiGraph:
        graph = nx.MultiDiGraph()
        _add_nodes(graph, self.reader, self.chosen, self.focus)
        for source, target, relation in self.structure:
            self._tie(graph, source, target, relation)
        for node in self.chosen:
            for relation, property_, types in LINKS:
                if type_of(node) in types.split():
                    for target in self.reader.objects(node, property_):
                        self._tie(graph, node, target, relation)
            if type_of(node) in ("card", "face", "ability"):
                self._cite(graph, node)
        return graph

    def _cite(self, graph: nx.MultiDiGraph, node: str) -> None:
        """Tie a card, face or ability to the rules and keywords that its words invoke."""
        alone = type_of(node) == "card" and node not in self.focus
        found: dict[tuple[str, str], list[Evidence]] = defaultdict(list)
        for holder, target, relation, evidence in self.reader.ties(node):
            if type_of(target) == "keyword" and target not in graph:
                target = next((rule for rule in self.reader.objects(target, "definedBy")), target)
            hub = self.reader.count(target) > _HUB and target not in self.focus
            # The parts of a card in focus speak for themselves, as far as they are drawn.
            if (holder != node and holder in graph) or (alone and hub):
                continue
            found[target, relation].append(evidence)
        for (target, relation), proofs in found.items():
            self._tie(graph, node, target, relation, proofs)
        if type_of(node) == "card":
            for face in self.reader.objects(node, "hasFace"):
                for type_ in self.reader.objects(face, "hasType"):
                    self._tie(graph, node, type_, "has_type")

    def _tie(
        self,
        graph: nx.MultiDiGraph,
        source: str,
        target: str,
        relation: str,
        evidence: Iterable[Evidence] = (),
    ) -> None:
        if source in graph and target in graph:
            _add_edge(graph, source, target, relation, evidence)


def _add_nodes(
    graph: nx.MultiDiGraph, reader: Lookup, nodes: Iterable[str], focus: Sequence[str] = ()
) -> None:
    chosen = list(nodes)
    shown = set(chosen)
    cited = {card: set(reader.objects(card, "citesRule")) for card in chosen if type_of(card) == "card"}
    for node in chosen:
        label = reader.label(node)
        headless = type_of(node) == "rule" and reader.value(node, "heading") is None
        if headless and reader.value(node, "broader") in focus:
            label = local(node)  # the heading stands in the middle of the picture
        graph.add_node(
            node,
            type=type_of(node),
            label=label,
            title=reader.title(node),
            text=reader.text(node),
            iri=iri(node),
            hidden=_hidden(reader, node, shown, cited),
        )


def _hidden(reader: Lookup, node: str, shown: set[str], cited: Mapping[str, set[str]]) -> int:
    """How many neighbors of a node are not among `shown`; `cited` has the rules of each card shown."""
    kind = type_of(node)
    if kind in ("card", "face", "ability"):
        targets = {tie.target for tie in reader.ties(node)} - shown
        return sum(shown.isdisjoint(reader.objects(target, "definedBy")) for target in targets)
    linked: set[str] = set()
    for property_ in {property_ for _, property_, _ in LINKS}:
        linked.update(reader.objects(node, property_), reader.subjects(property_, node))
    if kind == "type":
        return len(linked - shown) + len(set(reader.cards([node]).get(node, ())) - shown)
    rules = {node, *reader.objects(node, "definedBy")}
    here = sum(not rules.isdisjoint(each) for each in cited.values())
    return len(linked - shown) + max(0, reader.count(node) - here)


def _add_edge(
    graph: nx.MultiDiGraph, source: str, target: str, relation: str, evidence: Iterable[Evidence] = ()
) -> None:
    label, inverse = RELATIONS[relation]
    graph.add_edge(
        source,
        target,
        key=relation,
        relation=relation,
        label=label,
        inverse=inverse,
        evidence=tuple(evidence),
    )
