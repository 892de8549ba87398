"""Lists of cards as values, how they are kept and the files they become; run by node, without a browser."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripting import Node, running

pytestmark = pytest.mark.programs

BUILT = """
const VANE = "Vane Turner // Vane, Unturned";
let state = addList(noLists(), "a", "River");
state = addCard(state, "a", { card: "card:ember-tortoise", name: "Ember Tortoise", layout: "normal" }, 4);
state = addCard(state, "a", { card: "card:hush-clamor", name: "Hush // Clamor", layout: "split" }, 2);
state = addCard(state, "a", { card: "card:vane", name: VANE, layout: "transform" }, 1);
state = addCard(state, "a", { name: "Lantern, <Keeper> & \\"Son\\"" }, 3, "sideboard");
state = addList(state, "b", "Hill");
"""
TORTOISE, HUSH, VANE = "main card:ember-tortoise", "main card:hush-clamor", "main card:vane"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with running(tmp_path_factory.mktemp("node")) as found:
        yield found


def after(node: Node, steps: str, given: Any = None) -> dict[str, Any]:
    """The state after some steps from `BUILT`."""
    state: dict[str, Any] = node.run(f"{BUILT} {steps} return state;", given)
    return state


def cards_of(state: dict[str, Any], at: int = 0) -> list[tuple[int, str, str]]:
    return [
        (card["count"], card["name"].split(" //")[0], card["section"]) for card in state["lists"][at]["cards"]
    ]


# What can be done with them


def test_a_card_is_there_once_in_a_section(node: Node) -> None:
    state = after(node, 'state = addCard(state, "a", state.lists[0].cards[0], 3);')
    assert cards_of(state)[0] == (7, "Ember Tortoise", "main")
    state = after(node, 'state = addCard(state, "a", state.lists[0].cards[0], 3, "sideboard");')
    assert cards_of(state)[-1] == (3, "Ember Tortoise", "sideboard")
    assert cards_of(state)[0] == (4, "Ember Tortoise", "main")
    assert state["last"] == "a"


@pytest.mark.parametrize(
    ("wanted", "count"),
    [(0, 1), (-3, 1), (2.4, 2), ("17", 17), (5000, 999), ("", 4), ("many", 4), (None, 1), ("1e9", 999)],
)
def test_counts_stay_whole_and_in_bounds(node: Node, wanted: Any, count: int) -> None:
    state = after(node, f'state = setCount(state, "a", "{TORTOISE}", given);', wanted)
    assert cards_of(state)[0][0] == count


@pytest.mark.parametrize(
    ("call", "order"),
    [
        (f'"{VANE}", "{TORTOISE}"', ["Vane Turner", "Ember Tortoise", "Hush"]),
        (f'"{TORTOISE}", ""', ["Hush", "Vane Turner", "Ember Tortoise"]),
        (f'"{TORTOISE}", "{VANE}"', ["Hush", "Ember Tortoise", "Vane Turner"]),
        (f'"{TORTOISE}", "{TORTOISE}"', ["Ember Tortoise", "Hush", "Vane Turner"]),
        ('"main nothing", ""', ["Ember Tortoise", "Hush", "Vane Turner"]),
        (f'"{HUSH}", "", "sideboard"', ["Ember Tortoise", "Vane Turner"]),
        (f'"{HUSH}", "", "attic"', ["Ember Tortoise", "Hush", "Vane Turner"]),
    ],
)
def test_cards_are_put_where_they_are_wanted(node: Node, call: str, order: list[str]) -> None:
    state = after(node, f'state = moveCard(state, "a", {call});')
    assert [name for _, name, section in cards_of(state) if section == "main"] == order


def test_a_card_that_comes_to_itself_in_another_section_becomes_one(node: Node) -> None:
    steps = f"""
    state = addCard(state, "a", state.lists[0].cards[0], 2, "sideboard");
    state = moveCard(state, "a", "{TORTOISE}", "", "sideboard");"""
    state = after(node, steps)
    assert [card for card in cards_of(state) if card[1] == "Ember Tortoise"] == [
        (6, "Ember Tortoise", "sideboard")
    ]


def test_lists_are_named_and_ordered(node: Node) -> None:
    state = after(
        node, 'state = renameList(state, "b", "  River\\n\\u0007 "); state = moveList(state, "b", "a");'
    )
    assert [each["name"] for each in state["lists"]] == ["River 2", "River"]
    state = after(node, 'state = renameList(state, "b", "   "); state = addList(state, "c", "");')
    assert [each["name"] for each in state["lists"]] == ["River", "Hill", "New list"]
    long = after(node, 'for (const id of "cd") state = addList(state, id, "🐢".repeat(200));')
    names = [each["name"] for each in long["lists"][2:]]
    assert names == ["🐢" * 80, "🐢" * 75 + " 2"]


@pytest.mark.parametrize(
    "deleting",
    [
        'deleteList(state, "a")',
        f'removeCard(state, "a", "{HUSH}")',
        'deleteList(deleteList(state, "b"), "a")',
    ],
)
def test_the_last_deletion_is_undone(node: Node, deleting: str) -> None:
    before = after(node, "if (given) state = deleteList(state, 'b');", "(deleteList" in deleting)
    there = after(node, f"state = undo({deleting});")
    assert there["lists"] == before["lists"]
    assert there["deleted"] is None


def test_what_cannot_be_undone_spoils_nothing(node: Node) -> None:
    steps = f"""
    state = removeCard(state, "a", "{HUSH}");
    const {{ deleted }} = state;
    state = undo({{ ...deleteList(state, "a"), deleted }});"""
    state = after(node, steps)
    assert [each["id"] for each in state["lists"]] == ["b"]
    again = f"""
    state = removeCard(state, "a", "{HUSH}");
    state = undo(addCard(state, "a", {{ card: "card:hush-clamor", name: "Hush // Clamor" }}, 1));"""
    assert (3, "Hush", "main") in cards_of(after(node, again))


def test_nothing_is_changed_in_place(node: Node) -> None:
    steps = f"""
    const frozen = (value) => {{
      if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
      return value;
    }};
    frozen(state);
    const text = writtenLists(state);
    const changed = [
      addList(state, "c", "x"), renameList(state, "a", "x"), moveList(state, "b", "a"),
      deleteList(state, "a"), undo(frozen(deleteList(state, "a"))), addCard(state, "b", {{ name: "x" }}),
      setCount(state, "a", "{HUSH}", 9), removeCard(state, "a", "{HUSH}"),
      moveCard(state, "a", "{HUSH}", "", "sideboard"),
    ];
    return [changed.includes(state), text === writtenLists(state)];"""
    assert node.run(BUILT + steps) == [False, True]


# What is kept, and by whom it was written


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2000) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
kept_cards = st.fixed_dictionaries(
    {
        "card": st.sampled_from(["card:x", "card:y-z.b", "javascript:alert(1)", "card:../../x", ""]) | values,
        "name": st.text(max_size=30) | values,
        "layout": st.sampled_from(["split", "normal", "<b>"]) | values,
        "count": st.integers(-2, 2000) | values,
        "section": st.sampled_from(["main", "sideboard", "commander", "constructor"]) | values,
    }
)
kept_lists = st.fixed_dictionaries(
    {
        "id": st.sampled_from("abc") | values,
        "name": st.text(max_size=90) | values,
        "cards": st.lists(kept_cards, max_size=6),
    }
)
kept = st.fixed_dictionaries(
    {
        "version": st.sampled_from([1, 1, 1, 2, "1"]),
        "lists": st.lists(kept_lists | values, max_size=4) | values,
    },
    optional={"deleted": values | st.fixed_dictionaries({"list": kept_lists, "at": values}), "last": values},
)
often = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@often
@given(text=st.text(max_size=60) | values.map(json.dumps) | kept.map(json.dumps))
def test_whatever_is_kept_gives_lists_that_hold(node: Node, text: str) -> None:
    found = node.run(
        "const first = readLists(given); return [first, readLists(writtenLists(first.state))];", text
    )
    first, second = found
    assert second == {"state": first["state"], "whole": True, "newer": False}
    ids = [each["id"] for each in first["state"]["lists"]]
    assert len(set(ids)) == len(ids)
    for each in first["state"]["lists"]:
        assert 1 <= len(each["name"]) <= 160
        keys = [(card["section"], card["card"] or card["name"]) for card in each["cards"]]
        assert len(set(keys)) == len(keys)
        for card in each["cards"]:
            assert card["section"] in ("main", "sideboard", "commander")
            assert 1 <= card["count"] <= 999
            assert isinstance(card["count"], int)
            assert card["name"].strip()
            assert re.fullmatch(r"(card:[a-z0-9][a-z0-9.-]*)?", card["card"])


@often
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["add", "remove", "move", "count", "list", "delete", "undo", "order"]),
            st.sampled_from("ab"),
            st.sampled_from(["x", "y", "z"]),
            st.sampled_from(["main", "sideboard", "commander"]),
            st.integers(1, 9),
        ),
        max_size=25,
    )
)
def test_any_steps_lead_to_what_can_be_kept_and_read_again(node: Node, steps: list[Any]) -> None:
    code = """
    let state = noLists();
    for (const [what, id, name, section, number] of given) {
      const key = `${section} ${name}`;
      if (what === "add") state = addCard(state, id, { name }, number, section);
      else if (what === "remove") state = removeCard(state, id, key);
      else if (what === "move") state = moveCard(state, id, `main ${name}`, key, section);
      else if (what === "count") state = setCount(state, id, key, number);
      else if (what === "list") state = addList(state, id, name);
      else if (what === "delete") state = deleteList(state, id);
      else if (what === "undo") state = undo(state);
      else state = moveList(state, id, "a");
    }
    return [state, readLists(writtenLists(state))];"""
    state, again = node.run(code, steps)
    assert again == {"state": state, "whole": True, "newer": False}


def kept_by(node: Node, code: str, text: str | None, room: int = 10_000) -> Any:
    """What comes of code about a `keeper` over a storage that has a text and room for so many characters."""
    start = """
    const all = new Map(given.text === null ? [] : [[KEY, given.text]]);
    const size = () => [...all].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    const storage = {
      getItem: (key) => all.get(key) ?? null,
      removeItem: (key) => void all.delete(key),
      setItem: (key, value) => {
        const before = all.get(key);
        all.set(key, value);
        if (size() <= given.room) return;
        if (before === undefined) all.delete(key); else all.set(key, before);
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    const keeper = new ListKeeper(() => storage);
    """
    return node.run(start + code, {"text": text, "room": room})


def test_two_who_keep_lists_lose_none(node: Node) -> None:
    code = """
    const other = new ListKeeper(() => storage);
    keeper.change((state) => addList(state, "a", "River"));
    other.change((state) => addList(state, "b", "Hill"));
    keeper.change((state) => addCard(state, "b", { name: "Otter" }));
    return other.state.lists.map(({ name, cards }) => [name, cards.length]);"""
    assert kept_by(node, code, None) == [["River", 0], ["Hill", 1]]


@pytest.mark.parametrize("text", ["{not json", "[]", "null", '{"version":1}', '{"version":0,"lists":[]}'])
def test_what_cannot_be_read_is_set_aside_before_it_is_written_over(node: Node, text: str) -> None:
    code = """
    const told = [keeper.warning, all.get(ASIDE) ?? null];
    keeper.change((state) => addList(state, "a", "River"));
    const then = [all.get(ASIDE), keeper.state.lists.length, keeper.unreadable, keeper.warning];
    keeper.forgetUnreadable();
    return [...told, ...then, keeper.warning, keeper.state.lists.length];"""
    told, aside, kept, lists, unreadable, still, gone, left = kept_by(node, code, text)
    assert "could not be read" in told
    assert aside is None
    assert kept == unreadable == text
    assert (lists, left) == (1, 1)
    assert "not lost" in still
    assert gone == ""


def test_a_spoiled_card_does_not_take_the_others_with_it(node: Node) -> None:
    good = {"card": "", "name": "Otter", "layout": "", "count": 2, "section": "main"}
    text = json.dumps(
        {
            "version": 1,
            "lists": [{"id": "a", "name": "River", "cards": [good, {**good, "section": "attic"}, 7]}],
        }
    )
    code = """
    keeper.change((state) => addCard(state, "a", { name: "Fox" }));
    return [keeper.state.lists[0].cards.map(({ name }) => name), all.get(ASIDE)];"""
    assert kept_by(node, code, text) == [["Otter", "Fox"], text]


def test_what_a_later_version_wrote_stays(node: Node) -> None:
    text = '{"version":2,"lists":{"new":"form"}}'
    code = """
    const wrong = keeper.change((state) => addList(state, "a", "River"));
    return [wrong, keeper.warning, keeper.state.lists, all.get(KEY), all.size];"""
    wrong, warning, lists, kept, size = kept_by(node, code, text)
    assert "later version" in wrong
    assert warning == wrong
    assert (lists, kept, size) == ([], text, 1)


def test_where_there_is_no_room_nothing_is_lost_and_things_can_be_taken_out(node: Node) -> None:
    code = """
    const told = [];
    for (let at = 0; at < 40; at += 1) {
      told.push(keeper.change((state) => addList(state, `id${at}`, `List ${at}`)));
    }
    const before = all.get(KEY);
    const { length } = keeper.state.lists;
    const wrong = keeper.change((state) => addList(state, "more", "More".repeat(9)));
    const same = all.get(KEY) === before;
    const done = keeper.change((state) => deleteList(state, "id0"));
    const fitted = told.filter((each) => each === "").length;
    const { lists, deleted } = keeper.state;
    return [fitted, length, wrong, same, done, lists.length, deleted];"""
    fitted, kept, wrong, same, done, left, deleted = kept_by(node, code, None, room=500)
    assert 3 < fitted == kept < 40
    assert "no room" in wrong
    assert same
    assert done == ""
    assert left == kept - 1
    assert deleted is None or deleted["list"]["id"] == "id0"


def test_without_storage_lists_last_as_long_as_the_page(node: Node) -> None:
    code = """
    const keeper = new ListKeeper(() => { throw new DOMException("no", "SecurityError"); });
    const wrong = keeper.change((state) => addList(state, "a", "River"));
    return [wrong, keeper.state.lists.length, keeper.warning, keeper.unreadable];"""
    wrong, lists, warning, unreadable = node.run(code)
    assert (wrong, lists, unreadable) == ("", 1, None)
    assert "gone when the page is closed" in warning


# Files


def written(node: Node, form: str, steps: str = "", given: Any = None) -> str:
    text: str = node.run(f"{BUILT} {steps} return deckFile(state.lists[0], '{form}').content;", given)
    return text


COMMANDED = 'state = addCard(state, "a", { name: "Ossa" }, 1, "commander");'


def test_plain_text(node: Node) -> None:
    assert written(node, "text") == (
        "4 Ember Tortoise\n2 Hush // Clamor\n1 Vane Turner // Vane, Unturned\n\n"
        'Sideboard\n3 Lantern, <Keeper> & "Son"\n'
    )
    assert written(node, "text", COMMANDED).startswith("Commander\n1 Ossa\n\nDeck\n4 Ember Tortoise\n")
    assert node.run("return plainDeck(addList(noLists(), 'a', 'x').lists[0]);") == ""


def test_arena_names_cards_with_two_faces_by_their_front(node: Node) -> None:
    assert written(node, "arena", COMMANDED) == (
        "Commander\n1 Ossa\n\nDeck\n4 Ember Tortoise\n2 Hush // Clamor\n1 Vane Turner\n\n"
        'Sideboard\n3 Lantern, <Keeper> & "Son"\n'
    )


def test_mtgo(node: Node) -> None:
    deck = ElementTree.fromstring(written(node, "mtgo", COMMANDED).encode())
    assert deck.tag == "Deck"
    rows = [(row.get("Quantity"), row.get("Sideboard"), row.get("Name")) for row in deck.iter("Cards")]
    assert rows == [
        ("1", "true", "Ossa"),
        ("4", "false", "Ember Tortoise"),
        ("2", "false", "Hush/Clamor"),
        ("1", "false", "Vane Turner"),
        ("3", "true", 'Lantern, <Keeper> & "Son"'),
    ]


def test_csv(node: Node) -> None:
    rows = list(csv.reader(io.StringIO(written(node, "csv", COMMANDED), newline="")))
    assert rows == [
        ["count", "name", "section"],
        ["4", "Ember Tortoise", "main"],
        ["2", "Hush // Clamor", "main"],
        ["1", "Vane Turner // Vane, Unturned", "main"],
        ["3", 'Lantern, <Keeper> & "Son"', "sideboard"],
        ["1", "Ossa", "commander"],
    ]


@pytest.mark.parametrize("name", ["=SUM(A1:A9)", "+2 Mace", "-x", "@home", '=HYPERLINK("http://x","y")'])
def test_no_cell_is_a_formula(node: Node, name: str) -> None:
    text = written(node, "csv", 'state = addCard(state, "a", { name: given });', name)
    assert list(csv.reader(io.StringIO(text, newline="")))[-1] == ["1", f"'{name}", "main"]


@often
@given(names=st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=5, unique=True))
def test_any_name_comes_through_every_file(node: Node, names: list[str]) -> None:
    code = """
    let state = addList(noLists(), "a", "x");
    for (const name of given) state = addCard(state, "a", { name, layout: "normal" }, 2);
    const [list] = state.lists;
    const files = Object.keys(DECK_FILES).map((form) => deckFile(list, form).content);
    return [list.cards.map(({ name }) => name), ...files];"""
    kept, text, arena, mtgo, table = node.run(code, names)
    assert text.splitlines() == [f"2 {name}" for name in kept] or any(
        re.search("[\x1c-\x1e\x85\u2028\u2029]", name) for name in kept
    )
    lines = text.split("\n")
    assert len(lines) == len(kept) + 1 if kept else text == ""
    assert arena.count("\n") == (len(kept) + 1 if kept else 0)
    deck = ElementTree.fromstring(mtgo.encode())
    assert [row.get("Quantity") for row in deck.iter("Cards")] == ["2"] * len(kept)
    rows = list(csv.reader(io.StringIO(table, newline="")))[1:]
    assert [
        re.sub(r"^'(?=\s*[=+\-@])", "", name) if name not in kept else name for _, name, _ in rows
    ] == kept


def test_names_of_files_are_plain(node: Node) -> None:
    names = node.run(
        "return given.map((name) => deckFile({ name, cards: [] }, 'mtgo').name);",
        ["../../Ély’s <b>", "🐢"],
    )
    assert names == ["ely-s-b.dek", "list.dek"]


@pytest.mark.parametrize("form", ["text", "arena", "mtgo", "csv"])
def test_the_deck_reader_reads_what_lists_write(node: Node, form: str) -> None:
    decks = pytest.importorskip("cardlaw.graph.decks", reason="there is no reader of decks")
    steps = COMMANDED + 'state = addCard(state, "a", { name: "+2 Mace" }, 1);'
    found = decks.read_deck(
        written(node, form, steps), name=f"x.{ {'mtgo': 'dek', 'csv': 'csv'}.get(form, 'txt') }"
    )
    assert found.skipped == ()
    halves = {"text": " // ", "csv": " // ", "arena": " // ", "mtgo": "/"}[form]
    back = "" if form in ("arena", "mtgo") else " // Vane, Unturned"
    assert {(entry.count, entry.name, entry.section) for entry in found.entries} == {
        (1, "Ossa", "sideboard" if form == "mtgo" else "commander"),
        (4, "Ember Tortoise", "main"),
        (2, f"Hush{halves}Clamor", "main"),
        (1, f"Vane Turner{back}", "main"),
        (1, "+2 Mace", "main"),
        (3, 'Lantern, <Keeper> & "Son"', "sideboard"),
    }
