// Boards of points or cells along three axes: YINSH (points joined by lines) and every game of "hexagons" (cells).

import { colourOf, describe, pieceOf } from "./pieces.js";
import { h, round } from "./svg.js";
import { piecesInWords } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {{name: string, x: number, y: number, content: string}} Point */

const STEP = 100;
const ACROSS = STEP * Math.sqrt(0.75);
const EDGE = 104;
/** One way along each of the three axes. */
const WAYS = [[0, 1], [1, 1], [1, 0]];

/** @param {View} view @returns {Point[]} */
function points(view) {
  return view.points ?? view.cells;
}

/** @type {import("./types.js").Drawing["layout"]} */
function layout(view, flip) {
  const turn = flip ? -1 : 1;
  const raw = points(view).map((point) => ({
    name: point.name, x: turn * point.x * ACROSS, y: -turn * (point.y - point.x / 2) * STEP,
  }));
  const [left, top] = [Math.min(...raw.map((one) => one.x)), Math.min(...raw.map((one) => one.y))];
  const [right, bottom] = [Math.max(...raw.map((one) => one.x)), Math.max(...raw.map((one) => one.y))];
  const places = new Map(raw.map((one) => [one.name, {
    name: one.name, x: round(one.x - left + EDGE), y: round(one.y - top + EDGE), r: STEP / 2,
  }]));
  return { width: right - left + 2 * EDGE, height: bottom - top + 2 * EDGE, places };
}

/** @param {View} view @param {string} place */
function contentAt(view, place) {
  return points(view).find((point) => point.name === place)?.content ?? ".";
}

/** @type {Pick<import("./types.js").Drawing, "layout" | "content" | "words">} */
const shared = {
  layout,
  content: (view, place) => describe(view, contentAt(view, place))?.name ?? "",
  words: (view) => piecesInWords(view, points(view).map((point) => [point.name, point.content])),
};

/** The corners of what the points span, as a path with room around them. @param {Place[]} all */
function hull(all) {
  const sorted = [...all].sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (/** @type {Place} */ o, /** @type {Place} */ a, /** @type {Place} */ b) =>
    (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (/** @type {Place[]} */ list) => {
    /** @type {Place[]} */
    const found = [];
    for (const one of list) {
      while (found.length > 1 && turn(found[found.length - 2], found[found.length - 1], one) <= 0) found.pop();
      found.push(one);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())].map((one, i) => `${i ? "L" : "M"}${one.x} ${one.y}`).join("") + "Z";
}

/** The letters below the columns and the numbers at the left ends of the lines. @param {View} view @param {import("./types.js").Layout} made */
function labels(view, made) {
  const all = points(view);
  const has = new Set(all.map((point) => `${point.x},${point.y}`));
  return all.flatMap((point) => {
    const place = /** @type {Place} */ (made.places.get(point.name));
    const [letter, number] = [point.name.replace(/[0-9]+$/, ""), point.name.replace(/^[A-Za-z]+/, "")];
    const found = [];
    const down = flipped(view, made) ? -1 : 1;
    if (!has.has(`${point.x},${point.y - 1}`)) found.push(h("text", { class: "fg-label", x: place.x, y: place.y + down * 72 + 9 }, letter));
    if (!has.has(`${point.x - 1},${point.y}`)) {
      found.push(h("text", { class: "fg-label", x: place.x - down * 63, y: place.y - down * 36 + 9 }, number));
    }
    return found;
  });
}

/** @param {View} view @param {import("./types.js").Layout} made */
function flipped(view, made) {
  const all = points(view);
  const lowest = all.reduce((a, b) => (a.y < b.y ? a : b));
  const highest = all.reduce((a, b) => (a.y > b.y ? a : b));
  return (made.places.get(lowest.name)?.y ?? 0) < (made.places.get(highest.name)?.y ?? 0);
}

/** Points joined by lines. @type {import("./types.js").Drawing} */
export const hexagon = {
  ...shared,

  surface(view, made) {
    const all = points(view);
    const at = new Map(all.map((point) => [`${point.x},${point.y}`, /** @type {Place} */ (made.places.get(point.name))]));
    const lines = [];
    for (const point of all) {
      for (const [dx, dy] of WAYS) {
        if (at.has(`${point.x - dx},${point.y - dy}`)) continue;
        let [x, y] = [point.x, point.y];
        while (at.has(`${x + dx},${y + dy}`)) [x, y] = [x + dx, y + dy];
        const [from, to] = [at.get(`${point.x},${point.y}`), at.get(`${x},${y}`)];
        if (from && to && from !== to) lines.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
      }
    }
    const outline = hull([...made.places.values()]);
    return [
      h("path", { class: "fg-surface fg-surface-wide", d: outline, "stroke-width": 2 * EDGE - 12 }),
      h("path", { class: "fg-lines", d: lines.join("") }),
      labels(view, made),
    ];
  },

  piece(view, made, place) {
    return pieceOf(view, contentAt(view, place.name), place.x, place.y, STEP * 0.47);
  },
};

/** Cells with six sides. @type {import("./types.js").Drawing} */
export const hexagons = {
  ...shared,

  layout(view, flip) {
    const made = layout(view, flip);
    for (const place of made.places.values()) place.outline = h("path", { d: six(place, STEP / Math.sqrt(3)) });
    return made;
  },

  surface(view, made) {
    return [
      (view.edges ?? []).map((/** @type {[number, string, string]} */ edge) => goal(view, made, edge)),
      [...made.places.values()].map((place) => h("path", { class: "fg-cell fg-cell-dark", d: six(place, STEP / Math.sqrt(3) - 3) })),
    ];
  },

  piece(view, made, place) {
    return pieceOf(view, contentAt(view, place.name), place.x, place.y, STEP * 0.46);
  },

  spot(place, kind) {
    return h("path", { class: kind, d: six(place, STEP / Math.sqrt(3) - 3) });
  },
};

/** An edge of the board in the colour of the seat it belongs to. @param {View} view @param {import("./types.js").Layout} made @param {[number, string, string]} edge */
function goal(view, made, [seat, first, last]) {
  const [from, to] = [made.places.get(first), made.places.get(last)];
  if (!from || !to || from === to) return null;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [nx, ny] = [(to.y - from.y) / length, (from.x - to.x) / length];
  // Outwards is away from the middle of the board.
  const inside = (made.width / 2 - from.x) * nx + (made.height / 2 - from.y) * ny > 0;
  const out = (inside ? -1 : 1) * STEP * 0.74;
  const ends = [from, to].map((place) => `${round(place.x + nx * out)} ${round(place.y + ny * out)}`);
  return h("path", { class: `fg-goal fg-${colourOf(view, seat)}`, d: `M${ends.join("L")}` });
}

/** @param {Place} place @param {number} r */
function six(place, r) {
  return [0, 60, 120, 180, 240, 300].map((angle, i) => {
    const radians = (angle * Math.PI) / 180;
    return `${i ? "L" : "M"}${round(place.x + r * Math.cos(radians))} ${round(place.y + r * Math.sin(radians))}`;
  }).join("") + "Z";
}
