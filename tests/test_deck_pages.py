"""A deck as it leaves the graph: command, files, page, server, Python and named queries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pagecheck import parses
from pyoxigraph import QuerySolutions
from starlette.applications import Starlette
from starlette.testclient import TestClient
from test_cli import cardlaw, one_line

from cardlaw.exports import deck, deckroutes, linked
from cardlaw.exports.decktext import bundled
from cardlaw.exports.site import Site
from cardlaw.graph import open_store
from cardlaw.graph.meetings import Meeting, Side
from cardlaw.graph.names import ask
from cardlaw.graph.queries import load_query

NAMES = ("rules-of-cards", "keywords-by-color")  # queries that are answered below
LIST = "4 Brindle Falconer\n2 Glass Half\n1 Nothing So Called\n\nSideboard\n1 Hush/Clamor\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(LIST, encoding="utf-16")
    return path


@pytest.fixture(scope="module")
def client(small_store: Path) -> TestClient:
    site = Site(small_store, "http://testserver/")
    return TestClient(Starlette(routes=[*deckroutes.routes(site), *linked.routes(site)]))


# -- the command -------------------------------------------------------------------------------------


def test_the_text_tells_rules_keywords_and_curve(small_store: Path, file: Path) -> None:
    done = cardlaw("deck", file, store=small_store)
    assert done.returncode == 0
    assert f"{file}:3: no card is called “Nothing So Called”" in done.stderr
    assert done.stdout.startswith("mine  a plain list: 7 main deck, 1 sideboard\n")
    assert re.search(r"^  702\.9 +Flying +2 cards: Brindle Falconer; Glass Half$", done.stdout, re.M)
    assert re.search(r"^  Flying +702\.9 .* 2", done.stdout, re.M)
    assert re.search(r"^ +3 +4  ████$", done.stdout, re.M)
    assert "no   100.2a  a constructed deck has at least 60 cards, this one has 7" in done.stdout
    assert "Formats: not known" in done.stdout
    assert "effective 2026-01-16" in done.stdout


def test_a_list_comes_from_stdin_and_json_goes_out(small_store: Path) -> None:
    done = cardlaw("deck", "--format", "json", store=small_store, stdin="1x glass half (ABC) 7\n")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert told["cards"][0]["name"] == "Glass Half"
    assert told["deck"]["entries"] == [
        {
            "count": 1,
            "name": "glass half",
            "section": "main",
            "set_code": "abc",
            "number": "7",
            "line": 1,
        }
    ]
    assert told["release"] == "2026-01-16"
    assert {"702.9"} <= {heading["number"] for heading in told["rules"]}
    assert told["formats"] is None


def test_a_page_and_a_view_are_written(small_store: Path, file: Path, tmp_path: Path) -> None:
    for format_ in ("html", "view", "text"):
        target = tmp_path / f"out.{format_}"
        done = cardlaw("deck", file, "--format", format_, "-o", target, "--quiet", store=small_store)
        assert done.stdout == f"{target}\n", done.stderr
        text = target.read_text(encoding="utf-8")
        assert "Brindle Falconer" in text
        assert not re.findall(r'(?:src|href)="(?!https://w3id|https://company|data:|#)[^"]*"', text)


def test_where_nothing_is_found_the_exit_code_is_1(small_store: Path, tmp_path: Path) -> None:
    done = cardlaw("deck", "-", store=small_store, stdin="4 Nothing So Called\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "names no card of this graph" in done.stderr
    done = cardlaw("deck", tmp_path / "none.txt", store=small_store)
    assert done.returncode == 1
    assert one_line(done.stderr)


# -- the page ----------------------------------------------------------------------------------------


def test_the_page_is_sound_and_what_a_list_says_stays_text(small_store: Path) -> None:
    listed = "2 </script><script>alert(1)</script>\n1 <b>x</b>\n1 href\n1 <img src=x onerror=alert(1)>\n"
    with open_store(small_store) as graph:
        made = deck(graph, listed, title="<i>mine</i>")
    parses(made.html)
    assert len(made.report.cards) == 3
    assert "<b>x" not in made.html
    assert "<i>mine" not in made.html
    assert "alert(1)</script>" not in made.html
    assert "&lt;b&gt;x&lt;/b&gt;" in made.html


def test_a_deck_in_python(small_store: Path, tmp_path: Path) -> None:
    with open_store(small_store) as graph:
        made = deck(graph, LIST, title="Mine")
        assert graph.deck(LIST).rules == made.report.rules
    assert repr(made).startswith("<Deck Mine, a plain list: 7 main deck")
    assert made.save(tmp_path / "x.html").read_text(encoding="utf-8") == made.html
    assert made._repr_html_().count("<") == 2
    assert "sandbox " in made._repr_html_()


def test_pairs_are_told_by_their_kind() -> None:
    def side(name: str) -> Side:
        return Side(name.lower(), name, "1.1", name, 0, 1, "603")

    def met(kind: str, first: str, second: str) -> Meeting:
        return Meeting(kind, f"{kind} it", "616", 1.0, side(first), side(second))

    both, apart = bundled([met("both", "A", "B"), met("both", "B", "C"), met("apart", "A", "B")])
    assert ([each.name for each in both.first], both.second, both.pairs) == (["B", "A", "C"], [], 2) or (
        sorted(each.name for each in both.first) == ["A", "B", "C"]
    )
    assert [each.name for each in apart.second] == ["B"]


# -- the server --------------------------------------------------------------------------------------


def test_the_form_asks_this_server(client: TestClient) -> None:
    page = client.get("/deck")
    assert page.status_code == 200
    parses(page.text)
    assert 'action="/deck"' in page.text
    assert "form-action 'self'" in page.headers["content-security-policy"]
    for address in set(re.findall(r'(?:src|href)="(/[^"#]*)"', page.text)):
        if address.startswith("/assets"):
            assert client.get(address).status_code == 200, address


def sent(**given: Any) -> dict[str, Any]:
    return given


@pytest.mark.parametrize(
    "given",
    [
        sent(data={"list": LIST}),
        sent(files={"file": ("mine.txt", LIST.encode("utf-16"))}),
        sent(files={"list": (None, LIST), "file": ("", b"")}),
        sent(content=LIST.encode(), headers={"content-type": "text/plain"}),
        sent(content=LIST.encode(), headers={"content-type": "application/x-www-form-urlencoded"}),
    ],
    ids=["a field", "a file", "a field of parts", "text", "what curl sends"],
)
def test_a_list_is_answered_however_it_is_sent(client: TestClient, given: dict[str, Any]) -> None:
    answer = client.post("/deck.json", **given)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert [card["name"] for card in answer.json()["cards"]] == [
        "Brindle Falconer",
        "Glass Half",
        "Hush // Clamor",
    ]
    page = client.post("/deck", **given)
    parses(page.text)
    assert "Nothing So Called" in page.text
    assert 'href="/rule/702.9"' in page.text
    assert "style=" not in page.text  # the policy would not let it
    view = client.post("/deck/view", **given)
    assert view.status_code == 200
    assert "connect-src" not in view.headers["content-security-policy"]
    assert "default-src 'none'" in view.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (sent(content=b""), 400),
        (sent(data={"list": "  "}), 400),
        (sent(data={"list": "// nothing but a remark"}), 400),
        (sent(content=b"x" * 2_000_000, headers={"content-type": "text/plain"}), 413),
        (sent(files={"file": ("x", b"4 Fox\n" * 200_000)}), 413),
        (sent(content=b"{}", headers={"content-type": "application/json"}), 415),
        (sent(content=b"4 Fox", headers={"content-encoding": "gzip"}), 415),
        (sent(content=b"--x", headers={"content-type": "multipart/form-data"}), 400),
        (sent(content=b"--y\r\nz", headers={"content-type": "multipart/form-data; boundary=x"}), 400),
        (sent(content="\n".join(f"Fox {number}" for number in range(5001)).encode()), 400),
    ],
)
def test_what_cannot_be_answered_is_told_in_one_line(
    client: TestClient, given: dict[str, Any], status: int
) -> None:
    answer = client.post("/deck.json", **given)
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    assert "\n" not in answer.json()["error"]
    page = client.post("/deck", **given)
    assert page.status_code == status
    assert 'role="alert"' in page.text
    assert client.post("/deck/view", **given).status_code == status


def test_a_body_without_a_length_is_bounded_too(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b"4 Fox\n" * 10_000

    answer = client.post("/deck.json", content=endless(), headers={"content-type": "text/plain"})
    assert answer.status_code == 413


# -- the named queries -------------------------------------------------------------------------------


def test_named_queries_of_decks(small_store: Path) -> None:
    names = "Brindle Falconer|Glass Half|Nobody"
    with open_store(small_store) as graph:
        rules = ask(graph, load_query(NAMES[0]), {"names": names})
        assert isinstance(rules, QuerySolutions)
        found = {row["number"].value: int(row["cards"].value) for row in rules}
        keywords = ask(graph, load_query(NAMES[1]), {"names": names})
        assert isinstance(keywords, QuerySolutions)
        flying = next(row for row in keywords if row["name"].value == "Flying")
    assert found["702.9"] == 2
    assert [flying[color].value for color in ("white", "blue", "black", "red", "green", "cards")] == [
        *("1", "1", "0", "0", "1", "2"),
    ]
