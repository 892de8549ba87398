"""What belongs to a card beside its text, as N-Quads: printings, formats, prices, related cards, rulings.

Sets, formats and tokens are shared by many cards, so they are described once, by `shared_quads`. A status
that says no more than that a format does not have the card (`not_legal`) is not written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

from .model import Card, Ruling
from .naming import card_node
from .nquads import IS, P, end, iri, literal, typed

__all__ = ["PRICES", "RELATED", "STATUSES", "card_iri", "card_lines", "ruling_lines", "shared_quads"]

STATUSES = {"legal": "legalIn", "banned": "bannedIn", "restricted": "restrictedIn"}
PRICES = {
    "usd": "priceUsd",
    "usd_foil": "priceUsdFoil",
    "usd_etched": "priceUsdEtched",
    "eur": "priceEur",
    "eur_foil": "priceEurFoil",
    "eur_etched": "priceEurEtched",
    "tix": "priceTix",
}
RELATED = {
    "token": "makesToken",
    "meld_part": "meldsWith",
    "meld_result": "meldsInto",
    "combo_piece": "relatedTo",
}
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
_CARDS, _RULINGS = end("cards"), end("rulings")


def card_iri(card: Card) -> str:
    """`<…>` of a card, or of a token or the like, which is `token:`."""
    return iri(card_node(card.slug))


def card_lines(card: Card) -> Iterator[str]:
    """The lines of `layer:cards` for the card's printings, formats, prices and related cards."""
    subject = card_iri(card)
    for name, status in card.legalities.items():
        if status in STATUSES:
            yield f"{subject}{P[STATUSES[status]]}{iri('format:' + name)}{_CARDS}"
    yield from _prices(subject, card.prices)
    if card.prices_date is not None:
        yield f"{subject}{P['pricesOf']}{typed(card.prices_date, 'date')}{_CARDS}"
    for part in card.related:
        other = iri(f"printing:{part.id}")
        yield f"{subject}{P[RELATED.get(part.component, 'relatedTo')]}{other}{_CARDS}"
    for printing in card.printings:
        node = iri(f"printing:{printing.id}")
        yield f"{subject}{P['hasPrinting']}{node}{_CARDS}"
        yield f"{node}{IS['Printing']}{_CARDS}"
        yield f"{node}{P['rdfs:label']}{literal(card.name)}{_CARDS}"
        yield f"{node}{P['inSet']}{iri('set:' + printing.set_code)}{_CARDS}"
        yield f"{node}{P['collectorNumber']}{literal(printing.number)}{_CARDS}"
        yield f"{node}{P['language']}{literal(printing.language)}{_CARDS}"
        if printing.rarity is not None:
            yield f"{node}{P['rarity']}{literal(printing.rarity)}{_CARDS}"
        if printing.released is not None:
            yield f"{node}{P['released']}{typed(printing.released, 'date')}{_CARDS}"
        for finish in printing.finishes:
            yield f"{node}{P['finish']}{literal(finish)}{_CARDS}"
        yield from _prices(node, printing.prices)


def _prices(subject: str, prices: Mapping[str, str]) -> Iterator[str]:
    for name, price in prices.items():
        if name in PRICES and _DECIMAL.fullmatch(price):
            yield f"{subject}{P[PRICES[name]]}{typed(price, 'decimal')}{_CARDS}"


def ruling_lines(card: Card) -> Iterator[str]:
    """The lines of `layer:rulings`. A ruling has no id of its own: its IRI is made of card, day and text."""
    subject = card_iri(card)
    for ruling in card.rulings:
        node = iri(f"ruling:{_local(ruling)}")
        yield f"{subject}{P['hasRuling']}{node}{_RULINGS}"
        yield f"{node}{IS['Ruling']}{_RULINGS}"
        yield f"{node}{P['rdfs:label']}{literal(f'{card.name}, {ruling.published}')}{_RULINGS}"
        yield f"{node}{P['rulingText']}{literal(ruling.text)}{_RULINGS}"
        yield f"{node}{P['dcterms:issued']}{typed(ruling.published, 'date')}{_RULINGS}"
        yield f"{node}{P['dcterms:source']}{literal(ruling.source)}{_RULINGS}"
        for stated in ruling.rules:
            yield f"{node}{P['statesRule']}{iri('rule:' + stated.rule)}{_RULINGS}"
            if stated.release is not None:
                version = iri(f"cr:{stated.release}.{stated.rule}")
                yield f"{node}{P['statesRuleVersion']}{version}{_RULINGS}"


def _local(ruling: Ruling) -> str:
    digest = hashlib.sha256(ruling.text.encode()).hexdigest()[:8]
    return f"{ruling.oracle_id}.{ruling.published}.{digest}"


def shared_quads(cards: Iterable[Card]) -> Iterator[str]:
    """The lines that describe what these cards share, sorted.

    They are the sets, the formats, and those related printings that belong to none of these cards, as tokens
    do where a file has none.
    """
    sets: dict[str, str] = {}
    formats: set[str] = set()
    related: dict[str, str] = {}
    known: set[str] = set()
    for card in cards:
        formats.update(name for name, status in card.legalities.items() if status in STATUSES)
        related.update((part.id, part.name) for part in card.related)
        for printing in card.printings:
            known.add(printing.id)
            names = filter(None, (sets.get(printing.set_code), printing.set_name))
            sets[printing.set_code] = min(names, default="")
    labels = {f"set:{code}": name or code.upper() for code, name in sets.items()}
    labels |= {f"format:{name}": name for name in formats}
    labels |= {f"printing:{id}": name for id, name in related.items() if id not in known}
    lines = [f"{iri(node)}{P['rdfs:label']}{literal(label)}{_CARDS}" for node, label in labels.items()]
    classes = {"set": IS["Set"], "format": IS["Format"], "printing": IS["Printing"]}
    lines += [f"{iri(node)}{classes[node.partition(':')[0]]}{_CARDS}" for node in labels]
    lines += [f"{iri(f'set:{code}')}{P['setCode']}{literal(code)}{_CARDS}" for code in sets]
    yield from sorted(lines)
