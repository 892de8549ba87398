"""`cardlaw deck`, and a deck in Python: text, JSON, a page of its own and a view, of one `DeckReport`."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardlaw.graph.decks import DeckReport, analyze, read_deck
from cardlaw.graph.store import Store

from .jsonform import Json

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

__all__ = ["Deck", "deck", "deck_json", "deck_view", "write_deck"]

_SHOWN = 150
"""Nodes that a view opens with."""
_HELD = 900
"""Nodes that it has."""


class Deck(NamedTuple):
    """A page that tells of a deck, and what it tells; the last value of a notebook's cell, it is shown there."""

    report: DeckReport
    html: str
    height: int = 800
    """In pixels, of the frame in the notebook."""

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 8px"
        title = escape(self.report.title)
        return f'<iframe srcdoc="{escape(self.html)}" sandbox title="{title}" style="{style}"></iframe>'

    def __repr__(self) -> str:
        from .decktext import summary

        return f"<Deck {self.report.title}, {summary(self.report)}; save(path) writes the page>"

    def save(self, path: str | Path) -> Path:
        """Write the page into a file; an earlier one stays as it was if that fails.

        Raises:
            CardlawError: it cannot be written.
        """
        from .files import write_file

        write_file([self.html.encode()], Path(path))
        return Path(path)


def deck(graph: Store, listed: str | bytes, *, title: str = "", height: int = 800) -> Deck:
    """A deck list of any format, told by the rules that its cards need.

    Args:
        graph: an opened one.
        listed: the list itself: text, or the bytes of a file.
        title: of the deck, if the list tells none.
        height: of the frame in a notebook, in pixels.

    Raises:
        QueryError: the list has too many names.

    Example:
        >>> from cardlaw.graph import open_store
        >>> deck(open_store(), "4 Lightning Bolt\\n20 Mountain").report.rules  # doctest: +SKIP
    """
    from .deckpage import deck_html
    from .links import Alone

    report = analyze(graph, read_deck(listed, name=title))
    return Deck(report, deck_html(graph, report, Alone()), height)


def deck_json(report: DeckReport) -> Json:
    """A report as plain values, ready for any JSON encoder: its fields by their names, tuples as lists."""
    made: dict[str, Any] = msgspec.to_builtins(report, str_keys=True)
    return {"title": report.title, **made}


def deck_view(graph: Store, report: DeckReport) -> tuple[nx.MultiDiGraph, list[str]]:
    """The cards of a deck with its keywords and the rarest rules that they share, and what to show at first.

    What ties two cards of the deck comes first; then cards by how many of these rules they need.
    """
    from cardlaw.graph.neighborhood import between
    from cardlaw.ontology.namespaces import compact

    shared: dict[str, None] = {}
    users: dict[str, int] = {}
    for heading in report.rules:
        for rule in heading.rules:
            if len(rule.cards) > 1 or len(report.cards) < 3:
                shared[compact(rule.iri)] = None
                for user in rule.cards:
                    users[compact(user.iri)] = users.get(compact(user.iri), 0) + 1
    keywords = {compact(keyword.rule_iri): compact(keyword.iri) for keyword in report.keywords}
    rules = list(shared)[:_SHOWN // 2]
    nodes = [compact(card.iri) for card in report.cards]
    nodes.sort(key=lambda node: -users.get(node, 0))
    around = [each for rule in rules for each in (keywords.get(rule), rule) if each]
    cards = nodes[: _SHOWN - min(len(around), _SHOWN // 2)]
    shown = [*cards, *around[: _SHOWN - len(cards)]]
    every = list(dict.fromkeys([*shown, *nodes, *around, *shared]))[:_HELD]
    return between(graph, every).graph, shown


def write_deck(graph: Store, report: DeckReport, format_: str, path: Path | None) -> None:
    """Write a report as "text", "json", "html" or "view" to a file, or print it.

    Raises:
        CardlawError: the file cannot be written.
    """
    from .files import write_file
    from .jsonform import encode

    if format_ == "text" and path is None:
        from .answers import print_all
        from .decktext import deck_lines

        print_all(deck_lines(report))
        return
    write_file([_written(graph, report, format_, encode)], path)
    if path is not None:
        print(path)


def _written(graph: Store, report: DeckReport, format_: str, encode: Any) -> bytes:
    if format_ == "json":
        return bytes(encode(deck_json(report), indent=2)) + b"\n"
    if format_ == "view":
        from .viewpage import view_html

        drawn, shown = deck_view(graph, report)
        html = view_html(drawn, focus=shown[:1], title=report.title, release=report.release, shown=shown)
        return html.encode("utf-8", "replace")
    from .deckpage import deck_html
    from .links import Alone

    return deck_html(graph, report, Alone()).encode("utf-8", "replace")
