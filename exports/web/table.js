// The same as a table: nodes or ties, sorted by any column, filtered by what is typed.

import { el, icon } from "./dom.js";
import { relationName } from "./legend.js";
import { named, oneLine, plain } from "./model.js";

const SHOWN_AT_MOST = 2000;

/** Name of a column → the value of it; what is shown, and what is written into a file. */
export function columns(model, which, ids) {
  const name = (id) => oneLine(model.nodes.get(id).heading || model.nodes.get(id).label);
  if (which === "nodes")
    return [
      ["Type", (node) => model.type(node.kind).one],
      ["Name", (node) => oneLine(node.heading || node.label)],
      ["Words", (node) => node.words],
      ["Ties", (node) => model.ties.get(node.id).filter((edge) => ids.has(edge.from) && ids.has(edge.to)).length],
      ["Not shown", (node) => [...model.hidden(node.id, ids).values()].reduce((sum, { here, beyond }) => sum + here.length + beyond, 0)],
      ["ID", (node) => node.id],
    ];
  return [
    ["From", (edge) => (model.nodes.get(edge.from).kind === "ability" ? named(model.nodes.get(edge.from)) : name(edge.from))],
    ["Relation", (edge) => relationName(edge.relation)],
    ["To", (edge) => name(edge.to)],
    ["Words", (edge) => [...new Set(edge.evidence.map(({ quote }) => quote))].join(" · ")],
    ["Rule", (edge) => [...new Set(edge.evidence.map(({ rule }) => rule ?? ""))].join(" · ")],
    ["Entry", (edge) => [...new Set(edge.evidence.map(({ entry }) => entry ?? ""))].join(" · ")],
    ["From ID", (edge) => edge.from],
    ["To ID", (edge) => edge.to],
  ];
}

export class Table {
  /** `on` has node(id), edge(id) and which(name): what was pressed. */
  constructor(container, model, on) {
    this.container = container;
    this.model = model;
    this.on = on;
    this.sorted = { nodes: [-1, 1], ties: [-1, 1] };
    this.filter = "";
    this.input = el("input", {
      type: "search", placeholder: "Filter rows", "aria-label": "Filter rows", spellcheck: "false",
      oninput: () => { this.filter = this.input.value; this.#rows(); },
    });
    this.tabs = ["nodes", "ties"].map((which) =>
      el("button", { type: "button", role: "tab", "data-which": which, onclick: () => on.which(which) }, which === "nodes" ? "Nodes" : "Ties"));
    this.said = el("span", { class: "note", role: "status" });
    this.table = el("table");
    container.append(
      el("div", { class: "above" }, el("div", { role: "tablist", "aria-label": "Rows" }, ...this.tabs), this.input, this.said),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, this.table),
    );
  }

  /** Show what is in the view. */
  show(which, ids, edges, open) {
    this.which = which;
    this.items = which === "nodes" ? [...ids].map((id) => this.model.nodes.get(id)) : [...edges].map((id) => this.model.edges.get(id));
    this.columns = columns(this.model, which, ids);
    this.open = open;
    for (const tab of this.tabs) tab.setAttribute("aria-selected", String(tab.dataset.which === which));
    this.#rows();
  }

  #rows() {
    const { columns: shown, which } = this;
    const [by, way] = this.sorted[which];
    const wanted = plain(this.filter);
    let rows = this.items.map((item) => ({ item, cells: shown.map(([, value]) => value(item)) }));
    if (wanted) rows = rows.filter(({ cells }) => cells.some((cell) => plain(String(cell)).includes(wanted)));
    const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
    const compare = (a, b) => (typeof a === "number" ? a - b : collator.compare(a, b));
    if (by >= 0) rows.sort((a, b) => way * compare(a.cells[by], b.cells[by]));
    this.said.textContent = rows.length === this.items.length ? `${rows.length} rows` : `${rows.length} of ${this.items.length} rows`;
    const head = shown.map(([name], at) =>
      el(
        "th",
        { scope: "col", "aria-sort": at === by ? (way > 0 ? "ascending" : "descending") : null },
        el("button", {
          type: "button", "data-column": name,
          onclick: () => {
            this.sorted[which] = at !== by ? [at, 1] : way > 0 ? [at, -1] : [-1, 1];
            this.#rows();
            this.table.querySelector(`[data-column="${name}"]`).focus();
          },
        }, name),
      ),
    );
    const body = rows.slice(0, SHOWN_AT_MOST).map(({ item, cells }) => {
      const press = () => (which === "nodes" ? this.on.node(item.id) : this.on.edge(item.id));
      const main = which === "nodes" ? 1 : 0;
      return el(
        "tr",
        { "data-row": item.id, "aria-current": item.id === this.open ? "true" : null },
        ...cells.map((cell, at) => {
          const text = typeof cell === "number" ? cell.toLocaleString("en") : cell;
          const inside = at === main
            ? el("button", { type: "button", class: "row", onclick: press }, which === "nodes" ? icon(item.kind, this.model.type(item.kind).shape) : null, el("span", {}, text))
            : el("span", {}, text);
          return el("td", { class: typeof cell === "number" ? "number" : null }, inside);
        }),
      );
    });
    this.table.replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body));
  }
}
