// A position set up by hand: choose what to put, and point at where it goes. The server says whether it can be.

import { drawingOf } from "../boards/draw.js";
import { capital } from "../boards/words.js";
import { el } from "./dom.js";

/** @typedef {import("../boards/types.js").View} View */
/** @typedef {{name: string, label: string}} Brush */

const SEEDS = /** @type {Record<string, string>} */ ({ r: "red", b: "blue", t: "transparent" });
const LETTERS = "rb";

/** What can be put on a board. @param {View} view @returns {Brush[]} */
function brushes(view) {
  if (view.board === "circle") {
    return Object.entries(SEEDS).flatMap(([letter, name]) => [{ name: `+${letter}`, label: `+ ${name}` }, { name: `-${letter}`, label: `− ${name}` }]);
  }
  if (view.board === "yut") return [...view.seats.map((seat, i) => ({ name: LETTERS[i], label: `${capital(seat)} piece` })), { name: "", label: "Take off" }];
  const own = view.board === "hexagon" ? view.seats.flatMap((seat) => [
    { name: seat[0].toUpperCase(), label: `${capital(seat)} ring` }, { name: seat[0], label: `${capital(seat)} marker` }])
    : Object.entries(view.pieces ?? {}).map(([name, piece]) => ({ name, label: capital(piece.name ?? name) }));
  return [...own, { name: "", label: "Take off" }];
}

/** The names of the cells of a grid, in their order. @param {View} view @returns {string[]} */
function cellNames(view) {
  return view.names ?? Array.from({ length: view.rows * view.columns }, (_, i) => `${"abcdefghijklmnopqrstuvwxyz"[i % view.columns]}${Math.floor(i / view.columns) + 1}`);
}

/** The view with something put on a place. @param {View} before @param {string} place @param {string} brush @returns {View} */
export function put(before, place, brush) {
  const view = structuredClone(before);
  if (view.board === "grid") view.cells[cellNames(view).indexOf(place)] = brush || ".";
  else if (view.board === "hexagon") view.points.find((/** @type {any} */ point) => point.name === place).content = brush || ".";
  else if (view.board === "circle") {
    const hole = view.holes.find((/** @type {any} */ one) => String(one.hole) === place);
    const name = SEEDS[brush[1]];
    hole[name] = Math.max(hole[name] + (brush[0] === "+" ? 1 : -1), 0);
  } else if (view.board === "yut") putPiece(view, place, brush);
  return view;
}

/** Pieces come from the start and go back there. @param {View} view @param {string} place @param {string} brush */
function putPiece(view, place, brush) {
  const standing = view.groups.find((/** @type {any[]} */ group) => String(group[1]) === place);
  const seat = LETTERS.indexOf(brush);
  if (!brush || (standing && standing[0] !== seat)) {
    if (standing) {
      view.waiting[standing[0]] += standing[2];
      view.groups = view.groups.filter((/** @type {any[]} */ group) => group !== standing);
    }
    if (!brush) return;
  }
  if (!view.waiting[seat]) return;
  view.waiting[seat] -= 1;
  const own = view.groups.find((/** @type {any[]} */ group) => String(group[1]) === place);
  if (own) own[2] += 1;
  else view.groups.push([seat, Number(place), 1]);
}

/** A piece more at home, or all of them back to the start. @param {View} before @param {number} seat @param {boolean} more @returns {View} */
export function bringHome(before, seat, more) {
  const view = structuredClone(before);
  const moved = more ? Math.min(view.waiting[seat], 1) : -view.home[seat];
  view.waiting[seat] -= moved;
  view.home[seat] += moved;
  return view;
}

/** What stands where, as the server reads it. @param {View} view @returns {Record<string, string>} */
export function placesOf(view) {
  /** @type {Record<string, string>} */
  const found = {};
  if (view.board === "grid") cellNames(view).forEach((name, i) => { found[name] = view.cells[i]; });
  else if (view.board === "hexagon") for (const point of view.points) found[point.name] = point.content;
  else if (view.board === "circle") {
    for (const hole of view.holes) found[hole.hole] = Object.entries(SEEDS).map(([letter, name]) => (hole[name] ? `${hole[name]}${letter}` : "")).join("");
  } else if (view.board === "yut") {
    for (const [seat, station, count] of view.groups) found[station] = (found[station] ?? "") + LETTERS[seat].repeat(count);
    found[30] = view.home.map((/** @type {number} */ count, /** @type {number} */ seat) => LETTERS[seat].repeat(count)).join("");
  }
  return Object.fromEntries(Object.entries(found).filter(([, content]) => content && content !== "."));
}

/** An empty board. @param {View} before @returns {View} */
export function cleared(before) {
  const view = structuredClone(before);
  if (view.board === "grid") view.cells = view.cells.map(() => ".");
  else if (view.board === "hexagon") for (const point of view.points) point.content = ".";
  else if (view.board === "circle") for (const hole of view.holes) hole.red = hole.blue = hole.transparent = 0;
  else if (view.board === "yut") {
    for (const [seat, , count] of view.groups) view.waiting[seat] += count;
    view.groups = [];
    for (const seat of [0, 1]) {
      view.waiting[seat] += view.home[seat];
      view.home[seat] = 0;
    }
  }
  return view;
}

export class Editor {
  /**
   * @param {import("../boards/board.js").Board} board @param {View} view where to begin
   * @param {(places: Record<string, string>, turn: number) => Promise<View>} compose @param {(view: View | null) => void} done
   */
  constructor(board, view, compose, done) {
    this.board = board;
    this.compose = compose;
    this.view = structuredClone(view);
    this.turn = view.turn ?? 0;
    this.brush = brushes(view)[0].name;
    this.number = 0;
    /** @type {View | null} what the server makes of it */
    this.made = null;
    this.note = el("p", { class: "note", role: "status" });
    this.use = el("button", { type: "button", class: "primary", onclick: () => done(this.made) }, "Analyse this position");
    const pick = (/** @type {string} */ group, /** @type {string} */ value, /** @type {string} */ label, /** @type {boolean} */ checked, /** @type {() => void} */ act) =>
      el("label", { class: "pick" }, el("input", { type: "radio", name: group, value, checked, onchange: act }), el("span", {}, label));
    this.host = el("section", { class: "panel editor", "aria-label": "Set up a position" },
      el("fieldset", {}, el("legend", {}, "Put on the board"), el("div", { class: "picks" }, brushes(view).map((one, i) => pick("brush", one.name, one.label, i === 0, () => {
        this.brush = one.name;
        this.show();
      })))),
      view.board === "yut" && el("div", { class: "actions" }, view.seats.flatMap((seat, i) => [
        el("button", { type: "button", onclick: () => this.#change(bringHome(this.view, i, true)) }, `${capital(seat)} home +1`),
        el("button", { type: "button", onclick: () => this.#change(bringHome(this.view, i, false)) }, `${capital(seat)} home 0`)])),
      el("fieldset", {}, el("legend", {}, view.board === "yut" ? "To throw" : "To move"), el("div", { class: "picks" }, view.seats.map((seat, i) => pick("turn", String(i), capital(seat), i === this.turn, () => {
        this.turn = /** @type {0 | 1} */ (i);
        this.#change(this.view);
      })))),
      this.note,
      el("div", { class: "actions" }, this.use, el("button", { type: "button", onclick: () => this.#change(cleared(this.view)) }, "Clear the board"),
        el("button", { type: "button", class: "quiet", onclick: () => done(null) }, "Cancel")));
    this.#change(this.view);
  }

  /** Every place can be pointed at. */
  show() {
    /** @type {View} */
    const view = { ...this.view, turn: /** @type {0 | 1} */ (this.turn), chance: false, outcome: null, last: null, queue: [], queue_names: [], throwing: false, asks: ["Choose where it goes"], choices: {} };
    const places = [...(drawingOf(view)?.layout(view, this.board.flip).places.keys() ?? [])].filter((name) => name !== view.start && name !== view.finish);
    this.board.view = null;
    this.board.show({ ...view, moves: places.map((name) => ({ move: name, parts: [name], text: name })) }, { step: null, say: false });
  }

  /** @param {string} place */
  point(place) {
    this.#change(put(this.view, place, this.brush));
  }

  /** @param {View} view */
  async #change(view) {
    const number = this.number += 1;
    this.view = view;
    this.show();
    try {
      const made = await this.compose(placesOf(view), this.turn);
      if (number !== this.number) return;
      this.made = made;
      this.note.textContent = "This is a position of the game.";
    } catch (error) {
      if (number !== this.number) return;
      this.made = null;
      this.note.textContent = `Not yet a position: ${/** @type {Error} */ (error).message.replace(/^'[^']*' is not a[^:]*: /, "").replace(/ \([^()]*\)$/, "")}.`;
    }
    this.use.disabled = !this.made;
  }
}
