// The one connection to the server. It comes back by itself, and whoever listens is told.

import { settings } from "./settings.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;

/** @typedef {{event: string, ask?: number} & Record<string, any>} Message */

export class Socket {
  /** @param {{onMessage: (message: Message) => void, onState: (open: boolean) => void}} listener */
  constructor(listener) {
    this.listener = listener;
    this.wait = FIRST_WAIT_MS;
    this.number = 0;
    /** @type {Map<number, {resolve: (message: Message) => void, reject: (error: Error) => void}>} */
    this.asked = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.#connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Say something; false when there is no connection now. @param {Record<string, any>} message */
  send(message) {
    if (!this.open) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  /** Say something about a game, as the one whose browser this is. @param {string} what @param {string} id @param {Record<string, any>} [more] */
  game(what, id, more = {}) {
    return this.send({ do: what, id, key: settings.key, ...more });
  }

  /** Say something and wait for its answer. @param {Record<string, any>} message @returns {Promise<Message>} */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.number += 1;
      if (!this.send({ ...message, ask: this.number })) {
        reject(new Error("there is no connection to the server"));
        return;
      }
      this.asked.set(this.number, { resolve, reject });
    });
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT_MS;
      this.listener.onState(true);
    });
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      for (const { reject } of this.asked.values()) reject(new Error("the connection was lost"));
      this.asked.clear();
      this.listener.onState(false);
      setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
    });
  }

  /** @param {Message} message */
  #hear(message) {
    const waiting = message.ask === undefined ? undefined : this.asked.get(message.ask);
    if (waiting && message.ask !== undefined) {
      this.asked.delete(message.ask);
      if (message.event === "refused") waiting.reject(new Error(message.text));
      else waiting.resolve(message);
    } else this.listener.onMessage(message);
  }
}
