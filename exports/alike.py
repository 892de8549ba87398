"""What a card is like and what it meets: as JSON, as lines, and at addresses beside the card's page.

    GET /card/SLUG/similar.json?limit=20     cards alike, with what they share
    GET /card/SLUG/meetings.json?limit=100   abilities of others that meet its own in a rule
    GET /card/SLUG/similar, /card/SLUG/meetings    the same as pages

`limit` is 200 at most. What is no card gets 404, a limit that is none 400, each with `{"error": "one line"}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import shorten

from rich.text import Text
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.errors import UnknownNodeError
from cardlaw.graph.facts import Reader
from cardlaw.graph.lookup import iri
from cardlaw.graph.meetingkinds import kinds
from cardlaw.graph.meetings import Meeting, Side, meetings_of
from cardlaw.graph.similar import Alike, Reason, similar
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .jsonform import Json, encode
from .pages import page
from .recordpage import STYLES
from .show import Line
from .site import Site

__all__ = ["meeting_lines", "meetings_form", "routes", "similar_form", "similar_lines"]

_MOST = 200
_LIMITS = {"similar": 20, "meetings": 100}
_REASONS = 3  # of a card alike, in lines
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
    head = _head(store, slug)
    return page(
        store,
        "similar.html",
        title=f"Cards like {head['card']}",
        head=head,
        address=f"/card/{slug}/similar.json",
        found=found,
        styles=STYLES,
    )


def _meetings_page(store: Store, slug: str, found: Sequence[Meeting]) -> Response:
    head = _head(store, slug)
    reader = Reader(store)
    definitions = {kind.id: kind.definition for kind in kinds()}
    groups = [
        (definitions[kind], reader.heading(PREFIXES["rule"] + group[0].rule), group)
        for kind, group in ((kind, list(group)) for kind, group in groupby(found, key=lambda each: each.kind))
    ]
    return page(
        store,
        "meetings.html",
        title=f"What {head['card']} meets",
        head=head,
        address=f"/card/{slug}/meetings.json",
        groups=groups,
        styles=STYLES,
    )


def similar_form(store: Store, slug: str, found: Sequence[Alike]) -> Json:
    """Cards alike one as JSON: of each its likeness of 1, and what both have to do with, the rarest first."""
    return {**_head(store, slug), "similar": [_alike(each) for each in found]}


def _alike(alike: Alike) -> Json:
    return {
        "name": alike.name,
        "iri": f"{PREFIXES['card']}{alike.slug}",
        "score": alike.score,
        "same_words": alike.same_words,
        "reasons": [_reason(reason) for reason in alike.reasons],
    }


def _reason(reason: Reason) -> Json:
    return {
        "iri": iri(reason.node),
        "label": reason.label,
        "relation": reason.relation,
        "weight": reason.weight,
        "quote": reason.quote or None,
        "other": reason.other or None,
    }


def meetings_form(store: Store, slug: str, found: Sequence[Meeting]) -> Json:
    """The meetings of a card as JSON: of each its kind, the rule that governs it, and the words of both."""
    definitions = {kind.id: kind.definition for kind in kinds()}
    reader = Reader(store)
    return {
        **_head(store, slug),
        "meetings": [
            {
                "kind": each.kind,
                "label": each.label,
                "definition": definitions[each.kind],
                "rule": each.rule,
                "title": reader.heading(PREFIXES["rule"] + each.rule),
                "weight": each.weight,
                "first": _side(each.first),
                "second": _side(each.second),
            }
            for each in found
        ],
    }


def _head(store: Store, slug: str) -> Json:
    card = f"{PREFIXES['card']}{slug}"
    return {"card": Reader(store).label(card), "iri": card, "rulebook": store.info.release}


def _side(side: Side) -> Json:
    return {
        "name": side.name,
        "iri": f"{PREFIXES['card']}{side.slug}",
        "ability": side.ability,
        "quote": side.quote,
        "start": side.start,
        "end": side.end,
        "rule": side.rule,
    }


def similar_lines(name: str, found: Sequence[Alike]) -> Iterator[Line]:
    """Cards alike one, each with what both share and the words of both."""
    yield Line(0, Text(f"Cards like {name}", "bold"))
    for number, alike in enumerate(found, 1):
        same = ", the same words" if alike.same_words else ""
        yield Line(
            0, Text(f"{number:3}. ").append(alike.name, "bold").append(f"  {alike.score:.2f}{same}", "dim"), 5
        )
        for reason in alike.reasons[:_REASONS]:
            said = Text("both: ", "dim").append(reason.verb, "cyan").append(f" {reason.label}")
            quotes = dict.fromkeys(filter(None, (reason.quote, reason.other)))
            said.append("".join(f"  “{_short(quote)}”" for quote in quotes), "dim")
            yield Line(5, said, 2)


def meeting_lines(found: Sequence[Meeting], heading: Callable[[str], str | None]) -> Iterator[Line]:
    """Meetings, a kind at a time, with the words of both cards; `heading` gives that of a rule's IRI."""
    for _, group in groupby(found, key=lambda each: each.kind):
        each = next(group)
        rule = f"{each.rule} {heading(PREFIXES['rule'] + each.rule) or ''}".strip()
        yield Line(0, Text("They meet in ").append(rule, "bold").append(f": {each.label}"))
        for side in (each.first, each.second):
            yield Line(
                3, Text(f"{side.name} ").append(f"“{_short(side.quote)}”", "dim").append(f"  {side.rule}"), 2
            )


def _short(quote: str) -> str:
    return shorten(quote, 90, placeholder=" …")
