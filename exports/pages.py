"""Pages: templates of `web/` filled with values, all of them escaped, under a policy that runs no script.

Every page has the same head, search box and foot (`web/page.html`) and the same look (`web/pages.css`), and
its links go where a `Links` says: on the server, in a folder of files, or nowhere but to the data's IRIs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from cardlaw.graph.store import BuildSummary, Store
from cardlaw.ontology.namespaces import PREFIXES, compact, expand

from .dataset import POLICY, RIGHTS
from .links import SERVED, Links
from .marked import plain
from .site import Site

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["QUIET", "SCRIPTED", "asset", "page", "render", "shown_page", "templates"]

_ASSETS = {"css": "text/css", "js": "text/javascript"}

_INVALID = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""What no HTML may hold (HTML standard, 13.2.3.5)."""

_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

QUIET = {
    "content-security-policy": _HEADERS["content-security-policy"].replace(
        "style-src", "script-src 'self'; style-src"
    )
}
"""Headers of a page with a script of this server that asks nobody."""

SCRIPTED = {
    "content-security-policy": _HEADERS["content-security-policy"].replace(
        "style-src", "script-src 'self'; connect-src 'self'; style-src"
    )
}
"""Headers of a page with a script of this server, which asks this server only."""


def page(
    store: Store,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """A page of the site.

    Args:
        store: whose release the foot tells.
        template: name of a file of `web/` that extends `page.html`.
        status: of HTTP.
        headers: of HTTP, besides those of every page.
        values: what the template names; `title` at least.
    """
    text = render(store.info, SERVED, template, **values)
    return shown_page(text, status=status, headers=headers)


def shown_page(text: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """HTML that `render` made for the server, under the policy of all pages."""
    return HTMLResponse(text, status, {**_HEADERS, **(headers or {})})


def render(info: BuildSummary, links: Links, template: str, **values: Any) -> str:
    """The HTML of a page, wherever it goes.

    Args:
        info: of the build whose release the foot tells.
        links: where its links go; a page whose `asset` has no addresses holds its styles itself.
        template: name of a file of `web/` that extends `page.html`.
        values: what the template names; `title` at least. `styles` are the files of `web/` for its look.
    """
    html = (
        templates()
        .get_template(template)
        .render(info=info, links=links, rights=RIGHTS, policy=POLICY, **{"styles": ("pages.css",), **values})
    )
    return _INVALID.sub("�", html)


def asset(request: Request) -> Response:
    """A style or script of the pages, by its name in `web/`."""
    name = request.url.path.rpartition("/")[2]
    media = _ASSETS[name.rpartition(".")[2]]
    return Response(_file(name), media_type=media, headers={"cache-control": "max-age=3600"})


@cache
def templates() -> Environment:
    """The templates of `web/`, with the filters that they use."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # slow, and only for pages
    from markupsafe import Markup

    made = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["address"] = Site.address
    made.globals["inlined"] = lambda name: Markup(_file(name))
    made.filters["compact"] = compact
    made.filters["number"] = "{:,}".format
    made.filters["brief"] = _brief
    made.filters["symbols"] = plain
    made.filters["iri"] = expand
    made.globals["rule_iri"] = PREFIXES["rule"]
    made.globals["card_iri"] = PREFIXES["card"]
    return made


def _brief(words: str) -> str:
    """The words or, of many, the first and the last."""
    if len(words) <= 60:
        return words
    return f"{shorten(words, 44, placeholder=' …')} {words.split()[-1][:16]}"


def _file(name: str) -> str:
    return files("cardlaw.exports").joinpath("web", name).read_text(encoding="utf-8")
