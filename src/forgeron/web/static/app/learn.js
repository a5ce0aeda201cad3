// A game in a minute: its rules card, and an example to play through on a real board.

import { Board } from "../boards/board.js";
import { capital } from "../boards/words.js";
import { el } from "./dom.js";
import { settings } from "./settings.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */
/** @typedef {import("./socket.js").Socket} Socket */
/** @typedef {import("../boards/types.js").View} View */
/** @typedef {{ask: string, moves: string[], told: string, position: string, reply: string[]}} Lesson */

const REPLY_MS = 500;

/** For a game whose author wrote no example: two moves, to see how moves are made. @param {GameInfo} game @returns {Lesson[]} */
function anyLessons(game) {
  const lesson = (/** @type {string} */ ask, /** @type {string} */ told) => ({ ask, told, moves: [], position: "", reply: [] });
  return [
    lesson(`${capital(game.seats[0])} begins. What can be moved is marked: choose a move.`, "That was a move."),
    lesson("Now the other side.", "So it goes on, in turn, until the game is over."),
  ];
}

export class Learn {
  /** @param {HTMLElement} host @param {Socket} socket @param {GameInfo} info @param {string} id */
  constructor(host, socket, info, id) {
    this.socket = socket;
    this.info = info;
    this.id = id;
    this.lessons = info.lessons.length ? info.lessons : anyLessons(info);
    this.at = 0;
    this.done = false;
    this.number = 0;
    /** @type {string | null} where the lesson shown has come to */
    this.position = null;
    /** @type {(string | null)[]} where each lesson begins, as far as it is known */
    this.starts = this.lessons.map((lesson) => lesson.position || null);
    this.stage = el("div", { class: "stage" });
    this.progress = el("ol", { class: "dots-row", "aria-label": "Steps of the example" });
    this.said = el("p", { class: "said lesson", role: "status" });
    this.actions = el("div", { class: "actions" });
    document.title = `How ${info.title} is played – Forgeron`;
    host.replaceChildren(
      el("div", { class: "play learn" }, this.stage,
        el("div", { class: "side" }, el("h1", {}, `${info.title} in a minute`), this.progress, this.said, this.actions,
          el("details", { class: "rules", open: true }, el("summary", {}, "The rules"), info.rules.map((text) => el("p", {}, text))))));
    this.board = new Board(this.stage, { onMove: (move) => this.#play(move.move), mayMove: () => !this.done, motion: settings.motion });
    this.#begin(0);
  }

  close() {
    this.number += 1;
  }

  refresh() {
    this.board.options.motion = settings.motion;
  }

  /** @param {any} message */
  hear(message) {
    if (message.event === "refused") this.said.textContent = capital(message.text);
  }

  /** @param {string | null} position @param {string | null} move */
  #look(position, move) {
    const options = Object.fromEntries(this.info.options.map((option) => [option.name, option.default]));
    return this.socket.ask({ do: "look", game: this.info.name, options, position, move });
  }

  /** @param {number} at */
  async #begin(at) {
    const number = this.number += 1;
    const lesson = this.lessons[at];
    this.at = at;
    this.done = false;
    try {
      const { view } = await this.#look(this.starts[at], null);
      if (number !== this.number) return;
      this.position = view.position;
      this.board.view = null;
      await this.board.show({ ...view, moves: lesson.moves.length ? view.moves.filter((/** @type {any} */ move) => lesson.moves.includes(move.move)) : view.moves });
      this.#panel();
    } catch (error) {
      this.said.textContent = capital(/** @type {Error} */ (error).message);
    }
  }

  /** The learner has made the move; what it shows is told, and the opponent may answer. @param {string} move */
  async #play(move) {
    const number = this.number += 1;
    try {
      let answer = await this.#look(this.position, move);
      const still = () => number === this.number;
      if (!still()) return;
      this.done = true;
      await this.#show(answer);
      this.#panel();
      const next = /** @type {HTMLElement | null} */ (this.actions.querySelector(".primary"));
      next?.focus({ preventScroll: true });
      for (const reply of this.lessons[this.at].reply) {
        answer = await this.#look(this.position, reply);
        if (!still()) return;
        if (settings.motion) await new Promise((resolve) => setTimeout(resolve, REPLY_MS));
        if (!still()) return;
        await this.#show(answer);
      }
    } catch (error) {
      this.said.textContent = capital(/** @type {Error} */ (error).message);
    }
  }

  /** @param {any} answer */
  async #show(answer) {
    this.position = answer.view.position;
    const next = this.lessons[this.at + 1];
    if (next && !next.position) this.starts[this.at + 1] = this.position;
    await this.board.show({ ...answer.view, moves: [] }, { step: answer.step });
  }

  #panel() {
    const lesson = this.lessons[this.at];
    const last = this.at === this.lessons.length - 1;
    this.progress.replaceChildren(...this.lessons.map((_, i) => el("li", {
      class: i < this.at || (i === this.at && this.done) ? "past" : i === this.at ? "now" : null, "aria-current": i === this.at ? "step" : null },
    el("span", { class: "say" }, `Step ${i + 1}`))));
    this.said.replaceChildren(this.done ? el("span", {}, lesson.told) : el("b", {}, lesson.ask));
    const game = encodeURIComponent(this.info.name);
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, kind = "") => el("button", { type: "button", class: kind, onclick: act }, text);
    this.actions.replaceChildren(...[
      this.done && !last && button("Next", () => this.#begin(this.at + 1), "primary"),
      this.done && last && el("a", { class: "button primary", href: `#/new/${game}` }, "Play a game"),
      (this.done || this.at > 0) && button("Once more", () => this.#begin(this.at)),
      this.at > 0 && button("Back", () => this.#begin(this.at - 1), "quiet"),
      !this.done && !last && button("Skip", () => this.#begin(this.at + 1), "quiet"),
      !(this.done && last) && el("a", { class: "button quiet", href: `#/new/${game}` }, "Play a game"),
    ].filter((one) => one instanceof globalThis.Node));
  }
}
