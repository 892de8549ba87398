"""The records of tagging: a tag with the reasons for it, and the layer that it belongs to.

Three layers are kept apart: what the source says of a card (attributes), what was extracted from its words,
and what was inferred from that.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ..model import Citation, Field, Span

__all__ = ["LAYERS", "Layer", "Reason", "Tag"]

Layer: TypeAlias = Literal["attribute", "extracted", "inferred"]

LAYERS: tuple[Layer, ...] = ("attribute", "extracted", "inferred")


class Reason(Struct, frozen=True, kw_only=True):
    """Why a card has a tag: words of a field of a face, or other tags."""

    holder: str | None = None  # "1.2" of an ability, "1" of a face; None: the card itself, or premises
    field: Field | str | None = None  # where the words stand: of a face, else "color_identity"
    words: str = ""  # the words, or the value of the field
    span: Span | None = None  # of the words in the field
    citation: Citation | None = None  # that proves it
    premises: tuple[str, ...] = ()  # ids of the tags that it was inferred from


class Tag(Struct, frozen=True, kw_only=True):
    """A tag of a card; `id` is the local name of its IRI, or the prefixed name of a keyword or a type."""

    id: str  # "ability.draw"
    layer: Layer
    facet: str  # "ability"
    reasons: tuple[Reason, ...]
