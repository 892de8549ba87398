"""Single citations that a person takes out or puts in: a file of one's own, applied after linking.

The file is TOML: `release`, the day of the rulebook that its numbers are of, and any number of [[remove]]
and [[add]] tables, each with a reason. Numbers move from release to release, so a file for another
release is refused: a warning is soon overlooked, and a wrong number is worse than none.

`read_corrections` finds all that is wrong with the file itself, `place` the cards that it speaks of, and
`correct`, a pure function of a card and its corrections, says of each whether it did anything. A name is a
card's or, where no card has it, a face's; a prefixed name (`card:fire-ice`) is one card's alone, and the
only name of a token. Removals come first, so that a citation can be put in again with other words.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from ..abilities.masking import reminders, within
from ..errors import CorrectionsError
from ..model import Ability, Card, Citation, Face, Relation, Rulebook
from ..naming import TOKEN_LAYOUTS, card_node, slug
from .linker import CitedEntry

__all__ = [
    "Addition",
    "Corrected",
    "Correction",
    "Corrections",
    "Placed",
    "Removal",
    "Removed",
    "correct",
    "place",
    "read_corrections",
]


class Removal(Struct, frozen=True, kw_only=True):
    """Takes out every citation of a rule that fits."""

    card: str  # as the file names it
    rule: str
    reason: str
    ability: str | None = None  # id of an ability, or number of a face whose own citations are meant
    relation: str | None = None

    def __str__(self) -> str:
        return _told(f"remove {self.rule}", self.relation, self.card, self.ability)


class Addition(Struct, frozen=True, kw_only=True):
    """Puts in one citation of an ability."""

    card: str  # as the file names it
    ability: str
    rule: str
    title: str | None  # heading of the rule, or of its nearest parent that has one
    relation: str
    quote: str
    reason: str

    @property
    def entry(self) -> str:
        """The id of the entry that the citation has, which tells the reason."""
        card = slug(self.card.partition(":")[2] if _is_node(self.card) else self.card)
        name = f"{card}.{self.ability}.{self.rule}-{self.relation.replace('_', '-')}"
        return f"correction.{name}"

    def __str__(self) -> str:
        return _told(f"add {self.rule}", self.relation, self.card, self.ability)


Correction: TypeAlias = Removal | Addition

Placed: TypeAlias = dict[str, tuple[Correction, ...]]
"""Slug of a card → the corrections that speak of it."""


class Corrections(Struct, frozen=True):
    """What a file of corrections says: removals first, otherwise in its order."""

    file: str  # its name
    listed: tuple[Correction, ...]

    @property
    def entries(self) -> tuple[CitedEntry, ...]:
        """What can be cited by the additions."""
        return tuple(
            CitedEntry(each.entry, each.relation, each.rule, each.reason, each.rule)
            for each in self.listed
            if isinstance(each, Addition)
        )


class Removed(Struct, frozen=True):
    """A citation that was taken out."""

    citation: Citation
    holder: str  # id of the ability, or number of the face
    reason: str


class Corrected(Struct, frozen=True):
    """A card after its corrections: what went, which of them did something, and why the others did not."""

    card: Card
    removed: tuple[Removed, ...] = ()
    done: tuple[Correction, ...] = ()
    missed: Mapping[Correction, str] = {}


_RELATIONS = get_args(Relation)
_FIELDS = {
    "remove": ({"card", "rule", "reason"}, {"ability", "relation"}),
    "add": ({"card", "ability", "rule", "relation", "quote", "reason"}, set[str]()),
}
"""Fields that must stand in a table, and those that may."""
_ABILITY = {"remove": re.compile(r"\d+(\.\d+)*"), "add": re.compile(r"\d+(\.\d+)+")}


def read_corrections(path: Path, rulebook: Rulebook) -> Corrections:
    """The corrections of a file, checked against the rulebook of which they speak.

    Raises:
        CorrectionsError: the file is missing, no TOML, or of another release; a field is missing, unknown or
            means nothing; the rulebook has no such rule; two corrections are the same.
    """
    name = path.name
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CorrectionsError(f"cannot read the corrections {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CorrectionsError(f"{name} is no UTF-8 text: save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise CorrectionsError(f"{name} is not TOML: {error}") from None
    if unknown := set(table) - {"release", *_FIELDS}:
        raise CorrectionsError(
            f"{name}: unknown {', '.join(sorted(unknown))}; it holds release, [[remove]] and [[add]]"
        )
    release = str(table.get("release", ""))
    if not release:
        raise CorrectionsError(
            f"{name}: release is missing: say which rulebook its numbers are of, as release = "
            f'"{rulebook.release}"'
        )
    if release != rulebook.release:
        raise CorrectionsError(
            f"{name} speaks of the rules of {release}, but these are of {rulebook.release}: "
            "check its numbers, then change its release"
        )
    listed: list[Correction] = []
    seen: set[str | Correction] = set()
    for what in _FIELDS:
        tables = table.get(what, [])
        if not isinstance(tables, list) or not all(isinstance(raw, dict) for raw in tables):
            raise CorrectionsError(f"{name}: {what} must be tables, [[{what}]]")
        for number, raw in enumerate(tables, 1):
            correction = _correction(what, raw, f"{name}, {what} {number}", rulebook)
            # Two additions that differ only in their words would be one citation.
            same = correction.entry if isinstance(correction, Addition) else replace(correction, reason="")
            if same in seen:
                raise CorrectionsError(f"{name}, {what} {number}: another one says the same: leave one out")
            seen.add(same)
            listed.append(correction)
    if not listed:
        raise CorrectionsError(f"{name} holds no correction: write a [[remove]] or an [[add]]")
    return Corrections(name, tuple(listed))


def _correction(what: str, raw: dict[str, Any], where: str, rulebook: Rulebook) -> Correction:
    needed, allowed = _FIELDS[what]
    if unknown := set(raw) - needed - allowed:
        raise CorrectionsError(f"{where}: unknown field {', '.join(sorted(unknown))}")
    for field, value in raw.items():
        if not isinstance(value, str):
            raise CorrectionsError(
                f'{where}: {field} must be text, between quotation marks: {field} = "{value}"'
            )
    fields: dict[str, str] = {field: value.strip() for field, value in raw.items()}
    if missing := {field for field in needed if not fields.get(field)}:
        raise CorrectionsError(f"{where}: {', '.join(sorted(missing))} is missing")
    if fields["rule"] not in rulebook.rules:
        raise CorrectionsError(f"{where}: the rules of {rulebook.release} have no rule {fields['rule']}")
    relation = fields.get("relation")
    if relation is not None and relation not in _RELATIONS:
        raise CorrectionsError(f"{where}: unknown relation {relation!r}, it can be {', '.join(_RELATIONS)}")
    ability = fields.get("ability")
    if ability is not None and not _ABILITY[what].fullmatch(ability):
        raise CorrectionsError(f"{where}: {ability!r} is no ability: say 1.2, as `cardlaw show` numbers them")
    if what == "remove":
        return Removal(**fields)
    return Addition(title=_heading(fields["rule"], rulebook), **fields)


def _heading(number: str, rulebook: Rulebook) -> str | None:
    """The nearest heading at or above a rule."""
    rule = rulebook.rules.get(number)
    while rule is not None and rule.title is None and rule.parent is not None:
        rule = rulebook.rules.get(rule.parent)
    return rule.title if rule is not None else None


def place(corrections: Corrections, cards: Iterable[Card]) -> tuple[Placed, list[str]]:
    """Which corrections speak of which cards, and a sentence for each that speaks of none."""
    nodes: dict[str, str] = {}
    names: defaultdict[str, list[str]] = defaultdict(list)
    faces: defaultdict[str, list[str]] = defaultdict(list)
    for card in cards:
        nodes[card_node(card.slug)] = card.slug
        if card.layout not in TOKEN_LAYOUTS:
            names[_folded(card.name)].append(card.slug)
            for face in card.faces:
                faces[_folded(face.name)].append(card.slug)
    placed: Placed = {}
    nowhere = []
    for correction in corrections.listed:
        name = _folded(correction.card)
        if _is_node(correction.card):
            slugs = [nodes[correction.card]] if correction.card in nodes else []
        else:
            slugs = names.get(name) or faces.get(name) or []
        for local in dict.fromkeys(slugs):
            placed[local] = (*placed.get(local, ()), correction)
        if not slugs:
            nowhere.append(f"{corrections.file}: cannot {correction}: no card here is called so")
    return placed, nowhere


def correct(card: Card, corrections: Iterable[Correction]) -> Corrected:
    """The linked card with its corrections, which `place` found to speak of it, in their order."""
    removed: list[Removed] = []
    done: list[Correction] = []
    missed: dict[Correction, str] = {}
    for each in corrections:
        why = None
        if isinstance(each, Removal):
            card, gone = _without(card, each)
            removed += gone
            if not gone:
                why = "there is no such citation"
        else:
            card, why = _with(card, each)
        if why is None:
            done.append(each)
        else:
            missed[each] = why
    return Corrected(card, tuple(removed), tuple(done), missed)


def _without(card: Card, removal: Removal) -> tuple[Card, list[Removed]]:
    gone: list[Removed] = []

    def kept(citations: tuple[Citation, ...], holder: str) -> tuple[Citation, ...]:
        if removal.ability not in (None, holder):
            return citations
        fits = [c.rule == removal.rule and removal.relation in (None, c.relation) for c in citations]
        gone.extend(Removed(c, holder, removal.reason) for c, fit in zip(citations, fits, strict=True) if fit)
        return tuple(c for c, fit in zip(citations, fits, strict=True) if not fit)

    faces = []
    for face in card.faces:
        if _means(removal, card, face):
            abilities = tuple(replace(a, citations=kept(a.citations, a.id)) for a in face.abilities)
            face = replace(face, abilities=abilities, citations=kept(face.citations, str(face.number)))
        faces.append(face)
    return replace(card, faces=tuple(faces)), gone


def _with(card: Card, addition: Addition) -> tuple[Card, str | None]:
    """The card with one more citation, or as it was and why."""
    for at, face in enumerate(card.faces):
        if not _means(addition, card, face):
            continue
        for index, ability in enumerate(face.abilities):
            if ability.id != addition.ability:
                continue
            if any((c.rule, c.relation) == (addition.rule, addition.relation) for c in ability.citations):
                return card, "it is there already; remove it first if its words are wrong"
            citation = _citation(addition, ability, face)
            if citation is None:
                return card, f"the words “{addition.quote}” do not stand in that ability"
            cited = sorted((*ability.citations, citation), key=lambda c: (c.start, c.end, c.rule, c.relation))
            abilities = list(face.abilities)
            abilities[index] = replace(ability, citations=tuple(cited))
            faces = list(card.faces)
            faces[at] = replace(face, abilities=tuple(abilities))
            return replace(card, faces=tuple(faces)), None
    return card, "there is no such ability"


def _citation(addition: Addition, ability: Ability, face: Face) -> Citation | None:
    """Its words stand at their first place in the ability, outside reminder text if they do somewhere."""
    text = face.oracle_text or ""
    marked = reminders(text)
    places = [
        ability.start + match.start()
        for match in re.finditer(re.escape(addition.quote), text[ability.start : ability.end])
    ]
    if not places:
        return None
    start = next((place for place in places if not within(marked, place)), places[0])
    return Citation(
        rule=addition.rule,
        title=addition.title,
        relation=cast(Relation, addition.relation),
        field="oracle_text",
        start=start,
        end=start + len(addition.quote),
        quote=addition.quote,
        in_reminder=within(marked, start),
        granted=ability.granted,
        entry=addition.entry,
    )


def _means(correction: Correction, card: Card, face: Face) -> bool:
    """Whether a correction speaks of this face of a card: of each, unless it goes by the name of one."""
    name = _folded(correction.card)
    return _is_node(correction.card) or name in (_folded(card.name), _folded(face.name))


def _is_node(name: str) -> bool:
    return name.startswith(("card:", "token:"))


def _folded(name: str) -> str:
    return name.replace("’", "'").casefold()


def _told(what: str, relation: str | None, card: str, ability: str | None) -> str:
    """A correction in words: "remove 118.12 (cost) of “Lantern Fox” 1.2"."""
    kind = f" ({relation})" if relation else ""
    return f"{what}{kind} of “{card}”{f' {ability}' if ability else ''}"
