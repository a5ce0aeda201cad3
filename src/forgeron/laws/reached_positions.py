"""Positions as the laws see them: reached by moves, and asked in plain Python, where every index is checked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from forgeron.core import contract
from forgeron.core.contract import OVER, fixed
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.laws.violation import BrokenLaw

#: Moves are packed into 24 bits by searches.
MOST = 2**24
#: Stands in a list of moves where nothing was written.
_UNWRITTEN = -(2**40)
#: How much longer a list is made to count the moves that do not fit.
_MORE_ROOM = 100_000


def ask(name: str, *arguments: Any) -> Any:
    """What a game's function says in plain Python; a division by zero is an error, wrapping around is none."""
    with np.errstate(over="ignore", divide="raise", invalid="raise"):
        return getattr(contract, name)(*arguments)


def is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer)


@dataclass(frozen=True, eq=False)
class ReachedPosition:
    """A position of a game and the moves that led to it. Nothing is asked before it is needed."""

    game: Game
    state: Any
    line: tuple[int, ...] = ()

    @cached_property
    def position(self) -> Position:
        """The position as everybody uses it: compiled, unless everything is plain Python."""
        return Position(self.game, self.state)

    @cached_property
    def turn(self) -> int:
        said = ask("turn", self.state)
        if not is_integer(said) or not 0 <= said <= OVER:
            raise BrokenLaw("turn", f"it says {said!r}", "say 0 or 1 (the two players), CHANCE or OVER")
        return int(said)

    @cached_property
    def moves(self) -> tuple[int, ...]:
        return self.list_moves()

    def list_moves(self) -> tuple[int, ...]:
        """Ask for the legal moves; a list that can be none is a broken law."""
        room = self.game.max_moves
        out = np.full(room, _UNWRITTEN, dtype=np.int64)
        try:
            n = ask("moves", self.state, out)
        except IndexError:
            self._count_moves()
            raise
        if not is_integer(n) or n < 0:
            raise BrokenLaw("moves", f"it returns {n!r}", "return how many moves were written, 0 or more")
        if n > room:
            raise _too_many(int(n), room)
        listed = tuple(int(move) for move in out[:n])
        if _UNWRITTEN in listed:
            raise BrokenLaw(
                "moves",
                f"it returns {n}, and out[{listed.index(_UNWRITTEN)}] was not written",
                "return how many moves were written",
            )
        return listed

    def _count_moves(self) -> None:
        """After an index was out of range: was it because `max_moves` is too small?"""
        try:
            n = ask("moves", self.state, np.zeros(self.game.max_moves + _MORE_ROOM, dtype=np.int64))
        except IndexError:
            return
        if is_integer(n) and n > self.game.max_moves:
            raise _too_many(int(n), self.game.max_moves) from None

    def after(self, move: int) -> ReachedPosition:
        """The position after a move, which must be legal."""
        return ReachedPosition(self.game, fixed(ask("play", self.state, np.int64(move))), (*self.line, move))


def _too_many(n: int, room: int) -> BrokenLaw:
    return BrokenLaw(
        "moves",
        f"this position has {n} moves, and max_moves is {room}",
        "max_moves is the most moves that any position can have",
    )


def walk(game: Game, seed: int) -> Iterator[ReachedPosition]:
    """The positions of one random game, the last one included."""
    rng = random.Random(seed)
    visit = ReachedPosition(game, fixed(game.start_state()))
    yield visit
    while visit.turn != OVER:
        visit = visit.after(rng.choice(visit.moves))
        yield visit


def walks(game: Game, games: int) -> Iterator[ReachedPosition]:
    """The positions of so many random games."""
    for seed in range(games):
        yield from walk(game, seed)
