"""The record types that flow from sources to the graph: immutable, typed, free of RDF.

A `Card` has `Face`s, a face has oracle text, `Ability` records are spans of that text, and a
`Citation` ties an ability (or a face) to the rule that it invokes, with the words that prove it.
A `Rulebook` is one release of the Comprehensive Rules, either with its words or as an outline.

All offsets are half-open spans [start, end) in Unicode code points of one field of a face.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "Ability",
    "Card",
    "Citation",
    "Face",
    "Field",
    "Keyword",
    "Kind",
    "Parts",
    "Printing",
    "Related",
    "Relation",
    "Rule",
    "Rulebook",
    "Ruling",
    "Span",
    "Stated",
    "Term",
    "Vocabulary",
]

Span: TypeAlias = tuple[int, int]
"""Half-open [start, end) in code points."""

Field: TypeAlias = Literal["oracle_text", "type_line", "mana_cost"]

Kind: TypeAlias = Literal[
    "keyword",
    "activated",
    "activated/mana",
    "activated/loyalty",
    "triggered",
    "triggered/mana",
    "triggered/chapter",
    "static",
    "static/characteristic-defining",
    "spell",
]
"""The kinds of ability of CR 113.3, with the finer ones of CR 604.3, 605.1, 606 and 714.2."""

Relation: TypeAlias = Literal[
    "has_keyword",
    "grants_keyword",
    "loses_keyword",
    "mentions_keyword",
    "keyword_action",
    "ability_kind",
    "trigger_event",
    "effect",
    "zone",
    "turn_part",
    "cost",
    "defined_term",
    "card_type",
]


class Rule(Struct, frozen=True, kw_only=True):
    """A chapter (`7`), section (`702`), rule (`702.29`) or subrule (`702.29e`)."""

    number: str
    title: str | None = None  # the heading, where the rule has one: "Cycling"
    text: str | None = None  # the wording as printed; None for a bare heading and in an outline
    parent: str | None = None  # None for a chapter
    examples: tuple[str, ...] = ()
    references: tuple[str, ...] = ()  # numbers cited by text, then by examples; distinct, ranges expanded


class Term(Struct, frozen=True, kw_only=True):
    """A glossary entry. `senses` is empty in an outline."""

    names: tuple[str, ...]  # ("Kicker", "Kicked")
    senses: tuple[str, ...] = ()
    references: tuple[str, ...] = ()  # rule numbers cited
    see: tuple[str, ...] = ()  # names of the entries that it points to
    obsolete: bool = False


class Keyword(Struct, frozen=True, kw_only=True):
    """A keyword ability (CR 702) or keyword action (CR 701), or a named variant of one."""

    name: str  # as the heading has it: "Cycling"; of a variant: "Typecycling"
    rule: str  # the rule that defines it: "702.29"; of a variant "702.29e"
    action: bool = False  # True for CR 701
    nature: tuple[str, ...] = ()  # of CR 702: any of static, triggered, activated, spell
    variant_of: str | None = None  # name of the keyword that it is a variant of


class Vocabulary(Struct, frozen=True, kw_only=True):
    """What a rulebook names, derived from its words; nothing here is typed in."""

    keywords: tuple[Keyword, ...] = ()  # in rule order, variants after their keyword
    ability_words: tuple[str, ...] = ()  # CR 207.2c, as printed there
    subtypes: Mapping[str, tuple[str, ...]] = {}  # "artifact" -> ("Attraction", …), CR 205.3
    tokens: Mapping[str, str] = {}  # predefined token name -> its rule, CR 111.10
    counters: Mapping[str, str] = {}  # counter kind -> its rule, CR 122.1 ("+1/+1" -> "122.1a")


class Rulebook(Struct, frozen=True, kw_only=True):
    """One release of the Comprehensive Rules, numbered as that release numbers them."""

    release: str  # effective date, ISO 8601
    rules: Mapping[str, Rule]  # by number, in the order of the book, chapters and sections too
    terms: tuple[Term, ...]
    vocabulary: Vocabulary
    anchors: Mapping[str, str | None] = {}  # catalogue anchor -> the number that it resolved to
    warnings: tuple[str, ...] = ()
    has_text: bool = True  # False when read from an outline


class Citation(Struct, frozen=True, kw_only=True):
    """An ability or a face invokes `rule`; the words are `field[start:end]`."""

    rule: str
    title: str | None  # heading of the rule, or of its nearest parent that has one
    relation: Relation
    field: Field
    start: int
    end: int
    quote: str
    in_reminder: bool = False
    granted: bool = False
    conditional: bool = False
    entry: str = ""  # id of the catalogue entry that made it


class Parts(Struct, frozen=True, kw_only=True):
    """Where the parts of an ability stand in the oracle text (CR 602.1a, 603.1, 603.4)."""

    cost: Span | None = None
    event: Span | None = None
    condition: Span | None = None
    effect: Span | None = None
    modes: tuple[Span, ...] = ()  # CR 700.2


class Ability(Struct, frozen=True, kw_only=True):
    """One ability of a face; `id` is "face.ability" or, granted or nested, "face.ability.n"."""

    id: str
    parent: str | None  # id of the ability that grants or holds this one
    kind: Kind
    text: str
    start: int
    end: int
    keyword: str | None = None  # heading or variant name, for kind "keyword"
    parameters: Mapping[str, str | int] = {}  # of a keyword: cost, number, quality
    ability_word: str | None = None
    granted: bool = False  # quoted, CR 113.1a
    parts: Parts = Parts()
    citations: tuple[Citation, ...] = ()


class Face(Struct, frozen=True, kw_only=True):
    """One face, half or part of a card. Fields that the source lacks are None."""

    name: str
    number: int = 1  # 1 for the front
    oracle_text: str | None = None
    type_line: str | None = None
    mana_cost: str | None = None
    mana_value: float | None = None
    colors: tuple[str, ...] | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    abilities: tuple[Ability, ...] = ()
    citations: tuple[Citation, ...] = ()  # from the type line and the mana cost


class Printing(Struct, frozen=True, kw_only=True):
    """One printing of a card: one object of Scryfall's default cards."""

    id: str  # Scryfall's id
    set_code: str
    number: str  # collector number, "12a" too
    set_name: str | None = None
    rarity: str | None = None
    released: str | None = None  # ISO 8601 date
    language: str = "en"
    finishes: tuple[str, ...] = ()
    prices: Mapping[str, str] = {}  # "usd" -> "0.21"


class Related(Struct, frozen=True, kw_only=True):
    """Another card or token that a card speaks of, as Scryfall's `all_parts` gives it."""

    name: str
    component: str  # "token", "meld_part", "meld_result", "combo_piece"
    id: str  # Scryfall's id of a printing of it


class Stated(Struct, frozen=True, kw_only=True):
    """A rule whose number a ruling states."""

    rule: str
    title: str | None = None  # heading of the rule, or of its nearest parent that has one
    release: str | None = None  # of the rulebook in which it has this number, where that can be told


class Ruling(Struct, frozen=True, kw_only=True):
    """An official or Scryfall ruling on a card."""

    oracle_id: str
    source: str  # "wotc" or "scryfall"
    published: str  # ISO 8601 date
    text: str
    rules: tuple[Stated, ...] = ()  # filled by linking


class Card(Struct, frozen=True, kw_only=True):
    """One card as the game knows it (one oracle id), whatever source it came from."""

    name: str  # "Fire // Ice" as Scryfall writes it
    slug: str  # local name of its IRI, from `cardlaw.graph.naming`
    layout: str
    faces: tuple[Face, ...]
    color_identity: tuple[str, ...] | None = None
    keywords: tuple[str, ...] = ()  # as the source gives them
    oracle_id: str | None = None
    legalities: Mapping[str, str] = {}
    prices: Mapping[str, str] = {}
    prices_date: str | None = None  # the day that the prices are of, where the source tells
    printings: tuple[Printing, ...] = ()
    related: tuple[Related, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    origins: Mapping[str, str] = {}  # field -> name of the source that it came from, see `sources.merge`
