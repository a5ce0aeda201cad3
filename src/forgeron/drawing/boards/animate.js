// What happened in a move, shown on the board before the new position replaces the old one.

import { h, toElement } from "./svg.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Drawing} Drawing */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").BoardEvent} BoardEvent */
/** @typedef {{svg: SVGSVGElement, view: View, drawing: Drawing, layout: Layout, speed: number, signal: AbortSignal}} Stage */

const SLIDE_MS = 260;
const STEP_MS = 170;
const SEED_MS = 210;
const FADE_MS = 220;
const FLIP_MS = 300;
const THROW_MS = 650;

/** Whether the reader of the page asked for as little motion as possible. */
export function stillness() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? true;
}

/** Show the events of a move one after the other; ends at once when the signal comes. @param {Stage} stage @param {Move} move */
export async function animate(stage, move) {
  for (const event of move.events ?? []) {
    if (stage.signal.aborted) return;
    if (event.do === "slide") await slide(stage, event.path);
    else if (event.do === "sow") await sow(stage, event);
    else if (event.do === "flip") await each(stage, event.at, flip, 55);
    else if (event.do === "take") await each(stage, event.at, fade, 40);
    else if (event.do === "throw") await tumble(stage);
  }
}

/** @param {Stage} stage @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} timing */
async function run(stage, element, frames, timing) {
  const animation = element.animate(frames, { fill: "both", ...timing, duration: Number(timing.duration) * stage.speed, delay: Number(timing.delay ?? 0) * stage.speed });
  const stop = () => animation.finish();
  stage.signal.addEventListener("abort", stop, { once: true });
  await animation.finished.catch(() => undefined);
  stage.signal.removeEventListener("abort", stop);
}

/** @param {Stage} stage @param {string} name */
function standing(stage, name) {
  return stage.svg.querySelector(`.fg-stand[data-place="${CSS.escape(name)}"]`);
}

/** A layer for what moves. @param {Stage} stage */
function air(stage) {
  const layer = /** @type {SVGGElement} */ (toElement(h("g", { class: "fg-layer-flying" })));
  stage.svg.append(layer);
  return layer;
}

/** @param {Stage} stage @param {string[]} path */
async function slide(stage, path) {
  const stops = path.flatMap((name) => stage.layout.places.get(name) ?? []);
  if (stops.length < 2) return;
  const layer = air(stage);
  const source = standing(stage, path[0]);
  const [made] = [stage.drawing.flying?.(stage.view, { do: "slide", path }) ?? null].flat();
  let origin = { x: 0, y: 0 };
  if (made && typeof made === "object") layer.append(toElement(/** @type {any} */ (made)));
  else if (source) {
    origin = stops[0];
    layer.append(...[...source.children].map((child) => child.cloneNode(true)));
  }
  source?.setAttribute("opacity", "0");
  const frames = stops.map((place) => ({ transform: `translate(${place.x - origin.x}px, ${place.y - origin.y}px)` }));
  const far = Math.hypot(stops[1].x - stops[0].x, stops[1].y - stops[0].y);
  const duration = stops.length > 2 ? STEP_MS * (stops.length - 1) : SLIDE_MS + far * 0.18;
  await run(stage, layer, frames, { duration, easing: "cubic-bezier(.3,.05,.25,1)" });
  // The piece stays where it came to until the new position is drawn.
}

/** @param {Stage} stage @param {Extract<BoardEvent, {do: "sow"}>} event */
async function sow(stage, event) {
  const from = stage.layout.places.get(event.from);
  const seeds = [stage.drawing.flying?.(stage.view, event) ?? []].flat();
  if (!from) return;
  const layer = air(stage);
  const gap = Math.min(SEED_MS * 0.55, 1500 / event.path.length);
  const source = standing(stage, event.from);
  if (source) fadeSome(source, event.seeds);
  await Promise.all(event.path.map((name, i) => {
    const to = stage.layout.places.get(name);
    const seed = seeds[i];
    if (!to || !seed || typeof seed !== "object") return null;
    const element = /** @type {Element} */ (toElement(/** @type {any} */ (seed)));
    layer.append(element);
    // Seeds of later laps fall beside those of earlier ones.
    const [jx, jy] = [((i * 37) % 41) - 20, ((i * 53) % 41) - 20];
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 40 };
    const frames = [[from.x, from.y, 0.9], [middle.x, middle.y, 1.35], [to.x + jx, to.y + jy, 1]]
      .map(([x, y, scale]) => ({ transform: `translate(${x}px, ${y}px) scale(${scale})` }));
    return run(stage, element, frames, { duration: SEED_MS * 1.6, delay: i * gap, easing: "ease-in-out" });
  }));
}

/** The seeds that are taken into the hand vanish from their hole. @param {Element} heap @param {string[]} seeds */
function fadeSome(heap, seeds) {
  const kinds = { R: "fg-seed-red", B: "fg-seed-blue", T: "fg-seed-clear" };
  for (const letter of new Set(seeds)) {
    for (const seed of heap.querySelectorAll(`.${kinds[/** @type {"R"} */ (letter)] ?? "fg-seed"}`)) seed.setAttribute("opacity", "0");
  }
}

/** @param {Stage} stage @param {string[]} names @param {(stage: Stage, place: Place, element: Element, delay: number) => Promise<void>} act @param {number} gap */
async function each(stage, names, act, gap) {
  await Promise.all(names.map((name, i) => {
    const [place, element] = [stage.layout.places.get(name), standing(stage, name)];
    return place && element ? act(stage, place, element, i * gap) : null;
  }));
}

/** @param {Stage} stage @param {Place} place @param {Element} element @param {number} delay */
function flip(stage, place, element, delay) {
  /** @type {SVGElement} */ (element).style.transformOrigin = `${place.x}px ${place.y}px`;
  const frames = [{ transform: "scaleX(1)" }, { transform: "scaleX(0.05)" }];
  return run(stage, element, frames, { duration: FLIP_MS / 2, delay, easing: "ease-in" });
}

/** @param {Stage} stage @param {Place} place @param {Element} element @param {number} delay */
function fade(stage, place, element, delay) {
  /** @type {SVGElement} */ (element).style.transformOrigin = `${place.x}px ${place.y}px`;
  const frames = [{ transform: "scale(1)", opacity: 1 }, { transform: "scale(1.25)", opacity: 0 }];
  return run(stage, element, frames, { duration: FADE_MS, delay, easing: "ease-in" });
}

/** The sticks fly up and turn over. @param {Stage} stage */
async function tumble(stage) {
  const all = [...stage.svg.querySelectorAll(".fg-stick-place > *")];
  await Promise.all(all.map((element, i) => {
    const turn = [340, -300, 260, -380][i % 4];
    const frames = [
      { transform: "translateY(0) rotate(0)" },
      { transform: `translateY(-${120 + 30 * (i % 3)}px) rotate(${turn / 2}deg)`, offset: 0.45 },
      { transform: `translateY(0) rotate(${turn > 0 ? 360 : -360}deg)` },
    ];
    /** @type {SVGElement} */ (element).style.transformBox = "fill-box";
    /** @type {SVGElement} */ (element).style.transformOrigin = "center";
    return run(stage, element, frames, { duration: THROW_MS, delay: i * 40, easing: "cubic-bezier(.3,.6,.5,1)" });
  }));
}
