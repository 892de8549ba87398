"""Pages of rules, keywords, glossary terms and types: their words, history and lists of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pagecheck import parses
from starlette.applications import Starlette
from starlette.testclient import TestClient
from test_linked import Elements, text_of
from test_release_graph import CARDS, TEXTS

from cardlaw.exports import cardtable, linked
from cardlaw.exports.cardlists import CardLists, Wanted
from cardlaw.exports.lineage import lineage
from cardlaw.exports.links import SERVED, Alone, Folder
from cardlaw.exports.passages import Book
from cardlaw.exports.recordpage import page_of, shown_html
from cardlaw.exports.rulepage import RulePage
from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.graph import read, reference
from cardlaw.graph.build import build
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import expand

FIXTURES = Path(__file__).parent / "fixtures"
RELEASE = "2032-05-06"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with three invented releases, words and all."""
    folder = tmp_path_factory.mktemp("releases")
    for name, content in TEXTS.items():
        (folder / name).write_text(content, encoding="utf-8")
    build(cards=[CARDS], rules=folder, store=folder / "store", workers=1)
    return folder / "store"


@pytest.fixture(scope="module")
def store(root: Path) -> Iterator[Store]:
    with open_store(root) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(root: Path) -> TestClient:
    return TestClient(Starlette(routes=linked.routes(Site(root, "http://testserver/"))))


@pytest.fixture(scope="module")
def outlined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph of more cards, whose identities are known, and of the real rulebook's outline."""
    folder = tmp_path_factory.mktemp("outlined")
    build(cards=[FIXTURES / "cards.json", FIXTURES / "scryfall.json"], store=folder, workers=1)
    with open_store(folder) as opened:
        yield opened


def page(client: TestClient, path: str) -> str:
    response = client.get(path, headers={"accept": "text/html"})
    assert response.status_code == 200
    parses(response.text)
    return response.text


def links(html: str) -> list[str]:
    return [str(attrs["href"]) for tag, attrs in Elements(html).found if tag == "a" and "href" in attrs]


# Words


def test_a_rule_has_its_words_with_links_to_the_rules_in_them(client: TestClient) -> None:
    html = page(client, "/rule/103.1")
    text = text_of(html)
    assert "103.1" in text
    assert f"Rule of the Comprehensive Rules effective {RELEASE}, under 103 Starting the Game" in text
    assert "as specified in rule 100.2 ." in text
    assert "/rule/100.2" in links(html)
    assert ("a", "General") in [(tag, attrs.get("title")) for tag, attrs in Elements(html).found]


def test_what_refers_to_a_rule_is_told(client: TestClient) -> None:
    text = text_of(page(client, "/rule/702.3"))
    assert "In the glossary Cycling" in text
    assert "Defines Cycling" in text
    assert "Referred to by 103.1 Starting the Game" in text_of(page(client, "/rule/100.2"))


def test_a_rule_defines_what_its_subrules_do(outlined: Store) -> None:
    html = shown_html(outlined, [RulePage(outlined, "702.29", SERVED, Book(outlined))], SERVED)
    assert {"/keyword/cycling", "/keyword/typecycling"} <= set(links(html))


def test_a_rule_stands_with_what_is_above_below_and_beside_it(client: TestClient) -> None:
    html = page(client, "/rule/702.3")
    text = text_of(html)
    assert "7 Additional Rules › 702 Keyword Abilities › 702.3 Cycling" in text
    assert text.index("702.3a Cycling is an activated ability.") < text.index("702.3b If a bead")
    beside = {attrs["rel"]: attrs["href"] for tag, attrs in Elements(html).found if attrs.get("rel")}
    assert beside["prev"] == "/rule/702.2"
    assert beside["next"] == "/rule/702.4"


def test_a_section_is_told_whole_and_a_chapter_by_its_headings(client: TestClient) -> None:
    section = text_of(page(client, "/rule/702"))
    assert section.index("702.2 Flying") < section.index("702.2a Flying is a static ability.")
    assert section.index("702.2a") < section.index("702.3 Cycling")
    chapter = text_of(page(client, "/rule/7"))
    assert "701 Keyword Actions" in chapter
    assert "702 Keyword Abilities" in chapter
    assert "Flying is a static ability" not in chapter


def test_without_the_words_a_page_says_how_to_get_them(outlined: Store) -> None:
    html = shown_html(outlined, [RulePage(outlined, "702.9", SERVED, Book(outlined))], SERVED)
    parses(html)
    assert "cardlaw build --rules FILE" in text_of(html)
    assert "702.9a" in text_of(html)


def test_every_page_can_be_read_by_a_parser_and_names_the_release(client: TestClient, store: Store) -> None:
    paths = [f"/rule/{rule.number}" for rule in reference.rules(store)]
    paths += [f"/keyword/{row.slug}" for row in reference.keywords(store)]
    paths += ["/type/creature", "/type/human", "/type/legendary", "/term/mill", "/term/grind"]
    paths += ["/rules", "/keywords", "/terms"]
    for path in paths:
        assert RELEASE in text_of(page(client, path)), path


# History


def test_a_rule_that_moved_tells_where_it_was_and_what_was_there(client: TestClient, store: Store) -> None:
    text = text_of(page(client, "/rule/701.3"))
    assert "Followed through 3 releases, 2030-02-03 to 2032-05-06" in text
    assert "2031-03-04 701.3 moved 2030-02-03 701.4 first found, and maybe older" in text
    assert "2030-02-03: “Mill”, now 701.4" in text
    found = lineage(store, "701.3")
    assert found is not None
    assert [(v.release, v.number, v.kind) for v in found.versions] == [
        ("2031-03-04", "701.3", "moved"),
        ("2030-02-03", "701.4", "first found"),
    ]


def test_new_words_are_marked(client: TestClient) -> None:
    html = page(client, "/rule/701.3a")
    assert re.search(r"<ins>[^<]*hot\.</ins>", html)
    assert "2032-05-06 701.3a reworded" in text_of(html)
    assert "In these words since 2032-05-06" in text_of(page(client, "/rule/701.3"))


def test_what_a_later_release_added_has_no_earlier_history(store: Store) -> None:
    found = lineage(store, "702.4a")
    assert found is not None
    assert [(v.release, v.kind) for v in found.versions] == [("2031-03-04", "added")]
    assert found.others == []


def test_one_release_has_no_history_and_it_is_told_how_to_have_one(outlined: Store) -> None:
    assert lineage(outlined, "702.9") is None
    html = shown_html(outlined, [RulePage(outlined, "702.9", SERVED, Book(outlined))], SERVED)
    assert "cardlaw build --rules FOLDER" in text_of(html)


# Lists of cards


def test_the_list_of_each_rule_has_the_cards_that_the_graph_counts(outlined: Store) -> None:
    lists = CardLists(outlined)
    cited = [rule for rule in reference.rules(outlined) if rule.card_count_with_subrules]
    assert len(cited) > 50
    for rule in cited:
        own = lists.of_rule(rule.number, subrules=False)
        whole = lists.of_rule(rule.number, subrules=True)
        assert len(own) == rule.card_count, rule.number
        assert len(whole) == rule.card_count_with_subrules, rule.number
        names = sorted(row.name for row in lists.listed(own, own))
        assert names == sorted(read.rule(outlined, rule.number).cards), rule.number


def test_the_list_of_each_keyword_has_the_cards_of_its_record(outlined: Store) -> None:
    lists = CardLists(outlined)
    for row in reference.keywords(outlined):
        record = read.keyword(outlined, row.iri)
        found = lists.of_keyword(row.iri, row.rule, action=row.action)
        for relation, cards in record.cards.items():
            some = lists.chosen(found, Wanted(relation=relation))
            assert sorted(each.name for each in lists.listed(found, some)) == sorted(cards), row.name


def test_quotes_stand_in_the_words_around_them(outlined: Store) -> None:
    lists = CardLists(outlined)
    ties = lists.of_rule("701.22", subrules=True)  # Scry
    falconer = next(row for row in lists.listed(ties, ties) if row.name == "Brindle Falconer")
    assert falconer.type_line == "Creature — Human Scout"
    [quote] = falconer.quotes
    assert (quote.before, quote.words, quote.after) == (
        "Whenever Brindle Falconer attacks, ",
        "scry",
        " 1. (Look at the top card of your library.)",
    )
    assert (quote.rule, quote.relation) == ("701.22", "keyword_action")


@pytest.mark.parametrize(
    ("wanted", "is_there"),
    [
        (Wanted(colors=("W", "U", "G")), True),
        (Wanted(colors=("W", "U", "G", "R")), True),
        (Wanted(colors=("W", "U")), False),
        (Wanted(colors=("W", "U"), mode="with"), True),
        (Wanted(colors=("R",), mode="with"), False),
        (Wanted(colors=("W", "U", "G"), mode="exactly"), True),
        (Wanted(colors=("W", "U"), mode="exactly"), False),
        (Wanted(colors=("C",)), False),
        (Wanted(type="human sco"), True),
        (Wanted(type="CREATURE scout"), True),
        (Wanted(type="uman"), False),
        (Wanted(type="goblin"), False),
        (Wanted(text="vigilance ATTACKS"), True),
        (Wanted(text="brindle"), True),
        (Wanted(text="brindle trample"), False),
        (Wanted(relation="has_keyword"), True),
        (Wanted(relation="grants_keyword"), False),
        (Wanted(relation="nonsense"), False),
    ],
)
def test_filters(outlined: Store, wanted: Wanted, is_there: bool) -> None:
    lists = CardLists(outlined)
    ties = lists.of_rule("702.9", subrules=True)
    assert ("brindle-falconer" in lists.chosen(ties, wanted)) == is_there


def test_tokens_are_in_no_list(outlined: Store) -> None:
    rows = CardLists(outlined)
    ties = rows.of_type(expand("type:bird"))
    assert list(ties) == []
    assert all(len(card) != 36 for card in rows.of_rule("702.9", subrules=True))


def test_pages_of_a_list(outlined: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cardtable, "PER_PAGE", 2)
    book = Book(outlined)
    seen = []
    number, pages = 1, 1
    while number <= pages:
        table = RulePage(outlined, "302", SERVED, book, Wanted(page=number)).cards
        seen += [row.iri for row in table.rows]
        pages = table.pages
        assert (table.href(number + 1) is None) == (number == pages)
        number += 1
    assert pages > 5
    assert seen == sorted(set(seen))
    assert len(seen) == len(book.lists.of_rule("302", subrules=True))
    beyond = RulePage(outlined, "302", SERVED, book, Wanted(page=10_000)).cards
    assert beyond.page == pages
    following = urlsplit(RulePage(outlined, "302", SERVED, book, Wanted(type="goat")).cards.href(1) or "")
    assert parse_qsl(following.query) == [("type", "goat")]


def test_the_form_filters_and_keeps_what_was_asked(client: TestClient) -> None:
    html = page(client, "/rule/702.2?text=deep&type=creature&color=W&mode=with&relation=has_keyword")
    found = Elements(html).found
    inputs = {attrs.get("name"): attrs.get("value") for tag, attrs in found if tag == "input"}
    assert inputs["text"] == "deep"
    assert inputs["type"] == "creature"
    checked = [attrs["value"] for tag, attrs in found if tag == "input" and "checked" in attrs]
    assert checked == ["W"]
    assert "0 cards of 3" in text_of(html)
    assert "No card is so" in text_of(html)


def test_what_is_typed_and_what_cards_are_called_stays_text(client: TestClient) -> None:
    hostile = '"><script>alert(1)</script>'
    html = client.get("/rule/702.4", params={"text": hostile}).text
    assert "<script>alert" not in html
    parses(html)
    listed = page(client, "/rule/702.4")
    assert "<img src=x" not in listed
    assert "<img src=x onerror=alert(1)>" in text_of(listed)


def test_only_scripts_of_the_server_run(client: TestClient) -> None:
    policy = client.get("/rule/702.2", headers={"accept": "text/html"}).headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert client.get("/assets/cardlist.js").headers["content-type"].startswith("text/javascript")


def test_a_page_that_is_kept_keeps_its_policy(root: Path) -> None:
    kept = TestClient(create_app(Site(root, "http://testserver/")))
    first = kept.get("/rule/702.2", headers={"accept": "text/html"})
    again = kept.get("/rule/702.2", headers={"accept": "text/html", "if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert "content-security-policy" not in again.headers


@given(st.lists(st.tuples(st.sampled_from([*Wanted.__struct_fields__, "color"]), st.text(max_size=9))))
@settings(deadline=None)
def test_any_parameters_mean_something_that_can_be_asked_again(pairs: list[tuple[str, str]]) -> None:
    wanted = Wanted.of(pairs)
    again = Wanted.of(wanted.pairs(wanted.page))
    if not wanted.colors:  # then the mode says nothing, and is not kept
        again, wanted = (Wanted.of([*each.pairs(each.page)]) for each in (again, wanted))
    assert again == wanted
    assert wanted.page >= 1


# Keywords, terms, types


def test_a_keyword_stands_with_its_rule_and_its_cards(client: TestClient) -> None:
    html = page(client, "/keyword/flying")
    text = text_of(html)
    assert "Keyword ability of the Comprehensive Rules" in text
    assert "Rule 702.2 Flying" in text
    assert "Nature static" in text
    assert "702.2a Flying is a static ability." in text
    assert "3 cards" in text
    assert "Brindle Falconer" in text
    assert "Cards that do it" in text_of(page(client, "/keyword/scry"))


def test_variants_and_namesakes_are_linked(outlined: Store) -> None:
    found = page_of(outlined, expand("keyword:cycling"), SERVED, Book(outlined))
    assert found is not None
    html = shown_html(outlined, [found], SERVED)
    assert "/keyword/typecycling" in links(html)
    assert "/term/cycling" in links(html)


def test_a_term_has_its_words_and_what_it_sees(client: TestClient) -> None:
    html = page(client, "/term/grind")
    assert "/term/mill" in links(html)
    assert "Seen from Grind" in text_of(page(client, "/term/mill"))
    assert "/rule/701.3" in links(page(client, "/term/mill"))


def test_a_type_has_its_subtypes_and_cards(outlined: Store) -> None:
    found = page_of(outlined, expand("type:creature"), SERVED, Book(outlined))
    assert found is not None
    html = shown_html(outlined, [found], SERVED)
    parses(html)
    assert "/type/goblin" in links(html)
    assert "Plain Badger" in text_of(html)
    assert "Card type, with the Comprehensive Rules" in text_of(html)


# Indexes


def test_the_index_of_the_rules_is_in_the_order_of_the_book(client: TestClient) -> None:
    found = re.findall(r'href="/rule/([\d.]+)"', page(client, "/rules"))
    assert found == [
        "1",
        "100",
        "103",
        "7",
        "701",
        *(f"701.{n}" for n in (2, 3, 4)),
        "702",
        "702.2",
        "702.3",
        "702.4",
    ]
    rules = client.get("/rules.json").json()
    assert rules["rulebook"] == RELEASE
    assert [rule["rule"] for rule in rules["rules"]] == found


def test_keywords_and_terms_by_letter(client: TestClient) -> None:
    html = page(client, "/keywords")
    assert '<tbody id="letter-F">' in html
    assert "Flying 702.2 keyword ability: static 2" in text_of(html), "one more only grants it"
    assert {row["keyword"] for row in client.get("/keywords.json").json()["keywords"]} >= {"Flying", "Scry"}
    terms = page(client, "/terms")
    assert links(terms).index("/term/cycling") < links(terms).index("/term/mill")
    assert [row["term"] for row in client.get("/terms.json").json()["terms"]] == ["Cycling", "Grind", "Mill"]


# Elsewhere than on the server


def test_a_page_alone_has_no_form_and_no_links_into_a_server(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cardtable, "PER_PAGE", 2)
    book = Book(store)
    items = [page_of(store, expand(node), Alone(), book) for node in ("rule:702.2", "keyword:flying")]
    html = shown_html(store, [item for item in items if item], Alone())
    parses(html)
    assert "<form" not in html
    assert "<script" not in html
    assert all(href.startswith(("https://", "#")) for href in links(html))
    assert "And 1 more: cardlaw query cards-by-rule --set rule=702.2 lists them all" in text_of(html)


def test_a_page_in_a_folder_links_to_those_beside_it(store: Store) -> None:
    pages = {expand("rule:702"): "rule/702.html", expand("rule:702.2"): "rule/702.2.html"}
    folder = Folder("rule/702.2.html", pages, {})
    found = page_of(store, expand("rule:702.2"), folder, Book(store))
    assert found is not None
    html = shown_html(store, [found], folder)
    assert "702.html" in links(html)
    assert expand("rule:702.2a") in links(html)
