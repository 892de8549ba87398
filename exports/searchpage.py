"""`/search`: what a name means, and the passages of rules, glossary, keywords and cards that have the words.

A question that means one node goes straight there, unless it is in quotes or asks for a kind or a page. The
same answers as JSON under `/search.json`, or to a program that likes JSON best; spans of hits are half-open
[start, end) in code points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.errors import CardlawError
from cardlaw.graph.names import Found, Match, find
from cardlaw.graph.search import KINDS, LONGEST, Hit, Piece, Results, index
from cardlaw.graph.store import Store

from .accept import preferred
from .jsonform import encode
from .links import SERVED
from .mana import SYMBOL, Pip
from .marked import Part, plain
from .nodepage import Item
from .pages import page
from .rdfforms import HTML, JSON
from .site import Site

__all__ = ["KIND_NAMES", "fitted", "routes"]

KIND_NAMES = {
    "keyword": "Keywords",
    "term": "Glossary",
    "rule": "Rules",
    "tag": "Tags",
    "card": "Cards",
    "token": "Tokens",
}
"""Kind → what those of it are called in a list."""

_PAGE = 20  # hits of a page
_PAGES = 250  # that can be turned to


class ShownHit(NamedTuple):
    """A hit as the page shows it."""

    kind: str
    href: str
    title: list[tuple[list[Part], bool]]
    text: list[tuple[list[Part], bool]]


def routes(site: Site) -> list[BaseRoute]:
    """The page and its JSON."""

    def search(request: Request) -> Response:
        return _search(site.store, request)

    return [Route("/search", search), Route("/search.json", search)]


def _search(store: Store, request: Request) -> Response:
    asked = request.query_params.get("q", "").strip()[:LONGEST].strip()
    kind = request.query_params.get("kind", "")
    kind = kind if kind in KINDS else ""
    number = request.query_params.get("page", "")
    at = min(max(int(number), 1), _PAGES) if number.isascii() and number[:4].isdecimal() else 1
    likes = preferred(", ".join(request.headers.getlist("accept")), [HTML.media, JSON.media])
    as_json = request.url.path.endswith(f".{JSON.suffix}") or likes == JSON.media
    if not asked:
        error = encode({"error": "ask for something: /search.json?q=cycling"})
        return Response(error, 400, media_type=JSON.media) if as_json else RedirectResponse("/", 303)
    found = find(store, asked)
    if not as_json and len(found.matches) == 1 and not (kind or number or asked.startswith('"')):
        return RedirectResponse(Site.address(found.matches[0].iri), 303, {"vary": "Accept"})
    results, problem = Results(), ""
    try:
        results = index(store).search(asked, [kind] if kind else KINDS, _PAGE, (at - 1) * _PAGE)
    except CardlawError as error:
        problem = str(error)
    total = results.counts.get(kind, 0) if kind else sum(results.counts.values())
    pages = min(-(-total // _PAGE), _PAGES)
    if as_json:
        body = _form(store, asked, kind, found, results, total, at, pages, problem)
        return Response(encode(body, indent=2), media_type=JSON.media, headers={"vary": "Accept"})

    def turned(kind: str, at: int) -> str:
        values = {"q": asked, "kind": kind, "page": at if at > 1 else ""}
        return f"/search?{urlencode({name: value for name, value in values.items() if value})}"

    hits = [_shown(hit) for hit in results.hits]
    kinds = [Item(f"All ({sum(results.counts.values()):,})", turned("", 1) if kind else None)]
    for name, count in results.counts.items():
        kinds.append(Item(f"{KIND_NAMES[name]} ({count:,})", turned(name, 1) if name != kind else None))
    return page(
        store,
        "search.html",
        headers={"vary": "Accept"},
        title=f"“{asked}”",
        asked=asked,
        found=found,
        results=results,
        problem=problem,
        hits=hits,
        kinds=kinds if len(results.counts) > 1 else [],
        total=total,
        first=(at - 1) * _PAGE + 1,
        before=turned(kind, at - 1) if at > 1 else None,
        after=turned(kind, at + 1) if at < pages else None,
        twin=f"/search.json?{urlencode({'q': asked} | ({'kind': kind} if kind else {}))}",
        styles=("pages.css", "cards.css"),
        drawings=sorted(_drawings(hits)),
    )


def _shown(hit: Hit) -> ShownHit:
    return ShownHit(hit.kind, SERVED.node(hit.iri), fitted(hit.title), fitted(hit.text))


def _drawings(hits: Sequence[ShownHit]) -> set[str]:
    """The drawings of the symbols in some hits."""
    parts = (
        part for hit in hits for pieces in (hit.title, hit.text) for found, _ in pieces for part in found
    )
    return {drawing for part in parts if isinstance(part, Pip) for drawing in part.drawings if drawing}


def fitted(pieces: Sequence[Piece]) -> list[tuple[list[Part], bool]]:
    """Words with their symbols, each with whether it is a hit; a hit within a symbol is the whole of it."""
    text = "".join(piece.text for piece in pieces)
    hit = [piece.is_hit for piece in pieces for _ in piece.text]
    for symbol in SYMBOL.finditer(text):
        is_hit = any(hit[symbol.start() : symbol.end()])
        hit[symbol.start() : symbol.end()] = [is_hit] * len(symbol[0])
    found: list[tuple[list[Part], bool]] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or hit[at] != hit[start]:
            found.append((plain(text[start:at]), hit[start]))
            start = at
    return found


def _form(
    store: Store,
    asked: str,
    kind: str,
    found: Found,
    results: Results,
    total: int,
    at: int,
    pages: int,
    problem: str,
) -> dict[str, Any]:
    """The answer as JSON."""
    return {
        "asked": asked,
        "kind": kind or None,
        "rulebook": store.info.release,
        "names": [_name(match) for match in found.matches],
        "near": [_name(match) for match in found.near],
        "total": total,
        "kinds": dict(results.counts),
        "widened": results.widened or None,
        "problem": problem or ("it took too long" if results.is_cut else None),
        "page": at,
        "pages": pages,
        "results": [
            {
                "kind": hit.kind,
                "iri": hit.iri,
                "title": "".join(piece.text for piece in hit.title),
                "title_hits": _spans(hit.title),
                "text": "".join(piece.text for piece in hit.text),
                "text_hits": _spans(hit.text),
            }
            for hit in results.hits
        ],
    }


def _name(match: Match) -> dict[str, str]:
    return {"iri": match.iri, "label": match.label, "kind": match.kind}


def _spans(pieces: Sequence[Piece]) -> list[list[int]]:
    spans, at = [], 0
    for piece in pieces:
        if piece.is_hit:
            spans.append([at, at + len(piece.text)])
        at += len(piece.text)
    return spans
