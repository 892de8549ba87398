// The picture: vis-network draws shapes and lines where they were put, we draw the words over it.

import { styled } from "./dom.js";
import { drawLabels, lines } from "./labels.js";
import { edgeWords, otherEnd } from "./model.js";
import { placeNew, relaxed } from "./place.js";

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const CLOSE_UP = 1.55; // from this zoom on, edges carry their words unasked
const NEAR = 9; // pixels beside an edge or a node that still touch it
const PAUSE = 90; // milliseconds over a node before the rest grows pale
const SMALLEST = 4; // pixels of a node on the screen, half across, however far away
const CROWD = 30; // to a node with more ties than this no arrows are drawn, they would lie on each other
const REST = "more "; // what the id of a “N more” node begins with

export class Picture {
  /**
   * @param container the element to draw in
   * @param model a Model
   * @param options of vis-network, as exported
   * @param on {node(id, more), edge(id), nothing(), expand(id, at), menu(id, at), moved(id)}: what was done
   */
  constructor(container, model, options, on) {
    this.model = model;
    this.container = container;
    this.on = on;
    this.view = { ids: new Set(), edges: new Set(), rest: new Map(), focus: new Set(), pins: new Set(), lit: null, open: "", words: false };
    this.pointed = null; // {node: id} or {edge: id} under the pointer
    this.drawn = [];
    this.written = new Map();
    this.places = new Map();
    this.styles = new Map(); // what was last told to vis-network, so that only changes are
    this.enlarged = 1;
    this.upright = container.clientHeight > container.clientWidth * 1.2;
    this.nodeSet = new vis.DataSet();
    this.edgeSet = new vis.DataSet();
    this.network = new vis.Network(container, { nodes: this.nodeSet, edges: this.edgeSet }, options);
    this.network.canvas.frame.tabIndex = -1;
    this.network.on("click", (event) => this.#press(event));
    this.network.on("doubleClick", (event) => {
      const node = this.#nodeAt(event.pointer.DOM);
      if (node !== undefined && !node.startsWith(REST)) on.expand(node, this.onScreen(node));
    });
    for (const name of ["hold", "oncontext"])
      this.network.on(name, ({ event, pointer }) => {
        event.preventDefault?.();
        const node = this.#nodeAt(pointer.DOM);
        if (node === undefined || node.startsWith(REST)) return;
        this.held = performance.now(); // lifting the finger is no press
        on.menu(node, this.onScreen(node));
      });
    this.network.on("dragEnd", ({ nodes }) => {
      this.network.unselectAll();
      for (const id of nodes) {
        this.places.set(id, this.network.getPosition(id));
        if (!id.startsWith(REST)) on.moved(id);
      }
    });
    for (const name of ["zoom", "animationFinished"]) this.network.on(name, () => this.#enlarge());
    this.network.on("afterDrawing", (context) => this.#write(context));
    this.network.on("hoverNode", ({ node }) => this.#point({ node }));
    this.network.on("hoverEdge", ({ edge }) => this.#point({ edge }));
    this.network.on("blurNode", () => this.#point(null));
    this.network.on("blurEdge", () => this.#point(null));
    container.addEventListener("pointerleave", () => this.pointed && this.#point(null));
  }

  /** Take places from the nodes as they come; forgets all that stood before. */
  adopt(ids) {
    this.places = new Map();
    for (const id of ids) {
      const { x, y } = this.model.nodes.get(id);
      if (Number.isFinite(x) && Number.isFinite(y)) this.places.set(id, this.upright ? { x: y, y: x } : { x, y });
    }
  }

  /** Draw a view: {ids, edges, rest, focus, pins, lit, open, words}; what stands stays where it is. */
  show(view) {
    this.view = view;
    const tied = (id) => (id.startsWith(REST) ? [id.slice(REST.length)] : this.model.ties.get(id).map((edge) => otherEnd(edge, id)));
    const standing = new Map([...this.places].filter(([id]) => view.ids.has(id)));
    const isShown = (id) => view.ids.has(id) || standing.has(id);
    const fresh = [...view.ids].filter((id) => !standing.has(id));
    placeNew(fresh, standing, (id) => tied(id).filter(isShown));
    placeNew([...view.rest.keys()].map((id) => REST + id), standing, tied);
    for (const [id, place] of standing) this.places.set(id, place);
    this.paint();
  }

  /** Give every node and edge the color that the choice and the time of day ask for. */
  paint() {
    const { view, model } = this;
    const color = palette(this);
    const lit = this.#lit();
    const nodes = [];
    for (const id of view.ids) {
      const { kind } = model.nodes.get(id);
      const { shape } = model.type(kind);
      const isFocus = view.focus.has(id);
      const same = { background: color[kind] ?? color.muted, border: isFocus || view.pins.has(id) ? color.ink : color.paper };
      nodes.push({
        id, shape, ...this.places.get(id),
        size: this.#size(id),
        opacity: !lit || lit.nodes.has(id) ? 1 : 0.28,
        borderWidth: isFocus ? 2.5 : 1.5,
        color: { ...same, highlight: same, hover: same },
      });
    }
    for (const id of view.rest.keys()) {
      const same = { background: color.paper, border: color.muted };
      nodes.push({
        id: REST + id, shape: "dot", size: 6 * this.enlarged, ...this.places.get(REST + id), borderWidth: 1.5,
        shapeProperties: { borderDashes: [3, 3] }, opacity: !lit || lit.nodes.has(id) ? 1 : 0.28,
        color: { ...same, highlight: same, hover: same },
      });
    }
    const crowd = new Map();
    for (const key of view.edges) {
      const { to } = model.edges.get(key);
      crowd.set(to, (crowd.get(to) ?? 0) + 1);
    }
    const edges = [];
    for (const key of view.edges) {
      const { id, from, to, smooth, relation, structure } = model.edges.get(key);
      const strong = lit?.edges.has(id);
      const line = strong ? color.strong : color.line;
      edges.push({
        id, from, to, smooth, arrows: { to: { enabled: crowd.get(to) <= CROWD } }, dashes: relation === "refers_to" ? [5, 5] : false,
        width: (structure ? 1.8 : 1.1) + (strong ? 0.4 : 0),
        color: { color: lit && !strong ? color.faint : line, highlight: line, hover: color.ink, inherit: false },
      });
    }
    for (const id of view.rest.keys()) {
      edges.push({
        id: REST + id, from: id, to: REST + id, smooth: false, dashes: [2, 4], width: 1, arrows: { to: { enabled: false } },
        color: { color: lit && !lit.nodes.has(id) ? color.faint : color.line, highlight: color.line, hover: color.line, inherit: false },
      });
    }
    this.#tell(this.nodeSet, nodes);
    this.#tell(this.edgeSet, edges);
    this.network.redraw();
  }

  /** Half the width of a node; far away it is drawn larger, so that it can still be seen. */
  #size(id) {
    return (this.model.type(this.model.nodes.get(id).kind).size + (this.view.focus.has(id) ? 6 : 0)) * this.enlarged;
  }

  /** See to the size of the nodes after a zoom. */
  #enlarge() {
    const wanted = Math.max(1, SMALLEST / (9 * this.network.getScale()));
    const step = 1.2 ** Math.round(Math.log(wanted) / Math.log(1.2));
    if (step === this.enlarged) return;
    this.enlarged = step;
    this.paint();
  }

  /** Let a data set be exactly `items`; what did not change is not told again. */
  #tell(set, items) {
    const wanted = new Set(items.map(({ id }) => id));
    const gone = set.getIds().filter((id) => !wanted.has(id));
    for (const id of gone) this.styles.delete(id);
    set.remove(gone);
    const changed = items.filter((item) => {
      const style = JSON.stringify(item);
      const same = this.styles.get(item.id) === style;
      this.styles.set(item.id, style);
      return !same;
    });
    if (changed.length) set.update(changed);
  }

  /** Nodes and edges that belong to what is pointed at or chosen; null where nothing is. */
  #lit() {
    const { pointed, view } = this;
    if (pointed?.edge?.startsWith(REST) || pointed?.node?.startsWith(REST)) return view.lit;
    if (pointed?.edge && this.model.edges.has(pointed.edge)) return litEdge(this.model.edges.get(pointed.edge));
    if (pointed?.node && view.ids.has(pointed.node)) return litNodes(this.model, [pointed.node], view.ids);
    return view.lit;
  }

  #point(pointed) {
    this.pointed = pointed;
    this.container.classList.toggle("pointing", pointed !== null);
    clearTimeout(this.pausing);
    this.pausing = setTimeout(() => this.paint(), PAUSE);
    this.network.redraw();
  }

  #nodeAt({ x, y }) {
    const written = this.drawn.find(({ box, node }) => node && x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
    return this.network.getNodeAt({ x, y }) ?? written?.node ?? this.#nearest(x, y);
  }

  #press({ pointer: { DOM }, event }) {
    if (performance.now() - (this.held ?? -1e4) < 700) return;
    const { x, y } = DOM;
    const written = this.drawn.find(({ box, edge }) => edge && x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
    const node = this.network.getNodeAt(DOM) ?? (written ? undefined : this.#nodeAt(DOM));
    const edge = written?.edge ?? this.network.getEdgeAt(DOM);
    this.network.unselectAll();
    const keys = event.srcEvent ?? event;
    if (node?.startsWith(REST)) this.on.expand(node.slice(REST.length), this.onScreen(node));
    else if (node !== undefined) this.on.node(node, keys.ctrlKey || keys.metaKey || keys.shiftKey);
    else if (edge !== undefined && !edge.startsWith(REST)) this.on.edge(edge);
    else this.on.nothing();
  }

  /** A node that is small on the screen is still as big as a fingertip needs. */
  #nearest(x, y) {
    let best;
    let least = Infinity;
    const scale = this.network.getScale();
    for (const { id, size } of this.nodeSet.get({ fields: ["id", "size"] })) {
      const at = this.network.canvasToDOM(this.places.get(id));
      const away = Math.hypot(at.x - x, at.y - y) - size * scale;
      if (away < NEAR && away < least) [best, least] = [id, away];
    }
    return best;
  }

  /** Where a node stands in the page, in pixels. */
  onScreen(id) {
    const box = this.container.getBoundingClientRect();
    const { x, y } = this.network.canvasToDOM(this.places.get(id));
    return { x: box.left + x, y: box.top + y };
  }

  /** Of `ids`, the one that lies nearest to a direction, seen from a node: "left", "up", "right", "down". */
  toward(from, ids, direction) {
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction];
    const start = this.places.get(from);
    let best;
    let least = Infinity;
    for (const id of ids) {
      const [x, y] = [this.places.get(id).x - start.x, this.places.get(id).y - start.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy + y * dx);
      if (along <= 0 || aside > along * 2.5) continue;
      const cost = along + 2 * aside;
      if (cost < least) [best, least] = [id, cost];
    }
    return best;
  }

  /** What is to be written, for a frame: {at(place) → {x, y}, scale, near({x, y}) → boolean}. */
  #words({ at, scale, near }) {
    const { view, model } = this;
    const color = palette(this);
    const lit = this.#lit();
    const { body } = this.network; // may be behind by a frame
    const nodes = [];
    for (const id of view.ids) {
      const { kind, label } = model.nodes.get(id);
      if (!body.nodes[id]) continue;
      const place = at(body.nodes[id]);
      if (!near(place)) continue;
      const chosen = view.open === id;
      const pointed = this.pointed?.node === id;
      const isFocus = view.focus.has(id);
      const pale = lit && !lit.nodes.has(id) && !pointed;
      const letters = isFocus ? 15 : kind === "ability" ? 11.5 : 12.5;
      if (!this.written.has(id)) this.written.set(id, lines(label));
      const beyond = view.rest.has(id) ? 0 : (view.counts?.get(id) ?? 0);
      nodes.push({
        ...place, id, pale,
        radius: this.#size(id) * scale,
        lines: pale ? [] : this.written.get(id),
        size: letters,
        font: `${isFocus || chosen ? 650 : kind === "ability" ? 400 : 500} ${letters}px ${SANS}`,
        color: kind === "ability" && !chosen ? color.muted : color.ink,
        note: beyond && (chosen || pointed || scale > 1.3) ? `+${beyond.toLocaleString("en")} more` : "",
        noteFont: `400 10.5px ${SANS}`,
        noteColor: color.muted,
        must: chosen || pointed || isFocus,
        order: (chosen || pointed ? 1e6 : 0) + (isFocus ? 1e5 : 0) + (lit?.nodes.has(id) ? 1e4 : 0) + (kind === "ability" ? 0 : 20) + model.ties.get(id).length,
      });
    }
    for (const [id, count] of view.rest) {
      if (!body.nodes[REST + id]) continue;
      const place = at(body.nodes[REST + id]);
      if (!near(place)) continue;
      const pale = lit && !lit.nodes.has(id);
      nodes.push({
        ...place, id: REST + id, radius: 6 * this.enlarged * scale, lines: pale ? [] : [`${count.toLocaleString("en")} more`], size: 11,
        font: `500 11px ${SANS}`, color: color.muted, note: "", must: false, order: 1e4,
      });
    }
    nodes.sort((a, b) => b.order - a.order || (a.id < b.id ? -1 : 1));
    const edges = [];
    for (const id of view.edges) {
      const edge = model.edges.get(id);
      if (!body.edges[id]?.connected) continue;
      const must = this.pointed?.edge === id || view.edge === id;
      const asked = must || lit?.edges.has(id);
      // “has the ability” four times over says nothing, unless one asks for it.
      if (!must && !view.words && !edge.evidence.length) continue;
      if (!asked && (lit || (scale < CLOSE_UP && !view.words))) continue;
      const places = [0.5, 0.36, 0.64].map((part) => at(body.edges[id].edgeType.getPoint(part)));
      if (!near(places[0])) continue;
      edges.push({
        places, id, words: edgeWords(edge), size: 11, must, color: asked ? color.ink : color.muted,
        font: `${edge.evidence.length ? "italic " : ""}400 11px ${SANS}`,
      });
    }
    edges.sort((a, b) => b.must - a.must);
    return { nodes, edges };
  }

  /** Words over the picture: names, what is not shown, and the evidence on edges. */
  #write(context) {
    const color = palette(this);
    const scale = this.network.getScale();
    const ratio = context.getTransform().a / scale;
    const { clientWidth: width, clientHeight: height } = this.container;
    const words = this.#words({
      at: ({ x, y }) => this.network.canvasToDOM({ x, y }),
      scale,
      near: ({ x, y }) => x > -160 && y > -60 && x < width + 160 && y < height + 60,
    });
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const { id, x, y, radius, pale } of words.nodes) {
      if (id === this.view.open || this.view.chosen?.has(id)) ring(context, x, y, radius + 6, color.ink, 2);
      if (this.view.pins.has(id) && !pale) {
        context.fillStyle = color.ink;
        context.strokeStyle = color.paper;
        context.lineWidth = 1.5;
        context.beginPath();
        context.arc(x + radius * 0.8 + 2, y - radius * 0.8 - 2, 4, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
      }
    }
    this.drawn = drawLabels(context, words.nodes, words.edges, color.paper, [1, 1, width - 1, height - (this.covered?.() ?? 0) - 1]);
    context.restore();
    if (this.drawn.length) this.drawnAt ??= performance.now(); // what a benchmark asks for
  }

  /** All that is shown at a zoom of 1, for a picture in a file: extent, places and words in its pixels. */
  scene(margin = 90) {
    const bounds = this.#bounds();
    const at = ({ x, y }) => ({ x: x - bounds.left + margin, y: y - bounds.top + margin });
    return {
      width: Math.ceil(bounds.right - bounds.left + 2 * margin),
      height: Math.ceil(bounds.bottom - bounds.top + 2 * margin),
      words: this.#words({ at, scale: 1, near: () => true }),
      nodes: this.nodeSet.get().map((node) => ({ ...node, ...at(this.network.body.nodes[node.id]) })),
      edges: this.edgeSet.get().map((edge) => {
        const [from, middle, to] = [0, 0.5, 1].map((part) => at(this.network.body.edges[edge.id].edgeType.getPoint(part)));
        return { ...edge, from, middle, to, radius: this.nodeSet.get(edge.to).size, arrow: edge.arrows.to.enabled };
      }),
    };
  }

  #bounds(ids = this.nodeSet.getIds()) {
    const places = ids.map((id) => this.places.get(id));
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }

  /** Zoom so that all that is shown is seen, or some of it, with room for the words around it. */
  fit(gently = true, ids = undefined) {
    if (!this.nodeSet.length) return;
    const { left, right, top, bottom } = this.#bounds(ids);
    const { clientWidth: width, clientHeight: height } = this.container;
    const margin = Math.min(110, width * 0.16); // half the width of a long name
    const covered = this.covered?.() ?? 0; // by a sheet at the bottom
    const scale = Math.min(
      (width - 2 * margin) / Math.max(1, right - left),
      (height - covered - 130) / Math.max(1, bottom - top),
      1.25,
    );
    const zoom = Math.max(scale, 0.05);
    this.#move({ x: (left + right) / 2, y: (top + bottom) / 2 + covered / 2 / zoom }, zoom, gently);
  }

  /** Bring a node to the middle, close enough to read it; one that is well in sight stays where it is. */
  visit(id, gently = true) {
    const { x, y } = this.network.canvasToDOM(this.places.get(id));
    const { clientWidth: width, clientHeight: height } = this.container;
    const covered = this.covered?.() ?? 0;
    const scale = this.network.getScale();
    const inSight = x > 90 && x < width - 90 && y > 60 && y < height - covered - 60;
    if (inSight && scale > 0.5) return;
    const zoom = Math.max(scale, 0.9);
    const place = this.places.get(id);
    this.#move({ x: place.x, y: place.y + covered / 2 / zoom }, zoom, gently);
  }

  zoom(factor) {
    this.#move(this.network.getViewPosition(), this.network.getScale() * factor, true);
  }

  #move(position, scale, gently) {
    const animation = gently && !isStill() ? { duration: 280, easingFunction: "easeInOutQuad" } : false;
    this.network.moveTo({ position, scale, animation });
    if (!animation) this.#enlarge();
  }

  /** Let the nodes draw together and apart for a while; `done` is called when they stand. */
  relax(done) {
    const ids = this.nodeSet.getIds();
    const edges = this.edgeSet.get({ fields: ["from", "to"] }).map(({ from, to }) => [from, to]);
    const start = new Map(this.places);
    const goal = relaxed(ids, edges, this.places, this.view.pins);
    const began = performance.now();
    const length = isStill() ? 0 : 450;
    const step = (now) => {
      const part = length ? Math.min(1, (now - began) / length) : 1;
      const eased = 1 - (1 - part) ** 3;
      for (const [id, { x, y }] of goal) {
        const from = start.get(id);
        this.places.set(id, { x: Math.round(from.x + (x - from.x) * eased), y: Math.round(from.y + (y - from.y) * eased) });
      }
      this.paint();
      if (part < 1) requestAnimationFrame(step);
      else done();
    };
    step(began + (length ? 0 : 1));
  }
}

function ring(context, x, y, radius, color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What is lit by an edge: itself and its ends. */
export function litEdge(edge) {
  return { nodes: new Set([edge.from, edge.to]), edges: new Set([edge.id]) };
}

/** What is lit by nodes: themselves with their parts, and what those are tied to, as far as it is shown. */
export function litNodes(model, ids, shown) {
  const nodes = new Set(ids);
  const edges = new Set();
  for (const id of ids)
    for (const whole of model.parts(id)) {
      if (!shown.has(whole)) continue;
      for (const edge of model.ties.get(whole)) {
        if (!shown.has(edge.from) || !shown.has(edge.to)) continue;
        nodes.add(edge.from).add(edge.to);
        edges.add(edge.id);
      }
    }
  return { nodes, edges };
}

/** The colors of the style sheet, asked for again only when it is another time of day. */
export function palette(picture) {
  if (!picture.colors) {
    const names = { ink: "ink", paper: "paper", muted: "muted", line: "line", faint: "line-faint", strong: "line-strong" };
    const kinds = Object.fromEntries(Object.keys(picture.model.about.types).map((kind) => [kind, styled(`--${kind}`)]));
    picture.colors = { ...kinds, ...Object.fromEntries(Object.entries(names).map(([name, variable]) => [name, styled(`--${variable}`)])) };
  }
  return picture.colors;
}
