"""The query page: what it answers, and that a real browser asks with it, with and without its library."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import uvicorn
from starlette.testclient import TestClient
from viewing import FLAGS

from cardlaw.exports import editor
from cardlaw.exports.serve import create_app
from cardlaw.exports.site import Site
from cardlaw.graph.errors import QueryError
from cardlaw.graph.queries import named_queries, parse_query
from cardlaw.graph.store import Store, open_store

COUNT = "SELECT (COUNT(?card) AS ?cards) { ?card a mtg:Card }"
HOSTILE = "<img src=x onerror=alert(1)></textarea><script>alert(2)</script>"


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(small_store: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Site(small_store, "http://testserver/"))) as opened:
        yield opened


def query_in(html: str) -> str:
    """What stands in the text area, as a browser reads it."""
    return unescape(
        html.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    ).removeprefix("\n")


def test_the_page_offers_a_query_and_the_named_ones(client: TestClient, store: Store) -> None:
    page = client.get("/query")
    assert page.status_code == 200
    assert store.query(query_in(page.text))
    assert store.info.release in page.text
    for query in named_queries().values():
        assert f'href="/query?name={query.name}' in page.text
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; connect-src 'self'; script-src 'self';")
    assert "unsafe-eval" not in policy


@pytest.mark.parametrize(
    "query", [COUNT, f'SELECT ("{HOSTILE}" AS ?x) {{}}', "\n\n# é 〜\nASK {}\n", "no query"]
)
def test_an_address_opens_a_query(client: TestClient, query: str) -> None:
    page = client.get("/query", params={"query": query})
    assert query_in(page.text) == query
    assert HOSTILE not in page.text


def test_an_address_opens_a_named_query_with_its_values(client: TestClient, store: Store) -> None:
    page = client.get("/query?name=cards-by-rule&rule=702.29&subrules=false")
    text = query_in(page.text)
    assert text.startswith("# Cards that invoke a rule\n# rule = 702.29\n# subrules = false\nSELECT")
    assert "skos:broader* rule:702.29 }" in text
    assert "FILTER(false || ?cited = rule:702.29)" in text
    assert 'name="rule" value="702.29"' in page.text
    assert "<option selected>false</option>" in page.text
    assert text == client.get("/queries/cards-by-rule?rule=702.29&subrules=false").text


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("name=cards-by-rule", 400, "cards-by-rule needs rule="),
        ("name=cards-by-rule&rule=", 400, "cards-by-rule needs rule="),
        ("name=cards-by-rule&rule=999.1", 400, "no rule “999.1”"),
        ("name=cards-by-rule&rule=1&color=red", 400, "has no parameter 'color'"),
        ("name=cards-by-keyword&keyword=Cyclin", 400, "did you mean “Cycling”"),
        (f"name=cards-by-keyword&keyword={quote(HOSTILE)}", 400, "no keyword"),
        ("name=no-such-query", 404, "there is no query named no-such-query"),
    ],
)
def test_what_is_wrong_with_a_value_is_told(client: TestClient, address: str, status: int, said: str) -> None:
    page = client.get(f"/query?{address}")
    assert page.status_code == status
    assert said in unescape(page.text.partition('role="alert">')[2].partition("</pre>")[0])
    assert HOSTILE not in page.text
    name, _, values = address.removeprefix("name=").partition("&")
    told = client.get(f"/queries/{name}?{values}")
    assert told.status_code == status
    assert told.headers["content-type"] == "text/plain; charset=utf-8"
    assert HOSTILE not in told.text or told.headers["x-content-type-options"] == "nosniff"


def test_a_value_cannot_become_part_of_the_query(store: Store) -> None:
    query = parse_query(
        "# title: Words\n# parameter: rule rule\n# parameter: words text\nSELECT $rule ($words AS ?w) {}",
        "words",
    )
    value = '"} <https://w3id.org/cardlaw/rule/614> \\" \n# a comment\r true $rule'
    text = editor.bound(store, query, {"rule": "614", "words": value})
    with pytest.raises(QueryError, match="no rule"):
        editor.bound(store, query, {"rule": "614> } #", "words": ""})
    assert "SELECT rule:614 (" in text
    query = parse_query("# parameter: words text\nSELECT ($words AS ?w) {}", "words")
    (row,) = store.query(editor.bound(store, query, {"words": value}))  # type: ignore[misc]
    assert row[0].value == value


def test_every_named_query_is_given_with_values_that_run(client: TestClient, store: Store) -> None:
    given = client.get("/queries").json()
    assert {query["name"] for query in given} == set(named_queries())
    for query in given:
        assert query["title"] in query["text"]
        assert store.query(query["text"])
        page = client.get(query["url"])
        if any(parameter["default"] == "previous" for parameter in query["parameters"]):
            assert page.status_code == 400  # this graph has one release
            assert "no previous release of the rules" in page.text
            assert "build it from several" in page.text
            continue
        assert page.status_code == 200, query["url"]
        assert query_in(page.text) == query["text"]
        assert [parameter["name"] for parameter in query["parameters"]] == [
            parameter.name for parameter in named_queries()[query["name"]].parameters
        ]


def test_names_go_on(client: TestClient) -> None:
    found = client.get("/complete?kind=cards&q=salt").json()
    assert {"name": "card:salt-road", "iri": "https://w3id.org/cardlaw/card/salt-road"}.items() <= found[
        0
    ].items()
    assert len(client.get("/complete?kind=rules&q=7").json()) == 20
    assert client.get("/complete", params={"kind": "cards", "q": "x" * 5000}).json() == []
    assert client.get("/complete?kind=passwords").status_code == 400
    assert client.get("/complete").status_code == 400


def test_a_new_build_has_new_names(small_store: Path, tmp_path: Path) -> None:
    other = tmp_path / "store"
    shutil.copytree(small_store, other)
    site = Site(other, "http://testserver/")
    with TestClient(create_app(site)) as client:
        assert client.get("/complete?kind=cards&q=salt").json()
        (build,) = (other / "builds").iterdir()
        newer = build.with_name("29990101T000000Z-00000000")
        shutil.copytree(build, newer)
        (other / "current").write_text(f"{newer.name}\n")
        site._looked = 0.0
        assert client.get("/complete?kind=cards&q=salt").json()
        assert client.get("/query").status_code == 200
        assert site.store.folder == newer


@pytest.mark.parametrize(
    ("name", "media"),
    [("editor.js", "text/javascript"), ("editor.css", "text/css"), ("dom.js", "text/javascript")],
)
def test_files_have_their_type_and_are_sent_once(client: TestClient, name: str, media: str) -> None:
    first = client.get(f"/assets/{name}")
    assert first.headers["content-type"] == f"{media}; charset=utf-8"
    assert first.headers["x-content-type-options"] == "nosniff"
    assert first.headers["content-encoding"] == "gzip"
    again = client.get(f"/assets/{name}", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["editor.html", "package.json", "view.css", "vendor/yasgui.min.js", "..%2Feditor.py", "%2e%2e/editor.py"],
)
def test_no_other_file_is_given(client: TestClient, path: str) -> None:
    assert client.get(f"/assets/{path}").status_code == 404


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    there: Callable[[str], bool] = editor._there
    monkeypatch.setattr(editor, "_there", lambda name: name not in editor._LIBRARY and there(name))


@pytest.mark.usefixtures("without_library")
def test_without_the_library_the_page_says_so(client: TestClient) -> None:
    page = client.get("/query")
    assert "yasgui" not in page.text
    assert "plain" in page.text
    assert client.get("/assets/yasgui.min.js").status_code == 404


# The answer without scripts


def test_the_answer_as_a_table(client: TestClient) -> None:
    query = f"""SELECT ?card ?name ("{HOSTILE}" AS ?text) (<javascript:alert(3)> AS ?iri) (2.5 AS ?n) ?none
        {{ BIND(card:salt-road AS ?card) ?card rdfs:label ?name }}"""
    page = client.get("/query", params={"query": query, "format": "html"})
    assert page.status_code == 200
    row = page.text.partition("<tbody>")[2].partition("</tbody>")[0]
    assert '<td><a href="/card/salt-road">card:salt-road</a></td><td>Salt Road</td>' in row
    assert '<td class="n">2.5</td>' in row
    assert 'href="javascript' not in page.text
    assert HOSTILE not in page.text
    assert "1 row<" in page.text
    assert client.get("/card/salt-road", headers={"accept": "text/html"}).status_code == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ASK {}", "Yes"),
        ("ASK { FILTER(false) }", "No"),
        ("SELECT ?x {}", "1 row"),
        ("SELECT ?x { FILTER(false) }", "0 rows"),
        ("SELECT ?x { ?x ?y ?z } LIMIT 501", "501 rows; the first 500 are shown"),
        ("CONSTRUCT { card:salt-road rdfs:label ?x } { card:salt-road rdfs:label ?x }", "A graph, as Turtle"),
    ],
)
def test_the_answer_in_words(client: TestClient, query: str, said: str) -> None:
    page = client.get("/query", params={"query": query, "format": "html"})
    assert f'role="status">{said}</p>' in page.text


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("SELECT ?x {\n ?x }", 400, "syntax error at line 2"),
        ("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", 400, "SERVICE is not allowed"),
        ("INSERT DATA { <x:a> <x:b> <x:c> }", 400, "read-only"),
    ],
)
@pytest.mark.parametrize("form", ["html", "csv"])
def test_errors_of_the_endpoint_are_shown_as_they_are(
    client: TestClient, query: str, status: int, said: str, form: str
) -> None:
    page = client.get("/query", params={"query": query, "format": form})
    assert page.status_code == status
    assert said in unescape(page.text.partition('role="alert">')[2].partition("</pre>")[0])
    assert query_in(page.text) == query


@pytest.mark.parametrize(
    ("form", "media", "begins"),
    [
        ("csv", "text/csv; charset=utf-8", "card,name,rules\r\nhttps://w3id.org/cardlaw/card/"),
        (
            "tsv",
            "text/tab-separated-values; charset=utf-8",
            "?card\t?name\t?rules\n<https://w3id.org/cardlaw/card/",
        ),
        ("json", "application/sparql-results+json", '{"head":'),
    ],
)
def test_the_answer_as_a_file(client: TestClient, form: str, media: str, begins: str) -> None:
    file = client.get(f"/query?name=cards-by-rule&rule=302&format={form}")
    assert file.headers["content-type"] == media
    assert file.headers["content-disposition"] == f'attachment; filename="cards-by-rule.{form}"'
    assert file.text.startswith(begins)


def test_a_graph_as_a_file(client: TestClient) -> None:
    file = client.get("/query", params={"query": "DESCRIBE card:salt-road", "format": "csv"})
    assert file.headers["content-type"] == "text/turtle; charset=utf-8"
    assert file.headers["content-disposition"] == 'attachment; filename="query.ttl"'


# In a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(small_store: Path) -> Iterator[str]:
    """Where a server with the small graph listens."""
    server = uvicorn.Server(
        uvicorn.Config(create_app(Site(small_store, "http://x/")), port=0, log_level="error")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def library() -> None:
    if not editor._there("yasgui.min.js"):
        pytest.skip("no editor library: there was no npm when cardlaw was installed")


@contextmanager
def opened(browser: Any, address: str, path: str, **context: Any) -> Iterator[Any]:
    """A page of the server; fails on any console error, dialog, or request to any other server."""
    faults: list[str] = []
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context}).new_page()

    def go_on(route: Any) -> None:
        if route.request.url.startswith(f"{address}/"):
            route.fallback()
        else:
            faults.append(route.request.url)
            route.abort()

    page.route("**/*", go_on)
    page.on("console", lambda message: faults.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.goto(f"{address}{path}")
    try:
        yield page
        if context.get("java_script_enabled", True):
            assert page.evaluate("localStorage.length + sessionStorage.length") == 0, "nothing is kept"
    finally:
        page.context.close()
    assert [fault for fault in faults if "status of 400" not in fault] == []


def answered(page: Any) -> str:
    """The line about the answer, once it is there."""
    page.locator("#status").filter(has_text=re.compile("row|Yes|No|graph|not answered|Stopped")).wait_for()
    said: str = page.inner_text("#status")
    return said


def ask(page: Any, query: str) -> str:
    """Write a query over what is there, and run it by keyboard."""
    page.click("#query:visible, .CodeMirror")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(query)
    page.keyboard.press("Control+Enter")
    return answered(page)


def rows(page: Any) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#answer tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


@pytest.mark.browser
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    "context",
    [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}, "has_touch": True}],
    ids=["desktop", "dark", "phone"],
)
def test_a_query_is_run_and_has_an_address(chromium: Any, address: str, context: dict[str, Any]) -> None:
    query = "SELECT ?card ?name { ?card a mtg:Card ; rdfs:label ?name } ORDER BY ?name LIMIT 3"
    with opened(chromium, address, "/query", **context) as page:
        assert page.locator(".yasqe").count() == 1
        assert ask(page, query).startswith("3 rows in ")
        assert parse_qs(urlsplit(page.url).query) == {"query": [query]}
        shown = rows(page)
        page.goto(page.url)
        assert answered(page).startswith("3 rows in ")
        assert rows(page) == shown
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "nothing sticks out at the side"
        page.click("#answer tbody a >> nth=0")
        assert urlsplit(page.url).path.startswith("/card/")
        page.go_back()
        assert answered(page).startswith("3 rows in ")


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_a_named_query_runs_in_one_click(chromium: Any, address: str) -> None:
    with opened(chromium, address, "/query") as page:
        for topic in range(page.locator(".examples section").count()):
            link = page.locator(f".examples section >> nth={topic} >> a >> nth=0")
            url = link.get_attribute("href")
            link.click()
            page.wait_for_selector(f'.examples a[aria-current=page][href="{url}"]')
            assert "row" in answered(page), url
            assert page.url == f"{address}{url}", "as long as it is not changed"


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_the_editor_takes_what_the_store_takes(chromium: Any, address: str, client: TestClient) -> None:
    with opened(chromium, address, "/query") as page:
        for query in client.get("/queries").json():
            page.evaluate("text => cardlaw.yasqe.setValue(text)", query["text"])
            assert page.locator(".parseErrorIcon").count() == 0, query["name"]
        page.evaluate("cardlaw.yasqe.setValue('SELECT { nope:x ?y ?z }')")
        assert page.locator(".parseErrorIcon").count() == 1


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_values_are_typed_with_completion(chromium: Any, address: str) -> None:
    with opened(chromium, address, "/query?name=cards-by-keyword&keyword=Flying") as page:
        answered(page)
        with page.expect_response("**/complete?*"):
            page.fill("input[name=keyword]", "cyc")
        page.wait_for_selector("#keyword-list option", state="attached")
        assert page.evaluate("document.querySelector('#keyword-list').options[0].value") == "Cycling"
        page.fill("input[name=keyword]", "Cycling")
        page.press("input[name=keyword]", "Enter")
        page.wait_for_url("**keyword=Cycling*")
        answered(page)
        assert "keyword:cycling" in page.evaluate("cardlaw.yasqe.getValue()")


@pytest.mark.browser
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("typed", "calls", "picked"),
    [
        ("SELECT * { ?card mtg:citesR", False, "mtg:citesRule"),
        ("SELECT * { ?card a mtg:KeywordInst", False, "mtg:KeywordInstance"),
        ("SELECT * { card:salt-r", False, "card:salt-road"),
        ("SELECT * { ?x mtg:keyword keyword:cyc", False, "keyword:cycling"),
        ("SELECT * { ?x mtg:citesRule rule:702.29", False, "rule:702.29"),
        ("SELECT * { ?x mtg:citesRule rule:614.1", False, "rule:614.1"),
        ("PREFIX ke", False, "PREFIX keyword: <https://w3id.org/cardlaw/keyword/>"),
        ("SELECT * { ?x mtg:citesRule replacement", True, "rule:614"),
        ("SELECT * { ?x mtg:hasKeyword cycl", True, "keyword:cycling"),
        ('SELECT * { ?x rdfs:label "salt', True, '"Salt Road"'),
    ],
)
def test_names_are_completed(chromium: Any, address: str, typed: str, calls: bool, picked: str) -> None:
    with opened(chromium, address, "/query") as page:
        page.click(".CodeMirror")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(typed[:-1])
        page.keyboard.type(typed[-1])
        if calls:
            page.keyboard.press("Control+Space")
        page.wait_for_selector(".CodeMirror-hints li")
        page.wait_for_timeout(150)
        page.keyboard.press("Enter")
        page.wait_for_selector(".CodeMirror-hints", state="detached")
        assert page.evaluate("cardlaw.yasqe.getValue()").endswith(picked)
        page.wait_for_timeout(300)
        assert page.locator(".CodeMirror-hints").count() == 0, "what was picked is not asked about again"


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_what_is_found_stays_text(chromium: Any, address: str) -> None:
    query = f"""SELECT ("{HOSTILE}" AS ?x) (<javascript:alert(3)> AS ?y) (<https://example.org/> AS ?z)
        (IRI(CONCAT(STR(card:), "%22onclick=alert(4)#\\">")) AS ?w) {{}}"""
    with opened(chromium, address, "/query") as page:
        said = ask(page, query)
        assert said.startswith("1 row"), page.inner_text("#answer")
        (row,) = rows(page)
        assert row[0] == HOSTILE
        assert row[1:3] == ["<javascript:alert(3)>", "<https://example.org/>"]
        assert page.locator("#answer img, #answer script").count() == 0
        for href in page.evaluate("[...document.querySelectorAll('#answer a')].map((link) => link.href)"):
            assert href.startswith(f"{address}/card/")


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_errors_are_shown_and_a_query_is_stopped(chromium: Any, address: str) -> None:
    with opened(chromium, address, "/query") as page:
        assert ask(page, "SELECT ?x {\n ?x }") == "The query was not answered (400)"
        assert "syntax error at line 2" in page.inner_text("#answer [role=alert]")
        page.route("**/sparql", lambda route: None)  # no answer for ever
        page.keyboard.press("Control+Enter")
        page.click("#stop")
        assert answered(page) == "Stopped"
        assert page.locator("#stop").is_hidden()
        page.unroute("**/sparql")
        assert ask(page, "ASK {}").startswith("Yes in ")
        assert ask(page, "CONSTRUCT { ?x a mtg:Y } { VALUES ?x { card:z } }").startswith("A graph, as Turtle")
        assert "card:z a mtg:Y" in page.inner_text("#answer pre")


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_a_table_is_sorted_and_long_ones_are_shown_in_parts(chromium: Any, address: str) -> None:
    query = """SELECT ?n ?s { VALUES ?n { 10 9 2.5 UNDEF } VALUES ?s { "b" "A" } }"""
    with opened(chromium, address, "/query") as page:
        ask(page, query)
        page.click("#answer th button >> nth=0")
        assert [row[0] for row in rows(page)] == ["2.5", "2.5", "9", "9", "10", "10", "", ""]
        page.click("#answer th button >> nth=0")
        assert [row[0] for row in rows(page)][-2:] == ["2.5", "2.5"]
        assert page.get_attribute("#answer th >> nth=0", "aria-sort") == "descending"
        ask(page, "SELECT ?s { ?s ?p ?o } LIMIT 1200")
        assert len(rows(page)) == 500
        page.click("text=Show more (700 left)")
        page.click("text=Show more (200 left)")
        assert len(rows(page)) == 1200
        with page.expect_download() as download:
            page.click("button[value=json]")
        kept = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        assert len(kept["results"]["bindings"]) == 1200


@pytest.mark.browser
@pytest.mark.usefixtures("library")
def test_the_keyboard_reaches_all(chromium: Any, address: str) -> None:
    with opened(chromium, address, "/query") as page:
        page.fill("#sieve", "keyword cross")
        assert page.locator(".examples li:visible").all_inner_texts() == [
            "Rules two cross-references from a keyword"
        ]
        page.focus(".CodeMirror textarea")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "SPARQL query"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "run", "Tab leaves the editor"
        page.keyboard.press("Enter")
        assert "row" in answered(page)


@pytest.mark.browser
def test_the_plain_page_asks_as_well(chromium: Any, address: str, without_library: None) -> None:
    with opened(chromium, address, "/query") as page:
        assert page.locator(".yasqe").count() == 0
        assert page.locator("#query").is_visible()
        assert ask(page, COUNT).startswith("1 row in ")
        page.click("text=Most cited rules")
        assert "row" in answered(page)
        assert page.locator("#answer tbody a").count() > 0


@pytest.mark.browser
def test_the_page_works_without_scripts(chromium: Any, address: str) -> None:
    with opened(chromium, address, "/query", java_script_enabled=False) as page:
        page.click("text=Most cited rules")
        page.click("#run")
        assert "row" in page.inner_text("#status")
        assert page.locator("#answer tbody a").count() > 0
        page.fill("#query", COUNT)
        with page.expect_download() as download:
            page.click("button[value=csv]")
        assert Path(download.value.path()).read_text(encoding="utf-8").startswith("cards")
