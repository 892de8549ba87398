"""Cards, abilities, rules, keywords and types as CSV for `neo4j-admin database import full`.

A file for each label, and one for each kind of relationship between two labels, with Neo4j's typed headers;
each label has an id space of its own, in which the ids are prefixed names. Texts are always quoted, quotes in
them doubled, and line feeds stay as they are: the import needs `--multiline-fields=true`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TypeAlias

from cardlaw.graph.layers import Chunk, property_name, value
from cardlaw.graph.model import Ability, Card, Citation, Face
from cardlaw.graph.network import KEYWORD_TIES
from cardlaw.graph.read import described
from cardlaw.graph.reference import keywords, rules, types
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES, compact

__all__ = ["command", "neo4j"]

Value: TypeAlias = str | int | float | bool | Iterable[str] | None

_NODES = {
    "cards": "id:ID(Card),name,layout,oracleId,colorIdentity:string[],sourceKeywords:string[],iri,:LABEL",
    "faces": "id:ID(Face),name,number:int,typeLine,manaCost,manaValue:double,colors:string[],power,toughness,"
    "loyalty,defense,oracleText,iri,:LABEL",
    "abilities": "id:ID(Ability),text,kind,start:int,end:int,granted:boolean,abilityWord,keywordCost,"
    "keywordNumber,keywordQuality,iri,:LABEL",
    "rules": "id:ID(Rule),number,title,heading,level,text,examples:string[],cardCount:int,"
    "cardCountWithSubrules:int,iri,:LABEL",
    "keywords": "id:ID(Keyword),name,nature:string[],cardCount:int,iri,:LABEL",
    "types": "id:ID(Type),name,iri,:LABEL",
}
_CITED = "relation,field,start:int,end:int,quote,granted:boolean,conditional:boolean,entry"
_RELATIONSHIPS = {
    "has-face": ":START_ID(Card),:END_ID(Face),:TYPE",
    "has-ability": ":START_ID(Face),:END_ID(Ability),:TYPE",
    "part-of": ":START_ID(Ability),:END_ID(Ability),:TYPE",
    "has-type": ":START_ID(Face),:END_ID(Type),:TYPE",
    "ability-invokes": f":START_ID(Ability),:END_ID(Rule),{_CITED},:TYPE",
    "face-invokes": f":START_ID(Face),:END_ID(Rule),{_CITED},:TYPE",
    "card-cites": ":START_ID(Card),:END_ID(Rule),:TYPE",
    "ability-keyword": ":START_ID(Ability),:END_ID(Keyword),:TYPE",
    "card-keyword": ":START_ID(Card),:END_ID(Keyword),:TYPE",
    "keyword-rule": ":START_ID(Keyword),:END_ID(Rule),:TYPE",
    "keyword-variant": ":START_ID(Keyword),:END_ID(Keyword),:TYPE",
    "rule-rule": ":START_ID(Rule),:END_ID(Rule),:TYPE",
    "type-rule": ":START_ID(Type),:END_ID(Rule),:TYPE",
    "type-type": ":START_ID(Type),:END_ID(Type),:TYPE",
}
_QUOTE = '"'
_FILES = {f"nodes-{name}.csv": header for name, header in _NODES.items()} | {
    f"relationships-{name}.csv": header for name, header in _RELATIONSHIPS.items()
}


def neo4j(store: Store, folder: Path, told: Callable[[int], None]) -> None:
    """Write all files into a folder; `told` hears how many cards have gone out."""
    with ExitStack() as stack:
        files = {
            name: stack.enter_context((folder / name).open("w", encoding="utf-8", newline=""))
            for name in _FILES
        }
        tables = _Tables(files)
        for done, (card, chunk) in enumerate(described(store), 1):
            tables.add_card(card, chunk)
            told(done)
        tables.add_reference(store)


def command(folder: Path) -> str:
    """The command that imports the files of a folder into the empty database `neo4j`."""
    given = " ".join(f"--{name.partition('-')[0]}={name}" for name in _FILES)
    return (
        f"cd {shlex.quote(str(folder))} && "
        f"neo4j-admin database import full {given} --multiline-fields=true neo4j"
    )


class _Tables:
    """The open files; methods add what there is to tell of one thing."""

    def __init__(self, files: Mapping[str, IO[str]]) -> None:
        self.files = files
        for name, file in files.items():
            file.write(f"{_FILES[name]}\n")

    def node(self, name: str, *values: Value) -> None:
        self.files[f"nodes-{name}.csv"].write(_row(values))

    def tie(self, name: str, *values: Value) -> None:
        self.files[f"relationships-{name}.csv"].write(_row(values))

    def add_card(self, card: Card, chunk: Chunk) -> None:
        name = compact(chunk.iri)
        self.node(
            *("cards", name, card.name, card.layout, card.oracle_id, card.color_identity or ()),
            *(card.keywords, chunk.iri, "Card"),
        )
        for predicate, term in chunk.said[chunk.iri]:
            property_ = property_name(predicate)
            if property_ == "citesRule":
                self.tie("card-cites", name, compact(value(term)), "CITES_RULE")
            elif property_ in KEYWORD_TIES:
                self.tie("card-keyword", name, compact(value(term)), KEYWORD_TIES[property_].upper())
        for face in card.faces:
            self.add_face(name, f"{card.slug}.{face.number}", face, chunk)
            for ability in face.abilities:
                self.add_ability(f"face:{card.slug}.{face.number}", card.slug, ability, chunk)

    def add_face(self, card: str, local: str, face: Face, chunk: Chunk) -> None:
        name, iri = f"face:{local}", f"{PREFIXES['face']}{local}"
        self.node(
            *("faces", name, face.name, face.number, face.type_line, face.mana_cost, face.mana_value),
            *(face.colors or (), face.power, face.toughness, face.loyalty, face.defense, face.oracle_text),
            *(iri, "Face"),
        )
        self.tie("has-face", card, name, "HAS_FACE")
        for predicate, term in chunk.said[iri]:
            if property_name(predicate) == "hasType":
                self.tie("has-type", name, compact(value(term)), "HAS_TYPE")
        self.add_citations("face-invokes", name, face.citations)

    def add_ability(self, face: str, slug: str, ability: Ability, chunk: Chunk) -> None:
        name, iri = f"ability:{slug}.{ability.id}", f"{PREFIXES['ability']}{slug}.{ability.id}"
        number = ability.parameters.get("number")
        self.node(
            *("abilities", name, ability.text, ability.kind, ability.start, ability.end, ability.granted),
            *(ability.ability_word, ability.parameters.get("cost"), None if number is None else str(number)),
            *(ability.parameters.get("quality"), iri, "Ability"),
        )
        self.tie("has-ability", face, name, "HAS_ABILITY")
        if ability.parent is not None:
            self.tie("part-of", name, f"ability:{slug}.{ability.parent}", "PART_OF")
        for predicate, term in chunk.said[iri]:
            if tie := KEYWORD_TIES.get(property_name(predicate)):
                self.tie("ability-keyword", name, compact(value(term)), tie.upper())
        self.add_citations("ability-invokes", name, ability.citations)

    def add_citations(self, file: str, holder: str, citations: Iterable[Citation]) -> None:
        for each in citations:
            self.tie(
                *(file, holder, f"rule:{each.rule}", each.relation, each.field, each.start, each.end),
                *(each.quote, each.granted, each.conditional, each.entry or None),
                "INVOKES_IN_REMINDER" if each.in_reminder else "INVOKES",
            )

    def add_reference(self, store: Store) -> None:
        """The rules, keywords and types."""
        book = rules(store)
        numbers = {rule.number for rule in book}
        for rule in book:
            name = f"rule:{rule.number}"
            self.node(
                *("rules", name, rule.number, rule.title, rule.heading, rule.level, rule.text),
                *(rule.examples, rule.card_count, rule.card_count_with_subrules, rule.iri, "Rule"),
            )
            if rule.parent is not None:
                self.tie("rule-rule", name, f"rule:{rule.parent}", "UNDER")
            for number in rule.references:
                if number in numbers:  # else one that the book cites but does not have
                    self.tie("rule-rule", name, f"rule:{number}", "REFERS_TO")
        for keyword in keywords(store):
            name = f"keyword:{keyword.slug}"
            kind = "KeywordAction" if keyword.action else "KeywordAbility"
            self.node(
                *("keywords", name, keyword.name, keyword.nature, keyword.card_count, keyword.iri),
                ("Keyword", kind),
            )
            self.tie("keyword-rule", name, f"rule:{keyword.rule}", "DEFINED_BY")
            if keyword.variant_of is not None:
                self.tie("keyword-variant", name, f"keyword:{keyword.variant_of}", "VARIANT_OF")
        for type_ in types(store):
            name = f"type:{type_.slug}"
            self.node("types", name, type_.name, type_.iri, dict.fromkeys(("Type", type_.kind)))
            if type_.rule is not None:
                self.tie("type-rule", name, f"rule:{type_.rule}", "DEFINED_BY")
            for owner in type_.subtype_of:
                self.tie("type-type", name, f"type:{owner}", "SUBTYPE_OF")


def _row(values: Iterable[Value]) -> str:
    return f"{','.join(map(_field, values))}\n"


def _field(given: Value) -> str:
    match given:
        case None:
            return ""
        case bool():
            return str(given).lower()
        case int() | float():
            return str(given)
        case str():
            return f'"{given.replace(_QUOTE, _QUOTE * 2)}"'
        case _:
            # What stands between the parts of an array cannot be escaped in one of them.
            parts = ";".join(part.replace(";", ",") for part in given)
            return _field(parts) if parts else ""
