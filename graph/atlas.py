"""The whole graph as a map: what is read from the files of a build, and the two files that come of it.

    BUILD/atlas-1-places.gz   every card, rule, keyword and glossary term with its place, its region and what
                              it is colored by; the backbone, at most 30,000 ties that say most
    BUILD/atlas-1-ties.gz     all ties, by relation: 380,000

A file is gzip of the length of a header (32 bits, little-endian), the header as JSON and, behind it, the
arrays that the header names, so that a browser makes typed arrays of them. They are made once for each build,
while it is loaded; an older build gets them when they are first wanted. Same build inputs, same bytes. Ties
that come only from reminder text (CR 207.2a) are left out, as they are of `mtg:citesRule`; tokens are not on
the map. What the cards cite comes from the ties of `adjacency`, so that the biggest layer is read once.
"""

from __future__ import annotations

import gzip
import re
import threading
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import Struct

from cardlaw.ontology.namespaces import BASE, PREFIXES

from .adjacency import NAMES, Adjacency, adjacency
from .atlasmap import Places, places
from .atlastopics import CITATIONS, RELATIONS, Ints, Nodes, Topics, topics
from .layers import picked
from .store import write_whole

if TYPE_CHECKING:
    from .store import Store

__all__ = ["BACKBONE", "CARD_TYPES", "COLORS", "KINDS", "Atlas", "atlas", "keep", "make"]

KINDS = ("keyword", "rule", "term", "card")
"""Kinds of nodes, in the order in which they stand in the arrays."""

CARD_TYPES = (
    "creature",
    "planeswalker",
    "battle",
    "land",
    "instant",
    "sorcery",
    "artifact",
    "enchantment",
)
"""Card types (CR 300) by which a card is colored: the first that its front has; none of them is 255."""

BACKBONE = 30_000
"""So many edges a browser draws at once in about a second."""

COLORS = "WUBRG"
"""Bits of a color identity (CR 903.4) from the lowest; bit 5 says that the source tells it."""


class Atlas(Struct, frozen=True):
    """The two files of an atlas, as they are sent to a browser."""

    places: bytes
    ties: bytes


class _Facts:
    """What the layers say of the nodes.

    Attributes:
        ids: prefixed names, by kind and then in order.
        index: prefixed name → number of the node.
        names: as they are read; of a rule its heading, if it has one.
        ends: of ties, source × 2³² + target.
        bits: of the same ties, a bit of `RELATIONS`.
        entries: rule → catalogue entries that resolve to it, each with its anchor.
    """

    def __init__(self, folder: Path, quads: Mapping[str, int], ties: Adjacency) -> None:
        self.ids: list[str] = []
        self.index: dict[str, int] = {}
        self.names: list[str] = []
        self.ends: list[int] = []
        self.bits: list[int] = []
        self.entries: dict[int, list[tuple[str, str]]] = defaultdict(list)
        self._rules(folder, quads["rules"])
        self._cards(folder, quads["cards"])
        self._cited(ties)

    def _rules(self, folder: Path, quads: int) -> None:
        links = {
            "mtg:definedBy": "defined_by",
            "skos:broader": "parent",
            "mtg:refersTo": "refers_to",
            "rdfs:seeAlso": "see",
        }
        names = ("rdfs:label", "skos:prefLabel", "mtg:sortKey", "mtg:anchor", "mtg:resolvesTo", *links)
        found: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
        for subject, name, value in picked(
            folder, "rules", quads, {_predicate(name): name for name in names}
        ):
            found[name].append((_local(subject), value))
        labels, headings, keys = ({node: _text(value) for node, value in found[name]} for name in names[:3])
        for kind in KINDS[:-1]:
            prefix = f"{kind}:"
            nodes = [node for node in labels if node.startswith(prefix)]
            for node in sorted(nodes, key=lambda each: (keys.get(each, ""), each)):
                self._add(node, headings.get(node, "") if kind == "rule" else labels[node])
        for name, relation in links.items():
            for subject, value in found[name]:
                source, target = self.index.get(subject), self.index.get(_local(value))
                if source is not None and target is not None:
                    is_variant = relation == "parent" and subject.startswith("keyword:")
                    self.ends.append(source << 32 | target)
                    self.bits.append(_BIT["variant_of" if is_variant else relation])
        anchors = {entry: _text(value) for entry, value in sorted(found["mtg:anchor"], reverse=True)}
        for entry, value in sorted(found["mtg:resolvesTo"]):
            if (rule := self.index.get(_local(value))) is not None:
                self.entries[rule].append((entry.partition(":")[2], anchors.get(entry, "")))

    def _cards(self, folder: Path, quads: int) -> None:
        names = ("rdfs:label", "mtg:hasType", "mtg:colorIdentity", "mtg:colorlessIdentity")
        types: dict[str, int] = {}
        colors: dict[str, int] = defaultdict(int)
        labels: dict[str, str] = {}
        for iri, name, value in picked(folder, "cards", quads, {_predicate(name): name for name in names}):
            subject = _local(iri)
            if name == "mtg:hasType":
                number = _TYPE.get(_local(value).partition(":")[2], 255)
                if number < 255 and subject.endswith(".1"):
                    card = "card:" + subject[5:-2]
                    types[card] = min(types.get(card, 255), number)
            elif subject.startswith("card:"):
                if name == "rdfs:label":
                    labels[subject] = _text(value)
                else:
                    colors[subject] |= _TOLD
                    if name == "mtg:colorIdentity":
                        colors[subject] |= 1 << COLORS.index(_text(value))
        self.first_card = len(self.ids)
        cards = sorted(labels)
        for card in cards:
            self._add(card, labels[card])
        self.types = [types.get(card, 255) for card in cards]
        self.colors = [colors.get(card, 0) for card in cards]

    def _cited(self, ties: Adjacency) -> None:
        """What the cards cite: a rule and, of one that defines a keyword, the keyword too."""
        place = np.array([self.index.get(node, -1) for node in ties.nodes], dtype=np.int64)
        bit = np.array([_BIT[name] if name in CITATIONS else 0 for name in NAMES], dtype=np.int64)
        tie, rule = ties.arrays["tie"], ties.arrays["rule"]
        source = place[np.concatenate([ties.source, ties.source[tie]])]
        target = place[np.concatenate([ties.target, rule])]
        bits = bit[np.concatenate([ties.relation, ties.relation[tie]])]
        kept = (source >= self.first_card) & (bits > 0)  # else of a token, or no citation
        source, target, bits = source[kept], target[kept], bits[kept]
        action = np.full(len(self.ids), -1, dtype=np.int64)  # rule → keyword
        for ends, relation in reversed([*zip(self.ends, self.bits, strict=True)]):
            if relation == _BIT["defined_by"]:
                action[ends & _LOW] = ends >> 32
        does = (bits == _BIT["keyword_action"]) & (action[target] >= 0)
        for one, other, relations in (
            (source, target, bits),
            (source[does], action[target[does]], bits[does]),
        ):
            self.ends += (one << 32 | other).tolist()
            self.bits += relations.tolist()

    def ties(self) -> tuple[Ints, Ints]:
        """The ends of all ties, n × 2, in their order, and for each the bits of its relations."""
        ends, bits = np.array(self.ends, dtype=np.int64), np.array(self.bits, dtype=np.int64)
        order = np.argsort(ends, kind="stable")
        ends, bits = ends[order], bits[order]
        first = np.flatnonzero(np.diff(ends, prepend=-1))
        kept = ends[first]
        return np.stack([kept >> 32, kept & _LOW], axis=1), np.bitwise_or.reduceat(bits, first)

    def _add(self, node: str, name: str) -> None:
        self.index[node] = len(self.ids)
        self.ids.append(node)
        self.names.append(name)


def atlas(store: Store, tell: Callable[[], None] = lambda: None) -> Atlas:
    """The atlas of a build; one that was made without is made now, and stored if the folder can be written.

    Args:
        store: the build.
        tell: called before one is made, which takes seconds.

    Raises:
        StoreError: the files of the build are damaged.
    """
    with _LOCK:
        with suppress(OSError, EOFError, zlib.error):
            kept = Atlas(*((store.folder / name).read_bytes() for name in _FILES))
            for content in (kept.places, kept.ties):  # is it whole?
                if not gzip.decompress(content):
                    raise EOFError
            return kept
        tell()
        try:
            made = make(store.folder, store.info.quads, adjacency(store))
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise store.damaged(str(error)) from error
        with suppress(OSError):
            keep(made, store.folder)
        return made


def keep(made: Atlas, folder: Path) -> None:
    """Write the files of an atlas into the folder of its build.

    Raises:
        OSError: they cannot be written.
    """
    for name, content in zip(_FILES, (made.places, made.ties), strict=True):
        write_whole(folder / name, content)


_LOCK = threading.Lock()  # one is made at a time
_FILES = ("atlas-1-places.gz", "atlas-1-ties.gz")


def make(folder: Path, quads: Mapping[str, int], ties: Adjacency) -> Atlas:
    """The atlas of the build in `folder`, from its N-Quads files.

    Args:
        folder: that of the build.
        quads: how many each layer has.
        ties: those of the build.

    Raises:
        OSError, EOFError, zlib.error, ValueError: a file is damaged.
    """
    facts = _Facts(folder, quads, ties)
    ends, bits = facts.ties()
    kinds = [id_.partition(":")[0] for id_ in facts.ids]
    nodes = Nodes(
        kinds=kinds[: facts.first_card],
        names=facts.names[: facts.first_card],
        cards=len(kinds) - facts.first_card,
        ends=ends,
        bits=bits,
    )
    found = topics(nodes)
    return Atlas(
        places=_places(facts, kinds, nodes, found, places(found, kinds)), ties=_ties(ends, bits, len(kinds))
    )


_BIT = {relation: 1 << number for number, relation in enumerate(RELATIONS)}
_PHRASE = 32  # characters of an anchor that is a name
_RADIUS = 0.02  # unit of the radii
_LOW = (1 << 32) - 1
_SKIP = 1 + len(BASE)
_TOLD = 1 << len(COLORS)
_TYPE = {name: number for number, name in enumerate(CARD_TYPES)}


def _predicate(curie: str) -> str:
    prefix, _, name = curie.partition(":")
    return f"<{PREFIXES[prefix]}{name}>"


def _local(iri: str) -> str:
    """The prefixed name of an IRI of ours."""
    return iri[_SKIP:-1].replace("/", ":", 1)


def _text(value: str) -> str:
    """A plain literal (RDF 1.1 N-Quads, STRING_LITERAL_QUOTE); canonical escapes are JSON's own."""
    text: str = msgspec.json.decode(value[: value.rindex('"') + 1])
    return text


def _places(facts: _Facts, kinds: list[str], nodes: Nodes, found: Topics, at: Places) -> bytes:
    """The file of the places."""
    shown = at.nodes[:, :2]
    low = shown.min(axis=0, initial=0.0)
    unit = max(float((shown - low).max(initial=0.0)), 1.0) / 65535
    rules = dict(reversed(nodes.of("defined_by")))
    rule_of = [facts.ids[rules.get(head, head)].partition(":")[2] for head in found.head.tolist()]
    header = {
        "counts": {kind: kinds.count(kind) for kind in KINDS},
        "ids": [id_.partition(":")[2] for id_ in facts.ids],
        "names": [*_named(facts, nodes), *facts.names[facts.first_card :]],
        "types": CARD_TYPES,
        "colors": COLORS,
        "low": np.round(low, 3).tolist(),
        "unit": unit,
        "radius": _RADIUS,
        "topics": {
            "head": found.head.tolist(),
            "rule": rule_of,  # of a term that stands alone, the term
            "region": found.region.tolist(),
            "cards": found.cards.tolist(),
            "circle": np.round(at.topics, 2).tolist(),
        },
        "regions": {"named": found.named, "middle": np.round(at.regions, 2).tolist()},
    }
    arrays = {
        "x": np.round((shown[:, 0] - low[0]) / unit).astype("<u2"),
        "y": np.round((shown[:, 1] - low[1]) / unit).astype("<u2"),
        "r": np.round(at.nodes[:, 2] / _RADIUS).astype("<u2"),
        "topic": found.of.astype("<i2" if len(found.head) < 1 << 15 else "<i4"),
        "type": np.array(facts.types, dtype="u1"),
        "color": np.array(facts.colors, dtype="u1"),
        "backbone": _backbone(nodes, found).astype("<u4").ravel(),
    }
    return _packed(header, arrays)


def _named(facts: _Facts, nodes: Nodes) -> list[str]:
    """Names of all but the cards; a rule without a heading goes by the glossary or the catalogue."""
    pointed: dict[int, list[int]] = defaultdict(list)
    for term, rule in nodes.of("refers_to"):
        if nodes.kinds[term] == "term":
            pointed[term].append(rule)
    terms: dict[int, list[int]] = defaultdict(list)
    for term, targets in pointed.items():
        if len(targets) == 1:
            terms[targets[0]].append(term)
    names = list(nodes.names)
    for node, kind in enumerate(nodes.kinds):
        if kind != "rule" or names[node]:
            continue
        entries = [each for each in facts.entries[node] if not each[0].startswith("glossary.")]
        if len(terms[node]) == 1:
            names[node] = nodes.names[terms[node][0]]
        elif entries:
            words = min((_words(*each) for each in entries), key=len)
            names[node] = words[:1].upper() + words[1:]
    return names


def _words(entry: str, anchor: str) -> str:
    """What a catalogue entry is about: the words of its anchor if they are a short phrase, else its id."""
    facet, _, name = entry.partition(".")
    phrase = anchor.rpartition(": ")[2].partition(",")[0]
    if facet not in ("term", "type") and " " in phrase.replace("-", " ") and len(phrase) <= _PHRASE:
        return phrase
    return re.sub(r"\bcant\b", "can’t", name.replace("-", " "))


def _backbone(nodes: Nodes, found: Topics) -> Ints:
    """At most `BACKBONE` ties, n × 2: the nearest topics, then cards and their topics, telling ones first."""
    one, other = np.nonzero(np.triu(found.near))
    order = np.lexsort((one * len(found.head) + other, -found.near[one, other]))[: 2 * len(found.head)]
    between = np.stack([found.head[one[order]], found.head[other[order]]], axis=1)
    cards = np.flatnonzero(found.telling > 0)
    cards = cards[np.argsort(-found.telling[cards], kind="stable")][: max(BACKBONE - len(between), 0)]
    return np.concatenate([between, np.stack([cards, found.head[found.of[cards]]], axis=1)])[:BACKBONE]


def _ties(ends: Ints, bits: Ints, total: int) -> bytes:
    """The file of the ties: of each node how many go out, and of each of them target and relations."""
    arrays = {
        "out": np.bincount(ends[:, 0], minlength=total).astype("<u4"),
        "target": ends[:, 1].astype("<u4"),
        "bits": bits.astype("<u4"),
    }
    return _packed({"relations": [*RELATIONS]}, arrays)


def _packed(header: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """Header and arrays as a file; each array begins at a multiple of 4 bytes."""
    header["arrays"] = [[name, array.dtype.str[1:], len(array)] for name, array in arrays.items()]
    head = msgspec.json.encode(header)
    head += b" " * (-len(head) % 4)
    blocks = [len(head).to_bytes(4, "little"), head]
    for array in arrays.values():
        block = array.tobytes()
        blocks.append(block + bytes(-len(block) % 4))
    return gzip.compress(b"".join(blocks), compresslevel=6, mtime=0)
