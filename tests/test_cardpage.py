"""A card's page: no text is lost, each cited word opens its rule and the reason, and names stay text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import html5lib
import msgspec
import pytest
from handmade import BOOK, CARDS, ability, card, face, opened, write_store
from pagecheck import faults_of, libraries, parses

from cardlaw.exports.links import SERVED, Alone, Folder, Links
from cardlaw.exports.recordpage import records_html
from cardlaw.exports.rulingplaces import place
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.model import Card, Printing, Related, Ruling, Stated
from cardlaw.graph.store import Store, open_store

FIXTURES = Path(__file__).parent / "fixtures"
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The cards that are linked by hand."""
    with opened(tmp_path_factory.mktemp("cards") / "store") as graph:
        yield graph


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """All invented cards with the invented rulebook's words, printings and rulings."""
    folder = tmp_path_factory.mktemp("whole") / "store"
    build(
        cards=[FIXTURES / "cards.json", FIXTURES / "scryfall.json"],
        rules=FIXTURES / "rulebook.txt",
        rulings=FIXTURES / "scryfall-rulings.json",
        store=folder,
        workers=1,
    )
    with open_store(folder) as graph:
        yield graph


class Page:
    """A page as a parser of the standard's reads it; queries by tag and class."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.root = html5lib.HTMLParser(strict=True).parse(html)

    def all(self, tag: str, *classes: str, within: Any = None) -> list[Any]:
        found = (self.root if within is None else within).iter(XHTML + tag)
        return [each for each in found if set(classes) <= set(each.get("class", "").split())]

    def id(self, id: str) -> Any:
        (found,) = [each for each in self.root.iter() if each.get("id") == id]
        return found


def said(element: Any) -> str:
    """What a reader is given of an element: symbols by their codes, nothing of what opens only on demand."""
    hidden = "svg" in element.tag or {"pop", "opener"} & set(element.get("class", "").split())
    inner = "" if hidden else (element.text or "") + "".join(map(said, element))
    return inner + (element.tail or "")


def words_of(element: Any) -> str:
    """All words of an element, parted by single spaces."""
    return " ".join(" ".join(element.itertext()).split())


def page(store: Store, *names: str, links: Links | None = None) -> Page:
    return Page(records_html(store, [read.card(store, name) for name in names], links or Alone()))


def shown(tmp_path: Path, made: Card) -> Page:
    """The page of a card that is in a graph of its own."""
    with open_store(write_store(tmp_path / "store", [made])) as graph:
        return page(graph, f"card:{made.slug}")


# What stands there


def test_name_cost_type_and_size_stand_at_the_head(store: Store) -> None:
    made = page(store, "Glass Môth")
    assert [words_of(h) for h in made.all("h1")] == ["Glass Môth"]
    (cost,) = made.all("p", "cost")
    assert [pip.get("aria-label") for pip in made.all("span", "pip", within=cost)] == [
        "one generic mana",
        "one green mana",
    ]
    assert " ".join(said(cost).split()) == "Mana cost {1}{G}"
    (type_line,) = made.all("div", "type")
    assert " ".join(said(type_line).split()) == "Creature — Heron Power and toughness 1+*/3"


def test_each_ability_stands_on_its_own_line_with_its_kind(store: Store) -> None:
    made = page(store, "Glass Môth")
    kinds = [" ".join(said(p).split()) for p in made.all("p", "kind")]
    assert kinds == ["Keyword ability Flying 1.1", "Activated mana ability 1.2"]
    lines = [said(p).strip() for p in made.all("p", "words")]
    assert lines == ["Flying", "{T}: Add {G}."]


def test_a_cited_word_opens_rule_heading_words_and_reason(store: Store) -> None:
    made = page(store, "Lamp Ward")
    (mark,) = made.all("span", "cite", "r-effect")
    (label,) = mark.findall(f"{XHTML}label")
    (button,) = mark.findall(f"{XHTML}button")
    assert words_of(label) == "instead"
    assert label.get("for") == button.get("id")
    popup = made.id(button.get("popovertarget"))
    assert "popover" in popup.attrib
    text = words_of(popup)
    assert text.startswith("614.1a Replacement Effects effect Instead.")
    assert "Why how the effect works" in text
    assert text.endswith("effect.614.1a")
    hrefs = [a.get("href") for a in popup.iter(f"{XHTML}a")]
    assert hrefs == ["https://w3id.org/cardlaw/rule/614.1a", "https://w3id.org/cardlaw/entry/effect.614.1a"]


def test_a_heading_is_quoted_by_the_first_rule_under_it_with_words(tmp_path: Path) -> None:
    text = "{T}: Add {G}."
    made = card("Lamp", face("Lamp", "Land", text, ability(text, text, "activated", ("605", "cost", "{T}"))))
    popup = shown(tmp_path, made).all("span", "pop")[-1]
    assert "605 Mana Abilities" in words_of(popup)
    assert "605.1a Mana comes." in words_of(popup)


def test_words_of_several_citations_open_them_all_and_tell_those_around(tmp_path: Path) -> None:
    text = "If it would dim, exile it instead."
    cited = (
        ("614.1a", "effect", "would dim, exile it instead"),
        ("701.13", "keyword_action", "exile"),
        ("115", "defined_term", "exile"),
    )
    made = shown(
        tmp_path, card("Lamp", face("Lamp", "Enchantment", text, ability(text, text, "static", *cited)))
    )  # type: ignore[arg-type]
    (inner,) = made.all("span", "cite", "r-keyword_action", "r-defined_term")
    (outer,) = made.all("span", "cite", "r-effect")
    assert inner in list(outer)
    popup = words_of(made.all("span", "pop", within=inner)[0])
    assert "115 Targets" in popup
    assert "701.13 Exile" in popup
    assert "The words around it also cite 614.1a Replacement Effects" in popup
    (own,) = outer.findall(f"{XHTML}button")
    assert {label.get("for") for label in outer.findall(f"{XHTML}label")} == {own.get("id")}


def test_what_the_whole_ability_cites_opens_from_its_kind(tmp_path: Path) -> None:
    text = "Lamps are dim."
    made = card(
        "Lamp", face("Lamp", "Land", text, ability(text, text, "static", ("603", "ability_kind", text)))
    )
    page_ = shown(tmp_path, made)
    (kind,) = page_.all("p", "kind")
    (mark,) = page_.all("span", "cite", within=kind)
    assert said(mark).strip() == "Static ability"
    assert "603 Triggers" in words_of(mark)
    (words,) = page_.all("p", "words")
    assert page_.all("span", "cite", within=words) == []


def test_reminder_text_is_set_apart(store: Store) -> None:
    made = page(store, "Marsh Courier")
    (aside,) = made.all("span", "reminder")
    assert said(aside).startswith("(Exile this card.)")
    assert len(made.all("span", "cite", within=aside)) == 1
    (listed,) = made.all("li", "aside")
    assert "only in reminder text" in words_of(listed)


def test_a_granted_ability_stands_under_the_one_that_grants_it(store: Store) -> None:
    made = page(store, "Lamp Ward")
    outer, inner = made.id("ability-1-1"), made.id("ability-1-1-1")
    assert inner in list(outer.iter())
    assert "granted" in inner.get("class")
    (quoted,) = made.all("span", "quoted", within=outer)
    assert said(quoted).startswith("{T}: Add {G}.")
    assert said(made.all("p", "words", within=inner)[0]).strip() == "{T}: Add {G}."


def test_each_face_has_a_part_of_its_own(store: Store) -> None:
    made = page(store, "Lamp Ward // Sky Ward")
    assert [words_of(h) for h in made.all("h1") + made.all("h2")][:3] == [
        "Lamp Ward // Sky Ward",
        "Lamp Ward",
        "Sky Ward",
    ]
    assert {each.get("id") for each in made.all("section", "face")} == {"face-1", "face-2"}


def test_the_legend_counts_citations_by_relation(store: Store) -> None:
    made = page(store, "Marsh Courier")
    (legend,) = made.all("fieldset", "legend")
    told = {words_of(label).strip() for label in legend.iter(f"{XHTML}label")}
    assert told == {
        "all",
        "has keyword 1",
        "keyword action 2",
        "ability kind 1",
        "trigger event 1",
        "card type 1",
    }


def test_the_list_under_an_ability_has_each_citation_with_its_reason(store: Store) -> None:
    made = page(store, "Marsh Courier")
    (details,) = made.all("details", "proofs", within=made.id("ability-1-2"))
    rows = [words_of(row) for row in made.all("li", "ref", within=details)]
    assert len(rows) == 3
    assert "701.13 Exile keyword action a player or an effect does this keyword_action.701.13" in rows[-1]
    assert words_of(details[0]).startswith("3 rules 603 Triggers 603.6a Triggers 701.13 Exile")


@pytest.mark.parametrize("name", [card_.name for card_ in CARDS])
def test_all_oracle_text_is_there(store: Store, name: str) -> None:
    assert_text_is_there(store, read.card(store, name))


def test_all_oracle_text_of_all_invented_cards_is_there(whole: Store) -> None:
    cards = list(read.cards(whole))
    assert len(cards) > 40
    for each in cards:
        assert_text_is_there(whole, each)


def assert_text_is_there(store: Store, each: Card) -> None:
    made = Page(records_html(store, [each], Alone()))
    for number, one in enumerate(each.faces, 1):
        section = made.id(f"face-{one.number}")
        lines = [said(p) for p in made.all("p", "words", within=section)]
        there = set(re.findall(r"\w+|[{}]", " ".join(lines)))
        assert there >= set(re.findall(r"\w+|[{}]", one.oracle_text or "")), (each.name, number)


def test_a_held_ability_stands_only_under_the_one_that_holds_it(whole: Store) -> None:
    made = page(whole, "Lamplighter")
    text = (
        next(card_ for card_ in read.cards(whole) if card_.name == "Lamplighter").faces[0].oracle_text or ""
    )
    (face_,) = made.all("section", "face")
    lines = [said(p).strip() for p in made.all("p", "words", within=face_)]
    assert len(lines) == len(set(lines)) == len(text.splitlines())
    assert len(made.all("div", "held", within=face_)) > 0


def test_words_that_are_no_abilitys_stand_between(whole: Store) -> None:
    made = page(whole, "Ladder Adept")
    assert any("LEVEL" in said(p) for p in made.all("p", "words"))


def test_a_face_of_which_only_the_name_is_known_says_so(whole: Store) -> None:
    bare = [
        c for c in read.cards(whole) if any(f.type_line is None and f.oracle_text is None for f in c.faces)
    ]
    assert bare
    assert "has only the name of this face" in page(whole, bare[0].name).html


# What is known beside the text


RICH = msgspec.structs.replace(
    CARDS[4],
    legalities={"modern": "legal", "vintage": "restricted", "pauper": "banned", "brawl": "not_legal"},
    prices={"usd": "0.21", "usd_foil": "1.50", "tix": "0.03"},
    prices_date="2031-02-01",
    related=(Related(name="Moth", component="token", id="00000000-0000-0000-0000-000000000001"),),
    printings=(
        Printing(
            id="0a", set_code="old", number="7", set_name="Old Set", released="2029-01-01", rarity="rare"
        ),
        Printing(id="0b", set_code="new", number="12a", released="2030-01-01", prices={"eur": "2.00"}),
    ),
    oracle_id="6a3b",
    color_identity=("B", "G"),
)


def test_formats_prices_with_their_day_and_printings(tmp_path: Path) -> None:
    made = shown(tmp_path, RICH)
    (market,) = made.all("section", "market")
    told = words_of(market)
    assert "Legal Modern" in told
    assert "Restricted Vintage" in told
    assert "Banned Pauper" in told
    assert "Brawl" not in told
    assert "US$ 0.21" in told
    assert "US$ 1.50 foil" in told
    assert "on 2031-02-01" in told
    assert "Makes Moth" in told
    rows = [words_of(row) for row in made.all("section", "printings")[0].iter(f"{XHTML}tr")]
    assert rows[1:] == ["NEW 12a 2030-01-01 € 2.00", "Old Set 7 rare 2029-01-01"]


def test_tags_stand_by_where_they_come_from(tmp_path: Path) -> None:
    made = shown(tmp_path, RICH)
    groups = {g.get("class").split()[1]: g for g in made.all("section", "group")}
    assert list(groups) == ["attributes", "extracted", "inferred", "suggested"]
    attributes = words_of(groups["attributes"])
    assert "Color identity Black Green" in attributes
    extracted = words_of(groups["extracted"])
    assert "Abilities keyword ability triggered ability" in extracted
    assert "Keyword actions Exile" in extracted
    (exile,) = [a for a in groups["extracted"].iter(f"{XHTML}a") if words_of(a) == "Exile"]
    assert exile.get("title") == "“exile” in ability 1.2 cites 701.13"
    assert "No theme follows from what is known of it." in words_of(groups["inferred"])
    assert "No tags have been suggested in this graph." in words_of(groups["suggested"])


@pytest.mark.parametrize(
    ("cost", "tags"),
    [
        ("{2}{W/U}", ["1 colored symbol", "2 generic", "hybrid"]),
        ("{X}{G}{R/P}", ["2 colored symbols", "several colors", "variable", "Phyrexian"]),
        ("{C}{S}", ["colorless", "snow"]),
        (None, ["no mana cost"]),
    ],
)
def test_tags_of_a_mana_cost(tmp_path: Path, cost: str | None, tags: list[str]) -> None:
    made = shown(tmp_path, card("Lamp", face("Lamp", "Artifact", None, mana_cost=cost)))
    facets = [div for div in made.root.iter(f"{XHTML}div") if div.find(f"{XHTML}dt") is not None]
    (facet,) = [div for div in facets if words_of(div.find(f"{XHTML}dt")) == "Mana cost"]
    assert [words_of(li) for li in facet.iter(f"{XHTML}li")] == tags


def test_a_split_card_has_the_mana_value_of_both_halves(tmp_path: Path) -> None:
    halves = [
        face(name, "Instant", None, number=n, mana_cost=cost, mana_value=value)
        for n, (name, cost, value) in enumerate((("Hush", "{U}", 1.0), ("Roar", "{2}{R}", 3.0)), 1)
    ]
    made = shown(tmp_path, card("Hush // Roar", *halves, layout="split"))
    assert "Mana value 4 " in words_of(made.all("section", "attributes")[0])


@pytest.mark.parametrize(
    ("colors", "cost", "fills"),
    [
        (("U", "R"), None, ["fill-u", "fill-r"]),
        ((), "{W}", ["fill-plain"]),
        (None, "{2}{R}{W}", ["fill-w", "fill-r"]),
        (None, "{2}", ["fill-plain"]),
        (None, None, []),
    ],
)
def test_the_edge_has_the_colors_that_are_known(
    tmp_path: Path, colors: tuple[str, ...] | None, cost: str | None, fills: list[str]
) -> None:
    one = face("Lamp", "Artifact", None, mana_cost=cost, colors=colors)
    (strip,) = shown(tmp_path, card("Lamp", one)).all("div", "strip")
    assert sorted(span.get("class") for span in strip) == sorted(fills)


def test_a_link_to_scryfall_goes_by_oracle_id_or_name(store: Store) -> None:
    def link(name: str) -> str:
        (found,) = [a.get("href") for a in page(store, name).all("a") if a.get("rel") == "external"]
        return str(found)

    assert "q=oracleid%3A6a3b" in link("Glass Môth")
    assert "q=%21%22Lamp+Ward+%2F%2F+Sky+Ward%22" in link("Lamp Ward")


def test_the_picture_has_what_lies_around_the_card_as_links(store: Store) -> None:
    made = page(store, "Marsh Courier")
    svg = "{http://www.w3.org/2000/svg}"
    nodes = list(made.root.iter(f"{svg}a"))
    titles = {words_of(a.find(f"{svg}title")) for a in nodes}
    assert {"Marsh Courier", "Marshcycling", "702.29e Cycling", "603.6a Triggers", "302 Creatures"} <= titles
    assert "https://w3id.org/cardlaw/keyword/marshcycling" in {a.get("href") for a in nodes}
    assert len(list(made.root.iter(f"{svg}line"))) == 8


# Rulings


def ruling(text: str, *rules: str) -> Ruling:
    stated = tuple(Stated(rule=number) for number in rules)
    return Ruling(oracle_id="6a3b", source="wotc", published="2031-01-01", text=text, rules=stated)


SPEAKER = card(
    "Marsh Courier",
    CARDS[4].faces[0],
    oracle_id="6a3b",
)


@pytest.mark.parametrize(
    ("text", "rules", "ability_id"),
    [
        ("Marshcycling can be activated while the marsh is dry.", (), "1.1"),
        ("The triggered ability is put on a shelf.", (), "1.2"),
        ("The second ability is dim.", (), "1.2"),
        ("See there.", ("603.6a",), "1.2"),
        ("All is well.", (), None),
        ("The ninth ability is none.", (), None),
    ],
)
def test_a_ruling_stands_beside_the_ability_that_it_speaks_of(
    text: str, rules: tuple[str, ...], ability_id: str | None
) -> None:
    said_ = ruling(text, *rules)
    placed, rest = place(msgspec.structs.replace(SPEAKER, rulings=(said_,)))
    assert (placed, rest) == (({ability_id: [said_]}, []) if ability_id else ({}, [said_]))


def test_rulings_that_fit_no_ability_stand_with_the_card(tmp_path: Path) -> None:
    rulings = (ruling("Marshcycling is dry.", "702.29e"), ruling("All is {W}ell."))
    made = shown(tmp_path, msgspec.structs.replace(SPEAKER, rulings=rulings))
    (beside,) = made.all("aside", "rulings")
    assert beside in list(made.id("ability-1-1"))
    assert "Marshcycling is dry." in words_of(beside)
    assert "702.29e" in words_of(beside)
    (below,) = made.all("section", "rulings")
    assert "All is {W}ell." in said(below)


# Links, forms and words that are missing


def test_the_page_names_its_release(store: Store) -> None:
    (foot,) = page(store, "Plain Ox").all("footer")
    assert "Comprehensive Rules effective 2031-02-03" in words_of(foot)


def test_without_the_words_the_page_says_how_to_get_them(small_store: Path) -> None:
    with open_store(small_store) as graph:
        made = page(graph, "Brindle Falconer")
    assert "cardlaw build --rules FILE" in made.html
    assert "The words of this rule are not in this graph." in made.html


def test_with_the_words_it_does_not(whole: Store) -> None:
    assert "not in this graph, which" not in page(whole, "Brindle Falconer").html


def test_a_file_of_its_own_asks_for_nothing(store: Store) -> None:
    made = page(store, "Lamp Ward", "Glass Môth")
    assert [h.text for h in made.all("h1")] == ["Lamp Ward // Sky Ward", "Glass Môth"]
    assert {link.get("href") for link in made.all("link")} == {"data:,"}
    assert made.all("script") == []
    assert len(made.all("style")) == 2
    hrefs = {a.get("href") for a in made.all("a")}
    assert all(
        re.match(r"#|https://(w3id\.org/cardlaw/|scryfall\.com/|company\.wizards\.com/)", h) for h in hrefs
    )
    ids = [each.get("id") for each in made.root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_served_pages_have_twins_and_the_way_to_the_data(store: Store) -> None:
    made = page(store, "Plain Ox", links=SERVED)
    twins = {
        link.get("type"): link.get("href") for link in made.all("link") if link.get("rel") == "alternate"
    }
    assert twins["application/json"] == "/card/plain-ox.json"
    assert twins["text/turtle"] == "/card/plain-ox.ttl"
    hrefs = {a.get("href") for a in made.all("a")}
    assert {"/card/plain-ox.json", "/card/plain-ox.ttl", "/card/plain-ox?view=data"} <= hrefs
    assert "/explore#focus=card:plain-ox" in hrefs


def test_links_of_a_folder_go_from_file_to_file(store: Store) -> None:
    base = "https://w3id.org/cardlaw/"
    pages = {
        f"{base}card/lamp-ward-sky-ward": "card/lamp-ward.html",
        f"{base}rule/614.1a": "rule/614.1a.html",
    }
    made = page(store, "Lamp Ward", links=Folder("card/lamp-ward.html", pages, {"home": "index.html"}))
    hrefs = {a.get("href") for a in made.all("a")}
    assert {"../rule/614.1a.html", "../index.html", f"{base}rule/701.13", "lamp-ward.json"} <= hrefs
    assert {link.get("href") for link in made.all("link") if link.get("rel") == "stylesheet"} == {
        "../assets/pages.css",
        "../assets/cards.css",
    }


def test_other_records_have_a_page_too(store: Store) -> None:
    records = [read.rule(store, "614.1a"), read.keyword(store, "Cycling"), read.term(store, "Kindle")]
    made = Page(records_html(store, records, Alone()))
    titles = ["".join(h.itertext()) for h in made.all("h1")]
    assert titles == ["614.1a", "Cycling", "Kindle, Kindled"]
    assert "1 card</p>" in made.html
    assert "Lamp Ward // Sky Ward" in made.html


# Hostile names and validity


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, [name for name, _ in attrs]))


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script></style><script>alert(2)</script>",
    '" onmouseover="alert(3)',
    "{{ 7 * 7 }} {% raw %} & &amp; \u2028 <!--",
)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_text(tmp_path: Path, words: str) -> None:
    def made(said_: str, folder: str) -> str:
        text = f"{said_}\n{said_} and Z"
        own = ability(
            text, text, "keyword", ("603", "effect", said_), keyword=said_, parameters={"cost": said_}
        )
        rich = card(
            "Lamp",
            face(
                "Lamp",
                f"Land {said_}",
                text,
                own,
                mana_cost="{1}",
                power=said_,
                toughness=said_,
                loyalty=said_,
            ),
            legalities={"modern": "legal"},
            prices={"usd": "0.21"},
            oracle_id="6a3b",
            rulings=(ruling(said_),),
            printings=(Printing(id="0a", set_code="old", number=said_, set_name=said_, rarity=said_),),
        )
        rich = msgspec.structs.replace(rich, name=said_)
        with open_store(write_store(tmp_path / folder, [rich])) as graph:
            return records_html(graph, list(read.cards(graph)), Alone())

    hostile, plain = made(words, "hostile"), made("Zebra", "plain")
    assert {tag for tag, _ in Tags(hostile).found} <= {tag for tag, _ in Tags(plain).found} | {
        "section",
        "h2",
    }
    names = {name for _, attributes in Tags(hostile).found for name in attributes}
    assert not {name for name in names if name.startswith("on")} | (names & {"style", "src"})
    assert Page(hostile).all("h1")[0].text == words


def test_pages_parse(whole: Store) -> None:
    for each in read.cards(whole):
        parses(records_html(whole, [each], SERVED))


@pytest.mark.programs
def test_pages_are_valid(whole: Store, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    modules = libraries(pytestconfig)
    for names in (["Brindle Falconer"], ["Vane Turner", "Hush"], ["Ossa of the Two Doors"], ["Lamplighter"]):
        records = [read.card(whole, name) for name in names]
        assert faults_of(records_html(whole, records, Alone()), modules, tmp_path) == []


def test_the_invented_rulebook_is_quoted_with_links(whole: Store) -> None:
    made = page(whole, "Brindle Falconer", links=SERVED)
    inner = [a for p in made.all("span", "paragraph") for a in made.all("a", within=p)]
    assert inner
    assert all(a.get("href").startswith("/rule/") for a in inner)
    assert BOOK.release not in made.html
