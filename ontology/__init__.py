"""What the words mean: the vocabulary and other data files, and the namespaces they use."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["data"]


def data(*parts: str) -> Traversable:
    """The data file (or folder) of this floor at the path `parts`, from a wheel or a checkout.

    Example:
        >>> data("cardlaw.ttl").name
        'cardlaw.ttl'
    """
    return files(__name__).joinpath(*parts)
