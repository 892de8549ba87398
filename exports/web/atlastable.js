// The same as a table: all nodes, sorted and filtered; only the rows that are seen are there.

import { el, icon } from "./dom.js";
import { KINDS } from "./atlasdata.js";
import { categories, MODES } from "./atlascolors.js";

const ROW = 34; // pixels
const SPARE = 8; // rows above and below what is seen

export class Table {
  /** In `place`; rows are filtered by `isHidden(node)` and by what is typed; `chosen` is told a node. */
  constructor(place, atlas, index, isHidden, chosen) {
    Object.assign(this, { place, atlas, index, isHidden, chosen });
    const text = (value) => (one, other) => this.compare(value(one), value(other));
    const category = (mode) => (node) => categories(mode, atlas)[MODES[mode].of(atlas, node)][1];
    this.columns = [
      { id: "name", name: "Name", of: (node) => atlas.title(node), by: (one, other) => this.order[one] - this.order[other] },
      { id: "kind", name: "Kind", of: (node) => KINDS[atlas.kind(node)].one, by: (one, other) => atlas.kind(one) - atlas.kind(other) },
      { id: "about", name: "Tells most", of: (node) => (atlas.topic[node] < 0 ? "" : atlas.topicName(atlas.topic[node])) },
      { id: "region", name: "Island", of: (node) => atlas.regionName(atlas.region(node)), by: (one, other) => atlas.region(one) - atlas.region(other) },
      { id: "identity", name: "Color identity", of: (node) => (node < atlas.firstCard ? "" : category("identity")(node)) },
      { id: "type", name: "Card type", of: (node) => (node < atlas.firstCard ? "" : category("type")(node)) },
      { id: "ties", name: "Cards or ties", number: true, of: (node) => atlas.count(node).toLocaleString("en"), by: (one, other) => atlas.count(one) - atlas.count(other) },
    ];
    for (const column of this.columns) column.by ??= text(column.of);
    this.sorted = { column: this.columns[0], down: false };
    this.filter = el("input", { type: "search", placeholder: "Only names with…", "aria-label": "Only rows whose names hold this", oninput: () => this.refill() });
    this.told = el("p", { class: "note", role: "status" });
    this.heads = el("div", { role: "row", class: "row heads" });
    this.body = el("div", { class: "rows", role: "rowgroup" });
    this.scroller = el("div", { class: "scroller", tabindex: "0", role: "table", "aria-label": "All nodes of the graph", onscroll: () => this.draw() }, this.heads, this.body);
    place.replaceChildren(el("div", { class: "tools" }, this.filter, this.told), this.scroller);
    this.scroller.addEventListener("keydown", (event) => this.move(event));
    addEventListener("resize", () => this.draw());
  }

  compare(one, other) {
    return one < other ? -1 : one > other ? 1 : 0;
  }

  /** Show it: names are put in order when first wanted. */
  open() {
    if (!this.order) {
      const collator = new Intl.Collator("en", { numeric: true });
      const nodes = Array.from({ length: this.atlas.size }, (_, node) => node);
      const titles = nodes.map((node) => this.atlas.title(node));
      nodes.sort((one, other) => collator.compare(titles[one], titles[other]) || one - other);
      this.order = new Uint32Array(nodes.length);
      nodes.forEach((node, at) => (this.order[node] = at));
    }
    this.refill();
  }

  refill() {
    if (!this.order) return;
    const typed = this.filter.value.trim();
    const found = typed ? this.index.find(typed, this.atlas.size) : Array.from({ length: this.atlas.size }, (_, node) => node);
    const { column, down } = this.sorted;
    this.rows = found.filter((node) => !this.isHidden(node));
    this.rows.sort((one, other) => (down ? -1 : 1) * column.by(one, other) || this.order[one] - this.order[other]);
    this.told.textContent = `${this.rows.length.toLocaleString("en")} of ${this.atlas.size.toLocaleString("en")}`;
    this.scroller.setAttribute("aria-rowcount", String(this.rows.length + 1));
    this.heads.replaceChildren(
      ...this.columns.map((each) =>
        el("div", { role: "columnheader", class: `cell is-${each.id}`, "aria-sort": each === column ? (down ? "descending" : "ascending") : "none" },
          el("button", { type: "button", onclick: () => this.sort(each) }, each.name)),
      ),
    );
    this.body.style.height = `${this.rows.length * ROW}px`;
    this.draw();
  }

  sort(column) {
    this.sorted = { column, down: this.sorted.column === column ? !this.sorted.down : Boolean(column.number) };
    this.refill();
    this.heads.querySelector(`.is-${column.id} button`).focus();
  }

  draw() {
    if (!this.rows) return;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length, first + Math.ceil(this.scroller.clientHeight / ROW) + 2 * SPARE);
    const focused = Number(document.activeElement?.closest?.(".row[data-at]")?.dataset.at ?? -1);
    this.body.replaceChildren(...this.rows.slice(first, last).map((node, number) => this.row(node, first + number)));
    if (focused >= 0) this.body.querySelector(`[data-at="${focused}"] button`)?.focus({ preventScroll: true });
  }

  row(node, at) {
    const kind = KINDS[this.atlas.kind(node)];
    const row = el("div", { role: "row", class: "row", "data-at": at, "aria-rowindex": at + 2 },
      ...this.columns.map((column) =>
        el("div", { role: "cell", class: `cell is-${column.id}` },
          column.id === "name"
            ? el("button", { type: "button", class: "node", onclick: () => this.chosen(node) }, icon(kind.id, kind.shape), el("span", {}, column.of(node)))
            : column.of(node)),
      ));
    row.style.top = `${at * ROW}px`;
    return row;
  }

  /** Arrows go from row to row. */
  move(event) {
    const at = Number(event.target.closest(".row[data-at]")?.dataset.at ?? -1);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || (at < 0 && step < 0)) return;
    event.preventDefault();
    const next = at < 0 ? Math.ceil(this.scroller.scrollTop / ROW) : at + step;
    if (next < 0 || next >= this.rows.length) return;
    const top = next * ROW;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + 2 * ROW > scrollTop + clientHeight) this.scroller.scrollTop = top + 2 * ROW - clientHeight;
    this.draw();
    this.body.querySelector(`[data-at="${next}"] button`)?.focus({ preventScroll: true });
  }
}
