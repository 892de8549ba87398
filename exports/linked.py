"""Linked data: every IRI of the graph answers by its own path, as a page or as RDF.

The form is that of a suffix (`/rule/702.29.ttl`) or the one that the client likes best (RFC 9110, 12.5.1). An
IRI without a hash names a card or a rule, no document. Yet it is answered at once, with 200 and the address
of the document in Content-Location, rather than by a redirect with 303 to it: the permanent identifiers of
w3id.org redirect here already, and a second round trip for each node would tell a client nothing that this
header does not. Local names hold dots, so that a suffix is one only where the whole path is no node.

Links on pages go to this server; RDF keeps the IRIs of the data.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cardlaw.graph import read
from cardlaw.graph.names import Match, find
from cardlaw.graph.naming import card_node
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import BASE, DATA_PREFIXES, MTG, compact, expand

from . import listspage, searchpage, vocabulary
from .accept import is_fresh, preferred
from .cardlists import Wanted
from .dataset import WELL_KNOWN, dataset_triples, examples, layer_facts
from .describe import Description, describe, known
from .indexes import INDEXES, index_html, index_json
from .jsonform import Record, encode
from .jsonform import form as form_of
from .links import SERVED
from .nodepage import NodePage
from .pages import QUIET, SCRIPTED, asset, page, shown_page
from .passages import Book
from .rdfforms import FORMATS, HTML, JSON, Form, write
from .recordpage import page_of, records_html, shown_html
from .site import Site

__all__ = ["routes"]

_FORMS = (HTML, *FORMATS)
_DATA_FIRST = (*FORMATS, HTML)
_LIKENED = frozenset({"card", "face", "ability", "rule", "keyword", "term", "type"})
"""The prefixes whose local names are made of words that can be mistaken."""

_COUNTED = ("cards", "tokens", "faces", "abilities", "citations", "rules", "keywords", "terms", "rulings")


def routes(site: Site) -> list[BaseRoute]:
    """The routes of the linked data; the last one answers whatever no other does."""
    linked = _Linked(site)
    suffixes = ("", *(f".{form.suffix}" for form in _FORMS))
    described = {
        "ontology": linked.ontology,
        vocabulary.about()["owl:versionIRI"].removeprefix(BASE): linked.ontology,
        **dict.fromkeys((WELL_KNOWN, "void", "dcat"), linked.dataset),
    }
    return [
        Route("/", linked.home),
        *searchpage.routes(site),
        *listspage.routes(site),
        *(Route(f"/assets/{name}", asset) for name in ("pages.css", "cards.css", "rules.css", "cardlist.js")),
        *(Route(f"/{path}{suffix}", answer) for path, answer in described.items() for suffix in suffixes),
        *(Route(f"/{name}{suffix}", linked.index) for name in INDEXES for suffix in ("", ".html", ".json")),
        Route("/{prefix}/{local}", linked.node),
        Route("/{path:path}", linked.nothing),
    ]


class _Linked:
    """The answers, from the build that is current when they are asked for."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.version = metadata.version("cardlaw")
        self._lock = threading.Lock()
        self._datasets: dict[tuple[str, str], bytes] = {}  # by build and suffix
        self._books: dict[str, Book] = {}  # by build, of the last one

    def node(self, request: Request) -> Response:
        """What the graph says of the node of a path."""
        store = self.site.store
        prefix, name = request.path_params["prefix"], request.path_params["local"]
        form = None
        there = prefix in DATA_PREFIXES and known(store, f"{BASE}{prefix}/{name}")
        if not there and (form := _form(name.rpartition(".")[2])) is not None:
            name = name[: -len(form.suffix) - 1]
            there = prefix in DATA_PREFIXES and known(store, f"{BASE}{prefix}/{name}")
        if not there:
            near = near_misses(store, prefix, name) if prefix in DATA_PREFIXES else []
            return _missing(store, request, f"{prefix}:{name}", near, form)
        iri = f"{BASE}{prefix}/{name}"

        def body(form: Form) -> Response:
            if form is HTML and prefix == "face" and "view" not in request.query_params:
                card, _, number = name.rpartition(".")
                return RedirectResponse(f"{Site.address(expand(card_node(card)))}#face-{number}", 303)
            recorded = request.query_params.get("view") != "data" and form in (HTML, JSON)
            if recorded and form is HTML:
                wanted = Wanted.of(request.query_params.multi_items())
                if (item := page_of(store, iri, SERVED, self._book(store), wanted)) is not None:
                    return shown_page(shown_html(store, [item], SERVED), headers=SCRIPTED)
            if recorded and (record := _record(store, iri, form)) is not None:
                return self._recorded(store, record, form)
            description = describe(store, iri)
            if form is not HTML:
                suffix = "jsonld" if form is JSON else form.suffix
                return _rdf(write(description.triples(self.site.base), suffix, iri), form)
            shown = NodePage(store, description)
            return page(
                store,
                "node.html",
                title=shown.title,
                node=shown,
                pointing=list(shown.pointing),
                address=Site.address(iri),
                forms=(JSON, *FORMATS),
            )

        return self._answer(
            request, store, Site.address(iri), form, body, canonical=iri, offered=(*_FORMS, JSON)
        )

    def _recorded(self, store: Store, record: Record, form: Form) -> Response:
        if form is JSON:
            text = encode(form_of(record, release=store.info.release), indent=2)
            return Response(text, media_type=JSON.media)
        return shown_page(records_html(store, [record], SERVED, self._book(store)), headers=QUIET)

    def _book(self, store: Store) -> Book:
        with self._lock:
            if store.info.id not in self._books:
                self._books = {store.info.id: Book(store)}
            return self._books[store.info.id]

    def home(self, request: Request) -> Response:
        """What this is and where to begin; to a program that wants RDF, the description of the data set."""
        store = self.site.store
        if preferred(_accept(request), [form.media for form in _FORMS]) != HTML.media:
            return self.dataset(request)
        return page(
            store,
            "home.html",
            headers={"vary": "Accept"},
            title="Cards and rules",
            examples=[NodePage(store, Description(iri)) for iri in examples(store)],
            counts=[(name, store.info.counts[name]) for name in _COUNTED if name in store.info.counts],
            base=self.site.base,
        )

    def index(self, request: Request) -> Response:
        """An index of the rulebook."""
        store = self.site.store
        address = request.url.path.partition(".")[0]
        name = address.removeprefix("/")

        def body(form: Form) -> Response:
            book = self._book(store)
            if form is JSON:
                return Response(encode(index_json(store, name, book), indent=2), media_type=JSON.media)
            return shown_page(index_html(store, name, SERVED, book))

        return self._answer(request, store, address, _suffixed(request), body, offered=(HTML, JSON))

    def ontology(self, request: Request) -> Response:
        """The vocabulary, and this version of it: its documentation, each term under its name, or its RDF."""
        store = self.site.store
        form = _suffixed(request)
        address = request.url.path.removesuffix(f".{form.suffix}") if form else request.url.path
        canonical = f"{BASE}{address[1:]}"

        def body(form: Form) -> Response:
            if form is not HTML:
                return _rdf(vocabulary.ontology(form.suffix), form)
            terms = vocabulary.terms().values()
            parts = [
                ("Classes", "all-classes", [term for term in terms if term.is_class]),
                ("Properties", "all-properties", [term for term in terms if not term.is_class]),
            ]
            return page(
                store,
                "ontology.html",
                title="The vocabulary",
                about=vocabulary.about(),
                namespace=MTG,
                parts=parts,
                forms=FORMATS,
            )

        return self._answer(request, store, address, form, body, canonical=canonical)

    def dataset(self, request: Request) -> Response:
        """The data set in VoID and DCAT, to a program by default."""
        store = self.site.store

        def body(form: Form) -> Response:
            if form is not HTML:
                return _rdf(self._dataset(store, form.suffix), form)
            layers = [
                {"name": name, "count": count, "comment": "", "rights": "", **layer_facts(store, name)}
                for name, count in store.info.quads.items()
            ]
            return page(store, "dataset.html", title="The data set", layers=layers, forms=FORMATS)

        return self._answer(request, store, f"/{WELL_KNOWN}", _suffixed(request), body, offered=_DATA_FIRST)

    def _dataset(self, store: Store, suffix: str) -> bytes:
        key = (store.info.id, suffix)
        with self._lock:  # one request counts, those that come meanwhile wait for it
            if key not in self._datasets:
                triples = list(dataset_triples(store, self.site.base))
                self._datasets = {(key[0], f.suffix): write(triples, f.suffix) for f in FORMATS}
            return self._datasets[key]

    def nothing(self, request: Request) -> Response:
        return _missing(self.site.store, request, request.url.path, [], None)

    def _answer(
        self,
        request: Request,
        store: Store,
        address: str,
        form: Form | None,
        body: Callable[[Form], Response],
        *,
        canonical: str | None = None,
        offered: Sequence[Form] = _FORMS,
    ) -> Response:
        """The answer in the form of the suffix or, without one, in that which the client likes best.

        Args:
            request: what is asked.
            store: the build that answers.
            address: path of what is described, without a suffix.
            form: of the suffix of the path.
            body: makes the answer in a form.
            canonical: the IRI of what is described.
            offered: the forms, those first that are given to a client without a preference.
        """
        if form is None:
            best = preferred(_accept(request), [form.media for form in offered])
            form = next((form for form in offered if form.media == best), None)
        links = [
            f'<{address}.{f.suffix}>; rel="alternate"; type="{f.media}"' for f in offered if f is not form
        ]
        links.append(f'</{WELL_KNOWN}>; rel="describedby"')
        if canonical:
            links.append(f'<{canonical}>; rel="canonical"')
        headers = {"vary": "Accept", "link": ", ".join(links), **_OPEN}
        if form is None:
            lines = [f"{f.media}  {address}.{f.suffix}" for f in offered]
            return PlainTextResponse("\n".join(["There is only:", *lines, ""]), 406, headers)
        headers["etag"] = f'"{store.info.id}.{self.version}.{form.suffix}"'
        headers["cache-control"] = "no-cache"  # may be kept, but asked for again: another build may answer
        asked = f"?{request.url.query}" if request.url.query else ""
        headers["content-location"] = f"{address}.{form.suffix}{asked}"
        if is_fresh(request.headers.get("if-none-match"), headers["etag"]):
            return Response(status_code=304, headers=headers)
        response = body(form)
        response.headers.update(headers)
        return response


_OPEN = {"access-control-allow-origin": "*", "access-control-expose-headers": "Link, Content-Location, ETag"}


def near_misses(store: Store, prefix: str, name: str) -> list[Match]:
    """What an unknown name may have been meant for: what it would be a part of, then what is called so."""
    found: list[Match] = []
    for above in _above(prefix, name):
        if matches := find(store, above).matches:
            found += matches
            break
    if prefix in _LIKENED:
        called = find(store, re.sub(r"[-.\d]+", " ", name)[:200])
        found += called.matches or called.near
    return list({match.iri: match for match in found}.values())[:8]


def _above(prefix: str, name: str) -> Iterator[str]:
    """Prefixed names of what a node of that name would be under: rules above a rule, the card of a face."""
    if prefix == "rule":
        number = name
        while number := re.sub(r"([a-z]+|\.?\d+|.)$", "", number):
            yield f"rule:{number}"
    elif prefix in ("face", "ability", "citation", "removal"):
        while "." in name:
            name = name.rpartition(".")[0]
            yield from (f"{kind}:{name}" for kind in ("ability", "face", "card", "token"))


def _record(store: Store, iri: str, form: Form) -> Record | None:
    """What the graph says of a node, where there is a record of its kind.

    Args:
        store: the graph.
        iri: of a node that is there.
        form: of the page.
    """
    match iri[len(BASE) :].partition("/")[0]:
        case "card" | "token":
            return next(read.cards(store, [iri]))
        case "rule" if form is JSON:
            return read.rule(store, iri)
        case "keyword" if form is JSON:
            return read.keyword(store, iri)
        case "term" if form is JSON:
            return read.term(store, iri)
    return None


def _form(suffix: str) -> Form | None:
    return next((form for form in (*_FORMS, JSON) if form.suffix == suffix), None)


def _accept(request: Request) -> str:
    return ", ".join(request.headers.getlist("accept"))


def _suffixed(request: Request) -> Form | None:
    return _form(request.url.path.rpartition(".")[2])


def _rdf(body: bytes, form: Form) -> Response:
    media = f"{form.media}; charset=utf-8" if form.suffix == "ttl" else form.media
    return Response(body, headers={"content-type": media, "x-content-type-options": "nosniff"})


def _missing(store: Store, request: Request, what: str, near: list[Match], form: Form | None) -> Response:
    """404, as a page, as JSON or as plain text."""
    media = [HTML.media, "text/plain", "application/json", *(f.media for f in FORMATS)]
    best = form.media if form else preferred(_accept(request), media) or "text/plain"
    title = f"There is no {what}"
    reason = f"Nothing of that name is in this graph, which has the rules of {store.info.release}."
    headers = {"vary": "Accept", **_OPEN}
    if best == HTML.media:
        return page(store, "missing.html", status=404, headers=headers, title=title, reason=reason, near=near)
    if best in ("application/json", "application/ld+json"):
        nodes = [{"iri": match.iri, "label": match.label, "kind": match.kind} for match in near]
        text = json.dumps({"error": f"{title}. {reason}", "near": nodes}, ensure_ascii=False)
        return Response(text, 404, {**headers, "content-type": "application/json"})
    lines = [f"# {compact(match.iri)}  {match.label}" for match in near]
    lines = [f"# {title}. {reason}", *(["# Did you mean:"] if near else []), *lines]
    return PlainTextResponse("".join(f"{' '.join(line.splitlines())}\n" for line in lines), 404, headers)
