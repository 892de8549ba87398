"""All changes between two releases as one self-contained HTML page, without scripts or anything to load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from cardlaw.graph.releases.changes import Changes
from cardlaw.graph.releases.fates import SURE

from .dataset import POLICY, RIGHTS
from .rulestext import Folded, count_words, folded

__all__ = ["diff_page"]

_NAMES = {"sections": "Sections", "rules": "Rules", "terms": "Glossary"}


def diff_page(found: Changes, headings: Mapping[str, str | None]) -> str:
    """The page, to be written in UTF-8.

    Args:
        found: what changed.
        headings: of the sections, by number.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_file("rulesdiff.html")).render(
        found=found,
        counts=[(_NAMES[what], count_words(counts)) for what, counts in found.counts.items()],
        sections=[(f"{each} {headings.get(each) or ''}".strip(), some) for each, some in _sections(found)],
        style=_file("pages.css"),
        sure=SURE,
        rights=RIGHTS,
        policy=POLICY,
    )


def _sections(found: Changes) -> Iterator[tuple[str, list[Folded]]]:
    """Changes by the section that they stand in."""
    section, some = "", list[Folded]()
    for each in folded(found.rules):
        here = (each.change.new or each.change.old or "")[:3]
        if here != section and some:
            yield section, some
            some = []
        section = here
        some.append(each)
    if some:
        yield section, some


def _file(name: str) -> str:
    return files("cardlaw.exports").joinpath("web", name).read_text(encoding="utf-8")
