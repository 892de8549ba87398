"""Single citations that a file removes or adds: what it does, its faults, and what the graph says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardlaw.graph import chunks, read
from cardlaw.graph.build import build
from cardlaw.graph.errors import CorrectionsError
from cardlaw.graph.linking import Corrections, Linker, correct, place, read_corrections
from cardlaw.graph.linking.corrections import Addition, Corrected, Removal
from cardlaw.graph.model import Card, Face, Rulebook
from cardlaw.graph.network import card_rule_graph
from cardlaw.graph.sources import outline
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import expand

CARDS = Path(__file__).parent / "fixtures" / "cards.json"

REMOVE = """
[[remove]]
card = "Lantern Fox"
rule = "118.12"
reason = "nothing is paid"
"""
ADD = """
[[add]]
card = "Lantern Fox"
ability = "1.2"
rule = "603.5"
relation = "ability_kind"
quote = "you may"
reason = "optional when it resolves"
"""
TEXT = (
    "Flying\nWhenever Lantern Fox attacks, you may sacrifice an artifact. (You may decline.) "
    "If you do, draw a card."
)


@pytest.fixture(scope="module")
def rulebook() -> Rulebook:
    return outline.load()


@pytest.fixture(scope="module")
def linker(rulebook: Rulebook) -> Linker:
    return Linker(rulebook)


@pytest.fixture(scope="module")
def fox(linker: Linker) -> Card:
    face = Face(name="Lantern Fox", type_line="Creature — Fox", oracle_text=TEXT)
    return linker.link_card(Card(name="Lantern Fox", slug="lantern-fox", layout="normal", faces=(face,)))


@pytest.fixture(scope="module")
def pair(linker: Linker) -> Card:
    """A card of two faces that read alike."""
    faces = (
        Face(name="Wick", number=1, type_line="Instant", oracle_text="Draw a card."),
        Face(name="Lantern", number=2, type_line="Instant", oracle_text="Draw a card."),
    )
    return linker.link_card(Card(name="Wick // Lantern", slug="wick-lantern", layout="split", faces=faces))


def said(path: Path, text: str, rulebook: Rulebook) -> Corrections:
    file = path / "mine.toml"
    file.write_text(f'release = "{rulebook.release}"\n{text}', encoding="utf-8")
    return read_corrections(file, rulebook)


def removal(**fields: str) -> Removal:
    return Removal(**{"card": "Lantern Fox", "rule": "121", "reason": "no"} | fields)


def addition(**fields: str) -> Addition:
    given = {"card": "Lantern Fox", "ability": "1.2", "rule": "603.5", "relation": "ability_kind"}
    return Addition(title="Heading", **given | {"quote": "you may", "reason": "yes"} | fields)


def cited(card: Card) -> list[tuple[str, str, str]]:
    """(ability or face, rule, relation) of every citation."""
    return [
        (holder, c.rule, c.relation)
        for face in card.faces
        for holder, citations in (
            (str(face.number), face.citations),
            *((ability.id, ability.citations) for ability in face.abilities),
        )
        for c in citations
    ]


def gone(before: Card, after: Corrected) -> set[tuple[str, str, str]]:
    """What a removal took out, which is also what it says that it did."""
    taken = set(cited(before)) - set(cited(after.card))
    assert taken == {(r.holder, r.citation.rule, r.citation.relation) for r in after.removed}
    assert set(cited(after.card)) < set(cited(before)) or not taken
    return taken


def test_a_citation_is_removed(fox: Card) -> None:
    after = correct(fox, [removal(rule="118.12")])
    assert gone(fox, after) == {("1.2", "118.12", "cost")}
    assert (after.removed[0].reason, after.removed[0].citation.quote) == ("no", "sacrifice")
    assert after.done == (removal(rule="118.12"),)
    assert not after.missed


def test_a_removal_can_be_for_one_ability_one_relation_or_one_face(fox: Card, pair: Card) -> None:
    assert gone(fox, correct(fox, [removal(rule="302")])) == {("1", "302", "card_type")}
    assert gone(fox, correct(fox, [removal(rule="302", ability="1")])) == {("1", "302", "card_type")}
    both = {("1.1", "121", "defined_term"), ("2.1", "121", "defined_term")}
    assert gone(pair, correct(pair, [removal(card="Wick // Lantern")])) == both
    assert gone(pair, correct(pair, [removal(card="card:wick-lantern")])) == both
    second = {("2.1", "121", "defined_term")}
    assert gone(pair, correct(pair, [removal(card="Lantern")])) == second
    assert gone(pair, correct(pair, [removal(card="Wick // Lantern", ability="2.1")])) == second
    for fields in ({"ability": "1.1"}, {"relation": "cost"}, {"rule": "702"}, {"ability": "1.22"}):
        after = correct(fox, [removal(**fields)])
        assert (after.card, after.removed, after.done) == (fox, (), ())
        assert list(after.missed.values()) == ["there is no such citation"]


def test_a_citation_is_added_at_the_first_place_of_its_words(fox: Card) -> None:
    after = correct(fox, [addition()])
    assert set(cited(after.card)) - set(cited(fox)) == {("1.2", "603.5", "ability_kind")}
    citations = after.card.faces[0].abilities[1].citations
    (made,) = [c for c in citations if c.rule == "603.5"]
    assert (made.start, TEXT[made.start : made.end]) == (TEXT.index("you may"), "you may")
    assert (made.title, made.in_reminder, made.granted) == ("Heading", False, False)
    assert made.entry == "correction.lantern-fox.1.2.603.5-ability-kind"
    assert list(citations) == sorted(citations, key=lambda c: (c.start, c.end, c.rule, c.relation))


def test_words_of_reminder_text_alone_are_told_as_such(fox: Card) -> None:
    (made,) = [
        c
        for c in correct(fox, [addition(quote="decline")]).card.faces[0].abilities[1].citations
        if c.rule == "603.5"
    ]
    assert made.in_reminder


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"quote": "You must"}, "the words “You must” do not stand in that ability"),
        ({"quote": "Flying"}, "the words “Flying” do not stand in that ability"),
        ({"ability": "1.3"}, "there is no such ability"),
        ({"ability": "2.1"}, "there is no such ability"),
        ({"rule": "603"}, "it is there already; remove it first if its words are wrong"),
    ],
)
def test_an_addition_that_does_not_fit_changes_nothing(fox: Card, fields: dict[str, str], why: str) -> None:
    after = correct(fox, [addition(**fields)])
    assert (after.card, after.done, after.missed) == (fox, (), {addition(**fields): why})


def test_a_citation_can_be_put_in_again_with_other_words(
    fox: Card, rulebook: Rulebook, tmp_path: Path
) -> None:
    again = ADD.replace("603.5", "118.12").replace("ability_kind", "cost").replace("you may", "If you do")
    listed = said(tmp_path, again + REMOVE, rulebook).listed
    assert [type(each) for each in listed] == [Removal, Addition]
    after = correct(fox, listed)
    assert sorted(cited(after.card)) == sorted(cited(fox))
    (made,) = [c for c in after.card.faces[0].abilities[1].citations if c.rule == "118.12"]
    assert made.quote == "If you do"


def test_names_are_of_cards_then_of_faces_and_tokens_only_go_by_their_node(
    fox: Card, pair: Card, rulebook: Rulebook, tmp_path: Path
) -> None:
    token = "00000000-0000-0000-0000-000000000001"
    lamp = Card(name="Lantern", slug="lantern", layout="normal", faces=(Face(name="Lantern"),))
    copy = Card(name="Wick", slug=token, layout="token", faces=(Face(name="Wick"),))
    names = ["lantern FOX", "Lantern", "Wick", f"token:{token}", "card:wick-lantern", "Nobody", "card:x"]
    text = "".join(REMOVE.replace("Lantern Fox", name) for name in names)
    placed, nowhere = place(said(tmp_path, text, rulebook), [copy, fox, pair, lamp])
    assert {slug: [each.card for each in found] for slug, found in placed.items()} == {
        "lantern-fox": ["lantern FOX"],
        "lantern": ["Lantern"],
        "wick-lantern": ["Wick", "card:wick-lantern"],
        token: [f"token:{token}"],
    }
    assert nowhere == [
        "mine.toml: cannot remove 118.12 of “Nobody”: no card here is called so",
        "mine.toml: cannot remove 118.12 of “card:x”: no card here is called so",
    ]


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[[add]]", "[[add", "is not TOML"),
        ("[[add]]", "[[more]]", r"unknown more; it holds release, \[\[remove\]\] and \[\[add\]\]"),
        ("[[add]]", "[add]", r"add must be tables, \[\[add\]\]"),
        ("quote", "qoute", "add 1: unknown field qoute"),
        ('reason = "optional when it resolves"', "", "add 1: reason is missing"),
        ("optional when it resolves", " ", "add 1: reason is missing"),
        ('"603.5"', "603.5", 'add 1: rule must be text, between quotation marks: rule = "603.5"'),
        ("603.5", "603.555", "add 1: the rules of 2026-01-16 have no rule 603.555"),
        ("ability_kind", "kind", "add 1: unknown relation 'kind', it can be has_keyword"),
        ('"1.2"', '"second"', "add 1: 'second' is no ability"),
        ('"1.2"', '"1"', "add 1: '1' is no ability"),
    ],
)
def test_a_fault_is_told_in_one_line(
    old: str, new: str, told: str, rulebook: Rulebook, tmp_path: Path
) -> None:
    assert old in ADD
    with pytest.raises(CorrectionsError, match=rf"^mine\.toml.*{told}") as error:
        said(tmp_path, ADD.replace(old, new), rulebook)
    assert "\n" not in str(error.value)


def test_what_says_the_same_twice_is_told(rulebook: Rulebook, tmp_path: Path) -> None:
    with pytest.raises(CorrectionsError, match="remove 2: another one says the same"):
        said(tmp_path, REMOVE + REMOVE.replace("nothing", "something"), rulebook)
    with pytest.raises(CorrectionsError, match="add 2: another one says the same"):
        said(tmp_path, ADD + ADD.replace("you may", "may"), rulebook)


def test_a_file_speaks_of_one_release(rulebook: Rulebook, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ADD)
    with pytest.raises(CorrectionsError, match=r'release is missing.*release = "2026-01-16"'):
        read_corrections(file, rulebook)
    file.write_text('release = "2025-11-14"\n' + ADD)
    with pytest.raises(
        CorrectionsError, match="speaks of the rules of 2025-11-14, but these are of 2026-01-16"
    ):
        read_corrections(file, rulebook)
    file.write_text("release = 2026-01-16\n" + ADD)  # TOML has dates
    assert len(read_corrections(file, rulebook).listed) == 1


def test_a_file_that_cannot_be_read_is_told(rulebook: Rulebook, tmp_path: Path) -> None:
    with pytest.raises(CorrectionsError, match="holds no correction"):
        said(tmp_path, "", rulebook)
    with pytest.raises(CorrectionsError, match=r"cannot read the corrections .*none"):
        read_corrections(tmp_path / "none", rulebook)
    (tmp_path / "mine.toml").write_bytes(b"\xff")
    with pytest.raises(CorrectionsError, match="is no UTF-8 text"):
        read_corrections(tmp_path / "mine.toml", rulebook)


# -- in the graph ------------------------------------------------------------------------------------

FALCONER = """
[[remove]]
card = "Brindle Falconer"
rule = "508"
reason = "we leave attacks out"

[[remove]]
card = "Brindle Falconer"
rule = "702.20"
reason = "its words were too few"

[[remove]]
card = "Brindle Falconer"
rule = "118.12"
reason = "not there"

[[add]]
card = "Brindle Falconer"
ability = "1.2"
rule = "702.20"
relation = "has_keyword"
quote = "vigil"
reason = "fewer words"

[[add]]
card = "Brindle Falconer"
ability = "1.3"
rule = "603.2"
relation = "trigger_event"
quote = "attacks"
reason = "it triggers by itself"

[[add]]
card = "Nobody"
ability = "1.1"
rule = "603.2"
relation = "trigger_event"
quote = "attacks"
reason = "nothing"
"""


def asked(store: Store, names: str, pattern: str) -> list[tuple[str, ...]]:
    """The values of some variables, nodes by their local names."""
    rows = store.query(f"SELECT {names} WHERE {{ {pattern} }}")
    return sorted(tuple(value.value.rpartition("/")[2] for value in row) for row in rows)  # type: ignore[union-attr]


def test_the_graph_says_what_was_corrected_and_why(
    rulebook: Rulebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(tmp_path, FALCONER, rulebook)
    monkeypatch.setattr(chunks, "CHUNK", 3)
    plain = build(cards=[CARDS], store=tmp_path / "0", workers=1)
    for workers in (1, 2):
        store = tmp_path / str(workers)
        summary = build(cards=[CARDS], corrections=tmp_path / "mine.toml", store=store, workers=workers)
    assert (summary.counts["citations removed"], summary.counts["citations added"]) == (2, 2)
    assert summary.counts["citations"] == plain.counts["citations"]
    assert [(s.role, s.name) for s in summary.sources][1] == ("corrections", "mine.toml")
    assert sorted(summary.warnings) == [
        "mine.toml: cannot add 603.2 (trigger_event) of “Nobody” 1.1: no card here is called so",
        "mine.toml: cannot remove 118.12 of “Brindle Falconer”: there is no such citation",
    ]
    with (
        open_store(tmp_path / "1") as one,
        open_store(tmp_path / "2") as two,
        open_store(tmp_path / "0") as was,
    ):
        assert b"".join(one.dump()) == b"".join(two.dump())
        added = asked(
            two,
            "?citation ?quote ?reason ?file",
            "?citation a mtg:Citation ; mtg:rule rule:603.2 ; mtg:quote ?quote ; mtg:entry ?entry . "
            "?entry a mtg:Addition ; rdfs:comment ?reason ; prov:wasDerivedFrom/rdfs:label ?file",
        )
        name = "brindle-falconer.1.3.c603.2-trigger-event"
        assert added == [(name, "attacks", "it triggers by itself", "mine.toml")]
        removed = asked(
            two,
            "?ability ?relation ?quote ?reason ?file ?entry",
            "GRAPH layer:evidence { ?removal mtg:removedRule rule:508 ; prov:used/rdfs:label ?file ;"
            " mtg:removedFrom ?ability ; mtg:relation ?relation ; mtg:quote ?quote ; rdfs:comment ?reason ;"
            " mtg:removedEntry ?entry }",
        )
        ((*facts, entry),) = removed
        reason = "we leave attacks out"
        assert facts == ["brindle-falconer.1.3", "trigger_event", "attacks", reason, "mine.toml"]
        # What was removed is nowhere a citation, nor counted; what was put in again is no longer invalid.
        name = "brindle-falconer.1.3.c508-trigger-event"
        assert asked(two, "?citation", "?removal prov:invalidated ?citation") == [(name,)]
        assert asked(was, "?e", f"<{expand('citation:')}{name}> mtg:entry ?e") == [(entry,)]
        assert not asked(two, "?p", f"<{expand('citation:')}{name}> ?p ?o")
        assert not asked(two, "?p", f"<{expand('ability:')}brindle-falconer.1.3> ?p rule:508")
        assert read.rule(two, "508").card_count == read.rule(was, "508").card_count - 1
        assert read.rule(two, "603.2").card_count == read.rule(was, "603.2").card_count + 1
        ties = card_rule_graph(two)
        assert "rule:603.2" in ties["card:brindle-falconer"]
        assert "rule:508" not in ties["card:brindle-falconer"]
        # Read back, the citations are those that were written, with their reasons as notes.
        (third,) = [a for a in read.card(two, "Brindle Falconer").faces[0].abilities if a.id == "1.3"]
        (made,) = [c for c in third.citations if c.rule == "603.2"]
        assert read.notes(two)[made.entry] == "it triggers by itself"


def test_every_term_and_node_of_a_correction_is_declared_and_labeled(
    rulebook: Rulebook, tmp_path: Path
) -> None:
    said(tmp_path, FALCONER, rulebook)
    build(cards=[CARDS], corrections=tmp_path / "mine.toml", store=tmp_path / "store", workers=1)
    with open_store(tmp_path / "store") as store:
        corrections = "{ ?s a mtg:Removal } UNION { ?s a mtg:Addition }"
        used = {p for (p,) in asked(store, "DISTINCT ?p", f"{corrections} ?s ?p ?o")}
        assert {"ontology#removedRule", "ontology#removedFrom", "prov#used", "prov#invalidated"} <= used
        declared = "GRAPH layer:ontology { ?p a ?kind }"
        builtin = 'REGEX(STR(?p), "/(rdf-schema|22-rdf-syntax-ns)#")'
        assert not asked(
            store, "?p", f"{corrections} ?s ?p ?o FILTER(!{builtin} && !EXISTS {{ {declared} }})"
        )
        labeled = "{ ?s rdfs:label ?label } UNION { ?s mtg:quote ?label }"
        assert not asked(store, "?s", f"{corrections} FILTER NOT EXISTS {{ {labeled} }}")
        for name, node in (("domain", "?s"), ("range", "?o")):
            wrong = (
                f"{corrections} ?s ?p ?o . ?p rdfs:{name} ?class ; a owl:ObjectProperty "
                f"FILTER NOT EXISTS {{ {node} a/rdfs:subClassOf* ?class }}"
            )
            assert not asked(store, f"?p {node}", wrong)
