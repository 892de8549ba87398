// A list as a deck file: plain text, text for Arena, MTGO's .dek and CSV. A list comes in, a text goes out; names
// stand on one line. MTGO and Arena know cards with two faces by their front, split cards by both halves.

import { cell, escaped, fileName } from "./files.js";
import { SECTIONS, sectionOf, tidy } from "./lists.js";

const HALVES = new Set(["split", "aftermath"]); // layouts of which one name is not enough (CR 709)
const HEADS = { commander: "Commander", main: "Deck", sideboard: "Sideboard" }; // as Arena writes them

const facesOf = ({ name }) => tidy(name).split(" // ");
const isHalved = ({ layout }) => HALVES.has(layout);

/** The name by which Arena knows a card; both faces where it is not known which kind of card it is. */
const arenaName = (card) => (isHalved(card) || !card.layout ? tidy(card.name) : facesOf(card)[0]);
const mtgoName = (card) => (isHalved(card) ? facesOf(card).join("/") : facesOf(card)[0]);
const fullName = (card) => tidy(card.name);

const linesOf = (cards, nameOf) => cards.map((card) => `${card.count} ${nameOf(card)}`);

/** Sections that have cards, each with its head; a deck of the main section alone goes without. */
function sectionsOf(list, nameOf, isPlain) {
  const filled = Object.keys(SECTIONS).filter((section) => sectionOf(list, section).length);
  const bare = isPlain && !filled.includes("commander");
  const parts = filled.map((section) => {
    const head = bare && section === "main" ? [] : [HEADS[section]];
    return [...head, ...linesOf(sectionOf(list, section), nameOf)].join("\n");
  });
  return parts.length ? `${parts.join("\n\n")}\n` : "";
}

/** "4 Name" a line; the sideboard after its head, and a head for each section where there is a commander. */
export const plainDeck = (list) => sectionsOf(list, fullName, true);

export const arenaDeck = (list) => sectionsOf(list, arenaName, false);

/** MTGO's XML, which has no place for a commander but the sideboard. */
export function mtgoDeck(list) {
  const rows = Object.keys(SECTIONS).flatMap((section) => sectionOf(list, section)).map((card) =>
    `  <Cards CatID="0" Quantity="${card.count}" Sideboard="${card.section !== "main"}" Name="${escaped(mtgoName(card))}" Annotation="0" />\n`);
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n',
    '<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n',
    "  <NetDeckID>0</NetDeckID>\n  <PreconstructedDeckID>0</PreconstructedDeckID>\n",
    ...rows,
    "</Deck>\n",
  ].join("");
}

/** Columns count, name and section, in the order of the list. */
export function csvDeck(list) {
  const rows = list.cards.map((card) => [card.count, fullName(card), card.section]);
  return [["count", "name", "section"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

export const DECK_FILES = {
  text: { text: "Text", suffix: ".txt", media: "text/plain", write: plainDeck },
  arena: { text: "Arena", suffix: "-arena.txt", media: "text/plain", write: arenaDeck },
  mtgo: { text: "MTGO .dek", suffix: ".dek", media: "application/xml", write: mtgoDeck },
  csv: { text: "CSV", suffix: ".csv", media: "text/csv", write: csvDeck },
};

/** {name, media, content} of a list in a form of `DECK_FILES`. */
export function deckFile(list, form) {
  const { suffix, media, write } = DECK_FILES[form];
  return { name: fileName(list.name, "list") + suffix, media, content: write(list) };
}
