"""Inferred themes: the tags of a card in, the themes that it enables or pays off out, each with its premises.

The rules are data, `ontology/themes.toml`. Nothing is read here but tags, keywords and types.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache

import msgspec
from msgspec import Struct

from cardlaw.ontology import data

from ..errors import CatalogueError
from .tags import Reason, Tag

__all__ = ["ThemeRule", "infer", "read_themes", "theme_rules"]

ROLES = ("enabler", "payoff")


class ThemeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Holds of what has all of `all`, one of `any` (if there are any) and none of `none`."""

    theme: str
    role: str
    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        return f"theme.{self.theme}.{self.role}"

    def premises(self, known: Set[str]) -> tuple[str, ...]:
        """Those of the known tags that it holds by; empty if it does not."""
        if not known >= {*self.all} or not known.isdisjoint(self.none):
            return ()
        either = known & {*self.any}
        if self.any and not either:
            return ()
        return tuple(sorted({*self.all, *either}))


def read_themes(text: str, *, name: str) -> tuple[ThemeRule, ...]:
    """The rules of a TOML file.

    Raises:
        CatalogueError: not TOML, a field missing or unknown, a rule that asks for nothing.
    """
    try:
        table = tomllib.loads(text)
        rules = msgspec.convert(table.get("rule", []), tuple[ThemeRule, ...])
    except ValueError as error:  # also msgspec's
        raise CatalogueError(f"{name}: {error}") from None
    for rule in rules:
        if rule.role not in ROLES or not (rule.all or rule.any):
            raise CatalogueError(
                f"{name}, theme {rule.theme}: give a role, enabler or payoff, and all or any"
            )
    return rules


@cache
def theme_rules() -> tuple[ThemeRule, ...]:
    """Those that ship."""
    return read_themes(data("themes.toml").read_text(encoding="utf-8"), name="themes.toml")


@cache
def _by_premise() -> Mapping[str, tuple[int, ...]]:
    """By a tag one of which a rule needs, the numbers of the rules that ship."""
    found: dict[str, tuple[int, ...]] = defaultdict(tuple)
    for number, rule in enumerate(theme_rules()):
        for premise in rule.any or rule.all[:1]:
            found[premise] += (number,)
    return found


def infer(tags: Iterable[Tag]) -> Iterator[Tag]:
    """The themes of a card by its tags, by id; of two rules with one conclusion the premises of both."""
    known = frozenset(tag.id for tag in tags if tag.facet != "keyword.grants")
    found: dict[str, list[Reason]] = defaultdict(list)
    needed = _by_premise()
    for number in sorted({number for tag in known for number in needed.get(tag, ())}):
        rule = theme_rules()[number]
        if premises := rule.premises(known):
            found[rule.tag].append(Reason(premises=premises))
    for tag, reasons in sorted(found.items()):
        yield Tag(id=tag, layer="inferred", facet="theme", reasons=tuple(reasons))
