// The panel tells what the picture cannot: a node's words and neighbors, and the proof of an edge.

import { el, icon } from "./dom.js";
import { edgeWords, oneLine } from "./model.js";

const SHOWN_AT_ONCE = 12;
const HINTED = new Set(["rule", "keyword", "term"]); // types whose words stand below them in a list
const FIELDS = { oracle_text: "rules text", type_line: "type line", mana_cost: "mana cost" };

export class Panel {
  /** `on` has node(id) and edge(id), called for what is pressed in the panel. */
  constructor(container, model, on) {
    this.container = container;
    this.model = model;
    this.on = on;
  }

  #fill(...children) {
    this.container.replaceChildren(...children.filter(Boolean));
    this.container.scrollTop = 0;
  }

  #eyebrow(node) {
    const { one, shape } = this.model.about.types[node.kind];
    return el("p", { class: "eyebrow" }, icon(node.kind, shape), one);
  }

  #nodeButton(node) {
    return el(
      "button",
      { type: "button", class: "node", "data-node": node.id, onclick: () => this.on.node(node.id) },
      icon(node.kind, node.shape),
      el("span", {}, node.kind === "ability" ? node.words : oneLine(node.label)),
    );
  }

  /** What the view holds, as a list: the same as the picture, for readers who cannot see it. */
  overview() {
    const { about, nodes, edges } = this.model;
    const lists = this.model.counts().map(([type, count]) => {
      const { one, many } = about.types[type];
      const rows = [...nodes.values()].filter((node) => node.kind === type).map((node) => el("li", {}, this.#nodeButton(node)));
      return el("details", {}, el("summary", {}, `${count} ${count === 1 ? one : many}`), el("ul", {}, ...rows));
    });
    this.#fill(
      el("p", { class: "eyebrow" }, "This view"),
      el("h2", {}, about.title),
      el("p", { class: "note" }, `${nodes.size} nodes and ${edges.size} ties. Press a node for its words and neighbors, a line for the words that prove it.`),
      ...lists,
    );
  }

  node(id) {
    const node = this.model.nodes.get(id);
    const groups = [...this.model.grouped(id)].map(([phrase, ties]) => this.#group(phrase, ties));
    this.#fill(
      this.#eyebrow(node),
      el("h2", {}, node.heading || oneLine(node.label)),
      node.words ? el("p", { class: "words" }, node.words) : null,
      ...groups,
      node.more ? el("p", { class: "note" }, `${node.more.toLocaleString("en")} more neighbors are not in this view.`) : null,
      node.iri ? el("p", { class: "iri" }, node.iri) : null,
    );
  }

  #group(phrase, ties) {
    const rows = ties.map(({ edge, node }) =>
      el(
        "li",
        {},
        this.#nodeButton(node),
        edge.evidence.length
          ? el("button", { type: "button", class: "proof", "data-edge": edge.id, "aria-label": `Evidence: ${edgeWords(edge)}`, onclick: () => this.on.edge(edge.id) }, edgeWords(edge, 40))
          : node.words && HINTED.has(node.kind) ? el("p", { class: "hint" }, node.words) : null,
      ),
    );
    const rest = rows.splice(SHOWN_AT_ONCE);
    return el(
      "section",
      {},
      el("h3", {}, phrase, el("span", { class: "count" }, String(ties.length))),
      el("ul", {}, ...rows),
      rest.length ? el("details", {}, el("summary", {}, `${rest.length} more`), el("ul", {}, ...rest)) : null,
    );
  }

  edge(id) {
    const edge = this.model.edges.get(id);
    const [source, target] = [this.model.nodes.get(edge.from), this.model.nodes.get(edge.to)];
    this.#fill(
      el("p", { class: "eyebrow" }, edge.evidence.length ? "Evidence" : "Tie"),
      el(
        "div",
        { class: "sentence" },
        this.#nodeButton(source),
        el("p", {}, edge.forward),
        this.#nodeButton(target),
      ),
      ...edge.evidence.map((piece) => this.#proof(piece, edge, target)),
      edge.evidence.length ? null : el("p", { class: "note" }, "So the graph is built: no words of a card are needed to prove it."),
    );
  }

  #proof(piece, edge, target) {
    const facts = [
      ["Rule", piece.rule || target.heading || oneLine(target.label)],
      ["Relation", edge.relation.replaceAll("_", " ")],
      ["Where", `${FIELDS[piece.field] ?? piece.field}, characters ${piece.start}–${piece.end}`],
      ["Entry", piece.entry],
      ["Note", (piece.flags ?? []).join(", ")],
    ];
    return el(
      "figure",
      { class: "proof" },
      el("blockquote", {}, piece.before, el("mark", {}, piece.quote), piece.after),
      el("dl", {}, ...facts.filter(([, value]) => value).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    );
  }
}
