"""From oracle text to abilities: spans of a face's text, each with its kind and its parts.

`segment(face, lexicon)` is the one entry point; it follows CR 113.2c (a line break ends an ability) and
the frames of CR 711, 714, 716, 719 and 721.
"""

from .lexicon import Lexicon
from .segment import segment

__all__ = ["Lexicon", "segment"]
