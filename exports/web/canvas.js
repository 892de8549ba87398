// The picture: vis-network draws shapes and lines where Python put them, we draw the words over it.

import { styled } from "./dom.js";
import { drawLabels, lines } from "./labels.js";
import { edgeWords } from "./model.js";

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const CLOSE_UP = 1.55; // from this zoom on, edges carry their words unasked
const NEAR = 9; // pixels beside an edge or a node that still touch it

export class Picture {
  /**
   * @param container the element to draw in
   * @param model a Model
   * @param options of vis-network, as exported
   * @param on {node(id), edge(id), nothing()}: what was pressed
   */
  constructor(container, model, options, on) {
    this.model = model;
    this.container = container;
    this.on = on;
    this.chosen = null; // {node: id} or {edge: id}
    this.pointed = null; // the same, under the pointer
    this.hidden = new Set(); // types that are not shown
    this.drawn = [];
    this.written = new Map([...model.nodes.values()].map((node) => [node.id, lines(node.label)]));
    this.weight = new Map([...model.nodes.keys()].map((id) => [id, model.ties.get(id).length]));
    this.focus = new Set(model.about.focus);
    const upright = container.clientHeight > container.clientWidth * 1.2;
    this.nodeSet = new vis.DataSet(
      [...model.nodes.values()].map(({ id, shape, size, x, y }) =>
        upright ? { id, shape, size, x: y, y: x } : { id, shape, size, x, y },
      ),
    );
    this.edgeSet = new vis.DataSet(
      [...model.edges.values()].map(({ id, from, to, smooth, relation }) => ({
        id, from, to, smooth, dashes: relation === "refers_to" ? [5, 5] : false,
      })),
    );
    this.network = new vis.Network(container, { nodes: this.nodeSet, edges: this.edgeSet }, options);
    this.network.on("click", (event) => this.#press(event.pointer.DOM));
    this.network.on("afterDrawing", (context) => this.#write(context));
    this.network.on("hoverNode", ({ node }) => this.#point({ node }));
    this.network.on("hoverEdge", ({ edge }) => this.#point({ edge }));
    this.network.on("blurNode", () => this.#point(null));
    this.network.on("blurEdge", () => this.#point(null));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    this.paint();
    this.fit(false);
  }

  /** Choose a node, an edge or nothing; the rest grows pale. */
  choose(chosen) {
    this.chosen = chosen;
    this.paint();
  }

  /** Show only the types that are not in `hidden`. */
  hide(hidden) {
    this.hidden = hidden;
    this.paint();
  }

  shows(id) {
    return !this.hidden.has(this.model.nodes.get(id).kind);
  }

  /** Give every node and edge the color that the choice, the filter and the time of day ask for. */
  paint() {
    const ink = styled("--ink");
    const paper = styled("--paper");
    const line = styled("--line");
    const faint = styled("--line-faint");
    const lit = this.#lit();
    this.colors = { ink, paper, muted: styled("--muted") };
    this.nodeSet.update(
      [...this.model.nodes.values()].map(({ id, kind }) => {
        const color = styled(`--${kind}`);
        const same = { background: color, border: this.focus.has(id) ? ink : paper };
        return {
          id,
          hidden: !this.shows(id),
          opacity: !lit || lit.nodes.has(id) ? 1 : 0.16,
          borderWidth: this.focus.has(id) ? 2.5 : 1.5,
          color: { ...same, highlight: same, hover: same },
        };
      }),
    );
    this.edgeSet.update(
      [...this.model.edges.values()].map(({ id, from, to, structure }) => {
        const strong = lit?.edges.has(id);
        const color = strong ? styled("--line-strong") : line;
        return {
          id,
          hidden: !this.shows(from) || !this.shows(to),
          width: (structure ? 1.8 : 1.1) + (strong ? 0.4 : 0),
          color: { color: lit && !strong ? faint : color, highlight: color, hover: ink, inherit: false },
        };
      }),
    );
  }

  /** Nodes and edges that belong to the choice; null where nothing is chosen. */
  #lit() {
    if (!this.chosen) return null;
    if (this.chosen.edge) {
      const edge = this.model.edges.get(this.chosen.edge);
      return { nodes: new Set([edge.from, edge.to]), edges: new Set([edge.id]) };
    }
    // A card is lit with its parts, and what they invoke.
    const nodes = new Set([this.chosen.node]);
    const edges = new Set();
    for (const whole of this.model.parts(this.chosen.node))
      for (const edge of this.model.ties.get(whole)) {
        nodes.add(edge.from).add(edge.to);
        edges.add(edge.id);
      }
    return { nodes, edges };
  }

  #point(pointed) {
    this.pointed = pointed;
    this.container.classList.toggle("pointing", pointed !== null);
    this.network.redraw();
  }

  #press({ x, y }) {
    const written = this.drawn.find(({ box }) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
    const node = this.network.getNodeAt({ x, y }) ?? written?.node ?? this.#nearest(x, y);
    const edge = written?.edge ?? this.network.getEdgeAt({ x, y });
    this.network.unselectAll();
    if (node !== undefined) this.on.node(node);
    else if (edge !== undefined) this.on.edge(edge);
    else this.on.nothing();
  }

  /** A node that is small on the screen is still as big as a fingertip needs. */
  #nearest(x, y) {
    let best;
    let least = Infinity;
    const scale = this.network.getScale();
    for (const { id, size } of this.model.nodes.values()) {
      if (!this.shows(id)) continue;
      const at = this.network.canvasToDOM(this.network.getPosition(id));
      const away = Math.hypot(at.x - x, at.y - y) - size * scale;
      if (away < NEAR && away < least) [best, least] = [id, away];
    }
    return best;
  }

  /** Words over the picture: names, what is not shown, and the evidence on edges. */
  #write(context) {
    const { ink, paper, muted } = this.colors;
    const lit = this.#lit();
    const scale = this.network.getScale();
    const ratio = context.getTransform().a / scale;
    const width = this.container.clientWidth;
    const height = this.container.clientHeight;
    const near = ({ x, y }) => x > -160 && y > -60 && x < width + 160 && y < height + 60;
    const nodes = [];
    for (const { id, size, kind, more } of this.model.nodes.values()) {
      const at = this.network.canvasToDOM(this.network.getPosition(id));
      if (!this.shows(id) || !near(at)) continue;
      const chosen = this.chosen?.node === id;
      const pointed = this.pointed?.node === id;
      const isFocus = this.focus.has(id);
      const pale = lit && !lit.nodes.has(id) && !pointed;
      const letters = isFocus ? 15 : kind === "ability" ? 11.5 : 12.5;
      nodes.push({
        ...at,
        id,
        radius: size * scale,
        lines: pale ? [] : this.written.get(id),
        size: letters,
        font: `${isFocus || chosen ? 650 : kind === "ability" ? 400 : 500} ${letters}px ${SANS}`,
        color: kind === "ability" && !chosen ? muted : ink,
        note: more && (chosen || pointed || scale > 1.3) ? `+${more.toLocaleString("en")} more` : "",
        noteFont: `400 10.5px ${SANS}`,
        noteColor: muted,
        must: chosen || pointed || isFocus,
        order: (chosen || pointed ? 1e6 : 0) + (isFocus ? 1e5 : 0) + (kind === "ability" ? 0 : 20) + this.weight.get(id),
      });
    }
    nodes.sort((a, b) => b.order - a.order || (a.id < b.id ? -1 : 1));
    const edges = [];
    for (const edge of this.model.edges.values()) {
      if (!this.shows(edge.from) || !this.shows(edge.to)) continue;
      const must = this.pointed?.edge === edge.id;
      const asked = must || lit?.edges.has(edge.id);
      // “has the ability” four times over says nothing.
      if (!must && this.chosen?.edge !== edge.id && !edge.evidence.length) continue;
      if (!asked && (lit || scale < CLOSE_UP)) continue;
      const { edgeType } = this.network.body.edges[edge.id];
      const places = [0.5, 0.36, 0.64].map((part) => this.network.canvasToDOM(edgeType.getPoint(part)));
      if (!near(places[0])) continue;
      edges.push({
        places, id: edge.id, words: edgeWords(edge), size: 11, must, color: asked ? ink : muted,
        font: `${edge.evidence.length ? "italic " : ""}400 11px ${SANS}`,
      });
    }
    edges.sort((a, b) => b.must - a.must);
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.chosen?.node) {
      const { x, y, radius } = nodes.find(({ id }) => id === this.chosen.node) ?? { radius: -9 };
      context.strokeStyle = ink;
      context.lineWidth = 2;
      context.beginPath();
      if (radius > 0) context.arc(x, y, radius + 6, 0, 2 * Math.PI);
      context.stroke();
    }
    this.drawn = drawLabels(context, nodes, edges, paper);
    context.restore();
  }

  /** Zoom so that all that is shown is seen, with room for the words around it. */
  fit(gently = true) {
    const shown = [...this.model.nodes.keys()].filter((id) => this.shows(id));
    if (!shown.length) return;
    const places = Object.values(this.network.getPositions(shown));
    const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))];
    const [top, bottom] = [Math.min(...places.map(({ y }) => y)), Math.max(...places.map(({ y }) => y))];
    const { clientWidth: width, clientHeight: height } = this.container;
    const margin = Math.min(110, width * 0.16); // half the width of a long name
    const scale = Math.min(
      (width - 2 * margin) / Math.max(1, right - left),
      (height - 120) / Math.max(1, bottom - top),
      1.25,
    );
    this.#move({ x: (left + right) / 2, y: (top + bottom) / 2 }, Math.max(scale, 0.05), gently);
  }

  /** Bring a node to the middle, close enough to read it. */
  visit(id) {
    this.#move(this.network.getPosition(id), Math.max(this.network.getScale(), 0.9), true);
  }

  zoom(factor) {
    this.#move(this.network.getViewPosition(), this.network.getScale() * factor, true);
  }

  #move(position, scale, gently) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const animation = gently && !still ? { duration: 280, easingFunction: "easeInOutQuad" } : false;
    this.network.moveTo({ position, scale, animation });
  }
}
