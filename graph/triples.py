"""Records to N-Quads: one chunk a card, and the rulebook once.

What comes in are the records of `model`; what goes out are lines that end in a line feed, each with the
layer that it belongs to, sorted, and the same for the same record whatever was built before it. A fact is
said once: the kind of an ability is its class, its end is its start and its label, its effect is all of it
where no span says less, a card without a layout is `normal`, a face without a number the only one.
All terms are declared in `ontology/cardlaw.ttl`; see there for what each says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cardlaw.ontology.namespaces import PREFIXES

from .model import Ability, Card, Citation, Face, Relation, Rulebook
from .naming import TOKEN_LAYOUTS, source_slug
from .nquads import IS, TRUE, P, end, integer, iri, literal, number, quantity
from .origins import origin_lines
from .printquads import card_iri, card_lines, ruling_lines
from .rulequads import ontology_quads, rulebook_quads
from .words import Words

if TYPE_CHECKING:
    from .linking.corrections import Removed

__all__ = [
    "CARD_LAYERS",
    "KIND_CLASSES",
    "RELATION_PROPERTIES",
    "card_quads",
    "citation_name",
    "ontology_quads",
    "removal_lines",
    "rulebook_quads",
]

CARD_LAYERS = ("cards", "abilities", "evidence", "rulings")
"""The layers that `card_quads` fills."""

KIND_CLASSES = {
    "keyword": "KeywordInstance",
    "activated": "ActivatedAbility",
    "activated/mana": "ActivatedManaAbility",
    "activated/loyalty": "LoyaltyAbility",
    "triggered": "TriggeredAbility",
    "triggered/mana": "TriggeredManaAbility",
    "triggered/chapter": "ChapterAbility",
    "static": "StaticAbility",
    "static/characteristic-defining": "CharacteristicDefiningAbility",
    "spell": "SpellAbility",
}
"""Kind of ability → local name of its class."""

_KEYWORD_PROPERTIES: dict[Relation, str] = {
    "has_keyword": "hasKeyword",
    "grants_keyword": "grantsKeyword",
    "loses_keyword": "losesKeyword",
    "mentions_keyword": "mentionsKeyword",
}
_RELATIONS: tuple[Relation, ...] = (
    *_KEYWORD_PROPERTIES,
    "keyword_action",
    "ability_kind",
    "trigger_event",
    "effect",
    "zone",
    "turn_part",
    "cost",
    "defined_term",
    "card_type",
)
RELATION_PROPERTIES = {
    relation: "invokesAs" + "".join(word.capitalize() for word in relation.split("_"))
    for relation in _RELATIONS
}
"""Relation → local name of the subproperty of mtg:invokes."""

_SAID = {relation: literal(relation) for relation in _RELATIONS}
_FACE, _ABILITY, _CITATION, _RULE, _ENTRY = (
    f"<{PREFIXES[prefix]}" for prefix in ("face", "ability", "citation", "rule", "entry")
)
_CARDS, _ABILITIES, _EVIDENCE, _ = map(end, CARD_LAYERS)


def card_quads(card: Card, rulebook: Rulebook) -> dict[str, list[str]]:
    """The card's lines by layer (`CARD_LAYERS`), each list sorted and without doubles.

    Args:
        card: with abilities and citations.
        rulebook: the one by which it was linked; it names the keywords and types.
    """
    chunk = _CardChunk(card, Words.of(rulebook))
    return {
        "cards": sorted({*chunk.cards, *card_lines(card), *origin_lines(card)}),
        "abilities": sorted({*chunk.abilities}),
        "evidence": sorted({*chunk.evidence}),
        "rulings": sorted({*ruling_lines(card)}),
    }


def removal_lines(card: Card, removed: Iterable[Removed], source: str) -> Iterator[str]:
    """The lines of `layer:evidence` that tell what a file of corrections took out of a card.

    Args:
        card: as it is without what was removed.
        removed: the citations that went.
        source: name of the file, as `origins.source_lines` has it.
    """
    there = {
        _citation_name(f"{card.slug}.{holder}", citation)
        for face in card.faces
        for holder, citations in (
            (str(face.number), face.citations),
            *((ability.id, ability.citations) for ability in face.abilities),
        )
        for citation in citations
    }
    for each in removed:
        citation = each.citation
        name = _citation_name(f"{card.slug}.{each.holder}", citation)
        subject = iri(f"removal:{name}")
        holder = f"{_ABILITY if '.' in each.holder else _FACE}{card.slug}.{each.holder}>"
        yield f"{subject}{IS['Removal']}{_EVIDENCE}"
        yield f"{subject}{P['removedFrom']}{holder}{_EVIDENCE}"
        yield f"{subject}{P['removedRule']}{_RULE}{citation.rule}>{_EVIDENCE}"
        yield f"{subject}{P['relation']}{_SAID[citation.relation]}{_EVIDENCE}"
        yield f"{subject}{P['quote']}{literal(citation.quote)}{_EVIDENCE}"
        yield f"{subject}{P['rdfs:comment']}{literal(each.reason)}{_EVIDENCE}"
        yield f"{subject}{P['prov:used']}{iri('source:' + source_slug(source))}{_EVIDENCE}"
        if citation.entry:
            yield f"{subject}{P['removedEntry']}{_ENTRY}{citation.entry}>{_EVIDENCE}"
        if name not in there:  # else it was put in again with other words
            yield f"{subject}{P['prov:invalidated']}{_CITATION}{name}>{_EVIDENCE}"


def _citation_name(local: str, citation: Citation) -> str:
    return citation_name(local, citation.rule, citation.relation)


def citation_name(holder: str, rule: str, relation: Relation) -> str:
    """Names a citation by what is distinct about it, so that the name stays when others are added.

    Args:
        holder: local name of the ability or face that cites.
        rule: number.
        relation: how.
    """
    return f"{holder}.c{rule}-{relation.replace('_', '-')}"


class _CardChunk:
    """The lines of one card, by layer, in the order in which they are found."""

    def __init__(self, card: Card, words: Words) -> None:
        self.card = card
        self.words = words
        self.cards: list[str] = []
        self.abilities: list[str] = []
        self.evidence: list[str] = []
        self.subject = card_iri(card)
        self.is_token = card.layout in TOKEN_LAYOUTS
        self.cited: set[str] = set()  # objects of mtg:citesRule
        self.keywords: set[tuple[str, str]] = set()  # property, keyword
        self.add_card()
        for face in card.faces:
            self.add_face(face)
        add = self.abilities.append
        if not self.is_token:  # of which mtg:citesRule and its like say nothing: those tell of cards
            for rule in self.cited:
                add(f"{self.subject}{P['citesRule']}{rule}{_ABILITIES}")
            for name, keyword in self.keywords:
                add(f"{self.subject}{P[name]}{keyword}{_ABILITIES}")

    def add_card(self) -> None:
        card, add = self.card, self.cards.append
        subject = self.subject
        add(f"{subject}{IS['Token' if self.is_token else 'Card']}{_CARDS}")
        add(f"{subject}{P['rdfs:label']}{literal(card.name)}{_CARDS}")
        if card.layout != "normal":
            add(f"{subject}{P['layout']}{literal(card.layout)}{_CARDS}")
        if card.oracle_id is not None:
            add(f"{subject}{P['oracleId']}{literal(card.oracle_id)}{_CARDS}")
        for color in card.color_identity or ():
            add(f"{subject}{P['colorIdentity']}{literal(color)}{_CARDS}")
        if card.color_identity == ():
            add(f"{subject}{P['colorlessIdentity']}{TRUE}{_CARDS}")
        for keyword in card.keywords:
            add(f"{subject}{P['sourceKeyword']}{literal(keyword)}{_CARDS}")

    def add_face(self, face: Face) -> None:
        add = self.cards.append
        local = f"{self.card.slug}.{face.number}"
        subject = f"{_FACE}{local}>"
        add(f"{self.subject}{P['hasFace']}{subject}{_CARDS}")
        add(f"{subject}{IS['Face']}{_CARDS}")
        add(f"{subject}{P['rdfs:label']}{literal(face.name)}{_CARDS}")
        if len(self.card.faces) > 1:
            add(f"{subject}{P['faceNumber']}{integer(face.number)}{_CARDS}")
        for name, text in (
            ("typeLine", face.type_line),
            ("manaCost", face.mana_cost),
            ("oracleText", face.oracle_text),
        ):
            if text is not None:
                add(f"{subject}{P[name]}{literal(text)}{_CARDS}")
        for name, text in (
            ("power", face.power),
            ("toughness", face.toughness),
            ("loyalty", face.loyalty),
            ("defense", face.defense),
        ):
            if text is not None:
                add(f"{subject}{P[name]}{quantity(text)}{_CARDS}")
        if face.mana_value is not None:
            add(f"{subject}{P['manaValue']}{number(face.mana_value)}{_CARDS}")
        for color in face.colors or ():
            add(f"{subject}{P['color']}{literal(color)}{_CARDS}")
        if face.colors == ():
            add(f"{subject}{P['colorless']}{TRUE}{_CARDS}")
        for word in self.words.types(face.type_line or ""):
            add(f"{subject}{P['hasType']}{word.iri}{_CARDS}")
            if not word.known:
                add(f"{word.iri}{IS['Type']}{_CARDS}")
                add(f"{word.iri}{P['rdfs:label']}{literal(word.name)}{_CARDS}")
        for ability in face.abilities:
            self.add_ability(ability, subject)
        self.add_citations(face.citations, subject, local, is_face=True)

    def add_ability(self, ability: Ability, face: str) -> None:
        add = self.abilities.append
        local = f"{self.card.slug}.{ability.id}"
        subject = f"{_ABILITY}{local}>"
        add(f"{face}{P['hasAbility']}{subject}{_ABILITIES}")
        add(f"{subject}{IS[KIND_CLASSES[ability.kind]]}{_ABILITIES}")
        add(f"{subject}{P['rdfs:label']}{literal(ability.text)}{_ABILITIES}")
        add(f"{subject}{P['start']}{integer(ability.start)}{_ABILITIES}")
        if ability.parent is not None:
            add(f"{subject}{P['partOf']}{_ABILITY}{self.card.slug}.{ability.parent}>{_ABILITIES}")
        if ability.granted:
            add(f"{subject}{P['granted']}{TRUE}{_ABILITIES}")
        if ability.ability_word is not None:
            add(f"{subject}{P['abilityWord']}{literal(ability.ability_word)}{_ABILITIES}")
        if ability.keyword is not None:
            keyword = self.words.keyword(ability.keyword)
            if keyword is not None:
                add(f"{subject}{P['keyword']}{keyword}{_ABILITIES}")
            else:
                add(f"{subject}{P['keywordName']}{literal(ability.keyword)}{_ABILITIES}")
            for name, value in ability.parameters.items():
                text = integer(value) if isinstance(value, int) else literal(value)
                add(f"{subject}{P['keyword' + name.capitalize()]}{text}{_ABILITIES}")
        parts = ability.parts
        effect = parts.effect
        if ability.kind != "keyword":
            if effect == (ability.start, ability.end):
                effect = None
            elif effect is None:
                effect = (ability.start, ability.start)
        for name, span in (
            ("costSpan", parts.cost),
            ("eventSpan", parts.event),
            ("conditionSpan", parts.condition),
            ("effectSpan", effect),
            *(("modeSpan", mode) for mode in parts.modes),
        ):
            if span is not None:
                add(f'{subject}{P[name]}"char={span[0]},{span[1]}"{_ABILITIES}')
        self.add_citations(ability.citations, subject, local)

    def add_citations(
        self, citations: Iterable[Citation], invoker: str, local: str, *, is_face: bool = False
    ) -> None:
        """The citations of one ability or face, and what follows from them for it and for the card."""
        add = self.abilities.append
        invoked: set[str] = set()
        for citation in citations:
            rule = f"{_RULE}{citation.rule}>"
            name = _citation_name(local, citation)
            self.add_citation(f"{_CITATION}{name}>", citation, rule, invoker, is_face)
            if citation.in_reminder:
                continue
            invoked.add(rule)
            add(f"{invoker}{P[RELATION_PROPERTIES[citation.relation]]}{rule}{_ABILITIES}")
            tie = _KEYWORD_PROPERTIES.get(citation.relation)
            keyword = tie and self.words.keyword_of(citation.rule, citation.quote)
            if tie and keyword:
                self.keywords.add((tie, keyword))
                if not is_face:
                    add(f"{invoker}{P[tie]}{keyword}{_ABILITIES}")
        for rule in invoked:
            add(f"{invoker}{P['invokes']}{rule}{_ABILITIES}")
        self.cited |= invoked

    def add_citation(self, subject: str, citation: Citation, rule: str, invoker: str, is_face: bool) -> None:
        add = self.evidence.append
        add(f"{subject}{IS['Citation']}{_EVIDENCE}")
        add(f"{subject}{P['rule']}{rule}{_EVIDENCE}")
        add(f"{subject}{P['face' if is_face else 'ability']}{invoker}{_EVIDENCE}")
        add(f"{subject}{P['relation']}{_SAID[citation.relation]}{_EVIDENCE}")
        add(f"{subject}{P['start']}{integer(citation.start)}{_EVIDENCE}")
        add(f"{subject}{P['end']}{integer(citation.end)}{_EVIDENCE}")
        add(f"{subject}{P['quote']}{literal(citation.quote)}{_EVIDENCE}")
        if is_face or citation.field != "oracle_text":
            add(f"{subject}{P['field']}{literal(citation.field)}{_EVIDENCE}")
        if citation.entry:
            add(f"{subject}{P['entry']}{_ENTRY}{citation.entry}>{_EVIDENCE}")
        if citation.in_reminder:
            add(f"{subject}{P['inReminder']}{TRUE}{_EVIDENCE}")
        if citation.granted:
            add(f"{subject}{P['isGranted']}{TRUE}{_EVIDENCE}")
        if citation.conditional:
            add(f"{subject}{P['isConditional']}{TRUE}{_EVIDENCE}")
