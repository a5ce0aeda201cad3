"""What the protocols of the courses have in common: no handshake, and a process for each game.

Such a bot never says that it is ready. So its clock starts, for its first move only, not before `grace` seconds after
its start; from then on it is the referee's clock as everywhere.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from forgeron.arena.clock import Clocks, TimeControl
from forgeron.arena.contestant import Answer, Contestant, Request
from forgeron.arena.faults import BotFault, Reason
from forgeron.arena.process import BotProcess
from forgeron.arena.sandbox import Sandbox
from forgeron.core.errors import OptionError, unknown_name
from forgeron.core.game import Game
from forgeron.core.position import Seat

GRACE_SECONDS = 2.0


class CourseBot(Contestant):
    """A process that is started for one game, is told lines and answers lines."""

    protocol: ClassVar[str]
    game_name: ClassVar[str]
    """the only game that is played by this protocol"""
    settings: ClassVar[Mapping[str, object]] = {}
    """the options of the protocol with their defaults; `grace` is one of every protocol"""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        sandbox: Sandbox | None = None,
        startup_seconds: float = 10.0,
        hidden: Sequence[Path] = (),
    ) -> None:
        self.name = name
        self._command = list(command)
        self._settings = self._read_settings(options or {})
        self._sandbox = sandbox or Sandbox()
        self._startup_seconds = startup_seconds
        self._hidden = hidden
        self._process: BotProcess | None = None
        self.latest: BotProcess | None = None
        """the process that was started last, for those who look for its mistake"""
        self._log = ""
        self._clock_starts = 0.0
        self.seat: Seat = 0
        self.layers = self._sandbox.layers

    @classmethod
    def check_terms(cls, game: str, control: TimeControl, options: Mapping[str, object]) -> None:
        if game != cls.game_name:
            raise OptionError(f"protocol {cls.protocol} is for {cls.game_name}, not {game}")
        cls._read_settings(options)

    @classmethod
    def _read_settings(cls, options: Mapping[str, object]) -> dict[str, Any]:
        return read_settings(cls.protocol, {"grace": GRACE_SECONDS, **cls.settings}, options)

    @property
    def log(self) -> str:
        return self._process.stderr if self._process else self._log

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        self.check_terms(game.name, clocks.control, {})
        self.close()
        self.seat = seat
        try:
            self._start(self.words(seat))
            self.begin(game, seat, clocks, seed)
            self.running.cpu_spent()  # until now it was no move's
        except BotFault as fault:
            self.close()
            raise BotFault(Reason.STARTUP, fault.detail) from None

    def _start(self, words: Sequence[str]) -> None:
        self._process = self.latest = BotProcess(words, sandbox=self._sandbox, hidden=self._hidden)
        self._clock_starts = time.monotonic() + float(str(self._settings["grace"]))

    def words(self, seat: Seat) -> list[str]:
        """The command for a seat."""
        return self._command

    def begin(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        """What is said before the first move is asked for."""

    @abstractmethod
    def choose(self, request: Request) -> Answer: ...

    @property
    def running(self) -> BotProcess:
        if self._process is None:
            raise BotFault(Reason.STARTUP, "it is not running")
        return self._process

    def ask(self, text: str, request: Request) -> Answer:
        """Send the line (or lines) and wait for one line, which is the text of the answer."""
        process = self.running
        allowed = request.clocks.allowed(request.seat) + request.clocks.control.margin_seconds
        stale = process.start_counting()
        process.send(text, max(time.monotonic(), self._clock_starts) + allowed)
        started = max(time.monotonic(), self._clock_starts)
        self._clock_starts = 0.0
        line = process.receive(started + allowed)
        answer = Answer(line.strip(), max(time.monotonic() - started, 0.0), process.cpu_spent())
        if stale:
            answer.warnings.append(f"{stale} lines printed before it was asked were not read")
        if not answer.text:
            raise BotFault(Reason.PROTOCOL, "it answered an empty line instead of a move")
        return answer

    def finish(self, result: str) -> None:
        self.close()

    def close(self) -> None:
        """Courses start their bots anew for each game: the end of the input tells it to go."""
        if self._process:
            self._process.close(hang_up=True)
            self._log = self._process.stderr
            self._process = None


def read_settings(protocol: str, known: Mapping[str, object], given: Mapping[str, object]) -> dict[str, Any]:
    """The options of a protocol, each of the kind of its default; unknown ones are refused.

    >>> read_settings("mancala", {"argument": False}, {"argument": "yes"})
    {'argument': True}
    """
    settings = dict(known)
    for name, value in given.items():
        if name not in known:
            raise unknown_name(f"option of protocol {protocol}", name, known)
        kind = type(known[name])
        if kind is bool and isinstance(value, str):
            value = value.lower() in ("true", "yes", "on", "1")
        try:
            settings[name] = kind(value)  # type: ignore[call-arg]
        except (TypeError, ValueError):
            raise OptionError(f"option {name} of protocol {protocol} cannot be {value!r}") from None
    return settings
