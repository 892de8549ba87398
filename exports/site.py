"""The graph as a site: what every page of `cardlaw serve` needs.

The IRIs of the data are answered by their own paths, `https://w3id.org/cardlaw/rule/702.29` by
`/rule/702.29`; links on pages go there, while the data keep their IRIs.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

from cardlaw.graph.errors import StoreError
from cardlaw.graph.store import Store, current_build, open_store
from cardlaw.ontology.namespaces import BASE

__all__ = ["Site"]

_LOOK_AGAIN = 1.0  # seconds after which it is asked whether another build answers


class Site:
    """A store that is served; from any thread.

    Args:
        root: the folder of the store.
        base: what the server's own addresses begin with, "http://127.0.0.1:8000/".

    Raises:
        StoreError: nothing is built there, or it is damaged.
    """

    def __init__(self, root: Path, base: str) -> None:
        self.root = root
        self.base = base
        self._store = open_store(root)
        self._looked = time.monotonic()
        self._lock = threading.Lock()

    @property
    def store(self) -> Store:
        """The build that answers now; the next one takes its place by itself."""
        with self._lock:
            if time.monotonic() - self._looked > _LOOK_AGAIN:
                self._looked = time.monotonic()
                with suppress(
                    StoreError
                ):  # a store that was spoiled meanwhile: the old build goes on answering
                    if current_build(self.root) not in (None, self._store.folder.name):
                        self._store = open_store(self.root)
            return self._store

    @staticmethod
    def address(iri: str) -> str:
        """Where a link to an IRI goes: a path of this site for one of the data's, else the IRI itself."""
        return f"/{quote(iri[len(BASE) :], safe='/#')}" if iri.startswith(BASE) else iri

    @staticmethod
    def iri(path: str) -> str:
        """The IRI that a path of this site answers for."""
        return BASE + unquote(path.lstrip("/"))
