// Taking a game elsewhere: a link that holds all of it, its moves, its position, a picture, a film.

import { film, pack, picture, pixels, replay, save } from "../boards/share.js";
import { capital } from "../boards/words.js";
import { el } from "./dom.js";

/** @typedef {import("./socket.js").Socket} Socket */
/** @typedef {{game: string, options: Record<string, any>, start: string | null, moves: string[], names: string[], end: string, ply: number, position: string, flip: boolean}} Subject */

/** What a link to a game begins with, after the #. */
export const SHARED = "/shared/";

/** @type {Promise<string> | null} */
let sheet = null;
const style = () => (sheet ??= fetch("/static/boards/boards.css").then((answer) => answer.text()));

/** @param {Socket} socket @param {() => Subject} subject the game and position shown now */
export function shareBox(socket, subject) {
  const said = el("p", { class: "note", role: "status" });
  const course = async (/** @type {Subject} */ about) => socket.ask({ do: "share", game: about.game, options: about.options, position: about.start, moves: about.moves });
  const shown = async () => {
    const about = subject();
    return { about, views: replay((await course(about)).boards) };
  };
  const copy = async (/** @type {string} */ text, /** @type {string} */ what) => {
    await navigator.clipboard.writeText(text);
    said.textContent = `${what} copied.`;
  };
  const button = (/** @type {string} */ text, /** @type {() => Promise<void>} */ act) => el("button", { type: "button", onclick: async () => {
    said.textContent = "";
    try {
      await act();
    } catch (error) {
      said.textContent = capital(/** @type {Error} */ (error).message);
    }
  } }, text);
  const file = (/** @type {string} */ game, /** @type {string} */ end) => `${game.replace(/[^\w-]+/g, "-")}.${end}`;
  return el("details", { class: "share-box" }, el("summary", {}, "Share"), el("div", { class: "actions" },
    button("Copy a link", async () => {
      const about = subject();
      const { title, boards } = await course(about);
      const data = await pack({ format: 1, game: about.game, title, options: about.options, names: about.names, moves: about.moves, boards, end: about.end });
      await copy(`${location.origin}${location.pathname}#${SHARED}${data}`, "The link holds the whole game;");
    }),
    button("Copy the moves", async () => copy(subject().moves.join(" "), "The moves are")),
    button("Copy the position", async () => copy(subject().position, "The position is")),
    button("Picture (SVG)", async () => {
      const { about, views } = await shown();
      save(new Blob([picture(views[about.ply], await style(), about.flip)], { type: "image/svg+xml" }), file(about.game, "svg"));
    }),
    button("Picture (PNG)", async () => {
      const { about, views } = await shown();
      save(await pixels(picture(views[about.ply], await style(), about.flip)), file(about.game, "png"));
    }),
    button("Game as a moving picture", async () => {
      const { about, views } = await shown();
      save(new Blob([film(views, await style(), about.flip)], { type: "image/svg+xml" }), file(`${about.game}-game`, "svg"));
    })), said);
}
