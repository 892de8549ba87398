"""The glossary's own terms on invented cards: where they are cited, to which rule, and where they are not.

Rule numbers are those of the shipped outline.
"""

from __future__ import annotations

import pytest
from msgspec import structs

from cardlaw.graph.linking import Linker
from cardlaw.graph.linking.glossary import PREFIX
from cardlaw.graph.model import Face, Term
from cardlaw.graph.sources import outline


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(outline.load())


def terms(linker: Linker, text: str, type_line: str = "Creature — Golem") -> list[tuple[str, str]]:
    """What the glossary alone cites in a text: (words, rule)."""
    face = linker.link(Face(name="Zyx Warden", type_line=type_line, oracle_text=text))
    return [
        (c.quote, c.rule)
        for ability in face.abilities
        for c in ability.citations
        if c.entry.startswith(PREFIX) and c.relation == "defined_term"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You have no maximum hand size.", [("maximum hand size", "402.2")]),
        ("Your life total becomes equal to your starting life total.", [("starting life total", "103.4")]),
        ("Whenever a creature you control attacks alone, draw a card.", [("attacks alone", "506.5")]),
        ('The "legend rule" doesn\'t apply to permanents you control.', [("legend rule", "704.5j")]),
        ("Exile target multicolored permanent card from a graveyard.",
         [("permanent card", "110.4a")]),
        ("As long as you've completed a dungeon, this creature has flying.",
         [("completed a dungeon", "309")]),
        ("If you attacked this turn, draw a card.", [("attacked", "508")]),
    ],
)  # fmt: skip
def test_a_term_is_cited_to_the_rule_that_its_entry_refers_to(
    linker: Linker, text: str, expected: list[tuple[str, str]]
) -> None:
    assert terms(linker, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Its activated abilities can't be activated.", ("activated abilities", "602")),  # not 113
        ("Copy target triggered ability you control.", ("triggered ability", "603")),
        ("You gain life equal to its loyalty.", ("loyalty", "209")),
        ("For each white mana symbol in its mana cost, draw a card.", ("mana cost", "202")),
    ],
)
def test_of_several_rules_the_one_that_is_headed_so_is_cited(
    linker: Linker, text: str, expected: tuple[str, str]
) -> None:
    assert expected in terms(linker, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Destroy target attacking creature.", ["attacking creature"]),
        ("Destroy target blocking creature.", ["blocking creature"]),
        ("Put a loyalty counter on target planeswalker.", []),
        ("Activate a loyalty ability of target planeswalker.", ["loyalty ability"]),
    ],
)
def test_a_longer_name_beats_a_shorter_one(linker: Linker, text: str, words: list[str]) -> None:
    assert [quote for quote, _ in terms(linker, text)] == words


@pytest.mark.parametrize(
    "text",
    [
        "Whenever this creature attacks, draw a card.",  # trigger_event 508
        "This creature can't attack.",  # effect 508.1c
        "Target creature can't be blocked this turn.",  # effect 509.1b
        "{T}: Add {G} to your mana pool.",  # 106.4
        "When this creature enters the battlefield, draw a card.",
        "Copy target instant spell.",
        "Prevent all damage that would be dealt to you.",
    ],
)
def test_what_an_entry_of_the_catalogue_cites_is_not_cited_again(linker: Linker, text: str) -> None:
    assert terms(linker, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "You control target creature's owner, a player with a card, a spell, and a permanent in a zone.",
        "Choose an option. Then respond, or play a loop.",
        "Otterholt Class and Case are a good match for the team.",
    ],
)
def test_words_that_say_nothing_are_silent(linker: Linker, text: str) -> None:
    assert [quote for quote, _ in terms(linker, text) if quote not in ("Class", "Case")] == []


def test_a_subtype_is_a_term_only_with_its_capital(linker: Linker) -> None:
    assert terms(linker, "In case you solve a Case, draw a card.") == [("Case", "719")]


def test_a_term_of_a_later_release_needs_no_change() -> None:
    book = outline.load()
    new = Term(names=("Quagga", "Quagga Points"), references=("5", "402.2", "103.4"))
    old = Term(names=("Bandicoot",), references=("103.4",), obsolete=True)
    linker = Linker(structs.replace(book, terms=(*book.terms, new, old)))
    text = "Each quagga counts its quagga points. Bandicoots don't."
    assert terms(linker, text) == [("quagga", "402.2")]
    text = "Count your quagga points."
    assert terms(linker, text) == [("quagga points", "402.2")]
    entries = {entry.id: entry for entry in linker.entries}
    assert entries["glossary.quagga-points"].anchor == "Glossary/Quagga Points"
    assert "glossary.bandicoot" not in entries


def test_a_rulebook_without_a_glossary_links_the_rest() -> None:
    linker = Linker(structs.replace(outline.load(), terms=()))
    assert not [entry for entry in linker.entries if entry.id.startswith(PREFIX)]
    assert terms(linker, "You have no maximum hand size.") == []


def test_every_term_that_can_be_cited_has_its_rule_and_is_no_keyword(linker: Linker) -> None:
    book = linker.rulebook
    keywords = {keyword.name.lower() for keyword in book.vocabulary.keywords}
    listed = [entry for entry in linker.entries if entry.id.startswith(PREFIX)]
    assert len(listed) > 100
    assert [entry for entry in listed if entry.rule not in book.rules or len(entry.rule) == 1] == []
    assert [e for e in listed if e.anchor.removeprefix("Glossary/").lower() in keywords] == []
