"""Full-text search: which words find which passages, what is marked, and that no question is an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlaw.graph import search
from cardlaw.graph.build import build
from cardlaw.graph.errors import CardlawError
from cardlaw.graph.search import KINDS, Hit, Index, Results, index, stems, wanted
from cardlaw.graph.store import open_store

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of the invented cards, tokens among them, with the words of the invented rulebook."""
    made = tmp_path_factory.mktemp("search") / "store"
    cards = [FIXTURES / "cards.json", FIXTURES / "scryfall.json"]
    build(cards=cards, rules=FIXTURES / "rulebook.txt", store=made, workers=1)
    return made


@pytest.fixture(scope="module")
def found(folder: Path) -> Iterator[Index]:
    with open_store(folder) as store:
        yield index(store)


def text(pieces: tuple[search.Piece, ...]) -> str:
    return "".join(f"[{piece.text}]" if piece.is_hit else piece.text for piece in pieces)


def names(results: Results) -> list[str]:
    return [hit.iri.rpartition("cardlaw/")[2] for hit in results.hits]


def first(found: Index, asked: str, **more: Any) -> Hit:
    return found.search(asked, **more).hits[0]


def test_forms_of_a_word_find_each_other(found: Index) -> None:
    for asked in ("draw", "draws", "drawing", "DRAWN draw"):
        assert "card/twin-ledger" in names(found.search(asked, ["card"], 100)), asked
    assert text(first(found, "countered spells", kinds=["card"]).text).startswith("Hush\nInstant\n[Counter]")


@pytest.mark.parametrize("asked", ["aetherjotun", "Ætherjötun", "ÆTHERJOTUN", "élans"[:4], "elan’s"])
def test_accents_ligatures_and_case_do_not_matter(found: Index, asked: str) -> None:
    hit = first(found, asked)
    assert hit.iri.endswith("/card/aetherjotun-the-elans-own")
    assert "[" in text(hit.title)


def test_a_rule_is_found_by_its_number_and_by_its_words(found: Index) -> None:
    assert names(found.search("100.1a")) == ["rule/100.1a"]
    hit = first(found, "three people")
    assert (hit.kind, hit.iri.rpartition("/")[2]) == ("rule", "100.1a")
    assert text(hit.title) == "100.1a General", "under the heading that it stands under"
    assert text(hit.text).startswith("[Three] [people] make a longer one.")


def test_words_in_quotes_stand_together(found: Index) -> None:
    together = found.search('"draw a card"', ["card"], 100)
    assert "card/twin-ledger" in names(together)
    assert "card/ossa-of-the-two-doors" not in names(together), "it draws X cards"
    assert all("[draw a card]" in text(hit.text).lower() for hit in together.hits)


def test_a_star_is_the_beginning_of_a_word(found: Index) -> None:
    assert found.search("fal*").counts["card"] >= 1
    assert not found.search("fal*").widened
    assert "[Falconer]" in text(first(found, "falcone*", kinds=["card"]).title)


def test_what_has_not_all_words_is_found_last_and_it_is_told(found: Index) -> None:
    begun = found.search("brind falcon")
    assert begun.widened == "prefix"
    assert names(begun)[0] == "card/brindle-falconer"
    some = found.search("brindle zzyzx")
    assert (some.widened, names(some)[:1]) == ("any", ["card/brindle-falconer"])
    assert found.search("zzyzx qqxq") == Results()


def test_kinds_are_counted_and_chosen(found: Index) -> None:
    every = found.search("flying")
    assert list(every.counts) == [kind for kind in KINDS if kind in every.counts]
    assert {"keyword", "rule", "card"} <= set(every.counts)
    only = found.search("flying", ["rule"], 100)
    assert {hit.kind for hit in only.hits} == {"rule"}
    assert len(only.hits) == every.counts["rule"]
    assert only.counts == every.counts
    tokens = found.search("flying", ["token"], 100)
    assert {text(hit.title) for hit in tokens.hits} == {"Falcon"}


def test_pages_of_hits_are_the_whole_in_order(found: Index) -> None:
    whole = names(found.search("card", limit=100))
    assert len(whole) > 12
    assert [
        name for at in range(0, len(whole), 5) for name in names(found.search("card", KINDS, 5, at))
    ] == whole


def test_names_count_for_more_than_words(found: Index) -> None:
    assert names(found.search("falconer"))[0] == "card/brindle-falconer"
    assert first(found, "flying").kind in ("keyword", "term")


def test_what_a_card_says_is_no_markup(found: Index) -> None:
    hit = first(found, "onerror alert", kinds=["card"])
    assert text(hit.title) == "<img src=x [onerror]=[alert](1)>"
    hit = first(found, "bell", kinds=["card"])
    assert "\x07" not in text(hit.text)


@pytest.mark.parametrize(
    "asked",
    [
        *('"', '""', '" "', "*", "**", '"*', "-", "()", "a AND", "OR", "NOT x", "NEAR(a b)", "title:x", "^a"),
        *("{T}", "'; DROP TABLE node; --", "\x00", "\x02\x03", "a\x00b", "//", "é" * 300, "a* " * 90, "—"),
    ],
)
def test_no_question_is_an_error(found: Index, asked: str) -> None:
    assert isinstance(found.search(asked), Results)


@given(st.text(max_size=250))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_question(found: Index, asked: str) -> None:
    results = found.search(asked.encode("utf-8", "replace").decode())
    assert len(results.hits) <= 20
    assert len(wanted(asked).expressions) <= 3


def test_a_question_is_read_no_further_than_it_may_be_long(found: Index) -> None:
    assert found.search(" " * 200 + "falconer") == Results()
    assert wanted("a " * 90).expressions[0][1].count(" AND ") == 15


def test_a_question_that_takes_too_long_is_given_up(found: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_SECONDS", -1.0)
    monkeypatch.setattr(search, "_STEPS", 1)
    assert found.search("card").is_cut


# Where it lies


def test_it_lies_beside_the_build_and_is_read_from_there(folder: Path) -> None:
    with open_store(folder) as store:
        made = index(store).search("falconer")
        (file,) = store.folder.glob("search-2-*.sqlite")
        assert not list(store.folder.glob("*.partial"))
    before = file.stat().st_mtime_ns
    with open_store(folder) as store:
        assert index(store).search("falconer") == made
    assert file.stat().st_mtime_ns == before


def test_a_damaged_one_is_made_again(folder: Path) -> None:
    with open_store(folder) as store:
        expected = index(store).search("falconer")
        (file,) = store.folder.glob("search-2-*.sqlite")
    whole = file.read_bytes()
    for damaged in (b"", b"no database", whole[:5000], whole.replace(b"falconer", b"falconry")):
        file.write_bytes(damaged)
        with open_store(folder) as store:
            assert index(store).search("falconer") == expected
        (file,) = store.folder.glob("search-2-*.sqlite")
        assert file.stat().st_size > 5000


def test_where_nothing_can_be_written_it_is_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise PermissionError(13, "read-only")

    with open_store(folder) as store:
        for file in store.folder.glob("search-2*"):
            file.unlink()
        monkeypatch.setattr(search, "write_whole", refuse)
        assert names(index(store).search("falconer"))[0] == "card/brindle-falconer"
        assert not list(store.folder.glob("search-2*"))


def test_without_fts5_a_line_tells_what_to_do(small_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_SCHEMA", "CREATE VIRTUAL TABLE passage USING fts99(title)")
    with open_store(small_store) as store:
        for file in store.folder.glob("search-2*"):
            file.unlink()
        with pytest.raises(CardlawError, match="use a Python whose sqlite3 has FTS5"):
            index(store)


# The entries of a site of files


def test_entries_come_as_they_are_asked_for(found: Index) -> None:
    base = "https://w3id.org/cardlaw/"
    entries = list(found.entries([f"{base}rule/100.1a", f"{base}card/nothing", f"{base}card/cart-wheel"]))
    assert [(entry.kind, entry.title) for entry in entries] == [
        ("rule", "100.1a General"),
        ("card", "Cart, Wheel"),
    ]


def test_stems_are_those_that_the_index_has() -> None:
    made = stems(["Destroying destroyed DESTROYS", "Élan, élans: cards!"])
    assert made == {
        "destroying": "destroi",
        "destroyed": "destroi",
        "destroys": "destroi",
        "elan": "elan",
        "elans": "elan",
        "cards": "card",
    }


def test_forms_that_porter_keeps_apart_are_joined() -> None:
    made = stems(["Sacrifice sacrifices sacrificed sacrificing"])
    assert len(set(made.values())) == 1


def test_hits_are_of_every_face(found: Index) -> None:
    hit = first(found, "menace treasure", kinds=["card"])
    assert text(hit.title) == "Vane Turner // Vane, Unturned"


def test_an_index_may_be_asked_by_several_threads(found: Index) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(found.search, ["falconer", "card", "flying"] * 8))
    assert results == [found.search(asked) for asked in ("falconer", "card", "flying")] * 8
