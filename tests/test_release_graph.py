"""Releases of the rulebook in the graph: what is said of each and of each rule, and answered by queries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from handreleases import OLD, ordered, renumbered, text
from starlette.testclient import TestClient
from test_query_answers import answer

from cardlaw.exports.jsonform import form
from cardlaw.exports.report import info_lines
from cardlaw.exports.serve import create_app
from cardlaw.exports.show import lines as shown
from cardlaw.exports.site import Site
from cardlaw.graph import read
from cardlaw.graph.build import build
from cardlaw.graph.check import check
from cardlaw.graph.diagnose import why_empty
from cardlaw.graph.errors import QueryError, RulebookError
from cardlaw.graph.layers import statements
from cardlaw.graph.names import ask, release
from cardlaw.graph.queries import load_query, named_queries
from cardlaw.graph.rulehistory import read_releases
from cardlaw.graph.store import Store, open_store
from cardlaw.ontology.namespaces import compact, expand

CARDS = Path(__file__).parent / "fixtures" / "cards.json"

MIDDLE = renumbered(OLD, {"701.3": "701.4", "701.4": "701.3"})
MIDDLE |= {
    "702.2a": "Flying is a static ability. A bead with flying is thrown over the table, and none stops it.",
    "702.4": "Ward",
    "702.4a": "Ward is a triggered ability. Whoever touches a bead with ward pays a bead of glass for it.",
}
del MIDDLE["103.2"]
NEW = ordered(MIDDLE) | {
    "103.1": "The player who last saw a red fox or an owl in the wild begins, as specified in rule 100.2.",
    "701.3a": "To scry is to look into the bowl of tea and tell what swims there before drinking it hot.",
}
TEXTS = {
    "c.txt": text(OLD, "February 3, 2030"),
    "a.TXT": text(ordered(MIDDLE), "March 4, 2031"),
    "b.txt": text(NEW, "May 6, 2032"),
}
NAMES = (
    *("cards-by-changed-rule", "number-then-and-now", "rule-versions", "rule-wording-since"),
    "rules-changed",
)
"""The named queries that are answered here."""

SCRYING = ["Brindle Falconer", "Ossa of the Two Doors"]
FLYING = ["Brindle Falconer", "Glass Half", "The Drowned Shelf"]
WARDED = ["<img src=x onerror=alert(1)>", "Lantern Warden // Light the Way", "Orm, Made Whole"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three releases under names that tell nothing, and a text that is none."""
    folder = tmp_path_factory.mktemp("releases")
    for name, content in TEXTS.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "notes.txt").write_text("Buy beads.", encoding="utf-8")
    (folder / "read.me").write_text(TEXTS["c.txt"], encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def root(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("three") / "store"
    build(cards=[CARDS], rules=folder, store=root, workers=1)
    return root


@pytest.fixture(scope="module")
def store(root: Path) -> Iterator[Store]:
    with open_store(root) as store:
        yield store


@pytest.fixture(scope="module")
def alone(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph of the newest release alone."""
    root = tmp_path_factory.mktemp("one") / "store"
    build(cards=[CARDS], rules=folder / "b.txt", store=root, workers=1)
    with open_store(root) as store:
        yield store


def said(store: Store, node: str, layer: str = "releases") -> set[tuple[str, str]]:
    """Prefixed names of predicates, with values: prefixed names, or texts as they are."""
    subject = f"<{expand(node)}>"
    return {
        (compact(p[1:-1]), compact(o[1:-1]) if o[0] == "<" else o[1 : o.rindex('"')])
        for s, p, o in statements(store, layer)
        if s == subject
    }


# What is read


def test_the_newest_release_is_the_rulebook_and_the_others_its_history(store: Store) -> None:
    assert (store.info.release, store.info.history) == ("2032-05-06", ("2030-02-03", "2031-03-04"))
    assert [(s.role, s.name, s.date) for s in store.info.sources if s.role != "cards"] == [
        ("releases", "c.txt", "2030-02-03"),
        ("releases", "a.TXT", "2031-03-04"),
        ("rules", "b.txt", "2032-05-06"),
    ]
    assert (store.info.counts["releases"], store.info.counts["rules"]) == (3, 26)
    assert store.info.skipped[0][0] == "notes.txt"
    told = "\n".join(line.text.plain for line in info_lines(store.folder, store))
    assert "releases of 2030-02-03, 2031-03-04" in told


def test_of_two_files_of_one_release_the_earlier_given_counts(folder: Path) -> None:
    skipped: list[tuple[str, str]] = []
    found = read_releases([folder / "read.me", folder], skipped=skipped)
    assert [each.file.name for each in found] == ["read.me", "a.TXT", "b.txt"]
    assert ("c.txt", "has the release of 2030-02-03, as read.me has") in skipped


def test_a_folder_without_a_release_and_a_file_that_is_none_are_errors(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Buy beads.")
    with pytest.raises(RulebookError, match="holds no text of a release: give"):
        read_releases([folder, tmp_path], skipped=[])
    with pytest.raises(RulebookError, match=r"notes\.txt is no text"):
        read_releases([folder, folder / "notes.txt"], skipped=[])


def test_the_bytes_are_the_same_whatever_the_order_and_the_processes(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    told: list[tuple[str, int, int | None]] = []
    build(
        cards=[CARDS],
        rules=[folder / "b.txt", folder / "c.txt", folder / "a.TXT"],
        store=tmp_path,
        workers=2,
        progress=lambda *stage: told.append(stage),
    )
    with open_store(tmp_path) as other:
        assert b"".join(other.dump()) == b"".join(store.dump())
    assert ("releases", 2, 2) in told


# What is said


def test_a_release_is_a_concept_scheme_with_day_title_source_and_rights(store: Store) -> None:
    facts = said(store, "cr:2031-03-04")
    assert facts >= {
        ("rdf:type", "mtg:RulebookRelease"),
        ("dcterms:issued", "2031-03-04"),
        ("dcterms:title", "Magic: The Gathering Comprehensive Rules"),
        ("dcterms:source", "source:a.TXT"),
        ("dcterms:replaces", "cr:2030-02-03"),
        ("skos:hasTopConcept", "cr:2031-03-04.1"),
        ("skos:hasTopConcept", "cr:2031-03-04.7"),
    }
    assert any(p == "dcterms:rights" and "Wizards of the Coast" in o for p, o in facts)
    assert "dcterms:replaces" not in dict(said(store, "cr:2030-02-03"))
    assert store.query("ASK { mtg:RulebookRelease rdfs:subClassOf skos:ConceptScheme }")


def test_a_rule_that_moved(store: Store) -> None:
    assert said(store, "cr:2031-03-04.701.4a") == {
        ("rdf:type", "mtg:RuleVersion"),
        ("rdfs:label", "701.4a (2031-03-04)"),
        ("skos:notation", "701.4a"),
        ("skos:inScheme", "cr:2031-03-04"),
        ("skos:broader", "cr:2031-03-04.701.4"),
        ("skos:definition", OLD["701.3a"]),
        ("mtg:sortKey", "2031-03-04 701.004a"),
        ("mtg:ruleSince", "2030-02-03"),
        ("mtg:numberSince", "2031-03-04"),
        ("mtg:wordingSince", "2030-02-03"),
        ("prov:wasRevisionOf", "cr:2030-02-03.701.3a"),
        ("prov:qualifiedRevision", "revision:2031-03-04.701.4a"),
    }
    revision = dict(said(store, "revision:2031-03-04.701.4a"))
    assert revision.pop("mtg:reason")
    assert revision == {
        "rdf:type": "mtg:RuleRevision",
        "rdfs:label": "701.3a → 701.4a: moved (2030-02-03 to 2031-03-04)",
        "prov:entity": "cr:2030-02-03.701.3a",
        "mtg:changeKind": "moved",
        "mtg:similarity": "1",
        "mtg:confidence": "1",
    }


@pytest.mark.parametrize(
    ("rule", "kind", "since"),
    [
        ("103.1", "reworded", ("2030-02-03", "2030-02-03", "2032-05-06")),
        ("701.3a", "reworded", ("2030-02-03", "2031-03-04", "2032-05-06")),  # scry, moved a release before
        ("701.4b", "kept", ("2030-02-03", "2031-03-04", "2030-02-03")),
        ("702.2a", "kept", ("2030-02-03", "2030-02-03", "2031-03-04")),
        ("702.3b", "kept", ("2030-02-03", "2030-02-03", "2030-02-03")),
        ("702.4a", "kept", ("2031-03-04", "2031-03-04", "2031-03-04")),
    ],
)
def test_since_when_a_rule_has_its_number_and_words(
    store: Store, rule: str, kind: str, since: tuple[str, str, str]
) -> None:
    assert dict(said(store, f"revision:2032-05-06.{rule}"))["mtg:changeKind"] == kind
    for node in (f"cr:2032-05-06.{rule}", f"rule:{rule}"):
        facts = dict(said(store, node))
        assert (facts["mtg:ruleSince"], facts["mtg:numberSince"], facts["mtg:wordingSince"]) == since
    found = read.rule(store, rule).since
    assert found == read.Since(rule=since[0], number=since[1], wording=since[2], oldest="2030-02-03")


def test_what_is_new_comes_from_nothing_and_what_is_gone_tells_its_last_release(store: Store) -> None:
    assert "prov:wasRevisionOf" not in dict(said(store, "cr:2031-03-04.702.4a"))
    assert dict(said(store, "cr:2030-02-03.103.2"))["mtg:ruleUntil"] == "2030-02-03"
    gone = [s for s, p, _ in statements(store, "releases") if p == f"<{expand('mtg:ruleUntil')}>"]
    assert gone == [f"<{expand('cr:2030-02-03.103.2')}>"]


def test_equal_numbers_tie_nothing(store: Store) -> None:
    assert not store.query("ASK { cr:2031-03-04.701.3 prov:wasRevisionOf cr:2030-02-03.701.3 }")
    assert store.query("ASK { rule:701.3 prov:specializationOf/prov:wasRevisionOf+ cr:2030-02-03.701.4 }")


def test_the_whole_graph_is_well(store: Store) -> None:
    outcome = check(store)
    assert outcome.passed, (outcome.violations, outcome.findings, outcome.disputed)


# What stays


def test_one_release_has_no_history(alone: Store) -> None:
    assert alone.info.history == ()
    assert "releases" not in alone.info.quads
    assert "releases" not in alone.info.seconds
    assert read.rule(alone, "701.3a").since is None
    assert "since" not in form(read.rule(alone, "701.3a"), release="2032-05-06")
    assert dict(said(alone, "cr:2032-05-06", "rules"))["dcterms:source"] == "source:b.txt"


def test_rules_are_the_same_with_a_history_and_without(store: Store, alone: Store) -> None:
    prefix = f"<{expand('rule:')}"

    def of_rules(graph: Store) -> list[str]:
        return [line for line in graph.lines("rules") if line.startswith(prefix)]

    assert of_rules(store) == of_rules(alone)


@pytest.mark.parametrize("name", sorted(named_queries()))
def test_other_queries_see_no_older_numbers(store: Store, alone: Store, name: str) -> None:
    query = load_query(name)
    if "layer:releases" in query.body:
        pytest.skip("asks for releases")
    samples = {"rule": "701.3", "keyword": "Cycling", "card": "Glass Half", "text": "cyc"}
    values = {
        each.name: samples[each.type]
        for each in query.parameters
        if each.type == "rule" or (each.default is None and each.type in samples)
    }
    assert list(map(str, ask(store, query, values))) == list(map(str, ask(alone, query, values)))  # type: ignore[arg-type]


# Queries on releases


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, [(name, "701.3a", "reworded", "701.3a") for name in SCRYING]),
        ({"subrules": "false"}, []),
        ({"change": "number"}, []),
        (
            {"change": "number", "since": "2031-03-04"},
            [
                (name, *row)
                for name in SCRYING
                for row in (("701.3", "moved", "701.4"), ("701.3a", "moved and reworded", "701.4a"))
            ],
        ),
        (
            {"since": "2031"},
            sorted(
                [
                    *((name, "701.3a", "moved and reworded", "701.4a") for name in SCRYING),
                    *((name, "702.2a", "reworded", "702.2a") for name in FLYING),
                    *((name, rule, "added", None) for name in WARDED for rule in ("702.4", "702.4a")),
                ],
                key=lambda row: row[:2],
            ),
        ),
        ({"since": "2030-02-03"}, []),  # what was before is not known
    ],
)
def test_cards_by_changed_rule(store: Store, values: dict[str, str], expected: list[object]) -> None:
    assert answer(store, "cards-by-changed-rule", values, "name number kind was") == expected


def test_rule_wording_since(store: Store) -> None:
    columns = "number wording_since what others_until number_since"
    assert answer(store, "rule-wording-since", {"under": "Scry"}, columns) == [
        ("701.3", "2030-02-03", "oldest loaded", None, "2031-03-04"),
        ("701.3a", "2032-05-06", "reworded", "2031-03-04", "2031-03-04"),
    ]
    assert answer(store, "rule-wording-since", {"under": "702.4a"}, columns) == [
        ("702.4a", "2031-03-04", "added", "2030-02-03", "2031-03-04")
    ]


def test_rule_versions(store: Store) -> None:
    assert answer(store, "rule-versions", {"rule": "701.3a"}, "release number change wording") == [
        ("2032-05-06", "701.3a", "reworded", NEW["701.3a"]),
        ("2031-03-04", "701.3a", "moved", OLD["701.4a"]),
        ("2030-02-03", "701.4a", "oldest loaded", OLD["701.4a"]),
    ]
    assert answer(store, "rule-versions", {"rule": "702.4a"}, "release change") == [
        ("2032-05-06", "kept"),
        ("2031-03-04", "added"),
    ]


def test_rules_changed(store: Store) -> None:
    columns = "kind was number heading"
    last = [
        ("reworded", "103.1", "103.1", "Starting the Game"),
        ("reworded", "701.3a", "701.3a", "Scry"),
    ]
    assert answer(store, "rules-changed", {}, columns) == last
    assert answer(store, "rules-changed", {"older": "2030-02-03", "newer": "2032-05-06"}, columns) == [
        ("reworded", "103.1", "103.1", "Starting the Game"),
        ("moved", "701.4", "701.3", "Scry"),
        ("moved and reworded", "701.4a", "701.3a", "Scry"),
        ("moved", "701.3", "701.4", "Mill"),
        ("moved", "701.3a", "701.4a", "Mill"),
        ("moved", "701.3b", "701.4b", "Mill"),
        ("reworded", "702.2a", "702.2a", "Flying"),
        ("added", None, "702.4", "Ward"),
        ("added", None, "702.4a", "Ward"),
        ("removed", "103.2", None, "Starting the Game"),
    ]
    between = {"older": "2030", "newer": "2031"}
    assert answer(store, "rules-changed", {**between, "change": "removed"}, "was") == ["103.2"]
    assert answer(store, "rules-changed", {**between, "change": "reworded"}, "number") == ["702.2a"]


def test_number_then_and_now(store: Store) -> None:
    columns = "release number heading change"
    assert answer(store, "number-then-and-now", {"cited": "701.3", "written": "2030"}, columns) == [
        ("2030-02-03", "701.3", "Mill", "cited"),
        ("2031-03-04", "701.4", "Mill", "moved"),
        ("2032-05-06", "701.4", "Mill", "kept"),
        ("2032-05-06", "701.3", "Scry", "now another rule"),
    ]
    assert answer(store, "number-then-and-now", {"cited": "103.2", "written": "2030"}, "release change") == [
        ("2030-02-03", "cited"),
        ("2031-03-04", "removed"),
    ]
    assert answer(store, "number-then-and-now", {"cited": "702.4", "written": "2030"}, "release") == []


def test_releases_go_by_their_days(store: Store, alone: Store) -> None:
    assert [release(store, date) for date in ("newest", "previous", "2030", "cr:2031-03-04")] == [
        expand(f"cr:{day}") for day in ("2032-05-06", "2031-03-04", "2030-02-03", "2031-03-04")
    ]
    for date, message in (
        ("2033", "“2033” is no release of the rules: this graph has 2030-02-03, 2031-03-04, 2032-05-06"),
        ("20", "“20” is several releases"),
        ("", "“” is no release"),
    ):
        with pytest.raises(QueryError, match=message):
            release(store, date)
    with pytest.raises(QueryError, match="cardlaw build --rules FOLDER"):
        release(alone, "previous")


def test_why_a_graph_without_a_history_answers_nothing(alone: Store) -> None:
    query = load_query("rule-wording-since").text.replace("$under", "rule:702.2")
    (told,) = why_empty(query, lambda text: bool(alone.query(text)))
    assert told == "There is no graph layer:releases: build it with --rules and a folder of releases."


# Where it is shown


def test_a_rule_is_shown_with_the_days(store: Store) -> None:
    record = read.rule(store, "701.3a")
    told = [
        line.text.plain for line in shown(record, release="2032-05-06", has_text=True, notes={}, wide=True)
    ]
    assert "rule since 2030-02-03 or before; number since 2031-03-04; wording since 2032-05-06" in told
    given = form(record, release="2032-05-06")
    assert list(given)[-2:] == ["rulebook", "since"]
    assert given["since"] == {
        "rule": "2030-02-03",
        "number": "2031-03-04",
        "wording": "2032-05-06",
        "oldest": "2030-02-03",
    }


def test_versions_releases_and_revisions_have_pages(root: Path) -> None:
    with TestClient(create_app(Site(root, "http://testserver/"))) as client:
        page = client.get("/cr/2030-02-03.701.3", headers={"accept": "text/html"})
        assert page.status_code == 200
        assert OLD["701.3b"] in page.text  # its subrules
        assert 'href="/cr/2030-02-03.701"' in page.text  # and what it is under
        for path in ("/cr/2031-03-04", "/revision/2031-03-04.701.4", "/layer/releases"):
            assert client.get(path, headers={"accept": "text/html"}).status_code == 200
        told = client.get("/cr/2031-03-04.701.4.ttl").text
        assert "prov:wasRevisionOf cr:2030-02-03.701.3 ;" in told
        assert "prov:specializationOf cr:2032-05-06.701.4 " in client.get("/rule/701.4.ttl").text
        assert client.get("/cr/2030-02-03.999.9").status_code == 404


# Real releases


@pytest.mark.real
def test_real_releases(real_data: Path, tmp_path: Path) -> None:
    texts = [real_data / "rules" / f"{date}.txt" for date in ("2025-02-07", "2026-01-16")]
    build(cards=[CARDS], rules=texts, store=tmp_path)
    with open_store(tmp_path) as store:
        assert (store.info.release, store.info.history) == ("2026-01-16", ("2025-02-07",))
        kinds = answer(store, "rules-changed", {}, "kind")
        moved = sum("moved" in kind for kind in kinds)
        assert 355 <= moved <= 385  # 362 numbered rules, and headings of sections
        for was, now, other in (
            ("701.13", "701.17", "Exile"),
            ("701.22", "701.29", "Scry"),
            ("701.36", "701.16", "Populate"),
        ):
            rows = answer(store, "number-then-and-now", {"cited": was}, "number heading change")
            assert rows[1][0] == now
            assert rows[-1] == (was, other, "now another rule")
        assert answer(store, "cards-by-changed-rule", {"change": "number"}, "name")
        assert check(store).passed
