"""Compare the linker's keywords with the published `keywords` lists, and say why where they differ.

    python tests/benchmarks/keywords.py [--cards FILE]

Recall is over the pairs (card, keyword) that the source lists, if the keyword is a heading of section 701 or
702 or a variant of one: the linker cites its rule, in whatever relation, in reminder text too. Precision is
over the keywords, by heading, that a card has unconditionally by the linker: the source lists them. Keywords
had under a condition, which the source omits, are counted apart.

Each disagreement is explained by a rule, a predicate on the words of the card; what none explains is printed
by name. The corpus lists the keywords of all faces of a card and has the text of one, so its 1,357 records
of such layouts (886 cards) are left out.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from cardlaw.graph.abilities.masking import NAME, scan, within
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Ability, Card, Citation
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.cards import Source, format_of, read_cards

PARTIAL = {"split", "aftermath", "flip", "adventure", "prepare", "modal_dfc", "transform", "meld"}
"""Layouts whose keywords the corpus lists for all faces, with the text of one."""

NEVER_LISTED = ("Visit", "Space Sculptor", "∞ (Infinity)")

RELATIONS = {
    "has_keyword": "had under a condition",
    "grants_keyword": "given to something else, to a token or for a while",
    "loses_keyword": "taken away",
    "mentions_keyword": "only referred to",
}
"""What a card does with a listed keyword that it has not unconditionally."""


@dataclass
class Comparison:
    """The counts, and disagreements by the rule that explains them; "" is no rule."""

    cards: int = 0
    listed: int = 0  # pairs
    found: int = 0
    had: int = 0  # unconditionally, by the linker
    confirmed: int = 0
    conditional: int = 0
    conditional_listed: int = 0
    missed: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    added: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    apart: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # found, but not had
    foreign: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # no keywords

    @property
    def recall(self) -> float:
        return self.found / self.listed

    @property
    def precision(self) -> float:
        return self.confirmed / self.had

    @property
    def unexplained(self) -> list[str]:
        return [*self.missed.get("", ()), *self.added.get("", ())]


# -- what a listed name is -------------------------------------------------------------------------


def key(name: str) -> str:
    """A name as it is compared: “For Mirrodin!” is "for mirrodin", “∞ (Infinity)” is "∞"."""
    return re.sub(r"\s*\([^)]*\)|!", "", name.replace("’", "'")).strip().lower()


def heading(rule: str) -> str:
    """The rule of the heading that a subrule stands under."""
    return re.sub(r"(?<=\d)[a-z]+$", "", rule)


class Names:
    """What the names in a list stand for, by the rulebook of one linker."""

    def __init__(self, linker: Linker) -> None:
        vocabulary = linker.rulebook.vocabulary
        self.lexicon = linker.lexicon
        self.known = {key(keyword.name): keyword.rule for keyword in vocabulary.keywords}
        self.words = {key(word) for word in vocabulary.ability_words}
        self.tokens = {key(token).split()[-1] for token in vocabulary.tokens}
        self.types = {key(name) for names in vocabulary.subtypes.values() for name in names} | {"land"}

    def rule(self, name: str) -> str | None:
        """The rule of a keyword; of a variant that no rule names, "Landcycling", that of its form."""
        if rule := self.known.get(key(name)):
            return rule
        match = self.lexicon.keyword_at(key(name))
        return match.form.rule if match is not None and match.end == len(key(name)) else None

    def foreign(self, name: str, card: Card) -> str:
        """What a name is that is no keyword."""
        if key(name).removesuffix(" token") in self.tokens:
            return "predefined tokens"
        if key(name) in self.words:
            return "ability words"
        labels = [(face.oracle_text or "")[a:b] for face in card.faces for a, b in scan(face).labels]
        if any(key(label).startswith(key(name)) for label in labels):
            return "other words before a dash"
        return "words that the rules do not have"


# -- rules that explain a listed pair of which nothing is cited ------------------------------------


class Missed(NamedTuple):
    card: Card
    name: str


def everywhere(test: Callable[[str, int, int], bool], case: Missed) -> bool:
    """Whether the word stands on the card, and each of its places in a text passes."""
    stem = re.escape(key(case.name).removesuffix("e"))
    texts = [face.oracle_text for face in case.card.faces if face.oracle_text]
    places = [test(text, *match.span()) for text in texts for match in re.finditer(stem, text.lower())]
    return bool(places) and all(places)


def begins(words: str, text: str, start: int, end: int) -> bool:
    return re.match(words, text[start:], re.I) is not None


def in_a_longer_word(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isalpha()


def in_its_own_name(case: Missed) -> bool:
    masked = {face.oracle_text: scan(face).text for face in case.card.faces}
    return everywhere(lambda text, start, end: set(masked[text][start:end]) == {NAME}, case)


def in_a_flavor_word(case: Missed) -> bool:
    labels = {face.oracle_text: scan(face).labels for face in case.card.faces}
    return everywhere(lambda text, start, end: within(labels[text], start), case)


Case = TypeVar("Case")
Rules = Sequence[tuple[str, Callable[[Case], bool]]]

MISSED: Rules[Missed] = (
    (
        "manifest dread, an action of its own, is listed as manifest too",
        lambda case: case.name == "Manifest" and everywhere(partial(begins, r"manifest\w* dread"), case),
    ),
    (
        "converted mana cost, the old name of mana value, is listed as convert",
        lambda case: case.name == "Convert" and everywhere(partial(begins, "converted mana cost"), case),
    ),
    ("the word stands only in the card's own name", in_its_own_name),
    ("the word stands only in a flavor word before a dash", in_a_flavor_word),
    ("the word stands only in a longer one that the rules lack", partial(everywhere, in_a_longer_word)),
)


# -- rules that explain a keyword that a card has and the source does not list ---------------------


class Added(NamedTuple):
    card: Card
    ability: Ability
    citation: Citation


def equips_by_quality_only(case: Added) -> bool:
    abilities = [ability for face in case.card.faces for ability in face.abilities]
    return case.ability.keyword == "Equip" and all(
        "quality" in ability.parameters for ability in abilities if ability.keyword == "Equip"
    )


def in_a_sentence(case: Added) -> bool:
    return case.ability.kind == "static" and " has " in case.ability.text


def of_no_type(case: Added, names: Names) -> bool:
    written = re.fullmatch(r"(?:\w+ )*(\w+?)(?:walk|cycling)", key(case.citation.quote))
    return written is not None and key(case.citation.quote) != "cycling" and written[1] not in names.types


def rules_of_added(names: Names, listed: Counter[str]) -> Rules[Added]:
    silent = {rule for name in NEVER_LISTED if (rule := names.rule(name)) and not listed[heading(rule)]}
    return (
        (
            "visit (717), space sculptor and ∞ are in no list",
            lambda case: heading(case.citation.rule) in silent,
        ),
        ("equip is not listed if each one says what may be equipped", equips_by_quality_only),
        (
            "annihilator is listed with a number, not with X",
            lambda case: case.ability.keyword == "Annihilator" and case.ability.parameters["number"] == "X",
        ),
        (
            "the landwalk of snow lands of one type is not listed",
            lambda case: re.fullmatch(r"snow (?!land)\w+walk", key(case.citation.quote)) is not None,
        ),
        ("a keyword that a sentence says the card has is seldom listed", in_a_sentence),
        ("walk and cycling of what is no land or type are not listed", lambda case: of_no_type(case, names)),
    )


# -- comparing -------------------------------------------------------------------------------------


def cards_of(source: Source) -> Iterator[Card]:
    """The cards of a source of which it has both the text and the keywords."""
    left_out = PARTIAL if source == "corpus" or format_of(source) == "corpus" else set()
    return (card for card in read_cards(source, skipped=[]) if card.layout not in left_out)


def unconditional(citation: Citation) -> bool:
    return citation.relation == "has_keyword" and not citation.conditional and not citation.in_reminder


def compare(cards: Iterable[Card], linker: Linker) -> Comparison:
    """Link every card and compare its keywords with the list that it came with."""
    names, result = Names(linker), Comparison()
    missed: list[Missed] = []
    added: list[Added] = []
    seen: Counter[str] = Counter()  # headings in the lists
    for card in map(linker.link_card, cards):
        abilities = [ability for face in card.faces for ability in face.abilities]
        cited = [(a, c) for a in abilities for c in a.citations if c.rule.startswith(("701.", "702."))]
        listed = set()
        for name in card.keywords or ():
            if (rule := names.rule(name)) is None:
                result.foreign[names.foreign(name, card)][name] += 1
                continue
            listed.add(heading(rule))
            result.listed += 1
            own = [c for _, c in cited if rule in (c.rule, heading(c.rule))]
            result.found += bool(own)
            if not own:
                missed.append(Missed(card, name))
            elif rule.startswith("702.") and not any(map(unconditional, own)):
                said = {c.relation for c in own}
                does = next(words for relation, words in RELATIONS.items() if relation in said)
                result.apart[does].append(f"{name} of {card.name}")
        had = {heading(c.rule): Added(card, a, c) for a, c in reversed(cited) if unconditional(c)}
        conditional = {heading(c.rule) for _, c in cited if c.conditional}
        added += [case for rule, case in had.items() if rule not in listed]
        result.cards += 1
        result.had += len(had)
        result.confirmed += len(listed & had.keys())
        result.conditional += len(conditional)
        result.conditional_listed += len(conditional & listed)
        seen.update(listed)
    for miss in missed:
        result.missed[why(miss, MISSED)].append(f"{miss.name} of {miss.card.name}")
    for case in added:
        words = why(case, rules_of_added(names, seen))
        result.added[words].append(f"{case.citation.title} of {case.card.name}")
    return result


def why(case: Case, rules: Rules[Case]) -> str:
    return next((words for words, explains in rules if explains(case)), "")


def show(result: Comparison) -> None:
    """Print the table."""
    print(f"{result.cards:,} cards")
    if not result.listed:
        return print("the source lists no keywords")
    print(f"recall     {result.recall:.4f}  {result.found:,} of {result.listed:,} listed pairs are cited")
    print(
        f"precision  {result.precision:.4f}  {result.confirmed:,} of {result.had:,} keywords had are listed"
    )
    print(f"had under a condition: {result.conditional:,}, of which {result.conditional_listed} are listed")
    for title, groups in (
        ("Listed, not cited", result.missed),
        ("Had, not listed", result.added),
        ("Listed and cited, not had unconditionally", result.apart),
    ):
        print(f"\n{title}: {sum(map(len, groups.values()))}")
        for words, cases in sorted(groups.items(), key=lambda item: -len(item[1])):
            examples = "; ".join(cases[:2] if words else cases)
            print(f"  {len(cases):5}  {words or 'UNEXPLAINED'}: {examples}")
    print(f"\nListed, but no keywords: {sum(counts.total() for counts in result.foreign.values()):,}")
    for what, counts in sorted(result.foreign.items(), key=lambda item: -item[1].total()):
        print(f"  {counts.total():5}  {what}: " + ", ".join(f"{n} {c}" for n, c in counts.most_common(4)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cards", default="corpus", help="a file of cards; default: the corpus")
    chosen = parser.parse_args().cards
    show(compare(cards_of("corpus" if chosen == "corpus" else Path(chosen)), Linker(outline.load())))


if __name__ == "__main__":
    main()
