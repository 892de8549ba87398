"""The explorer as it is served: the page, the JSON that it asks for, and what hostile clients ask for."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from cardlaw.exports import atlas, explore, linked
from cardlaw.exports.site import Site
from cardlaw.exports.viewpage import ASSETS

FALCON, GLASS = "card:brindle-falconer", "card:glass-half"


@pytest.fixture(scope="module")
def app(small_store: Path) -> Starlette:
    site = Site(small_store, "http://testserver/")
    return Starlette(routes=[*explore.routes(site), *atlas.routes(site), *linked.routes(site)])


@pytest.fixture(scope="module")
def client(app: Starlette) -> TestClient:
    return TestClient(app)


def ask(client: TestClient, path: str, status: int = 200, **parameters: Any) -> Any:
    response = client.get(f"/explore/{path}", params=parameters)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    return response.json()


# -- the page ----------------------------------------------------------------------------------------


def test_the_page_asks_this_server_only(client: TestClient) -> None:
    page = client.get("/explore")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert {"default-src 'none'", "script-src 'self'", "connect-src 'self'"} <= set(policy.split("; "))
    addresses = set(re.findall(r'(?:src|href)="([^"]+)"', page.text)) - {"data:,"}
    assert addresses
    for address in addresses:
        assert address.startswith("/")
        assert client.get(address).status_code == 200, address


@pytest.mark.parametrize("name", ASSETS)
def test_what_the_page_is_made_of(client: TestClient, name: str) -> None:
    asset = client.get(f"/assets/explore/{name}")
    assert asset.status_code == 200
    assert asset.headers["content-type"].partition(";")[0] == ASSETS[name]
    again = client.get(f"/assets/explore/{name}", headers={"if-none-match": asset.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name", ["view.html", "..%2fview.html", "%2e%2e/explore.py", "main.js%00", "x" * 3000]
)
def test_no_other_file_is_given(client: TestClient, name: str) -> None:
    assert client.get(f"/assets/explore/{name}").status_code == 404


@pytest.mark.parametrize(
    "path", ["/card/brindle-falconer", "/rule/702.29", "/keyword/flying", "/type/goblin"]
)
def test_pages_of_nodes_lead_to_the_explorer(client: TestClient, path: str) -> None:
    node = path[1:].replace("/", ":")
    page = client.get(path, headers={"accept": "text/html"}).text
    assert re.search(rf'<a [^>]*href="/explore#focus={node}"[^>]*>', page)


def test_pages_of_what_cannot_be_drawn_do_not(client: TestClient) -> None:
    page = client.get("/layer/rules", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert "/explore#focus" not in page.text


# -- what it asks for --------------------------------------------------------------------------------


def test_a_graph_has_all_that_is_drawn(client: TestClient) -> None:
    graph = ask(client, "graph", focus=[FALCON, "rule:302"], depth=2, limit=40)
    about = graph["about"]
    assert about["focus"] == [FALCON, "rule:302"]
    assert about["release"] == "2026-01-16"
    assert about["source"] == {"base": "/explore/"}
    ids = {node["id"] for node in graph["nodes"]}
    assert len(ids) == len(graph["nodes"]) <= 40
    assert ids == set(about["shown"])
    for node in graph["nodes"]:
        assert node["kind"] in about["types"]
        assert node["label"]
        assert client.get(node["url"], headers={"accept": "text/html"}).status_code == 200
        assert isinstance(node["x"], int)
        assert isinstance(node["y"], int)
        assert all(number > 0 for number in node["more"].values())
    for edge in graph["edges"]:
        assert {edge["from"], edge["to"]} <= ids
        assert edge["relation"] in about["relations"]
    proved = [edge for edge in graph["edges"] if edge["relation"] == "has_keyword"]
    assert proved
    assert proved[0]["evidence"][0]["quote"]
    assert len({edge["id"] for edge in graph["edges"]}) == len(graph["edges"])


def test_iris_name_nodes_too(client: TestClient) -> None:
    graph = ask(client, "graph", focus="https://w3id.org/cardlaw/rule/302", depth=0)
    assert [node["id"] for node in graph["nodes"]] == ["rule:302"]


def test_a_preset_is_a_graph(client: TestClient) -> None:
    graph = ask(client, "graph", focus=[FALCON, GLASS], preset="shared")
    assert "keyword:flying" in graph["about"]["shown"]
    assert "two cards" in ask(client, "graph", 400, focus=FALCON, preset="shared")["error"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_node_expands_beside_what_is_there(client: TestClient, method: str) -> None:
    query = {"node": "keyword:flying", "relation": "is had by"}
    have = [GLASS, "rule:302"]
    if method == "GET":
        grown = ask(client, "expand", **query, have=",".join(have))
    else:
        grown = client.post("/explore/expand", params=query, json={"have": have}).json()
    new = {node["id"] for node in grown["nodes"]}
    assert FALCON in new
    assert not new & set(have)
    assert all(edge["from"] in new or edge["to"] in new for edge in grown["edges"])
    assert {edge["to"] for edge in grown["edges"]} >= {"keyword:flying"}
    assert "is had by" not in grown["more"]
    one = ask(client, "expand", **query, have=",".join(have), limit=1)
    assert len(one["nodes"]) == 1
    assert one["more"].get("is had by", 0) == len(new) - 1


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("702.29", "rule:702.29"),
        ("rule:614.1a", "rule:614.1a"),
        ("CYCLING", "keyword:cycling"),
        ("cyclin", "keyword:cycling"),
        ("Cyclign", "keyword:cycling"),
        ("flyng", "keyword:flying"),
        ("brindle falc", FALCON),
        ("brindel falconer", FALCON),
        ("brindle, falconer!", FALCON),
        ("Röad", "card:salt-road"),
        ("active play", "term:active-player"),
        ("goblin", "type:goblin"),
        ("clamor", "card:hush-clamor"),
    ],
)
def test_the_search_finds(client: TestClient, typed: str, first: str) -> None:
    found = ask(client, "search", q=typed)
    assert found[0]["id"] == first
    assert set(found[0]) == {"id", "label", "kind", "hint"}
    assert found[0]["kind"] == first.partition(":")[0]


def test_the_search_says_what_tells_names_apart(client: TestClient) -> None:
    assert ask(client, "search", q="702.29e", limit=1) == [
        {"id": "rule:702.29e", "label": "702.29e Cycling", "kind": "rule", "hint": "rule"}
    ]
    (card,) = ask(client, "search", q="brindle falconer", limit=1)
    assert card["hint"].startswith("Creature")


@pytest.mark.parametrize(
    "typed", ["", "   ", "〜〜", "zqxjkvzqxjkv", "'; DROP", "\x00", "\u202e", "🂡", "-" * 200]
)
def test_the_search_takes_anything(client: TestClient, typed: str) -> None:
    assert isinstance(ask(client, "search", q=typed), list)


def test_paths_are_told_and_drawn(client: TestClient) -> None:
    found = ask(client, "paths", **{"from": FALCON, "to": GLASS})
    first = found["paths"][0]
    assert first["nodes"] == [FALCON, "keyword:flying", GLASS]
    assert first["sentence"].startswith("Brindle Falconer has Flying (“Flying”), which is had by Glass Half")
    nodes = {node["id"] for node in found["nodes"]}
    edges = {edge["id"]: edge for edge in found["edges"]}
    for path in found["paths"]:
        assert set(path["nodes"]) <= nodes
        assert len(path["edges"]) == len(path["nodes"]) - 1
        for number, edge in enumerate(path["edges"]):
            assert {edges[edge]["from"], edges[edge]["to"]} == set(path["nodes"][number : number + 2])


def test_a_build_is_asked_for_once(client: TestClient) -> None:
    for path in ("/explore", f"/explore/graph?focus={FALCON}", "/explore/search?q=a"):
        response = client.get(path)
        assert response.headers["cache-control"] == "no-cache"
        again = client.get(path, headers={"if-none-match": f'"other", {response.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")


# -- what it cannot answer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("graph", 400, "focus is given"),
        ("graph?" + "&".join(["focus=rule:302"] * 101), 400, "focus is given"),
        ("graph?focus=", 400, "prefixed name"),
        ("graph?focus=rule:" + "1" * 5000, 400, "prefixed name"),
        ("graph?focus=rule:302&depth=6", 400, "depth is a whole number from 0 to 5"),
        ("graph?focus=rule:302&depth=-1", 400, "depth"),
        ("graph?focus=rule:302&depth=1.5", 400, "depth"),
        ("graph?focus=rule:302&depth=%D9%A1", 400, "depth"),
        ("graph?focus=rule:302&limit=0", 400, "limit"),
        ("graph?focus=rule:302&limit=999999999999999999999", 400, "limit"),
        ("graph?focus=rule:302&preset=all", 400, "preset is one of shared, tied, keyword"),
        ("graph?focus=entry:effect.x", 400, "cannot be drawn"),
        ("graph?focus=flying", 400, "cannot be drawn"),
        ("graph?focus=card:brindle-falconr", 404, "did you mean card:brindle-falconer"),
        ("graph?focus=rule:702.999", 404, "rule:702"),
        ("graph?focus=card:%3Cscript%3E", 404, "there is no card:<script>"),
        ("graph?focus=card:a%0Ab", 404, "there is no card:a b"),
        ("expand", 400, "node is a prefixed name"),
        ("expand?node=card:nobody", 404, "there is no card:nobody"),
        ("expand?node=rule:302&relation=likes", 400, "no ties read “likes”"),
        ("expand?node=rule:302&limit=101", 400, "limit"),
        ("expand?node=rule:302&have=" + "x," * 1001, 400, "at most 1,000"),
        ("search?q=" + "a" * 201, 400, "at most 200"),
        ("search?q=a&limit=51", 400, "limit"),
        ("paths?from=rule:302", 400, "to is a prefixed name"),
        ("paths?from=rule:302&to=rule:302", 400, "give two that differ"),
        ("paths?from=rule:302&to=card:nobody", 404, "there is no card:nobody"),
        ("paths?from=rule:302&to=ability:brindle-falconer.1.1", 400, "has no paths"),
    ],
)
def test_bad_parameters_get_one_line(client: TestClient, path: str, status: int, said: str) -> None:
    response = client.get(f"/explore/{path}")
    assert response.status_code == status
    assert response.headers["cache-control"] == "no-store"
    error = response.json()["error"]
    assert said in error
    assert "\n" not in error


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"have": 3}', b'{"have": [3]}', b"\xff", b"null"])
def test_bad_bodies_get_one_line(client: TestClient, body: bytes) -> None:
    response = client.post("/explore/expand?node=rule:302", content=body)
    assert response.status_code == 400
    assert response.json()["error"].startswith("the body is JSON")


def test_long_bodies_are_refused(client: TestClient) -> None:
    response = client.post("/explore/expand?node=rule:302", content=b" " * (300 * 1024))
    assert response.status_code == 413


@pytest.mark.parametrize("path", ["graph", "search", "paths"])
def test_only_expansion_takes_a_body(client: TestClient, path: str) -> None:
    assert client.post(f"/explore/{path}").status_code == 405


def test_near_misses_are_told_to_programs(client: TestClient) -> None:
    found = ask(client, "graph", 404, focus="card:brindle-falconr")
    assert {"id": FALCON, "label": "Brindle Falconer", "kind": "card"} in found["near"]


def test_hostile_names_stay_text(client: TestClient) -> None:
    (found, *_) = ask(client, "search", q="img src")
    assert "<img" in found["label"]
    response = client.get(f"/explore/graph?focus={quote(found['id'])}")
    assert response.headers["content-type"] == "application/json"
    assert any("<img" in node["label"] for node in json.loads(response.content)["nodes"])


def test_a_hub_does_not_hold_up_others(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go, begun = threading.Event(), threading.Semaphore(0)
    quick = explore.neighborhood

    def slow(*given: Any) -> Any:
        begun.release()
        assert let_go.wait(30)
        return quick(*given)

    monkeypatch.setattr(explore, "neighborhood", slow)
    monkeypatch.setattr(explore, "_WAITING", 3)

    async def run() -> None:
        transport = httpx.ASGITransport(app=Starlette(routes=app.routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver", timeout=30) as client:
            asked = [asyncio.create_task(client.get("/explore/graph?focus=rule:302")) for _ in range(3)]
            for _ in range(2):  # so many are made at a time, the third waits
                assert await asyncio.to_thread(begun.acquire, timeout=30)
            assert (await client.get("/explore")).status_code == 200
            assert (await client.get("/rule/302")).status_code == 200
            refused = await client.get("/explore/search?q=a")
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            let_go.set()
            assert [(await each).status_code for each in asked] == [200, 200, 200]
            assert (await client.get("/explore/search?q=a")).status_code == 200

    asyncio.run(run())
