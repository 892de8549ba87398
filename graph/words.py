"""The names that a rulebook gives to keywords and types, made ready to be looked up card by card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from .model import Rulebook
from .naming import keyword_slugs, slug
from .nquads import iri

__all__ = ["SUPERTYPES", "TypeWord", "Words", "subtype_owners"]

SUPERTYPES = ("Basic", "Legendary", "Ongoing", "Snow", "World")  # CR 205.4a
_OWNERS = {
    "creature": frozenset({"Creature", "Kindred", "Tribal"}),  # CR 205.3m; Tribal is Kindred's older name
    "spell": frozenset({"Instant", "Sorcery"}),  # CR 205.3k
    "planar": frozenset({"Plane"}),  # CR 205.3n
}
_DASH = " — "


class TypeWord(NamedTuple):
    """A card type, supertype or subtype."""

    name: str
    iri: str
    known: bool  # to the rulebook


class Words:
    """Keywords and types of one rulebook."""

    _latest: ClassVar[Words | None] = None

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        vocabulary = rulebook.vocabulary
        local_names = keyword_slugs(vocabulary.keywords)
        self.keywords = {key: iri(f"keyword:{local}") for key, local in local_names.items()}
        self.nodes = frozenset(self.keywords.values())
        self._by_name: dict[str, str] = {}
        self._by_rule: dict[str, list[tuple[str, str]]] = {}
        for keyword in vocabulary.keywords:
            if not keyword.action:
                term = self.keywords[keyword.name, False]
                self._by_name[slug(keyword.name)] = term
                self._by_rule.setdefault(keyword.rule, []).append((slug(keyword.name), term))
        self.card_types = dict(_card_types(rulebook))
        self._known = {slug(name) for name in (*self.card_types, *SUPERTYPES)}
        self._known.update(slug(name) for names in vocabulary.subtypes.values() for name in names)
        self._long = {slug(name) for names in vocabulary.subtypes.values() for name in names if " " in name}
        self._lines: dict[str, tuple[TypeWord, ...]] = {}

    @classmethod
    def of(cls, rulebook: Rulebook) -> Words:
        """Those of `rulebook`; kept until another rulebook is asked for."""
        if cls._latest is None or cls._latest.rulebook is not rulebook:
            cls._latest = cls(rulebook)
        return cls._latest

    def keyword(self, name: str) -> str | None:
        """The IRI of the keyword ability of that name, in any case and with any apostrophe."""
        return self._by_name.get(slug(name))

    def keyword_of(self, rule: str, quote: str) -> str | None:
        """The IRI of the keyword ability that `rule` defines, or the rule above it.

        Several variants may share a rule (typecycling, 702.29e): the longest name that `quote` holds.
        """
        named = self._by_rule.get(rule) or self._by_rule.get(rule.rstrip("abcdefghijklmnopqrstuvwxyz"))
        if not named:
            return None
        if len(named) > 1:
            words = slug(quote)
            held = [pair for pair in named if pair[0] in words]
            if held:
                return max(held, key=lambda pair: len(pair[0]))[1]
        return named[0][1]

    def types(self, type_line: str) -> tuple[TypeWord, ...]:
        """The types of a type line, in its order (CR 205.1).

        All that follows the dash on a plane is one subtype (205.3b), and a two-word type is one.
        """
        words = self._lines.get(type_line)
        if words is None:
            words = self._lines[type_line] = tuple(map(self._word, self._split(type_line)))
        return words

    def _word(self, name: str) -> TypeWord:
        local = slug(name)
        return TypeWord(name, iri(f"type:{local}"), local in self._known)

    def _split(self, type_line: str) -> Iterator[str]:
        types, _, subtypes = type_line.partition(_DASH)
        for name in types.split():
            if slug(name):
                yield name
        if "Plane" in types.split():
            if slug(subtypes):
                yield subtypes
            return
        names = subtypes.split()
        at = 0
        while at < len(names):
            pair = " ".join(names[at : at + 2])
            step = 2 if slug(pair) in self._long else 1
            name = " ".join(names[at : at + step])
            if slug(name):
                yield name
            at += step


def _card_types(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """(card type, its rule): the sections of chapter 3 after the first, by the singular of their headings."""
    for number, rule in rulebook.rules.items():
        if rule.parent == "3" and rule.title and number != "300":
            yield _singular(rule.title), number


def _singular(heading: str) -> str:
    """`Sorceries` → `Sorcery`, `Phenomena` → `Phenomenon`, `Lands` → `Land`."""
    for plural, singular in (("ies", "y"), ("mena", "menon"), ("s", "")):
        if heading.endswith(plural):
            return heading.removesuffix(plural) + singular
    return heading


def subtype_owners(group: str) -> frozenset[str]:
    """The card types that have a group of subtypes, as `Vocabulary.subtypes` calls the group (CR 205.3b)."""
    return _OWNERS.get(group, frozenset({group.capitalize()}))
