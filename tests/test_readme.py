"""What the README and the pages that it was cut into say is so: commands, terms, query and Python."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cardlaw.graph.build import build
from cardlaw.ontology import data

PROJECT = Path(__file__).resolve().parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def blocks(language: str, page: str = "README.md") -> list[str]:
    text = (PROJECT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def run(*args: str, stdin: str = "", code: int = 0) -> str:
    program = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()"]
    done = subprocess.run([*program, *args], input=stdin, capture_output=True, encoding="utf-8")
    assert done.returncode == code, done.stderr
    return done.stdout


def test_the_sample_is_what_the_program_says() -> None:
    sample, *_ = blocks("console")
    shown = sample.split("\n", 1)[1]
    card = "Lantern Fox {1}{W}\nCreature — Fox\n" + "\n".join(
        line.removeprefix("  ") for line in shown.splitlines() if re.match(r"  (Flying|When)", line)
    )
    assert run("annotate", stdin=f"{card}\n2/1\n") == shown


@pytest.mark.real
def test_the_moves_are_what_the_program_says(real_data: Path) -> None:
    (sample,) = blocks("console", "docs/releases.md")
    asked, shown = sample.split("\n", 1)
    typed = asked.removeprefix("$ cardlaw ").replace("texts", str(real_data / "rules"))
    assert run(*typed.split()) == shown


def test_the_citations_are_checked_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing was fetched
    monkeypatch.chdir(tmp_path)
    lines = re.search(r"\(Line 1 of `engine.py` is `(.*)`, line 2 `(.*)`\.\)", README)
    assert lines is not None
    Path("engine.py").write_text("\n".join(lines.groups()), encoding="utf-8")
    *_, sample = blocks("console")
    assert run("cite", "engine.py", code=1) == sample.split("\n", 1)[1]


def test_citations_of_ones_own(tmp_path: Path) -> None:
    catalogue, corrections = blocks("toml", "docs/own-citations.md")
    (tmp_path / "my.toml").write_text(catalogue, encoding="utf-8")
    (tmp_path / "corrections").write_text(corrections, encoding="utf-8")
    own = ["--catalogue", str(tmp_path), "--corrections", str(tmp_path / "corrections")]
    text = "Flying\nWhenever Lantern Fox attacks, you may sacrifice an artifact. If you do, draw a card."
    given = ["annotate", "--name", "Lantern Fox", "--type-line", "Creature"]
    was, shown = (set(run(*given, *more, stdin=text).splitlines()) for more in ([], own))
    gone, new = (
        sorted(line for line in lines if line.strip()[0].isdigit()) for lines in (was - shown, shown - was)
    )
    assert [line.split()[0] for line in gone] == ["118.12", "121"]
    assert [re.split("  +", line.strip())[::4] for line in new] == [
        ["301", "artifacts as such"],
        ["603.5", "optional when it resolves"],
    ]


def test_every_command_is_one_and_all_are_named() -> None:
    listed = set(re.findall(r"^  (\w+)  ", run("--help").partition("Options:")[2], re.MULTILINE))
    assert set(re.findall(r"^\| `cardlaw (\w+)", README, re.MULTILINE)) == listed
    assert set(re.findall(r"\bcardlaw (\w+) ", "".join(blocks("sh")))) <= listed


def test_the_terms_of_the_schema_are_declared() -> None:
    (diagram,) = blocks("mermaid")
    vocabulary = data("cardlaw.ttl").read_text(encoding="utf-8")
    declared = set(re.findall(r"^mtg:(\w+) a ", vocabulary, re.MULTILINE))
    plain = {"label", "notation", "of", "one", "ten", "kinds", "or"}
    named = set(re.findall(r"mtg:(\w+)", diagram))
    for box in re.findall(r'\["mtg:(.*?)"\]', diagram):
        named |= set(re.findall(r"\w+", box.replace("<br/>", " "))) - plain
    assert named <= declared


def test_the_query_runs(small_store: Path, tmp_path: Path) -> None:
    (query,) = blocks("sparql")
    (tmp_path / "q.rq").write_text(query, encoding="utf-8")
    assert run("query", str(tmp_path / "q.rq"), "--store", str(small_store)).split()[:2] == ["name", "words"]


def test_the_linking_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (linking,) = blocks("python")
    exec(linking, {})
    assert "1.1 702.9 Flying has_keyword Flying" in capsys.readouterr().out


@pytest.fixture
def few_cards(corpus_path: Path, tmp_path: Path) -> Path:
    """A graph of the real cards that the examples name."""
    named = {"Unpredictable Cyclone", "Astral Drift", "Humility", "Opalescence"}
    records = json.loads(corpus_path.read_text(encoding="utf-8"))
    (tmp_path / "cards.json").write_text(json.dumps([each for each in records if each["name"] in named]))
    build(cards=[tmp_path / "cards.json"], store=tmp_path / "store", workers=1)
    return tmp_path / "store"


def test_the_examples_in_python_answer_as_they_say(few_cards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.setenv("CARDLAW_STORE", str(few_cards))
    examples = "".join(blocks("pycon"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README", "README.md", 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)
    assert len(test.examples) > 15
