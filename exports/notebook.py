"""A view or a deck inside a notebook: the page that `cardlaw view` or `deck` writes, in a frame of its own.

The frame (`srcdoc`, HTML Standard 4.8.5) is sandboxed: that of a view may run its scripts and offer files,
and none has the notebook's origin or its cookies. It asks no network.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cardlaw.graph.decks import DeckReport
    from cardlaw.graph.opened import Graph
    from cardlaw.graph.store import Store

__all__ = ["Deck", "View", "deck", "view"]


class View(NamedTuple):
    """A page that shows a part of the graph; the last value of a notebook's cell, it is drawn there."""

    html: str
    title: str
    height: int = 640
    """In pixels, of the frame in the notebook."""

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 8px"
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'title="{escape(self.title)}" style="{style}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<View of {self.title}: {len(self.html):,} characters; save(path) writes it>"

    def save(self, path: str | Path) -> Path:
        """Write the page into a file; an earlier one stays as it was if that fails.

        Raises:
            CardlawError: it cannot be written.
        """
        return _saved(self.html, path)


def _saved(html: str, path: str | Path) -> Path:
    from .files import write_file

    write_file([html.encode()], Path(path))
    return Path(path)


def view(graph: Graph, *names: str, depth: int = 1, limit: int = 150, height: int = 640) -> View:
    """What lies around cards, rules, keywords …, to be explored in a notebook or saved as a file.

    Args:
        graph: an opened one.
        names: what to stand in the middle, as a person writes it.
        depth: how many steps to go, from 0 to 5.
        limit: how many nodes to draw at the opening, at most; the page holds more to expand.
        height: of the frame in a notebook, in pixels.

    Raises:
        QueryError: a name means nothing, or what has no neighborhood.

    Example:
        >>> from cardlaw.graph import open_store
        >>> view(open_store(), "Unpredictable Cyclone", "614.1a")  # doctest: +SKIP
    """
    from cardlaw.graph.neighborhood import HARD_LIMIT, neighborhood

    from .viewpage import view_html

    nodes = list(dict.fromkeys(graph.node(name) for name in names))
    found = neighborhood(graph, nodes, depth, limit, hold=HARD_LIMIT)
    title = ", ".join(" ".join(found.graph.nodes[node]["title"].split()) for node in nodes)
    html = view_html(
        found.graph, focus=nodes, title=title, release=graph.info.release, shown=found.shown, depth=depth
    )
    return View(html, title, height)


class Deck(NamedTuple):
    """A page that tells of a deck, and what it tells; shown as the last value of a notebook's cell."""

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
        return _saved(self.html, path)


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
    from cardlaw.graph.decks import analyze, read_deck

    from .deckpage import deck_html
    from .links import Alone

    report = analyze(graph, read_deck(listed, name=title))
    return Deck(report, deck_html(graph, report, Alone()), height)
