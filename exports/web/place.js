// Places for nodes that come later: each in free space around what it is tied to, outward from the rest, so
// that nothing that stands already has to move. “Relax” is the one thing that moves nodes, and it ends.

const BOX = [118, 46]; // the room that a node and its label take, as in layout.py
const FIRST_RING = 110;

/** Boxes that are taken, in a grid, so that looking up is quick. */
class Ground {
  constructor() {
    this.cells = new Map();
  }

  add(x, y) {
    const key = `${Math.floor(x / BOX[0])},${Math.floor(y / BOX[1])}`;
    this.cells.set(key, [...(this.cells.get(key) ?? []), [x, y]]);
  }

  free(x, y) {
    const [column, row] = [Math.floor(x / BOX[0]), Math.floor(y / BOX[1])];
    for (let i = column - 1; i <= column + 1; i++)
      for (let j = row - 1; j <= row + 1; j++)
        for (const [otherX, otherY] of this.cells.get(`${i},${j}`) ?? [])
          if (Math.abs(otherX - x) < BOX[0] && Math.abs(otherY - y) < BOX[1]) return false;
    return true;
  }
}

/**
 * Give each of `ids` a place.
 *
 * @param places Map of id → {x, y} of the nodes that stand; those of `ids` are put in
 * @param tied function from an id to the ids that it is tied to
 */
export function placeNew(ids, places, tied) {
  const ground = new Ground();
  let [sumX, sumY, right] = [0, 0, 0];
  for (const { x, y } of places.values()) {
    ground.add(x, y);
    sumX += x;
    sumY += y;
    right = Math.max(right, x);
  }
  const middle = places.size ? { x: sumX / places.size, y: sumY / places.size } : { x: 0, y: 0 };
  const put = (id, x, y) => {
    places.set(id, { x: Math.round(x), y: Math.round(y) });
    ground.add(x, y);
  };
  let waiting = [...ids];
  while (waiting.length) {
    // First those that are tied to something that stands; when there are none, one by itself.
    const next = waiting.filter((id) => tied(id).some((other) => places.has(other)));
    const batch = next.length ? next : [waiting[0]];
    for (const id of batch) {
      const anchors = tied(id).map((other) => places.get(other)).filter(Boolean);
      if (!anchors.length && !places.size) put(id, 0, 0);
      else {
        const anchor = anchors.length
          ? { x: anchors.reduce((sum, { x }) => sum + x, 0) / anchors.length, y: anchors.reduce((sum, { y }) => sum + y, 0) / anchors.length }
          : { x: right + BOX[0], y: middle.y };
        const { x, y } = around(anchor, Math.atan2(anchor.y - middle.y, anchor.x - middle.x), ground);
        put(id, x, y);
      }
    }
    const done = new Set(batch);
    waiting = waiting.filter((id) => !done.has(id));
  }
}

/** The first free spot on growing rings, beginning outward and turning to both sides. */
function around(anchor, outward, ground) {
  for (let radius = FIRST_RING; ; radius += 48) {
    const turns = Math.max(8, Math.floor((2 * Math.PI * radius) / 70));
    for (let turn = 0; turn < turns; turn++) {
      const angle = outward + ((turn % 2 ? 1 : -1) * Math.ceil(turn / 2) * 2 * Math.PI) / turns;
      const [x, y] = [anchor.x + Math.cos(angle) * radius * 1.15, anchor.y + Math.sin(angle) * radius];
      if (ground.free(x, y)) return { x, y };
    }
  }
}

/**
 * New places that are less crowded: tied nodes draw together, boxes push each other apart, pins stay.
 *
 * @param ids of the nodes that may move or be pinned
 * @param edges [[id, id]]
 */
export function relaxed(ids, edges, places, pinned) {
  const at = ids.map((id) => ({ ...places.get(id) }));
  const index = new Map(ids.map((id, number) => [id, number]));
  const springs = edges.map(([a, b]) => [index.get(a), index.get(b)]).filter(([a, b]) => a !== undefined && b !== undefined && a !== b);
  const rounds = Math.max(20, Math.min(140, Math.floor(2e7 / ids.length ** 2)));
  for (let round = 0; round < rounds; round++) {
    const heat = 26 * (1 - round / rounds) + 2;
    const move = at.map(() => [0, 0]);
    for (let i = 0; i < at.length; i++)
      for (let j = i + 1; j < at.length; j++) {
        const [dx, dy] = [at[j].x - at[i].x || 0.01 * (i - j), at[j].y - at[i].y || 0.013];
        if (Math.abs(dx) > 420 || Math.abs(dy) > 420) continue;
        // Wider than high, as the labels are.
        const square = (dx / 1.5) ** 2 + dy ** 2 + 60;
        const push = 9000 / square / Math.sqrt(square);
        move[i][0] -= dx * push; move[i][1] -= dy * push;
        move[j][0] += dx * push; move[j][1] += dy * push;
      }
    for (const [a, b] of springs) {
      const [dx, dy] = [at[b].x - at[a].x, at[b].y - at[a].y];
      const length = Math.hypot(dx, dy) || 1;
      const pull = ((length - 130) / length) * 0.045;
      move[a][0] += dx * pull; move[a][1] += dy * pull;
      move[b][0] -= dx * pull; move[b][1] -= dy * pull;
    }
    at.forEach((place, number) => {
      if (pinned.has(ids[number])) return;
      const [dx, dy] = move[number];
      const far = Math.hypot(dx, dy) || 1;
      const part = Math.min(far, heat) / far;
      place.x += dx * part;
      place.y += dy * part;
    });
  }
  return new Map(ids.map((id, number) => [id, { x: Math.round(at[number].x), y: Math.round(at[number].y) }]));
}
