// The search box: what is typed is looked up among the nodes shown, arrows walk the matches.

import { el, icon } from "./dom.js";
import { oneLine } from "./model.js";

/** Wire `input` with its `list`; `chosen` is called with the id of the node that was picked. */
export function wireSearch(input, list, model, chosen) {
  let matches = [];
  let active = -1;

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const pick = (node) => {
    input.value = "";
    close();
    input.blur();
    chosen(node.id);
  };
  const mark = (number) => {
    active = matches.length ? (number + matches.length) % matches.length : -1;
    [...list.children].forEach((row, each) => row.setAttribute("aria-selected", String(each === active)));
    if (active >= 0) input.setAttribute("aria-activedescendant", `match-${active}`);
  };
  const look = () => {
    matches = model.search(input.value);
    const rows = matches.map((node, number) =>
      el(
        "li",
        { role: "option", id: `match-${number}`, onpointerdown: (event) => { event.preventDefault(); pick(node); } },
        icon(node.kind, node.shape),
        el("span", {}, oneLine(node.label)),
      ),
    );
    if (!rows.length) rows.push(el("li", { class: "none" }, "Nothing of that name is shown here"));
    list.replaceChildren(...rows);
    list.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(0);
  };

  input.addEventListener("input", look);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && matches[active]) pick(matches[active]);
    else if (event.key === "Escape") {
      event.stopPropagation();
      input.value = "";
      input.blur();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, textarea")) {
      event.preventDefault();
      input.focus();
    }
  });
}
