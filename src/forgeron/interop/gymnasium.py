"""A batch of games as a vector environment of Gymnasium (extra ``pettingzoo``).

>>> from forgeron.interop.gymnasium import vector_env  # doctest: +SKIP
>>> table = vector_env("yolah", num_envs=1024, opponent="random")  # doctest: +SKIP
>>> observations, infos = table.reset(seed=7)  # doctest: +SKIP

``infos["action_mask"]`` says which actions are legal, ``infos["to_move"]`` who is to move. With the opponent ``self``
both players are the agent's, in turn, and a reward is that of the one who acted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from forgeron.core.game import Game
from forgeron.core.registry import game as find_game
from forgeron.interop.batch import GameBatch
from forgeron.interop.extras import needed

_vector: Any = needed("gymnasium.vector", "pettingzoo")
_spaces: Any = needed("gymnasium.spaces", "pettingzoo")
_utils: Any = needed("gymnasium.vector.utils", "pettingzoo")


def vector_env(
    name: str | Game,
    /,
    *,
    num_envs: int,
    opponent: str = "self",
    autoreset: str = "next-step",
    threads: int = 1,
    copy: bool = True,
    preset: str | None = None,
    **options: Any,
) -> Any:
    """So many games, by name, by the path of a one-file game, or given. `opponent` and `autoreset` as in `GameBatch`.

    Without `copy` the arrays that are returned are written anew by the next call.
    """
    game = name if isinstance(name, Game) else find_game(name, preset=preset, **options)
    return BatchEnv(GameBatch(game, num_envs, opponent=opponent, autoreset=autoreset, threads=threads), copy)


class BatchEnv(_vector.VectorEnv):  # type: ignore[misc]
    """A `GameBatch` under Gymnasium's names."""

    def __init__(self, batch: GameBatch, copy: bool = True) -> None:
        self.batch = batch
        self.num_envs = batch.count
        self._copy = copy
        mode = {"same-step": _vector.AutoresetMode.SAME_STEP, "next-step": _vector.AutoresetMode.NEXT_STEP}
        self.metadata = {"autoreset_mode": mode[batch.autoreset]}
        self.single_observation_space = _spaces.Box(0, 1, batch.observations.shape[1:], dtype=np.uint8)
        self.single_action_space = _spaces.Discrete(batch.game.action_space)
        self.observation_space = _utils.batch_space(self.single_observation_space, batch.count)
        self.action_space = _utils.batch_space(self.single_action_space, batch.count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all games anew; with a seed, the same dice and seats every time."""
        self.batch.reset(seed)
        return self._own(self.batch.observations), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        batch = self.batch
        batch.step(np.asarray(actions))
        infos = self._infos()
        if batch.autoreset == "same-step" and batch.ended.any():
            infos["final_obs"] = self._own(batch.final_observations)
            infos["_final_obs"] = self._own(batch.ended)
        never = np.zeros(self.num_envs, dtype=np.bool_)  # games end; nothing is cut short
        return self._own(batch.observations), self._own(batch.rewards), self._own(batch.ended), never, infos

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._own(self.batch.masks), "to_move": self._own(self.batch.seats)}

    def _own(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array
