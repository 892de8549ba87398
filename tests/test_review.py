"""The sheets of citations and near misses that were read, and what the graph says of them."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import get_args

import pytest
from conftest import PROJECT
from pyoxigraph import Literal

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Relation
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards
from cardlaw.graph.store import open_store
from cardlaw.ontology import data

sys.path.insert(0, str(PROJECT / "tests" / "benchmarks"))
from review import Row, family, read_sheet

SHEETS = sorted((PROJECT / "tests" / "review").glob("*.tsv"))


def rows() -> list[Row]:
    return [row for sheet in SHEETS for row in read_sheet(sheet)]


def test_every_relation_was_read() -> None:
    assert {row.family.partition(" ")[0] for row in rows()} == set(get_args(Relation))


def test_every_row_has_a_verdict_and_says_what_is_wrong() -> None:
    for row in rows():
        assert row.verdict in ("right", "wrong"), row
        assert row.verdict == "right" or row.note, row
        assert row.sample in ("hit", "miss")
        assert bool(row.rule) == (row.sample == "hit"), row


def test_a_family_has_fifteen_hits_unless_there_are_fewer() -> None:
    read = Counter((row.family, row.sample) for row in rows())
    big = [name for (name, sample), count in read.items() if sample == "hit" and count >= 15]
    assert len(big) > 50


def test_the_rates_are_those_of_the_sheets() -> None:
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows():
        relation = row.family.partition(" ")[0]
        kind = {"hit": "hits", "miss": "misses"}[row.sample]
        counted[relation][kind] += 1
        counted[relation][f"wrong_{kind}"] += row.verdict == "wrong"
    assert json.loads(data("review.json").read_text(encoding="utf-8")) == counted


def test_the_graph_has_the_rates_as_measurements_of_its_layer(small_store: Path) -> None:
    counts = json.loads(data("review.json").read_text(encoding="utf-8"))["effect"]
    with open_store(small_store) as store:
        found = store.query(
            "SELECT ?value ?size { ?m dqv:computedOn layer:abilities ; mtg:ofRelation mtg:invokesAsEffect ;"
            " dqv:isMeasurementOf mtg:wrongCitations ; dqv:value ?value ; mtg:sampleSize ?size }"
        )
        [(value, size)] = [(row["value"], row["size"]) for row in found]  # type: ignore[union-attr,index]
    assert isinstance(value, Literal)
    assert float(value.value) == pytest.approx(counts["wrong_hits"] / counts["hits"], abs=1e-4)
    assert int(size.value) == counts["hits"]


@pytest.mark.real
def test_what_was_called_right_still_holds(corpus_path: Path) -> None:
    wanted: dict[str, list[Row]] = defaultdict(list)
    for row in rows():
        if row.verdict == "right":
            wanted[row.card].append(row)
    linker = Linker(outline.load())
    gone = []
    for card in read_cards(corpus_path, skipped=[], counts=Counter()):
        if card.name not in wanted:
            continue
        faces = linker.link_card(card).faces
        for row in wanted[card.name]:
            face = faces[row.face - 1]
            cited = [*face.citations, *(c for ability in face.abilities for c in ability.citations)]
            here = {
                (family(c.relation, c.rule), c.rule)
                for c in cited
                if c.field == row.field and c.start < row.end and row.start < c.end
            }
            name = row.family
            if row.sample == "hit" and (name, row.rule) not in here:
                gone.append(row)
            if row.sample == "miss" and any(each == name for each, _ in here):
                gone.append(row)
    assert len(gone) <= 0.01 * sum(map(len, wanted.values())), gone
