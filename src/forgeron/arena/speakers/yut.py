"""Our players in the Yut course: a class that the course's engine, or anybody's, can run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from forgeron.core.position import Position
from forgeron.games import game
from forgeron.games.yut import course
from forgeron.players import player
from forgeron.players.base import Limit

#: What `forgeron bot yut --protocol yut` writes: a file that the course can run.
FILE = '''\
"""A player of Forgeron as a class of the Yut course."""

from forgeron.arena.speakers.yut import CoursePlayer


class Forgeron(CoursePlayer):
    player = {player!r}
    options = {options!r}
    seconds = {seconds!r}
    nodes = {nodes!r}
    seed = {seed!r}
    threads = {threads!r}
    pieces = {pieces!r}
'''


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

    def action(self, state: tuple[int, Sequence[int], Sequence[int], Sequence[int]]) -> tuple[int, int, bool, str]:
        """(piece index, result, shortcut, what the player thinks of it)"""
        turn, mine, theirs, results = state
        position = Position(self._game, course.from_course(mine, theirs, results, turn % 2))
        choice = self._player.choose(position, self._limit)
        move = self._game.parse_move(position.state, choice.move)
        index, result, shortcut = course.action_of(mine, move)
        return index, result, shortcut, f"{choice.move} {choice.value:.0%}"
