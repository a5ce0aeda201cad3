// Stations joined by lines, with groups of pieces on them: Yut Nori with its sticks, and every game of a "track".

import { colourOf, disc, stick } from "./pieces.js";
import { h } from "./svg.js";
import { capital, counted } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Layout} Layout */

const STEP = 112;
const EDGE = 88;
const TRAY = 190;
const MORE_CHIPS = 52;
const SLOT = 54;
const CHIPS_A_ROW = 3;

/** Stations where a way turns off are drawn larger. @param {View} view @param {string} name */
function isCorner(view, name) {
  const lines = /** @type {string[][]} */ (view.lines ?? []);
  return lines.filter((line) => line.includes(name)).length > 1;
}

/** The pieces on a station: seat and number. @param {View} view @param {string} name @returns {[number, number] | null} */
function groupAt(view, name) {
  const found = view.groups.find((/** @type {any[]} */ one) => String(one[1]) === name);
  return found ? [found[0], found[2]] : null;
}

/** A group as a small pile, its size beside it. @param {View} view @param {number} seat @param {number} n @param {number} x @param {number} y @param {number} r */
function pile(view, seat, n, x, y, r) {
  const lift = r * 0.3;
  return h("g", { class: "fg-pile" },
    Array.from({ length: Math.min(n, 5) }, (_, i) => disc(view, seat, x, y - i * lift + ((Math.min(n, 5) - 1) * lift) / 2, r)),
    n > 1 && h("g", { class: "fg-badge" },
      h("circle", { class: "fg-badge-body", cx: x + r * 0.95, cy: y - r * 0.95, r: r * 0.5 }),
      h("text", { class: "fg-badge-text", x: x + r * 0.95, y: y - r * 0.95 + r * 0.24, "font-size": r * 0.68 }, String(n))));
}

/** How many slots the tray of a side has. @param {View} view @param {number} seat */
function piecesOf(view, seat) {
  const placed = view.groups.filter((/** @type {any[]} */ one) => one[0] === seat).reduce((/** @type {number} */ sum, /** @type {any[]} */ one) => sum + one[2], 0);
  return view.waiting[seat] + view.home[seat] + placed;
}

/** Where the board ends and the tray below it begins. @param {Layout} layout */
function bottom(layout) {
  return /** @type {Layout & {board: number}} */ (layout).board;
}

/** Where slot i of a side is. @param {View} view @param {Layout} layout @param {number} seat @param {number} i */
function slotAt(view, layout, seat, i) {
  const n = piecesOf(view, seat);
  const x = seat === 0 ? EDGE - 22 + i * SLOT : layout.width - EDGE + 22 - (n - 1 - i) * SLOT;
  return { x, y: bottom(layout) + 92 };
}

/** @type {import("./types.js").Drawing} */
export const track = {
  layout(view) {
    const raw = view.places.map((/** @type {any[]} */ one) => ({ name: String(one[0]), x: one[1], y: one[2] }));
    const span = (/** @type {"x" | "y"} */ axis) => Math.max(...raw.map((/** @type {Place} */ one) => one[axis]));
    /** @type {Map<string, Place>} */
    const places = new Map();
    for (const one of raw) {
      places.set(one.name, { name: one.name, x: EDGE + one.x * STEP, y: EDGE + one.y * STEP, r: isCorner(view, one.name) ? 47 : 37 });
    }
    const tray = view.waiting ? TRAY : 0;
    const more = new Set(view.queue).size > CHIPS_A_ROW ? MORE_CHIPS : 0;
    const layout = { width: span("x") * STEP + 2 * EDGE, height: span("y") * STEP + 2 * EDGE + tray + more, places, board: span("y") * STEP + 2 * EDGE };
    if (view.waiting && view.turn !== null) {
      const seat = view.turn;
      const next = slotAt(view, layout, seat, Math.max(piecesOf(view, seat) - 1 - view.home[seat], 0));
      if (view.finish !== undefined) places.set(view.finish, { name: view.finish, ...next, r: 26 });
      if (view.start !== undefined && view.waiting[seat]) places.set(view.start, { name: view.start, ...slotAt(view, layout, seat, 0), r: 26 });
    }
    return layout;
  },

  surface(view, layout) {
    const lines = /** @type {string[][]} */ (view.lines ?? []);
    const path = lines.map((line) => line.map((name, i) => {
      const place = layout.places.get(name);
      return place ? `${i ? "L" : "M"}${place.x} ${place.y}` : "";
    }).join("")).join("");
    const board = bottom(layout);
    const stations = [...layout.places.values()].filter((place) => place.name !== view.start && place.name !== view.finish);
    return [
      h("rect", { class: "fg-surface", x: 4, y: 4, width: layout.width - 8, height: board - 8, rx: 40 }),
      h("path", { class: "fg-lines fg-lines-bold", d: path }),
      stations.map((place) => h("g", {},
        h("circle", { class: "fg-station", cx: place.x, cy: place.y, r: place.r }),
        isCorner(view, place.name) && h("circle", { class: "fg-station-inner", cx: place.x, cy: place.y, r: place.r - 9 }),
        h("text", { class: "fg-station-name", x: place.x, y: place.y + 7 }, place.name))),
      view.waiting && [0, 1].map((seat) => tray(view, layout, seat)),
    ];
  },

  piece(view, layout, place) {
    if (place.name === view.start || place.name === view.finish) return null;
    const group = groupAt(view, place.name);
    return group ? pile(view, group[0], group[1], place.x, place.y, 31) : null;
  },

  content(view, place) {
    if (place === view.start) return view.turn === null ? "" : `${counted(view.waiting[view.turn], "piece")} at the start`;
    if (place === view.finish) return "home";
    const group = groupAt(view, place);
    return group ? counted(group[1], `${view.seats[group[0]]} piece`) : "";
  },

  words(view) {
    return [0, 1].map((seat) => {
      const own = view.groups.filter((/** @type {any[]} */ one) => one[0] === seat)
        .map((/** @type {any[]} */ one) => `${counted(one[2], "piece")} on ${one[1]}`);
      if (view.waiting) own.push(`${view.waiting[seat]} at the start`, `${view.home[seat]} home`);
      return `${capital(view.seats[seat])}: ${own.join(", ")}.`;
    });
  },

  flying(view, event) {
    if (event.do !== "slide" || view.turn === null) return null;
    const group = groupAt(view, event.path[0]);
    return [pile(view, view.turn, group ? group[1] : 1, 0, 0, 31)];
  },
};

/** The pieces of a side that are not on the board: those that wait on the left, those at home on the right. @param {View} view @param {Layout} layout @param {number} seat */
function tray(view, layout, seat) {
  const [n, waiting, home] = [piecesOf(view, seat), view.waiting[seat], view.home[seat]];
  const slots = Array.from({ length: n }, (_, i) => {
    const { x, y } = slotAt(view, layout, seat, i);
    if (i < waiting) return disc(view, seat, x, y, 25);
    if (i < n - home) return h("circle", { class: "fg-slot", cx: x, cy: y, r: 21 });
    return h("g", { class: `fg-home fg-${colourOf(view, seat)}` }, h("circle", { class: "fg-home-body", cx: x, cy: y, r: 25 }),
      h("path", { class: "fg-home-tick", d: `M${x - 10} ${y + 1}l7 8l13 -16` }));
  });
  const [left, right] = [slotAt(view, layout, seat, 0), slotAt(view, layout, seat, n - 1)];
  const words = [];
  if (waiting) words.push(h("text", { class: "fg-label fg-label-start", x: left.x - 25, y: left.y + 58 }, "start"));
  if (home) words.push(h("text", { class: "fg-label fg-label-end", x: right.x + 25, y: right.y + 58 }, "home"));
  return h("g", {},
    h("rect", { class: seat === view.turn ? "fg-tray fg-tray-turn" : "fg-tray", x: left.x - 42, y: left.y - 44, width: (n - 1) * SLOT + 84, height: 122, rx: 30 }),
    slots, words);
}

/** How many sticks lie flat after a throw of so many steps. @param {number} steps */
function flats(steps) {
  return steps === 5 ? 0 : Math.abs(steps);
}

/** @param {View} view @param {Layout} layout @param {number | null} steps */
export function sticks(view, layout, steps) {
  const [x, y] = [layout.width / 2, bottom(layout) + 72];
  const flat = steps === null ? 0 : flats(steps);
  return h("g", { class: "fg-sticks" }, [0, 1, 2, 3].map((i) =>
    h("g", { class: "fg-stick-place", transform: `rotate(${[-7, 3, -2, 6][i]} ${x + (i - 1.5) * 34} ${y})` },
      stick(i < flat, steps === -1, x + (i - 1.5) * 34, y, 96))));
}

/** The steps of the last throw, where the last move was one. @param {View} view @returns {number | null} */
function lastThrow(view) {
  const thrown = /^t(-?[0-9]+)$/.exec(view.last ?? "");
  return thrown ? Number(thrown[1]) : null;
}

/** @type {import("./types.js").Drawing} */
export const yut = {
  ...track,

  surface(view, layout) {
    return [track.surface(view, layout), sticks(view, layout, lastThrow(view))];
  },

  above(view, layout) {
    // What is in hand stays visible also to those who cannot choose now.
    return h("g", { class: "fg-hand" }, chips(view, layout).map((chip) => chip.face));
  },

  choices(view, layout, open) {
    return new Map(chips(view, layout).filter((chip) => open.includes(chip.name)).map((chip) => [chip.name, chip]));
  },
};

/** One chip for each kind of result in hand. @param {View} view @param {Layout} layout @returns {import("./types.js").Choice[]} */
function chips(view, layout) {
  const kinds = [...new Set(/** @type {number[]} */ (view.queue))];
  return kinds.map((steps, i) => {
    const row = Math.floor(i / CHIPS_A_ROW);
    const inRow = Math.min(kinds.length - row * CHIPS_A_ROW, CHIPS_A_ROW);
    const [x, y] = [layout.width / 2 + ((i % CHIPS_A_ROW) - (inRow - 1) / 2) * 100, bottom(layout) + 158 + row * MORE_CHIPS];
    const n = view.queue.filter((/** @type {number} */ one) => one === steps).length;
    const name = view.queue_names[view.queue.indexOf(steps)];
    const face = h("g", { class: "fg-chip" },
      h("rect", { class: "fg-chip-body", x: x - 47, y: y - 23, width: 94, height: 46, rx: 24 }),
      h("text", { class: "fg-chip-text", x, y: y + 8 }, `${n > 1 ? `${n}×` : ""}${name === "back-do" ? "back" : name} ${steps < 0 ? "−1" : steps}`));
    return { name: `r${steps}`, x, y, r: 43, label: view.choices?.[`r${steps}`] ?? name, face };
  });
}
