// Pieces, seeds and sticks: one look for all games. Every kind differs from the others by shape, not by colour alone.

import { h } from "./svg.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Piece} Piece */

const COLOURS = ["black", "white", "red", "blue", "yellow", "green"];

/** The colour class of a seat: that of its name, else dark for the first and light for the second. @param {{seats: string[]}} view @param {number} seat */
export function colourOf(view, seat) {
  const name = (view.seats[seat] ?? "").toLowerCase();
  return COLOURS.includes(name) ? name : ["black", "white"][seat];
}

/** Seats whose colours differ by lightness need no sign. @param {{seats: string[]}} view @param {number} seat */
function signOf(view, seat) {
  const pair = [0, 1].map((one) => colourOf(view, one));
  return pair.includes("black") || pair.includes("white") ? -1 : seat;
}

/**
 * A round piece of a seat.
 * @param {{seats: string[]}} view
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function disc(view, seat, x, y, r) {
  const sign = signOf(view, seat);
  return h("g", { class: `fg-piece fg-${colourOf(view, seat)}` },
    h("circle", { class: "fg-shadow", cx: x, cy: y + r * 0.1, r: r * 1.02 }),
    h("circle", { class: "fg-body", cx: x, cy: y, r, "stroke-width": r * 0.06 }),
    h("circle", { class: "fg-groove", cx: x, cy: y, r: r * 0.7, "stroke-width": r * 0.06 }),
    h("path", { class: "fg-shine", d: arc(x, y, r * 0.84, 205, 290), "stroke-width": r * 0.09 }),
    sign === 0 && h("circle", { class: "fg-sign", cx: x, cy: y, r: r * 0.27 }),
    sign === 1 && h("path", { class: "fg-sign", d: diamond(x, y, r * 0.4) }));
}

/** A ring of a seat. @param {{seats: string[]}} view @param {number} seat @param {number} x @param {number} y @param {number} r */
export function ring(view, seat, x, y, r) {
  const width = r * 0.36;
  return h("g", { class: `fg-piece fg-ring fg-${colourOf(view, seat)}` },
    h("circle", { class: "fg-shadow-ring", cx: x, cy: y + r * 0.08, r: r - width / 2, "stroke-width": width * 1.1 }),
    h("circle", { class: "fg-edge", cx: x, cy: y, r: r - width / 2, "stroke-width": width }),
    h("circle", { class: "fg-band", cx: x, cy: y, r: r - width / 2, "stroke-width": width * 0.72 }),
    h("path", { class: "fg-shine", d: arc(x, y, r - width / 2, 200, 285), "stroke-width": width * 0.2 }));
}

/** A small flat marker of a seat, with a dot for the second one. @param {{seats: string[]}} view @param {number} seat @param {number} x @param {number} y @param {number} r */
export function marker(view, seat, x, y, r) {
  return h("g", { class: `fg-piece fg-marker fg-${colourOf(view, seat)}` },
    h("circle", { class: "fg-shadow", cx: x, cy: y + r * 0.1, r: r * 1.02 }),
    h("circle", { class: "fg-body", cx: x, cy: y, r, "stroke-width": r * 0.1 }),
    seat === 1
      ? h("circle", { class: "fg-groove", cx: x, cy: y, r: r * 0.3, "stroke-width": r * 0.14 })
      : h("path", { class: "fg-shine", d: arc(x, y, r * 0.72, 200, 290), "stroke-width": r * 0.14 }));
}

/** A square that is gone for good. @param {number} x @param {number} y @param {number} r half the width of its cell */
export function hole(x, y, r) {
  const side = r * 1.92;
  return h("g", { class: "fg-hole" },
    h("rect", { class: "fg-hole-edge", x: x - side / 2, y: y - side / 2, width: side, height: side, rx: r * 0.18 }),
    h("rect", { class: "fg-hole-deep", x: x - side / 2, y: y - side / 2 + r * 0.13, width: side, height: side - r * 0.13, rx: r * 0.18 }));
}

/** A piece nobody described: its letter on a tile. @param {string} text @param {number} x @param {number} y @param {number} r */
export function tile(text, x, y, r) {
  return h("g", { class: "fg-piece fg-tile" },
    h("rect", { class: "fg-shadow", x: x - r, y: y - r * 0.9, width: 2 * r, height: 2 * r, rx: r * 0.3 }),
    h("rect", { class: "fg-body", x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: r * 0.3 }),
    h("text", { class: "fg-letter", x, y: y + r * 0.36, "font-size": r * (text.length > 2 ? 0.7 : 1) }, text));
}

/**
 * What a letter of a view stands for, drawn.
 * @param {View} view
 * @param {string} letter
 * @param {number} x
 * @param {number} y
 * @param {number} r half the room there is
 */
export function pieceOf(view, letter, x, y, r) {
  const piece = describe(view, letter);
  if (!piece) return null;
  if (piece.shape === "hole") return hole(x, y, r);
  if (piece.seat === undefined) return tile(piece.text ?? letter, x, y, r * 0.62);
  if (piece.shape === "ring") return ring(view, piece.seat, x, y, r * 0.92);
  if (piece.shape === "marker") return marker(view, piece.seat, x, y, r * 0.56);
  return [disc(view, piece.seat, x, y, r * 0.76),
    piece.text && h("text", { class: `fg-letter fg-on-${colourOf(view, piece.seat)}`, x, y: y + r * 0.26, "font-size": r * 0.72 }, piece.text)];
}

/** @param {View} view @param {string} letter @returns {Piece | null} */
export function describe(view, letter) {
  if (!letter || letter === "." || letter === " ") return null;
  return view.pieces?.[letter] ?? { name: letter, text: letter };
}

/**
 * A seed: red ones are round, blue ones have corners, transparent ones are hollow.
 * @param {string} colour R, B or T
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function seed(colour, x, y, r) {
  if (colour === "B") {
    return h("g", { class: "fg-seed fg-seed-blue" },
      h("path", { class: "fg-seed-body", d: diamond(x, y, r * 1.16), "stroke-width": r * 0.16 }),
      h("path", { class: "fg-seed-shine", d: `M${x - r * 0.55} ${y - r * 0.05}L${x - r * 0.05} ${y - r * 0.55}`, "stroke-width": r * 0.2 }));
  }
  if (colour === "T") {
    return h("g", { class: "fg-seed fg-seed-clear" },
      h("circle", { class: "fg-seed-body", cx: x, cy: y, r: r * 0.88, "stroke-width": r * 0.3 }),
      h("path", { class: "fg-seed-shine", d: arc(x, y, r * 0.42, 190, 280), "stroke-width": r * 0.2 }));
  }
  return h("g", { class: "fg-seed fg-seed-red" },
    h("circle", { class: "fg-seed-body", cx: x, cy: y, r, "stroke-width": r * 0.16 }),
    h("path", { class: "fg-seed-shine", d: arc(x, y, r * 0.6, 195, 280), "stroke-width": r * 0.2 }));
}

/** A throwing stick: its flat side is light, its round side dark with three crosses. @param {boolean} flat @param {boolean} marked @param {number} x @param {number} y @param {number} length */
export function stick(flat, marked, x, y, length) {
  const width = length * 0.2;
  const crosses = [-0.27, 0, 0.27].map((at) => h("path", {
    class: "fg-stick-mark",
    d: cross(x, y + at * length, width * 0.2),
    "stroke-width": width * 0.1,
  }));
  return h("g", { class: `fg-stick ${flat ? "fg-stick-flat" : "fg-stick-round"}` },
    h("rect", { class: "fg-shadow", x: x - width / 2, y: y - length / 2 + 4, width, height: length, rx: width * 0.5 }),
    h("rect", { class: "fg-stick-body", x: x - width / 2, y: y - length / 2, width, height: length, rx: width * 0.5 }),
    flat && h("rect", { class: "fg-stick-inlay", x: x - width * 0.32, y: y - length * 0.46, width: width * 0.64, height: length * 0.92, rx: width * 0.32 }),
    !flat && crosses,
    flat && marked && h("path", { class: "fg-stick-mark", d: cross(x, y, width * 0.22), "stroke-width": width * 0.14 }));
}

/** @param {number} x @param {number} y @param {number} r @param {number} from degrees, clockwise from the right @param {number} to */
export function arc(x, y, r, from, to) {
  const at = (/** @type {number} */ angle) => {
    const radians = (angle * Math.PI) / 180;
    return `${(x + r * Math.cos(radians)).toFixed(2)} ${(y + r * Math.sin(radians)).toFixed(2)}`;
  };
  return `M${at(from)}A${r} ${r} 0 0 1 ${at(to)}`;
}

/** @param {number} x @param {number} y @param {number} r */
export function diamond(x, y, r) {
  return `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
}

/** @param {number} x @param {number} y @param {number} r */
export function cross(x, y, r) {
  return `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
}
