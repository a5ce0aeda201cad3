// The tables of an event: standings with error bars, everybody against everybody, and the games of two.

import { h, toElement } from "../boards/svg.js";
import { el } from "./dom.js";

/** @param {number} value */
const half = (value) => (value % 1 ? `${Math.floor(value) || ""}½` : String(value));
/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

/** Elo with its 95 % interval as a bar. @param {{value: number, low: number, high: number}} elo @param {[number, number]} range */
function bar(elo, range) {
  const x = (/** @type {number} */ value) => 4 + 112 * ((value - range[0]) / Math.max(range[1] - range[0], 1));
  return toElement(h("svg", { viewBox: "0 0 120 20", class: "errorbar", "aria-hidden": "true" },
    range[0] < 0 && range[1] > 0 && h("path", { class: "zero", d: `M${x(0)} 1V19` }),
    h("path", { class: "interval", d: `M${x(elo.low)} 10H${x(elo.high)}M${x(elo.low)} 5V15M${x(elo.high)} 5V15` }),
    h("circle", { cx: x(elo.value), cy: 10, r: 4 })));
}

/** @param {any} state */
export function standings(state) {
  const rows = state.standings;
  if (!rows.length) return null;
  const known = rows.map((/** @type {any} */ row) => row.elo).filter((/** @type {any} */ elo) => elo?.low !== null && elo?.high !== null);
  /** @type {[number, number]} */
  const range = [Math.min(0, ...known.map((/** @type {any} */ elo) => elo.low)), Math.max(0, ...known.map((/** @type {any} */ elo) => elo.high))];
  return el("section", {}, el("h2", {}, "Standings"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Standings" },
    el("table", { class: "results" },
      el("thead", {}, el("tr", {}, ["", "Player", "Points", "Games", "Elo ± 95 %", ""].map((text) => (text ? el("th", { scope: "col" }, text) : el("td", {}))))),
      el("tbody", {}, rows.map((/** @type {any} */ row) => el("tr", {},
        el("td", { class: "muted" }, row.place), el("th", { scope: "row" }, row.name), el("td", {}, el("b", {}, half(row.points))), el("td", {}, row.games),
        el("td", { class: "nowrap" }, row.games ? signed(Math.round(row.elo.value)) : "–", " ", row.games ? el("span", { class: "muted" }, `± ${Math.round((row.elo.high - row.elo.low) / 2)}`) : null),
        el("td", {}, row.games ? bar(row.elo, range) : null)))))));
}

/**
 * @param {any} state
 * @param {[string, string] | null} chosen
 * @param {(pair: [string, string]) => void} choose
 */
export function crosstable(state, chosen, choose) {
  const names = state.standings.map((/** @type {any} */ row) => row.name);
  if (!names.length || !state.played) return null;
  const cell = (/** @type {string} */ name, /** @type {string} */ other) => {
    const score = state.cross[name]?.[other];
    if (name === other || !score) return el("td", { class: "own" });
    const [wins, draws, losses] = score.counts;
    const [value, low, high] = score.score ?? [0.5, 0, 1];
    const label = `${name} against ${other}: ${wins} won, ${draws} drawn, ${losses} lost, ${Math.round(100 * value)} %. Show the games`;
    return el("td", { class: value > 0.5 ? "ahead" : value < 0.5 ? "behind" : null },
      el("button", { type: "button", class: "cell", "data-pair": `${name}\n${other}`, "aria-label": label,
        "aria-pressed": chosen?.[0] === name && chosen?.[1] === other ? "true" : "false", onclick: () => choose([name, other]) },
      el("b", {}, half(score.points)), el("small", {}, `${wins}·${draws}·${losses}`),
      toElement(h("svg", { viewBox: "0 0 100 8", class: "share", "aria-hidden": "true" },
        h("path", { class: "zero", d: "M50 0V8" }), h("path", { class: "interval", d: `M${100 * low} 4H${100 * high}` }), h("circle", { cx: 100 * value, cy: 4, r: 3.4 })))));
  };
  return el("section", {}, el("h2", {}, "Crosstable"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Crosstable" },
    el("table", { class: "results cross" },
      el("thead", {}, el("tr", {}, el("td", {}), names.map((/** @type {string} */ name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, names.map((/** @type {string} */ name) => el("tr", {}, el("th", { scope: "row" }, name), names.map((/** @type {string} */ other) => cell(name, other))))))),
  el("p", { class: "note muted" }, "Points of the row against the column; won · drawn · lost; the share of the points with its 95 % interval. Choose a cell for its games."));
}

/** @param {string} id @param {[string, string]} pair @param {any[]} games */
export function gameList(id, pair, games) {
  const result = (/** @type {any} */ game) => ["0 – 1", "½ – ½", "1 – 0"][2 * game.points[0]];
  return el("section", {}, el("h2", {}, `${pair[0]} – ${pair[1]}`),
    games.length ? el("ul", { class: "recent games" }, games.map((game) => el("li", {}, el("a", { href: `#/replay/${id}/${encodeURIComponent(game.id)}` },
      el("span", { class: "grow" }, `${game.number}. ${game.names[0]} – ${game.names[1]}`),
      el("b", {}, result(game)), el("span", { class: "muted" }, `${game.scores[0]} : ${game.scores[1]}, ${game.reason}, ${game.plies} plies`)))))
      : el("p", { class: "muted" }, "They have not met yet."));
}
