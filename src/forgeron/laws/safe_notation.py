"""Moves and positions as text for a report: in the notation of the game, or as numbers where that fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from forgeron.core.contract import fixed
from forgeron.core.game import Game
from forgeron.laws.reached_positions import ask


def tokens_of(game: Game, line: Sequence[int]) -> list[str]:
    """The moves of a line from the first position."""
    found = []
    state: Any = None
    try:
        state = fixed(game.start_state())
        for move in line:
            found.append(str(game.format_move(state, move)))
            state = fixed(ask("play", state, np.int64(move)))
    except Exception:
        return [str(move) for move in line]
    return found


def text_of(game: Game, state: Any) -> str:
    """The position as the game writes it."""
    try:
        return str(game.format_state(state))
    except Exception:
        return repr(tuple(map(int, state)))
