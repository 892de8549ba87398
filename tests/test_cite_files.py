"""Which files of a tree are read, and which are not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlaw.graph.citing.files import LARGEST, Found, Skipped, walk


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def read(*paths: str) -> list[str]:
    return [each.path for each in walk(paths) if isinstance(each, Found)]


def skipped(*paths: str) -> dict[str, str]:
    return {each.path: each.reason for each in walk(paths) if isinstance(each, Skipped)}


def test_files_come_in_the_order_of_their_names(tree: Path) -> None:
    write(tree, **{"b.py": "", "a/z.py": "", "a/Z.py": "", "a.py": "", "a/b/c.py": ""})
    assert read(".") == ["a/Z.py", "a/b/c.py", "a/z.py", "a.py", "b.py"]
    assert read("b.py", "a") == ["b.py", "a/Z.py", "a/b/c.py", "a/z.py"]


def test_a_file_is_read_once(tree: Path) -> None:
    write(tree, **{"a/b.py": "", "c.py": ""})
    assert read("a", ".", "a/b.py", str(tree)) == ["a/b.py", "c.py"]


def test_ignored_files_are_not_read(tree: Path) -> None:
    write(
        tree,
        **{
            ".gitignore": "*.log\n!keep.log\n/build/\n# a comment\n\\#odd\n!\n\n",
            "a.log": "",
            "keep.log": "",
            "build/a.py": "",
            "src/build/a.py": "",
            "src/.gitignore": "!b.log\nkeep.log\n",
            "src/b.log": "",
            "src/keep.log": "",
            "#odd": "",
        },
    )
    assert read(".") == [".gitignore", "keep.log", "src/.gitignore", "src/b.log", "src/build/a.py"]
    assert not skipped(".")


def test_what_is_named_is_read_even_if_it_is_ignored(tree: Path) -> None:
    (tree / ".git").mkdir()
    write(tree, **{".gitignore": "out/\n*.log\n", "out/a.py": "", "out/sub/b.py": "", "a.log": ""})
    assert read(".") == [".gitignore"]
    assert read("a.log", "out") == ["a.log", "out/a.py", "out/sub/b.py"]
    assert read("out/sub") == ["out/sub/b.py"]


def test_the_patterns_of_the_whole_repository_hold_in_a_part_of_it(tree: Path) -> None:
    write(
        tree,
        **{
            ".git/info/exclude": "secret.py\n",
            ".gitignore": "*.log\n/src/gen/\n",
            "src/.gitignore": "!src.log\n/deep/only-here.py\n",
            "src/src.log": "",
            "src/other.log": "",
            "src/secret.py": "",
            "src/gen/a.py": "",
            "src/deep/only-here.py": "",
            "src/deep/a.py": "",
        },
    )
    assert read("src") == ["src/.gitignore", "src/deep/a.py", "src/src.log"]
    assert read("src/deep") == ["src/deep/a.py"]


def test_patterns_end_where_another_repository_begins(tree: Path) -> None:
    write(tree, **{".git/HEAD": "", ".gitignore": "*.log\n", "sub/.git/HEAD": "", "sub/a.log": ""})
    assert read(".") == [".gitignore", "sub/a.log"]
    assert read("sub") == ["sub/a.log"]


def test_excludes_of_a_worktree_lie_with_those_of_its_repository(tree: Path) -> None:
    write(
        tree,
        **{
            "main/.git/info/exclude": "x.py\n",
            "main/.git/worktrees/w/commondir": "../..\n",
            "w/.git": f"gitdir: {tree}/main/.git/worktrees/w\n",
            "w/x.py": "",
            "w/y.py": "",
        },
    )
    assert read("w") == ["w/y.py"]


def test_links_are_not_followed_and_pipes_not_opened(tree: Path) -> None:
    write(tree, **{"a.py": "", "sub/b.py": ""})
    (tree / "loop").symlink_to(tree)
    (tree / "sub" / "up").symlink_to("..")
    (tree / "c.py").symlink_to("a.py")
    (tree / "broken").symlink_to("nowhere")
    (tree / "itself").symlink_to("itself")
    os.mkfifo(tree / "pipe")
    assert read(".") == ["a.py", "sub/b.py"]
    links = ("broken", "c.py", "itself", "loop", "sub/up")
    assert skipped(".") == {"pipe": "special file"} | dict.fromkeys(links, "symbolic link")
    assert read("c.py") == ["c.py"]  # named
    assert skipped("broken", "pipe", "/dev/zero") == {
        "broken": "not there",
        "pipe": "special file",
        "/dev/zero": "special file",
    }
    assert skipped("itself") == {"itself": "unreadable"}


def test_patterns_are_never_waited_for(tree: Path) -> None:
    os.mkfifo(tree / ".gitignore")
    write(tree, **{"a.py": ""})
    assert read(".") == ["a.py"]


def test_huge_files_are_skipped(tree: Path) -> None:
    with (tree / "huge").open("wb") as file:
        file.truncate(LARGEST + 1)
    with (tree / "large").open("wb") as file:
        file.truncate(LARGEST)
    assert skipped(".") == {"huge": "too large"}
    assert read(".") == ["large"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_entered_is_told(tree: Path) -> None:
    write(tree, **{"closed/a.py": "", "b.py": ""})
    (tree / "closed").chmod(0)
    try:
        assert skipped(".") == {"closed": "unreadable"}
    finally:
        (tree / "closed").chmod(0o700)


@pytest.mark.parametrize("name", ["", "nope", "a.py/b", "nul\0"])
def test_what_is_not_there_is_told(tree: Path, name: str) -> None:
    write(tree, **{"a.py": ""})
    (told,) = walk([name])
    assert isinstance(told, Skipped)
    assert (told.reason, told.named) == ("unreadable" if "\0" in name else "not there", True)


def test_any_name_is_a_name(tree: Path) -> None:
    names = ["-", "--fix", "a\nb", "\x1b[31m", "a:1:2", "%41", " ", "ü", os.fsdecode(b"\xff")]
    for name in names:
        (tree / name).write_text("")
    listed = read(".")
    assert sorted(name.removeprefix("./") for name in listed) == sorted(names)
    assert "-" not in listed  # that is stdin
    assert all(Path(name).is_file() for name in listed)


def test_deep_trees_do_not_exhaust_the_stack(tree: Path) -> None:
    deep = "/".join("d" * 1500)
    subprocess.run(["mkdir", "-p", deep], check=True)
    try:
        (tree / deep / "a.py").write_text("")
        assert read(".") == [f"{deep}/a.py"]
    finally:
        subprocess.run(["rm", "-r", "d"], check=True)  # with fewer steps than pytest takes


PARTS = st.sampled_from(["a", "b", "ab", "*", "a*", "**", "?", "[ab]"])
PATTERNS = st.builds(
    lambda no, root, parts, folder: no + root + "/".join(parts) + folder,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
FILES = ["a", "b/a", "b/b", "ab/a/b", "ab/b/a/ab", "x/a", "x/ab/b", "x/y"]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    root=st.lists(PATTERNS, max_size=4),
    inner=st.lists(PATTERNS, max_size=3),
    exclude=st.lists(PATTERNS, max_size=2),
)
def test_as_git_ignores_so_do_we(
    tmp_path_factory: pytest.TempPathFactory, root: list[str], inner: list[str], exclude: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "init", "-q", str(folder)], check=True, capture_output=True)
    write(folder, **dict.fromkeys(FILES, ""))
    write(
        folder,
        **{
            ".gitignore": "\n".join(root),
            "x/.gitignore": "\n".join(inner),
            ".git/info/exclude": "\n".join(exclude),
        },
    )
    listed = subprocess.run(
        ["git", "-c", "core.excludesFile=/dev/null", "ls-files", "--others", "--exclude-standard"],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    )
    assert sorted(os.path.relpath(path, folder) for path in read(str(folder))) == sorted(
        listed.stdout.split()
    )
