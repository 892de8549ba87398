"""The pages of `docs/`: their console samples are what the program says, and some are made from it.

    python tests/docpages.py

runs the samples and writes what they say, `commands.md` and the table of `data-card.md` anew; `test_docs.py`
fails where a page is not what this would write. A block of `console` is run line by line, by bash, in a
folder with the invented cards; a block that follows a line such as “`question.rq`:” is a file there.
"""

from __future__ import annotations

import csv
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo

PROJECT = Path(__file__).resolve().parent.parent
DOCS = PROJECT / "docs"
TUTORIALS = ("questions.md", "keyword.md", "cite.md", "deck.md", "notebook.md")
"""The pages with samples, besides `index.md`, which builds what they ask."""

_BLOCK = re.compile(
    r"(?:^`(?P<file>[\w.-]+)`:\n\n)?^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


class Reader:
    """A person who follows the pages: a folder, a store and a shell."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        programs = folder / ".bin"
        programs.mkdir()
        program = programs / "cardlaw"
        python = shlex.quote(sys.executable)
        program.write_text(
            f"#!/bin/sh\nexec {python} -c 'from cardlaw.exports.cli import main; main()' \"$@\"\n"
        )
        program.chmod(0o755)
        shutil.copy(DOCS / "cards.json", folder)
        self.environment = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "CARDLAW_STORE": "tutorial",
            "XDG_CACHE_HOME": str(folder / ".cache"),
            "LC_ALL": "C.UTF-8",
        }

    def types(self, line: str) -> str:
        """What a line of a shell says, on both streams."""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return done.stdout

    def follows(self, page: str) -> str:
        """The page, with what each of its samples says now."""

        def answer(block: re.Match[str]) -> str:
            if block["file"]:
                (self.folder / block["file"]).write_text(block["body"], encoding="utf-8")
            if block["language"] != "console":
                return block[0]
            typed = [line for line in block["body"].splitlines() if line.startswith("$ ")]
            said = "".join(f"{line}\n{self.types(line[2:])}" for line in typed)
            return f"```console\n{said.rstrip()}\n```"

        return _BLOCK.sub(answer, page)


def blocks(page: str, language: str) -> list[str]:
    """The bodies of the fenced blocks of a language."""
    return [block["body"] for block in _BLOCK.finditer(page) if block["language"] == language]


# -- the reference -----------------------------------------------------------------------------------


def reference() -> str:
    """The page of all commands, from what the functions of the command line declare."""
    from cardlaw.exports.cli import app

    lines = [
        "# Commands",
        "",
        "`cardlaw COMMAND --help` says the same. Data go to stdout, all else to stderr. The exit code is 0,",
        "1 for a failure, 2 for a wrong call. A NAME is the name of a card, face or token, a rule number, a",
        "keyword, a glossary term or a prefixed name such as `rule:614.1a`. The graph lies in",
        "`$CARDLAW_STORE`, or else in your data folder: `cardlaw info` says where.",
        "",
    ]
    for path, function in sorted(_commands(app, "cardlaw")):
        lines += _described(path, function)
    return "\n".join(lines).rstrip() + "\n"


def _commands(app: typer.Typer, path: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    for command in app.registered_commands:
        assert command.callback is not None
        yield f"{path} {command.name or command.callback.__name__}", command.callback
    for group in app.registered_groups:
        inner = group.typer_instance
        assert inner is not None
        assert inner.registered_callback is not None
        assert inner.registered_callback.callback is not None
        name = f"{path} {group.name or inner.info.name}"
        yield name, inner.registered_callback.callback
        yield from _commands(inner, name)


def _described(path: str, function: Callable[..., Any]) -> Iterator[str]:
    rows = list(_parameters(function))
    arguments = " ".join(name for name, _ in rows if not name.startswith("-"))
    yield from (f"## {path}", "", f"`{f'{path} [OPTIONS] {arguments}'.strip()}`", "")
    for part in (inspect.getdoc(function) or "").replace("\b\n", "").split("\n\n"):
        title, _, rest = part.partition("\n")
        if re.fullmatch(r"Examples?:", title):
            yield from ("```sh", *(line.strip() for line in rest.splitlines()), "```", "")
        else:
            yield from (_plain(part), "")
    if rows:
        yield from (f"- `{name}`: {meaning}" for name, meaning in rows)
        yield ""


def _parameters(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """What a function takes: as it is written, and what it means."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, declared = get_args(hints[name])
        kinds = {kind, *get_args(kind), *(each for inner in get_args(kind) for each in get_args(inner))}
        many = any(get_origin(each) is list for each in (kind, *get_args(kind)))
        default = parameter.default
        shown = declared.metavar or name.upper().rstrip("_")
        if isinstance(declared, ArgumentInfo):
            shown = shown.removesuffix("...]").removesuffix("...") + ("..." if many else "")
            written = shown if default is inspect.Parameter.empty or shown[0] == "[" else f"[{shown}]"
        else:
            long, *short = (declared.default, *declared.param_decls)  # so typer keeps them in Annotated
            written = ", ".join([*short, long if kind is bool else f"{long} {shown}"])
        choices = [each.value for one in kinds if isinstance(one, EnumType) for each in one]
        meaning = _plain(declared.help or "")
        if choices and declared.metavar is None:
            meaning += f" One of {', '.join(f'`{each}`' for each in choices)}."
        if default not in (inspect.Parameter.empty, None, False) and "default:" not in meaning:
            meaning += f" Default: `{getattr(default, 'value', default)}`."
        yield written, meaning


def _plain(text: str) -> str:
    """One line, with nothing that Markdown would read as a mark."""
    return re.sub(r"([|*_<\[])", r"\\\1", " ".join(text.split()))


# -- the data card -----------------------------------------------------------------------------------

_TABLES = {
    name: re.compile(rf"(?<=<!-- measured: {name} -->\n).*?(?=<!-- end -->)", re.DOTALL)
    for name in ("citations", "tags")
}


def with_measures(page: str) -> str:
    """The page with what was read and found wrong: citations by relation, tags by their first word."""
    relations = json.loads((PROJECT / "ontology" / "review.json").read_text(encoding="utf-8"))
    page = _TABLES["citations"].sub(_table("relation", relations), page)
    tags: dict[str, dict[str, int]] = {}
    for sheet in sorted((PROJECT / "tests" / "review" / "tags").glob("*.tsv")):
        with sheet.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                counts = tags.setdefault(row["tag"].partition(".")[0], dict.fromkeys(_COUNTS, 0))
                kind = {"hit": "hits", "miss": "misses"}[row["sample"]]
                counts[kind] += 1
                counts[f"wrong_{kind}"] += row["verdict"] == "wrong"
    return _TABLES["tags"].sub(_table("tags", tags), page)


_COUNTS = ("hits", "wrong_hits", "misses", "wrong_misses")


def _table(what: str, counts: dict[str, dict[str, int]]) -> str:
    lines = [
        "",
        f"| {what} | read | wrong | precision | places without one read | missed |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    total = {name: sum(each[name] for each in counts.values()) for name in _COUNTS}
    for name, each in [*counts.items(), ("all", total)]:
        hits, wrong, misses, missed = (each[count] for count in _COUNTS)
        right = f"{1 - wrong / hits:.1%}"
        lines.append(f"| {name.replace('_', ' ')} | {hits:,} | {wrong} | {right} | {misses:,} | {missed} |")
    return "\n".join([*lines, "", ""])


def main() -> None:
    """Write all pages anew."""
    (DOCS / "commands.md").write_text(reference(), encoding="utf-8")
    card = DOCS / "data-card.md"
    card.write_text(with_measures(card.read_text(encoding="utf-8")), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(Path(folder))
        for name in ("index.md", *TUTORIALS):
            page = DOCS / name
            page.write_text(reader.follows(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
