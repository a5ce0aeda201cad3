"""A game at the terminal: its referee, who plays, and how to get it back. It prints nothing."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from forgeron.arena.entrant import HUMAN, Entrant
from forgeron.arena.human import Human
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import Answer, Contestant
from forgeron.bots.faults import BotFault
from forgeron.core.errors import ForgeronError, unknown_name
from forgeron.core.files import data_folder
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.core.record import Record
from forgeron.players import player_names
from forgeron.players.base import Limit, Player
from forgeron.players.levels import default_opponent

DEFAULT_SECONDS = 1.0


@dataclass(frozen=True)
class ThinkingBudget:
    """How much each player may think about a move, and on how many threads."""

    seconds: float | None = DEFAULT_SECONDS
    nodes: int | None = None
    threads: int = 1

    @classmethod
    def of_record(cls, record: Record) -> ThinkingBudget:
        """What the record says, where it says something sensible."""
        number = {key: value for key, value in record.extra.items() if isinstance(value, int | float) and value > 0}
        nodes, threads = number.get("nodes"), number.get("threads", 1)
        seconds = number.get("seconds", None if nodes else DEFAULT_SECONDS)
        return cls(seconds, int(nodes) if nodes else None, max(1, int(threads)))

    @property
    def limit(self) -> Limit:
        return Limit(seconds=self.seconds, nodes=self.nodes)

    @property
    def control(self) -> TimeControl:
        """The same for the referee, and for programs, which know a time or a number of nodes, not both."""
        if self.seconds is not None:
            return TimeControl(move_seconds=self.seconds)
        return TimeControl(move_nodes=self.nodes)


@dataclass
class Session:
    """One game at the terminal, played under the referee. Another one takes its place when a game is loaded."""

    game: Game
    start: Position
    sides: tuple[str, str]
    """for each seat a player as text: human, monte-carlo:budget=equal, ./my-bot --fast, …"""
    seed: int
    budget: ThinkingBudget
    played: tuple[str, ...] = ()
    """the moves with which it begins, of a game that goes on"""
    referee: Referee = field(init=False)
    saved_as: Path | None = None
    """the file that holds exactly this game, while there is one"""
    _hinting: dict[str, Player] = field(default_factory=dict)
    """the players that were asked for a hint, by their texts"""

    def __post_init__(self) -> None:
        first, second = (self._contestant(text) for text in self.sides)
        self.referee = Referee(
            self.game, (first, second), self.budget.control, start=self.start, played=self.played, seed=self.seed
        )
        self.referee.open()

    def _contestant(self, text: str) -> Contestant:
        entrant = Entrant.parse(text)
        if entrant.is_human:
            return Human(text, timed=False)
        entrant.check(self.game)
        # A record names its players, and is continued by them: the name is what was written.
        named = replace(entrant, name=text)
        return named.enter(self.game, threads=self.budget.threads, limit=self.budget.limit)

    @classmethod
    def of_record(
        cls,
        record: Record,
        game: Game,
        sides: tuple[str | None, str | None] = (None, None),
        seed: int | None = None,
        budget: ThinkingBudget | None = None,
    ) -> Session:
        """The game of a record, played on by the record's own players where no others are named."""
        if record.game != game.name:
            raise ForgeronError(f"this record is a game of {record.game}, not of {game.name}")
        if record.rules != game.version:
            raise ForgeronError(
                f"this record was played by version {record.rules} of the rules of {game.name}; "
                f"here they have version {game.version}"
            )
        game = game.with_options(record.options)
        first, second = (named or _trusted(told) for named, told in zip(sides, record.players, strict=True))
        first = first or HUMAN
        second = second or default_opponent(game, thinks=first != HUMAN)
        budget = budget or ThinkingBudget.of_record(record)
        start = game.parse(record.start)
        return cls(game, start, (first, second), record.seed if seed is None else seed, budget, record.moves)

    # --- how it stands ----------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self.referee.position

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, throws included."""
        return tuple(self.referee.moves)

    def last_turn(self) -> list[str]:
        """The moves of the last turn, throws included: all plies in a row of whoever moved last."""
        referee, whose = self.referee, [self._whose(position) for position in self.referee.positions[:-1]]
        first = len(whose)
        while first > 0 and whose[first - 1] == whose[-1]:
            first -= 1
        return referee.moves[first:]

    def _whose(self, position: Position) -> Seat:
        return position.turn if position.turn in (0, 1) else self.game.thrower(position.state)

    @property
    def is_over(self) -> bool:
        return self.referee.record is not None

    @property
    def has_people(self) -> bool:
        return HUMAN in self.sides

    @property
    def entrants(self) -> tuple[Entrant, Entrant]:
        """Who sits in each seat."""
        first, second = (Entrant.parse(text) for text in self.sides)
        return first, second

    def label(self, seat: Seat) -> str:
        """The seat, and who sits there: white (greedy)."""
        return f"{self.game.seats[seat]} ({self.sides[seat]})"

    # --- what is done -----------------------------------------------------------------------------------------------

    def play(self, text: str, seconds: float) -> None:
        """Play the move, or whole turn, of the person to move, or resign. After an error nothing has changed."""
        self.referee.submit(text, seconds)
        self.saved_as = None

    def throw(self) -> tuple[str, float]:
        """Throw the dice: the token, and how probable it was."""
        before = self.position
        after = self.referee.throw()
        self.saved_as = None
        token = str(after.last_move)
        return token, before.chances()[before.legal_moves().index(token)]

    def accept(self, answer: Answer | BotFault) -> bool:
        """Judge what a player has answered; whether it has moved, and has not lost by a fault."""
        plies = len(self.referee.moves)
        self.referee.accept(answer)
        self.saved_as = None
        return len(self.referee.moves) > plies

    def undo(self) -> bool:
        """Go back to the last earlier position where a human was to move; False when there is none."""
        positions = self.referee.positions
        for ply in reversed(range(len(positions) - 1)):
            turn = positions[ply].turn
            if turn in (0, 1) and self.sides[turn] == HUMAN:
                self.referee = self.referee.rewound(ply)
                self.referee.open()
                self.saved_as = None
                return True
        return False

    def hinting(self, text: str) -> Player:
        """The player that a text stands for, to be asked for a hint; made once."""
        if text not in self._hinting:
            entrant = Entrant.parse(text)
            self._hinting[text] = entrant.open_player(self.game, seed=self.seed, threads=self.budget.threads)
        return self._hinting[text]

    def close(self) -> None:
        """End the programs that take part."""
        for contestant in self.referee.contestants:
            contestant.close()

    # --- files ------------------------------------------------------------------------------------------------------

    def record(self) -> Record:
        """The referee's record, with what is needed to go on."""
        record = self.referee.record_so_far()
        budget = {"seconds": self.budget.seconds, "nodes": self.budget.nodes, "threads": self.budget.threads}
        return replace(record, extra={**record.extra, "by": "play", **budget})

    def save(self, path: Path) -> None:
        self.record().save(path)
        self.saved_as = path

    def keep(self) -> Path | None:
        """Save the game in the user's data folder; None when nothing was played."""
        if not self.moves:
            return None
        if self.saved_as is None:
            self.save(_free_file(data_folder() / "games", f"{self.game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}"))
        return self.saved_as


def is_registered(side: str) -> bool:
    """Whether a player written as text is a person or a registered player: no file, and no command."""
    return side.partition(":")[0] in (HUMAN, *player_names())


def _trusted(side: str) -> str:
    """The player that a record names: records come from anywhere, and must not get programs run or files loaded."""
    if side and not is_registered(side):
        if re.fullmatch(r"[\w-]+", side):
            raise unknown_name("player", side, player_names())
        raise ForgeronError(
            f"this game was played by '{side}': a program or file that a record names is not started by itself; "
            "name who goes on with --first and --second"
        )
    return side


def _free_file(folder: Path, stem: str) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ForgeronError(f"cannot make the folder {folder}: {error.strerror}") from None
    names = [stem, *(f"{stem}-{i}" for i in range(2, 1000))]
    return next(folder / f"{name}.json" for name in names if not (folder / f"{name}.json").exists())
