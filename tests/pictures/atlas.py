"""Draws the README's picture of the atlas, from some thousand invented cards."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Playwright

from cardlaw.exports.atlas import write_atlas
from cardlaw.graph.build import build
from cardlaw.graph.store import open_store

__all__ = ["draw_atlas", "invented"]

FLAGS = [
    "--no-sandbox",
    "--no-first-run",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
FIRST = ("Amber", "Brindle", "Cinder", "Dusk", "Ember", "Fallow", "Gale", "Hollow", "Iron", "Juniper", "Kelp")
LAST = (
    "Archivist",
    "Bailiff",
    "Courier",
    "Drover",
    "Envoy",
    "Falconer",
    "Gleaner",
    "Herald",
    "Joiner",
    "Miller",
)
WHERE = ("Shore", "Tower", "Vale", "Well", "Gate", "Marsh", "Hall", "Bridge", "Mill", "Grove", "Quay", "Fen")
WHOSE = ("Old", "Lower", "Far")
BODIES = (
    ("Creature — Human", "Flying\n{0}"),
    ("Creature — Bird", "Flying, vigilance\n{0}"),
    ("Creature — Bear", "Trample\n{0}"),
    ("Creature — Goblin", "Haste\n{0}"),
    ("Creature — Knight", "First strike\n{0}"),
    ("Creature — Spider", "Reach, deathtouch\n{0}"),
    ("Creature — Wall", "Defender\n{0}"),
    ("Creature — Merfolk", "Ward {{1}}\n{0}"),
    ("Creature — Shade", "Menace\n{0}"),
    ("Creature — Spirit", "Lifelink\n{0}"),
    ("Creature — Elf", "{{T}}: Add {{G}}.\n{0}"),
    ("Creature — Shapeshifter", "Morph {{2}}\n{0}"),
    ("Artifact — Vehicle", "Crew 2\n{0}"),
    ("Artifact — Equipment", "Equipped creature gets +1/+1.\nEquip {{1}}"),
    ("Enchantment — Aura", "Enchant creature\nEnchanted creature has hexproof."),
    ("Enchantment", "Creatures you control have indestructible."),
    ("Land", "{{T}}: Add {{C}}.\nCycling {{2}}"),
    ("Instant", "Destroy target creature."),
    ("Instant", "Counter target spell unless its controller pays {{2}}."),
    ("Instant", "Prevent the next 2 damage that would be dealt to any target this turn."),
    ("Sorcery", "Search your library for a basic land card, reveal it, put it into your hand, then shuffle."),
    ("Sorcery", "Target player mills four cards.\nFlashback {{3}}{{U}}"),
    ("Sorcery", "Target player discards two cards.\nKicker {{2}}"),
    ("Instant", "Exile target artifact. Scry 2."),
)
MORE = (
    "When {name} enters, draw a card.",
    "When {name} dies, create a Treasure token.",
    "Whenever {name} attacks, scry 1.",
    "At the beginning of your upkeep, you gain 1 life.",
    "Sacrifice {name}: It deals 1 damage to any target.",
    "{name} can't block.",
    "{name} enters with two +1/+1 counters on it.",
    "When {name} enters, investigate.",
    "When {name} enters, surveil 2.",
    "{2}: Tap target creature.",
    "Cycling {1}",
    "Regenerate {name}.",
    "",
)


def invented(number: int) -> list[dict[str, Any]]:
    """Cards whose names and texts are put together by chance, the same every time."""
    chance = random.Random(2026)
    names = [
        f"{one} {two} of the {whose} {where}"
        for one in FIRST
        for two in LAST
        for whose in WHOSE
        for where in WHERE
    ]
    chance.shuffle(names)
    weights = [1 + 40 / (2 + at % 13) for at in range(len(BODIES))]
    cards = []
    for name in names[:number]:
        line, text = chance.choices(BODIES, weights)[0]
        more = chance.choice(MORE).replace("{name}", name) if "{0}" in text else ""
        colors = chance.sample("WUBRG", chance.choice((0, 1, 1, 1, 1, 2)))
        cards.append(
            {
                "name": name,
                "manaCost": "{2}" + "".join(f"{{{color}}}" for color in colors),
                "type": line,
                "types": [line.split()[0]],
                "subtypes": line.split(" — ")[1:],
                "supertypes": [],
                "keywords": None,
                "power": "2" if line.startswith("Creature") else None,
                "toughness": "2" if line.startswith("Creature") else None,
                "loyalty": None,
                "text": text.format(more).strip(),
                "layout": "normal",
                "colorIdentity": sorted(colors),
            }
        )
    return cards


def draw_atlas(playwright: Playwright, folder: Path, picture: Path) -> None:
    """Build a graph of the invented cards in `folder` and take the picture."""
    cards = folder / "invented.json"
    cards.write_text(json.dumps(invented(3600)), encoding="utf-8")
    build(cards=[cards], store=folder / "invented")
    page_file = folder / "atlas.html"
    with open_store(folder / "invented") as store:
        write_atlas(store, page_file)
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(page_file.as_uri())
    page.wait_for_function("() => globalThis.cardlaw?.map.graph.size > 0")
    page.wait_for_timeout(3000)
    page.screenshot(path=picture, type="jpeg", quality=85)
    browser.close()
