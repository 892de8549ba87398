"""`cardlaw serve`: pages, linked data and a SPARQL endpoint over one store."""

from __future__ import annotations

from starlette.applications import Starlette

from . import cheatsheet, linked
from .site import Site

__all__ = ["create_app"]


def create_app(site: Site) -> Starlette:
    """The application: each part of it gives its own routes, the linked data's catch all the rest."""
    return Starlette(routes=[*cheatsheet.routes(site), *linked.routes(site)])
