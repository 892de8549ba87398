"""How many cards cite each rule, and have each keyword, tag and theme: counts that everyone asks for, stored.

They are counted from the quads of `layer:abilities`, `layer:tags` and `layer:themes`, card by card, so that
they agree with the graph whatever a citation becomes there. A card counts once for a rule, and once for each
rule above those that it cites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cardlaw.ontology.namespaces import MTG, PREFIXES

from .model import Rulebook
from .naming import keyword_slugs

__all__ = ["Usage"]

_CITES = f"<{MTG}citesRule>"
_HAS = f"<{MTG}hasKeyword>"
_DOES = f"<{MTG}invokesAsKeywordAction>"
_TAGGED = (f"<{MTG}hasTag>", f"<{MTG}concludes>")
_TAG = f"<{PREFIXES['tag']}"
_THEME = f"{_TAG}theme."
_CARD, _RULE, _KEYWORD, _LAYER = (f"<{PREFIXES[prefix]}" for prefix in ("card", "rule", "keyword", "layer"))
_INTEGER = f"^^<{PREFIXES['xsd']}integer>"


class Usage:
    """Numbers of cards by property and IRI, for any number of cards.

    Attributes:
        cards: property ("cardCount", "cardCountWithSubrules") → IRI in angle brackets → number of cards.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.cards: dict[str, Counter[str]] = {"cardCount": Counter(), "cardCountWithSubrules": Counter()}
        self._parents = {number: rule.parent for number, rule in rulebook.rules.items()}
        names = keyword_slugs(rulebook.vocabulary.keywords)
        self._actions = {
            f"{_RULE}{keyword.rule}>": f"{_KEYWORD}{names[keyword.name, True]}>"
            for keyword in rulebook.vocabulary.keywords
            if keyword.action
        }

    def add(self, lines: Iterable[str]) -> None:
        """Count one card by its lines of `layer:abilities`."""
        rules: set[str] = set()
        keywords: set[str] = set()
        for line in lines:
            subject, predicate, value, _ = line.split(" ", 3)
            if predicate == _DOES:
                keywords.add(self._actions.get(value, ""))
            elif predicate == _CITES:
                rules.add(value)
            elif predicate == _HAS and subject.startswith(_CARD):
                keywords.add(value)
        keywords.discard("")
        self.cards["cardCount"].update(rules | keywords)
        self.cards["cardCountWithSubrules"].update(self._upward(rules))

    def add_tags(self, lines: Iterable[str]) -> None:
        """Count one card by its lines of `layer:tags` and `layer:themes`, each of which is there once."""
        for line in lines:
            _, predicate, value, _ = line.split(" ", 3)
            if predicate in _TAGGED:
                self.cards["cardCount"][value] += 1

    def merge(self, cards: dict[str, Counter[str]]) -> None:
        """Add what was counted for other cards."""
        for name, counter in cards.items():
            self.cards[name].update(counter)

    def quads(self) -> list[str]:
        """The counts as sorted N-Quads lines of `layer:abilities`."""
        return self._quads("abilities")

    def tag_quads(self) -> dict[str, list[str]]:
        """Those of tags and themes, each in its layer."""
        return {layer: self._quads(layer) for layer in ("tags", "themes")}

    def _quads(self, wanted: str) -> list[str]:
        return sorted(
            f'{iri} <{MTG}{name}> "{number}"{_INTEGER} {_LAYER}{wanted}> .\n'
            for name, counter in self.cards.items()
            for iri, number in counter.items()
            if _layer(iri) == wanted
        )

    def _upward(self, rules: Iterable[str]) -> set[str]:
        """The rules and all that they stand under."""
        found: set[str] = set()
        for rule in rules:
            number: str | None = rule[len(_RULE) : -1]
            while number is not None and f"{_RULE}{number}>" not in found:
                found.add(f"{_RULE}{number}>")
                number = self._parents[number]
        return found


def _layer(iri: str) -> str:
    """Where the count of a node stands."""
    if iri.startswith(_TAG):
        return "themes" if iri.startswith(_THEME) else "tags"
    return "abilities"
