"""Every tie of a build as arrays, so that the neighbors of a hub are found as fast as those of any node.

What comes in are the files of the build's layers; what goes out are the cards, tokens, rules, keywords, terms
and types as numbers, and the ties between them, from either end, with what proves them. A look-up by pattern
costs 25 µs a statement: 0.5 s for the 19,000 cards that are creatures (302), where these arrays take 0.1 ms.
They are read once for a build, in 3 s, and kept beside its files: 8 MB, loaded in 40 ms.

Ties from reminder text (CR 207.2a) are left out, as they are of `mtg:citesRule`.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardlaw.ontology.namespaces import BASE, expand

from .layers import picked, value
from .lookup import local, natural
from .naming import REBALANCED
from .network import KEYWORD_TIES, LINKS, RELATIONS
from .store import Store, write_whole
from .triples import RELATION_PROPERTIES

__all__ = ["KINDS", "NAMES", "Adjacency", "Cited", "adjacency", "keep", "make"]

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

    def part_name(self, part: int) -> str:
        """The numbers of a face or ability, as its local name has them after the card's."""
        return self._parts[part]

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
            try:
                with np.load(store.folder / _FILE) as arrays:
                    found = Adjacency(dict(arrays))
            except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
                try:
                    found = make(store.folder, store.info.quads)
                except (OSError, EOFError, zlib.error, ValueError) as error:
                    raise store.damaged(str(error)) from error
                with suppress(OSError):  # a store that may only be read
                    keep(found, store.folder)
            _MADE[store] = found
        return found


def keep(made: Adjacency, folder: Path) -> None:
    """Write the ties into the folder of their build.

    Raises:
        OSError: they cannot be written.
    """
    packed = io.BytesIO()
    np.savez(packed, **made.arrays)  # type: ignore[arg-type]
    write_whole(folder / _FILE, packed.getvalue())


def make(folder: Path, quads: Mapping[str, int]) -> Adjacency:
    """The ties of the build in `folder`, read from its layers.

    Args:
        folder: that of the build.
        quads: how many each layer has.

    Raises:
        OSError, EOFError, zlib.error, ValueError: a file is damaged.
    """
    read = _Reader(folder, quads)
    names: set[str] = set()
    links, keywords = _links(read, names)
    faces: dict[str, str] = {}  # face -> card or token
    typed: list[tuple[str, str]] = []
    rebalanced: set[str] = set()
    for node, predicate, term in read("cards"):
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
    cited = list(_cited(read, keywords, faces, abilities))
    names.update({target for _, _, target, _, _ in cited})
    held = Counter(faces.values())
    nodes = sorted(names, key=lambda node: (KINDS.index(node.partition(":")[0]), natural(node)))
    number = {node: at for at, node in enumerate(nodes)}
    parts = sorted({part for *_, part in cited}, key=natural)
    place = {part: at for at, part in enumerate(parts)}
    ties = [_key(number[source], number[target], _NUMBER[relation]) for source, relation, target in links]
    ties += [_key(number[faces[face]], number[type_], _NUMBER["has_type"]) for face, type_ in typed]
    proofs = np.array(
        [
            (_key(number[card], number[target], _NUMBER[relation]), place[part], number[rule])
            for card, relation, target, rule, part in cited
        ],
        dtype=np.int64,
    ).reshape(-1, 3)
    proofs = proofs[np.lexsort(proofs.T[::-1])]
    keys = np.unique(np.concatenate([np.array(ties, dtype=np.int64), proofs[:, 0]]))
    arrays = {
        "nodes": _pack(nodes),
        "rebalanced": np.array([node in rebalanced for node in nodes], dtype=np.uint8),
        "faces": np.array([held[node] for node in nodes], dtype=np.uint8),
        "abilities": np.array([abilities[node] for node in nodes], dtype=np.uint16),
        "source": (keys >> 32).astype(np.int32),
        "target": (keys >> 8 & 0xFFFFFF).astype(np.int32),
        "relation": (keys & 0xFF).astype(np.uint8),
        "tie": np.searchsorted(keys, proofs[:, 0]).astype(np.int32),
        "part": proofs[:, 1].astype(np.uint16),
        "rule": proofs[:, 2].astype(np.int32),
        "parts": _pack(parts),
    }
    return Adjacency(arrays)


def _key(source: int, target: int, relation: int) -> int:
    """A tie as one number, by which ties are in order."""
    return source << 32 | target << 8 | relation


def _links(read: _Reader, names: set[str]) -> tuple[list[tuple[str, str, str]], dict[str, list[str]]]:
    """The ties between rules, keywords, terms and types; and by rule, the keywords that it defines.

    Adds the `names` of all of these, also of what nothing is tied to.
    """
    links = []
    keywords: dict[str, list[str]] = {}
    for node, predicate, term in read("rules"):
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
    read: _Reader, keywords: dict[str, list[str]], faces: dict[str, str], abilities: Counter[str]
) -> Iterator[tuple[str, str, str, str, str]]:
    """Card, relation, rule or keyword, rule, and the number of the face or ability, for each citation.

    Counts the `abilities` of each card too.
    """
    for holder, group in groupby(read("abilities"), key=lambda said: said[0]):
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


class _Reader:
    """Gives subject, property and object of the statements of a layer that say of our nodes what is read."""

    def __init__(self, folder: Path, quads: Mapping[str, int]) -> None:
        self.folder, self.quads = folder, quads

    def __call__(self, layer: str) -> Iterator[tuple[str, str, str]]:
        before, node = "", ""
        names: dict[str, str] = {}  # most objects are rules and keywords, which come again and again
        for subject, name, term in picked(self.folder, layer, self.quads.get(layer, 0), _READ):
            if subject != before:
                before, node = subject, _name(subject)
            if (found := names.get(term)) is None:
                found = names[term] = _name(term)
            yield node, name, found


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
