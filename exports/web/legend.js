// The legend is the filter: a press hides or shows a type or a relation, with Shift it keeps that one alone.

import { el, icon } from "./dom.js";
import { openMenu } from "./menu.js";

/** The names that are hidden after a press on `name`, of `all` the names that there are. */
export function filtered(hidden, name, all, alone) {
  const others = all.filter((other) => other !== name);
  if (!alone) return hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name];
  const isAlone = !hidden.includes(name) && others.every((other) => hidden.includes(other));
  return isAlone ? [] : others;
}

/** Buttons for the types that occur; `counts` is a Map, `changed` is called with the types to hide. */
export function drawLegend(container, model, counts, hidden, changed) {
  const order = Object.keys(model.about.types).filter((type) => counts.has(type));
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.type : null;
  container.replaceChildren(
    ...order.map((type) => {
      const { one, many, shape } = model.type(type);
      const count = counts.get(type);
      return el(
        "button",
        {
          type: "button", "aria-pressed": String(!hidden.includes(type)), "data-type": type,
          title: "Press: hide or show · Shift: this type alone",
          onclick: (event) => changed(filtered(hidden, type, order, event.shiftKey)),
        },
        icon(type, shape),
        el("span", {}, count === 1 ? one : many),
        el("span", { class: "count" }, String(count)),
      );
    }),
  );
  if (focused) container.querySelector(`[data-type="${CSS.escape(focused)}"]`)?.focus();
}

/** A menu of the relations that occur; `counts` is a Map, `state()` gives those that are hidden. */
export function openRelations(anchor, model, counts, state, changed) {
  const order = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
  openMenu(
    anchor,
    "Relations: press to hide or show, Shift for one alone",
    order.map((relation) => ({
      id: relation,
      text: relationName(relation),
      note: model.about.relations[relation]?.definition,
      count: counts.get(relation),
      checked: () => !state().includes(relation),
      act: (event) => changed(filtered(state(), relation, order, event.shiftKey)),
    })),
  );
}

export function relationName(relation) {
  return relation.replaceAll("_", " ");
}
