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
_CONCLUDES = f"<{MTG}concludes>"
_COUNTED = frozenset({_CITES, f"<{MTG}hasTag>", _CONCLUDES})
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
        self._above: dict[str, frozenset[str]] = {}
        names = keyword_slugs(rulebook.vocabulary.keywords)
        self._actions = {
            f"{_RULE}{keyword.rule}>": f"{_KEYWORD}{names[keyword.name, True]}>"
            for keyword in rulebook.vocabulary.keywords
            if keyword.action
        }

    def cited(self, lines: Iterable[str]) -> list[str]:
        """Rules, keywords, tags and themes that one card counts for, by its lines of these layers; sorted."""
        found: set[str] = set()
        for line in lines:
            if not (line.startswith(_CARD) or _DOES in line or _CONCLUDES in line):
                continue  # as of most lines
            subject, predicate, value, _ = line.split(" ", 3)
            if predicate == _DOES:
                found.add(self._actions.get(value, ""))
            elif predicate in _COUNTED or (predicate == _HAS and subject.startswith(_CARD)):
                found.add(value)
        found.discard("")
        return sorted(found)

    def count(self, cited: Iterable[str]) -> None:
        """Count one card for what it cites."""
        found = {*cited}
        above = (self._upward(iri) for iri in found if iri.startswith(_RULE))
        self.cards["cardCount"].update(found)
        self.cards["cardCountWithSubrules"].update(set().union(*above))

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

    def _upward(self, rule: str) -> frozenset[str]:
        """A rule and all that it stands under."""
        if (known := self._above.get(rule)) is None:
            found = {rule}
            number = self._parents[rule[len(_RULE) : -1]]
            while number is not None:
                found.add(f"{_RULE}{number}>")
                number = self._parents[number]
            known = self._above[rule] = frozenset(found)
        return known


def _layer(iri: str) -> str:
    """Where the count of a node stands."""
    if iri.startswith(_TAG):
        return "themes" if iri.startswith(_THEME) else "tags"
    return "abilities"
