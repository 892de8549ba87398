"""The command line: a thin skin over the graph, one function a command.

Only typer is imported when the program starts; each command imports what it needs when it runs, so that
`cardlaw --help` answers at once. Exit codes: 0, 1 for a failure, 2 for a wrong call, 130 for Ctrl-C.
"""

from __future__ import annotations

import os
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .rules import rules
from .shellnames import names as offered
from .shellnames import parameters, queries
from .terminal import FAILURE, end_at_once, end_in_order, guard, progress, say, warn
from .tour import Tour

__all__ = ["app", "main"]

app = typer.Typer(
    name="cardlaw",
    cls=Tour,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(rules)


class CardFormat(StrEnum):
    """How `annotate` answers."""

    TEXT = "text"
    JSON = "json"


class ShowFormat(StrEnum):
    """How `show` answers."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class DeckFormat(StrEnum):
    """How `deck` answers."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"
    VIEW = "view"


class TableFormat(StrEnum):
    """How `query` answers."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    XML = "xml"
    TURTLE = "turtle"


class FileFormat(StrEnum):
    """What `export` writes."""

    NQUADS = "nquads"
    TRIG = "trig"
    TURTLE = "turtle"
    JSONLD = "jsonld"
    JSONL = "jsonl"
    GRAPHML = "graphml"
    GEXF = "gexf"
    NEO4J = "neo4j"
    PARQUET = "parquet"
    SITE = "site"


class FetchKind(StrEnum):
    """What `fetch` gets."""

    CARDS = "cards"
    RULES = "rules"
    RULINGS = "rulings"


class Bulk(StrEnum):
    """Which of Scryfall's files of cards `fetch` gets."""

    ORACLE_CARDS = "oracle_cards"
    DEFAULT_CARDS = "default_cards"


class CiteFormat(StrEnum):
    """How `cite` answers."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="DIR", help="Folder of the graph [default: $CARDLAW_STORE, or your data folder]"
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]
CatalogueOption = Annotated[
    Path | None,
    typer.Option(
        "--catalogue",
        metavar="DIR",
        help="Folder of catalogue entries of your own (*.toml): more, or others.",
    ),
]
CorrectionsOption = Annotated[
    Path | None,
    typer.Option(
        "--corrections", metavar="FILE", help="Single citations to remove or add, each with a reason."
    ),
]
CardFormatOption = Annotated[CardFormat, typer.Option("--format", help="How to answer.")]

_QUESTIONS = (
    ("Which rules does this card invoke?", "rules-by-card", {"card": "Unpredictable Cyclone"}),
    (
        "Which do these two cards share?",
        "rules-by-card",
        {"card": "Unpredictable Cyclone", "other": "Astral Drift"},
    ),
    ("Which keywords are on the most cards?", "keywords-by-cards", {"limit": "10"}),
)
_VIEWS = ("Unpredictable Cyclone", "Cycling")


def main() -> None:
    """Entry point of the `cardlaw` program."""
    sys.exit(guard(_run))


def _run() -> int:
    command = typer.main.get_command(app)
    if "_CARDLAW_COMPLETE" in os.environ:  # a shell asks what may follow
        command.main(prog_name="cardlaw")
    with command.make_context("cardlaw", sys.argv[1:]) as context:
        command.invoke(context)
    return 0


@app.callback(invoke_without_command=True)
def cardlaw(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Tell the version and stop.")] = False,
) -> None:
    """Magic: The Gathering cards and the Comprehensive Rules as one graph.

    Every ability of a card points at the rules that it invokes, with the words that prove it.

    \b
    Type first:
      cardlaw demo                          builds the graph (a minute) and asks it
    \b
    Then ask, and look:
      cardlaw show "Unpredictable Cyclone"  a card, and what it invokes
      cardlaw show 702.29                   a rule, and the cards that invoke it
      cardlaw show cycling                  a keyword, with the same
      cardlaw query                         lists the named queries
      cardlaw view cycling                  writes a page to explore
      cardlaw serve                         all of it in your browser, and SPARQL
    \b
    Without a graph:
      echo "Flying, ward {2}" | cardlaw annotate
      cardlaw cite README.md src
    """
    if version:
        from importlib.metadata import version as installed

        print(f"cardlaw {installed('cardlaw')}")
    elif context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(2)


@app.command()
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the two views go.")
    ] = Path("cardlaw-demo"),
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Build the graph if there is none, ask it three questions and write two views. Needs no network.

    \b
    Example:
      cardlaw demo
    """
    from cardlaw.graph.naming import slug
    from cardlaw.graph.store import current_build, default_path, open_store

    from .answers import DRAWN, answer, build_graph, draw, look_up

    folder = store or default_path()
    if current_build(folder) is None:
        build_graph(["corpus"], None, None, folder, quiet=quiet)
        print()
    with open_store(folder) as graph:
        for question, name, values in _QUESTIONS:
            settings = " ".join(f"--set {shlex.quote(f'{key}={value}')}" for key, value in values.items())
            print(f"{question}\n$ cardlaw query {name} {settings}")
            answer(graph, name, values, "table", quiet=True)
            print()
        output.mkdir(parents=True, exist_ok=True)
        for name in _VIEWS:
            path = output / f"{slug(name)}.html"
            draw(graph, look_up(graph, [name], DRAWN, quiet=True)[0], path, depth=1, limit=150)
            print(f"A view of {name}: {path.absolute()}")


@app.command()
def build(
    cards: Annotated[
        list[str] | None,
        typer.Option(
            "--cards",
            metavar="SRC",
            help="A file of Scryfall or MTGJSON, or “corpus”, the one installed [default: corpus]; given "
            "again, later ones fill what earlier ones lack.",
        ),
    ] = None,
    rules: Annotated[
        list[Path] | None,
        typer.Option(
            "--rules",
            metavar="SRC",
            help="Official text of the rules, or a folder of releases [default: an outline without the "
            "words]; given several, the newest links the cards, older ones tell what changed.",
        ),
    ] = None,
    rulings: Annotated[
        Path | None, typer.Option("--rulings", metavar="SRC", help="Scryfall's file of rulings.")
    ] = None,
    catalogue: CatalogueOption = None,
    corrections: CorrectionsOption = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Build the graph of all cards and rules. An earlier graph answers until the new one is complete.

    \b
    Examples:
      cardlaw build
      cardlaw build --rules MagicCompRules.txt
      cardlaw build --rules older-releases --rules MagicCompRules.txt
      cardlaw build --cards corpus --cards oracle-cards.json --rulings rulings.json
      cardlaw build --catalogue my-catalogue --corrections corrections.toml
    """
    from .answers import build_graph

    end_in_order()
    build_graph(
        cards or ["corpus"],
        rules,
        rulings,
        store,
        catalogue=catalogue,
        corrections=corrections,
        quiet=quiet,
    )


@app.command()
def fetch(
    kind: Annotated[FetchKind, typer.Argument(help="What to get.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="URL|FILE", help="A file to get instead of the one that is published."
        ),
    ] = None,
    bulk: Annotated[
        Bulk, typer.Option("--bulk", help="For cards: one record a card, or one a printing.")
    ] = Bulk.ORACLE_CARDS,
    quiet: QuietOption = False,
) -> None:
    """Get Scryfall's cards and rulings, or the current rules, into your cache folder; prints the file.

    What is there already is not fetched again; what broke off goes on. Releases of the rules are all kept.

    \b
    Examples:
      cardlaw fetch cards
      cardlaw build --rules "$(cardlaw fetch rules)"
      cardlaw build --cards "$(cardlaw fetch cards)" --rulings "$(cardlaw fetch rulings)"
      cardlaw fetch rules --from "MagicCompRules 20260116.txt"
    """
    from cardlaw.graph.sources.fetch import fetch as get

    end_in_order()
    with progress(quiet=quiet) as report:
        found = get(kind.value, source=source, bulk=bulk.value, progress=report)
    for warning in found.warnings:
        warn(warning)
    state = "fetched" if found.fresh else "already there"
    day = f" of {found.date}" if found.date else ""
    say(f"{found.name}{day}: {state}, {found.size / 1e6:.1f} MB, sha256 {found.sha256}", quiet=quiet)
    print(found.path)


@app.command()
def show(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME", help="A card, a face, a rule number, a keyword …", autocompletion=offered
        ),
    ],
    format_: Annotated[ShowFormat, typer.Option("--format", help="How to answer.")] = ShowFormat.TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F.html", help="Where the HTML goes [default: stdout]"),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show cards annotated like a judge would, rules with their cards, keywords and glossary terms.

    \b
    Examples:
      cardlaw show "Unpredictable Cyclone"
      cardlaw show Fire 702.29 cycling
      cardlaw show --format json "Lightning Bolt"
      cardlaw show --format html "Lightning Bolt" -o bolt.html
    """
    from cardlaw.graph.read import notes
    from cardlaw.graph.store import open_store
    from cardlaw.graph.tagged import card_tags

    from .answers import SHOWN, look_up, print_records, record, write_page

    if output is not None and format_ is not ShowFormat.HTML:
        raise typer.BadParameter("-o goes with --format html")
    with open_store(store) as graph:
        matches, complete = look_up(graph, names, SHOWN, quiet=quiet)
        records = [record(graph, match) for match in matches]
        if format_ is not ShowFormat.HTML:
            print_records(
                records,
                release=graph.info.release,
                has_text=graph.info.has_text,
                notes=notes(graph),
                tagged=lambda card: card_tags(graph, card),
                json=format_ is ShowFormat.JSON,
            )
        elif records:
            write_page(graph, records, output)
    if not complete:
        raise typer.Exit(FAILURE)


@app.command()
def query(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|NAME|-]",
            help="A file, a named query or stdin; none lists the names.",
            autocompletion=queries,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter; can be given again.",
            autocompletion=parameters,
        ),
    ] = None,
    format_: Annotated[TableFormat, typer.Option("--format", help="How to answer.")] = TableFormat.TABLE,
    endpoint: Annotated[
        str | None,
        typer.Option("--endpoint", metavar="URL", help="Ask another SPARQL endpoint instead of your graph."),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="How long an endpoint may take.")
    ] = 60,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Ask in SPARQL, from a file, from stdin or by the name of a query that comes with the program.

    The usual prefixes are declared. Without an argument, the named queries are listed. An endpoint
    needs no graph here, but names of cards, keywords and rules in --set are looked up in yours.

    \b
    Examples:
      cardlaw query
      cardlaw query cards-by-rule --set rule=702.29
      echo 'SELECT * { card:lightning-bolt ?p ?o }' | cardlaw query -
      cardlaw query cards-by-rule --set rule=rule:702.29 --endpoint http://127.0.0.1:8000/sparql
    """
    from cardlaw.graph.queries import named_queries
    from cardlaw.graph.store import open_store

    from .answers import answer, print_all, watched
    from .report import query_lines

    if name is None:
        print_all(query_lines(named_queries().values()))
        return
    values = dict(map(_setting, settings or ()))
    end_at_once()
    if endpoint is None:
        with open_store(store) as graph, watched(graph):
            answer(graph, name, values, format_, quiet=quiet)
        return
    from contextlib import ExitStack, suppress

    from cardlaw.graph.errors import StoreError

    from .remote import Endpoint

    asked = Endpoint(endpoint, timeout)
    with ExitStack() as stack:
        home = None
        with suppress(StoreError):  # names are not looked up, then
            home = stack.enter_context(open_store(store))
        answer(home, name, values, format_, endpoint=asked, quiet=quiet)


@app.command()
def annotate(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Card text; - is stdin.")] = "-",
    name: Annotated[
        str | None, typer.Option("--name", help="The card's name, so that it is not read as words.")
    ] = None,
    type_line: Annotated[
        str | None, typer.Option("--type-line", help="Its type line, which tells spells from permanents.")
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="SRC", help="Official text of the rules [default: the outline]"),
    ] = None,
    catalogue: CatalogueOption = None,
    corrections: CorrectionsOption = None,
    format_: CardFormatOption = CardFormat.TEXT,
) -> None:
    """Find what any card text cites; needs no graph. The text may begin with name, cost and type line.

    \b
    Examples:
      echo "Flying, ward {2}" | cardlaw annotate
      cardlaw annotate --type-line Instant mycard.txt
      cardlaw annotate --catalogue my-catalogue --corrections corrections.toml mycard.txt
    """
    from cardlaw.graph.sources import outline, rulebook

    from .answers import annotated, print_records, read_text
    from .cardtext import face_of

    face = face_of(read_text(file), name=name, type_line=type_line)
    book = outline.load() if rules is None else rulebook.read(rules)
    for warning in () if rules is None else book.warnings:
        warn(f"note on {rules}: {warning}")
    card, notes, tags = annotated(face, book, catalogue, corrections)
    print_records(
        [card],
        release=book.release,
        has_text=book.has_text,
        notes=notes,
        tagged=lambda card: tags,
        json=format_ is CardFormat.JSON,
    )


@app.command()
def view(
    nodes: Annotated[
        list[str] | None,
        typer.Argument(metavar="NODE", help="A card, a rule number, a keyword …", autocompletion=offered),
    ] = None,
    atlas: Annotated[
        bool, typer.Option("--atlas", help="The whole graph as a map, instead of what is around NODE.")
    ] = False,
    depth: Annotated[int, typer.Option("--depth", min=0, max=5, help="How many steps to go.")] = 1,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=1000, help="How many nodes to draw at most.")
    ] = 150,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F.html", help="The file [default: named after NODE]"),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write one interactive page that shows what is tied to a card, a rule or a keyword, or the whole graph.

    \b
    Examples:
      cardlaw view "Unpredictable Cyclone"
      cardlaw view cycling 614.1a --depth 2 -o cycling.html
      cardlaw view --atlas -o atlas.html
    """
    from cardlaw.graph.naming import slug
    from cardlaw.graph.store import open_store

    from .answers import DRAWN, draw, look_up

    if atlas == bool(nodes):
        raise typer.BadParameter("give either NODE, a card, a rule number or a keyword, or --atlas")
    if atlas:
        from .atlas import write_atlas

        path = output or Path("atlas.html")
        with open_store(store) as graph:
            write_atlas(graph, path, lambda: say("Placing all nodes, once for this build …", quiet=quiet))
        print(path)
        return
    assert nodes is not None
    with open_store(store) as graph:
        matches, complete = look_up(graph, nodes, DRAWN, quiet=quiet)
        if matches:
            path = output or Path(f"{slug(matches[0].label) or 'view'}.html")
            draw(graph, matches, path, depth=depth, limit=limit)
            print(path)
    if not complete:
        raise typer.Exit(FAILURE)


@app.command()
def path(
    source: Annotated[
        str, typer.Argument(metavar="A", help="A card, a rule number, a keyword …", autocompletion=offered)
    ],
    target: Annotated[str, typer.Argument(metavar="B", help="Another.", autocompletion=offered)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="F.html", help="Draw the ways into a view too.")
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Tell how two things are tied: the ways that say most, with the words that prove each step.

    What few cards have in common counts for more than what half of them share. Of two cards it tells first
    how their abilities meet: in the same layer, over the same event, one by what the other waits for …

    \b
    Examples:
      cardlaw path "Unpredictable Cyclone" "Astral Drift"
      cardlaw path "Rest in Peace" "Blood Artist"
      cardlaw path flying 702.29 -o tied.html
    """
    from cardlaw.graph.store import open_store

    from .answers import DRAWN, look_up, trace

    with open_store(store) as graph:
        matches, complete = look_up(graph, [source, target], DRAWN, quiet=quiet)
        if complete and len(matches) < 2:
            warn(f"“{source}” and “{target}” are the same: give two that differ")
        if len(matches) < 2 or not trace(graph, matches[0], matches[1], output):
            raise typer.Exit(FAILURE)
    if output is not None:
        print(output)


@app.command()
def deck(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="A deck list; - is stdin.")] = "-",
    format_: Annotated[
        DeckFormat, typer.Option("--format", help="How to answer; html and view are pages of their own.")
    ] = DeckFormat.TEXT,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes [default: stdout]")
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Tell of a deck by its rules: which it needs, keywords by color, curve, themes, interactions, legality.

    Lists of Arena, MTGO (.dek too), Moxfield, Archidekt, Deckstats, Forge and XMage (.dck) are read, tables
    (CSV), and names alone. Names that are not found are told, with what is meant perhaps.

    \b
    Examples:
      cardlaw deck my-deck.txt
      cardlaw deck --format html -o my-deck.html my-deck.txt
      cardlaw deck --format view -o my-deck-view.html my-deck.dek
      cardlaw deck --format json - < cube.csv
    """
    from cardlaw.graph.store import open_store

    from .answers import read_bytes
    from .decks import tell_deck

    data = read_bytes(file)
    with open_store(store) as graph:
        if not tell_deck(graph, data, file, format_, output, quiet=quiet):
            raise typer.Exit(FAILURE)


@app.command()
def similar(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A card's or a face's name.", autocompletion=offered)
    ],
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="How many cards at most.")] = 20,
    format_: CardFormatOption = CardFormat.TEXT,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Tell which cards are most alike a card: by the rarest rules that both invoke, by words and costs.

    Under each is what both have to do with, and the words of both. Functional reprints come first.

    \b
    Examples:
      cardlaw similar "Lightning Bolt"
      cardlaw similar Panharmonicon --limit 5 --format json
    """
    from cardlaw.graph.store import open_store

    from .answers import alike, look_up

    with open_store(store) as graph:
        matches, complete = look_up(graph, [name], {"card"}, quiet=quiet)
        if not complete:
            raise typer.Exit(FAILURE)
        alike(graph, matches[0], limit, json=format_ is CardFormat.JSON, quiet=quiet)


@app.command()
def serve(
    host: Annotated[str, typer.Option("--host", help="Name or address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 is any that is free.")] = 8000,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="For one query.")
    ] = 30,
    memory: Annotated[int, typer.Option("--memory", metavar="MB", min=16, help="For one query.")] = 1024,
    rows: Annotated[int, typer.Option("--rows", min=1, help="Of one answer.")] = 1_000_000,
    size: Annotated[int, typer.Option("--size", metavar="MB", min=1, help="Of one answer.")] = 64,
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=1, max=64, help="Queries at once; from 2 on, one is kept for quick ones."
        ),
    ] = 4,
    queue: Annotated[int, typer.Option("--queue", min=0, help="Queries that may wait for a worker.")] = 256,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Serve pages, linked data and a SPARQL endpoint at /sparql, until Ctrl-C. Everything is read-only.

    \b
    Examples:
      cardlaw serve
      cardlaw serve --port 8080 --timeout 10 --workers 8
      curl 'http://127.0.0.1:8000/sparql?query=ASK%20%7B%7D'
    """
    from cardlaw.graph.store import default_path

    from .serve import serve as run
    from .workers import Limits

    limits = Limits(seconds=timeout, memory=memory, rows=rows, size=size, workers=workers, queue=queue)
    run(
        store or default_path(),
        host,
        port,
        limits,
        tell=lambda line: say(line, quiet=quiet),
        log_access=not quiet,
    )


@app.command()
def info(store: StoreOption = None) -> None:
    """Tell what the graph was built from and when, and how big it is.

    \b
    Example:
      cardlaw info
    """
    from cardlaw.graph.store import default_path, open_store

    from .answers import print_all
    from .report import info_lines

    root = store or default_path()
    with open_store(root) as graph:
        print_all(info_lines(root, graph))


@app.command()
def export(
    format_: Annotated[
        FileFormat,
        typer.Argument(
            metavar="FORMAT",
            help="All as RDF: nquads, trig, turtle, jsonld; a card a line: jsonl; cards, rules and keywords "
            "as a network: graphml, gexf; as a folder of tables: neo4j (CSV), parquet; as a folder of pages: "
            "site.",
        ),
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME...]",
            help="For site: its cards, rules, keywords, terms [default: all]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="PATH", help="The file [default: stdout] or new folder."),
    ] = None,
    oa: Annotated[
        bool, typer.Option("--oa", help="In RDF: citations as full annotations (W3C Web Annotation).")
    ] = False,
    deck: Annotated[
        Path | None,
        typer.Option("--deck", metavar="FILE", help="For site: the cards of a list, a line each: 4 Name."),
    ] = None,
    printed_in: Annotated[
        str | None, typer.Option("--printed-in", metavar="CODE", help="For site: the cards of a set.")
    ] = None,
    query_: Annotated[
        str | None,
        typer.Option("--query", metavar="FILE|NAME", help="For site: the cards in the answer to a query."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the query; can be given again."),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the whole graph to a file, or to a folder of tables or pages; pages also of some of it.

    A site has the rules, keywords and terms that its cards need, and a search that works from the disk.

    \b
    Examples:
      cardlaw export nquads -o cards.nq
      cardlaw export turtle --oa | gzip > annotations.ttl.gz
      cardlaw export jsonl | head -n 1
      cardlaw export parquet -o tables
      cardlaw export site -o pages --deck my-deck.txt
      cardlaw export site -o pages --query cards-by-rule --set rule=702.29
    """
    from cardlaw.graph.store import open_store

    from .formats import FOLDERS, RDF, write_export
    from .neo4j import command

    end_in_order()
    target = None if output == Path("-") else output
    if oa and format_ not in RDF:
        raise typer.BadParameter(f"--oa is for {', '.join(RDF)}, not for {format_}")
    if format_ in FOLDERS and target is None:
        raise typer.BadParameter(f"{format_} is a folder: name it with -o")
    choice = {"NAME": names, "--deck": deck, "--printed-in": printed_in, "--query": query_, "--set": settings}
    given = [name for name, value in choice.items() if value]
    if given and format_ is not FileFormat.SITE:
        raise typer.BadParameter(f"{given[0]} is for site, not for {format_}")
    if settings and not query_:
        raise typer.BadParameter("--set goes with --query")
    if format_ is FileFormat.SITE and target is not None:
        from .answers import write_pages

        values = dict(map(_setting, settings or ()))
        with open_store(store) as graph:
            if not write_pages(graph, target, names or [], deck, printed_in, query_, values, quiet=quiet):
                raise typer.Exit(FAILURE)
        return
    with open_store(store) as graph, progress(quiet=quiet) as report:
        write_export(graph, format_, target, report, oa=oa)
    if format_ is FileFormat.NEO4J and target is not None:
        say(command(target), quiet=quiet)


@app.command()
def publish(
    endpoint: Annotated[
        str, typer.Argument(metavar="ENDPOINT", help="Address of a store's Graph Store Protocol.")
    ],
    query_endpoint: Annotated[
        str | None,
        typer.Option(
            "--query-endpoint",
            metavar="URL",
            help="Where it answers SPARQL [default: as Oxigraph, Virtuoso, Fuseki and RDF4J have it]",
        ),
    ] = None,
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Whose password it is: basic or digest.")
    ] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(
            "--password-file",
            metavar="FILE",
            help="Holds the password; - is stdin [default: $CARDLAW_PASSWORD, or asked for]",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", metavar="FILE", help="Holds a bearer token; - is stdin [default: $CARDLAW_TOKEN]"
        ),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Send the layers of the graph to another store, each as a named graph, in chunks; counted at the end.

    They replace the graphs of those names there. What breaks off goes on when it is run again. No password
    or token goes on the command line, where other users can read it.

    \b
    Examples:
      cardlaw publish http://localhost:7878/store
      cardlaw publish --user dba --password-file secret http://localhost:8890/sparql-graph-crud-auth
      cardlaw publish --token-file token --query-endpoint https://example.org/sparql https://example.org/graphs
    """
    from cardlaw.graph.store import open_store

    from .answers import read_secret, send

    if user is None and password_file is not None:
        raise typer.BadParameter("--password-file goes with --user")
    if user is not None and token_file is not None:
        raise typer.BadParameter("give --user or --token-file, not both")
    if user is None:
        secret = read_secret(token_file, "CARDLAW_TOKEN")
    else:
        secret = read_secret(password_file, "CARDLAW_PASSWORD")
        secret = secret or typer.prompt(f"Password of {user}", hide_input=True, err=True)
    with open_store(store) as graph:
        send(graph, endpoint, query_endpoint, user=user, secret=secret, quiet=quiet)


@app.command()
def check(store: StoreOption = None, quiet: QuietOption = False) -> None:
    """Check the graph: SHACL shapes on all of it, pyshacl on a sample, and that all of it hangs together.

    Tells what is wrong, how often and where; the exit code is 1 then. Warnings are no faults.

    \b
    Example:
      cardlaw check
    """
    from cardlaw.graph.check import check as check_store
    from cardlaw.graph.store import open_store

    from .answers import print_all
    from .checked import check_lines

    end_at_once()
    with open_store(store) as graph:
        with progress(quiet=quiet) as report:
            outcome = check_store(graph, report)
        print_all(check_lines(outcome, sum(graph.info.quads.values()), quiet=quiet))
    if not outcome.passed:
        raise typer.Exit(FAILURE)


@app.command()
def cite(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files and folders; - is stdin.")],
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="R", help="Check against this release [default: the newest at hand]"),
    ] = None,
    written: Annotated[
        str | None,
        typer.Option("--from", metavar="R", help="The release that the text was written against."),
    ] = None,
    releases: Annotated[
        list[Path] | None,
        typer.Option("--releases", metavar="PATH", help="Text files of the rules, or folders of them."),
    ] = None,
    format_: Annotated[CiteFormat, typer.Option("--format", help="How to answer.")] = CiteFormat.TEXT,
    bare: Annotated[
        bool, typer.Option("--bare", help="Take numbers like 702.29e for citations wherever they stand.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Rewrite what surely moved, after showing the diff; needs --from.")
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Check the rule numbers cited in any files: do they exist, where did they go, are they what is meant?

    A release is a date (2025-02-07, or 2025-02), a text file of the rules, or "newest". Files that git
    ignores, binary and huge ones are not read. The exit code is 1 if a citation is wrong; that a rule
    changed is a warning.

    \b
    Examples:
      cardlaw cite src docs
      cardlaw cite --from 2025-02-07 src
      cardlaw cite --from 2025-02-07 --fix src
      cardlaw cite --format sarif . > cite.sarif
      git log -1 --format=%B | cardlaw cite -
    """
    from .cite import cite as check_citations

    if fix and written is None:
        raise typer.BadParameter("--fix goes with --from: what the text was written against says what moved")
    if fix and "-" in paths:
        raise typer.BadParameter("--fix rewrites files: stdin is none")
    passed = check_citations(
        paths,
        rules=rules,
        written=written,
        releases=releases or (),
        format_=format_,
        bare=bare,
        fix=fix,
        quiet=quiet,
    )
    if not passed:
        raise typer.Exit(FAILURE)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise typer.BadParameter(f"--set takes NAME=VALUE, not {text!r}")
    return name, value
