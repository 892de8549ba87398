"""The edge to the terminal: output streams, progress, and errors as one line and an exit code.

Data goes to stdout, everything else to stderr. What other programs read is written as UTF-8 bytes
whatever the locale says; text for people is written in the locale's encoding, with plain stand-ins for the
few typographic characters that it may lack, so that no character can stop an answer.
"""

from __future__ import annotations

import codecs
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

import typer

from cardlaw.graph.errors import CardlawError, QueryError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "Report",
    "console",
    "end_at_once",
    "end_in_order",
    "guard",
    "harmless",
    "progress",
    "say",
    "warn",
    "write",
]

FAILURE, WRONG_CALL, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141  # the last two are 128 + signal

_STAND_INS = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "—": "-", "–": "-", "−": "-", "•": "*", "·": "-", "…": "..."}
)


_CONTROLS = dict.fromkeys((*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "�")
"""Characters that a terminal would obey."""
_LONGEST = 2000


class Report(Protocol):
    """How a long task tells how far it is: stage, what is done, and the total if it is known."""

    def __call__(self, stage: str, done: int, total: int | None, /) -> None: ...


def guard(task: Callable[[], int]) -> int:
    """Run `task` and return the exit code, with an error told in one line and without a traceback."""
    _prepare_streams()
    try:
        code = task()
        sys.stdout.flush()
    except typer.Exit as stop:
        code = stop.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except QueryError as error:
        code = _fail(error.message, FAILURE)
        if error.place is not None:
            _point(*error.place)
    except CardlawError as error:
        code = _fail(str(error), FAILURE)
    except OSError as error:
        if error.errno == errno.EPIPE:
            _silence()
            return BROKEN_PIPE
        where = f": {error.filename}" if error.filename is not None else ""
        code = _fail(f"{error.strerror or error}{where}", FAILURE)
    except RuntimeError as error:
        if not str(error).startswith("Corruption"):
            raise
        code = _fail(f"the graph is damaged ({error}): run `cardlaw build` again", FAILURE)
    except UnicodeEncodeError:  # bytes on the command line, or from a folder, that the locale cannot read
        code = _fail("a name is no valid text in this locale: set LC_ALL=C.UTF-8 or PYTHONUTF8=1", FAILURE)
    except Exception as error:
        # Typer's own errors come from the click that it brings along or from the one beside it.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "cardlaw"
        code = _fail(f"{message()} (see {path} --help)", WRONG_CALL)
    return code


def end_at_once() -> None:
    """Let Ctrl-C end the process from now on: while Oxigraph evaluates, no Python code hears of it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_in_order() -> None:
    """Let SIGTERM and a terminal that is closed end the process as Ctrl-C does: what is half written goes."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # not under `nohup`
            signal.signal(number, lambda number, frame: sys.exit(128 + number))


def say(text: str, *, quiet: bool = False) -> None:
    """Tell something that is no data, unless `quiet`."""
    if not quiet:
        print(_one_line(text), file=sys.stderr)


def warn(text: str) -> None:
    """Tell something that the user should know, also when quiet."""
    print(_one_line(f"cardlaw: {text}"), file=sys.stderr)


def write(data: bytes) -> None:
    """Write bytes for other programs to stdout."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def harmless(text: str) -> str:
    """The text, on one line and with a sign for each character that a terminal would obey."""
    return text.translate(_CONTROLS)


def console() -> Console:
    """Rich's console on stdout: color and width only where it is a terminal; `NO_COLOR` is respected."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Report]:
    """A bar for each stage on stderr; nothing if it is no terminal or `quiet`."""
    if quiet or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    name, count = (TextColumn(f"{{task.{what}}}", markup=False) for what in ("description", "fields[count]"))
    with Progress(name, BarColumn(), count, TimeElapsedColumn(), console=Console(stderr=True)) as bars:
        stages: dict[str, TaskID] = {}

        def end_all() -> None:
            for stage in stages.values():
                bars.update(stage, total=1, completed=1)

        def report(stage: str, done: int, total: int | None) -> None:
            if stage not in stages:
                end_all()
                stages[stage] = bars.add_task(stage, count="")
            count = f"{done:,}/{total:,}" if total else f"{done:,}" if done else ""
            bars.update(stages[stage], completed=done, total=total, count=count)

        yield report
        end_all()


def _prepare_streams() -> None:
    """Give closed streams a place to write to, and let none of them fail on a character."""
    codecs.register_error("cardlaw", _stand_in)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="cardlaw")


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_STAND_INS)
    return text.encode("ascii", "replace").decode("ascii"), error.end


def _silence() -> None:
    """Let the interpreter flush a broken stdout at exit without a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # nobody may be left to be told
        warn(message)
    return code


def _point(line: str, column: int) -> None:
    """Show where in a query something is wrong: its line, and a caret below."""
    shown = line.expandtabs(1).translate(_CONTROLS)
    first = max(0, column - 60)
    with suppress(OSError):
        print(f"    {shown[first : first + 100]}", file=sys.stderr)
        print(f"    {' ' * (min(column, len(shown) + 1) - 1 - first)}^", file=sys.stderr)


def _one_line(text: str) -> str:
    line = " ".join(text.split()).translate(_CONTROLS)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"
