"""Answers of queries as pandas data frames: a column for each variable, in the order of SELECT.

What a column is follows from its values: whole numbers `int64` (`Int64` where some are missing), other
numbers `float64`, truth `bool` (`boolean`), days and times `datetime64`, all else text. IRIs become prefixed
names (`rule:702.29`), or `<…>` where no prefix fits. A column of mixed values holds them as Python has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode, QueryBoolean, QuerySolutions

from cardlaw.ontology.namespaces import PREFIXES, compact

from .errors import CardlawError
from .store import Results

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

__all__ = ["frame"]

_WHOLE = (
    *("integer", "int", "long", "short", "byte", "unsignedInt", "unsignedLong", "unsignedShort"),
    *("unsignedByte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
)
_READ: dict[str, Callable[[str], Any]] = {
    **{PREFIXES["xsd"] + name: int for name in _WHOLE},
    **{PREFIXES["xsd"] + name: float for name in ("decimal", "double", "float")},
    PREFIXES["xsd"] + "boolean": lambda text: {"true": True, "1": True, "false": False, "0": False}[text],
    PREFIXES["xsd"] + "date": lambda text: datetime.combine(date.fromisoformat(text), datetime.min.time()),
    PREFIXES["xsd"] + "dateTime": datetime.fromisoformat,
}
"""How literals of a datatype are read; others stay text."""

_LARGEST = 2**63


def frame(results: Results) -> pd.DataFrame:
    """A data frame of what a query answers.

    Triples (CONSTRUCT, DESCRIBE) have the columns subject, predicate and object; a truth (ASK) is one cell.

    Raises:
        CardlawError: if pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise CardlawError("data frames need pandas: pip install 'cardlaw[pandas]'") from None
    if isinstance(results, QueryBoolean):
        return pd.DataFrame({"answer": [bool(results)]})
    if isinstance(results, QuerySolutions):
        names = [variable.value for variable in results.variables]
        rows = [[_value(term) for term in solution] for solution in results]
    else:
        names = ["subject", "predicate", "object"]
        rows = [[_value(term) for term in triple] for triple in results]
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return pd.DataFrame(
        {name: _column(pd, column) for name, column in zip(names, columns, strict=True)}, columns=names
    )


def _value(term: Any) -> Any:
    match term:
        case None:
            return None
        case NamedNode():
            return compact(term.value)
        case Literal():
            try:
                return _READ.get(term.datatype.value, str)(term.value)
            except (ValueError, KeyError):  # “many” as an integer, or a day with a time zone
                return term.value
        case _:
            return str(term)


def _column(pd: Any, values: Sequence[Any]) -> Any:
    """The values as a series of the dtype that fits all of them."""
    kinds = {type(value) for value in values if value is not None}
    missing = None in values
    if kinds == {int} and all(-_LARGEST <= value < _LARGEST for value in values if value is not None):
        return pd.Series(values, dtype="Int64" if missing else "int64")
    if float in kinds and kinds <= {int, float}:
        return pd.Series(values, dtype="float64")
    if kinds == {bool}:
        return pd.Series(values, dtype="boolean" if missing else "bool")
    if kinds == {datetime}:
        zones = {value.tzinfo is not None for value in values if value is not None}
        if len(zones) == 1:
            return pd.to_datetime(pd.Series(values, dtype="object"), utc=zones.pop())
    return pd.Series(values, dtype=None if kinds == {str} else "object")
