"""`/search`: names first, passages with their hits marked, kinds and pages; the same as JSON."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pagecheck import faults_of, libraries, parses
from starlette.applications import Starlette

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from test_linked import Elements, text_of

from cardlaw.exports import linked, searchpage
from cardlaw.exports.mana import Pip
from cardlaw.exports.searchpage import fitted
from cardlaw.exports.site import Site
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.search import Piece


@pytest.fixture(scope="module")
def client(small_store: Path) -> TestClient:
    site = Site(small_store, "http://testserver/")
    return TestClient(Starlette(routes=linked.routes(site)), follow_redirects=False)


def found(client: TestClient, asked: str, **more: Any) -> dict[str, Any]:
    response = client.get("/search.json", params={"q": asked, **more})
    assert response.headers["content-type"] == "application/json"
    return dict(response.json())


def test_a_name_goes_to_its_node_unless_passages_are_asked_for(client: TestClient) -> None:
    assert client.get("/search?q=Twin+Ledger").headers["location"] == "/card/twin-ledger"
    for asked in ("q=%22Twin+Ledger%22", "q=Twin+Ledger&kind=card", "q=Twin+Ledger&page=1"):
        response = client.get(f"/search?{asked}")
        assert response.status_code == 200, asked
        assert "/card/twin-ledger" in Elements(response.text).values("href")


def test_names_stand_before_passages(client: TestClient) -> None:
    html = client.get("/search?q=cycling").text
    assert html.index("Called so") < html.index("In the words")
    assert "<mark>Cycling</mark>" in html
    assert "702.29 <mark>Cycling</mark>" in html


def test_hits_are_marked_in_all_forms_of_the_word(client: TestClient) -> None:
    html = client.get("/search?q=drawing+cards&kind=card").text
    assert "<mark>Draw</mark> a <mark>card</mark>" in html
    assert 'aria-label="tap this permanent"' in html, "with its symbols"


def test_a_search_that_finds_nothing_says_what_can_be_found(client: TestClient) -> None:
    assert "nothing has these words" in text_of(client.get("/search?q=qqqqxxzz").text)


def test_near_names_are_told_beside_passages(client: TestClient) -> None:
    html = client.get("/search?q=Brindle+Falcner").text
    assert "Called much like it" in html
    assert "Nothing has all of these words" in html


def test_kinds_narrow_and_pages_turn(client: TestClient) -> None:
    every = found(client, "abilities")
    assert every["total"] == sum(every["kinds"].values()) > 20
    assert every["pages"] == -(-every["total"] // 20)
    page = Elements(client.get("/search?q=abilities&page=1").text)
    assert {"/search?q=abilities&kind=rule", "/search?q=abilities&page=2"} <= set(page.values("href"))
    rules = found(client, "abilities", kind="rule")
    assert {hit["kind"] for hit in rules["results"]} == {"rule"}
    assert rules["total"] == every["kinds"]["rule"]
    seen = [
        hit["iri"]
        for at in range(1, every["pages"] + 1)
        for hit in found(client, "abilities", page=at)["results"]
    ]
    assert len(seen) == len(set(seen)) == every["total"]
    last = Elements(client.get(f"/search?q=abilities&page={every['pages']}").text)
    assert "next" not in last.values("rel")


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999", "²", "1e3", "٣"])
def test_pages_that_are_none_do_no_harm(client: TestClient, page: str) -> None:
    assert client.get("/search", params={"q": "abilities", "page": page}).status_code == 200


def test_json_tells_where_the_hits_are(client: TestClient) -> None:
    answer = found(client, "scrying", kind="card")
    assert answer["rulebook"] == "2026-01-16"
    for hit in answer["results"]:
        for field in ("title", "text"):
            for start, end in hit[f"{field}_hits"]:
                assert hit[field][start:end].lower().startswith("scry")
    assert any(hit["text_hits"] for hit in answer["results"])
    liked = client.get("/search?q=Twin+Ledger", headers={"accept": "application/json"})
    assert liked.json()["names"][0]["iri"].endswith("/card/twin-ledger")
    assert client.get("/search.json").status_code == 400


def test_hostile_words_are_text(client: TestClient) -> None:
    for asked in (
        "onerror alert",
        "</script> alert",
        "<img src=x",
        '"><script>alert(1)</script>',
        "\x02b\x03",
    ):
        response = client.get("/search", params={"q": asked, "page": 1})
        assert response.status_code == 200
        tags = {tag for tag, _ in Elements(response.text).found}
        assert not tags & {"script", "img", "iframe", "style"}, asked
        assert response.headers["content-security-policy"].startswith("default-src 'none'")
    html = client.get("/search?q=onerror+alert").text
    assert "&lt;img src=x <mark>onerror</mark>=<mark>alert</mark>(1)&gt;" in html


def test_a_python_without_fts5_finds_names(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(store: object) -> None:
        raise CardlawError("the SQLite of this Python cannot search texts")

    monkeypatch.setattr(searchpage, "index", refuse)
    html = client.get("/search?q=cycling").text
    assert "/keyword/cycling" in html
    assert "cannot search texts" in text_of(client.get("/search?q=draw+cards").text)


def test_a_hit_within_a_symbol_is_the_whole_symbol() -> None:
    pieces = (Piece("{", False), Piece("T", True), Piece("}: Add ", False), Piece("mana", True))
    whole = fitted(pieces)
    assert [is_hit for _, is_hit in whole] == [True, False, True]
    assert [type(part) for part in whole[0][0]] == [Pip]
    assert whole[1:] == [([": Add "], False), (["mana"], True)]
    assert fitted(()) == []


def test_the_page_is_valid(client: TestClient, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    asked = (
        "q=cycling",
        "q=abilities&page=2",
        "q=qqqqxxzz",
        f"q={quote('<img src=x onerror=alert(1)')}&page=1",
        "q=tap&kind=card",
    )
    pages = {each: client.get(f"/search?{each}").text for each in asked}
    for each, html in pages.items():
        assert html, each
        parses(html)
    assert faults_of(pages, libraries(pytestconfig), tmp_path) == []
