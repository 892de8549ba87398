"""What a card is like and what it meets, at addresses beside the card's page.

    GET /card/SLUG/similar.json?limit=20     cards alike, with what they share
    GET /card/SLUG/meetings.json?limit=100   abilities of others that meet its own in a rule
    GET /card/SLUG/similar, /card/SLUG/meetings    the same as pages

`limit` is 200 at most. What is no card gets 404, a limit that is none 400, each with `{"error": "one line"}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.errors import UnknownNodeError
from cardlaw.graph.facts import Reader
from cardlaw.graph.meetingkinds import kinds
from cardlaw.graph.meetings import Meeting, meetings_of
from cardlaw.graph.similar import Alike, similar
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .alike import head, meetings_form, similar_form
from .jsonform import Json, encode
from .pages import page
from .recordpage import STYLES
from .site import Site

__all__ = ["routes"]

_MOST = 200
_LIMITS = {"similar": 20, "meetings": 100}
_OPEN = {"access-control-allow-origin": "*"}


def routes(site: Site) -> list[BaseRoute]:
    """The addresses beside a card's page."""

    def answer(request: Request) -> Response:
        return _answer(site.store, request)

    return [Route(f"/card/{{slug}}/{name}{end}", answer) for name in _LIMITS for end in ("", ".json")]


def _answer(store: Store, request: Request) -> Response:
    what, _, form = request.url.path.rpartition("/")[2].partition(".")
    slug = request.path_params["slug"]
    asked = request.query_params.get("limit", str(_LIMITS[what]))
    if not (asked.isascii() and asked.isdecimal() and 1 <= int(asked[:4]) <= _MOST):
        return JSONResponse({"error": f"limit is a number from 1 to {_MOST}"}, 400, _OPEN)
    try:
        if what == "similar":
            alike = similar(store, slug, limit=int(asked))
            return _json(similar_form(store, slug, alike)) if form else _similar_page(store, slug, alike)
        met = meetings_of(store, slug, limit=int(asked))
        return _json(meetings_form(store, slug, met)) if form else _meetings_page(store, slug, met)
    except UnknownNodeError as error:
        return JSONResponse({"error": str(error)}, 404, _OPEN)


def _json(form: Json) -> Response:
    return Response(encode(form, indent=2), headers=_OPEN, media_type="application/json")


def _similar_page(store: Store, slug: str, found: Sequence[Alike]) -> Response:
    told = head(store, slug)
    return page(
        store,
        "similar.html",
        title=f"Cards like {told['card']}",
        head=told,
        address=f"/card/{slug}/similar.json",
        found=found,
        styles=STYLES,
    )


def _meetings_page(store: Store, slug: str, found: Sequence[Meeting]) -> Response:
    told = head(store, slug)
    reader = Reader(store)
    definitions = {kind.id: kind.definition for kind in kinds()}
    groups = [
        (definitions[kind], reader.heading(PREFIXES["rule"] + group[0].rule), group)
        for kind, group in ((kind, list(group)) for kind, group in groupby(found, key=lambda each: each.kind))
    ]
    return page(
        store,
        "meetings.html",
        title=f"What {told['card']} meets",
        head=told,
        address=f"/card/{slug}/meetings.json",
        groups=groups,
        styles=STYLES,
    )
