"""What was found of citations as text, JSON and GitHub workflow commands; SARIF is in `sarif.py`.

Text and workflow commands have a line for each citation that is not right, JSON has all citations:

    {"rulebook": "2026-01-16", "has_text": true, "from": "2025-02-07",
     "files": {"read": 1, "bytes": 20, "skipped": [{"file": "a.png", "reason": "binary"}]},
     "counts": {"right": 0, "unknown": 0, "moved": 1, "changed": 0, "mismatch": 0},
     "citations": [{"file": "a.py", "line": 1, "column": 6, "end_column": 12, "written": "701.13",
       "number": "701.13", "form": "CR", "range_from": null, "name": "Mill", "quote": null,
       "around": "# CR 701.13 (Mill)", "status": "moved", "message": "…", "title": "Exile",
       "target": "701.17", "sure": true, "fixed": false,
       "candidates": [{"number": "701.17", "title": "Mill", "confidence": 1.0, "reason": "…"}]}]}

`rulebook` and `from` are effective dates. Lines and columns count from 1, columns in characters; `number` is
whole where only the end of a range is written. A citation that is `fixed` counts as right.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from rich.text import Text

from cardlaw.graph.citing.files import STDIN
from cardlaw.graph.citing.records import Status

from .citecheck import LEVELS, Checked, Finding, Outcome
from .terminal import harmless

if TYPE_CHECKING:
    from .jsonform import Json

__all__ = ["STATUSES", "below", "command_lines", "document", "shown", "text_lines"]

STATUSES: tuple[Status, ...] = get_args(Status)

_STYLES: dict[Status, str] = {
    "unknown": "bold red",
    "mismatch": "bold red",
    "moved": "bold yellow",
    "changed": "bold cyan",
}


def shown(path: str) -> str:
    """A path for people: stdin has a name, and bytes that are no UTF-8 are written as `\\xff`."""
    return "<stdin>" if path == STDIN else os.fsencode(path).decode("utf-8", "backslashreplace")


def below(path: str) -> str | None:
    """The path relative to the working folder; None if it is not below it."""
    here = os.path.relpath(path)
    return None if here == os.pardir or here.startswith(os.pardir + os.sep) else here


def text_lines(file: Checked) -> Iterator[Text]:
    """`file:line:column: status: message` for all that is left to mend."""
    for finding in _left(file):
        cited, verdict = finding.cited, finding.verdict
        line = Text(f"{harmless(shown(file.path))}:{cited.line}:{cited.column}: ")
        line.append(verdict.status, _STYLES[verdict.status])
        yield line.append(f": {harmless(verdict.message)}")


def command_lines(file: Checked) -> Iterator[str]:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    for finding in _left(file):
        cited, verdict = finding.cited, finding.verdict
        place = {
            "file": shown(below(file.path) or file.path),
            "line": cited.line,
            "endLine": cited.line,
            "col": cited.column,
            "endColumn": cited.end_column,
            "title": f"{verdict.status}: {cited.mention.number}",
        }
        named = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
        yield f"::{LEVELS[verdict.status]} {named}::{_data(verdict.message)}"


def _left(file: Checked) -> Iterator[Finding]:
    return (each for each in file.findings if each.verdict.status != "right" and not each.fixed)


def _data(text: str) -> str:
    """Escaped as GitHub's toolkit does it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").translate(_CONTROL_SIGNS)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_CONTROL_SIGNS = dict.fromkeys((*range(32), 127), "�")


def document(outcome: Outcome) -> Json:
    """The JSON document."""
    counts = outcome.counts()
    return {
        "rulebook": outcome.release,
        "has_text": outcome.has_text,
        "from": outcome.written,
        "files": {
            "read": len(outcome.files),
            "bytes": sum(file.size for file in outcome.files),
            "skipped": [{"file": shown(each.path), "reason": each.reason} for each in outcome.skipped],
        },
        "counts": {status: counts[status] for status in STATUSES},
        "citations": [_citation(file, finding) for file in outcome.files for finding in file.findings],
    }


def _citation(file: Checked, finding: Finding) -> Json:
    cited, verdict = finding.cited, finding.verdict
    mention = cited.mention
    return {
        "file": shown(file.path),
        "line": cited.line,
        "column": cited.column,
        "end_column": cited.end_column,
        "written": cited.written,
        "number": mention.number,
        "form": mention.form,
        "range_from": mention.first,
        "name": mention.name,
        "quote": mention.quote,
        "around": cited.around,
        "status": verdict.status,
        "message": verdict.message,
        "title": verdict.title,
        "target": verdict.target,
        "sure": verdict.sure,
        "fixed": finding.fixed,
        "candidates": list(verdict.candidates),
    }
