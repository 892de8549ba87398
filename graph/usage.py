"""How many cards cite each rule, and have each keyword, tag and theme: counts that everyone asks for, stored.

They are counted from the quads of `layer:abilities`, `layer:tags` and `layer:themes`, card by card, so that
they agree with the graph whatever a citation becomes there. A card counts once for a rule, and once for each
rule above those that it cites.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from cardlaw.ontology.namespaces import MTG, PREFIXES

from .model import Rulebook
from .naming import keyword_slugs

__all__ = ["Usage"]

_CITES = f"<{MTG}citesRule>"
_HAS = f"<{MTG}hasKeyword>"
_DOES = f"<{MTG}invokesAsKeywordAction>"
_COUNTED = frozenset({_CITES, _HAS, f"<{MTG}hasTag>", f"<{MTG}concludes>"})
_TAG = f"<{PREFIXES['tag']}"
_THEME = f"{_TAG}theme."
_CARD, _RULE, _KEYWORD, _LAYER = (f"<{PREFIXES[prefix]}" for prefix in ("card", "rule", "keyword", "layer"))
_BEHIND = f"{_CARD[:-1]}0"  # the first that sorts behind them
_INTEGER = f"^^<{PREFIXES['xsd']}integer>"


class Usage:
    """Numbers of cards by property and IRI, for any number of cards.

    Attributes:
        cards: property ("cardCount", "cardCountWithSubrules") → IRI in angle brackets → number of cards.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.cards: dict[str, Counter[str]] = {"cardCount": Counter(), "cardCountWithSubrules": Counter()}
        self._above = _Above(rulebook)
        names = keyword_slugs(rulebook.vocabulary.keywords)
        self._actions = {
            f"{_RULE}{keyword.rule}>": f"{_KEYWORD}{names[keyword.name, True]}>"
            for keyword in rulebook.vocabulary.keywords
            if keyword.action
        }

    def cited(self, lines: Mapping[str, Sequence[str]]) -> list[str]:
        """Rules, keywords, tags and themes that one card counts for; each once, sorted.

        Args:
            lines: those of the card in "abilities", "tags" and "themes", each list sorted.
        """
        abilities = lines["abilities"]
        found = {self._actions.get(line.split(" ", 3)[2], "") for line in abilities if _DOES in line}
        for line in chain(_of_card(abilities), _of_card(lines["tags"]), lines["themes"]):
            _, predicate, value, _ = line.split(" ", 3)
            if predicate in _COUNTED:
                found.add(value)
        found.discard("")
        return sorted(found)

    def count(self, cited: Sequence[str]) -> None:
        """Count one card for what it cites, each once."""
        self.cards["cardCount"].update(cited)
        self.cards["cardCountWithSubrules"].update(set().union(*map(self._above.__getitem__, cited)))

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


class _Above(dict[str, frozenset[str]]):
    """IRI of a rule → it and all that it stands under; of anything else nothing."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.parents = {number: rule.parent for number, rule in rulebook.rules.items()}

    def __missing__(self, iri: str) -> frozenset[str]:
        found = set()
        number = iri[len(_RULE) : -1] if iri.startswith(_RULE) else None
        while number is not None:
            found.add(f"{_RULE}{number}>")
            number = self.parents[number]
        self[iri] = above = frozenset(found)
        return above


def _of_card(lines: Sequence[str]) -> Sequence[str]:
    """Of sorted lines, those whose subject is a card."""
    return lines[bisect_left(lines, _CARD) : bisect_left(lines, _BEHIND)]


def _layer(iri: str) -> str:
    """Where the count of a node stands."""
    if iri.startswith(_TAG):
        return "themes" if iri.startswith(_THEME) else "tags"
    return "abilities"
