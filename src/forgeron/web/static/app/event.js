// One match or tournament: its boards as they are played, its standings, and the games of any two.

import { Board } from "../boards/board.js";
import { disc } from "../boards/pieces.js";
import { h, toElement } from "../boards/svg.js";
import { capital } from "../boards/words.js";
import { crosstable, gameList, standings } from "./crosstable.js";
import { el } from "./dom.js";
import { settings } from "./settings.js";
import { timeInWords } from "./watch.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */
/** @typedef {import("./socket.js").Socket} Socket */

/** A game that is being played. */
class LiveBoard {
  constructor() {
    this.stage = el("div", { class: "stage" });
    this.seats = [el("div", { class: "seat" }), el("div", { class: "seat" })];
    this.plain = el("p", { class: "muted" });
    this.said = el("p", { class: "note muted", role: "status" });
    this.logs = el("div", { class: "logs" });
    this.element = el("section", { class: "live-board" }, this.seats[1], this.stage, this.plain, this.seats[0], this.said, this.logs);
    this.board = new Board(this.stage, { motion: settings.motion });
    /** @type {any} */
    this.data = null;
    this.received = 0;
  }

  /** @param {any} data */
  async show(data) {
    const before = this.data;
    this.data = data;
    this.received = performance.now();
    this.element.setAttribute("aria-label", `${data.names[0]} against ${data.names[1]}`);
    this.stage.hidden = !data.view;
    this.plain.hidden = Boolean(data.view);
    this.plain.textContent = data.view ? "" : data.moves.map((/** @type {[number, string]} */ [, move]) => move).join(" ");
    this.#seat(0);
    this.#seat(1);
    this.#logs();
    const last = data.step ? `${data.ply}. ${data.names[data.step.seat] ?? ""}: ${data.step.text ?? data.step.move}.` : "";
    const end = data.result && (data.result.winner === null ? "Draw" : `${data.names[data.result.winner]} wins`);
    this.said.textContent = end ? `${end}, ${data.result.scores[0]} : ${data.result.scores[1]}${data.result.detail ? `: ${data.result.detail}` : ""}.` : last;
    if (!data.view) return;
    this.stage.classList.toggle("wide", data.view.board === "pits");
    if (!before || data.ply !== before.ply + 1) this.board.view = null;
    await this.board.show(data.view, { step: data.step, say: false });
  }

  /** @param {number} seat */
  #seat(seat) {
    const { data } = this;
    const said = data.said[seat] ?? {};
    const facts = [
      said.v !== undefined && `${Math.round(100 * said.v)} %`, said.d !== undefined && `depth ${said.d}`,
      said.n !== undefined && `${said.n.toLocaleString("en")} nodes`, said.t !== undefined && `${said.t.toFixed(said.t < 1 ? 3 : 1)} s`,
    ].filter(Boolean).join(" · ");
    const line = said.info || (said.line?.length ? said.line.slice(0, 6).join("  ") : "");
    this.seats[seat].classList.toggle("turn", data.seat === seat);
    this.seats[seat].replaceChildren(
      ...(data.view ? [toElement(h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, disc(data.view, seat, 50, 48, 42)))] : []),
      el("div", { class: "who" }, el("b", {}, data.names[seat]), el("span", { class: "muted facts" }, facts || "\u00a0"), el("span", { class: "muted info", title: line }, line || "\u00a0")),
      el("span", { class: "clock", "data-seat": seat }),
      ...(data.view ? [el("span", { class: "score", "aria-label": `${data.view.scores[seat]} ${data.view.unit?.[1] ?? "points"}` }, String(data.view.scores[seat]))] : []));
    this.tick();
  }

  #logs() {
    const open = new Set([...this.logs.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-seat")));
    this.logs.replaceChildren(...[0, 1].flatMap((seat) => (this.data.logs[seat].trim() ? [
      el("details", { "data-seat": seat, open: open.has(String(seat)) }, el("summary", {}, `What ${this.data.names[seat]} wrote to its standard error`),
        el("pre", { tabindex: 0 }, this.data.logs[seat]))] : [])));
  }

  tick() {
    const { data } = this;
    for (const seat of [0, 1]) {
      const shown = this.seats[seat].querySelector(".clock");
      if (!shown) continue;
      const gone = data.seat === seat ? data.elapsed + (performance.now() - this.received) / 1000 : 0;
      const left = data.left && Math.max(data.left[seat] - gone, 0);
      shown.textContent = left !== null && data.left ? `${Math.floor(left / 60)}:${String(Math.floor(left) % 60).padStart(2, "0")}`
        : data.seat === seat ? `${gone.toFixed(0)} s` : "";
    }
  }
}

export class EventPage {
  /** @param {HTMLElement} host @param {Socket} socket @param {GameInfo[]} games @param {string} id */
  constructor(host, socket, games, id) {
    this.socket = socket;
    this.games = games;
    this.id = id;
    /** @type {any} */
    this.state = null;
    /** @type {[string, string] | null} whose games are listed */
    this.pair = null;
    this.listed = -1;
    /** @type {Map<string, LiveBoard>} */
    this.boards = new Map();
    this.title = el("h1", {}, "Event");
    this.facts = el("p", { class: "muted event-facts" });
    this.progress = el("progress", { max: 1, value: 0, "aria-label": "Games played" });
    this.note = el("p", { class: "note", role: "status" });
    this.actions = el("div", { class: "actions" });
    this.stage = el("div", { class: "boards" });
    this.tables = el("div", { class: "tables" });
    this.list = el("div", {});
    host.replaceChildren(this.title, this.facts, this.progress, this.note, this.actions,
      el("div", { class: "event" }, this.stage, el("div", { class: "side" }, this.tables, this.list)));
    this.ticking = setInterval(() => this.boards.forEach((board) => board.tick()), 500);
  }

  close() {
    clearInterval(this.ticking);
    this.socket.send({ do: "leave" });
  }

  refresh() {
    this.boards.forEach((board) => { board.board.options.motion = settings.motion; });
  }

  /** @param {any} message */
  hear(message) {
    if (message.event === "refused") this.note.textContent = capital(message.text);
    if (message.id !== this.id) return;
    if (message.event === "event") this.#describe(message);
    else if (message.event === "boards") this.#show(message);
  }

  /** @param {any} state */
  #describe(state) {
    this.state = state;
    const info = this.games.find((game) => game.name === state.game);
    this.title.textContent = state.title;
    document.title = `${state.title} – Forgeron`;
    const kind = state.kind === "match" ? "match" : "tournament";
    this.facts.textContent = state.kind ? [info?.title ?? state.game, kind, state.time && timeInWords(state.time), `${state.played} of ${state.total} games`].filter(Boolean).join(" · ") : "The event begins …";
    this.progress.max = Math.max(state.total, 1);
    this.progress.value = state.played;
    this.note.textContent = state.problem || (state.note ? `Getting ready: compiling ${state.note}. This happens once.` : "");
    this.#buttons(state);
    this.tables.replaceChildren(...[standings(state), crosstable(state, this.pair, (pair) => this.#choose(pair))].filter((one) => one instanceof globalThis.Node));
    if (this.pair && state.played !== this.listed) this.#choose(this.pair);
    this.#empty();
  }

  /** @param {any} state */
  #buttons(state) {
    const focused = document.activeElement?.textContent ?? "";
    const had = this.actions.contains(document.activeElement);
    const button = (/** @type {string} */ text, /** @type {string} */ what, kind = "") =>
      el("button", { type: "button", class: kind, onclick: () => this.#order(what) }, text);
    const going = !state.finished && (state.running || !state.may_stop);
    this.actions.replaceChildren(...[
      state.may_hold && going && (state.held ? button("Resume", "go", "primary") : button("Pause", "hold")),
      state.may_hold && going && state.held && button("One move", "step"),
      state.may_stop && state.running && button("Stop", "stop"),
      state.may_stop && !state.running && !state.finished && button("Continue", "resume", "primary"),
      el("a", { class: "button", href: "#/watch" }, "All events"),
    ].filter((one) => one instanceof globalThis.Node));
    const same = [...this.actions.querySelectorAll("button")].find((one) => one.textContent === focused) ?? this.actions.querySelector("button");
    if (had && same instanceof HTMLElement) same.focus();
  }

  /** @param {string} what */
  async #order(what) {
    try {
      await this.socket.ask({ do: "event-do", id: this.id, key: settings.key, order: what });
    } catch (error) {
      this.note.textContent = capital(/** @type {Error} */ (error).message);
    }
  }

  /** @param {any} message */
  #show(message) {
    for (const [id, board] of this.boards) {
      if (!message.all.includes(id)) {
        board.element.remove();
        this.boards.delete(id);
      }
    }
    for (const data of message.boards) {
      let board = this.boards.get(data.id);
      if (!board) {
        board = new LiveBoard();
        this.boards.set(data.id, board);
        this.stage.append(board.element);
      }
      board.show(data);
    }
    this.stage.classList.toggle("many", this.boards.size > 1);
    this.#empty();
  }

  #empty() {
    const text = !this.state || this.boards.size ? "" : this.state.finished ? "The event is over. Choose a cell of the table for its games."
      : this.state.running || !this.state.may_stop ? "Waiting for the next move …" : "The event was stopped; it can be continued where it was.";
    let shown = this.stage.querySelector(".empty");
    if (!text) shown?.remove();
    else {
      if (!shown) this.stage.append(shown = el("p", { class: "empty muted" }));
      shown.textContent = text;
    }
  }

  /** List the games of two entrants. @param {[string, string]} pair */
  async #choose(pair) {
    this.pair = pair;
    this.listed = this.state.played;
    for (const cell of this.tables.querySelectorAll("button.cell")) {
      cell.setAttribute("aria-pressed", String(cell.getAttribute("data-pair") === pair.join("\n")));
    }
    try {
      const answer = await this.socket.ask({ do: "event-games", id: this.id, key: settings.key, names: pair });
      if (this.pair === pair) this.list.replaceChildren(gameList(this.id, pair, answer.games));
    } catch (error) {
      this.note.textContent = capital(/** @type {Error} */ (error).message);
    }
  }
}
