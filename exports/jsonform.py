"""Cards, rules, keywords and glossary terms as JSON: plain dictionaries with fixed keys in a fixed order.

What comes in are records of the graph; what goes out is ready for any JSON encoder. Spans
are half-open [start, end) in Unicode code points of the named field of the face. A field that the source
lacks is null, never absent, so that every card has the same keys.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from cardlaw.graph.model import Ability, Card, Citation, Face, Printing, Ruling
from cardlaw.graph.naming import card_node
from cardlaw.graph.read import KeywordRecord, RuleRecord, TermRecord
from cardlaw.graph.tagging import Tag
from cardlaw.ontology.namespaces import PREFIXES, expand

from .tagtext import reason_form, tag_form, theme_form

__all__ = ["Json", "Record", "encode", "form"]

Json: TypeAlias = dict[str, Any]

Record: TypeAlias = Card | RuleRecord | KeywordRecord | TermRecord
"""What can be shown."""


def encode(value: object, *, indent: int = 0) -> bytes:
    """UTF-8 JSON of `value`, on one line or, with `indent`, laid out to be read."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:  # a lone surrogate, which no JSON in UTF-8 can hold
        text = json.dumps(value, ensure_ascii=False)
        data = text.encode("utf-8", "replace")
    return msgspec.json.format(data, indent=indent) if indent else data


def form(record: Record, *, release: str, tags: Sequence[Tag] = ()) -> Json:
    """The JSON form of what `cardlaw.graph.read` gives.

    Args:
        tags: those of a card.
        record: a card whose `slug` is empty stands in no graph: its IRIs are null.
        release: effective date of the rulebook that the rule numbers are of, ISO 8601.
    """
    match record:
        case Card():
            return _card(record, release, tags)
        case RuleRecord():
            return _rule(record, release)
        case KeywordRecord():
            return _keyword(record, release)
        case TermRecord():
            return _term(record, release)


def _card(card: Card, release: str, tags: Sequence[Tag]) -> Json:
    return {
        "name": card.name,
        "iri": expand(card_node(card.slug)) if card.slug else None,
        "oracle_id": card.oracle_id,
        "layout": card.layout,
        "color_identity": None if card.color_identity is None else list(card.color_identity),
        "keywords": list(card.keywords),
        "rulebook": release,
        "faces": [_face(face, card.slug) for face in card.faces],
        "tags": tag_form(tags),
        "tag_reasons": reason_form(tags),
        "themes": theme_form(tags),
        "legalities": dict(card.legalities),
        "prices": dict(card.prices),
        "printings": [_printing(printing) for printing in card.printings],
        "rulings": [_ruling(ruling) for ruling in card.rulings],
        "prices_date": card.prices_date,
        "related": [
            {"name": part.name, "component": part.component, "printing": _iri("printing", part.id)}
            for part in card.related
        ],
        "origins": dict(card.origins),
    }


def _printing(printing: Printing) -> Json:
    return {
        "id": printing.id,
        "iri": _iri("printing", printing.id),
        "set": printing.set_code,
        "set_name": printing.set_name,
        "number": printing.number,
        "rarity": printing.rarity,
        "released": printing.released,
        "language": printing.language,
        "finishes": list(printing.finishes),
        "prices": dict(printing.prices),
    }


def _ruling(ruling: Ruling) -> Json:
    """A ruling with the rules whose numbers it states; `release` is the rulebook that surely had them so."""
    return {
        "published": ruling.published,
        "source": ruling.source,
        "text": ruling.text,
        "rules": [
            {"rule": stated.rule, "title": stated.title, "release": stated.release} for stated in ruling.rules
        ],
    }


def _rule(rule: RuleRecord, release: str) -> Json:
    """One rule with the names of all cards that invoke it itself, not only rules under it."""
    return {
        "rule": rule.number,
        "title": rule.title,
        "text": rule.text,
        "parent": rule.parent,
        "children": list(rule.children),
        "references": list(rule.references),
        "referenced_by": list(rule.referenced_by),
        "examples": list(rule.examples),
        "card_count": rule.card_count,
        "cards": list(rule.cards),
        "rulebook": release,
        **({"since": msgspec.structs.asdict(rule.since)} if rule.since else {}),
    }


def _keyword(keyword: KeywordRecord, release: str) -> Json:
    """One keyword with the names of its cards by relation, `has_keyword` or `keyword_action` first."""
    return {
        "keyword": keyword.name,
        "iri": keyword.iri,
        "action": keyword.action,
        "rule": keyword.rule,
        "nature": list(keyword.nature),
        "variant_of": keyword.variant_of,
        "variants": list(keyword.variants),
        "card_count": keyword.card_count,
        "cards": {relation: list(names) for relation, names in keyword.cards.items()},
        "rulebook": release,
    }


def _term(term: TermRecord, release: str) -> Json:
    """One glossary entry."""
    return {
        "term": term.names[0],
        "iri": term.iri,
        "names": list(term.names),
        "senses": list(term.senses),
        "references": list(term.references),
        "see": list(term.see),
        "obsolete": term.obsolete,
        "rulebook": release,
    }


def _face(face: Face, slug: str) -> Json:
    value = face.mana_value
    return {
        "name": face.name,
        "iri": _iri("face", slug, str(face.number)),
        "type_line": face.type_line,
        "mana_cost": face.mana_cost,
        "mana_value": int(value) if value is not None and value.is_integer() else value,
        "colors": None if face.colors is None else list(face.colors),
        "power": face.power,
        "toughness": face.toughness,
        "loyalty": face.loyalty,
        "defense": face.defense,
        "oracle_text": face.oracle_text,
        "citations": [_citation(citation) for citation in face.citations],
        "abilities": [_ability(ability, slug) for ability in face.abilities],
    }


def _ability(ability: Ability, slug: str) -> Json:
    parts = ability.parts
    return {
        "id": ability.id,
        "iri": _iri("ability", slug, ability.id),
        "parent": ability.parent,
        "kind": ability.kind,
        "text": ability.text,
        "start": ability.start,
        "end": ability.end,
        "keyword": ability.keyword,
        "parameters": dict(ability.parameters),
        "ability_word": ability.ability_word,
        "parts": {
            "cost": parts.cost,
            "event": parts.event,
            "condition": parts.condition,
            "effect": parts.effect,
        },
        "citations": [_citation(citation) for citation in ability.citations],
    }


def _citation(citation: Citation) -> Json:
    return {
        "rule": citation.rule,
        "title": citation.title,
        "relation": citation.relation,
        "field": citation.field,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "in_reminder": citation.in_reminder,
        "granted": citation.granted,
        "conditional": citation.conditional,
        "entry": citation.entry,
    }


def _iri(prefix: str, slug: str, *parts: str) -> str | None:
    return PREFIXES[prefix] + ".".join((slug, *parts)) if slug else None
