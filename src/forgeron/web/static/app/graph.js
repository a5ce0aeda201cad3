// The course of a game: what the first player could expect after each ply. A click leads there.

import { h, toElement } from "../boards/svg.js";

const [WIDTH, HEIGHT] = [600, 130];

/**
 * @param {(number | null)[]} course @param {Map<number, string>} marks the marked moves by their ply
 * @param {number | null} shown the ply that is on the board @param {(ply: number) => void} jump
 * @param {[string, string]} seats @param {number[] | null} [luck] the course by luck alone
 */
export function graph(course, marks, shown, jump, seats, luck = null) {
  const last = Math.max(course.length - 1, 1);
  const x = (/** @type {number} */ ply) => (ply / last) * WIDTH;
  const y = (/** @type {number} */ value) => HEIGHT * (1 - Math.min(Math.max(value, 0), 1));
  const points = course.flatMap((value, ply) => (value === null ? [] : [`${x(ply).toFixed(1)} ${y(value).toFixed(1)}`]));
  const svg = /** @type {SVGSVGElement} */ (toElement(h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "graph", role: "img",
    "aria-label": `Win probability of ${seats[0]} after each move` },
  h("path", { class: "graph-area", d: points.length ? `M0 ${HEIGHT}L${points.join("L")}L${x(course.length - 1)} ${HEIGHT}Z` : "" }),
  h("path", { class: "graph-even", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
  h("path", { class: "graph-line", d: points.length ? `M${points.join("L")}` : "" }),
  luck && h("path", { class: "graph-luck", d: `M${luck.map((value, ply) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}` }),
  shown !== null && h("path", { class: "graph-now", d: `M${x(shown)} 0V${HEIGHT}` }),
  [...marks].map(([ply, mark]) => {
    const value = course[ply];
    return value === null || value === undefined ? null
      : h("path", { class: `graph-mark ${mark === "?!" ? "slight" : mark === "?" ? "bad" : "worst"}`, d: `M${x(ply)} ${y(value)}h0.01` });
  }))));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = /** @type {MouseEvent} */ (event).clientX - box.left;
    jump(Math.round((at / box.width) * last));
  });
  return svg;
}
