// The search box: what is typed is looked up where the nodes come from, arrows walk the matches.

import { el, icon } from "./dom.js";

/**
 * Wire `input` with its `list`.
 *
 * @param search(typed) → promise of [{id, label, kind, hint}]
 * @param on {picked(match, more), isShown(id), failed(error)}; `more`: with Shift, to what is there
 */
export function wireSearch(input, list, model, search, on) {
  let matches = [];
  let active = -1;
  let asked = 0;
  let looking = Promise.resolve(); // until the matches are those of what is typed

  const close = () => {
    asked += 1; // what still comes is too late
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const pick = (match, more) => {
    input.value = "";
    close();
    input.blur();
    on.picked(match, more);
  };
  const mark = (number) => {
    active = matches.length ? (number + matches.length) % matches.length : -1;
    [...list.children].forEach((row, each) => row.setAttribute("aria-selected", String(each === active)));
    if (active >= 0) {
      input.setAttribute("aria-activedescendant", `match-${active}`);
      list.children[active].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const look = async () => {
    const mine = ++asked;
    if (!input.value.trim()) return close();
    let found = [];
    try {
      found = await search(input.value);
    } catch (error) {
      if (mine === asked) on.failed(error);
    }
    if (mine !== asked) return; // an earlier answer that comes late changes nothing
    matches = found;
    const rows = matches.map((match, number) =>
      el(
        "li",
        {
          role: "option", id: `match-${number}`, "data-id": match.id,
          onpointerdown: (event) => { event.preventDefault(); pick(match, event.shiftKey); },
        },
        icon(match.kind, model.type(match.kind).shape),
        el("span", { class: "what" }, match.label),
        el("span", { class: "count" }, on.isShown(match.id) ? "" : match.hint || "not shown yet"),
      ),
    );
    if (!rows.length) rows.push(el("li", { class: "none" }, on.none));
    list.replaceChildren(...rows);
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(0);
  };

  input.addEventListener("input", () => { looking = look(); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const { shiftKey } = event;
      looking.then(() => { if (active >= 0) pick(matches[active], shiftKey); });
    } else if (event.key === "Escape") {
      event.stopPropagation();
      input.value = "";
      close();
      input.blur();
    }
  });
}
