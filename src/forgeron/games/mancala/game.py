"""Coloured Mancala as the rest of Forgeron sees it."""

from __future__ import annotations

import numpy as np

from forgeron.core.game import Game, Option
from forgeron.games.mancala.rules import MAX_MOVES, MAX_PLIES, State, pack_info

_TWO_EACH = np.uint64(0x0202_0202_0202_0202)


class Mancala(Game):
    """Sow reds everywhere and blues at the opponent's, capture twos and threes: more seeds win."""

    name = "mancala"
    title = "Coloured Mancala"
    state_class = State
    max_moves = MAX_MOVES
    options = {
        "owners": Option("halves", ("halves", "alternate"), "who owns holes 1 … 16"),
        "plies": Option(400, range(1, MAX_PLIES + 1), "the game ends after this many moves of both together"),
        "forty": Option(False, (False, True), "the game also ends when both players have 40 seeds"),
    }
    presets = {"report": {"owners": "halves"}, "course": {"owners": "alternate"}}

    def start_state(self) -> State:
        info = pack_info(
            0,
            (0, 0),
            0,
            limit=int(self.chosen["plies"]),
            alternate=self.chosen["owners"] == "alternate",
            forty=bool(self.chosen["forty"]),
        )
        return State(*[_TWO_EACH] * 6, info)
