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

/** What the first page says, for playing and for the pages that begin with a game, too. @type {Record<string, {title: string, about: string}>} */
const PAGES = {
  new: { title: "Choose a game", about: "" },
  learn: { title: "Learn a game", about: "The rules, and a one-minute example to play through on the board." },
  analyse: { title: "Analyse a game", about: "Make the moves of both sides, or paste a game: the best lines, and what each move gives away." },
  understand: { title: "Inside a search", about: "See alpha-beta, expectimax and Monte Carlo tree search at work, one step after the other." },
};

/** @param {HTMLElement} host @param {GameInfo[]} games @param {any[]} recent @param {string} [page] where a game leads to */
export function showHome(host, games, recent, page = "new") {
  const { title, about } = PAGES[page];
  document.title = page === "new" ? "Forgeron" : `${title} – Forgeron`;
  const titles = new Map(games.map((game) => [game.name, game.title]));
  host.replaceChildren(
    el("h1", {}, title),
    ...(about ? [el("p", { class: "about-page muted" }, about)] : []),
    el("ul", { class: "cards" }, games.map((game) => el("li", { class: "card" },
      el("a", { href: `#/${page}/${encodeURIComponent(game.name)}` },
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
