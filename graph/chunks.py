"""Cards to chunks of finished quads, by one process per core; what an earlier build has is not made again.

The cards go in the order of their IRIs, in chunks whose ends depend on the cards alone (see `kept`), so that
the bytes are the same whatever the number of processes and whatever was kept. A chunk of which nothing
changed is copied; in one that did, the lines of the other cards are taken from the earlier build, and only
new cards and changed ones are linked.
"""

from __future__ import annotations

import gc
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from cardlaw.ontology.namespaces import PREFIXES

from .errors import StoreError
from .kept import Chunk, Kept, Place, Told, lines_of, packed_member, read_member
from .linking import Entry, Linker, correct, uncited
from .linking.corrections import Addition, Correction, Placed
from .load import follow_parent, hand_over, handed, submit
from .model import Card, Rulebook
from .naming import TOKEN_LAYOUTS
from .tagging import Tagger
from .tagquads import tag_lines
from .triples import card_quads, removal_lines
from .usage import Usage

__all__ = ["CHUNK", "Inputs", "Made", "Packed", "Workers", "linked", "pack"]

CHUNK = 32
"""Cards in a chunk, in the mean; part of what the bytes of the files depend on."""

_TYPE = f"<{PREFIXES['type']}"

T = TypeVar("T")


class Packed(Struct, frozen=True):
    """Some N-Quads, gzipped, and their number."""

    data: bytes
    quads: int


class Inputs(Struct, frozen=True):
    """What a worker links by."""

    rulebook: Rulebook
    catalogue: tuple[Entry, ...] | None  # None: the shipped one
    corrections: str  # name of their source


class Made(Struct, frozen=True):
    """A chunk that is finished."""

    packed: dict[str, Packed]  # by layer
    words: tuple[str, ...]  # as `Chunk.words`
    cards: tuple[Told, ...]
    anew: tuple[int, ...]  # those of the cards that were linked; the others are as they were


class _Piece(Struct, frozen=True):
    """A card to link, or to take from the earlier build."""

    card: Card
    key: bytes
    corrections: tuple[Correction, ...]  # those that are for it
    place: Place | None


class _Work(Struct, frozen=True):
    """A chunk to make."""

    pieces: tuple[_Piece, ...]
    folder: Path | None  # of the earlier build
    chunks: dict[int, Chunk]  # those of its chunks that the pieces are in


class _Written(Struct, frozen=True):
    """One card, linked: its lines by layer, and what is told of it as words."""

    lines: dict[str, tuple[bytes, int]]
    counts: dict[str, int]
    shared: Sequence[str] = ()
    cited: Sequence[str] = ()
    entries: Sequence[str] = ()
    uncited: tuple[tuple[str, str], ...] = ()
    done: tuple[int, ...] = ()
    missed: tuple[tuple[int, str], ...] = ()


def pack(lines: Iterable[str]) -> Packed:
    """Lines as a gzip member."""
    listed = list(lines)
    return Packed(packed_member("".join(listed).encode()), len(listed))


class _Worker:
    """Makes chunks; links cards with one `Linker`, made once per process when there is a card to link."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.usage = Usage(inputs.rulebook)

    @cached_property
    def linker(self) -> Linker:
        return Linker(self.inputs.rulebook, self.inputs.catalogue)

    @cached_property
    def tagger(self) -> Tagger:
        types = self.inputs.rulebook.vocabulary.subtypes.get("creature", ())
        return Tagger(self.linker.lexicon.terms, types=types)

    def __call__(self, work: _Work) -> Made:
        earlier = _earlier(work)
        cards = [earlier.get(number) or self.link(piece) for number, piece in enumerate(work.pieces)]
        words: dict[str, int] = {}
        layers = sorted({layer for card in cards for layer in card.lines})
        numbers = _Numbers(words)
        told = tuple(
            Told(
                key=piece.key,
                parts=tuple(
                    (len(text), quads) for text, quads in (card.lines.get(layer, _NONE) for layer in layers)
                ),
                counts=card.counts,
                shared=numbers(card.shared),
                cited=numbers(card.cited),
                entries=numbers(card.entries),
                uncited=card.uncited,
                done=card.done,
                missed=card.missed,
            )
            for piece, card in zip(work.pieces, cards, strict=True)
        )
        packed = {}
        for layer in layers:
            parts = [card.lines[layer] for card in cards if layer in card.lines]
            packed[layer] = Packed(
                packed_member(b"".join(text for text, _ in parts)), sum(n for _, n in parts)
            )
        anew = tuple(number for number in range(len(cards)) if number not in earlier)
        return Made(packed, tuple(words), told, anew)

    def link(self, piece: _Piece) -> _Written:
        """One card, from its record to its lines."""
        card, here = piece.card, piece.corrections
        counts: dict[str, int] = {}
        lines: dict[str, list[str]] = {}
        done: tuple[int, ...] = ()
        missed: tuple[tuple[int, str], ...] = ()
        try:
            linked = self.linker.link_card(card)
            if here:
                result = correct(linked, here)
                linked = result.card
                done = tuple(number for number, each in enumerate(here) if each in result.done)
                missed = tuple(
                    (number, result.missed[each]) for number, each in enumerate(here) if each in result.missed
                )
                counts["citations removed"] = len(result.removed)
                counts["citations added"] = sum(isinstance(each, Addition) for each in result.done)
                removals = removal_lines(linked, result.removed, self.inputs.corrections)
                lines["evidence"] = sorted(removals)
            rulebook = self.linker.rulebook
            quads = card_quads(linked, rulebook) | tag_lines(linked, self.tagger(linked), rulebook)
        except Exception as error:
            error.add_note(f"while linking {card.name!r}")
            raise
        for name, more in quads.items():
            lines.setdefault(name, []).extend(more)
        shared = [line for line in lines["cards"] if line.startswith(_TYPE)]
        if shared:
            lines["cards"] = [line for line in lines["cards"] if not line.startswith(_TYPE)]
        counts["faces"] = len(linked.faces)
        abilities = [ability for face in linked.faces for ability in face.abilities]
        citations = [citation for face in linked.faces for citation in face.citations]
        citations += (citation for ability in abilities for citation in ability.citations)
        counts["abilities"], counts["citations"] = len(abilities), len(citations)
        is_token = card.layout in TOKEN_LAYOUTS
        return _Written(
            lines={name: ("".join(more).encode(), len(more)) for name, more in lines.items() if more},
            counts=counts,
            shared=shared,
            cited=() if is_token else self.usage.cited(quads),
            entries=sorted({citation.entry for citation in citations}),
            uncited=()
            if is_token
            else tuple(
                (f"{card.name}, ability {ability.id}", reason)
                for ability in abilities
                if (reason := uncited(ability)) is not None
            ),
            done=done,
            missed=missed,
        )


_NONE = (b"", 0)


class _Numbers:
    """Words as numbers, in the order in which they come first."""

    def __init__(self, words: dict[str, int]) -> None:
        self.words = words

    def __call__(self, found: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.words.setdefault(word, len(self.words)) for word in found)


def _earlier(work: _Work) -> dict[int, _Written]:
    """The pieces that are taken from the earlier build, by number; a damaged member has none."""
    wanted: dict[int, dict[int, int]] = {}  # chunk → card there → piece
    for number, piece in enumerate(work.pieces):
        if piece.place is not None:
            wanted.setdefault(piece.place.chunk, {})[piece.place.card] = number
    found: dict[int, _Written] = {}
    for number, cards in wanted.items():
        assert work.folder is not None
        chunk = work.chunks[number]
        texts: dict[int, dict[str, bytes]] = {card: {} for card in cards}
        try:
            for layer, card, text in lines_of(work.folder, chunk, cards):
                texts[card][layer] = text
        except (OSError, ValueError, zlib.error):
            continue
        for card, piece_number in cards.items():
            told = chunk.cards[card]
            quads = {layer: part[1] for layer, part in zip(chunk.layers, told.parts, strict=True)}
            found[piece_number] = _Written(
                lines={layer: (text, quads[layer]) for layer, text in texts[card].items()},
                counts=told.counts,
                shared=[chunk.words[word] for word in told.shared],
                cited=[chunk.words[word] for word in told.cited],
                entries=[chunk.words[word] for word in told.entries],
                uncited=told.uncited,
                done=told.done,
                missed=told.missed,
            )
    return found


def chunked(cards: Iterable[Card]) -> Iterator[list[Card]]:
    """Cards in chunks: each ends behind a card whose slug says so."""
    chunk: list[Card] = []
    for card in cards:
        chunk.append(card)
        if zlib.crc32(card.slug.encode()) % CHUNK == 0:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def linked(
    cards: Iterable[Card],
    keys: Iterable[bytes],
    placed: Placed,
    workers: Workers,
    earlier: Kept | None = None,
    folder: Path | None = None,
) -> Iterator[Made]:
    """The chunks in order; only a few are under way or wait at a time.

    Args:
        cards: in the order of their IRIs.
        keys: theirs, see `kept.key_of`.
        placed: the corrections of each.
        workers: those that link them.
        earlier: what an earlier build keeps that was made by the same inputs.
        folder: that build's.

    Raises:
        StoreError: a process ended abruptly.
    """
    places: dict[bytes, Place] = {}
    for number, kept_chunk in enumerate(earlier.chunks if earlier else ()):
        places.update((told.key, Place(number, card)) for card, told in enumerate(kept_chunk.cards))
    coming = iter(keys)
    waiting: deque[Made | Future[Made]] = deque()
    for chunk in chunked(cards):
        with_keys = zip(chunk, coming, strict=False)
        pieces = tuple(
            _Piece(card, key, placed.get(card.slug, ()), places.get(key)) for card, key in with_keys
        )
        made: Made | Future[Made] | None = _whole(pieces, earlier, folder)
        if made is None:
            old = {piece.place.chunk for piece in pieces if piece.place is not None}
            chunks = {number: earlier.chunks[number] for number in old} if earlier else {}
            made = workers.submit(_Work(pieces, folder, chunks))
        waiting.append(made)
        while len(waiting) > 4 * workers.number:
            yield _finished(waiting.popleft())
    while waiting:
        yield _finished(waiting.popleft())


def _whole(pieces: Sequence[_Piece], earlier: Kept | None, folder: Path | None) -> Made | None:
    """A chunk as the earlier build has it, if these are its cards."""
    first = pieces[0].place
    if earlier is None or folder is None or first is None or first.card:
        return None
    chunk = earlier.chunks[first.chunk]
    if [told.key for told in chunk.cards] != [piece.key for piece in pieces]:
        return None
    packed = {}
    try:
        for layer, member in zip(chunk.layers, chunk.members, strict=True):
            packed[layer] = Packed(read_member(folder, layer, member), member.quads)
    except (OSError, ValueError):
        return None
    return Made(packed, chunk.words, chunk.cards, ())


def _finished(made: Made | Future[Made]) -> Made:
    if isinstance(made, Made):
        return made
    try:
        return made.result()
    except BrokenProcessPool:
        raise _ended() from None


def _ended() -> StoreError:
    return StoreError("a process that links cards ended abruptly: is there memory enough?")


class Workers:
    """Processes that link, started when they are needed; of one worker, this process itself.

    Args:
        inputs: what they link by.
        number: how many there are.
        folder: that of the build, where the inputs lie until they are closed.
    """

    def __init__(self, inputs: Inputs, number: int, folder: Path) -> None:
        self.inputs, self.number = inputs, number
        self._file = folder / "inputs.pickle"
        self._pool: ProcessPoolExecutor | None = None
        self._alone: _Worker | None = None

    def start(self) -> None:
        """Start some, that they are ready when the cards are read; others follow when they are needed.

        Raises:
            StoreError: one ended abruptly.
            OSError: none can be started, or the folder cannot be written.
        """
        if self.number > 1:
            for _ in range(min(self.number, _AHEAD)):
                self._apart(_ready)

    def submit(self, work: _Work) -> Made | Future[Made]:
        """Have a chunk made; raises as `start` does."""
        if self.number < 2:
            self._alone = self._alone or _Worker(self.inputs)
            return self._alone(work)
        return self._apart(_link, work)

    def _apart(self, task: Callable[..., T], *given: _Work) -> Future[T]:
        if self._pool is None:
            hand_over(self.inputs, self._file)
            self._pool = ProcessPoolExecutor(self.number, get_context("spawn"), _start_worker, (self._file,))
        try:
            return submit(self._pool, task, *given)
        except BrokenProcessPool:
            raise _ended() from None

    def close(self) -> None:
        """Give up what is not begun, and end them."""
        self._alone = None
        if self._pool is not None:
            try:
                self._pool.shutdown(cancel_futures=True)
            finally:
                self._file.unlink(missing_ok=True)


_worker: _Worker | None = None  # of this process
_AHEAD = 4  # processes that are started before it is known how many cards there are
_NICE = 5  # how far those that link stand back behind the loader, which ends last
_UNLOOKED = 10_000  # objects made before cycles are looked for; linking makes none


def _start_worker(inputs: Path) -> None:
    global _worker
    follow_parent()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    gc.set_threshold(_UNLOOKED)
    _worker = _Worker(handed(inputs))


def _link(work: _Work) -> Made:
    assert _worker is not None
    return _worker(work)


def _ready() -> None:
    assert _worker is not None
    _ = _worker.linker, _worker.tagger
