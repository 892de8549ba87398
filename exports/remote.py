"""Another SPARQL endpoint, asked by the SPARQL 1.1 Protocol (query by POST with a form, 2.1.2).

What goes out is the query with our prefixes declared; what comes back is read as a whole before any of it is
used, so that an answer that broke off is an error. SERVICE is refused here too: whom the other endpoint would
ask on our behalf, nobody here could tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import cast

import httpx
import pyoxigraph
from pyoxigraph import QueryResultsFormat, QueryTriples, RdfFormat

from cardlaw.graph.errors import QueryError
from cardlaw.graph.queries import (
    Term,
    bind,
    is_update,
    refuse_depth,
    refuse_service,
    spell_out,
    with_prefixes,
)
from cardlaw.graph.store import Results

__all__ = ["Endpoint"]

_ACCEPT = (
    "application/sparql-results+json, application/sparql-results+xml;q=0.9, "
    "application/n-triples;q=0.8, text/turtle;q=0.7, application/rdf+xml;q=0.5"
)
_LONGEST = 300  # of what a server says about an error


class Endpoint:
    """A SPARQL endpoint.

    Args:
        url: its address, http or https.
        timeout: seconds that it may take to connect, and that it may stay silent.
    """

    def __init__(self, url: str, timeout: float = 60) -> None:
        if not url.startswith(("http://", "https://")):
            raise QueryError(f"{url} is no endpoint: give a URL that begins with http:// or https://")
        self.url = url
        self.timeout = timeout

    def query(self, sparql: str, terms: Mapping[str, Term] | None = None) -> Results:
        """Ask a query, with the values of variables put in as `Store.query` does.

        Raises:
            QueryError: it is an update or uses SERVICE, or the endpoint cannot be reached, is too slow,
                refuses or answers with something else than results.
        """
        text = bind(sparql, terms) if terms else sparql
        refuse_depth(text)
        refuse_service(text)
        if is_update(text):
            raise QueryError("only SELECT, ASK, CONSTRUCT and DESCRIBE are sent to an endpoint, no updates")
        return self._read(self._post(with_prefixes(spell_out(text))))

    def _post(self, text: str) -> httpx.Response:
        try:
            answer = httpx.post(
                self.url, data={"query": text}, headers={"Accept": _ACCEPT}, timeout=self.timeout
            )
        except httpx.TimeoutException:
            raise QueryError(f"{self.url} did not answer within {self.timeout:g} s: try --timeout") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise QueryError(f"{self.url} cannot be asked: {error or type(error).__name__}") from None
        if answer.is_redirect:
            raise QueryError(f"{self.url} has moved to {answer.headers.get('location')}: ask there")
        if not answer.is_success:
            said = " ".join(answer.text.split())[:_LONGEST]
            raise QueryError(
                f"{self.url} refused: {answer.status_code} {answer.reason_phrase}"
                + (f": {said}" if said else "")
            )
        return answer

    def _read(self, answer: httpx.Response) -> Results:
        media = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            if results := QueryResultsFormat.from_media_type(media):
                whole = pyoxigraph.parse_query_results(answer.content, format=results)
                if isinstance(whole, pyoxigraph.QuerySolutions):
                    for _ in whole:
                        pass
                return cast(Results, pyoxigraph.parse_query_results(answer.content, format=results))
            if triples := RdfFormat.from_media_type(media):
                memory = pyoxigraph.Store()
                memory.load(BytesIO(answer.content), format=triples, base_iri=self.url)
                return cast(QueryTriples, memory.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"))
        except (SyntaxError, ValueError) as error:
            said = " ".join(str(error).split())[:_LONGEST]
            raise QueryError(f"{self.url} gave no whole answer: {said}") from None
        raise QueryError(f"{self.url} answered with {media or 'something without a type'}, not with results")
