// The ideas of a search as switches, and beside each what the search costs with it the other way round.

import { el } from "./dom.js";

/** @typedef {{name: string, title: string, help: string, needs: string | null, on: boolean}} Idea */
/** @typedef {{ideas: string[], nodes: number, complete: boolean, move: string | null, value: number | null}} Effort */

export class Ideas {
  /** @param {Idea[]} ideas @param {() => void} changed @param {boolean} simulations whether all searches cost the same, and what they find is told instead */
  constructor(ideas, changed, simulations) {
    this.ideas = ideas;
    this.changed = changed;
    this.simulations = simulations;
    this.on = new Set(ideas.filter((idea) => idea.on).map((idea) => idea.name));
    /** @type {Effort[]} */
    this.efforts = [];
    this.note = el("p", { class: "note muted", role: "status" });
    this.total = el("span", { class: "idea-cost" });
    this.list = el("ul", { class: "ideas" }, el("li", { class: "idea total" }, el("span", { class: "idea-title" }, el("b", {}, "This search")), this.total));
    this.rows = ideas.map((idea) => this.#row(idea));
    this.host = el("section", { class: "panel", "aria-label": "Ideas" }, el("h2", {}, "Ideas, on and off"), this.list, this.note);
    this.#draw();
  }

  /** The ideas that are on, and not without what they need. */
  get chosen() {
    return this.ideas.filter((idea) => this.#works(idea)).map((idea) => idea.name);
  }

  /** Counting begins anew. */
  clear() {
    this.efforts = [];
    this.note.textContent = "Counting …";
    this.#draw();
  }

  /** @param {Effort} effort */
  add(effort) {
    this.efforts.push(effort);
    this.#draw();
  }

  /** @param {string} text */
  remark(text) {
    this.note.textContent = text;
  }

  /** @param {Idea} idea @returns {boolean} */
  #works(idea) {
    const needed = this.ideas.find((one) => one.name === idea.needs);
    return this.on.has(idea.name) && (!needed || this.#works(needed));
  }

  /** The ideas of the search that differs from the one shown by this idea. @param {Idea} idea @returns {string} */
  #flipped(idea) {
    const on = new Set(this.chosen);
    if (on.has(idea.name)) on.delete(idea.name);
    else on.add(idea.name);
    for (let before = -1; before !== on.size;) {
      before = on.size;
      for (const one of this.ideas) if (one.needs && !on.has(one.needs)) on.delete(one.name);
    }
    return [...on].sort().join();
  }

  /** A row for each idea; it stays, so that whoever is at a switch stays there. @param {Idea} idea */
  #row(idea) {
    const box = el("input", { type: "checkbox", checked: idea.on, onchange: () => {
      if (this.on.has(idea.name)) this.on.delete(idea.name);
      else this.on.add(idea.name);
      this.changed();
    } });
    const help = el("small", { class: "muted" });
    const cost = el("span", { class: "idea-cost" });
    this.list.append(el("li", { class: "idea", "data-idea": idea.name },
      el("label", { class: "idea-title" }, box, el("span", {}, el("b", {}, idea.title), " ", help)), cost));
    return { idea, box, help, cost };
  }

  #draw() {
    const byIdeas = new Map(this.efforts.map((effort) => [effort.ideas.join(), effort]));
    const most = Math.max(...this.efforts.map((effort) => effort.nodes), 1);
    this.total.replaceChildren(...this.#cost(byIdeas.get([...this.chosen].sort().join()), most, ""));
    for (const { idea, box, help, cost } of this.rows) {
      const missing = idea.needs && !this.on.has(idea.needs) ? this.ideas.find((one) => one.name === idea.needs) : undefined;
      box.disabled = Boolean(missing);
      help.textContent = missing ? `needs ${missing.title}` : idea.help;
      cost.replaceChildren(...(missing ? [] : this.#cost(byIdeas.get(this.#flipped(idea)), most, this.#works(idea) ? "without" : "with")));
    }
  }

  /** @param {Effort | undefined} effort @param {number} most @param {string} word @returns {(HTMLElement | string)[]} */
  #cost(effort, most, word) {
    if (!effort) return ["…"];
    if (this.simulations) return [`${word} ${effort.move ?? ""} ${effort.value === null ? "" : `${Math.round(100 * effort.value)} %`}`];
    const bar = el("span", { class: "idea-bar", "aria-hidden": "true" });
    bar.style.width = `${Math.max((100 * Math.log(effort.nodes + 1)) / Math.log(most + 1), 1)}%`;
    const nodes = `${effort.complete ? "" : "over "}${effort.nodes.toLocaleString("en")}`;
    return [el("span", {}, `${word} `, el("b", {}, nodes), word ? "" : " nodes"), bar];
  }
}
