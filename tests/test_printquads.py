"""Printings, formats, prices, related cards and rulings in RDF: the shape, and that all of it is declared."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
from msgspec.structs import replace

from cardlaw.graph.model import Card, Ruling, Stated
from cardlaw.graph.printquads import card_iri, card_lines, ruling_lines, shared_quads
from cardlaw.graph.sources import scryfall
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import compact

CARDS = {card.slug: card for card in scryfall.read(Path(__file__).parent / "fixtures" / "scryfall.json")}
FALCONER = CARDS["brindle-falconer"]


def said(lines: list[str]) -> set[tuple[str, str, str]]:
    """The triples in prefixed names."""
    quads = ox.parse("".join(lines).encode(), ox.RdfFormat.N_QUADS)
    return {tuple(map(short, (q.subject, q.predicate, q.object))) for q in quads}  # type: ignore[misc]


def short(term: object) -> str:
    return compact(term.value) if isinstance(term, ox.NamedNode) else str(getattr(term, "value", term))


def test_a_card_with_its_printings_and_prices() -> None:
    found = said(list(card_lines(FALCONER)))
    printing = f"printing:{FALCONER.printings[1].id}"
    assert {
        ("card:brindle-falconer", "mtg:hasPrinting", printing),
        ("card:brindle-falconer", "mtg:legalIn", "format:modern"),
        ("card:brindle-falconer", "mtg:priceUsd", "0.21"),
        ("card:brindle-falconer", "mtg:makesToken", f"printing:{CARDS['brindle-falconer'].related[0].id}"),
        (printing, "rdf:type", "mtg:Printing"),
        (printing, "rdfs:label", "Brindle Falconer"),
        (printing, "mtg:inSet", "set:inv"),
        (printing, "mtg:collectorNumber", "1"),
        (printing, "mtg:released", "2031-05-02"),
        (printing, "mtg:finish", "foil"),
        (printing, "mtg:priceEur", "0.10"),
    } <= found


def test_a_token_has_an_iri_of_its_own() -> None:
    assert card_iri(CARDS["0000101c-0000-4000-8000-00000000101c"]).endswith(
        "/token/0000101c-0000-4000-8000-00000000101c>"
    )


def test_a_price_that_is_no_number_is_left_out() -> None:
    odd = replace(FALCONER, prices={"usd": "1e5", "eur": "free", "pesos": "1.00"}, printings=())
    assert not {p for _, p, _ in said(list(card_lines(odd))) if "price" in p}


def test_rulings_and_the_rules_that_they_state() -> None:
    stated = Stated(rule="702.9", title="Flying", release="2031-04-01")
    ruling = Ruling(
        oracle_id="oid", source="wotc", published="2031-04-01", text="See rule 702.9.", rules=(stated,)
    )
    found = said(list(ruling_lines(replace(FALCONER, rulings=(ruling,)))))
    (node,) = {s for s, _, _ in found if s.startswith("ruling:oid.2031-04-01.")}
    assert {
        ("card:brindle-falconer", "mtg:hasRuling", node),
        (node, "rdfs:label", "Brindle Falconer, 2031-04-01"),
        (node, "mtg:statesRule", "rule:702.9"),
        (node, "mtg:statesRuleVersion", "cr:2031-04-01.702.9"),
        (node, "dcterms:source", "wotc"),
    } <= found


def test_what_cards_share_is_described_once() -> None:
    unknown: Card = replace(FALCONER, printings=())
    found = said(list(shared_quads([FALCONER, FALCONER])))
    assert {
        ("set:old", "rdfs:label", "Older Invention"),
        ("set:old", "mtg:setCode", "old"),
        ("format:modern", "rdf:type", "mtg:Format"),
        (f"printing:{FALCONER.related[0].id}", "rdfs:label", "Falcon"),
    } <= found
    assert said(list(shared_quads(CARDS.values()))).isdisjoint(
        {s for s in found if s[0].startswith("printing:")}
    )
    assert ("format:modern", "rdfs:label", "modern") in said(list(shared_quads([unknown])))


def test_all_of_it_is_declared() -> None:
    lines = [line for card in CARDS.values() for line in card_lines(card)]
    lines += shared_quads(CARDS.values())
    vocabulary = data("cardlaw.ttl").read_text(encoding="utf-8")
    used = {term for triple in said(lines) for term in triple[1:] if term.startswith("mtg:")}
    assert all(f"\n{term} a owl:" in vocabulary for term in used), used
