"""The protocol of the Yut course: somebody's Python class, unchanged, in a sandboxed process of its own.

The command is the class's file, and the name of the class where the file has several: `player.py [Name]`. A small
program of ours, `course_runner.py`, runs it; the referee sends it JSON lines. The class gets copies made of plain
numbers and a random generator that has nothing to do with the throws; an action that is no legal move, or an
exception, loses. Our own players become such a class by `CoursePlayer`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from forgeron import Game, Limit, NotationError, Position, Seat, game, player
from forgeron.games.yut import course_notation as course
from forgeron.games.yut.board import STEPS
from forgeron.games.yut.piece_lists import queue, stations, whose_turn
from forgeron.protocol import (
    BotFault,
    GameSetup,
    MoveRequest,
    PlayerSpec,
    Protocol,
    Reason,
    RefereeSide,
    Reply,
    shown,
)

RUNNER = str(Path(__file__).with_name("course_runner.py"))
_RIGHT = "(piece index, result, shortcut, text)"


class YutReferee(RefereeSide):
    """Tells a class every action of both sides, and asks for its own."""

    def __init__(self, setup: GameSetup) -> None:
        super().__init__(setup)
        self._board = _Board(setup.game.start())
        self._told = 0
        self._mine: Sequence[int] = ()
        """the class's pieces as it was last asked about them"""
        self._last_action: list[Any] | None = None

    def opening(self) -> Sequence[str]:
        return [json.dumps({"do": "reset", "seed": _one_way(self.setup.seed)})]

    def greet(self, message: str) -> Sequence[str]:
        self.stays = _read(message).get("stays") is True  # it is ready, or it has failed
        return []

    def ask(self, request: MoveRequest) -> Sequence[str]:
        if self._told == 0:
            self._board = _Board(request.start)
        news = [json.dumps(order) for order in self._news(request)]
        state = self._board.seen_by(request.seat)
        self._mine = state[1]
        return [*news, json.dumps({"do": "action", "state": state})]

    def read(self, message: str, request: MoveRequest) -> Reply:
        said = _read(message)
        action: Any = said.get("action")
        if not (isinstance(action, list) and list(map(type, action)) == [int, int, bool]):
            raise BotFault(Reason.ILLEGAL, f"its action is {shown(str(said.get('wrong', message)))}, not {_RIGHT}")
        try:
            move = course.move_of(self._mine, (action[0], action[1], action[2]))
        except NotationError as error:
            raise BotFault(Reason.ILLEGAL, f"action {tuple(action)}: {error}") from None
        self._last_action = action
        return Reply(request.position.game.format_move(request.position.state, move))

    def told(self, request: MoveRequest) -> Sequence[str]:
        """The end of the game is told, for classes that learn from it."""
        over = request.position.turn is None
        return [json.dumps(order) for order in self._news(request)] if over else []

    def _news(self, request: MoveRequest) -> Iterator[dict[str, Any]]:
        """What happened since the class was told last: every action of both sides."""
        seat = self.setup.seat
        for token in request.moves[self._told :]:
            mine = self._board.mover == seat
            turn, _, _, hand = self._board.seen_by(seat)
            action = self._board.play(token, self._last_action if mine else None)
            if action is not None:
                what = "on_my_action" if mine else "on_enemy_action"
                after = self._board.sides[seat], self._board.sides[1 - seat]
                yield {
                    "do": what,
                    "state": [turn, *after, hand],  # as the course's engine: the pieces have moved already
                    "action": [*action, ""],
                    "result": [True, *after, self._board.caught],
                }
        self._told = len(request.moves)


def _one_way(seed: int) -> int:
    """A seed for the class from which nobody gets back to the seed of the game, and so to the throws."""
    return int.from_bytes(hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=4, person=b"yut class").digest())


def _read(line: str) -> dict[str, Any]:
    """A line of the runner; an exception of the class is a crash."""
    try:
        said = json.loads(line)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise BotFault(Reason.PROTOCOL, f"{shown(line)} came instead of an answer of the class")
    if "error" in said:
        raise BotFault(Reason.CRASH, f"the class raised {shown(str(said['error']))}")
    return said


class _Board:
    """The game as the course sees it: pieces with an index, results in the order they were thrown, turns counted."""

    def __init__(self, start: Position) -> None:
        self._position = start
        self.sides = [tuple(stations(start.state, seat)) for seat in (0, 1)]
        self._hand = [STEPS[result] for result in queue(start.state)]
        self.turn = self.mover
        self.caught = 0

    @property
    def mover(self) -> int:
        return whose_turn(self._position.state)

    def seen_by(self, seat: int) -> list[Any]:
        """The `state` of the course, for a seat."""
        return [self.turn, list(self.sides[seat]), list(self.sides[1 - seat]), list(self._hand)]

    def play(self, token: str, action: list[Any] | None) -> course.Action | None:
        """Follow a throw or a move; for a move, the action it is in the course's words (`action` if that is known)."""
        mover, game = self.mover, self._position.game
        move = game.parse_move(self._position.state, token)
        self._position = self._position.push(move)
        if token.startswith("t"):
            self._hand.append(int(token[1:]))
            return None
        mine, theirs = self.sides[mover], self.sides[1 - mover]
        done: course.Action = (action[0], action[1], action[2]) if action else course.action_of(mine, move)
        self.sides[mover], self.sides[1 - mover], self.caught = course.after(mine, theirs, done)
        self._hand.remove(done[1])
        if self.mover != mover:
            self.turn += 1
            self._hand.clear()
        return done


class CoursePlayer:
    """A player of ours with the methods that the Yut course asks for; subclasses choose which one and its limits."""

    player: ClassVar[str] = "greedy"
    options: ClassVar[dict[str, Any]] = {}
    seconds: ClassVar[float | None] = 1.0
    nodes: ClassVar[int | None] = None
    seed: ClassVar[int] = 0
    threads: ClassVar[int] = 1
    pieces: ClassVar[int] = 4

    def __init__(self) -> None:
        self._game = game("yut", pieces=self.pieces)
        self._player = player(self.player, self._game, seed=self.seed, threads=self.threads, **self.options)
        self._limit = Limit(seconds=self.seconds, nodes=self.nodes)

    def name(self) -> str:
        return f"forgeron {self.player}"

    def reset(self, random_state: Any) -> None:
        """The generator is not used: our players have a seed of their own."""

    def on_my_action(self, state: Any, action: Any, result: Any) -> None:
        """The course's engine tells every player of every action; ours looks at the next state instead."""

    def on_enemy_action(self, state: Any, action: Any, result: Any) -> None:
        """The same for the actions of the other side."""

    def action(self, state: tuple[int, Sequence[int], Sequence[int], Sequence[int]]) -> tuple[int, int, bool, str]:
        """(piece index, result, shortcut, what the player thinks of it); numbers may be NumPy's."""
        turn = int(state[0])
        mine, theirs, results = ([int(number) for number in numbers] for numbers in state[1:])
        position = Position(self._game, course.from_course(mine, theirs, results, turn % 2))
        choice = self._player.choose(position, self._limit)
        move = self._game.parse_move(position.state, choice.move)
        index, result, shortcut = course.action_of(mine, move)
        return index, result, shortcut, f"{choice.move} {choice.value:.0%}"


#: What `forgeron bot yut --protocol yut` writes: a file that the course can run.
_FILE = '''\
"""A player of Forgeron as a class of the Yut course."""

from forgeron.games.yut.course import CoursePlayer


class Forgeron(CoursePlayer):
    player = {player!r}
    options = {options!r}
    seconds = {seconds!r}
    nodes = {nodes!r}
    seed = {seed!r}
    threads = {threads!r}
    pieces = {pieces!r}
'''


class YutCourse(Protocol):
    """Player classes of the Yut course, run by a program of ours; `python` is the interpreter they run in."""

    name = "yut"
    game_name = "yut"
    answer_help = "return (piece index, result, shortcut, text) from action(state)"
    referee_side = YutReferee
    options = {"python": sys.executable}
    ready_help = "the class was not ready"
    file_help = "FILE.py, or FILE.py CLASS"

    @classmethod
    def command_line(cls, command: Sequence[str], seat: Seat, options: Mapping[str, Any]) -> list[str]:
        return [str(options["python"]), "-u", RUNNER, *command]

    @classmethod
    def bot_file(cls, game: Game, spec: PlayerSpec) -> str:
        """The course runs a class, not a program: what can be given is the file of one."""
        return _FILE.format(**{**vars(spec), "options": dict(spec.options)}, pieces=game.chosen["pieces"])
