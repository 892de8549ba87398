// What is shown, as a file: a picture (PNG, SVG), a table (CSV, RFC 4180) or statements (Turtle).

import { OUTLINES, el } from "./dom.js";
import { cell, escaped, fileName, offer } from "./files.js";
import { drawLabels } from "./labels.js";
import { palette } from "./canvas.js";
import { columns } from "./table.js";
import { turtle } from "./turtle.js";

const ACROSS = 7000; // pixels of a PNG at most, so that no browser refuses it

/** Files of a view: {model, picture, ids, edges, title, which}; `which` rows go into the CSV. */
export const savers = {
  PNG: async (view) => offer(`${fileName(view.title)}.png`, await png(view)),
  SVG: (view) => offer(`${fileName(view.title)}.svg`, svg(view).text, "image/svg+xml"),
  CSV: (view) => offer(`${fileName(view.title)}-${view.which}.csv`, csv(view), "text/csv"),
  Turtle: (view) => offer(`${fileName(view.title)}.ttl`, turtleOf(view), "text/turtle"),
};

export function turtleOf({ model, ids, edges, title }) {
  return turtle({ ...model.about, title }, [...ids].map((id) => model.nodes.get(id)), [...edges].map((id) => model.edges.get(id)));
}

/** Rows with a header; no cell begins as a formula would. */
export function csv({ model, ids, edges, which }) {
  const shown = columns(model, which, ids);
  const items = which === "nodes" ? [...ids].map((id) => model.nodes.get(id)) : [...edges].map((id) => model.edges.get(id));
  const rows = [shown.map(([name]) => name), ...items.map((item) => shown.map(([, value]) => value(item)))];
  return `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Takes what labels.js draws on a canvas and keeps it as elements of SVG. */
class SvgContext {
  constructor() {
    this.ruler = document.createElement("canvas").getContext("2d");
    this.parts = [];
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  #text(text, x, y, paint) {
    const anchor = { left: "start", right: "end" }[this.textAlign] ?? "middle";
    const size = Number(/([\d.]+)px/.exec(this.font)[1]);
    this.parts.push(`<text x="${x.toFixed(1)}" y="${(y + size * 0.35).toFixed(1)}" text-anchor="${anchor}" style="font:${escaped(this.font)}" ${paint}>${escaped(text)}</text>`);
  }

  strokeText(text, x, y) {
    this.#text(text, x, y, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round" aria-hidden="true"`);
  }

  fillText(text, x, y) {
    this.#text(text, x, y, `fill="${this.fillStyle}"`);
  }

  beginPath() {}

  roundRect(x, y, width, height, radius) {
    this.rectangle = `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" rx="${radius}"`;
  }

  fill() {
    this.parts.push(`${this.rectangle} fill="${this.fillStyle}"/>`);
  }
}

/** The picture at a zoom of 1, with a title and the release below it. */
export function svg({ model, picture, title }) {
  const color = palette(picture);
  const { width: wide, height: high, nodes, edges, words } = picture.scene();
  const [width, height] = [Math.max(wide, 420), high + 54];
  const context = new SvgContext();
  const out = [];
  for (const { from, middle, to, color: { color: line }, width: stroke, dashes, radius, arrow } of edges) {
    const control = { x: 2 * middle.x - (from.x + to.x) / 2, y: 2 * middle.y - (from.y + to.y) / 2 };
    const dash = dashes ? ` stroke-dasharray="${dashes}"` : "";
    out.push(`<path d="M${point(from)}Q${point(control)} ${point(to)}" fill="none" stroke="${line}" stroke-width="${stroke}"${dash}/>`);
    if (!arrow) continue;
    const angle = Math.atan2(to.y - control.y, to.x - control.x);
    const tip = { x: to.x - Math.cos(angle) * (radius + 1), y: to.y - Math.sin(angle) * (radius + 1) };
    const wing = (turn) => point({ x: tip.x - 7 * Math.cos(angle + turn), y: tip.y - 7 * Math.sin(angle + turn) });
    out.push(`<path d="M${point(tip)}L${wing(0.42)}L${wing(-0.42)}z" fill="${line}"/>`);
  }
  for (const { shape, size, x, y, opacity = 1, borderWidth, color: { background, border } } of nodes) {
    const scale = (size * 2.2) / 16;
    out.push(`<path d="${OUTLINES[shape] ?? OUTLINES.dot}" transform="translate(${(x - 8 * scale).toFixed(1)} ${(y - 8 * scale).toFixed(1)}) scale(${scale.toFixed(3)})" fill="${background}" stroke="${border}" stroke-width="${(borderWidth / scale).toFixed(2)}" opacity="${opacity}"/>`);
  }
  drawLabels(context, words.nodes, words.edges, color.paper);
  const caption = (size, line, text, ink, weight) => `<text x="24" y="${height - line}" style="font:${weight} ${size}px sans-serif" fill="${ink}">${escaped(text)}</text>`;
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${color.paper}"/>`,
    ...out,
    ...context.parts,
    caption(15, 34, title, color.ink, 600),
    caption(11, 16, `cardlaw · Comprehensive Rules effective ${model.about.release} · unofficial Fan Content`, color.muted, 400),
    "</svg>\n",
  ].join("\n");
  return { text, width, height };
}

const point = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The SVG as pixels, two for each of its own. */
export async function png(view) {
  const { text, width, height } = svg(view);
  const scale = Math.min(2, ACROSS / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
