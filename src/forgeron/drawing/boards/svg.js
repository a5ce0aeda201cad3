// Drawings as trees of plain objects: the same tree becomes text (reports, files, tests) or live elements (pages).

/** @typedef {{tag: string, attrs: Record<string, string | number>, children: Child[]}} Node */
/** @typedef {Node | string} Child */
/** @typedef {Child | null | undefined | false | "" | 0 | MaybeList} Maybe */
/** @typedef {{[at: number]: Maybe, length: number} & Iterable<any>} MaybeList */

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * One element of a drawing; whatever is null, undefined or false among its children and attributes is left out.
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined | false>} [attrs]
 * @param {...Maybe} children
 * @returns {Node}
 */
export function h(tag, attrs = {}, ...children) {
  /** @type {Record<string, string | number>} */
  const kept = {};
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    kept[name] = typeof value === "number" ? round(value) : value;
  }
  return { tag, attrs: kept, children: flat(children) };
}

/** @param {Maybe[]} children @returns {Child[]} */
function flat(children) {
  /** @type {Child[]} */
  const found = [];
  for (const child of children) {
    if (Array.isArray(child)) found.push(...flat(child));
    else if (child) found.push(/** @type {Child} */ (child));
  }
  return found;
}

/** Two decimals are finer than any screen. @param {number} value */
export function round(value) {
  return Math.round(value * 100) / 100;
}

/** @param {string | number} value */
function escape(value) {
  return String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** A drawing as text. @param {Child} node @returns {string} */
export function toText(node) {
  if (typeof node === "string") return escape(node);
  const attrs = Object.entries(node.attrs).map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
  const inside = node.children.map(toText).join("");
  return inside ? `<${node.tag}${attrs}>${inside}</${node.tag}>` : `<${node.tag}${attrs}/>`;
}

/** A new live element. @param {Child} node @returns {globalThis.Node} */
export function toElement(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const element = document.createElementNS(NAMESPACE, node.tag);
  for (const [name, value] of Object.entries(node.attrs)) element.setAttribute(name, String(value));
  for (const child of node.children) element.append(toElement(child));
  return element;
}

/**
 * Make a live element what the tree says, changing as little as possible: focus and running transitions stay.
 * @param {Element} element
 * @param {Node} node
 */
export function patch(element, node) {
  for (const name of element.getAttributeNames()) {
    if (!(name in node.attrs)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(node.attrs)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
  const old = [...element.childNodes];
  node.children.forEach((child, i) => {
    const before = old[i];
    if (!before) element.append(toElement(child));
    else if (!alike(before, child)) element.replaceChild(toElement(child), before);
    else if (typeof child === "string") {
      if (before.nodeValue !== child) before.nodeValue = child;
    } else patch(/** @type {Element} */ (before), child);
  });
  for (const extra of old.slice(node.children.length)) element.removeChild(extra);
}

/** @param {globalThis.Node} live @param {Child} child */
function alike(live, child) {
  if (typeof child === "string") return live.nodeType === 3;
  if (live.nodeType !== 1) return false;
  const element = /** @type {Element} */ (live);
  return element.tagName === child.tag && element.getAttribute("data-key") === keyOf(child);
}

/** @param {Node} node */
function keyOf(node) {
  return "data-key" in node.attrs ? String(node.attrs["data-key"]) : null;
}
