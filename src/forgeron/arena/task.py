"""One game to be played, as plain data: the unit that workers, clusters and journals deal in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.arena.clock import TimeControl
from forgeron.arena.contestant import BuiltIn, Contestant
from forgeron.arena.entrant import Entrant
from forgeron.arena.referee import Referee
from forgeron.arena.sandbox import hidden_from
from forgeron.core.game import Game
from forgeron.core.record import Record
from forgeron.games import game as find_game


@dataclass(frozen=True)
class GameTask:
    """A game between two entrants, with everything that decides how it goes."""

    id: str
    game: str
    """a registered name or the path of a one-file game"""
    options: Mapping[str, Any]
    entrants: tuple[Entrant, Entrant]
    """in the order of the seats"""
    time: str
    opening: tuple[str, ...] = ()
    seed: int = 0

    def to_data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "game": self.game,
            "options": dict(self.options),
            "entrants": [entrant.to_data() for entrant in self.entrants],
            "time": self.time,
            "opening": list(self.opening),
            "seed": self.seed,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> GameTask:
        first, second = (Entrant.from_data(one) for one in data["entrants"])
        return cls(**{**data, "entrants": (first, second), "opening": tuple(data["opening"])})


class Table:
    """Where games are played one after the other.

    Programs stay seated while the next game is theirs too, such as the other one of a pair; those that do not play go
    home: a bot that thinks in its opponent's time must not do so in the games of others.
    """

    def __init__(self) -> None:
        self._seated: dict[str, Contestant] = {}
        self._games: dict[str, Game] = {}

    def play(self, task: GameTask) -> Record:
        """Play the game; whatever a bot does, a record comes back."""
        game = self._game(task)
        names = self._name(task, game, 0), self._name(task, game, 1)
        for name, contestant in list(self._seated.items()):
            if name not in names and not isinstance(contestant, BuiltIn):
                self._seated.pop(name).close()
        seats = self._sit(names[0], task, game, 0), self._sit(names[1], task, game, 1)
        referee = Referee(game, seats, TimeControl.parse(task.time), opening=task.opening, seed=task.seed)
        return referee.play()

    def _game(self, task: GameTask) -> Game:
        name = json.dumps([task.game, dict(task.options)], sort_keys=True)
        if name not in self._games:
            self._games[name] = find_game(task.game, **task.options)
        return self._games[name]

    def _name(self, task: GameTask, game: Game, seat: int) -> str:
        # An entrant that plays itself is two contestants; otherwise it is the same one in both seats.
        twin = seat if task.entrants[0] == task.entrants[1] else 0
        hidden = [str(path) for path in _hidden(task, seat)]
        what = json.dumps([str(game), twin, task.entrants[seat].to_data(), hidden], sort_keys=True)
        return hashlib.blake2b(what.encode(), digest_size=16).hexdigest()

    def _sit(self, name: str, task: GameTask, game: Game, seat: int) -> Contestant:
        if name not in self._seated:
            self._seated[name] = task.entrants[seat].enter(game, _hidden(task, seat))
        return self._seated[name]

    def close(self) -> None:
        """Send everybody home."""
        for contestant in self._seated.values():
            contestant.close()
        self._seated.clear()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _hidden(task: GameTask, seat: int) -> tuple[Path, ...]:
    return hidden_from(task.entrants[seat].command, task.entrants[1 - seat].command)
