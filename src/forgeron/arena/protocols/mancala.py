"""The line mover of the Mancala course: `START` or the opponent's move in, a move out."""

from __future__ import annotations

import time

from forgeron.arena.contestant import Answer, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.process import GRACE_SECONDS
from forgeron.arena.protocols.course import CourseBot
from forgeron.core.errors import ForgeronError
from forgeron.core.position import Seat

#: What the course calls the two players on the command line.
SEAT_WORDS = ("JoueurA", "JoueurB")


class MancalaBot(CourseBot):
    """A bot of the Mancala course. With the option `argument` its command ends with JoueurA or JoueurB."""

    protocol = "mancala"
    game_name = "mancala"
    settings = {"argument": False}
    any_start = False

    def words(self, seat: Seat) -> list[str]:
        return [*self._command, SEAT_WORDS[seat]] if self._settings["argument"] else self._command

    def choose(self, request: Request) -> Answer:
        answer = self.ask(request.moves[-1] if request.moves else "START", request)
        words = answer.text.split()
        if words[0].upper() == "RESULT":
            answer.text = _move_of_result(words, answer)
            _doubt(request, answer)
        return answer

    def watch(self, request: Request) -> None:
        """The move that ends the game is told, too: the course's bots answer it with their RESULT, which is no news."""
        if request.position.turn is None and request.seat != self.seat and self._process:
            try:
                self._process.send(request.moves[-1], time.monotonic() + GRACE_SECONDS)
            except BotFault:
                self.close()


def _move_of_result(words: list[str], answer: Answer) -> str:
    """The move in a line `RESULT <move> <score> <score>`; whether it ends the game is for the rules to say."""
    if len(words) < 2 or words[1].upper() == "LIMIT":
        raise BotFault(
            Reason.PROTOCOL, f"it answered {shown(answer.text)}, but by the rules the game goes on: a move was due"
        )
    return words[1]


def _doubt(request: Request, answer: Answer) -> None:
    """A warning for a RESULT that comes too early; a move that cannot be played is the referee's business."""
    try:
        after = request.position.play(answer.text)
    except ForgeronError:
        return
    if after.turn is not None:
        answer.warnings.append(f"it says that {shown(answer.text)} ends the game; by the rules it goes on")
