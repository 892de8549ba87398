"""Linked data: every IRI answers, in each form with the same statements, and hostile names stay text."""

from __future__ import annotations

import json
import re
import shutil
import socket
import threading
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import uvicorn
from pyoxigraph import Literal, NamedNode, Triple
from rdflib import OWL, RDF, Graph, Namespace, URIRef
from rdflib.compare import isomorphic
from starlette.applications import Starlette

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from cardlaw.exports import alikepages, describe, linked, rdfforms, vocabulary
from cardlaw.exports.accept import preferred
from cardlaw.exports.site import Site
from cardlaw.graph.build import build
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology import data
from cardlaw.ontology.namespaces import BASE, DATA_PREFIXES, MTG, expand

FIXTURES = Path(__file__).parent / "fixtures"
BASE_ADDRESS = "http://testserver/"
PARSERS = {"ttl": "turtle", "jsonld": "json-ld", "nt": "nt", "rdf": "xml"}
MEDIA = {form.suffix: form.media for form in rdfforms.FORMATS}
VOID = Namespace("http://rdfs.org/ns/void#")
DCAT = Namespace("http://www.w3.org/ns/dcat#")
DCTERMS = Namespace("http://purl.org/dc/terms/")


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(small_store: Path) -> TestClient:
    site = Site(small_store, BASE_ADDRESS)
    return TestClient(
        Starlette(routes=[*alikepages.routes(site), *linked.routes(site)]), follow_redirects=False
    )


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Store]]:
    """A site with all kinds of nodes: printings, tokens, rulings and a removed citation among them."""
    folder = tmp_path_factory.mktemp("rich")
    (folder / "mine.toml").write_text(
        'release = "2026-01-16"\n'
        '[[remove]]\ncard = "Brindle Falconer"\nrule = "702.9"\nreason = "for a test"\n',
        encoding="utf-8",
    )
    build(
        cards=[FIXTURES / "cards.json", FIXTURES / "scryfall.json"],
        rulings=FIXTURES / "scryfall-rulings.json",
        corrections=folder / "mine.toml",
        store=folder / "store",
        workers=1,
    )
    app = Starlette(routes=linked.routes(Site(folder / "store", BASE_ADDRESS)))
    with open_store(folder / "store") as opened:
        yield TestClient(app, follow_redirects=False), opened


def graph(client: TestClient, path: str, suffix: str) -> Graph:
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == MEDIA[suffix]
    return Graph().parse(data=response.content, format=PARSERS[suffix])


def iris_of(store: Store, prefix: str) -> list[str]:
    start = expand(f"{prefix}:")
    some = "{ ?s ?p ?o } UNION { GRAPH layer:themes { ?s ?p ?o } }"
    rows = store.query(f'SELECT DISTINCT ?s {{ {some} FILTER STRSTARTS(STR(?s), "{start}") }}')
    return sorted(row[0].value for row in rows)


def text_of(page: str) -> str:
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

    Reader().feed(page)
    return " ".join(" ".join(found).split())


class Elements(HTMLParser):
    """The start tags of a page, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def values(self, name: str) -> list[str]:
        return [attributes[name] or "" for _, attributes in self.found if name in attributes]


# Negotiation


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "text/html"),
        ("*/*", "text/html"),
        ("text/turtle", "text/turtle"),
        ("TEXT/Turtle;charset=utf-8", "text/turtle"),
        ("text/html;q=0.4, text/turtle;q=0.5", "text/turtle"),
        ("text/*, text/html;q=0.1", "text/turtle"),
        ("text/turtle;q=0, */*;q=0.1", "text/html"),
        ("application/xhtml+xml, text/html;q=0.9, */*;q=0.8", "text/html"),
        ("image/png", None),
        ("text/turtle;q=0", None),
        ("text/turtle;q=much, text/html;q=0.2", "text/html"),
    ],
)
def test_the_client_gets_what_it_likes_best(accept: str, chosen: str | None) -> None:
    assert preferred(accept, ["text/html", "text/turtle"]) == chosen


@pytest.mark.parametrize("form", rdfforms.FORMATS, ids=lambda form: form.suffix)
def test_an_iri_answers_in_the_form_that_is_asked_for(client: TestClient, form: rdfforms.Form) -> None:
    response = client.get("/rule/702.29", headers={"accept": f"{form.media}, text/html;q=0.5"})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith(form.media)
    assert response.headers["content-location"] == f"/rule/702.29.{form.suffix}"
    assert response.headers["vary"] == "Accept"
    assert response.content == client.get(f"/rule/702.29.{form.suffix}").content


def test_links_lead_to_the_other_forms_the_iri_and_the_data_set(client: TestClient) -> None:
    links = client.get("/rule/702.29", headers={"accept": "text/html"}).headers["link"]
    assert '</rule/702.29.ttl>; rel="alternate"; type="text/turtle"' in links
    assert '<https://w3id.org/cardlaw/rule/702.29>; rel="canonical"' in links
    assert '</.well-known/void>; rel="describedby"' in links
    assert "702.29.html" not in links


def test_what_no_form_fits_is_told(client: TestClient) -> None:
    response = client.get("/rule/702.29", headers={"accept": "image/png"})
    assert response.status_code == 406
    assert "text/turtle  /rule/702.29.ttl" in response.text
    assert "etag" not in response.headers


def test_an_unchanged_description_is_not_sent_again(client: TestClient, store: Store) -> None:
    first = client.get("/rule/702.29.ttl")
    tag = first.headers["etag"]
    assert store.info.id in tag
    for condition in (tag, f'"other", W/{tag}', "*"):
        again = client.get("/rule/702.29.ttl", headers={"if-none-match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get("/rule/702.29.ttl", headers={"if-none-match": '"other"'}).status_code == 200
    assert client.get("/rule/702.29.nt").headers["etag"] != tag


def test_head_tells_what_get_would(client: TestClient) -> None:
    got, head = client.get("/rule/702.29.ttl"), client.head("/rule/702.29.ttl")
    assert head.status_code == 200
    assert head.headers["content-length"] == got.headers["content-length"] == str(len(got.content))


def test_a_page_cannot_be_written(client: TestClient) -> None:
    assert client.post("/rule/702.29").status_code == 405


def test_a_dot_in_a_name_is_no_suffix(client: TestClient, store: Store) -> None:
    face = next(iri for iri in iris_of(store, "face") if iri.endswith(".2"))
    path = Site.address(face)
    assert client.get(path).headers["content-location"] == f"{path}.html"
    about = graph(client, f"{path}.ttl", "ttl")
    assert (URIRef(face), RDF.type, URIRef(MTG + "Face")) in about


# What is described


@pytest.mark.parametrize("prefix", DATA_PREFIXES)
def test_every_kind_of_node_answers_as_a_page_and_the_same_in_all_forms_of_rdf(
    rich: tuple[TestClient, Store], prefix: str
) -> None:
    client, store = rich
    some = iris_of(store, prefix)
    assert some or prefix in ("measurement", "revision")
    for iri in (*some[:3], *some[-2:]):
        path = Site.address(iri)
        page = client.get(path, headers={"accept": "text/html"}, follow_redirects=True)
        assert page.status_code == 200
        assert f"Comprehensive Rules effective {store.info.release}" in text_of(page.text)
        graphs = [graph(client, f"{path}.{suffix}", suffix) for suffix in ("ttl", "jsonld", "nt")]
        assert len(graphs[0]) > 0
        for other in graphs[1:]:
            assert set(graphs[0]) == set(other), iri
        assert not any(term.n3().startswith("_:") for triple in graphs[0] for term in triple)


def test_the_description_holds_what_the_graph_says_and_who_says_it_of_others(
    client: TestClient, store: Store
) -> None:
    about = graph(client, "/keyword/ward.ttl", "ttl")
    node = URIRef(expand("keyword:ward"))
    own = store.query("SELECT ?p ?o { keyword:ward ?p ?o }")
    assert {(p.value, o.value) for p, o in own} == {
        (str(p), str(o)) for p, o in about.predicate_objects(node)
    }
    cards = {row[0].value for row in store.query("SELECT ?s { ?s mtg:hasKeyword keyword:ward }")}
    assert cards
    assert {str(s) for s in about.subjects(URIRef(MTG + "hasKeyword"), node)} == cards
    labels = {str(about.value(URIRef(card), URIRef(expand("rdfs:label")))) for card in cards}
    assert "None" not in labels


def test_rdf_xml_is_the_same_but_for_what_xml_cannot_hold(client: TestClient, store: Store) -> None:
    for iri in iris_of(store, "face"):
        path = Site.address(iri)
        xml, nt = graph(client, f"{path}.rdf", "rdf"), graph(client, f"{path}.nt", "nt")
        held = Graph().parse(
            data=nt.serialize(format="nt").replace("\\u0007", "�").replace("\x07", "�"), format="nt"
        )
        assert set(xml) == set(held), iri


def test_a_hub_is_cut_with_the_number_and_the_query_for_the_rest(
    client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(describe, "MOST", 5)
    (row,) = store.query("SELECT (COUNT(?s) AS ?n) { ?s mtg:hasType type:creature }")
    total = int(row[0].value)
    assert total > 5
    about = graph(client, "/type/creature.jsonld", "jsonld")
    node = URIRef(expand("type:creature"))
    assert len(list(about.subjects(URIRef(MTG + "hasType"), node))) == 5
    queries = [
        parse_qs(urlsplit(str(rest)).query)["query"][0]
        for rest in about.objects(node, URIRef(expand("rdfs:seeAlso")))
    ]
    construct = next(query for query in queries if "mtg:hasType" in query)
    assert len(list(store.query(construct))) == total

    page = client.get("/type/creature.html?view=data").text
    assert f"{total}, here 5 of them" in text_of(page)
    href = next(
        href for href in Elements(page).values("href") if href.startswith("/query?") and "hasType" in href
    )
    assert len(list(store.query(parse_qs(urlsplit(href).query)["query"][0]))) == total


def test_json_ld_reads_as_the_vocabulary_names_things(client: TestClient) -> None:
    said = json.loads(client.get("/rule/702.21.jsonld").content)
    assert said["@id"] == "rule/702.21"
    assert said["@type"] == "Rule"
    assert said["notation"] == "702.21"
    assert said["broader"] == {"@id": "rule/702", "label": "702 Keyword Abilities"}
    assert isinstance(said["cardCount"], int)
    assert {"@id": "keyword/ward", "label": "Ward"} in as_list(said["@reverse"]["definedBy"])


def as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def test_json_ld_tells_apart_two_properties_of_one_local_name() -> None:
    node = NamedNode(BASE + "card/x")
    triples = [
        Triple(node, NamedNode(MTG + "title"), Literal("a")),
        Triple(node, NamedNode(str(DCTERMS.title)), Literal("b", language="en")),
        Triple(node, NamedNode(MTG + "power"), Literal("007", datatype=NamedNode(expand("xsd:integer")))),
        Triple(node, NamedNode(MTG + "next"), node),
        Triple(node, NamedNode("http://example.org/terms#kind"), Literal(True)),
    ]
    whole = {form.suffix: rdfforms.write(triples, form.suffix, node.value) for form in rdfforms.FORMATS}
    said = json.loads(whole["jsonld"])
    assert (said["title"], said["dcterms_title"]) == ("a", {"@value": "b", "@language": "en"})
    wanted = Graph().parse(data=whole["nt"], format="nt")
    assert len(wanted) == 5
    for suffix, form in PARSERS.items():
        assert set(Graph().parse(data=whole[suffix], format=form)) == set(wanted), suffix


def test_a_carriage_return_survives_in_xml() -> None:
    triple = Triple(NamedNode(BASE + "card/x"), NamedNode(MTG + "oracleText"), Literal("a\r\nb\tc"))
    for suffix, form in PARSERS.items():
        (found,) = Graph().parse(data=rdfforms.write([triple], suffix), format=form)
        assert str(found[2]) == "a\r\nb\tc"


def test_the_same_description_has_the_same_bytes(store: Store) -> None:
    triples = list(describe.describe(store, expand("rule:702.29")).triples(BASE_ADDRESS))
    for form in rdfforms.FORMATS:
        once, again = (rdfforms.write(order, form.suffix) for order in (triples, triples[::-1]))
        assert once == again


# Pages


def test_a_card_page_has_its_text_and_the_rules_with_their_proof(client: TestClient) -> None:
    page = client.get("/card/brindle-falconer", headers={"accept": "text/html"})
    text = text_of(page.text)
    assert "Brindle Falconer" in text
    assert "Falconcycling {2}" in text
    hrefs = Elements(page.text).values("href")
    assert "/rule/302" in hrefs
    assert {"/ability/brindle-falconer.1.1", "/card/brindle-falconer?view=data"} <= set(hrefs)
    assert "https://w3id.org/cardlaw/card/brindle-falconer" in hrefs


def test_what_the_graph_says_of_a_card_property_by_property_is_a_page_too(client: TestClient) -> None:
    page = client.get("/card/brindle-falconer?view=data", headers={"accept": "text/html"})
    assert "What the graph says of it" in text_of(page.text)
    assert "/face/brindle-falconer.1" in Elements(page.text).values("href")


def test_a_face_is_a_part_of_its_cards_page(client: TestClient) -> None:
    found = client.get("/face/vane-turner-vane-unturned.2", headers={"accept": "text/html"})
    assert (found.status_code, found.headers["location"]) == (303, "/card/vane-turner-vane-unturned#face-2")
    page = client.get("/card/vane-turner-vane-unturned", headers={"accept": "text/html"}).text
    assert "face-2" in Elements(page).values("id")
    assert client.get("/face/vane-turner-vane-unturned.2.ttl").status_code == 200
    data = client.get("/face/vane-turner-vane-unturned.2?view=data", headers={"accept": "text/html"})
    assert data.status_code == 200


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ("/card/brindle-falconer", "name", "Brindle Falconer"),
        ("/rule/702.29", "rule", "702.29"),
        ("/keyword/ward", "keyword", "Ward"),
        ("/term/cycling", "term", "Cycling"),
        ("/ability/brindle-falconer.1.1", "@id", "ability/brindle-falconer.1.1"),
    ],
)
def test_every_node_has_a_json_twin(client: TestClient, path: str, key: str, value: str) -> None:
    found = client.get(f"{path}.json")
    assert found.headers["content-type"].partition(";")[0] in ("application/json", "application/ld+json")
    assert found.json()[key] == value
    asked = client.get(path, headers={"accept": "application/json"})
    assert asked.json() == found.json()
    assert (
        f'<{path}.json>; rel="alternate"; type="application/json"'
        in client.get(f"{path}.ttl").headers["link"]
    )


def test_a_token_has_a_page_as_cards_have(rich: tuple[TestClient, Store]) -> None:
    client, store = rich
    for iri in iris_of(store, "token"):
        page = client.get(Site.address(iri), headers={"accept": "text/html"})
        assert page.status_code == 200
        assert '<article class="card">' in page.text
    (face, *_) = [each for each in iris_of(store, "face") if re.search(r"/[0-9a-f]{8}-", each)]
    assert client.get(Site.address(face)).headers["location"].startswith("/token/")


def test_an_ability_page_says_whose_it_is(client: TestClient) -> None:
    page = client.get("/ability/brindle-falconer.1.1", headers={"accept": "text/html"}).text
    (title,) = re.findall("<h1>(.*?)</h1>", page)
    assert title.endswith("ability of Brindle Falconer") or title.endswith("instance of Brindle Falconer")
    assert "/face/brindle-falconer.1" in Elements(page).values("href")


def test_a_rule_page_leads_to_the_rules_above_and_below(client: TestClient) -> None:
    page = client.get("/rule/702.29", headers={"accept": "text/html"}).text
    hrefs = Elements(page).values("href")
    assert {"/rule/7", "/rule/702", "/rule/702.29a"} <= set(hrefs)
    assert "702.29 Cycling" in text_of(page)
    assert "The words of the rules are not in this graph" in text_of(page)


def test_a_citation_page_marks_the_words_that_prove_it(client: TestClient, store: Store) -> None:
    for iri in iris_of(store, "citation"):
        quoted = next(iter(store.query(f"SELECT ?quote {{ <{iri}> mtg:quote ?quote }}")))[0].value
        page = client.get(Site.address(iri), headers={"accept": "text/html"}).text
        (marked,) = re.findall(r"<mark>(.*?)</mark>", page, re.S)
        assert text_of(marked) == " ".join(quoted.split()), iri


def test_links_on_a_page_stay_on_this_server(client: TestClient) -> None:
    page = Elements(client.get("/rule/702.29", headers={"accept": "text/html"}).text)
    outside = {href for href in page.values("href") if not href.startswith(("/", "#", "data:,"))}
    assert {urlsplit(href).hostname for href in outside} <= {"w3id.org", "company.wizards.com", "www.w3.org"}
    assert [href for href in outside if href.startswith(BASE)] == [expand("rule:702.29")]


def test_every_local_link_of_the_pages_answers(client: TestClient) -> None:
    later = ("/query", "/queries", "/cheatsheet", "/sparql", "/explore", "/atlas", "/deck")
    asked: set[str] = set()
    for start in (
        "/",
        "/card/brindle-falconer",
        "/rule/702.29",
        "/keyword/cycling",
        "/ontology",
        "/void.html",
    ):
        page = client.get(start, headers={"accept": "text/html"}).text
        for href in Elements(page).values("href"):
            path = href.partition("#")[0]
            if path.startswith("/") and not path.startswith(later) and path not in asked:
                asked.add(path)
                assert client.get(path).status_code == 200, href
    assert len(asked) > 40


def test_hostile_names_are_text_everywhere(client: TestClient, store: Store) -> None:
    cards = [iri for iri in iris_of(store, "card") if "alert" in iri or "onerror" in iri]
    assert len(cards) == 2
    asked = [Site.address(iri) for iri in cards]
    asked += [Site.address(iri) for iri in iris_of(store, "face") if "alert" in iri]
    asked += ["/type/artifact", "/rule/301", "/rule/304"]
    names = ("<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>")
    asked += [f"/search?q={quote(name, safe='')}" for name in names]
    asked += [f"/search?q={quote(name[:-2], safe='')}" for name in names]
    asked += [f"/card/{quote(name.replace('/', ''), safe='')}" for name in names]
    asked += [f"/{quote(name, safe='')}" for name in names]
    asked += ["/search?q=%22%20autofocus%20onfocus=alert(1)%20x=%22"]
    seen = 0
    for path in asked:
        response = client.get(path, headers={"accept": "text/html"}, follow_redirects=True)
        assert "script" not in response.headers["content-security-policy"].replace("script-src 'self';", "")
        assert response.headers["content-security-policy"].startswith("default-src 'none'")
        page = Elements(response.text)
        assert not {tag for tag, _ in page.found} & {"img", "style"}, path
        frames = [attributes["src"] or "" for tag, attributes in page.found if tag == "iframe"]
        assert all(source.startswith("/explore#focus=card:") for source in frames), path
        assert {a.get("src") for tag, a in page.found if tag == "script"} <= {
            *("/assets/cardlist.js", "/assets/adding.js")
        }, path
        assert not [a for _, attributes in page.found for a in attributes if a.startswith("on")], path
        assert not [
            href for href in page.values("href") if not href.startswith(("/", "#", "http", "data:,"))
        ], path
        seen += "alert(1)" in text_of(response.text)
    assert seen > 6


# What is not there


def test_an_unknown_card_is_told_with_near_misses_in_each_form(client: TestClient) -> None:
    page = client.get("/card/brindle-falcner", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert "/card/brindle-falconer" in Elements(page.text).values("href")
    assert "There is no card:brindle-falcner" in text_of(page.text)

    plain = client.get("/card/brindle-falcner.ttl")
    assert plain.status_code == 404
    assert len(Graph().parse(data=plain.text, format="turtle")) == 0  # comments
    assert "# card:brindle-falconer  Brindle Falconer" in plain.text

    said = client.get("/card/brindle-falcner", headers={"accept": "application/ld+json"})
    assert said.status_code == 404
    assert said.json()["near"][0]["iri"] == expand("card:brindle-falconer")


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/rule/702.29z", "/rule/702.29"),
        ("/rule/702.999", "/rule/702"),
        ("/face/brindle-falconer.7", "/card/brindle-falconer"),
        ("/ability/brindle-falconer.1.99", "/face/brindle-falconer.1"),
        ("/card/cycling", "/keyword/cycling"),
    ],
)
def test_near_misses_of_names_with_parts(client: TestClient, path: str, near: str) -> None:
    response = client.get(path, headers={"accept": "text/html"})
    assert response.status_code == 404
    assert near in Elements(response.text).values("href")


@pytest.mark.parametrize(
    "path",
    [
        *("/favicon.ico", "/card", "/card/", "/nothing/here", "/card/a/b", "/ontology.exe", "/rule/%00"),
        *("/%ED%A0%80", "/card/..%2F..%2Fetc%2Fpasswd", "/rule/702.29.ttl.ttl", "/card/%3C%3E%22%7B%7D"),
        "/source/.ttl",
    ],
)
def test_other_paths_are_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


# Search, home, vocabulary, data set


def test_search_goes_straight_to_what_a_name_means(client: TestClient) -> None:
    response = client.get("/search", params={"q": "ÆTHERJÖTUN, the Élan’s Own"})
    assert (response.status_code, response.headers["location"]) == (303, "/card/aetherjotun-the-elans-own")
    assert client.get("/search?q=702.29").headers["location"] == "/rule/702.29"
    assert client.get("/search?q=").headers["location"] == "/"


def test_search_lists_what_a_name_may_mean(client: TestClient) -> None:
    several = client.get("/search?q=cycling")
    assert {"/keyword/cycling", "/rule/702.29"} <= set(Elements(several.text).values("href"))
    assert "cycling" in Elements(several.text).values("value")
    near = client.get("/search?q=Brindle+Falcner")
    assert "/card/brindle-falconer" in Elements(near.text).values("href")
    assert "Nothing is called so" in text_of(client.get("/search?q=qqqqxxzz").text)


def test_home_tells_what_is_there(client: TestClient, store: Store) -> None:
    page = client.get("/", headers={"accept": "text/html"}).text
    assert f"{store.info.counts['citations']:,}" in text_of(page)
    hrefs = Elements(page).values("href")
    assert {"/query", "/cheatsheet", "/ontology", "/rule/702.29", "/keyword/cycling"} <= set(hrefs)
    assert (
        client.get("/", headers={"accept": "text/turtle"}).headers["content-location"]
        == "/.well-known/void.ttl"
    )


def test_the_look_is_served(client: TestClient) -> None:
    response = client.get("/assets/pages.css")
    assert response.headers["content-type"].startswith("text/css")
    assert "prefers-color-scheme: dark" in response.text
    assert "url(" not in response.text


@pytest.mark.parametrize("suffix", PARSERS)
def test_the_vocabulary_is_the_file_in_each_form(client: TestClient, suffix: str) -> None:
    wanted = Graph().parse(data=data("cardlaw.ttl").read_bytes(), format="turtle")
    asked = client.get("/ontology", headers={"accept": MEDIA[suffix]})
    assert asked.content == client.get(f"/ontology.{suffix}").content
    assert isomorphic(Graph().parse(data=asked.content, format=PARSERS[suffix]), wanted)


def test_the_vocabulary_of_this_version_has_an_address_of_its_own(client: TestClient) -> None:
    whole = URIRef(f"{BASE}ontology")
    (iri,) = (
        Graph().parse(data=data("cardlaw.ttl").read_bytes(), format="turtle").objects(whole, OWL.versionIRI)
    )
    address = f"/{str(iri).removeprefix(BASE)}"
    answer = client.get(address, headers={"accept": "text/turtle"})
    assert answer.content == client.get(f"{address}.ttl").content == data("cardlaw.ttl").read_bytes()
    assert answer.headers["content-location"] == f"{address}.ttl"
    assert f'<{iri}>; rel="canonical"' in answer.headers["link"]
    assert "The vocabulary" in client.get(address, headers={"accept": "text/html"}).text
    assert client.get("/ontology/0.0.9").status_code == 404


def test_the_documentation_has_each_term_under_its_name(client: TestClient) -> None:
    page = client.get("/ontology", headers={"accept": "text/html"}).text
    ids = Elements(page).values("id")
    assert len(ids) == len(set(ids))
    wanted = Graph().parse(data=data("cardlaw.ttl").read_bytes(), format="turtle")
    ours = {str(s)[len(MTG) :] for s in wanted.subjects(RDF.type) if str(s).startswith(MTG)}
    assert ours == set(vocabulary.terms())
    assert ours <= set(ids)
    text = text_of(page)
    for name in ("hasKeyword", "Card"):
        assert str(wanted.value(URIRef(MTG + name), URIRef(expand("rdfs:comment")))) in text
    anchors = [href for href in Elements(page).values("href") if "#" in href and not href.startswith("http")]
    assert {href.partition("#")[2] for href in anchors} <= set(ids)


def test_a_property_is_documented_with_its_ties() -> None:
    invokes = vocabulary.terms()["citesRule"]
    assert invokes.ties["of"] == (MTG + "Object",)
    assert invokes.ties["value"] == (MTG + "Rule",)
    assert (MTG + "hasFace", MTG + "hasAbility", MTG + "invokes") in invokes.chains
    assert MTG + "invokesAsCost" in vocabulary.terms()["invokes"].ties["more special"]
    assert expand("skos:Concept") in vocabulary.terms()["Keyword"].ties["is a"]


@pytest.mark.parametrize("path", ["/.well-known/void", "/void", "/dcat"])
def test_the_data_set_is_described(client: TestClient, store: Store, path: str) -> None:
    response = client.get(path)
    assert response.headers["content-type"].startswith("text/turtle")
    about = Graph().parse(data=response.content, format="turtle")
    dataset = URIRef(f"{BASE_ADDRESS}.well-known/void#dataset")
    assert (dataset, RDF.type, DCAT.Dataset) in about
    assert int(str(about.value(dataset, VOID.triples))) == len(store.quads)
    assert str(about.value(dataset, VOID.uriSpace)) == BASE
    assert str(about.value(dataset, VOID.sparqlEndpoint)) == f"{BASE_ADDRESS}sparql"
    subsets = set(about.objects(dataset, VOID.subset))
    assert subsets == {URIRef(expand(f"layer:{name}")) for name in store.info.quads}
    for subset in subsets:
        (row,) = store.query(f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{subset}> {{ ?s ?p ?o }} }}")
        assert int(str(about.value(subset, VOID.triples))) == int(row[0].value)
        assert about.value(subset, DCTERMS.rights) is not None
        assert about.value(subset, DCTERMS.license) is not None
    parts = {str(about.value(p, VOID["class"])): int(str(n)) for p, n in about.subject_objects(VOID.entities)}
    assert parts[MTG + "Card"] == store.info.counts["cards"]
    assert parts[MTG + "Citation"] == store.info.counts["citations"]
    media = {str(m).rpartition("media-types/")[2] for m in about.objects(None, DCAT.mediaType)}
    assert media == set(MEDIA.values())
    for source in store.info.sources:
        assert source.sha256 in {str(value) for value in about.objects(None, URIRef(MTG + "sha256"))}
    for example in about.objects(dataset, VOID.exampleResource):
        assert client.get(Site.address(str(example))).status_code == 200


def test_the_data_set_is_the_same_in_all_forms(client: TestClient) -> None:
    graphs = [graph(client, f"/void.{suffix}", suffix) for suffix in PARSERS]
    assert all(set(other) == set(graphs[0]) for other in graphs)


# In a browser


@pytest.fixture(scope="module")
def address(small_store: Path) -> Iterator[str]:
    """Of a server of the pages."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        app = Starlette(routes=linked.routes(Site(small_store, base)))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        yield base
        server.should_exit = True
        thread.join(10)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_show_under_their_policy_and_ask_nobody_else(address: str, scheme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
        said: list[str] = []
        asked: set[str] = set()
        page.on("console", lambda message: said.append(message.text))
        page.on("request", lambda request: asked.add(request.url))
        for place in (
            "",
            "card/brindle-falconer",
            "rule/702.29",
            "ontology",
            "void.html",
            "search?q=cycling",
        ):
            page.goto(address + place)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
            dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 22, 26)"
            assert dark == (scheme == "dark"), "the style is let through"
        page.goto(address)
        page.wait_for_function("document.activeElement.id === 'find'")
        page.keyboard.type("Brindle Falconer")
        page.keyboard.press("Enter")
        page.wait_for_url("**/card/brindle-falconer")
        assert page.locator("h1").inner_text() == "Brindle Falconer"
        browser.close()
    assert not said
    assert all(url.startswith(address) for url in asked)
