// Three ways to color the map. Hues are Okabe and Ito's (2008); what they stand for is in the style sheet.

import { styled } from "./dom.js";

/** Rules and the like where only cards are colored. */
const PLAIN = "rules";

const CHAPTERS = [
  ["1", "Game concepts"],
  ["2", "Parts of a card"],
  ["3", "Card types"],
  ["4", "Zones"],
  ["5", "Turn structure"],
  ["6", "Spells, abilities, effects"],
  ["7a", "Keyword actions"],
  ["7k", "Keyword abilities"],
  ["7", "Additional rules"],
  ["8", "Multiplayer"],
  ["9", "Casual variants"],
  ["", "None"],
];
const IDENTITIES = [
  ["W", "White"],
  ["U", "Blue"],
  ["B", "Black"],
  ["R", "Red"],
  ["G", "Green"],
  ["M", "Several colors"],
  ["C", "Colorless"],
  ["N", "Not told by the source"],
  [PLAIN, "Rules, keywords, terms"],
];
const OTHER = ["other", "Other"];

/** Ways to color: id → {name, note, of(atlas, node) → number of the category, categories [[id, name]]}. */
export const MODES = {
  chapter: {
    name: "Chapter",
    note: "of the Comprehensive Rules; of a card, that of the rule that tells most of it",
    categories: CHAPTERS,
    of(atlas, node) {
      const chapter = atlas.chapter(node);
      if (chapter !== "7") return number(CHAPTERS, chapter);
      const rule = atlas.kind(node) === 1 ? atlas.ids[node] : atlas.topics.rule[atlas.topic[node]];
      return number(CHAPTERS, rule.startsWith("701") ? "7a" : rule.startsWith("702") ? "7k" : "7");
    },
  },
  identity: {
    name: "Color identity",
    note: "of the cards",
    categories: IDENTITIES,
    of(atlas, node) {
      if (node < atlas.firstCard) return number(IDENTITIES, PLAIN);
      const bits = atlas.colors[node - atlas.firstCard];
      if (!bits) return number(IDENTITIES, "N");
      const colors = [..."WUBRG"].filter((_, bit) => (bits >> bit) & 1);
      return number(IDENTITIES, colors.length > 1 ? "M" : (colors[0] ?? "C"));
    },
  },
  type: {
    name: "Card type",
    note: "of the cards; a creature that is also something else is a creature",
    categories: [],
    of(atlas, node) {
      if (node < atlas.firstCard) return atlas.cardTypes.length + 1;
      return Math.min(atlas.types[node - atlas.firstCard], atlas.cardTypes.length);
    },
  },
};

const number = (categories, wanted) => categories.findIndex(([id]) => id === wanted);

/** The categories of a way, with the card types that the graph has. */
export function categories(mode, atlas) {
  if (mode !== "type") return MODES[mode].categories;
  const types = atlas.cardTypes.map((type) => [type, type[0].toUpperCase() + type.slice(1)]);
  return [...types, OTHER, [PLAIN, "Rules, keywords, terms"]];
}

/** Two colors for each category as [r, g, b], bright and faded; those of cards, then those of all else. */
export function palette(mode, atlas) {
  const land = rgb(styled("--land"));
  const ink = rgb(styled("--ink"));
  return categories(mode, atlas).map(([id]) => {
    const color = rgb(styled(`--${mode}-${id || "none"}`));
    return {
      card: color,
      rule: mix(color, ink, id === PLAIN ? 0 : 0.32),
      faded: mix(color, land, 0.82),
    };
  });
}

/** The numbers of "rgb(…)". */
const rgb = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);

function mix(color, other, part) {
  return color.map((value, at) => Math.round(value + (other[at] - value) * part));
}

export const css = ([r, g, b]) => `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
