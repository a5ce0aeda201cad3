// A move is said by pointing at its parts, one after the other. Which parts can come next follows from the legal moves.

/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").View} View */
/** @typedef {{move: Move, parts: Part[], done: boolean[]}} Candidate */

/**
 * The parts of a move: those that the game names; else the places that the token consists of; else the token itself.
 * @param {Move} move
 * @param {{has(name: string): boolean}} places
 * @returns {Part[]}
 */
export function partsOf(move, places) {
  if (move.parts?.length) return move.parts;
  if (places.has(move.move)) return [move.move];
  const words = move.move.split(/[-:,x>]+/).filter(Boolean);
  if (words.length && words.every((word) => places.has(word))) return words;
  const joined = move.move.match(/[A-Za-z]+[0-9]+/g) ?? [];
  if (joined.join("") === move.move && joined.every((word) => places.has(word))) return joined;
  return [move.move];
}

/** Builds one move from what a person points at. It never invents a move: it only narrows the legal ones. */
export class MoveBuilder {
  /**
   * @param {Move[]} moves the legal moves
   * @param {{has(name: string): boolean}} places the names of places; every other part is a choice
   */
  constructor(moves, places) {
    this.places = places;
    this.all = moves.map((move) => ({ move, parts: partsOf(move, places) }));
    /** @type {string[]} what was pointed at, in order */
    this.chosen = [];
    /** @type {Candidate[]} the moves that are still meant */
    this.candidates = [];
    this.reset();
  }

  /** Forget what was pointed at. */
  reset() {
    this.chosen = [];
    this.candidates = this.all.map(({ move, parts }) => ({ move, parts, done: parts.map(() => false) }));
    this.#settle();
  }

  /** What may be pointed at next, with the moves each leaves. @returns {Map<string, Move[]>} */
  get targets() {
    /** @type {Map<string, Move[]>} */
    const found = new Map();
    for (const candidate of this.candidates) {
      for (const index of this.#open(candidate)) {
        for (const name of this.#names(candidate.parts[index])) {
          if (this.chosen.includes(name) && Array.isArray(candidate.parts[index])) continue;
          found.set(name, [...(found.get(name) ?? []), candidate.move]);
        }
      }
    }
    const rows = this.candidates.length > 1 && this.chosen.length > 0;
    if (rows && this.candidates.every((one) => one.parts.some(Array.isArray))) {
      for (const [name, moves] of found) if (moves.length === this.candidates.length) found.delete(name);
    }
    return found;
  }

  /** Which part is asked for: its number in the list of parts. */
  get stage() {
    const first = this.candidates[0];
    return first ? Math.max(first.done.indexOf(false), 0) : 0;
  }

  /** A move that is said completely although longer ones begin with it. @returns {Move | null} */
  get finished() {
    return this.candidates.find((one) => one.done.every(Boolean))?.move ?? null;
  }

  /**
   * Point at a place or choice. What fits no legal move begins anew with it, or changes nothing.
   * @param {string} name
   * @returns {Move | null} the move, when it is said completely
   */
  choose(name) {
    if (this.chosen.includes(name) && this.places.has(name) && !this.targets.has(name)) {
      this.reset();
      return null;
    }
    if (!this.#narrow(name)) {
      if (!this.chosen.length) return null;
      this.reset();
      if (!this.#narrow(name)) return null;
    }
    this.chosen.push(name);
    this.#settle();
    const [only, ...others] = this.candidates;
    if (!others.length && only.done.every((done, i) => done || !this.#isPlace(only.parts[i]))) return only.move;
    return null;
  }

  /** @param {string} name @returns {boolean} whether any legal move is left */
  #narrow(name) {
    const next = this.candidates.map((one) => ({ one, index: this.#open(one).find((i) => this.#names(one.parts[i]).includes(name)) }));
    let fitting = next.filter((pair) => pair.index !== undefined);
    if (!fitting.length) {
      // A place that comes later may be pointed at first: where to, before what.
      fitting = this.candidates
        .map((one) => ({ one, index: one.parts.findIndex((part, i) => !one.done[i] && part === name && this.#isPlace(part)) }))
        .filter((pair) => pair.index !== undefined && pair.index >= 0);
    }
    if (!fitting.length) return false;
    this.candidates = fitting.map(({ one, index }) => ({
      ...one,
      done: one.done.map((done, i) => done || (i === index && !(Array.isArray(one.parts[i]) && fitting.length > 1))),
    }));
    return true;
  }

  /** Take for chosen what leaves no choice: a choice that all candidates share, where something else is still open. */
  #settle() {
    for (;;) {
      const firsts = this.candidates.map((one) => one.done.indexOf(false));
      const parts = this.candidates.map((one, i) => one.parts[firsts[i]]);
      const [first] = parts;
      const shared = typeof first === "string" && !this.#isPlace(first) && parts.every((part) => part === first);
      if (!shared || this.candidates.some((one, i) => firsts[i] === one.parts.length - 1)) return;
      this.candidates = this.candidates.map((one, i) => ({ ...one, done: one.done.map((done, k) => done || k === firsts[i]) }));
    }
  }

  /** The parts that may come next: the first open one, and after a choice the first open place. @param {Candidate} one */
  #open(one) {
    const first = one.done.indexOf(false);
    if (first < 0) return [];
    if (this.#isPlace(one.parts[first])) return [first];
    const place = one.parts.findIndex((part, i) => !one.done[i] && this.#isPlace(part));
    return place < 0 ? [first] : [first, place];
  }

  /** @param {Part} part */
  #names(part) {
    return Array.isArray(part) ? part : [part];
  }

  /** @param {Part} part */
  #isPlace(part) {
    return Array.isArray(part) || this.places.has(part);
  }
}
