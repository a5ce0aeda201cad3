"""The review of a game, move by move: the win probability before and after each move, and what the move lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from forgeron.arena.entrant import Entrant
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.players import player_class, player_names
from forgeron.players.base import Limit, Player

#: Annotation marks for moves that lose at least so much win probability, the worst first.
MARKS = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
#: A sequence of throws less likely than this is not looked at.
_UNLIKELY = 0.02
#: The default player of an analysis: the first of these that plays the game.
_ANALYSTS = ("minimax", "expectimax", "mcts", "monte-carlo")

ProgressListener = Callable[[int, int], None]
"""called with the positions done and their number"""


@dataclass(frozen=True)
class ReviewedMove:
    """A ply of the game. A throw of dice has no seat, and nobody is blamed for it."""

    ply: int
    """1 for the first"""
    seat: Seat | None
    move: str
    before: float
    """the mover's win probability with the best move; at a throw, the first player's"""
    after: float
    """the same after the move that was played"""
    best: tuple[str, ...]
    """the principal variation of the analysis; empty where there was no choice"""

    @property
    def loss(self) -> float:
        return 0.0 if self.seat is None or not self.best else max(self.before - self.after, 0.0)

    @property
    def mark(self) -> str:
        """The annotation mark: empty for a move that is good enough."""
        return next((mark for least, mark in MARKS if self.loss >= least), "")

    def to_data(self) -> dict[str, Any]:
        """As JSON-ready data."""
        return {**vars(self), "best": list(self.best), "loss": self.loss, "mark": self.mark}


@dataclass(frozen=True)
class SideSummary:
    """How one side played: only the moves where it had a choice count."""

    moves: int
    average_loss: float
    marks: dict[str, int]
    total_loss: float
    """win probability given away by all its moves together"""
    luck: float | None = None
    """what all throws together have brought this side; None in a game without throws"""

    def to_data(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class GameReview:
    """A whole game: its moves, and the win probability of the first player in each position."""

    moves: tuple[ReviewedMove, ...]
    course: tuple[float, ...]
    """one more than there are moves"""

    def side(self, seat: Seat) -> SideSummary:
        mine = [one for one in self.moves if one.seat == seat and one.best]
        counts = {mark: sum(one.mark == mark for one in mine) for _, mark in reversed(MARKS)}
        total = sum(one.loss for one in mine)
        luck = self.luck if self.luck is None or seat == 0 else -self.luck
        return SideSummary(len(mine), total / len(mine) if mine else 0.0, counts, total, luck)

    @property
    def luck(self) -> float | None:
        """What the throws have brought the first player; None where nothing was thrown.

        The course of a game is its beginning, this, and what both sides gave away by their moves.
        """
        throws = [one.after - one.before for one in self.moves if one.seat is None]
        return sum(throws) if throws else None


def analyst_name(game: Game) -> str:
    """The default player of an analysis of this game."""
    there = player_names(game)
    return next(name for name in _ANALYSTS if name in there)


def open_analyst(game: Game, text: str | None = None, threads: int = 1) -> Player:
    """The player of an analysis, written as in mcts:exploration=1.2; one that does not play the game is refused."""
    entrant = Entrant.parse(text or analyst_name(game))
    if entrant.player is None:
        raise OptionError(f"'{text}' is not one of our players: {', '.join(player_names(game))}")
    if not entrant.is_human and not player_class(entrant.player).plays(game):
        name = player_class(entrant.player).name
        raise OptionError(f"{name} does not play {game.title}; these do: {', '.join(player_names(game))}")
    return entrant.open_player(game, threads=threads)


def review_game(
    positions: Sequence[Position], player: Player, limit: Limit, progress: ProgressListener = lambda _done, _total: None
) -> GameReview:
    """Review the game that went through these positions, each searched within the limit.

    It goes from the end of the game to its beginning: a value is then compared with one that looked further, and what
    the player keeps from one search helps the next.
    """
    analyst = _Analyst(player, limit)
    total = len(positions)
    course = [analyst.expect(positions[-1])]
    moves: list[ReviewedMove] = []
    progress(1, total)
    for ply in range(total - 1, 0, -1):
        one = analyst.review_move(ply, positions[ply - 1], positions[ply], course[-1])
        moves.append(one)
        course.append(one.before if one.seat != 1 else 1 - one.before)
        progress(total - ply + 1, total)
    return GameReview(tuple(reversed(moves)), tuple(reversed(course)))


class _Analyst:
    """Values are win probabilities of the first player, whoever is to move."""

    def __init__(self, player: Player, limit: Limit) -> None:
        self._player = player
        self._limit = limit

    def review_move(self, ply: int, position: Position, after: Position, expected: float) -> ReviewedMove:
        """The move between two positions, of which the second is expected to end so."""
        move = str(after.last_move)
        if position.turn == "chance":
            # The throw that came is known exactly; the others are what could have come.
            value = self._average(position, self._limit, 1.0, known=(after, expected))
            return ReviewedMove(ply, None, move, value, expected, ())
        seat: Seat = 1 if position.turn == 1 else 0
        got = expected if seat == 0 else 1 - expected
        if len(position.moves) == 1:
            return ReviewedMove(ply, seat, move, got, got, ())
        choice = self._player.analyse(position, self._limit)
        # The player's own choice is the best it knows; its value is better known from the position after it.
        before = got if choice.move == move else max(choice.value, got)
        return ReviewedMove(ply, seat, move, before, got, choice.line)

    def expect(self, position: Position, limit: Limit | None = None, probability: float = 1.0) -> float:
        """What the first player can expect: the result, the value of a search, or the mean over the throws."""
        limit = limit or self._limit
        if position.outcome is not None:
            winner = position.outcome.winner
            return 0.5 if winner is None else 1.0 if winner == 0 else 0.0
        if position.turn == "chance":
            return self._average(position, limit, probability)
        value = self._player.analyse(position, limit).value
        return value if position.turn == 0 else 1 - value

    def _average(
        self, position: Position, limit: Limit, probability: float, known: tuple[Position, float] | None = None
    ) -> float:
        """The mean over the likely throws, which share the limit."""
        throws = [
            (chance, position.push(move)) for chance, move in zip(position.chances(), position.moves, strict=True)
        ]
        likely = [throw for throw in throws if throw[0] * probability >= _UNLIKELY] or [max(throws, key=lambda t: t[0])]
        share = _share(limit, len(likely))
        total = 0.0
        for chance, after in likely:
            value = known[1] if known and after == known[0] else self.expect(after, share, probability * chance)
            total += chance * value
        return total / sum(chance for chance, _ in likely)


def _share(limit: Limit, parts: int) -> Limit:
    seconds = None if limit.seconds is None else limit.seconds / parts
    nodes = None if limit.nodes is None else max(limit.nodes // parts, 1)
    return replace(limit, seconds=seconds, nodes=nodes, target_seconds=None)
