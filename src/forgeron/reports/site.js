"use strict";
// The replay of one game. What bots have a say in is written with textContent: it can never become markup.
const game = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const board = new forgeron.boards.Board(at("v-board"));
const views = [];
let view = {};
for (const changes of game.boards) {
  view = structuredClone(view);
  for (const change of changes) {
    const path = change.slice(0, -2), [name, value] = change.slice(-2);
    if (change.length === 1) view = structuredClone(change[0]);
    else path.reduce((inner, key) => inner[key], view)[name] = structuredClone(value);
  }
  views.push(view);
}
let ply = -1;

function show(number) {
  const before = ply;
  ply = Math.max(0, Math.min(number, views.length - 1));
  const shown = { ...views[ply], drawing: views[ply].drawing.join("\n"), moves: [] };
  if (ply !== before + 1) board.view = null; // a step forward is animated; a jump is not
  board.show(shown, { step: shown.step });
  at("v-slider").value = ply;
  const note = game.notes.find((one) => one[0] === ply - 1);
  let text = ply === 0 ? "the first position" : `${ply} of ${views.length - 1}: ${game.moves[ply - 1]}`;
  if (note && note[1] !== null) text += `, ${note[1].toFixed(2)} s`;
  if (note && note[2] !== null) text += `, the mover expects ${Math.round(100 * note[2])} %`;
  at("v-move").textContent = text;
  [...at("v-moves").children].forEach((item, i) => item.classList.toggle("now", i === ply - 1));
  const now = at("v-moves").children[ply - 1];
  if (now) at("v-moves").scrollTop = now.offsetTop - at("v-moves").offsetTop - 60;
}

at("v-moves").replaceChildren(...game.moves.map((move, i) => {
  const item = document.createElement("li");
  item.textContent = move;
  item.addEventListener("click", () => show(i + 1));
  return item;
}));
at("v-slider").max = views.length - 1;
at("v-slider").addEventListener("input", () => show(Number(at("v-slider").value)));
at("v-first").addEventListener("click", () => show(0));
at("v-prev").addEventListener("click", () => show(ply - 1));
at("v-next").addEventListener("click", () => show(ply + 1));
at("v-last").addEventListener("click", () => show(views.length - 1));
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") return;
  const steps = { ArrowRight: ply + 1, ArrowLeft: ply - 1, Home: 0, End: views.length - 1 };
  if (!(event.key in steps)) return;
  show(steps[event.key]);
  event.preventDefault();
});
show(Number(location.hash.replace("#", "")) || 0);
