"""`cardlaw cite` over 50 MB of source with 50,000 citations, as large files and as 20,000 small ones.

The sources are invented, in the manner of a rules engine: code, comments, a citation now and then, also
near the words that make a scanner look twice: versions, sizes, other laws; more numbers than in real code.
The whole command is measured; its reference reads the same files and does nothing with them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources import outline

from .figures import CARDLAW, Figure, Setup, run

FORMS = (
    "// CR {0}",
    "// See rule {0}.",
    "/* C.R. {0} and {1} */",
    '"""[CR {0}], {1}."""',
    "# {2} (CR {0})",
    "# CR {0} ({2})",
    "# rules {0} and {1}",
    "// § {0}",
)
NOISE = (
    'version = "6.702.29"',
    "price = 702.29  # EUR",
    "host = '192.168.1.100'",
    "released(2025, 702, 29)",
    "margin: 613.1px;",
    "// see section 3 of the manual, 17 CFR 240.10b",
    "timeout = 601.2",
)
WORDS = (
    *("card", "player", "stack", "zone", "object", "state", "effect", "cost"),
    *("target", "phase", "step", "turn", "layer", "damage", "counter"),
)


def figures(setup: Setup) -> Iterator[Figure]:
    cited = outline.load()
    part = 100 if setup.is_quick else 1
    for name, files, size in (("large", 250, 200_000), ("small", 20_000, 2_500)):
        folder = setup.folder / name
        write_tree(folder, files // part, size, 50_000 // files, cited)
        begun = time.process_time()
        read = sum(len(path.read_bytes()) for path in folder.rglob("*.*"))
        plain = time.process_time() - begun
        spent = run([*CARDLAW, "cite", str(folder)], codes=(0, 1))
        told = f"cite {files // part:,} files of {read / 1e6:.0f} MB"
        yield Figure(name=told, value=spent.wall, unit="s")
        yield Figure(name="… processor", value=spent.cpu, unit="s", reference=plain, beside="reading them")


def write_tree(folder: Path, files: int, size: int, citations: int, cited: Rulebook) -> None:
    """`files` files of about `size` bytes with `citations` rule numbers each (at least)."""
    random.seed(29)
    numbers = [number for number in cited.rules if "." in number]
    for index in range(files):
        path = (
            folder / f"package{index % 97:02}" / f"source{index:05}.{random.choice(('py', 'rs', 'ts', 'md'))}"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines(size, citations, numbers, cited)), encoding="utf-8")


def lines(size: int, citations: int, numbers: list[str], cited: Rulebook) -> Iterator[str]:
    """Lines of code of `size` bytes together, with `citations` numbers evenly among them."""
    written = made = 0
    while written < size:
        if made < citations and written >= made * size / citations:
            first, second = random.choices(numbers, k=2)
            rule = cited.rules[first]
            form = random.choice(FORMS)
            line = form.format(first, second, rule.title or "it is so")
            made += 1 + ("{1}" in form)
        elif random.random() < 0.02:
            line = random.choice(NOISE)
        else:
            words = random.choices(WORDS, k=4)
            number = random.choice((random.randrange(20), random.randrange(2000), f"{random.random():.3f}"))
            line = f"    {words[0]}_{words[1]} = {words[2]}.{words[3]}({number})"
        written += len(line) + 1
        yield line
