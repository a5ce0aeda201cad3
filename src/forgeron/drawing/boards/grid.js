// A board of cells in rows and columns: Yolah, and every game whose view says "grid".

import { describe, pieceOf } from "./pieces.js";
import { h } from "./svg.js";
import { piecesInWords } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Place} Place */

const CELL = 100;
const EDGE = 46;

/** The names of the cells in the order of `cells`: the view's own, else a1, b1 … @param {View} view @returns {string[]} */
function names(view) {
  if (view.names) return view.names;
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length: view.columns * view.rows }, (_, i) =>
    `${letters[i % view.columns]}${Math.floor(i / view.columns) + 1}`);
}

/** @type {import("./types.js").Drawing} */
export const grid = {
  layout(view, flip) {
    const { columns, rows } = view;
    const places = new Map();
    names(view).forEach((name, i) => {
      const [column, row] = [i % columns, Math.floor(i / columns)];
      const [across, down] = flip ? [columns - 1 - column, row] : [column, rows - 1 - row];
      const [x, y] = [EDGE + (across + 0.5) * CELL, EDGE + (down + 0.5) * CELL];
      const outline = h("rect", { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, rx: 8 });
      places.set(name, { name, x, y, r: CELL / 2, outline });
    });
    return { width: columns * CELL + 2 * EDGE, height: rows * CELL + 2 * EDGE, places };
  },

  surface(view, layout) {
    const plain = names(view).every((name) => /^[a-z]+[0-9]+$/.test(name));
    const all = [...layout.places.values()];
    const cells = all.map((place, i) => {
      const dark = (i % view.columns) + Math.floor(i / view.columns);
      return h("rect", {
        class: `fg-cell ${dark % 2 ? "fg-cell-light" : "fg-cell-dark"}`,
        x: place.x - CELL / 2 + 2, y: place.y - CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 9,
      });
    });
    const letters = all.slice(0, view.columns).map((place) =>
      h("text", { class: "fg-label", x: place.x, y: layout.height - EDGE * 0.34 }, place.name.replace(/[0-9]+$/, "")));
    const numbers = all.filter((_, i) => i % view.columns === 0).map((place) =>
      h("text", { class: "fg-label", x: EDGE * 0.5, y: place.y + 9 }, place.name.replace(/^[a-z]+/, "")));
    return [
      h("rect", { class: "fg-surface", x: 4, y: 4, width: layout.width - 8, height: layout.height - 8, rx: 22 }),
      cells,
      // What is gone for good is part of the board, not a piece on it.
      all.filter((place) => isHole(view, place.name)).map((place) => pieceOf(view, contentAt(view, place.name), place.x, place.y, CELL / 2)),
      plain && [letters, numbers],
    ];
  },

  piece(view, layout, place) {
    return isHole(view, place.name) ? null : pieceOf(view, contentAt(view, place.name), place.x, place.y, CELL / 2);
  },

  spot(place, kind) {
    return h("rect", { class: kind, x: place.x - CELL / 2 + 2, y: place.y - CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 9 });
  },

  content(view, place) {
    return describe(view, contentAt(view, place))?.name ?? "";
  },

  words(view) {
    const cells = /** @type {string[]} */ (view.cells);
    return piecesInWords(view, names(view).map((name, i) => [name, cells[i]]));
  },
};

/** @param {View} view @param {string} place @returns {string} */
function contentAt(view, place) {
  return view.cells[names(view).indexOf(place)] ?? ".";
}

/** @param {View} view @param {string} place */
function isHole(view, place) {
  return describe(view, contentAt(view, place))?.shape === "hole";
}
