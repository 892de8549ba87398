"""What was found of citations in SARIF 2.1.0, the OASIS format of static analysis results.

One run, with a rule for each kind of fault. Artifacts are named relative to the working folder, `%SRCROOT%`
(3.4.4), or by an absolute address where they are elsewhere, percent-encoded from the bytes of the name
(RFC 3986). Columns are in UTF-16 code units, lines end at CR, too, and both is said (3.14.17, 3.14.25). A
sure move has its fix (3.55). What was not read is told as a notification (3.20.21).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata
from urllib.parse import quote

from cardlaw.graph.citing.files import STDIN, Reason
from cardlaw.graph.citing.records import Status
from cardlaw.graph.citing.rewriting import Fix
from cardlaw.graph.citing.texts import Cited

from .citecheck import LEVELS, Checked, Finding, Outcome
from .citeforms import below
from .jsonform import Json

__all__ = ["sarif"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_CALL = "cardlaw cite --from RELEASE --fix"
_RULES: dict[Status, tuple[str, str, str, str]] = {
    "unknown": (
        "unknown-rule-number",
        "UnknownRuleNumber",
        "The Comprehensive Rules have no rule with this number.",
        "Look the rule up and cite the number that it has. If the text was written against an earlier "
        "release, give that with --from: then it is known where the rule went.",
    ),
    "moved": (
        "moved-rule",
        "MovedRule",
        "The rule that is meant has another number in the release that the citation is checked against.",
        f"Cite the number that is named. {_CALL} rewrites all moves that are sure.",
    ),
    "changed": (
        "changed-rule",
        "ChangedRule",
        "The number exists in both releases, but the rule says something else now.",
        "Read the rule and decide whether it still is the one that is meant.",
    ),
    "mismatch": (
        "mismatched-rule",
        "MismatchedRule",
        "The name or the words beside the number are those of another rule.",
        "Correct the number, or the name or words.",
    ),
}
"""For each status: id, name, what is wrong, what to do."""

_INDEX = {status: index for index, status in enumerate(_RULES)}
_HARMLESS: frozenset[Reason] = frozenset({"binary", "symbolic link", "special file"})


def sarif(outcome: Outcome) -> Json:
    """The SARIF log of one run."""
    try:
        version = metadata.version("cardlaw")
    except metadata.PackageNotFoundError:
        version = "0"
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "cardlaw", "version": version, "rules": list(_rules())}},
                "columnKind": "utf16CodeUnits",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "originalUriBaseIds": {
                    "%SRCROOT%": {"description": {"text": "The folder in which cardlaw was called."}}
                },
                "properties": {"rulebook": outcome.release, "from": outcome.written},
                "invocations": [
                    {"executionSuccessful": True, "toolExecutionNotifications": list(_notes(outcome))}
                ],
                "results": [result for file in outcome.files for result in _results(file)],
            }
        ],
    }


def _rules() -> Iterator[Json]:
    for status, (id_, name, fault, remedy) in _RULES.items():
        yield {
            "id": id_,
            "name": name,
            "shortDescription": {"text": fault},
            "fullDescription": {"text": f"{fault} {remedy}"},
            "help": {"text": remedy, "markdown": remedy.replace(_CALL, f"`{_CALL}`")},
            "defaultConfiguration": {"level": LEVELS[status]},
            "properties": {"tags": ["documentation", "maintainability"], "precision": "high"},
        }


def _notes(outcome: Outcome) -> Iterator[Json]:
    for each in outcome.skipped:
        yield {
            "level": "note" if each.reason in _HARMLESS else "warning",
            "message": {"text": f"not read: {each.reason}"},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(each.path)}}],
        }


def _results(file: Checked) -> Iterator[Json]:
    artifact = _artifact(file.path)
    seen: Counter[str] = Counter()
    for finding in file.findings:
        status = finding.verdict.status
        if status == "right" or finding.fixed:
            continue
        cited = finding.cited
        location = {"physicalLocation": {"artifactLocation": artifact, "region": _region(cited)}}
        key = f"{status} {cited.mention.number} {cited.around}"
        seen[key] += 1
        yield {
            "ruleId": _RULES[status][0],
            "ruleIndex": _INDEX[status],
            "level": LEVELS[status],
            "message": {"text": finding.verdict.message.replace("{", "{{").replace("}", "}}")},  # 3.11.5
            "locations": [location],
            "partialFingerprints": {"citation/v1": _fingerprint(artifact["uri"], key, seen[key])},
            **({"fixes": [_fix(finding, finding.fix, artifact)]} if finding.fix else {}),
        }


def _fingerprint(uri: str, key: str, occurrence: int) -> str:
    """Stays when the line moves: made of the file, the words of the line, the number and its count there."""
    return sha256(f"{uri}\n{key}\n{occurrence}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _fix(finding: Finding, fix: Fix, artifact: Json) -> Json:
    replacements = [
        {"deletedRegion": _region(edit.cited), "insertedContent": {"text": edit.new}} for edit in fix.edits
    ]
    return {
        "description": {"text": f"Cite {finding.verdict.target}."},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
    }


def _region(cited: Cited) -> Json:
    return {
        "startLine": cited.line,
        "startColumn": cited.column16,
        "endLine": cited.line,
        "endColumn": cited.end_column16,
    }


def _artifact(path: str) -> Json:
    if path == STDIN:
        return {"uri": "stdin", "description": {"text": "standard input"}}
    here = below(path)
    if here is None:
        return {"uri": "file://" + quote(os.fsencode(os.path.abspath(path)))}
    return {"uri": quote(os.fsencode(here.replace(os.sep, "/"))), "uriBaseId": "%SRCROOT%"}
