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

from .jsonform import encode
from .links import Folder
from .listspage import lists_html
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
    "lists": "lists.html",
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
    """The pages that lead to others, each with its path.

    Args:
        store: the graph.
        paths: IRI → path of its page.
        entries: of all of these, in their order.
    """
    made = _Lists(store, paths, entries)
    yield from made.cards()
    yield made.rules()
    yield made.by_letter("keywords", "keyword")
    yield made.by_letter("terms", "term")
    yield made.search()
    yield PLACES["lists"], lists_html(store.info, made.links(PLACES["lists"]))


class _Lists:
    def __init__(self, store: Store, paths: Mapping[str, str], entries: Sequence[Entry]) -> None:
        self._store = store
        self._paths = paths
        self._entries = entries

    def cards(self) -> Iterator[tuple[str, str]]:
        """The first page; where there are many cards, it leads to a page for each letter."""
        groups = self._letters("card", "token")
        counts = [
            (Item(name, PLACES.get(f"{kind}s")), sum(entry.kind == kind for entry in self._entries))
            for kind, name in reversed(KIND_NAMES.items())
        ]
        home, title = PLACES["home"], "Cards and rules"
        if sum(len(some) for _, some in groups) <= _MOST:
            items = [(Item(letter), self._items(home, some)) for letter, some in groups]
            yield home, self._page(home, title, items, counts=counts)
            return
        pages = {letter: f"cards-{letter.lower().replace('–', '-')}.html" for letter, _ in groups}
        letters = [Item(letter, path) for letter, path in pages.items()]
        yield home, self._page(home, title, [], counts=counts, letters=letters)
        for letter, some in groups:
            path = pages[letter]
            items = [(Item(""), self._items(path, some))]
            yield path, self._page(path, f"Cards: {letter}", items, letters=letters)

    def rules(self) -> tuple[str, str]:
        """Rules by section, those without a heading of their own by their numbers."""
        path = PLACES["rules"]
        links = self.links(path)
        groups: list[tuple[Item, list[Item]]] = []
        for row in reference.rules(self._store):
            if row.iri in self._paths and row.level in ("section", "rule"):
                item = Item(f"{row.number} {row.title or ''}".rstrip(), links.node(row.iri))
                if row.level == "section":
                    groups.append((item, []))
                else:
                    groups[-1][1].append(item)
        return path, self._page(path, "Rules", groups)

    def by_letter(self, place: str, kind: str) -> tuple[str, str]:
        path = PLACES[place]
        groups = [(Item(letter), self._items(path, some)) for letter, some in self._letters(kind)]
        return path, self._page(path, KIND_NAMES[kind], groups)

    def search(self) -> tuple[str, str]:
        path = PLACES["search"]
        links = self.links(path)
        scripts = [links.asset(INDEX), links.asset("sitesearch.js")]
        html = render(self._store.info, links, "sitesearch.html", title="Search", scripts=scripts)
        return path, html

    def links(self, here: str) -> Folder:
        return Folder(here, self._paths, PLACES)

    def _letters(self, *kinds: str) -> list[tuple[str, list[Entry]]]:
        """Entries of some kinds by the first letter of their names."""
        some = sorted((e for e in self._entries if e.kind in kinds), key=lambda e: (slug(e.title), e.iri))
        return [(letter, list(each)) for letter, each in groupby(some, key=lambda e: _initial(e.title))]

    def _items(self, here: str, entries: Iterable[Entry]) -> list[Item]:
        links = self.links(here)
        return [Item(entry.title, links.node(entry.iri)) for entry in entries]

    def _page(
        self,
        path: str,
        title: str,
        groups: Sequence[tuple[Item, Sequence[Item]]],
        *,
        counts: Sequence[tuple[Item, int]] = (),
        letters: Sequence[Item] = (),
    ) -> str:
        return render(
            self._store.info,
            self.links(path),
            "sitelist.html",
            title=title,
            groups=groups,
            counts=counts,
            letters=letters,
        )


def _initial(name: str) -> str:
    first = slug(name)[:1]
    return first.upper() if first.isalpha() else "0–9"
