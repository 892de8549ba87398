"""Rule numbers as people type them, for commands: one, or a range."""

from __future__ import annotations

import re

from ..sources.references import expand_range

__all__ = ["typed"]

_TYPED = re.compile(
    r"(?:cr|rule|§)?\s*(?P<first>\d{1,3}|\d{3}\.\d{1,3}(?P<letter>[a-z]{0,2}))\.?"
    r"(?:\s*[-–—]\s*(?:(?P<whole>\d{3}\.\d{1,3}[a-z]{0,2})|(?P<rule>\d{1,3})|(?P<last>[a-z]{1,2})))?"
)


def typed(text: str) -> tuple[str, ...]:
    """The numbers that `text` means; nothing if it is no number or range.

    >>> typed("CR 601.2a-c"), typed("903.6–8"), typed("601.2a–601.2b"), typed("x")
    (('601.2a', '601.2b', '601.2c'), ('903.6', '903.7', '903.8'), ('601.2a', '601.2b'), ())
    """
    found = _TYPED.fullmatch(text.strip().casefold())
    if found is None:
        return ()
    first, section = found["first"], found["first"].partition(".")[0]
    if found["whole"]:
        return expand_range(first, found["whole"])
    if found["last"]:
        return (
            expand_range(first, first.removesuffix(found["letter"]) + found["last"])
            if found["letter"]
            else ()
        )
    if found["rule"]:
        return (
            expand_range(first, f"{section}.{found['rule']}") if "." in first and not found["letter"] else ()
        )
    return (first,)
