"""What is wrong in a release of the rulebook by itself: references, titles, redirects, layout.

Of 2026-01-16, 936 references give a title that can be checked; "Map" cites 110.10 and means 111.10s, "Endure"
cites 702.62 by the name of 701.63.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from ..errors import RulebookError
from ..model import Rulebook
from ..sources.references import citing, wrong_titles
from ..sources.wording import normalize
from .records import Candidate

__all__ = ["Fault", "Lint", "lint"]

FaultKind: TypeAlias = Literal["dangling", "title", "redirect", "layout"]
"""dangling: a number that is no rule. title: another heading than that of the number beside it. redirect: an
entry of the glossary that points to none. layout: a number or a line that is not where it should be.
"""


class Fault(Struct, frozen=True, kw_only=True):
    """One thing that is wrong in the text."""

    where: str  # a rule number, or "glossary “Map”"; "" where it is of the whole
    kind: FaultKind
    message: str  # a sentence that begins with `where`
    candidates: tuple[Candidate, ...] = ()  # what may be meant


class Lint(Struct, frozen=True, kw_only=True):
    """What was looked at in a release, and what is wrong."""

    release: str
    references: int  # numbers cited, each once a passage
    titles: int  # of them with a title that can be checked
    redirects: int  # entries that the glossary points to
    faults: tuple[Fault, ...]


def lint(rulebook: Rulebook) -> Lint:
    """All faults of a release, in the order of the book.

    Raises:
        RulebookError: it has no words.
    """
    if not rulebook.has_text:
        raise RulebookError(
            f"the outline of {rulebook.release} has no words to check: give the official text file"
        )
    titles = {number: rule.title for number, rule in rulebook.rules.items() if rule.title}
    named = _Named(rulebook)
    references = checked = 0
    faults: list[Fault] = []
    for where, name, text, own in _passages(rulebook):
        cited = citing(text, rulebook.rules, own=own)
        references += len(cited.numbers) + len(cited.dangling)
        checked += sum(number in titles for number, _ in cited.titles)
        for number in cited.dangling:
            message = f"{where} cites {number}, which is no rule of this release"
            meant = [quoted for cites, quoted in cited.titles if cites == number] or [name]
            faults.append(Fault(where=where, kind="dangling", message=message, candidates=named.of(*meant)))
        for number, quoted in cited.titles:
            one = cited._replace(titles=((number, quoted),))
            for fault in wrong_titles(one, titles):
                meant = [quoted, name]
                faults.append(
                    Fault(where=where, kind="title", message=f"{where} {fault}", candidates=named.of(*meant))
                )
    said = {fault.message for fault in faults}
    faults.extend(_warned(warning) for warning in rulebook.warnings if warning not in said)
    return Lint(
        release=rulebook.release,
        references=references,
        titles=checked,
        redirects=sum(len(term.see) for term in rulebook.terms)
        + sum(fault.kind == "redirect" for fault in faults),
        faults=tuple(faults),
    )


def _passages(rulebook: Rulebook) -> Iterator[tuple[str, str, str, str]]:
    """Each passage that may cite: where it stands, its heading, its text and the number of its rule."""
    for number, rule in rulebook.rules.items():
        for text in (rule.text, *rule.examples):
            if text:
                yield number, "", text, number
    for term in rulebook.terms:
        yield f"glossary “{term.names[0]}”", term.names[0], "\n".join(term.senses), ""


class _Named:
    """Rules by what they are called."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._by_name: dict[str, dict[str, str]] = {}  # plain name -> number -> name
        tokens: Mapping[str, str] = rulebook.vocabulary.tokens
        for number, rule in rulebook.rules.items():
            if rule.title:
                self._by_name.setdefault(_plain(rule.title), {})[number] = rule.title
        for name, number in tokens.items():
            self._by_name.setdefault(_plain(name), {})[number] = f"{name} token"

    def of(self, *names: str) -> tuple[Candidate, ...]:
        found: dict[str, str] = {}
        for name in names:
            plain = _plain(name)
            found |= self._by_name.get(plain) or self._by_name.get(plain.removesuffix(" token"), {})
        return tuple(
            Candidate(number=number, title=title, confidence=0.8, reason="has this name")
            for number, title in found.items()
        )


def _plain(name: str) -> str:
    return normalize(name).strip(" ,.").casefold()


def _warned(warning: str) -> Fault:
    """A remark of the parser as a fault."""
    where, pointing, _ = warning.partition(" points to ")
    if pointing:
        return Fault(where=where, kind="redirect", message=warning)
    first = warning.split(" ", 1)[0]
    return Fault(where=first if first[:1].isdigit() else "", kind="layout", message=warning)
