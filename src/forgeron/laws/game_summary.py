"""A summary of a game for its author: perft counts, statistics of random games, and one game in full."""

from __future__ import annotations

import time
from typing import Any

from forgeron.core.game import Game
from forgeron.kernels.playout import play_many
from forgeron.laws.reached_positions import walk
from forgeron.laws.safe_notation import tokens_of

#: Perft goes one ply deeper while the last took less than this.
_SECONDS = 0.3
_DEEPEST = 8
_GAMES = 1_000


def perft_row(game: Game) -> list[int]:
    """The counts at depths 1, 2, …, as deep as takes no time."""
    found: list[int] = []
    while len(found) < _DEEPEST:
        started = time.monotonic()
        found.append(game.perft(game.start(), len(found) + 1))
        if time.monotonic() - started > _SECONDS / max(len(game.start().moves), 1) or not found[-1]:
            break
    return found


def tally(game: Game) -> dict[str, int]:
    """What random games come to."""
    found = play_many(game.start(), seed=1, games=_GAMES)
    return {**found._asdict(), "games": found.games}


def sample_game(game: Game, seed: int = 1) -> dict[str, Any]:
    """The moves of a random game and its last position, drawn."""
    *_, last = walk(game, seed)
    outcome = last.position.outcome
    winner = None if outcome is None else outcome.winner
    return {
        "moves": tokens_of(game, last.line),
        "board": last.position.draw(),
        "result": "draw" if winner is None else f"{game.seats[winner]} wins",
        "scores": list(last.position.scores),
    }
