"""How `cardlaw --help` is laid out: the commands by what they are for, each with its whole first sentence.

Only typer is imported here, since help must come at once.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

__all__ = ["GROUPS", "Tour"]

GROUPS = {
    "Make and keep the graph": ("demo", "build", "fetch", "info", "check"),
    "Ask": ("show", "query", "annotate", "path", "similar", "deck"),
    "Look": ("view", "serve"),
    "Rule numbers": ("cite", "rules"),
    "Take it elsewhere": ("export", "publish"),
}
"""The commands under their headings, in the order in which they are listed."""


class Tour(TyperGroup):
    """A group of commands whose help lists them by `GROUPS`; what is in none of these comes last."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        grouped = {name for names in GROUPS.values() for name in names}
        width = max(map(len, self.commands))
        for heading, names in {**GROUPS, "More": sorted(self.commands.keys() - grouped)}.items():
            there = [(name, self.commands[name]) for name in names if name in self.commands]
            if there:
                with formatter.section(heading):
                    formatter.write_dl(
                        [(name.ljust(width), each.get_short_help_str(limit=200)) for name, each in there]
                    )
