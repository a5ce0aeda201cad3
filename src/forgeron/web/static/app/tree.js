// The moves of an analysis as a tree: the game itself, and the variations that were tried.

/** @typedef {import("../boards/types.js").View} View */
/** @typedef {import("../boards/types.js").Move} Move */
/** @typedef {{mark: string, loss: number, best: string[], before: number, after: number, seat: number | null, move: string}} Judgement */

export class Node {
  /** @param {Node | null} parent @param {string | null} move @param {string | null} position */
  constructor(parent, move, position) {
    /** @type {Node | null} */
    this.parent = parent;
    /** @type {string | null} the move that led here */
    this.move = move;
    /** @type {string | null} null: the first position of the game */
    this.position = position;
    /** @type {Node[]} the main line first */
    this.children = [];
    /** @type {View | null} */
    this.view = null;
    /** @type {Move | null} */
    this.step = null;
    /** @type {Judgement | null} what a review says of the move */
    this.judgement = null;
    /** @type {number | null} the chance of the first player to win */
    this.value = null;
    this.proven = false;
    this.ply = parent ? Number(parent.ply) + 1 : 0;
    /** @type {number | null} who made the move */
    this.seat = null;
  }

  /** @param {string} move @param {string | null} position */
  add(move, position) {
    const child = new Node(this, move, position);
    this.children.push(child);
    return child;
  }

  /** @param {string} move */
  find(move) {
    return this.children.find((child) => child.move === move);
  }

  /** This position and all that follow on the main line. @returns {Node[]} */
  get line() {
    const found = [/** @type {Node} */ (this)];
    while (found[found.length - 1].children.length) found.push(found[found.length - 1].children[0]);
    return found;
  }
}
