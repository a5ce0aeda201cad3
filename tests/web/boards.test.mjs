// Run by tests/web/test_modules.py where node is there: `node --test tests/web`. Views come from VIEWS, a JSON file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { draw, drawText, inWords } from "../../src/forgeron/drawing/boards/draw.js";
import { MoveBuilder, partsOf } from "../../src/forgeron/drawing/boards/moves.js";
import { h, toText } from "../../src/forgeron/drawing/boards/svg.js";
import { statusInWords } from "../../src/forgeron/drawing/boards/words.js";

const games = JSON.parse(readFileSync(process.env.VIEWS, "utf8"));
const views = Object.values(games).flat();

/** The places of a view, by the drawing's own layout. */
function builderOf(view) {
  const places = new Set([...toText(draw(view)).matchAll(/data-place="([^"]+)"/g)].map((match) => match[1]));
  return new MoveBuilder(view.moves, places);
}

test("every view becomes a drawing without NaN or undefined", () => {
  for (const view of views) {
    const text = drawText(view);
    assert.match(text, /^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    assert.doesNotMatch(text, /NaN|undefined|null/);
  }
});

test("every view is told in words with scores and what is to be done", () => {
  for (const view of views) {
    const told = inWords(view).join(" ");
    assert.doesNotMatch(told, /NaN|undefined|null/);
    assert.match(told, /(to move|to throw|wins|Draw)/);
  }
});

test("every legal move can be said by pointing at its parts, and only that move comes out", () => {
  for (const view of views.filter((one) => !one.chance)) {
    for (const move of view.moves) {
      const builder = builderOf(view);
      assert.equal(say(builder, move), move.move, `${view.position} ${move.move}`);
    }
  }
});

/** Point at the parts of a move as a person would: only at what is shown as a target. */
function say(builder, move) {
  for (let i = 0; i < 12; i += 1) {
    const parts = partsOf(move, builder.places).flat();
    const next = parts.find((part) => builder.targets.get(part)?.some((one) => one.move === move.move));
    if (next === undefined) return builder.finished?.move ?? `stuck after ${builder.chosen}`;
    const made = builder.choose(next);
    if (made) return made.move;
  }
  return "endless";
}

test("every target leads to at least one move, however one points", () => {
  let seed = 1;
  const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
  for (const view of views.filter((one) => !one.chance && one.moves.length)) {
    const builder = builderOf(view);
    for (let i = 0; i < 30; i += 1) {
      const names = [...builder.targets.keys()];
      assert.ok(names.length > 0);
      const made = builder.choose(names[random(names.length)]);
      if (made) {
        assert.ok(view.moves.includes(made));
        break;
      }
      assert.ok(i < 10, `${view.position}: no move after ${builder.chosen}`);
    }
  }
});

test("a place that comes later may be pointed at first, and nothing is played before both are said", () => {
  const [view] = games.yolah;
  const builder = builderOf(view);
  assert.equal(builder.choose("b7"), null);
  assert.deepEqual([...builder.targets.keys()], ["d5"]);
  assert.equal(builder.choose("d5")?.move, "d5:b7");
});

test("pointing again takes back, pointing at another piece changes the piece, pointing at nothing changes nothing", () => {
  const builder = builderOf(games.yolah[0]);
  builder.choose("d5");
  builder.choose("d5");
  assert.deepEqual(builder.chosen, []);
  builder.choose("d5");
  builder.choose("a1");
  assert.deepEqual(builder.chosen, ["a1"]);
  builder.reset();
  assert.equal(builder.choose("nowhere"), null);
  assert.deepEqual(builder.chosen, []);
});

test("a row is said by one marker, or by as many as it takes to tell it from the others", () => {
  const row = (...names) => ({ move: `x${names[0]}-${names[names.length - 1]}`, parts: [names] });
  const places = new Set("abcdefg");
  const alone = new MoveBuilder([row("a", "b", "c")], places);
  assert.equal(alone.choose("b")?.move, "xa-c");
  const two = new MoveBuilder([row("a", "b", "c"), row("b", "c", "d")], places);
  assert.equal(two.choose("c"), null);
  assert.deepEqual([...two.targets.keys()].sort(), ["a", "d"]);
  assert.equal(two.choose("d")?.move, "xb-d");
});

test("a move is never made by itself", () => {
  const only = new MoveBuilder([{ move: "pass", parts: ["pass"] }], new Set());
  assert.deepEqual([...only.targets.keys()], ["pass"]);
  assert.equal(only.choose("pass")?.move, "pass");
});

test("a token made of places is taken apart, any other is a choice", () => {
  const places = new Set(["e2", "e4", "a1"]);
  assert.deepEqual(partsOf({ move: "e2e4" }, places), ["e2", "e4"]);
  assert.deepEqual(partsOf({ move: "e2-e4" }, places), ["e2", "e4"]);
  assert.deepEqual(partsOf({ move: "a1" }, places), ["a1"]);
  assert.deepEqual(partsOf({ move: "e2e5" }, places), ["e2e5"]);
});

test("a shorter move that begins a longer one can be finished", () => {
  const builder = new MoveBuilder([{ move: "a-b" }, { move: "a-b-c" }], new Set(["a", "b", "c"]));
  builder.choose("a");
  assert.equal(builder.choose("b"), null);
  assert.equal(builder.finished?.move, "a-b");
  assert.equal(builder.choose("c")?.move, "a-b-c");
});

test("an edge that belongs to a seat is drawn along its cells, outside of them", () => {
  const [view] = games.generic;
  const text = drawText(view);
  const [, x1, y1, x2, y2] = text.match(/fg-goal fg-black" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/).map(Number);
  const cells = [...text.matchAll(/fg-cell[^>]*d="M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const side = ([x, y]) => Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
  assert.equal(cells.length, 9);
  assert.equal(new Set(cells.map(side)).size, 1);
});

test("how a game ended is told with its reason, if it has one", () => {
  const end = (reason) => statusInWords({ ...views[0], outcome: { winner: 1, scores: [0, 1], reason } });
  assert.equal(end("four in a row"), "White wins, 0 to 1: four in a row.");
  assert.equal(end("win"), "White wins, 0 to 1.");
});

test("texts of a drawing are never markup", () => {
  assert.equal(toText(h("text", { "aria-label": '"<&>' }, "<script>")), '<text aria-label="&quot;&lt;&amp;&gt;">&lt;script&gt;</text>');
});
