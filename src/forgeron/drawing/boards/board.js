// A board that is played on: by mouse, touch, keyboard and screen reader.

import { animate, stillness } from "./animate.js";
import { drawingOf, frame, inWords, layers, taken, touched } from "./draw.js";
import { MoveBuilder } from "./moves.js";
import { h, patch } from "./svg.js";
import { capital, statusInWords } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Choice} Choice */
/**
 * @typedef {object} Options
 * @property {(move: Move) => void} [onMove] a person has said a move
 * @property {() => void} [onThrow] a person wants to throw
 * @property {(seat: 0 | 1) => boolean} [mayMove] whether the person at this page plays the seat
 * @property {boolean} [flip]
 * @property {boolean} [motion] false: nothing moves
 */

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const DRAG_PIXELS = 8;

export class Board {
  /** @param {HTMLElement} host @param {Options} [options] */
  constructor(host, options = {}) {
    this.options = options;
    this.flip = options.flip ?? false;
    /** @type {View | null} */
    this.view = null;
    /** @type {Move | null} the move that led to the position, where it is known */
    this.step = null;
    /** @type {{from: string, to: string, weight?: number}[]} */
    this.arrows = [];
    /** @type {MoveBuilder | null} */
    this.builder = null;
    /** @type {string | null} what the keyboard is at */
    this.focus = null;
    /** @type {string | null} what the pointer is over */
    this.hover = null;
    /** The last move was made with the keyboard, which then stays on the board. */
    this.byKeyboard = false;
    /** @type {AbortController | null} the animation that runs */
    this.running = null;
    this.host = host;
    host.classList.add("fg-board");
    this.svg = /** @type {SVGSVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", "svg"));
    this.plain = document.createElement("pre");
    this.plain.className = "fg-plain";
    this.below = document.createElement("div");
    this.below.className = "fg-below";
    this.prompt = document.createElement("p");
    this.prompt.className = "fg-prompt";
    this.buttons = document.createElement("div");
    this.buttons.className = "fg-buttons";
    this.below.append(this.prompt, this.buttons);
    this.live = document.createElement("div");
    this.live.className = "fg-live";
    this.live.setAttribute("aria-live", "polite");
    host.replaceChildren(this.svg, this.plain, this.below, this.live);
    this.#listen();
  }

  /**
   * Show a position. With the move that led to it, from the position shown now, what happened is animated and told.
   * The position that is shown already stays as it is, with what was chosen on it.
   * @param {View} view
   * @param {{step?: Move | null, say?: boolean}} [how]
   */
  async show(view, how = {}) {
    this.running?.abort();
    const before = this.view;
    if (before && !this.running && samePosition(before, view)) {
      this.view = view;
      this.#keep();
      return;
    }
    const step = how.step === undefined ? before?.moves.find((move) => move.move === view.last) ?? null : how.step;
    const running = new AbortController();
    this.running = running;
    this.builder = null;
    this.hover = null;
    this.arrows = [];
    this.#settle();
    const drawing = before && drawingOf(before);
    if (before && drawing && step && this.options.motion !== false && !stillness()) {
      this.#render();
      this.prompt.textContent = "";
      const layout = drawing.layout(before, this.flip);
      await animate({ svg: this.svg, view: before, drawing, layout, speed: 1, signal: running.signal }, step);
      if (running.signal.aborted) return;
    }
    this.#settle();
    this.view = view;
    this.step = step;
    this.running = null;
    this.#rebuild();
    if (how.say !== false) this.#say(before, step);
  }

  /** Nothing moves any more. An animation keeps its last frame on elements that the next position is drawn with. */
  #settle() {
    for (const animation of this.svg.getAnimations({ subtree: true })) animation.cancel();
    this.svg.querySelectorAll(".fg-layer-flying").forEach((layer) => layer.remove());
  }

  /** Turn the board. @param {boolean} flip */
  turn(flip) {
    this.flip = flip;
    this.#render();
  }

  /** @param {{from: string, to: string, weight?: number}[]} arrows */
  point(arrows) {
    this.arrows = arrows;
    this.#render();
  }

  /** Whether the board shown has a place of this name. @param {string} name */
  hasPlace(name) {
    return Boolean(this.view && drawingOf(this.view)?.layout(this.view, this.flip).places.has(name));
  }

  /** Forget the parts of a move that were said so far. */
  cancel() {
    this.builder?.reset();
    this.#render();
    this.#tell("Cancelled.");
  }

  /** Ask again who may move; for a page on which that has changed. */
  refresh() {
    this.#rebuild();
  }

  /** Whether the person at this page can say a move now. */
  #isAsked() {
    const view = this.view;
    return Boolean(view && view.turn !== null && !view.outcome && !view.chance && this.options.onMove
      && (this.options.mayMove?.(view.turn) ?? true));
  }

  #rebuild() {
    const view = this.view;
    if (!view) return;
    const places = drawingOf(view)?.layout(view, this.flip).places ?? new Map();
    this.builder = this.#isAsked() ? new MoveBuilder(view.moves, places) : null;
    this.#render();
    if (this.byKeyboard && (this.builder || this.buttons.children.length)) {
      this.byKeyboard = false;
      const active = document.activeElement;
      if (!active || active === document.body || this.svg.contains(active)) this.#settleFocus();
    }
  }

  /** Something but the position has changed: a move that was begun goes on. */
  #keep() {
    if (this.builder && this.#isAsked()) this.#render();
    else this.#rebuild();
  }

  /** @param {View | null} before @param {Move | null} step */
  #say(before, step) {
    const view = /** @type {View} */ (this.view);
    const mover = before?.turn;
    const told = step && mover !== null && mover !== undefined ? `${capital(view.seats[mover])}: ${step.text ?? step.move}. ` : "";
    this.#tell(told + statusInWords(view));
  }

  /** @param {string} text */
  #tell(text) {
    this.live.textContent = text;
  }

  /** What the pointer or the keyboard is at would complete this move. @returns {Move | null} */
  #previewed() {
    const name = this.hover ?? this.focus;
    const moves = name === null ? undefined : this.builder?.targets.get(name);
    return moves?.length === 1 ? moves[0] : null;
  }

  #render() {
    const view = this.view;
    if (!view) return;
    const drawing = drawingOf(view);
    this.svg.toggleAttribute("hidden", !drawing);
    this.svg.style.display = drawing ? "" : "none";
    this.plain.hidden = Boolean(drawing);
    this.plain.textContent = view.drawing;
    const builder = this.builder;
    const targets = builder?.targets ?? new Map();
    /** @type {Map<string, Choice>} */
    let choices = new Map();
    if (drawing) {
      const layout = drawing.layout(view, this.flip);
      // The page keeps the whole board in sight by it.
      this.host.style.setProperty("--fg-aspect", String(layout.width / layout.height));
      const open = [...targets.keys()].filter((name) => !layout.places.has(name));
      choices = drawing.choices?.(view, layout, open, builder?.chosen ?? []) ?? new Map();
      const marks = {
        flip: this.flip, last: touched(this.step), taken: taken(this.step), targets, chosen: builder?.chosen ?? [],
        preview: this.#previewed(), arrows: this.arrows,
      };
      const spots = [...layout.places.values()].filter((place) => targets.has(place.name));
      if (!spots.some((place) => place.name === this.focus) && !choices.has(this.focus ?? "")) this.focus = null;
      const first = this.focus ?? spots[0]?.name ?? [...choices.keys()][0] ?? null;
      patch(this.svg, frame(view, layout, { role: "group", "aria-label": inWords(view).join(" ") },
        layers(view, drawing, layout, marks),
        h("g", { class: "fg-layer-choices" }, view.board === "circle" && choices.size > 0 && h("circle", { class: "fg-veil", cx: 500, cy: 500, r: 236 }),
          [...choices.values()].map((choice) => this.#option(choice, first))),
        h("g", { class: "fg-layer-places" }, [...layout.places.values()].map((place) => this.#spot(view, place, targets, first)))));
    }
    this.#controls(view, targets, choices, drawing ? drawing.layout(view, this.flip).places : new Map());
  }

  /** @param {View} view @param {Place} place @param {Map<string, Move[]>} targets @param {string | null} first */
  #spot(view, place, targets, first) {
    const open = targets.has(place.name);
    const chosen = this.builder?.chosen.includes(place.name) ?? false;
    const drawing = /** @type {import("./types.js").Drawing} */ (drawingOf(view));
    const shape = place.outline ? { ...place.outline, attrs: { ...place.outline.attrs, class: "fg-hit" } }
      : h("circle", { class: "fg-hit", cx: place.x, cy: place.y, r: place.r });
    if (!open && !chosen) return h("g", { class: "fg-place", "data-name": place.name, "aria-hidden": "true" }, shape);
    return h("g", {
      class: "fg-place", "data-name": place.name, role: "button", tabindex: place.name === first ? 0 : -1,
      "aria-label": this.#label(place.name, drawing.content(view, place.name), targets.get(place.name) ?? []),
      "aria-pressed": chosen ? "true" : "false",
    }, shape);
  }

  /** @param {string} name @param {string} content @param {Move[]} moves */
  #label(name, content, moves) {
    const [only, ...others] = moves;
    const what = content ? `${name}, ${content}` : name;
    if (!only) return what;
    return others.length ? `${what}, ${moves.length} moves` : `${what}: ${only.text ?? only.move}`;
  }

  /** @param {Choice} choice @param {string | null} first */
  #option(choice, first) {
    return h("g", {
      class: "fg-place fg-option", "data-name": choice.name, role: "button", tabindex: choice.name === first ? 0 : -1,
      "aria-label": choice.label, "aria-pressed": this.builder?.chosen.includes(choice.name) ? "true" : "false",
    }, choice.face, h("circle", { class: "fg-hit", cx: choice.x, cy: choice.y, r: choice.r }));
  }

  /** The line below the board: what is asked, and buttons for what has no place on the board. @param {View} view @param {Map<string, Move[]>} targets @param {Map<string, Choice>} choices @param {Map<string, Place>} places */
  #controls(view, targets, choices, places) {
    const builder = this.builder;
    /** @type {HTMLButtonElement[]} */
    const buttons = [];
    const add = (/** @type {string} */ text, /** @type {() => void} */ act, main = false) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      if (main) button.className = "fg-main";
      button.addEventListener("click", (event) => {
        this.byKeyboard = event.detail === 0;
        act();
      });
      buttons.push(button);
    };
    const mine = view.turn !== null && !view.outcome && (this.options.mayMove?.(view.turn) ?? true);
    if (view.chance && mine && this.options.onThrow) add(view.throw ?? "Throw the dice", () => this.options.onThrow?.(), true);
    if (builder) {
      for (const [name, moves] of targets) {
        if (places.has(name) || choices.has(name)) continue;
        const label = view.choices?.[name] ?? (moves.length === 1 ? moves[0].text ?? name : name);
        add(label, () => this.#choose(name), targets.size === 1);
      }
      const finished = builder.finished;
      if (finished && builder.candidates.length > 1) add(`Play ${finished.move}`, () => this.#play(finished), true);
      if (builder.chosen.length) add("Cancel", () => this.cancel());
    }
    const ask = builder ? view.asks?.[builder.stage] ?? "Choose a move" : statusInWords(view).replace(/\.$/, "");
    const preview = this.#previewed();
    this.prompt.textContent = builder ? (preview?.text ? capital(preview.text) : ask) : ask;
    const same = buttons.length === this.buttons.children.length
      && buttons.every((button, i) => button.textContent === this.buttons.children[i].textContent);
    if (!same || buttons.length) {
      const focused = [...this.buttons.children].indexOf(/** @type {Element} */ (document.activeElement));
      this.buttons.replaceChildren(...buttons);
      if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)]?.focus();
    }
  }

  /** @param {string} name */
  #choose(name) {
    const builder = this.builder;
    const view = this.view;
    if (!builder || !view) return;
    const move = builder.choose(name);
    if (move) {
      this.#play(move);
      return;
    }
    this.hover = null;
    this.#render();
    if (builder.chosen.length) {
      const where = [...builder.targets.keys()].filter((target) => target.length < 4);
      this.#tell(`${name}. ${view.asks?.[builder.stage] ?? "Choose"}: ${where.slice(0, 30).join(", ")}.`);
    }
  }

  /** @param {Move} move */
  #play(move) {
    this.builder = null;
    this.hover = null;
    this.focus = null;
    this.#render();
    this.options.onMove?.(move);
  }

  #listen() {
    const nameAt = (/** @type {EventTarget | null} */ target) =>
      (target instanceof Element ? target.closest(".fg-place")?.getAttribute("data-name") : null) ?? null;
    let dragged = false;
    this.svg.addEventListener("click", (event) => {
      if (dragged) dragged = false;
      else this.#point(nameAt(event.target));
    });
    this.svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const name = nameAt(event.target);
      const open = name !== null && this.builder?.targets.has(name) ? name : null;
      if (open !== this.hover) {
        this.hover = open;
        this.#render();
      }
    });
    this.svg.addEventListener("pointerleave", () => {
      this.hover = null;
      this.#render();
    });
    this.svg.addEventListener("pointerdown", (event) => {
      this.byKeyboard = false;
      const name = nameAt(event.target);
      dragged = false;
      if (event.pointerType === "touch" || name === null || !this.builder?.targets.has(name) || !this.view) return;
      this.#drag(event, name, nameAt, () => { dragged = true; });
    });
    this.host.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => {
      const name = nameAt(event.target);
      if (name !== this.focus) {
        this.focus = name;
        this.#render();
      }
    });
    this.svg.addEventListener("focusout", () => { this.focus = null; });
  }

  /** A click on a place or choice; what is no target cancels. @param {string | null} name */
  #point(name) {
    if (!this.builder) return;
    if (name !== null) this.#choose(name);
    else if (this.builder.chosen.length) this.cancel();
  }

  /**
   * Carry a piece with the mouse: the same as pointing at its place and then at the one where it is let go.
   * @param {PointerEvent} down
   * @param {string} name
   * @param {(target: EventTarget | null) => string | null} nameAt
   * @param {() => void} begun
   */
  #drag(down, name, nameAt, begun) {
    /** @type {SVGGElement | null} */
    let ghost = null;
    const move = (/** @type {PointerEvent} */ event) => {
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!ghost) {
        if (Math.hypot(dx, dy) < DRAG_PIXELS) return;
        const standing = this.svg.querySelector(`.fg-stand[data-place="${CSS.escape(name)}"]`);
        if (!standing?.children.length || this.view?.board === "circle" || this.view?.board === "pits") return;
        begun();
        if (!this.builder?.chosen.includes(name)) this.#choose(name);
        ghost = /** @type {SVGGElement} */ (standing.cloneNode(true));
        ghost.setAttribute("class", "fg-layer-flying");
        this.svg.append(ghost);
      }
      const scale = this.svg.viewBox.baseVal.width / this.svg.getBoundingClientRect().width;
      ghost.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
    };
    const up = (/** @type {PointerEvent} */ event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      if (!ghost) return;
      ghost.remove();
      const over = nameAt(document.elementFromPoint(event.clientX, event.clientY));
      if (over !== null && over !== name && this.builder?.targets.has(over)) this.#choose(over);
      else this.#render();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.builder?.chosen.length) {
      this.cancel();
      this.#settleFocus();
      event.preventDefault();
      return;
    }
    if (!(event.target instanceof Element) || !event.target.closest(".fg-place")) return;
    const name = event.target.closest(".fg-place")?.getAttribute("data-name") ?? null;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.byKeyboard = true;
      this.#point(name);
      if (this.builder) this.#settleFocus();
    } else if (event.key in WAYS && name !== null) {
      event.preventDefault();
      const [dx, dy] = WAYS[/** @type {keyof typeof WAYS} */ (event.key)];
      this.#step(event.target, dx, dy);
    }
  }

  /** Go to the nearest target in a direction. @param {Element} from @param {number} dx @param {number} dy */
  #step(from, dx, dy) {
    const middle = (/** @type {Element} */ element) => {
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const start = middle(from);
    let best = null;
    let least = Infinity;
    for (const other of this.svg.querySelectorAll('.fg-place[role="button"]')) {
      if (other === from) continue;
      const { x, y } = middle(other);
      const ahead = (x - start.x) * dx + (y - start.y) * dy;
      const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
      if (ahead <= 1) continue;
      const far = ahead + 2.2 * aside;
      if (far < least) [best, least] = [other, far];
    }
    if (best) /** @type {SVGElement} */ (best).focus();
  }

  /** After a choice by keyboard the focus is on something that can be chosen next. */
  #settleFocus() {
    const active = document.activeElement;
    if (active instanceof Element && this.svg.contains(active) && active.getAttribute("role") === "button") return;
    const next = this.svg.querySelector('.fg-place[role="button"][tabindex="0"]') ?? this.svg.querySelector('.fg-place[role="button"]');
    if (next instanceof SVGElement) next.focus();
    else /** @type {HTMLElement | null} */ (this.buttons.querySelector("button"))?.focus();
  }
}

/** @param {View} one @param {View} other */
function samePosition(one, other) {
  return one.game === other.game && one.position === other.position && one.last === other.last && one.moves.length === other.moves.length;
}
