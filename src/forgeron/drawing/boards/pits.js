// Boards of holes with seeds: the circle of Coloured Mancala, and rows of pits for every other game of the family.

import { colourOf, disc, seed } from "./pieces.js";
import { h, round } from "./svg.js";
import { capital, counted, listed } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {{name: string, owner: 0 | 1, seeds: Record<string, number>}} Pit */

const COLOURS = /** @type {const} */ ({ R: "red", B: "blue", T: "transparent" });
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** The holes of either kind of view in one form. @param {View} view @returns {Pit[]} */
function pits(view) {
  if (view.pits) {
    return view.pits.map((/** @type {any} */ pit) => ({ ...pit, name: String(pit.name), seeds: { R: pit.seeds } }));
  }
  return view.holes.map((/** @type {any} */ one) => ({
    name: String(one.hole), owner: one.owner, seeds: { R: one.red, B: one.blue, T: one.transparent },
  }));
}

/** @param {View} view @param {string} name */
function pitOf(view, name) {
  return pits(view).find((pit) => pit.name === name);
}

/** @param {Pit} pit */
function total(pit) {
  return Object.values(pit.seeds).reduce((sum, n) => sum + n, 0);
}

/** The seeds of a hole, from the middle outwards in a spiral. @param {Pit} pit @param {Place} place */
function heap(pit, place) {
  const colours = Object.entries(pit.seeds).flatMap(([colour, n]) => Array(n).fill(colour));
  const n = colours.length;
  const r = place.r * (n <= 7 ? 0.2 : n <= 12 ? 0.165 : n <= 20 ? 0.135 : 0.1);
  const spread = Math.min(r * 1.72, (place.r * 0.94 - r) / Math.sqrt(n));
  const spots = colours.map((_, i) => {
    const [away, angle] = [spread * Math.sqrt(i + 0.4), i * GOLDEN - 0.6];
    return { x: away * Math.cos(angle), y: away * Math.sin(angle) };
  });
  const middle = (/** @type {"x" | "y"} */ axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / (n || 1);
  const [mx, my] = [middle("x"), middle("y")];
  return colours.map((colour, i) => seed(colour, round(place.x + spots[i].x - mx), round(place.y + spots[i].y - my), r));
}

/** @param {Pit} pit */
function seedsInWords(pit) {
  const parts = Object.entries(pit.seeds).filter(([, n]) => n)
    .map(([colour, n]) => `${n} ${COLOURS[/** @type {"R"} */ (colour)]}`);
  return parts.length ? listed(parts) : "empty";
}

/** @param {View} view @param {Place} place @param {Pit} pit */
function bowl(view, place, pit) {
  return h("g", { class: `fg-bowl fg-owner-${pit.owner}` },
    h("circle", { class: "fg-bowl-rim", cx: place.x, cy: place.y, r: place.r }),
    h("circle", { class: "fg-bowl-floor", cx: place.x, cy: place.y, r: place.r * 0.94 }),
    h("path", { class: "fg-bowl-well", d: crescent(place.x, place.y, place.r * 0.94) }));
}

/** The shade at the upper edge of a hole. @param {number} x @param {number} y @param {number} r */
function crescent(x, y, r) {
  return `M${round(x - r)} ${y}A${r} ${r} 0 0 1 ${round(x + r)} ${y}A${r} ${round(r * 0.8)} 0 0 0 ${round(x - r)} ${y}Z`;
}

/** The number of a hole, dark for the first player and light for the second. @param {View} view @param {Pit} pit @param {number} x @param {number} y */
function number(view, pit, x, y) {
  return h("g", { class: `fg-tag fg-${colourOf(view, pit.owner)}` },
    h("circle", { class: "fg-body", cx: x, cy: y, r: 19 }),
    h("text", { class: "fg-tag-text", x, y: y + 7.5 }, pit.name));
}

const CENTRE = 500;
const RADIUS = 372;
const LABELS = 472;
const COUNTS = 272;

/** @param {number} i @param {number} radius @param {boolean} flip */
function onCircle(i, radius, flip) {
  const angle = ((168.75 - 22.5 * i + (flip ? 180 : 0)) * Math.PI) / 180;
  return { x: round(CENTRE + radius * Math.cos(angle)), y: round(CENTRE + radius * Math.sin(angle)) };
}

/** @type {Pick<import("./types.js").Drawing, "piece" | "content" | "words" | "flying">} */
const shared = {
  piece(view, layout, place) {
    const pit = pitOf(view, place.name);
    return pit ? heap(pit, place) : null;
  },

  content(view, place) {
    const pit = pitOf(view, place);
    return pit ? `${view.seats[pit.owner]}'s, ${view.pits ? counted(total(pit), "seed") : seedsInWords(pit)}` : "";
  },

  words(view) {
    return /** @type {const} */ ([0, 1]).map((seat) => {
      const own = pits(view).filter((pit) => pit.owner === seat);
      const told = own.map((pit) => `${pit.name} ${view.pits ? total(pit) : seedsInWords(pit)}`);
      return `${capital(view.seats[seat])}'s holes: ${told.join("; ")}.`;
    });
  },

  flying(view, event) {
    return event.do === "sow" ? event.seeds.map((colour) => seed(view.pits ? "R" : colour, 0, 0, 15)) : null;
  },
};

/** @type {import("./types.js").Drawing} */
export const circle = {
  ...shared,

  layout(view, flip) {
    const places = new Map();
    pits(view).forEach((pit, i) => places.set(pit.name, { name: pit.name, ...onCircle(i, RADIUS, flip), r: 68 }));
    return { width: 1000, height: 1000, places };
  },

  surface(view, layout) {
    const all = [...layout.places.values()];
    const flip = all[0].y < CENTRE;
    return [
      h("circle", { class: "fg-surface", cx: CENTRE, cy: CENTRE, r: 496 }),
      h("circle", { class: "fg-lines fg-lines-faint", cx: CENTRE, cy: CENTRE, r: RADIUS }),
      pits(view).map((pit, i) => {
        const [place, label, count] = [all[i], onCircle(i, LABELS, flip), onCircle(i, COUNTS, flip)];
        return h("g", {}, bowl(view, place, pit), number(view, pit, label.x, label.y),
          h("text", { class: "fg-count", x: count.x, y: count.y + 10 }, String(total(pit))));
      }),
      centre(view, flip),
    ];
  },

  choices(view, layout, open, chosen) {
    const pit = pitOf(view, chosen[0] ?? "");
    /** @type {Map<string, import("./types.js").Choice>} */
    const found = new Map();
    open.filter((id) => id in COLOURS).forEach((id, i, all) => {
      const [x, y, r] = [CENTRE + (i - (all.length - 1) / 2) * 138, CENTRE, 60];
      const as = chosen.includes("T");
      const n = pit ? (as ? pit.seeds.T + pit.seeds[id] : pit.seeds[id]) : 0;
      const name = COLOURS[/** @type {"R"} */ (id)];
      const face = h("g", { class: "fg-chip" },
        h("circle", { class: "fg-chip-body", cx: x, cy: y, r }),
        as ? [seed("T", x - 17, y - 20, 15), seed(id, x + 17, y - 20, 15)] : seed(id, x, y - 18, 20),
        h("text", { class: "fg-chip-text", x, y: y + 28 }, as ? `as ${name}` : `${n} ${id === "T" ? "clear" : name}`));
      const label = as ? `sow the transparent seeds as ${name}` : counted(n, `${name} seed`);
      found.set(id, { name: id, x, y, r, label, face });
    });
    return found;
  },
};

/** The scores in the middle, the near player's below. @param {View} view @param {boolean} flip */
function centre(view, flip) {
  const rows = flip ? [0, 1] : [1, 0];
  return h("g", { class: "fg-centre" }, rows.map((seat, i) => {
    const y = CENTRE + (i ? 62 : -62);
    return h("g", {},
      disc(view, seat, CENTRE - 74, y, 20),
      h("text", { class: "fg-score", x: CENTRE - 38, y: y + 20 }, String(view.scores[seat])));
  }), h("path", { class: "fg-lines fg-lines-faint", d: `M${CENTRE - 94} ${CENTRE}h188` }));
}

/** Rows of pits: the second half of the list above from right to left, the first half below. @type {import("./types.js").Drawing} */
export const rows = {
  ...shared,

  layout(view, flip) {
    const all = pits(view);
    const half = Math.ceil(all.length / 2);
    const places = new Map();
    all.forEach((pit, i) => {
      const lower = i < half !== flip;
      const column = i < half ? i : all.length - 1 - i;
      const across = flip ? half - 1 - column : column;
      places.set(pit.name, { name: pit.name, x: 200 + across * 130, y: lower ? 270 : 110, r: 56 });
    });
    return { width: 270 + half * 130, height: 380, places };
  },

  surface(view, layout) {
    const stores = view.stores ?? view.scores;
    const flip = [...layout.places.values()][0].y < 190;
    return [
      h("rect", { class: "fg-surface", x: 4, y: 4, width: layout.width - 8, height: layout.height - 8, rx: 90 }),
      pits(view).map((pit) => {
        const place = /** @type {Place} */ (layout.places.get(pit.name));
        const out = place.y < 190 ? -78 : 78;
        return h("g", {}, bowl(view, place, pit), number(view, pit, place.x - 22, place.y + out),
          h("text", { class: "fg-count", x: place.x + 22, y: place.y + out + 10 }, String(total(pit))));
      }),
      [0, 1].map((seat) => {
        const x = (seat === 1) === flip ? layout.width - 78 : 78;
        return h("g", {}, h("rect", { class: "fg-bowl-floor", x: x - 44, y: 80, width: 88, height: 220, rx: 44 }),
          disc(view, seat, x, 130, 18), h("text", { class: "fg-score fg-score-middle", x, y: 215 }, String(stores[seat])));
      }),
    ];
  },
};
