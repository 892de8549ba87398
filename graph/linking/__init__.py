"""From abilities to citations: catalogue, anchors and linker."""

from __future__ import annotations

from ..model import Rulebook
from .anchors import Fallback, resolved
from .catalogue import Entry, load_catalogue
from .linker import CitedEntry, Linker, anchors_of
from .uncited import uncited

__all__ = ["CitedEntry", "Entry", "Fallback", "Linker", "load_catalogue", "resolve_anchors", "uncited"]


def resolve_anchors(rulebook: Rulebook) -> Rulebook:
    """The rulebook with the number of every anchor of the shipped catalogue, as an outline carries them."""
    return resolved(rulebook, anchors_of(load_catalogue()))
