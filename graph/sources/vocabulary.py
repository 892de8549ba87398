"""What a rulebook names, derived from its words: keywords with variants and natures, ability words,
subtypes, predefined tokens, counters. Only the phrases with which the rules introduce them are typed in.

Keywords are the headings of the sections “Keyword Actions” (CR 701) and “Keyword Abilities” (CR 702). A
variant is what a subrule calls one (CR 702.29e), what it defines by a name of its own (CR 702.124m), a part
of a heading with two names (CR 702.145), or a glossary entry that only says “See …” (the landwalks).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from ..model import Keyword, Rule, Term, Vocabulary
from .wording import normalize, strip_marks

__all__ = ["derive"]

_ACTIONS, _ABILITIES, _COUNTERS = "keyword actions", "keyword abilities", "counters"
_NATURES = ("static", "triggered", "activated", "spell")

_Q = '[“"]'
_END = '[”"]'
_QUOTED = re.compile(rf"{_Q}([^“”\"]+){_END}")
_CALLED = re.compile(
    rf"{_Q}?(?P<name>[^.“”\"]{{3,60}}?){_END}? is a"
    r"(?: (?:special|generic))? (?:variant|form|version) of (?:the )?"
)
_REPRESENTS = re.compile(
    r"(?P<name>[^.“”\"]{3,40}?) is a keyword ability that represents an? [\w ]+? ability"
)
_DEFINED = re.compile(rf"{_Q}(?P<name>[^”\"]+){_END} (?:means {_Q}|represents )")
_LISTED = re.compile(rf"The {_Q}[^”\"]+{_END} abilities are (?P<list>.+?\.(?:{_END}|(?=\s|$)))")
_SEE_ONLY = re.compile(rf"See {_Q}?(?P<name>[^.”\"]+)\.{_END}?")

_DELAYED = re.compile(r"(?:delayed|reflexive) triggered abilit")
_SAYS = re.compile(r"\b(?:is|are|represents?|first|second|third|fourth|both)\b")
_NATURE = re.compile(
    r"\b(static|triggered|activated|spell) abilit"
    r"|\b(?:evasion|characteristic-defining) abilit|\breplacement effect"  # static: CR 509.1b, 604.3, 614.1
)
_MEANS = re.compile(rf"\bmeans? {_Q}(.+)")
_SENTENCE = re.compile(r"(?:(?<=\.)|(?<=\.[”\")]))\s+")

_WORDS = re.compile(r"The ability words are (?P<list>[^.]+)\.")
_SUBTYPES = re.compile(
    r"(?:[Tt]he (?P<kind>\w+) types are|(?:That|The only) (?P<one>\w+) type (?:at this time )?is) "
    r"(?P<list>.+?)\.(?=\s|$)"
)
_SPECIAL = re.compile(r"One (?P<kind>\w+) type is two words long: (?P<list>[^.]+)\.")
_REST = re.compile(r"All other (?P<kind>\w+) types are one word long: (?P<list>.+?)\.(?=\s|$)")
_CREATE = re.compile(r"create a predefined token")
_TOKEN = re.compile(r"An? (?P<name>.+?) token is ")
_PT_COUNTER = re.compile(r"(?<![\w/])([+-]\d+/[+-]\d+) counters?\b")
_LETTERED = re.compile(r"(?:\b(?:more|of)|^An?) ([a-z]+) counters?\b")
_SYMBOL = re.compile(r"represents (?:one|an?) ([a-z]+) counter\b")
_PUT = re.compile(r"\b(?:[Pp]uts?|with) (?:an?|N|a number of) ([a-z]+) counters?\b")
_KEYWORD_COUNTERS = re.compile(r"keywords that a keyword counter can be are (?P<list>.+?), as well as")


def derive(rules: Mapping[str, Rule], terms: tuple[Term, ...]) -> Vocabulary:
    """The vocabulary of the release that `rules` and `terms` are."""
    children: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules.values():
        if rule.parent:
            children[rule.parent].append(rule)
    return Vocabulary(
        keywords=tuple(_keywords(rules, children, terms)),
        ability_words=_ability_words(rules),
        subtypes=_subtypes(rules),
        tokens=_tokens(rules, children),
        counters=_counters(rules, children),
    )


def _section(rules: Mapping[str, Rule], title: str) -> Rule | None:
    return next(
        (r for r in rules.values() if r.title and len(r.number) == 3 and normalize(r.title).lower() == title),
        None,
    )


def _keywords(
    rules: Mapping[str, Rule], children: Mapping[str, list[Rule]], terms: tuple[Term, ...]
) -> Iterator[Keyword]:
    pointing = _pointing(terms)
    for title in (_ACTIONS, _ABILITIES):
        section = _section(rules, title)
        for rule in children[section.number] if section else ():
            if rule.title is not None:
                yield from _family(rule, children[rule.number], pointing, action=title == _ACTIONS)


def _family(
    heading: Rule, subrules: list[Rule], pointing: Mapping[str, list[str]], *, action: bool
) -> Iterator[Keyword]:
    """The keyword of a heading, then its variants."""
    name = strip_marks(heading.title or "")
    variants = {_key(name): (name, heading.number)}
    for variant, number in _variants(name, subrules, action=action):
        variants.setdefault(_key(variant), (variant, number or heading.number))
    own = [r for r in subrules if r.number not in {number for _, number in variants.values()}]
    nature = () if action else _natures(name, own) or _natures(name, subrules)
    for variant, number in variants.values():
        defining = [r for r in subrules if r.number == number]
        of = nature if action or variant == name else _natures(variant, defining) or nature
        above = None if variant == name else name
        yield Keyword(name=variant, rule=number, action=action, nature=of, variant_of=above)
        for further in pointing.get(_key(variant), ()):
            if _key(further) not in variants:
                yield Keyword(name=further, rule=number, action=action, nature=of, variant_of=variant)


def _key(name: str) -> str:
    return normalize(name).lower()


def _pointing(terms: tuple[Term, ...]) -> dict[str, list[str]]:
    """Names of the glossary entries that say nothing but “See X.”, by X."""
    result: dict[str, list[str]] = defaultdict(list)
    for term in terms:
        if len(term.senses) == 1 and not term.obsolete and (match := _SEE_ONLY.fullmatch(term.senses[0])):
            result[_key(match["name"])].extend(term.names)
    return result


def _variants(name: str, subrules: list[Rule], *, action: bool) -> Iterator[tuple[str, str | None]]:
    """Names of the variants of the keyword `name`, each with the subrule that defines it, if one does."""
    for part in name.split(" and ") if " and " in name else ():
        begins = re.compile(rf"(?:{_Q}|To )?{re.escape(part)}\b(?! and )", re.IGNORECASE)
        yield part, next((r.number for r in subrules if r.text and begins.match(r.text)), None)
    for rule in subrules:
        text = strip_marks(rule.text or "")
        match = _CALLED.match(text)
        if match is None and not action:
            match = _REPRESENTS.match(text) or _DEFINED.match(text)
        if match is None:
            continue
        called = _bare(match["name"], name, subrules[0].text or "")
        if called:
            yield called, rule.number
        for listed in _LISTED.finditer(text):
            for quoted in _QUOTED.finditer(listed["list"]):
                yield _capitalized(quoted[1].strip(" ,.")), rule.number


def _bare(called: str, name: str, written: str) -> str | None:
    """`called` without its placeholders, or with them where only they tell it from the keyword itself.

    “Hexproof from [quality]” is “Hexproof from”; “Devour [quality]” stays, and so does “Protection from [a
    player]”, since all protection is `written` “Protection from [quality]”; “Connive N” and “Boast — [Cost]”
    are no names of their own.
    """
    bare = called.strip('“”"').split("[")[0].rstrip(" —-–").removesuffix(" N")
    if not bare:
        return None
    if _key(bare) in {_key(name), _key(name).split(" (")[0], *_key(name).split(" and ")}:
        return called if re.fullmatch(r"[^\[]+ \[(?:quality|type)\]", called) else None
    if re.search(rf"{_Q}{re.escape(bare)} \[", written):
        return called
    return _capitalized(bare)


def _capitalized(name: str) -> str:
    return name[:1].upper() + name[1:]


def _natures(name: str, subrules: list[Rule]) -> tuple[str, ...]:
    """Natures of a keyword ability: as the rule says, else as the abilities that it stands for show."""
    stated: set[str] = set()
    meant: set[str] = set()
    parts = "|".join(re.escape(part) for part in {name, *name.split(" and "), name.split(" (")[0]})
    subject = re.compile(
        rf"(?:An? )?{_Q}?(?:{parts})|(?:It|One|Together|They|The (?:first|second|third|fourth))\b",
        re.IGNORECASE,
    )
    for rule in subrules:
        text = _DELAYED.sub("", strip_marks(rule.text or ""))
        if not subject.match(text) and rule is not subrules[0]:
            continue
        for sentence in _SENTENCE.split(text):
            if not subject.match(sentence):
                continue
            if match := _MEANS.search(sentence):
                meant.update(
                    _nature_of(ability) for ability in re.split(rf"{_END},? (?:and )?{_Q}", match[1])
                )
            outside = _QUOTED.sub("", sentence)
            if _SAYS.search(outside):
                stated.update(found[1] or "static" for found in _NATURE.finditer(outside))
    return tuple(nature for nature in _NATURES if nature in (stated or meant))


def _nature_of(ability: str) -> str:
    if re.match(r"(?:When|Whenever|At)\b", ability):
        return "triggered"
    return "activated" if re.match(r"[^.“”\"]+: ", ability) else "static"


def _listed(text: str) -> tuple[str, ...]:
    """Members of “a, b (see rule 1), and c”."""
    plain = re.sub(r"\s*\([^)]*\)", "", strip_marks(text))
    return tuple(part for part in (p.strip() for p in re.split(r",\s+and\s+|,\s+|\s+and\s+", plain)) if part)


def _ability_words(rules: Mapping[str, Rule]) -> tuple[str, ...]:
    match = next((m for r in rules.values() if r.text and (m := _WORDS.search(r.text))), None)
    return _listed(match["list"]) if match else ()


def _subtypes(rules: Mapping[str, Rule]) -> dict[str, tuple[str, ...]]:
    result: dict[str, tuple[str, ...]] = {}
    parents = {r.number for r in rules.values() if r.title == "Subtypes"}
    for rule in rules.values():
        if rule.parent not in parents or not rule.text:
            continue
        for pattern in (_SPECIAL, _REST, _SUBTYPES):
            if match := pattern.search(rule.text):
                groups = match.groupdict()
                kind = groups["kind"] or groups["one"]
                result[kind] = result.get(kind, ()) + _listed(match["list"])
    return result


def _tokens(rules: Mapping[str, Rule], children: Mapping[str, list[Rule]]) -> dict[str, str]:
    above = next((r.number for r in rules.values() if r.text and _CREATE.search(r.text)), None)
    found = ((_TOKEN.match(r.text or ""), r.number) for r in (children[above] if above else ()))
    return {match["name"]: number for match, number in found if match}


def _counters(rules: Mapping[str, Rule], children: Mapping[str, list[Rule]]) -> dict[str, str]:
    """Kinds of counter: those that the section on counters defines, those of symbols, those that rules put.

    The rule of one that is only put somewhere is the first to name it in the section that names it most.
    """
    texts = [(r.number, normalize(r.text)) for r in rules.values() if r.text and "counter" in r.text]
    section = _section(rules, _COUNTERS)
    under = (
        {r.number for rule in children[section.number] for r in children[rule.number]} if section else set()
    )
    result: dict[str, str] = {}
    for number, text in texts:
        if number not in under:
            continue
        kinds: set[str] = set()
        if "+X/+Y counter" in text:
            kinds = {match[1] for _, other in texts for match in _PT_COUNTER.finditer(other)}
        elif match := _KEYWORD_COUNTERS.search(text):
            kinds = set(_listed(match["list"]))
        elif match := _LETTERED.search(text):
            kinds = {match[1]}
        result |= dict.fromkeys(sorted(kinds - result.keys()), number)
    for number, text in texts:
        for match in _SYMBOL.finditer(text):
            result.setdefault(match[1], number)
    for kind in sorted({match[1] for _, text in texts for match in _PUT.finditer(text)} - result.keys()):
        naming = [number for number, text in texts for _ in range(text.count(f"{kind} counter"))]
        section_of = Counter(number.partition(".")[0] for number in naming)
        result[kind] = next(n for n in naming if n.startswith(section_of.most_common(1)[0][0] + "."))
    return result
