"""What the tags mean: the concepts of `ontology/facets.ttl` by their ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from cardlaw.ontology import data
from cardlaw.ontology.namespaces import PREFIXES

__all__ = ["Concept", "concepts"]


class Concept(Struct, frozen=True, kw_only=True):
    """A tag or a facet as a SKOS concept or scheme."""

    id: str  # local name: "ability.draw", of a facet "ability"
    label: str
    definition: str = ""
    scope: str = ""
    broader: tuple[str, ...] = ()
    facet: str | None = None  # None of a facet


@cache
def concepts() -> Mapping[str, Concept]:
    """All, in the order of the file."""
    import pyoxigraph

    said: dict[str, dict[str, list[str]]] = {}
    for triple in pyoxigraph.parse(data("facets.ttl").read_bytes(), pyoxigraph.RdfFormat.TURTLE):
        subject, value = triple.subject, triple.object
        assert isinstance(subject, pyoxigraph.NamedNode)
        assert not isinstance(value, pyoxigraph.Triple)
        name = triple.predicate.value.removeprefix(PREFIXES["skos"])
        said.setdefault(subject.value, defaultdict(list))[name].append(value.value)
    prefix = PREFIXES["tag"]

    def names(found: list[str]) -> tuple[str, ...]:
        return tuple(each.removeprefix(prefix) for each in found)

    return {
        iri.removeprefix(prefix): Concept(
            id=iri.removeprefix(prefix),
            label=facts["prefLabel"][0],
            definition="".join(facts["definition"]),
            scope="".join(facts["scopeNote"]),
            broader=names(facts["broader"]),
            facet=next(iter(names(facts["inScheme"])), None),
        )
        for iri, facts in said.items()
        if iri.startswith(prefix)
    }
