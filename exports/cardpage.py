"""What the page of a card or token shows, as plain values for `web/card.html`.

Each face with its lines; on each line an ability with its kind, its words as a tree of marks (`marked`), what
they cite and why, the rulings that speak of it and the abilities that it grants or holds. Oracle text that is
no ability's stands between them, so that nothing of it is lost. Then tags by where they come from, formats,
prices, printings and a picture of what lies around the card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from cardlaw.graph.abilities.masking import reminders
from cardlaw.graph.model import Ability, Card, Citation, Face, Printing, Relation, Ruling, Span
from cardlaw.graph.naming import card_node
from cardlaw.graph.similar import Alike, similar
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES, expand

from .links import Links
from .mana import SYMBOL, pip
from .marked import Mark, Part, mark
from .nodepage import Item
from .passages import Book, Passage, passage
from .picture import Picture, card_graph, picture
from .rulingplaces import place
from .tags import TagGroup, tag_groups
from .wording import KINDS, WHY

__all__ = ["CardPage", "Line", "Ref", "ShownFace"]

_FAMILIES: Mapping[Relation, str] = {
    **dict.fromkeys(("has_keyword", "grants_keyword", "loses_keyword", "mentions_keyword"), "keyword"),
    "keyword_action": "action",
    **dict.fromkeys(("ability_kind", "trigger_event", "effect", "cost"), "working"),
    **dict.fromkeys(("zone", "turn_part"), "place"),
    **dict.fromkeys(("defined_term", "card_type"), "term"),
}
"""Relation → which lines are drawn under its words."""

_WORDS_OF_A_KIND = 30  # characters that may tell a kind of ability by themselves, as "whenever" does
_ALIKE = 8  # cards that are told
_COMPARED = 40  # of which those are the most alike
_CURRENCIES = {"usd": "US$ {}", "eur": "€ {}", "tix": "{} tix"}
_RELATED = {
    "token": "Makes",
    "meld_part": "Melds with",
    "meld_result": "Melds into",
    "combo_piece": "Goes with",
}
_STATUSES = {"legal": "Legal", "restricted": "Restricted", "banned": "Banned"}
_FORMATS = {
    "paupercommander": "Pauper Commander",
    "oldschool": "Old School",
    "premodern": "Premodern",
    "standardbrawl": "Standard Brawl",
    "predh": "PreDH",
    "duel": "Duel Commander",
}


class Ref(NamedTuple):
    """A citation as a popup and a list tell it."""

    citation: Citation
    rule: Passage
    relation: str  # in words
    family: str
    meaning: str  # of the relation
    why: str  # of the catalogue entry, else the meaning
    entry: Item | None
    flags: str  # "only in reminder text", …


class Line(NamedTuple):
    """An ability, or words of the oracle text that are none's."""

    parts: list[Part]
    ability: Ability | None = None
    id: str = ""  # in the page
    href: str = ""  # of the ability
    kind: str = ""
    about: str = ""  # keyword, its parameters, ability word
    kinds: Sequence[Ref] = ()  # why it is of this kind
    refs: Sequence[Ref] = ()  # all that it cites
    rules: Sequence[Passage] = ()  # each once
    rulings: Sequence[Ruling] = ()
    below: Sequence[Line] = ()


class ShownFace(NamedTuple):
    """A face."""

    face: Face
    id: str
    cost: list[Part]
    type_line: list[Part]
    size: str | None
    colors: list[str]  # what its edge is filled with, as `Pip.fills`
    refs: Sequence[Ref]
    lines: list[Line]


class CardPage:
    """The page of one card.

    Args:
        store: the graph.
        card: as `cardlaw.graph.read` gives it.
        links: where links go.
        book: the rules of the graph.
        prefix: what ids begin with, where several cards stand in a page.
    """

    template = "card.html"

    def __init__(self, store: Store, card: Card, links: Links, book: Book, prefix: str = "") -> None:
        self.card = card
        self.iri = expand(card_node(card.slug))
        self._store = store
        self._links = links
        self._book = book
        self.prefix = prefix
        self._passages: dict[str, Passage] = {}
        self._beside, self.rulings = place(card)

    @property
    def title(self) -> str:
        return self.card.name

    @cached_property
    def faces(self) -> list[ShownFace]:
        return [self._face(face) for face in self.card.faces]

    def _face(self, face: Face) -> ShownFace:
        id = f"{self.prefix}face-{face.number}"
        cost = face.mana_cost or ""
        line = face.type_line or ""
        return ShownFace(
            face=face,
            id=id,
            cost=self._words(cost, (0, len(cost)), face.citations, "mana_cost", f"{id}-cost"),
            type_line=self._words(line, (0, len(line)), face.citations, "type_line", f"{id}-type"),
            size=None
            if face.power is None and face.toughness is None
            else f"{face.power or ''}/{face.toughness or ''}",
            colors=_colors(face),
            refs=[self.ref(citation) for citation in face.citations],
            lines=self._lines(face),
        )

    def _lines(self, face: Face) -> list[Line]:
        """Abilities and what stands between them, in the order of the text."""
        text = face.oracle_text or ""
        aside = reminders(text)
        lines: list[Line] = []
        at = 0
        for ability in sorted(face.abilities, key=lambda a: a.start):
            lines += self._between(face, aside, (at, ability.start))
            if ability.parent is None:
                lines.append(self._ability(face, aside, ability))
            at = max(at, ability.end)
        return lines + self._between(face, aside, (at, len(text)))

    def _between(self, face: Face, aside: Iterable[Span], within: Span) -> list[Line]:
        """Words that belong to no ability, a paragraph a line; not the commas between keywords."""
        text = face.oracle_text or ""
        lines = []
        for words in re.finditer(r"[^\n]*\w[^\n]*", text[within[0] : within[1]]):
            start, end = within[0] + words.start(), within[0] + words.end()
            id = f"{self.prefix}face-{face.number}-{start}"
            lines.append(Line(self._words(text, (start, end), face.citations, "oracle_text", id, aside)))
        return lines

    def _ability(self, face: Face, aside: Iterable[Span], ability: Ability) -> Line:
        text = face.oracle_text or ""
        id = f"{self.prefix}ability-{ability.id.replace('.', '-')}"
        children = [each for each in face.abilities if each.parent == ability.id]
        held = [each for each in children if not each.granted]
        # What it holds stands under it, so its own words end where these begin.
        end = min((each.start for each in held), default=ability.end)
        while end > ability.start and text[end - 1] in " \n,;|":
            end -= 1
        whole = [c for c in ability.citations if c.relation == "ability_kind" and _is_whole(c, ability)]
        marked = [c for c in ability.citations if c not in whole]
        refs = [self.ref(citation) for citation in ability.citations]
        about = [f"{value}" for value in ability.parameters.values()]
        return Line(
            parts=self._words(
                text,
                (ability.start, end),
                marked,
                "oracle_text",
                id,
                aside,
                [((each.start, each.end), self._dom(each)) for each in children if each.granted],
            ),
            ability=ability,
            id=id,
            href=self._links.node(f"{PREFIXES['ability']}{self.card.slug}.{ability.id}"),
            kind=KINDS[ability.kind],
            about=" · ".join(
                filter(None, (" ".join(filter(None, (ability.keyword, *about))), ability.ability_word))
            ),
            kinds=[self.ref(citation) for citation in whole],
            refs=refs,
            rules=list({ref.rule.number: ref.rule for ref in refs if not ref.citation.in_reminder}.values()),
            rulings=self._beside.get(ability.id, ()),
            below=[self._ability(face, aside, each) for each in children],
        )

    def _dom(self, ability: Ability) -> str:
        return f"{self.prefix}ability-{ability.id.replace('.', '-')}"

    def _words(
        self,
        text: str,
        within: Span,
        citations: Iterable[Citation],
        field: str,
        id: str,
        aside: Iterable[Span] = (),
        quoted: Iterable[tuple[Span, str]] = (),
    ) -> list[Part]:
        of_field = [citation for citation in citations if citation.field == field]
        return mark(text, within, of_field, reminders=aside, quoted=quoted, id=id)

    def ref(self, citation: Citation) -> Ref:
        """A citation with its rule and its reason."""
        flags = (
            ("only in reminder text", citation.in_reminder),
            ("in a granted ability", citation.granted),
            ("under a condition", citation.conditional),
        )
        entry = Item(citation.entry, self._links.node(f"{PREFIXES['entry']}{citation.entry}"))
        meaning = WHY[citation.relation]
        return Ref(
            citation=citation,
            rule=self._rule(citation.rule),
            relation=_relation(citation.relation),
            family=_FAMILIES[citation.relation],
            meaning=meaning,
            why=self._book.notes.get(citation.entry) or meaning,
            entry=entry if citation.entry else None,
            flags=", ".join(words for words, is_so in flags if is_so),
        )

    def _rule(self, number: str) -> Passage:
        if number not in self._passages:
            self._passages[number] = passage(self._book, number, self._links)
        return self._passages[number]

    def refs_of(self, mark: Mark) -> list[Ref]:
        """What the words of a mark cite."""
        return [self.ref(citation) for citation in mark.citations]

    def around(self, mark: Mark) -> list[Ref]:
        """What wider words around those of a mark cite, each rule once."""
        own = {citation.rule for citation in mark.citations}
        found = {c.rule: self.ref(c) for c in reversed(mark.around) if c.rule not in own}
        return list(reversed(found.values()))

    @cached_property
    def legend(self) -> list[tuple[str, str, str, int, str]]:
        """Relations that occur: name, in words, family, how many citations, meaning."""
        counts = Counter(
            citation.relation
            for face in self.card.faces
            for group in (face.citations, *(ability.citations for ability in face.abilities))
            for citation in group
        )
        return [
            (relation, _relation(relation), _FAMILIES[relation], counts[relation], WHY[relation])
            for relation in WHY
            if counts[relation]
        ]

    @cached_property
    def tags(self) -> list[TagGroup]:
        return tag_groups(self._store, self.card, self._links)

    @property
    def formats(self) -> list[tuple[str, str, list[Item]]]:
        """Status, in words, and the formats that have it."""
        found = []
        for status, words in _STATUSES.items():
            names = sorted(name for name, is_so in self.card.legalities.items() if is_so == status)
            items = [Item(_format(name), self._links.node(PREFIXES["format"] + name)) for name in names]
            if items:
                found.append((status, words, items))
        return found

    @property
    def prices(self) -> list[tuple[str, str]]:
        """What it is called and the amount with its currency."""
        return [_price(kind, amount) for kind, amount in self.card.prices.items()]

    @property
    def printings(self) -> list[tuple[Printing, str, list[tuple[str, str]]]]:
        """From the newest to the oldest, each with its address and its prices."""
        return [
            (
                printing,
                self._links.node(PREFIXES["printing"] + printing.id),
                [_price(kind, amount) for kind, amount in printing.prices.items()],
            )
            for printing in reversed(self.card.printings)
        ]

    @property
    def related(self) -> list[tuple[str, list[Item]]]:
        """How other cards and tokens are tied to it, and these."""
        found: dict[str, dict[str, Item]] = {}
        for part in self.card.related:
            item = Item(part.name, self._links.node(PREFIXES["printing"] + part.id))
            found.setdefault(_RELATED.get(part.component, "Goes with"), {}).setdefault(part.name, item)
        return [(words, list(items.values())) for words, items in found.items()]

    @property
    def explore(self) -> str | None:
        """Where the graph around the card can be moved about in; tokens are not drawn there."""
        return self._links.explore(self.iri) if card_node(self.card.slug).startswith("card:") else None

    @cached_property
    def alike(self) -> Sequence[Alike]:
        """The cards most alike; none of a token, nor in a page that is to be read alone."""
        if not self.iri.startswith(PREFIXES["card"]) or self._links.asset("cards.css") is None:
            return ()
        return similar(self._store, self.card.slug, limit=_ALIKE, nearest=_COMPARED, among=self._book.cards)

    @property
    def listed(self) -> dict[str, str] | None:
        """What a list has to know of the card, and where the lists are; None where there are none."""
        node, lists = card_node(self.card.slug), self._links.place("lists")
        if lists is None or not node.startswith("card:"):
            return None
        return {"card": node, "name": self.card.name, "layout": self.card.layout, "lists": lists}

    @property
    def scryfall(self) -> str:
        """The card at Scryfall, by its oracle id or, without one, by its name."""
        query = f"oracleid:{self.card.oracle_id}" if self.card.oracle_id else f'!"{self.card.name}"'
        return f"https://scryfall.com/search?{urlencode({'q': query, 'include_extras': 'true'})}"

    @cached_property
    def picture(self) -> Picture | None:
        """What lies right around the card, if anything does."""
        graph = card_graph(self.card, self._book)
        return picture(graph, [card_node(self.card.slug)], self._links) if len(graph) > 1 else None

    @cached_property
    def drawings(self) -> set[str]:
        """The drawings of symbols that the page shows."""
        texts = [
            text
            for face in self.card.faces
            for text in (face.mana_cost, face.oracle_text)
            if text is not None
        ]
        texts += [ruling.text for ruling in self.card.rulings]
        codes = {symbol[0] for text in texts for symbol in SYMBOL.finditer(text)}
        return {drawing for code in codes for drawing in pip(code).drawings if drawing}


def _colors(face: Face) -> list[str]:
    """Those that the source tells, else of the mana cost (CR 202.2); "plain" for none, [] where unknown."""
    if face.colors is None and not face.mana_cost:
        return []
    if face.colors is not None:
        return [color.lower() for color in face.colors] or ["plain"]
    fills = {fill for code in SYMBOL.finditer(face.mana_cost or "") for fill in pip(code[0]).fills}
    return [color for color in "wubrg" if color in fills] or ["plain"]


def _is_whole(citation: Citation, ability: Ability) -> bool:
    """Whether the words of a citation are the ability or much of it, not just a word that tells its kind."""
    whole = citation.start <= ability.start and citation.end >= ability.end - 1
    return whole or citation.end - citation.start > _WORDS_OF_A_KIND


def _relation(relation: str) -> str:
    return relation.replace("_", " ")


def _format(name: str) -> str:
    return _FORMATS.get(name, name.capitalize())


def _price(kind: str, amount: str) -> tuple[str, str]:
    currency, _, finish = kind.partition("_")
    return finish or "regular", _CURRENCIES.get(currency, f"{{}} {currency}").format(amount)
