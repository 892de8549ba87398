"""Records to N-Quads: the shape, that all of it is declared, and that any text survives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardlaw.graph.model import (
    Ability,
    Card,
    Citation,
    Face,
    Keyword,
    Parts,
    Rule,
    Rulebook,
    Term,
    Vocabulary,
)
from cardlaw.graph.nquads import literal, number, quantity
from cardlaw.graph.rulequads import sort_key
from cardlaw.graph.sources import corpus, rulebook
from cardlaw.graph.triples import CARD_LAYERS, card_quads, ontology_quads, rulebook_quads
from cardlaw.graph.words import Words
from cardlaw.ontology.namespaces import MTG, compact, expand

FIXTURE = Path(__file__).parent / "fixtures" / "cards.json"


@dataclass(frozen=True)
class Entry:
    id: str
    relation: str
    anchor: str
    note: str
    rule: str | None


def rules(*rows: tuple[str, str | None, str | None]) -> dict[str, Rule]:
    return {number: Rule(number=number, title=title, parent=parent) for number, title, parent in rows}


RULEBOOK = Rulebook(
    release="2031-05-06",
    rules=rules(
        ("2", "Parts of a Card", None),
        ("205", "Type Line", "2"),
        ("205.4", "Supertypes", "205"),
        ("3", "Card Types", None),
        ("300", "General", "3"),
        ("302", "Creatures", "3"),
        ("304", "Instants", "3"),
        ("307", "Sorceries", "3"),
        ("311", "Planes", "3"),
        ("7", "Additional Rules", None),
        ("701", "Keyword Actions", "7"),
        ("701.9", "Scry", "701"),
        ("702", "Keyword Abilities", "7"),
        ("702.9", "Flying", "702"),
        ("702.29", "Cycling", "702"),
    )
    | {
        "702.29e": Rule(
            number="702.29e",
            parent="702.29",
            text="An invented wording\nwith “marks” and a \\.",
            examples=("An invented example.",),
            references=("701.9",),
        )
    },
    terms=(
        Term(names=("Kicker", "Kicked"), senses=("One.", "Two."), references=("702.29",), see=("Scry",)),
        Term(names=("Scry",), obsolete=True),
    ),
    vocabulary=Vocabulary(
        keywords=(
            Keyword(name="Scry", rule="701.9", action=True),
            Keyword(name="Flying", rule="702.9", nature=("static",)),
            Keyword(name="Cycling", rule="702.29", nature=("activated",)),
            Keyword(name="Typecycling", rule="702.29e", variant_of="Cycling"),
            Keyword(name="Falconcycling", rule="702.29e", variant_of="Typecycling"),
        ),
        subtypes={"creature": ("Time Lord", "Scout"), "spell": ("Arcane",), "planar": ("Serra’s Library",)},
    ),
)
ENTRIES = (
    Entry("action.scry", "keyword_action", "701 Scry", "A verb.", "701.9"),
    Entry("x", "zone", "y", "", None),
)

TEXT = 'Flying\nScry 1, "flying" (Scry.)\nFalconcycling {2}'


def cite(rule: str, relation: str, quote: str, **flags: bool) -> Citation:
    start = TEXT.casefold().index(quote.casefold())
    return Citation(
        rule=rule,
        title=None,
        relation=relation,  # type: ignore[arg-type]
        field="oracle_text",
        start=start,
        end=start + len(quote),
        quote=quote,
        entry="action.scry",
        **flags,
    )


CARD = Card(
    name="Brindle Falconer",
    slug="brindle-falconer",
    layout="normal",
    color_identity=("W",),
    keywords=("Flying", "Scry"),
    oracle_id="00000000-0000-0000-0000-000000000001",
    faces=(
        Face(
            name="Brindle Falconer",
            oracle_text=TEXT,
            type_line="Legendary Creature — Time Lord Blurp",
            mana_cost="{1}{HW}",
            mana_value=1.5,
            colors=("W",),
            power="2",
            toughness="1+*",
            abilities=(
                Ability(
                    id="1.1",
                    parent=None,
                    kind="keyword",
                    text="Flying",
                    start=0,
                    end=6,
                    keyword="flying",
                    citations=(cite("702.9", "has_keyword", "Flying"),),
                ),
                Ability(
                    id="1.2",
                    parent=None,
                    kind="triggered/mana",
                    text='Scry 1, "flying"',
                    start=7,
                    end=23,
                    ability_word="Hoot",
                    parts=Parts(cost=(7, 11), effect=(12, 13), modes=((7, 8), (9, 10))),
                    citations=(
                        cite("701.9", "keyword_action", "Scry", conditional=True),
                        cite("702.9", "mentions_keyword", "Flying", in_reminder=True),
                        cite("701.9", "defined_term", "Scry", in_reminder=True),
                    ),
                ),
                Ability(
                    id="1.2.1",
                    parent="1.2",
                    kind="static",
                    text="flying",
                    start=16,
                    end=22,
                    granted=True,
                    citations=(cite("702.9", "grants_keyword", "flying", granted=True),),
                ),
                Ability(
                    id="1.3",
                    parent=None,
                    kind="keyword",
                    text="Falconcycling {2}",
                    start=32,
                    end=49,
                    keyword="Falconcycling",
                    parameters={"cost": "{2}", "number": 2, "quality": "Falcon"},
                    citations=(cite("702.29e", "has_keyword", "Falconcycling {2}"),),
                ),
            ),
            citations=(
                Citation(
                    rule="302",
                    title="Creatures",
                    relation="card_type",
                    field="type_line",
                    start=10,
                    end=18,
                    quote="Creature",
                ),
            ),
        ),
        Face(name="Unread Half", number=2),
    ),
)


def parsed(lines: Iterable[str]) -> list[ox.Quad]:
    """The quads of the lines, read strictly."""
    return list(ox.parse("".join(lines), ox.RdfFormat.N_QUADS))


def short(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> str:
    if isinstance(term, ox.NamedNode):
        return compact(term.value)
    assert isinstance(term, ox.Literal)
    return term.value


def statements(lines: Iterable[str]) -> set[tuple[str, str, str]]:
    return {(short(q.subject), short(q.predicate), short(q.object)) for q in parsed(lines)}


def everything() -> Iterator[str]:
    yield from ontology_quads()
    yield from rulebook_quads(RULEBOOK, ENTRIES)
    for card in (CARD, *corpus.read(FIXTURE)):
        for lines in card_quads(card, RULEBOOK).values():
            yield from lines


def about(layer: str, subject: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for s, p, o in statements(card_quads(CARD, RULEBOOK)[layer]):
        if s == subject:
            found.setdefault(p, set()).add(o)
    return found


def test_the_card() -> None:
    assert about("cards", "card:brindle-falconer") == {
        "rdf:type": {"mtg:Card"},
        "rdfs:label": {"Brindle Falconer"},
        "mtg:oracleId": {"00000000-0000-0000-0000-000000000001"},
        "mtg:colorIdentity": {"W"},
        "mtg:sourceKeyword": {"Flying", "Scry"},
        "mtg:hasFace": {"face:brindle-falconer.1", "face:brindle-falconer.2"},
    }
    assert about("abilities", "card:brindle-falconer") == {
        "mtg:citesRule": {"rule:302", "rule:701.9", "rule:702.9", "rule:702.29e"},
        "mtg:hasKeyword": {"keyword:flying", "keyword:falconcycling"},
        "mtg:grantsKeyword": {"keyword:flying"},
    }


def test_the_face() -> None:
    assert about("cards", "face:brindle-falconer.1") == {
        "rdf:type": {"mtg:Face"},
        "rdfs:label": {"Brindle Falconer"},
        "mtg:faceNumber": {"1"},
        "mtg:typeLine": {"Legendary Creature — Time Lord Blurp"},
        "mtg:hasType": {"type:legendary", "type:creature", "type:time-lord", "type:blurp"},
        "mtg:manaCost": {"{1}{HW}"},
        "mtg:manaValue": {"1.5"},
        "mtg:color": {"W"},
        "mtg:power": {"2"},
        "mtg:toughness": {"1+*"},
        "mtg:oracleText": {TEXT},
    }
    assert about("cards", "type:blurp") == {"rdf:type": {"mtg:Type"}, "rdfs:label": {"Blurp"}}
    assert about("abilities", "face:brindle-falconer.1") == {
        "mtg:hasAbility": {f"ability:brindle-falconer.{n}" for n in ("1.1", "1.2", "1.2.1", "1.3")},
        "mtg:invokes": {"rule:302"},
        "mtg:invokesAsCardType": {"rule:302"},
    }


def test_a_missing_face_has_its_name_and_no_more() -> None:
    assert about("cards", "face:brindle-falconer.2") == {
        "rdf:type": {"mtg:Face"},
        "rdfs:label": {"Unread Half"},
        "mtg:faceNumber": {"2"},
    }


def test_abilities() -> None:
    assert about("abilities", "ability:brindle-falconer.1.2") == {
        "rdf:type": {"mtg:TriggeredManaAbility"},
        "rdfs:label": {'Scry 1, "flying"'},
        "mtg:start": {"7"},
        "mtg:abilityWord": {"Hoot"},
        "mtg:costSpan": {"char=7,11"},
        "mtg:effectSpan": {"char=12,13"},
        "mtg:modeSpan": {"char=7,8", "char=9,10"},
        "mtg:invokes": {"rule:701.9"},
        "mtg:invokesAsKeywordAction": {"rule:701.9"},
    }
    granted = about("abilities", "ability:brindle-falconer.1.2.1")
    assert granted["mtg:partOf"] == {"ability:brindle-falconer.1.2"}
    assert granted["mtg:granted"] == {"true"}
    assert granted["mtg:grantsKeyword"] == {"keyword:flying"}
    keyword = about("abilities", "ability:brindle-falconer.1.3")
    assert keyword["rdf:type"] == {"mtg:KeywordInstance"}
    assert keyword["mtg:keyword"] == keyword["mtg:hasKeyword"] == {"keyword:falconcycling"}
    assert keyword["mtg:keywordCost"] == {"{2}"}
    assert keyword["mtg:keywordNumber"] == {"2"}
    assert keyword["mtg:keywordQuality"] == {"Falcon"}


def test_a_keyword_that_the_rulebook_does_not_have_keeps_its_name() -> None:
    ability = replace(CARD.faces[0].abilities[0], keyword="To solve", citations=())
    card = replace(CARD, faces=(replace(CARD.faces[0], abilities=(ability,)),))
    found = statements(card_quads(card, RULEBOOK)["abilities"])
    assert ("ability:brindle-falconer.1.1", "mtg:keywordName", "To solve") in found
    assert not [s for s in found if s[1] == "mtg:keyword"]


def test_citations() -> None:
    assert about("evidence", "citation:brindle-falconer.1.2.c701.9-keyword-action") == {
        "rdf:type": {"mtg:Citation"},
        "mtg:rule": {"rule:701.9"},
        "mtg:ability": {"ability:brindle-falconer.1.2"},
        "mtg:relation": {"keyword_action"},
        "mtg:start": {"7"},
        "mtg:end": {"11"},
        "mtg:quote": {"Scry"},
        "mtg:entry": {"entry:action.scry"},
        "mtg:isConditional": {"true"},
    }
    assert about("evidence", "citation:brindle-falconer.1.c302-card-type") == {
        "rdf:type": {"mtg:Citation"},
        "mtg:rule": {"rule:302"},
        "mtg:face": {"face:brindle-falconer.1"},
        "mtg:field": {"type_line"},
        "mtg:relation": {"card_type"},
        "mtg:start": {"10"},
        "mtg:end": {"18"},
        "mtg:quote": {"Creature"},
    }
    assert about("evidence", "citation:brindle-falconer.1.2.c702.9-mentions-keyword")["mtg:inReminder"] == {
        "true"
    }
    assert about("evidence", "citation:brindle-falconer.1.2.1.c702.9-grants-keyword")["mtg:isGranted"] == {
        "true"
    }


def test_the_rulebook() -> None:
    found = statements(rulebook_quads(RULEBOOK, ENTRIES))
    assert {
        ("rule:702.29", "rdfs:label", "702.29 Cycling"),
        ("rule:702.29e", "rdfs:label", "702.29e"),
        ("rule:702.29e", "mtg:sortKey", "702.029e"),
        ("rule:702.29e", "mtg:level", "subrule"),
        ("rule:702.29e", "skos:broader", "rule:702.29"),
        ("rule:702.29e", "skos:definition", "An invented wording\nwith “marks” and a \\."),
        ("rule:702.29e", "mtg:example", "An invented example."),
        ("rule:702.29e", "mtg:refersTo", "rule:701.9"),
        ("rule:702.29e", "prov:specializationOf", "cr:2031-05-06.702.29e"),
        ("cr:2031-05-06.702.29e", "skos:inScheme", "cr:2031-05-06"),
        ("cr:2031-05-06", "dcterms:issued", "2031-05-06"),
        ("term:kicker", "skos:altLabel", "Kicked"),
        ("term:kicker", "skos:definition", "2. Two."),
        ("term:kicker", "rdfs:seeAlso", "term:scry"),
        ("term:scry", "mtg:obsolete", "true"),
        ("keyword:scry", "rdf:type", "mtg:KeywordAction"),
        ("keyword:flying", "rdf:type", "mtg:KeywordAbility"),
        ("keyword:flying", "mtg:definedBy", "rule:702.9"),
        ("keyword:flying", "mtg:nature", "static"),
        ("keyword:falconcycling", "skos:broader", "keyword:typecycling"),
        ("type:creature", "mtg:definedBy", "rule:302"),
        ("type:sorcery", "rdf:type", "mtg:CardType"),
        ("type:legendary", "rdf:type", "mtg:Supertype"),
        ("type:time-lord", "mtg:subtypeOf", "type:creature"),
        ("type:arcane", "mtg:subtypeOf", "type:instant"),
        ("type:serras-library", "mtg:subtypeOf", "type:plane"),
        ("entry:action.scry", "mtg:resolvesTo", "rule:701.9"),
        ("entry:action.scry", "rdfs:comment", "A verb."),
    } <= found
    assert not [s for s in found if s[0] == "type:general"]
    assert {s[2] for s in found if s[1] == "mtg:level"} == {"chapter", "section", "rule", "subrule"}


def test_a_variant_that_shares_its_rule_is_told_by_the_quote() -> None:
    words = Words.of(RULEBOOK)
    assert words.keyword_of("702.29e", "falconcycling") == f"<{expand('keyword:falconcycling')}>"
    assert words.keyword_of("702.29e", "owlcycling") == f"<{expand('keyword:typecycling')}>"
    assert words.keyword_of("702.29b", "cycling") == f"<{expand('keyword:cycling')}>"
    assert words.keyword_of("603.6a", "enters") is None


def test_all_that_follows_the_dash_on_a_plane_is_one_type() -> None:
    words = Words.of(RULEBOOK)
    assert [word.name for word in words.types("Plane — Serra's Library")] == ["Plane", "Serra's Library"]
    assert [word.name for word in words.types("Creature — Scout Time Lord")] == [
        "Creature",
        "Scout",
        "Time Lord",
    ]
    assert words.types("") == words.types(" — ") == ()


def test_rules_sort_in_the_order_of_the_book() -> None:
    book = [
        "1",
        "100",
        "100.1",
        "100.1a",
        "100.2",
        "100.10",
        "100.10z",
        "100.10aa",
        "101",
        "2",
        "702",
        "702.9",
    ]
    assert sorted(book, key=sort_key) == book


def test_every_term_in_the_data_is_declared() -> None:
    quads = parsed(everything())
    declared = {q.subject.value for q in parsed(ontology_quads()) if isinstance(q.subject, ox.NamedNode)}
    builtin = tuple(expand(f"{prefix}:") for prefix in ("rdf", "rdfs", "owl"))
    used = {q.predicate.value for q in quads}
    used |= {q.object.value for q in quads if q.predicate.value == expand("rdf:type")}  # type: ignore[union-attr]
    assert {term for term in used if term not in declared and not term.startswith(builtin)} == set()
    assert len({term for term in used if term.startswith(MTG)}) > 70


def test_subjects_and_objects_are_of_the_declared_classes() -> None:
    store = ox.Store()
    store.extend(parsed(everything()))
    for side, node in (("domain", "?s"), ("range", "?o")):
        wrong = store.query(
            f"""SELECT DISTINCT ?p {node} WHERE {{
                  ?p a owl:ObjectProperty ; rdfs:{side} ?class . FILTER(STRSTARTS(STR(?p), "{MTG}"))
                  ?s ?p ?o . {node} a ?any . FILTER(!STRSTARTS(STR(?any), STR(owl:)))
                  FILTER NOT EXISTS {{ {node} a/rdfs:subClassOf* ?class }} }}""",
            use_default_graph_as_union=True,
            prefixes={"owl": expand("owl:"), "rdfs": expand("rdfs:")},
        )
        assert isinstance(wrong, ox.QuerySolutions)
        assert [str(row) for row in wrong] == []


def test_every_node_has_a_label() -> None:
    quads = parsed(everything())
    labels = {expand("rdfs:label"), expand("mtg:quote")}
    labelled = {q.subject for q in quads if q.predicate.value in labels}
    assert {q.subject for q in quads if isinstance(q.subject, ox.NamedNode)} - labelled <= {
        ox.NamedNode(subject) for subject in external_terms()
    }


def external_terms() -> set[str]:
    return {
        q.subject.value
        for q in parsed(ontology_quads())
        if isinstance(q.subject, ox.NamedNode) and not q.subject.value.startswith(expand("mtg:"))
    }


def test_lines_are_sorted_distinct_and_the_same_each_time() -> None:
    doubled = replace(CARD, keywords=("Scry", "Flying", "Flying"))
    first = card_quads(CARD, RULEBOOK)
    for lines in (*first.values(), list(rulebook_quads(RULEBOOK)), list(ontology_quads())):
        assert lines == sorted(set(lines))
        assert all(line.endswith(" .\n") for line in lines)
    assert tuple(first) == CARD_LAYERS
    assert card_quads(doubled, replace(RULEBOOK)) == first
    for layer, lines in first.items():
        assert {q.graph_name for q in parsed(lines)} <= {ox.NamedNode(expand(f"layer:{layer}"))}
    assert list(ontology_quads()) == list(ontology_quads())


@given(st.text())
def test_any_text_survives(text: str) -> None:
    ability = replace(CARD.faces[0].abilities[0], text=text, ability_word=text, parameters={"cost": text})
    citation = replace(CARD.faces[0].citations[0], quote=text)
    face = replace(CARD.faces[0], name=text, oracle_text=text, mana_cost=text, type_line=text, power=text)
    card = replace(
        CARD,
        name=text,
        layout=text,
        keywords=(text,),
        faces=(replace(face, abilities=(ability,), citations=(citation,)),),
    )
    lines = card_quads(card, RULEBOOK)
    assert all(line.count("\n") == 1 and "\r" not in line for chunk in lines.values() for line in chunk)
    found = {layer: statements(chunk) for layer, chunk in lines.items()}
    for name in ("oracleText", "manaCost", "typeLine", "power"):
        assert ("face:brindle-falconer.1", f"mtg:{name}", text) in found["cards"]
    assert ("card:brindle-falconer", "rdfs:label", text) in found["cards"]
    assert ("card:brindle-falconer", "mtg:sourceKeyword", text) in found["cards"]
    assert ("ability:brindle-falconer.1.1", "rdfs:label", text) in found["abilities"]
    assert ("ability:brindle-falconer.1.1", "mtg:keywordCost", text) in found["abilities"]
    assert ("citation:brindle-falconer.1.c302-card-type", "mtg:quote", text) in found["evidence"]


@given(st.text(alphabet="0123456789.-+*½"))
def test_quantities_come_back_from_a_store_as_they_were_written(text: str) -> None:
    store = ox.Store()
    store.load(f"<x:s> <x:p> {quantity(text)} .", ox.RdfFormat.N_TRIPLES)
    ((term,),) = [[quad.object] for quad in store]
    assert isinstance(term, ox.Literal)
    assert term.value == text


@pytest.mark.parametrize(
    ("text", "datatype"),
    [("3", "integer"), ("-1", "integer"), ("0", "integer"), ("2.5", "decimal")]
    + [(text, "string") for text in ("*", "1+*", "+1", "-0", ".5", "2.50", "∞", "X", "", "٣")],
)
def test_quantities_are_numbers_where_they_are(text: str, datatype: str) -> None:
    (quad,) = ox.parse(f"<x:s> <x:p> {quantity(text)} .", ox.RdfFormat.N_TRIPLES)
    assert isinstance(quad.object, ox.Literal)
    assert quad.object.datatype.value == expand(f"xsd:{datatype}")


def test_numbers_and_controls() -> None:
    assert number(4.0).startswith('"4"^^')
    assert number(0.5).startswith('"0.5"^^')
    assert literal('a"b\\c\n\t\x00é') == '"a\\"b\\\\c\\n\\t\\u0000é"'


@pytest.mark.real
def test_the_real_rulebook_and_cards(real_data: Path, corpus_path: Path) -> None:
    real = rulebook.read(real_data / "rules" / "2026-01-16.txt")
    lines = list(rulebook_quads(real))
    cards = [card for at, card in enumerate(corpus.read(corpus_path)) if at % 20 == 0]
    for card in cards:
        lines += [line for chunk in card_quads(card, real).values() for line in chunk]
    quads = parsed(lines)
    kinds = Counter(q.object for q in quads if q.predicate.value == expand("rdf:type"))
    counted = {short(kind): count for kind, count in kinds.items() if isinstance(kind, ox.NamedNode)}
    assert counted["mtg:Rule"] == counted["mtg:RuleVersion"] == 3_269
    assert counted["mtg:Term"] == 725
    assert counted["mtg:CardType"] == 15
    assert counted["mtg:Card"] == len(cards) == 1_729
    refers = {q for q in quads if short(q.predicate) == "mtg:refersTo" and "/rule/" in str(q.subject)}
    assert len(refers) == 1_314  # 1,307 between rules, 7 to chapters
