// Small helpers for building pages. Texts are always texts: nothing here reads markup.

/** @typedef {globalThis.Node | string | number | null | undefined | false} Content */

/**
 * A new element. Properties that are functions are listeners (`onclick`), others attributes; true is an empty one.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Content | Content[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof globalThis.Node ? child : String(child));
    }
  }
  return element;
}

/** The button that turns a board round. @param {() => void} act */
export function turnButton(act) {
  return el("button", { type: "button", class: "quiet round", title: "Turn the board", "aria-label": "Turn the board", onclick: act }, "⇅");
}

/** @template {Element} T @param {string} id @returns {T} */
export function byId(id) {
  return /** @type {T} */ (/** @type {unknown} */ (document.getElementById(id)));
}

/**
 * Ask once, in a dialog.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { "aria-label": question },
      el("p", {}, question),
      el("div", { class: "actions" },
        el("button", { type: "button", onclick: () => dialog.close("no") }, "Keep playing"),
        el("button", { type: "button", class: "primary", onclick: () => dialog.close("yes") }, yes)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
