"""The store as NetworkX graphs: the rules, and cards with their rules. `neighborhood` has what lies around.

Nodes are prefixed names ("card:fire-ice", "rule:702.29") with `type`, `label` (short, two lines at
most), `title`, `text` and `iri`. The key of an edge is its relation; it has `relation`, `label` and `inverse`
(how it reads from either end) and `evidence`, a tuple of dicts with the quoted words, where they stand, the
rule and the catalogue entry. What comes only from reminder text (CR 207.2a) is left out, as it is of
`mtg:citesRule`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .lookup import Evidence, Lookup, iri, local, natural, type_of

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

    from .store import Store

__all__ = [
    "KEYWORD_TIES",
    "LINKS",
    "NODE_TYPES",
    "RELATIONS",
    "add_edge",
    "add_nodes",
    "card_rule_graph",
    "rule_graph",
]

RELATIONS: Mapping[str, tuple[str, str]] = {
    "has_keyword": ("has", "is had by"),
    "grants_keyword": ("grants", "is granted by"),
    "loses_keyword": ("takes away", "is taken away by"),
    "mentions_keyword": ("mentions", "is mentioned by"),
    "keyword_action": ("does", "is done by"),
    "ability_kind": ("is handled by", "handles"),
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

NODE_TYPES = frozenset({"card", "face", "ability", "rule", "keyword", "term", "type"})
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


def rule_graph(store: Store) -> nx.MultiDiGraph:
    """All rules, with their parents and the rules that they refer to.

    Example:
        >>> rules = rule_graph(store)  # doctest: +SKIP
        >>> sorted(rules.successors("rule:702.29e"))  # doctest: +SKIP
        ['rule:702.29', …]
    """
    import networkx as nx  # slow, and only for whole networks

    reader = Lookup(store)
    graph = nx.MultiDiGraph()
    add_nodes(graph, reader, (rule for rule, _ in reader.pairs("level")))
    for relation, property_ in (("parent", "broader"), ("refers_to", "refersTo")):
        for source, target in reader.pairs(property_):
            if source in graph and target in graph:
                add_edge(graph, source, target, relation)
    return graph


def card_rule_graph(store: Store) -> nx.MultiDiGraph:
    """All cards and the rules that they cite, an edge for each relation: bipartite.

    The evidence is the quotes with their places and catalogue entries, without the words around them;
    texts are left out too.
    """
    import networkx as nx  # slow, and only for whole networks

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
        add_edge(graph, card, rule, relation, found[card, rule, relation])
    return graph


def add_nodes(
    graph: nx.MultiDiGraph, reader: Lookup, nodes: Iterable[str], focus: Sequence[str] = ()
) -> None:
    for node in nodes:
        if type_of(node) != "card":  # of which many cite much
            reader.read(node)
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
        )


def add_edge(
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
