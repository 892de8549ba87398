"""Oracle text to abilities.

A face comes in, its abilities go out, each with its span, kind, parts and parameters but without
citations. A line break ends a paragraph (CR 113.2c); a list of keywords is an ability per keyword
(CR 702.16g, 702.11f, 702.33b); bullets, die-roll rows, modes and tiers belong to the ability above them; a
quotation is a granted ability; leveler, Station and Class bars hold what follows them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from msgspec import structs

from ..model import Ability, Face, Kind, Parts, Span
from .keywords import KeywordLine, parameters, read_keywords
from .kinds import DIE_ROW, Frame, classify, find_parts, frame_of
from .lexicon import Lexicon
from .masking import GAP, Scan, blank, scan

__all__ = ["read", "segment"]

_ROW = re.compile(
    r"(?:[•+♦◇] |\{P\}|\{TK\}|(?:\{[^{}]+\})+ — [A-Z]"
    rf"|{DIE_ROW}|\d+(?:[—–-]\d+| or \d+)? — )"
)
_STRIATION = re.compile(r"LEVEL \d+(?:[-–]\d+|\+)")
_POWER = re.compile(r"\d+/\d+$")
_STATION = re.compile(r"(?:STATION )?(\d+\+)(?: \| |$)")
_CLASS_BAR = re.compile(r"(\{[^:\n]*\}|[^:\n]{1,40}): level (\d+)\s*(?:\(|$)")
_CASE = re.compile(r"to solve — ")
_HOLDER = re.compile(r"(?:solved|max speed)\s?— ?")
_CHAPTER = re.compile(r"(?:[ivxIVX][IVX]*)(?:, [IVX]+)* — ")
_UNKNOWN = re.compile(
    rf"""(?![^\n]*\b(?:can't|is|has|have|gains?|gets?|becomes?|attacks?|until|escapes|with)\b)
        ([a-z][A-Za-z'-]+(?:\ [A-Za-z][A-Za-z'-]*){{0,3}})
        (?:\ \+?\d+|\ [xX]|(?:\ ?—?\ ?\{{[^}}\n]+\}})+)*[\ {GAP}]*$""",
    re.X,
)
_NESTED = re.compile(r"(?<= )'([a-z{\[](?:[^\"]*?[.!](?=')|[^\"']*: [^\"']*))'(?!\w)")
_GRANTING = re.compile(r"(?:\b(?:named|word|words|phrase|says?|say|called|titled|as) |[\w-]\()$")


class _Reader:
    """Collects abilities in reading order; `number` gives the next id under a parent."""

    def __init__(self, face: Face, scanned: Scan, lexicon: Lexicon) -> None:
        self.face = face
        self.text = face.oracle_text or ""
        self.scan = scanned
        self.lexicon = lexicon
        self.frame: Frame = frame_of(face)
        self.abilities: list[Ability] = []
        self._counts: dict[str | None, int] = {}
        # What classifies, neither reminder text nor quotations, and where it begins in the oracle text.
        self._view = blank(scanned.spoken, scanned.quotes)
        self._base = 0

    def add(
        self,
        span: Span,
        parent: str | None,
        granted: bool,
        kind: Kind,
        *,
        keyword: str | None = None,
        parameters: Mapping[str, str | int] | None = None,
        ability_word: str | None = None,
        parts: Parts | None = None,
    ) -> Ability:
        count = self._counts[parent] = self._counts.get(parent, 0) + 1
        start, end = span
        ability = Ability(
            id=f"{parent or self.face.number}.{count}",
            parent=parent,
            kind=kind,
            text=self.text[start:end],
            start=start,
            end=end,
            keyword=keyword,
            parameters=parameters or {},
            ability_word=ability_word,
            granted=granted,
            parts=parts or Parts(),
        )
        self.abilities.append(ability)
        return ability

    def bare(self, start: int, end: int) -> str:
        """What classifies of a span of the oracle text."""
        return self._view[start - self._base : end - self._base]

    def read_face(self) -> None:
        holder: str | None = None
        paragraphs = list(_paragraphs(self.text))
        i = 0
        while i < len(paragraphs):
            start, end = paragraphs[i]
            line = self.scan.text[start:end]
            last = i + 1
            if _STRIATION.match(self.text[start:end]):
                if last < len(paragraphs) and _POWER.match(self.text[slice(*paragraphs[last])]):
                    end = paragraphs[last][1]
                    last += 1
                holder = self.add((start, end), None, False, "static").id
            elif self.frame.station and (bar := _STATION.match(self.text[start:end])):
                head = start + bar.end(1)
                if last < len(paragraphs) and _POWER.match(self.text[slice(*paragraphs[last])]):
                    head = paragraphs[last][1]
                    last += 1
                holder = self.add((start, head), None, False, "static").id
                if start + bar.end() < end:
                    self.read_paragraph((start + bar.end(), end), holder, False)
            elif bar := _CLASS_BAR.match(line):
                cost = (start, start + bar.end(1))
                holder = self.add(
                    (start, end),
                    None,
                    False,
                    "keyword",
                    keyword="Level",
                    parameters={"cost": self.text[cost[0] : cost[1]], "number": int(bar[2])},
                    parts=Parts(cost=cost),
                ).id
            elif not self.bare(start, end).strip(GAP + " "):
                self.read_reminder((start, end), holder)
            else:
                while last < len(paragraphs) and self._is_row(paragraphs[last]):
                    end = paragraphs[last][1]
                    last += 1
                self.read_paragraph((start, end), holder, False)
            i = last

    def _is_row(self, span: Span) -> bool:
        """Whether a paragraph belongs to the ability above it."""
        line = self.text[slice(*span)]
        return bool(_ROW.match(line)) and not (self.frame.station and _STATION.match(line))

    def read_reminder(self, span: Span, parent: str | None) -> None:
        """A paragraph of reminder text is an ability only if a basic land type gives it (CR 305.6)."""
        start, end = span
        inner = self.text[start + 1 : end - 1]
        if self.frame.basic_land and re.match(r"\{T\}: Add \{", inner):
            colon = start + 1 + inner.index(":")
            self.add(
                (start, end),
                parent,
                False,
                "activated/mana",
                parts=Parts(cost=(start + 1, colon), effect=(colon + 2, end - 1)),
            )

    def read_paragraph(self, span: Span, parent: str | None, granted: bool) -> list[Ability]:
        """One paragraph with its rows, or the inside of a quotation."""
        start, end = span
        first = len(self.abilities)
        label, body = self._label(start, end)
        text = self.scan.text[start:end]
        if _CASE.match(text):
            self.add(span, parent, granted, "keyword", keyword="To solve")
        elif (holder := _HOLDER.match(text)) and (found := self.lexicon.keyword_at(text)):
            head = start + holder.end()
            bar = self.add((start, head - 1), parent, granted, "keyword", keyword=found.form.keyword)
            if self.text[head:end].strip():
                self.read_paragraph((head, end), bar.id, granted)
        elif self.frame.saga and not granted and (chapter := _CHAPTER.match(text)):
            body = max(body, start + chapter.end())
            parts = find_parts(self.bare(body, end), "triggered/chapter", body)
            ability = self.add(span, parent, granted, "triggered/chapter", ability_word=label, parts=parts)
            self._granted(span, ability.id)
        elif keywords := read_keywords(self.scan, self.text, (body, end), self.lexicon):
            self._keywords(span, label, keywords, parent, granted)
        elif not granted and (unknown := _UNKNOWN.match(self.bare(body, end))):
            self._unknown(span, (body, body + unknown.end(1)), label, parent)
        else:
            self._plain(span, body, label, parent, granted)
        return self.abilities[first:]

    def _unknown(self, span: Span, name: Span, label: str | None, parent: str | None) -> None:
        """A keyword that this release of the rules does not have: told by its form, and cited by nothing."""
        words = self.text[slice(*name)]
        found, parts = parameters(words, self.text[name[1] : span[1]], self.bare(name[1], span[1]), name[1])
        self.add(
            span, parent, False, "keyword", keyword=words, parameters=found, ability_word=label, parts=parts
        )

    def _label(self, start: int, end: int) -> tuple[str | None, int]:
        """The ability word or flavor word of a paragraph and where its text begins (CR 207.2c, 207.2d)."""
        label = None
        body = start
        labels = self.scan.labels
        for a, b in labels[bisect_left(labels, (start,)) :]:
            if a >= end or a > body + 12 or "\n" in self.text[start:a]:
                break
            words = self.scan.text[a:b]
            if self.lexicon.is_keyword_label(words) or _CASE.match(words + " — ") or "{" in words:
                break
            label, body = self.text[a:b], b + 3
        return label, body

    def _keywords(
        self,
        span: Span,
        label: str | None,
        keywords: tuple[KeywordLine, ...],
        parent: str | None,
        granted: bool,
    ) -> None:
        for n, keyword in enumerate(keywords):
            start = span[0] if n == 0 else keyword.start
            ability = self.add(
                (start, keyword.end),
                parent,
                granted,
                "keyword",
                keyword=keyword.form.keyword,
                parameters=keyword.parameters,
                ability_word=label if n == 0 else None,
                parts=keyword.parts,
            )
            self._granted((keyword.start, keyword.end), ability.id)

    def _plain(self, span: Span, body: int, label: str | None, parent: str | None, granted: bool) -> None:
        text = self.bare(body, span[1])
        token = granted and "token" in self.scan.text[: span[0]].rpartition("\n")[2]
        kind = classify(text, self.frame, granted=granted, token=token)
        parts = find_parts(text, kind, body)
        ability = self.add(span, parent, granted, kind, ability_word=label, parts=parts)
        self._granted(span, ability.id)

    def _granted(self, span: Span, parent: str) -> None:
        """Quotations inside an ability are abilities that it grants (CR 113.1a)."""
        quoted = self.scan.quotes
        for a, b in quoted[bisect_left(quoted, (span[0],)) :]:
            if b > span[1]:
                break
            if self._is_ability(a, b):
                self._quotation((a + 1, b - 1), parent)

    def _is_ability(self, a: int, b: int) -> bool:
        before = self.scan.text[max(0, a - 12) : a]
        inner = self.text[a + 1 : b - 1]
        if not inner or _GRANTING.search(before):
            return False
        if inner[0].islower():  # "bands with other Goblins."
            return inner.endswith(".") and self.lexicon.keyword_at(inner) is not None
        return bool(re.match(r"[A-Z{\[+−0-9∞-]", inner))

    def _quotation(self, span: Span, parent: str) -> None:
        """The inside of a quotation, and single-quoted abilities within it."""
        start, end = span
        inner = self.scan.text[start:end]
        nested = [
            (start + m.start(1), start + m.end(1))
            for m in _NESTED.finditer(inner)
            if re.search(r"(?:has|have|gains?|with|and) $", inner[: m.start()])
        ]
        outer = self._view, self._base
        self._view = blank(inner, tuple((a - 1 - start, b + 1 - start) for a, b in nested))
        self._base = start
        made = self.read_paragraph(span, parent, True)
        if nested and made:
            for piece in nested:
                self._quotation(piece, made[-1].id)
        self._view, self._base = outer


def _paragraphs(text: str) -> Iterator[Span]:
    for match in re.finditer(r"[^\n]+", text):
        start, end = match.span()
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end -= len(piece) - len(piece.rstrip())
        if start < end:
            yield start, end


def read(face: Face, scanned: Scan, lexicon: Lexicon) -> tuple[Ability, ...]:
    """The abilities of a face whose text has been scanned; see `segment`."""
    reader = _Reader(face, scanned, lexicon)
    reader.read_face()
    return tuple(reader.abilities)


def segment(face: Face, lexicon: Lexicon) -> Face:
    """The face with its abilities, in reading order, a granted or held one after its parent.

    Offsets are code points in `face.oracle_text`; every ability's text is `oracle_text[start:end]`.
    """
    return structs.replace(face, abilities=read(face, scan(face, lexicon.terms), lexicon))
