"""The functions of every game, as kernels call them: `turn(state)`, `moves(state, out)`, `play(state, move)`, …

Published for players that bring kernels of their own: the functions of `forgeron.core.contract`, the same objects.
Inside a kernel each call goes to the function that the game registered for that type of state.
"""

from __future__ import annotations

from forgeron.core.contract import (
    chance,
    evaluate,
    key,
    mobility,
    moves,
    pick,
    play,
    score,
    solve,
    throw,
    turn,
)

__all__ = ["chance", "evaluate", "key", "mobility", "moves", "pick", "play", "score", "solve", "throw", "turn"]
