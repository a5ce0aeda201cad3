// Links that hold a game, as anybody may write them. Run by tests/web/test_modules.py; COURSES is a JSON file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { pack, replay, unpack } from "../../src/forgeron/drawing/boards/share.js";

const courses = JSON.parse(readFileSync(process.env.COURSES, "utf8"));
const REFUSED = { message: "this link holds no game; perhaps a part of it is missing" };
const JUNK = [null, true, 0, -1, 1e308, "", "x", "__proto__", "<script>", [], [[]], {}, { a: 1 }, [1, 2], "9".repeat(400)];

/** Numbers from a seed. */
function generator(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** The data with one value somewhere in them another one, or gone. */
function damaged(data, pick) {
  if (Array.isArray(data) && data.length && pick(10)) {
    const at = pick(data.length);
    if (!pick(10)) return data.toSpliced(at, 1);
    return data.with(at, damaged(data[at], pick));
  }
  if (data && typeof data === "object" && Object.keys(data).length && pick(10)) {
    const names = Object.keys(data);
    const name = names[pick(names.length)];
    return { ...data, [name]: damaged(data[name], pick) };
  }
  return JUNK[pick(JUNK.length)];
}

/** Read, or refused with the one message. */
async function readOrRefused(text) {
  let game;
  try {
    game = await unpack(text);
  } catch (error) {
    assert.equal(error.message, REFUSED.message);
    return false;
  }
  assert.equal(replay(game.boards).length, game.moves.length + 1);
  return true;
}

for (const [name, game] of Object.entries(courses)) {
  test(`a link with a game of ${name} is read again`, async () => {
    assert.deepEqual(await unpack(await pack(game)), game);
  });

  test(`a changed link with a game of ${name} is read or refused`, async () => {
    const pick = generator(7);
    for (let i = 0; i < 150; i++) await readOrRefused(await pack(damaged(game, pick)));
    const text = await pack(game);
    const signs = "AZaz09-_%/+= \u0000é";
    for (let i = 0; i < 150; i++) {
      const at = pick(text.length);
      await readOrRefused(text.slice(0, at) + (pick(3) ? signs[pick(signs.length)] + text.slice(at + 1) : ""));
    }
  });
}

test("a link changes nothing that all objects share", async () => {
  const game = Object.values(courses)[0];
  for (const path of [["__proto__", "stolen"], ["constructor", "prototype", "stolen"], ["drawing", "__proto__", "stolen"]]) {
    const boards = [[...game.boards[0], [...path, 1]], ...game.boards.slice(1)];
    await assert.rejects(unpack(await pack({ ...game, boards })), REFUSED);
    assert.equal({}.stolen, undefined);
  }
});

test("a short link that unpacks to much is refused before it is unpacked", async () => {
  const game = Object.values(courses)[0];
  await assert.rejects(unpack(await pack({ ...game, title: "x".repeat(60_000_000) })), REFUSED);
  await assert.rejects(unpack("A".repeat(600_000)), REFUSED);
});
