"""The sheets of tags that were read: every tag is on them, and nine of ten hits are right."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from cardlaw.graph.linking import Linker
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.tagging import Tagger, load_definitions, theme_rules

SHEETS = sorted((Path(__file__).parent / "review" / "tags").glob("*.tsv"))
TAGS = sorted({d.tag for d in load_definitions()} | {rule.tag for rule in theme_rules()})


def rows() -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for sheet in SHEETS:
        with sheet.open(encoding="utf-8", newline="") as file:
            found += csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    return found


def test_each_row_has_a_verdict_and_no_text_of_a_card() -> None:
    assert SHEETS
    for row in rows():
        assert row["verdict"] in ("right", "wrong")
        assert row["sample"] in ("hit", "miss")
        assert len(row["note"]) < 40


@pytest.mark.parametrize("tag", TAGS)
def test_nine_of_ten_hits_are_right(tag: str) -> None:
    verdicts = Counter(row["verdict"] for row in rows() if row["tag"] == tag and row["sample"] == "hit")
    assert verdicts.total() >= 5
    assert verdicts["right"] / verdicts.total() >= 0.9


@pytest.mark.real
def test_the_sheets_are_of_the_definitions_that_ship(corpus_path: Path) -> None:
    linker = Linker(outline.load())
    tagger = Tagger(linker.lexicon.terms)
    wanted = defaultdict(list)
    for row in rows():
        wanted[row["card"]].append(row)
    stale = []
    for card in read_cards("corpus", skipped=[], counts=Counter()):
        if card.name not in wanted:
            continue
        has = {
            (tag.id, holder)
            for tag in tagger(linker.link_card(card))
            for holder in ("", *(reason.holder for reason in tag.reasons))
        }
        for row in wanted[card.name]:
            holder = row["holder"] if row["sample"] == "hit" else ""
            if ((row["tag"], holder) in has) != (row["sample"] == "hit"):
                stale.append((row["tag"], row["sample"], card.name))
    assert not stale, "read these again: tests/benchmarks/tags.py draws them"
