// The tree of a search as it grows: the steps that the server tells, applied one after the other. No drawing here.

/**
 * @typedef {object} Entry one visit of a position: a move that is searched again is another entry
 * @property {number} id
 * @property {number | null} parent
 * @property {number[]} children
 * @property {string} token the move that leads here, or what the root is
 * @property {string} order why the move is tried now: table, killer, countermove, history
 * @property {number | null} seat who moves here; 2 is a throw, null not known
 * @property {number | null} depth
 * @property {number | null} low the window, for the first player
 * @property {number | null} high
 * @property {Source} lowFrom
 * @property {Source} highFrom
 * @property {number} reduction
 * @property {boolean} nullWindow
 * @property {boolean} probe
 * @property {number | null} again the entry of the first try
 * @property {number | null} value
 * @property {string} relation what the value says of the true one: =, >=, <=
 * @property {string} leaf over, solved, horizon, or nothing
 * @property {{depth: number, value: number, bound: string, used: boolean} | null} table
 * @property {{value: number, depth: number, edge: number} | null} probcut the shallower value that made searching it needless, and the edge of the window that it is beyond
 * @property {number} moves
 * @property {number[] | null} shares the probabilities of throws
 * @property {number | null} best the child with the best value so far
 * @property {{by: number, left: number} | null} cut
 * @property {number} first how many nodes were counted before it came
 * @property {number} last how many when it was done
 * @property {boolean} open it is being searched
 * @property {number} level
 * @property {number} visits
 * @property {boolean} proven
 * @property {number | null} prior
 * @property {[number, number] | null} bounds of the mean over the throws
 */
/** @typedef {{at: number, by: number} | "null" | "throws" | null} Source where an edge of a window comes from: a move that somebody has elsewhere, the question of a null window, what other throws leave open, or nothing */
/** @typedef {{kind: string, proven?: number, scale?: number}} Unit */
/** @typedef {any[]} Step */

export class SearchTree {
  /** @param {Unit} unit */
  constructor(unit) {
    this.unit = unit;
    /** @type {Map<number, Entry>} */
    this.entries = new Map();
    /** @type {number[]} */
    this.roots = [];
    /** @type {number | null} where the search is */
    this.now = null;
    /** @type {number[]} the path of a simulation */
    this.path = [];
    this.nodes = 0;
    this.deepest = 0;
    this.counts = { leaves: 0, cuts: 0, left: 0, hits: 0, settled: 0, probcuts: 0, nullWindows: 0, again: 0, reduced: 0, probes: 0, throws: 0, expanded: 0, proven: 0 };
  }

  /** The chance of the first player to win that a value stands for. @param {number} value */
  share(value) {
    if (this.unit.kind === "share") return Math.min(Math.max(value / (this.unit.scale ?? 1), 0), 1);
    if (this.isProven(value)) return value > 0 ? 1 : 0;
    return 1 / (1 + Math.exp(-value / 1000));
  }

  /** Whether the value is no estimate. @param {number} value */
  isProven(value) {
    return this.unit.proven !== undefined && Math.abs(value) > this.unit.proven;
  }

  /** @param {number} id @returns {Entry} */
  at(id) {
    return /** @type {Entry} */ (this.entries.get(id));
  }

  /** The entries from the root to this one. @param {number} id */
  way(id) {
    const found = [];
    for (let entry = this.entries.get(id); entry; entry = entry.parent === null ? undefined : this.entries.get(entry.parent)) found.unshift(entry);
    return found;
  }

  /** The moves from the position that is searched to this entry. @param {number} id */
  line(id) {
    return this.way(id).slice(1).map((entry) => entry.token);
  }

  /** @param {number} id @param {number | null} parent @param {string} token @param {string} [order] */
  #make(id, parent, token, order = "") {
    /** @type {Entry} */
    const entry = {
      id, parent, children: [], token, order, seat: null, depth: null, low: null, high: null, lowFrom: null, highFrom: null, reduction: 0,
      nullWindow: false, probe: false, again: null, value: null, relation: "=", leaf: "", table: null, probcut: null, moves: 0, shares: null, best: null, cut: null,
      first: this.nodes, last: this.nodes, open: false, level: parent === null ? 0 : this.at(parent).level + 1, visits: 0, proven: false, prior: null, bounds: null,
    };
    this.entries.set(id, entry);
    if (parent === null) this.roots.push(id);
    else this.at(parent).children.push(id);
    this.deepest = Math.max(this.deepest, entry.level);
    return entry;
  }

  /** Take the next step; the entry that it is about. @param {Step} step @returns {number} */
  apply(step) {
    const [what, id, ...rest] = step;
    const act = /** @type {Record<string, (id: any, rest: any[]) => number | void>} */ (ACTS)[what];
    this.now = act?.call(this, id, rest) ?? id;
    return /** @type {number} */ (this.now);
  }

  /** @param {number} id @param {number} depth */
  root(id, depth) {
    this.#make(id, null, `Depth ${depth}`);
  }

  /** @param {number} id @param {number} parent @param {string} token @param {string} order */
  child(id, parent, token, order) {
    this.#make(id, parent, token, order);
    this.nodes += 1;
  }

  /** @param {number} id @param {number} first */
  again(id, first) {
    const { parent, token, order } = this.at(first);
    this.#make(id, parent, token, order).again = first;
    this.counts.again += 1;
  }

  /** @param {number} id @param {any[]} rest */
  enter(id, [seat, depth, low, high, reduction, nullWindow, probe]) {
    const entry = this.at(id);
    Object.assign(entry, { seat, depth, low, high, reduction, nullWindow: Boolean(nullWindow), probe: Boolean(probe), open: true });
    const above = entry.parent === null ? null : this.at(entry.parent);
    if (above?.seat === 2) entry.lowFrom = entry.highFrom = "throws";
    else if (above) {
      [entry.lowFrom, entry.highFrom] = [above.lowFrom, above.highFrom];
      // The far edge of a null window is nobody's move: it only makes the question a yes or no.
      if (entry.nullWindow || reduction) {
        if (above.seat === 0) entry.highFrom = "null";
        else entry.lowFrom = "null";
      }
    }
    this.counts.nullWindows += entry.nullWindow ? 1 : 0;
    this.counts.reduced += reduction ? 1 : 0;
    this.counts.probes += probe ? 1 : 0;
  }

  /** The best child so far, or the one visited most. @param {Entry} entry @returns {number | null} */
  best(entry) {
    if (!this.path.length) return entry.best;
    const tried = entry.children.filter((id) => this.at(id).visits);
    return tried.length && entry.seat !== 2 ? tried.reduce((best, id) => (this.at(id).visits > this.at(best).visits ? id : best)) : null;
  }

  /** @param {number} id @param {number} child @param {number} value @param {number} raises */
  raise(id, child, value, raises) {
    const entry = this.at(id);
    entry.best = child;
    if (!raises) return;
    if (entry.seat === 0) [entry.low, entry.lowFrom] = [value, { at: id, by: child }];
    else [entry.high, entry.highFrom] = [value, { at: id, by: child }];
  }

  /** @param {number} id @param {number} value @param {string} relation */
  finish(id, value, relation) {
    Object.assign(this.at(id), { value, relation, open: false, last: this.nodes });
  }

  /** @param {number} id @param {number} seat @param {[number, string, number | null][]} children */
  expand(id, seat, children) {
    const entry = this.at(id);
    entry.seat = seat;
    entry.moves = children.length;
    for (const [child, token, prior] of children) this.#make(child, id, token).prior = prior;
    this.counts.expanded += 1;
  }

  /** @param {number} number */
  simulation(number) {
    this.nodes = number;
    if (!this.entries.has(0)) this.#make(0, null, "Position");
    this.path = [0];
    return 0;
  }

  /** @param {number} id */
  go(id) {
    this.path.push(id);
    return id;
  }

  /** @param {[number, number, number | null, number][]} nodes */
  backUp(nodes) {
    for (const [id, visits, mean, proven] of nodes) {
      const entry = this.at(id);
      if (proven && !entry.proven) this.counts.proven += 1;
      entry.visits = visits;
      entry.proven = Boolean(proven);
      if (mean !== null) entry.value = mean;
      entry.last = this.nodes;
    }
    return nodes[nodes.length - 1][0];
  }
}

/** What each kind of step does; the table of steps is in docs/web.md. @type {Record<string, (this: SearchTree, id: any, rest: any[]) => number | void>} */
const ACTS = {
  root(id, [depth]) { this.root(id, depth); },
  child(id, [parent, token, order]) { this.child(id, parent, token, order); },
  again(id, [first]) { this.again(id, first); },
  probed(id, [first]) { this.at(id).again = first; },
  enter(id, rest) { this.enter(id, rest); },
  moves(id, [n]) { this.at(id).moves = n; },
  throws(id, [shares]) {
    this.at(id).moves = shares.length;
    this.at(id).shares = shares;
    this.counts.throws += 1;
  },
  table(id, [depth, value, bound, used]) {
    this.at(id).table = { depth, value, bound, used: Boolean(used) };
    this.counts.hits += 1;
    this.counts.settled += used ? 1 : 0;
  },
  probcut(id, [value, depth, edge]) {
    this.at(id).probcut = { value, depth, edge };
    this.counts.probcuts += 1;
  },
  leaf(id, [value, kind]) {
    this.finish(id, value, "=");
    this.at(id).leaf = kind;
    this.counts.leaves += 1;
  },
  best(id, [child, value, raises]) {
    this.raise(id, child, value, raises);
    return id;
  },
  bounds(id, [low, high]) {
    this.at(id).bounds = [low, high];
  },
  cut(id, [by, left]) {
    this.at(id).cut = { by, left };
    this.counts.cuts += 1;
    this.counts.left += left;
  },
  done(id, [value, relation]) { this.finish(id, value, relation); },
  simulation(number) { return this.simulation(number); },
  expand(id, [seat, children]) { this.expand(id, seat, children); },
  select(_parent, [[child]]) { return this.go(child); },
  thrown(outcome) {
    return this.go(this.at(this.path[this.path.length - 1]).children[outcome]);
  },
  evaluate() {
    this.counts.leaves += 1;
    return this.path[this.path.length - 1];
  },
  backup(_value, [nodes]) { return this.backUp(nodes); },
};
