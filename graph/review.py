"""How well the citations were found: the verdicts on a random sample, as measurements of their layer.

`ontology/review.json` has the counts for each relation; `tests/benchmarks/review.py` makes it from the sheets
that were read. As N-Quads after the Data Quality Vocabulary (DQV), in `layer:abilities`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cardlaw.ontology import data

from .model import Relation
from .nquads import P, end, integer, iri, literal, typed
from .triples import RELATION_PROPERTIES

__all__ = ["review_quads"]

_METRICS = (
    ("wrongCitations", "hits", "{:.2%} of {} citations that were read are wrong: {}"),
    ("missedCitations", "misses", "{:.2%} of {} places without a citation that were read lack one: {}"),
)


def review_quads() -> Iterator[str]:
    """The lines of all measurements, sorted."""
    counts = json.loads(data("review.json").read_text(encoding="utf-8"))
    return iter(sorted(_lines(counts)))


def _lines(counts: dict[Relation, dict[str, int]]) -> Iterator[str]:
    layer = end("abilities")
    for relation, found in counts.items():
        for metric, sample, words in _METRICS:
            size, wrong = found[sample], found["wrong_" + sample]
            rate = wrong / size
            subject = iri(f"measurement:{relation.replace('_', '-')}.{metric}")
            yield f"{subject}{P['rdf:type']}{iri('dqv:QualityMeasurement')}{layer}"
            yield f"{subject}{P['rdfs:label']}{literal(words.format(rate, size, relation))}{layer}"
            yield f"{subject}{P['dqv:computedOn']}{iri('layer:abilities')}{layer}"
            yield f"{subject}{P['dqv:isMeasurementOf']}{iri(metric)}{layer}"
            yield f"{subject}{P['dqv:value']}{typed(f'{rate:.4f}'.rstrip('0').rstrip('.'), 'decimal')}{layer}"
            yield f"{subject}{P['sampleSize']}{integer(size)}{layer}"
            yield f"{subject}{P['ofRelation']}{iri(RELATION_PROPERTIES[relation])}{layer}"
