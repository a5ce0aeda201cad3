// The first page: which game?

import { draw } from "../boards/draw.js";
import { toElement } from "../boards/svg.js";
import { capital } from "../boards/words.js";
import { el } from "./dom.js";

/** @typedef {{name: string, title: string, summary: string, rules: string[], lessons: import("./learn.js").Lesson[], seats: [string, string], options: any[], presets: Record<string, Record<string, any>>, levels: string[], default_level: string, ratings: Record<string, {elo: number, error: number, floor: boolean}>, players: string[], composes: boolean, searches: Record<string, {ideas: import("./ideas.js").Idea[], depth: number, deepest: number}>, view: import("../boards/types.js").View}} GameInfo */

/** A small picture of a board. @param {import("../boards/types.js").View} view @returns {Node} */
export function thumbnail(view) {
  const node = draw(view);
  if (!node) return el("pre", {}, view.drawing);
  node.attrs["aria-hidden"] = "true";
  delete node.attrs["aria-label"];
  delete node.attrs.role;
  return toElement(node);
}

/** @param {HTMLElement} host @param {GameInfo[]} games @param {any[]} recent */
export function showHome(host, games, recent) {
  document.title = "Forgeron";
  const titles = new Map(games.map((game) => [game.name, game.title]));
  host.replaceChildren(
    el("h1", {}, "Choose a game"),
    el("ul", { class: "cards" }, games.map((game) => el("li", { class: "card" },
      el("a", { href: `#/new/${encodeURIComponent(game.name)}` },
        el("div", { class: "thumb" }, thumbnail(game.view)),
        el("h2", {}, game.title),
        el("p", {}, game.summary))))),
    ...(recent.length ? [el("h2", {}, "Your games"),
      el("ul", { class: "recent" }, recent.map((one) => el("li", {},
        el("a", { href: `#/game/${one.id}` },
          el("span", { class: "grow" }, `${titles.get(one.game) ?? one.game}: ${one.sides.map(capital).join(" – ")}`),
          el("span", { class: "muted" }, one.result ? resultInWords(one.result, titles, one) : `${one.plies} moves, in progress`)))))] : []));
}

/** @param {any} result @param {Map<string, string>} titles @param {any} one */
function resultInWords(result, titles, one) {
  const who = result.winner === null ? "draw" : `${one.sides[result.winner]} won`;
  return `${who}, ${result.scores[0]} : ${result.scores[1]}`;
}
