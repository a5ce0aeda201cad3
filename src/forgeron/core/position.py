"""A position of a game, as Python code and people use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from forgeron.core.contract import CHANCE, OVER, action, build, chance, fixed, observe
from forgeron.core.errors import ContractError, ForgeronError, GameOverError, IllegalMoveError
from forgeron.core.queries import hash_state, play_and_query, query_state
from forgeron.core.view import view_board, view_position
from forgeron.drawing.notebook import board_html

if TYPE_CHECKING:
    from forgeron.core.game import Game

Seat = Literal[0, 1]
#: Room beyond a game's own `max_moves`, so that a number that is too small is told and not written over memory.
_SLACK = 64
#: Room for the words that a seat sees.
_MOST_WORDS = 256


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    winner: Seat | None
    """the seat that won; None for a draw"""
    scores: tuple[int, int]
    reason: str


class Position:
    """A value: it never changes, and two positions are equal when the rules cannot tell them apart.

    >>> import forgeron
    >>> start = forgeron.game("yolah").start()
    >>> after = start.play("d5:b7")
    >>> start.turn, after.turn, after.scores, after.last_move
    (0, 1, (1, 0), 'd5:b7')
    """

    __slots__ = ("_moves", "_score", "_who", "game", "last_move", "state")

    def __init__(self, game: Game, state: Any) -> None:
        out = np.empty(game.max_moves + _SLACK, dtype=np.int64)
        state = fixed(state)
        who, n, score = query_state(state, out)
        self._fill(game, state, None, who, n, score, out)

    def _fill(self, game: Game, state: Any, last_move: str | None, who: int, n: int, score: int, out: Any) -> None:
        if not 0 <= n <= game.max_moves:
            raise ContractError(f"a position of {game.name} has {n} moves; its max_moves says {game.max_moves}")
        if not 0 <= who <= OVER:
            raise ContractError(f"turn of {game.name} says {who}; it is 0 or 1, CHANCE or OVER")
        self.game = game
        self.state = state
        self.last_move = last_move
        """the token of the move that led here, if it was played; not part of the position's identity"""
        self._who = int(who)
        self._moves: tuple[int, ...] = tuple(out[:n].tolist())
        self._score = int(score)

    @property
    def turn(self) -> Seat | Literal["chance"] | None:
        """0 or 1: the seat to move; "chance": dice are to be thrown; None: the game is over."""
        if self._who == OVER:
            return None
        if self._who == CHANCE:
            return "chance"
        return 1 if self._who else 0

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves as the numbers that kernels use, in the order of `legal_moves`."""
        return self._moves

    def legal_moves(self) -> list[str]:
        """The tokens of the legal moves, each once, in a fixed order; empty when the game is over."""
        return [self.game.format_move(self.state, move) for move in self._moves]

    def chances(self) -> list[float]:
        """The probability of each of `legal_moves` when `turn` is "chance"."""
        if self._who != CHANCE:
            raise ForgeronError(f"nothing is thrown in position '{self}'")
        probs = np.zeros(self.game.max_moves)
        n = int(chance(self.state, probs))
        return [float(p) for p in probs[:n]]

    def play(self, text: str) -> Position:
        """The position after a move, or after a whole turn, in any notation of the game.

        A text that is no move of the game raises `NotationError`; a move that is not legal here raises
        `IllegalMoveError`.
        """
        return self.steps(text)[-1]

    def steps(self, text: str) -> list[Position]:
        """Like `play`, with the position after each ply of the turn."""
        if self._who == OVER:
            raise GameOverError(text, str(self), "the game is over")
        position, found = self, []
        for move in self.game.parse_turn(self.state, text):
            if move not in position._moves:
                why = self.game.why_illegal(position.state, move, position.legal_moves())
                raise IllegalMoveError(text, str(self), why)
            position = position._after(move)
            found.append(position)
        return found

    def push(self, move: int) -> Position:
        """The position after the legal move of this number (one of `moves`)."""
        if move not in self._moves:
            raise IllegalMoveError(str(move), str(self), "it is not the number of a legal move")
        return self._after(move)

    def _after(self, move: int) -> Position:
        game = self.game
        out = np.empty(game.max_moves + _SLACK, dtype=np.int64)
        fields, who, n, score = play_and_query(self.state, np.int64(move), out)
        state = build(type(self.state), fields)
        after = object.__new__(Position)
        after._fill(game, state, game.format_move(self.state, move), who, n, score, out)
        return after

    @property
    def scores(self) -> tuple[int, int]:
        """The points of player 0 and player 1 so far."""
        return self.game.scores(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self._who != OVER:
            return None
        winner: Seat | None = None if self._score == 0 else 0 if self._score > 0 else 1
        return Outcome(winner, self.scores, self.game.reason(self.state, winner))

    @property
    def score(self) -> int:
        """The final result for player 0, margin included; 0 while the game goes on."""
        return self._score

    @property
    def key(self) -> int:
        """The 64-bit hash that transposition tables use."""
        return int(hash_state(self.state))

    @property
    def actions(self) -> tuple[int, ...]:
        """The action of each of `moves`: its number among the game's `action_space` actions. None at a throw.

        >>> import forgeron
        >>> position = forgeron.game("mancala").start()
        >>> position.actions == position.moves, position.game.action_space
        (True, 64)
        """
        if self._who == CHANCE:
            return ()
        if not self.game.action_count:
            return tuple(range(len(self._moves)))
        with np.errstate(over="ignore"):
            return tuple(int(action(self.state, np.int64(move))) for move in self._moves)

    def action_mask(self) -> np.ndarray:
        """A 1 for each action that is a legal move here, a 0 for every other."""
        mask = np.zeros(self.game.action_space, dtype=np.int8)
        mask[list(self.actions)] = 1
        return mask

    def act(self, number: int) -> Position:
        """The position after the legal move with this action."""
        for move, one in zip(self._moves, self.actions, strict=False):
            if one == number:
                return self._after(move)
        raise IllegalMoveError(f"action {number}", str(self), "it is not the action of a legal move")

    def observe(self, seat: Seat) -> np.ndarray:
        """The position as bits, as the seat sees it: a row of 64 zeros and ones for each word of the game's `planes`.

        Without that rule, for each word of the state, and a row of which bit 0 says that the seat is to move and bit 1
        which one it is.

        >>> import forgeron
        >>> seen = forgeron.game("yolah").start().observe(0)
        >>> seen.shape, seen[0].nonzero()[0].tolist()
        ((4, 64), [0, 28, 35, 63])
        """
        words = np.zeros(_MOST_WORDS, dtype="<u8")
        with np.errstate(over="ignore"):
            n = observe(self.state, np.int64(seat), words)
        return np.unpackbits(words[:n].view(np.uint8), bitorder="little").reshape(-1, 64)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The words of the state, without loss; `game.from_array` makes the position of them again."""
        return np.array(self.state, dtype=dtype)

    def draw(self) -> str:
        """The board as text, the last move marked."""
        return self.game.draw(self.state, self.last_move)

    def view(self) -> dict[str, Any]:
        """The position with its legal moves as JSON-ready data, for pages and other programs: docs/web.md."""
        return view_position(self)

    def _repr_html_(self) -> str:
        """The board, as a notebook shows it."""
        return board_html(view_board(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.game, self.state))

    def __str__(self) -> str:
        return self.game.format_state(self.state)

    def __repr__(self) -> str:
        return f"<Position {self.game} {self}>"
