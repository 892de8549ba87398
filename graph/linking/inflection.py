"""English inflections of keyword actions (CR 701), so that a new heading needs no new pattern."""

from __future__ import annotations

import re

__all__ = ["action_pattern", "inflections"]

_IRREGULAR = {
    "behold": ("beholds", "beheld", "beholding"),
    "fight": ("fights", "fought", "fighting"),
    "meld": ("melds", "melded", "melding"),
    "set": ("sets", "setting"),
    "cast": ("casts", "casting"),
    "learn": ("learns", "learned", "learning"),
}


def inflections(verb: str) -> tuple[str, ...]:
    """The verb itself, its third person, past and participle: ("mill", "mills", "milled", "milling")."""
    if verb in _IRREGULAR:
        return (verb, *_IRREGULAR[verb])
    if verb.endswith("bend"):
        return (verb, f"{verb}s", f"{verb[:-1]}t", f"{verb}ed", f"{verb}ing")
    if verb.endswith("e"):
        return (verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    if re.search(r"[^aeiou]y$", verb):
        return (verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    if re.search(r"(?:s|x|z|ch|sh)$", verb):
        return (verb, f"{verb}es", f"{verb}ed", f"{verb}ing")
    doubled = verb + verb[-1] if re.search(r"^[^aeiou]*[aeiou][bdgmnprt]$|[aeiou]l$", verb) else verb
    past = {verb + "ed", doubled + "ed"}
    return (verb, f"{verb}s", *sorted(past), *sorted({verb + "ing", doubled + "ing"}))


def action_pattern(words: str) -> tuple[str, tuple[str, ...]]:
    """A pattern for a keyword action in every inflection, and literals one of which stands in each match.

    Only the first word of a heading is inflected: "collect evidence" gives "collects evidence".
    """
    verb, _, rest = words.partition(" ")
    forms = "|".join(re.escape(form) for form in sorted(inflections(verb), key=len, reverse=True))
    tail = "".join(rf"\ {re.escape(word)}" for word in rest.split())
    stem = verb[:-1] if len(verb) > 3 and verb[-1] in "ey" else verb
    literals = (stem, *(form for form in inflections(verb) if not form.startswith(stem)))
    return rf"\b(?<!-)(?:{forms}){tail}(?![\w-])", literals
