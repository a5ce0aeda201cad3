"""The protocol of the YINSH course: a first line with the parameters, then a line a turn in the course's notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forgeron import ForgeronError, NotationError, OptionError, Position
from forgeron.games.yinsh.game import Yinsh
from forgeron.protocol import (
    BotFault,
    BotSetup,
    BotSide,
    GameSetup,
    MoveRequest,
    Protocol,
    Reason,
    RefereeSide,
    Reply,
    TimeControl,
    shown,
)


def turn_in_words(position: Position, tokens: Sequence[str]) -> str:
    """The plies of a turn that was played from the position, as one line of the course."""
    game = position.game
    assert isinstance(game, Yinsh)
    moves = []
    for token in tokens:
        move = game.parse_move(position.state, token)
        moves.append(move)
        position = position.push(move)
    return game.format_turn(moves, "course")


class YinshReferee(RefereeSide):
    def __init__(self, setup: GameSetup) -> None:
        super().__init__(setup)
        chosen = setup.game.chosen
        self._first_line = f"{setup.seat + 1} {chosen['N']} {setup.control.base_seconds:g} {chosen['K']}"
        self._reached = setup.game.start()
        self._known = 0
        """how many plies the bot knows of; they led to `_reached`"""
        self._last_answer = ""

    def opening(self) -> Sequence[str]:
        return [self._first_line] if self.setup.seat == 1 else []  # the first player is told when its clock starts

    def ask(self, request: MoveRequest) -> Sequence[str]:
        news = request.moves[self._known :]
        if not news and self._last_answer:
            left = ", ".join(request.position.legal_moves()[:6])
            why = f"its turn {shown(self._last_answer)} is not complete in position {request.position}"
            raise BotFault(Reason.ILLEGAL, f"{why}: it goes on with {left}")
        return [turn_in_words(self._reached, news) if news else self._first_line]

    def read(self, message: str, request: MoveRequest) -> Reply:
        self._last_answer = message
        self._reached, self._known = request.position, len(request.moves)
        try:  # the bot knows its own turn: only what comes after it will be told
            steps = self._reached.steps(message)
        except ForgeronError:
            return Reply(message)  # which ends the game
        self._reached = steps[-1]
        self._known += len(steps)
        return Reply(message)


class YinshBot(BotSide):
    def __init__(self, setup: BotSetup) -> None:
        super().__init__(setup)
        self.position = None

    def hear(self, message: str) -> Sequence[str]:
        if self.position is None:
            self._read_first_line(message)
            return []
        self.position = self.position.play(message.strip())
        self.over = self.position.turn is None
        self.asked = not self.over
        return []

    def _read_first_line(self, message: str) -> None:
        """Take the board and the time from it; the first player is asked by it, too."""
        words = message.split()
        try:
            player, size, seconds, length = int(words[0]), words[1], float(words[2]), words[3]
            if len(words) != 4 or player not in (1, 2):
                raise ValueError
        except (ValueError, IndexError):
            right = "<player 1|2> <N> <seconds> <K>"
            raise NotationError(f"the first line is '{right}', not '{message.strip()}'") from None
        chosen: dict[str, Any] = {**self.setup.game.chosen, "N": size, "K": length}
        self.position = type(self.setup.game)(**chosen).start()
        self.game_seconds = seconds
        self.asked = player == 1

    def say(self, moves: Sequence[str], after: Position) -> Sequence[str]:
        assert self.position is not None
        line = turn_in_words(self.position, moves)
        self.position = after
        return [line]


class YinshCourse(Protocol):
    """Whole turns in the course's notation; the time is for the whole game."""

    name = "yinsh"
    game_name = "yinsh"
    answer_help = "answer with the whole turn on one line, as P 1 2 or S 1 2 M 2 4"
    referee_side = YinshReferee
    bot_side = YinshBot
    any_start = False
    whole_turns = True
    tells_time = True
    check_time = "120+0"

    @classmethod
    def check_control(cls, control: TimeControl) -> None:
        if control.base_seconds is None:
            raise OptionError("protocol yinsh tells a bot its time for the whole game: give a clock, for example 120+0")
