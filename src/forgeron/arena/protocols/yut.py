"""The Yut course: somebody's Python class, unchanged, in a sandboxed process of its own.

The command is the class's file, and the name of the class where the file has several: `player.py [Name]`. The class
gets copies made of plain numbers and a random generator that has nothing to do with the throws; an action that is no
legal move, or an exception, loses.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forgeron.arena.clock import Clocks
from forgeron.arena.contestant import Answer, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.process import GRACE_SECONDS, BotProcess
from forgeron.arena.protocols import yut_runner
from forgeron.arena.protocols.course import CourseBot
from forgeron.core.errors import NotationError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.games.yut import course
from forgeron.games.yut.board import STEPS
from forgeron.games.yut.lists import queue, stations, whose_turn


class YutBot(CourseBot):
    """A player class of the Yut course."""

    protocol = "yut"
    game_name = "yut"
    settings = {"python": sys.executable}

    def words(self, seat: Seat) -> list[str]:
        if not self._command or not Path(self._command[0]).is_file():
            what = shown(self._command[0] if self._command else "")
            raise BotFault(Reason.STARTUP, f"there is no file {what}; the command is FILE.py, or FILE.py CLASS")
        return [str(self._settings["python"]), "-u", str(Path(yut_runner.__file__)), *self._command]

    def begin(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        self._board = _Board(game.start())
        self._told = 0
        self._last_action: list[Any] | None = None
        deadline = time.monotonic() + self._startup_seconds
        self.running.send(json.dumps({"do": "reset", "seed": _one_way(seed)}), deadline)
        try:
            said = self._hear(self.running, deadline)
        except BotFault as fault:
            if fault.reason is Reason.TIME:
                what = f"the class was not ready within {self._startup_seconds:g} s"
                raise BotFault(Reason.STARTUP, what) from None
            raise
        self._clock_starts = 0.0  # it has said that it is ready
        self.class_name = str(said.get("ready", ""))

    def choose(self, request: Request) -> Answer:
        if self._told == 0:
            self._board = _Board(request.start)
        lines = [json.dumps(news) for news in self._news(request)]
        state = self._board.seen_by(request.seat)
        lines.append(json.dumps({"do": "action", "state": state}))
        answer = self.ask("\n".join(lines), request)
        said = _read(answer.text)
        action: Any = said.get("action")
        if not _is_action(action):
            raise BotFault(Reason.ILLEGAL, f"its action is {shown(str(said.get('wrong', answer.text)))}, not {_RIGHT}")
        try:
            move = course.move_of(state[1], tuple(action))
        except NotationError as error:
            raise BotFault(Reason.ILLEGAL, f"action {tuple(action)}: {error}") from None
        self._last_action = action
        answer.text = request.position.game.format_move(request.position.state, move)
        return answer

    def watch(self, request: Request) -> None:
        """The end of the game is told, for classes that learn from it."""
        if request.position.turn is None and self._process:
            lines = [json.dumps(news) for news in self._news(request)]
            try:
                self._process.send("\n".join(lines), time.monotonic() + GRACE_SECONDS)
            except BotFault:
                self.close()

    def _news(self, request: Request) -> Iterator[dict[str, Any]]:
        """What happened since the class was told last: every action of both sides."""
        for token in request.moves[self._told :]:
            mover = self._board.mover
            mine = mover == self.seat
            state = self._board.seen_by(self.seat)
            action = self._board.play(token, self._last_action if mine else None)
            if action is not None:
                what = "on_my_action" if mine else "on_enemy_action"
                after = self._board.sides[self.seat], self._board.sides[1 - self.seat]
                yield {
                    "do": what,
                    "state": state,
                    "action": [*action, ""],
                    "result": [True, *after, self._board.caught],
                }
        self._told = len(request.moves)

    def _hear(self, process: BotProcess, deadline: float) -> dict[str, Any]:
        return _read(process.receive(deadline))


def _one_way(seed: int) -> int:
    """A seed for the class from which nobody gets back to the seed of the game, and so to the throws."""
    return int.from_bytes(hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=4, person=b"yut class").digest())


_RIGHT = "(piece index, result, shortcut, text)"


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


def _is_action(action: Any) -> bool:
    return isinstance(action, list) and list(map(type, action)) == [int, int, bool]


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
