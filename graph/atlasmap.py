"""Places on a map: topics and regions come in, a circle for each node, topic and region goes out.

A topic is a disk, its rule or keyword in the middle and its cards around it as the seeds of a sunflower
(Vogel 1979), each on the side of the topic that comes next for it. Disks are packed into a region, the
biggest in the middle, each where it touches two others as near as can be to what it is tied to; regions are
moved to the map in the same manner, as they are, with water between them. Nothing overlaps by construction,
and no force layout has to end: of 40,000 nodes one makes a blob. The unit of length is about the distance of
two cards; the same topics have the same places.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from .atlastopics import Floats, Ints, Topics

__all__ = ["Places", "places"]

_SEED = 0.62  # a sunflower's n-th seed is this times √n from the middle: no two are nearer than 1
_GOLDEN = np.pi * (3 - np.sqrt(5))
_MARGIN = 1.3  # between the outermost nodes of two disks
_WATER = 6.5  # between the disks of two regions
_WIDE = 1.5  # width of the map to its height
_WAYS = 32  # directions in which a place for a region is looked for

_RADII = {"card": 0.4, "rule": 0.5, "term": 0.45, "keyword": 0.5}
"""Of nodes that are no heads of topics."""


class Places(Struct, frozen=True):
    """Circles, x and y upward from the middle of the map."""

    nodes: Floats  # x, y, radius of each node
    topics: Floats  # x, y, radius of each topic's disk
    regions: Floats  # x, y of the middle of each region's nodes


def places(topics: Topics, kinds: list[str]) -> Places:
    """Where everything is; `kinds` are of all nodes."""
    total = len(topics.head)
    heads = 0.55 + 0.42 * topics.cards**0.24
    taken = np.ceil(((heads + 0.6) / _SEED) ** 2).astype(np.int64)  # seeds for whose room the head takes
    members = np.bincount(topics.of[topics.of >= 0], minlength=total) - 1
    disks = np.zeros((total, 3))
    disks[:, 2] = _SEED * np.sqrt(taken + members) + _MARGIN / 2
    for number in range(int(topics.region.max(initial=-1)) + 1):
        inside = np.flatnonzero(topics.region == number)
        disks[inside, :2] = _packed(disks[inside, 2], topics.near[np.ix_(inside, inside)])
    _moved(disks, topics)
    nodes = np.zeros((len(kinds), 3))
    nodes[:, 2] = [_RADII[kind] for kind in kinds]
    nodes[topics.head, :2] = disks[:, :2]
    nodes[topics.head, 2] = heads
    _sown(nodes, topics, disks, taken)
    lost = np.flatnonzero(topics.of < 0)
    if len(lost):  # cards that invoke nothing: a heap in a corner of the map
        seeds = np.arange(len(lost))
        corner = disks[:, :2].min(axis=0, initial=0.0)
        nodes[lost, 0] = corner[0] + _SEED * np.sqrt(seeds) * np.cos(seeds * _GOLDEN)
        nodes[lost, 1] = corner[1] + _SEED * np.sqrt(seeds) * np.sin(seeds * _GOLDEN)
    middles = np.zeros((int(topics.region.max(initial=-1)) + 1, 2))
    for number in range(len(middles)):
        inside = topics.region == number
        middles[number] = np.average(disks[inside, :2], axis=0, weights=disks[inside, 2] ** 2)
    return Places(nodes=nodes, topics=disks, regions=middles)


def _packed(radii: Floats, near: Floats) -> Floats:
    """Middles of disks that touch and do not overlap, the biggest first and in the middle."""
    order = np.argsort(-radii, kind="stable")
    at = np.zeros((len(radii), 2))
    for turn, disk in enumerate(order.tolist()):
        there = order[:turn]
        if turn == 0:
            continue
        if turn == 1:
            at[disk] = at[there[0]] + (radii[there[0]] + radii[disk], 0.0)
            continue
        spots = _touching(at[there], radii[there], radii[disk])
        pull = near[disk, there]
        distance = np.hypot(*(spots[:, None, :] - at[there][None, :, :]).transpose(2, 0, 1))
        weights = pull / pull.sum() if pull.sum() > 0 else pull
        middle = np.average(at[there], axis=0, weights=radii[there] ** 2)
        cost = np.hypot(*(spots - middle).T) + distance @ weights
        at[disk] = spots[np.argmin(np.round(cost, 6))]
    return at - np.average(at, axis=0, weights=radii**2)


def _touching(at: Floats, radii: Floats, radius: float) -> Floats:
    """Where a disk of `radius` can be so that it touches two of those there and overlaps none."""
    one, other = np.triu_indices(len(at), 1)
    reach_one, reach_other = radii[one] + radius, radii[other] + radius
    way = at[other] - at[one]
    length = np.hypot(*way.T)
    possible = (length < reach_one + reach_other) & (length > 0)
    one, way, length = one[possible], way[possible], length[possible]
    reach_one, reach_other = reach_one[possible], reach_other[possible]
    along = (length**2 + reach_one**2 - reach_other**2) / (2 * length)
    aside = np.sqrt(np.maximum(reach_one**2 - along**2, 0.0))
    unit = way / length[:, None]
    foot = at[one] + unit * along[:, None]
    across = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * aside[:, None]
    spots: Floats = np.concatenate([foot + across, foot - across])
    gaps = np.hypot(*(spots[:, None, :] - at[None, :, :]).transpose(2, 0, 1)) - (radii + radius)
    free: Floats = spots[gaps.min(axis=1) > -1e-6]
    return free


def _moved(disks: Floats, topics: Topics) -> None:
    """Move each region, as it is, to where it is near what it is tied to, with water around it."""
    regions = int(topics.region.max(initial=-1)) + 1
    member = topics.region[:, None] == np.arange(regions)
    near = member.T.astype(float) @ topics.near @ member
    area = np.array([(disks[member[:, number], 2] ** 2).sum() for number in range(regions)])
    near /= np.sqrt(np.maximum(np.outer(area, area), 1e-9))
    angles = np.arange(_WAYS) * 2 * np.pi / _WAYS
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    stretch = np.array([1 / np.sqrt(_WIDE), np.sqrt(_WIDE)])
    middles = np.zeros((regions, 2))
    there = np.zeros(0, dtype=np.int64)  # disks
    for number in np.argsort(-area, kind="stable").tolist():
        own = np.flatnonzero(member[:, number])
        if len(there):
            done = np.unique(topics.region[there])
            pull = near[number, done]
            pull = pull / pull.sum() if pull.sum() > 0 else np.full(len(done), 1 / len(done))
            starts = np.array([pull @ middles[done], (0.0, 0.0)])
            spots = np.concatenate(
                [start + ways * _slid(disks[own], disks[there], start, ways)[:, None] for start in starts]
            )
            distance = np.hypot(*(spots[:, None, :] - middles[done][None, :, :]).transpose(2, 0, 1))
            cost = 1.6 * np.hypot(*(spots * stretch).T) + distance @ pull
            middles[number] = spots[np.argmin(np.round(cost, 6))]
            disks[own, :2] += middles[number]
        there = np.concatenate([there, own])
    lowest, highest = disks[:, :2].min(axis=0), disks[:, :2].max(axis=0)
    disks[:, :2] -= (lowest + highest) / 2


def _slid(own: Floats, there: Floats, start: Floats, ways: Floats) -> Floats:
    """How far some disks have to go from `start`, each way, for water between them and all others."""
    offset = (start + own[:, None, :2] - there[None, :, :2]).reshape(-1, 2)
    reach = (own[:, None, 2] + there[None, :, 2] + _WATER).ravel()
    far = np.empty(len(ways))
    for number, way in enumerate(ways):
        along = offset @ way
        left = along**2 - (offset**2).sum(axis=1) + reach**2
        hit = left > 0
        half = np.sqrt(left[hit])
        begin, stop = -along[hit] - half, -along[hit] + half  # overlap while it goes from begin to stop
        order = np.argsort(begin, kind="stable")
        begin, stop = begin[order], np.maximum.accumulate(np.maximum(stop[order], 0.0))
        before = np.concatenate([[0.0], stop[:-1]]) if len(stop) else np.zeros(0)
        free = np.flatnonzero(begin >= before)
        far[number] = before[free[0]] if len(free) else (stop[-1] if len(stop) else 0.0)
    return far


def _sown(nodes: Floats, topics: Topics, disks: Floats, taken: Ints) -> None:
    """Place the members of each topic: rules and terms next to the head, cards around them."""
    is_card = np.arange(len(topics.of)) >= len(topics.of) - np.count_nonzero(topics.telling > 0)
    order = np.argsort(topics.of, kind="stable")
    bounds = np.searchsorted(topics.of[order], np.arange(len(topics.head) + 1))
    for topic, head in enumerate(topics.head.tolist()):
        members = order[bounds[topic] : bounds[topic + 1]]
        members = members[members != head]
        if not len(members):
            continue
        seeds = np.arange(taken[topic], taken[topic] + len(members))
        distance, angle = _SEED * np.sqrt(seeds), seeds * _GOLDEN % (2 * np.pi)
        cards = members[is_card[members]]
        others = members[~is_card[members]]
        toward = disks[topics.next[cards], :2] - disks[topic, :2]
        wanted = np.arctan2(toward[:, 1], toward[:, 0]) % (2 * np.pi)
        alone = topics.next[cards] < 0
        wanted[alone] = (np.flatnonzero(alone) * _GOLDEN) % (2 * np.pi)
        ranked = cards[np.argsort(-topics.telling[cards], kind="stable")]
        side = dict(zip(cards.tolist(), wanted.tolist(), strict=True))
        sown = [*others.tolist()]
        spots = [*range(len(sown))]
        at = 0
        while at < len(ranked):  # ring by ring, as many as there are in one
            first = len(others) + at
            size = max(6, int(2 * np.pi * distance[first] * 2))
            ring = ranked[at : at + size].tolist()
            free = range(first, first + len(ring))
            sown += sorted(ring, key=lambda card: (side[card], card))
            spots += sorted(free, key=lambda spot: angle[spot])
            at += size
        nodes[sown, 0] = disks[topic, 0] + distance[spots] * np.cos(angle[spots])
        nodes[sown, 1] = disks[topic, 1] + distance[spots] * np.sin(angle[spots])
