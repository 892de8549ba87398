"""From a linked card to its tags, each with the reason for it: a pure function of the card and the data.

What a card is (attributes), what its words do (extracted, by `ontology/tags`) and what it is good for
(inferred themes, by `ontology/themes.toml`) are kept apart. What each
tag means stands in `ontology/facets.ttl`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Card
from .attributes import attributes
from .definitions import Definition, creature_types, load_definitions
from .extracting import Extractor
from .facets import Concept, concepts
from .tags import LAYERS, Layer, Reason, Tag
from .themes import ThemeRule, infer, theme_rules

__all__ = [
    "LAYERS",
    "Concept",
    "Definition",
    "Extractor",
    "Layer",
    "Reason",
    "Tag",
    "Tagger",
    "ThemeRule",
    "attributes",
    "concepts",
    "creature_types",
    "infer",
    "load_definitions",
    "theme_rules",
]


class Tagger:
    """Tags linked cards.

    terms: lowercase rules words, those of the linker's lexicon (`Linker.lexicon.terms`).
    definitions: of extracted tags; default: those that ship.
    types: names of the creature types that the rulebook knows; default: all that are known.
    """

    def __init__(
        self,
        terms: frozenset[str],
        definitions: Iterable[Definition] | None = None,
        types: Iterable[str] | None = None,
    ) -> None:
        self.extract = Extractor(terms, definitions)
        self.types = None if types is None else frozenset(types)

    def __call__(self, card: Card) -> tuple[Tag, ...]:
        """All tags of a card: attributes, then extracted ones, then inferred ones."""
        known = (*attributes(card), *self.extract(card))
        return (*known, *infer(known, self.types))
