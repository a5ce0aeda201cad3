// Everything that other pages and scripts use of the boards.

import { Board } from "./board.js";
import { draw, drawText, inWords } from "./draw.js";
import { MoveBuilder } from "./moves.js";
import { film, pack, picture, pixels, replay, save, unpack } from "./share.js";
import { toText } from "./svg.js";

export const boards = { Board, MoveBuilder, draw, drawText, inWords, toText };
export const share = { film, pack, picture, pixels, replay, save, unpack };
