// The keys, and the page that tells them.

import { el } from "./dom.js";
import { closeMenu } from "./menu.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

const TOLD = [
  ["/", "search"],
  ["← ↑ → ↓", "walk to a neighbor"],
  ["Enter", "expand; with a menu where there are several relations"],
  ["Esc", "let go, close"],
  ["Delete", "dismiss"],
  ["K", "keep only what is lit"],
  ["I", "pin"],
  ["F", "start here"],
  ["P", "path to …"],
  ["M", "menu of the node"],
  ["T", "table or picture"],
  ["W", "words on all lines"],
  ["0 + −", "fit, zoom"],
  ["Ctrl Z, Ctrl Y", "undo, redo"],
  ["Ctrl or Shift and a press", "choose several"],
  ["Shift and a press on the legend", "keep one type alone"],
  ["?", "this list"],
];

export function wireKeys(explorer, part) {
  const help = part("help");
  part("keys").replaceChildren(...TOLD.flatMap(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)]));
  part("help-button").addEventListener("click", () => help.showModal());
  part("help-close").addEventListener("click", () => help.close());
  const open = () => explorer.open || (explorer.state.focus.length === 1 && explorer.fresh ? explorer.state.focus[0] : "");
  const keys = {
    "/": () => part("search").focus(),
    "?": () => help.showModal(),
    Escape: () => explorer.letGo(),
    Enter: () => open() && explorer.expand(open()),
    Delete: () => open() && explorer.act("dismiss", open()),
    Backspace: () => open() && explorer.act("dismiss", open()),
    k: () => open() && explorer.act("keep", open()),
    i: () => open() && explorer.act("pin", open()),
    f: () => open() && explorer.act("focus", open()),
    p: () => open() && explorer.act("path", open()),
    m: () => open() && explorer.menu(open(), explorer.picture.onScreen(open())),
    t: () => part("as-table").click(),
    w: () => part("words").click(),
    0: () => explorer.picture.fit(),
    "+": () => explorer.picture.zoom(1.4),
    "=": () => explorer.picture.zoom(1.4),
    "-": () => explorer.picture.zoom(1 / 1.4),
  };
  document.addEventListener("keydown", (event) => {
    if (help.open || event.defaultPrevented) return;
    const { target } = event;
    if (target.closest?.("input:not([type=range]), textarea")) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && (event.key === "z" || event.key === "Z" || event.key === "y")) {
      event.preventDefault();
      explorer.timeline.undo(event.key === "z" ? -1 : 1);
      return;
    }
    if (control || event.altKey) return;
    const inPicture = target === document.body || part("picture").contains(target);
    if (inPicture && ARROWS[event.key]) {
      event.preventDefault();
      explorer.walk(ARROWS[event.key]);
    } else if (event.key === "Enter" && !inPicture) return; // a button is pressed with it
    else if (keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]) {
      event.preventDefault();
      keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]();
    }
  });
  part("picture").addEventListener("focus", () => closeMenu());
}
