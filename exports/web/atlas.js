// One state, shown by the map, the panel and the table: what is chosen, how it is colored, what is hidden.

import { el, icon } from "./dom.js";
import { Atlas, KINDS, unpack } from "./atlasdata.js";
import { categories, css, MODES, palette } from "./atlascolors.js";
import { AtlasMap } from "./atlasmap.js";
import { Panel } from "./atlaspanel.js";
import { Index, wireFind } from "./atlassearch.js";
import { Table } from "./atlastable.js";

const part = (id) => document.getElementById(id);
const about = JSON.parse(part("about").textContent);

/** The bytes of a file of the atlas: carried by the page, or asked for. */
async function bytes(name) {
  if (!about.source) return Uint8Array.from(atob(part(name).textContent), (letter) => letter.codePointAt(0));
  const answer = await fetch(about.source[name]);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** Whether a map can be drawn here; the libraries that do it are set to work, which without WebGL they cannot. */
async function drawsHere() {
  const canvas = document.createElement("canvas");
  if (!(canvas.getContext("webgl2") || canvas.getContext("webgl"))) return false;
  for (const carried of document.querySelectorAll("script.library")) {
    const script = document.createElement("script");
    const { src } = carried.dataset;
    const done = src && new Promise((resolve) => (script.onload = script.onerror = resolve));
    if (src) script.src = src;
    else script.textContent = carried.textContent;
    document.head.append(script);
    await done;
  }
  return Boolean(globalThis.Sigma && globalThis.graphology);
}

const draws = drawsHere();
const places = await bytes("places")
  .then(unpack)
  .catch((error) => {
    part("wait").textContent = `The map could not be had: ${error.message}`;
    throw error;
  });
const atlas = new Atlas(places, about, () => bytes("ties"));
const index = new Index(atlas);
const hidden = { kinds: new Set(), categories: new Set() };
let mode = "chapter";
let chosen = -1;
const isHidden = (node) =>
  hidden.kinds.has(atlas.kind(node)) || hidden.categories.has(MODES[mode].of(atlas, node));

const go = {
  async node(node, { fly = true } = {}) {
    chosen = node;
    remember();
    if (node < 0) {
      map?.choose(-1);
      panel.overview();
      return;
    }
    open(true);
    if (!atlas.ties) panel.waiting(node);
    if (fly && map) map.visit(node);
    try {
      await atlas.load();
    } catch {
      if (chosen === node) panel.failed(node);
      return;
    }
    if (chosen !== node) return;
    map?.choose(node);
    panel.node(node);
    part("said").textContent = `${atlas.title(node)}: ${atlas.neighbors(node).length.toLocaleString("en")} ties`;
  },
  region(region) {
    showMap();
    map?.visitRegion(region);
    part("said").textContent = `Island ${atlas.regionName(region)}`;
  },
};

const panel = new Panel(part("panel"), atlas, go);
const table = new Table(part("table"), atlas, index, isHidden, (node) => go.node(node));
const map = (await draws)
  ? new AtlasMap(part("map"), atlas, {
      chosen: (node) => go.node(node, { fly: false }),
    })
  : null;

wireFind(part("search"), part("matches"), index, (node) => go.node(node));
part("wait").remove();
part("legend").open = innerWidth > 1000; // on a small screen it would be in the way
drawLegends();
panel.overview();

/** Show or hide the panel. */
function open(wanted) {
  if (document.body.classList.contains("opened") === wanted) return;
  document.body.classList.toggle("opened", wanted);
  map?.resized();
}

// Map or table

function showMap() {
  if (!map) return;
  document.body.classList.remove("tabled");
  part("as-table").setAttribute("aria-pressed", "false");
}

async function showTable() {
  document.body.classList.add("tabled");
  part("as-table").setAttribute("aria-pressed", "true");
  await atlas.load().catch(() => {}); // without them the counts are missing
  table.open();
}

part("as-table").addEventListener("click", () => (document.body.classList.contains("tabled") ? showMap() : showTable()));
part("close").addEventListener("click", () => {
  open(false);
  go.node(-1);
});
part("about-map").addEventListener("click", () => {
  open(chosen >= 0 || !document.body.classList.contains("opened"));
  if (chosen >= 0) go.node(-1);
});
if (!map) {
  part("no-map").hidden = false;
  part("as-table").hidden = true;
  showTable();
}

// Colors and filters

function drawLegends() {
  part("kinds").replaceChildren(
    ...KINDS.map((kind, number) => {
      const count = (atlas.firsts[number + 1] ?? atlas.size) - atlas.firsts[number];
      return toggle(hidden.kinds, number, icon(kind.id, kind.shape), kind.many, count);
    }).filter(Boolean),
  );
  const counts = new Map();
  for (let node = 0; node < atlas.size; node += 1) {
    const category = MODES[mode].of(atlas, node);
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  const colors = palette(mode, atlas);
  part("categories").replaceChildren(
    ...categories(mode, atlas).map(([, name], number) => {
      const swatch = el("i", { class: "swatch" });
      swatch.style.background = css(colors[number].card);
      return counts.get(number) && toggle(hidden.categories, number, swatch, name, counts.get(number));
    }).filter(Boolean),
  );
  part("note").textContent = MODES[mode].note;
  for (const input of document.querySelectorAll("input[name=mode]")) input.checked = input.value === mode;
}

function toggle(set, number, picture, name, count) {
  if (!count) return null;
  const button = el("button", { type: "button", "aria-pressed": String(!set.has(number)), onclick: () => {
    if (!set.delete(number)) set.add(number);
    button.setAttribute("aria-pressed", String(!set.has(number)));
    refilter();
  } }, picture, el("span", {}, name), el("span", { class: "count" }, count.toLocaleString("en")));
  return button;
}

function refilter() {
  if (map) {
    map.hiddenKinds = hidden.kinds;
    map.hiddenCategories = hidden.categories;
    map.recolor();
  }
  table.refill();
}

function setMode(wanted) {
  mode = wanted;
  hidden.categories.clear();
  map?.setMode(mode);
  drawLegends();
  table.refill();
  remember();
}

for (const input of document.querySelectorAll("input[name=mode]"))
  input.addEventListener("change", () => setMode(input.value));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  map?.restyle();
  drawLegends();
});

// Keys, and the address that brings all this back

part("closer").addEventListener("click", () => map.zoom(1.6));
part("farther").addEventListener("click", () => map.zoom(1 / 1.6));
part("whole").addEventListener("click", () => map.whole());
const KEYS = {
  ArrowLeft: () => map.pan(-0.2, 0),
  ArrowRight: () => map.pan(0.2, 0),
  ArrowUp: () => map.pan(0, -0.2),
  ArrowDown: () => map.pan(0, 0.2),
  "+": () => map.zoom(1.6),
  "=": () => map.zoom(1.6),
  "-": () => map.zoom(1 / 1.6),
  0: () => map.whole(),
  Enter: () => go.node(map.central(), { fly: false }),
};
part("map").addEventListener("keydown", (event) => {
  if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  KEYS[event.key]();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  open(false);
  go.node(-1);
});

function remember() {
  const said = new URLSearchParams();
  if (chosen >= 0) said.set("focus", atlas.prefixed(chosen));
  if (mode !== "chapter") said.set("color", mode);
  history.replaceState(null, "", `#${said}`);
}

function recall() {
  const said = new URLSearchParams(location.hash.slice(1));
  const wanted = said.get("color") ?? "chapter";
  if (wanted in MODES && wanted !== mode) setMode(wanted);
  const focus = atlas.find(said.get("focus") ?? "");
  if (focus >= 0 && focus !== chosen) go.node(focus);
}
addEventListener("hashchange", recall);

globalThis.cardlaw = { atlas, index, map, panel, table, go, ready: performance.now() };
recall();
if (map) setTimeout(() => map.drawBackbone());
