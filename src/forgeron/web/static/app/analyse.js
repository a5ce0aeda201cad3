// Analysis: a game or a position, its moves as a tree, what a search thinks of each, and where it was lost.

import { Board } from "../boards/board.js";
import { capital, statusInWords } from "../boards/words.js";
import { el, turnButton } from "./dom.js";
import { Editor } from "./editor.js";
import { graph } from "./graph.js";
import { markOf } from "./play.js";
import { settings } from "./settings.js";
import { shareBox } from "./share.js";
import { Node } from "./tree.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */
/** @typedef {import("./socket.js").Socket} Socket */
/** @typedef {import("../boards/types.js").View} View */

/** @param {number} value */
const percent = (value) => `${Math.round(100 * value)} %`;

export class Analyse {
  /** @param {HTMLElement} host @param {Socket} socket @param {GameInfo} info @param {string} id @param {any} history a game that was played here @param {{position: string | null, options: Record<string, any> | null}} [about] a position from elsewhere */
  constructor(host, socket, info, id, history, about) {
    this.socket = socket;
    this.info = info;
    this.id = id;
    this.history = history;
    this.options = history?.options ?? about?.options ?? Object.fromEntries(info.options.map((option) => [option.name, option.default]));
    this.root = new Node(null, null, history?.positions[0] ?? about?.position ?? null);
    /** @type {Node} */
    this.now = this.root;
    this.number = 0;
    this.analysing = 0;
    this.reviewing = 0;
    this.progress = "";
    this.thought = /** @type {any} */ (null);
    this.stage = el("div", { class: "stage" });
    this.bar = el("div", { class: "bar", role: "img" }, el("div", { class: "bar-first" }), el("span", {}));
    this.said = el("p", { class: "said", role: "status" });
    this.lines = el("ol", { class: "lines", "aria-label": "Best lines" });
    this.note = el("p", { class: "note muted" });
    this.throws = el("div", { class: "actions" });
    /** @type {any[] | null} how both sides played, by the review */
    this.sides = null;
    this.summary = el("div", {});
    this.chart = el("div", { class: "chart" });
    this.moves = el("div", { class: "moves tree", role: "group", "aria-label": "Moves", tabindex: 0 });
    const title = history ? `${info.title}: ${history.names.map(capital).join(" – ")}` : `Analyse ${info.title}`;
    document.title = `${title} – Forgeron`;
    host.replaceChildren(el("h1", { class: "say" }, title),
      el("div", { class: "play analysis" },
        el("div", { class: "boardside" }, this.bar, this.stage),
        el("div", { class: "side" }, el("p", { class: "heading" }, title), this.said, this.lines, this.note, this.throws,
          this.chart, this.summary, this.#steps(), this.moves, shareBox(socket, () => this.#subject()), this.#paste())));
    /** @type {Editor | null} a position is being set up */
    this.editor = null;
    this.board = new Board(this.stage, { onMove: (move) => (this.editor ? this.editor.point(move.move) : this.#play(move.move)), motion: settings.motion });
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
    this.#fill();
    this.#go(this.now);
    this.#review();
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    this.socket.send({ do: "leave" });
  }

  refresh() {
    this.board.options.motion = settings.motion;
    this.#think();
  }

  /** The moves of the game that was played. */
  #fill() {
    const history = this.history;
    if (!history) return;
    let node = this.root;
    history.moves.forEach((/** @type {string} */ move, /** @type {number} */ i) => {
      node = node.add(move, history.positions[i + 1]);
      node.seat = history.turns[i];
    });
    this.now = node;
  }

  #about() {
    return { game: this.info.name, options: this.options };
  }

  /** @param {Node} node */
  async #look(node) {
    if (node.view) return;
    const from = node.parent;
    const answer = await this.socket.ask({ do: "look", ...this.#about(),
      position: from ? from.position : node.position, move: from ? node.move : null });
    node.view = answer.view;
    node.step = answer.step;
    node.position = answer.view.position;
  }

  /** The game as it is shared: the moves that lead to the position shown, and those that follow. @returns {import("./share.js").Subject} */
  #subject() {
    const before = [];
    for (let node = this.now; node.parent; node = node.parent) before.unshift(node.move ?? "");
    const after = this.now.line.slice(1).map((node) => node.move ?? "");
    const view = this.now.view;
    const { winner, scores } = this.history?.result ?? {};
    const end = !this.history?.result ? "" : winner === null ? `Draw, ${scores[0]} : ${scores[1]}` : `${capital(this.info.seats[winner])} wins, ${scores[0]} : ${scores[1]}`;
    return { game: this.info.name, options: this.options, start: this.root.position, moves: [...before, ...after],
      names: this.history?.names ?? this.info.seats, end, ply: this.now.ply, position: view?.position ?? "", flip: this.board.flip };
  }

  /** Show a position. @param {Node} node */
  async #go(node) {
    const before = this.now;
    this.now = node;
    try {
      await this.#look(node);
    } catch (error) {
      this.said.textContent = capital(/** @type {Error} */ (error).message);
      return;
    }
    if (this.now !== node || !node.view) return;
    if (node.parent !== before) this.board.view = null;
    this.thought = null;
    this.#think();
    this.#panel();
    await this.board.show(node.view, { step: node.step });
    this.#arrows();
  }

  /** Play a move here: one that is in the tree is followed, another one is a variation. @param {string} move */
  async #play(move) {
    const from = this.now;
    let node = from.find(move);
    if (!node) {
      node = new Node(from, move, null);
      node.seat = from.view?.turn ?? null;
      try {
        await this.#look(node);
      } catch (error) {
        this.said.textContent = capital(/** @type {Error} */ (error).message);
        this.board.refresh();
        return;
      }
      from.children.push(node);
    }
    await this.#go(node);
  }

  #think() {
    const view = this.now.view;
    this.number += 1;
    this.analysing = this.number;
    if (!view || view.turn === null || view.chance) {
      this.socket.send({ do: "rest" });
      return;
    }
    this.socket.send({ do: "analyse", ...this.#about(), position: view.position, number: this.number });
  }

  /** Have the moves of the main line judged. */
  #review() {
    const line = this.root.line.slice(1);
    if (!line.length) return;
    this.number += 1;
    this.reviewing = this.number;
    this.socket.send({ do: "review", ...this.#about(), position: this.root.position, moves: line.map((node) => node.move), number: this.reviewing });
  }

  /** @param {any} message */
  hear(message) {
    if (message.number === this.reviewing && this.reviewing) this.#hearReview(message);
    else if (message.number === this.analysing) this.#hearLines(message);
    else if (message.event === "refused") this.said.textContent = capital(message.text);
  }

  /** @param {any} message */
  #hearReview(message) {
    if (message.event === "reviewing") this.progress = `Reviewing the game: ${message.done} of ${message.total} positions`;
    else if (message.event === "compiling") this.progress = `Getting ready: compiling ${message.what}. This happens once.`;
    else if (message.event === "problem") this.progress = `The review failed: ${message.text}`;
    else if (message.event === "reviewed") {
      this.progress = "";
      this.sides = message.sides;
      const line = this.root.line;
      message.course.forEach((/** @type {number} */ value, /** @type {number} */ i) => {
        line[i].value = value;
        if (i) line[i].judgement = message.moves[i - 1];
      });
      this.#panel();
    } else return;
    if (this.progress && this.now.view) this.#course(this.now.view);
  }

  /** @param {any} message */
  #hearLines(message) {
    if (message.event === "compiling") this.note.textContent = `Getting ready: compiling ${message.what}. This happens once.`;
    else if (message.event === "problem") this.note.textContent = capital(message.text);
    if (message.event !== "thought" && message.event !== "analysed") return;
    this.thought = message;
    const [best] = message.lines;
    if (best && this.now.view) {
      this.now.value = this.now.view.turn === 1 ? 1 - best.value : best.value;
      this.now.proven = best.proven;
    }
    if (message.event === "analysed") this.#panel();
    else if (this.now.view) this.#opinion(this.now.view);
    if (this.board.view === this.now.view) this.#arrows();
  }

  /** The best moves as arrows, the best one the strongest. */
  #arrows() {
    const { view } = this.now;
    const lines = this.thought?.lines ?? [];
    if (!view || this.board.builder?.chosen.length) return;
    this.board.point(lines.flatMap((/** @type {any} */ line, /** @type {number} */ i) => {
      const move = view.moves.find((one) => one.move === line.moves[0]);
      const places = (move?.parts ?? []).flat().filter((part) => this.board.hasPlace(part));
      return places.length ? [{ from: places[0], to: places[places.length - 1], weight: [1, 0.45, 0.15][i] ?? 0 }] : [];
    }).reverse());
  }

  /** Everything beside the board. */
  #panel() {
    const { view } = this.now;
    if (!view) return;
    this.#opinion(view);
    this.#describe(view);
    this.throws.replaceChildren(...(view.chance ? view.moves.map((move) =>
      el("button", { type: "button", onclick: () => this.#play(move.move) }, capital(move.text ?? move.move))) : []));
    this.#course(view);
    this.#sum(view);
    this.#tree(view);
  }

  /** What changes while the search goes on. Nothing else is made anew then: a button must stay the same from press to release. @param {import("../boards/types.js").View} view */
  #opinion(view) {
    this.#gauge(view);
    this.#lines(view);
    const thought = this.thought;
    if (thought) {
      this.note.textContent = `${capital(view.seats[0])} wins with this probability${thought.lines.some((/** @type {any} */ line) => line.proven) ? " (✓ proven)" : ""}. `
        + `Depth ${thought.depth}, ${thought.nodes.toLocaleString("en")} nodes.`;
    } else this.note.textContent = view.turn === null ? "" : view.chance ? "Choose what is thrown." : "Thinking …";
  }

  /** @param {import("../boards/types.js").View} view */
  #lines(view) {
    const found = this.thought?.lines ?? [];
    this.lines.classList.toggle("roomy", view.moves.length > 2 && !view.chance);
    while (this.lines.children.length > found.length) this.lines.lastElementChild?.remove();
    while (this.lines.children.length < found.length) {
      const i = this.lines.children.length;
      this.lines.append(el("li", {}, el("button", { type: "button", title: "Play this move", onclick: () => {
        const line = this.thought?.lines[i];
        if (line) this.#play(line.moves[0]);
      } }, el("b", {}), el("span", {}))));
    }
    found.forEach((/** @type {any} */ line, /** @type {number} */ i) => {
      const [value, moves] = this.lines.children[i].firstElementChild?.children ?? [];
      const first = view.turn === 1 ? 1 - line.value : line.value;
      value.textContent = line.proven ? `${percent(first)} ✓` : percent(first);
      moves.textContent = line.moves.slice(0, 8).join("  ");
    });
  }

  /** How both sides played; where sticks are thrown, luck apart from skill. @param {import("../boards/types.js").View} view */
  #sum(view) {
    if (!this.sides) {
      this.summary.replaceChildren();
      return;
    }
    const dice = this.sides[0].luck !== null;
    const signed = (/** @type {number} */ value) => `${value < 0 ? "−" : "+"}${Math.round(Math.abs(100 * value))} %`;
    const cell = (/** @type {string | number} */ text) => el("td", {}, text);
    this.summary.replaceChildren(el("table", { class: "sides" },
      el("caption", { class: "say" }, "How both sides played"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Played"), ["?!", "?", "??", ...(dice ? ["Given away", "Luck"] : ["Loss a move"])].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, this.sides.map((side, seat) => el("tr", {},
        el("th", { scope: "row" }, markOf(view, seat), capital(view.seats[seat])),
        cell(side.marks["?!"]), cell(side.marks["?"]), cell(side.marks["??"]), ...(dice ? [cell(signed(-side.total_loss)), cell(signed(side.luck))] : [cell(`${(100 * side.average_loss).toFixed(1)} %`)]))))),
    ...(dice ? [el("p", { class: "note muted" }, "Luck is what the throws brought beyond their mean; what is given away is lost by choosing worse moves. The dashed line of the graph is luck alone.")] : []));
  }

  /** @param {import("../boards/types.js").View} view */
  #gauge(view) {
    const over = view.outcome;
    const value = over ? (over.winner === null ? 0.5 : 1 - over.winner) : this.now.value;
    const sure = Boolean(over) || this.now.proven;
    const fill = /** @type {HTMLElement} */ (this.bar.firstElementChild);
    fill.style.setProperty("--share", String(value ?? 0.5));
    this.bar.classList.toggle("proven", sure);
    const label = /** @type {HTMLElement} */ (this.bar.lastElementChild);
    label.textContent = value === null ? "" : sure ? `${Math.round(100 * value)}✓` : String(Math.round(100 * value));
    this.bar.setAttribute("aria-label", value === null ? "Not judged yet" : `${capital(view.seats[0])} wins: ${percent(value)}${sure ? ", proven" : ""}`);
  }

  /** The move that led here, what was wrong with it, and how the game ended. @param {import("../boards/types.js").View} view */
  #describe(view) {
    const { judgement, step, move, seat } = this.now;
    const words = { "?!": "An inaccuracy", "?": "A mistake", "??": "A blunder" };
    const parts = [];
    const last = !this.now.children.length && this.history?.result && this.root.line.includes(this.now);
    if (move) {
      const who = seat === null ? "" : `${capital(view.seats[seat])}: `;
      parts.push(el("b", {}, `${this.now.ply}. ${who}${step?.text ?? move} `, judgement?.mark && el("span", { class: `mark ${markClass(judgement.mark)}` }, judgement.mark)));
    } else parts.push(el("b", {}, "The first position"));
    if (judgement?.mark) {
      parts.push(`${words[/** @type {"?"} */ (judgement.mark)]}: it loses ${percent(judgement.loss)}. Better: `,
        el("button", { type: "button", class: "better", onclick: () => this.#better() }, judgement.best.slice(0, 4).join("  ")));
    } else if (judgement && judgement.seat === null && seat !== null) {
      const gain = (judgement.after - judgement.before) * (seat === 0 ? 1 : -1);
      parts.push(`Luck: this throw ${gain < 0 ? "costs" : "brings"} ${capital(view.seats[seat])} ${(100 * Math.abs(gain)).toFixed(1)} %. ${statusInWords(view)}`);
    } else if (last) {
      const { winner, scores, reason, detail } = this.history.result;
      parts.push(`${winner === null ? "Draw" : `${capital(view.seats[winner])} wins`}, ${scores[0]} : ${scores[1]}: ${detail || reason}.`);
    } else parts.push(statusInWords(view));
    this.said.replaceChildren(...parts);
  }

  /** Show the better move as a variation. */
  async #better() {
    const { judgement, parent } = this.now;
    if (!judgement || !parent) return;
    await this.#go(parent);
    await this.#play(judgement.best[0]);
  }

  /** @param {import("../boards/types.js").View} view */
  #course(view) {
    const line = this.root.line;
    const judged = line.some((node) => node.judgement);
    /** @type {Map<number, string>} */
    const marks = new Map(line.flatMap((node) => (node.judgement?.mark ? [[node.ply, node.judgement.mark]] : [])));
    const shown = line.includes(this.now) ? this.now.ply : null;
    this.chart.replaceChildren(...(judged ? [graph(line.map((node) => node.value), marks, shown, (ply) => this.#go(line[ply]), view.seats, this.#luck(line))] : []),
      ...(this.progress ? [el("p", { class: "note muted" }, this.progress)] : []));
  }

  /** The course of the game had nobody given anything away; null without throws. @param {Node[]} line */
  #luck(line) {
    if (!this.sides || this.sides[0].luck === null) return null;
    let value = line[0].value ?? 0.5;
    return line.map(({ judgement }) => {
      if (judgement && judgement.seat === null) value += judgement.after - judgement.before;
      return value;
    });
  }

  /** @param {import("../boards/types.js").View} view */
  #tree(view) {
    const top = this.moves.scrollTop;
    this.moves.replaceChildren(...this.#branch(view, this.root));
    this.moves.hidden = !this.root.children.length;
    this.moves.scrollTop = top;
    const now = /** @type {HTMLElement | null} */ (this.moves.querySelector(".now"));
    if (now && (now.offsetTop < top || now.offsetTop + now.offsetHeight > top + this.moves.clientHeight)) {
      this.moves.scrollTop = now.offsetTop - this.moves.clientHeight / 2;
    }
  }

  /** The moves after a position; variations stand in brackets after the move they replace. @param {import("../boards/types.js").View} view @param {Node} from @returns {HTMLElement[]} */
  #branch(view, from) {
    const found = [];
    for (let node = from; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      found.push(this.#move(view, main));
      for (const other of others) {
        found.push(el("span", { class: "variation" }, "(", this.#move(view, other), ...this.#branch(view, other), ")"));
      }
    }
    return found;
  }

  /** @param {import("../boards/types.js").View} view @param {Node} node */
  #move(view, node) {
    const mark = node.judgement?.mark ?? "";
    return el("button", { type: "button", class: node === this.now ? "now" : null, "aria-current": node === this.now ? "step" : null, onclick: () => this.#go(node) },
      node.seat === null ? "" : markOf(view, node.seat), node.move, mark && el("span", { class: `mark ${markClass(mark)}` }, mark));
  }

  #steps() {
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {string} */ key) =>
      el("button", { type: "button", "aria-label": label, title: label, onclick: () => this.#step(key) }, sign);
    return el("div", { class: "actions steps" }, button("First position", "|◀", "Home"), button("Back", "◀", "ArrowLeft"),
      button("Forward", "▶", "ArrowRight"), button("Last position", "▶|", "End"),
      el("button", { type: "button", onclick: () => this.#understand() }, "Inside a search"),
      turnButton(() => this.board.turn(!this.board.flip)));
  }

  /** Look into a search of the position that is shown. */
  #understand() {
    const parts = [this.info.name, this.now.position ?? "", JSON.stringify(this.options)];
    location.hash = `#/understand/${parts.map(encodeURIComponent).join("/")}`;
  }

  /** @param {string} key */
  #step(key) {
    const node = this.now;
    if (key === "ArrowLeft" && node.parent) this.#go(node.parent);
    else if (key === "ArrowRight" && node.children.length) this.#go(node.children[0]);
    else if (key === "Home") this.#go(this.root);
    else if (key === "End") this.#go(node.line[node.line.length - 1]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (this.editor || event.altKey || event.ctrlKey || event.metaKey || target.closest("input, textarea, select, .fg-place")) return;
    if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      event.preventDefault();
      this.#step(event.key);
    }
  }

  /** A position or moves from elsewhere. */
  #paste() {
    const field = el("textarea", { rows: 3, "aria-label": "A position, or moves", placeholder: "A position, or moves from the first position on", spellcheck: "false" });
    const form = el("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#load(field.value.trim());
    } }, field, el("div", { class: "actions" }, el("button", { class: "primary" }, "Show"),
      el("button", { type: "button", onclick: () => { field.value = this.now.position ?? ""; field.select(); } }, "Take the position shown"),
      this.info.composes && el("button", { type: "button", onclick: () => this.#edit() }, "Set up by hand")));
    return el("details", {}, el("summary", {}, "Set up a position or moves"), form);
  }

  /** Set up a position by hand, beginning with the one that is shown. */
  #edit() {
    const { view } = this.now;
    if (!view || this.editor) return;
    this.socket.send({ do: "rest" });
    this.analysing = this.number += 1;
    const side = /** @type {HTMLElement} */ (this.said.parentElement);
    const parts = [...side.children].filter((part) => !(/** @type {HTMLElement} */ (part).hidden));
    const done = (/** @type {View | null} */ made) => {
      this.editor?.host.remove();
      this.stage.classList.remove("editing");
      this.editor = null;
      for (const part of parts) /** @type {HTMLElement} */ (part).hidden = false;
      this.board.view = null;
      if (made) this.#load(made.position);
      else this.#go(this.now);
    };
    this.editor = new Editor(this.board, view, async (places, turn) => (await this.socket.ask({ do: "compose", ...this.#about(), places, turn })).view, done);
    for (const part of parts) /** @type {HTMLElement} */ (part).hidden = true;
    side.append(this.editor.host);
    this.stage.classList.add("editing");
    /** @type {HTMLElement | null} */ (this.editor.host.querySelector("input:checked"))?.focus();
  }

  /** @param {string} text */
  async #load(text) {
    if (!text) return;
    /** @type {Node} */
    let root = new Node(null, null, text);
    try {
      await this.#look(root);
    } catch {
      const moves = text.split(/[\s,;]+/).map((word) => word.replace(/^\d+\.+/, "")).filter(Boolean);
      root = new Node(null, null, null);
      let node = root;
      try {
        await this.#look(root);
        for (const move of moves) {
          const seat = node.view?.turn ?? null;
          const child = new Node(node, move, null);
          await this.#look(child);
          child.seat = seat;
          node.children.push(child);
          node = child;
        }
      } catch (error) {
        this.said.textContent = `This is neither a position nor a list of moves of ${this.info.title}. ${capital(/** @type {Error} */ (error).message)}`;
        return;
      }
    }
    this.history = null;
    this.sides = null;
    this.root = root;
    await this.#go(root.line[root.line.length - 1]);
    this.#review();
  }
}

/** @param {string} mark */
function markClass(mark) {
  return mark === "?!" ? "slight" : mark === "?" ? "bad" : "worst";
}
