// What is known, without any picture of it: nodes, edges, who is tied to whom. It only ever grows; which
// part of it is shown is the business of state.js and source.js.

/** Text as it is compared: no accents, no punctuation but the dot of a rule number, no capitals. */
export function plain(text) {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[’'`]/g, "")
    .replace(/[^\p{L}\p{N}.+]+/gu, " ")
    .trim();
}

/** Relations by which a thing is made up; drawn stronger than those that only point somewhere. */
const STRUCTURE = new Set(["has_face", "has_ability", "part_of", "parent", "defined_by", "variant_of"]);
const OF_A_CARD = new Set(["has_face", "has_ability"]);
/** A card brings its parts along, a keyword its rule: these are no step away. */
const ALONG = new Set([...OF_A_CARD, "defined_by"]);

export class Model {
  /** `about` with title, release, focus, types, relations; nodes and edges come with `add`. */
  constructor(about) {
    this.about = about;
    this.nodes = new Map();
    this.edges = new Map();
    this.ties = new Map();
    this.between = new Map();
  }

  /** Take in nodes and edges, known ones again without harm. Gives the edges' ids by those that came. */
  add(nodes, edges) {
    for (const node of nodes) {
      if (this.nodes.has(node.id)) continue;
      this.nodes.set(node.id, { heading: "", words: "", iri: "", ...node, rank: this.nodes.size, totals: new Map() });
      this.ties.set(node.id, []);
    }
    const ids = new Map();
    for (const edge of edges) {
      if (!this.nodes.has(edge.from) || !this.nodes.has(edge.to)) continue;
      const id = `${edge.from} ${edge.relation} ${edge.to}`;
      ids.set(edge.id, id);
      if (this.edges.has(id)) continue;
      const kept = { backward: "", evidence: [], ...edge, id, structure: STRUCTURE.has(edge.relation), smooth: this.#bend(edge) };
      this.edges.set(id, kept);
      this.ties.get(edge.from).push(kept);
      if (edge.to !== edge.from) this.ties.get(edge.to).push(kept);
    }
    const given = new Set(nodes.map(({ id }) => id));
    for (const { id, more } of nodes) this.count(id, more ?? {}, given);
    return ids;
  }

  /** Take in that a node has, besides those among `given`, `more` neighbors: {phrase: number}. */
  count(id, more, given) {
    const { totals } = this.nodes.get(id);
    const near = this.#neighbors(id);
    for (const phrase of new Set([...near.keys(), ...Object.keys(more)])) {
      const among = [...(near.get(phrase) ?? [])].filter((other) => given.has(other)).length;
      totals.set(phrase, among + (more[phrase] ?? 0));
    }
  }

  /** What is known around a node: Map of phrase → Set of ids. */
  #neighbors(id) {
    const found = new Map();
    for (const edge of this.ties.get(id)) {
      const phrase = phraseOf(edge, id);
      if (!found.has(phrase)) found.set(phrase, new Set());
      found.get(phrase).add(otherEnd(edge, id));
    }
    return found;
  }

  /** Edges between the same two nodes bend apart, so that each can be seen and pressed. */
  #bend({ from, to }) {
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
    const turn = this.between.get(pair) ?? 0;
    this.between.set(pair, turn + 1);
    const bend = 0.14 * Math.ceil(turn / 2) * (turn % 2 ? 1 : -1) * (from < to ? 1 : -1);
    return bend ? { enabled: true, type: "curvedCW", roundness: bend } : false;
  }

  type(kind) {
    return this.about.types[kind] ?? { one: kind, many: kind, shape: "dot", size: 10 };
  }

  /** Ids of a node and of all that it is made of: the faces and abilities of a card. */
  parts(id) {
    const found = new Set([id]);
    for (const whole of found)
      for (const edge of this.ties.get(whole)) {
        if (edge.from === whole && OF_A_CARD.has(edge.relation)) found.add(edge.to);
        if (edge.to === whole && edge.relation === "part_of") found.add(edge.from);
      }
    return found;
  }

  /** Edges of a node by what they say from its side: Map of phrase → [{edge, node}], telling ones first. */
  grouped(id) {
    const groups = new Map();
    for (const edge of this.ties.get(id)) {
      const phrase = phraseOf(edge, id);
      if (!groups.has(phrase)) groups.set(phrase, []);
      groups.get(phrase).push({ edge, node: this.nodes.get(otherEnd(edge, id)) });
    }
    for (const ties of groups.values()) ties.sort((a, b) => a.node.rank - b.node.rank);
    return groups;
  }

  /** What of a node's neighbors is not among `shown`: Map of phrase → {here: [ids], beyond: number}. */
  hidden(id, shown) {
    const near = this.#neighbors(id);
    const { totals } = this.nodes.get(id);
    const found = new Map();
    for (const phrase of new Set([...near.keys(), ...totals.keys()])) {
      const known = [...(near.get(phrase) ?? [])];
      const here = known.filter((other) => !shown.has(other)).sort((a, b) => this.nodes.get(a).rank - this.nodes.get(b).rank);
      const beyond = Math.max(0, (totals.get(phrase) ?? 0) - known.length);
      if (here.length || beyond) found.set(phrase, { here, beyond });
    }
    return found;
  }

  /** The edges of which both ends are in `ids`. */
  among(ids) {
    const found = [];
    for (const id of ids) for (const edge of this.ties.get(id)) if (edge.from === id && ids.has(edge.to)) found.push(edge);
    return found;
  }

  /** Steps from the nearest of `sources` to each node; what comes along with a node is no step away. */
  distances(sources) {
    const away = new Map(sources.filter((id) => this.nodes.has(id)).map((id) => [id, 0]));
    const waiting = [...away.keys()];
    while (waiting.length) {
      const id = waiting.shift();
      for (const edge of this.ties.get(id)) {
        const other = otherEnd(edge, id);
        const along = edge.from === id ? ALONG.has(edge.relation) : edge.relation === "part_of";
        const steps = away.get(id) + (along ? 0 : 1);
        if (steps >= (away.get(other) ?? Infinity)) continue;
        away.set(other, steps);
        if (along) waiting.unshift(other);
        else waiting.push(other);
      }
    }
    return away;
  }

  /** A number for how busy a node is: its neighbors here and elsewhere. */
  degree(id) {
    let all = 0;
    for (const number of this.nodes.get(id).totals.values()) all += number;
    return Math.max(all, this.ties.get(id).length);
  }
}

export function otherEnd(edge, id) {
  return edge.from === id ? edge.to : edge.from;
}

/** How an edge reads from one of its ends. */
export function phraseOf(edge, id) {
  return edge.from === id ? edge.forward : edge.backward || edge.forward;
}

/** A label on one line; in the picture it may stand on two. */
export function oneLine(label) {
  return label.replace(/\s+/g, " ");
}

/** What a node is called in a list: an ability by its words. */
export function named(node) {
  return node.kind === "ability" && node.words ? node.words : oneLine(node.label);
}

/** The words on an edge: what was quoted, shortened, or what the edge says where nothing was. */
export function edgeWords(edge, longest = 26) {
  const quotes = [...new Set(edge.evidence.map((piece) => oneLine(piece.quote)))];
  if (!quotes.length) return edge.forward;
  const letters = [...quotes[0]];
  const first = letters.length > longest ? `${letters.slice(0, longest - 1).join("").trimEnd()}…` : quotes[0];
  return `“${first}”${quotes.length > 1 ? ` +${quotes.length - 1}` : ""}`;
}
