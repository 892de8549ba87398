"""Read a text release of the Comprehensive Rules (2009-07-11 and later) into a `Rulebook`.

What was measured on 110 releases: seven encodings, CRLF, bare CR and mixtures of both; one paragraph a
line, continuation lines indented; a table of contents that repeats every heading word for word; numbers with
a stray dot, without a dot, with a space inside, mistyped, repeated or missing. A fault in the text is a
warning, never a failure; what is no rulebook at all is a `RulebookError`. The words stay as they are printed,
continuation lines joined with a line feed; `normalize` serves to compare them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ..errors import RulebookError
from ..model import Rule, Rulebook, Term
from .references import Citing, citing, next_letter, ordinal, wrong_titles
from .vocabulary import derive
from .wording import decode, normalize

__all__ = ["effective", "normalize", "parse", "read"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_EFFECTIVE = re.compile(r"effective as of\s+([A-Z][a-z]+ \d{1,2}, \d{4})")
_FIRST = "2009-07-11"  # the first release with the numbering of today

_CHAPTER = re.compile(r"\s*(\d)\.\s+(?=\S)(?!\d)")
_SECTION = re.compile(r"\s*(\d{3})\.\s+(?=\D)")
_NUMBERED = re.compile(r"\s*(\d{3})\.\s?(\d{1,3})(?:([a-z]{1,2})(?![A-Za-z]))?\.?(?=\s|[^\d\s.])\s*")
_EXAMPLE = re.compile(r"\s*(?:Example:\s*)+")
_SENSE = re.compile(r"\d{1,2}\.\s+")
_SENTENCE_END = re.compile(r"[.:?][”\"’')\]]*$")
_SEE = re.compile(r"\bSee (?:also )?(?!rules?\b|sections?\b|\d)([^.]+?)(?:\.|$)")
_OBSOLETE = " (Obsolete)"


class _Number(NamedTuple):
    """A number as it stands at the start of a line; `width` is the length of all that precedes the text."""

    chapter: str = ""
    section: str = ""
    rule: int = 0
    letter: str = ""
    width: int = 0

    @property
    def name(self) -> str:
        return f"{self.section}.{self.rule}{self.letter}" if self.rule else self.section or self.chapter

    @property
    def parents(self) -> tuple[str, ...]:
        """Names of the nodes above, nearest first."""
        rule = (f"{self.section}.{self.rule}",) if self.letter else ()
        section = (self.section,) if self.rule else ()
        return rule + section + ((self.chapter,) if self.section else ())


@dataclass
class _Draft:
    """A rule while its lines are still being read."""

    number: str
    parent: str | None
    text: str
    examples: list[str] = field(default_factory=list)

    def lengthen(self, line: str) -> None:
        """Add a continuation line to whatever came last."""
        if self.examples:
            self.examples[-1] += f"\n{line}"
        else:
            self.text += f"\n{line}"


def read(path: Path) -> Rulebook:
    """Parse the file at `path`.

    Raises:
        RulebookError: the file cannot be read or is no rulebook.
    """
    return parse(_bytes(path), name=path.name)


def effective(path: Path) -> str:
    """The effective date of the release at `path`, ISO 8601, without reading its rules.

    Raises:
        RulebookError: the file cannot be read, names no such date or is older than 2009-07-11.
    """
    return _release(decode(_bytes(path), name=path.name), path.name)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise RulebookError(f"cannot read {path}: {reason}; give a text file of the rules") from error


def parse(data: bytes, *, name: str = "rulebook") -> Rulebook:
    """The release that `data` holds, `name` being what messages call it.

    Raises:
        RulebookError: `data` is empty, of unknown encoding, no rulebook, without its keywords, or older
            than 2009-07-11.
    """
    text = decode(data, name=name)
    release = _release(text, name)
    warnings: list[str] = []
    body, entries = _regions(_LINE_END.split(text), name, warnings)
    drafts = _drafts(body, warnings)
    rules = _rules(drafts, warnings)
    terms = _terms(entries, rules, warnings)
    vocabulary = derive(rules, terms)
    if not any(keyword.action for keyword in vocabulary.keywords) or all(
        keyword.action for keyword in vocabulary.keywords
    ):
        raise RulebookError(
            f"{name} lacks the keyword actions or abilities (CR 701, 702): give the whole official text"
        )
    return Rulebook(
        release=release,
        rules=rules,
        terms=terms,
        vocabulary=vocabulary,
        warnings=tuple(warnings),
    )


def _release(text: str, name: str) -> str:
    match = _EFFECTIVE.search(text)
    if match is None:
        raise RulebookError(
            f"{name} is no text of the Comprehensive Rules: it names no effective date; "
            "give the official text file"
        )
    try:
        release = datetime.strptime(match[1], "%B %d, %Y").date().isoformat()
    except ValueError as error:
        raise RulebookError(
            f"{name} is effective as of “{match[1]}”, which is no date; correct it"
        ) from error
    if release < _FIRST:
        raise RulebookError(f"{name} is the release of {release}: give one of {_FIRST} or later")
    return release


def _regions(lines: list[str], name: str, warnings: list[str]) -> tuple[list[str], list[str]]:
    """Lines of the body and of the glossary, each between headings that the contents have too."""
    first = next((i for i, line in enumerate(lines) if re.match(r"\s*100\.\s?1\b", line)), None)
    starts = [i for i, line in enumerate(lines[:first]) if _CHAPTER.match(line)]
    if first is None or not starts:
        raise RulebookError(
            f"{name} is no text of the Comprehensive Rules: it has no rule 100.1; give the official text file"
        )
    glossary = _line("Glossary", lines, first)
    end = _line("Credits", lines, glossary or first)
    missing = [what for what, place in (("glossary", glossary), ("credits", end)) if place is None]
    if missing:
        last = next(line.strip() for line in reversed(lines) if line.strip())
        region = "glossary" if glossary else "rules"
        warnings.append(
            f"the text is incomplete: it breaks off in the {region} at “{last[:40]}”; "
            f"it has no {' and no '.join(missing)}"
        )
    return lines[starts[-1] : glossary or end], lines[glossary + 1 : end] if glossary else []


def _line(heading: str, lines: list[str], after: int) -> int | None:
    return next((i for i, line in enumerate(lines[after:], after) if line.strip() == heading), None)


def _drafts(body: list[str], warnings: list[str]) -> list[_Draft]:
    """Chapters, sections, rules and subrules in the order of the book."""
    drafts: dict[str, _Draft] = {}
    current: _Draft | None = None
    previous = _Number()
    numbers = [_number(line) for line in body]
    upcoming = _upcoming(numbers)
    for line, number, following in zip(body, numbers, upcoming, strict=True):
        if not line.strip():
            continue
        if current and (match := _EXAMPLE.match(line)):
            current.examples.append(line[match.end() :].rstrip())
        elif number is None or not _fits(number, previous, following):
            if current is None:
                continue
            if not line[0].isspace():
                warnings.append(f"{current.number} is followed by a line without a number: “{line[:40]}”")
            current.lengthen(line.strip())
        else:
            text = line[number.width :].strip()
            number = _corrected(number, previous, following, warnings)
            if number.name in drafts:
                number = _renamed(number, drafts, following, warnings)
            if number.name in drafts:
                current = drafts[number.name]
                current.lengthen(text)
                continue
            _check_order(number, previous, warnings)
            parent = next((name for name in number.parents if name in drafts), None)
            if number.parents and parent != number.parents[0]:
                warnings.append(f"{number.name} stands without {number.parents[0]}")
            current = drafts[number.name] = _Draft(number.name, parent, text)
            previous = number
    return list(drafts.values())


def _number(line: str) -> _Number | None:
    if match := _CHAPTER.match(line):
        return _Number(match[1], width=match.end())
    if match := _SECTION.match(line):
        return _Number(match[1][0], match[1], width=match.end())
    if match := _NUMBERED.match(line):
        return _Number(match[1][0], match[1], int(match[2]), match[3] or "", match.end())
    return None


def _upcoming(numbers: list[_Number | None]) -> list[_Number | None]:
    """For each line the number of the next line that has one."""
    result: list[_Number | None] = []
    following: _Number | None = None
    for number in reversed(numbers):
        result.append(following)
        following = number or following
    return result[::-1]


def _fits(number: _Number, previous: _Number, following: _Number | None) -> bool:
    """Whether the book can go on with `number`; a numbered line inside a paragraph looks like a chapter."""
    if number.section:
        return number.section >= previous.section
    return number.chapter > previous.chapter and (following is None or following.chapter == number.chapter)


def _corrected(number: _Number, previous: _Number, following: _Number | None, warnings: list[str]) -> _Number:
    """`number`, or the one that it is mistyped for, as the next line shows (505.54 before 505.4a)."""
    if following is None or number.letter or not number.section == previous.section == following.section:
        return number
    meant = number._replace(rule=following.rule if following.letter else following.rule - 1)
    if not previous.rule < meant.rule < number.rule:
        return number
    warnings.append(f"{number.name} is read as {meant.name}, since {following.name} comes next")
    return meant


def _renamed(
    number: _Number, taken: Collection[str], following: _Number | None, warnings: list[str]
) -> _Number:
    """A number that stands twice is the next one where neither the book nor the next line has that."""
    successor = number._replace(letter=next_letter(number.letter)) if number.letter else number
    free = successor.name not in taken and (following is None or successor.name != following.name)
    place = f"read as {successor.name}" if free else "kept as a further paragraph"
    warnings.append(f"{number.name} stands twice: the second is {place}")
    return successor if free else number


def _check_order(number: _Number, previous: _Number, warnings: list[str]) -> None:
    """Warn of a gap, or of a number that stands before its place."""
    if not number.rule or number.section != previous.section:
        return
    if number.letter:
        last = ordinal(previous.letter) if previous.rule == number.rule else 0
        step = ordinal(number.letter) - last
    else:
        step = number.rule - previous.rule
    if step != 1:
        fault = "out of order" if step < 1 else "after a gap"
        warnings.append(f"{number.name} stands {fault}, after {previous.name}")


def _rules(drafts: list[_Draft], warnings: list[str]) -> dict[str, Rule]:
    known = {draft.number for draft in drafts}
    titles = {draft.number: draft.text for draft in drafts if _is_heading(draft)}
    rules: dict[str, Rule] = {}
    for draft in drafts:
        title = titles.get(draft.number)
        references: dict[str, None] = {}
        for passage in (*([] if title else [draft.text]), *draft.examples):
            cited = citing(passage, known, own=draft.number)
            references |= dict.fromkeys(cited.numbers)
            _report(draft.number, cited, titles, warnings)
        rules[draft.number] = Rule(
            number=draft.number,
            title=title,
            text=None if title else draft.text,
            parent=draft.parent,
            examples=tuple(draft.examples),
            references=tuple(references),
        )
    return rules


def _is_heading(draft: _Draft) -> bool:
    """Whether the text is a heading: any chapter or section, and a rule without the end of a sentence.

    So are “Cycling”, “For Mirrodin!” and “∞ (Infinity)”.
    """
    if "." not in draft.number:
        return True
    if draft.number[-1].isalpha() or len(draft.text) > 80 or "\n" in draft.text:
        return False
    return not _SENTENCE_END.search(draft.text)


def _report(where: str, cited: Citing, titles: Mapping[str, str], warnings: list[str]) -> None:
    warnings.extend(f"{where} cites {number}, which is no rule of this release" for number in cited.dangling)
    warnings.extend(f"{where} {fault}" for fault in wrong_titles(cited, titles))


def _terms(lines: list[str], rules: Mapping[str, Rule], warnings: list[str]) -> tuple[Term, ...]:
    entries = [(block[0], block[1:]) for block in _blocks(lines)]
    if entries and not entries[-1][1]:
        entries.pop()  # the text breaks off; `_regions` has warned
    titles = {number: rule.title for number, rule in rules.items() if rule.title}
    headings = {normalize(head.removesuffix(_OBSOLETE)) for head, _ in entries}
    seen_as = {normalize(see) for _, body in entries for see in _see(body)}
    names = [_names(head.removesuffix(_OBSOLETE), headings, seen_as) for head, _ in entries]
    by_name = {normalize(name).casefold(): name for group in names for name in group}
    terms = []
    for (head, body), group in zip(entries, names, strict=True):
        cited = citing("\n".join(body), rules)
        _report(f"glossary “{group[0]}”", cited, titles, warnings)
        see: dict[str, None] = {}
        for wanted in _see(body):
            targets = _targets(wanted, by_name)
            if not targets:
                warnings.append(f"glossary “{group[0]}” points to “{wanted}”, which is no entry")
            see |= dict.fromkeys(targets)
        terms.append(
            Term(
                names=group,
                senses=_senses(body),
                references=cited.numbers,
                see=tuple(see),
                obsolete=head.endswith(_OBSOLETE),
            )
        )
    return tuple(terms)


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        if line.strip():
            block.append(line.strip())
        elif block:
            yield block
            block = []
    if block:
        yield block


def _names(head: str, headings: set[str], seen_as: set[str]) -> tuple[str, ...]:
    """The names of an entry, several where commas part them.

    A comma belongs to the name itself where another entry points to the whole, or where a part alone is
    an entry of its own (“Active Player, Nonactive Player Order”).
    """
    whole = head.strip()
    parts = [part.strip(" ,") for part in re.split(r",[”\"]?\s+", whole)]
    if (
        len(parts) > 1
        and normalize(whole) not in seen_as
        and not any(normalize(p) in headings for p in parts)
    ):
        return tuple(_unquoted(part) for part in parts)
    return (_unquoted(whole),)


def _unquoted(name: str) -> str:
    """`name` without quotation marks around the whole of it."""
    if name[:1] in '“"' and not re.search(r"[“”\"]", name[1:-1]):
        return name.strip('“”" ,')
    return name


def _senses(body: list[str]) -> tuple[str, ...]:
    """Numbered senses, each with what stands before the next; a body without numbers is one sense."""
    senses: list[str] = []
    for line in body:
        match = _SENSE.match(line)
        if match or not senses:
            senses.append(line[match.end() :] if match else line)
        else:
            senses[-1] += f"\n{line}"
    return tuple(senses)


def _see(body: list[str]) -> list[str]:
    return [match[1].strip('“”" ,') for line in body for match in _SEE.finditer(line)]


def _targets(wanted: str, by_name: Mapping[str, str]) -> tuple[str, ...]:
    """Entries that “See `wanted`.” points to: one, a list of them, or the singular of a plural."""
    whole = _entry(wanted, by_name)
    if whole:
        return (whole,)
    parts = [_entry(part, by_name) for part in re.split(r",? and |, ", wanted)]
    return tuple(part for part in parts if part) if all(parts) else ()


def _entry(name: str, by_name: Mapping[str, str]) -> str | None:
    key = normalize(name).casefold()
    return by_name.get(key) or by_name.get(key.removesuffix("s"))
