"""A site as files: what is chosen, that every link leads somewhere, what twins say, and what is replaced."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from conftest import raised
from hypothesis import given
from hypothesis import strategies as st
from pagecheck import faults_of, libraries, parses
from rdflib import Graph, URIRef
from test_cli import cardlaw
from test_linked import Elements

from cardlaw.exports import sitefiles, sitelists
from cardlaw.exports.jsonform import form
from cardlaw.exports.sitechoice import cards_of_query, cards_of_set, deck_names
from cardlaw.exports.sitefiles import MARK, Plan, file_name, plan, write_site
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.errors import CardlawError, QueryError
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import PREFIXES, expand

FIXTURES = Path(__file__).parent / "fixtures"
FALCONER = expand("card:brindle-falconer")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = tmp_path_factory.mktemp("sites") / "store"
    build(
        cards=[FIXTURES / "cards.json", FIXTURES / "scryfall.json"],
        rulings=FIXTURES / "scryfall-rulings.json",
        store=made,
        workers=1,
    )
    with open_store(made) as opened:
        yield opened


@pytest.fixture(scope="module")
def cards(store: Store) -> list[str]:
    return sorted(expand(f"card:{card.slug}") for card in read.cards(store))


@pytest.fixture(scope="module")
def made(store: Store, cards: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of all the invented cards with the rules that they need."""
    folder = tmp_path_factory.mktemp("made") / "site"
    write_site(store, plan(store, cards), folder, silent, workers=1)
    return folder


def silent(stage: str, done: int, total: int | None) -> None:
    pass


def digest(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


# What is chosen


def test_a_deck_list_has_a_card_a_line() -> None:
    text = (
        "Deck\n4 Hush // Clamor\n1x Twin Ledger (ABC) 139\n2 × Cart, Wheel\n\n// a remark\n# another\n"
        "Sideboard:\nTwin Ledger\n12 Salt Road (XYZ)\n1 1996 Games\n  3\tLamplighter  \n"
    )
    assert deck_names(text) == [
        *("Hush // Clamor", "Twin Ledger", "Cart, Wheel", "Salt Road", "1996 Games", "Lamplighter"),
    ]
    assert deck_names("\ufeff".strip("\ufeff") + "\r\n") == []


def test_a_set_is_chosen_by_its_code(store: Store) -> None:
    code = next(p.set_code for card in read.cards(store) for p in card.printings)
    chosen = cards_of_set(store, code.upper())
    printed = {
        expand(f"card:{card.slug}")
        for card in read.cards(store)
        if code in {printing.set_code for printing in card.printings}
    }
    assert {iri for iri in chosen if iri.startswith(PREFIXES["card"])} == printed
    with pytest.raises(QueryError, match="printed in the set “nope”"):
        cards_of_set(store, "nope")


def test_the_answer_to_a_query_has_cards_or_parts_of_them(store: Store, tmp_path: Path) -> None:
    assert FALCONER in cards_of_query(store, "cards-by-rule", {"rule": "702.9"})
    file = tmp_path / "mine.rq"
    file.write_text("SELECT ?a { face:brindle-falconer.1 mtg:hasAbility ?a }", encoding="utf-8")
    assert cards_of_query(store, str(file), {}) == [FALCONER]
    file.write_text("CONSTRUCT { ?f a mtg:Face } WHERE { card:cart-wheel mtg:hasFace ?f }", encoding="utf-8")
    assert cards_of_query(store, str(file), {}) == [expand("card:cart-wheel")]
    for text in ("ASK {}", "SELECT ?r { ?r a mtg:Rule } LIMIT 3"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(QueryError, match="cards"):
            cards_of_query(store, str(file), {})


def test_with_a_card_come_the_rules_that_it_cites_and_those_around_them(store: Store) -> None:
    paths = plan(store, [FALCONER]).paths
    assert paths[FALCONER] == "card/brindle-falconer.html"
    for node in ("rule:702.9", "rule:702.9a", "rule:702", "rule:7", "keyword:flying", "keyword:vigilance"):
        assert expand(node) in paths, node
    assert expand("term:flying") in paths
    assert expand("rule:901.2") not in paths, "Planechase has nothing to do with it"
    record = read.card(store, "Brindle Falconer")
    cited = {c.rule for face in record.faces for a in face.abilities for c in a.citations}
    assert {expand(f"rule:{number}") for number in cited} <= paths.keys()


def test_rules_keywords_and_terms_are_chosen_too(store: Store) -> None:
    made = plan(store, [expand("keyword:cycling"), expand("rule:104.3a"), expand("term:library")])
    assert made.cards == 0
    for node in ("keyword:cycling", "rule:702.29e", "rule:104.3a", "rule:104", "term:library", "rule:401"):
        assert expand(node) in made.paths, node


def test_all_is_every_card_and_the_whole_rulebook(store: Store, cards: list[str]) -> None:
    made = plan(store)
    assert set(cards) <= made.paths.keys()
    assert made.cards == len(cards)
    kinds = [iri.removeprefix("https://w3id.org/cardlaw/").partition("/")[0] for iri in made.paths]
    counts = store.info.counts
    assert (kinds.count("rule"), kinds.count("term")) == (counts["rules"], counts["terms"])


# Names of files


@pytest.mark.parametrize(
    "name", ["con", "nul", "aux.action", "com1", "lpt9.b", "", ".", "..", "a.", "-x", "A", "a/b", "é"]
)
def test_names_that_would_do_harm_get_a_digest(name: str) -> None:
    assert re.fullmatch(r"([a-z0-9-]+-)?[0-9a-f]{12}", file_name(name))


@given(st.text(max_size=300))
def test_any_name_is_a_file_name_anywhere(name: str) -> None:
    made = file_name(name.encode("utf-8", "replace").decode())
    assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*", made)
    assert len(made) <= 120
    assert not made.endswith(".")
    assert made.partition(".")[0] not in {"con", "prn", "aux", "nul", "com1", "lpt1"}


def test_usual_names_stay_and_no_two_are_one(store: Store) -> None:
    assert file_name("702.29a") == "702.29a"
    assert file_name("cycling.action") == "cycling.action"
    paths = list(plan(store).paths.values())
    assert len(paths) == len({path.lower() for path in paths})


# What is written


def test_every_link_leads_to_a_file_and_a_place_in_it_or_to_the_web(made: Path) -> None:
    pages = {path: Elements(path.read_text(encoding="utf-8")) for path in made.rglob("*.html")}
    assert len(pages) > 100
    outside = set()
    for path, page in pages.items():
        for attribute in ("href", "src", "action"):
            for value in page.values(attribute):
                url = urlsplit(value)
                if url.scheme:
                    assert url.scheme == "https" or value == "data:,", value
                    outside.add(url.netloc)
                    continue
                target = (path.parent / unquote(url.path)).resolve() if url.path else path
                assert target.is_file(), f"{path.name}: {value}"
                assert target.is_relative_to(made.resolve())
                if url.fragment and target.suffix == ".html":
                    assert unquote(url.fragment) in pages[made / target.relative_to(made.resolve())].values(
                        "id"
                    ), f"{path.name}: {value}"
    assert outside <= {"", "w3id.org", "scryfall.com", "company.wizards.com"}


def test_nodes_with_a_page_are_linked_there(made: Path) -> None:
    page = Elements((made / "card" / "brindle-falconer.html").read_text(encoding="utf-8"))
    assert "../rule/702.9.html" in page.values("href")
    assert "#ability-1-1" in [f"#{urlsplit(value).fragment}" for value in page.values("href")]


def test_every_page_can_be_reached_from_the_first(made: Path) -> None:
    seen: set[Path] = set()
    waiting = [made / "index.html"]
    while waiting:
        path = waiting.pop().resolve()
        if path not in seen:
            seen.add(path)
            page = Elements(path.read_text(encoding="utf-8"))
            for value in (*page.values("href"), *page.values("action")):
                url = urlsplit(value)
                if not url.scheme and url.path.endswith(".html"):
                    waiting.append(path.parent / unquote(url.path))
    assert seen == {path.resolve() for path in made.rglob("*.html")}


def test_each_page_has_its_twins(made: Path, store: Store) -> None:
    pages = [
        path for folder in ("card", "rule", "keyword", "term") for path in (made / folder).glob("*.html")
    ]
    for path in pages:
        assert path.with_suffix(".json").is_file(), path
        assert path.with_suffix(".ttl").is_file(), path
    shown = json.loads((made / "card" / "brindle-falconer.json").read_bytes())
    record = read.card(store, "Brindle Falconer")
    assert shown == json.loads(json.dumps(form(record, release=store.info.release)))
    graph = Graph().parse(made / "card" / "brindle-falconer.ttl", format="turtle")
    assert (URIRef(FALCONER), URIRef(expand("mtg:citesRule")), URIRef(expand("rule:702.9"))) in graph


def test_lists_of_cards_are_of_the_cards_of_the_site(store: Store, tmp_path: Path, made: Path) -> None:
    write_site(store, plan(store, [FALCONER]), tmp_path / "one", silent, workers=1)
    few = json.loads((tmp_path / "one" / "rule" / "702.9.json").read_bytes())
    whole = json.loads((made / "rule" / "702.9.json").read_bytes())
    assert few["cards"] == ["Brindle Falconer"]
    assert whole["cards"] == list(read.rule(store, "702.9").cards)
    assert few["card_count"] == whole["card_count"] == len(whole["cards"])
    action = json.loads((made / "keyword" / "scry.json").read_bytes())
    assert action["cards"] == {
        "keyword_action": list(read.keyword(store, "keyword:scry").cards["keyword_action"])
    }


def test_the_same_bytes_whoever_writes_them(
    store: Store, cards: list[str], made: Path, tmp_path: Path
) -> None:
    write_site(store, plan(store, reversed(cards)), tmp_path / "again", silent, workers=2)
    assert digest(tmp_path / "again") == digest(made)


@pytest.mark.usefixtures("stillborn")
def test_processes_killed_as_they_start_end_a_site(store: Store, cards: list[str], tmp_path: Path) -> None:
    made = plan(store, cards)
    many = made._replace(paths={**made.paths, **{expand(f"rule:{n}"): f"rule/{n}.html" for n in range(9999)}})

    def write() -> None:
        write_site(store, many, tmp_path / "site", silent, workers=2)

    assert "ended abruptly" in str(raised(write))
    assert not [*tmp_path.iterdir()]


def test_pages_are_valid(made: Path, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    names = (
        "index.html",
        "search.html",
        "rules.html",
        "keywords.html",
        "terms.html",
        "card/brindle-falconer.html",
    )
    pages = {name: (made / name).read_text(encoding="utf-8") for name in names}
    for html in pages.values():
        parses(html)
    assert faults_of(pages, libraries(pytestconfig), tmp_path) == []


def test_hostile_cards_stay_text(made: Path) -> None:
    for path in [*made.glob("*.html"), *(made / "card").glob("*.html")]:
        page = Elements(path.read_text(encoding="utf-8"))
        scripts = [a for tag, a in page.found if tag == "script"]
        named = {"search.html": 2, "lists.html": 1}
        assert len(scripts) == named.get(path.name, 1 if path.parent.name == "card" else 0)
        assert not [a for _, attributes in page.found for a in attributes if a.startswith("on")], path
    script = (made / "assets" / sitelists.INDEX).read_text(encoding="utf-8")
    head, _, data = script.removesuffix(";\n").partition(" = ")
    assert head == "globalThis.cardlawIndex"
    titles = {title for _, _, title, _ in json.loads(data)["nodes"]}
    assert "</script><script>alert(1)</script>" in titles


def test_many_cards_have_a_page_for_each_letter(
    store: Store, cards: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitelists, "_MOST", 5)
    write_site(store, plan(store, cards[:9]), tmp_path / "site", silent, workers=1)
    pages = sorted(path.name for path in (tmp_path / "site").glob("cards-*.html"))
    home = Elements((tmp_path / "site" / "index.html").read_text(encoding="utf-8"))
    assert set(pages) <= set(home.values("href"))
    linked = {
        value
        for name in pages
        for value in Elements((tmp_path / "site" / name).read_text(encoding="utf-8")).values("href")
        if value.startswith("card/")
    }
    assert len(linked) == 9


# Where it is written


def test_a_site_is_replaced_and_nothing_else_is(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "site"
    write_site(store, plan(store, [FALCONER]), target, silent, workers=1)
    write_site(store, plan(store, [expand("card:cart-wheel")]), target, silent, workers=1)
    assert [path.name for path in (target / "card").glob("*.html")] == ["cart-wheel.html"]
    assert json.loads((target / MARK).read_bytes())["cards"] == 1
    (target / "CNAME").write_text("cards.example")
    with pytest.raises(CardlawError, match="CNAME in it is not"):
        write_site(store, plan(store, [FALCONER]), target, silent, workers=1)
    assert (target / "CNAME").read_text() == "cards.example"
    other = tmp_path / "mine"
    other.mkdir()
    (other / "index.html").write_text("mine")
    with pytest.raises(CardlawError, match="no empty folder"):
        write_site(store, plan(store, [FALCONER]), other, silent, workers=1)
    for bad in ("", "[]", "{}", '{"entries": 3}', "\xff"):
        (other / MARK).write_text(bad, encoding="latin-1")
        with pytest.raises(CardlawError, match="no empty folder"):
            write_site(store, plan(store, [FALCONER]), other, silent, workers=1)
    assert (other / "index.html").read_text() == "mine"


def test_what_breaks_off_leaves_what_was_there(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "site"
    write_site(store, plan(store, [FALCONER]), target, silent, workers=1)
    before = digest(target)

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "search":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_site(store, plan(store, [expand("card:cart-wheel")]), target, stop, workers=1)
    monkeypatch.setattr(sitefiles, "search_index", lambda entries, paths: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_site(store, plan(store, [FALCONER]), tmp_path / "new", silent, workers=1)
    assert digest(target) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_plan_tells_what_it_has(store: Store) -> None:
    made = plan(store, [FALCONER, FALCONER])
    assert isinstance(made, Plan)
    assert made.iris[0] == FALCONER
    assert made.cards == 1


# The command


def test_the_command_writes_a_deck(small_store: Path, tmp_path: Path) -> None:
    deck, target = tmp_path / "deck.txt", tmp_path / "site"
    deck.write_text("4 Hush // Clamor\n1 Nothing So Called\n", encoding="utf-8")
    done = cardlaw("export", "site", "-o", target, "--deck", deck, "Cart, Wheel", store=small_store)
    assert done.returncode == 1, "a name is wrong, which spoils nothing"
    assert "nothing is called “Nothing So Called”" in done.stderr
    assert done.stdout == f"{target / 'index.html'}\n"
    assert {path.stem for path in (target / "card").glob("*.html")} == {"hush-clamor", "cart-wheel"}


def test_the_command_writes_the_cards_of_a_query(small_store: Path, tmp_path: Path) -> None:
    arguments = ("-q", "--query", "cards-by-rule", "--set", "rule=702.9")
    done = cardlaw("export", "site", "-o", tmp_path / "site", *arguments, store=small_store)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "site" / "card" / "brindle-falconer.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["export", "jsonl", "Twin Ledger"], 2, "NAME is for site"),
        (["export", "site"], 2, "name it with -o"),
        (["export", "site", "-o", "x", "--set", "rule=1"], 2, "--set goes with --query"),
        (["export", "site", "-o", "x", "--printed-in", "khm"], 1, "set code such as khm"),
        (["export", "site", "-o", "x", "--deck", "none.txt"], 1, "none.txt"),
        (["export", "site", "-o", "x", "Nothing So Called"], 1, "nothing is written"),
    ],
)
def test_wrong_calls(
    arguments: list[str],
    code: int,
    told: str,
    small_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = cardlaw(*arguments, store=small_store)
    assert done.returncode == code
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
