"use strict";
// Everything that bots have a say in is written with textContent: it can never become markup.
const games = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const body = at("list").tBodies[0];
const columns = [...at("list").tHead.rows[0].cells].map((head) => head.dataset.column);
let shown = null;
let ply = 0;
let views = [];
const board = new forgeron.boards.Board(at("v-board"));

function cell(row, text, strong) {
  const made = row.insertCell();
  made.textContent = text;
  made.title = text;
  if (strong) made.className = "won";
}

function fill() {
  const name = at("filter").value;
  body.replaceChildren();
  for (const game of games) {
    if (name && !game.players.includes(name)) continue;
    const row = body.insertRow();
    game.cells.forEach((text, i) => cell(row, text, columns[i] === game.winner));
    row.dataset.number = game.number;
    if (game === shown) row.classList.add("shown");
    if (game.boards) {
      row.classList.add("replay");
      row.tabIndex = 0;
      row.addEventListener("click", () => open(game));
      row.addEventListener("keydown", (event) => { if (event.key === "Enter") open(game); });
    }
  }
}

function open(game) {
  shown = game;
  views = forgeron.share.replay(game.boards);
  board.view = null;
  for (const row of body.rows) row.classList.toggle("shown", Number(row.dataset.number) === game.number);
  at("viewer").hidden = false;
  at("v-title").textContent = `${game.number ? `${game.number}. ` : ""}${game.players[0]} – ${game.players[1]}`;
  if (game.scores) at("v-end").textContent = `${game.result} (${game.scores[0]} : ${game.scores[1]}), ${game.reason}` +
    (game.detail && game.detail !== game.reason ? `: ${game.detail}` : "");
  at("v-slider").max = views.length - 1;
  at("v-moves").replaceChildren(...game.moves.map((move, i) => {
    const item = document.createElement("li");
    item.textContent = move;
    item.addEventListener("click", () => show(i + 1));
    return item;
  }));
  show(0);
  if (window.innerWidth <= 760) at("viewer").scrollIntoView({ block: "start" });
}

function show(number) {
  const before = ply;
  ply = Math.max(0, Math.min(number, views.length - 1));
  const view = views[ply];
  // A step forward is animated; a jump is not.
  if (ply !== before + 1) board.view = null;
  board.show(view, { step: view.step });
  at("v-slider").value = ply;
  const note = shown.notes.find((one) => one[0] === ply - 1);
  let text = ply === 0 ? "the first position" : `${ply} of ${views.length - 1}: ${shown.moves[ply - 1]}`;
  if (note && note[1] !== null) text += `, ${note[1].toFixed(3)} s`;
  if (note && note[2] !== null) text += `, the mover expects ${Math.round(100 * note[2])} %`;
  at("v-move").textContent = text;
  [...at("v-moves").children].forEach((item, i) => item.classList.toggle("now", i === ply - 1));
  const now = at("v-moves").children[ply - 1];
  if (now) at("v-moves").scrollTop = now.offsetTop - at("v-moves").offsetTop - 50;
}

async function told(work) {
  at("v-said").textContent = "";
  try {
    at("v-said").textContent = await work();
  } catch (error) {
    at("v-said").textContent = error.message;
  }
}

// Clipboards need a secure page, and a file on a disk is none everywhere: the text is shown where it cannot be copied.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return text;
  }
}

const style = document.querySelector("style").textContent;
at("v-link").addEventListener("click", () => told(async () => {
  const [first] = views;
  const data = await forgeron.share.pack({ format: 1, game: first.game, title: first.title, options: shown.options, names: shown.players, moves: shown.moves, boards: shown.boards, end: at("v-end").textContent });
  return copied(`${location.href.split("#")[0]}#/shared/${data}`);
}));
at("v-copy").addEventListener("click", () => told(() => copied(shown.moves.join(" "))));
at("v-position").addEventListener("click", () => told(() => copied(views[ply].position)));
at("v-svg").addEventListener("click", () => told(async () => {
  forgeron.share.save(new Blob([forgeron.share.picture(views[ply], style)], { type: "image/svg+xml" }), "board.svg");
  return "";
}));
at("v-film").addEventListener("click", () => told(async () => {
  forgeron.share.save(new Blob([forgeron.share.film(views, style)], { type: "image/svg+xml" }), "game.svg");
  return "";
}));
at("filter").addEventListener("change", fill);
at("v-first").addEventListener("click", () => show(0));
at("v-prev").addEventListener("click", () => show(ply - 1));
at("v-next").addEventListener("click", () => show(ply + 1));
at("v-last").addEventListener("click", () => show(views.length - 1));
at("v-slider").addEventListener("input", () => show(Number(at("v-slider").value)));
at("v-close").addEventListener("click", () => { at("viewer").hidden = true; shown = null; fill(); });
document.addEventListener("keydown", (event) => {
  if (shown === null || event.target.tagName === "SELECT" || event.target.tagName === "INPUT") return;
  if (event.key === "ArrowRight") show(ply + 1);
  else if (event.key === "ArrowLeft") show(ply - 1);
  else if (event.key === "Home") show(0);
  else if (event.key === "End") show(views.length - 1);
  else return;
  event.preventDefault();
});
fill();
const asked = games.find((game) => String(game.number) === location.hash.replace("#game-", ""));
if (asked && asked.boards) open(asked);

// A game that the address holds, of this event or of any other.
if (location.hash.startsWith("#/shared/")) {
  forgeron.share.unpack(location.hash.slice("#/shared/".length)).then((game) => {
    open({ ...game, number: "", players: game.names, notes: [], result: game.end });
    at("v-end").textContent = game.end;
    at("viewer").scrollIntoView({ block: "nearest" });
  }, (error) => {
    at("viewer").hidden = false;
    at("v-title").textContent = error.message;
  });
}
