"""Abilities to citations: every rule that an ability or a face invokes, with the words that prove it.

A face comes in, the same face with abilities and citations goes out; a pure function of the face, the
rulebook and the catalogue. Each distinct (ability, rule, relation) is cited once, at its first place
outside reminder text if it has one. A longer keyword, action or ability-word name beats a shorter one
inside it; a phrase never suppresses a term.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from msgspec import Struct, structs

from ..abilities.keywords import read_keywords
from ..abilities.kinds import delayed_events, frame_of
from ..abilities.lexicon import Form, Lexicon, surfaces
from ..abilities.masking import Scan, blank, scan, within
from ..abilities.segment import read
from ..model import Ability, Card, Citation, Face, Relation, Rulebook, Span
from ..sources.rulings import stated
from .anchors import Fallback, resolve
from .catalogue import Entry, load_catalogue
from .glossary import PREFIX, glossary_entries
from .inflection import action_pattern
from .keyword_context import Reading, is_attribute, relation_of, same_run, says_likewise
from .prefilter import Prefilter, words_of

__all__ = ["CitedEntry", "Linker", "anchors_of"]

_ABILITY_EFFECT = "effect.ability"  # the entry that a keyword's being given or taken away is cited by
_ABILITY_WORD = "Text Box/207.2c: ability word"
_COUNTER = "Counters/122.1: counter is a marker"
_COMPETING = {"keyword", "keyword_action", "zone", "turn_part", "defined_term"}
_NAMES = {*_COMPETING, "card_type", "has_keyword", "grants_keyword", "loses_keyword", "mentions_keyword"}
_REACH = 1000  # characters before a match that its context is read from; no card's sentence is as long
_COUNTERS = re.compile(r" counters?\b")
_TOKENS = r" (?:artifact )?tokens?\b| and [A-Z]\w+ tokens?\b|(?:, [A-Z]\w+)*,? or (?:an? )?[A-Z]\w+ tokens?\b"
_SENTENCE_END = re.compile(r"[.!?:](?=[\s\"')]|$)|\n|[\"“”]")


class CitedEntry(Struct, frozen=True):
    """A catalogue entry as it stands in one release: what the graph says of `entry:` nodes."""

    id: str
    relation: str
    anchor: str
    note: str
    rule: str | None


class _Hit(Struct, frozen=True):
    """A pattern found; `ability` is an index into the abilities."""

    relation: str
    rules: tuple[str, ...]
    entry: str
    start: int
    end: int
    ability: int
    conditional: bool = False


class Linker:
    """Links faces against one rulebook and one catalogue.

    rulebook: with words, or an outline, which links the same.
    catalogue: entries; default: those that ship with the project.

    `rulebook` carries the resolved anchors, `fallbacks` says which did not resolve, `entries` lists what can
    be cited.
    """

    def __init__(self, rulebook: Rulebook, catalogue: Iterable[Entry] | None = None) -> None:
        entries = load_catalogue() if catalogue is None else tuple(catalogue)
        resolution = resolve(rulebook, anchors_of(entries))
        self.rulebook = structs.replace(rulebook, anchors=resolution.numbers)
        self.fallbacks: tuple[Fallback, ...] = resolution.fallbacks
        self._rules = {
            entry.id: tuple(n for anchor in entry.anchors if (n := resolution.numbers[anchor]) is not None)
            for entry in entries
        }
        forms = [
            Form(
                entry.keyword,
                self._rules[entry.id][0],
                entry.id,
                entry.pattern,
                entry.literals,
                bool(entry.kinds),
            )
            for entry in entries
            if entry.relation == "keyword" and entry.keyword is not None and self._rules[entry.id]
        ]
        self.lexicon = Lexicon(rulebook.vocabulary, forms)
        self._forms = Prefilter(self.lexicon.forms)
        self._ability_effect = next((e for e in entries if e.id == _ABILITY_EFFECT), None)
        self._counter_keywords = frozenset(name.lower() for name in rulebook.vocabulary.counters)
        actions = self._actions(entries)
        words = self._vocabulary_entries()
        made = [*entries, *actions, *words]
        # What a shipped entry reads is no term of the glossary, even where one's own takes its place.
        read = [*made, *load_catalogue()] if catalogue is not None else made
        for entry, rule in list(glossary_entries(self.rulebook, read)):
            self._rules[entry.id] = (rule,)
            made.append(entry)
        cited = [e for e in made if e.relation != "keyword" and self._rules[e.id]]
        self._text_entries = Prefilter([e for e in cited if e.field == "oracle_text"])
        self._face_entries = [e for e in cited if e.field != "oracle_text"]
        self._face_citations = lru_cache(4096)(self._read_face)  # faces share their type lines
        self._titles = {number: _title(rulebook, number) for number in rulebook.rules}
        self.entries = tuple(
            sorted(
                (
                    CitedEntry(
                        e.id, e.relation, "; ".join(e.anchors), e.note, (self._rules[e.id] or (None,))[0]
                    )
                    for e in made
                ),
                key=lambda e: e.id,
            )
        ) + tuple(
            CitedEntry(form.entry, "keyword", f"Keyword Abilities/{form.keyword}", "", form.rule)
            for form in self.lexicon.forms
            if form.entry not in self._rules
        )

    def _actions(self, entries: tuple[Entry, ...]) -> list[Entry]:
        """An entry for each keyword action that the shipped catalogue has none for, with every inflection."""
        covered = {
            rule
            for e in entries
            if e.relation == "keyword_action" and not e.added
            for rule in self._rules[e.id]
        }
        names = {k.name for k in self.rulebook.vocabulary.keywords if k.action and k.rule in covered}
        made = []
        for keyword in self.rulebook.vocabulary.keywords:
            if not keyword.action or keyword.rule in covered or keyword.variant_of in names:
                continue
            for words in surfaces(keyword):
                pattern, literals = action_pattern(words)
                entry = Entry(
                    id="action." + re.sub(r"[^a-z0-9]+", "-", words).strip("-"),
                    relation="keyword_action",
                    anchors=(f"Keyword Actions/{keyword.name}",),
                    pattern=re.compile(pattern),
                    literals=literals,
                )
                if entry.id not in self._rules:  # else the catalogue's own takes its place
                    self._rules[entry.id] = (keyword.rule,)
                    made.append(entry)
        return made

    def _vocabulary_entries(self) -> list[Entry]:
        """Entries for ability words, predefined tokens and counter kinds, which the rulebook names."""
        vocabulary = self.rulebook.vocabulary
        made = []
        if words := vocabulary.ability_words:
            rule = self.rulebook.anchors.get(_ABILITY_WORD)
            if rule:
                names = "|".join(
                    re.escape(w.lower().replace("’", "'")) for w in sorted(words, key=len, reverse=True)
                )
                made.append(("term.ability-word", rf"(?<![\w-])(?:{names})(?: \d+)?(?= — )", (" — ",), rule))
        for name, rule in vocabulary.tokens.items():
            plural = re.escape(name)
            pattern = rf"(?<![\w-]){plural}(?={_TOKENS})"
            made.append((f"token.{_slug(name)}", pattern, (name.lower(),), rule))
        counters = self.rulebook.anchors.get(_COUNTER) or "-"
        for name, rule in vocabulary.counters.items():
            if not rule.startswith(counters):
                continue  # named by a keyword that uses it, which does not define the kind
            lowered = name.lower().replace("−", "-")
            pattern = rf"(?<![\w+/-]){re.escape(lowered)} counters?\b"
            made.append((f"counter.{_slug(lowered)}", pattern, (f"{lowered} counter",), rule))
        entries = []
        for ident, pattern, literals, rule in made:
            if ident in self._rules:
                continue  # the catalogue's own takes its place
            self._rules[ident] = (rule,)
            entries.append(
                Entry(
                    id=ident,
                    relation="defined_term",
                    anchors=(rule,),
                    pattern=re.compile(pattern),
                    literals=literals,
                )
            )
        return entries

    def link_card(self, card: Card) -> Card:
        """The card with every face linked, and every ruling with the rules that it states."""
        rulings = tuple(structs.replace(each, rules=stated(each, [self.rulebook])) for each in card.rulings)
        faces = tuple(self.link(face, card.layout) for face in card.faces)
        return structs.replace(card, faces=faces, rulings=rulings)

    def link(self, face: Face, layout: str = "normal") -> Face:
        """The face, which is of a card of this layout, with its abilities and citations."""
        scanned = scan(face, self.lexicon.terms)
        abilities = read(face, scanned, self.lexicon)
        text = face.oracle_text or ""
        per_ability: dict[int, list[_Hit]] = defaultdict(list)
        for hit in self._hits(face, scanned, abilities):
            per_ability[hit.ability].append(hit)
        linked = tuple(
            structs.replace(ability, citations=self._cite(per_ability.get(i, ()), ability, text, scanned))
            for i, ability in enumerate(abilities)
        )
        return structs.replace(
            face, abilities=linked, citations=self._face_citations(face.type_line, face.mana_cost, layout)
        )

    def _hits(self, face: Face, scanned: Scan, abilities: tuple[Ability, ...]) -> list[_Hit]:
        if not abilities:
            return []
        owner = _owners(abilities, len(scanned.text))
        frame = "spell" if frame_of(face).spell else "permanent"
        names = tuple(
            (a, b) for a, b in scanned.labels if not self.lexicon.is_keyword_label(scanned.text[a:b])
        )
        lowered = scanned.text.lower()
        words = words_of(lowered)
        hits = [
            *self._keyword_hits(scanned, abilities, owner, names, self._forms(lowered, words)),
            *self._pattern_hits(
                scanned.text,
                abilities,
                owner,
                frame,
                names,
                delayed_events(scanned.spoken, abilities, owner),
                self._text_entries(lowered, words),
            ),
        ]
        return _without_known(_survivors(hits))

    def _pattern_hits(
        self,
        text: str,
        abilities: tuple[Ability, ...],
        owner: list[int],
        frame: str,
        labels: tuple[Span, ...],
        delayed: list[Span],
        entries: list[Entry],
    ) -> Iterable[_Hit]:
        kinds = {ability.kind for ability in abilities}
        for entry in entries:
            if entry.kinds and kinds.isdisjoint(entry.kinds):
                continue
            find = entry.pattern.finditer
            matches: Iterable[re.Match[str]]
            if entry.parts:
                spans = _part_spans(abilities, entry.parts)
                if "event" in entry.parts:
                    spans += delayed
                matches = (m for a, b in spans for m in find(text, a, b))
            elif entry.relation == "ability_kind":
                spans = [(a.start, a.end) for a in abilities if a.kind in entry.kinds]
                matches = (m for a, b in spans for m in find(text, a, b))
            else:
                matches = find(text)
            for match in matches:
                start, end = match.span(match.lastgroup or 0)
                if start < 0 or start >= end or (index := owner[start]) < 0:
                    continue
                ability = abilities[index]
                if (
                    entry.frame is not None
                    and (frame if not ability.granted and ability.parent is None else "permanent")
                    != entry.frame
                ):
                    continue
                if entry.kinds and ability.kind not in entry.kinds:
                    continue
                if entry.relation == "keyword_action" and _COUNTERS.match(text, end):
                    continue  # a kind of counter
                if not entry.allowed(text[max(ability.start, start - _REACH) : start]):
                    continue
                if entry.relation == "ability_kind" and ability.kind != "keyword":
                    if within(labels, start):
                        label_end = labels[bisect_right(labels, (start, sys.maxsize)) - 1][1] + 3
                        start = label_end if label_end < end else start
                elif (
                    entry.relation != "ability_kind"
                    and entry.id != "term.ability-word"
                    and within(labels, start)
                ):
                    continue
                start, end = _trimmed(text, start, min(end, ability.end))
                if start >= end:
                    continue
                yield _Hit(entry.relation, self._rules[entry.id], entry.id, start, end, index)

    def _keyword_hits(
        self,
        scanned: Scan,
        abilities: tuple[Ability, ...],
        owner: list[int],
        labels: tuple[Span, ...],
        forms: list[Form],
    ) -> Iterable[_Hit]:
        text = scanned.text
        printed: set[int] = set()  # where the names of keyword abilities begin
        for index, ability in enumerate(abilities):
            if ability.kind != "keyword":
                continue
            for a, b, form in self._printed(ability, scanned):
                printed.add(a)
                granted = ability.granted
                held = ability.parent is not None and not granted
                relation: Relation = "grants_keyword" if granted else "has_keyword"
                yield _Hit(relation, (form.rule,), form.entry, a, b, index, held)
        found = []
        for form in forms:
            for match in form.pattern.finditer(text):
                a, b = match.span()
                if owner[a] >= 0 and a not in printed and not within(labels, a):
                    found.append((a, b, form))
        found.sort(key=lambda item: (item[0], -item[1]))
        bare = blank(scanned.spoken, scanned.quotes) if found else ""
        runs: dict[int, tuple[int, Reading]] = {}  # of each ability, where the last one ends
        given: dict[int, Reading] = {}  # of each ability, the last that was not only a mention
        reach = -1
        for a, b, form in found:
            if a < reach:
                continue
            reach = b
            index = owner[a]
            ability = abilities[index]
            if _COUNTERS.match(text, b) and text[a:b] not in self._counter_keywords:
                continue
            view = bare if bare[a] == text[a] and not ability.granted else text
            end, reading = runs.get(index, (a, None))
            joined = reading is not None and a - end < 400 and same_run(view[end:a])
            if reading is not None and joined and not is_attribute(text[b : b + 20]):
                reading = structs.replace(reading, verb=None)
            elif ability.granted and a == ability.start and not is_attribute(text[b : b + 20]):
                reading = Reading("grants_keyword")
            else:
                low = max(ability.start, a - _REACH)
                high = a - (view[a - 1 : a] == '"')  # a quotation that is no ability of its own
                begin = max((m.end() for m in _SENTENCE_END.finditer(view, low, high)), default=low)
                static = ability.kind.startswith("static") and not ability.granted
                sentence = view[begin:high].lstrip()
                reading = relation_of(
                    sentence,
                    view[b : min(ability.end, b + _REACH)],
                    before=view[low:begin],
                    static=static,
                    held=ability.parent is not None,
                )
                if index in given and says_likewise(sentence):
                    reading = structs.replace(given[index], verb=None)
                verb = high - len(sentence) + (reading.verb or 0)
                effect = self._ability_effect
                if (
                    reading.verb is not None
                    and effect is not None
                    and effect.allowed(text[max(ability.start, verb - _REACH) : verb])
                ):
                    yield _Hit("effect", self._rules[effect.id], effect.id, verb, b, index)
            if form.entry.count(".") > 1:  # a verb or participle only refers to the keyword
                reading = Reading("mentions_keyword")
            runs[index] = (b, reading)
            if reading.relation != "mentions_keyword":
                given[index] = reading
            yield _Hit(reading.relation, (form.rule,), form.entry, a, b, index, reading.conditional)

    def _printed(self, ability: Ability, scanned: Scan) -> Iterable[tuple[int, int, Form]]:
        """Where the name of a keyword ability stands in its own text."""
        text = scanned.text
        body = ability.start
        labels = scanned.labels
        for a, b in labels[bisect_left(labels, (body,)) :]:
            if a >= body + 12 or a >= ability.end:
                break
            if not self.lexicon.is_keyword_label(text[a:b]):
                body = b + 3
        match = self.lexicon.keyword_at(text[body : ability.end])
        if match is not None and match.form.keyword == ability.keyword:
            yield body, body + match.end, match.form
            return
        lines = read_keywords(scanned, text, (body, ability.end), self.lexicon)
        for line in lines:
            yield line.start, line.name_end, line.form
        if not lines and ability.keyword is not None:
            for form in self.lexicon.forms:
                if form.keyword == ability.keyword:
                    yield body, ability.end, form  # "from red" in "protection from black and from red"
                    return

    def _cite(self, hits: Iterable[_Hit], ability: Ability, text: str, scanned: Scan) -> tuple[Citation, ...]:
        chosen: dict[tuple[str, str], Citation] = {}
        for hit in sorted(hits, key=lambda h: (h.start, h.end, h.entry)):
            reminder = within(scanned.reminders, hit.start)
            if reminder and hit.relation == "ability_kind":
                reminder = False
            for rule in hit.rules:
                key = (rule, hit.relation)
                old = chosen.get(key)
                if old is not None and not (old.in_reminder and not reminder):
                    continue
                chosen[key] = Citation(
                    rule=rule,
                    title=self._titles.get(rule),
                    relation=cast(Relation, hit.relation),
                    field="oracle_text",
                    start=hit.start,
                    end=hit.end,
                    quote=text[hit.start : hit.end],
                    in_reminder=reminder,
                    granted=ability.granted,
                    conditional=hit.conditional,
                    entry=hit.entry,
                )
        return tuple(sorted(chosen.values(), key=lambda c: (c.start, c.end, c.rule, c.relation)))

    def _read_face(self, type_line: str | None, mana_cost: str | None, layout: str) -> tuple[Citation, ...]:
        """The citations of a face from its type line, its mana cost and the layout of its card."""
        chosen: dict[tuple[str, str], Citation] = {}
        for entry in self._face_entries:
            value = type_line if entry.field == "type_line" else mana_cost
            if not value or (entry.layouts and layout not in entry.layouts):
                continue
            match = entry.pattern.search(value)
            if match is None:
                continue
            start, end = match.span(match.lastgroup or 0)
            for rule in self._rules[entry.id]:
                chosen.setdefault(
                    (rule, entry.relation),
                    Citation(
                        rule=rule,
                        title=self._titles.get(rule),
                        relation=cast(Relation, entry.relation),
                        field=entry.field,
                        start=start,
                        end=end,
                        quote=value[start:end],
                        entry=entry.id,
                    ),
                )
        return tuple(sorted(chosen.values(), key=lambda c: (c.field, c.start, c.end, c.rule, c.relation)))


def anchors_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Every anchor that linking with these entries needs."""
    return (*(anchor for entry in entries for anchor in entry.anchors), _ABILITY_WORD, _COUNTER)


def _slug(name: str) -> str:
    spelled = re.sub(r"([+-])(?=\d)", lambda m: "plus-" if m[1] == "+" else "minus-", name.lower())
    return re.sub(r"[^a-z0-9]+", "-", spelled).strip("-")


def _title(rulebook: Rulebook, number: str) -> str | None:
    rule = rulebook.rules.get(number)
    while rule is not None and rule.title is None and rule.parent is not None:
        rule = rulebook.rules.get(rule.parent)
    return rule.title if rule is not None else None


def _owners(abilities: tuple[Ability, ...], length: int) -> list[int]:
    """For each offset the index of the innermost ability there, -1 for none."""
    owner = [-1] * (length + 1)
    for index, ability in enumerate(abilities):
        owner[ability.start : ability.end] = [index] * (ability.end - ability.start)
    return owner


def _part_spans(abilities: tuple[Ability, ...], names: tuple[str, ...]) -> list[Span]:
    """Where the named parts of the abilities stand; the cost with its colon."""
    spans = []
    for ability in abilities:
        for name in names:
            span: Span | None = getattr(ability.parts, name)
            if span is not None:
                spans.append((span[0], span[1] + (name == "cost")))
    return spans


def _trimmed(text: str, start: int, end: int) -> Span:
    """The span without the spaces at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _survivors(hits: list[_Hit]) -> list[_Hit]:
    """Without the terms that stand inside a longer keyword, action or ability-word name."""
    longest: dict[int, int] = {}  # offset -> end of the longest name that covers it
    lengths: dict[int, int] = {}
    for hit in hits:
        if not (
            hit.relation.endswith("_keyword")
            or hit.relation == "keyword_action"
            or hit.entry == "term.ability-word"
        ):
            continue
        length = hit.end - hit.start
        for at in range(hit.start, hit.end):
            if length > lengths.get(at, 0):
                lengths[at], longest[at] = length, hit.end
    return [
        hit
        for hit in hits
        if not (hit.relation in _COMPETING or hit.relation.endswith("_keyword"))
        or lengths.get(hit.start, 0) <= hit.end - hit.start
        or longest[hit.start] < hit.end
    ]


def _without_known(hits: list[_Hit]) -> list[_Hit]:
    """Without the glossary's terms inside a longer name or where the same words cite as fine a rule."""
    return [
        hit
        for hit in hits
        if not hit.entry.startswith(PREFIX)
        or not any(_knows(other, hit) for other in hits if other.start < hit.end and hit.start < other.end)
    ]


def _knows(other: _Hit, term: _Hit) -> bool:
    around = other.start <= term.start and term.end <= other.end
    if other.entry.startswith(PREFIX):
        return around and other.end - other.start > term.end - term.start
    if around and other.relation in _NAMES:
        return True
    return any(re.match(rf"{re.escape(term.rules[0])}(?!\d)", rule) for rule in other.rules)
