"""What a build keeps of its cards, so that the next one links only those that are new or changed.

    BUILD/linked-1.msgpack    a digest of 16 bytes, then a `Kept`

The file of a layer is gzip in many members. A member holds what the layer says of the cards of one chunk, and
a chunk ends behind a card whose own slug says so, never because of its place: a card that is added changes
one member of each layer, and all the others can be copied as they are. Of each card stand here its key, how
many bytes of each member are its own, and what is counted over all cards.

The key of a card is a hash of its record and of its corrections. What all cards are linked by, the `context`,
is one hash: rulebook, catalogue, every module and data file of `graph` and `ontology`, and the versions of
what else the bytes depend on. If it is another, nothing is kept. Whatever is missing or damaged is linked
again: the file is a saving, never a source.
"""

from __future__ import annotations

import hashlib
import platform
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec
from msgspec import Struct

from .linking.corrections import Correction
from .model import Card, Rulebook
from .store import SCHEMA, write_whole
from .sums import Sum

__all__ = [
    "Chunk",
    "Kept",
    "Member",
    "Place",
    "Told",
    "context_of",
    "keep",
    "kept",
    "key_of",
    "lines_of",
    "packed_member",
    "read_member",
]

_FILE = "linked-1.msgpack"
_DIGEST = 16


class Member(Struct, frozen=True, array_like=True):
    """A gzip member of the file of a layer."""

    offset: int  # bytes from the start of the file
    size: int  # bytes
    quads: int
    crc: int  # CRC-32 of its bytes as they stand in the file


class Told(Struct, frozen=True, array_like=True):
    """What is kept of one card; a word is a number in `Chunk.words`."""

    key: bytes
    parts: tuple[tuple[int, int], ...]  # for each layer of the chunk, bytes and quads of the card there
    counts: dict[str, int]
    shared: tuple[int, ...]  # lines of `layer:cards` about types, which are written once for all cards
    cited: tuple[int, ...]  # IRIs of rules and keywords that it counts for; none of a token
    entries: tuple[int, ...]  # ids of the catalogue entries that made a citation
    uncited: tuple[tuple[str, str], ...]  # abilities that cite nothing beyond their kind, with the reason
    done: tuple[int, ...]  # those of its corrections that did something
    missed: tuple[tuple[int, str], ...]  # and those that did not, and why


class Chunk(Struct, frozen=True, array_like=True):
    """Cards that follow one another, and the members that hold their quads."""

    layers: tuple[str, ...]
    members: tuple[Member, ...]  # of these layers
    words: tuple[str, ...]
    cards: tuple[Told, ...]


class Kept(Struct, frozen=True):
    """What a build keeps."""

    context: str
    chunks: tuple[Chunk, ...]
    rest: dict[str, tuple[Member, ...]]  # layer → members that are of no card
    beside: dict[str, Sum] = {}  # files that are made of the layers


class Place(Struct, frozen=True):
    """Where an earlier build has a card."""

    chunk: int
    card: int


def keep(made: Kept, folder: Path) -> None:
    """Write what a build keeps into its folder.

    Raises:
        OSError: it cannot be written.
    """
    data = msgspec.msgpack.encode(made)
    write_whole(folder / _FILE, hashlib.blake2b(data, digest_size=_DIGEST).digest() + data)


def kept(folder: Path, context: str) -> Kept | None:
    """What the build in a folder keeps, if its cards were linked by the same; None too if it is damaged."""
    with suppress(OSError, msgspec.DecodeError):
        data = memoryview((folder / _FILE).read_bytes())
        if hashlib.blake2b(data[_DIGEST:], digest_size=_DIGEST).digest() == bytes(data[:_DIGEST]):
            found = msgspec.msgpack.decode(data[_DIGEST:], type=Kept)
            return found if found.context == context else None
    return None


def context_of(rulebook: Rulebook, catalogue: Iterable[Traversable | Path]) -> str:
    """What all cards are linked by, as a hash.

    Args:
        rulebook: of this build.
        catalogue: the files of the user's own entries.
    """
    digest = hashlib.blake2b(digest_size=_DIGEST)
    versions = [platform.python_version(), zlib.ZLIB_RUNTIME_VERSION, metadata.version("pyoxigraph")]
    digest.update(msgspec.msgpack.encode([SCHEMA, *versions, rulebook], order="deterministic"))
    ours = (resources.files(f"cardlaw.{floor}") for floor in ("graph", "ontology"))
    for name, file in [*(each for floor in ours for each in _files(floor, "")), *_named(catalogue)]:
        content = file.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            if each.name != "__pycache__":
                yield from _files(each, f"{path}{each.name}/")
        elif each.is_file():
            yield path + each.name, each


def _named(files: Iterable[Traversable | Path]) -> Iterator[tuple[str, Traversable | Path]]:
    return ((file.name, file) for file in files)


def key_of(card: Card, corrections: Sequence[Correction], source: str) -> bytes:
    """The key of a card: a hash of all that it is linked by beside the context.

    Args:
        card: its record.
        corrections: those that speak of it.
        source: name of the source of these.
    """
    said = [card, corrections, source] if corrections else [card]
    data = msgspec.msgpack.encode(said, order="deterministic")
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def read_member(folder: Path, layer: str, member: Member) -> bytes:
    """The bytes of a member as they stand in the file.

    Raises:
        OSError: the file is gone or shorter.
        ValueError: they are not what was written.
    """
    with (folder / f"{layer}.nq.gz").open("rb") as file:
        file.seek(member.offset)
        data = file.read(member.size)
    if zlib.crc32(data) != member.crc:
        raise ValueError(f"{layer}.nq.gz is damaged at byte {member.offset:,}")
    return data


def packed_member(text: bytes) -> bytes:
    """Some lines as a member."""
    packer = zlib.compressobj(1, wbits=31)  # 31: gzip; its header has no time
    return packer.compress(text) + packer.flush()


def lines_of(folder: Path, chunk: Chunk, cards: Iterable[int]) -> Iterator[tuple[str, int, bytes]]:
    """Layer, number of the card and the lines there, of some cards of a chunk.

    Raises:
        OSError, ValueError, zlib.error: as `read_member` does.
    """
    wanted = set(cards)
    for number, (layer, member) in enumerate(zip(chunk.layers, chunk.members, strict=True)):
        text = zlib.decompress(read_member(folder, layer, member), wbits=31)
        at = 0
        for card, told in enumerate(chunk.cards):
            size = told.parts[number][0]
            if card in wanted and size:
                yield layer, card, text[at : at + size]
            at += size
