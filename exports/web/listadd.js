// “Add to list” for one card: two buttons that open a small form in the page, and a line that says what was done.
// It is the same on a card's page, in the explorer and in the atlas; the form's own keys stay in it.

import { el } from "./dom.js";
import { offer } from "./files.js";
import { deckFile, plainDeck } from "./listfiles.js";
import { ListKeeper, newId } from "./listkeep.js";
import { addCard, addList, countOf, freeName, keyOf, listCalled, MOST, SECTIONS } from "./lists.js";

const keeper = new ListKeeper();
let addings = 0; // so that ids differ

/**
 * @param card {card: "card:…", name, layout}
 * @param lists address of the page of lists; where there is none, a list can be taken along from here
 */
export function addToList(card, lists = "") {
  addings += 1;
  const id = `addlist-${addings}`;
  const [which, section] = [el("select", { id: `${id}-list` }), el("select", { id: `${id}-section` })];
  section.append(...Object.entries(SECTIONS).reverse().map(([value, text]) => el("option", { value, selected: value === "main" ? "" : null }, text)));
  const name = el("input", { id: `${id}-name`, type: "text", maxlength: MOST.name, autocomplete: "off" });
  const count = el("input", { id: `${id}-count`, type: "number", min: 1, max: MOST.count, step: 1, value: 1, inputmode: "numeric" });
  const named = el("p", { class: "wide" }, el("label", { for: name.id }, "Name"), name);
  const said = el("p", { class: "addlist-said", role: "status" });
  const form = el(
    "div",
    { class: "addlist-form", id, role: "group", "aria-label": `Add ${card.name} to a list`, hidden: "" },
    el("p", { class: "wide" }, el("label", { for: which.id }, "List"), which),
    named,
    el("p", {}, el("label", { for: count.id }, "How many"), count),
    el("p", {}, el("label", { for: section.id }, "Where"), section),
    el("p", { class: "do" },
      el("button", { type: "button", class: "main", onclick: () => add() }, "Add"),
      el("button", { type: "button", onclick: () => close() }, "Cancel")),
  );
  const opener = (text, isDeck) => el("button", { type: "button", "aria-expanded": "false", "aria-controls": id, onclick: (event) => (form.hidden || opened !== event.currentTarget ? open(event.currentTarget, isDeck) : close()) }, text);
  const openers = [opener("Add to list", false), opener("Start a deck with it", true)];
  let opened = openers[0];

  function open(button, isDeck) {
    opened = button;
    const { state } = keeper;
    const has = ({ cards }) => cards.filter((each) => (each.card || each.name) === (card.card || card.name)).reduce((sum, each) => sum + each.count, 0);
    const options = state.lists.map((list) => el("option", { value: list.id }, has(list) ? `${list.name} (has ${has(list)})` : list.name));
    which.replaceChildren(...options, el("option", { value: "" }, "A new list"));
    which.value = isDeck ? "" : (listCalled(state, state.last) ?? state.lists.at(-1))?.id ?? "";
    name.value = freeName(state, isDeck ? `Deck with ${card.name}` : "My list");
    form.hidden = false;
    for (const each of openers) each.setAttribute("aria-expanded", String(each === button));
    choose();
    said.replaceChildren(keeper.warning);
    (which.value || options.length ? which : name).focus();
  }

  function choose() {
    named.hidden = which.value !== "";
  }

  function close() {
    form.hidden = true;
    for (const each of openers) each.setAttribute("aria-expanded", "false");
    if (form.contains(document.activeElement) || document.activeElement === document.body) opened.focus();
  }

  function add() {
    const number = countOf(count.value);
    if (!(number >= 1)) return tell(count, `How many? A number from 1 to ${MOST.count}.`);
    let list = which.value;
    if (list && !listCalled(keeper.state, list)) {
      open(opened, false);
      return tell(which, "That list is no longer there. Choose another one.");
    }
    if (!list && !name.value.trim()) return tell(name, "What is the new list called?");
    const wanted = name.value;
    const isNew = !list;
    if (isNew) list = newId();
    const before = keeper.state;
    const wrong = keeper.change((state) => addCard(isNew ? addList(state, list, wanted) : state, list, card, number, section.value));
    if (wrong || keeper.state === before) return tell(null, wrong || "The list can hold no more.");
    const kept = listCalled(keeper.state, list);
    const there = kept.cards.find((each) => keyOf(each) === keyOf({ ...card, section: section.value }));
    const now = there.count > number ? `, now ${there.count}` : "";
    close();
    count.value = "1";
    said.replaceChildren(`Added ${number} to “${kept.name}”, ${SECTIONS[section.value].toLowerCase()}${now}. `, ...onward(list));
    return undefined;
  }

  /** What can be done with a list from here. */
  function onward(list) {
    const link = lists && el("a", { href: `${lists}#${encodeURIComponent(list)}` }, "Open the list");
    // Of pages on a disk, some browsers keep the lists of each file apart: then it is better taken along from here.
    if (link && location.protocol !== "file:") return [link];
    const file = () => deckFile(listCalled(keeper.state, list), "text");
    const save = el("button", { type: "button", class: "small", onclick: () => offer(file().name, file().content, file().media) }, "Save the list");
    const copy = el("button", { type: "button", class: "small", onclick: async () => {
      try {
        await navigator.clipboard.writeText(plainDeck(listCalled(keeper.state, list)));
        copy.textContent = "Copied";
      } catch {
        copy.textContent = "It cannot be copied here";
      }
    } }, "Copy the list");
    return [link, " ", save, " ", copy];
  }

  function tell(field, words) {
    said.replaceChildren(words);
    field?.focus();
  }

  which.addEventListener("change", choose);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target.matches("input")) add();
    else if (event.key !== "Tab") return void event.stopPropagation();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return el("div", { class: "addlist" }, el("p", { class: "addlist-open" }, ...openers), form, said);
}
