// A game: the board, who sits where, the moves, and what a player may do.

import { Board } from "../boards/board.js";
import { colourOf, disc } from "../boards/pieces.js";
import { h, toElement } from "../boards/svg.js";
import { capital, told } from "../boards/words.js";
import { confirmed, el, turnButton } from "./dom.js";
import { settings } from "./settings.js";
import { rulesCard } from "./setup.js";
import { shareBox } from "./share.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */
/** @typedef {import("./socket.js").Socket} Socket */

const LOW_SECONDS = 20;

/** The sign of a seat beside its moves, in its colour. @param {import("../boards/types.js").View} view @param {number} seat */
export function markOf(view, seat) {
  return el("span", { class: `seat-mark seat-mark-${seat} fg-${colourOf(view, seat)}`, role: "img", "aria-label": capital(view.seats[seat]) });
}

export class Play {
  /** @param {HTMLElement} host @param {Socket} socket @param {GameInfo[]} games @param {string} id */
  constructor(host, socket, games, id) {
    this.socket = socket;
    this.games = games;
    /** @type {GameInfo | undefined} */
    this.info = undefined;
    /** @type {number} the ply of the position on the board */
    this.shown = -1;
    this.id = id;
    /** @type {any} the latest state, whether shown yet or not */
    this.state = null;
    /** @type {{seats: number[], owner: boolean}} */
    this.you = { seats: [], owner: false };
    /** @type {any[]} states that wait until the one before them was shown */
    this.queue = [];
    this.showing = false;
    this.sent = false;
    this.flip = false;
    this.turned = false;
    this.received = 0;
    this.stage = el("div", { class: "stage" });
    this.far = el("div", { class: "seat far" });
    this.near = el("div", { class: "seat near" });
    this.said = el("p", { class: "said", role: "status" });
    this.note = el("p", { class: "note muted" });
    this.actions = el("div", { class: "actions" });
    this.moves = el("ol", { class: "moves", "aria-label": "Moves", tabindex: 0 });
    this.extra = el("div", {});
    this.title = el("h1", { class: "say" }, "Game");
    this.rules = el("div", {});
    host.replaceChildren(this.title,
      el("div", { class: "play" }, this.stage,
        el("div", { class: "side" }, this.far, this.said, this.near, this.note, this.extra, this.actions, this.moves, shareBox(socket, () => this.#subject()), this.rules)));
    this.board = new Board(this.stage, {
      onMove: (move) => this.#send("move", { move: move.move }),
      onThrow: () => this.#send("throw"),
      mayMove: (seat) => this.you.seats.includes(seat) && !this.sent && !this.state?.result,
      motion: settings.motion,
    });
    this.ticking = setInterval(() => this.#tick(), 200);
  }

  close() {
    clearInterval(this.ticking);
  }

  /** The game as it is shared. @returns {import("./share.js").Subject} */
  #subject() {
    const { state } = this;
    const { winner, scores } = state.result ?? {};
    const end = !state.result ? "" : winner === null ? `Draw, ${scores[0]} : ${scores[1]}` : `${capital(state.view.seats[winner])} wins, ${scores[0]} : ${scores[1]}`;
    return { game: state.game, options: state.options, start: null, moves: state.moves.map((/** @type {[number, string]} */ [, move]) => move),
      names: state.sides.map((/** @type {any} */ side, /** @type {number} */ seat) => side.name || state.view.seats[seat]), end, ply: state.ply, position: state.view.position, flip: this.board.flip };
  }

  /** Settings of the page have changed. */
  refresh() {
    this.board.options.motion = settings.motion;
  }

  /** @param {any} message */
  hear(message) {
    if (message.event === "game" && message.state.id === this.id) {
      this.#introduce(message.state);
      this.you = message.you;
      this.queue.push(message.state);
      this.state = message.state;
      this.received = performance.now();
      this.sent = false;
      this.#next();
    } else if (message.event === "thinking" && message.id === this.id && this.state) {
      this.state.note = message.note;
      this.#describe();
    } else if (message.event === "problem" && message.id === this.id) {
      this.#remark(`Something went wrong: ${message.text}`);
    } else if (message.event === "refused") {
      this.sent = false;
      this.#remark(capital(message.text));
      this.board.refresh();
    }
  }

  /** What follows from the game alone. @param {any} state */
  #introduce(state) {
    if (this.info) return;
    this.info = this.games.find((one) => one.name === state.view.game);
    this.title.textContent = state.view.title;
    document.title = `${state.view.title} – Forgeron`;
    const card = this.info && rulesCard(this.info);
    if (card) this.rules.replaceChildren(card);
  }

  /** Show the states one after the other, each move with its animation; a long queue is shown without. */
  async #next() {
    if (this.showing) return;
    this.showing = true;
    while (this.queue.length) {
      const state = this.queue.shift();
      const before = this.board.view;
      if (!this.turned && this.you.seats.length === 1) this.flip = this.you.seats[0] === 1;
      if (this.board.flip !== this.flip) this.board.flip = this.flip;
      const follows = before && state.ply === this.shown + 1 && this.queue.length < 3;
      this.shown = state.ply;
      // A state with the position shown is news of something else, and takes nothing from whoever is choosing a move.
      if (!follows && before?.position !== state.view.position) this.board.view = null;
      this.#panel(state);
      await this.board.show(state.view, { step: state.step });
    }
    this.showing = false;
    this.#describe();
  }

  /** @param {string} what @param {Record<string, any>} [more] */
  #send(what, more = {}) {
    if (this.socket.game(what, this.id, { ply: this.state.ply, ...more })) this.sent = true;
    else this.#remark("There is no connection to the server; the move was not sent.");
    this.board.refresh();
  }

  /** @param {string} text */
  #remark(text) {
    this.said.textContent = text;
  }

  /** Everything beside the board. @param {any} state */
  #panel(state) {
    const below = this.flip ? 1 : 0;
    this.#seat(this.near, state, below);
    this.#seat(this.far, state, 1 - below);
    this.moves.replaceChildren(...state.moves.map((/** @type {[number, string]} */ [seat, move], /** @type {number} */ i) =>
      el("li", { class: i === state.moves.length - 1 ? "now" : null }, markOf(state.view, seat), move)));
    this.moves.hidden = !state.moves.length;
    this.moves.scrollTop = this.moves.scrollHeight;
    this.#describe();
    this.#buttons(state);
    this.#invite(state);
  }

  /** @param {HTMLElement} host @param {any} state @param {number} seat */
  #seat(host, state, seat) {
    const { view } = state;
    const side = state.sides[seat];
    const mine = this.you.seats.includes(seat);
    const alone = mine && this.you.seats.length === 1;
    const name = side.kind === "level" ? capital(side.name) : side.waiting ? "Waiting for a player" : alone ? "You" : capital(view.seats[seat]);
    host.classList.toggle("turn", view.turn === seat && !state.result);
    host.replaceChildren(
      toElement(h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, disc(view, seat, 50, 48, 42))),
      el("div", { class: "who" }, el("b", {}, name), name !== capital(view.seats[seat]) && el("span", { class: "muted" }, capital(view.seats[seat]))),
      ...(state.clocks ? [el("span", { class: "clock", "data-seat": seat })] : []),
      el("span", { class: "score", "aria-label": `${view.scores[seat]} ${view.unit?.[1] ?? "points"}` }, String(view.scores[seat])));
    this.#tick();
  }

  /** What happened last and what is to be done. */
  #describe() {
    const state = this.state;
    if (!state) return;
    const { view, step } = state;
    const last = step ? `${capital(view.seats[step.seat])}: ${step.text ?? step.move}.` : "";
    if (state.result) {
      const { winner, scores, detail } = state.result;
      const who = winner === null ? "Draw" : this.you.seats.length === 1 ? (this.you.seats[0] === winner ? "You win" : "You lose") : `${capital(view.seats[winner])} wins`;
      const why = told(detail) ? capital(detail.replace(/^human/, winner === null ? "" : view.seats[1 - winner])) : "";
      this.said.replaceChildren(el("b", {}, `${who}, ${scores[0]} : ${scores[1]}`), `${last} ${why}`);
      return;
    }
    const mine = this.you.seats.includes(view.turn);
    const what = view.chance ? "throw" : "move";
    const now = state.paused ? "Paused" : mine ? `Your turn to ${what}` : `${capital(view.seats[view.turn])} to ${what}`;
    const head = el("b", { class: state.thinking && !state.paused ? "dots" : null }, now);
    this.said.replaceChildren(head, last);
    this.note.textContent = state.note ? `Getting ready: compiling ${state.note}. This happens once; until then the player thinks for a moment only.` : "";
  }

  /** @param {any} state */
  #buttons(state) {
    const plays = this.you.seats.length > 0;
    const people = state.sides.filter((/** @type {any} */ side) => side.kind === "person").length;
    const alone = plays && people === this.you.seats.length;
    const mine = this.you.seats.includes(state.view.turn) && !state.view.chance && !state.result;
    const own = state.moves.some((/** @type {[number, string]} */ [seat]) => this.you.seats.includes(seat));
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, kind = "") => el("button", { type: "button", class: kind, onclick: act }, text);
    this.actions.replaceChildren(...[
      state.result && (plays || this.you.owner) && button("Rematch", () => this.#again(), "primary"),
      state.result && el("a", { class: "button", href: `#/analyse/${this.id}` }, "Analyse"),
      state.result && el("a", { class: "button", href: `#/new/${encodeURIComponent(this.info?.name ?? state.game)}` }, "New game"),
      mine && button("Hint", () => this.#hint()),
      alone && own && button("Take back", () => this.#send("takeback")),
      plays && !state.result && button("Resign", () => this.#resign(), "danger"),
      people === 0 && this.you.owner && !state.result && (state.paused
        ? [button("Resume", () => this.socket.game("go", this.id), "primary"), button("One move", () => this.socket.game("step", this.id))]
        : button("Pause", () => this.socket.game("pause", this.id))),
      people > 0 && state.paused && this.you.owner && button("Resume", () => this.socket.game("go", this.id), "primary"),
      turnButton(() => {
        this.flip = !this.flip;
        this.turned = true;
        this.board.turn(this.flip);
        this.#panel(this.state);
      }),
    ].flat().filter((one) => one instanceof globalThis.Node));
  }

  /** A seat that waits for somebody: the link to send, or the seat to take. @param {any} state */
  #invite(state) {
    const waiting = state.sides.some((/** @type {any} */ side) => side.waiting);
    if (!waiting || state.result) {
      this.extra.replaceChildren();
      return;
    }
    if (this.you.seats.length) {
      const field = el("input", { readonly: true, value: location.href, "aria-label": "Link for your opponent", onfocus: () => field.select() });
      const copy = el("button", { type: "button", onclick: async () => {
        await navigator.clipboard?.writeText(location.href).catch(() => field.select());
        copy.textContent = "Copied";
      } }, "Copy the link");
      this.extra.replaceChildren(el("div", { class: "invite" }, el("b", {}, "Send this link to your opponent"), field, copy));
    } else {
      this.extra.replaceChildren(el("div", { class: "invite" }, el("b", {}, "A seat is free"),
        el("button", { type: "button", class: "primary", onclick: () => this.socket.game("sit", this.id) }, "Play")));
    }
  }

  async #hint() {
    const ply = this.state.ply;
    this.#remark("Thinking about a hint…");
    try {
      const answer = await this.socket.ask({ do: "hint", id: this.id, key: settings.key, ply });
      if (this.state.ply !== ply) return;
      const move = this.state.view.moves.find((/** @type {any} */ one) => one.move === answer.move);
      const places = (move?.parts ?? []).flat().filter((/** @type {string} */ part) => this.board.hasPlace(part));
      this.board.point(places.length ? [{ from: places[0], to: places[places.length - 1] }] : []);
      this.#remark(`Hint: ${move?.text ?? answer.move}. It gives you about ${Math.round(100 * answer.value)} %.`);
    } catch (error) {
      this.#remark(capital(/** @type {Error} */ (error).message));
    }
  }

  async #resign() {
    if (await confirmed("Resign this game?", "Resign")) this.socket.game("resign", this.id);
  }

  async #again() {
    try {
      const answer = await this.socket.ask({ do: "rematch", id: this.id, key: settings.key });
      location.hash = `#/game/${answer.id}`;
    } catch (error) {
      this.#remark(capital(/** @type {Error} */ (error).message));
    }
  }

  #tick() {
    const clocks = this.state?.clocks;
    if (!clocks) return;
    for (const seat of [0, 1]) {
      const gone = clocks.running === seat && !this.state.result ? (performance.now() - this.received) / 1000 : 0;
      const left = Math.max(clocks.left[seat] - gone, 0);
      for (const shown of document.querySelectorAll(`.clock[data-seat="${seat}"]`)) {
        const seconds = left < LOW_SECONDS ? left.toFixed(1).padStart(4, "0") : String(Math.floor(left) % 60).padStart(2, "0");
        shown.textContent = `${Math.floor(left / 60)}:${seconds}`;
        shown.classList.toggle("low", left < LOW_SECONDS);
      }
    }
  }
}
