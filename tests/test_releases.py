"""Which rule became which, and all that is told of it, on invented releases and on the real ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from handreleases import GLOSSARY, OLD, book, ordered, renumbered, text
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlaw.graph.errors import RulebookError
from cardlaw.graph.model import Rulebook
from cardlaw.graph.releases.changes import Change, changes, word_diff
from cardlaw.graph.releases.fates import SURE, fates
from cardlaw.graph.releases.found import releases, resolve
from cardlaw.graph.releases.history import history
from cardlaw.graph.releases.lint import lint
from cardlaw.graph.releases.matching import match
from cardlaw.graph.releases.passages import keys
from cardlaw.graph.releases.records import Matching
from cardlaw.graph.releases.typed import typed
from cardlaw.graph.sources import outline
from cardlaw.graph.sources.rulebook import parse

LATER = "March 4, 2031"


def ties(matching: Matching) -> dict[str, str]:
    return {each.old: each.new for each in matching.matches}


def after(**changed: str | None) -> Rulebook:
    """The older release with rules changed, added or (None) removed; `_` stands for the dot."""
    new = OLD | {number.strip("r").replace("_", "."): words or "" for number, words in changed.items()}
    return book(ordered({number: words for number, words in new.items() if words}), LATER)


# What became of a rule


def test_a_release_matched_with_itself_is_the_same() -> None:
    matching = match(book(), book())
    assert ties(matching) == {number: number for number in OLD}
    assert not matching.removed
    assert not matching.added
    assert {each.confidence for each in matching.matches} == {1.0}


def test_a_keyword_that_moved_takes_what_is_below_it_along() -> None:
    new = renumbered(OLD, {"701.3": "701.4", "701.4": "701.3"})
    found = fates(book(), book(new, LATER))
    told = found.of("701.3b")
    assert (told.kind, told.target, told.reused) == ("moved", "701.4b", False)
    assert (told.older, told.newer) == ("2030-02-03", "2031-03-04")
    mill = found.of("701.3")
    assert (mill.kind, mill.target, mill.reused) == ("moved", "701.4", True)
    assert mill.confidence >= SURE
    assert "same heading" in mill.reason


def test_words_that_changed_make_a_rule_reworded_where_it_stands() -> None:
    told = fates(book(), after(r103_2="Shoes and hats are taken off before any bead is laid upon it.")).of(
        "103.2"
    )
    assert (told.kind, told.target) == ("reworded", "103.2")


def test_punctuation_quotes_italics_and_renumbered_references_are_no_rewording() -> None:
    new = OLD | {
        "100.2": "To begin: Every player, takes “seven” _beads_ from the box—without looking (see rule 104.9)"
    }
    assert fates(book(), book(new, LATER)).of("100.2").kind == "kept"


def test_a_rule_is_moved_and_reworded_at_once() -> None:
    new = {number: words for number, words in OLD.items() if number != "103.1"}
    new["103.1"] = "Nobody may speak of otters while the beads are counted by the youngest player."
    new["103.3"] = "The player who last saw a red fox in the wild begins, as specified in rule 100.2."
    told = fates(book(), book(ordered(new), LATER)).of("103.1")
    assert (told.kind, told.target, told.reused) == ("moved and reworded", "103.3", True)


def test_a_number_that_is_reused_is_not_the_rule() -> None:
    found = fates(book(), after(r100_1a="Cats sleep where the sun shines and wake when fish is fried."))
    told = found.of("100.1a")
    assert (told.kind, told.target, told.reused) == ("removed", None, True)
    assert "100.1a" in found.matching.added


def test_of_two_rules_that_swapped_their_words_each_is_followed() -> None:
    new = OLD | {"103.1": OLD["103.2"], "103.2": OLD["103.1"]}
    found = fates(book(), book(new, LATER))
    assert [found.of(number).target for number in ("103.1", "103.2")] == ["103.2", "103.1"]


def test_a_heading_under_another_name_is_told_by_what_is_below_it() -> None:
    told = fates(book(), after(r702_3="Roaming")).of("702.3")
    assert (told.kind, told.target) == ("reworded", "702.3")


def test_a_rule_that_was_split_goes_to_one_part_and_names_the_other() -> None:
    whole = (
        "Every player writes the name of one animal on a leaf. The leaves are laid in the river at noon, and "
        "whoever finds a leaf below the bridge keeps the animal until the next full moon has risen."
    )
    first, second = whole.split(". ")
    older = book(ordered(OLD | {"103.3": whole}))
    parts = OLD | {"103.3": f"{first}.", "103.4": second}
    told = fates(older, book(ordered(parts), LATER)).of("103.3")
    named = [each.number for each in told.candidates]
    assert (told.kind, told.target) == ("moved and reworded", "103.4")
    assert told.confidence < SURE
    assert "part of it is 103.3 now" in told.reason
    assert named[:2] == ["103.4", "103.3"]


def test_a_rule_that_was_merged_into_another_names_it() -> None:
    merged = f"{OLD['701.3a']} {OLD['701.3b']}"
    new = {number: words for number, words in OLD.items() if number != "701.3b"} | {"701.3a": merged}
    told = fates(book(), book(new, LATER)).of("701.3b")
    assert told.kind == "removed"
    assert told.candidates[0].number == "701.3a"
    assert "part of" in told.candidates[0].reason


def test_a_number_that_never_was_is_unknown_and_near_ones_are_named() -> None:
    told = fates(book(), book()).of("701.3z")
    assert (told.kind, told.target) == ("unknown", None)
    assert [each.number for each in told.candidates][:2] == ["701.3b", "701.3a"]
    assert fates(book(), book()).of("999.9").candidates == ()


def test_same_words_that_stand_several_times_go_by_their_place() -> None:
    again = "Multiple instances are redundant."
    rules = ordered(OLD | {"702.2b": again, "702.3c": again})
    new = renumbered(rules, {"702.2": "702.3", "702.3": "702.2"})
    found = ties(match(book(rules), book(new, LATER)))
    assert (found["702.2b"], found["702.3c"]) == ("702.3b", "702.2c")


def test_an_outline_is_matched_by_headings_and_places() -> None:
    new = book(renumbered(OLD, {"701.3": "701.4", "701.4": "701.3"}), LATER)
    bare = outline_of(new)
    told = fates(book(), bare)
    assert told.of("701.3").target == "701.4"
    assert (told.of("701.3b").target, told.of("701.3b").kind) == ("701.4b", "moved")
    assert told.of("701.3b").confidence < SURE


def outline_of(rulebook: Rulebook) -> Rulebook:
    from msgspec.structs import replace

    bare = {number: replace(rule, text=None, examples=()) for number, rule in rulebook.rules.items()}
    return replace(rulebook, rules=bare, has_text=False)


# Properties


@settings(max_examples=25, deadline=None)
@given(st.permutations(["701.2", "701.3", "701.4"]), st.permutations(["702.2", "702.3"]))
def test_sections_in_another_order_are_recovered(actions: list[str], abilities: list[str]) -> None:
    numbers = dict(zip(["701.2", "701.3", "701.4"], actions, strict=True))
    numbers |= dict(zip(["702.2", "702.3"], abilities, strict=True))
    expected = {old: next(iter(renumbered({old: ""}, numbers))) for old in OLD}
    assert ties(match(book(), book(renumbered(OLD, numbers), LATER))) == expected


_WORDS = st.lists(st.sampled_from(["fox", "bead", "river", "lantern", "kettle", "mill", "hat"]), max_size=12)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from([n for n in OLD if n[-1].isalpha() or n[:3] in ("100", "103")]), _WORDS)
)
def test_whatever_changes_no_rule_is_two(changed: dict[str, list[str]]) -> None:
    new = {
        number: f"{' '.join(changed[number])}." if number in changed and "." in number else words
        for number, words in OLD.items()
        if changed.get(number) != []
    }
    new["100.1"] = OLD["100.1"]
    older, newer = book(), book(ordered(new), LATER)
    matching = match(older, newer)
    assert matching == match(older, newer)
    olds, news = [each.old for each in matching.matches], [each.new for each in matching.matches]
    assert len(set(olds)) == len(olds)
    assert len(set(news)) == len(news)
    assert sorted([*olds, *matching.removed]) == sorted(older.rules)
    assert sorted([*news, *matching.added]) == sorted(newer.rules)
    assert all(0 <= each.confidence <= 1 and 0 <= each.similarity <= 1 for each in matching.matches)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "fox", "“the", "(see", "rule", "702.3a–c", "—", "{T}:"])).map(" ".join))
def test_words_of_a_diff_are_the_words_of_the_texts(newer: str) -> None:
    older = "a fox in the rule 702.3a hat"
    pieces = word_diff(older, newer)
    assert keys(" ".join(piece.text for piece in pieces if piece.op != "gone")) == keys(newer)
    assert keys(" ".join(piece.text for piece in pieces if piece.op != "new")) == keys(older)


# Diff


def by_number(found: tuple[Change, ...]) -> dict[str, Change]:
    return {each.old or each.new or "": each for each in found}


def test_a_diff_counts_and_tells_each_change() -> None:
    new = renumbered(OLD, {"701.3": "701.4", "701.4": "701.3"})
    del new["103.2"]
    new["103.1"] = new["103.1"].replace("a fox", "an otter")
    new["702.3c"] = "A bead that is lost on its way around is replaced by a pea."
    new["100.2"] = new["100.2"].replace("103.1", "701.2")
    found = changes(book(), book(ordered(new), LATER))
    assert found.counts["rules"] | {"renumbered references": 0} == {
        **dict.fromkeys(found.counts["rules"], 0),
        "added": 1,
        "removed": 1,
        "moved": 5,
        "moved word for word": 5,
        "reworded": 1,
        "other references": 1,
        "changed meaning": 4,
    }
    told = by_number(found.rules)
    assert told["103.2"].kind == "removed"
    assert told["702.3c"].kind == "added"
    assert [(each.op, each.text) for each in told["103.1"].words if each.op != "same"] == [
        ("gone", "a fox"),
        ("new", "an otter"),
    ]
    assert (told["100.2"].kind, told["100.2"].redirected) == ("kept", (("103.1", "701.2"),))


def test_references_to_rules_that_moved_are_renumbered() -> None:
    rules = OLD | {"103.2": "Powder is made as in rule 701.3."}
    new = renumbered(rules, {"701.3": "701.4", "701.4": "701.3"}) | {
        "103.2": "Powder is made as in rule 701.4."
    }
    told = by_number(changes(book(rules), book(ordered(new), LATER)).rules)["103.2"]
    assert (told.kind, told.renumbered, told.redirected) == ("kept", (("701.3", "701.4"),), ())


def test_examples_that_changed_are_told_apart() -> None:
    with_example = {"100.1": f"{OLD['100.1']}\nExample: One fox and one hare play."}
    told = changes(book(), book(OLD | with_example, LATER))
    assert [(each.new, each.kind, each.examples) for each in told.rules] == [("100.1", "kept", True)]


def test_entries_of_the_glossary_come_go_change_and_point_elsewhere() -> None:
    entries = {
        "Cycling": "Going around the table twice. See rule 702.3, “Cycling.”",
        "Grind": "See Powder.",
        "Kettle": "A thing that is filled with water.",
        "Powder": GLOSSARY["Mill"],
    }
    found = changes(book(), book(OLD, LATER, entries))
    assert [(each.kind, each.name, each.older_name) for each in found.terms] == [
        ("reworded", "Cycling", None),
        ("redirected", "Grind", None),
        ("added", "Kettle", None),
        ("renamed", "Powder", "Mill"),
    ]


def test_a_text_that_breaks_off_does_not_remove_the_glossary() -> None:
    cut = text(OLD, LATER).rpartition("\nGlossary\n")[0]
    found = changes(book(), parse(cut.encode()))
    assert found.terms == ()
    assert any("breaks off" in note for note in found.notes)


# History, lint, numbers, releases at hand


def three() -> list[Rulebook]:
    swapped = renumbered(OLD, {"701.3": "701.4", "701.4": "701.3"})
    reworded = swapped | {"701.4b": swapped["701.4b"].replace("grinds nothing", "laughs aloud")}
    reworded = {number: words for number, words in reworded.items() if number != "103.2"}
    reworded["702.3c"] = "A bead that is lost on its way around is replaced by a pea."
    return [book(), book(swapped, LATER), book(ordered(reworded), "May 5, 2032")]


def test_a_rule_is_followed_forward_and_backward() -> None:
    for number, release in (("701.3b", "2030-02-03"), ("701.4b", "2031-03-04"), ("701.4b", "2032-05-05")):
        found = history(number, release, three())
        assert [(each.release, each.kind, each.number) for each in found.events] == [
            ("2030-02-03", "first found", "701.3b"),
            ("2031-03-04", "moved", "701.4b"),
            ("2032-05-05", "reworded", "701.4b"),
        ]
        assert (found.present, found.since, found.came) == ("701.4b", "2032-05-05", None)


def test_a_rule_that_came_and_one_that_went() -> None:
    came = history("702.3c", "2032-05-05", three())
    assert (came.came, came.since, came.present) == ("2032-05-05", "2032-05-05", "702.3c")
    went = history("103.2", "2030-02-03", three())
    assert [each.kind for each in went.events] == ["first found", "removed"]
    assert (went.present, went.events[-1].release) == (None, "2032-05-05")


def test_a_history_needs_its_release_and_number() -> None:
    with pytest.raises(RulebookError, match="not among"):
        history("100.1", "1999-01-01", three())
    with pytest.raises(RulebookError, match="no rule 999"):
        history("999.1", "2030-02-03", three())


def test_lint_finds_wrong_references_titles_and_redirects() -> None:
    entries = GLOSSARY | {
        "Kettle": "A thing. See rule 701.9.",
        "Mill": "Powder. See rule 701.2, “Mill.”",
        "Scry": "See Teacup.",
    }
    found = lint(book(OLD, LATER, entries))
    assert [(each.kind, each.where, [c.number for c in each.candidates]) for each in found.faults] == [
        ("title", "glossary “Mill”", ["701.3"]),
        ("dangling", "glossary “Kettle”", []),
        ("redirect", "glossary “Scry”", []),
    ]
    assert found.titles == 2
    assert lint(book()).faults == ()
    with pytest.raises(RulebookError, match="no words"):
        lint(outline_of(book()))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("603.6a", ("603.6a",)),
        ("CR 603.6A", ("603.6a",)),
        ("601.2k-n", ("601.2k", "601.2m", "601.2n")),
        ("119.7–8", ("119.7", "119.8")),
        ("601.2a–601.2b", ("601.2a", "601.2b")),
        ("702", ("702",)),
        ("601.2-h", ()),
        ("x", ()),
        ("", ()),
    ],
)
def test_numbers_as_they_are_typed(written: str, meant: tuple[str, ...]) -> None:
    assert typed(written) == meant


def test_releases_at_hand(tmp_path: Path) -> None:
    folder, cache = tmp_path / "texts", tmp_path / "cache"
    folder.mkdir()
    (folder / "b.txt").write_text(text(), encoding="utf-8")
    (folder / "a.TXT").write_text(text(OLD, LATER), encoding="utf-8")
    (folder / "readme.txt").write_text("No rules.", encoding="utf-8")
    faults: list[str] = []
    found = releases([folder], cache=cache, fault=faults.append)
    assert [(each.date, each.path.name) for each in found] == [
        ("2030-02-03", "b.txt"),
        ("2031-03-04", "a.TXT"),
    ]
    assert len(faults) == 1
    assert "readme.txt" in faults[0]
    (folder / "z.txt").write_text(text(OLD, LATER), encoding="utf-8")
    releases([folder], cache=cache, fault=faults.append)
    assert len(faults) == 2  # the same bytes twice are no matter
    (folder / "z.txt").write_text(text(OLD | {"103.1": "Another."}, LATER), encoding="utf-8")
    releases([folder], cache=cache, fault=faults.append)
    assert faults[-1] == f"{folder / 'z.txt'} is of 2031-03-04 too, like {folder / 'a.TXT'}, and is not used"
    (folder / "z.txt").unlink()
    assert resolve(None, [folder], cache=cache).release == "2031-03-04"
    assert resolve("2030", [folder], cache=cache).release == "2030-02-03"
    assert resolve(str(folder / "b.txt"), cache=cache).release == "2030-02-03"
    (folder / "c.txt").write_text(text(OLD, "January 1, 2030"), encoding="utf-8")
    with pytest.raises(RulebookError, match="several releases: say 2030-01-01, 2030-02-03"):
        resolve("2030", [folder], cache=cache)
    with pytest.raises(RulebookError, match="no text of the release of 1999"):
        resolve("1999", [folder], cache=cache)
    with pytest.raises(RulebookError, match="there is no"):
        releases([tmp_path / "nowhere"], cache=cache)


def test_without_any_text_there_is_the_outline(tmp_path: Path) -> None:
    shipped = outline.load()
    assert resolve(None, cache=tmp_path) == shipped
    assert resolve(shipped.release, cache=tmp_path) == shipped
