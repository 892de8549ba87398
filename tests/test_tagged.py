"""Tags in the graph: in layers of their own, proven, and the same when they are read back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardlaw.exports.jsonform import form
from cardlaw.exports.keywordpage import TagPage
from cardlaw.exports.links import SERVED
from cardlaw.exports.passages import Book
from cardlaw.exports.recordpage import page_of, shown_html
from cardlaw.exports.tagtext import label, tag_form, tag_pieces
from cardlaw.graph import read
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Face
from cardlaw.graph.queries import load_query
from cardlaw.graph.search import index
from cardlaw.graph.sources import outline
from cardlaw.graph.store import Store, open_store
from cardlaw.graph.tagged import card_tags
from cardlaw.graph.tagging import Tag, Tagger
from cardlaw.graph.tagquads import facet_quads, tag_lines
from cardlaw.ontology.namespaces import expand

NAMES = ("payoffs-for-theme", "enablers-without-payoff", "rare-pairs-of-tags")


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def linked(linker: Linker, text: str) -> Card:
    face = Face(
        name="Lamp Imp", type_line="Creature — Imp", oracle_text=text, mana_cost="{X}{B}", mana_value=1.0
    )
    return linker.link_card(Card(name="Lamp Imp", slug="lamp-imp", layout="normal", faces=(face,)))


def short(lines: list[str]) -> list[str]:
    base = "https://w3id.org/cardlaw/"
    return [line.replace(base, "").rpartition(" <layer")[0] for line in lines]


def test_the_quads_of_a_card(linker: Linker) -> None:
    card = linked(linker, "When this creature dies, draw a card.")
    lines = tag_lines(card, Tagger(linker.lexicon.terms)(card), linker.rulebook)
    assert {
        "<card/lamp-imp> <ontology#hasTag> <tag/ability.draw>",
        "<card/lamp-imp> <ontology#hasTag> <tag/mana-cost.variable>",
        "<citation/lamp-imp.1.1.c121-defined-term> <ontology#provesTag> <tag/ability.draw>",
    } <= set(short(lines["tags"]))
    node = "<inference/lamp-imp.theme.sacrifice.payoff>"
    assert [line for line in short(lines["themes"]) if line.startswith(node)] == [
        f"{node} <http://www.w3.org/ns/prov#wasDerivedFrom> <tag/timing.on-dying>",
        f"{node} <ontology#about> <card/lamp-imp>",
        f"{node} <ontology#concludes> <tag/theme.sacrifice.payoff>",
    ]
    assert lines["tags"] == sorted(set(lines["tags"]))


def test_what_other_properties_say_is_not_said_again(linker: Linker) -> None:
    card = linked(linker, "Flying")
    told = short(tag_lines(card, Tagger(linker.lexicon.terms)(card), linker.rulebook)["tags"])
    assert not [line for line in told if "<tag/mana-value" in line or "<keyword/" in line or "<type/" in line]


def test_creature_types_are_in_the_scheme_of_kinds_or_of_classes() -> None:
    lines = set(short(list(facet_quads(outline.load()))))
    scheme = "<http://www.w3.org/2004/02/skos/core#inScheme>"
    assert {f"<type/goblin> {scheme} <tag/kind>", f"<type/wizard> {scheme} <tag/class>"} <= lines


def test_tags_come_back_as_they_were_given(store: Store, linker: Linker) -> None:
    tagger = Tagger(linker.lexicon.terms)

    def told(tags: tuple[Tag, ...]) -> set[tuple[str, str, str, str | None, str]]:
        return {
            (tag.layer, tag.facet, tag.id, reason.holder, reason.citation.rule if reason.citation else "")
            for tag in tags
            for reason in tag.reasons
        }

    cards = list(read.cards(store))
    assert len(cards) > 10
    for card in cards:
        assert told(card_tags(store, card)) == told(tagger(card))


def test_themes_answer_only_where_they_are_named(store: Store) -> None:
    assert not store.query("ASK { ?inference mtg:concludes ?theme }")
    assert store.query("ASK { GRAPH layer:themes { ?inference mtg:concludes ?theme } }")
    assert store.query("ASK { ?card mtg:hasTag ?tag . ?tag skos:inScheme tag:ability }")


def test_a_citation_leads_from_a_tag_to_its_words(store: Store) -> None:
    rows = store.query(
        "SELECT ?quote { ?citation mtg:provesTag tag:ability.card-selection ; mtg:quote ?quote ; "
        "mtg:ability/^mtg:hasAbility/^mtg:hasFace ?card . ?card mtg:hasTag tag:ability.card-selection }"
    )
    assert any("scry" in row[0].value for row in rows)  # type: ignore[union-attr,index]


@pytest.mark.parametrize("name", NAMES)
def test_the_named_queries_run(store: Store, name: str) -> None:
    named = load_query(name)
    assert named.title
    assert named.parameters


def test_json_keeps_the_layers_apart(store: Store) -> None:
    card = next(card for card in read.cards(store) if card.name == "Brindle Falconer")
    made = form(card, release="2026-01-16", tags=card_tags(store, card))
    assert "card-selection" in made["tags"]["ability"]
    assert made["tags"]["kind"] == ["human"]
    assert made["tags"]["class"] == ["scout"]
    assert "theme" not in made["tags"]
    assert {theme["facet"] for theme in made["themes"]} <= {"theme"}
    (scry,) = [tag for tag in made["tag_reasons"] if tag["tag"] == "ability.card-selection"]
    assert scry["label"] == "card selection"
    assert scry["reasons"][0] == {
        "holder": "1.3",
        "field": "oracle_text",
        "words": "scry 1",
        "rule": "701.22",
        "relation": "keyword_action",
        "entry": "action.scry",
    } | {"words": scry["reasons"][0]["words"]}


def test_lines_say_which_layer_a_tag_is_of(store: Store) -> None:
    card = next(card for card in read.cards(store) if card.name == "Brindle Falconer")
    words = [text.plain for _, text, _ in tag_pieces(card_tags(store, card))]
    titles = [line for line in words if line.startswith(("Attributes", "Extracted", "Inferred"))]
    assert titles[:2] == ["Attributes, as the source gives them", "Extracted from the text"]
    assert any(line.startswith("card selection  1.") for line in words)


def test_labels() -> None:
    assert label("ability.draw") == "card draw"
    assert label("type:time-lord") == "Time Lord"
    assert label("mana-value.3") == "3"
    assert tag_form(()) == {}


# -- pages -------------------------------------------------------------------------------------------


def test_the_page_of_a_tag_has_its_cards_with_the_words_that_prove_it(store: Store) -> None:
    page = page_of(store, expand("tag:ability.card-selection"), SERVED, Book(store))
    assert isinstance(page, TagPage)
    assert (page.title, page.kind) == ("card selection", "Tag")
    assert ("Under", ["card advantage"]) in [(name, [it.text for it in found]) for name, found in page.facts]
    (falconer,) = [row for row in page.cards.rows if row.name == "Brindle Falconer"]
    assert [(quote.words, quote.rule) for quote in falconer.quotes] == [("scry", "701.22")]


def test_a_tag_has_the_cards_of_those_under_it(store: Store) -> None:
    above, below = (
        page_of(store, expand(f"tag:ability.{name}"), SERVED, Book(store))
        for name in ("card-advantage", "card-selection")
    )
    assert isinstance(above, TagPage)
    assert isinstance(below, TagPage)
    assert set(below.cards.chosen) < set(above.cards.chosen)
    assert "card selection" in [it.text for it in dict(above.facts)["Holds"]]


def test_the_page_of_a_theme_says_that_it_is_inferred(store: Store) -> None:
    rows = store.query("SELECT ?theme { GRAPH layer:themes { ?i mtg:concludes ?theme } } LIMIT 1")
    (iri,) = [row[0].value for row in rows]  # type: ignore[union-attr,index]
    page = page_of(store, iri, SERVED, Book(store))
    assert isinstance(page, TagPage)
    assert page.kind.startswith("Theme, inferred")
    assert page.cards.total > 0
    assert "an opinion; it is not rules text" in shown_html(store, [page], SERVED)


def test_the_stored_number_of_cards_is_that_of_the_cards(store: Store) -> None:
    for name, property_ in (("tags", "hasTag"), ("themes", "concludes")):
        rows = store.query(
            f"SELECT ?tag ?stored (COUNT(?card) AS ?cards) {{ GRAPH layer:{name} "
            f"{{ ?tag mtg:cardCount ?stored . ?card mtg:{property_} ?tag }} }} GROUP BY ?tag ?stored"
        )
        counts = [(row[1].value, row[2].value) for row in rows]  # type: ignore[union-attr,index]
        assert counts
        assert [stored for stored, _ in counts] == [cards for _, cards in counts]


def test_tags_are_found_by_their_names(store: Store) -> None:
    found = index(store).search("card selection", ["tag"])
    assert [hit.iri for hit in found.hits][:1] == [expand("tag:ability.card-selection")]


# -- themes of one type ------------------------------------------------------------------------------


def test_a_payoff_for_creature_types_has_the_types_that_it_names_among_its_premises(linker: Linker) -> None:
    card = linked(linker, "Other Elves you control get +1/+1.")
    (payoff,) = [tag for tag in Tagger(linker.lexicon.terms)(card) if tag.id == "theme.typal.payoff"]
    assert payoff.reasons[0].premises == ("ability.typal", "type:elf")
    (payoff,) = [
        tag for tag in Tagger(linker.lexicon.terms, types=["Goblin"])(card) if tag.id == "theme.typal.payoff"
    ]
    assert payoff.reasons[0].premises == ("ability.typal",)


def test_energy_pays_off_where_getting_it_does(linker: Linker) -> None:
    card = linked(linker, "Whenever you get one or more {E}, this creature gets +1/+1 until end of turn.")
    assert "theme.energy.payoff" in {tag.id for tag in Tagger(linker.lexicon.terms)(card)}
