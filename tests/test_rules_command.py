"""`cardlaw rules` as a program, on invented releases."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from handreleases import OLD, ordered, renumbered, text
from test_cli import cardlaw, one_line

from cardlaw.exports.rulespage import diff_page
from cardlaw.exports.rulestext import folded
from cardlaw.graph.releases.changes import changes
from cardlaw.graph.sources.rulebook import parse

NEW = renumbered(OLD, {"701.3": "701.4", "701.4": "701.3"}) | {
    "103.1": OLD["103.1"].replace("a fox", "an <otter>"),
    "702.3c": "A bead that is lost on its way around is replaced by a pea.",
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "old.txt").write_text(text(), encoding="utf-8")
    (tmp_path / "new.txt").write_text(text(ordered(NEW), "March 4, 2031"), encoding="utf-8")
    return tmp_path


def rules(texts: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run `cardlaw rules` with the two releases at hand and an empty cache."""
    return cardlaw(
        "rules", args[0], "--releases", texts, *args[1:], XDG_CACHE_HOME=str(texts / "cache"), HOME=str(texts)
    )


@pytest.mark.parametrize("command", ["list", "show", "diff", "migrate", "history", "lint"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = cardlaw("rules", command, "--help")
    assert done.returncode == 0
    assert re.search(rf"Examples?:\n\s+.*cardlaw rules {command}", done.stdout)


def test_list_has_the_releases_by_date_and_the_outline(texts: Path) -> None:
    (texts / "notes.txt").write_text("no rules", encoding="utf-8")
    done = rules(texts, "list")
    dates = [line.split()[:2] for line in done.stdout.splitlines()[1:]]
    assert dates == [["2026-01-16", "3,269"], ["2030-02-03", str(len(OLD))], ["2031-03-04", str(len(NEW))]]
    assert done.returncode == 0
    assert one_line(done.stderr)
    assert "notes.txt" in done.stderr
    assert json.loads(rules(texts, "list", "--format", "json").stdout)[1]["date"] == "2030-02-03"


def test_show_has_the_rule_as_that_release_has_it(texts: Path) -> None:
    done = rules(texts, "show", "701.3", "701.3z", "--release", "2030", "--format", "json")
    (shown,) = json.loads(done.stdout)
    assert (shown["title"], shown["rulebook"], shown["children"]) == (
        "Mill",
        "2030-02-03",
        ["701.3a", "701.3b"],
    )
    assert shown["terms"] == ["Mill"]
    assert done.returncode == 1
    assert "the release of 2030-02-03 has no rule 701.3z; near it are 701.3b" in done.stderr
    assert "of 2031-03-04" in rules(texts, "show", "701.3").stdout.replace("effective", "of")


def test_migrate_tells_where_numbers_went(texts: Path) -> None:
    done = rules(texts, "migrate", "701.3a-b", "103.1", "701.9", "--format", "json")
    answer = json.loads(done.stdout)
    assert (answer["from"], answer["to"]) == ("2030-02-03", "2031-03-04")
    assert [(each["number"], each["kind"], each["target"]) for each in answer["fates"]] == [
        ("701.3a", "moved", "701.4a"),
        ("701.3b", "moved", "701.4b"),
        ("103.1", "reworded", "103.1"),
        ("701.9", "unknown", None),
    ]
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "from the release of 2030-02-03" in done.stderr
    told = rules(texts, "migrate", "701.3", "--from", "2030", "--to", "2031")
    assert (told.returncode, told.stderr) == (0, "")
    assert re.match(r"701\.3  701\.4    Mill  moved  1\.00: same heading", told.stdout)
    assert "now 701.3 is what was 701.4, under “Scry”" in told.stdout
    assert "2030-02-03, to those of 2031-03-04" in told.stdout


def test_diff_as_text_marks_what_went_and_came(texts: Path) -> None:
    done = rules(texts, "diff", "2030", "2031")
    assert done.returncode == 0
    assert "who last saw [-a fox-] {+an <otter>+} in the wild" in done.stdout
    assert "701.3 → 701.4  Mill  moved, with 2 rules below it" in done.stdout
    assert "702.3c  Cycling  added\n    A bead" in done.stdout
    assert (
        json.loads(rules(texts, "diff", "2030", "2031", "--format", "json").stdout)["newer"] == "2031-03-04"
    )


def test_diff_as_a_page_loads_nothing_and_escapes(texts: Path) -> None:
    page = texts / "changes.html"
    done = rules(texts, "diff", "2030", "2031", "--format", "html", "-o", str(page))
    assert done.stdout == f"{page}\n"
    written = page.read_text(encoding="utf-8")
    assert "<del>a fox</del> <ins>an &lt;otter&gt;</ins>" in written
    headings = re.findall(r"<h2 id=\"s-\d+\">(.*?)</h2>", written)
    assert "701 Keyword Actions" in headings
    assert not re.search(r"<(?:script|link|img)|url\(|@import", written)


def test_history_and_lint(texts: Path) -> None:
    found = json.loads(rules(texts, "history", "701.4b", "--format", "json").stdout)
    assert [each["kind"] for each in found["events"]] == ["first found", "moved"]
    assert "now 701.4b" in rules(texts, "history", "701.3b", "--release", "2030").stdout
    clean = rules(texts, "lint", "--release", str(texts / "old.txt"))
    assert clean.returncode == 0
    (texts / "bad.txt").write_text(text(OLD, glossary={"Map": "See rule 110.10."}), encoding="utf-8")
    done = rules(texts, "lint", "--release", str(texts / "bad.txt"))
    assert done.returncode == 1
    assert done.stdout.startswith("dangling  glossary “Map” cites 110.10")


@pytest.mark.parametrize(
    "args",
    [
        ["show", "100.1", "--release", "1999"],
        ["show", "100.1", "--release", "/nonexistent"],
        ["diff", "2030", "20"],
        ["lint", "--release", "2026"],
        ["migrate", "100.1", "--to", "2026"],
        ["history", "999.1"],
    ],
)
def test_a_failure_is_told_in_one_line(texts: Path, args: list[str]) -> None:
    done = rules(texts, *args)
    assert (done.returncode, done.stdout) == (1, "")
    assert one_line(done.stderr)


def test_what_only_moved_along_is_folded() -> None:
    found = changes(parse(text().encode()), parse(text(ordered(NEW), "March 4, 2031").encode()))
    moved = [(each.change.old, each.below) for each in folded(found.rules) if each.change.kind == "moved"]
    assert moved == [("701.4", 1), ("701.3", 2)]
    assert "with 2 rules below it" in diff_page(found, {})


def test_the_fields_of_json_stay(texts: Path) -> None:
    """What other programs read; a field may be added, none may go."""

    def answer(*args: str) -> dict[str, list[dict[str, object]]]:
        return json.loads(rules(texts, *args, "--format", "json").stdout)  # type: ignore[no-any-return]

    fate = answer("migrate", "701.3", "--from", "2030", "--to", "2031")["fates"][0]
    assert {
        "number",
        "older",
        "newer",
        "kind",
        "target",
        "confidence",
        "reason",
        "reused",
        "candidates",
    } <= set(fate)
    change = answer("diff", "2030", "2031")["rules"][0]
    assert {"kind", "old", "new", "title", "confidence", "reason", "words", "renumbered", "reused"} <= set(
        change
    )
    event = answer("history", "701.3")["events"][0]
    assert {"release", "kind", "number", "before", "confidence", "reason", "words"} <= set(event)
    assert {"release", "references", "titles", "redirects", "faults"} <= set(answer("lint"))
