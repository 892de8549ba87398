"""The reminder texts (CR 207.2a) that cards print with a keyword: what it does in the game's own short words.

Some hundred abilities are read of each keyword, which is enough: most print one of two wordings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import cast

from pyoxigraph import Literal, NamedNode

from .abilities.masking import reminders
from .facts import node
from .store import Store, layer

__all__ = ["printed_reminders"]

_SAMPLE = 300


def printed_reminders(store: Store, keyword: str, sample: int = _SAMPLE) -> Counter[str]:
    """The reminder texts that abilities of a keyword begin theirs with, and how many print each.

    Args:
        store: the graph.
        keyword: its IRI.
        sample: how many abilities are read.
    """
    return Counter(_printed(store, keyword, sample))


def _printed(store: Store, keyword: str, sample: int) -> Iterator[str]:
    quads = store.quads.quads_for_pattern(None, node("keyword"), NamedNode(keyword), layer("abilities"))
    for quad in islice(quads, sample):
        labels = store.quads.quads_for_pattern(quad.subject, node("rdfs:label"), None, layer("abilities"))
        text = next((cast(Literal, label.object).value for label in labels), "")
        for start, end in reminders(text)[:1]:
            yield text[start:end]
