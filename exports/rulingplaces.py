"""Which ability of a card a ruling speaks of.

Nobody says so; it is read from the rules whose numbers the ruling states, from the keywords and kinds of
ability that it names or counts, and from the words that it shares with one ability and not with the others. A
ruling that fits no ability, or several alike, stays with the card.
"""

from __future__ import annotations

import re
from collections import Counter

from cardlaw.graph.model import Ability, Card, Ruling

__all__ = ["place"]

_WORD = re.compile(r"[a-z]{4,}")
_ENDING = re.compile(r"(?:ies|ing|ed|es|s|e)$")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        abilities ability able about after again also another battlefield because been before being both
        card cards cast commander control controls could deck does each effect effects even face faced faces
        from game have into just like many more most must named only other others permanent permanents
        player players resolve resolves same spell spells still subtype subtypes such supertype supertypes
        target targets than that their them then there these they this those time transform transformed turn
        under until what when whenever where which while will with within would your
        """,
    )
)
_NTH = re.compile(r"\b(first|second|third|fourth|last) (?:[a-z]+ )?abilit")
_ORDER = ("first", "second", "third", "fourth")
_ENOUGH = 2.0
_AHEAD = 0.75  # of the next best
_RULE, _KEYWORD, _KIND, _COUNTED = 3.0, 3.0, 2.0, 3.0
_LONGEST = 4.0  # what shared words can count for


def place(card: Card) -> tuple[dict[str, list[Ruling]], list[Ruling]]:
    """Rulings by the id of the ability that they speak of, one that no other holds, and those of no one."""
    abilities = [a for face in card.faces for a in face.abilities if a.parent is None]
    known = {ability.id: _words(ability.text, card.name) for ability in abilities}
    times = Counter(word for words in known.values() for word in words)
    kinds = Counter(_kind(ability) for ability in abilities)
    placed: dict[str, list[Ruling]] = {}
    rest: list[Ruling] = []
    for ruling in card.rulings:
        said = _words(ruling.text, card.name)
        scores = []
        for ability in abilities:
            score = min(_LONGEST, sum(1 / times[word] for word in said & known[ability.id]))
            score += _RULE * _states(ruling, ability)
            if ability.keyword and re.search(
                rf"\b{re.escape(ability.keyword)}\b", ruling.text, re.IGNORECASE
            ):
                score += _KEYWORD
            if kinds[_kind(ability)] == 1 and f"{_kind(ability)} abilit" in ruling.text.lower():
                score += _KIND
            score += _COUNTED * _counts(ruling, card, ability)
            scores.append(score)
        best = max(scores, default=0.0)
        others = sorted(scores)[-2] if len(scores) > 1 else 0.0
        if best >= _ENOUGH and best - others >= _AHEAD:
            placed.setdefault(abilities[scores.index(best)].id, []).append(ruling)
        else:
            rest.append(ruling)
    return placed, rest


def _words(text: str, name: str) -> frozenset[str]:
    """The telling words of a text, without their endings and without the name of the card."""
    lower = text.lower()
    for part in name.lower().split(" // "):
        lower = lower.replace(part, " ").replace(part.partition(",")[0], " ")
    return frozenset(_ENDING.sub("", word) for word in _WORD.findall(lower) if word not in _COMMON)


def _counts(ruling: Ruling, card: Card, ability: Ability) -> bool:
    """Whether the ruling calls it the first, second … ability of the face that it names or of the front."""
    nth = _NTH.search(ruling.text)
    if nth is None:
        return False
    face = next((each for each in card.faces[1:] if each.name in ruling.text), card.faces[0])
    own = [each for each in face.abilities if each.parent is None]
    at = len(own) - 1 if nth[1] == "last" else _ORDER.index(nth[1])
    return at < len(own) and own[at] is ability


def _kind(ability: Ability) -> str:
    """ "triggered", "loyalty", "mana", …"""
    return ability.kind.rpartition("/")[2]


def _states(ruling: Ruling, ability: Ability) -> bool:
    """Whether the ruling states a rule that the ability invokes, or one under it."""
    invoked = {citation.rule for citation in ability.citations}
    return any(
        stated.rule in invoked or stated.rule.rstrip("abcdefghijkmnpqrstuvwxyz") in invoked
        for stated in ruling.rules
    )
