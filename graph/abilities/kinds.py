"""What kind of ability a text is, and where its parts stand.

The text is a lowered scan of one ability with reminder text and quotations blanked and without its
ability word. The tests are those of CR 602.1, 603.1, 604.3, 605.1, 606.2 and 714.2; on instants and sorceries
everything that is not static (CR 604.5, 604.6, 113.6) or triggered (CR 113.6k) is a spell ability (CR 113.3a).
"""

from __future__ import annotations

import re

from msgspec import Struct

from ..model import Face, Kind, Parts, Span
from .masking import GAP, NAME

__all__ = ["Frame", "classify", "find_parts", "frame_of", "split_cost"]

_TRIGGER = re.compile(r"(?:when|whenever|at)\b(?! (?:random|least|most))")
_LOYALTY = re.compile(r"\[[+-]?(?:\d+|x|X)\]|[+-]?(?:\d+|X|x)(?=:)|\[?0\]?(?=:)")
_COST = re.compile(
    r"^(?:\{|\[|[+-]?\d+:|(?:sacrifice|discard|pay|exile|tap|untap|remove|reveal|return|put|mill|collect|forage|"
    r"unattach|choose|draw|exert|behold|blight|say|waterbend|convert|transform|turn|move|gain|give|skip|shuffle|crew|"
    r"flip|roll|add|create|have|destroy|lose|you|each|an opponent|counter|raise|snap|touch|clap|hold|ask|stand|bounce|throw|play)\b)"
)
_ADDS_MANA = re.compile(
    r"\badds? (?:\{|(?:an )?(?:additional |an amount of |that much |one |two |three |four |five |six |seven |ten |x |X |that many |twice )"
    r"|[^.]{0,80}\bmana\b|either \{)"
)
_MANA_EVENT = re.compile(
    r"\btaps? [^.]*for mana\b|\btapped for (?:[^.]* )?mana\b|\btap an? [^.]*for (?:\{|mana)|activat\w+ a mana ability"
)
_DEFINING = re.compile(
    rf"(?:{NAME}+|this (?:creature|card|vehicle|spell|permanent))(?:'s)?(?: base)?(?:'s)? "
    rf"(?:power and toughness are each|power is|toughness is|power and toughness is)(?: each)? equal to\b"
    rf"|^(?:{NAME}+|this (?:creature|card|spell)) is (?:all colors|every creature type|colorless|[a-z]+ and [a-z]+)\b(?! from)"
)
_SPELL = rf"(?:this (?:spell|card)|{NAME}+)"
_SPELL_STATIC = re.compile(
    rf"^as an additional cost to cast {_SPELL}"
    rf"|\b(?:rather than|instead of paying) (?:pay )?(?:{_SPELL}'s|its) mana cost\b"
    rf"|\byou may (?:pay|exile|sacrifice|discard|return|tap|reveal|remove|put|have)\b[^.]* rather than pay (?:{_SPELL}'s|the) mana cost"
    rf"|\byou may cast {_SPELL}\b|\bcast {_SPELL} (?:only|for|from)\b|\b{_SPELL} costs?\b|\b{_SPELL} can't be (?:countered|copied|the target)"
    rf"|^{_SPELL} (?:has|is|can't be)\b|^(?:as long as|if|during)[^.]*, {_SPELL} (?:has|is|costs|can't be|gains)\b"
    rf"|^(?:you|players|opponents|your opponents) can't cast {_SPELL}|^you may (?:choose|pay|spend)[^.]* as you cast {_SPELL}"
    rf"|^{_SPELL} may be cast|^spend only\b|^(?:no more than|{_SPELL} can be (?:your|cast|exiled))|^a deck can have"
    rf"|^if {_SPELL} is (?:exiled|in your (?:graveyard|opening hand))|^your opponents can't respond|^{_SPELL} ?(?:and|can't)"
)
_SELF_EVENT = re.compile(
    rf"\bthis (?:spell|card)\b|{NAME}|\byou (?:cycle|cast|discard) (?:this|{NAME})|\bis put into your (?:graveyard|hand)\b"
)


class Frame(Struct, frozen=True):
    """What the type line says that bears on the kinds of a face's abilities."""

    spell: bool  # an instant or sorcery
    basic_land: bool  # has a basic land type
    saga: bool
    station: bool  # a Spacecraft or Planet, whose numbered rows are striations (CR 721.2)


def frame_of(face: Face) -> Frame:
    """Read a face's type line."""
    types = face.type_line or ""
    front, _, subtypes = types.partition("—")
    return Frame(
        spell=bool(re.search(r"\b(?:Instant|Sorcery|Interrupt)\b", front)),
        basic_land=bool(re.search(r"\b(?:Plains|Island|Swamp|Mountain|Forest)\b", subtypes)),
        saga=bool(re.search(r"\bSaga\b", subtypes)),
        station=bool(re.search(r"\b(?:Spacecraft|Planet)\b", subtypes)),
    )


def split_cost(text: str) -> int | None:
    """Offset of the colon that ends an activation cost, or None (CR 602.1)."""
    colon = text.find(":")
    if colon < 1:
        return None
    head = text[:colon]
    if "\n" in head or re.search(r"[.!?](?: |$)|—\s*$", head) or _TRIGGER.match(head):
        return None
    if not _COST.match(head + ":"):
        return None
    return colon


def classify(text: str, frame: Frame, *, granted: bool = False) -> Kind:
    """The kind of one ability that is no keyword.

    text: lowered, reminder text and quotations blanked, ability word removed.
    granted: a quoted ability; it is on a permanent, player or emblem, never a spell ability.
    """
    colon = split_cost(text)
    if colon is not None:
        if _LOYALTY.fullmatch(text[:colon]):
            return "activated/loyalty"
        effect = text[colon + 1 :]
        if _ADDS_MANA.search(effect) and not re.search(r"\btarget", effect):
            return "activated/mana"
        return "activated"
    spell = frame.spell and not granted
    if _TRIGGER.match(text):
        event = text.partition(",")[0]
        if spell and (
            re.search(r"\bthis turn\b|\bnext\b", event) and not re.search(r"you (?:cast|cycle|discard) (?:this|" + NAME + ")", event)
            or not _SELF_EVENT.search(text.partition(".")[0])
        ):
            return "spell"
        effect = text[len(event) :]
        if _MANA_EVENT.search(event) and _ADDS_MANA.search(effect) and "target" not in text:
            return "triggered/mana"
        return "triggered"
    if spell:
        return "static" if _SPELL_STATIC.search(text) else "spell"
    if _DEFINING.search(text) and not re.match(r"(?:as long as|if|until|during|unless)\b", text) and "until" not in text:
        return "static/characteristic-defining"
    return "static"


def find_parts(text: str, kind: Kind, offset: int) -> Parts:
    """Cost, event, condition, effect and modes of an ability whose text begins at `offset` of the oracle text."""
    end = len(text.rstrip(GAP + " \n"))
    cost = event = condition = None
    start = 0
    if kind.startswith("activated"):
        colon = text.index(":")
        cost = (0, colon)
        start = colon + 1
    elif kind.startswith("triggered") and kind != "triggered/chapter":
        event, condition, start = _event(text)
    elif condition_found := re.match(r"(?:as long as|if|during)\b[^,.]*,", text):
        condition = (0, condition_found.end() - 1)
        start = condition_found.end()
    while start < end and text[start] in " ,":
        start += 1
    effect = (start, end) if start < end else None
    modes = tuple(
        (offset + m.start(), offset + m.end())
        for m in re.finditer(r"^(?:[•+♦◇] |\{P\}|\d+(?:[—–-]\d+|\+)? \| ).*$", text, re.M | re.I)
    )

    def shift(span: Span | None) -> Span | None:
        return None if span is None else (offset + span[0], offset + span[1])

    return Parts(cost=shift(cost), event=shift(event), condition=shift(condition), effect=shift(effect), modes=modes)


def _event(text: str) -> tuple[Span | None, Span | None, int]:
    """Trigger event, intervening "if" clause (CR 603.4) and where the effect begins."""
    sentence = re.search(r"\.(?: |$)|\n|—(?= ?\n|$)", text)
    limit = sentence.start() if sentence else len(text)
    comma = text.find(",", 0, limit)
    # A comma inside a list of the event ("attacks, blocks, or dies,") is no end of it.
    while comma != -1:
        rest = text[comma + 1 : limit]
        listed = re.match(r" (?:(?!if |when |you |it |that |put |draw |create |each |then )[\w' -]{1,40}, )*(?:or|and|and/or) [^,]{1,60},", rest)
        if not listed or re.match(r" (?:you|it|they|each|that|if|put|draw|create|target|sacrifice|exile|may)\b", rest):
            break
        comma += listed.end()
    if comma == -1:
        return (0, limit), None, limit
    start = comma + 1
    condition = None
    if found := re.match(r" (?:if|unless|but only if)\b[^,.]*(?:, (?:or|and) [^,.]*)*,", text[start:]):
        condition = (start + 1, start + found.end() - 1)
        start += found.end()
    return (0, comma), condition, start
