"""Thousands of games of one kind, moved on by one compiled call: for learning from play.

>>> import forgeron
>>> from forgeron.interop.batch import GameBatch
>>> batch = GameBatch(forgeron.game("mancala"), 1000, seed=1)
>>> batch.observations.shape, batch.masks.shape
((1000, 7, 64), (1000, 64))
>>> for _ in range(100):
...     batch.step(batch.draw_actions())
>>> batch.finished_games > 500
True
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from forgeron.core.contract import fixed
from forgeron.core.errors import IllegalMoveError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.kernels.environment import (
    NEXT_STEP,
    SAME_STEP,
    Rows,
    begin_games,
    draw_actions,
    find_illegal,
    step_games,
)

OPPONENTS = ("self", "random")
AUTORESETS = {"same-step": SAME_STEP, "next-step": NEXT_STEP}


class GameBatch:
    """`count` games of one kind. All arrays have a row for each game and are written anew by every call.

    Whoever is to move acts: `seats` says who that is, and `observations`, `masks` and `rewards` are that player's. With
    ``opponent="random"`` the agent has one seat of each game, drawn anew for every game, and the other side's random
    moves are part of the environment. A finished game begins again, in the same call (``same-step``: its last
    observation is in `final_observations`) or in the next (``next-step``: whatever action it is given then). Dice are
    thrown from the seed; the same seed and the same actions give the same games on any number of threads.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        seed: int = 0,
        opponent: str = "self",
        autoreset: str = "same-step",
        threads: int = 1,
    ) -> None:
        if not isinstance(game, Game):
            raise OptionError(f"a batch needs a game, such as forgeron.game('yolah'), not {game!r}")
        if count < 1 or threads < 1:
            raise OptionError(f"a batch has at least one game and one thread, not {count} and {threads}")
        if opponent not in OPPONENTS or autoreset not in AUTORESETS:
            raise OptionError(
                f"opponent is {' or '.join(OPPONENTS)} and autoreset {' or '.join(AUTORESETS)}, "
                f"not {opponent!r} and {autoreset!r}"
            )
        self.game, self.count = game, count
        self.opponent, self.autoreset = opponent, autoreset
        start = game.start()
        self._start = fixed(start.state)
        words = start.observe(0).shape[0]
        if game.action_space * count > 2**33:
            raise OptionError(f"{count} games of {game.action_space} actions do not fit into memory")
        self._rows = _make_rows(game, count, len(self._start), words)
        self._bounds = [count * part // threads for part in range(threads + 1)]
        self._scratch = [_scratch(game, words) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._how = np.int64(opponent == "random"), np.int64(game.action_count == 0)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; with a seed, as the first time with that seed. Without one they are others."""
        if seed is not None:
            self._seed = np.uint64(seed % 2**64)
            self._rows.ticks[:] = 0
            self._drawn = 0
        self.finished_games = 0
        self._each(begin_games, self._seed, *self._how)

    def step(self, actions: np.ndarray) -> None:
        """Play an action in every game. When one of them is not legal, nothing is played."""
        given = np.ascontiguousarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise OptionError(f"actions are {self.count} integers, not {given.dtype} of shape {given.shape}")
        given = given.astype(np.int64, copy=False)
        wrong = int(find_illegal(self._rows, given))
        if wrong >= 0:
            number = int(given[wrong])
            raise IllegalMoveError(f"action {number}", str(self.position(wrong)), f"in game {wrong} of the batch")
        self._each(step_games, given, self._seed, *self._how, np.int64(AUTORESETS[self.autoreset]))
        self.finished_games += int(np.count_nonzero(self._rows.ended))

    def draw_actions(self) -> np.ndarray:
        """A random legal action for every game."""
        actions = np.empty(self.count, dtype=np.int64)
        self._drawn += 1
        draw_actions(self._rows, self._seed, np.int64(self._drawn), actions)
        return actions

    def position(self, index: int) -> Position:
        """Game number `index` as it stands."""
        words = self._rows.states[index]
        kinds = [type(field) for field in self._start]
        return Position(self.game, self._start._make(w.view(kind) for kind, w in zip(kinds, words, strict=True)))

    @property
    def observations(self) -> np.ndarray:
        """What the player to move sees: game × word × bit, zeros and ones."""
        return self._bits(self._rows.observations)

    @property
    def final_observations(self) -> np.ndarray:
        """With ``same-step``: what the player who acted saw last, of games that ended in the last call."""
        return self._bits(self._rows.final)

    @property
    def masks(self) -> np.ndarray:
        """1 for each legal action: game × action."""
        return self._rows.masks

    @property
    def seats(self) -> np.ndarray:
        """Who is to move: 0 or 1."""
        return self._rows.seats

    @property
    def rewards(self) -> np.ndarray:
        """1, 0 or -1 for the player who acted; what the other one gets is the opposite."""
        return self._rows.rewards

    @property
    def ended(self) -> np.ndarray:
        """Whether the last action, or what came after it, ended the game."""
        return self._rows.ended

    @property
    def lengths(self) -> np.ndarray:
        """Actions of each game so far; where `ended`, with ``next-step``, of the whole game."""
        return self._rows.lengths

    def _bits(self, words: np.ndarray) -> np.ndarray:
        return words.view(np.uint8).reshape(self.count, -1, 64)

    def _each(self, kernel: Any, *how: Any) -> None:
        """Run the kernel on the games of each thread."""

        def run(part: int) -> None:
            bounds = np.int64(self._bounds[part]), np.int64(self._bounds[part + 1])
            kernel(self._start, self._rows, *bounds, *how, *self._scratch[part])

        if self._pool is None:
            run(0)
        else:
            list(self._pool.map(run, range(len(self._scratch))))


def _make_rows(game: Game, count: int, fields: int, words: int) -> Rows:
    return Rows(
        states=np.zeros((count, fields), dtype=np.uint64),
        ticks=np.zeros(count, dtype=np.uint64),
        seats=np.zeros(count, dtype=np.int8),
        observations=np.zeros((count, 8 * words), dtype=np.uint64),
        final=np.zeros((count, 8 * words), dtype=np.uint64),
        masks=np.zeros((count, game.action_space), dtype=np.int8),
        listed=np.zeros((count, 2, game.max_moves), dtype=np.int32),
        counts=np.zeros(count, dtype=np.int32),
        rewards=np.zeros(count, dtype=np.float32),
        ended=np.zeros(count, dtype=np.bool_),
        lengths=np.zeros(count, dtype=np.int32),
    )


def _scratch(game: Game, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(game.max_moves, dtype=np.int64), np.zeros(game.max_moves), np.zeros(words + 1, dtype=np.uint64)
