"""Where the links of a page go: one set of templates for the server, a folder of files and a single file.

A template asks its `links` for the address of a node by the IRI that it has in the data, of a place of the
site by its name, of a style or script, and for the twins of the page in other forms. What is not to be had
where the page will be read has no address (None), and the template leaves it out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol
from urllib.parse import quote, urlencode

from cardlaw.ontology.namespaces import BASE, PREFIXES, compact

from .dataset import WELL_KNOWN
from .rdfforms import FORMATS, JSON
from .site import Site

__all__ = ["PLACES", "SERVED", "Alone", "Folder", "Links", "Served", "Twin"]

_PART = re.compile(rf"{re.escape(BASE)}(?P<kind>face|ability)/(?P<slug>.+?)\.(?P<number>[0-9]+(?:\.[0-9]+)*)")

PLACES = (
    "lists",
    *("home", "search", "rules", "keywords", "terms", "queries", "explore", "atlas"),
    *("query", "deck", "cheatsheet", "ontology", "data"),
)
"""What a site has besides the pages of its nodes."""


class Twin(NamedTuple):
    """The same in another form."""

    media: str
    name: str
    href: str


class Links(Protocol):
    """Where the links of one page go."""

    def node(self, iri: str) -> str:
        """The page of a node, else its IRI."""
        ...

    def place(self, name: str) -> str | None:
        """One of `PLACES`."""
        ...

    def asset(self, name: str) -> str | None:
        """A file of `web/`; None where it has to stand in the page itself."""
        ...

    def twins(self, iri: str) -> Sequence[Twin]:
        """The other forms of the page of a node."""
        ...

    def explore(self, iri: str) -> str | None:
        """Where the graph around a node can be moved about in."""
        ...

    def data(self, iri: str) -> str | None:
        """What the graph says of a node, property by property."""
        ...

    def listed(self, iri: str, asked: Sequence[tuple[str, str]]) -> str | None:
        """The list of cards on the page of a node, filtered; None where nothing answers a form."""
        ...

    def named_query(self, name: str, asked: Sequence[tuple[str, str]] = ()) -> str | None:
        """The page of a named query with values of its parameters."""
        ...

    def beside(self, iri: str, name: str) -> str | None:
        """What is told of a card on a page of its own: "similar", "meetings"."""
        ...


class Served:
    """Links of the pages of `cardlaw serve`."""

    _PLACES: Mapping[str, str] = {
        "home": "/",
        "search": "/search",
        "rules": "/rules",
        "keywords": "/keywords",
        "terms": "/terms",
        "queries": "/queries",
        "explore": "/explore",
        "atlas": "/atlas",
        "query": "/query",
        "deck": "/deck",
        "cheatsheet": "/cheatsheet",
        "ontology": "/ontology",
        "data": f"/{WELL_KNOWN}.html",
        "lists": "/lists",
    }

    def node(self, iri: str) -> str:
        return Site.address(iri)

    def place(self, name: str) -> str | None:
        return self._PLACES.get(name)

    def asset(self, name: str) -> str | None:
        return f"/assets/{name}"

    def twins(self, iri: str) -> Sequence[Twin]:
        forms = (JSON, *FORMATS)
        return [Twin(form.media, form.name, f"{Site.address(iri)}.{form.suffix}") for form in forms]

    def explore(self, iri: str) -> str | None:
        place = self.place("explore")
        return f"{place}#focus={quote(compact(iri), safe=':')}" if place else None

    def data(self, iri: str) -> str | None:
        return f"{Site.address(iri)}?view=data"

    def listed(self, iri: str, asked: Sequence[tuple[str, str]]) -> str | None:
        return f"{Site.address(iri)}{'?' if asked else ''}{urlencode(asked)}#cards"

    def named_query(self, name: str, asked: Sequence[tuple[str, str]] = ()) -> str | None:
        return f"/query/{quote(name)}{'?' if asked else ''}{urlencode(asked)}"

    def beside(self, iri: str, name: str) -> str | None:
        return f"{Site.address(iri)}/{name}"


SERVED = Served()


class Folder:
    """Links of one page among files that lie beside each other, as they work from `file://` too.

    Args:
        here: path of the page in the folder, "card/fire-ice.html".
        pages: IRI → path of its page, of those that are written.
        places: name of a place → path of its page, likewise.
        twins: the suffixes of the other forms that are written beside each page.
    """

    def __init__(
        self,
        here: str,
        pages: Mapping[str, str],
        places: Mapping[str, str],
        twins: Sequence[str] = (JSON.suffix, "ttl"),
    ) -> None:
        self._from = posixpath.dirname(here)
        self._pages = pages
        self._places = places
        self._twins = twins

    def path(self, to: str) -> str:
        """A path of the folder, seen from the page."""
        return quote(posixpath.relpath(to, self._from or "."))

    def node(self, iri: str) -> str:
        if iri in self._pages:
            return self.path(self._pages[iri])
        if part := _PART.fullmatch(iri):  # a place on the page of its card
            for kind in ("card", "token"):
                if path := self._pages.get(f"{PREFIXES[kind]}{part['slug']}"):
                    return f"{self.path(path)}#{part['kind']}-{part['number'].replace('.', '-')}"
        return iri

    def place(self, name: str) -> str | None:
        return self.path(self._places[name]) if name in self._places else None

    def asset(self, name: str) -> str | None:
        return self.path(f"assets/{name}")

    def twins(self, iri: str) -> Sequence[Twin]:
        page = self._pages[iri].removesuffix(".html")
        forms = [form for form in (JSON, *FORMATS) if form.suffix in self._twins]
        return [Twin(form.media, form.name, self.path(f"{page}.{form.suffix}")) for form in forms]

    def explore(self, iri: str) -> str | None:
        return None

    def data(self, iri: str) -> str | None:
        return None

    def listed(self, iri: str, asked: Sequence[tuple[str, str]]) -> str | None:
        return None

    def named_query(self, name: str, asked: Sequence[tuple[str, str]] = ()) -> str | None:
        return None

    def beside(self, iri: str, name: str) -> str | None:
        return None


class Alone:
    """Links of a page that is one file and needs nothing beside it: to the IRIs of the data only."""

    def node(self, iri: str) -> str:
        return iri

    def place(self, name: str) -> str | None:
        return None

    def asset(self, name: str) -> str | None:
        return None

    def twins(self, iri: str) -> Sequence[Twin]:
        return ()

    def explore(self, iri: str) -> str | None:
        return None

    def data(self, iri: str) -> str | None:
        return None

    def listed(self, iri: str, asked: Sequence[tuple[str, str]]) -> str | None:
        return None

    def named_query(self, name: str, asked: Sequence[tuple[str, str]] = ()) -> str | None:
        return None

    def beside(self, iri: str, name: str) -> str | None:
        return None
