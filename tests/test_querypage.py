"""Pages of the named queries: forms, answers from the workers, their twins as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from pagecheck import parses
from starlette.testclient import TestClient
from test_linked import Elements, text_of

from cardlaw.exports import querypage
from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.exports.workers import Limits
from cardlaw.graph.queries import named_queries

pytestmark = pytest.mark.programs
HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def client(small_store: Path) -> Iterator[TestClient]:
    app = create_app(Site(small_store, "http://testserver/"), Limits(workers=1))
    with TestClient(app) as client:
        yield client


def page(client: TestClient, path: str, status: int = 200) -> str:
    response = client.get(path, headers=HTML)
    assert response.status_code == status
    parses(response.text)
    return response.text


def test_all_queries_are_listed_and_a_program_gets_json(client: TestClient) -> None:
    html = page(client, "/queries")
    for name, query in named_queries().items():
        assert query.title in text_of(html)
        assert f'href="/query/{name}' in html
    assert {each["name"] for each in client.get("/queries").json()} == set(named_queries())
    assert client.get("/queries.json", headers=HTML).json() == client.get("/queries").json()


def test_a_query_is_a_form_until_it_is_asked(client: TestClient) -> None:
    html = page(client, "/query/cards-by-rule")
    inputs = {a["name"]: a for tag, a in Elements(html).found if tag in ("input", "select") and a.get("name")}
    assert inputs["rule"]["value"] == "702.29"
    assert "required" in inputs["rule"]
    assert "subrules" in inputs
    assert "SELECT ?card" in text_of(html)
    assert 'id="answer"' not in html


def test_an_answer_has_links_and_twins(client: TestClient) -> None:
    html = page(client, "/query/cards-by-rule?rule=702.9&subrules=false")
    assert '<a href="/card/brindle-falconer">Brindle Falconer</a>' in html
    heads = [tag for tag, attrs in Elements(html).found if tag == "th"]
    assert len(heads) == 2, "the name of a card is one column with the card"
    asked = "rule=702.9&subrules=false"
    found = client.get(f"/query/cards-by-rule.json?{asked}")
    assert found.headers["content-type"] == "application/sparql-results+json"
    names = {row["name"]["value"] for row in found.json()["results"]["bindings"]}
    rows = list(csv.DictReader(io.StringIO(client.get(f"/query/cards-by-rule.csv?{asked}").text)))
    assert "Brindle Falconer" in names
    assert {row["name"] for row in rows} == names


def test_long_answers_come_in_pages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(querypage, "_ROWS", 3)
    path = "/query/cards-by-rule?rule=302"
    first, second = page(client, path), page(client, f"{path}&page=2")

    def cards(html: str) -> list[str]:
        found = (str(attrs.get("href")) for tag, attrs in Elements(html).found if tag == "a")
        return [href for href in found if href.startswith("/card/")]

    assert len(cards(first)) == len(cards(second)) == 3
    assert not set(cards(first)) & set(cards(second))
    assert "/query/cards-by-rule?rule=302&amp;page=2#answer" in first
    assert cards(page(client, f"{path}&page=9999"))


def test_what_cannot_be_asked_is_told_in_a_line(client: TestClient) -> None:
    html = page(client, "/query/cards-by-rule?rule=999.9", 400)
    assert "no rule “999.9”" in text_of(html)
    assert client.get("/query/cards-by-rule.json?rule=999.9").status_code == 400
    assert "has no parameter 'x'" in text_of(page(client, "/query/cards-by-rule?x=1", 400))
    assert "/queries" in text_of(page(client, "/query/none-such", 404))
    assert client.get("/query/cards-by-rule.exe", headers=HTML).status_code == 404


def test_what_is_typed_stays_text(client: TestClient) -> None:
    hostile = "\"><script>alert(1)</script>' } # SERVICE <http://x> {"
    response = client.get("/query/cards-by-rule", params={"rule": hostile}, headers=HTML)
    assert response.status_code == 400
    assert "<script>alert" not in response.text
    parses(response.text)


def test_every_query_has_a_page_that_runs(client: TestClient) -> None:
    html = page(client, "/queries")
    found = [str(a["href"]) for tag, a in Elements(html).found if tag == "a"]
    asked = [href for href in found if href.startswith("/query/")]
    assert len(asked) == len(named_queries())
    for href in asked:
        assert client.get(href, headers=HTML).status_code in (200, 400), href
