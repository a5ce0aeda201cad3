"""The native protocol, seen from the referee: a superset of UGI, described in docs/protocol.md."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from forgeron.bots import untrusted_text
from forgeron.bots.clock import Clocks
from forgeron.bots.contestant import Answer, MoveRequest
from forgeron.bots.faults import BotFault, Reason, shown
from forgeron.bots.process import BotProcess
from forgeron.bots.process_host import ProcessHost
from forgeron.bots.sandbox import Sandbox
from forgeron.core.game import Game
from forgeron.core.position import Seat


class NativeHost(ProcessHost):
    """A program that speaks the native protocol; its process is kept from one game to the next."""

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
        super().__init__(name, command, sandbox=sandbox, startup_seconds=startup_seconds, hidden=hidden)
        self._options = dict(options or {})
        self.identity: dict[str, str] = {}
        """what the bot said about itself: name, author, games"""
        self._wants_legal = False

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
        process = self.start_process(self._command)
        process.send("ugi", deadline)
        while True:
            line = process.receive(deadline).strip()
            if line == "ugiok":
                break
            word, _, rest = line.partition(" ")
            if word == "id":
                key, _, value = rest.partition(" ")
                if key in ("name", "author"):
                    self.identity[key] = value[: untrusted_text.NAME_CHARACTERS]
            elif word == "games":
                self.identity["games"] = rest[: untrusted_text.NAME_CHARACTERS]
            elif line.split()[:3] == ["option", "name", "legal"]:
                self._wants_legal = True  # a bot that does not know the rules: see docs/protocol.md
        for name, setting in self._options.items():
            process.send(f"setoption name {name} value {setting}", deadline)
        return process

    def choose(self, request: MoveRequest) -> Answer:
        process = self._process or self.running
        allowed = request.clocks.deadline_seconds(request.seat)
        stale = process.start_counting()
        place = "startpos" if request.from_startpos else f"pos {request.start}"
        moves = " moves" if request.moves else ""
        legal = f"\nlegal {' '.join(request.position.legal_moves())}" if self._wants_legal else ""
        go = _go(request.clocks, request.seat)
        process.send(f"position {place}{moves}{request.history}{legal}\n{go}", time.monotonic() + allowed)
        started = time.monotonic()
        deadline = started + allowed
        answer = Answer("", 0.0)
        if stale:
            answer.warnings = (f"{stale} lines printed before it was asked were not read",)
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
        self.end_process("quit")


def _go(clocks: Clocks, seat: Seat) -> str:
    """The line that has a bot think: for how long, and by what."""
    control = clocks.controls[seat]
    if control.move_seconds is not None:
        return f"go movetime {round(control.move_seconds * 1000)}"
    if control.move_nodes is not None:
        return f"go nodes {control.move_nodes}"
    times = [round(seconds * 1000) for seconds in clocks.left]
    increments = [round(one.increment_seconds * 1000) for one in clocks.controls]
    return f"go p1time {times[0]} p2time {times[1]} p1inc {increments[0]} p2inc {increments[1]}"


def _read_info(line: str, answer: Answer) -> None:
    """Take depth, nodes, wdl and pv from an info line; what cannot be read is left out."""
    answer.info = line[:500]
    words = line.split()
    for i, word in enumerate(words):
        try:
            if word == "depth":
                answer.depth = untrusted_text.number(words[i + 1])
            elif word == "nodes":
                answer.nodes = untrusted_text.number(words[i + 1])
            elif word == "wdl":
                answer.value = untrusted_text.probability(words[i + 1], words[i + 2], words[i + 3])
            elif word == "pv":
                answer.line = untrusted_text.variation(words[i + 1 :])
                return
        except (untrusted_text.SenselessError, IndexError):
            answer.warnings += (f"an info line could not be read: {shown(line)}",)
            return
