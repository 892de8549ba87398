"""The few errors that users meet. Each message is one line and says what to do."""

from __future__ import annotations

__all__ = [
    "CardlawError",
    "CatalogueError",
    "CorrectionsError",
    "PublishError",
    "QueryError",
    "RulebookError",
    "ShapesError",
    "SourceError",
    "StoreError",
    "UnknownNodeError",
]


class CardlawError(Exception):
    """Base of all errors that `cardlaw` raises on purpose."""


class CatalogueError(CardlawError):
    """A citation catalogue that cannot be read."""


class CorrectionsError(CardlawError):
    """A file of corrections that cannot be read, or that does not fit the rulebook."""


class PublishError(CardlawError):
    """A server that does not take the graph."""


class RulebookError(CardlawError):
    """A file that is no usable text of the Comprehensive Rules."""


class ShapesError(CardlawError):
    """A file of SHACL shapes that cannot be read, or that says what is not understood."""


class SourceError(CardlawError):
    """A source of cards or rulings that is missing, unreadable or of the wrong shape."""


class StoreError(CardlawError):
    """A store that is missing, of another schema version, locked or damaged."""


class QueryError(CardlawError):
    """A query that does not parse, is not known or misses a parameter.

    Attributes:
        message: what is wrong; as text, the error goes on with the line.
        place: the line that cannot be read, and the column in it from 1 on; None for other errors.
    """

    def __init__(self, message: str, place: tuple[str, int] | None = None) -> None:
        super().__init__(message if place is None else f"{message}: {place[0].strip()}")
        self.message = message
        self.place = place


class UnknownNodeError(QueryError):
    """A node that the graph does not have.

    Attributes:
        node: its prefixed name.
    """

    def __init__(self, node: str) -> None:
        super().__init__(f"{node} is not in the graph")
        self.node = node
