"""Our games in OpenSpiel (extra ``openspiel``): registered there as Python games, for its algorithms.

>>> from forgeron.interop.openspiel import load_game  # doctest: +SKIP
>>> game = load_game("mancala", preset="course")  # a pyspiel.Game  # doctest: +SKIP

Actions are those of the game (`action_count`), throws are chance nodes, a win is worth 1. OpenSpiel asks for every move
through Python, so this is much slower than our own search.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from forgeron.core.contract import MAX_PLIES, offers
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.registry import game as find_game
from forgeron.interop.extras import needed

pyspiel: Any = needed("pyspiel", "openspiel")
_observation: Any = needed("open_spiel.python.observation", "openspiel")

_registered: dict[Game, str] = {}


def load_game(name: str | Game, /, *, preset: str | None = None, **options: Any) -> Any:
    """The game, by name, by the path of a one-file game, or given, as OpenSpiel's `load_game` gives it."""
    return pyspiel.load_game(register(name, preset=preset, **options))


def register(name: str | Game, /, *, preset: str | None = None, **options: Any) -> str:
    """Make the game known to OpenSpiel; the name by which it is found there, such as ``forgeron_yinsh_n_6``."""
    game = name if isinstance(name, Game) else find_game(name, preset=preset, **options)
    if game not in _registered:
        short = "forgeron_" + re.sub(r"\W+", "_", str(game).lower()).strip("_")
        pyspiel.register_game(_type_of(game, short), _class_of(game, short))
        _registered[game] = short
    return _registered[game]


def _type_of(game: Game, short: str) -> Any:
    kind = pyspiel.GameType
    dice = kind.ChanceMode.EXPLICIT_STOCHASTIC if _has_dice(game) else kind.ChanceMode.DETERMINISTIC
    return kind(
        short_name=short,
        long_name=f"{game.title} (Forgeron)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=dice,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _has_dice(game: Game) -> bool:
    return offers(game.state_class, "chance")


def _class_of(game: Game, short: str) -> type:
    """The class that OpenSpiel makes a game of: one for each game and its options."""
    info = pyspiel.GameInfo(
        num_distinct_actions=game.action_space,
        max_chance_outcomes=game.max_moves if _has_dice(game) else 0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=MAX_PLIES,
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(_type_of(game, short), info, params or {})

        def new_initial_state(self, *_: Any) -> Any:
            return SpielState(self, game.start())

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return SpielObserver(game, params)
            return _observation.IIGObserverForPublicInfoGame(iig_obs_type, params)

    return SpielGame


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of ours as a state of OpenSpiel's."""

    def __init__(self, game: Any, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> Any:
        turn = self.position.turn
        if turn is None:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if turn == "chance" else turn

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.position.chances()))

    def _apply_action(self, action: int) -> None:
        position = self.position
        self.position = position.push(position.moves[action]) if position.turn == "chance" else position.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        numbers = tuple(range(len(position.moves))) if position.turn == "chance" else position.actions
        move = position.moves[numbers.index(action)]
        return position.game.format_move(position.state, move)

    def is_terminal(self) -> bool:
        return self.position.turn is None

    def returns(self) -> list[float]:
        score = self.position.score
        won = float((score > 0) - (score < 0))
        return [won, -won]

    def __str__(self) -> str:
        return str(self.position)


class SpielObserver:
    """What a player sees: the bits of `Position.observe`, and the position's token."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise ValueError(f"no parameters are known for observations; passed {params}")
        shape = game.start().observe(0).shape
        self.tensor = np.zeros(shape[0] * shape[1], np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: Any, player: int) -> None:
        self.dict["observation"][:] = state.position.observe(player)

    def string_from(self, state: Any, player: int) -> str:
        return str(state.position)
