"""What holds for any text at all, card or not: nothing crashes, offsets are true, time grows with length."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Ability, Face
from cardlaw.graph.sources import outline

LINKER = Linker(outline.load())

WORDS = (
    "flying|Flying|first strike|cycling|Islandcycling|protection from|red|Kicker|and/or|Boast|"
    "Level up|LEVEL|Level|Solved|To solve|Choose one|Landfall|equip|named|target|creature|"
    "this creature|Zyx Warden|Zyx|counter|counters|token|tokens|exile|exiles|draw|a|the|card|gains|"
    "has|loses|can't|have|with|as long as|until|end of turn|if|would|instead|When|whenever|at|enters|"
    "dies|add|mana|Sacrifice|copy|becomes|control|you|may|pay|life|this turn|unless|your choice of|X|"
    "+1/+1|I|II|III|1-3|2/2|8+|d20|1—9|only|once|each"
)
SYMBOLS = (
    "{T}|{2}|{R/G}|{W/P}|{X}|{E}|{P}|{TK}|{|}|(|)|\"|“|”|'|’|:|;|,|.|!| — |—|–|-|−|[+1]|[−X]|+|• |"
    "\n|\n\u2022 |\n+ | |  |\xa0|\ue000|\ue001|\ue002|⟦|🦦"
)
TYPE_LINES = (
    None,
    "",
    "Creature — Golem",
    "Instant",
    "Sorcery — Adventure",
    "Basic Land — Forest",
    "Enchantment — Saga",
    "Enchantment — Class",
    "Enchantment — Case",
    "Artifact — Spacecraft",
    "Legendary Planeswalker — Zyx",
    "Token",
)

words = st.sampled_from(WORDS.split("|"))
symbols = st.sampled_from([*SYMBOLS.split("|"), "|", "| "])
rules_text = st.lists(st.one_of(words.map(lambda w: w + " "), symbols, words), max_size=60).map("".join)
any_text = st.one_of(
    rules_text, st.text(max_size=120), st.tuples(rules_text, st.text(), rules_text).map("".join)
)


def check(face: Face) -> None:
    """Every offset is true, every id is known, every citation lies in its ability."""
    text = face.oracle_text or ""
    known: dict[str, Ability] = {}
    for ability in face.abilities:
        assert 0 <= ability.start < ability.end <= len(text)
        assert ability.text == text[ability.start : ability.end]
        assert ability.id not in known
        if ability.parent is not None:
            assert ability.parent in known
            assert ability.id.startswith(ability.parent + ".")
        known[ability.id] = ability
        parts = ability.parts
        for span in (parts.cost, parts.event, parts.condition, parts.effect, *parts.modes):
            assert span is None or ability.start <= span[0] <= span[1] <= ability.end
        for citation in ability.citations:
            assert citation.field == "oracle_text"
            assert ability.start <= citation.start < citation.end <= ability.end
            assert citation.quote == text[citation.start : citation.end] != ""
            assert citation.rule in LINKER.rulebook.rules
            assert citation.granted == ability.granted
        keys = [(c.rule, c.relation) for c in ability.citations]
        assert len(keys) == len(set(keys))
    for citation in face.citations:
        field = face.type_line if citation.field == "type_line" else face.mana_cost
        assert citation.quote == (field or "")[citation.start : citation.end] != ""


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(any_text, st.sampled_from(TYPE_LINES))
@example("(", None)
@example('"', "Instant")
@example("•", None)
@example("()\n()", "Basic Land — Forest")
@example("({T}: Add {", "Basic Land — Forest")
@example("{T}: Add {G}", "Basic Land — Forest")
@example("I — ", "Enchantment — Saga")
@example("8+ | ", "Artifact — Spacecraft")
@example("Kicker {R} and/or ", None)
@example('Golems have ""', None)
@example("Golems have \"' has '{T}'.\"", None)
@example("Flying,", None)
@example("İ, flying", None)
def test_any_text_is_linked_with_true_offsets(text: str, type_line: str | None) -> None:
    check(LINKER.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text)))


@pytest.mark.parametrize("text", ["Solved —", "Solved — ", "Max speed —"])
def test_nothing_after_a_dash_holds_no_ability(text: str) -> None:
    check(LINKER.link(Face(name="Zyx Warden", type_line="Enchantment — Case", oracle_text=text)))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=20), rules_text)
@example("Exile", "Instant", "{X}", "Exile target creature.")
@example("", "", "", "")
@example(".*", "—", "{", "Flying")
def test_any_name_type_line_and_mana_cost(name: str, type_line: str, mana_cost: str, text: str) -> None:
    check(LINKER.link(Face(name=name, type_line=type_line, mana_cost=mana_cost, oracle_text=text)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Flying", "{T}: Scry 1.", "When this creature dies, scry 1."]), max_size=6))
def test_abilities_of_lines_are_those_of_each_line(lines: list[str]) -> None:
    face = LINKER.link(Face(name="Zyx Warden", oracle_text="\n".join(lines)))
    single = [LINKER.link(Face(name="Zyx Warden", oracle_text=line)).abilities[0] for line in lines]
    assert [
        (a.kind, a.text, [(c.rule, c.relation, c.quote) for c in a.citations]) for a in face.abilities
    ] == [(a.kind, a.text, [(c.rule, c.relation, c.quote) for c in a.citations]) for a in single]


# A piece that is repeated, and how many characters of it.
PIECES = {
    "(": 10_000,
    ")": 10_000,
    "{": 10_000,
    "a ": 10_000,
    "target creature ": 10_000,
    "When a creature dies, ": 10_000,
    "{T}: ": 10_000,
    "\n": 10_000,
    "until ": 10_000,
    "copy of a card ": 10_000,
    '"a" ': 30_000,
    "flying, ": 10_000,
    "Scry 1.\n": 10_000,
    "A — ": 4_000,
    "Choose one, ": 3_000,
}


# -- time ---------------------------------------------------------------------------------------------


def seconds(text: str, tries: int) -> float:
    face = Face(name="Zyx Warden", oracle_text=text)
    best = float("inf")
    for _ in range(tries):
        gc.collect()  # what others left is not ours
        start = time.process_time()
        LINKER.link(face)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    ("piece", "size"),
    list(PIECES.items()),
)
def test_time_grows_with_length_and_no_faster(piece: str, size: int) -> None:
    """A hostile text takes its time and no more: four times the text about four times as long."""
    first = seconds(piece * (size // len(piece)), 2)
    second = seconds(piece * (4 * size // len(piece)), 2)
    assert second < 7 * first + 0.1, f"{first:.3f} s, and {second:.3f} s for four times the text"


@pytest.mark.parametrize("piece", list(PIECES))
def test_a_hundred_thousand_characters_are_no_trouble(piece: str) -> None:
    check(LINKER.link(Face(name="Zyx Warden", oracle_text=piece * (100_000 // len(piece)))))
