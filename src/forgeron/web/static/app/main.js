// The page: which of its views is shown follows from the address after the #.

import { replay, unpack } from "../boards/share.js";
import { Analyse } from "./analyse.js";
import { byId, el } from "./dom.js";
import { EventPage } from "./event.js";
import { showHome } from "./home.js";
import { Learn } from "./learn.js";
import { Microscope } from "./microscope.js";
import { Play } from "./play.js";
import { settings, showSettings } from "./settings.js";
import { showSetup } from "./setup.js";
import { Socket } from "./socket.js";
import { showWatch } from "./watch.js";

/** @type {HTMLElement} */
const main = byId("main");
/** @type {HTMLElement} */
const banner = byId("banner");
/** @type {import("./home.js").GameInfo[]} */
let games = [];
/** @type {Play | Analyse | EventPage | Learn | Microscope | null} the page that hears what happens */
let play = null;

const socket = new Socket({
  onMessage(message) {
    if (play) play.hear(message);
    else if (message.event === "refused") tell(message.text);
  },
  onState(open) {
    tell(open ? "" : "The connection to the server is lost. Trying again …");
    if (open) route(true);
  },
});

/** @param {string} text */
function tell(text) {
  banner.textContent = text;
  banner.hidden = !text;
}

/** Show what the address says. @param {boolean} [again] the connection is new: what is shown stays, and is told anew */
async function route(again = false) {
  const [, page = "", name = "", ...more] = partsOf(location.hash);
  showPlace(page);
  if (!socket.open) return;
  try {
    if (again && play && play.id === name) {
      if (page === "game") socket.game("open", name);
      else if (page === "watch") socket.game("event-watch", name);
      else play.refresh();
      return;
    }
    play?.close();
    play = null;
    if (page === "game" && games.length) {
      await showGame(name);
      return;
    }
    const answer = await socket.ask({ do: "games", key: settings.key });
    games = answer.games;
    if (page === "game") await showGame(name);
    else {
      socket.send({ do: "leave" });
      const chosen = games.find((game) => game.name === name);
      if (!name && ["learn", "analyse", "understand"].includes(page)) showHome(main, games, [], page);
      else if (page === "analyse") await showAnalysis(name, chosen, positionOf(more));
      else if (page === "learn" && chosen) play = new Learn(main, socket, chosen, name);
      else if (page === "understand" && chosen) play = new Microscope(main, socket, chosen, name, positionOf(more));
      else if (page === "shared") await showShared(name);
      else if (page === "replay") await showReplay(name, more[0] ?? "");
      else if (page === "watch") await (name ? showEvent(name) : showEvents());
      else if (page === "new" && chosen) showSetup(main, chosen, begin);
      else showHome(main, games, answer.recent);
    }
  } catch (error) {
    tell(/** @type {Error} */ (error).message);
  }
}

/** The parts of an address; one that was cut off within a sign is taken as it is. @param {string} address */
function partsOf(address) {
  return address.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

/** The page that is open, in the line above all pages. @param {string} page */
function showPlace(page) {
  for (const link of document.querySelectorAll(".nav a")) {
    const [, name = ""] = (link.getAttribute("href") ?? "").split("/");
    const here = name === page || (name === "" && ["new", "game"].includes(page)) || (name === "analyse" && ["shared", "replay"].includes(page));
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} id */
async function showGame(id) {
  play = new Play(main, socket, games, id);
  try {
    await socket.ask({ do: "open", id, key: settings.key });
  } catch (error) {
    play.close();
    play = null;
    main.replaceChildren(el("h1", {}, "There is no such game here"), el("p", {}, el("a", { href: "#/" }, "All games")));
    throw error;
  }
}

/** The position that an address names, and the options of its game. @param {string[]} parts @returns {{position: string | null, options: Record<string, any> | null}} */
function positionOf([position = "", options = ""]) {
  try {
    return { position: position || null, options: options ? JSON.parse(options) : null };
  } catch {
    throw new Error("this address names no position");
  }
}

/** @param {string} name the id of a game played here, or the name of a game @param {import("./home.js").GameInfo | undefined} chosen @param {{position: string | null, options: Record<string, any> | null}} about */
async function showAnalysis(name, chosen, about) {
  const history = chosen ? null : await socket.ask({ do: "history", id: name, key: settings.key });
  const info = chosen ?? games.find((game) => game.name === history?.game);
  if (!info) throw new Error("this game is not here any more");
  play = new Analyse(main, socket, info, name, history, about);
}

/** A game that an address holds. @param {string} data */
async function showShared(data) {
  const shared = await unpack(data);
  const info = games.find((game) => game.name === shared.game);
  if (!info) throw new Error(`this server does not play ${shared.title}`);
  const views = replay(shared.boards);
  const last = views[views.length - 1].outcome;
  play = new Analyse(main, socket, info, data, { ...shared, positions: views.map((view) => view.position), turns: views.map((view) => view.turn),
    result: last && { ...last, detail: last.reason } }, { position: null, options: null });
}

/** A game of a match or tournament. @param {string} event @param {string} id */
async function showReplay(event, id) {
  const history = await socket.ask({ do: "event-game", id: event, key: settings.key, game: id });
  const info = games.find((game) => game.name === history.game);
  if (!info) throw new Error("this game is not here any more");
  play = new Analyse(main, socket, info, event, history, { position: null, options: null });
}

async function showEvents() {
  const answer = await socket.ask({ do: "events", key: settings.key });
  showWatch(main, games, answer.events, answer.times, async (wish) => {
    const begun = await socket.ask({ do: "event-new", key: settings.key, ...wish });
    location.hash = `#/watch/${begun.id}`;
  });
}

/** @param {string} id */
async function showEvent(id) {
  play = new EventPage(main, socket, games, id);
  try {
    await socket.ask({ do: "event-watch", id, key: settings.key });
  } catch (error) {
    play.close();
    play = null;
    main.replaceChildren(el("h1", {}, "There is no such event here"), el("p", {}, el("a", { href: "#/watch" }, "All events")));
    throw error;
  }
}

/** @param {{game: string, options: Record<string, any>, sides: [string, string], clock: number[] | null}} wish */
async function begin(wish) {
  try {
    const answer = await socket.ask({ do: "new", key: settings.key, ...wish });
    location.hash = `#/game/${answer.id}`;
    tell("");
  } catch (error) {
    tell(/** @type {Error} */ (error).message);
  }
}

showSettings(byId("tools"), () => play?.refresh());
addEventListener("hashchange", () => route());
