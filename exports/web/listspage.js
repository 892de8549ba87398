// The page of lists: what is kept, shown; a change is kept first and then shown, here and in other tabs. Focus stays
// on what was pressed: each control has a key by which it is found again.

import { el } from "./dom.js";
import { offer } from "./files.js";
import { wireDrag } from "./listdrag.js";
import { DECK_FILES, deckFile, plainDeck } from "./listfiles.js";
import { ListKeeper, newId } from "./listkeep.js";
import {
  addList, deleteList, keyOf, listCalled, MOST, moveCard, moveList, removeCard, renameList, SECTIONS, sectionOf, setCount,
  totalOf, undo,
} from "./lists.js";

const FOCI = 100; // nodes from which the explorer starts at most
const part = (id) => document.getElementById(id);
const place = part("lists");
const { node: nodePath, search: searchPath, deck: deckPath, explore: explorePath } = place.dataset;
const keeper = new ListKeeper();
const open = new Set();
let renaming = "";

// Changes

/** Change, show it and tell it; `focus`: key of the control to be on afterwards. */
function change(how, told, focus) {
  const before = keeper.state;
  const wrong = keeper.change(how);
  const is = keeper.state !== before;
  draw(focus);
  if (wrong || is) tell(wrong || told);
  return is;
}

function tell(words) {
  part("told").textContent = words;
}

const plural = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

function counted({ cards }) {
  const [commander, main, sideboard] = Object.keys(SECTIONS).map((section) => totalOf(cards.filter((card) => card.section === section)));
  return [
    plural(commander + main, "card"),
    commander && `${commander} as commander`,
    sideboard && `${sideboard} in the sideboard`,
  ].filter(Boolean).join(", ");
}

// What is shown

const button = (text, key, act, more = {}) => el("button", { type: "button", "data-key": key, onclick: act, ...more }, text);

function draw(focus) {
  const { state } = keeper;
  const had = focus ?? document.activeElement?.dataset?.key;
  place.replaceChildren(...state.lists.map((list, at) => drawn(list, at, state.lists)));
  part("none").hidden = state.lists.length > 0;
  part("warning").textContent = keeper.warning;
  part("aside").hidden = keeper.unreadable === null;
  const { deleted } = state;
  part("undo").hidden = !deleted;
  part("undo").textContent = deleted ? `Bring back “${(deleted.list ?? deleted.card).name}”` : "";
  if (had) focusOn(had);
}

function focusOn(key) {
  const there = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key && !each.hidden);
  if (!there?.disabled) return void there?.focus();
  // At an end a button can do no more; its neighbor can.
  (there.parentElement.querySelector("button:not(:disabled)") ?? there).focus();
}

function drawn(list, at, all) {
  const isOpen = open.has(list.id);
  const key = (what) => `${list.id} ${what}`;
  const head = el(
    "div",
    { class: "list-head" },
    el("span", { class: "handle", "aria-hidden": "true", title: "Drag" }, "⠿"),
    el("h2", {}, button(list.name, key("open"), () => unfold(list.id), { "aria-expanded": String(isOpen), class: "fold" })),
    el("p", { class: "note" }, counted(list)),
    el("span", { class: "moves" },
      button("↑", key("up"), () => shift(list, all[at - 1].id, at), { "aria-label": `Move the list ${list.name} up`, disabled: at === 0 ? "" : null }),
      button("↓", key("down"), () => shift(list, all[at + 2]?.id ?? "", at + 2), { "aria-label": `Move the list ${list.name} down`, disabled: at === all.length - 1 ? "" : null })),
  );
  return el("article", { class: "list", "data-list": list.id, "aria-label": list.name }, head, isOpen ? body(list, key) : null);
}

function shift(list, before, to) {
  change((state) => moveList(state, list.id, before), `${list.name}: ${to} of ${keeper.state.lists.length} lists`);
}

function unfold(id) {
  if (!open.delete(id)) open.add(id);
  draw();
}

function body(list, key) {
  const sections = Object.keys(SECTIONS).filter((section) => sectionOf(list, section).length);
  return el(
    "div",
    { class: "list-body" },
    renaming === list.id
      ? renamer(list, key)
      : el("p", { class: "acts" },
        button("Rename", key("rename"), () => startRenaming(list)),
        button("Delete the list", key("delete"), () => change((state) => deleteList(state, list.id), `The list “${list.name}” is deleted.`, "undo"))),
    ...sections.map((section) => cards(list, section, key)),
    sections.length ? outward(list, key) : el("p", { class: "note" }, "It has no cards yet: “Add to list” stands on the page of each card."),
  );
}

function renamer(list, key) {
  const field = el("input", { type: "text", id: "rename", "data-key": key("name"), value: list.name, maxlength: MOST.name, autocomplete: "off" });
  const done = () => {
    renaming = "";
    if (!change((state) => renameList(state, list.id, field.value), `The list is called “${field.value.trim()}”.`, key("rename"))) tell("");
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") done();
    else if (event.key === "Escape") stopRenaming(key("rename"));
    else return;
    event.preventDefault(); // or Enter would press the button that has the focus now
  });
  return el("p", { class: "renamer" }, el("label", { for: "rename" }, "Name of the list"), " ", field, " ",
    button("Keep this name", key("named"), done), " ", button("Cancel", key("unnamed"), () => stopRenaming(key("rename"))));
}

function startRenaming(list) {
  renaming = list.id;
  draw(`${list.id} name`);
  part("rename").select();
}

function stopRenaming(focus) {
  renaming = "";
  draw(focus);
}

function cards(list, section, key) {
  const rows = sectionOf(list, section);
  return el(
    "section",
    { "aria-label": `${SECTIONS[section]} of ${list.name}` },
    el("h3", {}, SECTIONS[section], " ", el("small", {}, String(totalOf(rows)))),
    el("ol", { class: "cards" }, ...rows.map((card, at) => row(list, card, at, rows, key))),
  );
}

function row(list, card, at, rows, key) {
  const own = keyOf(card);
  const of = (what) => key(`${what} ${own}`);
  const count = el("input", { type: "number", min: 1, max: MOST.count, value: card.count, "data-key": of("count"), inputmode: "numeric", "aria-label": `How many ${card.name}`, onchange: ({ target }) => {
    if (!change((state) => setCount(state, list.id, own, target.value), `${card.name}: ${target.value}`)) target.value = card.count;
  } });
  const where = el("select", { "data-key": of("where"), "aria-label": `Section of ${card.name}`, onchange: ({ target }) => {
    const to = target.value;
    change((state) => moveCard(state, list.id, own, "", to), `${card.name}: ${SECTIONS[to].toLowerCase()}`, key(`where ${keyOf({ ...card, section: to })}`));
  } }, ...Object.entries(SECTIONS).map(([value, text]) => el("option", { value, selected: value === card.section ? "" : null }, text)));
  const move = (before, to) => change((state) => moveCard(state, list.id, own, before), `${card.name}: ${to} of ${rows.length}`);
  const next = rows[at + 1] ?? rows[at - 1];
  return el(
    "li",
    { class: "card-row", "data-row": own },
    el("span", { class: "handle", "aria-hidden": "true", title: "Drag" }, "⠿"),
    count,
    el("a", { href: addressOf(card) }, card.name),
    where,
    el("span", { class: "moves" },
      button("↑", of("up"), () => move(keyOf(rows[at - 1]), at), { "aria-label": `Move ${card.name} up`, disabled: at === 0 ? "" : null }),
      button("↓", of("down"), () => move(rows[at + 2] ? keyOf(rows[at + 2]) : "", at + 2), { "aria-label": `Move ${card.name} down`, disabled: at === rows.length - 1 ? "" : null })),
    button("×", of("remove"), () => change((state) => removeCard(state, list.id, own), `${card.name} is taken out.`, next ? key(`remove ${keyOf(next)}`) : "undo"), { "aria-label": `Take ${card.name} out`, title: "Take it out" }),
  );
}

/** The page of a card or, where nobody knows whether there is one, the search for its name. */
function addressOf({ card, name }) {
  if (nodePath && card) return `${nodePath}${card.replace(":", "/")}`;
  return `${searchPath}?${new URLSearchParams({ q: name })}`;
}

/** All that leads out of the page: files, the clipboard, the deck view and the explorer. */
function outward(list, key) {
  const files = Object.entries(DECK_FILES).map(([form, { text }]) => button(text, key(`file ${form}`), () => {
    const { name, media, content } = deckFile(list, form);
    offer(name, content, media);
    tell(`Saved as ${name}.`);
  }));
  const copy = button("Copy", key("copy"), async () => {
    const done = await copied(plainDeck(list));
    tell(done ? "The list is copied." : "This browser lets no page copy: save it as text instead.");
  });
  const ids = [...new Set(list.cards.map(({ card }) => card).filter(Boolean))];
  const drawn = ids.slice(0, FOCI);
  return el(
    "div",
    { class: "outward" },
    el("p", { class: "acts" }, el("span", {}, "Save as"), ...files, copy),
    deckPath
      ? el("form", { class: "acts", method: "post", action: deckPath }, el("input", { type: "hidden", name: "list", value: plainDeck(list) }), el("button", { class: "main", "data-key": key("deck") }, "Open in the deck view"),
        explorePath && drawn.length ? el("a", { href: `${explorePath}#focus=${drawn.join(",")}` }, drawn.length < ids.length ? `Open ${FOCI} of them in the explorer` : "Open in the explorer") : null)
      : el("p", { class: "note" }, el("code", {}, "cardlaw deck FILE"), " opens a file that was saved here: its rules, keywords, themes and mana curve."),
  );
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Addresses without TLS and files may not have the clipboard of today.
    const area = el("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// What stands around the lists

function create() {
  const field = part("new-name");
  const id = newId();
  open.add(id);
  if (change((state) => addList(state, id, field.value), "", `${id} open`)) {
    tell(`The list “${listCalled(keeper.state, id).name}” is there.`);
    field.value = "";
  } else open.delete(id);
}

part("new").addEventListener("submit", (event) => {
  event.preventDefault();
  create();
});
part("undo").addEventListener("click", () => {
  const { deleted } = keeper.state;
  const there = deleted?.list?.id ?? deleted?.from;
  open.add(there);
  change(undo, `“${(deleted?.list ?? deleted?.card)?.name}” is back.`, `${there} open`);
});
part("aside-save").addEventListener("click", () => offer("lists-unreadable.json", keeper.unreadable, "application/json"));
part("aside-forget").addEventListener("click", () => {
  keeper.forgetUnreadable();
  draw();
  tell("It is forgotten.");
});
wireDrag(place, {
  rows: (handle) => [...(handle.closest(".card-row") ? handle.closest(".list").querySelectorAll(".card-row") : place.children)],
  drop: (handle, target, before) => {
    const id = handle.closest(".list").dataset.list;
    const next = before ? target : target.nextElementSibling;
    const own = handle.closest(".card-row")?.dataset.row;
    if (own === undefined) return change((state) => moveList(state, id, next?.dataset.list ?? ""), "The list is moved.");
    const { cards: all } = listCalled(keeper.state, id);
    const { section } = all.find((card) => keyOf(card) === target.dataset.row) ?? {};
    return change((state) => moveCard(state, id, own, next?.dataset.row ?? "", section), "The card is moved.");
  },
});
keeper.follow(() => {
  const { activeElement: field } = document;
  const typed = field?.matches("#lists input") && field.value !== field.defaultValue ? field.value : null;
  draw();
  if (typed !== null && document.activeElement.matches("#lists input")) document.activeElement.value = typed;
});
addEventListener("hashchange", () => wanted());

/** The list that the address names is open and in sight. */
function wanted() {
  let id = "";
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    // an address that somebody cut off
  }
  if (!listCalled(keeper.state, id)) return false;
  open.add(id);
  draw(`${id} open`);
  return true;
}

part("app").hidden = false;
part("on-disk").hidden = location.protocol !== "file:";
if (keeper.state.lists.length === 1) open.add(keeper.state.lists[0].id);
if (!wanted()) draw();
