// A menu beside what was pressed: one at a time, walked with arrows, closed by Escape or a press elsewhere.

import { el } from "./dom.js";

let open = null;

export function closeMenu() {
  if (!open) return false;
  const { menu, back, away } = open;
  open = null;
  document.removeEventListener("pointerdown", away, true);
  if (menu.contains(document.activeElement)) back?.focus?.({ preventScroll: true });
  menu.remove();
  return true;
}

/**
 * @param anchor an element, or {x, y} in pixels of the window
 * @param label what the menu is about
 * @param items [{text, count, note, icon, checked, act(event)}]; one with `checked` leaves the menu open
 */
export function openMenu(anchor, label, items) {
  const again = open?.anchor === anchor;
  closeMenu();
  if (again) return;
  const back = document.activeElement;
  const rows = items.map((item) => {
    const toggles = item.checked !== undefined;
    const row = el(
      "button",
      {
        type: "button", role: toggles ? "menuitemcheckbox" : "menuitem", tabindex: "-1",
        "aria-checked": toggles ? String(item.checked()) : null, title: item.note, "data-item": item.id ?? item.text,
        onclick: (event) => {
          if (!toggles) closeMenu();
          item.act(event);
          if (toggles) rows.forEach((each, at) => each.setAttribute("aria-checked", String(items[at].checked())));
        },
      },
      item.icon,
      el("span", { class: "what" }, item.text),
      item.count === undefined ? null : el("span", { class: "count" }, typeof item.count === "number" ? item.count.toLocaleString("en") : item.count),
    );
    return row;
  });
  const menu = el("div", { class: "menu", role: "menu", "aria-label": label }, el("p", { class: "title", "aria-hidden": "true" }, label), ...rows);
  menu.addEventListener("keydown", (event) => {
    const at = rows.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + (at < 1 ? rows.length : 0), Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) rows[to % rows.length].focus();
    else if (event.key === "Tab" || event.key === "Escape") closeMenu();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  });
  const away = (event) => {
    if (!menu.contains(event.target) && !(anchor instanceof Element && anchor.contains(event.target))) closeMenu();
  };
  document.body.append(menu);
  const box = anchor instanceof Element ? anchor.getBoundingClientRect() : { left: anchor.x, right: anchor.x, top: anchor.y, bottom: anchor.y };
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = Math.max(8, Math.min(box.left, innerWidth - width - 8));
  const below = box.bottom + 6 + height <= innerHeight - 8;
  menu.style.left = `${left}px`;
  menu.style.top = `${Math.max(8, below ? box.bottom + 6 : Math.min(box.top - 6, innerHeight - 8) - height)}px`;
  document.addEventListener("pointerdown", away, true);
  open = { menu, back, away, anchor };
  rows[0]?.focus({ preventScroll: true });
}
