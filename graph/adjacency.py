"""Every tie of a build as arrays, so that the neighbors of a hub are found as fast as those of any node.

What comes in are the files of the build's layers; what goes out are the cards, tokens, rules, keywords, terms
and types as numbers, and the ties between them, from either end, with what proves them. A look-up by pattern
costs 25 µs a statement: 0.5 s for the 19,000 cards that are creatures (302), where these arrays take 0.1 ms.
They are read once for a build, in 4 s, and kept beside its files: 4 MB, loaded in 40 ms.

Ties from reminder text (CR 207.2a) are left out, as they are of `mtg:citesRule`.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardlaw.ontology.namespaces import BASE, expand

from .layers import statements, value
from .lookup import local, natural
from .naming import REBALANCED
from .network import KEYWORD_TIES, LINKS, RELATIONS
from .store import Store
from .triples import RELATION_PROPERTIES

__all__ = ["KINDS", "Adjacency", "Cited", "adjacency"]

KINDS = ("card", "token", "keyword", "rule", "term", "type")
"""Prefixes of the nodes that are here, in the order of their numbers."""
NAMES = tuple(RELATIONS)
"""The relations in the order of their numbers."""

_FILE = "adjacency-1.npz"
_NUMBER = {name: number for number, name in enumerate(NAMES)}
_INVOKES = {property_.removeprefix("mtg:"): relation for relation, property_ in RELATION_PROPERTIES.items()}
_LINKED = {"broader": "skos:broader", "see": "rdfs:seeAlso"}
_KEYWORDS = {relation: property_ for property_, relation in KEYWORD_TIES.items()}
_DATA = f"<{BASE}"
_READ = {
    f"<{expand(name if ':' in name else f'mtg:{name}')}>": name
    for name in (
        *("hasFace", "hasType", "rdfs:label", *_INVOKES, *KEYWORD_TIES),
        *(_LINKED.get(property_, property_) for _, property_, _ in LINKS),
    )
}
"""The properties that are read: as N-Quads has them → as they are called here."""
_MADE: WeakKeyDictionary[Store, Adjacency] = WeakKeyDictionary()
_MAKING = Lock()

Numbers = NDArray[Any]


class Cited(NamedTuple):
    """What proves a tie: the ability or face that invokes, and its citation."""

    holder: str
    citation: str


class Adjacency:
    """The ties of one build; nodes go by their numbers, from 0.

    Attributes:
        nodes: prefixed names, cards first; those of a kind in natural order.
        source, target, relation: of each tie, sorted by them; `relation` is a place in `NAMES`.
        rebalanced: whether a node is a card as digital play changed it ("A-…" in the sources).
        faces, abilities: how many of them a card has.
    """

    def __init__(self, arrays: dict[str, Numbers]) -> None:
        self.arrays = arrays
        self.nodes = _unpack(arrays["nodes"])
        self.number = {node: number for number, node in enumerate(self.nodes)}
        self.source, self.target, self.relation = arrays["source"], arrays["target"], arrays["relation"]
        self.rebalanced = arrays["rebalanced"].astype(bool)
        self.faces, self.abilities = arrays["faces"], arrays["abilities"]
        bounds = np.arange(len(self.nodes) + 1)
        self._out = np.searchsorted(self.source, bounds)
        self._back = np.argsort(self.target, kind="stable")
        self._in = np.searchsorted(self.target[self._back], bounds)
        self._proofs = np.searchsorted(arrays["tie"], np.arange(len(self.source) + 1))
        self.kind = np.array([KINDS.index(node.partition(":")[0]) for node in self.nodes], dtype=np.uint8)
        self.is_card = self.kind < 2

    def ties_of(self, node: int) -> Numbers:
        """The numbers of the ties from a node."""
        return np.arange(self._out[node], self._out[node + 1])

    def ties_to(self, node: int) -> Numbers:
        """The numbers of the ties to a node."""
        return self._back[self._in[node] : self._in[node + 1]]

    def proofs(self, tie: int) -> Iterator[Cited]:
        """What proves a tie; nothing does one between rules, keywords, terms and types."""
        card = local(self.nodes[self.source[tie]])
        relation = NAMES[self.relation[tie]].replace("_", "-")
        for at in range(self._proofs[tie], self._proofs[tie + 1]):
            part = self._parts[self.arrays["part"][at]]
            rule = local(self.nodes[self.arrays["rule"][at]])
            kind = "ability" if "." in part else "face"
            yield Cited(f"{kind}:{card}.{part}", f"citation:{card}.{part}.c{rule}-{relation}")

    @cached_property
    def _parts(self) -> list[str]:
        return _unpack(self.arrays["parts"])

    @cached_property
    def cards(self) -> Numbers:
        """For each node, how many cards and tokens are tied to it."""
        first = np.ones(len(self.source), dtype=bool)  # of the ties between the same two nodes
        first[1:] = (self.source[1:] != self.source[:-1]) | (self.target[1:] != self.target[:-1])
        return np.bincount(self.target[first & self.is_card[self.source]], minlength=len(self.nodes))

    @cached_property
    def cards_around(self) -> Numbers:
        """For each node, how many cards have to do with it: with a rule also by its keyword or a subrule."""
        cards = self.cards.copy()
        for relation, rounds in (("defined_by", 1), ("parent", 4)):  # chapter, section, rule, subrule
            found = np.flatnonzero(self.relation == _NUMBER[relation])
            one, other = self.source[found], self.target[found]
            for _ in range(rounds):
                np.maximum.at(cards, other, cards[one])
            if relation == "defined_by":  # of a keyword action, the cards are tied to the rule
                actions = self.cards[one] == 0
                cards[one[actions]] = cards[other[actions]]
        return cards


def adjacency(store: Store) -> Adjacency:
    """The ties of a build, from beside its files, or made and, where that can be written, put there.

    Raises:
        StoreError: a file of the build is damaged.
    """
    with _MAKING:
        if (found := _MADE.get(store)) is None:
            path = store.folder / _FILE
            try:
                with np.load(path) as arrays:
                    found = Adjacency(dict(arrays))
            except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
                found = Adjacency(_arrays(store))
                with suppress(OSError):  # a store that may only be read
                    partial = path.with_name(f"{_FILE}.{os.getpid()}.partial")
                    packed = io.BytesIO()
                    np.savez(packed, **found.arrays)  # type: ignore[arg-type]
                    partial.write_bytes(packed.getvalue())
                    partial.replace(path)
            _MADE[store] = found
        return found


def _arrays(store: Store) -> dict[str, Numbers]:
    """Read the layers."""
    names: set[str] = set()
    links, keywords = _links(store, names)
    faces: dict[str, str] = {}  # face -> card or token
    typed: list[tuple[str, str]] = []
    rebalanced: set[str] = set()
    for node, predicate, term in _named(store, "cards"):
        if predicate == "hasFace":
            names.add(node)
            faces[term] = node
        elif predicate == "hasType":
            names.add(term)
            typed.append((node, term))
        elif predicate == "rdfs:label" and node.startswith("type:"):
            names.add(node)
        elif predicate == "rdfs:label" and node.startswith("card:") and term.startswith(REBALANCED):
            rebalanced.add(node)
    abilities: Counter[str] = Counter()  # by card or token
    cited = list(_cited(store, keywords, faces, abilities))
    names.update(target for _, _, target, _, _ in cited)
    held = Counter(faces.values())
    nodes = sorted(names, key=lambda node: (KINDS.index(node.partition(":")[0]), natural(node)))
    number = {node: at for at, node in enumerate(nodes)}
    parts = sorted({part for *_, part in cited}, key=natural)
    place = {part: at for at, part in enumerate(parts)}
    ties = [(number[source], number[target], _NUMBER[relation]) for source, relation, target in links]
    ties += [(number[faces[face]], number[type_], _NUMBER["has_type"]) for face, type_ in typed]
    proofs = sorted(
        (number[card], number[target], _NUMBER[relation], place[part], number[rule])
        for card, relation, target, rule, part in cited
    )
    ties = sorted({*ties, *(proof[:3] for proof in proofs)})
    at = {tie: number for number, tie in enumerate(ties)}
    source, target, relation = zip(*ties, strict=True) if ties else ((), (), ())
    return {
        "nodes": _pack(nodes),
        "rebalanced": np.array([node in rebalanced for node in nodes], dtype=np.uint8),
        "faces": np.array([held[node] for node in nodes], dtype=np.uint8),
        "abilities": np.array([abilities[node] for node in nodes], dtype=np.uint16),
        "source": np.array(source, dtype=np.int32),
        "target": np.array(target, dtype=np.int32),
        "relation": np.array(relation, dtype=np.uint8),
        "tie": np.array([at[proof[:3]] for proof in proofs], dtype=np.int32),
        "part": np.array([proof[3] for proof in proofs], dtype=np.uint16),
        "rule": np.array([proof[4] for proof in proofs], dtype=np.int32),
        "parts": _pack(parts),
    }


def _links(store: Store, names: set[str]) -> tuple[list[tuple[str, str, str]], dict[str, list[str]]]:
    """The ties between rules, keywords, terms and types; and by rule, the keywords that it defines.

    Adds the `names` of all of these, also of what nothing is tied to.
    """
    links = []
    keywords: dict[str, list[str]] = {}
    for node, predicate, term in _named(store, "rules"):
        kind = node.partition(":")[0]
        if kind in KINDS and predicate == "rdfs:label":
            names.add(node)
        if kind not in KINDS or term.partition(":")[0] not in KINDS:
            continue
        names.add(term)
        for relation, property_, types in LINKS:
            if predicate == _LINKED.get(property_, property_) and kind in types.split():
                links.append((node, relation, term))
        if predicate == "definedBy" and kind == "keyword":
            keywords.setdefault(term, []).append(node)
    return links, {rule: sorted(found) for rule, found in keywords.items()}


def _cited(
    store: Store, keywords: dict[str, list[str]], faces: dict[str, str], abilities: Counter[str]
) -> Iterator[tuple[str, str, str, str, str]]:
    """Card, relation, rule or keyword, rule, and the number of the face or ability, for each citation.

    Counts the `abilities` of each card too.
    """
    for holder, group in groupby(_named(store, "abilities"), key=lambda said: said[0]):
        kind, _, name = holder.partition(":")
        if kind not in ("ability", "face"):
            continue
        said = list(group)
        slug, face, *others = _split(name) if kind == "ability" else name.rpartition(".")[::2]
        part = ".".join([face, *others])
        card = faces[f"face:{slug}.{face}"]
        abilities[card] += kind == "ability"
        for _, predicate, rule in said:
            if relation := _INVOKES.get(predicate):
                target = rule
                if relation in _KEYWORDS and (defined := keywords.get(rule)):
                    own = {term for _, other, term in said if other == _KEYWORDS[relation]}
                    target = next((keyword for keyword in defined if keyword in own), defined[0])
                yield card, relation, target, rule, part


def _split(name: str) -> list[str]:
    """The slug of the card and the numbers of an ability's local name."""
    pieces = name.split(".")
    at = len(pieces)
    while at > 1 and pieces[at - 1].isdecimal():
        at -= 1
    return [".".join(pieces[:at]), *pieces[at:]]


def _named(store: Store, layer: str) -> Iterator[tuple[str, str, str]]:
    """Subject, property and object of the statements that say of our nodes what is read here."""
    if layer not in store.info.quads:
        return
    before, node = "", ""
    for subject, predicate, term in statements(store, layer):
        name = _READ.get(predicate)
        if name is None:
            continue
        if subject != before:
            before, node = subject, _name(subject)
        yield node, name, _name(term)


def _name(term: str) -> str:
    """`<https://w3id.org/cardlaw/rule/702.29>` as `rule:702.29`; else the value of a term."""
    if term.startswith(_DATA):
        return term[len(_DATA) : -1].replace("/", ":", 1)
    return value(term)


def _pack(names: list[str]) -> Numbers:
    return np.frombuffer("\n".join(names).encode(), dtype=np.uint8)


def _unpack(packed: Numbers) -> list[str]:
    text = packed.tobytes().decode()
    return text.split("\n") if text else []
