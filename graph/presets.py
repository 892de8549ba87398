"""Questions that are asked of the graph again and again, each answered by a part of it that can be drawn.

shared(cards)     the rules, keywords and types that at least two of some cards have in common
tied(nodes)       why some nodes are tied: what two or more share, and the paths that say most
keyword(keyword)  everything about a keyword: its rule and subrules, its variants, the keywords that it is
                  most often seen with, and the rarest cards that have, grant, take away or mention it
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from .adjacency import KINDS, NAMES, Numbers
from .errors import QueryError
from .lookup import Lookup, type_of
from .neighborhood import OPENING, Neighborhood, between, focus_of
from .paths import paths
from .ranking import Walk

if TYPE_CHECKING:
    from .store import Store

__all__ = ["PRESETS", "keyword", "shared", "tied"]

_SHARED = 40
"""So many things that cards share are shown."""
_PATHS = 3
"""So many paths between two nodes are shown."""
_PAIRS = 15
"""So many pairs of nodes are looked at."""
_AROUND = 100
"""So many nodes, with the cards, are shown around a keyword."""
_BOTH = 2
"""So many cards are shown that have both."""
_RELATED = 8
"""So many keywords that go with a keyword are shown."""


def shared(store: Store, nodes: Sequence[str]) -> Neighborhood:
    """The rules, keywords and types that at least two of some cards share, the rarest first.

    Of the cards, the abilities are drawn that have to do with them.

    Raises:
        QueryError: a node is not in the graph, or fewer than two are cards.
    """
    focus = focus_of(store, nodes)
    cards = [node for node in focus if type_of(node) == "card"]
    if len(cards) < 2:
        raise QueryError("what cards share is asked of two cards or more")
    walk = Walk(store, cards)
    common = _common(walk, cards)[:_SHARED]
    return between(store, _with_parts(walk, cards, common), focus)


def tied(store: Store, nodes: Sequence[str]) -> Neighborhood:
    """Why some nodes are tied: the paths that say most between each two, and what cards among them share.

    Raises:
        QueryError: a node is not in the graph or has no paths, or there is only one.
    """
    focus = focus_of(store, nodes)
    if len(focus) < 2:
        raise QueryError("why nodes are tied is asked of two nodes or more")
    walk = Walk(store, focus)
    found = dict.fromkeys(focus)
    for one, other in list(combinations(focus, 2))[:_PAIRS]:
        for way in paths(store, one, other, _PATHS):
            found |= dict.fromkeys(way.nodes)
    cards = [node for node in focus if type_of(node) == "card"]
    common = _common(walk, cards)[:_SHARED] if len(cards) > 1 else []
    ends = [node for node in (*found, *common) if type_of(node) not in ("card", "face", "ability")]
    return between(store, [*focus, *_with_parts(walk, cards, ends), *found, *common], focus)


def keyword(store: Store, nodes: Sequence[str]) -> Neighborhood:
    """Everything about a keyword, as far as there is room in a view.

    Raises:
        QueryError: it is not one keyword of the graph.
    """
    focus = focus_of(store, nodes)
    if len(focus) != 1 or type_of(focus[0]) != "keyword":
        raise QueryError("everything about a keyword is asked of one keyword")
    reader = Lookup(store)
    rules = reader.objects(focus[0], "definedBy")
    below = [rule for above in rules for rule in reader.subjects("broader", above)]
    variants = [*reader.objects(focus[0], "broader"), *reader.subjects("broader", focus[0])]
    others = [rule for each in variants for rule in reader.objects(each, "definedBy")]
    referred = [each for rule in rules for each in reader.subjects("refersTo", rule)]
    terms = [each for each in referred if type_of(each) == "term"]
    rules += [each for each in referred if type_of(each) == "rule"]
    walk = Walk(store, focus)
    walk.take_apart(OPENING)
    walk.choose([*rules, *below, *variants, *others, *terms], OPENING)
    for other, both in _related(walk, focus[0])[:_RELATED]:
        walk.choose([other, *both], OPENING)
    walk.step(max(len(walk.chosen), _AROUND))
    return between(store, walk.chosen, focus)


def _common(walk: Walk, cards: Iterable[str]) -> list[str]:
    """What two or more cards are tied to; what more of them share first, then what is rarer."""
    times: Counter[int] = Counter()
    for card in cards:
        number = walk.ties.number[card]
        times.update(set(walk.ties.target[walk.ties.ties_of(number)].tolist()))
    rarity = walk.ranks.rarity
    found = [number for number, cards in times.items() if cards > 1]
    return [walk.ties.nodes[at] for at in sorted(found, key=lambda at: (-times[at] * rarity[at], at))]


def _with_parts(walk: Walk, cards: Iterable[str], ends: Iterable[str]) -> list[str]:
    """The cards, each with those of its parts that are tied to `ends`; then these."""
    wanted = set(ends)
    found = []
    for card in cards:
        citing = {
            proof.holder
            for tie in walk.ties.ties_of(walk.ties.number[card])
            if walk.ties.nodes[walk.ties.target[tie]] in wanted
            for proof in walk.ties.proofs(int(tie))
        }
        faces = {part for part in walk.parts(card) if type_of(part) == "face"}
        found += [card, *sorted(part for part in citing if part in faces or type_of(part) == "ability")]
    return [*found, *ends]


def _related(walk: Walk, keyword: str) -> list[tuple[str, list[str]]]:
    """Keywords on cards that have or grant it, first those that are there more often than chance has it.

    By the expected share of cards: (n - e) / sqrt(e), for n cards where e are expected. Each comes with some
    of the cards that have both and are about little else.
    """
    ties = walk.ties
    held = [NAMES.index(relation) for relation in ("has_keyword", "grants_keyword")]
    on = np.isin(ties.relation, held)
    number = ties.number[keyword]
    there = np.zeros(len(ties.nodes), dtype=bool)
    there[ties.source[on & (ties.target == number)]] = True
    pairs = np.unique(ties.source[on] * np.int64(len(ties.nodes)) + ties.target[on])
    holders, keywords = np.divmod(pairs, len(ties.nodes))
    total = np.bincount(keywords, minlength=len(ties.nodes))
    both = np.bincount(keywords[there[holders]], minlength=len(ties.nodes))
    expected = np.maximum(total * int(there.sum()) / max(1, int(ties.is_card.sum())), 0.5)
    score = (both - expected) / np.sqrt(expected)
    score[number] = 0.0
    score[ties.kind != KINDS.index("keyword")] = 0.0
    found = sorted(np.flatnonzero(score > 1).tolist(), key=lambda at: (-score[at], at))
    return [(ties.nodes[at], _plainest(walk, holders[(keywords == at) & there[holders]])) for at in found]


def _plainest(walk: Walk, cards: Numbers) -> list[str]:
    """The few of some cards that are about little else, those that were rebalanced last."""
    order = np.lexsort((cards, walk.ranks.length[cards], walk.ties.rebalanced[cards]))
    return [walk.ties.nodes[card] for card in cards[order][:_BOTH]]


PRESETS: Mapping[str, Callable[[Store, Sequence[str]], Neighborhood]] = {
    "shared": shared,
    "tied": tied,
    "keyword": keyword,
}
"""The questions by name."""
