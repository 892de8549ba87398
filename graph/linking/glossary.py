"""The glossary's own terms: what a card says that the rulebook explains and the catalogue has no entry for.

A rulebook's glossary comes in; out come entries that cite each term as `defined_term` to the rule that its
entry refers to. The words need no typing in, so a new term is linked with no change; `ontology/glossary.toml`
holds the few that are silent, each with its reason, and those that are verbs. In the release of 2026-01-16
197 names in 725 entries are ones that no keyword, zone, step or entry of the catalogue covers already.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence

from msgspec import Struct

from cardlaw.ontology import data

from ..model import Rulebook, Term
from .catalogue import Entry
from .inflection import action_pattern
from .prefilter import Prefilter

__all__ = ["PREFIX", "glossary_entries"]

PREFIX = "glossary."
_FILE = "glossary.toml"
_NAME = re.compile(r"[A-Za-z][A-Za-z' -]+")
_KEYWORDS = ("keyword actions", "keyword abilities")


class _Manner(Struct, frozen=True):
    """What `glossary.toml` says: names that are not cited, names that are verbs."""

    silent: frozenset[str]
    verbs: frozenset[str]


def _manner() -> _Manner:
    table = tomllib.loads(data(_FILE).read_text(encoding="utf-8"))
    return _Manner(
        silent=frozenset(name for group in table["silent"] for name in group["names"]),
        verbs=frozenset(table["verbs"]),
    )


def glossary_entries(rulebook: Rulebook, catalogue: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """An entry, and the rule that it cites, for each term that `catalogue` does not read by itself."""
    manner = _manner()
    subtypes = {kind for kinds in rulebook.vocabulary.subtypes.values() for kind in kinds}
    keywords = {keyword.name.lower() for keyword in rulebook.vocabulary.keywords}
    tokens = {f"{name} token".lower() for name in rulebook.vocabulary.tokens}
    known = {*manner.silent, *keywords, *tokens}
    free = Prefilter([e for e in catalogue if e.field == "oracle_text" and not (e.parts or e.kinds)])
    for term in rulebook.terms:
        rule = None if term.obsolete else _rule(term, rulebook)
        for printed in term.names if rule else ():
            name = printed.replace("’", "'")
            low = name.lower()
            if not _NAME.fullmatch(name) or low in known:
                continue
            if any(entry.pattern.fullmatch(form) for entry in free(low) for form in (name, low)):
                continue
            known.add(low)
            assert rule is not None
            if low in manner.verbs:
                pattern, literals = action_pattern(low)
            else:
                pattern, literals = _noun(name if name in subtypes else low)
            ident = PREFIX + re.sub(r"[^a-z0-9]+", "-", low).strip("-")
            yield (
                Entry(
                    id=ident,
                    relation="defined_term",
                    anchors=(f"Glossary/{printed}",),
                    pattern=re.compile(pattern),
                    literals=literals,
                ),
                rule,
            )


def _rule(term: Term, rulebook: Rulebook) -> str | None:
    """The rule that defines a term: the first headed so of those that its entry refers to, else the first.

    A whole chapter defines nothing, and what the keywords' sections define is no term but a keyword.
    """
    rules = rulebook.rules
    cited = [number for number in term.references if len(number) > 1]
    titles = {number: (rules[number].title or "").lower() for number in cited}
    if not cited or any(
        _section_title(number, rulebook) in _KEYWORDS for number in cited[:1] if "." in number
    ):
        return None
    headed = re.compile(_noun(term.names[0].lower().replace("’", "'"))[0])
    return next((number for number in cited if headed.search(titles[number])), cited[0])


def _section_title(number: str, rulebook: Rulebook) -> str:
    return (rulebook.rules[number.partition(".")[0]].title or "").lower()


def _noun(name: str) -> tuple[str, tuple[str, ...]]:
    """A pattern for a name and its plural, and the literal that stands in both."""
    if name.endswith("s") and not name.endswith("ss"):
        stem, ending = name[:-1], "s?"
    elif re.search(r"[^aeiou]y$", name):
        stem, ending = name[:-1], "(?:y|ies)"
    elif re.search(r"(?:s|x|z|ch|sh)$", name):
        stem, ending = name, "(?:es)?"
    else:
        stem, ending = name, "s?"
    return rf"(?<![\w-]){re.escape(stem)}{ending}(?![\w-])", (stem.lower(),)
