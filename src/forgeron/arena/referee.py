"""The referee: owns the rules and the clock, and gives every game a result.

`play` plays a game to its end. Where people take part, or a program shows a game as it goes, it is played step by
step instead:

    referee = Referee(game, contestants, control, seed=7)
    referee.open()
    while referee.record is None:
        if referee.position.turn == "chance":
            referee.throw()
        elif referee.awaited is None:
            referee.accept(referee.ask())        # `ask` takes the thinking time, and may run in another thread
        else:
            referee.submit(text_of_the_person)   # refuses what is not legal, and nothing has changed

Nothing here prints, reads input or sleeps. A game that was left goes on from its moves (`played`), and goes back by
`rewound`: throws and clocks are then what those moves say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from forgeron.arena.human import Human
from forgeron.arena.overload import note_overload
from forgeron.bots.clock import Clocks, Pace, TimeControl
from forgeron.bots.contestant import RESIGN, Answer, Contestant, MoveRequest
from forgeron.bots.faults import BotFault, Reason, shown
from forgeron.bots.untrusted_text import MOVE_CHARACTERS, SenselessError, move_text
from forgeron.core import chance
from forgeron.core.errors import ForgeronError, IllegalMoveError, NotationError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.core.record import Record
from forgeron.core.rng import split

#: A game of more plies than this is given up as a draw: rules that never end must not stop an event.
MAX_PLIES = 10_000

OnTurn = Callable[["Referee", Seat], None]
"""told whenever a contestant makes ready or is to move, before it is asked"""


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
        played: Sequence[str] = (),
        seed: int = 0,
        second_control: TimeControl | None = None,
    ) -> None:
        """A game from `start`, the game's first position when there is none.

        Both seats have the same time `control`, unless there is another for the second.

        The moves of the `opening` are nobody's, its throws too; those `played` are of the game that goes on here.
        """
        self.game = game
        self.contestants = contestants
        self.clocks = Clocks(control, second_control, pace=Pace.of(game))
        self.seed = seed
        self.start = start or game.start()
        self.record: Record | None = None
        """how the game ended; None while it goes on"""
        self.position = self.start
        """the present position"""
        self.moves: list[str] = []
        self.answers: list[tuple[int, Answer]] = []
        """the answers that were played, each with the number of its first ply"""
        self.warnings: list[str] = []
        self.on_turn: OnTurn | None = None
        self._lost: dict[str, Any] = {}
        self._has_people = any(isinstance(one, Human) for one in contestants)
        self._from_startpos = start is None or start == game.start()
        self._opening = tuple(opening)
        self._history = ""
        self._positions = [self.start]
        self._throws = [0, 0]
        seats: tuple[Seat, Seat] = (0, 1)
        self._watching = [seat for seat in seats if type(contestants[seat]).watch is not Contestant.watch]
        for one in contestants:
            if one.any_start:
                continue
            if opening or not self._from_startpos:
                raise OptionError(f"{one.name} speaks a protocol that knows no openings: leave them out")
            if played:
                raise OptionError(
                    f"{one.name} speaks a protocol that knows whole games only: no game can go back or on"
                )
        for token in opening:
            self._push(self.position.play(token))
        for token in played:
            if self.position.turn == "chance":
                self._count_throw()
            self._push(self.position.play(token))

    # --- the whole game, and its steps ------------------------------------------------------------------------------

    def play(self) -> Record:
        """Play to the end; the contestants stay open, for the next game."""
        self.open()
        while self.record is None:
            seat = self.position.turn
            if seat is None or len(self.moves) >= MAX_PLIES:
                self._end_by_rules()
            elif seat == "chance" or self._has_people:
                self.advance()
            else:
                self._judge(seat, self._ask(seat))
        return self.record

    @property
    def positions(self) -> Sequence[Position]:
        """From the start to the present position.

        Replayed for whoever asks: in a game that nobody looks at, to keep them costs more than to judge the moves.
        """
        known, moves = self._positions, self.moves
        if len(known) <= len(moves):
            known = [*known]
            for move in moves[len(known) - 1 :]:
                known.append(known[-1].play(move))
            self._positions = known  # at once, and whole: another thread may ask, too
        return known

    def open(self) -> None:
        """Have the contestants make ready; whoever cannot has lost."""
        opened = [self._open(seat) for seat in (0, 1)]
        failed: list[tuple[Seat, BotFault]] = [fault for fault in opened if fault is not None]
        if len(failed) == 2:
            both = " / ".join(fault.detail for _seat, fault in failed)
            self._end(None, Reason.STARTUP, f"neither bot started: {both}")
        elif failed:
            self._forfeit(*failed[0])
        else:
            self._end_by_rules()

    def advance(self) -> None:
        """Do whatever comes next: a throw, or a contestant's move."""
        seat = self.position.turn
        if seat == "chance":
            self.throw()
        elif seat is None or (self._has_people and self.awaited is not None):
            self.accept(self.ask())  # which says why that cannot be
        else:
            self.accept(self._ask(seat))

    @property
    def history(self) -> str:
        """The moves so far as a text, each after a space."""
        return self._history

    @property
    def awaited(self) -> Seat | None:
        """The seat of the person whose move is waited for; None when nobody's is."""
        seat = self.position.turn
        if self.record is not None or seat is None or seat == "chance":
            return None
        contestant = self.contestants[seat]
        return seat if isinstance(contestant, Human) and contestant.is_awaited else None

    def throw(self) -> Position:
        """Throw for the player whose turn it is, from that seat's own stream; the position after it."""
        seat = self._count_throw()
        self._push(chance.throw(self.position, self.seed, self._throws[seat]))
        self._end_by_rules()
        return self.position

    def ask(self) -> Answer | BotFault:
        """What the contestant to move answers, or its fault. Nothing has changed until it is accepted."""
        seat = self._mover()
        if self.awaited is not None:
            raise ForgeronError(f"{self.contestants[seat].name} is a person whose moves are submitted, not asked for")
        return self._ask(seat)

    def _ask(self, seat: Seat) -> Answer | BotFault:
        if self.on_turn is not None:
            self.on_turn(self, seat)
        request = MoveRequest(
            self.position, self.start, self._from_startpos, self.moves, self._history, seat, self.clocks
        )
        try:
            return self.contestants[seat].choose(request)
        except BotFault as fault:
            if fault.reason is Reason.TIME:
                fault.cpu_seconds = self.contestants[seat].cpu_spent()
            return fault

    def accept(self, answer: Answer | BotFault) -> None:
        """Judge the answer of the contestant to move: a move, resignation, or a fault that costs it the game."""
        self._judge(self._mover(), answer)
        if self.record is None:
            self._end_by_rules()

    def _judge(self, seat: Seat, answer: Answer | BotFault) -> None:
        """What `accept` does, but for the end of the game on the board."""
        try:
            if isinstance(answer, BotFault):
                raise answer
            self._check_time(seat, answer)
            if answer.text == RESIGN:
                self.resign(seat)
                return
            if answer.ends:
                self._note_warnings(seat, answer)
                self._end_by_scores()
                return
            self._move(seat, answer)
            if self._watching:
                start, plain = self.start, self._from_startpos
                told = MoveRequest(self.position, start, plain, self.moves, self._history, seat, self.clocks)
                for seat in self._watching:  # a fault is then the watcher's
                    self.contestants[seat].watch(told)
        except BotFault as fault:
            self._forfeit(seat, fault)

    def submit(self, text: str, seconds: float = 0.0) -> None:
        """Play the move, or whole turn, of a person who thought so long, or resign for them.

        A text that is no move raises `NotationError`, a move that is not legal `IllegalMoveError`; the game is then as
        it was: a person may try again.
        """
        seat = self.awaited
        if seat is None:
            raise ForgeronError("nobody's move is waited for")
        if text != RESIGN:
            self.position.play(text)
        self.accept(Answer(text, seconds))

    def resign(self, seat: Seat) -> None:
        """Give the game up for a seat, whoever's turn it is."""
        self._check_going_on()
        self._end(1 - seat, Reason.RESIGN, f"{self.contestants[seat].name} resigns")

    def rewound(self, plies: int) -> Referee:
        """A referee of the same game after its first so many plies, to be opened; this one should not go on.

        From there the same throws come, in the order of each seat, and the clocks have what they had.
        """
        first = len(self._opening)
        if not first <= plies <= len(self.moves):
            raise OptionError(f"a game can go back to ply {first} … {len(self.moves)}, not {plies}")
        earlier = Referee(
            self.game,
            self.contestants,
            self.clocks.controls[0],
            opening=self._opening,
            start=self.start,
            played=self.moves[first:plies],
            seed=self.seed,
            second_control=self.clocks.controls[1],
        )
        for ply, answer in self.answers:
            if ply < plies:
                earlier.answers.append((ply, answer))
                earlier.clocks.spend(1 if self.positions[ply].turn == 1 else 0, answer.seconds)
        return earlier

    # --- moves ------------------------------------------------------------------------------------------------------

    def _mover(self) -> Seat:
        self._check_going_on()
        seat = self.position.turn
        if seat is None or seat == "chance":
            raise ForgeronError(f"nobody is to move in position '{self.position}'")
        return seat

    def _check_going_on(self) -> None:
        if self.record is not None:
            raise ForgeronError(f"the game is over: {self.record.reason}")

    def _open(self, seat: Seat) -> tuple[Seat, BotFault] | None:
        if self.on_turn is not None:
            self.on_turn(self, seat)
        try:
            self.contestants[seat].open(self.game, seat, self.clocks, self._seed_of(seat))
        except BotFault as fault:
            return seat, fault
        return None

    def _seed_of(self, seat: Seat) -> int:
        with np.errstate(over="ignore"):
            return int(split(np.uint64(self.seed % 2**64), 1000 + seat))

    def _check_time(self, seat: Seat, answer: Answer) -> None:
        if not self.contestants[seat].timed:
            return
        if answer.seconds > self.clocks.deadline_seconds(seat):
            late = BotFault(Reason.TIME, f"it took {answer.seconds:.3f} s")
            late.cpu_seconds = answer.cpu_seconds
            raise late
        self.clocks.spend(seat, answer.seconds)

    def _move(self, seat: Seat, answer: Answer) -> None:
        before = len(self.moves)
        try:
            text = answer.text if len(answer.text) <= MOVE_CHARACTERS else move_text(answer.text)
            for position in self.position.steps(text):
                self._push(position)
        except (NotationError, SenselessError):
            raise BotFault(Reason.ILLEGAL, f"{shown(answer.text)} is no move of {self.game.title}") from None
        except IllegalMoveError as error:
            raise BotFault(Reason.ILLEGAL, f"{shown(answer.text)} in position {error.position}: {error.why}") from None
        self.answers.append((before, answer))
        if answer.warnings:
            self._note_warnings(seat, answer)

    def _note_warnings(self, seat: Seat, answer: Answer) -> None:
        self.warnings += [f"{self.contestants[seat].name}: {text}" for text in answer.warnings]

    def _push(self, position: Position) -> None:
        move = position.last_move
        assert move is not None
        self.position = position
        self.moves.append(move)
        self._history += " " + move

    def _count_throw(self) -> Seat:
        """Note that a throw is made in the present position; whose it is."""
        seat = self.game.thrower(self.position.state)
        self._throws[seat] += 1
        return seat

    # --- the result -------------------------------------------------------------------------------------------------

    def _end_by_rules(self) -> None:
        """Write the record if the game is over on the board, or has gone on for too long."""
        outcome = self.position.outcome
        if outcome is not None:
            self._end(outcome.winner, Reason.DRAW if outcome.winner is None else Reason.WIN, outcome.reason)
        elif len(self.moves) >= MAX_PLIES:
            self._end(None, Reason.DRAW, f"given up after {MAX_PLIES} plies")

    def _end_by_scores(self) -> None:
        """A course ends its games here: whoever has more points has won."""
        first, second = self.position.scores
        winner = None if first == second else 0 if first > second else 1
        self._end(winner, Reason.DRAW if winner is None else Reason.WIN, "ended at the limit of its course")

    def _forfeit(self, seat: Seat, fault: BotFault) -> None:
        self._lost = note_overload(fault.reason, fault.cpu_seconds, self.clocks.deadline_seconds(seat))
        self.contestants[seat].blame(fault)
        self.contestants[seat].close()
        self._end(1 - seat, fault.reason, f"{self.contestants[seat].name}: {fault.detail}", loser=seat)

    def _end(self, winner: int | None, reason: Reason, detail: str, loser: Seat | None = None) -> None:
        result = "draw" if winner is None else f"p{winner + 1}win"
        scores = self.position.scores
        for contestant in self.contestants:
            contestant.finish(f"result {result} score {scores[0]} {scores[1]} reason {reason}")
        extra: dict[str, Any] = {"detail": detail, **self._lost}
        if loser is not None:
            extra["stderr"] = self.contestants[loser].log[-4000:]
        self.record = self._recorded(winner, str(reason), extra)

    def record_so_far(self) -> Record:
        """The record, also of a game that is not over."""
        return self.record or self._recorded(None, "unfinished", {})

    def _recorded(self, winner: int | None, reason: str, more: dict[str, Any]) -> Record:
        extra: dict[str, Any] = {
            **more,
            "time": str(self.clocks),
            "layers": [list(contestant.layers) for contestant in self.contestants],
        }
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
            scores=self.position.scores,
            reason=reason,
            extra={**extra, "notes": [_note(ply, answer) for ply, answer in self.answers]},
        )


def _note(ply: int, answer: Answer) -> dict[str, Any]:
    """What a record keeps of an answer besides its moves."""
    note: dict[str, Any] = {"ply": ply, "t": round(answer.seconds, 6), "cpu": round(answer.cpu_seconds, 6)}
    if answer.value is not None:
        note["v"] = answer.value
    if answer.depth is not None:
        note["d"] = answer.depth
    if answer.nodes is not None:
        note["n"] = answer.nodes
    return note
