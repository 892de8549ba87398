// A view as a value: from what it starts, what was done to it, and how the address of the page says that.
// States are never changed; each change makes a new one, so that undo, back and forward are a list.

/**
 * @typedef State
 * focus: ids; depth: steps; preset: name or ""; hide: types; without: relations;
 * steps: what was done, in order: ["expand", id, phrase, number] | ["add" | "dismiss" | "keep", …ids];
 * pins: {id: [x, y]}; chosen: ids, the last one open; edge: id or ""; path: [from, to, which] or null;
 * table: "" | "nodes" | "ties"; words: whether all edges carry their words
 */

const LISTS = { focus: "focus", hide: "hide", without: "without", chosen: "node" };

export function opening(about) {
  return {
    focus: about.focus, depth: about.depth, preset: "", hide: [], without: [],
    steps: [], pins: {}, chosen: [], edge: "", path: null, table: "", words: false,
  };
}

const encoded = (text) => encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%20", "+").replaceAll("%2F", "/");
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // cut off in the middle of an escape
  }
}
const packed = (items) => items.map((item) => encoded(String(item))).join(";");

/** The part of the address after “#” for a state; what is as at the opening is left out. */
export function written(state, about) {
  const start = opening(about);
  const parts = [];
  const say = (name, value) => parts.push(`${name}=${value}`);
  for (const [field, name] of Object.entries(LISTS))
    if (String(state[field]) !== String(start[field])) say(name, state[field].map(encoded).join(","));
  if (state.depth !== start.depth) say("depth", state.depth);
  if (state.preset) say("preset", encoded(state.preset));
  if (state.steps.length) say("steps", state.steps.map(packed).join(","));
  const pins = Object.entries(state.pins);
  if (pins.length) say("pin", pins.map(([id, [x, y]]) => packed([id, Math.round(x), Math.round(y)])).join(","));
  if (state.edge) say("edge", encoded(state.edge));
  if (state.path) say("path", packed(state.path));
  if (state.table) say("table", state.table);
  if (state.words) say("words", 1);
  return parts.join("&");
}

/** The state that such an address tells; what it does not know of is left out. */
export function read(hash, about) {
  const state = opening(about);
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    const [name, value] = [part.slice(0, at), part.slice(at + 1)];
    const list = value.split(",").filter(Boolean);
    const sets = list.map((item) => item.split(";").map(decoded));
    const field = Object.keys(LISTS).find((each) => LISTS[each] === name);
    if (field) state[field] = list.map(decoded);
    else if (name === "depth" && /^\d$/.test(value)) state.depth = Number(value);
    else if (name === "preset") state.preset = decoded(value);
    else if (name === "steps") state.steps = sets.map(step).filter(Boolean);
    else if (name === "pin") state.pins = Object.fromEntries(sets.map(([id, x, y]) => [id, [Number(x) || 0, Number(y) || 0]]));
    else if (name === "edge") state.edge = decoded(value);
    else if (name === "path" && sets[0]?.length > 1) state.path = [sets[0][0], sets[0][1], Number(sets[0][2]) || 0];
    else if (name === "table" && ["nodes", "ties"].includes(value)) state.table = value;
    else if (name === "words") state.words = value === "1";
  }
  return state;
}

function step([name, ...rest]) {
  if (name === "expand" && rest.length === 3) return [name, rest[0], rest[1], Math.max(0, Math.min(Number(rest[2]) || 0, 100))];
  return ["add", "dismiss", "keep"].includes(name) && rest.length ? [name, ...rest] : null;
}

/** What of a state decides what is drawn; the choice of a node is not of it. */
export function substance({ chosen, edge, ...rest }) {
  return JSON.stringify(rest);
}

/** States that were, the one that is, and those that were undone; the browser's own history goes along. */
export class Timeline {
  /** `moved(state, memory)` is called when another state becomes the present one. */
  constructor(about, moved) {
    this.about = about;
    this.moved = moved;
    this.states = [];
    this.memories = []; // what is worth keeping of each state, but not worth an address
    this.follows = true; // whether the browser lets us write its history; not in a sandbox
    this.at = Math.max(0, Number(this.#browser(() => history.state?.at)) || 0);
    this.states[this.at] = read(location.hash, about);
    this.#browser(() => history.replaceState({ at: this.at }, "", this.#address()));
    this.last = this.at;
    addEventListener("popstate", (event) => {
      const at = event.state?.at;
      if (Number.isInteger(at)) this.#show(at, this.states[at] ?? read(location.hash, about));
      else {
        // The address was changed by hand: a new state after this one.
        this.#put(read(location.hash, about));
        this.#browser(() => history.replaceState({ at: this.at }, ""));
        this.moved(this.present, undefined);
      }
    });
  }

  #browser(ask) {
    if (!this.follows) return undefined;
    try {
      return ask();
    } catch {
      this.follows = false;
      return undefined;
    }
  }

  #address() {
    return `#${written(this.present, this.about)}`;
  }

  get present() {
    return this.states[this.at];
  }

  #put(state) {
    this.at += 1;
    this.states[this.at] = state;
    this.states.length = this.at + 1;
    this.memories.length = Math.min(this.memories.length, this.at);
    this.last = this.at;
  }

  push(state) {
    this.#put(state);
    this.#browser(() => history.pushState({ at: this.at }, "", this.#address()));
  }

  replace(state) {
    this.states[this.at] = state;
    this.#browser(() => history.replaceState({ at: this.at }, "", this.#address()));
  }

  remember(memory) {
    this.memories[this.at] = memory;
  }

  #show(at, state) {
    this.at = at;
    this.last = Math.max(this.last, at);
    this.states[at] = state;
    this.moved(state, this.memories[at]);
  }

  can(by) {
    return this.at + by >= 0 && this.at + by <= this.last;
  }

  /** Back (-1) or forward (+1). */
  go(by) {
    if (!this.can(by)) return;
    if (this.follows) history.go(by);
    else this.#show(this.at + by, this.states[this.at + by]);
  }

  /** To the last state (-1) or the next one (+1) in which something else is drawn. */
  undo(by) {
    const here = substance(this.present);
    let at = this.at + by;
    while (this.states[at] && substance(this.states[at]) === here) at += by;
    if (this.states[at]) this.go(at - this.at);
    else this.go(by);
  }
}
