// Where nodes come from. A page in a file has all of them with it, a reserve that expansion draws from; a
// served page fetches them. Both answer the same questions, and both put what they find into the model.
//
//   opening(focus, depth, preset) → ids     what is shown at first
//   expand(id, phrase, have, limit) → ids   more neighbors of a node, the most telling first
//   reach(id, shown) → ids                  what it takes to show a node that is not; null: start from it
//   search(typed, limit) → [{id, label, kind, hint}]
//   paths(from, to) → [{nodes, edges, sentence}]
//   reachable(beyond) → number              how many of those that are not in the model can be had

import { oneLine, otherEnd, plain } from "./model.js";
import { ways } from "./ways.js";

export const BUDGET = { opening: 150, soft: 300, hard: 1000, step: 25 };

/** For each question of several ends: which nodes belong to the answer. */
const PRESETS = { shared, tied, keyword };

export class EmbeddedSource {
  constructor(model, nodes, edges) {
    this.model = model;
    model.add(nodes, edges);
    this.needles = [...model.nodes.values()].map((node) => ({
      texts: [plain(node.label), plain(node.heading), node.kind === "ability" ? plain(node.words) : ""],
      node,
    }));
  }

  reachable() {
    return 0;
  }

  async opening(focus, depth, preset) {
    const { model } = this;
    const { about } = model;
    if (PRESETS[preset]) return PRESETS[preset](model, focus);
    if (String(focus) === String(about.focus) && depth === about.depth) return about.shown;
    const away = focus.length ? model.distances(focus) : new Map([...model.nodes.keys()].map((id) => [id, 0]));
    const near = [...away.keys()].filter((id) => away.get(id) <= depth);
    near.sort((a, b) => away.get(a) - away.get(b) || model.nodes.get(a).rank - model.nodes.get(b).rank);
    return near.slice(0, BUDGET.opening);
  }

  /** How far the farthest node is that the file has. */
  farthest(focus) {
    return focus.length ? Math.min(5, Math.max(1, ...this.model.distances(focus).values())) : 1;
  }

  async expand(id, phrase, have, limit) {
    return (this.model.hidden(id, have).get(phrase)?.here ?? []).slice(0, limit);
  }

  async reach(id, shown) {
    const { model } = this;
    if (model.ties.get(id).some((edge) => shown.has(otherEnd(edge, id)))) return [id];
    // The shortest way to something that is shown.
    const before = new Map([[id, null]]);
    for (const each of before.keys()) {
      if (shown.has(each)) {
        const way = [];
        for (let at = each; at !== null; at = before.get(at)) way.push(at);
        return way;
      }
      for (const edge of model.ties.get(each)) if (!before.has(otherEnd(edge, each))) before.set(otherEnd(edge, each), each);
    }
    return [id];
  }

  /** Whole name, then beginning, then word, then anywhere, then with a slip of the fingers. */
  async search(typed, limit = 8) {
    const wanted = plain(typed);
    if (!wanted) return [];
    const rank = (text) => {
      if (text === wanted) return 0;
      if (text.startsWith(wanted)) return 1;
      if (text.includes(` ${wanted}`)) return 2;
      return text.includes(wanted) ? 3 : 4;
    };
    const scored = this.needles.map(({ texts, node }) => [Math.min(...texts.map(rank)), node]);
    let found = scored.filter(([score]) => score < 4);
    if (found.length < limit && wanted.length > 3 && /\p{L}/u.test(wanted)) {
      const slips = wanted.length < 6 ? 1 : 2;
      for (const { texts, node } of this.needles) {
        const away = Math.min(...texts.slice(0, 2).map((text) => slipsTo(wanted, text, slips)));
        if (away <= slips && !found.some(([, other]) => other === node)) found.push([4 + away, node]);
      }
    }
    found = found.sort((a, b) => a[0] - b[0] || this.model.degree(b[1].id) - this.model.degree(a[1].id) || a[1].rank - b[1].rank);
    return found.slice(0, limit).map(([, { id, label, kind, words }]) => ({ id, label: oneLine(kind === "ability" ? words : label), kind, hint: "" }));
  }

  async paths(from, to) {
    return ways(this.model, from, to);
  }
}

export class FetchSource {
  /** @param base where the answers come from, such as "/explore/" */
  constructor(model, base) {
    this.model = model;
    this.base = base;
    this.answers = new Map();
  }

  reachable(beyond) {
    return beyond;
  }

  farthest() {
    return 5;
  }

  /** The answer to a request; asked once, so that going back needs no network. */
  #ask(path, parameters, body) {
    const query = new URLSearchParams(parameters.filter(([, value]) => value !== "" && value != null));
    const address = `${this.base}${path}?${query}`;
    const key = `${address} ${body ?? ""}`;
    if (!this.answers.has(key)) {
      const answer = fetched(address, body);
      this.answers.set(key, answer);
      answer.catch(() => this.answers.delete(key));
    }
    return this.answers.get(key);
  }

  async opening(focus, depth, preset) {
    if (!focus.length) return [];
    const { nodes, edges, about } = await this.#ask("graph", [
      ...focus.map((id) => ["focus", id]), ["depth", depth], ["limit", BUDGET.opening], ["preset", preset],
    ]);
    Object.assign(this.model.about.relations, about?.relations);
    this.model.add(nodes, edges);
    return about?.shown ?? nodes.map(({ id }) => id);
  }

  async expand(id, phrase, have, limit) {
    const known = [...have].sort().join(",");
    const long = known.length > 1500;
    const parameters = [["node", id], ["relation", phrase], ["limit", limit], ...(long ? [] : [["have", known]])];
    const { nodes, edges, more } = await this.#ask("expand", parameters, long ? JSON.stringify({ have: [...have] }) : undefined);
    this.model.add(nodes, edges);
    if (more) this.model.count(id, more, new Set([...have, ...nodes.map((node) => node.id)]));
    return nodes.map((node) => node.id).filter((each) => !have.has(each));
  }

  async reach(id, shown) {
    return this.model.nodes.has(id) && shown.size ? [id] : null;
  }

  async search(typed, limit = 8) {
    return typed.trim() ? this.#ask("search", [["q", typed.trim().slice(0, 200)], ["limit", limit]]) : [];
  }

  async paths(from, to) {
    const { paths, nodes, edges } = await this.#ask("paths", [["from", from], ["to", to]]);
    const ids = this.model.add(nodes, edges);
    return paths.map((path) => ({ ...path, edges: path.edges.map((id) => ids.get(id) ?? id) }));
  }
}

async function fetched(address, body) {
  let answer;
  try {
    answer = await fetch(address, body ? { method: "POST", body, headers: { "content-type": "application/json" } } : {});
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(said.error ?? `The server answered ${answer.status}.`);
  return said;
}

/** How many slips turn `wanted` into some beginning of a word or more of `text`; more than `most`: Infinity. */
export function slipsTo(wanted, text, most) {
  let best = Infinity;
  const starts = [0];
  for (let at = text.indexOf(" "); at >= 0 && starts.length < 8; at = text.indexOf(" ", at + 1)) starts.push(at + 1);
  for (const start of starts) {
    const piece = text.slice(start, start + wanted.length + most);
    let [before, row] = [[], Array.from({ length: piece.length + 1 }, (_, at) => at)];
    for (let i = 1; i <= wanted.length; i++) {
      const next = [i];
      for (let j = 1; j <= piece.length; j++) {
        const same = wanted[i - 1] === piece[j - 1];
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
        const swapped = i > 1 && j > 1 && wanted[i - 1] === piece[j - 2] && wanted[i - 2] === piece[j - 1];
        if (swapped) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      [before, row] = [row, next];
    }
    best = Math.min(best, ...row);
  }
  return best <= most ? best : Infinity;
}

/** Presets that fit what is in focus: [name, what it says]. */
export function presetsFor(model, focus) {
  const kinds = focus.map((id) => model.nodes.get(id)?.kind);
  const cards = kinds.filter((kind) => kind === "card").length;
  return [
    cards > 1 && ["shared", "Rules that these cards share"],
    focus.length > 1 && ["tied", "Why are these tied?"],
    focus.length === 1 && kinds[0] === "keyword" && ["keyword", "Everything about this keyword"],
  ].filter(Boolean);
}

function shared(model, focus) {
  const times = new Map();
  const cards = focus.filter((id) => model.nodes.get(id)?.kind === "card");
  const parts = new Map(cards.map((id) => [id, model.parts(id)]));
  const around = (id) => new Set([...parts.get(id)].flatMap((part) => model.ties.get(part).map((edge) => otherEnd(edge, part))));
  for (const id of cards) for (const other of around(id)) if (!parts.get(id).has(other)) times.set(other, (times.get(other) ?? 0) + 1);
  const common = new Set([...times.keys()].filter((id) => times.get(id) > 1 && model.nodes.get(id).kind !== "card"));
  const used = [...parts.values()].flatMap((each) => [...each]).filter((part) =>
    cards.includes(part) || model.ties.get(part).some((edge) => common.has(otherEnd(edge, part))));
  return [...new Set([...used, ...common])].slice(0, BUDGET.opening);
}

function tied(model, focus) {
  const found = new Set(focus.filter((id) => model.nodes.has(id)));
  for (const from of [...found])
    for (const to of [...found])
      if (from < to) for (const { nodes } of ways(model, from, to, 3)) nodes.forEach((id) => found.add(id));
  return [...found].slice(0, BUDGET.opening);
}

function keyword(model, [id]) {
  const found = new Set([id]);
  for (const each of found) // its rule, all that stands under it, its variants
    for (const edge of model.ties.get(each)) {
      const down = edge.relation === "parent" ? edge.to === each : edge.relation === "variant_of" ? edge.to === id : edge.relation === "defined_by" && edge.from === each;
      if (down) found.add(otherEnd(edge, each));
    }
  for (const each of [...found]) for (const edge of model.ties.get(each)) found.add(otherEnd(edge, each));
  return [...found].sort((a, b) => (a === id ? -1 : b === id ? 1 : model.nodes.get(a).rank - model.nodes.get(b).rank)).slice(0, BUDGET.opening);
}
