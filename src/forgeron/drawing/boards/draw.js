// Any view as one drawing: the board itself, and over it what is the same for all games (marks, targets, arrows).

import { circle, rows } from "./pits.js";
import { grid } from "./grid.js";
import { hexagon, hexagons } from "./hexagon.js";
import { cross } from "./pieces.js";
import { h, toText } from "./svg.js";
import { track, yut } from "./track.js";
import { scoresInWords, statusInWords } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Drawing} Drawing */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Move} Move */
/**
 * What is drawn over a board. Everything may be missing.
 * @typedef {object} Marks
 * @property {boolean} [flip] the second player sits below
 * @property {string[]} [last] the places of the last move
 * @property {string[]} [taken] the places from which it took something
 * @property {Map<string, Move[]>} [targets] what may be pointed at
 * @property {string[]} [chosen] what was pointed at
 * @property {Move | null} [preview] a move whose effects are shown
 * @property {{from: string, to: string, weight?: number}[]} [arrows]
 * @property {string | null} [focus] the target that the keyboard is at
 */

/** @type {Record<string, Drawing>} */
const DRAWINGS = { grid, hexagon, hexagons, circle, pits: rows, track, yut };

/** How a view is drawn; null when it says nothing of its board. @param {View} view */
export function drawingOf(view) {
  return (view.board && DRAWINGS[view.board]) || null;
}

/** The places that the events of a move touch. @param {Move | undefined | null} move @returns {string[]} */
export function touched(move) {
  const found = (move?.events ?? []).flatMap((event) => {
    if (event.do === "slide") return [event.path[0], event.path[event.path.length - 1]];
    if (event.do === "drop") return [event.at];
    if (event.do === "sow") return [event.from, event.path[event.path.length - 1]];
    return [];
  });
  return [...new Set(found)];
}

/** The places from which a move takes something. @param {Move | undefined | null} move @returns {string[]} */
export function taken(move) {
  return (move?.events ?? []).flatMap((event) => (event.do === "take" ? event.at : []));
}

/**
 * The drawing of a view, without anything to click on.
 * @param {View} view
 * @param {Marks} [marks]
 */
export function draw(view, marks = {}) {
  const drawing = drawingOf(view);
  if (!drawing) return null;
  const layout = drawing.layout(view, marks.flip ?? false);
  return frame(view, layout, { role: "img", "aria-label": inWords(view).join(" ") }, layers(view, drawing, layout, marks));
}

/** The same as text, for a file: `style` is put into it. @param {View} view @param {Marks} [marks] @param {string} [style] */
export function drawText(view, marks = {}, style = "") {
  const node = draw(view, marks);
  if (!node) return "";
  if (style) node.children.unshift(h("style", {}, style));
  node.attrs.xmlns = "http://www.w3.org/2000/svg";
  return toText(node);
}

/** The position in sentences. @param {View} view */
export function inWords(view) {
  return [`${view.title}.`, ...(drawingOf(view)?.words(view) ?? []), scoresInWords(view), statusInWords(view)];
}

/** @param {View} view @param {Layout} layout @param {Record<string, string>} attrs @param {...import("./svg.js").Maybe} inside */
export function frame(view, layout, attrs, ...inside) {
  return h("svg", { class: `fg-svg fg-svg-${view.board}`, viewBox: `0 0 ${Math.ceil(layout.width)} ${Math.ceil(layout.height)}`, ...attrs }, ...inside);
}

/**
 * The layers of a drawing, lowest first. Each is a group of its own, so that a live page changes only what is new.
 * @param {View} view @param {Drawing} drawing @param {Layout} layout @param {Marks} marks
 */
export function layers(view, drawing, layout, marks) {
  const places = [...layout.places.values()];
  const spot = drawing.spot ?? ((place, kind) => h("circle", { class: kind, cx: place.x, cy: place.y, r: place.r * 1.04 }));
  const at = (/** @type {string[] | undefined} */ names) =>
    (names ?? []).flatMap((name) => layout.places.get(name) ?? []);
  return [
    h("g", { class: "fg-layer-surface" }, drawing.surface(view, layout)),
    h("g", { class: "fg-layer-last" }, at(marks.last).map((place) => spot(place, "fg-last")),
      at(marks.taken).map((place) => spot(place, "fg-last-taken"))),
    h("g", { class: "fg-layer-chosen" }, at(marks.chosen).map((place) => spot(place, "fg-chosen"))),
    h("g", { class: "fg-layer-pieces" }, places.map((place) =>
      h("g", { class: "fg-stand", "data-place": place.name }, drawing.piece(view, layout, place)))),
    h("g", { class: "fg-layer-above" }, drawing.above?.(view, layout)),
    h("g", { class: "fg-layer-targets" }, targets(view, drawing, layout, marks)),
    h("g", { class: "fg-layer-preview" }, marks.preview && preview(marks.preview, layout)),
    h("g", { class: "fg-layer-arrows" }, (marks.arrows ?? []).map((arrow) => arrowOf(arrow, layout))),
  ];
}

/** @param {View} view @param {Drawing} drawing @param {Layout} layout @param {Marks} marks */
function targets(view, drawing, layout, marks) {
  const found = [...(marks.targets?.keys() ?? [])].flatMap((name) => layout.places.get(name) ?? []);
  const crowd = found.length > 40 ? " fg-crowd" : "";
  return found.map((place) => {
    const occupied = drawing.content(view, place.name) !== "" && !(place.name === view.finish);
    return occupied
      ? h("circle", { class: `fg-target fg-target-piece${crowd}`, cx: place.x, cy: place.y, r: place.r * 0.9 })
      : h("circle", { class: `fg-target fg-target-empty${crowd}`, cx: place.x, cy: place.y, r: Math.min(place.r * 0.3, 14) });
  });
}

/** What a move would do. @param {Move} move @param {Layout} layout */
function preview(move, layout) {
  const at = (/** @type {string} */ name) => layout.places.get(name);
  return (move.events ?? []).flatMap((event) => {
    if (event.do === "slide") {
      const stops = event.path.flatMap((name) => at(name) ?? []);
      return [h("path", { class: "fg-trail", d: stops.map((place, i) => `${i ? "L" : "M"}${place.x} ${place.y}`).join("") })];
    }
    if (event.do === "sow") {
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const name of event.path) counts.set(name, (counts.get(name) ?? 0) + 1);
      return [...counts].flatMap(([name, n]) => {
        const place = at(name);
        return place ? [plus(`+${n}`, place)] : [];
      });
    }
    const names = event.do === "flip" || event.do === "take" ? event.at : [];
    return names.flatMap((name) => {
      const place = at(name);
      if (!place) return [];
      if (event.do === "flip") return [h("circle", { class: "fg-flips", cx: place.x, cy: place.y, r: place.r * 0.66 })];
      return [h("g", { class: "fg-taken" }, h("circle", { cx: place.x, cy: place.y, r: place.r * 0.5 }),
        h("path", { d: cross(place.x, place.y, place.r * 0.2) }))];
    });
  });
}

/** @param {string} text @param {Place} place */
function plus(text, place) {
  const [x, y] = [place.x, place.y];
  return h("g", { class: "fg-plus" }, h("circle", { cx: x, cy: y, r: 22 }), h("text", { x, y: y + 8 }, text));
}

/** @param {{from: string, to: string, weight?: number}} arrow @param {Layout} layout */
function arrowOf(arrow, layout) {
  const [from, to] = [layout.places.get(arrow.from), layout.places.get(arrow.to)];
  if (!to) return null;
  const weight = arrow.weight ?? 1;
  if (!from || from === to) return h("circle", { class: "fg-arrow-spot", cx: to.x, cy: to.y, r: to.r * 0.8, opacity: 0.35 + 0.5 * weight });
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const width = 9 + 9 * weight;
  const [sx, sy] = [from.x + ux * from.r * 0.5, from.y + uy * from.r * 0.5];
  const [ex, ey] = [to.x - ux * width * 1.4, to.y - uy * width * 1.4];
  const head = [[to.x, to.y], [ex - uy * width * 1.5, ey + ux * width * 1.5], [ex + uy * width * 1.5, ey - ux * width * 1.5]];
  return h("g", { class: "fg-arrow", opacity: 0.35 + 0.5 * weight },
    h("path", { class: "fg-arrow-shaft", d: `M${sx.toFixed(1)} ${sy.toFixed(1)}L${ex.toFixed(1)} ${ey.toFixed(1)}`, "stroke-width": width }),
    h("path", { class: "fg-arrow-head", d: `M${head.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z` }));
}
