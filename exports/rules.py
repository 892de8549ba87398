"""`cardlaw rules`: releases of the Comprehensive Rules side by side, one function a command.

As in `cli`, only typer is imported when the program starts. Releases are named by a file or by their
effective date; every answer says of which releases it speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .terminal import FAILURE, progress, say, warn, write

if TYPE_CHECKING:
    from cardlaw.graph.model import Rulebook

__all__ = ["rules"]

rules = typer.Typer(
    name="rules", rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
)


class AnswerFormat(StrEnum):
    """How most commands answer."""

    TEXT = "text"
    JSON = "json"


class DiffFormat(StrEnum):
    """How `diff` answers."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


PlacesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--releases",
        metavar="PATH",
        help="A text of the rules, or a folder of them, besides those that were fetched; can be given again.",
    ),
]
ReleaseOption = Annotated[
    str | None,
    typer.Option(
        "--release",
        metavar="R",
        help="A file, an effective date or a beginning of one [default: the newest at hand]",
    ),
]
FormatOption = Annotated[AnswerFormat, typer.Option("--format", help="How to answer.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]


@rules.callback()
def all_rules() -> None:
    """Releases of the Comprehensive Rules side by side: what changed, and where a number went.

    Rule numbers move with nearly every set. Releases are text files that you give by --releases, and what
    `cardlaw fetch rules` got; R, A and B are files or effective dates.

    \b
    Examples:
      cardlaw rules list --releases my-folder
      cardlaw rules migrate 701.13 603.6a-d --from 2025-02-07 --releases my-folder
      cardlaw rules diff old.txt new.txt --format html -o changes.html
    """


@rules.command("list")
def list_(
    places: PlacesOption = None, format_: FormatOption = AnswerFormat.TEXT, quiet: QuietOption = False
) -> None:
    """List the releases at hand: effective date, number of rules, warnings about the text, source.

    \b
    Example:
      cardlaw rules list --releases my-folder
    """
    from cardlaw.graph.errors import RulebookError
    from cardlaw.graph.releases.found import releases
    from cardlaw.graph.sources.outline import load
    from cardlaw.graph.sources.rulebook import read

    from .answers import print_all
    from .rulestext import listed

    found = releases(places or (), fault=warn)
    books = []
    with progress(quiet=quiet) as report:
        for done, each in enumerate(found, 1):
            try:
                books.append((read(each.path), each.source))
            except RulebookError as error:
                warn(str(error))
            report("reading the releases", done, len(found))
    shipped = load()
    if all(book.release != shipped.release for book, _ in books):
        books.append((shipped, "comes with the program, without its words"))
        books.sort(key=lambda each: each[0].release)
    if format_ is AnswerFormat.JSON:
        _json(
            [
                {
                    "date": book.release,
                    "source": source,
                    "rules": len(book.rules),
                    "terms": len(book.terms),
                    "has_text": book.has_text,
                    "warnings": book.warnings,
                }
                for book, source in books
            ]
        )
    else:
        print_all(listed(books))


@rules.command()
def show(
    numbers: Annotated[list[str], typer.Argument(metavar="NUMBER", help="603.6a, 601.2a-h, 702, 7")],
    release: ReleaseOption = None,
    places: PlacesOption = None,
    format_: FormatOption = AnswerFormat.TEXT,
) -> None:
    """Show rules as a release has them: words, examples, what they cite and what cites them.

    \b
    Example:
      cardlaw rules show 702.29a 601.2a-h --release 2025-02-07
    """
    from cardlaw.graph.releases.shown import shown

    from .answers import print_all
    from .rulestext import rule_lines

    wanted = _expanded(numbers)
    book = _book(release, places)
    missing = _missing(wanted, book)
    found = [shown(number, book) for number in wanted if number not in missing]
    if format_ is AnswerFormat.JSON:
        _json(found)
    elif found:
        print_all(rule_lines(found, book))
    _end(bool(missing))


@rules.command()
def diff(
    older: Annotated[str, typer.Argument(metavar="A", help="A release: file or effective date.")],
    newer: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    places: PlacesOption = None,
    format_: Annotated[DiffFormat, typer.Option("--format", help="How to answer.")] = DiffFormat.TEXT,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes [default: stdout]")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Tell all that changed from one release to another: rules and glossary, with the words that changed.

    Changes of punctuation, quotes and italics are none; renumbered references are told apart.

    \b
    Examples:
      cardlaw rules diff 2025-02-07 2026-01-16 --releases my-folder
      cardlaw rules diff old.txt new.txt --format html -o changes.html
    """
    from cardlaw.graph.releases.changes import changes

    from .answers import print_all
    from .rulestext import diff_lines

    old, new = _book(older, places), _book(newer, places)
    found = changes(old, new)
    for note in found.notes:
        say(f"note: {note}", quiet=quiet)
    if format_ is DiffFormat.TEXT and output is None:
        print_all(diff_lines(found, marked=not _colored()))
        return
    if format_ is DiffFormat.HTML:
        from .rulespage import diff_page

        headings = {number: rule.title for book in (old, new) for number, rule in book.rules.items()}
        data = diff_page(found, headings).encode()
    elif format_ is DiffFormat.JSON:
        data = _encoded(found)
    else:
        from .rulestext import plain

        data = plain(diff_lines(found, marked=True)).encode()
    if output is None or output == Path("-"):
        write(data)
    else:
        output.write_bytes(data)
        print(output)


@rules.command()
def migrate(
    numbers: Annotated[list[str], typer.Argument(metavar="NUMBER", help="603.6a, 601.2a-h, 702, 7")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="A", help="The release of these numbers [default: the one before --to]"
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--to", metavar="B", help="The release to go to [default: the newest]")
    ] = None,
    places: PlacesOption = None,
    format_: FormatOption = AnswerFormat.TEXT,
    quiet: QuietOption = False,
) -> None:
    """Tell where rule numbers of one release went in another, how surely, and why.

    The exit code is 1 if the release has no such number.

    \b
    Examples:
      cardlaw rules migrate 701.13 601.2a-h --from 2025-02-07 --releases my-folder
      cardlaw rules migrate 603.6a --from old.txt --to new.txt --format json
    """
    from cardlaw.graph.releases.fates import fates

    from .answers import print_all
    from .rulestext import fate_lines

    wanted = _expanded(numbers)
    newer = _book(target, places)
    older = _book(source or _before(newer.release, places), places)
    if source is None:
        say(f"from the release of {older.release}: say another by --from", quiet=quiet)
    asked = fates(older, newer)
    found = [asked.of(number) for number in wanted]
    if format_ is AnswerFormat.JSON:
        _json({"from": older.release, "to": newer.release, "fates": found})
    else:
        print_all(fate_lines(asked, found))
    _end(any(each.kind == "unknown" for each in found))


@rules.command()
def history(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="603.6a, 702, 7")],
    release: ReleaseOption = None,
    places: PlacesOption = None,
    format_: FormatOption = AnswerFormat.TEXT,
    quiet: QuietOption = False,
) -> None:
    """Follow a rule through all releases at hand: when it came, moved, was reworded, went.

    \b
    Example:
      cardlaw rules history 702.29a --releases my-folder
    """
    from cardlaw.graph.errors import RulebookError
    from cardlaw.graph.releases.found import releases
    from cardlaw.graph.releases.history import history as follow
    from cardlaw.graph.sources.rulebook import read

    from .answers import print_all
    from .rulestext import history_lines

    wanted = _expanded([number])
    if len(wanted) > 1:
        raise typer.BadParameter("one rule at a time")
    book = _book(release, places)
    _end(bool(_missing(wanted, book)))
    books = {book.release: book}
    at_hand = releases(places or (), fault=warn)
    with progress(quiet=quiet) as report:
        for done, each in enumerate(at_hand, 1):
            if each.date not in books:
                try:
                    books[each.date] = read(each.path)
                except RulebookError as error:
                    warn(str(error))
            report("reading the releases", done, len(at_hand))
        ordered = [books[date] for date in sorted(books) if books[date].has_text]
        if not book.has_text:
            raise RulebookError(
                "only the outline is at hand, which has no words: give texts of the rules by --releases PATH"
            )
        found = follow(
            wanted[0],
            book.release,
            ordered,
            lambda done, total: report("comparing the releases", done, total),
        )
    if format_ is AnswerFormat.JSON:
        _json(found)
    else:
        print_all(history_lines(found, marked=not _colored()))


@rules.command()
def lint(
    release: ReleaseOption = None, places: PlacesOption = None, format_: FormatOption = AnswerFormat.TEXT
) -> None:
    """Tell what is wrong in a release by itself; the exit code is 1 if anything is.

    References to rules that are not there, titles beside a reference that are not those of its rule,
    entries of the glossary that point to none, numbers and lines out of place.

    \b
    Example:
      cardlaw rules lint --release MagicCompRules.txt
    """
    from cardlaw.graph.releases.lint import lint as look

    from .answers import print_all
    from .rulestext import lint_lines

    found = look(_book(release, places))
    if format_ is AnswerFormat.JSON:
        _json(found)
    else:
        print_all(lint_lines(found))
    _end(bool(found.faults))


def _book(spec: str | None, places: Sequence[Path] | None) -> Rulebook:
    from cardlaw.graph.releases.found import resolve

    return resolve(spec, places or (), fault=warn)


def _before(date: str, places: Sequence[Path] | None) -> str:
    """The newest release at hand that is older than `date`."""
    from cardlaw.graph.errors import RulebookError
    from cardlaw.graph.releases.found import releases

    older = [each for each in releases(places or ()) if each.date < date]
    if not older:
        raise RulebookError(
            f"no release before {date} is at hand: say by --from which one the numbers are of"
        )
    return str(older[-1].date)


def _expanded(numbers: Sequence[str]) -> list[str]:
    """Rule numbers as typed, ranges too, each once."""
    from cardlaw.graph.releases.typed import typed

    found: dict[str, None] = {}
    for each in numbers:
        some = typed(each)
        if not some:
            raise typer.BadParameter(f"{each!r} is no rule number or range of them, such as 601.2a-h")
        found |= dict.fromkeys(some)
    return list(found)


def _missing(numbers: Sequence[str], book: Rulebook) -> set[str]:
    """Those that a release lacks, which is told with what is near them."""
    from cardlaw.graph.releases.fates import near
    from cardlaw.graph.releases.passages import Book

    missing = {number for number in numbers if number not in book.rules}
    for number in sorted(missing):
        close = ", ".join(each.number for each in near(number, Book(book)))
        warn(f"the release of {book.release} has no rule {number}{f'; near it are {close}' if close else ''}")
    return missing


def _colored() -> bool:
    """Whether what went and what came is told apart by color on stdout."""
    from .terminal import console

    screen = console()
    return screen.is_terminal and not screen.no_color


def _end(failed: bool) -> None:
    if failed:
        raise typer.Exit(FAILURE)


def _json(value: Any) -> None:
    write(_encoded(value))


def _encoded(value: Any) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
