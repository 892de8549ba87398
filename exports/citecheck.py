"""Checks the rule citations in files: paths in, what is found in each file out, and the summary of all.

Big trees are read by a process for each core while this one judges what they find; what comes out is in the
order of the paths, the same for any number of processes.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from msgspec import Struct
from msgspec.structs import replace

from cardlaw.graph.citing.files import STDIN, Found, Skipped, walk
from cardlaw.graph.citing.judge import Judge
from cardlaw.graph.citing.records import Mention, Status, Verdict
from cardlaw.graph.citing.rewriting import Fix, fixes, reads_back, rewrite
from cardlaw.graph.citing.texts import Cited, Text, decode, digest, read, scan
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.load import follow_parent, submit
from cardlaw.graph.model import Rulebook

from .citefix import replace_text
from .terminal import Report, warn

__all__ = ["LEVELS", "Checked", "Finding", "Outcome", "check", "mend"]

LEVELS: dict[Status, str] = {
    "unknown": "error",
    "moved": "error",
    "mismatch": "error",
    "changed": "warning",
}
"""Errors make the exit code 1. What changed is a warning: the number exists, and a person has to read it."""

_BATCH = 1_000_000  # bytes that a process reads at a time
_BATCH_FILES = 250
_FEW = 4 * _BATCH  # up to here, starting processes takes longer than reading
_FEW_FILES = 8 * _BATCH_FILES


class Finding(Struct, frozen=True):
    """A citation and what is found of it."""

    cited: Cited
    verdict: Verdict
    fix: Fix | None = None  # mends it
    fixed: bool = False


class Checked(Struct, frozen=True):
    """What is found in a file: all its citations, the right ones too."""

    path: str
    size: int  # bytes
    digest: bytes
    findings: tuple[Finding, ...]


class Outcome(Struct, frozen=True):
    """What is found in all files."""

    release: str  # which the citations are checked against
    has_text: bool  # whether its words are known
    written: str | None  # the release that the texts were written against
    files: tuple[Checked, ...]  # in the order of the paths
    skipped: tuple[Skipped, ...]

    def counts(self) -> Counter[Status]:
        """Citations by status; those that are mended are right."""
        return Counter(
            "right" if finding.fixed else finding.verdict.status
            for file in self.files
            for finding in file.findings
        )

    def passed(self) -> bool:
        """Whether nothing is wrong that is left, and all that was named could be read."""
        unread = any(
            each.named and each.reason in ("not there", "unreadable", "special file") for each in self.skipped
        )
        return not unread and not any(LEVELS.get(status) == "error" for status in self.counts())


def check(
    paths: Sequence[str],
    rulebook: Rulebook,
    written: Rulebook | None,
    report: Report,
    *,
    bare: bool = False,
    workers: int | None = None,
) -> Outcome:
    """Read the files at and below `paths` and judge what they cite.

    Args:
        paths: files and folders; `-` is stdin.
        rulebook: the release to check against.
        written: the one that the texts were written against, if it is known.
        report: told how many bytes are read.
        bare: take bare numbers for citations too.
        workers: processes that read; default: one per core, and none for few files.

    Raises:
        CardlawError: a process was killed.
    """
    listed = list(walk(paths))
    found = [each for each in listed if isinstance(each, Found)]
    skipped = [each for each in listed if isinstance(each, Skipped)]
    total = sum(each.size for each in found)
    if workers is None:
        few = total < _FEW and len(found) < _FEW_FILES
        workers = 1 if few or STDIN in paths else _cores()
    files: list[Checked] = []
    done = 0
    judge = None
    for text in _scanned(found, bare, workers):
        if isinstance(text, Skipped):
            skipped.append(text)
            continue
        done += text.size
        report("Reading", done, max(done, total))
        if judge is None and text.cited:
            judge = Judge(rulebook, written)
        files.append(_judged(text, None if judge is None else judge.judge))
    return Outcome(
        release=rulebook.release,
        has_text=rulebook.has_text,
        written=None if written is None else written.release,
        files=tuple(files),
        skipped=tuple(skipped),
    )


def _judged(text: Text, judge: Callable[[Mention], Verdict] | None) -> Checked:
    findings: list[Finding] = []
    if judge is not None:
        found = [(cited, judge(cited.mention)) for cited in text.cited]
        findings = [Finding(cited, verdict) for cited, verdict in found]
        for fix in fixes(found, judge):
            for index in fix.indices:
                if findings[index].verdict.status != "right":
                    findings[index] = replace(findings[index], fix=fix)
    return Checked(text.path, text.size, text.digest, tuple(findings))


def mend(file: Checked, show: Callable[[str, str], None], *, bare: bool = False) -> Checked:
    """Write the sure moves of a file, after showing it before and after; what cannot be is told, and stays.

    Returns:
        the file with its findings marked that are mended.
    """
    made = list({finding.fix.indices: finding.fix for finding in file.findings if finding.fix}.values())
    if not made or file.path == STDIN:
        return file
    data = read(Found(file.path, file.size))
    decoded = None if isinstance(data, Skipped) or digest(data) != file.digest else decode(data)
    if decoded is None:
        warn(f"{file.path} is left as it was: it has changed meanwhile; run it again")
        return file
    before = decoded.text
    found = [(finding.cited, finding.verdict) for finding in file.findings]
    made = _readable(before, found, made, bare)
    if not made:
        return file
    after = rewrite(before, made)
    show(before, after)
    fault = replace_text(file.path, after, decoded.encoding, file.digest)
    if fault is not None:
        warn(f"{file.path} is left as it was: {fault}")
        return file
    mended = {index for fix in made for index in fix.indices}
    findings = (
        replace(finding, fixed=True) if finding.fix and index in mended else finding
        for index, finding in enumerate(file.findings)
    )
    return replace(file, findings=tuple(findings))


def _readable(text: str, found: Sequence[tuple[Cited, Verdict]], made: list[Fix], bare: bool) -> list[Fix]:
    """Those of the fixes after which the text cites what it should."""

    def holds(some: list[Fix]) -> bool:
        return reads_back(rewrite(text, some), found, some, bare=bare)

    if holds(made):
        return made
    some = [fix for fix in made if holds([fix])]
    return some if holds(some) else []


def _scanned(found: Sequence[Found], bare: bool, workers: int) -> Iterator[Text | Skipped]:
    """What is in the files, in their order; only a few batches are under way or wait at a time."""
    if workers < 2:
        for each in found:
            yield _scan(each, bare)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), follow_parent)
    waiting: deque[Future[list[Text | Skipped]]] = deque()
    try:
        for batch in _batches(found):
            waiting.append(submit(pool, _scan_all, batch, bare))
            if len(waiting) > 4 * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise CardlawError("a process that reads files ended abruptly: is there memory enough?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(found: Iterable[Found]) -> Iterator[list[Found]]:
    batch: list[Found] = []
    size = 0
    for each in found:
        batch.append(each)
        size += each.size
        if size >= _BATCH or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _scan_all(batch: Sequence[Found], bare: bool) -> list[Text | Skipped]:
    return [_scan(each, bare) for each in batch]


def _scan(found: Found, bare: bool) -> Text | Skipped:
    if found.path == STDIN:
        if sys.stdin is None:
            return Skipped(STDIN, "unreadable", named=True)
        data: bytes | Skipped = sys.stdin.buffer.read()
    else:
        data = read(found)
    text = data if isinstance(data, Skipped) else scan(found.path, data, bare=bare)
    return text._replace(named=found.named) if isinstance(text, Skipped) else text


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
