// What is shown, without any picture of it: nodes, edges, who is tied to whom, what a search finds.

/** Text as it is compared: no accents, no punctuation but the dot of a rule number, no capitals. */
export function plain(text) {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.+]+/gu, " ")
    .trim();
}

export class Model {
  /** `nodes` and `edges` as the page carries them, `about` with title, release, focus and types. */
  constructor(nodes, edges, about) {
    this.about = about;
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    this.edges = new Map(edges.map((edge) => [edge.id, edge]));
    this.ties = new Map(nodes.map((node) => [node.id, []]));
    for (const edge of edges) {
      this.ties.get(edge.from).push(edge);
      if (edge.to !== edge.from) this.ties.get(edge.to).push(edge);
    }
    this.needles = nodes.map((node) => [plain(node.label), plain(node.heading), node]);
  }

  /** Types that occur, in the order of the legend, each with its number of nodes. */
  counts() {
    const counts = new Map(Object.keys(this.about.types).map((type) => [type, 0]));
    for (const node of this.nodes.values()) counts.set(node.kind, counts.get(node.kind) + 1);
    return [...counts].filter(([, count]) => count > 0);
  }

  /** Ids of a node and of all that it is made of: the faces and abilities of a card. */
  parts(id) {
    const found = new Set([id]);
    for (const whole of found)
      for (const edge of this.ties.get(whole)) {
        if (edge.from === whole && (edge.relation === "has_face" || edge.relation === "has_ability")) found.add(edge.to);
        if (edge.to === whole && edge.relation === "part_of") found.add(edge.from);
      }
    return found;
  }

  /** Edges of a node by what they say from its side: Map of phrase → [{edge, node}]. */
  grouped(id) {
    const groups = new Map();
    for (const edge of this.ties.get(id)) {
      const out = edge.from === id;
      const phrase = out ? edge.forward : edge.backward || edge.forward;
      if (!groups.has(phrase)) groups.set(phrase, []);
      groups.get(phrase).push({ edge, node: this.nodes.get(out ? edge.to : edge.from) });
    }
    return groups;
  }

  /** The best `limit` nodes for what was typed: whole name, then beginning, then word, then anywhere. */
  search(typed, limit = 8) {
    const wanted = plain(typed);
    if (!wanted) return [];
    const rank = (text) => {
      if (text === wanted) return 0;
      if (text.startsWith(wanted)) return 1;
      if (text.includes(` ${wanted}`)) return 2;
      return text.includes(wanted) ? 3 : 4;
    };
    return this.needles
      .map(([label, heading, node]) => [Math.min(rank(label), rank(heading)), node])
      .filter(([found]) => found < 4)
      .sort((a, b) => a[0] - b[0] || this.ties.get(b[1].id).length - this.ties.get(a[1].id).length)
      .slice(0, limit)
      .map(([, node]) => node);
  }
}

/** A label on one line; in the picture it may stand on two. */
export function oneLine(label) {
  return label.replace(/\s+/g, " ");
}

/** The words on an edge: what was quoted, shortened, or what the edge says where nothing was. */
export function edgeWords(edge, longest = 26) {
  const quotes = [...new Set(edge.evidence.map((piece) => oneLine(piece.quote)))];
  if (!quotes.length) return edge.forward;
  const first = quotes[0].length > longest ? `${quotes[0].slice(0, longest - 1).trimEnd()}…` : quotes[0];
  return `“${first}”${quotes.length > 1 ? ` +${quotes.length - 1}` : ""}`;
}
