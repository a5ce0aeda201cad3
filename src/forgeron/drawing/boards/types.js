// The shape of what the boards are given: docs/web.md has the same in words.

/** @typedef {string | string[]} Part a name of a place or choice; or a set of places, any of which may be pointed at */
/**
 * @typedef {{do: "slide", path: string[]} | {do: "drop", at: string} | {do: "flip", at: string[]}
 *   | {do: "take", at: string[]} | {do: "sow", from: string, path: string[], seeds: string[]}
 *   | {do: "throw", steps: number, name: string}} BoardEvent
 */
/** @typedef {{move: string, parts?: Part[], text?: string, events?: BoardEvent[]}} Move */
/** @typedef {{seat?: 0 | 1, shape?: string, name?: string, text?: string}} Piece */
/** @typedef {{winner: 0 | 1 | null, scores: [number, number], reason: string}} Outcome */
/**
 * What every view has; what a board adds is read by its own drawing.
 * @typedef {object} Frame
 * @property {number} format
 * @property {string} game
 * @property {string} title
 * @property {[string, string]} seats
 * @property {string} position
 * @property {0 | 1 | null} turn who is to move, or to throw; null when the game is over
 * @property {boolean} chance whether dice are to be thrown
 * @property {string} [throw] what the button that throws them says
 * @property {[number, number]} scores
 * @property {Outcome | null} outcome
 * @property {string | null} last the token of the last move
 * @property {string} drawing the board as plain text
 * @property {Move[]} moves
 * @property {string} [board]
 * @property {string[]} [asks]
 * @property {Record<string, string>} [choices]
 * @property {[string, string]} [unit]
 * @property {Record<string, Piece>} [pieces]
 */
/** @typedef {Frame & Record<string, any>} View */
/** @typedef {{name: string, x: number, y: number, r: number, outline?: import("./svg.js").Node}} Place */
/** @typedef {{width: number, height: number, places: Map<string, Place>}} Layout */
/**
 * How one kind of board is drawn. All functions are pure.
 * @typedef {object} Drawing
 * @property {(view: View, flip: boolean) => Layout} layout
 * @property {(view: View, layout: Layout) => import("./svg.js").Maybe} surface everything below the pieces
 * @property {(view: View, layout: Layout, place: Place) => import("./svg.js").Maybe} piece what stands on a place
 * @property {(view: View, layout: Layout) => import("./svg.js").Maybe} [above] what is drawn over the pieces
 * @property {(place: Place, kind: string) => import("./svg.js").Node} [spot] a mark that fills a place
 * @property {(view: View, place: string) => string} content what stands on a place, in words; empty for nothing
 * @property {(view: View) => string[]} words the position in sentences
 * @property {(view: View, layout: Layout, open: string[], chosen: string[]) => Map<string, Choice>} [choices]
 * @property {(view: View, event: BoardEvent) => import("./svg.js").Maybe} [flying] what moves in an event
 */
/** @typedef {Place & {label: string, face: import("./svg.js").Maybe}} Choice */

export {};
