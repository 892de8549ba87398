"""What the commands do: names to records, records to the screen, queries to answers, nodes to views.

Data goes to stdout; what is told beside it goes to stderr, and nothing of that when `quiet`, but for what
is wrong. What takes long to import is imported where it is needed.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cardlaw.graph import read
from cardlaw.graph.diagnose import why_empty
from cardlaw.graph.errors import SourceError
from cardlaw.graph.model import Card, Face, Rulebook
from cardlaw.graph.names import Match, find, resolve
from cardlaw.graph.queries import bind, load_query, parse_query
from cardlaw.graph.store import Store, default_path
from cardlaw.graph.sums import changed
from cardlaw.graph.tagging import Tag, Tagger
from cardlaw.ontology.namespaces import compact

from .jsonform import Record, encode, form
from .report import STAGES, answer_lines, summary_lines, write_answer
from .show import Line, lines, print_lines
from .terminal import FAILURE, console, progress, say, warn, write

if TYPE_CHECKING:
    from .remote import Endpoint

__all__ = [
    "DRAWN",
    "SHOWN",
    "alike",
    "annotated",
    "answer",
    "build_graph",
    "draw",
    "look_up",
    "print_all",
    "print_records",
    "read_bytes",
    "read_secret",
    "record",
    "send",
    "trace",
    "watched",
    "write_page",
    "write_pages",
]

SHOWN = frozenset({"card", "face", "rule", "keyword", "term"})
"""Kinds of nodes that can be told as text."""

DRAWN = SHOWN | {"ability", "type"}
"""Kinds of nodes that can stand in the middle of a view."""

_WIDE = 110
"""Columns of a terminal that are enough for a citation on one line."""

_LONG = 10.0
"""Seconds after which a query that is not answered makes one ask whether the files are whole."""


def build_graph(
    cards: Sequence[str],
    rules: Sequence[Path] | None,
    rulings: Path | None,
    store: Path | None,
    *,
    catalogue: Path | None = None,
    corrections: Path | None = None,
    quiet: bool,
) -> None:
    """Build, with a bar for each stage, and tell what came of it; None as `cardlaw.graph.build` has it."""
    from cardlaw.graph.build import build

    root = store or default_path()
    say(f"Building the graph in {root} …", quiet=quiet)
    with progress(quiet=quiet) as report:
        summary = build(
            cards=["corpus" if source == "corpus" else Path(source) for source in cards],
            rules=rules,
            rulings=rulings,
            catalogue=catalogue,
            corrections=corrections,
            store=root,
            progress=lambda stage, done, total: report(STAGES[stage], done, total),
        )
    for warning in summary.warnings:
        warn(warning)
    if not quiet:
        print_all(summary_lines(summary))


def look_up(
    graph: Store, names: Sequence[str], kinds: Collection[str], *, quiet: bool
) -> tuple[list[Match], bool]:
    """What each name means, of the kinds that can be shown, and whether all names mean something.

    A name that means nothing is told on stderr, and so is what else a name may mean.
    """
    chosen: dict[str, Match] = {}
    complete = True
    for name in names:
        found = find(graph, name)
        fitting: dict[str, Match] = {}
        for match in found.matches:
            if match.card or match.kind in kinds:
                fitting.setdefault(match.card or match.iri, match)
        if fitting:
            first, *others = fitting
            chosen.setdefault(first, fitting[first])
            if others:
                say(f"“{name}” is also {', '.join(map(compact, others))}", quiet=quiet)
            continue
        complete = False
        if found.matches:
            node = compact(found.matches[0].iri)
            is_shown = found.matches[0].kind in SHOWN
            why, way = ("is no card", "show") if is_shown else ("has no page of its own", "view")
            warn(f"“{name}” is {node}, which {why}; try: cardlaw {way} {node}")
        else:
            labels = dict.fromkeys(f"“{match.label}”" for match in found.near)
            near = " or ".join(list(labels)[:3])
            warn(f"nothing is called “{name}”" + (f"; did you mean {near}?" if near else ""))
    if not complete and len(names) > 1 and find(graph, " ".join(names), near=False).matches:
        warn(f"a name of several words stands in quotes: '{' '.join(names)}'")
    return list(chosen.values()), complete


def record(graph: Store, match: Match) -> Record:
    """All that the graph says of a match of a kind in `SHOWN`."""
    if match.card:
        return read.card(graph, match.card)
    if match.kind == "rule":
        return read.rule(graph, match.iri)
    if match.kind == "keyword":
        return read.keyword(graph, match.iri)
    return read.term(graph, match.iri)


def annotated(
    face: Face, rulebook: Rulebook, catalogue: Path | None, corrections: Path | None
) -> tuple[Card, dict[str, str], tuple[Tag, ...]]:
    """A card of this face, linked by a catalogue and corrections of one's own, notes of entries, its tags.

    What of these does not fit is told on stderr.
    """
    from cardlaw.graph.linking import Linker, correct, own_catalogue, place, read_corrections

    own = None if catalogue is None else own_catalogue(catalogue)
    listed = None if corrections is None else read_corrections(corrections, rulebook)
    linker = Linker(rulebook, None if own is None else own.entries)
    for fallback in linker.fallbacks:
        if own is not None and (where := own.of_anchor(fallback.anchor)):
            warn(f"{where}: {fallback.anchor}: {fallback.reason}")
    card = Card(name=face.name, slug="", layout="normal", faces=(linker.link(face),))
    entries = linker.entries
    if listed is not None:
        placed, _ = place(listed, [card])
        if not placed:
            warn(f"{listed.file}: no correction is for “{face.name}”; --name tells the name of a card")
        result = correct(card, placed.get(card.slug, ()))
        for correction, why in result.missed.items():
            warn(f"{listed.file}: cannot {correction}: {why}")
        card = result.card
        entries += listed.entries
    return card, {entry.id: entry.note for entry in entries}, Tagger(linker.lexicon.terms)(card)


def print_records(
    records: Iterable[Record],
    *,
    release: str,
    has_text: bool,
    notes: Mapping[str, str],
    tagged: Callable[[Card], Sequence[Tag]],
    json: bool,
) -> None:
    """Print records as text or as one JSON array; arguments as `show.lines` has them.

    tagged: gives the tags of a card.
    """

    def tags(record: Record) -> Sequence[Tag]:
        return tagged(record) if isinstance(record, Card) else ()

    if json:
        forms = [form(each, release=release, tags=tags(each)) for each in records]
        write(encode(forms, indent=2) + b"\n")
        return
    screen = console()
    wide = not screen.is_terminal or screen.width >= _WIDE
    for number, each in enumerate(records):
        if number:
            print()
        shown = lines(each, release=release, has_text=has_text, notes=notes, tags=tags(each), wide=wide)
        print_lines(shown, screen)


def write_page(graph: Store, records: Sequence[Record], path: Path | None) -> None:
    """Write one HTML file that holds all it needs, or print it; its path goes to stdout."""
    from .files import write_file
    from .links import Alone
    from .recordpage import records_html

    html = records_html(graph, records, Alone()).encode("utf-8", "replace")
    write_file([html], path)
    if path is not None:
        print(path)


def write_pages(
    graph: Store,
    path: Path,
    names: Sequence[str],
    deck: Path | None,
    printed_in: str | None,
    query: str | None,
    values: Mapping[str, str],
    *,
    quiet: bool,
) -> bool:
    """Write a site of files of all cards, or of those that are chosen; whether all names mean something.

    Args:
        graph: the store.
        path: the folder.
        names: of cards, rules, keywords and terms.
        deck: a list of cards.
        printed_in: code of a set.
        query: as `cardlaw query` takes it; its answer has cards.
        values: of its parameters.
        quiet: tell nothing but what is wrong.
    """
    from .sitechoice import cards_of_query, cards_of_set, deck_names
    from .sitefiles import plan, write_site

    listed = [] if deck is None else deck_names(read_bytes(str(deck)))
    chosen: list[str] | None = None
    complete = True
    if names or deck is not None or printed_in is not None or query is not None:
        matches, complete = look_up(graph, [*names, *listed], SHOWN, quiet=quiet)
        chosen = [match.card or match.iri for match in matches]
        chosen += cards_of_set(graph, printed_in) if printed_in is not None else []
        chosen += cards_of_query(graph, query, values) if query is not None else []
        if not chosen:
            warn(f"nothing is written: {deck or 'the choice'} has no card of this graph")
            return False
    with progress(quiet=quiet) as report:
        report("choice", 0, None)
        made = plan(graph, chosen)
        write_site(graph, made, path, report)
    others = len(made.paths) - made.cards
    release = graph.info.release
    say(
        f"{made.cards:,} card{'s' * (made.cards != 1)}, {others:,} rules, keywords and terms of {release}",
        quiet=quiet,
    )
    print(path / "index.html")
    return complete


def print_all(printed: Iterable[Line]) -> None:
    """Print lines to stdout."""
    print_lines(printed, console())


def answer(
    graph: Store | None,
    name: str,
    values: Mapping[str, str],
    format_: str,
    *,
    endpoint: Endpoint | None = None,
    quiet: bool,
) -> None:
    """Ask a named query, or that of a file or (`-`) of stdin, and print the answer.

    If it is empty, what can be told of the reason is told on stderr.

    Args:
        graph: the store, in which names are looked up; None only with an endpoint.
        name: as `cardlaw query` takes it.
        values: of its parameters, as a person writes them.
        format_: "table", or what `report.write_answer` knows.
        endpoint: asked instead of the store.
        quiet: do not say which release the rule numbers are of, nor why there is no answer.
    """
    query = parse_query(read_text("-"), "the query") if name == "-" else load_query(name)
    terms = resolve(graph, query, values)
    asked = endpoint or graph
    assert asked is not None
    results = asked.query(query.text, terms)
    found: bool
    if format_ == "table":
        rows, found = answer_lines(results)
        print_all(rows)
    else:
        found = write_answer(results, format_)
    if quiet:
        return
    if not found:
        for reason in why_empty(bind(query.text, terms), lambda ask: bool(asked.query(ask))):
            say(f"Nothing was found. {reason}")
    if graph is not None and endpoint is None:
        say(f"Rule numbers of the Comprehensive Rules effective {graph.info.release}.")


@contextmanager
def watched(graph: Store) -> Iterator[None]:
    """If what is done meanwhile takes long, check the files of the build, and end if they are damaged.

    A query over damaged files may never end, and nothing but the end of the process stops it.
    """

    def look() -> None:
        for wrong in changed(graph.folder, graph.info.files):
            warn(str(graph.damaged(wrong)))
            os._exit(FAILURE)

    timer = threading.Timer(_LONG, look)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def draw(graph: Store, matches: Sequence[Match], path: Path, *, depth: int, limit: int) -> None:
    """Write the view of what lies around `matches`, which are of kinds in `DRAWN`."""
    from cardlaw.graph.neighborhood import HARD_LIMIT, neighborhood

    from .viewpage import write_view

    nodes = [compact(match.card or match.iri) for match in matches]
    found = neighborhood(graph, nodes, depth, limit, hold=HARD_LIMIT)
    write_view(
        found.graph,
        path,
        focus=nodes,
        title=", ".join(match.label for match in matches),
        release=graph.info.release,
        shown=found.shown,
        depth=depth,
    )


def trace(graph: Store, source: Match, target: Match, path: Path | None) -> bool:
    """Tell how two nodes, of kinds in `DRAWN`, are tied, draw it into a file, if any; whether they are."""
    from cardlaw.graph.lookup import Lookup
    from cardlaw.graph.neighborhood import between
    from cardlaw.graph.paths import paths

    from .report import path_lines
    from .viewpage import write_view

    ends = [compact(match.card or match.iri) for match in (source, target)]
    found = paths(graph, ends[0], ends[1])
    if all(end.startswith("card:") for end in ends):
        _tell_meetings(graph, [end.removeprefix("card:") for end in ends])
    if not found:
        warn(f"no path ties {source.label} and {target.label}")
        return False
    print_all(path_lines(found, Lookup(graph).title))
    if path is not None:
        write_view(
            between(graph, dict.fromkeys(node for each in found for node in each.nodes)).graph,
            path,
            focus=ends,
            title=f"{source.label} and {target.label}",
            release=graph.info.release,
        )
    return True


def _tell_meetings(graph: Store, slugs: Sequence[str]) -> None:
    """How two cards meet, if they do."""
    from cardlaw.graph.facts import Reader
    from cardlaw.graph.meetings import meetings

    from .alike import meeting_lines

    if found := meetings(graph, slugs):
        print_all(meeting_lines(found, Reader(graph).heading))
        print()


def alike(graph: Store, match: Match, limit: int, *, json: bool, quiet: bool) -> None:
    """Tell the cards most alike a card, with what they share."""
    from cardlaw.graph.similar import similar
    from cardlaw.ontology.namespaces import PREFIXES

    from .alike import similar_form, similar_lines

    slug = (match.card or match.iri).removeprefix(PREFIXES["card"])
    found = similar(graph, slug, limit=limit)
    if json:
        write(encode(similar_form(graph, slug, found), indent=2) + b"\n")
        return
    print_all(similar_lines(match.label, found))
    say(f"Rule numbers of the Comprehensive Rules effective {graph.info.release}.", quiet=quiet)


def send(
    graph: Store,
    endpoint: str,
    query_endpoint: str | None,
    *,
    user: str | None,
    secret: str | None,
    quiet: bool,
) -> None:
    """Publish the graph, with a bar for each layer, and tell what the server counts.

    Args:
        graph: the store.
        endpoint: address of a Graph Store Protocol.
        query_endpoint: address of its SPARQL endpoint; None: told by the other.
        user: whose password `secret` is; None: it is a bearer token, if anything.
        secret: password or token.
        quiet: tell nothing but what is wrong.
    """
    from .graphstore import Bearer, GraphStore, Password
    from .publish import publish
    from .report import published_lines

    auth = None if secret is None else Bearer(secret) if user is None else Password(user, secret)
    with GraphStore(endpoint, query_endpoint, auth) as server:
        if auth and server.is_open:
            warn(f"{server.name} is not https: others on the way may read the password or token")
        try:
            with progress(quiet=quiet) as report:
                counts = publish(graph, server, report)
        except KeyboardInterrupt:
            warn("stopped: run it again, and it goes on where it was")
            raise
    if not quiet:
        print_all(published_lines(server.name, counts))


def read_secret(file: Path | None, variable: str) -> str | None:
    """A password or token: the first line of a file (`-`: of stdin), else of the environment, or None.

    Raises:
        SourceError: if the line is empty, or is no UTF-8 text.
        OSError: if the file cannot be read.
    """
    if file is None:
        return os.environ.get(variable) or None
    secret = read_text(str(file)).partition("\n")[0].rstrip("\r")
    if not secret:
        raise SourceError(f"{file} begins with an empty line: it has to hold the password or token alone")
    return secret


def read_text(file: str) -> str:
    """The UTF-8 text of a file, or of stdin if it is `-`.

    Raises:
        SourceError: if it is no UTF-8 text, or stdin is closed.
        OSError: if the file cannot be read.
    """
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError(f"{'stdin' if file == '-' else file} is no UTF-8 text") from None


def read_bytes(file: str) -> bytes:
    """What is in a file, or comes from stdin if it is `-`.

    Raises:
        SourceError: if stdin is closed, or there is no such file.
        OSError: if the file cannot be read.
    """
    if file == "-" and sys.stdin is None:
        raise SourceError("stdin is closed: give a file")
    if file == "-" and sys.stdin.isatty():
        say("Reading from the terminal; end with Ctrl-D.")
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except FileNotFoundError:
        raise SourceError(f"there is no file {file}: give one, or - and the text itself on stdin") from None
