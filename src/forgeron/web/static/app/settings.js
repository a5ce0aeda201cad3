// What a browser remembers of its user: theme, motion, and the secret by which the server knows whose seat is whose.

import { el } from "./dom.js";

const THEMES = ["auto", "light", "dark"];
const SIGNS = /** @type {Record<string, string>} */ ({ auto: "◐", light: "☀", dark: "☾" });

/** @param {string} name @param {string} fallback */
function stored(name, fallback) {
  try {
    return localStorage.getItem(`forgeron.${name}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {string} value */
function store(name, value) {
  try {
    localStorage.setItem(`forgeron.${name}`, value);
  } catch {
    // Without storage the choice holds for this page alone.
  }
}

export const settings = {
  theme: stored("theme", "auto"),
  motion: stored("motion", "on") === "on",
  key: stored("key", ""),
};

if (!/^[0-9a-f]{32}$/.test(settings.key)) {
  settings.key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  store("key", settings.key);
}

function applyTheme() {
  if (settings.theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", settings.theme);
}

/** The two switches of the page. @param {HTMLElement} host @param {() => void} changed */
export function showSettings(host, changed) {
  applyTheme();
  const theme = el("button", { type: "button", class: "quiet" });
  const motion = el("button", { type: "button", class: "quiet" });
  const label = () => {
    theme.textContent = SIGNS[settings.theme];
    theme.setAttribute("aria-label", `Theme: ${settings.theme}`);
    theme.title = `Theme: ${settings.theme}`;
    motion.textContent = settings.motion ? "Motion on" : "Motion off";
    motion.setAttribute("aria-pressed", String(settings.motion));
  };
  theme.addEventListener("click", () => {
    settings.theme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length];
    store("theme", settings.theme);
    applyTheme();
    label();
  });
  motion.addEventListener("click", () => {
    settings.motion = !settings.motion;
    store("motion", settings.motion ? "on" : "off");
    label();
    changed();
  });
  label();
  host.replaceChildren(motion, theme);
}
