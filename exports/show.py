"""Cards, rules, keywords and glossary terms as text, annotated like a judge would, and tables.

Records come in, lines go out: each line is an indent and a styled `rich.text.Text`. Card text never
passes through rich's markup, whose brackets are also those of loyalty costs (`[+1]:`). On a terminal
the lines are wrapped under their indent; elsewhere each one stays on one line, without color, so that
`grep` and `diff` can be used on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from textwrap import shorten
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cardlaw.graph.model import Ability, Card, Citation, Face
from cardlaw.graph.read import KeywordRecord, RuleRecord, Since, TermRecord
from cardlaw.graph.tagging import Tag

from .besides import beside_lines
from .jsonform import Record
from .tagtext import tag_pieces
from .wording import KINDS, NO_WORDS, WHY

__all__ = ["Line", "lines", "print_lines", "table"]

_HOLD = {
    "has_keyword": "having",
    "grants_keyword": "granting",
    "loses_keyword": "taking away",
    "mentions_keyword": "mentioning",
    "keyword_action": "doing",
}
_CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), "�")
"""Characters that a terminal would obey; card text has none."""
_MAX_NAMES = 12
_MAX_HEADING = 34
_MAX_QUOTE = 40


class Line(NamedTuple):
    """One line: how far it is indented, how far what wraps from it, and what it says."""

    indent: int
    text: Text
    hang: int = 0


class _Columns(NamedTuple):
    """Widths that the citations of one card share."""

    rule: int
    heading: int
    relation: int
    quote: int


def lines(
    record: Record,
    *,
    release: str,
    has_text: bool,
    notes: Mapping[str, str],
    tags: Sequence[Tag] = (),
    wide: bool = True,
) -> Iterator[Line]:
    """What `cardlaw.graph.read` gives, to be read.

    Args:
        record: a linked card, a rule, a keyword or a glossary entry.
        release: effective date of the rulebook that the rule numbers are of.
        has_text: False if that rulebook is an outline, which has no words.
        notes: by id of a catalogue entry, why it cites what it cites.
        tags: those of a card.
        wide: one aligned line for each citation; otherwise two short ones.
    """
    match record:
        case Card():
            yield from _card_lines(record, notes, tags, wide)
        case RuleRecord():
            yield from _rule_lines(record, has_text)
        case KeywordRecord():
            yield from _keyword_lines(record)
        case TermRecord():
            yield from _term_lines(record, has_text)
    yield _blank()
    yield Line(0, Text(f"Rule numbers of the Comprehensive Rules effective {release}.", "dim"))


def _card_lines(card: Card, notes: Mapping[str, str], tags: Sequence[Tag], wide: bool) -> Iterator[Line]:
    """Each face, each ability and, under it, what it cites and why; its tags; what is beside the text."""
    columns = _columns(card)
    if len(card.faces) > 1:
        yield Line(0, Text(f"{card.name} ({card.layout})", "bold"))
        yield _blank()
    for number, face in enumerate(card.faces):
        if number:
            yield _blank()
        yield from _face_lines(face, notes, columns, wide)
    yield from (Line(*piece) for piece in (*tag_pieces(tags), *beside_lines(card)))


def _rule_lines(rule: RuleRecord, has_text: bool) -> Iterator[Line]:
    """Heading, words, its place in the book, what it refers to and some cards that invoke it."""
    yield Line(0, Text(f"{rule.number} {rule.title or ''}".rstrip(), "bold"))
    if rule.title is None and rule.heading:
        yield Line(0, Text(f"under “{rule.heading}”", "dim"))
    for paragraph in (rule.text or "").splitlines():
        yield Line(2, Text(paragraph))
    for example in rule.examples:
        yield Line(2, Text(f"Example: {example}", "italic"), 2)
    bare = [number for number, words in zip(rule.children, rule.words, strict=True) if not words]
    for number, words in zip(rule.children, rule.words, strict=True):
        if words:
            first, *more = words.splitlines()
            yield Line(2, Text().append(f"{number}  ", "bold").append(first), len(number) + 2)
            yield from (Line(2 + len(number) + 2, Text(paragraph)) for paragraph in more)
    if not has_text and "." in rule.number:
        yield Line(2, Text(NO_WORDS, "dim"))
    yield from _facts(
        ("parent", [rule.parent] if rule.parent else []),
        ("subrules", bare),
        ("refers to", rule.references),
        ("referred to by", rule.referenced_by),
        ("defines", rule.keywords),
    )
    if rule.since is not None:
        yield Line(0, _since(rule.since), 2)
    below = f" ({rule.card_count_with_subrules:,} with its subrules)" if rule.children else ""
    yield _names(f"{_cards(rule.card_count)} invoking it{below}", rule.cards)


def _since(since: Since) -> Text:
    """Since when a rule is there and has its number and words."""

    def told(day: str) -> str:
        return f"{day} or before" if day == since.oldest else day

    days = {"rule": since.rule, "number": since.number, "wording": since.wording}
    return Text("; ".join(f"{name} since {told(day)}" for name, day in days.items()))


def _keyword_lines(keyword: KeywordRecord) -> Iterator[Line]:
    """Its rule, nature and variants, and for each relation how many cards and some of them."""
    kind = "keyword action" if keyword.action else "keyword ability"
    yield Line(0, Text().append(keyword.name, "bold").append(f"  {kind}, {keyword.rule}"))
    yield from _facts(
        ("nature", keyword.nature),
        ("variant of", [keyword.variant_of] if keyword.variant_of else []),
        ("variants", keyword.variants),
    )
    for relation, cards in keyword.cards.items():
        if cards:
            yield _names(f"{_cards(len(cards))} {_HOLD[relation]} it", cards)


def _term_lines(term: TermRecord, has_text: bool) -> Iterator[Line]:
    """The senses of a glossary entry and the rules that it cites."""
    yield Line(0, Text().append(", ".join(term.names), "bold").append("  glossary term"))
    if term.obsolete:
        yield Line(0, Text("obsolete", "dim"))
    for sense in term.senses:
        for paragraph in sense.splitlines():
            yield Line(2, Text(paragraph))
    if not has_text:
        yield Line(2, Text(NO_WORDS, "dim"))
    yield from _facts(("refers to", term.references), ("see also", term.see))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    """A table, a line for each row, whose columns are as wide as the widest cell of the first 1,000 rows."""
    flat = ([" ".join(cell.split()) for cell in row] for row in rows)
    first = [list(head), *islice(flat, 1000)]
    widths = [max(map(cell_len, column)) for column in zip(*first, strict=True)]
    for number, row in enumerate(chain(first, flat)):
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        yield Line(0, Text("  ".join(cells).rstrip(), "" if number else "bold"), 4)


def _facts(*facts: tuple[str, Sequence[str]]) -> Iterator[Line]:
    for name, values in facts:
        if values:
            yield Line(0, Text().append(f"{name}: ", "dim").append(", ".join(values)), 4)


def _names(what: str, names: Sequence[str]) -> Line:
    line = Text(what)
    if names:
        line.append(": " + "; ".join(names[:_MAX_NAMES]))
        if len(names) > _MAX_NAMES:
            line.append(f"; and {len(names) - _MAX_NAMES:,} more", "dim")
    return Line(0, line, 4)


def _cards(count: int) -> str:
    return f"{count:,} card{'' if count == 1 else 's'}"


def print_lines(printed: Iterable[Line], console: Console) -> None:
    """Print to `console`, wrapped if it is a terminal."""
    for line in printed:
        line.text.plain = line.text.plain.translate(_CONTROLS)
        if not console.is_terminal:
            console.file.write(f"{' ' * line.indent}{line.text.plain}\n")
            continue
        width = max(console.width - line.indent - line.hang, 20)
        first, *rest = line.text.wrap(console, width) or [Text()]
        first.rstrip()
        console.print(Text(" " * line.indent) + first, soft_wrap=True)
        for piece in rest:
            piece.rstrip()
            console.print(Text(" " * (line.indent + line.hang)) + piece, soft_wrap=True)


def _face_lines(face: Face, notes: Mapping[str, str], columns: _Columns, wide: bool) -> Iterator[Line]:
    head = Text().append(face.name, "bold")
    if face.mana_cost:
        head.append("  ").append(face.mana_cost, "yellow")
    if head:
        yield Line(0, head)
    if face.type_line is None and face.oracle_text is None:
        yield Line(0, Text("The source of the cards has only the name of this face.", "dim"))
    facts = [face.type_line, _size(face)]
    if face.loyalty is not None:
        facts.append(f"loyalty {face.loyalty}")
    if face.defense is not None:
        facts.append(f"defense {face.defense}")
    if any(facts):
        yield Line(0, Text("  ".join(fact for fact in facts if fact)))
    yield from _citation_lines(face.citations, 2, notes, columns, wide)
    depth: dict[str, int] = {}
    for ability in face.abilities:  # one that grants or holds others stands before them
        depth[ability.id] = 0 if ability.parent is None else depth.get(ability.parent, 0) + 1
    for ability in face.abilities:
        indent = 4 * depth[ability.id]
        yield _blank()
        yield Line(indent, _ability_head(ability))
        for paragraph in ability.text.splitlines():
            yield Line(indent + 2, Text(paragraph), 2)
        yield from _citation_lines(ability.citations, indent + 4, notes, columns, wide)


def _ability_head(ability: Ability) -> Text:
    head = Text().append(f"{ability.id}  ", "dim").append(KINDS[ability.kind], "cyan")
    if ability.parent is not None:
        head.append(f", {'granted' if ability.granted else 'held'} by {ability.parent}")
    facts = [f"{name} {value}" for name, value in ability.parameters.items()]
    if ability.keyword is not None:
        facts.insert(0, ability.keyword)
    if ability.ability_word is not None:
        facts.append(f"ability word {ability.ability_word}")
    return head.append("".join(f" · {fact}" for fact in facts))


def _citation_lines(
    citations: Sequence[Citation], indent: int, notes: Mapping[str, str], columns: _Columns, wide: bool
) -> Iterator[Line]:
    printed = [citation for citation in citations if not citation.in_reminder]
    reminder = [citation for citation in citations if citation.in_reminder]
    for citation in printed:
        yield from _citation(citation, indent, notes, columns, wide)
    if reminder:
        yield Line(indent, Text("only in reminder text:", "dim italic"))
        for citation in reminder:
            yield from _citation(citation, indent + 2, notes, columns, wide)


def _citation(
    citation: Citation, indent: int, notes: Mapping[str, str], columns: _Columns, wide: bool
) -> Iterator[Line]:
    why = Text(notes.get(citation.entry) or WHY[citation.relation], "dim")
    cells = (
        (Text(citation.rule, "bold green"), columns.rule),
        (Text(citation.title or ""), columns.heading),
        (Text(_relation(citation), "magenta"), columns.relation),
        (Text(_quoted(citation)), columns.quote),
    )
    if wide:
        line = Text()
        for cell, width in cells:
            line.append_text(cell).append(" " * (max(width - cell_len(cell.plain), 0) + 2))
        line.append_text(why)
        line.rstrip()
        yield Line(indent, line, columns.rule + 2)
    else:
        rule, heading, relation, quote = (cell for cell, _ in cells)
        yield Line(indent, Text(" ").join(part for part in (rule, heading, relation) if part), 2)
        yield Line(indent + 2, Text(" ").join(part for part in (quote, why) if part), 2)


def _columns(card: Card) -> _Columns:
    """Widths for all citations of `card`; a longer cell pushes what follows to the right."""
    every = [
        citation
        for face in card.faces
        for group in (face.citations, *(ability.citations for ability in face.abilities))
        for citation in group
    ]
    return _Columns(
        rule=max((len(c.rule) for c in every), default=0),
        heading=min(max((cell_len(c.title or "") for c in every), default=0), _MAX_HEADING),
        relation=max((len(_relation(c)) for c in every), default=0),
        quote=min(max((cell_len(_quoted(c)) for c in every), default=0), _MAX_QUOTE),
    )


def _relation(citation: Citation) -> str:
    words = citation.relation.replace("_", " ")
    return f"{words}, conditional" if citation.conditional else words


def _quoted(citation: Citation) -> str:
    """The quoted words; of many, the first and the last."""
    words = citation.quote.split()
    quote = " ".join(words)
    if len(quote) > _MAX_QUOTE:
        room = _MAX_QUOTE - len(words[-1]) - 1
        spaced = room >= _MAX_QUOTE // 2  # else the last word is a line of its own, or no word at all
        quote = (
            f"{shorten(quote, room, placeholder=' …')} {words[-1]}"
            if spaced
            else f"{quote[: _MAX_QUOTE - 1]}…"
        )
    return f"“{quote}”"


def _size(face: Face) -> str | None:
    if face.power is None and face.toughness is None:
        return None
    return f"{face.power or ''}/{face.toughness or ''}"


def _blank() -> Line:
    return Line(0, Text())
