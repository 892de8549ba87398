"""What kind of ability a text is, and where its parts stand.

The text is a lowered scan of one ability with reminder text and quotations blanked and without its
ability word. The tests are those of CR 602.1, 603.1, 604.3, 605.1, 606.2 and 714.2; on instants and sorceries
everything that is not static (CR 604.5, 604.6, 113.6) or triggered (CR 113.6k) is a spell ability
(CR 113.3a).
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from ..model import Ability, Face, Kind, Parts, Span
from .masking import GAP, NAME

__all__ = ["DIE_ROW", "Frame", "classify", "delayed_events", "find_parts", "frame_of", "split_cost"]

_TRIGGER = re.compile(r"(?:when|whenever|at)\b(?! (?:random|least|most))")
_LOYALTY = re.compile(r"\[[+-]?(?:\d+|[xX])\]|[+-](?:\d+|[xX])|0")
_COST = re.compile(
    r"""\{ | \[ | [+-]?(?:\d+|[xX]): | (?:
        add | an\ opponent | ask | behold | blight | bounce | choose | clap | collect | convert |
        counter | create | crew | destroy | discard | draw | each | exert | exile | flip | forage |
        gain | give | have | hold | lose | mill | move | pay | play | put | raise | remove | return
        | reveal | roll | sacrifice | say | shuffle | skip | snap | stand | tap | throw | touch |
        transform | turn | unattach | uninstall | untap | waterbend | whisper | you
    )\b""",
    re.X,
)
_ADDS_MANA = re.compile(
    r"""\badds?\ (?:
        \{ | either\ \{ | [^.]{0,80}\bmana\b |
        (?:an?\ )?(?:additional | amount\ of | that\ much | that\ many | twice | one | two | three | four |
                     five | six | seven | ten | [xX])\b
    ) | \bdoubles?\ the\ amount\ of\ [^.]*\bunspent\b[^.]*\bmana\b""",  # CR 701.10f: that adds mana
    re.X,
)
_NEEDS_TARGET = re.compile(r"(?<!new )(?<!that )\btargets?\b")  # CR 115.1c; "new targets" are those of a copy
_MANA_EVENT = re.compile(
    r"\btaps? [^.]*for mana\b|\btapped for (?:[^.]* )?mana\b|\btap an? [^.]*for (?:\{|mana)"
    r"|activat\w+ a mana ability|causes you to add [^.,]*\bmana\b"
)
_DEFINING = re.compile(  # CR 604.3
    rf"""(?:{NAME}+ | this\ (?:creature|card|vehicle|spell|permanent|token|land))(?:'s)?\ (?:
        (?:base\ )?(?:power\ and\ toughness | power | toughness)\ (?:is|are)(?:\ each)?\ equal\ to\b
      | is\ (?:all\ colors | colorless | [a-z]+\ and\ [a-z]+ | also\ an?\ (?![^.]*\bas\ long\ as\b)
          | every\ (?:creature | land | (?:non)?basic\ land)\ type)\b(?!\ from)
    )""",
    re.X,
)
_CONDITIONAL = re.compile(r"(?:as long as|if|until|during|unless)\b")
_SPELL = rf"(?:this\ (?:spell|card)|{NAME}+)"
_SPELL_STATIC = re.compile(  # CR 113.6d-g, 604.5, 604.6
    rf"""
    ^as\ an\ additional\ cost\ to\ cast\ {_SPELL}
  | \b(?:rather\ than\ pay|instead\ of\ paying)\ {_SPELL}'s\ mana\ cost\b
  | ^you\ may\ (?:choose|pay|spend)[^.]*\ as\ you\ cast\ {_SPELL}
  | \byou\ may\ cast\ {_SPELL}
  | \bcast\ {_SPELL}\ (?:only|for|from)\b
  | ^{_SPELL}\ may\ be\ cast
  | ^(?:you|players|opponents|your\ opponents)\ can't\ cast\ {_SPELL}
  | (?<!\w){_SPELL}\ costs?\b
  | (?<!\w){_SPELL}\ can't\ be\ (?:countered|copied|the\ target)
  | ^{_SPELL}\ (?:has|is|and|can't|can\ be\ (?:your|cast|exiled))\b
  | ^(?:as\ long\ as|if|during)[^.]*,\ {_SPELL}\ (?:has|is|costs|can't\ be|gains)\b
  | ^if\ {_SPELL}\ is\ (?:exiled|in\ your\ (?:graveyard|opening\ hand))
  | ^if\ {_SPELL}\ is\ [^.]*,\ you\ may\ cast\ it\ without\ paying\ its\ mana\ cost\b
  | ^if\ {_SPELL}\ was\ kicked,\ it\ has\b
  | ^as\ long\ as\ [^.]*\b{_SPELL}\ is\ in\ your\ graveyard,\ it\ has\b
  | ^(?:remove|reveal)\ {_SPELL}\ (?:from\ your\ deck|as\ you\ draft\ it)\b
  | ^you\ may\ reveal\ {_SPELL}\ from\ your\ opening\ hand\b
  | ^x\ can't\ be\b
  | ^spend\ only\b | ^no\ more\ than\b | ^a\ deck\ can\ have\b
    """,
    re.X,
)
_SELF_EVENT = re.compile(
    rf"\bthis (?:spell|card)\b|{NAME}|\byou (?:cycle|cast|discard) (?:this|{NAME})"
    r"|\bis put into your (?:graveyard|hand)\b"
)
_FROM_GRAVEYARD = re.compile(
    rf"\breturn (?:this card|{NAME}+) from your graveyard\b|(?:\bthis card|{NAME}) is in your graveyard\b"
)
_OWN_CAST = re.compile(rf"you (?:cast|cycle|discard) (?:this|{NAME})")
_LIST_OF_EVENTS = re.compile(
    r"""\ (?:(?!(?:if|when|you|it|that|put|draw|create|each|then|search|sacrifice|read)\ )[\w'\ -]{1,40},\ )*
        (?:or|and|and/or)\ 
        (?!(?:you|it|they|each|that|if|put|draw|create|target|sacrifice|exile|may)\b)[^,]{1,60},""",
    re.X,
)
_NOT_THESE = re.compile(r"\bnon[\w-]+(?:, non[\w-]+)+ ")
_INTERVENING = re.compile(r" (?:if|unless|but only if)\b[^,.]*(?:, (?:or|and) [^,.]*)*,")
_DELAYED = re.compile(r"(?:^|(?<=[a-z.,)—:] ))when(?:ever)? (?!\w+ do(?:es)?\b)[^,.:\n\"]{1,160}", re.M)
DIE_ROW = r"\d+(?:[—–-]\d+|\+| or (?:less|more))? \| "  # how a row of a table begins, CR 706.3b
_MODE = re.compile(rf"^(?:[•+♦◇] |\{{P\}}|{DIE_ROW}).*$", re.M | re.I)


class Frame(Struct, frozen=True):
    """What the type line says that bears on the kinds of a face's abilities."""

    spell: bool  # an instant or sorcery
    basic_land: bool  # has a basic land type
    saga: bool
    station: bool  # a Spacecraft or Planet, whose numbered rows are striations (CR 721.2)


def frame_of(face: Face) -> Frame:
    """Read a face's type line."""
    return _frame(face.type_line or "")


@lru_cache(4096)
def _frame(types: str) -> Frame:
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
    return colon if _COST.match(head + ":") else None


def classify(text: str, frame: Frame, *, granted: bool = False, token: bool = False) -> Kind:
    """The kind of one ability that is no keyword.

    text: lowered, reminder text and quotations blanked, ability word removed.
    granted: a quoted ability; it is on a permanent, player or emblem, never a spell ability.
    token: granted to a token by what creates it, which is as good as printed (CR 604.3a).
    """
    colon = split_cost(text)
    if colon is not None:
        if _LOYALTY.fullmatch(text[:colon]):
            return "activated/loyalty"
        effect = text[colon + 1 :]
        if _ADDS_MANA.search(effect) and not _NEEDS_TARGET.search(effect):
            return "activated/mana"
        return "activated"
    spell = frame.spell and not granted
    if _TRIGGER.match(text):
        event = text[slice(*_event(text)[0])]
        if spell and _is_delayed(event, text):
            return "spell"
        adds = _MANA_EVENT.search(event) and _ADDS_MANA.search(text, len(event))
        if adds and not _NEEDS_TARGET.search(text):
            return "triggered/mana"
        return "triggered"
    own = _DEFINING.search(text) and (token or not granted)
    if own and not _CONDITIONAL.match(text) and "until" not in text:
        return "static/characteristic-defining"
    return "static" if not spell or _SPELL_STATIC.search(text) else "spell"


def _is_delayed(event: str, text: str) -> bool:
    """Whether a trigger on an instant or sorcery is made by the spell (CR 603.7), not one of the card."""
    later = "this turn" in event or re.search(r"\bnext\b", event)
    own = _SELF_EVENT.search(text.partition(".")[0]) or _FROM_GRAVEYARD.search(text)
    return bool(later and not _OWN_CAST.search(event)) or not own


def find_parts(text: str, kind: Kind, offset: int) -> Parts:
    """Cost, event, condition, effect and modes of an ability.

    text: as for `classify`; offset: where it begins in the oracle text, which the spans returned speak of.
    """
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
    modes = tuple((offset + m.start(), offset + m.end()) for m in _MODE.finditer(text))

    def shift(span: Span | None) -> Span | None:
        return None if span is None else (offset + span[0], offset + span[1])

    return Parts(
        cost=shift(cost), event=shift(event), condition=shift(condition), effect=shift(effect), modes=modes
    )


def _event(text: str) -> tuple[Span, Span | None, int]:
    """Trigger event, intervening "if" clause (CR 603.4) and where the effect begins."""
    sentence = re.search(r"\.(?: |$)|\n|—(?= ?\n|$)", text)
    limit = sentence.start() if sentence else len(text)
    comma = text.find(",", 0, limit)
    qualities = _NOT_THESE.search(text, 0, limit)  # "a nontoken, non-Angel creature"
    if qualities and qualities.start() < comma < qualities.end():
        comma = text.find(",", qualities.end(), limit)
    # A comma inside a list of the event ("attacks, blocks, or dies,") is no end of it.
    while comma != -1 and (listed := _LIST_OF_EVENTS.match(text[comma + 1 : limit])):
        comma += listed.end()
    if comma == -1:
        return (0, limit), None, limit
    start = comma + 1
    condition = None
    if found := _INTERVENING.match(text[start:]):
        condition = (start + 1, start + found.end() - 1)
        start += found.end()
    return (0, comma), condition, start


def delayed_events(text: str, abilities: tuple[Ability, ...], owner: list[int]) -> list[Span]:
    """What the delayed triggered abilities that abilities make wait for (CR 603.7): "when it dies this turn".

    text: the scan of a face, reminder text blanked; owner: the ability at each offset, or -1.
    """
    events = [a.parts.event for a in abilities if a.parts.event is not None]
    found = []
    for match in _DELAYED.finditer(text) if "when" in text else ():
        at = match.start()
        static = owner[at] < 0 or abilities[owner[at]].kind.startswith("static")
        if not static and not any(start <= at < end for start, end in events):
            found.append(match.span())
    return found
