// The panel tells what the picture cannot: a node's words and neighbors, the proof of an edge, a path in words.

import { el, icon } from "./dom.js";
import { addToList } from "./listadd.js";
import { relationName } from "./legend.js";
import { edgeWords, named, oneLine, phraseOf } from "./model.js";

const SHOWN_AT_ONCE = 12;
const HINTED = new Set(["rule", "keyword", "term"]); // types whose words stand below them in a list
const FIELDS = { oracle_text: "rules text", type_line: "type line", mana_cost: "mana cost" };

export class Panel {
  /** `on` has node(id), edge(id), expand(id, phrase), act(name, id), way(number): what is pressed in the panel. */
  constructor(container, model, source, on) {
    this.container = container;
    this.model = model;
    this.source = source;
    this.on = on;
    this.told = "";
  }

  /** `key` says what it is about: where that stays the same, so does the place that was scrolled to. */
  #fill(key, ...children) {
    const around = [this.container.parentElement, this.container.closest("aside")];
    const tops = around.map(({ scrollTop }) => (this.told === key ? scrollTop : 0));
    this.told = key;
    this.container.replaceChildren(...children.filter(Boolean));
    around.forEach((each, at) => { each.scrollTop = tops[at]; });
  }

  #eyebrow(node) {
    const { one, shape } = this.model.type(node.kind);
    return el("p", { class: "eyebrow" }, icon(node.kind, shape), one);
  }

  #nodeButton(node) {
    return el(
      "button",
      { type: "button", class: "node", "data-node": node.id, onclick: () => this.on.node(node.id) },
      icon(node.kind, this.model.type(node.kind).shape),
      el("span", {}, named(node)),
    );
  }

  /** What the view holds, as a list. */
  overview(title, ids, edges) {
    const { model } = this;
    const of = new Map();
    for (const id of ids) {
      const node = model.nodes.get(id);
      of.set(node.kind, [...(of.get(node.kind) ?? []), node]);
    }
    const lists = Object.keys(model.about.types).filter((type) => of.has(type)).map((type) => {
      const { one, many } = model.type(type);
      const rows = of.get(type).map((node) => el("li", {}, this.#nodeButton(node)));
      return el("details", { "data-type": type, open: ids.size <= 40 ? "" : null }, el("summary", {}, `${rows.length} ${rows.length === 1 ? one : many}`), el("ul", {}, ...rows));
    });
    if (!ids.size)
      return this.#fill(
        "nothing",
        el("p", { class: "eyebrow" }, "Explore"),
        el("h2", {}, "Where to begin?"),
        el("p", { class: "note" }, "Search for a card, a rule number, a keyword or a term. Its neighbors come along, the most telling first."),
      );
    this.#fill(
      "overview",
      el("p", { class: "eyebrow" }, "This view"),
      el("h2", {}, title),
      el("p", { class: "note" }, `${count(ids.size, "node")} and ${count(edges.size, "tie")}. Press a node for its words and neighbors, twice for more of them; press a line for the words that prove it.`),
      ...lists,
    );
  }

  /** A node; `shown` are the ids in the view, `can` which acts make sense: {name: pressed or false}. */
  node(id, shown, acts) {
    const { model } = this;
    const node = model.nodes.get(id);
    const groups = new Map([...model.grouped(id)].map(([phrase, ties]) => [phrase, ties.filter((tie) => shown.has(tie.node.id))]));
    for (const ties of groups.values()) if (ties[0]?.edge.relation === "parent") ties.sort((a, b) => inBook(a.node, b.node));
    const hidden = model.hidden(id, shown);
    for (const phrase of hidden.keys()) if (!groups.has(phrase)) groups.set(phrase, []);
    const out = [...hidden.values()].reduce((sum, { beyond }) => sum + beyond - this.source.reachable(beyond), 0);
    this.#fill(
      `node ${id}`,
      this.#eyebrow(node),
      el("h2", {}, node.heading || oneLine(node.label)),
      node.words ? el("p", { class: "words" }, node.words) : null,
      el("div", { class: "acts", role: "group", "aria-label": "What to do with it" }, ...acts.map(({ name, text, pressed, key }) =>
        el("button", { type: "button", "data-act": name, "aria-pressed": pressed === undefined ? null : String(pressed), title: key, onclick: () => this.on.act(name, id) }, text))),
      node.kind === "card" ? addToList({ card: id, name: node.heading || oneLine(node.label), layout: "" }, model.about.source ? "/lists" : "") : null,
      ...[...groups].map(([phrase, ties]) => this.#group(id, phrase, ties, hidden.get(phrase))),
      out ? el("p", { class: "note" }, `${out.toLocaleString("en")} more neighbors are not in this file.`) : null,
      safeAddress(node.url) ? el("p", { class: "note" }, el("a", { href: safeAddress(node.url) }, "Its own page")) : null,
      node.iri ? el("p", { class: "iri" }, node.iri) : null,
    );
  }

  #group(id, phrase, ties, hidden) {
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
    const more = hidden ? hidden.here.length + this.source.reachable(hidden.beyond) : 0;
    const all = ties.length + (hidden ? hidden.here.length + hidden.beyond : 0);
    if (!all) return null;
    return el(
      "section",
      {},
      el("h3", {}, phrase, el("span", { class: "count" }, all > ties.length ? `${ties.length} of ${all.toLocaleString("en")}` : String(ties.length))),
      el("ul", {}, ...rows),
      rest.length ? el("details", {}, el("summary", {}, `${rest.length} more`), el("ul", {}, ...rest)) : null,
      more ? el("button", { type: "button", class: "show", "data-expand": phrase, onclick: () => this.on.expand(id, phrase) }, `Show ${Math.min(more, 25)}${more > 25 ? ` of ${more.toLocaleString("en")}` : ""} more`) : null,
    );
  }

  edge(id) {
    const edge = this.model.edges.get(id);
    const [source, target] = [this.model.nodes.get(edge.from), this.model.nodes.get(edge.to)];
    const { definition } = this.model.about.relations[edge.relation] ?? {};
    this.#fill(
      `edge ${id}`,
      el("p", { class: "eyebrow" }, edge.evidence.length ? "Evidence" : "Tie"),
      el(
        "div",
        { class: "sentence" },
        this.#nodeButton(source),
        el("p", {}, edge.forward),
        this.#nodeButton(target),
      ),
      definition ? el("p", { class: "note definition" }, `${capital(relationName(edge.relation))}: ${definition}`) : null,
      ...edge.evidence.map((piece) => this.#proof(piece, edge, target)),
      edge.evidence.length ? null : el("p", { class: "note" }, "So the graph is built: no words of a card are needed to prove it."),
      this.#ruleOf(edge, target),
    );
  }

  /** The words of the rule that an edge is about, if they are known here. */
  #ruleOf(edge, target) {
    const number = /^\S+/.exec(edge.evidence[0]?.rule ?? "")?.[0];
    const rule = target.kind === "rule" ? target : this.model.nodes.get(`rule:${number}`);
    if (!rule?.words) return null;
    return el("section", { class: "rule" }, el("h3", {}, rule.heading || oneLine(rule.label)), el("p", { class: "words" }, rule.words));
  }

  #proof(piece, edge, target) {
    const facts = [
      ["Rule", piece.rule || target.heading || oneLine(target.label)],
      ["Relation", relationName(edge.relation)],
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

  /** Paths between two nodes: each as a sentence, the one that is drawn step by step. */
  ways(from, to, found, at) {
    const { model } = this;
    const name = (id) => oneLine(model.nodes.get(id)?.heading || model.nodes.get(id)?.label || id);
    const rows = found.map((path, number) =>
      el("li", {}, el("button", { type: "button", class: "way", "data-way": String(number), "aria-pressed": String(number === at), onclick: () => this.on.way(number) }, path.sentence)),
    );
    const steps = (found[at]?.edges ?? []).flatMap((id, step) => {
      const edge = model.edges.get(id);
      const node = model.nodes.get(found[at].nodes[step + 1]);
      const said = edge ? phraseOf(edge, found[at].nodes[step]) : "is tied to";
      return [
        edge?.evidence.length
          ? el("button", { type: "button", class: "proof", "data-edge": id, onclick: () => this.on.edge(id) }, `${said} ${edgeWords(edge, 40)}`)
          : el("p", { class: "hint" }, said),
        this.#nodeButton(node),
      ];
    });
    this.#fill(
      `ways ${from} ${to}`,
      el("p", { class: "eyebrow" }, found.length > 1 ? `${found.length} paths` : "Path"),
      el("h2", {}, `${name(from)} and ${name(to)}`),
      found.length ? null : el("p", { class: "note" }, "Nothing here ties the two."),
      el("ol", { class: "ways" }, ...rows),
      found.length ? el("section", { class: "sentence" }, el("h3", {}, "Step by step"), this.#nodeButton(model.nodes.get(from)), ...steps) : null,
    );
  }
}

/** Rules in the order of the book. */
function inBook(a, b) {
  return a.id.localeCompare(b.id, "en", { numeric: true });
}

/** A path of this server; anything else, such as javascript:, is no link. */
function safeAddress(url) {
  return /^\/(?![/\\])/.test(url ?? "") ? url : null;
}

export function count(number, one) {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
