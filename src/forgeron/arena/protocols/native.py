"""The native protocol, seen from the referee: a superset of UGI, described in docs/protocol.md."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from forgeron.arena.clock import Clocks
from forgeron.arena.contestant import Answer, Contestant, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.process import BotProcess
from forgeron.arena.sandbox import Sandbox
from forgeron.core.game import Game
from forgeron.core.position import Seat


class NativeBot(Contestant):
    """A process that speaks the native protocol; it is kept from one game to the next."""

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
        self._options = dict(options or {})
        self._sandbox = sandbox or Sandbox()
        self._startup_seconds = startup_seconds
        self._hidden = hidden
        self._process: BotProcess | None = None
        self._log = ""
        self.layers = self._sandbox.layers
        self.identity: dict[str, str] = {}
        """what the bot said about itself: name, author, games"""
        self.latest: BotProcess | None = None
        """the process that was started last, for those who look for its mistake"""
        self._wants_legal = False

    @property
    def log(self) -> str:
        return self._process.stderr if self._process else self._log

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        deadline = time.monotonic() + self._startup_seconds
        try:
            process = self._process or self._shake_hands(deadline)
            words = [f"{key}={value}" for key, value in game.chosen.items()]
            process.start_counting()
            process.send(" ".join(["newgame", game.name, *words]), deadline)
            process.send("isready", deadline)
            while process.receive(deadline).strip() != "readyok":
                pass
            process.cpu_spent()  # until now it was no move's
        except BotFault as fault:
            self.close()
            if fault.reason is Reason.TIME:
                what = f"it was not ready within {self._startup_seconds:g} s"
                raise BotFault(Reason.STARTUP, what) from None
            raise BotFault(Reason.STARTUP, fault.detail) from None

    def _shake_hands(self, deadline: float) -> BotProcess:
        process = self._process = self.latest = BotProcess(self._command, sandbox=self._sandbox, hidden=self._hidden)
        process.send("ugi", deadline)
        while True:
            line = process.receive(deadline).strip()
            if line == "ugiok":
                break
            word, _, rest = line.partition(" ")
            if word == "id":
                key, _, value = rest.partition(" ")
                self.identity[key] = value
            elif word == "games":
                self.identity["games"] = rest
            elif line.split()[:3] == ["option", "name", "legal"]:
                self._wants_legal = True  # a bot that does not know the rules: see docs/protocol.md
        for name, setting in self._options.items():
            process.send(f"setoption name {name} value {setting}", deadline)
        return process

    def choose(self, request: Request) -> Answer:
        process = self._process
        if process is None:
            raise BotFault(Reason.STARTUP, "it is not running")
        allowed = request.clocks.allowed(request.seat) + request.clocks.control.margin_seconds
        stale = process.start_counting()
        legal = f"\nlegal {' '.join(request.position.legal_moves())}" if self._wants_legal else ""
        process.send(f"{_position(request)}{legal}\n{_go(request.clocks)}", time.monotonic() + allowed)
        started = time.monotonic()
        deadline = started + allowed
        answer = Answer("", 0.0)
        if stale:
            answer.warnings.append(f"{stale} lines printed before it was asked were not read")
        info = ""
        while True:
            line = process.receive(deadline)
            if line.startswith("bestmove"):
                break
            if line.startswith("info"):
                info = line
        answer.seconds = time.monotonic() - started
        answer.cpu_seconds = process.cpu_spent()
        words = line.split()
        if len(words) < 2 or words[0] != "bestmove":
            raise BotFault(Reason.PROTOCOL, f"it answered {shown(line)} instead of 'bestmove <move>'")
        answer.text = words[1]
        if info:
            _read_info(info, answer)
        return answer

    def blame(self, fault: BotFault) -> None:
        if self._process:
            with contextlib.suppress(BotFault):
                self._process.send(f"error {fault.reason} {fault.detail}", time.monotonic() + 0.05)

    def finish(self, result: str) -> None:
        if self._process:
            try:
                self._process.send(result, time.monotonic() + 0.2)
            except BotFault:
                self.close()

    def close(self) -> None:
        if self._process:
            self._process.close("quit")
            self._log = self._process.stderr
            self._process = None


def _position(request: Request) -> str:
    place = "startpos" if request.from_startpos else f"pos {request.start}"
    return f"position {place} moves{request.history}" if request.moves else f"position {place}"


def _go(clocks: Clocks) -> str:
    if clocks.control.move_seconds is not None:
        return f"go movetime {round(clocks.control.move_seconds * 1000)}"
    if clocks.control.move_nodes is not None:
        return f"go nodes {clocks.control.move_nodes}"
    times = [round(seconds * 1000) for seconds in clocks.left]
    increment = round(clocks.control.increment_seconds * 1000)
    return f"go p1time {times[0]} p2time {times[1]} p1inc {increment} p2inc {increment}"


def _read_info(line: str, answer: Answer) -> None:
    """Take depth, nodes, wdl and pv from an info line; what cannot be read is left out."""
    words = line.split()
    for i, word in enumerate(words):
        try:
            if word == "depth":
                answer.depth = int(words[i + 1])
            elif word == "nodes":
                answer.nodes = int(words[i + 1])
            elif word == "wdl":
                win, draw, loss = (int(text) for text in words[i + 1 : i + 4])
                answer.value = (win + draw / 2) / max(win + draw + loss, 1)
            elif word == "pv":
                answer.line = tuple(words[i + 1 :])
                return
        except (ValueError, IndexError):
            answer.warnings.append(f"an info line could not be read: {shown(line)}")
            return
