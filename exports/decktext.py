"""A deck as text: the rules that it needs with the cards that need them, keywords by color, curve and checks.

A `DeckReport` comes in, lines go out, as `show.lines` gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.text import Text

from cardlaw.graph.decks import DeckReport
from cardlaw.graph.decks.needs import COLUMNS, Heading, Keyword
from cardlaw.graph.meetings import Meeting, Side

from .show import Line, table

__all__ = ["FORMATS", "SECTIONS", "Met", "bundled", "deck_lines", "summary"]

FORMATS = {
    "plain": "a plain list",
    "arena": "an Arena list",
    "mtgo": "an MTGO list",
    "dek": "an MTGO file",
    "moxfield": "a Moxfield list",
    "archidekt": "an Archidekt list",
    "deckstats": "a Deckstats list",
    "forge": "a Forge file",
    "xmage": "an XMage file",
    "cockatrice": "a Cockatrice file",
    "csv": "a table",
}
"""What a list was read as, in words."""

SECTIONS = {
    "commander": "commander",
    "companion": "companion",
    "main": "main deck",
    "sideboard": "sideboard",
    "maybeboard": "maybeboard",
    "tokens": "tokens and the like",
}

_HEADINGS = 20
_KEYWORDS = 30
_SUBRULES = 6
_NAMES = 8
_BAR = 40
_SIDES = 5
_SAID = 90


class Met(NamedTuple):
    """All pairs of cards that meet in one way."""

    label: str
    rule: str
    pairs: int
    first: Sequence[Side]  # of each card once
    second: Sequence[Side]  # empty where the cards are on both sides


def bundled(meetings: Iterable[Meeting]) -> list[Met]:
    """Meetings by their kind, those of the rarest first."""
    kinds: dict[tuple[str, str], list[Meeting]] = {}
    for meeting in meetings:
        kinds.setdefault((meeting.kind, meeting.rule), []).append(meeting)
    made = []
    for (_, rule), found in kinds.items():
        first = {each.first.slug: each.first for each in found}
        second = {each.second.slug: each.second for each in found}
        if first.keys() & second.keys():
            first, second = first | second, {}
        made.append(Met(found[0].label, rule, len(found), list(first.values()), list(second.values())))
    return made


def summary(report: DeckReport) -> str:
    """How many cards are in which section, and what the list was read as."""
    counts = [
        f"{count:,} {words}"
        for section, words in SECTIONS.items()
        if (count := report.deck.count(section))  # type: ignore[arg-type]
    ]
    return f"{FORMATS[report.deck.format]}: {', '.join(counts) or 'no card'}"


def deck_lines(report: DeckReport) -> Iterator[Line]:
    """What is told of a deck; of many rules and keywords, the first."""
    yield Line(0, Text().append(report.title, "bold").append(f"  {summary(report)}"), 2)
    yield from _rules(report.rules)
    for is_action, name in ((False, "Keyword abilities"), (True, "Keyword actions")):
        found = [keyword for keyword in report.keywords if keyword.is_action is is_action]
        yield from _keywords(name, found)
    yield from _curve(report)
    yield from _themes(report)
    yield from _meetings(report)
    yield from _built(report)
    yield Line(0, Text())
    yield Line(0, Text(f"Rule numbers of the Comprehensive Rules effective {report.release}.", "dim"))


def _head(words: str) -> Iterator[Line]:
    yield Line(0, Text())
    yield Line(0, Text(words, "bold"))


def _rules(headings: Sequence[Heading]) -> Iterator[Line]:
    if not headings:
        return
    yield from _head("Rules that it needs, what few other cards need first")
    width = max(len(heading.number) for heading in headings[:_HEADINGS])
    for heading in headings[:_HEADINGS]:
        line = Text().append(heading.number.ljust(width + 2), "bold green").append(heading.title)
        yield Line(2, line.append(f"  {_names(heading.cards)}", "dim"), width + 2)
        below = [rule for rule in heading.rules if rule.number != heading.number]
        for rule in sorted(below, key=lambda rule: rule.cards_in_graph)[:_SUBRULES]:
            names = [user.name for user in rule.cards]
            yield Line(
                4 + width, Text().append(f"{rule.number}  ", "green").append(_names(names), "dim"), width
            )
    yield from _rest(len(headings) - _HEADINGS, "heading")


def _keywords(name: str, keywords: Sequence[Keyword]) -> Iterator[Line]:
    if not keywords:
        return
    yield from _head(f"{name} by color of the cards")
    shown = keywords[:_KEYWORDS]
    columns = [column for column in COLUMNS if any(keyword.by_color.get(column) for keyword in shown)]
    rows = (
        [
            keyword.name,
            keyword.rule,
            *(str(keyword.by_color.get(column, "")) for column in columns),
            str(len(keyword.cards)),
            _does(keyword),
        ]
        for keyword in shown
    )
    for line in table(["keyword", "rule", *columns, "all", "what it does"], rows):
        yield Line(2, line.text, line.hang)
    yield Line(2, Text("; ".join(f"{column} {COLUMNS[column]}" for column in columns), "dim"))
    yield from _rest(len(keywords) - _KEYWORDS, "keyword")


def _does(keyword: Keyword) -> str:
    return _brief(keyword.text or (keyword.reminder or "").strip("()"))


def _curve(report: DeckReport) -> Iterator[Line]:
    curve = report.curve
    if not curve.by_value and not curve.lands:
        return
    yield from _head("Mana curve")
    most = max((count for _, count in curve.by_value), default=0) or 1
    for value, count in curve.by_value:
        bar = "█" * max(round(count * _BAR / max(most, _BAR)), 1) if count else ""
        yield Line(2, Text(f"{value:>3g}  {count:>3,}  ").append(bar, "blue"))
    facts = [f"{curve.lands:,} land{'' if curve.lands == 1 else 's'}"]
    facts += [f"average mana value {curve.average:g} without lands"] if curve.average is not None else []
    facts += [f"{curve.unknown:,} of a mana value that is not known"] if curve.unknown else []
    yield Line(2, Text("; ".join(facts)))
    if curve.pips:
        pips = "  ".join(f"{{{symbol}}} {count:,}" for symbol, count in curve.pips.items())
        yield Line(2, Text(f"symbols in costs: {pips}"))


def _themes(report: DeckReport) -> Iterator[Line]:
    if not report.themes:
        return
    yield from _head("Themes, inferred")
    for theme in report.themes[:_HEADINGS]:
        yield Line(2, Text(theme.label))
        for role, names in (("enablers", theme.enablers), ("payoffs", theme.payoffs)):
            if names:
                yield Line(4, Text().append(f"{role}: ", "dim").append(_names(names)), 2)
    yield from _rest(len(report.themes) - _HEADINGS, "theme")


def _meetings(report: DeckReport) -> Iterator[Line]:
    if not report.meetings:
        return
    yield from _head("Interactions, the rarest first")
    kinds = bundled(report.meetings)
    for kind in kinds[:_HEADINGS]:
        pairs = f"{kind.pairs:,} pair{'' if kind.pairs == 1 else 's'}"
        yield Line(2, Text().append(f"{kind.rule}  ", "bold green").append(f"{kind.label}  ({pairs})"), 4)
        for sides in filter(None, (kind.first, kind.second)):
            said = "; ".join(f"{side.name} “{_brief(side.quote, 40)}”" for side in sides[:_SIDES])
            more = f"; and {len(sides) - _SIDES:,} more" if len(sides) > _SIDES else ""
            yield Line(6, Text(said + more, "dim"), 2)
    yield from _rest(len(kinds) - _HEADINGS, "kind of interaction")


def _brief(quote: str, most: int = _SAID) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _built(report: DeckReport) -> Iterator[Line]:
    yield from _head("As the rules of deck construction ask")
    for check in report.checks:
        broken = f": {_names(check.cards)}" if check.cards else ""
        mark = ("yes  ", "green") if check.kept else ("no   ", "red")
        yield Line(
            2, Text().append(*mark).append(f"{check.rule}  ", "bold").append(f"{check.says}{broken}"), 5
        )
    if report.formats is None:
        yield Line(2, Text("Formats: not known, the source of these cards tells of none.", "dim"))
        return
    legal = [each.name for each in report.formats if each.legal]
    yield Line(2, Text(f"all cards are legal in: {', '.join(legal) or 'no format'}"), 2)
    for each in report.formats:
        if not each.legal:
            wrong = (
                ("not legal", each.not_legal),
                ("banned", each.banned),
                ("restricted", each.restricted),
            )
            said = "; ".join(f"{words}: {_names(names, 3)}" for words, names in wrong if names)
            yield Line(2, Text().append(f"{each.name}: ", "dim").append(said), 2)


def _names(names: Iterable[str], most: int = _NAMES) -> str:
    every = list(names)
    count = f"{len(every):,} card{'' if len(every) == 1 else 's'}: "
    more = f"; and {len(every) - most:,} more" if len(every) > most else ""
    return count + "; ".join(every[:most]) + more


def _rest(count: int, what: str) -> Iterator[Line]:
    if count > 0:
        yield Line(
            2, Text(f"and {count:,} more {what}{'' if count == 1 else 's'}: --format json has all", "dim")
        )
