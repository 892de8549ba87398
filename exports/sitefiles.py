"""A site as files that work from a disk or any web server: pages, their twins, indexes and a search.

What comes in are cards (or rules, keywords, glossary terms); what goes out besides their pages are those of
the rules that they cite, of what stands above and under these and what they refer to, with the keywords and
terms. A link to what has no page here goes to its IRI. Same build, same choice, same bytes.
Measured: 1,000 cards and 1,864 pages of rules, keywords and terms in 51 s of processor time, on all cores.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from pyoxigraph import NamedNode, QuerySolutions

from cardlaw.graph import read, reference
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.facts import Reader, local, node
from cardlaw.graph.load import follow_parent, hand_over, handed, submit
from cardlaw.graph.naming import slug
from cardlaw.graph.search import Entry, index
from cardlaw.graph.store import Store, open_build
from cardlaw.graph.triples import RELATION_PROPERTIES
from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES

from . import listspage
from .cardlists import CardLists, Tie, card_of
from .describe import describe
from .files import write_folder
from .jsonform import Record, encode, form
from .links import Folder
from .passages import Book
from .rdfforms import JSON, write
from .recordpage import records_html
from .sitelists import INDEX, PLACES, lists, search_index
from .terminal import Report

__all__ = ["MARK", "Plan", "file_name", "plan", "write_site"]

MARK = "cardlaw-site.json"
"""The file by which a folder is known as a site that may be replaced; it names all others at its top."""

_CHUNK = 25  # pages that a process makes at a time
_LONGEST = 120  # of a file's name, without its suffix
_TIED = (
    *(property_.removeprefix("mtg:") for property_ in RELATION_PROPERTIES.values()),
    *("hasKeyword", "grantsKeyword", "losesKeyword", "mentionsKeyword", "hasType"),
)
_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
"""Names that Windows keeps for devices, whatever follows their first dot."""
_ASSETS = ("pages.css", "cards.css", "rules.css", "sitesearch.js", *listspage.STYLES)


Holders: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""IRI and local name of a property → local names of the faces and abilities that have it with that value."""


class Plan(NamedTuple):
    """What is written: the pages of nodes."""

    paths: Mapping[str, str]  # IRI → path of its page; cards first, the rules in the order of the book
    cards: int  # how many of them are of cards and tokens
    names: read.CardNames | None  # of those, as records have them; None: of all cards
    holders: Holders | None  # of those, for the lists of cards on pages; None: of all cards

    @property
    def iris(self) -> Sequence[str]:
        return list(self.paths)


def file_name(name: str) -> str:
    """A local name as a file may be called anywhere, Windows too; others get a digest of their own."""
    if _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name) and len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return f"{slug(name)[:60].strip('-')}-{digest}".lstrip("-")


def plan(store: Store, chosen: Iterable[str] | None = None) -> Plan:
    """The pages of a site.

    Args:
        store: the graph.
        chosen: IRIs of cards, tokens, rules, keywords and glossary terms; None: all cards and the rulebook.
    """
    reader = Reader(store)
    rules = {row.number: row for row in reference.rules(store)}
    keywords = {row.iri: row for row in reference.keywords(store)}
    if chosen is None:
        names = holders = None
        rows = cast(QuerySolutions, store.query("SELECT ?card { GRAPH layer:cards { ?card a mtg:Card } }"))
        cards = [cast(NamedNode, row[0]).value for row in rows]
        numbers = set(rules)
        named = set(keywords) | set(reader.subjects("rdf:type", f"{MTG}Term"))
    else:
        seeds = {iri: iri.removeprefix(BASE).partition("/")[0] for iri in chosen}
        cards = [iri for iri, kind in seeds.items() if kind in ("card", "token")]
        names, holders = read.card_names(store, cards), _holders(reader, cards)
        named = {iri for iri, kind in seeds.items() if kind in ("keyword", "term")}
        cited = {local(iri) for iri, kind in seeds.items() if kind == "rule"}
        cited |= set(_cited(reader, cards))
        cited |= {keywords[iri].rule for iri in named if iri in keywords}
        for iri in named:
            cited |= set(map(local, reader.facts(iri)["refersTo"]))
        numbers = _around(rules, cited & rules.keys())
        named |= {iri for iri, row in keywords.items() if row.rule in cited}
        named |= set(_terms(reader, cited))
    book = [rules[number].iri for number in rules if number in numbers]
    paths = {}
    for iri in (*sorted(cards), *book, *sorted(named)):
        kind, _, name = iri.removeprefix(BASE).partition("/")
        paths[iri] = f"{kind}/{file_name(name)}.html"
    return Plan(paths, len(cards), names, holders)


def _cited(reader: Reader, cards: Iterable[str]) -> Iterator[str]:
    """Numbers of the rules that cards cite, in reminder text too."""
    for card in cards:
        for face in reader.facts(card)["hasFace"]:
            holders = [("face", face), *(("ability", each) for each in reader.facts(face)["hasAbility"])]
            for role, holder in holders:
                for citation in reader.subjects(role, holder):
                    for quad in reader.quads.quads_for_pattern(NamedNode(citation), node("rule"), None, None):
                        yield local(cast(NamedNode, quad.object).value)


def _holders(reader: Reader, cards: Iterable[str]) -> Holders:
    """What the faces and abilities of cards have to do with rules, keywords and types."""
    found: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        for face in reader.facts(card)["hasFace"]:
            about = reader.facts(face)
            for holder in (face, *about["hasAbility"]):
                said = about if holder == face else reader.facts(holder)
                for name in _TIED:
                    for target in said[name]:
                        found.setdefault((target, name), []).append(local(holder))
    return found


class _Lists(CardLists):
    """Lists of the cards of a site only."""

    def __init__(self, store: Store, holders: Holders) -> None:
        super().__init__(store)
        self._holders = holders

    def ties(
        self, iri: str, rule: str, properties: Mapping[str, str], name: str = "abilities"
    ) -> Iterator[tuple[str, Tie]]:
        for property_, relation in properties.items():
            for holder in self._holders.get((iri, property_), ()):
                yield card_of(holder), Tie(holder, rule, relation)


def _terms(reader: Reader, numbers: Iterable[str]) -> Iterator[str]:
    """Glossary terms that refer to rules."""
    for number in numbers:
        for iri in reader.subjects("refersTo", PREFIXES["rule"] + number):
            if iri.startswith(PREFIXES["term"]):
                yield iri


def _around(rules: Mapping[str, reference.RuleRow], cited: Iterable[str]) -> set[str]:
    """Rules with all under them, what those refer to, and what all of these stand under."""
    below: dict[str | None, list[str]] = {}
    for row in rules.values():
        below.setdefault(row.parent, []).append(row.number)
    found = set[str]()
    waiting = [number for number in cited if "." in number]  # sections and chapters are read as lists
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += below.get(number, ())
    found |= {other for number in list(found) for other in rules[number].references}
    found |= set(cited)
    for number in list(found):
        above = rules[number].parent
        while above is not None and above not in found:
            found.add(above)
            above = rules[above].parent
    return found


def write_site(store: Store, made: Plan, path: Path, report: Report, *, workers: int | None = None) -> None:
    """Write a site; an earlier one at the same place is replaced when the new one is complete.

    Args:
        store: the graph.
        made: what pages it has.
        path: of the folder.
        report: told how far it is.
        workers: processes that write pages; default: one per core.

    Raises:
        CardlawError: there is something else at `path`, or it cannot be written; nothing is left behind.
    """
    write_folder(lambda folder: _fill(store, made, folder, report, workers), path, may_replace=_is_ours)


def _is_ours(folder: Path) -> bool:
    """Whether a folder is a site that was written here, with nothing else at its top.

    Raises:
        CardlawError: it is one, and there is something else in it.
    """
    try:
        own = set(json.loads((folder / MARK).read_text(encoding="utf-8"))["entries"])
    except (OSError, ValueError, TypeError, KeyError):
        return False
    if others := sorted(each.name for each in folder.iterdir() if each.name not in own):
        raise CardlawError(
            f"{folder} is a site, but {others[0]} in it is not: take it out, or give another folder"
        )
    return True


def _fill(store: Store, made: Plan, folder: Path, report: Report, workers: int | None) -> None:
    for kind in sorted({path.partition("/")[0] for path in made.paths.values()}):
        (folder / kind).mkdir()
    (folder / "assets").mkdir()
    chunks = [made.iris[start : start + _CHUNK] for start in range(0, len(made.paths), _CHUNK)]
    done = 0
    report("pages", 0, len(made.paths))
    for number in _written(store, made, folder, chunks, workers or os.cpu_count() or 1):
        done += number
        report("pages", done, len(made.paths))
    report("search", 0, None)
    web = files("cardlaw.exports").joinpath("web")
    for name in _ASSETS:
        (folder / "assets" / name).write_bytes(web.joinpath(name).read_bytes())
    for name in listspage.SCRIPTS:
        (folder / "assets" / name).write_text(listspage.script(name), encoding="utf-8", newline="\n")
    entries = {entry.iri: entry for entry in index(store).entries(made.paths)}
    found = [entries.get(iri) or _bare(store, iri) for iri in made.paths]
    (folder / "assets" / INDEX).write_bytes(search_index(found, made.paths))
    report("search", len(found), len(found))
    for path, html in lists(store, made.paths, found):
        _write(folder / path, html)
    mark = {
        "site": "cardlaw",
        "rulebook": store.info.release,
        "built": store.info.started[:10],
        "cards": made.cards,
        "pages": len(made.paths),
        "entries": sorted([MARK, *(each.name for each in folder.iterdir())]),
    }
    (folder / MARK).write_bytes(encode(mark, indent=2) + b"\n")


def _written(
    store: Store, made: Plan, folder: Path, chunks: Sequence[Sequence[str]], workers: int
) -> Iterator[int]:
    """Write the pages of nodes; how many were written, time after time."""
    workers = min(workers, len(chunks))
    if workers < 2:
        yield from map(_Writer(store, made, folder), chunks)
        return
    given = folder / ".plan"
    hand_over(made, given)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (store.folder, given, folder))
    try:
        tasks = [submit(pool, _write_pages, chunk) for chunk in chunks]
        for task in as_completed(tasks):
            yield task.result()
    except BrokenProcessPool:
        raise CardlawError("a process that writes pages ended abruptly: is there memory enough?") from None
    finally:
        pool.shutdown(cancel_futures=True)
        given.unlink(missing_ok=True)


class _Writer:
    """Writes pages of nodes with their twins."""

    def __init__(self, store: Store, made: Plan, folder: Path) -> None:
        self._store = store
        self._paths = made.paths
        self._names = made.names
        self._folder = folder
        self._book = Book(store)
        if made.holders is not None:
            self._book.lists = _Lists(store, made.holders)
            own = PREFIXES["card"]
            self._book.cards = frozenset(iri.removeprefix(own) for iri in made.paths if iri.startswith(own))

    def __call__(self, iris: Sequence[str]) -> int:
        for iri in iris:
            record = _record(self._store, iri, self._names)
            here = self._paths[iri]
            links = Folder(here, self._paths, PLACES)
            html = records_html(self._store, [record], links, self._book)
            page = self._folder / here
            _write(page, html)
            shown = encode(form(record, release=self._store.info.release), indent=2)
            page.with_suffix(f".{JSON.suffix}").write_bytes(shown)
            turtle = write(describe(self._store, iri, sampled=False).triples(BASE), "ttl", iri)
            page.with_suffix(".ttl").write_bytes(turtle)
        return len(iris)


_writer: _Writer | None = None  # of this process


def _start(build: Path, made: Path, folder: Path) -> None:
    global _writer
    follow_parent()
    _writer = _Writer(open_build(build), handed(made), folder)


def _write_pages(iris: Sequence[str]) -> int:
    assert _writer is not None
    return _writer(iris)


def _record(store: Store, iri: str, names: read.CardNames | None) -> Record:
    match iri.removeprefix(BASE).partition("/")[0]:
        case "rule":
            return read.rule(store, iri, names)
        case "keyword":
            return read.keyword(store, iri, names)
        case "term":
            return read.term(store, iri)
    return next(read.cards(store, [iri]))


def _write(path: Path, html: str) -> None:
    path.write_bytes(html.encode("utf-8", "replace"))


def _bare(store: Store, iri: str) -> Entry:
    """The entry of a node that has only a name."""
    kind = iri.removeprefix(BASE).partition("/")[0]
    return Entry(kind, iri, Reader(store).label(iri), "")
