"""What belongs to a card beside its text, back from the graph: what `printquads` and `origins` wrote.

Printings come back from the oldest to the newest, rulings by their day, related cards by name. Prices have
two decimals, as the sources write them. Formats that do not have the card are not in the graph, nor here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .facts import Facts, Reader, local
from .model import Printing, Related, Ruling, Stated
from .origins import ORIGINS
from .printquads import PRICES, RELATED, STATUSES
from .rulequads import sort_key
from .sources.records import by_age

__all__ = ["Besides", "prices"]

_FINISHES = ("nonfoil", "foil", "etched")  # in Scryfall's order, others after them


class Besides:
    """Reads what a card says of itself in `facts`."""

    def __init__(self, reader: Reader, facts: Facts) -> None:
        self.reader = reader
        self.facts = facts

    def legalities(self) -> dict[str, str]:
        """Format → status, by format."""
        found = {local(format_): status for status, name in STATUSES.items() for format_ in self.facts[name]}
        return dict(sorted(found.items()))

    def printings(self) -> tuple[Printing, ...]:
        return tuple(sorted(map(self.printing, self.facts["hasPrinting"]), key=by_age))

    def printing(self, iri: str) -> Printing:
        facts = self.reader.facts(iri)
        set_ = facts.need("inSet")
        code, name = local(set_), self.reader.label(set_)
        return Printing(
            id=local(iri),
            set_code=code,
            number=facts.need("collectorNumber"),
            set_name=None if name == code.upper() else name,  # of a set without a name
            rarity=facts.text("rarity"),
            released=facts.text("released"),
            language=facts.need("language"),
            finishes=tuple(sorted(facts["finish"], key=_finish)),
            prices=prices(facts),
        )

    def related(self) -> tuple[Related, ...]:
        found = [
            Related(name=self.reader.label(iri), component=component, id=local(iri))
            for component, name in RELATED.items()
            for iri in self.facts[name]
        ]
        return tuple(sorted(found, key=lambda each: (each.name, each.id)))

    def rulings(self) -> tuple[Ruling, ...]:
        found = map(self.ruling, self.facts["hasRuling"])
        return tuple(sorted(found, key=lambda ruling: (ruling.published, ruling.text)))

    def ruling(self, iri: str) -> Ruling:
        facts = self.reader.facts(iri)
        releases = dict(_version(local(version)) for version in facts["statesRuleVersion"])
        return Ruling(
            oracle_id=local(iri).partition(".")[0],
            source=facts.need("dcterms:source"),
            published=facts.need("dcterms:issued"),
            text=facts.need("rulingText"),
            rules=tuple(
                Stated(rule=number, title=self.reader.heading(rule), release=releases.get(number))
                for rule in sorted(facts["statesRule"], key=lambda iri: sort_key(local(iri)))
                for number in (local(rule),)
            ),
        )

    def origins(self, faces: Mapping[int, Facts]) -> dict[str, str]:
        """`Card.origins`; `faces` has the facts of each face by its number."""
        own = self.facts.text("prov:hadPrimarySource")
        primary = own or self.reader.primary_source
        if primary is None:
            return {}
        found = {"name": self.reader.label(primary), **dict(self._origins(self.facts))}
        for number, facts in sorted(faces.items()):
            found |= {f"{number}.{field}": name for field, name in self._origins(facts)}
        return found

    def _origins(self, facts: Facts) -> Iterator[tuple[str, str]]:
        for field, name in ORIGINS.items():
            if name in facts:
                yield field, self.reader.label(facts.need(name))


def prices(facts: Facts) -> dict[str, str]:
    """Kind of price → amount, of a card or a printing."""
    return {kind: _amount(facts.need(name)) for kind, name in PRICES.items() if name in facts}


def _amount(text: str) -> str:
    """A decimal as the store has it, `0.2`, with two decimals at least."""
    whole, _, part = text.partition(".")
    return f"{whole}.{part:0<2}"


def _version(name: str) -> tuple[str, str]:
    """Rule and release of `2031-04-01.702.9`."""
    release, _, number = name.partition(".")
    return number, release


def _finish(name: str) -> tuple[int, str]:
    return (_FINISHES.index(name) if name in _FINISHES else len(_FINISHES), name)
