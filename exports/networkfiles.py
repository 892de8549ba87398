"""Cards, rules and keywords as one graph for Gephi, NetworkX and their like, streamed as XML.

GraphML 1.0 and GEXF 1.2. Nodes are prefixed names with a type and a label; an edge is a relation, with the
number of places that prove it and their words. Attributes have types: what is a number or a truth value is
one where the file is read. As in `cardlaw.graph.network`, tokens, and what only reminder text cites
(CR 207.2a), are left out. Characters that XML 1.0 cannot hold are left out of texts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias
from xml.sax.saxutils import escape

from msgspec import Struct

from cardlaw.graph.facts import Facts
from cardlaw.graph.layers import Chunk, by_card, property_name, value
from cardlaw.graph.model import Card
from cardlaw.graph.network import KEYWORD_TIES, RELATIONS
from cardlaw.graph.read import described
from cardlaw.graph.reference import keywords, rules
from cardlaw.graph.store import Store
from cardlaw.ontology.namespaces import PREFIXES, compact, expand

__all__ = ["gexf", "graphml"]

Attributes: TypeAlias = Mapping[str, str | int | float | bool | None]

_NODE = {
    "type": "string",
    "title": "string",
    "iri": "string",
    "layout": "string",
    "type_line": "string",
    "mana_value": "double",
    "color_identity": "string",
    "faces": "int",
    "level": "string",
    "action": "boolean",
    "card_count": "int",
    "card_count_with_subrules": "int",
}
_EDGE = {"relation": "string", "evidence": "int", "words": "string"}
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2
_SPACES = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;", '"': "&quot;"}  # else an attribute makes them blanks
_QUOTES = 5
"""So many different quotes are the words of an edge at most."""


class _Node(Struct):
    name: str
    label: str
    attributes: Attributes


class _Edge(Struct):
    source: str
    target: str
    relation: str
    evidence: int
    words: str


def graphml(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """GraphML 1.0; `told` hears how many cards have gone out."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for domain, names in (("node", {"label": "string"} | _NODE), ("edge", {"label": "string"} | _EDGE)):
        for name, kind in names.items():
            key = f'<key id="{domain}.{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>\n'
            yield key.encode()
    yield b'<graph id="cardlaw" edgedefault="directed">\n'
    for node in _nodes(store):
        held = _data("node", {"label": node.label, **node.attributes})
        yield f'<node id="{_xml(node.name)}">{held}</node>\n'.encode()
    for number, edge in enumerate(_edges(store, told)):
        held = _data("edge", _said(edge))
        ends = f'source="{_xml(edge.source)}" target="{_xml(edge.target)}"'
        yield f'<edge id="e{number}" {ends}>{held}</edge>\n'.encode()
    yield b"</graph>\n</graphml>\n"


def gexf(store: Store, told: Callable[[int], None]) -> Iterator[bytes]:
    """GEXF 1.2; `told` hears how many cards have gone out."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield b'<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    yield b"<meta><creator>cardlaw</creator></meta>\n"
    yield b'<graph mode="static" defaultedgetype="directed">\n'
    for domain, names in (("node", _NODE), ("edge", _EDGE)):
        yield f'<attributes class="{domain}" mode="static">\n'.encode()
        for name, kind in names.items():
            type_ = "integer" if kind == "int" else kind
            yield f'<attribute id="{domain}.{name}" title="{name}" type="{type_}"/>\n'.encode()
        yield b"</attributes>\n"
    yield b"<nodes>\n"
    for node in _nodes(store):
        held = _values("node", node.attributes)
        yield f'<node id="{_xml(node.name)}" label="{_xml(node.label)}">{held}</node>\n'.encode()
    yield b"</nodes>\n<edges>\n"
    for number, edge in enumerate(_edges(store, told)):
        said = _said(edge)
        ends = f'source="{_xml(edge.source)}" target="{_xml(edge.target)}" weight="{edge.evidence}"'
        held = _values("edge", {name: said[name] for name in _EDGE})
        yield f'<edge id="e{number}" {ends} label="{_xml(str(said["label"]))}">{held}</edge>\n'.encode()
    yield b"</edges>\n</graph>\n</gexf>\n"


def _said(edge: _Edge) -> dict[str, str | int]:
    return {
        "label": RELATIONS[edge.relation][0],
        "relation": edge.relation,
        "evidence": edge.evidence,
        "words": edge.words,
    }


def _nodes(store: Store) -> Iterator[_Node]:
    """The cards, then the rules and the keywords."""
    for slug, found in by_card(store, "cards"):
        said: dict[str, Facts] = defaultdict(Facts)
        for subject, predicate, term in found:
            said[subject[1:-1]].setdefault(property_name(predicate), []).append(value(term))
        card = said.get(f"{PREFIXES['card']}{slug}")
        if slug and card is not None:
            yield _card_node(f"card:{slug}", card, said[f"{PREFIXES['face']}{slug}.1"])
    for rule in rules(store):
        heading = f"{rule.number} {rule.heading or ''}".strip()
        counts = {
            "card_count": rule.card_count,
            "card_count_with_subrules": rule.card_count_with_subrules,
        }
        about: Attributes = {"type": "rule", "title": heading, "iri": rule.iri, "level": rule.level, **counts}
        yield _Node(f"rule:{rule.number}", heading, about)
    for keyword in keywords(store):
        about = {
            "type": "keyword",
            "title": keyword.name,
            "iri": keyword.iri,
            "action": keyword.action,
            "card_count": keyword.card_count,
        }
        yield _Node(f"keyword:{keyword.slug}", keyword.name, about)


def _card_node(name: str, card: Facts, front: Facts) -> _Node:
    mana_value = front.text("manaValue")
    colors = "".join(color for color in "WUBRG" if color in card["colorIdentity"])
    known = card["colorIdentity"] or card["colorlessIdentity"]
    return _Node(
        name,
        card.need("rdfs:label"),
        {
            "type": "card",
            "title": card.need("rdfs:label"),
            "iri": expand(name),
            "layout": card.text("layout") or "normal",
            "type_line": front.text("typeLine"),
            "mana_value": None if mana_value is None else float(mana_value),
            "color_identity": colors if known else None,
            "faces": len(card["hasFace"]),
        },
    )


def _edges(store: Store, told: Callable[[int], None]) -> Iterator[_Edge]:
    """What cards cite and which keywords they have to do with; how rules and keywords are tied."""
    for done, (card, chunk) in enumerate(described(store), 1):
        name = compact(chunk.iri)
        yield from _cited(name, card)
        yield from _keywords(name, chunk)
        told(done)
    book = rules(store)
    numbers = {rule.number for rule in book}
    for rule in book:
        if rule.parent is not None:
            yield _Edge(f"rule:{rule.number}", f"rule:{rule.parent}", "parent", 1, "")
        for other in rule.references:
            if other in numbers:  # else a number that the book cites but does not have
                yield _Edge(f"rule:{rule.number}", f"rule:{other}", "refers_to", 1, "")
    for keyword in keywords(store):
        yield _Edge(f"keyword:{keyword.slug}", f"rule:{keyword.rule}", "defined_by", 1, "")
        if keyword.variant_of is not None:
            yield _Edge(f"keyword:{keyword.slug}", f"keyword:{keyword.variant_of}", "variant_of", 1, "")


def _cited(name: str, card: Card) -> Iterator[_Edge]:
    quotes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for face in card.faces:
        for citations in (face.citations, *(ability.citations for ability in face.abilities)):
            for citation in citations:
                if not citation.in_reminder:
                    quotes[citation.rule, citation.relation].append(citation.quote)
    for (rule, relation), found in sorted(quotes.items()):
        words = "; ".join(list(dict.fromkeys(found))[:_QUOTES])
        yield _Edge(name, f"rule:{rule}", relation, len(found), words)


def _keywords(name: str, chunk: Chunk) -> Iterator[_Edge]:
    """The keywords of the card, each with the number of its abilities that have it and so on."""
    found: Counter[tuple[str, str]] = Counter()
    for iri, said in chunk.said.items():
        if iri.startswith(PREFIXES["ability"]):
            found.update(
                (value(term), tie)
                for predicate, term in said
                if (tie := KEYWORD_TIES.get(property_name(predicate)))
            )
    for (keyword, relation), number in sorted(found.items()):
        yield _Edge(name, compact(keyword), relation, number, "")


def _data(domain: str, attributes: Attributes) -> str:
    return "".join(f'<data key="{domain}.{name}">{text}</data>' for name, text in _texts(attributes))


def _values(domain: str, attributes: Attributes) -> str:
    held = "".join(f'<attvalue for="{domain}.{name}" value="{text}"/>' for name, text in _texts(attributes))
    return f"<attvalues>{held}</attvalues>"


def _texts(attributes: Attributes) -> Iterable[tuple[str, str]]:
    for name, given in attributes.items():
        if given is not None:
            yield name, str(given).lower() if isinstance(given, bool) else _xml(str(given))


def _xml(text: str) -> str:
    return escape(_FORBIDDEN.sub("", text), _SPACES)
