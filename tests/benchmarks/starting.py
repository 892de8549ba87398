"""Cold starts, from the start of a process to its end, and what the start imports.

The references are the same interpreter that does nothing, or imports pyoxigraph and does nothing with it; all
take turns. Cold is the process: the files are in the memory of the system.
"""

from __future__ import annotations

import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator

from cardlaw.graph.store import open_store

from .figures import CARDLAW, Figure, Setup, run

PASS, ENGINE, HELP = "python -c pass", "import pyoxigraph", "cardlaw --help"
LINE = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*([\w.]+)")


def figures(setup: Setup) -> Iterator[Figure]:
    with open_store(setup.store) as store:
        rows = store.query(
            "SELECT ?name { GRAPH layer:cards { ?card a mtg:Card ; rdfs:label ?name } } LIMIT 1"
        )
        name = next(iter(rows))[0].value
    place = ["--store", str(setup.store)]
    commands = {
        PASS: [sys.executable, "-c", "pass"],
        ENGINE: [sys.executable, "-c", "import pyoxigraph"],
        HELP: [*CARDLAW, "--help"],
        "cardlaw show NAME": [*CARDLAW, "show", name, *place],
        "cardlaw show RULE": [*CARDLAW, "show", "614.1a", *place],
        "cardlaw query NAMED": [*CARDLAW, "query", "rules-by-card", "--set", f"card={name}", *place],
        "cardlaw annotate": [*CARDLAW, "annotate"],
    }
    times: dict[str, list[float]] = defaultdict(list)
    for _ in range(setup.repeat(7)):
        for told, command in commands.items():
            times[told].append(run(command, codes=(0, 1)).wall * 1000)
    middle = {told: statistics.median(each) for told, each in times.items()}
    for told, value in middle.items():
        if told != PASS:
            beside = PASS if told in (HELP, ENGINE) else ENGINE
            yield Figure(
                name=told,
                value=value,
                unit="ms",
                reference=middle[beside],
                beside=beside,
                most=300 if told == HELP else None,
            )
    yield from imports()


def imports() -> Iterator[Figure]:
    """The ten packages that take `cardlaw --help` longest to import: own time of all their modules."""
    told = run([sys.executable, "-X", "importtime", *CARDLAW[1:], "--help"]).told
    spent: Counter[str] = Counter()
    for microseconds, module in LINE.findall(told):
        package = module.split(".")
        spent[".".join(package[: 2 if package[0] == "cardlaw" else 1])] += int(microseconds)
    total = spent.total() / 1000
    for package, microseconds in spent.most_common(10):
        yield Figure(
            name=f"import of {package}",
            value=microseconds / 1000,
            unit="ms",
            reference=total,
            beside="all imports of --help",
        )
