"""The referee's end of every described protocol: a process for each game, its deadlines and its faults.

Most of these programs never say that they are ready. So the clock of such a program starts, for its first move only,
not before `grace` seconds after its start; from then on it is the referee's clock as everywhere.
"""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from forgeron.bots.clock import Clocks
from forgeron.bots.contestant import Answer, MoveRequest
from forgeron.bots.faults import BotFault, Reason, shown
from forgeron.bots.process import GRACE_SECONDS
from forgeron.bots.process_host import ProcessHost
from forgeron.bots.protocol import ConnectionKeys, GameSetup, Protocol, RefereeSide
from forgeron.bots.sandbox import Sandbox
from forgeron.core.game import Game
from forgeron.core.position import Seat

T = TypeVar("T")


class ProtocolHost(ProcessHost):
    """A program that is started for one game and spoken to as a description says; subclasses carry the messages."""

    def __init__(
        self,
        protocol: type[Protocol],
        name: str,
        command: Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        sandbox: Sandbox | None = None,
        startup_seconds: float = 10.0,
        hidden: Sequence[Path] = (),
    ) -> None:
        super().__init__(name, command, sandbox=sandbox, startup_seconds=startup_seconds, hidden=hidden)
        self.protocol = protocol
        self.any_start = protocol.any_start
        self._settings = protocol.read_options(options or {})
        self._side: RefereeSide | None = None
        self._started_as: list[str] = []
        """the command of the process that runs"""
        self._clock_starts = 0.0

    # --- how messages travel ------------------------------------------------------------------------------------

    @abstractmethod
    def send(self, messages: Sequence[str], deadline: float) -> None:
        """Send them; a program that does not take them by the deadline is at fault."""

    @abstractmethod
    def receive(self, deadline: float) -> str:
        """The next message of the program."""

    @abstractmethod
    def forget(self, side: RefereeSide) -> str:
        """Drop what came before the program was asked: it never counts. A warning where something came."""

    def place(self, seat: Seat) -> tuple[list[str], ConnectionKeys]:
        """The command for a seat, and the keys of the game where it has some."""
        return self.protocol.command_line(self._command, seat, self._settings), ConnectionKeys()

    @property
    def url(self) -> str:
        """Where the program should connect to; empty when it need not."""
        return ""

    # --- one game -----------------------------------------------------------------------------------------------

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        self.protocol.check_terms(game.name, clocks.controls[seat], {})
        if not (self._side and self._side.stays):
            self.close()
        try:
            self._check_file()
            command, keys = self.place(seat)
            setup = GameSetup(game, seat, clocks.controls[seat], seed, self._settings, keys)
            if not self._goes_on(command, setup):
                self._side = self.protocol.referee_side(setup)
                self.start_process(command)
                self._started_as = command
                self._clock_starts = time.monotonic() + float(self._settings["grace"])
                self._begin(self._side)
            self.running.cpu_spent()  # until now it was no move's
        except BotFault as fault:
            self.close()
            raise BotFault(Reason.STARTUP, fault.detail) from None

    def _goes_on(self, command: Sequence[str], setup: GameSetup) -> bool:
        """Whether the process of the game before is ready for this one, too; one that has died meanwhile is not."""
        if self._process is not None and self._started_as == command:
            try:
                self._process.start_counting()  # what it said after its game is dropped
                self._side = self.protocol.referee_side(setup)
                self._begin(self._side)
                return True
            except BotFault as fault:
                if fault.reason is Reason.TIME:
                    raise
        self.end_process(hang_up=True)
        return False

    def _check_file(self) -> None:
        if self.protocol.file_help and not Path(self._command[0] if self._command else "").is_file():
            what = shown(self._command[0] if self._command else "")
            raise BotFault(Reason.STARTUP, f"there is no file {what}; the command is {self.protocol.file_help}")

    def _begin(self, side: RefereeSide) -> None:
        """Say what comes first, and hear that the program is ready where it says so."""
        deadline = time.monotonic() + self._startup_seconds
        self.send(side.opening(), deadline)
        if not self.protocol.ready_help:
            return
        try:
            message = self.receive(deadline)
        except BotFault as fault:
            if fault.reason is not Reason.TIME:
                raise
            what = self.protocol.ready_help.replace("{url}", self.url)
            raise BotFault(Reason.STARTUP, f"{what} within {self._startup_seconds:g} s") from None
        self.send(understood(side.greet, message), deadline)
        self._clock_starts = 0.0

    @property
    def side(self) -> RefereeSide:
        if self._side is None:
            raise BotFault(Reason.STARTUP, "it is not running")
        return self._side

    def choose(self, request: MoveRequest) -> Answer:
        process, side = self.running, self.side
        allowed = request.clocks.deadline_seconds(request.seat)
        question = side.ask(request)
        warning = self.forget(side)
        self.send(question, max(time.monotonic(), self._clock_starts) + allowed)
        started = max(time.monotonic(), self._clock_starts)
        self._clock_starts = 0.0
        while not understood(side.is_answer, message := self.receive(started + allowed)):
            pass
        answer = Answer("", max(time.monotonic() - started, 0.0), process.cpu_spent())
        reply = understood(side.read, message, request)
        answer.text, answer.ends = reply.move, reply.ends
        answer.warnings = (*([warning] if warning else []), *reply.warnings)
        return answer

    def watch(self, request: MoveRequest) -> None:
        if self._process and self._side:
            with contextlib.suppress(BotFault):  # who asks it next sees what is wrong with it
                self.send(self._side.told(request), time.monotonic() + GRACE_SECONDS)

    def finish(self, result: str) -> None:
        if not (self._side and self._side.stays):
            self.close()

    def close(self) -> None:
        """The end of its input tells the program to go."""
        self.end_process(hang_up=True)
        self._side = None


def understood(read: Callable[..., T], message: str, *more: Any) -> T:
    """What a description makes of a message; one that breaks the description is the program's fault, not ours."""
    try:
        return read(message, *more)
    except BotFault:
        raise
    except Exception as error:
        why = f"its message {shown(message)} cannot be read ({type(error).__name__})"
        raise BotFault(Reason.PROTOCOL, why) from error


class LineHost(ProtocolHost):
    """Lines on the program's standard input and output."""

    def send(self, messages: Sequence[str], deadline: float) -> None:
        if messages:
            self.running.send("\n".join(messages), deadline)

    def receive(self, deadline: float) -> str:
        line = self.running.receive(deadline).strip()
        if not line:
            raise BotFault(Reason.PROTOCOL, "it answered an empty line instead of a move")
        return line

    def forget(self, side: RefereeSide) -> str:
        stale = self.running.start_counting()
        return f"{stale} lines printed before it was asked were not read" if stale else ""
