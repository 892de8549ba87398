"""Tags as data: every definition proves itself by its example, every tag has a meaning and reasons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardlaw.graph.errors import CatalogueError
from cardlaw.graph.linking import Linker
from cardlaw.graph.model import Card, Face, Rulebook
from cardlaw.graph.sources import outline
from cardlaw.graph.tagging import (
    Definition,
    Extractor,
    Tag,
    Tagger,
    concepts,
    creature_types,
    infer,
    load_definitions,
    theme_rules,
)
from cardlaw.graph.tagging.attributes import attributes, cost_shapes
from cardlaw.graph.tagging.definitions import read_definitions
from cardlaw.graph.tagging.themes import read_themes

DEFINITIONS = load_definitions()


@pytest.fixture(scope="module")
def rulebook() -> Rulebook:
    return outline.load()


@pytest.fixture(scope="module")
def linker(rulebook: Rulebook) -> Linker:
    return Linker(rulebook)


@pytest.fixture(scope="module")
def tagger(linker: Linker) -> Tagger:
    return Tagger(linker.lexicon.terms)


def card(linker: Linker, text: str, type_line: str = "Creature — Golem", **fields: object) -> Card:
    face = Face(name="Zyx Warden", type_line=type_line, oracle_text=text, **fields)  # type: ignore[arg-type]
    return linker.link_card(Card(name="Zyx Warden", slug="zyx-warden", layout="normal", faces=(face,)))


def ids(tags: tuple[Tag, ...], *facets: str) -> set[str]:
    return {tag.id for tag in tags if not facets or tag.facet in facets}


# -- definitions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("definition", [pytest.param(d, id=d.id) for d in DEFINITIONS])
def test_the_example_of_a_definition_is_proven_by_it(linker: Linker, definition: Definition) -> None:
    marked = definition.example if "⟦" in definition.example else definition.type_line
    start, rest = len(marked.partition("⟦")[0]), marked.partition("⟦")[2]
    words = rest.partition("⟧")[0]
    assert words, f"{definition.id} has no example with its evidence between ⟦ and ⟧"
    text = re.sub("[⟦⟧]", "", definition.example)
    type_line = re.sub("[⟦⟧]", "", definition.type_line) or "Creature — Golem"
    alone = Extractor(linker.lexicon.terms, [definition])
    found = [tag for tag in alone(card(linker, text, type_line)) if not tag.facet.startswith("keyword")]
    assert [tag.id for tag in found] == [definition.tag]
    assert [(r.words, r.span) for r in found[0].reasons] == [(words, (start, start + len(words)))]


def test_definitions_name_entries_that_can_be_cited(linker: Linker) -> None:
    known = {entry.id for entry in linker.entries}
    named = {
        (d.id, entry) for d in DEFINITIONS for entry in d.cites | d.also | d.without if entry not in known
    }
    assert named == set()


def test_each_tag_has_a_meaning_and_each_meaning_a_proof() -> None:
    told = concepts()
    assert {d.tag for d in DEFINITIONS} | {rule.tag for rule in theme_rules()} <= set(told)
    headings = {above for concept in told.values() for above in concept.broader}
    leaves = {name for name, c in told.items() if c.facet in ("ability", "timing") and name not in headings}
    assert leaves <= {d.tag for d in DEFINITIONS}


def test_each_concept_is_in_its_facet_and_says_when() -> None:
    told = concepts()
    for name, concept in told.items():
        assert concept.label
        assert concept.definition
        if concept.facet is not None:
            assert name.startswith(f"{concept.facet}.")
            assert concept.facet in told
            assert all(told[above].facet == concept.facet for above in concept.broader)


def test_themes_draw_on_tags_that_there_are() -> None:
    known = {d.tag for d in DEFINITIONS}
    premises = {p for rule in theme_rules() for p in (*rule.all, *rule.any, *rule.none)}
    assert {premise for premise in premises if ":" not in premise} <= known


def test_each_theme_has_an_enabler_and_a_payoff() -> None:
    roles: dict[str, set[str]] = {}
    for rule in theme_rules():
        roles.setdefault(rule.theme, set()).add(rule.role)
    assert {theme: found for theme, found in roles.items() if found != {"enabler", "payoff"}} == {}


def test_creature_types_are_divided_as_the_rulebook_has_them(rulebook: Rulebook) -> None:
    types = creature_types()
    assert types.kinds.isdisjoint(types.classes)
    assert types.kinds | types.classes == set(rulebook.vocabulary.subtypes["creature"])
    assert {"Goblin", "Human", "Time Lord", "Wall"} <= types.kinds
    assert {"Warrior", "Wizard", "Ally", "Samurai"} <= types.classes


# -- what was read wrong once, by kind -------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "text", "type_line"),
    [
        ("ability.draw", "Whenever you draw a card, you gain 1 life.", "Creature — Golem"),
        ("ability.draw", "If you would draw a card, you gain 1 life instead.", "Creature — Golem"),
        ("ability.draw", "Target opponent may draw a card.", "Instant"),
        ("ability.draw", "Scry 1. (Draw a card.)", "Instant"),
        ("ability.removal-destroy", "Destroy this creature at end of combat.", "Creature — Golem"),
        ("ability.removal-exile", "Exile target creature you control, then return it to the battlefield.",
         "Instant"),
        ("ability.removal-exile", "Exile target creature card from a graveyard.", "Instant"),
        ("ability.removal-bounce", "Return target creature card from your graveyard to its owner's hand.",
         "Instant"),
        ("ability.counterspell", "This spell can't be countered.", "Instant"),
        ("ability.sacrifice-outlet", "{1}, Sacrifice this creature: Draw a card.", "Creature — Golem"),
        ("ability.discard-outlet", "Discard this card: Draw a card.", "Creature — Golem"),
        ("ability.fog", "{T}: Prevent all damage that would be dealt to target creature this turn.",
         "Creature — Golem"),
        ("ability.mana-production", "{T}: Add {G}.", "Land"),
        ("ability.death-matters", "When this creature dies, draw a card.", "Creature — Golem"),
        ("ability.land-ramp", "{T}, Sacrifice this land: Search your library for a basic land card, put it "
         "onto the battlefield tapped, then shuffle.", "Land"),
        ("ability.grants-evasion", "Create a 1/1 white Bird creature token with flying.", "Sorcery"),
        ("ability.anthem", "Enchanted creature gets +1/+1.", "Enchantment — Aura"),
        ("ability.cost-reduction", "This spell costs {1} less to cast.", "Sorcery"),
        ("ability.tax", "Counter target spell unless its controller pays {2}.", "Instant"),
        ("timing.end-step", "Exile it. At the beginning of the next end step, return it to the battlefield.",
         "Instant"),
        ("timing.on-block", "Whenever this creature attacks and isn't blocked, draw a card.",
         "Creature — Golem"),
        ("timing.on-entering", "Whenever another creature enters, draw a card.", "Creature — Golem"),
        ("timing.instant-speed", "{2}: Draw a card. Activate only as a sorcery.", "Creature — Golem"),
    ],
)  # fmt: skip
def test_what_only_looks_like_it_has_no_tag(
    linker: Linker, tagger: Tagger, tag: str, text: str, type_line: str
) -> None:
    assert tag not in ids(tagger(card(linker, text, type_line)))


@pytest.mark.parametrize(
    ("tag", "text", "type_line"),
    [
        ("ability.draw", "Spree\n+ {1} — Draw two cards.\n+ {2} — Destroy target artifact.", "Instant"),
        ("ability.mill", "{T}, Mill a card: Add {C}.", "Artifact"),
        ("ability.goad", "Enchanted creature is goaded.", "Enchantment — Aura"),
        ("ability.counterspell", "Choose target spell. Counter the chosen spell.", "Instant"),
        ("ability.typal", "Whenever a Goblin you control attacks, create a Blood token.",
         "Creature — Goblin"),
        ("ability.death-matters", "Whenever a nontoken creature is put into your graveyard from the "
         "battlefield, draw a card.", "Creature — Golem"),
        ("ability.draw", "Enchanted creature has \"{T}: Draw a card.\"", "Enchantment — Aura"),
    ],
)  # fmt: skip
def test_what_says_it_in_another_way_has_the_tag(
    linker: Linker, tagger: Tagger, tag: str, text: str, type_line: str
) -> None:
    assert tag in ids(tagger(card(linker, text, type_line)))


# -- reasons ---------------------------------------------------------------------------------------


def test_a_tag_names_the_ability_the_words_and_the_rule(linker: Linker, tagger: Tagger) -> None:
    tags = {
        tag.id: tag for tag in tagger(card(linker, "Flying\nWhenever this creature attacks, draw two cards."))
    }
    (reason,) = tags["ability.draw"].reasons
    assert (reason.holder, reason.words, reason.field) == ("1.2", "draw two cards", "oracle_text")
    assert reason.citation is not None
    assert reason.citation.rule == "121"
    assert tags["keyword:flying"].facet == "keyword.has"
    assert tags["timing.on-attack"].layer == "extracted"


def test_the_words_of_a_granted_ability_are_its_own(linker: Linker, tagger: Tagger) -> None:
    tags = {
        t.id: t
        for t in tagger(card(linker, 'Equipped creature has "{T}: Draw a card."', "Artifact — Equipment"))
    }
    assert [reason.holder for reason in tags["ability.draw"].reasons] == ["1.1.1"]


def test_a_keyword_that_is_granted_is_not_had(linker: Linker, tagger: Tagger) -> None:
    tags = tagger(card(linker, "Target creature gains trample until end of turn.", "Instant"))
    assert [tag.facet for tag in tags if tag.id == "keyword:trample"] == ["keyword.grants"]


def test_attributes_say_which_field(linker: Linker) -> None:
    face = {"mana_cost": "{1}{U/R}", "mana_value": 2.0}
    made = card(linker, "Flying", "Legendary Creature — Time Lord Wizard", **face)
    found = {(tag.facet, tag.id): tag.reasons[0].field for tag in attributes(made)}
    assert found == {
        ("mana-cost", "mana-cost.several-colors"): "mana_cost",
        ("mana-cost", "mana-cost.hybrid"): "mana_cost",
        ("mana-value", "mana-value.2"): "mana_value",
        ("type", "type:legendary"): "type_line",
        ("type", "type:creature"): "type_line",
        ("kind", "type:time-lord"): "type_line",
        ("class", "type:wizard"): "type_line",
    }


def test_what_the_source_does_not_tell_is_no_attribute(linker: Linker) -> None:
    assert ids(attributes(card(linker, "Flying", "Artifact"))) == {"type:artifact"}


@pytest.mark.parametrize(
    ("cost", "shapes"),
    [
        ("{2}", ["no-color"]),
        ("{X}{R}{R}", ["one-color", "variable"]),
        ("{2/W}{2/W}", ["one-color", "hybrid"]),
        ("{G/P}", ["one-color", "phyrexian"]),
        ("{G/U/P}", ["several-colors", "hybrid", "phyrexian"]),
        ("{C}{S}", ["no-color", "colorless-mana", "snow"]),
    ],
)
def test_shapes_of_mana_costs(cost: str, shapes: list[str]) -> None:
    assert list(cost_shapes(cost)) == shapes


def test_a_theme_names_its_premises(linker: Linker, tagger: Tagger) -> None:
    tags = {t.id: t for t in tagger(card(linker, "Draw a card.", "Instant"))}
    assert tags["theme.spells.enabler"].layer == "inferred"
    assert tags["theme.spells.enabler"].reasons[0].premises == ("ability.draw", "type:instant")
    assert "theme.spells.enabler" not in ids(tagger(card(linker, "When this creature enters, draw a card.")))


def test_a_keyword_that_is_granted_is_no_premise(linker: Linker, tagger: Tagger) -> None:
    granting = card(linker, "Each creature card in your hand has cycling {2}.")
    assert "theme.cycling.enabler" not in ids(tuple(infer(tagger.extract(granting))))


# -- faults ----------------------------------------------------------------------------------------

GOOD = '[[tag]]\nid = "ability.sing"\ncites = "action.create"\nexample = "⟦Create⟧ a song."\n'


def test_a_definition_is_read() -> None:
    (definition,) = read_definitions(GOOD, name="x.toml")
    assert (definition.tag, definition.cites) == ("ability.sing", {"action.create"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[tag]", "x.toml is not TOML"),
        ("[tags]\n", r"only \[\[tag\]\] tables"),
        (GOOD.replace("cites", "sites"), "tag ability.sing: unknown field sites"),
        (GOOD.replace('cites = "action.create"\n', ""), "cites is missing"),
        (GOOD + "pattern = 3\n", "pattern must be text"),
        (GOOD + "pattern = '('\n", "the pattern does not compile"),
        (GOOD + 'part = "roof"\n', "unknown part 'roof'"),
        (GOOD.replace("ability.sing", "sing"), "an id is facet.name"),
    ],
)
def test_a_faulty_definition_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(CatalogueError, match=message):
        read_definitions(text, name="x.toml")


def test_two_definitions_of_one_id(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"two definitions of tags are called ability\.sing"):
        load_definitions(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        '[[rule]]\ntheme = "a"\nrole = "friend"\nany = ["x.y"]\n',
        '[[rule]]\ntheme = "a"\nrole = "payoff"\n',
        '[[rule]]\ntheme = "a"\nrole = "payoff"\nsome = ["x.y"]\n',
        "[[rule]",
    ],
)
def test_a_faulty_theme_is_told(text: str) -> None:
    with pytest.raises(CatalogueError, match=r"themes\.toml"):
        read_themes(text, name="themes.toml")
