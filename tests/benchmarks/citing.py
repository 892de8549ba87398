"""How long `cardlaw cite` takes over 50 MB of source with 50,000 citations, and over 20,000 small files.

    python tests/benchmarks/citing.py [--rules FILE --from FILE] [--keep DIR]

The sources are invented, in the manner of a rules engine: code, comments, a citation now and then, with
numbers of the release given with --from (default: of the outline), also near the words that make a scanner
look twice: versions, sizes, other laws; more numbers than in real code. The whole command is timed, from the
call to its end, and its counts are printed; on a busy machine, look at the processor time.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cardlaw.graph.model import Rulebook
from cardlaw.graph.sources import outline, rulebook

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=Path, help="text of the release to check against")
    parser.add_argument("--from", dest="written", type=Path, help="text of the release that is cited")
    parser.add_argument("--keep", type=Path, help="folder for the sources, which stay there")
    args = parser.parse_args()
    cited = rulebook.read(args.written) if args.written else outline.load()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary)
        for name, files, size in (("large", 250, 200_000), ("small", 20_000, 2_500)):
            write_tree(folder / name, files, size, 50_000 // files, cited)
            releases = [*(("--rules", args.rules) if args.rules else ())]
            releases += ["--from", args.written] if args.written else []
            print(f"{name}: {files:,} files, {files * size / 1e6:.0f} MB")
            time_command([*map(str, releases), str(folder / name)])


def time_command(args: list[str]) -> None:
    program = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()", "cite", *args]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    before = used.ru_utime + used.ru_stime
    begun = time.perf_counter()
    done = subprocess.run(program, capture_output=True, encoding="utf-8")
    taken = time.perf_counter() - begun
    print(*(f"  {line}" for line in done.stderr.splitlines()), sep="\n")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"  {used.ru_utime + used.ru_stime - before:.1f} s of processor time in all processes")
    print(f"  {taken:.1f} s, exit code {done.returncode}, {done.stdout.count(chr(10)):,} lines")


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


if __name__ == "__main__":
    main()
