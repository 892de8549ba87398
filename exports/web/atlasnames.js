// The names on the map: regions from afar, then topics, then every card; none stands on another.

const FACES = { region: "italic 500", topic: "600", node: "400" };
const GAP = 4; // pixels between names
const NEAR = 34; // pixels a unit from which single cards and rules are named

/** Draw the names that there is room for, the weightiest first, then what is chosen or pointed at. */
export function drawNames(map) {
  const { atlas, names: context, sigma, scale } = map;
  const { width, height } = sigma.getDimensions();
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const zero = sigma.graphToViewport({ x: 0, y: 0 });
  const at = (x, y) => [zero.x + x * scale, zero.y - y * scale];
  const taken = [];
  const put = (words, x, y, how) => place(map, context, taken, words, x, y, { width, height, ...how });
  for (const node of [map.chosen, map.pointed])
    if (node >= 0) {
      const [x, y] = at(atlas.x[node], atlas.y[node]);
      ring(map, context, x, y, map.drawn(atlas.r[node]), node === map.chosen);
      const below = map.drawn(atlas.r[node]) + 14;
      put([atlas.title(node)], x, y + below, { face: "topic", size: 14, strong: true, must: true });
    }
  const dim = map.chosen >= 0;
  const said = new Set(); // a flower that its island is named after needs no name of its own
  if (scale < 7)
    atlas.regions.middle.forEach(([x, y], region) => {
      const [left, top] = at(x, y);
      const size = Math.min(24, 9 + 0.055 * reach(atlas, region) * scale);
      const [first, second] = atlas.regionName(region).split(" · ");
      const words = second && reach(atlas, region) * scale > 70 ? [first, second] : [first];
      words.forEach((word) => said.add(`${region} ${word}`));
      put(words, left, top, { face: "region", size, faint: dim, order: reach(atlas, region) });
    });
  atlas.topics.circle.forEach(([x, y, r], topic) => {
    if (r * scale < 24 || said.has(`${atlas.topics.region[topic]} ${atlas.topicName(topic)}`)) return;
    const [left, top] = at(x, y);
    const head = map.drawn(atlas.r[atlas.topics.head[topic]]);
    put([atlas.topicName(topic)], left, top + head + 9, { face: "topic", size: Math.min(15, 10 + r * scale * 0.02), faint: dim });
  });
  if (scale > NEAR) {
    const low = sigma.viewportToGraph({ x: 0, y: height });
    const high = sigma.viewportToGraph({ x: width, y: 0 });
    for (let node = 0; node < atlas.size; node += 1) {
      if (atlas.x[node] < low.x || atlas.x[node] > high.x || atlas.y[node] < low.y || atlas.y[node] > high.y) continue;
      if (map.isHidden(node) || atlas.heads.has(node)) continue;
      const [left, top] = at(atlas.x[node], atlas.y[node]);
      const below = map.drawn(atlas.r[node]) + 8;
      const faint = dim && !map.tied.has(node);
      const words = node < atlas.firstCard ? atlas.title(node) : atlas.names[node];
      put([words], left, top + below, { face: "node", size: 11.5, faint, most: 150 });
    }
  }
}

const reaches = new WeakMap();

/** How far a region goes from its middle, in units. */
function reach(atlas, region) {
  if (!reaches.has(atlas)) {
    const found = atlas.regions.middle.map(() => 0);
    atlas.topics.circle.forEach(([x, y, r], topic) => {
      const its = atlas.topics.region[topic];
      const [left, top] = atlas.regions.middle[its];
      found[its] = Math.max(found[its], Math.hypot(x - left, y - top) + r);
    });
    reaches.set(atlas, found);
  }
  return reaches.get(atlas)[region];
}

function ring(map, context, x, y, radius, strong) {
  context.beginPath();
  context.arc(x, y, radius + 3, 0, 2 * Math.PI);
  context.strokeStyle = map.style.land;
  context.lineWidth = 5;
  context.stroke();
  context.strokeStyle = strong ? map.style.accent : map.style.ink;
  context.lineWidth = strong ? 2.5 : 1.5;
  context.stroke();
}

/** Write lines around a point, if they are in the picture and nothing is there. */
function place(map, context, taken, lines, x, y, how) {
  const { face, size, width, height } = how;
  context.font = `${FACES[face]} ${size}px ${face === "node" ? map.fonts.sans : map.fonts.serif}`;
  context.letterSpacing = face === "region" ? "0.06em" : "0px";
  const shown = lines.map((line) => (how.most ? shortened(context, line, how.most) : line));
  const wide = Math.max(...shown.map((line) => context.measureText(line).width)) / 2;
  const high = (shown.length * size * 1.15) / 2;
  if (how.must) {
    x = Math.min(Math.max(x, wide + 6), width - wide - 6);
    y = Math.min(Math.max(y, high + 6), height - high - 6);
  }
  const box = [x - wide - GAP, y - high - 1, x + wide + GAP, y + high + 1];
  if (box[2] < 0 || box[0] > width || box[3] < 0 || box[1] > height) return;
  if (!how.must && taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))
    return;
  taken.push(box);
  context.globalAlpha = how.faint ? 0.45 : 1;
  context.strokeStyle = map.style.land;
  context.lineWidth = face === "region" ? 4.5 : 3.5;
  context.fillStyle = map.style.ink;
  shown.forEach((line, number) => {
    const top = y + (number - (shown.length - 1) / 2) * size * 1.15;
    context.strokeText(line, x, top);
    context.fillText(line, x, top);
  });
  context.globalAlpha = 1;
}

function shortened(context, line, most) {
  if (context.measureText(line).width <= most) return line;
  let end = line.length;
  while (end > 3 && context.measureText(`${line.slice(0, end)}…`).width > most) end -= 1;
  return `${line.slice(0, end).trimEnd()}…`;
}
