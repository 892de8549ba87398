// Lists of cards as values: every function takes a state and gives another one; none changes what it was given,
// and one that can do nothing gives back the same state. Nothing here knows of a browser.

/**
 * @typedef Lists
 * version: of this form; lists: [{id, name, cards}]; deleted: what an undo brings back, or null;
 * last: id of the list that a card was added to last.
 * A card of a list: {card: "card:fire-ice" or "", name, layout: as Scryfall has it or "", count, section}; in one
 * section of a list it stands once.
 */

export const VERSION = 1;
export const SECTIONS = { commander: "Commander", main: "Main deck", sideboard: "Sideboard" };
export const MOST = { count: 999, name: 80, lists: 500, cards: 5000 };
const CARD_ID = /^card:[a-z0-9][a-z0-9.-]*$/;

export const noLists = () => ({ version: VERSION, lists: [], deleted: null, last: "" });

/** What tells a card of a list from the others. */
export const keyOf = ({ card, name, section }) => `${section} ${card || name}`;

/** A text on one line, without control characters, of a length that can be shown. */
export function tidy(text, most = 300) {
  return typeof text === "string" ? Array.from(text.replace(/[\s\p{Cc}]+/gu, " ").trim()).slice(0, most).join("") : "";
}

/** A whole number from 1 to `MOST.count`; NaN of what is none. */
export function countOf(value) {
  const number = Math.round(typeof value === "string" && value.trim() === "" ? NaN : Number(value));
  return Math.max(1, Math.min(number, MOST.count));
}

// From text and back

/**
 * The state that a text tells, whatever it is; `whole`: nothing of it had to be left out; `newer`: it was written by
 * a later version, which this one must not write over.
 */
export function readLists(text) {
  const nothing = { state: noLists(), whole: true, newer: false };
  if (text === null) return nothing;
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    return { ...nothing, whole: false };
  }
  if (Number.isInteger(told?.version) && told.version > VERSION) return { ...nothing, newer: true };
  if (told?.version !== VERSION || !Array.isArray(told.lists)) return { ...nothing, whole: false };
  const ids = new Set();
  let whole = told.lists.length <= MOST.lists;
  const some = (items, most, take) => items.slice(0, most).map(take).filter((item) => item !== null || (whole = false));
  const listOf = (item) => {
    const id = tidy(item?.id);
    if (!id || ids.has(id) || !Array.isArray(item.cards)) return null;
    ids.add(id);
    if (item.cards.length > MOST.cards) whole = false;
    const cards = new Map();
    for (const card of some(item.cards, MOST.cards, cardOf)) {
      const there = cards.get(keyOf(card));
      cards.set(keyOf(card), there ? { ...there, count: countOf(there.count + card.count) } : card);
    }
    return { id, name: tidy(item.name, MOST.name) || "List", cards: [...cards.values()] };
  };
  const lists = some(told.lists, MOST.lists, listOf);
  const last = ids.has(told.last) ? told.last : "";
  return { state: { version: VERSION, lists, deleted: deletedOf(told.deleted, listOf), last }, whole, newer: false };
}

function cardOf(item) {
  const name = tidy(item?.name);
  const count = countOf(item?.count);
  if (!name || !(count >= 1) || !Object.hasOwn(SECTIONS, item.section)) return null;
  const card = typeof item.card === "string" && CARD_ID.test(item.card) ? item.card : "";
  return { card, name, layout: /^[a-z_]{1,30}$/.test(item.layout) ? item.layout : "", count, section: item.section };
}

function deletedOf(item, listOf) {
  const at = Number.isInteger(item?.at) ? item.at : 0;
  const list = item?.list ? listOf(item.list) : null;
  if (list) return { list, at };
  const card = item?.card ? cardOf(item.card) : null;
  return card && tidy(item.from) ? { card, from: tidy(item.from), at } : null;
}

export const writtenLists = (state) => JSON.stringify(state);

// Lists

export const listCalled = (state, id) => state.lists.find((list) => list.id === id);

/** A name that no list has yet. */
export function freeName(state, wanted) {
  const name = tidy(wanted, MOST.name) || "New list";
  const taken = new Set(state.lists.map((list) => list.name));
  for (let number = 1; ; number += 1) {
    const found = number === 1 ? name : `${Array.from(name).slice(0, MOST.name - 5).join("")} ${number}`;
    if (!taken.has(found)) return found;
  }
}

const withList = (state, id, change) => ({ ...state, lists: state.lists.map((list) => (list.id === id ? change(list) : list)) });

/** With an empty list at the end. */
export function addList(state, id, name) {
  if (listCalled(state, id) || state.deleted?.list?.id === id || state.lists.length >= MOST.lists) return state;
  return { ...state, lists: [...state.lists, { id, name: freeName(state, name), cards: [] }] };
}

export function renameList(state, id, wanted) {
  const list = listCalled(state, id);
  const name = tidy(wanted, MOST.name);
  if (!list || !name || name === list.name) return state;
  const others = { ...state, lists: state.lists.filter((each) => each !== list) };
  return withList(state, id, (each) => ({ ...each, name: freeName(others, name) }));
}

/** A list before another one; `before` is the id of that one, "" for the end. */
export function moveList(state, id, before) {
  const lists = moved(state.lists, (list) => list.id === id, (list) => list.id === before);
  return lists === state.lists ? state : { ...state, lists };
}

export function deleteList(state, id) {
  const at = state.lists.findIndex((list) => list.id === id);
  if (at < 0) return state;
  const lists = state.lists.filter((list) => list.id !== id);
  return { ...state, lists, deleted: { list: state.lists[at], at }, last: state.last === id ? "" : state.last };
}

/** The items with one of them before another, or at the end; the same items if that is where it is. */
function moved(items, isIt, isNext) {
  const it = items.find(isIt);
  if (!it || isNext(it)) return items;
  const rest = items.filter((item) => item !== it);
  const at = rest.findIndex(isNext);
  const made = at < 0 ? [...rest, it] : [...rest.slice(0, at), it, ...rest.slice(at)];
  return made.every((item, number) => item === items[number]) ? items : made;
}

// Cards of a list

/** So many more of a card in a section of a list. */
export function addCard(state, id, { card = "", name, layout = "" }, count = 1, section = "main") {
  const added = cardOf({ card, name, layout, count, section });
  const list = listCalled(state, id);
  if (!list || !added) return state;
  const key = keyOf(added);
  const there = list.cards.find((each) => keyOf(each) === key);
  if (!there && list.cards.length >= MOST.cards) return state;
  const grown = there && { ...there, layout: there.layout || added.layout, count: countOf(there.count + added.count) };
  const cards = there ? list.cards.map((each) => (each === there ? grown : each)) : [...list.cards, added];
  return { ...withList(state, id, (each) => ({ ...each, cards })), last: id };
}

export function setCount(state, id, key, wanted) {
  const count = countOf(wanted);
  const there = listCalled(state, id)?.cards.find((each) => keyOf(each) === key);
  if (!there || !(count >= 1) || there.count === count) return state;
  return withList(state, id, (list) => ({ ...list, cards: list.cards.map((each) => (each === there ? { ...each, count } : each)) }));
}

export function removeCard(state, id, key) {
  const list = listCalled(state, id);
  const at = list?.cards.findIndex((each) => keyOf(each) === key) ?? -1;
  if (at < 0) return state;
  const cards = list.cards.filter((_, number) => number !== at);
  return { ...withList(state, id, (each) => ({ ...each, cards })), deleted: { card: list.cards[at], from: id, at } };
}

/**
 * A card before another one of the same list, in that one's section or the one that is said; `before` is the key of
 * that one, "" for the end. Where the section has the card already, the two become one.
 */
export function moveCard(state, id, key, before, section) {
  const list = listCalled(state, id);
  const it = list?.cards.find((each) => keyOf(each) === key);
  if (!it || !Object.hasOwn(SECTIONS, section ?? it.section)) return state;
  const placed = section && section !== it.section ? { ...it, section } : it;
  const twin = placed === it ? undefined : list.cards.find((each) => keyOf(each) === keyOf(placed));
  let { cards } = list;
  if (twin) {
    const both = { ...twin, count: countOf(twin.count + it.count) };
    cards = cards.filter((each) => each !== it).map((each) => (each === twin ? both : each));
  } else {
    if (placed !== it) cards = cards.map((each) => (each === it ? placed : each));
    cards = moved(cards, (each) => each === placed, (each) => keyOf(each) === before);
  }
  return cards === list.cards ? state : withList(state, id, (each) => ({ ...each, cards }));
}

/** What was deleted last is there again, where it was; a card whose list is gone stays away. */
export function undo(state) {
  const { deleted } = state;
  if (!deleted) return state;
  const rest = { ...state, deleted: null };
  const { at } = deleted;
  if (deleted.list) {
    if (listCalled(state, deleted.list.id)) return rest;
    return { ...rest, lists: [...state.lists.slice(0, at), deleted.list, ...state.lists.slice(at)] };
  }
  const list = listCalled(state, deleted.from);
  if (!list) return rest;
  if (list.cards.some((each) => keyOf(each) === keyOf(deleted.card))) return addCard(rest, list.id, deleted.card, deleted.card.count, deleted.card.section);
  const cards = [...list.cards.slice(0, at), deleted.card, ...list.cards.slice(at)];
  return withList(rest, list.id, (each) => ({ ...each, cards }));
}

/** The cards of a section, in their order. */
export const sectionOf = (list, section) => list.cards.filter((card) => card.section === section);

/** How many cards, each as often as it is there. */
export const totalOf = (cards) => cards.reduce((sum, { count }) => sum + count, 0);
