"""The pages of a site of files that lead to others, and what its search looks through.

Entries of nodes come in with the paths of their pages. The search runs as a script in the browser over an
index that is a script too, since what is opened from a disk may not be fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from cardlaw.graph import reference
from cardlaw.graph.naming import slug
from cardlaw.graph.search import Entry, stems
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES

from .jsonform import encode
from .links import Folder
from .nodepage import Item
from .pages import render
from .searchpage import KIND_NAMES

__all__ = ["INDEX", "PLACES", "lists", "search_index"]

INDEX = "search-index.js"

PLACES = {
    "home": "index.html",
    "search": "search.html",
    "rules": "rules.html",
    "keywords": "keywords.html",
    "terms": "terms.html",
}
"""Place → path of its page."""

_MOST = 2000  # names in one list of cards


def search_index(entries: Iterable[Entry], paths: Mapping[str, str]) -> bytes:
    """A script that holds all that can be searched, and by which stem each form of a word is found."""
    nodes = [(entry.kind, paths[entry.iri], entry.title, entry.text) for entry in entries]
    found = stems(_spelled(f"{title} {text}") for _, _, title, text in nodes)
    forms = {word: stem for word, stem in found.items() if word != stem}
    kinds = {kind: name for kind, name in KIND_NAMES.items() if any(each[0] == kind for each in nodes)}
    data = encode({"kinds": kinds, "forms": forms, "nodes": nodes})
    return b"globalThis.cardlawIndex = " + data + b";\n"


def _spelled(text: str) -> str:
    """With ligatures written out, as the script does it."""
    return text.lower().replace("æ", "ae").replace("œ", "oe")


def lists(store: Store, paths: Mapping[str, str], entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Paths of the pages that lead to others, and the HTML of each."""
    cards = sorted(
        (entry for entry in entries if entry.kind in ("card", "token")), key=lambda e: (slug(e.title), e.iri)
    )
    letters = [
        (letter, list(some)) for letter, some in groupby(cards, key=lambda entry: _initial(entry.title))
    ]
    rules = [row for row in reference.rules(store) if row.iri in paths]
    titles = {entry.iri: entry.title for entry in entries}
    sections = [
        (row.number, f"{row.number} {row.title or ''}".rstrip()) for row in rules if row.level == "section"
    ]
    by_section: dict[str, list[str]] = {number: [] for number, _ in sections}
    for row in rules:
        if row.level == "rule" and row.number[:3] in by_section:
            by_section[row.number[:3]].append(row.iri)
    counts = [
        (KIND_NAMES[kind], sum(entry.kind == kind for entry in entries)) for kind in reversed(KIND_NAMES)
    ]

    def items(here: str, iris: Iterable[str]) -> list[Item]:
        links = Folder(here, paths, PLACES)
        return [Item(titles[iri], links.node(iri)) for iri in iris]

    def listed(path: str, title: str, groups: Sequence[tuple[Item, Sequence[Item]]], **more: object) -> str:
        values = {"title": title, "groups": groups, "counts": (), "letters": (), "entry": None, **more}
        return render(store.info, Folder(path, paths, PLACES), "sitelist.html", **values)

    home = PLACES["home"]
    whole = [(Item(letter), items(home, (e.iri for e in some))) for letter, some in letters]
    if len(cards) <= _MOST:
        yield home, listed(home, "Cards and rules", whole, counts=counts)
    else:
        places = [Item(letter, f"cards-{_file_letter(letter)}.html") for letter, _ in letters]
        yield home, listed(home, "Cards and rules", [], counts=counts, letters=places)
        for letter, some in letters:
            path = f"cards-{_file_letter(letter)}.html"
            group = (Item(""), items(path, (entry.iri for entry in some)))
            yield path, listed(path, f"Cards: {letter}", [group], letters=places)
    path = PLACES["rules"]
    links = Folder(path, paths, PLACES)
    chapters = [
        (Item(title, links.node(PREFIXES["rule"] + number)), items(path, by_section[number]))
        for number, title in sections
    ]
    yield path, listed(path, "Rules", chapters)
    for place, kind in (("keywords", "keyword"), ("terms", "term")):
        some = sorted((e for e in entries if e.kind == kind), key=lambda e: slug(e.title))
        groups = groupby(some, key=lambda entry: _initial(entry.title))
        path = PLACES[place]
        shown = [(Item(letter), items(path, (entry.iri for entry in each))) for letter, each in groups]
        yield path, listed(path, KIND_NAMES[kind], shown)
    path = PLACES["search"]
    links = Folder(path, paths, PLACES)
    yield (
        path,
        render(
            store.info,
            links,
            "sitesearch.html",
            title="Search",
            scripts=[links.asset(INDEX), links.asset("sitesearch.js")],
        ),
    )


def _initial(name: str) -> str:
    first = slug(name)[:1]
    return first.upper() if first.isalpha() else "0–9"


def _file_letter(letter: str) -> str:
    return "0-9" if letter == "0–9" else letter.lower()
