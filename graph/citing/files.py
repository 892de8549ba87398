"""Which files of a tree are read: paths in, files and what is skipped out, in the order of their names.

What git ignores is left out: `.gitignore` of each folder and of those above it up to the root of the
repository, the deepest first, then `.git/info/exclude` (gitignore(5); patterns are matched by pathspec). What
is named is read even if it is ignored. Links are not followed, so nothing is read twice and no walk is
endless; what is neither a file nor a folder is never opened, since it may not end. Both are told as skipped.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pathspec import GitIgnoreSpec, Pattern

__all__ = ["LARGEST", "STDIN", "Found", "Reason", "Skipped", "walk"]

LARGEST = 64_000_000
"""Bytes of the largest file that is read."""

STDIN = "-"

Reason: TypeAlias = Literal[
    "binary", "too large", "symbolic link", "special file", "unreadable", "not there", "changed meanwhile"
]

_KEPT_BY_VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})


class Found(NamedTuple):
    """A file to read."""

    path: str  # as it was named, or below a folder that was; os.fsencode gives its bytes
    size: int  # bytes, as the file system has it
    named: bool = False  # by the caller, not found in a folder


class Skipped(NamedTuple):
    """What was not read."""

    path: str
    reason: Reason
    named: bool = False  # as above


class _Rule(NamedTuple):
    """One pattern, in parts that together match a path itself, but not one below a path that it matches."""

    ignore: bool
    name: Pattern | None  # its last part; None: any name
    whole: Pattern | None  # None: its last part is all of it
    depth: int | None  # slashes before the name; None: any number
    only_folders: bool
    end: str  # of the path for which the whole is asked: "/" or ""


class _Level(NamedTuple):
    """The patterns of one file, and the way from its folder to the one that is walked."""

    rules: tuple[_Rule, ...]
    way: str  # "" or ends with a slash

    def says(self, name: str, is_folder: bool) -> bool | None:
        """Whether what has this name is ignored, if a pattern has a word on it: the last one has.

        The folders above it are not ignored, or it would not be asked: only the path itself counts.
        """
        depth = self.way.count("/")
        for rule in reversed(self.rules):
            if rule.depth not in (None, depth) or (rule.only_folders and not is_folder):
                continue
            if rule.name is not None and rule.name.match_file(name) is None:
                continue
            if rule.whole is None or rule.whole.match_file(f"{self.way}{name}{rule.end}") is not None:
                return rule.ignore
        return None


class _Folder(NamedTuple):
    path: str  # as shown
    real: str  # absolute, without links
    levels: tuple[_Level, ...]  # the last that has a word on a path decides


def walk(paths: Sequence[str]) -> Iterator[Found | Skipped]:
    """The files at and below `paths`; each one once, even if it is below two of them.

    Args:
        paths: files and folders; `-` is stdin, and comes back as a file of size 0.
    """
    seen: set[str] = set()  # real paths
    for path in paths:
        if path == STDIN:
            yield Found(STDIN, 0, named=True)
            continue
        try:
            status = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            yield Skipped(path, "not there", named=True)
            continue
        except (OSError, ValueError):  # a loop of links, a folder that cannot be entered, a NUL in the name
            yield Skipped(path, "unreadable", named=True)
            continue
        real = os.path.realpath(path)
        found = _below(path, real) if stat.S_ISDIR(status.st_mode) else [(real, _told(path, status))]
        for where, each in found:
            if where not in seen:
                seen.add(where)
                yield each._replace(path=_without_dot(each.path), named=each.path == path)


def _without_dot(path: str) -> str:
    """`a.py` for `./a.py`, as git has it."""
    plain = path.removeprefix(f".{os.sep}").lstrip(os.sep) if path.startswith(f".{os.sep}") else path
    return plain if plain not in ("", STDIN) else path


def _told(path: str, status: os.stat_result) -> Found | Skipped:
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path, "special file")
    if status.st_size > LARGEST:
        return Skipped(path, "too large")
    return Found(path, status.st_size)


def _below(path: str, real: str) -> Iterator[tuple[str, Found | Skipped]]:
    """What is in a folder, each with its real path."""
    open_folders = [_opened(_Folder(path, real, _levels_above(Path(real))))]
    while open_folders:
        folder, entries = open_folders[-1]
        entry = next(entries, None)
        if entry is None:
            open_folders.pop()
        elif isinstance(entry, Skipped):
            yield folder.real, entry
        else:
            where = os.path.join(folder.real, entry.name)
            inside = entry.is_dir(follow_symlinks=False)
            if entry.name in _KEPT_BY_VERSION_CONTROL or _ignored(folder.levels, entry.name, inside):
                continue
            if inside:
                way = tuple(_Level(level.rules, f"{level.way}{entry.name}/") for level in folder.levels)
                open_folders.append(_opened(_Folder(entry.path, where, way)))
            elif entry.is_symlink():
                yield where, Skipped(entry.path, "symbolic link")
            else:
                try:
                    yield where, _told(entry.path, entry.stat(follow_symlinks=False))
                except OSError:
                    yield where, Skipped(entry.path, "unreadable")


def _opened(folder: _Folder) -> tuple[_Folder, Iterator[os.DirEntry[str] | Skipped]]:
    """The folder with its own patterns, and what is in it in the order of the bytes of the names."""
    try:
        with os.scandir(folder.path) as entries:
            listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    except OSError:
        return folder, iter([Skipped(folder.path, "unreadable")])
    real, levels = Path(folder.real), folder.levels
    if any(entry.name == ".git" for entry in listed):  # patterns of a repository end where another begins
        levels = _excludes(real)
    return folder._replace(levels=(*levels, *_patterns(real / ".gitignore"))), iter(listed)


def _ignored(levels: tuple[_Level, ...], name: str, is_folder: bool) -> bool:
    return next(
        (said for level in reversed(levels) if (said := level.says(name, is_folder)) is not None), False
    )


def _levels_above(folder: Path) -> tuple[_Level, ...]:
    """The patterns that hold in a folder from the root of its repository down, without its own."""
    root = next((each for each in folder.parents if os.path.lexists(each / ".git")), None)
    if root is None or os.path.lexists(folder / ".git"):
        return ()
    levels = (*_excludes(root), *_patterns(root / ".gitignore"))
    here = root
    for name in folder.relative_to(root).parts:
        if _ignored(levels, name, is_folder=True):
            return ()  # it is named all the same
        here /= name
        levels = tuple(_Level(level.rules, f"{level.way}{name}/") for level in levels)
        if here != folder:
            levels += _patterns(here / ".gitignore")
    return levels


def _excludes(root: Path) -> tuple[_Level, ...]:
    """`info/exclude` of the repository with this root; in a worktree and a submodule, `.git` is a file."""
    git = root / ".git"
    try:
        if git.is_file():
            git = root / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            with_others = git / "commondir"
            if with_others.is_file():
                git /= with_others.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ()
    return _patterns(git / "info" / "exclude")


def _patterns(file: Path) -> tuple[_Level, ...]:
    """What a file of patterns says; nothing if it is not there, no plain file or unreadable."""
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return ()
        lines = file.read_bytes().decode("utf-8-sig", "surrogateescape").split("\n")
    except (OSError, ValueError):
        return ()
    rules = tuple(rule for line in lines if (rule := _rule(line.removesuffix("\r"))) is not None)
    return (_Level(rules, ""),) if rules else ()


def _rule(line: str) -> _Rule | None:
    """What a line says; None for a comment and its like."""
    pattern = _pattern(line)
    if pattern is None or pattern.include is None:
        return None
    inner = line.strip().removeprefix("!").removesuffix("/")
    start, _, last = inner.rpartition("/")
    only_folders = line.rstrip().endswith("/")
    below = last == "**" and not {*start.split("/")} <= {"", "**"}  # a/**/: pathspec takes a/ for it too
    name = None if last == "**" else _pattern(f"\\{last}" if last.startswith(("#", "!")) else last)
    return _Rule(
        ignore=pattern.include,
        name=name,
        whole=None if name is not None and "/" not in inner else pattern,
        depth=inner.removeprefix("/").count("/") if "/" in inner and "**" not in inner else None,
        only_folders=only_folders,
        end="/" if only_folders and not below else "",
    )


def _pattern(line: str) -> Pattern | None:
    """None where pathspec takes a line for a mistake: "!" alone and its like mean nothing to git either."""
    try:
        (pattern,) = GitIgnoreSpec.from_lines([line]).patterns
    except ValueError:
        return None
    return pattern
