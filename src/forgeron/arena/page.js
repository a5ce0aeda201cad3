"use strict";
// Everything that bots have a say in is written with textContent: it can never become markup.
const games = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const body = at("list").tBodies[0];
let shown = null;
let ply = 0;
let boards = [];

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
    cell(row, game.number);
    cell(row, game.round);
    cell(row, game.players[0], game.winner === 0);
    cell(row, game.players[1], game.winner === 1);
    cell(row, game.result);
    cell(row, game.reason);
    cell(row, game.plies);
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
  boards = [];
  let lines = [];
  for (const [count, ...changes] of game.boards) {
    lines = lines.slice(0, count);
    for (let i = 0; i < changes.length; i += 2) lines[changes[i]] = changes[i + 1];
    boards.push(lines.join("\n"));
  }
  for (const row of body.rows) row.classList.toggle("shown", Number(row.dataset.number) === game.number);
  at("viewer").hidden = false;
  at("v-title").textContent = `${game.number}. ${game.players[0]} – ${game.players[1]}`;
  at("v-end").textContent = `${game.result} (${game.scores[0]} : ${game.scores[1]}), ${game.reason}` +
    (game.detail && game.detail !== game.reason ? `: ${game.detail}` : "");
  at("v-slider").max = boards.length - 1;
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
  ply = Math.max(0, Math.min(number, boards.length - 1));
  at("v-board").textContent = boards[ply];
  at("v-slider").value = ply;
  const note = shown.notes.find((one) => one[0] === ply - 1);
  let text = ply === 0 ? "the first position" : `${ply} of ${boards.length - 1}: ${shown.moves[ply - 1]}`;
  if (note && note[1] !== null) text += `, ${note[1].toFixed(3)} s`;
  if (note && note[2] !== null) text += `, the mover expects ${Math.round(100 * note[2])} %`;
  at("v-move").textContent = text;
  [...at("v-moves").children].forEach((item, i) => item.classList.toggle("now", i === ply - 1));
  const now = at("v-moves").children[ply - 1];
  if (now) at("v-moves").scrollTop = now.offsetTop - at("v-moves").offsetTop - 50;
}

at("filter").addEventListener("change", fill);
at("v-first").addEventListener("click", () => show(0));
at("v-prev").addEventListener("click", () => show(ply - 1));
at("v-next").addEventListener("click", () => show(ply + 1));
at("v-last").addEventListener("click", () => show(boards.length - 1));
at("v-slider").addEventListener("input", () => show(Number(at("v-slider").value)));
at("v-close").addEventListener("click", () => { at("viewer").hidden = true; shown = null; fill(); });
document.addEventListener("keydown", (event) => {
  if (shown === null || event.target.tagName === "SELECT" || event.target.tagName === "INPUT") return;
  if (event.key === "ArrowRight") show(ply + 1);
  else if (event.key === "ArrowLeft") show(ply - 1);
  else if (event.key === "Home") show(0);
  else if (event.key === "End") show(boards.length - 1);
  else return;
  event.preventDefault();
});
fill();
const asked = games.find((game) => String(game.number) === location.hash.replace("#game-", ""));
if (asked && asked.boards) open(asked);
