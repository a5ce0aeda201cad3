// Matches and tournaments: those that are there, and starting another one.

import { capital } from "../boards/words.js";
import { el } from "./dom.js";
import { levelLabel } from "./setup.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */

/** @type {Record<string, string>} */
const TIMES = { "0.1": "0.1 s a move", "0.5": "0.5 s a move", 2: "2 s a move", "200n": "200 nodes a move", "5000n": "5,000 nodes a move", "100000n": "100,000 nodes a move" };
const GAMES = [2, 10, 20, 50, 100, 200, 500];

/** A time control in words. @param {string} time */
export const timeInWords = (time) => TIMES[time] ?? time;

/**
 * @param {HTMLElement} host
 * @param {GameInfo[]} games
 * @param {any[]} events
 * @param {string[]} times
 * @param {(wish: Record<string, any>) => Promise<void>} start
 */
export function showWatch(host, games, events, times, start) {
  document.title = "Watch – Forgeron";
  host.replaceChildren(
    el("h1", {}, "Matches and tournaments"),
    el("div", { class: "setup" },
      el("div", {}, events.length ? el("ul", { class: "recent" }, events.map((one) => el("li", {}, card(one, games))))
        : el("p", { class: "muted" }, "Nothing has been played yet. Start a match here, or watch one that a terminal plays: ",
          el("code", {}, "forgeron serve --watch matches"))),
      startForm(games, times, start)));
}

/** @param {any} one @param {GameInfo[]} games */
function card(one, games) {
  const title = games.find((game) => game.name === one.game)?.title ?? one.game ?? "";
  const state = one.problem ? one.problem : !one.kind ? "not begun yet" : one.finished ? `${one.played} games, finished`
    : `${one.played} of ${one.total} games${one.running ? ", running" : ""}`;
  return el("a", { href: `#/watch/${one.id}` },
    el("span", { class: "grow" }, one.title.includes(title) ? one.title : `${title}: ${one.title}`),
    el("span", { class: "muted" }, state),
    el("progress", { max: Math.max(one.total, 1), value: one.played, "aria-label": "Games played" }));
}

/** @param {GameInfo[]} games @param {string[]} times @param {(wish: Record<string, any>) => Promise<void>} start */
function startForm(games, times, start) {
  const players = el("div", { class: "picks" });
  const said = el("p", { class: "note", role: "status" });
  const game = el("select", { name: "game", onchange: () => offer() }, games.map((one) => el("option", { value: one.name }, one.title)));
  const offer = () => {
    const info = /** @type {GameInfo} */ (games.find((one) => one.name === game.value));
    const level = (/** @type {string} */ name) => levelLabel(info, name);
    players.replaceChildren(...[...info.levels, ...info.players.filter((name) => !info.levels.includes(name))].map((name) =>
      el("label", { class: "pick" }, el("input", { type: "checkbox", name: "player", value: name, checked: ["novice", "casual"].includes(name) }),
        el("span", {}, info.levels.includes(name) ? level(name) : name))));
  };
  offer();
  const form = el("form", { class: "start", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const data = new FormData(form);
    const chosen = data.getAll("player").map(String);
    said.textContent = chosen.length < 2 ? "Choose two players or more." : "";
    if (chosen.length < 2) return;
    try {
      await start({ game: game.value, options: {}, players: chosen, games: Number(data.get("games")), time: String(data.get("time")), pace: data.get("pace") === "on" });
    } catch (error) {
      said.textContent = capital(/** @type {Error} */ (error).message);
    }
  } },
  el("h2", {}, "Start a match"),
  el("label", { class: "field" }, "Game", game),
  el("fieldset", {}, el("legend", {}, "Players"), players),
  el("p", { class: "note muted" }, "Two play a match, more a round robin. Levels think as much as on the page; the time below is for the other players."),
  el("div", { class: "versus" },
    el("label", { class: "field" }, "Games per pairing", el("select", { name: "games" }, GAMES.map((n) => el("option", { selected: n === 10 }, String(n))))),
    el("label", { class: "field" }, "Time for the other players", el("select", { name: "time" }, times.map((one) => el("option", { value: one }, timeInWords(one)))))),
  el("label", { class: "check" }, el("input", { type: "checkbox", name: "pace", checked: true }), " Slow enough to follow while somebody watches"),
  said,
  el("div", { class: "actions" }, el("button", { class: "primary" }, "Start")));
  return form;
}
