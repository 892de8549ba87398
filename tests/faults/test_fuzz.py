"""Any text and any bytes: readers give what they read or one line, and what they give is true.

Seeded, so that each run sees the same. (Cards, rulebooks and citations have properties of their own beside
their tests; here is what lies between them, and what comes over HTTP.)
"""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from harm import FIXTURES, RULES, damage
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from cardlaw.exports import cheatsheet, editor, explore, linked
from cardlaw.exports.site import Site
from cardlaw.graph.abilities.segment import segment
from cardlaw.graph.citing import texts
from cardlaw.graph.citing.mentions import mentions
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Face
from cardlaw.graph.names import find, resolve
from cardlaw.graph.queries import named_queries
from cardlaw.graph.sources import rulebook, rulings
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.store import Store, open_store

LINKER = Linker(rulebook.read(RULES))
SOURCES = ("cards.json", "scryfall.json", "mtgjson-atomic.json", "mtgjson-set.json", "scryfall-rulings.json")
bounded = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
odd = st.sampled_from(
    [
        "\0",
        "\ud800",
        "\u202e",
        "\u2028",
        "\ufeff",
        "🦦",
        "'",
        '"',
        "<",
        "&",
        "%",
        "\\",
        "{",
        "(",
        "*",
        "\r",
        "a" * 300,
    ]
)
hostile = st.lists(odd | st.text(max_size=8), max_size=12).map("".join)


def one_line(read: Callable[[], object]) -> None:
    """What is refused is refused in a line, by an error that is meant for the user."""
    told = ""
    try:
        read()
    except CardlawError as error:
        told = str(error)
    assert "\n" not in told


# -- sources ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("how", ["cut", "flip"])
@pytest.mark.parametrize("name", SOURCES)
def test_damaged_sources_are_read_or_told(tmp_path: Path, name: str, how: str, packed: bool) -> None:
    whole = (FIXTURES / name).read_bytes()
    path = tmp_path / (f"{name}.gz" if packed else name)
    for number in range(25):
        path.write_bytes(gzip.compress(whole, mtime=0) if packed else whole)
        damage(path, how, Random(number))
        if "rulings" in name:
            one_line(lambda: list(rulings.read(path)))
        else:
            one_line(lambda: list(read_cards(path)))


@pytest.mark.parametrize("how", ["cut", "flip"])
def test_damaged_rulebooks_are_read_or_told(tmp_path: Path, how: str) -> None:
    path = tmp_path / "rules.txt"
    for number in range(40):
        path.write_bytes(RULES.read_bytes())
        damage(path, how, Random(number))
        one_line(lambda: rulebook.read(path))


# -- texts --------------------------------------------------------------------------------------------


@seed(1)
@bounded
@given(hostile, hostile)
def test_any_text_has_abilities_where_they_are_said_to_stand(text: str, type_line: str) -> None:
    face = segment(Face(name="Zyx", oracle_text=text, type_line=type_line), LINKER.lexicon)
    for ability in face.abilities:
        assert text[ability.start : ability.end] == ability.text
    LINKER.link(Face(name=text, oracle_text=text, type_line=type_line, mana_cost=text))


@seed(2)
@bounded
@given(st.binary(max_size=400) | hostile.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_file_is_scanned_for_citations(data: bytes) -> None:
    decoded = texts.decode(data)
    if decoded is not None:
        for found in mentions(decoded.text):
            assert 0 <= found.start < found.end <= len(decoded.text)
    texts.scan("a.txt", data)


# -- queries ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(whole: Path) -> Iterator[Store]:
    with open_store(whole) as opened:
        yield opened


@seed(3)
@bounded
@given(st.sampled_from(sorted(named_queries())), st.lists(hostile, min_size=6, max_size=6))
def test_any_value_of_a_parameter_is_a_value_or_refused(store: Store, name: str, values: list[str]) -> None:
    query = named_queries()[name]
    given = {each.name: value for each, value in zip(query.parameters, values, strict=False)}
    terms = {}
    with suppress(CardlawError):
        terms = resolve(store, query, given)
    for term in terms.values():
        assert "\n" not in str(term)  # one token of the query


@seed(4)
@bounded
@given(hostile)
def test_any_name_is_looked_up(store: Store, name: str) -> None:
    one_line(lambda: find(store, name))
    one_line(lambda: store.query(name))


# -- HTTP ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(whole: Path) -> TestClient:
    site = Site(whole, "http://testserver/")
    parts = (editor, cheatsheet, explore, linked)
    routes = [route for part in parts for route in part.routes(site)]
    return TestClient(Starlette(routes=routes), follow_redirects=False, raise_server_exceptions=True)


PATHS = (
    *(
        "/{}",
        "/card/{}",
        "/rule/{}",
        "/keyword/{}.json",
        "/term/{}.ttl",
        "/type/{}",
        "/cr/{}",
        "/citation/{}",
    ),
    *("/search?q={}", "/search?q=a&page={}", "/search.json?q={}&kind={}", "/complete?q={}", "/queries/{}"),
    *("/explore?focus={}", "/explore/graph?focus={}&depth={}&limit={}", "/explore/search?q={}&limit={}"),
    *("/explore/paths?from={}&to=card:hush", "/explore/expand?node={}&relation={}&limit=3&have={}"),
    *(
        "/rule/702.9?text={}&type={}&color={}",
        "/cards?letter={}",
        "/rules?q={}",
        "/assets/{}",
        "/cheatsheet?{}",
    ),
)


@seed(5)
@settings(bounded, max_examples=150)
@given(
    st.sampled_from(PATHS),
    hostile,
    st.sampled_from(["text/html", "application/json", "*/*", "text/turtle;q=x"]),
)
def test_any_address_is_answered(client: TestClient, pattern: str, value: str, accept: str) -> None:
    path = pattern.replace("{}", quote(value.encode("utf-8", "surrogatepass"), safe=""))
    found = client.get(path, headers={"accept": accept})
    assert found.status_code < 500, (path, found.text[:300])
    if "json" in found.headers.get("content-type", ""):
        json.loads(found.text)
