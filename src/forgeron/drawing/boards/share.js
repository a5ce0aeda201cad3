// A game that travels: in the address of a page, as a picture, as a film. Nothing here needs a server.

import { draw, drawText, taken, touched } from "./draw.js";
import { h, toText } from "./svg.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {View & {step: import("./types.js").Move | null}} Shown */
/** @typedef {{format: 1, game: string, title: string, options: Record<string, any>, names: string[], moves: string[], boards: any[][][], end: string}} SharedGame */

const FRAME_SECONDS = 1;
const PIXELS = 1200;
/** A link comes from anywhere: what it may hold, packed and unpacked. A long game has some ten thousand bytes. */
const MOST_SIGNS = 500_000;
const MOST_BYTES = 8_000_000;
const MOST_MOVES = 2_000;

/** The positions of a game from what each move has changed. @param {any[][][]} course @returns {Shown[]} */
export function replay(course) {
  /** @type {any} */
  let view = {};
  return course.map((changes) => {
    view = structuredClone(view);
    for (const change of changes) {
      const value = change[change.length - 1];
      if (change.length === 1) view = structuredClone(value);
      else change.slice(0, -2).reduce(own, view)[ordinary(change[change.length - 2])] = structuredClone(value);
    }
    return { ...view, drawing: view.drawing.join("\n"), moves: [] };
  });
}

/** A key that names a part of a view, and nothing that all objects share. @param {any} key @returns {string | number} */
function ordinary(key) {
  if (!(typeof key === "string" || Number.isInteger(key)) || ["__proto__", "constructor", "prototype"].includes(key)) throw new Error("key");
  return key;
}

/** @param {any} at @param {any} key */
function own(at, key) {
  if (!Object.hasOwn(at, ordinary(key))) throw new Error("key");
  return at[key];
}

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream @param {number} [most] more is an error */
async function through(bytes, stream, most = Infinity) {
  const piped = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (stream));
  const reader = piped.getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("size");
    }
  }
  return new Uint8Array(await new Blob(/** @type {any} */ (parts)).arrayBuffer());
}

/** A game as text for an address. @param {SharedGame} game */
export async function pack(game) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(game)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The game of such a text; an error when it is none. @param {string} text @returns {Promise<SharedGame>} */
export async function unpack(text) {
  try {
    if (text.length > MOST_SIGNS) throw new Error("size");
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
    const game = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"), MOST_BYTES)));
    if (!isGame(game) || game.boards.length !== game.moves.length + 1) throw new Error("format");
    for (const view of replay(game.boards)) if (drawText(view).includes("NaN")) throw new Error("view");
    return game;
  } catch {
    throw new Error("this link holds no game; perhaps a part of it is missing");
  }
}

/** @param {any} game @returns {game is SharedGame} */
function isGame(game) {
  const isText = (/** @type {any} */ value) => typeof value === "string";
  return game.format === 1 && [game.game, game.title, game.end].every(isText)
    && typeof game.options === "object" && game.options !== null && !Array.isArray(game.options)
    && Array.isArray(game.names) && game.names.length === 2 && game.names.every(isText)
    && Array.isArray(game.moves) && game.moves.length <= MOST_MOVES && game.moves.every(isText)
    && Array.isArray(game.boards) && game.boards.every(Array.isArray);
}

/** @param {Shown} view @param {boolean} flip */
const marksOf = (view, flip) => ({ flip, last: touched(view.step ?? null), taken: taken(view.step ?? null) });

/** A board as a file of its own. @param {Shown} view @param {string} style @param {boolean} [flip] */
export function picture(view, style, flip = false) {
  return drawText(view, marksOf(view, flip), style);
}

/** A whole game as one picture that moves, a position a second. @param {Shown[]} views @param {string} style @param {boolean} [flip] */
export function film(views, style, flip = false) {
  const frames = [...views, views[views.length - 1]];  // the end is shown twice as long
  const [first] = frames.map((view) => draw(view, marksOf(view, flip)));
  if (!first) return "";
  const seconds = FRAME_SECONDS * frames.length;
  const inside = frames.map((view, i) => {
    const node = /** @type {import("./svg.js").Node} */ (draw(view, marksOf(view, flip)));
    const [from, to] = [i / frames.length, (i + 1) / frames.length];
    const times = i === 0 ? `0;${to}` : to === 1 ? `0;${from}` : `0;${from};${to}`;
    const values = i === 0 ? "inline;none" : to === 1 ? "none;inline" : "none;inline;none";
    return h("g", { display: i === 0 ? "inline" : "none" },
      h("animate", { attributeName: "display", dur: `${seconds}s`, keyTimes: times, values, calcMode: "discrete", repeatCount: "indefinite" }), node.children);
  });
  return toText(h("svg", { ...first.attrs, xmlns: "http://www.w3.org/2000/svg" }, h("style", {}, style), inside));
}

/** A picture as pixels. @param {string} svg @returns {Promise<Blob>} */
export async function pixels(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = PIXELS / Math.max(image.width, image.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser draws no pictures"))), "image/png");
  });
}

/** Have the browser keep a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
