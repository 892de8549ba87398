"""The whole graph at a glance: one page with the map of `cardlaw.graph.atlas`, as a file or served.

    GET /atlas                the page
    GET /atlas/places.gz      where everything is, and the backbone of ties
    GET /atlas/ties.gz        all ties, asked for when the first node is chosen

The file carries both, as base64, and the libraries that draw (sigma and graphology), so it needs no network.
Where the libraries did not come in when the package was built (`setup.py`), or there is no WebGL, the page
is a table of the same. Names reach the page in the files only, and its scripts put them there as text nodes.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph.atlas import Atlas
from cardlaw.graph.atlas import atlas as atlas_of
from cardlaw.graph.network import RELATIONS
from cardlaw.graph.store import Store

from .dataset import RIGHTS
from .editor import asset_routes
from .site import Site

__all__ = ["atlas_html", "routes", "write_atlas"]

_SCRIPTS = (
    *("dom", "files", "lists", "listkeep", "listfiles", "listadd"),
    *("atlasdata", "atlascolors", "atlassearch", "atlasprogram", "atlasnames"),
    *("atlasmap", "atlaspanel", "atlastable", "atlas"),
)
"""The modules of `web/`, each after those that it imports."""

_LIBRARY = ("graphology.umd.min.js", "sigma.min.js")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data: blob: 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def write_atlas(store: Store, path: Path, tell: Callable[[], None] = lambda: None) -> None:
    """Write the page of a store's atlas as one file.

    Args:
        store: the build.
        path: the file; an earlier one is replaced when all is written.
        tell: called before an atlas is made, which takes seconds and is done once for a build.

    Raises:
        CardlawError: the file cannot be written.
    """
    from .files import write_file

    write_file([atlas_html(atlas_of(store, tell), store).encode()], path)


def atlas_html(atlas: Atlas, store: Store) -> str:
    """The page as one file that needs no network."""
    library = [_web(f"vendor/{name}").read_text(encoding="utf-8") for name in _LIBRARY] if _there() else []
    return _page(
        store,
        served=False,
        source=None,
        library=[_inline(script) for script in library],
        style=_text("atlas.css") + _text("listadd.css"),
        script=_inline(_bundle()),
        places=base64.b64encode(atlas.places).decode(),
        ties=base64.b64encode(atlas.ties).decode(),
    )


def routes(site: Site) -> list[BaseRoute]:
    """The routes of the atlas."""

    def page(request: Request) -> Response:
        source = {"places": "/atlas/places.gz", "ties": "/atlas/ties.gz"}
        html = _page(site.store, served=True, source=source, library=_LIBRARY if _there() else ())
        return Response(html, media_type="text/html", headers={"content-security-policy": _POLICY})

    def part(request: Request) -> Response:
        store = site.store
        tag = f'"{store.folder.name}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        made = atlas_of(store)
        content = made.places if request.url.path.endswith("/places.gz") else made.ties
        return Response(content, media_type="application/gzip", headers=headers)

    return [
        Route("/atlas", page),
        Route("/atlas/places.gz", part),
        Route("/atlas/ties.gz", part),
        *asset_routes(
            "atlas.css", "listadd.css", *(f"{name}.js" for name in _SCRIPTS if name != "dom"), *_LIBRARY
        ),
    ]


def _page(store: Store, *, source: dict[str, str] | None, **values: Any) -> str:
    about = {"release": store.info.release, "relations": dict(RELATIONS), "source": source}
    html: str = _template().render(
        about=about,
        cards=f"{store.info.counts['cards']:,}",
        release=store.info.release,
        rights=RIGHTS,
        **values,
    )
    return html


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined  # slow, and only for pages
    from markupsafe import Markup

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["plain"] = Markup
    return made.from_string(_text("atlas.html"))


def _inline(script: str) -> str:
    """A script that can stand in a page: no sequence in it ends its element (HTML, 4.12.1.3)."""
    return re.sub(r"<(?=/script|!--)", r"\\x3c", script, flags=re.IGNORECASE)


def _bundle() -> str:
    """Our modules as one, since a page without a server cannot import: names are unique over all of them."""
    whole = "\n".join(_text(f"{name}.js") for name in _SCRIPTS)
    return re.sub(
        r"^import .*?;\n|^export (?=(?:async )?function |const |class )", "", whole, flags=re.M | re.S
    )


def _there() -> bool:
    return all(_web(f"vendor/{name}").is_file() for name in _LIBRARY)


@cache
def _text(name: str) -> str:
    return _web(name).read_text(encoding="utf-8")


def _web(name: str) -> Traversable:
    return files("cardlaw.exports").joinpath("web", *name.split("/"))
