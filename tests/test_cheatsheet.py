"""The cheat sheet: ten queries to start from that run, in the page, in the README and in the headers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from cardlaw.exports.cheatsheet import command, example, starters
from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.graph.queries import NamedQuery
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import PREFIXES

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as store:
        yield store


@pytest.fixture(scope="module")
def page(small_store: Path) -> str:
    client = TestClient(create_app(Site(small_store, "http://testserver/")))
    answer = client.get("/cheatsheet")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("default-src 'none';")
    return answer.text


def test_ten_are_marked_in_order() -> None:
    assert [query.start for query in starters()] == list(range(1, 11))
    for query in starters():
        assert {name for name, _ in query.example} <= {parameter.name for parameter in query.parameters}


@pytest.mark.parametrize("query", starters(), ids=lambda query: query.name)
def test_each_answers_something(store: Store, query: NamedQuery) -> None:
    text = example(store, query)
    assert text.startswith(f"# {query.title}\n")
    assert "$" not in text
    assert list(store.query(text))  # type: ignore[arg-type]


def test_the_page_holds_them_and_opens_them_in_the_editor(store: Store, page: str) -> None:
    links = [unescape(link) for link in re.findall(r'href="(/query\?[^"]*)"', page)]
    texts = [example(store, query) for query in starters()]
    assert [parse_qs(urlsplit(link).query)["query"] for link in links] == [[text] for text in texts]
    assert [unescape(text) for text in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)] == texts
    for query in starters():
        assert f">{query.title}</h3>" in unescape(page)
        assert command(query) in unescape(page)


def test_the_page_has_prefixes_classes_and_main_properties_and_no_script(page: str) -> None:
    words = re.findall(r'<th scope="row"><code>(?:<a [^>]*>)?([^<]*)<', page)
    assert set(words) >= {f"{prefix}:" for prefix in PREFIXES}
    assert {"mtg:Card", "mtg:Citation", "mtg:hasFace", "mtg:citesRule", "mtg:quote"} <= set(words)
    assert "mtg:invokes" in words
    assert "mtg:invokesAsEffect" not in words  # refines mtg:invokes
    assert "<script" not in page
    assert not re.search(r'src="|(?:action|rel="stylesheet" href)="(?!/)', page)


def test_the_readme_lists_the_same() -> None:
    section = README.partition("Ten queries to start from")[2].partition("\n## ")[0]
    listed = re.findall(r"^cardlaw query .*  # .*$", section, re.MULTILINE)
    assert [shlex.split(line, comments=True) for line in listed] == [
        shlex.split(command(query)) for query in starters()
    ]
    assert [line.partition("  # ")[2] for line in listed] == [query.title for query in starters()]
