"""One game to be played, as plain data: the unit that workers, clusters and journals deal in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from forgeron.arena.bot_files import digest_of, others_submissions
from forgeron.arena.entrant import Entrant, control_of
from forgeron.arena.live import GameFeed
from forgeron.arena.referee import OnTurn, Referee
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.sandbox import hidden_from
from forgeron.core.game import Game
from forgeron.core.queries import compile_queries
from forgeron.core.record import Record
from forgeron.core.registry import game_class


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
    live: str = ""
    """the folder where the game shows itself to watchers; none when empty"""

    @property
    def has_programs(self) -> bool:
        """Whether somebody takes part whose code is not ours."""
        return any(entrant.player is None for entrant in self.entrants)

    def to_data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "game": self.game,
            "options": dict(self.options),
            "entrants": [entrant.to_data() for entrant in self.entrants],
            "time": self.time,
            "opening": list(self.opening),
            "seed": self.seed,
            "live": self.live,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> GameTask:
        first, second = (Entrant.from_data(one) for one in data["entrants"])
        return cls(**{**data, "entrants": (first, second), "opening": tuple(data["opening"])})


class GameRunner:
    """Plays games one after the other.

    Programs keep running while the next game is theirs too, such as the other one of a pair; those that do not play
    are ended: a bot that thinks in its opponent's time must not do so in the games of others.
    """

    def __init__(self) -> None:
        self._running: dict[str, Contestant] = {}
        self._digests: dict[str, str | None] = {}
        """of the files that the running ones were started from"""
        self._games: dict[str, Game] = {}

    def play(self, task: GameTask, on_turn: OnTurn | None = None) -> Record:
        """Play the game; whatever a bot does, a record comes back. `on_turn` is told who is to move."""
        game = self._game(task)
        names = self._name(task, game, 0), self._name(task, game, 1)
        for name, contestant in list(self._running.items()):
            if name not in names and not isinstance(contestant, BuiltIn):
                self._running.pop(name).close()
        contestants = self._contestant(names[0], task, game, 0), self._contestant(names[1], task, game, 1)
        first, second = (control_of(entrant, task.time) for entrant in task.entrants)
        referee = Referee(game, contestants, first, opening=task.opening, seed=task.seed, second_control=second)
        referee.on_turn = on_turn
        record = self._finish(referee, task, on_turn)
        return replace(record, extra={"files": [self._digests[name] for name in names], **record.extra})

    def _finish(self, referee: Referee, task: GameTask, on_turn: OnTurn | None) -> Record:
        """Play the game, and show it to whoever watches."""
        if not task.live:
            return referee.play()
        shown = GameFeed(Path(task.live), task.id, on_turn)
        try:
            referee.open()
            referee.on_turn = shown
            while referee.record is None:
                referee.advance()
            return referee.record
        finally:
            shown.close()

    def _game(self, task: GameTask) -> Game:
        name = json.dumps([task.game, dict(task.options)], sort_keys=True)
        if name not in self._games:
            game = self._games[name] = game_class(task.game).with_options(task.options)
            compile_queries(game.start().state)  # nothing shall be compiled in the middle of a game
        return self._games[name]

    def _name(self, task: GameTask, game: Game, seat: int) -> str:
        # An entrant that plays itself is two contestants; otherwise it is the same one in both seats.
        twin = seat if task.entrants[0] == task.entrants[1] else 0
        hidden = [str(path) for path in _hidden(task, seat)]
        what = json.dumps([str(game), twin, task.entrants[seat].to_data(), hidden], sort_keys=True)
        return hashlib.blake2b(what.encode(), digest_size=16).hexdigest()

    def _contestant(self, name: str, task: GameTask, game: Game, seat: int) -> Contestant:
        if name not in self._running:
            self._digests[name] = digest_of(task.entrants[seat])
            self._running[name] = task.entrants[seat].enter(game, _hidden(task, seat))
        return self._running[name]

    def close(self) -> None:
        """End all programs."""
        for contestant in self._running.values():
            contestant.close()
        self._running.clear()

    def __enter__(self) -> GameRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _hidden(task: GameTask, seat: int) -> tuple[Path, ...]:
    own, rival = task.entrants[seat], task.entrants[1 - seat]
    return tuple(sorted({*hidden_from(own.command, rival.command), *others_submissions(own, rival)}))
