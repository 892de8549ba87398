"""A list of cards on a page: what is shown of it, its filter as a form, and its pages.

Where nothing answers a form (in a file, in a folder), the first cards stand there, and how to have the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from .cardlists import COLORS, MODES, PER_PAGE, CardLists, Listed, Ties, Wanted, relations
from .links import Links
from .mana import drawings

__all__ = ["CardTable"]


class CardTable:
    """The cards of a node.

    Args:
        lists: of the graph.
        ties: all cards of the list.
        links: where links go.
        iri: of the node whose page it stands on.
        wanted: the filter and the page.
        subrules: whether those of the rules under a rule are in it; None where it has none.
        counts: how many invoke the very rule, and how many with the rules under it.
        command: that lists all of them, if one does.
    """

    colors = COLORS
    modes = MODES

    def __init__(
        self,
        lists: CardLists,
        ties: Ties,
        links: Links,
        iri: str,
        wanted: Wanted,
        *,
        subrules: bool | None = None,
        counts: tuple[int, int] | None = None,
        command: str | None,
    ) -> None:
        self._lists = lists
        self._ties = ties
        self._links = links
        self._iri = iri
        self.wanted = wanted
        self.subrules = subrules
        self.counts = counts
        self.command = command

    @property
    def total(self) -> int:
        return len(self._ties)

    @cached_property
    def chosen(self) -> list[str]:
        """What the filter lets through."""
        return self._lists.chosen(self._ties, self.wanted)

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.chosen) // PER_PAGE))

    @property
    def page(self) -> int:
        return min(self.wanted.page, self.pages)

    @property
    def first(self) -> int:
        """Number of the first card that is shown, from 1."""
        return (self.page - 1) * PER_PAGE + 1

    @cached_property
    def rows(self) -> list[Listed]:
        some = self.chosen[self.first - 1 : self.first - 1 + PER_PAGE]
        return self._lists.listed(self._ties, some, self.wanted.relation)

    @cached_property
    def relations(self) -> list[tuple[str, str, int]]:
        """Each relation that is in the list: its id, its name, how many cards."""
        return [(name, name.replace("_", " "), count) for name, count in relations(self._ties) if name]

    @property
    def action(self) -> str | None:
        """What the form asks."""
        return self._links.listed(self._iri, ())

    @property
    def script(self) -> str | None:
        """What answers the form while it is typed."""
        return self._links.asset("cardlist.js")

    def href(self, page: int) -> str | None:
        """Another page of the list."""
        return self._links.listed(self._iri, self.wanted.pairs(page)) if 1 <= page <= self.pages else None

    @property
    def around(self) -> Sequence[int]:
        """The numbers of the pages that are linked: the first, the last, those beside this one."""
        near = {1, self.pages, *range(self.page - 2, self.page + 3)}
        return sorted(number for number in near if 1 <= number <= self.pages)

    def only(self, relation: str) -> str | None:
        """The list of one relation."""
        return self._links.listed(self._iri, Wanted(relation=relation, subrules=self.wanted.subrules).pairs())

    def node(self, iri: str) -> str:
        return self._links.node(iri)

    @cached_property
    def drawings(self) -> list[str]:
        """The drawings of symbols in the quotes, each once."""
        quotes = ("".join(quote[:3]) for row in self.rows for quote in row.quotes)
        return drawings(quotes)
