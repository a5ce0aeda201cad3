"""A game that is being played: its positions so far, who plays, and how to get it back. It prints nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import platformdirs

from forgeron.core import contract
from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.core.game import Game
from forgeron.core.position import Outcome, Position, Seat
from forgeron.core.record import Record
from forgeron.core.rng import split, word
from forgeron.players import names as player_names
from forgeron.players import player_class
from forgeron.players.base import Limit, Player

HUMAN = "human"
DEFAULT_SIDES = (HUMAN, "monte-carlo")
DEFAULT_SECONDS = 1.0
#: The stream of throws, apart from every stream a player uses.
_THROWS = 0x7B07


@dataclass(frozen=True)
class Effort:
    """How much each player may think about a move, and on how many threads."""

    seconds: float | None = DEFAULT_SECONDS
    nodes: int | None = None
    threads: int = 1

    @classmethod
    def of_record(cls, record: Record) -> Effort:
        """What the record says, where it says something sensible."""
        number = {key: value for key, value in record.extra.items() if isinstance(value, int | float) and value > 0}
        nodes, threads = number.get("nodes"), number.get("threads", 1)
        seconds = number.get("seconds", None if nodes else DEFAULT_SECONDS)
        return cls(seconds, int(nodes) if nodes else None, max(1, int(threads)))

    @property
    def limit(self) -> Limit:
        return Limit(seconds=self.seconds, nodes=self.nodes)


@dataclass
class Session:
    """One game at the terminal. It is replaced, never repaired, when another one is loaded."""

    game: Game
    start: Position
    sides: tuple[str, str]
    """for each seat "human" or a player, perhaps with options: monte-carlo:budget=equal"""
    seed: int
    effort: Effort
    positions: list[Position] = field(init=False)
    saved_as: Path | None = None
    """the file that holds exactly this game, while there is one"""
    resigned: Seat | None = None
    _players: dict[str, Player] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.positions = [self.start]
        for side in self.sides:
            if side != HUMAN:
                self.player(side)

    @classmethod
    def of_record(
        cls,
        record: Record,
        game: Game,
        sides: tuple[str | None, str | None] = (None, None),
        seed: int | None = None,
        effort: Effort | None = None,
    ) -> Session:
        """The game of a record, played on by the record's own players where no others are named."""
        if record.game != game.name:
            raise ForgeronError(f"this record is a game of {record.game}, not of {game.name}")
        if record.rules != game.version:
            raise ForgeronError(
                f"this record was played by version {record.rules} of the rules of {game.name}; "
                f"here they have version {game.version}"
            )
        game = _with_options(game, record.options)
        first, second = (
            named or recorded or default
            for named, recorded, default in zip(sides, record.players, DEFAULT_SIDES, strict=True)
        )
        effort = effort or Effort.of_record(record)
        positions = record.positions(game)
        session = cls(game, positions[0], (first, second), record.seed if seed is None else seed, effort)
        session.positions = positions
        return session

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The moves so far, throws included."""
        return tuple(position.last_move or "" for position in self.positions[1:])

    @property
    def outcome(self) -> Outcome | None:
        if self.resigned is None:
            return self.position.outcome
        winner: Seat = 0 if self.resigned else 1
        return Outcome(winner, self.position.scores, f"{self.game.seats[self.resigned]} resigns")

    def label(self, seat: Seat) -> str:
        """The seat, and who sits there: white (greedy)."""
        return f"{self.game.seats[seat]} ({self.sides[seat]})"

    def player(self, spec: str) -> Player:
        """The player a text like ``monte-carlo:budget=equal`` stands for; made once."""
        if spec not in self._players:
            self._players[spec] = make_player(spec, self.game, self.seed, self.effort.threads)
        return self._players[spec]

    def play(self, text: str) -> list[str]:
        """Play a move or a whole turn; return the tokens played. After an error nothing has changed."""
        added = self.position.steps(text)
        self.positions += added
        self.saved_as = None
        return [position.last_move or "" for position in added]

    def throw(self) -> tuple[str, float]:
        """Throw the dice: the token, and how probable it was. The n-th ply of a seed always throws the same."""
        position = self.position
        with np.errstate(over="ignore"):
            bits = word(split(np.uint64(self.seed), _THROWS), len(self.positions))
            outcome = int(contract.throw(position.state, bits, np.zeros(self.game.max_moves)))
        after = position.push(position.moves[outcome])
        self.positions.append(after)
        self.saved_as = None
        return after.last_move or "", position.chances()[outcome]

    def undo(self) -> bool:
        """Go back to the last earlier position where a human was to move; False when there is none."""
        for i in reversed(range(len(self.positions) - 1)):
            turn = self.positions[i].turn
            if turn in (0, 1) and self.sides[turn] == HUMAN:
                del self.positions[i + 1 :]
                self.saved_as = None
                return True
        return False

    def record(self) -> Record:
        extra = {"seconds": self.effort.seconds, "nodes": self.effort.nodes, "threads": self.effort.threads}
        record = Record.of(
            self.game, self.start, self.tokens, players=self.sides, seed=self.seed, extra={"by": "play", **extra}
        )
        outcome = self.outcome
        if outcome is None:
            return record
        return replace(record, winner=outcome.winner, scores=outcome.scores, reason=outcome.reason)

    def save(self, path: Path) -> None:
        self.record().save(path)
        self.saved_as = path

    def keep(self) -> Path | None:
        """Save an unfinished game in the user's data folder; None when nothing would be lost without it."""
        if self.outcome is not None or not self.tokens:
            return None
        if self.saved_as is None:
            self.save(_free_file(data_root() / "games", f"{self.game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}"))
        return self.saved_as


def _with_options(game: Game, options: Mapping[str, object]) -> Game:
    for name in options:
        if name not in game.options:
            raise unknown_name(f"option of {game.name}", name, game.options)
    return type(game)(preset=None, **options)


def make_player(spec: str, game: Game, seed: int, threads: int) -> Player:
    """A player with its options, ``name`` or ``name:key=value,key=value``; or a program, ``./my-bot --fast``."""
    from forgeron.cli.shared import read_pairs

    name, colon, rest = spec.partition(":")
    if name == HUMAN:
        raise OptionError("a human has no options and gives no hints; name a player of `forgeron games`")
    if name not in player_names() and any(mark in spec for mark in " /."):
        from forgeron.arena.entrant import Entrant
        from forgeron.arena.guests import ProcessPlayer

        return ProcessPlayer(game, Entrant.parse(spec), seed=seed)
    kind = player_class(name)
    options = read_pairs(rest.split(","), kind.options, f"option of player {name}") if colon else {}
    return kind(game, options, seed=seed, threads=threads)


def data_root() -> Path:
    """The folder of games that were left unfinished: ``FORGERON_DATA_DIR``, else the user's data folder."""
    chosen = os.environ.get("FORGERON_DATA_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("forgeron"))


def _free_file(folder: Path, stem: str) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ForgeronError(f"cannot make the folder {folder}: {error.strerror}") from None
    names = [stem, *(f"{stem}-{i}" for i in range(2, 1000))]
    return next(folder / f"{name}.json" for name in names if not (folder / f"{name}.json").exists())
