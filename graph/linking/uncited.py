"""Why an ability cites no rule beyond its kind.

Words without a rule cite nothing; they are counted instead, so that what is missing can be told from what
there is no rule for. A keyword ability that cites its keyword counts as cited, and so does a bar of a
leveler, Class, Case or Station card, whose kind cites the rule of its frame.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache

from cardlaw.ontology import data

from ..model import Ability

__all__ = ["uncited"]

_FRAMES = ("711", "714", "716", "719", "721")


def uncited(ability: Ability) -> str | None:
    """Why an ability cites nothing beyond its kind; None if it cites a rule.

    "newer than the rulebook": a keyword that this release does not have; "digital-only" and "playtest": words
    of `unruled.toml`; "plain": words that no rule defines.
    """
    for citation in ability.citations:
        if citation.relation != "ability_kind" or citation.rule.startswith(_FRAMES):
            return None
    for reason, words in _unruled():
        if words.search(ability.text.lower()):
            return reason
    return "newer than the rulebook" if ability.kind == "keyword" else "plain"


@cache
def _unruled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = tomllib.loads(data("unruled.toml").read_text(encoding="utf-8"))
    return tuple(
        (reason, re.compile(rf"\b(?:{'|'.join(map(re.escape, table[name]))})"))
        for reason, name in (("digital-only", "digital"), ("playtest", "playtest"))
    )
