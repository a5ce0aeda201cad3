"""What a protocol is: a description of how a referee and a program speak about one game, from both sides.

A description does no input or output, starts no process or thread and reads no clock: it turns positions into messages
and messages into moves. `forgeron.bots` runs both ends of it, the referee's (`protocol_host`, `websocket_host`) and
that of our own players (`protocol_bot`, `websocket_client`), and turns whatever a program does wrong into a result.

A protocol is a subclass of `Protocol` in one file, registered by name in `forgeron.core.registry` or by an entry point
of the group ``forgeron.protocols``. docs/protocol.md shows a whole one.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import MoveRequest
from forgeron.bots.websockets_extra import need_websockets
from forgeron.core.errors import ContractError, OptionError
from forgeron.core.game import Game
from forgeron.core.options import Option, Value, read_options
from forgeron.core.position import Position, Seat

#: A program that never says that it is ready: so long after its start its clock begins at the earliest.
GRACE_SECONDS = 2.0

Role = Literal["player", "watcher", "stranger"]


class ConnectionKeys(NamedTuple):
    """What a connection must know to take part in a game over a websocket."""

    join: str = ""
    watch: str = ""


@dataclass(frozen=True)
class GameSetup:
    """One game of one program, as its referee sees it."""

    game: Game
    seat: Seat
    """the program's"""
    control: TimeControl
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    """those of the protocol, each of them settled"""
    keys: ConnectionKeys = field(default_factory=ConnectionKeys)


@dataclass(frozen=True)
class BotSetup:
    """One game of one of our players, as the player sees it."""

    game: Game
    name: str
    """what it calls itself"""
    key: str = ""
    """to join a game of a server; empty to open one"""


@dataclass(frozen=True)
class PlayerSpec:
    """A player of ours and its limits as plain data, for protocols whose bots are files."""

    player: str
    options: Mapping[str, object]
    seconds: float | None
    nodes: int | None
    seed: int
    threads: int


class Reply(NamedTuple):
    """What a program answered: a move or a whole turn in any notation of the game, not yet judged."""

    move: str
    warnings: tuple[str, ...] = ()
    """for the record: what is odd about the answer, but no fault"""
    ends: bool = False
    """no move: by its course's rules the game is over here, with the scores that the position has"""


class Broadcast(str):
    """A message for the program and for everybody who watches the game; who comes later gets the last one at once."""

    __slots__ = ()


class RefusedMessageError(Exception):
    """A message that makes no sense now; the text of the error is sent back as it is."""


class RefereeSide(ABC):
    """The referee's half of one game with one program: what it says, and what it makes of the answers.

    A message is a line without its end, or a text of a websocket. What a program sends may be anything. A method may
    raise `BotFault`, which costs the program the game; any other exception in a message counts as its fault, too.
    """

    def __init__(self, setup: GameSetup) -> None:
        self.setup = setup
        self.stays = False
        """whether the program can play another game when this one is over; if not, it is started anew for each"""

    def opening(self) -> Sequence[str]:
        """What is sent once the program runs, before its clock starts."""
        return ()

    def greet(self, message: str) -> Sequence[str]:
        """What is answered to the program's first message, where `Protocol.ready_help` says that there is one."""
        return ()

    @abstractmethod
    def ask(self, request: MoveRequest) -> Sequence[str]:
        """What is sent when the program is to move: what has happened since it was asked last, and the question."""

    def is_answer(self, message: str) -> bool:
        """Whether a message answers the question; the others are skipped."""
        return True

    def read(self, message: str, request: MoveRequest) -> Reply:
        """The answer in a message."""
        return Reply(message)

    def told(self, request: MoveRequest) -> Sequence[str]:
        """What is sent after a move of either side was played, without a question; `request.position` is after it."""
        return ()


class WebSocketReferee(RefereeSide):
    """The same where programs connect to the referee: it says, too, who may come in as what."""

    @abstractmethod
    def admit(self, message: str, role: Role, *, seat_free: bool) -> Role:
        """The role of a connection after it sent this message, or a `RefusedMessageError`.

        Messages of the player that are not refused are read; those of others only decide what they are. This is called
        from the threads of the connections: it changes nothing.
        """


class BotSide(ABC):
    """A program's half of one game: it follows what the referee says, and writes the moves of a player of ours."""

    def __init__(self, setup: BotSetup) -> None:
        self.setup = setup
        self.position: Position | None = setup.game.start()
        """where the game is; None until the referee has told which board is played"""
        self.asked = False
        """whether the message that was heard last asks for a move"""
        self.over = False
        """whether there is nothing more to say"""
        self.game_seconds: float | None = None
        """the time for the whole game, where the referee has told one"""
        self.notes: list[str] = []
        """for the person who runs the program: taken and shown after each message"""

    def hello(self) -> Sequence[str]:
        """What is sent first."""
        return ()

    @abstractmethod
    def hear(self, message: str) -> Sequence[str]:
        """Follow a message of the referee; what is answered at once. A `ForgeronError` for what cannot be read."""

    @abstractmethod
    def say(self, moves: Sequence[str], after: Position) -> Sequence[str]:
        """What is sent for these moves, which the player chose and which lead from `position` to `after`."""


class Protocol:
    """Everything that is special about one protocol. It is never made: hosts and bots use the class itself."""

    name: ClassVar[str]
    """the name by which it is asked for"""
    game_name: ClassVar[str]
    """the only game that is played by it"""
    answer_help: ClassVar[str]
    """what a right answer is, for `forgeron check`: "answer with …" """
    transport: ClassVar[Literal["lines", "websocket", "native"]] = "lines"
    """lines on the program's standard input and output, or messages on a websocket to which it connects"""
    referee_side: ClassVar[type[RefereeSide]]
    bot_side: ClassVar[type[BotSide] | None] = None
    """None: our players cannot play by it as a program"""
    options: ClassVar[Mapping[str, Value]] = {}
    """options with their defaults; `grace` is one of every protocol"""
    any_start: ClassVar[bool] = True
    """whether a game can begin anywhere; if not, one with an opening or another first position is refused"""
    whole_turns: ClassVar[bool] = False
    """whether an answer is a whole turn, also where that is several moves of the game"""
    tells_time: ClassVar[bool] = False
    """whether a program is told how much time it has"""
    ready_help: ClassVar[str] = ""
    """where a program says that it is ready before it is asked: what is wrong when it does not (`{url}`: the server)"""
    file_help: ClassVar[str] = ""
    """where the command of a bot is a file and not a program: how such a command is written"""
    check_time: ClassVar[str] = "1"
    """the time control with which `forgeron check` tries a bot"""
    move_seconds: ClassVar[float] = 1.0
    """what our players think for a move where nobody says how long"""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls) or cls.transport == "native":
            return
        for attribute in ("game_name", "answer_help", "referee_side"):
            if not hasattr(cls, attribute):
                raise ContractError(f"protocol '{cls.name}' needs the class attribute '{attribute}'")
        if cls.transport == "websocket" and not issubclass(cls.referee_side, WebSocketReferee):
            raise ContractError(f"the referee_side of protocol '{cls.name}' must be a WebSocketReferee")

    @classmethod
    def check_terms(cls, game: str, control: TimeControl, options: Mapping[str, object]) -> None:
        """Refuse, by an `OptionError`, the terms of an event that a program cannot play on."""
        cls.check_game(game)
        cls.read_options(options)
        if control.cpu:
            raise OptionError(
                f"time {control} is processor time, which a program is not told: give its games seconds or nodes"
            )
        cls.check_control(control)
        if cls.transport == "websocket":
            need_websockets("sync.server", cls.name)

    @classmethod
    def check_game(cls, game: str) -> None:
        """Refuse another game than the protocol's own."""
        if game != cls.game_name:
            raise OptionError(f"protocol {cls.name} is for {cls.game_name}, not {game}")

    @classmethod
    def check_control(cls, control: TimeControl) -> None:
        """Refuse a time control that the protocol has no words for."""

    @classmethod
    def check_command(cls, command: Sequence[str]) -> None:
        """Refuse a program that is not there or cannot be run, or, where a bot is a file, a file that is not there."""
        first = command[0]
        if cls.file_help:
            if not Path(first).is_file():
                raise OptionError(f"there is no file '{first}'; the command is {cls.file_help}")
        elif shutil.which(first) is None:
            if Path(first).is_file():
                raise OptionError(f"'{first}' is not executable: chmod +x it, or name the program that runs it first")
            raise OptionError(f"there is no program '{first}' that can be run")

    @classmethod
    def read_options(cls, options: Mapping[str, object]) -> dict[str, Any]:
        """Every option of the protocol, as given or by default; unknown ones are refused."""
        return read_settings(cls.name, {"grace": GRACE_SECONDS, **cls.options}, options)

    @classmethod
    def command_line(cls, command: Sequence[str], seat: Seat, options: Mapping[str, Any]) -> list[str]:
        """The command that starts a program for this seat."""
        return list(command)

    @classmethod
    def bot_file(cls, game: Game, spec: PlayerSpec) -> str | None:
        """Where bots are files and not programs: the text of one that plays as this player of ours."""
        return None


class NativeProtocol(Protocol):
    """The protocol of every game, a superset of UGI. Both ends are code: `native_host` and `native_bot`."""

    name = "native"
    transport = "native"
    answer_help = "answer 'go …' with the line 'bestmove <move>'"
    tells_time = True

    @classmethod
    def check_game(cls, game: str) -> None:
        """It is for all of them."""

    @classmethod
    def read_options(cls, options: Mapping[str, object]) -> dict[str, Any]:
        """The options are the bot's own; it is told them by `setoption`."""
        return dict(options)


def read_settings(protocol: str, known: Mapping[str, Value], given: Mapping[str, object]) -> dict[str, Any]:
    """The options of a protocol, each of the kind of its default; unknown ones are refused.

    >>> read_settings("mancala", {"argument": False}, {"argument": "yes"})
    {'argument': True}
    """
    yes_no = {name: (False, True) if isinstance(default, bool) else () for name, default in known.items()}
    declared = {name: Option(default, yes_no[name], "") for name, default in known.items()}
    return read_options(f"protocol {protocol}", declared, given)
