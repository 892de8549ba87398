"""Modules of `exports/web` that need no browser, run by node: called from Python, with values as JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).resolve().parent.parent / "exports" / "web"
LOOP = """
import { createInterface } from "node:readline";
import * as files from "./files.js";
import * as lists from "./lists.js";
import * as listfiles from "./listfiles.js";
import * as listkeep from "./listkeep.js";
const all = { ...files, ...lists, ...listfiles, ...listkeep };
const names = Object.keys(all);
for await (const line of createInterface({ input: process.stdin })) {
  const { code, given } = JSON.parse(line);
  let answer;
  try {
    answer = { value: new Function("given", ...names, code)(given, ...Object.values(all)) };
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\\n`);
}
"""


class Node:
    """A running node that knows the modules of lists."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, code: str, given: Any = None) -> Any:
        """What the body of a function of `given` returns; the functions of the modules are at hand."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, "given": given}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer.get("value")


@contextmanager
def running(folder: Path) -> Iterator[Node]:
    """Node over the modules, in a folder of the test's own; skips the test without node."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    for name in ("dom", "files", "lists", "listfiles", "listkeep"):
        shutil.copy(WEB / f"{name}.js", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "loop.js").write_text(LOOP, encoding="utf-8")
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [program, "loop.js"], cwd=folder, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
    )
    try:
        yield Node(process)
    finally:
        process.kill()
        process.communicate()
