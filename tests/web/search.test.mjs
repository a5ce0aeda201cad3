// The tree and the words of the microscope, over real traces, without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const { app, traces } = JSON.parse(readFileSync(process.env.TRACES, "utf-8"));
const { SearchTree } = await import(pathToFileURL(`${app}/search_tree.js`));
const { Narrator } = await import(pathToFileURL(`${app}/search_words.js`));

for (const { name, unit, seats, steps, nodes } of traces) {
  test(`${name}: every step has its place in the tree and its sentence`, () => {
    const tree = new SearchTree(unit);
    const narrator = new Narrator(seats);
    for (const step of steps) {
      const about = tree.apply(step);
      assert.ok(tree.entries.has(about), `${step}`);
      const said = narrator.tell(tree, step);
      assert.match(said, /^\S.*[.]$/s, `${step}: ${said}`);
      assert.doesNotMatch(said, /undefined|null,|NaN|Infinity/, `${step}`);
    }
    assert.equal(tree.nodes, nodes);
    for (const entry of tree.entries.values()) {
      assert.equal(entry.open, false, `${entry.token} was left open`);
      assert.doesNotMatch(narrator.value(tree, entry), /undefined|NaN/);
      assert.ok(entry.level === tree.way(entry.id).length - 1);
    }
  });
}
