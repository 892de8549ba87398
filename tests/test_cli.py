"""The command line as a person and as other programs meet it; every test runs the program itself."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "from cardlaw.exports.cli import main; main()"]
COMMANDS = (
    *("demo", "build", "fetch", "show", "query", "annotate", "view", "path", "similar", "deck", "info"),
    *("serve", "export", "publish", "check", "rules", "cite"),
)


def cardlaw(
    *args: str | Path, store: Path | None = None, stdin: str = "", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the program; texts are UTF-8, and `env` adds to the environment."""
    return subprocess.run(
        [*PROGRAM, *map(str, args)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment(store) | env,
    )


def environment(store: Path | None) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
    }
    return kept | {"CARDLAW_STORE": str(store or "/nonexistent")}


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("cardlaw: ") and "Traceback" not in text


# -- help and errors ---------------------------------------------------------------------------------


def test_help_imports_nothing_heavy() -> None:
    """So that it comes at once: what takes time is imported by the command that needs it."""
    code = (
        "import sys; from cardlaw.exports.cli import main; import atexit; "
        "atexit.register(lambda: print(*sys.modules)); sys.argv[1:] = ['--help']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "rich",
        "pyoxigraph",
        "networkx",
        "rdflib",
        "numpy",
        "pyvis",
        "rapidfuzz",
        "msgspec",
        "rustworkx",
        "starlette",
        "httpx",
        "uvicorn",
        "asyncio",
        "sqlite3",
        "platformdirs",
    }
    assert not heavy & set(done.stdout.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = cardlaw(command, "--help")
    assert done.returncode == 0
    assert re.search(rf"Examples?:\n\s+.*cardlaw {command}", done.stdout)


def test_help_is_a_tour_of_all_commands() -> None:
    """What to type first, then every command under a heading, with its whole first sentence."""
    shown = cardlaw("--help").stdout
    assert "More:" not in shown, "a command is in no group of exports/tour.py"
    groups = re.split(r"^(?=\S.*:$)", shown, flags=re.MULTILINE)
    listed = [name for group in groups for name in re.findall(r"^  ([a-z]+)  ", group, re.MULTILINE)]
    assert sorted(listed) == sorted(COMMANDS)
    assert "..." not in shown.partition("COMMAND [ARGS]...")[2]
    first = shown.index("cardlaw demo")
    assert first < shown.index("cardlaw show") < shown.index("Options:")
    for typed in re.findall(r"cardlaw ([a-z]+)", shown):
        assert typed in COMMANDS


def completed(line: str, store: Path | None) -> list[str]:
    """What bash offers at the end of a line; a blank at its end begins a new word."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(shlex.split(line + "x")) - 1)}
    done = cardlaw(store=store, _CARDLAW_COMPLETE="complete_bash", **words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_a_shell_completes_commands_and_options(small_store: Path) -> None:
    assert completed("cardlaw qu", small_store)[0] == "query"
    assert "--format" in "".join(completed("cardlaw show --for", small_store))
    assert completed("cardlaw rules mi", small_store)[0] == "migrate"


def test_a_shell_completes_names_twice_the_same(small_store: Path) -> None:
    """The first time they are read from the store, then from what is kept beside it."""
    for _ in range(2):
        assert completed("cardlaw show brindle-f", small_store) == ["brindle-falconer"]
        assert "702.29e" in completed("cardlaw show 702.29", small_store)
        assert "cycling" in completed("cardlaw path brindle-falconer cyc", small_store)
    assert "Brindle" in cardlaw("show", "brindle-falconer", store=small_store).stdout


@pytest.mark.parametrize("line", ["cardlaw show bri", "cardlaw show 7", "cardlaw view ."])
def test_a_tab_says_nothing_where_there_is_no_graph(line: str, tmp_path: Path) -> None:
    assert completed(line, tmp_path / "none") == []


def test_a_shell_completes_queries_and_their_parameters() -> None:
    assert completed("cardlaw query cards-by-k", None) == ["cards-by-keyword"]
    assert completed("cardlaw query cards-by-keyword --set ", None) == ["keyword=", "wanted=", "variants="]
    assert completed("cardlaw query nothing --set ", None) == []


def test_version() -> None:
    assert re.fullmatch(r"cardlaw \d+\.\d+.*\n", cardlaw("--version").stdout)


def test_without_a_command_there_is_help_on_stderr() -> None:
    done = cardlaw()
    assert (done.returncode, done.stdout) == (2, "")
    assert "Type first:" in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["shw"],
        ["show"],
        ["--nope"],
        ["show", "x", "--format", "yaml"],
        ["query", "vanilla-cards", "--set", "limit"],
        ["view", "x", "--depth", "-1"],
        ["view"],
        ["view", "x", "--atlas"],
        ["export", "docx"],
        ["info", "more"],
        ["serve", "--port", "70000"],
        ["rules"],
        ["rules", "migrate", "seven"],
    ],
)
def test_a_wrong_call_is_told_in_one_line(args: list[str]) -> None:
    done = cardlaw(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert one_line(done.stderr)
    assert "--help" in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["show", "x"],
        ["info"],
        ["serve"],
        ["query", "no-such-query"],
        ["annotate", "/nonexistent/card.txt"],
        ["annotate", "/dev/null"],
        ["annotate", sys.executable],
        ["build", "--cards", "/nonexistent/cards.json"],
        ["build", "--rules", "/nonexistent/rules.txt"],
        ["build", "--rules", __file__],
        ["build", "--catalogue", "/nonexistent"],
        ["build", "--catalogue", __file__],
        ["build", "--corrections", "/nonexistent/corrections.toml"],
        ["build", "--corrections", __file__],
        ["build", "--corrections", "/dev/null"],
    ],
)
def test_a_failure_is_told_in_one_line(args: list[str], tmp_path: Path) -> None:
    done = cardlaw(*args, *(["--store", str(tmp_path)] if args[0] == "build" else []))
    assert (done.returncode, done.stdout) == (1, "")
    assert one_line(done.stderr.removeprefix(f"Building the graph in {tmp_path} …\n"))


# -- show --------------------------------------------------------------------------------------------


def test_show_writes_one_page_that_holds_all_it_needs(small_store: Path, tmp_path: Path) -> None:
    names = ("Brindle Falconer", "702.9", "keyword:flying", "Zzyzx")
    file = tmp_path / "page.html"
    done = cardlaw("show", "--format", "html", *names, "-o", file, store=small_store)
    assert (done.returncode, done.stdout) == (1, f"{file}\n")
    assert one_line(done.stderr)
    html = file.read_text(encoding="utf-8")
    assert re.findall("<h1>(.*?)</h1>", html) == [
        "Brindle Falconer",
        '<span class="no">702.9</span> Flying',
        "Flying",
    ]
    assert "effective 2026-01-16" in html
    assert not re.search(r'<(?:link|script)[^>]*(?:href|src)="(?!data:,")', html)
    printed = cardlaw("show", "--format", "html", *names[:3], store=small_store)
    assert (printed.returncode, printed.stdout, printed.stderr) == (0, html, "")
    wrong = cardlaw("show", "702.9", "-o", file, store=small_store)
    assert wrong.returncode == 2
    assert "-o goes with --format html" in wrong.stderr


def test_show_answers_to_any_name(small_store: Path) -> None:
    done = cardlaw("show", "vane, UNTURNED", "702.9", "Flying", store=small_store)
    assert done.returncode == 0
    first, second, third = re.split(r"\n(?=702\.9 Flying|Flying  )", done.stdout)
    assert first.startswith("Vane Turner // Vane, Unturned (transform)\n\nVane Turner  {2}{R}\nCreature")
    assert "Brindle Falconer" in second
    assert third.startswith("Flying  keyword ability, 702.9")
    assert all("2026-01-16" in part for part in (first, second, third))


def test_unknown_names_do_not_spoil_the_rest(small_store: Path) -> None:
    done = cardlaw("show", "Brindle Falconr", "Salt Road", "Zzyzx", "--format", "json", store=small_store)
    assert done.returncode == 1
    assert [card["name"] for card in json.loads(done.stdout)] == ["Salt Road"]
    near, nothing = done.stderr.splitlines()
    assert "did you mean “Brindle Falconer”" in near
    assert "Zzyzx" in nothing
    assert json.loads(cardlaw("show", "Zzyzx", "--format", "json", store=small_store).stdout) == []


def test_json_of_a_card_has_its_keys_in_order(small_store: Path) -> None:
    (card,) = json.loads(cardlaw("show", "--format", "json", "Brindle Falconer", store=small_store).stdout)
    assert list(card) == [
        *("name", "iri", "oracle_id", "layout", "color_identity", "keywords", "rulebook", "faces", "tags"),
        *(
            "tag_reasons",
            "themes",
            "legalities",
            "prices",
            "printings",
            "rulings",
            "prices_date",
            "related",
            "origins",
        ),
    ]
    (face,) = card["faces"]
    assert list(face) == [
        *("name", "iri", "type_line", "mana_cost", "mana_value", "colors", "power", "toughness", "loyalty"),
        *("defense", "oracle_text", "citations", "abilities"),
    ]
    assert card["iri"] == "https://w3id.org/cardlaw/card/brindle-falconer"
    assert (card["oracle_id"], face["colors"], face["mana_value"]) == (None, None, 3)
    for ability in face["abilities"]:
        assert list(ability) == [
            *("id", "iri", "parent", "kind", "text", "start", "end", "keyword", "parameters", "ability_word"),
            *("parts", "citations"),
        ]
        assert list(ability["parts"]) == ["cost", "event", "condition", "effect"]
        for citation in ability["citations"]:
            assert list(citation) == [
                *("rule", "title", "relation", "field", "start", "end", "quote", "in_reminder", "granted"),
                *("conditional", "entry"),
            ]
            assert face["oracle_text"][citation["start"] : citation["end"]] == citation["quote"]


def test_json_of_a_rule_has_its_keys_in_order(small_store: Path) -> None:
    (rule,) = json.loads(cardlaw("show", "--format", "json", "702.9", store=small_store).stdout)
    assert list(rule) == [
        *("rule", "title", "text", "parent", "children", "references", "referenced_by", "examples"),
        *("card_count", "cards", "rulebook"),
    ]
    assert (rule["rule"], rule["title"], rule["parent"], rule["text"]) == ("702.9", "Flying", "702", None)
    assert len(rule["cards"]) == rule["card_count"]


def test_names_are_never_markup(small_store: Path) -> None:
    done = cardlaw("show", "<img src=x onerror=alert(1)>", "Ossa of the Two Doors", store=small_store)
    assert "<img src=x onerror=alert(1)>" in done.stdout
    assert "  [+1]: Scry 2.\n" in done.stdout


def test_what_has_no_text_of_its_own_is_told(small_store: Path) -> None:
    done = cardlaw("show", "type:creature", store=small_store)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cardlaw view type:creature" in done.stderr


# -- query -------------------------------------------------------------------------------------------


def test_query_lists_the_named_queries() -> None:
    done = cardlaw("query")
    assert re.search(r"^cards-by-rule  .+\n    --set rule=…", done.stdout, re.MULTILINE)


def test_query_takes_names_files_and_stdin(small_store: Path, tmp_path: Path) -> None:
    text = 'SELECT ?card { ?card a mtg:Card ; rdfs:label "Salt Road" }'
    file = tmp_path / "ask.rq"
    file.write_text(text)
    for args, stdin in ((["query", file], ""), (["query", "-"], text)):
        done = cardlaw(*args, store=small_store, stdin=stdin)
        assert done.stdout == "card\ncard:salt-road\n"
        assert "2026-01-16" in done.stderr
    named = cardlaw("query", "cards-by-rule", "--set", "rule=702.9", "--quiet", store=small_store)
    assert "Brindle Falconer" in named.stdout
    assert named.stderr == ""


def test_query_answers_in_each_format(small_store: Path) -> None:
    select = "SELECT ?name { card:salt-road rdfs:label ?name }"
    answers = {
        format_: cardlaw("query", "-", "--format", format_, "-q", store=small_store, stdin=select).stdout
        for format_ in ("table", "json", "csv", "tsv", "xml")
    }
    assert answers["table"] == "name\nSalt Road\n"
    assert json.loads(answers["json"])["results"]["bindings"][0]["name"]["value"] == "Salt Road"
    assert answers["csv"].split() == ["name", "Salt", "Road"]
    assert answers["tsv"].splitlines() == ["?name", '"Salt Road"']
    assert "<literal>Salt Road</literal>" in answers["xml"]
    describe = cardlaw(
        "query", "-", "--format", "turtle", "-q", store=small_store, stdin="DESCRIBE card:salt-road"
    )
    assert re.search(r"^card:salt-road .*\ba mtg:Card\b", describe.stdout, re.MULTILINE | re.DOTALL)
    assert cardlaw("query", "-", "-q", store=small_store, stdin="ASK { card:none ?p ?o }").stdout == "no\n"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * {\n ?s ?p }", ["line 2, column 9", "     ?s ?p }", "            ^"]),
        ("SELECT * {\n\t?s ?p # é\n }", ["line 3, column 2", "     }", "     ^"]),
        (
            "SELECT *\n{ ?s rfds:label ?o }",
            ["prefix: rfds:; did you mean rdfs:?)", "    { ?s rfds:label ?o }", "^"],
        ),
        ("SELECT * {", ["line 1, column 11", "    SELECT * {", "              ^"]),
        ("SELECT * {\n", ["the query ends too early"]),
    ],
)
def test_a_syntax_error_is_shown_where_it_is(small_store: Path, query: str, told: list[str]) -> None:
    done = cardlaw("query", "-", store=small_store, stdin=query)
    assert (done.returncode, done.stdout) == (1, "")
    lines = done.stderr.splitlines()
    assert len(lines) == len(told)
    assert told[0] in lines[0]
    assert [line.endswith(end) for line, end in zip(lines[1:], told[1:], strict=True)].count(False) == 0


@pytest.mark.parametrize(
    ("args", "stdin", "told"),
    [
        (["-"], "DELETE WHERE { ?s ?p ?o }", "read-only"),
        (["-"], "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE"),
        (["-", "--format", "csv"], "DESCRIBE card:salt-road", "turtle"),
        (["-", "--format", "turtle"], "ASK {}", "CONSTRUCT"),
        (["cards-by-rule"], "", "rule=…"),
        (["cards-by-rule", "--set", "rule=999.9"], "", "999.9"),
        (["vanilla-cards", "--set", "x=y"], "", "no parameter"),
    ],
)
def test_a_query_that_cannot_be_answered(small_store: Path, args: list[str], stdin: str, told: str) -> None:
    done = cardlaw("query", *args, store=small_store, stdin=stdin)
    assert (done.returncode, done.stdout) == (1, "")
    assert one_line(done.stderr)
    assert told in done.stderr


# -- annotate, view, info, export, build -------------------------------------------------------------


def test_annotate_needs_no_store() -> None:
    text = "Lamp Cat {W}\nCreature — Cat\nFlying\nWhen Lamp Cat enters, draw a card.\n1/1\n"
    (card,) = json.loads(cardlaw("annotate", "--format", "json", stdin=text).stdout)
    (face,) = card["faces"]
    assert (card["name"], card["iri"], face["power"]) == ("Lamp Cat", None, "1")
    assert [ability["kind"] for ability in face["abilities"]] == ["keyword", "triggered"]
    assert {"702.9", "603.6a", "121"} <= {c["rule"] for a in face["abilities"] for c in a["citations"]}
    shown = cardlaw("annotate", "--name", "Lamp", "--type-line", "Instant", "-", stdin="Draw a card.").stdout
    assert "1.1  spell ability\n  Draw a card.\n    " in shown
    assert "effective 2026-01-16" in shown


def test_annotate_by_a_catalogue_and_corrections_of_ones_own(tmp_path: Path) -> None:
    entry = (
        '[[entry]]\nid = "term.attic"\nrelation = "zone"\nanchor = "%s"\npattern = "attic"\nnote = "Why."\n'
    )
    (tmp_path / "own.toml").write_text(entry % "Library", encoding="utf-8")
    remove = '[[remove]]\ncard = "Lamp"\nrule = "%s"\nreason = "no"\n'
    corrections = tmp_path / "corrections"
    corrections.write_text('release = "2026-01-16"\n' + remove % "121", encoding="utf-8")
    own = ["annotate", "--catalogue", tmp_path, "--corrections", corrections, "--name", "Lamp"]
    done = cardlaw(*own, "--format", "json", stdin="Draw a card from the attic.")
    assert (done.returncode, done.stderr) == (0, "")
    (card,) = json.loads(done.stdout)
    cited = {c["rule"]: c["entry"] for c in card["faces"][0]["abilities"][0]["citations"]}
    assert cited["401"] == "term.attic"
    assert "121" not in cited
    assert "Why." in cardlaw(*own, stdin="Draw a card from the attic.").stdout
    for args, told in (
        (own, 'cannot remove 121 of "Lamp": there is no such citation'),
        ([*own[:-1], "Lantern"], 'no correction is for "Lantern"; --name tells the name of a card'),
    ):
        done = cardlaw(*args, stdin="Flying")
        assert one_line(done.stderr)
        assert (done.returncode, told in done.stderr.translate({0x201C: '"', 0x201D: '"'})) == (0, True)
    (tmp_path / "own.toml").write_text(entry % "Attics", encoding="utf-8")
    done = cardlaw(*own[:3], stdin="Flying")
    assert one_line(done.stderr)
    assert done.stderr.startswith("cardlaw: own.toml, entry term.attic: Attics: no section is headed")
    (tmp_path / "own.toml").write_text("x", encoding="utf-8")
    for args in (own[:3], ["annotate", "--corrections", __file__]):
        done = cardlaw(*args, stdin="Flying")
        assert (done.returncode, done.stdout, one_line(done.stderr)) == (1, "", True)
        assert "is not TOML" in done.stderr


def test_view_writes_one_page_and_says_where(small_store: Path, tmp_path: Path) -> None:
    done = cardlaw("view", "Brindle Falconer", "flying", store=small_store, cwd=tmp_path)
    assert done.stdout == "brindle-falconer.html\n"
    assert "Brindle Falconer" in (tmp_path / "brindle-falconer.html").read_text(encoding="utf-8")
    other = tmp_path / "ä b.html"
    assert cardlaw("view", "702.9", "-o", other, "--limit", "5", store=small_store).stdout == f"{other}\n"
    assert other.is_file()
    failed = cardlaw("view", "702.9", "-o", tmp_path / "no" / "x.html", store=small_store)
    assert failed.returncode == 1
    assert one_line(failed.stderr)


def test_view_writes_the_atlas(small_store: Path, tmp_path: Path) -> None:
    done = cardlaw("view", "--atlas", store=small_store, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "atlas.html\n", "")
    assert "<title>Atlas" in (tmp_path / "atlas.html").read_text(encoding="utf-8")


def test_info_says_what_the_graph_is_made_of(small_store: Path) -> None:
    shown = cardlaw("info", store=small_store).stdout
    for word in (str(small_store), "2026-01-16", "cards.json", "sha256", "layer:evidence", "size on disk"):
        assert word in shown


def test_export_nquads_is_the_whole_graph_and_the_same_each_time(small_store: Path, tmp_path: Path) -> None:
    import pyoxigraph

    file = tmp_path / "all.nq"
    assert cardlaw("export", "nquads", "-o", file, store=small_store).stdout == ""
    store = pyoxigraph.Store()
    store.load(path=str(file), format=pyoxigraph.RdfFormat.N_QUADS)
    count = cardlaw(
        "query", "-", "-q", store=small_store, stdin="SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    )
    assert len(store) == int(count.stdout.split()[1])
    assert cardlaw("export", "nquads", store=small_store).stdout == file.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["all.nq"]


def test_export_jsonl_is_what_show_says(small_store: Path) -> None:
    exported = cardlaw("export", "jsonl", store=small_store).stdout.removesuffix("\n")
    rows = [json.loads(line) for line in exported.split("\n")]
    assert [row["iri"] for row in rows] == sorted(row["iri"] for row in rows)
    names = [row["name"] for row in rows]
    shown = cardlaw("show", "--format", "json", *(row["iri"] for row in rows), store=small_store)
    assert "Ætherjötun, the Élan’s Own" in names
    assert json.loads(shown.stdout) == rows


def test_export_leaves_nothing_behind_when_it_cannot_write(small_store: Path, tmp_path: Path) -> None:
    done = cardlaw("export", "jsonl", "-o", tmp_path / "no" / "x", store=small_store)
    assert done.returncode == 1
    assert one_line(done.stderr)


def test_build_tells_counts_and_what_was_skipped(tmp_path: Path) -> None:
    cards = Path(__file__).parent / "fixtures" / "cards.json"
    done = cardlaw("build", "--cards", cards, "--store", tmp_path / "s")
    assert done.returncode == 0
    assert re.search(r"^cards +30$", done.stdout, re.MULTILINE)
    assert re.search(r"^1 skipped: .*letters.*\n    \?!$", done.stdout, re.MULTILINE)
    quiet = cardlaw("build", "--cards", cards, "--store", tmp_path / "s", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


# -- pipes, signals, terminals -----------------------------------------------------------------------


def test_a_reader_that_leaves_early_is_no_error(small_store: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "export", "nquads"],
        env=environment(small_store),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().endswith(b" .\n")
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 128 + signal.SIGPIPE


def test_ctrl_c_ends_quietly() -> None:
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "annotate"],
        env=environment(None),
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "Ctrl-D" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "")
    assert process.returncode == 130
    os.close(keyboard)
    os.close(terminal)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_no_encoding_stops_an_answer(small_store: Path, encoding: str) -> None:
    name = "Ætherjötun, the Élan’s Own"
    args = [*PROGRAM, "show", name, "Ossa of the Two Doors"]
    env = environment(small_store) | {"PYTHONIOENCODING": encoding}
    text = subprocess.run(args, env=env, capture_output=True)
    assert text.returncode == 0
    shown = text.stdout.decode(encoding)
    assert "[-X]: Draw X cards." in shown  # written with U+2212 on the card
    assert "—" in shown if encoding == "cp1252" else "Legendary Creature - Giant" in shown
    data = subprocess.run([*args, "--format", "json"], env=env, capture_output=True)
    assert json.loads(data.stdout.decode("utf-8"))[0]["name"] == name


def test_the_plain_locale_will_do(small_store: Path) -> None:
    done = cardlaw(
        "show", "Salt Road", store=small_store, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    assert done.returncode == 0
    assert 'card type     "Land"' in done.stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_do_no_harm(small_store: Path, closed: str) -> None:
    command = f'"$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", command, "sh", *PROGRAM, "show", "Salt Road", "Zzyzx"],
        env=environment(small_store),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told(small_store: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "export", "jsonl"],
            env=environment(small_store),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert one_line(done.stderr)


def on_terminal(columns: int, *args: str, store: Path, **env: str) -> str:
    """What a terminal of that width shows."""
    screen, terminal = pty.openpty()
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = environment(store) | {"TERM": "xterm-256color"} | env
    process = subprocess.Popen([*PROGRAM, *args], env=kept, stdout=terminal, stderr=terminal, stdin=terminal)
    os.close(terminal)
    shown = b""
    while True:
        try:
            block = os.read(screen, 65536)
        except OSError:  # all is said
            break
        if not block:
            break
        shown += block
    os.close(screen)
    assert process.wait() == 0
    return shown.decode("utf-8")


def test_a_terminal_gets_color_and_lines_that_fit(small_store: Path) -> None:
    shown = on_terminal(60, "show", "Brindle Falconer", store=small_store)
    assert "\x1b[" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(len, plain.splitlines())) <= 60
    assert "\x1b[3" not in on_terminal(60, "show", "Brindle Falconer", store=small_store, NO_COLOR="1")


def test_a_terminal_sees_progress(tmp_path: Path) -> None:
    cards = str(Path(__file__).parent / "fixtures" / "cards.json")
    shown = on_terminal(100, "build", "--cards", cards, store=tmp_path / "s")
    assert re.search(r"linking the cards .*30/30", shown)


HARD = ["See " + "x" * 80, "あ" * 60, "This creature has " + "x/" * 60, "\u200b" * 200]


@pytest.mark.parametrize("text", HARD)
def test_a_long_word_in_a_quote_is_cut(text: str, tmp_path: Path) -> None:
    (tmp_path / "card.txt").write_text(text, encoding="utf-8")
    assert cardlaw("annotate", str(tmp_path / "card.txt")).returncode == 0


@pytest.mark.parametrize(
    "query", ["SELECT * " + "{" * 5000 + "}" * 5000, "ASK { FILTER(" + "!" * 20000 + "true) }"]
)
def test_a_query_nested_too_deeply_is_refused(small_store: Path, query: str, tmp_path: Path) -> None:
    (tmp_path / "deep.rq").write_text(query)
    done = cardlaw("query", str(tmp_path / "deep.rq"), "--store", str(small_store))
    assert (done.returncode, done.stdout) == (1, "")
    assert "nested too deeply" in done.stderr


def test_a_view_that_cannot_be_written_leaves_the_file_that_was_there(
    small_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardlaw.exports import files
    from cardlaw.graph.errors import CardlawError

    page = tmp_path / "view.html"
    page.write_text("precious")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(CardlawError, match="No space left"):
        files.write_file([b"page"], page)
    assert [path.name for path in tmp_path.iterdir()] == ["view.html"]
    assert page.read_text() == "precious"


def test_a_damaged_store_says_what_to_do(small_store: Path, tmp_path: Path) -> None:
    broken = tmp_path / "store"
    shutil.copytree(small_store, broken)
    for table in broken.glob("builds/*/store/*.sst"):
        table.write_bytes(table.read_bytes()[: table.stat().st_size // 2])
    done = cardlaw("show", "702.29", "--store", str(broken))
    assert done.returncode == 1
    assert "run `cardlaw build`" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_export_of_a_store_without_a_layer_is_an_error(small_store: Path, tmp_path: Path) -> None:
    broken = tmp_path / "store"
    shutil.copytree(small_store, broken)
    next(broken.glob("builds/*/evidence.nq.gz")).unlink()
    done = cardlaw("export", "nquads", "-o", str(tmp_path / "all.nq"), "--store", str(broken))
    assert done.returncode == 1
    assert "cardlaw build" in done.stderr
    assert not (tmp_path / "all.nq").exists()


def test_nothing_on_stderr_drives_the_terminal(small_store: Path) -> None:
    done = cardlaw("show", "\x1b[31mred", "--store", str(small_store))
    assert "\x1b" not in done.stderr
