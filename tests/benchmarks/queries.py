"""The named queries, as `ask` answers them, beside the same texts given to pyoxigraph on the same store.

Ours begins with the name of a query and the values as a person writes them, and ends with the last row; the
reference begins with the finished text. Both take turns, and the best of each counts, in processor time. Each
query is asked with its defaults and, where there is one, with the value that reaches most.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import cast

from pyoxigraph import Literal, NamedNode, QuerySolutions

from cardlaw.graph.errors import QueryError
from cardlaw.graph.names import ask, find, resolve
from cardlaw.graph.queries import bind, load_query, named_queries, spell_out
from cardlaw.graph.store import FACTS, Store, layer, open_store
from cardlaw.ontology.namespaces import PREFIXES

from .figures import Figure, Setup

CARD = "Unpredictable Cyclone"
NEEDED = {  # where a query has no defaults
    "abilities-by-two-rules": {"rule": "603", "other": "115"},
    "cards-by-keyword": {"keyword": "Cycling"},
    "cards-by-rule": {"rule": "702.29"},
    "cards-by-two-rules": {"rule": "603", "other": "115"},
    "evidence-by-card": {"card": CARD},
    "layers-by-card": {"card": CARD},
    "plainest-cards-by-rule": {"rule": "614.1a"},
    "rules-by-card": {"card": CARD},
    "rules-near-keyword": {"keyword": "Flashback"},
    "rulings-by-rule": {"rule": "702"},
    "similar-cards": {"card": CARD},
    "sources-by-card": {"card": CARD},
    "stack-by-card": {"card": CARD},
}
FAR = {  # hubs: the rules, keywords and cards that most is tied to
    "abilities-by-two-rules": {"rule": "604", "other": "702"},
    "activated-by-cost": {"paid": "107.5"},
    "cards-by-counter": {"kind": "+1/+1"},
    "cards-by-keyword": {"keyword": "Flying"},
    "cards-by-rule": {"rule": "702"},
    "cards-by-two-rules": {"rule": "302", "other": "702"},
    "cards-by-zone": {"zone": "Zones"},
    "cards-that-miss-a-keyword": {"keyword": "Flash"},
    "competing-replacements": {"event": "Damage"},
    "evidence-by-card": {"card": "Urza, Academy Headmaster"},
    "glossary": {"begins": ""},
    "keyword-in-colors": {"keyword": "Flying", "colors": "WUB"},
    "keyword-pairs": {"limit": "10000"},
    "keyword-variants": {"keyword": "Landwalk"},
    "keywords-until-end-of-turn": {"keyword": "Trample"},
    "plainest-cards-by-rule": {"rule": "302"},
    "reminder-only": {"rule": "Exile"},
    "rules-near-keyword": {"keyword": "Morph"},
    "rules-of-section": {"under": "7"},
    "rules-on-both-faces": {"rule": "302"},
    "rules-without-cards": {"under": "7"},
    "similar-cards": {"card": "Urza, Academy Headmaster"},
    "triggers-on-event": {"event": "603.6a"},
}


TIMES = 1.2  # what our part may make of it


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        spent = {
            told: best_of(store, name, values, setup.repeat(3))
            for told, name, values in setup.some(asked(store))
        }
    ours, raw = (sum(each[side] for each in spent.values()) for side in (0, 1))
    beside = "pyoxigraph alone"
    yield Figure(
        name=f"{len(spent)} named queries",
        value=ours,
        unit="s",
        reference=raw,
        beside=beside,
        most_times=TIMES,
    )
    middle = statistics.median(mine / alone for mine, alone in spent.values())
    yield Figure(name="… the median of the ratios", value=middle, unit="×", most=TIMES)
    added = statistics.median(mine - alone for mine, alone in spent.values())
    yield Figure(name="… what ours adds, in the median", value=added * 1000, unit="ms")
    for told in sorted(spent, key=lambda told: spent[told][0] / spent[told][1])[-3:]:
        yield _figure(f"… the worst: {told}", *spent[told])
    for told in sorted(spent, key=lambda told: spent[told][0])[-3:]:
        yield _figure(f"… the slowest: {told}", *spent[told])


def _figure(name: str, mine: float, alone: float) -> Figure:
    return Figure(
        name=name,
        value=mine * 1000,
        unit="ms",
        reference=alone * 1000,
        beside="pyoxigraph alone",
        most_times=TIMES,
    )


def asked(store: Store) -> Iterator[tuple[str, str, dict[str, str]]]:
    """What to print, the name of a query, and values; another card where the graph lacks the one meant."""
    label = NamedNode(PREFIXES["rdfs"] + "label")
    card = min(
        cast(Literal, quad.object).value
        for quad in store.quads.quads_for_pattern(None, label, None, layer("cards"))
        if cast(NamedNode, quad.subject).value.startswith(PREFIXES["card"])
    )
    for name, query in named_queries().items():
        for wanted in (NEEDED.get(name, {}), *([FAR[name]] if name in FAR else [])):
            values = wanted
            if "card" in wanted and not find(store, wanted["card"]).matches:
                values = {**wanted, "card": card}
            try:
                resolve(store, query, values)
            except QueryError:  # a release or keyword that this graph lacks
                continue
            yield " ".join((name, *(f"{key}={value}" for key, value in values.items()))), name, values


def best_of(store: Store, name: str, values: dict[str, str], often: int) -> tuple[float, float]:
    """Seconds that ours takes, and that pyoxigraph takes for the same rows."""
    query = load_query(name)
    text = spell_out(bind(query.text, resolve(store, query, values)))
    facts = [layer(each) for each in FACTS]
    prefixes = dict(PREFIXES)
    ours, raw = [], []
    for _ in range(often + 1):  # the first one brings the blocks of the store into memory
        begun = time.process_time()
        mine = sum(1 for _ in cast(QuerySolutions, ask(store, load_query(name), values)))
        between = time.process_time()
        found = store.quads.query(text, prefixes=prefixes, default_graph=cast(list[NamedNode], facts))
        assert sum(1 for _ in cast(QuerySolutions, found)) == mine, name
        raw.append(time.process_time() - between)
        ours.append(between - begun)
    return min(ours[1:]), min(raw[1:])
