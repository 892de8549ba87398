// Elements are made here and nowhere else: names and texts come in as text nodes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Outlines of the node shapes in a box of 16 by 16. */
export const OUTLINES = {
  square: "M3 3h10v10H3z",
  dot: "M8 2.6a5.4 5.4 0 1 0 0 10.8a5.4 5.4 0 1 0 0-10.8z",
  diamond: "M8 1.6l6.4 6.4L8 14.4L1.6 8z",
  hexagon: "M4.7 2.3h6.6L14.6 8l-3.3 5.7H4.7L1.4 8z",
  triangle: "M8 2l6.6 11.4H1.4z",
  triangleDown: "M8 14L1.4 2.6h13.2z",
  star: "M8 1.2l2 4.6l5 .4l-3.8 3.3l1.2 4.9L8 11.8l-4.4 2.6l1.2-4.9L1 6.2l5-.4z",
};

/** A new element. Attributes that begin with "on" are listeners; strings among `children` stay text. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null && child !== ""));
  return element;
}

/** The small picture of a node type, colored by the style sheet. */
export function icon(type, shape) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon", `is-${type}`);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", OUTLINES[shape] ?? OUTLINES.dot);
  svg.append(path);
  return svg;
}

/** A color of the style sheet, which alone knows light from dark, as "rgb(…)". */
export function styled(name) {
  const probe = el("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A list of fonts of the style sheet. */
export function fonts(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
