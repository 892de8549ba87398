"""What no card of the corpus cites is explained, and hardly an ability cites nothing."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import PROJECT

from cardlaw.graph.linking import Linker
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import read_cards

sys.path.insert(0, str(PROJECT / "tests" / "benchmarks"))
from cited import REASONS, Cited, measure

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def found(corpus_path: Path) -> Cited:
    return measure(read_cards(corpus_path, skipped=[], counts=Counter()), Linker(outline.load()))


def test_each_section_that_no_card_cites_has_its_reason(found: Cited) -> None:
    explained = {name for names in REASONS.values() for name in names}
    assert set(found.never) <= explained


def test_less_than_one_ability_in_a_hundred_cites_nothing(found: Cited) -> None:
    assert sum(found.uncited.values()) < 0.01 * found.abilities
    assert set(found.uncited) <= {"newer than the rulebook", "digital-only", "playtest", "plain"}


def test_most_entries_cite_something(found: Cited) -> None:
    assert len(found.idle) < 250
    assert not [
        entry.id for entry in found.idle if entry.id.startswith(("effect.", "event.delayed", "kind."))
    ]
