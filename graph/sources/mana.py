"""Mana value from mana cost (CR 202.3): the sum of what each symbol counts for."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["mana_value"]

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_ONE = frozenset("WUBRGCS")
_VARIABLE = frozenset("XYZ")


@cache
def mana_value(cost: str | None) -> float | None:
    """The mana value of a cost such as `{2}{W/U}`; None when a symbol in it has none that is known.

    No mana cost is 0 (202.3a); X is 0 (202.3e); of a hybrid symbol the largest part counts (202.3f),
    so `{2/W}` is 2; a Phyrexian symbol is 1 (202.3g). A half symbol such as `{HW}` is one half.

    >>> mana_value("{X}{2/W}{G/P}"), mana_value(None), mana_value("{1}{HW}")
    (3.0, 0.0, 1.5)
    """
    if not cost:
        return 0.0
    if _SYMBOL.sub("", cost).strip():
        return None
    values = [_symbol(symbol) for symbol in _SYMBOL.findall(cost)]
    return sum(value for value in values if value is not None) if None not in values else None


def _symbol(symbol: str) -> float | None:
    if symbol in _ONE:
        return 1.0
    if symbol in _VARIABLE:
        return 0.0
    if symbol.isdecimal() and symbol.isascii() and len(symbol) < 10:
        return float(symbol)
    if symbol == "½":
        return 0.5
    if len(symbol) == 2 and symbol[0] == "H" and symbol[1] in _ONE:
        return 0.5
    parts = [_symbol(part) for part in symbol.split("/") if part != "P"] if "/" in symbol else []
    known = [part for part in parts if part is not None]
    return max(known) if known and len(known) == len(parts) else None
