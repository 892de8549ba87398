"""Citations and a release in, what is right and wrong with each out; with the release that a text was written
against, also what has moved since.

The words beside a number outrank the number: a name or a passage that fits the rule cited now makes it right,
whatever became of the number since. `sure` is kept for what one would rewrite without looking: a sure fate
that nothing beside it contradicts, or a passage that stands word for word in one rule alone.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

from ..model import Rulebook
from ..releases.fates import SURE, Fates, fates
from ..releases.records import Candidate, Fate
from ..sources.references import expand_range, ordinal
from .evidence import Evidence, Reader, rule_of, section_of
from .records import Mention, Status, Verdict

__all__ = ["Judge"]

_CHANGED = 0.5  # likeness of the words below which a rule that kept its number is to be read again
_PARTS = re.compile(r"(\d{1,3})(?:\.(\d+)([a-z]*))?")


class Judge:
    """Says of mentions whether they are right in `rulebook`.

    Args:
        rulebook: the release to be checked against; an outline does, without passages.
        written: the release that the texts were written against, if it is known.
    """

    def __init__(self, rulebook: Rulebook, written: Rulebook | None = None) -> None:
        self.rulebook = rulebook
        self.written = written if written and written.release != rulebook.release else None
        self._now = Reader(rulebook)
        self._then = Reader(self.written) if self.written else None
        self._known: dict[tuple[object, ...], Verdict] = {}

    def judge(self, mention: Mention) -> Verdict:
        """What is found of `mention`; the same for all that have the same number and the same beside them."""
        key = (mention.number, mention.first, mention.along, mention.name, mention.quote, mention.line)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._found(mention)
        return Verdict(
            mention=mention,
            status=known.status,
            message=known.message,
            title=known.title,
            target=known.target,
            sure=known.sure,
            candidates=known.candidates,
        )

    def _found(self, mention: Mention) -> Verdict:
        number = mention.number
        now = self._now.evidence(mention)
        exists = number in self.rulebook.rules
        if mention.first and _place(mention.first) >= _place(number):
            return self._told(
                mention,
                "mismatch",
                f"the range {mention.first} to {number} does not run upward: correct an end",
            )
        if self.written and self._then and number in self.written.rules:
            then = self._then.evidence(mention)
            if not (exists and now.speaks_for and not then.speaks_for):
                return self._since(mention, now, then)
            return self._told(mention, "right")
        if not exists:
            return self._unknown(mention, now)
        if now.against:
            return self._mismatch(mention, now)
        return self._told(mention, "right")

    # with the release that the text was written against

    @cached_property
    def _fates(self) -> Fates | None:
        if self.written is None or not (self.written.has_text and self.rulebook.has_text):
            return None
        return fates(self.written, self.rulebook)

    @cached_property
    def _likeness(self) -> dict[str, float]:
        found = self._fates
        return {each.old: each.similarity for each in found.matching.matches} if found else {}

    def _since(self, mention: Mention, now: Evidence, then: Evidence) -> Verdict:
        number, exists = mention.number, mention.number in self.rulebook.rules
        if then.against and (now.against or not exists) and now.better:
            return self._mismatch(mention, now) if exists else self._unknown(mention, now)
        fate = self._fates.of(number) if self._fates else self._by_heading(number)
        older, newer = fate.older, fate.newer
        if fate.kind in ("kept", "reworded"):
            if now.against and not then.speaks_for:
                return self._mismatch(mention, now)
            if fate.confidence < SURE:
                return self._told(
                    mention,
                    "changed",
                    f"{number} may not be in {newer} what it was in {older} ({fate.reason}): read it again",
                    candidates=fate.candidates,
                )
            if self._likeness.get(number, 1.0) < _CHANGED:
                return self._told(
                    mention,
                    "changed",
                    f"the words of {number} changed much from {older} to {newer}: read it again",
                )
            return self._told(mention, "right")
        if fate.target is not None:
            agrees = not then.against and not (now.better and now.sure and now.better[0] != fate.target)
            doubt = None if self._then is None or then.speaks_for else self._then.doubts(mention)
            sure = fate.confidence >= SURE and agrees and doubt is None and self._together(mention)
            name = self._then.headings.get(number) if self._then else None
            named = f", {name}," if name else ""
            if not exists:
                reused = f", which has no {number}"
            elif name == self._now.headings.get(number):
                reused = f", where {number} is another rule"
            else:
                reused = f", where {number} is {self._called(number)}"
            likely = "is" if fate.confidence >= SURE else "may be"
            return self._told(
                mention,
                "moved",
                f"{number} of {older}{named} {likely} {fate.target} in {newer}{reused}"
                + (f"; but “{doubt}” stands beside it: read it" if doubt else ""),
                target=fate.target,
                sure=sure,
                candidates=fate.candidates,
            )
        if exists:
            return self._told(
                mention,
                "changed",
                f"the rule that was {number} in {older} is gone in {newer}, "
                f"where {number} is {self._called(number)}",
                candidates=fate.candidates,
            )
        return self._told(
            mention,
            "unknown",
            f"the rule that was {number} in {older} is gone, and {newer} has no {number}",
            candidates=fate.candidates,
        )

    def _together(self, mention: Mention) -> bool:
        """Whether what is written in one with it moves in step with it."""
        if not mention.along or self._fates is None:
            return not mention.along
        numbers = sorted((mention.number, *mention.along), key=_place)
        if mention.first or len(numbers) == 2:
            numbers = [*expand_range(numbers[0], numbers[-1])]
        found = [self._fates.of(each) for each in numbers]
        targets = [each.target for each in found if each.target and each.confidence >= SURE]
        if len(targets) != len(numbers):
            return False
        steps = [_place(each) for each in targets]
        stems = {rule_of(each) for each in numbers}, {rule_of(each) for each in targets}
        lettered = numbers[0] != rule_of(numbers[0])
        if lettered and len(stems[0]) == 1 and len(stems[1]) != 1:
            return False
        if len({section_of(each) for each in numbers}) < len({section_of(each) for each in targets}):
            return False
        return all(one < two for one, two in pairwise(steps)) and (
            [*expand_range(targets[0], targets[-1])] == targets or len(mention.along) > 1
        )

    def _by_heading(self, number: str) -> Fate:
        """Where no words are at hand: the rule with the same heading is the same."""
        assert self.written is not None
        assert self._then is not None
        heading = self._then.headings.get(number)
        kept = number in self.rulebook.rules and self._now.headings.get(number) == heading
        rule = rule_of(number)
        titled = self.written.rules[rule].title if rule in self.written.rules else None
        others = [each for each, one in self.rulebook.rules.items() if titled and one.title == titled]
        target = number if kept else others[0] + number[len(rule) :] if len(others) == 1 else None
        if target not in self.rulebook.rules:
            target = None
        return Fate(
            number=number,
            older=self.written.release,
            newer=self.rulebook.release,
            kind="kept" if kept else "moved" if target else "removed",
            target=target,
            confidence=SURE if kept else 0.7 if target else 0.5,
            reason="same heading" if target else "no such heading",
        )

    # in one release

    def _mismatch(self, mention: Mention, now: Evidence) -> Verdict:
        best = now.better[0]
        if mention.number == rule_of(mention.number) and now.by == "name":
            best = self._whole(best, mention.name or "")
        words = f"“{mention.name}”" if now.by == "name" else "the words quoted"
        several = len({rule_of(each) for each in now.better}) > 1
        stands = "are those of" if now.by == "quote" else "is the name of"
        return self._told(
            mention,
            "mismatch",
            f"{mention.number} is {self._called(mention.number)} in {self.rulebook.release}, "
            f"but {words} {stands} {best}",
            target=None if several and now.by == "quote" else best,
            sure=now.sure and not several and not mention.along,
            candidates=self._candidates(now),
        )

    def _whole(self, number: str, name: str) -> str:
        """The rule of a subrule if its heading has the name: “Tap and Untap” for the subrule on untapping."""
        rule = self.rulebook.rules.get(rule_of(number))
        has_it = rule is not None and name.casefold() in (rule.title or "").casefold().split()
        return rule_of(number) if has_it else number

    def _unknown(self, mention: Mention, now: Evidence) -> Verdict:
        near = self._candidates(now) or self._near(mention.number)
        lead = f": {near[0].number} ({near[0].reason}) may be meant" if near else ""
        return self._told(
            mention,
            "unknown",
            f"{self.rulebook.release} has no {mention.number}{lead}",
            target=now.better[0] if now.sure else None,
            sure=now.sure and not mention.along,
            candidates=near,
        )

    def _candidates(self, now: Evidence) -> tuple[Candidate, ...]:
        reason = "its name stands beside" if now.by == "name" else "its words stand beside"
        confidence = 0.95 if now.sure else 0.7
        return tuple(self._candidate(each, confidence, reason) for each in now.better[:3])

    def _near(self, number: str) -> tuple[Candidate, ...]:
        """Numbers of the book that a mistyped or outdated one may stand for."""
        rules = self.rulebook.rules
        near: dict[str, tuple[float, str]] = {}
        rule, section = rule_of(number), section_of(number)
        for place in range(len(number) - 1):
            swapped = number[:place] + number[place + 1] + number[place] + number[place + 2 :]
            if swapped != number and swapped in rules:
                near.setdefault(swapped, (0.4, "two digits swapped"))
        if rule != number and rule in rules:
            letters = [each for each in rules if rule_of(each) == rule and each != rule]
            if letters:
                near.setdefault(letters[-1], (0.3, f"the last of {rule}"))
            near.setdefault(rule, (0.3, "the rule without the letter"))
        elif section in rules and "." in number:
            mates = [each for each in rules if each.startswith(f"{section}.") and each == rule_of(each)]
            if mates:
                near.setdefault(mates[-1], (0.2, f"the last of {section}"))
        return tuple(self._candidate(each, *why) for each, why in list(near.items())[:3])

    def _candidate(self, number: str, confidence: float, reason: str) -> Candidate:
        return Candidate(
            number=number, title=self._now.headings.get(number), confidence=confidence, reason=reason
        )

    def _called(self, number: str) -> str:
        """How a message speaks of a rule that exists."""
        heading = self._now.headings.get(number)
        own = self.rulebook.rules[number].title or number == rule_of(number)
        if heading is None:
            return "another rule"
        return (
            f"“{heading}”" if own or rule_of(number) not in self.rulebook.rules else f"a rule of “{heading}”"
        )

    def _told(
        self,
        mention: Mention,
        status: Status,
        message: str = "",
        target: str | None = None,
        sure: bool = False,
        candidates: tuple[Candidate, ...] = (),
    ) -> Verdict:
        return Verdict(
            mention=mention,
            status=status,
            message=message,
            title=self._now.headings.get(mention.number),
            target=target,
            sure=sure,
            candidates=candidates,
        )


def _place(number: str) -> tuple[int, int, int]:
    """Where a number stands in the order of a book."""
    section, rule, letter = _PARTS.fullmatch(number).groups(default="")  # type: ignore[union-attr]
    return int(section), int(rule or 0), ordinal(letter)
