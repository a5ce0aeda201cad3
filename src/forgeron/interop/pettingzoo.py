"""Every game as a PettingZoo environment (extra ``pettingzoo``).

>>> from forgeron.interop.pettingzoo import env  # doctest: +SKIP
>>> table = env("yolah", render_mode="ansi")  # doctest: +SKIP
>>> table.reset(seed=7)  # doctest: +SKIP

The AEC interface: players act in turn. A player sees ``observation`` (a row of 64 bits for each word of the game's
`planes`) and ``action_mask`` over the game's `action_space`. Dice are thrown by the environment, from its seed. Who
wins gets 1, who loses -1, a draw is 0 for both.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from forgeron.core.chance import random_move
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.core.registry import game as find_game
from forgeron.drawing.pictures import pixels
from forgeron.drawing.shapes import picture_of
from forgeron.interop.extras import needed

AECEnv: Any = needed("pettingzoo", "pettingzoo").AECEnv
spaces: Any = needed("gymnasium.spaces", "pettingzoo")

RENDER_MODES = ("human", "ansi", "rgb_array")


def env(name: str | Game, /, *, render_mode: str | None = None, preset: str | None = None, **options: Any) -> Any:
    """The environment of a game, by name, by the path of a one-file game, or given, with its usual checks around it: an
    illegal action ends the game as a loss, and calls in the wrong order are told."""
    wrappers = needed("pettingzoo.utils.wrappers", "pettingzoo")
    table = raw_env(name, render_mode=render_mode, preset=preset, **options)
    table = wrappers.TerminateIllegalWrapper(table, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


def raw_env(name: str | Game, /, *, render_mode: str | None = None, preset: str | None = None, **options: Any) -> Any:
    """The environment without those checks; an illegal action is an `IllegalMoveError`."""
    game = name if isinstance(name, Game) else find_game(name, preset=preset, **options)
    return GameEnv(game, render_mode)


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game between two agents, called after the game's seats."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"forgeron_{game.name.replace('-', '_')}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(game.seats)
        self._rng = random.Random()
        self.position = game.start()
        shape = self.position.observe(0).shape
        seen = spaces.Box(0, 1, shape, dtype=np.int8)
        mask = spaces.Box(0, 1, (game.action_space,), dtype=np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.action_space) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed, its dice are the same every time. ``options={"position": token}`` begins there."""
        if seed is not None:
            self._rng = random.Random(seed)
        token = (options or {}).get("position")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._reach(self.game.start() if token is None else self.game.parse(token))

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat: Seat = 1 if agent == self.possible_agents[1] else 0
        mask = np.zeros(self.game.action_space, dtype=np.int8)
        if self.position.turn == seat:
            mask = self.position.action_mask()
        return {"observation": self.position.observe(seat).astype(np.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._reach(self.position.act(int(action if action is not None else -1)))
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _reach(self, position: Position) -> None:
        """Throw what is to be thrown, and settle who is next or who has won."""
        while position.turn == "chance":
            position = position.push(random_move(position, self._rng))
        self.position = position
        if position.turn is not None:
            self.agent_selection = self.possible_agents[position.turn]
            return
        sign = (position.score > 0) - (position.score < 0)
        self.rewards = {agent: sign if seat == 0 else -sign for seat, agent in enumerate(self.possible_agents)}
        self.terminations = dict.fromkeys(self.agents, True)
        outcome = position.outcome
        assert outcome is not None
        for agent in self.agents:
            self.infos[agent] = {"reason": outcome.reason, "scores": outcome.scores}
        last = getattr(self, "agent_selection", self.possible_agents[0])
        self.agent_selection = next(agent for agent in self.possible_agents if agent != last)

    def render(self) -> str | np.ndarray | None:
        """The board as text (``ansi``), as pixels (``rgb_array``), or printed (``human``)."""
        if self.render_mode is None:
            needed("gymnasium", "pettingzoo").logger.warn("render() draws nothing without a render_mode")
            return None
        text = self.position.draw()
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            print(f"{text}\n")
            return None
        picture = picture_of(self.position.view())
        if picture is None:
            raise OptionError(f"{self.game.title} has no view that can be drawn as pixels: render_mode ansi shows it")
        return pixels(picture)

    def close(self) -> None:
        """Nothing is open."""
