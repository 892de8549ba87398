// The map: sigma draws the nodes and ties, two canvases of ours the land below and the names above them.

import { fonts, styled } from "./dom.js";
import { css, MODES, palette } from "./atlascolors.js";
import { drawNames } from "./atlasnames.js";
import { shapeProgram } from "./atlasprogram.js";

const COAST = 1.9; // from a disk to the shore, in units of the map
const WAVES = [4.6, 3.6, 2.7]; // lines in the water, as far from a disk
const SOFT = 9; // pixels a unit, beyond which nodes grow slower than the distances between them
const CLOSEST = 110; // pixels a unit
const BUNDLE = 300; // ties that are one line, so that where they cross is no darker

export class AtlasMap {
  /** Draws into `place`; `heard.chosen` is told a node that is clicked, or −1. */
  constructor(place, atlas, heard) {
    this.atlas = atlas;
    this.place = place;
    this.hiddenKinds = new Set();
    this.hiddenCategories = new Set();
    this.chosen = -1;
    this.pointed = -1;
    this.tied = null;
    this.mode = "chapter";
    const { graphology, Sigma } = globalThis;
    this.graph = new graphology.Graph({ type: "undirected", multi: true, allowSelfLoops: true });
    this.paint();
    for (let node = 0; node < atlas.size; node += 1) {
      this.graph.addNode(node, {
        x: atlas.x[node],
        y: atlas.y[node],
        size: atlas.r[node],
        shape: atlas.kind(node),
      });
    }
    this.sigma = new Sigma(this.graph, place, {
      nodeProgramClasses: { shape: shapeProgram(Sigma.rendering) },
      edgeProgramClasses: {
        line: Sigma.rendering.EdgeLineProgram,
        band: Sigma.rendering.EdgeRectangleProgram,
        curve: Sigma.rendering.EdgeCurveProgram,
      },
      nodeReducer: (node, data) => {
        data.color = this.color(Number(node));
        data.hidden = this.isHidden(Number(node));
        return data;
      },
      edgeReducer: (edge, data) => {
        data.color = this.style[data.strength];
        data.hidden = this.chosen >= 0;
        return data;
      },
      defaultNodeType: "shape",
      defaultEdgeType: "line",
      renderLabels: false,
      hideEdgesOnMove: true,
      enableEdgeEvents: false,
      itemSizesReference: "positions",
      zoomToSizeRatioFunction: (ratio) => this.sizeRatio(ratio),
      defaultDrawNodeHover: () => {},
      stagePadding: 24,
      minCameraRatio: 0.002,
      maxCameraRatio: 1.6,
      zoomDuration: this.duration(250),
      inertiaDuration: this.duration(200),
      minEdgeThickness: 0.8,
    });
    this.land = this.layer("land", { beforeLayer: "edges" });
    this.ties = this.layer("ties", { beforeLayer: "nodes" });
    this.names = this.layer("names", { beforeLayer: "mouse" });
    this.measure();
    this.sigma.on("afterRender", () => {
      this.drawLand();
      this.drawTies();
      drawNames(this);
    });
    this.sigma.on("resize", () => this.measure());
    this.sigma.on("clickNode", ({ node }) => heard.chosen(Number(node)));
    this.sigma.on("clickStage", () => heard.chosen(-1));
    this.sigma.on("enterNode", ({ node }) => this.point(Number(node)));
    this.sigma.on("leaveNode", () => this.point(-1));
    this.sigma.refresh();
  }

  layer(id, where) {
    const canvas = this.sigma.createCanvas(id, where);
    canvas.style.pointerEvents = "none";
    return canvas.getContext("2d");
  }

  get isStill() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Milliseconds of a movement by sigma, which divides by it: one for who wants none. */
  duration(usual) {
    return this.isStill ? 1 : usual;
  }

  /** Move the camera in so many milliseconds, or at once for who wants no motion: sigma's promise of a movement
   * that is over before it begins is never kept. */
  async move(state, duration) {
    const camera = this.sigma.getCamera();
    if (this.isStill) camera.setState(state);
    else await camera.animate(state, { duration });
  }

  /** Pixels of a unit at a camera ratio of 1. */
  measure() {
    const { width, height } = this.sigma.getDimensions();
    const one = this.sigma.graphToViewport({ x: 0, y: 0 });
    const other = this.sigma.graphToViewport({ x: 100, y: 0 });
    this.unit = (Math.hypot(other.x - one.x, other.y - one.y) / 100) * this.sigma.getCamera().ratio;
    this.sigma.setSetting("minCameraRatio", this.unit / CLOSEST);
    for (const { canvas } of [this.land, this.ties, this.names]) {
      canvas.width = width * devicePixelRatio;
      canvas.height = height * devicePixelRatio;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
  }

  /** After the place has become wider or narrower. */
  resized() {
    this.sigma.resize();
    this.sigma.refresh({ skipIndexation: true });
  }

  /** How many pixels a unit is now. */
  get scale() {
    return this.unit / this.sigma.getCamera().ratio;
  }

  sizeRatio(ratio) {
    if (!this.unit) return ratio;
    const scale = this.unit / ratio;
    return this.unit / (scale < SOFT ? scale : SOFT * (scale / SOFT) ** 0.6);
  }

  /** Pixels of a radius on the map as sigma draws it. */
  drawn(radius) {
    return Math.max(0.65, (radius * this.unit) / this.sizeRatio(this.sigma.getCamera().ratio));
  }

  // Colors

  paint() {
    const { atlas, mode } = this;
    this.colors = palette(mode, atlas).map((colors) => ({
      card: css(colors.card),
      rule: css(colors.rule),
      faded: css(colors.faded),
    }));
    this.category ??= new Uint8Array(atlas.size);
    for (let node = 0; node < atlas.size; node += 1) this.category[node] = MODES[mode].of(atlas, node);
    this.style = Object.fromEntries(
      ["land", "shore", "sea", "wave", "ink", "accent", "ray", "bond"].map((name) => [name, styled(`--${name}`)]),
    );
    for (const name of ["tie", "spoke"]) this.style[name] = premultiplied(styled(`--${name}`));
    this.fonts = { serif: fonts("--serif"), sans: fonts("--sans") };
  }

  color(node) {
    const colors = this.colors[this.category[node]];
    if (this.tied && !this.tied.has(node)) return colors.faded;
    return node >= this.atlas.firstCard ? colors.card : colors.rule;
  }

  isHidden(node) {
    return this.hiddenKinds.has(this.atlas.kind(node)) || this.hiddenCategories.has(this.category[node]);
  }

  /** Draw again with other colors, or with more or less hidden. */
  recolor() {
    this.sigma.scheduleRefresh();
  }

  setMode(mode) {
    this.mode = mode;
    this.hiddenCategories.clear();
    this.paint();
    this.recolor();
  }

  /** After light has become dark. */
  restyle() {
    this.paint();
    this.recolor();
  }

  // Ties

  /** The backbone: between topics as curves, from a topic to its cards as spokes. */
  drawBackbone() {
    const { backbone, firstCard } = this.atlas;
    for (let at = 0; at < backbone.length; at += 2) {
      const between = backbone[at] < firstCard;
      this.graph.addEdge(backbone[at], backbone[at + 1], {
        type: between ? "curve" : "line",
        size: 0.15,
        curvature: 0.22,
        strength: between ? "tie" : "spoke",
      });
    }
  }

  /** Choose a node, whose ties have to be loaded, or −1 for none. */
  choose(node) {
    this.chosen = node;
    this.tied = node < 0 ? null : new Set(this.atlas.neighbors(node)).add(node);
    this.recolor();
  }

  point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.place.classList.toggle("pointing", node >= 0);
    drawNames(this);
  }

  // The camera

  /** Fly to a point of the map, so near that a unit is `scale` pixels. */
  fly(x, y, scale) {
    const { x: left, y: top } = this.sigma.viewportToFramedGraph(this.sigma.graphToViewport({ x, y }));
    const ratio = Math.max(this.unit / scale, this.unit / CLOSEST);
    return this.move({ x: left, y: top, ratio }, 600);
  }

  visit(node) {
    const { atlas } = this;
    const isHub = atlas.heads.has(node);
    return this.fly(atlas.x[node], atlas.y[node], Math.max(this.scale, isHub ? 12 : 40));
  }

  visitRegion(region) {
    const [x, y] = this.atlas.regions.middle[region];
    const disks = this.atlas.topics.circle.filter((_, topic) => this.atlas.topics.region[topic] === region);
    const reach = Math.max(...disks.map(([dx, dy, r]) => Math.hypot(dx - x, dy - y) + r));
    const { width, height } = this.sigma.getDimensions();
    return this.fly(x, y, (Math.min(width, height) * 0.42) / reach);
  }

  whole() {
    return this.move({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, 400);
  }

  zoom(factor) {
    const { ratio } = this.sigma.getCamera();
    return this.move({ ratio: Math.min(1.6, Math.max(this.unit / CLOSEST, ratio / factor)) }, 200);
  }

  /** Move by parts of what is seen. */
  pan(dx, dy) {
    const { width, height } = this.sigma.getDimensions();
    const to = this.sigma.viewportToFramedGraph({ x: width * (0.5 + dx), y: height * (0.5 + dy) });
    return this.move({ x: to.x, y: to.y }, 150);
  }

  /** The node next to the middle of what is seen. */
  central() {
    const { width, height } = this.sigma.getDimensions();
    const { x, y } = this.sigma.viewportToGraph({ x: width / 2, y: height / 2 });
    let best = -1;
    let least = Infinity;
    for (let node = 0; node < this.atlas.size; node += 1) {
      const away = Math.hypot(this.atlas.x[node] - x, this.atlas.y[node] - y) - this.atlas.r[node];
      if (away < least && !this.isHidden(node)) [best, least] = [node, away];
    }
    return best;
  }

  /** The ties of what is chosen, but not while the map moves. */
  drawTies() {
    const { ties: context, atlas, chosen, scale } = this;
    const { width, height } = this.sigma.getDimensions();
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.globalAlpha = 1;
    if (chosen < 0 || this.moves()) return;
    const zero = this.sigma.graphToViewport({ x: 0, y: 0 });
    const at = (node) => [zero.x + atlas.x[node] * scale, zero.y - atlas.y[node] * scale];
    const [left, top] = at(chosen);
    const others = [...this.tied].filter((node) => node !== chosen && !this.isHidden(node));
    const many = others.length > 60;
    context.strokeStyle = this.style[many ? "ray" : "bond"];
    context.lineWidth = many ? 1 : 1.6;
    context.globalAlpha = many ? Math.min(1, 1.6 / Math.ceil(others.length / BUNDLE) ** 0.8) : 1;
    for (let first = 0; first < others.length; first += BUNDLE) {
      context.beginPath();
      for (const other of others.slice(first, first + BUNDLE)) {
        const [x, y] = at(other);
        context.moveTo(left, top);
        if (many) context.lineTo(x, y);
        else context.quadraticCurveTo((left + x) / 2 + (y - top) * 0.12, (top + y) / 2 - (x - left) * 0.12, x, y);
      }
      context.stroke();
    }
  }

  moves() {
    const mouse = this.sigma.getMouseCaptor();
    return this.sigma.getCamera().isAnimated() || mouse.isMoving || mouse.draggedEvents > 0 || mouse.currentWheelDirection !== 0;
  }

  // The land

  drawLand() {
    const context = this.land;
    const { canvas } = context;
    const { scale, style } = this;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const zero = this.sigma.graphToViewport({ x: 0, y: 0 });
    const { width, height } = this.sigma.getDimensions();
    const seen = [];
    this.atlas.topics.circle.forEach(([x, y, r], topic) => {
      const [left, top, reach] = [zero.x + x * scale, zero.y - y * scale, (r + WAVES[0]) * scale];
      if (left + reach > 0 && left - reach < width && top + reach > 0 && top - reach < height)
        seen.push([left, top, r, topic]);
    });
    const fill = (color, wider) => {
      context.fillStyle = color;
      context.beginPath();
      for (const [left, top, r] of seen) {
        context.moveTo(left, top);
        context.arc(left, top, (r + wider) * scale, 0, 2 * Math.PI);
      }
      context.fill();
    };
    const line = Math.min(0.28, 1.1 / scale);
    for (const wave of WAVES) {
      fill(style.wave, wave);
      fill(style.sea, wave - line);
    }
    fill(style.shore, COAST + line * 1.6);
    fill(style.land, COAST);
  }
}

/** A color with transparency as sigma's blending wants it. */
function premultiplied(color) {
  const [r, g, b, alpha] = color.match(/[\d.]+/g).map(Number);
  return `rgba(${[r, g, b].map((part) => Math.round(part * alpha)).join(",")},${alpha})`;
}
