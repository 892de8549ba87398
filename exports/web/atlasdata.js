// The two files of the atlas, unpacked: nodes are numbers, what is told of them stands in typed arrays.

const ARRAYS = { u1: Uint8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, i4: Int32Array };

/** Kinds of nodes in the order of the arrays, each with its name, its plural and its shape. */
export const KINDS = [
  { id: "keyword", one: "Keyword", many: "Keywords", shape: "diamond" },
  { id: "rule", one: "Rule", many: "Rules", shape: "hexagon" },
  { id: "term", one: "Glossary term", many: "Glossary terms", shape: "triangle" },
  { id: "card", one: "Card", many: "Cards", shape: "square" },
];

/** The header and the arrays of a file of the atlas, from its gzipped bytes. */
export async function unpack(bytes) {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(plain).arrayBuffer();
  const size = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  const arrays = {};
  let at = 4 + size;
  for (const [name, type, length] of header.arrays) {
    arrays[name] = new ARRAYS[type](buffer, at, length);
    at += Math.ceil(arrays[name].byteLength / 4) * 4;
  }
  return { header, arrays };
}

export class Atlas {
  /** `places` as `unpack` gives it; `fetchTies` promises the bytes of the other file when they are wanted. */
  constructor(places, about, fetchTies) {
    const { header, arrays } = places;
    this.about = about;
    this.ids = header.ids;
    this.names = header.names;
    this.size = header.ids.length;
    this.topics = header.topics;
    this.regions = header.regions;
    this.radius = header.radius;
    this.backbone = arrays.backbone;
    this.topic = arrays.topic;
    this.firsts = [];
    let first = 0;
    for (const { id } of KINDS) {
      this.firsts.push(first);
      first += header.counts[id];
    }
    this.firstCard = this.firsts[3];
    this.cardTypes = header.types;
    this.types = arrays.type;
    this.colors = arrays.color;
    this.x = Float32Array.from(arrays.x, (x) => header.low[0] + x * header.unit);
    this.y = Float32Array.from(arrays.y, (y) => header.low[1] + y * header.unit);
    this.r = Float32Array.from(arrays.r, (r) => r * header.radius);
    this.fetchTies = fetchTies;
    this.heads = new Set(header.topics.head);
  }

  /** Number of the kind of a node in `KINDS`. */
  kind(node) {
    let kind = 3;
    while (node < this.firsts[kind]) kind -= 1;
    return kind;
  }

  /** "rule:702.29" */
  prefixed(node) {
    return `${KINDS[this.kind(node)].id}:${this.ids[node]}`;
  }

  /** The node of a prefixed name, or −1. */
  find(prefixed) {
    const at = prefixed.indexOf(":");
    const kind = KINDS.findIndex(({ id }) => id === prefixed.slice(0, at));
    if (kind < 0) return -1;
    const found = this.ids.indexOf(prefixed.slice(at + 1), this.firsts[kind]);
    return found >= 0 && this.kind(found) === kind ? found : -1;
  }

  /** How a node is called where it stands alone: a rule by its number and what it is about. */
  title(node) {
    if (this.kind(node) !== 1) return this.names[node];
    const topic = this.topic[node];
    const words = this.names[node] || (topic >= 0 ? this.names[this.topics.head[topic]] : "");
    return `${this.ids[node]} ${words}`.trim();
  }

  region(node) {
    return this.topic[node] < 0 ? -1 : this.topics.region[this.topic[node]];
  }

  /** "Trample · Vigilance · Flying": the topics that tell a region from others. */
  regionName(region) {
    if (region < 0) return "";
    const names = this.regions.named[region].map((topic) => this.topicName(topic));
    return [...new Set(names)].slice(0, 2).join(" · ");
  }

  topicName(topic) {
    const head = this.topics.head[topic];
    return this.kind(head) === 2 ? "Glossary" : this.names[head] || this.ids[head];
  }

  /** "7", the chapter of the rule that a node is, or that tells most of it; "" if there is none. */
  chapter(node) {
    if (this.kind(node) === 1) return this.ids[node][0];
    const rule = this.topic[node] < 0 ? "" : this.topics.rule[this.topic[node]];
    return /^\d/.test(rule) ? rule[0] : "";
  }

  /** How many cards a rule or keyword is on, how many ties another node has; 0 before the ties are there. */
  count(node) {
    return this.ties ? this.ties.count[node] : 0;
  }

  /** All ties, both ways: `rows[node]` to `rows[node + 1]` in `others` and `bits`, those that go out first. */
  async load() {
    this.loading ??= this.fetchTies()
      .then(unpack)
      .then(({ header, arrays }) => (this.ties = bothWays(header.relations, arrays, this)));
    return this.loading;
  }

  /** The ties of a node, by what they say from its side: [{relation, out, nodes}]; they have to be loaded. */
  grouped(node) {
    const { rows, outs, others, bits, relations } = this.ties;
    const groups = new Map();
    const own = new Set(); // rules of the keywords of a card stand there once, as keywords
    for (let at = rows[node]; at < rows[node + 1]; at += 1) {
      const out = at < rows[node] + outs[node];
      for (let relation = 0; relation < relations.length; relation += 1) {
        if (!((bits[at] >> relation) & 1)) continue;
        const key = out ? relation : relation + relations.length;
        if (!groups.has(key)) groups.set(key, { relation: relations[relation], out, nodes: [] });
        groups.get(key).nodes.push(others[at]);
      }
      if (node >= this.firstCard && others[at] < this.firsts[1]) own.add(this.rule(others[at]));
    }
    const found = [...groups.values()];
    for (const group of found) {
      group.nodes = group.nodes.filter((other) => !own.has(other));
      const weight = group.out ? (other) => this.count(other) : (other) => outs[other];
      group.nodes.sort((one, other) => weight(one) - weight(other) || one - other);
    }
    return found.filter((group) => group.nodes.length);
  }

  /** The rule that defines a keyword, or −1. */
  rule(keyword) {
    const { rows, outs, others, bits, relations } = this.ties;
    const bit = relations.indexOf("defined_by");
    for (let at = rows[keyword]; at < rows[keyword] + outs[keyword]; at += 1)
      if ((bits[at] >> bit) & 1) return others[at];
    return -1;
  }

  /** All nodes that a node is tied to. */
  neighbors(node) {
    return this.ties.others.subarray(this.ties.rows[node], this.ties.rows[node + 1]);
  }
}

function bothWays(relations, { out, target, bits }, { size, firstCard }) {
  const rows = new Uint32Array(size + 1);
  for (let node = 0; node < size; node += 1) rows[node + 1] = out[node];
  for (const node of target) rows[node + 1] += 1;
  for (let node = 0; node < size; node += 1) rows[node + 1] += rows[node];
  const next = rows.slice();
  const others = new Uint32Array(2 * target.length);
  const both = new Uint32Array(2 * target.length);
  const count = new Uint32Array(size);
  const put = (node, other, at) => {
    others[next[node]] = other;
    both[next[node]] = bits[at];
    next[node] += 1;
  };
  for (let node = 0, at = 0; node < size; node += 1)
    for (const stop = at + out[node]; at < stop; at += 1) put(node, target[at], at);
  for (let node = 0, at = 0; node < size; node += 1)
    for (const stop = at + out[node]; at < stop; at += 1) {
      put(target[at], node, at);
      if (node >= firstCard) count[target[at]] += 1;
    }
  for (let node = 0; node < size; node += 1) if (!count[node]) count[node] = rows[node + 1] - rows[node];
  return { relations, rows, outs: out, others, bits: both, count };
}
