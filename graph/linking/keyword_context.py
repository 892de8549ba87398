"""Whether a text has, grants, loses or only mentions a keyword.

Decided by the words before a run of keywords ("flying, vigilance, and haste" is one run) in its sentence.
"Gains" grants, "has" grants unless it is said of the object itself, "loses" takes away, and everything else,
"creatures with flying" or "a cycling ability", only refers to the keyword.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ..abilities.masking import GAP, NAME
from ..model import Relation

__all__ = ["Reading", "is_attribute", "relation_of", "same_run", "says_likewise"]

_SELF = rf"""(?:(?:this\ )?{NAME}+ | this\ (?:
    card | creature | artifact | enchantment | land | permanent | spell | planeswalker | battle | token |
    aura | equipment | vehicle | saga | class | case | room | spacecraft))"""
_PRONOUN = r"(?:it|he|she)"
# Quoted abilities that stand before the keyword in the same list.
_QUOTED = rf"(?:(?:{GAP}+,?\ )+(?:and\ )?)?"
_CHOICE = r"""(?:(?:
    all | an\ additional | both | each | either | one | permanently | the | also |
    your\ choice\ of(?:\ one\ of)? |
    (?:his\ or\ her|its|that\ player's|their|your)\ choice\ of)[:\ ]+)*"""
_PARAMETER = r"""(?:\ \d+|\ [xX])?
    (?:\ (?:from|for|of)\ [\w\ '-]{1,40}? | \ (?:creature|permanent|player|land|artifact) | —[^.;"]{1,40}?)?
    (?:\ (?:[\w-]+\ ){0,2}(?:\{[^{}]+\})+)?"""
_BETWEEN = re.compile(
    rf"""{_PARAMETER}
        (?:\ (?:if|as\ long\ as)\ [^.,;]{{1,80}}?)?
        (?:,?\ ?(?:and|or|and/or|then)\ (?:also\ )? | ,\  | ;\  |
        {GAP}+(?:,\ |,?\ and\ |,?\ or\ ) | ,?\ (?:(?:and|or)\ )?(?:{GAP}+,?\ )+(?:(?:and|or)\ )?)
        (?:your\ choice\ of\ |either\ |both\ |with\ |all\ )?"?""",
    re.X,
)
_STATS = r"(?:base\ power\ and\ toughness\ [^\s,]+,?\ (?:and\ )?)?"  # may begin such a list
_GAINS = re.compile(
    rf"""\b(?:gain(?:s|ed|ing)?|grants?)\ (?:perpetually\ )?
        (?:[\w\ ]{{1,40}}\ from\ among\ )?{_CHOICE}{_STATS}{_QUOTED}$""",
    re.X,
)
_HAS = re.compile(rf"\b(?:has|have|having|had)\ {_CHOICE}{_STATS}{_QUOTED}$", re.X)
_LOSES = re.compile(rf"\b(?:loses?|losing|lost|removes?)\ (?:instances\ of\ )?{_CHOICE}$", re.X)
_CANNOT = re.compile(r"\bcan't (?:have or gain|have|gain|be given) $")
_AS_THOUGH = re.compile(
    rf"\bas though [\w'{NAME} ]{{1,30}} (?:had|have|has|(?:didn't|don't|doesn't|did not) have) $"
    r"|\bas if [^.]*had $"
)
_TOKEN = re.compile(
    rf"""\btokens?
        (?:,?\ named\ [^.]{{1,40}}?)?
        (?:,?\ that(?:'s|'re|\ is|\ are)\ [^.]*?)?
        (?:,?\ \S+ed\ [^.]{{0,30}}?)?
        \ with\ (?:[^.]{{0,30}}\ and\ )?{_QUOTED}$""",
    re.X,
)
_CREATES = re.compile(
    rf"""\b(?:creates?|incubate|manifest|conjure)\b
        (?:(?!\b(?:for\ each|equal\ to|where|copy\ of)\b)[^.])*\bwith\ {_QUOTED}$""",
    re.X,
)
_EXCEPT = re.compile(r"\bexcept (?!by\b|for\b)[^.]*\b(?:has|have|with|gains?) [^.]{0,60}?$")
_BECOMES = re.compile(
    rf"""\b(?:becomes?(?!\ (?:\w+ed|monstrous|level|the|day|night)\b)
        | (?:is|it's|he's|she's)\ an?\ [^.]{{1,60}}?(?=\ with\ base\ power\b)
        | (?:is|are|(?:it|he|she|that)'s|they're|as)\ (?:an?\ )?(?:\d+/\d+|[xX]/[xX]|\*/\*)
        | (?:is|it's)\ an?\ [\w\ ]{{0,40}}\b(?:auras?|Auras?|Equipment|Vehicle|artifact|enchantment))\b
        (?!,\ (?:it|this)\b)[^.]*?\ with\ {_STATS}
        (?:[^.]{{0,40}}\ and\ )?{_QUOTED}$""",
    re.X,
)
_WITH = re.compile(r"\b(?:becomes?|it's) (?:an? )?[^.]{0,30}\bAuras?\b[^.]{0,20} with $")
_ITSELF_IS = re.compile(rf"(?:^|,\ )(?:{_SELF}|{_PRONOUN})(?:'s|\ is)\ [^.]*$", re.X)
_SUBJECT = re.compile(
    rf"""(?:^ | [.,;:—•|\n]\s? | \b(?:then|and|while|at\ all\ times)\ )
        (?:{_SELF}|{_PRONOUN})(?:'s)?
        (?:\ (?:gets?|is|an?|isn't|has|can't|can|attacks|enters|doesn't|also|and|becomes|loses)\b
            (?:(?!\band\ (?:other\ |another\ )?[\w-]+\ (?:[\w-]+\ )?you\ control\b)[^.;])*?)?
        (?:,?\ (?:and|but))?(?:\ also|\ instead)?\ (?:has|have)\ {_CHOICE}{_STATS}{_QUOTED}$""",
    re.X,
)
_OWN_NAME = re.compile(_SELF, re.X)
_PRONOUN_SUBJECT = re.compile(rf"(?:^|[\s,]){_PRONOUN}(?:'s)?\b[^,.]*$")
_OTHERS = re.compile(
    r"\b(?:target|enchanted|equipped|fortified|that creature|another|other|creatures?|tokens?|permanents?) "
)
_SUPPOSED = re.compile(
    rf"""\b(?:(?:if|unless|when|whenever|while|as\ long\ as)\b(?:\ [^,\s]+)*
        | (?:that|who|which|don't|doesn't|didn't)\b(?:\ [^,\s]+){{0,2}})\ (?:has|have|had)\ {_CHOICE}$""",
    re.X,
)
_THAT_OBJECT = re.compile(
    r"\s*that (?:creature|permanent|player|land|spell|card|artifact|token|aura|equipment|vehicle)\b", re.I
)
_ATTACHED_TO = re.compile(r"\b(?:enchanted|equipped|fortified) ")
_CONDITION = re.compile(r"\b(?:as long as|if|unless|while|during|when|whenever|otherwise)\b", re.I)
_EXCEPTION = re.compile(r"\bexcept (?!by\b)[^.]*$")  # of a copy
_CHOOSES = re.compile(r"\b[Cc]hooses? $")
_GIVES_CHOICE = re.compile(r"\b(?:gains?|have|has) (?:that ability|the chosen ability|it)\b")
_LIKEWISE = re.compile(r"\b(?:the same is true|do the same|repeat this process) for\b")
_STICKER = re.compile(r"^(?:\{TK\})+ — $")
_COUNTER = re.compile(
    r"(?:,? (?:or|and) (?:an? )?(?!put\b)[\w+/ -]{3,16}?|, (?!then\b|put\b)[\w+/ -]{3,16}?)* counters?\b"
)
_AMONG_COUNTERS = re.compile(r"\bcounters?\b[^.]* from among $")
_PUTS_COUNTER = re.compile(r"\b(?:puts?|enters?|distribute|with)\b")
_SPEAKS_OF_COUNTER = re.compile(
    r"\bremoves?\b[^.]*$"
    r"|\b(?:creatures?|permanents?)(?:(?!\b(?:enters?|battlefield)\b)[\w ])* with (?:an? )?$"
    r"|\b(?:has|have) (?:an? )?$"
)
_ATTRIBUTE = re.compile(r" (?:abilit|costs?\b)")
_QUALIFIED = re.compile(r" (?:creatures?\b|cards?\b|spells?\b|only\b|trigger)")


def same_run(gap: str) -> bool:
    """Whether the text between two keyword names makes them members of one list."""
    return len(gap) < 400 and _BETWEEN.fullmatch(gap) is not None


def is_attribute(after: str) -> bool:
    """Whether a keyword followed by this text only describes: "a cycling ability", "equip costs"."""
    return _ATTRIBUTE.match(after) is not None


class Reading(Struct, frozen=True):
    """How a text speaks of a run of keywords."""

    relation: Relation
    conditional: bool = False  # printed on the object itself, under a condition
    verb: int | None = None  # where in the sentence the verb that gives or takes them begins (CR 613.1f)


_MENTIONS = Reading("mentions_keyword")


def says_likewise(sentence: str) -> bool:
    """Whether the keywords that follow are dealt with like the one before: "The same is true for"."""
    return _LIKEWISE.search(sentence) is not None


def relation_of(sentence: str, after: str, *, before: str = "", static: bool, held: bool = False) -> Reading:
    """How a run of keywords is spoken of.

    sentence: the lowered sentence up to the run, quotations and reminder text blanked.
    after: what follows the keyword in the ability.
    before: the sentences of the ability before it.
    static: the run stands in a static ability of the object (and not in one that it grants).
    held: that ability is had only at a level, a stage or the like.
    """
    if _COUNTER.match(after):
        given = _PUTS_COUNTER.search(sentence) and not _SPEAKS_OF_COUNTER.search(sentence)
        return Reading("grants_keyword") if given else _MENTIONS
    chosen = _CHOOSES.search(sentence) and _GIVES_CHOICE.search(after)
    if chosen or _AMONG_COUNTERS.search(sentence) or _STICKER.match(sentence):
        return Reading("grants_keyword")
    gains = _GAINS.search(sentence)
    has = _HAS.search(sentence)
    loses = _CANNOT.search(sentence) or _LOSES.search(sentence)
    if not (gains or has or loses) and (
        is_attribute(after) or (_QUALIFIED.match(after) and not _WITH.search(sentence))
    ):
        return _MENTIONS
    if _AS_THOUGH.search(sentence):
        return _MENTIONS
    if loses:
        return Reading("loses_keyword", verb=loses.start())
    if gains:
        return Reading("grants_keyword", verb=gains.start())
    if has:
        rest = re.split(r"[.\n]", after, maxsplit=1)[0]
        conditional = held or _CONDITION.search(sentence + rest) is not None
        return _has(sentence, before, has.start(), static, conditional)
    if _EXCEPT.search(sentence) or _TOKEN.search(sentence) or _CREATES.search(sentence):
        return Reading("grants_keyword")
    if becomes := _BECOMES.search(sentence):
        if static and _ITSELF_IS.search(sentence) and not _of_others(before):
            return Reading("has_keyword", True, becomes.start())
        copiable = sentence.startswith("as ", becomes.start())  # CR 707.2, 708.2: no effect of a layer
        return Reading("grants_keyword", verb=None if copiable else becomes.start())
    return _MENTIONS


def _has(sentence: str, before: str, verb: int, static: bool, conditional: bool) -> Reading:
    """“Has” and “have”: of the object itself, of others, or only in a condition."""
    clause = re.split(r"[.;]", sentence)[-1]
    one = not sentence.startswith(
        "have", verb
    )  # "~ and other Goblins you control have" is said of others too
    last = clause.rpartition(",")[2]
    if _SUPPOSED.search(last) and not _THAT_OBJECT.match(last) and not sentence.endswith(" and ", 0, verb):
        return _MENTIONS
    if static and one and _SUBJECT.search(sentence):
        named = not _PRONOUN_SUBJECT.search(clause) or _OWN_NAME.search(clause)
        itself = named or not (_OTHERS.search(clause) or _of_others(before))
        if itself and not _EXCEPTION.search(clause):
            return Reading("has_keyword", conditional, verb)
        return Reading("grants_keyword", verb=verb)
    return Reading("grants_keyword", verb=verb)


def _of_others(before: str) -> bool:
    """Whether a pronoun after these sentences stands for another object."""
    if _ATTACHED_TO.search(before):
        return True
    return _OTHERS.search(before) is not None and _OWN_NAME.search(before) is None
