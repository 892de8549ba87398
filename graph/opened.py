"""The graph in the hands of a Python user: queries as data frames, neighborhoods as networks, by names.

Everything takes names as a person writes them (“Fire”, 702.29, cycling, rule:614.1a). The functions behind
it, and whole networks of rules and cards, are in `frames`, `network`, `names`, `read`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import Literal, NamedNode

from cardlaw.ontology.namespaces import compact

from .errors import QueryError
from .names import ask, find
from .queries import load_query, parse_query
from .store import Results, Store

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]
    import pandas as pd  # type: ignore[import-untyped]

    from .decks import DeckReport
    from .meetings import Meeting
    from .similar import Alike

__all__ = ["Graph", "Value"]

Value: TypeAlias = str | bool | int | float | NamedNode | Literal
"""Of a variable: a term, or what makes a plain literal."""

_NAME = re.compile(r"[^\s{}]+")  # of a query or a file; no SPARQL is without a brace or space


class Graph(Store):
    """A store with what is asked of it in Python; `cardlaw.graph.open_store` opens one."""

    def ask(self, query: str, /, **values: Value) -> Results:
        """Evaluate a query.

        Args:
            query: SPARQL, in which the usual prefixes are declared; or the name of a named query, or a file.
            values: of its parameters, as `cardlaw query --set` takes them; of a query that declares none, of
                its variables: terms, or plain values, which become literals.

        Raises:
            QueryError: the query is not known or does not parse, or a value does not fit.
        """
        named = load_query(query) if _NAME.fullmatch(query) else parse_query(query, "the query")
        if named.parameters or not values:
            return ask(self, named, {name: _written(value) for name, value in values.items()})
        return self.query(named.text, {name: _term(value) for name, value in values.items()})

    def frame(self, query: str, /, **values: Value) -> pd.DataFrame:
        """The answer of a query as a pandas data frame, as `frames.frame` makes it; arguments as for `ask`.

        Raises:
            QueryError: the query is not known or does not parse, or a value does not fit.
            CardlawError: if pandas is not installed.

        Example:
            >>> graph.frame("cards-by-rule", rule="702.29e")  # doctest: +SKIP
            >>> graph.frame("SELECT ?card { ?card mtg:colorIdentity $color }", color="R")  # doctest: +SKIP
        """
        from .frames import frame

        return frame(self.ask(query, **values))

    def network(self, *names: str, depth: int = 1, limit: int = 150) -> nx.MultiDiGraph:
        """What lies around cards, rules, keywords …, as `neighborhood` has it.

        Args:
            names: what to stand in the middle.
            depth: how many steps to go.
            limit: how many nodes to have at most, the most telling first.

        Raises:
            QueryError: a name means nothing, or what has no neighborhood.

        Example:
            >>> graph.network("Unpredictable Cyclone", "614.1a", depth=2)  # doctest: +SKIP
        """
        from .neighborhood import neighborhood

        return neighborhood(self, [self.node(name) for name in names], depth, limit).graph

    def similar(self, name: str, limit: int = 20) -> tuple[Alike, ...]:
        """The cards most alike a card, as `similar.similar` has them.

        Args:
            name: of the card.
            limit: how many at most.

        Raises:
            QueryError: no card is called so.

        Example:
            >>> [alike.name for alike in graph.similar("Llanowar Elves", 2)]  # doctest: +SKIP
            ['Elvish Mystic', 'Fyndhorn Elves']
        """
        from .similar import similar

        return similar(self, self._slug(name), limit=limit)

    def meetings(self, *names: str, limit: int = 100) -> tuple[Meeting, ...]:
        """How cards meet: among each other or, of one card, all others; as `meetings` has them.

        Args:
            names: of the cards.
            limit: how many meetings at most.

        Raises:
            QueryError: no card is called so.

        Example:
            >>> graph.meetings("Humility", "Opalescence")[0].rule  # doctest: +SKIP
            '613.4b'
        """
        from .meetings import meetings, meetings_of

        slugs = [self._slug(name) for name in names]
        return (
            meetings_of(self, *slugs, limit=limit) if len(slugs) == 1 else meetings(self, slugs, limit=limit)
        )

    def deck(self, listed: str | bytes) -> DeckReport:
        """What a deck needs of the rules, as `decks.analyze` has it.

        Args:
            listed: the deck list itself, in any of the formats that `decks.read_deck` reads.

        Raises:
            QueryError: the list has too many names.

        Example:
            >>> report = graph.deck("1 Humility\\n1 Opalescence")  # doctest: +SKIP
            >>> [heading.number for heading in report.rules[:2]]  # doctest: +SKIP
            ['613', '205']
        """
        from .decks import analyze

        return analyze(self, listed)

    def _slug(self, name: str) -> str:
        from .facts import local
        from .names import one

        return local(one(self, name, "card"))

    def node(self, name: str) -> str:
        """The node that a name means, as a prefixed name; of a face, its card.

        Raises:
            QueryError: nothing is called so.
        """
        found = find(self, name)
        if found.matches:
            first = found.matches[0]
            return compact(first.card or first.iri)
        near = " or ".join(list(dict.fromkeys(f"“{match.label}”" for match in found.near))[:3])
        raise QueryError(f"nothing is called “{name}”" + (f"; did you mean {near}?" if near else ""))


def _written(value: Value) -> str:
    """A value as a person writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.value if isinstance(value, NamedNode | Literal) else str(value)


def _term(value: Value) -> NamedNode | Literal:
    return value if isinstance(value, NamedNode | Literal) else Literal(value)
