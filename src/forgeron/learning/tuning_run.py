"""A tuning: its settings, its folder and its progress.

The weights are a pure function of the settings and the games in the journal. A run that was stopped at any moment
plays the games that are missing and computes the rest again: it comes to the same weights.
"""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.core import contract
from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.core.files import write_file
from forgeron.core.game import Game
from forgeron.core.weights import read_weights, write_weights
from forgeron.learning.linear_features import check_linear
from forgeron.players import player_class, player_names

#: method → its default numbers of rounds and of games a round (for cma: of games a candidate).
METHODS = {"regression": (3, 2000), "cma": (12, 16)}
#: Who plays when nobody is named: the first that plays the game.
_STRONGEST = ("minimax", "expectimax", "greedy")
#: Random plies before the players think, at most; half as many at least.
_OPENING_PLIES = 8


@dataclass(frozen=True)
class Tuning:
    """The settings that decide the weights; the number of processes does not."""

    terms: Terms
    method: str
    player: str
    games: int
    rounds: int
    l2: float
    start: Mapping[str, float]
    """the initial weights, by name"""

    @classmethod
    def settle(
        cls,
        game: str,
        options: Mapping[str, Any] | None = None,
        preset: str | None = None,
        *,
        method: str = "regression",
        player: str | None = None,
        nodes: int = 2000,
        games: int | None = None,
        rounds: int | None = None,
        seed: int = 0,
        opening_plies: int | None = None,
        l2: float = 1.0,
        start: str = "default",
    ) -> Tuning:
        """The settings with every default filled in; what makes no sense is refused."""
        if method not in METHODS:
            raise unknown_name("method of tuning", method, METHODS)
        if nodes < 1:
            raise OptionError(f"nodes a move are 1 or more, not {nodes}")
        rounds = METHODS[method][0] if rounds is None else rounds
        games = METHODS[method][1] if games is None else games
        _check_numbers(method, rounds, games, l2)
        terms = Terms.settle(game, options, preset, time=f"{nodes}n", seed=seed, opening_plies=opening_plies)
        found = terms.open_game()
        if opening_plies is None and not contract.offers(found.state_class, "chance"):
            terms = Terms.settle(game, options, preset, time=f"{nodes}n", seed=seed, opening_plies=_OPENING_PLIES)
        weights = found.evaluation(start)
        check_linear(found, weights)
        by_name = {name: float(f"{weight:.6g}") for name, weight in zip(found.weight_names, weights, strict=True)}
        return cls(terms, method, _find_player(found, player), games, rounds, l2, by_name)

    def settings(self) -> dict[str, Any]:
        """For the journal."""
        rest = {key: value for key, value in vars(self).items() if key not in ("terms", "game")}
        return {"kind": "tuning", **self.terms.to_data(), **rest, "start": dict(self.start)}

    @cached_property
    def game(self) -> Game:
        return self.terms.open_game()

    @property
    def weights(self) -> np.ndarray:
        """The initial weights."""
        return np.array(list(self.start.values()))

    def entrant(self, name: str, weights: Path) -> Entrant:
        """The player under this name with the weights of a file."""
        options = {"eval": str(weights)}
        if "hash" in player_class(self.player).options:
            options["hash"] = "1"  # it is cleared before each move, and so few nodes need no more
        return Entrant(name, player=self.player, options=options)


@dataclass(frozen=True)
class TuningRound:
    """The result of one round, or of one generation."""

    round: int
    weights: tuple[float, ...]
    errors: tuple[float, ...] | None
    """standard errors, where the method has them"""
    measures: Mapping[str, float]
    """what the method measures, by name: losses, scores"""


@dataclass(frozen=True)
class TuningProgress:
    """How far a tuning has come."""

    played: int
    total: int
    rounds: tuple[TuningRound, ...]


TuningUpdates = Generator[TuningProgress, None, None]


class TuningFolder:
    """The folder of a tuning: its journal, weights and report."""

    def __init__(self, path: Path, tuning: Tuning) -> None:
        self.path = path
        self.tuning = tuning
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ForgeronError(f"cannot make the folder {path}: {error.strerror}") from None

    @property
    def journal(self) -> Path:
        return self.path / "games.journal"

    @property
    def weights(self) -> Path:
        """The file of the final weights."""
        return self.path / "weights.json"

    @property
    def start(self) -> Path:
        """The file of the initial weights."""
        return self.path / "weights-0.json"

    def save_start(self) -> None:
        """Write the initial weights; only after the journal was opened, which refuses other settings."""
        self.save_weights("weights-0", self.tuning.weights, "where the tuning began")

    def save_weights(self, name: str, weights: np.ndarray, note: str) -> tuple[Path, np.ndarray]:
        """Write weights; returns the file, and the weights as rounded in it."""
        game = self.tuning.game
        target = self.path / f"{name}.json"
        target.parent.mkdir(exist_ok=True)
        write_weights(target, game.name, game.weight_names, weights, note)
        return target, read_weights(target, game.name, game.weight_names)

    def save_json(self, name: str, data: Mapping[str, Any]) -> None:
        """Write data to a JSON file."""
        write_file(self.path / f"{name}.json", json.dumps(data, indent=2, ensure_ascii=False) + "\n")

    def save_results(self, rounds: tuple[TuningRound, ...], note: str) -> None:
        """Write the final weights with a note of their origin, and a report of each round."""
        self.save_weights("weights", np.array(rounds[-1].weights), note)
        names = list(self.tuning.start)
        report = {"settings": self.tuning.settings(), "names": names, "rounds": [asdict(one) for one in rounds]}
        self.save_json("report", report)


def _check_numbers(method: str, rounds: int, games: int, l2: float) -> None:
    if rounds < 1:
        raise OptionError(f"rounds are 1 or more, not {rounds}")
    if method == "regression" and games < 10:
        raise OptionError(f"a regression needs 10 games a round or more, not {games}")
    if method == "cma" and (games < 2 or games % 2):
        raise OptionError(f"a candidate plays pairs of games: give an even number such as 16, not {games}")
    if not 0 < l2 < math.inf:
        raise OptionError(f"l2 must be more than 0 and finite, not {l2}")


def _find_player(game: Game, name: str | None) -> str:
    """The player to tune for: one that judges by the evaluation."""
    if name is None:
        able = player_names(game)
        return next(one for one in _STRONGEST if one in able)
    entrant = Entrant.parse(name).located(Path())
    if entrant.player is None or entrant.is_human or entrant.options:
        raise OptionError(f"'{name}' cannot be tuned: name a player, or the file of one, without options")
    kind = player_class(entrant.player)
    if not kind.judges:
        raise OptionError(f"player {name} does not judge by the game's evaluation: there is nothing to tune for it")
    if not kind.plays(game):
        raise OptionError(f"player {name} does not play {game.title}")
    return entrant.player
