"""The protocol of the Mancala course: `START` or the opponent's move in, a move or RESULT out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forgeron import ForgeronError, Position, Seat
from forgeron.games.mancala.rules import limit_of, ply_of
from forgeron.protocol import BotFault, BotSide, MoveRequest, Protocol, Reason, RefereeSide, Reply, shown

#: What the course calls the two players on the command line.
SEAT_WORDS = ("JoueurA", "JoueurB")


class MancalaReferee(RefereeSide):
    def ask(self, request: MoveRequest) -> Sequence[str]:
        return [request.moves[-1] if request.moves else "START"]

    def read(self, message: str, request: MoveRequest) -> Reply:
        words = message.split()
        if words[0].upper() != "RESULT":
            return Reply(message)
        # `RESULT <move> <score> <score>`: whether the move ends the game is for the rules to say.
        is_limit = len(words) > 1 and words[1].upper() == "LIMIT"
        if is_limit and _last_ply(request.position):
            return Reply("", _other_scores(request.position, words[2:]), ends=True)
        if len(words) < 2 or is_limit:
            raise BotFault(
                Reason.PROTOCOL, f"it answered {shown(message)}, but by the rules the game goes on: a move was due"
            )
        return Reply(words[1], _doubts(request.position, words[1]))

    def told(self, request: MoveRequest) -> Sequence[str]:
        """The move that ends the game is told, too: the course's bots answer it with their RESULT, which is no news."""
        over = request.position.turn is None
        return [request.moves[-1]] if over and request.seat != self.setup.seat else []


def _last_ply(position: Position) -> bool:
    """Whether the next move is the last that the limit allows: the course's bots end the game instead of making it."""
    info = position.state.info
    return int(ply_of(info)) + 1 >= int(limit_of(info))


def _other_scores(position: Position, claimed: Sequence[str]) -> tuple[str, ...]:
    """A warning where the claimed scores are not those of the game: the referee's count."""
    known = [str(points) for points in position.scores]
    if [word.lstrip("0") or "0" for word in claimed] == known:
        return ()
    return (f"it claims the result {shown(' '.join(claimed))}; by the rules it is '{' '.join(known)}'",)


def _doubts(position: Position, move: str) -> tuple[str, ...]:
    """A warning for a RESULT that comes too early; a move that cannot be played is the referee's business."""
    try:
        after = position.play(move)
    except ForgeronError:
        return ()
    return () if after.turn is None else (f"it says that {shown(move)} ends the game; by the rules it goes on",)


class MancalaBot(BotSide):
    def hear(self, message: str) -> Sequence[str]:
        assert self.position is not None
        word = message.split()[0]
        if word.upper() == "RESULT":
            self.over = True
            return []
        if word.upper() != "START":
            self.position = self.position.play(word)
        self.asked = self.position.turn is not None
        return [] if self.asked else self._result(word)

    def say(self, moves: Sequence[str], after: Position) -> Sequence[str]:
        self.position = after
        return moves if after.turn is not None else self._result(moves[-1])

    def _result(self, move: str) -> list[str]:
        """As in the course, a move that ends the game is sent, and answered, as `RESULT move score score`."""
        assert self.position is not None
        self.over = True
        first, second = self.position.scores
        return [f"RESULT {move} {first} {second}"]


class MancalaCourse(Protocol):
    """The line mover of the Mancala course. With the option `argument` its command ends with JoueurA or JoueurB."""

    name = "mancala"
    game_name = "mancala"
    answer_help = "answer every line with one line that holds the move alone, as 3R or 14TB"
    referee_side = MancalaReferee
    bot_side = MancalaBot
    options = {"argument": False}
    any_start = False
    check_time = "3"
    move_seconds = 1.8  # the course allows two; this leaves something for the way

    @classmethod
    def command_line(cls, command: Sequence[str], seat: Seat, options: Mapping[str, Any]) -> list[str]:
        return [*command, SEAT_WORDS[seat]] if options["argument"] else list(command)
