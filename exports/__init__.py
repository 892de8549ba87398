"""What leaves the graph: the command line, texts, views and files."""

from .notebook import View, view

__all__ = ["View", "view"]
