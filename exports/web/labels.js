// Labels at a constant size on the screen that never lie on each other: the more telling one is
// placed first, below, above or beside its node, and one that finds no room waits for a closer look.

const CELL = 80;
const LONGEST = 24;

/** Rectangles [left, top, right, bottom] that are taken, in a grid so that looking up is quick. */
class Taken {
  constructor() {
    this.cells = new Map();
  }

  *#cellsOf([left, top, right, bottom]) {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++)
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) yield `${x},${y}`;
  }

  hits(box, owner) {
    for (const cell of this.#cellsOf(box))
      for (const other of this.cells.get(cell) ?? [])
        if (other.owner !== owner && box[0] < other.box[2] && box[2] > other.box[0] && box[1] < other.box[3] && box[3] > other.box[1])
          return true;
    return false;
  }

  add(box, owner) {
    for (const cell of this.#cellsOf(box)) {
      if (!this.cells.has(cell)) this.cells.set(cell, []);
      this.cells.get(cell).push({ box, owner });
    }
  }
}

/** Break a label into at most three lines: at a line break of its own, then between words. */
export function lines(label) {
  return label.split("\n").flatMap(halves).slice(0, 3).map(shorten);
}

function halves(line) {
  const words = line.trim().split(/\s+/);
  if (line.length <= LONGEST || words.length < 2) return [words.join(" ")].filter(Boolean);
  let first = words.shift();
  while (words.length > 1 && first.length + words[0].length < line.length / 2 + 2) first += ` ${words.shift()}`;
  return [first, words.join(" ")];
}

function shorten(line) {
  const letters = [...line];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("").trimEnd()}…` : line;
}

/**
 * Draw labels on a canvas whose unit is a pixel of the screen.
 *
 * @param nodes in order of importance: {id, x, y, radius, lines, size, font, color, note, noteFont, noteColor, must}
 * @param edges in order of importance: {id, places, words, size, font, color, must}
 * @param halo color behind the letters, so that lines do not cross them
 * @param room [left, top, right, bottom] beyond which no word may go; null: anywhere
 * @returns what was drawn, as [{box, node}] or [{box, edge}], for the pointer
 */
export function drawLabels(context, nodes, edges, halo, room = null) {
  const taken = new Taken();
  const drawn = [];
  for (const node of nodes) {
    if (!node.lines.length) continue; // pale: words may cross it
    const r = node.radius + 1;
    taken.add([node.x - r, node.y - r, node.x + r, node.y + r], node.id);
  }
  const fits = (box) => !room || (box[0] >= room[0] && box[1] >= room[1] && box[2] <= room[2] && box[3] <= room[3]);
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const node of nodes) {
    const texts = node.note ? [...node.lines, node.note] : node.lines;
    if (!node.lines.length) continue;
    context.font = node.font;
    const width = Math.max(...node.lines.map((line) => context.measureText(line).width)) + 4;
    const step = node.size * 1.18;
    const height = texts.length * step;
    const gap = node.radius + 4;
    const places = [
      ["center", node.x, node.y + gap + height / 2],
      ["center", node.x, node.y - gap - height / 2],
      ["left", node.x + gap, node.y],
      ["right", node.x - gap, node.y],
    ];
    const boxAt = ([align, x, y]) => {
      const left = align === "center" ? x - width / 2 : align === "left" ? x : x - width;
      return [left, y - height / 2, left + width, y + height / 2];
    };
    const place = places.find((each) => fits(boxAt(each)) && !taken.hits(boxAt(each), node.id)) ?? (node.must ? places.find((each) => fits(boxAt(each))) ?? places[0] : null);
    if (!place) continue;
    const [align, x, y] = place;
    context.textAlign = align;
    context.strokeStyle = halo;
    context.lineWidth = 4;
    texts.forEach((text, row) => {
      const isNote = row >= node.lines.length;
      context.font = isNote ? node.noteFont : node.font;
      context.fillStyle = isNote ? node.noteColor : node.color;
      const middle = y + (row - (texts.length - 1) / 2) * step;
      context.strokeText(text, x, middle);
      context.fillText(text, x, middle);
    });
    taken.add(boxAt(place), node.id);
    drawn.push({ box: boxAt(place), node: node.id });
  }
  context.textAlign = "center";
  for (const edge of edges) {
    context.font = edge.font;
    const width = context.measureText(edge.words).width + 12;
    const height = edge.size * 1.5;
    const boxAt = ({ x, y }) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    const place = edge.places.find((each) => fits(boxAt(each)) && !taken.hits(boxAt(each), edge.id)) ?? (edge.must ? edge.places[0] : null);
    if (!place) continue;
    const box = boxAt(place);
    context.fillStyle = halo;
    context.beginPath();
    context.roundRect(box[0], box[1], width, height, height / 2);
    context.fill();
    context.fillStyle = edge.color;
    context.fillText(edge.words, place.x, place.y + 0.5);
    taken.add(box, edge.id);
    drawn.push({ box, edge: edge.id });
  }
  return drawn;
}
