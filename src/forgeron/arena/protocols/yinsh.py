"""The YINSH course: a first line with the parameters, then one line a turn in the course's notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forgeron.arena.clock import Clocks, TimeControl
from forgeron.arena.contestant import Answer, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.protocols.course import CourseBot
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat


class YinshBot(CourseBot):
    """A bot of the YINSH course; its time is for the whole game."""

    protocol = "yinsh"
    game_name = "yinsh"
    any_start = False

    @classmethod
    def check_terms(cls, game: str, control: TimeControl, options: Mapping[str, object]) -> None:
        super().check_terms(game, control, options)
        if control.base_seconds is None:
            raise OptionError("protocol yinsh tells a bot its time for the whole game: give a clock, for example 120+0")

    def begin(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        self._first_line = f"{seat + 1} {game.chosen['N']} {clocks.control.base_seconds:g} {game.chosen['K']}"
        self._reached = game.start()
        self._known = 0
        self._last_answer = ""
        if seat == 1:  # the first player is told when its clock starts
            self.running.send(self._first_line, self._clock_starts)

    def choose(self, request: Request) -> Answer:
        news = request.moves[self._known :]
        if not news and self._last_answer:
            left = ", ".join(request.position.legal_moves()[:6])
            why = f"its turn {shown(self._last_answer)} is not complete in position {request.position}"
            raise BotFault(Reason.ILLEGAL, f"{why}: it goes on with {left}")
        answer = self.ask(self._turn(news) if news else self._first_line, request)
        self._last_answer = answer.text
        self._reached = request.position
        self._known = len(request.moves)
        self._pass_over(answer.text)
        return answer

    def _turn(self, tokens: Sequence[str]) -> str:
        """The opponent's plies since the last answer, as one line of the course."""
        game, position, moves = self._reached.game, self._reached, []
        for token in tokens:
            move = game.parse_move(position.state, token)
            moves.append(move)
            position = position.push(move)
        line: str = game.format_turn(moves, "course")  # type: ignore[attr-defined]
        return line

    def _pass_over(self, text: str) -> None:
        """The bot knows its own turn: only what comes after it will be told. An illegal one ends the game anyway."""
        try:
            steps: list[Position] = self._reached.steps(text)
        except ForgeronError:
            return
        self._reached = steps[-1]
        self._known += len(steps)
