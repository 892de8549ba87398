"""Full-text search over rules, glossary, keywords and cards: a question comes in, passages with marks go out.

The index is SQLite's FTS5, of the standard library: its tokenizer `unicode61` folds case and accents and
drops punctuation, `porter` (M. F. Porter, "An algorithm for suffix stripping", 1980) joins the forms of a
word, and BM25 ranks. It is made from the files of a build when it is first wanted and kept beside them; where
the folder may only be read, in memory. Of 34,562 cards and 4,288 entries of the rulebook's outline: 3 s,
22 MB. A question takes 0.1 to 50 ms.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from urllib.parse import quote
from weakref import WeakKeyDictionary

from cardlaw.ontology.namespaces import BASE, MTG, PREFIXES

from .errors import CardlawError
from .facts import local
from .layers import Statement, by_card, statements, value
from .lookup import natural
from .naming import slug
from .store import Store, write_whole

__all__ = [
    "KINDS",
    "LONGEST",
    "Entry",
    "Hit",
    "Index",
    "Piece",
    "Results",
    "Wanted",
    "index",
    "stems",
    "wanted",
]

KINDS = ("keyword", "term", "rule", "tag", "card", "token")
"""What can be found, in the order of the index."""

LONGEST = 200
"""Characters of a question that are read."""

_FILE = "search-2-{}.sqlite"  # with the beginning of the SHA-256 of what is in it
_WORDS = 16  # of a question
_SECONDS = 2.0  # for one question
_STEPS = 1000  # of SQLite's machine, after which the time is looked at
_TOKENIZER = "unicode61 remove_diacritics 2"
_STEMMED = f"porter porter {_TOKENIZER}"  # once alone, “sacrifice” and “sacrificing” stay apart
_OPEN, _CLOSE = "\x02", "\x03"
_CONTROLS = {code: " " for code in (*range(32), 0x7F) if chr(code) != "\n"}
_CHUNK = re.compile(r'"([^"]*)"?|([^\s"]+)')
_LIGATURES = (("æ", "ae"), ("œ", "oe"))
_LABEL, _HEADING, _OTHER, _WORDING, _ABOVE = (
    f"<{PREFIXES[prefix]}{name}>"
    for prefix, name in (
        ("rdfs", "label"),
        ("skos", "prefLabel"),
        ("skos", "altLabel"),
        ("skos", "definition"),
        ("skos", "broader"),
    )
)
_EXAMPLE, _FACE, _TYPES, _ORACLE = (
    f"<{MTG}{name}>" for name in ("example", "hasFace", "typeLine", "oracleText")
)
_SCHEMA = f"""
CREATE TABLE node (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, iri TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE VIRTUAL TABLE passage USING fts5(title, text, tokenize = '{_STEMMED}');
"""
_FOUND = """
SELECT node.kind, node.iri, highlight(passage, 0, ?, ?), snippet(passage, 1, ?, ?, '…', 64)
FROM passage JOIN node ON node.id = passage.rowid
WHERE passage MATCH ? AND node.kind IN (SELECT value FROM json_each(?))
ORDER BY node.name = ? DESC, instr(node.name, ?) > 0 DESC, bm25(passage, 8.0, 1.0), node.id LIMIT ? OFFSET ?
"""
"""What is called so comes first, then what is called so in part: “falconer” has the stem of “falcon”."""
_COUNTED = """
SELECT node.kind, count(*) FROM passage JOIN node ON node.id = passage.rowid
WHERE passage MATCH ? GROUP BY node.kind
"""
_MADE: WeakKeyDictionary[Store, Index] = WeakKeyDictionary()
_MAKING = Lock()


class Entry(NamedTuple):
    """A node with its words."""

    kind: str  # of `KINDS`
    iri: str
    title: str
    text: str  # may be empty


class Piece(NamedTuple):
    """Some of the words of a passage."""

    text: str
    is_hit: bool


class Hit(NamedTuple):
    """A node that was found."""

    kind: str
    iri: str
    title: tuple[Piece, ...]
    text: tuple[Piece, ...]  # the 64 words that say most; "…" where it was cut


class Results(NamedTuple):
    """A page of what was found, the best first."""

    hits: tuple[Hit, ...] = ()
    counts: Mapping[str, int] = {}  # by kind, in the order of `KINDS`, whatever kinds were asked for
    widened: str = ""  # "prefix" or "any" where nothing has all the words as they stand
    is_cut: bool = False  # it took too long


class Wanted(NamedTuple):
    """A question, as expressions of FTS5, from the narrowest to the widest."""

    expressions: tuple[tuple[str, str], ...]  # how it was widened, the expression


class Index:
    """The passages of a build; it may be asked from several threads.

    Args:
        connection: to a database that `index` made.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()

    def search(self, asked: str, kinds: Collection[str] = KINDS, limit: int = 20, offset: int = 0) -> Results:
        """What has all the words of a question; if nothing has, all beginnings of words; else any of them.

        Args:
            asked: words; "some words" in quotes stand together, a word with * is the beginning of one.
            kinds: those of the hits, of `KINDS`.
            limit: how many hits at most.
            offset: how many to leave out before them.
        """
        with self._lock:
            end = time.monotonic() + _SECONDS
            self._connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
            try:
                for how, expression in wanted(asked).expressions:
                    found = dict(self._connection.execute(_COUNTED, (expression,)).fetchall())
                    if found:
                        counts = {kind: found[kind] for kind in KINDS if kind in found}
                        rows = self._rows(asked, expression, kinds, limit, offset)
                        return Results(rows, counts, how)
            except sqlite3.OperationalError as error:
                if "interrupted" not in str(error):
                    raise
                return Results(is_cut=True)
            finally:
                self._connection.set_progress_handler(None, 0)
        return Results()

    def _rows(
        self, asked: str, expression: str, kinds: Collection[str], limit: int, offset: int
    ) -> tuple[Hit, ...]:
        chosen = "[" + ",".join(f'"{kind}"' for kind in KINDS if kind in kinds) + "]"
        marks = (_OPEN, _CLOSE, _OPEN, _CLOSE)
        name = _folded(asked)
        rows = self._connection.execute(_FOUND, (*marks, expression, chosen, name, name, limit, offset))
        return tuple(Hit(kind, iri, _pieces(title), _pieces(text)) for kind, iri, title, text in rows)

    def entries(self, iris: Iterable[str]) -> Iterator[Entry]:
        """The entries of these nodes, in their order; nodes that have none are left out."""
        for iri in iris:
            with self._lock:
                row = self._connection.execute(
                    "SELECT kind, iri, title, text FROM node JOIN passage ON passage.rowid = node.id "
                    "WHERE iri = ?",
                    (iri,),
                ).fetchone()
            if row is not None:
                yield Entry(*row)


def wanted(asked: str) -> Wanted:
    """A question as FTS5 takes it: any text is one, and none of it is syntax but quotes and a last `*`."""
    exact, begun = [], []
    for phrase, word in _CHUNK.findall(asked[:LONGEST].translate(_CONTROLS).replace("\n", " ")):
        text = phrase or word.rstrip("*")
        if not re.search(r"[^\W_]", text):
            continue
        exact.append(_any(text, "*" if word.endswith("*") else ""))
        begun.append(_any(text, "" if phrase else "*"))
    exact, begun = exact[:_WORDS], begun[:_WORDS]
    if not exact:
        return Wanted(())
    ways = [("", " AND ".join(exact)), ("prefix", " AND ".join(begun))]
    return Wanted((*ways, ("any", " OR ".join(exact))) if len(exact) > 1 else tuple(ways))


def _folded(name: str) -> str:
    """Its words as they stand in an IRI, each with a space on either side."""
    return f" {slug(name).replace('-', ' ')} "


def _any(text: str, star: str) -> str:
    """A phrase, also with its ligatures written the other way: Æther, Aether."""
    spellings = {text: None}
    for ligature, letters in _LIGATURES:
        folded = text.lower()
        spellings |= dict.fromkeys((folded.replace(ligature, letters), folded.replace(letters, ligature)))
    unique = {each.lower(): each for each in spellings}
    return "(" + " OR ".join(f'"{each}"{star}' for each in unique.values()) + ")"


def _pieces(marked: str | None) -> tuple[Piece, ...]:
    found = []
    for number, part in enumerate(re.split(f"[{_OPEN}{_CLOSE}]", marked or "")):
        if part:
            found.append(Piece(part, number % 2 == 1))
    return tuple(found)


def index(store: Store) -> Index:
    """The index of a build, from beside its files, or made and, where that can be written, put there.

    Raises:
        StoreError: a file of the build is damaged.
        CardlawError: the SQLite of this Python has no FTS5.
    """
    with _MAKING:
        if (found := _MADE.get(store)) is None:
            kept = sorted(store.folder.glob(_FILE.format("*")))
            connection = next(filter(None, map(_opened, kept)), None)
            if connection is None:
                connection = _made(store)
                content = connection.serialize()
                with suppress(OSError):  # a store that may only be read
                    for path in kept:
                        path.unlink()
                    write_whole(store.folder / _FILE.format(_digest(content)), content)
            found = _MADE[store] = Index(connection)
        return found


def _opened(path: Path) -> sqlite3.Connection | None:
    """The database of a file, None if it is damaged: SQLite does not see every byte that has changed."""
    try:
        if path.name != _FILE.format(_digest(path.read_bytes())):
            return None
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        connection.execute("SELECT name FROM node LIMIT 1").fetchone()
        connection.execute("SELECT rowid FROM passage WHERE passage MATCH '\"a\"' LIMIT 1").fetchone()
    except (OSError, sqlite3.Error):
        return None
    return connection


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _made(store: Store) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        connection.executescript(_SCHEMA)
    except sqlite3.OperationalError as error:
        raise CardlawError(
            f"the SQLite of this Python cannot search texts ({error}): use a Python whose sqlite3 has FTS5, "
            "as those of python.org, conda and the usual systems have"
        ) from None
    for number, entry in enumerate(_entries(store), 1):
        node = (number, entry.kind, entry.iri, _folded(entry.title))
        connection.execute("INSERT INTO node VALUES (?, ?, ?, ?)", node)
        words = (text.translate(_CONTROLS) for text in (entry.title, entry.text))
        connection.execute("INSERT INTO passage (rowid, title, text) VALUES (?, ?, ?)", (number, *words))
    connection.execute("INSERT INTO passage (passage) VALUES ('optimize')")
    connection.commit()
    return connection


def _entries(store: Store) -> Iterator[Entry]:
    """All nodes that have words: keywords, glossary, rules in the order of the book, tags, cards, and tokens
    that have a text; others are found by their names."""
    said: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, term in statements(store, "rules"):
        if predicate in (_LABEL, _HEADING, _OTHER, _WORDING, _ABOVE, _EXAMPLE):
            said[subject[1:-1]][predicate].append(value(term))
    by_kind: dict[str, list[str]] = defaultdict(list)
    for iri in said:
        by_kind[iri.removeprefix(BASE).partition("/")[0]].append(iri)
    for kind in ("keyword", "term", "rule"):
        for iri in sorted(by_kind[kind], key=natural):
            about = said[iri]
            title = ", ".join([*about[_LABEL], *sorted(about[_OTHER])])
            if kind == "rule":
                title = f"{local(iri)} {_heading(said, iri)}".rstrip()
            examples = (f"Example: {words}" for words in sorted(about[_EXAMPLE]))
            yield Entry(kind, iri, title, "\n".join([*about[_WORDING], *examples]))
    yield from _tags(store)
    tokens = []
    for name, found in by_card(store, "cards"):
        if name and (entry := _card(name, found)) is not None:
            if entry.kind == "card":
                yield entry
            elif entry.text:
                tokens.append(entry)
    yield from tokens


def _tags(store: Store) -> Iterator[Entry]:
    """Tags and themes by their names, with what they mean; roles of a theme are found by the theme."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for subject, predicate, term in statements(store, "tags") if "tags" in store.info.quads else ():
        if subject.startswith(f"<{PREFIXES['tag']}") and predicate in (_LABEL, _WORDING):
            said[subject[1:-1]][predicate] = value(term)
    for iri in sorted(said):
        if not local(iri).endswith((".enabler", ".payoff")):
            yield Entry("tag", iri, said[iri].get(_LABEL, local(iri)), said[iri].get(_WORDING, ""))


def _heading(said: Mapping[str, Mapping[str, list[str]]], iri: str) -> str:
    """The heading of a rule, or of the nearest rule above that has one."""
    about = said[iri]
    if about[_HEADING]:
        return about[_HEADING][0]
    return _heading(said, about[_ABOVE][0]) if about[_ABOVE] else ""


def _card(local_name: str, found: Iterable[Statement]) -> Entry | None:
    name, kind = "", ""
    faces: dict[str, dict[str, str]] = {}
    owners = {f"<{PREFIXES[kind]}{local_name}>": kind for kind in ("card", "token")}
    face = f"<{PREFIXES['face']}{local_name}."
    for subject, predicate, term in found:
        if predicate == _LABEL and subject in owners:
            name, kind = value(term), owners[subject]
        elif predicate in (_LABEL, _TYPES, _ORACLE) and subject.startswith(face):
            faces.setdefault(subject, {})[predicate] = value(term)
    if not kind:
        return None
    texts = []
    for _, about in sorted(faces.items(), key=lambda item: natural(item[0])):
        own = about.get(_LABEL) if len(faces) > 1 else None
        texts.append("\n".join(filter(None, (own, about.get(_TYPES), about.get(_ORACLE)))))
    has_words = kind == "card" or any(_ORACLE in about for about in faces.values())
    return Entry(
        kind, f"{PREFIXES[kind]}{local_name}", name, "\n".join(filter(None, texts)) if has_words else ""
    )


def stems(texts: Iterable[str]) -> dict[str, str]:
    """Of each word of some texts, without case and accents, the stem by which it is found."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            f"CREATE VIRTUAL TABLE text USING fts5(words, content='', tokenize = '{_TOKENIZER}');"
            f"CREATE VIRTUAL TABLE form USING fts5(word, tokenize = '{_STEMMED}');"
            "CREATE VIRTUAL TABLE forms USING fts5vocab(text, row);"
            "CREATE VIRTUAL TABLE stemmed USING fts5vocab(form, instance);"
        )
        connection.executemany("INSERT INTO text (words) VALUES (?)", ((text,) for text in texts))
        connection.execute("INSERT INTO form (word) SELECT term FROM forms")
        rows = connection.execute(
            "SELECT form.word, stemmed.term FROM stemmed JOIN form ON form.rowid = stemmed.doc ORDER BY 1"
        )
        return dict(rows.fetchall())
