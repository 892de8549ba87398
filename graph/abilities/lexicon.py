"""The names that a text is read against: keyword abilities with their written forms, and ability words.

Built from a rulebook's vocabulary (CR 702, CR 207.2c) and from forms that the catalogue adds, such as
"[type]cycling". Nothing is typed in here: a release with new headings is read with no change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from ..model import Keyword, Vocabulary

__all__ = ["Form", "Lexicon", "Match", "surfaces"]

_WORDS = re.compile(r"[\w∞'’!.-]+(?: [\w'’!.-]+){0,5}")
_LONGEST = 200  # characters that a keyword's name is looked for in


class Form(Struct, frozen=True):
    """One way in which a keyword ability is written; `pattern` reads a lowered text."""

    keyword: str  # name of the keyword or variant: "Typecycling"
    rule: str
    entry: str  # id of the catalogue entry
    pattern: re.Pattern[str]
    literals: tuple[str, ...]  # lowercase; one of them stands in every text that matches
    printed: bool = False  # a form of the catalogue that can be printed as an ability of its own


class Match(Struct, frozen=True):
    """A keyword's name found at the start of a piece of text; `end` is an offset in that text."""

    form: Form
    end: int


def surfaces(keyword: Keyword) -> tuple[str, ...]:
    """The lowercase words that a heading stands for: "Daybound and Nightbound" is two, "∞ (Infinity)" one."""
    name = re.sub(r"\s*\([^)]*\)", "", keyword.name).replace("’", "'").strip().lower()
    parts = name.split(" and ") if re.fullmatch(r"\w+ and \w+", name) else [name]
    return tuple(part for part in parts if part)


class Lexicon:
    """Keyword forms and ability words of one rulebook.

    vocabulary: as derived from the rulebook.
    forms: written forms from the catalogue; one with the id of a plain form takes its place in running text.
    """

    def __init__(self, vocabulary: Vocabulary, forms: Iterable[Form] = ()) -> None:
        given = {form.entry: form for form in forms}
        plain: dict[str, Form] = {}
        self._by_words: dict[str, Form] = {}
        for keyword in vocabulary.keywords:
            if keyword.action or "[" in keyword.name:
                continue
            for words in surfaces(keyword):
                ident = "infinity" if words == "∞" else re.sub(r"[^a-z0-9]+", "-", words).strip("-")
                name = re.escape(words)
                pattern = re.compile(rf"{name}(?<![\w{{-]{name})(?![\w-])")  # a literal first: found fast
                form = Form(keyword.name, keyword.rule, f"keyword.{ident}", pattern, (words,), printed=True)
                named = words == keyword.name.lower().replace("’", "'")  # "Daybound", not "Daybound and …"
                if named or words not in self._by_words:
                    plain[form.entry] = self._by_words[words] = form
        self.forms: tuple[Form, ...] = tuple({**plain, **given}.values())
        self._irregular = tuple(
            form
            for form in (*given.values(), *plain.values())
            if form.printed and (form.entry in given or "—" in form.keyword)
        )
        self._at = lru_cache(8192)(self._keyword_at)  # cards share their keyword lines
        self.ability_words = frozenset(word.lower() for word in vocabulary.ability_words)
        actions = (words for k in vocabulary.keywords if k.action for words in surfaces(k))
        headings = {*self._by_words, *actions}
        # The first word of a heading is no safe name either: "Space" of "Space sculptor".
        self.terms = frozenset(headings | {heading.partition(" ")[0] for heading in headings})

    def keyword_at(self, text: str) -> Match | None:
        """The longest keyword name at the start of a text, or None."""
        return self._at(text[:_LONGEST])

    def _keyword_at(self, text: str) -> Match | None:
        text = text.lower()
        best: Match | None = None
        for form in self._irregular:
            if any(map(text.__contains__, form.literals)) and (found := form.pattern.match(text)):
                match = Match(form, found.end())
                if best is None or match.end > best.end:
                    best = match
        words = _WORDS.match(text)
        if words:
            run = words[0]
            while run:
                form_ = self._by_words.get(run.rstrip(".")) or self._by_words.get(run)
                if form_ is not None:
                    if best is None or len(run) >= best.end:
                        best = Match(form_, len(run.rstrip(".")))
                    break
                run = run.rpartition(" ")[0]
        return best

    def is_keyword_label(self, label: str) -> bool:
        """Whether the words before a long dash are a keyword ("Boast", "Prototype {1}{G}") and no name."""
        match = self.keyword_at(label)
        return match is not None and not re.match(r"\W*[A-Za-z]", label[match.end :])
