"""Pages: templates of `web/` filled with values, all of them escaped, under a policy that runs no script.

Every page has the same head, search box and foot (`web/page.html`) and the same look (`web/pages.css`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import compact

from .dataset import POLICY, RIGHTS
from .site import Site

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["page", "style"]

_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


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
    text = _templates().get_template(template).render(info=store.info, rights=RIGHTS, policy=POLICY, **values)
    return HTMLResponse(text, status, {**_HEADERS, **(headers or {})})


def style(request: Request) -> Response:
    """`/assets/pages.css`."""
    return Response(_file("pages.css"), media_type="text/css", headers={"cache-control": "max-age=3600"})


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # slow, and only for pages

    made = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["address"] = Site.address
    made.filters["compact"] = compact
    made.filters["number"] = "{:,}".format
    made.filters["brief"] = _brief
    return made


def _brief(words: str) -> str:
    """The words or, of many, the first and the last."""
    if len(words) <= 60:
        return words
    return f"{shorten(words, 44, placeholder=' …')} {words.split()[-1][:16]}"


def _file(name: str) -> str:
    return files("cardlaw.exports").joinpath("web", name).read_text(encoding="utf-8")
