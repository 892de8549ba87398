"""Content negotiation: what a client takes (RFC 9110, 12.5.1), or has (13.1.2), against what there is."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["is_fresh", "preferred"]

_LEAST = 0.001


def preferred(accept: str, offered: Sequence[str]) -> str | None:
    """The media type that a client likes best, the first of equals; None if it takes none.

    Each type counts with the quality of the range that names it most closely; other parameters of a range
    are ignored. A quality that is no number counts least.

    >>> preferred("text/*;q=0.5, text/turtle", ["text/html", "text/turtle"])
    'text/turtle'
    """
    named = [part for part in accept.split(",") if part.partition(";")[0].strip()]
    if not named:
        return offered[0]
    ranges: dict[str, float] = {}
    for part in named:
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = _quality(parameters)
        ranges[name] = max(quality, ranges.get(name, 0.0))

    def liked(media: str) -> float:
        closest = (media, f"{media.partition('/')[0]}/*", "*/*")
        return next((ranges[name] for name in closest if name in ranges), 0.0)

    best = max(offered, key=liked)
    return best if liked(best) > 0 else None


def is_fresh(known_tags: str | None, tag: str) -> bool:
    """Whether If-None-Match names the tag.

    >>> is_fresh('"a", W/"b"', '"b"')
    True
    """
    tags = (known_tags or "").split(",")
    return any(each.strip().removeprefix("W/") in (tag, "*") for each in tags)


def _quality(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return _LEAST
    return 1.0
