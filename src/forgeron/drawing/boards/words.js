// Small helpers for sentences about positions.

/** @typedef {import("./types.js").View} View */

/** @param {string[]} names @returns {string} a, b and c */
export function listed(names) {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** @param {number} n @param {string} one @param {string} [many] */
export function counted(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Where each kind of piece stands: "Black pieces: a1, d5."
 * @param {View} view
 * @param {[string, string][]} contents names of places with the letter that stands there
 */
export function piecesInWords(view, contents) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [name, letter] of contents) {
    if (letter && letter !== ".") found.set(letter, [...(found.get(letter) ?? []), name]);
  }
  const kinds = [...Object.keys(view.pieces ?? {}), ...found.keys()];
  return [...new Set(kinds)].filter((letter) => found.has(letter)).map((letter) => {
    const places = found.get(letter) ?? [];
    const kind = view.pieces?.[letter]?.name ?? letter;
    return `${capital(kind)}${places.length > 1 ? "s" : ""}: ${listed(places)}.`;
  });
}

/** Whether a reason says more than the result; a game that gives none has "win" or "draw". @param {string} reason */
export function told(reason) {
  return reason !== "win" && reason !== "draw";
}

/** What is to be done now, or how it ended. @param {View} view */
export function statusInWords(view) {
  const { outcome, seats, turn } = view;
  if (outcome) {
    const result = outcome.winner === null ? "Draw" : `${capital(seats[outcome.winner])} wins`;
    return `${result}, ${outcome.scores[0]} to ${outcome.scores[1]}${told(outcome.reason) ? `: ${outcome.reason}` : ""}.`;
  }
  if (turn === null) return "The game is over.";
  return `${capital(seats[turn])} to ${view.chance ? "throw" : "move"}.`;
}

/** @param {View} view */
export function scoresInWords(view) {
  const [one, many] = view.unit ?? ["point", "points"];
  return `${capital(view.seats[0])} ${counted(view.scores[0], one, many)}, ${view.seats[1]} ${counted(view.scores[1], one, many)}.`;
}
