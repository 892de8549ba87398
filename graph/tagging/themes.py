"""Inferred themes: the tags of a card in, the themes that it enables or pays off out, each with its premises.

The rules are data, `ontology/themes.toml`. Nothing is read here but tags, keywords and types.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Set
from functools import cache, lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cardlaw.ontology import data

from ..errors import CatalogueError
from ..naming import slug
from .definitions import type_names
from .tags import Reason, Tag

__all__ = ["ThemeRule", "infer", "read_themes", "theme_rules"]

ROLES = ("enabler", "payoff")
_TYPED = "ability.typal"


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


def infer(tags: Iterable[Tag], types: Set[str] | None = None) -> tuple[Tag, ...]:
    """The themes of a card by its tags, by id; of two rules with one conclusion the premises of both.

    types: names of the creature types that there are. One that the words for the tag of `_TYPED` name is a
        premise too, so that payoffs can be asked for by type.
    """
    listed = tuple(tags)
    concluded = _concluded(_asked() & {tag.id for tag in listed if tag.facet != "keyword.grants"})
    words = (reason.words for tag in listed if tag.id == _TYPED for reason in tag.reasons)
    named = {name for each in words if (name := type_names().get(each)) and (types is None or name in types)}
    if not named:
        return concluded
    more = {f"type:{slug(name)}" for name in named}
    return tuple(
        replace(tag, reasons=tuple(_with(reason, more) for reason in tag.reasons)) for tag in concluded
    )


def _with(reason: Reason, types: Set[str]) -> Reason:
    if _TYPED not in reason.premises:
        return reason
    return Reason(premises=tuple(sorted({*reason.premises, *types})))


@cache
def _asked() -> frozenset[str]:
    """All that a rule asks for."""
    return frozenset(tag for rule in theme_rules() for tag in (*rule.all, *rule.any, *rule.none))


@lru_cache(8192)  # cards that are alike in what is asked for
def _concluded(known: frozenset[str]) -> tuple[Tag, ...]:
    found: dict[str, list[Reason]] = defaultdict(list)
    for rule in theme_rules():
        if premises := rule.premises(known):
            found[rule.tag].append(Reason(premises=premises))
    return tuple(
        Tag(id=tag, layer="inferred", facet="theme", reasons=tuple(reasons))
        for tag, reasons in sorted(found.items())
    )
