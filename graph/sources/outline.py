"""The rulebook without its words: numbers, headings, references, glossary names, derived vocabulary.

The wording belongs to Wizards of the Coast, so this is what ships (`ontology/outline.json`). One rule, term
or keyword stands on a line, in the order of the book, and equal rulebooks give equal bytes.
`python -m cardlaw.graph.sources.outline RULES.txt` makes it anew from an official text file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from cardlaw.ontology import data

from ..errors import CardlawError, RulebookError
from ..model import Keyword, Rule, Rulebook, Term, Vocabulary
from .rulebook import read

__all__ = ["dump", "load"]

_FORMAT = 1
_FILE = "outline.json"
_AGAIN = "make it anew with: python -m cardlaw.graph.sources.outline RULES.txt"


class _Rule(msgspec.Struct, array_like=True, frozen=True):
    number: str
    title: str | None
    parent: str | None
    references: tuple[str, ...] = ()


class _Term(msgspec.Struct, array_like=True, frozen=True):
    names: tuple[str, ...]
    references: tuple[str, ...]
    see: tuple[str, ...]
    obsolete: bool = False


class _Keyword(msgspec.Struct, array_like=True, frozen=True):
    name: str
    rule: str
    action: bool
    nature: tuple[str, ...] = ()
    variant_of: str | None = None


class _Outline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    release: str
    rules: tuple[_Rule, ...]
    terms: tuple[_Term, ...]
    keywords: tuple[_Keyword, ...]
    ability_words: tuple[str, ...]
    subtypes: dict[str, tuple[str, ...]]
    tokens: dict[str, str]
    counters: dict[str, str]
    anchors: dict[str, str | None]


def dump(rulebook: Rulebook) -> bytes:
    """UTF-8 JSON of all of `rulebook` but its words: text, examples, senses and warnings are left out."""
    words = rulebook.vocabulary
    members = (
        ("format", _value(_FORMAT)),
        ("release", _value(rulebook.release)),
        ("rules", _lines(_Rule(r.number, r.title, r.parent, r.references) for r in rulebook.rules.values())),
        ("terms", _lines(_Term(t.names, t.references, t.see, t.obsolete) for t in rulebook.terms)),
        (
            "keywords",
            _lines(_Keyword(k.name, k.rule, k.action, k.nature, k.variant_of) for k in words.keywords),
        ),
        ("ability_words", _lines(words.ability_words)),
        ("subtypes", _members(words.subtypes)),
        ("tokens", _members(words.tokens)),
        ("counters", _members(words.counters)),
        ("anchors", _members(dict(sorted(rulebook.anchors.items())))),
    )
    return b"{\n" + b",\n".join(_value(name) + b":" + value for name, value in members) + b"\n}\n"


def _value(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _lines(values: Iterable[Any]) -> bytes:
    return b"[\n" + b",\n".join(_value(value) for value in values) + b"\n]"


def _members(mapping: Mapping[str, Any]) -> bytes:
    return b"{\n" + b",\n".join(_value(key) + b":" + _value(value) for key, value in mapping.items()) + b"\n}"


def load(path: Path | None = None) -> Rulebook:
    """The outline at `path`, by default the one that ships; `has_text` is False.

    Raises:
        RulebookError: the file is missing, damaged or of another format.
    """
    name = str(path or _FILE)
    try:
        content = path.read_bytes() if path else data(_FILE).read_bytes()
    except OSError as error:
        raise RulebookError(f"cannot read {name}: {error.strerror or error}; {_AGAIN}") from error
    try:
        outline = msgspec.json.decode(content, type=_Outline)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RulebookError(f"{name} is damaged ({error}); {_AGAIN}") from error
    if outline.format != _FORMAT:
        raise RulebookError(f"{name} is of format {outline.format}, not {_FORMAT}; {_AGAIN}")
    rules = {
        r.number: Rule(number=r.number, title=r.title, parent=r.parent, references=r.references)
        for r in outline.rules
    }
    for rule in rules.values():
        if not (rule.parent is None or rule.parent in rules) or not rules.keys() >= set(rule.references):
            raise RulebookError(
                f"{name} is damaged (rule {rule.number} leads to a rule that is missing); {_AGAIN}"
            )
    return Rulebook(
        release=outline.release,
        rules=rules,
        terms=tuple(
            Term(names=t.names, references=t.references, see=t.see, obsolete=t.obsolete)
            for t in outline.terms
        ),
        vocabulary=Vocabulary(
            keywords=tuple(
                Keyword(name=k.name, rule=k.rule, action=k.action, nature=k.nature, variant_of=k.variant_of)
                for k in outline.keywords
            ),
            ability_words=outline.ability_words,
            subtypes=outline.subtypes,
            tokens=outline.tokens,
            counters=outline.counters,
        ),
        anchors=outline.anchors,
        has_text=False,
    )


def main(arguments: list[str] | None = None) -> int:
    """Write the outline of a text release; exit code 1 for a file that is no rulebook."""
    parser = argparse.ArgumentParser(
        prog="python -m cardlaw.graph.sources.outline",
        description="Write the outline of a rulebook, without its words.",
    )
    parser.add_argument("rules", type=Path, help="official text file of the Comprehensive Rules")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path(str(data(_FILE))), help="default: %(default)s"
    )
    options = parser.parse_args(arguments)
    try:
        rulebook = _resolved(read(options.rules))
        options.output.write_bytes(dump(rulebook))
    except (CardlawError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for warning in rulebook.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{options.output}: {len(rulebook.rules)} rules of {rulebook.release}", file=sys.stderr)
    return 0


def _resolved(rulebook: Rulebook) -> Rulebook:
    # Linking comes after sources in the flow of data, so only this command reaches for it.
    from ..linking import resolve_anchors

    return resolve_anchors(rulebook)


if __name__ == "__main__":
    sys.exit(main())
