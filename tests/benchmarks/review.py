"""Draw samples of what the linker cites and of what it nearly cites, for reading; count the verdicts.

    python tests/benchmarks/review.py draw effect --seed 7 -o tests/review/effect.tsv
    python tests/benchmarks/review.py rates

A family is a relation and the section that its rules stand in: `effect 614`. Of each family `draw` takes
hits, spread over its entries, and near misses: places where a word that one of its entries looks for stands
and nothing of the family is cited. The rows go into the file with an empty verdict; the texts, which are not
kept, are printed for the reader. `rates` counts the verdicts of `tests/review/*.tsv` and writes
`ontology/review.json`, which a build stores as measurements of the layer.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cardlaw.graph.abilities.masking import scan, within
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Face
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards

PROJECT = Path(__file__).resolve().parents[2]
SHEETS = PROJECT / "tests" / "review"
RATES = PROJECT / "ontology" / "review.json"
COLUMNS = (
    *("family", "sample", "card", "face", "ability", "field"),
    *("start", "end", "rule", "entry", "verdict", "note"),
)
KEYWORDS = ("has_keyword", "grants_keyword", "loses_keyword", "mentions_keyword")


class Row(NamedTuple):
    """One place on one card; `verdict` is "right" or "wrong", of the citation or of there being none."""

    family: str
    sample: str  # "hit" or "miss"
    card: str
    face: int
    ability: str  # id, or "" for the face itself
    field: str
    start: int
    end: int
    rule: str  # of a hit
    entry: str  # that cites, or whose word stands there
    verdict: str = ""
    note: str = ""


def family(relation: str, rule: str) -> str:
    return f"{relation} {rule[:3]}"


def read_sheet(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Row(**{**row, "face": int(row["face"]), "start": int(row["start"]), "end": int(row["end"])})  # type: ignore[arg-type]
            for row in rows
        ]


def write_sheet(path: Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(COLUMNS) + "\n")
        file.writelines("\t".join(map(str, row)) + "\n" for row in rows)


def hits(card: Card, relation: str) -> Iterator[Row]:
    for face in card.faces:
        for ability, cites in (("", face.citations), *((a.id, a.citations) for a in face.abilities)):
            for c in cites:
                if c.relation == relation and not c.in_reminder:
                    yield Row(
                        family(relation, c.rule), "hit", card.name, face.number, ability, c.field,
                        c.start, c.end, c.rule, c.entry,
                    )  # fmt: skip


class Looked:
    """The words that the entries of one relation look for, by family."""

    def __init__(self, linker: Linker, relation: str) -> None:
        self.linker = linker
        self.relation = relation
        self.words: list[tuple[re.Pattern[str], str, str, str]] = []  # pattern, field, family, entry
        if relation in KEYWORDS:
            for form in linker.lexicon.forms:
                self._add(form.literals, "oracle_text", family(relation, form.rule), form.entry)
        for entry in (*linker._text_entries._items, *linker._face_entries):
            if entry.relation == relation:
                for rule in linker._rules[entry.id]:
                    self._add(entry.literals, entry.field, family(relation, rule), entry.id)

    def _add(self, literals: tuple[str, ...], field: str, family_: str, entry: str) -> None:
        if literals:
            found = "|".join(re.escape(word.strip()) for word in literals if word.strip())
            self.words.append((re.compile(rf"(?<![a-z])(?:{found})"), field, family_, entry))

    def misses(self, card: Card) -> Iterator[Row]:
        for face in card.faces:
            scanned = scan(face, self.linker.lexicon.terms)
            for pattern, field, family_, entry in self.words:
                value: str | None = getattr(face, field)
                for match in pattern.finditer((value or "").lower()):
                    if field == "oracle_text" and within(scanned.reminders, match.start()):
                        continue
                    ability = self._ability(face, match.start()) if field == "oracle_text" else ""
                    if ability is not None and not self._cited(face, ability, family_, entry, match.span()):
                        yield Row(
                            family_, "miss", card.name, face.number, ability, field, *match.span(), "", entry
                        )

    @staticmethod
    def _ability(face: Face, at: int) -> str | None:
        inside = [a for a in face.abilities if a.start <= at < a.end]
        return min(inside, key=lambda a: a.end - a.start).id if inside else None

    @staticmethod
    def _cited(face: Face, ability: str, family_: str, entry: str, span: tuple[int, int]) -> bool:
        cites = (
            face.citations
            if not ability
            else [c for a in face.abilities for c in a.citations if c.start < span[1] and span[0] < c.end]
            + [c for a in face.abilities if a.id == ability for c in a.citations if c.entry == entry]
        )
        return any(family(c.relation, c.rule) == family_ for c in cites)


def spread(rows: list[Row], size: int, chance: random.Random) -> list[Row]:
    """Up to `size` rows on as many cards, taking the entries in turn."""
    by_entry: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_entry[row.entry].append(row)
    for listed in by_entry.values():
        chance.shuffle(listed)
    queues = [by_entry[entry] for entry in sorted(by_entry)]
    chance.shuffle(queues)
    taken: list[Row] = []
    cards: set[str] = set()
    while queues and len(taken) < size:
        queues = [queue for queue in queues if queue]
        for queue in queues:
            row = queue.pop()
            if row.card not in cards and len(taken) < size:
                cards.add(row.card)
                taken.append(row)
    return taken


def draw(relation: str, seed: int, size: int, only: str | None, path: Path) -> None:
    linker = Linker(outline.load())
    chance = random.Random(seed)
    looked = Looked(linker, relation)
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    cards: dict[str, Card] = {}
    doubles: set[str] = set()
    for card in read_cards("corpus", skipped=[], counts=Counter()):
        if card.name in cards:
            doubles.add(card.name)
        cards[card.name] = card = linker.link_card(card)
        for row in (*hits(card, relation), *looked.misses(card)):
            found[row.family, row.sample].append(row)
    rows: list[Row] = []
    for (name, _), listed in sorted(found.items()):
        if only is None or re.fullmatch(only, name):
            rows += spread([row for row in listed if row.card not in doubles], size, chance)
    write_sheet(path, rows)
    for number, row in enumerate(rows, 2):
        print(f"{number} [{row.family} {row.sample}] {shown(cards[row.card], row)}")


def shown(card: Card, row: Row) -> str:
    face = card.faces[row.face - 1]
    value = getattr(face, row.field) or ""
    ability = next((a for a in face.abilities if a.id == row.ability), None)
    start, end = (ability.start, ability.end) if ability else (0, len(value))
    marked = f"{value[start : row.start]}⟦{value[row.start : row.end]}⟧{value[row.end : end]}"
    kind = f" [{ability.kind}]" if ability else ""
    others = "".join(
        f" <{c.relation} {c.rule}>"
        for a in face.abilities
        for c in a.citations
        if row.sample == "miss" and row.field == "oracle_text" and c.start < row.end and row.start < c.end
        and c.relation != "ability_kind"
    )  # fmt: skip
    return (
        f"{row.entry}{' → ' + row.rule if row.rule else ''}{others} | {card.name} | {face.type_line}{kind} | "
        + marked.replace("\n", " / ")
    )


def rates() -> None:
    counted: dict[str, dict[str, int]] = {}
    for path in sorted(SHEETS.glob("*.tsv")):
        for row in read_sheet(path):
            relation = row.family.partition(" ")[0]
            counts = counted.setdefault(
                relation, {"hits": 0, "wrong_hits": 0, "misses": 0, "wrong_misses": 0}
            )
            kind = "hits" if row.sample == "hit" else "misses"
            counts[kind] += 1
            if row.verdict not in ("right", "wrong"):
                sys.exit(f"{path.name}: no verdict on {row.card}, {row.family}, {row.start}")
            counts["wrong_" + kind] += row.verdict == "wrong"
    print(f"{'relation':20} {'hits':>6} {'wrong':>6} {'rate':>7} {'misses':>7} {'wrong':>6} {'rate':>7}")
    for relation, c in sorted(counted.items()):
        print(
            f"{relation:20} {c['hits']:6} {c['wrong_hits']:6} {c['wrong_hits'] / max(1, c['hits']):7.2%} "
            f"{c['misses']:7} {c['wrong_misses']:6} {c['wrong_misses'] / max(1, c['misses']):7.2%}"
        )
    RATES.write_text(json.dumps(counted, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawn = commands.add_parser("draw", help="a sample of one relation")
    drawn.add_argument("relation")
    drawn.add_argument("--seed", type=int, default=1)
    drawn.add_argument("--size", type=int, default=15, help="hits and near misses of each family")
    drawn.add_argument("--family", help='only these, a pattern: "effect 6.."')
    drawn.add_argument("-o", "--output", type=Path, required=True)
    commands.add_parser("rates", help="count the verdicts of tests/review")
    options = parser.parse_args()
    if options.command == "rates":
        rates()
    else:
        draw(options.relation, options.seed, options.size, options.family, options.output)


if __name__ == "__main__":
    main()
