"""A graph of several sources: what comes back of cards, tokens, printings and rulings, and from where."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from handmade import CARDS
from msgspec.structs import replace

from cardlaw.exports.jsonform import form
from cardlaw.exports.report import info_lines
from cardlaw.exports.show import lines
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Printing, Related, Ruling, Stated
from cardlaw.graph.names import find, one
from cardlaw.graph.naming import TOKEN_LAYOUTS, card_node, source_slug
from cardlaw.graph.neighborhood import neighborhood
from cardlaw.graph.network import card_rule_graph
from cardlaw.graph.sources import outline, scryfall
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.sources.rulings import by_card
from cardlaw.graph.sources.rulings import read as read_rulings
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import compact, expand

FIXTURES = Path(__file__).parent / "fixtures"
SCRYFALL = "oracle-cards-20310505090130.json"
FALCON, BADGER = "00001019-0000-4000-8000-000000001019", "0000101d-0000-4000-8000-00000000101d"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the invented corpus, the invented cards of Scryfall and their rulings."""
    folder = tmp_path_factory.mktemp("several")
    file = shutil.copy(FIXTURES / "scryfall.json", folder / SCRYFALL)
    build(
        cards=[FIXTURES / "cards.json", Path(file)],
        rulings=FIXTURES / "scryfall-rulings.json",
        store=folder / "store",
        workers=1,
    )
    return folder / "store"


@pytest.fixture(scope="module")
def store(root: Path) -> Iterator[Store]:
    with open_store(root) as store:
        yield store


def asked(store: Store, query: str) -> list[tuple[str, ...]]:
    return [tuple(compact(value.value) for value in row) for row in store.query(query)]  # type: ignore[union-attr]


# -- records -----------------------------------------------------------------------------------------


def test_all_that_a_card_can_have_comes_back(tmp_path: Path) -> None:
    ox = "11111111-0000-4000-8000-000000000001"
    one_, other, token = (f"22222222-0000-4000-8000-00000000000{n}" for n in "123")
    card = replace(
        CARDS[-1],
        oracle_id=ox,
        color_identity=(),
        legalities={"legacy": "banned", "modern": "legal", "vintage": "restricted"},
        prices={"usd": "0.20", "eur_etched": "12.00", "tix": "0.02"},
        prices_date="2031-02-03",
        printings=(
            Printing(id=one_, set_code="old", number="12a", released="2030-01-01", language="ja"),
            Printing(
                id=other,
                set_code="inv",
                set_name="Invention",
                number="7",
                rarity="rare",
                released="2031-01-01",
                finishes=("nonfoil", "foil", "etched", "glossy"),
                prices={"usd": "0.20"},
            ),
        ),
        related=(
            Related(name="Calf", component="token", id=token),
            Related(name="Great Ox", component="meld_result", id="22222222-0000-4000-8000-000000000004"),
            Related(name="Yoke", component="combo_piece", id="22222222-0000-4000-8000-000000000005"),
        ),
        rulings=(
            Ruling(oracle_id=ox, source="wotc", published="2031-01-01", text="It is\nan ox."),
            Ruling(
                oracle_id=ox,
                source="scryfall",
                published="2031-02-03",
                text="See rules 702.9 and 702.15.",
                rules=(
                    Stated(rule="702.9", title="Flying", release="2031-02-03"),
                    Stated(rule="702.15", title="Lifelink"),
                ),
            ),
        ),
        origins={"name": "one.json", "oracle_id": "two.json", "1.power": "two.json", "rulings": "three"},
    )
    card = replace(card, faces=(replace(card.faces[0], colors=()),))
    calf = replace(CARDS[3], name="Calf", slug=ox.replace("1", "3"), layout="token", oracle_id=None)
    origins = {name: source_slug(source) for name, source in card.origins.items()}
    with opened_with(tmp_path, card, calf) as store:
        assert replace(read.card(store, "Plain Ox"), origins={}) == replace(card, origins={})
        assert read.card(store, "Plain Ox").origins == origins
        assert read.card(store, f"token:{calf.slug}") == calf
        assert list(read.cards(store)) == [read.card(store, "Plain Ox")]


def opened_with(folder: Path, *cards: Card) -> Store:
    from handmade import write_store

    return open_store(write_store(folder, cards))


def test_the_graph_gives_back_every_card_of_a_source(tmp_path: Path) -> None:
    path = FIXTURES / "scryfall.json"
    build(cards=[path], rulings=FIXTURES / "scryfall-rulings.json", store=tmp_path, workers=1)
    rulings = by_card(read_rulings(FIXTURES / "scryfall-rulings.json"))
    linker = Linker(outline.load())
    with open_store(tmp_path) as store:
        for card in scryfall.read(path):
            wanted = linker.link_card(replace(card, rulings=rulings.get(card.oracle_id or "", ())))
            found = read.card(store, card_node(card.slug))
            assert without_order(found) == without_order(wanted)
            assert found.origins["name"] == "scryfall.json"


def without_order(card: Card) -> Card:
    """As the graph keeps it: no order in what is a set, and no format that does not have the card."""
    return replace(
        card,
        color_identity=card.color_identity and tuple(sorted(card.color_identity)),
        keywords=tuple(sorted(card.keywords)),
        legalities={name: status for name, status in card.legalities.items() if status != "not_legal"},
        related=tuple(sorted(card.related, key=lambda part: (part.name, part.id))),
        rulings=tuple(
            replace(ruling, rules=tuple(sorted(ruling.rules, key=lambda stated: stated.rule)))
            for ruling in card.rulings
        ),
        faces=tuple(
            replace(
                face,
                colors=face.colors and tuple(sorted(face.colors)),
            )
            for face in card.faces
        ),
        origins={},
    )


def test_colors_are_unknown_where_no_source_of_the_card_states_them(store: Store) -> None:
    assert read.card(store, "Brindle Falconer").faces[0].colors == ("G", "U", "W")
    only_corpus = [card for card in read.cards(store) if SCRYFALL not in card.origins.values()]
    assert only_corpus
    assert {face.colors for card in only_corpus for face in card.faces} == {None}


# -- where it comes from -----------------------------------------------------------------------------


def test_the_source_of_each_field(store: Store) -> None:
    card = read.card(store, "Hush // Clamor")
    assert card.origins["name"] == "cards.json"
    assert card.origins["2.type_line"] == card.origins["oracle_id"] == SCRYFALL
    assert read.card(store, "Brindle Falconer").origins["rulings"] == "scryfall-rulings.json"
    told = asked(store, "SELECT ?source { face:hush-clamor.2 mtg:typeLineFrom ?source }")
    assert told == [(f"source:{SCRYFALL}",)]
    told = asked(store, "SELECT ?source { card:hush-clamor prov:hadPrimarySource ?source }")
    assert told == [("source:cards.json",)]
    others = asked(store, "SELECT ?source { card:hush-clamor prov:wasDerivedFrom ?source }")
    assert others == [(f"source:{SCRYFALL}",)]
    every = asked(store, "SELECT ?source { layer:cards prov:hadPrimarySource ?source }")
    assert every == [("source:cards.json",)]  # of which a card says nothing that is from no other
    bare = asked(
        store, "SELECT ?card { ?card a mtg:Card FILTER NOT EXISTS { ?card prov:hadPrimarySource ?source } }"
    )
    assert {str(read.card(store, card).origins) for (card,) in bare} == {"{'name': 'cards.json'}"}
    days = asked(store, "SELECT ?name ?day { ?s a mtg:Source ; rdfs:label ?name ; dcterms:issued ?day }")
    assert {(f"<{SCRYFALL}>", "<2031-05-05>"), ("<outline.json>", "<2026-01-16>")} == set(days)
    layers = asked(store, "SELECT DISTINCT ?layer { ?layer prov:wasDerivedFrom ?s . ?s a mtg:Source }")
    assert {("layer:cards",), ("layer:rules",), ("layer:rulings",)} <= set(layers)


def test_info_says_how_old_the_data_are(root: Path, store: Store) -> None:
    told = {line.text.plain for line in info_lines(root, store)}
    assert [(source.role, source.name, source.date) for source in store.info.sources] == [
        ("cards", "cards.json", None),
        ("cards", SCRYFALL, "2031-05-05"),
        ("rules", "outline.json", "2026-01-16"),
        ("rulings", "scryfall-rulings.json", None),
    ]
    assert any("cards.json" in line and "of an unknown day" in line for line in told)
    assert any("scryfall-rulings.json" in line and "newest entry of 2031-04-01" in line for line in told)
    assert any("outline.json" in line and "of 2026-01-16" in line and "days old" in line for line in told)


def test_sources_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    first = shutil.copy(FIXTURES / "cards.json", tmp_path / "a" / "cards.json")
    second = shutil.copy(FIXTURES / "scryfall.json", tmp_path / "b" / "cards.json")
    build(cards=[Path(first), Path(second)], store=tmp_path / "store", workers=1)
    with open_store(tmp_path / "store") as store:
        assert read.card(store, "Hush // Clamor").origins["2.type_line"] == "cards.json (2)"


def test_rulings_without_their_cards_are_told(tmp_path: Path) -> None:
    rulings = FIXTURES / "scryfall-rulings.json"
    summary = build(cards=[FIXTURES / "cards.json"], rulings=rulings, store=tmp_path, workers=1)
    assert (summary.counts["rulings"], summary.counts["rulings on other cards"]) == (
        4,
        3,
    )  # one is there twice
    assert any("--cards" in warning for warning in summary.warnings)


# -- tokens, names, views ----------------------------------------------------------------------------


def test_tokens_are_no_cards(store: Store) -> None:
    assert store.info.counts["tokens"] == 5
    assert asked(store, f"SELECT ?kind {{ token:{FALCON} a ?kind }}") == [("mtg:Token",)]
    cards = asked(store, "SELECT (COUNT(DISTINCT ?card) AS ?n) { ?card a mtg:Card }")
    assert cards == [(f"<{store.info.counts['cards']}>",)]
    assert asked(store, f"SELECT ?rule {{ token:{FALCON} mtg:citesRule ?rule }}") == []
    assert "702.9" in {
        c.rule for a in read.card(store, f"token:{FALCON}").faces[0].abilities for c in a.citations
    }
    assert "Falcon" not in read.rule(store, "702.9").cards
    assert not any(node.startswith("token:") for node in card_rule_graph(store))


def test_tokens_are_found_by_name_too(store: Store) -> None:
    matches = find(store, "falcon").matches
    assert {match.kind for match in matches} == {"token"}
    assert f"token:{FALCON}" in {compact(match.iri) for match in matches}
    assert [match.kind for match in find(store, "Salt Road").matches] == ["card"]  # not its art card
    assert one(store, "Falcon // Badger", "card") == expand(f"token:{BADGER}")
    assert one(store, "Tomasz Emblem", "card").startswith(expand("token:"))


def test_a_printing_a_ruling_and_an_oracle_id_mean_their_card(store: Store) -> None:
    card = read.card(store, "Brindle Falconer")
    (ruling, *_) = asked(store, "SELECT ?ruling { card:brindle-falconer mtg:hasRuling ?ruling }")[0]
    for name in (f"printing:{card.printings[0].id}", card.oracle_id or "", ruling, expand(ruling)):
        assert one(store, name, "card") == expand("card:brindle-falconer")
    assert one(store, FALCON, "card") == expand(f"token:{FALCON}")


def test_names_of_sets_are_no_near_misses(store: Store) -> None:
    assert {compact(match.iri).partition(":")[0] for match in find(store, "Older Inventio").near} <= {
        *("card", "face", "token", "keyword", "term", "rule")
    }


def test_a_token_is_drawn_like_a_card(store: Store) -> None:
    graph = neighborhood(store, [f"token:{FALCON}"]).graph
    assert graph.nodes[f"token:{FALCON}"]["type"] == "card"
    assert {"keyword:flying", "rule:702.9"} <= set(graph)


# -- what is shown -----------------------------------------------------------------------------------


def test_json_of_a_card_with_all_that_is_beside_its_text(store: Store) -> None:
    shown = form(read.card(store, "Brindle Falconer"), release="2026-01-16")
    assert shown["legalities"]["modern"] == "legal"
    assert (shown["prices"]["usd"], shown["prices_date"]) == ("0.21", "2031-05-05")
    first = shown["printings"][0]
    assert list(first) == [
        *("id", "iri", "set", "set_name", "number", "rarity", "released", "language", "finishes", "prices")
    ]
    assert first["iri"] == expand(f"printing:{first['id']}")
    assert [ruling["published"] for ruling in shown["rulings"]] == ["2030-04-01", "2031-04-01"]
    rules = [rule for ruling in shown["rulings"] for rule in ruling["rules"]]
    assert {"rule": "702.9", "title": "Flying", "release": None} in rules
    assert shown["related"][0]["component"] == "token"
    token = form(read.card(store, f"token:{FALCON}"), release="2026-01-16")
    assert (token["iri"], token["layout"]) == (expand(f"token:{FALCON}"), "token")


def test_text_of_a_card_with_all_that_is_beside_its_text(store: Store) -> None:
    card = read.card(store, "Brindle Falconer")
    shown = [
        line.text.plain for line in lines(card, release="2026-01-16", has_text=False, notes={}, wide=True)
    ]
    assert any(line.startswith("legal in: ") and "modern" in line for line in shown)
    assert any(line.startswith("prices on 2031-05-05: 0.21 USD") for line in shown)
    assert any(line.startswith("3 printings: ") and "Older Invention" in line for line in shown)
    assert "makes: Falcon" in shown
    assert any(line.startswith("source: cards.json; ") and SCRYFALL in line for line in shown)
    assert any(line.startswith("states 702.9 Flying") for line in shown[shown.index("Rulings") :])


def test_all_terms_of_the_graph_are_declared(store: Store) -> None:
    vocabulary = data("cardlaw.ttl").read_text(encoding="utf-8")
    used = {
        compact(quad.predicate.value)
        for quad in store.quads.quads_for_pattern(None, None, None, None)
        if compact(quad.predicate.value).startswith("mtg:")
    }
    assert "mtg:colorless" in used
    assert not [term for term in used if f"\n{term} a owl:" not in vocabulary]


# -- real data ---------------------------------------------------------------------------------------


def cut(source: Path, target: Path, names: set[str]) -> Path:
    """Every twentieth record of a file, and those of these names."""
    records = json.loads(gzip.decompress(source.read_bytes()))
    kept = [record for at, record in enumerate(records) if at % 20 == 0 or record["name"] in names]
    target.write_text(json.dumps(kept), encoding="utf-8")
    return target


@pytest.mark.real
def test_a_graph_of_scryfalls_cards(real_data: Path, corpus_path: Path, tmp_path: Path) -> None:
    gold = real_data.parent / "gold" / "public_faces.json"
    if not gold.is_file():
        pytest.skip(f"no annotated cards at {gold}")
    names = set(json.loads(gold.read_text(encoding="utf-8"))["cards"])
    folder = real_data / "scryfall"
    old = cut(folder / "oracle-cards-2019-10.json.gz", tmp_path / "oracle-cards.json", names)
    summary = build(
        cards=[folder / "cards-2025-sample.json.gz", old],
        rulings=folder / "rulings-sample.json.gz",
        store=tmp_path / "store",
    )
    assert not summary.skipped
    assert (summary.counts["rulings"], summary.counts["rulings on other cards"]) == (67, 0)
    program = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()"]
    done = subprocess.run(
        [*program, "show", "--format", "json", "--store", tmp_path / "store", *sorted(names)],
        capture_output=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    assert {answer["name"] for answer in answers} == names
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(f"{json.dumps(answer)}\n" for answer in answers), encoding="utf-8")
    command = [sys.executable, str(gold.parent / "score.py"), str(gold), "--answers", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    scores = dict(zip(said.split()[::2], said.split()[1::2], strict=False))
    assert min(float(scores[name]) for name in ("recall", "precision", "keywords", "kinds")) >= 0.95, said

    corpus = {card.name.casefold(): card for card in read_cards(corpus_path)}
    with open_store(tmp_path / "store") as store:
        cards = dict(asked(store, "SELECT ?name ?card { ?card a mtg:Card ; rdfs:label ?name }"))
        shared = {
            name.strip("<>"): iri for name, iri in cards.items() if name.strip("<>").casefold() in corpus
        }
        assert len(shared) > 1_200
        differ = {n: i for n, i in shared.items() if i.split(".")[0] != card_node(corpus[n.casefold()].slug)}
        assert not differ
        jace = read.card(store, "Jace, Vryn's Prodigy")
        assert len(jace.rulings) > 4
        assert {face.name for face in jace.faces} == {"Jace, Vryn's Prodigy", "Jace, Telepath Unbound"}
        found = {p.id: p for name in sorted(cards.values()) for p in read.card(store, name).printings}
        records = json.loads(gzip.decompress((folder / "cards-2025-sample.json.gz").read_bytes()))
        assert len(records) == 461
        for record in records:
            printing = found[record["id"]]
            assert (printing.set_code, printing.set_name) == (record["set"], record["set_name"])
            assert (printing.number, printing.rarity) == (record["collector_number"], record["rarity"])
            assert (printing.released, printing.language) == (record["released_at"], record["lang"])
            assert printing.finishes == tuple(record["finishes"])
            assert printing.prices == {kind: price for kind, price in record["prices"].items() if price}
        assert all(card.layout not in TOKEN_LAYOUTS for card in read.cards(store, sample(cards)))


def sample(cards: dict[str, str]) -> list[str]:
    return [expand(iri) for iri in sorted(cards.values())[::50]]
