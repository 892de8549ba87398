"""`/lists`: the lists of cards that a reader keeps, and the scripts by which pages of cards add to them.

    GET /lists               the page; what it shows is kept by the browser (HTML Standard, 12.2)
    GET /assets/adding.js    for pages of cards: “add to list”
    GET /assets/listing.js   for the page of lists

Both scripts are the modules of `web/` in one, as a classic script, since a page that is opened from a disk
may not import modules: the server and a site of files have the same ones. Nothing is sent, but to `/deck` the
list that a reader opens there. Measured: a change in a list of 540 cards is shown in 0.1 s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.store import BuildSummary

from .links import SERVED, Links
from .pages import QUIET, asset, render, shown_page
from .site import Site

__all__ = ["ADDING", "LISTING", "SCRIPTS", "STYLES", "lists_html", "routes", "script"]

ADDING = "adding.js"
"""The script of pages of cards."""
LISTING = "listing.js"
"""The script of the page of lists."""

_MODULES = {
    ADDING: ("dom", "files", "lists", "listkeep", "listfiles", "listadd", "listadding"),
    LISTING: ("dom", "files", "lists", "listkeep", "listfiles", "listdrag", "listspage"),
}
"""Script → the modules of `web/` that it is made of, each after those that it imports."""

STYLES = ("listadd.css", "lists.css")
SCRIPTS = tuple(_MODULES)


@cache
def script(name: str) -> str:
    """One of `SCRIPTS`; names are unique over its modules, and stay within it."""
    web = files("cardlaw.exports").joinpath("web")
    whole = "\n".join(web.joinpath(f"{module}.js").read_text(encoding="utf-8") for module in _MODULES[name])
    plain = re.sub(
        r"^import .*?;\n|^export (?=(?:async )?function |const |class )", "", whole, flags=re.M | re.S
    )
    return f'"use strict";\n(() => {{\n{plain}}})();\n'


def lists_html(info: BuildSummary, links: Links) -> str:
    """The page of lists.

    Args:
        info: of the build whose release the foot tells.
        links: where its links go; they have the assets.
    """
    addresses: Mapping[str, str | None] = {
        "node": "/" if links is SERVED else None,
        "search": links.place("search"),
        "deck": links.place("deck"),
        "explore": links.place("explore"),
    }
    return render(
        info,
        links,
        "lists.html",
        title="Lists",
        styles=("pages.css", "lists.css"),
        addresses=addresses,
        script=links.asset(LISTING),
    )


def routes(site: Site) -> list[BaseRoute]:
    """The page and what it is made of."""

    def page(request: Request) -> Response:
        return shown_page(lists_html(site.store.info, SERVED), headers=QUIET)

    def made(request: Request) -> Response:
        text = script(request.url.path.rpartition("/")[2])
        return Response(text, media_type="text/javascript", headers={"cache-control": "max-age=3600"})

    return [
        Route("/lists", page),
        *(Route(f"/assets/{name}", made) for name in SCRIPTS),
        *(Route(f"/assets/{name}", asset) for name in STYLES),
    ]
