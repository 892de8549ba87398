"""What a card is like and what it meets, as JSON and as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import shorten

from rich.text import Text

from cardlaw.graph.facts import Reader
from cardlaw.graph.lookup import iri
from cardlaw.graph.meetingkinds import kinds
from cardlaw.graph.meetings import Meeting, Side
from cardlaw.graph.similar import Alike, Reason
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .jsonform import Json
from .show import Line

__all__ = ["head", "meeting_lines", "meetings_form", "similar_form", "similar_lines"]

_REASONS = 3  # of a card alike, in lines


def similar_form(store: Store, slug: str, found: Sequence[Alike]) -> Json:
    """Cards alike one as JSON: of each its likeness of 1, and what both have to do with, the rarest first."""
    return {**head(store, slug), "similar": [_alike(each) for each in found]}


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
        **head(store, slug),
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


def head(store: Store, slug: str) -> Json:
    """Of which card an answer is, and by which rulebook."""
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
