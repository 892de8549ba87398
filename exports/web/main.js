// The page: what it carries goes into a model, its buttons to an explorer.

import { Explorer } from "./explorer.js";
import { wireKeys } from "./keys.js";
import { openMenu } from "./menu.js";
import { Model } from "./model.js";
import { savers } from "./save.js";
import { wireSearch } from "./search.js";
import { EmbeddedSource, FetchSource } from "./source.js";

const part = (id) => document.getElementById(id);
const carried = (id) => JSON.parse(part(id).textContent);

const model = new Model(carried("about"));
const source = model.about.source
  ? new FetchSource(model, model.about.source.base)
  : new EmbeddedSource(model, carried("nodes"), carried("edges"));
const explorer = new Explorer(part, model, source, carried("options"));
const { picture } = explorer;

const press = (id, act) => part(id).addEventListener("click", (event) => act(event.currentTarget));
press("closer", () => picture.zoom(1.4));
press("farther", () => picture.zoom(1 / 1.4));
press("whole", () => picture.fit());
press("relax", () => explorer.relax());
press("back", () => explorer.timeline.go(-1));
press("forward", () => explorer.timeline.go(1));
press("undo", () => explorer.timeline.undo(-1));
press("relations", (button) => explorer.openRelations(button));
press("presets", (button) => explorer.openPresets(button));
press("words", () => explorer.change({ words: !explorer.state.words }, { said: "Words on lines" }));
press("as-table", () => explorer.change({ table: explorer.state.table ? "" : "nodes" }, { said: explorer.state.table ? "Picture" : "Table" }));
press("aim-stop", () => explorer.letGo());
press("save", (button) =>
  openMenu(button, "Save what is shown", Object.keys(savers).map((name) => ({
    text: name,
    count: { PNG: "picture", SVG: "picture", CSV: "table", Turtle: "statements" }[name],
    act: async () => {
      const view = { model, picture, ids: explorer.visible, edges: explorer.edges, title: explorer.title, which: explorer.state.table || "ties" };
      await Promise.resolve(savers[name](view)).catch((error) => explorer.fail(error));
    },
  }))),
);
let waiting;
part("depth").addEventListener("input", ({ target }) => {
  part("depth-said").textContent = target.value;
  clearTimeout(waiting);
  waiting = setTimeout(() => explorer.change({ depth: Number(target.value), preset: "" }).then(() => picture.fit()), 120);
});

// Light and dark: as the system has it, until the switch is pressed.
const dark = matchMedia("(prefers-color-scheme: dark)");
const repaint = () => {
  picture.colors = null;
  picture.paint();
};
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
press("theme", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  repaint();
});
dark.addEventListener("change", repaint);

// On a phone the tools lie behind a button and the panel is a sheet at the bottom of the page.
press("tools-button", (button) => {
  const open = part("tools").classList.toggle("open");
  button.setAttribute("aria-expanded", String(open));
});
const narrow = matchMedia("(max-width: 760px)");
const heights = ["low", "half", "full"];
explorer.sheet = (height) => {
  if (!narrow.matches) return;
  const before = part("panel").dataset.height;
  if (height === "half" && before === "full") return;
  part("panel").dataset.height = height;
  part("handle").setAttribute("aria-expanded", String(height !== "low"));
  part("tools").classList.remove("open");
  part("tools-button").setAttribute("aria-expanded", "false");
};
picture.covered = () => (narrow.matches ? Math.max(0, part("picture").getBoundingClientRect().bottom - part("panel").getBoundingClientRect().top) : 0);
const seat = () => (narrow.matches ? part("sheet") : document.body).append(part("footer"));
narrow.addEventListener("change", seat);
seat();
press("handle", () => explorer.sheet(heights[(heights.indexOf(part("panel").dataset.height) + 1) % 3]));
let startY = null;
part("handle").addEventListener("touchstart", (event) => { startY = event.touches[0].clientY; }, { passive: true });
part("handle").addEventListener("touchend", (event) => {
  const moved = event.changedTouches[0].clientY - startY;
  if (Math.abs(moved) < 24) return;
  event.preventDefault();
  const at = heights.indexOf(part("panel").dataset.height) - Math.sign(moved);
  explorer.sheet(heights[Math.max(0, Math.min(2, at))]);
});
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width) picture.fit(false); // not when a phone's address bar comes or goes
  width = innerWidth;
});

wireSearch(part("search"), part("matches"), model, (typed) => source.search(typed), {
  picked: (match, more) => explorer.pick(match, more),
  isShown: (id) => explorer.visible.has(id),
  failed: (error) => explorer.fail(error),
  none: model.about.source ? "Nothing of that name" : "Nothing of that name is in this file",
});
wireKeys(explorer, part);
globalThis.cardlaw = { model, source, picture, explorer };
await explorer.start();
if (!explorer.ids.size && !narrow.matches) part("search").focus();
