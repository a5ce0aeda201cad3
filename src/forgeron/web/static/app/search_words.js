// What a step of a search means, in plain words.

import { capital } from "../boards/words.js";

/** @typedef {import("./search_tree.js").SearchTree} SearchTree */
/** @typedef {import("./search_tree.js").Entry} Entry */

const ORDERS = /** @type {Record<string, string>} */ ({
  table: "the table remembers it as the best move here",
  killer: "a killer: it cut a line beside this one",
  countermove: "it was the answer to the last move elsewhere",
  history: "it has often been good elsewhere",
});

/** @param {number} n @param {string} one @param {string} [many] */
export function counted(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export class Narrator {
  /** @param {[string, string]} seats */
  constructor(seats) {
    this.seats = seats;
  }

  /** @param {number | null} seat */
  who(seat) {
    return seat === 0 || seat === 1 ? capital(this.seats[seat]) : "The throw";
  }

  /** A value for a seat, in percent. @param {SearchTree} tree @param {number} value of the first player @param {number} [seat] */
  percent(tree, value, seat = 0) {
    const share = seat === 1 ? 1 - tree.share(value) : tree.share(value);
    if (tree.isProven(value)) return share > 0.5 ? "a certain win" : "a certain loss";
    return `${(100 * share).toFixed(1)} %`;
  }

  /** The value of an entry, for the first player. @param {SearchTree} tree @param {Entry} entry */
  value(tree, entry) {
    if (entry.value === null) return "";
    const sign = { ">=": "≥ ", "<=": "≤ " }[entry.relation] ?? "";
    if (tree.isProven(entry.value)) return entry.value > 0 ? "100 % ✓" : "0 % ✓";
    return `${sign}${(100 * tree.share(entry.value)).toFixed(1)} %${entry.proven ? " ✓" : ""}`;
  }

  /** What the step that was applied last says. @param {SearchTree} tree @param {import("./search_tree.js").Step} step @returns {string} */
  tell(tree, step) {
    const telling = /** @type {Record<string, (tree: SearchTree, step: any[]) => string>} */ (/** @type {unknown} */ (this))[`$${step[0]}`];
    return telling ? telling.call(this, tree, step) : "";
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $root(tree, [, id, depth]) {
    const times = tree.roots.filter((root) => tree.at(root).token === `Depth ${depth}`).length;
    if (times > 1) return `Depth ${depth} once more: the value was outside the window, so the window is wider now.`;
    return tree.roots.length > 1 && id !== tree.roots[0] ? `Depth ${depth}: from the beginning, one ply deeper. What was learnt stays.` : `The search begins, ${depth} deep.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $child(tree, [, , parent, token, order]) {
    const above = tree.at(parent);
    const share = above.shares?.[above.children.length - 1];
    if (above.seat === 2) return `A throw: ${token}${share === undefined ? "" : `, which comes with ${(100 * share).toFixed(1)} %`}.`;
    return `${this.who(above.seat)} tries ${token}${ORDERS[order] ? `: ${ORDERS[order]}` : ""}.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $again(tree, [, id, first]) {
    const before = tree.at(first);
    const why = before.reduction ? "It did better than its reduced depth allows to believe" : "It did better than the null window asked";
    return `${why}: ${tree.at(id).token} is searched once more, ${before.reduction ? "at full depth" : "with the full window"}.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $probed(tree, [, id]) {
    return `${tree.at(id).token} was only probed before; now it is searched in full.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $enter(tree, [, id, seat, depth]) {
    const entry = tree.at(id);
    const left = `${depth} more ${tree.unit.kind === "share" ? (depth === 1 ? "turn" : "turns") : depth === 1 ? "ply" : "plies"}`;
    if (seat === 2) return "A chance node: its value is the mean over all throws, each by its probability.";
    const parts = [`${this.who(seat)} answers; ${left} to look ahead.`];
    if (entry.level === 0) return `${this.who(seat)} is to move; ${left} to look ahead.${this.#aspiration(tree, entry)}`;
    if (entry.reduction) parts.push(`${counted(entry.reduction, "ply", "plies")} less than others: it comes late in the order.`);
    if (entry.nullWindow || entry.reduction) {
      const above = tree.at(/** @type {number} */ (entry.parent));
      const rival = above.best === null ? "" : ` than ${tree.at(above.best).token}`;
      parts.push(`Null window: the only question is whether it is better${rival}.`);
    }
    if (entry.probe) parts.push("A probe: only its first move is tried.");
    return parts.join(" ");
  }

  /** @param {SearchTree} tree @param {Entry} entry */
  #aspiration(tree, entry) {
    const [low, high] = [tree.share(entry.low ?? 0), tree.share(entry.high ?? 0)];
    return low > 0 || high < 1 ? ` The window reaches from ${(100 * low).toFixed(1)} % to ${(100 * high).toFixed(1)} % around the last value.` : "";
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $moves(tree, [, id, n]) {
    return `${counted(n, "legal move")}${n === 1 && tree.at(id).level ? ": it is forced" : ""}.`;
  }

  /** @param {SearchTree} _tree @param {any[]} step */
  $throws(_tree, [, , shares]) {
    return `${counted(shares.length, "possible throw")}.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $table(tree, [, , depth, value, bound, used]) {
    const words = /** @type {Record<string, string>} */ ({ "=": "worth", ">=": "worth at least", "<=": "worth at most" })[bound];
    const known = `The table knows this position: searched ${depth} deep, it was ${words} ${this.percent(tree, value)} for ${this.who(0)}.`;
    return `${known} ${used ? "That settles it; nothing is searched." : "That is not enough here, but its best move goes first."}`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $probcut(tree, [, id, value, depth, edge]) {
    const seat = tree.at(id).seat === 1 ? 1 : 0;
    const by = depth ? `a search ${counted(depth, "ply", "plies")} deep, which the table remembers, gave` : "the evaluation gives";
    return `ProbCut: ${by} ${this.who(seat)} ${this.percent(tree, value, seat)}, so far from the ${this.percent(tree, edge, seat)} asked about that a deeper look would hardly change the answer. Nothing is searched.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $leaf(tree, [, id, value, kind]) {
    const parent = tree.at(/** @type {number} */ (tree.at(id).parent));
    const seat = parent.seat === 1 ? 1 : 0;
    const worth = this.percent(tree, value, seat);
    if (kind === "over") return `The game is over here: ${worth} for ${this.who(seat)}.`;
    if (kind === "solved") return `The game can tell the result already: ${worth} for ${this.who(seat)}.`;
    return `The horizon: the evaluation gives ${this.who(seat)} ${worth}.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $best(tree, [, id, child, value, raises]) {
    const entry = tree.at(id);
    const seat = entry.seat === 1 ? 1 : 0;
    const worth = this.percent(tree, value, seat);
    const { token } = tree.at(child);
    return raises ? `${token} is the best so far: ${this.who(seat)} has ${worth} for sure at this depth, and looks for more.`
      : `${token} is the best so far, with ${worth} for ${this.who(seat)}.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $bounds(tree, [, , low, high]) {
    return low === high ? `All throws known: the mean is ${this.percent(tree, low)} for ${this.who(0)}.`
      : `So far the mean is between ${this.percent(tree, low)} and ${this.percent(tree, high)} for ${this.who(0)}, whatever the other throws bring.`;
  }

  /** Why nothing more is looked at. @param {SearchTree} tree @param {any[]} step */
  $cut(tree, [, id, by, left]) {
    const entry = tree.at(id);
    const rest = left ? ` ${left === 1 ? "One more move needs" : `${left} more moves need`} no look.` : " It was the last one anyway.";
    if (entry.seat === 2) return `Cut-off (Star1): whatever the other throws bring, the mean stays outside the window.${left ? ` ${counted(left, "throw")} left out.` : ""}`;
    const seat = entry.seat === 1 ? 1 : 0;
    const other = 1 - seat;
    const source = seat === 0 ? entry.highFrom : entry.lowFrom;
    const reached = tree.at(by).value;
    const worth = reached === null ? "" : this.percent(tree, reached, other);
    const move = tree.at(by).token;
    if (source === "null") return `Cut-off: with ${move}, ${this.who(seat)} gets more than the null window asked about. That answers the question.${rest}`;
    if (source === "throws") return `Cut-off: with ${move} this throw alone decides that the mean is outside the window.${rest}`;
    if (source === null) return `Cut-off: with ${move} the value is outside the window that the search began with.${rest}`;
    const better = tree.at(source.by);
    const has = this.percent(tree, /** @type {number} */ (seat === 0 ? entry.high : entry.low), other);
    const little = has === worth ? "no more than that" : `at most ${worth}`;
    return `Cut-off: ${this.who(other)} already has ${better.token}, worth ${has}. Here ${move} leaves ${this.who(other)} ${little}: `
      + `${this.who(other)} will not let it come to this.${rest}`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $done(tree, [, id, value, relation]) {
    const entry = tree.at(id);
    const words = /** @type {Record<string, string>} */ ({ "=": "is worth", ">=": "is worth at least", "<=": "is worth at most" })[relation];
    const name = entry.level ? entry.token : "The position";
    return `${name} ${words} ${this.percent(tree, value)} for ${this.who(0)}${entry.level ? "" : " at this depth"}.`;
  }

  // --- Monte Carlo tree search ---

  /** @param {SearchTree} _tree @param {any[]} step */
  $simulation(_tree, [, number]) {
    return `Simulation ${number}: from the top again.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $select(tree, [, parent, [child, mean, bonus], rival]) {
    const sum = (/** @type {number} */ a, /** @type {number} */ b) => `${a.toFixed(2)} + ${b.toFixed(2)} = ${(a + b).toFixed(2)}`;
    const chosen = tree.at(child);
    const why = chosen.visits ? `mean and bonus for few visits, ${sum(mean, bonus)}` : `never visited, ${sum(mean, bonus)}`;
    const against = rival ? `, ahead of ${tree.at(rival[0]).token} with ${sum(rival[1], rival[2])}` : "";
    return `${this.who(tree.at(parent).seat)} selects ${chosen.token}: ${why}${against}.`;
  }

  /** @param {SearchTree} tree */
  $thrown(tree) {
    return `Thrown: ${tree.at(/** @type {number} */ (tree.now)).token}.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $expand(tree, [, id, seat, children]) {
    if (seat === 2) return `After ${tree.at(id).token} comes a throw: its ${counted(children.length, "outcome")} join the tree.`;
    return `${tree.at(id).level ? tree.at(id).token : "The position"} has been visited often enough: its ${counted(children.length, "move")} join the tree.`;
  }

  /** @param {SearchTree} _tree @param {any[]} step */
  $evaluate(_tree, [, value, kind]) {
    if (kind === "playout") {
      const who = value === 0.5 ? "a draw" : `a win for ${this.who(value > 0.5 ? 0 : 1)}`;
      return `A leaf: a random game from here ends as ${who}.`;
    }
    const how = kind === "evaluation" ? "the evaluation gives" : "evaluation and a random game together give";
    return `A leaf: ${how} ${this.who(0)} ${(100 * value).toFixed(1)} %.`;
  }

  /** @param {SearchTree} tree @param {any[]} step */
  $backup(tree, [, value, nodes]) {
    const proven = nodes[nodes.length - 1][3] ? " This result is proven." : "";
    return `${(100 * value).toFixed(0)} % for ${this.who(0)} goes back up to ${counted(nodes.length, "node")}.${proven}`;
  }
}
