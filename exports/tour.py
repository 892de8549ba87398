"""How `cardlaw --help` is laid out: the commands by what they are for, each with its whole first sentence.

Only typer is imported here, since help must come at once. The group of a command is the `rich_help_panel`
that it is declared with: typer's own word for it, which typer itself shows only with rich.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

__all__ = ["ASK", "CITE", "KEEP", "LOOK", "TAKE", "Tour"]

KEEP = "Make and keep the graph"
ASK = "Ask"
LOOK = "Look"
CITE = "Rule numbers"
TAKE = "Take it elsewhere"


class Tour(TyperGroup):
    """A group of commands whose help lists them by their groups, in the order in which they are declared."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {group: [] for group in (KEEP, ASK, LOOK, CITE, TAKE)}
        for name, command in self.commands.items():
            group = getattr(command, "rich_help_panel", None)
            groups.setdefault(group if isinstance(group, str) else "More", []).append(
                (name, command.get_short_help_str(limit=200))
            )
        width = max(map(len, self.commands))
        for group, rows in groups.items():
            if rows:
                with formatter.section(group):
                    formatter.write_dl([(name.ljust(width), words) for name, words in rows])
