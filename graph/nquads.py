"""The pieces of an N-Quads line (RDF 1.1 N-Quads), as plain strings.

Strings are built by hand because that is ten times faster than term objects. What makes a line
safe: local names come from `naming` and hold nothing that an IRI may not, and every text goes
through `literal`, which escapes as the canonical form does; other characters stay as they are, in UTF-8.
"""

from __future__ import annotations

import re

from cardlaw.ontology.namespaces import MTG, PREFIXES

__all__ = ["IS", "TRUE", "P", "end", "integer", "iri", "literal", "number", "quantity", "typed"]

_ESCAPES = {code: f"\\u{code:04X}" for code in [*range(0x20), 0x7F]} | {
    ord("\b"): "\\b",
    ord("\t"): "\\t",
    ord("\n"): "\\n",
    ord("\f"): "\\f",
    ord("\r"): "\\r",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,9})\.[0-9]{0,5}[1-9]")
_XSD = PREFIXES["xsd"]
_INTEGER_TYPE = f"^^<{_XSD}integer>"
_DECIMAL_TYPE = f"^^<{_XSD}decimal>"


def iri(curie: str) -> str:
    """`<…>` of a prefixed name whose local name needs no escape; without a prefix, of `mtg:`."""
    prefix, colon, local = curie.rpartition(":")
    return f"<{PREFIXES[prefix] if colon else MTG}{local}>"


class _Predicates(dict[str, str]):
    """Prefixed name → the predicate with a blank on either side; without a prefix, of `mtg:`."""

    def __missing__(self, curie: str) -> str:
        self[curie] = predicate = f" {iri(curie)} "
        return predicate


class _Classes(dict[str, str]):
    """Local name of a class of `mtg:` → predicate and object that say "is a"."""

    def __missing__(self, name: str) -> str:
        self[name] = assertion = f" {iri('rdf:type')} {iri(name)}"
        return assertion


P = _Predicates()
IS = _Classes()


def end(layer: str) -> str:
    """What ends the line of a statement in that layer."""
    return f" {iri('layer:' + layer)} .\n"


def literal(text: str) -> str:
    """A plain literal."""
    plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"{text if plain else text.translate(_ESCAPES)}"'


def typed(text: str, datatype: str) -> str:
    """A literal of an XSD datatype: `typed("2026-01-16", "date")`."""
    return f"{literal(text)}^^<{_XSD}{datatype}>"


TRUE = typed("true", "boolean")


def integer(value: int) -> str:
    return f'"{value}"{_INTEGER_TYPE}'


def number(value: float) -> str:
    """An integer where the value is whole, else a decimal."""
    return integer(int(value)) if value == int(value) else f'"{value}"{_DECIMAL_TYPE}'


def quantity(text: str) -> str:
    """What a card says as power or loyalty: a number where it is written as one, else a string.

    Only what a store gives back as it was written becomes a number: `3`, `-1` and `2.5`, but not
    `+1`, `-0`, `.5`, `*` or `1+*`.
    """
    if _INTEGER.fullmatch(text):
        return f'"{text}"{_INTEGER_TYPE}'
    if _DECIMAL.fullmatch(text):
        return f'"{text}"{_DECIMAL_TYPE}'
    return literal(text)
