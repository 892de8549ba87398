// The legend is the filter: a press hides or shows a type, with Shift it keeps that type alone.

import { el, icon } from "./dom.js";

/** Fill `container`; `changed` is called with the Set of types that are hidden. */
export function drawLegend(container, model, changed) {
  const hidden = new Set();
  const counts = model.counts();
  const buttons = new Map();
  const press = (type, alone) => {
    const others = counts.map(([other]) => other).filter((other) => other !== type);
    if (alone) {
      const isAlone = !hidden.has(type) && others.every((other) => hidden.has(other));
      hidden.clear();
      if (!isAlone) others.forEach((other) => hidden.add(other));
    } else if (!hidden.delete(type)) hidden.add(type);
    for (const [each, button] of buttons) button.setAttribute("aria-pressed", String(!hidden.has(each)));
    changed(hidden);
  };
  for (const [type, count] of counts) {
    const { one, many, shape } = model.about.types[type];
    const button = el(
      "button",
      { type: "button", "aria-pressed": "true", "data-type": type, onclick: (event) => press(type, event.shiftKey) },
      icon(type, shape),
      el("span", {}, count === 1 ? one : many),
      el("span", { class: "count" }, String(count)),
    );
    buttons.set(type, button);
    container.append(button);
  }
}
