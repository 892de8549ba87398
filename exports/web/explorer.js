// One state and the parts that show it. A change makes a new state; what it shows is worked out from where it
// starts and what was done, and then the picture, the panel, the table, the legend and the list are told.

import { Picture, isStill, litEdge, litNodes } from "./canvas.js";
import { el } from "./dom.js";
import { drawLegend, openRelations } from "./legend.js";
import { closeMenu, openMenu } from "./menu.js";
import { named, oneLine } from "./model.js";
import { Panel, count } from "./panel.js";
import { BUDGET, presetsFor } from "./source.js";
import { opening, substance, Timeline } from "./state.js";
import { Table } from "./table.js";

/** Of the ways between two nodes, the one that a state asks for. */
const chosenWay = (ways, { path }) => (path ? (ways[path[2]] ?? ways[0]) : undefined);

export class Explorer {
  /** `part` gives an element of the page by its id. */
  constructor(part, model, source, options) {
    Object.assign(this, { part, model, source });
    this.ids = new Set(); // what the state holds
    this.visible = new Set(); // of it, what the filters leave
    this.edges = new Set();
    this.ways = [];
    this.ticket = 0;
    this.pathFrom = null;
    this.fresh = true; // nothing was chosen or let go yet
    const on = {
      node: (id, more) => this.choose(id, more),
      edge: (id) => this.chooseEdge(id),
      nothing: () => this.letGo(),
      expand: (id, at) => this.expand(id, at),
      menu: (id, at) => this.menu(id, at),
      moved: (id) => this.change({ pins: { ...this.state.pins, [id]: this.#place(id) } }),
    };
    this.picture = new Picture(part("picture"), model, options, on);
    this.panel = new Panel(part("details"), model, source, {
      node: (id) => this.choose(id, false, true),
      edge: on.edge,
      expand: (id, phrase) => this.grow(id, phrase),
      act: (name, id) => this.act(name, id),
      way: (at) => this.change({ path: [...this.state.path.slice(0, 2), at], edge: "", chosen: [] }),
    });
    this.table = new Table(part("table"), model, {
      node: (id) => this.choose(id),
      edge: on.edge,
      which: (table) => this.change({ table }),
    });
    this.timeline = new Timeline(model.about, (state, places) => this.#moved(state, places));
  }

  get state() {
    return this.timeline.present;
  }

  /** Say that something is on its way, if it takes long enough to be noticed. */
  #wait(on) {
    clearTimeout(this.waiting);
    this.part("picture").toggleAttribute("aria-busy", on);
    if (on) this.waiting = setTimeout(() => { this.part("waiting").hidden = false; }, 300);
    else this.part("waiting").hidden = true;
  }

  /** Show the state that the address tells. */
  async start() {
    this.#wait(true);
    try {
      await this.#show(this.state, true);
    } catch (error) {
      this.fail(error);
      await this.#lessThan(this.state);
    }
    this.#wait(false);
  }

  /** Of a state that cannot be shown, what it starts from; or else nothing of it. */
  async #lessThan({ focus, depth }) {
    const start = opening(this.model.about);
    for (const state of [{ ...start, focus, depth }, start]) {
      try {
        await this.#show(state, true, () => this.timeline.replace(state));
        return;
      } catch {
        // told already
      }
    }
  }

  /** A new state: some fields of the present one changed. It becomes the present one when it can be shown. */
  async change(patch, { push = true, said = "" } = {}) {
    const state = { ...this.state, ...patch };
    const mine = ++this.ticket;
    this.#wait(true);
    try {
      const ids = await this.#resolve(state);
      if (mine !== this.ticket) return;
      const before = this.ids;
      const isNew = String(state.focus) !== String(this.state.focus);
      this.timeline[push ? "push" : "replace"](state);
      this.fresh = false;
      this.#draw(state, ids, isNew);
      const added = [...ids].filter((id) => !before.has(id)).length;
      this.say(said || this.#difference(before, ids, added));
    } catch (error) {
      if (mine === this.ticket) this.fail(error);
    } finally {
      if (mine === this.ticket) this.#wait(false);
    }
  }

  async #moved(state, places) {
    const mine = ++this.ticket;
    closeMenu();
    try {
      const ids = await this.#resolve(state);
      if (mine !== this.ticket) return;
      if (places) this.picture.places = new Map(places);
      this.#draw(state, ids, false);
      this.say(`${count(this.visible.size, "node")} shown`);
    } catch (error) {
      this.fail(error);
    }
  }

  async #show(state, isNew, before = () => {}) {
    const mine = ++this.ticket;
    const ids = await this.#resolve(state);
    if (mine !== this.ticket) return;
    before();
    this.#draw(state, ids, isNew);
  }

  /** The ids that a state holds: where it starts, then what was done, in order. */
  async #resolve(state) {
    const { model, source } = this;
    const known = (id) => model.nodes.has(id);
    let ids = new Set((await source.opening(state.focus, state.depth, state.preset)).filter(known));
    if (!ids.size && state.focus.length) throw new Error(`${state.focus.join(", ")} is not here.`);
    for (const [what, ...rest] of state.steps) {
      if (what === "expand" && known(rest[0])) {
        const room = Math.min(rest[2], BUDGET.hard - ids.size);
        if (room > 0) for (const id of await source.expand(rest[0], rest[1], ids, room)) ids.add(id);
      } else if (what === "add") for (const id of rest.filter(known)) for (const each of (await source.reach(id, ids)) ?? [id]) ids.add(each);
      else if (what === "dismiss") for (const id of rest) ids.delete(id);
      else if (what === "keep") {
        const { nodes } = litNodes(model, rest.filter((id) => ids.has(id)), ids);
        ids = new Set([...ids].filter((id) => nodes.has(id)));
      }
    }
    this.resolvedWays = [];
    if (state.path) {
      this.resolvedWays = await source.paths(state.path[0], state.path[1]);
      for (const id of chosenWay(this.resolvedWays, state)?.nodes ?? []) ids.add(id);
      for (const id of state.path.slice(0, 2)) if (known(id)) ids.add(id);
    }
    return new Set([...ids].slice(0, BUDGET.hard));
  }

  /** Tell all parts. `isNew`: another picture, not the same one changed. */
  #draw(state, ids, isNew) {
    const { model, picture } = this;
    const first = !picture.places.size;
    if (isNew) {
      const standing = picture.places;
      picture.adopt([...ids].filter((id) => !standing.has(id)).length > ids.size / 2 ? ids : []);
      if (!picture.places.size) picture.places = standing;
    }
    this.ids = ids;
    this.ways = this.resolvedWays;
    this.#filter(state);
    for (const [id, [x, y]] of Object.entries(state.pins)) picture.places.set(id, { x, y });
    const chosen = state.chosen.filter((id) => this.visible.has(id));
    const open = chosen.at(-1) ?? "";
    const edge = this.edges.has(state.edge) ? state.edge : "";
    const way = chosenWay(this.ways, state);
    const lit = edge ? litEdge(model.edges.get(edge))
      : chosen.length ? litNodes(model, chosen, this.visible)
      : way ? { nodes: new Set(way.nodes), edges: new Set(way.edges) } : null;
    this.open = open;
    const counts = new Map();
    for (const id of this.visible) {
      let sum = 0;
      for (const { here, beyond } of model.hidden(id, ids).values()) sum += here.length + beyond;
      if (sum) counts.set(id, sum);
    }
    const grown = new Set([...state.focus, ...state.steps.filter(([what]) => what === "expand").map(([, id]) => id)]);
    const rest = new Map();
    for (const id of grown) if (this.visible.has(id) && this.#growable(id).length) rest.set(id, this.#growable(id).reduce((sum, { number }) => sum + number, 0));
    picture.show({
      ids: this.visible, edges: this.edges, rest, counts, lit, open, edge, chosen: new Set(chosen),
      focus: new Set(state.focus), pins: new Set(Object.keys(state.pins)), words: state.words,
    });
    if (isNew || first) picture.fit(false);
    const drawn = way ? String(way.nodes) : "";
    if (drawn && drawn !== this.drawnWay) picture.fit(!first, way.nodes.filter((id) => this.visible.has(id)));
    this.drawnWay = drawn;
    this.#sides(state, open, edge, way);
    this.timeline.remember(new Map(picture.places));
  }

  /** What the types and relations that are hidden leave of `ids`; a node that loses all its ties goes with them. */
  #filter(state) {
    const { model, ids } = this;
    const focus = new Set(state.focus);
    const typed = new Set([...ids].filter((id) => !state.hide.includes(model.nodes.get(id).kind)));
    const all = model.among(typed);
    const kept = all.filter(({ relation }) => !state.without.includes(relation));
    const tied = new Set(kept.flatMap(({ from, to }) => [from, to]));
    const lost = new Set(kept.length < all.length ? all.flatMap(({ from, to }) => [from, to]).filter((id) => !tied.has(id) && !focus.has(id)) : []);
    this.visible = new Set([...typed].filter((id) => !lost.has(id)));
    this.edges = new Set(kept.map(({ id }) => id));
  }

  /** All that stands around the picture. */
  #sides(state, open, edge, way) {
    const { ids, model, part } = this;
    const title = this.title = String(state.focus) === String(model.about.focus) && model.about.title
      ? model.about.title : state.focus.map((id) => oneLine(model.nodes.get(id)?.heading || model.nodes.get(id)?.label || id)).join(" · ") || model.about.title;
    part("title").textContent = title;
    document.title = `${title} · cardlaw`;
    const all = model.nodes.size;
    part("summary").replaceChildren(
      this.ids.size ? el("span", {}, `${this.visible.size}${all > this.visible.size && !model.about.source ? ` of ${all}` : ""} nodes · ${count(this.edges.size, "tie")}`) : "",
      this.ids.size ? " · " : "",
      el("span", {}, `Comprehensive Rules effective ${model.about.release}`),
    );
    const counts = new Map();
    for (const id of this.ids) counts.set(model.nodes.get(id).kind, (counts.get(model.nodes.get(id).kind) ?? 0) + 1);
    drawLegend(part("legend"), model, counts, state.hide, (hide) => this.change({ hide }));
    const slider = part("depth");
    slider.max = String(Math.max(this.source.farthest(state.focus), state.depth));
    slider.value = String(state.depth);
    part("depth-said").textContent = String(state.depth);
    part("presets").hidden = !presetsFor(model, this.#subjects()).length;
    part("relations").classList.toggle("on", state.without.length > 0);
    for (const [name, by] of [["back", -1], ["forward", 1], ["undo", -1]]) part(name).disabled = !this.timeline.can(by);
    part("words").setAttribute("aria-pressed", String(state.words));
    part("as-table").setAttribute("aria-pressed", String(Boolean(state.table)));
    part("empty").hidden = ids.size > 0;
    part("table").hidden = !state.table;
    part("canvas").hidden = Boolean(state.table);
    if (state.table) this.table.show(state.table, this.visible, this.edges, open || edge);
    if (edge) this.panel.edge(edge);
    else if (open) this.panel.node(open, this.visible, this.#acts(open));
    else if (state.path) this.panel.ways(state.path[0], state.path[1], this.ways, this.ways.indexOf(way));
    else if (this.fresh && state.focus.length === 1 && this.visible.has(state.focus[0])) this.panel.node(state.focus[0], this.visible, this.#acts(state.focus[0]));
    else this.panel.overview(title, this.visible, this.edges);
    this.#mirror(open);
  }

  /** The picture as a list, for readers who cannot see it; the chosen one is told by its line. */
  #mirror(open) {
    const { model, part } = this;
    const rows = [...this.visible].map((id) => {
      const node = model.nodes.get(id);
      const ties = model.ties.get(id).filter((edge) => this.edges.has(edge.id));
      return el("li", { id: `seen-${node.rank}`, role: "option", "aria-selected": String(id === open) }, `${model.type(node.kind).one} ${named(node)}, ${count(ties.length, "tie")}`);
    });
    part("seen").replaceChildren(...rows);
    if (open) part("picture").setAttribute("aria-activedescendant", `seen-${model.nodes.get(open).rank}`);
    else part("picture").removeAttribute("aria-activedescendant");
  }

  #place(id) {
    const { x, y } = this.picture.places.get(id);
    return [Math.round(x), Math.round(y)];
  }

  /** What a preset is about: several chosen nodes, or else what the view is about. */
  #subjects() {
    return this.state.chosen.length > 1 || (this.state.chosen.length && !this.state.focus.length) ? this.state.chosen : this.state.focus;
  }

  // What can be done

  /** Choose a node; `more`: besides those that are chosen. */
  choose(id, more = false, visit = false) {
    if (this.pathFrom && this.pathFrom !== id) return this.path(this.pathFrom, id);
    if (!this.visible.has(id)) return undefined;
    const { chosen } = this.state;
    const next = !more ? [id] : chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
    const node = this.model.nodes.get(id);
    const done = this.change({ chosen: next, edge: "" }, { said: `${this.model.type(node.kind).one} ${named(node)}` });
    if (visit) this.picture.visit(id);
    this.sheet?.("half");
    return done;
  }

  chooseEdge(id) {
    this.sheet?.("half");
    const { from, to, forward } = this.model.edges.get(id);
    return this.change({ edge: id }, { said: [oneLine(this.model.nodes.get(from).label), forward, oneLine(this.model.nodes.get(to).label)].join(" ") });
  }

  /** Escape, or a press on nothing: close one thing, the smallest first. */
  letGo() {
    if (closeMenu()) return undefined;
    if (this.pathFrom) return this.#aim(null);
    const { chosen, edge, path } = this.state;
    if (edge) return this.change({ edge: "" }, { said: "Nothing chosen" });
    if (chosen.length) return this.change({ chosen: [] }, { said: "Nothing chosen" });
    if (path) return this.change({ path: null });
    if (this.fresh) {
      this.fresh = false;
      this.#sides(this.state, "", "", null);
    }
    return undefined;
  }

  /** The relations by which a node can be expanded: [{phrase, number}], the most first. */
  #growable(id) {
    return [...this.model.hidden(id, this.ids)]
      .map(([phrase, { here, beyond }]) => ({ phrase, number: here.length + this.source.reachable(beyond) }))
      .filter(({ number }) => number > 0)
      .sort((a, b) => b.number - a.number);
  }

  /** Expand by the one relation that there is, or ask by which. */
  expand(id, at = this.picture.onScreen(id)) {
    const ways = this.#growable(id);
    const node = this.model.nodes.get(id);
    if (!ways.length) return this.say(`Nothing more of ${oneLine(node.label)} is ${this.model.about.source ? "there" : "in this file"}.`, true);
    if (ways.length === 1) return this.grow(id, ways[0].phrase);
    const all = ways.reduce((sum, { number }) => sum + number, 0);
    return openMenu(at, `Expand ${oneLine(node.label)}`, [
      ...ways.map(({ phrase, number }) => ({ text: phrase, count: number, act: () => this.grow(id, phrase) })),
      { text: "some of each", count: all, act: () => this.#growAll(id, ways) },
    ]);
  }

  grow(id, phrase) {
    return this.#growAll(id, [{ phrase }]);
  }

  #growAll(id, ways) {
    if (this.ids.size >= BUDGET.hard) return this.say(`${BUDGET.hard.toLocaleString("en")} nodes are as many as can be shown: dismiss some first.`, true);
    const each = Math.max(3, Math.floor(BUDGET.step / ways.length));
    return this.change({ steps: [...this.state.steps, ...ways.map(({ phrase }) => ["expand", id, phrase, each])] });
  }

  #acts(id) {
    const { state } = this;
    const ways = this.#growable(id);
    const several = state.chosen.length > 1;
    return [
      ways.length && { name: "expand", text: `Expand (${ways.reduce((sum, { number }) => sum + number, 0).toLocaleString("en")})`, key: "Enter, or press twice" },
      String(state.focus) !== id && { name: "focus", text: "Start here", key: "F" },
      { name: "path", text: "Path to …", key: "P, then the other end" },
      { name: "pin", text: "Pin", pressed: id in state.pins, key: "I" },
      { name: "keep", text: several ? `Keep only these ${state.chosen.length}` : "Keep only", key: "K: what is lit stays" },
      { name: "dismiss", text: several ? `Dismiss ${state.chosen.length}` : "Dismiss", key: "Delete" },
    ].filter(Boolean);
  }

  /** What the buttons of the panel, the menu of a node and the keys do. */
  act(name, id) {
    const { state } = this;
    const these = state.chosen.length > 1 && state.chosen.includes(id) ? state.chosen : [id];
    const acts = {
      expand: () => this.expand(id),
      focus: () => this.begin(these),
      path: () => (these.length === 2 ? this.path(...these) : this.#aim(id)),
      pin: () => {
        const { [id]: was, ...pins } = state.pins;
        return this.change({ pins: was ? pins : { ...pins, [id]: this.#place(id) } }, { said: was ? "No longer pinned" : "Pinned" });
      },
      keep: () => this.change({ steps: [...state.steps, ["keep", ...these]] }),
      dismiss: () => this.change({ steps: [...state.steps, ["dismiss", ...these]], chosen: [], edge: "" }),
    };
    return acts[name]();
  }

  /** The menu of a node: a long press, or the other button of the mouse. */
  menu(id, at) {
    const node = this.model.nodes.get(id);
    const ways = this.#growable(id);
    openMenu(at, oneLine(node.label), [
      ...ways.map(({ phrase, number }) => ({ text: `Expand: ${phrase}`, count: number, act: () => this.grow(id, phrase) })),
      ...this.#acts(id).filter(({ name }) => name !== "expand").map(({ name, text, pressed }) => ({ text: pressed ? "Unpin" : text, act: () => this.act(name, id) })),
    ]);
  }

  /** Start anew from some nodes. */
  begin(focus, preset = "") {
    const { table, words, hide, without } = this.state;
    const depth = Math.max(1, this.model.about.depth);
    return this.change({ ...opening(this.model.about), focus, depth, preset, table, words, hide, without });
  }

  /** What was found by the search: shown if it can be, else started from; `more`: besides what is there. */
  async pick({ id }, more) {
    if (this.pathFrom) return this.path(this.pathFrom, id);
    if (this.visible.has(id)) return this.choose(id, more, true);
    if (more || await this.source.reach(id, this.ids) === null) return this.begin(more ? [...this.state.focus, id] : [id]);
    const { kind } = this.model.nodes.get(id);
    const hide = this.state.hide.filter((type) => type !== kind);
    await this.change({ steps: [...this.state.steps, ["add", id]], chosen: [id], edge: "", hide });
    if (this.visible.has(id)) this.picture.visit(id);
    return undefined;
  }

  /** Ask for the other end of a path. */
  #aim(id) {
    this.pathFrom = id;
    this.part("aim").hidden = !id;
    if (id) this.part("aim-said").textContent = `Path from ${oneLine(this.model.nodes.get(id).label)}: press or search the other end.`;
    if (id) this.say(this.part("aim-said").textContent);
  }

  path(from, to) {
    this.#aim(null);
    this.sheet?.("half");
    return this.change({ path: [from, to, 0], chosen: [], edge: "" });
  }

  openPresets(anchor) {
    const subjects = this.#subjects();
    openMenu(anchor, "Ask", [
      ...presetsFor(this.model, subjects).map(([name, text]) => ({ id: name, text, act: () => this.begin(subjects, name) })),
      this.state.preset && { id: "none", text: "All around them", act: () => this.begin(this.state.focus) },
    ].filter(Boolean));
  }

  openRelations(anchor) {
    const typed = new Set([...this.ids].filter((id) => !this.state.hide.includes(this.model.nodes.get(id).kind)));
    const counts = new Map();
    for (const { relation } of this.model.among(typed)) counts.set(relation, (counts.get(relation) ?? 0) + 1);
    let hidden = this.state.without;
    openRelations(anchor, this.model, counts, () => hidden, (without) => {
      hidden = without;
      this.change({ without });
    });
  }

  relax() {
    this.picture.relax(() => {
      this.timeline.remember(new Map(this.picture.places));
      this.picture.fit();
    });
  }

  /** Walk from the chosen node to the neighbor that lies in a direction. */
  walk(direction) {
    const from = this.open || this.state.focus.find((id) => this.visible.has(id)) || [...this.visible][0];
    if (!from) return;
    if (!this.open) return void this.choose(from, false, true);
    const ties = this.model.ties.get(from).filter((edge) => this.edges.has(edge.id));
    const neighbors = new Set(ties.flatMap((edge) => [edge.from, edge.to]).filter((id) => id !== from));
    const next = this.picture.toward(from, neighbors, direction);
    if (next) this.choose(next, false, true);
    else this.say("Nothing in that direction");
  }

  #difference(before, ids, added) {
    const gone = [...before].filter((id) => !ids.has(id)).length;
    const many = this.visible.size > BUDGET.soft ? ` That is much for one picture: hide or dismiss some.` : "";
    const change = [added && `${added} added`, gone && `${gone} gone`].filter(Boolean).join(", ");
    return `${change ? `${change}; ` : ""}${count(this.visible.size, "node")} shown.${many}`;
  }

  /** Tell what happened; `loud`: also to those who see. */
  say(words, loud = false) {
    const said = this.part("said");
    said.textContent = words;
    said.classList.toggle("loud", loud);
    clearTimeout(this.saying);
    if (loud) this.saying = setTimeout(() => said.classList.remove("loud"), isStill() ? 8000 : 5000);
  }

  /** Tell what went wrong; a mistake of ours also where those look who can mend it. */
  fail(error) {
    if (error.constructor !== Error) console.error(error);
    this.say(error.message, true);
  }
}
