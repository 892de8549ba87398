"""Which quads a build has that an earlier one has not, and the other way around.

What comes in is what both builds keep of their cards; what goes out are lines of N-Quads. Only cards with
another key are looked at, and the members that are of no card. If that is much of the graph, loading it anew
is faster, and there is no answer.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from cardlaw.ontology.namespaces import PREFIXES

from .kept import Chunk, Kept, lines_of, read_member
from .model import Card

__all__ = ["SHARE", "Difference", "difference", "few_changed"]

SHARE = 0.1
"""Of the quads: so many may change before loading all of them is as fast (twice as many, measured)."""

_PRINTING, _RULING = (f"<{PREFIXES[name]}".encode() for name in ("printing", "ruling"))


class Difference(Struct, frozen=True):
    """Lines by layer; a layer in which nothing changed is not there."""

    gone: dict[str, set[bytes]]
    new: dict[str, set[bytes]]

    def __bool__(self) -> bool:
        return bool(self.gone or self.new)


def few_changed(earlier: Kept, keys: Iterable[bytes]) -> bool:
    """Whether so few cards changed that it may be worth to look for the `difference`.

    Args:
        earlier: what the earlier build keeps; its context is that of the later one.
        keys: of the cards of the later build.
    """
    old, now = {told.key for chunk in earlier.chunks for told in chunk.cards}, {*keys}
    return len(old ^ now) <= SHARE * len(old | now)


def difference(
    earlier: Kept, folder: Path, made: Kept, into: Path, records: Sequence[Card], quads: int
) -> Difference | None:
    """What changed from one build to the next; None if it is too much, or cannot be told.

    Args:
        earlier: what the earlier build keeps; its context is that of the later one.
        folder: of the earlier build.
        made: what the later build keeps.
        into: folder of the later build.
        records: the cards of the later build, in its order.
        quads: how many the later build has.
    """
    old, now = ({told.key for chunk in each.chunks for told in chunk.cards} for each in (earlier, made))
    less, more = _others(earlier.chunks, now), _others(made.chunks, old)
    changed = sum(
        part[1] for chunk, cards in (*less, *more) for card in cards for part in chunk.cards[card].parts
    )
    if changed > SHARE * quads:
        return None
    gone: dict[str, set[bytes]] = {}
    new: dict[str, set[bytes]] = {}
    try:
        for here, chunks, found in ((folder, less, gone), (into, more, new)):
            for chunk, cards in chunks:
                for layer, _, text in lines_of(here, chunk, cards):
                    found.setdefault(layer, set()).update(text.splitlines(keepends=True))
        for layer in {*earlier.rest, *made.rest}:
            before, after = _rest(earlier, folder, layer), _rest(made, into, layer)
            if before != after:
                gone.setdefault(layer, set()).update(_lines(before))
                new.setdefault(layer, set()).update(_lines(after))
    except (OSError, ValueError, zlib.error):
        return None
    for layer in gone.keys() & new.keys():
        both = gone[layer] & new[layer]
        gone[layer] -= both
        new[layer] -= both
    gone, new = ({layer: said for layer, said in each.items() if said} for each in (gone, new))
    lines = [line for each in (gone, new) for found in each.values() for line in found]
    if len(lines) > SHARE * quads or any(b"_:" in line for line in lines):  # blank nodes have no names
        return None
    keys = (told.key for chunk in made.chunks for told in chunk.cards)
    same = (card for card, key in zip(records, keys, strict=True) if key in old)
    return None if _said_by_others(gone, same) else Difference(gone, new)


def _others(chunks: Sequence[Chunk], known: set[bytes]) -> list[tuple[Chunk, list[int]]]:
    """The cards whose keys are not known, by chunk."""
    found = []
    for chunk in chunks:
        if cards := [number for number, told in enumerate(chunk.cards) if told.key not in known]:
            found.append((chunk, cards))
    return found


def _rest(build: Kept, folder: Path, layer: str) -> list[bytes]:
    return [read_member(folder, layer, member) for member in build.rest.get(layer, ())]


def _lines(members: Iterable[bytes]) -> Iterator[bytes]:
    for member in members:
        yield from zlib.decompress(member, wbits=31).splitlines(keepends=True)


def _said_by_others(gone: dict[str, set[bytes]], cards: Iterable[Card]) -> bool:
    """Whether cards that did not change may say what is gone as well.

    The subjects of a card's lines have its slug in them, but for printings and rulings, which go by ids of
    the source: it may give one id to two cards.
    """
    ids = {
        line[len(prefix) : line.index(b">")].decode().partition(".")[0]
        for lines in gone.values()
        for line in lines
        for prefix in (_PRINTING, _RULING)
        if line.startswith(prefix)
    }
    return bool(ids) and any(
        card.oracle_id in ids or any(printing.id in ids for printing in card.printings) for card in cards
    )
