"""Cards, faces, abilities, citations, rules and keywords as Parquet tables, a file each.

Written through pyarrow, some thousand rows in memory at a time. Columns have types; what has several values
is a list, and what the source lacks is null. Spans are half-open [start, end) in code points of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import asdict

from cardlaw.graph.errors import CardlawError
from cardlaw.graph.layers import Chunk, property_name, value
from cardlaw.graph.model import Ability, Card, Citation
from cardlaw.graph.naming import card_node
from cardlaw.graph.network import KEYWORD_TIES
from cardlaw.graph.read import described
from cardlaw.graph.reference import keywords, rules
from cardlaw.graph.rulequads import sort_key
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES, expand

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

__all__ = ["parquet", "schemas"]

Row: TypeAlias = dict[str, Any]

_ROWS = 5_000
"""Rows of a row group."""
_SPANS = ("cost", "event", "condition", "effect")


def parquet(store: Store, folder: Path, told: Callable[[int], None]) -> None:
    """Write all tables into a folder; `told` hears how many cards have gone out.

    Raises:
        CardlawError: if pyarrow is not installed.
    """
    with ExitStack() as stack:
        tables = {name: stack.enter_context(_Table(folder, name)) for name in schemas()}
        for done, (card, chunk) in enumerate(described(store), 1):
            for name, row in _card_rows(card, chunk):
                tables[name].add(row)
            told(done)
        for rule in rules(store):
            tables["rules"].add(asdict(rule))
        for keyword in keywords(store):
            tables["keywords"].add(asdict(keyword))


class _Table:
    """One file that is written a row group at a time."""

    def __init__(self, folder: Path, name: str) -> None:
        self.schema = schemas()[name]
        self.path = folder / f"{name}.parquet"
        self.rows: list[Row] = []

    def __enter__(self) -> _Table:
        from pyarrow.parquet import ParquetWriter  # type: ignore[import-untyped]

        self.writer = ParquetWriter(self.path, self.schema, compression="zstd")
        return self

    def add(self, row: Row) -> None:
        self.rows.append(row)
        if len(self.rows) == _ROWS:
            self.flush()

    def flush(self) -> None:
        from pyarrow import Table

        self.writer.write_table(Table.from_pylist(self.rows, self.schema))
        self.rows.clear()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.flush()
        self.writer.close()


@cache
def schemas() -> dict[str, pyarrow.Schema]:
    """The columns of each table.

    Raises:
        CardlawError: if pyarrow is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise CardlawError("parquet needs pyarrow: pip install 'cardlaw[parquet]'") from None
    text, whole, flag = pa.string(), pa.int32(), pa.bool_()
    texts, span = pa.list_(text), pa.list_(whole)
    statuses = pa.map_(text, text)
    columns: dict[str, dict[str, Any]] = {
        "cards": {
            "card": text,
            "iri": text,
            "name": text,
            "oracle_id": text,
            "layout": text,
            "color_identity": texts,
            "source_keywords": texts,
            **dict.fromkeys(KEYWORD_TIES.values(), texts),
            "rules": texts,
            "legalities": statuses,
        },
        "faces": {
            "card": text,
            "face": whole,
            "iri": text,
            "name": text,
            "type_line": text,
            "mana_cost": text,
            "mana_value": pa.float64(),
            "colors": texts,
            "power": text,
            "toughness": text,
            "loyalty": text,
            "defense": text,
            "oracle_text": text,
        },
        "abilities": {
            "card": text,
            "face": whole,
            "ability": text,
            "iri": text,
            "parent": text,
            "kind": text,
            "text": text,
            "start": whole,
            "end": whole,
            "granted": flag,
            "keyword": text,
            "keyword_cost": text,
            "keyword_number": text,
            "keyword_quality": text,
            "ability_word": text,
            **{f"{part}_span": span for part in _SPANS},
            "mode_spans": pa.list_(span),
        },
        "citations": {
            "card": text,
            "face": whole,
            "ability": text,
            "rule": text,
            "relation": text,
            "field": text,
            "start": whole,
            "end": whole,
            "quote": text,
            "in_reminder": flag,
            "granted": flag,
            "conditional": flag,
            "entry": text,
        },
        "rules": {
            "number": text,
            "iri": text,
            "level": text,
            "title": text,
            "heading": text,
            "text": text,
            "parent": text,
            "references": texts,
            "examples": texts,
            "card_count": whole,
            "card_count_with_subrules": whole,
        },
        "keywords": {
            "slug": text,
            "iri": text,
            "name": text,
            "action": flag,
            "rule": text,
            "nature": texts,
            "variant_of": text,
            "card_count": whole,
        },
    }
    return {name: pa.schema(fields) for name, fields in columns.items()}


def _card_rows(card: Card, chunk: Chunk) -> Iterator[tuple[str, Row]]:
    """The rows of one card, each with its table."""
    tied: dict[str, list[str]] = {relation: [] for relation in (*KEYWORD_TIES.values(), "rules")}
    for predicate, term in chunk.said[chunk.iri]:
        name = property_name(predicate)
        if relation := KEYWORD_TIES.get(name):
            tied[relation].append(value(term).removeprefix(PREFIXES["keyword"]))
        elif name == "citesRule":
            tied["rules"].append(value(term).removeprefix(PREFIXES["rule"]))
    tied["rules"].sort(key=sort_key)
    yield (
        "cards",
        {
            "card": card.slug,
            "iri": expand(card_node(card.slug)),
            "name": card.name,
            "oracle_id": card.oracle_id,
            "layout": card.layout,
            "color_identity": card.color_identity,
            "source_keywords": card.keywords,
            "legalities": dict(card.legalities),
            **tied,
        },
    )
    for face in card.faces:
        where = {"card": card.slug, "face": face.number}
        yield (
            "faces",
            {
                **where,
                "iri": f"{PREFIXES['face']}{card.slug}.{face.number}",
                "name": face.name,
                "type_line": face.type_line,
                "mana_cost": face.mana_cost,
                "mana_value": face.mana_value,
                "colors": face.colors,
                "power": face.power,
                "toughness": face.toughness,
                "loyalty": face.loyalty,
                "defense": face.defense,
                "oracle_text": face.oracle_text,
            },
        )
        for citation in face.citations:
            yield "citations", _citation(citation, {**where, "ability": None})
        for ability in face.abilities:
            yield "abilities", _ability(ability, where, card.slug)
            for citation in ability.citations:
                yield "citations", _citation(citation, {**where, "ability": ability.id})


def _ability(ability: Ability, where: Row, slug: str) -> Row:
    number = ability.parameters.get("number")
    return {
        **where,
        "ability": ability.id,
        "iri": f"{PREFIXES['ability']}{slug}.{ability.id}",
        "parent": ability.parent,
        "kind": ability.kind,
        "text": ability.text,
        "start": ability.start,
        "end": ability.end,
        "granted": ability.granted,
        "keyword": ability.keyword,
        "keyword_cost": ability.parameters.get("cost"),
        "keyword_number": None if number is None else str(number),
        "keyword_quality": ability.parameters.get("quality"),
        "ability_word": ability.ability_word,
        **{f"{part}_span": getattr(ability.parts, part) for part in _SPANS},
        "mode_spans": ability.parts.modes,
    }


def _citation(citation: Citation, where: Row) -> Row:
    return {
        **where,
        "rule": citation.rule,
        "relation": citation.relation,
        "field": citation.field,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "in_reminder": citation.in_reminder,
        "granted": citation.granted,
        "conditional": citation.conditional,
        "entry": citation.entry or None,
    }
