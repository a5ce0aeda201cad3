// A new game: opponent, side, clock, options. Everything has a default: one click starts.

import { capital } from "../boards/words.js";
import { el } from "./dom.js";
import { thumbnail } from "./home.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */

const CLOCKS = [
  { label: "No clock", value: null }, { label: "3 + 2", value: [180, 2] },
  { label: "10 + 5", value: [600, 5] }, { label: "30 + 10", value: [1800, 10] },
];

/**
 * A row of buttons of which one is chosen.
 * @param {string} legend @param {string} name @param {[string, string | Node][]} picks value and label @param {string} chosen
 * @param {(value: string) => void} [changed]
 */
function row(legend, name, picks, chosen, changed = () => undefined) {
  return el("fieldset", {}, el("legend", {}, legend), el("div", { class: "picks" }, picks.map(([value, label]) =>
    el("label", { class: "pick" },
      el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => changed(value) }), el("span", {}, label)))));
}

/**
 * @param {HTMLElement} host
 * @param {GameInfo} game
 * @param {(wish: {game: string, options: Record<string, any>, sides: [string, string], clock: number[] | null}) => void} start
 */
export function showSetup(host, game, start) {
  document.title = `${game.title} – Forgeron`;
  const select = (/** @type {string} */ name, /** @type {string} */ label) => el("label", {}, `${label} `,
    el("select", { name }, game.levels.map((one) => el("option", { value: one, selected: one === game.levels[game.levels.length - 1] },
      game.ratings[one] ? `${capital(one)} (${game.ratings[one].elo})` : capital(one)))));
  const watch = el("div", { class: "versus", hidden: true }, select("watch0", capital(game.seats[0])), select("watch1", capital(game.seats[1])));
  const rated = Object.keys(game.ratings).length > 0;
  const sides = row("You play", "side", [["0", seatLabel(game, 0)], ["1", seatLabel(game, 1)], ["random", "Either"]], "0");
  const opponents = row("Opponent", "opponent", [
    ...game.levels.map((one) => /** @type {[string, string | Node]} */ ([one, levelLabel(game, one)])),
    ["friend", "A friend, by link"], ["both", "Two people here"], ["watch", "Watch two players"],
  ], game.default_level, (value) => {
    watch.hidden = value !== "watch";
    sides.hidden = value === "both" || value === "watch";
  });
  const form = el("form", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    start(wishOf(game, new FormData(form)));
  } },
  opponents, ...(rated ? [el("p", { class: "note muted" }, "The number beside a level is its Elo, measured in matches; 200 points more win three games of four.")] : []), watch, sides,
  row("Clock, minutes + seconds a move", "clock", CLOCKS.map((one, i) => [String(i), one.label]), "0"),
  options(game),
  el("div", { class: "actions" }, el("button", { class: "primary" }, "Play"),
    el("a", { class: "button", href: `#/analyse/${encodeURIComponent(game.name)}` }, "Analyse"),
    el("a", { class: "button", href: `#/understand/${encodeURIComponent(game.name)}` }, "Inside a search")));
  host.replaceChildren(
    el("h1", {}, game.title),
    el("div", { class: "setup" },
      el("div", { class: "about" }, el("div", { class: "stage" }, thumbnail(game.view)), rulesCard(game, true)), form));
  /** @type {HTMLElement | null} */ (form.querySelector("button.primary"))?.focus();
}

/** What a side is called, and when it moves. @param {GameInfo} game @param {0 | 1} seat */
function seatLabel(game, seat) {
  const order = ["first", "second"][seat];
  return game.seats[seat] === order ? capital(order) : `${capital(game.seats[seat])}, ${order}`;
}

/** The name of a level, and what it is worth where that was measured. @param {GameInfo} game @param {string} name */
export function levelLabel(game, name) {
  const rating = game.ratings[name];
  return rating ? el("span", { class: "level" }, capital(name), el("small", { title: `Elo ${rating.elo} ± ${rating.error}; the first level is 0` }, rating.floor ? `${rating.elo}+` : String(rating.elo))) : capital(name);
}

/** @param {GameInfo} game @param {boolean} [open] */
export function rulesCard(game, open = false) {
  return el("details", { class: "rules", open }, el("summary", {}, `How ${game.title} is played`), game.rules.map((text) => el("p", {}, text)),
    el("p", {}, el("a", { class: "button", href: `#/learn/${encodeURIComponent(game.name)}` }, "Try it: a one-minute example")));
}

/** @param {GameInfo} game */
function options(game) {
  if (!game.options.length) return null;
  const fields = game.options.map((option) => el("label", {}, el("span", {}, option.name, " ", el("small", {}, option.help)),
    option.allowed.length && option.allowed.length <= 70
      ? el("select", { name: `option.${option.name}` }, option.allowed.map((/** @type {any} */ value) =>
        el("option", { value: JSON.stringify(value), selected: value === option.default }, String(value))))
      : el("input", { type: "number", name: `option.${option.name}`, value: option.default, min: option.allowed[0], max: option.allowed[option.allowed.length - 1] })));
  const presets = Object.entries(game.presets);
  const preset = presets.length ? el("label", {}, el("span", {}, "preset ", el("small", {}, "options that go together")),
    el("select", { onchange: (/** @type {Event} */ event) => {
      const chosen = game.presets[/** @type {HTMLSelectElement} */ (event.target).value] ?? {};
      for (const [name, value] of Object.entries(chosen)) {
        const field = /** @type {HTMLSelectElement | null} */ (document.querySelector(`[name="option.${CSS.escape(name)}"]`));
        if (field) field.value = JSON.stringify(value);
      }
    } }, el("option", { value: "" }, "–"), presets.map(([name]) => el("option", { value: name }, name)))) : null;
  return el("details", {}, el("summary", {}, "Options of the game"), el("div", { class: "options" }, preset, fields));
}

/** @param {GameInfo} game @param {FormData} data */
function wishOf(game, data) {
  const opponent = String(data.get("opponent"));
  const side = data.get("side") === "random" ? Math.floor(Math.random() * 2) : Number(data.get("side"));
  /** @type {[string, string]} */
  let sides;
  if (opponent === "both") sides = ["person", "person"];
  else if (opponent === "watch") sides = [String(data.get("watch0")), String(data.get("watch1"))];
  else {
    const other = opponent === "friend" ? "open" : opponent;
    sides = side === 0 ? ["person", other] : [other, "person"];
  }
  /** @type {Record<string, any>} */
  const chosen = {};
  for (const option of game.options) {
    const value = data.get(`option.${option.name}`);
    if (value !== null) chosen[option.name] = JSON.parse(String(value));
  }
  return { game: game.name, options: chosen, sides, clock: CLOCKS[Number(data.get("clock"))].value };
}
