"""Draw samples of the tags, and of what nearly has them, for reading; count the verdicts.

    python tests/benchmarks/tags.py draw --seed 3 --only 'ability\\.draw' -o tests/review/tags/draw.tsv
    python tests/benchmarks/tags.py rates

Of each extracted tag `draw` takes hits, abilities that prove it, and near misses: abilities that cite what
one of its definitions asks for, and hold one of its words if it names some, and yet do not prove it, on cards
that have the tag nowhere. Of each theme the hits are cards with the premises, the near misses cards that have
the other role. The rows go into the file with an empty verdict; the texts, which are not kept, are printed.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Ability, Card, Face
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.tagging import Tag, Tagger, creature_types

SHEETS = Path(__file__).resolve().parents[1] / "review" / "tags"
SIZE = 10
"""Hits, and near misses, of each tag."""


class Row(NamedTuple):
    """One ability, or card; `verdict` is "right" or "wrong", of the tag or of its being absent."""

    tag: str
    sample: str  # "hit" or "miss"
    card: str
    holder: str  # id of the ability, number of the face; "" for a theme
    verdict: str = ""
    note: str = ""


def read_sheet(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def write_sheet(path: Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(Row._fields) + "\n")
        file.writelines("\t".join(row) + "\n" for row in rows)


def hits(tags: tuple[Tag, ...], card: Card) -> Iterator[tuple[Row, str]]:
    """Rows, each with what to show of it."""
    for tag in tags:
        if tag.facet in ("ability", "timing"):
            for reason in tag.reasons:
                holder = reason.holder or ""
                yield (
                    Row(tag.id, "hit", card.name, holder),
                    shown(card, holder, reason.span, reason.field or ""),
                )
        elif tag.layer == "inferred":
            premises = ", ".join(premise for reason in tag.reasons for premise in reason.premises)
            yield Row(tag.id, "hit", card.name, ""), f"{premises} | {whole(card)}"


def misses(tagger: Tagger, tags: tuple[Tag, ...], card: Card) -> Iterator[tuple[Row, str]]:
    has = {tag.id for tag in tags}
    for face in card.faces:
        for ability in face.abilities:
            for tag in sorted({*near(tagger, ability)} - has):
                yield Row(tag, "miss", card.name, ability.id), shown(card, ability.id, None, "oracle_text")
    for tag in has:
        if tag.startswith("theme.") and (other := counterpart(tag)) not in has:
            yield Row(other, "miss", card.name, ""), whole(card)


def near(tagger: Tagger, ability: Ability) -> Iterator[str]:
    cited = {(c.entry, c.relation) for c in ability.citations if not c.in_reminder}
    for definition in tagger.extract.definitions:
        words = definition.literals or (NAMES if definition.id == "ability.typal" else ())
        if any(
            (entry, relation) in cited for entry in definition.cites for relation in definition.relations
        ) and (not words or any(word in ability.text for word in words)):
            yield definition.tag


NAMES = tuple(sorted(creature_types().kinds | creature_types().classes))


def counterpart(tag: str) -> str:
    theme, _, role = tag.rpartition(".")
    return f"{theme}.{'payoff' if role == 'enabler' else 'enabler'}"


def shown(card: Card, holder: str, span: tuple[int, int] | None, field: str) -> str:
    face = card.faces[int(holder.split(".")[0]) - 1]
    if field != "oracle_text":
        return f"{face.type_line} | {face.name}"
    ability = next(ability for ability in face.abilities if ability.id == holder)
    text = face.oracle_text or ""
    if span is None:
        marked = ability.text
    else:
        marked = f"{text[ability.start : span[0]]}⟦{text[span[0] : span[1]]}⟧{text[span[1] : ability.end]}"
    return f"{card.name} | {face.type_line} [{ability.kind}] | {plain(marked)}"


def whole(card: Card) -> str:
    def told(face: Face) -> str:
        return f"{face.type_line} | {plain(face.oracle_text or '')}"

    return f"{card.name} | {' // '.join(map(told, card.faces))}"


def plain(text: str) -> str:
    """On one line, without reminder text."""
    return re.sub(r" ?\([^)]*\)", "", text).replace("\n", " / ")


def draw(seed: int, only: str | None, path: Path, number: int) -> None:
    linker = Linker(outline.load())
    tagger = Tagger(linker.lexicon.terms)
    chance = random.Random(seed)
    cards = list(read_cards("corpus", skipped=[], counts=Counter()))
    doubles = {name for name, count in Counter(card.name for card in cards).items() if count > 1}
    cards = [card for card in cards if card.name not in doubles]
    chance.shuffle(cards)
    found: dict[tuple[str, str], dict[str, tuple[Row, str]]] = defaultdict(dict)  # by card: one row each
    for card in cards[:number]:
        linked = linker.link_card(card)
        tags = tagger(linked)
        for row, text in (*hits(tags, linked), *misses(tagger, tags, linked)):
            listed = found[row.tag, row.sample]
            if len(listed) < SIZE and (only is None or re.fullmatch(only, row.tag)):
                listed.setdefault(row.card, (row, text))
    rows: list[Row] = []
    for _, listed in sorted(found.items()):
        for row, text in listed.values():
            rows.append(row)
            print(f"{len(rows) + 1} [{row.tag} {row.sample}] {text}")
    write_sheet(path, rows)


def rates() -> None:
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted(SHEETS.glob("*.tsv")):
        for row in read_sheet(path):
            if row.verdict not in ("right", "wrong"):
                sys.exit(f"{path.name}: no verdict on {row.card}, {row.tag}")
            counted[row.tag][f"{row.sample} {row.verdict}"] += 1
    print(f"{'tag':34} {'hits':>5} {'wrong':>6} {'precision':>10} {'misses':>7} {'wrong':>6}")
    for tag, found in sorted(counted.items()):
        right, wrong = found["hit right"], found["hit wrong"]
        print(
            f"{tag:34} {right + wrong:5} {wrong:6} {right / max(1, right + wrong):10.2f} "
            f"{found['miss right'] + found['miss wrong']:7} {found['miss wrong']:6}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawn = commands.add_parser("draw", help="a sample of each tag")
    drawn.add_argument("--seed", type=int, default=1)
    drawn.add_argument("--only", help="tags of this pattern")
    drawn.add_argument("--cards", type=int, default=40_000, help="read so many random cards")
    drawn.add_argument("-o", "--output", type=Path, required=True)
    commands.add_parser("rates", help="count the verdicts of tests/review/tags")
    options = parser.parse_args()
    if options.command == "rates":
        rates()
    else:
        draw(options.seed, options.only, options.output, options.cards)


if __name__ == "__main__":
    main()
