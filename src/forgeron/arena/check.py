"""Tries somebody's bot step by step, and explains the first thing that goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forgeron.arena.clock import Clocks, TimeControl
from forgeron.arena.contestant import Answer, BuiltIn, Contestant, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.process import BotProcess
from forgeron.arena.protocols import make_process_bot
from forgeron.arena.referee import Referee
from forgeron.arena.sandbox import Sandbox
from forgeron.core.game import Game
from forgeron.core.position import Seat
from forgeron.core.record import Record
from forgeron.players import player

NAME = "the bot"
#: How much of a conversation, and of the bot's log, is shown with a failure.
LINES = 12
#: How long `leaves when told` waits. Longer than the referee does: a slow end is no fault, only a killed one.
LEAVE_SECONDS = 2.0

#: What an answer looks like, for each protocol.
ANSWERS = {
    "native": "answer 'go …' with the line 'bestmove <move>'",
    "mancala": "answer every line with one line that holds the move alone, as 3R or 14TB",
    "yinsh": "answer with the whole turn on one line, as P 1 2 or S 1 2 M 2 4",
    "yut": "return (piece index, result, shortcut, text) from action(state)",
    "yolah-ws": 'answer {"type": "your move"} with {"type": "my move", "move": "d5:b7"}',
}


@dataclass
class Step:
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

    def steps(self) -> Iterator[Step]:
        """Each step as it is done; the first that fails is the last."""
        for try_it in (self._start, self._first, self._second, self._whole, self._hurry, self._leave):
            for step in try_it():
                yield step
                if step.passed is False:
                    return

    def _bot(self) -> Any:
        return make_process_bot(
            self.protocol,
            NAME,
            self.command,
            options=self.options,
            sandbox=self.sandbox,
            startup=self.startup_seconds,
        )

    def _start(self) -> Iterator[Step]:
        stages = ["starts", "shakes hands", "is ready"] if self.protocol == "native" else ["starts"]
        bot = self._bot()
        try:
            bot.open(self.game, 0, Clocks(self.control), self.seed)
        except BotFault as fault:
            failed = _stage(bot.latest)
            if self.protocol != "native":
                failed = 0  # what comes then is not seen from here
            for stage in stages[:failed]:
                yield Step(stage, True)
            yield _failure(stages[failed], bot, fault.detail, _START_HINTS[failed])
            return
        finally:
            bot.close()
        name = getattr(bot, "identity", {}).get("name", "")
        for stage in stages:
            yield Step(stage, True, f"as {shown(name)}" if stage == "shakes hands" and name else "")

    def _first(self) -> Iterator[Step]:
        yield self._moves("moves as the first player", 0, self.control)

    def _second(self) -> Iterator[Step]:
        yield self._moves("moves as the second player", 1, self.control)

    def _whole(self) -> Iterator[Step]:
        what = "plays a whole game against random moves"
        bot = self._bot()
        record, _ = self._play(bot, 0, self.control, one_move=False)
        assert record is not None
        if bad := self._judged(what, bot, record):
            yield bad
            return
        result = "draw" if record.winner is None else "won" if record.winner == 0 else "lost"
        warnings = record.extra.get("warnings", [])
        note = f"{result} after {len(record.moves)} plies" + (f"; warning: {warnings[0]}" if warnings else "")
        yield Step(what, True, note)

    def _hurry(self) -> Iterator[Step]:
        if self.protocol not in ("native", "yinsh"):
            yield Step("moves in a hurry", None, "this protocol does not tell a bot its time")
            return
        if self.control.move_seconds is not None:
            short = replace(self.control, move_seconds=max(self.control.move_seconds / 10, 0.05))
        elif self.control.base_seconds is not None:
            short = replace(self.control, base_seconds=max(self.control.base_seconds / 20, 1.0))
        else:
            yield Step("moves in a hurry", None, "there is no time, only a number of nodes")
            return
        yield self._moves(f"moves in a hurry (time {short})", 0, short)

    def _leave(self) -> Iterator[Step]:
        bot, native = self._bot(), self.protocol == "native"
        try:
            bot.open(self.game, 0, Clocks(self.control), self.seed)
            process: BotProcess = bot.latest
            if self.protocol != "yolah-ws":  # there the end of the connection says it
                process.close("quit" if native else None, hang_up=not native, seconds=LEAVE_SECONDS)
        except BotFault as fault:
            yield _failure("starts once more", bot, fault.detail, "start every time")
            return
        finally:
            bot.close()
        if native and not process.left_by_itself:
            detail = f"it was still there {LEAVE_SECONDS:g} s after 'quit' and had to be killed"
            yield _failure("leaves when told", bot, detail, "leave when the line 'quit' comes or the input ends")
            return
        yield Step("leaves when told", process.left_by_itself or None, "" if process.left_by_itself else _ENDED)
        if process.left_behind:
            detail = f"{process.left_behind} of its processes were still there after it had left"
            yield _failure("leaves no process behind", bot, detail, "end and wait for what the bot starts")
            return
        yield Step("leaves no process behind", True)

    def _moves(self, what: str, seat: Seat, control: TimeControl) -> Step:
        bot = self._bot()
        record, answers = self._play(bot, seat, control, one_move=True)
        failure = self._judged(what, bot, record) if record else None
        return failure or Step(what, True, ", ".join(answers[:4]))

    def _play(self, bot: Any, seat: Seat, control: TimeControl, *, one_move: bool) -> tuple[Record | None, list[str]]:
        """A game against random moves, and the bot's answers; no record when it was broken off after `one_move`."""
        counted = _Counting(bot)
        other = _Sparring(self.game, self.seed, lambda: one_move and bool(counted.answers))
        seats: tuple[Contestant, Contestant] = (counted, other) if seat == 0 else (other, counted)
        try:
            return Referee(self.game, seats, control, seed=self.seed).play(), counted.answers
        except _EnoughError:
            return None, counted.answers
        finally:
            bot.close()

    def _judged(self, what: str, bot: Any, record: Record) -> Step | None:
        """The failure that a record shows, if it shows one."""
        if record.reason in (Reason.WIN, Reason.DRAW, Reason.RESIGN):
            return None
        hint = {
            Reason.TIME: f"{ANSWERS[self.protocol]} before the time is over; end the line, and flush the output",
            Reason.CRASH: "keep running until the game is over; what it wrote last is below",
            Reason.MEMORY: f"need less than {self.sandbox.memory_mb} MB",
            Reason.OUTPUT: "print less",
            Reason.ILLEGAL: f"{ANSWERS[self.protocol]}, and the move must be legal in that position",
        }
        detail = str(record.extra["detail"]).removeprefix(f"{NAME}: ")
        return _failure(what, bot, detail, hint.get(Reason(record.reason), ANSWERS[self.protocol]))


_ENDED = "it was ended; courses allow that"
_START_HINTS = (
    "be a program that can be started, and keep running",
    "answer 'ugi' with what you are and at last the line 'ugiok'; end every line, and flush the output",
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


def _failure(what: str, bot: Any, detail: str, right: str) -> Step:
    process: BotProcess | None = bot.latest
    lines = list(process.transcript)[-LINES:] if process else []
    cut = [line if len(line) <= 160 else f"{line[:160]} … ({len(line)} characters)" for line in lines]
    return Step(what, False, detail, right, cut, bot.log.strip().splitlines()[-LINES:])


class _EnoughError(Exception):
    """The bot has shown what it was asked to show."""


class _Sparring(BuiltIn):
    """Moves at random, and breaks the game off when it has seen enough."""

    def __init__(self, game: Game, seed: int, enough: Callable[[], bool]) -> None:
        super().__init__("random", player("random", game, seed=seed))
        self._enough = enough

    def choose(self, request: Request) -> Answer:
        if self._enough():
            raise _EnoughError
        return super().choose(request)


class _Counting(Contestant):
    """The bot, and what it has answered."""

    def __init__(self, bot: Contestant) -> None:
        self._bot = bot
        self.name = bot.name
        self.layers = bot.layers
        self.any_start = bot.any_start
        self.answers: list[str] = []

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        self._bot.open(game, seat, clocks, seed)

    def choose(self, request: Request) -> Answer:
        answer = self._bot.choose(request)
        self.answers.append(answer.text)
        return answer

    def watch(self, request: Request) -> None:
        self._bot.watch(request)

    def blame(self, fault: BotFault) -> None:
        self._bot.blame(fault)

    def finish(self, result: str) -> None:
        self._bot.finish(result)

    def close(self) -> None:
        self._bot.close()

    @property
    def log(self) -> str:
        return self._bot.log
