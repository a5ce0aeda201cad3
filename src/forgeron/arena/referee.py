"""The referee: owns the rules and the clock, and gives every game a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from forgeron.arena.clock import Clocks, TimeControl
from forgeron.arena.contestant import RESIGN, Answer, Contestant, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.core.errors import IllegalMoveError, NotationError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.core.record import Record
from forgeron.core.rng import split, unit, word

#: A game of more plies than this is given up as a draw: rules that never end must not stop an event.
MAX_PLIES = 10_000


class Referee:
    """One game between two contestants, seat 0 first."""

    def __init__(
        self,
        game: Game,
        contestants: tuple[Contestant, Contestant],
        control: TimeControl,
        *,
        opening: Sequence[str] = (),
        start: Position | None = None,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.contestants = contestants
        self.clocks = Clocks(control)
        self.seed = seed
        self.start = start or game.start()
        self._from_startpos = start is None or start == game.start()
        self.position = self.start
        self.moves: list[str] = []
        self._history = ""
        self.answers: list[tuple[int, Answer]] = []
        """the answers that were played, each with the number of its first ply"""
        self.warnings: list[str] = []
        self._throws = [0, 0]
        self._watching = [one for one in contestants if type(one).watch is not Contestant.watch]
        for one in contestants:
            if not one.any_start and (opening or not self._from_startpos):
                raise OptionError(f"{one.name} speaks a protocol that knows no openings: leave them out")
        for token in opening:
            self._push(self.position.play(token))

    def play(self) -> Record:
        """Play to the end; the contestants stay open, for the next game."""
        opened = [self._open(seat) for seat in (0, 1)]
        failed: list[tuple[Seat, BotFault]] = [fault for fault in opened if fault is not None]
        if len(failed) == 2:
            both = " / ".join(fault.detail for _seat, fault in failed)
            return self._record(None, Reason.STARTUP, f"neither bot started: {both}")
        if failed:
            return self._forfeit(*failed[0])
        while (seat := self.position.turn) is not None:
            if len(self.moves) >= MAX_PLIES:
                return self._record(None, Reason.DRAW, f"given up after {MAX_PLIES} plies")
            if seat == "chance":
                self._throw()
                continue
            try:
                answer = self.contestants[seat].choose(self._request(seat))
                self._check_time(seat, answer)
                if answer.text == RESIGN:
                    return self._record(1 - seat, Reason.RESIGN, f"{self.contestants[seat].name} resigns")
                self._move(seat, answer)
                for one in self._watching:
                    one.watch(self._request(seat))
            except BotFault as fault:
                return self._forfeit(seat, fault)
        outcome = self.position.outcome
        assert outcome is not None
        return self._record(outcome.winner, Reason.DRAW if outcome.winner is None else Reason.WIN, outcome.reason)

    def _request(self, seat: Seat) -> Request:
        start, plain = self.start, self._from_startpos
        return Request(self.position, start, plain, self.moves, self._history, seat, self.clocks)

    def _open(self, seat: Seat) -> tuple[Seat, BotFault] | None:
        try:
            self.contestants[seat].open(self.game, seat, self.clocks, self._seed_of(seat))
        except BotFault as fault:
            return seat, fault
        return None

    def _seed_of(self, seat: Seat) -> int:
        with np.errstate(over="ignore"):
            return int(split(np.uint64(self.seed % 2**64), 1000 + seat))

    def _check_time(self, seat: Seat, answer: Answer) -> None:
        if answer.seconds > self.clocks.allowed(seat) + self.clocks.control.margin_seconds:
            raise BotFault(Reason.TIME, f"it took {answer.seconds:.3f} s")
        self.clocks.spend(seat, answer.seconds)

    def _move(self, seat: Seat, answer: Answer) -> None:
        before = len(self.moves)
        try:
            for position in self.position.steps(answer.text):
                self._push(position)
        except NotationError:
            raise BotFault(Reason.ILLEGAL, f"{shown(answer.text)} is no move of {self.game.title}") from None
        except IllegalMoveError as error:
            raise BotFault(Reason.ILLEGAL, f"{shown(answer.text)} in position {error.position}: {error.why}") from None
        self.answers.append((before, answer))
        if answer.warnings:
            self.warnings += [f"{self.contestants[seat].name}: {text}" for text in answer.warnings]

    def _push(self, position: Position) -> None:
        assert position.last_move is not None
        self.position = position
        self.moves.append(position.last_move)
        self._history += " " + position.last_move

    def _throw(self) -> None:
        """Throw for the player whose turn it is, from that seat's own stream: the same throws in a mirrored game."""
        seat = self.game.thrower(self.position.state)
        self._throws[seat] += 1
        with np.errstate(over="ignore"):
            left = float(unit(word(split(np.uint64(self.seed % 2**64), seat), self._throws[seat])))
        chances = self.position.chances()
        for outcome, chance in enumerate(chances):
            left -= chance
            if left < 0 or outcome == len(chances) - 1:
                self._push(self.position.push(self.position.moves[outcome]))
                return

    def _forfeit(self, seat: Seat, fault: BotFault) -> Record:
        self.contestants[seat].blame(fault)
        self.contestants[seat].close()
        return self._record(1 - seat, fault.reason, f"{self.contestants[seat].name}: {fault.detail}", loser=seat)

    def _record(self, winner: int | None, reason: Reason, detail: str, loser: int | None = None) -> Record:
        result = "draw" if winner is None else f"p{winner + 1}win"
        scores = self.position.scores
        for contestant in self.contestants:
            contestant.finish(f"result {result} score {scores[0]} {scores[1]} reason {reason}")
        extra: dict[str, Any] = {
            "detail": detail,
            "time": str(self.clocks.control),
            "layers": [list(contestant.layers) for contestant in self.contestants],
        }
        if loser is not None:
            extra["stderr"] = self.contestants[loser].log[-4000:]
        if self.warnings:
            extra["warnings"] = self.warnings[:20]
        return Record(
            game=self.game.name,
            options=dict(self.game.chosen),
            rules=self.game.version,
            start=str(self.start),
            moves=tuple(self.moves),
            players=(self.contestants[0].name, self.contestants[1].name),
            seed=self.seed,
            winner=winner,
            scores=scores,
            reason=str(reason),
            extra={**extra, "notes": [_note(ply, answer) for ply, answer in self.answers]},
        )


def _note(ply: int, answer: Answer) -> dict[str, Any]:
    """What a record keeps of an answer besides its moves."""
    note: dict[str, Any] = {"ply": ply, "t": round(answer.seconds, 6), "cpu": round(answer.cpu_seconds, 6)}
    for key, value in (("v", answer.value), ("d", answer.depth), ("n", answer.nodes)):
        if value is not None:
            note[key] = value  # noqa: PERF403
    return note
