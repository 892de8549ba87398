"""A rule as one release has it, with what is around it."""

from __future__ import annotations

from msgspec import Struct

from ..model import Rulebook

__all__ = ["Shown", "shown"]


class Shown(Struct, frozen=True, kw_only=True):
    """A rule with its surroundings; numbers in the order of the book."""

    rule: str
    title: str | None
    text: str | None
    parents: tuple[tuple[str, str | None], ...]  # (number, title), from the chapter down
    children: tuple[str, ...]
    references: tuple[str, ...]
    referenced_by: tuple[str, ...]
    terms: tuple[str, ...]  # entries of the glossary that cite it
    examples: tuple[str, ...]
    rulebook: str


def shown(number: str, book: Rulebook) -> Shown:
    """The rule with this number, which the release must have."""
    rule = book.rules[number]
    parents = []
    above = rule.parent
    while above is not None:
        parents.append((above, book.rules[above].title))
        above = book.rules[above].parent
    return Shown(
        rule=number,
        title=rule.title,
        text=rule.text,
        parents=tuple(reversed(parents)),
        children=tuple(each.number for each in book.rules.values() if each.parent == number),
        references=rule.references,
        referenced_by=tuple(each.number for each in book.rules.values() if number in each.references),
        terms=tuple(term.names[0] for term in book.terms if number in term.references),
        examples=rule.examples,
        rulebook=book.release,
    )
