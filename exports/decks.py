"""What `cardlaw deck` answers: text, JSON, a page of its own and a view, of one `DeckReport`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cardlaw.graph.decks import DeckReport, analyze, read_deck
from cardlaw.graph.store import Store

from .decktext import deck_lines
from .jsonform import Json, encode

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

__all__ = ["deck_json", "tell_deck", "view_page"]

_SHOWN = 150
"""Nodes that a view opens with."""
_RULES = 45
"""Rules among them."""
_HELD = 900
"""Nodes that it has."""
_TOLD = 20
"""Unknown names, and lines that are skipped, that are told on stderr."""


def deck_json(report: DeckReport) -> Json:
    """A report as plain values, ready for any JSON encoder: its fields by their names, tuples as lists."""
    made: dict[str, Any] = msgspec.to_builtins(report, str_keys=True)
    return {"title": report.title, **made}


def view_page(graph: Store, report: DeckReport) -> str:
    """The HTML of a view of a deck: its cards with its keywords and the rarest rules that they share.

    What ties two cards of the deck is shown first, then cards by how many of these rules they need; the rest
    comes when a node is expanded.
    """
    from .viewpage import view_html

    drawn, shown = _drawn(graph, report)
    return view_html(drawn, title=report.title, release=report.release, shown=shown)


def _drawn(graph: Store, report: DeckReport) -> tuple[nx.MultiDiGraph, list[str]]:
    """What a view holds, and which nodes it opens with."""
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
    rules = list(shared)[:_RULES]
    nodes = [compact(card.iri) for card in report.cards]
    nodes.sort(key=lambda node: -users.get(node, 0))
    around = [each for rule in rules for each in (keywords.get(rule), rule) if each]
    cards = nodes[: _SHOWN - min(len(around), _SHOWN // 2)]
    shown = [*cards, *around[: _SHOWN - len(cards)]]
    every = list(dict.fromkeys([*shown, *nodes, *around, *shared]))[:_HELD]
    return between(graph, every).graph, shown


def tell_deck(graph: Store, data: bytes, file: str, format_: str, path: Path | None, *, quiet: bool) -> bool:
    """Tell of the deck list in a file; whether any of its cards was found.

    Names that are unknown, and lines that say nothing, are told on stderr.

    Args:
        graph: the store.
        data: what is in the file.
        file: its path; “-” is stdin.
        format_: "text", "json", "html" or "view".
        path: where the answer goes; None: to stdout.
        quiet: tell nothing but what is wrong.

    Raises:
        CardlawError: the list has too many names, or the answer cannot be written.
    """
    from .files import write_file

    report = analyze(graph, read_deck(data, name="" if file == "-" else Path(file).stem))
    _warn(report, file)
    if not report.cards:
        return False
    if format_ == "text" and path is None:
        from .answers import print_all

        print_all(deck_lines(report))
        return True
    write_file([_written(graph, report, format_)], path)
    if path is not None:
        print(path)
    return True


def _warn(report: DeckReport, file: str) -> None:
    from .terminal import warn

    file = "stdin" if file == "-" else file
    for unknown in report.unknown[:_TOLD]:
        near = " or ".join(f"“{name}”" for name in unknown.near)
        hint = f"; did you mean {near}?" if near else ""
        warn(f"{file}:{unknown.lines[0]}: no card is called “{unknown.name}”{hint}")
    if len(report.unknown) > _TOLD:
        warn(f"{file}: and {len(report.unknown) - _TOLD:,} more names of no card")
    for line, text, reason in report.deck.skipped[:_TOLD]:
        warn(f"{file}:{line}: skipped, {reason}: {text}")
    if len(report.deck.skipped) > _TOLD:
        warn(f"{file}: and {len(report.deck.skipped) - _TOLD:,} more lines skipped")
    if not report.cards:
        warn(f"{file} names no card of this graph: give a list with a card a line, as in 4 Lightning Bolt")


def _written(graph: Store, report: DeckReport, format_: str) -> bytes:
    """The bytes of a report in a file."""
    if format_ == "text":
        lines = (f"{' ' * line.indent}{line.text.plain}\n" for line in deck_lines(report))
        return "".join(lines).encode("utf-8", "replace")
    if format_ == "json":
        return encode(deck_json(report), indent=2) + b"\n"
    if format_ == "view":
        return view_page(graph, report).encode("utf-8", "replace")
    from .deckpage import deck_html
    from .links import Alone

    return deck_html(graph, report, Alone()).encode("utf-8", "replace")
