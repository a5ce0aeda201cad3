// The whole tree at a glance: from left to right as it was searched, from top to bottom deeper and deeper.

/** @typedef {import("./search_tree.js").SearchTree} SearchTree */

/** A shallow tree fills this height, a deep one makes it higher. */
const HEIGHT = 110;
const [LOWEST_ROW, HIGHEST_ROW] = [12, 26];
const GAP = 2;

export class TreeMap {
  /** @param {(id: number) => void} choose */
  constructor(choose) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "tree-map";
    this.canvas.setAttribute("role", "img");
    /** @type {SearchTree | null} */
    this.tree = null;
    this.total = 1;
    this.row = HIGHEST_ROW;
    /** @type {Map<number, [number, number]>} */
    this.spans = new Map();
    this.canvas.addEventListener("click", (event) => {
      const style = getComputedStyle(this.canvas);
      const found = this.#find(event.offsetX - parseFloat(style.paddingLeft), event.offsetY - parseFloat(style.paddingTop));
      if (found !== null) choose(found);
    });
  }

  /** @param {SearchTree} tree @param {number | null} selected @param {number} total how many nodes there will be, as far as is known @param {number} levelsToCome how many levels */
  draw(tree, selected, total, levelsToCome) {
    this.tree = tree;
    this.total = Math.max(total, tree.nodes, 1);
    const ratio = window.devicePixelRatio || 1;
    const width = this.#width();
    const levels = Math.max(levelsToCome, tree.deepest + 1);
    this.row = Math.min(Math.max(Math.floor(HEIGHT / levels) - GAP, LOWEST_ROW), HIGHEST_ROW);
    const height = levels * (this.row + GAP) - GAP;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = `${height + 14}px`; // with padding and border
    }
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const paints = { node: colour("--map-node"), leaf: colour("--map-leaf"), cut: colour("--map-cut"), table: colour("--map-table"), again: colour("--map-again"), now: colour("--fg-accent") };
    const way = new Set(selected === null ? [] : tree.way(selected).map((entry) => entry.id));
    this.#layout(tree);
    for (const [id, span] of this.spans) {
      const entry = tree.at(id);
      const [x, w] = [span[0] * width, span[1] * width];
      const y = entry.level * (this.row + GAP);
      pen.fillStyle = way.has(entry.id) ? paints.now : entry.table?.used ? paints.table : entry.cut || entry.probcut ? paints.cut : entry.again !== null ? paints.again : entry.leaf ? paints.leaf : paints.node;
      pen.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.6), this.row);
      if (entry.cut && w > 4 && !way.has(entry.id)) {
        pen.clearRect(x + w - 3, y, 2, this.row); // a notch: what comes after it was left out
      }
    }
    this.canvas.setAttribute("aria-label", `The tree so far: ${tree.nodes} nodes, ${tree.deepest} levels deep`);
  }

  #width() {
    const style = getComputedStyle(this.canvas);
    return Math.max(this.canvas.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight), 1);
  }

  /** Where each entry stands, from 0 to 1: by when it was searched, or, in a tree of simulations, by its share of them. @param {SearchTree} tree */
  #layout(tree) {
    this.spans.clear();
    if (tree.path.length) this.#divide(tree, 0, 0, 1);
    else {
      for (const entry of tree.entries.values()) {
        const last = entry.open ? tree.nodes : entry.last;
        this.spans.set(entry.id, [entry.first / this.total, Math.max(last - entry.first, 1) / this.total]);
      }
    }
  }

  /** @param {SearchTree} tree @param {number} id @param {number} left @param {number} wide */
  #divide(tree, id, left, wide) {
    this.spans.set(id, [left, wide]);
    const entry = tree.at(id);
    let at = left;
    for (const child of entry.children) {
      const { visits } = tree.at(child);
      if (!visits) continue;
      const share = (visits / Math.max(entry.visits, 1)) * wide;
      this.#divide(tree, child, at, share);
      at += share;
    }
  }

  /** @param {number} x @param {number} y @returns {number | null} */
  #find(x, y) {
    if (!this.tree) return null;
    const level = Math.floor(y / (this.row + GAP));
    const width = this.#width();
    let best = null;
    let nearest = 6;
    for (const [id, span] of this.spans) {
      const entry = this.tree.at(id);
      if (entry.level !== level) continue;
      const [left, wide] = [span[0] * width, span[1] * width];
      const off = x < left ? left - x : x > left + wide ? x - left - wide : 0;
      if (off <= nearest) [best, nearest] = [entry.id, off];
    }
    return best;
  }
}
