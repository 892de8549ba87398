// Paths between two nodes of the model: several, the cheapest first. A step costs 1 and a node on the way
// log2(1 + its neighbors), so that a rule that ten cards share ties closer than a hub does.

import { otherEnd, oneLine, phraseOf } from "./model.js";

/** At most `count` simple paths as {nodes, edges, sentence}: Yen (1971) on Dijkstra. */
export function ways(model, from, to, count = 5) {
  if (from === to || !model.nodes.has(from) || !model.nodes.has(to)) return [];
  const cost = (id) => Math.log2(1 + model.degree(id));
  const first = cheapest(model, from, to, cost, new Set(), new Set());
  if (!first) return [];
  const found = [first];
  const waiting = [];
  while (found.length < count) {
    const last = found.at(-1);
    for (let at = 0; at < last.nodes.length - 1; at++) {
      const root = last.nodes.slice(0, at + 1);
      const same = found.filter(({ nodes }) => root.every((id, each) => nodes[each] === id));
      const barred = new Set(same.map(({ nodes }) => `${nodes[at]} ${nodes[at + 1]}`));
      const rest = cheapest(model, root.at(-1), to, cost, new Set(root.slice(0, -1)), barred);
      if (!rest) continue;
      const nodes = [...root.slice(0, -1), ...rest.nodes];
      const known = [...found, ...waiting].some((other) => String(other.nodes) === String(nodes));
      if (!known) waiting.push({ nodes, cost: nodes.slice(1, -1).reduce((sum, id) => sum + cost(id), nodes.length - 1) });
    }
    waiting.sort((a, b) => a.cost - b.cost);
    if (!waiting.length || waiting[0].cost > 2 * found[0].cost) break;
    found.push(waiting.shift());
  }
  return found.map(({ nodes }) => {
    const edges = nodes.slice(1).map((id, at) => tieOf(model, nodes[at], id));
    return { nodes, edges: edges.map(({ id }) => id), sentence: sentence(model, nodes, edges) };
  });
}

function cheapest(model, from, to, cost, closed, barred) {
  const away = new Map([[from, 0]]);
  const before = new Map();
  const waiting = new Set([from]);
  while (waiting.size) {
    let id = null;
    for (const each of waiting) if (id === null || away.get(each) < away.get(id)) id = each;
    waiting.delete(id);
    if (id === to) {
      const nodes = [to];
      while (nodes[0] !== from) nodes.unshift(before.get(nodes[0]));
      return { nodes, cost: away.get(to) };
    }
    for (const edge of model.ties.get(id)) {
      const other = otherEnd(edge, id);
      if (closed.has(other) || barred.has(`${id} ${other}`)) continue;
      const through = away.get(id) + 1 + (other === to ? 0 : cost(other));
      if (through < (away.get(other) ?? Infinity)) {
        away.set(other, through);
        before.set(other, id);
        waiting.add(other);
      }
    }
  }
  return null;
}

/** The edge between two nodes that says most: one with evidence. */
function tieOf(model, from, to) {
  const between = model.ties.get(from).filter((edge) => otherEnd(edge, from) === to);
  return between.find((edge) => edge.evidence.length) ?? between[0];
}

function sentence(model, nodes, edges) {
  const name = (id) => {
    const { kind, heading, label } = model.nodes.get(id);
    return kind === "ability" ? `“${oneLine(label)}”` : oneLine(heading || label);
  };
  return `${edges.reduce((said, edge, at) => `${said}${at ? ", which" : ""} ${phraseOf(edge, nodes[at])} ${name(nodes[at + 1])}`, name(nodes[0]))}.`;
}
