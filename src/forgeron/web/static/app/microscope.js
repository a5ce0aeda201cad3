// The search microscope: a real search of the position, step by step: its tree, its windows, why it leaves things out.

import { Board } from "../boards/board.js";
import { stillness } from "../boards/animate.js";
import { capital } from "../boards/words.js";
import { el } from "./dom.js";
import { Ideas } from "./ideas.js";
import { markOf } from "./play.js";
import { SearchTree } from "./search_tree.js";
import { Narrator, counted } from "./search_words.js";
import { settings } from "./settings.js";
import { TreeMap } from "./tree_map.js";
import { TreeView } from "./tree_view.js";

/** @typedef {import("./home.js").GameInfo} GameInfo */
/** @typedef {import("./socket.js").Socket} Socket */
/** @typedef {import("./search_tree.js").Entry} Entry */
/** @typedef {import("../boards/types.js").View} View */

const TITLES = /** @type {Record<string, string>} */ ({ alphabeta: "Alpha-beta", expectimax: "Expectimax", mcts: "Monte Carlo tree search" });
const UNITS = /** @type {Record<string, string>} */ ({ alphabeta: "plies", expectimax: "turns", mcts: "simulations" });
const SIMULATIONS = [20, 50, 100, 200, 500, 1000];
/** Steps a second; the last is as fast as they come. */
const SPEEDS = /** @type {[string, number][]} */ ([["1 step a second", 1], ["4 a second", 4], ["20 a second", 20], ["100 a second", 100], ["live", Infinity]]);
const LOG_LINES = 60;
const MOST_VIEWS = 400;

export class Microscope {
  /** @param {HTMLElement} host @param {Socket} socket @param {GameInfo} info @param {string} id @param {{position: string | null, options: Record<string, any> | null}} about */
  constructor(host, socket, info, id, about) {
    this.socket = socket;
    this.info = info;
    this.id = id;
    this.options = about.options ?? Object.fromEntries(info.options.map((option) => [option.name, option.default]));
    /** @type {string | null} */
    this.position = about.position;
    this.search = Object.keys(info.searches)[0];
    this.depth = info.searches[this.search].depth;
    this.number = 0;
    this.tracing = 0;
    this.counting = 0;
    this.narrator = new Narrator(info.seats);
    /** @type {import("./search_tree.js").Step[]} */
    this.steps = [];
    this.coming = 0;
    /** @type {any} what the search took, once it is over */
    this.effort = null;
    this.tree = new SearchTree({ kind: "share" });
    this.at = 0;
    /** @type {number | null} */
    this.selected = null;
    this.follow = true;
    this.playing = false;
    this.speed = 4;
    this.lastFrame = 0;
    this.owed = 0;
    /** @type {string[]} */
    this.said = [];
    /** @type {Map<string, {view: View, step: any}>} */
    this.views = new Map();
    this.looking = false;
    /** @type {View | null} */
    this.shown = null;
    /** @type {string | null} the position before a throw that is still to be chosen */
    this.before = null;
    this.stage = el("div", { class: "stage" });
    this.path = el("p", { class: "way muted" });
    this.window = el("div", { class: "window" });
    this.saying = el("p", { class: "saying", role: "status" });
    this.log = el("ol", { class: "log", tabindex: 0, "aria-label": "What happened before" });
    this.counters = el("dl", { class: "counters" });
    this.note = el("p", { class: "note muted", role: "status" });
    this.legend = el("p", { class: "legend muted" });
    this.setup = el("div", { class: "scope-setup" });
    this.ideasHost = el("div", {});
    this.counter = el("span", { class: "muted count" });
    this.playButton = el("button", { type: "button", class: "primary round", onclick: () => this.#toggle() });
    this.slider = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Steps", oninput: () => this.#seek(Number(this.slider.value)) });
    this.map = new TreeMap((chosen) => this.#choose(chosen));
    this.outline = new TreeView(this.narrator, (chosen) => this.#choose(chosen), (seat) => this.#sign(seat));
    this.ideas = this.#newIdeas();
    this.board = new Board(this.stage, { motion: settings.motion });
    this.#compose(host);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
    this.onSize = () => this.#draw();
    addEventListener("resize", this.onSize);
    this.#open();
  }

  close() {
    this.playing = false;
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("resize", this.onSize);
    this.socket.send({ do: "leave" });
  }

  /** Settings have changed, or the connection is new. */
  refresh() {
    this.board.options.motion = settings.motion;
    if (!this.effort) this.#start();
    this.#draw();
  }

  // --- the page -------------------------------------------------------------------------------------------------

  /** Put the parts of the page in their places. @param {HTMLElement} host */
  #compose(host) {
    const title = `Inside a search: ${this.info.title}`;
    document.title = `${title} – Forgeron`;
    const panel = (/** @type {string} */ heading, /** @type {HTMLElement[]} */ ...parts) => el("section", { class: "panel", "aria-label": heading }, el("h2", {}, heading), parts);
    host.replaceChildren(
      el("div", { class: "scope-head" }, el("h1", {}, title), el("a", { class: "button quiet", href: this.#analysis() }, "Analyse this position")),
      this.setup,
      el("div", { class: "scope" },
        el("div", { class: "scope-left" }, this.stage, this.path, this.window, panel("So far", this.counters, this.note)),
        el("div", { class: "scope-right" }, this.saying, this.#controls(), this.map.canvas, this.legend, this.outline.host),
        el("div", { class: "scope-below" }, this.ideasHost, panel("In words", this.log))));
    this.#showSetup();
  }

  #analysis() {
    return `#/analyse/${encodeURIComponent(this.info.name)}${this.position ? `/${encodeURIComponent(this.position)}/${encodeURIComponent(JSON.stringify(this.options))}` : ""}`;
  }

  /** Which search, and how deep. */
  #showSetup() {
    const names = Object.keys(this.info.searches);
    const { deepest } = this.info.searches[this.search];
    const depths = this.search === "mcts" ? SIMULATIONS : Array.from({ length: deepest }, (_, i) => i + 1);
    const kinds = el("fieldset", {}, el("legend", { class: "say" }, "Search"), el("div", { class: "picks" }, names.map((name) => el("label", { class: "pick" },
      el("input", { type: "radio", name: "search", value: name, checked: name === this.search, onchange: () => {
        this.search = name;
        this.depth = this.info.searches[name].depth;
        this.#showSetup();
        /** @type {HTMLElement | null} */ (this.setup.querySelector("input:checked"))?.focus();
        this.#start();
      } }), el("span", {}, TITLES[name])))));
    const depth = el("label", { class: "inline" }, this.search === "mcts" ? "Simulations " : "Depth ", el("select", { "aria-label": capital(UNITS[this.search]), onchange: (/** @type {Event} */ event) => {
      this.depth = Number(/** @type {HTMLSelectElement} */ (event.target).value);
      this.#start();
    } }, depths.map((one) => el("option", { value: one, selected: one === this.depth }, this.search === "mcts" ? String(one) : `${one} ${one === 1 ? UNITS[this.search].replace(/ies$/, "y").replace(/s$/, "") : UNITS[this.search]}`))));
    this.setup.replaceChildren(kinds, depth);
    this.ideas = this.#newIdeas();
    this.ideasHost.replaceChildren(this.ideas.host);
  }

  #controls() {
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ act, kind = "") =>
      el("button", { type: "button", class: kind, "aria-label": label, title: label, onclick: act }, sign);
    const speed = el("label", {}, el("span", { class: "say" }, "Speed"), el("select", { onchange: (/** @type {Event} */ event) => {
      this.speed = SPEEDS[Number(/** @type {HTMLSelectElement} */ (event.target).value)][1];
      if (!this.playing) this.#toggle();
    } }, SPEEDS.map(([text, rate], i) => el("option", { value: i, selected: rate === this.speed }, text))));
    return el("div", { class: "scope-controls", role: "group", "aria-label": "Steps of the search" },
      el("div", { class: "actions" }, button("To the beginning", "|◀", () => this.#seek(0), "round"), button("One step back", "◀", () => this.#seek(this.at - 1), "round"), this.playButton,
        el("button", { type: "button", title: "The next step (→)", onclick: () => this.#seek(this.at + 1) }, "Step"),
        el("button", { type: "button", title: "On to the next node (N)", onclick: () => this.#node() }, "Node"),
        button("To the end", "▶|", () => this.#seek(this.steps.length), "round"), speed),
      this.slider, this.counter);
  }

  #newIdeas() {
    return new Ideas(this.info.searches[this.search].ideas, () => this.#start(), this.search === "mcts");
  }

  /** @param {number | null} seat */
  #sign(seat) {
    if (seat === 2) return "⚄";
    return this.shown && (seat === 0 || seat === 1) ? markOf(this.shown, seat) : "";
  }

  // --- talking to the server ------------------------------------------------------------------------------------

  #about() {
    return { game: this.info.name, options: this.options };
  }

  /** The position itself comes first. @param {string | null} [thrown] the throw after which a search begins */
  async #open(thrown = null) {
    try {
      const from = thrown === null ? this.position : this.before;
      const answer = await this.socket.ask({ do: "follow", ...this.#about(), position: from, moves: thrown === null ? [] : [thrown] });
      const { view } = answer;
      this.before = view.position;
      // Without one to move there is nothing to search.
      this.position = view.turn === null || view.chance ? null : view.position;
      this.views.set("", { view, step: null });
      this.shown = view;
      this.stage.classList.toggle("wide", view.board === "pits");
      await this.board.show(view, { say: false });
      if (view.turn === null) this.#say("The game is over here: there is nothing to search.");
      else if (view.chance) {
        this.saying.replaceChildren("First comes a throw. After which one shall the search begin?", el("span", { class: "actions" }, view.moves.map((/** @type {import("../boards/types.js").Move} */ move) =>
          el("button", { type: "button", onclick: () => this.#open(move.move) }, capital(move.text ?? move.move)))));
      } else this.#start();
      this.#controlsNow();
    } catch (error) {
      this.#say(capital(/** @type {Error} */ (error).message));
    }
  }

  /** Have the search made, from the beginning. */
  #start() {
    if (!this.position) return;
    const subject = { ...this.#about(), position: this.position, search: this.search, ideas: this.ideas.chosen, depth: this.depth };
    this.tracing = this.number += 1;
    this.counting = this.number += 1;
    this.steps = [];
    this.coming = 0;
    this.effort = null;
    this.#reset(0);
    this.#say("The search begins …");
    this.ideas.clear();
    this.socket.send({ do: "microscope", ...subject, number: this.tracing });
    this.socket.send({ do: "count", ...subject, number: this.counting });
  }

  /** @param {any} message */
  hear(message) {
    if (message.number === this.tracing) this.#hearTrace(message);
    else if (message.number === this.counting) this.#hearCount(message);
    else if (message.event === "refused") this.#say(capital(message.text));
  }

  /** @param {any} message */
  #hearTrace(message) {
    if (message.event === "trace") {
      if (message.unit) this.tree = new SearchTree(message.unit);
      const first = !this.steps.length && message.steps.length;
      for (const step of message.steps) {
        this.steps.push(step);
        if (step[0] === "child" || step[0] === "simulation") this.coming += 1;
      }
      if (this.speed === Infinity && this.playing) this.#seek(this.steps.length);
      else if (first) this.#seek(1);
      if (first && !this.playing && settings.motion && !stillness()) this.#toggle();
    } else if (message.event === "traced") {
      this.effort = message;
      this.#describe();
    } else if (message.event === "problem") this.#say(capital(message.text));
    this.#controlsNow();
  }

  /** @param {any} message */
  #hearCount(message) {
    if (message.event === "counting") {
      this.ideas.add(message);
      this.#describe();
    } else if (message.event === "compiling") this.ideas.remark(`Getting ready to count: compiling ${message.what}. This happens once.`);
    else if (message.event === "counted") {
      this.ideas.remark(this.search === "mcts" ? "What the same number of simulations finds with one idea the other way round."
        : "Nodes that the compiled search needs for the same depth, with one idea the other way round. The bars are logarithmic.");
    } else if (message.event === "problem") this.ideas.remark(capital(message.text));
  }

  // --- time -----------------------------------------------------------------------------------------------------

  /** @param {number} at */
  #reset(at) {
    this.tree = new SearchTree(this.tree.unit);
    this.at = 0;
    this.said = [];
    this.selected = null;
    if (at) this.#forward(at);
    else this.#draw();
  }

  /** Go to the moment after so many steps. @param {number} at */
  #seek(at) {
    const to = Math.min(Math.max(at, 0), this.steps.length);
    this.follow = true;
    if (to < this.at) this.#reset(to);
    else this.#forward(to);
  }

  /** @param {number} to */
  #forward(to) {
    while (this.at < to) {
      const step = this.steps[this.at];
      this.at += 1;
      const about = this.tree.apply(step);
      if (this.follow) this.selected = about;
      // Only what can be read is worth wording.
      if (to - this.at < LOG_LINES) {
        this.said.push(this.narrator.tell(this.tree, step));
        if (this.said.length > LOG_LINES) this.said.shift();
      }
    }
    this.#draw();
  }

  /** On to the moment when another node has been counted. */
  #node() {
    let to = this.at;
    do to += 1; while (to < this.steps.length && !["child", "simulation"].includes(this.steps[to][0]));
    this.#seek(to);
  }

  #toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.steps.length && this.effort) this.#reset(0);
    this.#controlsNow();
    // A screen reader cannot follow more than a sentence a second.
    this.saying.setAttribute("aria-live", this.playing && this.speed > 1 ? "off" : "polite");
    if (!this.playing) return;
    this.follow = true;
    this.lastFrame = performance.now();
    this.owed = 0;
    requestAnimationFrame((now) => this.#frame(now));
  }

  /** @param {number} now */
  #frame(now) {
    if (!this.playing || !this.stage.isConnected) return;
    this.owed = this.speed === Infinity ? Infinity : this.owed + ((now - this.lastFrame) / 1000) * this.speed;
    this.lastFrame = now;
    const whole = this.speed === Infinity ? this.steps.length - this.at : Math.floor(this.owed);
    if (whole > 0) {
      this.owed -= this.speed === Infinity ? 0 : whole;
      this.#forward(Math.min(this.at + whole, this.steps.length));
    }
    if (this.at >= this.steps.length && this.effort) this.#toggle();
    else requestAnimationFrame((next) => this.#frame(next));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    const field = target.closest("input, select");
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("select, .outline, .log") || (field && event.key.length > 1)) return;
    const acts = /** @type {Record<string, () => void>} */ ({
      ArrowRight: () => this.#seek(this.at + 1), ArrowLeft: () => this.#seek(this.at - 1), Home: () => this.#seek(0), End: () => this.#seek(this.steps.length),
      n: () => this.#node(), N: () => this.#node(), " ": () => this.#toggle(),
    });
    if (event.key === " " && target.closest("button, a, input")) return;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // --- showing --------------------------------------------------------------------------------------------------

  /** @param {number} id */
  #choose(id) {
    this.follow = false;
    this.playing = false;
    this.selected = id;
    this.#draw();
  }

  /** @param {string} text */
  #say(text) {
    this.saying.textContent = text;
  }

  #draw() {
    const tree = this.tree;
    this.outline.show(tree, this.selected, this.follow);
    this.map.draw(tree, this.selected, this.coming, this.search === "alphabeta" ? this.depth + 1 : 4);
    this.#controlsNow();
    this.#describe();
    if (this.said.length && this.at) this.#say(this.said[this.said.length - 1]);
    this.log.replaceChildren(...this.said.slice(0, -1).reverse().filter(Boolean).map((text) => el("li", {}, text)));
    this.#look();
  }

  #controlsNow() {
    const { slider, counter, playButton } = this;
    slider.max = String(this.steps.length);
    slider.value = String(this.at);
    slider.setAttribute("aria-valuetext", `step ${this.at} of ${this.steps.length}`);
    counter.textContent = `Step ${this.at.toLocaleString("en")} of ${this.steps.length.toLocaleString("en")}${this.effort ? "" : " …"}`;
    playButton.textContent = this.playing ? "▮▮" : "▶";
    playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    playButton.title = this.playing ? "Pause (space)" : "Play (space)";
  }

  /** Counters, the selected node, the legend. */
  #describe() {
    const { tree } = this;
    const { counts } = tree;
    const simulations = this.search === "mcts";
    /** @type {[string, string][]} */
    const rows = simulations ? [["Simulations", tree.nodes.toLocaleString("en")], ["Nodes expanded", String(counts.expanded)], ["Deepest path", String(tree.path.length ? tree.deepest : 0)], ["Proven results", String(counts.proven)]] : [
      ["Nodes", tree.nodes.toLocaleString("en")], ["Leaves evaluated", counts.leaves.toLocaleString("en")],
      ["Cut-offs", `${counts.cuts} (${counted(counts.left, "move")} left out)`], ["Table hits", `${counts.hits} (${counts.settled} settled it)`],
      ...(this.search === "alphabeta" ? /** @type {[string, string][]} */ ([["Null windows", `${counts.nullWindows} (${counts.again} searched again)`], ["Reductions", String(counts.reduced)], ["ProbCut", String(counts.probcuts)]])
        : /** @type {[string, string][]} */ ([["Chance nodes", String(counts.throws)], ["Star2 probes", String(counts.probes)]])),
    ];
    this.counters.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
    const compiled = this.ideas.efforts.find((effort) => effort.ideas.join() === [...this.ideas.chosen].sort().join());
    const effort = this.effort;
    this.note.textContent = !effort ? ""
      : !effort.complete ? `The trace ends after ${counted(effort.nodes, "node")}: the whole search would be longer than can be looked at.`
        : `${this.narrator.who(this.shown?.turn ?? 0)} plays ${effort.move}, ${Math.round(100 * effort.value)} %, after ${counted(effort.nodes, simulations ? "simulation" : "node")}.`
          + (compiled && compiled.nodes === effort.nodes ? ` The compiled search counts the same ${compiled.nodes.toLocaleString("en")}.` : "");
    const item = (/** @type {string} */ kind, /** @type {string} */ text) => el("span", {}, el("i", { class: `swatch ${kind}` }), text);
    this.legend.replaceChildren(...(simulations ? [item("now", "selected"), item("node", "width: share of the simulations")]
      : [item("now", "selected"), item("node", "searched"), item("leaf", "leaf"), item("cut", "cut off"), item("table", "known to the table"), item("again", "searched again")]));
    this.#showWindow();
  }

  /** The window of the selected node as a bar, with who holds its edges. */
  #showWindow() {
    const { tree, selected } = this;
    const entry = selected === null ? undefined : tree.entries.get(selected);
    const view = this.shown;
    if (!entry || !view) {
      this.window.replaceChildren();
      this.path.textContent = "";
      return;
    }
    const line = tree.line(entry.id);
    this.path.textContent = line.length ? line.join("  ") : "The position that is searched";
    const known = entry.low !== null && entry.high !== null ? entry : entry.parent === null || tree.path.length ? null : tree.at(entry.parent);
    const bar = el("div", { class: known ? "window-bar" : "window-bar plain", "aria-hidden": "true" });
    /** @type {string[]} */
    const words = [];
    if (known && known.low !== null && known.high !== null) {
      const [low, high] = [tree.share(known.low), tree.share(known.high)];
      const inside = el("span", { class: "window-open" });
      inside.style.left = `${100 * low}%`;
      inside.style.width = `${100 * Math.max(high - low, 0.004)}%`;
      bar.append(inside);
      words.push(this.#edge(known.lowFrom, known.low, 0), this.#edge(known.highFrom, known.high, 1));
    }
    if (entry.bounds) {
      const mean = el("span", { class: "window-bounds" });
      mean.style.left = `${100 * tree.share(entry.bounds[0])}%`;
      mean.style.width = `${100 * Math.max(tree.share(entry.bounds[1]) - tree.share(entry.bounds[0]), 0.004)}%`;
      bar.append(mean);
    }
    const best = tree.best(entry);
    const reached = entry.value ?? (best === null ? null : tree.at(best).value);
    if (reached !== null) {
      const tick = el("span", { class: entry.value === null ? "window-value so-far" : "window-value" });
      tick.style.left = `${100 * tree.share(reached)}%`;
      bar.append(tick);
    }
    const value = this.narrator.value(tree, entry) || (reached === null ? "not known yet" : `${this.narrator.percent(tree, reached)} so far`);
    this.window.replaceChildren(
      el("p", { class: "window-title" }, el("b", {}, `${capital(view.seats[0])} wins: ${value}`),
        entry.visits ? el("span", { class: "muted" }, ` ${counted(entry.visits, "visit")}`) : ""),
      bar, el("div", { class: "window-ends muted", "aria-hidden": "true" }, el("span", {}, "0 %"), el("span", {}, "100 %")),
      ...words.filter(Boolean).map((text) => el("p", { class: "window-edge" }, text)));
  }

  /** @param {import("./search_tree.js").Source} source @param {number} value @param {number} seat the one who has it */
  #edge(source, value, seat) {
    const who = this.narrator.who(seat);
    const edge = seat === 0 ? "Lower edge" : "Upper edge";
    if (source === "null") return `${edge}: a null window, so that the answer is yes or no.`;
    const inside = this.tree.share(value) > 0 && this.tree.share(value) < 1;
    if (source === "throws") return inside ? `${edge}: beyond it this throw alone would decide about the mean.` : "";
    if (source === null) return inside ? `${edge}: where the search expects the value.` : "";
    return `${edge}: ${who} has ${this.tree.at(source.by).token} already, worth ${this.narrator.percent(this.tree, value, seat)} for ${who}.`;
  }

  /** Show the board of the selected node; one question to the server at a time. */
  async #look() {
    if (this.looking || !this.position || this.selected === null) return;
    const entry = this.tree.entries.get(this.selected);
    if (!entry) return;
    const moves = this.tree.line(entry.id);
    const key = moves.join(" ");
    let found = this.views.get(key);
    if (!found) {
      this.looking = true;
      try {
        const answer = await this.socket.ask({ do: "follow", ...this.#about(), position: this.position, moves });
        if (this.views.size >= MOST_VIEWS) this.views.clear();
        found = { view: answer.view, step: answer.step };
        this.views.set(key, found);
      } catch {
        return;
      } finally {
        this.looking = false;
      }
      // While it was asked for, the search may have gone on.
      if (this.playing) await new Promise((resolve) => setTimeout(resolve, 80));
      if (this.selected !== entry.id) this.#look();
    }
    if (found && this.board.view !== found.view) {
      this.board.view = null;
      await this.board.show(found.view, { step: found.step, say: false });
    }
    this.#arrow();
  }

  /** The best move so far of the selected node, on its board. */
  #arrow() {
    const entry = this.selected === null ? undefined : this.tree.entries.get(this.selected);
    const view = this.board.view;
    if (!entry || !view || this.views.get(this.tree.line(entry.id).join(" "))?.view !== view) return;
    const best = this.tree.best(entry);
    const move = best === null ? undefined : view.moves.find((one) => one.move === this.tree.at(best).token);
    const places = (move?.parts ?? []).flat().filter((part) => this.board.hasPlace(part));
    const arrows = places.length ? [{ from: places[0], to: places[places.length - 1], weight: 0.8 }] : [];
    if (JSON.stringify(arrows) !== JSON.stringify(this.board.arrows)) this.board.point(arrows);
  }
}
