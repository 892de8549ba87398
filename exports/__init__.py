"""What leaves the graph: the command line, texts, views and files."""

from .notebook import Deck, View, deck, view

__all__ = ["Deck", "View", "deck", "view"]
