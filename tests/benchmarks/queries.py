"""How long the named queries take on a store, with their defaults and with the parameters that reach most.

    python tests/benchmarks/queries.py [DIR]

Prints a line for each: seconds of processor time, rows, name and parameters; then those above a second. Times
are the best of three, from the text of the query to its last row.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from pyoxigraph import QuerySolutions

from cardlaw.graph.names import ask
from cardlaw.graph.queries import named_queries
from cardlaw.graph.store import Store, open_store

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


def seconds(store: Store, name: str, values: dict[str, str]) -> tuple[float, int]:
    """The best time of three, and the number of rows."""
    best = float("inf")
    rows = 0
    for _ in range(3):
        begun = time.process_time()
        found = ask(store, named_queries()[name], values)
        assert isinstance(found, QuerySolutions)
        rows = sum(1 for _ in found)
        best = min(best, time.process_time() - begun)
    return best, rows


def main(folder: Path | None) -> None:
    """Print the table."""
    slow = []
    with open_store(folder) as store:
        for name in named_queries():
            for values in (NEEDED.get(name, {}), *([FAR[name]] if name in FAR else [])):
                took, rows = seconds(store, name, values)
                line = f"{took:7.3f} {rows:7,}  {name}  {' '.join(f'{k}={v}' for k, v in values.items())}"
                print(line.rstrip(), flush=True)
                if took > 1:
                    slow.append(line)
    print(f"\n{len(slow)} above a second", *slow, sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
