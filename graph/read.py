"""Records back from the graph: what was written of a card, a rule, a keyword or a glossary term.

`card` gives the `Card` that `triples.card_quads` took, abilities and citations included, from the store
alone. What RDF does not keep is the order of sets: colors and the source's keywords come back in the order
of the alphabet, and likewise what `besides` reads. A card of no color has () where its source says so, else
None. Titles of citations are the headings of the rules. Look-ups are by pattern, some microseconds each; all
cards are read from the files of the build instead, five times faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, cast

from msgspec import Struct
from pyoxigraph import Literal, NamedNode, QuerySolutions

from cardlaw.ontology.namespaces import MTG, PREFIXES

from .besides import Besides, prices
from .facts import Facts, Reader, local, node, span_of
from .layers import Chunk, card_chunks, property_name, value
from .model import Ability, Card, Citation, Face, Field, Kind, Parts, Relation, Span
from .names import find, one
from .rulequads import sort_key
from .store import Store, layer
from .triples import KIND_CLASSES

__all__ = [
    "CardNames",
    "KeywordRecord",
    "RuleRecord",
    "Since",
    "TermRecord",
    "card",
    "card_names",
    "cards",
    "described",
    "effect_of",
    "find",
    "keyword",
    "kind_of",
    "notes",
    "rule",
    "term",
]

_INTEGER = f"^^<{PREFIXES['xsd']}integer>"
_KINDS = {MTG + name: cast(Kind, kind) for kind, name in KIND_CLASSES.items()}
_PARAMETERS = (("cost", "keywordCost"), ("number", "keywordNumber"), ("quality", "keywordQuality"))


_VERBS = ("has", "grants", "loses", "mentions")

CardNames: TypeAlias = Mapping[tuple[str, str], tuple[str, ...]]
"""IRI of a rule or keyword, and "cites_rule", "has_keyword", … "keyword_action" → names of cards, sorted."""


class Since(Struct, frozen=True, kw_only=True):
    """First releases, ISO 8601, of those that the graph holds; what is as old as `oldest` may be older."""

    rule: str  # that has the rule, whatever its number and words
    number: str  # from which on it has its number
    wording: str  # from which on it has its words, numbers of other rules aside
    oldest: str  # of all


class RuleRecord(Struct, frozen=True, kw_only=True):
    """A rule with what is tied to it. Numbers of rules are in the order of the book, cards by name."""

    number: str
    iri: str
    title: str | None  # its own heading
    heading: str | None  # its own, or that of the nearest rule above that has one
    text: str | None
    parent: str | None
    children: tuple[str, ...]
    words: tuple[
        str | None, ...
    ]  # heading or text of each child; None in an outline for one without a heading
    references: tuple[str, ...]
    referenced_by: tuple[str, ...]
    examples: tuple[str, ...]
    keywords: tuple[str, ...]  # names of the keywords that it defines
    card_count: int  # cards that invoke this very rule
    card_count_with_subrules: int  # cards that invoke it or a rule under it
    cards: tuple[str, ...]  # names of those that invoke this very rule
    since: Since | None = None  # of a graph that was built from several releases


class KeywordRecord(Struct, frozen=True, kw_only=True):
    """A keyword ability or action with the cards that have to do with it."""

    name: str
    iri: str
    action: bool
    rule: str
    nature: tuple[str, ...]
    variant_of: str | None
    variants: tuple[str, ...]
    card_count: int
    cards: Mapping[str, tuple[str, ...]]  # relation ("has_keyword", …, "keyword_action") -> names of cards


class TermRecord(Struct, frozen=True, kw_only=True):
    """A glossary entry."""

    names: tuple[str, ...]
    iri: str
    senses: tuple[str, ...]
    references: tuple[str, ...]
    see: tuple[str, ...]
    obsolete: bool


def kind_of(ability: Facts) -> Kind:
    """What kind of ability it is, by its class."""
    return _KINDS[ability.need("rdf:type")]


def effect_of(ability: Facts) -> Span | None:
    """Where its effect stands, in its face's text: all of it where nothing else is said, but of a keyword."""
    if "effectSpan" in ability or kind_of(ability) == "keyword":
        return ability.span("effectSpan")
    start = int(ability.need("start"))
    return start, start + len(ability.need("rdfs:label"))


def card(store: Store, name: str) -> Card:
    """The card of a name (also a face's), of a prefixed name or of an IRI.

    Raises:
        QueryError: if no card has it; the message has near misses.
    """
    return _Reader(store).card(one(store, name, "card"))


def cards(store: Store, iris: Iterable[str] | None = None) -> Iterator[Card]:
    """The cards of these IRIs, or all in the order of their IRIs."""
    if iris is None:
        yield from (card for card, _ in described(store))
    else:
        yield from map(_Reader(store).card, iris)


def described(store: Store) -> Iterator[tuple[Card, Chunk]]:
    """All cards in the order of their IRIs, each with what the files of the build say of it and its parts."""
    reader = _FileReader(store)
    for chunk in card_chunks(store):
        if chunk.iri.startswith(PREFIXES["card"]):
            reader.chunk = chunk
            yield reader.card(chunk.iri), chunk


def card_names(store: Store, iris: Iterable[str]) -> CardNames:
    """Which of some cards invoke each rule and have to do with each keyword, as `rule` takes it."""
    reader = _Reader(store)
    found: dict[tuple[str, str], set[str]] = {}
    for iri in iris:
        if not iri.startswith(PREFIXES["card"]):
            continue
        facts = reader.facts(iri)
        ties = {(target, "cites_rule") for target in facts["citesRule"]}
        ties |= {(target, f"{verb}_keyword") for verb in _VERBS for target in facts[f"{verb}Keyword"]}
        for ability in (each for face in facts["hasFace"] for each in reader.facts(face)["hasAbility"]):
            ties |= {(rule, "keyword_action") for rule in reader.facts(ability)["invokesAsKeywordAction"]}
        for tie in ties:
            found.setdefault(tie, set()).add(facts.need("rdfs:label"))
    return {tie: tuple(sorted(names)) for tie, names in found.items()}


def rule(store: Store, name: str, cards: CardNames | None = None) -> RuleRecord:
    """The rule of a number, a prefixed name or an IRI.

    Args:
        store: the graph.
        name: of the rule.
        cards: those that it may be invoked by; default: all of the graph, of which a hub has many thousands.

    Raises:
        QueryError: if the rulebook of this graph has no such rule.
    """
    reader = _Reader(store)
    iri = one(store, name, "rule")
    facts = reader.facts(iri)
    children = _numbers(reader.subjects("skos:broader", iri))
    return RuleRecord(
        number=local(iri),
        iri=iri,
        title=facts.text("skos:prefLabel"),
        heading=reader.heading(iri),
        text=facts.text("skos:definition"),
        parent=_number(facts.text("skos:broader")),
        children=children,
        words=tuple(reader.words(PREFIXES["rule"] + number) for number in children),
        references=_numbers(facts["refersTo"]),
        referenced_by=_numbers(s for s in reader.subjects("refersTo", iri) if s.startswith(PREFIXES["rule"])),
        examples=tuple(sorted(facts["example"])),
        keywords=tuple(sorted(reader.labels(s for s in reader.subjects("definedBy", iri) if _is_keyword(s)))),
        card_count=int(facts.text("cardCount") or 0),
        card_count_with_subrules=int(facts.text("cardCountWithSubrules") or 0),
        cards=reader.cards_of("citesRule", iri) if cards is None else cards.get((iri, "cites_rule"), ()),
        since=_since(store, facts),
    )


def keyword(store: Store, name: str, cards: CardNames | None = None) -> KeywordRecord:
    """The keyword of a name, a prefixed name or an IRI.

    Args:
        store: the graph.
        name: of the keyword.
        cards: those that may have to do with it, as `rule` has them.

    Raises:
        QueryError: if the rulebook of this graph has no such keyword.
    """
    reader = _Reader(store)
    iri = one(store, name, "keyword")
    facts = reader.facts(iri)
    action = MTG + "KeywordAction" in facts["rdf:type"]
    defining = facts.need("definedBy")
    if cards is not None:
        relations = ["keyword_action"] if action else [f"{verb}_keyword" for verb in _VERBS]
        holders = {each: cards.get((defining if action else iri, each), ()) for each in relations}
    elif action:
        holders = {"keyword_action": reader.cards_that_do(defining)}
    else:
        holders = {f"{verb}_keyword": reader.cards_of(f"{verb}Keyword", iri) for verb in _VERBS}
    above = facts.text("skos:broader")
    return KeywordRecord(
        name=facts.need("rdfs:label"),
        iri=iri,
        action=action,
        rule=local(defining),
        nature=tuple(sorted(facts["nature"])),
        variant_of=reader.label(above) if above else None,
        variants=tuple(sorted(reader.labels(reader.subjects("skos:broader", iri)))),
        card_count=int(facts.text("cardCount") or 0),
        cards=holders,
    )


def term(store: Store, name: str) -> TermRecord:
    """The glossary entry of a name, a prefixed name or an IRI.

    Raises:
        QueryError: if the glossary of this graph has no such entry.
    """
    reader = _Reader(store)
    iri = one(store, name, "term")
    facts = reader.facts(iri)
    return TermRecord(
        names=(facts.need("rdfs:label"), *sorted(facts["skos:altLabel"])),
        iri=iri,
        senses=_senses(facts["skos:definition"]),
        references=_numbers(facts["refersTo"]),
        see=tuple(sorted(reader.labels(facts["rdfs:seeAlso"]))),
        obsolete=bool(facts["obsolete"]),
    )


def notes(store: Store) -> dict[str, str]:
    """By id of a catalogue entry, why it cites what it cites."""
    found = store.quads.quads_for_pattern(None, node("rdfs:comment"), None, layer("rules"))
    return {
        local(quad.subject.value): cast(Literal, quad.object).value
        for quad in found
        if isinstance(quad.subject, NamedNode) and quad.subject.value.startswith(PREFIXES["entry"])
    }


class _Reader(Reader):
    """Reads cards, and names of cards."""

    def cards_of(self, name: str, iri: str) -> tuple[str, ...]:
        """Names of the cards that have a property with this value."""
        return self.names(f"GRAPH layer:abilities {{ ?card mtg:{name} <{iri}> }}")

    def cards_that_do(self, rule: str) -> tuple[str, ...]:
        """Names of the cards with an ability that does the keyword action that `rule` defines."""
        return self.names(
            f"GRAPH layer:abilities {{ ?ability mtg:invokesAsKeywordAction <{rule}> . "
            "?face mtg:hasAbility ?ability } GRAPH layer:cards { ?card mtg:hasFace ?face }"
        )

    def names(self, pattern: str) -> tuple[str, ...]:
        """Names of the `?card` of a pattern; a query decodes them faster than look-ups do."""
        rows = self.store.query(
            f"SELECT ?name {{ {{ SELECT DISTINCT ?card {{ {pattern} }} }} "
            "GRAPH layer:cards { ?card a mtg:Card ; rdfs:label ?name } }"
        )
        return tuple(sorted(row[0].value for row in cast(QuerySolutions, rows)))

    def card(self, iri: str) -> Card:
        facts = self.facts(iri)
        parts = {int(part.text("faceNumber") or 1): part for part in map(self.facts, facts["hasFace"])}
        slug = local(iri)
        beside = Besides(self, facts)
        return Card(
            name=facts.need("rdfs:label"),
            slug=slug,
            layout=facts.text("layout") or "normal",
            faces=tuple(self.face(part, slug) for _, part in sorted(parts.items())),
            color_identity=_colors(facts, "colorIdentity", "colorlessIdentity"),
            keywords=tuple(sorted(facts["sourceKeyword"])),
            oracle_id=facts.text("oracleId"),
            legalities=beside.legalities(),
            prices=prices(facts),
            prices_date=facts.text("pricesOf"),
            printings=beside.printings(),
            related=beside.related(),
            rulings=beside.rulings(),
            origins=beside.origins(parts),
        )

    def face(self, facts: Facts, slug: str) -> Face:
        value = facts.text("manaValue")
        number = facts.text("faceNumber") or "1"
        abilities = sorted(facts["hasAbility"], key=_order)
        return Face(
            name=facts.need("rdfs:label"),
            number=int(number),
            oracle_text=facts.text("oracleText"),
            type_line=facts.text("typeLine"),
            mana_cost=facts.text("manaCost"),
            mana_value=None if value is None else float(value),
            colors=_colors(facts, "color", "colorless"),
            power=facts.text("power"),
            toughness=facts.text("toughness"),
            loyalty=facts.text("loyalty"),
            defense=facts.text("defense"),
            abilities=tuple(self.ability(ability, slug) for ability in abilities),
            citations=self.citations("face", f"{PREFIXES['face']}{slug}.{number}"),
        )

    def ability(self, iri: str, slug: str) -> Ability:
        integers: set[str] = set()
        facts = self.facts(iri, integers)
        holder = facts.text("partOf")
        named = facts.text("keyword")
        prefix = len(PREFIXES["ability"] + slug) + 1
        parameters: dict[str, str | int] = {
            name: int(facts.need(key)) if key in integers else facts.need(key)
            for name, key in _PARAMETERS
            if key in facts
        }
        kind = kind_of(facts)
        text, start = facts.need("rdfs:label"), int(facts.need("start"))
        effect = effect_of(facts)
        return Ability(
            id=iri[prefix:],
            parent=holder[prefix:] if holder else None,
            kind=kind,
            text=text,
            start=start,
            end=start + len(text),
            keyword=self.label(named) if named else facts.text("keywordName"),
            parameters=parameters,
            ability_word=facts.text("abilityWord"),
            granted="granted" in facts,
            parts=Parts(
                cost=facts.span("costSpan"),
                event=facts.span("eventSpan"),
                condition=facts.span("conditionSpan"),
                effect=effect if effect and effect[0] < effect[1] else None,
                modes=tuple(sorted(map(span_of, facts["modeSpan"]))),
            ),
            citations=self.citations("ability", iri),
        )

    def words(self, iri: str) -> str | None:
        """The heading of a rule or, without one, its text."""
        facts = self.facts(iri)
        return facts.text("skos:prefLabel") or facts.text("skos:definition")

    def citations(self, role: str, iri: str) -> tuple[Citation, ...]:
        """Those of a "face" or an "ability", in the order of their evidence, as the linker gives them."""
        found = (self.citation(citation) for citation in self.subjects(role, iri))
        return tuple(sorted(found, key=lambda c: (c.field, c.start, c.end, c.rule, c.relation)))

    def citation(self, iri: str) -> Citation:
        facts = self.facts(iri)
        target = facts.need("rule")
        entry = facts.text("entry")
        return Citation(
            rule=local(target),
            title=self.heading(target),
            relation=cast(Relation, facts.need("relation")),
            field=cast(Field, facts.text("field") or "oracle_text"),
            start=int(facts.need("start")),
            end=int(facts.need("end")),
            quote=facts.need("quote"),
            in_reminder="inReminder" in facts,
            granted="isGranted" in facts,
            conditional="isConditional" in facts,
            entry=local(entry) if entry else "",
        )


class _FileReader(_Reader):
    """Reads the card of a chunk of the files; what many cards share it looks up, and remembers."""

    chunk: Chunk

    def facts(self, iri: str, typed: set[str] | None = None) -> Facts:
        said = self.chunk.said.get(iri)
        if said is None:
            return super().facts(iri, typed)
        facts = Facts()
        for predicate, term in said:
            name = property_name(predicate)
            if typed is not None and term.endswith(_INTEGER):
                typed.add(name)
            facts.setdefault(name, []).append(value(term))
        return facts

    def subjects(self, name: str, iri: str) -> list[str]:
        if name in ("ability", "face"):
            return self.chunk.cited.get((name, iri), [])
        return super().subjects(name, iri)


def _colors(facts: Facts, stated: str, none: str) -> tuple[str, ...] | None:
    """The colors that are stated, or () where it is stated that there is none; else nothing is known."""
    return tuple(sorted(facts[stated])) if facts[stated] or facts[none] else None


def _since(store: Store, facts: Facts) -> Since | None:
    if not store.info.history:
        return None
    return Since(
        rule=facts.need("ruleSince"),
        number=facts.need("numberSince"),
        wording=facts.need("wordingSince"),
        oldest=store.info.history[0],
    )


def _number(iri: str | None) -> str | None:
    return local(iri) if iri else None


def _numbers(iris: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(map(local, iris), key=sort_key))


def _senses(definitions: Iterable[str]) -> tuple[str, ...]:
    """Those of a glossary entry, in the order of their numbers and without these."""
    found = list(definitions)
    if len(found) < 2:
        return tuple(found)
    numbered = sorted((int(number), text) for number, _, text in (sense.partition(". ") for sense in found))
    return tuple(text for _, text in numbered)


def _order(iri: str) -> list[int]:
    """Puts abilities of one face in the order of their numbers: 1.9 before 1.10."""
    return [int(digits) for digits in re.findall(r"\d+", local(iri))]


def _is_keyword(iri: str) -> bool:
    return iri.startswith(PREFIXES["keyword"])
