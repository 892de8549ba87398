"""From abilities to citations: catalogue, anchors and linker; and what a user adds to them or corrects."""

from __future__ import annotations

from ..model import Rulebook
from .anchors import Fallback, resolved
from .catalogue import Entry, OwnCatalogue, load_catalogue, own_catalogue
from .corrections import Corrections, correct, place, read_corrections
from .linker import CitedEntry, Linker, anchors_of
from .uncited import uncited

__all__ = [
    "CitedEntry",
    "Corrections",
    "Entry",
    "Fallback",
    "Linker",
    "OwnCatalogue",
    "correct",
    "load_catalogue",
    "own_catalogue",
    "place",
    "read_corrections",
    "resolve_anchors",
    "uncited",
]


def resolve_anchors(rulebook: Rulebook) -> Rulebook:
    """The rulebook with the number of every anchor of the shipped catalogue, as an outline carries them."""
    return resolved(rulebook, anchors_of(load_catalogue()))
