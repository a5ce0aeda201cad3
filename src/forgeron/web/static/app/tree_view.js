// The tree of a search as an outline. Only the rows in sight are in the document, however many there are.

import { el } from "./dom.js";

/** @typedef {import("./search_tree.js").SearchTree} SearchTree */
/** @typedef {import("./search_tree.js").Entry} Entry */
/** @typedef {import("./search_words.js").Narrator} Narrator */

const ROW = 34;
const SPARE = 6;
/** Deeper levels are not indented further. */
const MOST_INDENT = 9;

export class TreeView {
  /** @param {Narrator} narrator @param {(id: number) => void} choose @param {(seat: number | null) => HTMLElement | string} signOf */
  constructor(narrator, choose, signOf) {
    this.narrator = narrator;
    this.choose = choose;
    this.signOf = signOf;
    /** @type {SearchTree | null} */
    this.tree = null;
    /** @type {Set<number>} */
    this.opened = new Set();
    /** @type {number | null} */
    this.selected = null;
    /** @type {Entry[]} */
    this.rows = [];
    this.space = el("div", { class: "outline-space", role: "presentation" });
    this.host = el("div", { class: "outline", role: "tree", tabindex: 0, "aria-label": "Search tree" }, this.space);
    this.host.addEventListener("scroll", () => this.#rows());
    this.host.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {SearchTree} tree @param {number | null} selected @param {boolean} reveal scroll to the selected row, and open the way to it alone */
  show(tree, selected, reveal) {
    this.tree = tree;
    this.selected = selected;
    if (reveal && selected !== null) this.opened = new Set(tree.way(selected).slice(0, -1).map((entry) => entry.id));
    if (reveal && selected !== null && tree.at(selected).open) this.opened.add(selected);
    this.rows = [];
    for (const root of tree.roots) this.#collect(root);
    this.space.style.height = `${this.rows.length * ROW}px`;
    const at = this.rows.findIndex((entry) => entry.id === selected);
    if (at >= 0 && reveal) {
      const top = at * ROW;
      const { scrollTop, clientHeight } = this.host;
      if (top < scrollTop + ROW || top > scrollTop + clientHeight - 2 * ROW) this.host.scrollTop = Math.max(top - clientHeight / 2, 0);
    }
    this.#rows();
  }

  /** @param {number} id */
  #collect(id) {
    const tree = /** @type {SearchTree} */ (this.tree);
    const entry = tree.at(id);
    this.rows.push(entry);
    if (!this.opened.has(id)) return;
    for (const child of this.#children(entry)) this.#collect(child);
  }

  /** In a tree of simulations: those that were visited, the most visited first. @param {Entry} entry */
  #children(entry) {
    const tree = /** @type {SearchTree} */ (this.tree);
    if (!tree.path.length) return entry.children;
    return entry.children.filter((id) => tree.at(id).visits > 0 || tree.path.includes(id)).sort((a, b) => tree.at(b).visits - tree.at(a).visits);
  }

  #rows() {
    const { scrollTop, clientHeight } = this.host;
    const first = Math.max(Math.floor(scrollTop / ROW) - SPARE, 0);
    const last = Math.min(first + Math.ceil((clientHeight || 400) / ROW) + 2 * SPARE, this.rows.length);
    this.space.replaceChildren(...this.rows.slice(first, last).map((entry, i) => this.#row(entry, first + i)));
    if (this.selected === null || !this.rows.slice(first, last).some((entry) => entry.id === this.selected)) this.host.removeAttribute("aria-activedescendant");
    else this.host.setAttribute("aria-activedescendant", `entry-${this.selected}`);
  }

  /** @param {Entry} entry @param {number} i */
  #row(entry, i) {
    const tree = /** @type {SearchTree} */ (this.tree);
    const inner = this.#children(entry).length > 0;
    const open = this.opened.has(entry.id);
    const row = el("div", {
      class: `outline-row${entry.id === this.selected ? " now" : ""}${entry.cut ? " is-cut" : ""}${entry.id === (entry.parent === null ? -1 : tree.at(entry.parent).best) ? " is-best" : ""}`,
      id: `entry-${entry.id}`, role: "treeitem", "aria-level": entry.level + 1, "aria-selected": entry.id === this.selected ? "true" : "false",
      "aria-expanded": inner ? String(open) : null,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (/** @type {Element} */ (event.target).closest(".twisty")) this.#toggle(entry.id);
        else this.choose(entry.id);
      },
    },
    el("span", { class: "outline-move" }, el("span", { class: "twisty", "aria-hidden": "true" }, inner ? (open ? "▾" : "▸") : ""),
      entry.parent === null ? "" : el("small", {}, this.signOf(tree.at(entry.parent).seat)), entry.token),
    tree.path.length ? this.#visits(tree, entry) : this.#window(tree, entry),
    el("span", { class: "outline-value" }, this.narrator.value(tree, entry)),
    el("span", { class: "outline-tags" }, this.#tags(entry).map(([kind, text]) => el("span", { class: `tag ${kind}` }, text))));
    row.style.setProperty("--level", String(Math.min(entry.level, MOST_INDENT)));
    row.style.top = `${i * ROW}px`;
    return row;
  }

  /** The window as a bar from 0 to 100 %, and the value in it. @param {SearchTree} tree @param {Entry} entry */
  #window(tree, entry) {
    const bar = el("span", { class: "mini", "aria-hidden": "true" });
    if (entry.low !== null && entry.high !== null) {
      const inside = el("span", { class: entry.nullWindow ? "mini-window null" : "mini-window" });
      const [low, high] = [tree.share(entry.low), tree.share(entry.high)];
      inside.style.left = `${100 * low}%`;
      inside.style.width = `${100 * Math.max(high - low, 0)}%`;
      bar.append(inside);
    }
    if (entry.value !== null) {
      const tick = el("span", { class: "mini-value" });
      tick.style.left = `${100 * tree.share(entry.value)}%`;
      bar.append(tick);
    }
    return bar;
  }

  /** @param {SearchTree} tree @param {Entry} entry */
  #visits(tree, entry) {
    const most = entry.parent === null ? entry.visits : tree.at(entry.parent).visits;
    const fill = el("span", { class: "mini-visits" });
    fill.style.width = `${(100 * entry.visits) / Math.max(most, 1)}%`;
    return el("span", { class: "mini counted" }, fill, el("span", { class: "mini-count" }, entry.visits.toLocaleString("en")));
  }

  /** @param {Entry} entry @returns {[string, string][]} */
  #tags(entry) {
    /** @type {[string, string][]} */
    const found = [];
    if (entry.cut) found.push(["cut", entry.cut.left ? `cut, ${entry.cut.left} left out` : "cut"]);
    if (entry.table) found.push(["table", entry.table.used ? "table" : "table move"]);
    if (entry.probcut) found.push(["cut", "ProbCut"]);
    if (entry.again !== null) found.push(["again", "again"]);
    if (entry.reduction) found.push(["reduced", `−${entry.reduction} ply`]);
    else if (entry.nullWindow) found.push(["null", "null window"]);
    if (entry.probe) found.push(["null", "probe"]);
    if (entry.leaf && entry.leaf !== "horizon") found.push(["leaf", entry.leaf]);
    if (entry.order) found.push(["order", entry.order]);
    if (entry.prior !== null) found.push(["order", `prior ${Math.round(100 * entry.prior)} %`]);
    return found;
  }

  /** @param {number} id */
  #toggle(id) {
    if (this.opened.has(id)) this.opened.delete(id);
    else this.opened.add(id);
    if (this.tree) this.show(this.tree, this.selected, false);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = this.rows.findIndex((entry) => entry.id === this.selected);
    const entry = this.rows[at];
    if (!this.tree || !entry || event.altKey || event.ctrlKey || event.metaKey) return;
    let to = null;
    if (event.key === "ArrowDown") to = this.rows[at + 1]?.id;
    else if (event.key === "ArrowUp") to = this.rows[at - 1]?.id;
    else if (event.key === "ArrowRight") {
      if (!this.opened.has(entry.id) && this.#children(entry).length) this.#toggle(entry.id);
      else to = this.#children(entry)[0];
    } else if (event.key === "ArrowLeft") {
      if (this.opened.has(entry.id)) this.#toggle(entry.id);
      else to = entry.parent;
    } else if (event.key === "Enter") this.#toggle(entry.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (to !== null && to !== undefined) {
      this.choose(to);
      const row = this.rows.findIndex((one) => one.id === to);
      const { scrollTop, clientHeight } = this.host;
      if (row * ROW < scrollTop) this.host.scrollTop = row * ROW;
      else if ((row + 1) * ROW > scrollTop + clientHeight) this.host.scrollTop = (row + 1) * ROW - clientHeight;
    }
  }
}
