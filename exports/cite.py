"""What `cardlaw cite` does: releases to a check, the check to the screen or to another program.

Text goes to stdout with the diffs of what is mended before it; the other formats are one document on stdout,
and the diffs go to stderr. How much was read, what was found and by which release is told on stderr.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from cardlaw.graph.releases.found import resolve

from .citecheck import Checked, Outcome, check, mend
from .citefix import diff
from .citeforms import STATUSES, command_lines, document, shown, text_lines
from .terminal import console, harmless, progress, say, warn, write

__all__ = ["cite"]

_DIFF_STYLES = {"---": "bold", "+++": "bold", "@@ ": "cyan", "-": "red", "+": "green"}


def cite(
    paths: Sequence[str],
    *,
    rules: str | None,
    written: str | None,
    releases: Sequence[Path],
    format_: str,
    bare: bool,
    fix: bool,
    quiet: bool,
) -> bool:
    """Check the citations in files, mend them if asked, and tell what is wrong; whether nothing is left.

    Args:
        paths: files and folders; `-` is stdin.
        rules: the release to check against, as `resolve` takes it.
        written: the one that the texts were written against.
        releases: where to look for both, beside the cache.
        format_: "text", "json", "sarif" or "github".
        bare: take bare numbers for citations too.
        fix: rewrite what surely moved.
        quiet: tell only what is wrong.

    Raises:
        RulebookError: a release is not at hand or cannot be read.
    """
    rulebook = resolve(rules, releases)
    older = None if written is None else resolve(written, releases)
    with progress(quiet=quiet) as report:
        outcome = check(paths, rulebook, older, report, bare=bare)
    for each in outcome.skipped:
        if each.named:
            warn(f"{shown(each.path)} was not read: {each.reason}")
    screen = console()
    if fix:
        to = screen if format_ == "text" else Console(stderr=True, markup=False, emoji=False, highlight=False)
        outcome = replace(outcome, files=tuple(_mended(file, to, bare) for file in outcome.files))
    if format_ in ("json", "sarif"):
        from .jsonform import encode  # with what reads a graph
        from .sarif import sarif

        write(encode(document(outcome) if format_ == "json" else sarif(outcome), indent=2) + b"\n")
    elif format_ == "github":
        write("".join(f"{line}\n" for file in outcome.files for line in command_lines(file)).encode())
    else:
        for line in (line for file in outcome.files for line in text_lines(file)):
            if screen.is_terminal:
                screen.print(line, soft_wrap=True)
            else:
                screen.file.write(f"{line.plain}\n")
    if not quiet:
        for told in _summary(outcome):
            say(told)
    return outcome.passed()


def _mended(file: Checked, screen: Console, bare: bool) -> Checked:
    def show(before: str, after: str) -> None:
        for line in diff(harmless(shown(file.path)), before, after):
            _print_diff(line, screen)
        screen.file.flush()

    return mend(file, show, bare=bare)


def _print_diff(line: str, screen: Console) -> None:
    """To a terminal what it does not obey, to other programs what it is."""
    if screen.is_terminal:
        style = _DIFF_STYLES.get(line[:3]) or _DIFF_STYLES.get(line[:1], "")
        screen.print(Text(harmless(line.removesuffix("\r").expandtabs()), style), soft_wrap=True)
    else:
        screen.file.write(f"{line}\n")


def _summary(outcome: Outcome) -> Iterable[str]:
    size = sum(file.size for file in outcome.files)
    line = f"Read {_many(len(outcome.files), 'file')}, {size / 1e6:.1f} MB"
    if outcome.skipped:
        reasons = Counter(each.reason for each in outcome.skipped)
        told = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
        line += f"; skipped {len(outcome.skipped):,}: {told}"
    yield f"{line}."
    counts = outcome.counts()
    told = ", ".join(f"{counts[status]:,} {status}" for status in STATUSES if counts[status])
    yield f"{_many(sum(counts.values()), 'citation')}{': ' if told else ''}{told}."
    mended = [file for file in outcome.files if any(finding.fixed for finding in file.findings)]
    if mended:
        count = sum(finding.fixed for file in mended for finding in file.findings)
        yield (
            f"Rewrote {_many(count, 'citation')} in {_many(len(mended), 'file')}, which are of "
            f"{outcome.release} now: do not run this again with --from {outcome.written}."
        )
    line = f"Checked against the Comprehensive Rules effective {outcome.release}"
    yield f"{line}; written against those of {outcome.written}." if outcome.written else f"{line}."


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
