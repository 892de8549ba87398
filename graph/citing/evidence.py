"""What the words beside a citation say of it in one release: for its number, against it, or nothing.

A name counts only if the book has it: the heading of a rule, a keyword or its variant, an entry of the
glossary with the rules it cites. It speaks against a number only if that rule goes by another name, and
either is the heading of its neighbor, or neither cites the other and the name stands nowhere in its words. A
passage counts if runs of four words of it, numbers masked, stand in one rule and not in the one cited.
Whatever is less clear says nothing: a false alarm is worse than silence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from ..linking.inflection import inflections
from ..model import Keyword, Rulebook
from ..releases.passages import keys
from ..sources.wording import normalize
from .records import Mention

__all__ = ["Evidence", "Reader", "rule_of", "section_of"]

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LONGEST_NAME = 4  # words
_RUN = 4  # words that are looked up together
_FEWEST_RUNS = 4  # a passage of seven words
_FOR, _AGAINST = 0.6, 0.4  # share of its runs that the rule cited has
_BETTER = 0.85  # share that another rule must have
_VERBATIM = 8  # words from which on a passage that stands in one rule alone is sure
_OMISSION = re.compile(r"\[?(?:\.\.\.|…)\]?|\s\*\s")
_INSERTED = re.compile(r"\[(\w{1,3})\](?=\w)")
_ENDING = re.compile(
    r" (?:cards?|abilit(?:y|ies)|keywords?|effects?|actions?|counters?|tokens?|rules?|steps?)$"
)
_SECTION_WORDS = re.compile(r"^the | (?:cards?|actions?|abilities|variant)$")
_SMALL_WORDS = frozenset(("a", "an", "and", "another", "in", "of", "on", "or", "the", "to"))
_BARE_TITLE = re.compile(r"^(?:handling|interaction of|casting|activating) ")


class Evidence(Struct, frozen=True, kw_only=True):
    """What speaks for a number or against it."""

    speaks_for: bool = False
    against: bool = False
    better: tuple[str, ...] = ()  # numbers that the words fit instead, best first
    sure: bool = False  # the words stand in `better[0]` alone, one by one
    by: str = ""  # "name" or "quote"


_NOTHING = Evidence()


def rule_of(number: str) -> str:
    """The rule of a subrule; any other number itself."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def section_of(number: str) -> str:
    """The section of a rule; of a chapter itself."""
    return number[:3]


class Reader:
    """A release, read for its names and its words; each index is made when first needed."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._bare_words: dict[str, str] = {}

    @cached_property
    def headings(self) -> dict[str, str | None]:
        """For each number the heading of the rule, or of its nearest parent that has one."""
        found: dict[str, str | None] = {}
        for number, rule in self.rulebook.rules.items():
            found[number] = rule.title or (found.get(rule.parent) if rule.parent else None)
        return found

    @cached_property
    def named(self) -> dict[str, tuple[str, ...]]:
        """Numbers by name, folded: headings first, then keywords and their variants, then the glossary."""
        found: dict[str, dict[str, None]] = {}
        for names in (self._titles(), self._entries()):
            plain, derived = _gathered(names)
            for source in (plain, derived):  # “Counter” is rather “Counter” than “Counters”
                for name, numbers in source.items():
                    # An entry of the glossary may itself cite a wrong number.
                    found.setdefault(name, numbers)
        return {name: tuple(numbers) for name, numbers in found.items()}

    def _titles(self) -> Iterator[tuple[str, str]]:
        book = self.rulebook
        for number, rule in book.rules.items():
            if rule.title and len(number) > 1:
                yield rule.title, number
        for keyword in book.vocabulary.keywords:
            yield keyword.name, keyword.rule
            if "[" in keyword.name or " " not in keyword.name:
                yield re.sub(r"\s*\[.*?\]", "", keyword.name), keyword.rule
        for token, number in book.vocabulary.tokens.items():
            yield token, number

    def _entries(self) -> Iterator[tuple[str, str]]:
        terms = self.rulebook.terms
        cited = {name.casefold(): term.references for term in terms for name in term.names}
        for term in terms:
            targets = term.references or tuple(
                number for name in term.see for number in cited.get(name.casefold(), ())
            )
            for name in term.names:
                for number in targets:
                    if len(number) > 1:  # a chapter is nobody's name
                        yield name, number

    @cached_property
    def _runs(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Numbers whose words have a run of words."""
        found: defaultdict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        for number, rule in self.rulebook.rules.items():
            for passage in (rule.text or "", *rule.examples):
                for run in _cut(keys(passage)):
                    found[run][number] = None
        return {run: tuple(numbers) for run, numbers in found.items()}

    def evidence(self, mention: Mention) -> Evidence:
        """What the words beside `mention` say of its number here; nothing if this release lacks it."""
        quote = self._of_quote(mention.number, mention.quote) if mention.quote else _NOTHING
        if quote is not _NOTHING:
            return quote
        return self._of_name(mention.number, mention.name) if mention.name else _NOTHING

    def _of_name(self, number: str, name: str) -> Evidence:
        numbers = next((found for form in _forms(name) if (found := self.named.get(form))), ())
        if not numbers:
            keyword = self.keyword(name)  # “scry 2”, “cycling abilities”
            is_its = keyword is not None and keyword.rule == rule_of(number)
            return Evidence(speaks_for=True, by="name") if is_its else _NOTHING
        rules = self.rulebook.rules
        if number not in rules:
            return Evidence(better=numbers, by="name")
        if any(self._related(number, other) for other in numbers):
            return Evidence(speaks_for=True, by="name")
        rule = rule_of(number)
        title = rules[rule].title if rule in rules else None
        if title is None:
            return _NOTHING  # the rule has no name of its own that the other could contradict
        if f" {_fold(name)} " in f" {_fold(title)} ":
            return Evidence(speaks_for=True, by="name")  # a part of the heading
        if number == rule and self._names_a_mate(rule, name, numbers):
            return Evidence(against=True, better=numbers, by="name")
        if self._mentions(number, name) or any(self._cites(number, other) for other in numbers):
            return _NOTHING
        if number != rule and any(self._mentions(other, title) for other in numbers):
            return _NOTHING  # a subrule beside the name of what it bears upon: deathtouch and trample
        return Evidence(against=True, better=numbers, by="name")

    def keyword(self, words: str) -> Keyword | None:
        """The keyword whose name `words` begin with; of several the longest."""
        found = _WORD.findall(words.casefold())[:_LONGEST_NAME]
        starts = (" ".join(found[:length]) for length in range(len(found), 0, -1))
        return next((self._keywords[each] for each in starts if each in self._keywords), None)

    def doubts(self, mention: Mention) -> str | None:
        """The name of another rule of the kind that the line has, in any inflection, if not that of its own.

        For a number of 701 or 702 that is another keyword of the section, for one from 703 on a section.
        """
        heading = self.headings.get(mention.number)
        if mention.line is None or heading is None:
            return None
        words = _WORD.findall(mention.line.casefold())
        own = set(_WORD.findall(heading.casefold())) - _SMALL_WORDS
        own |= {form for word in own for form in inflections(word)}
        if not own.isdisjoint(words):
            return None
        section = section_of(mention.number)
        among = section if section in self._spoken else "7"
        named = {
            number: " ".join(words[place : place + length])
            for place in range(len(words))
            for length in range(1, _LONGEST_NAME + 1)
            if (number := self._spoken[among].get(" ".join(words[place : place + length])))
        }
        return next(iter(named.values()), None)

    @cached_property
    def _spoken(self) -> dict[str, dict[str, str]]:
        """Numbers by the forms of their names: of the keywords of a section, of the sections after those."""
        found: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for each in self.rulebook.vocabulary.keywords:
            for name in each.name.casefold().split(" and "):
                first, *rest = _WORD.findall(name) or [name]
                for form in inflections(first) if each.action else (first, f"{first}s"):
                    found[section_of(each.rule)].setdefault(" ".join((form, *rest)), rule_of(each.rule))
        for number, rule in self.rulebook.rules.items():
            if len(number) == 3 and "702" < number < "800" and rule.title:
                name = _SECTION_WORDS.sub("", rule.title.casefold())
                found["7"].setdefault(" ".join(_WORD.findall(name)), number)
        return found

    @cached_property
    def _keywords(self) -> dict[str, Keyword]:
        """By name, folded; variants under their own."""
        return {
            " ".join(_WORD.findall(each.name.casefold())): each for each in self.rulebook.vocabulary.keywords
        }

    def _names_a_mate(self, rule: str, name: str, numbers: tuple[str, ...]) -> bool:
        """Whether the name is the very heading of another section, or of another keyword of the section."""
        other = self.rulebook.rules[numbers[0]]
        if other.title is None or _fold(other.title) != _fold(name):
            return False
        if "." in rule:
            return section_of(rule) == section_of(other.number)
        return "." not in other.number and name[0].isupper()  # “(stack)” need not be a heading

    def _related(self, number: str, other: str) -> bool:
        """Whether a name of `other` is one for `number` too: one rule, or one within the other."""
        if rule_of(number) == rule_of(other):
            return True
        return section_of(number) == section_of(other) and ("." not in number or "." not in other)

    def _cites(self, number: str, other: str) -> bool:
        rules = self.rulebook.rules
        here, there = self._family(number), self._family(other)
        return any(rule_of(each) in there for one in here for each in rules[one].references) or any(
            rule_of(each) in here for one in there for each in rules[one].references
        )

    def _family(self, number: str) -> set[str]:
        """The rule of `number` with all its subrules, or all of a section or chapter."""
        return self._families.get(rule_of(number), {number})

    @cached_property
    def _families(self) -> dict[str, set[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for number in self.rulebook.rules:
            for whole in {rule_of(number), section_of(number), number[0]}:
                found[whole].add(number)
        return dict(found)

    def _mentions(self, number: str, name: str) -> bool:
        """Whether the name stands in the words of the rule; without its words it may."""
        rule = rule_of(number)
        if not self.rulebook.has_text:
            return number != rule
        if rule not in self._bare_words:
            members = (self.rulebook.rules[each] for each in self._family(rule))
            passages = (part for each in members for part in (each.title or each.text or "", *each.examples))
            self._bare_words[rule] = " ".join(_fold(each) for each in passages)
        return _fold(name).rstrip("s") in self._bare_words[rule]

    def _of_quote(self, number: str, quote: str) -> Evidence:
        if not self.rulebook.has_text:
            return _NOTHING
        pieces = [keys(piece) for piece in _OMISSION.split(_INSERTED.sub(r"\1", quote))]
        runs = [run for piece in pieces for run in _cut(piece)]
        if len(runs) < _FEWEST_RUNS:
            return _NOTHING
        where = [self._runs.get(run, ()) for run in runs]
        share = Counter(each for numbers in where for each in numbers)
        family = self._family(number)
        in_family = sum(any(each in family for each in numbers) for numbers in where) / len(runs)
        own = share[number] / len(runs)
        ranked = sorted(share, key=lambda each: -share[each])  # stable: in the order of the book
        best = share[ranked[0]] / len(runs) if ranked else 0.0
        top = tuple(each for each in ranked if share[each] == share[ranked[0]])
        sure = best == 1.0 and len(top) == 1 and sum(map(len, pieces)) >= _VERBATIM
        if number not in self.rulebook.rules:
            return Evidence(better=top[:3], sure=sure, by="quote") if best >= _BETTER else _NOTHING
        sibling = in_family > _AGAINST and own <= 0.3 and best == 1.0 and number != rule_of(number)
        if sibling and all(each in family and each != rule_of(number) for each in top):
            return Evidence(against=True, better=top[:3], sure=sure, by="quote")
        if in_family >= _FOR:
            return Evidence(speaks_for=True, by="quote")
        if best >= _BETTER and in_family <= _AGAINST and not _within(number, top):
            return Evidence(against=True, better=top[:3], sure=sure, by="quote")
        return _NOTHING


def _within(number: str, others: Iterable[str]) -> bool:
    """Whether one of the others stands in `number`, a section or a chapter."""
    return "." not in number and any(other.startswith(number) for other in others)


def _cut(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (words[place : place + _RUN] for place in range(len(words) - _RUN + 1))


def _fold(text: str) -> str:
    return normalize(text).casefold().strip(" .,;:!'\"")


def _gathered(
    names: Iterable[tuple[str, str]],
) -> tuple[dict[str, dict[str, None]], dict[str, dict[str, None]]]:
    """Numbers by name as it is, and by the other forms of it."""
    plain: dict[str, dict[str, None]] = {}
    derived: dict[str, dict[str, None]] = {}
    for name, number in names:
        whole, *others = _forms(name)
        plain.setdefault(whole, {})[number] = None
        for form in others:
            derived.setdefault(form, {})[number] = None
    return plain, derived


def _forms(name: str) -> tuple[str, ...]:
    """Spellings under which a name is known and asked for: whole, without what it is, one and many."""
    whole = _fold(name)
    bare = _ENDING.sub("", whole)
    forms = {whole: None, bare: None, _BARE_TITLE.sub("", whole): None}
    for form in tuple(forms):
        if form.endswith("ies"):
            forms[form[:-3] + "y"] = None
        elif form.endswith("s") and not form.endswith("ss"):
            forms[form[:-1]] = None
    return tuple(form for form in forms if form)
