"""Tries somebody's bot step by step, and explains the first thing that goes wrong."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forgeron.arena.referee import Referee
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.faults import BotFault, Reason, escaped, shown
from forgeron.bots.process import BotProcess
from forgeron.bots.protocol import Protocol
from forgeron.bots.protocols import make_process_bot, protocol_class
from forgeron.bots.sandbox import Sandbox
from forgeron.core.game import Game
from forgeron.core.position import Seat
from forgeron.core.record import Record
from forgeron.players import player

NAME = "the bot"
#: How much of a conversation, and of the bot's log, is shown with a failure.
LINES = 12
#: How long `exits when told` waits. Longer than the referee does: a slow end is no fault, only a killed one.
LEAVE_SECONDS = 5.0


@dataclass
class CheckStep:
    """One thing that was tried."""

    what: str
    passed: bool | None
    """None: not tried, for the reason in `note`"""
    note: str = ""
    right: str = ""
    """what the bot should have done"""
    lines: list[str] = field(default_factory=list)
    """the end of the conversation"""
    log: list[str] = field(default_factory=list)
    """the end of what the bot wrote to standard error"""
    record: Record | None = None
    """the whole game that was played"""
    seconds: float = 0.0
    """what that game took, with the bot's start and end"""


@dataclass(frozen=True)
class Check:
    """How a bot is tried."""

    game: Game
    command: Sequence[str]
    protocol: str = "native"
    control: TimeControl = field(default_factory=lambda: TimeControl(move_seconds=1.0))
    options: Mapping[str, Any] = field(default_factory=dict)
    sandbox: Sandbox = field(default_factory=Sandbox)
    startup_seconds: float = 10.0
    seed: int = 1

    def steps(self) -> Iterator[CheckStep]:
        """Each step as it is done; the first that fails is the last."""
        for try_it in (self._start, self._first, self._second, self._whole, self._hurry, self._leave):
            for step in try_it():
                yield step
                if step.passed is False:
                    return

    @property
    def _kind(self) -> type[Protocol]:
        return protocol_class(self.protocol)

    @property
    def _native(self) -> bool:
        return self._kind.transport == "native"

    def _bot(self) -> Any:
        return make_process_bot(
            self.protocol,
            NAME,
            self.command,
            options=self.options,
            sandbox=self.sandbox,
            startup=self.startup_seconds,
        )

    def _start(self) -> Iterator[CheckStep]:
        stages = ["starts", "completes the handshake", "is ready"] if self._native else ["starts"]
        bot = self._bot()
        try:
            bot.open(self.game, 0, Clocks(self.control), self.seed)
        except BotFault as fault:
            failed = _stage(bot.latest)
            if not self._native:
                failed = 0  # what comes then is not seen from here
            for stage in stages[:failed]:
                yield CheckStep(stage, True)
            late = _load() if "within" in fault.detail else ""
            yield _failure(stages[failed], bot, fault.detail + late, _START_HINTS[failed])
            return
        finally:
            bot.close()
        name = getattr(bot, "identity", {}).get("name", "")
        for stage in stages:
            yield CheckStep(stage, True, f"as {shown(name)}" if stage == "completes the handshake" and name else "")

    def _first(self) -> Iterator[CheckStep]:
        yield self._moves("moves as the first player", 0, self.control)

    def _second(self) -> Iterator[CheckStep]:
        yield self._moves("moves as the second player", 1, self.control)

    def _whole(self) -> Iterator[CheckStep]:
        what = "plays a whole game against random moves"
        bot = self._bot()
        began = time.monotonic()
        record, _ = self._play(bot, 0, self.control, one_move=False)
        spent = time.monotonic() - began
        assert record is not None
        if bad := self._judged(what, bot, record):
            yield bad
            return
        result = "draw" if record.winner is None else "won" if record.winner == 0 else "lost"
        warnings = record.extra.get("warnings", [])
        note = f"{result} after {len(record.moves)} plies" + (f"; warning: {warnings[0]}" if warnings else "")
        yield CheckStep(what, True, note, record=record, seconds=spent)

    def _hurry(self) -> Iterator[CheckStep]:
        if not self._kind.tells_time:
            yield CheckStep("moves in a hurry", None, "this protocol does not transmit the time")
            return
        if self.control.move_seconds is not None:
            short = replace(self.control, move_seconds=max(self.control.move_seconds / 10, 0.05))
        elif self.control.base_seconds is not None:
            short = replace(self.control, base_seconds=max(self.control.base_seconds / 20, 1.0))
        else:
            yield CheckStep("moves in a hurry", None, "the limit is a number of nodes, not a time")
            return
        yield self._moves(f"moves in a hurry (time {short})", 0, short)

    def _leave(self) -> Iterator[CheckStep]:
        bot, native = self._bot(), self._native
        try:
            bot.open(self.game, 0, Clocks(self.control), self.seed)
            process: BotProcess = bot.latest
            if self._kind.transport != "websocket":  # there the end of the connection says it
                process.close("quit" if native else None, hang_up=not native, seconds=LEAVE_SECONDS)
        except BotFault as fault:
            yield _failure("starts again", bot, fault.detail, "start reliably every time")
            return
        finally:
            bot.close()
        if native and not process.left_by_itself:
            detail = f"it was still running {LEAVE_SECONDS:g} s after 'quit' and was killed" + _load()
            yield _failure("exits when told", bot, detail, "exit when the line 'quit' arrives or the input ends")
            return
        yield CheckStep("exits when told", process.left_by_itself or None, "" if process.left_by_itself else _ENDED)
        if process.left_behind:
            detail = f"{process.left_behind} of its processes were still running after it had exited"
            yield _failure("leaves no process behind", bot, detail, "stop and wait for every process the bot starts")
            return
        yield CheckStep("leaves no process behind", True)

    def _moves(self, what: str, seat: Seat, control: TimeControl) -> CheckStep:
        bot = self._bot()
        record, answers = self._play(bot, seat, control, one_move=True)
        failure = self._judged(what, bot, record) if record else None
        return failure or CheckStep(what, True, ", ".join(answers[:4]))

    def _play(self, bot: Any, seat: Seat, control: TimeControl, *, one_move: bool) -> tuple[Record | None, list[str]]:
        """A game against random moves, and the bot's answers; no record when it was broken off after `one_move`."""
        other = BuiltIn("random", player("random", self.game, seed=self.seed))
        seats: tuple[Contestant, Contestant] = (bot, other) if seat == 0 else (other, bot)
        referee = Referee(self.game, seats, control, seed=self.seed)

        def answers() -> list[str]:
            return [answer.text for ply, answer in referee.answers if referee.positions[ply].turn == seat]

        try:
            referee.open()
            while referee.record is None and not (one_move and referee.position.turn == 1 - seat and answers()):
                referee.advance()
            return referee.record, answers()
        finally:
            bot.close()

    def _judged(self, what: str, bot: Any, record: Record) -> CheckStep | None:
        """The failure that a record shows, if it shows one."""
        if record.reason in (Reason.WIN, Reason.DRAW, Reason.RESIGN):
            return None
        hint = {
            Reason.TIME: f"{self._kind.answer_help} before time runs out; end the line and flush the output",
            Reason.CRASH: "keep running until the game is over; the end of its standard error is below",
            Reason.MEMORY: f"need less than {self.sandbox.memory_mb} MB",
            Reason.OUTPUT: "print less than 64 KB per line and 4 MB per move",
            Reason.ILLEGAL: f"{self._kind.answer_help}, and the move must be legal in that position",
        }
        detail = str(record.extra["detail"]).removeprefix(f"{NAME}: ")
        if record.reason == Reason.TIME:
            detail += _load()
        return _failure(what, bot, detail, hint.get(Reason(record.reason), self._kind.answer_help))


_ENDED = "it was killed after the game; this protocol allows that"
_START_HINTS = (
    "start, and keep running",
    "answer 'ugi' with 'id name …' and finally the line 'ugiok'; end every line and flush the output",
    "answer every 'isready' with the line 'readyok', also after 'newgame'",
)


def _stage(process: BotProcess | None) -> int:
    """How far a bot came that did not start: nowhere, to the handshake, or beyond it."""
    if process is None:
        return 0
    said = [line.removeprefix("← ").strip() for line in process.transcript if line.startswith("← ")]
    if "ugiok" in said:
        return 2
    return 0 if process.died and not said else 1


def _failure(what: str, bot: Any, detail: str, right: str) -> CheckStep:
    process: BotProcess | None = bot.latest
    lines = process.transcript[-LINES:] if process else []
    log = bot.log.strip().splitlines()[-LINES:]
    return CheckStep(what, False, detail, right, [_cut(line) for line in lines], [_cut(line) for line in log])


def _cut(line: str) -> str:
    """A line that a bot wrote, or read, as it may be shown: of a long one its beginning and its end.

    >>> shown = _cut("position startpos moves " + "d5:b7 " * 50 + "h8:g7")
    >>> shown[:30], shown[-30:], "(329 characters)" in shown
    ('position startpos moves d5:b7 ', ' d5:b7 d5:b7 d5:b7 d5:b7 h8:g7', True)
    """
    if len(line) <= 160:
        return escaped(line)
    return escaped(f"{line[:60]}… ({len(line)} characters) … {line[-90:]}")


def _overloaded(load: float, cores: int) -> str:
    """What a busy machine has to do with a bot that was too slow; nothing where the machine is free.

    >>> _overloaded(9.2, 2)
    '; this machine is overloaded (9.2 programs want its 2 cores): try again when it is not, or give the bot more time'
    >>> _overloaded(0.7, 2)
    ''
    """
    if load <= cores + 0.5:
        return ""
    who = f"{load:.1f} programs want its {cores} core{'s' * (cores > 1)}"
    return f"; this machine is overloaded ({who}): try again when it is not, or give the bot more time"


def _load() -> str:
    try:
        return _overloaded(os.getloadavg()[0], os.cpu_count() or 1)
    except OSError:
        return ""  # a system that does not tell
