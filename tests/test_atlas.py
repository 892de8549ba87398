"""The map of the whole graph: its topics, regions and places, and the files that a build has of it."""

from __future__ import annotations

import gzip
import json
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardlaw.graph.adjacency import adjacency
from cardlaw.graph.atlas import BACKBONE, Atlas, atlas, make
from cardlaw.graph.atlasmap import Places, places
from cardlaw.graph.atlastopics import RELATIONS, Nodes, Topics, topics
from cardlaw.graph.lookup import Lookup
from cardlaw.graph.store import Store, open_store

ARRAYS = {"u1": "B", "u2": "H", "i2": "h", "u4": "I", "i4": "i"}


def invented(groups: int = 4, each: int = 60) -> Nodes:
    """Keywords in pairs, cards that have the two of a pair, and one rule that all cards invoke."""
    kinds, names, ends, bits = [], [], [], []
    bit = {relation: 1 << number for number, relation in enumerate(RELATIONS)}
    pairs = 2 * groups
    for number in range(pairs):
        kinds.append("keyword")
        names.append(f"Keyword {number}")
    chapter = len(kinds)
    for name in ("Chapter", "Section", "Everything"):
        kinds.append("rule")
        names.append(name)
    ends += [(chapter + 1, chapter), (chapter + 2, chapter)]
    bits += [bit["parent"]] * 2
    for number in range(pairs):
        kinds.append("rule")
        names.append(f"Keyword {number}")
        ends += [(chapter + 3 + number, chapter + 1), (number, chapter + 3 + number)]
        bits += [bit["parent"], bit["defined_by"]]
    first = len(kinds)
    for number in range(groups * each):
        group = number % groups
        card = first + number
        ends += [(card, 2 * group), (card, 2 * group + 1), (card, chapter + 2)]
        bits += [bit["has_keyword"], bit["grants_keyword"], bit["defined_term"]]
    return Nodes(
        kinds=kinds,
        names=names,
        cards=groups * each,
        ends=np.array(ends, dtype=np.int64),
        bits=np.array(bits, dtype=np.int64),
    )


@pytest.fixture(scope="module")
def found() -> tuple[Nodes, Topics, Places]:
    nodes = invented()
    about = topics(nodes)
    return nodes, about, places(about, [*nodes.kinds, *["card"] * nodes.cards])


def test_a_card_stands_with_what_tells_most_of_it(found: tuple[Nodes, Topics, Places]) -> None:
    nodes, about, _ = found
    heads = [nodes.names[head] for head in about.head.tolist()]
    of = [heads[about.of[len(nodes.kinds) + number]] for number in range(8)]
    assert of == [f"Keyword {2 * (number % 4)}" for number in range(8)], "has, not grants"


def test_what_is_invoked_together_is_a_region_and_what_everything_invokes_ties_nothing(
    found: tuple[Nodes, Topics, Places],
) -> None:
    nodes, about, _ = found
    region = {nodes.names[head]: int(about.region[at]) for at, head in enumerate(about.head.tolist())}
    pairs = [(region[f"Keyword {2 * group}"], region[f"Keyword {2 * group + 1}"]) for group in range(4)]
    assert all(one == other for one, other in pairs)
    assert len({one for one, _ in pairs}) == 4
    named = [nodes.names[about.head[about.named[one][0]]] for one, _ in pairs]
    assert all(name.startswith("Keyword ") for name in named), "named after what is theirs alone"


def test_nothing_overlaps_and_regions_lie_apart(found: tuple[Nodes, Topics, Places]) -> None:
    _, about, at = found
    check_apart(about, at)


def check_apart(about: Topics, at: Places) -> None:
    x, y, r = at.nodes.T
    order = np.argsort(x, kind="stable")
    for step in range(1, min(len(x), 400)):
        one, other = order[:-step], order[step:]
        gap = np.hypot(x[one] - x[other], y[one] - y[other]) - r[one] - r[other]
        assert gap.min() > 0, "two nodes stand on each other"
    disks = at.topics
    away = np.hypot(disks[:, None, 0] - disks[None, :, 0], disks[:, None, 1] - disks[None, :, 1])
    away -= disks[:, None, 2] + disks[None, :, 2]
    np.fill_diagonal(away, np.inf)
    assert away.min() > -1e-6
    assert away[about.region[:, None] != about.region[None, :]].min() > 6, "no water between two regions"
    inside = about.of >= 0
    own = disks[about.of[inside]]
    reach = np.hypot(x[inside] - own[:, 0], y[inside] - own[:, 1])
    assert (reach < own[:, 2]).all(), "a node is outside of its topic"


def test_same_graph_same_places() -> None:
    for _ in range(2):
        nodes = invented(3, 20)
        kinds = [*nodes.kinds, *["card"] * nodes.cards]
        first, second = (places(topics(nodes), kinds).nodes for _ in range(2))
        assert (first == second).all()


def test_a_graph_without_cards_has_a_map_too() -> None:
    nodes = invented(2, 0)
    about = topics(nodes)
    at = places(about, list(nodes.kinds))
    check_apart(about, at)


# The files


@pytest.fixture(scope="module")
def store(small_store: Path) -> Iterator[Store]:
    with open_store(small_store) as opened:
        yield opened


def unpacked(file: bytes) -> tuple[dict[str, Any], dict[str, tuple[int, ...]]]:
    plain = gzip.decompress(file)
    size = int.from_bytes(plain[:4], "little")
    header = json.loads(plain[4 : 4 + size])
    at, arrays = 4 + size, {}
    for name, kind, length in header["arrays"]:
        form = f"<{length}{ARRAYS[kind]}"
        arrays[name] = struct.unpack_from(form, plain, at)
        at += -(-struct.calcsize(form) // 4) * 4
    assert at == len(plain)
    return header, arrays


def test_a_build_comes_with_its_atlas(store: Store) -> None:
    made = Atlas(*((store.folder / f"atlas-1-{name}.gz").read_bytes() for name in ("places", "ties")))
    again = make(store.folder, store.info.quads, adjacency(store))
    assert again == made, "same files, same bytes"
    assert atlas(store) == made


def test_files_hold_every_node_and_tie(store: Store) -> None:
    header, arrays = unpacked(atlas(store).places)
    counts = store.info.counts
    assert header["counts"] == {
        "keyword": counts["keywords"],
        "rule": counts["rules"],
        "term": counts["terms"],
        "card": counts["cards"],
    }
    total = sum(header["counts"].values())
    assert {len(arrays[name]) for name in ("x", "y", "r", "topic")} == {total}
    assert len(header["ids"]) == len(header["names"]) == total
    assert len(arrays["backbone"]) <= 2 * BACKBONE
    ties, own = unpacked(atlas(store).ties)
    card = header["ids"].index("brindle-falconer")
    begin = sum(own["out"][:card])
    names = {header["ids"][target] for target in own["target"][begin : begin + own["out"][card]]}
    cited = set(Lookup(store).objects("card:brindle-falconer", "citesRule"))
    assert {"rule:702.9", "rule:508"} <= cited
    keywords = {"flying", "vigilance", "scry", "typecycling"}
    assert {rule.partition(":")[2] for rule in cited} | keywords == names
    assert ties["relations"] == [*RELATIONS]


def test_an_older_build_gets_its_atlas_when_it_is_wanted(small_store: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(small_store, tmp_path / "store")
    for file in copy.glob("builds/*/atlas-*"):
        file.unlink()
    told: list[int] = []
    with open_store(copy) as opened:
        first = atlas(opened, lambda: told.append(1))
        assert told == [1]
        assert atlas(opened, lambda: told.append(1)) == first
    assert told == [1]
    assert not [*copy.glob("builds/*/*.partial")]


@pytest.mark.real
def test_regions_of_the_real_graph_tell_something() -> None:
    from cardlaw.graph.errors import StoreError

    try:
        opened = open_store()
    except StoreError as error:
        pytest.skip(str(error))
    with opened as real:
        if real.info.counts["cards"] < 30_000:
            pytest.skip("no whole corpus is built")
        header, arrays = unpacked(atlas(real).places)
    heads = [header["names"][head] for head in header["topics"]["head"]]
    region = dict(zip(heads, header["topics"]["region"], strict=True))
    assert region["Flying"] != region["Mill"]
    assert region["Scry"] == region["Surveil"]
    assert region["Morph"] == region["Disguise"]
    assert region["Equip"] == region["Attach"]
    assert len(arrays["backbone"]) == 2 * BACKBONE
