"""Sources in, a finished graph on disk out: read, link, write N-Quads, load, switch over.

The cards go in chunks, in the order of their IRIs, to one process per core; each chunk comes back as
finished N-Quads, so the bytes are the same whatever the number of processes. Files are gzip, one member
for each chunk: 20 times smaller than plain, and packed where the work is done. Cards that the build before
has are not linked again, and its store is taken over with what changed: `chunks`, `kept` and `amending`.
If there is none, or much changed, a new store is loaded meanwhile: `load`.

Nothing answers before it is whole: a build fills a folder of its own, and `DIR/current` is replaced last.
What a failed or killed build leaves behind, the next builder removes. Loading runs in a process of
its own because a bulk load defers Ctrl-C until it has ended.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import time
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib import metadata
from importlib.resources.abc import Traversable
from itertools import chain, count
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES

from .amending import Difference, difference, few_changed
from .chunks import Inputs, Packed, Workers, linked, pack
from .errors import SourceError, StoreError
from .kept import Chunk, Kept, Member, context_of, keep, kept, key_of
from .linking import Corrections, Fallback, Linker, OwnCatalogue, own_catalogue, place, read_corrections
from .linking.corrections import Correction, Placed
from .load import BulkLoad, amend, store_files, take_over
from .model import Card, Rulebook
from .naming import TOKEN_LAYOUTS, source_slug
from .origins import primary_line, source_lines
from .printquads import shared_quads
from .releasequads import release_quads
from .review import review_quads
from .rulehistory import Release, read_releases, side_by_side
from .rulequads import Origin
from .sources import corpus, outline
from .sources.cards import Source as CardSource
from .sources.cards import data_date, read_cards
from .sources.merge import merged
from .sources.rulings import by_card
from .sources.rulings import read as read_rulings
from .sources.scryfall import prices_date
from .store import (
    SCHEMA,
    BuildSummary,
    Source,
    current_build,
    default_path,
    only_builder,
    remove_leftovers,
    switch,
    write_whole,
)
from .sums import Sum, changed, sums
from .tagquads import facet_quads
from .triples import ontology_quads, rulebook_quads
from .usage import Usage

__all__ = ["Progress", "build"]

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Called with the stage, how much is done, and of how much if known.

The stages are "rules", "releases" (with a history), "cards", "links" and "load".
"""

_LABEL = f"<{PREFIXES['rdfs']}label>"

_LAYERS = {"catalogue": "rules", "corrections": "evidence"}
"""Role of a source → the layer that it went into, where that is not called so."""

_FILES = 150
"""Files of a store that is taken over, at most: each change adds ten, and each is one more to look into."""

_BESIDE = ("adjacency-1.npz", "atlas-1-places.gz", "atlas-1-ties.gz")
"""What `adjacency` and `atlas` make of the layers of `_TIED`."""

_TIED = {"rules", "cards", "abilities"}


def build(
    *,
    cards: Sequence[CardSource] = ("corpus",),
    rules: Path | Sequence[Path] | None = None,
    rulings: Path | None = None,
    catalogue: Path | None = None,
    corrections: Path | None = None,
    store: Path | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> BuildSummary:
    """Build the graph and let it answer from then on.

    Of a card that is the same, what the build says that answered until then is kept; the files come out the
    same as from nothing, byte for byte.

    Args:
        cards: files of cards, or "corpus", the installed one: later ones fill what earlier ones lack.
        rules: official texts of the Comprehensive Rules, files or folders of them. The newest is the one that
            cards are linked by, the others are its history. Default: the outline that ships with the project.
        rulings: Scryfall's file of rulings, if any.
        catalogue: a folder of catalogue entries of one's own, see `linking.own_catalogue`.
        corrections: a file of single citations to remove or add, see `linking.corrections`.
        store: the folder of the store; default: `default_path()`.
        progress: told how far each stage is.
        workers: processes that link; default: one per core.

    Raises:
        SourceError, RulebookError, CatalogueError, CorrectionsError: a source is missing or unusable.
        StoreError: another build is at work, the disk is full, or the folder cannot be written. The earlier
            graph goes on answering.
    """
    root = default_path() if store is None else store
    try:
        with only_builder(root):
            remove_leftovers(root)
            started = datetime.now(UTC)
            folder = root / "builds" / f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
            try:
                folder.mkdir(parents=True)
                texts = () if rules is None else (rules,) if isinstance(rules, Path) else rules
                with closing(_Build(folder, started, progress or _silent, _earlier(root))) as made:
                    summary = made.run(cards, texts, rulings, catalogue, corrections, workers or _cores())
                switch(root, folder.name)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
    except OSError as error:
        raise _cannot_write(root, error) from error
    return summary


class _Build:
    """One build: its folder, its files and its clock."""

    def __init__(self, folder: Path, started: datetime, progress: Progress, earlier: Path | None) -> None:
        self.earlier = earlier  # folder of the build before
        self.folder = folder
        self.started = started
        self.progress = progress
        self.quads: Counter[str] = Counter()  # by layer
        self.sizes: Counter[str] = Counter()  # bytes of its file
        self.chunks: list[Chunk] = []
        self.rest: dict[str, list[Member]] = {}  # members of no card, by layer
        self.counts: Counter[str] = Counter()
        self.skipped: list[tuple[str, str]] = []
        self.seconds: dict[str, float] = {}
        self.sources: list[Source] = []
        self.warnings: list[str] = []
        self.uncited: list[tuple[str, str]] = []
        self.cited_by: set[str] = set()
        self.newest: dict[str, str] = {}  # name of a source -> the latest day of a printing or ruling in it
        self.linked = 0  # cards that were linked, not kept
        self.corrections = ""  # name of the source of corrections
        self.workers: Workers | None = None
        self.loading: BulkLoad | None = None  # of the store, if it is not taken over

    def run(
        self,
        cards: Sequence[CardSource],
        rules: Sequence[Path],
        rulings: Path | None,
        catalogue: Path | None,
        corrections: Path | None,
        workers: int,
    ) -> BuildSummary:
        begun = time.perf_counter()
        texts = (path for path in rules if not path.is_dir())
        for path in (*cards, *texts, rulings, corrections):
            if isinstance(path, Path) and path.exists() and not path.is_file():
                raise SourceError(f"{path} is no regular file: save what it holds to a file and give that")
        with self.stage("rules"):
            *history, newest = read_releases(rules, skipped=self.skipped) if rules else (_shipped(),)
            rulebook = newest.book
            own = None if catalogue is None else own_catalogue(catalogue)
            corrected = None if corrections is None else read_corrections(corrections, rulebook)
            usable = None if own is None else own.entries
            origins = self.with_own(own, corrections, corrected)
            context = context_of(rulebook, own.files if own else ())
            earlier = None if self.earlier is None else kept(self.earlier, context)
            self.workers = Workers(Inputs(rulebook, usable, self.corrections), workers, self.folder)
            if earlier is None:  # all is made anew: what makes it starts while the cards are read
                self.workers.start()
                self.begin_load()
            linker = Linker(rulebook, usable)
            self.write("ontology", pack(ontology_quads()))
            self.write("tags", pack(facet_quads(rulebook)))
            entries = (*linker.entries, *(corrected.entries if corrected else ()))
            source = self.add_source("rules", newest.file, rulebook.release)
            lines = rulebook_quads(linker.rulebook, entries, origins, source=source, versions=not history)
            self.write("rules", pack(lines))
            self.warnings += rulebook.warnings
            self.counts["rules"] = len(rulebook.rules)
            self.counts["terms"] = len(rulebook.terms)
            self.counts["keywords"] = len(rulebook.vocabulary.keywords)
        if history:
            with self.stage("releases"):
                self.add_history(history, rulebook, source, workers)
        with self.stage("cards"):
            records = self.read(cards)
            if rulings is not None:
                records = self.with_rulings(records, rulings)
            self.write("cards", pack(shared_quads(records)))
            self.counts["cards"] = sum(card.layout not in TOKEN_LAYOUTS for card in records)
            if tokens := len(records) - self.counts["cards"]:
                self.counts["tokens"] = tokens
        with self.stage("links"):
            placed = self.place(corrected, records)
            keys = [key_of(card, placed.get(card.slug, ()), self.corrections) for card in records]
            if earlier is not None and not few_changed(earlier, keys):
                self.begin_load()
            self.link(records, keys, placed, Usage(rulebook), earlier)
        self.counts["quads"] = sum(self.quads.values())
        with self.stage("load"):
            rest = {layer: tuple(members) for layer, members in self.rest.items()}
            made = Kept(context, tuple(self.chunks), rest)
            self.load(made, earlier, records)
            keep(replace(made, beside=sums(self.folder, _BESIDE)), self.folder)
            files = sums(self.folder)
        self.seconds["total"] = round(time.perf_counter() - begun, 2)
        summary = BuildSummary(
            schema=SCHEMA,
            id=self.folder.name,
            version=_version(),
            release=rulebook.release,
            has_text=rulebook.has_text,
            history=tuple(release.book.release for release in history),
            sources=tuple(sorted(self.sources, key=lambda source: source.role)),
            counts=dict(self.counts),
            quads=dict(self.quads),
            skipped=tuple(self.skipped),
            warnings=tuple(self.warnings),
            uncited=tuple(self.uncited),
            kept=len(records) - self.linked,
            idle=tuple(entry.id for entry in linker.entries if entry.id not in self.cited_by),
            unresolved=tuple(_unresolved(linker.fallbacks, own)),
            started=self.started.isoformat(timespec="seconds"),
            seconds=self.seconds,
            files=files,
        )
        write_whole(self.folder / "build.json", msgspec.json.format(msgspec.json.encode(summary)))
        return summary

    def close(self) -> None:
        """End the processes before the folder is removed."""
        if self.loading is not None:
            self.loading.close()
        if self.workers is not None:
            self.workers.close()

    def add_history(self, history: Sequence[Release], rulebook: Rulebook, source: str, workers: int) -> None:
        """The older releases, and how their rules became those of the rulebook, which is of that source."""
        sources = [
            *(self.add_source("releases", older.file, older.book.release) for older in history),
            source,
        ]
        books = [*(older.book for older in history), rulebook]
        ties = side_by_side(books, workers, lambda done, total: self.progress("releases", done, total))
        self.write("releases", pack(release_quads(books, sources, ties)))
        self.counts["releases"] = len(books)
        self.counts["rule versions"] = sum(len(book.rules) for book in books)

    def read(self, sources: Sequence[CardSource]) -> list[Card]:
        """All cards of the sources, in the order of their IRIs; tokens and the like after them."""
        named: list[tuple[str, Iterable[Card]]] = []
        for source in sources:
            name = _free(_name(source), [*self.named(), *(known for known, _ in named)])
            named.append((name, self.counted(name, source)))
        records = merged(named, skipped=self.skipped)
        for (name, _), source in zip(named, sources, strict=True):
            file = corpus.embedded() if source == "corpus" else source
            self.add_source("cards", file, data_date(source), name)
        primary = {"name": named[0][0]}
        self.write("cards", pack([primary_line(primary["name"], "cards")]))
        records = [
            replace(card, origins={}) if card.origins == primary else card for card in records
        ]  # of whom the layer says it
        records.sort(key=lambda card: (card.layout in TOKEN_LAYOUTS, card.slug))
        return records

    def counted(self, name: str, source: CardSource) -> Iterator[Card]:
        """The cards of one source, with progress."""
        for number, card in enumerate(read_cards(source, skipped=self.skipped, counts=self.counts), 1):
            if number % 1000 == 0:
                self.progress("cards", number, None)
            for printing in card.printings:
                self.newest[name] = max(self.newest.get(name, ""), printing.released or "")
            yield card

    def with_rulings(self, records: list[Card], path: Path) -> list[Card]:
        """The cards with the rulings of a file, which take the place of others; some are on no card here."""
        name = _free(path.name, self.named())
        found = by_card(read_rulings(path, skipped=self.skipped, counts=self.counts))
        self.newest[name] = max(ruling.published for rulings in found.values() for ruling in rulings)
        self.add_source("rulings", path, prices_date(path), name)
        cards = len(found)
        made = [
            replace(card, rulings=found.pop(card.oracle_id), origins={**card.origins, "rulings": name})
            if card.oracle_id in found
            else card
            for card in records
        ]
        self.counts["rulings on other cards"] = sum(map(len, found.values()))
        if len(found) == cards:
            self.warnings.append(
                f"{path.name}: none of its rulings is on a card here; cards are found by their oracle ids, "
                "which Scryfall's cards have: add them with --cards"
            )
        return made

    def with_own(
        self, own: OwnCatalogue | None, path: Path | None, corrected: Corrections | None
    ) -> dict[str, Origin]:
        """Note the catalogue and the corrections of the user's own; what is told of each of their entries."""
        origins: dict[str, Origin] = {}
        if own is not None:
            sources = {file.name: self.add_source("catalogue", file, None) for file in own.files}
            for entry, change in own.changes.items():
                origins[entry] = Origin(
                    source=sources[change.file], replaces=change.replaces, disabled=change.disabled
                )
            self.counts["own entries"] = len(own.changes)
        if path is not None and corrected is not None:
            self.corrections = self.add_source("corrections", path, None)
            for added in corrected.entries:
                origins[added.id] = Origin(source=self.corrections, addition=True)
        return origins

    def place(self, corrected: Corrections | None, records: list[Card]) -> Placed:
        """Which card each correction is for; those that are for none are told."""
        if corrected is None:
            return {}
        placed, nowhere = place(corrected, records)
        self.warnings += nowhere
        self.counts["citations removed"] = self.counts["citations added"] = 0
        return placed

    def named(self) -> list[str]:
        """The names of the sources so far."""
        return [source.name for source in self.sources]

    def add_source(self, role: str, file: Traversable | Path, date: str | None, name: str = "") -> str:
        """Note a file that was read, and describe it in the graph; the name that it has there."""
        name = name or _free(file.name, self.named())
        digest, size = _digest(file)
        newest = self.newest.get(name) or None
        self.sources.append(
            Source(role=role, name=name, sha256=digest, size=size, date=date, newest=None if date else newest)
        )
        layer = _LAYERS.get(role, role)
        self.write(layer, pack(sorted(source_lines(name, digest, date, layer))))
        return name

    def begin_load(self) -> None:
        """Begin to load what is written into a new store; what is appended from then on follows."""
        self.loading = BulkLoad(self.folder)
        rest = ((layer, member) for layer, members in self.rest.items() for member in members)
        of_cards = (zip(chunk.layers, chunk.members, strict=True) for chunk in self.chunks)
        for layer, member in chain(rest, *of_cards):
            self.loading.add(layer, member)

    def link(
        self,
        records: list[Card],
        keys: Sequence[bytes],
        placed: Placed,
        usage: Usage,
        earlier: Kept | None,
    ) -> None:
        """Every card to abilities, citations and quads; then the counts that everyone asks for."""
        assert self.workers is not None
        shared: set[str] = set()
        missed: dict[Correction, str] = {}
        corrected: set[Correction] = set()
        cards = iter(records)
        done = anew = 0
        with closing(self.workers):
            for chunk in linked(records, keys, placed, self.workers, earlier, self.earlier):
                layers = tuple(chunk.packed)
                members = tuple(self.append(layer, chunk.packed[layer]) for layer in layers)
                self.chunks.append(Chunk(layers, members, chunk.words, chunk.cards))
                words = chunk.words
                for told, card in zip(
                    chunk.cards, cards, strict=False
                ):  # the cards of the other chunks follow
                    if card.layout not in TOKEN_LAYOUTS:
                        usage.count([words[word] for word in told.cited])
                    shared.update(words[word] for word in told.shared)
                    self.uncited += told.uncited
                    self.cited_by.update(words[word] for word in told.entries)
                    self.counts.update(told.counts)
                    if here := placed.get(card.slug):
                        for number, why in told.missed:
                            missed.setdefault(here[number], why)
                        corrected.update(here[number] for number in told.done)
                done += len(chunk.cards)
                anew += len(chunk.anew)
                self.progress("links", done, len(records))
        self.linked = anew
        self.write("cards", pack(_one_label_each(shared)))
        self.write("abilities", pack([*usage.quads(), *review_quads()]))
        for name, lines in usage.tag_quads().items():
            self.write(name, pack(lines))
        for correction, why in missed.items():
            if correction not in corrected:  # on no card of that name
                self.warnings.append(f"{self.corrections}: cannot {correction}: {why}")

    def load(self, made: Kept, earlier: Kept | None, records: list[Card]) -> None:
        """Fill the store and make what lies beside it."""
        from . import adjacency, atlas  # numpy, which the workers do without

        other = None
        if self.loading is None and earlier is not None:
            other = self.take_over(made, earlier, records)
        total = sum(self.quads.values())
        with closing(self.fill(other)) as steps:
            for number, fraction in enumerate(steps):
                if number == 0 and (other is None or _TIED & {*other.gone, *other.new}):
                    ties = adjacency.make(self.folder, self.quads)  # while the loader goes on
                    adjacency.keep(ties, self.folder)
                    atlas.keep(atlas.make(self.folder, self.quads, ties), self.folder)
                self.progress("load", int(total * fraction), total)

    def fill(self, other: Difference | None) -> Generator[float, None, None]:
        """Fill the store, or change what is other in it; yields the fraction that is done."""
        if other is None:
            if self.loading is None:
                self.begin_load()
            assert self.loading is not None
            yield from self.loading.end()
        elif other:
            gone, new = (b"".join(sorted(set().union(*each.values()))) for each in (other.gone, other.new))
            yield from amend(self.folder, gone, new, [PREFIXES["layer"] + name for name in self.quads])
        else:
            yield 1.0

    def take_over(self, made: Kept, earlier: Kept, records: list[Card]) -> Difference | None:
        """Take over the store of the build before and what lies beside it; what is still to change in it.

        None: all is to be made anew.
        """
        assert self.earlier is not None
        total = sum(self.quads.values())
        other = difference(earlier, self.earlier, made, self.folder, records, total)
        if other is None or not _as_written(self.earlier, earlier.beside):
            return None
        names = [*store_files(self.earlier), *earlier.beside]
        if len(names) > _FILES:
            return None
        try:
            take_over(self.earlier, names, self.folder)
        except OSError:
            shutil.rmtree(self.folder / "store", ignore_errors=True)
            return None
        return other

    def write(self, name: str, packed: Packed) -> None:
        """Append what is of no card to the file of one layer."""
        self.rest.setdefault(name, []).append(self.append(name, packed))

    def append(self, name: str, packed: Packed) -> Member:
        """Append to the file of one layer, and to the store if it is being loaded."""
        with (self.folder / f"{name}.nq.gz").open("ab") as file:
            file.write(packed.data)
        member = Member(self.sizes[name], len(packed.data), packed.quads, zlib.crc32(packed.data))
        self.sizes[name] += member.size
        self.quads[name] += member.quads
        if self.loading is not None:
            self.loading.add(name, member)
        return member

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.progress(name, 0, None)
        begun = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - begun, 2)


def _earlier(root: Path) -> Path | None:
    """The folder of the build that answers, if any."""
    with suppress(StoreError):  # a damaged pointer: this build will replace it
        if name := current_build(root):
            return root / "builds" / name
    return None


def _as_written(folder: Path, beside: Mapping[str, Sum]) -> bool:
    """Whether the store of a build and what lies beside it are as they were written."""
    with suppress(OSError, msgspec.DecodeError):
        info = msgspec.json.decode((folder / "build.json").read_bytes(), type=BuildSummary)
        files = {name: made for name, made in info.files.items() if name.startswith("store/")}
        return bool(files) and not any(changed(folder, {**files, **beside}))
    return False


def _cannot_write(root: Path, error: OSError) -> StoreError:
    said = " ".join(str(error).split())
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        said = "the disk is full, a build takes about 1.5 GB; free some space or choose another --store"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        said += ": get the right to write there, or choose another --store"
    elif error.errno in (errno.ENOENT, errno.ENOTDIR):
        said += ": choose a folder with --store or $CARDLAW_STORE"
    return StoreError(f"cannot build in {root}: {said}")


def _unresolved(fallbacks: Iterable[Fallback], own: OwnCatalogue | None) -> Iterator[str]:
    """Anchors that did not resolve as they stand, with the user's own entries that they are of."""
    for fallback in fallbacks:
        where = own and own.of_anchor(fallback.anchor)
        yield f"{fallback.anchor}: {fallback.reason}{f' ({where})' if where else ''}"


def _one_label_each(lines: Iterable[str]) -> Iterator[str]:
    """The lines, sorted, with the first label of each node only: a type that two cards spell in two ways."""
    labeled: set[str] = set()
    for line in sorted(lines):
        subject, predicate, _ = line.split(" ", 2)
        if predicate != _LABEL:
            yield line
        elif subject not in labeled:
            labeled.add(subject)
            yield line


def _name(source: CardSource) -> str:
    return source if source == "corpus" else source.name


def _free(name: str, taken: Iterable[str]) -> str:
    """The name of a source, with a number behind it if its IRI would be that of another source."""
    used = {source_slug(other) for other in taken}
    numbered = (f"{name} ({number})" for number in count(2))
    return name if source_slug(name) not in used else next(n for n in numbered if source_slug(n) not in used)


def _digest(file: Traversable | Path) -> tuple[str, int]:
    """SHA-256 and size of a file."""
    digest = hashlib.sha256()
    size = 0
    with file.open("rb") as opened:
        while block := opened.read(1 << 20):
            digest.update(block)
            size += len(block)
    return digest.hexdigest(), size


def _version() -> str:
    try:
        return metadata.version("cardlaw")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "unknown"


def _shipped() -> Release:
    return Release(outline.load(), data("outline.json"))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _silent(stage: str, done: int, total: int | None) -> None:
    pass
